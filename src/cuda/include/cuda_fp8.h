/* Numbers of eight bits: e4m3 (four bits of exponent, three of fraction, no infinity) and e5m2 (the upper half of f16), alone and in
 * twos and fours. They are stored and converted; arithmetic is float's. */
#ifndef WARPLINE_CUDA_FP8_H
#define WARPLINE_CUDA_FP8_H
#include "cuda_bf16.h"
#include "cuda_fp16.h"
#if defined(__cplusplus)

typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short __nv_fp8x2_storage_t;
typedef unsigned __nv_fp8x4_storage_t;
typedef enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE } __nv_saturation_t;
typedef enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 } __nv_fp8_interpretation_t;

#define WARPLINE_FP8 static __host__ __device__ __forceinline__
namespace warpline {
/* To nearest, ties to even. The fraction is cut at the last bit that the exponent leaves, and what is cut off decides. */
WARPLINE_FP8 __nv_fp8_storage_t fp8_of_double(double d, __nv_saturation_t saturation, __nv_fp8_interpretation_t kind)
{
    const int fraction_bits = kind == __NV_E5M2 ? 2 : 3, lowest = kind == __NV_E5M2 ? -14 : -6;
    const unsigned char largest = kind == __NV_E5M2 ? 0x7b : 0x7e;
    const unsigned long long bits = __builtin_bit_cast(unsigned long long, d), magnitude = bits & 0x7fffffffffffffffull;
    const unsigned char sign = (unsigned char)(bits >> 56 & 0x80u);
    if (magnitude > 0x7ff0000000000000ull)
        return 0x7f;
    const int exponent = (int)(magnitude >> 52) - 1023, low = exponent < lowest ? lowest - exponent : 0;
    unsigned code = 0;
    if (low <= fraction_bits + 1 && magnitude >= 0x0010000000000000ull) {
        const unsigned long long whole = (magnitude & 0xfffffffffffffull) | 0x10000000000000ull;
        const int cut = 52 - fraction_bits + low; /* bits that do not fit */
        const unsigned long long rest = whole & ((1ull << cut) - 1), half = 1ull << (cut - 1);
        code = (unsigned)(whole >> cut) + (low ? 0u : (unsigned)(exponent - lowest) << fraction_bits);
        code += rest > half || (rest == half && (code & 1)) ? 1u : 0u; /* a carry goes into the exponent */
    }
    if (exponent > 15 || code > largest)
        return (__nv_fp8_storage_t)(sign | (saturation == __NV_SATFINITE ? largest : largest + 1));
    return (__nv_fp8_storage_t)(sign | code);
}
WARPLINE_FP8 float float_of_fp8(__nv_fp8_storage_t x, __nv_fp8_interpretation_t kind)
{
    const unsigned sign = (x & 0x80u) << 24, magnitude = x & 0x7fu;
    const int fraction_bits = kind == __NV_E5M2 ? 2 : 3, bias = kind == __NV_E5M2 ? 15 : 7;
    if (kind == __NV_E5M2 ? magnitude > 0x7c : magnitude == 0x7f)
        return __builtin_bit_cast(float, 0x7fffffffu);
    if (kind == __NV_E5M2 && magnitude == 0x7c)
        return __builtin_bit_cast(float, sign | 0x7f800000u);
    const unsigned exponent = magnitude >> fraction_bits, fraction = magnitude & ((1u << fraction_bits) - 1);
    if (exponent == 0) { /* steps of the smallest number */
        const float step = __builtin_bit_cast(float, (unsigned)(127 + 1 - bias - fraction_bits) << 23), value = (float)fraction * step;
        return __builtin_bit_cast(float, sign | __builtin_bit_cast(unsigned, value));
    }
    return __builtin_bit_cast(float, sign | (exponent + 127u - (unsigned)bias) << 23 | fraction << (23 - fraction_bits));
}
WARPLINE_FP8 __half_raw half_raw_of(float f)
{
    if (f != f) {
        __half_raw nan;
        nan.x = 0x7fff;
        return nan;
    }
    return __half_raw(__half(f));
}
WARPLINE_FP8 float half_raw_to_float(__half_raw h) { return __half2float(__half(h)); }
} /* namespace warpline */

