/* An L1 under compressed-l1: how many lines a set holds for data of each size, to the line, and when a hit has its data. The policy
 * is the real one; the values are what the test writes. */
#include "../policy/fake_machine.h"

#include <string.h>

#include "mem/l1.h"
#include "mock_port.h"

enum { SETS = 2, WAYS = 4, SM = 3 };
enum content { ZEROS, STEPS, NOISE }; /* BDI: 32 bytes, 64 (a base of 4 and 31 bytes), 128 */

struct bench {
    struct request_pool *pool;
    struct mock_port below;
    struct l1 *l1;
    struct policy_set *set;
    struct policy_instance *policies;
    uint64_t now;
    enum content content;
};

static bool values(void *gpu, uint64_t address, uint32_t bytes, void *out)
{
    const struct bench *b = gpu;
    for (uint32_t i = 0; i < bytes; i += 4) {
        const uint64_t mixed = (address + i) * UINT64_C(0x9e3779b97f4a7c15);
        const uint32_t word = b->content == ZEROS ? 0 : b->content == STEPS ? 0x40000000u + i : (uint32_t)(mixed >> 32);
        memcpy((uint8_t *)out + i, &word, 4);
    }
    return true;
}

static void open_bench(struct bench *b, const char *policy, const char *const *assignments, enum content content)
{
    struct l1_config c = { 0 };
    struct error err = { 0 };
    *b = (struct bench){ .now = 1, .content = content };
    struct policy_geometry g = fake_geometry();
    g.cache[LEVEL_L1] = (struct policy_cache_geometry){ FAKE_SMS, SETS, WAYS, 128, 64, 8, 0 };
    struct policy_machine m = fake_policy_machine(NULL);
    m.gpu = b;
    m.read_values = values;
    b->set = policy_set_new(NULL, policy, &err);
    struct param_space *space = param_space_new();
    policy_set_add_params(b->set, space);
    for (; assignments && *assignments; assignments++)
        assert_true(param_set_assignment(space, *assignments, "test", &err));
    param_space_free(space);
    b->policies = policy_set_bind(b->set, &g, &m, &err);
    assert_string_equal(err.text, "");
    param_defaults(l1_params, &c);
    c.sets = SETS;
    c.ways = WAYS;
    c.index = 0;
    c.mshr_entries = 64;
    c.miss_queue = 32;
    b->pool = request_pool_new();
    b->l1 = l1_new(&c, SM, b->pool, mock_port_open(&b->below));
    l1_set_hooks(b->l1, &b->policies->hooks.cache[LEVEL_L1]);
}

static void close_bench(struct bench *b)
{
    const char *which = NULL;
    assert_null(policy_instance_broken(b->policies, &which));
    assert_null(l1_broken(b->l1));
    l1_free(b->l1);
    mock_port_close(&b->below);
    request_pool_free(b->pool);
    policy_instance_free(b->policies);
    policy_set_free(b->set);
}

/* Lines of set 0: 0, 2, 4... */
static struct l1_answer load(struct bench *b, uint32_t line)
{
    struct request *r = request_make(b->pool);
    *r = (struct request){ .kind = REQUEST_GLOBAL_READ, .address = line * 2 * 128ull, .bytes = 32, .sectors = 1, .slot = r->slot };
    r->mask.word[0] = UINT32_MAX;
    const struct l1_answer a = l1_access(b->l1, r, b->now++);
    if (a.outcome == CACHE_HIT || cache_refused(a.outcome))
        request_free(b->pool, r);
    return a;
}

static void reply_all(struct bench *b)
{
    struct request *r;
    do {
        l1_cycle(b->l1, b->now++);
        if ((r = port_pop(&b->below.out.port)) != NULL)
            l1_fill(b->l1, r, b->now += 4);
        while ((r = l1_pop_ready(b->l1)) != NULL)
            request_free(b->pool, r);
    } while (!l1_idle(b->l1) || b->below.out.port.ring.count);
}

static void fetch(struct bench *b, uint32_t line)
{
    assert_int_equal(load(b, line).outcome, CACHE_MISS);
    reply_all(b);
}

