/* issue.c - the schedulers: each picks among its warps, by the policy's order or greedy-then-oldest, and issues one instruction of
 * it, or several where sm.issues_per_warp says so. */
#include "sm/sm_state.h"

static bool reads_loaded(const struct sm_warp *warp)
{
    const struct inst *inst = warp->buffer[warp->next];
    for (uint32_t i = 0; inst && i < inst->nvalue; i++)
        if (warp->long_op[inst->src[i] / 64] >> (inst->src[i] % 64) & 1)
            return true;
    return false;
}

/* Warps whose next instruction reads a plain operand that a load wrote. What lies in the buffer counts, even when it is of the
 * wrong path: GPGPU-Sim's two-level scheduler asks before it looks where the warp goes. Only those warps are asked whose
 * instruction or registers have changed since the last time. */
static uint64_t warps_reading_loaded(struct sm *sm)
{
    for (uint64_t rest = sm->loaded_stale; rest; rest &= rest - 1) {
        const uint32_t w = (uint32_t)__builtin_ctzll(rest);
        const uint64_t bit = 1ull << w;
        if (sm->has_inst & bit && reads_loaded(&sm->warp[w]))
            sm->loaded |= bit;
        else
            sm->loaded &= ~bit;
    }
    sm->loaded_stale = 0;
    return sm->loaded;
}

struct policy_sm_view sm_policy_view(struct sm *sm, uint64_t now)
{
    const uint32_t needs = sm->hooks->needs;
    return (struct policy_sm_view){ .cycle = now,
                                    .sm = sm->id,
                                    .resident = sm->resident & ~sm->done,
                                    .at_barrier = sm->waiting & sm->resident & ~sm->done,
                                    .memory_next = needs & NEED_NEXT ? sm->next_l1 : 0,
                                    .reads_loaded = needs & NEED_LOADED ? warps_reading_loaded(sm) : 0,
                                    .age = sm->age,
                                    .cta = sm->cta_of,
                                    .scheduler_of = sm->scheduler_of,
                                    .scheduler_slots = sm->scheduler_warps };
}

/* Which of the counters class.* an instruction is counted in, from `integer` on; memory's by space. It is a table because no
 * host can predict where a switch would go. */
enum {
    ROW_INTEGER,
    ROW_FP,
    ROW_DP,
    ROW_SFU,
    ROW_OTHER,
    ROW_CONTROL,
    ROW_SYNC,
    ROW_LOADS,
    ROW_STORES,
    ROW_SHARED,
    ROW_CONSTANTS,
    ROW_ATOMICS
};
static const uint8_t class_row[CLASS_COUNT] = {
    [CLASS_INT_ADD] = ROW_INTEGER, [CLASS_INT_MAX] = ROW_INTEGER,   [CLASS_INT_MUL] = ROW_INTEGER,   [CLASS_INT_MAD] = ROW_INTEGER,
    [CLASS_SHFL] = ROW_INTEGER,    [CLASS_INT_MUL24] = ROW_INTEGER, [CLASS_INT_MAD24] = ROW_INTEGER, [CLASS_FP_ADD] = ROW_FP,
    [CLASS_FP_MAX] = ROW_FP,       [CLASS_FP_MUL] = ROW_FP,         [CLASS_FP_MAD] = ROW_FP,         [CLASS_DP_ADD] = ROW_DP,
    [CLASS_DP_MAX] = ROW_DP,       [CLASS_DP_MUL] = ROW_DP,         [CLASS_DP_MAD] = ROW_DP,         [CLASS_INT_DIV] = ROW_SFU,
    [CLASS_FP_DIV] = ROW_SFU,      [CLASS_DP_DIV] = ROW_SFU,        [CLASS_SFU] = ROW_SFU,           [CLASS_TENSOR] = ROW_SFU,
    [CLASS_BRANCH] = ROW_CONTROL,  [CLASS_CALL] = ROW_CONTROL,      [CLASS_RETURN] = ROW_CONTROL,    [CLASS_EXIT] = ROW_CONTROL,
    [CLASS_BARRIER] = ROW_SYNC,    [CLASS_FENCE] = ROW_SYNC,        [CLASS_MOVE] = ROW_OTHER,        [CLASS_NOP] = ROW_OTHER,
    [CLASS_LOAD] = ROW_LOADS,      [CLASS_TEXTURE] = ROW_LOADS,     [CLASS_STORE] = ROW_STORES,      [CLASS_ATOMIC] = ROW_ATOMICS,
    [CLASS_CONVERT] = ROW_OTHER,
};

