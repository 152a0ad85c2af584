/* Texture and surface references, as programs had them before CUDA 12: texture<float, 2> name; and fetches by that name. Clang makes
 * a .texref of the variable; the runtime binds memory to it. */
#ifndef WARPLINE_TEXTURE_REFERENCES_H
#define WARPLINE_TEXTURE_REFERENCES_H

#define cudaTextureType1D 0x01
#define cudaTextureType2D 0x02
#define cudaTextureType3D 0x03
#define cudaTextureTypeCubemap 0x0C
#define cudaTextureType1DLayered 0xF1
#define cudaTextureType2DLayered 0xF2
#define cudaSurfaceType1D 0x01
#define cudaSurfaceType2D 0x02
#define cudaSurfaceType3D 0x03

template <class T, int Dimensions = cudaTextureType1D, enum cudaTextureReadMode Mode = cudaReadModeElementType>
struct __attribute__((device_builtin_texture_type)) texture : public textureReference {
#if !defined(__CUDA_ARCH__)
    __host__ texture(int norm = 0, enum cudaTextureFilterMode filter = cudaFilterModePoint, enum cudaTextureAddressMode address = cudaAddressModeClamp)
        : texture(norm, filter, address, cudaCreateChannelDesc<T>()) {}
    __host__ texture(int norm, enum cudaTextureFilterMode filter, enum cudaTextureAddressMode address, struct cudaChannelFormatDesc desc)
        : textureReference()
    {
        normalized = norm;
        filterMode = filter;
        addressMode[0] = addressMode[1] = addressMode[2] = address;
        channelDesc = desc;
    }
#endif
};
template <class T, int Dimensions = cudaSurfaceType1D>
struct __attribute__((device_builtin_surface_type)) surface : public surfaceReference {
#if !defined(__CUDA_ARCH__)
    __host__ surface() : surfaceReference() {}
#endif
};
/* Clang looks for the partial specialisation when it reads the attribute of a surface. */
template <int Dimensions> struct __attribute__((device_builtin_surface_type)) surface<void, Dimensions> : public surfaceReference {
#if !defined(__CUDA_ARCH__)
    __host__ surface() : surfaceReference() {}
#endif
};

template <class T, int D, enum cudaTextureReadMode M>
static inline cudaError_t cudaBindTexture(size_t *offset, const struct texture<T, D, M> &tex, const void *pointer,
                                          const struct cudaChannelFormatDesc &desc, size_t bytes = UINT_MAX)
{ return ::cudaBindTexture(offset, &tex, pointer, &desc, bytes); }
template <class T, int D, enum cudaTextureReadMode M>
static inline cudaError_t cudaBindTexture(size_t *offset, const struct texture<T, D, M> &tex, const void *pointer, size_t bytes = UINT_MAX)
{ return ::cudaBindTexture(offset, &tex, pointer, &tex.channelDesc, bytes); }
template <class T, int D, enum cudaTextureReadMode M>
static inline cudaError_t cudaBindTexture2D(size_t *offset, const struct texture<T, D, M> &tex, const void *pointer,
                                            const struct cudaChannelFormatDesc &desc, size_t width, size_t height, size_t pitch)
{ return ::cudaBindTexture2D(offset, &tex, pointer, &desc, width, height, pitch); }
template <class T, int D, enum cudaTextureReadMode M>
static inline cudaError_t cudaBindTexture2D(size_t *offset, const struct texture<T, D, M> &tex, const void *pointer, size_t width,
                                            size_t height, size_t pitch)
{ return ::cudaBindTexture2D(offset, &tex, pointer, &tex.channelDesc, width, height, pitch); }
template <class T, int D, enum cudaTextureReadMode M>
static inline cudaError_t cudaBindTextureToArray(const struct texture<T, D, M> &tex, cudaArray_const_t array,
                                                 const struct cudaChannelFormatDesc &desc)
{ return ::cudaBindTextureToArray(&tex, array, &desc); }
template <class T, int D, enum cudaTextureReadMode M>
static inline cudaError_t cudaBindTextureToArray(const struct texture<T, D, M> &tex, cudaArray_const_t array)
{
    struct cudaChannelFormatDesc desc;
    const cudaError_t e = ::cudaGetChannelDesc(&desc, array);
    return e != cudaSuccess ? e : ::cudaBindTextureToArray(&tex, array, &desc);
}
template <class T, int D, enum cudaTextureReadMode M> static inline cudaError_t cudaUnbindTexture(const struct texture<T, D, M> &tex)
{ return ::cudaUnbindTexture(&tex); }
template <class T, int D, enum cudaTextureReadMode M>
static inline cudaError_t cudaGetTextureAlignmentOffset(size_t *offset, const struct texture<T, D, M> &tex)
{ return ::cudaGetTextureAlignmentOffset(offset, &tex); }
template <class T, int D> static inline cudaError_t cudaBindSurfaceToArray(const struct surface<T, D> &surf, cudaArray_const_t array)
{
    struct cudaChannelFormatDesc desc;
    const cudaError_t e = ::cudaGetChannelDesc(&desc, array);
    return e != cudaSuccess ? e : ::cudaBindSurfaceToArray(&surf, array, &desc);
}
template <class T, int D> static inline cudaError_t cudaBindSurfaceToArray(const struct surface<T, D> &surf, cudaArray_const_t array,
                                                                           const struct cudaChannelFormatDesc &desc)
{ return ::cudaBindSurfaceToArray(&surf, array, &desc); }

