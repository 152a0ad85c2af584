// Pools made by the program, places named as CUDA 13 does, and a load that says it is the last.
#include "check.h"
#include <cstdint>

__global__ void doubled(int *data) { data[threadIdx.x] = 2 * __ldlu(data + threadIdx.x); }

int main()
{
    cudaMemPoolProps props;
    std::memset(&props, 0, sizeof props);
    props.allocType = cudaMemAllocationTypePinned;
    props.location.type = cudaMemLocationTypeDevice;
    cudaMemPool_t pool, usual, now;
    CALL(cudaMemPoolCreate(&pool, &props));
    CALL(cudaDeviceGetDefaultMemPool(&usual, 0));
    CHECK(pool != usual);
    uint64_t threshold = 1 << 20, read = 0;
    CALL(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold));
    CALL(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &read));
    CHECK(read == threshold);
    cudaMemAccessDesc access = {};
    access.location = props.location;
    access.flags = cudaMemAccessFlagsProtReadWrite;
    CALL(cudaMemPoolSetAccess(pool, &access, 1));
    cudaMemAccessFlags flags;
    CALL(cudaMemPoolGetAccess(&flags, pool, &props.location));
    CHECK(flags == cudaMemAccessFlagsProtReadWrite);
    CALL(cudaDeviceSetMemPool(0, pool));
    CALL(cudaDeviceGetMemPool(&now, 0));
    CHECK(now == pool);

    cudaStream_t stream;
    CALL(cudaStreamCreate(&stream));
    int device = -1, host[64], *data, *more;
    CALL(cudaStreamGetDevice(stream, &device));
    CHECK(device == 0);
    CALL(cudaMallocFromPoolAsync(&data, sizeof host, pool, stream));
    CALL(cudaMallocAsync(&more, sizeof host, pool, stream));
    CHECK(data != more);
    for (int i = 0; i < 64; i++)
        host[i] = i;
    CALL(cudaMemcpyAsync(data, host, sizeof host, cudaMemcpyHostToDevice, stream));
    doubled<<<1, 64, 0, stream>>>(data);
    CALL(cudaMemcpyAsync(host, data, sizeof host, cudaMemcpyDeviceToHost, stream));
    CALL(cudaFreeAsync(data, stream));
    CALL(cudaFreeAsync(more, stream));
    CALL(cudaStreamSynchronize(stream));
    for (int i = 0; i < 64; i++)
        CHECK(host[i] == 2 * i);
    CALL(cudaMemPoolDestroy(pool));
    CALL(cudaDeviceGetMemPool(&now, 0));
    CHECK(now == usual);

    int *shared;
    CALL(cudaMallocManaged(&shared, sizeof host));
    cudaMemLocation there = { cudaMemLocationTypeDevice, 0 };
    CALL(cudaMemAdvise(shared, sizeof host, cudaMemAdviseSetPreferredLocation, there));
    CALL(cudaMemPrefetchAsync(shared, sizeof host, there, 0, stream));
    shared[5] = 21;
    doubled<<<1, 64, 0, stream>>>(shared);
    there.type = cudaMemLocationTypeHost;
    CALL(cudaMemPrefetchAsync(shared, sizeof host, there, 0, stream));
    CALL(cudaStreamSynchronize(stream));
    CHECK(shared[5] == 42);
    int handle; /* pools of other processes */
    cudaMemPoolPtrExportData exported;
    CHECK(cudaMemPoolExportToShareableHandle(&handle, nullptr, cudaMemHandleTypePosixFileDescriptor, 0) == cudaErrorNotSupported);
    CHECK(cudaMemPoolExportPointer(&exported, nullptr) == cudaErrorNotSupported);
    return done();
}
