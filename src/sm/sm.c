/* sm.c - makes an SM, gives it CTAs, and runs its cycle. */
#include "sm/sm.h"
#include "sm/sm_state.h"

#include <stdlib.h>
#include <string.h>

#include "base/near.h"

#define STAT_DEF "sm/sm_counters.def"
#define STAT_NAME sm
#include "stat/define.h"

static void make_pipes(struct sm *sm)
{
    const struct sm_config *c = sm->config;
    uint32_t collectors = 0;
    for (uint32_t p = 0; p < PIPE_LISTED; p++) {
        sm->issue_regs[p].width = (uint32_t)c->issue_width.value[p];
        sm->execute_regs[p].width = (uint32_t)c->execute_width.value[p];
        sm->collectors[p] = (struct sm_collectors){ .all = (uint32_t)((1ull << c->collectors.value[p]) - 1),
                                                    .first = (uint8_t)collectors,
                                                    .units = (uint8_t)c->units.value[p],
                                                    .inputs = (uint8_t)c->collector_inputs.value[p],
                                                    .outputs = (uint8_t)c->collector_outputs.value[p] };
        for (uint32_t i = 0; i < c->collectors.value[p]; i++)
            sm->collector_pipe[collectors++] = (uint8_t)p;
        sm->issue_full[0] |= (uint32_t)(!c->units.value[p] || op_slots_full(&sm->issue_regs[p]))
                             << p; /* never takes an instruction */
    }
    if (c->subcore_collectors || c->shared_collectors) {
        subcores_make(sm);
        collectors = (uint32_t)__builtin_popcount(sm->collectors[0].all);
    }
    /* An entry is used once between two moments at which the queue is empty; operands.c says what happens at the end. */
    sm->bank_far = 2 * (collectors * INST_MAX_SRC + (seldom(sm->hooks) ? POLICY_ACCESS_MAX : 0));
    sm->bank_rest = must_calloc(c->register_banks, sm->bank_far);
    sm->bank_mask = c->register_banks & (c->register_banks - 1) ? 0 : c->register_banks - 1;
}

struct sm *sm_new(const struct sm_setup *setup)
{
    struct sm *sm = near_calloc(1, sizeof *sm);
    sm->config = setup->config;
    sm->l1_config = setup->l1;
    sm->l1i_config = setup->l1i;
    sm->l1c_config = setup->l1c;
    sm->l1t_config = setup->l1t;
    sm->hooks = setup->hooks;
    sm->otherwise = setup->otherwise ? *setup->otherwise : (struct sm_otherwise){ 0 };
    sm->timing = setup->timing;
    sm->pool = setup->pool;
    sm->out = setup->out;
    sm->fenced = setup->fenced;
    sm->id = setup->id;
    sm->sms = setup->sms;
    sm->warp_count = setup->config->threads / 32;
    sm->more_steps = (uint8_t)(setup->config->collector_steps - 1);
    sm->gate = (struct policy_gate){ UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX };
    sm->face.wake = UINT64_MAX;
    sm->face.waker = setup->waker.word ? setup->waker : (struct waker){ &sm->nobody, 0 };
    for (uint32_t s = 0; s < sm->config->schedulers; s++)
        sm->last_issued[s] = s;
    for (uint32_t w = 0; w < sm->warp_count; w++) {
        sm->scheduler_of[w] = (uint16_t)(w % sm->config->schedulers);
        sm->scheduler_warps[sm->scheduler_of[w]] |= 1ull << w;
    }
    if (seldom(sm->otherwise.begins))
        sm->otherwise.begins(sm);
    sm->l1 = l1_new(setup->l1, sm->id, sm->pool, sm->out);
    sm->l1_mshr = l1_mshr(sm->l1);
    if (seldom(sm->hooks))
        l1_set_hooks(sm->l1, &sm->hooks->cache[LEVEL_L1]);
    sm->l1i = readonly_cache_new(setup->l1i, sm->pool, sm->out);
    sm->l1c = readonly_cache_new(setup->l1c, sm->pool, sm->out);
    if (setup->l1t->in_order)
        sm->texture = texture_fifo_new(setup->l1t, sm->pool, sm->out);
    else
        sm->l1t = readonly_cache_new(setup->l1t, sm->pool, sm->out);
    make_pipes(sm);
    lsu_new(sm);
    return sm;
}

