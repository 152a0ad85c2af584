// Graphs: captured from one stream and from two, built node by node, cloned, changed, nested; and captures that fail.
#include "check.h"
enum { N = 1000 };
__device__ float factor = 2;
__global__ void add(float *a, float v, int n)
{
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n)
        a[i] += v;
}
__global__ void scale(float *a, int n)
{
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n)
        a[i] *= factor;
}
static void count_up(void *counter) { ++*(int *)counter; }
static float h[N], o[N], *d;
static cudaStream_t s, other;

static void captured_work_is_done_at_each_launch()
{
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    int count = 0;
    size_t nodes;
    CALL(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    CALL(cudaMemcpyAsync(d, h, sizeof h, cudaMemcpyHostToDevice, s));
    for (float v = 1; v < 4; v++) { // the value at the time of the call counts
        add<<<8, 128, 0, s>>>(d, v, N);
        scale<<<8, 128, 0, s>>>(d, N);
    }
    CALL(cudaMemcpyAsync(o, d, sizeof o, cudaMemcpyDeviceToHost, s));
    CALL(cudaLaunchHostFunc(s, count_up, &count));
    CALL(cudaStreamEndCapture(s, &graph));
    CHECK(o[5] == 0 && count == 0);
    CALL(cudaGraphGetNodes(graph, nullptr, &nodes));
    CHECK(nodes == 9);
    CALL(cudaGraphInstantiate(&exec, graph, nullptr, nullptr, 0));
    CALL(cudaGraphDestroy(graph));
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < N; i++)
            h[i] = (float)(i + round);
        CALL(cudaGraphLaunch(exec, s));
        CALL(cudaStreamSynchronize(s));
        for (int i = 0; i < N; i++)
            CHECK(o[i] == (((h[i] + 1) * 2 + 2) * 2 + 3) * 2);
    }
    CHECK(count == 3);
    CALL(cudaGraphExecDestroy(exec));
}

static void other_streams_join_by_events()
{
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaEvent_t fork, meet;
    cudaStreamCaptureStatus status;
    size_t edges, roots;
    CALL(cudaEventCreate(&fork));
    CALL(cudaEventCreate(&meet));
    CALL(cudaStreamBeginCapture(s, cudaStreamCaptureModeThreadLocal));
    CALL(cudaMemsetAsync(d, 0, sizeof h, s));
    CALL(cudaEventRecord(fork, s));
    CALL(cudaStreamWaitEvent(other, fork, 0));
    CALL(cudaStreamIsCapturing(other, &status));
    CHECK(status == cudaStreamCaptureStatusActive);
    add<<<8, 128, 0, other>>>(d, 4, N / 2);
    add<<<8, 128, 0, s>>>(d + N / 2, 6, N / 2);
    CALL(cudaEventRecord(meet, other));
    CALL(cudaStreamWaitEvent(s, meet, 0));
    scale<<<8, 128, 0, s>>>(d, N);
    CALL(cudaStreamEndCapture(s, &graph));
    CALL(cudaStreamIsCapturing(other, &status));
    CHECK(status == cudaStreamCaptureStatusNone);
#if CUDART_VERSION >= 13000
    CALL(cudaGraphGetEdges(graph, nullptr, nullptr, nullptr, &edges));
#else
    CALL(cudaGraphGetEdges(graph, nullptr, nullptr, &edges));
#endif
    CALL(cudaGraphGetRootNodes(graph, nullptr, &roots));
    CHECK(edges == 4 && roots == 1);
    CALL(cudaGraphInstantiateWithFlags(&exec, graph, 0));
    CALL(cudaGraphLaunch(exec, 0));
    to_host(o, d, N);
    for (int i = 0; i < N; i++)
        CHECK(o[i] == (i < N / 2 ? 8 : 12));
}

