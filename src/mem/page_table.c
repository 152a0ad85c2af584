/* page_table.c - pages and their modules, in a hash table that grows by doubling. */
#include "mem/page_table.h"

#include <stdlib.h>

#include "base/error.h"

struct page {
    uint64_t number_plus_1; /* 0: free */
    uint64_t frame;         /* its place among the pages of its module */
    uint32_t module;
};

struct page_table {
    struct page *page;
    uint64_t mask, count;
    uint32_t shift, modules;
    uint64_t *frames; /* per module: how many it has */
};

enum { FIRST_PLACES = 1024 };

struct page_table *page_table_new(uint64_t page_bytes, uint32_t modules)
{
    require(page_bytes && !(page_bytes & (page_bytes - 1)));
    struct page_table *t = must_calloc(1, sizeof *t);
    t->shift = (uint32_t)__builtin_ctzll(page_bytes);
    t->modules = modules;
    t->mask = FIRST_PLACES - 1;
    t->page = must_calloc(FIRST_PLACES, sizeof *t->page);
    t->frames = must_calloc(modules, sizeof *t->frames);
    return t;
}

void page_table_free(struct page_table *t)
{
    if (!t)
        return;
    free(t->page);
    free(t->frames);
    free(t);
}

uint64_t page_table_number(const struct page_table *t, uint64_t address)
{
    return address >> t->shift;
}

/* The page's place, or the free one that it would take. */
static struct page *place_of(struct page *pages, uint64_t mask, uint64_t number)
{
    uint64_t at = (number * UINT64_C(0x9E3779B97F4A7C15)) >> 20 & mask;
    while (pages[at].number_plus_1 && pages[at].number_plus_1 != number + 1)
        at = (at + 1) & mask;
    return &pages[at];
}

bool page_table_find(const struct page_table *t, uint64_t address, uint32_t *module, uint64_t *inside)
{
    const struct page *p = place_of(t->page, t->mask, address >> t->shift);
    if (!p->number_plus_1)
        return false;
    *module = p->module;
    *inside = p->frame << t->shift | (address & ((UINT64_C(1) << t->shift) - 1));
    return true;
}

bool page_table_has(const struct page_table *t, uint64_t page)
{
    return place_of(t->page, t->mask, page)->number_plus_1 != 0;
}

static void grow(struct page_table *t)
{
    const uint64_t mask = 2 * t->mask + 1;
    struct page *pages = must_calloc(mask + 1, sizeof *pages);
    for (uint64_t i = 0; i <= t->mask; i++)
        if (t->page[i].number_plus_1)
            *place_of(pages, mask, t->page[i].number_plus_1 - 1) = t->page[i];
    free(t->page);
    t->page = pages;
    t->mask = mask;
}

void page_table_add(struct page_table *t, uint64_t page, uint32_t module)
{
    require(module < t->modules);
    if (page_table_has(t, page))
        return;
    if (2 * ++t->count > t->mask)
        grow(t);
    *place_of(t->page, t->mask, page) = (struct page){ page + 1, t->frames[module]++, module };
}

uint64_t page_table_pages(const struct page_table *t, uint32_t module)
{
    return t->frames[module];
}

bool page_touches_owned(struct page_touches *t, uint64_t address)
{
    uint32_t owner;
    uint64_t inside;
    if (page_table_find(t->table, address, &owner, &inside))
        return true;
    if (t->count == t->room) {
        t->room = 2 * t->room + 16;
        t->page = must_realloc(t->page, t->room * sizeof t->page[0]);
    }
    t->page[t->count++] = page_table_number(t->table, address);
    return false;
}
