// nvcc: no (its programs name libnvrtc, which is not here)
// flags: -lnvrtc -lcuda
// expect-stderr: cudaIpcGetMemHandle
// Kernels that are compiled while the program runs (NVRTC): headers in memory, options, names of templates, what the compiler says of faults;
// and address ranges of the driver API, into which such a kernel writes.
#include "check.h"
#include <cuda.h>
#include <nvrtc.h>
#include <string>
#include <vector>

static const char source[] = "#include \"inner/factor.h\"\n"
                             "namespace parts { template <class T, int N> __global__ void scale(T *a, int n)\n"
                             "{ const int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) a[i] = T(a[i] * N * FACTOR + OFFSET); }\n"
                             "__device__ int counter = 7; }\n"
                             "extern \"C\" __global__ void looks(float *out, unsigned long long t) { out[threadIdx.x] = tex2D<float>(t, (threadIdx.x + 0.5f) / 4, 0.75f); }\n"
                             "static __constant__ int hidden[4] = {11, 12, 13, 14};\n"
                             "extern \"C\" __global__ void plain(int *a, int first) { a[threadIdx.x] = first + twice(threadIdx.x) + hidden[3] - 14; }\n";

static CUmodule compiled(std::vector<std::string> *lowered, const std::vector<const char *> &names)
{
    const char *const headers[] = { "#define FACTOR 2\n__device__ inline int twice(int x) { return 2 * x; }\n" }, *const included[] = { "inner/factor.h" };
    const char *const options[] = { "--gpu-architecture=compute_70", "-DOFFSET=5", "--std=c++17" };
    nvrtcProgram program;
    CHECK(nvrtcCreateProgram(&program, source, "late.cu", 1, headers, included) == NVRTC_SUCCESS);
    for (const char *name : names)
        CHECK(nvrtcAddNameExpression(program, name) == NVRTC_SUCCESS);
    const char *one;
    CHECK(nvrtcGetLoweredName(program, "anything", &one) == NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION);
    CHECK(nvrtcCompileProgram(program, 3, options) == NVRTC_SUCCESS);
    for (const char *name : names) {
        CHECK(nvrtcGetLoweredName(program, name, &one) == NVRTC_SUCCESS);
        lowered->push_back(one);
    }
    CHECK(nvrtcGetLoweredName(program, "parts::nobody", &one) == NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID);
    size_t bytes = 0;
    CHECK(nvrtcGetCUBINSize(program, &bytes) == NVRTC_SUCCESS && bytes > 100);
    std::vector<char> code(bytes);
    CHECK(nvrtcGetCUBIN(program, code.data()) == NVRTC_SUCCESS && nvrtcDestroyProgram(&program) == NVRTC_SUCCESS && !program);
    CUmodule module;
    CUlinkState state;
    void *linked;
    CHECK(cuLinkCreate(0, nullptr, nullptr, &state) == CUDA_SUCCESS);
    CHECK(cuLinkAddData(state, CU_JIT_INPUT_PTX, code.data(), bytes, "late", 0, nullptr, nullptr) == CUDA_SUCCESS);
    CHECK(cuLinkAddData(state, CU_JIT_INPUT_PTX, code.data(), bytes, "late", 0, nullptr, nullptr) == CUDA_ERROR_NOT_SUPPORTED);
    CHECK(cuLinkComplete(state, &linked, &bytes) == CUDA_SUCCESS && cuModuleLoadDataEx(&module, linked, 0, nullptr, nullptr) == CUDA_SUCCESS);
    CHECK(cuLinkDestroy(state) == CUDA_SUCCESS);
    return module;
}

static void faults()
{
    nvrtcProgram program;
    CHECK(nvrtcCreateProgram(&program, "__global__ void k(int *a)\n{\n    *a = missing;\n}\n", "wrong.cu", 0, nullptr, nullptr) == NVRTC_SUCCESS);
    CHECK(nvrtcCompileProgram(program, 0, (const char *const *)nullptr) == NVRTC_ERROR_COMPILATION);
    size_t bytes = 0;
    CHECK(nvrtcGetProgramLogSize(program, &bytes) == NVRTC_SUCCESS);
    std::vector<char> log(bytes + 1);
    CHECK(nvrtcGetProgramLog(program, log.data()) == NVRTC_SUCCESS);
    CHECK(strstr(log.data(), "wrong.cu:3") && strstr(log.data(), "missing"));
    CHECK(nvrtcGetPTXSize(program, &bytes) == NVRTC_ERROR_INVALID_PROGRAM);
    CHECK(!strcmp(nvrtcGetErrorString(NVRTC_ERROR_COMPILATION), "NVRTC_ERROR_COMPILATION"));
}

