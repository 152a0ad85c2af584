// Errors that a program sees and can go on after.
#include "check.h"
#include <string>
__global__ void nothing(int *p) { if (p) *p = 1; }
__global__ void __launch_bounds__(128) bounded(int *p) { if (p) *p = 1; }
__global__ void with_shared(int *p)
{
    __shared__ int values[32];
    values[threadIdx.x] = (int)threadIdx.x;
    __syncthreads();
    if (p)
        *p = values[31 - threadIdx.x];
}
#define FAILS(call, code)                                     \
    do {                                                      \
        CHECK((call) == code);                                \
        CHECK(cudaPeekAtLastError() == code);                 \
        CHECK(cudaGetLastError() == code);                    \
        CHECK(cudaGetLastError() == cudaSuccess);             \
    } while (0)
#define LAUNCH_FAILS(launch, code)                            \
    do {                                                      \
        launch;                                               \
        CHECK(cudaGetLastError() == code);                    \
        CHECK(cudaDeviceSynchronize() == cudaSuccess);        \
    } while (0)
int main()
{
    void *p = nullptr;
    int host = 0;
    FAILS(cudaMalloc(&p, (size_t)1 << 50), cudaErrorMemoryAllocation);
    FAILS(cudaSetDevice(99), cudaErrorInvalidDevice);
    FAILS(cudaMemcpy(&host, (void *)0x1234, 4, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
    int *d = on_device<int>(nullptr, 4);
    FAILS(cudaMemcpy(d, &host, 17, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
    FAILS(cudaFree((char *)d + 4), cudaErrorInvalidValue);
    LAUNCH_FAILS((nothing<<<1, 2048>>>(d)), cudaErrorInvalidConfiguration);
    LAUNCH_FAILS((nothing<<<0, 32>>>(d)), cudaErrorInvalidConfiguration);
    LAUNCH_FAILS((nothing<<<1, dim3(1, 1, 65)>>>(d)), cudaErrorInvalidConfiguration);
    LAUNCH_FAILS((nothing<<<1, 32, 10 << 20>>>(d)), cudaErrorInvalidValue);
    nothing<<<1, 1>>>(d);
    LAUNCHED();
    to_host(&host, d, 1);
    CHECK(host == 1);
    CHECK(std::string(cudaGetErrorName(cudaErrorInvalidValue)) == "cudaErrorInvalidValue");
    CHECK(std::string(cudaGetErrorString(cudaErrorMemoryAllocation)) == "out of memory");
    CHECK(std::string(cudaGetErrorString(cudaErrorIllegalAddress)) == "an illegal memory access was encountered");
    CHECK(std::string(cudaGetErrorName(cudaSuccess)) == "cudaSuccess");
    // sizes that do not fit a register of the host's, or only once they have wrapped around
    void *rows;
    size_t pitch;
    FAILS(cudaMallocPitch(&rows, &pitch, (size_t)-1, 4), cudaErrorMemoryAllocation);
    FAILS(cudaMallocPitch(&rows, &pitch, 1024, (size_t)1 << 54), cudaErrorMemoryAllocation);
    cudaPitchedPtr box;
    FAILS(cudaMalloc3D(&box, make_cudaExtent(1024, (size_t)1 << 32, (size_t)1 << 32)), cudaErrorMemoryAllocation);
    int fit = -1;
    CALL(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&fit, nothing, 64, ((size_t)1 << 32) + 16));
    CHECK(fit == 0);
    LAUNCH_FAILS((with_shared<<<1, 32, (size_t)-64>>>(nullptr)), cudaErrorInvalidValue);
    char *both;
    CALL(cudaMallocManaged(&both, 4096));
    FAILS(cudaMemset(both + 96, 1, 4001), cudaErrorInvalidValue);
    CALL(cudaMemset(both + 96, 1, 4000));
    CHECK(both[95] == 0 && both[4095] == 1);
    return done();
}
