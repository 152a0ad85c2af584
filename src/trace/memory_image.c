/* memory_image.c - what a trace knows of device memory: pages that hold something, found through a sorted list of extents. */
#include "trace/memory_image.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"

/* Pages lie in extents of 2 MiB. These are few enough for a sorted list, and neighbours are found in the extent used last. */
enum { EXTENT_PAGES = 512 };

struct extent {
    uint64_t first_page; /* a multiple of EXTENT_PAGES */
    uint8_t *page[EXTENT_PAGES];
};

struct memory_image {
    struct extent **extents; /* sorted */
    size_t count, room;
    struct extent *last;
};

struct memory_image *memory_image_new(void)
{
    return must_calloc(1, sizeof(struct memory_image));
}

void memory_image_free(struct memory_image *image)
{
    if (!image)
        return;
    for (size_t i = 0; i < image->count; i++) {
        for (size_t k = 0; k < EXTENT_PAGES; k++)
            free(image->extents[i]->page[k]);
        free(image->extents[i]);
    }
    free(image->extents);
    free(image);
}

/* Place of the first extent that holds `page` or lies above it. */
static size_t place_of(const struct memory_image *image, uint64_t page)
{
    size_t low = 0, high = image->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (image->extents[middle]->first_page + (EXTENT_PAGES - 1) < page)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static struct extent *find_extent(struct memory_image *image, uint64_t page)
{
    const uint64_t first = page & ~(uint64_t)(EXTENT_PAGES - 1);
    if (image->last && image->last->first_page == first)
        return image->last;
    const size_t at = place_of(image, page);
    if (at == image->count || image->extents[at]->first_page != first)
        return NULL;
    return image->last = image->extents[at];
}

static struct extent *make_extent(struct memory_image *image, uint64_t page)
{
    const size_t at = place_of(image, page);
    if (image->count == image->room) {
        image->room = image->room * 2 + 16;
        image->extents = must_realloc(image->extents, image->room * sizeof(struct extent *));
    }
    memmove(image->extents + at + 1, image->extents + at, (image->count - at) * sizeof(struct extent *));
    image->count++;
    struct extent *extent = must_calloc(1, sizeof *extent);
    extent->first_page = page & ~(uint64_t)(EXTENT_PAGES - 1);
    return image->extents[at] = image->last = extent;
}

uint8_t *memory_image_page(struct memory_image *image, uint64_t page)
{
    const struct extent *extent = find_extent(image, page);
    return extent ? extent->page[page % EXTENT_PAGES] : NULL;
}

uint8_t *memory_image_make_page(struct memory_image *image, uint64_t page)
{
    struct extent *extent = find_extent(image, page);
    if (!extent)
        extent = make_extent(image, page);
    uint8_t **place = &extent->page[page % EXTENT_PAGES];
    if (!*place)
        *place = must_calloc(1, IMAGE_PAGE_BYTES);
    return *place;
}

bool memory_image_next(const struct memory_image *image, uint64_t page, uint64_t *found)
{
    for (size_t at = place_of(image, page); at < image->count; at++) {
        const struct extent *extent = image->extents[at];
        for (uint64_t k = page > extent->first_page ? page - extent->first_page : 0; k < EXTENT_PAGES; k++)
            if (extent->page[k]) {
                *found = extent->first_page + k;
                return true;
            }
    }
    return false;
}

/* Bytes of [address, address + bytes) that lie in the first page of it. */
static uint64_t in_page(uint64_t address, uint64_t bytes)
{
    const uint64_t left = IMAGE_PAGE_BYTES - address % IMAGE_PAGE_BYTES;
    return bytes < left ? bytes : left;
}

void memory_image_read(struct memory_image *image, uint64_t address, uint64_t bytes, void *out)
{
    uint8_t *to = out;
    for (uint64_t part; bytes; bytes -= part, address += part, to += part) {
        part = in_page(address, bytes);
        const uint8_t *page = memory_image_page(image, address / IMAGE_PAGE_BYTES);
        if (page)
            memcpy(to, page + address % IMAGE_PAGE_BYTES, part);
        else
            memset(to, 0, part);
    }
}

void memory_image_write(struct memory_image *image, uint64_t address, const void *from, uint64_t bytes)
{
    const uint8_t *at = from;
    for (uint64_t part; bytes; bytes -= part, address += part, at += part) {
        part = in_page(address, bytes);
        memcpy(memory_image_make_page(image, address / IMAGE_PAGE_BYTES) + address % IMAGE_PAGE_BYTES, at, part);
    }
}
