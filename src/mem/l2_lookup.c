/* l2_lookup.c - what an access does to an L2 slice: hit, miss, write-allocate, write-back, fill, and what host copies leave. */
#include "mem/l2_state.h"

/* ---- counting ------------------------------------------------------------------------------------------------------- */

enum kind_row { ROW_HITS, ROW_MERGED, ROW_MISSES, ROW_SECTOR_MISSES, ROW_REFUSED };

static uint64_t *kind_rows(struct l2_counters *c, const struct request *r)
{
    switch (r->kind) {
    case REQUEST_GLOBAL_READ: return &COUNTER_ROW(c, global_read_hits, 0);
    case REQUEST_GLOBAL_WRITE: return &COUNTER_ROW(c, global_write_hits, 0);
    case REQUEST_LOCAL_READ: return &COUNTER_ROW(c, local_read_hits, 0);
    case REQUEST_LOCAL_WRITE: return &COUNTER_ROW(c, local_write_hits, 0);
    case REQUEST_ATOMIC: return &COUNTER_ROW(c, atomic_hits, 0);
    case REQUEST_CONST_READ: return &COUNTER_ROW(c, const_read_hits, 0);
    case REQUEST_TEXTURE_READ: return &COUNTER_ROW(c, texture_read_hits, 0);
    case REQUEST_INSTRUCTION_READ: return &COUNTER_ROW(c, instruction_read_hits, 0);
    case REQUEST_L1_WRITEBACK: return &COUNTER_ROW(c, l1_writeback_hits, 0);
    default: return &COUNTER_ROW(c, other_hits, 0);
    }
}

void l2_count_direction(struct l2_slice *s, const struct request *r)
{
    if (r->write)
        s->count.writes++;
    else
        s->count.reads++;
}

static enum cache_outcome take(struct l2_slice *s, const struct request *r, enum cache_outcome outcome)
{
    struct l2_counters *c = &s->count;
    l2_count_direction(s, r);
    if (outcome == CACHE_BYPASSED) {
        c->bypassed++;
        return outcome;
    }
    kind_rows(c, r)[ROW_HITS + outcome]++;
    c->hits += outcome == CACHE_HIT;
    c->merged += outcome == CACHE_MERGED;
    c->misses += outcome == CACHE_MISS || outcome == CACHE_SECTOR_MISS;
    c->sector_misses += outcome == CACHE_SECTOR_MISS;
    return outcome;
}

void l2_count_refusals(struct l2_slice *s, const struct request *r, enum cache_outcome cause, uint64_t cycles)
{
    kind_rows(&s->count, r)[ROW_REFUSED] += cycles;
    COUNTER_ROW(&s->count, refused_mshr_entry, cause - CACHE_REFUSED_MSHR_ENTRY) += cycles;
}

/* ---- lookup ------------------------------------------------------------------------------------------------------- */

static bool no_room_for(const struct l2_slice *s, uint32_t requests)
{
    return s->miss_queue.count + requests > s->miss_queue.capacity;
}

static uint64_t port_cycles(const struct l2_slice *s, uint32_t bytes)
{
    return bytes <= s->config.port_bytes ? bytes != 0 : (bytes + s->config.port_bytes - 1) / s->config.port_bytes;
}

static void write_back(struct l2_slice *s, const struct tag_evicted *line, uint64_t now)
{
    struct request *r = request_make(s->pool);
    r->address = line->address;
    r->issued = now;
    r->bytes = line->dirty_bytes;
    r->mask = line->written;
    r->sectors = line->dirty_sectors;
    r->kind = REQUEST_L2_WRITEBACK;
    r->write = true;
    r->sm = r->warp = UINT16_MAX;
    address_map_place(s->map, r);
    r->slice = (uint16_t)s->id; /* the place of the line counts, not the place where it belongs: see l2_ways.misplace */
    request_ring_push(&s->miss_queue, r);
    s->count.writebacks++;
    s->count.writeback_bytes += line->dirty_bytes;
}

/* Atomics can only be done here, and a write-back would not come back from DRAM. */
static bool may_go_around(const struct request *r)
{
    return r->kind != REQUEST_ATOMIC && r->kind != REQUEST_L1_WRITEBACK;
}

