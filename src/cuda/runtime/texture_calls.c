/* texture_calls.c - arrays, textures and surfaces: each a view of device memory. */
#include <stdlib.h>

#include "runtime.h"

enum { ROW_ALIGNMENT = 64 };

struct cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, enum cudaChannelFormatKind f)
{
    return (struct cudaChannelFormatDesc){ x, y, z, w, f };
}

static size_t element_bytes(const struct cudaChannelFormatDesc *d)
{
    return (size_t)(d->x + d->y + d->z + d->w) / 8;
}

cudaError_t cudaMalloc3DArray(cudaArray_t *array, const struct cudaChannelFormatDesc *desc, struct cudaExtent extent,
                              unsigned int flags)
{
    cudaError_t code;
    struct runtime *r = runtime_enter_device(&code);
    if (code != cudaSuccess)
        return runtime_leave(code);
    if (!array || !desc || extent.width == 0 || element_bytes(desc) == 0)
        return runtime_leave(cudaErrorInvalidValue);
    struct cudaArray *a = must_calloc(1, sizeof *a);
    *a = (struct cudaArray){ .desc = *desc, .extent = extent, .element_bytes = element_bytes(desc), .flags = flags };
    a->pitch = (extent.width * a->element_bytes + ROW_ALIGNMENT - 1) / ROW_ALIGNMENT * ROW_ALIGNMENT;
    const size_t rows = (extent.height ? extent.height : 1) * (extent.depth ? extent.depth : 1);
    a->address = device_alloc(runtime_device(r), a->pitch * rows);
    if (!a->address) {
        free(a);
        return runtime_leave(cudaErrorMemoryAllocation);
    }
    *array = a;
    return runtime_leave(cudaSuccess);
}

cudaError_t cudaMallocArray(cudaArray_t *array, const struct cudaChannelFormatDesc *desc, size_t width, size_t height,
                            unsigned int flags)
{
    return cudaMalloc3DArray(array, desc, (struct cudaExtent){ width, height, 0 }, flags);
}

cudaError_t cudaFreeArray(cudaArray_t array)
{
    cudaError_t code;
    struct runtime *r = runtime_enter_device(&code);
    if (code == cudaSuccess && array) {
        (void)device_release(runtime_device(r), array->address);
        free(array);
    }
    return runtime_leave(code);
}

cudaError_t cudaArrayGetInfo(struct cudaChannelFormatDesc *desc, struct cudaExtent *extent, unsigned int *flags, cudaArray_t array)
{
    (void)runtime_enter();
    if (!array)
        return runtime_leave(cudaErrorInvalidResourceHandle);
    if (desc)
        *desc = array->desc;
    if (extent)
        *extent = array->extent;
    if (flags)
        *flags = array->flags;
    return runtime_leave(cudaSuccess);
}

cudaError_t cudaGetChannelDesc(struct cudaChannelFormatDesc *desc, cudaArray_const_t array)
{
    (void)runtime_enter();
    if (!array || !desc)
        return runtime_leave(cudaErrorInvalidValue);
    *desc = array->desc;
    return runtime_leave(cudaSuccess);
}

static bool fill_format(struct texture_view *v, const struct cudaChannelFormatDesc *d)
{
    v->channels = (uint8_t)((d->x > 0) + (d->y > 0) + (d->z > 0) + (d->w > 0));
    v->channel_bits = (uint8_t)d->x;
    v->element = d->f == cudaChannelFormatKindSigned     ? ELEMENT_SIGNED
                 : d->f == cudaChannelFormatKindUnsigned ? ELEMENT_UNSIGNED
                                                         : ELEMENT_FLOAT;
    return v->channels > 0 && d->f <= cudaChannelFormatKindFloat;
}

static bool fill_resource(struct texture_view *v, const struct cudaResourceDesc *resource)
{
    switch (resource->resType) {
    case cudaResourceTypeArray: {
        const struct cudaArray *a = resource->res.array.array;
        if (!a)
            return false;
        v->address = a->address;
        v->width = (uint32_t)a->extent.width;
        v->height = (uint32_t)a->extent.height;
        v->depth = (uint32_t)a->extent.depth;
        v->pitch_bytes = a->pitch;
        v->slice_bytes = a->pitch * (a->extent.height ? a->extent.height : 1);
        return fill_format(v, &a->desc);
    }
    case cudaResourceTypeLinear:
        v->address = (uint64_t)(uintptr_t)resource->res.linear.devPtr;
        if (!fill_format(v, &resource->res.linear.desc))
            return false;
        v->width = (uint32_t)(resource->res.linear.sizeInBytes / element_bytes(&resource->res.linear.desc));
        return true;
    case cudaResourceTypePitch2D:
        v->address = (uint64_t)(uintptr_t)resource->res.pitch2D.devPtr;
        v->width = (uint32_t)resource->res.pitch2D.width;
        v->height = (uint32_t)resource->res.pitch2D.height;
        v->pitch_bytes = resource->res.pitch2D.pitchInBytes;
        return fill_format(v, &resource->res.pitch2D.desc);
    default: /* mipmaps */ return false;
    }
}

