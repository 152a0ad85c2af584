/* sm_state.h - the inside of an SM, shared by the files of this room and by nobody else.
 *
 * Order inside a cycle, as in the reference: results are written back, units execute (the LSU last), operands are collected,
 * schedulers issue, the instruction fetched in the last cycle is decoded, one fetch is made. Whatever a stage frees, the
 * stages after it in the same cycle may use.
 *
 * An arithmetic instruction that has entered its unit is an event in a calendar: nothing can delay its write-back. The
 * pipelines of shared memory and in front of the L1 are queues of time stamps: an entry's stage follows from its age and
 * from who stands before it. */
#ifndef WARPLINE_SM_SM_STATE_H
#define WARPLINE_SM_SM_STATE_H
#include "base/ring.h"
#include "mem/mshr.h"
#include "mem/texture_fifo.h"
#include "policy/hooks.h"
#include "sm/sm.h"

enum {
    SM_WARPS_MAX = 64,
    SM_CTAS_MAX = 32,
    SM_SCHEDULERS_MAX = 8,
    SM_UNITS_MAX = 4,
    SM_WIDTH_MAX = 4,
    SM_COLLECTORS_MAX = 80,
    SUBCORES = UINT8_MAX, /* sm.subcore_mask: there are some; it alone has bit 0 */
    NO_SUBCORES = 0x80,   /* there are none, and all pipes share the collectors; of no scheduler's number a bit is left */
    SM_BANKS_MAX = 64,
    SM_ACCESSES_MAX = 64, /* 32 lanes x 2 words of local memory; vectors are one access */
    SM_CALENDAR = 512,
    SM_LATENCY_MAX = 500,
    SM_INSTRUCTION_BYTES = 8,
    SM_FETCH_BYTES = 16,
    BANK_QUEUE_NEAR = 12,     /* makes a queue 16 bytes */
    BANK_QUEUE_POLICIES = 128 /* from here on an entry is not a collector but an access of a policy */
};
/* Code lies above data in the address space, as in the reference. */
#define SM_CODE_BASE 0xF0000000ull
/* Where the reference puts local memory: below its heap at 3 GB lie 80 SMs' shared windows of 96 KB and 80 x 2048 threads' 16 KB.
 */
#define SM_HEAP_BASE 0xC0000000ull
#define SM_LOCAL_BASE (SM_HEAP_BASE - 80ull * 98304 - 80ull * 2048 * 16384)

struct sm_access { /* one transaction of a warp instruction */
    uint64_t address;
    struct byte_mask mask;
    uint32_t lanes;
    uint16_t bytes;
    uint8_t sectors;
};

/* A warp instruction from issue to completion: one cache line of the host. Its accesses lie elsewhere, in one of a few blocks that
 * are used again as soon as they are sent: far more instructions wait for data than for the LSU. */
struct sm_op {
    const struct inst *inst;
    uint64_t order;       /* number of its issue: pipeline registers hand on the oldest */
    uint64_t first_cycle; /* time stamp of the queue it is in */
    struct sm_op *next;
    struct sm_access *access; /* while there are any to be sent: SM_ACCESSES_MAX places; else NULL */
    uint32_t id;              /* handle in requests */
    uint32_t executed;        /* lanes */
    uint16_t warp, latency, interval;
    uint16_t delay;       /* shared memory: cycles that bank conflicts cost */
    uint8_t access_count; /* still to be sent; the last goes first, as in the reference */
    uint8_t transactions; /* all of them */
    uint8_t pending;      /* loads: transactions whose data have not come */
    uint8_t scheduler, pipe, unit, space;
    bool bypass_l1 : 1;
    bool dispatched : 1; /* has left the LSU's dispatch register */
};

_Static_assert(sizeof(struct sm_op) == HOST_LINE_BYTES, "an instruction in flight is a cache line");

/* The number of lanes in a mask. It is mostly all of them, which needs no count. */
static inline uint32_t lane_count(uint32_t mask)
{
    return mask == UINT32_MAX ? 32 : (uint32_t)__builtin_popcount(mask);
}

