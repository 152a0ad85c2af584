// leukocyte - white blood cells in video (Rodinia's form): kernel 1 scores, per pixel, how well the image gradient points out of circles around
// it (GICOV), a column of pixels a block, the gradients read through textures; kernel 2 dilates the scores, through a texture again, with a disc;
// kernel 3 evolves a gradient vector flow field for one cell per block in shared memory until it settles.
#include "common/texture.h"

enum { MOST_CIRCLES = 7, MOST_POINTS = 150, RADIUS = 20, MARGIN = RADIUS + 2, MOST_DISC = 25, THREADS = 320, DILATE_THREADS = 176, MOST_CELL = 41 * 81 };
__constant__ float sine[MOST_POINTS], cosine[MOST_POINTS], disc[MOST_DISC * MOST_DISC];
__constant__ int circle_x[MOST_CIRCLES * MOST_POINTS], circle_y[MOST_CIRCLES * MOST_POINTS];

struct Frame {
    int rows, columns; // element (row, column) lies at column * rows + row
    int circles, points, side; // of circles, of points on each, and of the disc
};

// Mean and variance of `outward` over the points of one circle, point by point.
struct Score {
    float sum, mean, squares;
    __host__ __device__ void add(float outward, int n)
    {
        sum += outward;
        const float delta = outward - mean;
        mean += delta / static_cast<float>(n + 1);
        squares += delta * (outward - mean);
    }
    __host__ __device__ float value(int points) const
    {
        const float average = sum / static_cast<float>(points), variance = squares / static_cast<float>(points - 1);
        return average * average / variance;
    }
};

__global__ void gicov_score(cudaTextureObject_t gx, cudaTextureObject_t gy, float *out, Frame f)
{
    const int column = blockIdx.x + MARGIN, row = threadIdx.x + MARGIN;
    float best = 0;
    for (int k = 0; k < f.circles; k++) {
        Score score = {0, 0, 0};
        for (int n = 0; n < f.points; n++) {
            const int at = (column + circle_x[k * f.points + n]) * f.rows + row + circle_y[k * f.points + n];
            score.add(tex1Dfetch<float>(gx, at) * cosine[n] + tex1Dfetch<float>(gy, at) * sine[n], n);
        }
        best = fmaxf(best, score.value(f.points));
    }
    out[column * f.rows + row] = best;
}

// The result lies row by row.
__global__ void dilate(cudaTextureObject_t scores, float *out, Frame f)
{
    const int thread = blockIdx.x * blockDim.x + threadIdx.x, row = thread % f.rows, column = thread / f.rows;
    if (column >= f.columns)
        return;
    float most = 0;
    for (int i = 0; i < f.side; i++) {
        const int y = row - f.side / 2 + i;
        if (y < 0 || y >= f.rows)
            continue;
        for (int j = 0; j < f.side; j++) {
            const int x = column - f.side / 2 + j;
            if (x >= 0 && x < f.columns && disc[i * f.side + j] != 0)
                most = fmaxf(most, tex1Dfetch<float>(scores, x * f.rows + y));
        }
    }
    out[row * f.columns + column] = most;
}

struct Cell {
    int rows, columns, most_iterations;
    float cutoff;
};

// Smooth step of a neighbour's difference, towards where the field points.
__host__ __device__ static float flow(float difference) { return difference * (0.5f + 0.318309886f * atanf(difference * 10.0f)); }

__host__ __device__ static float relax(const float *field, float image, const Cell &c, int x, int y)
{
    const float here = field[y * c.columns + x];
    const int left = x == 0 ? 0 : x - 1, right = x == c.columns - 1 ? x : x + 1, up = y == 0 ? 0 : y - 1, down = y == c.rows - 1 ? y : y + 1;
    const float change = flow(field[up * c.columns + x] - here) + flow(field[down * c.columns + x] - here) + flow(field[y * c.columns + left] - here) +
                         flow(field[y * c.columns + right] - here) + flow(field[up * c.columns + right] - here) + flow(field[down * c.columns + right] - here) +
                         flow(field[up * c.columns + left] - here) + flow(field[down * c.columns + left] - here);
    const float moved = here + 0.1f * change;
    return moved - 0.2f * image * (moved - image);
}

