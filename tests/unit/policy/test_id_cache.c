/* id-bypass-pc and id-bypass-pcdiv (algorithm 3), alsi (algorithm 4) and both together (algorithm 5), by hand. */
#include <string.h>

#include "fake_machine.h"

enum { PC = 8 * 5 };

static struct policy_access load_at(uint64_t pc, uint32_t degree, uint64_t line)
{
    struct policy_access a = fake_load(LEVEL_L1, 2, line * 128, 32);
    a.pc = pc;
    a.transactions = (uint8_t)degree;
    return a;
}

static bool inserts(const struct bound *b, const struct policy_access *a)
{
    struct policy_lookup lookup = { .fill_bytes = 128 };
    hooks_before_lookup(&b->instance->hooks.cache[LEVEL_L1], a, &lookup);
    assert_false(lookup.bypass); /* lines that are there are used */
    return !lookup.no_allocate;
}

/* A miss: inserted into way 0 or sent around, as the policy says. */
static bool miss(struct bound *b, const struct policy_access *a)
{
    const bool inserted = inserts(b, a);
    hooks_accessed(&b->instance->hooks.cache[LEVEL_L1], a, inserted ? OUTCOME_MISS : OUTCOME_BYPASSED, inserted ? 0 : NO_WAY);
    return inserted;
}

static void hit(struct bound *b, const struct policy_access *a)
{
    hooks_accessed(&b->instance->hooks.cache[LEVEL_L1], a, OUTCOME_HIT, 0);
}

static void evict(struct bound *b, const struct policy_access *a, enum policy_eviction reason)
{
    const struct policy_evicted e = { .unit = a->unit, .set = a->set, .way = 0, .level = LEVEL_L1, .reason = (uint8_t)reason };
    hooks_evicted(&b->instance->hooks.cache[LEVEL_L1], &e);
}

static void counters_go_down_without_reuse_and_up_with_hits(void **state)
{
    (void)state;
    struct bound b;
    bind_policies(&b, "id-bypass-pc",
                  (const char *const[]){ "policy.id-bypass-pc.initial=2", "policy.id-bypass-pc.retry=0", NULL });
    const struct policy_access a = load_at(PC, 1, 0), other = load_at(PC + 8, 1, 0);
    assert_true(miss(&b, &a));
    evict(&b, &a, EVICTED_BY_FILL); /* 2 -> 1 */
    assert_true(miss(&b, &a));
    evict(&b, &a, EVICTED_BY_STORE); /* says nothing */
    assert_true(miss(&b, &a));
    hit(&b, &a);                    /* 1 -> 2 */
    evict(&b, &a, EVICTED_BY_FILL); /* it was used again */
    assert_true(miss(&b, &a));
    evict(&b, &a, EVICTED_BY_FILL); /* 2 -> 1 */
    assert_true(miss(&b, &a));
    evict(&b, &a, EVICTED_BY_FILL); /* 1 -> 0 */
    for (int i = 0; i < 1000; i++)
        assert_false(miss(&b, &a));
    assert_true(inserts(&b, &other)); /* each PC by itself */
    const struct policy_access further = load_at(PC + 8 * 16, 1, 0);
    assert_true(inserts(&b, &further)); /* the instruction's number counts, not the lowest bits of its address */
    const struct policy_access elsewhere = fake_load(LEVEL_L1, 3, 0, 32);
    assert_true(inserts(&b, &elsewhere)); /* and each SM */
    struct policy_access alike = load_at(PC + 8 * 128, 1, 0);
    assert_false(inserts(&b, &alike)); /* but seven bits of the instruction's number are the same */
    alike.local = true;
    assert_true(inserts(&b, &alike));
    hit(&b, &a); /* of a line that another brought: as printed, the request's counter */
    assert_true(miss(&b, &a));
    unbind_policies(&b);
}

