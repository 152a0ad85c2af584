// A shuffle from a lane that does not take part gives zero, and not what that lane's register held before; a vote counts the lanes that
// are named and here, also where lanes name different ones.
#include "check.h"
__global__ void half_of_a_warp(int *out)
{
    int value = 100 + threadIdx.x;
    if (threadIdx.x < 16) {
        out[threadIdx.x] = __shfl_down_sync(0xffffu, value, 8);
        value = __shfl_sync(0xffffu, value, 20);
        out[32 + threadIdx.x] = value;
    }
}
// 48 threads: the second warp has sixteen lanes, and a usual reduction asks the others too.
__global__ void sums(int *out)
{
    int value = 1;
    for (int step = 16; step; step >>= 1)
        value += __shfl_down_sync(0xffffffffu, value, step);
    if (threadIdx.x % 32 == 0)
        out[threadIdx.x / 32] = value;
}
// Each lane names those before it, and so not itself: undefined by the book, and met in public programs.
__global__ void those_before(unsigned *out, const int *in)
{
    out[threadIdx.x] = __ballot_sync((1u << threadIdx.x) - 1, in[threadIdx.x] > 0);
}
int main()
{
    int out[64];
    int *d = on_device<int>(nullptr, 64);
    half_of_a_warp<<<1, 32>>>(d);
    LAUNCHED();
    to_host(out, d, 64);
    for (int i = 0; i < 16; i++) {
        CHECK(out[i] == (i < 8 ? 108 + i : 0));
        CHECK(out[32 + i] == 0);
    }
    sums<<<1, 48>>>(d);
    LAUNCHED();
    to_host(out, d, 64);
    CHECK(out[0] == 32 && out[1] == 16);
    int in[32];
    unsigned bits = 0, *votes = on_device<unsigned>(nullptr, 32), before[32];
    for (int i = 0; i < 32; i++)
        in[i] = i % 3 - 1;
    those_before<<<1, 32>>>(votes, on_device(in, 32));
    LAUNCHED();
    to_host(before, votes, 32);
    for (int i = 0; i < 32; i++) {
        CHECK(before[i] == bits);
        bits |= (unsigned)(in[i] > 0) << i;
    }
    return done();
}
