/* nvJitLink: texts of PTX linked while the program runs. What NVRTC calls LTO-IR is PTX here (nvrtc.h), and so is what comes out of the link;
 * cuModuleLoadData takes it. Nothing is optimised across the texts. */
#ifndef WARPLINE_NVJITLINK_H
#define WARPLINE_NVJITLINK_H
#define nvJitLink_INCLUDED__
#include <stddef.h>
#include <stdint.h>
typedef enum {
    NVJITLINK_SUCCESS, NVJITLINK_ERROR_UNRECOGNIZED_OPTION, NVJITLINK_ERROR_MISSING_ARCH, NVJITLINK_ERROR_INVALID_INPUT, NVJITLINK_ERROR_PTX_COMPILE,
    NVJITLINK_ERROR_NVVM_COMPILE, NVJITLINK_ERROR_INTERNAL, NVJITLINK_ERROR_THREADPOOL, NVJITLINK_ERROR_UNRECOGNIZED_INPUT, NVJITLINK_ERROR_FINALIZE
} nvJitLinkResult;
typedef enum {
    NVJITLINK_INPUT_NONE, NVJITLINK_INPUT_CUBIN, NVJITLINK_INPUT_PTX, NVJITLINK_INPUT_LTOIR, NVJITLINK_INPUT_FATBIN, NVJITLINK_INPUT_OBJECT,
    NVJITLINK_INPUT_LIBRARY, NVJITLINK_INPUT_INDEX, NVJITLINK_INPUT_ANY = 10
} nvJitLinkInputType;
typedef struct nvJitLink *nvJitLinkHandle;
#if defined(__cplusplus)
extern "C" {
#endif
nvJitLinkResult nvJitLinkVersion(unsigned int *major, unsigned int *minor);
nvJitLinkResult nvJitLinkCreate(nvJitLinkHandle *link, uint32_t count, const char **options);
nvJitLinkResult nvJitLinkDestroy(nvJitLinkHandle *link);
nvJitLinkResult nvJitLinkAddData(nvJitLinkHandle link, nvJitLinkInputType type, const void *data, size_t bytes, const char *name);
nvJitLinkResult nvJitLinkComplete(nvJitLinkHandle link);
nvJitLinkResult nvJitLinkGetLinkedCubinSize(nvJitLinkHandle link, size_t *bytes);
nvJitLinkResult nvJitLinkGetLinkedCubin(nvJitLinkHandle link, void *code);
nvJitLinkResult nvJitLinkGetErrorLogSize(nvJitLinkHandle link, size_t *bytes);
nvJitLinkResult nvJitLinkGetErrorLog(nvJitLinkHandle link, char *log);
nvJitLinkResult nvJitLinkGetInfoLogSize(nvJitLinkHandle link, size_t *bytes);
nvJitLinkResult nvJitLinkGetInfoLog(nvJitLinkHandle link, char *log);
#if defined(__cplusplus)
}
#endif
#endif
