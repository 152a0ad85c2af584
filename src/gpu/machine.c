/* machine.c - all parameters of a machine in one place, their contradictions, and what policies are told of its shape. */
#include "gpu/machine.h"

#include <stdlib.h>

#include "energy/energy.h"

/* Defaults: GPGPU-Sim 4.2's SM2_GTX480. */
#define T struct gpu_config
const struct param gpu_params[] = {
    PARAM_U32(T, sms, "gpu.sms", 15, 1, 1024, "SMs", "streaming multiprocessors, of all modules"),
    PARAM_U32(T, modules, "gpu.modules", 1, 1, 64, "modules",
              "modules of equal parts of the SMs and the channels, joined by links (link.*)"),
    PARAM_U32_OF(PARAM_HOST, T, threads, "gpu.threads", 1, 1, 256, "threads",
                 "threads of the host that a kernel runs on, as --threads; results are the same for every number"),
    PARAM_BOOL_OF(PARAM_HOST, T, threads_insist, "gpu.threads_insist", false,
                  "use all threads all the time; else one does all while others need the cores, or while that is faster"),
    PARAM_BOOL_OF(PARAM_HOST, T, threads_measure, "gpu.threads_measure", false,
                  "one thread does all, and a note says how long the threads' parts would have taken side by side"),
    PARAM_SIZE(T, page_bytes, "gpu.page", "64KiB", "4KiB", "1GiB", "page size, where a policy says which module a page goes to"),
    PARAM_FREQUENCY(T, core_khz, "gpu.core_clock", "700MHz", "clock of the SMs"),
    PARAM_FREQUENCY(T, net_khz, "gpu.net_clock", "700MHz", "clock of the networks"),
    PARAM_FREQUENCY(T, l2_khz, "gpu.l2_clock", "700MHz", "clock of the L2"),
    PARAM_FREQUENCY(T, dram_khz, "gpu.dram_clock", "924MHz", "command clock of the DRAM"),
    PARAM_U32(T, sms_per_port, "gpu.sms_per_port", 1, 1, 8, "SMs",
              "neighbouring SMs that share a port of the networks and its ejection buffer, and get a CTA per cycle among them; "
              "more than one: a run has one thread"),
    PARAM_BOOL(T, ports_in_turn, "gpu.ports_in_turn", true,
               "the SMs of a port go first in turn, one in each cycle; else always the one of the lowest number"),
    PARAM_U32(T, ejection_buffer, "gpu.ejection_buffer", 32, 1, 1024, "replies", "replies that wait between the network and an SM"),
    PARAM_U32(T, launch_cycles, "gpu.launch_latency", 0, 0, 1000000, "cycles",
              "from a kernel's begin to its first CTA; its cycles count"),
    PARAM_U32(T, launch_cta_cycles, "gpu.launch_latency_per_cta", 0, 0, 10000, "cycles",
              "so much more for each CTA of the kernel's grid"),
    PARAM_U64(T, interval, "gpu.interval", 0, 0, 1000000000000, "cycles",
              "keep the counters per interval of so many cycles too; 0: no"),
    PARAM_U64(T, watchdog_cycles, "gpu.watchdog", 1000000, 1000, 1000000000000, "cycles",
              "no instruction issued for so long: the run ends with a report of who waits for what"),
    PARAM_CHOICE(T, energy_table, "energy.table", "fermi", energy_table_names,
                 "energies that results are computed with (`warpline energy` takes others)"),
    PARAM_END
};
#undef T

struct part {
    const struct param *table;
    size_t offset;
};
static const struct part parts[] = { { gpu_params, offsetof(struct machine_config, gpu) },
                                     { sm_params, offsetof(struct machine_config, sm) },
                                     { l1_params, offsetof(struct machine_config, l1) },
                                     { l1i_params, offsetof(struct machine_config, l1i) },
                                     { l1c_params, offsetof(struct machine_config, l1c) },
                                     { l1t_params, offsetof(struct machine_config, l1t) },
                                     { net_params, offsetof(struct machine_config, net) },
                                     { link_params, offsetof(struct machine_config, link) },
                                     { address_map_params, offsetof(struct machine_config, map) },
                                     { l15_params, offsetof(struct machine_config, l15) },
                                     { l2_params, offsetof(struct machine_config, l2) },
                                     { dram_params, offsetof(struct machine_config, dram) },
                                     { reference_params, offsetof(struct machine_config, reference) } };
enum { PART_COUNT = sizeof parts / sizeof parts[0] };

struct machine_config *machine_config_new(void)
{
    struct machine_config *config = must_calloc(1, sizeof *config);
    for (uint32_t i = 0; i < PART_COUNT; i++)
        param_defaults(parts[i].table, (char *)config + parts[i].offset);
    return config;
}

void machine_config_free(struct machine_config *config)
{
    free(config);
}

void machine_config_bind(struct machine_config *config, struct param_space *space)
{
    for (uint32_t i = 0; i < PART_COUNT; i++)
        param_space_add(space, "", parts[i].table, (char *)config + parts[i].offset);
    param_space_moved(space, reference_moved);
}

