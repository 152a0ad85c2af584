/* The papers' machines as built: lines in flight, queues, latencies and bandwidths that their tables say, in the tables' own units.
 * A parameter may count sectors where a table counts lines; what is compared here is what the machine makes of it. */
#include "../cmocka_all.h"
#include "gpu/gpu.h"
#include "gpu/machine.h"
#include "mem/tag_array.h"
#include "policy/policy_set.h"
#include "script_front.h"

#include <string.h>

static struct machine_config *load(const char *name, const char *const *settings)
{
    struct error err = { 0 };
    struct machine_config *config = machine_config_new();
    struct param_space *space = param_space_new();
    machine_config_bind(config, space);
    bool ok = param_load(space, name, &err);
    for (; ok && settings && *settings; settings++)
        ok = param_set_assignment(space, *settings, "test", &err);
    if (!ok || !machine_config_check(config, &err))
        fail_msg("%s: %s", name, err.text);
    param_space_free(space);
    return config;
}

enum { R_INDEX = 1 };

/* 256 KB in turn: more than an L1 holds, less than an L2. */
static uint64_t in_l2(struct script_lane l)
{
    return 0xC0000000 + (uint64_t)(l.times % 2048) * 128;
}
static uint64_t in_dram(struct script_lane l)
{
    return 0xC0000000 + (uint64_t)l.times * 1024;
}

static uint64_t chase(const char *name, const char *const *settings, uint64_t (*where)(struct script_lane), uint32_t trips)
{
    const struct script_row rows[] = {
        { .class = CLASS_LOAD, .space = SPACE_GLOBAL, .bytes = 4, .dst = R_INDEX, .src = { R_INDEX }, .address = where },
        { .class = CLASS_BRANCH, .target = 0, .trips = trips },
        { .class = CLASS_EXIT },
    };
    struct error err = { 0 };
    struct machine_config *config = load(name, settings);
    struct gpu *gpu = gpu_new(config, NULL, &err);
    if (!gpu)
        fail_msg("%s", err.text);
    struct front *front = script_front(rows, sizeof rows / sizeof *rows, 1, 1);
    struct kernel_result result;
    if (!gpu_run(gpu, front, NULL, &result, &err))
        fail_msg("%s", err.text);
    const uint64_t cycles = result.cycles;
    kernel_result_clear(&result);
    script_front_free(front);
    gpu_free(gpu);
    machine_config_free(config);
    return cycles;
}

/* Core cycles from a load that needs the one before it to the next. */
static double per_step(const char *name, const char *const *settings, uint64_t (*where)(struct script_lane))
{
    return (double)(chase(name, settings, where, 3000) - chase(name, settings, where, 2500)) / 500;
}

/* Lines that a table says may be in flight: in an L1, in an L2 slice, in a channel's scheduler. 0: the table does not say. */
static const struct {
    const char *name;
    uint32_t l1, l1_merges, slices, l2, dram;
    uint64_t l2_bytes;
} tables[] = {
    { "gtx480-16k", 32, 8, 6, 32, 16, 6 * 128 * 1024 }, { "gtx480-32k", 64, 8, 12, 32, 32, 768 * 1024 },
    { "gtx480-322", 32, 8, 12, 32, 16, 768 * 1024 },    { "gtx480-003", 32, 8, 6, 32, 16, 768 * 1024 },
    { "gtx480-003-700", 32, 8, 6, 32, 16, 768 * 1024 }, { "gtx480-003-177", 32, 8, 6, 32, 16, 768 * 1024 },
    { "gtx480-id", 32, 8, 6, 32, 16, 768 * 1024 },      { "gtx480-latte", 32, 8, 12, 32, 16, 768 * 1024 },
    { "maxwell-48k", 64, 8, 16, 64, 16, 2048 * 1024 },
};

