/* child.h - launches from device code. */
#ifndef WARPLINE_EXEC_CHILD_H
#define WARPLINE_EXEC_CHILD_H
#include "exec/engine.h"

struct child_shape {
    uint64_t kernel; /* as a function pointer shows it */
    uint32_t grid[3], block[3], shared_bytes;
};
/* Memory for the arguments of a launch that may follow; 0 with a fault recorded, or with an error for the thread to ask for. */
uint64_t child_parameters(struct warp *w, const struct xop *x, uint32_t lane, const struct child_shape *shape);
/* The launch itself: a cudaError_t. */
uint32_t child_launch(struct warp *w, const struct xop *x, uint32_t lane, uint64_t buffer, uint64_t stream);
/* A copy, or a fill with a byte (-1: a copy), in the order of the launches: a cudaError_t. */
uint32_t child_copy(struct device *device, uint64_t to, uint64_t from, int byte, uint64_t bytes, uint64_t stream);
/* The last error of a call that this lane has made: a cudaError_t. It is forgotten when the lane takes it, or its kernel ends. */
void child_note_error(const struct warp *w, uint32_t lane, uint32_t code);
uint32_t child_last_error(const struct warp *w, uint32_t lane, bool take);
uint64_t child_stream(struct device *device); /* a handle that no other stream has */
/* A launch of a graph: a cudaError_t. */
uint32_t child_graph(struct device *device, uint64_t graph, uint64_t stream);
uint64_t child_running_graph(struct device *device); /* 0: none that the device may launch */
#endif
