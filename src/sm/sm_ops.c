/* sm_ops.c - warp instructions in flight: a pool that grows to its high-water mark. */
#include "sm/sm_state.h"

#include <stdlib.h>
#include <string.h>

#include "base/near.h"

enum { OPS_AT_ONCE = 64 };

/* Of a block of accesses that nobody uses. */
static struct sm_access *next_block(const void *block)
{
    struct sm_access *next;
    memcpy(&next, block, sizeof next);
    return next;
}
static void set_next_block(void *block, struct sm_access *next)
{
    memcpy(block, &next, sizeof next);
}

/* A chunk of them side by side: the host's pages are few. All but the first go to the free ones. */
static struct sm_op *more_ops(struct sm *sm)
{
    struct sm_op *op = near_calloc(OPS_AT_ONCE, sizeof *op);
    sm->op = must_realloc(sm->op, (sm->op_count + OPS_AT_ONCE) * sizeof sm->op[0]);
    for (uint32_t i = 0; i < OPS_AT_ONCE; i++) {
        op[i].id = sm->op_count;
        op[i].next = i + 1 < OPS_AT_ONCE ? &op[i + 1] : NULL;
        sm->op[sm->op_count++] = &op[i];
    }
    sm->free_ops = op->next;
    return op;
}

void ops_free_all(struct sm *sm)
{
    for (uint32_t i = 0; i < sm->op_count; i++)
        op_give_back_accesses(sm, sm->op[i]);
    for (uint32_t i = 0; i < sm->op_count; i += OPS_AT_ONCE)
        near_free(sm->op[i]);
    free(sm->op);
    for (struct sm_access *block = sm->free_accesses, *next; block; block = next) {
        next = next_block(block);
        near_free(block);
    }
}

void op_take_accesses(struct sm *sm, struct sm_op *op)
{
    op->access = sm->free_accesses;
    if (op->access)
        sm->free_accesses = next_block(op->access);
    else
        op->access = near_calloc(SM_ACCESSES_MAX, sizeof *op->access);
}

void op_give_back_accesses(struct sm *sm, struct sm_op *op)
{
    if (!op->access)
        return;
    set_next_block(op->access, sm->free_accesses);
    sm->free_accesses = op->access;
    op->access = NULL;
}

struct sm_op *op_new(struct sm *sm)
{
    struct sm_op *op = sm->free_ops;
    if (op) {
        sm->free_ops = op->next;
    } else {
        op = more_ops(sm);
    }
    op->next = NULL;
    op->access_count = op->transactions = op->pending = 0;
    op->delay = 0;
    op->dispatched = op->bypass_l1 = false;
    return op;
}

void op_free(struct sm *sm, struct sm_op *op)
{
    op_give_back_accesses(sm, op);
    op->next = sm->free_ops;
    sm->free_ops = op;
}
