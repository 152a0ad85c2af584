/* capture.c - streams that capture. A capture begins in one stream. Others join it by waiting for an event recorded in it. What
 * each stream does next depends on what it did last. */
#include <stdlib.h>
#include <string.h>

#include "graphs.h"

struct capture {
    struct capture *next;
    uint64_t id;
    struct CUgraph_st *graph;
    cudaStream_t *streams; /* the first is where it began */
    size_t stream_count;
    bool spoilt, borrowed /* the graph is the caller's */;
};

static bool is_made(cudaStream_t stream)
{
    return stream && stream != cudaStreamLegacy && stream != cudaStreamPerThread;
}

static struct capture *capture_of(cudaStream_t stream)
{
    struct capture *c = is_made(stream) ? runtime_state()->captures : NULL;
    while (c && c->id != stream->capture_id)
        c = c->next;
    return c;
}
bool stream_captures(cudaStream_t stream)
{
    return is_made(stream) && stream->capture_id && capture_of(stream);
}

static void set_tail(struct capture_tail *tail, cudaGraphNode_t const *nodes, size_t count)
{
    if (nodes && nodes == tail->nodes)
        return;
    free(tail->nodes);
    tail->nodes = must_calloc(count + 1, sizeof *tail->nodes);
    tail->count = count;
    if (count)
        memcpy(tail->nodes, nodes, count * sizeof *nodes);
}

static void join(struct capture *c, cudaStream_t stream)
{
    c->streams = must_realloc(c->streams, (c->stream_count + 1) * sizeof(cudaStream_t));
    c->streams[c->stream_count++] = stream;
    stream->capture_id = c->id;
    set_tail(&stream->tail, NULL, 0);
}

cudaError_t capture_add(cudaStream_t stream, const struct CUgraphNode_st *work)
{
    (void)runtime_enter();
    const struct capture *c = capture_of(stream);
    if (c->spoilt)
        return runtime_leave(cudaErrorStreamCaptureInvalidated);
    cudaGraphNode_t node = graph_add(c->graph, work->type, stream->tail.nodes, stream->tail.count);
    struct CUgraphNode_st filled = *work;
    filled.id = node->id;
    filled.position = node->position;
    filled.graph = node->graph;
    filled.needs = node->needs;
    filled.need_count = node->need_count;
    *node = filled;
    set_tail(&stream->tail, &node, 1);
    return runtime_leave(cudaSuccess);
}

cudaError_t capture_copy(cudaStream_t stream, void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind)
{
    return capture_add(stream,
                       &(struct CUgraphNode_st){ .type = cudaGraphNodeTypeMemcpy,
                                                 .copy = { .flat = true, .to = to, .from = from, .bytes = bytes, .kind = kind } });
}

cudaError_t capture_box(cudaStream_t stream, const struct cudaMemcpy3DParms *box)
{
    return capture_add(stream, &(struct CUgraphNode_st){ .type = cudaGraphNodeTypeMemcpy, .copy = { .box = *box } });
}

cudaError_t capture_set(cudaStream_t stream, const struct cudaMemsetParams *set)
{
    return capture_add(stream, &(struct CUgraphNode_st){ .type = cudaGraphNodeTypeMemset, .set = *set });
}

cudaError_t capture_event(cudaStream_t stream, cudaEvent_t event)
{
    event->capture_id = stream->capture_id;
    set_tail(&event->tail, stream->tail.nodes, stream->tail.count);
    return capture_of(stream)->spoilt ? cudaErrorStreamCaptureInvalidated : cudaSuccess;
}

