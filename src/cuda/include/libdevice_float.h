/* libdevice_float.h - float functions. Part of libdevice.h. ex2.approx and lg2.approx are good to 2 units in the last place;
 * what surrounds them keeps the reduction exact. */
#include "libdevice_coefficients.h"

namespace warpline {
/* c0 + x (c1 + x (c2 + ...)), one fma per term. */
__device__ inline double horner(double, double c) { return c; }
template <class... Rest> __device__ inline double horner(double x, double c, Rest... rest)
{ return __builtin_fma(horner(x, rest...), x, c); }
__device__ inline float hornerf(float, float c) { return c; }
template <class... Rest> __device__ inline float hornerf(float x, float c, Rest... rest)
{ return __builtin_fmaf(hornerf(x, rest...), x, c); }
__device__ inline float scale_by_power(float x, int n) /* n in -252..252 */
{
    const int half = n >> 1;
    return x * __nv_int_as_float((half + 127) << 23) * __nv_int_as_float((n - half + 127) << 23);
}
/* x = m 2^e with m in [2/3, 4/3); x positive, finite and not zero. */
__device__ inline float split_exponent(float x, int *e)
{
    const bool tiny = x < 1.17549435e-38f;
    const int bits = __nv_float_as_int(tiny ? x * 8388608.0f : x);
    const int exponent = (bits - 0x3f2aaaab) >> 23; /* 0x3f2aaaab: 2/3 */
    *e = exponent - (tiny ? 23 : 0);
    return __nv_int_as_float(bits - (exponent << 23));
}
__device__ inline float log1p_tail(float t) /* log(1 + t), t in [-1/3, 1/3] */
{
    const float tail = hornerf(t, WL_F_LOG) * t;
    return __builtin_fmaf(t * t, tail - 0.5f, t);
}
/* 2^n and exp(x) 2^-n - 1. */
__device__ inline float expm1_reduced(float x, float *n)
{
    *n = __nv_fminf(__nv_fmaxf(__nv_rintf(x * 1.44269504f), -160.0f), 160.0f);
    const float r = __builtin_fmaf(*n, 1.90465421e-9f, __builtin_fmaf(*n, -6.93147182e-1f, x)); /* ln 2 in two parts */
    return __builtin_fmaf(r * r, __builtin_fmaf(r, hornerf(r, WL_F_EXPM1), 0.5f), r);
}
} /* namespace warpline */

