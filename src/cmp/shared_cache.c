/* shared_cache.c - the last-level cache of all cores. */
#include "cmp/shared_cache.h"

#include <stdlib.h>

#define STAT_DEF "cmp/llc_counters.def"
#define STAT_NAME llc
#include "stat/define.h"

struct line {
    uint64_t tag;   /* line + 1; 0: free */
    uint64_t used;  /* when no policy owns replacement */
    uint32_t fetch; /* + 1: on its way from memory */
    bool dirty;
};

struct waiter {
    uint64_t miss;
    uint32_t core, next; /* next: + 1 */
};

struct fetch { /* a line on its way from memory */
    struct shared_read by;
    uint32_t set, way; /* way NO_WAY: it takes no line */
    uint32_t waiters;  /* others that want it, + 1 */
    uint32_t next_free;
};

struct shared_cache {
    struct line *lines;
    uint32_t sets, ways;
    uint64_t clock, accesses;
    bool promote_writebacks;
    const struct cache_hooks *hooks;
    struct cmp_memory *memory;
    struct fetch *fetch; /* a pool; the free ones are linked, + 1 */
    uint32_t fetch_room, fetch_free;
    struct waiter *waiter;
    uint32_t waiter_room, waiter_free; /* linked, + 1 */
    shared_filled *filled;
    void *context;
    struct llc_counters *counters;
};

struct shared_cache *shared_cache_new(const struct cmp_config *config, uint32_t cores, const struct cache_hooks *hooks,
                                      shared_filled *filled, void *context)
{
    struct shared_cache *c = must_calloc(1, sizeof *c);
    c->sets = cmp_cache_sets(&config->l3) * cores;
    c->ways = config->l3.ways;
    c->lines = must_calloc_aligned((size_t)c->sets * c->ways, sizeof *c->lines);
    c->promote_writebacks = config->promote_writebacks;
    c->hooks = hooks;
    c->filled = filled;
    c->context = context;
    c->counters = must_calloc(cores, sizeof *c->counters);
    return c;
}

void shared_cache_free(struct shared_cache *c)
{
    if (!c)
        return;
    free(c->lines);
    free(c->fetch);
    free(c->waiter);
    free(c->counters);
    free(c);
}

void shared_cache_connect(struct shared_cache *c, struct cmp_memory *memory)
{
    c->memory = memory;
}

const struct llc_counters *shared_cache_counters(const struct shared_cache *c, uint32_t core)
{
    return &c->counters[core];
}

/* ---- pools ---- */

static uint32_t take_fetch(struct shared_cache *c)
{
    if (!c->fetch_free) {
        const uint32_t old = c->fetch_room;
        c->fetch_room = old ? old * 2 : 64;
        c->fetch = must_realloc(c->fetch, c->fetch_room * sizeof *c->fetch);
        for (uint32_t i = old; i < c->fetch_room; i++)
            c->fetch[i].next_free = i + 1 < c->fetch_room ? i + 2 : 0;
        c->fetch_free = old + 1;
    }
    const uint32_t f = c->fetch_free - 1;
    c->fetch_free = c->fetch[f].next_free;
    return f;
}

static void add_waiter(struct shared_cache *c, struct fetch *f, uint32_t core, uint64_t miss)
{
    if (!c->waiter_free) {
        const uint32_t old = c->waiter_room;
        c->waiter_room = old ? old * 2 : 64;
        c->waiter = must_realloc(c->waiter, c->waiter_room * sizeof *c->waiter);
        for (uint32_t i = old; i < c->waiter_room; i++)
            c->waiter[i].next = i + 1 < c->waiter_room ? i + 2 : 0;
        c->waiter_free = old + 1;
    }
    const uint32_t w = c->waiter_free - 1;
    c->waiter_free = c->waiter[w].next;
    c->waiter[w] = (struct waiter){ miss, core, f->waiters };
    f->waiters = w + 1;
}

/* ---- look-up and replacement ---- */

static struct policy_access access_of(const struct shared_cache *c, const struct shared_read *r, uint32_t set)
{
    (void)c;
    return (struct policy_access){ .address = r->line * CMP_LINE_BYTES,
                                   .cycle = r->cycle,
                                   .pc = r->pc,
                                   .line = r->line,
                                   .set = set,
                                   .lanes = 1,
                                   .sm = (uint16_t)r->core,
                                   .warp = NO_WARP,
                                   .level = LEVEL_L2,
                                   .kind = r->write ? REQUEST_L1_WRITEBACK : REQUEST_GLOBAL_READ,
                                   .sectors = 3,
                                   .bytes = { UINT64_MAX, 0 },
                                   .transactions = 1,
                                   .write = r->write };
}