static void nodes_are_added_changed_and_cloned()
{
    cudaGraph_t graph, clone, outer;
    cudaGraphExec_t exec, of_clone, of_outer;
    cudaGraphNode_t in, kernel, out, host, set, symbol, inner;
    int n = N, count = 0;
    float v = 3, doubled = 5;
    CALL(cudaGraphCreate(&graph, 0));
    cudaMemcpy3DParms box = {};
    box.srcPtr = make_cudaPitchedPtr(h, sizeof h, N, 1);
    box.dstPtr = make_cudaPitchedPtr(d, sizeof h, N, 1);
    box.extent = make_cudaExtent(sizeof h, 1, 1);
    box.kind = cudaMemcpyHostToDevice;
    CALL(cudaGraphAddMemcpyNode1D(&out, graph, nullptr, 0, o, d, sizeof o, cudaMemcpyDeviceToHost)); // before what it needs
    CALL(cudaGraphAddMemcpyNode(&in, graph, nullptr, 0, &box));
    void *args[] = { &d, &v, &n };
    cudaKernelNodeParams work = {};
    work.func = (void *)add;
    work.gridDim = dim3(8);
    work.blockDim = dim3(128);
    work.kernelParams = args;
    CALL(cudaGraphAddKernelNode(&kernel, graph, &in, 1, &work));
    v = 99; // too late
#if CUDART_VERSION >= 13000
    CALL(cudaGraphAddDependencies(graph, &kernel, &out, nullptr, 1));
#else
    CALL(cudaGraphAddDependencies(graph, &kernel, &out, 1));
#endif
    cudaHostNodeParams up = {};
    up.fn = count_up;
    up.userData = &count;
    CALL(cudaGraphAddHostNode(&host, graph, &out, 1, &up));
    cudaMemsetParams fill = {};
    fill.dst = d;
    fill.value = 0x40a00000; // 5.0f
    fill.elementSize = 4;
    fill.width = 10;
    fill.height = 1;
    CALL(cudaGraphAddMemsetNode(&set, graph, &out, 1, &fill));
    CALL(cudaGraphAddMemcpyNodeToSymbol(&symbol, graph, &host, 1, factor, &doubled, sizeof(float), 0, cudaMemcpyHostToDevice));
    CALL(cudaGraphClone(&clone, graph));
    CALL(cudaGraphInstantiate(&exec, graph, 0));
    CALL(cudaGraphInstantiate(&of_clone, clone, 0));
    CALL(cudaGraphLaunch(exec, s));
    CALL(cudaGraphLaunch(of_clone, s));
    float first[11], now;
    to_host(first, d, 11);
    CALL(cudaMemcpyFromSymbol(&now, factor, sizeof now));
    CHECK(count == 2 && now == 5 && first[9] == 5 && first[10] == h[10] + 3 && o[N - 1] == h[N - 1] + 3);
    v = 7;
    CALL(cudaGraphExecKernelNodeSetParams(exec, kernel, &work));
    CALL(cudaGraphCreate(&outer, 0));
    CALL(cudaGraphAddChildGraphNode(&inner, outer, nullptr, 0, graph)); // the graph's value is still 3
    CALL(cudaGraphInstantiate(&of_outer, outer, 0));
    CALL(cudaGraphLaunch(exec, s));
    CHECK(o[1] == h[1] + 7);
    CALL(cudaGraphLaunch(of_outer, s));
    CHECK(o[1] == h[1] + 3 && count == 4);
    CALL(cudaGraphKernelNodeSetParams(kernel, &work));
    cudaGraphExecUpdateResultInfo info;
    CALL(cudaGraphExecUpdate(of_clone, graph, &info));
    CALL(cudaGraphLaunch(of_clone, s));
    CHECK(o[1] == h[1] + 7);
    CALL(cudaGraphDestroyNode(symbol));
    CHECK(cudaGraphExecUpdate(of_clone, graph, &info) == cudaErrorGraphExecUpdateFailure);
    CHECK(info.result == cudaGraphExecUpdateErrorTopologyChanged);
}

