// particlefilter_float - tracking an object in noisy video with everything on the GPU (Rodinia's "float" form, which computes in doubles): particles move
// by random numbers drawn on the device, weights are normalised by a sum that every thread forms, one thread adds up the cumulative weights, and
// every thread searches them from the start. `particlefilter` leaves sums and cumulative weights to the host, and computes in floats.
#include "common/workload.h"

enum { THREADS = 512, RADIUS = 5, ONES = 69, SIDE = 128, FRAMES = 10 };

__host__ __device__ static double draw(int *seed, int i)
{
    const unsigned next = 1103515245u * static_cast<unsigned>(seed[i]) + 12345u;
    seed[i] = static_cast<int>(next % 2147483647u);
    return static_cast<double>(seed[i]) / 2147483647.0;
}

// Normally distributed, by Box and Muller.
__host__ __device__ static double draw_normal(int *seed, int i)
{
    const double u = draw(seed, i), v = draw(seed, i);
    return sqrt(-2.0 * log(u + 1e-12)) * cos(6.283185307179586 * v);
}

__host__ __device__ static int place_of(double x, double y, int dx, int dy, int frame)
{
    const int px = static_cast<int>(floor(x + 0.5)) + dx, py = static_cast<int>(floor(y + 0.5)) + dy;
    return px < 0 || py < 0 || px >= SIDE || py >= SIDE ? 0 : (px * SIDE + py) * FRAMES + frame;
}

__host__ __device__ static double contrast(unsigned char pixel)
{
    const double value = static_cast<double>(pixel);
    return ((value - 100.0) * (value - 100.0) - (value - 228.0) * (value - 228.0)) / 5000.0;
}

struct Particles {
    double *x, *y, *from_x, *from_y, *likelihood, *weight, *partial, *cdf, *u;
    int *place, *seed;
    int n;
};

__global__ void filter_likelihood(Particles p, const unsigned char *video, const int *disc, int frame)
{
    __shared__ double sums[THREADS];
    const int i = blockIdx.x * THREADS + threadIdx.x;
    sums[threadIdx.x] = 0;
    if (i < p.n) {
        p.x[i] = p.from_x[i] + 1.0 + 2.0 * draw_normal(p.seed, i);
        p.y[i] = p.from_y[i] + 2.0 + 2.0 * draw_normal(p.seed, i);
        for (int k = 0; k < ONES; k++)
            p.place[i * ONES + k] = place_of(p.x[i], p.y[i], disc[2 * k], disc[2 * k + 1], frame);
        double sum = 0;
        for (int k = 0; k < ONES; k++)
            sum += contrast(video[p.place[i * ONES + k]]);
        p.likelihood[i] = sum / ONES;
        p.weight[i] = exp(p.likelihood[i]) / p.n;
        sums[threadIdx.x] = p.weight[i];
    }
    for (int half = THREADS / 2; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half)
            sums[threadIdx.x] += sums[threadIdx.x + half];
    }
    if (threadIdx.x == 0)
        p.partial[blockIdx.x] = sums[0];
}

__global__ void filter_sum(Particles p, int blocks)
{
    if (blockIdx.x * THREADS + threadIdx.x != 0)
        return;
    double sum = 0;
    for (int b = 0; b < blocks; b++)
        sum += p.partial[b];
    p.partial[0] = sum;
}

__global__ void filter_normalize(Particles p)
{
    const int i = blockIdx.x * THREADS + threadIdx.x;
    if (i < p.n)
        p.weight[i] /= p.partial[0];
}

// One thread alone: the suite does this at the end of the launch before, where other blocks' weights may not be ready.
__global__ void filter_cumulate(Particles p)
{
    p.cdf[0] = p.weight[0];
    for (int i = 1; i < p.n; i++)
        p.cdf[i] = p.weight[i] + p.cdf[i - 1];
    p.u[0] = draw(p.seed, 0) / p.n;
}

__global__ void filter_find(Particles p)
{
    const int i = blockIdx.x * THREADS + threadIdx.x;
    if (i >= p.n)
        return;
    const double mine = p.u[0] + i / static_cast<double>(p.n);
    int index = p.n - 1;
    for (int k = 0; k < p.n; k++)
        if (p.cdf[k] >= mine) {
            index = k;
            break;
        }
    p.from_x[i] = p.x[index];
    p.from_y[i] = p.y[index];
}

