/* Machines of several modules, on scripted kernels: what a road to another module costs, and that nothing is lost on it. */
#include "cmocka_all.h"
#include "gpu/gpu_state.h"
#include "script_front.h"

#include <string.h>

static struct policy_set *policies; /* of the machine that was made last */

static struct gpu *machine_of(const char *const *settings, const char *names)
{
    struct machine_config *config = machine_config_new();
    struct param_space *space = param_space_new();
    machine_config_bind(config, space);
    struct error err = { 0 };
    policies = names ? policy_set_new(NULL, names, &err) : NULL;
    if (policies)
        policy_set_add_params(policies, space);
    for (; settings && *settings; settings++)
        if (!param_set_assignment(space, *settings, "test", &err))
            fail_msg("%s", err.text);
    param_space_free(space);
    struct gpu *gpu = gpu_new(config, policies, &err);
    if (!gpu)
        fail_msg("%s", err.text);
    machine_config_free(config);
    return gpu;
}

static struct gpu *machine_with(const char *const *settings)
{
    return machine_of(settings, NULL);
}

/* One kernel; the caller frees the machine and clears the result. The front end is kept until the next one: what looks at the
 * machine afterwards asks it how many CTAs there are. */
static struct front *last_front;
static struct kernel_result run_on(struct gpu *gpu, const struct script_row *rows, uint32_t count, uint32_t ctas, uint32_t threads)
{
    struct error err = { 0 };
    struct front *front = script_front(rows, count, ctas, threads);
    struct kernel_result result;
    if (!gpu_run(gpu, front, NULL, &result, &err))
        fail_msg("%s", err.text);
    if (last_front)
        script_front_free(last_front);
    last_front = front;
    return result;
}

static const void *counters_of(const struct gpu *gpu, const struct kernel_result *r, const struct stat_group *group)
{
    for (uint32_t i = 0; i < gpu->group_count; i++)
        if (gpu->groups[i] == group)
            return r->counters[i];
    fail_msg("no counters");
    return NULL;
}

/* ---- the price of a road ------------------------------------------------------------------------------------------------ */

/* Eight channels, two in each of four modules; 256 bytes to a channel in turn: channel 2m is the first of module m. */
static uint32_t target;
static uint64_t in_module(struct script_lane l)
{
    return 0xC0000000 + (uint64_t)(l.times % 64) * 8 * 256 * 16 + target * 512;
}
static double per_step(const char *topology, uint32_t module)
{
    const char *const settings[] = { "gpu.sms=8", "map.channels=8",        "gpu.modules=4",
                                     topology,    "gpu.dram_clock=700MHz", "l1.enabled=false",
                                     NULL };
    uint64_t cycles[2];
    target = module;
    for (uint32_t i = 0; i < 2; i++) {
        const struct script_row chase[] = {
            { .class = CLASS_LOAD, .space = SPACE_GLOBAL, .bytes = 4, .dst = 1, .src = { 1 }, .address = in_module },
            { .class = CLASS_BRANCH, .src = { 1 }, .target = 0, .trips = i ? 599 : 299 },
            { .class = CLASS_EXIT }
        };
        struct gpu *gpu = machine_with(settings);
        struct kernel_result result = run_on(gpu, chase, 3, 1, 1);
        cycles[i] = result.cycles;
        kernel_result_clear(&result);
        gpu_free(gpu);
    }
    return (double)(cycles[1] - cycles[0]) / 300;
}

/* A hop is 32 cycles each way. Beside it a road crosses a network once more each way, 5 cycles each for a request and a reply of
 * one flit, with a cycle each for the ports before and behind the links: 64 for each hop, and 14. */
static void a_hop_costs_32_cycles_each_way(void **state)
{
    (void)state;
    static const struct {
        const char *topology;
        uint32_t hops[4];
    } all[] = { { "link.topology=ring", { 0, 1, 2, 1 } },
                { "link.topology=mesh", { 0, 1, 1, 2 } },
                { "link.topology=switch", { 0, 2, 2, 2 } } };
    for (uint32_t t = 0; t < 3; t++) {
        const double here = per_step(all[t].topology, 0);
        for (uint32_t m = 1; m < 4; m++) {
            const double road = per_step(all[t].topology, m) - here, crossings = road - 64.0 * all[t].hops[m];
            print_message("%s to module %u: %.2f cycles more, %u hops\n", all[t].topology, m, road, all[t].hops[m]);
            assert_true(crossings == 14);
        }
    }
}

/* Sixteen warps of one SM ask module 1 for a line each, 25 and 50 times, over links of 1.4 GB/s: 2 bytes per core cycle of 700 MHz.
 * A reply is of four sectors, each with a header of 8 bytes: 400 more replies of 160 bytes take 32000 cycles more, and a little for
 * warps that wait. */
