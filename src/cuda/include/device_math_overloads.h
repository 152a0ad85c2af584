/* Overloads for float that clang's headers declare for the device and leave to others: round(x), log2(x), fmax(a, b)... */
#ifndef WARPLINE_DEVICE_MATH_OVERLOADS_H
#define WARPLINE_DEVICE_MATH_OVERLOADS_H

#define WARPLINE_OVERLOAD static __device__ __inline__ __attribute__((always_inline))
#define WARPLINE_FLOAT1(result, name) WARPLINE_OVERLOAD result name(float x) { return ::name##f(x); }
#define WARPLINE_FLOAT2(name) WARPLINE_OVERLOAD float name(float x, float y) { return ::name##f(x, y); }
WARPLINE_FLOAT1(float, acosh)
WARPLINE_FLOAT1(float, asinh)
WARPLINE_FLOAT1(float, atanh)
WARPLINE_FLOAT1(float, cbrt)
WARPLINE_FLOAT1(float, erf)
WARPLINE_FLOAT1(float, erfc)
WARPLINE_FLOAT1(float, exp2)
WARPLINE_FLOAT1(float, expm1)
WARPLINE_FLOAT1(float, lgamma)
WARPLINE_FLOAT1(float, log1p)
WARPLINE_FLOAT1(float, log2)
WARPLINE_FLOAT1(float, logb)
WARPLINE_FLOAT1(float, nearbyint)
WARPLINE_FLOAT1(float, rint)
WARPLINE_FLOAT1(float, round)
WARPLINE_FLOAT1(float, tgamma)
WARPLINE_FLOAT1(float, trunc)
WARPLINE_FLOAT1(int, ilogb)
WARPLINE_FLOAT1(long, lrint)
WARPLINE_FLOAT1(long, lround)
WARPLINE_FLOAT1(long long, llrint)
WARPLINE_FLOAT1(long long, llround)
WARPLINE_FLOAT2(copysign)
WARPLINE_FLOAT2(fdim)
WARPLINE_FLOAT2(fmax)
WARPLINE_FLOAT2(fmin)
WARPLINE_FLOAT2(hypot)
WARPLINE_FLOAT2(nextafter)
WARPLINE_FLOAT2(remainder)
WARPLINE_OVERLOAD float fma(float x, float y, float z) { return ::fmaf(x, y, z); }
WARPLINE_OVERLOAD float scalbn(float x, int n) { return ::scalbnf(x, n); }
WARPLINE_OVERLOAD float scalbln(float x, long n) { return ::scalblnf(x, n); }
WARPLINE_OVERLOAD float remquo(float x, float y, int *quotient) { return ::remquof(x, y, quotient); }
/* The text that C lets choose among the values that are not numbers chooses nothing here. */
WARPLINE_OVERLOAD double nan(const char *) { return __builtin_nan(""); }
WARPLINE_OVERLOAD float nanf(const char *) { return __builtin_nanf(""); }
#undef WARPLINE_OVERLOAD
#undef WARPLINE_FLOAT1
#undef WARPLINE_FLOAT2
#endif
