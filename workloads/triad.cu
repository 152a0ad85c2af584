// triad - a = b + s c over long vectors of doubles (the fourth kernel of STREAM): every byte is used once, and bandwidth alone decides.
#include "common/workload.h"

enum { THREADS = 256 };

__global__ void stream_triad(double *a, const double *b, const double *c, double scale, size_t n)
{
    const size_t i = static_cast<size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i < n)
        a[i] = b[i] + scale * c[i];
}

int main(int argc, char **argv)
{
    const workload::Run run = workload::parse(argc, argv, "triad");
    const size_t n = workload::pick<size_t>(run, 4096, 1u << 20, 1u << 24, 1u << 26);
    workload::Rng rng(run.seed);
    std::vector<double> b(n), c(n);
    for (size_t i = 0; i < n; i++) {
        b[i] = static_cast<double>(rng.below(1000));
        c[i] = static_cast<double>(i % 1009);
    }
    workload::Buffer<double> da(n), db(b), dc(c);
    stream_triad<<<workload::blocks_for(n, THREADS), THREADS>>>(da.get(), db.get(), dc.get(), 3.0, n);
    workload::finish_kernels("stream_triad");
    const std::vector<double> a = da.download();
    bool right = true; // whole numbers: exact
    for (size_t i = 0; i < n; i++)
        right = right && a[i] == b[i] + 3.0 * c[i];
    return workload::verdict(run, right, "vector");
}
