/* gpu_policy.c - the machine as policies see it (struct policy_machine). */
#include "gpu/gpu_state.h"

static struct sm *sm_at(void *gpu, uint32_t sm)
{
    return ((struct gpu *)gpu)->sm[sm];
}
static uint64_t core_now(void *gpu)
{
    return gpu_now(gpu, CLOCK_CORE);
}

static void totals(void *gpu, uint32_t sm, struct policy_totals *out)
{
    sm_policy_totals(sm_at(gpu, sm), out);
}
static void occupancy(void *gpu, uint32_t sm, struct policy_occupancy *out)
{
    sm_policy_occupancy(sm_at(gpu, sm), out);
}
static void warp(void *gpu, uint32_t sm, uint32_t slot, struct policy_warp *out)
{
    sm_policy_warp(sm_at(gpu, sm), slot, out);
}
static uint32_t free_registers(void *gpu, uint32_t sm)
{
    return sm_policy_free_registers(sm_at(gpu, sm));
}
static void regate(void *gpu, uint32_t sm)
{
    sm_policy_regate(sm_at(gpu, sm));
}
static bool inject(void *gpu, uint32_t sm, uint64_t address, uint32_t bytes, bool write, bool first, uint64_t token)
{
    return sm_policy_inject(sm_at(gpu, sm), address, bytes, write, first, token, core_now(gpu));
}
static struct policy_registers cta_registers(void *gpu, uint32_t sm, uint32_t cta_slot)
{
    return sm_policy_cta_registers(sm_at(gpu, sm), cta_slot);
}
static void release_registers(void *gpu, uint32_t sm, uint32_t cta_slot)
{
    sm_policy_release_registers(sm_at(gpu, sm), cta_slot);
}
static bool take_registers(void *gpu, uint32_t sm, uint32_t cta_slot)
{
    return sm_policy_take_registers(sm_at(gpu, sm), cta_slot);
}
static void drain_cta(void *gpu, uint32_t sm, uint32_t cta_slot)
{
    sm_policy_drain_cta(sm_at(gpu, sm), cta_slot);
}
static bool access_register(void *gpu, uint32_t sm, uint32_t number, bool write, uint32_t delay, uint64_t token)
{
    return sm_policy_access_register(sm_at(gpu, sm), number, write, delay, token, core_now(gpu));
}
static void take_space(void *gpu, uint32_t sm, uint32_t set, uint32_t bytes)
{
    sm_policy_take_space(sm_at(gpu, sm), set, bytes, core_now(gpu));
}
static void deliver(void *gpu, uint32_t sm, struct request *request)
{
    sm_policy_deliver(sm_at(gpu, sm), request, core_now(gpu));
}
static void occupy_bank(void *gpu, uint32_t sm, uint32_t bank, uint32_t cycles)
{
    sm_policy_occupy_bank(sm_at(gpu, sm), bank, core_now(gpu) + cycles);
}
static void stall_issue(void *gpu, uint32_t sm, uint32_t cycles)
{
    sm_policy_stall_issue(sm_at(gpu, sm), core_now(gpu) + cycles);
}

static bool drop_line(void *gpu, uint32_t sm, uint64_t address)
{
    return sm_policy_drop_line(sm_at(gpu, sm), address);
}
static bool read_values(void *gpu, uint64_t address, uint32_t bytes, void *out)
{
    struct front *front = ((struct gpu *)gpu)->front;
    if (!front || !front->ops->read_memory)
        return false;
    front->ops->read_memory(front, address, bytes, out);
    return true;
}

static void dram_view(void *gpu, uint64_t address, struct policy_dram_view *out)
{
    const struct gpu *g = gpu;
    const struct address_place p = address_map_locate(&g->config.map, address);
    *out = (struct policy_dram_view){
        .channel = p.channel, .bank = p.bank, .row = p.row, .waiting = dram_channel_bank_requests(g->channel[p.channel], p.bank)
    };
}

static uint32_t try_values(void *gpu, uint32_t count)
{
    return gpu_try_values(gpu, count);
}

struct policy_machine gpu_policy_machine(struct gpu *gpu)
{
    return (struct policy_machine){ .gpu = gpu,
                                    .totals = totals,
                                    .occupancy = occupancy,
                                    .warp = warp,
                                    .free_registers = free_registers,
                                    .regate = regate,
                                    .inject = inject,
                                    .cta_registers = cta_registers,
                                    .release_registers = release_registers,
                                    .take_registers = take_registers,
                                    .drain_cta = drain_cta,
                                    .access_register = access_register,
                                    .deliver = deliver,
                                    .take_space = take_space,
                                    .occupy_bank = occupy_bank,
                                    .stall_issue = stall_issue,
                                    .drop_line = drop_line,
                                    .read_values = read_values,
                                    .dram_view = dram_view,
                                    .try_values = try_values };
}
