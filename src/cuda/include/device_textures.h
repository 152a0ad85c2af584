/* Texture and surface objects: tex1Dfetch, tex1D, tex2D, tex3D, layered forms, and surface reads and writes. */
#ifndef WARPLINE_DEVICE_TEXTURES_H
#define WARPLINE_DEVICE_TEXTURES_H

namespace warpline {
/* What a fetch returns as four registers, and how a type is made of them. Bits: 'f' floats, 's' signed, 'u' unsigned. */
template <class T> struct texel;
#define WARPLINE_TEXEL1(type, kind) \
    template <> struct texel<type> { enum { tag = kind }; template <class V> static __device__ type make(V v) { return (type)v.x; } };
#define WARPLINE_TEXELS(base, element, kind)                                                                                     \
    template <> struct texel<base##1> { enum { tag = kind }; template <class V> static __device__ base##1 make(V v)              \
    { base##1 r; r.x = (element)v.x; return r; } };                                                                              \
    template <> struct texel<base##2> { enum { tag = kind }; template <class V> static __device__ base##2 make(V v)              \
    { base##2 r; r.x = (element)v.x; r.y = (element)v.y; return r; } };                                                          \
    template <> struct texel<base##4> { enum { tag = kind }; template <class V> static __device__ base##4 make(V v)              \
    { base##4 r; r.x = (element)v.x; r.y = (element)v.y; r.z = (element)v.z; r.w = (element)v.w; return r; } };
WARPLINE_TEXEL1(char, 's')
WARPLINE_TEXEL1(signed char, 's')
WARPLINE_TEXEL1(unsigned char, 'u')
WARPLINE_TEXEL1(short, 's')
WARPLINE_TEXEL1(unsigned short, 'u')
WARPLINE_TEXEL1(int, 's')
WARPLINE_TEXEL1(unsigned int, 'u')
WARPLINE_TEXEL1(float, 'f')
WARPLINE_TEXELS(char, signed char, 's')
WARPLINE_TEXELS(uchar, unsigned char, 'u')
WARPLINE_TEXELS(short, short, 's')
WARPLINE_TEXELS(ushort, unsigned short, 'u')
WARPLINE_TEXELS(int, int, 's')
WARPLINE_TEXELS(uint, unsigned int, 'u')
WARPLINE_TEXELS(float, float, 'f')
#undef WARPLINE_TEXEL1
#undef WARPLINE_TEXELS

#define WARPLINE_FETCH(form, coordinates, ...)                                                                                   \
    if constexpr (texel<T>::tag == 'f') {                                                                                        \
        float4 v;                                                                                                                \
        asm volatile("tex." form ".v4.f32." coordinates : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w) : "l"(object), __VA_ARGS__); \
        return texel<T>::make(v);                                                                                                \
    } else if constexpr (texel<T>::tag == 's') {                                                                                 \
        int4 v;                                                                                                                  \
        asm volatile("tex." form ".v4.s32." coordinates : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w) : "l"(object), __VA_ARGS__); \
        return texel<T>::make(v);                                                                                                \
    } else {                                                                                                                     \
        uint4 v;                                                                                                                 \
        asm volatile("tex." form ".v4.u32." coordinates : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w) : "l"(object), __VA_ARGS__); \
        return texel<T>::make(v);                                                                                                \
    }
} /* namespace warpline */

#define WARPLINE_TEXTURE(name, parameters, form, coordinates, ...)                                                               \
    namespace warpline { template <class T> static __device__ __forceinline__ T name parameters                                  \
    { WARPLINE_FETCH(form, coordinates, __VA_ARGS__) } }                                                                         \
    using warpline::name;
WARPLINE_TEXTURE(tex1Dfetch, (cudaTextureObject_t object, int x), "1d", "s32 {%0, %1, %2, %3}, [%4, {%5}];", "r"(x))
WARPLINE_TEXTURE(tex1D, (cudaTextureObject_t object, float x), "1d", "f32 {%0, %1, %2, %3}, [%4, {%5}];", "f"(x))
WARPLINE_TEXTURE(tex2D, (cudaTextureObject_t object, float x, float y), "2d", "f32 {%0, %1, %2, %3}, [%4, {%5, %6}];", "f"(x), "f"(y))
WARPLINE_TEXTURE(tex3D, (cudaTextureObject_t object, float x, float y, float z), "3d",
                 "f32 {%0, %1, %2, %3}, [%4, {%5, %6, %7, %7}];", "f"(x), "f"(y), "f"(z))
WARPLINE_TEXTURE(tex1DLayered, (cudaTextureObject_t object, float x, int layer), "a1d", "f32 {%0, %1, %2, %3}, [%4, {%5, %6}];",
                 "r"(layer), "f"(x))
WARPLINE_TEXTURE(tex2DLayered, (cudaTextureObject_t object, float x, float y, int layer), "a2d",
                 "f32 {%0, %1, %2, %3}, [%4, {%5, %6, %7, %7}];", "r"(layer), "f"(x), "f"(y))
