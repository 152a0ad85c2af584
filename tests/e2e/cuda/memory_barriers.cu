// cuda::barrier and cuda::pipeline as programs use them: tokens, copies that a barrier tells of, dropped threads, and warps that
// produce while others consume. nvcc makes mbarrier instructions of it, our headers words that threads poll.
// nvcc-arch: 80
#include "check.h"
#include <cooperative_groups.h>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <utility>
typedef cuda::barrier<cuda::thread_scope_block> block_barrier;
enum { THREADS = 128, ROUNDS = 6, STAGES = 2, TILE = 96 };
__global__ void reversed(const int *in, int *out)
{
    __shared__ block_barrier bar;
    __shared__ int tile[THREADS];
    cooperative_groups::thread_block block = cooperative_groups::this_thread_block();
    const int t = (int)threadIdx.x;
    if (t == 0)
        init(&bar, THREADS);
    block.sync();
    int sum = 0;
    for (int r = 0; r < ROUNDS; r++) {
        cuda::memcpy_async(block, tile, in + r * THREADS, sizeof tile, bar);
        bar.arrive_and_wait();
        sum = sum * 3 + tile[THREADS - 1 - t];
        block_barrier::arrival_token token = bar.arrive();
        bar.wait(std::move(token));
    }
    out[t] = sum;
    if (t < 32) { /* the first warp leaves; the others go on without it */
        bar.arrive_and_drop();
        return;
    }
    bar.arrive_and_wait();
    tile[t] = t;
    bar.arrive_and_wait();
    out[t] += tile[t == THREADS - 1 ? 32 : t + 1];
}
__global__ void produced(const int *in, int *out)
{
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, STAGES> shared;
    __shared__ int tile[STAGES][TILE];
    cooperative_groups::thread_block block = cooperative_groups::this_thread_block();
    const int t = (int)threadIdx.x;
    const cuda::pipeline_role role = t < 32 ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer;
    cuda::pipeline<cuda::thread_scope_block> pipe = cuda::make_pipeline(block, &shared, role);
    if (role == cuda::pipeline_role::producer) {
        for (int r = 0; r < ROUNDS; r++) {
            pipe.producer_acquire();
            for (int i = t; i < TILE; i += 32)
                cuda::memcpy_async(&tile[r % STAGES][i], in + r * TILE + i, cuda::aligned_size_t<4>(sizeof(int)), pipe);
            pipe.producer_commit();
        }
    } else {
        int sum = 0;
        for (int r = 0; r < ROUNDS; r++) {
            pipe.consumer_wait();
            sum = sum * 3 + tile[r % STAGES][THREADS - 1 - t];
            pipe.consumer_release();
        }
        out[t] = sum;
    }
}
int main()
{
    static int in[ROUNDS * THREADS], out[THREADS], second[THREADS];
    for (int i = 0; i < ROUNDS * THREADS; i++)
        in[i] = (i * 7919) % 1009;
    int *d = on_device(in, ROUNDS * THREADS), *o = on_device<int>(nullptr, THREADS), *p = on_device<int>(nullptr, THREADS);
    reversed<<<1, THREADS>>>(d, o);
    LAUNCHED();
    produced<<<1, THREADS>>>(d, p);
    LAUNCHED();
    to_host(out, o, THREADS);
    to_host(second, p, THREADS);
    for (int t = 0; t < THREADS; t++) {
        int sum = 0, other = 0;
        for (int r = 0; r < ROUNDS; r++) {
            sum = sum * 3 + in[r * THREADS + THREADS - 1 - t];
            other = other * 3 + (t < 32 ? 0 : in[r * TILE + THREADS - 1 - t]);
        }
        CHECK(out[t] == sum + (t < 32 ? 0 : t == THREADS - 1 ? 32 : t + 1));
        CHECK(second[t] == other || t < 32);
    }
    return done();
}
