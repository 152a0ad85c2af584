// fdtd2d - electric and magnetic fields stepped in time on a grid (PolyBench's form): three launches a step, each a stencil of two or three points
// over whole arrays that a warp reads line by line.
#include "common/workload.h"

__global__ void fdtd_ey(const float *source, const float *hz, float *ey, int rows, int columns, int t)
{
    const int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < rows && j < columns)
        ey[i * columns + j] = i == 0 ? source[t] : ey[i * columns + j] - 0.5f * (hz[i * columns + j] - hz[(i - 1) * columns + j]);
}

__global__ void fdtd_ex(const float *hz, float *ex, int rows, int columns)
{
    const int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < rows && j > 0 && j < columns)
        ex[i * (columns + 1) + j] -= 0.5f * (hz[i * columns + j] - hz[i * columns + j - 1]);
}

__global__ void fdtd_hz(const float *ex, const float *ey, float *hz, int rows, int columns)
{
    const int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < rows && j < columns)
        hz[i * columns + j] -= 0.7f * (ex[i * (columns + 1) + j + 1] - ex[i * (columns + 1) + j] + ey[(i + 1) * columns + j] - ey[i * columns + j]);
}

int main(int argc, char **argv)
{
    const workload::Run run = workload::parse(argc, argv, "fdtd2d");
    const int rows = workload::pick(run, "rows", 32, 64, 512, 2048), columns = workload::pick(run, 64, 2048, 2048, 2048), steps = workload::pick(run, "steps", 2, 3, 4, 20);
    workload::Rng rng(run.seed);
    const std::vector<float> source = workload::random_floats(rng, steps, 0, 1);
    std::vector<float> ex = workload::random_floats(rng, static_cast<size_t>(rows) * (columns + 1), 0, 1), ey = workload::random_floats(rng, static_cast<size_t>(rows + 1) * columns, 0, 1);
    std::vector<float> hz = workload::random_floats(rng, static_cast<size_t>(rows) * columns, 0, 1);
    workload::Buffer<float> ds(source), dx(ex), dy(ey), dz(hz);
    const dim3 block(32, 8), grid(workload::blocks_for(columns, 32), workload::blocks_for(rows, 8));
    for (int t = 0; t < steps; t++) {
        fdtd_ey<<<grid, block>>>(ds.get(), dz.get(), dy.get(), rows, columns, t);
        fdtd_ex<<<grid, block>>>(dz.get(), dx.get(), rows, columns);
        fdtd_hz<<<grid, block>>>(dx.get(), dy.get(), dz.get(), rows, columns);
    }
    workload::finish_kernels("fdtd");
    for (int t = 0; t < steps; t++) {
        const size_t line = static_cast<size_t>(columns);
        for (size_t i = 0; i < static_cast<size_t>(rows); i++)
            for (size_t j = 0; j < line; j++)
                ey[i * line + j] = i == 0 ? source[static_cast<size_t>(t)] : ey[i * line + j] - 0.5f * (hz[i * line + j] - hz[(i - 1) * line + j]);
        for (size_t i = 0; i < static_cast<size_t>(rows); i++)
            for (size_t j = 1; j < line; j++)
                ex[i * (line + 1) + j] -= 0.5f * (hz[i * line + j] - hz[i * line + j - 1]);
        for (size_t i = 0; i < static_cast<size_t>(rows); i++)
            for (size_t j = 0; j < line; j++)
                hz[i * line + j] -= 0.7f * (ex[i * (line + 1) + j + 1] - ex[i * (line + 1) + j] + ey[(i + 1) * line + j] - ey[i * line + j]);
    }
    return workload::verdict(run, dz.download(), hz, 1e-3f, "magnetic field");
}
