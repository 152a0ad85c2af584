#include "mem/l1.h"

#include <assert.h>
#include <stdlib.h>

#include "mem/mshr.h"
#include "mem/request_ring.h"
#include "mem/tag_array.h"

struct l1 {
    struct l1_config config;
    uint32_t sm;
    struct request_pool *pool;
    struct memory_port port;
    struct tag_array *tags;
    struct mshr *mshr;
    struct request_ring miss_queue;
    uint64_t version;
    uint64_t fill_port_free; /* first cycle in which a fill may come */
    struct l1_counters count;
};

struct l1 *l1_new(const struct l1_config *config, uint32_t sm, struct request_pool *pool, const struct memory_port *port)
{
    struct l1 *l1 = must_calloc(1, sizeof *l1);
    l1->config = *config;
    if (l1->config.port_bytes == 0)
        l1->config.port_bytes = config->line_bytes;
    l1->sm = sm;
    l1->pool = pool;
    l1->port = *port;
    l1->tags = tag_array_new(&(struct tag_geometry){ .sets = config->sets, .ways = config->ways, .line_bytes = config->line_bytes,
        .sectors = 1, .index = config->index, .replacement = config->replacement });
    l1->mshr = mshr_new(config->mshr_entries, config->mshr_merges);
    request_ring_init(&l1->miss_queue, config->miss_queue);
    return l1;
}

void l1_free(struct l1 *l1)
{
    if (!l1)
        return;
    tag_array_free(l1->tags);
    mshr_free(l1->mshr);
    request_ring_clear(&l1->miss_queue);
    free(l1);
}

/* ---- counting ------------------------------------------------------------------------------------------------------- */

/* Rows of a kind lie together, in this order (l1_counters.def). */
enum kind_row { ROW_HITS, ROW_MERGED, ROW_MISSES, ROW_REFUSED };

static uint64_t *kind_rows(struct l1_counters *c, const struct request *r)
{
    switch (r->kind) {
    case REQUEST_LOCAL_READ: return &COUNTER_ROW(c, local_read_hits, 0);
    case REQUEST_LOCAL_WRITE: return &COUNTER_ROW(c, local_write_hits, 0);
    default: return r->write ? &COUNTER_ROW(c, global_write_hits, 0) : &COUNTER_ROW(c, global_read_hits, 0);
    }
}

static void count_taken(struct l1 *l1, const struct request *r, enum cache_outcome outcome)
{
    struct l1_counters *c = &l1->count;
    assert(outcome <= CACHE_MISS);
    kind_rows(c, r)[ROW_HITS + outcome]++;
    if (r->write) {
        c->writes++;
        if (outcome == CACHE_HIT)
            c->write_hits++;
        else
            c->write_misses++;
    } else {
        c->accesses++;
        COUNTER_ROW(c, hits, outcome)++; /* hits, merged, misses */
    }
}

void l1_count_refusals(struct l1 *l1, const struct request *r, enum cache_outcome cause, uint64_t cycles)
{
    const uint32_t which = (uint32_t)(cause - CACHE_REFUSED_MSHR_ENTRY);
    kind_rows(&l1->count, r)[ROW_REFUSED + which] += cycles;
    COUNTER_ROW(&l1->count, refused_mshr_entry, which) += cycles;
}

void l1_count_bypass(struct l1 *l1, const struct request *r)
{
    if (r->kind == REQUEST_ATOMIC) {
        l1->count.atomics++;
    } else if (r->write) {
        l1->count.writes++;
        l1->count.write_bypassed++;
    } else {
        l1->count.accesses++;
        l1->count.bypassed++;
    }
}

static struct l1_answer refuse(struct l1 *l1, const struct request *r, enum cache_outcome cause)
{
    l1_count_refusals(l1, r, cause, 1);
    return (struct l1_answer){ cause, false };
}

static struct l1_answer take(struct l1 *l1, const struct request *r, enum cache_outcome outcome, bool sent)
{
    count_taken(l1, r, outcome);
    return (struct l1_answer){ outcome, sent };
}

