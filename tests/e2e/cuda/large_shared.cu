// More shared memory than 48 KB: as much as the machine has, and a sentence that names the parameter for what it has not.
// options: --set sm.shared=96KiB
// expect-stdout: ok
// expect-stderr: asks for 204800 bytes of shared memory, and an SM of this machine has 98304: --set sm.shared=200KiB gives it as much
#include "check.h"

extern __shared__ float room[];
__global__ void reverse(float *p, int n)
{
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        room[i] = p[i];
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        p[i] = room[n - 1 - i];
}

int main()
{
    const int n = 90 * 256;
    static float h[n];
    for (int i = 0; i < n; i++)
        h[i] = (float)i;
    float *d = on_device(h, n);
    CHECK(cudaFuncSetAttribute(reverse, cudaFuncAttributeMaxDynamicSharedMemorySize, 200 << 10) == cudaErrorInvalidValue);
    CHECK(cudaGetLastError() == cudaErrorInvalidValue);
    CALL(cudaFuncSetAttribute(reverse, cudaFuncAttributeMaxDynamicSharedMemorySize, n * 4));
    reverse<<<1, 256, n * 4>>>(d, n);
    LAUNCHED();
    to_host(h, d, n);
    for (int i = 0; i < n; i++)
        CHECK(h[i] == (float)(n - 1 - i));
    return done();
}
