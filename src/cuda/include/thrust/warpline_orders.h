/* The second part of warpline_algorithms.h, inside its namespace: sorts, selections, searches. */
#if defined(WARPLINE_MORE_ALGORITHMS)
/* Sorts. What is not plain memory is copied to some and back. */
WARPLINE_P, class K, class It, class F> void sort_both(const P &p, K first, K last, It values, F less)
{
    typedef value_of<K> KV;
    typedef std::conditional_t<std::is_same<It, warpline::nothing *>::value, warpline::nothing, value_of<It>> VV;
    const size_t n = (size_t)(last - first);
    auto k = raw(first);
    auto v = raw(values);
    warpline::room<KV> keys(p.at(), n);
    warpline::room<VV> with(p.at(), n);
    KV *const kk = keys.data;
    VV *const vv = with.data;
    constexpr bool pairs = !std::is_same<It, warpline::nothing *>::value;
    warpline::for_n(p.at(), n, WARPLINE_EACH {
        warpline::set(&kk[i], (KV)k[i]);
        if constexpr (pairs)
            warpline::set(&vv[i], (VV)v[i]);
    });
    warpline::sort_n(p.at(), kk, vv, n, less);
    warpline::for_n(p.at(), n, WARPLINE_EACH {
        assign(k[i], kk[i]);
        if constexpr (pairs)
            assign(v[i], vv[i]);
    });
}
WARPLINE_P, class It, class F> void stable_sort(const P &p, It first, It last, F less)
{
    if constexpr (std::is_pointer<raw_of<It>>::value)
        warpline::sort_n(p.at(), raw(first), (warpline::nothing *)nullptr, (size_t)(last - first), less);
    else
        sort_both(p, first, last, (warpline::nothing *)nullptr, less);
}
WARPLINE_P, class It> void stable_sort(const P &p, It first, It last) { thrust::stable_sort(p, first, last, less<value_of<It>>()); }
WARPLINE_P, class It, class F> void sort(const P &p, It first, It last, F less) { thrust::stable_sort(p, first, last, less); }
WARPLINE_P, class It> void sort(const P &p, It first, It last) { thrust::stable_sort(p, first, last); }
WARPLINE_P, class K, class It, class F> void stable_sort_by_key(const P &p, K first, K last, It values, F less)
{
    if constexpr (std::is_pointer<raw_of<K>>::value && std::is_pointer<raw_of<It>>::value)
        warpline::sort_n(p.at(), raw(first), raw(values), (size_t)(last - first), less);
    else
        sort_both(p, first, last, values, less);
}
WARPLINE_P, class K, class It> void stable_sort_by_key(const P &p, K first, K last, It values) { thrust::stable_sort_by_key(p, first, last, values, less<value_of<K>>()); }
WARPLINE_P, class K, class It, class F> void sort_by_key(const P &p, K first, K last, It values, F less) { thrust::stable_sort_by_key(p, first, last, values, less); }
WARPLINE_P, class K, class It> void sort_by_key(const P &p, K first, K last, It values) { thrust::stable_sort_by_key(p, first, last, values); }

