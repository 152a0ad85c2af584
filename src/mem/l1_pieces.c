/* l1_pieces.c - an L1 whose sets are so many bytes, not so many lines: a policy says what each piece of a line takes (compressed
 * lines, lines cut to what is used), and when it can be read.
 *
 * A tag holds a piece: neighbouring sectors of one line that were fetched together. A line may have several pieces, and no sector
 * is in two of them: a load that lacks sectors fetches only what is neither here nor on its way, each run of neighbours as a piece
 * of its own, with an MSHR entry under the address of its first sector. A load hits when the pieces that are here cover it. With
 * pieces of whole lines it is the plain L1 to the cycle, so the checks of a miss come in that one's order.
 * Space is counted, not placed: pieces of a set are taken to be moved together when one goes. */
#include "mem/l1_state.h"

enum { LINE_SECTORS = 4 };

/* What a set holds of one line. */
struct pieces {
    uint32_t line[LINE_SECTORS];
    uint8_t sectors[LINE_SECTORS]; /* of each piece, in whatever state */
    uint32_t count;
    uint8_t there, dirty; /* sectors that can be read; that were written here */
};

/* What is on its way to one line, or has come and is being served. */
struct flights {
    uint32_t entry[LINE_SECTORS];
    uint32_t count;
    uint8_t sectors;
};

/* What a load that misses needs. */
struct plan {
    uint8_t needed, fetch;        /* sectors that it lacks; sectors to ask for */
    uint32_t runs;                /* of `fetch` */
    uint32_t merge[LINE_SECTORS]; /* entries that it waits for */
    uint32_t merges;
    uint8_t lost; /* bit per entry of `merge`: its piece was dropped meanwhile, and gets a place again */
    bool no_merge;
    uint32_t tags, bytes; /* space for all of it */
};

static uint32_t sector_count(uint8_t sectors)
{
    return (uint32_t)__builtin_popcount(sectors);
}

static uint8_t held_sectors(struct l1 *l1, uint32_t line)
{
    const struct tag_line *l = tag_array_line(l1->tags, line);
    return (uint8_t)(l->valid | l->modified | l->reserved);
}

static struct pieces find_pieces(struct l1 *l1, uint32_t set, uint64_t block)
{
    struct pieces p = { .count = 0 };
    for (uint32_t i = set * l1->geometry.ways; i < (set + 1) * l1->geometry.ways; i++) {
        if (tag_array_address(l1->tags, i) != block)
            continue;
        const struct tag_line *l = tag_array_line(l1->tags, i);
        require(p.count < LINE_SECTORS);
        p.line[p.count] = i;
        p.sectors[p.count++] = held_sectors(l1, i);
        p.there |= (uint8_t)(l->valid | l->modified);
        p.dirty |= l->modified;
    }
    return p;
}

static struct flights find_flights(struct l1 *l1, uint64_t block)
{
    struct flights f = { .count = 0 };
    for (uint32_t s = 0; s < l1->geometry.sectors; s++) {
        const uint32_t entry = mshr_find(l1->mshr, block + s * SECTOR_BYTES);
        if (entry == MSHR_NONE)
            continue;
        f.entry[f.count++] = entry;
        f.sectors |= mshr_entry_at(l1->mshr, entry)->sectors;
    }
    return f;
}

/* Takes the lowest run of neighbours out of `sectors`. */
static uint8_t next_run(uint8_t *sectors)
{
    const uint32_t first = *sectors & -(uint32_t)*sectors;
    const uint8_t run = (uint8_t)(*sectors & ~(*sectors + first));
    *sectors = (uint8_t)(*sectors & ~run);
    return run;
}

static uint32_t stored_bytes(struct l1 *l1, uint32_t way, uint8_t sectors, bool filled)
{
    const struct cache_hooks *h = l1->policy.hooks;
    return h->storage.call.stored_bytes(h->storage.self, &l1->policy.access, way, sector_count(sectors) * SECTOR_BYTES, filled);
}

