// texture.h - device memory read through textures, point by point.
#pragma once
#include "workload.h"

namespace workload {

// Destroys itself; the memory it reads belongs to a Buffer.
class Texture {
  public:
    template <class T> static Texture line(T *data, size_t count)
    {
        cudaResourceDesc resource = {};
        resource.resType = cudaResourceTypeLinear;
        resource.res.linear.devPtr = data;
        resource.res.linear.desc = cudaCreateChannelDesc<T>();
        resource.res.linear.sizeInBytes = count * sizeof(T);
        return Texture(resource);
    }
    // Coordinates outside are those of the nearest edge. Rows must be a multiple of 32 bytes.
    template <class T> static Texture image(T *data, size_t width, size_t height)
    {
        cudaResourceDesc resource = {};
        resource.resType = cudaResourceTypePitch2D;
        resource.res.pitch2D.devPtr = data;
        resource.res.pitch2D.desc = cudaCreateChannelDesc<T>();
        resource.res.pitch2D.width = width;
        resource.res.pitch2D.height = height;
        resource.res.pitch2D.pitchInBytes = width * sizeof(T);
        return Texture(resource);
    }
    Texture(const Texture &) = delete;
    Texture &operator=(const Texture &) = delete;
    ~Texture() { cudaDestroyTextureObject(object_); }
    cudaTextureObject_t get() const { return object_; }

  private:
    explicit Texture(const cudaResourceDesc &resource)
    {
        cudaTextureDesc description = {};
        description.addressMode[0] = description.addressMode[1] = cudaAddressModeClamp;
        description.filterMode = cudaFilterModePoint;
        description.readMode = cudaReadModeElementType;
        must(cudaCreateTextureObject(&object_, &resource, &description, nullptr), "texture");
    }
    cudaTextureObject_t object_ = 0;
};

} // namespace workload