WL_DEVICE float __nv_exp2f(float x) { return __nv_approx_ex2f(x); }
WL_DEVICE float __nv_expf(float x)
{
    const float n = __nv_fminf(__nv_fmaxf(__nv_rintf(x * 1.44269504f), -160.0f), 160.0f);
    const float r = __builtin_fmaf(n, 1.90465421e-9f, __builtin_fmaf(n, -6.93147182e-1f, x));
    return __nv_approx_ex2f(r * 1.44269504f) * 2.0f * __nv_approx_ex2f(n - 1.0f);
}
WL_DEVICE float __nv_exp10f(float x)
{
    const float n = __nv_fminf(__nv_fmaxf(__nv_rintf(x * 3.32192809f), -160.0f), 160.0f);
    const float r = __builtin_fmaf(n, 1.43209888e-8f, __builtin_fmaf(n, -3.0103001e-1f, x)); /* log10 2 in two parts */
    return __nv_approx_ex2f(r * 3.32192809f) * 2.0f * __nv_approx_ex2f(n - 1.0f);
}
WL_DEVICE_LARGE float __nv_expm1f(float x)
{
    float n;
    const float p = warpline::expm1_reduced(x, &n);
    const float s = __nv_approx_ex2f(n - 1.0f); /* half of 2^n, so that n = 128 does not overflow too early */
    const float y = 2.0f * __builtin_fmaf(s, p, s - 0.5f);
    return x == 0.0f ? x : x < -20.0f ? -1.0f : y;
}
WL_DEVICE_LARGE float __nv_logf(float x)
{
    int e;
    const float m = warpline::split_exponent(x, &e);
    float y = warpline::log1p_tail(m - 1.0f);
    y = __builtin_fmaf((float)e, 0.693147182f, y);
    if (!(x > 0.0f) || !__nv_finitef(x))
        y = x == 0.0f ? -__builtin_inff() : x < 0.0f ? __builtin_nanf("") : x;
    return y;
}
WL_DEVICE_LARGE float __nv_log2f(float x)
{
    int e;
    const float m = warpline::split_exponent(x, &e);
    const float l = warpline::log1p_tail(m - 1.0f);
    float y = (float)e + __builtin_fmaf(l, 0.442695042f, l); /* log2(e) = 1 + 0.4427 */
    if (!(x > 0.0f) || !__nv_finitef(x))
        y = x == 0.0f ? -__builtin_inff() : x < 0.0f ? __builtin_nanf("") : x;
    return y;
}
WL_DEVICE_LARGE float __nv_log10f(float x)
{
    int e;
    const float m = warpline::split_exponent(x, &e);
    float y = __builtin_fmaf((float)e, 0.301029996f, warpline::log1p_tail(m - 1.0f) * 0.434294482f);
    if (!(x > 0.0f) || !__nv_finitef(x))
        y = x == 0.0f ? -__builtin_inff() : x < 0.0f ? __builtin_nanf("") : x;
    return y;
}
WL_DEVICE_LARGE float __nv_log1pf(float x)
{
    if (__nv_fabsf(x) < 0.333f)
        return x == 0.0f ? x : warpline::log1p_tail(x);
    const float u = 1.0f + x;
    const float lost = x > 1.0f ? 1.0f - (u - x) : x - (u - 1.0f);
    const float y = __nv_logf(u);
    return u > 0.0f && __nv_finitef(u) ? y + lost / u : y;
}

/* 2^(y log2 x) for x > 0 with log2 x in two floats; x finite. */
namespace warpline {
__device__ inline float power_of_positive(float x, float y)
{
    int e;
    const float m = split_exponent(x, &e);
    const float f = m - 1.0f, d = m + 1.0f, d_low = (m - d) + 1.0f;
    const float s = f / d;
    const float s_low = __builtin_fmaf(-s, d_low, __builtin_fmaf(-s, d, f)) / d;
    const float z = s * s;
    const float tail = s * z * hornerf(z, WL_F_ATANH);
    /* log m = 2 s + tail, as a pair */
    const float high = 2.0f * s + tail;
    const float low = (2.0f * s - high) + tail + 2.0f * s_low;
    const float l = high * 1.44269502f;
    const float l_low = __builtin_fmaf(high, 1.44269502f, -l) + __builtin_fmaf(high, 1.92596299e-8f, low * 1.44269502f);
    const float a = (float)e + l, a_low = ((float)e - a) + l + l_low;
    const float p = y * a, p_low = __builtin_fmaf(y, a, -p) + y * a_low;
    const float n = __nv_fminf(__nv_fmaxf(__nv_rintf(p), -160.0f), 160.0f);
    const float r = __nv_fabsf(p) < 200.0f ? (p - n) + p_low : p - n;
    return __nv_approx_ex2f(r) * 2.0f * __nv_approx_ex2f(n - 1.0f);
}
} /* namespace warpline */
WL_DEVICE_LARGE float __nv_powf(float x, float y)
{
    if (x == 1.0f || y == 0.0f)
        return 1.0f;
    if (x != x || y != y)
        return x + y;
    const bool whole = __nv_truncf(y) == y;
    const bool odd = whole && __nv_fabsf(y) < 16777216.0f && ((int)y & 1);
    const float magnitude = __nv_fabsf(x);
    float r;
    if (magnitude == 0.0f || !__nv_finitef(x))
        r = (magnitude == 0.0f) == (y > 0.0f) ? 0.0f : __builtin_inff();
    else if (!__nv_finitef(y))
        r = magnitude == 1.0f ? 1.0f : (magnitude > 1.0f) == (y > 0.0f) ? __builtin_inff() : 0.0f;
    else
        r = warpline::power_of_positive(magnitude, y);
    if (__nv_signbitf(x)) {
        if (odd)
            r = -r;
        else if (!whole && magnitude != 0.0f && __nv_finitef(x))
            r = __builtin_nanf("");
    }
    return r;
}
WL_DEVICE_LARGE float __nv_powif(float x, int n)
{
    unsigned k = n < 0 ? 0u - (unsigned)n : (unsigned)n;
    float r = 1.0f;
    for (float p = x; k; k >>= 1, p *= p)
        if (k & 1)
            r *= p;
    return n < 0 ? 1.0f / r : r;
}

