/* Part of cuda_fp16.h: its names that programs use less. */
#ifndef WARPLINE_HALF_MORE_H
#define WARPLINE_HALF_MORE_H
typedef __half __nv_half;
typedef __half nv_half;
typedef __half2 __nv_half2;
typedef __half2 nv_half2;
#define CUDART_INF_FP16 __ushort_as_half((unsigned short)0x7C00U)
#define CUDART_NAN_FP16 __ushort_as_half((unsigned short)0x7FFFU)
#define CUDART_MIN_DENORM_FP16 __ushort_as_half((unsigned short)0x0001U)
#define CUDART_MAX_NORMAL_FP16 __ushort_as_half((unsigned short)0x7BFFU)
#define CUDART_NEG_ZERO_FP16 __ushort_as_half((unsigned short)0x8000U)
#define CUDART_ZERO_FP16 __ushort_as_half((unsigned short)0x0000U)
#define CUDART_ONE_FP16 __ushort_as_half((unsigned short)0x3C00U)

#define WARPLINE_HALF static __host__ __device__ __forceinline__
WARPLINE_HALF __half2 __make_half2(__half a, __half b) { return __half2(a, b); }
/* Pairs: the forms with u hold also when a number is not one; a mask has all bits of the halves for which the comparison holds. */
#define WARPLINE_HALF2_MORE(stem)                                                                                                     \
    WARPLINE_HALF __half2 stem##u2(__half2 a, __half2 b) { return __half2(__half(stem##u(a.x, b.x) ? 1.0f : 0.0f), __half(stem##u(a.y, b.y) ? 1.0f : 0.0f)); } \
    WARPLINE_HALF unsigned stem##2_mask(__half2 a, __half2 b) { return (stem(a.x, b.x) ? 0xffffu : 0u) | (stem(a.y, b.y) ? 0xffff0000u : 0u); }              \
    WARPLINE_HALF unsigned stem##u2_mask(__half2 a, __half2 b) { return (stem##u(a.x, b.x) ? 0xffffu : 0u) | (stem##u(a.y, b.y) ? 0xffff0000u : 0u); }
WARPLINE_HALF2_MORE(__heq)
WARPLINE_HALF2_MORE(__hne)
WARPLINE_HALF2_MORE(__hlt)
WARPLINE_HALF2_MORE(__hle)
WARPLINE_HALF2_MORE(__hgt)
WARPLINE_HALF2_MORE(__hge)
#undef WARPLINE_HALF2_MORE
WARPLINE_HALF bool operator==(const __half2 &a, const __half2 &b) { return __hbeq2(a, b); }
WARPLINE_HALF bool operator!=(const __half2 &a, const __half2 &b) { return __hbneu2(a, b); }
WARPLINE_HALF bool operator<(const __half2 &a, const __half2 &b) { return __hblt2(a, b); }
WARPLINE_HALF bool operator<=(const __half2 &a, const __half2 &b) { return __hble2(a, b); }
WARPLINE_HALF bool operator>(const __half2 &a, const __half2 &b) { return __hbgt2(a, b); }
WARPLINE_HALF bool operator>=(const __half2 &a, const __half2 &b) { return __hbge2(a, b); }
/* The product of two complex numbers, and a third one added. */
WARPLINE_HALF __half2 __hcmadd(__half2 a, __half2 b, __half2 c)
{
    const __half re = __hfma(a.x, b.x, c.x), im = __hfma(a.x, b.y, c.y);
    return __half2(__hfma(__hneg(a.y), b.y, re), __hfma(a.y, b.x, im));
}
#undef WARPLINE_HALF
#if defined(__CUDA__)
#define WARPLINE_HALF static __device__ __forceinline__
/* Only numbers far beyond the largest half are not exact as a float, so that the conversion to float cannot be seen. */
#define WARPLINE_HALF_FROM(stem, type)                                             \
    WARPLINE_HALF __half stem##_rz(type i) { return __float2half_rz((float)i); }   \
    WARPLINE_HALF __half stem##_rd(type i) { return __float2half_rd((float)i); }   \
    WARPLINE_HALF __half stem##_ru(type i) { return __float2half_ru((float)i); }
WARPLINE_HALF_FROM(__int2half, int)
WARPLINE_HALF_FROM(__uint2half, unsigned)
WARPLINE_HALF_FROM(__short2half, short)
WARPLINE_HALF_FROM(__ushort2half, unsigned short)
WARPLINE_HALF_FROM(__ll2half, long long)
WARPLINE_HALF_FROM(__ull2half, unsigned long long)
#undef WARPLINE_HALF_FROM
WARPLINE_HALF signed char __half2char_rz(__half a) { return (signed char)fmaxf(fminf(truncf(__hisnan(a) ? 0.0f : (float)a), 127.0f), -128.0f); }
WARPLINE_HALF unsigned char __half2uchar_rz(__half a) { return (unsigned char)fmaxf(fminf(truncf(__hisnan(a) ? 0.0f : (float)a), 255.0f), 0.0f); }
WARPLINE_HALF __half htanh_approx(__half a) { return htanh(a); }
WARPLINE_HALF __half2 h2tanh_approx(__half2 a) { return h2tanh(a); }
#define WARPLINE_HALF_LOADS(name)                                                                                       \
    WARPLINE_HALF __half name(const __half *p) { return __ushort_as_half(name((const unsigned short *)p)); }            \
    WARPLINE_HALF __half2 name(const __half2 *p) { return __builtin_bit_cast(__half2, name((const unsigned *)p)); }
WARPLINE_HALF_LOADS(__ldca)
WARPLINE_HALF_LOADS(__ldcg)
WARPLINE_HALF_LOADS(__ldcs)
WARPLINE_HALF_LOADS(__ldcv)
WARPLINE_HALF_LOADS(__ldlu)
#undef WARPLINE_HALF_LOADS
#define WARPLINE_HALF_STORES(name)                                                                                      \
    WARPLINE_HALF void name(__half *p, __half v) { name((unsigned short *)p, v.bits); }                                 \
    WARPLINE_HALF void name(__half2 *p, __half2 v) { name((unsigned *)p, __builtin_bit_cast(unsigned, v)); }
WARPLINE_HALF_STORES(__stcg)
WARPLINE_HALF_STORES(__stcs)
WARPLINE_HALF_STORES(__stwb)
WARPLINE_HALF_STORES(__stwt)
#undef WARPLINE_HALF_STORES
#undef WARPLINE_HALF
#endif
#endif
