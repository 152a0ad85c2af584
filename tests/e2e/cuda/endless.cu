// options: --max-instructions 20000
// expect-stdout:
// A kernel that never ends: the limit stops it, and what is known is reported.
#include "check.h"
__global__ void forever(volatile int *p) { while (*p == 0) p[1]++; }
int main()
{
    int *d = on_device<int>(nullptr, 2);
    forever<<<1, 32>>>(d);
    LAUNCHED();
    printf("not reached\n");
    return 1;
}
