/* memory.c - lines to and from DRAM. A channel has its own clock: its clock n happens in the first cycle that does not begin
 * earlier. */
#include "cmp/memory.h"

#include <stdlib.h>

#include "cmp/cmp.h"
#include "stat/stat.h"

/* Requests that found the channel's queue full, in order. */
struct overflow {
    struct request **r;
    uint32_t first, count, room;
};

struct cmp_memory {
    struct cmp_machine machine;
    struct dram_channel **channel;
    uint64_t *next; /* clock of each channel's next event */
    struct overflow *waiting;
    struct request_pool *pool;
    uint64_t clock; /* of the last step */
    cmp_arrived *arrived;
    void *context;
};

static void retire(void *context, struct request *r)
{
    request_free(((struct cmp_memory *)context)->pool, r);
}

struct cmp_memory *cmp_memory_new(const struct cmp_machine *machine, cmp_arrived *arrived, void *context)
{
    struct cmp_memory *m = must_calloc(1, sizeof *m);
    const uint32_t channels = machine->map.channels;
    m->machine = *machine;
    m->arrived = arrived;
    m->context = context;
    m->pool = request_pool_new();
    m->channel = must_calloc(channels, sizeof *m->channel);
    m->next = must_calloc(channels, sizeof *m->next);
    m->waiting = must_calloc(channels, sizeof *m->waiting);
    for (uint32_t c = 0; c < channels; c++) {
        m->channel[c] = dram_channel_new(&machine->dram, 1, machine->cmp.core_khz, machine->dram_khz, retire, m);
        m->next[c] = dram_channel_next_event(m->channel[c], 0);
    }
    return m;
}

void cmp_memory_free(struct cmp_memory *m)
{
    if (!m)
        return;
    for (uint32_t c = 0; c < m->machine.map.channels; c++) {
        dram_channel_free(m->channel[c]);
        free(m->waiting[c].r);
    }
    free(m->channel);
    free(m->next);
    free(m->waiting);
    request_pool_free(m->pool);
    free(m);
}

static uint64_t clock_of(const struct cmp_memory *m, uint64_t cycle)
{
    return cycle * m->machine.dram_khz / m->machine.cmp.core_khz;
}

static uint64_t cycle_of(const struct cmp_memory *m, uint64_t clock)
{
    return (clock * m->machine.cmp.core_khz + m->machine.dram_khz - 1) / m->machine.dram_khz;
}

static void put_aside(struct overflow *o, struct request *r)
{
    if (o->first + o->count == o->room) {
        o->room = o->room ? o->room * 2 : 64;
        o->r = must_realloc(o->r, o->room * sizeof *o->r);
    }
    o->r[o->first + o->count++] = r;
}

void cmp_memory_send(struct cmp_memory *m, uint64_t address, bool write, uint32_t fetch, uint64_t cycle)
{
    struct request *r = request_make(m->pool);
    r->address = address;
    r->bytes = CMP_LINE_BYTES;
    r->sectors = 3;
    r->slot = fetch;
    r->write = write;
    r->kind = write ? REQUEST_L2_WRITEBACK : REQUEST_GLOBAL_READ;
    const uint32_t c = address_map_locate(&m->machine.map, address).channel;
    address_map_place(&m->machine.map, r);
    const uint64_t clock = clock_of(m, cycle);
    if (m->waiting[c].count || port_full(dram_channel_in(m->channel[c], 0)))
        put_aside(&m->waiting[c], r);
    else
        port_push(dram_channel_in(m->channel[c], 0), r);
    const uint64_t seen = (clock > m->clock ? clock : m->clock) + 1;
    if (seen < m->next[c])
        m->next[c] = seen;
}

uint64_t cmp_memory_next(const struct cmp_memory *m)
{
    uint64_t clock = UINT64_MAX;
    for (uint32_t c = 0; c < m->machine.map.channels; c++)
        clock = m->next[c] < clock ? m->next[c] : clock;
    return clock == UINT64_MAX ? UINT64_MAX : cycle_of(m, clock);
}

static void step_channel(struct cmp_memory *m, uint32_t c)
{
    struct dram_channel *d = m->channel[c];
    struct overflow *o = &m->waiting[c];
    dram_channel_tick(d, m->clock);
    for (struct request *r; (r = port_pop(dram_channel_out(d, 0)));) {
        m->arrived(m->context, r->slot, cycle_of(m, m->clock));
        request_free(m->pool, r);
    }
    for (; o->count && !port_full(dram_channel_in(d, 0)); o->count--)
        port_push(dram_channel_in(d, 0), o->r[o->first++]);
    o->first = o->count ? o->first : 0;
    const uint64_t next = dram_channel_next_event(d, m->clock);
    if (m->next[c] <= m->clock || next < m->next[c])
        m->next[c] = next;
}

void cmp_memory_step(struct cmp_memory *m)
{
    uint64_t clock = UINT64_MAX;
    for (uint32_t c = 0; c < m->machine.map.channels; c++)
        clock = m->next[c] < clock ? m->next[c] : clock;
    m->clock = clock;
    for (uint32_t c = 0; c < m->machine.map.channels; c++)
        if (m->next[c] == clock)
            step_channel(m, c);
}

void cmp_memory_view(const struct cmp_memory *m, uint64_t address, struct policy_dram_view *out)
{
    const struct address_place p = address_map_locate(&m->machine.map, address);
    *out = (struct policy_dram_view){
        .channel = p.channel, .bank = p.bank, .row = p.row, .waiting = dram_channel_bank_requests(m->channel[p.channel], p.bank)
    };
}

void cmp_memory_counters(struct cmp_memory *m, struct dram_counters *out)
{
    *out = (struct dram_counters){ 0 };
    for (uint32_t c = 0; c < m->machine.map.channels; c++)
        stat_add(&dram_stat_group, out, dram_channel_counters(m->channel[c], m->clock));
}
