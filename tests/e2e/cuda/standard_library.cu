// cuda::atomic, atomic_ref, barrier, latch, semaphore, pipeline and cuda::std, as programs with libcu++ use them.
#include "check.h"
#include <cooperative_groups.h>
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/latch>
#include <cuda/pipeline>
#include <cuda/semaphore>
#include <cuda/std/array>
#include <cuda/std/atomic>
#include <cuda/std/bit>
#include <cuda/std/complex>
#include <cuda/std/limits>
#include <cuda/std/span>
#include <cuda/std/tuple>
#include <cuda/std/type_traits>
#include <cuda/std/utility>
namespace cg = cooperative_groups;

struct counts {
    cuda::atomic<int, cuda::thread_scope_device> sum, least, most;
    cuda::atomic<unsigned long long, cuda::thread_scope_block> bits;
    cuda::atomic<float, cuda::thread_scope_system> real;
    cuda::std::atomic<int> plain;
    cuda::atomic<unsigned char, cuda::thread_scope_device> small[4];
    int product;
};

__global__ void atomics(counts *c)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    c->sum.fetch_add(i, cuda::std::memory_order_relaxed);
    c->least.fetch_min(-i);
    c->most.fetch_max(i, cuda::memory_order_acq_rel);
    c->bits.fetch_or(1ull << (i & 63), cuda::std::memory_order_release);
    c->real += 0.5f;
    c->plain++;
    if (i < 200)
        ++c->small[i & 3];
    cuda::atomic_ref<int, cuda::thread_scope_device> product(c->product);
    if (i < 3) {
        int seen = product.load(cuda::memory_order_relaxed);
        while (!product.compare_exchange_weak(seen, seen * (i + 2), cuda::memory_order_relaxed))
            ;
    }
}

// Block 0 waits for the others by a flag in memory.
__global__ void hand_over(cuda::atomic<int, cuda::thread_scope_device> *flag, int *value)
{
    if (blockIdx.x == 1 && threadIdx.x == 0) {
        value[0] = 42;
        flag->store(1, cuda::memory_order_release);
    }
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        volatile cuda::atomic<int, cuda::thread_scope_device> *const watched = flag; // as programs of old habits have it
        while (watched->load(cuda::memory_order_acquire) == 0)
            ;
        watched->fetch_add(1);
        value[1] = value[0];
    }
}

__global__ void barriers(int *out)
{
    __shared__ cuda::barrier<cuda::thread_scope_block> bar;
    __shared__ int part[64], copied[64];
    auto block = cg::this_thread_block();
    if (threadIdx.x == 0)
        init(&bar, blockDim.x);
    block.sync();
    for (int round = 0; round < 3; round++) {
        part[threadIdx.x] = (int)threadIdx.x + round;
        auto token = bar.arrive();
        const int mine = (int)threadIdx.x * 0;
        bar.wait(cuda::std::move(token));
        out[threadIdx.x] += part[63 - threadIdx.x] + mine;
        bar.arrive_and_wait();
    }
    cuda::memcpy_async(block, copied, part, sizeof part, bar);
    bar.arrive_and_wait();
    out[64 + threadIdx.x] = copied[63 - threadIdx.x];
}

__global__ void stages(const int *in, int *out)
{
    constexpr int depth = 2, n = 4;
    __shared__ int room[depth][64];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, depth> state;
    auto block = cg::this_thread_block();
    auto pipe = cuda::make_pipeline(block, &state);
    int sum = 0;
    for (int ahead = 0, i = 0; i < n; i++) {
        for (; ahead < n && ahead < i + depth; ahead++) {
            pipe.producer_acquire();
            cuda::memcpy_async(block, room[ahead % depth], in + ahead * 64, sizeof room[0], pipe);
            pipe.producer_commit();
        }
        pipe.consumer_wait();
        sum += room[i % depth][63 - threadIdx.x];
        pipe.consumer_release();
    }
    out[threadIdx.x] = sum;
}

__device__ cuda::binary_semaphore<cuda::thread_scope_device> from_the_start{ 1 };
__global__ void turns(cuda::binary_semaphore<cuda::thread_scope_device> *one, cuda::latch<cuda::thread_scope_device> *all, int *out)
{
    if (threadIdx.x == 0) {
        one->acquire();
        out[0] = out[0] + 1;
        one->release();
        all->arrive_and_wait();
        out[1 + blockIdx.x] = *(volatile int *)out;
    }
}

