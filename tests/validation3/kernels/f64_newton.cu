#include "cudamin.h"
extern "C" __global__ void f64_newton(const float *in, float *out, int n)
{
    int i = GLOBAL_ID;
    double x = in[i] + 1.0, y = x;
    for (int k = 0; k < n; k++) {
        y = 0.5 * (y + x / y);
        if (y * y - x < 1e-3)
            break;
    }
    double r;
    asm("sqrt.rn.f64 %0, %1;" : "=d"(r) : "d"(x));
    double m = y > r ? y : r;
    asm("rcp.rn.f64 %0, %1;" : "=d"(r) : "d"(m));
    out[i] = (float)(r + m * y + in[(int)m & 1023]);
}