struct op_slots {
    uint32_t width, used;
    struct sm_op *slot[SM_WIDTH_MAX];
};

/* Two cache lines of the host: what every issue needs, and the scoreboard. */
struct sm_warp {
    _Alignas(HOST_LINE_BYTES) const struct inst *buffer[2]; /* decoded, NULL: an address without an instruction */
    uint64_t pc;                                            /* to fetch next */
    struct front_warp *front;
    struct front_cta *cta;
    uint8_t valid;    /* bit per buffer entry */
    uint8_t next;     /* entry to issue from */
    uint8_t pipe;     /* of its next instruction, if that is known */
    uint16_t in_pipe; /* decoded or issued, not done */
    uint16_t cta_slot;
    /* Every issue reads these together, and a compiler joins them into one load. That load waits if a store into its middle was
     * just made. So what every issue writes (`valid`, `next`) must not lie among them. */
    bool fence;
    uint16_t atomics; /* lanes whose atomic has not come back */
    uint16_t index;
    uint16_t reserved_count;
    uint32_t stores; /* acknowledgements to come */
    uint32_t unsent; /* transactions issued that neither the L1 nor the network has taken */

    uint64_t *reserved; /* scoreboard: registers with a write to come */
    uint64_t *loading;  /* of these, written by a load from global, local, texture or parameter memory */
    uint64_t *long_op; /* as `loading`, but only arithmetic and constants clear it: the reference's two-level scheduler sees this */
    uint64_t few[3];   /* where these three point while a kernel's registers fit in a word */
};
_Static_assert(sizeof(struct sm_warp) == 2 * HOST_LINE_BYTES, "a warp is two cache lines");

struct sm_cta {
    struct front_cta *front;
    uint32_t live_warps;
    uint32_t first_warp, warps, id;
    uint32_t first_register; /* of the file, in registers of a warp; NO_SLOT: a policy has taken them away */
};

/* What ends in a cycle of the arithmetic units. */
struct sm_ending {
    struct sm_op *first;
    uint32_t units; /* bit pipe * SM_UNITS_MAX + unit: something in it ends */
    uint32_t buses; /* result buses taken */
};

/* Collectors that want to read a bank, oldest first: from `head` to `tail`. Both go back to 0 when nobody waits. So mostly the
 * entries in `near` are used, which lie beside the SM's other queues; sm.bank_rest holds those after them. */
struct bank_queue {
    uint16_t head, tail;
    uint8_t near[BANK_QUEUE_NEAR];
};

struct sm_injection { /* a policy's own request */
    uint64_t token;
    uint32_t acknowledgements;
    bool first;
    struct request *waiting;
};

struct sm_register_access { /* a policy's own */
    uint64_t token;
    uint64_t start; /* the cycle from which it queues at its bank */
    uint8_t bank;
    bool write;
};

/* The pipeline in front of a bank of the L1. */
struct lsu_lane {
    struct ring queue;
    bool refused;            /* the head was refused, and the L1 has not changed since */
    struct request **queued; /* `ready`: the end of the pipeline */
    uint64_t due;            /* first cycle in which its head may be tried */
    uint64_t refused_version, refused_since;
    enum cache_outcome refused_cause;
};