// New values wait in registers of their thread until all have been computed from the old ones.
__global__ void vector_flow(const float *cells, float *out, Cell c)
{
    __shared__ float field[MOST_CELL], changes[THREADS];
    __shared__ bool settled;
    const int tid = threadIdx.x, size = c.rows * c.columns, turns = (size + THREADS - 1) / THREADS;
    const float *const image = cells + blockIdx.x * size;
    for (int i = tid; i < size; i += THREADS)
        field[i] = image[i];
    if (tid == 0)
        settled = false;
    __syncthreads();
    for (int it = 0; it < c.most_iterations && !settled; it++) {
        float change = 0, next[(MOST_CELL + THREADS - 1) / THREADS];
        for (int k = 0; k < turns; k++) {
            const int i = k * THREADS + tid;
            if (i < size) {
                next[k] = relax(field, image[i], c, i % c.columns, i / c.columns);
                change += fabsf(next[k] - field[i]);
            }
        }
        changes[tid] = change;
        __syncthreads();
        for (int k = 0; k < turns; k++)
            if (k * THREADS + tid < size)
                field[k * THREADS + tid] = next[k];
        if (tid >= 256)
            changes[tid - 256] += changes[tid];
        for (int half = 128; half > 0; half /= 2) {
            __syncthreads();
            if (tid < half)
                changes[tid] += changes[tid + half];
        }
        if (tid == 0)
            settled = changes[0] / static_cast<float>(size) < c.cutoff;
        __syncthreads();
    }
    for (int i = tid; i < size; i += THREADS)
        out[blockIdx.x * size + i] = field[i];
}

// What the kernels read from constant memory.
struct Shapes {
    std::vector<float> c, s, round;
    std::vector<int> x, y;

    explicit Shapes(const Frame &f) : round(static_cast<size_t>(f.side) * f.side)
    {
        for (int n = 0; n < f.points; n++) {
            const float angle = 6.2831853f * static_cast<float>(n) / static_cast<float>(f.points);
            c.push_back(std::cos(angle));
            s.push_back(std::sin(angle));
        }
        for (int k = 0; k < f.circles; k++)
            for (int n = 0; n < f.points; n++) {
                x.push_back(static_cast<int>(static_cast<float>(RADIUS - 2 * k) * c[n]));
                y.push_back(static_cast<int>(static_cast<float>(RADIUS - 2 * k) * s[n]));
            }
        const int r = f.side / 2;
        for (int i = 0; i < f.side * f.side; i++)
            round[i] = (i / f.side - r) * (i / f.side - r) + (i % f.side - r) * (i % f.side - r) <= r * r ? 1.0f : 0.0f;
    }
    void upload() const
    {
        workload::must(cudaMemcpyToSymbol(cosine, c.data(), c.size() * sizeof c[0]), "copy of the circle");
        workload::must(cudaMemcpyToSymbol(sine, s.data(), s.size() * sizeof s[0]), "copy of the circle");
        workload::must(cudaMemcpyToSymbol(circle_x, x.data(), x.size() * sizeof x[0]), "copy of the circle");
        workload::must(cudaMemcpyToSymbol(circle_y, y.data(), y.size() * sizeof y[0]), "copy of the circle");
        workload::must(cudaMemcpyToSymbol(disc, round.data(), round.size() * sizeof round[0]), "copy of the disc");
    }
};

static std::vector<float> scores_on_cpu(const Frame &f, const Shapes &shapes, const std::vector<float> &gx, const std::vector<float> &gy)
{
    std::vector<float> scores(gx.size(), 0.0f);
    for (int column = MARGIN; column < f.columns - MARGIN; column++)
        for (int row = MARGIN; row < f.rows - MARGIN; row++) {
            float best = 0;
            for (int k = 0; k < f.circles; k++) {
                Score score = {0, 0, 0};
                for (int n = 0; n < f.points; n++) {
                    const int at = (column + shapes.x[k * f.points + n]) * f.rows + row + shapes.y[k * f.points + n];
                    score.add(gx[at] * shapes.c[n] + gy[at] * shapes.s[n], n);
                }
                best = std::fmax(best, score.value(f.points));
            }
            scores[static_cast<size_t>(column) * f.rows + row] = best;
        }
    return scores;
}

