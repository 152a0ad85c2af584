#include "cudamin.h"
extern "C" __global__ void wide_locals(const int *in, int *out, int n)
{
    typedef int i4 __attribute__((ext_vector_type(4)));
    i4 a[6];
    double d[5];
    int i = GLOBAL_ID, v = in[i & 1023];
    for (int k = 0; k < 6; k++)
        a[k] = (i4){ k, v, i, v + k };
    for (int k = 0; k < 5; k++)
        d[k] = v + k;
    for (int k = 0; k < n; k++) {
        int x = (unsigned)v % 6u, y = (unsigned)(v >> 3) % 5u;
        i4 q = a[x];
        a[(x + k) % 6].z = q.y + q.w;
        d[y] = d[y] * 0.5 + q.x;
        v = (v + q.z * 3 + (int)(float)d[(y + 1) % 5]) & 0xffff;
    }
    out[i] = v;
}
