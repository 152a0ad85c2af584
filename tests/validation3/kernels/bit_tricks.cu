#include "cudamin.h"
extern "C" __global__ void bit_tricks(const unsigned *in, unsigned *out)
{
    int i = GLOBAL_ID;
    unsigned v = in[i], w = in[(i + 7) & 1023], r = 0, t;
    unsigned long long q = ((unsigned long long)v << 20) ^ w, u;
    asm("popc.b32 %0, %1;" : "=r"(t) : "r"(v));
    r += t;
    asm("clz.b32 %0, %1;" : "=r"(t) : "r"(w));
    r += t;
    asm("brev.b32 %0, %1;" : "=r"(t) : "r"(v));
    r ^= t;
    asm("bfe.u32 %0, %1, 5, 11;" : "=r"(t) : "r"(v));
    r += t;
    asm("bfi.b32 %0, %1, %2, 3, 9;" : "=r"(t) : "r"(v), "r"(w));
    r ^= t;
    q = q * (w | 1) + (q >> 7);
    q ^= q << (v & 31);
    u = q / ((w & 255) + 3);
    r += (unsigned)(u ^ (u >> 32));
    asm("mul.hi.u32 %0, %1, %2;" : "=r"(t) : "r"(v), "r"(w));
    r += t;
    asm("mul.wide.u32 %0, %1, %2;" : "=l"(u) : "r"(v), "r"(w));
    r ^= (unsigned)(u >> 13);
    asm("mad.lo.u32 %0, %1, %2, %3;" : "=r"(t) : "r"(v), "r"(w), "r"(r));
    r = t;
    asm("sad.u32 %0, %1, %2, %3;" : "=r"(t) : "r"(v), "r"(w), "r"(r));
    out[i] = t;
}