struct sm_lsu {
    /* What every cycle asks. */
    _Alignas(HOST_LINE_BYTES) struct sm_op *dispatch; /* the instruction that makes its accesses */
    struct sm_op *writeback;                          /* the one that writes its registers */
    struct request *uncached;                         /* a reply that has no cache to fill */
    struct request *delayed;                          /* hits whose data come later, by time (policies) */
    struct ring shared;                               /* the pipeline of shared memory, below */
    uint32_t before_l1;                               /* accesses in the lanes */
    uint32_t lanes;                                   /* banks of the L1 */
    uint32_t constants_out, textures_out;             /* reads that their caches hold */
    uint32_t awaited;                                 /* transactions of loads and atomics, and acknowledgements of stores */
    uint32_t buffered;                                /* requests inside the policy's buffer before the L1's pipeline */
    uint8_t next_client;
    uint8_t writes_done;         /* of its destination registers */
    bool stalled;                /* the dispatched instruction waits for room before the L1, or in the network */
    bool hit_behind;             /* while stalled: a load behind would hit (with sm.probe_stalled) */
    struct port responses;       /* replies that wait for their cache */
    struct ring_size queue_size; /* of a lane; see lsu_lane_full for how many it takes */
    struct lsu_lane lane[L1_BANKS_MAX];
    /* Pipeline of shared memory; stamps in sm_op.first_cycle. */
    struct ring_size shared_size;
    struct sm_op **shared_op;
};

struct sm_collectors {         /* of a pipe */
    uint32_t all, busy, ready; /* bit per collector, from its `first` on */
    uint8_t first, units, inputs, outputs;
};

struct sm {
    /* What every cycle reads or writes comes first, as close together as possible. The SMs are visited in turn, and what they
     * touch should stay in the host's first cache. */
    struct sm_face face; /* first of all: the machine reads it */
    uint32_t max_ctas, ctas_done;
    bool gate_stale;                      /* the policies' gate is to be asked again */
    bool issue_stale;                     /* something changed since the schedulers found that no warp can issue */
    uint8_t more_steps;                   /* of operand collection, after the first of a cycle */
    uint8_t subcore_mask;                 /* 0, SUBCORES or NO_SUBCORES; turns a scheduler's number into its sub-core's */
    bool fetched;                         /* an instruction waits to be decoded */
    bool memory_later;                    /* what steps do to memory is done when all SMs have had the cycle: see front.h, views */
    bool begun;                           /* the cycle at which it wakes has been run up to issue */
    uint8_t guessed[SM_SCHEDULERS_MAX];   /* ahead.c: which warps will issue */
    uint8_t slot_loss[SM_SCHEDULERS_MAX]; /* enum slot_loss of the last cycle: what slept cycles count as */
    uint64_t last_cycle;
    const struct policy_hooks *hooks;
    const struct sm_config *config;

    /* One bit per warp. */
    _Alignas(HOST_LINE_BYTES) uint64_t resident; /* holds a warp that has not exited */
    uint64_t done;                               /* its threads have all ended */
    uint64_t finished;                           /* of these: nothing of it is left in the pipeline */
    uint64_t waiting;                            /* done, or at a barrier, a fence or an atomic */
    uint64_t has_inst;                           /* something in the instruction buffer */
    uint64_t wrong_path;                         /* of these: not what the warp executes next */
    uint64_t ready;                              /* of these: all registers are there */
    uint64_t fetch_pending;                      /* its fetch missed */
    uint64_t next_pipe[PIPE_COUNT];
    uint64_t next_l1, next_l1_load; /* next instruction is for the L1: any, and loads */
    uint64_t loaded;                /* next instruction reads what a load wrote, for policies; of warps not in loaded_stale */
    uint64_t loaded_stale;          /* next instruction or registers changed since */
    uint64_t issue_stalled_until;
    uint64_t fences_over;   /* waits at a fence for no register any more */
    uint64_t fences_unseen; /* has passed a fence, and the L1 is to be emptied: see sm_otherwise */
    bool *fenced;           /* see sm_setup */
    struct policy_gate gate;
    uint32_t first_scheduler;
    uint32_t resident_count;
    uint32_t warp_count;
    uint32_t last_fetched, fetched_warp, injections;
    uint32_t draining;          /* CTA slots of which a policy wants to know when nothing of them is under way */
    uint32_t registers_used;    /* that resident CTAs have, running or not */
    uint64_t register_accesses; /* of policies: bit per entry of `access` */
    uint64_t register_unqueued; /* of these: reads that wait for their start, and writes */
    uint64_t fetched_pc;