WARPLINE_FP8 __nv_fp8_storage_t __nv_cvt_double_to_fp8(double x, __nv_saturation_t s, __nv_fp8_interpretation_t k)
{
    return warpline::fp8_of_double(x, s, k);
}
WARPLINE_FP8 __nv_fp8_storage_t __nv_cvt_float_to_fp8(float x, __nv_saturation_t s, __nv_fp8_interpretation_t k)
{
    return warpline::fp8_of_double((double)x, s, k);
}
WARPLINE_FP8 __nv_fp8_storage_t __nv_cvt_halfraw_to_fp8(__half_raw x, __nv_saturation_t s, __nv_fp8_interpretation_t k)
{
    return __nv_cvt_float_to_fp8(warpline::half_raw_to_float(x), s, k);
}
WARPLINE_FP8 __nv_fp8_storage_t __nv_cvt_bfloat16raw_to_fp8(__nv_bfloat16_raw x, __nv_saturation_t s, __nv_fp8_interpretation_t k)
{
    return __nv_cvt_float_to_fp8(warpline::bf16_bits_to_float(x.x), s, k);
}
/* x is the lower one of two. */
WARPLINE_FP8 __nv_fp8x2_storage_t __nv_cvt_double2_to_fp8x2(double2 x, __nv_saturation_t s, __nv_fp8_interpretation_t k)
{
    return (__nv_fp8x2_storage_t)(warpline::fp8_of_double(x.x, s, k) | warpline::fp8_of_double(x.y, s, k) << 8);
}
WARPLINE_FP8 __nv_fp8x2_storage_t __nv_cvt_float2_to_fp8x2(float2 x, __nv_saturation_t s, __nv_fp8_interpretation_t k)
{
    return (__nv_fp8x2_storage_t)(__nv_cvt_float_to_fp8(x.x, s, k) | __nv_cvt_float_to_fp8(x.y, s, k) << 8);
}
WARPLINE_FP8 __nv_fp8x2_storage_t __nv_cvt_halfraw2_to_fp8x2(__half2_raw x, __nv_saturation_t s, __nv_fp8_interpretation_t k)
{
    __half_raw low, high;
    low.x = x.x, high.x = x.y;
    return (__nv_fp8x2_storage_t)(__nv_cvt_halfraw_to_fp8(low, s, k) | __nv_cvt_halfraw_to_fp8(high, s, k) << 8);
}
WARPLINE_FP8 __half_raw __nv_cvt_fp8_to_halfraw(__nv_fp8_storage_t x, __nv_fp8_interpretation_t k)
{
    return warpline::half_raw_of(warpline::float_of_fp8(x, k));
}
WARPLINE_FP8 __half2_raw __nv_cvt_fp8x2_to_halfraw2(__nv_fp8x2_storage_t x, __nv_fp8_interpretation_t k)
{
    __half2_raw r;
    r.x = __nv_cvt_fp8_to_halfraw((__nv_fp8_storage_t)x, k).x;
    r.y = __nv_cvt_fp8_to_halfraw((__nv_fp8_storage_t)(x >> 8), k).x;
    return r;
}