static void every_paper_s_machine_has_the_lines_of_its_table(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        struct machine_config *c = load(tables[i].name, NULL);
        const uint32_t per_line = c->l2.line_bytes / SECTOR_BYTES, slices = c->map.channels * c->map.slices_per_channel;
        if (c->l1.mshr_entries != tables[i].l1 || c->l1.mshr_merges != tables[i].l1_merges || c->l1.sectored)
            fail_msg("%s: the L1 has %u MSHRs of %u", tables[i].name, c->l1.mshr_entries, c->l1.mshr_merges);
        if (slices != tables[i].slices || l2_mshr_sectors(&c->l2) != tables[i].l2 * per_line)
            fail_msg("%s: %u slices have MSHRs for %u sectors each", tables[i].name, slices, l2_mshr_sectors(&c->l2));
        assert_int_equal(machine_policy_geometry(c).cache[LEVEL_L2].mshr_entries, tables[i].l2 * per_line);
        if (machine_dram(c).queue != tables[i].dram * per_line)
            fail_msg("%s: a channel's queue holds %u sectors", tables[i].name, machine_dram(c).queue);
        assert_int_equal((uint64_t)slices * c->l2.sets * c->l2.ways * c->l2.line_bytes, tables[i].l2_bytes);
        machine_config_free(c);
    }
}

/* Paper 001, section II-D: all sized at 10240. The texture cache works in order, without MSHRs: its own queues are what grows. */
static void larger_queues_are_the_texture_cache_s_too(void **state)
{
    (void)state;
    static const char *const names[] = { "gtx480-32k-queues", "gtx480-32k-all" };
    for (uint32_t i = 0; i < 2; i++) {
        struct machine_config *c = load(names[i], NULL);
        assert_true(c->l1t.in_order);
        assert_int_equal(c->l1t.fragments, 10240);
        assert_int_equal(c->l1t.reorder, 10240);
        assert_int_equal(c->l1t.miss_queue, 10240);
        assert_int_equal(c->l1c.mshr_entries, 10240);
        machine_config_free(c);
    }
    struct machine_config *c = load("gtx480-32k", NULL);
    assert_true(c->l1t.in_order && c->l1t.fragments == 128 && c->l1t.reorder == 128); /* 3.2.2's */
    machine_config_free(c);
}

/* A limit in lines is so many fetches as the lines have sectors; */
static void a_unit_changes_what_a_number_means(void **state)
{
    (void)state;
    static const char *const lines[] = { "l2.mshr_unit=line", "l2.mshr_entries=8", "dram.queue_unit=line", "dram.queue=5", NULL };
    static const char *const short_lines[] = { "l2.mshr_unit=line", "l2.mshr_entries=8", "l2.line=64",  "l1.line=64",
                                               "l1.index=linear",   "l1i.line=64",       "l1t.line=64", NULL };
    struct machine_config *c = load("gtx480", lines);
    assert_int_equal(l2_mshr_sectors(&c->l2), 32);
    assert_int_equal(machine_dram(c).queue, 20);
    machine_config_free(c);
    c = load("gtx480", short_lines);
    assert_int_equal(l2_mshr_sectors(&c->l2), 16);
    machine_config_free(c);
    c = load("gtx480", NULL);
    assert_int_equal(l2_mshr_sectors(&c->l2), 256);
    assert_int_equal(machine_dram(c).queue, 64);
    machine_config_free(c);
}

/* Bytes per second that requests of a sector can have: one per column command. */
static uint64_t bandwidth(const char *name)
{
    struct machine_config *c = load(name, NULL);
    const uint32_t burst = dram_burst_clocks(&c->dram), clocks = c->dram.ccd > burst ? c->dram.ccd : burst;
    const uint64_t bytes = c->map.channels * SECTOR_BYTES * (c->gpu.dram_khz / clocks) * 1000;
    if (c->dram.bus_bytes * c->dram.burst != SECTOR_BYTES)
        fail_msg("%s: a sector takes a burst of %u bytes", name, c->dram.bus_bytes * c->dram.burst);
    machine_config_free(c);
    return bytes;
}

