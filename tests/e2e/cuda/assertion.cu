// expect-exit: 1
// expect-stderr: failed
#include "check.h"
#include <cassert>
__global__ void insist(int n) { assert(n < 5); }
int main()
{
    insist<<<1, 32>>>(4);
    LAUNCHED();
    insist<<<1, 32>>>(9);
    CHECK(cudaDeviceSynchronize() == cudaErrorAssert);
    return done();
}
