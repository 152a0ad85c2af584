// nvcc: no (its programs name libnvJitLink, which is not here)
// flags: -lnvrtc -lcuda -lnvJitLink
// Texts that are compiled one by one while the program runs and linked by nvJitLink: a function and a variable of the other text, and names of
// their own that are alike.
#include "check.h"
#include <cuda.h>
#include <nvJitLink.h>
#include <nvrtc.h>
#include <vector>
static const char first[] = "extern __device__ int other(int x); extern __device__ int shared_value; static __device__ int alike() { return 1; }\n"
                            "extern \"C\" __global__ void run(int *out) { out[threadIdx.x] = other(threadIdx.x) + shared_value + alike(); }\n";
static const char second[] = "static __device__ __noinline__ int alike(int x) { return 100 * x; }\n__device__ int shared_value = 7;\n"
                             "__device__ int other(int x) { return alike(x); }\n"
                             "extern \"C\" __global__ void set(int v) { shared_value = v; }\n";
static std::vector<char> compiled(const char *source)
{
    nvrtcProgram program;
    const char *const options[] = {"-dlto", "--relocatable-device-code=true"};
    size_t bytes = 0;
    CHECK(nvrtcCreateProgram(&program, source, "text.cu", 0, nullptr, nullptr) == NVRTC_SUCCESS);
    CHECK(nvrtcCompileProgram(program, 2, options) == NVRTC_SUCCESS && nvrtcGetLTOIRSize(program, &bytes) == NVRTC_SUCCESS);
    std::vector<char> code(bytes);
    CHECK(nvrtcGetLTOIR(program, code.data()) == NVRTC_SUCCESS && nvrtcDestroyProgram(&program) == NVRTC_SUCCESS);
    return code;
}
int main()
{
    const std::vector<char> one = compiled(first), two = compiled(second);
    const char *options[] = {"-lto", "-arch=sm_75"};
    nvJitLinkHandle link;
    size_t bytes = 0;
    CHECK(nvJitLinkCreate(&link, 1, options) == NVJITLINK_ERROR_MISSING_ARCH);
    CHECK(nvJitLinkCreate(&link, 2, options) == NVJITLINK_SUCCESS);
    CHECK(nvJitLinkGetLinkedCubinSize(link, &bytes) == NVJITLINK_ERROR_INVALID_INPUT);
    CHECK(nvJitLinkAddData(link, NVJITLINK_INPUT_LTOIR, "machine code", 12, "none") == NVJITLINK_ERROR_UNRECOGNIZED_INPUT);
    CHECK(nvJitLinkAddData(link, NVJITLINK_INPUT_LTOIR, one.data(), one.size(), "one") == NVJITLINK_SUCCESS);
    CHECK(nvJitLinkAddData(link, NVJITLINK_INPUT_LTOIR, two.data(), two.size(), "two") == NVJITLINK_SUCCESS);
    CHECK(nvJitLinkComplete(link) == NVJITLINK_SUCCESS && nvJitLinkGetLinkedCubinSize(link, &bytes) == NVJITLINK_SUCCESS);
    std::vector<char> code(bytes);
    CHECK(nvJitLinkGetLinkedCubin(link, code.data()) == NVJITLINK_SUCCESS && nvJitLinkDestroy(&link) == NVJITLINK_SUCCESS && !link);
    CALL(cudaFree(nullptr));
    CUmodule module;
    CUfunction run, set;
    CUdeviceptr variable;
    CHECK(cuModuleLoadData(&module, code.data()) == CUDA_SUCCESS);
    CHECK(cuModuleGetFunction(&run, module, "run") == CUDA_SUCCESS && cuModuleGetFunction(&set, module, "set") == CUDA_SUCCESS);
    CHECK(cuModuleGetFunction(&run, module, "none") == CUDA_ERROR_NOT_FOUND);
    CHECK(cuModuleGetGlobal(&variable, &bytes, module, "shared_value") == CUDA_SUCCESS && bytes == sizeof(int));
    int *out = on_device<int>(nullptr, 32), host[32], value = 30;
    void *arguments[] = {&out}, *values[] = {&value};
    CHECK(cuLaunchKernel(set, 1, 1, 1, 1, 1, 1, 0, nullptr, values, nullptr) == CUDA_SUCCESS);
    CHECK(cuLaunchKernel(run, 1, 1, 1, 32, 1, 1, 0, nullptr, arguments, nullptr) == CUDA_SUCCESS);
    to_host(host, out, 32);
    for (int i = 0; i < 32; i++)
        CHECK(host[i] == 100 * i + 31);
    return done();
}
