/* adaptive-cmp by hand, case by case of the rule: which accesses raise and lower the counter, and when lines are compressed. */
#include "compress_bench.h"

enum { SM = 2, SET = 7 };

static void touch(struct compress_bench *b, uint32_t line, enum policy_outcome outcome)
{
    const struct policy_access a = access_to(SM, SET, line, 1);
    hooks_accessed(&b->instance->hooks.cache[LEVEL_L1], &a, outcome, line);
}

static void bring(struct compress_bench *b, uint32_t line)
{
    touch(b, line, OUTCOME_MISS);
    fill(b, SM, SET, line, 1);
}

static bool compresses(struct compress_bench *b)
{
    const struct policy_access a = access_to(SM, SET, 15, 1);
    return stored(b, &a, NO_WAY, false) == 32;
}

static uint64_t counter(const struct compress_bench *b, const char *name)
{
    uint64_t rows[64] = { 0 };
    policy_instance_counters(b->instance, 0, rows);
    for (const struct stat_counter *c = b->instance->self[0].policy->counters->counters; c->name; c++)
        if (strcmp(c->name, name) == 0)
            return rows[c->offset / 8];
    return UINT64_MAX;
}

static const char *const cheap_misses[] = { "policy.adaptive-cmp.miss_latency=5", NULL };

static void hits_that_a_plain_cache_has_too_cost_decompression(void **state)
{
    (void)state;
    struct compress_bench b;
    open_compress(&b, "adaptive-cmp", cheap_misses);
    bring(&b, 0);
    assert_true(compresses(&b)); /* 0: not negative */
    touch(&b, 0, OUTCOME_HIT);   /* -2 */
    assert_false(compresses(&b));
    for (uint32_t i = 1; i < 5; i++)
        bring(&b, i); /* stored as they are */
    touch(&b, 4, OUTCOME_HIT);
    assert_int_equal(counter(&b, "slowed"), 1); /* it is not compressed, and costs nothing */
    touch(&b, 0, OUTCOME_HIT);                  /* four were used since: a plain set of four ways has lost it. -2 + 5 */
    assert_int_equal(counter(&b, "saved"), 1);
    assert_true(compresses(&b));
    close_compress(&b);
}

static void misses_that_compression_would_have_saved_speak_for_it(void **state)
{
    (void)state;
    struct compress_bench b;
    open_compress(&b, "adaptive-cmp", cheap_misses);
    bring(&b, 0);
    touch(&b, 0, OUTCOME_HIT);
    touch(&b, 0, OUTCOME_HIT); /* -4 */
    for (uint32_t i = 1; i < 5; i++)
        bring(&b, i);
    drop(&b, SM, SET, 0, EVICTED_BY_FILL);
    assert_false(compresses(&b));
    touch(&b, 0, OUTCOME_MISS); /* five lines of 32 bytes would all be here: -4 + 5 */
    assert_int_equal(counter(&b, "savable"), 1);
    assert_true(compresses(&b));
    close_compress(&b);
    /* Lines that cannot be compressed: five take 640 bytes, and the miss could not be saved. */
    open_compress(&b, "adaptive-cmp", cheap_misses);
    b.noise = true;
    for (uint32_t i = 0; i < 5; i++)
        bring(&b, i);
    drop(&b, SM, SET, 0, EVICTED_BY_FILL);
    touch(&b, 0, OUTCOME_MISS);
    assert_int_equal(counter(&b, "savable"), 0);
    touch(&b, 9, OUTCOME_MISS); /* never seen */
    assert_int_equal(counter(&b, "savable"), 0);
    close_compress(&b);
}

/* Sixteen lines of 32 bytes fill the set's 512 exactly: the oldest of them would still be here. */
static void a_set_that_is_just_full_saves_the_miss(void **state)
{
    (void)state;
    struct compress_bench b;
    open_compress(&b, "adaptive-cmp", cheap_misses);
    for (uint32_t i = 0; i < 16; i++)
        bring(&b, i);
    drop(&b, SM, SET, 0, EVICTED_BY_FILL);
    touch(&b, 0, OUTCOME_MISS);
    assert_int_equal(counter(&b, "savable"), 1);
    close_compress(&b);
}

