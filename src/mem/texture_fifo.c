/* texture_fifo.c - the texture cache: tags run ahead of the data, and results leave in the order of the reads. */
#include "mem/texture_fifo.h"

#include <stdlib.h>

#include "base/ring.h"
#include "mem/request_ring.h"
#include "mem/tag_array.h"

/* A read on its way to the results; misses have a place in the reorder buffer, in the same order. */
struct fragment {
    struct request *r;
    bool miss, ready; /* ready: of a miss, its data are here */
};

struct texture_fifo {
    struct tag_array *tags;
    struct fragment *fragment;
    struct ring fragments;
    struct ring_size size;
    uint32_t misses; /* of the fragments, those in the reorder buffer */
    struct request_ring requests, results;
    struct request_pool *pool;
    struct outlet *out;
    struct readonly_counters counters;
    struct readonly_config config;
};

struct texture_fifo *texture_fifo_new(const struct readonly_config *config, struct request_pool *pool, struct outlet *out)
{
    struct texture_fifo *t = must_calloc_aligned(1, sizeof *t);
    t->config = *config;
    t->pool = pool;
    t->out = out;
    t->tags = tag_array_new(&(struct tag_geometry){ .sets = config->sets,
                                                    .ways = config->ways,
                                                    .line_bytes = config->line_bytes,
                                                    .sectors = 1,
                                                    .index = config->index,
                                                    .replacement = config->replacement });
    t->size = ring_size(config->fragments);
    t->fragment = must_calloc(t->size.mask + 1, sizeof *t->fragment);
    request_ring_init(&t->requests, config->miss_queue);
    request_ring_init(&t->results, config->results);
    return t;
}

void texture_fifo_free(struct texture_fifo *t)
{
    if (!t)
        return;
    tag_array_free(t->tags);
    free(t->fragment);
    request_ring_clear(&t->requests);
    request_ring_clear(&t->results);
    free(t);
}

static enum cache_outcome refuse(struct texture_fifo *t, enum cache_outcome cause)
{
    COUNTER_ROW(&t->counters, refused_mshr_entry, cause - CACHE_REFUSED_MSHR_ENTRY)++;
    return cause;
}

static struct fragment *fragment_at(const struct texture_fifo *t, uint32_t i)
{
    return &t->fragment[ring_place(&t->fragments, &t->size, i)];
}

static void send_miss(struct texture_fifo *t, struct request *r, uint64_t block, uint32_t set, uint64_t now)
{
    const uint32_t line = tag_array_victim(t->tags, set);
    t->counters.evictions += tag_array_allocate(t->tags, line, block, 0, now).valid;
    tag_array_fill(t->tags, line, 0, NULL);
    r->address = block;
    r->bytes = t->config.line_bytes;
    request_ring_push(&t->requests, r);
    t->misses++;
    t->counters.misses++;
}

enum cache_outcome texture_fifo_access(struct texture_fifo *t, struct request *r, uint64_t now)
{
    /* Room is needed whether or not the read will miss, as in GPGPU-Sim. */
    if (ring_full(&t->fragments, &t->size) || t->misses == t->config.reorder)
        return refuse(t, CACHE_REFUSED_MSHR_ENTRY);
    if (request_ring_full(&t->requests))
        return refuse(t, CACHE_REFUSED_MISS_QUEUE);
    const uint64_t block = r->address & ~(uint64_t)(t->config.line_bytes - 1);
    const uint32_t set = tag_array_set(t->tags, block);
    const struct tag_probe probe = tag_array_probe(t->tags, set, block, 0, false);
    const bool hit = probe.status == TAG_HIT;
    t->counters.accesses++;
    if (hit) {
        tag_array_touch(t->tags, probe.line, now);
        t->counters.hits++;
    } else {
        send_miss(t, r, block, set, now);
    }
    t->fragment[ring_add(&t->fragments, &t->size)] = (struct fragment){ .r = r, .miss = !hit };
    return hit ? CACHE_HIT : CACHE_MISS;
}

void texture_fifo_fill(struct texture_fifo *t, struct request *reply)
{
    struct request *r = request_join_sectors(t->pool, reply);
    if (!r)
        return;
    uint32_t i = 0;
    while (fragment_at(t, i)->r != r)
        require(++i < t->fragments.count);
    fragment_at(t, i)->ready = true;
    t->counters.fills++;
}

static bool head_can_go(const struct texture_fifo *t)
{
    const struct fragment *f = fragment_at(t, 0);
    return t->fragments.count && (!f->miss || f->ready) && !request_ring_full(&t->results);
}

void texture_fifo_cycle(struct texture_fifo *t)
{
    struct request *r = request_ring_peek(&t->requests);
    if (r && outlet_takes(t->out, r)) {
        outlet_push(t->out, request_ring_pop(&t->requests));
        t->counters.sent++;
    }
    if (!head_can_go(t))
        return;
    const struct fragment *f = fragment_at(t, 0);
    request_ring_push(&t->results, f->r);
    t->misses -= f->miss;
    ring_drop(&t->fragments, &t->size, 1);
}

struct request *texture_fifo_pop(struct texture_fifo *t)
{
    return request_ring_pop(&t->results);
}

bool texture_fifo_has_ready(const struct texture_fifo *t)
{
    return t->results.count != 0;
}

uint64_t texture_fifo_next_event(const struct texture_fifo *t, uint64_t now)
{
    return t->requests.count || head_can_go(t) ? now : UINT64_MAX;
}

uint32_t texture_fifo_room(const struct texture_fifo *t)
{
    const uint32_t fragments = t->config.fragments - t->fragments.count, reorder = t->config.reorder - t->misses;
    const uint32_t requests = t->requests.capacity - t->requests.count, both = fragments < reorder ? fragments : reorder;
    return both < requests ? both : requests;
}

const struct readonly_counters *texture_fifo_counters(const struct texture_fifo *t)
{
    return &t->counters;
}