/* What an object was made of, for programs that ask. */
struct texture_object {
    struct texture_object *next;
    cudaTextureObject_t object;
    struct cudaResourceDesc resource;
    struct cudaTextureDesc texture; /* zeros in a surface */
};
static cudaTextureObject_t make_object(struct runtime *r, const struct texture_view *view, const struct cudaResourceDesc *resource,
                                       const struct cudaTextureDesc *texture)
{
    struct texture_object *made = must_calloc(1, sizeof *made);
    *made = (struct texture_object){ .next = r->textures,
                                     .object = device_create_texture(runtime_device(r), view),
                                     .resource = *resource };
    if (texture)
        made->texture = *texture;
    r->textures = made;
    return made->object;
}
void texture_objects_forget(struct runtime *r)
{
    while (r->textures) {
        struct texture_object *gone = r->textures;
        r->textures = gone->next;
        free(gone);
    }
}
static struct texture_object **find_object(struct runtime *r, cudaTextureObject_t object)
{
    struct texture_object **at = &r->textures;
    while (*at && (*at)->object != object)
        at = &(*at)->next;
    return at;
}
cudaError_t cudaGetTextureObjectResourceDesc(struct cudaResourceDesc *resource, cudaTextureObject_t texture)
{
    const struct texture_object *known = *find_object(runtime_enter(), texture);
    if (!known || !resource)
        return runtime_leave(cudaErrorInvalidValue);
    *resource = known->resource;
    return runtime_leave(cudaSuccess);
}
cudaError_t cudaGetTextureObjectTextureDesc(struct cudaTextureDesc *description, cudaTextureObject_t texture)
{
    const struct texture_object *known = *find_object(runtime_enter(), texture);
    if (!known || !description)
        return runtime_leave(cudaErrorInvalidValue);
    *description = known->texture;
    return runtime_leave(cudaSuccess);
}
cudaError_t cudaGetSurfaceObjectResourceDesc(struct cudaResourceDesc *resource, cudaSurfaceObject_t surface)
{
    return cudaGetTextureObjectResourceDesc(resource, surface);
}

cudaError_t cudaCreateTextureObject(cudaTextureObject_t *texture, const struct cudaResourceDesc *resource,
                                    const struct cudaTextureDesc *t, const struct cudaResourceViewDesc *view)
{
    cudaError_t code;
    struct runtime *r = runtime_enter_device(&code);
    struct texture_view v = { 0 };
    if (code != cudaSuccess)
        return runtime_leave(code);
    if (!texture || !resource || !t || !fill_resource(&v, resource))
        return runtime_leave(cudaErrorInvalidValue);
    if (view)
        return runtime_leave(cudaErrorNotSupported);
    for (int i = 0; i < 3; i++)
        v.address_mode[i] = (uint8_t)t->addressMode[i];
    for (int i = 0; i < 4; i++)
        v.border[i] = t->borderColor[i];
    v.linear_filter = t->filterMode == cudaFilterModeLinear;
    v.normalized_coordinates = t->normalizedCoords != 0;
    v.normalized_float = t->readMode == cudaReadModeNormalizedFloat;
    *texture = make_object(r, &v, resource, t);
    return runtime_leave(cudaSuccess);
}

cudaError_t cudaDestroyTextureObject(cudaTextureObject_t texture)
{
    cudaError_t code;
    struct runtime *r = runtime_enter_device(&code);
    if (code == cudaSuccess && !device_destroy_texture(runtime_device(r), texture))
        code = cudaErrorInvalidValue;
    struct texture_object **known = find_object(r, texture);
    if (code == cudaSuccess && *known) {
        struct texture_object *gone = *known;
        *known = gone->next;
        free(gone);
    }
    return runtime_leave(code);
}

cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t *surface, const struct cudaResourceDesc *resource)
{
    cudaError_t code;
    struct runtime *r = runtime_enter_device(&code);
    struct texture_view v = { 0 };
    if (code != cudaSuccess)
        return runtime_leave(code);
    if (!surface || !resource || resource->resType != cudaResourceTypeArray || !fill_resource(&v, resource))
        return runtime_leave(cudaErrorInvalidValue);
    *surface = make_object(r, &v, resource, NULL);
    return runtime_leave(cudaSuccess);
}

cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t surface)
{
    return cudaDestroyTextureObject(surface);
}

