#include "mem/l2_slice.h"

#include <assert.h>
#include <stdlib.h>

#include "mem/mshr.h"
#include "mem/request_ring.h"
#include "mem/tag_array.h"

struct l2_slice {
    struct l2_config config;
    uint32_t id, sectors;
    const struct address_map_config *map;
    struct request_pool *pool;
    struct memory_port port;
    l2_do_atomic *atomic;
    void *atomic_context;

    struct tag_array *tags;
    struct mshr *mshr;
    struct request_ring rop;    /* request.ready: when it may go on to the input queue; without a limit, as in the reference */
    struct request_ring input, output, miss_queue;
    uint64_t data_port_free, fill_port_free; /* first cycle in which the port may be used */
    uint64_t host_writes;       /* added to times of use, so that host copies, which take no time, have their order too */
    uint32_t inside;            /* requests and sector requests not yet replied to */

    /* The head of the input queue was refused for `cause` at `refused_at`, and nothing that it waits for has changed since. */
    bool head_refused;
    enum cache_outcome cause;
    uint64_t refused_at;
    struct l2_counters count;
};

struct l2_slice *l2_slice_new(const struct l2_config *config, uint32_t slice, const struct address_map_config *map,
                              struct request_pool *pool, const struct memory_port *port)
{
    struct l2_slice *s = must_calloc(1, sizeof *s);
    s->config = *config;
    if (s->config.port_bytes == 0)
        s->config.port_bytes = config->line_bytes;
    s->id = slice;
    s->sectors = config->line_bytes / SECTOR_BYTES;
    s->map = map;
    s->pool = pool;
    s->port = *port;
    s->tags = tag_array_new(&(struct tag_geometry){ .sets = config->sets, .ways = config->ways, .line_bytes = config->line_bytes,
        .sectors = s->sectors, .index = config->index, .replacement = config->replacement });
    s->mshr = mshr_new(config->mshr_entries, config->mshr_merges);
    request_ring_init(&s->rop, 0);
    request_ring_init(&s->input, config->input_queue);
    request_ring_init(&s->output, config->output_queue);
    request_ring_init(&s->miss_queue, config->miss_queue);
    return s;
}

void l2_slice_free(struct l2_slice *s)
{
    if (!s)
        return;
    tag_array_free(s->tags);
    mshr_free(s->mshr);
    request_ring_clear(&s->rop);
    request_ring_clear(&s->input);
    request_ring_clear(&s->output);
    request_ring_clear(&s->miss_queue);
    free(s);
}

void l2_slice_on_atomic(struct l2_slice *s, l2_do_atomic *perform, void *context)
{
    s->atomic = perform;
    s->atomic_context = context;
}

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

static void count_direction(struct l2_slice *s, const struct request *r)
{
    if (r->write)
        s->count.writes++;
    else
        s->count.reads++;
}

static enum cache_outcome take(struct l2_slice *s, const struct request *r, enum cache_outcome outcome)
{
    struct l2_counters *c = &s->count;
    count_direction(s, r);
    kind_rows(c, r)[ROW_HITS + outcome]++;
    c->hits += outcome == CACHE_HIT;
    c->merged += outcome == CACHE_MERGED;
    c->misses += outcome == CACHE_MISS || outcome == CACHE_SECTOR_MISS;
    c->sector_misses += outcome == CACHE_SECTOR_MISS;
    return outcome;
}

static void count_refusals(struct l2_slice *s, const struct request *r, enum cache_outcome cause, uint64_t cycles)
{
    kind_rows(&s->count, r)[ROW_REFUSED] += cycles;
    COUNTER_ROW(&s->count, refused_mshr_entry, cause - CACHE_REFUSED_MSHR_ENTRY) += cycles;
}

/* ---- arrival -------------------------------------------------------------------------------------------------------- */

bool l2_slice_accepts(const struct l2_slice *s)
{
    /* A queue shorter than a line has sectors takes a request when it is empty; the delay queue holds what does not fit. */
    return s->input.count == 0 || s->input.count + s->sectors <= s->input.capacity;
}

static void enter(struct l2_slice *s, struct request *r, uint64_t now)
{
    s->inside++;
    r->slice_set = tag_array_set(s->tags, address_map_slice_address(s->map, r->address));
    r->ready = now + s->config.rop_latency;
    if (r->kind == REQUEST_TEXTURE_READ && !request_ring_full(&s->input))
        request_ring_push(&s->input, r);
    else
        request_ring_push(&s->rop, r);
}