/* The line that takes an access which did not hit: the one that was found, or a victim. */
static uint32_t place_for(struct l2_slice *s, const struct request *r, struct tag_probe probe)
{
    return probe.line != TAG_NO_LINE ? probe.line : tag_array_victim(s->tags, r->slice_set);
}

/* True when a policy's replacement sends it around. Asked before queues and MSHRs, which it would not need. */
static bool declined(struct l2_slice *s, const struct request *r, struct tag_probe probe)
{
    return seldom(s->policy.hooks) && probe.line == TAG_NO_LINE && may_go_around(r) &&
           cache_policy_declines(&s->policy, r->slice_set);
}

/* Marks the sector of `line` as on its way. Returns the dirty bytes of a victim, which have gone to the miss queue. */
static uint32_t occupy(struct l2_slice *s, const struct request *r, struct tag_probe probe, uint32_t line, uint64_t now)
{
    const uint64_t time = now + s->host_writes;
    uint32_t dirty_bytes = 0;
    if (probe.status == TAG_HIT_RESERVED) {
        tag_array_touch(s->tags, line, time);
    } else if (probe.status == TAG_SECTOR_MISS) {
        tag_array_allocate_sector(s->tags, line, l2_sector(s, r), time);
    } else {
        if (seldom(s->policy.hooks) && tag_array_holds(s->tags, line))
            cache_policy_evicted(&s->policy, line, EVICTED_BY_FILL, true, now);
        const struct tag_evicted evicted = tag_array_allocate(s->tags, line, l2_block(s, r), l2_sector(s, r), time);
        s->count.evictions += evicted.valid;
        if (evicted.dirty && s->config.stores != L2_STORES_THROUGH) {
            write_back(s, &evicted, now);
            dirty_bytes = evicted.dirty_bytes;
        }
        tag_array_line(s->tags, line)->policy_line = s->policy.access.line;
        if (seldom(s->policy.hooks))
            cache_policy_inserted(&s->policy, line);
    }
    tag_array_line(s->tags, line)->used |= r->sectors;
    return dirty_bytes;
}

static enum cache_outcome outcome_of(struct tag_probe probe)
{
    return probe.status == TAG_HIT_RESERVED ? CACHE_MERGED : probe.status == TAG_SECTOR_MISS ? CACHE_SECTOR_MISS : CACHE_MISS;
}

/* Goes around the cache to DRAM. There is room, or no access would have been tried. The reply finds nobody waiting and goes on
 * up. */
static enum cache_outcome go_around(struct l2_slice *s, struct request *r)
{
    l2_mark_around(s, r);
    s->inside -= s->module_side && r->kind == REQUEST_L1_WRITEBACK; /* nobody answers it */
    port_push(s->down, r);
    return take(s, r, CACHE_BYPASSED);
}

/* All lines of its set are on their way. A cache much smaller than what DRAM has under way would hold DRAM back. */
static enum cache_outcome full_set(struct l2_slice *s, struct request *r)
{
    return s->config.full_set == L2_FULL_AROUND && may_go_around(r) ? go_around(s, r) : CACHE_REFUSED_LINE_ALLOC;
}

/* What policies decide about a read that found neither its sector nor a fetch of it. CACHE_MISS: nothing, go on. */
static enum cache_outcome decide_miss(struct l2_slice *s, struct request *r, struct tag_probe probe)
{
    const struct cache_hooks *h = s->policy.hooks;
    if (h->may_miss.count && !hooks_may_miss(h, &s->policy.access))
        return CACHE_REFUSED_POLICY;
    const bool no_allocate = s->module_side ? r->no_allocate_l15 : r->no_allocate_l2;
    return (no_allocate && may_go_around(r)) || declined(s, r, probe) ? go_around(s, r) : CACHE_MISS;
}

/* Which MSHR entry a read waits in: its sector's. */
static uint64_t mshr_key(const struct l2_slice *s, const struct request *r)
{
    return seldom(s->otherwise.mshr_key) ? s->otherwise.mshr_key(r) : r->address;
}

/* A read joins a miss. Its data may have come already, and the line may have been replaced before all waiting reads were served. */
void l2_join(struct l2_slice *s, const struct request *r, struct mshr_entry *e, uint32_t line)
{
    e->line = line;
    if (e->ready)
        tag_array_fill(s->tags, line, l2_sector(s, r), &r->mask);
}

