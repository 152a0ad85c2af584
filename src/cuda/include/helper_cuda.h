/* What NVIDIA's sample programs share to check calls and choose a device, by their names; written anew. */
#ifndef WARPLINE_HELPER_CUDA_H
#define WARPLINE_HELPER_CUDA_H
#include "bits/names_hidden.h"
#include <cuda_runtime.h>
#include <helper_string.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static inline const char *_cudaGetErrorEnum(cudaError_t error) { return cudaGetErrorName(error); }
/* The libraries' states have numbers only. */
template <class T> static inline const char *_cudaGetErrorEnum(T) { return "<unknown>"; }
template <class T> void check(T result, char const *const call, const char *const file, int const line)
{
    if (!result)
        return;
    fprintf(stderr, "CUDA error at %s:%d code=%d(%s) \"%s\" \n", file, line, (int)result, _cudaGetErrorEnum(result), call);
    exit(EXIT_FAILURE);
}
#define checkCudaErrors(call) check((call), #call, __FILE__, __LINE__)
static inline void warpline_last_error(const char *text, const char *file, int line, bool stop)
{
    const cudaError_t error = cudaGetLastError();
    if (error == cudaSuccess)
        return;
    fprintf(stderr, "%s(%i) : %s : (%d) %s.\n", file, line, text, (int)error, cudaGetErrorString(error));
    if (stop)
        exit(EXIT_FAILURE);
}
#define getLastCudaError(text) warpline_last_error(text, __FILE__, __LINE__, true)
#define printLastCudaError(text) warpline_last_error(text, __FILE__, __LINE__, false)
#ifndef MAX
#define MAX(a, b) (a > b ? a : b)
#endif
inline int ftoi(float value) { return (int)(value >= 0 ? value + 0.5 : value - 0.5); }
/* Lanes of single precision in an SM of that compute capability. */
inline int _ConvertSMVer2Cores(int major, int minor)
{
    switch (major) {
    case 3: return 192;
    case 6: return minor == 0 ? 64 : 128;
    case 7: return 64;
    case 8: return minor == 0 ? 64 : 128;
    default: return 128;
    }
}
inline const char *_ConvertSMVer2ArchName(int major, int minor)
{
    switch (major) {
    case 3: return "Kepler";
    case 5: return "Maxwell";
    case 6: return "Pascal";
    case 7: return minor == 5 ? "Turing" : minor == 2 ? "Xavier" : "Volta";
    case 8: return minor == 9 ? "Ada" : "Ampere";
    case 9: return "Hopper";
    default: return "Graphics Device";
    }
}
inline int gpuDeviceInit(int device)
{
    int count = 0;
    checkCudaErrors(cudaGetDeviceCount(&count));
    if (device >= count)
        return -device;
    checkCudaErrors(cudaSetDevice(device < 0 ? 0 : device));
    return device < 0 ? 0 : device;
}
inline int gpuGetMaxGflopsDeviceId() { return 0; } /* there is one device */
inline int findCudaDevice(int argc, const char **argv)
{
    int major = 0, minor = 0, device = 0;
    if (checkCmdLineFlag(argc, argv, "device"))
        device = gpuDeviceInit(getCmdLineArgumentInt(argc, argv, "device"));
    if (device < 0) {
        printf("exiting...\n");
        exit(EXIT_FAILURE);
    }
    checkCudaErrors(cudaSetDevice(device));
    checkCudaErrors(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device));
    checkCudaErrors(cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device));
    printf("GPU Device %d: \"%s\" with compute capability %d.%d\n\n", device, _ConvertSMVer2ArchName(major, minor), major, minor);
    return device;
}
inline int findIntegratedGPU()
{
    fprintf(stderr, "CUDA error: No GPU found that is integrated.\n");
    return -1;
}
inline bool checkCudaCapabilities(int major, int minor)
{
    int device = 0, has_major = 0, has_minor = 0;
    checkCudaErrors(cudaGetDevice(&device));
    checkCudaErrors(cudaDeviceGetAttribute(&has_major, cudaDevAttrComputeCapabilityMajor, device));
    checkCudaErrors(cudaDeviceGetAttribute(&has_minor, cudaDevAttrComputeCapabilityMinor, device));
    const bool enough = has_major > major || (has_major == major && has_minor >= minor);
    if (!enough)
        printf("  No GPU device was found that can support CUDA compute capability %d.%d.\n", major, minor);
    return enough;
}
#include "bits/names_shown.h"
#endif
