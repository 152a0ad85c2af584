/* Complex numbers as vectors of two. */
#ifndef WARPLINE_CUCOMPLEX_H
#define WARPLINE_CUCOMPLEX_H
#include "bits/names_hidden.h"
#include "vector_functions.h"
#include <math.h>

#define WARPLINE_COMPLEX static __host__ __device__ __forceinline__
#define WARPLINE_COMPLEX_TYPE(type, real, suffix, make)                                                                      \
    WARPLINE_COMPLEX real cuCreal##suffix(type x) { return x.x; }                                                            \
    WARPLINE_COMPLEX real cuCimag##suffix(type x) { return x.y; }                                                            \
    WARPLINE_COMPLEX type cuConj##suffix(type x) { return make(x.x, -x.y); }                                                 \
    WARPLINE_COMPLEX type cuCadd##suffix(type a, type b) { return make(a.x + b.x, a.y + b.y); }                              \
    WARPLINE_COMPLEX type cuCsub##suffix(type a, type b) { return make(a.x - b.x, a.y - b.y); }                              \
    WARPLINE_COMPLEX type cuCmul##suffix(type a, type b) { return make(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); }      \
    WARPLINE_COMPLEX type cuCdiv##suffix(type a, type b)                                                                     \
    {                                                                                                                        \
        const real s = (real)1 / (fabs(b.x) + fabs(b.y)); /* keeps the squares in range */                                   \
        const real ax = a.x * s, ay = a.y * s, bx = b.x * s, by = b.y * s, d = (real)1 / (bx * bx + by * by);                \
        return make((ax * bx + ay * by) * d, (ay * bx - ax * by) * d);                                                       \
    }
typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;
/* In C too, which has no make_float2 here. */
WARPLINE_COMPLEX cuFloatComplex warpline_complex_f(float x, float y) { cuFloatComplex c; c.x = x; c.y = y; return c; }
WARPLINE_COMPLEX cuDoubleComplex warpline_complex_d(double x, double y) { cuDoubleComplex c; c.x = x; c.y = y; return c; }
WARPLINE_COMPLEX cuFloatComplex make_cuFloatComplex(float x, float y) { return warpline_complex_f(x, y); }
WARPLINE_COMPLEX cuDoubleComplex make_cuDoubleComplex(double x, double y) { return warpline_complex_d(x, y); }
WARPLINE_COMPLEX cuComplex make_cuComplex(float x, float y) { return warpline_complex_f(x, y); }
WARPLINE_COMPLEX_TYPE(cuFloatComplex, float, f, warpline_complex_f)
WARPLINE_COMPLEX_TYPE(cuDoubleComplex, double, , warpline_complex_d)
WARPLINE_COMPLEX float cuCabsf(cuFloatComplex x) { return hypotf(x.x, x.y); }
WARPLINE_COMPLEX double cuCabs(cuDoubleComplex x) { return hypot(x.x, x.y); }
/* x y + z */
WARPLINE_COMPLEX cuFloatComplex cuCfmaf(cuFloatComplex x, cuFloatComplex y, cuFloatComplex z) { return cuCaddf(cuCmulf(x, y), z); }
WARPLINE_COMPLEX cuDoubleComplex cuCfma(cuDoubleComplex x, cuDoubleComplex y, cuDoubleComplex z) { return cuCadd(cuCmul(x, y), z); }
WARPLINE_COMPLEX cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex x) { return warpline_complex_f((float)x.x, (float)x.y); }
WARPLINE_COMPLEX cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex x) { return warpline_complex_d((double)x.x, (double)x.y); }
#undef WARPLINE_COMPLEX
#undef WARPLINE_COMPLEX_TYPE
#include "bits/names_shown.h"
#endif
