// joule - GPUJoule's microbenchmarks (paper 002, section 6.3.1): one kernel per row of table 6.1b, and kernels that mix them. A compute
// kernel runs one instruction over and over in the form of the paper's algorithm 6; a memory kernel chases pointers in a ring of lines
// that fits one level of the memory and no level above it, a warp's lanes side by side in a line. The paper does not print which
// instructions its mixed kernels mix: those here are our choice.
//
// What a kernel measures is its name: joule_fp_add is row thread.fp_add, joule_l2 is row transaction.l2. `warpline energy fit` reads it so.
#include "common/workload.h"

#define TWICE(x) x x
#define TIMES_32(x) TWICE(TWICE(TWICE(TWICE(TWICE(x)))))

// Chains that depend on themselves, one per thread; `a` and `b` keep values in range.
#define COMPUTE(name, type, constraint, text)                                                                              \
    __global__ void joule_##name(type *out, int iterations, type a, type b)                                                \
    {                                                                                                                      \
        type x = static_cast<type>(1) + static_cast<type>(threadIdx.x & 7);                                                \
        for (int i = 0; i < iterations; i++) {                                                                             \
            TIMES_32(asm volatile(text : "+" constraint(x) : constraint(a), constraint(b));)                               \
        }                                                                                                                  \
        out[blockIdx.x * blockDim.x + threadIdx.x] = x;                                                                    \
    }

COMPUTE(fp_add, float, "f", "add.f32 %0, %0, %1;")
COMPUTE(fp_mul, float, "f", "mul.f32 %0, %0, %1;")
COMPUTE(fp_fma, float, "f", "fma.rn.f32 %0, %1, %0, %2;")
COMPUTE(int_add, int, "r", "add.s32 %0, %0, %1;")
COMPUTE(int_sub, int, "r", "sub.s32 %0, %0, %1;")
COMPUTE(and, int, "r", "and.b32 %0, %0, %1;")
COMPUTE(or, int, "r", "or.b32 %0, %0, %1;")
COMPUTE(xor, int, "r", "xor.b32 %0, %0, %1;")
COMPUTE(sin, float, "f", "sin.approx.f32 %0, %0;")
COMPUTE(cos, float, "f", "cos.approx.f32 %0, %0;")
COMPUTE(int_mul, int, "r", "mul.lo.s32 %0, %0, %1;")
COMPUTE(int_mad, int, "r", "mad.lo.s32 %0, %0, %1, %2;")
COMPUTE(dp_add, double, "d", "add.f64 %0, %0, %1;")
COMPUTE(dp_mul, double, "d", "mul.f64 %0, %0, %1;")
COMPUTE(dp_fma, double, "d", "fma.rn.f64 %0, %1, %0, %2;")
COMPUTE(sqrt, float, "f", "sqrt.approx.f32 %0, %0;")
COMPUTE(log2, float, "f", "lg2.approx.f32 %0, %1;")
COMPUTE(exp2, float, "f", "ex2.approx.f32 %0, %1;")
COMPUTE(rcp, float, "f", "rcp.approx.f32 %0, %0;")
COMPUTE(mix_float, float, "f", "add.f32 %0, %0, %1; mul.f32 %0, %0, %2; fma.rn.f32 %0, %0, %2, %1;")
COMPUTE(mix_int, int, "r", "add.s32 %0, %0, %1; mul.lo.s32 %0, %0, %2; xor.b32 %0, %0, %1; and.b32 %0, %0, %2;")
COMPUTE(mix_special, float, "f", "sin.approx.f32 %0, %0; fma.rn.f32 %0, %0, %2, %1; rcp.approx.f32 %0, %0;")
COMPUTE(mix_double, double, "d", "fma.rn.f64 %0, %0, %2, %1; add.f64 %0, %0, %1;")

// Follows `next` for `steps` steps from the warp's own place.
__device__ int chase(const int *next, int at, int steps)
{
    for (int i = 0; i < steps; i += 8) {
#pragma unroll
        for (int k = 0; k < 8; k++)
            at = next[at];
    }
    return at;
}

