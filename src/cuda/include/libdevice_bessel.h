/* libdevice_bessel.h - Bessel functions, from their recurrences and series (DLMF 10.2 to 10.23). Part of libdevice_double.h.
 *
 * Below 25 all orders come at once from the backward recurrence, which is stable, scaled by J0 + 2 (J2 + J4 + ...) = 1; Neumann's
 * series of these give Y0 and Y1. Above, Hankel's expansion has terms enough. Errors are absolute, in units of the amplitude
 * sqrt(2 / (pi x)): next to a zero the result has that many digits fewer. */
#define WL_BESSEL_FAR 25.0
namespace warpline {
struct bessel {
    double j0, j1, jn, y0, y1;
};
/* x > 0. An order to begin from so far above x and n that its value is nothing. */
__device__ inline int bessel_start(double x, int n)
{
    const int top = n > (int)x ? n : (int)x;
    return (top + 30 + (int)__nv_sqrt(40.0 * top)) & ~1;
}
/* Backward from an even order; 1e-9 < x. */
__device__ inline bessel bessel_backward(double x, int n)
{
    const double twice = 2.0 / x;
    double above = 0.0, here = 1e-300, even_sum = 0.0, y0_sum = 0.0, y1_sum = 0.0, wanted = 0.0, first = 0.0;
    for (int k = bessel_start(x, n); k > 0; k--) {
        if (k == n)
            wanted = here;
        if (k == 1)
            first = here;
        const int half = k / 2;
        const double sign = half & 1 ? -1.0 : 1.0;
        if (k & 1) {
            if (half)
                y1_sum += sign * here * (double)k / (double)(half * (half + 1));
        } else {
            even_sum += here;
            y0_sum += sign * here / (double)half;
        }
        const double below = (double)k * twice * here - above;
        above = here;
        here = below;
        if (__nv_fabs(here) > 1e250) { /* the start was too high for so small an x: drop what has become nothing */
            here *= 1e-250;
            above *= 1e-250;
            even_sum *= 1e-250;
            y0_sum *= 1e-250;
            y1_sum *= 1e-250;
            wanted *= 1e-250;
            first *= 1e-250;
        }
    }
    const double scale = 1.0 / (here + 2.0 * even_sum), pi = 3.1415926535897931, euler = 0.57721566490153287;
    const double logarithm = __nv_log(0.5 * x) + euler;
    bessel b;
    b.j0 = here * scale;
    b.j1 = first * scale;
    b.jn = wanted * scale;
    b.y0 = 2.0 / pi * (logarithm * b.j0 - 2.0 * y0_sum * scale);
    b.y1 = 2.0 / pi * (-b.j0 / x + (logarithm - 1.0) * b.j1 - y1_sum * scale);
    return b;
}
/* Hankel's expansion: order 0 or 1, x >= WL_BESSEL_FAR. */
__device__ inline void bessel_far(double x, int order, double *j, double *y)
{
    const double mu = 4.0 * order, eighth = 0.125 / x;
    double term = 1.0, p = 1.0, q = 0.0;
    for (int k = 1; k < 22; k++) {
        const double odd = 2.0 * k - 1.0;
        term *= (mu - odd * odd) * eighth / (double)k;
        const double signed_term = k & 2 ? -term : term;
        if (k & 1)
            q += signed_term;
        else
            p += signed_term;
    }
    const double s = __nv_sin(x), c = __nv_cos(x), amplitude = __nv_sqrt(0.31830988618379067 / x);
    const double cosine = order ? s - c : c + s, sine = order ? -(s + c) : s - c; /* of x - pi/4 and x - 3 pi/4, times sqrt 2 */
    *j = amplitude * (p * cosine - q * sine);
    *y = amplitude * (p * sine + q * cosine);
}
__device__ inline bessel bessel_both(double x, int n)
{
    bessel b;
    if (x < WL_BESSEL_FAR)
        return bessel_backward(x, n);
    bessel_far(x, 0, &b.j0, &b.y0);
    bessel_far(x, 1, &b.j1, &b.y1);
    b.jn = 0.0;
    return b;
}
} /* namespace warpline */
WL_DEVICE_LARGE double __nv_j0(double x)
{
    const double a = __nv_fabs(x);
    return x != x ? x : a > 1e300 ? 0.0 : a < 1e-9 ? 1.0 : warpline::bessel_both(a, 0).j0;
}
WL_DEVICE_LARGE double __nv_j1(double x)
{
    const double a = __nv_fabs(x);
    return x != x ? x : a > 1e300 ? 0.0 : a < 1e-9 ? 0.5 * x : __nv_copysign(1.0, x) * warpline::bessel_both(a, 0).j1;
}
WL_DEVICE_LARGE double __nv_y0(double x)
{
    if (!(x > 0.0))
        return x == 0.0 ? -__builtin_inf() : __builtin_nan("");
    return x > 1e300 ? 0.0 : x < 1e-9 ? 0.63661977236758138 * (__nv_log(x) - 0.11593151565841245) : warpline::bessel_both(x, 0).y0;
}
WL_DEVICE_LARGE double __nv_y1(double x)
{
    if (!(x > 0.0))
        return x == 0.0 ? -__builtin_inf() : __builtin_nan("");
    return x > 1e300 ? 0.0 : x < 1e-9 ? -0.63661977236758138 / x : warpline::bessel_both(x, 0).y1;
}
/* n < 0 has no meaning in CUDA. */
WL_DEVICE_LARGE double __nv_jn(int n, double x)
{
    const double a = __nv_fabs(x), sign = x < 0.0 && n & 1 ? -1.0 : 1.0;
    if (n < 0 || x != x)
        return __builtin_nan("");
    if (n < 2)
        return n ? __nv_j1(x) : __nv_j0(x);
    if (a < 1e-9 || a > 1e300)
        return a == 0.0 || a > 1e300 ? 0.0 : sign * __nv_exp((double)n * __nv_log(0.5 * a) - __nv_lgamma((double)n + 1.0));
    if (a < (double)n || a < WL_BESSEL_FAR)
        return sign * warpline::bessel_backward(a, n).jn;
    double below = __nv_j0(a), here = __nv_j1(a);
    for (int k = 1; k < n; k++) {
        const double above = 2.0 * (double)k / a * here - below;
        below = here;
        here = above;
    }
    return sign * here;
}
WL_DEVICE_LARGE double __nv_yn(int n, double x)
{
    if (n < 0 || !(x > 0.0))
        return n >= 0 && x == 0.0 ? -__builtin_inf() : __builtin_nan("");
    double below = __nv_y0(x), here = __nv_y1(x);
    if (n < 2)
        return n ? here : below;
    for (int k = 1; k < n && here > -__builtin_inf(); k++) {
        const double above = 2.0 * (double)k / x * here - below;
        below = here;
        here = above;
    }
    return here;
}
/* The modified ones: a series of positive terms, and Hankel's expansion with all its signs turned. */
namespace warpline {
__device__ inline double bessel_modified(double x, int order)
{
    const double a = __nv_fabs(x), quarter = 0.25 * a * a;
    if (x != x)
        return x;
    if (a < 30.0) {
        double term = order ? 0.5 * a : 1.0, sum = term;
        for (int k = 1; k < 80 && term > sum * 1e-18; k++) {
            term *= quarter / ((double)k * (double)(k + order));
            sum += term;
        }
        return sum;
    }
    const double mu = 4.0 * order, eighth = 0.125 / a;
    double term = 1.0, sum = 1.0;
    for (int k = 1; k < 24; k++) {
        const double odd = 2.0 * k - 1.0;
        term *= -(mu - odd * odd) * eighth / (double)k;
        sum += term;
    }
    const double root = __nv_exp(0.5 * a); /* twice: the whole would overflow before the result does */
    return root * (sum * 0.39894228040143268 / __nv_sqrt(a)) * root;
}
} /* namespace warpline */
WL_DEVICE_LARGE double __nv_cyl_bessel_i0(double x) { return warpline::bessel_modified(x, 0); }
WL_DEVICE_LARGE double __nv_cyl_bessel_i1(double x) { return __nv_copysign(1.0, x) * warpline::bessel_modified(x, 1); }
WL_DEVICE float __nv_cyl_bessel_i0f(float x) { return (float)__nv_cyl_bessel_i0((double)x); }
WL_DEVICE float __nv_cyl_bessel_i1f(float x) { return (float)__nv_cyl_bessel_i1((double)x); }
WL_DEVICE float __nv_j0f(float x) { return (float)__nv_j0((double)x); }
WL_DEVICE float __nv_j1f(float x) { return (float)__nv_j1((double)x); }
WL_DEVICE float __nv_jnf(int n, float x) { return (float)__nv_jn(n, (double)x); }
WL_DEVICE float __nv_y0f(float x) { return (float)__nv_y0((double)x); }
WL_DEVICE float __nv_y1f(float x) { return (float)__nv_y1((double)x); }
WL_DEVICE float __nv_ynf(int n, float x) { return (float)__nv_yn(n, (double)x); }
#undef WL_BESSEL_FAR