void sm_free(struct sm *sm)
{
    if (!sm)
        return;
    l1_free(sm->l1);
    readonly_cache_free(sm->l1i);
    readonly_cache_free(sm->l1c);
    readonly_cache_free(sm->l1t);
    texture_fifo_free(sm->texture);
    lsu_free(sm);
    free(sm->bank_rest);
    ops_free_all(sm);
    free(sm->register_bits);
    free(sm->early_error);
    near_free(sm);
}

uint32_t sm_ctas_that_fit(const struct sm_config *config, const struct front_launch *launch, const char **limit)
{
    const uint32_t padded = launch->warps_per_cta * 32;
    const uint32_t registers = registers_given(launch->registers_per_thread);
    const char *name = "CTAs";
    uint32_t fit = config->ctas;
    if (config->threads / padded < fit) {
        fit = config->threads / padded;
        name = "threads";
    }
    if (registers && config->registers / (padded * registers) < fit) {
        fit = config->registers / (padded * registers);
        name = "registers";
    }
    if (launch->shared_bytes && config->shared_bytes / launch->shared_bytes < fit) {
        fit = (uint32_t)(config->shared_bytes / launch->shared_bytes);
        name = "shared memory";
    }
    if (limit)
        *limit = name;
    return fit;
}

static uint32_t highest_register(const struct front_launch *launch)
{
    uint32_t highest = 0;
    for (uint32_t i = 0; i < launch->code_count; i++) {
        const struct inst *inst = &launch->code[i];
        for (uint32_t k = 0; k < inst->ndst; k++)
            highest = inst->dst[k] > highest ? inst->dst[k] : highest;
        for (uint32_t k = 0; k < inst->nsrc; k++)
            highest = inst->src[k] > highest ? inst->src[k] : highest;
    }
    return highest;
}

/* The marks of what loads have written outlive kernels, as in GPGPU-Sim: its two-level scheduler sees them in the next kernel. */
static void keep_marks(uint64_t *to, uint32_t to_words, const uint64_t *from, uint32_t from_words)
{
    for (uint32_t i = 0; i < to_words && i < from_words; i++)
        to[i] = from[i];
}

static void make_scoreboards(struct sm *sm, uint32_t words)
{
    uint64_t *bits = must_calloc((size_t)sm->warp_count * 3 * words, sizeof *bits);
    for (uint32_t w = 0; w < sm->warp_count; w++) {
        struct sm_warp *warp = &sm->warp[w];
        uint64_t few[3] = { 0 }, *const place = words == 1 ? few : bits + (size_t)w * 3 * words;
        if (warp->long_op)
            keep_marks(place + 2 * words, words, warp->long_op, sm->register_words);
        memcpy(warp->few, few, sizeof few);
        warp->reserved = words == 1 ? warp->few : place;
        warp->loading = warp->reserved + words;
        warp->long_op = warp->reserved + 2 * words;
    }
    free(sm->register_bits);
    sm->register_bits = bits;
    sm->register_words = words;
    sm->loaded_stale = UINT64_MAX;
}

void sm_kernel_start(struct sm *sm, struct front *front, struct front_clock *clock, uint32_t max_ctas, bool is_view)
{
    sm->memory_later = is_view;
    run_on_kernel_start(sm);
    sm->front = front;
    sm->clock = clock;
    sm->max_ctas = max_ctas;
    sm->warps_per_cta = front->launch.warps_per_cta;
    sm->code_first_pc = front->launch.code_count ? front->launch.code[0].pc : 0;
    if (sm->l1_config->unified_bytes)
        l1_set_ways(sm->l1, l1_ways_beside(sm->l1_config, (uint64_t)front->launch.shared_bytes * max_ctas));
    make_scoreboards(sm, highest_register(&front->launch) / 64 + 1);
    registers_kernel_start(sm);
}

