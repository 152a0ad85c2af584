/* layout.c - where shared and local variables lie.
 *
 * Local: one frame per function. Shared: what an .entry declares lies in its own block; what the module or a .func declares
 * lies in a block common to all kernels, in front of the entry's own, and only kernels that reach it (themselves or through
 * calls) pay for it. extern .shared arrays have no offset: they start behind the static bytes of the launched kernel. */
#include "ptx/parser.h"

#include <stdlib.h>

#include "base/error.h"

#define LARGEST_BLOCK UINT32_MAX

/* Puts v behind *end. False when the block would pass 4 GiB. */
static bool place(struct ptx_variable *v, uint64_t *end)
{
    uint64_t at = (*end + v->align - 1) & ~(uint64_t)(v->align - 1);
    if (at + v->bytes > LARGEST_BLOCK)
        return false;
    v->offset = at;
    *end = at + v->bytes;
    return true;
}

static bool is_common_shared(const struct parser *p, const struct ptx_variable *v)
{
    return v->space == SPACE_SHARED && v->bytes && (v->function < 0 || !p->functions.items[v->function].is_entry);
}

static bool uses_common_shared(const struct parser *p, const struct ptx_operand *o)
{
    bool symbol = o->kind == OPERAND_SYMBOL || o->kind == OPERAND_SYMBOL_ADDRESS;
    return symbol && is_common_shared(p, &p->variables.items[o->index]);
}

/* Marks functions whose own code names common shared variables, then those that call them. An indirect call may reach any
 * function, so it counts as reaching the common block when some function does. */
static void mark_users(const struct parser *p, bool *uses)
{
    bool any = false, changed = true;
    for (uint32_t f = 0; f < p->functions.count; f++) {
        const struct ptx_function *fn = &p->functions.items[f];
        for (uint32_t i = 0; i < fn->code_count && !uses[f]; i++)
            for (uint32_t k = 0; k < fn->code[i].nsrc; k++)
                uses[f] |= uses_common_shared(p, &fn->code[i].src[k]);
        any |= uses[f];
    }
    while (changed && any) {
        changed = false;
        for (uint32_t f = 0; f < p->functions.count; f++) {
            const struct ptx_function *fn = &p->functions.items[f];
            for (uint32_t i = 0; i < fn->code_count && !uses[f]; i++) {
                const struct ptx_operand *callee = &fn->code[i].src[0];
                if (fn->code[i].op == OP_CALL && (callee->kind != OPERAND_FUNCTION || uses[callee->index]))
                    uses[f] = changed = true;
            }
        }
    }
}

bool layout_module(struct parser *p)
{
    uint64_t common = 0;
    bool ok = true;
    uint64_t *shared = must_calloc(p->functions.count, sizeof *shared), *local = must_calloc(p->functions.count, sizeof *local);
    bool *uses = must_calloc(p->functions.count, sizeof *uses);
    for (uint32_t i = 0; i < p->variables.count && ok; i++)
        if (is_common_shared(p, &p->variables.items[i]))
            ok = place(&p->variables.items[i], &common);
    mark_users(p, uses);
    for (uint32_t f = 0; f < p->functions.count; f++)
        shared[f] = uses[f] ? common : 0;
    for (uint32_t i = 0; i < p->variables.count && ok; i++) {
        struct ptx_variable *v = &p->variables.items[i];
        if (v->function < 0 || v->bytes == 0)
            continue;
        if (v->space == SPACE_SHARED && !is_common_shared(p, v))
            ok = place(v, &shared[v->function]);
        else if (v->space == SPACE_LOCAL)
            ok = place(v, &local[v->function]);
    }
    for (uint32_t f = 0; f < p->functions.count; f++) {
        p->functions.items[f].shared_bytes = (uint32_t)shared[f];
        p->functions.items[f].local_bytes = (uint32_t)local[f];
    }
    free(shared);
    free(local);
    free(uses);
    return ok || error_set(p->err, "%s: the shared or local variables of a function take more than 4 GiB", p->file);
}
