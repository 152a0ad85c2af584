// Copies and fills in every shape: pitched, 2D, 3D, device to device, default direction.
#include "check.h"
__global__ void add(int *p, size_t pitch, int width, int height)
{
    int x = threadIdx.x, y = threadIdx.y;
    if (x < width && y < height)
        ((int *)((char *)p + y * pitch))[x] += 100 * y + x;
}
int main()
{
    int h[6 * 10], back[6 * 10], *d;
    size_t pitch;
    for (int i = 0; i < 60; i++)
        h[i] = i;
    CALL(cudaMallocPitch(&d, &pitch, 10 * sizeof(int), 6));
    CHECK(pitch >= 40 && pitch % 32 == 0);
    CALL(cudaMemcpy2D(d, pitch, h, 40, 40, 6, cudaMemcpyHostToDevice));
    add<<<1, dim3(16, 8)>>>(d, pitch, 10, 6);
    LAUNCHED();
    CALL(cudaMemcpy2D(back, 40, d, pitch, 40, 6, cudaMemcpyDeviceToHost));
    for (int y = 0; y < 6; y++)
        for (int x = 0; x < 10; x++)
            CHECK(back[y * 10 + x] == y * 10 + x + 100 * y + x);
    CALL(cudaMemset2D((char *)d + 8, pitch, 0xff, 12, 3));
    CALL(cudaMemcpy2D(back, 40, d, pitch, 40, 6, cudaMemcpyDefault));
    for (int y = 0; y < 6; y++)
        for (int x = 0; x < 10; x++)
            CHECK((back[y * 10 + x] == -1) == (y < 3 && x >= 2 && x < 5));

    cudaExtent extent = make_cudaExtent(5 * sizeof(int), 4, 3);
    cudaPitchedPtr box;
    CALL(cudaMalloc3D(&box, extent));
    cudaMemcpy3DParms p;
    memset(&p, 0, sizeof p);
    p.srcPtr = make_cudaPitchedPtr(h, 5 * sizeof(int), 5 * sizeof(int), 4);
    p.dstPtr = box;
    p.extent = extent;
    p.kind = cudaMemcpyHostToDevice;
    CALL(cudaMemcpy3D(&p));
    memset(back, 0, sizeof back);
    memset(&p, 0, sizeof p);
    p.srcPtr = box;
    p.dstPtr = make_cudaPitchedPtr(back, 5 * sizeof(int), 5 * sizeof(int), 4);
    p.srcPos = make_cudaPos(sizeof(int), 1, 1);
    p.extent = make_cudaExtent(3 * sizeof(int), 2, 2);
    p.kind = cudaMemcpyDeviceToHost;
    CALL(cudaMemcpy3D(&p));
    for (int z = 0; z < 2; z++)
        for (int y = 0; y < 2; y++)
            for (int x = 0; x < 3; x++)
                CHECK(back[z * 20 + y * 5 + x] == (z + 1) * 20 + (y + 1) * 5 + x + 1);
    CALL(cudaMemset3D(box, 0, extent));

    int *a = on_device(h, 60), *b = on_device<int>(nullptr, 60);
    CALL(cudaMemcpy(b + 10, a + 20, 80, cudaMemcpyDeviceToDevice));
    CALL(cudaMemcpy(back, b, sizeof back, cudaMemcpyDefault));
    CHECK(back[9] == 0 && back[10] == 20 && back[29] == 39 && back[30] == 0);
    size_t left, total;
    CALL(cudaMemGetInfo(&left, &total));
    CHECK(left < total && left > 0);
    CALL(cudaMemcpy(back, h, sizeof back, cudaMemcpyHostToHost));
    CHECK(memcmp(back, h, sizeof h) == 0);
    return done();
}
