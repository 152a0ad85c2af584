/* lru - evict the candidate whose last use is the longest ago.
 *
 * The caches do this by themselves when no policy owns replacement. This file makes the same decision through the hooks, and the
 * tests compare the two. */
#include "policy/stamps.h"

static void promoted(struct policy_self *self, const struct policy_access *a, uint32_t way, bool pending)
{
    (void)pending;
    stamps_touch(self, a, way);
}

const struct policy policy_lru = {
    .name = "lru",
    .summary = "evict the least recently used line",
    .source = "textbook",
    .params = stamps_params,
    .config_size = sizeof(struct stamps_config),
    .sizes = stamps_sizes,
    .levels = stamps_levels,
    .hardware = stamps_hardware,
    .cache.replacement = { .victim = stamps_victim, .inserted = stamps_touch, .promoted = promoted },
};