static enum cache_outcome read_missed(struct l2_slice *s, struct request *r, struct tag_probe probe, uint32_t *line, uint64_t now)
{
    const uint64_t key = mshr_key(s, r);
    uint32_t entry = mshr_find(s->mshr, key);
    if (seldom(s->policy.hooks) && entry == MSHR_NONE) {
        const enum cache_outcome decided = decide_miss(s, r, probe);
        if (decided != CACHE_MISS)
            return decided;
    }
    if (probe.status == TAG_ALL_RESERVED)
        return full_set(s, r);
    if (no_room_for(s, 2)) /* the miss, and a write-back; asked of merges too, as in the reference */
        return CACHE_REFUSED_MISS_QUEUE;
    if (entry != MSHR_NONE && !mshr_can_merge(s->mshr, entry))
        return CACHE_REFUSED_MSHR_MERGE;
    if (entry == MSHR_NONE && mshr_full(s->mshr))
        return CACHE_REFUSED_MSHR_ENTRY;
    *line = place_for(s, r, probe);
    if (entry != MSHR_NONE) {
        s->count.mshr_hits++;
        mshr_merge(s->mshr, entry, r);
        (void)occupy(s, r, probe, *line, now);
        (seldom(s->otherwise.joined) ? s->otherwise.joined : l2_join)(s, r, mshr_entry_at(s->mshr, entry), *line);
    } else {
        entry = mshr_add(s->mshr, key, r);
        *(s->module_side ? &r->bypass_l15 : &r->bypass_l2) = false; /* a policy wants it, but a dirty line forbids it */
        request_ring_push(&s->miss_queue, r);
        mshr_entry_at(s->mshr, entry)->line = *line;
        (void)occupy(s, r, probe, *line, now);
    }
    return take(s, r, outcome_of(probe));
}

static enum cache_outcome read_access(struct l2_slice *s, struct request *r, uint32_t *line, uint64_t now)
{
    const struct tag_probe probe = tag_array_probe(s->tags, r->slice_set, l2_block(s, r), l2_sector(s, r), false);
    if (l2_went_around(s, r) && may_go_around(r) &&
        (probe.line == TAG_NO_LINE || !(tag_array_line(s->tags, probe.line)->modified & r->sectors)))
        return go_around(s, r);
    if (probe.status != TAG_HIT)
        return read_missed(s, r, probe, line, now);
    *line = probe.line;
    tag_array_touch(s->tags, probe.line, now + s->host_writes);
    tag_array_line(s->tags, probe.line)->used |= r->sectors;
    if (r->kind == REQUEST_ATOMIC)
        tag_array_dirty(s->tags, probe.line, l2_sector(s, r), &r->mask);
    s->data_port_free = now + port_cycles(s, r->bytes);
    return take(s, r, CACHE_HIT);
}

/* What an atomic makes of a sector is known in the memory-side L2 alone: the bank's is old. */
static void take_out(struct l2_slice *s, uint32_t line, uint32_t sector, uint64_t now)
{
    const struct tag_line *l = tag_array_line(s->tags, line);
    if (seldom(s->policy.hooks) && !((l->valid | l->reserved) & ~(1u << sector)))
        cache_policy_evicted(&s->policy, line, EVICTED_BY_STORE, true, now);
    tag_array_invalidate_sector(s->tags, line, sector);
}

/* Through a bank of an L1.5: what is here is brought up to date, and stays clean. */
static enum cache_outcome write_through(struct l2_slice *s, struct request *r, uint64_t now)
{
    const struct tag_probe probe = tag_array_probe(s->tags, r->slice_set, l2_block(s, r), l2_sector(s, r), false);
    if (probe.status == TAG_HIT && r->kind == REQUEST_ATOMIC) {
        take_out(s, probe.line, l2_sector(s, r), now);
    } else if (probe.status == TAG_HIT && may_go_around(r)) {
        tag_array_touch(s->tags, probe.line, now);
        s->data_port_free = now + port_cycles(s, r->bytes);
        if (seldom(s->policy.hooks))
            cache_policy_used(&s->policy, probe.line);
    }
    return go_around(s, r);
}

