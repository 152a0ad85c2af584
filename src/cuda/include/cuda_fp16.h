/* Half precision: storage and arithmetic. Host arithmetic goes through float and rounds once, which is what one operation of
 * half precision is. */
#ifndef WARPLINE_CUDA_FP16_H
#define WARPLINE_CUDA_FP16_H
#include "bits/names_hidden.h"
#include "cuda_runtime.h"
#if defined(__cplusplus)

#define WARPLINE_HALF static __host__ __device__ __forceinline__
namespace warpline {
WARPLINE_HALF float half_bits_to_float(unsigned short h)
{
#if defined(__CUDA_ARCH__)
    float f;
    asm("cvt.f32.f16 %0, %1;" : "=f"(f) : "h"(h));
    return f;
#else
    const unsigned sign = (unsigned)(h >> 15) << 31, exponent = (h >> 10) & 31u, fraction = h & 1023u;
    unsigned bits;
    if (exponent == 31)
        bits = sign | 0x7f800000u | fraction << 13;
    else if (exponent)
        bits = sign | (exponent + 112) << 23 | fraction << 13;
    else {
        const float f = (float)fraction * 0x1p-24f;
        __builtin_memcpy(&bits, &f, 4);
        bits |= sign;
    }
    float f;
    __builtin_memcpy(&f, &bits, 4);
    return f;
#endif
}
WARPLINE_HALF unsigned short float_to_half_bits(float f)
{
#if defined(__CUDA_ARCH__)
    unsigned short h;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(h) : "f"(f));
    return h;
#else
    unsigned bits;
    __builtin_memcpy(&bits, &f, 4);
    const unsigned sign = bits >> 16 & 0x8000u, magnitude = bits & 0x7fffffffu;
    if (magnitude > 0x7f800000u)
        return (unsigned short)(sign | 0x7fffu);
    if (magnitude >= 0x477ff000u) /* 65520 and above round to infinity */
        return (unsigned short)(sign | 0x7c00u);
    if (magnitude < 0x38800000u) { /* below 2^-14: a multiple of 2^-24, which float addition rounds to */
        float a;
        __builtin_memcpy(&a, &magnitude, 4);
        a += 0.5f;
        __builtin_memcpy(&bits, &a, 4);
        return (unsigned short)(sign | (bits - 0x3f000000u));
    }
    return (unsigned short)(sign | ((magnitude + 0xfffu + (magnitude >> 13 & 1u) - 0x38000000u) >> 13));
#endif
}
} /* namespace warpline */

/* The bits alone, as interfaces in C pass them. */
typedef struct __attribute__((aligned(2))) { unsigned short x; } __half_raw;
typedef struct __attribute__((aligned(4))) { unsigned short x, y; } __half2_raw;
struct __attribute__((aligned(2))) __half {
    unsigned short bits;
    __half() = default;
    __host__ __device__ __half(const __half_raw &r) : bits(r.x) {}
    __host__ __device__ operator __half_raw() const { return __half_raw{bits}; }
    __host__ __device__ __half(float f) : bits(warpline::float_to_half_bits(f)) {}
    __host__ __device__ __half(double d) : bits(warpline::float_to_half_bits((float)d)) {}
    __host__ __device__ __half(int i) : bits(warpline::float_to_half_bits((float)i)) {}
    __host__ __device__ __half(unsigned int i) : bits(warpline::float_to_half_bits((float)i)) {}
    __host__ __device__ __half(short i) : bits(warpline::float_to_half_bits((float)i)) {}
    __host__ __device__ __half(unsigned short i) : bits(warpline::float_to_half_bits((float)i)) {}
    __host__ __device__ __half(long i) : bits(warpline::float_to_half_bits((float)i)) {}
    __host__ __device__ __half(unsigned long i) : bits(warpline::float_to_half_bits((float)i)) {}
    __host__ __device__ __half(long long i) : bits(warpline::float_to_half_bits((float)i)) {}
    __host__ __device__ __half(unsigned long long i) : bits(warpline::float_to_half_bits((float)i)) {}
    __host__ __device__ operator float() const { return warpline::half_bits_to_float(bits); }
};
typedef __half half;
struct __attribute__((aligned(4))) __half2 {
    __half x, y;
    __half2() = default;
    __host__ __device__ __half2(const __half2_raw &r) : x(__half_raw{r.x}), y(__half_raw{r.y}) {}
    __host__ __device__ operator __half2_raw() const { return __half2_raw{x.bits, y.bits}; }
    __host__ __device__ __half2(__half a, __half b) : x(a), y(b) {}
};
typedef __half2 half2;

