// workload.h - what every workload shares: its arguments, seeded inputs, device buffers, and the verdict.
//
// A workload is an ordinary CUDA program: it makes its input from a seed, runs its kernels, computes the same on the CPU and
// compares. `--size` picks one of four inputs, and `--shape NAME=NUMBER,...` replaces numbers of it (those that `pick` is given a name
// for); exit code 0 means the GPU's result was right, 1 that it was not.
#pragma once
#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

namespace workload {

enum Size { TINY, SMALL, MEDIUM, PAPER };

struct Run {
    const char *name;
    Size size;
    uint64_t seed;
};

inline const char *size_name(Size size)
{
    static const char *const names[] = {"tiny", "small", "medium", "paper"};
    return names[size];
}

// Numbers that --shape gives: each must have been picked before the first buffer is made.
struct Shape {
    std::string name;
    long value;
    bool picked;
};
inline std::vector<Shape> &shapes()
{
    static std::vector<Shape> all;
    return all;
}

[[noreturn]] inline void usage(const char *name, const char *complaint)
{
    if (complaint)
        std::fprintf(stderr, "%s: %s\n", name, complaint);
    std::fprintf(complaint ? stderr : stdout, "usage: %s [--size tiny|small|medium|paper] [--seed N] [--shape NAME=NUMBER,...]\n", name);
    std::exit(complaint ? 2 : 0);
}

inline void parse_shape(const char *name, const std::string &list)
{
    for (size_t at = 0; at < list.size();) {
        const size_t end = std::min(list.find(',', at), list.size()), equals = list.find('=', at);
        char *rest = nullptr;
        const long value = equals < end ? std::strtol(list.c_str() + equals + 1, &rest, 10) : 0;
        if (value < 1 || value > 1 << 30 || rest != list.c_str() + end)
            usage(name, "--shape takes NAME=NUMBER,..., each number positive");
        shapes().push_back({list.substr(at, equals - at), value, false});
        at = end + 1;
    }
}

inline void refuse_unknown_shapes()
{
    for (const Shape &s : shapes())
        if (!s.picked) {
            std::fprintf(stderr, "--shape: this program has no number '%s'\n", s.name.c_str());
            std::exit(2);
        }
}

inline Run parse(int argc, char **argv, const char *name)
{
    Run run = {name, SMALL, 1};
    for (int i = 1; i < argc; i++) {
        if (!std::strcmp(argv[i], "--help"))
            usage(name, nullptr);
        const bool is_size = !std::strcmp(argv[i], "--size"), is_seed = !std::strcmp(argv[i], "--seed"), is_shape = !std::strcmp(argv[i], "--shape");
        if (!is_size && !is_seed && !is_shape)
            usage(name, "unknown argument");
        if (++i == argc)
            usage(name, "an argument needs a value");
        if (is_seed) {
            run.seed = std::strtoull(argv[i], nullptr, 0);
            continue;
        }
        if (is_shape) {
            parse_shape(name, argv[i]);
            continue;
        }
        int found = -1;
        for (int s = TINY; s <= PAPER; s++)
            if (!std::strcmp(argv[i], size_name(static_cast<Size>(s))))
                found = s;
        if (found < 0)
            usage(name, "--size must be tiny, small, medium or paper");
        run.size = static_cast<Size>(found);
    }
    return run;
}

template <class T> T pick(const Run &run, T tiny, T small, T medium, T paper)
{
    const T all[] = {tiny, small, medium, paper};
    return all[run.size];
}
// A number that --shape may replace.
inline int pick(const Run &run, const char *name, int tiny, int small, int medium, int paper)
{
    int value = pick(run, tiny, small, medium, paper);
    for (Shape &s : shapes())
        if (s.name == name) {
            value = static_cast<int>(s.value);
            s.picked = true;
        }
    return value;
}

// splitmix64: small, seeded, the same everywhere.
class Rng {
  public:
    explicit Rng(uint64_t seed) : state_(seed * 0x9E3779B97F4A7C15ull + 0x1234567ull) {}
    uint64_t next()
    {
        uint64_t z = (state_ += 0x9E3779B97F4A7C15ull);
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
        return z ^ (z >> 31);
    }
    uint32_t below(uint32_t n) { return static_cast<uint32_t>((next() >> 32) * n >> 32); }
    float uniform() { return static_cast<float>(next() >> 40) * (1.0f / 16777216.0f); }
    float uniform(float low, float high) { return low + (high - low) * uniform(); }

