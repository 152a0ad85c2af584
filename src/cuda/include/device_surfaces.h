/* Surface objects: reads and writes of 1, 2, 4, 8 and 16 bytes; x counts bytes. The boundary mode chooses the instruction. */
#ifndef WARPLINE_DEVICE_SURFACES_H
#define WARPLINE_DEVICE_SURFACES_H

/* One access in one boundary mode. `where` names the operands that follow it: o the object, x, y, z, l the layer. */
#define WARPLINE_SURFACE_READ(form, clamp, where, ...)                                                                            \
    if constexpr (sizeof(T) == 1) {                                                                                               \
        unsigned v;                                                                                                               \
        asm volatile("{ .reg .b16 t; suld.b." form ".b8." clamp " {t}, " where "; cvt.u32.u8 %0, t; }" : "=r"(v) : __VA_ARGS__ : "memory"); \
        __builtin_memcpy(&value, &v, 1);                                                                                          \
    } else if constexpr (sizeof(T) == 2) {                                                                                        \
        unsigned short v;                                                                                                         \
        asm volatile("suld.b." form ".b16." clamp " {%0}, " where ";" : "=h"(v) : __VA_ARGS__ : "memory");                   \
        __builtin_memcpy(&value, &v, 2);                                                                                          \
    } else if constexpr (sizeof(T) == 4) {                                                                                        \
        unsigned v;                                                                                                               \
        asm volatile("suld.b." form ".b32." clamp " {%0}, " where ";" : "=r"(v) : __VA_ARGS__ : "memory");                   \
        __builtin_memcpy(&value, &v, 4);                                                                                          \
    } else if constexpr (sizeof(T) == 8) {                                                                                        \
        uint2 v;                                                                                                                  \
        asm volatile("suld.b." form ".v2.b32." clamp " {%0, %1}, " where ";" : "=r"(v.x), "=r"(v.y) : __VA_ARGS__ : "memory"); \
        __builtin_memcpy(&value, &v, 8);                                                                                          \
    } else {                                                                                                                      \
        uint4 v;                                                                                                                  \
        static_assert(sizeof(T) == 16, "surface elements have 1, 2, 4, 8 or 16 bytes");                                           \
        asm volatile("suld.b." form ".v4.b32." clamp " {%0, %1, %2, %3}, " where ";"                                         \
                     : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w) : __VA_ARGS__ : "memory");                                      \
        __builtin_memcpy(&value, &v, 16);                                                                                         \
    }
#define WARPLINE_SURFACE_WRITE(form, clamp, where, ...)                                                                           \
    if constexpr (sizeof(T) == 1) {                                                                                               \
        unsigned v = 0;                                                                                                           \
        __builtin_memcpy(&v, &value, 1);                                                                                          \
        asm volatile("{ .reg .b16 t; cvt.u16.u32 t, %0; sust.b." form ".b8." clamp " " where ", {t}; }" ::"r"(v), __VA_ARGS__ : "memory"); \
    } else if constexpr (sizeof(T) == 2) {                                                                                        \
        unsigned short v;                                                                                                         \
        __builtin_memcpy(&v, &value, 2);                                                                                          \
        asm volatile("sust.b." form ".b16." clamp " " where ", {%0};" ::"h"(v), __VA_ARGS__ : "memory");                     \
    } else if constexpr (sizeof(T) == 4) {                                                                                        \
        unsigned v;                                                                                                               \
        __builtin_memcpy(&v, &value, 4);                                                                                          \
        asm volatile("sust.b." form ".b32." clamp " " where ", {%0};" ::"r"(v), __VA_ARGS__ : "memory");                     \
    } else if constexpr (sizeof(T) == 8) {                                                                                        \
        uint2 v;                                                                                                                  \
        __builtin_memcpy(&v, &value, 8);                                                                                          \
        asm volatile("sust.b." form ".v2.b32." clamp " " where ", {%0, %1};" ::"r"(v.x), "r"(v.y), __VA_ARGS__ : "memory");  \
    } else {                                                                                                                      \
        uint4 v;                                                                                                                  \
        static_assert(sizeof(T) == 16, "surface elements have 1, 2, 4, 8 or 16 bytes");                                           \
        __builtin_memcpy(&v, &value, 16);                                                                                         \
        asm volatile("sust.b." form ".v4.b32." clamp " " where ", {%0, %1, %2, %3};" ::"r"(v.x), "r"(v.y), "r"(v.z), "r"(v.w), \
                     __VA_ARGS__ : "memory");                                                                                     \
    }
#define WARPLINE_SURFACE_MODES(access, form, where, ...)                                                                          \
    if (mode == cudaBoundaryModeZero) {                                                                                           \
        access(form, "zero", where, __VA_ARGS__)                                                                                  \
    } else if (mode == cudaBoundaryModeClamp) {                                                                                   \
        access(form, "clamp", where, __VA_ARGS__)                                                                                 \
    } else {                                                                                                                      \
        access(form, "trap", where, __VA_ARGS__)                                                                                  \
    }
#define WARPLINE_UNPACK(...) __VA_ARGS__
#define WARPLINE_SURFACE(name, coordinates, passed, form, where, ...)                                                             \
    template <class T> static __device__ __forceinline__ T name##read(cudaSurfaceObject_t object, WARPLINE_UNPACK coordinates,    \
                                                                      cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)        \
    {                                                                                                                             \
        T value;                                                                                                                  \
        WARPLINE_SURFACE_MODES(WARPLINE_SURFACE_READ, form, where, [o] "l"(object), __VA_ARGS__)                                  \
        return value;                                                                                                             \
    }                                                                                                                             \
    template <class T> static __device__ __forceinline__ void name##read(T *out, cudaSurfaceObject_t object,                      \
                                                                         WARPLINE_UNPACK coordinates,                             \
                                                                         cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)     \
    { *out = name##read<T>(object, WARPLINE_UNPACK passed, mode); }                                                               \
    template <class T> static __device__ __forceinline__ void name##write(T value, cudaSurfaceObject_t object,                    \
                                                                          WARPLINE_UNPACK coordinates,                            \
                                                                          cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)    \
    { WARPLINE_SURFACE_MODES(WARPLINE_SURFACE_WRITE, form, where, [o] "l"(object), __VA_ARGS__) }
WARPLINE_SURFACE(surf1D, (int x), (x), "1d", "[%[o], {%[x]}]", [x] "r"(x))
WARPLINE_SURFACE(surf2D, (int x, int y), (x, y), "2d", "[%[o], {%[x], %[y]}]", [x] "r"(x), [y] "r"(y))
WARPLINE_SURFACE(surf3D, (int x, int y, int z), (x, y, z), "3d", "[%[o], {%[x], %[y], %[z], %[z]}]", [x] "r"(x), [y] "r"(y), [z] "r"(z))
WARPLINE_SURFACE(surf1DLayered, (int x, int layer), (x, layer), "a1d", "[%[o], {%[l], %[x]}]", [l] "r"(layer), [x] "r"(x))
WARPLINE_SURFACE(surf2DLayered, (int x, int y, int layer), (x, y, layer), "a2d", "[%[o], {%[l], %[x], %[y], %[y]}]", [l] "r"(layer),
                 [x] "r"(x), [y] "r"(y))
#undef WARPLINE_SURFACE
#undef WARPLINE_UNPACK
#undef WARPLINE_SURFACE_MODES
#undef WARPLINE_SURFACE_READ
#undef WARPLINE_SURFACE_WRITE
#endif
