#include "cudamin.h"
extern "C" __global__ void hash_insert(const int *keys, int *table, int *steps, int mask)
{
    int k = keys[GLOBAL_ID] | 1, s = 0;
    unsigned h = k * 2654435761u;
    for (;; s++) {
        int old;
        asm volatile("atom.global.cas.b32 %0, [%1], 0, %2;" : "=r"(old) : "l"(table + ((h >> 7) & mask)), "r"(k) : "memory");
        if (old == 0 || old == k)
            break;
        h += 0x9E3779B9u;
    }
    steps[GLOBAL_ID] = s;
}
