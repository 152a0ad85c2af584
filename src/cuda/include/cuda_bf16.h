/* bfloat16: the upper half of a float. Arithmetic goes through float and rounds once, which is what one operation of bfloat16 is (a fused
 * one goes through double on the host, and is one instruction on the device). */
#ifndef WARPLINE_CUDA_BF16_H
#define WARPLINE_CUDA_BF16_H
#include "bits/names_hidden.h"
#include "cuda_runtime.h"
#if defined(__cplusplus)

#define WARPLINE_BF16 static __host__ __device__ __forceinline__
namespace warpline {
WARPLINE_BF16 float bf16_bits_to_float(unsigned short b) { return __builtin_bit_cast(float, (unsigned)b << 16); }
WARPLINE_BF16 unsigned short float_to_bf16_bits(float f)
{
    const unsigned bits = __builtin_bit_cast(unsigned, f);
    if ((bits & 0x7fffffffu) > 0x7f800000u)
        return 0x7fff;
    return (unsigned short)((bits + 0x7fffu + (bits >> 16 & 1u)) >> 16);
}
/* Through float with its last bit odd where digits were lost, so that the second rounding sees them. */
WARPLINE_BF16 unsigned short double_to_bf16_bits(double d)
{
    float f = (float)d;
    unsigned bits = __builtin_bit_cast(unsigned, f);
    if ((double)f != d && d == d && (bits & 0x7fffffffu) != 0x7f800000u) {
        const bool away = (d < 0 ? -(double)f : (double)f) > (d < 0 ? -d : d);
        bits = (bits - (away ? 1u : 0u)) | 1u;
        f = __builtin_bit_cast(float, bits);
    }
    return float_to_bf16_bits(f);
}
} /* namespace warpline */

/* The bits alone, as interfaces in C pass them. */
typedef struct __attribute__((aligned(2))) { unsigned short x; } __nv_bfloat16_raw;
typedef struct __attribute__((aligned(4))) { unsigned short x, y; } __nv_bfloat162_raw;
struct __attribute__((aligned(2))) __nv_bfloat16 {
    unsigned short bits;
    __nv_bfloat16() = default;
    __host__ __device__ __nv_bfloat16(const __nv_bfloat16_raw &r) : bits(r.x) {}
    __host__ __device__ operator __nv_bfloat16_raw() const { return __nv_bfloat16_raw{bits}; }
    __host__ __device__ __nv_bfloat16(float f) : bits(warpline::float_to_bf16_bits(f)) {}
    __host__ __device__ __nv_bfloat16(double d) : bits(warpline::double_to_bf16_bits(d)) {}
    __host__ __device__ __nv_bfloat16(int i) : bits(warpline::double_to_bf16_bits(i)) {}
    __host__ __device__ __nv_bfloat16(unsigned i) : bits(warpline::double_to_bf16_bits(i)) {}
    __host__ __device__ __nv_bfloat16(short i) : bits(warpline::double_to_bf16_bits(i)) {}
    __host__ __device__ __nv_bfloat16(unsigned short i) : bits(warpline::double_to_bf16_bits(i)) {}
    __host__ __device__ __nv_bfloat16(long i) : bits(warpline::double_to_bf16_bits((double)i)) {}
    __host__ __device__ __nv_bfloat16(unsigned long i) : bits(warpline::double_to_bf16_bits((double)i)) {}
    __host__ __device__ __nv_bfloat16(long long i) : bits(warpline::double_to_bf16_bits((double)i)) {}
    __host__ __device__ __nv_bfloat16(unsigned long long i) : bits(warpline::double_to_bf16_bits((double)i)) {}
    __host__ __device__ operator float() const { return warpline::bf16_bits_to_float(bits); }
};
typedef __nv_bfloat16 nv_bfloat16;
struct __attribute__((aligned(4))) __nv_bfloat162 {
    __nv_bfloat16 x, y;
    __nv_bfloat162() = default;
    __host__ __device__ __nv_bfloat162(const __nv_bfloat162_raw &r) : x(__nv_bfloat16_raw{r.x}), y(__nv_bfloat16_raw{r.y}) {}
    __host__ __device__ operator __nv_bfloat162_raw() const { return __nv_bfloat162_raw{x.bits, y.bits}; }
    __host__ __device__ __nv_bfloat162(__nv_bfloat16 a, __nv_bfloat16 b) : x(a), y(b) {}
};
typedef __nv_bfloat162 nv_bfloat162;

