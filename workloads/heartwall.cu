// heartwall - points on the walls of a mouse heart followed through ultrasound frames (Rodinia's form): a launch a frame, a block of 256 threads a
// point. A block copies its window of the frame, convolves it with the point's template (which is in shared memory, the window in global), makes the sums of
// every piece of the window by cumulative sums along columns and rows, and takes the place of the largest normalised correlation.
#include "common/workload.h"

enum { THREADS = 256, POINTS = 51, MOST_TEMPLATE = 51 };

// Sides: of a template, of the window, of the full convolution, and of the window with a template's breadth of zeros around it. Column by column.
struct Sides {
    int of_template, window, full, padded, frame_rows;
};
struct Place {
    int row, column;
};
// Each point has its own part of every array.
struct Arrays {
    const float *frame, *templates;
    float *window, *convolved, *padded, *strip, *sums, *squares, *correlation;
    Place *place;
};

// Sums over every template-sized piece of what is in the window, squared or not.
__device__ static void sum_pieces(const Sides &s, const float *window, float *padded, float *strip, float *sums, bool is_squared)
{
    const int t = s.of_template, p = s.padded, f = s.full;
    for (int i = threadIdx.x; i < p * p; i += THREADS) {
        const int row = i % p - t, column = i / p - t;
        const bool is_inside = row >= 0 && row < s.window && column >= 0 && column < s.window;
        const float v = is_inside ? window[column * s.window + row] : 0.0f;
        padded[i] = is_squared ? v * v : v;
    }
    __syncthreads();
    for (int column = threadIdx.x; column < p; column += THREADS) // a thread sums its column: a line per lane
        for (int row = 1; row < p; row++)
            padded[column * p + row] += padded[column * p + row - 1];
    __syncthreads();
    for (int i = threadIdx.x; i < f * p; i += THREADS)
        strip[i] = padded[i / f * p + i % f + t] - padded[i / f * p + i % f];
    __syncthreads();
    for (int row = threadIdx.x; row < f; row += THREADS)
        for (int column = 1; column < p; column++)
            strip[column * f + row] += strip[(column - 1) * f + row];
    __syncthreads();
    for (int i = threadIdx.x; i < f * f; i += THREADS)
        sums[i] = strip[(i / f + t) * f + i % f] - strip[i / f * f + i % f];
    __syncthreads();
}

__device__ static void convolve(const Sides &s, const float *turned, const float *window, float *convolved)
{
    for (int i = threadIdx.x; i < s.full * s.full; i += THREADS) {
        const int row = i % s.full, column = i / s.full;
        const int first_row = max(0, row - s.window + 1), last_row = min(s.of_template - 1, row);
        const int first_column = max(0, column - s.window + 1), last_column = min(s.of_template - 1, column);
        float sum = 0;
        for (int c = first_column; c <= last_column; c++)
            for (int r = first_row; r <= last_row; r++)
                sum += turned[c * s.of_template + r] * window[(column - c) * s.window + row - r];
        convolved[i] = sum;
    }
}

// Mean of the template, and the square root of its sum of squared differences from it, by column sums in shared memory.
__device__ static float2 mean_and_spread(const Sides &s, const float *turned, float *partial, float *partial_squares)
{
    const int t = s.of_template;
    for (int c = threadIdx.x; c < t; c += THREADS) {
        float sum = 0, squares = 0;
        for (int r = 0; r < t; r++) {
            sum += turned[c * t + r];
            squares += turned[c * t + r] * turned[c * t + r];
        }
        partial[c] = sum;
        partial_squares[c] = squares;
    }
    __syncthreads();
    float sum = 0, squares = 0;
    for (int c = 0; c < t; c++) {
        sum += partial[c];
        squares += partial_squares[c];
    }
    const float n = static_cast<float>(t * t);
    return make_float2(sum / n, sqrtf(fmaxf(squares - sum * sum / n, 0.0f)));
}

