// Streams, events and their times, callbacks, async pools.
#include "check.h"
__global__ void spin(int *p, int rounds)
{
    int v = threadIdx.x;
    for (int i = 0; i < rounds; i++)
        v = v * 1103515245 + 12345;
    p[blockIdx.x * blockDim.x + threadIdx.x] = v;
}
static int called;
static void CUDART_CB note(cudaStream_t, cudaError_t status, void *data) { called += status == cudaSuccess ? *(int *)data : 1000; }
static void CUDART_CB host(void *data) { called += *(int *)data; }
int main()
{
    cudaStream_t s[3];
    for (int i = 0; i < 3; i++)
        CALL(cudaStreamCreateWithFlags(&s[i], i ? cudaStreamNonBlocking : cudaStreamDefault));
    cudaEvent_t begin, middle, end, untimed;
    CALL(cudaEventCreate(&begin));
    CALL(cudaEventCreate(&middle));
    CALL(cudaEventCreate(&end));
    CALL(cudaEventCreateWithFlags(&untimed, cudaEventDisableTiming));
    int *p[3], h[128];
    for (int i = 0; i < 3; i++)
        CALL(cudaMallocAsync((void **)&p[i], 128 * sizeof(int), s[i]));
    CALL(cudaEventRecord(begin, s[0]));
    spin<<<2, 64, 0, s[0]>>>(p[0], 100);
    CALL(cudaEventRecord(middle, s[0]));
    spin<<<2, 64, 0, s[0]>>>(p[0], 5000);
    CALL(cudaEventRecord(end, s[0]));
    CALL(cudaEventRecord(untimed, s[0]));
    CALL(cudaStreamWaitEvent(s[1], untimed, 0));
    CALL(cudaMemcpyAsync(p[1], p[0], sizeof h, cudaMemcpyDeviceToDevice, s[1]));
    CALL(cudaMemcpyAsync(h, p[1], sizeof h, cudaMemcpyDeviceToHost, s[1]));
    CALL(cudaStreamSynchronize(s[1]));
    CALL(cudaEventSynchronize(end));
    CHECK(cudaEventQuery(end) == cudaSuccess && cudaStreamQuery(s[2]) == cudaSuccess);
    for (int t = 0; t < 128; t++) {
        unsigned v = t % 64;
        for (int i = 0; i < 5000; i++)
            v = v * 1103515245u + 12345u;
        CHECK((unsigned)h[t] == v);
    }
    float first, second, whole;
    CALL(cudaEventElapsedTime(&first, begin, middle));
    CALL(cudaEventElapsedTime(&second, middle, end));
    CALL(cudaEventElapsedTime(&whole, begin, end));
    CHECK(first >= 0 && second >= first && fabsf(whole - first - second) <= 1e-3f * whole);
    CHECK(cudaEventElapsedTime(&first, begin, untimed) != cudaSuccess);
    (void)cudaGetLastError();
    static int one = 1, ten = 10;
    CALL(cudaStreamAddCallback(s[1], note, &one, 0));
    CALL(cudaLaunchHostFunc(s[1], host, &ten));
    CALL(cudaStreamSynchronize(s[1]));
    CHECK(called == 11);
    for (int i = 0; i < 3; i++) {
        CALL(cudaFreeAsync(p[i], s[i]));
        CALL(cudaStreamDestroy(s[i]));
    }
    CALL(cudaEventDestroy(begin));
    return done();
}
