/* The machine as a whole, on scripted kernels: latencies of the reference's probes, sleeping, small queues. */
#include "cmocka_all.h"
#include "gpu/gpu_state.h"
#include "script_front.h"

#include <string.h>

enum { R_INDEX = 1, R_WIDE, R_ADDRESS, R_COUNT, R_PRED, R_BASE };

static struct machine_config *config_with(const char *const *settings)
{
    struct machine_config *config = machine_config_new();
    struct param_space *space = param_space_new();
    machine_config_bind(config, space);
    struct error err = { 0 };
    for (; settings && *settings; settings++)
        if (!param_set_assignment(space, *settings, "test", &err))
            fail_msg("%s", err.text);
    param_space_free(space);
    return config;
}

static struct kernel_result run(const struct script_row *rows, uint32_t count, uint32_t ctas, uint32_t threads,
                                const char *const *settings)
{
    struct error err = { 0 };
    struct machine_config *config = config_with(settings);
    struct gpu *gpu = gpu_new(config, NULL, &err);
    if (!gpu)
        fail_msg("%s", err.text);
    struct front *front = script_front(rows, count, ctas, threads);
    struct kernel_result result;
    if (!gpu_run(gpu, front, NULL, &result, &err))
        fail_msg("%s", err.text);
    script_front_free(front);
    gpu_free(gpu);
    machine_config_free(config);
    return result;
}

/* The loop of the reference's pointer chase, as clang compiles it; the address does not depend on data here. */
static uint64_t same_line(struct script_lane l)
{
    return 0xC0000000 + (l.times % 32) * 4;
}
static uint64_t new_line(struct script_lane l)
{
    return 0xC0000000 + (uint64_t)l.times * 1024;
}
#define CHASE(where, trips_)                                                                                                       \
    { .class = CLASS_INT_MUL, .dst = R_WIDE, .src = { R_INDEX } },                                                                 \
        { .class = CLASS_INT_ADD, .dst = R_ADDRESS, .src = { R_BASE, R_WIDE } },                                                   \
        { .class = CLASS_LOAD, .space = SPACE_GLOBAL, .bytes = 4, .dst = R_INDEX, .src = { R_ADDRESS }, .address = where },        \
        { .class = CLASS_INT_ADD, .dst = R_COUNT, .src = { R_COUNT } },                                                            \
        { .class = CLASS_MOVE, .dst = R_PRED, .src = { R_COUNT } },                                                                \
        { .class = CLASS_BRANCH, .src = { R_PRED }, .target = 7, .trips = 0 },                                                     \
        { .class = CLASS_BRANCH, .target = 0, .trips = trips_ },                                                                   \
    {                                                                                                                              \
        .class = CLASS_EXIT                                                                                                        \
    }

static double cycles_per_step(uint64_t (*where)(struct script_lane))
{
    const struct script_row few[] = { CHASE(where, 99) }, many[] = { CHASE(where, 599) };
    struct kernel_result a = run(few, 8, 1, 1, NULL), b = run(many, 8, 1, 1, NULL);
    const double cycles = (double)(b.cycles - a.cycles) / 500;
    kernel_result_clear(&a);
    kernel_result_clear(&b);
    return cycles;
}

/* latency_probes.csv: 40673 cycles for 448 hits and 64 loads that hit the L2, at 203.7 - start / 512 each; a start of about 700
 * cycles (two instruction lines, one line of parameters from DRAM) leaves 60 per hit. */
static void test_dependent_hit_takes_60_cycles(void **state)
{
    (void)state;
    const double cycles = cycles_per_step(same_line);
    print_message("L1 hit: %.1f cycles\n", cycles);
    assert_true(cycles > 59.5 && cycles < 61.5);
}

static void test_dependent_miss_takes_331_cycles(void **state)
{
    (void)state;
    const double cycles = cycles_per_step(new_line);
    print_message("DRAM: %.1f cycles\n", cycles);
    assert_true(cycles > 315 && cycles < 347);
}

