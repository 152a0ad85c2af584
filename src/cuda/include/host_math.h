/* Functions of CUDA's mathematics that the host's library lacks; nvcc has them for the host too. */
#ifndef WARPLINE_HOST_MATH_H
#define WARPLINE_HOST_MATH_H
#include <math.h>
#define WARPLINE_HOST_MATH static inline __attribute__((unused))
WARPLINE_HOST_MATH float rsqrtf(float x) { return 1.0f / sqrtf(x); }
WARPLINE_HOST_MATH double rsqrt(double x) { return 1.0 / sqrt(x); }
WARPLINE_HOST_MATH float rcbrtf(float x) { return 1.0f / cbrtf(x); }
WARPLINE_HOST_MATH double rcbrt(double x) { return 1.0 / cbrt(x); }
/* The argument is brought near zero first, where the product with pi is exact enough. */
WARPLINE_HOST_MATH double sinpi(double x)
{
    const double r = remainder(x, 2.0), h = fabs(r) > 0.5 ? copysign(1.0, r) - r : r;
    return sin(3.14159265358979323846 * h);
}
WARPLINE_HOST_MATH double cospi(double x) { return sinpi(0.5 - fabs(remainder(x, 2.0))); }
WARPLINE_HOST_MATH float sinpif(float x) { return (float)sinpi(x); }
WARPLINE_HOST_MATH float cospif(float x) { return (float)cospi(x); }
WARPLINE_HOST_MATH void sincospi(double x, double *s, double *c) { *s = sinpi(x); *c = cospi(x); }
WARPLINE_HOST_MATH void sincospif(float x, float *s, float *c) { *s = sinpif(x); *c = cospif(x); }
WARPLINE_HOST_MATH double normcdf(double x) { return 0.5 * erfc(x * -0.70710678118654752440); }
WARPLINE_HOST_MATH float normcdff(float x) { return (float)normcdf(x); }
/* Halley's steps on erfc from a guess by logarithms; for y above 1 by symmetry, so that no digits cancel. */
WARPLINE_HOST_MATH double erfcinv(double y)
{
    if (!(y > 0.0 && y < 2.0))
        return y == 0.0 ? HUGE_VAL : y == 2.0 ? -HUGE_VAL : NAN;
    const double small = y > 1.0 ? 2.0 - y : y, t = sqrt(-2.0 * log(small / 2.0));
    double x = 0.70710678118654752440 * (t - (2.515517 + t * (0.802853 + t * 0.010328)) / (1.0 + t * (1.432788 + t * (0.189269 + t * 0.001308))));
    for (int i = 0; i < 3; i++) {
        const double step = (erfc(x) - small) / (-1.12837916709551257390 * exp(-x * x));
        x -= step / (1.0 + x * step);
    }
    return y > 1.0 ? -x : x;
}
WARPLINE_HOST_MATH double erfinv(double y)
{
    if (fabs(y) > 0.5)
        return copysign(erfcinv(1.0 - fabs(y)), y);
    double x = y * 0.88622692545275801365;
    for (int i = 0; i < 4; i++) {
        const double step = (erf(x) - y) / (1.12837916709551257390 * exp(-x * x));
        x -= step / (1.0 + x * step);
    }
    return x;
}
WARPLINE_HOST_MATH double normcdfinv(double y) { return -1.41421356237309504880 * erfcinv(2.0 * y); }
WARPLINE_HOST_MATH float erfcinvf(float y) { return (float)erfcinv(y); }
WARPLINE_HOST_MATH float erfinvf(float y) { return (float)erfinv(y); }
WARPLINE_HOST_MATH float normcdfinvf(float y) { return (float)normcdfinv(y); }
WARPLINE_HOST_MATH double erfcx(double x) { return x < 25.0 ? exp(x * x) * erfc(x) : 0.56418958354775628695 / (x + 0.5 / x); }
WARPLINE_HOST_MATH float erfcxf(float x) { return (float)erfcx(x); }
#undef WARPLINE_HOST_MATH
#endif