/* True when the piece that this entry reserved is still there. */
static bool has_piece(struct l1 *l1, const struct mshr_entry *e, uint64_t block)
{
    return tag_array_address(l1->tags, e->line) == block &&
           (tag_array_line(l1->tags, e->line)->reserved & e->sectors) == e->sectors;
}

static void plan_piece(struct l1 *l1, struct plan *plan, uint8_t sectors)
{
    plan->tags++;
    plan->bytes += stored_bytes(l1, NO_WAY, sectors, false);
}

static struct plan make_plan(struct l1 *l1, const struct request *r, uint64_t block, const struct pieces *p,
                             const struct flights *f)
{
    struct plan plan = { .needed = (uint8_t)(r->sectors & ~p->there) };
    if (plan.needed & ~f->sectors)
        plan.fetch = (uint8_t)((r->sectors | l1_sectors_to_fetch(l1, r)) & ~p->there & ~f->sectors);
    for (uint8_t left = plan.fetch; left; plan.runs++)
        plan_piece(l1, &plan, next_run(&left));
    for (uint32_t i = 0; i < f->count; i++) {
        const struct mshr_entry *e = mshr_entry_at(l1->mshr, f->entry[i]);
        if (!(e->sectors & plan.needed))
            continue;
        /* The data of a piece that has gone: they are given to loads that need nothing else. */
        plan.no_merge |= !mshr_can_merge(l1->mshr, f->entry[i]) || (e->ready && (plan.needed & ~e->sectors));
        if (!has_piece(l1, e, block)) {
            plan.lost |= (uint8_t)(1u << plan.merges);
            plan_piece(l1, &plan, e->sectors);
        }
        plan.merge[plan.merges++] = f->entry[i];
    }
    return plan;
}

/* ---- space ---------------------------------------------------------------------------------------------------------- */

static uint32_t space_of(const struct l1 *l1, uint32_t set)
{
    return l1->set_bytes - l1->taken[set];
}

/* True when the set could take this if all that is not on its way left. */
static bool could_fit(struct l1 *l1, uint32_t set, const struct plan *plan)
{
    uint32_t reserved = 0;
    for (uint32_t i = set * l1->geometry.ways; i < (set + 1) * l1->geometry.ways; i++)
        reserved += tag_array_line(l1->tags, i)->reserved != 0;
    return reserved + plan->tags <= l1->geometry.ways &&
           tag_array_stored_reserved(l1->tags, set) + plan->bytes <= space_of(l1, set);
}

static bool fits(struct l1 *l1, uint32_t set, uint32_t tags, uint32_t bytes)
{
    uint32_t held = 0;
    for (uint32_t i = set * l1->geometry.ways; i < (set + 1) * l1->geometry.ways; i++)
        held += tag_array_holds(l1->tags, i);
    return held + tags <= l1->geometry.ways && tag_array_stored(l1->tags, set) + bytes <= space_of(l1, set);
}

static void write_back(struct l1 *l1, uint32_t line)
{
    const struct tag_line *l = tag_array_line(l1->tags, line);
    const uint8_t sectors = held_sectors(l1, line);
    const uint32_t first = (uint32_t)__builtin_ctz(sectors);
    struct request *r = request_make(l1->pool);
    r->address = tag_array_address(l1->tags, line) + first * SECTOR_BYTES;
    r->bytes = sector_count(sectors) * SECTOR_BYTES;
    r->issued = l1->now;
    for (uint32_t s = 0; s < LINE_SECTORS; s++)
        if (sectors >> s & 1)
            r->mask.word[s / 2] |= (uint64_t)byte_mask_sector(&l->written, s) << s % 2 * 32;
    r->sectors = sectors;
    r->kind = REQUEST_L1_WRITEBACK;
    r->write = true;
    r->sm = (uint16_t)l1->sm;
    r->warp = UINT16_MAX;
    request_ring_push(&l1->miss_queue, r);
    l1->count.writebacks++;
}

