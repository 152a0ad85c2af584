/* allocate.c - gives registers to values in the order of the code and counts how many it took.
 *
 * As long as more registers cost no occupancy, ptxas does not save them. Two operands of one instruction get registers of
 * different parity, in different banks. The registers of a load's address or a store's data are not written again at once, since
 * memory instructions read late. Values of 64 bits lie in aligned pairs, those of one vector load in aligned groups. */
#include "ptxas/lower.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"

enum { REGISTERS = 320, HOLD_ADDRESS = 4, HOLD_DATA = 10, STACK_POINTER = 1 };
#define NEVER UINT32_MAX

struct allocator {
    const struct lower *l;
    const struct flow *flow;
    const uint32_t *order;
    struct live_sets live;
    uint32_t *start, *end;         /* per value: positions between which it lives */
    uint32_t *first_use;           /* per value: op + 1 */
    uint16_t *home;                /* per value: register + 1 */
    uint32_t free_from[REGISTERS]; /* per register: position from which it is free */
    uint32_t most;
    bool sparing;
    bool paired; /* 64 bits or more have been loaded or stored at once: parities no longer matter */
};

static void put(uint64_t *set, uint32_t v)
{
    set[v / 64] |= UINT64_C(1) << v % 64;
}
static bool has(const uint64_t *set, uint32_t v)
{
    return set[v / 64] >> v % 64 & 1;
}

static const uint32_t *defs_of(const struct lower *l, const struct lower_op *op)
{
    return l->operands + op->operands;
}
static const uint32_t *uses_of(const struct lower *l, const struct lower_op *op)
{
    return l->operands + op->operands + op->def_count;
}

static void summarise(struct allocator *a)
{
    const struct lower *l = a->l;
    for (uint32_t b = 0; b < a->flow->count; b++) {
        uint64_t *read = a->live.read + (size_t)b * a->live.words, *written = a->live.written + (size_t)b * a->live.words;
        for (uint32_t p = l->blocks[b].first; p < l->blocks[b].end; p++) {
            const struct lower_op *op = &l->ops[a->order[p]];
            for (uint32_t u = 0; u < op->use_count; u++)
                if (!has(written, uses_of(l, op)[u]))
                    put(read, uses_of(l, op)[u]);
            for (uint32_t d = 0; d < op->def_count; d++)
                put(written, defs_of(l, op)[d]);
        }
    }
}

/* A store, or an atomic instruction. */
static bool takes_data(const struct lower_op *op)
{
    return op->flags & LOWER_STORE || (op->flags & LOWER_FENCE && op->address_count);
}

static void stretch(struct allocator *a, uint32_t v, uint32_t from, uint32_t to)
{
    a->start[v] = from < a->start[v] ? from : a->start[v];
    a->end[v] = to > a->end[v] ? to : a->end[v];
}

static void stretch_set(struct allocator *a, const uint64_t *set, uint32_t at)
{
    for (uint32_t w = 0; w < a->live.words; w++)
        for (uint64_t bits = set[w]; bits; bits &= bits - 1)
            stretch(a, w * 64 + (uint32_t)__builtin_ctzll(bits), at, at);
}

/* Positions are twice the place in the order: reading is at 2p, writing at 2p + 1. */
static void find_intervals(struct allocator *a)
{
    const struct lower *l = a->l;
    memset(a->start, 0xff, l->value_count * sizeof *a->start);
    for (uint32_t b = 0; b < a->flow->count; b++) {
        uint32_t first = l->blocks[b].first, end = l->blocks[b].end;
        stretch_set(a, a->live.in + (size_t)b * a->live.words, 2 * first);
        stretch_set(a, a->live.out + (size_t)b * a->live.words, 2 * end);
        for (uint32_t p = first; p < end; p++) {
            const struct lower_op *op = &l->ops[a->order[p]];
            for (uint32_t d = 0; d < op->def_count; d++)
                stretch(a, defs_of(l, op)[d], 2 * p + 1, 2 * p + 2);
            for (uint32_t u = 0; u < op->use_count; u++) {
                uint32_t v = uses_of(l, op)[u];
                bool address = u < op->address_count, data = !address && takes_data(op);
                uint32_t hold = a->sparing ? 0 : address && op->flags & LOWER_LOAD ? HOLD_ADDRESS : data ? HOLD_DATA : 0;
                uint32_t until = p + hold < end ? p + hold : end;
                stretch(a, v, 2 * p, 2 * (until > p ? until : p));
                if (!a->first_use[v])
                    a->first_use[v] = a->order[p] + 1;
            }
        }
    }
}

static bool is_free(const struct allocator *a, uint32_t reg, uint32_t width, uint32_t at)
{
    for (uint32_t k = 0; k < width; k++)
        if (a->free_from[reg + k] > at)
            return false;
    return true;
}

/* True when another load stands between `v` being loaded and `reader`, in the order of the program. */
static bool followed_by_load(const struct lower *l, uint32_t v, uint32_t reader)
{
    for (uint32_t k = reader; k-- > 0;) {
        const struct lower_op *op = &l->ops[k];
        if (op->flags & LOWER_LOAD)
            return defs_of(l, op)[0] != v;
    }
    return false;
}

