/* locality - changes nothing and watches the caches: who uses again what whom brought, how far apart, how often, how much of each
 * line (the measurements of Khairy et al., GPGPU-8 2015, section 3; Li et al., ICS 2015, section 3; Oh et al., ISCA 2019, section
 * 2). `warpline characterize` runs it.
 *
 * Whose a reuse is, is decided against the last access to the line: by the same thread (a lane in common), another thread of the
 * warp, another warp of the CTA, another CTA on the same SM, another SM, or another kernel. A load that finds its line on the way
 * is a reuse too. At an L2, stores count as accesses that bring the line, and a miss of an L1 comes as one access per sector: there
 * each sector has its own last access, or the second would be a reuse of what the first brought.
 * A reuse distance is given in two ways: as the number of other lines of the same set since the last access, up to the depth of the
 * stack that is kept (how many ways would have caught it), and as the number of loads that the L1 served in between, whichever
 * their set (Li et al., figure 4: for ABCA it is 2, and for ABBA as well). In a window of cycles, a load instruction streams when
 * more than 95 % of its accesses are to lines that the SM touches for the first time in the window; otherwise the lines that it
 * touches again are its working set. The eight instructions of a kernel with the most accesses have counters of their own. Lines
 * beyond the room of the window's table are counted as overflow, and are in neither sum. */
#include <stdlib.h>
#include <string.h>

#include "policy/replacement.h"

enum path { PATH_ALL, PATH_L1 };
static const char *const path_names[] = { "all", "l1", NULL };

struct config {
    uint64_t window;
    uint32_t depth, path;
};

enum { LOADS = 64, TABLE = 16384, PAST_SETS = 2048, PAST_WAYS = 16 };

struct touched { /* a line in this window */
    uint64_t line;
    uint8_t load; /* which brought it */
    bool used, again;
};
struct sums { /* of a load instruction, over a kernel's windows */
    uint64_t pc, accesses, working_set_lines, streaming_lines;
    bool used;
};
struct load {
    uint64_t accesses, lines, again; /* in this window */
    struct sums sums;
};
struct past {
    uint64_t line;
    uint64_t when; /* the number of the SM's load, counted from 1, that last touched the line; 0: a free place */
};
struct sm {
    struct load loads[LOADS];
    uint32_t filled;
    struct touched table[TABLE];
    uint64_t now;
    struct past past[PAST_SETS][PAST_WAYS];
};
enum { LINE_SECTORS = 4 };
struct line { /* at an L2 each line has LINE_SECTORS of these, one for each sector */
    uint64_t kernel;
    uint32_t cta, lanes, reuses;
    uint16_t sm, warp;
    bool known;
};
struct set {
    uint32_t count;
    uint64_t lines[]; /* most recent first */
};
struct gpu {
    uint64_t kernel;
};

#define STAT_DEF "policy/locality_counters.def"
#define STAT_NAME locality
#include "stat/declare.h"
#define STAT_DEF "policy/locality_counters.def"
#define STAT_NAME locality
#include "stat/define.h"

static const struct param params[] = {
    PARAM_U64(struct config, window, "window", 50000, 100, 1000000000, "cycles",
              "window in which loads' working sets are measured"),
    PARAM_U32(struct config, depth, "depth", 64, 1, 1024, "lines", "how many lines of a set reuse distances look back"),
    PARAM_CHOICE(struct config, path, "path", "all", path_names,
                 "loads whose distances and working sets are measured: all, or those that take the L1 and do not go around it"),
    PARAM_END
};

static void sizes(const void *config, const struct policy_geometry *g, struct policy_sizes *out)
{
    (void)g;
    out->gpu = sizeof(struct gpu);
    out->sm = sizeof(struct sm);
    out->line[LEVEL_L1] = sizeof(struct line);
    out->line[LEVEL_L2] = LINE_SECTORS * sizeof(struct line);
    out->set[LEVEL_L1] = sizeof(struct set) + ((const struct config *)config)->depth * sizeof(uint64_t);
}

static uint32_t levels(const void *config)
{
    (void)config;
    return AT_L1 | AT_L2;
}

