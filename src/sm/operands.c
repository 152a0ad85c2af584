/* Operand collection: an instruction takes a collector unit, each of its registers queues at its bank, and when all are
 * read it moves on to the execution registers of its pipe. Writes to a bank go before reads. */
#include "sm/sm_state.h"

static inline uint32_t bank_of(const struct sm *sm, uint32_t w, uint16_t reg)
{
    return (reg + w) % sm->config->register_banks; /* shifted by the warp, so that warps in step do not meet */
}

bool operands_write(struct sm *sm, uint32_t w, uint16_t reg)
{
    const uint64_t bit = 1ull << bank_of(sm, w, reg);
    if (sm->banks_written & bit)
        return false;
    sm->banks_written |= bit;
    return true;
}

static void dispatch_from(struct sm *sm, uint32_t pipe, uint32_t port)
{
    const uint32_t first = sm->collector_first[pipe], count = sm->collector_first[pipe + 1] - first;
    if (op_slots_full(&sm->execute_regs[pipe]))
        return;
    for (uint32_t n = 1; n <= count; n++) {
        const uint32_t c = (sm->last_dispatched[pipe][port] + n) % count;
        struct sm_collector *unit = &sm->collector[first + c];
        if (unit->op && !unit->op->reads_left) {
            sm->progress = true;
            op_slots_put(&sm->execute_regs[pipe], unit->op);
            unit->op = NULL;
            sm->collecting--;
            sm->last_dispatched[pipe][port] = c;
            return;
        }
    }
}

/* Every bank that is not written serves its oldest reader. */
static void read_banks(struct sm *sm)
{
    uint64_t serve = sm->banks_wanted & ~sm->banks_written;
    sm->counters.bank_conflicts += (uint32_t)__builtin_popcountll(sm->banks_wanted & sm->banks_written);
    if (sm->banks_wanted)
        sm->progress = true;
    for (; serve; serve &= serve - 1) {
        const uint32_t b = (uint32_t)__builtin_ctzll(serve);
        struct bank_queue *q = &sm->bank[b];
        sm->collector[q->collector[q->head % SM_BANK_QUEUE]].op->reads_left--;
        sm->counters.bank_reads++;
        if (++q->head == q->tail)
            sm->banks_wanted &= ~(1ull << b);
        else
            sm->counters.bank_conflicts += (uint16_t)(q->tail - q->head);
    }
}

static void take_up(struct sm *sm, uint32_t pipe)
{
    struct sm_op *op = op_slots_oldest(&sm->issue_regs[pipe]);
    if (!op)
        return;
    for (uint32_t c = sm->collector_first[pipe]; c < sm->collector_first[pipe + 1]; c++) {
        if (sm->collector[c].op)
            continue;
        sm->progress = true;
        op_slots_take(&sm->issue_regs[pipe], op);
        sm->collector[c].op = op;
        sm->collecting++;
        op->reads_left = op->inst->nread;
        for (uint32_t i = 0; i < op->inst->nread; i++) {
            const uint32_t b = bank_of(sm, op->warp, op->inst->read[i]);
            struct bank_queue *q = &sm->bank[b];
            q->collector[q->tail++ % SM_BANK_QUEUE] = (uint8_t)c;
            sm->banks_wanted |= 1ull << b;
        }
        return;
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
        for (uint32_t p = 0; p < PIPE_COUNT; p++)
            for (uint32_t port = 0; port < sm->config->collector_outputs.value[p] && sm->config->units.value[p]; port++)
                dispatch_from(sm, p, port);
        read_banks(sm);
    }
    for (uint32_t p = 0; p < PIPE_COUNT; p++)
        for (uint32_t port = 0; port < sm->config->collector_inputs.value[p] && sm->issue_regs[p].used; port++)
            take_up(sm, p);
    sm->banks_written = 0;
}
