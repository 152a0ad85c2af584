/* graphs.h - graphs of work, made call by call or captured from streams.
 *
 * Work is done when it is asked for (runtime.h), so a graph is a list: a launch walks its nodes in an order that keeps every
 * dependency. */
#ifndef WARPLINE_CUDA_RUNTIME_GRAPHS_H
#define WARPLINE_CUDA_RUNTIME_GRAPHS_H
#include "runtime.h"

struct kernel_work {
    const void *function;
    dim3 grid, block;
    size_t shared;
    bool cooperative;
    uint8_t *values;  /* the parameters' */
    void **arguments; /* into `values` */
    size_t value_bytes, argument_count;
};
struct copy_work {
    bool flat;
    void *to;
    const void *from;
    size_t bytes;
    enum cudaMemcpyKind kind;
    struct cudaMemcpy3DParms box;
};

struct memory_work {
    void *pointer;
    size_t bytes;
};

/* A node that runs one of its graphs, as a word of the device's memory says. */
struct condition_work {
    uint64_t handle; /* the word's address */
    enum cudaGraphConditionalNodeType type;
    unsigned int count;
    struct CUgraph_st **bodies;
};

struct CUgraphNode_st {
    enum cudaGraphNodeType type;
    uint64_t id;       /* copies keep it: an executable graph's node is found by its original */
    uint32_t position; /* in its graph */
    bool disabled;
    struct CUgraph_st *graph;
    cudaGraphNode_t *needs;
    size_t need_count;
    union {
        struct kernel_work kernel;
        struct copy_work copy;
        struct memory_work memory;
        struct condition_work condition;
        struct cudaMemsetParams set;
        struct cudaHostNodeParams host;
        struct CUgraph_st *child;
        cudaEvent_t event;
    };
};
struct CUgraph_st {
    cudaGraphNode_t *nodes;
    size_t count;
};
struct CUgraphExec_st {
    struct CUgraph_st *graph;
    unsigned long long flags;
};

/* launch_calls.c: gives the work copies of its arguments, which node_clear frees. */
cudaError_t kernel_work_keep(struct kernel_work *work, void **args);

/* What a call about graphs ends with: cudaSuccess or cudaErrorInvalidValue. */
cudaError_t graph_finish(bool ok);
struct CUgraph_st *graph_new(void);
void graph_free(struct CUgraph_st *graph);
struct CUgraph_st *graph_copy(const struct CUgraph_st *graph);
cudaGraphNode_t graph_add(struct CUgraph_st *graph, enum cudaGraphNodeType type, const cudaGraphNode_t *needs, size_t count);
void graph_add_need(cudaGraphNode_t node, cudaGraphNode_t need);
void graph_drop_need(cudaGraphNode_t node, cudaGraphNode_t need);
/* Removes the node and its edges. */
void graph_remove(cudaGraphNode_t node);
/* Sorts nodes so that each comes after all that it depends on. False: there is a cycle. */
bool graph_sort(struct CUgraph_st *graph);
/* The node that was copied from this one, or this one; NULL: none. */
cudaGraphNode_t graph_find(struct CUgraph_st *graph, const struct CUgraphNode_st *original);
/* Does the work of every node, in order. */
cudaError_t graph_run(const struct CUgraph_st *graph);
/* Takes over the values of the arguments. */
cudaError_t node_set_kernel(cudaGraphNode_t node, const void *function, dim3 grid, dim3 block, void **args, size_t shared);
void node_clear(cudaGraphNode_t node);

/* capture.c: a stream that captures adds its work to a graph instead of doing it. */
bool stream_captures(cudaStream_t stream);
/* Adds a node of this type and work. It takes the work over unless it fails; in a spoilt capture everything fails. */
cudaError_t capture_add(cudaStream_t stream, const struct CUgraphNode_st *work);
cudaError_t capture_copy(cudaStream_t stream, void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind);
cudaError_t capture_box(cudaStream_t stream, const struct cudaMemcpy3DParms *box);
cudaError_t capture_set(cudaStream_t stream, const struct cudaMemsetParams *set);
cudaError_t capture_event(cudaStream_t stream, cudaEvent_t event);
/* True when the wait belongs to a capture; *code is then its result. */
bool capture_wait(cudaStream_t stream, cudaEvent_t event, cudaError_t *code);
/* graph_memory.c: cudaMallocAsync and cudaFreeAsync in a stream that captures. */
cudaError_t capture_malloc(cudaStream_t stream, void **pointer, size_t bytes);
cudaError_t capture_free(cudaStream_t stream, void *pointer);
/* Marks the memory of graphs that begins there; false: there is none. */
bool graph_memory_use(const void *pointer, bool in_use);
void graph_memory_forget(struct runtime *r); /* the device is gone */
/* graph_conditions.c */
void condition_copy(struct condition_work *to, const struct condition_work *from);
void condition_clear(struct condition_work *work);
cudaError_t condition_run(const struct condition_work *work);
void condition_start(const struct CUgraph_st *graph); /* a launch begins: words with a default value get it */
void condition_forget(struct runtime *r);             /* the device is gone */
/* graph_launches.c: a launch by the host, with all that it launches itself. */
cudaError_t graph_launch(cudaGraphExec_t exec);
/* Does what the kernel that has just ended launched, or puts it behind its graph. */
cudaError_t graph_launch_asked(void);
cudaError_t graph_allow(cudaGraphExec_t exec); /* kernels may launch it */
void graph_forbid(cudaGraphExec_t exec);
/* What cannot be captured spoils the capture. */
cudaError_t capture_refuse(cudaStream_t stream);
/* The stream is going away. */
void capture_forget(cudaStream_t stream);
#endif
