// PTX written into CUDA source: special registers one by one and as vectors, carries, named barriers, asynchronous copies, shuffles, and a
// product of matrices fed by ldmatrix.
// nvcc-arch: 80
#include "check.h"
#include <cuda_fp16.h>

enum { RESULTS = 12 };

__global__ void scraps(unsigned *out, const float *in)
{
    __shared__ __align__(16) float staged[128];
    unsigned r[RESULTS], low, high, x, y, z, w;
    float4 four;
    asm volatile("mov.u32 %0, %%laneid;" : "=r"(r[0]));
    asm volatile("mov.u32 %0, %%nsmid;" : "=r"(r[1]));
    asm volatile("mov.u32 %0, %%lanemask_lt;" : "=r"(r[2]));
    asm("bfe.u32 %0, %1, 4, 8;" : "=r"(r[3]) : "r"(0x12345));
    asm("{ .reg .pred p; setp.gt.s32 p, %1, 5; selp.u32 %0, 10, 20, p; }" : "=r"(r[4]) : "r"(7));
    asm("lop3.b32 %0, %1, %2, %3, 0x96;" : "=r"(r[5]) : "r"(1), "r"(2), "r"(4));
    asm volatile("red.global.add.u32 [%0], %1;" ::"l"(out + RESULTS), "r"(1) : "memory");
    asm volatile("prefetch.global.L2 [%0];" ::"l"(in));
    asm volatile("ld.global.nc.v4.f32 {%0, %1, %2, %3}, [%4];" : "=f"(four.x), "=f"(four.y), "=f"(four.z), "=f"(four.w) : "l"(in));
    r[6] = (unsigned)four.w;
    const unsigned to = (unsigned)__cvta_generic_to_shared(staged + threadIdx.x * 4);
    asm volatile("cp.async.ca.shared.global [%0], [%1], 16;" ::"r"(to), "l"(in + threadIdx.x * 4));
    asm volatile("cp.async.commit_group;");
    asm volatile("cp.async.wait_group 0;" ::: "memory");
    __syncthreads();
    r[7] = (unsigned)staged[127];
    asm volatile("mov.v4.u32 {%0, %1, %2, %3}, %%ntid;" : "=r"(x), "=r"(y), "=r"(z), "=r"(w));
    r[8] = x * 1000 + y * 100 + z * 10 + w;
    asm("mov.b64 {%0, %1}, %2;" : "=r"(low), "=r"(high) : "l"(0x500000007ull));
    r[9] = low * 10 + high;
    asm("add.cc.u32 %0, %2, %3; addc.u32 %1, 0, 0;" : "=r"(low), "=r"(high) : "r"(0xffffffffu), "r"(2));
    r[10] = low * 10 + high;
    asm volatile("bar.sync 1, 32;");
    asm volatile("{ .reg .b32 t; mov.b32 t, %1; shfl.sync.bfly.b32 %0, t, 1, 31, -1; }" : "=r"(r[11]) : "r"(threadIdx.x));
    if (threadIdx.x == 3)
        for (int i = 0; i < RESULTS; i++)
            out[i] = r[i];
}

/* 16 x 16 times 16 x 8, both by rows. */
__global__ void product(const half *a, const half *b, float *c)
{
    __shared__ __align__(16) half left[256], right[128];
    for (int i = threadIdx.x; i < 256; i += 32)
        left[i] = a[i];
    for (int i = threadIdx.x; i < 128; i += 32)
        right[i] = b[i];
    __syncthreads();
    const int lane = threadIdx.x, group = lane / 4, member = lane % 4;
    const unsigned from_left = (unsigned)__cvta_generic_to_shared(&left[lane % 16 * 16 + lane / 16 * 8]);
    const unsigned from_right = (unsigned)__cvta_generic_to_shared(&right[lane % 16 * 8]);
    unsigned l[4], r[2];
    float d[4] = {1, 1, 1, 1};
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];" : "=r"(l[0]), "=r"(l[1]), "=r"(l[2]), "=r"(l[3]) : "r"(from_left));
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];" : "=r"(r[0]), "=r"(r[1]) : "r"(from_right));
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                 : "r"(l[0]), "r"(l[1]), "r"(l[2]), "r"(l[3]), "r"(r[0]), "r"(r[1]));
    for (int i = 0; i < 4; i++)
        c[(group + i / 2 * 8) * 8 + member * 2 + i % 2] = d[i];
}

/* Registers of eight bits between a load or store and a conversion, as CUB has them. */
__global__ void bytes(const signed char *from, signed char *to, int *wide)
{
    unsigned short narrow;
    asm("{ .reg .s8 datum; ld.cg.s8 datum, [%1]; cvt.s16.s8 %0, datum; }" : "=h"(narrow) : "l"(from + threadIdx.x) : "memory");
    wide[threadIdx.x] = (short)narrow;
    asm volatile("{ .reg .u8 datum; cvt.u8.u16 datum, %1; st.cg.u8 [%0], datum; }" ::"l"(to + threadIdx.x), "h"((unsigned short)(narrow + 0x100)) : "memory");
}

int main()
{
    float numbers[128];
    for (int i = 0; i < 128; i++)
        numbers[i] = (float)i;
    unsigned *out = on_device<unsigned>(nullptr, RESULTS + 1), host[RESULTS + 1];
    scraps<<<1, 32>>>(out, on_device(numbers, 128));
    LAUNCHED();
    to_host(host, out, RESULTS + 1);
    cudaDeviceProp device;
    CALL(cudaGetDeviceProperties(&device, 0));
    const unsigned wanted[RESULTS + 1] = {3, (unsigned)device.multiProcessorCount, 7, 0x34, 10, 7, 3, 127, 32110, 75, 11, 2, 32};
    for (int i = 0; i <= RESULTS; i++)
        CHECK(host[i] == wanted[i]);

    half a[256], b[128];
    float c[128];
    for (int i = 0; i < 256; i++)
        a[i] = __float2half((float)(i * 7 % 11 - 5));
    for (int i = 0; i < 128; i++)
        b[i] = __float2half((float)(i * 5 % 13 - 6));
    float *sum = on_device<float>(nullptr, 128);
    product<<<1, 32>>>(on_device(a, 256), on_device(b, 128), sum);
    LAUNCHED();
    to_host(c, sum, 128);
    for (int i = 0; i < 16; i++)
        for (int j = 0; j < 8; j++) {
            float right = 1;
            for (int k = 0; k < 16; k++)
                right += __half2float(a[i * 16 + k]) * __half2float(b[k * 8 + j]);
            CHECK(c[i * 8 + j] == right);
        }
    const signed char few[] = { -128, -1, 0, 127 };
    signed char back[4];
    int wide[4];
    signed char *bytes_to = on_device<signed char>(nullptr, 4);
    int *wide_to = on_device<int>(nullptr, 4);
    bytes<<<1, 4>>>(on_device(few, 4), bytes_to, wide_to);
    LAUNCHED();
    to_host(back, bytes_to, 4);
    to_host(wide, wide_to, 4);
    for (int i = 0; i < 4; i++)
        CHECK(back[i] == few[i] && wide[i] == few[i]);
    return done();
}
