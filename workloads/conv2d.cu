// conv2d - 3x3 convolution straight from global memory (PolyBench's form): nine loads per point, reuse between rows.
#include "common/workload.h"

// Weight of the neighbour at row offset di, column offset dj.
static const float WEIGHTS[3][3] = {{0.2f, 0.5f, -0.8f}, {-0.3f, 0.6f, -0.9f}, {0.4f, 0.7f, 0.1f}};

__global__ void convolve_3x3(const float *in, float *out, int rows, int columns)
{
    const int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < 1 || j < 1 || i >= rows - 1 || j >= columns - 1)
        return;
    out[i * columns + j] = 0.2f * in[(i - 1) * columns + j - 1] + 0.5f * in[(i - 1) * columns + j] + -0.8f * in[(i - 1) * columns + j + 1]
                         + -0.3f * in[i * columns + j - 1] + 0.6f * in[i * columns + j] + -0.9f * in[i * columns + j + 1]
                         + 0.4f * in[(i + 1) * columns + j - 1] + 0.7f * in[(i + 1) * columns + j] + 0.1f * in[(i + 1) * columns + j + 1];
}

int main(int argc, char **argv)
{
    const workload::Run run = workload::parse(argc, argv, "conv2d");
    const int n = workload::pick(run, "n", 64, 512, 2048, 4096);
    workload::Rng rng(run.seed);
    const size_t cells = static_cast<size_t>(n) * n;
    const std::vector<float> image = workload::random_floats(rng, cells, 0, 1);
    workload::Buffer<float> in(image), out(cells);
    out.zero();
    convolve_3x3<<<dim3(workload::blocks_for(n, 32), workload::blocks_for(n, 8)), dim3(32, 8)>>>(in.get(), out.get(), n, n);
    workload::finish_kernels("convolve_3x3");
    std::vector<float> want(cells, 0.0f);
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++) {
            float sum = 0;
            for (int di = -1; di <= 1; di++)
                for (int dj = -1; dj <= 1; dj++)
                    sum += WEIGHTS[di + 1][dj + 1] * image[static_cast<size_t>(i + di) * n + j + dj];
            want[static_cast<size_t>(i) * n + j] = sum;
        }
    return workload::verdict(run, out.download(), want, 1e-4f, "filtered image");
}