/* Many warps, loads that merge and conflict, stores, shared memory, barriers. */
static uint64_t spread(struct script_lane l)
{
    return 0xC0000000 + ((l.cta * 977 + l.warp * 131 + l.times * 7) % 4096) * 128 + l.lane * 4;
}
static uint64_t strided(struct script_lane l)
{
    return 0xC0000000 + (((uint64_t)l.cta * 8 + l.warp) * 32 + l.lane) * 160 + l.times * 64;
}
static uint64_t bank(struct script_lane l)
{
    return (uint64_t)l.lane * 8 + l.warp * 4;
}
static const struct script_row mixed[] = {
    { .class = CLASS_LOAD, .space = SPACE_PARAM, .bytes = 8, .dst = 9, .address = bank },
    { .class = CLASS_LOAD, .space = SPACE_GLOBAL, .bytes = 4, .dst = 1, .src = { 9 }, .address = spread },
    { .class = CLASS_LOAD, .space = SPACE_GLOBAL, .bytes = 4, .dst = 2, .src = { 9 }, .address = strided },
    { .class = CLASS_FP_MAD, .dst = 3, .src = { 1, 2, 3 } },
    { .class = CLASS_SFU, .dst = 4, .src = { 3 } },
    { .class = CLASS_STORE, .space = SPACE_SHARED, .bytes = 4, .src = { 4 }, .address = bank },
    { .class = CLASS_BARRIER },
    { .class = CLASS_LOAD, .space = SPACE_SHARED, .bytes = 4, .dst = 5, .address = bank },
    { .class = CLASS_STORE, .space = SPACE_GLOBAL, .bytes = 4, .src = { 5 }, .address = spread },
    { .class = CLASS_BRANCH, .target = 1, .trips = 5 },
    { .class = CLASS_ATOMIC, .space = SPACE_GLOBAL, .bytes = 4, .dst = 6, .src = { 5 }, .address = spread },
    { .class = CLASS_STORE, .space = SPACE_LOCAL, .bytes = 4, .src = { 6 }, .address = bank },
    { .class = CLASS_FENCE },
    { .class = CLASS_LOAD, .space = SPACE_LOCAL, .bytes = 8, .dst = 7, .address = bank },
    { .class = CLASS_EXIT },
};
enum { MIXED = sizeof mixed / sizeof mixed[0] };

/* Textures that share lines and do not. */
static const struct script_row textured[] = {
    { .class = CLASS_TEXTURE, .space = SPACE_TEXTURE, .bytes = 4, .dst = 1, .address = spread },
    { .class = CLASS_TEXTURE, .space = SPACE_TEXTURE, .bytes = 4, .dst = 2, .address = strided },
    { .class = CLASS_TEXTURE, .space = SPACE_TEXTURE, .bytes = 4, .dst = 3, .address = same_line },
    { .class = CLASS_FP_MAD, .dst = 4, .src = { 1, 2, 3 } },
    { .class = CLASS_BRANCH, .target = 0, .trips = 3 },
    { .class = CLASS_EXIT },
};
enum { TEXTURED = sizeof textured / sizeof textured[0] };

static void compare_asleep(const struct script_row *rows, uint32_t count_of_rows, const char *const *asleep,
                           const char *const *awake)
{
    struct kernel_result a = run(rows, count_of_rows, 64, 200, asleep), b = run(rows, count_of_rows, 64, 200, awake);
    struct error err = { 0 };
    struct machine_config *config = machine_config_new();
    struct gpu *gpu = gpu_new(config, NULL, &err);
    uint32_t count;
    const struct stat_group *const *groups = gpu_stat_groups(gpu, &count);
    assert_int_equal(a.cycles, b.cycles);
    for (uint32_t i = 0; i < count; i++)
        for (const struct stat_counter *c = groups[i]->counters; c->name; c++) {
            const uint64_t x = *(uint64_t *)((char *)a.counters[i] + c->offset),
                           y = *(uint64_t *)((char *)b.counters[i] + c->offset);
            if (x != y)
                fail_msg("%s.%s: %llu asleep, %llu awake", groups[i]->name, c->name, (unsigned long long)x, (unsigned long long)y);
        }
    assert_int_equal(a.series.count, b.series.count);
    if (a.series.count)
        assert_memory_equal(a.series.values, b.series.values, (size_t)a.series.count * a.series.columns * sizeof(uint64_t));
    kernel_result_clear(&a);
    kernel_result_clear(&b);
    gpu_free(gpu);
    machine_config_free(config);
}

