/* Copies into shared memory that go on by themselves until they are waited for: cp.async of 4, 8 or 16 bytes. */
#ifndef WARPLINE_CUDA_PIPELINE_PRIMITIVES_H
#define WARPLINE_CUDA_PIPELINE_PRIMITIVES_H
#include "cuda_runtime.h"

static __device__ __forceinline__ void __pipeline_memcpy_async(void *__restrict__ to, const void *__restrict__ from, size_t bytes, size_t zeros = 0)
{
    const unsigned shared = (unsigned)__cvta_generic_to_shared(to);
    const size_t global = __cvta_generic_to_global(from);
    const unsigned taken = (unsigned)(bytes - zeros); /* the rest is filled with zeros */
    if (bytes == 4)
        asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" : : "r"(shared), "l"(global), "r"(taken) : "memory");
    else if (bytes == 8)
        asm volatile("cp.async.ca.shared.global [%0], [%1], 8, %2;" : : "r"(shared), "l"(global), "r"(taken) : "memory");
    else if (bytes == 16)
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" : : "r"(shared), "l"(global), "r"(taken) : "memory");
    else
        __trap();
}
static __device__ __forceinline__ void __pipeline_commit() { asm volatile("cp.async.commit_group;" : : : "memory"); }
/* Until at most so many of the last groups are on their way. */
static __device__ __forceinline__ void __pipeline_wait_prior(size_t groups)
{
    switch (groups) { /* the instruction takes a constant */
    case 0: asm volatile("cp.async.wait_group 0;" : : : "memory"); break;
    case 1: asm volatile("cp.async.wait_group 1;" : : : "memory"); break;
    case 2: asm volatile("cp.async.wait_group 2;" : : : "memory"); break;
    case 3: asm volatile("cp.async.wait_group 3;" : : : "memory"); break;
    case 4: asm volatile("cp.async.wait_group 4;" : : : "memory"); break;
    default: asm volatile("cp.async.wait_all;" : : : "memory"); /* earlier than asked for, never later */
    }
}
#endif
