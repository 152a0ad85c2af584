/* With reference.l2_blind_fills and reference.masks_add_up a slice must do what the reference's does, also where that is odd: data
 * go to the way that their miss took, whatever it holds by then; a read that joins a miss whose line has gone reserves a sector
 * that nobody fills; the mask of a 128-byte store's sector has the bytes of the sectors before it. Here is that cache sector by
 * sector, cycle by cycle, and both get the same random requests. */
#include "../cmocka_all.h"

#include <string.h>

#include "mem/l2_slice.h"
#include "mock_port.h"
#include "reference/reference.h"

enum { SETS = 2, WAYS = 2, ENTRIES = 4, MERGES = 2, QUEUE = 4, INPUT = 64, OUTPUT = 64 };
enum sector_state { EMPTY, RESERVED, VALID, DIRTY };
typedef unsigned __int128 bytes128;

struct model_line {
    uint64_t tag, used;
    enum sector_state state[4];
    bool readable[4], dirty_on_fill[4], readable_on_fill[4], written_on_fill;
    bytes128 written;
};
struct model_request {
    uint64_t address;
    bytes128 mask;
    bool write, atomic;
};
struct model_entry {
    bool there, atomic;
    uint64_t address;
    uint32_t line, waiting;
    bytes128 mask; /* of the first */
};
struct model {
    struct model_line line[SETS * WAYS];
    struct model_entry entry[ENTRIES];
    uint32_t ready[ENTRIES], ready_count;
    struct model_request input[INPUT];
    uint32_t input_count, queued, refused;
    uint64_t data_free;
    uint64_t hits, merged, misses, sector_misses, written_back;
};

static uint64_t noise(uint64_t *x)
{
    *x ^= *x << 13;
    *x ^= *x >> 7;
    *x ^= *x << 17;
    return *x >> 20;
}

static uint32_t ones(bytes128 m)
{
    return (uint32_t)(__builtin_popcountll((uint64_t)m) + __builtin_popcountll((uint64_t)(m >> 64)));
}

static bool any(const struct model_line *l, enum sector_state s)
{
    return l->state[0] == s || l->state[1] == s || l->state[2] == s || l->state[3] == s;
}

static bool is_empty(const struct model_line *l)
{
    return !any(l, RESERVED) && !any(l, VALID) && !any(l, DIRTY);
}

static enum cache_outcome probe(const struct model *m, const struct model_request *r, uint32_t *at)
{
    const uint64_t block = r->address / 128 * 128;
    const uint32_t first = (uint32_t)(block / 128 % SETS) * WAYS, s = (uint32_t)(r->address / 32 % 4);
    uint32_t empty = UINT32_MAX, oldest = UINT32_MAX;
    for (uint32_t i = first; i < first + WAYS; i++) {
        const struct model_line *l = &m->line[i];
        *at = i;
        if (l->tag == block && !is_empty(l)) {
            if (l->state[s] == RESERVED)
                return CACHE_MERGED;
            const bool hit = l->state[s] == VALID || (l->state[s] == DIRTY && (r->write || l->readable[s]));
            return hit ? CACHE_HIT : CACHE_SECTOR_MISS;
        }
        if (is_empty(l))
            empty = i;
        else if (!any(l, RESERVED) && (oldest == UINT32_MAX || l->used < m->line[oldest].used))
            oldest = i;
    }
    *at = empty != UINT32_MAX ? empty : oldest;
    return *at == UINT32_MAX ? CACHE_REFUSED_LINE_ALLOC : CACHE_MISS;
}

/* Returns the dirty bytes of the line that it replaced. */
static uint32_t reserve(struct model *m, uint32_t at, const struct model_request *r, enum cache_outcome found, uint64_t now)
{
    struct model_line *l = &m->line[at];
    const uint32_t s = (uint32_t)(r->address / 32 % 4);
    uint32_t dirty = 0;
    if (found == CACHE_MISS) {
        for (uint32_t i = 0; i < 4; i++)
            dirty += l->state[i] == DIRTY ? 32 : 0;
        m->written_back += dirty;
        m->queued += dirty != 0;
        *l = (struct model_line){ .tag = r->address / 128 * 128, .readable = { true, true, true, true } };
        l->state[s] = RESERVED;
    } else if (found == CACHE_SECTOR_MISS) {
        l->dirty_on_fill[s] = l->state[s] == DIRTY;
        l->readable_on_fill[s] = false;
        l->readable[s] = true;
        l->state[s] = RESERVED;
    }
    l->used = now;
    return dirty;
}

static void see_if_whole(struct model_line *l, uint32_t s)
{
    if ((uint32_t)(l->written >> 32 * s) == UINT32_MAX)
        l->readable[s] = true;
}