static std::vector<float> dilated_on_cpu(const Frame &f, const Shapes &shapes, const std::vector<float> &scores)
{
    std::vector<float> dilated(scores.size(), 0.0f);
    for (int row = 0; row < f.rows; row++)
        for (int column = 0; column < f.columns; column++)
            for (int i = 0; i < f.side * f.side; i++) {
                const int y = row - f.side / 2 + i / f.side, x = column - f.side / 2 + i % f.side;
                float &most = dilated[static_cast<size_t>(row) * f.columns + column];
                if (shapes.round[i] != 0 && x >= 0 && x < f.columns && y >= 0 && y < f.rows)
                    most = std::fmax(most, scores[static_cast<size_t>(x) * f.rows + y]);
            }
    return dilated;
}

static std::vector<float> flow_on_cpu(const Cell &c, const std::vector<float> &image)
{
    const size_t size = static_cast<size_t>(c.rows) * c.columns;
    std::vector<float> all = image, next(size);
    for (size_t first = 0; first < image.size(); first += size) {
        float *const field = &all[first];
        double change = 1e30;
        for (int it = 0; it < c.most_iterations && change / static_cast<double>(size) >= static_cast<double>(c.cutoff); it++) {
            change = 0;
            for (size_t i = 0; i < size; i++) {
                next[i] = relax(field, image[first + i], c, static_cast<int>(i) % c.columns, static_cast<int>(i) / c.columns);
                change += static_cast<double>(std::fabs(next[i] - field[i]));
            }
            std::copy(next.begin(), next.end(), field);
        }
    }
    return all;
}

int main(int argc, char **argv)
{
    const workload::Run run = workload::parse(argc, argv, "leukocyte");
    const Frame f = {workload::pick(run, 60, 219, 219, 219), workload::pick(run, "columns", 60, 164, 640, 640), workload::pick(run, 1, 2, 3, 7), workload::pick(run, 12, 18, 30, 150),
                     workload::pick(run, 3, 5, 9, 25)};
    const Cell c = {workload::pick(run, 21, 21, 41, 41), workload::pick(run, 21, 41, 81, 81), workload::pick(run, 1, 4, 6, 100), 1e-4f};
    const int cells = workload::pick(run, "cells", 1, 15, 36, 36);
    workload::Rng rng(run.seed);
    const size_t pixels = static_cast<size_t>(f.rows) * f.columns;
    std::vector<float> gx = workload::random_floats(rng, pixels, -1, 1), gy = workload::random_floats(rng, pixels, -1, 1);
    const std::vector<float> image = workload::random_floats(rng, static_cast<size_t>(cells) * c.rows * c.columns, 0, 1);
    const Shapes shapes(f);
    shapes.upload();
    workload::Buffer<float> dgx(gx), dgy(gy), dscore(pixels), ddilated(pixels), dimage(image), dfield(image.size());
    dscore.zero();
    const workload::Texture tgx = workload::Texture::line(dgx.get(), pixels), tgy = workload::Texture::line(dgy.get(), pixels), tscore = workload::Texture::line(dscore.get(), pixels);
    gicov_score<<<f.columns - 2 * MARGIN, f.rows - 2 * MARGIN>>>(tgx.get(), tgy.get(), dscore.get(), f);
    dilate<<<workload::blocks_for(pixels, DILATE_THREADS), DILATE_THREADS>>>(tscore.get(), ddilated.get(), f);
    vector_flow<<<cells, THREADS>>>(dimage.get(), dfield.get(), c);
    workload::finish_kernels("leukocyte");
    std::vector<float> got = ddilated.download(), want = dilated_on_cpu(f, shapes, scores_on_cpu(f, shapes, gx, gy));
    const std::vector<float> flowed = dfield.download(), field = flow_on_cpu(c, image);
    got.insert(got.end(), flowed.begin(), flowed.end());
    want.insert(want.end(), field.begin(), field.end());
    return workload::verdict(run, got, want, 2e-3f, "scores and flow field");
}
