/* reference.h - what is true of GPGPU-Sim 4 and of no GPU.
 *
 * When a machine is made, its parts may take functions of this room instead of their own. They then do as GPGPU-Sim does,
 * mistakes included. A machine without any `reference.*` setting takes none of them, and its paths know nothing of this room.
 * Each mistake is explained at the function that repeats it; docs/log/model-audit.md tells how it was found. */
#ifndef WARPLINE_REFERENCE_REFERENCE_H
#define WARPLINE_REFERENCE_REFERENCE_H
#include <stdbool.h>
#include <stdint.h>

#include "front/barrier.h"
#include "mem/l1.h"
#include "mem/l2_slice.h"
#include "mem/tag_array.h"
#include "param/param.h"
#include "ptxas/ptxas.h"
#include "sm/sm.h"

struct reference_config {
    bool unfused_fma, cut_integers;
    bool reconverge_late, never_yield, divergent_barriers, wake_arrived;
    bool calls_through_local, forget_operands, last_space, recount_vectors, first_turn, fences_wait, late_atomics;
    bool mask_sets, l1_blind_fills, misplace_writebacks;
    bool l2_blind_fills, misplace_upper_half, constants_share_mshr, masks_add_up, copies;
    bool rounded_clocks, clocks_go_on, late_writebacks;
    bool follow_trace, as_listed;
};
extern const struct param reference_params[];      /* reference.* */
extern const struct param_moved reference_moved[]; /* and the names that they had before this room existed */

front_barrier_rule reference_barrier;         /* barriers.c */
uint64_t reference_integer(uint64_t written); /* integers.c */
struct ptxas_view reference_view(const struct reference_config *config);

/* Which of these mistakes an SM, an L1 and an L2 slice of the machine have; 0 and NULL where they have none. */
struct policy_hooks;
struct sm_otherwise reference_sm_ways(const struct reference_config *config, const struct policy_hooks *hooks); /* sm_ways.c */
struct l1_otherwise reference_l1_ways(const struct reference_config *config, bool sectored);                    /* l1_ways.c */
struct l2_otherwise reference_l2_ways(const struct reference_config *config);                                   /* l2_ways.c */

/* A write-back of an L1 is placed in memory by its address, except for its slice: it takes the slice of the miss that caused it. */
void reference_place_writeback(const struct address_map_config *map, struct request *r);
/* The slots that a scheduler looks at until it reaches `until`; NO_SLOT: all of them. */
struct policy_sm_view;
uint64_t reference_looked(const struct policy_hooks *hooks, const struct policy_sm_view *v, uint32_t scheduler, uint64_t slots,
                          uint32_t until);
/* By enum host_copy: copies that leave their sectors in the L2. */
extern const bool reference_copy_fills[];

/* lines.c: the data of one sector go to this way, whatever it holds by now. */
void reference_fill_way(struct tag_array *tags, uint32_t line, uint32_t sector, const struct byte_mask *bytes);
void reference_forget(struct tag_array *tags, uint32_t line);
/* The index function of a cache of so many sets. */
void reference_mask_sets(uint32_t *index, uint32_t sets);
#endif