static struct request *split_off(struct l2_slice *s, const struct request *whole, uint32_t i)
{
    struct request *r = request_make(s->pool);
    *r = *whole;
    r->address = whole->address + i * SECTOR_BYTES;
    r->bytes = SECTOR_BYTES;
    const uint32_t sector = (uint32_t)(r->address / SECTOR_BYTES % s->sectors);
    const uint64_t bytes = (uint64_t)byte_mask_sector(&whole->mask, sector) << sector % 2 * 32;
    r->mask = (struct byte_mask){ { 0 } };
    r->mask.word[sector / 2] = bytes;
    r->sectors = (uint8_t)(1u << sector);
    address_map_place(s->map, r);
    return r;
}

void l2_slice_push(struct l2_slice *s, struct request *r, uint64_t now)
{
    s->count.packets++;
    if (r->bytes <= SECTOR_BYTES) {
        enter(s, r, now);
        return;
    }
    const uint32_t parts = r->bytes / SECTOR_BYTES;
    r->awaited = (uint8_t)parts;
    for (uint32_t i = 0; i < parts; i++) {
        struct request *part = split_off(s, r, i);
        part->origin = r->write ? NULL : r;
        enter(s, part, now);
    }
    if (r->write)
        request_free(s->pool, r);
}

/* ---- the cache ------------------------------------------------------------------------------------------------------- */

static uint64_t block_of(const struct l2_slice *s, const struct request *r)
{
    return r->address & ~(uint64_t)(s->config.line_bytes - 1);
}

static uint32_t sector_of(const struct l2_slice *s, const struct request *r)
{
    return (uint32_t)(r->address / SECTOR_BYTES % s->sectors);
}

static bool no_room_for(const struct l2_slice *s, uint32_t requests)
{
    return s->miss_queue.count + requests > s->miss_queue.capacity;
}

static uint64_t port_cycles(const struct l2_slice *s, uint32_t bytes)
{
    return (bytes + s->config.port_bytes - 1) / s->config.port_bytes;
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
    request_ring_push(&s->miss_queue, r);
    s->count.writebacks++;
    s->count.writeback_bytes += line->dirty_bytes;
}

/* What the tags do for an access that was not a hit. Returns the line; `dirty_bytes` of a victim have gone to the miss queue. */
static uint32_t occupy(struct l2_slice *s, const struct request *r, struct tag_probe probe, uint64_t now, uint32_t *dirty_bytes)
{
    const uint64_t time = now + s->host_writes;
    *dirty_bytes = 0;
    if (probe.status == TAG_HIT_RESERVED) {
        tag_array_touch(s->tags, probe.line, time);
        return probe.line;
    }
    if (probe.status == TAG_SECTOR_MISS) {
        tag_array_allocate_sector(s->tags, probe.line, sector_of(s, r), time);
        return probe.line;
    }
    const uint32_t line = tag_array_victim(s->tags, r->slice_set);
    const struct tag_evicted evicted = tag_array_allocate(s->tags, line, block_of(s, r), sector_of(s, r), time);
    s->count.evictions += evicted.valid;
    if (evicted.dirty) {
        write_back(s, &evicted, now);
        *dirty_bytes = evicted.dirty_bytes;
    }
    return line;
}

static enum cache_outcome outcome_of(struct tag_probe probe)
{
    return probe.status == TAG_HIT_RESERVED ? CACHE_MERGED : probe.status == TAG_SECTOR_MISS ? CACHE_SECTOR_MISS : CACHE_MISS;
}

static enum cache_outcome read_missed(struct l2_slice *s, struct request *r, struct tag_probe probe, uint64_t now)
{
    uint32_t dirty_bytes;
    if (no_room_for(s, 2)) /* the miss, and a write-back; asked of merges too, as in the reference */
        return CACHE_REFUSED_MISS_QUEUE;
    uint32_t entry = mshr_find(s->mshr, r->address);
    if (entry != MSHR_NONE) {
        if (!mshr_can_merge(s->mshr, entry))
            return CACHE_REFUSED_MSHR_MERGE;
        s->count.mshr_hits++;
        mshr_merge(s->mshr, entry, r);
        struct mshr_entry *e = mshr_entry_at(s->mshr, entry);
        e->line = occupy(s, r, probe, now, &dirty_bytes);
        if (e->ready) /* its data came, and the line was replaced before all who wait for it were served */
            tag_array_fill(s->tags, e->line, sector_of(s, r), &r->mask);
        return take(s, r, outcome_of(probe));
    }
    if (mshr_full(s->mshr))
        return CACHE_REFUSED_MSHR_ENTRY;
    entry = mshr_add(s->mshr, r->address, r);
    request_ring_push(&s->miss_queue, r);
    mshr_entry_at(s->mshr, entry)->line = occupy(s, r, probe, now, &dirty_bytes);
    return take(s, r, outcome_of(probe));
}

