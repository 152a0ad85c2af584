// Blocks that work together: the last one to finish adds up, prefixes are handed from block to block, a queue feeds blocks that stay, two
// blocks play ping-pong, and a barrier of the program's own holds the grid together.
#include "check.h"
#include <numeric>
#include <vector>

__device__ unsigned finished;

__global__ void sum(const float *in, volatile float *partial, float *out, int n)
{
    extern __shared__ float mine[];
    __shared__ bool is_last;
    float total = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        total += in[i];
    mine[threadIdx.x] = total;
    __syncthreads();
    for (unsigned by = blockDim.x / 2; by > 0; by /= 2) {
        if (threadIdx.x < by)
            mine[threadIdx.x] += mine[threadIdx.x + by];
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        partial[blockIdx.x] = mine[0];
        __threadfence();
        is_last = atomicInc(&finished, gridDim.x) == gridDim.x - 1;
    }
    __syncthreads();
    if (is_last && threadIdx.x == 0) {
        float all = 0;
        for (unsigned i = 0; i < gridDim.x; i++)
            all += partial[i];
        *out = all;
        finished = 0;
    }
}

enum { NOTHING, SUM_KNOWN, PREFIX_KNOWN };
struct Descriptor {
    volatile int status, sum, prefix;
};

__global__ void scan(const int *in, int *out, Descriptor *blocks, int *ticket, int n)
{
    __shared__ int me, before, part[256];
    if (threadIdx.x == 0)
        me = atomicAdd(ticket, 1);
    __syncthreads();
    const int block = me, i = block * 256 + (int)threadIdx.x;
    part[threadIdx.x] = i < n ? in[i] : 0;
    __syncthreads();
    for (unsigned by = 1; by < 256; by *= 2) {
        const int left = threadIdx.x >= by ? part[threadIdx.x - by] : 0;
        __syncthreads();
        part[threadIdx.x] += left;
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        int sum_before = 0;
        blocks[block].sum = part[255];
        __threadfence();
        blocks[block].status = SUM_KNOWN;
        for (int j = block - 1; j >= 0; j--) {
            int status;
            while ((status = blocks[j].status) == NOTHING)
                ;
            __threadfence();
            sum_before += status == PREFIX_KNOWN ? blocks[j].prefix : blocks[j].sum;
            if (status == PREFIX_KNOWN)
                break;
        }
        blocks[block].prefix = sum_before + part[255];
        __threadfence();
        blocks[block].status = PREFIX_KNOWN;
        before = sum_before;
    }
    __syncthreads();
    if (i < n)
        out[i] = part[threadIdx.x] + before;
}

__global__ void serve(const int *queue, int *head, int items, int *done)
{
    __shared__ int taken;
    for (;;) {
        if (threadIdx.x == 0)
            taken = atomicAdd(head, 1);
        __syncthreads();
        const int item = taken;
        __syncthreads();
        if (item >= items)
            return;
        for (int k = threadIdx.x; k < queue[item]; k += blockDim.x)
            atomicAdd(&done[item], 1);
    }
}

__global__ void ping_pong(volatile int *ball, int rounds)
{
    for (int i = 0; i < rounds; i++) {
        while (*ball != 2 * i + (int)blockIdx.x)
            ;
        __threadfence();
        *ball = 2 * i + (int)blockIdx.x + 1;
    }
}

__device__ unsigned arrived;
__device__ volatile unsigned turn;

__device__ void all_blocks(unsigned &sense)
{
    __syncthreads();
    if (threadIdx.x == 0) {
        sense ^= 1;
        __threadfence();
        if (atomicAdd(&arrived, 1) == gridDim.x - 1) {
            arrived = 0;
            __threadfence();
            turn = sense;
        } else {
            while (turn != sense)
                ;
        }
        __threadfence();
    }
    __syncthreads();
}

__global__ void relax(float *a, float *b, int n, int steps)
{
    unsigned sense = 0;
    for (int k = 0; k < steps; k++) {
        for (int i = blockIdx.x * blockDim.x + threadIdx.x + 1; i < n - 1; i += gridDim.x * blockDim.x)
            b[i] = 0.5f * (a[i - 1] + a[i + 1]);
        all_blocks(sense);
        float *swap = a;
        a = b;
        b = swap;
    }
}

int main()
{
    enum { N = 5000, ITEMS = 100, CELLS = 200, STEPS = 10 };
    std::vector<float> floats(N);
    std::vector<int> ints(N), prefixes(N), wanted(N), queue(ITEMS), served(ITEMS);
    for (int i = 0; i < N; i++) {
        floats[i] = (float)(i % 5);
        ints[i] = i % 7;
    }
    float *in = on_device(floats.data(), N), *partial = on_device<float>(nullptr, 8), *out = on_device<float>(nullptr, 1), total;
    for (int again = 0; again < 2; again++)
        sum<<<8, 128, 128 * sizeof(float)>>>(in, partial, out, N);
    LAUNCHED();
    to_host(&total, out, 1);
    CHECK(total == 2.0f * N);

    Descriptor *blocks;
    CALL(cudaMalloc(&blocks, 32 * sizeof *blocks));
    CALL(cudaMemset(blocks, 0, 32 * sizeof *blocks));
    int *scanned = on_device<int>(nullptr, N);
    scan<<<(N + 255) / 256, 256>>>(on_device(ints.data(), N), scanned, blocks, on_device<int>(nullptr, 1), N);
    LAUNCHED();
    to_host(prefixes.data(), scanned, N);
    std::partial_sum(ints.begin(), ints.end(), wanted.begin());
    CHECK(prefixes == wanted);

    for (int i = 0; i < ITEMS; i++)
        queue[i] = i * 3 % 50;
    int *done_items = on_device<int>(nullptr, ITEMS), *ball = on_device<int>(nullptr, 1), hits;
    serve<<<4, 32>>>(on_device(queue.data(), ITEMS), on_device<int>(nullptr, 1), ITEMS, done_items);
    LAUNCHED();
    to_host(served.data(), done_items, ITEMS);
    CHECK(served == queue);

    ping_pong<<<2, 1>>>(ball, 10);
    LAUNCHED();
    to_host(&hits, ball, 1);
    CHECK(hits == 20);

    std::vector<float> cells(CELLS, 0.0f), next(CELLS), relaxed(CELLS);
    cells[0] = 100;
    next = cells;
    float *a = on_device(cells.data(), CELLS), *b = on_device(cells.data(), CELLS);
    relax<<<4, 32>>>(a, b, CELLS, STEPS);
    LAUNCHED();
    to_host(relaxed.data(), a, CELLS);
    for (int k = 0; k < STEPS; k++) {
        for (int i = 1; i < CELLS - 1; i++)
            next[i] = 0.5f * (cells[i - 1] + cells[i + 1]);
        std::swap(cells, next);
    }
    CHECK(relaxed == cells);
    return done();
}
