#include "cudamin.h"
extern "C" __global__ void bitonic(int *a, int j, int size)
{
    int i = GLOBAL_ID, o = i ^ j;
    if (o > i) {
        int x = a[i], y = a[o];
        if ((x > y) == ((i & size) == 0))
            a[i] = y, a[o] = x;
    }
}