static void count_class(struct sm_counters *c, const struct inst *inst, uint8_t space)
{
    uint32_t row = class_row[inst->class];
    if (row >= ROW_LOADS)
        row = space == SPACE_SHARED ? ROW_SHARED : space == SPACE_CONST || space == SPACE_PARAM ? ROW_CONSTANTS : row;
    COUNTER_ROW(c, integer, row)++;
}

static bool is_memory(const struct inst *inst)
{
    return inst->class == CLASS_LOAD || inst->class == CLASS_STORE || inst->class == CLASS_ATOMIC || inst->class == CLASS_TEXTURE;
}

/* Barriers and exits may release other warps of the CTA. */
static void look_at_cta(struct sm *sm, uint32_t cta_slot)
{
    const struct sm_cta *cta = &sm->cta[cta_slot];
    for (uint32_t w = cta->first_warp; w < cta->first_warp + cta->warps; w++)
        warp_look_at_waiting(sm, w);
    sm->gate_stale = true;
}

/* For an instruction that no lane executes, what its name says: a load from shared memory still passes through its pipeline. */
static uint8_t space_of(const struct warp_step *step)
{
    return step->executed ? step->space : step->inst->space;
}

static struct sm_op *make_op(struct sm *sm, uint32_t s, uint32_t w, const struct warp_step *step)
{
    struct sm_op *op = op_new(sm);
    const struct sm_timing timing = sm->timing[step->inst->timing];
    op->inst = step->inst;
    op->order = sm->issued++;
    op->executed = step->executed;
    op->warp = (uint16_t)w;
    op->scheduler = (uint8_t)s;
    op->pipe = timing.pipe;
    op->latency = timing.latency;
    op->interval = timing.interval;
    op->space = space_of(step);
    if (is_memory(step->inst) && step->executed && op->pipe == PIPE_MEM) {
        op_take_accesses(sm, op);
        coalesce(sm, op, step);
        if (!op->access_count)
            op_give_back_accesses(sm, op); /* shared memory */
    }
    if (!sm->config->ideal && (op->space == SPACE_GLOBAL || op->space == SPACE_LOCAL))
        sm->warp[w].unsent += op->access_count;
    return op;
}

/* What issuing does to the warp beyond its registers. */
static void after_issue(struct sm *sm, uint32_t w, const struct warp_step *step)
{
    struct sm_warp *warp = &sm->warp[w];
    const struct inst *inst = step->inst;
    if (inst->class == CLASS_ATOMIC)
        warp->atomics = (uint16_t)(warp->atomics + lane_count(step->executed));
    if (inst->class == CLASS_FENCE)
        warp_start_fence(sm, w);
    if (inst->class == CLASS_EXIT && step->executed)
        warp_flush_buffer(sm, w); /* the reference empties the buffer whenever a lane ends */
    warp_reserve(sm, w, inst, space_of(step));
    warp->pc = inst->pc + SM_INSTRUCTION_BYTES;
    if (inst->class == CLASS_BARRIER || !warp->front->next)
        look_at_cta(sm, warp->cta_slot);
    else
        warp_look_at_waiting(sm, w);
    warp->next ^= 1;
    warp_look_at_next(sm, w);
    warp_check_finished(sm, w);
}

