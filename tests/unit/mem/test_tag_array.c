/* test_tag_array.c - tags: set indexes, replacement, reserved lines, sectors that stores leave half written. */
#include "../cmocka_all.h"

#include <string.h>

#include "mem/tag_array.h"

static const struct byte_mask nothing = { { 0, 0 } };

static struct tag_geometry geometry(uint32_t sets, uint32_t ways, uint32_t sectors)
{
    return (struct tag_geometry){ .sets = sets, .ways = ways, .line_bytes = 128, .sectors = sectors };
}

static enum tag_status status_of(struct tag_array *t, uint64_t address, uint32_t sector, bool write)
{
    return tag_array_probe(t, tag_array_set(t, address), address, sector, write).status;
}

/* A miss and its fill, in one. */
static uint32_t bring(struct tag_array *t, uint64_t address, uint64_t time)
{
    const uint32_t line = tag_array_victim(t, tag_array_set(t, address));
    (void)tag_array_allocate(t, line, address, 0, time);
    tag_array_fill(t, line, 0, &nothing);
    return line;
}

static void fermi_hash_is_the_readme_s(void **state)
{
    (void)state;
    struct tag_geometry g = geometry(32, 4, 1);
    g.index = SET_INDEX_FERMI_HASH;
    struct tag_array *t = tag_array_new(&g);
    for (uint64_t a = 0; a < UINT64_C(1) << 21; a += 128) {
        static const int high[5] = { 19, 17, 15, 14, 13 }; /* most significant first */
        uint32_t expected = 0;
        for (int i = 0; i < 5; i++)
            expected = expected << 1 | (uint32_t)((a >> (11 - i) & 1) ^ (a >> high[i] & 1));
        assert_int_equal(tag_array_set(t, a), expected);
    }
    tag_array_free(t);
    g.sets = 64;
    t = tag_array_new(&g);
    assert_int_equal(tag_array_set(t, 0x1000), 32); /* bit 12 goes on top */
    assert_int_equal(tag_array_set(t, 0x1000 | 1 << 19 | 1 << 7), 32 + 16 + 1);
    tag_array_free(t);
    g.line_bytes = 32; /* the four lines of 128 bytes lie in one set */
    t = tag_array_new(&g);
    for (uint32_t a = 0; a < 128; a += 32)
        assert_int_equal(tag_array_set(t, (0x1000 | 1 << 19 | 1 << 7) + a), 32 + 16 + 1);
    tag_array_free(t);
}

static uint32_t set_of(enum set_index index, uint32_t sets, uint64_t address)
{
    struct tag_geometry g = geometry(sets, 4, 1);
    g.index = index;
    struct tag_array *t = tag_array_new(&g);
    const uint32_t set = tag_array_set(t, address);
    tag_array_free(t);
    return set;
}

/* x^5 = x^2 + 1 modulo polynomial 37 and so on; the reference's equations end below bit 24, 27 and 32 of the address. */
static void polynomial_and_xor_are_the_reference_s(void **state)
{
    (void)state;
    assert_int_equal(set_of(SET_INDEX_IPOLY, 32, 31 << 7), 31);
    assert_int_equal(set_of(SET_INDEX_IPOLY, 32, 1 << 12), 5);
    assert_int_equal(set_of(SET_INDEX_IPOLY, 32, 1 << 12 | 1 << 7), 4);
    assert_int_equal(set_of(SET_INDEX_IPOLY, 32, 1 << 26), 6);
    assert_int_equal(set_of(SET_INDEX_IPOLY, 32, 1 << 27), 0);
    assert_int_equal(set_of(SET_INDEX_IPOLY, 16, 1 << 11), 3);
    assert_int_equal(set_of(SET_INDEX_IPOLY, 16, 1 << 23), 2);
    assert_int_equal(set_of(SET_INDEX_IPOLY, 16, 1 << 24), 0);
    assert_int_equal(set_of(SET_INDEX_IPOLY, 64, 1 << 13), 3);
    assert_int_equal(set_of(SET_INDEX_IPOLY, 64, UINT64_C(1) << 31), 17);
    assert_int_equal(set_of(SET_INDEX_IPOLY, 64, UINT64_C(1) << 32), 0);
    assert_int_equal(set_of(SET_INDEX_XOR, 32, 5 << 7), 5);
    assert_int_equal(set_of(SET_INDEX_XOR, 32, 5 << 7 | 6 << 12), 3);
    assert_int_equal(set_of(SET_INDEX_XOR, 32, 5 << 7 | 1 << 17), 5); /* above the next five bits: not used */
}