/* By the remainder: the sets of three cores are no power of two. */
static uint32_t set_of(const struct shared_cache *c, uint64_t line)
{
    return (uint32_t)(line % c->sets);
}

static uint32_t find(const struct shared_cache *c, uint32_t set, uint64_t line)
{
    const struct line *l = c->lines + (size_t)set * c->ways;
    for (uint32_t w = 0; w < c->ways; w++)
        if (l[w].tag == line + 1)
            return w;
    return NO_WAY;
}

static void told(struct shared_cache *c, const struct policy_access *a, enum policy_outcome outcome, uint32_t way)
{
    if (c->hooks->accessed.count)
        hooks_accessed(c->hooks, a, outcome, way);
    c->accesses++;
    if (c->hooks->every_accesses.count)
        hooks_every_accesses(c->hooks, LEVEL_L2, 0, c->accesses);
}

static void use(struct shared_cache *c, const struct policy_access *a, uint32_t way)
{
    struct line *l = c->lines + (size_t)a->set * c->ways + way;
    l->used = ++c->clock;
    if (c->hooks->replacement.owner)
        c->hooks->replacement.call.promoted(c->hooks->replacement.self, a, way, l->fetch != 0);
}

/* What leaves the cache for memory while another line takes its place. */
struct left {
    bool dirty;
    uint64_t address;
};

static struct left evict(struct shared_cache *c, const struct policy_access *a, uint32_t way)
{
    struct line *l = c->lines + (size_t)a->set * c->ways + way;
    struct llc_counters *k = &c->counters[a->sm];
    const struct policy_evicted e = { .address = (l->tag - 1) * CMP_LINE_BYTES,
                                      .line = l->tag - 1,
                                      .cycle = a->cycle,
                                      .set = a->set,
                                      .way = way,
                                      .level = LEVEL_L2,
                                      .reason = EVICTED_BY_FILL,
                                      .sectors_used = 3,
                                      .sectors_held = 3,
                                      .dirty = l->dirty,
                                      .by = a };
    if (c->hooks->replacement.owner)
        c->hooks->replacement.call.removed(c->hooks->replacement.self, &e);
    if (c->hooks->evicted.count)
        hooks_evicted(c->hooks, &e);
    k->evictions++;
    k->writebacks += l->dirty;
    return (struct left){ l->dirty, e.address };
}

static void write_back(struct shared_cache *c, struct left left, uint64_t cycle)
{
    if (left.dirty && c->memory)
        cmp_memory_send(c->memory, left.address, true, 0, cycle);
}

/* The way of a line that may leave: a free one, else the policy's choice or the least recently used one. NO_WAY: all lines are
 * still on their way, or the policy keeps all that are there. */
static uint32_t choose(struct shared_cache *c, const struct policy_access *a)
{
    const struct line *l = c->lines + (size_t)a->set * c->ways;
    uint64_t candidates[1] = { 0 };
    uint32_t oldest = NO_WAY;
    for (uint32_t w = 0; w < c->ways; w++) {
        if (!l[w].tag)
            return w;
        if (l[w].fetch)
            continue;
        candidates[0] |= UINT64_C(1) << w;
        if (oldest == NO_WAY || l[w].used < l[oldest].used)
            oldest = w;
    }
    if (!c->hooks->replacement.owner || oldest == NO_WAY)
        return oldest;
    const struct policy_replacement_hooks *h = &c->hooks->replacement.call;
    if (h->declines && !a->write && h->declines(c->hooks->replacement.self, a, candidates))
        return NO_WAY;
    const uint32_t way = h->victim(c->hooks->replacement.self, a, candidates);
    require(way < c->ways && (candidates[0] >> way & 1));
    return way;
}

/* Takes a line for the access; what was there leaves, and the caller sends it to memory. All lines of a set are in one bank, so
 * that a write-back sent any earlier would hold up the very read that it makes room for, and policies that look at the bank would
 * see it wait there: algorithm 2 of paper 002 sends the read first. */
