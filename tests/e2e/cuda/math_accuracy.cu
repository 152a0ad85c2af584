// Every mathematical function against the host's, with the error bound that docs/running.md gives.
// The bounds are in units of the last place of the host's result; results below 1e-30 are left out.
#include "check.h"
#include <vector>
#define FUNCTIONS(F, D)                                                                                                         \
    F(expf, exp, -80, 80, 2) F(exp2f, exp2, -100, 100, 3) F(expm1f, expm1, -10, 50, 2) F(logf, log, 1e-6, 100, 2)               \
    F(log2f, log2, 1e-6, 100, 3) F(log10f, log10, 1e-6, 100, 4) F(log1pf, log1p, -0.9, 50, 2) F(sinf, sin, -300, 300, 2)        \
    F(cosf, cos, -300, 300, 2) F(tanf, tan, -50, 50, 4) F(sinf, sin, -1e7, 1e7, 2) F(asinf, asin, -1, 1, 3)                     \
    F(acosf, acos, -1, 1, 2) F(atanf, atan, -50, 50, 2) F(sinhf, sinh, -80, 80, 3) F(coshf, cosh, -80, 80, 3)                   \
    F(tanhf, tanh, -8, 8, 3) F(asinhf, asinh, -1e3, 1e3, 3) F(acoshf, acosh, 1, 1e3, 3) F(atanhf, atanh, -0.99, 0.99, 3)        \
    F(erff, erf, -4, 4, 3) F(erfcf, erfc, -3, 8, 6) F(cbrtf, cbrt, -1e6, 1e6, 2) F(sqrtf, sqrt, 0, 1e6, 1)                      \
    F(lgammaf, lgamma, 0.5, 30, 6) F(tgammaf, tgamma, 0.5, 30, 5) F(floorf, floor, -9, 9, 0) F(ceilf, ceil, -9, 9, 0)           \
    F(roundf, round, -9, 9, 0) F(truncf, trunc, -9, 9, 0) F(rintf, rint, -9, 9, 0) F(fabsf, fabs, -9, 9, 0)                     \
    D(exp, expl, -700, 700, 2) D(exp2, exp2l, -1000, 1000, 2) D(expm1, expm1l, -30, 600, 3) D(log, logl, 1e-6, 1e6, 2)          \
    D(log2, log2l, 1e-6, 1e6, 2) D(log10, log10l, 1e-6, 1e6, 2) D(log1p, log1pl, -0.9, 50, 2) D(sin, sinl, -1e5, 1e5, 2)        \
    D(cos, cosl, -1e5, 1e5, 2) D(tan, tanl, -50, 50, 4) D(sin, sinl, -1e15, 1e15, 3) D(asin, asinl, -1, 1, 3)                   \
    D(acos, acosl, -1, 1, 2) D(atan, atanl, -50, 50, 2) D(sinh, sinhl, -600, 600, 3) D(cosh, coshl, -600, 600, 3)               \
    D(tanh, tanhl, -10, 10, 3) D(asinh, asinhl, -1e3, 1e3, 3) D(acosh, acoshl, 1, 1e3, 3) D(atanh, atanhl, -0.99, 0.99, 3)      \
    D(erf, erfl, -5, 5, 2) D(erfc, erfcl, -4, 8, 8) D(cbrt, cbrtl, -1e9, 1e9, 2) D(sqrt, sqrtl, 0, 1e9, 1)                      \
    D(tgamma, tgammal, 0.5, 100, 40) D(floor, floorl, -9, 9, 0) D(round, roundl, -9, 9, 0) D(rsqrt, rsqrtl, 1e-3, 1e6, 2)
