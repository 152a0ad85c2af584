/* PCAL, CacheExt, CERF and the oracle of CTAs on a machine that the test plays. */
#include "fake_machine.h"

enum { PERIOD = 10000 };

/* ---- pcal: 15 SMs of 48 warps ---- */

struct bench {
    struct bound b;
    uint64_t cycle, issued[FAKE_SMS];
};

static void open_bench(struct bench *b, const char *names, const char *const *settings)
{
    memset(b, 0, sizeof *b);
    bind_policies(&b->b, names, settings);
    const struct policy_kernel k = { .name = "k", .max_ctas_per_sm = 8, .warps_per_cta = 6, .registers_per_thread = 16 };
    hooks_kernel_start(&b->b.instance->hooks, &k);
}

static struct policy_gate gate_of(struct bench *b, uint32_t sm, uint64_t at_barrier)
{
    struct fake_view v;
    struct policy_gate gate;
    fake_view_fill(&v, sm, 48, b->cycle);
    v.view.at_barrier = at_barrier;
    hooks_warp_gate(&b->b.instance->hooks, &v.view, &gate);
    gate.run &= v.view.resident;
    gate.allocate &= v.view.resident;
    return gate;
}

#define OLDEST(n) ((1ull << (n)) - 1)

/* A period in which SM `best` issued more than the others, all together `sum`. */
static void end_period(struct bench *b, uint32_t best, uint64_t sum)
{
    for (uint32_t sm = 0; sm < FAKE_SMS; sm++)
        b->issued[sm] += sm == best ? sum / 2 : sum / 2 / (FAKE_SMS - 1);
    for (uint32_t sm = 0; sm < FAKE_SMS; sm++)
        b->b.machine.totals[sm].thread_instructions = b->issued[sm];
    b->cycle += PERIOD;
    hooks_serial(&b->b.instance->hooks, b->cycle);
}

static void pcal_searches_tokens_then_warps_and_takes_the_better(void **state)
{
    (void)state;
    for (uint32_t throttled = 0; throttled < 2; throttled++) {
        struct bench b;
        open_bench(&b, "pcal", NULL);
        assert_true(gate_of(&b, 3, 0).run == OLDEST(48) && gate_of(&b, 3, 0).allocate == OLDEST(48));
        end_period(&b, 0, 14000);                    /* warmed up */
        for (uint32_t sm = 0; sm < FAKE_SMS; sm++) { /* side by side: 3, 6, 9 ... 48 tokens */
            assert_true(gate_of(&b, sm, 0).run == OLDEST(48));
            assert_true(gate_of(&b, sm, 0).allocate == OLDEST((sm + 1) * 48 / 15));
        }
        end_period(&b, 4, 14000);
        assert_true(gate_of(&b, 0, 0).allocate == OLDEST(16) && gate_of(&b, 0, 0).run == OLDEST(48));
        end_period(&b, 0, 20000);
        assert_true(gate_of(&b, 1, 0).run == OLDEST(6) && gate_of(&b, 1, 0).allocate == OLDEST(6));
        end_period(&b, 2, 14000);
        assert_true(gate_of(&b, 7, 0).run == OLDEST(9) && gate_of(&b, 7, 0).allocate == OLDEST(9));
        end_period(&b, 0, 18000); /* one more without a token, while it rises */
        assert_true(gate_of(&b, 7, 0).run == OLDEST(10) && gate_of(&b, 7, 0).allocate == OLDEST(9));
        end_period(&b, 0, throttled ? 22000 : 19000);
        assert_true(gate_of(&b, 7, 0).run == OLDEST(11));
        end_period(&b, 0, 17000); /* too many: back to ten, or to all with 16 tokens when those were better */
        assert_true(gate_of(&b, 7, 0).run == (throttled ? OLDEST(10) : OLDEST(48)));
        assert_true(gate_of(&b, 7, 0).allocate == (throttled ? OLDEST(9) : OLDEST(16)));
        end_period(&b, 0, 50000);
        assert_true(gate_of(&b, 7, 0).run == (throttled ? OLDEST(10) : OLDEST(48)));
        const struct policy_kernel k = { .name = "k", .cycle = b.cycle };
        hooks_kernel_end(&b.b.instance->hooks, &k);
        hooks_kernel_start(&b.b.instance->hooks, &k); /* known */
        assert_true(gate_of(&b, 7, 0).allocate == (throttled ? OLDEST(9) : OLDEST(16)));
        unbind_policies(&b.b);
    }
}

