/* libdevice_double.h - double functions. Part of libdevice.h. No approximation hardware here: polynomials over exact
 * reductions, with a second word where a result would otherwise lose its last bits. */
namespace warpline {
__device__ inline double power_of_two(int n) /* n in -1022..1023 */
{ return __nv_longlong_as_double((long long)(n + 1023) << 52); }
__device__ inline double scale_by_power(double x, int n) /* n in -2044..2046 */
{
    const int half = n >> 1;
    return x * power_of_two(half) * power_of_two(n - half);
}
/* x = m 2^e with m in [sqrt(1/2), sqrt 2); x positive, finite and not zero. */
__device__ inline double split_exponent(double x, int *e)
{
    const bool tiny = x < 2.2250738585072014e-308;
    const long long bits = (long long)__nv_double_as_longlong(tiny ? x * 0x1p54 : x);
    const int exponent = (int)((bits - 0x3fe6a09e667f3bcdll) >> 52);
    *e = exponent - (tiny ? 54 : 0);
    return __nv_longlong_as_double(bits - ((long long)exponent << 52));
}
/* log m for m in [sqrt(1/2), sqrt 2): f - f^2/2 and what is left of it, so that the caller can add e ln 2 in between. */
__device__ inline double log_reduced(double f, double *half_square)
{
    const double s = f / (2.0 + f), z = s * s;
    *half_square = 0.5 * f * f;
    return s * (*half_square + z * horner(z, WL_D_ATANH));
}
/* exp(r) - 1 - r for |r| < 0.347. */
__device__ inline double exp_tail(double r) { return r * r * __builtin_fma(r, horner(r, WL_D_EXPM1), 0.5); }
__device__ inline double reduce_exponent(double x, int *n)
{
    const double k = __nv_rint(__nv_fmin(__nv_fmax(x, -1500.0), 1500.0) * 1.4426950408889634);
    *n = (int)k;
    return __builtin_fma(k, -2.3190468138462996e-17, __builtin_fma(k, -0.69314718055994529, x)); /* ln 2 in two parts */
}
__device__ inline double log_special(double x, double y) /* y unless x is zero, negative, infinite or NaN */
{
    if (x > 0.0 && __nv_isfinited(x))
        return y;
    return x == 0.0 ? -__builtin_inf() : x < 0.0 ? __builtin_nan("") : x;
}
} /* namespace warpline */

