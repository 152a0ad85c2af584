/* operands.c - operand collection: an instruction takes a collector unit, and each of its registers queues at its bank. When all
 * are read it moves on to the execution registers of its pipe. Writes to a bank go before reads. */
#include "sm/sm_state.h"

static inline uint32_t bank_of(const struct sm *sm, uint32_t w, uint16_t reg)
{
    const uint32_t number = reg + w;
    if (seldom(sm->subcore_mask == SUBCORES))
        return number % sm->subcore_banks + sm->scheduler_of[w] * sm->subcore_banks;
    return sm->bank_mask ? number & sm->bank_mask
                         : number % sm->config->register_banks; /* shifted by the warp, so that warps in step do not meet */
}

bool operands_write(struct sm *sm, uint32_t w, uint16_t reg)
{
    const uint64_t bit = 1ull << bank_of(sm, w, reg);
    if (sm->banks_written & bit)
        return false;
    sm->banks_written |= bit;
    return true;
}

/* Each output port serves the units in turn, beginning after the last one it served. */
static void dispatch_from(struct sm *sm, uint32_t pipe, uint32_t port)
{
    struct sm_collectors *units = &sm->collectors[pipe];
    const uint32_t ready = units->ready;
    if (!ready || op_slots_full(&sm->execute_regs[pipe]))
        return;
    const uint32_t after = ready & (uint32_t)(UINT64_MAX << (sm->last_dispatched[pipe][port] + 1));
    const uint32_t c = (uint32_t)__builtin_ctz(after ? after : ready);
    execute_put(sm, sm->collector[units->first + c]);
    units->busy &= ~(1u << c);
    units->ready &= ~(1u << c);
    if (!units->ready)
        sm->collected &= ~(1u << pipe);
    sm->collecting--;
    sm->last_dispatched[pipe][port] = (uint8_t)c;
}

static void dispatch(struct sm *sm)
{
    if (seldom(sm->subcore_mask)) {
        subcores_dispatch(sm);
        return;
    }
    for (uint32_t pipes = sm->collected; pipes; pipes &= pipes - 1) {
        const uint32_t p = (uint32_t)__builtin_ctz(pipes);
        for (uint32_t port = 0; port < sm->collectors[p].outputs; port++)
            dispatch_from(sm, p, port);
    }
}

static void all_collected(struct sm *sm, uint32_t c)
{
    const uint32_t pipe = sm->collector_pipe[c];
    sm->collectors[pipe].ready |= 1u << (c - sm->collectors[pipe].first);
    sm->collected |= 1u << pipe;
}

/* A bank's queue. When its last place is used, the entries that wait move to its beginning. */
static inline uint8_t *queue_place(struct sm *sm, uint32_t b, uint32_t i)
{
    return i < BANK_QUEUE_NEAR ? &sm->bank[b].near[i] : &sm->bank_rest[b * sm->bank_far + i - BANK_QUEUE_NEAR];
}

static void queue_add(struct sm *sm, uint32_t b, uint32_t collector)
{
    struct bank_queue *q = &sm->bank[b];
    if (q->tail == BANK_QUEUE_NEAR + sm->bank_far) {
        for (uint32_t i = q->head; i < q->tail; i++)
            *queue_place(sm, b, i - q->head) = *queue_place(sm, b, i);
        q->tail = (uint16_t)(q->tail - q->head);
        q->head = 0;
    }
    *queue_place(sm, b, q->tail++) = (uint8_t)collector;
}

static void policy_done(struct sm *sm, uint32_t slot)
{
    const uint64_t token = sm->access[slot].token;
    sm->register_accesses &= ~(1ull << slot);
    ++*(sm->access[slot].write ? &sm->counters.policy_writes : &sm->counters.policy_reads);
    const struct policy_sm_view view = sm_policy_view(sm, sm->last_cycle);
    hooks_token(&sm->hooks->register_done, &view, token);
}