WARPLINE_BF16 __nv_bfloat16 __float2bfloat16(float f) { return __nv_bfloat16(f); }
WARPLINE_BF16 __nv_bfloat16 __float2bfloat16_rn(float f) { return __nv_bfloat16(f); }
WARPLINE_BF16 __nv_bfloat16 __double2bfloat16(double d) { return __nv_bfloat16(d); }
WARPLINE_BF16 __nv_bfloat16 __int2bfloat16_rn(int i) { return __nv_bfloat16(i); }
WARPLINE_BF16 __nv_bfloat16 __uint2bfloat16_rn(unsigned i) { return __nv_bfloat16(i); }
WARPLINE_BF16 float __bfloat162float(__nv_bfloat16 b) { return (float)b; }
WARPLINE_BF16 float __internal_bfloat162float(unsigned short b) { return (float)__nv_bfloat16(__nv_bfloat16_raw{b}); } /* flashinfer's code names it */
WARPLINE_BF16 int __bfloat162int_rn(__nv_bfloat16 b) { return (int)rintf((float)b); }
WARPLINE_BF16 int __bfloat162int_rz(__nv_bfloat16 b) { return (int)(float)b; }
WARPLINE_BF16 __nv_bfloat16 __ushort_as_bfloat16(unsigned short u) { __nv_bfloat16 b; b.bits = u; return b; }
WARPLINE_BF16 unsigned short __bfloat16_as_ushort(__nv_bfloat16 b) { return b.bits; }
WARPLINE_BF16 __nv_bfloat16 __short_as_bfloat16(short s) { return __ushort_as_bfloat16((unsigned short)s); }
WARPLINE_BF16 short __bfloat16_as_short(__nv_bfloat16 b) { return (short)b.bits; }
WARPLINE_BF16 __nv_bfloat162 __halves2bfloat162(__nv_bfloat16 a, __nv_bfloat16 b) { return __nv_bfloat162(a, b); }
WARPLINE_BF16 __nv_bfloat162 make_bfloat162(__nv_bfloat16 a, __nv_bfloat16 b) { return __nv_bfloat162(a, b); }
WARPLINE_BF16 __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16 a) { return __nv_bfloat162(a, a); }
WARPLINE_BF16 __nv_bfloat162 __float2bfloat162_rn(float f) { return __nv_bfloat162(__nv_bfloat16(f), __nv_bfloat16(f)); }
WARPLINE_BF16 __nv_bfloat162 __floats2bfloat162_rn(float a, float b) { return __nv_bfloat162(__nv_bfloat16(a), __nv_bfloat16(b)); }
WARPLINE_BF16 __nv_bfloat162 __float22bfloat162_rn(float2 f) { return __floats2bfloat162_rn(f.x, f.y); }
WARPLINE_BF16 float2 __bfloat1622float2(__nv_bfloat162 b) { return make_float2((float)b.x, (float)b.y); }
WARPLINE_BF16 __nv_bfloat16 __low2bfloat16(__nv_bfloat162 b) { return b.x; }
WARPLINE_BF16 __nv_bfloat16 __high2bfloat16(__nv_bfloat162 b) { return b.y; }
WARPLINE_BF16 __nv_bfloat162 __low2bfloat162(__nv_bfloat162 b) { return __nv_bfloat162(b.x, b.x); }
WARPLINE_BF16 __nv_bfloat162 __high2bfloat162(__nv_bfloat162 b) { return __nv_bfloat162(b.y, b.y); }
WARPLINE_BF16 __nv_bfloat162 __lowhigh2highlow(__nv_bfloat162 b) { return __nv_bfloat162(b.y, b.x); }
WARPLINE_BF16 float __low2float(__nv_bfloat162 b) { return (float)b.x; }
WARPLINE_BF16 float __high2float(__nv_bfloat162 b) { return (float)b.y; }