WARPLINE_HALF __half __float2half(float f) { return __half(f); }
WARPLINE_HALF __half __float2half_rn(float f) { return __half(f); }
WARPLINE_HALF float __half2float(__half h) { return (float)h; }
WARPLINE_HALF __half __int2half_rn(int i) { return __half((float)i); }
WARPLINE_HALF int __half2int_rn(__half h) { return (int)rintf((float)h); }
WARPLINE_HALF __half __ushort_as_half(unsigned short u) { __half h; h.bits = u; return h; }
WARPLINE_HALF unsigned short __half_as_ushort(__half h) { return h.bits; }
WARPLINE_HALF __half2 __halves2half2(__half a, __half b) { return __half2(a, b); }
WARPLINE_HALF __half2 __half2half2(__half a) { return __half2(a, a); }
WARPLINE_HALF __half2 __float2half2_rn(float f) { return __half2(__half(f), __half(f)); }
WARPLINE_HALF __half2 __floats2half2_rn(float a, float b) { return __half2(__half(a), __half(b)); }
WARPLINE_HALF float2 __half22float2(__half2 h) { return make_float2((float)h.x, (float)h.y); }
WARPLINE_HALF __half __low2half(__half2 h) { return h.x; }
WARPLINE_HALF __half __high2half(__half2 h) { return h.y; }
WARPLINE_HALF float __low2float(__half2 h) { return (float)h.x; }
WARPLINE_HALF float __high2float(__half2 h) { return (float)h.y; }

/* sum and product of two halves are exact in float, or rounded so finely that the second rounding cannot be seen */
#define WARPLINE_HALF2(name, op)                                                                  \
    WARPLINE_HALF __half name(__half a, __half b) { return __half((float)a op (float)b); }        \
    WARPLINE_HALF __half2 name##2(__half2 a, __half2 b) { return __half2(name(a.x, b.x), name(a.y, b.y)); }
WARPLINE_HALF2(__hadd, +)
WARPLINE_HALF2(__hsub, -)
WARPLINE_HALF2(__hmul, *)
#undef WARPLINE_HALF2
WARPLINE_HALF __half __hdiv(__half a, __half b) { return __half((float)a / (float)b); }
WARPLINE_HALF __half __hneg(__half a) { return __ushort_as_half((unsigned short)(a.bits ^ 0x8000u)); }
WARPLINE_HALF __half __habs(__half a) { return __ushort_as_half((unsigned short)(a.bits & 0x7fffu)); }
WARPLINE_HALF __half __hfma(__half a, __half b, __half c)
{
#if defined(__CUDA_ARCH__)
    unsigned short r;
    asm("fma.rn.f16 %0, %1, %2, %3;" : "=h"(r) : "h"(a.bits), "h"(b.bits), "h"(c.bits));
    return __ushort_as_half(r);
#else
    return __half((float)((double)(float)a * (double)(float)b + (double)(float)c));
#endif
}
WARPLINE_HALF __half2 __hfma2(__half2 a, __half2 b, __half2 c) { return __half2(__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)); }
#define WARPLINE_HALF_COMPARE(name, op) WARPLINE_HALF bool name(__half a, __half b) { return (float)a op (float)b; }
WARPLINE_HALF_COMPARE(__heq, ==)
WARPLINE_HALF_COMPARE(__hlt, <)
WARPLINE_HALF_COMPARE(__hle, <=)
WARPLINE_HALF_COMPARE(__hgt, >)
WARPLINE_HALF_COMPARE(__hge, >=)
#undef WARPLINE_HALF_COMPARE
WARPLINE_HALF bool __hne(__half a, __half b) { return (float)a < (float)b || (float)a > (float)b; } /* false of what is not a number */
/* Pairs: as a mask of 1.0, and whether it holds for both halves. The forms with u hold also when a number is not one. */
#define WARPLINE_HALF2_COMPARE(stem, unordered)                                                                                    \
    WARPLINE_HALF bool stem##u(__half a, __half b) { return unordered || stem(a, b); }                                             \
    WARPLINE_HALF __half2 stem##2(__half2 a, __half2 b) { return __half2(__half(stem(a.x, b.x) ? 1.0f : 0.0f), __half(stem(a.y, b.y) ? 1.0f : 0.0f)); }