/* Angles. */
namespace warpline {
__device__ inline unsigned long long two_over_pi(unsigned word)
{
    static const unsigned long long table[] = { WL_TWO_OVER_PI };
    return word < 20 ? table[word] : 0;
}
/* 64 bits of 2/pi from bit `from` on, bit 0 being worth 1/2; negative positions are zeros. */
__device__ inline unsigned long long two_over_pi_bits(int from)
{
    if (from <= -64)
        return 0;
    if (from < 0)
        return two_over_pi(0) >> -from;
    const unsigned word = (unsigned)from >> 6, shift = (unsigned)from & 63;
    const unsigned long long first = two_over_pi(word);
    return shift ? first << shift | two_over_pi(word + 1) >> (64 - shift) : first;
}
/* |x| = mantissa 2^exponent, an integer times a power, far too large for a plain reduction: the quadrant modulo 4, and the
 * rest as a fraction of a quadrant in [-1/2, 1/2] with 64 bits. Bits of 2/pi worth 4 quadrants or more are left out. */
__device__ inline int reduce_far(unsigned long long mantissa, int exponent, double *fraction)
{
    /* Bit p of 2/pi times the lowest mantissa bit is worth 2^(exponent - p - 1): start where that is 2^1. */
    const int start = exponent - 2;
    const unsigned long long w0 = two_over_pi_bits(start), w1 = two_over_pi_bits(start + 64), w2 = two_over_pi_bits(start + 128);
    const unsigned long long low = __nv_umul64hi(mantissa, w2);
    const unsigned long long middle = mantissa * w1 + low;
    const unsigned long long high = mantissa * w0 + __nv_umul64hi(mantissa, w1) + (middle < low ? 1 : 0);
    unsigned long long whole = high >> 62, part = high << 2 | middle >> 62;
    const bool round_up = part >> 63;
    *fraction = (double)(long long)part * 0x1p-64 + (double)(middle << 2) * 0x1p-128;
    return (int)((whole + (round_up ? 1 : 0)) & 3);
}
/* Quadrant, and the rest of the angle in [-pi/4, pi/4]. */
__device__ inline int reduce_angle(float x, float *r)
{
    if (__nv_fabsf(x) < 48000.0f) {
        const float n = __nv_rintf(x * 0.636619772f);
        *r = __builtin_fmaf(n, 1.71512451e-15f,
                            __builtin_fmaf(n, 4.37113883e-8f, __builtin_fmaf(n, -1.57079637f, x))); /* pi/2 in three parts */
        return (int)n;
    }
    if (!__nv_finitef(x)) {
        *r = __builtin_nanf("");
        return 0;
    }
    const int bits = __nv_float_as_int(x);
    double fraction;
    const int quadrant = reduce_far((unsigned)(bits & 0x7fffff) | 0x800000u, ((bits >> 23) & 0xff) - 150, &fraction);
    const float angle = (float)(fraction * 1.5707963267948966);
    *r = bits < 0 ? -angle : angle;
    return bits < 0 ? -quadrant : quadrant;
}
__device__ inline float sine_small(float r)
{
    const float z = r * r;
    return __builtin_fmaf(r * z, hornerf(z, WL_F_SIN), r);
}
__device__ inline float cosine_small(float r)
{
    const float z = r * r;
    return __builtin_fmaf(z * z, hornerf(z, WL_F_COS), __builtin_fmaf(z, -0.5f, 1.0f));
}
__device__ inline float sine_in_quadrant(int quadrant, float r)
{
    const float y = quadrant & 1 ? cosine_small(r) : sine_small(r);
    return quadrant & 2 ? -y : y;
}
} /* namespace warpline */
WL_DEVICE_LARGE float __nv_sinf(float x)
{
    float r;
    const int quadrant = warpline::reduce_angle(x, &r);
    return x == 0.0f ? x : warpline::sine_in_quadrant(quadrant, r);
}
WL_DEVICE_LARGE float __nv_cosf(float x)
{
    float r;
    const int quadrant = warpline::reduce_angle(x, &r);
    return warpline::sine_in_quadrant(quadrant + 1, r);
}
WL_DEVICE_LARGE void __nv_sincosf(float x, float *s, float *c)
{
    float r;
    const int quadrant = warpline::reduce_angle(x, &r);
    *s = x == 0.0f ? x : warpline::sine_in_quadrant(quadrant, r);
    *c = warpline::sine_in_quadrant(quadrant + 1, r);
}
WL_DEVICE_LARGE float __nv_tanf(float x)
{
    float r;
    const int quadrant = warpline::reduce_angle(x, &r);
    const float s = warpline::sine_small(r), c = warpline::cosine_small(r);
    return x == 0.0f ? x : quadrant & 1 ? -c / s : s / c;
}
WL_DEVICE_LARGE void __nv_sincospif(float x, float *s, float *c)
{
    const float n = __nv_rintf(2.0f * x);
    const float r = __builtin_fmaf(n, -0.5f, x) * 3.14159265f;
    const int quadrant = (int)(n - 4.0f * __nv_floorf(n * 0.25f));
    const float nan = x - x; /* NaN for infinities */
    *s = warpline::sine_in_quadrant(quadrant, r) + nan;
    *c = warpline::sine_in_quadrant(quadrant + 1, r) + nan;
}
WL_DEVICE_LARGE float __nv_sinpif(float x) { float s, c; __nv_sincospif(x, &s, &c); return s; }
WL_DEVICE_LARGE float __nv_cospif(float x) { float s, c; __nv_sincospif(x, &s, &c); return c; }
WL_DEVICE_LARGE float __nv_atanf(float x)
{
    const float a = __nv_fabsf(x);
    const bool far = a > 1.0f;
    const float t = far ? 1.0f / a : a, z = t * t;
    float y = __builtin_fmaf(t * z, warpline::hornerf(z, WL_F_ATAN), t);
    if (far)
        y = 1.57079637f - y;
    return x != x ? x : __nv_copysignf(y, x);
}
WL_DEVICE_LARGE float __nv_atan2f(float y, float x)
{
    const float ax = __nv_fabsf(x), ay = __nv_fabsf(y);
    if (x != x || y != y)
        return x + y;
    const float large = __nv_fmaxf(ax, ay), small = __nv_fminf(ax, ay);
    const float t = large == 0.0f ? 0.0f : large == small ? 1.0f : small / large, z = t * t;
    float r = __builtin_fmaf(t * z, warpline::hornerf(z, WL_F_ATAN), t);
    if (ay > ax)
        r = 1.57079637f - r;
    if (__nv_signbitf(x))
        r = 3.14159274f - r;
    return __nv_copysignf(r, y);
}
WL_DEVICE_LARGE float __nv_asinf(float x)
{
    const float a = __nv_fabsf(x);
    const bool far = a > 0.5f;
    const float z = far ? 0.5f * (1.0f - a) : a * a, t = far ? __nv_sqrtf(z) : a;
    const float p = __builtin_fmaf(t * z, warpline::hornerf(z, WL_F_ASIN), t);
    const float y = far ? __builtin_fmaf(-2.0f, p, 1.57079637f) : p;
    return __nv_copysignf(y, x);
}
WL_DEVICE_LARGE float __nv_acosf(float x)
{
    const float a = __nv_fabsf(x);
    const bool far = a > 0.5f;
    const float z = far ? 0.5f * (1.0f - a) : a * a, t = far ? __nv_sqrtf(z) : a;
    const float p = __builtin_fmaf(t * z, warpline::hornerf(z, WL_F_ASIN), t);
    if (far)
        return x > 0.0f ? 2.0f * p : __builtin_fmaf(-2.0f, p, 3.14159274f);
    return 1.57079637f - (x < 0.0f ? -p : p);
}

