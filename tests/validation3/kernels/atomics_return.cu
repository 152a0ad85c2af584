#include "cudamin.h"
#define A(op, p, v) ({ unsigned r_; asm volatile("atom.global." op " %0, [%1], %2;" : "=r"(r_) : "l"(p), "r"(v) : "memory"); r_; })
extern "C" __global__ void atomics_return(unsigned *a, const int *in, unsigned *out, int n)
{
    int i = GLOBAL_ID;
    unsigned s = in[i];
    for (int k = 0; k < n; k++) {
        s += A("exch.b32", a + (s & 7), s);
        if (s & 1)
            s ^= A("inc.u32", a + 32 + (s & 3), 100u);
        else if (s & 2)
            return;
        else
            s += A("min.u32", a + 64 + (i & 63), s);
        s += A("or.b32", a + 128, 1u << (k & 31));
        s = s * 5 + in[s & 1023];
    }
    out[i] = s;
}