// A ring of `lines` lines for each warp: `next` of a lane's word is the same lane's word in the next line.
#define CHASE(name)                                                                                       \
    __global__ void joule_##name(const int *next, int *out, int lines, int steps)                         \
    {                                                                                                     \
        const int thread = blockIdx.x * blockDim.x + threadIdx.x, warp = thread / 32;                     \
        out[thread] = chase(next, warp * lines * 32 + threadIdx.x % 32, steps);                           \
    }
CHASE(l1)
CHASE(l2)
CHASE(dram)

enum { RING = 4, WARPS = 8 };

__global__ void joule_shared(const int *, int *out, int, int steps)
{
    __shared__ int next[WARPS * RING * 32];
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    for (int line = 0; line < RING; line++)
        next[(warp * RING + line) * 32 + lane] = (warp * RING + (line + 1) % RING) * 32 + lane;
    out[blockIdx.x * blockDim.x + threadIdx.x] = chase(next, warp * RING * 32 + lane, steps);
}

// Loads from the L1 with arithmetic between them.
__global__ void joule_mix_memory(const int *next, int *out, int lines, int steps)
{
    const int thread = blockIdx.x * blockDim.x + threadIdx.x;
    int at = thread / 32 * lines * 32 + threadIdx.x % 32;
    float x = 1;
    for (int i = 0; i < steps; i++) {
        at = next[at];
        TWICE(TWICE(asm volatile("fma.rn.f32 %0, %1, %0, %2;" : "+f"(x) : "f"(0.5f), "f"(0.5f));))
    }
    out[thread] = at + (x == 1 ? 0 : 1);
}

namespace {

int failures = 0;

template <class T> void expect(const char *kernel, T got, T wanted, double tolerance)
{
    const double difference = std::fabs(static_cast<double>(got) - static_cast<double>(wanted));
    if (difference > tolerance * (1 + std::fabs(static_cast<double>(wanted)))) {
        std::fprintf(stderr, "joule_%s: %g instead of %g\n", kernel, static_cast<double>(got), static_cast<double>(wanted));
        failures++;
    }
}

// Runs a compute kernel and the same recurrence on the CPU.
template <class T, class Step>
void compute(const char *name, void (*kernel)(T *, int, T, T), int blocks, int iterations, T a, T b, double tolerance, Step step)
{
    workload::Buffer<T> out(static_cast<size_t>(blocks) * WARPS * 32);
    kernel<<<blocks, WARPS * 32>>>(out.get(), iterations, a, b);
    workload::finish_kernels(name);
    const std::vector<T> got = out.download();
    for (int thread = 0; thread < 8; thread++) {
        T x = static_cast<T>(1 + thread);
        for (int i = 0; i < 32 * iterations; i++)
            x = step(x, a, b);
        expect(name, got[thread], x, tolerance);
    }
}

void memory(const char *name, void (*kernel)(const int *, int *, int, int), int blocks, int lines, int steps)
{
    const size_t warps = static_cast<size_t>(blocks) * WARPS;
    std::vector<int> ring(warps * lines * 32);
    for (size_t warp = 0; warp < warps; warp++)
        for (int line = 0; line < lines; line++)
            for (int lane = 0; lane < 32; lane++)
                ring[(warp * lines + line) * 32 + lane] = static_cast<int>((warp * lines + (line + 1) % lines) * 32 + lane);
    workload::Buffer<int> next(ring), out(warps * 32);
    kernel<<<blocks, WARPS * 32>>>(next.get(), out.get(), lines, steps);
    workload::finish_kernels(name);
    const std::vector<int> got = out.download();
    for (int thread = 0; thread < WARPS * 32; thread++)
        expect(name, got[thread], (thread / 32 * lines + steps % lines) * 32 + thread % 32, 0);
}


unsigned u(int x)
{
    return static_cast<unsigned>(x);
}

} // namespace

