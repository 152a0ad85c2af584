// Filters, transforms and ray marching over pictures.
__device__ int clamp_to(int v, int low, int high) { return v < low ? low : v > high ? high : v; }

__global__ void sobel(const unsigned char *in, unsigned char *out, int w, int h)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 1 || y < 1 || x >= w - 1 || y >= h - 1)
        return;
    const unsigned char *p = in + y * w + x;
    int gx = p[-w + 1] + 2 * p[1] + p[w + 1] - p[-w - 1] - 2 * p[-1] - p[w - 1];
    int gy = p[-w - 1] + 2 * p[-w] + p[-w + 1] - p[w - 1] - 2 * p[w] - p[w + 1];
    out[y * w + x] = clamp_to(abs(gx) + abs(gy), 0, 255);
}

__global__ void median3(const float *in, float *out, int w, int h)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    float v[9];
    for (int j = 0; j < 3; j++)
        for (int i = 0; i < 3; i++)
            v[j * 3 + i] = in[clamp_to(y + j - 1, 0, h - 1) * w + clamp_to(x + i - 1, 0, w - 1)];
    for (int i = 0; i < 5; i++)
        for (int j = i + 1; j < 9; j++) {
            float small = fminf(v[i], v[j]);
            v[j] = fmaxf(v[i], v[j]);
            v[i] = small;
        }
    out[y * w + x] = v[4];
}

__global__ void bilateral(const float4 *in, float4 *out, int w, int h, float e_d, int r)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h)
        return;
    float sum = 0;
    float4 t = make_float4(0, 0, 0, 0), center = in[y * w + x];
    for (int i = -r; i <= r; i++)
        for (int j = -r; j <= r; j++) {
            float4 p = in[clamp_to(y + i, 0, h - 1) * w + clamp_to(x + j, 0, w - 1)];
            float dx = p.x - center.x, dy = p.y - center.y, dz = p.z - center.z;
            float f = expf(-(float)(i * i + j * j) / 8.0f) * __expf(-(dx * dx + dy * dy + dz * dz) / (2 * e_d * e_d));
            sum += f;
            t.x += f * p.x, t.y += f * p.y, t.z += f * p.z, t.w += f * p.w;
        }
    out[y * w + x] = make_float4(t.x / sum, t.y / sum, t.z / sum, t.w / sum);
}

__global__ void box_rows(const float *in, float *out, int w, int h, int r)
{
    int y = blockIdx.x * blockDim.x + threadIdx.x;
    if (y >= h)
        return;
    const float *p = in + y * w;
    float scale = 1.0f / (2 * r + 1), t = p[0] * r;
    for (int x = 0; x < r + 1; x++)
        t += p[x];
    out[y * w] = t * scale;
    for (int x = r + 1; x < w - r; x++) {
        t += p[x + r] - p[x - r - 1];
        out[y * w + x] = t * scale;
    }
}

__global__ void recursive_gaussian(const float *in, float *out, int w, int h, float a0, float a1, float b1, float b2)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    if (x >= w)
        return;
    float xp = in[x], yb = 0, yp = 0;
    for (int y = 0; y < h; y++) {
        float xc = in[y * w + x], yc = a0 * xc + a1 * xp - b1 * yp - b2 * yb;
        out[y * w + x] = yc;
        xp = xc, yb = yp, yp = yc;
    }
}

__global__ void dct8(const float *in, float *out, int stride)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    float v[8], s[8];
    for (int i = 0; i < 8; i++)
        v[i] = in[i * stride + x];
    for (int i = 0; i < 4; i++)
        s[i] = v[i] + v[7 - i], s[7 - i] = v[i] - v[7 - i];
    float a = s[0] + s[3], b = s[1] + s[2], c = s[0] - s[3], d = s[1] - s[2];
    out[x] = 0.35355339f * (a + b);
    out[4 * stride + x] = 0.35355339f * (a - b);
    out[2 * stride + x] = 0.46193977f * c + 0.19134172f * d;
    out[6 * stride + x] = 0.19134172f * c - 0.46193977f * d;
    out[stride + x] = 0.49039264f * s[7] + 0.41573481f * s[6] + 0.27778512f * s[5] + 0.09754516f * s[4];
    out[3 * stride + x] = 0.41573481f * s[7] - 0.09754516f * s[6] - 0.49039264f * s[5] - 0.27778512f * s[4];
    out[5 * stride + x] = 0.27778512f * s[7] - 0.49039264f * s[6] + 0.09754516f * s[5] + 0.41573481f * s[4];
    out[7 * stride + x] = 0.09754516f * s[7] - 0.27778512f * s[6] + 0.41573481f * s[5] - 0.49039264f * s[4];
}

__global__ void ray_march(const float *volume, int n, float *image, int w, int h, float density, float brightness)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h)
        return;
    float u = x / (float)w * 2 - 1, v = y / (float)h * 2 - 1;
    float length = rsqrtf(u * u + v * v + 4), dx = u * length, dy = v * length, dz = -2 * length;
    float sum = 0, alpha = 0, t = 1;
    for (int i = 0; i < 500; i++) {
        float px = u + dx * t, py = v + dy * t, pz = 4 + dz * t;
        int ix = (px * 0.5f + 0.5f) * n, iy = (py * 0.5f + 0.5f) * n, iz = (pz * 0.5f + 0.5f) * n;
        if (ix >= 0 && iy >= 0 && iz >= 0 && ix < n && iy < n && iz < n) {
            float sample = volume[(iz * n + iy) * n + ix] * density;
            sum += sample * (1 - alpha);
            alpha += sample * (1 - alpha);
            if (alpha > 0.95f)
                break;
        }
        t += 0.01f;
    }
    image[y * w + x] = sum * brightness;
}

__global__ void ycc(const uchar4 *in, float *y, float *cb, float *cr, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        uchar4 p = in[i];
        y[i] = 0.299f * p.x + 0.587f * p.y + 0.114f * p.z;
        cb[i] = 128 - 0.168736f * p.x - 0.331264f * p.y + 0.5f * p.z;
        cr[i] = 128 + 0.5f * p.x - 0.418688f * p.y - 0.081312f * p.z;
    }
}

__global__ void wavelet_rows(const float *in, float *out, int w)
{
    extern __shared__ float line[];
    for (int i = threadIdx.x; i < w; i += blockDim.x)
        line[i] = in[blockIdx.x * w + i];
    __syncthreads();
    for (int i = threadIdx.x; i < w / 2; i += blockDim.x) {
        float a = line[2 * i], b = line[2 * i + 1];
        out[blockIdx.x * w + i] = (a + b) * 0.70710678f;
        out[blockIdx.x * w + w / 2 + i] = (a - b) * 0.70710678f;
    }
}

__global__ void bilinear_resize(const float *in, int w, int h, float *out, int ow, int oh)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= ow || y >= oh)
        return;
    float fx = (x + 0.5f) * w / ow - 0.5f, fy = (y + 0.5f) * h / oh - 0.5f;
    int x0 = floorf(fx), y0 = floorf(fy);
    float ax = fx - x0, ay = fy - y0;
    int x1 = min(x0 + 1, w - 1), y1 = min(y0 + 1, h - 1);
    x0 = max(x0, 0), y0 = max(y0, 0);
    out[y * ow + x] = (1 - ay) * ((1 - ax) * in[y0 * w + x0] + ax * in[y0 * w + x1]) + ay * ((1 - ax) * in[y1 * w + x0] + ax * in[y1 * w + x1]);
}
