/* dram_scheduler.c - what the schedulers of a channel share: its queues, its columns, and the pipe that data come out of. */
#include "mem/dram_scheduler.h"

#include "base/near.h"

void dram_core_init(struct dram_core *core, const struct dram_config *config, struct dram_counters *counters)
{
    dram_banks_init(&core->banks, config);
    const uint32_t longest = (config->cl > config->wl ? config->cl : config->wl) +
                             (config->scheduler == DRAM_BANK_QUEUES ? dram_burst_clocks(config) : 0);
    core->pipe = (struct dram_pipe){ .depth = longest + 1, .size = ring_size(longest + 2) };
    core->pipe.entry = near_calloc(core->pipe.size.mask + 1, sizeof *core->pipe.entry);
    core->counters = counters;
}

void dram_core_clear(struct dram_core *core)
{
    dram_banks_clear(&core->banks);
    near_free(core->pipe.entry);
    core->pipe.entry = NULL;
}

void dram_pipe_add(struct dram_pipe *p, const struct dram_access *access, bool last_burst, uint32_t clocks, uint64_t now)
{
    const uint64_t index = now - p->stalls + clocks;
    p->last = p->ring.count && p->last >= index ? p->last + 1 : index;
    const uint32_t at = ring_add(&p->ring, &p->size);
    p->entry[at].access = *access;
    if (!last_burst)
        p->entry[at].access.r = NULL;
    p->entry[at].index = p->last;
    if (p->ring.count == 1)
        p->first = p->last;
}

bool dram_pipe_take(struct dram_pipe *p, uint64_t now, struct dram_access *access)
{
    if (dram_pipe_due(p) > now)
        return false;
    *access = p->entry[p->ring.head].access;
    ring_drop(&p->ring, &p->size, 1);
    if (p->ring.count)
        p->first = p->entry[p->ring.head].index;
    return true;
}

void dram_core_column(struct dram_core *core, const struct dram_access *access, bool last_burst, uint32_t clocks_to_data,
                      uint64_t now)
{
    struct dram_counters *k = core->counters;
    dram_banks_issue(&core->banks, access->write ? DRAM_WRITE : DRAM_READ, access->bank, 0, now);
    dram_pipe_add(&core->pipe, access, last_burst, clocks_to_data, now);
    k->data_clocks += core->banks.burst_clocks;
    if (access->write) {
        k->writes++;
        k->writes_back += access->kind == REQUEST_L2_WRITEBACK;
    } else {
        k->reads++;
        k->reads_alloc += access->kind == REQUEST_L2_ALLOC_READ;
    }
}

const struct dram_scheduler_kind *dram_scheduler_of(const struct dram_config *config)
{
    switch (config->scheduler) {
    case DRAM_FCFS: return &dram_fcfs;
    case DRAM_BANK_QUEUES: return &dram_bank_queues;
    default: return &dram_frfcfs;
    }
}
