// A kernel that waits for a word which the host would set after the launch: it is told what it waits for.
// options: --max-instructions 260000
// expect-stdout: launched
// expect-stderr: reads the host's word at 0x
#include "check.h"
__global__ void waits(volatile int *flag, int *out)
{
    while (*flag == 0)
        ;
    *out = 1;
}
int main()
{
    int *flag, *out = on_device<int>(nullptr, 1);
    CALL(cudaHostAlloc(&flag, sizeof *flag, cudaHostAllocMapped));
    *flag = 0;
    std::printf("launched\n");
    std::fflush(stdout);
    waits<<<1, 1>>>(flag, out);
    *flag = 1;
    return cudaDeviceSynchronize() != cudaSuccess;
}
