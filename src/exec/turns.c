/* turns.c - where a warp of a functional run must let others go on, so that a program with races comes out as on a GPU.
 *
 * On a GPU a load takes hundreds of cycles, and every warp that is resident has issued its own by the time the first gets its
 * value. Without a machine a warp that runs on after a load would store what others have yet to read. So a turn ends behind a
 * load of memory that this launch may also write. Which loads these are follows from the code: each address is traced back to
 * the kernel parameters it comes from, and at the launch these tell which allocations are read and which are written. Loads of
 * memory that is only read, which are the most in most kernels, end no turn and cost nothing. Shared memory is one piece: a load
 * of it ends the turn when a store may follow before the next barrier. */
#include "exec/turns.h"

#include <stdlib.h>

#include "ptx/analysis.h"

enum { POINTERS = 62, SYMBOL_BIT = 62, UNKNOWN_BIT = 63 };
#define FROM_SYMBOL (UINT64_C(1) << SYMBOL_BIT)
#define FROM_ANYWHERE (UINT64_C(1) << UNKNOWN_BIT)

struct turn_plan {
    uint64_t *reads, *writes;   /* per instruction of the image: where the address of its access to global memory comes from */
    bool *before_store;         /* per instruction: a load of shared memory that a store may follow before a barrier */
    uint32_t pointer[POINTERS]; /* offsets in the parameter block of what bit i stands for */
    uint32_t pointer_count;
    bool any_shared;
};

struct tracing {
    struct turn_plan *plan;
    const struct routine *routine;
    uint64_t *from; /* per register */
    uint64_t sum;   /* of the registers visited */
};

static void add_use(void *context, uint32_t reg, bool is_address)
{
    struct tracing *t = context;
    (void)is_address;
    t->sum |= t->from[reg];
}

struct definition {
    struct tracing *t;
    uint64_t value;
    bool changed;
};

/* Addresses live in registers of 64 bits; indices, which may be narrower, name no memory. */
static void define(void *context, uint32_t reg, bool is_address)
{
    struct definition *d = context;
    const uint8_t type = d->t->routine->fn->regs[reg].type;
    (void)is_address;
    if (ptx_type_bytes(type) < 8 || type == T_F64 || (d->t->from[reg] | d->value) == d->t->from[reg])
        return;
    d->t->from[reg] |= d->value;
    d->changed = true;
}

static uint64_t parameter_bit(struct turn_plan *plan, uint32_t offset)
{
    for (uint32_t i = 0; i < plan->pointer_count; i++)
        if (plan->pointer[i] == offset)
            return UINT64_C(1) << i;
    if (plan->pointer_count == POINTERS)
        return FROM_ANYWHERE;
    plan->pointer[plan->pointer_count] = offset;
    return UINT64_C(1) << plan->pointer_count++;
}

/* Where the values that an instruction writes come from. */
static uint64_t origin(struct tracing *t, const struct ptx_inst *i)
{
    const struct ptx_module *ptx = t->routine->module->ptx;
    const struct ptx_operand *from = &i->src[0];
    switch (i->op) {
    case OP_LD:
    case OP_LDU:
        if (i->mod.space == SPACE_PARAM && t->routine->fn->is_entry && from->kind == OPERAND_SYMBOL_ADDRESS)
            return parameter_bit(t->plan, (uint32_t)(ptx->variables[from->index].offset + (uint64_t)from->offset));
        return FROM_ANYWHERE; /* a pointer in memory */
    case OP_CALL:
    case OP_ATOM: return FROM_ANYWHERE;
    case OP_MOV:
        if (from->kind == OPERAND_SYMBOL) {
            const uint8_t space = ptx->variables[from->index].space;
            return space == SPACE_GLOBAL || space == SPACE_CONST ? FROM_SYMBOL : 0;
        }
        break;
    default: break;
    }
    t->sum = 0;
    visit_uses(t->routine->fn, i, add_use, t);
    return t->sum;
}

/* To a fixed point; compilers write most registers once, and a few rounds are enough. */
static void trace_registers(struct tracing *t)
{
    const struct ptx_function *fn = t->routine->fn;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = 0; i < fn->code_count; i++) {
            struct definition d = { .t = t, .value = origin(t, &fn->code[i]) };
            visit_definitions(fn, &fn->code[i], define, &d);
            changed |= d.changed;
        }
    }
}

static uint64_t address_origin(const struct tracing *t, const struct ptx_operand *o)
{
    if (o->kind == OPERAND_SYMBOL_ADDRESS)
        return FROM_SYMBOL;
    const uint64_t from = o->kind == OPERAND_ADDRESS ? t->from[o->index] : 0;
    return from ? from : FROM_ANYWHERE;
}

static bool is_store(const struct ptx_inst *i)
{
    return i->op == OP_ST || i->op == OP_ATOM || i->op == OP_RED || (i->op == OP_WMMA && i->mod.mode == WMMA_STORE_D);
}

static bool may_be_global(const struct ptx_inst *i)
{
    return i->mod.space == SPACE_GLOBAL || i->mod.space == SPACE_GENERIC || i->mod.space == SPACE_NONE;
}

static bool may_be_shared(const struct ptx_inst *i)
{
    return i->mod.space == SPACE_SHARED || i->mod.space == SPACE_GENERIC || i->mod.space == SPACE_NONE;
}

