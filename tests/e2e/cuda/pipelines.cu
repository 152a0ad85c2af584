// Copies into shared memory in two stages, each waited for while the next is on its way; and a stream's access policy, a hint.
// nvcc-arch: 80
#include "check.h"
#include <cuda_pipeline.h>
enum { TILE = 64, TILES = 8 };
__global__ void sums(const float4 *in, const float *scale, float *out)
{
    __shared__ float4 tile[2][TILE];
    __shared__ float factor[2][TILE];
    float sum = 0;
    const int t = (int)threadIdx.x;
    for (int i = 0; i < TILES + 1; i++) {
        if (i < TILES) {
            __pipeline_memcpy_async(&tile[i % 2][t], &in[i * TILE + t], sizeof(float4));
            __pipeline_memcpy_async(&factor[i % 2][t], &scale[i * TILE + t], sizeof(float), i == 3 ? sizeof(float) : 0);
            __pipeline_commit();
        }
        if (i == 0)
            continue;
        __pipeline_wait_prior(i < TILES ? 1 : 0);
        __syncthreads();
        const float4 v = tile[(i - 1) % 2][(t + 1) % TILE];
        sum += (v.x + v.y + v.z + v.w) * factor[(i - 1) % 2][(t + 1) % TILE];
        __syncthreads();
    }
    out[t] = sum;
}
int main()
{
    static float4 in[TILE * TILES];
    static float scale[TILE * TILES], out[TILE];
    for (int i = 0; i < TILE * TILES; i++) {
        in[i] = make_float4((float)(i % 7), 1, 2, (float)(i % 3));
        scale[i] = (float)(1 + i % 4);
    }
    float4 *d = on_device(in, TILE * TILES);
    float *ds = on_device(scale, TILE * TILES), *o = on_device<float>(nullptr, TILE);
    cudaStream_t stream;
    CALL(cudaStreamCreate(&stream));
    cudaStreamAttrValue window = {};
    window.accessPolicyWindow.base_ptr = d;
    window.accessPolicyWindow.num_bytes = sizeof in;
    window.accessPolicyWindow.hitRatio = 0.5f;
    window.accessPolicyWindow.hitProp = cudaAccessPropertyPersisting;
    window.accessPolicyWindow.missProp = cudaAccessPropertyStreaming;
    CALL(cudaStreamSetAttribute(stream, cudaStreamAttributeAccessPolicyWindow, &window));
    sums<<<1, TILE, 0, stream>>>(d, ds, o);
    LAUNCHED();
    to_host(out, o, TILE);
    for (int t = 0; t < TILE; t++) {
        float sum = 0;
        for (int i = 0; i < TILES; i++) {
            const int k = i * TILE + (t + 1) % TILE;
            sum += (in[k].x + 3 + in[k].w) * (i == 3 ? 0 : scale[k]);
        }
        CHECK(out[t] == sum);
    }
    return done();
}
