/* linebacker - victim lines in idle registers (Oh et al., ISCA 2019, sections 3 and 4).
 *
 * Three parts, named as in the paper. The load monitor counts, in windows of 50 000 cycles, how often the loads of each hashed PC
 * hit in the L1 or in the victim tags; loads above 20 % in two windows in a row are selected. From then on the victim tag table
 * keeps lines that the selected loads touched last: their data lie in registers that no CTA has, in partitions of 24 KB. The CTA
 * throttling logic makes one CTA inactive, writes its registers to memory so that their space can hold lines too, and goes on with
 * one CTA more or less as the IPC rises or falls by 10 % from window to window.
 *
 * Where the text leaves a choice, or says two things:
 *  - `match`: section 3.2 wants the whole set of loads equal in two windows, section 4 each load by its own two bits.
 *  - `wake`: section 4.1 wakes a CTA when the IPC falls below the lower bound, section 3.2 already when it does not rise above the
 * upper.
 *  - Equation 2 with the printed offset of 511 gives registers 511 to 2046, the text says 512 to 2047: `offset` 512.
 *  - A partition is used when its first register lies above all that CTAs have or may get; this is looked at, as the text says,
 * when a kernel begins and when a CTA has been backed up, and when registers are wanted back.
 *  - Loads that were found once keep the monitor going, however many windows without any follow.
 *  - A CTA that is given registers, woken or new, gets the lowest free ones. Waking is last in, first out; who is woken before its
 * registers have left just goes on, and who is woken while they leave waits for that and for its restore.
 *  - A line found in the victim tags stays there and is not put into the L1. While monitoring, when there are only tags, it goes to
 * the L1 and its tag is dropped. Loads that join a miss count as hits (`merged_hits`).
 *  - `miss_waits`: a load that is in neither is fetched after the search; the search is a pipeline that takes a load in every
 * cycle. A load that the L1 refuses is searched for again when it is tried again.
 *  - Kernels of less than two windows never cache, since monitoring begins anew with each; `keep` takes over what the last launch
 * of the same kernel selected.
 *  - A CTA that others spin on would be inactive for ever: `patience`.
 *  - With another number of sets in the L1 a partition keeps its 24 KB as far as whole ways allow (`ways` 0).
 *  - Instructions are counted per thread. Atomics pass the L1 by unseen, and so they do here; the machine's values are never stale.
 */
#include <stdio.h>

#include "policy/linebacker.h"

static const char *const match_names[] = { "set", "load", NULL };
static const char *const wake_names[] = { "below", "not-above", NULL };
static const char *const select_names[] = { "loads", "all", NULL };

