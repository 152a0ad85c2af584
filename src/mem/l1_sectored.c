/* l1_sectored.c - an L1 whose lines have four sectors: a tag for 128 bytes, fetches of the 32-byte sectors that are needed.
 *
 * A load that lacks sectors asks for each run of them that is not on its way with a fetch of its own, which has an MSHR entry under
 * the address of its first sector; the load itself waits here, for its own fetches and for those of others that bring its sectors
 * (request.fetches counts them). A sector is on its way in one fetch at most. */
#include "mem/l1_state.h"

enum { LINE_SECTORS = 4 };

/* The fetches of a line that are on their way. */
struct flights {
    uint32_t entry[LINE_SECTORS]; /* by the fetch's first sector; MSHR_NONE */
    uint8_t sectors;              /* on their way */
    uint8_t served; /* first sectors of fetches that came, whose loads are not all served: no other may take their entries */
};

static struct flights find_flights(struct l1 *l1, uint64_t block)
{
    struct flights f = { .sectors = 0 };
    for (uint32_t s = 0; s < LINE_SECTORS; s++) {
        f.entry[s] = mshr_find(l1->mshr, block + s * SECTOR_BYTES);
        if (f.entry[s] == MSHR_NONE)
            continue;
        const struct mshr_entry *e = mshr_entry_at(l1->mshr, f.entry[s]);
        if (e->ready && !seldom(l1->otherwise.joined)) {
            f.served |= (uint8_t)(1u << s);
            f.entry[s] = MSHR_NONE;
        } else {
            f.sectors |= e->sectors;
        }
    }
    return f;
}

/* Takes the lowest run of neighbouring sectors out of `sectors`. */
static uint8_t next_run(uint8_t *sectors)
{
    const uint32_t first = *sectors & -(uint32_t)*sectors;
    const uint8_t run = (uint8_t)(*sectors & ~(*sectors + first));
    *sectors = (uint8_t)(*sectors & ~run);
    return run;
}

struct need {
    uint8_t fetch, wait; /* sectors to ask for; sectors that others asked for */
    uint32_t runs;       /* of `fetch` */
    bool blocked;        /* a run would need an entry that is still being served */
    bool no_merge;       /* a fetch that it must wait for takes no more loads */
};

static struct need find_need(struct l1 *l1, uint8_t wanted, const struct flights *f)
{
    struct need n = { .fetch = (uint8_t)(wanted & ~f->sectors), .wait = wanted & f->sectors };
    for (uint8_t left = n.fetch; left; n.runs++)
        n.blocked |= (f->served >> __builtin_ctz(next_run(&left)) & 1) != 0;
    for (uint32_t s = 0; s < LINE_SECTORS; s++)
        if (f->entry[s] != MSHR_NONE && (mshr_entry_at(l1->mshr, f->entry[s])->sectors & wanted))
            n.no_merge |= !mshr_can_merge(l1->mshr, f->entry[s]);
    return n;
}

static void reserve(struct l1 *l1, uint32_t line, uint8_t sectors)
{
    for (uint32_t left = sectors & ~(uint32_t)tag_array_line(l1->tags, line)->reserved; left; left &= left - 1)
        tag_array_allocate_sector(l1->tags, line, (uint32_t)__builtin_ctz(left), l1->now);
}

static void wait_for_others(struct l1 *l1, struct request *r, uint32_t line, const struct flights *f, uint8_t wait)
{
    for (uint32_t s = 0; s < LINE_SECTORS; s++) {
        if (f->entry[s] == MSHR_NONE || !(mshr_entry_at(l1->mshr, f->entry[s])->sectors & wait))
            continue;
        struct mshr_entry *e = mshr_entry_at(l1->mshr, f->entry[s]);
        mshr_merge(l1->mshr, f->entry[s], r);
        r->fetches += !e->ready;
        if (seldom(l1->otherwise.joined))
            l1->otherwise.joined(l1, e, line);
        else
            e->line = line;
    }
    l1->count.mshr_hits += wait != 0;
}

/* `behind`: entries at the end of the miss queue, a write-back, that the fetch goes before. */
static void send_fetch(struct l1 *l1, struct request *r, uint64_t block, uint32_t line, uint8_t run, uint32_t behind)
{
    struct request *fetch = request_copy(l1->pool, r);
    fetch->address = block + (uint32_t)__builtin_ctz(run) * SECTOR_BYTES;
    fetch->bytes = (uint32_t)__builtin_popcount(run) * SECTOR_BYTES;
    fetch->sectors = run;
    struct mshr_entry *e = mshr_entry_at(l1->mshr, mshr_add(l1->mshr, fetch->address, r));
    e->sectors = run;
    e->line = line;
    r->fetches++;
    request_ring_push(&l1->miss_queue, fetch);
    request_ring_advance_last(&l1->miss_queue, behind + 1);
    l1->count.sectors_fetched += (uint64_t)__builtin_popcount(run);
}

