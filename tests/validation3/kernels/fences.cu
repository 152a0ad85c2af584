#include "cudamin.h"
// fences with loads and stores before them, in a loop that half of the rounds leave without one
extern "C" __global__ void fences(const int *in, int *out)
{
    int i = GLOBAL_ID, v = in[i], sum = 0;
    out[i] = v;
    __nvvm_membar_gl();
    int w = out[i ^ 1];
    __nvvm_membar_cta();
    out[4096 + i] = w + in[v & 4095];
    __nvvm_membar_gl();
    for (int k = 0; k < 4; k++) {
        sum += in[(i + k * 32) & 4095];
        if (k & 1)
            __nvvm_membar_gl();
    }
    out[i] = sum;
}