static const struct param params[] = {
    PARAM_U64(struct linebacker_config, window, "window", 50000, 1, 1000000000, "cycles", "window of the monitors (table 3)"),
    PARAM_U32(struct linebacker_config, hit_percent, "hit_percent", 20, 0, 100, "%",
              "a load that hits more often than this has locality (table 3)"),
    PARAM_CHOICE(struct linebacker_config, match, "match", "set", match_names,
                 "what must be equal in two windows: all loads with locality, or each"),
    PARAM_CHOICE(struct linebacker_config, select, "select", "loads", select_names,
                 "which lines are kept: of selected loads, or all without monitoring"),
    PARAM_BOOL(struct linebacker_config, merged_hits, "merged_hits", true, "a load that joins a miss counts as a hit"),
    PARAM_BOOL(struct linebacker_config, keep, "keep", false, "a kernel takes over what its last launch selected"),
    PARAM_BOOL(struct linebacker_config, throttle, "throttle", true, "make CTAs inactive, and use their registers"),
    PARAM_U32(struct linebacker_config, upper_percent, "upper_percent", 10, 0, 1000, "%",
              "throttle one more CTA when the IPC rose by more (table 3)"),
    PARAM_U32(struct linebacker_config, lower_percent, "lower_percent", 10, 0, 100, "%",
              "wake one when the IPC fell by more (table 3)"),
    PARAM_CHOICE(struct linebacker_config, wake, "wake", "below", wake_names,
                 "wake when the IPC is below the lower bound, or not above the upper"),
    PARAM_U32(struct linebacker_config, patience, "patience", 64, 1, 1000000, "windows",
              "an inactive CTA is woken after so many, whatever the IPC"),
    PARAM_U32(struct linebacker_config, ways, "ways", 0, 0, 32, "ways",
              "of a partition; 0: as many as make 24 KB with the L1's sets"),
    PARAM_U32(struct linebacker_config, offset, "offset", 512, 0, 65536, "registers",
              "first register that may hold a line (equation 2)"),
    PARAM_U32(struct linebacker_config, partition_cycles, "partition_cycles", 3, 0, 1000, "cycles",
              "to search a partition (table 3)"),
    PARAM_BOOL(struct linebacker_config, miss_waits, "miss_waits", true,
               "a load that no partition holds is fetched after the search"),
    PARAM_U64(struct linebacker_config, backup_base, "backup_base", 137438953472, 0, 281474976710656, "address",
              "where registers are backed up"),
    PARAM_U32_OF(PARAM_DEBUG, struct linebacker_config, forced, "forced", 0, 0, 1000000000, "",
                 "for tests: a seed; throttles and wakes at random in each window, whatever is monitored. 0: off"),
    PARAM_END
};

#define STAT_DEF "policy/linebacker_counters.def"
#define STAT_NAME linebacker
#include "stat/define.h"

static bool check(const void *config, const struct policy_geometry *g, char *text, size_t size)
{
    const struct linebacker_shape s = shape_of(config, g);
    if (g->cache[LEVEL_L1].line_bytes != LINE_BYTES)
        (void)snprintf(text, size, "a register holds a line of 128 bytes: l1.line must be 128, not %u",
                       g->cache[LEVEL_L1].line_bytes);
    else if (!s.partitions)
        (void)snprintf(text, size,
                       "no partition of %u sets and %u ways fits into the %u registers from %u on; give a smaller ways or offset",
                       s.sets, s.ways, g->registers_per_sm / 32, ((const struct linebacker_config *)config)->offset);
    else if (g->ctas_per_sm > CTAS)
        (void)snprintf(text, size, "the tables have room for 32 CTAs per SM, not %u", g->ctas_per_sm);
    else
        return true;
    return false;
}

static void sizes(const void *config, const struct policy_geometry *g, struct policy_sizes *out)
{
    const struct linebacker_shape s = shape_of(config, g);
    out->sm = sizeof(struct linebacker_sm) + (size_t)lines_of(&s) * s.partitions * sizeof(struct linebacker_victim);
    out->line[LEVEL_L1] = 1; /* the hashed PC */
}

/* ---- load monitor ---------------------------------------------------------------------------------------------------- */

static uint32_t hashed_pc(uint64_t pc)
{
    const uint32_t p = (uint32_t)pc;
    return (p ^ p >> 5 ^ p >> 10 ^ p >> 15 ^ p >> 20 ^ p >> 25 ^ p >> 30) & (LOADS - 1);
}

static void monitor(const struct policy_self *self, struct linebacker_sm *sm, const struct policy_access *a, bool hit)
{
    struct linebacker_counters *count = policy_sm_counters(self, a->unit);
    const uint32_t h = hashed_pc(a->pc);
    ++*(hit ? &sm->load[h].hits : &sm->load[h].misses);
    ++*(hit ? &count->monitor_hits : &count->monitor_misses);
}

static void start_caching(const struct policy_self *self, uint32_t id, uint32_t selected, uint64_t cycle)
{
    struct linebacker_sm *sm = policy_sm_state(self, id);
    const struct linebacker_shape s = shape_of(self->config, self->geometry);
    linebacker_forget(sm, &s, partitions_of(sm, &s)); /* tags without data */
    sm->phase = CACHING;
    sm->selected = selected;
    sm->known[sm->kernel % KNOWN].kernel = sm->kernel;
    sm->known[sm->kernel % KNOWN].selected = selected;
    linebacker_set_partitions(self, id, true, cycle);
}

