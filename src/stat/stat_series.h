/* stat_series.h - a time series of counters: how much each of them grew in every whole interval.
 *
 * Columns are the uint64_t of the groups' structs, one group after the other. The owner of the counters reads them when asked and
 * says when an interval has ended; the series keeps the differences. */
#ifndef WARPLINE_STAT_STAT_SERIES_H
#define WARPLINE_STAT_STAT_SERIES_H
#include <stdint.h>

#include "stat/stat.h"

struct stat_intervals { /* what is left when the series has ended */
    uint64_t period;
    uint32_t columns, count; /* count 0: none */
    uint64_t *values;        /* count rows of columns; the receiver frees them */
};

/* Fills a row with every counter as it is now. */
typedef void stat_read_row(void *context, uint64_t *row);

struct stat_series {       /* all zero before the first start */
    uint64_t period, next; /* when the interval ends; UINT64_MAX: never */
    uint32_t columns, count, room;
    uint64_t *values, *last, *now; /* differences; counters at the last look; scratch */
    stat_read_row *read;
    void *context;
};

/* Starts anew at time `begin`; a period of 0 makes a series that never looks. */
void stat_series_start(struct stat_series *s, uint64_t period, uint64_t begin, uint32_t columns, stat_read_row *read,
                       void *context);
/* The interval that ends at s->next has ended. */
void stat_series_sample(struct stat_series *s);
struct stat_intervals stat_series_take(const struct stat_series *s); /* a copy of all intervals so far */
void stat_series_clear(struct stat_series *s);
uint32_t stat_series_columns(const struct stat_group *const *groups, uint32_t group_count);
#endif
