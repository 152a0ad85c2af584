// Dense loops in the manner of the PolyBench kernels: one thread per element of the result, sizes as arguments or constants.
#define N 1024

__global__ void gemm(int ni, int nj, int nk, float alpha, float beta, const float *a, const float *b, float *c)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < ni && j < nj) {
        c[i * nj + j] *= beta;
        for (int k = 0; k < nk; k++)
            c[i * nj + j] += alpha * a[i * nk + k] * b[k * nj + j];
    }
}

__global__ void gemm_constant(float alpha, float beta, const float *a, const float *b, float *c)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < N && j < N) {
        float sum = beta * c[i * N + j];
        for (int k = 0; k < N; k++)
            sum += alpha * a[i * N + k] * b[k * N + j];
        c[i * N + j] = sum;
    }
}

__global__ void bicg_rows(int nx, int ny, const float *a, const float *p, float *q)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < nx) {
        q[i] = 0;
        for (int j = 0; j < ny; j++)
            q[i] += a[i * ny + j] * p[j];
    }
}

__global__ void bicg_columns(int nx, int ny, const float *a, const float *r, float *s)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (j < ny) {
        float sum = 0;
        for (int i = 0; i < nx; i++)
            sum += a[i * ny + j] * r[i];
        s[j] = sum;
    }
}

__global__ void mean_of_columns(int m, int n, float *mean, const float *data, float float_n)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (j < m) {
        mean[j] = 0;
        for (int i = 0; i < n; i++)
            mean[j] += data[i * m + j];
        mean[j] /= float_n;
    }
}

__global__ void deviation(int m, int n, const float *mean, float *stddev, const float *data, float float_n, float eps)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (j < m) {
        float s = 0;
        for (int i = 0; i < n; i++) {
            float d = data[i * m + j] - mean[j];
            s += d * d;
        }
        s = sqrtf(s / float_n);
        stddev[j] = s <= eps ? 1.0f : s;
    }
}

__global__ void correlation(int m, int n, float *symmat, const float *data)
{
    int j1 = blockIdx.x * blockDim.x + threadIdx.x;
    if (j1 < m - 1) {
        symmat[j1 * m + j1] = 1;
        for (int j2 = j1 + 1; j2 < m; j2++) {
            float s = 0;
            for (int i = 0; i < n; i++)
                s += data[i * m + j1] * data[i * m + j2];
            symmat[j1 * m + j2] = symmat[j2 * m + j1] = s;
        }
    }
}

__global__ void fdtd_ey(int nx, int ny, const float *fict, float *ey, const float *hz, int t)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < nx && j < ny)
        ey[i * ny + j] = i == 0 ? fict[t] : ey[i * ny + j] - 0.5f * (hz[i * ny + j] - hz[(i - 1) * ny + j]);
}

__global__ void fdtd_hz(int nx, int ny, const float *ex, const float *ey, float *hz)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < nx - 1 && j < ny - 1)
        hz[i * ny + j] -= 0.7f * (ex[i * ny + j + 1] - ex[i * ny + j] + ey[(i + 1) * ny + j] - ey[i * ny + j]);
}

__global__ void conv3d(int ni, int nj, int nk, const float *a, float *b)
{
    int k = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
    if (j > 0 && j < nj - 1 && k > 0 && k < nk - 1)
        for (int i = 1; i < ni - 1; i++) {
            const float *p = a + (i * nj + j) * nk + k;
            b[(i * nj + j) * nk + k] = 2 * p[-nj * nk - nk - 1] + 4 * p[nj * nk - nk - 1] + 5 * p[-nj * nk + nk + 1] - 8 * p[nk + 1] +
                                       7 * p[nj * nk + nk + 1] - 3 * p[0] + p[-1] + 6 * p[1] - 9 * p[-nk] + 10 * p[nk];
        }
}

__global__ void jacobi2d(int n, const double *a, double *b)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i > 0 && i < n - 1 && j > 0 && j < n - 1)
        b[i * n + j] = 0.2 * (a[i * n + j] + a[i * n + j - 1] + a[i * n + j + 1] + a[(i + 1) * n + j] + a[(i - 1) * n + j]);
}

__global__ void syr2k(int n, int m, double alpha, double beta, const double *a, const double *b, double *c)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < n && j < n) {
        c[i * n + j] *= beta;
        for (int k = 0; k < m; k++)
            c[i * n + j] += alpha * a[i * m + k] * b[j * m + k] + alpha * b[i * m + k] * a[j * m + k];
    }
}

__global__ void doitgen(int np, int nr, int nq, const double *a, const double *c4, double *sum, int r)
{
    int p = blockIdx.x * blockDim.x + threadIdx.x, q = blockIdx.y * blockDim.y + threadIdx.y;
    if (p < np && q < nq) {
        double s = 0;
        for (int k = 0; k < np; k++)
            s += a[(r * nq + q) * np + k] * c4[k * np + p];
        sum[(r * nq + q) * np + p] = s;
    }
}