static uint32_t largest_line(const struct machine_config *c)
{
    const uint32_t lines[] = { c->l1.line_bytes, c->l1i.line_bytes, c->l1c.line_bytes, c->l1t.line_bytes };
    uint32_t largest = 0;
    for (uint32_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
        largest = lines[i] > largest ? lines[i] : largest;
    return largest;
}

/* Settings of `reference.*` that do not go together with the rest. */
static bool reference_check(const struct machine_config *c, struct error *err)
{
    if (c->reference.l1_blind_fills && c->l1.sectored && !c->l1.sector_requests)
        return error_set(err, "reference.l1_blind_fills is of an L1 without sectors, or with l1.sector_requests");
    if (!c->l1.allocate_on_miss && c->l1.stores == L1_STORES_EVICT && !c->reference.l1_blind_fills)
        return error_set(err,
                         "l1.allocate_on_miss = false: data that come cannot wait until a dirty line of local memory is written "
                         "back; set l1.stores = through or evict-all");
    if (c->dram.write_queue.value[0] && !c->reference.late_writebacks)
        return error_set(err,
                         "dram.write_queue: writes below its mark stay there when a kernel ends; set reference.late_writebacks");
    return true;
}

static bool modules_check(const struct machine_config *c, struct error *err)
{
    const uint32_t n = c->gpu.modules;
    if (c->gpu.sms % n || c->map.channels % n)
        return error_set(err, "gpu.modules is %u: it must divide gpu.sms (%u) and map.channels (%u)", n, c->gpu.sms,
                         c->map.channels);
    if (n > 1 && c->map.channels / n * c->map.slices_per_channel > 64)
        return error_set(err, "gpu.modules is %u: at most 64 L2 slices in each of several modules, not %u", n,
                         c->map.channels / n * c->map.slices_per_channel);
    if (n > 1 && c->map.slice_hash)
        return error_set(err, "map.slice_hash spreads lines over all slices of the machine: set gpu.modules = 1, or leave it out");
    const uint32_t sharers = c->gpu.sms_per_port;
    if (c->gpu.sms % sharers || (sharers > 1 && n > 1))
        return error_set(err, "gpu.sms_per_port is %u: it must divide gpu.sms (%u); above 1 only in a machine of one module",
                         sharers, c->gpu.sms);
    if (n == 1 && c->l15.keeps != L15_NOTHING)
        return error_set(err, "l15.keeps: a machine of one module has no L1.5; set gpu.modules, or l15.keeps = nothing");
    if (c->gpu.page_bytes & (c->gpu.page_bytes - 1))
        return error_set(err, "gpu.page is %llu bytes: a power of two, such as 64KiB", (unsigned long long)c->gpu.page_bytes);
    const struct reference_config *r = &c->reference;
    if (n > 1 && (r->rounded_clocks || r->misplace_writebacks || r->late_writebacks || r->late_atomics))
        return error_set(err, "reference.*: the reference has no modules; set gpu.modules = 1, or leave its ways out");
    return true;
}

bool machine_config_check(const struct machine_config *c, struct error *err)
{
    return reference_check(c, err) && modules_check(c, err) && l15_config_check(&c->l15, &c->l2, err) &&
           sm_config_check(&c->sm, err) && l1_config_check(&c->l1, err) && readonly_config_check(&c->l1i, "l1i", err) &&
           readonly_config_check(&c->l1c, "l1c", err) && readonly_config_check(&c->l1t, "l1t", err) &&
           net_config_check(&c->net, err) && address_map_config_check(&c->map, err) && l2_config_check(&c->l2, err) &&
           l2_config_fits(&c->l2, &c->map, largest_line(c), err) && dram_config_check(&c->dram, &c->map, err);
}

struct dram_config machine_dram(const struct machine_config *c)
{
    struct dram_config dram = c->dram;
    dram.queue = count_in_sectors(c->dram.queue, c->dram.queue_unit, c->l2.line_bytes);
    return dram;
}

struct l2_config machine_l15(const struct machine_config *c)
{
    struct l2_config bank = c->l15.cache;
    bank.enabled = bank.module_side = true;
    bank.line_bytes = c->l2.line_bytes;
    return bank;
}

struct policy_geometry machine_policy_geometry(const struct machine_config *c)
{
    const struct l2_config bank = machine_l15(c);
    const uint32_t slices = c->map.channels * c->map.slices_per_channel, banks = c->l15.keeps == L15_NOTHING ? 0 : slices;
    return (struct policy_geometry){
        .modules = c->gpu.modules,
        .sms = c->gpu.sms,
        .schedulers_per_sm = c->sm.schedulers,
        .warps_per_sm = c->sm.threads / 32,
        .ctas_per_sm = c->sm.ctas,
        .registers_per_sm = c->sm.registers,
        .register_banks = c->sm.register_banks,
        .cache = { [LEVEL_L1] = { c->gpu.sms, c->l1.sets, c->l1.ways, c->l1.line_bytes, c->l1.mshr_entries, c->l1.miss_queue, 0 },
                   [LEVEL_L15] = { banks, bank.sets, bank.ways, bank.line_bytes, l2_mshr_sectors(&bank), bank.miss_queue, 0 },
                   [LEVEL_L2] = { slices, c->l2.sets, c->l2.ways, c->l2.line_bytes, l2_mshr_sectors(&c->l2), c->l2.miss_queue, 0 } }
    };
}
