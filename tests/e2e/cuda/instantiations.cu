// flags: -Xcompiler -fopenmp -lgomp --no-compress -diag-warn 177 --Wno-deprecated-gpu-targets
// Instantiations of one kernel pay for their own shared memory, launch bounds are told, stacks may start before their array,
// and OpenMP's library is the one that made the threads.
#include "check.h"
#include <omp.h>
#if !defined(__NVCC__) || __CUDACC_VER_MAJOR__ < 9
#error "programs take this for the host's compiler, or for an old nvcc"
#endif

template <int N> __global__ void reversed(int *out)
{
    __shared__ int s[N];
    for (int i = threadIdx.x; i < N; i += blockDim.x)
        s[i] = i;
    __syncthreads();
    out[threadIdx.x] = s[N - 1 - threadIdx.x];
}
template <int N> void check_shared(int *out)
{
    int h[32];
    reversed<N><<<1, 32>>>(out);
    LAUNCHED();
    to_host(h, out, 32);
    for (int i = 0; i < 32; i++)
        CHECK(h[i] == N - 1 - i);
    cudaFuncAttributes of;
    CALL(cudaFuncGetAttributes(&of, reversed<N>));
    CHECK(of.sharedSizeBytes == N * sizeof(int) && of.maxThreadsPerBlock == 1024);
    int blocks;
    CALL(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, reversed<N>, 32, 0));
    CHECK(blocks >= 1);
}
template <int N> __global__ void __launch_bounds__(N) bounded(int *out) { out[threadIdx.x] = N; }

class Stack {
    int kept[16], *top;
public:
    __device__ Stack() : top(kept - 1) {}
    __device__ void push(int v) { *++top = v; }
    __device__ int pop() { return *top--; }
    __device__ bool empty() const { return top < kept; }
};
__device__ __noinline__ void fill(Stack &s, int n)
{
    for (int i = 0; i < n; i++)
        s.push(i + n);
}
__global__ void stacks(int *out)
{
    Stack s;
    fill(s, 4 + threadIdx.x % 8);
    int sum = 0;
    while (!s.empty())
        sum = sum * 3 + s.pop();
    out[threadIdx.x] = sum;
}
static void check_stacks(int *out)
{
    int h[32];
    stacks<<<1, 32>>>(out);
    LAUNCHED();
    to_host(h, out, 32);
    for (int t = 0; t < 32; t++) {
        int sum = 0, n = 4 + t % 8;
        for (int i = n; i-- > 0;)
            sum = sum * 3 + i + n;
        CHECK(h[t] == sum);
    }
}
int main()
{
    int *out = on_device<int>(nullptr, 32);
    check_shared<4096>(out);
    check_shared<8192>(out);
    check_shared<12288>(out);
    cudaFuncAttributes of;
    CALL(cudaFuncGetAttributes(&of, bounded<96>));
    CHECK(of.maxThreadsPerBlock == 96);
    bounded<96><<<1, 128>>>(out);
    CHECK(cudaGetLastError() == cudaErrorLaunchOutOfResources);
    check_stacks(out);
    int numbers = 0;
#pragma omp parallel num_threads(3) reduction(+ : numbers)
    numbers += 1 + omp_get_thread_num();
    CHECK(numbers == 6);
    return done();
}