static void clocks_and_bandwidths_are_the_papers(void **state)
{
    (void)state;
    assert_int_equal(bandwidth("gtx480-16k") / 100000000, 1774); /* the table says 179.2, and 924 MHz, which make 177.4 */
    assert_int_equal(bandwidth("gtx480-32k") / 100000000, 1774); /* not stated: 3.2.2's own */
    assert_int_equal(bandwidth("gtx480-id") / 100000000, 1774);
    assert_int_equal(bandwidth("gtx480-latte") / 100000000, 1774);
    assert_int_equal(bandwidth("gtx480-003") / 100000000, 672);      /* 48 B x 1.4 GHz */
    assert_int_equal(bandwidth("gtx480-003-177") / 100000000, 1774); /* the card's */
    assert_int_equal(bandwidth("maxwell-48k") / 100000000, 3525);
    static const struct {
        const char *name;
        uint64_t core, net;
    } clocks[] = { { "gtx480-16k", 700000, 1400000 }, { "gtx480-003", 1400000, 1400000 }, { "gtx480-003-700", 700000, 700000 },
                   { "gtx480-id", 700000, 700000 },   { "gtx480-latte", 700000, 700000 }, { "maxwell-48k", 1126000, 1126000 } };
    for (uint32_t i = 0; i < sizeof clocks / sizeof *clocks; i++) {
        struct machine_config *c = load(clocks[i].name, NULL);
        assert_int_equal(c->gpu.core_khz, clocks[i].core);
        assert_int_equal(c->gpu.net_khz, clocks[i].net);
        machine_config_free(c);
    }
}

/* 3.2.2's index and latencies: "minimum L2 120, DRAM 220" are its parameters 120 and 120 + 100. */
static void machines_of_3_2_2_have_its_index_and_latencies(void **state)
{
    (void)state;
    static const char *const names[] = { "gtx480-003", "gtx480-id", "gtx480-latte" };
    for (uint32_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct machine_config *c = load(names[i], NULL);
        assert_int_equal(c->l1.index, SET_INDEX_FERMI_HASH);
        assert_int_equal(c->l1.hit_latency, 1);
        assert_int_equal(c->l2.rop_latency, 120);
        assert_int_equal(c->l2.rop_latency + c->dram.latency, 220);
        assert_int_equal(c->net.flit_bytes, 32);
        machine_config_free(c);
    }
}

/* Paper 004, section 5.3: at least 200 cycles to the L2, more to memory. */
static void a_load_from_the_l2_takes_200_cycles_on_maxwell(void **state)
{
    (void)state;
    const double l2 = per_step("maxwell-48k", NULL, in_l2), dram = per_step("maxwell-48k", NULL, in_dram);
    print_message("L2 %.1f cycles, DRAM %.1f\n", l2, dram);
    assert_true(l2 >= 200 && l2 < 202 && dram > l2);
    static const char *const slower_hits[] = { "l1.hit_latency=35", "l2.rop_latency=138", NULL };
    const double other = per_step("maxwell-48k", slower_hits, in_l2);
    assert_true(other >= 200 && other < 202);
}

/* Paper 001, table I: 200 core cycles to the L2, 440 to DRAM. */
static void loads_of_mascars_machine_take_the_table_s_cycles(void **state)
{
    (void)state;
    const double l2 = per_step("gtx480-32k", NULL, in_l2), dram = per_step("gtx480-32k", NULL, in_dram);
    print_message("L2 %.1f cycles, DRAM %.1f\n", l2, dram);
    assert_true(l2 >= 199 && l2 < 201);
    assert_true(dram >= 439 && dram < 442);
}

/* Paper 002, 6.4.1: from two modules on the same L2 lies on the module's side. A load that hits it takes as long as on one module,
 * wherever the memory is. */
static void a_module_s_l2_is_as_far_as_that_of_one_module(void **state)
{
    (void)state;
    const double one = per_step("gpm-k40", NULL, in_l2), two = per_step("gpm-k40-2", NULL, in_l2);
    print_message("L2 of one module %.1f cycles, of two %.1f\n", one, two);
    assert_true(one - two < 4 && two - one < 4);
}

