/* Machines of several modules, on scripted kernels: what a road to another module costs, and that nothing is lost on it. */
#include "modules_bench.h"

/* ---- the price of a road ------------------------------------------------------------------------------------------------ */

/* Eight channels, two in each of four modules; 256 bytes to a module in turn. */
static uint32_t target;
static uint64_t in_module(struct script_lane l)
{
    return 0xC0000000 + (uint64_t)(l.times % 64) * 8 * 256 * 16 + target * 256;
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
    return 0xC0000000 + line / 2 * 4 * 256 + target * 256 + line % 2 * 128 + l.lane * 4;
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
    struct policy_self *first_touch = gpu->policies->hooks.page.self;
    for (uint32_t launch = 0; launch < 2; launch++) {
        struct kernel_result r = run_on(gpu, paged, 4, 32, 64);
        const struct link_counters *links = counters_of(gpu, &r, &link_stat_group);
        for (uint32_t cta = 0; cta < 32; cta++)
            assert_int_equal(owner_of(gpu, cta), cta / 8);
        uint64_t pages = 0;
        for (uint32_t m = 0; m < 4; m++)
            pages += page_table_pages(gpu->pages, m);
        assert_int_equal(pages, *(const uint64_t *)policy_gpu_counters(first_touch)); /* asked once for each */
        for (uint32_t i = 0; i < gpu->share_count; i++)
            assert_int_equal(gpu->share[i].touches.count, 0);
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
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
