/* driver_calls.c - the driver API over the runtime's calls: one device, one context, modules of PTX that the program brings along.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "cuda.h"
#include "gpu/machine.h"
#include "run/fatbin.h"
#include "runtime.h"

enum { MAX_MODULE = 256 << 20 };

/* A module, and the functions that the program has asked it for. */
struct CUmod_st {
    struct loaded_module *loaded;
    const struct ptx_module *ptx;
    struct CUmod_st *next; /* the other texts that it was linked of */
};
struct CUctx_st {
    int device;
};

/* The one context. It needs no content, since there is no other. */
static struct CUctx_st *the_context(void)
{
    static struct CUctx_st context;
    return &context;
}

static CUresult result(cudaError_t code)
{
    return (CUresult)code;
}

CUresult cuInit(unsigned int flags)
{
    return flags ? CUDA_ERROR_INVALID_VALUE : result(cudaFree(NULL));
}
CUresult cuDriverGetVersion(int *version)
{
    return result(cudaDriverGetVersion(version));
}
CUresult cuDeviceGet(CUdevice *device, int ordinal)
{
    *device = ordinal;
    return ordinal == 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}
CUresult cuDeviceGetCount(int *count)
{
    return result(cudaGetDeviceCount(count));
}
CUresult cuDeviceGetName(char *name, int length, CUdevice device)
{
    struct cudaDeviceProp properties;
    const cudaError_t code = cudaGetDeviceProperties(&properties, device);
    if (code == cudaSuccess && length > 0)
        (void)snprintf(name, (size_t)length, "%s", properties.name);
    return result(code);
}
CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute attribute, CUdevice device)
{
    if (attribute == CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED && device == 0) { /* the runtime has no such */
        *value = 1;
        return CUDA_SUCCESS;
    }
    return result(cudaDeviceGetAttribute(value, (enum cudaDeviceAttr)attribute, device));
}
CUresult cuDeviceComputeCapability(int *major, int *minor, CUdevice device)
{
    const CUresult code = cuDeviceGetAttribute(major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device);
    return code ? code : cuDeviceGetAttribute(minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device);
}
CUresult cuDeviceTotalMem(size_t *bytes, CUdevice device)
{
    size_t left;
    (void)device;
    return result(cudaMemGetInfo(&left, bytes));
}

CUresult cuDeviceGetUuid(CUuuid *uuid, CUdevice device)
{
    struct cudaDeviceProp properties;
    const cudaError_t code = cudaGetDeviceProperties(&properties, device);
    if (code == cudaSuccess)
        memcpy(uuid->bytes, &properties.uuid, sizeof uuid->bytes);
    return result(code);
}
CUresult cuDeviceCanAccessPeer(int *can, CUdevice device, CUdevice peer)
{
    return result(cudaDeviceCanAccessPeer(can, device, peer));
}

CUresult cuCtxCreate(CUcontext *context, unsigned int flags, CUdevice device)
{
    (void)flags;
    *context = the_context();
    return device == 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}
