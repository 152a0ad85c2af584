/* page_table.h - which module owns a page, and where in its memory the page lies.
 *
 * A machine of several modules whose pages are placed by a policy has one of these; without it addresses are spread over the
 * channels of all modules, line by line. Pages are added at the serial point of a cycle and stay until the machine goes, so that
 * looking one up needs no lock. The pages of a module lie one after another in its memory, in the order in which they came. */
#ifndef WARPLINE_MEM_PAGE_TABLE_H
#define WARPLINE_MEM_PAGE_TABLE_H
#include <stdbool.h>
#include <stdint.h>

struct page_table;
struct page_table *page_table_new(uint64_t page_bytes, uint32_t modules); /* page_bytes: a power of two */
void page_table_free(struct page_table *t);

uint64_t page_table_number(const struct page_table *t, uint64_t address); /* of the page that holds it */
/* False: nobody has touched the page yet. `inside`: the address within the memory of its module. */
bool page_table_find(const struct page_table *t, uint64_t address, uint32_t *module, uint64_t *inside);
bool page_table_has(const struct page_table *t, uint64_t page);
void page_table_add(struct page_table *t, uint64_t page, uint32_t module); /* nothing happens to a page that is there */
/* Pages that had no owner when somebody wanted to go there, in order. */
struct page_touches {
    const struct page_table *table;
    uint64_t *page;
    uint32_t count, room;
};
bool page_touches_owned(struct page_touches *t, uint64_t address); /* false: not yet, and the page is noted */

uint64_t page_table_pages(const struct page_table *t, uint32_t module);
#endif
