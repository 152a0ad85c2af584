/* Thrust's pointers, iterators, tuples and functions, under its names; written anew.
 *
 * Kernels never see device_ptr: raw() turns an iterator over device memory into one over plain pointers first. */
#ifndef WARPLINE_THRUST_ITERATORS_H
#define WARPLINE_THRUST_ITERATORS_H
#include <cmath>
#include <complex>
#include <functional>
#include <iterator>
#include <limits>
#include <ostream>
#include <tuple>
#include <utility>
#include <warpline_parallel.h>
#define THRUST_VERSION 200200
#define THRUST_MAJOR_VERSION 2
#define THRUST_MINOR_VERSION 2

namespace thrust {
namespace warpline = warpline_parallel;
using std::get;
using std::make_pair;
using std::make_tuple;
using std::pair;
using std::tie;
using std::tuple;
using std::tuple_element;
using std::tuple_size;
template <class T> using complex = std::complex<T>;
template <class T> __host__ __device__ inline void swap(T &a, T &b)
{
    T kept = a;
    a = b;
    b = kept;
}
template <class T> __host__ __device__ constexpr const T &min(const T &a, const T &b) { return b < a ? b : a; }
template <class T> __host__ __device__ constexpr const T &max(const T &a, const T &b) { return a < b ? b : a; }

/* Functions. Without a type they take any, as std's. */
#define WARPLINE_BINARY(name, expression)                                                                                      \
    template <class T = void> struct name {                                                                                    \
        typedef T first_argument_type, second_argument_type;                                                                   \
        __host__ __device__ constexpr auto operator()(const T &a, const T &b) const -> decltype(expression) { return expression; } \
    };                                                                                                                         \
    template <> struct name<void> {                                                                                            \
        template <class A, class B> __host__ __device__ constexpr auto operator()(const A &a, const B &b) const { return expression; } \
    };
WARPLINE_BINARY(plus, a + b)
WARPLINE_BINARY(minus, a - b)
WARPLINE_BINARY(multiplies, a * b)
WARPLINE_BINARY(divides, a / b)
WARPLINE_BINARY(modulus, a % b)
WARPLINE_BINARY(equal_to, a == b)
WARPLINE_BINARY(not_equal_to, a != b)
WARPLINE_BINARY(greater, b < a)
WARPLINE_BINARY(less, a < b)
WARPLINE_BINARY(greater_equal, !(a < b))
WARPLINE_BINARY(less_equal, !(b < a))
WARPLINE_BINARY(logical_and, a && b)
WARPLINE_BINARY(logical_or, a || b)
WARPLINE_BINARY(bit_and, a & b)
WARPLINE_BINARY(bit_or, a | b)
WARPLINE_BINARY(bit_xor, a ^ b)
WARPLINE_BINARY(project1st, ((void)b, a))
WARPLINE_BINARY(project2nd, ((void)a, b))
#undef WARPLINE_BINARY
template <class T = void> struct maximum { __host__ __device__ constexpr T operator()(const T &a, const T &b) const { return a < b ? b : a; } };
template <class T = void> struct minimum { __host__ __device__ constexpr T operator()(const T &a, const T &b) const { return b < a ? b : a; } };
template <> struct maximum<void> { template <class T> __host__ __device__ constexpr T operator()(const T &a, const T &b) const { return a < b ? b : a; } };
template <> struct minimum<void> { template <class T> __host__ __device__ constexpr T operator()(const T &a, const T &b) const { return b < a ? b : a; } };
template <class T = void> struct negate { __host__ __device__ constexpr T operator()(const T &a) const { return -a; } };
template <class T = void> struct identity { __host__ __device__ constexpr T operator()(const T &a) const { return a; } };
template <> struct identity<void> { template <class T> __host__ __device__ constexpr T operator()(const T &a) const { return a; } };
template <class T = void> struct square { __host__ __device__ constexpr T operator()(const T &a) const { return a * a; } };
template <class T = void> struct logical_not { __host__ __device__ constexpr bool operator()(const T &a) const { return !a; } };
template <class A, class R> struct unary_function { typedef A argument_type; typedef R result_type; };
template <class A, class B, class R> struct binary_function { typedef A first_argument_type; typedef B second_argument_type; typedef R result_type; };

template <class T> class device_reference;
/* An address of device memory. On the host what it points at is read and written by copies. */
template <class T> class device_ptr {
    T *p;

public:
    typedef std::remove_cv_t<T> value_type;
    typedef T element_type;
    typedef ptrdiff_t difference_type;
    typedef device_ptr pointer;
    typedef device_reference<T> reference;
    typedef std::random_access_iterator_tag iterator_category;
    __host__ __device__ device_ptr() : p(nullptr) {}
    __host__ __device__ device_ptr(std::nullptr_t) : p(nullptr) {}
    template <class U> __host__ __device__ explicit device_ptr(U *q) : p((T *)q) {}
    template <class U, class = std::enable_if_t<std::is_convertible<U *, T *>::value>> __host__ __device__ device_ptr(const device_ptr<U> &o) : p(o.get()) {}
    __host__ __device__ T *get() const { return p; }
    __host__ __device__ explicit operator bool() const { return p != nullptr; }
    __host__ __device__ device_ptr operator+(ptrdiff_t n) const { return device_ptr(p + n); }
    __host__ __device__ device_ptr operator-(ptrdiff_t n) const { return device_ptr(p - n); }
    __host__ __device__ ptrdiff_t operator-(const device_ptr &o) const { return p - o.p; }
    __host__ __device__ device_ptr &operator+=(ptrdiff_t n) { return p += n, *this; }
    __host__ __device__ device_ptr &operator-=(ptrdiff_t n) { return p -= n, *this; }
    __host__ __device__ device_ptr &operator++() { return ++p, *this; }
    __host__ __device__ device_ptr &operator--() { return --p, *this; }
    __host__ __device__ device_ptr operator++(int) { return device_ptr(p++); }
    __host__ __device__ bool operator==(const device_ptr &o) const { return p == o.p; }
    __host__ __device__ bool operator!=(const device_ptr &o) const { return p != o.p; }
    __host__ __device__ bool operator<(const device_ptr &o) const { return p < o.p; }
    __host__ __device__ reference operator*() const { return reference(*this); }
    __host__ __device__ reference operator[](ptrdiff_t n) const { return reference(*this + n); }
};
template <class T> class device_reference {
    device_ptr<T> at;

public:
    typedef std::remove_cv_t<T> value_type;
    __host__ __device__ explicit device_reference(device_ptr<T> p) : at(p) {}
    device_reference(const device_reference &) = default;
    __host__ __device__ device_ptr<T> operator&() const { return at; }
    __host__ __device__ operator value_type() const
    {
#if defined(__CUDA_ARCH__)
        return *at.get();
#else
        return warpline::fetch(warpline::on_device{0}, (const value_type *)at.get());
#endif
    }
    __host__ __device__ device_reference &operator=(const value_type &value)
    {
#if defined(__CUDA_ARCH__)
        *at.get() = value;
#else
        (void)::cudaMemcpy((void *)at.get(), &value, sizeof value, cudaMemcpyHostToDevice);
#endif
        return *this;
    }
    __host__ __device__ device_reference &operator=(const device_reference &o) { return *this = (value_type)o; }
    template <class U> device_reference &operator+=(const U &u) { return *this = (value_type)((value_type) * this + u); }
    template <class U> device_reference &operator-=(const U &u) { return *this = (value_type)((value_type) * this - u); }
    template <class U> device_reference &operator*=(const U &u) { return *this = (value_type)((value_type) * this * u); }
    device_reference &operator++() { return *this += 1; }
    friend std::ostream &operator<<(std::ostream &out, const device_reference &r) { return out << (value_type)r; }
};
template <class T> __host__ __device__ inline device_ptr<T> device_pointer_cast(T *p) { return device_ptr<T>(p); }
template <class T> __host__ __device__ inline device_ptr<T> device_pointer_cast(const device_ptr<T> &p) { return p; }
template <class T> __host__ __device__ inline T *raw_pointer_cast(const device_ptr<T> &p) { return p.get(); }
template <class T> __host__ __device__ inline T *raw_pointer_cast(T *p) { return p; }
template <class T> inline device_ptr<T> device_malloc(size_t n)
{
    T *p = nullptr;
    (void)::cudaMalloc((void **)&p, n * sizeof(T));
    return device_ptr<T>(p);
}
template <class T> inline void device_free(device_ptr<T> p) { (void)::cudaFree((void *)p.get()); }

/* What every iterator below has; `Self` gives operator[], and its place as `at`. */
template <class Self, class V, class R> struct iterator_base {
    typedef V value_type;
    typedef ptrdiff_t difference_type;
    typedef V *pointer;
    typedef R reference;
    typedef std::random_access_iterator_tag iterator_category;
    __host__ __device__ const Self &self() const { return *(const Self *)this; }
    __host__ __device__ Self &self() { return *(Self *)this; }
    __host__ __device__ Self operator+(ptrdiff_t n) const
    {
        Self moved = self();
        moved.move(n);
        return moved;
    }
    __host__ __device__ Self operator-(ptrdiff_t n) const { return *this + -n; }
    __host__ __device__ Self &operator+=(ptrdiff_t n) { return self().move(n), self(); }
    __host__ __device__ Self &operator-=(ptrdiff_t n) { return self().move(-n), self(); }
    __host__ __device__ Self &operator++() { return self().move(1), self(); }
    __host__ __device__ Self &operator--() { return self().move(-1), self(); }
    __host__ __device__ Self operator++(int)
    {
        Self before = self();
        self().move(1);
        return before;
    }
    __host__ __device__ ptrdiff_t operator-(const Self &o) const { return self().distance(o); }
    __host__ __device__ bool operator==(const Self &o) const { return self().distance(o) == 0; }
    __host__ __device__ bool operator!=(const Self &o) const { return self().distance(o) != 0; }
    __host__ __device__ bool operator<(const Self &o) const { return self().distance(o) < 0; }
    __host__ __device__ R operator*() const { return self()[0]; }
};
template <class T, class = void, class = void, class D = ptrdiff_t> struct counting_iterator : iterator_base<counting_iterator<T>, T, T> {
    T first;
    __host__ __device__ counting_iterator(T start = T()) : first(start) {}
    __host__ __device__ void move(ptrdiff_t n) { first = (T)(first + (T)n); }
    __host__ __device__ ptrdiff_t distance(const counting_iterator &o) const { return (ptrdiff_t)first - (ptrdiff_t)o.first; }
    __host__ __device__ T operator[](ptrdiff_t n) const { return (T)(first + (T)n); }
};
template <class T, class = void, class = void> struct constant_iterator : iterator_base<constant_iterator<T>, T, T> {
    T value;
    ptrdiff_t at;
    __host__ __device__ constant_iterator(T v = T(), ptrdiff_t n = 0) : value(v), at(n) {}
    __host__ __device__ void move(ptrdiff_t n) { at += n; }
    __host__ __device__ ptrdiff_t distance(const constant_iterator &o) const { return at - o.at; }
    __host__ __device__ T operator[](ptrdiff_t) const { return value; }
};
/* Takes anything and keeps nothing. */
struct discarded {
    template <class T> __host__ __device__ const discarded &operator=(const T &) const { return *this; }
};
template <class = void> struct discard_iterator : iterator_base<discard_iterator<>, discarded, discarded> {
    ptrdiff_t at = 0;
    __host__ __device__ discard_iterator(ptrdiff_t n = 0) : at(n) {}
    __host__ __device__ void move(ptrdiff_t n) { at += n; }
    __host__ __device__ ptrdiff_t distance(const discard_iterator &o) const { return at - o.at; }
    __host__ __device__ discarded operator[](ptrdiff_t) const { return discarded(); }
};

/* Over device memory? And the same over plain pointers. */
template <class It> struct traits {
    static constexpr bool device = false;
    typedef It raw_type;
    static It raw(const It &it) { return it; }
};
template <class T> struct traits<device_ptr<T>> {
    static constexpr bool device = true;
    typedef T *raw_type;
    static T *raw(const device_ptr<T> &p) { return p.get(); }
};
template <class It> using raw_of = typename traits<It>::raw_type;
template <class It> inline raw_of<It> raw(const It &it) { return traits<It>::raw(it); }
template <class It> using value_of = typename std::iterator_traits<It>::value_type;
/* What reading gives: of plain pointers a reference, of device_ptr its stand-in. */
template <class It> using read_of = decltype(std::declval<const raw_of<It> &>()[0]);

template <class F, class It, class R = void, class V = void>
struct transform_iterator
    : iterator_base<transform_iterator<F, It, R, V>, std::decay_t<decltype(std::declval<F &>()(std::declval<value_of<It> &>()))>,
                    std::decay_t<decltype(std::declval<F &>()(std::declval<value_of<It> &>()))>> {
    It it;
    mutable F f;
    __host__ __device__ transform_iterator(It i, F function) : it(i), f(function) {}
    __host__ __device__ void move(ptrdiff_t n) { it += n; }
    __host__ __device__ ptrdiff_t distance(const transform_iterator &o) const { return it - o.it; }
    __host__ __device__ typename transform_iterator::value_type operator[](ptrdiff_t n) const { return f(it[n]); }
};
template <class F, class It, class R, class V> struct traits<transform_iterator<F, It, R, V>> {
    static constexpr bool device = traits<It>::device;
    typedef transform_iterator<F, raw_of<It>, R, V> raw_type;
    static raw_type raw(const transform_iterator<F, It, R, V> &t) { return raw_type(thrust::raw(t.it), t.f); }
};
template <class It, class Map>
struct permutation_iterator : iterator_base<permutation_iterator<It, Map>, value_of<It>, decltype(std::declval<const It &>()[0])> {
    It it;
    Map map;
    __host__ __device__ permutation_iterator(It i, Map m) : it(i), map(m) {}
    __host__ __device__ void move(ptrdiff_t n) { map += n; }
    __host__ __device__ ptrdiff_t distance(const permutation_iterator &o) const { return map - o.map; }
    __host__ __device__ decltype(auto) operator[](ptrdiff_t n) const { return it[(ptrdiff_t)(value_of<Map>)map[n]]; }
};
template <class It, class Map> struct traits<permutation_iterator<It, Map>> {
    static constexpr bool device = traits<It>::device || traits<Map>::device;
    typedef permutation_iterator<raw_of<It>, raw_of<Map>> raw_type;
    static raw_type raw(const permutation_iterator<It, Map> &p) { return raw_type(thrust::raw(p.it), thrust::raw(p.map)); }
};
template <class It> struct reverse_iterator : iterator_base<reverse_iterator<It>, value_of<It>, decltype(std::declval<const It &>()[0])> {
    It it;
    __host__ __device__ explicit reverse_iterator(It end) : it(end) {}
    __host__ __device__ void move(ptrdiff_t n) { it -= n; }
    __host__ __device__ ptrdiff_t distance(const reverse_iterator &o) const { return o.it - it; }
    __host__ __device__ decltype(auto) operator[](ptrdiff_t n) const { return it[-1 - n]; }
};
template <class It> struct traits<reverse_iterator<It>> {
    static constexpr bool device = traits<It>::device;
    typedef reverse_iterator<raw_of<It>> raw_type;
    static raw_type raw(const reverse_iterator<It> &r) { return raw_type(thrust::raw(r.it)); }
};
template <class Tuple> struct zip_iterator;
template <class... I>
struct zip_iterator<tuple<I...>> : iterator_base<zip_iterator<tuple<I...>>, tuple<value_of<I>...>, tuple<decltype(std::declval<const I &>()[0])...>> {
    tuple<I...> its;
    __host__ __device__ zip_iterator(const tuple<I...> &t) : its(t) {}
    __host__ __device__ void move(ptrdiff_t n) { move(n, std::index_sequence_for<I...>()); }
    template <size_t... k> __host__ __device__ void move(ptrdiff_t n, std::index_sequence<k...>) { ((void)(std::get<k>(its) += n), ...); }
    __host__ __device__ ptrdiff_t distance(const zip_iterator &o) const { return std::get<0>(its) - std::get<0>(o.its); }
    __host__ __device__ auto operator[](ptrdiff_t n) const { return at(n, std::index_sequence_for<I...>()); }
    template <size_t... k> __host__ __device__ auto at(ptrdiff_t n, std::index_sequence<k...>) const
    {
        return tuple<decltype(std::declval<const I &>()[0])...>(std::get<k>(its)[n]...);
    }
    __host__ __device__ const tuple<I...> &get_iterator_tuple() const { return its; }
};
template <class... I> struct traits<zip_iterator<tuple<I...>>> {
    static constexpr bool device = (traits<I>::device || ...);
    typedef zip_iterator<tuple<raw_of<I>...>> raw_type;
    static raw_type raw(const zip_iterator<tuple<I...>> &z)
    {
        return std::apply([](const I &...i) { return raw_type(tuple<raw_of<I>...>(thrust::raw(i)...)); }, z.its);
    }
};
template <class T> __host__ __device__ inline counting_iterator<T> make_counting_iterator(T first) { return counting_iterator<T>(first); }
template <class T> __host__ __device__ inline constant_iterator<T> make_constant_iterator(T value) { return constant_iterator<T>(value); }
__host__ __device__ inline discard_iterator<> make_discard_iterator() { return discard_iterator<>(); }
template <class It, class F> __host__ __device__ inline transform_iterator<F, It> make_transform_iterator(It it, F f) { return transform_iterator<F, It>(it, f); }
template <class It, class M> __host__ __device__ inline permutation_iterator<It, M> make_permutation_iterator(It it, M map) { return permutation_iterator<It, M>(it, map); }
template <class It> __host__ __device__ inline reverse_iterator<It> make_reverse_iterator(It end) { return reverse_iterator<It>(end); }
template <class... I> __host__ __device__ inline zip_iterator<tuple<I...>> make_zip_iterator(const tuple<I...> &t) { return zip_iterator<tuple<I...>>(t); }
template <class... I> __host__ __device__ inline zip_iterator<tuple<I...>> make_zip_iterator(I... i) { return zip_iterator<tuple<I...>>(tuple<I...>(i...)); }
template <class F> struct warpline_spread {
    mutable F f;
    template <class Tuple> __host__ __device__ decltype(auto) operator()(Tuple &&t) const
    {
        return call(t, std::make_index_sequence<std::tuple_size<std::decay_t<Tuple>>::value>());
    }
    template <class Tuple, size_t... k> __host__ __device__ decltype(auto) call(Tuple &t, std::index_sequence<k...>) const { return f(std::get<k>(t)...); }
};
template <class F> __host__ __device__ inline warpline_spread<F> make_zip_function(F f) { return warpline_spread<F>{f}; }
template <class It> __host__ __device__ inline ptrdiff_t distance(It first, It last) { return last - first; }
template <class It, class N> __host__ __device__ inline void advance(It &it, N n) { it += n; }
template <class It> __host__ __device__ inline It next(It it, ptrdiff_t n = 1) { return it + n; }
template <class It> struct iterator_traits : std::iterator_traits<It> {};
template <class It> struct iterator_value { typedef value_of<It> type; };

/* One value into one place; tuples part by part, since the device lacks their assignment before C++20. */
template <class R, class V> __host__ __device__ inline void assign(R &&to, const V &value) { to = value; }
template <class... R, class... V, size_t... k> __host__ __device__ inline void assign_parts(const tuple<R...> &to, const tuple<V...> &value, std::index_sequence<k...>)
{
    ((void)(std::get<k>(to) = std::get<k>(value)), ...);
}
template <class... R, class... V> __host__ __device__ inline void assign(tuple<R...> &to, const tuple<V...> &value)
{
    assign_parts(to, value, std::index_sequence_for<R...>());
}
template <class... R, class... V> __host__ __device__ inline void assign(tuple<R...> &&to, const tuple<V...> &value)
{
    assign_parts(to, value, std::index_sequence_for<R...>());
}
}
#endif
