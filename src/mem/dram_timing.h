/* dram_timing.h - parameters of a DRAM channel, and the table of presets.
 *
 * All timings are in command clocks. GPGPU-Sim's names and meanings; the constraints that only other standards have (FAW, t32AW,
 * refresh, WTR per bank group) are 0 = none by default. */
#ifndef WARPLINE_MEM_DRAM_TIMING_H
#define WARPLINE_MEM_DRAM_TIMING_H
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "param/param.h"

enum dram_scheduler { DRAM_FRFCFS, DRAM_FCFS };

struct dram_timing {
    uint32_t ccd, ccd_l;     /* column to column, any bank / same bank group */
    uint32_t rrd, rrd_l;     /* activate to activate, any bank / same bank group */
    uint32_t rcd, rcd_write; /* activate to read / write */
    uint32_t ras, rp, rc;
    uint32_t cl, wl;         /* command to first data */
    uint32_t cdlr;           /* end of write data to read command, any group (WTR) */
    uint32_t cdlr_l;         /* the same, same bank group */
    uint32_t wr;             /* end of write data to precharge */
    uint32_t rtp, rtp_l;     /* read to precharge: the bank / its group */
    uint32_t faw, aw32;      /* windows of four and of 32 activates */
    uint32_t rfc, refi;      /* refresh: duration and interval */
};

struct dram_config {
    uint32_t banks, bank_groups;
    uint32_t bus_bytes;           /* width of the channel */
    uint32_t burst;               /* transfers per column command */
    uint32_t data_rate;           /* transfers per command clock */
    uint32_t scheduler;           /* enum dram_scheduler */
    uint32_t queue;               /* scheduler's entries */
    uint32_t return_queue;        /* entries behind the data bus */
    uint32_t slice_in, slice_out; /* queues between one slice and the channel, each way */
    uint32_t latency;             /* core cycles before a request reaches the scheduler */
    bool dual_command;            /* a row and a column command may issue in the same clock */
    struct dram_timing timing;
};
extern const struct param dram_params[]; /* dram.* */
bool dram_config_check(const struct dram_config *config, struct error *err);
#endif