static void test_sleeping_changes_nothing(void **state)
{
    (void)state;
    compare_asleep(mixed, MIXED, NULL, (const char *const[]){ "sm.never_sleep=true", NULL });
    compare_asleep(mixed, MIXED,
                   (const char *const[]){ "reference.l1_blind_fills=true", "reference.l2_blind_fills=true",
                                          "reference.masks_add_up=true", NULL },
                   (const char *const[]){ "reference.l1_blind_fills=true", "reference.l2_blind_fills=true",
                                          "reference.masks_add_up=true", "sm.never_sleep=true", NULL });
    compare_asleep(mixed, MIXED, (const char *const[]){ "gpu.interval=97", "gpu.sms=2", NULL }, /* a jump ends at a look */
                   (const char *const[]){ "gpu.interval=97", "gpu.sms=2", "sm.never_sleep=true", NULL });
    compare_asleep(textured, TEXTURED, NULL, (const char *const[]){ "sm.never_sleep=true", NULL });
    compare_asleep(textured, TEXTURED, (const char *const[]){ "l1t.in_order=true", NULL },
                   (const char *const[]){ "l1t.in_order=true", "sm.never_sleep=true", NULL });
}

static void test_queues_of_one_make_progress(void **state)
{
    (void)state;
    static const char *const tiny[] = { "l1.mshr_entries=1",
                                        "l1.mshr_merges=1",
                                        "l1.miss_queue=2",
                                        "l1.hit_latency=1",
                                        "sm.response_buffer=1",
                                        "gpu.ejection_buffer=1",
                                        "l2.mshr_entries=1",
                                        "l2.mshr_merges=1",
                                        "l2.miss_queue=2",
                                        "l2.input_queue=4",
                                        "l2.output_queue=1",
                                        "dram.queue=1",
                                        "dram.return_queue=1",
                                        "dram.slice_in=1",
                                        "dram.slice_out=1",
                                        "sm.collectors=1,0,0,1,1",
                                        "sm.issue_width=1,0,0,1,1",
                                        "sm.execute_width=1,0,0,1,1",
                                        "sm.collector_inputs=1,0,0,1,1",
                                        "sm.collector_outputs=1,0,0,1,1",
                                        "sm.units=1,0,0,1,1",
                                        "l1i.mshr_entries=1",
                                        "l1i.mshr_merges=1",
                                        "l1c.mshr_entries=1",
                                        "l1c.mshr_merges=1",
                                        "l1i.miss_queue=1",
                                        "l1c.miss_queue=1",
                                        "sm.result_buses=1",
                                        NULL };
    struct kernel_result r = run(mixed, MIXED, 20, 200, tiny);
    assert_true(r.complete);
    kernel_result_clear(&r);
}

