// Launches and allocations that are refused, and a program that does not look: the summary tells.
// expect-stderr: (0,1,1), block (32,1,1), 0 bytes of dynamic shared memory: a dimension of the grid or the block is zero
#include "check.h"
__global__ void nothing() {}
int main()
{
    nothing<<<0, 32>>>();
    nothing<<<1, 2048>>>();
    void *p;
    cudaMalloc(&p, (size_t)1 << 60);
    cudaGetLastError();
    nothing<<<1, 32>>>();
    LAUNCHED();
    return done();
}