/* DRAM gets the store and acknowledges it. */
static enum cache_outcome send_store(struct l2_slice *s, struct request *r, enum cache_outcome counts_as)
{
    (void)take(s, r, counts_as);
    s->inside -= r->kind == REQUEST_L1_WRITEBACK; /* it ends there */
    request_ring_push(&s->miss_queue, r);
    return CACHE_BYPASSED;
}

static enum cache_outcome write_access(struct l2_slice *s, struct request *r, uint32_t *line, uint64_t now)
{
    const uint32_t sector = l2_sector(s, r);
    const struct tag_probe probe = tag_array_probe(s->tags, r->slice_set, l2_block(s, r), sector, true);
    const bool through = s->config.stores == L2_STORES_THROUGH;
    *line = probe.line;
    if (seldom(through) && no_room_for(s, 1))
        return CACHE_REFUSED_MISS_QUEUE;
    if (probe.status == TAG_HIT) {
        tag_array_touch(s->tags, probe.line, now + s->host_writes);
        tag_array_line(s->tags, probe.line)->used |= r->sectors;
        tag_array_modify(s->tags, probe.line, sector, &r->mask);
        s->data_port_free = now + port_cycles(s, r->bytes);
        return seldom(through) ? send_store(s, r, CACHE_HIT) : take(s, r, CACHE_HIT);
    }
    if (may_go_around(r) && (r->bypass_l2 || r->no_allocate_l2) && probe.line == TAG_NO_LINE)
        return go_around(s, r);
    if (declined(s, r, probe))
        return go_around(s, r);
    const bool allocates = s->config.stores == L2_STORES_ALLOCATE;
    if (probe.status == TAG_ALL_RESERVED && allocates)
        return full_set(s, r);
    if (no_room_for(s, 1))
        return CACHE_REFUSED_MISS_QUEUE;
    if (!allocates)
        return send_store(s, r, outcome_of(probe));
    *line = place_for(s, r, probe);
    const uint32_t dirty_bytes = occupy(s, r, probe, *line, now);
    tag_array_modify_unfetched(s->tags, *line, sector, &r->mask, probe.status == TAG_HIT_RESERVED);
    /* Reading the victim takes the data port. GPGPU-Sim charges this to stores and forgets it for loads, and so do we. */
    s->data_port_free = now + port_cycles(s, dirty_bytes);
    return take(s, r, outcome_of(probe));
}

static enum cache_outcome access_cache(struct l2_slice *s, struct request *r, uint32_t *line, uint64_t now)
{
    if (seldom(s->module_side) && (r->write || r->kind == REQUEST_ATOMIC))
        return write_through(s, r, now);
    return r->write ? write_access(s, r, line, now) : read_access(s, r, line, now);
}

static enum policy_outcome told_outcome(const struct request *r, enum cache_outcome outcome)
{
    if (outcome == CACHE_BYPASSED)
        return OUTCOME_BYPASSED;
    if (r->write)
        return outcome == CACHE_HIT ? OUTCOME_WRITE_HIT : OUTCOME_WRITE_MISS;
    return outcome == CACHE_HIT ? OUTCOME_HIT : outcome == CACHE_MERGED ? OUTCOME_MERGED : OUTCOME_MISS;
}

enum cache_outcome l2_look_up(struct l2_slice *s, struct request *r, uint64_t now)
{
    uint32_t line = TAG_NO_LINE;
    if (!seldom(s->policy.hooks))
        return access_cache(s, r, &line, now);
    cache_policy_begin(&s->policy, r, l2_block(s, r), address_map_slice_address(s->map, r->address), r->slice_set, now);
    cache_policy_ask(&s->policy, r);
    enum cache_outcome outcome = access_cache(s, r, &line, now);
    if (cache_refused(outcome)) {
        if (cache_policy_refused(&s->policy, r, outcome, now) != REFUSAL_BYPASS || r->write || !may_go_around(r))
            return outcome;
        outcome = go_around(s, r);
    }
    cache_policy_taken(&s->policy, r, told_outcome(r, outcome), line, now);
    return outcome;
}

/* ---- data that come --------------------------------------------------------------------------------------------------- */

