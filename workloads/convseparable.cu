// convseparable - separable 17-tap convolution of an image: a row pass and a column pass, tiles with halos in shared memory.
#include "common/workload.h"

enum { RADIUS = 8, TAPS = 2 * RADIUS + 1, TILE_X = 16, ROW_TILES = 8, ROW_Y = 4, COLUMN_TILES = 8, COLUMN_Y = 8 };
__constant__ float taps[TAPS];

__global__ void convolve_rows(float *to, const float *from, int width)
{
    __shared__ float tile[ROW_Y][(ROW_TILES + 2) * TILE_X];
    const int x0 = (static_cast<int>(blockIdx.x) * ROW_TILES - 1) * TILE_X + threadIdx.x, y = blockIdx.y * ROW_Y + threadIdx.y;
    for (int i = 0; i < ROW_TILES + 2; i++) {
        const int x = x0 + i * TILE_X;
        tile[threadIdx.y][threadIdx.x + i * TILE_X] = x >= 0 && x < width ? from[y * width + x] : 0.0f;
    }
    __syncthreads();
    for (int i = 1; i <= ROW_TILES; i++) {
        float sum = 0;
#pragma unroll
        for (int k = -RADIUS; k <= RADIUS; k++)
            sum += taps[RADIUS - k] * tile[threadIdx.y][threadIdx.x + i * TILE_X + k];
        to[y * width + x0 + i * TILE_X] = sum;
    }
}

__global__ void convolve_columns(float *to, const float *from, int width, int height)
{
    __shared__ float tile[TILE_X][(COLUMN_TILES + 2) * COLUMN_Y + 1];
    const int x = blockIdx.x * TILE_X + threadIdx.x, y0 = (static_cast<int>(blockIdx.y) * COLUMN_TILES - 1) * COLUMN_Y + threadIdx.y;
    for (int i = 0; i < COLUMN_TILES + 2; i++) {
        const int y = y0 + i * COLUMN_Y;
        tile[threadIdx.x][threadIdx.y + i * COLUMN_Y] = y >= 0 && y < height ? from[y * width + x] : 0.0f;
    }
    __syncthreads();
    for (int i = 1; i <= COLUMN_TILES; i++) {
        float sum = 0;
#pragma unroll
        for (int k = -RADIUS; k <= RADIUS; k++)
            sum += taps[RADIUS - k] * tile[threadIdx.x][threadIdx.y + i * COLUMN_Y + k];
        to[(y0 + i * COLUMN_Y) * width + x] = sum;
    }
}

static void convolve_on_cpu(std::vector<float> &to, const std::vector<float> &from, const float *kernel, int width, int height, int dx, int dy)
{
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            float sum = 0;
            for (int k = -RADIUS; k <= RADIUS; k++) {
                const int sx = x + k * dx, sy = y + k * dy;
                if (sx >= 0 && sx < width && sy >= 0 && sy < height)
                    sum += kernel[RADIUS - k] * from[static_cast<size_t>(sy) * width + sx];
            }
            to[static_cast<size_t>(y) * width + x] = sum;
        }
}

int main(int argc, char **argv)
{
    const workload::Run run = workload::parse(argc, argv, "convseparable");
    const int width = workload::pick(run, 128, 512, 1536, 3072), height = workload::pick(run, 64, 256, 1024, 3072);
    workload::Rng rng(run.seed);
    const size_t pixels = static_cast<size_t>(width) * height;
    const std::vector<float> image = workload::random_floats(rng, pixels, 0, 16), kernel = workload::random_floats(rng, TAPS, 0, 1);
    workload::must(cudaMemcpyToSymbol(taps, kernel.data(), TAPS * sizeof(float)), "copy of the taps");
    workload::Buffer<float> in(image), rows(pixels), out(pixels);
    convolve_rows<<<dim3(width / (ROW_TILES * TILE_X), height / ROW_Y), dim3(TILE_X, ROW_Y)>>>(rows.get(), in.get(), width);
    convolve_columns<<<dim3(width / TILE_X, height / (COLUMN_TILES * COLUMN_Y)), dim3(TILE_X, COLUMN_Y)>>>(out.get(), rows.get(), width, height);
    workload::finish_kernels("convolution");
    std::vector<float> middle(pixels), want(pixels);
    convolve_on_cpu(middle, image, kernel.data(), width, height, 1, 0);
    convolve_on_cpu(want, middle, kernel.data(), width, height, 0, 1);
    return workload::verdict(run, out.download(), want, 1e-4f, "filtered image");
}