static uint32_t take_line(struct shared_cache *c, const struct policy_access *a, struct left *left)
{
    const uint32_t way = choose(c, a);
    *left = (struct left){ 0 };
    if (way == NO_WAY)
        return NO_WAY;
    struct line *l = c->lines + (size_t)a->set * c->ways + way;
    if (l->tag)
        *left = evict(c, a, way);
    *l = (struct line){ .tag = a->line + 1, .used = ++c->clock };
    if (c->hooks->replacement.owner)
        c->hooks->replacement.call.inserted(c->hooks->replacement.self, a, way);
    return way;
}

/* ---- accesses ---- */

bool shared_cache_read(struct shared_cache *c, const struct shared_read *r)
{
    const uint32_t set = set_of(c, r->line);
    struct llc_counters *k = &c->counters[r->core];
    struct shared_read as_read = *r;
    as_read.write = false; /* a store fetches its line like a load */
    const struct policy_access a = access_of(c, &as_read, set);
    uint32_t way = find(c, set, r->line);
    struct left left;
    k->reads++;
    if (way != NO_WAY) {
        struct line *l = c->lines + (size_t)set * c->ways + way;
        use(c, &a, way);
        told(c, &a, l->fetch ? OUTCOME_MERGED : OUTCOME_HIT, way);
        if (!l->fetch) {
            k->hits++;
            return true;
        }
        k->merged++;
        add_waiter(c, &c->fetch[l->fetch - 1], r->core, r->miss);
        return false;
    }
    k->misses++;
    way = take_line(c, &a, &left);
    k->bypassed += way == NO_WAY;
    told(c, &a, way == NO_WAY ? OUTCOME_BYPASSED : OUTCOME_MISS, way);
    if (!c->memory) {
        if (way != NO_WAY && c->hooks->filled.count)
            hooks_filled(c->hooks, &a, way);
        return false;
    }
    const uint32_t f = take_fetch(c);
    c->fetch[f] = (struct fetch){ .by = as_read, .set = set, .way = way };
    if (way != NO_WAY)
        c->lines[(size_t)set * c->ways + way].fetch = f + 1;
    cmp_memory_send(c->memory, a.address, false, f, r->cycle);
    write_back(c, left, r->cycle);
    return false;
}

void shared_cache_write(struct shared_cache *c, uint32_t core, uint64_t line, uint64_t cycle)
{
    const uint32_t set = set_of(c, line);
    struct llc_counters *k = &c->counters[core];
    const struct policy_access a =
        access_of(c, &(struct shared_read){ .line = line, .cycle = cycle, .core = core, .write = true }, set);
    uint32_t way = find(c, set, line);
    k->writes++;
    if (way != NO_WAY) {
        k->write_hits++;
        if (c->promote_writebacks)
            use(c, &a, way);
        told(c, &a, OUTCOME_WRITE_HIT, way);
    } else {
        struct left left;
        way = take_line(c, &a, &left);
        told(c, &a, OUTCOME_WRITE_MISS, way);
        write_back(c, left, cycle);
    }
    if (way != NO_WAY)
        c->lines[(size_t)set * c->ways + way].dirty = true;
    else if (c->memory)
        cmp_memory_send(c->memory, a.address, true, 0, cycle);
}

void shared_cache_arrived(void *shared_cache, uint32_t fetch, uint64_t cycle)
{
    struct shared_cache *c = shared_cache;
    const struct fetch f = c->fetch[fetch];
    if (f.way != NO_WAY) {
        c->lines[(size_t)f.set * c->ways + f.way].fetch = 0;
        if (c->hooks->filled.count) {
            struct policy_access a = access_of(c, &f.by, f.set);
            a.cycle = cycle;
            hooks_filled(c->hooks, &a, f.way);
        }
    }
    c->counters[f.by.core].miss_cycles += cycle - f.by.cycle;
    c->fetch[fetch].next_free = c->fetch_free;
    c->fetch_free = fetch + 1;
    c->filled(c->context, f.by.core, f.by.miss, cycle);
    for (uint32_t w = f.waiters; w;) {
        const struct waiter one = c->waiter[w - 1];
        c->waiter[w - 1].next = c->waiter_free;
        c->waiter_free = w;
        c->filled(c->context, one.core, one.miss, cycle);
        w = one.next;
    }
}