static void find_global_accesses(struct tracing *t)
{
    const struct ptx_function *fn = t->routine->fn;
    for (uint32_t k = 0; k < fn->code_count; k++) {
        const struct ptx_inst *i = &fn->code[k];
        const uint32_t at = t->routine->first + k;
        if (!may_be_global(i))
            continue;
        if (is_store(i))
            t->plan->writes[at] = address_origin(t, &i->src[0]);
        if (i->op == OP_LD && i->mod.cache_op != CACHE_READ_ONLY)
            t->plan->reads[at] = address_origin(t, &i->src[0]);
    }
}

static bool is_barrier(const struct ptx_inst *i)
{
    return i->op == OP_BARRIER || (i->op == OP_BAR && i->mod.mode != BAR_WARP_SYNC);
}

/* A warp that asks an mbarrier in vain has nothing to do until others have arrived. */
static bool is_poll(const struct ptx_inst *i)
{
    return i->op == OP_MBARRIER && (i->mod.mode == MBARRIER_TEST || i->mod.mode == MBARRIER_TRY);
}

/* Goes backwards over the code until nothing changes: can a store to shared memory be reached from here without a barrier? */
static void find_shared_loads(struct turn_plan *plan, const struct routine *routine)
{
    const struct ptx_function *fn = routine->fn;
    const uint32_t count = fn->code_count;
    bool *ahead = must_calloc(count + 1, sizeof *ahead);
    ahead[count] = !fn->is_entry; /* its caller may store */
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t k = count; k-- > 0;) {
            const struct ptx_inst *i = &fn->code[k];
            const bool ends = (i->op == OP_BRA || i->op == OP_BRX || i->op == OP_RET || i->op == OP_EXIT) && i->guard < 0;
            bool store = (is_store(i) && may_be_shared(i)) || i->op == OP_CP || i->op == OP_CALL;
            if (!store && !is_barrier(i)) {
                store = (!ends && ahead[k + 1]) || (i->op == OP_RET && ahead[count]);
                if (i->op == OP_BRA)
                    store |= ahead[i->src[0].index];
                for (uint32_t n = 0; i->op == OP_BRX && n < fn->tables[i->src[1].index].count; n++)
                    store |= ahead[fn->tables[i->src[1].index].targets[n]];
            }
            changed |= store != ahead[k];
            ahead[k] = store;
        }
    }
    for (uint32_t k = 0; k < count; k++)
        if (is_poll(&fn->code[k]) || (fn->code[k].op == OP_LD && may_be_shared(&fn->code[k]) && ahead[k + 1])) {
            plan->before_store[routine->first + k] = true;
            plan->any_shared = true;
        }
    free(ahead);
}

struct turn_plan *turn_plan_new(const struct image *image)
{
    struct turn_plan *plan = must_calloc(1, sizeof *plan);
    plan->reads = must_calloc(image->count, sizeof *plan->reads);
    plan->writes = must_calloc(image->count, sizeof *plan->writes);
    plan->before_store = must_calloc(image->count, sizeof *plan->before_store);
    for (uint32_t r = 0; r < image->routine_count; r++) {
        struct tracing t = { .plan = plan, .routine = &image->routines[r] };
        t.from = must_calloc(t.routine->fn->reg_count + 1, sizeof *t.from);
        trace_registers(&t);
        find_global_accesses(&t);
        find_shared_loads(plan, &image->routines[r]);
        free(t.from);
    }
    return plan;
}

void turn_plan_free(struct turn_plan *plan)
{
    if (!plan)
        return;
    free(plan->reads);
    free(plan->writes);
    free(plan->before_store);
    free(plan);
}

/* The bits of pointers into an allocation that one of `from` also points into. */
static uint64_t same_memory(const struct turn_plan *plan, const struct run *run, uint64_t from)
{
    uint64_t same = from;
    for (uint32_t i = 0; i < plan->pointer_count; i++)
        for (uint32_t k = 0; k < plan->pointer_count && from >> i & 1; k++) {
            uint64_t a = 0, b = 0;
            if (plan->pointer[i] + 8 > run->param_bytes || plan->pointer[k] + 8 > run->param_bytes)
                continue;
            memcpy(&a, run->params + plan->pointer[i], sizeof a);
            memcpy(&b, run->params + plan->pointer[k], sizeof b);
            const struct range *one = memory_find(&run->device->memory, a);
            same |= (uint64_t)(one && one == memory_find(&run->device->memory, b)) << k;
        }
    return same;
}

bool turns_find(const struct turn_plan *plan, const struct run *run, bool *ends_turn)
{
    const struct image *image = run->image;
    uint64_t written = 0;
    bool global = false;
    for (uint32_t i = 0; i < image->count; i++)
        written |= plan->writes[i];
    if (written & FROM_ANYWHERE)
        written = UINT64_MAX;
    written = same_memory(plan, run, written);
    for (uint32_t i = 0; i < image->count; i++) {
        const bool meets = plan->reads[i] & written || (plan->reads[i] & FROM_ANYWHERE && written);
        global |= meets;
        ends_turn[i] = meets || plan->before_store[i];
    }
    return global;
}

bool turns_in_shared(const struct turn_plan *plan)
{
    return plan->any_shared;
}
