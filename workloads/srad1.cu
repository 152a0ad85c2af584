// srad1 - speckle-reducing anisotropic diffusion, Rodinia's first form: a one-dimensional grid over the image, which lies column by column; the
// neighbours' places come from four tables; sum and sum of squares are reduced on the GPU in several launches before each iteration. No
// tiles: what a block's warps share, only the L1 can keep. `srad` is the second form.
#include <algorithm>

#include "common/workload.h"

enum { THREADS = 512 };

__global__ void srad_extract(float *image, int cells)
{
    const int i = blockIdx.x * THREADS + threadIdx.x;
    if (i < cells)
        image[i] = expf(image[i] / 255);
}

__global__ void srad_prepare(const float *image, float *sums, float *squares, int cells)
{
    const int i = blockIdx.x * THREADS + threadIdx.x;
    if (i < cells) {
        sums[i] = image[i];
        squares[i] = image[i] * image[i];
    }
}

// `count` sums, `stride` apart, become one for each block, in the place of its first.
__global__ void srad_reduce(float *sums, float *squares, int count, int stride)
{
    __shared__ float sum[THREADS], square[THREADS];
    const int t = threadIdx.x, i = blockIdx.x * THREADS + t;
    sum[t] = i < count ? sums[i * stride] : 0.0f;
    square[t] = i < count ? squares[i * stride] : 0.0f;
    __syncthreads();
    for (int span = 2; span <= THREADS; span *= 2) {
        if ((t + 1) % span == 0) {
            sum[t] += sum[t - span / 2];
            square[t] += square[t - span / 2];
        }
        __syncthreads();
    }
    if (t == THREADS - 1) {
        sums[blockIdx.x * THREADS * stride] = sum[t];
        squares[blockIdx.x * THREADS * stride] = square[t];
    }
}

struct Neighbours {
    const int *north, *south, *west, *east;
};
struct Slopes {
    float *north, *south, *west, *east, *coefficient;
};

__global__ void srad_gradient(const float *image, Neighbours at, Slopes slope, int rows, int cells, float q0)
{
    const int i = blockIdx.x * THREADS + threadIdx.x;
    if (i >= cells)
        return;
    const int row = i % rows, column = i / rows;
    const float v = image[i];
    const float n = image[at.north[row] + rows * column] - v, s = image[at.south[row] + rows * column] - v;
    const float w = image[row + rows * at.west[column]] - v, e = image[row + rows * at.east[column]] - v;
    const float g2 = (n * n + s * s + w * w + e * e) / (v * v), l = (n + s + w + e) / v;
    const float numerator = 0.5f * g2 - (1.0f / 16.0f) * (l * l), base = 1.0f + 0.25f * l, q = numerator / (base * base);
    const float c = 1.0f / (1.0f + (q - q0) / (q0 * (1.0f + q0)));
    slope.north[i] = n;
    slope.south[i] = s;
    slope.west[i] = w;
    slope.east[i] = e;
    slope.coefficient[i] = c < 0 ? 0 : c > 1 ? 1 : c;
}

__global__ void srad_diffuse(float *image, Neighbours at, Slopes slope, int rows, int cells, float lambda)
{
    const int i = blockIdx.x * THREADS + threadIdx.x;
    if (i >= cells)
        return;
    const int row = i % rows, column = i / rows;
    const float here = slope.coefficient[i], below = slope.coefficient[at.south[row] + rows * column], beside = slope.coefficient[row + rows * at.east[column]];
    image[i] += 0.25f * lambda * (here * slope.north[i] + below * slope.south[i] + here * slope.west[i] + beside * slope.east[i]);
}

__global__ void srad_compress(float *image, int cells)
{
    const int i = blockIdx.x * THREADS + threadIdx.x;
    if (i < cells)
        image[i] = logf(image[i]) * 255;
}

static float speckle_scale(double sum, double squares, int cells)
{
    const double mean = sum / cells, variance = squares / cells - mean * mean;
    return static_cast<float>(variance / (mean * mean));
}

