/* Warp instructions in flight: a pool that grows to its high-water mark, and the registers between pipeline stages. */
#include "sm/sm_state.h"

struct sm_op *op_new(struct sm *sm)
{
    struct sm_op *op = sm->free_ops;
    if (op) {
        sm->free_ops = op->next;
    } else {
        op = must_calloc(1, sizeof *op);
        sm->op = must_realloc(sm->op, (sm->op_count + 1) * sizeof sm->op[0]);
        op->id = sm->op_count;
        sm->op[sm->op_count++] = op;
    }
    op->next = NULL;
    op->access_count = op->transactions = op->pending = op->delay = 0;
    op->dispatched = op->bypass_l1 = false;
    return op;
}

void op_free(struct sm *sm, struct sm_op *op)
{
    op->next = sm->free_ops;
    sm->free_ops = op;
}

void op_slots_put(struct op_slots *s, struct sm_op *op)
{
    for (uint32_t i = 0; i < s->width; i++)
        if (!s->slot[i]) {
            s->slot[i] = op;
            s->used++;
            return;
        }
    panic("a full pipeline register was written");
}

void op_slots_take(struct op_slots *s, struct sm_op *op)
{
    for (uint32_t i = 0; i < s->width; i++)
        if (s->slot[i] == op) {
            s->slot[i] = NULL;
            s->used--;
            return;
        }
    panic("an instruction was not in its pipeline register");
}