  private:
    uint64_t state_;
};

// Device memory that buffers have taken: the program's footprint.
inline size_t &footprint_bytes()
{
    static size_t bytes = 0;
    return bytes;
}

inline void must(cudaError_t status, const char *what)
{
    if (status == cudaSuccess)
        return;
    std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(status));
    std::exit(1);
}

// After a launch: errors of the launch itself, and of its execution.
inline void finish_kernels(const char *what)
{
    must(cudaGetLastError(), what);
    must(cudaDeviceSynchronize(), what);
}

template <class T> class Buffer {
  public:
    explicit Buffer(size_t count) : count_(count)
    {
        refuse_unknown_shapes();
        must(cudaMalloc(reinterpret_cast<void **>(&data_), count * sizeof(T)), "cudaMalloc");
        footprint_bytes() += count * sizeof(T);
    }
    explicit Buffer(const std::vector<T> &from) : Buffer(from.size()) { upload(from); }
    Buffer(const Buffer &) = delete;
    Buffer &operator=(const Buffer &) = delete;
    ~Buffer() { cudaFree(data_); }
    T *get() { return data_; }
    void upload(const std::vector<T> &from) { must(cudaMemcpy(data_, from.data(), count_ * sizeof(T), cudaMemcpyHostToDevice), "copy to device"); }
    void zero() { must(cudaMemset(data_, 0, count_ * sizeof(T)), "cudaMemset"); }
    std::vector<T> download()
    {
        std::vector<T> to(count_);
        must(cudaMemcpy(to.data(), data_, count_ * sizeof(T), cudaMemcpyDeviceToHost), "copy from device");
        return to;
    }

  private:
    T *data_ = nullptr;
    size_t count_;
};

inline std::vector<float> random_floats(Rng &rng, size_t count, float low, float high)
{
    std::vector<float> v(count);
    for (float &x : v)
        x = rng.uniform(low, high);
    return v;
}

// Index of the first value further from the CPU's than `tolerance` (relative, absolute near zero), or -1.
inline long first_difference(const std::vector<float> &got, const std::vector<float> &want, float tolerance)
{
    for (size_t i = 0; i < want.size(); i++) {
        const float scale = std::fmax(1.0f, std::fabs(want[i]));
        if (!(std::fabs(got[i] - want[i]) <= tolerance * scale))
            return static_cast<long>(i);
    }
    return -1;
}

inline int verdict(const Run &run, bool right, const char *detail)
{
    std::printf("%s (%s): %s, %s; %.1f KiB on the device\n", run.name, size_name(run.size), detail, right ? "right" : "WRONG",
                static_cast<double>(footprint_bytes()) / 1024);
    return right ? 0 : 1;
}

inline int verdict(const Run &run, const std::vector<float> &got, const std::vector<float> &want, float tolerance, const char *detail)
{
    const long at = first_difference(got, want, tolerance);
    if (at >= 0)
        std::fprintf(stderr, "%s: element %ld is %g on the GPU, %g on the CPU\n", run.name, at,
                     static_cast<double>(got[static_cast<size_t>(at)]), static_cast<double>(want[static_cast<size_t>(at)]));
    return verdict(run, at < 0, detail);
}

inline unsigned blocks_for(size_t items, unsigned per_block) { return static_cast<unsigned>((items + per_block - 1) / per_block); }

} // namespace workload