/* Each invariant that a debug build checks after every tick is broken by hand, and named. */
static void test_a_broken_machine_is_noticed(void **state)
{
    (void)state;
    struct error err = { 0 };
    struct machine_config *config = config_with(NULL);
    struct gpu *gpu = gpu_new(config, NULL, &err);
    struct front *front = script_front(mixed, MIXED, 20, 200);
    struct kernel_result result;
    assert_true(gpu_run(gpu, front, NULL, &result, &err));
    kernel_result_clear(&result);
    assert_null(gpu_broken(gpu));
    const struct {
        uint32_t *what;
        const char *says;
    } counts[] = { { &gpu->ctas_running, "CTAs on the SMs" }, { &gpu->module[0].replies_for[3].ring.count, "SMs with a reply" } };
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        ++*counts[i].what;
        const char *broken = gpu_broken(gpu);
        assert_non_null(broken);
        assert_non_null(strstr(broken, counts[i].says));
        --*counts[i].what;
    }
    gpu->bay[0].replies[0] ^= 2;
    assert_non_null(strstr(gpu_broken(gpu), "slices with a reply"));
    gpu->bay[0].replies[0] ^= 2;
    struct l1_counters *l1 = (struct l1_counters *)(uintptr_t)sm_l1_counters(gpu->sm[2]);
    l1->hits++;
    assert_non_null(strstr(gpu_broken(gpu), "c->hits"));
    l1->hits--;
    struct net_counters *net = (struct net_counters *)(uintptr_t)network_counters(gpu->module[0].requests);
    net->packets_in++;
    assert_non_null(strstr(gpu_broken(gpu), "lost a packet"));
    net->packets_in--;
    struct dram_counters *dram =
        (struct dram_counters *)(uintptr_t)dram_channel_counters(gpu->channel[0], gpu_now(gpu, CLOCK_DRAM));
    dram->replies++;
    assert_non_null(strstr(gpu_broken(gpu), "was not asked"));
    dram->replies--;
    assert_null(gpu_broken(gpu));
    script_front_free(front);
    gpu_free(gpu);
    machine_config_free(config);
}

static struct gpu *gpu_with(const char *const *settings)
{
    struct error err = { 0 };
    struct machine_config *config = config_with(settings);
    struct gpu *gpu = gpu_new(config, NULL, &err);
    if (!gpu)
        fail_msg("%s", err.text);
    machine_config_free(config);
    return gpu;
}

static struct kernel_result run_on(struct gpu *gpu, const struct script_row *rows, uint32_t count, uint32_t ctas)
{
    struct error err = { 0 };
    struct front *front = script_front(rows, count, ctas, 32);
    struct kernel_result result;
    if (!gpu_run(gpu, front, NULL, &result, &err))
        fail_msg("%s", err.text);
    script_front_free(front);
    return result;
}

/* A kernel that writes more than the L2 holds, then one that waits long enough for what the first left. */
static uint64_t own_line(struct script_lane l)
{
    return 0xC0000000 + l.cta * 8192ull + l.lane * 256ull;
}
static void test_write_backs_wait_for_the_next_kernel(void **state)
{
    (void)state;
    static const struct script_row writes[] = {
        { .class = CLASS_STORE, .space = SPACE_GLOBAL, .bytes = 4, .src = { R_ADDRESS }, .address = own_line },
        { .class = CLASS_EXIT }
    };
    const struct script_row waits[] = { CHASE(new_line, 20) };
    uint64_t written[2][2], cycles[2];
    for (uint32_t late = 0; late < 2; late++) {
        const char *const settings[] = { "l2.sets=1", late ? "reference.late_writebacks=true" : "reference.late_writebacks=false",
                                         NULL };
        struct gpu *gpu = gpu_with(settings);
        struct kernel_result first = run_on(gpu, writes, 2, 60), second = run_on(gpu, waits, 8, 1);
        cycles[late] = first.cycles;
        for (uint32_t k = 0; k < 2; k++)
            written[late][k] = ((const struct dram_counters *)(k ? &second : &first)->counters[7])->writes;
        assert_int_equal(gpu_live_requests(gpu), 0);
        kernel_result_clear(&first);
        kernel_result_clear(&second);
        gpu_free(gpu);
    }
    assert_int_equal(cycles[0], cycles[1]);
    assert_true(written[1][0] < written[0][0]);
    assert_int_equal(written[1][0] + written[1][1], written[0][0] + written[0][1]);
}