static uint64_t lines_of_module(struct script_lane l)
{
    const uint64_t line = (uint64_t)l.times * 16 + l.warp;
    return 0xC0000000 + line / 4 * 8 * 256 + target * 512 + line % 4 * 128 + l.lane * 4;
}
static void replies_take_the_bandwidth_of_a_link(void **state)
{
    (void)state;
    static const char *const topologies[] = { "link.topology=ring", "link.topology=mesh", "link.topology=switch" };
    target = 1;
    for (uint32_t t = 0; t < 3; t++) {
        const char *const settings[] = { "gpu.sms=8",   "map.channels=8",   "gpu.modules=4",
                                         topologies[t], "l1.enabled=false", "link.bandwidth=1400",
                                         NULL };
        uint64_t cycles[2], bytes[2];
        for (uint32_t i = 0; i < 2; i++) {
            const struct script_row stream[] = {
                { .class = CLASS_LOAD, .space = SPACE_GLOBAL, .bytes = 4, .dst = 1, .address = lines_of_module },
                { .class = CLASS_BRANCH, .target = 0, .trips = i ? 49 : 24 },
                { .class = CLASS_EXIT }
            };
            struct gpu *gpu = machine_with(settings);
            struct kernel_result result = run_on(gpu, stream, 3, 1, 512);
            const struct link_counters *links = counters_of(gpu, &result, &link_stat_group);
            cycles[i] = result.cycles;
            bytes[i] = links->reply_bytes;
            kernel_result_clear(&result);
            gpu_free(gpu);
        }
        print_message("%s: %llu bytes in %llu cycles\n", topologies[t], (unsigned long long)(bytes[1] - bytes[0]),
                      (unsigned long long)(cycles[1] - cycles[0]));
        assert_int_equal(bytes[1] - bytes[0], 64000);
        assert_true(cycles[1] - cycles[0] >= 31900 && cycles[1] - cycles[0] <= 34600);
    }
}

/* ---- nothing is lost ------------------------------------------------------------------------------------------------------ */

static uint64_t spread(struct script_lane l)
{
    return 0xC0000000 + ((l.cta * 977 + l.warp * 131 + l.times * 7) % 4096) * 128 + l.lane * 4;
}
static uint64_t strided(struct script_lane l)
{
    return 0xC0000000 + (((uint64_t)l.cta * 8 + l.warp) * 32 + l.lane) * 160 + l.times * 64;
}
static const struct script_row mixed[] = {
    { .class = CLASS_LOAD, .space = SPACE_GLOBAL, .bytes = 4, .dst = 1, .address = spread },
    { .class = CLASS_LOAD, .space = SPACE_GLOBAL, .bytes = 4, .dst = 2, .address = strided },
    { .class = CLASS_STORE, .space = SPACE_GLOBAL, .bytes = 4, .src = { 2 }, .address = spread },
    { .class = CLASS_STORE, .space = SPACE_LOCAL, .bytes = 4, .src = { 1 }, .address = strided },
    { .class = CLASS_BRANCH, .target = 0, .trips = 5 },
    { .class = CLASS_ATOMIC, .space = SPACE_GLOBAL, .bytes = 4, .dst = 6, .src = { 2 }, .address = spread },
    { .class = CLASS_EXIT },
};
enum { MIXED = sizeof mixed / sizeof mixed[0] };

/* Every request is answered (gpu_run checks), and the machine is sound whenever it is looked at; with buffers of two packets. */
static void small_buffers_lose_nothing(void **state)
{
    (void)state;
    static const char *const topologies[] = { "link.topology=ring", "link.topology=mesh", "link.topology=switch" };
    static const char *const modules[] = { "gpu.modules=2", "gpu.modules=4", "gpu.modules=8" };
    uint64_t bytes = 0;
    for (uint32_t t = 0; t < 3; t++)
        for (uint32_t n = 0; n < 3; n++) {
            const char *const settings[] = { "gpu.sms=16",
                                             "map.channels=8",
                                             modules[n],
                                             topologies[t],
                                             "link.buffer=2",
                                             "link.bandwidth=20000",
                                             n == 1 ? "l15.keeps=all"
                                             : n    ? "l15.keeps=remote"
                                                    : "l15.keeps=nothing",
                                             NULL };
            struct gpu *gpu = machine_with(settings);
            struct kernel_result result = run_on(gpu, mixed, MIXED, 24, 64);
            const struct link_counters *links = counters_of(gpu, &result, &link_stat_group);
            assert_null(gpu_broken(gpu));
            assert_true(links->remote_requests > 0);
            bytes += links->request_bytes + links->reply_bytes;
            kernel_result_clear(&result);
            gpu_free(gpu);
        }
    assert_true(bytes > 0);
}

