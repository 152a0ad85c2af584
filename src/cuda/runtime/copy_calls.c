/* copy_calls.c - memcpy and memset in all their shapes. Each ends as rows of plain bytes. */
#include <stdlib.h>
#include <string.h>

#include "graphs.h"

/* A pointer into mapped host memory is plain memory to us. A device pointer is whatever else the device knows. */
static enum cuda_side side_of(struct runtime *r, const void *pointer)
{
    if (runtime_find_block(r, pointer))
        return SIDE_HOST;
    return device_is_valid(runtime_device(r), (uint64_t)(uintptr_t)pointer, 1) ? SIDE_DEVICE : SIDE_HOST;
}

/* The device's view of mapped host memory is also a valid "device" pointer. */
static bool wants_device(enum cudaMemcpyKind kind, bool destination)
{
    return kind == cudaMemcpyDeviceToDevice || kind == (destination ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToHost);
}

static bool sides(struct runtime *r, void *to, const void *from, enum cudaMemcpyKind kind, enum cuda_side *to_side,
                  enum cuda_side *from_side)
{
    *to_side = side_of(r, to);
    *from_side = side_of(r, from);
    if (kind == cudaMemcpyDefault)
        return true;
    /* The caller says which side is which. A pointer that should be device memory and is not is an error. */
    const bool to_ok = !wants_device(kind, true) || *to_side == SIDE_DEVICE || runtime_find_block(r, to);
    const bool from_ok = !wants_device(kind, false) || *from_side == SIDE_DEVICE || runtime_find_block(r, from);
    if (!wants_device(kind, true))
        *to_side = SIDE_HOST;
    if (!wants_device(kind, false))
        *from_side = SIDE_HOST;
    return to_ok && from_ok;
}

static cudaError_t copy_bytes(struct runtime *r, void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind,
                              bool names_symbol)
{
    enum cuda_side to_side, from_side;
    struct error err;
    struct device *device = runtime_device(r);
    const uint64_t to_address = (uint64_t)(uintptr_t)to, from_address = (uint64_t)(uintptr_t)from;
    bool ok = true;
    if (bytes == 0)
        return cudaSuccess;
    if (kind > cudaMemcpyDefault)
        return cudaErrorInvalidMemcpyDirection;
    if (!to || !from || !sides(r, to, from, kind, &to_side, &from_side))
        return cudaErrorInvalidValue;
    if (to_side == SIDE_DEVICE && from_side == SIDE_DEVICE)
        ok = device_copy(device, to_address, from_address, bytes, &err);
    else if (to_side == SIDE_DEVICE)
        ok = device_write(device, to_address, from, bytes, &err);
    else if (from_side == SIDE_DEVICE)
        ok = device_read(device, from_address, to, bytes, &err);
    else
        memmove(to, from, bytes);
    if (ok && to_side == SIDE_DEVICE)
        session_host_copied(r->session, names_symbol || from_side == SIDE_DEVICE ? HOST_SET : HOST_COPY_IN, to_address, bytes);
    else if (ok && from_side == SIDE_DEVICE && !names_symbol)
        session_host_copied(r->session, HOST_COPY_OUT, from_address, bytes);
    return ok ? cudaSuccess : cudaErrorInvalidValue;
}

cudaError_t runtime_copy(struct runtime *r, void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind)
{
    return copy_bytes(r, to, from, bytes, kind, false);
}

cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind)
{
    cudaError_t code;
    struct runtime *r = runtime_enter_device(&code);
    return runtime_leave(code == cudaSuccess ? runtime_copy(r, to, from, bytes, kind) : code);
}
PER_THREAD(cudaMemcpy, ptds)

cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind, cudaStream_t stream)
{
    return stream_captures(stream) ? capture_copy(stream, to, from, bytes, kind) : cudaMemcpy(to, from, bytes, kind);
}
PER_THREAD(cudaMemcpyAsync, ptsz)

cudaError_t cudaMemcpyPeer(void *to, int to_device, const void *from, int from_device, size_t bytes)
{
    if (to_device != 0 || from_device != 0)
        return cudaErrorInvalidDevice;
    return cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToDevice);
}
cudaError_t cudaMemcpyPeerAsync(void *to, int to_device, const void *from, int from_device, size_t bytes, cudaStream_t stream)
{
    if (stream_captures(stream))
        return capture_copy(stream, to, from, bytes, cudaMemcpyDeviceToDevice);
    return cudaMemcpyPeer(to, to_device, from, from_device, bytes);
}

