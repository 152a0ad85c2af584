#include "cudamin.h"
struct __attribute__((aligned(4))) c4 {
    unsigned char x, y, z, w;
};
struct __attribute__((aligned(4))) s2 {
    short x, y;
};
extern "C" __global__ void char4_blend(const c4 *a, const c4 *b, c4 *o, s2 *s, int n)
{
    int i = GLOBAL_ID;
    if (i >= n)
        return;
    c4 p = a[i], q = b[(i * 3) % n], r;
    r.x = (p.x + q.x) >> 1;
    r.y = (p.y * q.y) >> 8;
    r.z = p.z > q.z ? p.z : q.z;
    r.w = 255;
    o[i] = r;
    s2 u = s[i ^ 1];
    u.x += r.x;
    u.y -= r.y;
    s[i] = u;
}
