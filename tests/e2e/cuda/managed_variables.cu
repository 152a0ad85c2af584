// Variables that host and device share by name.
#include "check.h"
__managed__ int total = 5;
__managed__ float values[8] = { 1, 2, 3, 4, 5, 6, 7, 8 };
__global__ void add(int n)
{
    atomicAdd(&total, n);
    if (threadIdx.x < 8)
        values[threadIdx.x] *= 2;
}
int main()
{
    total += 10;
    values[3] = 40;
    add<<<1, 32>>>(3);
    LAUNCHED();
    CHECK(total == 5 + 10 + 96 && values[0] == 2 && values[3] == 80);
    total = 0;
    add<<<2, 32>>>(1);
    LAUNCHED();
    CHECK(total == 64);
    return done();
}
