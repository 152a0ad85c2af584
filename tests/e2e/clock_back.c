/* A clock that is being set back: preloaded, every look at the time of day says an hour less than the look before, from a start
 * given in WARPLINE_CLOCK_START (seconds since 1970). The monotonic clock is left alone, as it is when a real clock is set. */
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static long looks;

static time_t set_back(void)
{
    const char *start = getenv("WARPLINE_CLOCK_START");
    return (time_t)(start ? strtol(start, NULL, 10) : 1000000000) - 3600 * __atomic_fetch_add(&looks, 1, __ATOMIC_RELAXED);
}

int clock_gettime(clockid_t clock, struct timespec *out)
{
    if (clock != CLOCK_REALTIME && clock != CLOCK_REALTIME_COARSE)
        return (int)syscall(SYS_clock_gettime, clock, out);
    *out = (struct timespec){ .tv_sec = set_back() };
    return 0;
}

int gettimeofday(struct timeval *restrict out, void *restrict zone)
{
    (void)zone;
    *out = (struct timeval){ .tv_sec = set_back() };
    return 0;
}

time_t time(time_t *out)
{
    const time_t now = set_back();
    if (out)
        *out = now;
    return now;
}
