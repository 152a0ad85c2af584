// binomial - prices of options by a binomial tree (the CUDA SDK's form): a block of 256 an option. The leaves are in global memory; pieces of 256 are brought
// into shared memory, stepped back 32 levels at a time, and written out.
#include "common/workload.h"

enum { CACHE = 256, LEVELS = 32, STEP = CACHE - LEVELS };

struct Option {
    float price, strike, drift_per_step, up_share, down_share; // shares of the two successors, discounted
};

__host__ __device__ static float value_at_leaf(const Option &o, int i, int steps)
{
    const float gain = o.price * expf(o.drift_per_step * static_cast<float>(2 * i - steps)) - o.strike;
    return gain > 0 ? gain : 0;
}

__global__ void binomial_options(const Option *options, float *tree, float *value, int steps)
{
    __shared__ float a[CACHE + 1], b[CACHE + 1];
    const int t = threadIdx.x;
    const Option o = options[blockIdx.x];
    float *call = tree + blockIdx.x * (steps + 16);
    for (int i = t; i <= steps; i += CACHE)
        call[i] = value_at_leaf(o, i, steps);
    for (int level = steps; level > 0; level -= LEVELS)
        for (int base = 0; base < level; base += STEP) {
            int last = min(CACHE - 1, level - base);
            const int end = last - LEVELS;
            __syncthreads();
            if (t <= last)
                a[t] = call[base + t];
            for (int k = last - 1; k >= end;) {
                __syncthreads();
                b[t] = o.up_share * a[t + 1] + o.down_share * a[t];
                k--;
                __syncthreads();
                a[t] = o.up_share * b[t + 1] + o.down_share * b[t];
                k--;
            }
            __syncthreads();
            if (t <= end)
                call[base + t] = a[t];
        }
    if (t == 0)
        value[blockIdx.x] = a[0];
}

int main(int argc, char **argv)
{
    const workload::Run run = workload::parse(argc, argv, "binomial");
    const int count = workload::pick(run, 4, 32, 64, 512), steps = workload::pick(run, 64, 512, 1024, 2048);
    workload::Rng rng(run.seed);
    std::vector<Option> options(count);
    for (Option &o : options) {
        const double years = static_cast<double>(rng.uniform(1, 10)), dt = years / steps, jump = 0.3 * std::sqrt(dt), growth = std::exp(0.06 * dt);
        const double up = (growth - std::exp(-jump)) / (std::exp(jump) - std::exp(-jump));
        o = {rng.uniform(5, 30), rng.uniform(1, 100), static_cast<float>(jump), static_cast<float>(up / growth), static_cast<float>((1 - up) / growth)};
    }
    workload::Buffer<Option> dopt(options);
    workload::Buffer<float> tree(static_cast<size_t>(count) * (steps + 16)), value(count);
    binomial_options<<<count, CACHE>>>(dopt.get(), tree.get(), value.get(), steps);
    workload::finish_kernels("binomial_options");
    std::vector<float> want;
    for (const Option &o : options) {
        std::vector<double> call(steps + 1);
        for (int i = 0; i <= steps; i++)
            call[i] = static_cast<double>(value_at_leaf(o, i, steps));
        for (int level = steps; level > 0; level--)
            for (int i = 0; i < level; i++)
                call[i] = static_cast<double>(o.up_share) * call[i + 1] + static_cast<double>(o.down_share) * call[i];
        want.push_back(static_cast<float>(call[0]));
    }
    return workload::verdict(run, value.download(), want, 1e-3f, "prices");
}
