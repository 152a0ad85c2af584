#include "cudamin.h"
// loops left by break and continue, and threads that return at three places
extern "C" __global__ void leave_early(const int *in, int *out)
{
    int v = in[GLOBAL_ID], r = v * 3;
    if (v & 1)
        return;
    if ((v & 6) == 2) {
        out[GLOBAL_ID] = r;
        return;
    }
    v &= 255;
    for (int i = 0; i < 40; i++) {
        if ((v + i) % 7 == 0)
            continue;
        if (v * i > 1500)
            break;
        r += in[(v * i) & 4095];
        if (r & 64) {
            r >>= 1;
            if (r > 1000)
                break;
        }
    }
    out[GLOBAL_ID] = r;
}
