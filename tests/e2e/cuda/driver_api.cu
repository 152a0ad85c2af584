// The driver API: a context, memory, a module of PTX text, its functions and variables, launches with both kinds of arguments.
// nvcc: no (there is no libcuda to link with)
// flags: -lcuda
#include "check.h"
#include <cuda.h>
#define DRIVER(expression) CHECK((expression) == CUDA_SUCCESS)
static const char text[] = R"(
.version 7.0
.target sm_70
.address_size 64
.visible .global .u32 step = 5;
.visible .entry scale(.param .u64 p, .param .u32 factor)
{
    .reg .b64 %a<3>;
    .reg .b32 %r<6>;
    ld.param.u64 %a0, [p];
    ld.param.u32 %r0, [factor];
    mov.u32 %r1, %tid.x;
    mul.wide.u32 %a1, %r1, 4;
    add.s64 %a1, %a0, %a1;
    ld.global.u32 %r2, [%a1];
    ld.global.u32 %r3, [step];
    mad.lo.u32 %r4, %r2, %r0, %r3;
    st.global.u32 [%a1], %r4;
    ret;
}
)";
int main()
{
    CUdevice device;
    CUcontext context;
    CUmodule module;
    CUfunction scale, none;
    CUdeviceptr data, step;
    CUstream stream;
    size_t bytes, left, all;
    int count = 0, sms = 0, major = 0, minor = 0;
    char name[64];
    DRIVER(cuInit(0));
    DRIVER(cuDeviceGetCount(&count));
    DRIVER(cuDeviceGet(&device, 0));
    CHECK(cuDeviceGet(&device, 5) == CUDA_ERROR_INVALID_DEVICE);
    DRIVER(cuDeviceGetName(name, sizeof name, 0));
    DRIVER(cuDeviceGetAttribute(&sms, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, 0));
    DRIVER(cuDeviceComputeCapability(&major, &minor, 0));
    CHECK(count == 1 && sms > 0 && major > 1 && name[0]);
    DRIVER(cuCtxCreate(&context, 0, 0));
    DRIVER(cuMemGetInfo(&left, &all));
    CHECK(left <= all && all > 0);
    DRIVER(cuModuleLoadData(&module, text));
    DRIVER(cuModuleGetFunction(&scale, module, "scale"));
    CHECK(cuModuleGetFunction(&none, module, "nothing") == CUDA_ERROR_NOT_FOUND);
    DRIVER(cuModuleGetGlobal(&step, &bytes, module, "step"));
    CHECK(bytes == 4);
    unsigned h[32], factor = 3;
    for (unsigned i = 0; i < 32; i++)
        h[i] = i;
    DRIVER(cuMemAlloc(&data, sizeof h));
    DRIVER(cuMemcpyHtoD(data, h, sizeof h));
    CUdeviceptr start = 0;
    void *pinned;
    DRIVER(cuMemGetAddressRange(&start, &bytes, data + 60));
    CHECK(start == data && bytes == sizeof h);
    unsigned kind = 0;
    CUdeviceptr same = 0;
    DRIVER(cuPointerGetAttribute(&kind, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, data));
    DRIVER(cuPointerGetAttribute(&same, CU_POINTER_ATTRIBUTE_RANGE_START_ADDR, data + 60));
    CHECK(kind == CU_MEMORYTYPE_DEVICE && same == data);
    CHECK(cuPointerGetAttribute(&kind, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, (CUdeviceptr)(size_t)h) == CUDA_ERROR_INVALID_VALUE);
    DRIVER(cuMemGetAddressRange(nullptr, &bytes, step + 3));
    CHECK(bytes == 4);
    CHECK(cuMemGetAddressRange(&start, nullptr, (CUdeviceptr)(size_t)h) == CUDA_ERROR_NOT_FOUND);
    DRIVER(cuMemAllocHost(&pinned, 100));
    DRIVER(cuMemGetAddressRange(&start, &bytes, (CUdeviceptr)(size_t)pinned + 99));
    CHECK(start == (CUdeviceptr)(size_t)pinned && bytes == 100);
    DRIVER(cuMemFreeHost(pinned));
    void *arguments[] = { &data, &factor };
    DRIVER(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    DRIVER(cuLaunchKernel(scale, 1, 1, 1, 32, 1, 1, 0, stream, arguments, NULL));
    DRIVER(cuStreamSynchronize(stream));
    const unsigned new_step = 7;
    DRIVER(cuMemcpyHtoD(step, &new_step, sizeof new_step));
    struct { CUdeviceptr p; unsigned factor; } block = { data, 2 };
    size_t block_bytes = sizeof block;
    void *extra[] = { (void *)1, &block, (void *)2, &block_bytes, NULL };
    DRIVER(cuLaunchKernel(scale, 1, 1, 1, 32, 1, 1, 0, NULL, NULL, extra));
    DRIVER(cuCtxSynchronize());
    DRIVER(cuMemcpyDtoH(h, data, sizeof h));
    for (unsigned i = 0; i < 32; i++)
        CHECK(h[i] == (i * 3 + 5) * 2 + 7);
    const char *what;
    DRIVER(cuGetErrorName(CUDA_ERROR_OUT_OF_MEMORY, &what));
    CHECK(!strcmp(what, "CUDA_ERROR_OUT_OF_MEMORY"));
    CHECK(cuGetErrorName((CUresult)12345, &what) == CUDA_ERROR_INVALID_VALUE && !what);
    CHECK(cuModuleLoadData(&module, ".version 7.0\n.target sm_70\nnonsense") != CUDA_SUCCESS);
    DRIVER(cuMemFree(data));
    DRIVER(cuModuleUnload(module));
    DRIVER(cuCtxDestroy(context));
    return done();
}