/* Every bank that is not written serves its oldest reader. */
static void read_banks(struct sm *sm)
{
    uint64_t serve = sm->banks_wanted & ~sm->banks_written;
    if (!sm->banks_wanted)
        return;
    sm->counters.bank_conflicts += (uint64_t)__builtin_popcountll(sm->banks_wanted & sm->banks_written);
    sm->counters.bank_reads += (uint64_t)__builtin_popcountll(serve);
    for (; serve; serve &= serve - 1) {
        const uint32_t b = (uint32_t)__builtin_ctzll(serve);
        struct bank_queue *q = &sm->bank[b];
        const uint32_t c = *queue_place(sm, b, q->head);
        if (seldom(c >= BANK_QUEUE_POLICIES))
            policy_done(sm, c - BANK_QUEUE_POLICIES);
        else if (--sm->collector_reads[c] == 0)
            all_collected(sm, c);
        if (++q->head == q->tail) {
            q->head = q->tail = 0;
            sm->banks_wanted &= ~(1ull << b);
        } else {
            sm->counters.bank_conflicts += (uint32_t)(q->tail - q->head);
        }
    }
}

inline void operands_collect(struct sm *sm, struct sm_op *op, uint32_t c)
{
    sm->collector[c] = op;
    sm->collecting++;
    const struct inst *inst = op->inst;
    const uint32_t reads = inst->nread, w = op->warp;
    sm->collector_reads[c] = (uint8_t)reads;
    if (!reads)
        all_collected(sm, c);
    for (uint32_t i = 0; i < reads; i++) {
        const uint32_t b = bank_of(sm, w, inst->read[i]);
        queue_add(sm, b, c);
        sm->banks_wanted |= 1ull << b;
    }
}

static void take_up(struct sm *sm, uint32_t pipe)
{
    struct sm_collectors *units = &sm->collectors[pipe];
    const uint32_t unused = units->all & ~units->busy;
    struct sm_op *op = op_slots_oldest(&sm->issue_regs[pipe]);
    if (!op || !unused)
        return;
    const uint32_t unit = (uint32_t)__builtin_ctz(unused), c = units->first + unit;
    issue_take_oldest(sm, pipe);
    units->busy |= 1u << unit;
    operands_collect(sm, op, c);
}

static void occupy_banks(struct sm *sm, uint64_t now)
{
    for (uint32_t b = 0; b < sm->config->register_banks; b++)
        if (sm->bank_busy_until[b] > now)
            sm->banks_written |= 1ull << b;
}

/* A write takes a bank that no result uses. The oldest goes first, which is the one with the smallest start. Reads queue. */
void operands_policy_step(struct sm *sm, uint64_t now)
{
    uint64_t due = 0;
    for (uint64_t rest = sm->register_unqueued; rest; rest &= rest - 1)
        due |= sm->access[__builtin_ctzll(rest)].start <= now ? rest & -rest : 0;
    while (due) {
        uint32_t slot = (uint32_t)__builtin_ctzll(due);
        for (uint64_t rest = due; rest; rest &= rest - 1)
            if (sm->access[__builtin_ctzll(rest)].start < sm->access[slot].start)
                slot = (uint32_t)__builtin_ctzll(rest);
        const struct sm_register_access *a = &sm->access[slot];
        const uint64_t bank = 1ull << a->bank;
        due &= ~(1ull << slot);
        if (a->write && (sm->banks_written & bank)) {
            sm->counters.bank_conflicts++;
            continue;
        }
        sm->register_unqueued &= ~(1ull << slot);
        if (a->write) {
            sm->banks_written |= bank;
            policy_done(sm, slot); /* last: the policy may use the slot again */
        } else {
            queue_add(sm, a->bank, BANK_QUEUE_POLICIES + slot);
            sm->banks_wanted |= bank;
        }
    }
    if (!sm->collecting)
        read_banks(sm);
}

inline void operands_step(struct sm *sm, uint64_t now)
{
    if (sm->banks_busy_until > now)
        occupy_banks(sm, now);
    if (seldom(sm->register_accesses))
        operands_policy_step(sm, now);
    if (sm->collecting) {
        dispatch(sm);
        read_banks(sm);
    }
    if (seldom(sm->subcore_mask)) {
        subcores_take_up(sm);
    } else {
        for (uint32_t pipes = sm->issue_used; pipes; pipes &= pipes - 1) {
            const uint32_t p = (uint32_t)__builtin_ctz(pipes);
            for (uint32_t port = 0; port < sm->collectors[p].inputs && sm->issue_regs[p].used; port++)
                take_up(sm, p);
        }
    }
    sm->banks_written = 0;
}
