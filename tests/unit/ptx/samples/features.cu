/* What compilers make of common device code; features_*.ptx beside this file were made from it, see test_files.c. */
#ifdef __clang__
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __noinline__ __attribute__((noinline))
static __device__ inline unsigned thread() { return __nvvm_read_ptx_sreg_tid_x(); }
static __device__ inline unsigned block() { return __nvvm_read_ptx_sreg_ctaid_x(); }
static __device__ inline unsigned width() { return __nvvm_read_ptx_sreg_ntid_x(); }
#define __syncthreads() __nvvm_bar_sync(0)
#define atomicAdd(p, v) __nvvm_atom_add_gen_i(p, v)
#else
static __device__ inline unsigned thread() { return threadIdx.x; }
static __device__ inline unsigned block() { return blockIdx.x; }
static __device__ inline unsigned width() { return blockDim.x; }
#endif
__constant__ float table[8] = { 1.0f, 2.0f, 0.5f };
__device__ int counter = 7;
__device__ int *pointer = &counter;
struct Shape {
    __device__ virtual int area(int x) const { return x + 1; }
};
struct Square : Shape {
    __device__ int area(int x) const override { return x * x; }
};
struct Block { int a[12]; double b; };
__device__ __noinline__ int factorial(int n) { return n < 2 ? 1 : n * factorial(n - 1) + counter; }
__device__ __noinline__ Block change(Block in, int x)
{
    in.a[x & 7] += x;
    in.b *= 2.0;
    return in;
}
__global__ void control(int *out, int n)
{
    unsigned i = block() * width() + thread();
    if (i >= (unsigned)n)
        return;
    int sum = 0;
    for (int k = 0; k < n; k++) {
        if (k % 3 == 0)
            continue;
        if (out[k] == 12345)
            break;
        switch (out[k] & 7) {
        case 0: sum += 3; break;
        case 1: sum ^= 5; break;
        case 2: sum *= 7; break;
        case 3: sum -= k; break;
        case 4: sum |= 9; break;
        case 5: sum = sum << 3 | k; break;
        default: sum = -sum;
        }
    }
    out[i] = sum > 3 && (i & 1) ? factorial(sum & 7) : *pointer;
}
__global__ void values(Block *blocks, float *f, double *d, long long *l, unsigned char *c)
{
    __shared__ float tile[64];
    unsigned i = thread();
    tile[i & 63] = f[i] * table[i & 7] + 0.25f;
    __syncthreads();
    f[i] = tile[(i + 1) & 63] / 3.0f;
    d[i] = (double)f[i] * d[i + 1];
    l[i] = l[i] / 7 + (l[i] % 13) * (long long)c[i];
    c[i] = (unsigned char)(c[i + 1] + (int)f[i]);
    blocks[i] = change(blocks[i], (int)i);
    atomicAdd(&counter, 1);
    Square square;
    Shape shape;
    const Shape *s = i & 1 ? &square : &shape;
    c[i] = (unsigned char)s->area((int)i);
}