/* A box of rows: `slices` of `rows` of `bytes`. */
struct box {
    char *base;
    size_t pitch, slice;
};
static cudaError_t copy_box(struct runtime *r, struct box to, struct box from, size_t bytes, size_t rows, size_t slices,
                            enum cudaMemcpyKind kind)
{
    cudaError_t code = cudaSuccess;
    for (size_t z = 0; z < slices; z++)
        for (size_t y = 0; y < rows && code == cudaSuccess; y++)
            code = runtime_copy(r, to.base + z * to.slice + y * to.pitch, from.base + z * from.slice + y * from.pitch, bytes, kind);
    return code;
}

cudaError_t cudaMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width, size_t height,
                         enum cudaMemcpyKind kind)
{
    cudaError_t code;
    struct runtime *r = runtime_enter_device(&code);
    if (code == cudaSuccess && (width > to_pitch || width > from_pitch))
        code = cudaErrorInvalidPitchValue;
    if (code == cudaSuccess)
        code = copy_box(r, (struct box){ to, to_pitch, 0 }, (struct box){ (char *)(uintptr_t)from, from_pitch, 0 }, width, height,
                        1, kind);
    return runtime_leave(code);
}
PER_THREAD(cudaMemcpy2D, ptds)

cudaError_t cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width, size_t height,
                              enum cudaMemcpyKind kind, cudaStream_t stream)
{
    if (stream_captures(stream))
        return capture_box(stream, &(struct cudaMemcpy3DParms){ .srcPtr = { (void *)(uintptr_t)from, from_pitch, width, height },
                                                                .dstPtr = { to, to_pitch, width, height },
                                                                .extent = { width, height, 1 },
                                                                .kind = kind });
    return cudaMemcpy2D(to, to_pitch, from, from_pitch, width, height, kind);
}
PER_THREAD(cudaMemcpy2DAsync, ptsz)

static struct box array_box(const struct cudaArray *a, size_t x_bytes, size_t y, size_t z)
{
    const size_t slice = a->pitch * (a->extent.height ? a->extent.height : 1);
    return (struct box){ (char *)(uintptr_t)a->address + x_bytes + y * a->pitch + z * slice, a->pitch, slice };
}

/* In a 3D copy, positions and widths count elements when an array takes part, bytes otherwise. */
cudaError_t cudaMemcpy3D(const struct cudaMemcpy3DParms *p)
{
    cudaError_t code;
    struct runtime *r = runtime_enter_device(&code);
    if (code != cudaSuccess)
        return runtime_leave(code);
    if (!p || (!p->srcArray && !p->srcPtr.ptr) || (!p->dstArray && !p->dstPtr.ptr))
        return runtime_leave(cudaErrorInvalidValue);
    const size_t unit = p->srcArray ? p->srcArray->element_bytes : p->dstArray ? p->dstArray->element_bytes : 1;
    const struct cudaPitchedPtr *s = &p->srcPtr, *d = &p->dstPtr;
    const struct box from =
        p->srcArray ? array_box(p->srcArray, p->srcPos.x * unit, p->srcPos.y, p->srcPos.z)
                    : (struct box){ (char *)s->ptr + p->srcPos.x + p->srcPos.y * s->pitch + p->srcPos.z * s->pitch * s->ysize,
                                    s->pitch, s->pitch * s->ysize };
    const struct box to =
        p->dstArray ? array_box(p->dstArray, p->dstPos.x * unit, p->dstPos.y, p->dstPos.z)
                    : (struct box){ (char *)d->ptr + p->dstPos.x + p->dstPos.y * d->pitch + p->dstPos.z * d->pitch * d->ysize,
                                    d->pitch, d->pitch * d->ysize };
    const size_t rows = p->extent.height ? p->extent.height : 1, slices = p->extent.depth ? p->extent.depth : 1;
    return runtime_leave(copy_box(r, to, from, p->extent.width * unit, rows, slices, p->kind));
}
PER_THREAD(cudaMemcpy3D, ptds)

cudaError_t cudaMemcpy3DAsync(const struct cudaMemcpy3DParms *p, cudaStream_t stream)
{
    return stream_captures(stream) && p ? capture_box(stream, p) : cudaMemcpy3D(p);
}
PER_THREAD(cudaMemcpy3DAsync, ptsz)

