// Managed, pinned, mapped and registered memory, seen from both sides.
#include "check.h"
__global__ void twice(int *p, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        p[i] *= 2;
}
int main()
{
    const int n = 1000;
    int *managed;
    CALL(cudaMallocManaged(&managed, n * sizeof(int)));
    for (int i = 0; i < n; i++)
        managed[i] = i;
    twice<<<8, 128>>>(managed, n);
    LAUNCHED();
    for (int i = 0; i < n; i++)
        CHECK(managed[i] == 2 * i);
    CALL(cudaMemset(managed, 0, 40));
    CALL(cudaDeviceSynchronize());
    CHECK(managed[9] == 0 && managed[10] == 20);

    int *pinned, *seen;
    CALL(cudaHostAlloc(&pinned, n * sizeof(int), cudaHostAllocMapped));
    CALL(cudaHostGetDevicePointer(&seen, pinned, 0));
    for (int i = 0; i < n; i++)
        pinned[i] = 3 * i;
    twice<<<8, 128>>>(seen, n);
    LAUNCHED();
    for (int i = 0; i < n; i++)
        CHECK(pinned[i] == 6 * i);
    int *d = on_device<int>(nullptr, n);
    CALL(cudaMemcpyAsync(d, pinned, n * sizeof(int), cudaMemcpyHostToDevice, 0));
    twice<<<8, 128>>>(d, n);
    CALL(cudaMemcpyAsync(pinned, d, n * sizeof(int), cudaMemcpyDeviceToHost, 0));
    CALL(cudaStreamSynchronize(0));
    CHECK(pinned[n - 1] == 12 * (n - 1));

    int *own = (int *)malloc(n * sizeof(int));
    for (int i = 0; i < n; i++)
        own[i] = 5;
    CALL(cudaHostRegister(own, n * sizeof(int), cudaHostRegisterMapped));
    CALL(cudaHostGetDevicePointer(&seen, own, 0));
    twice<<<8, 128>>>(seen, n);
    LAUNCHED();
    CHECK(own[0] == 10 && own[n - 1] == 10);
    CALL(cudaHostUnregister(own));
    free(own);

    cudaPointerAttributes a;
    CALL(cudaPointerGetAttributes(&a, d));
    CHECK(a.type == cudaMemoryTypeDevice && a.devicePointer == d);
    CALL(cudaPointerGetAttributes(&a, managed));
    CHECK(a.type == cudaMemoryTypeManaged);
    CALL(cudaPointerGetAttributes(&a, pinned));
    CHECK(a.type == cudaMemoryTypeHost);
    CALL(cudaPointerGetAttributes(&a, &n));
    CHECK(a.type == cudaMemoryTypeUnregistered);
    CALL(cudaFreeHost(pinned));
    CALL(cudaFree(managed));
    return done();
}
