// Shapes that the other files lack: double precision, narrow integers, local arrays, switches, templates, structures.
#include <cuda_fp16.h>

template <int N> __global__ void reduce_columns(const double *in, double *out, int rows)
{
    double sum[N] = {};
    int c = blockIdx.x * blockDim.x + threadIdx.x;
    for (int r = 0; r < rows; r++)
        for (int k = 0; k < N; k++)
            sum[k] += in[(r * N + k) * gridDim.x * blockDim.x + c];
    for (int k = 0; k < N; k++)
        out[k * gridDim.x * blockDim.x + c] = sum[k];
}
template __global__ void reduce_columns<1>(const double *, double *, int);
template __global__ void reduce_columns<4>(const double *, double *, int);
template __global__ void reduce_columns<8>(const double *, double *, int);

template <class T, int R> __global__ void stencil_line(const T *in, T *out, int n)
{
    __shared__ T tile[256 + 2 * R];
    int i = blockIdx.x * 256 + threadIdx.x, t = threadIdx.x + R;
    tile[t] = in[i];
    if (threadIdx.x < R) {
        tile[t - R] = i >= R ? in[i - R] : T(0);
        tile[t + 256] = i + 256 < n ? in[i + 256] : T(0);
    }
    __syncthreads();
    T sum = 0;
    for (int k = -R; k <= R; k++)
        sum += tile[t + k];
    out[i] = sum / (2 * R + 1);
}
template __global__ void stencil_line<float, 2>(const float *, float *, int);
template __global__ void stencil_line<double, 3>(const double *, double *, int);
template __global__ void stencil_line<int, 7>(const int *, int *, int);

__global__ void dot_bytes(const char4 *a, const char4 *b, int *out, int n)
{
    int sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        sum += a[i].x * b[i].x + a[i].y * b[i].y + a[i].z * b[i].z + a[i].w * b[i].w;
    atomicAdd(out, sum);
}

__global__ void interpreter(const int *program, int length, float *data, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float x = data[i], y = 0, z = 1;
    for (int pc = 0; pc < length; pc++)
        switch (program[pc]) {
        case 0: x += y; break;
        case 1: x *= y; break;
        case 2: y = x - z; break;
        case 3: z = fmaxf(x, y); break;
        case 4: y = __sinf(x); break;
        case 5: x = z; break;
        default: z += 1;
        }
    data[i] = x + y + z;
}

__global__ void small_sort(const int *in, int *out)
{
    int v[6], i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = 0; k < 6; k++)
        v[k] = in[i * 6 + k];
    for (int a = 0; a < 6; a++)
        for (int b = 0; b < 5 - a; b++)
            if (v[b] > v[b + 1]) {
                int t = v[b];
                v[b] = v[b + 1], v[b + 1] = t;
            }
    for (int k = 0; k < 6; k++)
        out[i * 6 + k] = v[k];
}

struct body { float x, y, z, vx, vy, vz, mass, charge; };

__global__ void advance(body *b, int n, float dt, float ex, float ey, float ez)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    body p = b[i];
    float f = p.charge / p.mass * dt;
    p.vx += ex * f, p.vy += ey * f, p.vz += ez * f;
    p.x += p.vx * dt, p.y += p.vy * dt, p.z += p.vz * dt;
    b[i] = p;
}

__global__ void invert3(const double *m, double *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double a[9];
    for (int k = 0; k < 9; k++)
        a[k] = m[k * n + i];
    double c0 = a[4] * a[8] - a[5] * a[7], c1 = a[5] * a[6] - a[3] * a[8], c2 = a[3] * a[7] - a[4] * a[6];
    double d = 1 / (a[0] * c0 + a[1] * c1 + a[2] * c2);
    out[i] = c0 * d, out[3 * n + i] = c1 * d, out[6 * n + i] = c2 * d;
    out[n + i] = (a[2] * a[7] - a[1] * a[8]) * d, out[4 * n + i] = (a[0] * a[8] - a[2] * a[6]) * d;
    out[7 * n + i] = (a[1] * a[6] - a[0] * a[7]) * d, out[2 * n + i] = (a[1] * a[5] - a[2] * a[4]) * d;
    out[5 * n + i] = (a[2] * a[3] - a[0] * a[5]) * d, out[8 * n + i] = (a[0] * a[4] - a[1] * a[3]) * d;
}

__global__ void julia(unsigned char *out, int w, int h, double cx, double cy, int limit)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, n = 0;
    double zx = 3.0 * x / w - 1.5, zy = 3.0 * y / h - 1.5;
    while (zx * zx + zy * zy < 4 && n < limit) {
        double t = zx * zx - zy * zy + cx;
        zy = 2 * zx * zy + cy, zx = t, n++;
    }
    out[y * w + x] = n;
}

