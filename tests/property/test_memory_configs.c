/* Random memory systems under a kernel that does a bit of everything: each must finish, with every law of the counters kept and no
 * request lost (gpu_run checks both), whatever the sizes; and what does not depend on the caches must not change with them. */
#include <stdio.h>
#include <string.h>

#include "../unit/cmocka_all.h"
#include "../unit/gpu/script_front.h"
#include "gpu/machine.h"
#include "policy/policy_set.h"

/* A build that looks at the whole machine after each tick takes a quarter of the machines. */
#ifdef CHECK_EVERY_TICK
enum { OF_FOUR = 1 };
#else
enum { OF_FOUR = 4 };
#endif
enum { CONFIGS = 8 * OF_FOUR, CTAS = 6, THREADS = 96, KERNELS = 2 };

static uint64_t spread(struct script_lane l)
{
    return 0xC0000000 + ((l.cta * 977 + l.warp * 131 + l.times * 7) % 512) * 128 + l.lane * 4;
}
static uint64_t strided(struct script_lane l)
{
    return 0xC0000000 + (((uint64_t)l.cta * 8 + l.warp) * 32 + l.lane) * 160 + l.times * 64;
}
static uint64_t half(struct script_lane l)
{
    return 0xC0100040 + (uint64_t)(l.cta * 8 + l.warp) * 128 + l.lane % 16 * 4;
}
static uint64_t own(struct script_lane l)
{
    return (uint64_t)l.times % 4 * 8;
}
static uint64_t parameter(struct script_lane l)
{
    return (uint64_t)l.times * 0 + 8;
}
static const struct script_row mixed[] = {
    { .class = CLASS_LOAD, .space = SPACE_PARAM, .bytes = 8, .dst = 9, .address = parameter },
    { .class = CLASS_LOAD, .space = SPACE_GLOBAL, .bytes = 4, .dst = 1, .src = { 9 }, .address = spread },
    { .class = CLASS_LOAD, .space = SPACE_GLOBAL, .bytes = 4, .dst = 2, .src = { 9 }, .address = strided },
    { .class = CLASS_FP_MAD, .dst = 3, .src = { 1, 2, 3 } },
    { .class = CLASS_STORE, .space = SPACE_GLOBAL, .bytes = 4, .src = { 3 }, .address = half },
    { .class = CLASS_STORE, .space = SPACE_LOCAL, .bytes = 8, .src = { 3 }, .address = own },
    { .class = CLASS_STORE, .space = SPACE_GLOBAL, .bytes = 4, .src = { 3 }, .address = strided },
    { .class = CLASS_LOAD, .space = SPACE_LOCAL, .bytes = 8, .dst = 7, .address = own },
    { .class = CLASS_ATOMIC, .space = SPACE_GLOBAL, .bytes = 4, .dst = 6, .src = { 7 }, .address = spread },
    { .class = CLASS_TEXTURE, .space = SPACE_TEXTURE, .bytes = 4, .dst = 10, .src = { 6 }, .address = strided },
    { .class = CLASS_ATOMIC, .space = SPACE_SHARED, .bytes = 4, .dst = 11, .src = { 7 }, .address = own },
    { .class = CLASS_LOAD, .space = SPACE_GLOBAL, .bytes = 1, .dst = 8, .address = half },
    { .class = CLASS_BRANCH, .target = 1, .trips = 3 },
    { .class = CLASS_EXIT },
};

/* Rows of the loop, the times it is run, and the two atomics in it. */
enum { LOOP_ROWS = 12, TIMES = 4, ATOMIC_LANES = CTAS * THREADS * 2 * TIMES };

