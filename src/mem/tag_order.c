/* tag_order.c - finds a line and the oldest line of a set with many ways: a hash and a list instead of a search. */
#include "mem/tag_order.h"

#include <stdbool.h>
#include <stdlib.h>

#include "base/error.h"

#define NONE UINT32_MAX

struct ends {
    uint32_t oldest, newest;
};

struct set_list {
    struct ends list[2];
    uint32_t free; /* how many free lines the set has */
    uint32_t top;  /* no word of its free lines after this one is set */
};

struct tag_order {
    uint32_t ways;
    struct set_list *set;
    uint32_t *older, *newer; /* per line */
    uint8_t *list;           /* per line: the list that it is in */
    uint64_t *free_ways;     /* per set, a bit per way: a miss takes the last one, as where ways are scanned */
    uint32_t words;          /* of them, per set */
    uint32_t *slot;          /* hash: line + 1, or 0 */
    uint32_t slot_mask, slot_shift;
    bool twice; /* some block may have been in two lines */
};

static uint64_t *free_word(const struct tag_order *o, uint32_t line)
{
    return &o->free_ways[(size_t)(line / o->ways) * o->words + line % o->ways / 64];
}

static void make_free(struct tag_order *o, uint32_t line)
{
    struct set_list *set = &o->set[line / o->ways];
    const uint32_t way = line % o->ways;
    *free_word(o, line) |= UINT64_C(1) << way % 64;
    set->free++;
    set->top = way / 64 > set->top ? way / 64 : set->top;
}

static void take_free(struct tag_order *o, uint32_t line)
{
    *free_word(o, line) &= ~(UINT64_C(1) << line % o->ways % 64);
    o->set[line / o->ways].free--;
}

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
    o->list = must_calloc(lines, sizeof *o->list);
    o->words = (ways + 63) / 64;
    o->free_ways = must_calloc((unsigned long)sets * o->words, sizeof *o->free_ways);
    o->slot = must_calloc(1ul << bits, sizeof *o->slot);
    o->slot_mask = (uint32_t)((1ul << bits) - 1);
    o->slot_shift = 64 - bits;
    for (uint32_t s = 0; s < sets; s++) {
        o->set[s] = (struct set_list){ .list = { { NONE, NONE }, { NONE, NONE } } };
        for (uint32_t w = 0; w < ways; w++)
            make_free(o, s * ways + w);
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
    free(o->list);
    free(o->free_ways);
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
    uint32_t s = find_slot(o, block, wanted), number = o->slot[s];
    for (; o->twice && o->slot[s]; s = (s + 1) & o->slot_mask)
        if (block[o->slot[s] - 1] == wanted && o->slot[s] < number)
            number = o->slot[s];
    return number ? number - 1 : NONE;
}

uint32_t tag_order_peek_free(const struct tag_order *o, uint32_t set)
{
    struct set_list *s = &o->set[set];
    const uint64_t *free_ways = o->free_ways + (size_t)set * o->words;
    if (!s->free)
        return NONE;
    while (!free_ways[s->top])
        s->top--;
    return set * o->ways + s->top * 64 + 63 - (uint32_t)__builtin_clzll(free_ways[s->top]);
}

uint32_t tag_order_oldest(const struct tag_order *o, uint32_t set, uint32_t list)
{
    return o->set[set].list[list].oldest;
}

uint32_t tag_order_newest(const struct tag_order *o, uint32_t set, uint32_t list)
{
    return o->set[set].list[list].newest;
}

uint32_t tag_order_newer(const struct tag_order *o, uint32_t line)
{
    return o->newer[line];
}

uint32_t tag_order_older(const struct tag_order *o, uint32_t line)
{
    return o->older[line];
}

static struct ends *list_of(const struct tag_order *o, uint32_t line)
{
    return &o->set[line / o->ways].list[o->list[line]];
}

static void append(struct tag_order *o, uint32_t line)
{
    struct ends *list = list_of(o, line);
    o->older[line] = list->newest;
    o->newer[line] = NONE;
    if (list->newest == NONE)
        list->oldest = line;
    else
        o->newer[list->newest] = line;
    list->newest = line;
}

static void unlink_line(struct tag_order *o, uint32_t line)
{
    struct ends *list = list_of(o, line);
    if (o->older[line] == NONE)
        list->oldest = o->newer[line];
    else
        o->newer[o->older[line]] = o->newer[line];
    if (o->newer[line] == NONE)
        list->newest = o->older[line];
    else
        o->older[o->newer[line]] = o->older[line];
}

static void link_after(struct tag_order *o, uint32_t line, uint32_t older)
{
    struct ends *list = list_of(o, line);
    o->older[line] = older;
    o->newer[line] = older == NONE ? list->oldest : o->newer[older];
    *(older == NONE ? &list->oldest : &o->newer[older]) = line;
    *(o->newer[line] == NONE ? &list->newest : &o->older[o->newer[line]]) = line;
}

/* Looks for the slot among the others, since this line's own is not in the table yet. */
static void put_slot(struct tag_order *o, const uint64_t *block, uint32_t line)
{
    uint32_t s = find_slot(o, block, block[line]);
    while (o->slot[s]) {
        o->twice = true;
        s = (s + 1) & o->slot_mask;
    }
    o->slot[s] = line + 1;
}

void tag_order_insert(struct tag_order *o, const uint64_t *block, uint32_t line)
{
    const uint32_t set = line / o->ways;
    require(tag_order_peek_free(o, set) == line);
    take_free(o, line);
    put_slot(o, block, line);
    append(o, line);
}

void tag_order_revive(struct tag_order *o, const uint64_t *block, uint32_t line, uint32_t older)
{
    take_free(o, line);
    put_slot(o, block, line);
    link_after(o, line, older);
}

void tag_order_touch(struct tag_order *o, uint32_t line)
{
    unlink_line(o, line);
    append(o, line);
}

void tag_order_remove(struct tag_order *o, const uint64_t *block, uint32_t line)
{
    uint32_t hole = find_slot(o, block, block[line]);
    while (o->slot[hole] != line + 1)
        hole = (hole + 1) & o->slot_mask;
    for (uint32_t i = (hole + 1) & o->slot_mask; o->slot[i]; i = (i + 1) & o->slot_mask) {
        const uint32_t home = home_slot(o, block[o->slot[i] - 1]);
        if (((i - home) & o->slot_mask) >= ((i - hole) & o->slot_mask)) {
            o->slot[hole] = o->slot[i];
            hole = i;
        }
    }
    o->slot[hole] = 0;
    unlink_line(o, line);
    o->list[line] = 0;
    make_free(o, line);
}

void tag_order_move(struct tag_order *o, uint32_t line, uint32_t list, uint32_t older)
{
    unlink_line(o, line);
    o->list[line] = (uint8_t)list;
    link_after(o, line, older);
}
