/* Arithmetic of CUDA's vector types, component by component, under the names of NVIDIA's sample programs; written anew. */
#ifndef WARPLINE_HELPER_MATH_H
#define WARPLINE_HELPER_MATH_H
#include "bits/names_hidden.h"
#include <cuda_runtime.h>
#include <math.h>
typedef unsigned int uint;
typedef unsigned short ushort;
#ifndef EXIT_WAIVED
#define EXIT_WAIVED 2
#endif
#define WARPLINE_V inline __host__ __device__
#if !defined(__CUDACC__)
inline int max(int a, int b) { return a > b ? a : b; }
inline int min(int a, int b) { return a < b ? a : b; }
inline float rsqrtf(float x) { return 1.0f / sqrtf(x); }
#endif

/* E(i) for each component, as a list; S: the same as statements. */
#define WARPLINE_EACH2(E) E(x), E(y)
#define WARPLINE_EACH3(E) E(x), E(y), E(z)
#define WARPLINE_EACH4(E) E(x), E(y), E(z), E(w)

/* From one scalar, from other vectors of the size, from fewer components and one more, from more. */
#define WARPLINE_MAKE2(t, s) \
    WARPLINE_V t##2 make_##t##2(s a) { return make_##t##2(a, a); } \
    WARPLINE_V t##2 make_##t##2(t##3 a) { return make_##t##2(a.x, a.y); }
#define WARPLINE_MAKE3(t, s) \
    WARPLINE_V t##3 make_##t##3(s a) { return make_##t##3(a, a, a); } \
    WARPLINE_V t##3 make_##t##3(t##2 a) { return make_##t##3(a.x, a.y, 0); } \
    WARPLINE_V t##3 make_##t##3(t##2 a, s z) { return make_##t##3(a.x, a.y, z); } \
    WARPLINE_V t##3 make_##t##3(t##4 a) { return make_##t##3(a.x, a.y, a.z); }
#define WARPLINE_MAKE4(t, s) \
    WARPLINE_V t##4 make_##t##4(s a) { return make_##t##4(a, a, a, a); } \
    WARPLINE_V t##4 make_##t##4(t##3 a) { return make_##t##4(a.x, a.y, a.z, 0); } \
    WARPLINE_V t##4 make_##t##4(t##3 a, s w) { return make_##t##4(a.x, a.y, a.z, w); }
#define WARPLINE_MAKE(t, s) WARPLINE_MAKE2(t, s) WARPLINE_MAKE3(t, s) WARPLINE_MAKE4(t, s)
WARPLINE_MAKE(float, float)
WARPLINE_MAKE(int, int)
WARPLINE_MAKE(uint, uint)
#define WARPLINE_CAST_FLOAT(i) (float)a.i
#define WARPLINE_CAST_INT(i) (int)a.i
#define WARPLINE_CAST_UINT(i) (uint)a.i
#define WARPLINE_CONVERT(n) \
    WARPLINE_V float##n make_float##n(int##n a) { return make_float##n(WARPLINE_EACH##n(WARPLINE_CAST_FLOAT)); } \
    WARPLINE_V float##n make_float##n(uint##n a) { return make_float##n(WARPLINE_EACH##n(WARPLINE_CAST_FLOAT)); } \
    WARPLINE_V int##n make_int##n(float##n a) { return make_int##n(WARPLINE_EACH##n(WARPLINE_CAST_INT)); } \
    WARPLINE_V int##n make_int##n(uint##n a) { return make_int##n(WARPLINE_EACH##n(WARPLINE_CAST_INT)); } \
    WARPLINE_V uint##n make_uint##n(int##n a) { return make_uint##n(WARPLINE_EACH##n(WARPLINE_CAST_UINT)); } \
    WARPLINE_V uint##n make_uint##n(float##n a) { return make_uint##n(WARPLINE_EACH##n(WARPLINE_CAST_UINT)); }
WARPLINE_CONVERT(2)
WARPLINE_CONVERT(3)
WARPLINE_CONVERT(4)

