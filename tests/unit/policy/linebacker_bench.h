/* linebacker_bench.h - the machine around linebacker, played by hand: loads, windows, evictions, registers that leave and come
 * back. */
#ifndef LINEBACKER_BENCH_H
#define LINEBACKER_BENCH_H
#include "fake_machine.h"

#define STAT_DEF "policy/linebacker_counters.def"
#define STAT_NAME linebacker
#include "stat/declare.h"

enum { WINDOW = 50000, REGISTERS = 48 }; /* of a CTA: four fit below register 512 and one partition of 192 above 703 stays free */

struct bench {
    struct bound b;
    struct fake_view v;
    uint64_t cycle, instructions;
};

/* Table 1 of the paper, one kernel with CTAs of three warps and 16 registers, `ctas` of them on SM 0. */
static inline void open_named(struct bench *b, const char *name, uint32_t ctas, const char *const *settings)
{
    memset(b, 0, sizeof *b);
    struct policy_geometry g = fake_geometry();
    g.warps_per_sm = 64;
    g.ctas_per_sm = 32;
    g.registers_per_sm = 65536;
    g.cache[LEVEL_L1] = (struct policy_cache_geometry){ FAKE_SMS, 48, 8, 128, 64, 8, 8 };
    bind_policies_on(&b->b, NULL, &g, name, settings);
    fake_view_fill(&b->v, 0, 3 * ctas, 0);
    for (uint32_t w = 0; w < 64; w++)
        b->v.cta[w] = (uint16_t)(w / 3);
    const struct policy_kernel k = {
        .name = "k", .cta_count = 100, .warps_per_cta = 3, .registers_per_thread = 16, .max_ctas_per_sm = ctas
    };
    hooks_kernel_start(&b->b.instance->hooks, &k);
    for (uint32_t i = 0; i < ctas; i++) {
        b->b.machine.registers[i] = (struct policy_registers){ i * REGISTERS, REGISTERS };
        hooks_cta_event(&b->b.instance->hooks.cta_start, &b->v.view, i, i);
    }
}

static inline void open_bench(struct bench *b, uint32_t ctas, const char *const *settings)
{
    open_named(b, "linebacker", ctas, settings);
}

static inline void close_bench(struct bench *b)
{
    unbind_policies(&b->b);
}

static inline const struct linebacker_counters *counters(const struct bench *b)
{
    static struct linebacker_counters sum;
    policy_instance_counters(b->b.instance, 0, &sum);
    return &sum;
}

static inline const struct cache_hooks *l1(const struct bench *b)
{
    return &b->b.instance->hooks.cache[LEVEL_L1];
}

static inline struct policy_access load(uint64_t pc, uint64_t line)
{
    struct policy_access a = fake_load(LEVEL_L1, 0, line * 128, 48);
    a.pc = pc;
    a.sectors = 15;
    return a;
}

static inline void tell(struct bench *b, uint64_t pc, uint64_t line, enum policy_outcome outcome, uint32_t way)
{
    const struct policy_access a = load(pc, line);
    hooks_accessed(l1(b), &a, outcome, way);
}

/* `hits` and `misses` of a load, without victims. */
static inline void count(struct bench *b, uint64_t pc, uint32_t hits, uint32_t misses)
{
    for (uint32_t i = 0; i < hits; i++)
        tell(b, pc, 9000, OUTCOME_HIT, 0);
    for (uint32_t i = 0; i < misses; i++)
        tell(b, pc, 9001, OUTCOME_MISS, 0);
}

/* Ends a window in which SM 0 issued so many instructions. */
static inline void end_window(struct bench *b, uint64_t instructions)
{
    b->instructions += instructions;
    b->b.machine.totals[0].thread_instructions = b->instructions;
    b->cycle += WINDOW;
    b->v.view.cycle = b->cycle;
    hooks_serial(&b->b.instance->hooks, b->cycle);
}

static inline void evict(struct bench *b, uint64_t line, uint32_t way)
{
    const struct policy_evicted e = {
        .address = line * 128, .line = line, .set = (uint32_t)(line % 48), .way = way, .sectors_held = 15
    };
    hooks_evicted(l1(b), &e);
}

/* A miss as the L1 tells of it: first the line that it evicts, then itself. */
static inline void miss(struct bench *b, uint64_t pc, uint64_t line, uint32_t way, uint64_t victim)
{
    const struct policy_access a = load(pc, line);
    const struct policy_evicted e = {
        .address = victim * 128, .line = victim, .set = (uint32_t)(victim % 48), .way = way, .sectors_held = 15, .by = &a
    };
    hooks_evicted(l1(b), &e);
    hooks_accessed(l1(b), &a, OUTCOME_MISS, way);
}

static inline struct policy_serve ask(struct bench *b, uint64_t line)
{
    const struct policy_access a = load(8, line);
    struct policy_serve answer = { 0 };
    (void)hooks_serve(l1(b), &a, &answer);
    return answer;
}

/* Two windows with the same load above the threshold. */
static inline void select_load(struct bench *b)
{
    for (uint32_t i = 0; i < 2; i++) {
        count(b, 8, 30, 70);
        end_window(b, 1000);
    }
    assert_int_equal(counters(b)->selected, 1);
}

/* All register accesses that wait are served; returns how many. */
static inline uint32_t serve_registers(struct bench *b)
{
    struct fake_machine *m = &b->b.machine;
    const uint32_t n = m->accesses;
    uint64_t token[64];
    memcpy(token, m->access_token, sizeof token);
    m->accesses = 0;
    for (uint32_t i = 0; i < n; i++)
        hooks_token(&b->b.instance->hooks.register_done, &b->v.view, token[i]);
    return n;
}

static inline uint32_t serve_memory(struct bench *b)
{
    struct fake_machine *m = &b->b.machine;
    const uint32_t n = m->injections;
    uint64_t token[8];
    memcpy(token, m->inject_token, sizeof token);
    m->injections = 0;
    for (uint32_t i = 0; i < n; i++)
        hooks_token(&b->b.instance->hooks.injected, &b->v.view, token[i]);
    return n;
}

static inline void drain_of(struct bench *b, uint32_t slot)
{
    assert_true(b->b.machine.draining >> slot & 1);
    b->b.machine.draining &= ~(1u << slot);
    hooks_cta_event(&b->b.instance->hooks.cta_drained, &b->v.view, slot, slot);
}

/* Moves whatever is to be moved to its end. */
static inline void move_all(struct bench *b)
{
    while (serve_registers(b) + serve_memory(b))
        ;
}

static inline uint64_t running(struct bench *b)
{
    struct policy_gate gate;
    hooks_warp_gate(&b->b.instance->hooks, &b->v.view, &gate);
    return gate.run & b->v.view.resident;
}
#define WARPS_OF(slot) (7ull << 3 * (slot))
#endif
