/* dram_channel.h - one memory channel: the queues from and to its L2 slices, the scheduler, the banks, the data bus.
 *
 * The channel owns both queues between itself and each of its slices: slice -> channel (`dram.slice_in`) and channel -> slice
 * (`dram.slice_out`). `slice` below is local: 0 .. slices_per_channel - 1.
 *
 * Contract. All times are DRAM command clocks and only grow. Requests come with slice, bank and row filled in
 * (address_map_place). A read, and a write that is not a write-back, comes back once through the return queue of its slice with
 * is_reply set; a write-back (REQUEST_L1_WRITEBACK, REQUEST_L2_WRITEBACK) is handed to `retire` when its data have been written,
 * and to nobody else. */
#ifndef WARPLINE_MEM_DRAM_CHANNEL_H
#define WARPLINE_MEM_DRAM_CHANNEL_H
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/error.h"
#include "mem/dram_timing.h"
#include "mem/port.h"
#include "mem/request.h"
#include "param/param.h"

#define STAT_DEF "mem/dram_counters.def"
#define STAT_NAME dram
#include "stat/declare.h"

struct dram_channel;

/* Called for each write-back that is done: returns the request to its pool. */
typedef void dram_retire(void *context, struct request *r);

/* `core_khz` and `dram_khz` turn dram.latency (core cycles) into command clocks. */
struct dram_channel *dram_channel_new(const struct dram_config *config, uint32_t slices, uint64_t core_khz, uint64_t dram_khz,
                                      dram_retire *retire, void *context);
void dram_channel_free(struct dram_channel *c);
/* Instead of that: the clock at which a request that comes at clock `now` has had its fixed latency. */
typedef uint64_t dram_delay(void *context, uint64_t now);
void dram_channel_delay_by(struct dram_channel *c, dram_delay *delay, void *context);
/* The clocks begin anew: what would have been over at clock `now` is over at clock moved(now). */
void dram_channel_move_delays(struct dram_channel *c, dram_delay *moved, void *context);

/* The queues between it and a slice: down to the channel, and its replies, oldest first. Room that a tick frees is usable right
 * after it; what is pushed is seen by the next tick. The owner of the channel gives the ports their `reader` and `writer`: a
 * push or a pop wakes the channel, a tick wakes the slice. */
struct port *dram_channel_in(const struct dram_channel *c, uint32_t slice);
struct port *dram_channel_out(const struct dram_channel *c, uint32_t slice);

/* One command clock. Calling it in a clock in which nothing can happen changes nothing: clocks may be skipped up to
 * dram_channel_next_event. */
void dram_channel_tick(struct dram_channel *c, uint64_t now);
/* A clock after `now` before which no tick does anything if nobody pushes or pops; UINT64_MAX: no tick will. */
uint64_t dram_channel_next_event(const struct dram_channel *c, uint64_t now);
/* Requests to that bank that have arrived and whose data have not come. */
uint32_t dram_channel_bank_requests(const struct dram_channel *c, uint32_t bank);
/* Requests inside, replies not yet popped included. */
uint32_t dram_channel_requests(const struct dram_channel *c);
/* Counters up to and including clock `now`, skipped clocks included. `now` may be one less than the first clock, 0 - 1. */
const struct dram_counters *dram_channel_counters(struct dram_channel *c, uint64_t now);
/* For the report of a run that hangs: where the requests inside are. */
void dram_channel_dump(const struct dram_channel *c, uint32_t index, FILE *out);
#endif