/* A load joins the miss before the data come: the line has been used again, and its fill does not make that forgotten. */
static void a_fill_leaves_the_outcome_alone(void **state)
{
    (void)state;
    struct bound b;
    bind_policies(&b, "id-bypass-pc",
                  (const char *const[]){ "policy.id-bypass-pc.initial=1", "policy.id-bypass-pc.counter_bits=1",
                                         "policy.id-bypass-pc.retry=0", NULL });
    const struct cache_hooks *h = &b.instance->hooks.cache[LEVEL_L1];
    const struct policy_access a = load_at(PC, 1, 0);
    assert_true(miss(&b, &a));
    hooks_accessed(h, &a, OUTCOME_MERGED, 0); /* 1, the most that a bit holds */
    hooks_filled(h, &a, 0);
    evict(&b, &a, EVICTED_BY_FILL);
    assert_true(miss(&b, &a));
    hooks_filled(h, &a, 0);
    evict(&b, &a, EVICTED_BY_FILL); /* nobody used it */
    assert_false(miss(&b, &a));
    unbind_policies(&b);
}

/* A miss brings two pieces, and the policy is told of the first: the second is that load's too. */
static void every_piece_of_a_miss_is_judged(void **state)
{
    (void)state;
    struct bound b;
    bind_policies(&b, "id-bypass-pc",
                  (const char *const[]){ "policy.id-bypass-pc.initial=1", "policy.id-bypass-pc.retry=0", NULL });
    const struct cache_hooks *h = &b.instance->hooks.cache[LEVEL_L1];
    const struct policy_access a = load_at(PC, 1, 0);
    assert_true(miss(&b, &a));
    hooks_filled(h, &a, 0);
    hooks_filled(h, &a, 1);
    const struct policy_evicted second = { .unit = a.unit, .set = a.set, .way = 1, .level = LEVEL_L1 };
    hooks_evicted(h, &second); /* 1 -> 0 */
    assert_false(miss(&b, &a));
    unbind_policies(&b);
}

/* Two pieces of a line under ID-Cache, sectors 0 and 1 and sector 2: a load that hits both, or that finds one and misses the rest,
 * has used what it found. */
static void every_piece_that_is_used_was_reused(void **state)
{
    (void)state;
    static const struct {
        uint64_t line;
        uint8_t sectors;
        enum policy_outcome outcome;
        uint32_t way;
        bool second; /* the second piece was used */
    } cases[] = {
        { 0, 6, OUTCOME_HIT, 0, true },   /* both */
        { 0, 12, OUTCOME_MISS, 2, true }, /* the second, and sector 3, which is missing */
        { 0, 2, OUTCOME_HIT, 0, false },  /* the first alone */
        { 32, 4, OUTCOME_HIT, 3, false }, /* another line of the set */
    };
    for (uint32_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct bound b;
        bind_policies(&b, "id-bypass-pcdiv,alsi",
                      (const char *const[]){ "policy.id-bypass-pcdiv.initial=1", "policy.id-bypass-pcdiv.retry=0", NULL });
        const struct cache_hooks *h = &b.instance->hooks.cache[LEVEL_L1];
        struct policy_access a = load_at(PC, 1, 0), again = load_at(PC + 8, 1, cases[i].line);
        for (uint32_t way = 0; way < 2; way++) {
            hooks_accessed(h, &a, OUTCOME_MISS, way);
            a.sectors = way ? 4 : 3;
            hooks_filled(h, &a, way);
        }
        again.sectors = cases[i].sectors;
        hooks_accessed(h, &again, cases[i].outcome, cases[i].way);
        const struct policy_evicted second = { .unit = a.unit, .set = a.set, .way = 1, .level = LEVEL_L1 };
        hooks_evicted(h, &second); /* 1 -> 0 if it was not used */
        assert_int_equal(inserts(&b, &a), cases[i].second);
        unbind_policies(&b);
    }
}

static void counters_saturate(void **state)
{
    (void)state;
    struct bound b;
    bind_policies(&b, "id-bypass-pc",
                  (const char *const[]){ "policy.id-bypass-pc.counter_bits=2", "policy.id-bypass-pc.initial=3",
                                         "policy.id-bypass-pc.retry=0", NULL });
    const struct policy_access a = load_at(PC, 1, 0);
    for (int i = 0; i < 50; i++)
        hit(&b, &a);
    for (int i = 0; i < 3; i++) {
        assert_true(miss(&b, &a));
        evict(&b, &a, EVICTED_BY_FILL);
    }
    assert_false(miss(&b, &a));
    unbind_policies(&b);
}

