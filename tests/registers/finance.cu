// Random numbers, options, statistics and learning.
__device__ float normal_cdf(float d)
{
    float k = 1.0f / (1.0f + 0.2316419f * fabsf(d));
    float c = 0.39894228f * __expf(-0.5f * d * d) * (k * (0.31938153f + k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f)))));
    return d > 0 ? 1 - c : c;
}

__global__ void option_prices(float *call, float *put, const float *price, const float *strike, const float *years, float r, float v, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
        float s = price[i], x = strike[i], t = years[i], root = sqrtf(t);
        float d1 = (logf(s / x) + (r + 0.5f * v * v) * t) / (v * root), d2 = d1 - v * root;
        float a = normal_cdf(d1), b = normal_cdf(d2), e = expf(-r * t);
        call[i] = s * a - x * e * b;
        put[i] = x * e * (1 - b) - s * (1 - a);
    }
}

__global__ void binomial_tree(const double *s, const double *x, double *out, double pu, double pd, double vsdt)
{
    __shared__ double row[257];
    int t = threadIdx.x;
    double v = s[blockIdx.x] * exp(vsdt * (2.0 * t - 256)) - x[blockIdx.x];
    row[t] = v > 0 ? v : 0;
    for (int i = 256; i > 0; i--) {
        __syncthreads();
        double next = t < i ? pu * row[t + 1] + pd * row[t] : 0;
        __syncthreads();
        if (t < i)
            row[t] = next;
    }
    if (t == 0)
        out[blockIdx.x] = row[0];
}

__global__ void twister(unsigned *state, float *out, int per)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x, total = blockDim.x * gridDim.x;
    unsigned mt[19];
    mt[0] = state[t];
    for (int i = 1; i < 19; i++)
        mt[i] = 1812433253u * (mt[i - 1] ^ mt[i - 1] >> 30) + i;
    unsigned x = mt[0], next;
    int at = 0;
    for (int k = 0; k < per; k++) {
        next = mt[(at + 1) % 19];
        unsigned m = mt[(at + 9) % 19], y = (x & 0xfffffffe) | (next & 1);
        y = m ^ y >> 1 ^ (y & 1 ? 0x9908b0dfu : 0);
        mt[at] = y;
        at = (at + 1) % 19;
        x = next;
        y ^= y >> 12, y ^= y << 7 & 0x9d2c5680u, y ^= y << 15 & 0xefc60000u, y ^= y >> 18;
        out[k * total + t] = (y + 1.0f) / 4294967296.0f;
    }
}

__global__ void box_muller(float *values, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n / 2) {
        float u = values[2 * i], v = values[2 * i + 1], r = sqrtf(-2 * logf(u)), a = 6.2831853f * v;
        values[2 * i] = r * cosf(a);
        values[2 * i + 1] = r * sinf(a);
    }
}

__global__ void sobol(unsigned count, const unsigned *directions, float *out)
{
    __shared__ unsigned v[32];
    if (threadIdx.x < 32)
        v[threadIdx.x] = directions[32 * blockIdx.y + threadIdx.x];
    __syncthreads();
    int i0 = threadIdx.x + blockIdx.x * blockDim.x, stride = gridDim.x * blockDim.x;
    unsigned gray = i0 ^ i0 >> 1, x = 0;
    for (int k = 0; k < __ffs(stride) - 1; k++) {
        x ^= -(gray & 1) & v[k];
        gray >>= 1;
    }
    for (unsigned i = i0; i < count; i += stride) {
        out[blockIdx.y * count + i] = x * 2.3283064e-10f;
        x ^= v[__ffs(~i) - 1];
    }
}

__global__ void monte_carlo(const float *samples, int paths, float s, float x, float mu, float v, float *sum, float *sum2)
{
    __shared__ float a[256], b[256];
    float sa = 0, sb = 0;
    for (int i = threadIdx.x; i < paths; i += 256) {
        float call = s * __expf(mu + v * samples[i]) - x;
        call = call > 0 ? call : 0;
        sa += call, sb += call * call;
    }
    a[threadIdx.x] = sa, b[threadIdx.x] = sb;
    for (int d = 128; d > 0; d >>= 1) {
        __syncthreads();
        if (threadIdx.x < d)
            a[threadIdx.x] += a[threadIdx.x + d], b[threadIdx.x] += b[threadIdx.x + d];
    }
    if (threadIdx.x == 0)
        sum[blockIdx.x] = a[0], sum2[blockIdx.x] = b[0];
}

__global__ void nearest(const float2 *places, float *distances, int n, float lat, float lng)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float2 p = places[i];
        distances[i] = sqrtf((lat - p.x) * (lat - p.x) + (lng - p.y) * (lng - p.y));
    }
}

__global__ void assign_cluster(const float *points, const float *centres, int *membership, int n, int clusters, int features)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int best = -1;
    float least = 3.4e38f;
    for (int c = 0; c < clusters; c++) {
        float d = 0;
        for (int f = 0; f < features; f++) {
            float e = points[f * n + i] - centres[c * features + f];
            d += e * e;
        }
        if (d < least)
            least = d, best = c;
    }
    membership[i] = best;
}