CUresult cuCtxDestroy(CUcontext context)
{
    return context == the_context() ? CUDA_SUCCESS : CUDA_ERROR_INVALID_CONTEXT;
}
CUresult cuCtxSynchronize(void)
{
    return result(cudaDeviceSynchronize());
}
CUresult cuCtxGetCurrent(CUcontext *context)
{
    *context = the_context();
    return CUDA_SUCCESS;
}
CUresult cuCtxSetCurrent(CUcontext context)
{
    return !context || context == the_context() ? CUDA_SUCCESS : CUDA_ERROR_INVALID_CONTEXT;
}
CUresult cuCtxPushCurrent(CUcontext context)
{
    return cuCtxSetCurrent(context);
}
CUresult cuCtxPopCurrent(CUcontext *context)
{
    if (context)
        *context = the_context();
    return CUDA_SUCCESS;
}
CUresult cuCtxGetDevice(CUdevice *device)
{
    *device = 0;
    return CUDA_SUCCESS;
}
CUresult cuCtxDetach(CUcontext context)
{
    return cuCtxDestroy(context);
}
CUresult cuCtxGetApiVersion(CUcontext context, unsigned int *version)
{
    *version = CUDA_VERSION;
    return !context || context == the_context() ? CUDA_SUCCESS : CUDA_ERROR_INVALID_CONTEXT;
}
/* There is one device, and its own memory needs no leave. */
CUresult cuCtxEnablePeerAccess(CUcontext peer, unsigned int flags)
{
    (void)flags;
    return peer == the_context() ? CUDA_ERROR_INVALID_CONTEXT : CUDA_ERROR_INVALID_VALUE;
}
CUresult cuCtxDisablePeerAccess(CUcontext peer)
{
    (void)peer;
    return CUDA_ERROR_PEER_ACCESS_NOT_ENABLED;
}
CUresult cuCtxSetCacheConfig(CUfunc_cache preference)
{
    (void)preference; /* a hint, as in the runtime */
    return CUDA_SUCCESS;
}
CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device)
{
    return cuCtxCreate(context, 0, device);
}
CUresult cuDevicePrimaryCtxRelease(CUdevice device)
{
    return device == 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}