/* Loads of local memory are not looked at: the line that they use does not become the last used one. */
static void local_loads_are_left_out(void **state)
{
    (void)state;
    struct compress_bench b;
    open_compress(&b, "adaptive-cmp", cheap_misses);
    for (uint32_t i = 0; i < 5; i++)
        bring(&b, i);
    struct policy_access local = access_to(SM, SET, 0, 1);
    local.local = true;
    hooks_accessed(&b.instance->hooks.cache[LEVEL_L1], &local, OUTCOME_HIT, 0);
    assert_int_equal(counter(&b, "saved"), 0);
    touch(&b, 0, OUTCOME_HIT); /* four others were used since */
    assert_int_equal(counter(&b, "saved"), 1);
    close_compress(&b);
}

/* A line that was stored to, or that went with a flush, is missed whatever the size of the cache. */
static void misses_after_stores_and_flushes_speak_for_nothing(void **state)
{
    (void)state;
    struct compress_bench b;
    for (uint32_t how = 0; how < 5; how++) {
        open_compress(&b, "adaptive-cmp", cheap_misses);
        const struct cache_hooks *h = &b.instance->hooks.cache[LEVEL_L1];
        for (uint32_t i = 0; i < 5; i++)
            bring(&b, i);
        struct policy_access written = access_to(SM, SET, 0, 1);
        written.write = how == 1 || how == 2;
        written.atomic = how == 3;
        if (how == 0)
            drop(&b, SM, SET, 0, EVICTED_BY_FILL); /* this one was replaced, and counts */
        if (how == 1)
            drop(&b, SM, SET, 0, EVICTED_BY_STORE);
        if (how == 2) { /* replaced before it was stored to */
            drop(&b, SM, SET, 0, EVICTED_BY_FILL);
            hooks_accessed(h, &written, OUTCOME_WRITE_MISS, NO_WAY);
        }
        if (how == 3)
            hooks_accessed(h, &written, OUTCOME_BYPASSED, NO_WAY);
        if (how == 4)
            hooks_flushed(h, LEVEL_L1, SM);
        touch(&b, 0, OUTCOME_MISS);
        assert_int_equal(counter(&b, "savable"), how == 0);
        touch(&b, 1, OUTCOME_MISS); /* the others stand where they stood, but for the flush */
        assert_int_equal(counter(&b, "savable"), how == 0 ? 2 : how < 4 ? 1 : 0);
        close_compress(&b);
    }
}

/* 19 bits: six misses of 100000 cycles are worth 524288, which 53 hits of 10000 more than use up. */
static void the_counter_saturates(void **state)
{
    (void)state;
    struct compress_bench b;
    open_compress(&b, "adaptive-cmp",
                  (const char *const[]){ "policy.adaptive-cmp.miss_latency=100000",
                                         "policy.adaptive-cmp.decompress_cycles=10000,5,8,11,14", NULL });
    for (uint32_t i = 0; i < 5; i++)
        bring(&b, i);
    for (uint32_t i = 0; i < 6; i++)
        touch(&b, i % 5, OUTCOME_HIT); /* each has four others used since: saved */
    assert_int_equal(counter(&b, "saved"), 6);
    for (uint32_t i = 0; i < 53; i++) {
        assert_true(compresses(&b));
        touch(&b, 0, OUTCOME_HIT);
    }
    assert_false(compresses(&b));
    close_compress(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hits_that_a_plain_cache_has_too_cost_decompression),
        cmocka_unit_test(misses_that_compression_would_have_saved_speak_for_it),
        cmocka_unit_test(a_set_that_is_just_full_saves_the_miss),
        cmocka_unit_test(local_loads_are_left_out),
        cmocka_unit_test(misses_after_stores_and_flushes_speak_for_nothing),
        cmocka_unit_test(the_counter_saturates),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
