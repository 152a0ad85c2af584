#include "cudamin.h"
// fences that have nothing to wait for, while loads of other warps are under way: the L1 is emptied as they are issued
extern "C" __global__ void fence_at_once(const int *in, int *out)
{
    int i = GLOBAL_ID, sum = 0;
    for (int k = 0; k < 6; k++) {
        __syncthreads();
        __nvvm_membar_gl();
        sum += in[(i + k) & 4095];
        if (sum & 1)
            sum += in[(i * 8 + k) & 4095];
    }
    out[i & 4095] = sum;
}
