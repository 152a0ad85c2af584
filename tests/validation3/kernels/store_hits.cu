#include "cudamin.h"
extern "C" __global__ void store_hits(int *a, int *out, int n)
{
    int i = GLOBAL_ID;
    int *p = a + (i >> 5) * 256 + (i & 31);
    for (int k = 0; k < n; k++) {
        int s = 0;
        for (int j = 0; j < 8; j++)
            s += p[j * 32];
        p[(k & 7) * 32] = s;
        s += p[((k + 1) & 7) * 32];
        p[((k + 3) & 7) * 32] ^= s;
    }
    int v = 0;
    for (int j = 0; j < 8; j++)
        v += p[j * 32];
    out[i] = v;
}