__global__ void softmax(const float *in, float *out, int width)
{
    __shared__ float partial[128];
    const float *row = in + blockIdx.x * width;
    float most = -3.4e38f, sum = 0;
    for (int i = threadIdx.x; i < width; i += 128)
        most = fmaxf(most, row[i]);
    partial[threadIdx.x] = most;
    for (int d = 64; d > 0; d >>= 1) {
        __syncthreads();
        if (threadIdx.x < d)
            partial[threadIdx.x] = fmaxf(partial[threadIdx.x], partial[threadIdx.x + d]);
    }
    __syncthreads();
    most = partial[0];
    __syncthreads();
    for (int i = threadIdx.x; i < width; i += 128)
        sum += expf(row[i] - most);
    partial[threadIdx.x] = sum;
    for (int d = 64; d > 0; d >>= 1) {
        __syncthreads();
        if (threadIdx.x < d)
            partial[threadIdx.x] += partial[threadIdx.x + d];
    }
    __syncthreads();
    for (int i = threadIdx.x; i < width; i += 128)
        out[blockIdx.x * width + i] = expf(row[i] - most) / partial[0];
}

__global__ void layer_forward(const float *in, const float *weights, const float *bias, float *out, int n, int m)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (j >= m)
        return;
    float s = bias[j];
    for (int i = 0; i < n; i++)
        s += in[i] * weights[i * m + j];
    out[j] = 1 / (1 + expf(-s));
}

__global__ void fft_radix4(float2 *data, int n, int s)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, q = n / 4, k = i & (s - 1);
    float angle = -1.5707963f * k / s, w1x, w1y, w2x, w2y, w3x, w3y;
    sincosf(angle, &w1y, &w1x);
    sincosf(2 * angle, &w2y, &w2x);
    sincosf(3 * angle, &w3y, &w3x);
    float2 a = data[i], b = data[i + q], c = data[i + 2 * q], d = data[i + 3 * q];
    float2 e = make_float2(b.x * w1x - b.y * w1y, b.x * w1y + b.y * w1x), f = make_float2(c.x * w2x - c.y * w2y, c.x * w2y + c.y * w2x);
    float2 g = make_float2(d.x * w3x - d.y * w3y, d.x * w3y + d.y * w3x);
    float2 p = make_float2(a.x + f.x, a.y + f.y), r = make_float2(a.x - f.x, a.y - f.y);
    float2 t = make_float2(e.x + g.x, e.y + g.y), u = make_float2(e.y - g.y, g.x - e.x);
    int at = (i - k) * 4 + k;
    __syncthreads();
    data[at] = make_float2(p.x + t.x, p.y + t.y);
    data[at + s] = make_float2(r.x + u.x, r.y + u.y);
    data[at + 2 * s] = make_float2(p.x - t.x, p.y - t.y);
    data[at + 3 * s] = make_float2(r.x - u.x, r.y - u.y);
}

__global__ void aes_rounds(const uint4 *in, uint4 *out, const unsigned *t0, const unsigned *keys, int rounds)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    uint4 s = in[i];
    s.x ^= keys[0], s.y ^= keys[1], s.z ^= keys[2], s.w ^= keys[3];
#define ROUND(a, b, c, d) t0[a & 255] ^ __funnelshift_l(t0[b >> 8 & 255], t0[b >> 8 & 255], 8) ^ __funnelshift_l(t0[c >> 16 & 255], t0[c >> 16 & 255], 16) ^ \
    __funnelshift_l(t0[d >> 24], t0[d >> 24], 24)
    for (int r = 1; r < rounds; r++) {
        unsigned x = ROUND(s.x, s.y, s.z, s.w), y = ROUND(s.y, s.z, s.w, s.x), z = ROUND(s.z, s.w, s.x, s.y), w = ROUND(s.w, s.x, s.y, s.z);
        s = make_uint4(x ^ keys[4 * r], y ^ keys[4 * r + 1], z ^ keys[4 * r + 2], w ^ keys[4 * r + 3]);
    }
    out[i] = s;
}

__global__ void layer_norm(const float *in, float *out, const float *gamma, const float *beta, int width, float eps)
{
    float sum = 0, sum2 = 0;
    const float *row = in + blockIdx.x * width;
    for (int i = threadIdx.x; i < width; i += 32)
        sum += row[i], sum2 += row[i] * row[i];
    for (int d = 16; d > 0; d >>= 1)
        sum += __shfl_xor_sync(~0u, sum, d), sum2 += __shfl_xor_sync(~0u, sum2, d);
    float mean = sum / width, scale = rsqrtf(sum2 / width - mean * mean + eps);
    for (int i = threadIdx.x; i < width; i += 32)
        out[blockIdx.x * width + i] = (row[i] - mean) * scale * gamma[i] + beta[i];
}
