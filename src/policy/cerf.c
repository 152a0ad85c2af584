/* cerf - cache-emulated register file (Jing et al., MICRO 2016), as Oh et al., ISCA 2019 compare with it: register file and L1 are
 * one store of lines.
 *
 * A register takes a line of the store when it is first written and gives it back after its last read, or when its warp ends. What
 * no register holds is cache. Lines of registers are pinned: when one is written, the least recently used cache line of its set
 * goes. Hits and fills use the banks of the register file, with its arbitration.
 *
 * Where the texts leave a choice:
 *  - The store has the L1's sets, and as many ways as L1 and register file have lines together: 304 KB are 64 sets of 38 ways with
 *    l1.sets=64 and l1.ways=6, which is the same 48 KB L1; with 48 sets some have one way more than others, and whole ways are
 * used.
 *  - A register's set is its number in the file modulo the sets.
 *  - After its last read a register is free only when all 32 lanes have read it: lanes on another way may still need it. Front ends
 *    that know no last reads (traces) keep registers until the warp ends.
 *  - A warp never holds more lines than the registers that it was given; a value of 64 bits counts once, a predicate too.
 *  - A fill whose access finds all places of the arbiter taken is not delayed.
 *  - Of the hardware only the tags are named: valid, tag and recency for each line that may be a register's. */
#include <stdio.h>

#include "policy/policy.h"

enum { WARPS = 64, NUMBERS = 1024, READS_MAX = 48, TAGS_MAX = 64, SETS_MAX = 1024 };

struct sm {
    uint64_t live[WARPS][NUMBERS / 64]; /* by the register's number in the instructions */
    uint16_t held[WARPS];               /* lines that a warp's registers hold */
    uint16_t lines[SETS_MAX];           /* of each set that hold registers */
    struct request *read[READS_MAX];
    uint32_t warp_registers, reads;
};

#define STAT_DEF "policy/cerf_counters.def"
#define STAT_NAME cerf
#include "stat/declare.h"
#define STAT_DEF "policy/cerf_counters.def"
#define STAT_NAME cerf
#include "stat/define.h"

static uint32_t ways_of(const struct policy_geometry *g)
{
    const struct policy_cache_geometry *l1 = &g->cache[LEVEL_L1];
    const uint32_t ways = l1->ways + g->registers_per_sm / 32 / (l1->sets ? l1->sets : 1);
    return ways < TAGS_MAX ? ways : TAGS_MAX;
}

static bool check(const void *config, const struct policy_geometry *g, char *text, size_t size)
{
    (void)config;
    const struct policy_cache_geometry *l1 = &g->cache[LEVEL_L1];
    if (l1->line_bytes != 128)
        (void)snprintf(text, size, "a register holds a line of 128 bytes: l1.line must be 128, not %u", l1->line_bytes);
    else if (l1->ways > TAGS_MAX || l1->sets > SETS_MAX)
        (void)snprintf(text, size, "an L1 of at most %d sets and %d ways", SETS_MAX, TAGS_MAX);
    else
        return true;
    return false;
}

static void sizes(const void *config, const struct policy_geometry *g, struct policy_sizes *out)
{
    (void)config, (void)g;
    out->sm = sizeof(struct sm);
}

/* ---- the store ------------------------------------------------------------------------------------------------------- */

static uint32_t tags_per_set(struct policy_self *self, uint32_t level)
{
    (void)level;
    return ways_of(self->geometry);
}

static uint32_t set_bytes(struct policy_self *self, uint32_t level)
{
    return ways_of(self->geometry) * self->geometry->cache[level].line_bytes;
}

static uint32_t stored_bytes(struct policy_self *self, const struct policy_access *a, uint32_t way, uint32_t fetched, bool filled)
{
    (void)self, (void)a, (void)way, (void)filled;
    return fetched;
}

#define TOKEN_MARK 0x4345ull /* "CE" */
enum { NOBODY = READS_MAX };
static uint64_t token_of(uint32_t read)
{
    return TOKEN_MARK << 48 | read;
}

static uint32_t number_of(const struct policy_self *self, uint32_t set, uint32_t way)
{
    return way * self->geometry->cache[LEVEL_L1].sets + set;
}

/* The data of a hit come when the bank has time. */
static bool hit_later(struct policy_self *self, const struct policy_access *a, uint32_t way)
{
    struct sm *sm = policy_sm_state(self, a->unit);
    struct cerf_counters *count = policy_sm_counters(self, a->unit);
    uint32_t i = 0;
    while (i < READS_MAX && sm->read[i])
        i++;
    if (i == READS_MAX ||
        !self->machine->access_register(self->machine->gpu, a->unit, number_of(self, a->set, way), false, 0, token_of(i)))
        return false;
    sm->read[i] = a->request;
    count->hits++;
    return true;
}

static void filled(struct policy_self *self, const struct policy_access *a, uint32_t way)
{
    struct cerf_counters *count = policy_sm_counters(self, a->unit);
    count->fills++;
    if (!self->machine->access_register(self->machine->gpu, a->unit, number_of(self, a->set, way), true, 0, token_of(NOBODY)))
        count->fills_unqueued++;
}

