/* stat_series.c - how much every counter grew in each interval of a run. */
#include "stat/stat_series.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"

uint32_t stat_series_columns(const struct stat_group *const *groups, uint32_t group_count)
{
    size_t columns = 0;
    for (uint32_t g = 0; g < group_count; g++)
        columns += groups[g]->size / sizeof(uint64_t);
    return (uint32_t)columns;
}

void stat_series_start(struct stat_series *s, uint64_t period, uint64_t begin, uint32_t columns, stat_read_row *read, void *context)
{
    s->period = period;
    s->next = period ? begin + period : UINT64_MAX;
    s->count = 0;
    s->read = read;
    s->context = context;
    if (!period)
        return;
    if (s->columns != columns) {
        stat_series_clear(s);
        s->columns = columns;
        s->last = must_calloc(columns, sizeof *s->last);
        s->now = must_calloc(columns, sizeof *s->now);
    }
    read(context, s->last);
}

void stat_series_sample(struct stat_series *s)
{
    if (s->count == s->room) {
        s->room = s->room ? 2 * s->room : 64;
        s->values = must_realloc(s->values, (size_t)s->room * s->columns * sizeof *s->values);
    }
    s->read(s->context, s->now);
    uint64_t *row = s->values + (size_t)s->count++ * s->columns;
    for (uint32_t i = 0; i < s->columns; i++)
        row[i] = s->now[i] - s->last[i];
    memcpy(s->last, s->now, s->columns * sizeof *s->last);
    s->next += s->period;
}

struct stat_intervals stat_series_take(const struct stat_series *s)
{
    struct stat_intervals out = { .period = s->period, .columns = s->columns, .count = s->count };
    if (s->count) {
        out.values = must_calloc((size_t)s->count * s->columns, sizeof *out.values);
        memcpy(out.values, s->values, (size_t)s->count * s->columns * sizeof *out.values);
    }
    return out;
}

void stat_series_clear(struct stat_series *s)
{
    free(s->values);
    free(s->last);
    free(s->now);
    s->values = s->last = s->now = NULL;
    s->columns = s->count = s->room = 0;
}