static void captures_that_fail()
{
    cudaGraph_t graph;
    cudaEvent_t event;
    CALL(cudaEventCreate(&event));
    CHECK(cudaStreamBeginCapture(0, cudaStreamCaptureModeGlobal) == cudaErrorStreamCaptureUnsupported);
    CHECK(cudaStreamEndCapture(s, &graph) != cudaSuccess);
    CALL(cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed));
    CHECK(cudaStreamSynchronize(s) == cudaErrorStreamCaptureUnsupported);
    // from then on everything in it fails
    CHECK(cudaStreamSynchronize(s) == cudaErrorStreamCaptureInvalidated);
    CHECK(cudaMemsetAsync(d, 0, 4, s) == cudaErrorStreamCaptureInvalidated);
    CHECK(cudaEventRecord(event, s) == cudaErrorStreamCaptureInvalidated);
    (void)cudaGetLastError();
    add<<<1, 1, 0, s>>>(d, 1, 1);
    CHECK(cudaGetLastError() == cudaErrorStreamCaptureInvalidated);
    CHECK(cudaStreamEndCapture(s, &graph) == cudaErrorStreamCaptureInvalidated && !graph);
    CALL(cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed));
    CALL(cudaEventRecord(event, s));
    CHECK(cudaEventQuery(event) == cudaErrorCapturedEvent);
    CALL(cudaStreamWaitEvent(other, event, 0));
    add<<<1, 1, 0, other>>>(d, 1, 1);
    CHECK(cudaStreamEndCapture(s, &graph) == cudaErrorStreamCaptureUnjoined);
    (void)cudaGetLastError();
    CALL(cudaStreamSynchronize(s));
    CHECK(cudaEventSynchronize(event) == cudaErrorCapturedEvent); // until it is recorded anew
    CALL(cudaEventRecord(event, s));
    CALL(cudaEventSynchronize(event));
}

// CUDA 13 has an argument more, for data of edges.
static cudaError_t add_edge(cudaGraph_t graph, cudaGraphNode_t from, cudaGraphNode_t to)
{
#if CUDART_VERSION >= 13000
    return cudaGraphAddDependencies(graph, &from, &to, nullptr, 1);
#else
    return cudaGraphAddDependencies(graph, &from, &to, 1);
#endif
}
static cudaError_t remove_edge(cudaGraph_t graph, cudaGraphNode_t from, cudaGraphNode_t to)
{
#if CUDART_VERSION >= 13000
    return cudaGraphRemoveDependencies(graph, &from, &to, nullptr, 1);
#else
    return cudaGraphRemoveDependencies(graph, &from, &to, 1);
#endif
}

static void nodes_keep_their_places_when_one_goes()
{
    cudaGraph_t graph;
    cudaGraphNode_t node[4];
    cudaGraphExec_t exec;
    int count = 0;
    cudaHostNodeParams up = {};
    up.fn = count_up;
    up.userData = &count;
    CALL(cudaGraphCreate(&graph, 0));
    for (int i = 0; i < 4; i++)
        CALL(cudaGraphAddHostNode(&node[i], graph, i ? &node[i - 1] : nullptr, i ? 1 : 0, &up));
    CALL(cudaGraphDestroyNode(node[1]));
    CALL(cudaGraphInstantiate(&exec, graph, 0));
    CALL(cudaGraphLaunch(exec, s));
    CHECK(count == 3);
}

