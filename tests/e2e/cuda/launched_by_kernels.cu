// Kernels that launch kernels: in order in a stream, each with its own children; of a kernel that calls itself; and tail launches, which
// come after all others.
// flags: -rdc=true
#include "check.h"
struct range {
    int first, count;
    char name[5];
};
__device__ int line; // the order in which kernels ran
__global__ void note(int *order, int number)
{
    if (threadIdx.x == 0 && blockIdx.x == 0)
        order[line++] = number;
}
__global__ void middle(int *order)
{
    note<<<1, 32>>>(order, 20);
    order[line++] = 10;
}
__global__ void top(int *order)
{
    if (threadIdx.x)
        return;
    cudaStream_t stream;
    note<<<1, 1, 0, cudaStreamTailLaunch>>>(order, 90);
    middle<<<1, 1>>>(order);
    note<<<2, 64>>>(order, 30);
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    note<<<1, 1, 64, stream>>>(order, 40);
    cudaStreamDestroy(stream);
    order[line++] = cudaGetLastError() == cudaSuccess ? 1 : -1;
}
/* Halves until pieces are small: structs and several arguments go through the buffer. */
__global__ void halve(int *out, range r, double factor)
{
    if (r.count <= 32) {
        if ((int)threadIdx.x < r.count)
            out[r.first + (int)threadIdx.x] = (int)(factor * (r.first + (int)threadIdx.x)) + r.name[4];
        return;
    }
    if (threadIdx.x < 2) {
        range half = r;
        half.count = threadIdx.x ? r.count - r.count / 2 : r.count / 2;
        half.first = r.first + (threadIdx.x ? r.count / 2 : 0);
        halve<<<1, 32>>>(out, half, factor);
    }
}
/* Two kernels of one name, of which the arguments choose, and one with a template's arguments. */
__global__ void plus(int *data, int n) { data[threadIdx.x] += n; }
__global__ void plus(int *data, int n, int again)
{
    data[threadIdx.x] += n;
    if (again && threadIdx.x == 0)
        plus<<<1, 32>>>(data, (n + 10) / (1, 1), again - 1);
}
template <class T, int N> __global__ void times(T *data) { data[threadIdx.x] *= N; }
__global__ void names(int *data)
{
    plus<<<1, 32>>>(data, 5);
    times<int, 3> <<<1, 32>>>(data);
    plus<<<1, 32>>>(data, 1000);
    plus<<<1, 32>>>(data, 10000, 1);
}
/* A fill, a kernel, a copy of what it has made, and a kernel that uses the copy: in the order of the stream. */
__global__ void twice(int *data) { data[threadIdx.x] *= 2; }
__global__ void copies(int *data)
{
    cudaMemsetAsync(data, 1, 32 * sizeof(int), 0);
    twice<<<1, 32>>>(data);
    cudaMemcpyAsync(data + 32, data, 32 * sizeof(int), cudaMemcpyDeviceToDevice, 0);
    twice<<<1, 32>>>(data + 32);
}
/* What is refused is told to the thread that asked, once; the others and the kernel go on. */
__global__ void __launch_bounds__(64) bounded(int *data) { data[0]++; }
__global__ void refusals(int *codes, int blocks)
{
    if (threadIdx.x == 0) {
        twice<<<blocks, 32>>>(codes);
        codes[0] = cudaPeekAtLastError();
        codes[1] = cudaGetLastError();
        codes[2] = cudaGetLastError();
    } else if (threadIdx.x == 1) {
        twice<<<1, blocks + 2048>>>(codes);
        codes[3] = cudaGetLastError();
    } else if (threadIdx.x == 2) {
        codes[4] = cudaGetLastError();
        bounded<<<1, 64>>>(codes + 5);
        codes[6] = cudaMemsetAsync((void *)8, 0, 64, 0) == cudaGetLastError();
    }
}
int main()
{
    static int order[16], out[300];
    const int wanted[] = { 1, 10, 20, 30, 40, 90 };
    int *d = on_device(order, 16), *o = on_device(out, 300);
    top<<<1, 32>>>(d);
    LAUNCHED();
    to_host(order, d, 16);
    for (int i = 0; i < 6; i++)
        CHECK(order[i] == wanted[i]);
    halve<<<1, 32>>>(o, range{ 0, 300, { 0, 0, 0, 0, 7 } }, 2.5);
    LAUNCHED();
    to_host(out, o, 300);
    for (int i = 0; i < 300; i++)
        CHECK(out[i] == (int)(2.5 * i) + 7);
    copies<<<1, 1>>>(o);
    LAUNCHED();
    to_host(out, o, 64);
    for (int i = 0; i < 32; i++)
        CHECK(out[i] == 0x02020202 && out[32 + i] == 0x04040404);
    cudaMemset(o, 0, 32 * sizeof(int));
    names<<<1, 1>>>(o);
    LAUNCHED();
    to_host(out, o, 32);
    for (int i = 0; i < 32; i++)
        CHECK(out[i] == 1015 + 10000 + 10010);
    int codes[8] = { -1, -1, -1, -1, -1, 7, -1, -1 };
    int *c = on_device(codes, 8);
    refusals<<<1, 32>>>(c, 0);
    LAUNCHED();
    to_host(codes, c, 8);
    CHECK(codes[0] == cudaErrorInvalidConfiguration && codes[1] == cudaErrorInvalidConfiguration && codes[2] == cudaSuccess);
    CHECK(codes[3] == cudaErrorInvalidConfiguration && codes[4] == cudaSuccess && codes[5] == 8 && codes[6] == 1);
    return done();
}
