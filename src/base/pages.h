/* pages.h - memory straight from the host's kernel, in large pages (2 MB on x86-64) where the host has them.
 *
 * A simulated cycle touches state that is spread over some megabytes. Cut into pages of 4 KB, that is more pages than the host's
 * TLB holds, and the first touch of each costs microseconds. Nothing here changes what is computed: a host without large pages
 * gives small ones. */
#ifndef WARPLINE_BASE_PAGES_H
#define WARPLINE_BASE_PAGES_H
#include <stdbool.h>
#include <stddef.h>

/* Zeroed memory. It takes no memory of the host until it is touched; a large page is then taken whole. NULL: the host refuses. */
void *pages_reserve(size_t bytes, bool large);
/* The same in large pages, at an address that `alignment`, a power of two and of the host's pages, divides. */
void *pages_reserve_aligned(size_t bytes, size_t alignment);
void pages_release(void *pages, size_t bytes);

/* Lets malloc use large pages. Call it at the start of our own programs, before they ask for much memory. Other people's
 * programs keep the malloc that they have. */
void pages_for_heap(void);
#endif