static void evict(struct l1 *l1, uint32_t line)
{
    l1_tell_evicted(l1, line, EVICTED_BY_FILL, true);
    if (tag_array_line(l1->tags, line)->modified)
        write_back(l1, line);
    (void)tag_array_drop(l1->tags, line);
    l1->count.evictions++;
}

/* Evicts until this much fits; the miss queue keeps `spare` places free. What has left stays away when the access is tried
 * again. False: a dirty piece has to wait for the miss queue, or nothing is left that may go. */
static bool make_space(struct l1 *l1, uint32_t set, uint32_t tags, uint32_t bytes, uint32_t spare)
{
    while (!fits(l1, set, tags, bytes)) {
        const uint32_t line = tag_array_victim_held(l1->tags, set);
        if (line == TAG_NO_LINE || (tag_array_line(l1->tags, line)->modified && l1_no_room_for(l1, spare + 1)))
            return false;
        evict(l1, line);
    }
    return true;
}

/* Removes what no longer fits, as far as it can: a piece on its way waits for its data, a dirty one for the miss queue. */
static void give_up_space(struct l1 *l1, uint32_t set)
{
    while (tag_array_stored(l1->tags, set) > space_of(l1, set)) {
        const uint32_t line = tag_array_victim_held(l1->tags, set);
        if (line == TAG_NO_LINE || (tag_array_line(l1->tags, line)->modified && l1_no_room_for(l1, 1)))
            return;
        l1_tell_evicted(l1, line, EVICTED_BY_FLUSH, false);
        if (tag_array_line(l1->tags, line)->modified)
            write_back(l1, line);
        (void)tag_array_drop(l1->tags, line);
        l1->count.evictions++;
    }
}

void l1_take_space(struct l1 *l1, uint32_t set, uint32_t bytes, uint64_t now)
{
    require(l1->taken && bytes < l1->set_bytes);
    l1->version += bytes < l1->taken[set]; /* a refused access may fare better */
    l1->taken[set] = bytes;
    l1->now = now;
    give_up_space(l1, set);
}

/* Reserves a piece in a set with room for it. */
static uint32_t place(struct l1 *l1, const struct request *r, uint64_t block, uint32_t set, uint8_t sectors)
{
    const uint32_t line = tag_array_victim(l1->tags, set);
    const uint32_t bytes = stored_bytes(l1, NO_WAY, sectors, false);
    l1_allocate(l1, line, r, block, (uint32_t)__builtin_ctz(sectors));
    for (uint32_t left = sectors & (sectors - 1u); left; left &= left - 1)
        tag_array_allocate_sector(l1->tags, line, (uint32_t)__builtin_ctz(left), l1->now);
    tag_array_line(l1->tags, line)->used = r->sectors & sectors;
    tag_array_set_stored(l1->tags, line, bytes);
    return line;
}

/* The data of a piece are here. It may take more space now than was reserved; when that cannot be had, the piece goes. */
static void put_data(struct l1 *l1, uint32_t line, uint8_t sectors)
{
    const uint32_t way = line % l1->geometry.ways, set = line / l1->geometry.ways;
    const struct cache_hooks *h = l1->policy.hooks;
    const uint32_t before = tag_array_line(l1->tags, line)->stored_bytes, bytes = stored_bytes(l1, way, sectors, true);
    if (bytes > before && !make_space(l1, set, 0, bytes - before, 0)) {
        l1_tell_evicted(l1, line, EVICTED_BY_FILL, true);
        (void)tag_array_drop(l1->tags, line);
        l1->count.evictions++;
        return;
    }
    for (uint32_t left = sectors; left; left &= left - 1)
        tag_array_fill(l1->tags, line, (uint32_t)__builtin_ctz(left), NULL);
    tag_array_set_stored(l1->tags, line, bytes);
    const uint32_t cycles = h->storage.call.fill_cycles ? h->storage.call.fill_cycles(h->storage.self, &l1->policy.access, way) : 0;
    l1->usable[line] = l1->now + cycles;
    cache_policy_filled(&l1->policy, line);
    give_up_space(l1, set);
}