bool capture_wait(cudaStream_t stream, cudaEvent_t event, cudaError_t *code)
{
    struct capture *of_event = runtime_state()->captures, *of_stream = capture_of(stream);
    while (of_event && of_event->id != event->capture_id)
        of_event = of_event->next;
    *code = of_stream && of_stream->spoilt ? cudaErrorStreamCaptureInvalidated : cudaSuccess;
    if (*code != cudaSuccess || (!of_event && !of_stream))
        return *code != cudaSuccess;
    if (!of_event || !is_made(stream) || (of_stream && of_stream != of_event)) {
        (of_stream ? of_stream : of_event)->spoilt = true;
        *code = !of_event         ? cudaErrorStreamCaptureIsolation
                : is_made(stream) ? cudaErrorStreamCaptureMerge
                                  : cudaErrorStreamCaptureImplicit;
        return true;
    }
    if (!of_stream)
        join(of_event, stream);
    const size_t own = stream->tail.count, all = own + event->tail.count;
    cudaGraphNode_t *both = must_calloc(all + 1, sizeof(cudaGraphNode_t));
    size_t count = own;
    memcpy(both, stream->tail.nodes, own * sizeof *both);
    for (size_t i = 0; i < event->tail.count; i++) {
        size_t k = 0;
        while (k < count && both[k] != event->tail.nodes[i])
            k++;
        if (k == count) /* a stream that waits twice for the same node depends on it once */
            both[count++] = event->tail.nodes[i];
    }
    set_tail(&stream->tail, both, count);
    free(both);
    return true;
}

cudaError_t capture_refuse(cudaStream_t stream)
{
    (void)runtime_enter();
    struct capture *c = capture_of(stream);
    const bool before = c->spoilt;
    c->spoilt = true;
    return runtime_leave(before ? cudaErrorStreamCaptureInvalidated : cudaErrorStreamCaptureUnsupported);
}

void capture_forget(cudaStream_t stream)
{
    struct capture *c = capture_of(stream);
    for (size_t i = 0; c && i < c->stream_count; i++)
        if (c->streams[i] == stream)
            c->streams[i] = NULL;
    free(stream->tail.nodes);
}

static cudaError_t begin(cudaStream_t stream, struct CUgraph_st *graph, const cudaGraphNode_t *needs, size_t count)
{
    (void)runtime_enter();
    if (!is_made(stream))
        return runtime_leave(cudaErrorStreamCaptureUnsupported);
    if (capture_of(stream))
        return runtime_leave(cudaErrorIllegalState);
    struct capture *c = must_calloc(1, sizeof *c);
    struct runtime *r = runtime_state();
    *c = (struct capture){
        .next = r->captures, .id = ++r->last_capture, .graph = graph ? graph : graph_new(), .borrowed = graph != NULL
    };
    r->captures = c;
    join(c, stream);
    set_tail(&stream->tail, needs, count);
    return runtime_leave(cudaSuccess);
}

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, enum cudaStreamCaptureMode mode)
{
    (void)mode; /* which calls of other threads CUDA would refuse; here all of them work */
    return begin(stream, NULL, NULL, 0);
}
PER_THREAD(cudaStreamBeginCapture, ptsz)

cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t stream, cudaGraph_t graph, const cudaGraphNode_t *needs, const void *edges,
                                          size_t count, enum cudaStreamCaptureMode mode)
{
    (void)mode, (void)edges;
    return graph ? begin(stream, graph, needs, count) : cudaErrorInvalidValue;
}
PER_THREAD(cudaStreamBeginCaptureToGraph, ptsz)

