/* dram_timing.h - parameters of a DRAM channel.
 *
 * All timings are in command clocks. Names follow the data sheets; constraints that only some standards have (FAW, t32AW, refresh)
 * are 0 = none. Ready-made sets for DDR3, GDDR5 and HBM are configuration files (configs/dram-*). */
#ifndef WARPLINE_MEM_DRAM_TIMING_H
#define WARPLINE_MEM_DRAM_TIMING_H
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "mem/address_map.h"
#include "param/param.h"

enum dram_scheduler_choice {
    DRAM_FRFCFS, /* the reference's: per bank the oldest request to the open row, else the oldest; one request in a bank at a time
                  */
    DRAM_FCFS,   /* requests reach their banks in order of arrival */
    DRAM_BANK_QUEUES /* read queue and write buffer feed a command queue per bank; first ready command, writes drained in batches */
};

enum dram_group_bits { DRAM_GROUP_LOW, DRAM_GROUP_HIGH };

struct dram_config {
    uint32_t ranks, banks, bank_groups; /* banks and groups per rank */
    uint32_t group_bits;                /* enum dram_group_bits: which bits of the bank's number name its group */
    uint32_t bus_bytes;                 /* width of the channel */
    uint32_t burst;                     /* transfers per column command */
    uint32_t data_rate;                 /* transfers per command clock */
    uint32_t scheduler;                 /* enum dram_scheduler_choice */
    uint32_t queue;      /* frfcfs: entries of the scheduler; bank_queues: of the read queue and of the write buffer each */
    uint32_t queue_unit; /* enum count_unit */
    uint32_t fcfs_queue; /* fcfs: entries */
    uint32_t bank_queue; /* bank_queues: commands per bank */
    struct param_list write_queue; /* frfcfs: entries for writes alone (0: none), and the marks at which they begin and end */
    uint32_t write_low;            /* bank_queues: writes that are drained when no read waits */
    uint32_t row_hit_limit;        /* bank_queues: hits after which a waiting conflict may close the row */
    uint32_t return_queue;         /* entries behind the data bus */
    uint32_t slice_in, slice_out;  /* queues between one slice and the channel, each way */
    uint32_t latency;              /* core cycles before a request reaches the scheduler */
    bool latency_only;             /* a request is done then, one per clock: there is no scheduler */
    bool dual_command;             /* a row and a column command may issue in the same clock */

    uint32_t ccd, ccd_l;     /* column to column: any bank / same bank group */
    uint32_t rrd, rrd_l;     /* activate to activate: any bank / same bank group */
    uint32_t rcd, rcd_write; /* activate to read / write; rcd_write 0: rcd - (wl + 1), as the reference */
    uint32_t ras, rp, rc;    /* activate to precharge, precharge to activate, activate to activate of a bank */
    uint32_t cl, wl;         /* column command to its data */
    uint32_t cdlr, cdlr_l;   /* end of write data to a read (WTR): any bank / same bank group */
    uint32_t wr;             /* end of write data to a precharge */
    uint32_t rtp, rtp_l;     /* read to precharge: of the bank / of any bank of its group */
    bool free_turnaround;    /* reads follow writes, and writes reads, like their own kind */
    uint32_t turnaround;     /* clocks between read data and write data, and between the data of two ranks */
    uint32_t ppd;            /* precharge to precharge, any bank */
    uint32_t faw, aw32;      /* windows in which at most 4, at most 32 rows are opened */
    uint32_t rfc, refi;      /* refresh: how long, how often */
};
extern const struct param dram_params[]; /* dram.* */
bool dram_config_check(const struct dram_config *config, const struct address_map_config *map, struct error *err);

/* `bank` within its rank. */
static inline uint32_t dram_group_of(const struct dram_config *config, uint32_t bank)
{
    return config->group_bits == DRAM_GROUP_LOW ? bank % config->bank_groups : bank / (config->banks / config->bank_groups);
}
static inline uint32_t dram_atom_bytes(const struct dram_config *config)
{
    return config->bus_bytes * config->burst; /* what one column command moves */
}
static inline uint32_t dram_burst_clocks(const struct dram_config *config)
{
    return config->burst > config->data_rate ? config->burst / config->data_rate : 1;
}
#endif