/* Hyperbolic functions. */
WL_DEVICE_LARGE float __nv_sinhf(float x)
{
    const float a = __nv_fabsf(x);
    float y;
    if (a < 88.0f) {
        const float t = __nv_expm1f(a);
        y = 0.5f * (t + t / (t + 1.0f));
    } else {
        const float h = __nv_expf(0.5f * a);
        y = 0.5f * h * h;
    }
    return __nv_copysignf(y, x);
}
WL_DEVICE_LARGE float __nv_coshf(float x)
{
    const float a = __nv_fabsf(x);
    if (a < 88.0f) {
        const float t = __nv_expf(a);
        return 0.5f * t + 0.5f / t;
    }
    const float h = __nv_expf(0.5f * a); /* e^|x| would overflow before the result does */
    return 0.5f * h * h;
}
WL_DEVICE_LARGE float __nv_tanhf(float x)
{
    const float a = __nv_fabsf(x), t = __nv_expm1f(2.0f * a);
    return __nv_copysignf(a > 10.0f ? 1.0f : x != x ? x : t / (t + 2.0f), x);
}
WL_DEVICE_LARGE float __nv_asinhf(float x)
{
    const float a = __nv_fabsf(x);
    const float y = a > 1e18f ? __nv_logf(a) + 0.693147182f : __nv_log1pf(a + a * a / (1.0f + __nv_sqrtf(__builtin_fmaf(a, a, 1.0f))));
    return __nv_copysignf(y, x);
}
WL_DEVICE_LARGE float __nv_acoshf(float x)
{
    const float t = x - 1.0f;
    return x > 1e18f ? __nv_logf(x) + 0.693147182f : __nv_log1pf(t + __nv_sqrtf(__builtin_fmaf(t, t, 2.0f * t)));
}
WL_DEVICE_LARGE float __nv_atanhf(float x)
{
    const float a = __nv_fabsf(x);
    return __nv_copysignf(0.5f * __nv_log1pf(2.0f * a / (1.0f - a)), x);
}