WL_DEVICE_LARGE double __nv_exp(double x)
{
    int n;
    const double r = warpline::reduce_exponent(x, &n);
    const double y = warpline::scale_by_power(1.0 + (r + warpline::exp_tail(r)), n > 1100 ? 1100 : n < -1200 ? -1200 : n);
    return x > 710.0 ? __builtin_inf() : x < -746.0 ? 0.0 : y;
}
WL_DEVICE_LARGE double __nv_exp2(double x)
{
    const double k = __nv_rint(__nv_fmin(__nv_fmax(x, -1200.0), 1200.0));
    const double f = x - k, r = f * 0.69314718055994529;
    const double low = __builtin_fma(f, 0.69314718055994529, -r) + f * 2.3190468138462996e-17;
    const double y = warpline::scale_by_power(1.0 + (r + (warpline::exp_tail(r) + low)), (int)k);
    return x > 1024.5 ? __builtin_inf() : x < -1076.0 ? 0.0 : y;
}
WL_DEVICE_LARGE double __nv_exp10(double x)
{
    const double k = __nv_rint(__nv_fmin(__nv_fmax(x, -400.0), 400.0) * 3.3219280948873623);
    const double f = __builtin_fma(k, 2.8037281277851704e-18, __builtin_fma(k, -0.30102999566398120, x)); /* log10 2 in two parts */
    const double r = f * 2.3025850929940457;
    const double low = __builtin_fma(f, 2.3025850929940457, -r) + f * -2.1707562233822494e-16;
    const double y = warpline::scale_by_power(1.0 + (r + (warpline::exp_tail(r) + low)), (int)k);
    return x > 308.5 ? __builtin_inf() : x < -324.5 ? 0.0 : y;
}
WL_DEVICE_LARGE double __nv_expm1(double x)
{
    if (x == 0.0)
        return x;
    if (x > 709.0 || x < -50.0)
        return x < 0.0 ? -1.0 : __nv_exp(x);
    int n;
    const double r = warpline::reduce_exponent(x, &n), p = r + warpline::exp_tail(r), s = warpline::power_of_two(n);
    return __builtin_fma(s, p, s - 1.0);
}
WL_DEVICE_LARGE double __nv_log(double x)
{
    int e;
    double half_square;
    const double f = warpline::split_exponent(x, &e) - 1.0, k = (double)e;
    const double tail = warpline::log_reduced(f, &half_square);
    const double y = k * 0.69314718036912382 - ((half_square - (tail + k * 1.9082149292705877e-10)) - f);
    return warpline::log_special(x, y);
}
WL_DEVICE_LARGE double __nv_log2(double x)
{
    int e;
    double half_square;
    const double f = warpline::split_exponent(x, &e) - 1.0;
    const double tail = warpline::log_reduced(f, &half_square);
    const double high = f - half_square, low = (f - high) - half_square + tail;
    const double t = high * 1.4426950408889634;
    const double t_low = __builtin_fma(high, 1.4426950408889634, -t) + __builtin_fma(high, 2.0355273740931033e-17, low * 1.4426950408889634);
    const double sum = (double)e + t;
    return warpline::log_special(x, sum + (((double)e - sum) + t + t_low));
}
WL_DEVICE_LARGE double __nv_log10(double x)
{
    int e;
    double half_square;
    const double f = warpline::split_exponent(x, &e) - 1.0, k = (double)e;
    const double tail = warpline::log_reduced(f, &half_square);
    const double high = f - half_square, low = (f - high) - half_square + tail;
    const double t = high * 0.43429448190325182;
    const double t_low = __builtin_fma(high, 0.43429448190325182, -t) + __builtin_fma(high, 1.0983196502167651e-17, low * 0.43429448190325182);
    const double w = k * 0.30102999566398120, w_low = __builtin_fma(k, 0.30102999566398120, -w) - k * 2.8037281277851704e-18;
    const double sum = w + t;
    return warpline::log_special(x, sum + ((w - sum) + t + t_low + w_low));
}
WL_DEVICE_LARGE double __nv_log1p(double x)
{
    if (__nv_fabs(x) < 0.29) {
        double half_square;
        const double tail = warpline::log_reduced(x, &half_square);
        return x == 0.0 ? x : x - (half_square - tail);
    }
    const double u = 1.0 + x;
    const double lost = x > 1.0 ? 1.0 - (u - x) : x - (u - 1.0);
    const double y = __nv_log(u);
    return u > 0.0 && __nv_isfinited(u) ? y + lost / u : y;
}

namespace warpline {
/* 2^(y log2 x) for finite x > 0, log2 x in two doubles: the terms 2s and (2/3) s^3 of the series are kept in pairs. */
__device__ inline double power_of_positive(double x, double y)
{
    int e;
    const double m = split_exponent(x, &e);
    const double f = m - 1.0, d = m + 1.0, d_low = (m - d) + 1.0;
    const double s = f / d;
    const double s_low = __builtin_fma(-s, d_low, __builtin_fma(-s, d, f)) / d;
    const double z = s * s, z_low = __builtin_fma(s, s, -z) + 2.0 * s * s_low;
    const double c = s * z, c_low = __builtin_fma(s, z, -c) + s * z_low + s_low * z; /* s^3 */
    const double third = c * 0.66666666666666663;
    const double third_low = __builtin_fma(c, 0.66666666666666663, -third) + c * 3.7007434154171886e-17 + c_low * 0.66666666666666663;
    const double rest = c * z * horner(z, WL_D_ATANH5);
    const double first = 2.0 * s + third, more = (2.0 * s - first) + third + (third_low + 2.0 * s_low + rest);
    const double a = first + more, a_low = (first - a) + more;
    const double l = a * 1.4426950408889634;
    const double l_low = __builtin_fma(a, 1.4426950408889634, -l) + __builtin_fma(a, 2.0355273740931033e-17, a_low * 1.4426950408889634);
    const double b = (double)e + l, b_low = ((double)e - b) + l + l_low;
    const double p = y * b, p_low = __builtin_fma(y, b, -p) + y * b_low;
    if (__nv_fabs(p) > 1100.0)
        return p > 0.0 ? __builtin_inf() : 0.0;
    const double k = __nv_rint(p), g = p - k;
    const double r = g * 0.69314718055994529;
    const double r_low = __builtin_fma(g, 0.69314718055994529, -r) + g * 2.3190468138462996e-17 + p_low * 0.69314718055994529;
    const double tail = exp_tail(r);
    return scale_by_power(1.0 + (r + (tail + r_low * (1.0 + (r + tail)))), (int)k);
}
} /* namespace warpline */
WL_DEVICE_LARGE double __nv_pow(double x, double y)
{
    if (x == 1.0 || y == 0.0)
        return 1.0;
    if (x != x || y != y)
        return x + y;
    const bool whole = __nv_trunc(y) == y;
    const bool odd = whole && __nv_fabs(y) < 9007199254740992.0 && ((long long)y & 1);
    const double magnitude = __nv_fabs(x);
    double r;
    if (magnitude == 0.0 || !__nv_isfinited(x))
        r = (magnitude == 0.0) == (y > 0.0) ? 0.0 : __builtin_inf();
    else if (!__nv_isfinited(y))
        r = magnitude == 1.0 ? 1.0 : (magnitude > 1.0) == (y > 0.0) ? __builtin_inf() : 0.0;
    else
        r = warpline::power_of_positive(magnitude, y);
    if (__nv_signbitd(x)) {
        if (odd)
            r = -r;
        else if (!whole && magnitude != 0.0 && __nv_isfinited(x))
            r = __builtin_nan("");
    }
    return r;
}
WL_DEVICE_LARGE double __nv_powi(double x, int n)
{
    unsigned k = n < 0 ? 0u - (unsigned)n : (unsigned)n;
    double r = 1.0;
    for (double p = x; k; k >>= 1, p *= p)
        if (k & 1)
            r *= p;
    return n < 0 ? 1.0 / r : r;
}

