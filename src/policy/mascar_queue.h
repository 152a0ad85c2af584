/* mascar_queue.h - Mascar's cache access re-execution (Sethia et al., HPCA 2015, section III-C), shared by `mascar` and
 * `mascar-reexec`. mascar_queue.c says how it keeps order and why it cannot stand still. */
#ifndef WARPLINE_POLICY_MASCAR_QUEUE_H
#define WARPLINE_POLICY_MASCAR_QUEUE_H
#include "policy/policy.h"

enum { MASCAR_SLOTS_MAX = 64 };
struct mascar_queue_config {
    uint32_t entries;
};

#define MASCAR_QUEUE_PARAMS(type, field)                                                                                           \
    PARAM_U32(type, field.entries, "queue_entries", 32, 1, 4096, "requests", "re-execution queue (table II: 32)")

/* Rows: mascar_queue_counters.def, for a counters struct with the member `queue`. */
struct mascar_queue_counters {
    uint64_t passed, recycles, queued, hits_under_miss, busy_cycles, occupied, full_stalls, order_stalls;
};

struct mascar_entry {
    struct request *request;
    uint64_t instruction; /* transactions of one instruction have the same number */
    uint16_t warp;
    bool write, recycled;
};

/* Of an SM; `ring` holds the queue, `piped` what the L1 has not answered yet, each of `room` places. */
struct mascar_queue {
    struct mascar_entry fresh; /* the LSU's register; request NULL: empty */
    bool offered_fresh;        /* what next gave last */
    uint32_t head, count, piped_head, piped_count, room;
    uint32_t piped_writes; /* of `piped` */
    uint64_t counted;      /* the cycle after the last that was counted */
    uint64_t instruction;  /* number of the last one, and what tells the next from it */
    uint64_t last_pc;
    uint16_t last_warp;
    uint32_t left;                      /* transactions of it to come */
    uint16_t waiting[MASCAR_SLOTS_MAX]; /* per warp: transactions that were refused and not taken yet */
    uint64_t held;                      /* warps that have such: their further memory instructions are held back at issue */
    struct mascar_entry places[];
};

size_t mascar_queue_bytes(const struct mascar_queue_config *config);
void mascar_queue_open(struct mascar_queue *queue, const struct mascar_queue_config *config);
/* The warp at the head, or NO_WARP. */
uint16_t mascar_queue_head(struct mascar_queue *queue);
/* True when the warp has a transaction in the queue or before the L1. */
bool mascar_queue_has(struct mascar_queue *queue, uint16_t warp);
/* The LSU's hooks. `blocked`: a new transaction must wait for what is in the queue. */
bool mascar_queue_push(struct mascar_queue *queue, struct mascar_queue_counters *count, const struct policy_access *access);
struct request *mascar_queue_next(struct mascar_queue *queue, struct mascar_queue_counters *count, uint64_t cycle, bool *blocked);
void mascar_queue_taken(struct mascar_queue *queue);
/* The L1 has refused it, or taken it. */
void mascar_queue_returned(struct policy_self *self, struct mascar_queue *queue, struct mascar_queue_counters *count, uint32_t sm,
                           const struct request *request);
void mascar_queue_accessed(struct policy_self *self, struct mascar_queue *queue, struct mascar_queue_counters *count,
                           const struct policy_access *access, enum policy_outcome outcome);
void mascar_queue_gate(const struct mascar_queue *queue, struct policy_gate *gate);
const char *mascar_queue_broken(struct mascar_queue *queue);
uint32_t mascar_queue_hardware(const struct mascar_queue_config *config, struct policy_hardware rows[]);
/* Of a policy whose counters are `group`: section IV-B says 3 % of an access of the 64 KB L1, whose mean of a read and a write
 * CACTI has at 118.7 pJ for Fermi's 40 nm. A refused access is written into the queue and read out of it. */
#define MASCAR_QUEUE_ENERGY(group)                                                                                                 \
    {                                                                                                                              \
        .structure = "re-execution queue", .uses = group ".recycles+" group ".recycles", .use_pj = 0.03 * 118.7,                   \
        .source = "section IV-B: 3 % of an L1 access"                                                                              \
    }
#endif