bool sm_has_room(struct sm *sm, uint64_t now)
{
    if (sm->face.cta_count >= sm->max_ctas || !seldom(sm->hooks) || !sm->hooks->cta_gate.count)
        return sm->face.cta_count < sm->max_ctas;
    const struct policy_sm_view view = sm_policy_view(sm, now);
    return sm->face.cta_count < hooks_cta_gate(sm->hooks, &view, sm->max_ctas);
}

uint32_t sm_ctas_done(struct sm *sm)
{
    const uint32_t n = sm->ctas_done;
    sm->ctas_done = 0;
    return n;
}

static void start_warp(struct sm *sm, uint32_t slot, uint32_t index, struct front_cta *cta)
{
    const uint32_t w = sm->cta[slot].first_warp + index;
    const uint64_t bit = 1ull << w;
    struct sm_warp *warp = &sm->warp[w];
    require(!(sm->resident & bit) && !warp->in_pipe && !warp->stores && !warp->reserved_count);
    warp->valid = warp->next = 0;
    warp->fence = false;
    warp->atomics = 0;
    warp->cta_slot = (uint16_t)slot;
    warp->index = (uint16_t)index;
    warp->cta = cta;
    warp->front = cta->warps[index];
    warp->pc = warp->front->next ? warp->front->next->pc : sm->code_first_pc;
    sm->cta_of[w] = (uint16_t)slot;
    sm->age[w] = sm->launched++;
    sm->resident |= bit;
    sm->resident_count++;
    sm->done &= ~bit;
    sm->finished &= ~bit;
    sm->fences_unseen &= ~bit;
    sm->fetch_pending &= ~bit;
    warp_look_at_next(sm, w);
    warp_look_at_waiting(sm, w);
    warp_check_finished(sm, w);
}

bool sm_start_cta(struct sm *sm, uint32_t cta_id, uint64_t now, struct error *err)
{
    uint32_t slot = 0;
    while (sm->cta[slot].front)
        slot++;
    struct front_cta *front = sm->front->ops->cta_start(sm->front, cta_id, err);
    if (!front)
        return false;
    if (!sm->face.cta_count)
        sm->last_cycle = now; /* it counts cycles from the next one on */
    else
        sm_settle(sm, now + 1); /* the cycles that it slept through were without this CTA */
    struct sm_cta *cta = &sm->cta[slot];
    *cta = (struct sm_cta){ .front = front,
                            .live_warps = front->warp_count,
                            .first_warp = slot * sm->warps_per_cta,
                            .warps = front->warp_count,
                            .id = cta_id,
                            .first_register = NO_SLOT };
    registers_give(sm, cta);
    sm->registers_used += sm->cta_registers;
    for (uint32_t i = 0; i < front->warp_count; i++)
        start_warp(sm, slot, i, front);
    sm->cta_warps[slot] = (front->warp_count < 64 ? 1ull << front->warp_count : 0) - 1;
    sm->cta_warps[slot] <<= cta->first_warp;
    sm->cta_by_age[sm->face.cta_count++] = (uint8_t)slot;
    sm->counters.ctas++;
    sm->gate_stale = true;
    sm_rouse(sm);
    if (seldom(sm->hooks) && (sm->hooks->cta_start.count || sm->hooks->warp_start.count)) {
        const struct policy_sm_view view = sm_policy_view(sm, now);
        if (sm->hooks->cta_start.count)
            hooks_cta_event(&sm->hooks->cta_start, &view, slot, cta_id);
        for (uint32_t i = 0; i < front->warp_count && sm->hooks->warp_start.count; i++)
            hooks_warp_event(&sm->hooks->warp_start, &view, cta->first_warp + i);
    }
    return true;
}

void sm_settle(struct sm *sm, uint64_t now)
{
    if (!sm->face.cta_count || now <= sm->last_cycle + 1)
        return;
    const uint64_t slept = now - sm->last_cycle - 1;
    sm->last_cycle = now - 1;
    sm_sleep_slots(sm, slept);
    lsu_settle(sm, slept);
    if (seldom(sm->hooks) && sm->hooks->order.call.slept) {
        const struct policy_sm_view view = sm_policy_view(sm, now - 1);
        sm->hooks->order.call.slept(sm->hooks->order.self, &view, slept);
    }
    sm->counters.cycles += slept;
    sm->counters.warp_cycles += slept * sm->resident_count;
    sm->counters.warp_slot_cycles += slept * sm->warp_count;
    registers_count(sm, slept);
}

