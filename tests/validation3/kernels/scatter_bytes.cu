#include "cudamin.h"
extern "C" __global__ void scatter_bytes(const unsigned *in, unsigned char *out, int n)
{
    int i = GLOBAL_ID;
    unsigned v = in[i];
    for (int k = 0; k < n; k++) {
        v = v * 1664525u + 1013904223u;
        out[(v >> 8) & 0x1FFFFF] = v >> 24;
        if (k & 1)
            ((unsigned short *)out)[(v >> 10) & 0xFFFFF] += 3;
    }
}
