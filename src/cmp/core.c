/* core.c - one out-of-order core: the trace, dispatch, and what holds it up. */
#include "cmp/core.h"

#include <stdlib.h>
#include <string.h>

#include "cmp/core_state.h"

#define STAT_DEF "cmp/cpu_counters.def"
#define STAT_NAME cpu
#include "stat/define.h"

struct core *core_new(const struct cmp_config *config, uint32_t index, struct cpu_trace *trace, const struct core_port *port)
{
    struct core *c = must_calloc_aligned(1, sizeof *c);
    c->config = *config;
    c->index = index;
    c->trace = trace;
    c->port = *port;
    c->mask = config->rob - 1;
    c->branch = NO_ENTRY;
    c->fetch_line = c->noted = UNKNOWN;
    c->end = config->instructions ? config->warmup + config->instructions : UNKNOWN;
    private_cache_init(&c->l1i, &config->l1i);
    private_cache_init(&c->l1d, &config->l1d);
    private_cache_init(&c->l2, &config->l2);
    page_map_init(&c->pages, config->page_seed, index);
    c->predictor = branch_predictor_new();
    return c;
}

void core_free(struct core *c)
{
    if (!c)
        return;
    private_cache_clear(&c->l1i);
    private_cache_clear(&c->l1d);
    private_cache_clear(&c->l2);
    page_map_clear(&c->pages);
    branch_predictor_free(c->predictor);
    free(c);
}

bool core_has_finished(const struct core *c)
{
    return c->finished;
}

uint64_t core_next(const struct core *c)
{
    return c->next;
}

struct cpu_counters core_counters(const struct core *c)
{
    struct cpu_counters now = c->finished ? c->after : c->counters, out;
    const uint64_t cycles = c->finished ? c->after.cycles : c->retire_cycle - c->cycle_before;
    const uint64_t instructions = c->finished                     ? c->after.instructions
                                  : c->retired > c->config.warmup ? c->retired - c->config.warmup
                                                                  : 0;
    stat_subtract(&cpu_stat_group, &out, &now, &c->before);
    out.cycles = cycles;
    out.instructions = instructions;
    return out;
}

/* ---- the trace ---- */

/* Keeps two instructions in the batch if the trace has two. At its end the trace begins anew. */
static bool supply(struct core *c, struct error *err)
{
    if (c->count - c->at > 1)
        return true;
    c->batch[0] = c->batch[c->at];
    c->count -= c->at;
    c->at = 0;
    size_t got;
    if (!cpu_trace_read(c->trace, c->batch + c->count, BATCH - c->count, &got, err))
        return false;
    if (!got) {
        const uint64_t length = c->dispatched + c->count;
        if (!c->trace_ended && c->end == UNKNOWN) {
            if (length <= c->config.warmup)
                return error_set(err, "the trace of core %u has %llu instructions, no more than cmp.warmup", c->index,
                                 (unsigned long long)length);
            c->end = length;
        }
        c->trace_ended = true;
        if (!cpu_trace_rewind(c->trace, err) || !cpu_trace_read(c->trace, c->batch + c->count, BATCH - c->count, &got, err))
            return false;
    }
    c->count += got;
    return true;
}

/* Counters of the caches cover the same instructions in every run, however long those take. */
static void note_window(struct core *c)
{
    if (c->noted == c->dispatched) /* it waits for something and is looked at again */
        return;
    c->noted = c->dispatched;
    if (c->dispatched == c->config.warmup)
        c->before = c->counters;
    if (c->dispatched == c->end && !c->finished)
        c->after = c->counters;
}

/* ---- branches ---- */

static bool reads(const struct cpu_inst *inst, uint8_t reg)
{
    return memchr(inst->source, reg, sizeof inst->source) != NULL;
}

/* By its registers, as ChampSim's readers do. */
static bool is_mispredicted(struct core *c, const struct cpu_inst *inst, const struct cpu_inst *next)
{
    const bool stack = inst->dest[0] == CPU_REG_SP || inst->dest[1] == CPU_REG_SP;
    const bool flags = reads(inst, CPU_REG_FLAGS), pointer = reads(inst, CPU_REG_IP);
    uint32_t others = 0;
    for (uint32_t i = 0; i < 4; i++)
        others +=
            inst->source[i] && inst->source[i] != CPU_REG_SP && inst->source[i] != CPU_REG_FLAGS && inst->source[i] != CPU_REG_IP;
    c->counters.branches++;
    bool right = true;
    if (!stack && (flags || (pointer && others)))
        right = branch_predict_direction(c->predictor, inst->pc, inst->taken);
    else if (others && next) /* an indirect jump or call; the target of a return or of a direct jump is known */
        right = branch_predict_target(c->predictor, inst->pc, next->pc);
    c->counters.mispredicted += !right;
    return !right;
}

/* ---- dispatch ---- */

static void wait_until(struct core *c, uint64_t cycle, uint64_t *stall)
{
    if (cycle <= c->front)
        return;
    *stall += cycle - c->front;
    c->front = cycle;
    c->front_count = 0;
}

