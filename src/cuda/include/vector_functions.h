/* make_float4 and its family. */
#ifndef WARPLINE_VECTOR_FUNCTIONS_H
#define WARPLINE_VECTOR_FUNCTIONS_H
#include "vector_types.h"

#if defined(__cplusplus)
#define WARPLINE_MAKERS(base, type)                                                                                            \
    static __host__ __device__ __forceinline__ base##1 make_##base##1(type x) { base##1 v; v.x = x; return v; }                \
    static __host__ __device__ __forceinline__ base##2 make_##base##2(type x, type y) { base##2 v; v.x = x; v.y = y; return v; } \
    static __host__ __device__ __forceinline__ base##3 make_##base##3(type x, type y, type z)                                  \
    { base##3 v; v.x = x; v.y = y; v.z = z; return v; }                                                                        \
    static __host__ __device__ __forceinline__ base##4 make_##base##4(type x, type y, type z, type w)                          \
    { base##4 v; v.x = x; v.y = y; v.z = z; v.w = w; return v; }

WARPLINE_MAKERS(char, signed char)
WARPLINE_MAKERS(uchar, unsigned char)
WARPLINE_MAKERS(short, short)
WARPLINE_MAKERS(ushort, unsigned short)
WARPLINE_MAKERS(int, int)
WARPLINE_MAKERS(uint, unsigned int)
WARPLINE_MAKERS(long, long)
WARPLINE_MAKERS(ulong, unsigned long)
WARPLINE_MAKERS(longlong, long long)
WARPLINE_MAKERS(ulonglong, unsigned long long)
WARPLINE_MAKERS(float, float)
WARPLINE_MAKERS(double, double)
#undef WARPLINE_MAKERS
#endif
#endif