CUresult cuMemGetInfo(size_t *left, size_t *all)
{
    return result(cudaMemGetInfo(left, all));
}
CUresult cuMemAlloc(CUdeviceptr *pointer, size_t bytes)
{
    void *p = NULL;
    const cudaError_t code = bytes ? cudaMalloc(&p, bytes) : cudaErrorInvalidValue;
    *pointer = (uintptr_t)p;
    return result(code);
}
CUresult cuMemFree(CUdeviceptr pointer)
{
    return result(cudaFree((void *)(uintptr_t)pointer));
}
CUresult cuMemAllocHost(void **pointer, size_t bytes)
{
    return result(cudaHostAlloc(pointer, bytes, 0));
}
CUresult cuMemHostAlloc(void **pointer, size_t bytes, unsigned int flags)
{
    return result(cudaHostAlloc(pointer, bytes, flags));
}
CUresult cuMemFreeHost(void *pointer)
{
    return result(cudaFreeHost(pointer));
}
CUresult cuMemAllocManaged(CUdeviceptr *pointer, size_t bytes, unsigned int flags)
{
    void *p = NULL;
    const cudaError_t code = cudaMallocManaged(&p, bytes, flags);
    *pointer = (uintptr_t)p;
    return result(code);
}
CUresult cuMemHostRegister(void *pointer, size_t bytes, unsigned int flags)
{
    return result(cudaHostRegister(pointer, bytes, flags));
}
CUresult cuMemHostUnregister(void *pointer)
{
    return result(cudaHostUnregister(pointer));
}
CUresult cuMemHostGetDevicePointer(CUdeviceptr *device, void *host, unsigned int flags)
{
    void *p = NULL;
    const cudaError_t code = cudaHostGetDevicePointer(&p, host, flags);
    *device = (uintptr_t)p;
    return result(code);
}
CUresult cuMemAllocPitch(CUdeviceptr *pointer, size_t *pitch, size_t width, size_t height, unsigned int element)
{
    void *p = NULL;
    const bool known = element == 4 || element == 8 || element == 16;
    const cudaError_t code = known ? cudaMallocPitch(&p, pitch, width, height) : cudaErrorInvalidValue;
    *pointer = (uintptr_t)p;
    return result(code);
}
CUresult cuMemcpy(CUdeviceptr to, CUdeviceptr from, size_t bytes)
{
    return result(cudaMemcpy((void *)(uintptr_t)to, (const void *)(uintptr_t)from, bytes, cudaMemcpyDefault));
}
CUresult cuMemcpyDtoDAsync(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream)
{
    return result(cudaMemcpyAsync((void *)(uintptr_t)to, (const void *)(uintptr_t)from, bytes, cudaMemcpyDeviceToDevice, stream));
}
CUresult cuMemcpyHtoD(CUdeviceptr to, const void *from, size_t bytes)
{
    return result(cudaMemcpy((void *)(uintptr_t)to, from, bytes, cudaMemcpyHostToDevice));
}
CUresult cuMemcpyDtoH(void *to, CUdeviceptr from, size_t bytes)
{
    return result(cudaMemcpy(to, (const void *)(uintptr_t)from, bytes, cudaMemcpyDeviceToHost));
}
CUresult cuMemcpyDtoD(CUdeviceptr to, CUdeviceptr from, size_t bytes)
{
    return result(cudaMemcpy((void *)(uintptr_t)to, (const void *)(uintptr_t)from, bytes, cudaMemcpyDeviceToDevice));
}
CUresult cuMemcpyHtoDAsync(CUdeviceptr to, const void *from, size_t bytes, CUstream stream)
{
    return result(cudaMemcpyAsync((void *)(uintptr_t)to, from, bytes, cudaMemcpyHostToDevice, stream));
}
CUresult cuMemcpyDtoHAsync(void *to, CUdeviceptr from, size_t bytes, CUstream stream)
{
    return result(cudaMemcpyAsync(to, (const void *)(uintptr_t)from, bytes, cudaMemcpyDeviceToHost, stream));
}
CUresult cuMemsetD8(CUdeviceptr to, unsigned char value, size_t count)
{
    return result(cudaMemset((void *)(uintptr_t)to, value, count));
}
/* Values of more than a byte, by one copy. */
static CUresult set_values(CUdeviceptr to, const void *value, size_t bytes, size_t count, CUstream stream)
{
    char *all = must_calloc(count ? count : 1, bytes);
    for (size_t i = 0; i < count; i++)
        memcpy(all + i * bytes, value, bytes);
    const cudaError_t code = cudaMemcpyAsync((void *)(uintptr_t)to, all, count * bytes, cudaMemcpyHostToDevice, stream);
    free(all);
    return result(code);
}
CUresult cuMemsetD16(CUdeviceptr to, unsigned short value, size_t count)
{
    return set_values(to, &value, sizeof value, count, NULL);
}
CUresult cuMemsetD32(CUdeviceptr to, unsigned int value, size_t count)
{
    return set_values(to, &value, sizeof value, count, NULL);
}
CUresult cuMemsetD8Async(CUdeviceptr to, unsigned char value, size_t count, CUstream stream)
{
    return result(cudaMemsetAsync((void *)(uintptr_t)to, value, count, stream));
}
CUresult cuMemsetD32Async(CUdeviceptr to, unsigned int value, size_t count, CUstream stream)
{
    return set_values(to, &value, sizeof value, count, stream);
}

/* PTX as text, or a container with some in it. The caller frees. */
static char *module_text(const void *image, struct error *err)
{
    uint32_t magic;
    memcpy(&magic, image, sizeof magic);
    if (magic != FATBIN_MAGIC)
        return must_strdup(image);
    struct fatbin_ptx ptx;
    if (!fatbin_read(image, fatbin_size(image), &ptx, err))
        return NULL;
    if (!ptx.text)
        (void)error_set(err, "cuModuleLoadData: machine code without PTX cannot be simulated");
    return ptx.text;
}