__global__ void heartwall_track(Arrays a, Sides s, int reach)
{
    __shared__ float turned[MOST_TEMPLATE * MOST_TEMPLATE], partial[MOST_TEMPLATE], partial_squares[MOST_TEMPLATE], best[THREADS];
    __shared__ int best_at[THREADS];
    const int point = blockIdx.x, t = s.of_template, w = s.window, f = s.full;
    const Place place = a.place[point];
    float *window = a.window + point * w * w, *convolved = a.convolved + point * f * f, *sums = a.sums + point * f * f, *squares = a.squares + point * f * f;
    for (int i = threadIdx.x; i < w * w; i += THREADS)
        window[i] = a.frame[(place.column - w / 2 + i / w) * s.frame_rows + place.row - w / 2 + i % w];
    for (int i = threadIdx.x; i < t * t; i += THREADS)
        turned[i] = a.templates[point * t * t + t * t - 1 - i];
    __syncthreads();
    convolve(s, turned, window, convolved);
    sum_pieces(s, window, a.padded + point * s.padded * s.padded, a.strip + point * f * s.padded, sums, false);
    sum_pieces(s, window, a.padded + point * s.padded * s.padded, a.strip + point * f * s.padded, squares, true);
    const float2 about = mean_and_spread(s, turned, partial, partial_squares);
    float largest = -2;
    int largest_at = 0;
    for (int i = threadIdx.x; i < f * f; i += THREADS) {
        const float spread = sqrtf(fmaxf(squares[i] - sums[i] * sums[i] / static_cast<float>(t * t), 0.0f)) * about.y;
        const float value = spread > 1e-3f ? (convolved[i] - sums[i] * about.x) / spread : 0.0f;
        a.correlation[point * f * f + i] = value;
        if (abs(i % f - f / 2) <= reach && abs(i / f - f / 2) <= reach && value > largest) {
            largest = value;
            largest_at = i;
        }
    }
    best[threadIdx.x] = largest;
    best_at[threadIdx.x] = largest_at;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int i = 1; i < THREADS; i++)
            if (best[i] > best[0] || (best[i] == best[0] && best_at[i] < best_at[0])) {
                best[0] = best[i];
                best_at[0] = best_at[i];
            }
        a.place[point].row += best_at[0] % f - f / 2;
        a.place[point].column += best_at[0] / f - f / 2;
    }
}

// A ring of tissue that beats, with speckle that moves with it.
static std::vector<float> make_frame(const std::vector<float> &speckle, int rows, int columns, int frame)
{
    std::vector<float> image(static_cast<size_t>(rows) * columns);
    for (int c = 0; c < columns; c++)
        for (int r = 0; r < rows; r++) {
            const int from = (c + frame) % columns * rows + (r + 2 * frame) % rows;
            image[static_cast<size_t>(c) * rows + r] = speckle[static_cast<size_t>(from)];
        }
    return image;
}

// Normalised correlations of one point, piece by piece.
static std::vector<float> correlate(const Sides &s, const std::vector<float> &frame, const float *piece, const Place &place)
{
    const int t = s.of_template, w = s.window, f = s.full;
    const double n = static_cast<double>(t * t);
    std::vector<float> result(static_cast<size_t>(f) * f);
    double mean = 0, spread = 0;
    for (int i = 0; i < t * t; i++)
        mean += static_cast<double>(piece[i]) / n;
    for (int i = 0; i < t * t; i++)
        spread += (static_cast<double>(piece[i]) - mean) * (static_cast<double>(piece[i]) - mean);
    for (int i = 0; i < f * f; i++) {
        double product = 0, sum = 0, squares = 0;
        for (int k = 0; k < t * t; k++) {
            const int row = i % f - (t - 1) + k % t, column = i / f - (t - 1) + k / t;
            if (row < 0 || column < 0 || row >= w || column >= w)
                continue;
            const double v = static_cast<double>(frame[static_cast<size_t>((place.column - w / 2 + column) * s.frame_rows + place.row - w / 2 + row)]);
            product += v * static_cast<double>(piece[k]);
            sum += v;
            squares += v * v;
        }
        const double all = std::sqrt(std::fmax(squares - sum * sum / n, 0)) * std::sqrt(spread);
        result[static_cast<size_t>(i)] = all > 1e-3 ? static_cast<float>((product - sum * mean) / all) : 0.0f;
    }
    return result;
}

