// The other file of linked.cu.
#include "linked.h"
static __device__ float own = 7;
__device__ int counter;
__constant__ float scale[4];
__device__ float *pointer = &own;
extern "C" __device__ float twice(float x) { return 2 * x; }
static __device__ float halved(float x) { return x * 0.5f; }
static __device__ float more(float x) { return x + 100; }
static __device__ float eightfold(float x) { return 8 * x; }
__device__ unary there = eightfold;
__device__ unary choose(int i) { return i % 2 ? halved : more; }
__host__ __device__ particle::particle() : x(1), v(1) {}
__device__ void particle::advance(float dt) { x += v * dt; }
static __global__ void tell(float *out) { *out = own; }
__global__ void remote(float *out) { out[threadIdx.x] = (float)threadIdx.x + own; }
__device__ int chosen() { return 2; }
static __global__ void look(int *out)
{
    out[0] = in_both;
    out[1] = next_number();
}
void see_in_both(int *out)
{
    look<<<1, 1>>>(out);
    LAUNCHED();
}
int count_of_the_other_file()
{
    int n;
    CALL(cudaMemcpyFromSymbol(&n, counter, sizeof n));
    return n;
}
void tell_of_the_other_file(float *out)
{
    tell<<<1, 1>>>(out);
    LAUNCHED();
}
