// leukocyte - white blood cells in video: kernel 1 scores, per pixel, how well the image gradient points out of circles around it (GICOV);
// kernel 2 dilates the scores with a disc; kernel 3 evolves a gradient vector flow field for one cell per block in shared memory.
#include "common/workload.h"

enum { CIRCLES = 3, POINTS = 24, MARGIN = 12, DISC = 2, DISC_SIDE = 2 * DISC + 1, CELL = 24, THREADS = 192 };
__constant__ float sine[POINTS], cosine[POINTS];
__constant__ int circle_x[CIRCLES * POINTS], circle_y[CIRCLES * POINTS];

__host__ __device__ static float score(const float *gx, const float *gy, int columns, int x, int y, const int *cx, const int *cy, const float *c, const float *s)
{
    float best = 0;
    for (int k = 0; k < CIRCLES; k++) {
        float sum = 0, squares = 0;
        for (int n = 0; n < POINTS; n++) {
            const int at = (y + cy[k * POINTS + n]) * columns + x + cx[k * POINTS + n];
            const float outward = gx[at] * c[n] + gy[at] * s[n];
            sum += outward;
            squares += outward * outward;
        }
        const float mean = sum / POINTS, variance = (squares - sum * mean) / (POINTS - 1);
        best = fmaxf(best, mean * mean / (variance + 1e-3f));
    }
    return best;
}

__global__ void gicov_score(const float *gx, const float *gy, float *out, int columns, int rows)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x + MARGIN, y = blockIdx.y + MARGIN;
    if (x < columns - MARGIN && y < rows - MARGIN)
        out[y * columns + x] = score(gx, gy, columns, x, y, circle_x, circle_y, cosine, sine);
}

__host__ __device__ static bool in_disc(int dx, int dy) { return dx * dx + dy * dy <= DISC * DISC; }

__global__ void dilate(const float *in, float *out, int columns, int rows)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
    if (x >= columns || y >= rows)
        return;
    float most = 0;
    for (int dy = -DISC; dy <= DISC; dy++)
        for (int dx = -DISC; dx <= DISC; dx++)
            if (in_disc(dx, dy) && x + dx >= 0 && x + dx < columns && y + dy >= 0 && y + dy < rows)
                most = fmaxf(most, in[(y + dy) * columns + x + dx]);
    out[y * columns + x] = most;
}

// Smooth step of a neighbour's difference, towards where the field points.
__host__ __device__ static float flow(float difference) { return difference * (0.5f + 0.318309886f * atanf(difference * 10.0f)); }

__host__ __device__ static float relax(const float *field, const float *image, int x, int y)
{
    const float here = field[y * CELL + x];
    float change = 0;
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++) {
            const int nx = x + dx < 0 ? 0 : x + dx >= CELL ? CELL - 1 : x + dx, ny = y + dy < 0 ? 0 : y + dy >= CELL ? CELL - 1 : y + dy;
            change += flow(field[ny * CELL + nx] - here);
        }
    return here + 0.0625f * change - 0.2f * image[y * CELL + x] * (here - image[y * CELL + x]);
}

__global__ void vector_flow(const float *cells, float *out, int iterations)
{
    __shared__ float field[CELL * CELL], image[CELL * CELL];
    float next[CELL * CELL / THREADS];
    const float *const mine = cells + blockIdx.x * CELL * CELL;
    for (int i = threadIdx.x; i < CELL * CELL; i += THREADS)
        field[i] = image[i] = mine[i];
    for (int it = 0; it < iterations; it++) {
        __syncthreads();
        for (int k = 0; k < CELL * CELL / THREADS; k++)
            next[k] = relax(field, image, (k * THREADS + threadIdx.x) % CELL, (k * THREADS + threadIdx.x) / CELL);
        __syncthreads();
        for (int k = 0; k < CELL * CELL / THREADS; k++)
            field[k * THREADS + threadIdx.x] = next[k];
    }
    __syncthreads();
    for (int i = threadIdx.x; i < CELL * CELL; i += THREADS)
        out[blockIdx.x * CELL * CELL + i] = field[i];
}