/* Table 5.3: 100 ns of DRAM at 1 GHz, beyond what a load takes that the L2 has: less where the row is open (cl), more where another
 * one is (rp, rcd and cl), and 100 in the middle. */
static uint64_t in_other_rows(struct script_lane l)
{
    return 0xC0000000 + (uint64_t)l.times * 64 * 65536;
}
static void dram_of_the_mcm_gpu_takes_100_ns(void **state)
{
    (void)state;
    const double l2 = per_step("mono-256", NULL, in_l2), open = per_step("mono-256", NULL, in_dram) - l2,
                 other = per_step("mono-256", NULL, in_other_rows) - l2;
    print_message("L2 %.1f cycles, DRAM %.1f more, %.1f in another row\n", l2, open, other);
    assert_true(open + other >= 2 * 97 && open + other <= 2 * 103);
}

/* Tables 5.3 and 6.3: SMs, memory bandwidth, L2 (on either side of the links) of the machines of many modules. */
static void modules_have_what_their_tables_say(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        uint32_t sms, modules, gb;
        uint64_t l2_kb;
    } machines[] = { { "gpm-k40", 16, 1, 256, 2048 },        { "gpm-k40-2", 32, 2, 512, 4096 },
                     { "gpm-k40-4", 64, 4, 1024, 8192 },     { "gpm-k40-8", 128, 8, 2048, 16384 },
                     { "gpm-k40-16", 256, 16, 4096, 32768 }, { "gpm-k40-32", 512, 32, 8192, 65536 },
                     { "mono-256", 256, 1, 3072, 16384 },    { "mono-128", 128, 1, 1536, 8192 },
                     { "mcm-4x64", 256, 4, 3072, 16384 },    { "multigpu-2x128", 256, 2, 3072, 16384 } };
    for (uint32_t i = 0; i < sizeof machines / sizeof *machines; i++) {
        struct machine_config *c = load(machines[i].name, NULL);
        const struct l2_config *cache = c->l15.keeps == L15_NOTHING ? &c->l2 : &c->l15.cache;
        assert_int_equal(c->gpu.sms, machines[i].sms);
        assert_int_equal(c->gpu.modules, machines[i].modules);
        assert_int_equal(bandwidth(machines[i].name) / 1000000000, machines[i].gb);
        assert_int_equal((uint64_t)cache->sets * cache->ways * c->l2.line_bytes * c->map.channels * c->map.slices_per_channel /
                             1024,
                         machines[i].l2_kb);
        machine_config_free(c);
    }
}

/* Table 5.3 has 768 GB/s of each link, table 6.4 256 GB/s of a module, section 5.3.7 256 GB/s of the board: in and out together. */
static void links_have_what_their_tables_say(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        uint64_t module_mb, link_mb;
        uint32_t domain, hop;
    } machines[] = { { "mcm-4x64", 2 * 768000, 768000, LINK_PACKAGE, 32 }, { "multigpu-2x128", 256000, 256000, LINK_BOARD, 256 },
                     { "gpm-k40-2", 256000, 256000, LINK_PACKAGE, 32 },    { "gpm-k40-4", 256000, 128000, LINK_PACKAGE, 32 },
                     { "gpm-k40-8", 256000, 128000, LINK_PACKAGE, 32 },    { "gpm-k40-16", 256000, 128000, LINK_PACKAGE, 32 },
                     { "gpm-k40-32", 256000, 128000, LINK_PACKAGE, 32 } };
    for (uint32_t i = 0; i < sizeof machines / sizeof *machines; i++) {
        struct machine_config *c = load(machines[i].name, NULL);
        assert_int_equal(2 * c->link.bandwidth, machines[i].link_mb);
        assert_int_equal(2 * c->link.bandwidth * links_of_module("ring", c->gpu.modules), machines[i].module_mb);
        assert_int_equal(c->link.topology, LINK_RING);
        assert_int_equal(c->link.domain, machines[i].domain);
        assert_int_equal(c->link.latency, machines[i].hop);
        machine_config_free(c);
    }
}

