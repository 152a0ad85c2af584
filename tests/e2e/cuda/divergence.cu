// Nested branches, loops with break and continue, early exit, short circuits, switch, recursion, calls under divergence.
#include "check.h"
__host__ __device__ inline int collatz(int n)
{
    int steps = 0;
    while (n != 1) {
        n = n % 2 ? 3 * n + 1 : n / 2;
        if (++steps > 200)
            break;
    }
    return steps;
}
__host__ __device__ inline int choose(int t)
{
    switch (t % 9) {
    case 0: return t + 1;
    case 1: return t * 3;
    case 2: t += 5; // fall through
    case 3: return t - 2;
    case 4: return -t;
    case 7: return t ^ 0x55;
    default: return 1000 + t;
    }
}
__host__ __device__ int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
__host__ __device__ inline int work(int t)
{
    int r = 0;
    for (int i = 0; i < 20; i++) {
        if (i == t % 13)
            continue;
        if (i > t % 17 && (t & 1 || i % 3 == 0))
            break;
        if (t % 3 == 0) {
            if (t % 5 == 0)
                r += i * i;
            else if (t % 7 == 0 || i > 10)
                r -= i;
            else
                r += 3;
        } else {
            for (int j = 0; j < t % 4; j++)
                r += j ^ i;
        }
    }
    if (t % 10 == 9)
        return r;
    r += choose(t);
    if (t % 6 == 2)
        r += fibonacci(t % 9);
    return r + collatz(t + 1);
}
__global__ void kernel(int *out, int n)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= n)
        return;
    out[t] = work(t);
}
int main()
{
    const int n = 300;
    static int h[n];
    int *d = on_device<int>(nullptr, n);
    kernel<<<5, 64>>>(d, n);
    LAUNCHED();
    to_host(h, d, n);
    for (int t = 0; t < n; t++)
        CHECK(h[t] == work(t));
    return done();
}
