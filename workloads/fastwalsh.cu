// fastwalsh - fast Walsh-Hadamard transform: radix-4 passes over global memory, then the last eleven bits in shared memory (radix 4
// five times, radix 2 once), then a modulation; the data streams through every pass.
#include "common/workload.h"

enum { SHARED_LOG2 = 11, SHARED_ELEMENTS = 1 << SHARED_LOG2, THREADS = SHARED_ELEMENTS / 4 };

__device__ static void radix4(float &a, float &b, float &c, float &d)
{
    const float s0 = a + c, s1 = a - c, t0 = b + d, t1 = b - d;
    a = s0 + t0;
    b = s0 - t0;
    c = s1 + t1;
    d = s1 - t1;
}

__global__ void walsh_global(float *data, int quarter)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int low = i & (quarter - 1), base = ((i - low) << 2) + low;
    float a = data[base], b = data[base + quarter], c = data[base + 2 * quarter], d = data[base + 3 * quarter];
    radix4(a, b, c, d);
    data[base] = a;
    data[base + quarter] = b;
    data[base + 2 * quarter] = c;
    data[base + 3 * quarter] = d;
}

__global__ void walsh_shared(float *data)
{
    __shared__ float tile[SHARED_ELEMENTS];
    float *const mine = data + static_cast<size_t>(blockIdx.x) * SHARED_ELEMENTS;
    for (int i = threadIdx.x; i < SHARED_ELEMENTS; i += blockDim.x)
        tile[i] = mine[i];
    for (int quarter = SHARED_ELEMENTS / 4; quarter > 1; quarter /= 4) {
        const int low = threadIdx.x & (quarter - 1), base = ((threadIdx.x - low) << 2) + low;
        __syncthreads();
        radix4(tile[base], tile[base + quarter], tile[base + 2 * quarter], tile[base + 3 * quarter]);
    }
    __syncthreads();
    for (int pair = threadIdx.x; pair < SHARED_ELEMENTS / 2; pair += blockDim.x) {
        const float a = tile[2 * pair], b = tile[2 * pair + 1];
        tile[2 * pair] = a + b;
        tile[2 * pair + 1] = a - b;
    }
    __syncthreads();
    for (int i = threadIdx.x; i < SHARED_ELEMENTS; i += blockDim.x)
        mine[i] = tile[i];
}

__global__ void modulate(float *a, const float *b, int n)
{
    const float scale = 1.0f / static_cast<float>(n);
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        a[i] *= b[i] * scale;
}

static void transform(float *data, int log2n)
{
    const int n = 1 << log2n;
    int m = n;
    for (; m > SHARED_ELEMENTS; m /= 4)
        walsh_global<<<n / 4 / 256, 256>>>(data, m / 4);
    walsh_shared<<<n / SHARED_ELEMENTS, THREADS>>>(data);
}

static void transform_on_cpu(std::vector<float> &v)
{
    for (size_t half = 1; half < v.size(); half *= 2)
        for (size_t i = 0; i < v.size(); i += 2 * half)
            for (size_t j = i; j < i + half; j++) {
                const float x = v[j], y = v[j + half];
                v[j] = x + y;
                v[j + half] = x - y;
            }
}

int main(int argc, char **argv)
{
    const workload::Run run = workload::parse(argc, argv, "fastwalsh");
    const int log2n = workload::pick(run, 13, 17, 21, 23); // odd: radix 4 down to the eleven bits of a shared tile
    const int n = 1 << log2n;
    workload::Rng rng(run.seed);
    std::vector<float> a = workload::random_floats(rng, n, -1, 1), b(n, 0.0f);
    for (int i = 0; i < 128; i++)
        b[i] = rng.uniform(-1, 1);
    workload::Buffer<float> da(a), db(b);
    transform(da.get(), log2n);
    transform(db.get(), log2n);
    modulate<<<128, 256>>>(da.get(), db.get(), n);
    transform(da.get(), log2n);
    workload::finish_kernels("fast Walsh transform");
    transform_on_cpu(a);
    transform_on_cpu(b);
    for (int i = 0; i < n; i++)
        a[i] *= b[i] / static_cast<float>(n);
    transform_on_cpu(a);
    return workload::verdict(run, da.download(), a, 2e-3f, "dyadic convolution");
}