    uint32_t issue_used, execute_used, collected; /* bit per pipe: of its registers below, and a collector that has all */
    uint32_t issue_full[SM_SCHEDULERS_MAX];  /* bit per pipe: takes no instruction; by sub-core, without those the first is all */
    uint32_t subcore_executes[SM_UNITS_MAX]; /* bit per pipe: the sub-core's register before execution is used */
    uint32_t subcore_banks;                  /* of the register file, each one's share */
    uint32_t in_units;
    uint32_t collecting; /* collectors in use */
    uint64_t banks_written, banks_wanted;
    uint64_t banks_busy_until; /* by policies */
    uint32_t bank_mask;        /* banks - 1 when that is a mask, else 0 */
    uint32_t bank_far;         /* entries of a bank in `bank_rest` */
    struct sm_collectors collectors[PIPE_COUNT];
    uint8_t last_dispatched[PIPE_COUNT][SM_WIDTH_MAX];
    struct op_slots issue_regs[PIPE_COUNT], execute_regs[PIPE_COUNT];
    uint8_t collector_reads[SM_COLLECTORS_MAX]; /* operands still to be collected */
    uint8_t collector_pipe[SM_COLLECTORS_MAX];
    _Alignas(HOST_LINE_BYTES) struct bank_queue bank[SM_BANKS_MAX];
    uint8_t *bank_rest; /* per bank, the entries of its queue that do not fit in it */

    struct sm_lsu lsu;
    struct l1 *l1;
    const struct mshr *l1_mshr; /* the L1's: asked every cycle whether a reply is ready */
    struct readonly_cache *l1i, *l1c, *l1t;
    struct texture_fifo *texture; /* instead of l1t, when results come in order */
    struct sm_op *free_ops;
    struct sm_access *free_accesses; /* blocks; the first bytes of one hold the address of the next */
    struct sm_op **op;               /* by id */
    uint32_t op_count;
    uint32_t id, sms;
    _Alignas(HOST_LINE_BYTES) struct sm_counters counters;

    struct sm_otherwise otherwise;
    uint64_t fences_asked[SM_SCHEDULERS_MAX]; /* sm_otherwise's: warps that a scheduler had among its own when the cycle began */
    struct front *front;
    struct front_clock *clock;
    uint64_t issued; /* instructions so far: sm_op.order */
    uint64_t code_first_pc;
    const struct sm_timing *timing; /* of each class of instructions */
    uint64_t scheduler_warps[SM_SCHEDULERS_MAX];
    uint32_t last_issued[SM_SCHEDULERS_MAX];
    uint8_t cta_by_age[SM_CTAS_MAX]; /* slots of the resident CTAs, oldest first: warps of a CTA are launched in order */
    uint64_t cta_warps[SM_CTAS_MAX]; /* per CTA slot: its warps */
    uint64_t unit_free_at[PIPE_COUNT][SM_UNITS_MAX]; /* cycle from which a unit's dispatch register is free */
    uint64_t calendar_used[SM_CALENDAR / 64];
    struct sm_op *collector[SM_COLLECTORS_MAX];
    _Alignas(HOST_LINE_BYTES) struct sm_ending calendar[SM_CALENDAR];
    struct sm_warp warp[SM_WARPS_MAX];
    uint64_t age[SM_WARPS_MAX];
    uint16_t cta_of[SM_WARPS_MAX], scheduler_of[SM_WARPS_MAX];
    struct sm_cta cta[SM_CTAS_MAX];

    /* What few cycles need. */
    const struct l1_config *l1_config;
    const struct readonly_config *l1i_config, *l1c_config, *l1t_config;
    struct request_pool *pool;
    struct outlet *out; /* to the network */
    uint32_t warps_per_cta;
    uint64_t launched; /* warps so far: ages */
    uint32_t register_words;
    uint64_t *register_bits;
    uint8_t last_by_way[32];                /* collector that each way out served last, where all pipes share them */
    uint32_t ideal_loads;                   /* in flight, of an ideal SM */
    uint64_t bank_busy_until[SM_BANKS_MAX]; /* by policies */
    struct sm_injection injected[POLICY_INJECT_MAX];
    struct sm_register_access access[POLICY_ACCESS_MAX];
    uint32_t cta_registers, warp_registers; /* that a CTA and a warp of this kernel have */
    uint64_t register_ranges;               /* bit i: a CTA has the registers from i * cta_registers on */
    struct error *early_error;              /* of a step that failed before its time; NULL: none has */
    uint64_t nobody;                        /* where the bit goes when there is nobody to tell */
};

