/* lower.h - a function as ptxas would see it before it orders instructions and hands out registers: PTX registers become values,
 * what needs no instruction is gone, loops are unrolled. Private to src/ptxas; only the register estimate uses it. */
#ifndef WARPLINE_PTXAS_LOWER_H
#define WARPLINE_PTXAS_LOWER_H
#include "ptx/analysis.h"

enum {
    LOWER_LOAD = 1,
    LOWER_STORE = 2,
    LOWER_FENCE = 4,
    LOWER_LAST = 8 /* ends its block */,
    LOWER_VECTOR = 16,
    LOWER_DEAD = 32,
    LOWER_SPLIT = 64 /* has a branch inside: nothing moves past it */
};
#define LOWER_NO_BASE UINT32_MAX
/* Addresses and counters wrap, as they do on the machine. */
static inline int64_t wrapping_add(int64_t a, int64_t b)
{
    return (int64_t)((uint64_t)a + (uint64_t)b);
}
static inline int64_t wrapping_sub(int64_t a, int64_t b)
{
    return (int64_t)((uint64_t)a - (uint64_t)b);
}

struct lower_op {
    uint32_t inst;                                /* of the function's code */
    uint32_t operands;                            /* in lower.operands: the values written, then those read */
    uint16_t def_count, use_count, address_count; /* of those read, the first address_count are addresses */
    uint16_t latency;                             /* cycles until what it writes can be read */
    uint8_t flags, space;
    bool constant; /* a load of what nothing writes */
    uint8_t bytes; /* memory: how many, from base + offset on */
    uint32_t base; /* memory: value or (~) variable; LOWER_NO_BASE: not so simple */
    int64_t offset;
    uint8_t scratch; /* registers that it needs besides its operands, while it runs */
};
struct lower_value {
    uint8_t width;  /* in 32-bit registers; 0 predicates */
    bool rewritten; /* written more than once: carried by a loop or joined from branches */
    uint32_t uses;  /* ops that read it */
};
struct lower {
    struct lower_op *ops;
    uint32_t op_count, op_capacity;
    uint32_t *operands, operand_count, operand_capacity;
    struct lower_value *values;
    uint32_t value_count, value_capacity;
    struct lower_block {
        uint32_t first, end;
    } * blocks; /* as many as the flow has; ops [first, end) */
};

void lower_function(struct lower *out, const struct ptx_function *fn, const struct flow *flow);
void lower_free(struct lower *l);

/* Fills `narrow` per register: of 64 bits, but only 32 of them matter. (narrow.c) */
void narrow_find(const struct ptx_function *fn, bool *narrow);

struct instruction_range {
    uint32_t first, end;
};

/* How many copies of a body ptxas' unrolling makes: 1 for all but counted loops. `relaid`: the function has a block that is only
 * reached from behind it, so ptxas lays its blocks out anew. (unroll.c) */
uint32_t unroll_factor(const struct ptx_function *fn, const struct instruction_range *body, const uint32_t *definitions,
                       bool relaid);
bool unroll_reaches_from_behind(const struct flow *flow, uint32_t block);

/* The last of the blocks that become one with `first` when short branches are predicated; `first` itself if none do. `arm` says
 * of each of these blocks whether it is executed only in part. (predicate.c) */
enum lower_arm { ARM_NONE, ARM_FIRST, ARM_ONLY };
uint32_t predicate_extent(const struct ptx_function *fn, const struct flow *flow, uint32_t first, uint8_t *arm);

/* Reorders the ops of every block so that they wait as little as possible for loads; `order` holds each op's own index.
 * (schedule.c) */
void schedule_blocks(const struct lower *l, uint32_t block_count, uint32_t *order);

/* Registers that the ops need in the order given, block by block; `sparing`: none is wasted on quicker access. (allocate.c) */
uint32_t allocate_registers(const struct lower *l, const struct flow *flow, const uint32_t *order, bool sparing);
/* 32-bit registers per thread that ptxas would need for this function alone, from liveness. */
uint32_t pressure_estimate(const struct ptx_function *fn, const struct flow *flow);
#endif
