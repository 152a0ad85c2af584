#include "cudamin.h"
extern "C" __global__ void merge_path(const int *x, const int *y, int *o, int n)
{
    int i = GLOBAL_ID, d = i * 4, lo = d > n ? d - n : 0, hi = d < n ? d : n;
    while (lo < hi) {
        int m = (lo + hi) / 2;
        if (x[m] <= y[d - 1 - m])
            lo = m + 1;
        else
            hi = m;
    }
    int p = lo, q = d - lo;
    for (int k = 0; k < 4 && d + k < 2 * n; k++) {
        bool t = q >= n || (p < n && x[p] <= y[q]);
        o[d + k] = t ? x[p++] : y[q++];
    }
}
