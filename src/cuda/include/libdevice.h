/* Our own libdevice: the functions that clang's CUDA headers call by the names of NVIDIA's library (__nv_sinf...).
 * Written from the mathematics; docs/running.md has the accuracy of each, as measured by tests/e2e/cuda/math_accuracy.cu.
 * Three parts: single instructions (this file), float functions, double functions. */
#ifndef WARPLINE_LIBDEVICE_H
#define WARPLINE_LIBDEVICE_H

#define WL_DEVICE extern "C" __device__ inline __attribute__((always_inline))
/* Larger functions: the compiler decides whether to inline. */
#define WL_DEVICE_LARGE extern "C" __device__ inline

/* One PTX instruction with one, two or three operands. `r` and `a` are asm constraint letters of result and operand. */
#define WL_ASM1(name, result, type, instruction, r, a) \
    WL_DEVICE result __nv_##name(type x) { result y; asm(instruction " %0, %1;" : "=" r(y) : a(x)); return y; }
#define WL_ASM2(name, type, instruction, a) \
    WL_DEVICE type __nv_##name(type x, type y) { type z; asm(instruction " %0, %1, %2;" : "=" a(z) : a(x), a(y)); return z; }
#define WL_ASM3(name, type, instruction, a)                                                             \
    WL_DEVICE type __nv_##name(type x, type y, type z)                                                  \
    { type w; asm(instruction " %0, %1, %2, %3;" : "=" a(w) : a(x), a(y), a(z)); return w; }

