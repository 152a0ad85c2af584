#include "cudamin.h"
extern "C" __global__ void tri_rows(const float *m, const float *x, float *y, int n)
{
    int r = GLOBAL_ID;
    if (r >= n)
        return;
    float s = 0;
    const float *p = m + r * (r + 1) / 2;
    for (int c = 0; c <= r; c++)
        s += p[c] * x[c];
    y[r] = s;
}