#define COMPUTE_RUN(name, type, a, b, tolerance, result) \
    compute<type>(#name, joule_##name, blocks, n, a, b, tolerance, [](type x, type p, type q) -> type { (void)x; (void)p; (void)q; return result; })

int main(int argc, char **argv)
{
    const workload::Run run = workload::parse(argc, argv, "joule");
    int blocks = 1;
    workload::must(cudaDeviceGetAttribute(&blocks, cudaDevAttrMultiProcessorCount, 0), "multiprocessors"); // one block per SM
    const int n = workload::pick(run, 2, 4, 40, 4000), steps = workload::pick(run, 80, 160, 1600, 80000);
    COMPUTE_RUN(fp_add, float, 0.5f, 0.0f, 0, x + p);
    COMPUTE_RUN(fp_mul, float, 1.0f, 0.0f, 0, x * p);
    COMPUTE_RUN(fp_fma, float, 0.5f, 0.5f, 0, std::fma(p, x, q));
    COMPUTE_RUN(int_add, int, 3, 0, 0, static_cast<int>(u(x) + u(p)));
    COMPUTE_RUN(int_sub, int, 3, 0, 0, static_cast<int>(u(x) - u(p)));
    COMPUTE_RUN(and, int, 0x7ffffff5, 0, 0, x & p);
    COMPUTE_RUN(or, int, 0x10, 0, 0, x | p);
    COMPUTE_RUN(xor, int, 0x55, 0, 0, x ^ p);
    COMPUTE_RUN(sin, float, 0.0f, 0.0f, 1e-3, std::sin(x));
    COMPUTE_RUN(cos, float, 0.0f, 0.0f, 1e-3, std::cos(x));
    COMPUTE_RUN(int_mul, int, 3, 0, 0, static_cast<int>(u(x) * u(p)));
    COMPUTE_RUN(int_mad, int, 3, 7, 0, static_cast<int>(u(x) * u(p) + u(q)));
    COMPUTE_RUN(dp_add, double, 0.5, 0.0, 0, x + p);
    COMPUTE_RUN(dp_mul, double, 1.0, 0.0, 0, x * p);
    COMPUTE_RUN(dp_fma, double, 0.5, 0.5, 0, std::fma(p, x, q));
    COMPUTE_RUN(sqrt, float, 0.0f, 0.0f, 1e-3, std::sqrt(x));
    COMPUTE_RUN(log2, float, 8.0f, 0.0f, 1e-3, std::log2(p));
    COMPUTE_RUN(exp2, float, 3.0f, 0.0f, 1e-3, std::exp2(p));
    COMPUTE_RUN(rcp, float, 0.0f, 0.0f, 1e-2, 1 / x);
    COMPUTE_RUN(mix_float, float, 0.5f, 0.5f, 0, std::fma((x + p) * q, q, p));
    COMPUTE_RUN(mix_int, int, 3, 0x7fffffff, 0, static_cast<int>(((u(x) + u(p)) * u(q)) ^ u(p)) & q);
    COMPUTE_RUN(mix_special, float, 2.0f, 0.5f, 1e-2, 1 / std::fma(std::sin(x), q, p));
    COMPUTE_RUN(mix_double, double, 0.5, 0.25, 0, std::fma(x, q, p) + p);
    // Four lines a warp stay in any L1; 40 lines of each of 8 warps are 40 KB, more than an L1 of 16 or 32 KB holds, and fit an L2 as often as
    // there are SMs; 1000 lines are a megabyte per SM.
    memory("shared", joule_shared, blocks, RING, steps);
    memory("l1", joule_l1, blocks, RING, steps);
    memory("l2", joule_l2, blocks, 40, steps);
    memory("dram", joule_dram, blocks, workload::pick(run, 100, 200, 1000, 1000), steps);
    memory("mix_memory", joule_mix_memory, blocks, RING, steps);
    std::printf("joule (%s): %s, %d rows wrong; %.1f KiB on the device\n", workload::size_name(run.size), failures ? "WRONG" : "right", failures,
                static_cast<double>(workload::footprint_bytes()) / 1024);
    return failures != 0;
}