/* A load that lacks `missing`; `line` is TAG_NO_LINE when its line is absent. */
static struct l1_answer miss(struct l1 *l1, struct request *r, uint64_t block, uint32_t set, uint32_t line, uint8_t missing)
{
    struct l1_answer decided;
    const struct flights f = find_flights(l1, block);
    const bool absent = line == TAG_NO_LINE;
    if (seldom(l1->policy.hooks) && absent && !f.sectors && l1_decide_miss(l1, r, set, true, &decided))
        return decided;
    const struct need n = find_need(l1, missing, &f);
    if (absent && !tag_array_has_room(l1->tags, set))
        return l1_refuse(l1, r, CACHE_REFUSED_LINE_ALLOC);
    if (l1_no_room_for(l1, l1->config.sector_requests ? 2 : n.runs + absent)) /* of sectors, all are asked for room for two */
        return l1_refuse(l1, r, CACHE_REFUSED_MISS_QUEUE);
    if (n.blocked || n.no_merge)
        return l1_refuse(l1, r, CACHE_REFUSED_MSHR_MERGE);
    if (mshr_in_use(l1->mshr) + n.runs > l1->config.mshr_entries)
        return l1_refuse(l1, r, CACHE_REFUSED_MSHR_ENTRY);
    const uint32_t queued = l1->miss_queue.count;
    if (absent) {
        line = tag_array_victim(l1->tags, set);
        l1_allocate(l1, line, r, block, (uint32_t)__builtin_ctz(missing));
    } else {
        tag_array_touch(l1->tags, line, l1->now);
    }
    const uint32_t behind = l1->miss_queue.count - queued;
    const bool again = !absent && (tag_array_line(l1->tags, line)->reserved & n.fetch); /* only where fills are blind */
    reserve(l1, line, missing);
    tag_array_line(l1->tags, line)->used |= r->sectors;
    r->fetches = 0;
    wait_for_others(l1, r, line, &f, n.wait);
    for (uint8_t left = n.fetch; left;)
        send_fetch(l1, r, block, line, next_run(&left), behind);
    l1->count.refetches += again;
    l1->count.sector_misses += !absent && n.fetch && !again;
    l1->count.split_fetches += n.runs > 1;
    return l1_take(l1, r, absent || (n.fetch && !again) ? CACHE_MISS : CACHE_MERGED, line);
}

static struct l1_answer load(struct l1 *l1, struct request *r, uint64_t block, uint32_t set)
{
    const uint32_t line = tag_array_find(l1->tags, set, block);
    uint8_t there = 0;
    if (line != TAG_NO_LINE) {
        const struct tag_line *l = tag_array_line(l1->tags, line);
        there = (uint8_t)((l->valid | l->modified) & ~l->unreadable);
    }
    if (seldom(l1->policy.hooks)) {
        cache_policy_begin(&l1->policy, r, block, block, set, l1->now);
        cache_policy_ask(&l1->policy, r);
        if (r->bypass_l1 && (line == TAG_NO_LINE || !tag_array_line(l1->tags, line)->modified))
            return l1_go_around(l1, r);
        r->bypass_l1 = false; /* a dirty line is never passed by */
    }
    if (!(r->sectors & ~there))
        return l1_hit(l1, r, line);
    const uint8_t wanted = r->fill_bytes ? l1_sectors_to_fetch(l1, r) : r->sectors; /* a policy may ask for more */
    return miss(l1, r, block, set, line, (uint8_t)(wanted & ~there));
}

/* A global store removes the sectors that it touches from the line; the line goes with its last one. */
static void evict_written(struct l1 *l1, uint32_t line, uint8_t sectors)
{
    const struct tag_line *l = tag_array_line(l1->tags, line);
    const uint8_t gone = (uint8_t)(sectors & (l->valid | l->modified));
    if (!gone)
        return;
    if (!((l->valid | l->modified | l->reserved) & ~gone)) {
        l1_tell_evicted(l1, line, EVICTED_BY_STORE, true);
        l1->count.write_evicts++;
    }
    for (uint32_t left = gone; left; left &= left - 1)
        tag_array_invalidate_sector(l1->tags, line, (uint32_t)__builtin_ctz(left));
}

/* A store that stays: each sector that it touches is then modified, and can be read once all of its bytes are known. */
static void keep_written(struct l1 *l1, const struct request *r, uint32_t line, uint8_t just_taken)
{
    tag_array_touch(l1->tags, line, l1->now);
    for (uint32_t left = r->sectors; left; left &= left - 1) {
        const uint32_t s = (uint32_t)__builtin_ctz(left);
        const struct tag_line *l = tag_array_line(l1->tags, line);
        const uint8_t bit = (uint8_t)(1u << s);
        if ((l->valid | l->modified) & bit) {
            tag_array_modify(l1->tags, line, s, &r->mask);
            continue;
        }
        const bool coming = (l->reserved & ~just_taken & bit) != 0;
        if (!(l->reserved & bit))
            tag_array_allocate_sector(l1->tags, line, s, l1->now);
        tag_array_modify_unfetched(l1->tags, line, s, &r->mask, coming);
    }
    tag_array_line(l1->tags, line)->used |= r->sectors;
}