static void classify(const struct policy_self *self, uint32_t id, uint64_t cycle)
{
    const struct linebacker_config *c = self->config;
    struct linebacker_sm *sm = policy_sm_state(self, id);
    struct linebacker_counters *count = policy_sm_counters(self, id);
    count->windows_monitored++;
    sm->high_before = sm->high;
    sm->high = 0;
    for (uint32_t h = 0; h < LOADS; h++) {
        const uint64_t hits = sm->load[h].hits, all = hits + sm->load[h].misses;
        sm->high |= (uint32_t)(hits * 100 > all * c->hit_percent) << h;
        sm->load[h].hits = sm->load[h].misses = 0;
    }
    const uint32_t both = sm->high & sm->high_before;
    const uint32_t selected = c->match == MATCH_LOAD || sm->high == sm->high_before ? both : 0;
    if (sm->windows >= 2 && selected) {
        count->selected++;
        count->loads += (uint64_t)__builtin_popcount(selected);
        start_caching(self, id, selected, cycle);
    } else if (sm->windows == 2 && !sm->high && !sm->high_before) {
        const struct linebacker_shape s = shape_of(c, self->geometry);
        linebacker_forget(sm, &s, partitions_of(sm, &s));
        sm->phase = OFF;
        count->off++;
    }
}

static void every_cycles(struct policy_self *self, uint64_t cycle)
{
    const struct linebacker_config *c = self->config;
    for (uint32_t id = 0; id < self->geometry->sms; id++) {
        struct linebacker_sm *sm = policy_sm_state(self, id);
        struct linebacker_counters *count = policy_sm_counters(self, id);
        struct policy_totals totals;
        if (ctas_in(sm, 1u << ABSENT) == CTAS)
            continue;
        self->machine->totals(self->machine->gpu, id, &totals);
        const uint64_t instructions = totals.thread_instructions - sm->instructions;
        sm->instructions = totals.thread_instructions;
        sm->windows++;
        count->windows++;
        if (sm->phase == MONITORING)
            classify(self, id, cycle);
        if (c->throttle && (sm->phase == CACHING || c->forced))
            linebacker_control(self, id, instructions, cycle);
        sm->before = instructions;
        linebacker_set_partitions(self, id, false, cycle); /* counts their time as well */
    }
}

/* ---- accesses -------------------------------------------------------------------------------------------------------- */

static void serve(struct policy_self *self, const struct policy_access *a, struct policy_serve *answer)
{
    const struct linebacker_config *c = self->config;
    struct linebacker_sm *sm = policy_sm_state(self, a->unit);
    const struct linebacker_shape s = shape_of(c, self->geometry);
    if (sm->phase != CACHING || !sm->active)
        return;
    const struct linebacker_found f = linebacker_find(sm, &s, a->set, a->address);
    answer->served = answer->later = f.victim && sm->reads < READS_MAX;
    answer->cycles = c->miss_waits && !answer->served ? f.searched * c->partition_cycles : 0;
}

/* A line that is here waits for its turn at the arbiter. */
static bool may_miss(struct policy_self *self, const struct policy_access *a)
{
    struct linebacker_sm *sm = policy_sm_state(self, a->unit);
    const struct linebacker_shape s = shape_of(self->config, self->geometry);
    return sm->phase != CACHING || sm->reads < READS_MAX || !linebacker_find(sm, &s, a->set, a->address).victim;
}

