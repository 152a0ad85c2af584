/* divergence - changes nothing and watches the L1: reuse distances, use of lines and kinds of hits, by load instruction and by its
 * degree of memory divergence, the requests that a warp's load was split into (Arunkumar, 2018, sections 3.1 and 3.2, figures 3.3
 * and 3.6 to 3.10). `warpline characterize` runs it.
 *
 * A distance is the number of other lines of the set that the kernel used since (reuse_distance.h), and belongs to the load that
 * uses the line again. Degrees are put into four bins: 1, 2-3, 4-15, 16 and more, as those of id-bypass-pcdiv. A hit is temporal
 * when all bytes that it touches were touched since the line's fill, spatial when none was, else mixed; a load that finds its line
 * on the way counts as a hit. Global memory only. */
#include <stdio.h>
#include <stdlib.h>

#include "policy/policy.h"
#include "policy/reuse_distance.h"

enum { LOADS = 64, SHOWN = 4, BINS = 4, DISTANCES = 11 };

struct load {
    uint64_t pc, accesses;
    uint64_t distance[BINS][DISTANCES]; /* as the counters: up to 0, 1, 2, 3, 6, 8, 16, 32, 64, more; first uses */
};
struct sm {
    struct reuse_seen seen;
    uint32_t load_count;
    struct load load[LOADS];
};
struct line {
    uint64_t touched[2];
    uint8_t bin;
    bool known;
};
struct gpu {
    uint64_t kernel;
};

#define STAT_DEF "policy/divergence_counters.def"
#define STAT_NAME divergence
#include "stat/declare.h"
#define STAT_DEF "policy/divergence_counters.def"
#define STAT_NAME divergence
#include "stat/define.h"

/* Counters that stand in a row, by number: the `i`-th from `field` on. */
#define ROW(counters, field, i)                                                                                                    \
    (((uint64_t *)(void *)(counters))[offsetof(struct divergence_counters, field) / sizeof(uint64_t) + (i)])

static void sizes(const void *config, const struct policy_geometry *g, struct policy_sizes *out)
{
    (void)config, (void)g;
    out->gpu = sizeof(struct gpu);
    out->sm = sizeof(struct sm);
    out->line[LEVEL_L1] = sizeof(struct line);
    out->set[LEVEL_L1] = sizeof(struct reuse_set);
}

static bool check(const void *config, const struct policy_geometry *g, char *text, size_t size)
{
    (void)config;
    if (g->cache[LEVEL_L1].sets)
        return true;
    (void)snprintf(text, size, "distances are counted in sets, which this L1 does not have");
    return false;
}

static void kernel_start(struct policy_self *self, const struct policy_kernel *k)
{
    ((struct gpu *)policy_gpu_state(self))->kernel = k->launch + 1;
    for (uint32_t sm = 0; sm < self->geometry->sms; sm++) {
        struct sm *s = policy_sm_state(self, sm);
        s->load_count = 0;
        memset(s->load, 0, sizeof s->load);
    }
}

static uint32_t bin_of(uint32_t degree)
{
    return degree <= 1 ? 0 : degree <= 3 ? 1 : degree <= 15 ? 2 : 3;
}

static uint32_t bucket_of(uint32_t distance)
{
    if (distance == REUSE_FIRST)
        return 10;
    return distance <= 3    ? distance
           : distance <= 6  ? 4
           : distance <= 8  ? 5
           : distance <= 16 ? 6
           : distance <= 32 ? 7
           : distance <= 64 ? 8
                            : 9;
}

/* NULL: the table is full of others. */
static struct load *find_load(struct load *loads, uint32_t *count, uint64_t pc)
{
    uint32_t i = 0;
    while (i < *count && loads[i].pc != pc)
        i++;
    if (i == LOADS)
        return NULL;
    if (i == *count)
        loads[(*count)++].pc = pc;
    return &loads[i];
}

