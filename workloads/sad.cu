// sad - motion estimation for video: kernel 1 computes the sums of absolute differences of 4x4 blocks over a search window; kernel 2 adds them up
// to 8x8 blocks, kernel 3 to 16x16.
#include <algorithm>

#include "common/workload.h"

enum { MACRO = 16, SEARCH = 8, WINDOW = 2 * SEARCH + 1, POSITIONS = WINDOW * WINDOW, SMALL_BLOCKS = 16 };

// out[macro][small block][position]
__global__ void sad_4x4(const unsigned char *now, const unsigned char *before, unsigned short *out, int width, int height)
{
    const int mx = blockIdx.x, my = blockIdx.y, small = threadIdx.y;
    const int x0 = mx * MACRO + small % 4 * 4, y0 = my * MACRO + small / 4 * 4;
    for (int position = threadIdx.x; position < POSITIONS; position += blockDim.x) {
        const int dx = position % WINDOW - SEARCH, dy = position / WINDOW - SEARCH;
        int sum = 0;
        for (int y = 0; y < 4; y++)
            for (int x = 0; x < 4; x++) {
                const int sx = min(max(x0 + x + dx, 0), width - 1), sy = min(max(y0 + y + dy, 0), height - 1);
                sum += abs(static_cast<int>(now[(y0 + y) * width + x0 + x]) - static_cast<int>(before[sy * width + sx]));
            }
        out[((my * gridDim.x + mx) * SMALL_BLOCKS + small) * POSITIONS + position] = static_cast<unsigned short>(sum);
    }
}

__global__ void sad_8x8(const unsigned short *small, unsigned short *out)
{
    const int macro = blockIdx.x, quad = threadIdx.y, first = quad / 2 * 8 + quad % 2 * 2; // upper left of its four 4x4 blocks
    const unsigned short *const from = small + macro * SMALL_BLOCKS * POSITIONS;
    for (int p = threadIdx.x; p < POSITIONS; p += blockDim.x)
        out[(macro * 4 + quad) * POSITIONS + p] = static_cast<unsigned short>(from[first * POSITIONS + p] + from[(first + 1) * POSITIONS + p] + from[(first + 4) * POSITIONS + p] + from[(first + 5) * POSITIONS + p]);
}

__global__ void sad_16x16(const unsigned short *quads, unsigned short *out)
{
    for (int p = threadIdx.x; p < POSITIONS; p += blockDim.x) {
        int sum = 0;
        for (int q = 0; q < 4; q++)
            sum += quads[(blockIdx.x * 4 + q) * POSITIONS + p];
        out[blockIdx.x * POSITIONS + p] = static_cast<unsigned short>(sum);
    }
}

int main(int argc, char **argv)
{
    const workload::Run run = workload::parse(argc, argv, "sad");
    const int mw = workload::pick(run, 2, 4, 14, 11), mh = workload::pick(run, 1, 3, 10, 9), width = mw * MACRO, height = mh * MACRO;
    workload::Rng rng(run.seed);
    std::vector<unsigned char> before(static_cast<size_t>(width) * height), now(before.size());
    for (unsigned char &p : before)
        p = static_cast<unsigned char>(rng.below(256));
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) // the picture moved by (3, -2), with noise
            now[static_cast<size_t>(y) * width + x] = static_cast<unsigned char>((before[static_cast<size_t>((y + 2) % height) * width + (x + width - 3) % width] + rng.below(5)) & 255);
    const int macros = mw * mh;
    workload::Buffer<unsigned char> dn(now), db(before);
    workload::Buffer<unsigned short> small(static_cast<size_t>(macros) * SMALL_BLOCKS * POSITIONS), quads(static_cast<size_t>(macros) * 4 * POSITIONS), whole(static_cast<size_t>(macros) * POSITIONS);
    sad_4x4<<<dim3(mw, mh), dim3(32, SMALL_BLOCKS)>>>(dn.get(), db.get(), small.get(), width, height);
    sad_8x8<<<macros, dim3(32, 4)>>>(small.get(), quads.get());
    sad_16x16<<<macros, 128>>>(quads.get(), whole.get());
    workload::finish_kernels("sad");
    bool right = true;
    const std::vector<unsigned short> got = whole.download();
    for (int m = 0; m < macros && right; m++)
        for (int p = 0; p < POSITIONS && right; p++) {
            int sum = 0;
            for (int y = 0; y < MACRO; y++)
                for (int x = 0; x < MACRO; x++) {
                    const int px = m % mw * MACRO + x, py = m / mw * MACRO + y;
                    const int sx = std::min(std::max(px + p % WINDOW - SEARCH, 0), width - 1), sy = std::min(std::max(py + p / WINDOW - SEARCH, 0), height - 1);
                    sum += std::abs(now[static_cast<size_t>(py) * width + px] - before[static_cast<size_t>(sy) * width + sx]);
                }
            right = got[static_cast<size_t>(m) * POSITIONS + p] == static_cast<unsigned short>(sum);
        }
    return workload::verdict(run, right, "sums of differences");
}
