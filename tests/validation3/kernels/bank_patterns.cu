#include "cudamin.h"
extern "C" __global__ void bank_patterns(const int *in, int *out)
{
    __shared__ int s[1088];
    __shared__ double d[64];
    __shared__ unsigned char b[256];
    int t = threadIdx.x, g = GLOBAL_ID, v = 0;
    for (int k = 0; k < 8; k++)
        s[t + k * 128] = in[(g + k * 17) & 1023];
    if (t < 64)
        d[t] = t * 0.5;
    b[t] = t;
    b[t + 128] = v;
    __syncthreads();
    for (int st = 1; st <= 64; st <<= 1)
        v += s[(t * st) & 1023];
    v += s[(t * 33) & 1023];
    v += s[7];
    v += s[(t & 3) * 32];
    v += (int)d[(t * 2) & 63] + (int)d[t & 31];
    v += b[t * 3 & 255] + b[t];
    __syncthreads();
    s[(t * 17) & 1023] = v;
    b[(t * 5) & 127] = v;
    d[t >> 1] = v;
    __syncthreads();
    out[g] = s[t] + b[t] + (int)d[t & 63];
}
