/* The L1.5 of a machine of modules, on scripted kernels: what it keeps, who goes around it, what it costs the links, when it is
 * emptied. */
#include "modules_bench.h"

/* One SM of module 0, the L1 off: four loads of each of 16 lines, in module 0 or 1, then a store to each. */
static uint32_t line_module;
static uint64_t sixteen_lines(struct script_lane l)
{
    return 0xC0000000 + (uint64_t)(l.times % 16) * 8 * 256 * 16 + line_module * 256 + l.lane * 4;
}
static const struct script_row again[] = {
    { .class = CLASS_LOAD, .space = SPACE_GLOBAL, .bytes = 4, .dst = 1, .src = { 1 }, .address = sixteen_lines },
    { .class = CLASS_BRANCH, .src = { 1 }, .target = 0, .trips = 63 },
    { .class = CLASS_STORE, .space = SPACE_GLOBAL, .bytes = 4, .src = { 1 }, .address = sixteen_lines },
    { .class = CLASS_ATOMIC, .space = SPACE_GLOBAL, .bytes = 4, .dst = 2, .src = { 1 }, .address = sixteen_lines },
    { .class = CLASS_EXIT },
};

static void the_l15_keeps_what_is_remote_or_all(void **state)
{
    (void)state;
    for (uint32_t all = 0; all < 2; all++)
        for (line_module = 0; line_module < 2; line_module++) {
            const char *const settings[] = { "gpu.sms=4",        "map.channels=8",
                                             "gpu.modules=4",    all ? "l15.keeps=all" : "l15.keeps=remote",
                                             "l1.enabled=false", NULL };
            struct gpu *gpu = machine_with(settings);
            const bool kept = all || line_module;
            for (uint32_t launch = 0; launch < 2; launch++) { /* emptied in between: the same again */
                gpu->last_sm = gpu->sm_count - 1;             /* the CTA goes to SM 0, of module 0 */
                struct kernel_result r = run_on(gpu, again, 5, 1, 32);
                const struct l15_counters *l15 = counters_of(gpu, &r, &l15_stat_group);
                assert_int_equal(l15->global_read_misses + l15->global_read_sector_misses,
                                 kept ? 64 : 0); /* 16 lines of 4 sectors */
                assert_int_equal(l15->global_read_hits, kept ? 192 : 0);
                assert_int_equal(l15->bypassed, kept ? 4 + 4 : 0); /* a store and an atomic of 4 sectors */
                assert_int_equal(l15->writebacks, 0);
                assert_null(gpu_broken(gpu));
                kernel_result_clear(&r);
            }
            gpu_free(gpu);
        }
}

/* Loads that must not look into an L1 must not look into its extension either (paper 002, 5.3.3). */
static const struct script_row coherent[] = {
    { .class = CLASS_LOAD,
      .space = SPACE_GLOBAL,
      .bytes = 4,
      .cache_op = CACHE_GLOBAL,
      .dst = 1,
      .src = { 1 },
      .address = sixteen_lines },
    { .class = CLASS_BRANCH, .src = { 1 }, .target = 0, .trips = 63 },
    { .class = CLASS_LOAD, .space = SPACE_GLOBAL, .bytes = 4, .dst = 1, .src = { 1 }, .address = sixteen_lines },
    { .class = CLASS_EXIT },
};

static void coherent_loads_go_around_the_l15(void **state)
{
    (void)state;
    line_module = 1;
    struct gpu *gpu = machine_with((const char *const[]){ "gpu.sms=4", "map.channels=8", "gpu.modules=4", "l15.keeps=all", NULL });
    gpu->last_sm = gpu->sm_count - 1;
    struct kernel_result r = run_on(gpu, coherent, 4, 1, 32);
    const struct l15_counters *l15 = counters_of(gpu, &r, &l15_stat_group);
    assert_int_equal(l15->global_read_hits, 0);
    assert_int_equal(l15->bypassed, 64 * 4);
    assert_int_equal(l15->global_read_misses + l15->global_read_sector_misses, 4); /* the plain load: nothing of it was kept */
    kernel_result_clear(&r);
    gpu_free(gpu);
}

/* By hand: four sectors come; they hit before a store to them, after it, and no more after an atomic; then they do again. */
static uint64_t one_line(struct script_lane l)
{
    return 0xC0000000 + 256 + l.lane * 4;
}
#define LOAD_ONE_LINE                                                                                                              \
    {                                                                                                                              \
        .class = CLASS_LOAD, .space = SPACE_GLOBAL, .bytes = 4, .dst = 1, .src = { 1 }, .address = one_line                        \
    }
