/* With reference.l1_blind_fills the L1 must do what the reference's does, also where that is odd: data go to the way that their
 * miss took, whatever it holds by then; a load that joins a miss after its line has gone reserves a line that nobody fills; bytes
 * written to a way are never forgotten. Here is that cache line by line, and both get the same random accesses. */
#include "l1_bench.h"
#include "reference/reference.h"

#include <string.h>

enum { LINES_MAX = 80, BLOCKS_MAX = 120, QUEUE = 4, ENTRIES = 3, MERGES = 2 };
enum line_state { EMPTY, RESERVED, VALID, DIRTY };

struct model_line {
    uint64_t tag, used;
    enum line_state state;
    struct byte_mask written;
};

struct model_entry {
    bool there, ready;
    uint64_t block;
    uint32_t way, waiting;
};

struct model {
    uint32_t sets, ways, queued, ready_count;
    bool touched;
    struct model_line line[LINES_MAX];
    struct model_entry entry[ENTRIES];
    uint32_t ready[ENTRIES];       /* entries in the order in which their data came */
    struct byte_mask written_back; /* by the last write-back */
};

static uint64_t noise(uint64_t *x)
{
    *x ^= *x << 13;
    *x ^= *x >> 7;
    *x ^= *x << 17;
    return *x >> 20;
}

/* The line that an access finds, or the one that it would take: the last empty way, else the least recently used. */
static enum cache_outcome model_probe(const struct model *m, uint64_t block, uint32_t *way)
{
    const uint32_t first = (uint32_t)(block / 128 % m->sets) * m->ways;
    uint32_t empty = LINES_MAX, oldest = LINES_MAX;
    for (uint32_t i = first; i < first + m->ways; i++) {
        const struct model_line *l = &m->line[i];
        *way = i;
        if (l->state != EMPTY && l->tag == block)
            return l->state == RESERVED ? CACHE_MERGED : CACHE_HIT;
        if (l->state == EMPTY)
            empty = i;
        else if (l->state != RESERVED && (oldest == LINES_MAX || l->used < m->line[oldest].used))
            oldest = i;
    }
    *way = empty != LINES_MAX ? empty : oldest;
    return *way == LINES_MAX ? CACHE_REFUSED_LINE_ALLOC : CACHE_MISS;
}

static struct model_entry *model_entry_of(struct model *m, uint64_t block)
{
    for (uint32_t i = 0; i < ENTRIES; i++)
        if (m->entry[i].there && m->entry[i].block == block)
            return &m->entry[i];
    return NULL;
}

static void model_take_line(struct model *m, uint32_t way, uint64_t block, enum cache_outcome probe, uint64_t now)
{
    struct model_line *l = &m->line[way];
    m->touched = true;
    l->used = now;
    if (probe == CACHE_MERGED)
        return;
    if (l->state == DIRTY) {
        m->queued++;
        m->written_back = l->written;
    }
    l->tag = block;
    l->state = RESERVED;
}

static enum cache_outcome model_load(struct model *m, uint64_t block, uint64_t now)
{
    uint32_t way;
    const enum cache_outcome probe = model_probe(m, block, &way);
    if (probe == CACHE_HIT) {
        m->touched = true;
        m->line[way].used = now;
        return CACHE_HIT;
    }
    if (probe == CACHE_REFUSED_LINE_ALLOC)
        return probe;
    if (m->queued + 2 > QUEUE)
        return CACHE_REFUSED_MISS_QUEUE;
    struct model_entry *e = model_entry_of(m, block);
    if (e) {
        if (e->waiting == MERGES)
            return CACHE_REFUSED_MSHR_MERGE;
        e->waiting++;
        model_take_line(m, way, block, probe, now);
        return probe;
    }
    for (uint32_t i = 0; i < ENTRIES && !e; i++)
        if (!m->entry[i].there)
            e = &m->entry[i];
    if (!e)
        return CACHE_REFUSED_MSHR_ENTRY;
    m->queued++;
    model_take_line(m, way, block, probe, now);
    *e = (struct model_entry){ .there = true, .block = block, .way = way, .waiting = 1 };
    return probe;
}

