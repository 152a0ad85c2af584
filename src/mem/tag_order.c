#include "mem/tag_order.h"

#include <stdlib.h>

#include "base/error.h"

#define NONE UINT32_MAX

struct set_list {
    uint32_t oldest, newest, free; /* `free`: how many free lines the set has */
};

struct tag_order {
    uint32_t ways;
    struct set_list *set;
    uint32_t *older, *newer; /* per line */
    uint32_t *free_line;     /* per set: a stack of `ways` */
    uint32_t *slot;          /* hash: line + 1, or 0 */
    uint32_t slot_mask, slot_shift;
};

struct tag_order *tag_order_new(uint32_t sets, uint32_t ways)
{
    struct tag_order *o = must_calloc(1, sizeof *o);
    const unsigned long lines = (unsigned long)sets * ways;
    uint32_t bits = 2;
    while ((1ul << bits) < 2 * lines)
        bits++;
    o->ways = ways;
    o->set = must_calloc(sets, sizeof *o->set);
    o->older = must_calloc(lines, sizeof *o->older);
    o->newer = must_calloc(lines, sizeof *o->newer);
    o->free_line = must_calloc(lines, sizeof *o->free_line);
    o->slot = must_calloc(1ul << bits, sizeof *o->slot);
    o->slot_mask = (uint32_t)((1ul << bits) - 1);
    o->slot_shift = 64 - bits;
    for (uint32_t s = 0; s < sets; s++) {
        o->set[s] = (struct set_list){ NONE, NONE, ways };
        for (uint32_t w = 0; w < ways; w++) /* the last way is on top, as where ways are scanned */
            o->free_line[s * ways + w] = s * ways + w;
    }
    return o;
}

void tag_order_free(struct tag_order *o)
{
    if (!o)
        return;
    free(o->set);
    free(o->older);
    free(o->newer);
    free(o->free_line);
    free(o->slot);
    free(o);
}

static uint32_t home_slot(const struct tag_order *o, uint64_t block)
{
    return (uint32_t)((block >> 5) * 0x9E3779B97F4A7C15u >> o->slot_shift); /* multiplicative hash, golden ratio */
}

static uint32_t find_slot(const struct tag_order *o, const uint64_t *block, uint64_t wanted)
{
    uint32_t s = home_slot(o, wanted);
    while (o->slot[s] && block[o->slot[s] - 1] != wanted)
        s = (s + 1) & o->slot_mask;
    return s;
}

uint32_t tag_order_find(const struct tag_order *o, const uint64_t *block, uint64_t wanted)
{
    const uint32_t number = o->slot[find_slot(o, block, wanted)];
    return number ? number - 1 : NONE;
}

uint32_t tag_order_peek_free(const struct tag_order *o, uint32_t set)
{
    return o->set[set].free ? o->free_line[set * o->ways + o->set[set].free - 1] : NONE;
}

uint32_t tag_order_oldest(const struct tag_order *o, uint32_t set)
{
    return o->set[set].oldest;
}

uint32_t tag_order_newer(const struct tag_order *o, uint32_t line)
{
    return o->newer[line];
}

static void append(struct tag_order *o, uint32_t line)
{
    struct set_list *set = &o->set[line / o->ways];
    o->older[line] = set->newest;
    o->newer[line] = NONE;
    if (set->newest == NONE)
        set->oldest = line;
    else
        o->newer[set->newest] = line;
    set->newest = line;
}

static void unlink_line(struct tag_order *o, uint32_t line)
{
    struct set_list *set = &o->set[line / o->ways];
    if (o->older[line] == NONE)
        set->oldest = o->newer[line];
    else
        o->newer[o->older[line]] = o->newer[line];
    if (o->newer[line] == NONE)
        set->newest = o->older[line];
    else
        o->older[o->newer[line]] = o->older[line];
}

void tag_order_insert(struct tag_order *o, const uint64_t *block, uint32_t line)
{
    const uint32_t set = line / o->ways;
    require(tag_order_peek_free(o, set) == line);
    o->set[set].free--;
    /* The slot is looked for among the others: this line's own is not in the table yet. */
    o->slot[find_slot(o, block, block[line])] = line + 1;
    append(o, line);
}

void tag_order_touch(struct tag_order *o, uint32_t line)
{
    unlink_line(o, line);
    append(o, line);
}

void tag_order_remove(struct tag_order *o, const uint64_t *block, uint32_t line)
{
    const uint32_t set = line / o->ways;
    uint32_t hole = find_slot(o, block, block[line]);
    for (uint32_t i = (hole + 1) & o->slot_mask; o->slot[i]; i = (i + 1) & o->slot_mask) {
        const uint32_t home = home_slot(o, block[o->slot[i] - 1]);
        if (((i - home) & o->slot_mask) >= ((i - hole) & o->slot_mask)) {
            o->slot[hole] = o->slot[i];
            hole = i;
        }
    }
    o->slot[hole] = 0;
    unlink_line(o, line);
    o->free_line[set * o->ways + o->set[set].free++] = line;
}