/* How many different times a chase through DRAM takes after kernels of one to eight instructions. */
static uint32_t times_of_a_second_kernel(const char *setting)
{
    static const struct script_row adds[] = { { .class = CLASS_INT_ADD, .dst = 1, .src = { 1 } },
                                              { .class = CLASS_BRANCH, .target = 0, .trips = 1 },
                                              { .class = CLASS_EXIT } };
    const struct script_row chase[] = { CHASE(new_line, 20) };
    const char *const settings[] = { setting, NULL };
    uint64_t seen[8];
    uint32_t different = 0;
    for (uint32_t i = 0; i < 8; i++) {
        struct script_row before[3] = { adds[0], adds[1], adds[2] };
        before[1].trips = i;
        struct gpu *gpu = gpu_with(settings);
        struct kernel_result first = run_on(gpu, before, 3, 1), second = run_on(gpu, chase, 8, 1);
        seen[different] = second.cycles;
        uint32_t same = 0;
        while (seen[same] != second.cycles)
            same++;
        different += same == different;
        kernel_result_clear(&first);
        kernel_result_clear(&second);
        gpu_free(gpu);
    }
    return different;
}

static void test_clocks_go_on_from_kernel_to_kernel(void **state)
{
    (void)state;
    assert_int_equal(times_of_a_second_kernel("reference.clocks_go_on=false"), 1);
    assert_true(times_of_a_second_kernel("reference.clocks_go_on=true") > 1);
}

static uint64_t sectors_filled(bool as_reference, enum host_copy copy)
{
    const char *const settings[] = { as_reference ? "reference.copies=true" : "reference.copies=false", NULL };
    struct gpu *gpu = gpu_with(settings);
    uint64_t sectors = 0;
    gpu_host_copied(gpu, copy, 0xC0000000, 1000);
    for (uint32_t s = 0; s < gpu->slice_count; s++)
        sectors += l2_slice_counters(gpu->slice[s])->host_sectors;
    gpu_free(gpu);
    return sectors;
}

static void test_which_copies_fill_the_l2(void **state)
{
    (void)state;
    static const uint64_t filled[2][3] = { { [HOST_COPY_IN] = 32, [HOST_COPY_OUT] = 0, [HOST_SET] = 32 },
                                           { [HOST_COPY_IN] = 32, [HOST_COPY_OUT] = 32, [HOST_SET] = 0 } };
    for (uint32_t i = 0; i < 6; i++)
        assert_int_equal(sectors_filled(i / 3, (enum host_copy)(i % 3)), filled[i / 3][i % 3]);
}

/* A policy may stop an SM's schedulers for a time: it ends by itself, though nothing else happens in the SM. */
static struct {
    const struct front_ops *ops;
    struct gpu *gpu;
    uint32_t cycles;
} stall; /* of the first instruction */

static bool stalling_step(struct front *front, struct front_cta *cta, uint32_t w, struct warp_step *out, struct error *err)
{
    if (stall.cycles)
        sm_policy_stall_issue(stall.gpu->sm[0], stall.gpu->clocks.count[CLOCK_CORE] + stall.cycles);
    stall.cycles = 0;
    return stall.ops->step(front, cta, w, out, err);
}

static uint64_t cycles_with_stall(uint32_t cycles)
{
    static const struct script_row rows[] = { { .class = CLASS_INT_ADD, .dst = 1 },
                                              { .class = CLASS_INT_ADD, .dst = 2 },
                                              { .class = CLASS_EXIT } };
    struct error err = { 0 };
    struct machine_config *config = config_with((const char *const[]){ "gpu.sms=1", "gpu.watchdog=5000", NULL });
    stall.gpu = gpu_new(config, NULL, &err);
    stall.cycles = cycles;
    struct front *front = script_front(rows, 3, 1, 32);
    struct front_ops ops = *(stall.ops = front->ops);
    struct kernel_result result;
    ops.step = stalling_step;
    front->ops = &ops;
    if (!gpu_run(stall.gpu, front, NULL, &result, &err))
        fail_msg("%s", err.text);
    const uint64_t taken = result.cycles;
    kernel_result_clear(&result);
    script_front_free(front);
    gpu_free(stall.gpu);
    machine_config_free(config);
    return taken;
}

static void test_stalled_schedulers_go_on(void **state)
{
    (void)state;
    const uint64_t longer = cycles_with_stall(1000) - cycles_with_stall(0);
    assert_in_range(longer, 990, 1000);
}