int main(int argc, char **argv)
{
    const workload::Run run = workload::parse(argc, argv, "leukocyte");
    const int columns = workload::pick(run, 64, 160, 640, 640), rows = workload::pick(run, 40, 96, 219, 219);
    const int cells = workload::pick(run, 1, 6, 36, 36), iterations = workload::pick(run, 2, 5, 15, 60);
    workload::Rng rng(run.seed);
    const size_t pixels = static_cast<size_t>(columns) * rows;
    const std::vector<float> gx = workload::random_floats(rng, pixels, -1, 1), gy = workload::random_floats(rng, pixels, -1, 1);
    float c[POINTS], s[POINTS];
    int cx[CIRCLES * POINTS], cy[CIRCLES * POINTS];
    for (int n = 0; n < POINTS; n++) {
        const float angle = 6.2831853f * static_cast<float>(n) / POINTS;
        c[n] = std::cos(angle);
        s[n] = std::sin(angle);
        for (int k = 0; k < CIRCLES; k++) {
            cx[k * POINTS + n] = static_cast<int>(static_cast<float>(8 + 2 * k) * c[n]);
            cy[k * POINTS + n] = static_cast<int>(static_cast<float>(8 + 2 * k) * s[n]);
        }
    }
    workload::must(cudaMemcpyToSymbol(cosine, c, sizeof c), "copy of the circle");
    workload::must(cudaMemcpyToSymbol(sine, s, sizeof s), "copy of the circle");
    workload::must(cudaMemcpyToSymbol(circle_x, cx, sizeof cx), "copy of the circle");
    workload::must(cudaMemcpyToSymbol(circle_y, cy, sizeof cy), "copy of the circle");
    const std::vector<float> image = workload::random_floats(rng, static_cast<size_t>(cells) * CELL * CELL, 0, 1);
    workload::Buffer<float> dgx(gx), dgy(gy), dscore(pixels), ddilated(pixels), dimage(image), dfield(image.size());
    dscore.zero();
    const dim3 grid(workload::blocks_for(columns, 128), rows);
    gicov_score<<<grid, 128>>>(dgx.get(), dgy.get(), dscore.get(), columns, rows);
    dilate<<<grid, 128>>>(dscore.get(), ddilated.get(), columns, rows);
    vector_flow<<<cells, THREADS>>>(dimage.get(), dfield.get(), iterations);
    workload::finish_kernels("leukocyte");
    std::vector<float> scores(pixels, 0.0f), want(pixels), field = image, next(image.size());
    for (int y = MARGIN; y < rows - MARGIN; y++)
        for (int x = MARGIN; x < columns - MARGIN; x++)
            scores[static_cast<size_t>(y) * columns + x] = score(gx.data(), gy.data(), columns, x, y, cx, cy, c, s);
    for (int y = 0; y < rows; y++)
        for (int x = 0; x < columns; x++)
            for (int k = 0; k < DISC_SIDE * DISC_SIDE; k++) {
                const int dx = k % DISC_SIDE - DISC, dy = k / DISC_SIDE - DISC;
                if (in_disc(dx, dy) && x + dx >= 0 && x + dx < columns && y + dy >= 0 && y + dy < rows) {
                    float &w = want[static_cast<size_t>(y) * columns + x];
                    w = std::fmax(w, scores[static_cast<size_t>(y + dy) * columns + x + dx]);
                }
            }
    for (int it = 0; it < iterations; it++) {
        for (int b = 0; b < cells; b++)
            for (int i = 0; i < CELL * CELL; i++)
                next[static_cast<size_t>(b) * CELL * CELL + i] = relax(&field[static_cast<size_t>(b) * CELL * CELL], &image[static_cast<size_t>(b) * CELL * CELL], i % CELL, i / CELL);
        field.swap(next);
    }
    std::vector<float> got = ddilated.download();
    const std::vector<float> flowed = dfield.download();
    got.insert(got.end(), flowed.begin(), flowed.end());
    want.insert(want.end(), field.begin(), field.end());
    return workload::verdict(run, got, want, 2e-3f, "scores and flow field");
}
