// sad - motion estimation for video (Parboil's form): kernel 1 computes the sums of absolute differences of a 4x4 block per CUDA block over a
// search window, the frame before read through a texture, the sums collected in shared memory; kernel 2 adds them up to 8x4, 4x8 and 8x8
// blocks, kernel 3 to 16x8, 8x16 and 16x16, two sums in a word at a time.
#include <algorithm>

#include "common/texture.h"

enum {
    MACRO = 16, SEARCH = 16, WINDOW = 2 * SEARCH + 1, POSITIONS = WINDOW * WINDOW, PADDED = POSITIONS + 3, SMALL_BLOCKS = 16,
    PER_THREAD = 18, // positions; three neighbours at a time share what they read
    THREADS = (POSITIONS + PER_THREAD - 1) / PER_THREAD
};

// out[macro][small block][position]
__global__ void sad_4x4(cudaTextureObject_t before, const unsigned short *now, unsigned short *out, int width)
{
    __shared__ unsigned short mine[16];
    __shared__ unsigned short sums[PADDED];
    const int x0 = blockIdx.x * 4, y0 = blockIdx.y * 4, macros_wide = gridDim.x / 4;
    if (threadIdx.x < 16)
        mine[threadIdx.x] = now[(y0 + threadIdx.x / 4) * width + x0 + threadIdx.x % 4];
    __syncthreads();
    const int first = threadIdx.x * PER_THREAD, last = min(first + PER_THREAD, static_cast<int>(POSITIONS));
    for (int position = first; position < last; position += 3) { // rows of the window are a multiple of three long
        const int x = x0 + position % WINDOW - SEARCH, y = y0 + position / WINDOW - SEARCH;
        int sum[3] = {0, 0, 0};
#pragma unroll
        for (int row = 0; row < 4; row++)
#pragma unroll
            for (int column = 0; column < 6; column++) {
                const int pixel = tex2D<unsigned short>(before, static_cast<float>(x + column), static_cast<float>(y + row));
#pragma unroll
                for (int k = 0; k < 3; k++)
                    if (column >= k && column < k + 4)
                        sum[k] += abs(pixel - mine[row * 4 + column - k]);
            }
        for (int k = 0; k < 3; k++)
            sums[position + k] = static_cast<unsigned short>(sum[k]);
    }
    __syncthreads();
    const int macro = blockIdx.y / 4 * macros_wide + blockIdx.x / 4, small = blockIdx.y % 4 * 4 + blockIdx.x % 4;
    uint2 *const to = reinterpret_cast<uint2 *>(out + (macro * SMALL_BLOCKS + small) * PADDED);
    if (threadIdx.x < 32)
        for (int i = threadIdx.x; i < PADDED / 4; i += 32) {
            const unsigned short *const from = sums + 4 * i;
            to[i] = uint2{from[0] | static_cast<unsigned>(from[1]) << 16, from[2] | static_cast<unsigned>(from[3]) << 16};
        }
}

// Four neighbouring sums become two tall, two wide and one whole: words hold two sums, which cannot overflow into one another.
__device__ static void merge(const unsigned *const from[4], unsigned *tall, unsigned *wide, int wide_step, unsigned *whole)
{
    for (int i = threadIdx.x; i < (POSITIONS + 1) / 2; i += 32) {
        const unsigned a = from[0][i], b = from[1][i], c = from[2][i], d = from[3][i];
        tall[i] = a + c;
        tall[PADDED / 2 + i] = b + d;
        wide[i] = a + b;
        wide[wide_step + i] = c + d;
        whole[i] = a + b + c + d;
    }
}