/* What a debug build looks at after each tick is seen when it breaks. */
static void a_lost_packet_is_seen(void **state)
{
    (void)state;
    const char *const settings[] = { "gpu.sms=4", "map.channels=4", "gpu.modules=2", NULL };
    struct gpu *gpu = machine_with(settings);
    struct kernel_result result = run_on(gpu, mixed, MIXED, 8, 64);
    kernel_result_clear(&result);
    struct link_counters *links = (struct link_counters *)(uintptr_t)links_counters(gpu->links);
    links->packets_in++;
    assert_non_null(strstr(gpu_broken(gpu), "links lost a packet"));
    links->packets_in--;
    links->packet_hops++;
    assert_non_null(strstr(gpu_broken(gpu), "sums are not those of each link"));
    links->packet_hops--;
    gpu->module[1].ups ^= 1;
    assert_non_null(strstr(gpu_broken(gpu), "gateways"));
    gpu->module[1].ups ^= 1;
    assert_null(gpu_broken(gpu));
    gpu_free(gpu);
}

/* A machine of one module has no links: their parameters change nothing, to the last counter. */
static void one_module_is_the_plain_machine(void **state)
{
    (void)state;
    const char *const settings[] = { "gpu.modules=1", "link.topology=switch", "link.bandwidth=1", "gpu.page=4KiB", NULL };
    struct gpu *plain = machine_with(NULL), *one = machine_with(settings);
    struct kernel_result a = run_on(plain, mixed, MIXED, 60, 200), b = run_on(one, mixed, MIXED, 60, 200);
    assert_int_equal(a.cycles, b.cycles);
    for (uint32_t g = 0; g < plain->group_count; g++)
        assert_memory_equal(a.counters[g], b.counters[g], plain->groups[g]->size);
    kernel_result_clear(&a);
    kernel_result_clear(&b);
    gpu_free(plain);
    gpu_free(one);
}

/* Few warps: mostly nobody has anything to do, and the clocks jump. */
static void sleeping_changes_nothing(void **state)
{
    (void)state;
    for (uint32_t l15 = 0; l15 < 2; l15++) {
        uint64_t cycles[2], waited[2];
        for (uint32_t awake = 0; awake < 2; awake++) {
            struct gpu *gpu = machine_with((const char *const[]){ "gpu.sms=8", "map.channels=8", "gpu.modules=4",
                                                                  l15 ? "l15.keeps=all" : "l15.keeps=nothing",
                                                                  awake ? "sm.never_sleep=true" : "sm.never_sleep=false", NULL });
            struct kernel_result r = run_on(gpu, mixed, MIXED, 8, 32);
            cycles[awake] = r.cycles;
            waited[awake] = ((const struct net_counters *)counters_of(gpu, &r, &net_stat_group))->packet_cycles;
            kernel_result_clear(&r);
            gpu_free(gpu);
        }
        assert_int_equal(cycles[0], cycles[1]);
        assert_int_equal(waited[0], waited[1]);
    }
}

/* With links that cost next to nothing, four modules are hardly slower than the one machine of the same parts. */
static void modules_on_free_links_are_nearly_one_machine(void **state)
{
    (void)state;
    const char *const one[] = { "gpu.sms=16", "map.channels=8", NULL };
    const char *const four[] = {
        "gpu.sms=16", "map.channels=8", "gpu.modules=4", "link.latency=1", "link.bandwidth=100000000", NULL
    };
    struct gpu *a = machine_with(one), *b = machine_with(four);
    struct kernel_result x = run_on(a, mixed, MIXED, 64, 128), y = run_on(b, mixed, MIXED, 64, 128);
    print_message("one machine %llu cycles, four modules %llu\n", (unsigned long long)x.cycles, (unsigned long long)y.cycles);
    assert_true((double)y.cycles < 1.1 * (double)x.cycles && (double)y.cycles > 0.9 * (double)x.cycles);
    kernel_result_clear(&x);
    kernel_result_clear(&y);
    gpu_free(a);
    gpu_free(b);
}

/* ---- pages ---------------------------------------------------------------------------------------------------------------- */

/* CTA c has page c of 4 KiB for itself, and all read page 100. Pages of 32 CTAs on four modules of one SM. */
static uint64_t own_page(struct script_lane l)
{
    return 0xC0000000 + l.cta * 4096ull + l.warp * 512ull + l.lane * 4ull;
}
static uint64_t page_100(struct script_lane l)
{
    return 0xC0000000 + 100 * 4096ull + l.lane * 4ull;
}
static const struct script_row paged[] = {
    { .class = CLASS_LOAD, .space = SPACE_GLOBAL, .bytes = 4, .dst = 1, .address = own_page },
    { .class = CLASS_LOAD, .space = SPACE_GLOBAL, .bytes = 4, .dst = 2, .address = page_100 },
    { .class = CLASS_STORE, .space = SPACE_GLOBAL, .bytes = 4, .src = { 1 }, .address = own_page },
    { .class = CLASS_EXIT },
};
static const char *const paged_machine[] = { "gpu.sms=4", "map.channels=8", "gpu.modules=4", "gpu.page=4KiB", NULL };

