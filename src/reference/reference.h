/* reference.h - what is true of GPGPU-Sim 4 and of no GPU.
 *
 * Parts of a machine that do as the reference does, slips included, take functions of this room instead of their own when the
 * machine is made. A machine of which no `reference.*` is set takes none, and its paths know nothing of them. What each slip is
 * stands at the function that does it; docs/model-audit.md tells how it was found. */
#ifndef WARPLINE_REFERENCE_REFERENCE_H
#define WARPLINE_REFERENCE_REFERENCE_H
#include <stdbool.h>
#include <stdint.h>

#include "front/barrier.h"
#include "param/param.h"

struct reference_config {
    bool never_yield, wake_arrived, cut_integers;
};
extern const struct param reference_params[]; /* reference.* */

front_barrier_rule reference_barrier;         /* barriers.c */
uint64_t reference_integer(uint64_t written); /* integers.c */
#endif
