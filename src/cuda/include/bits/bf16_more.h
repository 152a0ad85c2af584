/* Part of cuda_bf16.h: its names that programs use less. */
#ifndef WARPLINE_BF16_MORE_H
#define WARPLINE_BF16_MORE_H
#define CUDART_INF_BF16 __ushort_as_bfloat16((unsigned short)0x7F80U)
#define CUDART_NAN_BF16 __ushort_as_bfloat16((unsigned short)0x7FFFU)
#define CUDART_MIN_DENORM_BF16 __ushort_as_bfloat16((unsigned short)0x0001U)
#define CUDART_MAX_NORMAL_BF16 __ushort_as_bfloat16((unsigned short)0x7F7FU)
#define CUDART_NEG_ZERO_BF16 __ushort_as_bfloat16((unsigned short)0x8000U)
#define CUDART_ZERO_BF16 __ushort_as_bfloat16((unsigned short)0x0000U)
#define CUDART_ONE_BF16 __ushort_as_bfloat16((unsigned short)0x3F80U)

#define WARPLINE_BF16 static __host__ __device__ __forceinline__
/* Rounding towards zero drops the lower half of the float; down and up go one further where digits were lost on that side. */
WARPLINE_BF16 __nv_bfloat16 __float2bfloat16_rz(float f)
{
    return f != f ? CUDART_NAN_BF16 : __ushort_as_bfloat16((unsigned short)(__builtin_bit_cast(unsigned, f) >> 16));
}
WARPLINE_BF16 __nv_bfloat16 __float2bfloat16_rd(float f)
{
    const __nv_bfloat16 r = __float2bfloat16_rz(f);
    return f < 0.0f && (float)r != f ? __ushort_as_bfloat16((unsigned short)(r.bits + 1u)) : r;
}
WARPLINE_BF16 __nv_bfloat16 __float2bfloat16_ru(float f)
{
    const __nv_bfloat16 r = __float2bfloat16_rz(f);
    return f > 0.0f && (float)r != f ? __ushort_as_bfloat16((unsigned short)(r.bits + 1u)) : r;
}
WARPLINE_BF16 __nv_bfloat16 __short2bfloat16_rn(short i) { return __nv_bfloat16((int)i); }
WARPLINE_BF16 __nv_bfloat16 __ushort2bfloat16_rn(unsigned short i) { return __nv_bfloat16((unsigned)i); }
WARPLINE_BF16 __nv_bfloat16 __ll2bfloat16_rn(long long i) { return __nv_bfloat16(i); }
WARPLINE_BF16 __nv_bfloat16 __ull2bfloat16_rn(unsigned long long i) { return __nv_bfloat16(i); }
#define WARPLINE_BF16_TO(stem, type)                                                                   \
    WARPLINE_BF16 type stem##_rd(__nv_bfloat16 a) { return (type)floorf((float)a); }                   \
    WARPLINE_BF16 type stem##_ru(__nv_bfloat16 a) { return (type)ceilf((float)a); }
#define WARPLINE_BF16_TO_ALL(stem, type)                                                               \
    WARPLINE_BF16 type stem##_rn(__nv_bfloat16 a) { return (type)rintf((float)a); }                    \
    WARPLINE_BF16 type stem##_rz(__nv_bfloat16 a) { return (type)truncf((float)a); }                   \
    WARPLINE_BF16_TO(stem, type)
WARPLINE_BF16_TO(__bfloat162int, int)
WARPLINE_BF16_TO_ALL(__bfloat162uint, unsigned)
WARPLINE_BF16_TO_ALL(__bfloat162short, short)
WARPLINE_BF16_TO_ALL(__bfloat162ushort, unsigned short)
WARPLINE_BF16_TO_ALL(__bfloat162ll, long long)
WARPLINE_BF16_TO_ALL(__bfloat162ull, unsigned long long)
#undef WARPLINE_BF16_TO_ALL
#undef WARPLINE_BF16_TO
WARPLINE_BF16 signed char __bfloat162char_rz(__nv_bfloat16 a) { return (signed char)fmaxf(fminf(truncf(__hisnan(a) ? 0.0f : (float)a), 127.0f), -128.0f); }
WARPLINE_BF16 unsigned char __bfloat162uchar_rz(__nv_bfloat16 a) { return (unsigned char)fmaxf(fminf(truncf(__hisnan(a) ? 0.0f : (float)a), 255.0f), 0.0f); }
WARPLINE_BF16 __nv_bfloat162 __lows2bfloat162(__nv_bfloat162 a, __nv_bfloat162 b) { return __nv_bfloat162(a.x, b.x); }
WARPLINE_BF16 __nv_bfloat162 __highs2bfloat162(__nv_bfloat162 a, __nv_bfloat162 b) { return __nv_bfloat162(a.y, b.y); }