static void register_done(struct policy_self *self, const struct policy_sm_view *v, uint64_t token)
{
    struct sm *sm = policy_sm_state(self, v->sm);
    const uint32_t i = (uint32_t)token;
    if (token >> 48 != TOKEN_MARK || i >= READS_MAX)
        return;
    self->machine->deliver(self->machine->gpu, v->sm, sm->read[i]);
    sm->read[i] = NULL;
}

/* ---- registers ------------------------------------------------------------------------------------------------------- */

static uint32_t set_of(const struct policy_self *self, const struct sm *sm, uint32_t slot, uint32_t reg)
{
    const uint32_t sets = self->geometry->cache[LEVEL_L1].sets;
    return (slot * sm->warp_registers + reg % (sm->warp_registers ? sm->warp_registers : 1)) % sets;
}

static void set_lines(const struct policy_self *self, uint32_t id, uint32_t set, int more)
{
    struct sm *sm = policy_sm_state(self, id);
    const uint32_t most = ways_of(self->geometry) - self->geometry->cache[LEVEL_L1].ways; /* the L1's own lines stay */
    sm->lines[set] = (uint16_t)(sm->lines[set] + more);
    const uint32_t lines = sm->lines[set] < most ? sm->lines[set] : most;
    self->machine->take_space(self->machine->gpu, id, set, lines * self->geometry->cache[LEVEL_L1].line_bytes);
}

static void take(const struct policy_self *self, uint32_t id, uint32_t slot, uint32_t reg)
{
    struct sm *sm = policy_sm_state(self, id);
    uint64_t *word = &sm->live[slot][reg % NUMBERS / 64];
    if ((*word >> reg % 64 & 1) || sm->held[slot] >= sm->warp_registers)
        return;
    *word |= 1ull << reg % 64;
    sm->held[slot]++;
    ((struct cerf_counters *)policy_sm_counters(self, id))->taken++;
    set_lines(self, id, set_of(self, sm, slot, reg % NUMBERS), 1);
}

static void give_back(const struct policy_self *self, uint32_t id, uint32_t slot, uint32_t reg)
{
    struct sm *sm = policy_sm_state(self, id);
    uint64_t *word = &sm->live[slot][reg % NUMBERS / 64];
    if (!(*word >> reg % 64 & 1))
        return;
    *word &= ~(1ull << reg % 64);
    sm->held[slot]--;
    set_lines(self, id, set_of(self, sm, slot, reg % NUMBERS), -1);
}

static void issued(struct policy_self *self, const struct policy_sm_view *v, uint32_t slot, const struct inst *inst,
                   uint32_t active)
{
    struct cerf_counters *count = policy_sm_counters(self, v->sm);
    for (uint32_t i = 0; i < inst->nsrc && active == UINT32_MAX; i++)
        if (inst->last_reads >> i & 1) {
            count->freed_by_last_read++;
            give_back(self, v->sm, slot, inst->src[i]);
        }
    for (uint32_t i = 0; i < inst->ndst; i++)
        if (inst->dst[i])
            take(self, v->sm, slot, inst->dst[i]);
}

static void warp_end(struct policy_self *self, const struct policy_sm_view *v, uint32_t slot)
{
    struct sm *sm = policy_sm_state(self, v->sm);
    for (uint32_t w = 0; w < NUMBERS / 64; w++)
        for (uint64_t rest = sm->live[slot][w]; rest; rest &= rest - 1)
            give_back(self, v->sm, slot, w * 64 + (uint32_t)__builtin_ctzll(rest));
}

static void kernel_start(struct policy_self *self, const struct policy_kernel *k)
{
    for (uint32_t id = 0; id < self->geometry->sms; id++)
        ((struct sm *)policy_sm_state(self, id))->warp_registers = registers_given(k->registers_per_thread);
}

static const char *broken(const struct policy_self *self)
{
    for (uint32_t id = 0; id < self->geometry->sms; id++) {
        const struct sm *sm = policy_sm_state(self, id);
        uint32_t held = 0, lines = 0;
        for (uint32_t w = 0; w < WARPS; w++)
            held += sm->held[w];
        for (uint32_t s = 0; s < self->geometry->cache[LEVEL_L1].sets; s++)
            lines += sm->lines[s];
        if (held != lines)
            return "the sets hold more or fewer registers than the warps have";
    }
    return NULL;
}

static uint32_t hardware(const void *config, const struct policy_geometry *g, struct policy_hardware rows[])
{
    (void)config;
    rows[0] =
        (struct policy_hardware){ "tags of lines in registers: valid, tag, LRU", PER_SM, g->registers_per_sm / 32, 1 + 18 + 3 };
    return 1;
}

const struct policy policy_cerf = {
    .name = "cerf",
    .summary = "register file and L1 as one store: what no live register holds is cache",
    .source = "Jing et al., MICRO 2016",
    .counters = &cerf_stat_group,
    .check = check,
    .sizes = sizes,
    .hardware = hardware,
    .broken = broken,
    .gpu = { .kernel_start = kernel_start },
    .sm = { .issued = issued, .warp_end = warp_end, .register_done = register_done },
    .cache = { .storage = { .tags_per_set = tags_per_set,
                            .set_bytes = set_bytes,
                            .stored_bytes = stored_bytes,
                            .hit_later = hit_later },
               .filled = filled },
};
