/* Warp instructions in flight: a pool that grows to its high-water mark. */
#include "sm/sm_state.h"

struct sm_op *op_new(struct sm *sm)
{
    struct sm_op *op = sm->free_ops;
    if (op) {
        sm->free_ops = op->next;
    } else {
        op = must_calloc_aligned(1, sizeof *op);
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
