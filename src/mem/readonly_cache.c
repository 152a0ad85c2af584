/* readonly_cache.c - a cache that nobody writes to: instructions, constants and textures. */
#include "mem/readonly_cache.h"

#include <stdlib.h>

#include "base/near.h"
#include "mem/mshr.h"
#include "mem/request_ring.h"
#include "mem/tag_array.h"

/* Lines that hit before, by the low bits of their numbers. Warps in step fetch from the same few lines and need not search for
 * them. */
enum { RECENT_LINES = 4 };
#define NO_BLOCK UINT64_MAX

struct readonly_cache {
    struct tag_array *tags;
    struct mshr *mshr;
    uint64_t recent_block[RECENT_LINES];
    uint32_t recent_line[RECENT_LINES];
    uint32_t line_shift;
    struct readonly_counters count; /* the first of them with every access */
    struct request_ring miss_queue;
    uint64_t version;
    /* The block that was refused last, for which cause, and the version then: until that changes it would be refused again. */
    uint64_t refused_block, refused_version;
    enum cache_outcome refused_cause;
    struct request_pool *pool;
    struct outlet *out;
    struct readonly_config config;
};

/* Before a line is replaced or emptied. */
static void forget_recent(struct readonly_cache *c)
{
    for (uint32_t i = 0; i < RECENT_LINES; i++)
        c->recent_block[i] = NO_BLOCK;
}

struct readonly_cache *readonly_cache_new(const struct readonly_config *config, struct request_pool *pool, struct outlet *out)
{
    struct readonly_cache *c = near_calloc(1, sizeof *c);
    c->config = *config;
    c->line_shift = (uint32_t)__builtin_ctz(config->line_bytes);
    forget_recent(c);
    c->refused_block = NO_BLOCK;
    c->pool = pool;
    c->out = out;
    c->tags = tag_array_new(&(struct tag_geometry){ .sets = config->sets,
                                                    .ways = config->ways,
                                                    .line_bytes = config->line_bytes,
                                                    .sectors = 1,
                                                    .index = config->index,
                                                    .replacement = config->replacement });
    c->mshr = mshr_new(config->mshr_entries, config->mshr_merges);
    request_ring_init(&c->miss_queue, config->miss_queue);
    return c;
}

void readonly_cache_free(struct readonly_cache *c)
{
    if (!c)
        return;
    tag_array_free(c->tags);
    mshr_free(c->mshr);
    request_ring_clear(&c->miss_queue);
    near_free(c);
}

void readonly_cache_count_refusals(struct readonly_cache *c, enum cache_outcome cause, uint64_t cycles)
{
    COUNTER_ROW(&c->count, refused_mshr_entry, cause - CACHE_REFUSED_MSHR_ENTRY) += cycles;
}

static enum cache_outcome refuse(struct readonly_cache *c, uint64_t block, enum cache_outcome cause)
{
    c->refused_block = block;
    c->refused_version = c->version;
    c->refused_cause = cause;
    readonly_cache_count_refusals(c, cause, 1);
    return cause;
}

static bool still_refused(const struct readonly_cache *c, uint64_t block)
{
    return c->refused_block == block && c->refused_version == c->version;
}

static enum cache_outcome take(struct readonly_cache *c, enum cache_outcome outcome)
{
    c->count.accesses++;
    COUNTER_ROW(&c->count, hits, outcome)++; /* hits, merged, misses */
    return outcome;
}

static uint32_t allocate(struct readonly_cache *c, uint64_t block, uint64_t now)
{
    const uint32_t line = tag_array_victim(c->tags, tag_array_set(c->tags, block));
    forget_recent(c);
    c->count.evictions += tag_array_allocate(c->tags, line, block, 0, now).valid;
    return line;
}

bool readonly_cache_hit(struct readonly_cache *c, uint64_t address, uint64_t now)
{
    const uint64_t block = address & ~(uint64_t)(c->config.line_bytes - 1);
    const uint32_t recent = block >> c->line_shift & (RECENT_LINES - 1);
    if (c->recent_block[recent] != block) {
        if (still_refused(c, block))
            return false;
        const struct tag_probe probe = tag_array_probe(c->tags, tag_array_set(c->tags, block), block, 0, false);
        if (probe.status != TAG_HIT) {
            if (seldom(c->config.perfect))
                take(c, CACHE_HIT);
            return c->config.perfect;
        }
        c->recent_block[recent] = block;
        c->recent_line[recent] = probe.line;
    }
    tag_array_touch(c->tags, c->recent_line[recent], now);
    take(c, CACHE_HIT);
    return true;
}

