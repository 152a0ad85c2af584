/* mascar_queue.c - Mascar's cache access re-execution (Sethia et al., HPCA 2015, section III-C).
 *
 * A transaction that the L1 refuses, for whatever cause, leaves the head of the LSU for the tail of a queue, and the next one is
 * tried. The queue's head is tried when the LSU has nothing new, or when the queue has no place left for something new.
 *
 * Places: the queue's entries and the LSU's own head, where a refused transaction stands when the queue is full (W2 in figure
 * 7(b)). Everything that is between the LSU and the L1's answer has one of them reserved. A refused transaction can therefore
 * always be put away, the L1's port is never blocked, and what the queue holds is tried in turn whatever the LSU waits for.
 *
 * Order: a new transaction waits in the LSU while one of an earlier instruction of its warp is in the queue (one instruction per
 * warp in it), or is on its way to the L1 and one of the two is a store. Loads of a warp may follow each other into the pipeline
 * before the L1; should both be refused, both are in the queue, where their order does not matter. The scheduler holds back further
 * memory instructions of a warp that has something in the queue. */
#include "policy/mascar_queue.h"

size_t mascar_queue_bytes(const struct mascar_queue_config *c)
{
    return sizeof(struct mascar_queue) + 2 * (c->entries + 1u) * sizeof(struct mascar_entry);
}

void mascar_queue_open(struct mascar_queue *q, const struct mascar_queue_config *c)
{
    q->room = c->entries + 1;
}

static uint32_t place(const struct mascar_queue *q, uint32_t head, uint32_t i)
{
    const uint32_t at = head + i;
    return at < q->room ? at : at - q->room;
}

static struct mascar_entry *ring(struct mascar_queue *q, uint32_t i)
{
    return &q->places[place(q, q->head, i)];
}

static struct mascar_entry *piped(struct mascar_queue *q, uint32_t i)
{
    return &q->places[q->room + place(q, q->piped_head, i)];
}

uint16_t mascar_queue_head(struct mascar_queue *q)
{
    return q->count ? ring(q, 0)->warp : NO_WARP;
}

bool mascar_queue_has(struct mascar_queue *q, uint16_t warp)
{
    for (uint32_t i = 0; i < q->count; i++)
        if (ring(q, i)->warp == warp)
            return true;
    for (uint32_t i = 0; i < q->piped_count; i++)
        if (piped(q, i)->warp == warp)
            return true;
    return false;
}

static void count_instruction(struct mascar_queue *q, const struct policy_access *a)
{
    if (!q->left || a->warp != q->last_warp || a->pc != q->last_pc) {
        q->instruction++;
        q->left = a->transactions ? a->transactions : 1;
        q->last_warp = a->warp;
        q->last_pc = a->pc;
    }
    q->left--;
}

bool mascar_queue_push(struct mascar_queue *q, struct mascar_queue_counters *count, const struct policy_access *a)
{
    if (q->fresh.request)
        return false;
    count_instruction(q, a);
    q->fresh = (struct mascar_entry){ .request = a->request, .instruction = q->instruction, .warp = a->warp, .write = a->write };
    count->passed++;
    return true;
}

static bool must_wait(struct mascar_queue *q)
{
    const struct mascar_entry *f = &q->fresh;
    if (!f->write && !q->piped_writes && !q->waiting[f->warp % MASCAR_SLOTS_MAX])
        return false;
    for (uint32_t i = 0; i < q->count; i++) {
        const struct mascar_entry *e = ring(q, i);
        if (e->warp == f->warp && e->instruction != f->instruction)
            return true;
    }
    for (uint32_t i = 0; i < q->piped_count; i++) {
        const struct mascar_entry *e = piped(q, i);
        if (e->warp == f->warp && e->instruction != f->instruction && (e->write || f->write || e->recycled))
            return true;
    }
    return false;
}

struct request *mascar_queue_next(struct mascar_queue *q, struct mascar_queue_counters *count, uint64_t cycle, bool *blocked)
{
    const bool full = q->count + q->piped_count >= q->room;
    const bool ordered = q->fresh.request && !full && must_wait(q);
    *blocked = q->fresh.request && (full || ordered);
    if (q->counted <= cycle) {
        q->counted = cycle + 1;
        count->busy_cycles++;
        count->occupied += q->count;
        count->full_stalls += q->fresh.request && full;
        count->order_stalls += ordered;
    }
    q->offered_fresh = q->fresh.request && !*blocked;
    if (q->offered_fresh)
        return q->fresh.request;
    return q->count ? ring(q, 0)->request : NULL;
}

