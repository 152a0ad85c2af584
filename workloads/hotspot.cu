// hotspot - temperature of a chip from its power map: a 5-point stencil over time, several steps per launch in a shared tile
// with a shrinking valid region (pyramid).
#include <utility>

#include "common/workload.h"

enum { TILE = 16 };

struct Chip {
    int rows, columns;
    float step, rx, ry, rz, ambient;
};

__host__ __device__ static float advance(const Chip &c, float centre, float north, float south, float west, float east, float power)
{
    return centre + c.step * (power + (south + north - 2.0f * centre) * c.ry + (east + west - 2.0f * centre) * c.rx + (c.ambient - centre) * c.rz);
}

__global__ void hotspot_steps(Chip chip, int steps, const float *power, const float *from, float *to)
{
    __shared__ float now[TILE][TILE], heat[TILE][TILE], next[TILE][TILE];
    const int inner = TILE - 2 * steps, tx = threadIdx.x, ty = threadIdx.y;
    const int y = static_cast<int>(blockIdx.y) * inner - steps + ty, x = static_cast<int>(blockIdx.x) * inner - steps + tx;
    const bool on_chip = y >= 0 && y < chip.rows && x >= 0 && x < chip.columns;
    if (on_chip) {
        now[ty][tx] = from[y * chip.columns + x];
        heat[ty][tx] = power[y * chip.columns + x];
    }
    __syncthreads();
    const int north = y > 0 ? ty - 1 : ty, south = y < chip.rows - 1 ? ty + 1 : ty;
    const int west = x > 0 ? tx - 1 : tx, east = x < chip.columns - 1 ? tx + 1 : tx;
    bool computed = false;
    for (int i = 0; i < steps; i++) {
        computed = on_chip && tx > i && tx < TILE - 1 - i && ty > i && ty < TILE - 1 - i;
        if (computed)
            next[ty][tx] = advance(chip, now[ty][tx], now[north][tx], now[south][tx], now[ty][west], now[ty][east], heat[ty][tx]);
        __syncthreads();
        if (i == steps - 1)
            break;
        if (computed)
            now[ty][tx] = next[ty][tx];
        __syncthreads();
    }
    if (computed)
        to[y * chip.columns + x] = next[ty][tx];
}

int main(int argc, char **argv)
{
    const workload::Run run = workload::parse(argc, argv, "hotspot");
    const int n = workload::pick(run, "n", 64, 256, 512, 512), launches = workload::pick(run, "launches", 1, 3, 10, 30), steps = 2;
    Chip chip = {n, n, 0.0625f, 0.2f, 0.2f, 0.05f, 80.0f};
    workload::Rng rng(run.seed);
    const size_t cells = static_cast<size_t>(n) * n;
    std::vector<float> temperature = workload::random_floats(rng, cells, 320, 345);
    const std::vector<float> power = workload::random_floats(rng, cells, 0, 8);
    workload::Buffer<float> dp(power), da(temperature), db(cells);
    float *from = da.get(), *to = db.get();
    const unsigned blocks = workload::blocks_for(n, TILE - 2 * steps);
    for (int i = 0; i < launches; i++) {
        hotspot_steps<<<dim3(blocks, blocks), dim3(TILE, TILE)>>>(chip, steps, dp.get(), from, to);
        std::swap(from, to);
    }
    workload::finish_kernels("hotspot_steps");
    std::vector<float> next(cells);
    for (int t = 0; t < launches * steps; t++) {
        for (int y = 0; y < n; y++)
            for (int x = 0; x < n; x++) {
                const size_t at = static_cast<size_t>(y) * n + x;
                next[at] = advance(chip, temperature[at], temperature[y > 0 ? at - n : at], temperature[y < n - 1 ? at + n : at],
                                   temperature[x > 0 ? at - 1 : at], temperature[x < n - 1 ? at + 1 : at], power[at]);
            }
        temperature.swap(next);
    }
    return workload::verdict(run, launches % 2 ? db.download() : da.download(), temperature, 1e-4f, "temperatures");
}