static void pcal_lets_nobody_in_when_memory_is_crowded(void **state)
{
    (void)state;
    struct bench b;
    open_bench(&b, "pcal", NULL);
    for (uint32_t i = 0; i < 4; i++)
        end_period(&b, 2, 14000);
    for (uint32_t sm = 0; sm < FAKE_SMS; sm++)
        b.b.machine.occupancy[sm].miss_queue = 5; /* of 8 */
    end_period(&b, 0, 28000);
    assert_true(gate_of(&b, 0, 0).run == OLDEST(9)); /* settled as it was */
    unbind_policies(&b.b);
}

static void pcal_takes_fewer_tokens_where_they_are_as_good(void **state)
{
    (void)state;
    struct bench b;
    open_bench(&b, "pcal", NULL);
    end_period(&b, 0, 14000);
    end_period(&b, FAKE_SMS, 14000); /* all cores alike */
    assert_true(gate_of(&b, 9, 0).allocate == OLDEST(3));
    unbind_policies(&b.b);
}

static void pcal_does_not_count_warps_at_a_barrier(void **state)
{
    (void)state;
    struct bench b;
    open_bench(&b, "pcal", (const char *const[]){ "policy.pcal.tokens=2", "policy.pcal.warps=4", NULL });
    assert_true(gate_of(&b, 0, 0).run == OLDEST(4));
    assert_true(gate_of(&b, 0, 7).run == OLDEST(7)); /* three wait, and the four oldest others run */
    assert_true(gate_of(&b, 0, 7).allocate == OLDEST(2));
    unbind_policies(&b.b);
}

static void pcal_without_probe_passes_the_cache_by(void **state)
{
    (void)state;
    for (uint32_t probe = 0; probe < 2; probe++) {
        struct bench b;
        open_bench(&b, "pcal", (const char *const[]){ probe ? "policy.pcal.probe=true" : "policy.pcal.probe=false", NULL });
        const struct policy_access a = fake_load(LEVEL_L1, 0, 128, 32);
        for (uint32_t token = 0; token < 2; token++) {
            struct policy_lookup lookup = { .no_allocate = !token, .fill_bytes = 128 };
            hooks_before_lookup(&b.b.instance->hooks.cache[LEVEL_L1], &a, &lookup);
            assert_int_equal(lookup.bypass, !token && !probe);
        }
        unbind_policies(&b.b);
    }
}

static uint64_t counted(const struct bench *b, const char *name)
{
    uint64_t all[32] = { 0 };
    const struct stat_counter *c = b->b.instance->self[0].policy->counters->counters;
    policy_instance_counters(b->b.instance, 0, all);
    for (uint32_t i = 0; c[i].name; i++)
        if (strcmp(c[i].name, name) == 0)
            return all[i];
    fail_msg("no counter %s", name);
    return 0;
}

/* Of SMs with the same IPC the one with fewer warps wins, and search (b) ends when all warps run. */
static void pcal_ends_with_all_warps(void **state)
{
    (void)state;
    struct bench b;
    open_bench(&b, "pcal", NULL);
    for (uint32_t i = 0; i < 4; i++) { /* warm up, tokens, run, warps: the last SM and a twin of it are best */
        for (uint32_t sm = 0; sm < FAKE_SMS; sm++)
            b.b.machine.totals[sm].thread_instructions = b.issued[sm] += sm >= 13 ? 2000 : 1000;
        hooks_serial(&b.b.instance->hooks, b.cycle += PERIOD);
    }
    assert_true(gate_of(&b, 0, 0).run == OLDEST(14 * 48 / 15)); /* 44, of SM 13, not 48 */
    for (uint64_t warps = 44; warps <= 48; warps++) {
        assert_true(gate_of(&b, 0, 0).run == OLDEST(warps));
        assert_true(gate_of(&b, 0, 0).allocate == OLDEST(44));
        end_period(&b, 0, 50000 + 1000 * warps);
    }
    assert_true(gate_of(&b, 0, 0).run == OLDEST(48) && gate_of(&b, 0, 0).allocate == OLDEST(44));
    assert_int_equal(counted(&b, "settled.throttled"), 1);
    assert_int_equal(counted(&b, "warps"), 48);
    assert_int_equal(counted(&b, "tokens"), 44);
    end_period(&b, 0, 200000); /* settled */
    assert_int_equal(counted(&b, "periods.all"), 10);
    assert_int_equal(counted(&b, "periods.searching"), 9);
    unbind_policies(&b.b);
}

