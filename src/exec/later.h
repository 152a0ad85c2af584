/* later.h - steps of several threads: what they do to device memory is put off to the end of the machine's cycle.
 *
 * Between two settles each thread steps the warps of its own SMs through a view of the launch (struct run). Registers, shared and
 * local memory belong to one SM, and a step changes them at once. Device memory belongs to all: a store and an atomic are noted and
 * done by later_settle; a load is done at once, and noted too. A load's result is read in a later cycle at the earliest, as the
 * scoreboard sees to; so when a store or atomic that comes before it in the same cycle has touched what it read, later_settle does
 * it again. All then is as if one thread had made the steps in their order. */
#ifndef WARPLINE_EXEC_LATER_H
#define WARPLINE_EXEC_LATER_H
#include "exec/engine.h"

struct later;
/* False, and why: this launch does what cannot be put off. */
bool later_is_possible(const struct run *run, const char **why);
struct later *later_new(void);
void later_free(struct later *later);

/* Notes the store of `lanes`, whose bytes stand in run->data and whose places in run->host; returns `lanes`. */
uint32_t later_store(struct warp *w, const struct xop *x, uint32_t lanes, uint32_t bytes);
uint32_t later_atomic(struct warp *w, const struct xop *x, uint32_t lanes); /* likewise */
void later_cta_end(struct later *later, struct cta *cta);
/* Does it all. Serial. */
void later_settle(struct run *const *views, uint32_t count);
#endif