static __attribute__((noinline)) void collect_more(struct sm *sm, uint64_t now)
{
    for (uint32_t i = 0; i < sm->more_steps; i++)
        operands_step(sm, now);
}

static bool run_ideal(struct sm *sm, uint64_t now, struct error *err)
{
    if (sm->gate_stale || sm->gate.again_at <= now)
        sm_ask_gates(sm, now);
    if (!ideal_cycle(sm, now, err))
        return false;
    sm->counters.warp_cycles += sm->resident_count;
    registers_count(sm, 1);
    if (seldom(sm->register_accesses))
        operands_policy_step(sm, now);
    sm->banks_written = 0;
    sm->face.wake = now + 1;
    return true;
}

/* The stages before issue. What they do, only this SM sees, but for what it sends. */
static inline void begin_cycle(struct sm *sm, uint64_t now)
{
    if (now > sm->last_cycle + 1)
        sm_settle(sm, now);
    sm->last_cycle = now;
    sm->counters.cycles++;
    sm->counters.warp_slot_cycles += sm->warp_count;
    if (seldom(sm->config->ideal))
        return;
    pipes_write_back(sm, now);
    pipes_execute(sm, now);
    operands_step(sm, now);
    if (seldom(sm->more_steps))
        collect_more(sm, now);
}

static inline bool end_cycle(struct sm *sm, uint64_t now, struct error *err)
{
    if (seldom(sm->config->ideal))
        return run_ideal(sm, now, err);
    if (!sm_issue(sm, now, err))
        return false;
    if (seldom(sm->fences_unseen))
        sm->otherwise.cycle_ends(sm, now);
    sm_decode(sm);
    sm_fetch(sm, now);
    sm->counters.warp_cycles += sm->resident_count;
    registers_count(sm, 1);
    if (seldom(sm->draining))
        registers_look_at_draining(sm, now);
    sm->face.wake = seldom(sm->config->never_sleep) ? now + 1 : sm_next_event(sm, now);
    return true;
}

bool sm_cycle(struct sm *sm, uint64_t now, uint64_t until, struct error *err)
{
    if (!sm->face.cta_count) {
        sm->face.wake = UINT64_MAX;
        return true;
    }
    const uint64_t machine = now;
    while (true) { /* the machine's cycle, and those in which it runs on */
        if (!seldom(sm->begun))
            begin_cycle(sm, now);
        if (now != machine && run_on_waits(sm)) {
            run_on_put_off(sm, now);
            break;
        }
        if (seldom(sm->memory_later) && run_on_waits(sm))
            until = 0; /* its warps must stay as they are until what they do to memory is done */
        sm->begun = false;
        if (seldom(sm->early_error) || !end_cycle(sm, now, err))
            return run_on_failed(sm, machine, now, err);
        if (sm->face.wake >= until || sm->ctas_done || !outlet_empty(sm->out))
            break;
        now = sm->face.wake;
        sm->clock->cycle = now;
    }
    if (now != machine)
        run_on_ends(sm, machine, now);
    return true;
}

void sm_flush(struct sm *sm)
{
    if (sm->l1_config->flush)
        l1_invalidate(sm->l1);
}

void sm_take_fetch(struct sm *sm, struct request *reply, uint64_t now)
{
    readonly_cache_fill(sm->l1i, reply, now);
    sm_rouse(sm);
}

const struct sm_counters *sm_counters(const struct sm *sm)
{
    return &sm->counters;
}
const struct l1_counters *sm_l1_counters(const struct sm *sm)
{
    return l1_counters(sm->l1);
}
const struct readonly_counters *sm_l1i_counters(const struct sm *sm)
{
    return readonly_cache_counters(sm->l1i);
}
const struct readonly_counters *sm_l1c_counters(const struct sm *sm)
{
    return readonly_cache_counters(sm->l1c);
}
const struct readonly_counters *sm_l1t_counters(const struct sm *sm)
{
    return sm->texture ? texture_fifo_counters(sm->texture) : readonly_cache_counters(sm->l1t);
}
