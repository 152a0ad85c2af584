/* dram_bank.c - the banks of a channel: which row is open, and when each command may be given. */
#include "mem/dram_bank.h"

#include "base/near.h"

enum { WINDOW = 32 };

void dram_banks_init(struct dram_banks *b, const struct dram_config *config)
{
    const uint32_t burst = dram_burst_clocks(config);
    *b = (struct dram_banks){ .config = *config, .count = config->ranks * config->banks };
    b->burst_clocks = burst;
    b->atom_bytes = dram_atom_bytes(config);
    b->has_windows = config->faw || config->aw32;
    if (!b->config.rcd_write)
        b->config.rcd_write = config->rcd - (config->wl + 1);
    /* GPGPU-Sim's formulas; DRAMsim3's are the same with its rank-to-rank gap as turnaround. */
    b->read_to_write = config->cl + burst + config->turnaround - config->wl;
    b->write_to_read = config->wl + burst + config->cdlr;
    b->write_to_read_l = config->wl + burst + config->cdlr_l;
    if (config->free_turnaround) {
        b->read_to_write = b->write_to_read = 0;
        b->write_to_read_l = config->ccd_l;
    }
    b->write_to_precharge = config->wl + burst + config->wr;
    b->bank = near_calloc(b->count, sizeof *b->bank);
    for (uint32_t k = 0; k < b->count; k++) {
        b->bank[k].rank = k / config->banks;
        b->bank[k].group = b->bank[k].rank * config->bank_groups + dram_group_of(config, k % config->banks);
    }
    b->group = near_calloc((uint64_t)config->ranks * config->bank_groups, sizeof *b->group);
    b->rank = near_calloc(config->ranks, sizeof *b->rank);
    b->activates = near_calloc(config->ranks, sizeof *b->activates);
}

void dram_banks_clear(struct dram_banks *b)
{
    near_free(b->bank);
    near_free(b->group);
    near_free(b->rank);
    near_free(b->activates);
    *b = (struct dram_banks){ 0 };
}

static uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static void hold(uint64_t *from, uint64_t until)
{
    *from = later(*from, until);
}

/* The n-th last activate of the rank opens a window in which no further one fits. */
static uint64_t window_end(const struct dram_banks *b, uint32_t rank, uint32_t n, uint32_t window)
{
    if (!window || b->activates[rank].count < n)
        return 0;
    return b->activates[rank].when[(b->activates[rank].count - n) % WINDOW] + window;
}

uint64_t dram_banks_window(const struct dram_banks *b, uint32_t rank)
{
    return later(window_end(b, rank, 4, b->config.faw), window_end(b, rank, WINDOW, b->config.aw32));
}

static void issue_activate(struct dram_banks *b, uint32_t bank, uint32_t row, uint64_t now)
{
    const struct dram_config *c = &b->config;
    struct dram_bank *k = &b->bank[bank];
    const uint32_t rank = k->rank;
    require(!k->open);
    k->open = true;
    k->row = row;
    k->hits = 0;
    hold(&k->from[DRAM_READ], now + c->rcd);
    hold(&k->from[DRAM_WRITE], now + c->rcd_write);
    hold(&k->from[DRAM_PRECHARGE], now + c->ras);
    hold(&k->from[DRAM_ACTIVATE], now + c->rc);
    hold(&b->group[k->group].from[DRAM_ACTIVATE], now + c->rrd_l);
    hold(&b->rank[rank].from[DRAM_ACTIVATE], now + c->rrd);
    b->activates[rank].when[b->activates[rank].count++ % WINDOW] = now;
    if (b->activates[rank].count == 2 * WINDOW)
        b->activates[rank].count = WINDOW;
}

static void issue_column(struct dram_banks *b, bool write, uint32_t bank, uint64_t now)
{
    const struct dram_config *c = &b->config;
    struct dram_bank *k = &b->bank[bank];
    const uint32_t rank = k->rank, group = k->group, burst = b->burst_clocks;
    require(k->open);
    k->hits++;
    hold(&b->group[group].from[DRAM_READ], now + (write ? b->write_to_read_l : c->ccd_l));
    hold(&b->group[group].from[DRAM_WRITE], now + c->ccd_l);
    hold(&b->rank[rank].from[DRAM_READ], now + (write && b->write_to_read > c->ccd ? b->write_to_read : c->ccd));
    hold(&b->rank[rank].from[DRAM_WRITE], now + (!write && b->read_to_write > c->ccd ? b->read_to_write : c->ccd));
    if (write)
        hold(&k->from[DRAM_PRECHARGE], now + b->write_to_precharge);
    else {
        hold(&k->from[DRAM_PRECHARGE], now + c->rtp);
        hold(&b->group[group].from[DRAM_PRECHARGE], now + c->rtp_l);
    }
    for (uint32_t other = 0; other < c->ranks; other++) { /* the data bus is common to all ranks */
        if (other == rank)
            continue;
        const int64_t to_read = write ? (int64_t)c->wl + burst + c->turnaround - c->cl : (int64_t)burst + c->turnaround;
        hold(&b->rank[other].from[DRAM_READ], now + (to_read > 0 ? (uint64_t)to_read : 0));
        hold(&b->rank[other].from[DRAM_WRITE], now + (write ? burst : b->read_to_write));
    }
}

void dram_banks_issue(struct dram_banks *b, enum dram_command command, uint32_t bank, uint32_t row, uint64_t now)
{
    switch (command) {
    case DRAM_ACTIVATE: issue_activate(b, bank, row, now); break;
    case DRAM_PRECHARGE:
        require(b->bank[bank].open);
        b->bank[bank].open = false;
        hold(&b->bank[bank].from[DRAM_ACTIVATE], now + b->config.rp);
        hold(&b->rank[b->bank[bank].rank].from[DRAM_PRECHARGE], now + b->config.ppd);
        break;
    case DRAM_READ:
    case DRAM_WRITE: issue_column(b, command == DRAM_WRITE, bank, now); break;
    case DRAM_COMMANDS: panic("not a command");
    }
}

uint64_t dram_banks_refresh_ready(const struct dram_banks *b, uint32_t rank)
{
    uint64_t from = 0;
    for (uint32_t k = rank * b->config.banks; k < (rank + 1) * b->config.banks; k++) {
        if (b->bank[k].open)
            return UINT64_MAX;
        from = later(from, b->bank[k].from[DRAM_ACTIVATE]);
    }
    return from;
}

void dram_banks_refresh(struct dram_banks *b, uint32_t rank, uint64_t now)
{
    require(dram_banks_refresh_ready(b, rank) <= now);
    hold(&b->rank[rank].from[DRAM_ACTIVATE], now + b->config.rfc);
}