/* Pairs as in cuda_fp16.h: the forms with u hold also when a number is not one; a mask has all bits where the comparison holds. */
WARPLINE_BF16 __nv_bfloat162 __hne2(__nv_bfloat162 a, __nv_bfloat162 b) { return __floats2bfloat162_rn(__hne(a.x, b.x) ? 1.0f : 0.0f, __hne(a.y, b.y) ? 1.0f : 0.0f); }
#define WARPLINE_BF16_MORE(stem, both, both_unordered)                                                                                  \
    WARPLINE_BF16 bool stem##u(__nv_bfloat16 a, __nv_bfloat16 b) { return __hisnan(a) || __hisnan(b) || stem(a, b); }                   \
    WARPLINE_BF16 __nv_bfloat162 stem##u2(__nv_bfloat162 a, __nv_bfloat162 b)                                                           \
    { return __floats2bfloat162_rn(stem##u(a.x, b.x) ? 1.0f : 0.0f, stem##u(a.y, b.y) ? 1.0f : 0.0f); }                                 \
    WARPLINE_BF16 bool both(__nv_bfloat162 a, __nv_bfloat162 b) { return stem(a.x, b.x) && stem(a.y, b.y); }                            \
    WARPLINE_BF16 bool both_unordered(__nv_bfloat162 a, __nv_bfloat162 b) { return stem##u(a.x, b.x) && stem##u(a.y, b.y); }            \
    WARPLINE_BF16 unsigned stem##2_mask(__nv_bfloat162 a, __nv_bfloat162 b) { return (stem(a.x, b.x) ? 0xffffu : 0u) | (stem(a.y, b.y) ? 0xffff0000u : 0u); }
WARPLINE_BF16_MORE(__heq, __hbeq2, __hbequ2)
WARPLINE_BF16_MORE(__hne, __hbne2, __hbneu2)
WARPLINE_BF16_MORE(__hlt, __hblt2, __hbltu2)
WARPLINE_BF16_MORE(__hle, __hble2, __hbleu2)
WARPLINE_BF16_MORE(__hgt, __hbgt2, __hbgtu2)
WARPLINE_BF16_MORE(__hge, __hbge2, __hbgeu2)
#undef WARPLINE_BF16_MORE
WARPLINE_BF16 __nv_bfloat162 __hisnan2(__nv_bfloat162 a) { return __floats2bfloat162_rn(__hisnan(a.x) ? 1.0f : 0.0f, __hisnan(a.y) ? 1.0f : 0.0f); }
/* The forms that no later step may fuse, and those that stay between 0 and 1. */
#define WARPLINE_BF16_FORMS(name)                                                                                               \
    WARPLINE_BF16 __nv_bfloat16 name##_rn(__nv_bfloat16 a, __nv_bfloat16 b) { return name(a, b); }                              \
    WARPLINE_BF16 __nv_bfloat162 name##2_rn(__nv_bfloat162 a, __nv_bfloat162 b) { return name##2(a, b); }                       \
    WARPLINE_BF16 __nv_bfloat16 name##_sat(__nv_bfloat16 a, __nv_bfloat16 b) { return __nv_bfloat16(fminf(fmaxf((float)name(a, b), 0.0f), 1.0f)); } \
    WARPLINE_BF16 __nv_bfloat162 name##2_sat(__nv_bfloat162 a, __nv_bfloat162 b) { return __nv_bfloat162(name##_sat(a.x, b.x), name##_sat(a.y, b.y)); }
WARPLINE_BF16_FORMS(__hadd)
WARPLINE_BF16_FORMS(__hsub)
WARPLINE_BF16_FORMS(__hmul)
#undef WARPLINE_BF16_FORMS
WARPLINE_BF16 __nv_bfloat16 __hfma_sat(__nv_bfloat16 a, __nv_bfloat16 b, __nv_bfloat16 c) { return __nv_bfloat16(fminf(fmaxf((float)__hfma(a, b, c), 0.0f), 1.0f)); }
WARPLINE_BF16 __nv_bfloat162 __hfma2_sat(__nv_bfloat162 a, __nv_bfloat162 b, __nv_bfloat162 c) { return __nv_bfloat162(__hfma_sat(a.x, b.x, c.x), __hfma_sat(a.y, b.y, c.y)); }
WARPLINE_BF16 __nv_bfloat16 __hfma_relu(__nv_bfloat16 a, __nv_bfloat16 b, __nv_bfloat16 c) { const __nv_bfloat16 r = __hfma(a, b, c); return (float)r < 0.0f ? __nv_bfloat16(0.0f) : r; }
WARPLINE_BF16 __nv_bfloat162 __hfma2_relu(__nv_bfloat162 a, __nv_bfloat162 b, __nv_bfloat162 c) { return __nv_bfloat162(__hfma_relu(a.x, b.x, c.x), __hfma_relu(a.y, b.y, c.y)); }
WARPLINE_BF16 __nv_bfloat16 __hmax_nan(__nv_bfloat16 a, __nv_bfloat16 b) { return __hisnan(a) || __hisnan(b) ? CUDART_NAN_BF16 : __hmax(a, b); }
WARPLINE_BF16 __nv_bfloat16 __hmin_nan(__nv_bfloat16 a, __nv_bfloat16 b) { return __hisnan(a) || __hisnan(b) ? CUDART_NAN_BF16 : __hmin(a, b); }
WARPLINE_BF16 __nv_bfloat162 __hmax2_nan(__nv_bfloat162 a, __nv_bfloat162 b) { return __nv_bfloat162(__hmax_nan(a.x, b.x), __hmax_nan(a.y, b.y)); }
WARPLINE_BF16 __nv_bfloat162 __hmin2_nan(__nv_bfloat162 a, __nv_bfloat162 b) { return __nv_bfloat162(__hmin_nan(a.x, b.x), __hmin_nan(a.y, b.y)); }
WARPLINE_BF16 __nv_bfloat162 __hcmadd(__nv_bfloat162 a, __nv_bfloat162 b, __nv_bfloat162 c)
{
    const __nv_bfloat16 re = __hfma(a.x, b.x, c.x), im = __hfma(a.x, b.y, c.y);
    return __nv_bfloat162(__hfma(__hneg(a.y), b.y, re), __hfma(a.y, b.x, im));
}
WARPLINE_BF16 bool operator==(const __nv_bfloat162 &a, const __nv_bfloat162 &b) { return __hbeq2(a, b); }
WARPLINE_BF16 bool operator!=(const __nv_bfloat162 &a, const __nv_bfloat162 &b) { return __hbneu2(a, b); }
WARPLINE_BF16 bool operator<(const __nv_bfloat162 &a, const __nv_bfloat162 &b) { return __hblt2(a, b); }
WARPLINE_BF16 bool operator<=(const __nv_bfloat162 &a, const __nv_bfloat162 &b) { return __hble2(a, b); }
WARPLINE_BF16 bool operator>(const __nv_bfloat162 &a, const __nv_bfloat162 &b) { return __hbgt2(a, b); }
WARPLINE_BF16 bool operator>=(const __nv_bfloat162 &a, const __nv_bfloat162 &b) { return __hbge2(a, b); }
#undef WARPLINE_BF16
#if defined(__CUDA__)
static __device__ __forceinline__ __nv_bfloat16 htanh(__nv_bfloat16 a) { return __nv_bfloat16(tanhf((float)a)); }
static __device__ __forceinline__ __nv_bfloat162 h2tanh(__nv_bfloat162 a) { return __nv_bfloat162(htanh(a.x), htanh(a.y)); }
static __device__ __forceinline__ __nv_bfloat16 htanh_approx(__nv_bfloat16 a) { return htanh(a); }
static __device__ __forceinline__ __nv_bfloat162 h2tanh_approx(__nv_bfloat162 a) { return h2tanh(a); }
#endif
#endif