/* One, two and four of a kind. */
#define WARPLINE_FP8_TYPES(kind, suffix)                                                                                           \
    struct __nv_fp8_##suffix {                                                                                                     \
        __nv_fp8_storage_t __x;                                                                                                    \
        __nv_fp8_##suffix() = default;                                                                                             \
        __host__ __device__ explicit __nv_fp8_##suffix(float f) : __x(__nv_cvt_float_to_fp8(f, __NV_SATFINITE, kind)) {}           \
        __host__ __device__ explicit __nv_fp8_##suffix(double d) : __x(__nv_cvt_double_to_fp8(d, __NV_SATFINITE, kind)) {}         \
        __host__ __device__ explicit __nv_fp8_##suffix(int i) : __x(__nv_cvt_double_to_fp8(i, __NV_SATFINITE, kind)) {}            \
        __host__ __device__ explicit __nv_fp8_##suffix(unsigned i) : __x(__nv_cvt_double_to_fp8(i, __NV_SATFINITE, kind)) {}       \
        __host__ __device__ explicit __nv_fp8_##suffix(__half h) : __x(__nv_cvt_float_to_fp8(__half2float(h), __NV_SATFINITE, kind)) {} \
        __host__ __device__ explicit __nv_fp8_##suffix(__nv_bfloat16 b) : __x(__nv_cvt_float_to_fp8((float)b, __NV_SATFINITE, kind)) {} \
        __host__ __device__ explicit operator float() const { return warpline::float_of_fp8(__x, kind); }                          \
        __host__ __device__ explicit operator double() const { return (double)warpline::float_of_fp8(__x, kind); }                 \
        __host__ __device__ explicit operator __half() const { return __half(__nv_cvt_fp8_to_halfraw(__x, kind)); }                \
        __host__ __device__ explicit operator __nv_bfloat16() const { return __nv_bfloat16(warpline::float_of_fp8(__x, kind)); }   \
        __host__ __device__ explicit operator bool() const { return (__x & 0x7f) != 0; }                                           \
    };                                                                                                                             \
    struct __attribute__((aligned(2))) __nv_fp8x2_##suffix {                                                                       \
        __nv_fp8x2_storage_t __x;                                                                                                  \
        __nv_fp8x2_##suffix() = default;                                                                                           \
        __host__ __device__ explicit __nv_fp8x2_##suffix(float2 f) : __x(__nv_cvt_float2_to_fp8x2(f, __NV_SATFINITE, kind)) {}     \
        __host__ __device__ explicit __nv_fp8x2_##suffix(double2 d) : __x(__nv_cvt_double2_to_fp8x2(d, __NV_SATFINITE, kind)) {}   \
        __host__ __device__ explicit __nv_fp8x2_##suffix(__half2 h)                                                                \
            : __x(__nv_cvt_float2_to_fp8x2(__half22float2(h), __NV_SATFINITE, kind)) {}                                            \
        __host__ __device__ explicit operator float2() const                                                                       \
        {                                                                                                                          \
            return make_float2(warpline::float_of_fp8((__nv_fp8_storage_t)__x, kind),                                              \
                               warpline::float_of_fp8((__nv_fp8_storage_t)(__x >> 8), kind));                                      \
        }                                                                                                                          \
        __host__ __device__ explicit operator __half2() const                                                                      \
        {                                                                                                                          \
            return __half2(__half(__nv_cvt_fp8_to_halfraw((__nv_fp8_storage_t)__x, kind)),                                         \
                           __half(__nv_cvt_fp8_to_halfraw((__nv_fp8_storage_t)(__x >> 8), kind)));                                 \
        }                                                                                                                          \
    };                                                                                                                             \
    struct __attribute__((aligned(4))) __nv_fp8x4_##suffix {                                                                       \
        __nv_fp8x4_storage_t __x;                                                                                                  \
        __nv_fp8x4_##suffix() = default;                                                                                           \
        __host__ __device__ explicit __nv_fp8x4_##suffix(float4 f)                                                                 \
            : __x(__nv_cvt_float2_to_fp8x2(make_float2(f.x, f.y), __NV_SATFINITE, kind) |                                          \
                  (unsigned)__nv_cvt_float2_to_fp8x2(make_float2(f.z, f.w), __NV_SATFINITE, kind) << 16) {}                        \
        __host__ __device__ explicit __nv_fp8x4_##suffix(__half2 low, __half2 high)                                                \
            : __x(__nv_fp8x2_##suffix(low).__x | (unsigned)__nv_fp8x2_##suffix(high).__x << 16) {}                                 \
        __host__ __device__ explicit __nv_fp8x4_##suffix(__nv_bfloat162 low, __nv_bfloat162 high)                                  \
            : __x(__nv_cvt_float2_to_fp8x2(__bfloat1622float2(low), __NV_SATFINITE, kind) |                                        \
                  (unsigned)__nv_cvt_float2_to_fp8x2(__bfloat1622float2(high), __NV_SATFINITE, kind) << 16) {}                     \
        __host__ __device__ explicit operator float4() const                                                                       \
        {                                                                                                                          \
            return make_float4(warpline::float_of_fp8((__nv_fp8_storage_t)__x, kind),                                              \
                               warpline::float_of_fp8((__nv_fp8_storage_t)(__x >> 8), kind),                                       \
                               warpline::float_of_fp8((__nv_fp8_storage_t)(__x >> 16), kind),                                      \
                               warpline::float_of_fp8((__nv_fp8_storage_t)(__x >> 24), kind));                                     \
        }                                                                                                                          \
    };
WARPLINE_FP8_TYPES(__NV_E4M3, e4m3)
WARPLINE_FP8_TYPES(__NV_E5M2, e5m2)
#undef WARPLINE_FP8_TYPES
#endif
#endif