static void srad_on_cpu(std::vector<float> &image, int rows, int columns, int iterations, float lambda)
{
    const int cells = rows * columns;
    std::vector<double> n(cells), s(cells), w(cells), e(cells), c(cells), v(image.begin(), image.end());
    for (double &x : v)
        x = std::exp(x / 255);
    for (int k = 0; k < iterations; k++) {
        double sum = 0, squares = 0;
        for (double x : v) {
            sum += x;
            squares += x * x;
        }
        const double q0 = static_cast<double>(speckle_scale(sum, squares, cells));
        for (int i = 0; i < cells; i++) {
            const int row = i % rows, column = i / rows;
            n[i] = v[row > 0 ? i - 1 : i] - v[i];
            s[i] = v[row < rows - 1 ? i + 1 : i] - v[i];
            w[i] = v[column > 0 ? i - rows : i] - v[i];
            e[i] = v[column < columns - 1 ? i + rows : i] - v[i];
            const double g2 = (n[i] * n[i] + s[i] * s[i] + w[i] * w[i] + e[i] * e[i]) / (v[i] * v[i]), l = (n[i] + s[i] + w[i] + e[i]) / v[i];
            const double q = (0.5 * g2 - l * l / 16) / ((1 + 0.25 * l) * (1 + 0.25 * l));
            c[i] = std::fmin(std::fmax(1 / (1 + (q - q0) / (q0 * (1 + q0))), 0.0), 1.0);
        }
        for (int i = 0; i < cells; i++)
            v[i] += 0.25 * static_cast<double>(lambda) * (c[i] * n[i] + c[i % rows < rows - 1 ? i + 1 : i] * s[i] + c[i] * w[i] + c[i / rows < columns - 1 ? i + rows : i] * e[i]);
    }
    for (int i = 0; i < cells; i++)
        image[i] = static_cast<float>(std::log(v[i]) * 255);
}

// Indices of a line of `n` places, one step down or up, that stay inside.
static std::vector<int> steps(int n, int step)
{
    std::vector<int> v(n);
    for (int i = 0; i < n; i++)
        v[i] = std::min(std::max(i + step, 0), n - 1);
    return v;
}

int main(int argc, char **argv)
{
    const workload::Run run = workload::parse(argc, argv, "srad1");
    const int rows = workload::pick(run, "rows", 50, 502, 502, 502), columns = workload::pick(run, "columns", 40, 229, 458, 458), iterations = workload::pick(run, "iterations", 2, 1, 10, 100);
    const int cells = rows * columns;
    const float lambda = 0.5f;
    workload::Rng rng(run.seed);
    std::vector<float> image = workload::random_floats(rng, cells, 0, 255);
    workload::Buffer<int> north(steps(rows, -1)), south(steps(rows, 1)), west(steps(columns, -1)), east(steps(columns, 1));
    workload::Buffer<float> di(image), sums(cells), squares(cells), dn(cells), ds(cells), dw(cells), de(cells), dc(cells);
    const Neighbours at = {north.get(), south.get(), west.get(), east.get()};
    const Slopes slope = {dn.get(), ds.get(), dw.get(), de.get(), dc.get()};
    const unsigned blocks = workload::blocks_for(cells, THREADS);
    srad_extract<<<blocks, THREADS>>>(di.get(), cells);
    for (int k = 0; k < iterations; k++) {
        srad_prepare<<<blocks, THREADS>>>(di.get(), sums.get(), squares.get(), cells);
        for (int count = cells, stride = 1; count > 1; count = static_cast<int>(workload::blocks_for(count, THREADS)), stride *= THREADS)
            srad_reduce<<<workload::blocks_for(count, THREADS), THREADS>>>(sums.get(), squares.get(), count, stride);
        workload::finish_kernels("srad_reduce");
        float sum, square;
        workload::must(cudaMemcpy(&sum, sums.get(), sizeof sum, cudaMemcpyDeviceToHost), "sum");
        workload::must(cudaMemcpy(&square, squares.get(), sizeof square, cudaMemcpyDeviceToHost), "sum of squares");
        srad_gradient<<<blocks, THREADS>>>(di.get(), at, slope, rows, cells, speckle_scale(static_cast<double>(sum), static_cast<double>(square), cells));
        srad_diffuse<<<blocks, THREADS>>>(di.get(), at, slope, rows, cells, lambda);
    }
    srad_compress<<<blocks, THREADS>>>(di.get(), cells);
    workload::finish_kernels("srad");
    srad_on_cpu(image, rows, columns, iterations, lambda);
    return workload::verdict(run, di.download(), image, 1e-2f, "diffused image");
}
