/* Time series: every `gpu.interval` cycles, how much each counter grew. Looking does not change what is looked at: SMs that sleep are only
 * told to write down what they slept through, and a jump of the clock ends at the next look.
 * A slice's refusals appear in the interval in which the refusing ends. */
#include <stdlib.h>
#include <string.h>

#include "gpu/gpu_state.h"

static void read_all(struct gpu *gpu, uint64_t *row)
{
    const uint64_t now = gpu->clocks.count[CLOCK_CORE];
    for (uint32_t i = 0; i < gpu->sm_count; i++)
        sm_settle(gpu->sm[i], now);
    for (uint32_t g = 0; g < gpu->group_count; g++) {
        gpu_collect(gpu, g, row);
        row += gpu->groups[g]->size / sizeof *row;
    }
}

void gpu_series_start(struct gpu *gpu)
{
    struct gpu_series *s = &gpu->series;
    s->period = gpu->config.gpu.interval;
    s->next = s->period ? gpu->start_cycle + s->period : UINT64_MAX;
    s->count = 0;
    if (!s->period)
        return;
    if (!s->last) {
        for (uint32_t g = 0; g < gpu->group_count; g++)
            s->columns += (uint32_t)(gpu->groups[g]->size / sizeof(uint64_t));
        s->last = must_calloc(s->columns, sizeof *s->last);
        s->now = must_calloc(s->columns, sizeof *s->now);
    }
    read_all(gpu, s->last);
}

void gpu_series_sample(struct gpu *gpu)
{
    struct gpu_series *s = &gpu->series;
    if (s->count == s->room) {
        s->room = s->room ? 2 * s->room : 64;
        s->values = must_realloc(s->values, (size_t)s->room * s->columns * sizeof *s->values);
    }
    read_all(gpu, s->now);
    uint64_t *row = s->values + (size_t)s->count++ * s->columns;
    for (uint32_t i = 0; i < s->columns; i++)
        row[i] = s->now[i] - s->last[i];
    memcpy(s->last, s->now, s->columns * sizeof *s->last);
    s->next += s->period;
}

void gpu_series_take(struct gpu *gpu, struct kernel_series *out)
{
    struct gpu_series *s = &gpu->series;
    *out = (struct kernel_series){ .period = s->period, .columns = s->columns, .count = s->count };
    if (!s->count)
        return;
    out->values = must_calloc((size_t)s->count * s->columns, sizeof *out->values);
    memcpy(out->values, s->values, (size_t)s->count * s->columns * sizeof *out->values);
}

void gpu_series_free(struct gpu *gpu)
{
    free(gpu->series.values);
    free(gpu->series.last);
    free(gpu->series.now);
}
