#include "cudamin.h"
extern "C" __global__ void store_strides(int *out, int n)
{
    int i = GLOBAL_ID;
    for (int k = 1; k < n; k++) {
        out[(i * k) & 32767] = i;
        ((short *)out)[(i * (2 * k + 1)) & 32767] = (short)k;
        if (i & 16)
            ((long long *)out)[(i + k * 64) & 16383] = i;
        ((char *)out)[(i * 33 + k) & 65535] = (char)i;
    }
}