static uint32_t owner_of(const struct gpu *gpu, uint64_t page)
{
    uint32_t module;
    uint64_t inside;
    assert_true(page_table_find(gpu->pages, 0xC0000000 + page * 4096, &module, &inside));
    return module;
}

/* By hand: CTAs 8m to 8m + 7 run on module m, touch their pages first, and only page 100 and the code are anybody else's. */
static void pages_lie_where_they_were_touched(void **state)
{
    (void)state;
    struct gpu *gpu = machine_of(paged_machine, "cta-distributed,first-touch");
    for (uint32_t launch = 0; launch < 2; launch++) {
        struct kernel_result r = run_on(gpu, paged, 4, 32, 64);
        const struct link_counters *links = counters_of(gpu, &r, &link_stat_group);
        for (uint32_t cta = 0; cta < 32; cta++)
            assert_int_equal(owner_of(gpu, cta), cta / 8);
        assert_true(links->remote_requests > 0); /* to page 100, and to the code */
        if (launch) /* each SM asks once for the line of page 100, and for two of code; three modules of four are elsewhere */
            assert_true(links->remote_requests <= 3 * 3);
        kernel_result_clear(&r);
    }
    gpu_free(gpu);
    policy_set_free(policies);
}

static void pages_go_round(void **state)
{
    (void)state;
    struct gpu *gpu = machine_of(paged_machine, "page-round-robin");
    struct kernel_result r = run_on(gpu, paged, 4, 32, 64);
    for (uint32_t page = 0; page < 32; page++)
        assert_int_equal(owner_of(gpu, page), (0xC0000000 / 4096 + page) % 4);
    kernel_result_clear(&r);
    gpu_free(gpu);
    policy_set_free(policies);
}

/* In the usual order CTA c of the first four runs on SM c, and so on round: whoever has the CTA has the page. */
static void the_usual_order_scatters_neighbours(void **state)
{
    (void)state;
    struct gpu *gpu = machine_of(paged_machine, "first-touch");
    struct kernel_result r = run_on(gpu, paged, 4, 4, 64);
    for (uint32_t page = 0; page < 4; page++)
        assert_int_equal(owner_of(gpu, page), page);
    kernel_result_clear(&r);
    gpu_free(gpu);
    policy_set_free(policies);
}

/* ---- the L1.5 ------------------------------------------------------------------------------------------------------------- */

/* One SM of module 0, the L1 off: four loads of each of 16 lines, in module 0 or 1, then a store to each. */
static uint32_t line_module;
static uint64_t sixteen_lines(struct script_lane l)
{
    return 0xC0000000 + (uint64_t)(l.times % 16) * 8 * 256 * 16 + line_module * 512 + l.lane * 4;
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
    return 0xC0000000 + 512 + l.lane * 4;
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

static void modules_must_divide_the_machine(void **state)
{
    (void)state;
    struct error err = { 0 };
    struct machine_config *config = machine_config_new();
    config->gpu.modules = 4; /* of 15 SMs */
    assert_null(gpu_new(config, NULL, &err));
    assert_non_null(strstr(err.text, "gpu.modules is 4: it must divide gpu.sms (15)"));
    machine_config_free(config);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_hop_costs_32_cycles_each_way),
        cmocka_unit_test(replies_take_the_bandwidth_of_a_link),
        cmocka_unit_test(small_buffers_lose_nothing),
        cmocka_unit_test(a_lost_packet_is_seen),
        cmocka_unit_test(one_module_is_the_plain_machine),
        cmocka_unit_test(sleeping_changes_nothing),
        cmocka_unit_test(modules_on_free_links_are_nearly_one_machine),
        cmocka_unit_test(modules_must_divide_the_machine),
        cmocka_unit_test(pages_lie_where_they_were_touched),
        cmocka_unit_test(pages_go_round),
        cmocka_unit_test(the_usual_order_scatters_neighbours),
        cmocka_unit_test(the_l15_keeps_what_is_remote_or_all),
        cmocka_unit_test(a_fence_empties_the_l15_too),
        cmocka_unit_test(fences_of_many_leave_a_sound_l15),
        cmocka_unit_test(a_store_through_the_l15_is_a_use),
        cmocka_unit_test(policies_hang_on_the_l15),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