/* Texture and surface references: memory is bound to the variable, with the settings it has at that time. */
static cudaError_t bind_reference(const void *reference, const struct cudaResourceDesc *resource, bool is_surface)
{
    cudaError_t code;
    uint64_t address;
    struct runtime *r = runtime_enter_device(&code);
    struct texture_view v = { 0 };
    const struct program_variable *variable = code == cudaSuccess ? runtime_find_reference(r, reference, &code) : NULL;
    if (!variable)
        return runtime_leave(code);
    if (!fill_resource(&v, resource))
        return runtime_leave(cudaErrorInvalidValue);
    if (!is_surface) {
        const struct textureReference *t = reference;
        for (int i = 0; i < 3; i++)
            v.address_mode[i] = (uint8_t)t->addressMode[i];
        v.linear_filter = t->filterMode == cudaFilterModeLinear;
        v.normalized_coordinates = t->normalized != 0;
        v.normalized_float = variable->normalised && v.element != ELEMENT_FLOAT;
    }
    struct loaded_module *piece = runtime_variable_piece(r, variable, &address);
    if (!piece) /* no kernel reads it, so the compiler left it out */
        return runtime_leave(cudaSuccess);
    (void)device_bind_texture(runtime_device(r), piece, variable->name, &v);
    return runtime_leave(cudaSuccess);
}

cudaError_t cudaBindTexture(size_t *offset, const struct textureReference *reference, const void *pointer,
                            const struct cudaChannelFormatDesc *desc, size_t bytes)
{
    enum { LARGEST = 1 << 27 }; /* elements of a linear texture; the default size asks for as many */
    if (!desc || element_bytes(desc) == 0 || !pointer) {
        (void)runtime_enter();
        return runtime_leave(cudaErrorInvalidValue);
    }
    if (bytes / element_bytes(desc) > LARGEST)
        bytes = LARGEST * element_bytes(desc);
    const struct cudaResourceDesc resource = { .resType = cudaResourceTypeLinear,
                                               .res.linear = { (void *)(uintptr_t)pointer, *desc, bytes } };
    if (offset)
        *offset = 0; /* memory lies aligned, or its address is taken as it is */
    return bind_reference(reference, &resource, false);
}

cudaError_t cudaBindTexture2D(size_t *offset, const struct textureReference *reference, const void *pointer,
                              const struct cudaChannelFormatDesc *desc, size_t width, size_t height, size_t pitch)
{
    const struct cudaResourceDesc resource = { .resType = cudaResourceTypePitch2D,
                                               .res.pitch2D = { (void *)(uintptr_t)pointer, *desc, width, height, pitch } };
    if (offset)
        *offset = 0;
    return bind_reference(reference, &resource, false);
}

cudaError_t cudaBindTextureToArray(const struct textureReference *reference, cudaArray_const_t array,
                                   const struct cudaChannelFormatDesc *desc)
{
    (void)desc; /* the array has its own */
    const struct cudaResourceDesc resource = { .resType = cudaResourceTypeArray, .res.array = { (cudaArray_t)(uintptr_t)array } };
    return bind_reference(reference, &resource, false);
}

cudaError_t cudaBindSurfaceToArray(const struct surfaceReference *reference, cudaArray_const_t array,
                                   const struct cudaChannelFormatDesc *desc)
{
    (void)desc;
    const struct cudaResourceDesc resource = { .resType = cudaResourceTypeArray, .res.array = { (cudaArray_t)(uintptr_t)array } };
    return bind_reference(reference, &resource, true);
}

cudaError_t cudaUnbindTexture(const struct textureReference *reference)
{
    cudaError_t code;
    uint64_t address;
    struct runtime *r = runtime_enter_device(&code);
    const struct program_variable *variable = code == cudaSuccess ? runtime_find_reference(r, reference, &code) : NULL;
    struct loaded_module *piece = variable ? runtime_variable_piece(r, variable, &address) : NULL;
    if (piece)
        device_unbind_texture(runtime_device(r), piece, variable->name);
    return runtime_leave(code);
}

cudaError_t cudaGetTextureAlignmentOffset(size_t *offset, const struct textureReference *reference)
{
    (void)reference;
    (void)runtime_enter();
    *offset = 0;
    return runtime_leave(cudaSuccess);
}

/* The symbol is the reference. */
cudaError_t cudaGetTextureReference(const struct textureReference **reference, const void *symbol)
{
    cudaError_t code;
    struct runtime *r = runtime_enter_device(&code);
    if (code == cudaSuccess && runtime_find_reference(r, symbol, &code))
        *reference = symbol;
    return runtime_leave(code);
}

cudaError_t cudaGetSurfaceReference(const struct surfaceReference **reference, const void *symbol)
{
    return cudaGetTextureReference((const struct textureReference **)(void *)reference, symbol);
}
