// expect-stdout: thread 3: -7 4000000000 2.50 abc 0x1f 100%
// printf in kernels: types, widths, strings, in the order of the threads of a warp.
#include "check.h"
__global__ void say(const char *unused, double d)
{
    (void)unused;
    if (threadIdx.x == 3)
        printf("thread %d: %d %u %.2f %s %#x %d%%\n", threadIdx.x, -7, 4000000000u, d, "abc", 31, 100);
    printf("%lld %c\n", (long long)threadIdx.x << 33, 'a' + threadIdx.x);
}
int main()
{
    say<<<1, 4>>>(nullptr, 2.5);
    LAUNCHED();
    return done();
}