/* Error functions. */
WL_DEVICE_LARGE float __nv_erfcxf(float x)
{
    const float a = __nv_fabsf(x);
    const float t = a > 1e10f ? 1.0f : (a - 4.0f) / (a + 4.0f);
    const float y = warpline::hornerf(t, WL_F_ERFCX) / __builtin_fmaf(2.0f, a, 1.0f);
    if (x >= 0.0f)
        return y;
    const float square = x * x, rest = __builtin_fmaf(x, x, -square);
    const float e = 2.0f * __nv_expf(square);
    return x != x ? x : __nv_finitef(e) ? __builtin_fmaf(e, rest, e) - y : e;
}
WL_DEVICE_LARGE float __nv_erfcf(float x)
{
    const float a = __nv_fminf(__nv_fabsf(x), 15.0f);
    const float t = (a - 4.0f) / (a + 4.0f);
    const float square = a * a, rest = __builtin_fmaf(a, a, -square);
    const float e = __nv_expf(-square);
    const float y = __builtin_fmaf(e, -rest, e) * warpline::hornerf(t, WL_F_ERFCX) / __builtin_fmaf(2.0f, a, 1.0f);
    if (a < 0.4f) /* next to 1 the other form is better */
        return 1.0f - x * warpline::hornerf(square, WL_F_ERF);
    return x != x ? x : x < 0.0f ? 2.0f - y : y;
}
WL_DEVICE_LARGE float __nv_erff(float x)
{
    const float a = __nv_fabsf(x);
    return a < 1.0f ? x * warpline::hornerf(a * a, WL_F_ERF) : x != x ? x : __nv_copysignf(1.0f - __nv_erfcf(a), x);
}
WL_DEVICE float __nv_normcdff(float x) { return 0.5f * __nv_erfcf(x * -0.707106781f); }