#define WARPLINE_NAN ((float)a != (float)a || (float)b != (float)b)
WARPLINE_HALF2_COMPARE(__heq, WARPLINE_NAN)
WARPLINE_HALF2_COMPARE(__hne, WARPLINE_NAN)
WARPLINE_HALF2_COMPARE(__hlt, WARPLINE_NAN)
WARPLINE_HALF2_COMPARE(__hle, WARPLINE_NAN)
WARPLINE_HALF2_COMPARE(__hgt, WARPLINE_NAN)
WARPLINE_HALF2_COMPARE(__hge, WARPLINE_NAN)
#undef WARPLINE_HALF2_COMPARE
#undef WARPLINE_NAN
#define WARPLINE_HALF2_BOTH(name, stem) WARPLINE_HALF bool name(__half2 a, __half2 b) { return stem(a.x, b.x) && stem(a.y, b.y); }
WARPLINE_HALF2_BOTH(__hbeq2, __heq)
WARPLINE_HALF2_BOTH(__hbne2, __hne)
WARPLINE_HALF2_BOTH(__hblt2, __hlt)
WARPLINE_HALF2_BOTH(__hble2, __hle)
WARPLINE_HALF2_BOTH(__hbgt2, __hgt)
WARPLINE_HALF2_BOTH(__hbge2, __hge)
WARPLINE_HALF2_BOTH(__hbequ2, __hequ)
WARPLINE_HALF2_BOTH(__hbneu2, __hneu)
WARPLINE_HALF2_BOTH(__hbltu2, __hltu)
WARPLINE_HALF2_BOTH(__hbleu2, __hleu)
WARPLINE_HALF2_BOTH(__hbgtu2, __hgtu)
WARPLINE_HALF2_BOTH(__hbgeu2, __hgeu)
#undef WARPLINE_HALF2_BOTH
WARPLINE_HALF int __hisinf(__half a) { return (a.bits & 0x7fffu) == 0x7c00u ? (a.bits & 0x8000u ? -1 : 1) : 0; }
WARPLINE_HALF bool __hisnan(__half a) { return (a.bits & 0x7fffu) > 0x7c00u; }
WARPLINE_HALF __half __hmax(__half a, __half b) { return __half(fmaxf((float)a, (float)b)); }
WARPLINE_HALF __half __hmin(__half a, __half b) { return __half(fminf((float)a, (float)b)); }
WARPLINE_HALF __half2 __hmax2(__half2 a, __half2 b) { return __half2(__hmax(a.x, b.x), __hmax(a.y, b.y)); }
WARPLINE_HALF __half2 __hmin2(__half2 a, __half2 b) { return __half2(__hmin(a.x, b.x), __hmin(a.y, b.y)); }
WARPLINE_HALF __half2 __hneg2(__half2 a) { return __half2(__hneg(a.x), __hneg(a.y)); }
WARPLINE_HALF __half2 __habs2(__half2 a) { return __half2(__habs(a.x), __habs(a.y)); }
WARPLINE_HALF __half2 __h2div(__half2 a, __half2 b) { return __half2(__hdiv(a.x, b.x), __hdiv(a.y, b.y)); }
WARPLINE_HALF __half2 __lowhigh2highlow(__half2 a) { return __half2(a.y, a.x); }
WARPLINE_HALF __half2 __low2half2(__half2 a) { return __half2(a.x, a.x); }
WARPLINE_HALF __half2 __high2half2(__half2 a) { return __half2(a.y, a.y); }
WARPLINE_HALF __half2 __lows2half2(__half2 a, __half2 b) { return __half2(a.x, b.x); }
WARPLINE_HALF __half2 __highs2half2(__half2 a, __half2 b) { return __half2(a.y, b.y); }
WARPLINE_HALF __half2 __float22half2_rn(float2 f) { return __half2(__half(f.x), __half(f.y)); }
WARPLINE_HALF __half2 make_half2(__half a, __half b) { return __half2(a, b); }
WARPLINE_HALF __half __short_as_half(short s) { return __ushort_as_half((unsigned short)s); }
WARPLINE_HALF short __half_as_short(__half h) { return (short)h.bits; }
WARPLINE_HALF __half __double2half(double d) { return __half(d); }
namespace warpline {
WARPLINE_HALF __half saturated(__half a) { return __half(fminf(fmaxf((float)a, 0.0f), 1.0f)); }
}
#define WARPLINE_HALF_SATURATED(name, stem)                                                                    \
    WARPLINE_HALF __half name##_sat(__half a, __half b) { return warpline::saturated(stem(a, b)); }            \
    WARPLINE_HALF __half2 name##2_sat(__half2 a, __half2 b) { return __half2(name##_sat(a.x, b.x), name##_sat(a.y, b.y)); }