static const struct script_row old_values[] = {
    LOAD_ONE_LINE,
    LOAD_ONE_LINE,
    { .class = CLASS_STORE, .space = SPACE_GLOBAL, .bytes = 4, .src = { 1 }, .address = one_line },
    LOAD_ONE_LINE,
    { .class = CLASS_ATOMIC, .space = SPACE_GLOBAL, .bytes = 4, .dst = 1, .src = { 1 }, .address = one_line },
    LOAD_ONE_LINE,
    LOAD_ONE_LINE,
    { .class = CLASS_EXIT },
};

static void an_atomic_takes_its_sectors_out_of_the_l15(void **state)
{
    (void)state;
    for (uint32_t hooked = 0; hooked < 2; hooked++) {
        const char *const settings[] = { "gpu.sms=4",
                                         "map.channels=8",
                                         "gpu.modules=4",
                                         "l15.keeps=remote",
                                         "l1.enabled=false",
                                         hooked ? "policy.lru.at=l15" : NULL,
                                         NULL };
        struct gpu *gpu = hooked ? machine_of(settings, "lru") : machine_with(settings);
        gpu->last_sm = gpu->sm_count - 1;
        struct kernel_result r = run_on(gpu, old_values, 8, 1, 32);
        const struct l15_counters *l15 = counters_of(gpu, &r, &l15_stat_group);
        assert_int_equal(l15->global_read_misses + l15->global_read_sector_misses, 2 * 4);
        assert_int_equal(l15->global_read_hits, 3 * 4);
        assert_int_equal(l15->bypassed, 2 * 4);
        assert_null(gpu_broken(gpu));
        kernel_result_clear(&r);
        gpu_free(gpu);
        if (hooked)
            policy_set_free(policies);
    }
}

/* A line that is loaded, and loaded again after a fence, stored, and an atomic of it: with an L1.5, which does all of them sector
 * by sector, as many bytes go to another module as without. */
static const struct script_row whole_lines[] = {
    LOAD_ONE_LINE,
    { .class = CLASS_FENCE },
    LOAD_ONE_LINE,
    { .class = CLASS_STORE, .space = SPACE_GLOBAL, .bytes = 4, .src = { 1 }, .address = one_line },
    { .class = CLASS_ATOMIC, .space = SPACE_GLOBAL, .bytes = 4, .dst = 1, .src = { 1 }, .address = one_line },
    { .class = CLASS_EXIT },
};

static void a_line_has_one_header_on_the_links(void **state)
{
    (void)state;
    static const char *const keeps[] = { "l15.keeps=nothing", "l15.keeps=remote", "l15.keeps=all" };
    for (uint32_t i = 0; i < 3; i++) {
        struct gpu *gpu = machine_with((const char *const[]){ "gpu.sms=4", "map.channels=8", "gpu.modules=4", keeps[i], NULL });
        gpu->last_sm = gpu->sm_count - 1;
        struct kernel_result r = run_on(gpu, whole_lines, 6, 1, 32);
        const struct link_counters *links = counters_of(gpu, &r, &link_stat_group);
        assert_int_equal(links->request_bytes, 2 * 8 + (8 + 128) + 4 * (8 + 32));      /* an atomic leaves the SM in sectors */
        assert_int_equal(links->reply_bytes, 2 * 4 * (8 + 32) + 4 * 8 + 4 * (8 + 32)); /* loads, a store's sectors, the atomic's */
        assert_int_equal(links->package_byte_hops, links->request_bytes + links->reply_bytes); /* one hop */
        kernel_result_clear(&r);
        gpu_free(gpu);
    }
}

/* The same lines before a fence and twice after it: the L1.5 of the module is empty in between, or not (l15.fence). */
static const struct script_row around_a_fence[] = {
    { .class = CLASS_LOAD, .space = SPACE_GLOBAL, .bytes = 4, .dst = 1, .src = { 1 }, .address = sixteen_lines },
    { .class = CLASS_BRANCH, .src = { 1 }, .target = 0, .trips = 15 },
    { .class = CLASS_FENCE },
    { .class = CLASS_LOAD, .space = SPACE_GLOBAL, .bytes = 4, .dst = 1, .src = { 1 }, .address = sixteen_lines },
    { .class = CLASS_BRANCH, .src = { 1 }, .target = 3, .trips = 31 },
    { .class = CLASS_EXIT },
};