bool sm_issue_from(struct sm *sm, uint32_t s, uint32_t w, uint64_t now, struct error *err)
{
    struct sm_warp *warp = &sm->warp[w];
    struct warp_step step;
    sm->clock->sm = sm->id;
    if (!sm->front->ops->step(sm->front, warp->cta, warp->index, &step, err))
        return false;
    warp->valid = (uint8_t)(warp->valid & ~(1u << warp->next));
    struct sm_op *op = make_op(sm, s, w, &step);
    issue_put(sm, op);
    after_issue(sm, w, &step);
    sm->last_issued[s] = w;
    struct sm_counters *c = &sm->counters;
    c->warp_instructions++;
    c->thread_instructions += lane_count(step.executed);
    c->active_lanes += lane_count(step.active);
    count_class(c, step.inst, step.space);
    COUNTER_ROW(c, thread_FP_ADD, step.inst->work) += lane_count(step.executed);
    if (seldom(sm->hooks)) {
        if (sm->fences_unseen)
            sm->otherwise.issues(sm, s, w, now);
        if (sm->otherwise.issued)
            sm->otherwise.issued(sm, s);
        if (sm->hooks->order.call.issued || sm->hooks->issued.count) {
            const struct policy_sm_view view = sm_policy_view(sm, now);
            if (sm->hooks->order.call.issued)
                sm->hooks->order.call.issued(sm->hooks->order.self, &view, s, w);
            hooks_issued(sm->hooks, &view, w, step.inst, step.executed);
        }
    }
    return true;
}

uint32_t sm_pick(struct sm *sm, uint32_t s, uint64_t candidates, uint64_t now)
{
    if (seldom(sm->hooks) && sm->hooks->order.call.pick) {
        const struct policy_sm_view view = sm_policy_view(sm, now);
        const uint32_t slot = sm->hooks->order.call.pick(sm->hooks->order.self, &view, s, candidates);
        if (seldom(slot != NO_SLOT && (slot >= 64 || !(candidates >> slot & 1))))
            hooks_wrong_answer(sm->hooks->order.self, "pick", "answered slot %u, which is none of the candidates", slot);
        return slot;
    }
    if (candidates >> sm->last_issued[s] & 1)
        return sm->last_issued[s];
    uint32_t age = 0;
    while (!(candidates & sm->cta_warps[sm->cta_by_age[age]]))
        age++;
    return (uint32_t)__builtin_ctzll(candidates & sm->cta_warps[sm->cta_by_age[age]]);
}

/* Warps whose next instruction finds the registers before its pipe full. */
static inline uint64_t warps_without_room(const struct sm *sm, uint32_t s)
{
    uint64_t warps = 0;
    for (uint32_t full = sm->issue_full[s & sm->subcore_mask]; full; full &= full - 1)
        warps |= sm->next_pipe[__builtin_ctz(full)];
    return warps;
}

/* Of `warps`, those whose next instruction may go now: its registers are ready, its pipe has room, and no policy holds it back. */
static inline uint64_t warps_that_may(const struct sm *sm, uint32_t s, uint64_t warps)
{
    warps &= sm->ready & ~warps_without_room(sm, s);
    return warps & (sm->gate.memory | ~sm->next_l1) & (sm->gate.loads | ~sm->next_l1_load);
}

static void leave_wrong_path(struct sm *sm, uint32_t w)
{
    sm->warp[w].pc = sm->warp[w].front->next->pc;
    sm->counters.flushes++;
    warp_flush_buffer(sm, w);
}

/* Issues from this warp, and goes on with it while it can. Without sm.issues_apart any pipe will do. */
static __attribute__((noinline)) bool issue_several(struct sm *sm, uint32_t s, uint32_t w, uint64_t now, struct error *err)
{
    const uint64_t bit = 1ull << w;
    for (uint32_t left = sm->config->issues_per_warp;;) {
        const uint8_t pipe = sm->warp[w].pipe;
        if (!sm_issue_from(sm, s, w, now, err))
            return false;
        if (!--left || !(sm->has_inst & ~sm->waiting & bit))
            break;
        if (sm->wrong_path & bit) {
            leave_wrong_path(sm, w);
            break;
        }
        if (!warps_that_may(sm, s, bit) || (sm->config->issues_apart && sm->warp[w].pipe == pipe))
            break;
        sm->counters.second_issues++;
    }
    return true;
}

