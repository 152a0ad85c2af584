/* lines.c - GPGPU-Sim's ways remember their last line. When a way was emptied and data arrive late for its last line, they make
 * the line valid again. By then the same block may also be in another way of the set. A look-up then finds the first of them. */
#include "base/error.h"
#include "mem/tag_state.h"
#include "reference/reference.h"

/* GPGPU-Sim takes the low bits of a line's number by a mask of sets - 1. Where sets is no power of two, the mask has holes, and the
 * sets whose number has a bit there stay empty: of 24 sets (mask 10111) the eight from 8 to 15. */
void reference_mask_sets(uint32_t *index, uint32_t sets)
{
    if (*index == SET_INDEX_LINEAR && (sets & (sets - 1)))
        *index = SET_INDEX_MASKED;
}

/* Keeps everything about the line, except that it is there. */
void reference_forget(struct tag_array *t, uint32_t i)
{
    struct tag_line *line = &t->line[i];
    line->former = t->block[i];
    line->valid = line->modified = line->used = line->absent = 0;
    line->stored_bytes = 0;
    line->counted = false;
}

/* In the order of a set with many ways: the line behind which a line belongs that is older than the newest. */
static uint32_t older_line(const struct tag_array *t, uint32_t i)
{
    uint32_t older = TAG_NO_LINE, next = tag_order_oldest(t->order, set_of(t, i), 0);
    while (next != TAG_NO_LINE && replacement_time(t, next) <= replacement_time(t, i)) {
        older = next;
        next = tag_order_newer(t->order, next);
    }
    return older;
}

static void revive(struct tag_array *t, uint32_t i)
{
    require(t->forget == reference_forget);
    t->block[i] = t->line[i].former;
    t->slow_find = true;
    t->occupied++;
    if (t->ordered)
        tag_order_revive(t->order, t->block, i, older_line(t, i));
}

void reference_fill_way(struct tag_array *t, uint32_t i, uint32_t sector, const struct byte_mask *bytes)
{
    if (t->block[i] == NO_BLOCK)
        revive(t, i);
    tag_array_fill(t, i, sector, bytes);
}