static void kernel_start(struct policy_self *self, const struct policy_kernel *k)
{
    ((struct gpu *)policy_gpu_state(self))->kernel = k->launch + 1;
}

static uint64_t *reuse_counter(struct locality_counters *c, uint8_t level, const struct line *l, const struct policy_access *a,
                               uint64_t kernel)
{
    const bool l1 = level == LEVEL_L1;
    if (l->kernel != kernel)
        return l1 ? &c->l1_inter_kernel : &c->l2_inter_kernel;
    if (l->sm != a->sm)
        return l1 ? &c->l1_inter_core : &c->l2_inter_core;
    if (l->cta != a->cta)
        return l1 ? &c->l1_intra_core : &c->l2_intra_core;
    if (l->warp != a->warp)
        return l1 ? &c->l1_intra_block : &c->l2_intra_block;
    if (l->lanes & a->lanes)
        return l1 ? &c->l1_intra_thread : &c->l2_intra_thread;
    return l1 ? &c->l1_inter_thread : &c->l2_inter_thread;
}

static uint64_t *distance_counter(struct locality_counters *c, uint32_t distance)
{
    return distance < 4    ? &c->distance_3
           : distance < 8  ? &c->distance_7
           : distance < 16 ? &c->distance_15
           : distance < 32 ? &c->distance_31
                           : &c->distance_63;
}

/* Moves the line to the top of its set's stack and counts how deep it was. */
static void measure_distance(struct policy_self *self, const struct policy_access *a, struct locality_counters *c)
{
    const uint32_t depth = ((const struct config *)self->config)->depth;
    struct set *s = policy_set_state(self, LEVEL_L1, a->unit, a->set);
    uint32_t at = 0;
    while (at < s->count && s->lines[at] != a->line)
        at++;
    if (at < s->count)
        ++*distance_counter(c, at);
    else
        c->distance_beyond++;
    if (at == s->count)
        at = s->count < depth ? s->count++ : depth - 1;
    for (; at > 0; at--)
        s->lines[at] = s->lines[at - 1];
    s->lines[0] = a->line;
}

/* The number of loads between this one and the last one of the line. Distances that are asked for lie within 8192 loads, a
 * quarter of the entries, so that a set hardly ever overflows. When it does, the oldest entry is forgotten. */
static void measure_access_distance(struct policy_self *self, const struct policy_access *a, struct locality_counters *c)
{
    struct sm *s = policy_sm_state(self, a->unit);
    struct past *const set = s->past[a->line * 0x9e3779b97f4a7c15u >> 53]; /* 11 bits: PAST_SETS */
    struct past *mine = &set[0];
    bool known = false;
    for (uint32_t way = 0; way < PAST_WAYS && !known; way++) {
        known = set[way].when && set[way].line == a->line;
        if (known || set[way].when < mine->when)
            mine = &set[way];
    }
    s->now++;
    const uint64_t between = known ? s->now - mine->when - 1 : UINT64_MAX;
    c->accesses_1 += between < 2;
    ++*(between < 16     ? &c->accesses_15
        : between < 128  ? &c->accesses_127
        : between < 1024 ? &c->accesses_1023
        : between < 8192 ? &c->accesses_8191
                         : &c->accesses_beyond);
    *mine = (struct past){ .line = a->line, .when = s->now };
}

/* The instruction's place in the SM's table; LOADS: it has none. */
static uint32_t find_load(struct sm *s, uint64_t pc)
{
    for (uint32_t n = 0, at = (uint32_t)(pc / 8 % LOADS); n < LOADS; n++, at = (at + 1) % LOADS) {
        struct sums *sums = &s->loads[at].sums;
        if (!sums->used)
            *sums = (struct sums){ .pc = pc, .used = true };
        if (sums->pc == pc)
            return at;
    }
    return LOADS;
}

