/* gpu_series.c - time series: every `gpu.interval` cycles, how much each counter grew. Looking changes nothing: SMs that sleep
 * only write down what they slept through, and a jump of the clock ends at the next look. A slice's refusals appear in the
 * interval in which the refusing ends. */
#include "gpu/gpu_state.h"

static void read_all(void *context, uint64_t *row)
{
    struct gpu *gpu = context;
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
    stat_series_start(&gpu->series, gpu->config.gpu.interval, gpu->start_cycle, stat_series_columns(gpu->groups, gpu->group_count),
                      read_all, gpu);
}
