// particlefilter - tracking an object in noisy video: likelihoods from the pixels around each particle, weights normalised, and then
// resampling, where every thread searches the cumulative weights from the start for its own draw: the same lines, at different times.
// The first kernel works as Rodinia's does: each thread writes the places of its pixels into a row of its own of a table, and then
// reads them again, so that the lanes of a warp walk 32 rows side by side, and the pixels of a frame lie one frame count apart.
#include "common/workload.h"

enum { THREADS = 128, RADIUS = 5, ONES = 69, SIDE = 128, FRAMES = 10 };

// Place in the video (x, y, frame) of the pixel at an offset from a particle.
__host__ __device__ static int place_of(float x, float y, int dx, int dy, int frame)
{
    const int px = static_cast<int>(x + 0.5f) + dx, py = static_cast<int>(y + 0.5f) + dy;
    return px < 0 || py < 0 || px >= SIDE || py >= SIDE ? frame : (px * SIDE + py) * FRAMES + frame;
}

__host__ __device__ static float contrast(unsigned char pixel)
{
    const float value = static_cast<float>(pixel);
    return ((value - 100.0f) * (value - 100.0f) - (value - 228.0f) * (value - 228.0f)) / 50.0f;
}

__global__ void particle_likelihood(const unsigned char *video, int frame, const float *x, const float *y, const int2 *disc, int *places, float *weight, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    for (int k = 0; k < ONES; k++)
        places[i * ONES + k] = place_of(x[i], y[i], disc[k].x, disc[k].y, frame);
    float sum = 0;
    for (int k = 0; k < ONES; k++)
        sum += contrast(video[places[i * ONES + k]]);
    weight[i] = expf(sum / ONES * 0.01f);
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

static std::vector<unsigned char> make_video(workload::Rng &rng)
{
    std::vector<unsigned char> video(static_cast<size_t>(SIDE) * SIDE * FRAMES);
    for (int x = 0; x < SIDE; x++)
        for (int y = 0; y < SIDE; y++)
            for (int f = 0; f < FRAMES; f++) { // a disc that drifts to the lower right, in noise
                const int dx = x - 64 - f, dy = y - 60 - 2 * f;
                video[(static_cast<size_t>(x) * SIDE + y) * FRAMES + f] = static_cast<unsigned char>((dx * dx + dy * dy < 100 ? 218 : 90) + rng.below(21));
            }
    return video;
}

// Everything the tracker keeps between frames, on the device.
struct Tracker {
    Tracker(int particles, const std::vector<unsigned char> &frames, const std::vector<int2> &offsets)
        : n(particles), video(frames), disc(offsets), places(static_cast<size_t>(n) * ONES), x(n), y(n), weight(n), partial(workload::blocks_for(n, THREADS)), cdf(n),
          draw(n), new_x(n), new_y(n)
    {
    }
    int n;
    workload::Buffer<unsigned char> video;
    workload::Buffer<int2> disc;
    workload::Buffer<int> places;
    workload::Buffer<float> x, y, weight, partial, cdf, draw, new_x, new_y;
};

// One frame on the GPU, compared with the CPU; moves the particles.
static bool track(Tracker &t, int frame, workload::Rng &rng, const std::vector<unsigned char> &video, const std::vector<int2> &disc, std::vector<float> &x, std::vector<float> &y)
{
    const int n = t.n;
    const unsigned blocks = workload::blocks_for(n, THREADS);
    t.x.upload(x);
    t.y.upload(y);
    particle_likelihood<<<blocks, THREADS>>>(t.video.get(), frame, t.x.get(), t.y.get(), t.disc.get(), t.places.get(), t.weight.get(), n);
    particle_sum<<<blocks, THREADS>>>(t.weight.get(), t.partial.get(), n);
    workload::finish_kernels("likelihood");
    const std::vector<float> weight = t.weight.download();
    std::vector<float> want_weight(n), cdf(n), draw(n);
    double total = 0, parts = 0, running = 0;
    for (float p : t.partial.download())
        parts += static_cast<double>(p);
    for (int i = 0; i < n; i++) {
        float sum = 0;
        for (const int2 &d : disc)
            sum += contrast(video[static_cast<size_t>(place_of(x[i], y[i], d.x, d.y, frame))]);
        want_weight[i] = std::exp(sum / ONES * 0.01f);
        total += static_cast<double>(want_weight[i]);
        cdf[i] = static_cast<float>(running += static_cast<double>(weight[i]) / parts);
    }
    const float first = rng.uniform() / static_cast<float>(n);
    for (int i = 0; i < n; i++)
        draw[i] = first + static_cast<float>(i) / static_cast<float>(n);
    t.cdf.upload(cdf);
    t.draw.upload(draw);
    particle_resample<<<blocks, THREADS>>>(t.cdf.get(), t.draw.get(), t.x.get(), t.y.get(), t.new_x.get(), t.new_y.get(), n);
    workload::finish_kernels("particle_resample");
    std::vector<float> want_x(n), want_y(n);
    for (int i = 0, k = 0; i < n; i++) { // the draws ascend, so one walk finds them all
        while (k < n - 1 && cdf[k] < draw[i])
            k++;
        want_x[i] = x[k];
        want_y[i] = y[k];
    }
    const bool right = workload::first_difference(weight, want_weight, 1e-3f) < 0 && std::fabs(parts - total) < 1e-3 * total && t.new_x.download() == want_x && t.new_y.download() == want_y;
    for (int i = 0; i < n; i++) { // the object moves, with some doubt about it
        x[i] = want_x[i] + 1 + rng.uniform(-2, 2);
        y[i] = want_y[i] + 2 + rng.uniform(-2, 2);
    }
    return right;
}

int main(int argc, char **argv)
{
    const workload::Run run = workload::parse(argc, argv, "particlefilter");
    const int n = workload::pick(run, "particles", 256, 1920, 7680, 10000), frames = workload::pick(run, "frames", 1, 2, 2, FRAMES);
    workload::Rng rng(run.seed);
    const std::vector<unsigned char> video = make_video(rng);
    std::vector<int2> disc;
    for (int dy = -RADIUS; dy <= RADIUS; dy++)
        for (int dx = -RADIUS; dx <= RADIUS; dx++)
            if (dx * dx + dy * dy < RADIUS * RADIUS)
                disc.push_back({dx, dy});
    std::vector<float> x = workload::random_floats(rng, n, 44, 84), y = workload::random_floats(rng, n, 40, 80);
    Tracker tracker(n, video, disc);
    bool right = disc.size() == ONES;
    for (int frame = 0; frame < frames; frame++)
        right = track(tracker, frame, rng, video, disc, x, y) && right;
    return workload::verdict(run, right, "resampled particles");
}
