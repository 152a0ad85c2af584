// mcpi - Monte-Carlo estimate of pi with a generator per thread (the SDK's inline form): a first kernel sets up the generators, each jumped
// ahead to a sequence of its own by multiplying its state with matrices over GF(2) from global memory, which all threads share; the
// second kernel draws the points, and reduces the counts in shared memory. With few draws a thread, the setting up is most of the work.
#include "common/workload.h"

enum { THREADS = 128, WORDS = 5, BITS = 32 * WORDS, DIGITS = 8, JUMP_LOG2 = 67 };

// Marsaglia's xorwow: five words of shift register and a counter. As wide as the state of the usual library, which has spare room for
// normal deviates.
struct Generator {
    unsigned counter, word[WORDS], spare[6];
};
typedef unsigned Matrix[BITS][WORDS]; // image of every single bit

__host__ __device__ static void step(unsigned *v)
{
    const unsigned t = v[0] ^ v[0] >> 2;
    v[0] = v[1];
    v[1] = v[2];
    v[2] = v[3];
    v[3] = v[4];
    v[4] = (v[4] ^ v[4] << 4) ^ (t ^ t << 1);
}

__host__ __device__ static float draw(Generator &g)
{
    step(g.word);
    g.counter += 362437;
    return static_cast<float>((g.counter + g.word[4]) >> 8) * (1.0f / 16777216.0f);
}

__host__ __device__ static void multiply(unsigned *v, const unsigned *matrix)
{
    unsigned out[WORDS] = {0, 0, 0, 0, 0};
    for (int w = 0; w < WORDS; w++)
        for (int bit = 0; bit < 32; bit++)
            if (v[w] >> bit & 1)
                for (int k = 0; k < WORDS; k++)
                    out[k] ^= matrix[(w * 32 + bit) * WORDS + k];
    for (int k = 0; k < WORDS; k++)
        v[k] = out[k];
}

// Sequence number `sequence`: 2^67 steps further for each, by the base-4 digits of the number.
__host__ __device__ static Generator set_up(unsigned seed, unsigned sequence, const unsigned *matrices)
{
    Generator g = {seed * 40503u + 6615241u, {seed ^ 123456789u, 362436069u + seed, 521288629u, 88675123u ^ seed << 7, 5783321u}, {0, 0, 0, 0, 0, 0}};
    for (int digit = 0; sequence; digit++, sequence >>= 2)
        for (unsigned times = sequence & 3; times; times--)
            multiply(g.word, matrices + digit * BITS * WORDS);
    return g;
}

__global__ void set_up_generators(Generator *generators, unsigned seed, const unsigned *matrices)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    generators[i] = set_up(seed, i, matrices);
}

__global__ void count_inside(const Generator *generators, int *per_block, int points)
{
    __shared__ int sums[THREADS];
    const int first = blockIdx.x * blockDim.x + threadIdx.x;
    Generator mine = generators[first];
    int inside = 0;
    for (int i = first; i < points; i += gridDim.x * blockDim.x) {
        const float x = draw(mine), y = draw(mine);
        inside += x * x + y * y < 1.0f;
    }
    sums[threadIdx.x] = inside;
    for (int stride = THREADS / 2; stride > 0; stride /= 2) {
        __syncthreads();
        if (threadIdx.x < stride)
            sums[threadIdx.x] += sums[threadIdx.x + stride];
    }
    if (threadIdx.x == 0)
        per_block[blockIdx.x] = sums[0];
}

// matrices[d] moves a state on by 2^67 * 4^d steps.
static std::vector<unsigned> jump_matrices()
{
    std::vector<unsigned> power(BITS * WORDS, 0), all;
    for (int bit = 0; bit < BITS; bit++) {
        power[static_cast<size_t>(bit) * WORDS + bit / 32] = 1u << bit % 32;
        step(&power[static_cast<size_t>(bit) * WORDS]);
    }
    for (int log2 = 0; log2 < JUMP_LOG2 + 2 * DIGITS; log2++) {
        if (log2 >= JUMP_LOG2 && (log2 - JUMP_LOG2) % 2 == 0)
            all.insert(all.end(), power.begin(), power.end());
        std::vector<unsigned> square(power);
        for (int bit = 0; bit < BITS; bit++)
            multiply(&square[static_cast<size_t>(bit) * WORDS], power.data());
        power.swap(square);
    }
    return all;
}

int main(int argc, char **argv)
{
    const workload::Run run = workload::parse(argc, argv, "mcpi");
    const int blocks = workload::pick(run, 2, 13, 120, 195), points = workload::pick(run, 2000, 20000, 100000, 100000), threads = blocks * THREADS;
    const unsigned seed = static_cast<unsigned>(run.seed);
    const std::vector<unsigned> matrices = jump_matrices();
    workload::Buffer<unsigned> dm(matrices);
    workload::Buffer<Generator> dg(threads);
    workload::Buffer<int> counts(blocks);
    set_up_generators<<<blocks, THREADS>>>(dg.get(), seed, dm.get());
    count_inside<<<blocks, THREADS>>>(dg.get(), counts.get(), points);
    workload::finish_kernels("mcpi");
    long got = 0, want = 0;
    for (int c : counts.download())
        got += c;
    for (int first = 0; first < threads; first++) {
        Generator g = set_up(seed, first, matrices.data());
        for (int i = first; i < points; i += threads) {
            const float x = draw(g), y = draw(g);
            want += std::fma(x, x, y * y) < 1.0f;
        }
    }
    const double pi = 4.0 * static_cast<double>(got) / points;
    std::printf("pi is about %.4f\n", pi);
    // A point on the circle may round either way: a few of them are allowed.
    return workload::verdict(run, std::labs(got - want) <= 2 && std::fabs(pi - 3.14159265) < 0.15, "estimate of pi");
}
