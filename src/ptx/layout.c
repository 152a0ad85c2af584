/* layout.c - where shared and local variables lie.
 *
 * Local: one frame per function. Shared: what an .entry declares lies in its own block; what the module or a .func declares lies
 * in a block common to all kernels; a kernel pays for those of its variables that it reaches (itself or through calls). extern
 * .shared arrays have no offset: they start behind the static bytes of the launched kernel. Offsets of shared variables serve
 * only to find these sizes. src/exec/image.c knows all modules and decides where a launch has them. */
#include "ptx/parser.h"

#include <stdlib.h>
#include <string.h>

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

/* Which functions and variables the launch of one entry has met so far. */
struct reach {
    const struct parser *p;
    bool *functions, *variables;
    uint32_t *waiting, waiting_count; /* functions still to be read */
    uint64_t bytes;
};

static void reach_function(struct reach *r, uint32_t function)
{
    if (r->functions[function])
        return;
    r->functions[function] = true;
    r->waiting[r->waiting_count++] = function;
}

static bool reach_operand(struct reach *r, const struct ptx_operand *o)
{
    const bool symbol = o->kind == OPERAND_SYMBOL || o->kind == OPERAND_SYMBOL_ADDRESS;
    if (!symbol || !is_common_shared(r->p, &r->p->variables.items[o->index]) || r->variables[o->index])
        return true;
    r->variables[o->index] = true;
    struct ptx_variable copy = r->p->variables.items[o->index]; /* only its size counts here */
    return place(&copy, &r->bytes);
}

/* The bytes of common shared variables that an entry names, itself or through calls. clang puts every kernel's variables
 * into the module, so a kernel must not pay for those of the others. An indirect call may reach any function. Vectors and lists of
 * arguments name no shared variable: they hold registers, constants and .param variables. */
static bool reached_shared(struct reach *r, uint32_t entry)
{
    bool ok = true;
    memset(r->functions, 0, r->p->functions.count * sizeof *r->functions);
    memset(r->variables, 0, r->p->variables.count * sizeof *r->variables);
    r->bytes = 0;
    r->waiting_count = 0;
    reach_function(r, entry);
    while (r->waiting_count && ok) {
        const struct ptx_function *fn = &r->p->functions.items[r->waiting[--r->waiting_count]];
        for (uint32_t i = 0; i < fn->code_count && ok; i++) {
            const struct ptx_inst *in = &fn->code[i];
            for (uint32_t k = 0; k < in->nsrc && ok; k++)
                ok = reach_operand(r, &in->src[k]);
            if (in->op == OP_CALL && in->src[0].kind == OPERAND_FUNCTION)
                reach_function(r, in->src[0].index);
            else if (in->op == OP_CALL)
                for (uint32_t f = 0; f < r->p->functions.count; f++)
                    if (!r->p->functions.items[f].is_entry)
                        reach_function(r, f);
        }
    }
    return ok;
}

bool layout_module(struct parser *p)
{
    uint64_t common = 0;
    bool ok = true;
    uint64_t *shared = must_calloc(p->functions.count, sizeof *shared), *local = must_calloc(p->functions.count, sizeof *local);
    struct reach reach = { .p = p,
                           .functions = must_calloc(p->functions.count, sizeof(bool)),
                           .variables = must_calloc(p->variables.count, sizeof(bool)),
                           .waiting = must_calloc(p->functions.count, sizeof(uint32_t)) };
    for (uint32_t i = 0; i < p->variables.count && ok; i++)
        if (is_common_shared(p, &p->variables.items[i]))
            ok = place(&p->variables.items[i], &common);
    for (uint32_t f = 0; f < p->functions.count && ok; f++)
        if (common && p->functions.items[f].is_entry) {
            ok = reached_shared(&reach, f);
            shared[f] = reach.bytes;
        }
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
    free(reach.functions);
    free(reach.variables);
    free(reach.waiting);
    return ok || error_set(p->err, "%s: the shared or local variables of a function take more than 4 GiB", p->file);
}
