// What a program can ask: properties, attributes, occupancy, limits, versions.
#include "check.h"
__global__ void __launch_bounds__(256) modest(float *p)
{
    __shared__ float s[512];
    s[threadIdx.x] = p[threadIdx.x];
    __syncthreads();
    p[threadIdx.x] = s[blockDim.x - 1 - threadIdx.x];
}
extern __shared__ int dynamic[];
__global__ void sized(int *out, int n)
{
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        dynamic[i] = i * 3;
    __syncthreads();
    if (threadIdx.x == 0)
        for (int i = 0; i < n; i++)
            *out += dynamic[i];
}
int main()
{
    int count, device, value, version;
    CALL(cudaGetDeviceCount(&count));
    CALL(cudaGetDevice(&device));
    CHECK(count >= 1 && device == 0);
    cudaDeviceProp p;
    CALL(cudaGetDeviceProperties(&p, 0));
    CHECK(p.multiProcessorCount > 0 && p.warpSize == 32 && p.maxThreadsPerBlock >= 512 && p.totalGlobalMem > (1 << 20));
    CHECK(p.major >= 2 && p.maxThreadsDim[2] == 64 && p.maxGridSize[1] == 65535 && p.l2CacheSize >= 0);
    CALL(cudaDeviceGetAttribute(&value, cudaDevAttrMultiProcessorCount, 0));
    CHECK(value == p.multiProcessorCount);
    CALL(cudaDeviceGetAttribute(&value, cudaDevAttrMaxSharedMemoryPerBlock, 0));
    CHECK((size_t)value == p.sharedMemPerBlock);
    cudaFuncAttributes a;
    CALL(cudaFuncGetAttributes(&a, modest));
    CHECK(a.sharedSizeBytes == 2048 && a.numRegs > 0 && a.maxThreadsPerBlock >= 256);
    int blocks = 0, grid = 0, block = 0;
    CALL(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, modest, 256, 0));
    CHECK(blocks >= 1 && blocks * 256 <= p.maxThreadsPerMultiProcessor);
    CALL(cudaOccupancyMaxPotentialBlockSize(&grid, &block, sized, 0, 0));
    CHECK(grid >= p.multiProcessorCount && block >= 32 && block % 32 == 0);
    CALL(cudaFuncSetCacheConfig(modest, cudaFuncCachePreferL1));
    CALL(cudaFuncSetAttribute(sized, cudaFuncAttributeMaxDynamicSharedMemorySize, 16384));
    int *out = on_device<int>(nullptr, 1), got;
    sized<<<1, 64, 16384>>>(out, 4096);
    LAUNCHED();
    to_host(&got, out, 1);
    CHECK(got == 3 * 4095 * 4096 / 2);
    CALL(cudaRuntimeGetVersion(&version));
    CHECK(version >= 11000);
    size_t limit;
    CALL(cudaDeviceGetLimit(&limit, cudaLimitMallocHeapSize));
    CHECK(limit == 8u << 20); // as on a GPU
    CALL(cudaDeviceReset());
    float *f = on_device<float>(nullptr, 256);
    modest<<<1, 256>>>(f);
    LAUNCHED();
    return done();
}
