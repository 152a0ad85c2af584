// Tiled matrix product with two-dimensional blocks and shared memory.
#include "check.h"
#include <vector>
const int T = 16;
__global__ void multiply(const float *a, const float *b, float *c, int n)
{
    __shared__ float ta[T][T + 1], tb[T][T];
    int row = blockIdx.y * T + threadIdx.y, col = blockIdx.x * T + threadIdx.x;
    float s = 0;
    for (int k = 0; k < n; k += T) {
        ta[threadIdx.y][threadIdx.x] = row < n && k + threadIdx.x < n ? a[row * n + k + threadIdx.x] : 0;
        tb[threadIdx.y][threadIdx.x] = col < n && k + threadIdx.y < n ? b[(k + threadIdx.y) * n + col] : 0;
        __syncthreads();
        for (int j = 0; j < T; j++)
            s += ta[threadIdx.y][j] * tb[j][threadIdx.x];
        __syncthreads();
    }
    if (row < n && col < n)
        c[row * n + col] = s;
}
int main()
{
    const int n = 50;
    std::vector<float> a(n * n), b(n * n), c(n * n);
    for (int i = 0; i < n * n; i++) {
        a[i] = (float)(i % 7 - 3);
        b[i] = (float)(i % 11 - 5);
    }
    float *da = on_device(a.data(), n * n), *db = on_device(b.data(), n * n), *dc = on_device<float>(nullptr, n * n);
    dim3 block(T, T), grid((n + T - 1) / T, (n + T - 1) / T);
    multiply<<<grid, block>>>(da, db, dc, n);
    LAUNCHED();
    to_host(c.data(), dc, n * n);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            float s = 0;
            for (int k = 0; k < n; k++)
                s += a[i * n + k] * b[k * n + j];
            CHECK(s == c[i * n + j]); // whole numbers: exact
        }
    return done();
}