/* Adds each of the texts that nvJitLink has put together, and links them when all are there. */
static bool load_texts(struct device *device, const char *text, const char *file, CUmodule *module, struct error *err)
{
    static uint32_t newest_group = UINT32_C(1) << 31; /* the program's own files have small numbers */
    const uint32_t group = strstr(text, NEXT_LINKED_TEXT) ? newest_group++ : 0;
    CUmodule first = NULL, *last = &first; /* a failure leaves the program's handle as it was */
    for (const char *end; text; text = end ? end + strlen(NEXT_LINKED_TEXT) : NULL) {
        end = strstr(text, NEXT_LINKED_TEXT);
        struct ptx_module *ptx = device_parse(device, file, text, end ? (size_t)(end - text) : strlen(text), err);
        struct loaded_module *loaded = !ptx    ? NULL
                                       : group ? device_add_module(device, ptx, group, err)
                                               : device_load_module(device, ptx, err);
        if (!loaded)
            return false;
        *last = must_calloc(1, sizeof **last);
        **last = (struct CUmod_st){ loaded, ptx, NULL };
        last = &(*last)->next;
    }
    for (CUmodule m = first; m && group; m = m->next)
        if (!device_link_module(device, m->loaded, err))
            return false;
    *module = first;
    return true;
}
static cudaError_t load_image(struct runtime *r, const void *image, const char *file, CUmodule *module)
{
    struct error err = { .code = CODE_INTERNAL };
    char *text = module_text(image, &err);
    const bool ok = text && load_texts(runtime_device(r), text, file, module, &err);
    free(text);
    if (!ok)
        (void)fprintf(stderr, "warpline: %s\n", err.text); /* the program may go on, since it only tried */
    return ok ? cudaSuccess : cudaErrorInvalidKernelImage;
}

CUresult cuModuleLoadData(CUmodule *module, const void *image)
{
    cudaError_t code;
    struct runtime *r = runtime_enter_device(&code);
    if (code == cudaSuccess)
        code = image ? load_image(r, image, "module", module) : cudaErrorInvalidValue;
    return result(runtime_leave(code));
}
CUresult cuModuleLoadDataEx(CUmodule *module, const void *image, unsigned int count, CUjit_option *options, void **values)
{
    for (unsigned int i = 0; i < count; i++) /* nothing is said in the logs */
        if ((options[i] == CU_JIT_INFO_LOG_BUFFER || options[i] == CU_JIT_ERROR_LOG_BUFFER) && values[i])
            *(char *)values[i] = 0;
    return cuModuleLoadData(module, image);
}
CUresult cuModuleLoad(CUmodule *module, const char *file)
{
    cudaError_t code;
    size_t length;
    struct error ignored = { 0 };
    char *bytes = text_read_file(file, MAX_MODULE, &length, &ignored);
    if (!bytes)
        return CUDA_ERROR_FILE_NOT_FOUND;
    struct runtime *r = runtime_enter_device(&code);
    if (code == cudaSuccess)
        code = load_image(r, bytes, file, module);
    free(bytes);
    return result(runtime_leave(code));
}
/* Its functions and variables stay. Taking them away would gain nothing. */
CUresult cuModuleUnload(CUmodule module)
{
    return module ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

/* Linking by the driver: of one text of PTX, which is then the result. */
struct CUlinkState_st {
    char *text;
};
CUresult cuLinkCreate(unsigned int count, CUjit_option *options, void **values, CUlinkState *state)
{
    for (unsigned int i = 0; i < count; i++)
        if ((options[i] == CU_JIT_INFO_LOG_BUFFER || options[i] == CU_JIT_ERROR_LOG_BUFFER) && values[i])
            *(char *)values[i] = 0;
    *state = must_calloc(1, sizeof **state);
    return CUDA_SUCCESS;
}
CUresult cuLinkAddData(CUlinkState state, CUjitInputType type, void *data, size_t bytes, const char *name, unsigned int count,
                       CUjit_option *options, void **values)
{
    (void)name;
    (void)count;
    (void)options;
    (void)values;
    if (type != CU_JIT_INPUT_PTX || state->text) {
        (void)fprintf(stderr, "warpline: cuLinkAddData takes one text of PTX; several are linked by 'warpline cc -rdc=true'\n");
        return CUDA_ERROR_NOT_SUPPORTED;
    }
    state->text = must_calloc(1, bytes + 1);
    memcpy(state->text, data, bytes);
    return CUDA_SUCCESS;
}
CUresult cuLinkComplete(CUlinkState state, void **code, size_t *bytes)
{
    if (!state->text)
        return CUDA_ERROR_INVALID_VALUE;
    *code = state->text;
    *bytes = strlen(state->text) + 1;
    return CUDA_SUCCESS;
}
CUresult cuLinkDestroy(CUlinkState state)
{
    free(state->text);
    free(state);
    return CUDA_SUCCESS;
}

CUresult cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name)
{
    cudaError_t code;
    struct runtime *r = runtime_enter_device(&code);
    struct kernel *kernel = NULL;
    for (CUmodule m = module; code == cudaSuccess && m && !kernel; m = m->next)
        kernel = device_find_kernel(runtime_device(r), (module = m)->loaded, name);
    if (kernel) {
        struct program_function *f = must_calloc(1, sizeof *f);
        *f = (struct program_function){
            .next = r->functions, .name = kernel_function(kernel)->name, .kernel = kernel, .ptx = module->ptx
        };
        f->host = f;
        r->functions = f;
        *function = (CUfunction)f;
    }
    (void)runtime_leave(cudaSuccess);
    return code != cudaSuccess ? result(code) : kernel ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}