static void a_fence_empties_the_l15_too(void **state)
{
    (void)state;
    line_module = 1;
    for (uint32_t empties = 0; empties < 2; empties++) {
        const char *const settings[] = { "gpu.sms=4",
                                         "map.channels=8",
                                         "gpu.modules=4",
                                         "l15.keeps=remote",
                                         "l1.enabled=false",
                                         empties ? "l15.fence=true" : "l15.fence=false",
                                         NULL };
        struct gpu *gpu = machine_with(settings);
        gpu->last_sm = gpu->sm_count - 1;
        struct kernel_result r = run_on(gpu, around_a_fence, 6, 1, 32);
        const struct l15_counters *l15 = counters_of(gpu, &r, &l15_stat_group);
        assert_int_equal(l15->global_read_misses + l15->global_read_sector_misses, empties ? 128 : 64);
        assert_int_equal(l15->global_read_hits, empties ? 64 : 128);
        kernel_result_clear(&r);
        gpu_free(gpu);
    }
}

/* Three warps ask for lines of a set of two, over links that take 20000 cycles: the third waits for a line. The fence of a fourth,
 * which has nothing to wait for, frees them, and wakes the bank, which slept: the third line comes soon after the others, and not
 * 40000 cycles later. */
static uint64_t a_line_for_each(struct script_lane l)
{
    return 0xC0000000 + (l.warp < 3 ? 256 + l.warp * 8 * 256 * 16 : 0) + l.lane * 4;
}
static const struct script_row wait_and_fence[] = {
    { .class = CLASS_LOAD, .space = SPACE_GLOBAL, .bytes = 4, .dst = 1, .address = a_line_for_each },
    { .class = CLASS_BRANCH, .target = 1, .trips = 200 },
    { .class = CLASS_FENCE },
    { .class = CLASS_EXIT },
};

static void a_fence_wakes_who_waits_for_a_line(void **state)
{
    (void)state;
    for (uint32_t empties = 0; empties < 2; empties++) {
        const char *const settings[] = {
            "gpu.sms=4",  "map.channels=8", "gpu.modules=4",      "l15.keeps=remote",
            "l15.sets=1", "l15.ways=2",     "link.latency=20000", empties ? "l15.fence=true" : "l15.fence=false",
            NULL
        };
        struct gpu *gpu = machine_with(settings);
        gpu->last_sm = gpu->sm_count - 1;
        struct kernel_result r = run_on(gpu, wait_and_fence, 4, 1, 128);
        const struct l15_counters *l15 = counters_of(gpu, &r, &l15_stat_group);
        assert_true(l15->refused_line_alloc > 100);
        assert_true(empties ? r.cycles < 60000 : r.cycles > 80000);
        kernel_result_clear(&r);
        gpu_free(gpu);
    }
}

/* Warps of both SMs of every module load, each with fences of its own: some lines are on their way when others' fences empty the
 * bank. A machine that sleeps does the same as one that does not. */
static uint64_t few_lines(struct script_lane l)
{
    return 0xC0000000 + (uint64_t)((l.times * 5 + l.cta * 3) % 48) * 256 + l.lane * 4;
}
static const struct script_row fences_between[] = {
    { .class = CLASS_LOAD, .space = SPACE_GLOBAL, .bytes = 4, .dst = 1, .src = { 2 }, .address = few_lines },
    { .class = CLASS_LOAD, .space = SPACE_GLOBAL, .bytes = 4, .dst = 2, .src = { 3 }, .address = few_lines },
    { .class = CLASS_STORE, .space = SPACE_GLOBAL, .bytes = 4, .src = { 3 }, .address = few_lines },
    { .class = CLASS_FENCE },
    { .class = CLASS_BRANCH, .src = { 3 }, .target = 0, .trips = 20 },
    { .class = CLASS_EXIT },
};

static void fences_of_many_leave_a_sound_l15(void **state)
{
    (void)state;
    uint64_t cycles[2];
    for (uint32_t awake = 0; awake < 2; awake++) {
        const char *const settings[] = { "gpu.sms=8",
                                         "map.channels=8",
                                         "gpu.modules=4",
                                         "l15.keeps=all",
                                         "l15.sets=1",
                                         "l15.ways=2",
                                         awake ? "sm.never_sleep=true" : "sm.never_sleep=false",
                                         NULL };
        struct gpu *gpu = machine_with(settings);
        struct kernel_result r = run_on(gpu, fences_between, 6, 24, 64);
        assert_null(gpu_broken(gpu));
        cycles[awake] = r.cycles;
        kernel_result_clear(&r);
        gpu_free(gpu);
    }
    assert_int_equal(cycles[0], cycles[1]);
}

