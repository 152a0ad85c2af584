/* The compressed L1 that several policies share, by hand: decompressors' queues (equation 4.3), SC's tables and their periods. */
#include <string.h>

#include "compress_bench.h"

static void queue_positions_are_those_of_equation_4_3(void **state)
{
    (void)state;
    struct compress_bench b;
    open_compress(&b, "static-fpc", NULL); /* 5 cycles */
    b.word = 0;
    fill(&b, 0, 0, 0, 10);
    assert_int_equal(hit_cycles(&b, 0, 0, 0, 100), 5);  /* alone */
    assert_int_equal(hit_cycles(&b, 0, 0, 0, 101), 10); /* one before it: 5 x (1 + 1) */
    assert_int_equal(hit_cycles(&b, 0, 0, 0, 101), 15);
    assert_int_equal(hit_cycles(&b, 0, 0, 0, 106), 15); /* the first is done at 105: two before it */
    assert_int_equal(hit_cycles(&b, 0, 0, 0, 120), 5);  /* done at 120 */
    assert_int_equal(hit_cycles(&b, 1, 0, 0, 121), 0);  /* another SM, where nothing was filled */
    close_compress(&b);
    open_compress(&b, "static-fpc", (const char *const[]){ "policy.compressed-l1.decompressor=pipeline", NULL });
    fill(&b, 0, 0, 0, 10);
    assert_int_equal(hit_cycles(&b, 0, 0, 0, 100), 5);
    assert_int_equal(hit_cycles(&b, 0, 0, 0, 100), 5);
    close_compress(&b);
    open_compress(&b, "static-fpc", (const char *const[]){ "policy.compressed-l1.effect=capacity", NULL });
    assert_int_equal(fill(&b, 0, 0, 0, 10), 32);
    assert_int_equal(hit_cycles(&b, 0, 0, 0, 100), 0);
    close_compress(&b);
}

static void what_cannot_be_compressed_is_kept_and_costs_nothing(void **state)
{
    (void)state;
    struct compress_bench b;
    open_compress(&b, "static-bdi", NULL);
    b.noise = true;
    assert_int_equal(fill(&b, 0, 0, 0, 10), 128);
    assert_int_equal(hit_cycles(&b, 0, 0, 0, 100), 0);
    b.noise = false;
    assert_int_equal(fill(&b, 0, 0, 1, 10), 32);
    struct policy_access local = fake_load(LEVEL_L1, 0, 0, 32);
    local.local = true;
    assert_int_equal(stored(&b, &local, 2, true), 128); /* written in place */
    assert_int_equal(stored(&b, &local, NO_WAY, false), 128);
    local.local = false;
    assert_int_equal(stored(&b, &local, NO_WAY, false), 32);
    close_compress(&b);
}

/* Phases of 4 accesses, periods of 5 phases; tables of one SM each, so that one SM's accesses are enough. */
static const char *const short_periods[] = { "policy.compressed-l1.tables=sm", "policy.compressed-l1.phase_accesses=4",
                                             "policy.compressed-l1.period_phases=5", NULL };

static void pass_accesses(struct compress_bench *b, uint32_t sm, uint32_t count)
{
    const struct policy_access a = fake_load(LEVEL_L1, sm, 0, 32);
    for (uint32_t i = 0; i < count; i++)
        hooks_accessed(&b->instance->hooks.cache[LEVEL_L1], &a, OUTCOME_HIT, 0);
    serial(b);
}

static void sc_learns_in_the_first_phase_and_in_the_last_of_each_period(void **state)
{
    (void)state;
    struct compress_bench b;
    open_compress(&b, "static-sc", short_periods);
    b.word = 7;
    assert_int_equal(fill(&b, 0, 0, 0, 1), 128); /* no codes yet; 7 is learnt */
    pass_accesses(&b, 0, 4);                     /* the first phase is over */
    assert_int_equal(fill(&b, 0, 0, 1, 2), 32);
    b.word = 8;
    assert_int_equal(fill(&b, 0, 0, 2, 3), 128); /* not seen, and not learnt in this phase */
    assert_int_equal(fill(&b, 1, 0, 0, 3), 128); /* another SM's tables */
    pass_accesses(&b, 0, 12);                    /* the last phase of the period begins */
    assert_int_equal(b.drops, 0);
    assert_int_equal(fill(&b, 0, 0, 3, 4), 128); /* learnt */
    pass_accesses(&b, 0, 3);
    assert_int_equal(b.drops, 0);
    pass_accesses(&b, 0, 1); /* a new period: new codes, and the line with old ones goes */
    assert_int_equal(b.drops, 1);
    assert_int_equal(b.dropped, line_address(0, 1));
    assert_int_equal(fill(&b, 0, 0, 4, 5), 32); /* 8 */
    b.word = 7;
    assert_int_equal(fill(&b, 0, 0, 5, 6), 128); /* forgotten */
    close_compress(&b);
}

static void tables_of_the_gpu_count_all_its_accesses(void **state)
{
    (void)state;
    struct compress_bench b;
    open_compress(&b, "static-sc",
                  (const char *const[]){ "policy.compressed-l1.phase_accesses=4", "policy.compressed-l1.period_phases=5", NULL });
    b.word = 7;
    assert_int_equal(fill(&b, 2, 0, 0, 1), 128);
    pass_accesses(&b, 0, 4 * FAKE_SMS - 1);
    assert_int_equal(fill(&b, 1, 0, 0, 1), 128);
    pass_accesses(&b, 1, 1);
    assert_int_equal(fill(&b, 0, 0, 1, 2), 32); /* learnt from another SM */
    close_compress(&b);
}

