// nvcc: no (its linker refuses the program)
// expect-exit: 3
// expect-stdout: ok
// expect-stderr: function nowhere is called but no loaded module defines it
// A kernel that cannot be run is refused by itself: the program's other kernels go on.
#include "check.h"
extern "C" __device__ __attribute__((weak)) double nowhere(double x); // weak: warpline cc refuses others that nothing defines
__global__ void bad(float *out, double x) { out[0] = (float)nowhere(x); }
__global__ void good(float *out) { out[1] = 7; }
int main()
{
    float *out = on_device<float>(nullptr, 2), h[2];
    bad<<<1, 1>>>(out, 1.0);
    CHECK(cudaGetLastError() == cudaErrorNotSupported);
    good<<<1, 1>>>(out);
    LAUNCHED();
    to_host(h, out, 2);
    CHECK(h[0] == 0 && h[1] == 7);
    return done();
}
