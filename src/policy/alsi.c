/* alsi - adaptive line size insertion (Arunkumar, 2018, section 3.2.4, algorithm 4): the more requests a warp's load was split
 * into, the less of each line it fetches and stores. Degree 1: 128 bytes; below 4: 64; otherwise 32. With id-bypass-pcdiv before it
 * this is ID-Cache (algorithm 5): what goes around the L1 is not asked for a size.
 *
 * Lines are stored as in the Amoeba cache (Kumar et al., MICRO 2012): a set is an array of 8-byte words, which hold a word of tag
 * and the data of each piece.
 *
 * Where the text leaves a choice:
 *  - The second `if` of algorithm 4 is read as `else if`: otherwise degree 1 would get 64 bytes.
 *  - `tags`: the words of tags are `joined` to the data (a set is ways x (128 + 8) bytes, the space that a plain set and its tags
 *    take, so that four lines of 128 bytes fit as ever), `inside` the 512 bytes of data, or `free` (beside them, at no cost).
 *  - A load that touches more than its size fetches the smallest aligned part of the line that holds what it touches.
 *  - What is here or on its way already is not fetched again: a load of 128 bytes over a piece of 32 fetches the rest, as one or
 * two pieces of their own. (The Amoeba cache drops the small piece and fetches all.) A load may hit in several pieces.
 *  - Victims go, the least recently used first, until the new pieces fit; where in a set they lie is not modelled.
 *  - A store drops the pieces that it touches. Local memory (spills) has whole lines.
 *  - Requests that go around the L1 fetch what their lanes touch, in requests of 32, 64 or 128 bytes, as they left the coalescer.
 */
#include <stdio.h>

#include "policy/policy.h"

enum { WORD_BYTES = 8, SMALLEST_BYTES = 32 };
enum tags { TAGS_JOINED, TAGS_INSIDE, TAGS_FREE };
static const char *const tags_names[] = { "joined", "inside", "free", NULL };
enum size { SIZE_ADAPTIVE, SIZE_32, SIZE_64, SIZE_128 };
static const char *const size_names[] = { "adaptive", "32", "64", "128", NULL };

struct config {
    uint32_t tags, size, whole_degree, half_degree;
};

#define STAT_DEF "policy/alsi_counters.def"
#define STAT_NAME alsi
#include "stat/declare.h"
#define STAT_DEF "policy/alsi_counters.def"
#define STAT_NAME alsi
#include "stat/define.h"

static const struct param params[] = {
    PARAM_CHOICE(struct config, tags, "tags", "joined", tags_names,
                 "where tags' words are: joined to a set's data as extra space, inside the data's space, or beside it at no cost"),
    PARAM_CHOICE(struct config, size, "size", "adaptive", size_names,
                 "bytes to fetch: by the degree of divergence, or always the same"),
    PARAM_U32(struct config, whole_degree, "whole_degree", 1, 0, 32, "requests", "up to this degree the whole line is fetched"),
    PARAM_U32(struct config, half_degree, "half_degree", 3, 0, 32, "requests",
              "up to this degree half of it is, above it a quarter"),
    PARAM_END
};

static bool check(const void *config, const struct policy_geometry *g, char *text, size_t size)
{
    const struct config *c = config;
    if (g->cache[LEVEL_L1].line_bytes != 128)
        (void)snprintf(text, size, "lines are cut to 32, 64 or 128 bytes: l1.line must be 128, not %u",
                       g->cache[LEVEL_L1].line_bytes);
    else if (g->cache[LEVEL_L1].ways > 12)
        (void)snprintf(text, size, "an L1 of at most 12 ways, not %u", g->cache[LEVEL_L1].ways);
    else if (c->tags == TAGS_INSIDE && g->cache[LEVEL_L1].ways < 2)
        (void)snprintf(text, size, "with its tag inside a set of one line, a line of 128 bytes does not fit");
    else
        return true;
    return false;
}

static uint32_t overhead(const struct config *c)
{
    return c->tags == TAGS_FREE ? 0 : WORD_BYTES;
}

static uint32_t set_bytes(struct policy_self *self, uint32_t level)
{
    const struct config *c = self->config;
    const struct policy_cache_geometry *g = &self->geometry->cache[level];
    return g->ways * (g->line_bytes + (c->tags == TAGS_JOINED ? WORD_BYTES : 0));
}

static uint32_t tags_per_set(struct policy_self *self, uint32_t level)
{
    return set_bytes(self, level) / (SMALLEST_BYTES + overhead(self->config));
}

static uint32_t stored_bytes(struct policy_self *self, const struct policy_access *a, uint32_t way, uint32_t fetched, bool filled)
{
    (void)a, (void)way, (void)filled;
    return fetched + overhead(self->config);
}

static uint32_t line_size(const struct config *c, uint32_t degree)
{
    static const uint32_t fixed[] = { [SIZE_32] = 32, [SIZE_64] = 64, [SIZE_128] = 128 };
    if (c->size != SIZE_ADAPTIVE)
        return fixed[c->size];
    return degree <= c->whole_degree ? 128 : degree <= c->half_degree ? 64 : 32;
}

static void before_lookup(struct policy_self *self, const struct policy_access *a, struct policy_lookup *answer)
{
    if (a->write || a->atomic || a->local)
        return;
    const uint32_t bytes = line_size(self->config, a->transactions);
    answer->fill_bytes = bytes < answer->fill_bytes ? bytes : answer->fill_bytes;
}

static void filled(struct policy_self *self, const struct policy_access *a, uint32_t way)
{
    (void)way;
    struct alsi_counters *c = policy_sm_counters(self, a->unit);
    const int sectors = __builtin_popcount(a->sectors);
    ++*(sectors == 1 ? &c->pieces_32 : sectors == 2 ? &c->pieces_64 : sectors == 3 ? &c->pieces_96 : &c->pieces_128);
}

/* Each way has a plain tag already. With 8-byte words every piece has a tag of its own, in the set's space. */
static uint32_t hardware(const void *config, const struct policy_geometry *g, struct policy_hardware rows[])
{
    const struct config *c = config;
    const struct policy_cache_geometry *l1 = &g->cache[LEVEL_L1];
    const uint32_t words = l1->ways * (l1->line_bytes + (c->tags == TAGS_JOINED ? WORD_BYTES : 0)) / WORD_BYTES;
    rows[0] = (struct policy_hardware){ "which words of a set are tags", PER_SM, (uint64_t)l1->sets * words, 1 };
    rows[1] = (struct policy_hardware){ "which words of a set are in use", PER_SM, (uint64_t)l1->sets * words, 1 };
    if (c->tags == TAGS_INSIDE)
        return 2;
    const uint32_t tags = c->tags == TAGS_FREE ? l1->ways * l1->line_bytes / SMALLEST_BYTES : l1->ways;
    rows[2] = (struct policy_hardware){ "words of tags", PER_SM, (uint64_t)l1->sets * tags, WORD_BYTES * 8 };
    return 3;
}

const struct policy policy_alsi = {
    .name = "alsi",
    .summary = "fetch and store less of a line the more requests the warp's load was split into",
    .source = "Arunkumar, 2018, chapter 3",
    .params = params,
    .config_size = sizeof(struct config),
    .counters = &alsi_stat_group,
    .check = check,
    .hardware = hardware,
    .cache = { .storage = { .tags_per_set = tags_per_set, .set_bytes = set_bytes, .stored_bytes = stored_bytes },
               .before_lookup = before_lookup,
               .filled = filled },
};
