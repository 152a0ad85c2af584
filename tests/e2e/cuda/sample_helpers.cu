// The services that NVIDIA's sample programs include: checks of calls, a device, arguments, timers, images, vector arithmetic.
// nvcc: does not come with them
#include "check.h"
#include <curand.h>
#include <helper_cuda.h>
#include <helper_functions.h>
#include <helper_math.h>
#include <unistd.h>

__global__ void vectors(float4 *out, int3 *whole)
{
    const float3 a = make_float3(1, 2, 3), b = make_float3(4, 5, 6);
    float3 c = cross(a, b) / 3.0f;
    c += 1.0f - a;
    out[0] = make_float4(c, dot(a, b));
    out[1] = lerp(make_float4(0.0f), make_float4(2, 4, 6, 8), 0.25f);
    out[2] = make_float4(normalize(make_float2(3, 4)).x, length(b - a), clamp(7.5f, 0.0f, 1.0f), smoothstep(0.0f, 1.0f, 0.25f));
    out[3] = make_float4(fminf(a, make_float3(2)), reflect(make_float2(1, -1), make_float2(0, 1)).y);
    whole[0] = max(make_int3(1, -2, 3), make_int3(0)) * 2 - make_int3(make_uint3(1u));
    whole[1] = clamp(-make_int3(5, 1, 0), -3, -1);
}

static void arguments_and_timers()
{
    const char *words[] = {"program", "--size=12", "-verbose", "Rate=2.5", "-name=abc"};
    char *text;
    CHECK(checkCmdLineFlag(5, words, "size") && checkCmdLineFlag(5, words, "VERBOSE") && !checkCmdLineFlag(5, words, "verb"));
    CHECK(getCmdLineArgumentInt(5, words, "size") == 12 && getCmdLineArgumentInt(5, words, "none") == 0);
    CHECK(getCmdLineArgumentFloat(5, words, "rate") == 2.5f);
    CHECK(getCmdLineArgumentString(5, words, "name", &text) && strcmp(text, "abc") == 0);
    CHECK(!getCmdLineArgumentString(5, words, "other", &text) && !text);
    CHECK(!sdkFindFilePath("no such file", words[0]));
    StopWatchInterface *timer = NULL;
    CHECK(sdkCreateTimer(&timer) && sdkStartTimer(&timer));
    usleep(2000);
    CHECK(sdkStopTimer(&timer) && sdkGetTimerValue(&timer) >= 2.0f && sdkGetAverageTimerValue(&timer) == sdkGetTimerValue(&timer));
    CHECK(sdkResetTimer(&timer) && sdkGetTimerValue(&timer) == 0.0f && sdkDeleteTimer(&timer) && !timer);
}

static void images()
{
    char file[] = "/tmp/warpline-image-XXXXXX";
    const int handle = mkstemp(file);
    CHECK(handle >= 0);
    close(handle);
    unsigned char pixels[4 * 6], *back = NULL;
    unsigned int w = 0, h = 0;
    for (int i = 0; i < 24; i++)
        pixels[i] = (unsigned char)(i % 4 == 3 ? 0 : 10 * i);
    CHECK(sdkSavePPM4ub(file, pixels, 3, 2) && sdkLoadPPM4ub(file, &back, &w, &h) && w == 3 && h == 2);
    CHECK(compareData(pixels, back, 24, 0, 0.0f) && sdkComparePPM(file, file, 0, 0, false));
    back[5] = 99;
    CHECK(!compareData(pixels, back, 24, 0, 0.0f) && compareData(pixels, back, 24, 0, 0.1f));
    const float grey[4] = {0, 0.2f, 0.4f, 1};
    float *loaded = NULL;
    CHECK(sdkSavePGM(file, (float *)grey, 2, 2) && sdkLoadPGM(file, &loaded, &w, &h) && sdkCompareL2fe(grey, loaded, 4, 1e-2f));
    unlink(file);
}

int main(int argc, char **argv)
{
    const int device = findCudaDevice(argc, (const char **)argv);
    CHECK(device == 0 && checkCudaCapabilities(3, 0) && !checkCudaCapabilities(99, 0) && _ConvertSMVer2Cores(7, 0) == 64);
    float4 h[4], *d;
    int3 g[2], *e;
    checkCudaErrors(cudaMalloc(&d, sizeof h));
    checkCudaErrors(cudaMalloc((void **)&e, sizeof g));
    vectors<<<1, 1>>>(d, e);
    getLastCudaError("vectors");
    checkCudaErrors(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
    checkCudaErrors(cudaMemcpy(g, e, sizeof g, cudaMemcpyDeviceToHost));
    CHECK(h[0].x == -1 && h[0].y == 1 && h[0].z == -3 && h[0].w == 32);
    CHECK(h[1].x == 0.5f && h[1].w == 2.0f);
    CHECK(fabsf(h[2].x - 0.6f) < 1e-6f && fabsf(h[2].y - sqrtf(27)) < 1e-6f && h[2].z == 1 && h[2].w == 0.15625f);
    CHECK(h[3].x == 1 && h[3].y == 2 && h[3].z == 2 && h[3].w == 1);
    CHECK(g[0].x == 1 && g[0].y == -1 && g[0].z == 5 && g[1].x == -3 && g[1].y == -1 && g[1].z == -1);
    curandGenerator_t generator;
    checkCudaErrors(curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_DEFAULT));
    checkCudaErrors(curandDestroyGenerator(generator));
    arguments_and_timers();
    images();
    return done();
}