static void pcal_with_fixed_numbers_does_not_search(void **state)
{
    (void)state;
    struct bench b;
    open_bench(&b, "pcal", (const char *const[]){ "policy.pcal.tokens=2", NULL });
    for (uint32_t i = 0; i < 6; i++)
        end_period(&b, 3, 14000);
    assert_true(gate_of(&b, 0, 0).run == OLDEST(48) && gate_of(&b, 0, 0).allocate == OLDEST(2));
    assert_int_equal(counted(&b, "periods.searching"), 0);
    unbind_policies(&b.b);
}

/* ---- cacheext: 32 sets of 4 ways and 1024 registers ---- */

static uint32_t ways_with(const char *names, uint32_t ctas, const char *const *settings)
{
    struct bench b;
    memset(&b, 0, sizeof b);
    bind_policies(&b.b, names, settings);
    const struct policy_kernel k = { .name = "k", .max_ctas_per_sm = ctas, .warps_per_cta = 6, .registers_per_thread = 15 };
    hooks_kernel_start(&b.b.instance->hooks, &k);
    const struct cache_hooks *h = &b.b.instance->hooks.cache[LEVEL_L1];
    const uint32_t bytes = h->storage.call.set_bytes(h->storage.self, LEVEL_L1);
    assert_int_equal(bytes % 128, 0);
    assert_int_equal(b.b.instance->geometry.cache[LEVEL_L1].tags, 4 + 1024 / 32);
    unbind_policies(&b.b);
    return bytes / 128;
}

static void cacheext_adds_whole_ways_of_unused_registers(void **state)
{
    (void)state;
    assert_int_equal(ways_with("cacheext", 8, NULL), 4 + (1024 - 8 * 6 * 16) / 32);
    assert_int_equal(ways_with("cacheext", 10, NULL), 4 + (1024 - 10 * 6 * 16) / 32);
    assert_int_equal(ways_with("cacheext", 0, NULL), 36);
    static const char *const limit[] = { "policy.swl.limit=4", NULL }, *const fixed[] = { "policy.swl.limit=4",
                                                                                          "policy.cacheext.dynamic=false", NULL };
    assert_int_equal(ways_with("swl,cacheext", 8, limit), 4 + (1024 - 2 * 4 * 16) / 32); /* two schedulers of four warps */
    assert_int_equal(ways_with("swl,cacheext", 8, fixed), 4 + (1024 - 8 * 6 * 16) / 32);
    assert_int_equal(ways_with("swl,cacheext", 1, limit), 4 + (1024 - 6 * 16) / 32); /* six warps: the limit holds nobody back */
}

/* A set has 64 tags at most: of 2048 registers and 16 sets, 128 ways, 60 are added. CERF has the same bound. */
static void sets_have_64_tags_at_most(void **state)
{
    (void)state;
    static const char *const names[] = { "cacheext", "cerf" };
    for (size_t i = 0; i < 2; i++) {
        struct bound b;
        struct policy_geometry g = fake_geometry();
        g.registers_per_sm = 65536;
        g.cache[LEVEL_L1].sets = 16;
        bind_policies_on(&b, NULL, &g, names[i], NULL);
        const struct policy_kernel k = { .name = "k", .max_ctas_per_sm = 1, .warps_per_cta = 1, .registers_per_thread = 16 };
        hooks_kernel_start(&b.instance->hooks, &k);
        const struct cache_hooks *h = &b.instance->hooks.cache[LEVEL_L1];
        assert_int_equal(b.instance->geometry.cache[LEVEL_L1].tags, 64);
        assert_int_equal(h->storage.call.set_bytes(h->storage.self, LEVEL_L1), 64 * 128);
        unbind_policies(&b);
    }
}

/* ---- cerf: 32 sets of 4 + 32 ways; warps have 16 registers each ---- */

static void issue(struct bench *b, uint32_t slot, uint16_t dst, uint16_t src, bool last, uint32_t active)
{
    struct fake_view v;
    fake_view_fill(&v, 0, 48, b->cycle);
    const struct inst inst = {
        .class = CLASS_INT_ADD, .ndst = dst != 0, .nsrc = src != 0, .dst = { dst }, .src = { src }, .last_reads = last
    };
    hooks_issued(&b->b.instance->hooks, &v.view, slot, &inst, active);
}

static uint32_t lines_taken(const struct bench *b)
{
    uint32_t bytes = 0;
    for (uint32_t set = 0; set < 32; set++)
        bytes += b->b.machine.space_taken[set];
    assert_int_equal(bytes % 128, 0);
    return bytes / 128;
}