/* True when every stream that joined has been waited for: something must depend on their last nodes. */
static bool all_joined(const struct capture *c)
{
    for (size_t s = 1; s < c->stream_count; s++)
        for (size_t t = 0; c->streams[s] && t < c->streams[s]->tail.count; t++) {
            const struct CUgraphNode_st *last = c->streams[s]->tail.nodes[t];
            bool found = false;
            for (size_t i = 0; i < c->streams[0]->tail.count; i++)
                found |= c->streams[0]->tail.nodes[i] == last;
            for (size_t i = last->position + 1; i < c->graph->count && !found; i++)
                for (size_t k = 0; k < c->graph->nodes[i]->need_count; k++)
                    found |= c->graph->nodes[i]->needs[k] == last;
            if (!found)
                return false;
        }
    return true;
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph)
{
    (void)runtime_enter();
    struct capture *c = capture_of(stream), **link = &runtime_state()->captures;
    if (!c || c->streams[0] != stream)
        return runtime_leave(cudaErrorStreamCaptureUnmatched);
    const cudaError_t code = c->spoilt       ? cudaErrorStreamCaptureInvalidated
                             : all_joined(c) ? cudaSuccess
                                             : cudaErrorStreamCaptureUnjoined;
    for (size_t i = 0; i < c->stream_count; i++)
        if (c->streams[i])
            c->streams[i]->capture_id = 0;
    while (*link != c)
        link = &(*link)->next;
    *link = c->next;
    if (code != cudaSuccess && !c->borrowed)
        graph_free(c->graph);
    if (graph)
        *graph = code == cudaSuccess ? c->graph : NULL;
    free(c->streams);
    free(c);
    return runtime_leave(code);
}
PER_THREAD(cudaStreamEndCapture, ptsz)

static enum cudaStreamCaptureStatus status_of(cudaStream_t stream)
{
    const struct capture *c = capture_of(stream);
    return !c ? cudaStreamCaptureStatusNone : c->spoilt ? cudaStreamCaptureStatusInvalidated : cudaStreamCaptureStatusActive;
}

cudaError_t cudaStreamIsCapturing(cudaStream_t stream, enum cudaStreamCaptureStatus *status)
{
    (void)runtime_enter();
    *status = status_of(stream);
    return runtime_leave(cudaSuccess);
}
PER_THREAD(cudaStreamIsCapturing, ptsz)

cudaError_t cudaStreamGetCaptureInfo_v2(cudaStream_t stream, enum cudaStreamCaptureStatus *status, unsigned long long *id,
                                        cudaGraph_t *graph, const cudaGraphNode_t **needs, size_t *count)
{
    (void)runtime_enter();
    const struct capture *c = capture_of(stream);
    *status = status_of(stream);
    if (id)
        *id = c ? c->id : 0;
    if (graph)
        *graph = c ? c->graph : NULL;
    if (needs)
        *needs = c ? stream->tail.nodes : NULL;
    if (count)
        *count = c ? stream->tail.count : 0;
    return runtime_leave(cudaSuccess);
}
PER_THREAD(cudaStreamGetCaptureInfo_v2, ptsz)

/* flags: 0 adds to what the stream's next work depends on, 1 replaces it. */
cudaError_t cudaStreamUpdateCaptureDependencies_v2(cudaStream_t stream, cudaGraphNode_t *needs, const cudaGraphEdgeData *edges,
                                                   size_t count, unsigned int flags)
{
    (void)edges;
    (void)runtime_enter();
    const struct capture *c = capture_of(stream);
    bool ok = c && flags <= 1 && (needs || !count);
    for (size_t i = 0; ok && i < count; i++)
        ok = needs[i] && needs[i]->graph == c->graph;
    if (!ok)
        return runtime_leave(c ? cudaErrorInvalidValue : cudaErrorIllegalState);
    const size_t kept = flags ? 0 : stream->tail.count;
    cudaGraphNode_t *all = must_calloc(kept + count + 1, sizeof(cudaGraphNode_t));
    if (kept)
        memcpy(all, stream->tail.nodes, kept * sizeof *all);
    if (count)
        memcpy(all + kept, needs, count * sizeof *all);
    set_tail(&stream->tail, all, kept + count);
    free(all);
    return runtime_leave(cudaSuccess);
}

cudaError_t cudaThreadExchangeStreamCaptureMode(enum cudaStreamCaptureMode *mode)
{
    struct runtime_thread *t = runtime_thread();
    const enum cudaStreamCaptureMode before = t->capture_mode;
    t->capture_mode = *mode;
    *mode = before;
    return cudaSuccess;
}