static void measure_distance(struct policy_self *self, const struct policy_access *a, struct divergence_counters *c)
{
    const uint64_t kernel = ((const struct gpu *)policy_gpu_state(self))->kernel;
    struct sm *s = policy_sm_state(self, a->unit);
    const uint32_t bucket = bucket_of(reuse_distance(policy_set_state(self, LEVEL_L1, a->unit, a->set), &s->seen, a->line, kernel));
    ROW(c, all_0, bucket)++;
    struct load *l = find_load(s->load, &s->load_count, a->pc);
    if (!l)
        return;
    l->accesses++;
    l->distance[bin_of(a->transactions)][bucket]++;
}

static void accessed(struct policy_self *self, const struct policy_access *a, enum policy_outcome outcome, uint32_t way)
{
    struct divergence_counters *c = policy_sm_counters(self, a->unit);
    if (a->write || a->atomic || a->local)
        return;
    c->loads++;
    measure_distance(self, a, c);
    if (way == NO_WAY)
        return;
    struct line *l = policy_line_state(self, LEVEL_L1, a->unit, a->set, way);
    if (outcome == OUTCOME_MISS)
        *l = (struct line){ .bin = (uint8_t)bin_of(a->transactions), .known = true };
    if (outcome == OUTCOME_HIT || outcome == OUTCOME_MERGED) {
        const uint64_t old = (a->bytes[0] & l->touched[0]) | (a->bytes[1] & l->touched[1]);
        const uint64_t fresh = (a->bytes[0] & ~l->touched[0]) | (a->bytes[1] & ~l->touched[1]);
        ++*(!fresh ? &c->hits_temporal : !old ? &c->hits_spatial : &c->hits_mixed);
    }
    l->touched[0] |= a->bytes[0];
    l->touched[1] |= a->bytes[1];
}

static void evicted(struct policy_self *self, const struct policy_evicted *e)
{
    struct divergence_counters *c = policy_sm_counters(self, e->unit);
    struct line *l = policy_line_state(self, LEVEL_L1, e->unit, e->set, e->way);
    const uint32_t sectors = (uint32_t)__builtin_popcount(e->sectors_used);
    if (l->known && sectors)
        ROW(c, use_0_1, l->bin * 4u + sectors - 1)++;
    l->known = false;
}

/* ---- a kernel's loads: each SM's, added up by PC at the serial point ---- */

static int more_accesses_first(const void *a, const void *b)
{
    const struct load *x = a, *y = b;
    if (x->accesses != y->accesses)
        return x->accesses > y->accesses ? -1 : 1;
    return x->pc < y->pc ? -1 : x->pc > y->pc;
}

static void add_load(struct load *sum, const struct load *one)
{
    sum->accesses += one->accesses;
    for (uint32_t b = 0; b < BINS; b++)
        for (uint32_t d = 0; d < DISTANCES; d++)
            sum->distance[b][d] += one->distance[b][d];
}

static void kernel_end(struct policy_self *self, const struct policy_kernel *k)
{
    (void)k;
    struct load all[LOADS] = { { 0 } };
    uint32_t count = 0;
    for (uint32_t sm = 0; sm < self->geometry->sms; sm++) {
        const struct sm *s = policy_sm_state(self, sm);
        for (uint32_t i = 0; i < s->load_count; i++) {
            struct load *sum = find_load(all, &count, s->load[i].pc);
            if (sum)
                add_load(sum, &s->load[i]);
        }
    }
    qsort(all, count, sizeof *all, more_accesses_first);
    struct divergence_counters *c = policy_gpu_counters(self);
    for (uint32_t i = 0; i < count && i < SHOWN; i++) { /* counters only grow, so a kernel's share is the growth */
        const uint32_t first = i * (1 + BINS * DISTANCES);
        ROW(c, load_0_pc, first) += all[i].pc;
        for (uint32_t b = 0; b < BINS; b++)
            for (uint32_t d = 0; d < DISTANCES; d++)
                ROW(c, load_0_pc, first + 1 + b * DISTANCES + d) += all[i].distance[b][d];
    }
}

const struct policy policy_divergence = {
    .name = "divergence",
    .summary = "changes nothing: measures reuse distances and use of lines by load and divergence",
    .source = "Arunkumar, 2018, chapter 3",
    .counters = &divergence_stat_group,
    .check = check,
    .sizes = sizes,
    .gpu = { .kernel_start = kernel_start, .kernel_end = kernel_end },
    .cache = { .accessed = accessed, .evicted = evicted },
};