/* Reads the register of a line that was found: the partitions before it were searched one after the other. */
static void read_victim(const struct policy_self *self, const struct policy_access *a)
{
    const struct linebacker_config *c = self->config;
    struct linebacker_sm *sm = policy_sm_state(self, a->unit);
    const struct linebacker_shape s = shape_of(c, self->geometry);
    const struct linebacker_found f = linebacker_find(sm, &s, a->set, a->address);
    uint32_t i = 0;
    while (sm->read[i].request)
        i++;
    f.victim->stamp = ++sm->clock;
    const uint32_t number = register_number(c, &s, f.partition, a->set, f.way);
    if (!self->machine->access_register(self->machine->gpu, a->unit, number, false, f.searched * c->partition_cycles,
                                        TOKEN(TOKEN_READ, i))) {
        self->machine->deliver(self->machine->gpu, a->unit, a->request); /* another policy has taken all places of the arbiter */
        return;
    }
    sm->read[i].request = a->request;
    sm->read[i].partition = f.partition;
    sm->reads++;
    sm->in_flight[f.partition]++;
}

/* A miss while monitoring: true when its tag is here. The line will be in the L1 again, so the tag goes. */
static bool drop_tag(const struct policy_self *self, const struct linebacker_shape *s, const struct policy_access *a)
{
    struct linebacker_sm *sm = policy_sm_state(self, a->unit);
    const struct linebacker_found f = linebacker_find(sm, s, a->set, a->address);
    ((struct linebacker_counters *)policy_sm_counters(self, a->unit))->tag_uses += f.searched;
    if (f.victim)
        f.victim->valid = false;
    return f.victim;
}

static void accessed(struct policy_self *self, const struct policy_access *a, enum policy_outcome outcome, uint32_t way)
{
    const struct linebacker_config *c = self->config;
    struct linebacker_sm *sm = policy_sm_state(self, a->unit);
    struct linebacker_counters *count = policy_sm_counters(self, a->unit);
    const struct linebacker_shape s = shape_of(c, self->geometry);
    if (a->write || a->atomic) {
        const struct linebacker_found f = linebacker_find(sm, &s, a->set, a->address);
        if (f.victim)
            f.victim->valid = false;
        count->tag_uses += f.searched;
        count->dropped_by_store += f.victim && sm->phase == CACHING;
        return;
    }
    if (outcome == OUTCOME_BYPASSED)
        return;
    if (way != NO_WAY)
        *(uint8_t *)policy_line_state(self, LEVEL_L1, a->unit, a->set, way) = (uint8_t)hashed_pc(a->pc);
    if (sm->phase == CACHING && sm->active && (outcome == OUTCOME_MISS || outcome == OUTCOME_ELSEWHERE)) {
        const uint32_t searched = linebacker_find(sm, &s, a->set, a->address).searched;
        count->searches++;
        count->partitions_searched += searched;
        count->tag_uses += searched;
    }
    if (outcome == OUTCOME_ELSEWHERE && linebacker_find(sm, &s, a->set, a->address).victim) {
        count->hits++;
        read_victim(self, a);
    } else if (sm->phase == MONITORING) {
        const bool searched = sm->searched_for == a->address + 1;
        const bool tag = outcome == OUTCOME_MISS && (searched ? sm->tag_found : drop_tag(self, &s, a));
        sm->searched_for = 0;
        count->monitor_tag_hits += tag;
        monitor(self, sm, a, outcome == OUTCOME_HIT || tag || (outcome == OUTCOME_MERGED && c->merged_hits));
    }
}