/* ---- loads ---------------------------------------------------------------------------------------------------------- */

/* `behind`: entries at the end of the miss queue, write-backs, that the fetch goes before. */
static void send_fetch(struct l1 *l1, struct request *r, uint64_t block, uint32_t line, uint8_t run, uint32_t behind)
{
    struct request *fetch = request_copy(l1->pool, r);
    fetch->address = block + (uint32_t)__builtin_ctz(run) * SECTOR_BYTES;
    fetch->bytes = sector_count(run) * SECTOR_BYTES;
    fetch->sectors = run;
    struct mshr_entry *e = mshr_entry_at(l1->mshr, mshr_add(l1->mshr, fetch->address, r));
    e->sectors = run;
    e->line = line;
    r->fetches++;
    request_ring_push(&l1->miss_queue, fetch);
    request_ring_advance_last(&l1->miss_queue, behind);
    l1->count.sectors_fetched += sector_count(run);
}

/* Waits for what others asked for; returns a piece of it. */
static uint32_t wait_for_others(struct l1 *l1, struct request *r, uint64_t block, uint32_t set, const struct plan *plan)
{
    uint32_t line = TAG_NO_LINE;
    for (uint32_t i = 0; i < plan->merges; i++) {
        struct mshr_entry *e = mshr_entry_at(l1->mshr, plan->merge[i]);
        if (plan->lost >> i & 1) {
            e->line = place(l1, r, block, set, e->sectors);
            if (e->ready)
                put_data(l1, e->line, e->sectors);
        } else {
            tag_array_line(l1->tags, e->line)->used |= r->sectors & e->sectors;
            tag_array_touch(l1->tags, e->line, l1->now);
        }
        mshr_merge(l1->mshr, plan->merge[i], r);
        r->fetches += !e->ready;
        line = e->line;
    }
    l1->count.mshr_hits += plan->merges != 0;
    return line;
}

static void touch(struct l1 *l1, const struct request *r, const struct pieces *p)
{
    for (uint32_t i = 0; i < p->count; i++)
        if (p->sectors[i] & r->sectors & p->there) {
            tag_array_line(l1->tags, p->line[i])->used |= r->sectors & p->sectors[i];
            tag_array_touch(l1->tags, p->line[i], l1->now);
        }
}

static struct l1_answer miss(struct l1 *l1, struct request *r, uint64_t block, uint32_t set, const struct pieces *p)
{
    struct l1_answer decided;
    const struct flights f = find_flights(l1, block);
    const struct plan plan = make_plan(l1, r, block, p, &f);
    if (plan.runs && !(p->dirty & r->sectors) && l1_decide_miss(l1, r, set, !fits(l1, set, plan.tags, plan.bytes), &decided))
        return decided;
    if (plan.tags && !could_fit(l1, set, &plan))
        return l1_refuse(l1, r, CACHE_REFUSED_LINE_ALLOC);
    if (l1_no_room_for(l1, plan.runs > 1 ? plan.runs + 1 : 2))
        return l1_refuse(l1, r, CACHE_REFUSED_MISS_QUEUE);
    if (plan.no_merge)
        return l1_refuse(l1, r, CACHE_REFUSED_MSHR_MERGE);
    if (mshr_in_use(l1->mshr) + plan.runs > l1->config.mshr_entries)
        return l1_refuse(l1, r, CACHE_REFUSED_MSHR_ENTRY);
    const uint32_t queued = l1->miss_queue.count;
    touch(l1, r, p); /* so that what it uses does not leave, unless all must */
    if (plan.tags && !make_space(l1, set, plan.tags, plan.bytes, plan.runs))
        return l1_refuse(l1, r, CACHE_REFUSED_MISS_QUEUE);
    const uint32_t behind = l1->miss_queue.count - queued;
    r->fetches = 0;
    uint32_t line = wait_for_others(l1, r, block, set, &plan);
    for (uint8_t left = plan.fetch; left;) {
        const uint8_t run = next_run(&left);
        line = place(l1, r, block, set, run);
        send_fetch(l1, r, block, line, run, behind + 1);
    }
    l1->count.sector_misses += plan.runs && p->count;
    l1->count.split_fetches += plan.runs > 1;
    return l1_take(l1, r, plan.tags ? CACHE_MISS : CACHE_MERGED, line);
}

