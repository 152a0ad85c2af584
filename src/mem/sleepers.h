/* sleepers.h - who is to be visited: a list of components of one kind, each awake or asleep until a time.
 *
 * A component is awake when its bit is set: by one of its ports (mem/port.h), or by its time. After its visit it says when it
 * next has something to do by itself (sleepers_until). Nobody else sets a time. */
#ifndef WARPLINE_MEM_SLEEPERS_H
#define WARPLINE_MEM_SLEEPERS_H
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/error.h"

struct sleepers {
    uint64_t *awake; /* bit each */
    uint64_t *wake;  /* when each that is not awake wakes by itself; UINT64_MAX: never */
    uint64_t next;   /* no later than the first of these */
    uint32_t count, words;
};

static inline void sleepers_init(struct sleepers *s, uint32_t count)
{
    *s = (struct sleepers){ .count = count, .words = (count + 63) / 64 };
    s->awake = must_calloc_aligned(s->words, sizeof s->awake[0]); /* neighbours in memory may be another thread's */
    s->wake = must_calloc_aligned(count, sizeof s->wake[0]);
}
static inline void sleepers_clear(struct sleepers *s)
{
    free(s->awake);
    free(s->wake);
}

/* Asleep until then, or until somebody wakes it. */
static inline void sleepers_until(struct sleepers *s, uint32_t i, uint64_t time)
{
    s->wake[i] = time;
    s->next = time < s->next ? time : s->next;
}
/* The same after a visit at `now`; a component with something to do at once stays awake. */
static inline void sleepers_visited(struct sleepers *s, uint32_t i, uint64_t now, uint64_t time)
{
    if (time == now + 1) {
        s->awake[i / 64] |= UINT64_C(1) << i % 64;
        s->wake[i] = UINT64_MAX;
    } else {
        sleepers_until(s, i, time);
    }
}
/* Wakes those whose time has come. */
static inline void sleepers_rouse(struct sleepers *s, uint64_t now)
{
    if (s->next > now)
        return;
    s->next = UINT64_MAX;
    for (uint32_t i = 0; i < s->count; i++)
        if (s->wake[i] <= now)
            s->awake[i / 64] |= UINT64_C(1) << i % 64;
        else
            s->next = s->wake[i] < s->next ? s->wake[i] : s->next;
}
static inline bool sleepers_any_awake(const struct sleepers *s)
{
    uint64_t any = 0;
    for (uint32_t w = 0; w < s->words; w++)
        any |= s->awake[w];
    return any != 0;
}
#endif