static std::vector<unsigned char> make_video(workload::Rng &rng)
{
    std::vector<unsigned char> video(static_cast<size_t>(SIDE) * SIDE * FRAMES);
    for (int x = 0; x < SIDE; x++)
        for (int y = 0; y < SIDE; y++)
            for (int f = 0; f < FRAMES; f++) { // a disc that drifts, in noise
                const int dx = x - 64 - f, dy = y - 60 - 2 * f;
                video[(static_cast<size_t>(x) * SIDE + y) * FRAMES + f] = static_cast<unsigned char>((dx * dx + dy * dy < 100 ? 218 : 90) + rng.below(21));
            }
    return video;
}

// Weights and resampled places of one frame from the state before it. Where a draw falls within rounding of a cumulative weight, either neighbour is right.
static bool frame_is_right(int n, int frame, const std::vector<unsigned char> &video, const std::vector<int> &disc, std::vector<int> seed, const std::vector<double> &from_x,
                           const std::vector<double> &from_y, const std::vector<double> &got_x, const std::vector<double> &got_y, const std::vector<double> &weight)
{
    std::vector<double> x(n), y(n), want(n), cdf(n);
    double total = 0, running = 0;
    for (int i = 0; i < n; i++) {
        x[i] = from_x[i] + 1.0 + 2.0 * draw_normal(seed.data(), i);
        y[i] = from_y[i] + 2.0 + 2.0 * draw_normal(seed.data(), i);
        double sum = 0;
        for (int k = 0; k < ONES; k++)
            sum += contrast(video[static_cast<size_t>(place_of(x[i], y[i], disc[2 * k], disc[2 * k + 1], frame))]);
        total += want[i] = std::exp(sum / ONES) / n;
    }
    const double first = draw(seed.data(), 0) / n;
    for (int i = 0; i < n; i++) {
        if (std::fabs(want[i] / total - weight[i]) > 1e-6 * want[i] / total)
            return false;
        cdf[i] = running += want[i] / total;
    }
    for (int i = 0, k = 0; i < n; i++) {
        const double mine = first + i / static_cast<double>(n);
        while (k < n - 1 && cdf[k] < mine - 1e-9)
            k++;
        bool is_found = false;
        for (int other = k; other < n && other < k + 2; other++)
            is_found = is_found || (std::fabs(got_x[i] - x[other]) < 1e-6 && std::fabs(got_y[i] - y[other]) < 1e-6);
        if (!is_found)
            return false;
    }
    return true;
}

int main(int argc, char **argv)
{
    const workload::Run run = workload::parse(argc, argv, "particlefilter_float");
    const int n = workload::pick(run, "particles", 256, 1024, 8192, 10000), frames = workload::pick(run, "frames", 1, 2, 2, FRAMES);
    workload::Rng rng(run.seed);
    const std::vector<unsigned char> video = make_video(rng);
    std::vector<int> disc, seed(n);
    for (int dy = -RADIUS; dy <= RADIUS; dy++)
        for (int dx = -RADIUS; dx <= RADIUS; dx++)
            if (dx * dx + dy * dy < RADIUS * RADIUS) {
                disc.push_back(dx);
                disc.push_back(dy);
            }
    for (int &s : seed)
        s = static_cast<int>(rng.below(2147483646) + 1);
    const unsigned blocks = workload::blocks_for(n, THREADS);
    workload::Buffer<unsigned char> dv(video);
    workload::Buffer<int> dd(disc), place(static_cast<size_t>(n) * ONES), ds(seed);
    workload::Buffer<double> x(n), y(n), from_x(std::vector<double>(n, 64.0)), from_y(std::vector<double>(n, 60.0)), likelihood(n), weight(n), partial(blocks), cdf(n), u(n);
    const Particles p = {x.get(), y.get(), from_x.get(), from_y.get(), likelihood.get(), weight.get(), partial.get(), cdf.get(), u.get(), place.get(), ds.get(), n};
    bool right = disc.size() == 2 * ONES;
    for (int frame = 0; frame < frames; frame++) {
        const std::vector<double> before_x = from_x.download(), before_y = from_y.download();
        const std::vector<int> seeds = ds.download();
        filter_likelihood<<<blocks, THREADS>>>(p, dv.get(), dd.get(), frame);
        filter_sum<<<blocks, THREADS>>>(p, static_cast<int>(blocks));
        filter_normalize<<<blocks, THREADS>>>(p);
        filter_cumulate<<<1, 1>>>(p);
        filter_find<<<blocks, THREADS>>>(p);
        workload::finish_kernels("particlefilter_float");
        right = right && frame_is_right(n, frame, video, disc, seeds, before_x, before_y, from_x.download(), from_y.download(), weight.download());
    }
    return workload::verdict(run, right, "weights and resampled particles");
}
