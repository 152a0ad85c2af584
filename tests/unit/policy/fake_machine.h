/* fake_machine.h - a machine for the tests of policies: its totals, occupancy and warps are what the test writes, its L1 is played
 * by the test. */
#ifndef FAKE_MACHINE_H
#define FAKE_MACHINE_H
#include "../cmocka_all.h"
#include "policy/policy_set.h"

enum { FAKE_SMS = 15 };

struct fake_machine {
    struct policy_totals totals[FAKE_SMS];
    struct policy_occupancy occupancy[FAKE_SMS];
    struct policy_warp warp[64]; /* of every SM */
    uint32_t regated[FAKE_SMS];
    /* Of SM 0: what CTAs have, and what a policy asked for and the test has not answered yet. */
    struct policy_registers registers[32], taken[32];
    uint32_t space_taken[1024]; /* by set */
    uint32_t draining, delivered, accesses, injections;
    uint64_t access_token[64], inject_token[POLICY_INJECT_MAX], inject_address[POLICY_INJECT_MAX];
    uint32_t access_number[64], access_delay[64];
    bool access_write[64], inject_write[POLICY_INJECT_MAX], inject_first[POLICY_INJECT_MAX];
    uint32_t dram_waiting;
};

static inline void fake_totals(void *gpu, uint32_t sm, struct policy_totals *out)
{
    *out = ((struct fake_machine *)gpu)->totals[sm];
}
static inline void fake_occupancy(void *gpu, uint32_t sm, struct policy_occupancy *out)
{
    *out = ((struct fake_machine *)gpu)->occupancy[sm];
}
static inline void fake_warp(void *gpu, uint32_t sm, uint32_t slot, struct policy_warp *out)
{
    (void)sm;
    *out = ((struct fake_machine *)gpu)->warp[slot];
}
static inline uint32_t fake_free_registers(void *gpu, uint32_t sm)
{
    (void)gpu, (void)sm;
    return 0;
}
static inline void fake_regate(void *gpu, uint32_t sm)
{
    ((struct fake_machine *)gpu)->regated[sm]++;
}
static inline bool fake_inject(void *gpu, uint32_t sm, uint64_t address, uint32_t bytes, bool write, bool first, uint64_t token)
{
    (void)sm, (void)bytes;
    struct fake_machine *f = gpu;
    if (f->injections == POLICY_INJECT_MAX)
        return false;
    f->inject_address[f->injections] = address;
    f->inject_write[f->injections] = write;
    f->inject_first[f->injections] = first;
    f->inject_token[f->injections++] = token;
    return true;
}
static inline struct policy_registers fake_cta_registers(void *gpu, uint32_t sm, uint32_t cta_slot)
{
    return sm ? (struct policy_registers){ 0 } : ((struct fake_machine *)gpu)->registers[cta_slot];
}
static inline void fake_release_registers(void *gpu, uint32_t sm, uint32_t cta_slot)
{
    (void)sm;
    struct fake_machine *f = gpu;
    f->taken[cta_slot] = f->registers[cta_slot];
    f->registers[cta_slot].count = 0;
}
static inline bool fake_take_registers(void *gpu, uint32_t sm, uint32_t cta_slot)
{
    (void)sm;
    struct fake_machine *f = gpu;
    f->registers[cta_slot] = f->taken[cta_slot];
    return true;
}
static inline void fake_drain_cta(void *gpu, uint32_t sm, uint32_t cta_slot)
{
    (void)sm;
    ((struct fake_machine *)gpu)->draining |= 1u << cta_slot;
}
static inline bool fake_access_register(void *gpu, uint32_t sm, uint32_t number, bool write, uint32_t delay, uint64_t token)
{
    (void)sm;
    struct fake_machine *f = gpu;
    if (f->accesses == 64)
        return false;
    f->access_number[f->accesses] = number;
    f->access_write[f->accesses] = write;
    f->access_delay[f->accesses] = delay;
    f->access_token[f->accesses++] = token;
    return true;
}
static inline void fake_take_space(void *gpu, uint32_t sm, uint32_t set, uint32_t bytes)
{
    if (!sm)
        ((struct fake_machine *)gpu)->space_taken[set] = bytes;
}
static inline void fake_deliver(void *gpu, uint32_t sm, struct request *request)
{
    (void)sm, (void)request;
    ((struct fake_machine *)gpu)->delivered++;
}
static inline void fake_delay(void *gpu, uint32_t sm, uint32_t cycles)
{
    (void)gpu, (void)sm, (void)cycles;
}
static inline void fake_occupy(void *gpu, uint32_t sm, uint32_t bank, uint32_t cycles)
{
    (void)gpu, (void)sm, (void)bank, (void)cycles;
}
static inline bool fake_drop_line(void *gpu, uint32_t sm, uint64_t address)
{
    (void)gpu, (void)sm, (void)address;
    return false;
}
static inline bool fake_values(void *gpu, uint64_t address, uint32_t bytes, void *out)
{
    (void)gpu, (void)address, (void)bytes, (void)out;
    return false;
}
/* Rows of 8 KB, 8 banks; who waits is up to the test. */
static inline void fake_dram_view(void *gpu, uint64_t address, struct policy_dram_view *out)
{
    *out = (struct policy_dram_view){ .bank = (uint32_t)(address >> 13 & 7),
                                      .row = (uint32_t)(address >> 16),
                                      .waiting = ((struct fake_machine *)gpu)->dram_waiting };
}

