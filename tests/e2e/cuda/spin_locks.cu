// Locks that the lanes of one warp take from each other, in the shapes that programs have; and what comes after them.
#include "check.h"
__global__ void done_flag(int *lock, int *count)
{
    bool finished = false;
    while (!finished) {
        if (atomicCAS(lock, 0, 1) == 0) {
            *(volatile int *)count = *(volatile int *)count + 1;
            __threadfence();
            atomicExch(lock, 0);
            finished = true;
        }
    }
}
__global__ void exchange(int *lock, int *count)
{
    bool leave = false;
    while (!leave)
        if (atomicExch(lock, 1) == 0) {
            ++*(volatile int *)count;
            leave = true;
            __threadfence();
            atomicExch(lock, 0);
        }
}
/* Hangs on a GPU from before Volta, and in a simulator with a reconvergence stack alone. */
__global__ void plain(int *lock, volatile int *count)
{
    while (atomicCAS(lock, 0, 1) != 0)
        ;
    *count = *count + 1;
    __threadfence();
    atomicExch(lock, 0);
}
/* Lanes take turns in order: each waits for the one before it. */
__global__ void in_turn(volatile int *turn, int *order)
{
    const int me = (int)(31 - threadIdx.x);
    while (*turn != me)
        ;
    order[me] = (int)threadIdx.x;
    __threadfence();
    *turn = me + 1;
}
/* After the lock the warp must be whole again: shuffles, votes and barriers name all lanes. */
__global__ void then_together(int *lock, volatile int *count, int *out)
{
    while (atomicCAS(lock, 0, 1) != 0)
        ;
    const int mine = *count;
    *count = mine + 1;
    __threadfence();
    atomicExch(lock, 0);
    __syncwarp();
    int sum = mine;
    for (int by = 16; by > 0; by /= 2)
        sum += __shfl_xor_sync(0xffffffffu, sum, by);
    const unsigned all = __ballot_sync(0xffffffffu, mine >= 0);
    __syncthreads();
    out[threadIdx.x] = all == 0xffffffffu ? sum : -1;
}
/* A leader that waits for another block while its warp waits at a barrier. */
__global__ void leader(volatile int *flag, int *out)
{
    if (blockIdx.x == 0) {
        if (threadIdx.x == 0)
            while (*flag == 0)
                ;
        __syncthreads();
        out[threadIdx.x] = *flag;
    } else if (threadIdx.x == 0) {
        *flag = 7;
    }
}
int main()
{
    int *lock = on_device<int>(nullptr, 1), *count = on_device<int>(nullptr, 4), *out = on_device<int>(nullptr, 64), host[64];
    done_flag<<<2, 64>>>(lock, count);
    LAUNCHED();
    exchange<<<2, 64>>>(lock, count + 1);
    LAUNCHED();
    plain<<<2, 64>>>(lock, count + 2);
    LAUNCHED();
    to_host(host, count, 3);
    CHECK(host[0] == 128 && host[1] == 128 && host[2] == 128);
    in_turn<<<1, 32>>>(count + 3, out);
    LAUNCHED();
    to_host(host, out, 32);
    for (int i = 0; i < 32; i++)
        CHECK(host[i] == 31 - i);
    CALL(cudaMemset(count, 0, 4));
    then_together<<<1, 32>>>(lock, count, out);
    LAUNCHED();
    to_host(host, out, 32);
    for (int i = 0; i < 32; i++)
        CHECK(host[i] == 31 * 32 / 2);
    CALL(cudaMemset(count, 0, 4));
    leader<<<2, 64>>>(count, out);
    LAUNCHED();
    to_host(host, out, 64);
    for (int i = 0; i < 64; i++)
        CHECK(host[i] == 7);
    return done();
}
