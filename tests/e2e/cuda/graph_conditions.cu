// Graphs that decide on the device: if with both branches, while, switch, a default value at each launch, a loop in a loop, a condition in
// a captured stream, and nodes of other kinds by the one call for all.
// nvcc-arch: 80
// flags: -rdc=true
#include "check.h"
#define OK(call) CHECK((call) == cudaSuccess)
__global__ void set_to(cudaGraphConditionalHandle handle, const unsigned *value)
{
    cudaGraphSetConditional(handle, *value);
}
__global__ void add(int *counter, int n) { *counter += n; }
__global__ void count_down(cudaGraphConditionalHandle handle, int *left, int *rounds)
{
    ++*rounds;
    cudaGraphSetConditional(handle, --*left > 0);
}
static cudaGraphNode_t kernel_node(cudaGraph_t graph, const void *function, void **arguments, const cudaGraphNode_t *need = nullptr)
{
    cudaGraphNode_t node;
    cudaGraphNodeParams p = { cudaGraphNodeTypeKernel };
    p.kernel.func = (void *)function;
    p.kernel.gridDim.x = p.kernel.gridDim.y = p.kernel.gridDim.z = 1;
    p.kernel.blockDim.x = p.kernel.blockDim.y = p.kernel.blockDim.z = 1;
    p.kernel.kernelParams = arguments;
    OK(cudaGraphAddNode(&node, graph, need, nullptr, need ? 1 : 0, &p));
    return node;
}
static cudaGraph_t *condition_node(cudaGraphNode_t *node, cudaGraph_t graph, cudaGraphConditionalHandle handle, cudaGraphConditionalNodeType type, unsigned size,
                                   const cudaGraphNode_t *needs, size_t count)
{
    cudaGraphNodeParams p = { cudaGraphNodeTypeConditional };
    p.conditional.handle = handle;
    p.conditional.type = type;
    p.conditional.size = size;
    OK(cudaGraphAddNode(node, graph, needs, nullptr, count, &p));
    return p.conditional.phGraph_out;
}
/* What `type` does with each of these values: body i adds 10^i. */
static void branches(cudaGraphConditionalNodeType type, unsigned size, const unsigned *values, const int *wanted, int count)
{
    static int zero = 0;
    int powers[3] = { 1, 10, 100 }, got;
    unsigned first = 0, *value = on_device(&first, 1);
    int *counter = on_device(&zero, 1);
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaGraphConditionalHandle handle;
    cudaGraphNode_t node;
    OK(cudaGraphCreate(&graph, 0));
    OK(cudaGraphConditionalHandleCreate(&handle, graph, 0, 0));
    void *setting[] = { &handle, &value };
    cudaGraphNode_t setter = kernel_node(graph, (const void *)set_to, setting);
    cudaGraph_t *bodies = condition_node(&node, graph, handle, type, size, &setter, 1);
    for (unsigned i = 0; i < size; i++) {
        void *adding[] = { &counter, &powers[i] };
        kernel_node(bodies[i], (const void *)add, adding);
    }
    OK(cudaGraphInstantiate(&exec, graph, 0));
    for (int i = 0; i < count; i++) {
        OK(cudaMemcpy(value, values + i, sizeof *value, cudaMemcpyHostToDevice));
        OK(cudaMemset(counter, 0, sizeof *counter));
        OK(cudaGraphLaunch(exec, 0));
        to_host(&got, counter, 1);
        CHECK(got == wanted[i]);
    }
    OK(cudaGraphExecDestroy(exec));
    OK(cudaGraphDestroy(graph));
}
/* Three times around, in each of which an inner loop goes around twice; both begin anew at the second launch. */
static void loops()
{
    int inner_start = 2, zeros[4] = { 3, 0, 0, 0 }, *words = on_device(zeros, 4), got[4]; // left outside, rounds outside, left inside, rounds inside
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaGraphConditionalHandle outer, inner;
    cudaGraphNode_t node, loop, fill;
    OK(cudaGraphCreate(&graph, 0));
    OK(cudaGraphConditionalHandleCreate(&outer, graph, 1, cudaGraphCondAssignDefault));
    cudaGraph_t body = *condition_node(&loop, graph, outer, cudaGraphCondTypeWhile, 1, nullptr, 0);
    OK(cudaGraphConditionalHandleCreate(&inner, body, 0, 0));
    cudaGraphNodeParams p = { cudaGraphNodeTypeMemset };
    p.memset.dst = words + 2;
    p.memset.value = (unsigned)inner_start;
    p.memset.elementSize = 4;
    p.memset.width = p.memset.height = 1;
    OK(cudaGraphAddNode(&fill, body, nullptr, nullptr, 0, &p));
    unsigned one = 1, *always = on_device(&one, 1);
    void *setting[] = { &inner, &always };
    cudaGraphNode_t setter = kernel_node(body, (const void *)set_to, setting, &fill);
    cudaGraph_t inside = *condition_node(&node, body, inner, cudaGraphCondTypeWhile, 1, &setter, 1);
    int *left = words, *rounds = words + 1, *inner_left = words + 2, *inner_rounds = words + 3;
    void *counting_inside[] = { &inner, &inner_left, &inner_rounds }, *counting[] = { &outer, &left, &rounds };
    kernel_node(inside, (const void *)count_down, counting_inside);
    kernel_node(body, (const void *)count_down, counting, &node);
    OK(cudaGraphInstantiate(&exec, graph, 0));
    for (int i = 1; i <= 2; i++) {
        OK(cudaMemcpy(words, zeros, sizeof(int), cudaMemcpyHostToDevice));
        OK(cudaGraphLaunch(exec, 0));
        to_host(got, words, 4);
        CHECK(got[0] == 0 && got[1] == 3 * i && got[2] == 0 && got[3] == 6 * i);
    }
    OK(cudaGraphExecDestroy(exec));
    OK(cudaGraphDestroy(graph));
}
/* The loop stands between two kernels of a stream that captures; its body is captured too. */
static void captured()
{
    int words[3] = { 4, 0, 0 }, *d = on_device(words, 3);
    cudaStream_t stream, other;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaGraphConditionalHandle handle;
    cudaGraphNode_t node;
    cudaStreamCaptureStatus status;
    const cudaGraphNode_t *needs;
    size_t count;
    OK(cudaStreamCreate(&stream));
    OK(cudaStreamCreate(&other));
    OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    OK(cudaStreamGetCaptureInfo(stream, &status, nullptr, &graph, &needs, nullptr, &count));
    OK(cudaGraphConditionalHandleCreate(&handle, graph, 0, 0));
    count_down<<<1, 1, 0, stream>>>(handle, d, d + 1);
    OK(cudaStreamGetCaptureInfo(stream, &status, nullptr, &graph, &needs, nullptr, &count));
    CHECK(count == 1);
    cudaGraph_t body = *condition_node(&node, graph, handle, cudaGraphCondTypeWhile, 1, needs, count);
    OK(cudaStreamUpdateCaptureDependencies(stream, &node, nullptr, 1, cudaStreamSetCaptureDependencies));
    add<<<1, 1, 0, stream>>>(d + 2, 5);
    OK(cudaStreamEndCapture(stream, &graph));
    OK(cudaStreamBeginCaptureToGraph(other, body, nullptr, nullptr, 0, cudaStreamCaptureModeGlobal));
    count_down<<<1, 1, 0, other>>>(handle, d, d + 1);
    OK(cudaStreamEndCapture(other, nullptr));
    OK(cudaGraphInstantiate(&exec, graph, 0));
    OK(cudaGraphLaunch(exec, stream));
    OK(cudaStreamSynchronize(stream));
    to_host(words, d, 3);
    CHECK(words[0] == 0 && words[1] == 4 && words[2] == 5);
}
static void refusals()
{
    cudaGraph_t graph;
    cudaGraphNode_t node;
    cudaGraphConditionalHandle handle;
    OK(cudaGraphCreate(&graph, 0));
    OK(cudaGraphConditionalHandleCreate(&handle, graph, 0, 0));
    cudaGraphNodeParams p = { cudaGraphNodeTypeConditional };
    p.conditional.handle = handle;
    p.conditional.type = cudaGraphCondTypeWhile;
    p.conditional.size = 2;
    CHECK(cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &p) == cudaErrorInvalidValue);
    p.conditional.type = cudaGraphCondTypeIf;
    p.conditional.size = 0;
    CHECK(cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &p) == cudaErrorInvalidValue);
    CHECK(cudaGetLastError() == cudaErrorInvalidValue);
    OK(cudaGraphDestroy(graph));
}
int main()
{
    const unsigned values[] = { 0, 1, 2, 7 };
    const int if_else[] = { 10, 1, 1, 1 }, if_alone[] = { 0, 1, 1, 1 }, switched[] = { 1, 10, 100, 0 };
    branches(cudaGraphCondTypeIf, 2, values, if_else, 4);
    branches(cudaGraphCondTypeIf, 1, values, if_alone, 4);
    branches(cudaGraphCondTypeSwitch, 3, values, switched, 4);
    loops();
    captured();
    refusals();
    return done();
}
