// Texture objects over linear memory and arrays: fetch, point and linear filters, address modes, types; surfaces.
#include "check.h"
__global__ void fetch(cudaTextureObject_t t, float *out) { out[threadIdx.x] = tex1Dfetch<float>(t, threadIdx.x); }
__global__ void sample(cudaTextureObject_t t, float *out, float step, float shift)
{
    out[threadIdx.y * blockDim.x + threadIdx.x] = tex2D<float>(t, threadIdx.x * step + shift, threadIdx.y * step + shift);
}
__global__ void colours(cudaTextureObject_t t, uchar4 *out) { out[threadIdx.x] = tex2D<uchar4>(t, threadIdx.x + 0.5f, 0.5f); }
__global__ void paint(cudaSurfaceObject_t s)
{
    float v;
    surf2Dread(&v, s, threadIdx.x * 4, threadIdx.y);
    surf2Dwrite(v * 2 + 1, s, threadIdx.x * 4, threadIdx.y);
}
static cudaTextureObject_t over_array(cudaArray_t a, cudaTextureFilterMode filter, cudaTextureAddressMode address, int normalised)
{
    cudaResourceDesc r;
    memset(&r, 0, sizeof r);
    r.resType = cudaResourceTypeArray;
    r.res.array.array = a;
    cudaTextureDesc t;
    memset(&t, 0, sizeof t);
    t.addressMode[0] = t.addressMode[1] = address;
    t.filterMode = filter;
    t.normalizedCoords = normalised;
    cudaTextureObject_t object;
    CALL(cudaCreateTextureObject(&object, &r, &t, nullptr));
    return object;
}
int main()
{
    float h[64], out[64];
    for (int i = 0; i < 64; i++)
        h[i] = (float)(i * i);
    float *d = on_device(h, 64), *o = on_device<float>(nullptr, 64);
    cudaResourceDesc r;
    memset(&r, 0, sizeof r);
    r.resType = cudaResourceTypeLinear;
    r.res.linear.devPtr = d;
    r.res.linear.desc = cudaCreateChannelDesc<float>();
    r.res.linear.sizeInBytes = sizeof h;
    cudaTextureDesc td;
    memset(&td, 0, sizeof td);
    cudaTextureObject_t linear;
    CALL(cudaCreateTextureObject(&linear, &r, &td, nullptr));
    fetch<<<1, 64>>>(linear, o);
    LAUNCHED();
    to_host(out, o, 64);
    for (int i = 0; i < 64; i++)
        CHECK(out[i] == h[i]);

    cudaChannelFormatDesc desc = cudaCreateChannelDesc<float>();
    cudaArray_t a;
    CALL(cudaMallocArray(&a, &desc, 8, 8, cudaArraySurfaceLoadStore));
    CALL(cudaMemcpy2DToArray(a, 0, 0, h, 8 * 4, 8 * 4, 8, cudaMemcpyHostToDevice));
    sample<<<1, dim3(8, 8)>>>(over_array(a, cudaFilterModePoint, cudaAddressModeClamp, 0), o, 1.0f, 0.5f);
    LAUNCHED();
    to_host(out, o, 64);
    for (int i = 0; i < 64; i++)
        CHECK(out[i] == h[i]);
    sample<<<1, dim3(8, 8)>>>(over_array(a, cudaFilterModeLinear, cudaAddressModeClamp, 0), o, 1.0f, 1.0f); // between four texels
    LAUNCHED();
    to_host(out, o, 64);
    for (int y = 0; y < 7; y++)
        for (int x = 0; x < 7; x++) {
            const float *p = h + y * 8 + x;
            CHECK(fabsf(out[y * 8 + x] - (p[0] + p[1] + p[8] + p[9]) / 4) < 0.01f);
        }
    sample<<<1, dim3(8, 8)>>>(over_array(a, cudaFilterModePoint, cudaAddressModeWrap, 1), o, 0.25f, 0.0625f); // every second, twice over
    LAUNCHED();
    to_host(out, o, 64);
    for (int y = 0; y < 8; y++)
        for (int x = 0; x < 8; x++)
            CHECK(out[y * 8 + x] == h[(2 * y % 8) * 8 + 2 * x % 8]);

    uchar4 c[4] = { { 1, 2, 3, 4 }, { 50, 60, 70, 80 }, { 255, 0, 255, 0 }, { 9, 8, 7, 6 } }, cout[4], *dc = on_device<uchar4>(nullptr, 4);
    cudaChannelFormatDesc cd = cudaCreateChannelDesc<uchar4>();
    cudaArray_t ca;
    CALL(cudaMallocArray(&ca, &cd, 4, 1));
    CALL(cudaMemcpy2DToArray(ca, 0, 0, c, sizeof c, sizeof c, 1, cudaMemcpyHostToDevice));
    colours<<<1, 4>>>(over_array(ca, cudaFilterModePoint, cudaAddressModeClamp, 0), dc);
    LAUNCHED();
    to_host(cout, dc, 4);
    CHECK(memcmp(c, cout, sizeof c) == 0);

    memset(&r, 0, sizeof r);
    r.resType = cudaResourceTypeArray;
    r.res.array.array = a;
    cudaSurfaceObject_t s;
    CALL(cudaCreateSurfaceObject(&s, &r));
    paint<<<1, dim3(8, 8)>>>(s);
    LAUNCHED();
    CALL(cudaMemcpy2DFromArray(out, 32, a, 0, 0, 32, 8, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 64; i++)
        CHECK(out[i] == h[i] * 2 + 1);
    CALL(cudaDestroySurfaceObject(s));
    CALL(cudaDestroyTextureObject(linear));
    CALL(cudaFreeArray(a));
    return done();
}
