/* sm.h - one streaming multiprocessor: warps, fetch, schedulers, operand collection, pipes, LSU and its caches.
 *
 * The machine calls, in a core cycle: sm_cycle when `sm_wake` <= now or the SM was woken (calling it earlier changes nothing but
 * time), then sm_start_cta where sm_has_room. Replies come in between cycles: sm_take_fetch, or sm_take_reply while !sm_reply_full.
 * Whatever comes from outside (replies, CTAs, what policies ask for) wakes the SM by the waker given at creation.
 * Requests leave through the outlet given at creation. All times are core cycles. */
#ifndef WARPLINE_SM_SM_H
#define WARPLINE_SM_SM_H
#include "base/error.h"
#include "front/front.h"
#include "mem/l1.h"
#include "mem/readonly_cache.h"
#include "sm/sm_config.h"
#include <stdio.h>

#define STAT_DEF "sm/sm_counters.def"
#define STAT_NAME sm
#include "stat/declare.h"

struct policy_hooks;
struct policy_totals;
struct policy_occupancy;
struct policy_warp;
struct policy_registers;
struct sm;
/* What the machine looks at in every cycle. It is the first member of every SM. */
struct sm_face {
    uint64_t wake;      /* see sm_wake */
    struct waker waker; /* the bit that makes the machine visit it */
    uint32_t cta_count; /* resident CTAs */
};

/* What an SM may be made to do in another way than its own; NULL: its own. src/reference fills it in. */
struct sm_op;
struct sm_otherwise {
    void (*load_hit)(struct sm *sm, const struct sm_op *op); /* a part of the load found its data in the L1 */
    /* What a warp decodes, its next two instructions; NULL in place of the second: there is none. */
    void (*decode)(struct sm *sm, const struct front_warp *warp, const struct inst *two[2]);
    void (*begins)(struct sm *sm);                     /* its warps were given to the schedulers */
    void (*issued)(struct sm *sm, uint32_t scheduler); /* with policies alone */
    /* Warps have passed their fences, `fences_unseen`. The L1 is not emptied now, but when one of these says so. */
    void (*fences_over)(struct sm *sm, uint64_t now);
    void (*issues)(struct sm *sm, uint32_t scheduler, uint32_t warp,
                   uint64_t now);                    /* while fences are unseen: before order.issued */
    void (*cycle_ends)(struct sm *sm, uint64_t now); /* likewise: schedulers have had their turn */
};

struct sm_setup {
    uint32_t id, sms;
    const struct sm_config *config;
    const struct sm_timing *timing; /* TIMING_COUNT of them, by sm_class_timing */
    const struct l1_config *l1;
    const struct readonly_config *l1i, *l1c, *l1t;
    struct request_pool *pool;
    struct outlet *out;                   /* to the network */
    struct waker waker;                   /* none: it is visited in every cycle */
    const struct policy_hooks *hooks;     /* NULL: none */
    const struct sm_otherwise *otherwise; /* what it does in another way; NULL: nothing */
    bool *fenced;                         /* set whenever a fence empties the L1; NULL: nobody wants to know */
};
struct sm *sm_new(const struct sm_setup *setup);
void sm_free(struct sm *sm);

/* CTAs of this launch that fit, 0 none; `limit` (may be NULL) says by what. */
uint32_t sm_ctas_that_fit(const struct sm_config *config, const struct front_launch *launch, const char **limit);
/* Between kernels. `max_ctas` is what one SM may hold. Of the clock, `cycle` is set by the machine, `sm` by the SM before each
 * step. `is_view`: of the launch, for a thread.
 */
void sm_kernel_start(struct sm *sm, struct front *front, struct front_clock *clock, uint32_t max_ctas, bool is_view);

bool sm_has_room(struct sm *sm, uint64_t now); /* for another CTA, the policies' gate included */
bool sm_start_cta(struct sm *sm, uint32_t cta_id, uint64_t now, struct error *err);
static inline bool sm_active(const struct sm *sm)
{
    return ((const struct sm_face *)sm)->cta_count != 0;
} /* has an unfinished thread */
uint32_t sm_ctas_done(struct sm *sm); /* CTAs that ended since the last call */

/* An atomic of these lanes has reached memory; see front.h, late_atomics. */
void sm_finish_atomic(struct sm *sm, uint32_t warp, uint32_t lanes);

/* False: the program did something illegal.
 * The SM may run on by itself in the cycles after `now` and before `until` in which it has something to do, as far as it needs
 * nothing from others and they see nothing of it. The caller knows that nothing comes to it before (replies, CTAs). It ends with
 * the first cycle in which it sends something, which stays in the outlet until then; and in the middle of one in which it might
 * touch memory, end a CTA or end a fence: sm_cycle does the rest when the time has come. Not for SMs with policies: `until` 0. */