static void measure_window(struct policy_self *self, const struct policy_access *a, struct locality_counters *c)
{
    struct sm *s = policy_sm_state(self, a->unit);
    const uint32_t number = find_load(s, a->pc);
    if (number == LOADS) {
        c->load_overflow++;
        return;
    }
    struct load *load = &s->loads[number];
    load->accesses++;
    uint64_t at = a->line * 0x9e3779b97f4a7c15u >> 50; /* 14 bits: TABLE entries */
    while (s->table[at].used && s->table[at].line != a->line)
        at = (at + 1) % TABLE;
    struct touched *t = &s->table[at];
    if (t->used) {
        s->loads[t->load].again += !t->again;
        t->again = true;
    } else if (s->filled < TABLE / 4 * 3) {
        *t = (struct touched){ .line = a->line, .load = (uint8_t)number, .used = true };
        s->filled++;
        load->lines++;
    } else {
        c->window_overflow++;
    }
}

static void end_window(struct policy_self *self, uint32_t sm)
{
    struct sm *s = policy_sm_state(self, sm);
    struct locality_counters *c = policy_sm_counters(self, sm);
    if (!s->filled)
        return;
    c->windows++;
    for (uint32_t i = 0; i < LOADS; i++) {
        struct load *load = &s->loads[i];
        const bool streams = load->lines * 20 > load->accesses * 19;
        const uint64_t streamed = streams ? load->lines : 0, used_again = streams ? 0 : load->again;
        c->window_lines += load->lines;
        c->streaming_lines += streamed;
        c->working_set_lines += used_again;
        load->sums.accesses += load->accesses;
        load->sums.streaming_lines += streamed;
        load->sums.working_set_lines += used_again;
        load->accesses = load->lines = load->again = 0;
    }
    s->filled = 0;
    memset(s->table, 0, sizeof s->table);
}

/* ---- the loads of a kernel: each SM's sums, added up by PC at the serial point ---- */

static void add_sums(struct sums all[LOADS], uint32_t *count, const struct sums *one)
{
    uint32_t at = 0;
    while (at < *count && all[at].pc != one->pc)
        at++;
    if (at == LOADS)
        return;
    if (at == *count)
        all[(*count)++] = (struct sums){ .pc = one->pc, .used = true };
    all[at].accesses += one->accesses;
    all[at].working_set_lines += one->working_set_lines;
    all[at].streaming_lines += one->streaming_lines;
}

static int more_accesses_first(const void *a, const void *b)
{
    const struct sums *x = a, *y = b;
    if (x->accesses != y->accesses)
        return x->accesses > y->accesses ? -1 : 1;
    return x->pc < y->pc ? -1 : 1;
}

/* Of the four most frequent loads that do not stream (Oh et al., figure 2): those that touched more lines again than they streamed.
 */
static uint64_t top_working_set(const struct sums all[LOADS], uint32_t count)
{
    uint64_t lines = 0;
    for (uint32_t i = 0, chosen = 0; i < count && chosen < 4; i++)
        if (all[i].working_set_lines >= all[i].streaming_lines) {
            lines += all[i].working_set_lines;
            chosen++;
        }
    return lines;
}

static void show_loads(struct policy_self *self)
{
    struct sums all[LOADS];
    uint32_t count = 0;
    for (uint32_t sm = 0; sm < self->geometry->sms; sm++) {
        struct sm *s = policy_sm_state(self, sm);
        for (uint32_t i = 0; i < LOADS; i++)
            if (s->loads[i].sums.used) {
                add_sums(all, &count, &s->loads[i].sums);
                s->loads[i].sums = (struct sums){ 0 };
            }
    }
    qsort(all, count, sizeof *all, more_accesses_first);
    struct locality_counters *c = policy_gpu_counters(self);
    c->top_working_set_lines += top_working_set(all, count);
#define SHOWN(n) { &c->load_##n##_pc, &c->load_##n##_accesses, &c->load_##n##_working_set_lines, &c->load_##n##_streaming_lines }
    uint64_t *const shown[][4] = { SHOWN(0), SHOWN(1), SHOWN(2), SHOWN(3), SHOWN(4), SHOWN(5), SHOWN(6), SHOWN(7) };
#undef SHOWN
    for (uint32_t i = 0; i < count && i < sizeof shown / sizeof *shown;
         i++) { /* counters only grow, so a kernel's share is the growth */
        *shown[i][0] += all[i].pc;
        *shown[i][1] += all[i].accesses;
        *shown[i][2] += all[i].working_set_lines;
        *shown[i][3] += all[i].streaming_lines;
    }
}

