/* core_state.h - inside a core; shared by core.c, core_window.c and core_misses.c. */
#ifndef WARPLINE_CMP_CORE_STATE_H
#define WARPLINE_CMP_CORE_STATE_H
#include "cmp/branch_predictor.h"
#include "cmp/core.h"
#include "cmp/page_map.h"
#include "cmp/private_cache.h"

#define UNKNOWN UINT64_MAX
enum { MISSES = 4096, ISSUE_RING = 4096, BATCH = 1024, REGISTERS = 256, NO_ENTRY = UINT16_MAX, STORES_MAX = 512 };

/* A place in a waiting list: entry * 4 + which of its four sources or loads, + 1. 0 ends the list. */
typedef uint32_t waiter;

struct entry {      /* of the reorder buffer */
    uint64_t done;  /* completes; UNKNOWN */
    uint64_t ready; /* no earlier, by the sources and loads known so far */
    uint64_t number;
    uint64_t miss[CPU_LOADS]; /* of loads that are on their way; 0: none */
    waiter waiters, next_source[4], next_load[CPU_LOADS];
    uint8_t sources, loads; /* unknown ones */
    uint8_t load_latency;   /* of the slowest load that is in the core's caches; 0: no load */
    uint8_t latency;
    uint16_t store; /* its place in the store buffer; NO_ENTRY: none */
    bool started;
};

struct miss { /* a line that is not in the L2 */
    uint64_t id, line, pc;
    uint64_t filled; /* when; UNKNOWN: not yet */
    waiter waiters;
    bool sent, waits; /* sent to the shared cache; waits for an MSHR */
    bool write, fetch;
};

struct store {        /* in the store buffer */
    uint64_t retired; /* UNKNOWN: not yet */
    uint64_t miss[CPU_STORES];
};

struct core {
    struct cmp_config config;
    uint32_t index;
    struct core_port port;
    struct cpu_trace *trace;

    /* The trace, a batch at a time; one more than is dispatched, for the target of a branch. */
    struct cpu_inst batch[BATCH];
    size_t at, count;
    uint64_t dispatched, retired, end; /* instructions; end: UNKNOWN before the trace's end is seen */
    bool trace_ended;                  /* at least once */
    uint64_t noted;                    /* the instruction before which counters were looked at */

    /* Dispatch. */
    uint64_t front;       /* the cycle of the next dispatch */
    uint32_t front_count; /* dispatched in it already */
    uint64_t fetch_line;  /* program's line that the last instruction came from */
    uint64_t fetch_miss;  /* dispatch waits for it; 0: none */
    uint32_t branch;      /* entry of a mispredicted branch that dispatch waits for; NO_ENTRY */
    uint64_t next;        /* core_next */

    /* The window. */
    struct entry rob[CMP_ROB_MAX];
    uint64_t retired_at[CMP_ROB_MAX];
    uint32_t mask;
    uint64_t retire_cycle;
    uint32_t retire_count;
    uint64_t register_time[REGISTERS];
    uint64_t register_writer[REGISTERS]; /* number of the instruction + 1; 0: the time is known */
    uint32_t issued[ISSUE_RING];         /* cycle << 5 | how many issue in it */

    /* Stores between dispatch and the L1, oldest first. */
    struct store stores[STORES_MAX];
    uint32_t store_first, store_count;

    /* Misses. */
    struct miss misses[MISSES];
    uint64_t last_miss;
    uint32_t outstanding;
    uint64_t waiting[MISSES]; /* for an MSHR, oldest first: a ring */
    uint32_t waiting_first, waiting_count;

    struct private_cache l1i, l1d, l2;
    struct page_map pages;
    struct branch_predictor *predictor;
    struct cpu_counters counters, before, after;
    uint64_t cycle_before;
    bool finished;
};

/* core_misses.c */
struct found {
    uint64_t miss;    /* 0: it is in the core's caches */
    uint32_t latency; /* then: how far */
};
struct found core_access(struct core *c, uint64_t address, uint64_t pc, bool write, uint64_t now);
struct found core_fetch(struct core *c, uint64_t pc, uint64_t now);
/* When the miss was filled: 0 long ago, UNKNOWN not yet. */
uint64_t core_filled_at(const struct core *c, uint64_t miss);
/* Sends it to the shared cache at a cycle, if nobody has. */
void core_send(struct core *c, uint64_t miss, uint64_t cycle);

/* core_window.c */
/* Puts an instruction into the window at a cycle; its memory accesses have been looked up. */
void core_enter(struct core *c, const struct cpu_inst *inst, const struct found loads[], uint32_t load_count, uint16_t store,
                uint64_t now);
void core_load_arrived(struct core *c, waiter first, uint64_t cycle);
void core_retire(struct core *c);
#endif
