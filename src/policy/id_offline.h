/* id_offline.h - ID-Cache's bypassing with offline training (Arunkumar, 2018, section 3.2.2), shared by `id-offline-pc` and
 * `id-offline-pcdiv`.
 *
 * A first run changes nothing and records the reuse distance of every load, by instruction and by degree of memory divergence. The
 * second run sends the loads of an instruction around the L1 when its distance is above 8. With divergence there is a second
 * filter: when the distance of an instruction's loads of degree d is above 6, its loads of a degree greater than d go around too.
 *
 * Where the text leaves a choice:
 *  - A distance is the number of other lines of the set since the line's last use in the kernel (reuse_distance.h): what the four
 *    ways that the text compares it with would have had to be. It belongs to the load that uses the line again.
 *  - "The reuse distance of a PC" is the median of its loads' distances, as the figures mark it.
 *  - The first use of a line in a kernel has no distance. It counts for nothing, unless an instruction has no other: then its lines
 *    were used by nobody before, and its distance is above any bound. `first_uses=far` counts each as a distance above any bound.
 *  - A load that goes around the L1 still uses a line that is there (`probe`), as in the online form, where a miss decides.
 *  - Instructions are told apart by address, over all kernels of the program; local memory (spills) is left alone.
 *
 * The includer defines ID_OFFLINE_DIVERGENCE (0 or 1) and, for its counters with the rows of id_offline_counters.def,
 * ID_OFFLINE_COUNTERS. */
#ifndef WARPLINE_POLICY_ID_OFFLINE_H
#define WARPLINE_POLICY_ID_OFFLINE_H
#include <stdio.h>

#include "policy/policy.h"
#include "policy/reuse_distance.h"

enum { ID_OFFLINE_LOADS = 1024, ID_NO_DEGREE = UINT8_MAX };
enum id_first_uses { ID_FIRST_IGNORED, ID_FIRST_FAR };
static const char *const id_first_uses_names[] = { "ignored", "far", NULL };

struct id_offline_config {
    uint32_t distance, degree_distance, first_uses;
    bool probe;
};

struct id_offline_load {
    uint64_t pc;
    uint8_t above; /* loads of a degree greater than this go around; ID_NO_DEGREE: none does */
    bool whole;    /* all go around */
};

struct id_offline_gpu {
    uint64_t kernel;
    uint32_t count;
    struct id_offline_load load[ID_OFFLINE_LOADS]; /* by address */
};

#define ID_OFFLINE_PARAMS                                                                                                          \
    PARAM_U32(struct id_offline_config, distance, "distance", 8, 0, 256, "lines",                                                  \
              "an instruction whose distance is larger goes around the L1"),                                                       \
        PARAM_CHOICE(struct id_offline_config, first_uses, "first_uses", "ignored", id_first_uses_names,                           \
                     "first uses of lines: without a distance, or far"),                                                           \
        PARAM_BOOL(struct id_offline_config, probe, "probe", true, "a load that goes around the L1 uses a line that is there")

static inline void id_offline_sizes(const void *config, const struct policy_geometry *g, struct policy_sizes *out)
{
    (void)config, (void)g;
    out->gpu = sizeof(struct id_offline_gpu);
    out->sm = sizeof(struct reuse_seen);
    out->set[LEVEL_L1] = sizeof(struct reuse_set);
}

static inline bool id_offline_check(const void *config, const struct policy_geometry *g, char *text, size_t size)
{
    (void)config;
    if (g->cache[LEVEL_L1].sets)
        return true;
    (void)snprintf(text, size, "distances are counted in sets, which this L1 does not have");
    return false;
}

/* ---- between the runs: what the records say ---- */

/* Records are {address, degree, distance} -> loads, in this order. True when the median of these is above the bound. */
static inline bool id_offline_far(const struct id_offline_config *c, const struct policy_profile_record *r, uint64_t count,
                                  uint32_t bound)
{
    uint64_t near = 0, far = 0, first = 0;
    for (uint64_t i = 0; i < count; i++) {
        const uint64_t distance = r[i].key[2];
        *(distance == REUSE_FIRST ? &first : distance > bound ? &far : &near) += r[i].number;
    }
    if (c->first_uses == ID_FIRST_FAR || near + far == 0)
        far += first;
    return far > near; /* as many on both sides, so the median is not above */
}