/* One of these per parameter and configuration. */
static const struct choice {
    const char *key, *values[6];
} choices[] = {
    { "l1.sets", { "1", "2", "7", "32", "64" } },
    { "l1.ways", { "1", "2", "4", "70" } },
    { "l1.line", { "32", "64", "128" } },
    { "l1.index", { "linear" } },
    { "l1.replacement", { "lru", "fifo" } },
    { "l1.mshr_entries", { "1", "2", "64" } },
    { "l1.mshr_merges", { "1", "2", "8" } },
    { "l1.miss_queue", { "2", "3", "8" } },
    { "l1.hit_latency", { "1", "2", "35" } },
    { "l1.port_bytes", { "0", "32" } },
    { "l1.enabled", { "true", "true", "true", "false" } },
    { "l1.flush", { "true", "false" } },
    { "l1i.sets", { "1", "3", "4" } },
    { "l1i.mshr_entries", { "1", "2" } },
    { "l1i.allocate_on_miss", { "true", "false" } },
    { "l1c.ways", { "1", "2" } },
    { "l1c.mshr_merges", { "1", "32" } },
    { "l1c.miss_queue", { "1", "4" } },
    { "l2.sets", { "1", "5", "64" } },
    { "l2.ways", { "1", "2", "8", "65" } },
    { "l2.mshr_entries", { "1", "4", "256" } },
    { "l2.mshr_merges", { "1", "4" } },
    { "l2.miss_queue", { "2", "4" } },
    { "l2.port_bytes", { "0", "32", "64" } },
    { "l2.rop_latency", { "0", "1", "120" } },
    { "l2.input_queue", { "1", "2", "64" } },
    { "l2.output_queue", { "1", "64" } },
    { "l2.enabled", { "true", "true", "true", "false" } },
    { "l2.replacement", { "lru", "fifo" } },
    { "reference.misplace_upper_half", { "false", "true" } },
    { "reference.masks_add_up", { "false", "true" } },
    { "map.channels", { "1", "3", "6" } },
    { "gpu.sms", { "1", "2", "5" } },
    { "l1.sectored", { "false", "true" } },
    { "l1t.in_order", { "true", "true", "false" } },
    { "l1t.sets", { "1", "4" } },
    { "l1t.ways", { "1", "24" } },
    { "l1t.line", { "32", "128" } },
    { "l1t.fragments", { "1", "2", "128" } },
    { "l1t.reorder", { "1", "3", "128" } },
    { "l1t.results", { "1", "2" } },
    { "l1t.miss_queue", { "1", "4" } },
    { "l1t.mshr_entries", { "1", "4" } },
    { "gpu.ejection_buffer", { "1", "32" } },
    { "dram.queue", { "1", "64" } },
    { "dram.slice_in", { "1", "64" } },
    { "dram.slice_out", { "1", "64" } },
    { "dram.return_queue", { "1", "116" } },
    { "reference.rounded_clocks", { "false", "true" } },
    { "reference.clocks_go_on", { "false", "true" } },
    { "gpu.dram_clock", { "924MHz", "333MHz" } },
    /* the reference's slips: no law and no request may be lost by them */
    { "reference.l1_blind_fills", { "false", "true" } },
    { "reference.l2_blind_fills", { "false", "true" } },
    { "reference.late_atomics", { "false", "true" } },
    { "reference.late_writebacks", { "false", "true" } },
    { "reference.copies", { "false", "true" } },
    { "l2.memcpy_fills", { "false", "true" } },
};

static uint32_t pick(uint64_t *x, uint32_t n)
{
    *x = *x * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*x >> 33) % n;
}

static void configure(struct param_space *space, uint64_t *x, char *text, size_t size)
{
    struct error err;
    size_t used = 0;
    for (size_t i = 0; i < sizeof choices / sizeof choices[0]; i++) {
        uint32_t n = 0;
        while (n < 6 && choices[i].values[n])
            n++;
        const char *value = choices[i].values[pick(x, n)];
        used += (size_t)snprintf(text + used, size - used, "%s=%s ", choices[i].key, value);
        if (!param_set(space, choices[i].key, value, "test", &err))
            fail_msg("%s", err.text);
    }
}

/* The answers that no cache may change. */
struct work {
    uint64_t warp_instructions, stores, atomics, local_and_global_loads;
    uint64_t cycles, l1_hits, l1_misses, l1_sent; /* these depend on the machine */
};

