/* page_map.h - where a core's pages lie in memory. The places are random and are drawn in the order in which the program first
 * touches its pages, so that two runs of a trace agree whatever the other cores do. */
#ifndef WARPLINE_CMP_PAGE_MAP_H
#define WARPLINE_CMP_PAGE_MAP_H
#include <stdint.h>

enum { PAGE_SHORTCUTS = 1024 };

struct page_map {
    struct page_place {
        uint64_t page; /* of the program, + 1; 0: free */
        uint64_t place;
    } * table, shortcut[PAGE_SHORTCUTS];
    uint32_t size, count;
    uint64_t random;
};

void page_map_init(struct page_map *m, uint64_t seed, uint32_t core);
void page_map_clear(struct page_map *m);
uint64_t page_map_draw(struct page_map *m, uint64_t page); /* the slow way */

/* The line of 64 bytes in memory. */
static inline uint64_t page_map_line(struct page_map *m, uint64_t address)
{
    const uint64_t page = (address >> 12) + 1;
    struct page_place *s = &m->shortcut[page % PAGE_SHORTCUTS];
    if (s->page != page)
        *s = (struct page_place){ page, page_map_draw(m, page) };
    return s->place << 6 | (address >> 6 & 63);
}
#endif