static struct l1_answer hit(struct l1 *l1, struct request *r, const struct pieces *p)
{
    uint32_t first = TAG_NO_LINE, cycles = 0;
    touch(l1, r, p);
    for (uint32_t i = 0; i < p->count; i++)
        if (p->sectors[i] & r->sectors)
            first = first == TAG_NO_LINE ? p->line[i] : first;
    struct l1_answer answer = l1_take(l1, r, CACHE_HIT, first);
    for (uint32_t i = 0; i < p->count; i++) {
        if (!(p->sectors[i] & r->sectors))
            continue;
        const uint64_t usable = l1->usable[p->line[i]];
        const uint32_t wait = usable > l1->now ? (uint32_t)(usable - l1->now) : 0;
        const uint32_t all = wait + cache_policy_hit_cycles(&l1->policy, p->line[i]);
        cycles = all > cycles ? all : cycles;
    }
    answer.extra_cycles = cycles;
    const struct cache_hooks *h = l1->policy.hooks;
    answer.later =
        h->storage.call.hit_later && h->storage.call.hit_later(h->storage.self, &l1->policy.access, first % l1->geometry.ways);
    return answer;
}

static struct l1_answer load(struct l1 *l1, struct request *r, uint64_t block, uint32_t set)
{
    const struct pieces p = find_pieces(l1, set, block);
    cache_policy_begin(&l1->policy, r, block, block, set, l1->now);
    cache_policy_ask(&l1->policy, r);
    if (r->bypass_l1 && !(p.dirty & r->sectors))
        return l1_go_around(l1, r);
    r->bypass_l1 = false; /* what is dirty is never bypassed */
    return r->sectors & ~p.there ? miss(l1, r, block, set, &p) : hit(l1, r, &p);
}

/* ---- stores --------------------------------------------------------------------------------------------------------- */

/* A store to local memory changes what is here. */
static void modify(struct l1 *l1, const struct request *r, const struct pieces *p)
{
    touch(l1, r, p);
    for (uint32_t i = 0; i < p->count; i++)
        for (uint32_t left = p->sectors[i] & r->sectors & p->there; left; left &= left - 1)
            tag_array_modify(l1->tags, p->line[i], (uint32_t)__builtin_ctz(left), &r->mask);
}

/* A store to global memory drops the pieces that it touches. */
static void drop_written(struct l1 *l1, const struct request *r, const struct pieces *p)
{
    for (uint32_t i = 0; i < p->count; i++) {
        if (!(p->sectors[i] & r->sectors & p->there))
            continue;
        l1_tell_evicted(l1, p->line[i], EVICTED_BY_STORE, true);
        (void)tag_array_drop(l1->tags, p->line[i]);
        l1->count.write_evicts++;
    }
}

static struct l1_answer store(struct l1 *l1, struct request *r, uint64_t block, uint32_t set)
{
    const struct pieces p = find_pieces(l1, set, block);
    const bool local = r->kind == REQUEST_LOCAL_WRITE;
    uint32_t first = TAG_NO_LINE;
    for (uint32_t i = 0; i < p.count; i++)
        if (p.sectors[i] & r->sectors)
            first = first == TAG_NO_LINE ? p.line[i] : first;
    cache_policy_begin(&l1->policy, r, block, block, set, l1->now);
    cache_policy_ask(&l1->policy, r);
    if (local && !(r->sectors & ~p.there)) {
        modify(l1, r, &p);
        return l1_take(l1, r, CACHE_HIT, first);
    }
    if (l1_no_room_for(l1, 1))
        return l1_refuse(l1, r, CACHE_REFUSED_MISS_QUEUE);
    request_ring_push(&l1->miss_queue, r);
    const enum cache_outcome outcome = r->sectors & p.there   ? (local ? CACHE_MISS : CACHE_HIT)
                                       : first != TAG_NO_LINE ? CACHE_MERGED
                                                              : CACHE_MISS;
    struct l1_answer answer = l1_take(l1, r, outcome, first);
    answer.sent = true;
    if (local)
        modify(l1, r, &p); /* the part that is here, which must not become stale */
    else
        drop_written(l1, r, &p);
    return answer;
}