/* Roots and norms. */
WL_DEVICE_LARGE float __nv_cbrtf(float x)
{
    const float a = __nv_fabsf(x);
    if (a == 0.0f || !__nv_finitef(a))
        return x;
    const float y = __nv_approx_ex2f(__nv_approx_lg2f(a) * 0.333333333f);
    return __nv_copysignf(__builtin_fmaf(-(__builtin_fmaf(y * y, y, -a)) / (3.0f * y * y), 1.0f, y), x);
}
WL_DEVICE float __nv_rcbrtf(float x) { return 1.0f / __nv_cbrtf(x); }
namespace warpline {
/* A power of two that brings `largest` near 1, so that squares neither overflow nor vanish. */
__device__ inline float safe_scale(float largest)
{
    const int e = (__nv_float_as_int(largest) >> 23) - 127;
    return __nv_int_as_float((127 - (e > 126 ? 126 : e < -126 ? -126 : e)) << 23);
}
__device__ inline float norm_of(const float *v, int n)
{
    float largest = 0.0f, sum = 0.0f;
    for (int i = 0; i < n; i++)
        largest = __nv_fmaxf(largest, __nv_fabsf(v[i]));
    if (largest == __builtin_inff() || largest == 0.0f)
        return largest;
    const float scale = safe_scale(largest);
    for (int i = 0; i < n; i++) {
        const float s = v[i] * scale;
        sum = __builtin_fmaf(s, s, sum);
    }
    return __nv_sqrtf(sum) / scale;
}
} /* namespace warpline */
WL_DEVICE_LARGE float __nv_hypotf(float a, float b) { const float v[2] = { a, b }; return warpline::norm_of(v, 2); }
WL_DEVICE_LARGE float __nv_norm3df(float a, float b, float c) { const float v[3] = { a, b, c }; return warpline::norm_of(v, 3); }
WL_DEVICE_LARGE float __nv_norm4df(float a, float b, float c, float d)
{ const float v[4] = { a, b, c, d }; return warpline::norm_of(v, 4); }
WL_DEVICE_LARGE float __nv_normf(int n, const float *v) { return warpline::norm_of(v, n); }
WL_DEVICE float __nv_rhypotf(float a, float b) { return 1.0f / __nv_hypotf(a, b); }
WL_DEVICE float __nv_rnorm3df(float a, float b, float c) { return 1.0f / __nv_norm3df(a, b, c); }
WL_DEVICE float __nv_rnorm4df(float a, float b, float c, float d) { return 1.0f / __nv_norm4df(a, b, c, d); }
WL_DEVICE float __nv_rnormf(int n, const float *v) { return 1.0f / __nv_normf(n, v); }