/* Angles. */
namespace warpline {
__device__ inline int reduce_angle(double x, double *r)
{
    if (__nv_fabs(x) < 1.0e9) {
        const double n = __nv_rint(x * 0.63661977236758138);
        *r = __builtin_fma(n, 1.4973849048591833e-33, /* pi/2 in three parts */
                           __builtin_fma(n, -6.123233995736766e-17, __builtin_fma(n, -1.5707963267948966, x)));
        return (int)n;
    }
    if (!__nv_isfinited(x)) {
        *r = __builtin_nan("");
        return 0;
    }
    const long long bits = (long long)__nv_double_as_longlong(x);
    double fraction;
    const int quadrant = reduce_far((unsigned long long)(bits & 0xfffffffffffffll) | 1ull << 52, (int)((bits >> 52) & 0x7ff) - 1075,
                                    &fraction);
    const double angle = fraction * 1.5707963267948966;
    *r = bits < 0 ? -angle : angle;
    return bits < 0 ? -quadrant : quadrant;
}
__device__ inline double sine_small(double r)
{
    const double z = r * r;
    return __builtin_fma(r * z, horner(z, WL_D_SIN), r);
}
__device__ inline double cosine_small(double r)
{
    const double z = r * r, h = 0.5 * z, w = 1.0 - h;
    return w + ((1.0 - w) - h + z * z * horner(z, WL_D_COS));
}
__device__ inline double sine_in_quadrant(int quadrant, double r)
{
    const double y = quadrant & 1 ? cosine_small(r) : sine_small(r);
    return quadrant & 2 ? -y : y;
}
} /* namespace warpline */
WL_DEVICE_LARGE double __nv_sin(double x)
{
    double r;
    const int quadrant = warpline::reduce_angle(x, &r);
    return x == 0.0 ? x : warpline::sine_in_quadrant(quadrant, r);
}
WL_DEVICE_LARGE double __nv_cos(double x)
{
    double r;
    const int quadrant = warpline::reduce_angle(x, &r);
    return warpline::sine_in_quadrant(quadrant + 1, r);
}
WL_DEVICE_LARGE void __nv_sincos(double x, double *s, double *c)
{
    double r;
    const int quadrant = warpline::reduce_angle(x, &r);
    *s = x == 0.0 ? x : warpline::sine_in_quadrant(quadrant, r);
    *c = warpline::sine_in_quadrant(quadrant + 1, r);
}
WL_DEVICE_LARGE double __nv_tan(double x)
{
    double r;
    const int quadrant = warpline::reduce_angle(x, &r);
    const double s = warpline::sine_small(r), c = warpline::cosine_small(r);
    return x == 0.0 ? x : quadrant & 1 ? -c / s : s / c;
}
WL_DEVICE_LARGE void __nv_sincospi(double x, double *s, double *c)
{
    const double n = __nv_rint(2.0 * x);
    const double r = __builtin_fma(n, -0.5, x) * 3.1415926535897931;
    const int quadrant = (int)(n - 4.0 * __nv_floor(n * 0.25));
    const double nan = x - x;
    *s = warpline::sine_in_quadrant(quadrant, r) + nan;
    *c = warpline::sine_in_quadrant(quadrant + 1, r) + nan;
}
WL_DEVICE_LARGE double __nv_sinpi(double x) { double s, c; __nv_sincospi(x, &s, &c); return s; }
WL_DEVICE_LARGE double __nv_cospi(double x) { double s, c; __nv_sincospi(x, &s, &c); return c; }
namespace warpline {
__device__ inline double atan_of_fraction(double t) /* t in [0, 1] */
{
    /* atan t = pi/4 + atan((t-1)/(t+1)) brings |t| below tan(pi/8) */
    const bool far = t > 0.41421356237309503;
    const double u = far ? (t - 1.0) / (t + 1.0) : t, z = u * u;
    const double y = __builtin_fma(u * z, horner(z, WL_D_ATAN), u);
    return far ? 0.78539816339744828 + (y + 3.061616997868383e-17) : y;
}
} /* namespace warpline */
WL_DEVICE_LARGE double __nv_atan(double x)
{
    const double a = __nv_fabs(x);
    double y = warpline::atan_of_fraction(a > 1.0 ? 1.0 / a : a);
    if (a > 1.0)
        y = 1.5707963267948966 - (y - 6.123233995736766e-17);
    return x != x ? x : __nv_copysign(y, x);
}
WL_DEVICE_LARGE double __nv_atan2(double y, double x)
{
    const double ax = __nv_fabs(x), ay = __nv_fabs(y);
    if (x != x || y != y)
        return x + y;
    const double large = __nv_fmax(ax, ay), small = __nv_fmin(ax, ay);
    double r = warpline::atan_of_fraction(large == 0.0 ? 0.0 : large == small ? 1.0 : small / large);
    if (ay > ax)
        r = 1.5707963267948966 - (r - 6.123233995736766e-17);
    if (__nv_signbitd(x))
        r = 3.1415926535897931 - (r - 1.2246467991473532e-16);
    return __nv_copysign(r, y);
}
WL_DEVICE_LARGE double __nv_asin(double x)
{
    const double a = __nv_fabs(x);
    const bool far = a > 0.5;
    const double z = far ? 0.5 * (1.0 - a) : a * a, t = far ? __nv_sqrt(z) : a;
    const double p = t * z * warpline::horner(z, WL_D_ASIN);
    if (!far)
        return __nv_copysign(t + p, x);
    const double t_low = t > 0.0 ? __builtin_fma(-t, t, z) / (2.0 * t) : 0.0; /* what sqrt rounded away */
    return __nv_copysign(1.5707963267948966 - 2.0 * t - (2.0 * (p + t_low) - 6.123233995736766e-17), x);
}
WL_DEVICE_LARGE double __nv_acos(double x)
{
    const double a = __nv_fabs(x);
    const bool far = a > 0.5;
    const double z = far ? 0.5 * (1.0 - a) : a * a, t = far ? __nv_sqrt(z) : a;
    const double p = t * z * warpline::horner(z, WL_D_ASIN);
    if (!far)
        return x < 0.0 ? 1.5707963267948966 + (t + (p + 6.123233995736766e-17)) : 1.5707963267948966 - (t + (p - 6.123233995736766e-17));
    const double t_low = t > 0.0 ? __builtin_fma(-t, t, z) / (2.0 * t) : 0.0;
    if (x > 0.0)
        return 2.0 * (t + (p + t_low));
    return 3.1415926535897931 - 2.0 * (t + (p + t_low - 6.123233995736766e-17));
}