static void now_and_then_one_is_inserted_all_the_same(void **state)
{
    (void)state;
    struct bound b;
    bind_policies(&b, "id-bypass-pc",
                  (const char *const[]){ "policy.id-bypass-pc.initial=0", "policy.id-bypass-pc.retry=4", NULL });
    const struct policy_access a = load_at(PC, 1, 0);
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < 4; i++)
            assert_false(miss(&b, &a));
        assert_true(miss(&b, &a));
        if (round)
            evict(&b, &a, EVICTED_BY_FILL); /* unused: 0 stays 0 */
    }
    hit(&b, &a); /* 0 -> 1: it has learnt */
    assert_true(miss(&b, &a));
    assert_true(miss(&b, &a));
    unbind_policies(&b);
}

static void whose_counter_a_hit_raises(void **state)
{
    (void)state;
    for (int inserter = 0; inserter < 2; inserter++) {
        struct bound b;
        bind_policies(&b, "id-bypass-pc",
                      (const char *const[]){
                          "policy.id-bypass-pc.initial=1", "policy.id-bypass-pc.retry=0",
                          inserter ? "policy.id-bypass-pc.index_by=inserter" : "policy.id-bypass-pc.index_by=request", NULL });
        const struct policy_access brings = load_at(PC, 1, 0), uses = load_at(PC + 8, 1, 0), elsewhere = load_at(PC, 1, 1);
        assert_true(miss(&b, &brings));
        assert_true(miss(&b, &elsewhere));
        hit(&b, &uses);
        evict(&b, &elsewhere, EVICTED_BY_FILL); /* down for the one that brings */
        assert_int_equal(inserts(&b, &brings), inserter);
        unbind_policies(&b);
    }
}

static void degrees_have_counters_of_their_own(void **state)
{
    (void)state;
    struct bound b;
    bind_policies(&b, "id-bypass-pcdiv",
                  (const char *const[]){ "policy.id-bypass-pcdiv.initial=1", "policy.id-bypass-pcdiv.retry=0", NULL });
    static const uint8_t bin_of[33] = { 0, 0, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 3,
                                        3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3 };
    const struct policy_access wide = load_at(PC, 20, 0);
    assert_true(miss(&b, &wide));
    evict(&b, &wide, EVICTED_BY_FILL);
    for (uint32_t degree = 1; degree <= 32; degree++) {
        const struct policy_access a = load_at(PC, degree, 0);
        assert_int_equal(inserts(&b, &a), bin_of[degree] != 3);
    }
    const struct policy_access middle = load_at(PC, 4, 0);
    assert_true(miss(&b, &middle));
    evict(&b, &middle, EVICTED_BY_FILL);
    for (uint32_t degree = 1; degree <= 32; degree++) {
        const struct policy_access a = load_at(PC, degree, 0);
        assert_int_equal(inserts(&b, &a), bin_of[degree] < 2);
    }
    unbind_policies(&b);
}

static void impossible_parameters_are_refused(void **state)
{
    (void)state;
    struct error err = { 0 };
    const struct policy_geometry g = fake_geometry();
    struct policy_set *set = policy_set_new(NULL, "id-bypass-pcdiv", &err);
    struct param_space *space = param_space_new();
    policy_set_add_params(set, space);
    assert_true(param_set_assignment(space, "policy.id-bypass-pcdiv.initial=8", "test", &err));
    assert_false(policy_set_fits(set, &g, &err));
    assert_non_null(strstr(err.text, "3 bits cannot begin with 8"));
    assert_true(param_set_assignment(space, "policy.id-bypass-pcdiv.initial=7", "test", &err));
    assert_true(param_set_assignment(space, "policy.id-bypass-pcdiv.bin_2=15", "test", &err));
    assert_false(policy_set_fits(set, &g, &err));
    assert_non_null(strstr(err.text, "must rise"));
    param_space_free(space);
    policy_set_free(set);
}

