// matrices - transposes, convolutions and products of square matrices: one element of the result per thread.
#include "measured.h"

using measured::Arguments;
using workload::Buffer;

static const int TILE = 32;

__global__ void naive_transpose_kernel(const float *__restrict__ from, float *__restrict__ to, int rows, int columns)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < columns && y < rows)
        to[x * rows + y] = from[y * columns + x];
}

// Rows of the tile are a word longer than they need be, so that a column lies in 32 banks.
__global__ void shared_transpose_kernel(const float *__restrict__ from, float *__restrict__ to, int rows, int columns)
{
    __shared__ float tile[TILE][TILE + 1];
    int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
    if (x < columns && y < rows)
        tile[threadIdx.y][threadIdx.x] = from[y * columns + x];
    __syncthreads();
    x = blockIdx.y * TILE + threadIdx.x;
    y = blockIdx.x * TILE + threadIdx.y;
    if (x < rows && y < columns)
        to[y * rows + x] = tile[threadIdx.x][threadIdx.y];
}

__global__ void conv2d_3x3_kernel(const float *__restrict__ image, const float *__restrict__ weights, float *__restrict__ out, int rows, int columns)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= columns - 2 || y >= rows - 2)
        return;
    float sum = 0;
#pragma unroll
    for (int down = 0; down < 3; down++)
#pragma unroll
        for (int right = 0; right < 3; right++)
            sum += image[(y + down) * columns + x + right] * weights[3 * down + right];
    out[y * columns + x] = sum;
}

__global__ void conv2d_7x7_kernel(const float *__restrict__ image, const float *__restrict__ weights, float *__restrict__ out, int rows, int columns)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= columns - 6 || y >= rows - 6)
        return;
    float sum = 0;
    for (int down = 0; down < 7; down++)
        for (int right = 0; right < 7; right++)
            sum += image[(y + down) * columns + x + right] * weights[7 * down + right];
    out[y * columns + x] = sum;
}

__global__ void matmul_naive_kernel(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, int n)
{
    const int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= n || column >= n)
        return;
    float sum = 0;
    for (int k = 0; k < n; k++)
        sum += a[row * n + k] * b[k * n + column];
    c[row * n + column] = sum;
}

__global__ void matmul_tiled_kernel(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, int n)
{
    __shared__ float from_a[TILE][TILE], from_b[TILE][TILE];
    const int column = blockIdx.x * TILE + threadIdx.x, row = blockIdx.y * TILE + threadIdx.y;
    float sum = 0;
    for (int at = 0; at < n; at += TILE) {
        from_a[threadIdx.y][threadIdx.x] = a[row * n + at + threadIdx.x];
        from_b[threadIdx.y][threadIdx.x] = b[(at + threadIdx.y) * n + column];
        __syncthreads();
#pragma unroll
        for (int k = 0; k < TILE; k++)
            sum += from_a[threadIdx.y][k] * from_b[k][threadIdx.x];
        __syncthreads();
    }
    c[row * n + column] = sum;
}

static dim3 grid_of(int n, unsigned side)
{
    const unsigned blocks = workload::blocks_for(static_cast<size_t>(n), side);
    return dim3(blocks, blocks);
}

template <class Launch> static bool transpose(const Arguments &a, Launch launch)
{
    const size_t n = static_cast<size_t>(a.size);
    const std::vector<float> from = measured::floats(a, n * n, 1);
    Buffer<float> device_from(from), to(n * n);
    measured::spoil(to, n * n);
    measured::repeat(a, [&] { launch(device_from.get(), to.get()); });
    std::vector<float> want(n * n);
    for (size_t y = 0; y < n; y++)
        for (size_t x = 0; x < n; x++)
            want[x * n + y] = from[y * n + x];
    return measured::same(a, to.download(), want, 0);
}

bool measured::naive_transpose(const Arguments &a)
{
    return transpose(a, [&](float *from, float *to) { naive_transpose_kernel<<<grid_of(a.size, 16), dim3(16, 16)>>>(from, to, a.size, a.size); });
}

bool measured::shared_transpose(const Arguments &a)
{
    return transpose(a, [&](float *from, float *to) { shared_transpose_kernel<<<grid_of(a.size, TILE), dim3(TILE, TILE)>>>(from, to, a.size, a.size); });
}

// What the window does not fit around stays as it was.
template <class Launch> static bool convolution(const Arguments &a, size_t window, Launch launch)
{
    const size_t n = static_cast<size_t>(a.size);
    const std::vector<float> image = measured::floats(a, n * n, 1), weights = measured::floats(a, window * window, 2);
    Buffer<float> device_image(image), device_weights(weights), out(n * n);
    measured::spoil(out, n * n);
    std::vector<float> want = out.download();
    measured::repeat(a, [&] { launch(device_image.get(), device_weights.get(), out.get()); });
    for (size_t y = 0; y + window <= n; y++)
        for (size_t x = 0; x + window <= n; x++) {
            float sum = 0;
            for (size_t down = 0; down < window; down++)
                for (size_t right = 0; right < window; right++)
                    sum += image[(y + down) * n + x + right] * weights[window * down + right];
            want[y * n + x] = sum;
        }
    return measured::same(a, out.download(), want, 1e-4f);
}

bool measured::conv2d_3x3(const Arguments &a)
{
    return convolution(a, 3, [&](float *image, float *weights, float *out) {
        conv2d_3x3_kernel<<<grid_of(a.size, 16), dim3(16, 16)>>>(image, weights, out, a.size, a.size);
    });
}

bool measured::conv2d_7x7(const Arguments &a)
{
    return convolution(a, 7, [&](float *image, float *weights, float *out) {
        conv2d_7x7_kernel<<<grid_of(a.size, 16), dim3(16, 16)>>>(image, weights, out, a.size, a.size);
    });
}

template <class Launch> static bool product(const Arguments &a, Launch launch)
{
    const size_t n = static_cast<size_t>(a.size);
    const std::vector<float> x = measured::floats(a, n * n, 1), y = measured::floats(a, n * n, 2);
    Buffer<float> dx(x), dy(y), dz(n * n);
    measured::spoil(dz, n * n);
    measured::repeat(a, [&] { launch(dx.get(), dy.get(), dz.get()); });
    std::vector<float> want(n * n, 0.0f);
    for (size_t row = 0; row < n; row++)
        for (size_t k = 0; k < n; k++)
            for (size_t column = 0; column < n; column++)
                want[row * n + column] += x[row * n + k] * y[k * n + column];
    return measured::same(a, dz.download(), want, 1e-3f);
}

bool measured::matmul_naive(const Arguments &a)
{
    return product(a, [&](float *x, float *y, float *z) { matmul_naive_kernel<<<grid_of(a.size, 16), dim3(16, 16)>>>(x, y, z, a.size); });
}

bool measured::matmul_tiled(const Arguments &a)
{
    return product(a, [&](float *x, float *y, float *z) { matmul_tiled_kernel<<<grid_of(a.size, TILE), dim3(TILE, TILE)>>>(x, y, z, a.size); });
}
