/* Loops and sums over n elements on the device, by simple kernels of our own: what our cuBLAS and cuSPARSE are made of. The values are
 * right; the kernels, and so the time, are not NVIDIA's.
 *
 * `get(i)` gives an element. Sums may take elements in any order. */
#ifndef WARPLINE_PARALLEL_H
#define WARPLINE_PARALLEL_H
#include <cuda_runtime.h>
#include <new>
#include <stddef.h>
#include <type_traits>

namespace warpline_parallel {
struct on_device { cudaStream_t stream; };
enum { threads = 256 };

/* Also types whose assignment the device does not have, such as tuples. */
template <class T> __host__ __device__ inline void set(T *to, const T &value) { ::new ((void *)to) T(value); }

/* Memory for results on the way, in the kernels' order since launches do not overlap. */
template <class T> struct room {
    T *data;
    room(on_device, size_t n) : data(nullptr) { (void)::cudaMalloc((void **)&data, (n ? n : 1) * sizeof(T)); }
    room(const room &) = delete;
    ~room() { (void)::cudaFree((void *)data); }
};
template <class T> inline T fetch(on_device at, const T *p)
{
    alignas(T) unsigned char bytes[sizeof(T)];
    (void)::cudaMemcpyAsync(bytes, p, sizeof(T), cudaMemcpyDeviceToHost, at.stream);
    (void)::cudaStreamSynchronize(at.stream);
    return *(const T *)bytes;
}

template <class T> struct reads_memory {
    const T *p;
    __host__ __device__ T operator()(size_t i) const { return p[i]; }
};

template <class F> __global__ void each_kernel(size_t n, F f)
{
    const size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i < n)
        f(i);
}
template <class F> inline void for_n(on_device at, size_t n, F f)
{
    if (n)
        each_kernel<<<(unsigned)((n + threads - 1) / threads), threads, 0, at.stream>>>(n, f);
}

/* Each block's threads stride over the elements; those that have one are the first `m` of the block. */
template <class T, class Get, class Op> __global__ void reduce_kernel(size_t n, Get get, Op op, T *out)
{
    __shared__ __align__(16) unsigned char bytes[threads * sizeof(T)];
    T *part = (T *)bytes;
    const size_t first = blockIdx.x * (size_t)threads, i = first + threadIdx.x, m = n - first < threads ? n - first : threads;
    if (i < n) {
        T sum = get(i);
        for (size_t k = i + gridDim.x * (size_t)threads; k < n; k += gridDim.x * (size_t)threads)
            set(&sum, (T)op(sum, (T)get(k)));
        set(&part[threadIdx.x], sum);
    }
    __syncthreads();
    for (unsigned s = threads / 2; s; s /= 2) {
        if (threadIdx.x < s && threadIdx.x + s < m)
            set(&part[threadIdx.x], (T)op(part[threadIdx.x], part[threadIdx.x + s]));
        __syncthreads();
    }
    if (threadIdx.x == 0)
        set(&out[blockIdx.x], part[0]);
}
/* The sum of n > 0 elements to *out, in device memory. */
template <class T, class Get, class Op> inline void reduce_n(on_device at, size_t n, Get get, Op op, T *out)
{
    const size_t most = 240, needed = (n + threads - 1) / threads, blocks = needed < most ? needed : most;
    room<T> parts(at, blocks);
    T *const part = parts.data;
    reduce_kernel<T><<<(unsigned)blocks, threads, 0, at.stream>>>(n, get, op, part);
    reduce_kernel<T><<<1, threads, 0, at.stream>>>(blocks, reads_memory<T>{part}, op, out);
}
}
#endif