/* Hyperbolic functions. */
WL_DEVICE_LARGE double __nv_sinh(double x)
{
    const double a = __nv_fabs(x);
    double y;
    if (a < 700.0) {
        const double t = __nv_expm1(a);
        y = 0.5 * (t + t / (t + 1.0));
    } else {
        const double h = __nv_exp(0.5 * a);
        y = 0.5 * h * h;
    }
    return __nv_copysign(y, x);
}
WL_DEVICE_LARGE double __nv_cosh(double x)
{
    const double a = __nv_fabs(x);
    if (a < 700.0) {
        const double t = __nv_exp(a);
        return 0.5 * t + 0.5 / t;
    }
    const double h = __nv_exp(0.5 * a);
    return 0.5 * h * h;
}
WL_DEVICE_LARGE double __nv_tanh(double x)
{
    const double a = __nv_fabs(x);
    if (x != x)
        return x;
    const double t = __nv_expm1(2.0 * __nv_fmin(a, 20.0));
    return __nv_copysign(t / (t + 2.0), x);
}
WL_DEVICE_LARGE double __nv_asinh(double x)
{
    const double a = __nv_fabs(x);
    const double y = a > 1e150 ? __nv_log(a) + 0.69314718055994529
                               : __nv_log1p(a + a * a / (1.0 + __nv_sqrt(__builtin_fma(a, a, 1.0))));
    return __nv_copysign(y, x);
}
WL_DEVICE_LARGE double __nv_acosh(double x)
{
    const double t = x - 1.0;
    return x > 1e150 ? __nv_log(x) + 0.69314718055994529 : __nv_log1p(t + __nv_sqrt(__builtin_fma(t, t, 2.0 * t)));
}
WL_DEVICE_LARGE double __nv_atanh(double x)
{
    const double a = __nv_fabs(x);
    return __nv_copysign(0.5 * __nv_log1p(2.0 * a / (1.0 - a)), x);
}

