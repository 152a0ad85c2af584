/* driver_textures.c - arrays and texture objects of the driver API over the runtime's. */
#include <string.h>

#include "cuda.h"
#include "runtime.h"

static CUresult result(cudaError_t code)
{
    return (CUresult)code;
}

/* What a format and a number of channels are to the runtime; false: no such. */
static bool channels(CUarray_format format, unsigned int count, struct cudaChannelFormatDesc *out)
{
    static const struct {
        CUarray_format format;
        int bits;
        enum cudaChannelFormatKind kind;
    } known[] = { { CU_AD_FORMAT_UNSIGNED_INT8, 8, cudaChannelFormatKindUnsigned },
                  { CU_AD_FORMAT_UNSIGNED_INT16, 16, cudaChannelFormatKindUnsigned },
                  { CU_AD_FORMAT_UNSIGNED_INT32, 32, cudaChannelFormatKindUnsigned },
                  { CU_AD_FORMAT_SIGNED_INT8, 8, cudaChannelFormatKindSigned },
                  { CU_AD_FORMAT_SIGNED_INT16, 16, cudaChannelFormatKindSigned },
                  { CU_AD_FORMAT_SIGNED_INT32, 32, cudaChannelFormatKindSigned },
                  { CU_AD_FORMAT_HALF, 16, cudaChannelFormatKindFloat },
                  { CU_AD_FORMAT_FLOAT, 32, cudaChannelFormatKindFloat } };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (known[i].format == format && (count == 1 || count == 2 || count == 4)) {
            const int bits = known[i].bits;
            *out = (struct cudaChannelFormatDesc){ bits, count > 1 ? bits : 0, count > 2 ? bits : 0, count > 2 ? bits : 0,
                                                   known[i].kind };
            return true;
        }
    return false;
}

CUresult cuArrayCreate(CUarray *array, const CUDA_ARRAY_DESCRIPTOR *shape)
{
    struct cudaChannelFormatDesc desc;
    if (!channels(shape->Format, shape->NumChannels, &desc))
        return CUDA_ERROR_INVALID_VALUE;
    return result(cudaMallocArray(array, &desc, shape->Width, shape->Height, 0));
}
CUresult cuArrayDestroy(CUarray array)
{
    return result(cudaFreeArray(array));
}

/* The address of the copy's first byte, on a side that is no array. */
static const char *first_byte(CUmemorytype type, const void *host, CUdeviceptr device, size_t x, size_t y, size_t pitch)
{
    const char *base = type == CU_MEMORYTYPE_HOST ? host : (const char *)(uintptr_t)device;
    return base + y * pitch + x;
}
CUresult cuMemcpy2D(const CUDA_MEMCPY2D *c)
{
    const char *from = first_byte(c->srcMemoryType, c->srcHost, c->srcDevice, c->srcXInBytes, c->srcY, c->srcPitch);
    const char *to = first_byte(c->dstMemoryType, c->dstHost, c->dstDevice, c->dstXInBytes, c->dstY, c->dstPitch);
    const size_t from_pitch = c->srcPitch ? c->srcPitch : c->WidthInBytes, to_pitch = c->dstPitch ? c->dstPitch : c->WidthInBytes;
    const bool from_array = c->srcMemoryType == CU_MEMORYTYPE_ARRAY, to_array = c->dstMemoryType == CU_MEMORYTYPE_ARRAY;
    if (from_array && to_array)
        return CUDA_ERROR_NOT_SUPPORTED;
    if (to_array)
        return result(cudaMemcpy2DToArray(c->dstArray, c->dstXInBytes, c->dstY, from, from_pitch, c->WidthInBytes, c->Height,
                                          cudaMemcpyDefault));
    if (from_array)
        return result(cudaMemcpy2DFromArray((void *)(uintptr_t)to, to_pitch, c->srcArray, c->srcXInBytes, c->srcY, c->WidthInBytes,
                                            c->Height, cudaMemcpyDefault));
    return result(cudaMemcpy2D((void *)(uintptr_t)to, to_pitch, from, from_pitch, c->WidthInBytes, c->Height, cudaMemcpyDefault));
}

static bool read_resource(const CUDA_RESOURCE_DESC *r, struct cudaResourceDesc *out)
{
    *out = (struct cudaResourceDesc){ 0 };
    if (r->resType == CU_RESOURCE_TYPE_ARRAY) {
        out->resType = cudaResourceTypeArray;
        out->res.array.array = r->res.array.hArray;
        return true;
    }
    if (r->resType == CU_RESOURCE_TYPE_LINEAR) {
        out->resType = cudaResourceTypeLinear;
        out->res.linear.devPtr = (void *)(uintptr_t)r->res.linear.devPtr;
        out->res.linear.sizeInBytes = r->res.linear.sizeInBytes;
        return channels(r->res.linear.format, r->res.linear.numChannels, &out->res.linear.desc);
    }
    if (r->resType != CU_RESOURCE_TYPE_PITCH2D)
        return false;
    out->resType = cudaResourceTypePitch2D;
    out->res.pitch2D.devPtr = (void *)(uintptr_t)r->res.pitch2D.devPtr;
    out->res.pitch2D.width = r->res.pitch2D.width;
    out->res.pitch2D.height = r->res.pitch2D.height;
    out->res.pitch2D.pitchInBytes = r->res.pitch2D.pitchInBytes;
    return channels(r->res.pitch2D.format, r->res.pitch2D.numChannels, &out->res.pitch2D.desc);
}

/* Whole numbers of up to 16 bits are read as fractions unless the flag says otherwise; of 32 bits, and floats, as they are. */
static enum cudaTextureReadMode read_mode(const struct cudaResourceDesc *r, unsigned int flags)
{
    struct cudaChannelFormatDesc desc = r->resType == cudaResourceTypeLinear ? r->res.linear.desc : r->res.pitch2D.desc;
    if (r->resType == cudaResourceTypeArray && cudaGetChannelDesc(&desc, r->res.array.array) != cudaSuccess)
        return cudaReadModeElementType;
    const bool fractions = !(flags & CU_TRSF_READ_AS_INTEGER) && desc.f != cudaChannelFormatKindFloat && desc.x <= 16;
    return fractions ? cudaReadModeNormalizedFloat : cudaReadModeElementType;
}

CUresult cuTexObjectCreate(CUtexObject *texture, const CUDA_RESOURCE_DESC *resource, const CUDA_TEXTURE_DESC *how,
                           const CUDA_RESOURCE_VIEW_DESC *view)
{
    struct cudaResourceDesc r;
    struct cudaTextureDesc t = { 0 };
    cudaTextureObject_t made;
    if (view)
        return CUDA_ERROR_NOT_SUPPORTED;
    if (!read_resource(resource, &r))
        return CUDA_ERROR_INVALID_VALUE;
    for (int i = 0; i < 3; i++)
        t.addressMode[i] = (enum cudaTextureAddressMode)how->addressMode[i];
    t.filterMode = (enum cudaTextureFilterMode)how->filterMode;
    t.normalizedCoords = (how->flags & CU_TRSF_NORMALIZED_COORDINATES) != 0;
    t.readMode = read_mode(&r, how->flags);
    memcpy(t.borderColor, how->borderColor, sizeof t.borderColor);
    const cudaError_t code = cudaCreateTextureObject(&made, &r, &t, NULL);
    if (code == cudaSuccess)
        *texture = made;
    return result(code);
}
CUresult cuTexObjectDestroy(CUtexObject texture)
{
    return result(cudaDestroyTextureObject(texture));
}
