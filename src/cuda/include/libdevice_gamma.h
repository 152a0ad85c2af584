/* libdevice_gamma.h - error and gamma functions. Part of libdevice_double.h, whose exponentials and logarithms they use. */
WL_DEVICE_LARGE double __nv_erfcx(double x)
{
    const double a = __nv_fabs(x);
    const double t = a > 1e20 ? 1.0 : (a - 4.0) / (a + 4.0);
    const double y = warpline::horner(t, WL_D_ERFCX) / __builtin_fma(2.0, a, 1.0);
    if (x >= 0.0)
        return y;
    const double square = x * x, rest = __builtin_fma(x, x, -square);
    const double e = 2.0 * __nv_exp(square);
    return x != x ? x : __nv_isfinited(e) ? __builtin_fma(e, rest, e) - y : e;
}
WL_DEVICE_LARGE double __nv_erfc(double x)
{
    const double a = __nv_fmin(__nv_fabs(x), 40.0);
    const double t = (a - 4.0) / (a + 4.0);
    const double square = a * a, rest = __builtin_fma(a, a, -square);
    const double e = __nv_exp(-square);
    const double y = __builtin_fma(e, -rest, e) * (warpline::horner(t, WL_D_ERFCX) / __builtin_fma(2.0, a, 1.0));
    if (a < 0.4) /* next to 1 the other form is better */
        return 1.0 - x * warpline::horner(square, WL_D_ERF);
    return x != x ? x : x < 0.0 ? 2.0 - y : y;
}
WL_DEVICE_LARGE double __nv_erf(double x)
{
    const double a = __nv_fabs(x);
    return a < 1.0 ? x * warpline::horner(a * a, WL_D_ERF) : x != x ? x : __nv_copysign(1.0 - __nv_erfc(a), x);
}
/* erfc(y) = p for p in (0, 1]: an estimate from the tail's shape, then Newton on log erfc, which is nearly a parabola. */
WL_DEVICE_LARGE double __nv_erfcinv(double p)
{
    if (!(p > 0.0) || !(p < 2.0))
        return p == 0.0 ? __builtin_inf() : p == 2.0 ? -__builtin_inf() : __builtin_nan("");
    if (p > 1.0)
        return -__nv_erfcinv(2.0 - p);
    const double l = __nv_log(p), w = 4.3307 + 0.5 * __nv_log(p * (2.0 - p));
    const double s = __nv_sqrt(w * w - __nv_log(p * (2.0 - p)) / 0.147);
    double y = __nv_sqrt(__nv_fmax(s - w, 0.0));
    for (int i = 0; i < 6; i++) {
        const double scaled = __nv_erfcx(y); /* log erfc y = log scaled - y^2 */
        y += (__nv_log(scaled) - y * y - l) * scaled * 0.88622692545275801;
    }
    return y;
}
WL_DEVICE_LARGE double __nv_erfinv(double x)
{
    const double a = __nv_fabs(x);
    if (a > 0.5)
        return __nv_copysign(__nv_erfcinv(1.0 - a), x);
    double y = a * 0.88622692545275801;
    for (int i = 0; i < 6; i++)
        y -= (__nv_erf(y) - a) * 0.88622692545275801 * __nv_exp(y * y);
    return x != x ? x : __nv_copysign(y, x);
}
WL_DEVICE double __nv_normcdf(double x) { return 0.5 * __nv_erfc(x * -0.70710678118654752); }
WL_DEVICE double __nv_normcdfinv(double p) { return -1.4142135623730951 * __nv_erfcinv(2.0 * p); }
WL_DEVICE float __nv_erfinvf(float x) { return (float)__nv_erfinv((double)x); }
WL_DEVICE float __nv_erfcinvf(float x) { return (float)__nv_erfcinv((double)x); }
WL_DEVICE float __nv_normcdfinvf(float x) { return (float)__nv_normcdfinv((double)x); }
namespace warpline {
/* log gamma for x >= 12: Stirling's series. */
__device__ inline double stirling(double x)
{
    const double r = 1.0 / x, z = r * r;
    const double series = horner(z, 1.0 / 12, -1.0 / 360, 1.0 / 1260, -1.0 / 1680, 1.0 / 1188, -691.0 / 360360, 1.0 / 156);
    return (x - 0.5) * __nv_log(x) - x + 0.91893853320467274 + r * series;
}
} /* namespace warpline */
WL_DEVICE_LARGE double __nv_lgamma(double x)
{
    if (x != x || !__nv_isfinited(x))
        return x * x;
    if (x <= 0.0) {
        if (__nv_floor(x) == x)
            return __builtin_inf();
        return 1.1447298858494002 - __nv_log(__nv_fabs(__nv_sinpi(x))) - __nv_lgamma(1.0 - x); /* reflection; log pi */
    }
    double product = 1.0, y = x;
    for (; y < 12.0; y += 1.0)
        product *= y;
    return x == 1.0 || x == 2.0 ? 0.0 : warpline::stirling(y) - __nv_log(product);
}
WL_DEVICE_LARGE double __nv_tgamma(double x)
{
    if (x != x || x == __builtin_inf())
        return x;
    if (x == 0.0)
        return 1.0 / x;
    if (x < 0.0) {
        if (__nv_floor(x) == x)
            return __builtin_nan("");
        return 3.1415926535897931 / (__nv_sinpi(x) * __nv_tgamma(1.0 - x));
    }
    double product = 1.0, y = x;
    for (; y < 12.0; y += 1.0)
        product *= y;
    const double r = 1.0 / y, z = r * r;
    const double series = r * warpline::horner(z, 1.0 / 12, -1.0 / 360, 1.0 / 1260, -1.0 / 1680, 1.0 / 1188, -691.0 / 360360, 1.0 / 156);
    const double root = __nv_pow(y, 0.5 * (y - 0.5)); /* in two halves: the whole would overflow before the result does */
    return root * __nv_exp(-y) * root * 2.5066282746310002 * __nv_exp(series) / product;
}
WL_DEVICE float __nv_lgammaf(float x) { return (float)__nv_lgamma((double)x); }
WL_DEVICE float __nv_tgammaf(float x) { return (float)__nv_tgamma((double)x); }
