// A kernel with very many live values runs with the largest block all the same, as if compiled for it.
#include "check.h"
#include <vector>
__global__ void many(const int *in, int *out)
{
    int v[48];
    for (int i = 0; i < 48; i++)
        v[i] = in[(threadIdx.x * 48 + i) % 4096];
    __syncthreads();
#pragma unroll
    for (int k = 1; k < 48; k++) {
#pragma unroll
        for (int i = 0; i < 48; i++)
            v[i] = v[i] * 3 + v[(i + k) % 48];
    }
    int s = 0;
    for (int i = 0; i < 48; i++)
        s ^= v[i];
    out[threadIdx.x] = s;
}
int main()
{
    std::vector<int> in(4096), out(1024);
    for (int i = 0; i < 4096; i++)
        in[i] = i * 7919 % 1009;
    int *din = on_device(in.data(), 4096), *dout = on_device<int>(nullptr, 1024);
    many<<<1, 1024>>>(din, dout);
    LAUNCHED();
    to_host(out.data(), dout, 1024);
    for (int t = 0; t < 1024; t += 101) {
        int v[48], s = 0;
        for (int i = 0; i < 48; i++)
            v[i] = in[(t * 48 + i) % 4096];
        for (int k = 1; k < 48; k++)
            for (int i = 0; i < 48; i++)
                v[i] = (int)((unsigned)v[i] * 3u + (unsigned)v[(i + k) % 48]);
        for (int i = 0; i < 48; i++)
            s ^= v[i];
        CHECK(out[t] == s);
    }
    cudaFuncAttributes a;
    CALL(cudaFuncGetAttributes(&a, many));
    CHECK(a.maxThreadsPerBlock == 1024);
    return done();
}