static void evicted(struct policy_self *self, const struct policy_evicted *e)
{
    const struct linebacker_config *c = self->config;
    struct linebacker_sm *sm = policy_sm_state(self, e->unit);
    struct linebacker_counters *count = policy_sm_counters(self, e->unit);
    const struct linebacker_shape s = shape_of(c, self->geometry);
    const uint32_t h = *(const uint8_t *)policy_line_state(self, LEVEL_L1, e->unit, e->set, e->way);
    if (e->reason != EVICTED_BY_FILL || sm->phase == OFF || !partitions_of(sm, &s))
        return;
    if (e->dirty || e->sectors_held != 15 || (sm->phase == CACHING && !(sm->selected >> h & 1))) {
        count->passed_over++;
        return;
    }
    if (sm->phase == CACHING && sm->writes == WRITES_MAX) {
        count->crowded_out++;
        return;
    }
    /* The tags are searched for the miss before they get the tag of the line that it evicts; `accessed` hears of it later. */
    if (sm->phase == MONITORING && e->by) {
        sm->searched_for = e->by->address + 1;
        sm->tag_found = drop_tag(self, &s, e->by);
    }
    struct linebacker_found f = linebacker_find(sm, &s, e->set, e->address);
    if (!f.victim)
        f = linebacker_place(sm, &s, e->set);
    if (sm->phase == CACHING) {
        const uint32_t number = register_number(c, &s, f.partition, e->set, f.way);
        if (!self->machine->access_register(self->machine->gpu, e->unit, number, true, 0, TOKEN(TOKEN_STORE, f.partition))) {
            count->crowded_out++;
            return;
        }
        sm->writes++;
        sm->in_flight[f.partition]++;
        count->stored++;
        count->replaced += f.victim->valid && f.victim->address != e->address;
    }
    count->tag_uses++;
    *f.victim = (struct linebacker_victim){ e->address, ++sm->clock, true };
}

static void flushed(struct policy_self *self, uint32_t level, uint32_t unit)
{
    (void)level;
    struct linebacker_sm *sm = policy_sm_state(self, unit);
    const struct linebacker_shape s = shape_of(self->config, self->geometry);
    linebacker_forget(sm, &s, partitions_of(sm, &s));
}

/* ---- CTAs and kernels ------------------------------------------------------------------------------------------------ */

static void warp_gate(struct policy_self *self, const struct policy_sm_view *v, struct policy_gate *gate)
{
    const struct linebacker_sm *sm = policy_sm_state(self, v->sm);
    for (uint64_t rest = ctas_in(sm, ~(1u << ABSENT | 1u << ACTIVE)) ? v->resident : 0; rest; rest &= rest - 1) {
        const uint32_t slot = (uint32_t)__builtin_ctzll(rest);
        if (sm->cta[v->cta[slot]].state > ACTIVE)
            gate->run &= ~(1ull << slot);
    }
}

/* A new CTA comes only when no inactive one is left, and when the registers that it may get hold no line. */
static void cta_gate(struct policy_self *self, const struct policy_sm_view *v, uint32_t *limit)
{
    const struct linebacker_sm *sm = policy_sm_state(self, v->sm);
    const uint32_t resident = CTAS - ctas_in(sm, 1u << ABSENT), active = active_ctas(sm);
    const uint32_t more = !sm->depth && sm->target > active && !linebacker_registers_busy(sm) ? sm->target - active : 0;
    *limit = resident + more < *limit ? resident + more : *limit;
}

static void cta_start(struct policy_self *self, const struct policy_sm_view *v, uint32_t cta_slot, uint32_t cta)
{
    (void)cta;
    ((struct linebacker_sm *)policy_sm_state(self, v->sm))->cta[cta_slot].state = ACTIVE;
}

static void kernel_start(struct policy_self *self, const struct policy_kernel *k)
{
    const struct linebacker_config *c = self->config;
    const struct linebacker_shape s = shape_of(c, self->geometry);
    for (uint32_t id = 0; id < self->geometry->sms; id++) {
        struct linebacker_sm *sm = policy_sm_state(self, id);
        struct linebacker_counters *count = policy_sm_counters(self, id);
        struct policy_totals totals = { 0 };
        linebacker_forget(sm, &s, (uint32_t)((1ull << s.partitions) - 1));
        self->machine->totals(self->machine->gpu, id, &totals);
        memset(sm, 0, offsetof(struct linebacker_sm, known));
        sm->instructions = totals.thread_instructions;
        sm->target = sm->fit = k->max_ctas_per_sm;
        sm->cta_registers = k->warps_per_cta * registers_given(k->registers_per_thread);
        sm->moving = NO_SLOT;
        sm->kernel = policy_name_hash(k->name);
        sm->noise = c->forced + id;
        sm->active_since = k->cycle;
        const bool known = c->keep && sm->known[sm->kernel % KNOWN].kernel == sm->kernel;
        count->kept += known;
        count->monitored += c->select == SELECT_LOADS && !known;
        if (known || c->select == SELECT_ALL)
            start_caching(self, id, known ? sm->known[sm->kernel % KNOWN].selected : UINT32_MAX, k->cycle);
    }
}