static void sets_need_not_be_a_power_of_two(void **state)
{
    (void)state;
    const struct tag_geometry g = geometry(48, 4, 1);
    struct tag_array *t = tag_array_new(&g);
    assert_int_equal(tag_array_set(t, 47 * 128), 47);
    assert_int_equal(tag_array_set(t, 48 * 128), 0);
    assert_int_equal(tag_array_set(t, 49 * 128 + 5), 1);
    tag_array_free(t);
}

static void least_recently_used_goes_first(void **state)
{
    (void)state;
    const struct tag_geometry g = geometry(1, 3, 1);
    struct tag_array *t = tag_array_new(&g);
    /* Invalid ways are taken from the last to the first. */
    assert_int_equal(bring(t, 0x000, 1), 2);
    assert_int_equal(bring(t, 0x080, 2), 1);
    assert_int_equal(bring(t, 0x100, 3), 0);
    tag_array_touch(t, 2, 4); /* 0x000 is the newest now, 0x080 the oldest */
    assert_int_equal(bring(t, 0x180, 5), 1);
    assert_int_equal(status_of(t, 0x080, 0, false), TAG_MISS);
    assert_int_equal(status_of(t, 0x000, 0, false), TAG_HIT);
    assert_int_equal(bring(t, 0x200, 6), 0);
    tag_array_free(t);
}

static void first_in_goes_first_whatever_was_used(void **state)
{
    (void)state;
    struct tag_geometry g = geometry(1, 2, 1);
    g.replacement = REPLACEMENT_FIFO;
    struct tag_array *t = tag_array_new(&g);
    const uint32_t first = bring(t, 0x000, 1);
    (void)bring(t, 0x080, 2);
    tag_array_touch(t, first, 9);
    assert_int_equal(tag_array_victim(t, 0), first);
    tag_array_free(t);
}

static void reserved_lines_are_never_victims(void **state)
{
    (void)state;
    const struct tag_geometry g = geometry(1, 2, 1);
    struct tag_array *t = tag_array_new(&g);
    const uint32_t a = tag_array_victim(t, 0);
    (void)tag_array_allocate(t, a, 0x000, 0, 1);
    assert_int_equal(status_of(t, 0x000, 0, false), TAG_HIT_RESERVED);
    const uint32_t b = tag_array_victim(t, 0);
    assert_int_not_equal(a, b);
    (void)tag_array_allocate(t, b, 0x080, 0, 2);
    assert_int_equal(status_of(t, 0x100, 0, false), TAG_ALL_RESERVED);
    tag_array_fill(t, b, 0, &nothing); /* the younger one arrives first */
    assert_int_equal(status_of(t, 0x100, 0, false), TAG_MISS);
    assert_int_equal(tag_array_victim(t, 0), b);
    tag_array_free(t);
}

static void a_store_leaves_a_hole_that_only_loads_see(void **state)
{
    (void)state;
    const struct tag_geometry g = geometry(1, 1, 4);
    struct tag_array *t = tag_array_new(&g);
    const struct byte_mask half = { { UINT64_C(0xFFFF) << 32, 0 } }; /* the first 16 bytes of sector 1 */
    const struct byte_mask rest = { { UINT64_C(0xFFFF0000) << 32, 0 } };
    (void)tag_array_allocate(t, 0, 0x000, 1, 1);
    tag_array_modify_unfetched(t, 0, 1, &half, false);
    assert_int_equal(status_of(t, 0x000, 1, true), TAG_HIT);
    assert_int_equal(status_of(t, 0x000, 1, false), TAG_SECTOR_MISS);
    assert_int_equal(status_of(t, 0x000, 0, true), TAG_SECTOR_MISS);
    tag_array_modify(t, 0, 1, &rest); /* the other half closes it */
    assert_int_equal(status_of(t, 0x000, 1, false), TAG_HIT);
    const struct tag_evicted e = tag_array_allocate(t, 0, 0x080, 0, 2);
    assert_true(e.valid && e.dirty);
    assert_int_equal(e.dirty_sectors, 2);
    assert_int_equal(e.dirty_bytes, 32);
    assert_int_equal(e.address, 0);
    tag_array_free(t);
}

static void a_fetched_hole_is_dirty_again(void **state)
{
    (void)state;
    const struct tag_geometry g = geometry(1, 1, 4);
    struct tag_array *t = tag_array_new(&g);
    const struct byte_mask part = { { 0xF, 0 } };
    (void)tag_array_allocate(t, 0, 0x000, 0, 1);
    tag_array_modify_unfetched(t, 0, 0, &part, false);
    tag_array_allocate_sector(t, 0, 0, 2);
    assert_int_equal(status_of(t, 0x000, 0, false), TAG_HIT_RESERVED);
    tag_array_fill(t, 0, 0, &nothing);
    assert_int_equal(status_of(t, 0x000, 0, false), TAG_HIT);
    assert_int_equal(tag_array_line(t, 0)->modified, 1);
    tag_array_free(t);
}

