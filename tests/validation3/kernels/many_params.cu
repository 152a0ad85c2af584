#include "cudamin.h"
extern "C" __global__ void many_params(const int *a, const int *b, const int *c, const int *d, int *e, int *f, int x0, int x1,
                                       int x2, int x3, int x4, int x5, int x6, int x7, float y0, float y1, float y2, float y3,
                                       int n)
{
    int i = GLOBAL_ID;
    if (i >= n)
        return;
    int s = a[i] * x0 + b[i] * x1;
    if (s & 1)
        s += c[i] * x2 - x3;
    else
        s += d[i] * x4 - x5;
    float t = s * y0 + y1;
    if (t > y2)
        t *= y3;
    e[i] = s + x6;
    f[i] = (int)t + x7;
}
