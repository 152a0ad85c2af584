#include "cudamin.h"
struct f3 {
    float x, y, z;
};
struct s5 {
    int a, b, c, d, e;
};
extern "C" __global__ void vec3_loads(const f3 *v, const s5 *s, f3 *o, int n)
{
    int i = GLOBAL_ID;
    if (i >= n)
        return;
    f3 p = v[i], q = v[(i * 7 + 3) % n], r;
    s5 t = s[(i * 5) % n];
    r.x = p.y * q.z - p.z * q.y;
    r.y = p.z * q.x - p.x * q.z;
    r.z = p.x * q.y - p.y * q.x;
    float f = (float)(t.a + t.c - t.e);
    r.x += f;
    if (t.b & 1)
        r.y *= f;
    o[i] = r;
}