enum slot_loss { /* in the order of the counters slots_issued ... slots_pipe */
                 LOSS_NONE,
                 LOSS_IDLE,
                 LOSS_SCOREBOARD,
                 LOSS_PIPE
};

/* sm_ops.c */
struct sm_op *op_new(struct sm *sm);
void ops_free_all(struct sm *sm);
void op_free(struct sm *sm, struct sm_op *op);
void op_take_accesses(struct sm *sm, struct sm_op *op);
void op_give_back_accesses(struct sm *sm, struct sm_op *op); /* if it has any */
/* Pipeline registers of one pipe, oldest instruction first; only the oldest is ever taken. */
static inline struct sm_op *op_slots_oldest(const struct op_slots *s)
{
    return s->used ? s->slot[0] : NULL;
}
static inline bool op_slots_full(const struct op_slots *s)
{
    return s->used == s->width;
}
static inline void op_slots_put(struct op_slots *s, struct sm_op *op)
{
    require(s->used < s->width);
    uint32_t i = s->used++;
    for (; i && s->slot[i - 1]->order > op->order; i--)
        s->slot[i] = s->slot[i - 1];
    s->slot[i] = op;
}
static inline void op_slots_take_oldest(struct op_slots *s)
{
    require(s->used);
    s->used--;
    for (uint32_t i = 0; i < s->used; i++)
        s->slot[i] = s->slot[i + 1];
}
/* Who comes `n` <= count after `i` in turn, without a division. */
static inline uint32_t in_turn(uint32_t i, uint32_t n, uint32_t count)
{
    return i + n >= count ? i + n - count : i + n;
}
static inline void issue_put(struct sm *sm, struct sm_op *op)
{
    struct op_slots *regs = &sm->issue_regs[op->pipe];
    require(regs->used < regs->width);
    regs->slot[regs->used++] = op; /* younger than all in it */
    sm->issue_used |= 1u << op->pipe;
    sm->issue_full[op->scheduler & sm->subcore_mask] |= ((uint32_t)op_slots_full(regs) | (sm->subcore_mask & 1u)) << op->pipe;
}
static inline void issue_take_oldest(struct sm *sm, uint32_t pipe)
{
    struct op_slots *regs = &sm->issue_regs[pipe];
    sm->issue_full[regs->slot[0]->scheduler & sm->subcore_mask] &= ~(1u << pipe);
    op_slots_take_oldest(regs);
    sm->issue_stale = true;
    if (!regs->used)
        sm->issue_used &= ~(1u << pipe);
}
static inline void execute_put(struct sm *sm, struct sm_op *op)
{
    op_slots_put(&sm->execute_regs[op->pipe], op);
    sm->execute_used |= 1u << op->pipe;
}
static inline void execute_take_oldest(struct sm *sm, uint32_t pipe)
{
    struct op_slots *regs = &sm->execute_regs[pipe];
    op_slots_take_oldest(regs);
    if (!regs->used)
        sm->execute_used &= ~(1u << pipe);
}

/* run_on.c: cycles that run before the machine has come to them. */
bool run_on_waits(const struct sm *sm);           /* the rest of the cycle that has begun may do what others see */
void run_on_put_off(struct sm *sm, uint64_t now); /* it does that when its time has come */
void run_on_ends(struct sm *sm, uint64_t machine, uint64_t now);
/* An instruction failed. False: in the machine's cycle, and *err says how. */
bool run_on_failed(struct sm *sm, uint64_t machine, uint64_t now, struct error *err);
void run_on_kernel_start(struct sm *sm);