static void every_cycles(struct policy_self *self, uint64_t cycle)
{
    (void)cycle;
    for (uint32_t sm = 0; sm < self->geometry->sms; sm++)
        end_window(self, sm);
}

static void kernel_end(struct policy_self *self, const struct policy_kernel *k)
{
    every_cycles(self, k->cycle);
    show_loads(self);
}

static void accessed(struct policy_self *self, const struct policy_access *a, enum policy_outcome outcome, uint32_t way)
{
    struct locality_counters *c = policy_unit_counters(self, a->level, a->unit);
    const bool load = !a->write && !a->atomic;
    const bool seen = load && (outcome != OUTCOME_BYPASSED || ((const struct config *)self->config)->path == PATH_ALL);
    if (a->level == LEVEL_L1 && seen && self->geometry->cache[LEVEL_L1].sets)
        measure_distance(self, a, c);
    if (a->level == LEVEL_L1 && seen) {
        measure_access_distance(self, a, c);
        measure_window(self, a, c);
    }
    if (way == NO_WAY || a->warp == NO_WARP)
        return;
    const uint64_t kernel = ((const struct gpu *)policy_gpu_state(self))->kernel;
    struct line *l = policy_line_state(self, a->level, a->unit, a->set, way);
    const uint32_t parts = a->level == LEVEL_L2 ? a->sectors & ((1u << LINE_SECTORS) - 1) : 1;
    const bool reuse = outcome == OUTCOME_HIT || outcome == OUTCOME_MERGED;
    const struct line *first = &l[parts ? __builtin_ctz(parts) : 0]; /* a load of several sectors is one use */
    const uint32_t reuses = reuse ? first->reuses + (load && first->known) : 0;
    if (reuse && load && first->known)
        ++*reuse_counter(c, a->level, first, a, kernel);
    for (uint32_t rest = parts; rest; rest &= rest - 1)
        l[__builtin_ctz(rest)] = (struct line){
            .kernel = kernel, .cta = a->cta, .lanes = a->lanes, .reuses = reuses, .sm = a->sm, .warp = a->warp, .known = true
        };
}

static void evicted(struct policy_self *self, const struct policy_evicted *e)
{
    struct locality_counters *c = policy_unit_counters(self, e->level, e->unit);
    struct line *l = policy_line_state(self, e->level, e->unit, e->set, e->way);
    if (e->level == LEVEL_L1 && l->known) {
        const uint32_t n = l->reuses;
        ++*(n == 0   ? &c->reused_0
            : n == 1 ? &c->reused_1
            : n == 2 ? &c->reused_2
            : n <= 4 ? &c->reused_4
            : n <= 8 ? &c->reused_8
                     : &c->reused_more);
        const uint32_t sectors = (uint32_t)__builtin_popcount(e->sectors_used);
        ++*(sectors <= 1 ? &c->sectors_1 : sectors == 2 ? &c->sectors_2 : sectors == 3 ? &c->sectors_3 : &c->sectors_4);
    }
    for (uint32_t i = 0; i < (e->level == LEVEL_L2 ? LINE_SECTORS : 1); i++)
        l[i].known = false;
}

static uint64_t cycle_period(const void *config)
{
    return ((const struct config *)config)->window;
}

const struct policy policy_locality = {
    .name = "locality",
    .summary = "changes nothing: measures whose reuse the caches catch, distances, counts, working sets",
    .source = "Khairy et al., GPGPU-8 2015, section 3",
    .params = params,
    .config_size = sizeof(struct config),
    .counters = &locality_stat_group,
    .sizes = sizes,
    .levels = levels,
    .cycle_period = cycle_period,
    .period_restarts = true,
    .gpu = { .kernel_start = kernel_start, .kernel_end = kernel_end, .every_cycles = every_cycles },
    .cache = { .accessed = accessed, .evicted = evicted },
};