/* Each operation on one, and on the two of a pair. */
#define WARPLINE_BF16_TWO(name, pair_name, expression)                                                            \
    WARPLINE_BF16 __nv_bfloat16 name(__nv_bfloat16 a, __nv_bfloat16 b) { return __nv_bfloat16(expression); }      \
    WARPLINE_BF16 __nv_bfloat162 pair_name(__nv_bfloat162 a, __nv_bfloat162 b) { return __nv_bfloat162(name(a.x, b.x), name(a.y, b.y)); }
WARPLINE_BF16_TWO(__hadd, __hadd2, (float)a + (float)b)
WARPLINE_BF16_TWO(__hsub, __hsub2, (float)a - (float)b)
WARPLINE_BF16_TWO(__hmul, __hmul2, (float)a * (float)b)
WARPLINE_BF16_TWO(__hdiv, __h2div, (float)a / (float)b)
WARPLINE_BF16_TWO(__hmax, __hmax2, fmaxf((float)a, (float)b))
WARPLINE_BF16_TWO(__hmin, __hmin2, fminf((float)a, (float)b))
#undef WARPLINE_BF16_TWO
WARPLINE_BF16 __nv_bfloat16 __hneg(__nv_bfloat16 a) { return __ushort_as_bfloat16((unsigned short)(a.bits ^ 0x8000u)); }
WARPLINE_BF16 __nv_bfloat16 __habs(__nv_bfloat16 a) { return __ushort_as_bfloat16((unsigned short)(a.bits & 0x7fffu)); }
WARPLINE_BF16 __nv_bfloat162 __hneg2(__nv_bfloat162 a) { return __nv_bfloat162(__hneg(a.x), __hneg(a.y)); }
WARPLINE_BF16 __nv_bfloat162 __habs2(__nv_bfloat162 a) { return __nv_bfloat162(__habs(a.x), __habs(a.y)); }
/* The product is exact in double; the sum is not quite, and what is lost lies far below what is kept. */
WARPLINE_BF16 __nv_bfloat16 __hfma(__nv_bfloat16 a, __nv_bfloat16 b, __nv_bfloat16 c)
{
    return __nv_bfloat16((double)(float)a * (double)(float)b + (double)(float)c);
}
WARPLINE_BF16 __nv_bfloat162 __hfma2(__nv_bfloat162 a, __nv_bfloat162 b, __nv_bfloat162 c)
{
    return __nv_bfloat162(__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y));
}
WARPLINE_BF16 bool __hisnan(__nv_bfloat16 a) { return (a.bits & 0x7fffu) > 0x7f80u; }
WARPLINE_BF16 int __hisinf(__nv_bfloat16 a) { return (a.bits & 0x7fffu) == 0x7f80u ? (a.bits & 0x8000u ? -1 : 1) : 0; }
#define WARPLINE_BF16_COMPARE(name, op)                                                                                              \
    WARPLINE_BF16 bool name(__nv_bfloat16 a, __nv_bfloat16 b) { return (float)a op (float)b; }                                       \
    WARPLINE_BF16 bool operator op(const __nv_bfloat16 &a, const __nv_bfloat16 &b) { return (float)a op (float)b; }                  \
    WARPLINE_BF16 __nv_bfloat162 name##2(__nv_bfloat162 a, __nv_bfloat162 b)                                                         \
    { return __floats2bfloat162_rn(name(a.x, b.x) ? 1.0f : 0.0f, name(a.y, b.y) ? 1.0f : 0.0f); }
