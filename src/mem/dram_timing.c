/* dram_timing.c - timings of a DRAM in clocks, computed from nanoseconds if they are given in those, and checks for
 * contradictions. */
#include "mem/dram_timing.h"

#include "mem/cache_kinds.h"

static const char *const group_bits_names[] = { "low", "high", NULL };
static const char *const scheduler_names[] = { "frfcfs", "fcfs", "bank_queues", NULL };

#define ROW(field, dflt, min, max, unit, help) PARAM_U32(struct dram_config, field, "dram." #field, dflt, min, max, unit, help)

/* Defaults: the reference's GTX 480 (Hynix H5GQ1H24AFR GDDR5, two x32 devices per channel). */
const struct param dram_params[] = {
    ROW(ranks, 1, 1, 8, "ranks", "ranks that share the channel's bus"),
    ROW(banks, 16, 1, 64, "banks", "banks per rank; a power of two"),
    ROW(bank_groups, 4, 1, 64, "groups", "bank groups per rank; a power of two"),
    PARAM_CHOICE(struct dram_config, group_bits, "dram.group_bits", "low", group_bits_names,
                 "which bits of the bank's number name its group"),
    ROW(bus_bytes, 8, 1, 128, "bytes", "width of the channel"),
    ROW(burst, 8, 1, 64, "transfers", "transfers per column command"),
    ROW(data_rate, 4, 1, 16, "transfers", "transfers per command clock: 2 DDR and HBM, 4 GDDR5"),
    PARAM_CHOICE(struct dram_config, scheduler, "dram.scheduler", "frfcfs", scheduler_names, "how requests are ordered"),
    ROW(queue, 64, 1, 4096, "requests", "entries of the scheduler (bank_queues: of the read queue and of the write buffer each)"),
    PARAM_CHOICE(
        struct dram_config, queue_unit, "dram.queue_unit", "sector", count_unit_names,
        "what dram.queue counts: a request is of one sector, papers count lines; n lines are n times l2.line / 32 requests"),
    ROW(fcfs_queue, 2, 1, 4096, "requests", "entries of the fcfs scheduler"),
    ROW(bank_queue, 8, 1, 64, "requests", "bank_queues: entries per bank"),
    ROW(write_low, 16, 1, 4096, "requests",
        "bank_queues: writes that are drained although the buffer is not full, when no read waits"),
    PARAM_LIST(
        struct dram_config, write_queue, "dram.write_queue", "0,0,0", "requests",
        "frfcfs: entries of a queue for writes alone, and two marks: once it holds as many as the first, writes are served and "
        "no reads, until it holds fewer than the second; 0: one queue for both"),
    ROW(row_hit_limit, 4, 1, 4096, "requests", "bank_queues: hits after which an older request to another row may close the row"),
    ROW(return_queue, 116, 1, 4096, "requests", "entries between the data bus and the L2 slices"),
    ROW(slice_in, 64, 1, 4096, "requests", "queue from an L2 slice to the channel"),
    ROW(slice_out, 64, 1, 4096, "requests", "queue from the channel to an L2 slice"),
    ROW(latency, 100, 0, 100000, "core cycles", "fixed time before a request reaches the scheduler"),
    PARAM_BOOL(struct dram_config, latency_only, "dram.latency_only", false,
               "requests take dram.latency and nothing else, one per clock and channel: no scheduler, no banks, no bus"),
    PARAM_BOOL(struct dram_config, dual_command, "dram.dual_command", false,
               "a row and a column command may issue in the same clock (HBM)"),
    ROW(ccd, 2, 1, 1000, "clocks", "CCD: column command to column command"),
    ROW(ccd_l, 3, 0, 1000, "clocks", "CCDL: the same within a bank group"),
    ROW(rrd, 6, 0, 1000, "clocks", "RRD: activate to activate"),
    ROW(rrd_l, 0, 0, 1000, "clocks", "RRDL: the same within a bank group"),
    ROW(rcd, 12, 0, 1000, "clocks", "RCD: activate to read"),
    ROW(rcd_write, 0, 0, 1000, "clocks", "RCDWR: activate to write; 0: rcd - (wl + 1)"),
    ROW(ras, 28, 0, 1000, "clocks", "RAS: activate to precharge"),
    ROW(rp, 12, 0, 1000, "clocks", "RP: precharge to activate"),
    ROW(rc, 40, 0, 1000, "clocks", "RC: activate to activate of the same bank"),
    ROW(cl, 12, 1, 1000, "clocks", "CL: read command to data"),
    ROW(wl, 4, 1, 1000, "clocks", "WL: write command to data"),
    ROW(cdlr, 5, 0, 1000, "clocks", "CDLR, WTR: end of write data to a read"),
    ROW(cdlr_l, 0, 0, 1000, "clocks", "WTR_L: the same within a bank group"),
    ROW(wr, 12, 0, 1000, "clocks", "WR: end of write data to a precharge"),
    ROW(rtp, 2, 0, 1000, "clocks", "RTP: read to precharge of the bank"),
    ROW(rtp_l, 2, 0, 1000, "clocks", "RTPL: read to precharge of any bank of the group"),
    ROW(turnaround, 2, 0, 1000, "clocks", "idle bus between read and write data, and between data of two ranks"),
    PARAM_BOOL(struct dram_config, free_turnaround, "dram.free_turnaround", false,
               "reads follow writes, and writes reads, as soon as their own kind: no turnaround, no cdlr (a limit study)"),
    ROW(ppd, 0, 0, 1000, "clocks", "PPD: precharge to precharge; 0: none"),
    ROW(faw, 0, 0, 10000, "clocks", "FAW: window of four activates; 0: none"),
    ROW(aw32, 0, 0, 10000, "clocks", "32AW: window of 32 activates; 0: none"),
    ROW(rfc, 0, 0, 100000, "clocks", "RFC: duration of a refresh"),
    ROW(refi, 0, 0, 10000000, "clocks", "REFI: interval of refreshes of a rank; 0: none"),
    PARAM_END
};

