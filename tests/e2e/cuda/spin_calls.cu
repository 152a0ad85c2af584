// Locks taken inside called functions: the lane that has the lock returns while the others of its warp still spin in the function, and
// calls others before they come back.
#include "check.h"

__device__ __noinline__ void take(int *lock)
{
    while (atomicCAS(lock, 0, 1) != 0)
        ;
    __threadfence();
}
__device__ __noinline__ bool try_take(int *lock) { return atomicExch(lock, 1) == 0; }
__device__ __noinline__ void give(int *lock)
{
    __threadfence();
    atomicExch(lock, 0);
}
__device__ __noinline__ int collatz(int n)
{
    int steps = 0;
    for (; n != 1; steps++)
        n = n & 1 ? 3 * n + 1 : n / 2;
    return steps;
}
__device__ __noinline__ void take_deep(int *lock, int level)
{
    if (level > 0)
        take_deep(lock, level - 1);
    else
        take(lock);
}

__global__ void in_function(int *lock, volatile int *count)
{
    take(lock);
    *count = *count + 1;
    give(lock);
}
__global__ void tried(int *lock, volatile int *count)
{
    while (!try_take(lock))
        ;
    *count = *count + 1;
    give(lock);
}
/* What the spinning lanes keep in registers over the call must be theirs still when they come back. */
__global__ void kept(int *lock, volatile int *count, int *out)
{
    const int mine = collatz((int)threadIdx.x + 1);
    take(lock);
    *count = *count + collatz((int)threadIdx.x + 2);
    give(lock);
    __syncwarp();
    out[threadIdx.x] = mine + __shfl_sync(0xffffffffu, (int)threadIdx.x, 0);
}
/* Through a recursion, whose depth the simulator does not know. */
__global__ void deep(int *lock, volatile int *count)
{
    if (threadIdx.x % 3 != 1) {
        take_deep(lock, (int)threadIdx.x % 4);
        *count = *count + 1;
        give(lock);
    }
}

static int steps_of(int n)
{
    int steps = 0;
    for (; n != 1; steps++)
        n = n & 1 ? 3 * n + 1 : n / 2;
    return steps;
}

int main()
{
    int *lock = on_device<int>(nullptr, 1), *count = on_device<int>(nullptr, 4), *out = on_device<int>(nullptr, 32), host[32], counts[4];
    in_function<<<2, 64>>>(lock, count);
    LAUNCHED();
    tried<<<2, 64>>>(lock, count + 1);
    LAUNCHED();
    kept<<<1, 32>>>(lock, count + 2, out);
    LAUNCHED();
    deep<<<2, 48>>>(lock, count + 3);
    LAUNCHED();
    to_host(counts, count, 4);
    to_host(host, out, 32);
    int sum = 0;
    for (int i = 0; i < 32; i++) {
        CHECK(host[i] == steps_of(i + 1));
        sum += steps_of(i + 2);
    }
    CHECK(counts[0] == 128 && counts[1] == 128 && counts[2] == sum && counts[3] == 64);
    return done();
}