WARPLINE_BF16_COMPARE(__heq, ==)
WARPLINE_BF16_COMPARE(__hlt, <)
WARPLINE_BF16_COMPARE(__hle, <=)
WARPLINE_BF16_COMPARE(__hgt, >)
WARPLINE_BF16_COMPARE(__hge, >=)
#undef WARPLINE_BF16_COMPARE
WARPLINE_BF16 bool __hne(__nv_bfloat16 a, __nv_bfloat16 b) { return (float)a < (float)b || (float)a > (float)b; }
WARPLINE_BF16 bool operator!=(const __nv_bfloat16 &a, const __nv_bfloat16 &b) { return (float)a != (float)b; }
#define WARPLINE_BF16_OPERATOR(op, name, pair_name)                                                                                   \
    WARPLINE_BF16 __nv_bfloat16 operator op(const __nv_bfloat16 &a, const __nv_bfloat16 &b) { return name(a, b); }                    \
    WARPLINE_BF16 __nv_bfloat162 operator op(const __nv_bfloat162 &a, const __nv_bfloat162 &b) { return pair_name(a, b); }            \
    WARPLINE_BF16 __nv_bfloat16 &operator op##=(__nv_bfloat16 &a, const __nv_bfloat16 &b) { return a = name(a, b); }                  \
    WARPLINE_BF16 __nv_bfloat162 &operator op##=(__nv_bfloat162 &a, const __nv_bfloat162 &b) { return a = pair_name(a, b); }
WARPLINE_BF16_OPERATOR(+, __hadd, __hadd2)
WARPLINE_BF16_OPERATOR(-, __hsub, __hsub2)
WARPLINE_BF16_OPERATOR(*, __hmul, __hmul2)
WARPLINE_BF16_OPERATOR(/, __hdiv, __h2div)
#undef WARPLINE_BF16_OPERATOR
WARPLINE_BF16 __nv_bfloat16 operator-(const __nv_bfloat16 &a) { return __hneg(a); }
WARPLINE_BF16 __nv_bfloat162 operator-(const __nv_bfloat162 &a) { return __hneg2(a); }
WARPLINE_BF16 __nv_bfloat16 operator+(const __nv_bfloat16 &a) { return a; }
WARPLINE_BF16 __nv_bfloat162 operator+(const __nv_bfloat162 &a) { return a; }
WARPLINE_BF16 __nv_bfloat16 &operator++(__nv_bfloat16 &a) { return a = __hadd(a, __nv_bfloat16(1.0f)); }
WARPLINE_BF16 __nv_bfloat16 &operator--(__nv_bfloat16 &a) { return a = __hsub(a, __nv_bfloat16(1.0f)); }
WARPLINE_BF16 __nv_bfloat16 operator++(__nv_bfloat16 &a, int) { const __nv_bfloat16 before = a; ++a; return before; }
WARPLINE_BF16 __nv_bfloat16 operator--(__nv_bfloat16 &a, int) { const __nv_bfloat16 before = a; --a; return before; }
#if defined(__CUDA__)
#define WARPLINE_BF16_FUNCTION(name, f)                                                                                    \
    static __device__ __forceinline__ __nv_bfloat16 h##name(__nv_bfloat16 a) { return __nv_bfloat16(f((float)a)); }        \
    static __device__ __forceinline__ __nv_bfloat162 h2##name(__nv_bfloat162 a) { return __nv_bfloat162(h##name(a.x), h##name(a.y)); }
WARPLINE_BF16_FUNCTION(exp, expf)
WARPLINE_BF16_FUNCTION(exp2, exp2f)
WARPLINE_BF16_FUNCTION(exp10, exp10f)
WARPLINE_BF16_FUNCTION(log, logf)
WARPLINE_BF16_FUNCTION(log2, log2f)
WARPLINE_BF16_FUNCTION(log10, log10f)
WARPLINE_BF16_FUNCTION(sqrt, sqrtf)
WARPLINE_BF16_FUNCTION(rsqrt, rsqrtf)
WARPLINE_BF16_FUNCTION(rcp, 1.0f /)
WARPLINE_BF16_FUNCTION(sin, sinf)
WARPLINE_BF16_FUNCTION(cos, cosf)
WARPLINE_BF16_FUNCTION(floor, floorf)
WARPLINE_BF16_FUNCTION(ceil, ceilf)
WARPLINE_BF16_FUNCTION(trunc, truncf)
WARPLINE_BF16_FUNCTION(rint, rintf)
#undef WARPLINE_BF16_FUNCTION
static __device__ __forceinline__ __nv_bfloat16 __ldg(const __nv_bfloat16 *p) { return __ushort_as_bfloat16(__ldg((const unsigned short *)p)); }
#define WARPLINE_BF16_LOADS(name)                                                                                                            \
    static __device__ __forceinline__ __nv_bfloat16 name(const __nv_bfloat16 *p) { return __ushort_as_bfloat16(name((const unsigned short *)p)); } \
    static __device__ __forceinline__ __nv_bfloat162 name(const __nv_bfloat162 *p) { return __builtin_bit_cast(__nv_bfloat162, name((const unsigned *)p)); }
