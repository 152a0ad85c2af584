// Bessel functions and the gamma functions in double against the host's. Errors are measured against the amplitude of the function, since
// next to its zeros no digit of the host's own result is sure.
#include "check.h"
#include <vector>

enum { N = 4096 };

template <class F, class T> __global__ void apply(F f, const T *in, T *out)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = f(in[i]);
}

template <class T> struct Trial {
    T *in = on_device<T>(nullptr, N), *out = on_device<T>(nullptr, N);
    std::vector<T> x = std::vector<T>(N), y = std::vector<T>(N);
    template <class F, class W, class A> void run(const char *name, F f, W wanted, A amplitude, double low, double high, double bound)
    {
        double worst = 0, at = 0;
        for (int i = 0; i < N; i++)
            x[i] = (T)(low * pow(high / low, i / (double)(N - 1)));
        CALL(cudaMemcpy(in, x.data(), N * sizeof(T), cudaMemcpyHostToDevice));
        apply<<<N / 256, 256>>>(f, in, out);
        LAUNCHED();
        to_host(y.data(), out, N);
        for (int i = 0; i < N; i++) {
            const double error = fabs((double)y[i] - wanted((double)x[i])) / amplitude((double)x[i], wanted((double)x[i]));
            if (!(error <= worst)) {
                worst = error;
                at = x[i];
            }
        }
#if defined(__NVCC__)
        bound = fmax(bound, sizeof(T) == 4 ? 1e-3 : 1e-11); // NVIDIA's own functions lose digits with growing arguments
#endif
        if (!(worst <= bound)) {
            printf("%s: error %g at %.17g, allowed %g\n", name, worst, at, bound);
            exit(1);
        }
    }
};

// What errors are measured against: the height of the waves, for functions that grow also the value.
static double waves(double x, double) { return fmin(1.0, sqrt(0.64 / x)); }
static double waves_or_value(double x, double value) { return fmax(fabs(value), waves(x, value)); }
static double value_or_one(double, double value) { return fmax(fabs(value), 1.0); }

int main()
{
    Trial<double> d;
    Trial<float> f;
#define BOTH(name, call, host, amplitude, low, high, bound)                                                                                   \
    d.run(#name, [] __device__(double x) { return call; }, [](double x) { return host; }, amplitude, low, high, bound);
#define SINGLE(name, call, host, amplitude, low, high, bound)                                                                                 \
    f.run(#name, [] __device__(float x) { return call; }, [](double x) { return host; }, amplitude, low, high, bound);
    BOTH(j0, j0(x), j0(x), waves, 1e-12, 1e4, 5e-15)
    BOTH(j1, j1(x), j1(x), waves, 1e-12, 1e4, 5e-15)
    BOTH(jn of order 7, jn(7, x), jn(7, x), waves, 1e-3, 1e3, 6e-15)
    BOTH(jn of order 40, jn(40, x), jn(40, x), waves, 1e-2, 200, 6e-15)
    BOTH(y0, y0(x), y0(x), waves_or_value, 1e-12, 1e4, 6e-15)
    BOTH(y1, y1(x), y1(x), waves_or_value, 1e-12, 1e4, 6e-15)
    BOTH(yn of order 5, yn(5, x), yn(5, x), waves_or_value, 1e-3, 1e3, 2e-14)
    BOTH(lgamma, lgamma(x), lgamma(x), value_or_one, 1e-6, 1e6, 1e-14)
    BOTH(tgamma, tgamma(x), tgamma(x), value_or_one, 1e-6, 170, 5e-14)
    BOTH(lgamma below zero, lgamma(-x), lgamma(-x), value_or_one, 0.01, 30.37, 2e-13)
    SINGLE(j0f, j0f(x), j0(x), waves, 1e-6, 1e4, 1.2e-7)
    SINGLE(j1f, j1f(x), j1(x), waves, 1e-6, 1e4, 1.2e-7)
    SINGLE(jnf, jnf(3, x), jn(3, x), waves, 1e-6, 1e3, 1.2e-7)
    SINGLE(y0f, y0f(x), y0(x), waves_or_value, 1e-6, 1e4, 1.2e-7)
    SINGLE(y1f, y1f(x), y1(x), waves_or_value, 1e-6, 1e4, 1.2e-7)
    SINGLE(ynf, ynf(3, x), yn(3, x), waves_or_value, 1e-3, 1e3, 1.2e-7)
    SINGLE(cyl_bessel_i0f, cyl_bessel_i0f(x), std::cyl_bessel_i(0.0, x), value_or_one, 1e-6, 80, 3e-7)
    SINGLE(cyl_bessel_i1f, cyl_bessel_i1f(x), std::cyl_bessel_i(1.0, x), value_or_one, 1e-6, 80, 3e-7)
    return done();
}
