/* compress_bench.h - a policy with a compressed L1, played by hand: the test says what memory holds, fills lines and hits them. */
#ifndef COMPRESS_BENCH_H
#define COMPRESS_BENCH_H
#include <string.h>

#include "fake_machine.h"

struct compress_bench {
    struct fake_machine machine;
    struct policy_set *set;
    struct policy_instance *instance;
    uint32_t word; /* that every line is full of; with `noise` nothing repeats */
    bool noise;
    uint32_t drops;
    uint64_t dropped, cycle;
};

static inline uint64_t line_address(uint32_t set, uint32_t way)
{
    return ((uint64_t)way * 32 + set) * 128;
}

static inline bool bench_values(void *gpu, uint64_t address, uint32_t bytes, void *out)
{
    const struct compress_bench *b = gpu;
    for (uint32_t i = 0; i < bytes; i += 4) {
        const uint32_t word = b->noise ? (uint32_t)((address + i + 1) * UINT64_C(0x9e3779b97f4a7c15) >> 32) : b->word;
        memcpy((uint8_t *)out + i, &word, 4);
    }
    return true;
}

static inline void drop(struct compress_bench *b, uint32_t sm, uint32_t set, uint32_t way, enum policy_eviction reason)
{
    const struct policy_evicted e = {
        .address = line_address(set, way), .unit = sm, .set = set, .way = way, .level = LEVEL_L1, .reason = (uint8_t)reason
    };
    hooks_evicted(&b->instance->hooks.cache[LEVEL_L1], &e);
}

static inline bool bench_drop_line(void *gpu, uint32_t sm, uint64_t address)
{
    struct compress_bench *b = gpu;
    b->drops++;
    b->dropped = address;
    drop(b, sm, (uint32_t)(address / 128 % 32), (uint32_t)(address / 128 / 32), EVICTED_BY_FLUSH);
    return true;
}

static inline void bench_occupancy(void *gpu, uint32_t sm, struct policy_occupancy *out)
{
    *out = ((struct compress_bench *)gpu)->machine.occupancy[sm];
}

static inline void open_compress(struct compress_bench *b, const char *policy, const char *const *assignments)
{
    struct error err = { 0 };
    *b = (struct compress_bench){ .word = 0 };
    b->set = policy_set_new(NULL, policy, &err);
    assert_string_equal(err.text, "");
    struct param_space *space = param_space_new();
    policy_set_add_params(b->set, space);
    for (; assignments && *assignments; assignments++)
        if (!param_set_assignment(space, *assignments, "test", &err))
            fail_msg("%s", err.text);
    param_space_free(space);
    const struct policy_geometry g = fake_geometry();
    struct policy_machine m = fake_policy_machine(&b->machine);
    m.gpu = b;
    m.read_values = bench_values;
    m.drop_line = bench_drop_line;
    m.occupancy = bench_occupancy;
    b->instance = policy_set_bind(b->set, &g, &m, &err);
    assert_string_equal(err.text, "");
}

static inline void close_compress(struct compress_bench *b)
{
    const char *which = NULL;
    assert_null(policy_instance_broken(b->instance, &which));
    policy_instance_free(b->instance);
    policy_set_free(b->set);
}

static inline uint32_t stored(struct compress_bench *b, const struct policy_access *a, uint32_t way, bool filled)
{
    const struct cache_hooks *h = &b->instance->hooks.cache[LEVEL_L1];
    return h->storage.call.stored_bytes(h->storage.self, a, way, 128, filled);
}

static inline struct policy_access access_to(uint32_t sm, uint32_t set, uint32_t way, uint64_t cycle)
{
    struct policy_access a = fake_load(LEVEL_L1, sm, line_address(set, way), 32);
    a.cycle = cycle;
    return a;
}

/* The data of a line come; what they take. */
static inline uint32_t fill(struct compress_bench *b, uint32_t sm, uint32_t set, uint32_t way, uint64_t cycle)
{
    const struct policy_access a = access_to(sm, set, way, cycle);
    const uint32_t bytes = stored(b, &a, way, true);
    hooks_filled(&b->instance->hooks.cache[LEVEL_L1], &a, way);
    return bytes;
}

static inline uint32_t hit_cycles(struct compress_bench *b, uint32_t sm, uint32_t set, uint32_t way, uint64_t cycle)
{
    const struct cache_hooks *h = &b->instance->hooks.cache[LEVEL_L1];
    const struct policy_access a = access_to(sm, set, way, cycle);
    return h->storage.call.hit_cycles(h->storage.self, &a, way);
}

/* The serial point, where tables are brought up to date. */
static inline void serial(struct compress_bench *b)
{
    b->cycle += 32;
    hooks_serial(&b->instance->hooks, b->cycle);
}
#endif