CUresult cuModuleGetGlobal(CUdeviceptr *pointer, size_t *bytes, CUmodule module, const char *name)
{
    cudaError_t code;
    uint64_t address = 0, size = 0;
    struct runtime *r = runtime_enter_device(&code);
    struct text_buffer own = { 0 };
    text_append(&own, "_ZL%zu%s", strlen(name), name); /* clang's name for a static variable; nvcc's is the plain one */
    bool found = false;
    for (CUmodule m = module; code == cudaSuccess && m && !found; m = m->next)
        found = device_find_symbol(runtime_device(r), m->loaded, name, &address, &size) ||
                device_find_symbol(runtime_device(r), m->loaded, own.text, &address, &size);
    text_buffer_clear(&own);
    (void)runtime_leave(cudaSuccess);
    if (pointer)
        *pointer = address;
    if (bytes)
        *bytes = size;
    return found ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}
CUresult cuFuncSetCacheConfig(CUfunction function, CUfunc_cache preference)
{
    (void)preference; /* a hint, as in the runtime */
    return function ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}
CUresult cuFuncGetAttribute(int *value, CUfunction_attribute attribute, CUfunction function)
{
    struct cudaFuncAttributes a;
    const cudaError_t code = function ? cudaFuncGetAttributes(&a, function) : cudaErrorInvalidResourceHandle;
    if (code != cudaSuccess)
        return result(code);
    const int values[] = {
        a.maxThreadsPerBlock, (int)a.sharedSizeBytes, (int)a.constSizeBytes, (int)a.localSizeBytes,       a.numRegs,
        a.ptxVersion,         a.binaryVersion,        a.cacheModeCA,         a.maxDynamicSharedSizeBytes, a.preferredShmemCarveout
    };
    if ((size_t)attribute >= sizeof values / sizeof *values)
        return CUDA_ERROR_INVALID_VALUE;
    *value = values[attribute];
    return CUDA_SUCCESS;
}
CUresult cuFuncSetAttribute(CUfunction function, CUfunction_attribute attribute, int value)
{
    return result(cudaFuncSetAttribute(function, (enum cudaFuncAttribute)attribute, value));
}
CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, CUfunction function, int threads, size_t dynamic_shared)
{
    return result(cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, function, threads, dynamic_shared));
}

/* The block that fills an SM best, as cuda_runtime.h looks for it; ties go to the larger block. */
CUresult cuOccupancyMaxPotentialBlockSize(int *min_grid, int *block, CUfunction function, CUoccupancyB2DSize shared_of,
                                          size_t dynamic_shared, int limit)
{
    int largest = 0, sms = 0, best = 0;
    CUresult code = cuFuncGetAttribute(&largest, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, function);
    if (!code)
        code = cuDeviceGetAttribute(&sms, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, 0);
    if (limit > 0 && limit < largest)
        largest = limit;
    *block = *min_grid = 0;
    for (int threads = largest / 32 * 32; !code && threads > 0; threads -= 32) {
        int blocks = 0;
        code = cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function, threads,
                                                           shared_of ? shared_of(threads) : dynamic_shared);
        if (!code && blocks * threads > best) {
            best = blocks * threads;
            *block = threads;
            *min_grid = blocks * sms;
        }
    }
    return code;
}

