#include "cudamin.h"
extern "C" __global__ void atom_hot(const int *in, int *o, float *f)
{
    int i = GLOBAL_ID, v = in[i], r;
    float g;
    asm volatile("atom.global.inc.u32 %0, [%1], %2;" : "=r"(r) : "l"(o), "r"(1000) : "memory");
    v += r;
    asm volatile("atom.global.max.s32 %0, [%1], %2;" : "=r"(r) : "l"(o + 1 + (i & 3)), "r"(v) : "memory");
    asm volatile("atom.global.and.b32 %0, [%1], %2;" : "=r"(r) : "l"(o + 64 + (i & 31)), "r"(v) : "memory");
    v ^= r;
    asm volatile("atom.global.add.f32 %0, [%1], %2;" : "=f"(g) : "l"(f + (i & 7) * 32), "f"((float)v) : "memory");
    asm volatile("atom.global.dec.u32 %0, [%1], %2;" : "=r"(r) : "l"(o + 128 + (v & 63) * 8), "r"(77) : "memory");
    asm volatile("atom.global.exch.b32 %0, [%1], %2;" : "=r"(r) : "l"(o + 700 + (i >> 5)), "r"(v) : "memory");
    o[1024 + i] = r + (int)g;
}
