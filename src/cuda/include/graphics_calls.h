/* Pictures of other libraries, and arrays with levels: declared so that programs compile as they are. Included by cuda_runtime_api.h. There
 * is no screen in a simulation: each call says its name and returns cudaErrorNotSupported. */
#ifndef WARPLINE_GRAPHICS_CALLS_H
#define WARPLINE_GRAPHICS_CALLS_H
struct cudaGraphicsResource;
typedef struct cudaGraphicsResource *cudaGraphicsResource_t;
enum cudaGraphicsRegisterFlags { cudaGraphicsRegisterFlagsNone, cudaGraphicsRegisterFlagsReadOnly,
                                 cudaGraphicsRegisterFlagsWriteDiscard, cudaGraphicsRegisterFlagsSurfaceLoadStore = 4,
                                 cudaGraphicsRegisterFlagsTextureGather = 8 };
enum cudaGraphicsMapFlags { cudaGraphicsMapFlagsNone, cudaGraphicsMapFlagsReadOnly, cudaGraphicsMapFlagsWriteDiscard };
enum cudaGraphicsCubeFace { cudaGraphicsCubeFacePositiveX, cudaGraphicsCubeFaceNegativeX, cudaGraphicsCubeFacePositiveY,
                            cudaGraphicsCubeFaceNegativeY, cudaGraphicsCubeFacePositiveZ, cudaGraphicsCubeFaceNegativeZ };
#if defined(__cplusplus)
extern "C" {
#define WARPLINE_STREAM cudaStream_t stream = 0
#define WARPLINE_FLAGS unsigned int flags = 0
#else
#define WARPLINE_STREAM cudaStream_t stream
#define WARPLINE_FLAGS unsigned int flags
#endif
cudaError_t cudaGraphicsUnregisterResource(cudaGraphicsResource_t resource);
cudaError_t cudaGraphicsResourceSetMapFlags(cudaGraphicsResource_t resource, unsigned int flags);
cudaError_t cudaGraphicsMapResources(int count, cudaGraphicsResource_t *resources, WARPLINE_STREAM);
cudaError_t cudaGraphicsUnmapResources(int count, cudaGraphicsResource_t *resources, WARPLINE_STREAM);
cudaError_t cudaGraphicsResourceGetMappedPointer(void **pointer, size_t *bytes, cudaGraphicsResource_t resource);
cudaError_t cudaGraphicsSubResourceGetMappedArray(cudaArray_t *array, cudaGraphicsResource_t resource, unsigned int index,
                                                  unsigned int level);
cudaError_t cudaGraphicsResourceGetMappedMipmappedArray(cudaMipmappedArray_t *array, cudaGraphicsResource_t resource);
cudaError_t cudaMallocMipmappedArray(cudaMipmappedArray_t *array, const struct cudaChannelFormatDesc *desc, struct cudaExtent extent,
                                     unsigned int levels, WARPLINE_FLAGS);
cudaError_t cudaGetMipmappedArrayLevel(cudaArray_t *array, cudaMipmappedArray_const_t of, unsigned int level);
cudaError_t cudaFreeMipmappedArray(cudaMipmappedArray_t array);
#undef WARPLINE_STREAM
#undef WARPLINE_FLAGS
#if defined(__cplusplus)
}
#endif
#endif
