#include "cudamin.h"
extern "C" __global__ void int_zoo(const int *in, int *out, int n)
{
    int i = GLOBAL_ID, v = in[i], s = 1;
    unsigned u = v | 1;
    for (int k = 0; k < n; k++) {
        int d = in[(i + k * 61) & 2047] | 1;
        s += (v / d) - (v % d);
        u = u / ((unsigned)d & 63u | 1u) + u % 7u;
        if (s & 2)
            v = v * d + (short)s / 3;
        else
            v ^= (int)(((unsigned long long)u * 0x9e3779b9u) >> 32);
        s += __nvvm_mulhi_i(v, d);
    }
    out[i] = s + u;
}