static void count(struct model *m, enum cache_outcome outcome)
{
    m->hits += outcome == CACHE_HIT;
    m->merged += outcome == CACHE_MERGED;
    m->misses += outcome == CACHE_MISS || outcome == CACHE_SECTOR_MISS;
    m->sector_misses += outcome == CACHE_SECTOR_MISS;
}

static bool model_write(struct model *m, const struct model_request *r, uint64_t now)
{
    uint32_t at;
    const enum cache_outcome found = probe(m, r, &at);
    struct model_line *l = &m->line[at];
    const uint32_t s = (uint32_t)(r->address / 32 % 4);
    if (found == CACHE_HIT) {
        l->used = now;
        l->state[s] = DIRTY;
        l->written |= r->mask;
        see_if_whole(l, s);
        m->data_free = now + 1;
    } else {
        if (found == CACHE_REFUSED_LINE_ALLOC || m->queued == QUEUE)
            return false;
        m->data_free = now + reserve(m, at, r, found, now) / 32;
        l->state[s] = DIRTY;
        l->written |= r->mask;
        if (found == CACHE_MERGED)
            l->dirty_on_fill[s] = l->written_on_fill = true;
        l->readable[s] = ones(r->mask) == 32;
        if (!l->readable[s] && found == CACHE_MERGED)
            l->readable_on_fill[s] = true;
        see_if_whole(l, s);
    }
    count(m, found);
    return true;
}

static struct model_entry *entry_of(struct model *m, uint64_t address)
{
    struct model_entry *unused = NULL;
    for (uint32_t i = 0; i < ENTRIES; i++) {
        if (m->entry[i].there && m->entry[i].address == address)
            return &m->entry[i];
        if (!m->entry[i].there)
            unused = &m->entry[i];
    }
    return unused;
}

static bool model_read(struct model *m, const struct model_request *r, uint64_t now)
{
    uint32_t at;
    const enum cache_outcome found = probe(m, r, &at);
    if (found == CACHE_HIT) {
        struct model_line *l = &m->line[at];
        l->used = now;
        if (r->atomic) {
            l->state[r->address / 32 % 4] = DIRTY;
            l->written |= r->mask;
        }
        m->data_free = now + 1;
        count(m, found);
        return true;
    }
    struct model_entry *e = entry_of(m, r->address);
    if (found == CACHE_REFUSED_LINE_ALLOC || m->queued + 2 > QUEUE || !e || (e->there && e->waiting == MERGES))
        return false;
    if (!e->there) {
        *e = (struct model_entry){ .there = true, .address = r->address, .line = at, .mask = r->mask };
        m->queued++;
    }
    e->waiting++;
    e->atomic |= r->atomic;
    (void)reserve(m, at, r, found, now);
    count(m, found);
    return true;
}

static void model_fill(struct model *m, uint64_t address)
{
    struct model_entry *e = entry_of(m, address);
    assert_true(e && e->there);
    struct model_line *l = &m->line[e->line];
    const uint32_t s = (uint32_t)(address / 32 % 4);
    l->state[s] = l->dirty_on_fill[s] || e->atomic ? DIRTY : VALID;
    l->readable[s] |= l->readable_on_fill[s];
    l->readable_on_fill[s] = false;
    if (l->written_on_fill || e->atomic)
        l->written |= e->mask;
    m->ready[m->ready_count++] = (uint32_t)(e - m->entry);
}

static void model_answer(struct model *m)
{
    if (!m->ready_count)
        return;
    struct model_entry *e = &m->entry[m->ready[0]];
    if (--e->waiting == 0) {
        e->there = false;
        memmove(m->ready, m->ready + 1, --m->ready_count * sizeof m->ready[0]);
    }
}

static void model_access(struct model *m, uint64_t now)
{
    if (!m->input_count || now < m->data_free)
        return;
    const struct model_request r = m->input[0];
    if (r.write ? model_write(m, &r, now) : model_read(m, &r, now))
        memmove(m->input, m->input + 1, --m->input_count * sizeof m->input[0]);
    else
        m->refused++;
}

struct bench {
    struct address_map_config map;
    struct request_pool *pool;
    struct mock_port below;
    struct l2_slice *slice;
    struct model m;
    struct model_request delayed[INPUT]; /* admitted at the end of a cycle, one by one */
    uint32_t delayed_count;
    uint64_t now, x;
};