WARPLINE_BF16_LOADS(__ldca)
WARPLINE_BF16_LOADS(__ldcg)
WARPLINE_BF16_LOADS(__ldcs)
WARPLINE_BF16_LOADS(__ldcv)
WARPLINE_BF16_LOADS(__ldlu)
#undef WARPLINE_BF16_LOADS
#define WARPLINE_BF16_STORES(name)                                                                                                           \
    static __device__ __forceinline__ void name(__nv_bfloat16 *p, __nv_bfloat16 v) { name((unsigned short *)p, v.bits); }                    \
    static __device__ __forceinline__ void name(__nv_bfloat162 *p, __nv_bfloat162 v) { name((unsigned *)p, __builtin_bit_cast(unsigned, v)); }
WARPLINE_BF16_STORES(__stcg)
WARPLINE_BF16_STORES(__stcs)
WARPLINE_BF16_STORES(__stwb)
WARPLINE_BF16_STORES(__stwt)
#undef WARPLINE_BF16_STORES
static __device__ __forceinline__ __nv_bfloat162 __ldg(const __nv_bfloat162 *p) { return __builtin_bit_cast(__nv_bfloat162, __ldg((const unsigned *)p)); }
#define WARPLINE_BF16_SHUFFLE(name, offset_type)                                                                                     \
    static __device__ __forceinline__ __nv_bfloat16 name(unsigned mask, __nv_bfloat16 v, offset_type offset, int width = 32)         \
    { return __ushort_as_bfloat16((unsigned short)name(mask, (unsigned)v.bits, offset, width)); }                                    \
    static __device__ __forceinline__ __nv_bfloat162 name(unsigned mask, __nv_bfloat162 v, offset_type offset, int width = 32)       \
    { return __builtin_bit_cast(__nv_bfloat162, name(mask, __builtin_bit_cast(unsigned, v), offset, width)); }
WARPLINE_BF16_SHUFFLE(__shfl_sync, int)
WARPLINE_BF16_SHUFFLE(__shfl_up_sync, unsigned)
WARPLINE_BF16_SHUFFLE(__shfl_down_sync, unsigned)
WARPLINE_BF16_SHUFFLE(__shfl_xor_sync, int)
#undef WARPLINE_BF16_SHUFFLE
/* A loop of compare-and-swap: atom.add.bf16 belongs to sm_90, and clang's sm_70 is the default. */
static __device__ __forceinline__ __nv_bfloat162 atomicAdd(__nv_bfloat162 *address, __nv_bfloat162 value)
{
    unsigned *word = (unsigned *)address, old = *word, seen;
    do {
        seen = old;
        old = atomicCAS(word, seen, __builtin_bit_cast(unsigned, __hadd2(__builtin_bit_cast(__nv_bfloat162, seen), value)));
    } while (old != seen);
    return __builtin_bit_cast(__nv_bfloat162, old);
}
static __device__ __forceinline__ __nv_bfloat16 atomicAdd(__nv_bfloat16 *address, __nv_bfloat16 value)
{
    unsigned *word = (unsigned *)((size_t)address & ~(size_t)3), old = *word, seen;
    const unsigned shift = (size_t)address & 2 ? 16 : 0;
    do {
        seen = old;
        const __nv_bfloat16 sum = __hadd(__ushort_as_bfloat16((unsigned short)(seen >> shift)), value);
        old = atomicCAS(word, seen, (seen & ~(0xffffu << shift)) | (unsigned)sum.bits << shift);
    } while (old != seen);
    return __ushort_as_bfloat16((unsigned short)(old >> shift));
}
#endif
#undef WARPLINE_BF16
#include "bits/bf16_more.h"
#endif
#include "bits/names_shown.h"
#endif