/* A line whose sector was written while its fill was on the way is not reserved any more and may have been replaced. */
static uint32_t fill_line(struct l2_slice *s, const struct request *r, const struct mshr_entry *e)
{
    const uint64_t block = l2_block(s, r);
    const uint32_t line = tag_array_address(s->tags, e->line) == block ? e->line : tag_array_find(s->tags, r->slice_set, block);
    if (line != TAG_NO_LINE)
        tag_array_fill(s->tags, line, l2_sector(s, r), &r->mask);
    return line;
}

void l2_fill(struct l2_slice *s, struct request *r, uint64_t now)
{
    const uint32_t entry = mshr_find(s->mshr, mshr_key(s, r));
    require(entry != MSHR_NONE);
    struct mshr_entry *e = mshr_entry_at(s->mshr, entry);
    const uint32_t line = seldom(s->otherwise.fill) ? s->otherwise.fill(s, r, e) : fill_line(s, r, e);
    if (line != TAG_NO_LINE) {
        if (e->atomic)
            tag_array_dirty(s->tags, line, l2_sector(s, r), &r->mask);
        if (seldom(s->policy.hooks)) {
            cache_policy_begin(&s->policy, r, l2_block(s, r), address_map_slice_address(s->map, r->address), r->slice_set, now);
            cache_policy_filled(&s->policy, line);
        }
    }
    mshr_mark_ready(s->mshr, entry);
    s->filled = true;
    s->fill_port_free = now + s->fill_cycles;
    s->count.fills++;
    s->head_refused = false;
}

bool l2_slice_host_wrote_line(struct l2_slice *s, uint64_t block, uint64_t now)
{
    if (!s->enabled || !s->config.memcpy_fills || seldom(s->policy.hooks))
        return false;
    const uint64_t in_slice = address_map_slice_address(s->map, block);
    const uint32_t set = tag_array_set(s->tags, in_slice);
    if (tag_array_probe(s->tags, set, block, 0, true).status != TAG_MISS)
        return false;
    const uint32_t line = tag_array_victim(s->tags, set);
    const uint64_t time = now + s->host_writes;
    tag_array_put_whole(s->tags, line, block, time, time + s->sectors - 1);
    tag_array_line(s->tags, line)->policy_line = in_slice / s->line_bytes;
    s->host_writes += s->sectors;
    s->count.host_sectors += s->sectors;
    return true;
}

void l2_slice_host_wrote(struct l2_slice *s, uint64_t address, uint64_t now)
{
    if (!s->enabled || !s->config.memcpy_fills)
        return;
    struct request host = { .address = address / SECTOR_BYTES * SECTOR_BYTES,
                            .bytes = SECTOR_BYTES,
                            .sm = UINT16_MAX,
                            .warp = UINT16_MAX,
                            .kind = REQUEST_POLICY,
                            .write = true };
    const uint64_t block = l2_block(s, &host);
    const uint32_t sector = l2_sector(s, &host);
    host.sectors = (uint8_t)(1u << sector);
    if (block != s->host_block || seldom(s->policy.hooks)) {
        s->host_block = block;
        s->host_set = cache_policy_set(&s->policy, &host, block, address_map_slice_address(s->map, block), now);
    }
    host.slice_set = s->host_set;
    const uint64_t time = now + s->host_writes++;
    const struct tag_probe probe = tag_array_probe(s->tags, host.slice_set, block, sector, true);
    if (seldom(s->policy.hooks))
        cache_policy_begin(&s->policy, &host, block, address_map_slice_address(s->map, block), host.slice_set, now);
    const uint32_t line = probe.status == TAG_ALL_RESERVED ? TAG_NO_LINE : place_for(s, &host, probe);
    if (line == TAG_NO_LINE)
        return;
    if (probe.status == TAG_MISS) {
        if (seldom(s->policy.hooks) && tag_array_holds(s->tags, line))
            cache_policy_evicted(&s->policy, line, EVICTED_BY_FILL, true, now);
        (void)tag_array_allocate(s->tags, line, block, sector, time); /* a dirty victim's values are in memory already */
        tag_array_line(s->tags, line)->policy_line = address_map_slice_address(s->map, block) / s->line_bytes;
        if (seldom(s->policy.hooks))
            cache_policy_inserted(&s->policy, line);
    } else if (probe.status == TAG_SECTOR_MISS) {
        tag_array_allocate_sector(s->tags, line, sector, time);
    }
    tag_array_fill(s->tags, line, sector, NULL);
    s->count.host_sectors++;
}
