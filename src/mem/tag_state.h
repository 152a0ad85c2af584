/* tag_state.h - what a tag array is inside, for tag_array.c and for src/reference, which keeps lines in another way. */
#ifndef WARPLINE_MEM_TAG_STATE_H
#define WARPLINE_MEM_TAG_STATE_H
#include "mem/tag_array.h"
#include "mem/tag_order.h"

#define NO_BLOCK UINT64_MAX /* the tag of a line without a valid, reserved or modified sector */

struct tag_array {
    /* A look-up needs these, up to a cache line of the host. */
    uint64_t *block; /* tags, apart from the rest so that a set's lie in one cache line of the host */
    uint64_t *age;   /* likewise: when the line was used (FIFO: allocated) last; UINT64_MAX: reserved or empty */
    struct tag_line *line;
    uint32_t *reserved_ways; /* per set */
    struct tag_geometry g;
    uint8_t line_shift;
    bool sets_power_of_two, ordered; /* ordered: `order` is there */
    bool slow_victim;                /* ordered, or written lines may be spared */
    bool slow_find;                  /* ordered, or a block may be in two ways of its set, and the first counts */
    uint64_t way_inverse;            /* see set_of */
    uint32_t last;                   /* line that was used last; sectors of a line are mostly asked for one after the other */
    uint32_t occupied, lines;
    uint32_t written,
        spared_below;        /* lines with a modified sector, counted only if below so many of them they are spared; else 0 */
    uint32_t *stored_bytes;  /* per set */
    struct tag_order *order; /* only beyond TAG_SCAN_WAYS */
    uint64_t *candidates;    /* scratch for the hook */
    tag_choose_victim *choose;
    void *choose_context;
    /* tag_array_do_otherwise */
    void (*forget)(struct tag_array *tags, uint32_t line);
    bool (*passes_for_whole)(const struct tag_array *tags, const struct byte_mask *bytes);
    bool keeps_written;
};

/* The set of a line: line / ways, by the inverse of the ways in 32 bits, rounded up, which is exact while lines x ways fit in
 * these. */
static inline uint32_t set_of(const struct tag_array *t, uint32_t line)
{
    return t->way_inverse ? (uint32_t)(line * t->way_inverse >> 32) : line / t->g.ways;
}

static inline uint64_t replacement_time(const struct tag_array *t, uint32_t i)
{
    return t->g.replacement == REPLACEMENT_LRU ? t->line[i].last_access : t->line[i].allocated;
}
#endif
