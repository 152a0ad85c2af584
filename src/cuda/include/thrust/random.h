/* Engines and distributions that threads use too: a linear congruence, whichever engine is named. */
#ifndef WARPLINE_THRUST_RANDOM_H
#define WARPLINE_THRUST_RANDOM_H
#include "warpline_iterators.h"
namespace thrust {
namespace random {
class minstd_rand {
    unsigned state;

public:
    typedef unsigned result_type;
    enum : unsigned { min = 1, max = 2147483646 };
    static constexpr unsigned default_seed = 1;
    __host__ __device__ explicit minstd_rand(unsigned s = 1) { seed(s); }
    __host__ __device__ void seed(unsigned s = 1) { state = s % 2147483647u ? s % 2147483647u : 1; }
    __host__ __device__ unsigned operator()() { return state = (unsigned)(48271ull * state % 2147483647u); }
    __host__ __device__ void discard(unsigned long long n)
    {
        for (unsigned long long factor = 48271; n; n /= 2, factor = factor * factor % 2147483647u)
            if (n & 1)
                state = (unsigned)(factor * state % 2147483647u);
    }
};
typedef minstd_rand default_random_engine, minstd_rand0, taus88, ranlux24, ranlux48;
/* In [0, 1), of two draws. */
template <class G> __host__ __device__ inline double unit(G &g)
{
    const double high = (double)(g() - 1), low = (double)(g() - 1);
    return (high + low / 2147483646.0) / 2147483646.0;
}
template <class T = double> class uniform_real_distribution {
    T low, high;

public:
    typedef T result_type;
    __host__ __device__ explicit uniform_real_distribution(T a = 0, T b = 1) : low(a), high(b) {}
    template <class G> __host__ __device__ T operator()(G &g)
    {
        const T x = low + (high - low) * (T)unit(g);
        return x < high ? x : low; /* rounding may reach the end */
    }
};
template <class T = int> class uniform_int_distribution {
    T low, high;

public:
    typedef T result_type;
    __host__ __device__ explicit uniform_int_distribution(T a = 0, T b = std::numeric_limits<T>::max()) : low(a), high(b) {}
    template <class G> __host__ __device__ T operator()(G &g) { return (T)(low + (T)(unit(g) * ((double)high - (double)low + 1.0))); }
};
template <class T = double> class normal_distribution {
    T mean, deviation;

public:
    typedef T result_type;
    __host__ __device__ explicit normal_distribution(T m = 0, T d = 1) : mean(m), deviation(d) {}
    template <class G> __host__ __device__ T operator()(G &g)
    {
        const double u = 1.0 - unit(g), v = unit(g);
        return mean + deviation * (T)(::sqrt(-2.0 * ::log(u)) * ::cos(6.283185307179586 * v));
    }
};
}
using random::default_random_engine;
using random::minstd_rand;
using random::normal_distribution;
using random::uniform_int_distribution;
using random::uniform_real_distribution;
}
#endif