/* ---- accesses ------------------------------------------------------------------------------------------------------- */

static bool no_room_for(const struct l1 *l1, uint32_t requests)
{
    return l1->miss_queue.count + requests > l1->miss_queue.capacity;
}

static void write_back(struct l1 *l1, const struct tag_evicted *line, uint64_t now)
{
    struct request *r = request_make(l1->pool);
    r->address = line->address;
    r->issued = now;
    r->bytes = l1->config.line_bytes;
    r->mask = line->written;
    r->sectors = (uint8_t)((1u << l1->config.line_bytes / SECTOR_BYTES) - 1);
    r->kind = REQUEST_L1_WRITEBACK;
    r->write = true;
    r->sm = (uint16_t)l1->sm;
    r->warp = UINT16_MAX;
    request_ring_push(&l1->miss_queue, r);
    l1->count.writebacks++;
}

static uint32_t allocate(struct l1 *l1, uint32_t set, uint64_t block, uint64_t now)
{
    const uint32_t line = tag_array_victim(l1->tags, set);
    const struct tag_evicted evicted = tag_array_allocate(l1->tags, line, block, 0, now);
    l1->count.evictions += evicted.valid;
    if (evicted.dirty)
        write_back(l1, &evicted, now);
    return line;
}

static struct l1_answer merge(struct l1 *l1, struct request *r, uint32_t set, struct tag_probe probe, uint32_t entry, uint64_t now)
{
    if (!mshr_can_merge(l1->mshr, entry))
        return refuse(l1, r, CACHE_REFUSED_MSHR_MERGE);
    struct mshr_entry *e = mshr_entry_at(l1->mshr, entry);
    l1->count.mshr_hits++;
    mshr_merge(l1->mshr, entry, r);
    if (probe.status == TAG_HIT_RESERVED) {
        tag_array_touch(l1->tags, probe.line, now);
        return take(l1, r, CACHE_MERGED, false);
    }
    /* The line was dropped while its block was in flight, or before all who wait for it were served: the block gets a line again. */
    e->line = allocate(l1, set, e->block, now);
    if (e->ready)
        tag_array_fill(l1->tags, e->line, 0, NULL);
    return take(l1, r, CACHE_MISS, false);
}

static struct l1_answer load(struct l1 *l1, struct request *r, uint64_t block, uint64_t now)
{
    const uint32_t set = tag_array_set(l1->tags, block);
    const struct tag_probe probe = tag_array_probe(l1->tags, set, block, 0, false);
    if (probe.status == TAG_HIT) {
        tag_array_touch(l1->tags, probe.line, now);
        return take(l1, r, CACHE_HIT, false);
    }
    if (probe.status == TAG_ALL_RESERVED)
        return refuse(l1, r, CACHE_REFUSED_LINE_ALLOC);
    if (no_room_for(l1, 2)) /* the miss, and a write-back; asked of merges too, as in the reference */
        return refuse(l1, r, CACHE_REFUSED_MISS_QUEUE);
    uint32_t entry = mshr_find(l1->mshr, block);
    if (entry != MSHR_NONE)
        return merge(l1, r, set, probe, entry, now);
    if (mshr_full(l1->mshr))
        return refuse(l1, r, CACHE_REFUSED_MSHR_ENTRY);

    count_taken(l1, r, CACHE_MISS);
    entry = mshr_add(l1->mshr, block, r);
    struct mshr_entry *e = mshr_entry_at(l1->mshr, entry);
    e->address = r->address;
    e->bytes = r->bytes;
    r->address = block;
    r->bytes = l1->config.line_bytes;
    request_ring_push(&l1->miss_queue, r);
    e->line = allocate(l1, set, block, now); /* after the push: a write-back follows the miss */
    return (struct l1_answer){ CACHE_MISS, false };
}