cudaError_t cudaMemcpy2DToArray(cudaArray_t to, size_t x, size_t y, const void *from, size_t pitch, size_t width, size_t height,
                                enum cudaMemcpyKind kind)
{
    cudaError_t code;
    struct runtime *r = runtime_enter_device(&code);
    if (code == cudaSuccess && !to)
        code = cudaErrorInvalidResourceHandle;
    if (code == cudaSuccess)
        code = copy_box(r, array_box(to, x, y, 0), (struct box){ (char *)(uintptr_t)from, pitch, 0 }, width, height, 1, kind);
    return runtime_leave(code);
}
PER_THREAD(cudaMemcpy2DToArray, ptds)

cudaError_t cudaMemcpy2DFromArray(void *to, size_t pitch, cudaArray_const_t from, size_t x, size_t y, size_t width, size_t height,
                                  enum cudaMemcpyKind kind)
{
    cudaError_t code;
    struct runtime *r = runtime_enter_device(&code);
    if (code == cudaSuccess && !from)
        code = cudaErrorInvalidResourceHandle;
    if (code == cudaSuccess)
        code = copy_box(r, (struct box){ to, pitch, 0 }, array_box(from, x, y, 0), width, height, 1, kind);
    return runtime_leave(code);
}
PER_THREAD(cudaMemcpy2DFromArray, ptds)

/* Bytes in the order of the array's rows, without padding: row by row, the first from column x on. */
static cudaError_t copy_linear(struct runtime *r, const struct cudaArray *a, size_t x, size_t y, char *plain, size_t bytes,
                               enum cudaMemcpyKind kind, bool to_array)
{
    const size_t row_bytes = a->extent.width * a->element_bytes;
    cudaError_t code = cudaSuccess;
    for (size_t done = 0; done < bytes && code == cudaSuccess; y++, x = 0) {
        const size_t part = bytes - done < row_bytes - x ? bytes - done : row_bytes - x;
        char *element = array_box(a, x, y, 0).base;
        code = to_array ? runtime_copy(r, element, plain + done, part, kind) : runtime_copy(r, plain + done, element, part, kind);
        done += part;
    }
    return code;
}

cudaError_t cudaMemcpyToArray(cudaArray_t to, size_t x, size_t y, const void *from, size_t bytes, enum cudaMemcpyKind kind)
{
    cudaError_t code;
    struct runtime *r = runtime_enter_device(&code);
    if (code == cudaSuccess)
        code = to ? copy_linear(r, to, x, y, (char *)(uintptr_t)from, bytes, kind, true) : cudaErrorInvalidResourceHandle;
    return runtime_leave(code);
}
PER_THREAD(cudaMemcpyToArray, ptds)

cudaError_t cudaMemcpyFromArray(void *to, cudaArray_const_t from, size_t x, size_t y, size_t bytes, enum cudaMemcpyKind kind)
{
    cudaError_t code;
    struct runtime *r = runtime_enter_device(&code);
    if (code == cudaSuccess)
        code = from ? copy_linear(r, from, x, y, to, bytes, kind, false) : cudaErrorInvalidResourceHandle;
    return runtime_leave(code);
}
PER_THREAD(cudaMemcpyFromArray, ptds)

/* The forms with a stream. Declared here: our header for programs leaves them out, nvcc's has them. */
cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t to, size_t x, size_t y, const void *from, size_t pitch, size_t width,
                                     size_t height, enum cudaMemcpyKind kind, cudaStream_t stream);
cudaError_t cudaMemcpy2DFromArrayAsync(void *to, size_t pitch, cudaArray_const_t from, size_t x, size_t y, size_t width,
                                       size_t height, enum cudaMemcpyKind kind, cudaStream_t stream);
cudaError_t cudaMemcpyToArrayAsync(cudaArray_t to, size_t x, size_t y, const void *from, size_t bytes, enum cudaMemcpyKind kind,
                                   cudaStream_t stream);
cudaError_t cudaMemcpyFromArrayAsync(void *to, cudaArray_const_t from, size_t x, size_t y, size_t bytes, enum cudaMemcpyKind kind,
                                     cudaStream_t stream);

cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t to, size_t x, size_t y, const void *from, size_t pitch, size_t width,
                                     size_t height, enum cudaMemcpyKind kind, cudaStream_t stream)
{
    if (stream_captures(stream))
        return capture_refuse(stream);
    return cudaMemcpy2DToArray(to, x, y, from, pitch, width, height, kind);
}
PER_THREAD(cudaMemcpy2DToArrayAsync, ptsz)
cudaError_t cudaMemcpy2DFromArrayAsync(void *to, size_t pitch, cudaArray_const_t from, size_t x, size_t y, size_t width,
                                       size_t height, enum cudaMemcpyKind kind, cudaStream_t stream)
{
    if (stream_captures(stream))
        return capture_refuse(stream);
    return cudaMemcpy2DFromArray(to, pitch, from, x, y, width, height, kind);
}
PER_THREAD(cudaMemcpy2DFromArrayAsync, ptsz)
cudaError_t cudaMemcpyToArrayAsync(cudaArray_t to, size_t x, size_t y, const void *from, size_t bytes, enum cudaMemcpyKind kind,
                                   cudaStream_t stream)
{
    if (stream_captures(stream))
        return capture_refuse(stream);
    return cudaMemcpyToArray(to, x, y, from, bytes, kind);
}
PER_THREAD(cudaMemcpyToArrayAsync, ptsz)
cudaError_t cudaMemcpyFromArrayAsync(void *to, cudaArray_const_t from, size_t x, size_t y, size_t bytes, enum cudaMemcpyKind kind,
                                     cudaStream_t stream)
{
    if (stream_captures(stream))
        return capture_refuse(stream);
    return cudaMemcpyFromArray(to, from, x, y, bytes, kind);
}
PER_THREAD(cudaMemcpyFromArrayAsync, ptsz)

static cudaError_t copy_symbol(const void *symbol, void *other, size_t bytes, size_t offset, enum cudaMemcpyKind kind,
                               bool to_symbol)
{
    cudaError_t code;
    uint64_t address, size;
    struct runtime *r = runtime_enter_device(&code);
    if (code != cudaSuccess || !runtime_find_variable(r, symbol, &address, &size, &code))
        return runtime_leave(code);
    if (offset > size || bytes > size - offset)
        return runtime_leave(cudaErrorInvalidValue);
    char *inside = (char *)(uintptr_t)(address + offset);
    return runtime_leave(to_symbol ? copy_bytes(r, inside, other, bytes, kind, true)
                                   : copy_bytes(r, other, inside, bytes, kind, true));
}

cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *from, size_t bytes, size_t offset, enum cudaMemcpyKind kind)
{
    return copy_symbol(symbol, (void *)(uintptr_t)from, bytes, offset, kind, true);
}
PER_THREAD(cudaMemcpyToSymbol, ptds)
cudaError_t cudaMemcpyFromSymbol(void *to, const void *symbol, size_t bytes, size_t offset, enum cudaMemcpyKind kind)
{
    return copy_symbol(symbol, to, bytes, offset, kind, false);
}
PER_THREAD(cudaMemcpyFromSymbol, ptds)
cudaError_t cudaMemcpyToSymbolAsync(const void *symbol, const void *from, size_t bytes, size_t offset, enum cudaMemcpyKind kind,
                                    cudaStream_t stream)
{
    void *to;
    if (stream_captures(stream)) {
        const cudaError_t code = cudaGetSymbolAddress(&to, symbol);
        return code != cudaSuccess ? code : capture_copy(stream, (char *)to + offset, from, bytes, kind);
    }
    return cudaMemcpyToSymbol(symbol, from, bytes, offset, kind);
}
PER_THREAD(cudaMemcpyToSymbolAsync, ptsz)
cudaError_t cudaMemcpyFromSymbolAsync(void *to, const void *symbol, size_t bytes, size_t offset, enum cudaMemcpyKind kind,
                                      cudaStream_t stream)
{
    void *from;
    if (stream_captures(stream)) {
        const cudaError_t code = cudaGetSymbolAddress(&from, symbol);
        return code != cudaSuccess ? code : capture_copy(stream, to, (char *)from + offset, bytes, kind);
    }
    return cudaMemcpyFromSymbol(to, symbol, bytes, offset, kind);
}
PER_THREAD(cudaMemcpyFromSymbolAsync, ptsz)

cudaError_t cudaGetSymbolAddress(void **pointer, const void *symbol)
{
    cudaError_t code;
    uint64_t address, size;
    struct runtime *r = runtime_enter_device(&code);
    if (code == cudaSuccess && runtime_find_variable(r, symbol, &address, &size, &code))
        *pointer = (void *)(uintptr_t)address;
    return runtime_leave(code);
}

cudaError_t cudaGetSymbolSize(size_t *bytes, const void *symbol)
{
    cudaError_t code;
    uint64_t address, size;
    struct runtime *r = runtime_enter_device(&code);
    if (code == cudaSuccess && runtime_find_variable(r, symbol, &address, &size, &code))
        *bytes = size;
    return runtime_leave(code);
}

struct pattern {
    uint32_t value;
    unsigned int bytes;
};

