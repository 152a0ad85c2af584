/* front.h - what the machine asks of a front end: what is a warp's next instruction, and "execute it".
 *
 * A front end stands for one kernel launch. Two implement it: exec (PTX run live, values computed at issue) and trace
 * (a recorded stream). The machine owns time; the front end owns values, divergence and barriers' membership.
 *
 * Life of a CTA: the machine calls cta_start(cta) when it dispatches it, gets its warps, and steps each until `next` is NULL
 * for all; then cta_end. A warp is stepped only while `next` is not NULL and `waiting` is false.
 *
 * Contract:
 *  - `next`, `active` and `waiting` are fields so that reading them costs nothing. They change only inside step (the stepped
 *    warp's, and `waiting` of other warps of the same CTA when a barrier completes).
 *  - step is called in the serial order in which the machine issues; the same order gives the same results.
 *  - what step returns in `warp_step` is valid until the next step of any warp of the same front end.
 *
 * Threads: a view is a handle of the same launch for one thread of the machine. Views may be stepped side by side, each by one
 * thread; cta_start and settle are serial. What steps of one cycle do to memory happens at `settle`, in order of views and within a
 * view in order of its steps; so if views stand for SMs in ascending order, all is as if one thread had made these steps in order.
 */
#ifndef WARPLINE_FRONT_FRONT_H
#define WARPLINE_FRONT_FRONT_H
#include "base/error.h"
#include "front/barrier.h"
#include "front/inst.h"

struct front_warp {
    const struct inst *next; /* the instruction that step would execute; NULL: the warp has finished */
    uint32_t active;         /* lanes on top of its reconvergence stack */
    bool waiting;            /* at a barrier that is not complete */
};

/* Memory that a step changed elsewhere than at its lanes' addresses. */
struct front_write {
    uint64_t address, bytes;
};

struct warp_step {
    const struct inst *inst;
    uint32_t active;         /* lanes active at this instruction */
    uint32_t executed;       /* of these, lanes whose guard predicate was true */
    uint8_t space;           /* enum mem_space, generic resolved (a warp whose lanes point into several spaces: the first lane's) */
    uint32_t local_lanes;    /* of such a warp, where each lane counts with its own address: the lanes in local memory. Else 0 */
    bool branch_taken;       /* the warp's next instruction is not the one that follows this one */
    const uint64_t *address; /* memory instructions: 32 entries, valid where `executed` is set */
    const void *store_data;  /* stores: 32 x elements x element_bytes, lane-major; NULL when the front end has no values */
    /* Steps that change memory elsewhere than at their lanes' addresses (wmma.store, sust, free, stores into several spaces at
     * once): all that they changed of device memory. */
    const struct front_write *wrote;
    uint32_t wrote_count;
    uint8_t barrier;       /* CLASS_BARRIER: which one was reached, or FRONT_NO_BARRIER */
    uint8_t barrier_warps; /* how many warps it counts; 0: all of the CTA that have not ended */
    bool barrier_waits;    /* false: the warp arrived and goes on (bar.arrive) */
};
enum { FRONT_BARRIERS = 16, FRONT_NO_BARRIER = 255 };

struct front_cta {
    uint32_t id; /* linear CTA number */
    uint32_t warp_count;
    struct front_warp **warps;
};

struct front_launch {
    const char *kernel;
    uint32_t grid[3], block[3];
    uint32_t cta_count, warps_per_cta, threads_per_cta;
    uint32_t registers_per_thread; /* for occupancy */
    uint32_t registers_wanted;     /* what the code would use if the device had them, for a run on another device; 0: not known */
    uint32_t shared_bytes;         /* static + dynamic, per CTA */
    uint32_t local_bytes;          /* per thread */
    const struct inst *code;
    uint32_t code_count;
};

struct front {
    const struct front_ops *ops;
    struct front_launch launch;
    front_barrier_rule *barrier_rule; /* of whoever made it: front_barrier_complete; the machine may set another */
    bool late_atomics; /* set by the machine where ops->atomic is: atomics change memory when it says so, not in step */
};

/* The clock that %clock, %clock64 and %globaltimer read; the machine sets it, functional runs count instructions. */
struct front_clock {
    uint64_t cycle, khz;
    uint32_t sm;
};

struct front_ops {
    /* Returns NULL with `err` when the CTA cannot be made (a damaged trace, out of memory). */
    struct front_cta *(*cta_start)(struct front *front, uint32_t cta_id, struct error *err);
    void (*cta_end)(struct front *front, struct front_cta *cta);
    /* Executes the warp's next instruction. False: the program did something illegal (the error says what), the run ends. */
    bool (*step)(struct front *front, struct front_cta *cta, uint32_t warp, struct warp_step *out, struct error *err);
    /* The instruction after `next` on the warp's way; NULL: the warp ends with `next`. NULL itself: not known before step. */
    const struct inst *(*after)(const struct front *front, const struct front_warp *warp);
    /* The warp will soon be asked to step `inst`: brings what that needs near the host's core. Changes nothing. May be NULL. */
    void (*soon)(const struct front *front, const struct front_warp *warp, const struct inst *inst);
    void (*destroy)(struct front *front);
    /* What memory holds now; bytes that belong to no allocation read as 0. NULL: the front end has no values. */
    void (*read_memory)(struct front *front, uint64_t address, uint32_t bytes, void *out);
    /* The first stretch of memory that ends above `from`; false: none does. NULL when read_memory is. */
    bool (*next_memory)(struct front *front, uint64_t from, uint64_t *start, uint64_t *bytes);
    /* With late_atomics: carries out, for these lanes, the atomic that was the warp's last step. NULL: step always does it. */
    void (*atomic)(struct front *front, struct front_cta *cta, uint32_t warp, uint32_t lanes);
    /* A view with its own clock; destroy ends it, before the front end itself. It takes over barrier_rule and late_atomics. NULL,
     * and why: this launch is for one thread. May be NULL itself: so are all. */
    struct front *(*view)(struct front *front, const struct front_clock *clock, const char **why);
    /* Of views, after each cycle: what their steps have put off. */
    void (*settle)(struct front *const *views, uint32_t count);
};

#endif