static void enter_pipe(struct mascar_queue *q, const struct mascar_entry *e)
{
    *piped(q, q->piped_count++) = *e;
    q->piped_writes += e->write;
}

void mascar_queue_taken(struct mascar_queue *q)
{
    if (q->offered_fresh) {
        enter_pipe(q, &q->fresh);
        q->fresh.request = NULL;
        return;
    }
    enter_pipe(q, ring(q, 0));
    q->head = place(q, q->head, 1);
    q->count--;
}

/* The L1 has answered: takes the entry out of the pipeline, whose first it mostly is. False: it is not one of ours. */
static bool answered(struct mascar_queue *q, const struct request *request, struct mascar_entry *out)
{
    uint32_t i = 0;
    while (i < q->piped_count && piped(q, i)->request != request)
        i++;
    if (i == q->piped_count)
        return false;
    *out = *piped(q, i);
    for (; i; i--)
        *piped(q, i) = *piped(q, i - 1);
    q->piped_head = place(q, q->piped_head, 1);
    q->piped_count--;
    q->piped_writes -= out->write;
    return true;
}

/* The warp is held back at issue from now on, or no longer. */
static void hold(struct policy_self *self, struct mascar_queue *q, uint32_t sm, uint64_t bit)
{
    q->held ^= bit;
    self->machine->regate(self->machine->gpu, sm);
}

void mascar_queue_returned(struct policy_self *self, struct mascar_queue *q, struct mascar_queue_counters *count, uint32_t sm,
                           const struct request *request)
{
    struct mascar_entry e;
    if (!answered(q, request, &e))
        return;
    count->recycles++;
    if (!e.recycled) {
        count->queued++;
        e.recycled = true;
        if (q->waiting[e.warp % MASCAR_SLOTS_MAX]++ == 0)
            hold(self, q, sm, 1ull << e.warp % MASCAR_SLOTS_MAX);
    }
    *ring(q, q->count++) = e;
}

void mascar_queue_accessed(struct policy_self *self, struct mascar_queue *q, struct mascar_queue_counters *count,
                           const struct policy_access *a, enum policy_outcome outcome)
{
    struct mascar_entry e;
    if (!answered(q, a->request, &e))
        return;
    count->hits_under_miss += outcome == OUTCOME_HIT && q->count != 0;
    if (e.recycled && --q->waiting[e.warp % MASCAR_SLOTS_MAX] == 0)
        hold(self, q, a->sm, 1ull << e.warp % MASCAR_SLOTS_MAX);
}

void mascar_queue_gate(const struct mascar_queue *q, struct policy_gate *gate)
{
    gate->memory &= ~q->held;
}

const char *mascar_queue_broken(struct mascar_queue *q)
{
    uint32_t waiting = 0, recycled = 0, writes = 0;
    if (q->count + q->piped_count > q->room)
        return "more transactions than places in the re-execution queue";
    for (uint32_t i = 0; i < MASCAR_SLOTS_MAX; i++) {
        waiting += q->waiting[i];
        if ((q->held >> i & 1) != (q->waiting[i] != 0))
            return "a warp is held back with nothing in the re-execution queue, or the other way round";
    }
    for (uint32_t i = 0; i < q->piped_count; i++) {
        recycled += piped(q, i)->recycled;
        writes += piped(q, i)->write;
    }
    if (writes != q->piped_writes)
        return "the stores before the L1 do not add up";
    return waiting == q->count + recycled ? NULL : "the warps' waiting transactions do not add up to the queue";
}

/* Section IV-B: a base address of 64 bits, 32 offsets of 7, a warp of 6 and a register of 7: 301 bits. The paper prints 1216 bytes
 * for 32 of them, which is 38 whole bytes each. */
uint32_t mascar_queue_hardware(const struct mascar_queue_config *c, struct policy_hardware rows[])
{
    rows[0] = (struct policy_hardware){ "re-execution queue", PER_SM, c->entries, 64 + 32 * 7 + 6 + 7 };
    return 1;
}