namespace warpline {
/* What a fetch gives: the element, or with cudaReadModeNormalizedFloat as many floats as it has channels. */
template <class T, enum cudaTextureReadMode M, unsigned Channels> struct fetched { typedef T type; };
template <class T> struct fetched<T, cudaReadModeNormalizedFloat, 1> { typedef float type; };
template <class T> struct fetched<T, cudaReadModeNormalizedFloat, 2> { typedef float2 type; };
template <class T> struct fetched<T, cudaReadModeNormalizedFloat, 4> { typedef float4 type; };
template <class T, class = void> struct channels { enum { count = 1 }; };
template <class T> struct channels<T, decltype((void)T::y)> { enum { count = sizeof(T) / sizeof(T::x) }; };
template <class T, enum cudaTextureReadMode M> using fetched_t = typename fetched<T, M, channels<T>::count>::type;
/* On the device a reference is the address of its .texref. */
template <class R> static __device__ __forceinline__ cudaTextureObject_t reference(R &r)
{
    cudaTextureObject_t object;
    __builtin_memcpy(&object, &r, sizeof object);
    return object;
}
} /* namespace warpline */

#define WARPLINE_TEXTURE_REFERENCE(name, dimensions, parameters, arguments)                                                       \
    template <class T, enum cudaTextureReadMode M>                                                                                \
    static __device__ __forceinline__ warpline::fetched_t<T, M> name parameters(dimensions)                                       \
    { return warpline::name<warpline::fetched_t<T, M>> arguments; }
#define WARPLINE_P1I(d) (texture<T, d, M> t, int x)
#define WARPLINE_P1(d) (texture<T, d, M> t, float x)
#define WARPLINE_P2(d) (texture<T, d, M> t, float x, float y)
#define WARPLINE_P3(d) (texture<T, d, M> t, float x, float y, float z)
#define WARPLINE_P1L(d) (texture<T, d, M> t, float x, int layer)
#define WARPLINE_P2L(d) (texture<T, d, M> t, float x, float y, int layer)
WARPLINE_TEXTURE_REFERENCE(tex1Dfetch, cudaTextureType1D, WARPLINE_P1I, (warpline::reference(t), x))
WARPLINE_TEXTURE_REFERENCE(tex1D, cudaTextureType1D, WARPLINE_P1, (warpline::reference(t), x))
WARPLINE_TEXTURE_REFERENCE(tex2D, cudaTextureType2D, WARPLINE_P2, (warpline::reference(t), x, y))
WARPLINE_TEXTURE_REFERENCE(tex3D, cudaTextureType3D, WARPLINE_P3, (warpline::reference(t), x, y, z))
WARPLINE_TEXTURE_REFERENCE(tex1DLayered, cudaTextureType1DLayered, WARPLINE_P1L, (warpline::reference(t), x, layer))
WARPLINE_TEXTURE_REFERENCE(tex2DLayered, cudaTextureType2DLayered, WARPLINE_P2L, (warpline::reference(t), x, y, layer))
#undef WARPLINE_TEXTURE_REFERENCE
#undef WARPLINE_P1I
#undef WARPLINE_P1
#undef WARPLINE_P2
#undef WARPLINE_P3
#undef WARPLINE_P1L
#undef WARPLINE_P2L

#define WARPLINE_BOUNDARY cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap
template <class T> static __device__ __forceinline__ T surf1Dread(surface<void, 1> s, int x, WARPLINE_BOUNDARY)
{ return surf1Dread<T>(warpline::reference(s), x, mode); }
template <class T> static __device__ __forceinline__ void surf1Dread(T *out, surface<void, 1> s, int x, WARPLINE_BOUNDARY)
{ *out = surf1Dread<T>(warpline::reference(s), x, mode); }
template <class T> static __device__ __forceinline__ void surf1Dwrite(T value, surface<void, 1> s, int x, WARPLINE_BOUNDARY)
{ surf1Dwrite(value, warpline::reference(s), x, mode); }
template <class T> static __device__ __forceinline__ T surf2Dread(surface<void, 2> s, int x, int y, WARPLINE_BOUNDARY)
{ return surf2Dread<T>(warpline::reference(s), x, y, mode); }
template <class T> static __device__ __forceinline__ void surf2Dread(T *out, surface<void, 2> s, int x, int y, WARPLINE_BOUNDARY)
{ *out = surf2Dread<T>(warpline::reference(s), x, y, mode); }
template <class T> static __device__ __forceinline__ void surf2Dwrite(T value, surface<void, 2> s, int x, int y, WARPLINE_BOUNDARY)
{ surf2Dwrite(value, warpline::reference(s), x, y, mode); }
template <class T> static __device__ __forceinline__ T surf3Dread(surface<void, 3> s, int x, int y, int z, WARPLINE_BOUNDARY)
{ return surf3Dread<T>(warpline::reference(s), x, y, z, mode); }
template <class T> static __device__ __forceinline__ void surf3Dread(T *out, surface<void, 3> s, int x, int y, int z, WARPLINE_BOUNDARY)
{ *out = surf3Dread<T>(warpline::reference(s), x, y, z, mode); }
template <class T> static __device__ __forceinline__ void surf3Dwrite(T value, surface<void, 3> s, int x, int y, int z, WARPLINE_BOUNDARY)
{ surf3Dwrite(value, warpline::reference(s), x, y, z, mode); }
#undef WARPLINE_BOUNDARY
#endif