/* Selections. `out` may be the source: elements are kept aside. */
WARPLINE_P, class It, class Flag, class Out> Out select(const P &p, It first, size_t n, Flag flag, Out out)
{
    typedef value_of<It> T;
    warpline::room<size_t> places(p.at(), n + 1);
    warpline::room<T> kept(p.at(), n);
    T *const k = kept.data;
    auto a = raw(first);
    auto o = raw(out);
    const size_t found = warpline::fetch(p.at(), warpline::select_n(p.at(), places, n, flag, [=] __host__ __device__(size_t j, size_t i) { warpline::set(&k[j], (T)a[i]); }));
    warpline::for_n(p.at(), found, WARPLINE_EACH { assign(o[i], k[i]); });
    return out + (ptrdiff_t)found;
}
WARPLINE_P, class It, class Out, class Q> Out copy_if(const P &p, It first, It last, Out out, Q q)
{
    auto a = raw(first);
    return thrust::select(p, first, (size_t)(last - first), [=] __host__ __device__(size_t i) mutable { return (bool)q(a[i]); }, out);
}
WARPLINE_P, class It, class S, class Out, class Q> Out copy_if(const P &p, It first, It last, S stencil, Out out, Q q)
{
    auto s = raw(stencil);
    return thrust::select(p, first, (size_t)(last - first), [=] __host__ __device__(size_t i) mutable { return (bool)q(s[i]); }, out);
}
WARPLINE_P, class It, class Out, class Q> Out remove_copy_if(const P &p, It first, It last, Out out, Q q)
{
    return thrust::copy_if(p, first, last, out, [q] __host__ __device__(const value_of<It> &x) mutable { return !q(x); });
}
WARPLINE_P, class It, class Q> It remove_if(const P &p, It first, It last, Q q) { return thrust::remove_copy_if(p, first, last, first, q); }
WARPLINE_P, class It, class S, class Q> It remove_if(const P &p, It first, It last, S stencil, Q q)
{
    auto s = raw(stencil);
    return thrust::select(p, first, (size_t)(last - first), [=] __host__ __device__(size_t i) mutable { return !q(s[i]); }, first);
}
WARPLINE_P, class It, class T> It remove(const P &p, It first, It last, T value)
{
    return thrust::remove_if(p, first, last, [value] __host__ __device__(const value_of<It> &x) { return x == value; });
}
WARPLINE_P, class It, class Q> It stable_partition(const P &p, It first, It last, Q q)
{
    typedef value_of<It> T;
    const size_t n = (size_t)(last - first);
    warpline::room<T> others(p.at(), n);
    T *const o = others.data;
    if constexpr (std::is_same<P, device_policy>::value) {
        const size_t rest = (size_t)(thrust::remove_copy_if(p, first, last, device_ptr<T>(o), q) - device_ptr<T>(o));
        It middle = thrust::copy_if(p, first, last, first, q);
        (void)thrust::copy(p, device_ptr<T>(o), device_ptr<T>(o) + (ptrdiff_t)rest, middle);
        return middle;
    } else {
        const size_t rest = (size_t)(thrust::remove_copy_if(p, first, last, o, q) - o);
        It middle = thrust::copy_if(p, first, last, first, q);
        (void)thrust::copy(p, o, o + rest, middle);
        return middle;
    }
}
WARPLINE_P, class It, class Q> It partition(const P &p, It first, It last, Q q) { return thrust::stable_partition(p, first, last, q); }
WARPLINE_P, class It, class Out, class Eq> Out unique_copy(const P &p, It first, It last, Out out, Eq eq)
{
    auto a = raw(first);
    return thrust::select(p, first, (size_t)(last - first), [=] __host__ __device__(size_t i) mutable { return i == 0 || !eq(a[i - 1], a[i]); }, out);
}
WARPLINE_P, class It, class Out> Out unique_copy(const P &p, It first, It last, Out out) { return thrust::unique_copy(p, first, last, out, equal_to<>()); }
WARPLINE_P, class It, class Eq> It unique(const P &p, It first, It last, Eq eq) { return thrust::unique_copy(p, first, last, first, eq); }
WARPLINE_P, class It> It unique(const P &p, It first, It last) { return thrust::unique_copy(p, first, last, first, equal_to<>()); }
WARPLINE_P, class K, class It> pair<K, It> unique_by_key(const P &p, K first, K last, It values)
{
    const size_t n = (size_t)(last - first);
    auto k = raw(first);
    It end = thrust::select(p, values, n, [=] __host__ __device__(size_t i) { return i == 0 || !(k[i - 1] == k[i]); }, values);
    return pair<K, It>(thrust::unique(p, first, last), end);
}
WARPLINE_P, class K, class It, class KO, class VO, class Eq, class Op>
pair<KO, VO> reduce_by_key(const P &p, K first, K last, It values, KO keys_out, VO values_out, Eq eq, Op op)
{
    typedef value_of<It> T;
    const size_t n = (size_t)(last - first);
    warpline::room<size_t> places(p.at(), n + 1), starts(p.at(), n + 1);
    size_t *const start = starts.data;
    auto k = raw(first);
    auto a = raw(values);
    auto ko = raw(keys_out);
    auto vo = raw(values_out);
    const size_t found = warpline::fetch(p.at(), warpline::select_n(p.at(), places, n, [=] __host__ __device__(size_t i) mutable { return i == 0 || !eq(k[i - 1], k[i]); },
                                                                    [=] __host__ __device__(size_t j, size_t i) { start[j] = i; }));
    warpline::for_n(p.at(), found, WARPLINE_EACH {
        const size_t end = i + 1 < found ? start[i + 1] : n;
        T sum = a[start[i]];
        for (size_t j = start[i] + 1; j < end; j++)
            warpline::set(&sum, (T)op(sum, (T)a[j]));
        assign(ko[i], (value_of<K>)k[start[i]]);
        assign(vo[i], sum);
    });
    return pair<KO, VO>(keys_out + (ptrdiff_t)found, values_out + (ptrdiff_t)found);
}
WARPLINE_P, class K, class It, class KO, class VO, class Eq> pair<KO, VO> reduce_by_key(const P &p, K first, K last, It values, KO ko, VO vo, Eq eq)
{
    return thrust::reduce_by_key(p, first, last, values, ko, vo, eq, plus<value_of<It>>());
}
WARPLINE_P, class K, class It, class KO, class VO> pair<KO, VO> reduce_by_key(const P &p, K first, K last, It values, KO ko, VO vo)
{
    return thrust::reduce_by_key(p, first, last, values, ko, vo, equal_to<>(), plus<value_of<It>>());
}