/* The last of the values is always the best. */
static inline uint32_t fake_try_values(void *gpu, uint32_t count)
{
    (void)gpu;
    return count - 1;
}

static inline struct policy_machine fake_policy_machine(struct fake_machine *f)
{
    return (struct policy_machine){ .gpu = f,
                                    .totals = fake_totals,
                                    .occupancy = fake_occupancy,
                                    .warp = fake_warp,
                                    .free_registers = fake_free_registers,
                                    .regate = fake_regate,
                                    .inject = fake_inject,
                                    .cta_registers = fake_cta_registers,
                                    .release_registers = fake_release_registers,
                                    .take_registers = fake_take_registers,
                                    .drain_cta = fake_drain_cta,
                                    .access_register = fake_access_register,
                                    .deliver = fake_deliver,
                                    .take_space = fake_take_space,
                                    .occupy_bank = fake_occupy,
                                    .stall_issue = fake_delay,
                                    .drop_line = fake_drop_line,
                                    .read_values = fake_values,
                                    .dram_view = fake_dram_view,
                                    .try_values = fake_try_values };
}

/* The first paper's table 1. */
static inline struct policy_geometry fake_geometry(void)
{
    return (struct policy_geometry){ .modules = 3,
                                     .sms = FAKE_SMS,
                                     .schedulers_per_sm = 2,
                                     .warps_per_sm = 48,
                                     .ctas_per_sm = 8,
                                     .registers_per_sm = 32768,
                                     .register_banks = 16,
                                     .cache = {
                                         [LEVEL_L1] = { FAKE_SMS, 32, 4, 128, 32, 8 }, [LEVEL_L2] = { 12, 64, 8, 128, 32, 8 } } };
}

struct bound {
    struct fake_machine machine;
    struct policy_set *set;
    struct policy_instance *instance;
};

/* Binds policies with parameters ("policy.pric.at=l2", ...; NULL ends the list). Fails the test when it cannot. */
static inline void bind_policies_on(struct bound *b, const struct policy_library *library, const struct policy_geometry *geometry,
                                    const char *names, const char *const *assignments)
{
    struct error err = { 0 };
    *b = (struct bound){ 0 };
    for (uint32_t sm = 0; sm < FAKE_SMS; sm++)
        b->machine.occupancy[sm] = (struct policy_occupancy){ .texture_free = 4, .constant_free = 2 };
    b->set = policy_set_new(library, names, &err);
    assert_non_null(b->set);
    struct param_space *space = param_space_new();
    policy_set_add_params(b->set, space);
    for (; assignments && *assignments; assignments++)
        assert_true(param_set_assignment(space, *assignments, "test", &err));
    param_space_free(space);
    const struct policy_machine m = fake_policy_machine(&b->machine);
    b->instance = policy_set_bind(b->set, geometry, &m, &err);
    assert_string_equal(err.text, "");
    assert_non_null(b->instance);
}

static inline void bind_policies_of(struct bound *b, const struct policy_library *library, const char *names,
                                    const char *const *assignments)
{
    const struct policy_geometry g = fake_geometry();
    bind_policies_on(b, library, &g, names, assignments);
}

static inline void bind_policies(struct bound *b, const char *names, const char *const *assignments)
{
    bind_policies_of(b, NULL, names, assignments);
}

static inline void unbind_policies(struct bound *b)
{
    const char *which = NULL;
    assert_null(policy_instance_broken(b->instance, &which));
    policy_instance_free(b->instance);
    policy_set_free(b->set);
}

/* A view of an SM whose slots 0..warps-1 hold warps as old as their number; even slots belong to scheduler 0. */
struct fake_view {
    struct policy_sm_view view;
    uint64_t age[64], scheduler_slots[2];
    uint16_t cta[64], scheduler_of[64];
};

static inline void fake_view_fill(struct fake_view *f, uint32_t sm, uint32_t warps, uint64_t cycle)
{
    *f = (struct fake_view){ 0 };
    for (uint32_t slot = 0; slot < 64; slot++) {
        f->age[slot] = slot;
        f->scheduler_of[slot] = (uint16_t)(slot % 2);
        f->scheduler_slots[slot % 2] |= 1ull << slot;
    }
    f->view = (struct policy_sm_view){ .cycle = cycle,
                                       .sm = sm,
                                       .resident = warps == 64 ? UINT64_MAX : (1ull << warps) - 1,
                                       .age = f->age,
                                       .cta = f->cta,
                                       .scheduler_of = f->scheduler_of,
                                       .scheduler_slots = f->scheduler_slots };
}

static inline struct policy_access fake_load(uint32_t level, uint32_t unit, uint64_t address, uint32_t sets)
{
    return (struct policy_access){ .address = address & ~127ull,
                                   .line = address / 128,
                                   .pc = 64,
                                   .unit = unit,
                                   .sm = (uint16_t)(level == LEVEL_L1 ? unit : 0),
                                   .set = (uint32_t)(address / 128 % sets),
                                   .level = (uint8_t)level,
                                   .lanes = 1,
                                   .sectors = 1,
                                   .transactions = 1 };
}
#endif