struct l1_answer l1_pieces_access(struct l1 *l1, struct request *r, uint64_t block, uint32_t set)
{
    return r->write ? store(l1, r, block, set) : load(l1, r, block, set);
}

/* ---- replies, and the rest ------------------------------------------------------------------------------------------- */

void l1_pieces_fill(struct l1 *l1, struct request *fetch, uint64_t now)
{
    const uint64_t block = fetch->address & ~(uint64_t)(l1->config.line_bytes - 1);
    const uint32_t entry = mshr_find(l1->mshr, fetch->address);
    require(entry != MSHR_NONE);
    const struct mshr_entry *e = mshr_entry_at(l1->mshr, entry);
    const uint32_t cycles = fetch->bytes / l1->config.port_bytes;
    l1->now = now;
    if (has_piece(l1, e, block)) { /* otherwise the cache was emptied meanwhile, and the data pass through */
        cache_policy_begin(&l1->policy, fetch, block, block, e->line / l1->geometry.ways, now);
        put_data(l1, e->line, e->sectors);
    }
    mshr_arrived(l1->mshr, entry);
    request_free(l1->pool, fetch);
    l1->fill_port_free = now + (cycles ? cycles : 1);
    l1->count.fills++;
    l1->version++;
}

void l1_resize(struct l1 *l1)
{
    if (!l1->set_bytes)
        return;
    const struct cache_hooks *h = l1->policy.hooks;
    const uint32_t bytes = h->storage.call.set_bytes(h->storage.self, LEVEL_L1);
    l1_check_set_bytes(l1, h, bytes);
    if (bytes < l1->set_bytes)
        l1_invalidate(l1);
    l1->set_bytes = bytes;
    l1->version++;
}

bool l1_pieces_would_hit(struct l1 *l1, uint32_t set, uint64_t block, uint8_t sectors)
{
    return !(sectors & ~find_pieces(l1, set, block).there);
}

bool l1_pieces_drop(struct l1 *l1, uint32_t set, uint64_t block)
{
    const struct pieces p = find_pieces(l1, set, block);
    for (uint32_t i = 0; i < p.count; i++)
        if (p.dirty || (p.sectors[i] & ~p.there))
            return false;
    for (uint32_t i = 0; i < p.count; i++) {
        l1_tell_evicted(l1, p.line[i], EVICTED_BY_FLUSH, false);
        (void)tag_array_drop(l1->tags, p.line[i]);
    }
    l1->version += p.count != 0;
    return p.count != 0;
}

const char *l1_broken(struct l1 *l1)
{
    const uint32_t ways = l1->geometry.ways;
    for (uint32_t set = 0; l1->set_bytes && set < l1->geometry.sets; set++) {
        uint32_t bytes = 0;
        for (uint32_t i = set * ways; i < (set + 1) * ways; i++) {
            if (!tag_array_holds(l1->tags, i))
                continue;
            bytes += tag_array_line(l1->tags, i)->stored_bytes;
            for (uint32_t k = i + 1; k < (set + 1) * ways; k++)
                if (tag_array_address(l1->tags, k) == tag_array_address(l1->tags, i) && (held_sectors(l1, k) & held_sectors(l1, i)))
                    return "two pieces of a set hold the same sector";
        }
        if (bytes != tag_array_stored(l1->tags, set) || bytes > l1->set_bytes)
            return "a set's pieces take more than its bytes";
    }
    return NULL;
}
