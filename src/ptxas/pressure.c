/* pressure.c - how many 32-bit registers per thread ptxas would use.
 *
 * A small back end in ptxas' manner: lower (lower.c, unroll.c), order every block (schedule.c), hand out registers (allocate.c).
 * Up to PRESSURE_FREE registers cost no occupancy on sm_75; code that would need more is kept in the order it was written in and
 * packed tightly. */
#include "ptxas/lower.h"

#include <stdlib.h>

#include "base/error.h"

enum { PRESSURE_LARGEST = 255, PRESSURE_FREE = 64, PRESSURE_RESERVED = 2 /* ptxas adds this to the highest register used */ };

static uint32_t registers_of(const struct lower *l, const struct flow *flow, bool sparing)
{
    uint32_t *order = must_calloc(l->op_count + 1, sizeof *order);
    for (uint32_t k = 0; k < l->op_count; k++)
        order[k] = k;
    if (!sparing)
        schedule_blocks(l, flow->count, order);
    uint32_t registers = allocate_registers(l, flow, order, sparing);
    free(order);
    return registers + PRESSURE_RESERVED;
}

uint32_t pressure_estimate(const struct ptx_function *fn, const struct flow *flow)
{
    struct lower l;
    uint32_t registers = PRESSURE_LARGEST;
    lower_function(&l, fn, flow);
    if (!live_sets_are_too_large(flow, l.value_count)) {
        registers = registers_of(&l, flow, false);
        if (registers > PRESSURE_FREE) {
            registers = registers_of(&l, flow, true);
            registers = registers > PRESSURE_FREE ? registers : PRESSURE_FREE;
        }
    }
    lower_free(&l);
    return registers < PRESSURE_LARGEST ? registers : PRESSURE_LARGEST;
}
