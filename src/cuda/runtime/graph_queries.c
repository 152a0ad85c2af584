/* graph_queries.c - what a graph is made of. CUDA 13 gave calls about edges an argument more (data of edges, of which there are
 * none here) under the old names; our headers call them by names that mean one thing in all versions. */
#include "graphs.h"

/* Writes at most *count of them. Without room to write, or afterwards, *count is how many there are. */
struct answer {
    cudaGraphNode_t *room;
    size_t limit, found;
};
static void answer_add(struct answer *a, cudaGraphNode_t node)
{
    if (a->room && a->found < a->limit)
        a->room[a->found] = node;
    a->found++;
}
static cudaError_t answer_end(const struct answer *a, size_t *count)
{
    for (size_t i = a->found; a->room && i < a->limit; i++)
        a->room[i] = NULL;
    *count = a->room && a->limit < a->found ? a->limit : a->found;
    return graph_finish(true);
}

cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *count)
{
    if (!graph || !count)
        return graph_finish(false);
    struct answer a = { nodes, *count, 0 };
    for (size_t i = 0; i < graph->count; i++)
        answer_add(&a, graph->nodes[i]);
    return answer_end(&a, count);
}

cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *count)
{
    if (!graph || !count)
        return graph_finish(false);
    struct answer a = { nodes, *count, 0 };
    for (size_t i = 0; i < graph->count; i++)
        if (graph->nodes[i]->need_count == 0)
            answer_add(&a, graph->nodes[i]);
    return answer_end(&a, count);
}

cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, enum cudaGraphNodeType *type)
{
    if (node && type)
        *type = node->type;
    return graph_finish(node && type);
}

cudaError_t cudaGraphGetEdges_v12(cudaGraph_t graph, cudaGraphNode_t *from, cudaGraphNode_t *to, size_t *count)
{
    if (!graph || !count)
        return graph_finish(false);
    struct answer a = { from, *count, 0 }, b = { to, *count, 0 };
    for (size_t i = 0; i < graph->count; i++)
        for (size_t k = 0; k < graph->nodes[i]->need_count; k++) {
            answer_add(&a, graph->nodes[i]->needs[k]);
            answer_add(&b, graph->nodes[i]);
        }
    (void)answer_end(&a, count);
    return answer_end(&b, count);
}

cudaError_t cudaGraphNodeGetDependencies_v12(cudaGraphNode_t node, cudaGraphNode_t *needs, size_t *count)
{
    if (!node || !count)
        return graph_finish(false);
    struct answer a = { needs, *count, 0 };
    for (size_t i = 0; i < node->need_count; i++)
        answer_add(&a, node->needs[i]);
    return answer_end(&a, count);
}

cudaError_t cudaGraphNodeGetDependentNodes_v12(cudaGraphNode_t node, cudaGraphNode_t *nodes, size_t *count)
{
    if (!node || !count)
        return graph_finish(false);
    struct answer a = { nodes, *count, 0 };
    for (size_t i = 0; i < node->graph->count; i++)
        for (size_t k = 0; k < node->graph->nodes[i]->need_count; k++)
            if (node->graph->nodes[i]->needs[k] == node)
                answer_add(&a, node->graph->nodes[i]);
    return answer_end(&a, count);
}

static bool is_edge(cudaGraphNode_t from, cudaGraphNode_t to)
{
    size_t k = 0;
    while (k < to->need_count && to->needs[k] != from)
        k++;
    return k < to->need_count;
}

/* True when all of these are edges between nodes of this graph (`there`), or all could become edges (not `there`). */
static bool are_edges(cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to, size_t count, bool there)
{
    bool ok = graph && (!count || (from && to));
    for (size_t i = 0; ok && i < count; i++)
        ok = from[i] && to[i] && from[i]->graph == graph && to[i]->graph == graph && from[i] != to[i] &&
             is_edge(from[i], to[i]) == there;
    return ok;
}

cudaError_t cudaGraphAddDependencies_v12(cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to, size_t count)
{
    const bool ok = are_edges(graph, from, to, count, false);
    for (size_t i = 0; ok && i < count; i++)
        graph_add_need(to[i], from[i]);
    return graph_finish(ok);
}

cudaError_t cudaGraphRemoveDependencies_v12(cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to, size_t count)
{
    const bool ok = are_edges(graph, from, to, count, true);
    for (size_t i = 0; ok && i < count; i++)
        graph_drop_need(to[i], from[i]);
    return graph_finish(ok);
}

#undef cudaGraphGetEdges
#undef cudaGraphNodeGetDependencies
#undef cudaGraphNodeGetDependentNodes
#undef cudaGraphAddDependencies
#undef cudaGraphRemoveDependencies
#undef cudaStreamGetCaptureInfo
#if WARPLINE_CUDART_MAJOR >= 13
#define EDGE_DATA , void *data
#define NO_EDGE_DATA (void)data
#else
#define EDGE_DATA
#define NO_EDGE_DATA (void)0
#endif
cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t *from, cudaGraphNode_t *to EDGE_DATA, size_t *count);
cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t *from, cudaGraphNode_t *to EDGE_DATA, size_t *count)
{
    NO_EDGE_DATA;
    return cudaGraphGetEdges_v12(graph, from, to, count);
}
cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t *needs EDGE_DATA, size_t *count);
cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t *needs EDGE_DATA, size_t *count)
{
    NO_EDGE_DATA;
    return cudaGraphNodeGetDependencies_v12(node, needs, count);
}
cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t *nodes EDGE_DATA, size_t *count);
cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t *nodes EDGE_DATA, size_t *count)
{
    NO_EDGE_DATA;
    return cudaGraphNodeGetDependentNodes_v12(node, nodes, count);
}
cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to EDGE_DATA,
                                     size_t count);
cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to EDGE_DATA,
                                     size_t count)
{
    NO_EDGE_DATA;
    return cudaGraphAddDependencies_v12(graph, from, to, count);
}
cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to EDGE_DATA,
                                        size_t count);
cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to EDGE_DATA,
                                        size_t count)
{
    NO_EDGE_DATA;
    return cudaGraphRemoveDependencies_v12(graph, from, to, count);
}

#if WARPLINE_CUDART_MAJOR >= 13
cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, enum cudaStreamCaptureStatus *status, unsigned long long *id,
                                     cudaGraph_t *graph, const cudaGraphNode_t **needs, const void **data, size_t *count);
cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, enum cudaStreamCaptureStatus *status, unsigned long long *id,
                                     cudaGraph_t *graph, const cudaGraphNode_t **needs, const void **data, size_t *count)
{
    if (data)
        *data = NULL;
    return cudaStreamGetCaptureInfo_v2(stream, status, id, graph, needs, count);
}
#else
cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, enum cudaStreamCaptureStatus *status, unsigned long long *id);
cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, enum cudaStreamCaptureStatus *status, unsigned long long *id)
{
    return cudaStreamGetCaptureInfo_v2(stream, status, id, NULL, NULL, NULL);
}
#endif
PER_THREAD(cudaStreamGetCaptureInfo, ptsz)