__global__ void sad_8x8(const unsigned *small, unsigned *tall, unsigned *wide, unsigned *whole)
{
    const int macro = blockIdx.y * gridDim.x + blockIdx.x, quad = threadIdx.y, half = PADDED / 2, first = quad / 2 * 8 + quad % 2 * 2; // upper left of its four
    const unsigned *const s = small + (macro * SMALL_BLOCKS + first) * half;
    const unsigned *const from[4] = {s, s + half, s + 4 * half, s + 5 * half};
    merge(from, tall + (macro * 8 + quad * 2) * half, wide + (macro * 8 + quad / 2 * 4 + quad % 2) * half, 2 * half, whole + (macro * 4 + quad) * half);
}

__global__ void sad_16x16(const unsigned *quads, unsigned *tall, unsigned *wide, unsigned *whole)
{
    const int macro = blockIdx.y * gridDim.x + blockIdx.x, half = PADDED / 2;
    const unsigned *const s = quads + macro * 4 * half;
    const unsigned *const from[4] = {s, s + half, s + 2 * half, s + 3 * half};
    merge(from, tall + macro * 2 * half, wide + macro * 2 * half, half, whole + macro * half);
}

int main(int argc, char **argv)
{
    const workload::Run run = workload::parse(argc, argv, "sad");
    const int mw = workload::pick(run, 1, 6, 15, 11), mh = workload::pick(run, 1, 5, 14, 9), width = mw * MACRO, height = mh * MACRO;
    workload::Rng rng(run.seed);
    std::vector<unsigned short> before(static_cast<size_t>(width) * height), now(before.size());
    for (unsigned short &p : before)
        p = static_cast<unsigned short>(rng.below(256));
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) // the picture moved by (3, -2), with noise
            now[static_cast<size_t>(y) * width + x] = static_cast<unsigned short>((before[static_cast<size_t>((y + 2) % height) * width + (x + width - 3) % width] + rng.below(5)) & 255);
    const int macros = mw * mh;
    const size_t words = static_cast<size_t>(macros) * PADDED / 2;
    workload::Buffer<unsigned short> dn(now), db(before);
    workload::Buffer<unsigned> small(words * SMALL_BLOCKS), tall8(words * 8), wide8(words * 8), quads(words * 4), tall16(words * 2), wide16(words * 2), whole(words);
    const workload::Texture texture = workload::Texture::image(db.get(), width, height);
    sad_4x4<<<dim3(mw * 4, mh * 4), THREADS>>>(texture.get(), dn.get(), reinterpret_cast<unsigned short *>(small.get()), width);
    sad_8x8<<<dim3(mw, mh), dim3(32, 4)>>>(small.get(), tall8.get(), wide8.get(), quads.get());
    sad_16x16<<<dim3(mw, mh), 32>>>(quads.get(), tall16.get(), wide16.get(), whole.get());
    workload::finish_kernels("sad");
    bool right = true;
    const std::vector<unsigned> words_got = whole.download(), wide_got = wide16.download();
    const unsigned short *const got = reinterpret_cast<const unsigned short *>(words_got.data()), *const rows = reinterpret_cast<const unsigned short *>(wide_got.data());
    for (int m = 0; m < macros && right; m++)
        for (int p = 0; p < POSITIONS && right; p++) {
            int half[2] = {0, 0}; // upper and lower
            for (int y = 0; y < MACRO; y++)
                for (int x = 0; x < MACRO; x++) {
                    const int px = m % mw * MACRO + x, py = m / mw * MACRO + y;
                    const int sx = std::min(std::max(px + p % WINDOW - SEARCH, 0), width - 1), sy = std::min(std::max(py + p / WINDOW - SEARCH, 0), height - 1);
                    half[y / 8] += std::abs(now[static_cast<size_t>(py) * width + px] - before[static_cast<size_t>(sy) * width + sx]);
                }
            const size_t at = static_cast<size_t>(m) * PADDED + p, wide_at = static_cast<size_t>(m) * 2 * PADDED + p;
            right = got[at] == static_cast<unsigned short>(half[0] + half[1]) && rows[wide_at] == static_cast<unsigned short>(half[0]) && rows[wide_at + PADDED] == static_cast<unsigned short>(half[1]);
        }
    return workload::verdict(run, right, "sums of differences");
}