#define WARPLINE_ADD(i) a.i + b.i
#define WARPLINE_ADD_S(i) a.i + b
#define WARPLINE_SUB(i) a.i - b.i
#define WARPLINE_SUB_S(i) a.i - b
#define WARPLINE_S_SUB(i) b - a.i
#define WARPLINE_MUL(i) a.i * b.i
#define WARPLINE_MUL_S(i) a.i * b
#define WARPLINE_DIV(i) a.i / b.i
#define WARPLINE_DIV_S(i) a.i / b
#define WARPLINE_S_DIV(i) b / a.i
#define WARPLINE_OPERATOR(v, s, n, op, each, with, from) \
    WARPLINE_V v operator op(v a, v b) { return make_##v(WARPLINE_EACH##n(each)); } \
    WARPLINE_V v operator op(v a, s b) { return make_##v(WARPLINE_EACH##n(with)); } \
    WARPLINE_V v operator op(s b, v a) { return make_##v(WARPLINE_EACH##n(from)); } \
    WARPLINE_V void operator op##=(v &a, v b) { a = a op b; } \
    WARPLINE_V void operator op##=(v &a, s b) { a = a op b; }
#define WARPLINE_LEAST(i) min(a.i, b.i)
#define WARPLINE_MOST(i) max(a.i, b.i)
#define WARPLINE_LEASTF(i) fminf(a.i, b.i)
#define WARPLINE_MOSTF(i) fmaxf(a.i, b.i)
#define WARPLINE_RING(v, s, n) \
    WARPLINE_OPERATOR(v, s, n, +, WARPLINE_ADD, WARPLINE_ADD_S, WARPLINE_ADD_S) \
    WARPLINE_OPERATOR(v, s, n, -, WARPLINE_SUB, WARPLINE_SUB_S, WARPLINE_S_SUB) \
    WARPLINE_OPERATOR(v, s, n, *, WARPLINE_MUL, WARPLINE_MUL_S, WARPLINE_MUL_S)
#define WARPLINE_ORDER(v, s, n, least, most) \
    WARPLINE_V v WARPLINE_MIN_NAME(v)(v a, v b) { return make_##v(WARPLINE_EACH##n(least)); } \
    WARPLINE_V v WARPLINE_MAX_NAME(v)(v a, v b) { return make_##v(WARPLINE_EACH##n(most)); } \
    WARPLINE_V v clamp(v a, v low, v high) { return WARPLINE_MAX_NAME(v)(low, WARPLINE_MIN_NAME(v)(a, high)); } \
    WARPLINE_V v clamp(v a, s low, s high) { return clamp(a, make_##v(low), make_##v(high)); }
#define WARPLINE_NEGATED(i) -a.i
#define WARPLINE_NEGATE(v, n) WARPLINE_V v operator-(v a) { return make_##v(WARPLINE_EACH##n(WARPLINE_NEGATED)); }

WARPLINE_V float lerp(float a, float b, float t) { return a + t * (b - a); }
WARPLINE_V float clamp(float f, float low, float high) { return fmaxf(low, fminf(f, high)); }
WARPLINE_V int clamp(int f, int low, int high) { return max(low, min(f, high)); }
WARPLINE_V uint clamp(uint f, uint low, uint high) { return f < low ? low : f > high ? high : f; }
WARPLINE_V float fracf(float v) { return v - floorf(v); }
WARPLINE_V float smoothstep(float a, float b, float x)
{
    const float y = clamp((x - a) / (b - a), 0.0f, 1.0f);
    return y * y * (3.0f - 2.0f * y);
}

#define WARPLINE_FLOOR(i) floorf(a.i)
#define WARPLINE_FRACTION(i) fracf(a.i)
#define WARPLINE_ABSOLUTE(i) fabsf(a.i)
#define WARPLINE_ABSOLUTE_INT(i) abs(a.i)
#define WARPLINE_REMAINDER(i) fmodf(a.i, b.i)
#define WARPLINE_STEP(i) smoothstep(a.i, b.i, t.i)
#define WARPLINE_MIN_NAME(v) fminf
#define WARPLINE_MAX_NAME(v) fmaxf
#define WARPLINE_FLOATS(n, inner) \
    WARPLINE_NEGATE(float##n, n) \
    WARPLINE_RING(float##n, float, n) \
    WARPLINE_OPERATOR(float##n, float, n, /, WARPLINE_DIV, WARPLINE_DIV_S, WARPLINE_S_DIV) \
    WARPLINE_ORDER(float##n, float, n, WARPLINE_LEASTF, WARPLINE_MOSTF) \
    WARPLINE_V float dot(float##n a, float##n b) { return inner; } \
    WARPLINE_V float length(float##n v) { return sqrtf(dot(v, v)); } \
    WARPLINE_V float##n normalize(float##n v) { return v * rsqrtf(dot(v, v)); } \
    WARPLINE_V float##n lerp(float##n a, float##n b, float t) { return a + t * (b - a); } \
    WARPLINE_V float##n floorf(float##n a) { return make_float##n(WARPLINE_EACH##n(WARPLINE_FLOOR)); } \
    WARPLINE_V float##n fracf(float##n a) { return make_float##n(WARPLINE_EACH##n(WARPLINE_FRACTION)); } \
    WARPLINE_V float##n fabs(float##n a) { return make_float##n(WARPLINE_EACH##n(WARPLINE_ABSOLUTE)); } \
    WARPLINE_V float##n fmodf(float##n a, float##n b) { return make_float##n(WARPLINE_EACH##n(WARPLINE_REMAINDER)); } \
    WARPLINE_V float##n smoothstep(float##n a, float##n b, float##n t) { return make_float##n(WARPLINE_EACH##n(WARPLINE_STEP)); } \
    WARPLINE_V float##n reflect(float##n i, float##n normal) { return i - 2.0f * normal * dot(normal, i); }
WARPLINE_FLOATS(2, a.x * b.x + a.y * b.y)
WARPLINE_FLOATS(3, a.x * b.x + a.y * b.y + a.z * b.z)
WARPLINE_FLOATS(4, a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w)
#undef WARPLINE_MIN_NAME
#undef WARPLINE_MAX_NAME
#define WARPLINE_MIN_NAME(v) min
#define WARPLINE_MAX_NAME(v) max
#define WARPLINE_INTS(t, s, n, inner) \
    WARPLINE_RING(t##n, s, n) \
    WARPLINE_ORDER(t##n, s, n, WARPLINE_LEAST, WARPLINE_MOST) \
    WARPLINE_V s dot(t##n a, t##n b) { return inner; }
#define WARPLINE_BOTH(n, inner) \
    WARPLINE_INTS(int, int, n, inner) \
    WARPLINE_INTS(uint, uint, n, inner) \
    WARPLINE_NEGATE(int##n, n) \
    WARPLINE_V int##n abs(int##n a) { return make_int##n(WARPLINE_EACH##n(WARPLINE_ABSOLUTE_INT)); }
WARPLINE_BOTH(2, a.x * b.x + a.y * b.y)
WARPLINE_BOTH(3, a.x * b.x + a.y * b.y + a.z * b.z)
WARPLINE_BOTH(4, a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w)
#undef WARPLINE_MIN_NAME
#undef WARPLINE_MAX_NAME
WARPLINE_V float3 cross(float3 a, float3 b) { return make_float3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x); }
#include "bits/names_shown.h"
#endif
