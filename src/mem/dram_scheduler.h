/* dram_scheduler.h - inside a DRAM channel: which request goes next, and the pipe that its data come out of.
 *
 * A scheduler takes requests, gives commands to the banks, and puts each request into the data pipe with its last column
 * command. The pipe keeps the order of commands and gives out one entry per clock. When the receiver is full the pipe stands
 * still, and once the pipe is full as well, column commands wait. */
#ifndef WARPLINE_MEM_DRAM_SCHEDULER_H
#define WARPLINE_MEM_DRAM_SCHEDULER_H
#include <stdbool.h>
#include <stdint.h>

#include "base/ring.h"
#include "mem/dram_bank.h"
#include "mem/dram_channel.h"
#include "mem/request.h"

/* What a channel asks of a request on its way, beside it: requests lie far apart in the host's memory. */
struct dram_access {
    struct request *r;
    uint16_t bank;
    bool write;
    uint8_t kind; /* enum request_kind */
};
static inline struct dram_access dram_access_of(struct request *r)
{
    return (struct dram_access){ .r = r, .bank = r->bank, .write = r->write, .kind = r->kind };
}

struct dram_pipe {
    struct {
        struct dram_access access; /* its r is NULL for all bursts of a request but the last */
        uint64_t index;
    } * entry;
    struct ring ring;
    struct ring_size size;
    uint64_t first;  /* index of the oldest entry */
    uint64_t last;   /* index of the newest entry */
    uint64_t stalls; /* clocks it has stood still: an entry comes out at clock index + stalls */
    uint32_t depth;  /* clocks of contents beyond which it is full */
};

struct dram_core {    /* what every scheduler has */
    uint32_t room[2]; /* for reads, for writes: how many more requests the scheduler takes; the scheduler keeps this and the next */
    uint32_t waiting; /* requests not yet given to a bank */
    struct dram_pipe pipe;
    struct dram_counters *counters;
    struct dram_banks banks;
};

void dram_core_init(struct dram_core *core, const struct dram_config *config, struct dram_counters *counters);
void dram_core_clear(struct dram_core *core);

static inline bool dram_pipe_full(const struct dram_pipe *p, uint64_t now)
{
    return p->ring.count && p->last + p->stalls >= now + p->depth;
}
/* The clock at which the oldest entry comes out if the pipe does not stand still; UINT64_MAX when empty. */
static inline uint64_t dram_pipe_due(const struct dram_pipe *p)
{
    return p->ring.count ? p->first + p->stalls : UINT64_MAX;
}
/* `last_burst` is false for the bursts of a request before its last. */
void dram_pipe_add(struct dram_pipe *p, const struct dram_access *access, bool last_burst, uint32_t clocks, uint64_t now);
/* Takes the entry that is due at `now`. False: none. access->r may be NULL. */
bool dram_pipe_take(struct dram_pipe *p, uint64_t now, struct dram_access *access);

/* Issues the column command of one burst and counts it. */
void dram_core_column(struct dram_core *core, const struct dram_access *access, bool last_burst, uint32_t clocks_to_data,
                      uint64_t now);

struct dram_scheduler;
struct dram_scheduler_kind {
    struct dram_scheduler *(*make)(struct dram_core *core);
    void (*release)(struct dram_scheduler *s);
    void (*add)(struct dram_scheduler *s, struct request *r, uint64_t now); /* when there is room; seen by the next tick */
    void (*tick)(struct dram_scheduler *s, uint64_t now);
    uint64_t (*next_event)(const struct dram_scheduler *s, uint64_t now);
};
extern const struct dram_scheduler_kind dram_frfcfs, dram_fcfs, dram_bank_queues;
const struct dram_scheduler_kind *dram_scheduler_of(const struct dram_config *config);
#endif
