#include "cudamin.h"
extern "C" __global__ void cas_lock(int *lock, int *data, int rounds)
{
    if ((threadIdx.x & 31) == 0)
        for (int k = 0; k < rounds; k++) {
            int *l = lock + ((blockIdx.x + k) & 3) * 32;
            int old = 1;
            while (old)
                asm volatile("atom.global.cas.b32 %0, [%1], 0, 1;" : "=r"(old) : "l"(l) : "memory");
            volatile int *d = data + ((blockIdx.x + k) & 3) * 32;
            *d = *d + 1;
            __nvvm_membar_gl();
            asm volatile("atom.global.exch.b32 %0, [%1], 0;" : "=r"(old) : "l"(l) : "memory");
        }
}
