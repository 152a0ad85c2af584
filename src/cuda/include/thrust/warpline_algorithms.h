/* Thrust's algorithms, under its names, by the loops, reductions, scans and sorts of warpline_parallel.h.
 *
 * Each is written once with a policy; without one, the iterators say where it works. */
#ifndef WARPLINE_THRUST_ALGORITHMS_H
#define WARPLINE_THRUST_ALGORITHMS_H
#include "warpline_vectors.h"

namespace thrust {
#define WARPLINE_P template <class P, class = std::enable_if_t<is_policy<P>::value>
#define WARPLINE_EACH [=] __host__ __device__(size_t i) mutable
#define WARPLINE_WITHOUT_POLICY(name)                                                                                  \
    template <class A, class... B, class = std::enable_if_t<!is_policy<A>::value>> inline auto name(A a, B... b)        \
    {                                                                                                                  \
        return thrust::name(policy_for<A, B...>(), a, b...);                                                            \
    }

/* Loops. */
WARPLINE_P, class It, class N, class F> It for_each_n(const P &p, It first, N n, F f)
{
    auto a = raw(first);
    warpline::for_n(p.at(), (size_t)n, WARPLINE_EACH { auto &&element = a[i]; f(element); });
    return first + n;
}
WARPLINE_P, class It, class F> It for_each(const P &p, It first, It last, F f) { return thrust::for_each_n(p, first, last - first, f); }
WARPLINE_P, class It, class Out, class F> Out transform(const P &p, It first, It last, Out out, F f)
{
    auto a = raw(first);
    auto o = raw(out);
    warpline::for_n(p.at(), (size_t)(last - first), WARPLINE_EACH { assign(o[i], f(a[i])); });
    return out + (last - first);
}
WARPLINE_P, class It, class It2, class Out, class F> Out transform(const P &p, It first, It last, It2 second, Out out, F f)
{
    auto a = raw(first);
    auto b = raw(second);
    auto o = raw(out);
    warpline::for_n(p.at(), (size_t)(last - first), WARPLINE_EACH { assign(o[i], f(a[i], b[i])); });
    return out + (last - first);
}
WARPLINE_P, class It, class Out, class F, class Q> Out transform_if(const P &p, It first, It last, Out out, F f, Q q)
{
    auto a = raw(first);
    auto o = raw(out);
    warpline::for_n(p.at(), (size_t)(last - first), WARPLINE_EACH { if (q(a[i])) assign(o[i], f(a[i])); });
    return out + (last - first);
}
WARPLINE_P, class It, class F> void generate(const P &p, It first, It last, F f)
{
    auto a = raw(first);
    warpline::for_n(p.at(), (size_t)(last - first), WARPLINE_EACH { assign(a[i], f()); });
}
WARPLINE_P, class It, class F> void tabulate(const P &p, It first, It last, F f)
{
    auto a = raw(first);
    warpline::for_n(p.at(), (size_t)(last - first), WARPLINE_EACH { assign(a[i], f((ptrdiff_t)i)); });
}
WARPLINE_P, class It, class N, class T> It fill_n(const P &p, It first, N n, T value)
{
    auto a = raw(first);
    warpline::for_n(p.at(), (size_t)n, WARPLINE_EACH { assign(a[i], value); });
    return first + n;
}
WARPLINE_P, class It, class T> void fill(const P &p, It first, It last, T value) { (void)thrust::fill_n(p, first, last - first, value); }
WARPLINE_P, class It, class T = value_of<It>> void sequence(const P &p, It first, It last, T start = T(), T step = T(1))
{
    auto a = raw(first);
    warpline::for_n(p.at(), (size_t)(last - first), WARPLINE_EACH { a[i] = (value_of<It>)(start + (T)i * step); });
}
WARPLINE_P, class M, class It, class Out> Out gather(const P &p, M first, M last, It in, Out out)
{
    auto m = raw(first);
    auto a = raw(in);
    auto o = raw(out);
    warpline::for_n(p.at(), (size_t)(last - first), WARPLINE_EACH { assign(o[i], a[m[i]]); });
    return out + (last - first);
}
WARPLINE_P, class It, class M, class Out> void scatter(const P &p, It first, It last, M map, Out out)
{
    auto m = raw(map);
    auto a = raw(first);
    auto o = raw(out);
    warpline::for_n(p.at(), (size_t)(last - first), WARPLINE_EACH { assign(o[m[i]], a[i]); });
}
WARPLINE_P, class It, class Q, class T> void replace_if(const P &p, It first, It last, Q q, T value)
{
    auto a = raw(first);
    warpline::for_n(p.at(), (size_t)(last - first), WARPLINE_EACH { if (q(a[i])) assign(a[i], value); });
}
WARPLINE_P, class It, class T> void replace(const P &p, It first, It last, T old, T value)
{
    thrust::replace_if(p, first, last, [old] __host__ __device__(const T &x) { return x == old; }, value);
}
WARPLINE_P, class It> void reverse(const P &p, It first, It last)
{
    auto a = raw(first);
    const size_t n = (size_t)(last - first);
    warpline::for_n(p.at(), n / 2, WARPLINE_EACH {
        value_of<It> kept = a[i];
        assign(a[i], (value_of<It>)a[n - 1 - i]);
        assign(a[n - 1 - i], kept);
    });
}
WARPLINE_P, class It, class Out, class F> Out adjacent_difference(const P &p, It first, It last, Out out, F f)
{
    typedef value_of<It> T;
    const size_t n = (size_t)(last - first);
    auto a = raw(first);
    auto o = raw(out);
    warpline::room<T> kept(p.at(), n); /* `out` may be the same */
    T *const k = kept.data;
    warpline::for_n(p.at(), n, WARPLINE_EACH { warpline::set(&k[i], (T)a[i]); });
    warpline::for_n(p.at(), n, WARPLINE_EACH { if (i) assign(o[i], f(k[i], k[i - 1])); else assign(o[i], k[0]); });
    return out + (last - first);
}
WARPLINE_P, class It, class Out> Out adjacent_difference(const P &p, It first, It last, Out out)
{
    return thrust::adjacent_difference(p, first, last, out, minus<>());
}

/* Copies, also between the sides. */
template <class It, class Out> Out copy_across(It first, It last, Out out)
{
    typedef value_of<It> T;
    const size_t n = (size_t)(last - first);
    if constexpr (traits<It>::device) {
        warpline::room<T> flat(warpline::on_device{0}, n);
        T *const f = flat.data;
        auto a = raw(first);
        warpline::for_n(warpline::on_device{0}, n, WARPLINE_EACH { warpline::set(&f[i], (T)a[i]); });
        std::vector<unsigned char> bytes(n * sizeof(T) + sizeof(T));
        (void)::cudaMemcpy(bytes.data(), f, n * sizeof(T), cudaMemcpyDeviceToHost);
        return std::copy((const T *)bytes.data(), (const T *)bytes.data() + n, out);
    } else {
        device_vector<T> flat(first, last);
        const T *const f = flat.begin().get();
        auto o = raw(out);
        warpline::for_n(warpline::on_device{0}, n, WARPLINE_EACH { assign(o[i], f[i]); });
        return out + (ptrdiff_t)n;
    }
}
WARPLINE_P, class It, class Out> Out copy(const P &p, It first, It last, Out out)
{
    return thrust::transform(p, first, last, out, [] __host__ __device__(const value_of<It> &x) { return x; });
}
template <class It, class Out, class = std::enable_if_t<!is_policy<It>::value>> Out copy(It first, It last, Out out)
{
    typedef value_of<It> T;
    constexpr bool same = traits<It>::device == traits<Out>::device;
    /* Sources without memory go where they are wanted. */
    if constexpr (same || std::is_same<It, counting_iterator<T>>::value || std::is_same<It, constant_iterator<T>>::value)
        return thrust::copy(policy_for<It, Out>(), first, last, out);
    else
        return copy_across(first, last, out);
}
WARPLINE_P, class It, class N, class Out> Out copy_n(const P &p, It first, N n, Out out) { return thrust::copy(p, first, first + n, out); }
template <class It, class N, class Out, class = std::enable_if_t<!is_policy<It>::value>> Out copy_n(It first, N n, Out out)
{
    return thrust::copy(first, first + n, out);
}

/* Reductions. */
WARPLINE_P, class It, class F, class T, class Op> T transform_reduce(const P &p, It first, It last, F f, T init, Op op)
{
    if (first == last)
        return init;
    auto a = raw(first);
    warpline::room<T> sums(p.at(), 1);
    T *const sum = sums.data;
    warpline::reduce_n<T>(p.at(), (size_t)(last - first), [=] __host__ __device__(size_t i) mutable { return (T)f(a[i]); }, op, sum);
    warpline::for_n(p.at(), 1, WARPLINE_EACH { warpline::set(&sum[i], (T)op(init, sum[i])); }); /* `op` may be the device's alone */
    return warpline::fetch(p.at(), sum);
}
WARPLINE_P, class It, class T, class Op> T reduce(const P &p, It first, It last, T init, Op op)
{
    return thrust::transform_reduce(p, first, last, [] __host__ __device__(const value_of<It> &x) { return x; }, init, op);
}
WARPLINE_P, class It, class T> T reduce(const P &p, It first, It last, T init) { return thrust::reduce(p, first, last, init, plus<T>()); }
WARPLINE_P, class It> value_of<It> reduce(const P &p, It first, It last) { return thrust::reduce(p, first, last, value_of<It>()); }
WARPLINE_P, class It, class It2, class T, class Op, class F> T inner_product(const P &p, It first, It last, It2 second, T init, Op op, F f)
{
    auto a = raw(first);
    auto b = raw(second);
    return thrust::transform_reduce(p, counting_iterator<size_t>(0), counting_iterator<size_t>((size_t)(last - first)),
                                    [=] __host__ __device__(size_t i) { return (T)f(a[i], b[i]); }, init, op);
}
WARPLINE_P, class It, class It2, class T> T inner_product(const P &p, It first, It last, It2 second, T init)
{
    return thrust::inner_product(p, first, last, second, init, plus<T>(), multiplies<T>());
}
WARPLINE_P, class It, class Q> ptrdiff_t count_if(const P &p, It first, It last, Q q)
{
    return thrust::transform_reduce(p, first, last, [q] __host__ __device__(const value_of<It> &x) mutable { return (ptrdiff_t)(q(x) ? 1 : 0); }, (ptrdiff_t)0,
                                    plus<ptrdiff_t>());
}
WARPLINE_P, class It, class T> ptrdiff_t count(const P &p, It first, It last, T value)
{
    return thrust::count_if(p, first, last, [value] __host__ __device__(const value_of<It> &x) { return x == value; });
}
WARPLINE_P, class It, class Q> bool any_of(const P &p, It first, It last, Q q) { return thrust::count_if(p, first, last, q) > 0; }
WARPLINE_P, class It, class Q> bool all_of(const P &p, It first, It last, Q q) { return thrust::count_if(p, first, last, q) == last - first; }
WARPLINE_P, class It, class Q> bool none_of(const P &p, It first, It last, Q q) { return thrust::count_if(p, first, last, q) == 0; }
/* The first of those that `before` lets no other go before. */
WARPLINE_P, class It, class F> It best_element(const P &p, It first, It last, F before)
{
    auto a = raw(first);
    if (first == last)
        return last;
    return first + thrust::transform_reduce(p, counting_iterator<ptrdiff_t>(1), counting_iterator<ptrdiff_t>(last - first), identity<ptrdiff_t>(), (ptrdiff_t)0,
                                            [=] __host__ __device__(ptrdiff_t i, ptrdiff_t j) mutable {
                                                return before(a[i], a[j]) ? i : before(a[j], a[i]) ? j : i < j ? i : j;
                                            });
}
WARPLINE_P, class It, class F> It min_element(const P &p, It first, It last, F less) { return best_element(p, first, last, less); }
WARPLINE_P, class It> It min_element(const P &p, It first, It last) { return best_element(p, first, last, less<>()); }
WARPLINE_P, class It, class F> It max_element(const P &p, It first, It last, F less)
{
    return best_element(p, first, last, [less] __host__ __device__(const value_of<It> &x, const value_of<It> &y) mutable { return less(y, x); });
}
WARPLINE_P, class It> It max_element(const P &p, It first, It last) { return best_element(p, first, last, greater<>()); }
WARPLINE_P, class It> pair<It, It> minmax_element(const P &p, It first, It last)
{
    return pair<It, It>(thrust::min_element(p, first, last), thrust::max_element(p, first, last));
}
WARPLINE_P, class It, class Q> It find_if(const P &p, It first, It last, Q q)
{
    auto a = raw(first);
    const ptrdiff_t n = last - first;
    return first + thrust::transform_reduce(p, counting_iterator<ptrdiff_t>(0), counting_iterator<ptrdiff_t>(n),
                                            [=] __host__ __device__(ptrdiff_t i) mutable { return q(a[i]) ? i : n; }, n, minimum<ptrdiff_t>());
}
WARPLINE_P, class It, class T> It find(const P &p, It first, It last, T value)
{
    return thrust::find_if(p, first, last, [value] __host__ __device__(const value_of<It> &x) { return x == value; });
}
WARPLINE_P, class It, class It2> bool equal(const P &p, It first, It last, It2 second)
{
    return thrust::inner_product(p, first, last, second, true, logical_and<bool>(), equal_to<>());
}
WARPLINE_P, class It, class F> bool is_sorted(const P &p, It first, It last, F less)
{
    return last - first < 2 || !thrust::inner_product(p, first + 1, last, first, false, logical_or<bool>(), less);
}
WARPLINE_P, class It> bool is_sorted(const P &p, It first, It last) { return thrust::is_sorted(p, first, last, less<>()); }

/* Scans: `place` puts element i into the output, from the sums up to each element. */
template <class T, class P, class It, class Out, class F, class Op, class Place>
Out scan_of(const P &p, It first, It last, Out out, F f, Op op, Place place)
{
    const size_t n = (size_t)(last - first);
    warpline::room<T> sums(p.at(), n);
    T *const sum = sums.data;
    auto a = raw(first);
    auto o = raw(out);
    warpline::scan_n<T>(p.at(), n, [=] __host__ __device__(size_t i) mutable { return (T)f(a[i]); }, op, sum);
    warpline::for_n(p.at(), n, WARPLINE_EACH { place(o, sum, i); });
    return out + (last - first);
}
WARPLINE_P, class It, class Out, class F, class Op> Out transform_inclusive_scan(const P &p, It first, It last, Out out, F f, Op op)
{
    typedef std::decay_t<decltype(f(std::declval<value_of<It> &>()))> T;
    return scan_of<T>(p, first, last, out, f, op, [] __host__ __device__(auto &o, T *sum, size_t i) { assign(o[i], sum[i]); });
}
WARPLINE_P, class It, class Out, class F, class T, class Op> Out transform_exclusive_scan(const P &p, It first, It last, Out out, F f, T init, Op op)
{
    return scan_of<T>(p, first, last, out, f, op, [=] __host__ __device__(auto &o, T *sum, size_t i) mutable { assign(o[i], i ? (T)op(init, sum[i - 1]) : init); });
}
WARPLINE_P, class It, class Out, class Op> Out inclusive_scan(const P &p, It first, It last, Out out, Op op)
{
    return thrust::transform_inclusive_scan(p, first, last, out, identity<value_of<It>>(), op);
}
WARPLINE_P, class It, class Out> Out inclusive_scan(const P &p, It first, It last, Out out) { return thrust::inclusive_scan(p, first, last, out, plus<value_of<It>>()); }
WARPLINE_P, class It, class Out, class T, class Op> Out exclusive_scan(const P &p, It first, It last, Out out, T init, Op op)
{
    return thrust::transform_exclusive_scan(p, first, last, out, identity<value_of<It>>(), init, op);
}
WARPLINE_P, class It, class Out, class T> Out exclusive_scan(const P &p, It first, It last, Out out, T init) { return thrust::exclusive_scan(p, first, last, out, init, plus<T>()); }
WARPLINE_P, class It, class Out> Out exclusive_scan(const P &p, It first, It last, Out out) { return thrust::exclusive_scan(p, first, last, out, value_of<It>()); }
/* Sums begin anew at each key: a pair holds whether one began, and the sum since. */
template <class T> struct segment { T sum; bool begins; };
WARPLINE_P, class K, class It, class Out, class Eq, class Op>
void scan_segments(const P &p, K first, K last, It values, Out out, Eq eq, Op op, bool inclusive, value_of<It> init)
{
    typedef value_of<It> T;
    typedef segment<T> S;
    const size_t n = (size_t)(last - first);
    warpline::room<S> sums(p.at(), n);
    S *const sum = sums.data;
    auto k = raw(first);
    auto a = raw(values);
    auto o = raw(out);
    warpline::scan_n<S>(p.at(), n, [=] __host__ __device__(size_t i) mutable { return S{(T)a[i], i == 0 || !eq(k[i - 1], k[i])}; },
                        [=] __host__ __device__(const S &x, const S &y) mutable { return y.begins ? y : S{(T)op(x.sum, y.sum), x.begins}; }, sum);
    warpline::for_n(p.at(), n, WARPLINE_EACH {
        const bool begins = i == 0 || !eq(k[i - 1], k[i]);
        o[i] = inclusive ? sum[i].sum : begins ? init : (T)op(init, sum[i - 1].sum);
    });
}
WARPLINE_P, class K, class It, class Out> Out inclusive_scan_by_key(const P &p, K first, K last, It values, Out out)
{
    scan_segments(p, first, last, values, out, equal_to<>(), plus<value_of<It>>(), true, value_of<It>());
    return out + (last - first);
}
WARPLINE_P, class K, class It, class Out> Out exclusive_scan_by_key(const P &p, K first, K last, It values, Out out, value_of<It> init = value_of<It>())
{
    scan_segments(p, first, last, values, out, equal_to<>(), plus<value_of<It>>(), false, init);
    return out + (last - first);
}

#define WARPLINE_MORE_ALGORITHMS
#include "warpline_orders.h"
#undef WARPLINE_MORE_ALGORITHMS
#undef WARPLINE_P
#undef WARPLINE_EACH
#undef WARPLINE_WITHOUT_POLICY
}
#endif
