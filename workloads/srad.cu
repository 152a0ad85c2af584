// srad - speckle-reducing anisotropic diffusion of an ultrasound image: two kernels per iteration over a 2D grid (Rodinia's second
// form). Every thread of a tile loads its own pixel and also one of the row above the tile, of the row below and of the columns at
// its sides, so that each of these rows is loaded by all 16 rows of threads: reuse within a block that an L1 may keep or lose. All sizes but tiny have
// the suite's row of 2048 pixels, since it is what puts the rows of a tile into one set.
#include "common/workload.h"

enum { TILE = 16 };

__device__ static float diffusion_coefficient(float centre, float dn, float ds, float dw, float de, float q0)
{
    const float g2 = (dn * dn + ds * ds + dw * dw + de * de) / (centre * centre), l = (dn + ds + dw + de) / centre;
    const float numerator = 0.5f * g2 - (1.0f / 16.0f) * (l * l), base = 1.0f + 0.25f * l, q = numerator / (base * base);
    const float c = 1.0f / (1.0f + (q - q0) / (q0 * (1.0f + q0)));
    return fminf(fmaxf(c, 0.0f), 1.0f);
}

__global__ void srad_coefficients(const float *image, float *north, float *south, float *west, float *east, float *coefficient, int rows, int columns, float q0)
{
    __shared__ float tile[TILE][TILE], above[TILE][TILE], under[TILE][TILE], before[TILE][TILE], behind[TILE][TILE];
    const int tx = threadIdx.x, ty = threadIdx.y, x0 = blockIdx.x * TILE, y0 = blockIdx.y * TILE, at = (y0 + ty) * columns + x0 + tx;
    const int row_above = y0 > 0 ? y0 - 1 : 0, row_under = y0 + TILE < rows ? y0 + TILE : rows - 1;
    const int column_before = x0 > 0 ? x0 - 1 : 0, column_behind = x0 + TILE < columns ? x0 + TILE : columns - 1;
    above[ty][tx] = image[row_above * columns + x0 + tx];
    under[ty][tx] = image[row_under * columns + x0 + tx];
    before[ty][tx] = image[(y0 + ty) * columns + column_before];
    behind[ty][tx] = image[(y0 + ty) * columns + column_behind];
    tile[ty][tx] = image[at];
    __syncthreads();
    const float centre = tile[ty][tx];
    const float dn = (ty > 0 ? tile[ty - 1][tx] : above[ty][tx]) - centre, ds = (ty < TILE - 1 ? tile[ty + 1][tx] : under[ty][tx]) - centre;
    const float dw = (tx > 0 ? tile[ty][tx - 1] : before[ty][tx]) - centre, de = (tx < TILE - 1 ? tile[ty][tx + 1] : behind[ty][tx]) - centre;
    north[at] = dn;
    south[at] = ds;
    west[at] = dw;
    east[at] = de;
    coefficient[at] = diffusion_coefficient(centre, dn, ds, dw, de, q0);
}

__global__ void srad_update(float *image, const float *north, const float *south, const float *west, const float *east, const float *coefficient, int rows, int columns, float lambda)
{
    __shared__ float tile[TILE][TILE], under[TILE][TILE], behind[TILE][TILE];
    const int tx = threadIdx.x, ty = threadIdx.y, x0 = blockIdx.x * TILE, y0 = blockIdx.y * TILE, at = (y0 + ty) * columns + x0 + tx;
    const int row_under = y0 + TILE < rows ? y0 + TILE : rows - 1, column_behind = x0 + TILE < columns ? x0 + TILE : columns - 1;
    const float now = image[at];
    under[ty][tx] = coefficient[row_under * columns + x0 + tx];
    behind[ty][tx] = coefficient[(y0 + ty) * columns + column_behind];
    tile[ty][tx] = coefficient[at];
    __syncthreads();
    const float here = tile[ty][tx], below = ty < TILE - 1 ? tile[ty + 1][tx] : under[ty][tx], beside = tx < TILE - 1 ? tile[ty][tx + 1] : behind[ty][tx];
    image[at] = now + 0.25f * lambda * (here * north[at] + below * south[at] + here * west[at] + beside * east[at]);
}

static float speckle_scale(const std::vector<float> &image)
{
    double sum = 0, squares = 0;
    for (float v : image) {
        sum += v;
        squares += static_cast<double>(v) * v;
    }
    const double count = static_cast<double>(image.size()), mean = sum / count;
    return static_cast<float>((squares / count - mean * mean) / (mean * mean));
}

static void srad_on_cpu(std::vector<float> &image, int rows, int columns, float q0, float lambda)
{
    const size_t cells = image.size();
    std::vector<float> dn(cells), ds(cells), dw(cells), de(cells), c(cells);
    for (int y = 0; y < rows; y++)
        for (int x = 0; x < columns; x++) {
            const size_t at = static_cast<size_t>(y) * columns + x;
            const float v = image[at];
            dn[at] = image[y > 0 ? at - columns : at] - v;
            ds[at] = image[y < rows - 1 ? at + columns : at] - v;
            dw[at] = image[x > 0 ? at - 1 : at] - v;
            de[at] = image[x < columns - 1 ? at + 1 : at] - v;
            const float g2 = (dn[at] * dn[at] + ds[at] * ds[at] + dw[at] * dw[at] + de[at] * de[at]) / (v * v);
            const float l = (dn[at] + ds[at] + dw[at] + de[at]) / v, num = 0.5f * g2 - (1.0f / 16.0f) * (l * l), base = 1.0f + 0.25f * l;
            c[at] = std::fmin(std::fmax(1.0f / (1.0f + (num / (base * base) - q0) / (q0 * (1.0f + q0))), 0.0f), 1.0f);
        }
    for (int y = 0; y < rows; y++)
        for (int x = 0; x < columns; x++) {
            const size_t at = static_cast<size_t>(y) * columns + x;
            image[at] += 0.25f * lambda * (c[at] * dn[at] + c[y < rows - 1 ? at + columns : at] * ds[at] + c[at] * dw[at] + c[x < columns - 1 ? at + 1 : at] * de[at]);
        }
}

int main(int argc, char **argv)
{
    const workload::Run run = workload::parse(argc, argv, "srad");
    const int rows = workload::pick(run, "rows", 64, 32, 128, 2048), columns = workload::pick(run, 64, 2048, 2048, 2048), iterations = workload::pick(run, "iterations", 1, 2, 6, 2);
    const float lambda = 0.5f;
    workload::Rng rng(run.seed);
    const size_t cells = static_cast<size_t>(rows) * columns;
    std::vector<float> image(cells);
    for (float &v : image)
        v = std::exp(rng.uniform(0, 1));
    workload::Buffer<float> di(image), dn(cells), ds(cells), dw(cells), de(cells), dc(cells);
    for (int i = 0; i < iterations; i++) {
        const float q0 = speckle_scale(di.download());
        srad_coefficients<<<dim3(columns / TILE, rows / TILE), dim3(TILE, TILE)>>>(di.get(), dn.get(), ds.get(), dw.get(), de.get(), dc.get(), rows, columns, q0);
        srad_update<<<dim3(columns / TILE, rows / TILE), dim3(TILE, TILE)>>>(di.get(), dn.get(), ds.get(), dw.get(), de.get(), dc.get(), rows, columns, lambda);
        workload::finish_kernels("srad");
    }
    for (int i = 0; i < iterations; i++)
        srad_on_cpu(image, rows, columns, speckle_scale(image), lambda);
    return workload::verdict(run, di.download(), image, 1e-3f, "diffused image");
}