/* Arguments in one block, as `extra` gives them: a pointer to each. */
enum { EXTRA_END = 0, EXTRA_POINTER = 1, EXTRA_SIZE = 2, MOST_ARGUMENTS = 512 };
static void **spread_extra(const struct ptx_function *fn, const struct ptx_module *ptx, void **extra, void *places[MOST_ARGUMENTS])
{
    char *block = NULL;
    for (size_t i = 0; extra[i] != (void *)EXTRA_END; i += 2)
        if (extra[i] == (void *)EXTRA_POINTER)
            block = extra[i + 1];
    for (uint32_t i = 0; block && i < fn->param_count && i < MOST_ARGUMENTS; i++)
        places[i] = block + ptx->variables[fn->params[i]].offset;
    return places;
}

CUresult cuLaunchKernel(CUfunction function, unsigned int grid_x, unsigned int grid_y, unsigned int grid_z, unsigned int block_x,
                        unsigned int block_y, unsigned int block_z, unsigned int shared, CUstream stream, void **arguments,
                        void **extra)
{
    void *places[MOST_ARGUMENTS] = { 0 };
    const struct program_function *f = (const struct program_function *)(const void *)function;
    if (!f)
        return CUDA_ERROR_INVALID_HANDLE;
    if (!arguments && extra)
        arguments = spread_extra(kernel_function(f->kernel), f->ptx, extra, places);
    return result(cudaLaunchKernel(function, (dim3){ grid_x, grid_y, grid_z }, (dim3){ block_x, block_y, block_z }, arguments,
                                   shared, stream));
}

CUresult cuLaunchCooperativeKernel(CUfunction function, unsigned int grid_x, unsigned int grid_y, unsigned int grid_z,
                                   unsigned int block_x, unsigned int block_y, unsigned int block_z, unsigned int shared,
                                   CUstream stream, void **arguments)
{
    return result(cudaLaunchCooperativeKernel(function, (dim3){ grid_x, grid_y, grid_z }, (dim3){ block_x, block_y, block_z },
                                              arguments, shared, stream));
}

CUresult cuStreamCreate(CUstream *stream, unsigned int flags)
{
    return result(cudaStreamCreateWithFlags(stream, flags));
}
CUresult cuStreamDestroy(CUstream stream)
{
    return result(cudaStreamDestroy(stream));
}
CUresult cuStreamSynchronize(CUstream stream)
{
    return result(cudaStreamSynchronize(stream));
}
CUresult cuEventCreate(CUevent *event, unsigned int flags)
{
    return result(cudaEventCreateWithFlags(event, flags));
}
CUresult cuEventDestroy(CUevent event)
{
    return result(cudaEventDestroy(event));
}
CUresult cuEventRecord(CUevent event, CUstream stream)
{
    return result(cudaEventRecord(event, stream));
}
CUresult cuEventSynchronize(CUevent event)
{
    return result(cudaEventSynchronize(event));
}
CUresult cuEventElapsedTime(float *milliseconds, CUevent from, CUevent to)
{
    return result(cudaEventElapsedTime(milliseconds, from, to));
}

CUresult cuStreamQuery(CUstream stream)
{
    return result(cudaStreamQuery(stream));
}
CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned int flags)
{
    return result(cudaStreamWaitEvent(stream, event, flags));
}
CUresult cuEventQuery(CUevent event)
{
    return result(cudaEventQuery(event));
}
CUresult cuProfilerStart(void)
{
    return CUDA_SUCCESS;
}
CUresult cuProfilerStop(void)
{
    return CUDA_SUCCESS;
}