static void a_store_to_a_reserved_sector_waits_for_the_fill_to_be_read(void **state)
{
    (void)state;
    const struct tag_geometry g = geometry(1, 1, 4);
    struct tag_array *t = tag_array_new(&g);
    const struct byte_mask part = { { 0xF, 0 } };
    (void)tag_array_allocate(t, 0, 0x000, 0, 1);
    tag_array_modify_unfetched(t, 0, 0, &part, true);
    assert_int_equal(status_of(t, 0x000, 0, false), TAG_SECTOR_MISS);
    tag_array_fill(t, 0, 0, &nothing);
    assert_int_equal(status_of(t, 0x000, 0, false), TAG_HIT);
    assert_int_equal(tag_array_line(t, 0)->modified, 1);
    assert_int_equal(tag_array_line(t, 0)->valid, 0);
    tag_array_free(t);
}

static uint32_t hooked_candidates;
static uint32_t highest_candidate(void *context, uint32_t set, const uint64_t *candidates)
{
    (void)set;
    uint32_t *asked = context;
    (*asked)++;
    hooked_candidates = (uint32_t)__builtin_popcountll(candidates[0]);
    return (uint32_t)(63 - __builtin_clzll(candidates[0]));
}

static void a_hook_is_asked_only_when_no_way_is_free(void **state)
{
    (void)state;
    uint32_t asked = 0;
    const struct tag_geometry g = geometry(1, 3, 1);
    struct tag_array *t = tag_array_new(&g);
    tag_array_set_victim(t, highest_candidate, &asked);
    (void)tag_array_allocate(t, tag_array_victim(t, 0), 0x000, 0, 1); /* way 2, stays reserved */
    (void)bring(t, 0x080, 2);
    (void)bring(t, 0x100, 3);
    assert_int_equal(asked, 0);
    assert_int_equal(tag_array_victim(t, 0), 1);
    assert_int_equal(asked, 1);
    assert_int_equal(hooked_candidates, 2);
    tag_array_free(t);
}

static void invalidation_empties_all(void **state)
{
    (void)state;
    const struct tag_geometry g = geometry(2, 80, 1); /* beyond TAG_SCAN_WAYS */
    struct tag_array *t = tag_array_new(&g);
    for (uint64_t a = 0; a < 100; a++)
        (void)bring(t, a * 128, a);
    (void)tag_array_allocate(t, tag_array_victim(t, 0), 0x80000, 0, 200);
    assert_int_equal(tag_array_occupied(t), 101);
    tag_array_invalidate(t);
    assert_int_equal(tag_array_occupied(t), 0);
    for (uint64_t a = 0; a < 100; a++)
        assert_int_equal(status_of(t, a * 128, 0, false), TAG_MISS);
    tag_array_free(t);
}

/* ---- against a naive model: one array of lines per set, searched from end to end -------------------------------------- */

enum { NAIVE_LINES = 512 };
struct naive_line {
    bool used, reserved, modified;
    uint64_t block, last;
};
struct naive {
    uint32_t sets, ways, written_percent;
    struct naive_line line[NAIVE_LINES];
};

static struct naive_line *naive_find(struct naive *n, uint32_t set, uint64_t block)
{
    for (uint32_t w = 0; w < n->ways; w++) {
        struct naive_line *l = &n->line[set * n->ways + w];
        if (l->used && l->block == block)
            return l;
    }
    return NULL;
}

static bool naive_spares(const struct naive *n)
{
    uint32_t written = 0;
    for (uint32_t i = 0; i < n->sets * n->ways; i++)
        written += n->line[i].used && n->line[i].modified;
    return written * 100 < n->written_percent * n->sets * n->ways;
}

static struct naive_line *naive_victim(struct naive *n, uint32_t set)
{
    struct naive_line *best = NULL, *unused = NULL;
    bool others = false;
    for (uint32_t w = 0; w < n->ways; w++)
        others |= n->line[set * n->ways + w].reserved || !n->line[set * n->ways + w].modified;
    const bool spares = others && naive_spares(n);
    for (uint32_t w = 0; w < n->ways; w++) {
        struct naive_line *l = &n->line[set * n->ways + w];
        if (!l->used)
            unused = l;
        else if (!l->reserved && !(spares && l->modified) && (!best || l->last < best->last))
            best = l;
    }
    return unused ? unused : best;
}

static uint64_t next_random(uint64_t *x)
{
    *x = *x * 6364136223846793005u + 1442695040888963407u;
    return *x >> 33;
}

