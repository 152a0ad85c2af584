// Constant and global variables, initialised and not, reached by name from the host.
#include "check.h"
__constant__ float weights[8];
__constant__ int preset[3] = { 10, 20, 30 };
__device__ int counter = 5;
__device__ double table[4][2] = { { 1.5, 2.5 }, { 3.5, 4.5 } };
__device__ int *cell = &counter;
__global__ void use(float *out)
{
    float s = 0;
    for (int i = 0; i < 8; i++)
        s += weights[i];
    out[threadIdx.x] = s + (float)preset[threadIdx.x % 3] + (float)table[1][threadIdx.x % 2];
    if (threadIdx.x == 0)
        *cell += 2;
}
int main()
{
    float w[8], out[4], *d = on_device<float>(nullptr, 4);
    for (int i = 0; i < 8; i++)
        w[i] = (float)i;
    CALL(cudaMemcpyToSymbol(weights, w, sizeof w));
    float last = 100;
    CALL(cudaMemcpyToSymbol(weights, &last, sizeof last, 7 * sizeof(float)));
    use<<<1, 4>>>(d);
    LAUNCHED();
    to_host(out, d, 4);
    for (int i = 0; i < 4; i++)
        CHECK(out[i] == 121.0f + (i % 3 + 1) * 10 + (i % 2 ? 4.5f : 3.5f));
    int c;
    CALL(cudaMemcpyFromSymbol(&c, counter, sizeof c));
    CHECK(c == 7);
    void *address;
    size_t bytes;
    CALL(cudaGetSymbolAddress(&address, counter));
    CALL(cudaGetSymbolSize(&bytes, table));
    CHECK(bytes == sizeof(double) * 8);
    c = 40;
    CALL(cudaMemcpy(address, &c, sizeof c, cudaMemcpyHostToDevice));
    use<<<1, 4>>>(d);
    LAUNCHED();
    CALL(cudaMemcpyFromSymbol(&c, counter, sizeof c));
    CHECK(c == 42);
    CHECK(cudaMemcpyToSymbol(preset, w, 100) == cudaErrorInvalidValue);
    CHECK(cudaGetLastError() == cudaErrorInvalidValue && cudaGetLastError() == cudaSuccess);
    return done();
}
