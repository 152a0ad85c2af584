/* Operand collection: an instruction takes a collector unit, each of its registers queues at its bank, and when all are
 * read it moves on to the execution registers of its pipe. Writes to a bank go before reads. */
#include "sm/sm_state.h"

static inline uint32_t bank_of(const struct sm *sm, uint32_t w, uint16_t reg)
{
    const uint32_t number = reg + w;
    return sm->bank_mask ? number & sm->bank_mask : number % sm->config->register_banks; /* shifted by the warp, so that warps in step do not meet */
}

bool operands_write(struct sm *sm, uint32_t w, uint16_t reg)
{
    const uint64_t bit = 1ull << bank_of(sm, w, reg);
    if (sm->banks_written & bit)
        return false;
    sm->banks_written |= bit;
    return true;
}

/* Each output port serves the units in turn, from the one after its last. */
static void dispatch_from(struct sm *sm, uint32_t pipe, uint32_t port)
{
    const uint32_t ready = sm->collectors_ready[pipe];
    if (!ready || op_slots_full(&sm->execute_regs[pipe]))
        return;
    const uint32_t after = ready & (uint32_t)(UINT64_MAX << (sm->last_dispatched[pipe][port] + 1));
    const uint32_t c = (uint32_t)__builtin_ctz(after ? after : ready);
    sm->progress = true;
    execute_put(sm, sm->collector[sm->collector_first[pipe] + c]);
    sm->collectors_busy[pipe] &= ~(1u << c);
    sm->collectors_ready[pipe] &= ~(1u << c);
    if (!sm->collectors_ready[pipe])
        sm->collected &= ~(1u << pipe);
    sm->collecting--;
    sm->last_dispatched[pipe][port] = c;
}

static void all_collected(struct sm *sm, uint32_t c)
{
    const uint32_t pipe = sm->collector_pipe[c];
    sm->collectors_ready[pipe] |= 1u << (c - sm->collector_first[pipe]);
    sm->collected |= 1u << pipe;
}

/* Every bank that is not written serves its oldest reader. */
static void read_banks(struct sm *sm)
{
    uint64_t serve = sm->banks_wanted & ~sm->banks_written;
    if (!sm->banks_wanted)
        return;
    sm->progress = true;
    sm->counters.bank_conflicts += (uint64_t)__builtin_popcountll(sm->banks_wanted & sm->banks_written);
    sm->counters.bank_reads += (uint64_t)__builtin_popcountll(serve);
    for (; serve; serve &= serve - 1) {
        const uint32_t b = (uint32_t)__builtin_ctzll(serve);
        struct bank_queue *q = &sm->bank[b];
        const uint32_t c = q->collector[q->head & sm->bank_queue_mask];
        if (--sm->collector_reads[c] == 0)
            all_collected(sm, c);
        if (++q->head == q->tail)
            sm->banks_wanted &= ~(1ull << b);
        else
            sm->counters.bank_conflicts += q->tail - q->head;
    }
}

static void take_up(struct sm *sm, uint32_t pipe)
{
    const uint32_t unused = sm->collectors_all[pipe] & ~sm->collectors_busy[pipe];
    struct sm_op *op = op_slots_oldest(&sm->issue_regs[pipe]);
    if (!op || !unused)
        return;
    const uint32_t unit = (uint32_t)__builtin_ctz(unused), c = sm->collector_first[pipe] + unit;
    sm->progress = true;
    issue_take(sm, op);
    sm->collector[c] = op;
    sm->collectors_busy[pipe] |= 1u << unit;
    sm->collecting++;
    const struct inst *inst = op->inst;
    const uint32_t reads = inst->nread, w = op->warp;
    sm->collector_reads[c] = (uint8_t)reads;
    if (!reads)
        all_collected(sm, c);
    for (uint32_t i = 0; i < reads; i++) {
        const uint32_t b = bank_of(sm, w, inst->read[i]);
        struct bank_queue *q = &sm->bank[b];
        q->collector[q->tail++ & sm->bank_queue_mask] = (uint8_t)c;
        sm->banks_wanted |= 1ull << b;
    }
}

static void occupy_banks(struct sm *sm, uint64_t now)
{
    for (uint32_t b = 0; b < sm->config->register_banks; b++)
        if (sm->bank_busy_until[b] > now)
            sm->banks_written |= 1ull << b;
}

void operands_step(struct sm *sm, uint64_t now)
{
    if (sm->banks_busy_until > now)
        occupy_banks(sm, now);
    if (sm->collecting) {
        for (uint32_t pipes = sm->collected; pipes; pipes &= pipes - 1) {
            const uint32_t p = (uint32_t)__builtin_ctz(pipes);
            for (uint32_t port = 0; port < sm->pipe_outputs[p]; port++)
                dispatch_from(sm, p, port);
        }
        read_banks(sm);
    }
    for (uint32_t pipes = sm->issue_used; pipes; pipes &= pipes - 1) {
        const uint32_t p = (uint32_t)__builtin_ctz(pipes);
        for (uint32_t port = 0; port < sm->pipe_inputs[p] && sm->issue_regs[p].used; port++)
            take_up(sm, p);
    }
    sm->banks_written = 0;
}
