/* The built-in vector types: size and alignment are part of the ABI between host and device. */
#ifndef WARPLINE_VECTOR_TYPES_H
#define WARPLINE_VECTOR_TYPES_H
#define __VECTOR_TYPES_H__ /* programs ask for this name */
#include "host_defines.h"

/* base: name stem; type: element; a2, a4: alignment of the two- and four-element types. */
#define WARPLINE_VECTORS(base, type, a2, a4)                          \
    struct base##1 { type x; };                                       \
    struct __attribute__((aligned(a2))) base##2 { type x, y; };       \
    struct base##3 { type x, y, z; };                                 \
    struct __attribute__((aligned(a4))) base##4 { type x, y, z, w; }; \
    typedef struct base##1 base##1;                                   \
    typedef struct base##2 base##2;                                   \
    typedef struct base##3 base##3;                                   \
    typedef struct base##4 base##4;

WARPLINE_VECTORS(char, signed char, 2, 4)
WARPLINE_VECTORS(uchar, unsigned char, 2, 4)
WARPLINE_VECTORS(short, short, 4, 8)
WARPLINE_VECTORS(ushort, unsigned short, 4, 8)
WARPLINE_VECTORS(int, int, 8, 16)
WARPLINE_VECTORS(uint, unsigned int, 8, 16)
WARPLINE_VECTORS(long, long, 16, 16)
WARPLINE_VECTORS(ulong, unsigned long, 16, 16)
WARPLINE_VECTORS(longlong, long long, 16, 16)
WARPLINE_VECTORS(ulonglong, unsigned long long, 16, 16)
WARPLINE_VECTORS(float, float, 8, 16)
WARPLINE_VECTORS(double, double, 16, 16)
#undef WARPLINE_VECTORS

struct dim3 {
    unsigned int x, y, z;
#if defined(__cplusplus)
    __host__ __device__ constexpr dim3(unsigned int vx = 1, unsigned int vy = 1, unsigned int vz = 1) : x(vx), y(vy), z(vz) {}
    __host__ __device__ constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
    __host__ __device__ constexpr operator uint3() const { return uint3{x, y, z}; }
#endif
};
typedef struct dim3 dim3;
#endif
