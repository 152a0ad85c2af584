/* turns.h - where a warp of a functional run lets others go on; see turns.c. */
#ifndef WARPLINE_EXEC_TURNS_H
#define WARPLINE_EXEC_TURNS_H
#include "exec/engine.h"

/* What follows from an image's code alone. */
struct turn_plan;
struct turn_plan *turn_plan_new(const struct image *image);
void turn_plan_free(struct turn_plan *plan);
/* For a launch: the instructions after which a turn ends, one flag each. True when one of them reads global memory: then the
 * CTAs that a machine would hold at once must take turns too. */
bool turns_find(const struct turn_plan *plan, const struct run *run, bool *ends_turn);
/* True when it has loads of shared memory that end turns. */
bool turns_in_shared(const struct turn_plan *plan);
#endif