static long double rsqrtl(long double x) { return 1 / sqrtl(x); }
enum { N = 2048 };
template <class T, class F> __global__ void apply(F f, const T *in, T *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = f(in[i]);
}
static unsigned long long state = 1;
static double uniform()
{
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return (double)(state >> 11) * 0x1p-53;
}
static double last_place(float x) { x = fabsf(x); return (double)nextafterf(x, INFINITY) - (double)x; }
static double last_place(double x) { x = fabs(x); return nextafter(x, INFINITY) - x; }
template <class T, class W> static void verify(const char *name, const T *in, const T *out, W wanted, double bound)
{
    double worst = 0, at = 0;
    for (int i = 0; i < N; i++) {
        const long double w = wanted(in[i]);
        if (fabsl(w) < 1e-30L)
            continue;
        const double error = (double)(fabsl((long double)out[i] - w)) / last_place((T)w);
        if (!(error <= worst)) {
            worst = error;
            at = in[i];
        }
    }
    if (!(worst <= bound + 0.5)) { // half a unit is the host's own rounding
        printf("%s: %.2f units in the last place at %.17g, allowed %g\n", name, worst, at, bound);
        exit(1);
    }
}
template <class T> struct buffers {
    T *in, *out;
    std::vector<T> hin, hout;
    buffers() : in(on_device<T>(nullptr, N)), out(on_device<T>(nullptr, N)), hin(N), hout(N) {}
    void fill(double low, double high)
    {
        for (int i = 0; i < N; i++)
            hin[i] = (T)(low + uniform() * (high - low));
        CALL(cudaMemcpy(in, hin.data(), N * sizeof(T), cudaMemcpyHostToDevice));
    }
};
struct powers { __device__ float operator()(float x) const { return powf(x, 2.7f); } };
struct powers_d { __device__ double operator()(double x) const { return pow(x, -3.3); } };
struct quotient { __device__ float operator()(float x) const { return atan2f(x, 3.0f); } };
struct remains { __device__ float operator()(float x) const { return fmodf(x, 0.7f); } };
int main()
{
    buffers<float> f;
    buffers<double> d;
#define F(name, w, low, high, bound)                                                            \
    f.fill(low, high);                                                                          \
    apply<float><<<N / 256, 256>>>([] __device__(float x) { return name(x); }, f.in, f.out);    \
    LAUNCHED();                                                                                 \
    to_host(f.hout.data(), f.out, N);                                                           \
    verify(#name, f.hin.data(), f.hout.data(), [](float x) { return (long double)w((double)x); }, bound);
#define D(name, w, low, high, bound)                                                            \
    d.fill(low, high);                                                                          \
    apply<double><<<N / 256, 256>>>([] __device__(double x) { return name(x); }, d.in, d.out);  \
    LAUNCHED();                                                                                 \
    to_host(d.hout.data(), d.out, N);                                                           \
    verify(#name, d.hin.data(), d.hout.data(), [](double x) { return w((long double)x); }, bound);
    FUNCTIONS(F, D)
    f.fill(1e-3, 1e3);
    apply<float><<<N / 256, 256>>>(powers(), f.in, f.out);
    LAUNCHED();
    to_host(f.hout.data(), f.out, N);
    verify("powf", f.hin.data(), f.hout.data(), [](float x) { return (long double)pow((double)x, (double)2.7f); }, 4);
    apply<float><<<N / 256, 256>>>(quotient(), f.in, f.out);
    LAUNCHED();
    to_host(f.hout.data(), f.out, N);
    verify("atan2f", f.hin.data(), f.hout.data(), [](float x) { return (long double)atan2((double)x, 3.0); }, 3);
    apply<float><<<N / 256, 256>>>(remains(), f.in, f.out);
    LAUNCHED();
    to_host(f.hout.data(), f.out, N);
    verify("fmodf", f.hin.data(), f.hout.data(), [](float x) { return (long double)fmodf(x, 0.7f); }, 0);
    d.fill(1e-3, 1e3);
    apply<double><<<N / 256, 256>>>(powers_d(), d.in, d.out);
    LAUNCHED();
    to_host(d.hout.data(), d.out, N);
    verify("pow", d.hin.data(), d.hout.data(), [](double x) { return powl(x, (long double)-3.3); }, 8);
    return done();
}
