/* seconds.c - the host's clock, for rates and progress. No simulated number depends on it. */
#include "base/seconds.h"

#include <time.h>

double seconds_now(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}