/* How many records from the first one on share the first `words` words of its key. */
static inline uint64_t id_offline_same(const struct policy_profile_record *r, uint64_t count, uint32_t words)
{
    uint64_t n = 1;
    while (n < count && !memcmp(r[n].key, r[0].key, words * sizeof r[0].key[0]))
        n++;
    return n;
}

static inline struct id_offline_load id_offline_decide(const struct id_offline_config *c, const struct policy_profile_record *r,
                                                       uint64_t count)
{
    struct id_offline_load l = { .pc = r[0].key[0], .above = ID_NO_DEGREE, .whole = id_offline_far(c, r, count, c->distance) };
    for (uint64_t at = 0, n; ID_OFFLINE_DIVERGENCE && at < count && l.above == ID_NO_DEGREE; at += n) {
        n = id_offline_same(r + at, count - at, 2);
        if (id_offline_far(c, r + at, n, c->degree_distance))
            l.above = (uint8_t)r[at].key[1];
    }
    return l;
}

static inline void id_offline_start(struct policy_self *self)
{
    const struct policy_profile *p = self->profile;
    struct id_offline_gpu *gpu = policy_gpu_state(self);
    for (uint64_t at = 0, n; at < p->count && gpu->count < ID_OFFLINE_LOADS; at += n) {
        n = id_offline_same(p->record + at, p->count - at, 1);
        gpu->load[gpu->count++] = id_offline_decide(self->config, p->record + at, n);
    }
}

/* ---- the runs ---- */

static inline void id_offline_kernel_start(struct policy_self *self, const struct policy_kernel *k)
{
    ((struct id_offline_gpu *)policy_gpu_state(self))->kernel = k->launch + 1;
}

static inline const struct id_offline_load *id_offline_find(const struct id_offline_gpu *gpu, uint64_t pc)
{
    uint32_t first = 0, end = gpu->count;
    while (first < end) {
        const uint32_t middle = first + (end - first) / 2;
        if (gpu->load[middle].pc == pc)
            return &gpu->load[middle];
        if (gpu->load[middle].pc < pc)
            first = middle + 1;
        else
            end = middle;
    }
    return NULL;
}

static inline void id_offline_before_lookup(struct policy_self *self, const struct policy_access *a, struct policy_lookup *answer)
{
    const struct id_offline_config *c = self->config;
    if (a->write || a->atomic || a->local || self->profile->records)
        return;
    const struct id_offline_load *l = id_offline_find(policy_gpu_state(self), a->pc);
    if (!l)
        ((ID_OFFLINE_COUNTERS *)policy_sm_counters(self, a->unit))->unknown++;
    const bool around = l && (l->whole || (l->above != ID_NO_DEGREE && a->transactions > l->above));
    answer->no_allocate = answer->no_allocate || (around && c->probe);
    answer->bypass = answer->bypass || (around && !c->probe);
}

static inline void id_offline_accessed(struct policy_self *self, const struct policy_access *a, enum policy_outcome outcome,
                                       uint32_t way)
{
    ID_OFFLINE_COUNTERS *counters = policy_sm_counters(self, a->unit);
    (void)way;
    if (a->write || a->atomic || a->local)
        return;
    if (!self->profile->records) {
        counters->bypassed += outcome == OUTCOME_BYPASSED;
        return;
    }
    const uint64_t kernel = ((const struct id_offline_gpu *)policy_gpu_state(self))->kernel;
    struct reuse_set *set = policy_set_state(self, LEVEL_L1, a->unit, a->set);
    const uint32_t distance = reuse_distance(set, policy_sm_state(self, a->unit), a->line, kernel);
    policy_profile_add(self, LEVEL_L1, a->unit, (const uint64_t[]){ a->pc, a->transactions, distance }, 1);
    counters->recorded++;
}

#endif
