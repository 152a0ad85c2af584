#include "cudamin.h"
__device__ __forceinline__ float sn(float x) { float r; asm("sin.approx.f32 %0, %1;" : "=f"(r) : "f"(x)); return r; }
__device__ __forceinline__ float cs(float x) { float r; asm("cos.approx.f32 %0, %1;" : "=f"(r) : "f"(x)); return r; }
extern "C" __global__ void fft_lines(float *re, float *im, int n)
{
    __shared__ float a[256], b[256];
    int t = threadIdx.x, base = blockIdx.x * 256;
    for (int k = t; k < 256; k += 128)
        a[k] = re[base + k], b[k] = im[base + k];
    for (int h = 1; h < 256; h *= 2) {
        __syncthreads();
        int lo = (t / h) * 2 * h + t % h, hi = lo + h;
        float w = -3.14159265f * (t % h) / h, c = cs(w), s = sn(w);
        float x = a[hi] * c - b[hi] * s, y = a[hi] * s + b[hi] * c;
        a[hi] = a[lo] - x, b[hi] = b[lo] - y;
        a[lo] += x, b[lo] += y;
    }
    __syncthreads();
    for (int k = t; k < 256; k += 128)
        re[base + k] = a[k], im[base + k] = b[k];
}
