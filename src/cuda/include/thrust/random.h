/* Engines and distributions that threads use too. They draw the numbers that Thrust draws: programs print them. Of its engines there
 * are the two linear congruences; one that is not here does not compile. */
#ifndef WARPLINE_THRUST_RANDOM_H
#define WARPLINE_THRUST_RANDOM_H
#include "warpline_iterators.h"
#include <cmath>
namespace thrust {
namespace random {
template <unsigned multiplier> class congruence {
    unsigned state;

public:
    typedef unsigned result_type;
    enum : unsigned { modulus = 2147483647, min = 1, max = modulus - 1 };
    static constexpr unsigned default_seed = 1;
    __host__ __device__ explicit congruence(unsigned s = 1) { seed(s); }
    __host__ __device__ void seed(unsigned s = 1) { state = s % modulus ? s % modulus : 1; }
    __host__ __device__ unsigned operator()() { return state = (unsigned)((unsigned long long)multiplier * state % modulus); }
    __host__ __device__ void discard(unsigned long long n)
    {
        for (unsigned long long factor = multiplier; n; n /= 2, factor = factor * factor % modulus)
            if (n & 1)
                state = (unsigned)(factor * state % modulus);
    }
};
typedef congruence<16807> minstd_rand0;
typedef congruence<48271> minstd_rand, default_random_engine;

/* One draw, in [0, 1) but for rounding. */
template <class T, class G> __host__ __device__ inline T unit(G &g) { return (T)(g() - G::min) / ((T)1 + (T)(G::max - G::min)); }

template <class T = double> class uniform_real_distribution {
    T low, high;

public:
    typedef T result_type;
    __host__ __device__ explicit uniform_real_distribution(T a = 0, T b = 1) : low(a), high(b) {}
    template <class G> __host__ __device__ T operator()(G &g) { return unit<T>(g) * (high - low) + low; }
};
template <class T = int> class uniform_int_distribution {
    T low, high;

public:
    typedef T result_type;
    __host__ __device__ explicit uniform_int_distribution(T a = 0, T b = std::numeric_limits<T>::max()) : low(a), high(b) {}
    template <class G> __host__ __device__ T operator()(G &g) { return (T)uniform_real_distribution<double>((double)low, (double)high + 1.0)(g); }
};

/* x with erfc(x) = p, for p in (0, 1]. Hosts have no such function: Newton's steps from 0 come from below and never go too far, since
 * erfc falls ever more slowly. */
__host__ __device__ inline double inverse_erfc(double p)
{
#ifdef __CUDA_ARCH__
    return ::erfcinv(p);
#else
    double x = 0.0;
    for (int i = 0; i < 100; i++) {
        const double step = (::erfc(x) - p) * 0.886226925452758014 * ::exp(x * x);
        x += step;
        if (::fabs(step) <= 1e-16 * x)
            break;
    }
    return x;
#endif
}
/* One draw: the lower half of the engine's numbers is above the mean. */
template <class T = double> class normal_distribution {
    T mean, deviation;

public:
    typedef T result_type;
    __host__ __device__ explicit normal_distribution(T m = 0, T d = 1) : mean(m), deviation(d) {}
    template <class G> __host__ __device__ T operator()(G &g)
    {
        const unsigned range = G::max - G::min, drawn = g() - G::min;
        const bool upper = drawn > range / 2;
        const T width = (T)(1.0 / (double)range), root = (T)1.4142135623730950488, p = (T)(upper ? range - drawn : drawn) * width + width / 2;
        return mean + deviation * (upper ? root : -root) * (T)inverse_erfc(2 * p);
    }
};
}
using random::default_random_engine;
using random::minstd_rand;
using random::minstd_rand0;
using random::normal_distribution;
using random::uniform_int_distribution;
using random::uniform_real_distribution;
}
#endif