/* Searches in what is sorted: how many go before x; with `after`, those equal to it too. */
template <class It, class T> __host__ __device__ inline ptrdiff_t place_in(It a, ptrdiff_t n, const T &x, bool after)
{
    ptrdiff_t low = 0, high = n;
    while (low < high) {
        const ptrdiff_t middle = low + (high - low) / 2;
        if (after ? !(x < a[middle]) : a[middle] < x)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}
#define WARPLINE_SEARCH(name, one, many)                                                                                      \
    WARPLINE_P, class It, class X, class Out> Out name(const P &p, It first, It last, X x, X x_last, Out out)                 \
    {                                                                                                                         \
        auto a = raw(first);                                                                                                  \
        auto b = raw(x);                                                                                                      \
        auto o = raw(out);                                                                                                    \
        const ptrdiff_t n = last - first;                                                                                     \
        warpline::for_n(p.at(), (size_t)(x_last - x), WARPLINE_EACH { o[i] = many; });                                        \
        return out + (x_last - x);                                                                                            \
    }                                                                                                                         \
    WARPLINE_P, class It, class T> auto name(const P &p, It first, It last, T x)                                              \
    {                                                                                                                         \
        auto a = raw(first);                                                                                                  \
        const ptrdiff_t n = last - first;                                                                                     \
        warpline::room<ptrdiff_t> found(p.at(), 1);                                                                           \
        ptrdiff_t *const b = found.data;                                                                                      \
        warpline::for_n(p.at(), 1, WARPLINE_EACH { b[i] = one; });                                                            \
        return warpline_search_##name(first, warpline::fetch(p.at(), b));                                                     \
    }
template <class It> inline It warpline_search_lower_bound(It first, ptrdiff_t n) { return first + n; }
template <class It> inline It warpline_search_upper_bound(It first, ptrdiff_t n) { return first + n; }
template <class It> inline bool warpline_search_binary_search(It, ptrdiff_t n) { return n != 0; }
WARPLINE_SEARCH(lower_bound, place_in(a, n, x, false), place_in(a, n, b[i], false))
WARPLINE_SEARCH(upper_bound, place_in(a, n, x, true), place_in(a, n, b[i], true))
WARPLINE_SEARCH(binary_search, place_in(a, n, x, true) - place_in(a, n, x, false), place_in(a, n, b[i], true) != place_in(a, n, b[i], false))
#undef WARPLINE_SEARCH
WARPLINE_P, class It, class It2, class Out> Out merge(const P &p, It first, It last, It2 second, It2 second_last, Out out)
{
    auto a = raw(first);
    auto b = raw(second);
    auto o = raw(out);
    const ptrdiff_t n = last - first, m = second_last - second;
    warpline::for_n(p.at(), (size_t)(n + m), WARPLINE_EACH {
        const ptrdiff_t k = (ptrdiff_t)i;
        if (k < n)
            assign(o[k + place_in(b, m, a[k], false)], a[k]);
        else
            assign(o[k - n + place_in(a, n, b[k - n], true)], b[k - n]);
    });
    return out + (n + m);
}

/* In a thread of a kernel, or on the host, one element after the other. */
template <class It, class F> __host__ __device__ inline void sort(const seq_policy &, It first, It last, F less)
{
    for (It i = first; i != last; ++i) {
        const auto x = *i;
        It j = i;
        for (; j != first && less(x, *(j - 1)); --j)
            *j = *(j - 1);
        *j = x;
    }
}
template <class It> __host__ __device__ inline void sort(const seq_policy &s, It first, It last) { thrust::sort(s, first, last, less<>()); }
template <class It, class F> __host__ __device__ inline It for_each(const seq_policy &, It first, It last, F f)
{
    for (; first != last; ++first)
        f(*first);
    return first;
}
template <class It, class T, class Op> __host__ __device__ inline T reduce(const seq_policy &, It first, It last, T sum, Op op)
{
    for (; first != last; ++first)
        sum = op(sum, *first);
    return sum;
}
template <class It, class T> __host__ __device__ inline T reduce(const seq_policy &s, It first, It last, T sum) { return thrust::reduce(s, first, last, sum, plus<T>()); }
template <class It, class T> __host__ __device__ inline void fill(const seq_policy &, It first, It last, T value)
{
    for (; first != last; ++first)
        *first = value;
}
template <class It, class Out> __host__ __device__ inline Out copy(const seq_policy &, It first, It last, Out out)
{
    for (; first != last; ++first, ++out)
        *out = *first;
    return out;
}
template <class It, class T> __host__ __device__ inline It lower_bound(const seq_policy &, It first, It last, T x)
{
    return first + place_in(first, last - first, x, false);
}

#define WARPLINE_LIST(with)                                                                                                     \
    with(for_each) with(for_each_n) with(transform) with(transform_if) with(generate) with(tabulate) with(fill) with(fill_n)    \
    with(sequence) with(gather) with(scatter) with(replace) with(replace_if) with(reverse) with(adjacent_difference)            \
    with(transform_reduce) with(reduce) with(inner_product) with(count) with(count_if) with(any_of) with(all_of) with(none_of)  \
    with(min_element) with(max_element) with(minmax_element) with(find) with(find_if) with(equal) with(is_sorted)               \
    with(transform_inclusive_scan) with(transform_exclusive_scan) with(inclusive_scan) with(exclusive_scan)                     \
    with(inclusive_scan_by_key) with(exclusive_scan_by_key) with(sort) with(stable_sort) with(sort_by_key)                      \
    with(stable_sort_by_key) with(copy_if) with(remove_copy_if) with(remove_if) with(remove) with(partition)                    \
    with(stable_partition) with(unique) with(unique_copy) with(unique_by_key) with(reduce_by_key) with(lower_bound)             \
    with(upper_bound) with(binary_search) with(merge)
WARPLINE_LIST(WARPLINE_WITHOUT_POLICY)
#undef WARPLINE_LIST
#endif