/* Table 5.3: 64 warps and 128 KB of L1 in four ways at 1 GHz; an L2 of 16 ways. Table 6.3: 32 KB of L1. What L1.5s take, the L2
 * gives (5.3.3): 8 MB of each, and 32 KB in each module beside 16 MB. */
static void caches_of_modules_have_what_the_text_says(void **state)
{
    (void)state;
    static const char *const half[] = { "l15.keeps=remote", "l15.sets=32", "l2.sets=32", NULL };
    static const char *const most[] = { "l15.keeps=remote", "l15.sets=64", "l2.sets=1", "l2.ways=8", NULL };
    static const struct {
        const char *name;
        const char *const *settings;
        uint64_t l1_kb, l15_kb, l2_kb;
    } machines[] = { { "mcm-4x64", NULL, 128, 0, 16384 },
                     { "mcm-4x64", half, 128, 8192, 8192 },
                     { "mcm-4x64", most, 128, 16384, 4 * 32 },
                     { "multigpu-2x128", half, 128, 8192, 8192 },
                     { "gpm-k40-4", NULL, 32, 8192, 4 * 32 } };
    for (uint32_t i = 0; i < sizeof machines / sizeof *machines; i++) {
        struct machine_config *c = load(machines[i].name, machines[i].settings);
        const uint64_t slices = c->map.channels * c->map.slices_per_channel, line = c->l2.line_bytes;
        const struct l2_config bank = machine_l15(c);
        assert_int_equal(c->sm.threads / 32, 64);
        assert_int_equal(line, 128);
        assert_int_equal(c->l1.ways, 4);
        assert_int_equal(c->l1.sets * c->l1.ways * c->l1.line_bytes / 1024, machines[i].l1_kb);
        assert_int_equal(c->l15.keeps ? slices * bank.sets * bank.ways * line / 1024 : 0, machines[i].l15_kb);
        assert_int_equal(slices * c->l2.sets * c->l2.ways * line / 1024, machines[i].l2_kb);
        machine_config_free(c);
    }
    struct machine_config *c = load("mcm-4x64", NULL);
    assert_int_equal(c->gpu.core_khz, 1000000);
    assert_int_equal(c->l2.ways, 16);
    machine_config_free(c);
}

static void figure_14_s_sizes_can_be_set(void **state)
{
    (void)state;
    static const struct {
        const char *sets[2];
        uint32_t kib;
    } sizes[] = { { { "l1.sets=16" }, 16 },
                  { { "l1.sets=48" }, 48 },
                  { { "l1.sets=64" }, 64 },
                  { { "l1.sets=96" }, 96 },
                  { { "l1.sets=128" }, 128 } };
    for (uint32_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        struct machine_config *c = load("maxwell-48k", sizes[i].sets);
        assert_int_equal(c->l1.sets * c->l1.ways * c->l1.line_bytes, sizes[i].kib * 1024);
        machine_config_free(c);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_paper_s_machine_has_the_lines_of_its_table),
        cmocka_unit_test(larger_queues_are_the_texture_cache_s_too),
        cmocka_unit_test(a_unit_changes_what_a_number_means),
        cmocka_unit_test(clocks_and_bandwidths_are_the_papers),
        cmocka_unit_test(machines_of_3_2_2_have_its_index_and_latencies),
        cmocka_unit_test(a_load_from_the_l2_takes_200_cycles_on_maxwell),
        cmocka_unit_test(loads_of_mascars_machine_take_the_table_s_cycles),
        cmocka_unit_test(a_module_s_l2_is_as_far_as_that_of_one_module),
        cmocka_unit_test(dram_of_the_mcm_gpu_takes_100_ns),
        cmocka_unit_test(modules_have_what_their_tables_say),
        cmocka_unit_test(links_have_what_their_tables_say),
        cmocka_unit_test(caches_of_modules_have_what_the_text_says),
        cmocka_unit_test(figure_14_s_sizes_can_be_set),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