int main(int argc, char **argv)
{
    const workload::Run run = workload::parse(argc, argv, "heartwall");
    const int t = workload::pick<int>(run, 5, 9, 25, MOST_TEMPLATE), w = workload::pick(run, 11, 19, 45, 81), frames = workload::pick(run, 1, 1, 1, 2);
    const int rows = workload::pick(run, 164, 328, 656, 656), columns = workload::pick(run, 186, 372, 744, 744), reach = w / 2 - t / 2;
    const Sides s = {t, w, w + t - 1, w + 2 * t, rows};
    workload::Rng rng(run.seed);
    std::vector<float> speckle(static_cast<size_t>(rows) * columns);
    for (float &v : speckle)
        v = static_cast<float>(rng.below(256)) / 255;
    std::vector<Place> places(POINTS);
    std::vector<float> templates;
    const std::vector<float> first = make_frame(speckle, rows, columns, 0);
    for (int p = 0; p < POINTS; p++) { // 20 on the inner wall, 31 on the outer
        const double angle = p < 20 ? p * 6.2832 / 20 : (p - 20) * 6.2832 / 31, radius = p < 20 ? rows * 0.12 : rows * 0.25;
        places[p] = {static_cast<int>(rows / 2 + radius * std::sin(angle)), static_cast<int>(columns / 2 + radius * std::cos(angle))};
        for (int i = 0; i < t * t; i++)
            templates.push_back(first[static_cast<size_t>((places[p].column - t / 2 + i / t) * rows + places[p].row - t / 2 + i % t)]);
    }
    const size_t full = static_cast<size_t>(s.full) * s.full * POINTS;
    workload::Buffer<float> frame(first), dt(templates), window(static_cast<size_t>(w) * w * POINTS), convolved(full), sums(full), squares(full), correlation(full);
    workload::Buffer<float> padded(static_cast<size_t>(s.padded) * s.padded * POINTS), strip(static_cast<size_t>(s.full) * s.padded * POINTS);
    workload::Buffer<Place> place(places);
    const Arrays arrays = {frame.get(), dt.get(), window.get(), convolved.get(), padded.get(), strip.get(), sums.get(), squares.get(), correlation.get(), place.get()};
    bool right = true;
    for (int k = 1; k <= frames; k++) {
        const std::vector<float> now = make_frame(speckle, rows, columns, k);
        frame.upload(now);
        heartwall_track<<<POINTS, THREADS>>>(arrays, s, reach);
        workload::finish_kernels("heartwall_track");
        const std::vector<float> got = correlation.download();
        for (int p = 0; p < POINTS; p += run.size == workload::PAPER ? 10 : 1) {
            const std::vector<float> want = correlate(s, now, &templates[static_cast<size_t>(p) * t * t], places[p]);
            const std::vector<float> mine(got.begin() + p * s.full * s.full, got.begin() + (p + 1) * s.full * s.full);
            right = right && workload::first_difference(mine, want, 5e-3f) < 0;
        }
        for (int p = 0; p < POINTS; p++) // the tissue moved one column and two rows
            places[p] = {places[p].row - 2, places[p].column - 1};
        const std::vector<Place> found = place.download();
        for (int p = 0; p < POINTS; p++)
            right = right && found[p].row == places[p].row && found[p].column == places[p].column;
    }
    return workload::verdict(run, right, "correlations and places");
}