/* SMs that share a port of the networks: what two of them send goes one after the other. */
static uint64_t own_lines(struct script_lane l)
{
    return 0xC0000000 + (((uint64_t)l.cta * 64 + l.times) * 32 + l.lane) * 128;
}

static uint64_t cycles_with_ports(const char *sharers, uint32_t ctas)
{
    static const struct script_row loads[] = {
        { .class = CLASS_LOAD, .space = SPACE_GLOBAL, .bytes = 4, .dst = 1, .src = { 9 }, .address = own_lines },
        { .class = CLASS_BRANCH, .target = 0, .trips = 20 },
        { .class = CLASS_EXIT },
    };
    const char *const settings[] = {
        "gpu.sms=4", "sm.ctas=1", "net.model=crossbar", "net.injection_flits=512", "net.boundary_flits=512", "l1.enabled=false",
        sharers,     NULL
    };
    struct kernel_result result = run(loads, 3, ctas, 32, settings);
    const uint64_t cycles = result.cycles;
    kernel_result_clear(&result);
    return cycles;
}

static void test_sms_may_share_a_port(void **state)
{
    (void)state;
    assert_int_equal(cycles_with_ports("gpu.sms_per_port=2", 1), cycles_with_ports("gpu.sms_per_port=1", 1));
    /* Two CTAs go to different ports, whichever SMs have these, and do not meet. */
    assert_true(cycles_with_ports("gpu.sms_per_port=2", 2) < cycles_with_ports("gpu.sms_per_port=2", 1) + 40);
    assert_true(cycles_with_ports("gpu.sms_per_port=2", 4) > cycles_with_ports("gpu.sms_per_port=1", 4) + 20 * 5);
}

/* The same over the router, whose queue holds nine flits. Ports may have three SMs, which wait for each other. */
static uint64_t cycles_with_short_ports(const char *sharers, uint32_t ctas)
{
    static const struct script_row loads[] = {
        { .class = CLASS_STORE, .space = SPACE_GLOBAL, .bytes = 4, .src = { 9 }, .address = own_lines },
        { .class = CLASS_BRANCH, .target = 0, .trips = 20 },
        { .class = CLASS_EXIT },
    };
    const char *const settings[] = { "gpu.sms=6", "sm.ctas=1", sharers, NULL };
    struct kernel_result result = run(loads, 3, ctas, 32, settings);
    const uint64_t cycles = result.cycles;
    kernel_result_clear(&result);
    return cycles;
}

static void test_sms_may_share_a_short_queue(void **state)
{
    (void)state;
    assert_int_equal(cycles_with_short_ports("gpu.sms_per_port=3", 1), cycles_with_short_ports("gpu.sms_per_port=1", 1));
    const uint64_t apart = cycles_with_short_ports("gpu.sms_per_port=1", 6),
                   shared = cycles_with_short_ports("gpu.sms_per_port=3", 6);
    assert_true(shared > apart + 20 * 32);
    assert_in_range(cycles_with_short_ports("gpu.sms_per_port=2", 6), apart + 1, shared - 1);
}

/* A kernel of three CTAs: longer by a fixed time and by one for each CTA, to the cycle, and the watchdog does not mind. */
static void test_a_launch_may_take_time(void **state)
{
    (void)state;
    static const struct script_row nothing[] = { { .class = CLASS_EXIT } };
    static const char *const settings[][4] = { { NULL },
                                               { "gpu.launch_latency=500", NULL },
                                               { "gpu.launch_latency_per_cta=700", "gpu.watchdog=1000", NULL } };
    uint64_t cycles[3];
    for (uint32_t i = 0; i < 3; i++) {
        struct kernel_result result = run(nothing, 1, 3, 32, settings[i]);
        cycles[i] = result.cycles;
        kernel_result_clear(&result);
    }
    assert_int_equal(cycles[1], cycles[0] + 500);
    assert_int_equal(cycles[2], cycles[0] + 3 * 700);
}

