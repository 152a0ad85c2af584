#include "cudamin.h"
extern "C" __global__ void search_exit(const int *keys, const int *q, int *out, int n, int nq)
{
    int i = GLOBAL_ID;
    if (i >= nq)
        return;
    int x = q[i], lo = 0, hi = n;
    while (lo < hi) {
        int m = (lo + hi) >> 1;
        int v = keys[m];
        if (v == x) {
            out[i] = m;
            return;
        }
        if (v < x)
            lo = m + 1;
        else
            hi = m;
    }
    int h = x;
    for (int k = 0; k < 40; k++) {
        h = h * 31 + 7;
        if ((h & 31) == (x & 31))
            break;
        if (h == 5)
            continue;
        out[4000 + ((i * 7 + k) & 1023)] = h;
    }
    out[i] = -lo;
}