static struct l1_answer store(struct l1 *l1, struct request *r, uint64_t block, uint64_t now)
{
    const uint32_t set = tag_array_set(l1->tags, block);
    const struct tag_probe probe = tag_array_probe(l1->tags, set, block, 0, true);
    if (probe.status == TAG_HIT && r->kind == REQUEST_LOCAL_WRITE) {
        tag_array_touch(l1->tags, probe.line, now);
        tag_array_modify(l1->tags, probe.line, 0, &r->mask);
        return take(l1, r, CACHE_HIT, false);
    }
    if (no_room_for(l1, 1))
        return refuse(l1, r, CACHE_REFUSED_MISS_QUEUE);
    request_ring_push(&l1->miss_queue, r);
    if (probe.status == TAG_HIT) {
        tag_array_invalidate_sector(l1->tags, probe.line, 0);
        l1->count.write_evicts++;
        return take(l1, r, CACHE_HIT, true);
    }
    return take(l1, r, probe.status == TAG_HIT_RESERVED ? CACHE_MERGED : CACHE_MISS, true);
}

struct l1_answer l1_access(struct l1 *l1, struct request *r, uint64_t now)
{
    const uint64_t block = r->address & ~(uint64_t)(l1->config.line_bytes - 1);
    return r->write ? store(l1, r, block, now) : load(l1, r, block, now);
}

uint64_t l1_version(const struct l1 *l1)
{
    return l1->version;
}

/* ---- replies -------------------------------------------------------------------------------------------------------- */

bool l1_fill_port_free(const struct l1 *l1, uint64_t now)
{
    return now >= l1->fill_port_free;
}

void l1_fill(struct l1 *l1, struct request *reply, uint64_t now)
{
    struct request *r = request_join_sectors(l1->pool, reply);
    if (!r)
        return;
    const uint64_t block = r->address;
    const uint32_t entry = mshr_find(l1->mshr, block);
    require(entry != MSHR_NONE);
    struct mshr_entry *e = mshr_entry_at(l1->mshr, entry);
    r->address = e->address;
    r->bytes = e->bytes;
    if (tag_array_address(l1->tags, e->line) == block) /* else the cache was emptied meanwhile: the data pass through */
        tag_array_fill(l1->tags, e->line, 0, NULL);
    mshr_mark_ready(l1->mshr, entry);
    l1->fill_port_free = now + l1->config.line_bytes / l1->config.port_bytes;
    l1->count.fills++;
    l1->version++;
}

void l1_cycle(struct l1 *l1, uint64_t now)
{
    (void)now;
    struct request *r = request_ring_peek(&l1->miss_queue);
    if (!r || l1->port.full(l1->port.context, r))
        return;
    request_ring_pop(&l1->miss_queue);
    l1->port.push(l1->port.context, r);
    l1->count.sent++;
    l1->version++;
}

uint64_t l1_next_event(const struct l1 *l1, uint64_t now)
{
    return l1->miss_queue.count ? now : UINT64_MAX;
}

bool l1_has_ready(const struct l1 *l1)
{
    return mshr_has_ready(l1->mshr);
}

struct request *l1_pop_ready(struct l1 *l1)
{
    struct request *r = mshr_pop_ready(l1->mshr);
    l1->version += r != NULL;
    return r;
}

void l1_invalidate(struct l1 *l1)
{
    if (tag_array_occupied(l1->tags) == 0)
        return;
    tag_array_invalidate(l1->tags);
    l1->version++;
}

/* ---- views ---------------------------------------------------------------------------------------------------------- */

uint32_t l1_mshr_in_use(const struct l1 *l1)
{
    return mshr_in_use(l1->mshr);
}

uint32_t l1_miss_queue_length(const struct l1 *l1)
{
    return l1->miss_queue.count;
}

bool l1_idle(const struct l1 *l1)
{
    return mshr_in_use(l1->mshr) == 0 && l1->miss_queue.count == 0;
}

const struct l1_counters *l1_counters(const struct l1 *l1)
{
    return &l1->count;
}
