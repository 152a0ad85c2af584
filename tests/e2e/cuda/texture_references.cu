// nvcc: no (references are gone since CUDA 12)
// texture<...> and surface<...> variables, as programs from before CUDA 12 have them.
#include "check.h"
texture<float, 1, cudaReadModeElementType> linear;
static texture<int> plain;
texture<float4, 2, cudaReadModeElementType> image;
texture<unsigned char, cudaTextureType2D, cudaReadModeNormalizedFloat> bytes;
texture<float, 3> volume;
surface<void, 2> canvas;
__global__ void read_linear(float *out, int n)
{
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n)
        out[i] = tex1Dfetch(linear, i) + (float)tex1Dfetch(plain, n - 1 - i);
}
__global__ void read_image(float4 *out) { out[blockIdx.x * blockDim.x + threadIdx.x] = tex2D(image, threadIdx.x + 0.5f, blockIdx.x + 0.5f); }
__global__ void read_bytes(float *out) { out[blockIdx.x * blockDim.x + threadIdx.x] = tex2D(bytes, (float)threadIdx.x, (float)blockIdx.x); }
__global__ void read_volume(float *out)
{
    out[(threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x] =
        tex3D(volume, threadIdx.x + 0.5f, threadIdx.y + 0.5f, threadIdx.z + 0.5f);
}
__global__ void paint() /* float4 elements, moved by one; what falls off the edge is dropped */
{
    float4 v;
    surf2Dread(&v, canvas, (int)(threadIdx.x * sizeof v), (int)blockIdx.x);
    v.w = -v.w;
    __syncthreads();
    surf2Dwrite(v, canvas, (int)((threadIdx.x + 1) * sizeof v), (int)blockIdx.x, cudaBoundaryModeZero);
}
enum { N = 1000, W = 16, H = 8 };
static void linear_memory()
{
    float f[N], result[N];
    int k[N];
    for (int i = 0; i < N; i++)
        f[i] = 0.5f * (float)i, k[i] = 3 * i;
    float *df = on_device(f, N), *out = on_device<float>(nullptr, N);
    int *dk = on_device(k, N);
    size_t offset = 1;
    cudaChannelFormatDesc desc = cudaCreateChannelDesc<float>();
    linear.filterMode = cudaFilterModePoint;
    linear.normalized = false;
    CALL(cudaBindTexture(NULL, &linear, df, &desc, N * sizeof(float)));
    CALL(cudaBindTexture(&offset, plain, dk, N * sizeof(int)));
    CHECK(offset == 0);
    read_linear<<<8, 128>>>(out, N);
    LAUNCHED();
    to_host(result, out, N);
    for (int i = 0; i < N; i++)
        CHECK(result[i] == f[i] + (float)k[N - 1 - i]);
    CALL(cudaBindTexture(NULL, linear, out, N * sizeof(float))); /* bound anew */
    read_linear<<<8, 128>>>(df, N);
    LAUNCHED();
    to_host(f, df, N);
    for (int i = 0; i < N; i++)
        CHECK(f[i] == result[i] + (float)k[N - 1 - i]);
    CALL(cudaUnbindTexture(linear));
}
static void arrays()
{
    float4 a[W * H], back[W * H];
    for (int i = 0; i < W * H; i++)
        a[i] = make_float4((float)i, (float)i + 1, (float)i + 2, (float)i + 3);
    const cudaChannelFormatDesc desc = cudaCreateChannelDesc<float4>();
    cudaArray *array;
    CALL(cudaMallocArray(&array, &desc, W, H, cudaArraySurfaceLoadStore));
    CALL(cudaMemcpyToArray(array, 0, 0, a, sizeof a, cudaMemcpyHostToDevice));
    image.filterMode = cudaFilterModeLinear;
    image.addressMode[0] = image.addressMode[1] = cudaAddressModeClamp;
    CALL(cudaBindTextureToArray(image, array, desc));
    CALL(cudaBindSurfaceToArray(canvas, array));
    float4 *out = on_device<float4>(nullptr, W * H);
    read_image<<<H, W>>>(out);
    LAUNCHED();
    to_host(back, out, W * H);
    for (int i = 0; i < W * H; i++)
        CHECK(back[i].x == a[i].x && back[i].w == a[i].w);
    paint<<<H, W>>>();
    LAUNCHED();
    CALL(cudaMemcpyFromArray(back, array, 0, 0, sizeof back, cudaMemcpyDeviceToHost));
    for (int i = 0; i < W * H; i++)
        CHECK(i % W == 0 ? back[i].w == a[i].w : back[i].x == a[i - 1].x && back[i].w == -a[i - 1].w);
}
static void pitched_and_volume()
{
    unsigned char b[32 * H], *pitched;
    float result[32 * H], v[64];
    size_t pitch;
    for (int i = 0; i < 32 * H; i++)
        b[i] = (unsigned char)i;
    CALL(cudaMallocPitch((void **)&pitched, &pitch, 32, H));
    CALL(cudaMemcpy2D(pitched, pitch, b, 32, 32, H, cudaMemcpyHostToDevice));
    CALL(cudaBindTexture2D(0, bytes, pitched, cudaCreateChannelDesc<unsigned char>(), 32, H, pitch));
    float *out = on_device<float>(nullptr, 32 * H);
    read_bytes<<<H, 32>>>(out);
    LAUNCHED();
    to_host(result, out, 32 * H);
    for (int i = 0; i < 32 * H; i++)
        CHECK(fabsf(result[i] - (float)b[i] / 255.0f) < 1e-6f);
    for (int i = 0; i < 64; i++)
        v[i] = 3.0f * (float)i;
    cudaArray *array;
    const cudaChannelFormatDesc desc = cudaCreateChannelDesc<float>();
    const cudaExtent extent = make_cudaExtent(8, 4, 2);
    CALL(cudaMalloc3DArray(&array, &desc, extent));
    cudaMemcpy3DParms copy = { 0 };
    copy.srcPtr = make_cudaPitchedPtr(v, 8 * sizeof(float), 8, 4);
    copy.dstArray = array;
    copy.extent = extent;
    copy.kind = cudaMemcpyHostToDevice;
    CALL(cudaMemcpy3D(&copy));
    CALL(cudaBindTextureToArray(volume, array));
    read_volume<<<1, dim3(8, 4, 2)>>>(out);
    LAUNCHED();
    to_host(result, out, 64);
    for (int i = 0; i < 64; i++)
        CHECK(result[i] == v[i]);
}
int main()
{
    linear_memory();
    arrays();
    pitched_and_volume();
    return done();
}
