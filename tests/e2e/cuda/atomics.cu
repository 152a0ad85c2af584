// Every atomic function and type, on global and on shared memory.
#include "check.h"
struct results {
    int add_i, min_i, max_i, and_i, or_i, xor_i, exch_i, cas_i, sub_i;
    unsigned add_u, min_u, max_u, inc_u, dec_u;
    unsigned long long add_ull, max_ull, cas_ull;
    long long min_ll;
    float add_f;
    double add_d;
};
static __host__ __device__ results start()
{
    results r;
    r.add_i = 0; r.min_i = 1000; r.max_i = -1000; r.and_i = -1; r.or_i = 0; r.xor_i = 0; r.exch_i = -1; r.cas_i = 0; r.sub_i = 0;
    r.add_u = 0; r.min_u = 1000; r.max_u = 0; r.inc_u = 0; r.dec_u = 0; r.add_ull = 0; r.max_ull = 0; r.cas_ull = 0; r.min_ll = 0;
    r.add_f = 0; r.add_d = 0;
    return r;
}
__device__ void all(results *r, int i)
{
    atomicAdd(&r->add_i, i); atomicMin(&r->min_i, i - 50); atomicMax(&r->max_i, i - 50); atomicAnd(&r->and_i, ~(1 << (i % 31)));
    atomicOr(&r->or_i, 1 << (i % 31)); atomicXor(&r->xor_i, i); atomicExch(&r->exch_i, 5); atomicSub(&r->sub_i, i);
    atomicAdd(&r->add_u, 3u); atomicMin(&r->min_u, (unsigned)i + 2); atomicMax(&r->max_u, (unsigned)i); atomicInc(&r->inc_u, 9);
    atomicDec(&r->dec_u, 9); atomicAdd(&r->add_ull, 1ull << 33); atomicMax(&r->max_ull, (unsigned long long)i << 40);
    atomicMin(&r->min_ll, -(long long)i << 35); atomicAdd(&r->add_f, 0.5f); atomicAdd(&r->add_d, 0.25);
    int old = r->cas_i, seen;
    do {
        seen = old;
        old = atomicCAS(&r->cas_i, seen, seen + 2);
    } while (old != seen);
    unsigned long long before = r->cas_ull, found;
    do {
        found = before;
        before = atomicCAS(&r->cas_ull, found, found + (1ull << 34));
    } while (before != found);
}
__global__ void on_global(results *r) { all(r, blockIdx.x * blockDim.x + threadIdx.x); }
__global__ void on_shared(results *out)
{
    __shared__ results r;
    if (threadIdx.x == 0)
        r = start();
    __syncthreads();
    all(&r, threadIdx.x);
    __syncthreads();
    if (threadIdx.x == 0)
        *out = r;
}
static void verify(const results &r, int n)
{
    results w = start();
    for (int i = 0; i < n; i++) {
        w.add_i += i; w.xor_i ^= i; w.and_i &= ~(1 << (i % 31)); w.or_i |= 1 << (i % 31);
        w.inc_u = w.inc_u >= 9 ? 0 : w.inc_u + 1;
        w.dec_u = w.dec_u == 0 || w.dec_u > 9 ? 9 : w.dec_u - 1;
    }
    CHECK(r.add_i == w.add_i && r.min_i == -50 && r.max_i == n - 51 && r.and_i == w.and_i && r.or_i == w.or_i && r.xor_i == w.xor_i);
    CHECK(r.exch_i == 5 && r.cas_i == 2 * n && r.sub_i == -w.add_i && r.add_u == 3u * n && r.min_u == 2 && r.max_u == (unsigned)n - 1);
    CHECK(r.inc_u == w.inc_u && r.dec_u == w.dec_u && r.add_ull == (unsigned long long)n << 33);
    CHECK(r.max_ull == (unsigned long long)(n - 1) << 40 && r.cas_ull == (unsigned long long)n << 34);
    CHECK(r.min_ll == -(long long)(n - 1) * (1ll << 35) && r.add_f == 0.5f * n && r.add_d == 0.25 * n);
}
int main()
{
    results r = start(), *d = on_device(&r, 1);
    on_global<<<3, 64>>>(d);
    LAUNCHED();
    to_host(&r, d, 1);
    verify(r, 192);
    on_shared<<<1, 96>>>(d);
    LAUNCHED();
    to_host(&r, d, 1);
    verify(r, 96);
    return done();
}