static enum cache_outcome model_store(struct model *m, const struct request *r, uint64_t now)
{
    uint32_t way;
    enum cache_outcome probe = model_probe(m, r->address & ~UINT64_C(127), &way);
    if (probe == CACHE_HIT && r->kind == REQUEST_LOCAL_WRITE) {
        m->touched = true;
        m->line[way].used = now;
        m->line[way].state = DIRTY;
        m->line[way].written.word[0] |= r->mask.word[0];
        m->line[way].written.word[1] |= r->mask.word[1];
        return CACHE_HIT;
    }
    if (m->queued == QUEUE)
        return CACHE_REFUSED_MISS_QUEUE;
    m->queued++;
    if (probe == CACHE_HIT)
        m->line[way].state = EMPTY;
    return probe == CACHE_REFUSED_LINE_ALLOC ? CACHE_MISS : probe;
}

static void model_fill(struct model *m, uint64_t block)
{
    struct model_entry *e = model_entry_of(m, block);
    m->line[e->way].state = VALID;
    e->ready = true;
    m->ready[m->ready_count++] = (uint32_t)(e - m->entry);
}

static bool model_pop(struct model *m)
{
    if (!m->ready_count)
        return false;
    struct model_entry *e = &m->entry[m->ready[0]];
    if (--e->waiting == 0) {
        e->there = false;
        memmove(m->ready, m->ready + 1, --m->ready_count * sizeof m->ready[0]);
    }
    return true;
}

static void model_invalidate(struct model *m)
{
    for (uint32_t i = 0; m->touched && i < m->sets * m->ways; i++)
        m->line[i].state = EMPTY;
    m->touched = false;
}

static void both_access(struct bench *b, struct model *m, uint64_t *x, uint32_t blocks)
{
    static const uint8_t kinds[] = { REQUEST_GLOBAL_READ, REQUEST_GLOBAL_READ, REQUEST_GLOBAL_READ, REQUEST_GLOBAL_WRITE,
                                     REQUEST_LOCAL_WRITE };
    struct request *r = request_make(b->pool);
    r->kind = kinds[noise(x) % sizeof kinds];
    r->write = r->kind != REQUEST_GLOBAL_READ;
    r->address = noise(x) % blocks * 128;
    r->bytes = 128;
    r->mask.word[noise(x) & 1] = UINT64_C(15) << noise(x) % 60;
    const struct request asked = *r;
    const struct l1_answer answer = l1_access(b->l1, r, b->now);
    const enum cache_outcome expected = asked.write ? model_store(m, &asked, b->now) : model_load(m, asked.address, b->now);
    assert_int_equal(answer.outcome, expected);
    if (cache_refused(answer.outcome) || (!asked.write && answer.outcome == CACHE_HIT) || (asked.write && !answer.sent))
        request_free(b->pool, r);
}

static void both_send(struct bench *b, struct model *m)
{
    const uint32_t before = b->below.out.port.ring.count;
    l1_cycle(b->l1, b->now);
    m->queued -= m->queued != 0;
    assert_int_equal(l1_miss_queue_length(b->l1), m->queued);
    if (b->below.out.port.ring.count == before)
        return;
    struct request *last = NULL; /* what was sent; stores end here */
    for (uint32_t i = 0; i <= before; i++) {
        last = port_pop(&b->below.out.port);
        if (i < before || !last->write)
            port_push(&b->below.out.port, last);
    }
    if (last->write)
        request_free(b->pool, last);
}

static void both_answer(struct bench *b, struct model *m, uint64_t *x)
{
    for (uint64_t skip = b->below.out.port.ring.count ? noise(x) % b->below.out.port.ring.count : 0; skip; skip--)
        port_push(&b->below.out.port, port_pop(&b->below.out.port));
    struct request *r = port_pop(&b->below.out.port);
    if (!r)
        return;
    model_fill(m, r->address);
    l1_fill(b->l1, r, b->now);
}

