// streams - kernels that touch each element once: sums of vectors, a strided copy, a gather. Blocks of 256 threads.
#include "measured.h"

using measured::Arguments;
using workload::Buffer;

static __device__ int global_thread() { return blockIdx.x * blockDim.x + threadIdx.x; }

__global__ void vector_add_kernel(const float *a, const float *b, float *c, int n)
{
    const int i = global_thread();
    if (i < n)
        c[i] = a[i] + b[i];
}

__global__ void saxpy_kernel(float factor, const float *a, const float *b, float *c, int n)
{
    const int i = global_thread();
    if (i < n)
        c[i] = factor * a[i] + b[i];
}

// 128 terms that grow with the round: a conversion from integer and a multiplication each.
static const float TERM = 0.0001f;
static const int TERMS = 128;

__global__ void divergent_kernel(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, int n)
{
    const int i = global_thread();
    if (i >= n)
        return;
    float extra = 0;
    if (i % 2 == 0) {
#pragma unroll 16
        for (int round = 0; round < TERMS; round++)
            extra += TERM * static_cast<float>(round);
    }
    c[i] = a[i] + b[i] + extra;
}

__global__ void strided_copy_kernel(const float *__restrict__ from, float *__restrict__ to, int n)
{
    const int i = 8 * global_thread();
    if (i < n)
        to[i] = from[i];
}

__global__ void gather_kernel(const float *__restrict__ from, const int *__restrict__ index, float *__restrict__ to, int n)
{
    const int i = global_thread();
    if (i < n)
        to[i] = from[index[i]];
}

// The three kernels of two inputs: `launch` is given their arrays, `want` what an element should be.
template <class Launch, class Want> static bool two_inputs(const Arguments &a, Launch launch, Want want)
{
    const size_t n = static_cast<size_t>(a.size);
    std::vector<float> x = measured::floats(a, n, 1), y = measured::floats(a, n, 2);
    Buffer<float> dx(x), dy(y), dz(n);
    measured::spoil(dz, n);
    measured::repeat(a, [&] { launch(workload::blocks_for(n, 256), dx.get(), dy.get(), dz.get()); });
    for (size_t i = 0; i < n; i++)
        x[i] = want(i, x[i], y[i]);
    return measured::same(a, dz.download(), x, 1e-5f);
}

bool measured::vector_add(const Arguments &a)
{
    return two_inputs(
        a, [&](unsigned blocks, float *x, float *y, float *z) { vector_add_kernel<<<blocks, 256>>>(x, y, z, a.size); },
        [](size_t, float x, float y) { return x + y; });
}

bool measured::saxpy(const Arguments &a)
{
    return two_inputs(
        a, [&](unsigned blocks, float *x, float *y, float *z) { saxpy_kernel<<<blocks, 256>>>(2.5f, x, y, z, a.size); },
        [](size_t, float x, float y) { return 2.5f * x + y; });
}

bool measured::vector_add_divergent(const Arguments &a)
{
    float sum = 0;
    for (int round = 0; round < TERMS; round++)
        sum += TERM * static_cast<float>(round);
    return two_inputs(
        a, [&](unsigned blocks, float *x, float *y, float *z) { divergent_kernel<<<blocks, 256>>>(x, y, z, a.size); },
        [&](size_t i, float x, float y) { return x + y + (i % 2 == 0 ? sum : 0); });
}

bool measured::strided_copy_8(const Arguments &a)
{
    const size_t n = static_cast<size_t>(a.size);
    const std::vector<float> from = floats(a, n, 1);
    Buffer<float> device_from(from), to(n);
    spoil(to, n);
    std::vector<float> want = to.download();
    repeat(a, [&] { strided_copy_kernel<<<workload::blocks_for(n / 8, 256), 256>>>(device_from.get(), to.get(), a.size); });
    for (size_t i = 0; i < n; i += 8)
        want[i] = from[i];
    return same(a, to.download(), want, 0);
}

bool measured::random_access(const Arguments &a)
{
    const size_t n = static_cast<size_t>(a.size);
    const std::vector<float> from = floats(a, n, 1);
    const std::vector<int> index = integers(a, n, static_cast<uint32_t>(n));
    Buffer<float> device_from(from), to(n);
    Buffer<int> device_index(index);
    spoil(to, n);
    repeat(a, [&] { gather_kernel<<<workload::blocks_for(n, 256), 256>>>(device_from.get(), device_index.get(), to.get(), a.size); });
    std::vector<float> want(n);
    for (size_t i = 0; i < n; i++)
        want[i] = from[static_cast<size_t>(index[i])];
    return same(a, to.download(), want, 0);
}
