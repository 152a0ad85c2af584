#include "cudamin.h"
extern "C" __global__ void deep_diverge(const int *in, int *out)
{
    int i = GLOBAL_ID, v = in[i], r = 0;
    if (v & 1) {
        r += in[(i + 1) & 1023];
        if (v & 2) {
            for (int k = 0; k < (v & 7); k++) {
                if (k & 1) {
                    r += k;
                    if (v & 8)
                        continue;
                    r ^= 3;
                } else if (r & 4) {
                    r -= k;
                    do {
                        r += 5;
                        v >>= 1;
                    } while (v & 16);
                } else
                    break;
            }
            if (v & 4) {
                if (v & 32)
                    r = -r;
                else {
                    r *= 3;
                    if (v & 64)
                        r++;
                }
            }
        } else {
            switch (v & 12) {
            case 0: r = 1;
            case 4: r += in[(i * 3) & 1023]; break;
            case 8:
                while (v > 100) {
                    v -= 97;
                    if (v & 128)
                        break;
                    r++;
                }
            default: r ^= v;
            }
        }
    } else if (v & 16) {
        int k = 0;
        for (;;) {
            k++;
            if (k * k > (v & 255))
                break;
            if ((k & 3) == 3) {
                r++;
                if (r > 20)
                    goto e;
            }
        }
        r += k;
    }
e:
    out[i] = r;
}