/* `asks`: whether a warp can issue now is not known from the cycle before. */
static bool schedule(struct sm *sm, uint32_t s, uint64_t now, bool asks, struct error *err)
{
    if (sm->gate_stale && seldom(sm->hooks)) /* by what the scheduler before it issued in this cycle */
        sm_ask_gates(sm, now);
    if (seldom(sm->hooks) && sm->hooks->order.call.cycle) {
        const struct policy_sm_view view = sm_policy_view(sm, now);
        sm->hooks->order.call.cycle(sm->hooks->order.self, &view, s);
    }
    if (sm->issue_stalled_until > now) {
        sm->slot_loss[s] = LOSS_PIPE;
        return true;
    }
    if (!asks && !sm->issue_stale)
        return true;
    const uint64_t considered = sm->scheduler_warps[s] & sm->has_inst & ~sm->waiting & sm->gate.run;
    const uint64_t ready = considered & sm->ready;
    uint64_t candidates = considered & sm->wrong_path;
    if (!considered) {
        sm->slot_loss[s] = LOSS_IDLE;
        return true;
    }
    candidates |= warps_that_may(sm, s, considered);
    const uint64_t valid = considered & ~sm->wrong_path;
    while (candidates) {
        const uint32_t w = sm_pick(sm, s, candidates, now);
        if (w >= sm->warp_count) {
            sm->issue_stale = true; /* the policy holds it back, for as long as the policy likes */
            break;
        }
        if (!(sm->wrong_path >> w & 1)) {
            sm->slot_loss[s] = LOSS_NONE;
            return seldom(sm->config->issues_per_warp > 1) ? issue_several(sm, s, w, now, err) : sm_issue_from(sm, s, w, now, err);
        }
        leave_wrong_path(sm, w);
        candidates &= ~(1ull << w);
    }
    sm->slot_loss[s] = !valid ? LOSS_IDLE : !ready ? LOSS_SCOREBOARD : LOSS_PIPE;
    return true;
}

static void count_slots(struct sm *sm, uint64_t cycles)
{
    const uint32_t schedulers = sm->config->schedulers;
    for (uint32_t s = 0; s < schedulers; s++)
        COUNTER_ROW(&sm->counters, slots_issued, sm->slot_loss[s]) += cycles;
    sm->counters.slots += cycles * schedulers;
}

void sm_ask_gates(struct sm *sm, uint64_t now)
{
    sm->gate_stale = false;
    sm->issue_stale = true;
    if (!seldom(sm->hooks) || !sm->hooks->warp_gate.count)
        return;
    const struct policy_sm_view view = sm_policy_view(sm, now);
    hooks_warp_gate(sm->hooks, &view, &sm->gate);
}

/* Otherwise the slots are lost for the same reason as in the last cycle. */
static bool asks_schedulers(const struct sm *sm, uint64_t now)
{
    return sm->issue_stale || sm->issue_stalled_until == now || (seldom(sm->hooks) && sm->fences_unseen);
}

bool sm_issue(struct sm *sm, uint64_t now, struct error *err)
{
    if (sm->fences_over)
        warp_end_fences(sm, now);
    if (sm->gate_stale || sm->gate.again_at <= now)
        sm_ask_gates(sm, now);
    const uint32_t schedulers = sm->config->schedulers;
    uint32_t s = sm->first_scheduler;
    const bool asks = asks_schedulers(sm, now);
    if (asks || (seldom(sm->hooks) && sm->hooks->order.call.cycle)) {
        sm->issue_stale = false;
        for (uint32_t i = 0; i < schedulers; i++) {
            if (!schedule(sm, s, now, asks, err))
                return false;
            s = s + 1 == schedulers ? 0 : s + 1;
        }
    }
    sm->first_scheduler = s + 1 == schedulers ? 0 : s + 1;
    count_slots(sm, 1);
    return true;
}

void sm_sleep_slots(struct sm *sm, uint64_t cycles)
{
    sm->first_scheduler = (uint32_t)((sm->first_scheduler + cycles) % sm->config->schedulers);
    count_slots(sm, cycles);
}