static void repeat(char *to, struct pattern p, size_t bytes)
{
    if (p.bytes == 1)
        memset(to, (int)p.value, bytes);
    for (size_t i = 0; p.bytes > 1 && i < bytes; i += p.bytes)
        memcpy(to + i, &p.value, p.bytes);
}

static bool fill_device(struct runtime *r, uint64_t address, struct pattern p, size_t bytes)
{
    struct error err;
    if (p.bytes == 1)
        return device_fill(runtime_device(r), address, (uint8_t)p.value, bytes, &err);
    if (!device_is_valid(runtime_device(r), address, bytes)) /* before memory is asked for */
        return false;
    char *values = must_calloc(1, bytes);
    repeat(values, p, bytes);
    const bool ok = device_write(runtime_device(r), address, values, bytes, &err);
    free(values);
    return ok;
}

static bool fill_row(struct runtime *r, char *row, struct pattern p, size_t bytes)
{
    const struct host_block *block = runtime_find_block(r, row);
    if (!block)
        return side_of(r, row) == SIDE_DEVICE && fill_device(r, (uint64_t)(uintptr_t)row, p, bytes);
    if (bytes > block->bytes - (size_t)(row - (char *)block->host))
        return false;
    repeat(row, p, bytes);
    return true;
}

static cudaError_t fill_box(struct box to, struct pattern p, size_t bytes, size_t rows, size_t slices)
{
    cudaError_t code;
    struct runtime *r = runtime_enter_device(&code);
    for (size_t z = 0; z < slices; z++)
        for (size_t y = 0; y < rows && code == cudaSuccess && bytes; y++) {
            char *row = to.base + z * to.slice + y * to.pitch;
            if (fill_row(r, row, p, bytes))
                session_host_copied(r->session, HOST_SET, (uint64_t)(uintptr_t)row, bytes);
            else
                code = cudaErrorInvalidValue;
        }
    return runtime_leave(code);
}
static cudaError_t fill_bytes(struct box to, int value, size_t bytes, size_t rows, size_t slices)
{
    return fill_box(to, (struct pattern){ (unsigned char)value, 1 }, bytes, rows, slices);
}

cudaError_t runtime_fill(const struct cudaMemsetParams *p)
{
    return fill_box((struct box){ p->dst, p->pitch, 0 }, (struct pattern){ p->value, p->elementSize }, p->width * p->elementSize,
                    p->height ? p->height : 1, 1);
}

cudaError_t cudaMemset(void *pointer, int value, size_t bytes)
{
    return fill_bytes((struct box){ pointer, 0, 0 }, value, bytes, 1, 1);
}
PER_THREAD(cudaMemset, ptds)
cudaError_t cudaMemsetAsync(void *pointer, int value, size_t bytes, cudaStream_t stream)
{
    if (stream_captures(stream))
        return capture_set(stream,
                           &(struct cudaMemsetParams){
                               .dst = pointer, .value = (unsigned char)value, .elementSize = 1, .width = bytes, .height = 1 });
    return cudaMemset(pointer, value, bytes);
}
PER_THREAD(cudaMemsetAsync, ptsz)
cudaError_t cudaMemset2D(void *pointer, size_t pitch, int value, size_t width, size_t height)
{
    return fill_bytes((struct box){ pointer, pitch, 0 }, value, width, height, 1);
}
PER_THREAD(cudaMemset2D, ptds)
cudaError_t cudaMemset2DAsync(void *pointer, size_t pitch, int value, size_t width, size_t height, cudaStream_t stream)
{
    if (stream_captures(stream))
        return capture_set(stream, &(struct cudaMemsetParams){ .dst = pointer,
                                                               .pitch = pitch,
                                                               .value = (unsigned char)value,
                                                               .elementSize = 1,
                                                               .width = width,
                                                               .height = height });
    return cudaMemset2D(pointer, pitch, value, width, height);
}
PER_THREAD(cudaMemset2DAsync, ptsz)
cudaError_t cudaMemset3D(struct cudaPitchedPtr p, int value, struct cudaExtent extent)
{
    return fill_bytes((struct box){ p.ptr, p.pitch, p.pitch * p.ysize }, value, extent.width, extent.height, extent.depth);
}
PER_THREAD(cudaMemset3D, ptds)
cudaError_t cudaMemset3DAsync(struct cudaPitchedPtr p, int value, struct cudaExtent extent, cudaStream_t stream)
{
    if (stream_captures(stream))
        return capture_refuse(stream);
    return cudaMemset3D(p, value, extent);
}
PER_THREAD(cudaMemset3DAsync, ptsz)
