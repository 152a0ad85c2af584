#include "cudamin.h"
struct __attribute__((aligned(8))) i2 {
    int x, y;
};
struct __attribute__((aligned(16))) i4 {
    int x, y, z, w;
};
struct __attribute__((aligned(16))) d2 {
    double x, y;
};
extern "C" __global__ void vec_strides(const i4 *a, const i2 *b, i4 *o, d2 *d)
{
    int i = GLOBAL_ID;
    i4 p = a[i];
    i2 q = b[(i * 3) & 2047];
    i4 r = a[(i * 5) & 1023];
    i4 s = { p.x + q.x, p.y ^ q.y, r.z - p.z, r.w + p.w };
    o[i] = s;
    o[1024 + (i ^ 1)] = r;
    d2 t = d[i];
    t.x += (double)s.x;
    t.y *= 2.0;
    d[i] = t;
    __syncthreads();
    i2 *o2 = (i2 *)o;
    i2 u = o2[(i ^ 33) & 2047];
    o2[4096 + i] = u;
}
