// Half precision: conversions on both sides agree for every bit pattern; arithmetic rounds once.
#include "check.h"
#include <cuda_fp16.h>
#include <vector>
__global__ void widen(const unsigned short *in, float *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = __half2float(__ushort_as_half(in[i]));
}
__global__ void compute(const float *a, const float *b, unsigned short *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    __half x = __float2half(a[i]), y = __float2half(b[i]);
    out[i] = __half_as_ushort(__hadd(x, y));
    out[n + i] = __half_as_ushort(__hmul(x, y));
    out[2 * n + i] = __half_as_ushort(__hfma(x, y, x));
    __half2 p = __halves2half2(x, y), q = __hadd2(p, p);
    out[3 * n + i] = __half_as_ushort(__high2half(q));
}
int main()
{
    std::vector<unsigned short> bits(65536);
    std::vector<float> wide(65536);
    for (int i = 0; i < 65536; i++)
        bits[i] = (unsigned short)i;
    unsigned short *db = on_device(bits.data(), 65536);
    float *dw = on_device<float>(nullptr, 65536);
    widen<<<256, 256>>>(db, dw);
    LAUNCHED();
    to_host(wide.data(), dw, 65536);
    for (int i = 0; i < 65536; i++) {
        const float host = __half2float(__ushort_as_half(bits[i]));
        CHECK(host == wide[i] || (host != host && wide[i] != wide[i]));
        if (host == host)
            CHECK(__half_as_ushort(__float2half(host)) == bits[i]);
    }
    const int n = 500;
    std::vector<float> a(n), b(n);
    for (int i = 0; i < n; i++) {
        a[i] = (float)(i - 250) * 0.37f;
        b[i] = (float)(i * i % 97) * 0.011f - 0.3f;
    }
    std::vector<unsigned short> out(4 * n);
    float *da = on_device(a.data(), n), *dd = on_device(b.data(), n);
    unsigned short *o = on_device<unsigned short>(nullptr, 4 * n);
    compute<<<4, 128>>>(da, dd, o, n);
    LAUNCHED();
    to_host(out.data(), o, 4 * n);
    for (int i = 0; i < n; i++) {
        const float x = __half2float(__float2half(a[i])), y = __half2float(__float2half(b[i]));
        CHECK(out[i] == __half_as_ushort(__float2half(x + y)));
        CHECK(out[n + i] == __half_as_ushort(__float2half(x * y)));
        CHECK(out[2 * n + i] == __half_as_ushort(__float2half((float)((double)x * y + x))));
        CHECK(out[3 * n + i] == __half_as_ushort(__float2half(y + y)));
    }
    __half counted = 7u; /* from any whole number, and counted up and down */
    const __half before = counted++;
    CHECK((float)(+before) == 7 && (float)counted == 8 && (float)--counted == 7 && (float)__half((short)-3) == -3 && (float)__half(2049ull) == 2048);
    return done();
}
