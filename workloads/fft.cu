// fft - many transforms of 512 complex points (the form of SHOC's and Volkov's: 64 threads a transform, 8 points a thread in registers, three
// radix-8 steps, and two exchanges through shared memory between them). Global memory is read once and written once.
#include "common/workload.h"

enum { POINTS = 512, THREADS = 64, EACH = 8 };

__device__ static float2 times(float2 a, float2 b) { return make_float2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); }
__device__ static float2 plus(float2 a, float2 b) { return make_float2(a.x + b.x, a.y + b.y); }
__device__ static float2 minus(float2 a, float2 b) { return make_float2(a.x - b.x, a.y - b.y); }
__device__ static float2 turned(float part) // the root of unity that lies `part` of the circle clockwise
{
    float s, c;
    sincospif(-2.0f * part, &s, &c);
    return make_float2(c, s);
}

// Eight points, in place, in natural order.
__device__ static void fft8(float2 *a)
{
    const float h = 0.70710678f;
    float2 even[4] = {plus(a[0], a[4]), plus(a[1], a[5]), plus(a[2], a[6]), plus(a[3], a[7])};
    float2 odd[4] = {minus(a[0], a[4]), minus(a[1], a[5]), minus(a[2], a[6]), minus(a[3], a[7])};
    odd[1] = make_float2(h * (odd[1].x + odd[1].y), h * (odd[1].y - odd[1].x));
    odd[2] = make_float2(odd[2].y, -odd[2].x);
    odd[3] = make_float2(h * (odd[3].y - odd[3].x), -h * (odd[3].x + odd[3].y));
    for (int half = 0; half < 2; half++) {
        const float2 *b = half ? odd : even;
        const float2 p = plus(b[0], b[2]), q = plus(b[1], b[3]), r = minus(b[0], b[2]), d = minus(b[1], b[3]), s = make_float2(d.y, -d.x);
        a[half] = plus(p, q);
        a[4 + half] = minus(p, q);
        a[2 + half] = plus(r, s);
        a[6 + half] = minus(r, s);
    }
}

// Words of the real and the imaginary part go through shared memory one after the other, so that it stays small.
__device__ static void exchange(float2 *a, float *shared, int from, int from_step, int to, int to_step)
{
    for (int k = 0; k < EACH; k++)
        shared[from + k * from_step] = a[k].x;
    __syncthreads();
    for (int k = 0; k < EACH; k++)
        a[k].x = shared[to + k * to_step];
    __syncthreads();
    for (int k = 0; k < EACH; k++)
        shared[from + k * from_step] = a[k].y;
    __syncthreads();
    for (int k = 0; k < EACH; k++)
        a[k].y = shared[to + k * to_step];
    __syncthreads();
}

__global__ void fft_512(float2 *data)
{
    __shared__ float shared[8 * 72];
    const int t = threadIdx.x, high = t / 8, low = t % 8;
    float2 a[EACH], *mine = data + blockIdx.x * POINTS + t;
    for (int k = 0; k < EACH; k++)
        a[k] = mine[k * THREADS];
    fft8(a);
    for (int k = 1; k < EACH; k++)
        a[k] = times(a[k], turned(static_cast<float>(k * t) / POINTS));
    exchange(a, shared, t, 66, high * 66 + low, 8);
    fft8(a);
    for (int k = 1; k < EACH; k++)
        a[k] = times(a[k], turned(static_cast<float>(k * low) / THREADS));
    exchange(a, shared, high * 72 + low, 8 + 1, high * 72 + low * (8 + 1), 1);
    fft8(a);
    for (int k = 0; k < EACH; k++) // point high + 8 low + 64 k of the result
        data[blockIdx.x * POINTS + high + 8 * low + k * THREADS] = a[k];
}

static void fft_on_cpu(double *re, double *im, int n, int step)
{
    if (n == 1)
        return;
    fft_on_cpu(re, im, n / 2, 2 * step);
    fft_on_cpu(re + step, im + step, n / 2, 2 * step);
    std::vector<double> r(n), i(n);
    for (int k = 0; k < n / 2; k++) {
        const double angle = -2 * 3.14159265358979323846 * k / n, c = std::cos(angle), s = std::sin(angle);
        const double a = re[2 * k * step], b = im[2 * k * step], x = re[(2 * k + 1) * step], y = im[(2 * k + 1) * step];
        r[k] = a + c * x - s * y;
        i[k] = b + c * y + s * x;
        r[k + n / 2] = a - (c * x - s * y);
        i[k + n / 2] = b - (c * y + s * x);
    }
    for (int k = 0; k < n; k++) {
        re[k * step] = r[k];
        im[k * step] = i[k];
    }
}

int main(int argc, char **argv)
{
    const workload::Run run = workload::parse(argc, argv, "fft");
    const int transforms = workload::pick(run, 8, 512, 8192, 16384);
    workload::Rng rng(run.seed);
    std::vector<float2> data(static_cast<size_t>(transforms) * POINTS);
    for (float2 &v : data)
        v = make_float2(rng.uniform(-1, 1), rng.uniform(-1, 1));
    workload::Buffer<float2> dd(data);
    fft_512<<<transforms, THREADS>>>(dd.get());
    workload::finish_kernels("fft_512");
    const std::vector<float2> result = dd.download();
    std::vector<float> got, want;
    std::vector<double> re(POINTS), im(POINTS);
    for (int b = 0; b < transforms; b++) {
        for (int k = 0; k < POINTS; k++) {
            re[k] = static_cast<double>(data[static_cast<size_t>(b) * POINTS + k].x);
            im[k] = static_cast<double>(data[static_cast<size_t>(b) * POINTS + k].y);
        }
        fft_on_cpu(re.data(), im.data(), POINTS, 1);
        for (int k = 0; k < POINTS; k++) {
            got.push_back(result[static_cast<size_t>(b) * POINTS + k].x);
            got.push_back(result[static_cast<size_t>(b) * POINTS + k].y);
            want.push_back(static_cast<float>(re[k]));
            want.push_back(static_cast<float>(im[k]));
        }
    }
    return workload::verdict(run, got, want, 1e-3f, "spectra");
}
