// Prefix sums: many barriers, barrier reductions (__syncthreads_count, _and, _or).
#include "check.h"
__global__ void scan(const int *in, int *out, int *facts)
{
    __shared__ int a[2][256];
    int t = threadIdx.x, from = 0;
    a[0][t] = in[t];
    __syncthreads();
    for (int by = 1; by < 256; by *= 2) {
        a[1 - from][t] = a[from][t] + (t >= by ? a[from][t - by] : 0);
        from = 1 - from;
        __syncthreads();
    }
    out[t] = a[from][t];
    int odd = __syncthreads_count(in[t] & 1), all = __syncthreads_and(in[t] >= 0), any = __syncthreads_or(in[t] > 1000);
    if (t == 0) {
        facts[0] = odd;
        facts[1] = all;
        facts[2] = any;
    }
}
int main()
{
    int in[256], out[256], facts[3], odd = 0;
    for (int i = 0; i < 256; i++) {
        in[i] = i * 7 % 13;
        odd += in[i] & 1;
    }
    int *din = on_device(in, 256), *dout = on_device<int>(nullptr, 256), *df = on_device<int>(nullptr, 3);
    scan<<<1, 256>>>(din, dout, df);
    LAUNCHED();
    to_host(out, dout, 256);
    to_host(facts, df, 3);
    for (int i = 0, s = 0; i < 256; i++)
        CHECK(out[i] == (s += in[i]));
    CHECK(facts[0] == odd && facts[1] != 0 && facts[2] == 0);
    return done();
}