__host__ __device__ inline double total(cuda::std::span<const float> values)
{
    double sum = 0;
    for (float v : values)
        sum += v;
    return sum;
}
__global__ void bit_functions(int *out, unsigned x, unsigned char byte, unsigned long long far)
{
    out[0] = cuda::std::popcount(x) + 100 * cuda::std::countl_zero(byte) + 10000 * cuda::std::countr_zero(far);
    out[1] = (int)(cuda::std::bit_ceil(x) + cuda::std::bit_floor(x));
    out[2] = cuda::std::rotl(byte, 3) + (cuda::std::rotr(x, 36) == (x >> 4 | x << 28) ? 256 : 0);
    out[3] = cuda::std::has_single_bit(far) + 2 * cuda::std::has_single_bit(x) + 4 * (cuda::std::bit_cast<unsigned>(1.0f) == 0x3f800000);
}
__global__ void library(float *out)
{
    cuda::std::array<float, 4> a{1, 2, 3, 4};
    auto t = cuda::std::make_tuple(3, 2.5f);
    cuda::std::complex<float> z(1, 2), w(3, -1);
    z = z * w + cuda::std::complex<float>(0, 1);
    out[0] = (float)total(cuda::std::span<const float>(a.data(), a.size()));
    out[1] = (float)cuda::std::get<0>(t) + cuda::std::get<1>(t);
    out[2] = z.real() * 100 + z.imag();
    int x = 1, y = 2;
    cuda::std::swap(x, y);
    out[3] = (float)(10 * x + y) + (cuda::std::is_same<int, decltype(x)>::value ? 0.5f : 0);
    out[4] = cuda::std::numeric_limits<float>::infinity() > 1e38f ? (float)cuda::std::numeric_limits<int>::digits : 0;
}

int main()
{
    counts *c;
    CALL(cudaMallocManaged(&c, sizeof *c));
    memset((void *)c, 0, sizeof *c);
    c->product = 1;
    c->sum = 1;
    atomics<<<4, 96>>>(c);
    LAUNCHED();
    CHECK(c->sum == 1 + 384 * 383 / 2 && c->least == -383 && c->most.load() == 383 && c->bits == ~0ull);
    CHECK(c->real.load() == 192.0f && c->plain == 384 && c->product == 24);
    for (int i = 0; i < 4; i++)
        CHECK(c->small[i] == 50);
    int *v, *in, *out;
    float *f;
    CALL(cudaMallocManaged(&v, 1024));
    CALL(cudaMallocManaged(&in, 1024));
    CALL(cudaMallocManaged(&out, 1024));
    CALL(cudaMallocManaged(&f, 64));
    memset(v, 0, 1024);
    memset(out, 0, 1024);
    hand_over<<<2, 32>>>((cuda::atomic<int, cuda::thread_scope_device> *)(v + 8), v);
    LAUNCHED();
    CHECK(v[1] == 42 && v[8] == 2);
    bit_functions<<<1, 1>>>(out, 0x30f, 0x21, 1ull << 40);
    LAUNCHED();
    CHECK(out[0] == 6 + 200 + 400000 && out[1] == 1024 + 512 && out[2] == 9 + 256 && out[3] == 5);
    memset(out, 0, 1024);
    barriers<<<1, 64>>>(out);
    LAUNCHED();
    for (int i = 0; i < 64; i++)
        CHECK(out[i] == 3 * (63 - i) + 3 && out[64 + i] == 63 - i + 2);
    for (int i = 0; i < 256; i++)
        in[i] = i;
    stages<<<1, 64>>>(in, out);
    LAUNCHED();
    for (int i = 0; i < 64; i++)
        CHECK(out[i] == 4 * (63 - i) + 64 * 6);
    auto *one = (cuda::binary_semaphore<cuda::thread_scope_device> *)v;
    auto *all = (cuda::latch<cuda::thread_scope_device> *)(v + 64);
    new (one) cuda::binary_semaphore<cuda::thread_scope_device>(1);
    new (all) cuda::latch<cuda::thread_scope_device>(3);
    out[0] = 0;
    turns<<<3, 32>>>(one, all, out);
    LAUNCHED();
    CHECK(out[0] == 3 && out[1] == 3 && out[3] == 3);
    library<<<1, 1>>>(f);
    LAUNCHED();
    CHECK(f[0] == 10 && f[1] == 5.5f && f[2] == 506 && f[3] == 21.5f && f[4] == 31);
    return done();
}