/* scoreboard.c */
void warp_look_at_next(struct sm *sm, uint32_t w); /* after its buffer, its front end or its registers changed */
void warp_look_at_waiting(struct sm *sm, uint32_t w);
void warp_start_fence(struct sm *sm, uint32_t w);
void warp_end_fences(struct sm *sm, uint64_t now);
void warp_see_fences(struct sm *sm, uint64_t warps); /* schedulers look at these */
void warp_reserve(struct sm *sm, uint32_t w, const struct inst *inst, uint8_t space);
void warp_release(struct sm *sm, uint32_t w, uint16_t reg);
void warp_release_all(struct sm *sm, uint32_t w, const struct inst *inst);
/* Nothing of a warp that has ended is left in the pipeline: the fetch stage lets it go. */
static inline void warp_check_finished(struct sm *sm, uint32_t w)
{
    const struct sm_warp *warp = &sm->warp[w];
    if ((sm->done >> w & 1) && !warp->in_pipe && !warp->stores && !warp->reserved_count)
        sm->finished |= 1ull << w;
}
static inline void warp_leave_pipe(struct sm *sm, uint32_t w)
{
    require(sm->warp[w].in_pipe);
    if (--sm->warp[w].in_pipe == 0)
        warp_check_finished(sm, w);
}

/* fetch.c */
void sm_decode(struct sm *sm);
void sm_fetch(struct sm *sm, uint64_t now);
void sm_retire_warp(struct sm *sm, uint32_t w, uint64_t now);
void warp_flush_buffer(struct sm *sm, uint32_t w);

/* issue.c */
bool sm_issue(struct sm *sm, uint64_t now, struct error *err);
bool sm_issue_from(struct sm *sm, uint32_t scheduler, uint32_t w, uint64_t now, struct error *err);
uint32_t sm_pick(struct sm *sm, uint32_t scheduler, uint64_t candidates, uint64_t now);
void sm_ask_gates(struct sm *sm, uint64_t now);
void sm_sleep_slots(struct sm *sm, uint64_t cycles); /* cycles that passed asleep: lost as the last one was */
struct policy_sm_view sm_policy_view(struct sm *sm, uint64_t now);

/* ideal.c */
bool ideal_cycle(struct sm *sm, uint64_t now, struct error *err);

/* subcores.c: operand collection where collectors serve all pipes, and units where each scheduler has its own. */
void subcores_make(struct sm *sm); /* pipelines */
void subcores_dispatch(struct sm *sm);
void subcores_take_up(struct sm *sm);
void subcores_execute(struct sm *sm, uint32_t pipe, uint64_t now);
bool subcores_move(const struct sm *sm); /* an instruction can go into a collector or out of one */

/* operands.c */
void operands_step(struct sm *sm, uint64_t now);
/* Takes the bank of a register for a write in this cycle; false: it is taken. */
bool operands_write(struct sm *sm, uint32_t w, uint16_t reg);
/* An instruction takes a collector unit, and its registers queue at their banks. */
void operands_collect(struct sm *sm, struct sm_op *op, uint32_t collector);
/* Accesses of policies; operands_step calls it when there are any. */
void operands_policy_step(struct sm *sm, uint64_t now);

/* registers.c: the register file as a resource. */
void registers_kernel_start(struct sm *sm);
void registers_give(struct sm *sm, struct sm_cta *cta); /* the lowest free ones */
void registers_free(struct sm *sm, struct sm_cta *cta); /* if it has any */
void registers_look_at_draining(struct sm *sm, uint64_t now);
/* Counts registers over `cycles` cycles. */
static inline void registers_count(struct sm *sm, uint64_t cycles)
{
    sm->counters.register_cycles += cycles * sm->registers_used;
    if (seldom(sm->hooks))
        sm->counters.register_cycles_held +=
            cycles * sm->warp_registers * (uint32_t)__builtin_popcountll(sm->resident & ~sm->done & ~sm->gate.run);
}

