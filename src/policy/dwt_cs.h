/* dwt_cs.h - the parameters of dwt-cs, for policies that must give it its time. */
#ifndef WARPLINE_POLICY_DWT_CS_H
#define WARPLINE_POLICY_DWT_CS_H
#include <stdint.h>

struct dwt_cs_config {
    uint64_t period;
    double threshold;
    uint32_t trigger_periods, sample_periods, known_periods;
    uint32_t memory;
};

/* From the first cycle of thrashing to the limit that one round of sampling finds. */
static inline uint64_t dwt_cs_search_cycles(const struct dwt_cs_config *c)
{
    return c->period * (c->trigger_periods + (uint64_t)c->sample_periods);
}
#endif
