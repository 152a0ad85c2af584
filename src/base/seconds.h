/* seconds.h - elapsed time for people: on the monotonic clock, which nobody can set back. No simulated value depends on it. */
#ifndef WARPLINE_BASE_SECONDS_H
#define WARPLINE_BASE_SECONDS_H
double seconds_now(void);
#endif