WARPLINE_HALF_SATURATED(__hadd, __hadd)
WARPLINE_HALF_SATURATED(__hsub, __hsub)
WARPLINE_HALF_SATURATED(__hmul, __hmul)
#undef WARPLINE_HALF_SATURATED
WARPLINE_HALF __half2 __hfma2_sat(__half2 a, __half2 b, __half2 c) { return __half2(warpline::saturated(__hfma(a.x, b.x, c.x)), warpline::saturated(__hfma(a.y, b.y, c.y))); }
WARPLINE_HALF __half __hfma_relu(__half a, __half b, __half c) { const __half r = __hfma(a, b, c); return (float)r < 0.0f ? __half(0.0f) : r; }
WARPLINE_HALF __half2 __hfma2_relu(__half2 a, __half2 b, __half2 c) { return __half2(__hfma_relu(a.x, b.x, c.x), __hfma_relu(a.y, b.y, c.y)); }
WARPLINE_HALF __half2 __hisnan2(__half2 a) { return __half2(__half(__hisnan(a.x) ? 1.0f : 0.0f), __half(__hisnan(a.y) ? 1.0f : 0.0f)); }
WARPLINE_HALF __half __hmax_nan(__half a, __half b) { return __hisnan(a) || __hisnan(b) ? __ushort_as_half(0x7fff) : __hmax(a, b); }
WARPLINE_HALF __half __hmin_nan(__half a, __half b) { return __hisnan(a) || __hisnan(b) ? __ushort_as_half(0x7fff) : __hmin(a, b); }
WARPLINE_HALF __half2 __hmax2_nan(__half2 a, __half2 b) { return __half2(__hmax_nan(a.x, b.x), __hmax_nan(a.y, b.y)); }
WARPLINE_HALF __half2 __hmin2_nan(__half2 a, __half2 b) { return __half2(__hmin_nan(a.x, b.x), __hmin_nan(a.y, b.y)); }
/* The forms that no later step may fuse. */
#define WARPLINE_HALF_ROUNDED(name)                                                                             \
    WARPLINE_HALF __half name##_rn(__half a, __half b) { return name(a, b); }                                   \
    WARPLINE_HALF __half2 name##2_rn(__half2 a, __half2 b) { return name##2(a, b); }
