/* Thrust's policies, and vectors on both sides. */
#ifndef WARPLINE_THRUST_VECTORS_H
#define WARPLINE_THRUST_VECTORS_H
#include "warpline_iterators.h"
#include <initializer_list>
#include <vector>

namespace thrust {
struct policy_base {};
struct host_policy : policy_base { warpline::on_host at() const { return {}; } };
struct seq_policy : policy_base {}; /* also within a kernel */
struct device_policy : policy_base {
    cudaStream_t stream = 0;
    warpline::on_device at() const { return {stream}; }
    device_policy on(cudaStream_t s) const
    {
        device_policy p;
        p.stream = s;
        return p;
    }
    template <class Allocator> device_policy operator()(Allocator &&) const { return *this; }
};
static const device_policy device{};
static const host_policy host{};
#if defined(__CUDA_ARCH__)
#define WARPLINE_SEQ __device__
#else
#define WARPLINE_SEQ
#endif
static WARPLINE_SEQ const seq_policy seq{};
#undef WARPLINE_SEQ
namespace cuda {
static const device_policy par{}, par_nosync{};
}
namespace system {
namespace cuda {
using thrust::cuda::par;
}
}
template <class T> struct is_policy : std::is_base_of<policy_base, T> {};
/* Where an algorithm without a policy works: where its iterators lie. */
template <class... A> using policy_for = std::conditional_t<(traits<A>::device || ...), device_policy, host_policy>;

template <class T> class device_vector;
template <class T, class = void> class host_vector : public std::vector<T> {
public:
    using std::vector<T>::vector;
    host_vector() = default;
    host_vector(const host_vector &) = default;
    host_vector(const std::vector<T> &v) : std::vector<T>(v) {}
    host_vector(const device_vector<T> &d) : std::vector<T>(d.size()) { d.read(this->data()); }
    host_vector &operator=(const host_vector &) = default;
    host_vector &operator=(const device_vector<T> &d)
    {
        this->resize(d.size());
        d.read(this->data());
        return *this;
    }
};

template <class T> class device_vector {
    T *memory = nullptr;
    size_t used = 0, held = 0;
    void take(const T *from, size_t n, cudaMemcpyKind kind)
    {
        reserve(n);
        used = n;
        if (n)
            (void)::cudaMemcpy((void *)memory, from, n * sizeof(T), kind);
    }
    void fill(size_t from, const T &value)
    {
        T *const p = memory + from;
        const T v = value;
        if (used > from)
            warpline::for_n(warpline::on_device{0}, used - from, [=] __host__ __device__(size_t i) { warpline::set(&p[i], v); });
    }
    template <class It> void gather(It first, It last)
    {
        if constexpr (traits<It>::device) {
            reserve((size_t)(last - first));
            used = (size_t)(last - first);
            T *const p = memory;
            const auto from = raw(first);
            warpline::for_n(warpline::on_device{0}, used, [=] __host__ __device__(size_t i) { warpline::set(&p[i], (T)from[i]); });
        } else {
            const std::vector<T> all(first, last);
            take(all.data(), all.size(), cudaMemcpyHostToDevice);
        }
    }

public:
    typedef T value_type;
    typedef size_t size_type;
    typedef device_ptr<T> iterator, pointer;
    typedef device_ptr<const T> const_iterator, const_pointer;
    typedef device_reference<T> reference;
    typedef ptrdiff_t difference_type;
    device_vector() {}
    explicit device_vector(size_t n) { resize(n); }
    device_vector(size_t n, const T &value) { resize(n, value); }
    device_vector(std::initializer_list<T> list) { take(list.begin(), list.size(), cudaMemcpyHostToDevice); }
    device_vector(const device_vector &o) { take(o.memory, o.used, cudaMemcpyDeviceToDevice); }
    device_vector(device_vector &&o) { swap(o); }
    device_vector(const std::vector<T> &v) { take(v.data(), v.size(), cudaMemcpyHostToDevice); }
    template <class It, class = typename std::iterator_traits<It>::iterator_category> device_vector(It first, It last) { gather(first, last); }
    ~device_vector() { (void)::cudaFree((void *)memory); }
    device_vector &operator=(const device_vector &o)
    {
        if (this != &o)
            take(o.memory, o.used, cudaMemcpyDeviceToDevice);
        return *this;
    }
    device_vector &operator=(device_vector &&o) { return swap(o), *this; }
    device_vector &operator=(const std::vector<T> &v) { return take(v.data(), v.size(), cudaMemcpyHostToDevice), *this; }
    void read(T *to) const
    {
        if (used)
            (void)::cudaMemcpy((void *)to, memory, used * sizeof(T), cudaMemcpyDeviceToHost);
    }
    void reserve(size_t n)
    {
        if (n <= held)
            return;
        T *bigger = nullptr;
        (void)::cudaMalloc((void **)&bigger, n * sizeof(T));
        if (used)
            (void)::cudaMemcpy((void *)bigger, memory, used * sizeof(T), cudaMemcpyDeviceToDevice);
        (void)::cudaFree((void *)memory);
        memory = bigger;
        held = n;
    }
    void resize(size_t n, const T &value = T())
    {
        const size_t before = used;
        reserve(n);
        used = n;
        if (n > before)
            fill(before, value);
    }
    template <class It, class = typename std::iterator_traits<It>::iterator_category> void assign(It first, It last) { gather(first, last); }
    void assign(size_t n, const T &value) { used = 0, resize(n, value); }
    void push_back(const T &value)
    {
        if (used == held)
            reserve(held ? 2 * held : 16);
        used++;
        back() = value;
    }
    void pop_back() { used--; }
    void clear() { used = 0; }
    void shrink_to_fit() {}
    void swap(device_vector &o) { std::swap(memory, o.memory), std::swap(used, o.used), std::swap(held, o.held); }
    iterator erase(iterator first, iterator last)
    {
        const size_t at = (size_t)(first.get() - memory), n = (size_t)(last - first);
        device_vector tail(last, end());
        (void)::cudaMemcpy((void *)(memory + at), tail.memory, tail.used * sizeof(T), cudaMemcpyDeviceToDevice);
        used -= n;
        return first;
    }
    iterator erase(iterator at) { return erase(at, at + 1); }
    size_t size() const { return used; }
    size_t capacity() const { return held; }
    bool empty() const { return used == 0; }
    iterator begin() { return iterator(memory); }
    iterator end() { return iterator(memory + used); }
    const_iterator begin() const { return const_iterator(memory); }
    const_iterator end() const { return const_iterator(memory + used); }
    const_iterator cbegin() const { return begin(); }
    const_iterator cend() const { return end(); }
    reverse_iterator<iterator> rbegin() { return reverse_iterator<iterator>(end()); }
    reverse_iterator<iterator> rend() { return reverse_iterator<iterator>(begin()); }
    iterator data() { return begin(); }
    const_iterator data() const { return begin(); }
    reference operator[](size_t i) { return begin()[(ptrdiff_t)i]; }
    device_reference<const T> operator[](size_t i) const { return begin()[(ptrdiff_t)i]; }
    reference front() { return begin()[0]; }
    reference back() { return begin()[(ptrdiff_t)used - 1]; }
    friend bool operator==(const device_vector &a, const device_vector &b) { return std::vector<T>(host_vector<T>(a)) == std::vector<T>(host_vector<T>(b)); }
};
}
#endif