/* -1: any; else the parity that keeps the value out of the bank of the operand that it is read with. */
static int wished_parity(const struct allocator *a, uint32_t v, bool loaded)
{
    const struct lower *l = a->l;
    if (a->sparing || a->paired || !a->first_use[v] || l->values[v].width != 1)
        return -1;
    const struct lower_op *op = &l->ops[a->first_use[v] - 1];
    bool partner = false;
    if (takes_data(op))
        return 1;
    for (uint32_t u = 0; u < op->use_count; u++) {
        uint32_t other = uses_of(l, op)[u];
        if (other == v || !l->values[other].width)
            continue;
        partner = true;
        if (a->home[other] && l->values[other].width == 1)
            return (a->home[other] - 1) % 2 ? 0 : 1;
    }
    return partner && loaded && !followed_by_load(l, v, a->first_use[v] - 1) ? 1 : -1;
}

static void take(struct allocator *a, uint32_t v, uint32_t reg, uint32_t width)
{
    a->home[v] = (uint16_t)(reg + 1);
    for (uint32_t k = 0; k < width; k++)
        a->free_from[reg + k] = a->end[v];
    a->most = reg + width > a->most ? reg + width : a->most;
}

static void assign(struct allocator *a, uint32_t v, uint32_t at, bool loaded)
{
    uint32_t width = a->l->values[v].width;
    if (!width || a->home[v])
        return;
    int parity = wished_parity(a, v, loaded);
    uint32_t step = width > 2 ? 4 : width;
    for (uint32_t r = 0; r + width <= REGISTERS; r += step)
        if ((parity < 0 || r % 2 == (uint32_t)parity) && is_free(a, r, width, at)) {
            take(a, v, r, width);
            return;
        }
    a->most = REGISTERS;
}

/* The elements of one vector load lie side by side. */
static bool assign_group(struct allocator *a, const uint32_t *values, uint32_t count, uint32_t at)
{
    uint32_t each = a->l->values[values[0]].width, width = each * count;
    if (!each || width > 4 || width < 2)
        return false;
    for (uint32_t k = 0; k < count; k++)
        if (a->home[values[k]] || a->l->values[values[k]].width != each)
            return false;
    for (uint32_t r = 0; r + width <= REGISTERS; r += width == 3 ? 4 : width)
        if (is_free(a, r, width, at)) {
            for (uint32_t k = 0; k < count; k++)
                take(a, values[k], r + k * each, each);
            return true;
        }
    return false;
}

static void use_scratch(struct allocator *a, uint32_t count, uint32_t at)
{
    for (uint32_t r = 0; count && r < REGISTERS; r++)
        if (a->free_from[r] <= at && count-- == 1)
            a->most = r + 1 > a->most ? r + 1 : a->most;
}

/* True when a block loads or stores values of 64 bits, or several at once. */
static bool moves_pairs(const struct lower *l, uint32_t block)
{
    for (uint32_t k = l->blocks[block].first; k < l->blocks[block].end; k++) {
        const struct lower_op *op = &l->ops[k];
        const uint32_t *data = op->flags & LOWER_LOAD ? defs_of(l, op) : uses_of(l, op) + op->address_count;
        uint32_t count = op->flags & LOWER_LOAD ? op->def_count : op->use_count - op->address_count, width = 0;
        for (uint32_t d = 0; op->flags & (LOWER_LOAD | LOWER_STORE) && d < count; d++)
            width += l->values[data[d]].width;
        if (width > 1)
            return true;
    }
    return false;
}

static void assign_all(struct allocator *a)
{
    const struct lower *l = a->l;
    a->free_from[STACK_POINTER] = NEVER;
    a->most = STACK_POINTER + 1;
    for (uint32_t v = 0; v < l->value_count; v++) /* never written, so it is there from the start */
        if (a->start[v] == 0)
            assign(a, v, 0, false);
    for (uint32_t b = 0; b < a->flow->count; b++) {
        a->paired |= moves_pairs(l, b);
        for (uint32_t p = l->blocks[b].first; p < l->blocks[b].end; p++) {
            const struct lower_op *op = &l->ops[a->order[p]];
            const uint32_t *defs = defs_of(l, op);
            for (uint32_t u = 0; u < op->use_count; u++)
                assign(a, uses_of(l, op)[u], 2 * p, false);
            use_scratch(a, op->scratch, 2 * p);
            if (op->flags & LOWER_VECTOR && op->def_count > 1 && assign_group(a, defs, op->def_count, 2 * p))
                continue;
            for (uint32_t d = 0; d < op->def_count; d++)
                assign(a, defs[d], 2 * p, op->flags & LOWER_LOAD && op->address_count);
        }
    }
}

uint32_t allocate_registers(const struct lower *l, const struct flow *flow, const uint32_t *order, bool sparing)
{
    uint32_t *numbers = must_calloc(3 * (size_t)l->value_count + 1, sizeof *numbers);
    struct allocator a = { .l = l,
                           .flow = flow,
                           .order = order,
                           .start = numbers,
                           .end = numbers + l->value_count,
                           .first_use = numbers + 2 * (size_t)l->value_count,
                           .home = must_calloc(l->value_count + 1, sizeof *a.home),
                           .sparing = sparing };
    live_sets_new(&a.live, flow, l->value_count);
    summarise(&a);
    live_sets_solve(&a.live, flow);
    find_intervals(&a);
    assign_all(&a);
    live_sets_free(&a.live);
    free(numbers);
    free(a.home);
    return a.most;
}