static void naive_step(struct tag_array *t, struct naive *n, uint64_t *x, uint64_t time)
{
    const uint64_t block = next_random(x) % (n->sets * n->ways * 2) * 128;
    const uint32_t set = tag_array_set(t, block);
    const struct tag_probe p = tag_array_probe(t, set, block, 0, false);
    struct naive_line *l = naive_find(n, set, block);
    const bool fill_now = next_random(x) % 4 != 0;
    if (l) {
        assert_int_equal(p.status, l->reserved ? TAG_HIT_RESERVED : TAG_HIT);
        assert_int_equal(tag_array_line(t, p.line)->modified != 0, l->modified);
        if (l->reserved) {
            tag_array_fill(t, p.line, 0, &nothing);
            l->reserved = false;
        } else if (next_random(x) % 8 == 0) {
            tag_array_invalidate_sector(t, p.line, 0);
            l->used = false;
        } else {
            if (next_random(x) % 4 == 0) {
                tag_array_modify(t, p.line, 0, &nothing);
                l->modified = true;
            }
            tag_array_touch(t, p.line, time);
            l->last = time;
        }
        return;
    }
    l = naive_victim(n, set);
    assert_int_equal(tag_array_has_room(t, set), l != NULL);
    if (!n->written_percent)
        assert_int_equal(p.status, l ? TAG_MISS : TAG_ALL_RESERVED);
    if (!l)
        return;
    const uint32_t line = tag_array_victim(t, set);
    assert_int_equal(line, l - n->line);
    const struct tag_evicted e = tag_array_allocate(t, line, block, 0, time);
    assert_int_equal(e.valid, l->used);
    if (l->used) {
        assert_int_equal(e.address, l->block);
        assert_int_equal(e.dirty, l->modified);
    }
    *l = (struct naive_line){ .used = true, .reserved = !fill_now, .block = block, .last = time };
    if (fill_now)
        tag_array_fill(t, line, 0, &nothing);
}

/* Some lines are used in the same cycle. Written lines may be spared, so that a set can have nothing to give up. */
static void compare_with_naive(uint32_t sets, uint32_t ways, uint32_t written_percent, uint64_t seed)
{
    static struct naive n;
    n = (struct naive){ .sets = sets, .ways = ways, .written_percent = written_percent };
    struct tag_geometry g = geometry(sets, ways, 1);
    g.written_percent = written_percent;
    struct tag_array *t = tag_array_new(&g);
    uint64_t x = seed;
    for (uint64_t step = 3; step <= 20000; step++)
        naive_step(t, &n, &x, step / 3);
    tag_array_free(t);
}

static void agrees_with_the_naive_model(void **state)
{
    (void)state;
    static const uint32_t shapes[][2] = { { 1, 1 }, { 4, 4 }, { 5, 3 }, { 1, 64 }, { 1, 65 }, { 3, 100 }, { 1, 512 }, { 32, 4 } };
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        compare_with_naive(shapes[i][0], shapes[i][1], 0, 12345 + i);
        compare_with_naive(shapes[i][0], shapes[i][1], 25, 54321 + i);
    }
}

/* The line used last is looked at first: only in its own set, and not once it holds another block. */
static void the_line_used_last_is_found_in_its_set_alone(void **state)
{
    (void)state;
    const struct tag_geometry g = geometry(2, 2, 4);
    struct tag_array *t = tag_array_new(&g);
    (void)tag_array_allocate(t, 1, 0x100, 0, 1);
    assert_int_equal(tag_array_find(t, 0, 0x100), 1);
    assert_int_equal(tag_array_find(t, 1, 0x100), TAG_NO_LINE);
    (void)tag_array_allocate(t, 1, 0x200, 0, 2);
    assert_int_equal(tag_array_find(t, 0, 0x100), TAG_NO_LINE);
    (void)tag_array_allocate(t, 0, 0x100, 0, 3);
    tag_array_touch(t, 1, 4);
    assert_int_equal(tag_array_find(t, 0, 0x100), 0);
    tag_array_free(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fermi_hash_is_the_readme_s),
        cmocka_unit_test(polynomial_and_xor_are_the_reference_s),
        cmocka_unit_test(sets_need_not_be_a_power_of_two),
        cmocka_unit_test(least_recently_used_goes_first),
        cmocka_unit_test(first_in_goes_first_whatever_was_used),
        cmocka_unit_test(reserved_lines_are_never_victims),
        cmocka_unit_test(a_store_leaves_a_hole_that_only_loads_see),
        cmocka_unit_test(a_fetched_hole_is_dirty_again),
        cmocka_unit_test(a_store_to_a_reserved_sector_waits_for_the_fill_to_be_read),
        cmocka_unit_test(a_hook_is_asked_only_when_no_way_is_free),
        cmocka_unit_test(invalidation_empties_all),
        cmocka_unit_test(agrees_with_the_naive_model),
        cmocka_unit_test(the_line_used_last_is_found_in_its_set_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
