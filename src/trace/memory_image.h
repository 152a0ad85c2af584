/* memory_image.h - what a trace knows of device memory: pages that hold something, all else is zero.
 *
 * The writer keeps one to find what the host changed between kernels; a replay keeps one to answer what a cache line holds. */
#ifndef WARPLINE_TRACE_MEMORY_IMAGE_H
#define WARPLINE_TRACE_MEMORY_IMAGE_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { IMAGE_PAGE_BYTES = 4096 };

struct memory_image;
struct memory_image *memory_image_new(void);
void memory_image_free(struct memory_image *image);

/* Addresses wrap at 2^64, as a damaged trace may have them. */
void memory_image_read(struct memory_image *image, uint64_t address, uint64_t bytes, void *out);
void memory_image_write(struct memory_image *image, uint64_t address, const void *from, uint64_t bytes);

/* The page's bytes, NULL while it is all zero; memory_image_make_page never returns NULL. */
uint8_t *memory_image_page(struct memory_image *image, uint64_t page);
uint8_t *memory_image_make_page(struct memory_image *image, uint64_t page);
/* The first page from `page` on that was made; false: there is none. */
bool memory_image_next(const struct memory_image *image, uint64_t page, uint64_t *found);
#endif