/* What comes from outside wakes the SM. Inside, nobody needs to: sm_next_event sees what each stage has to do. */
static inline void sm_rouse(struct sm *sm)
{
    waker_wake(sm->face.waker);
}
/* sleep.c: the first cycle after `now` in which a stage may do something unless the SM is woken; UINT64_MAX: none. */
uint64_t sm_next_event(const struct sm *sm, uint64_t now);

/* pipes.c */
void pipes_write_back(struct sm *sm, uint64_t now);
bool pipes_enter_unit(struct sm *sm, struct sm_op *op, uint32_t u, uint64_t now); /* false: it must wait */
void pipes_execute(struct sm *sm, uint64_t now);
uint64_t pipes_next_event(const struct sm *sm, uint64_t now);

/* coalesce.c: fill in op->access and op->access_count, or op->delay for shared memory. */
void coalesce(const struct sm *sm, struct sm_op *op, const struct warp_step *step);

/* lsu.c */
void lsu_new(struct sm *sm);
void lsu_free(struct sm *sm);
bool lsu_can_take(const struct sm *sm);
void lsu_take(struct sm *sm, struct sm_op *op);
void lsu_cycle(struct sm *sm, uint64_t now);
uint64_t lsu_next_event(const struct sm *sm, uint64_t now);
/* Something is in one of the LSU's registers or before it, and does not wait for the L1. */
static inline bool lsu_moves(const struct sm *sm)
{
    const struct sm_lsu *lsu = &sm->lsu;
    return (lsu->dispatch && !lsu->stalled) || lsu->writeback || lsu->uncached || lsu->responses.ring.count;
}
void lsu_settle(struct sm *sm, uint64_t now);
void lsu_data_arrived(struct sm *sm, struct sm_op *op);                                     /* one transaction's data have come */
void lsu_enter_lane(struct sm *sm, struct lsu_lane *lane, struct request *r, uint64_t now); /* it has room */

/* lsu_probe.c: true when the L1 holds the data of a load that waits behind the one that stalls the LSU. Changes nothing. */
bool lsu_hit_waits_behind(const struct sm *sm);

/* lsu_policy.c: what policies change about the LSU. */
void lsu_make_queue(struct sm *sm); /* the pipeline before the L1, with room for what policies may add to it */
/* Stages that an access passes on its way to the tags. */
static inline uint32_t lsu_pipeline_cycles(const struct sm *sm)
{
    if (!seldom(sm->hooks) || !sm->hooks->cache[LEVEL_L1].probe_cycles.count)
        return sm->l1_config->hit_latency;
    return sm->l1_config->hit_latency + hooks_probe_cycles(&sm->hooks->cache[LEVEL_L1], sm->id);
}
static inline bool lsu_lane_full(const struct sm *sm, const struct lsu_lane *lane)
{
    return lane->queue.count >= lsu_pipeline_cycles(sm);
}
static inline struct lsu_lane *lsu_lane_of(struct sm *sm, uint64_t address)
{
    return &sm->lsu.lane[address / SECTOR_BYTES & (sm->lsu.lanes - 1)];
}
static inline bool lsu_has_buffer(const struct sm *sm)
{
    return seldom(sm->hooks) && sm->hooks->lsu.owner;
}
bool lsu_buffer_push(struct sm *sm, struct request *r, uint64_t now);
bool lsu_buffer_drain(struct sm *sm, uint64_t now); /* true: a request went on to the L1 */
/* Hands a refused request back; false: the owner takes none back. */
bool lsu_buffer_return(struct sm *sm, struct request *r, enum cache_outcome cause);
/* The data of a hit come at `when`; the request is done. */
void lsu_data_later(struct sm *sm, struct request *r, uint64_t when, uint64_t now);
void lsu_deliver_delayed(struct sm *sm, uint64_t now);

/* sm_policy.c */
void sm_send_injections(struct sm *sm, bool first);
bool sm_injection_waits(const struct sm *sm);
void sm_take_injected(struct sm *sm, struct request *reply, uint64_t now);
#endif