static uint32_t size_for(const struct bound *b, struct policy_access a)
{
    struct policy_lookup lookup = { .fill_bytes = 128 };
    hooks_before_lookup(&b->instance->hooks.cache[LEVEL_L1], &a, &lookup);
    return lookup.fill_bytes;
}

static void the_more_requests_the_smaller_the_line(void **state)
{
    (void)state;
    struct bound b;
    bind_policies(&b, "alsi", NULL);
    for (uint32_t degree = 1; degree <= 32; degree++)
        assert_int_equal(size_for(&b, load_at(PC, degree, 0)), degree == 1 ? 128 : degree < 4 ? 64 : 32);
    struct policy_access local = load_at(PC, 32, 0);
    local.local = true;
    assert_int_equal(size_for(&b, local), 128);
    struct policy_lookup less = { .fill_bytes = 32 }; /* another policy wanted less */
    const struct policy_access whole = load_at(PC, 1, 0);
    hooks_before_lookup(&b.instance->hooks.cache[LEVEL_L1], &whole, &less);
    assert_int_equal(less.fill_bytes, 32);
    unbind_policies(&b);
    bind_policies(&b, "alsi", (const char *const[]){ "policy.alsi.size=64", NULL });
    assert_int_equal(size_for(&b, load_at(PC, 1, 0)), 64);
    assert_int_equal(size_for(&b, load_at(PC, 32, 0)), 64);
    unbind_policies(&b);
}

static void a_set_is_words_for_tags_and_data(void **state)
{
    (void)state;
    static const struct {
        const char *tags;
        uint32_t set_bytes, per_set, of_32;
    } forms[] = { { "policy.alsi.tags=joined", 4 * 136, 13, 40 },
                  { "policy.alsi.tags=inside", 512, 12, 40 },
                  { "policy.alsi.tags=free", 512, 16, 32 } };
    for (size_t i = 0; i < 3; i++) {
        struct bound b;
        bind_policies(&b, "alsi", (const char *const[]){ forms[i].tags, NULL });
        const struct cache_hooks *h = &b.instance->hooks.cache[LEVEL_L1];
        const struct policy_access a = load_at(PC, 1, 0);
        assert_int_equal(h->storage.call.set_bytes(h->storage.self, LEVEL_L1), forms[i].set_bytes);
        assert_int_equal(h->storage.call.tags_per_set(h->storage.self, LEVEL_L1), forms[i].per_set);
        assert_int_equal(b.instance->geometry.cache[LEVEL_L1].tags, forms[i].per_set); /* room for other policies' lines */
        assert_int_equal(h->storage.call.stored_bytes(h->storage.self, &a, NO_WAY, 32, false), forms[i].of_32);
        unbind_policies(&b);
    }
}

/* Bypassing decides; what is inserted is sized. */
static void id_cache_is_both(void **state)
{
    (void)state;
    struct bound b;
    bind_policies(&b, "id-cache",
                  (const char *const[]){ "policy.id-bypass-pcdiv.initial=1", "policy.id-bypass-pcdiv.retry=0", NULL });
    const struct policy_access wide = load_at(PC, 20, 0), narrow = load_at(PC, 2, 0);
    assert_true(miss(&b, &wide));
    evict(&b, &wide, EVICTED_BY_FILL);
    assert_false(inserts(&b, &wide));
    assert_true(inserts(&b, &narrow));
    assert_int_equal(size_for(&b, narrow), 64);
    unbind_policies(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counters_go_down_without_reuse_and_up_with_hits),
        cmocka_unit_test(a_fill_leaves_the_outcome_alone),
        cmocka_unit_test(every_piece_of_a_miss_is_judged),
        cmocka_unit_test(every_piece_that_is_used_was_reused),
        cmocka_unit_test(counters_saturate),
        cmocka_unit_test(now_and_then_one_is_inserted_all_the_same),
        cmocka_unit_test(whose_counter_a_hit_raises),
        cmocka_unit_test(degrees_have_counters_of_their_own),
        cmocka_unit_test(impossible_parameters_are_refused),
        cmocka_unit_test(the_more_requests_the_smaller_the_line),
        cmocka_unit_test(a_set_is_words_for_tags_and_data),
        cmocka_unit_test(id_cache_is_both),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