/* Parts, remainders, rounding. */
WL_DEVICE float __nv_roundf(float x)
{
    const float a = __nv_fabsf(x), t = __nv_truncf(a);
    return a < 8388608.0f ? __nv_copysignf(a - t >= 0.5f ? t + 1.0f : t, x) : x;
}
WL_DEVICE long long __nv_llroundf(float x) { return __nv_float2ll_rz(__nv_roundf(x)); }
WL_DEVICE long long __nv_llrintf(float x) { return __nv_float2ll_rn(x); }
WL_DEVICE float __nv_fdimf(float a, float b) { return a > b ? a - b : a != a || b != b ? a + b : 0.0f; }
WL_DEVICE_LARGE float __nv_ldexpf(float x, int n)
{
    const int k = n > 300 ? 300 : n < -300 ? -300 : n, third = k / 3;
    const float p = __nv_int_as_float((third + 127) << 23);
    return x * p * p * __nv_int_as_float((k - 2 * third + 127) << 23);
}
WL_DEVICE float __nv_scalbnf(float x, int n) { return __nv_ldexpf(x, n); }
WL_DEVICE_LARGE float __nv_frexpf(float x, int *e)
{
    *e = 0;
    if (x == 0.0f || !__nv_finitef(x))
        return x;
    const bool tiny = __nv_fabsf(x) < 1.17549435e-38f;
    const int bits = __nv_float_as_int(tiny ? x * 8388608.0f : x);
    *e = ((bits >> 23) & 0xff) - 126 - (tiny ? 23 : 0);
    return __nv_int_as_float((bits & (int)0x807fffff) | 0x3f000000);
}
WL_DEVICE_LARGE int __nv_ilogbf(float x)
{
    if (x == 0.0f || x != x)
        return (int)0x80000000;
    if (!__nv_finitef(x))
        return 0x7fffffff;
    int e;
    (void)__nv_frexpf(x, &e);
    return e - 1;
}
WL_DEVICE float __nv_logbf(float x)
{ return x == 0.0f ? -__builtin_inff() : !__nv_finitef(x) ? x * x : (float)__nv_ilogbf(x); }
WL_DEVICE float __nv_modff(float x, float *whole)
{
    *whole = __nv_truncf(x);
    return __nv_copysignf(__nv_finitef(x) ? x - *whole : x != x ? x : 0.0f, x);
}
WL_DEVICE_LARGE float __nv_nextafterf(float x, float y)
{
    if (x != x || y != y)
        return x + y;
    if (x == y)
        return y;
    if (x == 0.0f)
        return __nv_int_as_float(y > 0.0f ? 1 : (int)0x80000001);
    const int bits = __nv_float_as_int(x);
    return __nv_int_as_float((x < y) == (bits >= 0) ? bits + 1 : bits - 1);
}
/* Float remainders are exact in double arithmetic only for near exponents: divide long-hand, bit by bit. */
namespace warpline {
__device__ inline float long_division(float x, float y, unsigned *quotient) /* x, y finite, y > 0, x >= 0 */
{
    *quotient = 0;
    if (x < y)
        return x;
    int ex, ey;
    float r = __nv_frexpf(x, &ex);
    const float d = __nv_frexpf(y, &ey); /* both in [1/2, 1) */
    for (int steps = ex - ey; steps >= 0; steps--) {
        *quotient <<= 1;
        if (r >= d) {
            r -= d;
            *quotient |= 1;
        }
        if (steps)
            r *= 2.0f;
    }
    return __nv_ldexpf(r, ey);
}
} /* namespace warpline */
WL_DEVICE_LARGE float __nv_fmodf(float x, float y)
{
    if (x != x || y != y || !__nv_finitef(x) || y == 0.0f)
        return __builtin_nanf("");
    unsigned quotient;
    return __nv_finitef(y) ? __nv_copysignf(warpline::long_division(__nv_fabsf(x), __nv_fabsf(y), &quotient), x) : x;
}
WL_DEVICE_LARGE float __nv_remquof(float x, float y, int *quotient)
{
    *quotient = 0;
    if (x != x || y != y || !__nv_finitef(x) || y == 0.0f)
        return __builtin_nanf("");
    if (!__nv_finitef(y))
        return x;
    unsigned q;
    const float ay = __nv_fabsf(y);
    float r = warpline::long_division(__nv_fabsf(x), ay, &q);
    if (r > ay - r || (r == ay - r && (q & 1))) {
        r -= ay;
        q++;
    }
    *quotient = __nv_signbitf(x) == __nv_signbitf(y) ? (int)(q & 0x7fffffff) : -(int)(q & 0x7fffffff);
    return __nv_signbitf(x) ? -r : r;
}
WL_DEVICE float __nv_remainderf(float x, float y) { int q; return __nv_remquof(x, y, &q); }
