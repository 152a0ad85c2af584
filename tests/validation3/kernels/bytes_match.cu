#include "cudamin.h"
// bytes compared until they differ, from addresses that are no multiple of anything
extern "C" __global__ void bytes_match(const unsigned char *text, int *out)
{
    int at = GLOBAL_ID * 3, found = 0;
    for (int i = 0; i < 24; i++) {
        int k = 0;
        while (k < 6 && (text[at + i + k] & 3) == (text[k] & 3))
            k++;
        found += k == 6;
    }
    out[GLOBAL_ID] = found;
}
