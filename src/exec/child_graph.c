/* child_graph.c - graphs that kernels launch. Graphs are the runtime's: here a launch is a handle that is noted, and the runtime
 * asks for it after the kernel. */
#include "exec/child.h"

#include <stdlib.h>

/* The handles that cudaStreamGraphTailLaunch and the two kinds of cudaStreamGraphFireAndForget are. */
#define STREAM_GRAPH_TAIL 0x0100000000000000ull
#define STREAM_GRAPH_NOW 0x0200000000000000ull
#define STREAM_GRAPH_SIBLING 0x0300000000000000ull

struct graph_launch {
    uint64_t graph;
    bool is_tail;
    struct graph_launch *next;
};

static struct known_graph {
    uint64_t graph;
    struct known_graph *next;
} * *find_known(struct graph_launches *g, uint64_t graph)
{
    struct known_graph **link = &g->known;
    while (*link && (*link)->graph != graph)
        link = &(*link)->next;
    return link;
}

void device_allow_graph(struct device *device, uint64_t graph, bool allowed)
{
    struct known_graph **link = find_known(&device->graph_launches, graph), *found = *link;
    if (!found && allowed) {
        *link = must_calloc(1, sizeof **link);
        (*link)->graph = graph;
    } else if (found && !allowed) {
        *link = found->next;
        free(found);
    }
}

void device_enter_graph(struct device *device, uint64_t graph)
{
    device->graph_launches.running = graph;
}

uint64_t child_running_graph(struct device *device)
{
    struct graph_launches *g = &device->graph_launches;
    return *find_known(g, g->running) ? g->running : 0;
}

uint32_t child_graph(struct device *device, uint64_t graph, uint64_t stream)
{
    enum { INVALID_VALUE = 1 };
    struct graph_launches *g = &device->graph_launches;
    if (!g->running || !*find_known(g, graph) ||
        (stream != STREAM_GRAPH_TAIL && stream != STREAM_GRAPH_NOW && stream != STREAM_GRAPH_SIBLING))
        return INVALID_VALUE;
    struct graph_launch **end = &g->asked;
    while (*end)
        end = &(*end)->next;
    *end = must_calloc(1, sizeof **end);
    **end = (struct graph_launch){ .graph = graph, .is_tail = stream == STREAM_GRAPH_TAIL };
    return 0;
}

bool device_next_graph(struct device *device, uint64_t *graph, bool *is_tail)
{
    struct graph_launch *first = device->graph_launches.asked;
    if (!first)
        return false;
    *graph = first->graph;
    *is_tail = first->is_tail;
    device->graph_launches.asked = first->next;
    free(first);
    return true;
}

void graph_launches_free(struct device *device)
{
    uint64_t graph;
    bool is_tail;
    while (device_next_graph(device, &graph, &is_tail))
        continue;
    while (device->graph_launches.known)
        device_allow_graph(device, device->graph_launches.known->graph, false);
}
