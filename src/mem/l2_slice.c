/* l2_slice.c - one L2 slice on the memory side: its queues, from the network down to DRAM and back. */
#include "mem/l2_slice.h"

#include <stdlib.h>

#include "base/near.h"
#include "mem/l2_state.h"

/* The bytes of each sector. */
static const struct byte_mask one_sector[] = {
    { { UINT32_MAX, 0 } }, { { ~(uint64_t)UINT32_MAX, 0 } }, { { 0, UINT32_MAX } }, { { 0, ~(uint64_t)UINT32_MAX } }
};

struct l2_slice *l2_slice_new(const struct l2_config *config, uint32_t slice, const struct address_map_config *map,
                              struct request_pool *pool, struct port *down, struct port *up)
{
    struct l2_slice *s = near_calloc(1, sizeof *s);
    s->config = *config;
    if (s->config.port_bytes == 0)
        s->config.port_bytes = config->line_bytes;
    s->enabled = config->enabled;
    s->module_side = config->module_side;
    s->line_bytes = config->line_bytes;
    s->id = slice;
    s->sectors = config->line_bytes / SECTOR_BYTES;
    s->fill_cycles = SECTOR_BYTES / s->config.port_bytes;
    s->map = map;
    s->pool = pool;
    s->down = down;
    s->up = up;
    s->otherwise = config->otherwise ? *config->otherwise : (struct l2_otherwise){ 0 };
    if (!s->otherwise.masks_of_128)
        s->otherwise.masks_of_128 = one_sector;
    s->geometry = (struct tag_geometry){ .sets = config->sets,
                                         .ways = config->ways,
                                         .line_bytes = config->line_bytes,
                                         .sectors = s->sectors,
                                         .index = config->index,
                                         .replacement = config->replacement };
    s->tags = tag_array_new(&s->geometry);
    tag_array_do_otherwise(s->tags, s->otherwise.tags);
    for (uint32_t i = 0; i < s->sectors; i++)
        s->sector_place[i] = address_map_locate(map, i * SECTOR_BYTES);
    s->host_block = UINT64_MAX;
    l2_slice_set_hooks(s, NULL);
    s->mshr = mshr_new(l2_mshr_sectors(config), config->mshr_merges);
    request_ring_init(&s->rop, 0);
    s->waker = (struct waker){ &s->nobody, 0 };
    request_ring_init(&s->input, config->input_queue);
    port_init(&s->output, config->output_queue);
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
    port_clear(&s->output);
    request_ring_clear(&s->miss_queue);
    near_free(s);
}

void l2_slice_set_hooks(struct l2_slice *s, const struct cache_hooks *hooks)
{
    cache_policy_init(&s->policy, hooks, s->tags, &s->geometry, s->module_side ? LEVEL_L15 : LEVEL_L2, s->id);
}

void l2_slice_delay_by(struct l2_slice *s, l2_delay *delay, void *context)
{
    s->delay_by = delay;
    s->delay_context = context;
}

void l2_slice_invalidate(struct l2_slice *s, uint64_t now)
{
    const struct cache_hooks *hooks = s->policy.hooks;
    l2_slice_settle(s, now);
    s->head_refused = false; /* what found no free line may go on */
    if (seldom(hooks) && hooks->flushed.count)
        hooks_flushed(hooks, LEVEL_L15, s->id);
    for (uint32_t i = 0; seldom(hooks) && i < s->geometry.sets * s->geometry.ways; i++)
        if (tag_array_holds(s->tags, i))
            cache_policy_evicted(&s->policy, i, EVICTED_BY_FLUSH, false, now);
    tag_array_invalidate(s->tags);
}

struct port *l2_slice_replies(struct l2_slice *s)
{
    return &s->output;
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
    r->ready = seldom(s->delay_by) ? s->delay_by(s->delay_context, now) : now + s->config.rop_latency;
    /* Textures skip the delay. The sectors of a split request no longer carry the mark of a texture, so they do not skip it.
     * GPGPU-Sim does the same. */
    if (r->kind == REQUEST_TEXTURE_READ && !r->origin && !request_ring_full(&s->input))
        request_ring_push(&s->input, r);
    else {
        if (!s->rop.count)
            s->rop_ready = r->ready;
        request_ring_push(&s->rop, r);
    }
}

