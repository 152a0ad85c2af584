#include "cudamin.h"
struct rec { double d; int a; short b; char c[2]; };
__constant__ rec recs[256] = { { 1.5, 2, 3, { 4, 5 } }, { 2.5, 3, 4, { 5, 6 } } };
__constant__ float vals[2048] = { 1, 2, 3 };
extern "C" __global__ void const_kinds(const int *in, float *out, int n)
{
    int i = GLOBAL_ID, v = in[i];
    double s = 0;
    for (int k = 0; k < n; k++) {
        const rec *r = recs + ((v + (k & 1 ? threadIdx.x >> 3 : 0)) & 255);
        s += r->d * r->a + r->b;
        if (v & 4)
            s += r->c[k & 1];
        s += vals[(k * 61 + (threadIdx.x & 1) * 512) & 2047] + vals[(blockIdx.x * 16 + k) & 2047];
        v = v * 3 + 1;
    }
    out[i] = (float)s;
}