static void kernel_end(struct policy_self *self, const struct policy_kernel *k)
{
    for (uint32_t id = 0; id < self->geometry->sms; id++)
        linebacker_set_partitions(self, id, false, k->cycle); /* counts their time */
}

static void start(struct policy_self *self)
{
    for (uint32_t id = 0; id < self->geometry->sms; id++)
        ((struct linebacker_sm *)policy_sm_state(self, id))->moving = NO_SLOT;
}

static const char *broken_cta(const struct policy_self *self, uint32_t id, uint32_t slot)
{
    const struct linebacker_config *c = self->config;
    const struct linebacker_sm *sm = policy_sm_state(self, id);
    const struct linebacker_shape s = shape_of(c, self->geometry);
    const uint32_t state = sm->cta[slot].state;
    const struct policy_registers r = self->machine->cta_registers(self->machine->gpu, id, slot);
    if (!r.count)
        return state == ABSENT || state == SAVED || state == WAKING || !sm->cta_registers
                   ? NULL
                   : "a CTA that runs or is moved has no registers";
    if (state == SAVED || state == WAKING)
        return "a CTA that was backed up has registers";
    for (uint32_t rest = sm->active; rest; rest &= rest - 1) {
        const uint32_t first = register_number(c, &s, (uint32_t)__builtin_ctz(rest), 0, 0);
        if (first < r.first + r.count && r.first < first + lines_of(&s))
            return "a register of a CTA is in an active partition";
    }
    return NULL;
}

/* From when a CTA is drained until its last register is back, none of its warps may issue. */
static const char *broken_warps(const struct policy_self *self, uint32_t id)
{
    const struct linebacker_sm *sm = policy_sm_state(self, id);
    for (uint32_t slot = 0; slot < self->geometry->warps_per_sm && ctas_in(sm, ~(1u << ABSENT | 1u << ACTIVE)); slot++) {
        struct policy_warp w;
        self->machine->warp(self->machine->gpu, id, slot, &w);
        if (w.next && sm->cta[w.cta_slot].state > DRAINING && (w.wait == WAIT_NONE || w.wait == WAIT_PIPE))
            return "a warp of an inactive CTA may issue";
    }
    return NULL;
}

static const char *broken(const struct policy_self *self)
{
    for (uint32_t id = 0; id < self->geometry->sms; id++) {
        const struct linebacker_sm *sm = policy_sm_state(self, id);
        const char *text = broken_warps(self, id);
        for (uint32_t slot = 0; slot < self->geometry->ctas_per_sm && !text; slot++)
            text = broken_cta(self, id, slot);
        if (text)
            return text;
        if (ctas_in(sm, 1u << SAVING | 1u << RESTORING) != (sm->moving != NO_SLOT))
            return "registers are moved of more or fewer CTAs than one";
        if (sm->active && sm->phase != CACHING)
            return "partitions are active before loads were selected";
    }
    return NULL;
}

/* Section 4.2, row by row: 240 + 392 + 12 + 7 + 180 + 4608 + 792 bytes on the paper's machine. Without throttling nothing is backed
 * up, and of the CTA manager #reg and LRN are left; whoever keeps all lines monitors no loads. */