static void find_set(struct l2_slice *s, struct request *r, uint64_t now)
{
    r->slice_set = cache_policy_set(&s->policy, r, l2_block(s, r), address_map_slice_address(s->map, r->address), now);
}

/* Where a sector of the line of `r` lies in DRAM, when `r` is placed. Below the channel's part the map takes the address apart
 * bit by bit, so the sectors of every line differ as those of line 0 do. */
static void place_sector(const struct l2_slice *s, struct request *r, uint32_t from, uint32_t to)
{
    const struct address_place *a = &s->sector_place[from], *b = &s->sector_place[to];
    r->bank = (uint16_t)(r->bank ^ a->bank ^ b->bank);
    r->row ^= a->row ^ b->row;
}

/* The i-th sector of a request of 64 or 128 bytes, which is placed and knows its set. */
static struct request *split_off(struct l2_slice *s, const struct request *whole, uint32_t i)
{
    struct request *r = request_copy(s->pool, whole);
    const uint32_t first = l2_sector(s, whole), sector = first + i;
    r->address = whole->address + i * SECTOR_BYTES;
    r->bytes = SECTOR_BYTES;
    const struct byte_mask *own = (whole->bytes == 4 * SECTOR_BYTES ? s->otherwise.masks_of_128 : one_sector) + sector;
    r->mask = (struct byte_mask){ { whole->mask.word[0] & own->word[0], whole->mask.word[1] & own->word[1] } };
    r->sectors = (uint8_t)(1u << sector);
    r->origin = NULL;
    place_sector(s, r, first, sector);
    return r;
}

/* Requests say which bytes and sectors of 128 bytes they touch; a shorter line numbers its own from 0. */
static void mask_within_line(const struct l2_slice *s, struct request *r)
{
    const uint32_t skip = (uint32_t)(r->address % 128) & ~(s->line_bytes - 1);
    if (!skip)
        return;
    const unsigned __int128 bytes = ((unsigned __int128)r->mask.word[1] << 64 | r->mask.word[0]) >> skip;
    r->mask.word[0] = (uint64_t)bytes;
    r->mask.word[1] = (uint64_t)(bytes >> 64);
    r->sectors = (uint8_t)(r->sectors >> skip / SECTOR_BYTES);
}

void l2_slice_set_waker(struct l2_slice *s, struct waker waker)
{
    s->waker = s->output.writer = s->down->writer = s->up->reader = waker;
}

void l2_slice_push(struct l2_slice *s, struct request *r, uint64_t now)
{
    waker_wake(s->waker);
    s->count.packets++;
    mask_within_line(s, r);
    if (r->bytes <= SECTOR_BYTES) {
        find_set(s, r, now);
        enter(s, r, now);
        return;
    }
    const uint32_t parts = r->bytes / SECTOR_BYTES;
    r->awaited = (uint8_t)parts;
    if (seldom(s->otherwise.misplace))
        s->otherwise.misplace(s, r);
    const uint16_t slice = r->slice;
    address_map_place(s->map, r);
    r->slice = slice; /* it is here, wherever it belongs */
    find_set(s, r, now);
    for (uint32_t i = 0; i < parts; i++) {
        struct request *part = split_off(s, r, i);
        part->origin = r->write ? NULL : r;
        enter(s, part, now);
    }
    if (r->write)
        request_free(s->pool, r);
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
    port_push(&s->output, r);
}

struct request *l2_slice_peek_reply(const struct l2_slice *s)
{
    return port_peek(&s->output);
}

struct request *l2_slice_pop_reply(struct l2_slice *s)
{
    if (!port_peek(&s->output))
        return NULL;
    struct request *r = port_pop(&s->output);
    s->inside--;
    s->count.replies++;
    return r;
}

void l2_slice_count_network_busy(struct l2_slice *s)
{
    s->count.network_busy++;
}

/* ---- the cycle ------------------------------------------------------------------------------------------------------- */

static void answer_filled(struct l2_slice *s)
{
    if (!s->filled || port_full(&s->output))
        return;
    reply(s, mshr_pop_ready(s->mshr));
    s->filled = mshr_has_ready(s->mshr);
    s->head_refused = false;
}

