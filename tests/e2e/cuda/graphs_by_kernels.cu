// Kernels of graphs that launch graphs: beside their own, behind it, and themselves again until a count is reached.
// flags: -rdc=true
#include "check.h"
__device__ int line; // the order in which kernels ran
__device__ int codes[6];
struct launches {
    cudaGraphExec_t beside, behind, last, plain;
};
__global__ void note(int *order, int number) { order[line++] = number; }
__global__ void first(int *order, launches l)
{
    order[line++] = 1;
    codes[0] = cudaGraphLaunch(l.behind, cudaStreamGraphTailLaunch);
    codes[0] |= cudaGraphLaunch(l.last, cudaStreamGraphTailLaunch);
    codes[1] = cudaGraphLaunch(l.beside, cudaStreamGraphFireAndForget);
    codes[2] = cudaGraphLaunch(l.plain, cudaStreamGraphFireAndForget); // not made for the device
    codes[3] = cudaGraphLaunch(l.beside, 0);                           // no stream of these
    codes[4] = cudaGetCurrentGraphExec() == nullptr;                   // the host's graph is not the device's
}
/* Goes before what its own launcher has put behind itself. */
__global__ void again(int *order, int *left)
{
    order[line++] = 100 + *left;
    if (--*left > 0)
        codes[5] |= cudaGraphLaunch(cudaGetCurrentGraphExec(), cudaStreamGraphTailLaunch);
}
__global__ void outside(cudaGraphExec_t exec, int *code) { *code = cudaGraphLaunch(exec, cudaStreamGraphFireAndForget); }

static cudaGraphNode_t add(cudaGraph_t graph, void *kernel, void **values, const cudaGraphNode_t *need)
{
    cudaGraphNode_t node;
    cudaKernelNodeParams p = {};
    p.func = kernel;
    p.gridDim = p.blockDim = dim3(1);
    p.kernelParams = values;
    CALL(cudaGraphAddKernelNode(&node, graph, need, need ? 1 : 0, &p));
    return node;
}
static cudaGraphExec_t made(cudaGraph_t graph, unsigned long long flags)
{
    cudaGraphExec_t exec;
    unsigned long long kept = 99;
    CALL(cudaGraphInstantiate(&exec, graph, flags));
    CALL(cudaGraphExecGetFlags(exec, &kept));
    CHECK(kept == flags);
    if (flags)
        CALL(cudaGraphUpload(exec, 0));
    return exec;
}
static cudaGraph_t fresh()
{
    cudaGraph_t graph;
    CALL(cudaGraphCreate(&graph, 0));
    return graph;
}
static void nothing(void *) {}

int main()
{
    static const int wanted[] = { 1, 20, 2, 103, 102, 101, 30 };
    static int order[16];
    int *o = on_device(order, 16), three = 3, *left = on_device(&three, 1), two = 2, twenty = 20, thirty = 30, got[6];
    void *note2[] = { &o, &two }, *note20[] = { &o, &twenty }, *note30[] = { &o, &thirty }, *again_values[] = { &o, &left };
    const unsigned long long device = cudaGraphInstantiateFlagDeviceLaunch;
    cudaGraph_t beside = fresh(), behind = fresh(), last = fresh(), whole = fresh(), host = fresh();
    add(beside, (void *)note, note20, nullptr);
    add(behind, (void *)again, again_values, nullptr);
    add(last, (void *)note, note30, nullptr);
    launches l = { made(beside, device), made(behind, device), made(last, device), made(beside, 0) };
    void *first_values[] = { &o, &l };
    const cudaGraphNode_t one = add(whole, (void *)first, first_values, nullptr);
    add(whole, (void *)note, note2, &one);
    CALL(cudaGraphLaunch(made(whole, 0), 0));
    LAUNCHED();
    to_host(order, o, 16);
    for (int i = 0; i < 7; i++)
        CHECK(order[i] == wanted[i]);
    CALL(cudaMemcpyFromSymbol(got, codes, sizeof got));
    CHECK(!got[0] && !got[1] && got[2] == cudaErrorInvalidValue && got[3] == cudaErrorInvalidValue && got[4] == 1 && !got[5]);
    outside<<<1, 1>>>(l.beside, o); // of no graph
    LAUNCHED();
    to_host(order, o, 1);
    CHECK(order[0] == cudaErrorInvalidValue);
    cudaGraphNode_t node; // work for the host cannot be launched there
    cudaHostNodeParams work = { nothing, nullptr };
    cudaGraphExec_t exec;
    CALL(cudaGraphAddHostNode(&node, host, nullptr, 0, &work));
    CHECK(cudaGraphInstantiate(&exec, host, device) == cudaErrorNotSupported);
    CALL(cudaGraphExecDestroy(l.beside));
    return done();
}