static void run_kernel(struct gpu *gpu, const char *policies, const char *text, struct work *w)
{
    struct front *front = script_front(mixed, sizeof mixed / sizeof mixed[0], CTAS, THREADS);
    struct kernel_result r;
    struct error err = { 0 };
    uint32_t count;
    const struct stat_group *const *groups = gpu_stat_groups(gpu, &count);
    if (!gpu_run(gpu, front, NULL, &r, &err))
        fail_msg("%s %s: %s", policies, text, err.text);
    assert_true(r.complete);
    w->warp_instructions += r.warp_instructions;
    w->cycles += r.cycles;
    for (uint32_t i = 0; i < count; i++)
        if (groups[i] == &l1_stat_group) {
            const struct l1_counters *c = r.counters[i];
            w->stores += c->writes;
            w->atomics += c->atomics;
            w->local_and_global_loads += c->accesses;
            w->l1_hits += c->hits;
            w->l1_misses += c->misses;
            w->l1_sent += c->sent;
        }
    if (front->late_atomics)
        assert_int_equal(script_front_late_lanes(front), ATOMIC_LANES);
    kernel_result_clear(&r);
    script_front_free(front);
}

enum fit { FIT_ANY, FIT_LINE_128, FIT_PIECES }; /* what the policies want of the L1 */

static void make_fit(struct machine_config *config, enum fit fit)
{
    struct l1_config *l1 = &config->l1;
    if (fit != FIT_ANY || l1->sectored)
        l1->line_bytes = 128;
    if (fit == FIT_PIECES) {
        l1->sectored = false;
        l1->ways = l1->ways > 12 ? 12 : l1->ways;
    }
    if (l1->sectored || fit == FIT_PIECES) { /* l1_config_check, l1_config_takes_pieces */
        l1->miss_queue = l1->miss_queue < 3 ? 3 : l1->miss_queue;
        l1->mshr_entries = l1->mshr_entries < 2 ? 2 : l1->mshr_entries;
        config->reference.l1_blind_fills = false;
    }
}

/* `assignments`: separated by blanks. */
static struct policy_set *make_policies(const char *policies, const char *assignments)
{
    struct error err = { 0 };
    struct policy_set *set = policy_set_new(NULL, policies, &err);
    struct param_space *space = param_space_new();
    assert_non_null(set);
    policy_set_add_params(set, space);
    char one[128];
    for (int length = 0; assignments && sscanf(assignments, "%127s%n", one, &length) == 1; assignments += length)
        if (!param_set_assignment(space, one, "test", &err))
            fail_msg("%s", err.text);
    param_space_free(space);
    return set;
}

static struct work run(uint64_t *x, const char *policies, const char *assignment, enum fit fit)
{
    static char text[4096];
    struct error err = { 0 };
    struct machine_config *config = machine_config_new();
    struct param_space *space = param_space_new();
    machine_config_bind(config, space);
    configure(space, x, text, sizeof text);
    make_fit(config, fit);
    struct policy_set *set = make_policies(policies, assignment);
    struct gpu *gpu = gpu_new(config, set, &err);
    if (!gpu)
        fail_msg("%s: %s", text, err.text);
    struct work w = { 0 };
    for (int k = 0; k < KERNELS; k++) { /* what one leaves behind, in queues too, meets the next */
        run_kernel(gpu, policies, text, &w);
        gpu_host_copied(gpu, HOST_COPY_IN, 0xC0000000, 5000);
        gpu_host_copied(gpu, HOST_COPY_OUT, 0xC0100000, 3000);
        gpu_host_copied(gpu, HOST_SET, 0xC0002000, 300);
    }
    gpu_free(gpu);
    policy_set_free(set);
    param_space_free(space);
    machine_config_free(config);
    return w;
}

static void every_memory_system_finishes_the_work(void **state)
{
    (void)state;
    uint64_t x = 2026;
    for (int i = 0; i < CONFIGS; i++)
        assert_int_equal(run(&x, "", NULL, FIT_ANY).warp_instructions,
                         KERNELS * CTAS * (THREADS / 32) * (1 + LOOP_ROWS * TIMES + 1));
}