/* The instruction's line. False: it is on its way. */
static bool fetch(struct core *c, const struct cpu_inst *inst)
{
    if (c->fetch_miss) {
        const uint64_t filled = core_filled_at(c, c->fetch_miss);
        if (filled == UNKNOWN)
            return false;
        wait_until(c, filled, &c->counters.stall_fetch);
        c->fetch_miss = 0;
        return true;
    }
    const uint64_t line = inst->pc / CMP_LINE_BYTES;
    if (line == c->fetch_line)
        return true;
    c->fetch_line = line;
    const struct found f = core_fetch(c, inst->pc, c->front);
    if (f.miss) {
        c->fetch_miss = f.miss;
        core_send(c, f.miss, c->front);
        return fetch(c, inst);
    }
    wait_until(c, c->front + f.latency, &c->counters.stall_fetch);
    return true;
}

/* When the oldest store leaves the buffer; UNKNOWN when that cannot be said yet. */
static uint64_t oldest_store_leaves(const struct core *c)
{
    const struct store *s = &c->stores[c->store_first];
    if (s->retired == UNKNOWN)
        return UNKNOWN;
    uint64_t at = s->retired + 1;
    for (uint32_t i = 0; i < CPU_STORES; i++) {
        const uint64_t filled = s->miss[i] ? core_filled_at(c, s->miss[i]) : 0;
        if (filled == UNKNOWN)
            return UNKNOWN;
        at = filled > at ? filled : at;
    }
    return at;
}

static bool make_room_for_store(struct core *c)
{
    if (c->store_count < c->config.store_buffer)
        return true;
    const uint64_t leaves = oldest_store_leaves(c);
    if (leaves == UNKNOWN)
        return false;
    wait_until(c, leaves, &c->counters.stall_store);
    c->store_first = (c->store_first + 1) % STORES_MAX;
    c->store_count--;
    return true;
}

/* True when no branch keeps dispatch from going on. */
static bool branch_is_known(struct core *c)
{
    if (c->branch == NO_ENTRY)
        return true;
    const uint64_t done = c->rob[c->branch].done;
    if (done == UNKNOWN)
        return false;
    wait_until(c, done + c->config.redirect, &c->counters.stall_branch);
    c->branch = NO_ENTRY;
    return true;
}

static void dispatch(struct core *c, const struct cpu_inst *inst)
{
    struct found loads[CPU_LOADS] = { 0 };
    uint32_t load_count = 0;
    uint16_t store = NO_ENTRY;
    for (uint32_t i = 0; i < CPU_LOADS && inst->address[CPU_STORES + i]; i++) {
        loads[load_count++] = core_access(c, inst->address[CPU_STORES + i], inst->pc, false, c->front);
        c->counters.loads++;
    }
    if (inst->address[0]) {
        store = (uint16_t)((c->store_first + c->store_count++) % STORES_MAX);
        c->stores[store] = (struct store){ .retired = UNKNOWN };
        for (uint32_t i = 0; i < CPU_STORES && inst->address[i]; i++) {
            c->stores[store].miss[i] = core_access(c, inst->address[i], inst->pc, true, c->front).miss;
            c->counters.stores++;
        }
    }
    const struct cpu_inst *next = c->at + 1 < c->count ? inst + 1 : NULL;
    const bool mispredicted = (inst->kind & CPU_BRANCH) && is_mispredicted(c, inst, next);
    if (mispredicted)
        c->branch = (uint32_t)c->dispatched & c->mask;
    core_enter(c, inst, loads, load_count, store, c->front);
    if (++c->front_count == c->config.width) {
        c->front++;
        c->front_count = 0;
    }
    core_retire(c);
}

bool core_run(struct core *c, uint64_t until, struct error *err)
{
    c->next = UNKNOWN;
    for (;;) {
        if (c->dispatched - c->retired == c->config.rob || !branch_is_known(c) || !supply(c, err))
            return err->text[0] == '\0';
        const struct cpu_inst *inst = &c->batch[c->at];
        wait_until(c, c->retired_at[c->dispatched & c->mask], &c->counters.stall_rob);
        if (c->front >= until) {
            c->next = c->front;
            return true;
        }
        note_window(c);
        if (!fetch(c, inst) || (inst->address[0] && !make_room_for_store(c)))
            return true;
        if (c->front >= until) {
            c->next = c->front;
            return true;
        }
        dispatch(c, inst);
        c->at++;
    }
}

/* ---- functional ---- */

bool core_step_functional(struct core *c, struct error *err)
{
    if (!supply(c, err))
        return false;
    const struct cpu_inst *inst = &c->batch[c->at++];
    note_window(c);
    if (inst->pc / CMP_LINE_BYTES != c->fetch_line) {
        c->fetch_line = inst->pc / CMP_LINE_BYTES;
        const struct found f = core_fetch(c, inst->pc, 0);
        if (f.miss)
            core_send(c, f.miss, 0);
    }
    for (uint32_t i = 0; i < CPU_STORES + CPU_LOADS; i++) { /* what is read comes first, as in a timed run */
        const uint32_t slot = i < CPU_LOADS ? CPU_STORES + i : i - CPU_LOADS;
        if (!inst->address[slot])
            continue;
        const struct found f = core_access(c, inst->address[slot], inst->pc, slot < CPU_STORES, 0);
        if (slot < CPU_STORES)
            c->counters.stores++;
        else
            c->counters.loads++;
        if (f.miss)
            core_send(c, f.miss, 0);
    }
    c->dispatched++;
    c->retired++;
    if (c->retired == c->config.warmup)
        c->port.mark(c->port.chip, c->index, false);
    note_window(c);
    if (c->retired == c->end && !c->finished) {
        c->finished = true;
        c->after.instructions = c->end - c->config.warmup;
        c->port.mark(c->port.chip, c->index, true);
    }
    return true;
}
