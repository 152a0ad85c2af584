#include "cudamin.h"
extern "C" __global__ void halves(const int *in, int *out, int n)
{
    int i = GLOBAL_ID, l = i & 31, s = in[i];
    for (int k = 0; k < n; k++) {
        int at = ((i >> 5) * 32 + k * 1024) & 16383;
        if (l & 16)
            out[at + l] = s;
        if (l < 8)
            out[(at + 4096 + l * 2) & 16383] = s;
        if (l >= 24)
            s += in[(at + l * 4) & 16383];
        if (l & 8)
            s ^= in[(at + 8192 + (l & 7)) & 16383];
        if ((l & 17) == 1)
            ((short *)out)[at * 2 + l * 2] = (short)s;
        s += out[at + (l ^ 16)];
    }
    out[i] = s;
}