static void waiting_twice_is_waiting_once()
{
    cudaGraph_t graph;
    cudaEvent_t event;
    cudaStreamCaptureStatus status;
    size_t needs = 0;
    CALL(cudaEventCreate(&event));
    CALL(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    CALL(cudaMemsetAsync(d, 0, 4, s));
    CALL(cudaEventRecord(event, s));
    CALL(cudaStreamWaitEvent(other, event, 0));
    CALL(cudaStreamWaitEvent(other, event, 0));
#if CUDART_VERSION >= 13000
    CALL(cudaStreamGetCaptureInfo(other, &status, nullptr, nullptr, nullptr, nullptr, &needs));
#else
    CALL(cudaStreamGetCaptureInfo_v2(other, &status, nullptr, nullptr, nullptr, &needs));
#endif
    CHECK(status == cudaStreamCaptureStatusActive && needs == 1);
    CALL(cudaStreamEndCapture(s, &graph));
}

static void edges_are_added_and_removed_once()
{
    cudaGraph_t graph;
    cudaGraphNode_t a, b, c, none;
    cudaGraphExec_t exec;
    cudaGraphExecUpdateResultInfo info;
    CALL(cudaGraphCreate(&graph, 0));
    CALL(cudaGraphAddEmptyNode(&a, graph, nullptr, 0));
    CALL(cudaGraphAddEmptyNode(&b, graph, &a, 1));
    CALL(cudaGraphAddEmptyNode(&c, graph, &b, 1));
    const cudaGraphNode_t twice[] = { a, a };
    CHECK(cudaGraphAddEmptyNode(&none, graph, twice, 2) == cudaErrorInvalidValue);
    CHECK(add_edge(graph, a, b) == cudaErrorInvalidValue);
    CHECK(remove_edge(graph, a, c) == cudaErrorInvalidValue);
    CHECK(remove_edge(graph, nullptr, c) == cudaErrorInvalidValue);
    CALL(cudaGraphInstantiate(&exec, graph, 0));
    CALL(cudaGraphExecUpdate(exec, graph, &info));
    CALL(remove_edge(graph, b, c));
    CALL(add_edge(graph, a, c)); // as many nodes and needs as before, and another shape
    CHECK(cudaGraphExecUpdate(exec, graph, &info) == cudaErrorGraphExecUpdateFailure);
    CHECK(info.result == cudaGraphExecUpdateErrorTopologyChanged && cudaGetLastError() == cudaErrorGraphExecUpdateFailure);
    CALL(add_edge(graph, c, a)); // a circle
    CHECK(cudaGraphInstantiate(&exec, graph, 0) == cudaErrorInvalidValue);
    (void)cudaGetLastError();
}

static void rows_of_small_elements_and_nodes_that_rest()
{
    cudaGraph_t graph;
    cudaGraphNode_t set, count_node;
    cudaGraphExec_t exec;
    cudaGraphExecUpdateResultInfo info;
    int count = 0;
    unsigned short read[64];
    cudaMemsetParams fill = {};
    fill.dst = d;
    fill.value = 0x1234;
    fill.elementSize = 2;
    fill.width = 5;
    fill.height = 2;
    fill.pitch = 64;
    cudaHostNodeParams up = {};
    up.fn = count_up;
    up.userData = &count;
    CALL(cudaGraphCreate(&graph, 0));
    CALL(cudaGraphAddMemsetNode(&set, graph, nullptr, 0, &fill));
    CALL(cudaGraphAddHostNode(&count_node, graph, &set, 1, &up));
    CALL(cudaGraphInstantiate(&exec, graph, 0));
    CALL(cudaMemset(d, 0, 128));
    CALL(cudaGraphLaunch(exec, s));
    CALL(cudaMemcpy(read, d, sizeof read, cudaMemcpyDeviceToHost));
    CHECK(read[4] == 0x1234 && read[5] == 0 && read[31] == 0 && read[32] == 0x1234 && read[36] == 0x1234 && read[37] == 0);
    CALL(cudaGraphNodeSetEnabled(exec, set, 0));
    CALL(cudaGraphExecUpdate(exec, graph, &info)); // does not wake it
    CALL(cudaMemset(d, 0, 128));
    CALL(cudaGraphLaunch(exec, s));
    CALL(cudaMemcpy(read, d, sizeof read, cudaMemcpyDeviceToHost));
    CHECK(read[0] == 0 && count == 2);
    cudaGraph_t again; // of the same shape: the nodes of the first graph still name those of the executable one
    cudaGraphNode_t other_set, other_count;
    CALL(cudaGraphCreate(&again, 0));
    CALL(cudaGraphAddMemsetNode(&other_set, again, nullptr, 0, &fill));
    CALL(cudaGraphAddHostNode(&other_count, again, &other_set, 1, &up));
    CALL(cudaGraphExecUpdate(exec, again, &info));
    CALL(cudaGraphNodeSetEnabled(exec, set, 1));
    CALL(cudaGraphLaunch(exec, s));
    CALL(cudaMemcpy(read, d, sizeof read, cudaMemcpyDeviceToHost));
    CHECK(read[0] == 0x1234 && count == 3);
    fill.elementSize = 4;
    fill.width = (size_t)-1 / 4;
    CALL(cudaGraphMemsetNodeSetParams(set, &fill));
    CALL(cudaGraphInstantiate(&exec, graph, 0));
    CHECK(cudaGraphLaunch(exec, s) == cudaErrorInvalidValue); // more than there is: nothing is asked of the host for it
    fill.width++;
    CHECK(cudaGraphMemsetNodeSetParams(set, &fill) == cudaErrorInvalidValue);
    (void)cudaGetLastError();
}

// Memory that a graph allocates lies at the same place at each launch; it counts as used from its node to the one that frees it.
__global__ void threes(int *p, int n)
{
    if ((int)threadIdx.x < n)
        p[threadIdx.x] = (int)threadIdx.x * 3;
}
static void graphs_allocate_and_free()
{
    cudaGraph_t graph, captured;
    cudaGraphExec_t exec;
    cudaGraphNode_t take, fill, copy, give;
    struct cudaMemAllocNodeParams wanted = {}, got = {};
    void *pointer = nullptr, *held = nullptr;
    unsigned long long used = 1;
    int read[16] = {};
    CALL(cudaGraphCreate(&graph, 0));
    wanted.poolProps.allocType = cudaMemAllocationTypePinned;
    wanted.poolProps.location.type = cudaMemLocationTypeDevice;
    wanted.bytesize = sizeof read;
    CALL(cudaGraphAddMemAllocNode(&take, graph, nullptr, 0, &wanted));
    int n = 16;
    void *args[] = { &wanted.dptr, &n };
    cudaKernelNodeParams kernel = {};
    kernel.func = (void *)threes, kernel.gridDim = dim3(1), kernel.blockDim = dim3(32), kernel.kernelParams = args;
    CALL(cudaGraphAddKernelNode(&fill, graph, &take, 1, &kernel));
    CALL(cudaGraphAddMemcpyNode1D(&copy, graph, &fill, 1, read, wanted.dptr, sizeof read, cudaMemcpyDeviceToHost));
    CALL(cudaGraphAddMemFreeNode(&give, graph, &copy, 1, wanted.dptr));
    CALL(cudaGraphMemAllocNodeGetParams(take, &got));
    CALL(cudaGraphMemFreeNodeGetParams(give, &pointer));
    CHECK(got.dptr == wanted.dptr && got.bytesize == sizeof read && pointer == wanted.dptr);
    CHECK(cudaGraphAddMemFreeNode(&give, graph, &copy, 1, d) == cudaErrorInvalidValue); // not a graph's
    (void)cudaGetLastError();
    CALL(cudaGraphInstantiate(&exec, graph, 0));
    for (int round = 0; round < 2; round++) {
        read[5] = 0;
        CALL(cudaGraphLaunch(exec, s));
        CALL(cudaStreamSynchronize(s));
        CHECK(read[5] == 15 && read[15] == 45);
    }
    CALL(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrUsedMemCurrent, &used));
    CHECK(used == 0);
    // captured, and freed by the program
    CALL(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    CALL(cudaMallocAsync(&held, sizeof read, s));
    threes<<<1, 32, 0, s>>>((int *)held, 16);
    CALL(cudaStreamEndCapture(s, &captured));
    CALL(cudaGraphInstantiate(&exec, captured, 0));
    for (int round = 0; round < 2; round++) {
        CALL(cudaGraphLaunch(exec, s));
        CALL(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrUsedMemCurrent, &used));
        CALL(cudaMemcpy(read, held, sizeof read, cudaMemcpyDeviceToHost));
        CHECK(used == sizeof read && read[4] == 12);
        CALL(cudaFree(held));
    }
    CALL(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrUsedMemCurrent, &used));
    CALL(cudaDeviceGraphMemTrim(0));
    CHECK(used == 0);
}

int main()
{
    d = on_device<float>(nullptr, N);
    CALL(cudaStreamCreate(&s));
    CALL(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
    captured_work_is_done_at_each_launch();
    other_streams_join_by_events();
    nodes_are_added_changed_and_cloned();
    captures_that_fail();
    nodes_keep_their_places_when_one_goes();
    waiting_twice_is_waiting_once();
    edges_are_added_and_removed_once();
    rows_of_small_elements_and_nodes_that_rest();
    graphs_allocate_and_free();
    return done();
}
