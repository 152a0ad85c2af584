// Host code that is undefined and works with nvcc: ints that overflow, a function that forgets to return.
// nvcc: no (g++ takes for granted that ints do not overflow where it sees it)
#include "check.h"
static int overflows(int n) { return n + 100 > n; }
static int forgets(int *p)
{
    if (*p > 3)
        return 1;
    *p += 1;
}
int main(int argc, char **)
{
    volatile int large = 2147483600 + argc;
    CHECK(overflows(large) == 0);
    int n = argc;
    forgets(&n);
    CHECK(n == 2);
    return done();
}
