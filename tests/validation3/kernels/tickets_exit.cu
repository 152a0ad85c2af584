#include "cudamin.h"
extern "C" __global__ void tickets_exit(int *head, const int *work, int *out, int n)
{
    int me = GLOBAL_ID, s = 0;
    if ((me & 7) == 5)
        return;
    for (;;) {
        int t = __nvvm_atom_add_gen_i(head + (me & 3) * 64, 1);
        if (t >= n)
            break;
        int v = work[(t * 4 + (me & 3)) & 4095];
        s += v;
        if ((v & 31) == 3)
            return;
        if (v & 64)
            __nvvm_atom_max_gen_i(head + 256 + (v & 15), s);
    }
    out[me] = s;
}
