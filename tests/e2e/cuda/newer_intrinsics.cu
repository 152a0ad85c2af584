// Intrinsics that clang's headers lack or only declare: reductions over a warp, dot products, extremes of three, named barriers, address
// spaces, remquo and nan, gathers and cube maps of textures, halves that saturate.
// nvcc-arch: 80
#include "check.h"
#include <cuda_fp16.h>

enum { RESULTS = 27 };

__device__ int counted;

__global__ void numbers(double *out)
{
    __shared__ int shared;
    const int i = (int)threadIdx.x;
    shared = 5;
    double r[RESULTS];
    int n = 0, quotient;
    r[n++] = __reduce_add_sync(0xffffffffu, i);
    r[n++] = __reduce_max_sync(0xffffffffu, (unsigned)i);
    r[n++] = __reduce_min_sync(0xffffffffu, i - 40);
    r[n++] = __reduce_or_sync(0xffffffffu, 1u << (i & 3));
    r[n++] = __dp2a_lo(0x00030002, 0x04030201, 10);
    r[n++] = __dp2a_hi(0x00030002u, 0x04030201u, 10u);
    r[n++] = __vimax3_s32(-4, 7, 2) + __vimin3_u32(9, 4, 6);
    r[n++] = __viaddmax_s32(3, 4, 5) + __viaddmin_s32_relu(-3, -4, 5) + __vimax3_s32_relu(-1, -2, -3);
    bool high_first, low_first;
    r[n++] = __viaddmax_s16x2(0x7fff0001u, 0x0001fffeu, 0x80000005u) - (double)__viaddmin_u16x2(0xffff0001u, 0x00020001u, 0x00050009u);
    r[n++] = __vimin3_u16x2(0x00050009u, 0x00070001u, 0x00030004u) + (double)__vimax3_s16x2_relu(0xffff0003u, 0x8000fffeu, 0xfffe0002u);
    r[n++] = __vibmin_s16x2(0x0001ffffu, 0x0001fffeu, &high_first, &low_first) + 2.0 * high_first + 4.0 * low_first;
    r[n++] = remquo(10.0f, 3.0f, &quotient) + quotient;
    r[n++] = isnan(nan("")) + isnan(nanf(""));
    const size_t inside = __cvta_generic_to_shared(&shared);
    r[n++] = *(int *)__cvta_shared_to_generic(inside);
    r[n++] = __isShared(&shared) + 2 * __isGlobal(&counted) + 4 * (__cvta_generic_to_global(&counted) != 0);
    const __half2 low = __floats2half2_rn(-1.0f, 0.75f), high = __floats2half2_rn(2.0f, 0.5f);
    r[n++] = __high2float(__hfma2_sat(low, high, high)) + __low2float(__hfma2_relu(low, high, low));
    r[n++] = __hbgeu2(high, high) + 2 * __hisnan(__hmax_nan(__float2half(NAN), __float2half(1.0f)));
    r[n++] = __half2float(htanh(__float2half(0.0f))) + (double)__half2ll_rd(__float2half(-2.5f));
    __syncthreads();
    if (i == 0)
        for (int k = 0; k < n; k++)
            out[k] = r[k];
}

/* Dot products of vectors, with signs where the bytes have them. */
__global__ void products(int *out)
{
    const char4 a = make_char4(1, -2, 3, -128), b = make_char4(5, 6, -7, 127);
    const uchar4 c = make_uchar4(1, 254, 3, 255), d = make_uchar4(5, 6, 249, 255);
    out[0] = __dp4a(a, b, 1000);
    out[1] = (int)__dp4a(c, d, 7u);
    out[2] = __dp2a_lo(make_short2(300, -400), a, 1) + __dp2a_hi(make_short2(-300, 400), a, 2);
    out[3] = (int)(__dp2a_lo(make_ushort2(300, 65535), c, 1u) - __dp2a_hi(make_ushort2(300, 65535), c, 2u));
}