WARPLINE_HALF_ROUNDED(__hadd)
WARPLINE_HALF_ROUNDED(__hsub)
WARPLINE_HALF_ROUNDED(__hmul)
#undef WARPLINE_HALF_ROUNDED
WARPLINE_HALF __half __hfma_sat(__half a, __half b, __half c) { return warpline::saturated(__hfma(a, b, c)); }
#if defined(__CUDA__)
#define WARPLINE_HALF_FUNCTION(name, f) static __device__ __forceinline__ __half name(__half a) { return __half(f((float)a)); }
WARPLINE_HALF_FUNCTION(hexp, expf)
WARPLINE_HALF_FUNCTION(hlog, logf)
WARPLINE_HALF_FUNCTION(hsqrt, sqrtf)
WARPLINE_HALF_FUNCTION(hrsqrt, rsqrtf)
WARPLINE_HALF_FUNCTION(hsin, sinf)
WARPLINE_HALF_FUNCTION(hcos, cosf)
WARPLINE_HALF_FUNCTION(hexp2, exp2f)
WARPLINE_HALF_FUNCTION(hexp10, exp10f)
WARPLINE_HALF_FUNCTION(hlog2, log2f)
WARPLINE_HALF_FUNCTION(hlog10, log10f)
WARPLINE_HALF_FUNCTION(hrcp, 1.0f /)
WARPLINE_HALF_FUNCTION(hfloor, floorf)
WARPLINE_HALF_FUNCTION(hceil, ceilf)
WARPLINE_HALF_FUNCTION(htrunc, truncf)
WARPLINE_HALF_FUNCTION(hrint, rintf)
WARPLINE_HALF_FUNCTION(htanh, tanhf)
#undef WARPLINE_HALF_FUNCTION
#define WARPLINE_HALF2_FUNCTION(name) static __device__ __forceinline__ __half2 h2##name(__half2 a) { return __half2(h##name(a.x), h##name(a.y)); }
WARPLINE_HALF2_FUNCTION(exp)
WARPLINE_HALF2_FUNCTION(log)
WARPLINE_HALF2_FUNCTION(sqrt)
WARPLINE_HALF2_FUNCTION(rsqrt)
WARPLINE_HALF2_FUNCTION(sin)
WARPLINE_HALF2_FUNCTION(cos)
WARPLINE_HALF2_FUNCTION(exp2)
WARPLINE_HALF2_FUNCTION(log2)
WARPLINE_HALF2_FUNCTION(rcp)
WARPLINE_HALF2_FUNCTION(floor)
WARPLINE_HALF2_FUNCTION(ceil)
WARPLINE_HALF2_FUNCTION(trunc)
WARPLINE_HALF2_FUNCTION(rint)
WARPLINE_HALF2_FUNCTION(exp10)
WARPLINE_HALF2_FUNCTION(log10)
WARPLINE_HALF2_FUNCTION(tanh)
#undef WARPLINE_HALF2_FUNCTION
/* Conversions in the four rounding modes: nearest, zero, down, up. */
#define WARPLINE_HALF_TO(name, type, f) static __device__ __forceinline__ type name(__half a) { return (type)f((float)a); }
#define WARPLINE_HALF_TO_ALL(stem, type)     \
    WARPLINE_HALF_TO(stem##_rz, type, truncf) \
    WARPLINE_HALF_TO(stem##_rd, type, floorf) \
    WARPLINE_HALF_TO(stem##_ru, type, ceilf)
WARPLINE_HALF_TO_ALL(__half2int, int)
WARPLINE_HALF_TO_ALL(__half2uint, unsigned)
WARPLINE_HALF_TO_ALL(__half2short, short)
WARPLINE_HALF_TO_ALL(__half2ushort, unsigned short)
WARPLINE_HALF_TO_ALL(__half2ll, long long)
WARPLINE_HALF_TO_ALL(__half2ull, unsigned long long)
WARPLINE_HALF_TO(__half2ll_rn, long long, rintf)
WARPLINE_HALF_TO(__half2ull_rn, unsigned long long, rintf)
WARPLINE_HALF_TO(__half2uint_rn, unsigned, rintf)
WARPLINE_HALF_TO(__half2short_rn, short, rintf)
WARPLINE_HALF_TO(__half2ushort_rn, unsigned short, rintf)
#undef WARPLINE_HALF_TO
#undef WARPLINE_HALF_TO_ALL
#define WARPLINE_TO_HALF(name, form)                                          \
    static __device__ __forceinline__ __half name(float f)                    \
    { unsigned short h; asm("cvt." form ".f16.f32 %0, %1;" : "=h"(h) : "f"(f)); return __ushort_as_half(h); }
WARPLINE_TO_HALF(__float2half_rz, "rz")
WARPLINE_TO_HALF(__float2half_rd, "rm")
WARPLINE_TO_HALF(__float2half_ru, "rp")
#undef WARPLINE_TO_HALF
static __device__ __forceinline__ __half __uint2half_rn(unsigned i) { return __half((float)i); }
static __device__ __forceinline__ __half __short2half_rn(short i) { return __half((float)i); }
static __device__ __forceinline__ __half __ushort2half_rn(unsigned short i) { return __half((float)i); }
static __device__ __forceinline__ __half __ll2half_rn(long long i) { return __half((float)i); }
static __device__ __forceinline__ __half __ull2half_rn(unsigned long long i) { return __half((float)i); }
static __device__ __forceinline__ __half __ldg(const __half *p) { return __ushort_as_half(__ldg((const unsigned short *)p)); }
static __device__ __forceinline__ __half2 __ldg(const __half2 *p) { return __builtin_bit_cast(__half2, __ldg((const unsigned *)p)); }
#define WARPLINE_HALF_SHUFFLE(name, offset_type)                                                                                 \
    static __device__ __forceinline__ __half name(unsigned mask, __half v, offset_type offset, int width = 32)                   \
    { return __ushort_as_half((unsigned short)name(mask, (unsigned)v.bits, offset, width)); }                                    \
    static __device__ __forceinline__ __half2 name(unsigned mask, __half2 v, offset_type offset, int width = 32)                 \
    { return __builtin_bit_cast(__half2, name(mask, __builtin_bit_cast(unsigned, v), offset, width)); }
WARPLINE_HALF_SHUFFLE(__shfl_sync, int)
WARPLINE_HALF_SHUFFLE(__shfl_up_sync, unsigned)
WARPLINE_HALF_SHUFFLE(__shfl_down_sync, unsigned)
WARPLINE_HALF_SHUFFLE(__shfl_xor_sync, int)
#undef WARPLINE_HALF_SHUFFLE
static __device__ __forceinline__ __half2 atomicAdd(__half2 *address, __half2 value)
{
    unsigned old;
    asm volatile("atom.add.noftz.f16x2 %0, [%1], %2;" : "=r"(old) : "l"(address), "r"(__builtin_bit_cast(unsigned, value)) : "memory");
    return __builtin_bit_cast(__half2, old);
}
static __device__ __forceinline__ __half atomicAdd(__half *address, __half value)
{
    unsigned short old;
    asm volatile("atom.add.noftz.f16 %0, [%1], %2;" : "=h"(old) : "l"(address), "h"(value.bits) : "memory");
    return __ushort_as_half(old);
}
#endif
/* Only between two halves, so that a half and a float mean float arithmetic. */
WARPLINE_HALF __half operator+(const __half &a, const __half &b) { return __hadd(a, b); }
WARPLINE_HALF __half operator-(const __half &a, const __half &b) { return __hsub(a, b); }
WARPLINE_HALF __half operator*(const __half &a, const __half &b) { return __hmul(a, b); }
WARPLINE_HALF __half operator/(const __half &a, const __half &b) { return __hdiv(a, b); }
#define WARPLINE_HALF_ASSIGN(op, scalar, pair)                                                            \
    WARPLINE_HALF __half &operator op(__half &a, const __half &b) { return a = scalar(a, b); }             \
    WARPLINE_HALF __half2 &operator op(__half2 &a, const __half2 &b) { return a = pair(a, b); }
WARPLINE_HALF_ASSIGN(+=, __hadd, __hadd2)
WARPLINE_HALF_ASSIGN(-=, __hsub, __hsub2)
WARPLINE_HALF_ASSIGN(*=, __hmul, __hmul2)
WARPLINE_HALF_ASSIGN(/=, __hdiv, __h2div)
#undef WARPLINE_HALF_ASSIGN
WARPLINE_HALF __half operator-(const __half &a) { return __hneg(a); }
WARPLINE_HALF __half2 operator-(const __half2 &a) { return __hneg2(a); }
WARPLINE_HALF __half operator+(const __half &a) { return a; }
WARPLINE_HALF __half2 operator+(const __half2 &a) { return a; }
WARPLINE_HALF __half &operator++(__half &a) { return a = __hadd(a, __half(1.0f)); }
WARPLINE_HALF __half &operator--(__half &a) { return a = __hsub(a, __half(1.0f)); }
WARPLINE_HALF __half operator++(__half &a, int) { const __half before = a; ++a; return before; }
WARPLINE_HALF __half operator--(__half &a, int) { const __half before = a; --a; return before; }
WARPLINE_HALF __half2 operator+(const __half2 &a, const __half2 &b) { return __hadd2(a, b); }
WARPLINE_HALF __half2 operator-(const __half2 &a, const __half2 &b) { return __hsub2(a, b); }
WARPLINE_HALF __half2 operator*(const __half2 &a, const __half2 &b) { return __hmul2(a, b); }
WARPLINE_HALF __half2 operator/(const __half2 &a, const __half2 &b) { return __h2div(a, b); }
#define WARPLINE_HALF_ORDER(op, name) WARPLINE_HALF bool operator op(const __half &a, const __half &b) { return name(a, b); }
WARPLINE_HALF_ORDER(==, __heq)
WARPLINE_HALF_ORDER(!=, __hneu)
WARPLINE_HALF_ORDER(<, __hlt)
WARPLINE_HALF_ORDER(<=, __hle)
WARPLINE_HALF_ORDER(>, __hgt)
WARPLINE_HALF_ORDER(>=, __hge)
#undef WARPLINE_HALF_ORDER
#undef WARPLINE_HALF
#include "bits/half_more.h"
#endif
#include "bits/names_shown.h"
#endif
