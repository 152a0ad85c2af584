/* page_map.c - a hash table from a program's pages to places in memory, 2^28 of them. */
#include "cmp/page_map.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/hash.h"

enum { FIRST_SIZE = 4096 };
#define PLACES ((UINT64_C(1) << 28) - 1)

void page_map_init(struct page_map *m, uint64_t seed, uint32_t core)
{
    *m = (struct page_map){ .size = FIRST_SIZE, .random = core ? hash_combine(seed, core) | 1 : seed };
    m->table = must_calloc(m->size, sizeof *m->table);
}

void page_map_clear(struct page_map *m)
{
    free(m->table);
    m->table = NULL;
}

static struct page_place *place_of(const struct page_map *m, uint64_t page)
{
    uint32_t at = (uint32_t)hash_mix(page) & (m->size - 1);
    while (m->table[at].page && m->table[at].page != page)
        at = (at + 1) & (m->size - 1);
    return &m->table[at];
}

static void grow(struct page_map *m)
{
    struct page_place *old = m->table;
    const uint32_t count = m->size;
    m->size *= 2;
    m->table = must_calloc(m->size, sizeof *m->table);
    for (uint32_t i = 0; i < count; i++)
        if (old[i].page)
            *place_of(m, old[i].page) = old[i];
    free(old);
}

uint64_t page_map_draw(struct page_map *m, uint64_t page)
{
    struct page_place *p = place_of(m, page);
    if (p->page)
        return p->place;
    m->random ^= m->random << 13; /* xorshift64 (Marsaglia, 2003) */
    m->random ^= m->random >> 7;
    m->random ^= m->random << 17;
    *p = (struct page_place){ page, m->random & PLACES };
    const uint64_t place = p->place;
    if (++m->count * 2 > m->size)
        grow(m);
    return place;
}