static void cerf_registers_take_lines_while_they_live(void **state)
{
    (void)state;
    struct bench b;
    open_bench(&b, "cerf", NULL);
    assert_int_equal(b.b.instance->geometry.cache[LEVEL_L1].tags, 36);
    issue(&b, 3, 5, 0, false, UINT32_MAX);
    assert_int_equal(lines_taken(&b), 1);
    assert_int_equal(b.b.machine.space_taken[(3 * 16 + 5) % 32], 128);
    issue(&b, 3, 5, 0, false, UINT32_MAX); /* written again */
    assert_int_equal(lines_taken(&b), 1);
    issue(&b, 3, 6, 5, false, UINT32_MAX);
    assert_int_equal(lines_taken(&b), 2);
    issue(&b, 3, 0, 5, true, 0xFFFF); /* other lanes may still read it */
    assert_int_equal(lines_taken(&b), 2);
    issue(&b, 3, 0, 5, true, UINT32_MAX);
    assert_int_equal(lines_taken(&b), 1);
    for (uint16_t reg = 1; reg < 60; reg++) /* never more than the warp was given */
        issue(&b, 4, reg, 0, false, UINT32_MAX);
    assert_int_equal(lines_taken(&b), 17);
    struct fake_view v;
    fake_view_fill(&v, 0, 48, 0);
    hooks_warp_event(&b.b.instance->hooks.warp_end, &v.view, 4);
    assert_int_equal(lines_taken(&b), 1);
    unbind_policies(&b.b);
}

static void cerf_hits_and_fills_use_the_banks(void **state)
{
    (void)state;
    struct bench b;
    open_bench(&b, "cerf", NULL);
    const struct cache_hooks *h = &b.b.instance->hooks.cache[LEVEL_L1];
    struct policy_access a = fake_load(LEVEL_L1, 0, 128 * 7, 32);
    int request;
    a.request = (struct request *)(void *)&request;
    hooks_filled(h, &a, 20);
    struct fake_machine *m = &b.b.machine;
    assert_int_equal(m->access_number[0], 20 * 32 + 7);
    assert_true(m->access_write[0]);
    assert_true(h->storage.call.hit_later(h->storage.self, &a, 20));
    assert_false(m->access_write[1]);
    struct fake_view v;
    fake_view_fill(&v, 0, 48, 0);
    hooks_token(&b.b.instance->hooks.register_done, &v.view, m->access_token[0]);
    assert_int_equal(m->delivered, 0);
    hooks_token(&b.b.instance->hooks.register_done, &v.view, m->access_token[1]);
    assert_int_equal(m->delivered, 1);
    m->accesses = 64; /* the arbiter has no place left: an ordinary hit */
    assert_false(h->storage.call.hit_later(h->storage.self, &a, 20));
    unbind_policies(&b.b);
}

/* Numbers beyond those that a warp was given fall onto its own lines: 3 x 16 + 21 mod 16. A destination 0 is none. */
static void cerf_folds_numbers_into_the_warps_own(void **state)
{
    (void)state;
    struct bench b;
    open_bench(&b, "cerf", NULL);
    issue(&b, 3, 21, 0, false, UINT32_MAX);
    assert_int_equal(b.b.machine.space_taken[(3 * 16 + 5) % 32], 128);
    struct fake_view v;
    fake_view_fill(&v, 0, 48, 0);
    const struct inst none = { .class = CLASS_INT_ADD, .ndst = 1 };
    hooks_issued(&b.b.instance->hooks, &v.view, 3, &none, UINT32_MAX);
    assert_int_equal(lines_taken(&b), 1);
    unbind_policies(&b.b);
}

/* 48 warps of 16 registers are 24 lines of each of the 32 sets. However many warps have a register there, the L1's own four ways
 * stay: with 64 registers a warp, sets would hold 96. */
static void cerf_leaves_the_l1_its_ways(void **state)
{
    (void)state;
    struct bench b;
    open_bench(&b, "cerf", NULL);
    const struct policy_kernel k = { .name = "k", .max_ctas_per_sm = 8, .warps_per_cta = 6, .registers_per_thread = 64 };
    hooks_kernel_start(&b.b.instance->hooks, &k);
    for (uint32_t slot = 0; slot < 48; slot++)
        for (uint16_t reg = 1; reg < 64; reg++)
            issue(&b, slot, reg, 0, false, UINT32_MAX);
    for (uint32_t set = 0; set < 32; set++)
        assert_int_equal(b.b.machine.space_taken[set], 32 * 128);
    struct fake_machine *m = &b.b.machine;
    const struct policy_access a = fake_load(LEVEL_L1, 0, 128, 32);
    m->accesses = 64; /* no place for the fill's write: it is not delayed */
    hooks_filled(&b.b.instance->hooks.cache[LEVEL_L1], &a, 1);
    assert_int_equal(counted(&b, "fills"), 1);
    assert_int_equal(counted(&b, "fills_unqueued"), 1);
    unbind_policies(&b.b);
}

