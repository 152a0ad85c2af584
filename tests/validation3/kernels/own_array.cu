#include "cudamin.h"
// an array of each thread's own, read at places that come from it
extern "C" __global__ void own_array(const int *in, int *out)
{
    int own[32], at = threadIdx.x & 31, sum = 0;
    for (int i = 0; i < 32; i++)
        own[i] = in[(GLOBAL_ID + i * 7) & 4095] & 31;
    for (int i = 0; i < 20; i++) {
        at = own[at];
        sum += at;
        own[(at + i) & 31] = sum & 31;
    }
    out[GLOBAL_ID] = sum;
}