static enum cache_outcome store_outcome(const struct tag_line *l, uint8_t sectors)
{
    if (l && !(sectors & ~(l->valid | l->modified)))
        return CACHE_HIT;
    return l && (l->reserved & sectors) ? CACHE_MERGED : CACHE_MISS;
}

static struct l1_answer store_through(struct l1 *l1, struct request *r, uint64_t block, uint32_t set, uint32_t line)
{
    const enum cache_outcome outcome = store_outcome(line == TAG_NO_LINE ? NULL : tag_array_line(l1->tags, line), r->sectors);
    const uint32_t first = (uint32_t)__builtin_ctz(r->sectors);
    uint8_t just_taken = 0;
    if (line == TAG_NO_LINE && !tag_array_has_room(l1->tags, set))
        return l1_refuse(l1, r, CACHE_REFUSED_LINE_ALLOC);
    if (l1_no_room_for(l1, 1))
        return l1_refuse(l1, r, CACHE_REFUSED_MISS_QUEUE);
    if (line == TAG_NO_LINE) {
        line = tag_array_victim(l1->tags, set);
        l1_allocate(l1, line, r, block, first);
        just_taken = (uint8_t)(1u << first);
    }
    keep_written(l1, r, line, just_taken);
    request_ring_push(&l1->miss_queue, r);
    struct l1_answer answer = l1_take(l1, r, outcome, line);
    answer.sent = true;
    l1->version++; /* a line that was reserved may be free, and a sector readable */
    return answer;
}

static struct l1_answer store(struct l1 *l1, struct request *r, uint64_t block, uint32_t set)
{
    const uint32_t line = tag_array_find(l1->tags, set, block);
    const struct tag_line *l = line == TAG_NO_LINE ? NULL : tag_array_line(l1->tags, line);
    const bool all_there = l && !(r->sectors & ~(l->valid | l->modified));
    if (seldom(l1->policy.hooks)) {
        cache_policy_begin(&l1->policy, r, block, block, set, l1->now);
        cache_policy_ask(&l1->policy, r);
    }
    if (l1->config.stores == L1_STORES_STAY)
        return store_through(l1, r, block, set, line);
    if (all_there && r->kind == REQUEST_LOCAL_WRITE) {
        tag_array_touch(l1->tags, line, l1->now);
        for (uint32_t left = r->sectors; left; left &= left - 1)
            tag_array_modify(l1->tags, line, (uint32_t)__builtin_ctz(left), &r->mask);
        return l1_take(l1, r, CACHE_HIT, line);
    }
    if (l1_no_room_for(l1, 1))
        return l1_refuse(l1, r, CACHE_REFUSED_MISS_QUEUE);
    request_ring_push(&l1->miss_queue, r);
    struct l1_answer answer = l1_take(l1, r,
                                      all_there                         ? CACHE_HIT
                                      : l && (l->reserved & r->sectors) ? CACHE_MERGED
                                                                        : CACHE_MISS,
                                      line);
    answer.sent = true;
    if (l && r->kind != REQUEST_LOCAL_WRITE)
        evict_written(l1, line, r->sectors);
    return answer;
}

struct l1_answer l1_sectored_access(struct l1 *l1, struct request *r, uint64_t block, uint32_t set)
{
    return r->write ? store(l1, r, block, set) : load(l1, r, block, set);
}

void l1_sectored_fill(struct l1 *l1, struct request *fetch, uint64_t now)
{
    const uint64_t block = fetch->address & ~(uint64_t)(l1->config.line_bytes - 1);
    const uint32_t entry = mshr_find(l1->mshr, fetch->address);
    require(entry != MSHR_NONE);
    const struct mshr_entry *e = mshr_entry_at(l1->mshr, entry);
    const uint32_t line = e->line;
    l1->now = now;
    if (seldom(l1->otherwise.fill)) {
        l1->otherwise.fill(l1, fetch, block, line);
    } else if (tag_array_address(l1->tags, line) ==
               block) { /* otherwise the cache was emptied meanwhile, and the data pass through */
        const struct tag_line *l = tag_array_line(l1->tags, line);
        for (uint32_t left = e->sectors & (l->reserved | (l->modified & l->modified_on_fill)); left; left &= left - 1)
            tag_array_fill(l1->tags, line, (uint32_t)__builtin_ctz(left), NULL);
        l1_tell_filled(l1, fetch, block, line);
    }
    const uint32_t cycles = fetch->bytes / l1->config.port_bytes;
    mshr_arrived(l1->mshr, entry);
    request_free(l1->pool, fetch);
    l1->fill_port_free = now + (cycles ? cycles : 1);
    l1->count.fills++;
    l1->version++;
}