/* Paper 004: 5.64 KB. 2048 tags of 22 bits are 5.5. */
static void cerf_costs_its_tags(void **state)
{
    (void)state;
    struct bound b;
    struct policy_geometry g = fake_geometry();
    g.registers_per_sm = 65536;
    bind_policies_on(&b, NULL, &g, "cerf", NULL);
    const struct policy_self *self = &b.instance->self[0];
    struct policy_hardware rows[POLICY_HARDWARE_MAX];
    assert_int_equal(self->policy->hardware(self->config, self->geometry, rows), 1);
    assert_int_equal(rows[0].entries * rows[0].bits, 5632 * 8);
    unbind_policies(&b);
}

/* ---- cta-oracle: the fake machine says that the last of the numbers is best ---- */

static void the_oracle_runs_the_oldest_ctas(void **state)
{
    (void)state;
    for (uint32_t fixed = 0; fixed < 4; fixed += 3) {
        struct bench b;
        open_bench(&b, "cta-oracle",
                   (const char *const[]){ fixed ? "policy.cta-oracle.fixed=3" : "policy.cta-oracle.fixed=0", NULL });
        struct fake_view v;
        struct policy_gate gate;
        fake_view_fill(&v, 0, 48, 0);
        for (uint32_t slot = 0; slot < 48; slot++) {
            v.cta[slot] = (uint16_t)(slot / 6);
            v.age[slot] = 100 - slot; /* the last CTA is the oldest */
        }
        hooks_warp_gate(&b.b.instance->hooks, &v.view, &gate);
        const uint32_t ctas = fixed ? fixed : 1; /* 8, 4, 2 or 1 */
        assert_true((gate.run & v.view.resident) == (OLDEST(48) & ~OLDEST(48 - 6 * ctas)));
        assert_int_equal(counted(&b, "windows.all"), 1);
        assert_int_equal(counted(&b, "windows.limited"), 1);
        assert_int_equal(counted(&b, "ctas"), ctas);
        unbind_policies(&b.b);
    }
}

static uint32_t numbers_tried;
static uint32_t take_the_first(void *gpu, uint32_t count)
{
    (void)gpu;
    numbers_tried = count;
    return 0;
}

/* All that fit, and the powers of two below: 8 has 4, 2, 1; 5 has 4, 2, 1; 1 has none. */
static void the_oracle_tries_powers_of_two(void **state)
{
    (void)state;
    struct bench b;
    open_bench(&b, "cta-oracle", NULL);
    b.b.instance->machine.try_values = take_the_first;
    static const uint32_t fit[][2] = { { 8, 4 }, { 5, 4 }, { 1, 1 }, { 32, 6 } };
    for (size_t i = 0; i < sizeof fit / sizeof *fit; i++) {
        const struct policy_kernel k = { .name = "k", .max_ctas_per_sm = fit[i][0] };
        hooks_kernel_start(&b.b.instance->hooks, &k);
        assert_int_equal(numbers_tried, fit[i][1]);
        assert_true((gate_of(&b, 0, 0).run) == OLDEST(48));
    }
    unbind_policies(&b.b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pcal_searches_tokens_then_warps_and_takes_the_better),
        cmocka_unit_test(pcal_lets_nobody_in_when_memory_is_crowded),
        cmocka_unit_test(pcal_takes_fewer_tokens_where_they_are_as_good),
        cmocka_unit_test(pcal_does_not_count_warps_at_a_barrier),
        cmocka_unit_test(pcal_without_probe_passes_the_cache_by),
        cmocka_unit_test(pcal_ends_with_all_warps),
        cmocka_unit_test(pcal_with_fixed_numbers_does_not_search),
        cmocka_unit_test(cacheext_adds_whole_ways_of_unused_registers),
        cmocka_unit_test(sets_have_64_tags_at_most),
        cmocka_unit_test(cerf_registers_take_lines_while_they_live),
        cmocka_unit_test(cerf_hits_and_fills_use_the_banks),
        cmocka_unit_test(cerf_folds_numbers_into_the_warps_own),
        cmocka_unit_test(cerf_leaves_the_l1_its_ways),
        cmocka_unit_test(cerf_costs_its_tags),
        cmocka_unit_test(the_oracle_runs_the_oldest_ctas),
        cmocka_unit_test(the_oracle_tries_powers_of_two),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