/* With policies that bypass, re-index or replace: as many accesses as without, wherever they go. */
static void policies_lose_no_access(void **state)
{
    (void)state;
    static const char *const sets[] = { "srrip",
                                        "random",
                                        "bypass-l1",
                                        "bypass-all",
                                        "stream-bypass",
                                        "mrpb",
                                        "ship",
                                        "drrip",
                                        "pdp",
                                        "profiled-bypass",
                                        "id-bypass-pcdiv",
                                        "decoupled-l1d",
                                        "decoupled-l1d,srrip",
                                        "decoupled-l1d,drrip",
                                        "decoupled-l1d,ship",
                                        "decoupled-l1d,mrpb" };
    for (uint64_t seed = 1; seed <= (OF_FOUR + 2) / 2; seed++) {
        uint64_t x = seed;
        const struct work plain = run(&x, "", NULL, FIT_LINE_128);
        for (uint32_t i = 0; i < sizeof sets / sizeof sets[0]; i++) {
            x = seed;
            const struct work with = run(&x, sets[i], NULL, FIT_LINE_128);
            assert_int_equal(with.warp_instructions, plain.warp_instructions);
            assert_int_equal(with.stores, plain.stores);
            assert_int_equal(with.atomics, plain.atomics);
            assert_int_equal(with.local_and_global_loads, plain.local_and_global_loads);
        }
    }
}

/* Paper 003, 4.3: with a threshold of 0 the decoupled L1 is the plain one, to the cycle, whatever the memory system. And with one
 * of 1 and a tag store that is large enough it fills lines. */
static void a_filter_that_is_off_is_the_plain_machine(void **state)
{
    (void)state;
    uint64_t filtered = 0;
    for (uint64_t seed = 1; seed <= 2 * OF_FOUR + 2; seed++) {
        uint64_t x = seed;
        const struct work plain = run(&x, "", NULL, FIT_LINE_128);
        x = seed;
        const struct work off = run(&x, "decoupled-l1d", "policy.decoupled-l1d.threshold=0", FIT_LINE_128);
        assert_memory_equal(&off, &plain, sizeof plain);
        x = seed;
        const struct work on =
            run(&x, "decoupled-l1d",
                "policy.decoupled-l1d.duel=false policy.decoupled-l1d.tag_ways=64 policy.decoupled-l1d.threshold=1", FIT_LINE_128);
        assert_int_equal(on.local_and_global_loads, plain.local_and_global_loads);
        filtered += on.l1_misses;
    }
    assert_true(filtered > 0);
}

/* Lines stored in pieces: nothing is lost, and with one size of a whole line it is the plain machine to the cycle. */
static void pieces_of_whole_lines_are_the_plain_machine(void **state)
{
    (void)state;
    static const char *const sets[] = { "alsi",      "id-cache",   "alsi,srrip",        "alsi,random", "static-bdi",
                                        "static-sc", "static-bpc", "static-fpc,random", "adaptive-cmp" };
    for (uint64_t seed = 1; seed <= 3 * OF_FOUR; seed++) {
        uint64_t x = seed;
        const struct work plain = run(&x, "", NULL, FIT_PIECES);
        x = seed;
        const struct work whole = run(&x, "alsi", "policy.alsi.size=128", FIT_PIECES);
        assert_memory_equal(&whole, &plain, sizeof plain);
        x = seed;
        const struct work none = run(&x, "compressed-l1", "policy.compressed-l1.algorithm=none", FIT_PIECES);
        assert_memory_equal(&none, &plain, sizeof plain);
        x = seed; /* looks, and changes nothing */
        const struct work measured = run(&x, "compressibility", NULL, FIT_PIECES);
        assert_memory_equal(&measured, &plain, sizeof plain);
        x = seed; /* compresses, and neither the space nor the time is used */
        const struct work unused = run(&x, "static-bpc",
                                       "policy.compressed-l1.effect=latency policy.compressed-l1.compress_cycles=0,0,0,0,0 "
                                       "policy.compressed-l1.decompress_cycles=0,0,0,0,0",
                                       FIT_PIECES);
        assert_memory_equal(&unused, &plain, sizeof plain);
        for (uint32_t i = 0; seed <= (OF_FOUR + 2) / 2 && i < sizeof sets / sizeof sets[0]; i++) {
            x = seed;
            const struct work with = run(&x, sets[i], NULL, FIT_PIECES);
            assert_int_equal(with.warp_instructions, plain.warp_instructions);
            assert_int_equal(with.stores, plain.stores);
            assert_int_equal(with.local_and_global_loads, plain.local_and_global_loads);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_memory_system_finishes_the_work),
        cmocka_unit_test(policies_lose_no_access),
        cmocka_unit_test(a_filter_that_is_off_is_the_plain_machine),
        cmocka_unit_test(pieces_of_whole_lines_are_the_plain_machine),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
