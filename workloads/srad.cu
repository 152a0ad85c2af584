// srad - speckle-reducing anisotropic diffusion of an ultrasound image: two kernels per iteration over a 2D grid, each with
// north/south/west/east neighbours in a shared tile.
#include "common/workload.h"

enum { TILE = 16 };

__device__ static float diffusion_coefficient(float centre, float dn, float ds, float dw, float de, float q0)
{
    const float g2 = (dn * dn + ds * ds + dw * dw + de * de) / (centre * centre), l = (dn + ds + dw + de) / centre;
    const float numerator = 0.5f * g2 - (1.0f / 16.0f) * (l * l), base = 1.0f + 0.25f * l, q = numerator / (base * base);
    const float c = 1.0f / (1.0f + (q - q0) / (q0 * (1.0f + q0)));
    return fminf(fmaxf(c, 0.0f), 1.0f);
}

__global__ void srad_coefficients(const float *image, float *north, float *south, float *west, float *east, float *coefficient, int n, float q0)
{
    __shared__ float tile[TILE][TILE];
    const int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y, at = y * n + x;
    tile[threadIdx.y][threadIdx.x] = image[at];
    __syncthreads();
    const float centre = tile[threadIdx.y][threadIdx.x];
    const float up = threadIdx.y > 0 ? tile[threadIdx.y - 1][threadIdx.x] : image[y > 0 ? at - n : at];
    const float down = threadIdx.y < TILE - 1 ? tile[threadIdx.y + 1][threadIdx.x] : image[y < n - 1 ? at + n : at];
    const float left = threadIdx.x > 0 ? tile[threadIdx.y][threadIdx.x - 1] : image[x > 0 ? at - 1 : at];
    const float right = threadIdx.x < TILE - 1 ? tile[threadIdx.y][threadIdx.x + 1] : image[x < n - 1 ? at + 1 : at];
    const float dn = up - centre, ds = down - centre, dw = left - centre, de = right - centre;
    north[at] = dn;
    south[at] = ds;
    west[at] = dw;
    east[at] = de;
    coefficient[at] = diffusion_coefficient(centre, dn, ds, dw, de, q0);
}

__global__ void srad_update(float *image, const float *north, const float *south, const float *west, const float *east, const float *coefficient, int n, float lambda)
{
    const int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y, at = y * n + x;
    const float here = coefficient[at], below = coefficient[y < n - 1 ? at + n : at], beside = coefficient[x < n - 1 ? at + 1 : at];
    const float divergence = here * north[at] + below * south[at] + here * west[at] + beside * east[at];
    image[at] += 0.25f * lambda * divergence;
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

static void srad_on_cpu(std::vector<float> &image, int n, float q0, float lambda)
{
    const size_t cells = image.size();
    std::vector<float> dn(cells), ds(cells), dw(cells), de(cells), c(cells);
    for (int y = 0; y < n; y++)
        for (int x = 0; x < n; x++) {
            const size_t at = static_cast<size_t>(y) * n + x;
            const float v = image[at];
            dn[at] = image[y > 0 ? at - n : at] - v;
            ds[at] = image[y < n - 1 ? at + n : at] - v;
            dw[at] = image[x > 0 ? at - 1 : at] - v;
            de[at] = image[x < n - 1 ? at + 1 : at] - v;
            const float g2 = (dn[at] * dn[at] + ds[at] * ds[at] + dw[at] * dw[at] + de[at] * de[at]) / (v * v);
            const float l = (dn[at] + ds[at] + dw[at] + de[at]) / v, num = 0.5f * g2 - (1.0f / 16.0f) * (l * l), base = 1.0f + 0.25f * l;
            c[at] = std::fmin(std::fmax(1.0f / (1.0f + (num / (base * base) - q0) / (q0 * (1.0f + q0))), 0.0f), 1.0f);
        }
    for (int y = 0; y < n; y++)
        for (int x = 0; x < n; x++) {
            const size_t at = static_cast<size_t>(y) * n + x;
            image[at] += 0.25f * lambda * (c[at] * dn[at] + c[y < n - 1 ? at + n : at] * ds[at] + c[at] * dw[at] + c[x < n - 1 ? at + 1 : at] * de[at]);
        }
}

int main(int argc, char **argv)
{
    const workload::Run run = workload::parse(argc, argv, "srad");
    const int n = workload::pick(run, 64, 256, 512, 2048), iterations = workload::pick(run, 1, 2, 6, 2);
    const float lambda = 0.5f;
    workload::Rng rng(run.seed);
    const size_t cells = static_cast<size_t>(n) * n;
    std::vector<float> image(cells);
    for (float &v : image)
        v = std::exp(rng.uniform(0, 1));
    workload::Buffer<float> di(image), dn(cells), ds(cells), dw(cells), de(cells), dc(cells);
    for (int i = 0; i < iterations; i++) {
        const float q0 = speckle_scale(di.download());
        srad_coefficients<<<dim3(n / TILE, n / TILE), dim3(TILE, TILE)>>>(di.get(), dn.get(), ds.get(), dw.get(), de.get(), dc.get(), n, q0);
        srad_update<<<dim3(n / TILE, n / TILE), dim3(TILE, TILE)>>>(di.get(), dn.get(), ds.get(), dw.get(), de.get(), dc.get(), n, lambda);
        workload::finish_kernels("srad");
    }
    for (int i = 0; i < iterations; i++)
        srad_on_cpu(image, n, speckle_scale(image), lambda);
    return workload::verdict(run, di.download(), image, 1e-3f, "diffused image");
}
