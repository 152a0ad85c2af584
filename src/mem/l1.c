/* l1.c - the L1 data cache of an SM: looks up, merges, misses, fills, writes through, and says why it refuses. */
#include <stdlib.h>

#include "base/near.h"
#include "mem/l1_state.h"

/* By enum l1_stores: bit per kind of stores that stay in the line that they hit, and are written back with it. */
static const uint16_t kept_kinds[] = { [L1_STORES_EVICT] = 1u << REQUEST_LOCAL_WRITE,
                                       [L1_STORES_STAY] = 0,
                                       [L1_STORES_THROUGH] = 0,
                                       [L1_STORES_EVICT_ALL] = 0,
                                       [L1_STORES_BACK] = 1u << REQUEST_LOCAL_WRITE | 1u << REQUEST_GLOBAL_WRITE };

struct l1 *l1_new(const struct l1_config *config, uint32_t sm, struct request_pool *pool, struct outlet *out)
{
    struct l1 *l1 = near_calloc(1, sizeof *l1);
    l1->config = *config;
    if (l1->config.port_bytes == 0)
        l1->config.port_bytes = config->line_bytes;
    l1->sm = sm;
    l1->otherwise = config->otherwise ? *config->otherwise : (struct l1_otherwise){ 0 };
    l1->all_sectors = (uint8_t)((1u << config->line_bytes / SECTOR_BYTES) - 1);
    l1->kept_kinds = kept_kinds[config->stores];
    l1->pool = pool;
    l1->out = out;
    l1->geometry = (struct tag_geometry){ .sets = config->sets,
                                          .ways = config->ways,
                                          .line_bytes = config->line_bytes,
                                          .sectors = config->sectored ? config->line_bytes / SECTOR_BYTES : 1,
                                          .index = config->index,
                                          .replacement = config->replacement,
                                          .written_percent = config->written_percent };
    l1->tags = tag_array_new(&l1->geometry);
    tag_array_do_otherwise(l1->tags, l1->otherwise.tags);
    l1->mshr = mshr_new(config->mshr_entries, config->mshr_merges);
    request_ring_init(&l1->miss_queue, config->miss_queue);
    cache_policy_init(&l1->policy, NULL, l1->tags, &l1->geometry, LEVEL_L1, sm);
    return l1;
}

void l1_set_ways(struct l1 *l1, uint32_t ways)
{
    if (l1->geometry.ways == ways || l1->policy.hooks)
        return;
    require(l1_idle(l1));
    tag_array_free(l1->tags);
    l1->geometry.ways = ways;
    l1->tags = tag_array_new(&l1->geometry);
    tag_array_do_otherwise(l1->tags, l1->otherwise.tags);
    cache_policy_init(&l1->policy, NULL, l1->tags, &l1->geometry, LEVEL_L1, l1->sm);
    l1->version++;
}

void l1_check_set_bytes(const struct l1 *l1, const struct cache_hooks *hooks, uint32_t bytes)
{
    if (bytes < l1->config.line_bytes)
        hooks_wrong_answer(hooks->storage.self, "set_bytes", "answered %u; a line of %u bytes must fit", bytes,
                           l1->config.line_bytes);
}

void l1_set_hooks(struct l1 *l1, const struct cache_hooks *hooks)
{
    if (hooks && hooks->storage.call.tags_per_set) {
        l1->geometry.ways = hooks->storage.call.tags_per_set(hooks->storage.self, LEVEL_L1);
        l1->geometry.sectors = l1->config.line_bytes / SECTOR_BYTES;
        l1->set_bytes = hooks->storage.call.set_bytes(hooks->storage.self, LEVEL_L1);
        if (l1->geometry.ways < l1->config.ways || l1->geometry.ways > TAG_SCAN_WAYS)
            hooks_wrong_answer(hooks->storage.self, "tags_per_set", "answered %u; %u to %u are possible", l1->geometry.ways,
                               l1->config.ways, TAG_SCAN_WAYS);
        l1_check_set_bytes(l1, hooks, l1->set_bytes);
        l1->taken = must_calloc(l1->geometry.sets, sizeof *l1->taken);
        l1->usable = must_calloc((unsigned long)l1->geometry.sets * l1->geometry.ways, sizeof *l1->usable);
        tag_array_free(l1->tags);
        l1->tags = tag_array_new(&l1->geometry);
        tag_array_do_otherwise(l1->tags, l1->otherwise.tags);
    }
    cache_policy_init(&l1->policy, hooks, l1->tags, &l1->geometry, LEVEL_L1, l1->sm);
}

