#include "cudamin.h"
extern "C" __global__ void pipeline_spin(volatile int *flag, volatile int *data, int n)
{
    int b = blockIdx.x, t = threadIdx.x;
    for (int k = 0; k < n; k++) {
        if (b) {
            if (t == 0)
                while (flag[(b - 1) * 32] <= k)
                    ;
            __syncthreads();
        }
        int v = b ? data[(b - 1) * 64 + t] : k;
        data[b * 64 + t] = v + t;
        __nvvm_membar_gl();
        __syncthreads();
        if (t == 0)
            flag[b * 32] = k + 1;
    }
}
