/* dram_bank.h - the banks of a channel: which rows are open, and when each command may issue.
 *
 * Knows nothing of requests. A command that issues at clock t moves the "not before" times of the commands that it constrains: a
 * constraint of n clocks blocks at t + n - 1 and lets go at t + n. Banks are numbered over all ranks: rank * banks + bank. */
#ifndef WARPLINE_MEM_DRAM_BANK_H
#define WARPLINE_MEM_DRAM_BANK_H
#include <stdbool.h>
#include <stdint.h>

#include "mem/dram_timing.h"

enum dram_command { DRAM_ACTIVATE, DRAM_PRECHARGE, DRAM_READ, DRAM_WRITE, DRAM_COMMANDS };

struct dram_bank {
    uint32_t rank, group; /* group: over all ranks */
    bool open;
    uint32_t row;                 /* open, or the last one that was; 0 at first, as in the reference */
    uint32_t hits;                /* column commands since the row was opened */
    uint64_t from[DRAM_COMMANDS]; /* not before */
};

struct dram_banks {
    struct dram_bank *bank;
    struct {
        uint64_t from[DRAM_COMMANDS];
    } * group, *rank;
    uint32_t count;                                                             /* banks over all ranks */
    bool has_windows;                                                           /* faw or aw32 */
    uint32_t burst_clocks, atom_bytes;                                          /* of the configuration, divided once */
    uint32_t read_to_write, write_to_read, write_to_read_l, write_to_precharge; /* from command to command */
    struct dram_config config;
    struct {
        uint64_t when[32];
        uint32_t count;
    } * activates; /* per rank: the last 32, in a ring */
};

void dram_banks_init(struct dram_banks *b, const struct dram_config *config);
void dram_banks_clear(struct dram_banks *b);

/* When the windows of activates let the rank open another row. */
uint64_t dram_banks_window(const struct dram_banks *b, uint32_t rank);

/* The first clock at which `command` may go to `bank`. The state of its row is not looked at. */
static inline uint64_t dram_banks_ready(const struct dram_banks *b, enum dram_command command, uint32_t bank)
{
    const struct dram_bank *k = &b->bank[bank];
    const uint64_t group = b->group[k->group].from[command], rank = b->rank[k->rank].from[command];
    uint64_t from = k->from[command];
    from = group > from ? group : from;
    from = rank > from ? rank : from;
    if (command == DRAM_ACTIVATE && b->has_windows) {
        const uint64_t window = dram_banks_window(b, k->rank);
        from = window > from ? window : from;
    }
    return from;
}
/* Panics when the row state does not allow it; the caller has waited for dram_banks_ready. `row` is for DRAM_ACTIVATE. */
void dram_banks_issue(struct dram_banks *b, enum dram_command command, uint32_t bank, uint32_t row, uint64_t now);
/* When all banks of the rank are closed and may be opened: a refresh may start. */
uint64_t dram_banks_refresh_ready(const struct dram_banks *b, uint32_t rank);
void dram_banks_refresh(struct dram_banks *b, uint32_t rank, uint64_t now);
#endif