__global__ void half_axpy(const __half2 *x, __half2 *y, float a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float2 u = __half22float2(x[i]), v = __half22float2(y[i]);
        y[i] = __floats2half2_rn(a * u.x + v.x, a * u.y + v.y);
    }
}

__global__ void edit_distance(const char *a, int n, const char *b, int m, int *row)
{
    __shared__ int previous[257], current[257];
    int t = threadIdx.x;
    previous[t] = t;
    for (int i = 1; i <= n; i++) {
        __syncthreads();
        if (t == 0)
            current[0] = i;
        else if (t <= m)
            current[t] = min(min(previous[t] + 1, previous[t - 1] + (a[i - 1] != b[t - 1])), 1 << 20);
        __syncthreads();
        previous[t] = current[t];
    }
    row[t] = previous[t];
}

__global__ void compact(const float *in, float *out, int *count, float threshold, int n)
{
    __shared__ int base;
    __shared__ int offsets[8];
    int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    float v = i < n ? in[i] : 0;
    bool keep = i < n && v > threshold;
    unsigned votes = __ballot_sync(~0u, keep);
    if (lane == 0)
        offsets[warp] = __popc(votes);
    __syncthreads();
    if (threadIdx.x == 0) {
        int total = 0;
        for (int w = 0; w < 8; w++) {
            int t = offsets[w];
            offsets[w] = total, total += t;
        }
        base = atomicAdd(count, total);
    }
    __syncthreads();
    if (keep)
        out[base + offsets[warp] + __popc(votes & ((1u << lane) - 1))] = v;
}

__global__ void transpose_rows(const float *in, float *out, int w, int h)
{
    __shared__ float tile[32][33];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    for (int k = 0; k < 32; k += 8)
        if (x < w && y + k < h)
            tile[threadIdx.y + k][threadIdx.x] = in[(y + k) * w + x];
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x, y = blockIdx.x * 32 + threadIdx.y;
    for (int k = 0; k < 32; k += 8)
        if (x < h && y + k < w)
            out[(y + k) * h + x] = tile[threadIdx.x][threadIdx.y + k];
}

template <int R> __global__ void convolve2d(const float *in, float *out, const float *weights, int w, int h)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    float sum = 0;
    for (int j = -R; j <= R; j++)
        for (int i = -R; i <= R; i++) {
            int u = min(max(x + i, 0), w - 1), v = min(max(y + j, 0), h - 1);
            sum += in[v * w + u] * weights[(j + R) * (2 * R + 1) + i + R];
        }
    out[y * w + x] = sum;
}
template __global__ void convolve2d<1>(const float *, float *, const float *, int, int);
template __global__ void convolve2d<2>(const float *, float *, const float *, int, int);

__global__ void xorshift_walk(unsigned long long *state, unsigned *hits, int steps)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned long long s = state[i];
    unsigned n = 0;
    for (int k = 0; k < steps; k++) {
        s ^= s >> 12, s ^= s << 25, s ^= s >> 27;
        float x = (unsigned)(s * 2685821657736338717ull >> 40) * 5.9604645e-8f, y = (unsigned)(s >> 40) * 5.9604645e-8f;
        n += x * x + y * y < 1;
    }
    state[i] = s;
    hits[i] = n;
}

__global__ void batch_norm(const float *in, float *out, const float *mean, const float *variance, const float *gamma, const float *beta, int c,
                           int size)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, channel = i / size % c;
    out[i] = (in[i] - mean[channel]) / sqrtf(variance[channel] + 1e-5f) * gamma[channel] + beta[channel];
}

__global__ void max_pool(const float *in, float *out, int w, int h, int k, int stride)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    float most = -3.4e38f;
    for (int j = 0; j < k; j++)
        for (int i = 0; i < k; i++)
            if (y * stride + j < h && x * stride + i < w)
                most = fmaxf(most, in[(y * stride + j) * w + x * stride + i]);
    out[y * gridDim.x * blockDim.x + x] = most;
}

__global__ void tree_search(const float *keys, const int *left, const int *right, const float *queries, int *found, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float q = queries[i];
    int at = 0, last = -1;
    while (at >= 0) {
        last = at;
        float key = keys[at];
        if (key == q)
            break;
        at = q < key ? left[at] : right[at];
    }
    found[i] = last;
}

__global__ void polynomial(const double *x, double *y, const double *c, int degree, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        double v = x[i], s = c[degree];
        for (int k = degree - 1; k >= 0; k--)
            s = s * v + c[k];
        y[i] = s;
    }
}
