/* graph_launches.c - launches of graphs, and of those that their kernels launch.
 *
 * Work is done when it is asked for: a graph that a kernel launches to run beside its own runs right after that kernel, and one
 * that is to follow when the whole graph has ended. What a graph launches behind itself comes before what was already waiting. */
#include <stdlib.h>

#include "graphs.h"

struct pending_graph {
    cudaGraphExec_t exec;
    struct pending_graph *next;
};
/* A graph whose nodes are being run; `outer` is the one whose kernel launched it. */
struct graph_frame {
    cudaGraphExec_t exec;
    struct pending_graph *behind, **end;
    struct graph_frame *outer;
};

static struct pending_graph *pending_new(cudaGraphExec_t exec, struct pending_graph *next)
{
    struct pending_graph *p = must_calloc(1, sizeof *p);
    *p = (struct pending_graph){ .exec = exec, .next = next };
    return p;
}

static void set_running(struct runtime *r, struct graph_frame *frame)
{
    r->graph_frame = frame;
    if (r->session)
        device_enter_graph(runtime_device(r), frame ? (uint64_t)(uintptr_t)frame->exec : 0);
}

cudaError_t graph_launch(cudaGraphExec_t exec)
{
    struct runtime *r = runtime_state();
    struct pending_graph *waiting = pending_new(exec, NULL);
    cudaError_t code = cudaSuccess;
    while (waiting) {
        struct pending_graph *first = waiting;
        struct graph_frame frame = { .exec = first->exec, .outer = r->graph_frame };
        frame.end = &frame.behind;
        waiting = first->next;
        free(first);
        if (code != cudaSuccess) /* what would have followed is forgotten */
            continue;
        set_running(r, &frame);
        condition_start(frame.exec->graph);
        code = graph_run(frame.exec->graph);
        set_running(r, frame.outer);
        *frame.end = waiting;
        waiting = frame.behind;
    }
    return code;
}

cudaError_t graph_launch_asked(void)
{
    struct runtime *r = runtime_state();
    struct graph_frame *frame = r->graph_frame;
    cudaError_t code = cudaSuccess;
    uint64_t handle;
    bool is_tail;
    while (frame && r->session && code == cudaSuccess && device_next_graph(runtime_device(r), &handle, &is_tail)) {
        cudaGraphExec_t exec = (cudaGraphExec_t)(uintptr_t)handle;
        if (is_tail) {
            *frame->end = pending_new(exec, NULL);
            frame->end = &(*frame->end)->next;
        } else
            code = graph_launch(exec);
    }
    return code;
}

/* What a graph that the device launches may hold. */
static bool may_be_launched_there(const struct CUgraph_st *graph)
{
    bool ok = graph->count > 0;
    for (size_t i = 0; ok && i < graph->count; i++) {
        const struct CUgraphNode_st *node = graph->nodes[i];
        ok = node->type == cudaGraphNodeTypeKernel || node->type == cudaGraphNodeTypeMemcpy ||
             node->type == cudaGraphNodeTypeMemset || node->type == cudaGraphNodeTypeEmpty ||
             (node->type == cudaGraphNodeTypeGraph && may_be_launched_there(node->child));
    }
    return ok;
}

cudaError_t graph_allow(cudaGraphExec_t exec)
{
    cudaError_t code;
    struct runtime *r = runtime_enter_device(&code);
    if (code == cudaSuccess && !may_be_launched_there(exec->graph))
        code = cudaErrorNotSupported;
    if (code == cudaSuccess)
        device_allow_graph(runtime_device(r), (uint64_t)(uintptr_t)exec, true);
    return runtime_leave(code);
}

void graph_forbid(cudaGraphExec_t exec)
{
    struct runtime *r = runtime_state();
    if (r->session)
        device_allow_graph(runtime_device(r), (uint64_t)(uintptr_t)exec, false);
}