#include "libdevice_gamma.h"
#include "libdevice_bessel.h"

/* Roots and norms. */
WL_DEVICE double __nv_rsqrt(double x) { return 1.0 / __nv_sqrt(x); }
WL_DEVICE_LARGE double __nv_cbrt(double x)
{
    const double a = __nv_fabs(x);
    if (a == 0.0 || !__nv_isfinited(a))
        return x;
    int e;
    const double m = warpline::split_exponent(a, &e);
    const int third = e >= 0 ? e / 3 : -((2 - e) / 3), left = e - 3 * third;
    const double v = m * (left == 2 ? 4.0 : left == 1 ? 2.0 : 1.0);
    double y = (double)__nv_cbrtf((float)v);
    y = y - __builtin_fma(y * y, y, -v) / (3.0 * y * y);
    y = y - __builtin_fma(y * y, y, -v) / (3.0 * y * y);
    return __nv_copysign(y * warpline::power_of_two(third), x);
}
WL_DEVICE double __nv_rcbrt(double x) { return 1.0 / __nv_cbrt(x); }
namespace warpline {
__device__ inline double norm_of(const double *v, int n)
{
    double largest = 0.0, sum = 0.0;
    for (int i = 0; i < n; i++)
        largest = __nv_fmax(largest, __nv_fabs(v[i]));
    if (largest == __builtin_inf() || largest == 0.0)
        return largest;
    const int e = (int)(__nv_double_as_longlong(largest) >> 52) - 1023;
    const double scale = power_of_two(-(e > 1022 ? 1022 : e < -1021 ? -1021 : e));
    for (int i = 0; i < n; i++) {
        const double s = v[i] * scale;
        sum = __builtin_fma(s, s, sum);
    }
    return __nv_sqrt(sum) / scale;
}
} /* namespace warpline */
WL_DEVICE_LARGE double __nv_hypot(double a, double b) { const double v[2] = { a, b }; return warpline::norm_of(v, 2); }
WL_DEVICE_LARGE double __nv_norm3d(double a, double b, double c) { const double v[3] = { a, b, c }; return warpline::norm_of(v, 3); }
WL_DEVICE_LARGE double __nv_norm4d(double a, double b, double c, double d)
{ const double v[4] = { a, b, c, d }; return warpline::norm_of(v, 4); }
WL_DEVICE_LARGE double __nv_norm(int n, const double *v) { return warpline::norm_of(v, n); }
WL_DEVICE double __nv_rhypot(double a, double b) { return 1.0 / __nv_hypot(a, b); }
WL_DEVICE double __nv_rnorm3d(double a, double b, double c) { return 1.0 / __nv_norm3d(a, b, c); }
WL_DEVICE double __nv_rnorm4d(double a, double b, double c, double d) { return 1.0 / __nv_norm4d(a, b, c, d); }
WL_DEVICE double __nv_rnorm(int n, const double *v) { return 1.0 / __nv_norm(n, v); }

