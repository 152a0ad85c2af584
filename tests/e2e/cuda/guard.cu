// Writing over the end of an array into the next one is seen when there is a gap between them.
// options: --set exec.guard=4KiB
// expect-exit: 1
// expect-stderr: 0 bytes after the end of the allocation of 256 bytes
#include "check.h"
__global__ void over(int *p) { p[threadIdx.x + 33] = 1; }
int main()
{
    int *a = on_device<int>(nullptr, 64), *b = on_device<int>(nullptr, 64);
    over<<<1, 32>>>(a);
    CHECK(cudaDeviceSynchronize() == cudaErrorIllegalAddress);
    (void)b;
    return 0;
}
