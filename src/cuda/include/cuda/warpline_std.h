/* cuda::std over the host's standard library: what is constexpr there may be called on the device, which is most of it. */
#ifndef WARPLINE_CUDA_STD_H
#define WARPLINE_CUDA_STD_H
#include <cuda_runtime.h>
#include <algorithm>
#include <array>
#include <cassert>
#include <cfloat>
#include <chrono>
#include <climits>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <initializer_list>
#include <iterator>
#include <limits>
#include <numeric>
#include <ratio>
#include <tuple>
#include <type_traits>
#include <utility>
#if __cplusplus >= 201703L
#include <optional>
#include <variant>
#endif
#if __cplusplus >= 202002L
#include <bit>
#include <concepts>
#include <span>
#endif

namespace cuda {
namespace std {
using namespace ::std;
#if __cplusplus < 202002L
struct identity {
    using is_transparent = void;
    template <class T> __host__ __device__ constexpr T &&operator()(T &&x) const noexcept { return static_cast<T &&>(x); }
};
#endif
/* Not constexpr before C++20. */
template <class T> __host__ __device__ constexpr void swap(T &a, T &b)
{
    T kept = ::std::move(a);
    a = ::std::move(b);
    b = ::std::move(kept);
}
template <class T, class U = T> __host__ __device__ constexpr T exchange(T &object, U &&value)
{
    T kept = ::std::move(object);
    object = ::std::forward<U>(value);
    return kept;
}
#if __cplusplus < 202002L
/* The header <bit> of C++20, which libcu++ has in older ones too. */
template <class To, class From> __host__ __device__ constexpr To bit_cast(const From &from) noexcept { return __builtin_bit_cast(To, from); }
template <class T> __host__ __device__ constexpr int popcount(T x) noexcept { return __builtin_popcountll((make_unsigned_t<T>)x); }
template <class T> __host__ __device__ constexpr int countl_zero(T x) noexcept
{
    const int bits = 8 * (int)sizeof(T);
    return x == 0 ? bits : __builtin_clzll((make_unsigned_t<T>)x) - (64 - bits);
}
template <class T> __host__ __device__ constexpr int countr_zero(T x) noexcept { return x == 0 ? 8 * (int)sizeof(T) : __builtin_ctzll((make_unsigned_t<T>)x); }
template <class T> __host__ __device__ constexpr int countl_one(T x) noexcept { return countl_zero((T)~x); }
template <class T> __host__ __device__ constexpr int countr_one(T x) noexcept { return countr_zero((T)~x); }
template <class T> __host__ __device__ constexpr int bit_width(T x) noexcept { return 8 * (int)sizeof(T) - countl_zero(x); }
template <class T> __host__ __device__ constexpr bool has_single_bit(T x) noexcept { return x != 0 && (x & (T)(x - 1)) == 0; }
template <class T> __host__ __device__ constexpr T bit_floor(T x) noexcept { return x == 0 ? (T)0 : (T)((T)1 << (bit_width(x) - 1)); }
template <class T> __host__ __device__ constexpr T bit_ceil(T x) noexcept { return x <= 1 ? (T)1 : (T)((T)1 << bit_width((T)(x - 1))); }
template <class T> __host__ __device__ constexpr T rotl(T x, int by) noexcept
{
    const int bits = 8 * (int)sizeof(T), n = ((by % bits) + bits) % bits;
    return n == 0 ? x : (T)((T)(x << n) | (T)(x >> (bits - n)));
}
template <class T> __host__ __device__ constexpr T rotr(T x, int by) noexcept { return rotl(x, -(by % (8 * (int)sizeof(T)))); }
inline constexpr size_t dynamic_extent = size_t(-1);
/* What programs use of C++20's. */
template <class T, size_t N = dynamic_extent> class span {
public:
    using element_type = T;
    using value_type = remove_cv_t<T>;
    using size_type = size_t;
    using iterator = T *;
    __host__ __device__ constexpr span() : first(nullptr), count(0) {}
    __host__ __device__ constexpr span(T *p, size_t n) : first(p), count(n) {}
    __host__ __device__ constexpr span(T *p, T *end) : first(p), count(size_t(end - p)) {}
    template <size_t M> __host__ __device__ constexpr span(T (&a)[M]) : first(a), count(M) {}
    template <size_t M> __host__ __device__ constexpr span(array<value_type, M> &a) : first(a.data()), count(M) {}
    template <class U, size_t M, class = enable_if_t<is_convertible<U (*)[], T (*)[]>::value>>
    __host__ __device__ constexpr span(const span<U, M> &other) : first(other.data()), count(other.size()) {}
    __host__ __device__ constexpr T &operator[](size_t i) const { return first[i]; }
    __host__ __device__ constexpr T &front() const { return first[0]; }
    __host__ __device__ constexpr T &back() const { return first[count - 1]; }
    __host__ __device__ constexpr T *data() const { return first; }
    __host__ __device__ constexpr size_t size() const { return count; }
    __host__ __device__ constexpr size_t size_bytes() const { return count * sizeof(T); }
    __host__ __device__ constexpr bool empty() const { return count == 0; }
    __host__ __device__ constexpr T *begin() const { return first; }
    __host__ __device__ constexpr T *end() const { return first + count; }
    __host__ __device__ constexpr span<T> subspan(size_t offset, size_t n = dynamic_extent) const
    {
        return span<T>(first + offset, n == dynamic_extent ? count - offset : n);
    }

private:
    T *first;
    size_t count;
};
#endif
}
template <class T, class U> __host__ __device__ constexpr T ceil_div(T a, U b) { return T(a / T(b) + (a % T(b) != 0)); }
template <class T = void> using plus = ::std::plus<T>;
template <class T> struct maximum { __host__ __device__ constexpr T operator()(const T &a, const T &b) const { return a < b ? b : a; } };
template <class T> struct minimum { __host__ __device__ constexpr T operator()(const T &a, const T &b) const { return b < a ? b : a; } };
}
#endif