static enum cache_outcome read_access(struct l2_slice *s, struct request *r, uint64_t now)
{
    const struct tag_probe probe = tag_array_probe(s->tags, r->slice_set, block_of(s, r), sector_of(s, r), false);
    if (probe.status == TAG_ALL_RESERVED)
        return CACHE_REFUSED_LINE_ALLOC;
    if (probe.status != TAG_HIT)
        return read_missed(s, r, probe, now);
    tag_array_touch(s->tags, probe.line, now + s->host_writes);
    if (r->kind == REQUEST_ATOMIC)
        tag_array_modify(s->tags, probe.line, sector_of(s, r), &r->mask);
    s->data_port_free = now + port_cycles(s, r->bytes);
    return take(s, r, CACHE_HIT);
}

static enum cache_outcome write_access(struct l2_slice *s, struct request *r, uint64_t now)
{
    const uint32_t sector = sector_of(s, r);
    const struct tag_probe probe = tag_array_probe(s->tags, r->slice_set, block_of(s, r), sector, true);
    if (probe.status == TAG_HIT) {
        tag_array_touch(s->tags, probe.line, now + s->host_writes);
        tag_array_modify(s->tags, probe.line, sector, &r->mask);
        s->data_port_free = now + port_cycles(s, r->bytes);
        return take(s, r, CACHE_HIT);
    }
    if (probe.status == TAG_ALL_RESERVED)
        return CACHE_REFUSED_LINE_ALLOC;
    if (no_room_for(s, 1))
        return CACHE_REFUSED_MISS_QUEUE;
    uint32_t dirty_bytes;
    const uint32_t line = occupy(s, r, probe, now, &dirty_bytes);
    tag_array_modify_unfetched(s->tags, line, sector, &r->mask, probe.status == TAG_HIT_RESERVED);
    /* Reading the victim out takes the data port. The reference charges it to stores and forgets it for loads; so do we. */
    s->data_port_free = now + port_cycles(s, dirty_bytes);
    return take(s, r, outcome_of(probe));
}

/* ---- replies --------------------------------------------------------------------------------------------------------- */

static void reply(struct l2_slice *s, struct request *r)
{
    if (r->kind == REQUEST_L1_WRITEBACK) { /* nobody waits for it */
        s->inside--;
        request_free(s->pool, r);
        return;
    }
    r->is_reply = true;
    request_ring_push(&s->output, r);
}

struct request *l2_slice_peek_reply(const struct l2_slice *s)
{
    return request_ring_peek(&s->output);
}

struct request *l2_slice_pop_reply(struct l2_slice *s)
{
    struct request *r = request_ring_pop(&s->output);
    if (!r)
        return NULL;
    s->inside--;
    s->count.replies++;
    if (r->kind == REQUEST_ATOMIC && s->atomic)
        s->atomic(s->atomic_context, r);
    return r;
}

static void fill(struct l2_slice *s, struct request *r, uint32_t entry, uint64_t now)
{
    struct mshr_entry *e = mshr_entry_at(s->mshr, entry);
    const uint64_t block = block_of(s, r);
    const uint32_t sector = sector_of(s, r);
    /* A line whose sector was written while its fill was on the way is not reserved any more and may have been replaced. */
    uint32_t line = e->line;
    if (tag_array_address(s->tags, line) != block)
        line = tag_array_find(s->tags, r->slice_set, block);
    if (line != TAG_NO_LINE) {
        tag_array_fill(s->tags, line, sector, &r->mask);
        if (e->atomic)
            tag_array_modify(s->tags, line, sector, &r->mask);
    }
    mshr_mark_ready(s->mshr, entry);
    s->fill_port_free = now + SECTOR_BYTES / s->config.port_bytes;
    s->count.fills++;
    s->head_refused = false;
}

/* ---- the cycle ------------------------------------------------------------------------------------------------------- */

static void answer_filled(struct l2_slice *s)
{
    if (!mshr_has_ready(s->mshr) || request_ring_full(&s->output))
        return;
    reply(s, mshr_pop_ready(s->mshr));
    s->head_refused = false;
}

static void take_from_dram(struct l2_slice *s, uint64_t now)
{
    struct request *r = s->port.peek(s->port.context);
    if (!r)
        return;
    const uint32_t entry = r->write ? MSHR_NONE : mshr_find(s->mshr, r->address);
    if (entry != MSHR_NONE && mshr_primary(s->mshr, entry) == r) {
        if (now >= s->fill_port_free)
            fill(s, s->port.pop(s->port.context), entry, now);
    } else if (!request_ring_full(&s->output)) { /* it passed the cache by */
        reply(s, s->port.pop(s->port.context));
    }
}

static void send_to_dram(struct l2_slice *s)
{
    struct request *r = request_ring_peek(&s->miss_queue);
    if (!r || s->port.full(s->port.context, r))
        return;
    s->port.push(s->port.context, request_ring_pop(&s->miss_queue));
    s->head_refused = false;
}