static uint32_t hardware(const void *config, const struct policy_geometry *g, struct policy_hardware rows[])
{
    const struct linebacker_config *c = config;
    const struct linebacker_shape s = shape_of(config, g);
    const struct policy_cache_geometry *l1 = &g->cache[LEVEL_L1];
    const bool selects = c->select == SELECT_LOADS;
    uint32_t n = 0;
    rows[n++] = (struct policy_hardware){ "hashed PC of each L1 line", PER_SM, selects ? (uint64_t)l1->sets * l1->ways : 0, 5 };
    rows[n++] = (struct policy_hardware){ "load monitor: valid, PC, hits, misses", PER_SM, selects ? LOADS : 0, 2 + 3 * 32 };
    rows[n++] = (struct policy_hardware){ "IPC monitor", PER_SM, c->throttle ? 3 : 0, 32 };
    rows[n++] = (struct policy_hardware){ "CTA manager: #reg, LRN, BP", PER_SM, 1, 11 + 11 + (c->throttle ? 32 : 0) };
    rows[n++] = (struct policy_hardware){ "per-CTA info: ACT, C, FRN, BA", PER_SM, c->throttle ? CTAS : 0, 1 + 1 + 11 + 32 };
    rows[n++] =
        (struct policy_hardware){ "victim tags: valid, tag, LRU", PER_SM, (uint64_t)lines_of(&s) * s.partitions, 1 + 18 + 5 };
    rows[n++] = (struct policy_hardware){ "backup and restore buffer", PER_SM, c->throttle ? BUFFER : 0, 32 + LINE_BYTES * 8 };
    return n;
}

/* Table 3, which has them from CACTI. A search of several partitions is one use each, for loads and stores, and while monitoring.
 */
#define TABLE_3 "Oh et al., ISCA 2019, table 3"
static const struct policy_energy energy[] = {
    { .structure = "hashed PC of each L1 line", .uses = "l1.accesses", .use_pj = 0.09, .source = TABLE_3 },
    { .structure = "load monitor: valid, PC, hits, misses",
      .uses = "linebacker.monitor.hits+linebacker.monitor.misses",
      .use_pj = 0.32,
      .source = TABLE_3 },
    { .structure = "IPC monitor", .uses = "warp_instructions" },
    { .structure = "CTA manager: #reg, LRN, BP", .uses = "linebacker.ctas.throttled+linebacker.backups+linebacker.restores" },
    { .structure = "per-CTA info: ACT, C, FRN, BA",
      .uses = "linebacker.ctas.throttled+linebacker.backups+linebacker.restores",
      .use_pj = 1.94,
      .source = TABLE_3 },
    { .structure = "victim tags: valid, tag, LRU", .uses = "linebacker.tag_uses", .use_pj = 2.05, .source = TABLE_3 },
    { .structure = "backup and restore buffer", .uses = "linebacker.registers.saved+linebacker.registers.restored" },
    { .structure = NULL }
};

static uint64_t cycle_period(const void *config)
{
    return ((const struct linebacker_config *)config)->window;
}

const struct policy policy_linebacker = {
    .name = "linebacker",
    .summary = "victim lines of selected loads in idle registers, with CTA throttling and register backup",
    .source = "Oh et al., ISCA 2019",
    .params = params,
    .config_size = sizeof(struct linebacker_config),
    .counters = &linebacker_stat_group,
    .check = check,
    .sizes = sizes,
    .start = start,
    .hardware = hardware,
    .energy = energy,
    .cycle_period = cycle_period,
    .period_restarts = true,
    .broken = broken,
    .gpu = { .kernel_start = kernel_start, .kernel_end = kernel_end, .every_cycles = every_cycles },
    .sm = { .warp_gate = warp_gate,
            .cta_gate = cta_gate,
            .cta_start = cta_start,
            .cta_end = linebacker_cta_end,
            .cta_drained = linebacker_cta_drained,
            .injected = linebacker_injected,
            .register_done = linebacker_register_done },
    .cache = { .serve = serve, .may_miss = may_miss, .accessed = accessed, .evicted = evicted, .flushed = flushed },
};
