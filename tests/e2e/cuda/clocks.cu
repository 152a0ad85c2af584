// Clocks go forward; threads know their place; a division by zero gives all ones, as on a GPU.
#include "check.h"
__global__ void look(long long *out, int zero)
{
    long long begin = clock64();
    int v = threadIdx.x;
    for (int i = 0; i < 100; i++)
        v = v * 7 + i;
    long long end = clock64();
    if (threadIdx.x == 0) {
        out[0] = end - begin;
        out[1] = v;
        out[2] = (long long)((unsigned)threadIdx.x + 5u) / (unsigned long long)1;
        out[3] = 17 / zero;
        out[4] = (long long)(17u / (unsigned)zero);
    }
}
__global__ void places(int *out)
{
    int lane, warp = threadIdx.x / 32;
    asm("mov.u32 %0, %%laneid;" : "=r"(lane));
    out[threadIdx.x] = lane + 100 * warp + 1000 * (int)(gridDim.x + blockDim.x);
}
int main()
{
    long long h[5], *d = on_device<long long>(nullptr, 5);
    look<<<1, 32>>>(d, 0);
    LAUNCHED();
    to_host(h, d, 5);
    CHECK(h[0] > 0 && h[0] < 1000000 && h[2] == 5);
    CHECK(h[3] == -1 && h[4] == 0xffffffffll);
    int p[96], *dp = on_device<int>(nullptr, 96);
    places<<<1, 96>>>(dp);
    LAUNCHED();
    to_host(p, dp, 96);
    for (int i = 0; i < 96; i++)
        CHECK(p[i] == i % 32 + 100 * (i / 32) + 97000);
    return done();
}
