/* lines.c - the reference's ways remember. One that was emptied keeps what its last line was, and data that come late for that line
 * make it valid again: the line is back, although its block may be in another way of the set by now. The first is found then. */
#include "base/error.h"
#include "mem/tag_state.h"
#include "reference/reference.h"

/* All of the line stays but that it is there. */
void reference_forget(struct tag_array *t, uint32_t i)
{
    struct tag_line *line = &t->line[i];
    line->former = t->block[i];
    line->valid = line->modified = line->used = line->absent = 0;
    line->stored_bytes = 0;
}

/* In the order of a set with many ways, the line after which an older one than the newest belongs. */
static uint32_t older_line(const struct tag_array *t, uint32_t i)
{
    uint32_t older = TAG_NO_LINE, next = tag_order_oldest(t->order, set_of(t, i));
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
