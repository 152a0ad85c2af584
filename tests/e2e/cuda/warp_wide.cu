// Shuffles of every kind, width and type; votes; matches; masks.
#include "check.h"
__global__ void shuffles(int *out)
{
    const unsigned full = 0xffffffffu;
    int t = threadIdx.x;
    out[t] = __shfl_sync(full, t * 10, 5);
    out[32 + t] = __shfl_up_sync(full, t, 3);
    out[64 + t] = __shfl_down_sync(full, t, 4, 8);
    out[96 + t] = __shfl_xor_sync(full, t, 17);
    out[128 + t] = (int)(__shfl_sync(full, (long long)t << 33, 7) >> 33);
    out[160 + t] = (int)__shfl_down_sync(full, (double)t * 0.5, 2);
    out[192 + t] = (int)__shfl_xor_sync(full, (float)t, 1);
    out[224 + t] = (int)(__shfl_up_sync(full, (unsigned long long)t << 40, 1) >> 40);
}
__global__ void votes(unsigned *out)
{
    int t = threadIdx.x;
    unsigned even = __ballot_sync(0xffffffffu, t % 2 == 0);
    if (t == 0) {
        out[0] = even;
    }
    out[1 + t] = __match_any_sync(0xffffffffu, t / 5);
    int same;
    unsigned all = __match_all_sync(0xffffffffu, 7, &same);
    if (t == 0) {
        out[40] = all;
        out[41] = same;
        out[42] = __any_sync(1u, 1);
    }
    if (t >= 8) {
        unsigned active = __activemask(), some = __any_sync(0xffffff00u, t == 9), every = __all_sync(0xffffff00u, t > 7);
        if (t == 8) {
            out[43] = active;
            out[44] = some;
            out[45] = every;
        }
    }
}
int main()
{
    int *d = on_device<int>(nullptr, 256), h[256];
    shuffles<<<1, 32>>>(d);
    LAUNCHED();
    to_host(h, d, 256);
    for (int t = 0; t < 32; t++) {
        CHECK(h[t] == 50);
        CHECK(h[32 + t] == (t < 3 ? t : t - 3));
        CHECK(h[64 + t] == (t % 8 < 4 ? t + 4 : t));
        CHECK(h[96 + t] == (t ^ 17));
        CHECK(h[128 + t] == 7);
        CHECK(h[160 + t] == (int)((t < 30 ? t + 2 : t) * 0.5));
        CHECK(h[192 + t] == (t ^ 1));
        CHECK(h[224 + t] == (t < 1 ? t : t - 1));
    }
    unsigned *du = on_device<unsigned>(nullptr, 64), u[64];
    votes<<<1, 32>>>(du);
    LAUNCHED();
    to_host(u, du, 64);
    CHECK(u[0] == 0x55555555u);
    for (int t = 0; t < 32; t++) {
        unsigned wanted = 0;
        for (int o = 0; o < 32; o++)
            if (o / 5 == t / 5)
                wanted |= 1u << o;
        CHECK(u[1 + t] == wanted);
    }
    CHECK(u[40] == 0xffffffffu && u[41] == 1 && u[42] == 1 && u[43] == 0xffffff00u && u[44] == 1 && u[45] == 1);
    return done();
}