/* Parts, remainders, rounding. */
WL_DEVICE double __nv_round(double x)
{
    const double a = __nv_fabs(x), t = __nv_trunc(a);
    return a < 4503599627370496.0 ? __nv_copysign(a - t >= 0.5 ? t + 1.0 : t, x) : x;
}
WL_DEVICE long long __nv_llround(double x) { return __nv_double2ll_rz(__nv_round(x)); }
WL_DEVICE long long __nv_llrint(double x) { return __nv_double2ll_rn(x); }
WL_DEVICE double __nv_fdim(double a, double b) { return a > b ? a - b : a != a || b != b ? a + b : 0.0; }
WL_DEVICE_LARGE double __nv_ldexp(double x, int n)
{
    const int k = n > 2400 ? 2400 : n < -2400 ? -2400 : n, third = k / 3;
    const double p = warpline::power_of_two(third);
    return x * p * p * warpline::power_of_two(k - 2 * third);
}
WL_DEVICE double __nv_scalbn(double x, int n) { return __nv_ldexp(x, n); }
WL_DEVICE_LARGE double __nv_frexp(double x, int *e)
{
    *e = 0;
    if (x == 0.0 || !__nv_isfinited(x))
        return x;
    const bool tiny = __nv_fabs(x) < 2.2250738585072014e-308;
    const unsigned long long bits = __nv_double_as_longlong(tiny ? x * 0x1p54 : x);
    *e = (int)((bits >> 52) & 0x7ff) - 1022 - (tiny ? 54 : 0);
    return __nv_longlong_as_double((long long)((bits & 0x800fffffffffffffull) | 0x3fe0000000000000ull));
}
WL_DEVICE_LARGE int __nv_ilogb(double x)
{
    if (x == 0.0 || x != x)
        return (int)0x80000000;
    if (!__nv_isfinited(x))
        return 0x7fffffff;
    int e;
    (void)__nv_frexp(x, &e);
    return e - 1;
}
WL_DEVICE double __nv_logb(double x)
{ return x == 0.0 ? -__builtin_inf() : !__nv_isfinited(x) ? x * x : (double)__nv_ilogb(x); }
WL_DEVICE double __nv_modf(double x, double *whole)
{
    *whole = __nv_trunc(x);
    return __nv_copysign(__nv_isfinited(x) ? x - *whole : x != x ? x : 0.0, x);
}
WL_DEVICE_LARGE double __nv_nextafter(double x, double y)
{
    if (x != x || y != y)
        return x + y;
    if (x == y)
        return y;
    if (x == 0.0)
        return __nv_longlong_as_double(y > 0.0 ? 1 : (long long)0x8000000000000001ull);
    const long long bits = (long long)__nv_double_as_longlong(x);
    return __nv_longlong_as_double((x < y) == (bits >= 0) ? bits + 1 : bits - 1);
}
namespace warpline {
__device__ inline double long_division(double x, double y, unsigned *quotient) /* x, y finite, y > 0, x >= 0 */
{
    *quotient = 0;
    if (x < y)
        return x;
    int ex, ey;
    double r = __nv_frexp(x, &ex);
    const double d = __nv_frexp(y, &ey);
    for (int steps = ex - ey; steps >= 0; steps--) {
        *quotient <<= 1;
        if (r >= d) {
            r -= d;
            *quotient |= 1;
        }
        if (steps)
            r *= 2.0;
    }
    return __nv_ldexp(r, ey);
}
} /* namespace warpline */
WL_DEVICE_LARGE double __nv_fmod(double x, double y)
{
    if (x != x || y != y || !__nv_isfinited(x) || y == 0.0)
        return __builtin_nan("");
    unsigned quotient;
    return __nv_isfinited(y) ? __nv_copysign(warpline::long_division(__nv_fabs(x), __nv_fabs(y), &quotient), x) : x;
}
WL_DEVICE_LARGE double __nv_remquo(double x, double y, int *quotient)
{
    *quotient = 0;
    if (x != x || y != y || !__nv_isfinited(x) || y == 0.0)
        return __builtin_nan("");
    if (!__nv_isfinited(y))
        return x;
    unsigned q;
    const double ay = __nv_fabs(y);
    double r = warpline::long_division(__nv_fabs(x), ay, &q);
    if (r > ay - r || (r == ay - r && (q & 1))) {
        r -= ay;
        q++;
    }
    *quotient = __nv_signbitd(x) == __nv_signbitd(y) ? (int)(q & 0x7fffffff) : -(int)(q & 0x7fffffff);
    return __nv_signbitd(x) ? -r : r;
}
WL_DEVICE double __nv_remainder(double x, double y) { int q; return __nv_remquo(x, y, &q); }
