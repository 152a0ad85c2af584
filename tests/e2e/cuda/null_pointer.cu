// expect-exit: 1
// expect-stderr: null pointer
#include "check.h"
__global__ void read(const int *p, int *out) { *out = *p; }
int main()
{
    int *d = on_device<int>(nullptr, 1);
    read<<<1, 1>>>(nullptr, d);
    CHECK(cudaDeviceSynchronize() == cudaErrorIllegalAddress);
    return done();
}
