// Calls that tell a program what it asked for before: advice for managed memory, streams, names of kernels, textures.
#include "check.h"
#if CUDART_VERSION >= 13000
static const cudaMemLocation device = { cudaMemLocationTypeDevice, 0 }, host = { cudaMemLocationTypeHost, 0 };
#define PREFETCH(p, bytes) cudaMemPrefetchAsync(p, bytes, device, 0, 0)
#else
static const int device = 0, host = cudaCpuDeviceId;
#define PREFETCH(p, bytes) cudaMemPrefetchAsync(p, bytes, device, 0)
#endif
__global__ void fill(float *p, float v) { p[threadIdx.x] = v; }
static void advice()
{
    char *p;
    int answer[3];
    CALL(cudaMallocManaged(&p, 4096));
    const auto ask = [&](cudaMemRangeAttribute attribute, size_t count = 1) { CALL(cudaMemRangeGetAttribute(answer, count * sizeof(int), attribute, p, 4096)); };
    ask(cudaMemRangeAttributeReadMostly);
    CHECK(answer[0] == 0);
    ask(cudaMemRangeAttributePreferredLocation);
    CHECK(answer[0] == cudaInvalidDeviceId);
    CALL(cudaMemAdvise(p, 4096, cudaMemAdviseSetReadMostly, device));
    CALL(cudaMemAdvise(p, 4096, cudaMemAdviseSetPreferredLocation, host));
    CALL(cudaMemAdvise(p, 4096, cudaMemAdviseSetAccessedBy, device));
    CALL(cudaMemAdvise(p, 4096, cudaMemAdviseSetAccessedBy, host));
    CALL(PREFETCH(p, 4096));
    ask(cudaMemRangeAttributeReadMostly);
    CHECK(answer[0] == 1);
    ask(cudaMemRangeAttributePreferredLocation);
    CHECK(answer[0] == cudaCpuDeviceId);
    ask(cudaMemRangeAttributeAccessedBy, 3);
    CHECK(answer[0] == 0 && answer[1] == cudaCpuDeviceId && answer[2] == cudaInvalidDeviceId);
    int last, mostly;
    void *to[] = { &last, &mostly };
    size_t sizes[] = { 4, 4 };
    cudaMemRangeAttribute which[] = { cudaMemRangeAttributeLastPrefetchLocation, cudaMemRangeAttributeReadMostly };
    CALL(cudaMemAdvise(p, 4096, cudaMemAdviseUnsetReadMostly, device));
    CALL(cudaMemRangeGetAttributes(to, sizes, which, 2, p, 4096));
    CHECK(last == 0 && mostly == 0);
    CHECK(cudaMemRangeGetAttribute(answer, 3, cudaMemRangeAttributeReadMostly, p, 4096) == cudaErrorInvalidValue);
    CHECK(cudaMemRangeGetAttribute(answer, 4, cudaMemRangeAttributeReadMostly, &last, 4) == cudaErrorInvalidValue);
    (void)cudaGetLastError();
}
static void names()
{
    cudaStream_t a, b;
    unsigned long long ia, ib;
    const char *name;
    CALL(cudaStreamCreate(&a));
    CALL(cudaStreamCreate(&b));
    CALL(cudaStreamGetId(a, &ia));
    CALL(cudaStreamGetId(b, &ib));
    CHECK(ia != ib);
    CALL(cudaFuncGetName(&name, fill));
    CHECK(std::strstr(name, "fill"));
}
static void textures()
{
    float *p = on_device<float>(nullptr, 64);
    cudaResourceDesc made = {}, told = {};
    made.resType = cudaResourceTypeLinear;
    made.res.linear.devPtr = p;
    made.res.linear.desc = cudaCreateChannelDesc<float>();
    made.res.linear.sizeInBytes = 256;
    cudaTextureDesc how = {}, was = {};
    how.addressMode[0] = cudaAddressModeBorder;
    cudaTextureObject_t t;
    CALL(cudaCreateTextureObject(&t, &made, &how, nullptr));
    CALL(cudaGetTextureObjectResourceDesc(&told, t));
    CALL(cudaGetTextureObjectTextureDesc(&was, t));
    CHECK(told.resType == cudaResourceTypeLinear && told.res.linear.devPtr == p && told.res.linear.sizeInBytes == 256);
    CHECK(was.addressMode[0] == cudaAddressModeBorder);
    CALL(cudaDestroyTextureObject(t));
    CHECK(cudaGetTextureObjectResourceDesc(&told, t) == cudaErrorInvalidValue);
    (void)cudaGetLastError();
}
int main()
{
    int grid, block, plain_grid, plain_block;
    advice();
    names();
    textures();
    const auto shared_of = [](int threads) { return (size_t)threads * 4; };
    CALL(cudaOccupancyMaxPotentialBlockSizeVariableSMem(&plain_grid, &plain_block, fill, shared_of));
    CALL(cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(&grid, &block, fill, shared_of, 0, cudaOccupancyDefault));
    CHECK(grid == plain_grid && block == plain_block && block > 0);
    return done();
}