bool sm_cycle(struct sm *sm, uint64_t now, uint64_t until, struct error *err);
/* Nothing that it has sent will be answered: it gets no reply before it sends again. */
bool sm_awaits_nothing(const struct sm *sm);
bool sm_is_ahead(const struct sm *sm, uint64_t now); /* it has run cycle `now` already, or a later one */
/* It stands in the middle of a cycle to come, with a fault that will be told then. */
bool sm_failed_early(const struct sm *sm);
/* No instruction of the kernel does what others see but those that touch memory. */
bool sm_may_run_on(const struct sm_timing *timing, const struct front_launch *launch, bool late_atomics);
/* The first cycle in which sm_cycle may do something unless the SM is woken; UINT64_MAX: none. */
static inline uint64_t sm_wake(const struct sm *sm)
{
    const struct sm_face *face = (const struct sm_face *)sm;
    return face->cta_count ? face->wake : UINT64_MAX;
}
/* In a machine of at least so many SMs, what one touches has left the host's near caches before it is visited again. So its cycle
 * at `now` is prepared while the SMs before it run, in SM_AHEAD steps: this is to be called for each of them, from SM_AHEAD to 1,
 * with other SMs' cycles in between. */
enum { SM_MANY = 64, SM_AHEAD = 4 };
void sm_bring_near(struct sm *sm, uint32_t ahead, uint64_t now);
/* Counts the cycles up to, not including, `now` in which the SM slept. */
void sm_settle(struct sm *sm, uint64_t now);
/* The SM has no unfinished thread: empties its L1 if the configuration says so. */
void sm_flush(struct sm *sm);

bool sm_reply_full(const struct sm *sm);
void sm_take_reply(struct sm *sm, struct request *reply);               /* data: waits in the response buffer */
void sm_take_fetch(struct sm *sm, struct request *reply, uint64_t now); /* instructions: straight into their cache */

const struct sm_counters *sm_counters(const struct sm *sm);
const struct l1_counters *sm_l1_counters(const struct sm *sm);
const struct readonly_counters *sm_l1i_counters(const struct sm *sm);
const struct readonly_counters *sm_l1c_counters(const struct sm *sm);
const struct readonly_counters *sm_l1t_counters(const struct sm *sm);
/* What policies may ask and do (policy/policy.h, struct policy_machine). */
void sm_policy_totals(const struct sm *sm, struct policy_totals *out);
void sm_policy_occupancy(const struct sm *sm, struct policy_occupancy *out);
void sm_policy_warp(const struct sm *sm, uint32_t slot, struct policy_warp *out);
uint32_t sm_policy_free_registers(const struct sm *sm);
void sm_policy_regate(struct sm *sm);
void sm_policy_stall_issue(struct sm *sm, uint64_t until);
bool sm_policy_drop_line(struct sm *sm, uint64_t address);
void sm_policy_resize_l1(struct sm *sm); /* a kernel begins */
const char *sm_l1_broken(const struct sm *sm);
void sm_policy_occupy_bank(struct sm *sm, uint32_t bank, uint64_t until);
bool sm_policy_inject(struct sm *sm, uint64_t address, uint32_t bytes, bool write, bool first, uint64_t token, uint64_t now);
struct policy_registers sm_policy_cta_registers(const struct sm *sm, uint32_t cta_slot);
void sm_policy_release_registers(struct sm *sm, uint32_t cta_slot);
bool sm_policy_take_registers(struct sm *sm, uint32_t cta_slot);
void sm_policy_drain_cta(struct sm *sm, uint32_t cta_slot);
bool sm_policy_access_register(struct sm *sm, uint32_t number, bool write, uint32_t delay, uint64_t token, uint64_t now);
void sm_policy_take_space(struct sm *sm, uint32_t set, uint32_t bytes, uint64_t now);
void sm_policy_deliver(struct sm *sm, struct request *request, uint64_t now);
/* NULL, or what is wrong with who has which registers. For tests and debug builds. */
const char *sm_registers_broken(const struct sm *sm);
/* An SM that sleeps in cycle `now`: true when it should not. Runs the cycle to see it, so that only counters may have changed. For
 * debug builds. */
bool sm_oversleeps(struct sm *sm, uint64_t now);
/* For the watchdog: which warp waits for what. */
void sm_dump(const struct sm *sm, FILE *out);
/* A CTA whose warps all either have ended or wait at barriers: nobody is left to open them. The PTX line of one of these
 * barriers, or 0. */
bool sm_has_deadlock(const struct sm *sm, uint32_t *cta, uint32_t *line);
#endif
