// measured.h - what the measured kernels share: the arguments, launches one after the other, and the comparison with the CPU.
//
// A measurement launches the same kernel again and again on arrays of zeros; only the last launch is looked at, so that the L2
// holds what the launch before it left. `--data random` fills the arrays from a seed, which checks the arithmetic.
#pragma once
#include "../../workloads/common/workload.h"

namespace measured
{

struct Arguments {
    const char *kernel;
    int size;     // elements, or rows of a square matrix
    int rounds;   // atomics per thread, where the kernel has a loop of them
    int launches; // of the same kernel; each finds the caches as the one before it left them
    bool random;
};

inline std::vector<float> floats(const Arguments &a, size_t count, uint64_t seed)
{
    workload::Rng rng(seed);
    return a.random ? workload::random_floats(rng, count, -1, 1) : std::vector<float>(count, 0.0f);
}

// Numbers below `limit`.
inline std::vector<int> integers(const Arguments &a, size_t count, uint32_t limit)
{
    workload::Rng rng(5);
    std::vector<int> v(count, 0);
    if (a.random)
        for (int &x : v)
            x = static_cast<int>(rng.below(limit));
    return v;
}

// Outputs begin with bytes that no kernel writes, so that a store that is missing is seen.
template <class T> void spoil(workload::Buffer<T> &buffer, size_t count)
{
    workload::must(cudaMemset(buffer.get(), 0x5A, count * sizeof(T)), "cudaMemset");
}

template <class Launch> void repeat(const Arguments &a, Launch launch)
{
    for (int i = 0; i < a.launches; i++) {
        launch();
        workload::finish_kernels(a.kernel);
    }
}

inline bool same(const Arguments &a, const std::vector<float> &got, const std::vector<float> &want, float tolerance)
{
    const long at = workload::first_difference(got, want, tolerance);
    if (at >= 0)
        std::fprintf(stderr, "%s: element %ld is %g on the GPU, %g on the CPU\n", a.kernel, at,
                     static_cast<double>(got[static_cast<size_t>(at)]), static_cast<double>(want[static_cast<size_t>(at)]));
    return at < 0;
}

// One per kernel: runs it and says whether its result was the CPU's.
bool vector_add(const Arguments &a);
bool vector_add_divergent(const Arguments &a);
bool saxpy(const Arguments &a);
bool strided_copy_8(const Arguments &a);
bool random_access(const Arguments &a);
bool reduce_sum(const Arguments &a);
bool dot_product(const Arguments &a);
bool histogram(const Arguments &a);
bool atomic_hotspot(const Arguments &a);
bool atomic_hotspot_by_lane(const Arguments &a);
bool naive_transpose(const Arguments &a);
bool shared_transpose(const Arguments &a);
bool conv2d_3x3(const Arguments &a);
bool conv2d_7x7(const Arguments &a);
bool matmul_naive(const Arguments &a);
bool matmul_tiled(const Arguments &a);

} // namespace measured
