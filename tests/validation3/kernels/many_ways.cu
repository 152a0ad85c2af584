#include "cudamin.h"
// a switch of eight ways in a loop: lanes take all of them
extern "C" __global__ void many_ways(const int *in, int *out)
{
    int v = in[GLOBAL_ID], r = 0;
    for (int i = 0; i < 8; i++) {
        switch ((v >> i) & 7) {
        case 0: r += 3; break;
        case 1: r ^= v; break;
        case 2: r *= 5; break;
        case 3: r += in[r & 1023]; break;
        case 4: r -= i; break;
        case 5: r = r << 1; break;
        case 6: r |= 1; break;
        default: r = ~r;
        }
    }
    out[GLOBAL_ID] = r;
}
