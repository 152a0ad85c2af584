#include "cudamin.h"
extern "C" __global__ void rgb_gray(const unsigned char *rgb, unsigned char *g, short *grad, int w)
{
    int i = GLOBAL_ID;
    int v = (rgb[3 * i] * 77 + rgb[3 * i + 1] * 151 + rgb[3 * i + 2] * 28) >> 8;
    g[i] = v;
    __syncthreads();
    int l = threadIdx.x ? g[i - 1] : v;
    grad[i] = (short)(v - l);
    short a = grad[i];
    grad[i + w] = a * 3 + (short)rgb[i];
}