/* The four rounding modes: nearest, zero, down, up. */
#define WL_ROUNDED2(stem, type, op, suffix, a)          \
    WL_ASM2(stem##_rn, type, op ".rn." suffix, a)       \
    WL_ASM2(stem##_rz, type, op ".rz." suffix, a)       \
    WL_ASM2(stem##_rd, type, op ".rm." suffix, a)       \
    WL_ASM2(stem##_ru, type, op ".rp." suffix, a)
#define WL_ROUNDED1(stem, type, op, suffix, a)          \
    WL_ASM1(stem##_rn, type, type, op ".rn." suffix, a, a) \
    WL_ASM1(stem##_rz, type, type, op ".rz." suffix, a, a) \
    WL_ASM1(stem##_rd, type, type, op ".rm." suffix, a, a) \
    WL_ASM1(stem##_ru, type, type, op ".rp." suffix, a, a)
#define WL_ROUNDED3(stem, type, op, suffix, a)          \
    WL_ASM3(stem##_rn, type, op ".rn." suffix, a)       \
    WL_ASM3(stem##_rz, type, op ".rz." suffix, a)       \
    WL_ASM3(stem##_rd, type, op ".rm." suffix, a)       \
    WL_ASM3(stem##_ru, type, op ".rp." suffix, a)
WL_ROUNDED2(fadd, float, "add", "f32", "f")
WL_ROUNDED2(fsub, float, "sub", "f32", "f")
WL_ROUNDED2(fmul, float, "mul", "f32", "f")
WL_ROUNDED2(fdiv, float, "div", "f32", "f")
WL_ROUNDED1(frcp, float, "rcp", "f32", "f")
WL_ROUNDED1(fsqrt, float, "sqrt", "f32", "f")
WL_ROUNDED3(fmaf, float, "fma", "f32", "f")
WL_ROUNDED3(fmaf_ieee, float, "fma", "f32", "f")
WL_ROUNDED2(dadd, double, "add", "f64", "d")
WL_ROUNDED2(dsub, double, "sub", "f64", "d")
WL_ROUNDED2(dmul, double, "mul", "f64", "d")
WL_ROUNDED2(ddiv, double, "div", "f64", "d")
WL_ROUNDED1(drcp, double, "rcp", "f64", "d")
WL_ROUNDED1(dsqrt, double, "sqrt", "f64", "d")
WL_ROUNDED3(fma, double, "fma", "f64", "d")

/* Conversions to integers round with .rni and friends; to floats with .rn. */
#define WL_TO_INT(stem, result, type, suffix, r, a)              \
    WL_ASM1(stem##_rn, result, type, "cvt.rni." suffix, r, a)    \
    WL_ASM1(stem##_rz, result, type, "cvt.rzi." suffix, r, a)    \
    WL_ASM1(stem##_rd, result, type, "cvt.rmi." suffix, r, a)    \
    WL_ASM1(stem##_ru, result, type, "cvt.rpi." suffix, r, a)
#define WL_TO_FLOAT(stem, result, type, suffix, r, a)            \
    WL_ASM1(stem##_rn, result, type, "cvt.rn." suffix, r, a)     \
    WL_ASM1(stem##_rz, result, type, "cvt.rz." suffix, r, a)     \
    WL_ASM1(stem##_rd, result, type, "cvt.rm." suffix, r, a)     \
    WL_ASM1(stem##_ru, result, type, "cvt.rp." suffix, r, a)
WL_TO_INT(float2int, int, float, "s32.f32", "r", "f")
WL_TO_INT(float2uint, unsigned int, float, "u32.f32", "r", "f")
WL_TO_INT(float2ll, long long, float, "s64.f32", "l", "f")
WL_TO_INT(float2ull, unsigned long long, float, "u64.f32", "l", "f")
WL_TO_INT(double2int, int, double, "s32.f64", "r", "d")
WL_TO_INT(double2uint, unsigned int, double, "u32.f64", "r", "d")
WL_TO_INT(double2ll, long long, double, "s64.f64", "l", "d")
WL_TO_INT(double2ull, unsigned long long, double, "u64.f64", "l", "d")
WL_TO_FLOAT(int2float, float, int, "f32.s32", "f", "r")
WL_TO_FLOAT(uint2float, float, unsigned int, "f32.u32", "f", "r")
WL_TO_FLOAT(ll2float, float, long long, "f32.s64", "f", "l")
WL_TO_FLOAT(ull2float, float, unsigned long long, "f32.u64", "f", "l")
WL_TO_FLOAT(ll2double, double, long long, "f64.s64", "d", "l")
WL_TO_FLOAT(ull2double, double, unsigned long long, "f64.u64", "d", "l")
WL_TO_FLOAT(double2float, float, double, "f32.f64", "f", "d")
WL_DEVICE double __nv_int2double_rn(int x) { return (double)x; }
WL_DEVICE double __nv_uint2double_rn(unsigned int x) { return (double)x; }

/* Bits. */
WL_DEVICE int __nv_float_as_int(float x) { return __builtin_bit_cast(int, x); }
WL_DEVICE unsigned int __nv_float_as_uint(float x) { return __builtin_bit_cast(unsigned int, x); }
WL_DEVICE float __nv_int_as_float(int x) { return __builtin_bit_cast(float, x); }
WL_DEVICE float __nv_uint_as_float(unsigned int x) { return __builtin_bit_cast(float, x); }
WL_DEVICE unsigned long long __nv_double_as_longlong(double x) { return __builtin_bit_cast(unsigned long long, x); }
WL_DEVICE double __nv_longlong_as_double(long long x) { return __builtin_bit_cast(double, x); }
WL_DEVICE int __nv_double2hiint(double x) { return (int)(__builtin_bit_cast(unsigned long long, x) >> 32); }
WL_DEVICE int __nv_double2loint(double x) { return (int)__builtin_bit_cast(unsigned long long, x); }
WL_DEVICE double __nv_hiloint2double(int high, int low)
{
    return __builtin_bit_cast(double, (unsigned long long)(unsigned)high << 32 | (unsigned)low);
}

/* Integers. */
WL_DEVICE int __nv_abs(int x) { return x < 0 ? -x : x; }
WL_DEVICE long long __nv_llabs(long long x) { return x < 0 ? -x : x; }
WL_DEVICE int __nv_brev(int x) { return (int)__builtin_bitreverse32((unsigned)x); }
WL_DEVICE long long __nv_brevll(long long x) { return (long long)__builtin_bitreverse64((unsigned long long)x); }
WL_DEVICE int __nv_byte_perm(int a, int b, int selector)
{ int r; asm("prmt.b32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(selector)); return r; }
WL_DEVICE int __nv_clz(int x) { int r; asm("clz.b32 %0, %1;" : "=r"(r) : "r"(x)); return r; }
WL_DEVICE int __nv_clzll(long long x) { int r; asm("clz.b64 %0, %1;" : "=r"(r) : "l"(x)); return r; }
WL_DEVICE int __nv_popc(int x) { int r; asm("popc.b32 %0, %1;" : "=r"(r) : "r"(x)); return r; }
WL_DEVICE int __nv_popcll(long long x) { int r; asm("popc.b64 %0, %1;" : "=r"(r) : "l"(x)); return r; }
WL_DEVICE int __nv_ffs(int x) { return x ? 32 - __nv_clz(x & -x) : 0; }
WL_DEVICE int __nv_ffsll(long long x) { return x ? 64 - __nv_clzll(x & -x) : 0; }
WL_DEVICE int __nv_max(int a, int b) { return a > b ? a : b; }
WL_DEVICE int __nv_min(int a, int b) { return a < b ? a : b; }
WL_DEVICE unsigned int __nv_umax(unsigned int a, unsigned int b) { return a > b ? a : b; }
WL_DEVICE unsigned int __nv_umin(unsigned int a, unsigned int b) { return a < b ? a : b; }
WL_DEVICE long long __nv_llmax(long long a, long long b) { return a > b ? a : b; }
WL_DEVICE long long __nv_llmin(long long a, long long b) { return a < b ? a : b; }
WL_DEVICE unsigned long long __nv_ullmax(unsigned long long a, unsigned long long b) { return a > b ? a : b; }
WL_DEVICE unsigned long long __nv_ullmin(unsigned long long a, unsigned long long b) { return a < b ? a : b; }
WL_ASM2(mulhi, int, "mul.hi.s32", "r")
WL_ASM2(umulhi, unsigned int, "mul.hi.u32", "r")
WL_ASM2(mul64hi, long long, "mul.hi.s64", "l")
WL_ASM2(umul64hi, unsigned long long, "mul.hi.u64", "l")
WL_DEVICE int __nv_mul24(int a, int b) { return (a << 8 >> 8) * (b << 8 >> 8); }
WL_DEVICE unsigned int __nv_umul24(unsigned int a, unsigned int b) { return (a & 0xffffffu) * (b & 0xffffffu); }
WL_DEVICE int __nv_hadd(int a, int b) { return (int)(((long long)a + b) >> 1); }
WL_DEVICE int __nv_rhadd(int a, int b) { return (int)(((long long)a + b + 1) >> 1); }
WL_DEVICE int __nv_uhadd(unsigned int a, unsigned int b) { return (int)(((unsigned long long)a + b) >> 1); }
WL_DEVICE unsigned int __nv_urhadd(unsigned int a, unsigned int b) { return (unsigned int)(((unsigned long long)a + b + 1) >> 1); }
WL_ASM3(sad, int, "sad.s32", "r")
WL_ASM3(usad, unsigned int, "sad.u32", "r")

/* Half precision, as bits. */
WL_DEVICE float __nv_half2float(unsigned short h) { float f; asm("cvt.f32.f16 %0, %1;" : "=f"(f) : "h"(h)); return f; }
WL_DEVICE unsigned short __nv_float2half_rn(float f)
{ unsigned short h; asm("cvt.rn.f16.f32 %0, %1;" : "=h"(h) : "f"(f)); return h; }

/* One instruction each, float and double. */
WL_ASM1(fabsf, float, float, "abs.f32", "f", "f")
WL_ASM1(fabs, double, double, "abs.f64", "d", "d")
WL_ASM1(sqrtf, float, float, "sqrt.rn.f32", "f", "f")
WL_ASM1(sqrt, double, double, "sqrt.rn.f64", "d", "d")
WL_ASM1(floorf, float, float, "cvt.rmi.f32.f32", "f", "f")
WL_ASM1(ceilf, float, float, "cvt.rpi.f32.f32", "f", "f")
WL_ASM1(truncf, float, float, "cvt.rzi.f32.f32", "f", "f")
WL_ASM1(rintf, float, float, "cvt.rni.f32.f32", "f", "f")
WL_ASM1(nearbyintf, float, float, "cvt.rni.f32.f32", "f", "f")
WL_ASM1(floor, double, double, "cvt.rmi.f64.f64", "d", "d")
WL_ASM1(ceil, double, double, "cvt.rpi.f64.f64", "d", "d")
WL_ASM1(trunc, double, double, "cvt.rzi.f64.f64", "d", "d")
WL_ASM1(rint, double, double, "cvt.rni.f64.f64", "d", "d")
WL_ASM1(nearbyint, double, double, "cvt.rni.f64.f64", "d", "d")
WL_ASM1(saturatef, float, float, "cvt.sat.f32.f32", "f", "f")
WL_ASM2(fmaxf, float, "max.f32", "f")
WL_ASM2(fminf, float, "min.f32", "f")
WL_ASM2(fmax, double, "max.f64", "d")
WL_ASM2(fmin, double, "min.f64", "d")
WL_DEVICE float __nv_fmaf(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
WL_DEVICE double __nv_fma(double a, double b, double c) { return __builtin_fma(a, b, c); }
WL_DEVICE float __nv_copysignf(float a, float b)
{ return __nv_int_as_float((__nv_float_as_int(a) & 0x7fffffff) | (__nv_float_as_int(b) & (int)0x80000000)); }
WL_DEVICE double __nv_copysign(double a, double b)
{
    const unsigned long long sign = 1ull << 63;
    return __nv_longlong_as_double((long long)((__nv_double_as_longlong(a) & ~sign) | (__nv_double_as_longlong(b) & sign)));
}

/* Classification. */
WL_DEVICE int __nv_isnanf(float x) { return x != x; }
WL_DEVICE int __nv_isnand(double x) { return x != x; }
WL_DEVICE int __nv_isinff(float x) { return __nv_fabsf(x) == __builtin_inff(); }
WL_DEVICE int __nv_isinfd(double x) { return __nv_fabs(x) == __builtin_inf(); }
WL_DEVICE int __nv_finitef(float x) { return __nv_fabsf(x) < __builtin_inff(); }
WL_DEVICE int __nv_isfinited(double x) { return __nv_fabs(x) < __builtin_inf(); }
WL_DEVICE int __nv_signbitf(float x) { return __nv_float_as_int(x) < 0; }
WL_DEVICE int __nv_signbitd(double x) { return (long long)__nv_double_as_longlong(x) < 0; }
WL_DEVICE float __nv_nanf(const signed char *) { return __builtin_nanf(""); }
WL_DEVICE double __nv_nan(const signed char *) { return __builtin_nan(""); }

/* The hardware's approximations: the intrinsics with two underscores. */
WL_ASM1(approx_ex2f, float, float, "ex2.approx.f32", "f", "f")
WL_ASM1(approx_lg2f, float, float, "lg2.approx.f32", "f", "f")
WL_ASM1(approx_rcpf, float, float, "rcp.approx.f32", "f", "f")
WL_ASM1(fast_sinf, float, float, "sin.approx.f32", "f", "f")
WL_ASM1(fast_cosf, float, float, "cos.approx.f32", "f", "f")
WL_ASM1(rsqrtf, float, float, "rsqrt.approx.f32", "f", "f")
WL_ASM2(fast_fdividef, float, "div.approx.f32", "f")
WL_DEVICE float __nv_fast_expf(float x) { return __nv_approx_ex2f(x * 1.44269504f); }
WL_DEVICE float __nv_fast_exp10f(float x) { return __nv_approx_ex2f(x * 3.32192809f); }
WL_DEVICE float __nv_fast_log2f(float x) { return __nv_approx_lg2f(x); }
WL_DEVICE float __nv_fast_logf(float x) { return __nv_approx_lg2f(x) * 0.69314718f; }
WL_DEVICE float __nv_fast_log10f(float x) { return __nv_approx_lg2f(x) * 0.30103000f; }
WL_DEVICE float __nv_fast_powf(float x, float y) { return __nv_approx_ex2f(y * __nv_approx_lg2f(x)); }
WL_DEVICE float __nv_fast_tanf(float x) { return __nv_fast_fdividef(__nv_fast_sinf(x), __nv_fast_cosf(x)); }
WL_DEVICE void __nv_fast_sincosf(float x, float *s, float *c) { *s = __nv_fast_sinf(x); *c = __nv_fast_cosf(x); }
WL_DEVICE float __nv_frsqrt_rn(float x) { return (float)(1.0 / __nv_sqrt((double)x)); }

#undef WL_ROUNDED1
#undef WL_ROUNDED2
#undef WL_ROUNDED3
#undef WL_TO_INT
#undef WL_TO_FLOAT
#include "libdevice_float.h"
#include "libdevice_double.h"
#undef WL_ASM1
#undef WL_ASM2
#undef WL_ASM3
#undef WL_DEVICE
#undef WL_DEVICE_LARGE
#endif