#undef WARPLINE_TEXTURE
#undef WARPLINE_FETCH

/* Forms that store through a pointer instead of returning. */
template <class T> static __device__ __forceinline__ void tex1Dfetch(T *out, cudaTextureObject_t object, int x)
{ *out = warpline::tex1Dfetch<T>(object, x); }
template <class T> static __device__ __forceinline__ void tex2D(T *out, cudaTextureObject_t object, float x, float y)
{ *out = warpline::tex2D<T>(object, x, y); }

/* Surfaces address bytes in x. Each value moves as 32-bit words, or one smaller element. */
namespace warpline {
template <class T> struct surface_words { enum { count = sizeof(T) / 4 }; };
}
#define WARPLINE_SURFACE(name, parameters, form, where, ...)                                                                     \
    template <class T> static __device__ __forceinline__ T name##read parameters                                                 \
    {                                                                                                                            \
        T value;                                                                                                                 \
        if constexpr (sizeof(T) == 1) {                                                                                          \
            unsigned v;                                                                                                          \
            asm volatile("{ .reg .b16 t; suld.b." form ".b8.zero {t}, " where "; cvt.u32.u8 %0, t; }" : "=r"(v) : "l"(object), __VA_ARGS__); \
            __builtin_memcpy(&value, &v, 1);                                                                                     \
        } else if constexpr (sizeof(T) == 2) {                                                                                   \
            unsigned short v;                                                                                                    \
            asm volatile("suld.b." form ".b16.zero {%0}, " where ";" : "=h"(v) : "l"(object), __VA_ARGS__);                      \
            __builtin_memcpy(&value, &v, 2);                                                                                     \
        } else {                                                                                                                 \
            unsigned v;                                                                                                          \
            static_assert(sizeof(T) == 4, "surface elements of 1, 2 and 4 bytes are supported");                                 \
            asm volatile("suld.b." form ".b32.zero {%0}, " where ";" : "=r"(v) : "l"(object), __VA_ARGS__);                      \
            __builtin_memcpy(&value, &v, 4);                                                                                     \
        }                                                                                                                        \
        return value;                                                                                                            \
    }
WARPLINE_SURFACE(surf1D, (cudaSurfaceObject_t object, int x, cudaSurfaceBoundaryMode = cudaBoundaryModeTrap), "1d", "[%1, {%2}]", "r"(x))
WARPLINE_SURFACE(surf2D, (cudaSurfaceObject_t object, int x, int y, cudaSurfaceBoundaryMode = cudaBoundaryModeTrap), "2d",
                 "[%1, {%2, %3}]", "r"(x), "r"(y))
#undef WARPLINE_SURFACE
template <class T> static __device__ __forceinline__ void surf2Dread(T *out, cudaSurfaceObject_t object, int x, int y,
                                                                     cudaSurfaceBoundaryMode = cudaBoundaryModeTrap)
{ *out = surf2Dread<T>(object, x, y); }
template <class T> static __device__ __forceinline__ void surf2Dwrite(T value, cudaSurfaceObject_t object, int x, int y,
                                                                      cudaSurfaceBoundaryMode = cudaBoundaryModeTrap)
{
    if constexpr (sizeof(T) == 1) {
        unsigned v = 0;
        __builtin_memcpy(&v, &value, 1);
        asm volatile("{ .reg .b16 t; cvt.u16.u32 t, %3; sust.b.2d.b8.zero [%0, {%1, %2}], {t}; }" ::"l"(object), "r"(x), "r"(y), "r"(v) : "memory");
    } else if constexpr (sizeof(T) == 2) {
        unsigned short v;
        __builtin_memcpy(&v, &value, 2);
        asm volatile("sust.b.2d.b16.zero [%0, {%1, %2}], {%3};" ::"l"(object), "r"(x), "r"(y), "h"(v) : "memory");
    } else {
        unsigned v;
        static_assert(sizeof(T) == 4, "surface elements of 1, 2 and 4 bytes are supported");
        __builtin_memcpy(&v, &value, 4);
        asm volatile("sust.b.2d.b32.zero [%0, {%1, %2}], {%3};" ::"l"(object), "r"(x), "r"(y), "r"(v) : "memory");
    }
}
template <class T> static __device__ __forceinline__ void surf1Dwrite(T value, cudaSurfaceObject_t object, int x,
                                                                      cudaSurfaceBoundaryMode = cudaBoundaryModeTrap)
{
    unsigned v;
    static_assert(sizeof(T) == 4, "surface elements of 4 bytes are supported");
    __builtin_memcpy(&v, &value, 4);
    asm volatile("sust.b.1d.b32.zero [%0, {%1}], {%2};" ::"l"(object), "r"(x), "r"(v) : "memory");
}
#endif