static void vectors()
{
    int got[4], *d = on_device<int>(nullptr, 4);
    products<<<1, 1>>>(d);
    CHECK(cudaMemcpy(got, d, sizeof got, cudaMemcpyDeviceToHost) == cudaSuccess);
    CHECK(got[0] == 1000 + 5 - 12 - 21 - 16256);
    CHECK(got[1] == 7 + 5 + 254 * 6 + 3 * 249 + 255 * 255);
    CHECK(got[2] == 1 + 300 + 800 + 2 - 900 - 51200);
    CHECK(got[3] == 1 + 300 + 65535 * 254 - (2 + 900 + 65535 * 255));
    CHECK(cudaFree(d) == cudaSuccess);
}

__global__ void look(cudaTextureObject_t flat, cudaTextureObject_t cube, float *out)
{
    const float4 four = tex2Dgather<float4>(flat, 2.0f, 1.0f, 0);
    out[0] = four.x;
    out[1] = four.y;
    out[2] = four.z;
    out[3] = four.w;
    out[4] = texCubemap<float>(cube, 0.0f, -2.0f, 0.0f);
    out[5] = tex2DGrad<float>(flat, 3.5f, 1.5f, make_float2(1, 0), make_float2(0, 1));
}

static cudaTextureObject_t texture_over(cudaArray_t array)
{
    cudaResourceDesc resource;
    cudaTextureDesc texture;
    memset(&resource, 0, sizeof resource);
    memset(&texture, 0, sizeof texture);
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    texture.addressMode[0] = texture.addressMode[1] = texture.addressMode[2] = cudaAddressModeClamp;
    cudaTextureObject_t object;
    CALL(cudaCreateTextureObject(&object, &resource, &texture, nullptr));
    return object;
}

int main()
{
    vectors();
    double *out = on_device<double>(nullptr, RESULTS), host[RESULTS];
    numbers<<<1, 32>>>(out);
    LAUNCHED();
    to_host(host, out, RESULTS);
    const double wanted[18] = {496, 31, -40, 15, 10 + 2 + 6, 10 + 6 + 12, 11, 7, 2147418115.0, 196612, 131072, 4, 2, 5, 7, 0.875, 3, -3};
    for (int i = 0; i < 18; i++) {
        if (host[i] != wanted[i])
            printf("%d: %g and not %g\n", i, host[i], wanted[i]);
        CHECK(host[i] == wanted[i]);
    }

    cudaChannelFormatDesc one = cudaCreateChannelDesc<float>();
    cudaArray_t flat, cube;
    float texels[8 * 4], faces[6 * 4 * 4], seen[6];
    for (int i = 0; i < 32; i++)
        texels[i] = (float)i;
    for (int i = 0; i < 96; i++)
        faces[i] = (float)(i / 16);
    CALL(cudaMallocArray(&flat, &one, 8, 4, cudaArrayTextureGather));
    CALL(cudaMemcpy2DToArray(flat, 0, 0, texels, 32, 32, 4, cudaMemcpyHostToDevice));
    CALL(cudaMalloc3DArray(&cube, &one, make_cudaExtent(4, 4, 6), cudaArrayCubemap));
    cudaMemcpy3DParms copy = {};
    copy.srcPtr = make_cudaPitchedPtr(faces, 16, 4, 4);
    copy.dstArray = cube;
    copy.extent = make_cudaExtent(4, 4, 6);
    copy.kind = cudaMemcpyHostToDevice;
    CALL(cudaMemcpy3D(&copy));
    float *fetched = on_device<float>(nullptr, 6);
    look<<<1, 1>>>(texture_over(flat), texture_over(cube), fetched);
    LAUNCHED();
    to_host(seen, fetched, 6);
    const float right[6] = {9, 10, 2, 1, 3, 11}; // gathered anticlockwise from the lower left
    for (int i = 0; i < 6; i++) {
        if (seen[i] != right[i])
            printf("fetch %d: %g and not %g\n", i, seen[i], right[i]);
        CHECK(seen[i] == right[i]);
    }
    return done();
}
