/* Half precision: storage and arithmetic. Host arithmetic goes through float and rounds once, which is what one operation of
 * half precision is. */
#ifndef WARPLINE_CUDA_FP16_H
#define WARPLINE_CUDA_FP16_H
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

struct __attribute__((aligned(2))) __half {
    unsigned short bits;
    __half() = default;
    __host__ __device__ __half(float f) : bits(warpline::float_to_half_bits(f)) {}
    __host__ __device__ __half(double d) : bits(warpline::float_to_half_bits((float)d)) {}
    __host__ __device__ __half(int i) : bits(warpline::float_to_half_bits((float)i)) {}
    __host__ __device__ operator float() const { return warpline::half_bits_to_float(bits); }
};
typedef __half half;
struct __attribute__((aligned(4))) __half2 {
    __half x, y;
    __half2() = default;
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
WARPLINE_HALF_COMPARE(__hne, !=)
WARPLINE_HALF_COMPARE(__hlt, <)
WARPLINE_HALF_COMPARE(__hle, <=)
WARPLINE_HALF_COMPARE(__hgt, >)
WARPLINE_HALF_COMPARE(__hge, >=)
#undef WARPLINE_HALF_COMPARE
WARPLINE_HALF bool __hisnan(__half a) { return (a.bits & 0x7fffu) > 0x7c00u; }
WARPLINE_HALF __half __hmax(__half a, __half b) { return __half(fmaxf((float)a, (float)b)); }
WARPLINE_HALF __half __hmin(__half a, __half b) { return __half(fminf((float)a, (float)b)); }
#if defined(__CUDA__)
#define WARPLINE_HALF_FUNCTION(name, f) static __device__ __forceinline__ __half name(__half a) { return __half(f((float)a)); }
WARPLINE_HALF_FUNCTION(hexp, expf)
WARPLINE_HALF_FUNCTION(hlog, logf)
WARPLINE_HALF_FUNCTION(hsqrt, sqrtf)
WARPLINE_HALF_FUNCTION(hrsqrt, rsqrtf)
WARPLINE_HALF_FUNCTION(hsin, sinf)
WARPLINE_HALF_FUNCTION(hcos, cosf)
#undef WARPLINE_HALF_FUNCTION
#endif
/* Only between two halves, so that a half and a float mean float arithmetic. */
WARPLINE_HALF __half operator+(const __half &a, const __half &b) { return __hadd(a, b); }
WARPLINE_HALF __half operator-(const __half &a, const __half &b) { return __hsub(a, b); }
WARPLINE_HALF __half operator*(const __half &a, const __half &b) { return __hmul(a, b); }
WARPLINE_HALF __half operator/(const __half &a, const __half &b) { return __hdiv(a, b); }
WARPLINE_HALF __half &operator+=(__half &a, const __half &b) { return a = __hadd(a, b); }
WARPLINE_HALF __half2 operator+(const __half2 &a, const __half2 &b) { return __hadd2(a, b); }
WARPLINE_HALF __half2 operator*(const __half2 &a, const __half2 &b) { return __hmul2(a, b); }
#undef WARPLINE_HALF
#endif
#endif