static void ten_stores(bool count)
{
    struct compress_bench b;
    open_compress(&b, "static-sc",
                  (const char *const[]){ "policy.compressed-l1.tables=sm", "policy.compressed-l1.phase_accesses=4",
                                         count ? NULL : "policy.compressed-l1.stores=false", NULL });
    struct policy_access a = fake_load(LEVEL_L1, 0, 0, 32);
    const struct cache_hooks *h = &b.instance->hooks.cache[LEVEL_L1];
    b.word = 7;
    fill(&b, 0, 0, 0, 1);
    for (uint32_t i = 0; i < 10; i++)
        hooks_accessed(h, &a, OUTCOME_BYPASSED, NO_WAY);
    a.write = true;
    for (uint32_t i = 0; i < 10; i++)
        hooks_accessed(h, &a, OUTCOME_WRITE_MISS, NO_WAY);
    serial(&b);
    assert_int_equal(fill(&b, 0, 0, 1, 2), count ? 32 : 128); /* the phase is over, or not */
    pass_accesses(&b, 0, 4);
    assert_int_equal(fill(&b, 0, 0, 2, 3), 32);
    close_compress(&b);
}

/* What goes around the L1 is no access of a phase. A store is, unless it is said that it is not. */
static void stores_and_what_goes_around(void **state)
{
    (void)state;
    ten_stores(false);
    ten_stores(true);
}

/* Table 4.1 and section 4.3.3; for FPC, C-Pack and BPC the time of compression is our choice. */
static void cycles_are_those_of_table_4_1(void **state)
{
    (void)state;
    static const struct {
        const char *policy;
        uint32_t compress, decompress;
    } rows[] = {
        { "static-bdi", 2, 2 }, { "static-fpc", 6, 5 }, { "static-cpack", 6, 8 }, { "static-bpc", 6, 11 }, { "static-sc", 6, 14 }
    };
    for (uint32_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct compress_bench b;
        open_compress(&b, rows[i].policy,
                      (const char *const[]){ "policy.compressed-l1.tables=sm", "policy.compressed-l1.phase_accesses=4", NULL });
        const struct cache_hooks *h = &b.instance->hooks.cache[LEVEL_L1];
        fill(&b, 0, 0, 0, 1);
        pass_accesses(&b, 0, 4); /* SC has codes now */
        assert_int_equal(fill(&b, 0, 0, 1, 2), 32);
        const struct policy_access a = access_to(0, 0, 1, 2);
        assert_int_equal(h->storage.call.fill_cycles(h->storage.self, &a, 1), rows[i].compress);
        assert_int_equal(hit_cycles(&b, 0, 0, 1, 100), rows[i].decompress);
        close_compress(&b);
    }
}

/* Section 4.3.3: 0.192 and 0.056 nJ for BDI, 0.42 and 0.336 for SC; 5.5, 7 and 3 KB for SC, once in the GPU; four times the tags,
 * each with 4 bits of encoding and 2 of policy. */
static void energy_and_storage_are_those_of_section_4_3_3(void **state)
{
    (void)state;
    struct compress_bench b;
    open_compress(&b, "static-sc", NULL);
    const struct policy *policy = b.instance->self[0].policy;
    static const double picojoules[] = { 192, 56, 0, 420, 336 };
    for (uint32_t i = 0; i < 5; i++)
        assert_true(policy->energy[i].use_pj == picojoules[i]);
    assert_null(policy->energy[5].structure);
    struct policy_hardware rows[POLICY_HARDWARE_MAX];
    const struct policy_geometry g = fake_geometry();
    const uint64_t tags = 4ull * g.cache[LEVEL_L1].sets * g.cache[LEVEL_L1].ways;
    assert_int_equal(policy->hardware(b.instance->self[0].config, &g, rows), 5);
    static const uint64_t bytes[] = { 5632, 7168, 3072 };
    for (uint32_t i = 0; i < 3; i++) {
        assert_int_equal(rows[i].entries * rows[i].bits, 8 * bytes[i]);
        assert_int_equal(rows[i].scope, PER_GPU);
    }
    assert_int_equal(rows[3].entries, tags / 4 * 3);
    assert_int_equal(rows[4].entries, tags);
    assert_int_equal(rows[4].bits, 6);
    close_compress(&b);
}

static void capacity_is_the_lines_that_are_held(void **state)
{
    (void)state;
    struct compress_bench b;
    open_compress(&b, "static-bdi", NULL);
    for (uint32_t way = 0; way < 16; way++)
        fill(&b, 0, 0, way, 1);
    serial(&b);
    drop(&b, 0, 0, 3, EVICTED_BY_STORE);
    serial(&b);
    uint64_t rows[64] = { 0 };
    policy_instance_counters(b.instance, 0, rows);
    const struct stat_counter *c = b.instance->self[0].policy->counters->counters;
    for (; c->name; c++) {
        if (strcmp(c->name, "capacity.lines") == 0)
            assert_int_equal(rows[c->offset / 8], 16 + 15);
        if (strcmp(c->name, "capacity.plain") == 0)
            assert_int_equal(rows[c->offset / 8], 2 * FAKE_SMS * 128);
    }
    close_compress(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(queue_positions_are_those_of_equation_4_3),
        cmocka_unit_test(what_cannot_be_compressed_is_kept_and_costs_nothing),
        cmocka_unit_test(sc_learns_in_the_first_phase_and_in_the_last_of_each_period),
        cmocka_unit_test(tables_of_the_gpu_count_all_its_accesses),
        cmocka_unit_test(stores_and_what_goes_around),
        cmocka_unit_test(cycles_are_those_of_table_4_1),
        cmocka_unit_test(energy_and_storage_are_those_of_section_4_3_3),
        cmocka_unit_test(capacity_is_the_lines_that_are_held),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