static CUdeviceptr mapped(size_t *bytes)
{
    CUmemAllocationProp properties = {};
    CUmemGenericAllocationHandle handle;
    CUmemAccessDesc access = {};
    CUdeviceptr pointer;
    properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    properties.location = access.location = { CU_MEM_LOCATION_TYPE_DEVICE, 0 };
    access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
    CHECK(cuMemGetAllocationGranularity(bytes, &properties, CU_MEM_ALLOC_GRANULARITY_MINIMUM) == CUDA_SUCCESS && *bytes >= 4096);
    CHECK(cuMemCreate(&handle, *bytes + 1, &properties, 0) == CUDA_ERROR_INVALID_VALUE);
    CHECK(cuMemCreate(&handle, *bytes, &properties, 0) == CUDA_SUCCESS);
    CHECK(cuMemAddressReserve(&pointer, *bytes, 0, 0, 0) == CUDA_SUCCESS && cuMemMap(pointer, *bytes, 0, handle, 0) == CUDA_SUCCESS);
    CHECK(cuMemMap(pointer + *bytes, *bytes, 0, handle, 0) == CUDA_ERROR_INVALID_VALUE); /* outside of the range */
    CHECK(cuMemRelease(handle) == CUDA_SUCCESS && cuMemSetAccess(pointer, *bytes, &access, 1) == CUDA_SUCCESS);
    return pointer;
}

/* Memory keeps its bytes wherever it is mapped, and what was at an address before is gone with the memory that was mapped there. */
static void moved_about()
{
    CUmemAllocationProp properties = {};
    CUmemGenericAllocationHandle one, two;
    CUdeviceptr range;
    size_t bytes;
    int value = 0;
    properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    properties.location = { CU_MEM_LOCATION_TYPE_DEVICE, 0 };
    CHECK(cuMemGetAllocationGranularity(&bytes, &properties, CU_MEM_ALLOC_GRANULARITY_MINIMUM) == CUDA_SUCCESS);
    CHECK(cuMemCreate(&one, bytes, &properties, 0) == CUDA_SUCCESS && cuMemCreate(&two, bytes, &properties, 0) == CUDA_SUCCESS);
    CHECK(cuMemAddressReserve(&range, 2 * bytes, 0, 0, 0) == CUDA_SUCCESS && cuMemMap(range, bytes, 0, one, 0) == CUDA_SUCCESS);
    CHECK(cuMemMap(range, bytes, 0, two, 0) == CUDA_ERROR_INVALID_VALUE && cuMemMap(range + bytes, bytes, 0, one, 0) == CUDA_ERROR_NOT_SUPPORTED);
    CHECK(cuMemMap(range + 2 * bytes, bytes, 0, two, 0) == CUDA_ERROR_INVALID_VALUE && cuMemAddressFree(range, 2 * bytes) == CUDA_ERROR_INVALID_VALUE);
    CHECK(cuMemsetD32(range + 64, 11, 1) == CUDA_SUCCESS && cuMemUnmap(range, bytes) == CUDA_SUCCESS && cuMemUnmap(range, bytes) == CUDA_ERROR_INVALID_VALUE);
    CHECK(cuMemMap(range, bytes, 0, two, 0) == CUDA_SUCCESS && cuMemcpyDtoH(&value, range + 64, 4) == CUDA_SUCCESS && value != 11);
    CHECK(cuMemsetD32(range + 64, 22, 1) == CUDA_SUCCESS && cuMemMap(range + bytes, bytes, 0, one, 0) == CUDA_SUCCESS);
    CHECK(cuMemcpyDtoH(&value, range + bytes + 64, 4) == CUDA_SUCCESS && value == 11);
    CHECK(cuMemUnmap(range, 2 * bytes) == CUDA_SUCCESS && cuMemMap(range + bytes, bytes, 0, two, 0) == CUDA_SUCCESS);
    CHECK(cuMemcpyDtoH(&value, range + bytes + 64, 4) == CUDA_SUCCESS && value == 22);
    CHECK(cuMemRelease(one) == CUDA_SUCCESS && cuMemRelease(two) == CUDA_SUCCESS && cuMemUnmap(range + bytes, bytes) == CUDA_SUCCESS);
    CHECK(cuMemAddressFree(range, 2 * bytes) == CUDA_SUCCESS);
}

