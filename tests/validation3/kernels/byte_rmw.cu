#include "cudamin.h"
extern "C" __global__ void byte_rmw(unsigned char *b, unsigned short *h, int *o, int n)
{
    int i = GLOBAL_ID;
    b[i * 5 % n] = i;
    h[i * 3 % n] = i;
    __syncthreads();
    int s = b[(i * 7) % n] + h[(i * 11) % n];
    b[n + i] = s;
    o[i] = s;
    o[2048 + (i >> 2)] = b[(i * 13) % n];
}