static bool may_access(const struct l2_slice *s, uint64_t now)
{
    const struct request *r = request_ring_peek(&s->input);
    if (!r || s->port.full(s->port.context, r))
        return false;
    return !s->config.enabled || (!request_ring_full(&s->output) && now >= s->data_port_free);
}

static void access_head(struct l2_slice *s, uint64_t now)
{
    if (!may_access(s, now))
        return;
    struct request *r = request_ring_peek(&s->input);
    if (!s->config.enabled) {
        count_direction(s, r);
        s->count.bypassed++;
        s->port.push(s->port.context, request_ring_pop(&s->input));
        return;
    }
    const enum cache_outcome outcome = s->head_refused ? s->cause : r->write ? write_access(s, r, now) : read_access(s, r, now);
    s->head_refused = cache_refused(outcome);
    if (s->head_refused) {
        s->cause = outcome;
        s->refused_at = now;
        count_refusals(s, r, outcome, 1);
        return;
    }
    request_ring_pop(&s->input);
    if (r->write || outcome == CACHE_HIT)
        reply(s, r);
}

static void admit(struct l2_slice *s, uint64_t now)
{
    const struct request *r = request_ring_peek(&s->rop);
    if (r && now >= r->ready && !request_ring_full(&s->input))
        request_ring_push(&s->input, request_ring_pop(&s->rop));
}

void l2_slice_settle(struct l2_slice *s, uint64_t now)
{
    if (s->head_refused && now > s->refused_at) {
        count_refusals(s, request_ring_peek(&s->input), s->cause, now - s->refused_at);
        s->refused_at = now;
    }
}

void l2_slice_cycle(struct l2_slice *s, uint64_t now)
{
    l2_slice_settle(s, now - 1);
    if (s->config.enabled)
        answer_filled(s);
    take_from_dram(s, now);
    if (s->config.enabled)
        send_to_dram(s);
    access_head(s, now);
    admit(s, now);
}

uint64_t l2_slice_next_event(const struct l2_slice *s, uint64_t now)
{
    const bool output_full = request_ring_full(&s->output);
    if (s->port.peek(s->port.context) || (mshr_has_ready(s->mshr) && !output_full))
        return now + 1;
    if (s->miss_queue.count && !s->port.full(s->port.context, request_ring_peek(&s->miss_queue)))
        return now + 1;
    uint64_t next = UINT64_MAX;
    if (!s->head_refused && s->input.count && may_access(s, UINT64_MAX))
        next = s->data_port_free > now ? s->data_port_free : now + 1;
    if (s->rop.count && !request_ring_full(&s->input)) {
        const uint64_t ready = request_ring_peek(&s->rop)->ready;
        const uint64_t when = ready > now ? ready : now + 1;
        next = when < next ? when : next;
    }
    return next;
}

/* ---- the host, and views --------------------------------------------------------------------------------------------- */

void l2_slice_host_wrote(struct l2_slice *s, uint64_t address, uint64_t now)
{
    if (!s->config.enabled || !s->config.memcpy_fills)
        return;
    const uint64_t block = address & ~(uint64_t)(s->config.line_bytes - 1);
    const uint32_t sector = (uint32_t)(address / SECTOR_BYTES % s->sectors);
    const uint32_t set = tag_array_set(s->tags, address_map_slice_address(s->map, address));
    const uint64_t time = now + s->host_writes++;
    struct tag_probe probe = tag_array_probe(s->tags, set, block, sector, true);
    if (probe.status == TAG_ALL_RESERVED)
        return;
    if (probe.status == TAG_MISS) {
        probe.line = tag_array_victim(s->tags, set);
        (void)tag_array_allocate(s->tags, probe.line, block, sector, time); /* a dirty victim's values are in memory already */
    } else if (probe.status == TAG_SECTOR_MISS) {
        tag_array_allocate_sector(s->tags, probe.line, sector, time);
    }
    tag_array_fill(s->tags, probe.line, sector, NULL);
    s->count.host_sectors++;
}

void l2_slice_invalidate(struct l2_slice *s)
{
    tag_array_invalidate(s->tags);
    s->head_refused = false;
}

bool l2_slice_idle(const struct l2_slice *s)
{
    return s->inside == 0 && s->miss_queue.count == 0;
}

uint32_t l2_slice_mshr_in_use(const struct l2_slice *s)
{
    return mshr_in_use(s->mshr);
}

uint32_t l2_slice_input_length(const struct l2_slice *s)
{
    return s->input.count;
}

const struct l2_counters *l2_slice_counters(const struct l2_slice *s)
{
    return &s->count;
}
