// dwt2d - wavelet transform of an image as in JPEG 2000, 5/3 taps in whole numbers, three levels (Rodinia's form): a block of 192 threads slides a window of 192
// columns and 8 rows down the image; columns are transformed in registers and shared memory as rows come in, then the rows in shared memory; the four bands go to four quarters.
#include <algorithm>

#include "common/workload.h"

enum { WIDE = 192, HIGH = 8, HALO = 2, LINE = WIDE + 2 * HALO };

__host__ __device__ static int mirrored(int i, int n) { return i < 0 ? -i : i >= n ? 2 * n - 2 - i : i; }
__host__ __device__ static int half_of(int a) { return (a - (a & 1)) / 2; } // rounded down, also below zero
__host__ __device__ static int quarter_of(int a) { return (a - (a & 3)) / 4; }

// What an odd sample's neighbours do not foretell of it.
__device__ static int detail_at(const int *in, int x, int y, int rows, int columns)
{
    return in[mirrored(y, rows) * columns + x] - half_of(in[mirrored(y - 1, rows) * columns + x] + in[mirrored(y + 1, rows) * columns + x]);
}

// Eight rows of one column into the window; `above` is the detail of the row before, and then of the last one.
__device__ static void lift_column(const int *in, int x, int y0, int rows, int columns, int &above, int *window)
{
    for (int r = 0; r < HIGH; r += 2) {
        const int detail = detail_at(in, x, y0 + r + 1, rows, columns);
        window[r * LINE] = in[(y0 + r) * columns + x] + quarter_of(above + detail + 2);
        window[(r + 1) * LINE] = detail;
        above = detail;
    }
}

// The same along a row of the window.
__device__ static int lifted(const int *line, bool is_odd)
{
    if (is_odd)
        return line[0] - half_of(line[-1] + line[1]);
    return line[0] + quarter_of(line[-1] - half_of(line[-2] + line[0]) + line[1] - half_of(line[0] + line[2]) + 2);
}

__global__ void dwt_forward53(const int *in, int *out, int rows, int columns, int steps)
{
    __shared__ int window[HIGH * LINE];
    const int t = threadIdx.x, x = blockIdx.x * WIDE + t, first_row = blockIdx.y * HIGH * steps;
    const bool has_second = t < 2 * HALO; // the first threads have a column of the halo as well
    const int left = mirrored(min(x - HALO, 2 * columns - 2), columns), right = mirrored(min(x - HALO + WIDE, 2 * columns - 2), columns);
    int above_left = detail_at(in, left, first_row - 1, rows, columns), above_right = has_second ? detail_at(in, right, first_row - 1, rows, columns) : 0;
    for (int y0 = first_row; y0 < min(first_row + steps * HIGH, rows); y0 += HIGH) {
        lift_column(in, left, y0, rows, columns, above_left, window + t);
        if (has_second)
            lift_column(in, right, y0, rows, columns, above_right, window + WIDE + t);
        __syncthreads();
        for (int r = 0; r < HIGH && x < columns; r++) {
            const int y = y0 + r;
            out[((y & 1) * (rows / 2) + y / 2) * columns + (x & 1) * (columns / 2) + x / 2] = lifted(window + r * LINE + HALO + t, t & 1);
        }
        __syncthreads();
    }
}

static void lift_on_cpu(std::vector<int> &line)
{
    const int n = static_cast<int>(line.size());
    std::vector<int> out(n);
    const auto at = [&](int i) { return line[mirrored(i, n)]; };
    const auto detail = [&](int i) { return at(mirrored(i, n)) - half_of(at(mirrored(i, n) - 1) + at(mirrored(i, n) + 1)); };
    for (int i = 0; i < n; i++)
        out[(i & 1) * ((n + 1) / 2) + i / 2] = i & 1 ? detail(i) : at(i) + quarter_of(detail(i - 1) + detail(i + 1) + 2);
    line = out;
}

static std::vector<int> dwt_on_cpu(const std::vector<int> &in, int rows, int columns)
{
    std::vector<int> plane = in, line;
    for (int x = 0; x < columns; x++) {
        line.clear();
        for (int y = 0; y < rows; y++)
            line.push_back(plane[y * columns + x]);
        lift_on_cpu(line);
        for (int y = 0; y < rows; y++)
            plane[y * columns + x] = line[y];
    }
    for (int y = 0; y < rows; y++) {
        line.assign(plane.begin() + y * columns, plane.begin() + (y + 1) * columns);
        lift_on_cpu(line);
        std::copy(line.begin(), line.end(), plane.begin() + y * columns);
    }
    return plane;
}

int main(int argc, char **argv)
{
    const workload::Run run = workload::parse(argc, argv, "dwt2d");
    const int size = workload::pick(run, 64, 384, 1536, 1024), levels = workload::pick(run, 1, 2, 3, 3);
    workload::Rng rng(run.seed);
    std::vector<int> image(static_cast<size_t>(size) * size);
    for (size_t i = 0; i < image.size(); i++)
        image[i] = static_cast<int>(64 * std::sin(static_cast<float>(i % size) * 0.07f) + 48 * std::cos(static_cast<float>(i / size) * 0.05f)) + static_cast<int>(rng.below(16));
    workload::Buffer<int> a(image), b(image.size());
    bool right = true;
    int side = size;
    for (int level = 0; level < levels; level++, side /= 2) { // the band of means, packed, is the next level's image
        const int steps = std::max(1, side / HIGH / 16);
        dwt_forward53<<<dim3(workload::blocks_for(side, WIDE), workload::blocks_for(side, HIGH * steps)), WIDE>>>(a.get(), b.get(), side, side, steps);
        workload::finish_kernels("dwt_forward53");
        const std::vector<int> got = b.download();
        const std::vector<int> want = dwt_on_cpu(image, side, side);
        right = right && std::equal(want.begin(), want.end(), got.begin());
        image.clear();
        for (int y = 0; y < side / 2; y++)
            image.insert(image.end(), want.begin() + y * side, want.begin() + y * side + side / 2);
        std::vector<int> next(image);
        next.resize(static_cast<size_t>(size) * size);
        a.upload(next);
    }
    return workload::verdict(run, right, "bands");
}
