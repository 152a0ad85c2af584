// particlefilter - tracking an object in noisy video: likelihoods from the pixels around each particle, weights normalised, and then
// resampling, where every thread searches the cumulative weights from the start for its own draw: the same lines, at different times.
#include "common/workload.h"

enum { THREADS = 128, DISC = 12 };

__host__ __device__ static float likelihood(const unsigned char *frame, int side, float x, float y, const int *dx, const int *dy)
{
    float sum = 0;
    for (int k = 0; k < DISC; k++) {
        int px = static_cast<int>(x) + dx[k], py = static_cast<int>(y) + dy[k];
        px = px < 0 ? 0 : px >= side ? side - 1 : px;
        py = py < 0 ? 0 : py >= side ? side - 1 : py;
        const float value = static_cast<float>(frame[py * side + px]);
        sum += ((value - 100.0f) * (value - 100.0f) - (value - 228.0f) * (value - 228.0f)) / 50.0f;
    }
    return sum / DISC;
}

__global__ void particle_likelihood(const unsigned char *frame, int side, const float *x, const float *y, const int *dx, const int *dy, float *weight, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        weight[i] = expf(likelihood(frame, side, x[i], y[i], dx, dy) * 0.01f);
}

__global__ void particle_sum(const float *weight, float *partial, int n)
{
    __shared__ float sums[THREADS];
    const int i = blockIdx.x * THREADS + threadIdx.x;
    sums[threadIdx.x] = i < n ? weight[i] : 0.0f;
    for (int half = THREADS / 2; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half)
            sums[threadIdx.x] += sums[threadIdx.x + half];
    }
    if (threadIdx.x == 0)
        partial[blockIdx.x] = sums[0];
}

__global__ void particle_resample(const float *cdf, const float *draw, const float *x, const float *y, float *new_x, float *new_y, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int index = n - 1;
    for (int k = 0; k < n; k++)
        if (cdf[k] >= draw[i]) {
            index = k;
            break;
        }
    new_x[i] = x[index];
    new_y[i] = y[index];
}

int main(int argc, char **argv)
{
    const workload::Run run = workload::parse(argc, argv, "particlefilter");
    const int side = 128, n = workload::pick(run, 256, 1920, 6144, 10000);
    workload::Rng rng(run.seed);
    std::vector<unsigned char> frame(static_cast<size_t>(side) * side);
    for (unsigned char &p : frame)
        p = static_cast<unsigned char>(90 + rng.below(21));
    for (int y = 50; y < 70; y++)
        for (int x = 60; x < 80; x++)
            frame[static_cast<size_t>(y) * side + x] = static_cast<unsigned char>(218 + rng.below(21));
    std::vector<int> dx(DISC), dy(DISC);
    for (int k = 0; k < DISC; k++) {
        dx[k] = k % 4 - 2;
        dy[k] = k / 4 - 1;
    }
    const std::vector<float> x = workload::random_floats(rng, n, 40, 100), y = workload::random_floats(rng, n, 30, 90);
    workload::Buffer<unsigned char> df(frame);
    workload::Buffer<int> ddx(dx), ddy(dy);
    const unsigned blocks = workload::blocks_for(n, THREADS);
    workload::Buffer<float> px(x), py(y), dw(n), partial(blocks), nx(n), ny(n);
    particle_likelihood<<<blocks, THREADS>>>(df.get(), side, px.get(), py.get(), ddx.get(), ddy.get(), dw.get(), n);
    particle_sum<<<blocks, THREADS>>>(dw.get(), partial.get(), n);
    workload::finish_kernels("likelihood");
    std::vector<float> weight = dw.download(), want_weight(n);
    double total = 0, parts = 0;
    for (float p : partial.download())
        parts += static_cast<double>(p);
    for (int i = 0; i < n; i++) {
        want_weight[i] = std::exp(likelihood(frame.data(), side, x[i], y[i], dx.data(), dy.data()) * 0.01f);
        total += static_cast<double>(want_weight[i]);
    }
    std::vector<float> cdf(n), draw(n);
    double running = 0;
    for (int i = 0; i < n; i++)
        cdf[i] = static_cast<float>(running += static_cast<double>(weight[i]) / parts);
    const float first = rng.uniform() / static_cast<float>(n);
    for (int i = 0; i < n; i++)
        draw[i] = first + static_cast<float>(i) / static_cast<float>(n);
    workload::Buffer<float> dcdf(cdf), ddraw(draw);
    particle_resample<<<blocks, THREADS>>>(dcdf.get(), ddraw.get(), px.get(), py.get(), nx.get(), ny.get(), n);
    workload::finish_kernels("particle_resample");
    std::vector<float> want_x(n), want_y(n);
    for (int i = 0, k = 0; i < n; i++) { // the draws ascend, so one walk finds them all
        while (k < n - 1 && cdf[k] < draw[i])
            k++;
        want_x[i] = x[k];
        want_y[i] = y[k];
    }
    const bool right = workload::first_difference(weight, want_weight, 1e-3f) < 0 && std::fabs(parts - total) < 1e-3 * total && nx.download() == want_x && ny.download() == want_y;
    return workload::verdict(run, right, "resampled particles");
}
