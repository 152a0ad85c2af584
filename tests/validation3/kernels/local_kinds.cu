#include "cudamin.h"
extern "C" __global__ void local_kinds(const int *in, double *out, int n)
{
    int i = GLOBAL_ID, v = in[i];
    double d[6];
    unsigned char b[16];
    short h[8];
    struct __attribute__((aligned(16))) q4 {
        float x, y, z, w;
    } q[3];
    for (int k = 0; k < 6; k++)
        d[k] = v + k;
    for (int k = 0; k < 16; k++)
        b[k] = v >> k;
    for (int k = 0; k < 8; k++)
        h[k] = v * k;
    for (int k = 0; k < 3; k++) {
        q[k].x = v;
        q[k].y = k;
        q[k].z = v + k;
        q[k].w = 1;
    }
    double s = 0;
    for (int k = 0; k < n; k++) {
        int w = (v >> k) & 15;
        s += d[w % 6] * b[w];
        d[(w + 1) % 6] = s;
        b[(w + 3) & 15] = k;
        h[w & 7] += b[w];
        q4 z = q[w % 3];
        z.x += h[(w + 1) & 7];
        q[(w + 1) % 3] = z;
        s += z.y;
    }
    out[i] = s + h[v & 7] + q[v % 3].x;
}
