// expect-exit: 1
// expect-stderr: out of bounds
// A kernel writes behind its array: the context is lost until it is reset, as on a GPU.
#include "check.h"
__global__ void wild(int *p) { p[threadIdx.x * 1000000] = 1; }
__global__ void tame(int *p) { *p = 7; }
int main()
{
    int *d = on_device<int>(nullptr, 4), h = 0;
    wild<<<1, 2>>>(d);
    CHECK(cudaDeviceSynchronize() == cudaErrorIllegalAddress);
    CHECK(cudaMemcpy(&h, d, 4, cudaMemcpyDeviceToHost) == cudaErrorIllegalAddress);
    CHECK(cudaGetLastError() == cudaErrorIllegalAddress && cudaGetLastError() == cudaErrorIllegalAddress);
    CALL(cudaDeviceReset());
    d = on_device<int>(nullptr, 4);
    tame<<<1, 1>>>(d);
    LAUNCHED();
    to_host(&h, d, 1);
    CHECK(h == 7);
    return done();
}
