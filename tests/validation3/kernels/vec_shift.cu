#include "cudamin.h"
typedef int i4 __attribute__((ext_vector_type(4)));
typedef int i2 __attribute__((ext_vector_type(2)));
typedef short s4 __attribute__((ext_vector_type(4)));
typedef unsigned char u4 __attribute__((ext_vector_type(4)));
typedef double d2 __attribute__((ext_vector_type(2)));
extern "C" __global__ void vec_shift(const char *in, char *out, int n)
{
    int i = GLOBAL_ID, s = 0;
    for (int k = 0; k < n; k++) {
        i4 a = *(const i4 *)(in + (((i + k) * 16 + (i & 3) * 112) & 65520));
        i2 b = *(const i2 *)(in + ((i * 24 + k * 8) & 65528));
        s4 c = *(const s4 *)(in + ((i * 8 + (a.x & 3) * 1024) & 65528));
        u4 e = *(const u4 *)(in + ((i * 12 + k * 4) & 65532));
        d2 d = *(const d2 *)(in + ((i ^ k) * 48 & 65520));
        s += a.y + b.x * c.z + e.w + (d.x > d.y);
        *(i2 *)(out + (i * 40 + k * 8)) = (i2){ s, a.w };
        if (s & 1)
            *(u4 *)(out + (i * 40 + 32)) = e;
    }
}
