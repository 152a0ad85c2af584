/* Barriers and fences that the compiler keeps memory accesses on their side of.
 *
 * clang 14 takes its barrier instructions for calls that cannot touch a variable whose address is never taken, and so moves reads of
 * __shared__ scalars over them. An assembler statement that claims all memory stops that; it is one statement where that is possible, since
 * two more would weigh on its choice of which loops to unroll. */
#ifndef WARPLINE_DEVICE_BARRIERS_H
#define WARPLINE_DEVICE_BARRIERS_H
#if defined(__CUDA_ARCH__)
#define WARPLINE_KEEP_ORDER __asm__ __volatile__("" ::: "memory")
#else
#define WARPLINE_KEEP_ORDER (void)0
#endif
#define WARPLINE_BARRIER static __device__ __inline__ __attribute__((always_inline))
#if defined(__CUDA_ARCH__)
#define WARPLINE_SINGLE(name, instruction) \
    WARPLINE_BARRIER void warpline_##name() { __asm__ __volatile__(instruction ::: "memory"); }
#else
#define WARPLINE_SINGLE(name, instruction) WARPLINE_BARRIER void warpline_##name() {}
#endif
WARPLINE_SINGLE(syncthreads, "bar.sync 0;")
WARPLINE_SINGLE(threadfence, "membar.gl;")
WARPLINE_SINGLE(threadfence_block, "membar.cta;")
WARPLINE_SINGLE(threadfence_system, "membar.sys;")
#undef WARPLINE_SINGLE
#define WARPLINE_BARRIER_OF(name)                                        \
    WARPLINE_BARRIER int warpline_##name(int predicate)                  \
    {                                                                    \
        WARPLINE_KEEP_ORDER;                                             \
        const int all = __##name(predicate);                             \
        WARPLINE_KEEP_ORDER;                                             \
        return all;                                                      \
    }
WARPLINE_BARRIER_OF(syncthreads_and)
WARPLINE_BARRIER_OF(syncthreads_or)
WARPLINE_BARRIER_OF(syncthreads_count)
#undef WARPLINE_BARRIER_OF
/* Builtins cannot be defined anew, so their names lead here. */
#define __syncthreads() warpline_syncthreads()
#define __syncthreads_and(predicate) warpline_syncthreads_and(predicate)
#define __syncthreads_or(predicate) warpline_syncthreads_or(predicate)
#define __syncthreads_count(predicate) warpline_syncthreads_count(predicate)
#define __threadfence() warpline_threadfence()
#define __threadfence_block() warpline_threadfence_block()
#define __threadfence_system() warpline_threadfence_system()
#endif