/* `lines` fit, all of them; one more, and the least recently used has gone. */
static void set_holds(struct bench *b, uint32_t lines)
{
    for (uint32_t i = 0; i < lines; i++)
        fetch(b, i);
    for (uint32_t i = 0; i < lines; i++)
        assert_int_equal(load(b, i).outcome, CACHE_HIT);
    fetch(b, lines);
    for (uint32_t i = 1; i <= lines; i++)
        assert_int_equal(load(b, i).outcome, CACHE_HIT);
    assert_int_equal(load(b, 0).outcome, CACHE_MISS);
    reply_all(b);
}

static void zeros_make_it_four_times_as_large_to_the_line(void **state)
{
    (void)state;
    static const char *const policies[] = { "static-bdi", "static-fpc", "static-cpack", "static-bpc" };
    for (uint32_t i = 0; i < sizeof policies / sizeof policies[0]; i++) {
        struct bench b;
        open_bench(&b, policies[i], NULL, ZEROS);
        set_holds(&b, 4 * WAYS);
        close_bench(&b);
    }
}

static void sub_blocks_are_what_counts(void **state)
{
    (void)state;
    struct bench b;
    open_bench(&b, "static-bdi", NULL, STEPS);
    set_holds(&b, 2 * WAYS);
    close_bench(&b);
    open_bench(&b, "static-bdi", NULL, NOISE);
    set_holds(&b, WAYS);
    close_bench(&b);
    open_bench(&b, "static-bdi", (const char *const[]){ "policy.compressed-l1.effect=latency", NULL }, ZEROS);
    set_holds(&b, WAYS);
    close_bench(&b);
    /* With a whole line reserved by the miss, three sub-blocks of it are free again when there is no further miss. */
    open_bench(&b, "static-bdi", (const char *const[]){ "policy.compressed-l1.reserve=line", NULL }, ZEROS);
    set_holds(&b, 4 * WAYS - 3);
    close_bench(&b);
}

/* More lines on their way than would fit if they are large: those that come when the others' places are taken are handed on. */
static void lines_that_find_no_room_are_handed_on(void **state)
{
    (void)state;
    struct bench b;
    open_bench(&b, "static-bdi", NULL, NOISE);
    for (uint32_t i = 0; i < 4 * WAYS; i++)
        assert_int_equal(load(&b, i).outcome, CACHE_MISS);
    assert_int_equal(load(&b, 99).outcome, CACHE_REFUSED_LINE_ALLOC); /* all tags are waiting */
    reply_all(&b);
    uint32_t here = 0;
    for (uint32_t i = 0; i < 4 * WAYS; i++)
        here += l1_would_hit(b.l1, i * 2 * 128ull, 1);
    assert_int_equal(here, WAYS);
    const struct compression_rows {
        uint64_t fills, sizes[4], not_kept;
    } *count = (const void *)(b.policies->self[0].counters + SM * b.policies->self[0].counters_size);
    assert_int_equal(count->fills, 4 * WAYS);
    assert_int_equal(count->sizes[3], 4 * WAYS);
    /* Twelve went: at the fills as long as others were on their way, else as victims. */
    assert_in_range(count->not_kept, 1, 3 * WAYS);
    close_bench(&b);
}

static void a_hit_waits_for_compressor_and_decompressor(void **state)
{
    (void)state;
    struct bench b;
    open_bench(&b, "static-bpc", NULL, ZEROS); /* 6 to compress, 11 to decompress */
    assert_int_equal(load(&b, 0).outcome, CACHE_MISS);
    l1_cycle(b.l1, b.now++);
    l1_fill(b.l1, port_pop(&b.below.out.port), b.now);
    request_free(b.pool, l1_pop_ready(b.l1)); /* has its data at once */
    assert_int_equal(load(&b, 0).extra_cycles, 6 + 11);
    b.now += 100;
    assert_int_equal(load(&b, 0).extra_cycles, 11);
    assert_int_equal(load(&b, 0).extra_cycles, 22); /* one cycle later: one line before it */
    assert_int_equal(load(&b, 0).extra_cycles, 33);
    close_bench(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(zeros_make_it_four_times_as_large_to_the_line),
        cmocka_unit_test(sub_blocks_are_what_counts),
        cmocka_unit_test(lines_that_find_no_room_are_handed_on),
        cmocka_unit_test(a_hit_waits_for_compressor_and_decompressor),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
