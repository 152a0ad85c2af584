// An index of shared memory that wraps at 32 bits: the pointer's 64 bits carry on, and the address that is used has 32 (as merge paths index from the end).
#include "check.h"

__global__ void from_the_end(unsigned *p, unsigned n)
{
    __shared__ unsigned room[64];
    const unsigned i = threadIdx.x;
    room[i] = p[i];
    __syncthreads();
    unsigned *const end = room + n;
    const unsigned got = end[~i]; // end - 1 - i
    __syncthreads();
    end[~i] = got + 100;
    __syncthreads();
    p[i] = got + room[i];
}

int main()
{
    unsigned h[64];
    for (unsigned i = 0; i < 64; i++)
        h[i] = i;
    unsigned *d = on_device(h, 64);
    from_the_end<<<1, 64>>>(d, 64);
    LAUNCHED();
    to_host(h, d, 64);
    for (unsigned i = 0; i < 64; i++)
        CHECK(h[i] == 63 - i + i + 100); // both ends of one step back
    return done();
}