static void take_from_dram(struct l2_slice *s, uint64_t now)
{
    const struct request *r = port_peek(s->up);
    if (!r)
        return;
    if (!r->write && !l2_went_around(s, r)) {
        if (now < s->fill_port_free)
            return;
        if (seldom(s->module_side)) /* another slice has taken it meanwhile */
            find_set(s, port_peek(s->up), now);
        l2_fill(s, port_pop(s->up), now);
    } else if (!port_full(&s->output)) { /* it went around the cache */
        reply(s, port_pop(s->up));
    }
}

static void send_to_dram(struct l2_slice *s)
{
    if (!s->miss_queue.count || port_full(s->down))
        return;
    port_push(s->down, request_ring_pop(&s->miss_queue));
    s->head_refused = false;
}

static bool may_access(const struct l2_slice *s, uint64_t now)
{
    if (!s->input.count || port_full(s->down))
        return false;
    return !s->enabled || (!port_full(&s->output) && now >= s->data_port_free);
}

static void access_head(struct l2_slice *s, uint64_t now)
{
    if (!may_access(s, now))
        return;
    struct request *r = request_ring_peek(&s->input);
    if (!s->enabled) {
        l2_count_direction(s, r);
        s->count.bypassed++;
        l2_mark_around(s, r);
        s->inside -= r->kind == REQUEST_L1_WRITEBACK; /* it ends in DRAM */
        port_push(s->down, request_ring_pop(&s->input));
        return;
    }
    const enum cache_outcome outcome = s->head_refused ? s->cause : l2_look_up(s, r, now);
    s->head_refused = cache_refused(outcome) && cache_refusal_lasts(outcome);
    if (cache_refused(outcome)) {
        s->cause = outcome;
        s->refused_at = now;
        l2_count_refusals(s, r, outcome, 1);
        return;
    }
    (void)request_ring_pop(&s->input);
    if (outcome != CACHE_BYPASSED && (r->write || outcome == CACHE_HIT))
        reply(s, r);
}

static void admit(struct l2_slice *s, uint64_t now)
{
    if (!s->rop.count || now < s->rop_ready || request_ring_full(&s->input))
        return;
    request_ring_push(&s->input, request_ring_pop(&s->rop));
    if (s->rop.count)
        s->rop_ready = request_ring_peek(&s->rop)->ready;
}

void l2_slice_settle(struct l2_slice *s, uint64_t now)
{
    if (s->head_refused && now > s->refused_at) {
        l2_count_refusals(s, request_ring_peek(&s->input), s->cause, now - s->refused_at);
        s->refused_at = now;
    }
}

void l2_slice_cycle(struct l2_slice *s, uint64_t now)
{
    l2_slice_settle(s, now - 1);
    if (s->enabled)
        answer_filled(s);
    take_from_dram(s, now);
    if (s->enabled)
        send_to_dram(s);
    access_head(s, now);
    admit(s, now);
}

uint64_t l2_slice_next_event(const struct l2_slice *s, uint64_t now)
{
    const bool output_full = port_full(&s->output);
    if (port_peek(s->up) || (s->filled && !output_full))
        return now + 1;
    const bool down_full = port_full(s->down);
    if (s->miss_queue.count && !down_full)
        return now + 1;
    uint64_t next = UINT64_MAX;
    if (!s->head_refused && s->input.count && !output_full && !down_full)
        next = s->data_port_free > now ? s->data_port_free : now + 1;
    if (s->rop.count && !request_ring_full(&s->input)) {
        const uint64_t when = s->rop_ready > now ? s->rop_ready : now + 1;
        next = when < next ? when : next;
    }
    return next;
}

/* ---- views ----------------------------------------------------------------------------------------------------------- */

bool l2_slice_idle(const struct l2_slice *s)
{
    return s->inside == 0 && s->miss_queue.count == 0;
}

uint32_t l2_slice_requests(const struct l2_slice *s)
{
    return s->inside;
}

uint32_t l2_slice_misses_queued(const struct l2_slice *s)
{
    return s->miss_queue.count;
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
