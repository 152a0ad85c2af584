#include "cudamin.h"
extern "C" __global__ void same_sector(int *out, const int *in, int n)
{
    int i = GLOBAL_ID, v = in[i & 1023];
    for (int k = 0; k < n; k++) {
        ((char *)out)[(v * 4 + (i & 3)) & 4095] = (char)k;
        if (v & 1)
            ((short *)out)[(4096 + v + k) & 8191] = (short)i;
        v = (v * 17 + out[(v + k * 64) & 4095]) & 1023;
        out[(v & ~7) + (i & 7)] = v;
    }
}