static void push(struct bench *b)
{
    struct request *r = request_make(b->pool);
    const uint64_t what = noise(&b->x) % 10;
    r->kind = what < 4 ? REQUEST_GLOBAL_READ : what < 9 ? REQUEST_GLOBAL_WRITE : REQUEST_ATOMIC;
    r->write = r->kind == REQUEST_GLOBAL_WRITE;
    r->bytes = r->kind != REQUEST_ATOMIC && noise(&b->x) % 2 ? 128 : 32;
    r->address = noise(&b->x) % 6 * 128 + (r->bytes == 32 ? noise(&b->x) % 4 * 32 : 0);
    bytes128 mask = 0;
    for (uint32_t i = 0; i < 128; i += 16) /* by halves of sectors, so that 32 bytes come together often */
        if (noise(&b->x) % 3)
            mask |= (bytes128)0xFFFF << i;
    if (r->bytes == 32)
        mask = (mask | (bytes128)0xFF << r->address % 128) & (bytes128)UINT32_MAX << r->address % 128;
    r->mask = (struct byte_mask){ { (uint64_t)mask, (uint64_t)(mask >> 64) } };
    for (uint32_t i = 0; i < r->bytes / 32; i++) {
        const bytes128 before = r->bytes == 32 ? ~(bytes128)0 : ~(bytes128)0 >> (128 - 32 * (i + 1));
        b->delayed[b->delayed_count++] = (struct model_request){
            .address = r->address + i * 32, .mask = mask & before, .write = r->write, .atomic = r->kind == REQUEST_ATOMIC
        };
    }
    l2_slice_push(b->slice, r, b->now);
}

static void cycle(struct bench *b)
{
    const struct request *up = port_peek(&b->below.up);
    const uint64_t came = up ? up->address : UINT64_MAX;
    l2_slice_cycle(b->slice, b->now);
    model_answer(&b->m);
    if (came != UINT64_MAX)
        model_fill(&b->m, came);
    b->m.queued -= b->m.queued != 0;
    model_access(&b->m, b->now);
    if (b->delayed_count) {
        b->m.input[b->m.input_count++] = b->delayed[0];
        memmove(b->delayed, b->delayed + 1, --b->delayed_count * sizeof b->delayed[0]);
    }
    b->now++;
}

static void collect(struct bench *b)
{
    for (struct request *r; (r = l2_slice_pop_reply(b->slice)) != NULL;)
        if ((r = request_join_sectors(b->pool, r)) != NULL)
            request_free(b->pool, r);
}

/* DRAM answers in any order, now and then. */
static void answer(struct bench *b)
{
    for (uint32_t n = b->below.out.port.ring.count; n; n--) {
        struct request *r = port_pop(&b->below.out.port);
        if (r->kind == REQUEST_L2_WRITEBACK)
            request_free(b->pool, r);
        else if (noise(&b->x) % 12 == 0)
            port_push(&b->below.up, r);
        else
            port_push(&b->below.out.port, r);
    }
}

static void check(const struct bench *b)
{
    const struct l2_counters *n = l2_slice_counters(b->slice);
    assert_int_equal(n->hits, b->m.hits);
    assert_int_equal(n->merged, b->m.merged);
    assert_int_equal(n->misses, b->m.misses);
    assert_int_equal(n->sector_misses, b->m.sector_misses);
    assert_int_equal(n->writeback_bytes, b->m.written_back);
}

static void compare(uint64_t seed)
{
    struct l2_config c = { 0 };
    param_defaults(l2_params, &c);
    c.sets = SETS;
    c.ways = WAYS;
    c.rop_latency = 0;
    c.mshr_entries = ENTRIES;
    c.mshr_merges = MERGES;
    c.miss_queue = QUEUE;
    const struct l2_otherwise slips = reference_l2_ways(&(struct reference_config){ .l2_blind_fills = true, .masks_add_up = true });
    c.otherwise = &slips;
    struct bench b = { .now = 1, .x = seed };
    for (uint32_t i = 0; i < SETS * WAYS; i++)
        b.m.line[i].tag = UINT64_MAX;
    b.map = (struct address_map_config){ 0 };
    param_defaults(address_map_params, &b.map);
    b.map.channels = b.map.slices_per_channel = 1;
    b.pool = request_pool_new();
    (void)mock_port_open(&b.below);
    b.slice = l2_slice_new(&c, 0, &b.map, b.pool, &b.below.out.port, &b.below.up);
    for (int i = 0; i < 60000; i++) {
        if (b.m.input_count + b.delayed_count < 8 && noise(&b.x) % 3 == 0)
            push(&b);
        cycle(&b);
        collect(&b);
        answer(&b);
        check(&b);
    }
    while (!l2_slice_idle(b.slice)) {
        cycle(&b);
        collect(&b);
        answer(&b);
    }
    check(&b);
    answer(&b);
    assert_int_equal(request_pool_live(b.pool), 0);
    l2_slice_free(b.slice);
    mock_port_close(&b.below);
    request_pool_free(b.pool);
}

static void agrees_with_the_reference_s_slice(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 5; seed++)
        compare(seed * 7919);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(agrees_with_the_reference_s_slice) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