/* A port takes a packet per cycle from its queue, and two SMs put two into it. They share the room there. */
static void test_sms_of_a_port_share_its_queue(void **state)
{
    (void)state;
    static const struct script_row loads[] = {
        { .class = CLASS_LOAD, .space = SPACE_GLOBAL, .bytes = 4, .dst = 1, .src = { 9 }, .address = own_lines },
        { .class = CLASS_BRANCH, .target = 0, .trips = 20 },
        { .class = CLASS_EXIT },
    };
    static const char *const queues[] = { "net.injection_flits=1", "net.injection_flits=512" };
    uint64_t refused[2];
    for (uint32_t q = 0; q < 2; q++) {
        const char *const settings[] = {
            "gpu.sms=2", "gpu.sms_per_port=2", "net.model=crossbar", "net.boundary_flits=512", "l1.enabled=false", queues[q], NULL
        };
        struct gpu *gpu = gpu_with(settings);
        struct kernel_result result = run_on(gpu, loads, 3, 2);
        refused[q] = 0;
        for (uint32_t i = 0; i < 2; i++)
            refused[q] += sm_counters(gpu->sm[i])->stall_data;
        kernel_result_clear(&result);
        gpu_free(gpu);
    }
    assert_int_equal(refused[1], 0);
    assert_true(refused[0] > 0);
}

static void test_sms_of_a_port_take_turns(void **state)
{
    (void)state;
    static const char *const settings[] = {
        "gpu.sms=4", "net.model=crossbar", "net.injection_flits=512", "net.boundary_flits=512", "gpu.sms_per_port=2", NULL
    };
    struct error err = { 0 };
    struct machine_config *config = config_with(settings);
    struct gpu *gpu = gpu_new(config, NULL, &err);
    assert_non_null(gpu);
    /* CTAs: port by port, and in a port the SM after the one that got the last. */
    static const uint32_t wanted[] = { 0, 2, 1, 3, 0 };
    for (uint32_t i = 0, first = 0; i < sizeof wanted / sizeof *wanted; i++) {
        assert_int_equal(gpu_ports_nth(gpu, first, 0), wanted[i]);
        assert_int_equal(gpu_ports_nth(gpu, first, 1), wanted[i] ^ 1); /* the other, if that has no room */
        gpu_ports_got_cta(gpu, wanted[i], 10 + i);
        first = wanted[i] + 1;
    }
    /* Sending: in turn, cycle by cycle, and from one kernel to the next. The last CTA of this one began in cycle 14, and the SMs of
     * port 1 were done in cycle 17: fifteen and eighteen turns. */
    assert_int_equal(gpu_ports_first(gpu, 0, 6), 0);
    assert_int_equal(gpu_ports_first(gpu, 0, 7), 1);
    gpu->ports[1].ended = 17;
    gpu->launches = 1;
    gpu_ports_start_kernel(gpu); /* cycles 0 to 14, and to 17 */
    assert_int_equal(gpu_ports_first(gpu, 0, gpu->ports_from), 1);
    assert_int_equal(gpu_ports_first(gpu, 1, gpu->ports_from), 0);
    gpu_free(gpu);
    machine_config_free(config);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sms_may_share_a_port),
        cmocka_unit_test(test_sms_may_share_a_short_queue),
        cmocka_unit_test(test_a_launch_may_take_time),
        cmocka_unit_test(test_sms_of_a_port_share_its_queue),
        cmocka_unit_test(test_sms_of_a_port_take_turns),
        cmocka_unit_test(test_stalled_schedulers_go_on),
        cmocka_unit_test(test_dependent_hit_takes_60_cycles),
        cmocka_unit_test(test_dependent_miss_takes_331_cycles),
        cmocka_unit_test(test_sleeping_changes_nothing),
        cmocka_unit_test(test_queues_of_one_make_progress),
        cmocka_unit_test(test_a_broken_machine_is_noticed),
        cmocka_unit_test(test_write_backs_wait_for_the_next_kernel),
        cmocka_unit_test(test_clocks_go_on_from_kernel_to_kernel),
        cmocka_unit_test(test_which_copies_fill_the_l2),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