static void both_serve(struct bench *b, struct model *m)
{
    struct request *r = l1_pop_ready(b->l1);
    assert_int_equal(r != NULL, model_pop(m));
    if (r)
        request_free(b->pool, r);
}

static void compare(uint32_t sets, uint32_t ways, uint32_t blocks, uint64_t seed)
{
    struct l1_config c = small();
    c.sets = sets;
    c.ways = ways;
    c.mshr_entries = ENTRIES;
    c.mshr_merges = MERGES;
    c.miss_queue = QUEUE;
    const struct l1_otherwise blind = reference_l1_ways(&(struct reference_config){ .l1_blind_fills = true }, false);
    c.otherwise = &blind;
    struct bench b;
    open_bench(&b, c);
    struct model m = { .sets = sets, .ways = ways };
    uint64_t x = seed;
    for (int i = 0; i < 60000; i++, b.now++) {
        switch (noise(&x) % 8) {
        case 0: both_send(&b, &m); break;
        case 1: both_answer(&b, &m, &x); break;
        case 2: both_serve(&b, &m); break;
        case 3:
            if (noise(&x) % 40 == 0) {
                l1_invalidate(b.l1);
                model_invalidate(&m);
            }
            break;
        default: both_access(&b, &m, &x, blocks); break;
        }
    }
    assert_true(ways > 4 || l1_counters(b.l1)->refetches > 0);
    while (!l1_idle(b.l1)) {
        both_send(&b, &m);
        both_answer(&b, &m, &x);
        both_serve(&b, &m);
        b.now++;
    }
    close_bench(&b);
}

static void agrees_with_the_reference_s_cache(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 4; seed++) {
        compare(2, 2, 8, seed * 977);
        compare(1, 4, 6, seed * 977);
        compare(4, 1, 9, seed * 977);
        compare(1, 70, 90, seed * 977); /* more ways than are scanned */
    }
}

/* What the random accesses cannot see: the bytes of a write-back. */
static void written_bytes_outlive_their_line(void **state)
{
    (void)state;
    struct bench b;
    struct l1_config c = small();
    c.ways = 1;
    c.sets = 1;
    const struct l1_otherwise blind = reference_l1_ways(&(struct reference_config){ .l1_blind_fills = true }, false);
    c.otherwise = &blind;
    open_bench(&b, c);
    uint64_t written[2];
    for (uint32_t turn = 0; turn < 2; turn++) {
        for (uint32_t i = 0; i < 2; i++) { /* a load, a store to one byte of its line; a load of another line writes that back */
            struct request *r = request_make(b.pool);
            r->kind = REQUEST_LOCAL_READ;
            r->address = (2 * turn + i) * 128;
            r->bytes = 128;
            assert_int_equal(l1_access(b.l1, r, b.now++).outcome, CACHE_MISS);
            l1_cycle(b.l1, b.now);
            assert_ptr_equal(port_pop(&b.below.out.port), r);
            l1_fill(b.l1, r, b.now++);
            request_free(b.pool, l1_pop_ready(b.l1));
            if (i == 0) {
                struct request store = {
                    .kind = REQUEST_LOCAL_WRITE, .write = true, .address = r->address, .bytes = 32, .mask = { { 1u << turn, 0 } }
                };
                store.address = 2 * turn * 128;
                assert_int_equal(l1_access(b.l1, &store, b.now++).outcome, CACHE_HIT);
            }
        }
        l1_cycle(b.l1, b.now++);
        struct request *back = port_pop(&b.below.out.port);
        assert_int_equal(back->kind, REQUEST_L1_WRITEBACK);
        written[turn] = back->mask.word[0];
        request_free(b.pool, back);
    }
    assert_int_equal(written[0], 1);
    assert_int_equal(written[1], 3);
    close_bench(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agrees_with_the_reference_s_cache),
        cmocka_unit_test(written_bytes_outlive_their_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
