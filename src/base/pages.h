/* pages.h - memory straight from the host's kernel, in large pages (2 MB on x86-64) where that gives them to those who ask.
 *
 * A simulated cycle touches state all over some megabytes. In pages of 4 KB these are more places than a host has at hand, and the
 * first touch of each costs microseconds. Nothing here changes what is computed: a kernel without large pages gives small ones. */
#ifndef WARPLINE_BASE_PAGES_H
#define WARPLINE_BASE_PAGES_H
#include <stdbool.h>
#include <stddef.h>

/* Zeros that take no memory until they are touched; a large page is touched whole. NULL: the kernel refuses. */
void *pages_reserve(size_t bytes, bool large);
void pages_release(void *pages, size_t bytes);

/* Lets malloc's memory lie in large pages. For the main of a program of our own, before it asks for much: other people's programs
 * keep the malloc that they have. */
void pages_for_heap(void);
#endif
