/* Texture objects: tex1Dfetch, tex1D, tex2D, tex3D and the layered forms. Surfaces: device_surfaces.h. */
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
WARPLINE_TEXTURE(texCubemap, (cudaTextureObject_t object, float x, float y, float z), "cube",
                 "f32 {%0, %1, %2, %3}, [%4, {%5, %6, %7, %7}];", "f"(x), "f"(y), "f"(z))
WARPLINE_TEXTURE(texCubemapLayered, (cudaTextureObject_t object, float x, float y, float z, int layer), "acube",
                 "f32 {%0, %1, %2, %3}, [%4, {%5, %6, %7, %8}];", "r"(layer), "f"(x), "f"(y), "f"(z))
#undef WARPLINE_TEXTURE
#undef WARPLINE_FETCH

/* Forms that store through a pointer instead of returning. */
#define WARPLINE_TEXTURE_OUT(name, coordinates, passed)                                                                          \
    template <class T> static __device__ __forceinline__ void name(T *out, cudaTextureObject_t object, WARPLINE_UNPACK coordinates) \
    { *out = warpline::name<T>(object, WARPLINE_UNPACK passed); }
#define WARPLINE_UNPACK(...) __VA_ARGS__
WARPLINE_TEXTURE_OUT(tex1Dfetch, (int x), (x))
WARPLINE_TEXTURE_OUT(tex1D, (float x), (x))
WARPLINE_TEXTURE_OUT(tex2D, (float x, float y), (x, y))
WARPLINE_TEXTURE_OUT(tex3D, (float x, float y, float z), (x, y, z))
WARPLINE_TEXTURE_OUT(tex1DLayered, (float x, int layer), (x, layer))
WARPLINE_TEXTURE_OUT(tex2DLayered, (float x, float y, int layer), (x, y, layer))
WARPLINE_TEXTURE_OUT(texCubemap, (float x, float y, float z), (x, y, z))
WARPLINE_TEXTURE_OUT(texCubemapLayered, (float x, float y, float z, int layer), (x, y, z, layer))
#undef WARPLINE_TEXTURE_OUT
#undef WARPLINE_UNPACK

/* One channel of the four texels that a linear fetch would read. */
template <class T> static __device__ __forceinline__ T tex2Dgather(cudaTextureObject_t object, float x, float y, int channel = 0)
{
#define WARPLINE_GATHER(letter, vector, type, c)                                                                                 \
    asm volatile("tld4." letter ".2d.v4." type ".f32 {%0, %1, %2, %3}, [%4, {%5, %6}];"                                          \
                 : "=" c(v.x), "=" c(v.y), "=" c(v.z), "=" c(v.w) : "l"(object), "f"(x), "f"(y))
#define WARPLINE_GATHERS(vector, type, c)                                                                                        \
    vector v;                                                                                                                    \
    if (channel == 0) { WARPLINE_GATHER("r", vector, type, c); } else if (channel == 1) { WARPLINE_GATHER("g", vector, type, c); } \
    else if (channel == 2) { WARPLINE_GATHER("b", vector, type, c); } else { WARPLINE_GATHER("a", vector, type, c); }            \
    return warpline::texel<T>::make(v);
    if constexpr (warpline::texel<T>::tag == 'f') { WARPLINE_GATHERS(float4, "f32", "f") }
    else if constexpr (warpline::texel<T>::tag == 's') { WARPLINE_GATHERS(int4, "s32", "r") }
    else { WARPLINE_GATHERS(uint4, "u32", "r") }
#undef WARPLINE_GATHERS
#undef WARPLINE_GATHER
}

/* There is one level of detail: the forms that choose one, or give gradients to choose it by, read it. */
template <class T> static __device__ __forceinline__ T tex1DGrad(cudaTextureObject_t object, float x, float, float) { return warpline::tex1D<T>(object, x); }
template <class T> static __device__ __forceinline__ T tex2DGrad(cudaTextureObject_t object, float x, float y, float2, float2)
{ return warpline::tex2D<T>(object, x, y); }
template <class T> static __device__ __forceinline__ T tex3DGrad(cudaTextureObject_t object, float x, float y, float z, float4, float4)
{ return warpline::tex3D<T>(object, x, y, z); }
template <class T> static __device__ __forceinline__ T tex1DLayeredLod(cudaTextureObject_t object, float x, int layer, float)
{ return warpline::tex1DLayered<T>(object, x, layer); }
template <class T> static __device__ __forceinline__ T tex2DLayeredLod(cudaTextureObject_t object, float x, float y, int layer, float)
{ return warpline::tex2DLayered<T>(object, x, y, layer); }
template <class T> static __device__ __forceinline__ T tex1DLod(cudaTextureObject_t object, float x, float) { return warpline::tex1D<T>(object, x); }
template <class T> static __device__ __forceinline__ T tex2DLod(cudaTextureObject_t object, float x, float y, float)
{ return warpline::tex2D<T>(object, x, y); }
template <class T> static __device__ __forceinline__ T tex3DLod(cudaTextureObject_t object, float x, float y, float z, float)
{ return warpline::tex3D<T>(object, x, y, z); }
#include "device_surfaces.h"
#include "texture_references.h"
#endif
