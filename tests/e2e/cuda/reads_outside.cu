// Reads outside any allocation, where a program is known to do so: zeros and a warning.
// options: --set exec.out_of_bounds=warn
// expect-stderr: warning: 
#include "check.h"
__global__ void beyond(const int *p, int *out)
{
    out[threadIdx.x] = p[threadIdx.x] + 1;
    out[threadIdx.x + (1 << 20)] = 5;
}
int main()
{
    int h[32];
    for (int i = 0; i < 32; i++)
        h[i] = i;
    int *out = on_device<int>(nullptr, 64), *p = on_device<int>(h, 16);
    beyond<<<1, 32>>>(p, out);
    LAUNCHED();
    to_host(h, out, 32);
    for (int i = 0; i < 32; i++)
        CHECK(h[i] == (i < 16 ? i + 1 : 1));
    return done();
}