/* A and B fill the set, A is stored to, C comes: B goes, with the cache's own order and with lru's. */
static uint64_t line_a(struct script_lane l)
{
    return 0xC0000000 + 256 + l.lane * 4;
}
static uint64_t line_b(struct script_lane l)
{
    return line_a(l) + 8 * 256 * 16;
}
static uint64_t line_c(struct script_lane l)
{
    return line_a(l) + 2 * 8 * 256 * 16;
}
static const struct script_row stored_in_between[] = {
    { .class = CLASS_LOAD, .space = SPACE_GLOBAL, .bytes = 4, .dst = 1, .src = { 1 }, .address = line_a },
    { .class = CLASS_LOAD, .space = SPACE_GLOBAL, .bytes = 4, .dst = 1, .src = { 1 }, .address = line_b },
    { .class = CLASS_STORE, .space = SPACE_GLOBAL, .bytes = 4, .src = { 1 }, .address = line_a },
    { .class = CLASS_LOAD, .space = SPACE_GLOBAL, .bytes = 4, .dst = 1, .src = { 1 }, .address = line_c },
    { .class = CLASS_LOAD, .space = SPACE_GLOBAL, .bytes = 4, .dst = 1, .src = { 1 }, .address = line_a },
    { .class = CLASS_EXIT },
};

static void a_store_through_the_l15_is_a_use(void **state)
{
    (void)state;
    for (uint32_t hooked = 0; hooked < 2; hooked++) {
        const char *const settings[] = { "gpu.sms=4",
                                         "map.channels=8",
                                         "gpu.modules=4",
                                         "l15.keeps=remote",
                                         "l1.enabled=false",
                                         "l15.sets=1",
                                         "l15.ways=2",
                                         hooked ? "policy.lru.at=l15" : NULL,
                                         NULL };
        struct gpu *gpu = hooked ? machine_of(settings, "lru") : machine_with(settings);
        gpu->last_sm = gpu->sm_count - 1;
        struct kernel_result r = run_on(gpu, stored_in_between, 6, 1, 32);
        const struct l15_counters *l15 = counters_of(gpu, &r, &l15_stat_group);
        assert_int_equal(l15->global_read_misses + l15->global_read_sector_misses, 3 * 4);
        assert_int_equal(l15->global_read_hits, 4); /* A again */
        kernel_result_clear(&r);
        gpu_free(gpu);
        if (hooked)
            policy_set_free(policies);
    }
}

/* Policies choose victims of the L1.5 as they do of the L1 and the L2: lru through the hooks is the cache's own. */
static void policies_hang_on_the_l15(void **state)
{
    (void)state;
    const char *const settings[] = { "gpu.sms=8", "map.channels=8", "gpu.modules=4", "l15.keeps=all", "l15.sets=2", "l15.ways=4",
                                     NULL };
    const char *const hooked[] = { "gpu.sms=8",  "map.channels=8", "gpu.modules=4",     "l15.keeps=all",
                                   "l15.sets=2", "l15.ways=4",     "policy.lru.at=l15", NULL };
    struct gpu *own = machine_with(settings);
    struct kernel_result a = run_on(own, mixed, MIXED, 40, 128);
    struct gpu *lru = machine_of(hooked, "lru");
    struct kernel_result b = run_on(lru, mixed, MIXED, 40, 128);
    uint64_t events = 0; /* that the policy was told of, in its state of each bank */
    for (uint32_t bank = 0; bank < lru->slice_count; bank++)
        events += *(const uint64_t *)policy_unit_state(&lru->policies->self[0], LEVEL_L15, bank);
    assert_true(events > 1000);
    assert_int_equal(a.cycles, b.cycles);
    assert_memory_equal(counters_of(own, &a, &l15_stat_group), counters_of(lru, &b, &l15_stat_group), sizeof(struct l15_counters));
    kernel_result_clear(&a);
    kernel_result_clear(&b);
    gpu_free(own);
    gpu_free(lru);
    policy_set_free(policies);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_l15_keeps_what_is_remote_or_all),
        cmocka_unit_test(coherent_loads_go_around_the_l15),
        cmocka_unit_test(an_atomic_takes_its_sectors_out_of_the_l15),
        cmocka_unit_test(a_line_has_one_header_on_the_links),
        cmocka_unit_test(a_fence_empties_the_l15_too),
        cmocka_unit_test(a_fence_wakes_who_waits_for_a_line),
        cmocka_unit_test(fences_of_many_leave_a_sound_l15),
        cmocka_unit_test(a_store_through_the_l15_is_a_use),
        cmocka_unit_test(policies_hang_on_the_l15),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