static bool power_of_two(uint32_t x)
{
    return x && (x & (x - 1)) == 0;
}

bool dram_config_check(const struct dram_config *config, const struct address_map_config *map, struct error *err)
{
    if (!power_of_two(config->banks) || !power_of_two(config->bank_groups) || config->bank_groups > config->banks)
        return error_set(err, "dram.banks is %u and dram.bank_groups %u: both must be powers of two, and no more groups than banks",
                         config->banks, config->bank_groups);
    if (config->ranks * config->banks > 64)
        return error_set(err, "dram.ranks x dram.banks is %u: at most 64", config->ranks * config->banks);
    if (map->bank_bits.count > 6 || 1u << map->bank_bits.count != config->ranks * config->banks)
        return error_set(err, "map.bank_bits names %u bits, but dram.ranks x dram.banks is %u: give one bit per doubling",
                         map->bank_bits.count, config->ranks * config->banks);
    if (config->refi && config->refi / config->ranks <= config->rfc)
        return error_set(err, "dram.refi is %u for %u ranks with dram.rfc %u: the channel would only refresh", config->refi,
                         config->ranks, config->rfc);
    if (config->refi && config->scheduler != DRAM_BANK_QUEUES)
        return error_set(err, "dram.refi is %u, but dram.scheduler %s does not refresh: use bank_queues, or refi 0", config->refi,
                         scheduler_names[config->scheduler]);
    if (config->rcd_write == 0 && config->rcd < config->wl + 1)
        return error_set(err, "dram.rcd_write is 0 (rcd - (wl + 1)), but dram.rcd is %u and dram.wl %u: set dram.rcd_write",
                         config->rcd, config->wl);
    const uint64_t *marks = config->write_queue.value;
    if (config->write_queue.count != 3 || marks[0] > 4096 || marks[1] > marks[0] || marks[2] > marks[1] || (marks[0] && !marks[1]))
        return error_set(err, "dram.write_queue: three values are needed, of which none is larger than the one before, up to 4096");
    if (config->cl + dram_burst_clocks(config) + config->turnaround < config->wl)
        return error_set(err, "dram.wl is %u: beyond cl + burst + turnaround", config->wl);
    return true;
}
