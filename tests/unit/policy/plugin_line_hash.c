/* line-hash - what every line holds when it fills the L1, as one number: equal in two runs when all lines held the same at the same
 * time. */
#include "policy/policy.h"

struct counters {
    uint64_t lines, not_zero, sum;
};

static const struct stat_counter counter_rows[] = {
    { "lines", "lines", "fills whose contents were read", offsetof(struct counters, lines) },
    { "not_zero", "lines", "of these, lines that held anything but zeros", offsetof(struct counters, not_zero) },
    { "sum", "", "sum of the hashes of address, cycle and contents", offsetof(struct counters, sum) },
    { NULL, NULL, NULL, 0 }
};
static const struct stat_ratio no_ratios[] = { { NULL, NULL, NULL } };
static const struct stat_law no_laws[] = { { NULL, NULL, NULL } };
static const struct stat_group group = { "line_hash", sizeof(struct counters), counter_rows, no_ratios, no_laws };

static uint64_t mix(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ hash >> 29;
}

static void filled(struct policy_self *self, const struct policy_access *a, uint32_t way)
{
    (void)way;
    uint64_t data[16], hash = mix(a->address, a->cycle), any = 0;
    struct counters *count = policy_unit_counters(self, a->level, a->unit);
    if (!self->machine->read_values(self->machine->gpu, a->address & ~UINT64_C(127), sizeof data, data))
        return;
    for (uint32_t i = 0; i < 16; i++) {
        hash = mix(hash, data[i]);
        any |= data[i];
    }
    count->lines++;
    count->not_zero += any != 0;
    count->sum += hash >> 40; /* small enough for sums over a run to stay exact in JSON */
}

static const struct policy line_hash = {
    .name = "line-hash",
    .summary = "hashes what lines hold when they fill the L1",
    .source = "a test",
    .counters = &group,
    .cache.filled = filled,
};

POLICY_PLUGIN(&line_hash);
