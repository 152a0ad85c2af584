#include "cudamin.h"
extern "C" __global__ void camping(const int *in, int *out, int stride, int n)
{
    int i = GLOBAL_ID, s = 0;
    for (int k = 0; k < n; k++)
        s += in[((i + k * 37) * stride) & 262143];
    out[i] = s;
    out[(i * stride) & 16383] = s;
}