/* Four by two numbers in an array, looked at from a texture that begins again at its end. */
static void looked_at(CUmodule module, CUdeviceptr data)
{
    const float numbers[8] = { 0, 0, 0, 0, 10, 20, 30, 40 };
    CUDA_ARRAY_DESCRIPTOR shape = { 4, 2, CU_AD_FORMAT_FLOAT, 1 };
    CUDA_MEMCPY2D copy = {};
    CUDA_RESOURCE_DESC resource = {};
    CUDA_TEXTURE_DESC how = {};
    CUarray array;
    CUtexObject texture;
    CUfunction function;
    CHECK(cuArrayCreate(&array, &shape) == CUDA_SUCCESS);
    copy.srcMemoryType = CU_MEMORYTYPE_HOST;
    copy.srcHost = numbers;
    copy.srcPitch = copy.WidthInBytes = 16;
    copy.Height = 2;
    copy.dstMemoryType = CU_MEMORYTYPE_ARRAY;
    copy.dstArray = array;
    CHECK(cuMemcpy2D(&copy) == CUDA_SUCCESS);
    resource.resType = CU_RESOURCE_TYPE_ARRAY;
    resource.res.array.hArray = array;
    for (CUaddress_mode &mode : how.addressMode)
        mode = CU_TR_ADDRESS_MODE_WRAP;
    how.filterMode = CU_TR_FILTER_MODE_POINT;
    how.flags = CU_TRSF_NORMALIZED_COORDINATES;
    CHECK(cuTexObjectCreate(&texture, &resource, &how, nullptr) == CUDA_SUCCESS);
    void *arguments[] = { &data, &texture };
    CHECK(cuModuleGetFunction(&function, module, "looks") == CUDA_SUCCESS);
    CHECK(cuLaunchKernel(function, 1, 1, 1, 8, 1, 1, 0, 0, arguments, nullptr) == CUDA_SUCCESS);
    float got[8];
    CHECK(cuMemcpyDtoH(got, data, sizeof got) == CUDA_SUCCESS);
    for (int i = 0; i < 8; i++)
        CHECK(got[i] == 10 * (i % 4 + 1));
    CHECK(cuTexObjectDestroy(texture) == CUDA_SUCCESS && cuArrayDestroy(array) == CUDA_SUCCESS);
    int grid = 0, block = 0;
    CHECK(cuOccupancyMaxPotentialBlockSize(&grid, &block, function, nullptr, 0, 96) == CUDA_SUCCESS && block % 32 == 0 && block <= 96 && grid > 0);
    cudaIpcMemHandle_t handle; /* refused by name */
    CHECK(cudaIpcGetMemHandle(&handle, (void *)data) == cudaErrorNotSupported);
}

int main()
{
    CUcontext context;
    CUfunction function;
    CUdeviceptr counter;
    CUctxCreateParams parameters = {};
    std::vector<std::string> names;
    size_t bytes, size;
    CHECK(cuInit(0) == CUDA_SUCCESS && cuCtxCreate(&context, &parameters, 0, 0) == CUDA_SUCCESS);
    int ranges = 0;
    CHECK(cuDeviceGetAttribute(&ranges, CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED, 0) == CUDA_SUCCESS && ranges == 1);
    CUmodule module = compiled(&names, { "parts::scale<float, 3>", "parts::scale<int, -1>", "&parts::counter" });
    CUdeviceptr data = mapped(&bytes);
    int n = 100, first = 40, got[100];
    void *plain[] = { &data, &first }, *scaled[] = { &data, &n };
    CHECK(cuModuleGetFunction(&function, module, "plain") == CUDA_SUCCESS);
    CHECK(cuLaunchKernel(function, 1, 1, 1, 100, 1, 1, 0, 0, plain, nullptr) == CUDA_SUCCESS);
    CHECK(cuModuleGetFunction(&function, module, names[1].c_str()) == CUDA_SUCCESS);
    CHECK(cuLaunchKernel(function, 4, 1, 1, 32, 1, 1, 0, 0, scaled, nullptr) == CUDA_SUCCESS);
    CHECK(cuMemcpyDtoH(got, data, sizeof got) == CUDA_SUCCESS);
    for (int i = 0; i < 100; i++)
        CHECK(got[i] == (40 + 2 * i) * -2 + 5);
    CHECK(cuMemsetD32(data, 0x40000000, 3) == CUDA_SUCCESS); /* 2.0f */
    CHECK(cuModuleGetFunction(&function, module, names[0].c_str()) == CUDA_SUCCESS);
    CHECK(cuLaunchKernel(function, 4, 1, 1, 32, 1, 1, 0, 0, scaled, nullptr) == CUDA_SUCCESS);
    float value;
    CHECK(cuMemcpyDtoH(&value, data + 8, sizeof value) == CUDA_SUCCESS && value == 17);
    CHECK(cuModuleGetGlobal(&counter, &size, module, names[2].c_str()) == CUDA_SUCCESS && size == 4);
    CHECK(cuMemcpyDtoH(got, counter, 4) == CUDA_SUCCESS && got[0] == 7);
    CHECK(cuModuleGetGlobal(&counter, &size, module, "hidden") == CUDA_SUCCESS && size == 16);
    CHECK(cuModuleGetGlobal(&counter, &size, module, "nothing") == CUDA_ERROR_NOT_FOUND);
    int threads = 0;
    CHECK(cuFuncGetAttribute(&threads, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, function) == CUDA_SUCCESS && threads >= 512);
    looked_at(module, data);
    CHECK(cuMemUnmap(data, bytes) == CUDA_SUCCESS && cuMemAddressFree(data, bytes) == CUDA_SUCCESS);
    moved_about();
    faults();
    return done();
}