void l1_free(struct l1 *l1)
{
    if (!l1)
        return;
    tag_array_free(l1->tags);
    free(l1->usable);
    free(l1->taken);
    mshr_free(l1->mshr);
    request_ring_clear(&l1->miss_queue);
    near_free(l1);
}

/* ---- counting ------------------------------------------------------------------------------------------------------- */

void l1_count_refusals(struct l1 *l1, const struct request *r, enum cache_outcome cause, uint64_t cycles)
{
    const uint32_t which = (uint32_t)(cause - CACHE_REFUSED_MSHR_ENTRY);
    l1_kind_rows(&l1->count, r)[ROW_REFUSED + which] += cycles;
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

/* ---- accesses ------------------------------------------------------------------------------------------------------- */

/* A load that goes around the cache goes straight to the network, as GPGPU-Sim sends a load that skips the L1. It needs no MSHR,
 * since nobody else waits for its data, and no place in the miss queue. Only the network can hold it up. */
struct l1_answer l1_go_around(struct l1 *l1, struct request *r)
{
    r->bypass_l1 = true; /* for good, even when it has to wait */
    if (!outlet_takes(l1->out, r)) {
        l1_count_refusals(l1, r, CACHE_REFUSED_NETWORK, 1);
        return (struct l1_answer){ .outcome = CACHE_REFUSED_NETWORK,
                                   .recycle =
                                       cache_policy_refused(&l1->policy, r, CACHE_REFUSED_NETWORK, l1->now) == REFUSAL_RECYCLE };
    }
    outlet_push(l1->out, r);
    l1_count_bypass(l1, r);
    cache_policy_taken(&l1->policy, r, OUTCOME_BYPASSED, TAG_NO_LINE, l1->now);
    return (struct l1_answer){ .outcome = CACHE_BYPASSED };
}

struct l1_answer l1_refuse(struct l1 *l1, struct request *r, enum cache_outcome cause)
{
    struct l1_answer answer = { .outcome = cause };
    if (seldom(l1->policy.hooks)) {
        const enum policy_refusal verdict = cache_policy_refused(&l1->policy, r, cause, l1->now);
        if (verdict == REFUSAL_BYPASS && !r->write)
            return l1_go_around(l1, r);
        answer.recycle = verdict == REFUSAL_RECYCLE;
    }
    l1_count_refusals(l1, r, cause, 1);
    return answer;
}

/* `by`: the miss that takes the line. */
static void write_back(struct l1 *l1, const struct tag_evicted *line, const struct request *by)
{
    struct request *r = request_make(l1->pool);
    r->address = line->address;
    r->issued = l1->now;
    r->bytes = l1->config.line_bytes;
    r->mask = line->written;
    r->sectors = l1->all_sectors;
    if (l1->config.sectored) { /* from the first dirty sector to the last */
        const uint32_t first = (uint32_t)__builtin_ctz(line->dirty_sectors),
                       last = 31 - (uint32_t)__builtin_clz(line->dirty_sectors);
        r->address += first * SECTOR_BYTES;
        r->bytes = (last - first + 1) * SECTOR_BYTES;
        r->sectors = (uint8_t)(((2u << last) - 1) & ~((1u << first) - 1));
    }
    r->kind = REQUEST_L1_WRITEBACK;
    if (seldom(l1->config.misplaces))
        r->slice = (uint16_t)address_map_slice(l1->config.misplaces, by->address);
    r->write = true;
    r->sm = (uint16_t)l1->sm;
    r->warp = UINT16_MAX;
    request_ring_push(&l1->miss_queue, r);
    l1->count.writebacks++;
}

void l1_tell_evicted(struct l1 *l1, uint32_t line, enum policy_eviction reason, bool by_access)
{
    if (seldom(l1->policy.hooks) && tag_array_holds(l1->tags, line))
        cache_policy_evicted(&l1->policy, line, reason, by_access, l1->now);
}

/* Puts the block into `line`, which tag_array_victim chose. */
void l1_allocate(struct l1 *l1, uint32_t line, const struct request *r, uint64_t block, uint32_t sector)
{
    l1_tell_evicted(l1, line, EVICTED_BY_FILL, true);
    const struct tag_evicted evicted = tag_array_allocate(l1->tags, line, block, sector, l1->now);
    l1->count.evictions += evicted.valid;
    if (evicted.dirty && l1->kept_kinds) /* else memory has it already */
        write_back(l1, &evicted, r);
    if (!seldom(l1->policy.hooks))
        return;
    struct tag_line *l = tag_array_line(l1->tags, line);
    l->used = r->sectors;
    l->policy_line = l1->policy.access.line;
    cache_policy_inserted(&l1->policy, line);
}

static void join(struct l1 *l1, struct mshr_entry *e, uint32_t line)
{
    e->line = line;
    if (e->ready)
        tag_array_fill(l1->tags, line, 0, NULL);
}

static struct l1_answer merge(struct l1 *l1, struct request *r, uint32_t set, struct tag_probe probe, uint32_t entry)
{
    if (!mshr_can_merge(l1->mshr, entry))
        return l1_refuse(l1, r, CACHE_REFUSED_MSHR_MERGE);
    struct mshr_entry *e = mshr_entry_at(l1->mshr, entry);
    if (probe.status == TAG_HIT_RESERVED) {
        struct tag_line *line = tag_array_line(l1->tags, probe.line);
        if (line->absent & r->sectors) /* what it needs was not asked for */
            return l1_refuse(l1, r, CACHE_REFUSED_MSHR_MERGE);
        line->used |= r->sectors;
        tag_array_touch(l1->tags, probe.line, l1->now);
        mshr_merge(l1->mshr, entry, r);
        l1->count.mshr_hits++;
        return l1_take(l1, r, CACHE_MERGED, probe.line);
    }
    /* The line was dropped while its block was in flight, or before all waiting loads were served: the block gets a line again. */
    const uint32_t line = tag_array_victim(l1->tags, set);
    mshr_merge(l1->mshr, entry, r);
    l1->count.mshr_hits++;
    l1_allocate(l1, line, r, e->block, 0);
    (seldom(l1->otherwise.joined) ? l1->otherwise.joined : join)(l1, e, line);
    return l1_take(l1, r, CACHE_MISS, line);
}

/* The aligned part of the line that a miss fetches, as sectors. A policy may ask for less than the line, never for less than is
 * needed. */
uint8_t l1_sectors_to_fetch(const struct l1 *l1, const struct request *r)
{
    if (!r->fill_bytes)
        return l1->all_sectors;
    for (uint32_t bytes = r->fill_bytes; bytes < l1->config.line_bytes; bytes *= 2) {
        const uint32_t first = (uint32_t)(r->address % l1->config.line_bytes / bytes * bytes / SECTOR_BYTES);
        const uint8_t part = (uint8_t)(((1u << bytes / SECTOR_BYTES) - 1) << first);
        if (!(r->sectors & ~part))
            return part;
    }
    return l1->all_sectors;
}

/* Sends the first load of a line; `line` is its line already. `outcome`: what it counts as. */
struct l1_answer l1_send_miss(struct l1 *l1, struct request *r, uint64_t block, uint32_t line, uint8_t fetch,
                              enum cache_outcome outcome)
{
    struct mshr_entry *e = mshr_entry_at(l1->mshr, mshr_add(l1->mshr, block, r));
    e->address = r->address;
    e->bytes = r->bytes;
    e->line = line;
    r->address = block + (uint32_t)__builtin_ctz(fetch) * SECTOR_BYTES;
    r->bytes = (uint32_t)__builtin_popcount(fetch) * SECTOR_BYTES;
    request_ring_push(&l1->miss_queue, r);
    l1->count.sectors_fetched += (uint64_t)__builtin_popcount(fetch);
    return l1_take(l1, r, outcome, line);
}

/* What policies decide about a load that found nothing, before MSHRs, queues and lines are looked at. True: `answer` is the
 * answer. `absent`: it would need a line of the set. */
bool l1_decide_miss(struct l1 *l1, struct request *r, uint32_t set, bool absent, struct l1_answer *answer)
{
    const struct cache_hooks *h = l1->policy.hooks;
    struct policy_serve serve = { 0 };
    if (h->serve.count && hooks_serve(h, &l1->policy.access, &serve)) {
        l1_count_taken(l1, r, CACHE_MISS);
        l1->count.served++;
        cache_policy_taken(&l1->policy, r, OUTCOME_ELSEWHERE, TAG_NO_LINE, l1->now);
        *answer = (struct l1_answer){ .outcome = CACHE_SERVED, .extra_cycles = serve.cycles, .later = serve.later };
        return true;
    }
    r->ready = serve.cycles ? l1->now + serve.cycles : 0; /* when its fetch may leave */
    if (h->may_miss.count && !hooks_may_miss(h, &l1->policy.access)) {
        *answer = l1_refuse(l1, r, CACHE_REFUSED_POLICY);
        return true;
    }
    if (r->no_allocate_l1 || (absent && cache_policy_declines(&l1->policy, set))) {
        *answer = l1_go_around(l1, r);
        return true;
    }
    return false;
}

/* The line is there, but the part that this load needs was never fetched. */
static struct l1_answer fetch_rest(struct l1 *l1, struct request *r, uint64_t block, uint32_t line)
{
    if (l1_no_room_for(l1, 1))
        return l1_refuse(l1, r, CACHE_REFUSED_MISS_QUEUE);
    if (mshr_full(l1->mshr))
        return l1_refuse(l1, r, CACHE_REFUSED_MSHR_ENTRY);
    if (mshr_find(l1->mshr, block) != MSHR_NONE) /* loads that wait for the part that came must be served first */
        return l1_refuse(l1, r, CACHE_REFUSED_MSHR_MERGE);
    const uint8_t fetch = l1_sectors_to_fetch(l1, r);
    tag_array_allocate_sector(l1->tags, line, 0, l1->now);
    struct tag_line *l = tag_array_line(l1->tags, line);
    l->absent &= (uint8_t)~fetch;
    l->used |= r->sectors;
    return l1_send_miss(l1, r, block, line, fetch, CACHE_MISS);
}

/* A load that takes its line when its data come. */
static __attribute__((noinline)) struct l1_answer miss_without_line(struct l1 *l1, struct request *r, uint64_t block,
                                                                    uint32_t entry)
{
    if (l1_no_room_for(l1, 2))
        return l1_refuse(l1, r, CACHE_REFUSED_MISS_QUEUE);
    if (entry == MSHR_NONE && mshr_full(l1->mshr))
        return l1_refuse(l1, r, CACHE_REFUSED_MSHR_ENTRY);
    if (entry == MSHR_NONE)
        return l1_send_miss(l1, r, block, TAG_NO_LINE, l1->all_sectors, CACHE_MISS);
    if (!mshr_can_merge(l1->mshr, entry))
        return l1_refuse(l1, r, CACHE_REFUSED_MSHR_MERGE);
    mshr_merge(l1->mshr, entry, r);
    l1->count.mshr_hits++;
    return l1_take(l1, r, CACHE_MISS, TAG_NO_LINE);
}

static struct l1_answer miss(struct l1 *l1, struct request *r, uint64_t block, uint32_t set, struct tag_probe probe)
{
    struct l1_answer decided;
    const uint32_t entry = mshr_find(l1->mshr, block);
    if (seldom(l1->policy.hooks) && entry == MSHR_NONE && l1_decide_miss(l1, r, set, probe.line == TAG_NO_LINE, &decided))
        return decided;
    if (seldom(!l1->config.allocate_on_miss))
        return miss_without_line(l1, r, block, entry);
    if (probe.status == TAG_ALL_RESERVED)
        return l1_refuse(l1, r, CACHE_REFUSED_LINE_ALLOC);
    if (l1_no_room_for(l1, 2)) /* the miss, and a write-back; asked of merges too, as in the reference */
        return l1_refuse(l1, r, CACHE_REFUSED_MISS_QUEUE);
    if (entry != MSHR_NONE)
        return merge(l1, r, set, probe, entry);
    if (mshr_full(l1->mshr))
        return l1_refuse(l1, r, CACHE_REFUSED_MSHR_ENTRY);
    if (probe.status == TAG_HIT_RESERVED)
        return l1->otherwise.refetch(l1, r, block, probe.line); /* no line waits for what nobody fetches */
    const uint32_t line = tag_array_victim(l1->tags, set);
    const uint8_t fetch = l1_sectors_to_fetch(l1, r);
    const uint32_t queued = l1->miss_queue.count;
    l1_allocate(l1, line, r, block, 0);
    tag_array_line(l1->tags, line)->absent = (uint8_t)(l1->all_sectors & ~fetch);
    const struct l1_answer answer = l1_send_miss(l1, r, block, line, fetch, CACHE_MISS);
    request_ring_advance_last(&l1->miss_queue, l1->miss_queue.count - queued); /* the miss goes before a write-back */
    return answer;
}

static struct l1_answer load(struct l1 *l1, struct request *r, uint64_t block, uint32_t set)
{
    const struct tag_probe probe = tag_array_probe(l1->tags, set, block, 0, false);
    if (seldom(l1->policy.hooks)) {
        cache_policy_begin(&l1->policy, r, block, block, set, l1->now);
        cache_policy_ask(&l1->policy, r);
        if (r->bypass_l1 && (probe.line == TAG_NO_LINE || !tag_array_line(l1->tags, probe.line)->modified))
            return l1_go_around(l1, r);
        r->bypass_l1 = false; /* a dirty line is never bypassed */
    }
    if (probe.status != TAG_HIT)
        return miss(l1, r, block, set, probe);
    if (tag_array_line(l1->tags, probe.line)->absent & r->sectors)
        return fetch_rest(l1, r, block, probe.line);
    return l1_hit(l1, r, probe.line);
}

static struct l1_answer store(struct l1 *l1, struct request *r, uint64_t block, uint32_t set)
{
    const struct tag_probe probe = tag_array_probe(l1->tags, set, block, 0, true);
    if (seldom(l1->policy.hooks)) {
        cache_policy_begin(&l1->policy, r, block, block, set, l1->now);
        cache_policy_ask(&l1->policy, r);
    }
    if (probe.status == TAG_HIT && (l1->kept_kinds >> r->kind & 1)) {
        tag_array_touch(l1->tags, probe.line, l1->now);
        tag_array_modify(l1->tags, probe.line, 0, &r->mask);
        return l1_take(l1, r, CACHE_HIT, probe.line);
    }
    if (l1_no_room_for(l1, 1))
        return l1_refuse(l1, r, CACHE_REFUSED_MISS_QUEUE);
    request_ring_push(&l1->miss_queue, r);
    const enum cache_outcome outcome = probe.status == TAG_HIT            ? CACHE_HIT
                                       : probe.status == TAG_HIT_RESERVED ? CACHE_MERGED
                                                                          : CACHE_MISS;
    struct l1_answer answer = l1_take(l1, r, outcome, probe.line);
    answer.sent = true;
    if (outcome != CACHE_HIT)
        return answer;
    if (l1->config.stores == L1_STORES_THROUGH) {
        tag_array_touch(l1->tags, probe.line, l1->now);
        tag_array_modify(l1->tags, probe.line, 0, &r->mask);
    } else {
        l1_tell_evicted(l1, probe.line, EVICTED_BY_STORE, true);
        tag_array_invalidate_sector(l1->tags, probe.line, 0);
        l1->count.write_evicts++;
    }
    return answer;
}

struct l1_answer l1_access(struct l1 *l1, struct request *r, uint64_t now)
{
    const uint64_t block = r->address & ~(uint64_t)(l1->config.line_bytes - 1);
    l1->now = now;
    const uint32_t set = l1->policy.hooks ? cache_policy_set(&l1->policy, r, block, block, now) : tag_array_set(l1->tags, block);
    if (l1->config.sectored)
        return l1_sectored_access(l1, r, block, set);
    if (seldom(l1->set_bytes))
        return l1_pieces_access(l1, r, block, set);
    return r->write ? store(l1, r, block, set) : load(l1, r, block, set);
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

/* The data of a fetch are in the line; policies are told. */
void l1_tell_filled(struct l1 *l1, struct request *r, uint64_t block, uint32_t line)
{
    if (!seldom(l1->policy.hooks))
        return;
    cache_policy_begin(&l1->policy, r, block, block, line / l1->geometry.ways, l1->now);
    cache_policy_filled(&l1->policy, line);
}

static void fill_line(struct l1 *l1, struct request *r, uint64_t block, uint32_t line)
{
    if (tag_array_address(l1->tags, line) != block)
        return; /* the cache was emptied meanwhile, so the data pass through */
    tag_array_fill(l1->tags, line, 0, NULL);
    l1_tell_filled(l1, r, block, line);
}

/* A line is taken for data that come. None is on its way, so there is always one to take. What is dirty is dropped: with stores
 * that are not written through that is as in the reference alone (machine.c). */
static __attribute__((noinline)) void fill_new_line(struct l1 *l1, struct request *r, uint64_t block)
{
    const uint32_t set =
        l1->policy.hooks ? cache_policy_set(&l1->policy, r, block, block, l1->now) : tag_array_set(l1->tags, block);
    uint32_t line = tag_array_find(l1->tags, set, block);
    if (line == TAG_NO_LINE) {
        line = tag_array_victim(l1->tags, set);
        l1_tell_evicted(l1, line, EVICTED_BY_FILL, false);
        l1->count.evictions += tag_array_allocate(l1->tags, line, block, 0, l1->now).valid;
        tag_array_line(l1->tags, line)->used = r->sectors;
        if (seldom(l1->policy.hooks)) {
            cache_policy_begin(&l1->policy, r, block, block, set, l1->now);
            cache_policy_inserted(&l1->policy, line);
        }
    }
    fill_line(l1, r, block, line);
}

void l1_fill(struct l1 *l1, struct request *reply, uint64_t now)
{
    struct request *r = request_join_sectors(l1->pool, reply);
    if (!r)
        return;
    if (l1->config.sectored) {
        l1_sectored_fill(l1, r, now);
        return;
    }
    if (seldom(l1->set_bytes)) {
        l1_pieces_fill(l1, r, now);
        return;
    }
    const uint64_t block = r->address & ~(uint64_t)(l1->config.line_bytes - 1);
    const uint32_t entry = mshr_find(l1->mshr, block);
    require(entry != MSHR_NONE);
    struct mshr_entry *e = mshr_entry_at(l1->mshr, entry);
    r->address = e->address;
    r->bytes = e->bytes;
    l1->now = now;
    if (seldom(!l1->config.allocate_on_miss))
        fill_new_line(l1, r, block);
    else
        (seldom(l1->otherwise.fill) ? l1->otherwise.fill : fill_line)(l1, r, block, e->line);
    mshr_mark_ready(l1->mshr, entry);
    l1->fill_port_free = now + l1->config.line_bytes / l1->config.port_bytes;
    l1->count.fills++;
    l1->version++;
}

void l1_cycle(struct l1 *l1, uint64_t now)
{
    l1->now = now;
    struct request *r = request_ring_peek(&l1->miss_queue);
    if (!r)
        return;
    if (seldom(r->ready > now))
        return;
    if (!outlet_takes(l1->out, r)) {
        l1->count.network_busy++;
        return;
    }
    request_ring_pop(&l1->miss_queue);
    outlet_push(l1->out, r);
    l1->count.sent++;
    l1->version++;
}

uint64_t l1_next_event(const struct l1 *l1, uint64_t now)
{
    const struct request *r = request_ring_peek(&l1->miss_queue);
    return !r ? UINT64_MAX : r->ready > now ? r->ready : now;
}

const struct mshr *l1_mshr(const struct l1 *l1)
{
    return l1->mshr;
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
    if (seldom(l1->otherwise.keeps) && l1->otherwise.keeps(l1))
        return;
    if (seldom(l1->policy.hooks) && l1->policy.hooks->flushed.count)
        hooks_flushed(l1->policy.hooks, LEVEL_L1, l1->sm);
    if (tag_array_occupied(l1->tags) == 0)
        return;
    for (uint32_t i = 0; l1->policy.hooks && i < l1->geometry.sets * l1->geometry.ways; i++)
        l1_tell_evicted(l1, i, EVICTED_BY_FLUSH, false);
    tag_array_invalidate(l1->tags);
    l1->version++;
}

/* The set of an address, for anybody who asks. */
static uint32_t find_set(struct l1 *l1, uint64_t block)
{
    struct request nobody = { .address = block, .warp = NO_WARP, .sm = (uint16_t)l1->sm };
    struct policy_access under_way = l1->policy.access; /* the hook that asks may be in the middle of an access */
    const uint32_t set = cache_policy_set(&l1->policy, &nobody, block, block, l1->now);
    l1->policy.access = under_way;
    return set;
}

bool l1_would_hit(struct l1 *l1, uint64_t address, uint8_t sectors)
{
    const uint64_t block = tag_block(&l1->geometry, address);
    const uint32_t set = find_set(l1, block);
    if (l1->set_bytes)
        return l1_pieces_would_hit(l1, set, block, sectors);
    const uint32_t found = tag_array_find(l1->tags, set, block);
    if (found == TAG_NO_LINE)
        return false;
    const struct tag_line *line = tag_array_line(l1->tags, found);
    const uint8_t there = (uint8_t)((line->valid | line->modified) & ~line->unreadable);
    const uint8_t needed = l1->geometry.sectors == 1 ? 1 : sectors;
    return (there & needed) == needed && !(line->absent & sectors);
}

bool l1_drop_line(struct l1 *l1, uint64_t address)
{
    const uint64_t block = tag_block(&l1->geometry, address);
    const uint32_t set = find_set(l1, block);
    if (l1->set_bytes)
        return l1_pieces_drop(l1, set, block);
    const uint32_t line = tag_array_find(l1->tags, set, block);
    if (line == TAG_NO_LINE || tag_array_line(l1->tags, line)->modified || tag_array_line(l1->tags, line)->reserved)
        return false;
    l1_tell_evicted(l1, line, EVICTED_BY_FLUSH, false);
    (void)tag_array_drop(l1->tags, line);
    l1->version++;
    return true;
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
