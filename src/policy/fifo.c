/* fifo - evict the line that came first. */
#include "policy/stamps.h"

const struct policy policy_fifo = {
    .name = "fifo",
    .summary = "evict the line that came first",
    .source = "textbook",
    .params = stamps_params,
    .config_size = sizeof(struct stamps_config),
    .sizes = stamps_sizes,
    .levels = stamps_levels,
    .hardware = stamps_hardware,
    .cache.replacement = { .victim = stamps_victim, .inserted = stamps_touch },
};
