// Factorisations, tiled products and solvers, as benchmark suites have them.
#define TILE 16

__global__ void gaussian_column(const float *a, float *m, int size, int t)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < size - 1 - t)
        m[size * (i + t + 1) + t] = a[size * (i + t + 1) + t] / a[size * t + t];
}

__global__ void gaussian_rest(float *a, float *b, const float *m, int size, int t)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= size - 1 - t || y >= size - t)
        return;
    a[size * (x + 1 + t) + y + t] -= m[size * (x + 1 + t) + t] * a[size * t + y + t];
    if (y == 0)
        b[x + 1 + t] -= m[size * (x + 1 + t) + t] * b[t];
}

__global__ void lud_diagonal(float *m, int dim, int offset)
{
    __shared__ float shadow[TILE][TILE];
    int at = offset * dim + offset;
    for (int i = 0; i < TILE; i++) {
        shadow[i][threadIdx.x] = m[at + threadIdx.x];
        at += dim;
    }
    __syncthreads();
    for (int i = 0; i < TILE - 1; i++) {
        if (threadIdx.x > i) {
            for (int j = 0; j < i; j++)
                shadow[threadIdx.x][i] -= shadow[threadIdx.x][j] * shadow[j][i];
            shadow[threadIdx.x][i] /= shadow[i][i];
        }
        __syncthreads();
        if (threadIdx.x > i)
            for (int j = 0; j < i + 1; j++)
                shadow[i + 1][threadIdx.x] -= shadow[i + 1][j] * shadow[j][threadIdx.x];
        __syncthreads();
    }
    at = (offset + 1) * dim + offset;
    for (int i = 1; i < TILE; i++) {
        m[at + threadIdx.x] = shadow[i][threadIdx.x];
        at += dim;
    }
}

__global__ void lud_internal(float *m, int dim, int offset)
{
    __shared__ float row[TILE][TILE], column[TILE][TILE];
    int r = offset + (blockIdx.y + 1) * TILE, c = offset + (blockIdx.x + 1) * TILE;
    row[threadIdx.y][threadIdx.x] = m[(offset + threadIdx.y) * dim + c + threadIdx.x];
    column[threadIdx.y][threadIdx.x] = m[(r + threadIdx.y) * dim + offset + threadIdx.x];
    __syncthreads();
    float sum = 0;
    for (int i = 0; i < TILE; i++)
        sum += column[threadIdx.y][i] * row[i][threadIdx.x];
    m[(r + threadIdx.y) * dim + c + threadIdx.x] -= sum;
}

__global__ void product_tiled32(float *c, const float *a, const float *b, int wa, int wb)
{
    __shared__ float as[32][32], bs[32][32];
    float sum = 0;
    int begin = wa * 32 * blockIdx.y, end = begin + wa - 1;
    for (int i = begin, j = 32 * blockIdx.x; i <= end; i += 32, j += 32 * wb) {
        as[threadIdx.y][threadIdx.x] = a[i + wa * threadIdx.y + threadIdx.x];
        bs[threadIdx.y][threadIdx.x] = b[j + wb * threadIdx.y + threadIdx.x];
        __syncthreads();
#pragma unroll
        for (int k = 0; k < 32; k++)
            sum += as[threadIdx.y][k] * bs[k][threadIdx.x];
        __syncthreads();
    }
    c[wb * 32 * blockIdx.y + 32 * blockIdx.x + wb * threadIdx.y + threadIdx.x] = sum;
}

__global__ void product_blocked(const float *a, const float *b, float *c, int n)
{
    __shared__ float as[8][64], bs[8][64];
    float sum[4][4] = {};
    int tx = threadIdx.x % 16, ty = threadIdx.x / 16;
    a += blockIdx.y * 64 * n;
    b += blockIdx.x * 64;
    for (int k0 = 0; k0 < n; k0 += 8) {
        for (int l = threadIdx.x; l < 512; l += 256) {
            as[l % 8][l / 8] = a[l / 8 * n + k0 + l % 8];
            bs[l / 64][l % 64] = b[(k0 + l / 64) * n + l % 64];
        }
        __syncthreads();
        for (int k = 0; k < 8; k++)
            for (int i = 0; i < 4; i++)
                for (int j = 0; j < 4; j++)
                    sum[i][j] += as[k][ty * 4 + i] * bs[k][tx * 4 + j];
        __syncthreads();
    }
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            c[(blockIdx.y * 64 + ty * 4 + i) * n + blockIdx.x * 64 + tx * 4 + j] = sum[i][j];
}

__global__ void csr_vector(int rows, const int *starts, const int *columns, const double *values, const double *x, double *y)
{
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (row >= rows)
        return;
    double sum = 0;
    for (int k = starts[row] + lane; k < starts[row + 1]; k += 32)
        sum += values[k] * x[columns[k]];
    for (int d = 16; d > 0; d /= 2)
        sum += __shfl_down_sync(~0u, sum, d);
    if (lane == 0)
        y[row] = sum;
}

__global__ void ell(int rows, int width, const int *columns, const float *values, const float *x, float *y)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < rows) {
        float sum = 0;
        for (int k = 0; k < width; k++) {
            int column = columns[k * rows + row];
            float value = values[k * rows + row];
            if (value != 0)
                sum += value * x[column];
        }
        y[row] = sum;
    }
}

__global__ void tridiagonal_reduction(const float *a, const float *b, const float *c, const float *d, float *x, int size, int iterations)
{
    __shared__ float sa[256], sb[256], sc[256], sd[256], sx[256];
    int t = threadIdx.x, stride = 1;
    sa[t] = a[t + blockIdx.x * size], sb[t] = b[t + blockIdx.x * size];
    sc[t] = c[t + blockIdx.x * size], sd[t] = d[t + blockIdx.x * size];
    __syncthreads();
    for (int j = 0; j < iterations; j++) {
        int left = t - stride < 0 ? 0 : t - stride, right = t + stride >= size ? size - 1 : t + stride;
        float f = sa[t] / sb[left], g = sc[t] / sb[right];
        float nb = sb[t] - sc[left] * f - sa[right] * g, nd = sd[t] - sd[left] * f - sd[right] * g;
        float na = -sa[left] * f, nc = -sc[right] * g;
        __syncthreads();
        sb[t] = nb, sd[t] = nd, sa[t] = na, sc[t] = nc;
        stride *= 2;
        __syncthreads();
    }
    sx[t] = sd[t] / sb[t];
    x[t + blockIdx.x * size] = sx[t];
}

__global__ void cholesky_step(double *a, int n, int k)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i == k)
        a[k * n + k] = sqrt(a[k * n + k]);
    else if (i > k && i < n)
        a[i * n + k] /= sqrt(a[k * n + k]);
}
