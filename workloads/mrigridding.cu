// mrigridding - samples at free positions are spread onto a regular grid: kernel 1 assigns each sample its grid tile and counts, kernel 2
// moves the samples into tile order, kernel 3 gathers, per grid point, from the tiles around it with a distance kernel.
#include "common/workload.h"

enum { TILE = 8, REACH = 2 };
struct Sample {
    float x, y, real, imaginary;
};

__global__ void grid_bin(const Sample *samples, int n, int tiles, int *tile_of, int *rank, int *counts)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    const int tile = static_cast<int>(samples[i].y) / TILE * tiles + static_cast<int>(samples[i].x) / TILE;
    tile_of[i] = tile;
    rank[i] = atomicAdd(&counts[tile], 1);
}

__global__ void grid_reorder(const Sample *samples, int n, const int *tile_of, const int *rank, const int *start, Sample *sorted)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        sorted[start[tile_of[i]] + rank[i]] = samples[i];
}

__host__ __device__ static float spread(float dx, float dy)
{
    const float r2 = dx * dx + dy * dy, limit = REACH * REACH;
    return r2 < limit ? expf(-1.5f * r2) * (1.0f - r2 / limit) : 0.0f;
}

__global__ void grid_gather(const Sample *sorted, const int *start, int tiles, float2 *grid)
{
    __shared__ Sample part[64];
    const int side = tiles * TILE, gx = blockIdx.x * TILE + threadIdx.x, gy = blockIdx.y * TILE + threadIdx.y, lane = threadIdx.y * TILE + threadIdx.x;
    float2 sum = {0, 0};
    for (int n = 0; n < 9; n++) {
        const int tx = static_cast<int>(blockIdx.x) + n % 3 - 1, ty = static_cast<int>(blockIdx.y) + n / 3 - 1;
        if (tx < 0 || ty < 0 || tx >= tiles || ty >= tiles)
            continue;
        const int first = start[ty * tiles + tx], last = start[ty * tiles + tx + 1];
        for (int base = first; base < last; base += 64) {
            __syncthreads();
            if (base + lane < last)
                part[lane] = sorted[base + lane];
            __syncthreads();
            const int count = last - base < 64 ? last - base : 64;
            for (int k = 0; k < count; k++) {
                const float w = spread(part[k].x - static_cast<float>(gx), part[k].y - static_cast<float>(gy));
                sum.x += w * part[k].real;
                sum.y += w * part[k].imaginary;
            }
        }
    }
    grid[gy * side + gx] = sum;
}

int main(int argc, char **argv)
{
    const workload::Run run = workload::parse(argc, argv, "mrigridding");
    const int tiles = workload::pick(run, "tiles", 4, 12, 32, 64), n = workload::pick(run, "samples", 500, 4500, 60000, 500000), side = tiles * TILE;
    workload::Rng rng(run.seed);
    std::vector<Sample> samples(n);
    for (int i = 0; i < n; i++) { // spiral arms: dense in the middle
        const float t = rng.uniform(), angle = 40 * t + 6.2831853f * static_cast<float>(rng.below(8)) / 8, radius = 0.5f * std::sqrt(t) * static_cast<float>(side - 1);
        samples[i] = {static_cast<float>(side) * 0.5f + radius * std::cos(angle) * 0.99f, static_cast<float>(side) * 0.5f + radius * std::sin(angle) * 0.99f, rng.uniform(-1, 1), rng.uniform(-1, 1)};
    }
    workload::Buffer<Sample> ds(samples), dsorted(n);
    workload::Buffer<int> dtile(n), drank(n), dcount(static_cast<size_t>(tiles) * tiles);
    workload::Buffer<float2> dgrid(static_cast<size_t>(side) * side);
    dcount.zero();
    grid_bin<<<workload::blocks_for(n, 256), 256>>>(ds.get(), n, tiles, dtile.get(), drank.get(), dcount.get());
    workload::finish_kernels("grid_bin");
    std::vector<int> start(1, 0);
    for (int c : dcount.download())
        start.push_back(start.back() + c);
    workload::Buffer<int> dstart(start);
    grid_reorder<<<workload::blocks_for(n, 256), 256>>>(ds.get(), n, dtile.get(), drank.get(), dstart.get(), dsorted.get());
    grid_gather<<<dim3(tiles, tiles), dim3(TILE, TILE)>>>(dsorted.get(), dstart.get(), tiles, dgrid.get());
    workload::finish_kernels("gridding");
    std::vector<double> want_real(static_cast<size_t>(side) * side, 0), want_imaginary(want_real);
    for (const Sample &s : samples)
        for (int y = static_cast<int>(s.y) - REACH; y <= static_cast<int>(s.y) + REACH + 1; y++)
            for (int x = static_cast<int>(s.x) - REACH; x <= static_cast<int>(s.x) + REACH + 1; x++)
                if (x >= 0 && y >= 0 && x < side && y < side) {
                    const float w = spread(s.x - static_cast<float>(x), s.y - static_cast<float>(y));
                    want_real[static_cast<size_t>(y) * side + x] += static_cast<double>(w * s.real);
                    want_imaginary[static_cast<size_t>(y) * side + x] += static_cast<double>(w * s.imaginary);
                }
    std::vector<float> got, want;
    const std::vector<float2> grid = dgrid.download();
    for (size_t i = 0; i < grid.size(); i++) {
        got.insert(got.end(), {grid[i].x, grid[i].y});
        want.insert(want.end(), {static_cast<float>(want_real[i]), static_cast<float>(want_imaginary[i])});
    }
    return workload::verdict(run, got, want, 1e-3f, "grid");
}