enum cache_outcome readonly_cache_access(struct readonly_cache *c, struct request *r, uint64_t now)
{
    const uint64_t block = r->address & ~(uint64_t)(c->config.line_bytes - 1);
    const struct tag_probe probe = tag_array_probe(c->tags, tag_array_set(c->tags, block), block, 0, false);
    if (probe.status == TAG_HIT) {
        tag_array_touch(c->tags, probe.line, now);
        return take(c, CACHE_HIT);
    }
    if (probe.status == TAG_ALL_RESERVED)
        return refuse(c, block, CACHE_REFUSED_LINE_ALLOC);
    if (request_ring_full(&c->miss_queue)) /* asked of merges too, as in the reference */
        return refuse(c, block, CACHE_REFUSED_MISS_QUEUE);
    uint32_t entry = mshr_find(c->mshr, block);
    if (entry != MSHR_NONE) {
        if (!mshr_can_merge(c->mshr, entry))
            return refuse(c, block, CACHE_REFUSED_MSHR_MERGE);
        mshr_merge(c->mshr, entry, r);
        c->refused_block = NO_BLOCK; /* it might be refused for another cause now */
        return take(c, CACHE_MERGED);
    }
    if (mshr_full(c->mshr))
        return refuse(c, block, CACHE_REFUSED_MSHR_ENTRY);
    entry = mshr_add(c->mshr, block, r);
    c->refused_block = NO_BLOCK;
    struct mshr_entry *e = mshr_entry_at(c->mshr, entry);
    e->address = r->address;
    e->bytes = r->bytes;
    e->line = c->config.allocate_on_miss ? allocate(c, block, now) : TAG_NO_LINE;
    r->address = block;
    r->bytes = c->config.line_bytes;
    request_ring_push(&c->miss_queue, r);
    return take(c, CACHE_MISS);
}

bool readonly_cache_refuses(struct readonly_cache *c, uint64_t address)
{
    if (!still_refused(c, address & ~(uint64_t)(c->config.line_bytes - 1)))
        return false;
    readonly_cache_count_refusals(c, c->refused_cause, 1);
    return true;
}

uint64_t readonly_cache_version(const struct readonly_cache *c)
{
    return c->version;
}

void readonly_cache_fill(struct readonly_cache *c, struct request *reply, uint64_t now)
{
    struct request *r = request_join_sectors(c->pool, reply);
    if (!r)
        return;
    const uint64_t block = r->address;
    const uint32_t entry = mshr_find(c->mshr, block);
    require(entry != MSHR_NONE);
    struct mshr_entry *e = mshr_entry_at(c->mshr, entry);
    r->address = e->address;
    r->bytes = e->bytes;
    const uint32_t line = c->config.allocate_on_miss ? e->line : allocate(c, block, now);
    if (tag_array_address(c->tags, line) == block) /* otherwise the cache was emptied meanwhile */
        tag_array_fill(c->tags, line, 0, NULL);
    mshr_mark_ready(c->mshr, entry);
    c->count.fills++;
    c->version++;
}

void readonly_cache_cycle(struct readonly_cache *c, uint64_t now)
{
    (void)now;
    struct request *r = request_ring_peek(&c->miss_queue);
    if (!r || !outlet_takes(c->out, r))
        return;
    request_ring_pop(&c->miss_queue);
    outlet_push(c->out, r);
    c->count.sent++;
    c->version++;
}

uint64_t readonly_cache_next_event(const struct readonly_cache *c, uint64_t now)
{
    return c->miss_queue.count ? now : UINT64_MAX;
}

bool readonly_cache_has_ready(const struct readonly_cache *c)
{
    return mshr_has_ready(c->mshr);
}

struct request *readonly_cache_pop_ready(struct readonly_cache *c)
{
    struct request *r = mshr_pop_ready(c->mshr);
    c->version += r != NULL;
    return r;
}

uint32_t readonly_cache_room(const struct readonly_cache *c)
{
    const uint32_t entries = c->config.mshr_entries - mshr_in_use(c->mshr), queue = c->miss_queue.capacity - c->miss_queue.count;
    return entries < queue ? entries : queue;
}

bool readonly_cache_idle(const struct readonly_cache *c)
{
    return mshr_in_use(c->mshr) == 0 && c->miss_queue.count == 0;
}

const struct readonly_counters *readonly_cache_counters(const struct readonly_cache *c)
{
    return &c->count;
}
