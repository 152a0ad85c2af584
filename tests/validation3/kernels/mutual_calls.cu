#include "cudamin.h"
__device__ __noinline__ long long even(int a, int b, int n, const int *in);
__device__ __noinline__ long long odd(int a, int b, int n, const int *in)
{
    if (n > 0) {
        b += in[(a + n) & 1023];
        long long p = even(a, b, n - (b & 1 ? 2 : 1), in);
        a = (int)p + (b & 3);
        b = (int)(p >> 32);
    }
    return ((long long)b << 32) | (unsigned)a;
}
__device__ __noinline__ long long even(int a, int b, int n, const int *in)
{
    if (n > 0) {
        a ^= in[(b * 3) & 1023];
        if (a & 4) {
            long long p = odd(a, b, n - 1, in);
            a = (int)p;
            b ^= (int)(p >> 32);
        }
    }
    return ((long long)b << 32) | (unsigned)a;
}
extern "C" __global__ void mutual_calls(const int *in, int *out, int n)
{
    int i = GLOBAL_ID;
    long long p = even(in[i & 1023], i, n, in);
    if (p & 1)
        p += odd((int)p, i, 2, in);
    out[i] = (int)p + (int)(p >> 32);
}
