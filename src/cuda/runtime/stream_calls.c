/* stream_calls.c - streams and events. Work is done when it is asked for, so every stream is always idle and every recorded
 * event has happened; the time of an event is the simulated time at which it was recorded. */
#include <stdlib.h>

#include "graphs.h"

/* Numbers of streams; the two default streams and the one that a 0 means have those before. */
enum { FIRST_STREAM = 3 };

cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned int flags, int priority)
{
    cudaError_t code;
    (void)runtime_enter_device(&code);
    if (code == cudaSuccess && !stream)
        code = cudaErrorInvalidValue;
    if (code == cudaSuccess) {
        *stream = must_calloc(1, sizeof **stream);
        **stream =
            (struct CUstream_st){ .id = FIRST_STREAM + runtime_state()->streams_made++, .flags = flags, .priority = priority };
    }
    return runtime_leave(code);
}
cudaError_t cudaStreamCreate(cudaStream_t *stream)
{
    return cudaStreamCreateWithPriority(stream, cudaStreamDefault, 0);
}
cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned int flags)
{
    return cudaStreamCreateWithPriority(stream, flags, 0);
}

/* The default streams cannot be looked into. */
static bool is_made(cudaStream_t stream)
{
    return stream && stream != cudaStreamLegacy && stream != cudaStreamPerThread;
}

cudaError_t cudaStreamDestroy(cudaStream_t stream)
{
    (void)runtime_enter();
    if (!is_made(stream))
        return runtime_leave(cudaErrorInvalidResourceHandle);
    capture_forget(stream);
    free(stream);
    return runtime_leave(cudaSuccess);
}
cudaError_t cudaStreamGetPriority(cudaStream_t stream, int *priority)
{
    *priority = is_made(stream) ? stream->priority : 0;
    return cudaSuccess;
}
PER_THREAD(cudaStreamGetPriority, ptsz)
cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned int *flags)
{
    *flags = is_made(stream) ? stream->flags : cudaStreamDefault;
    return cudaSuccess;
}
PER_THREAD(cudaStreamGetFlags, ptsz)
cudaError_t cudaStreamGetId(cudaStream_t stream, unsigned long long *id)
{
    (void)runtime_enter();
    if (!id)
        return runtime_leave(cudaErrorInvalidValue);
    *id = is_made(stream) ? stream->id : (unsigned long long)(uintptr_t)stream;
    return runtime_leave(cudaSuccess);
}
PER_THREAD(cudaStreamGetId, ptsz)
cudaError_t cudaStreamGetDevice(cudaStream_t stream, int *device)
{
    (void)stream;
    *device = 0;
    return cudaSuccess;
}
PER_THREAD(cudaStreamGetDevice, ptsz)

/* The error of a kernel that failed earlier shows here, as on a GPU. */
static cudaError_t wait(void)
{
    cudaError_t code;
    (void)runtime_enter_device(&code);
    return runtime_leave(code);
}
cudaError_t cudaStreamSynchronize(cudaStream_t stream)
{
    return stream_captures(stream) ? capture_refuse(stream) : wait();
}
PER_THREAD(cudaStreamSynchronize, ptsz)
cudaError_t cudaStreamQuery(cudaStream_t stream)
{
    return stream_captures(stream) ? capture_refuse(stream) : wait();
}
PER_THREAD(cudaStreamQuery, ptsz)
cudaError_t cudaDeviceSynchronize(void)
{
    return wait();
}
cudaError_t cudaThreadSynchronize(void)
{
    return wait();
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int flags)
{
    cudaError_t code = cudaErrorInvalidResourceHandle;
    (void)flags;
    (void)runtime_enter();
    if (event)
        (void)capture_wait(stream, event, &code);
    return runtime_leave(code);
}
PER_THREAD(cudaStreamWaitEvent, ptsz)

cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void *data, unsigned int flags)
{
    (void)flags;
    if (stream_captures(stream))
        return capture_refuse(stream);
    const cudaError_t code = wait();
    callback(stream, code, data);
    return code;
}
PER_THREAD(cudaStreamAddCallback, ptsz)

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t fn, void *data)
{
    if (stream_captures(stream))
        return capture_add(stream, &(struct CUgraphNode_st){ .type = cudaGraphNodeTypeHost, .host = { fn, data } });
    const cudaError_t code = wait();
    if (code == cudaSuccess)
        fn(data);
    return code;
}
PER_THREAD(cudaLaunchHostFunc, ptsz)

/* Attributes of streams are hints to a scheduler and a cache that this machine does not have. */
cudaError_t cudaStreamSetAttribute(cudaStream_t stream, cudaLaunchAttributeID attr, const cudaLaunchAttributeValue *value)
{
    (void)stream, (void)attr;
    return value ? cudaSuccess : cudaErrorInvalidValue;
}
PER_THREAD(cudaStreamSetAttribute, ptsz)

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned int flags)
{
    cudaError_t code;
    (void)runtime_enter_device(&code);
    if (code == cudaSuccess && !event)
        code = cudaErrorInvalidValue;
    if (code == cudaSuccess) {
        *event = must_calloc(1, sizeof **event);
        (*event)->flags = flags;
    }
    return runtime_leave(code);
}
cudaError_t cudaEventCreate(cudaEvent_t *event)
{
    return cudaEventCreateWithFlags(event, cudaEventDefault);
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
    cudaError_t code;
    struct runtime *r = runtime_enter_device(&code);
    if (code == cudaSuccess && !event)
        code = cudaErrorInvalidResourceHandle;
    if (code == cudaSuccess && stream_captures(stream)) {
        code = capture_event(stream, event);
    } else if (code == cudaSuccess) {
        event->capture_id = 0;
        event->recorded = true;
        event->seconds = session_seconds(r->session);
    }
    return runtime_leave(code);
}
PER_THREAD(cudaEventRecord, ptsz)
cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned int flags)
{
    (void)flags;
    return cudaEventRecord(event, stream);
}
PER_THREAD(cudaEventRecordWithFlags, ptsz)

/* An event that was last recorded in a capture has not happened, and will not: the record is an edge of the graph. */
static cudaError_t about_event(cudaEvent_t event)
{
    cudaError_t code;
    (void)runtime_enter_device(&code);
    if (code == cudaSuccess)
        code = !event ? cudaErrorInvalidResourceHandle : event->capture_id ? cudaErrorCapturedEvent : cudaSuccess;
    return runtime_leave(code);
}
cudaError_t cudaEventQuery(cudaEvent_t event)
{
    return about_event(event);
}
cudaError_t cudaEventSynchronize(cudaEvent_t event)
{
    return about_event(event);
}
cudaError_t cudaEventDestroy(cudaEvent_t event)
{
    (void)runtime_enter();
    if (!event)
        return runtime_leave(cudaErrorInvalidResourceHandle);
    free(event->tail.nodes);
    free(event);
    return runtime_leave(cudaSuccess);
}

cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t start, cudaEvent_t end)
{
    (void)runtime_enter();
    if (!milliseconds || !start || !end || !start->recorded || !end->recorded ||
        ((start->flags | end->flags) & cudaEventDisableTiming))
        return runtime_leave(cudaErrorInvalidResourceHandle);
    *milliseconds = (float)((end->seconds - start->seconds) * 1e3);
    return runtime_leave(cudaSuccess);
}
