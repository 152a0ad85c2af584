/* id-offline-pc and id-offline-pcdiv: what a first run records, and what a second one makes of it, by hand (Arunkumar, 2018,
 * section 3.2.2: 8 lines for an instruction, 6 for its loads of a degree). */
#include <string.h>

#include "fake_machine.h"

enum { NEVER = UINT32_MAX };
enum answer { INSERTED, AROUND, PAST }; /* past: without a look at the tags */

static void bind_with(struct bound *b, const char *name, const char *const *settings, const struct policy_profile *profile)
{
    struct error err = { 0 };
    const struct policy_geometry g = fake_geometry();
    bind_policies(b, name, settings);
    policy_instance_free(b->instance);
    const struct policy_machine m = fake_policy_machine(&b->machine);
    policy_set_take_profile(b->set, 0, profile);
    b->instance = policy_set_bind(b->set, &g, &m, &err);
    assert_non_null(b->instance);
}

static enum answer ask(const char *name, const char *setting, const struct policy_profile_record *records, uint64_t count,
                       uint64_t pc, uint32_t degree)
{
    const struct policy_profile profile = { .record = records, .count = count };
    struct bound b;
    bind_with(&b, name, (const char *const[]){ setting, NULL }, &profile);
    struct policy_access a = fake_load(LEVEL_L1, 2, 0, 32);
    a.pc = pc;
    a.transactions = (uint8_t)degree;
    struct policy_lookup lookup = { .fill_bytes = 128 };
    hooks_before_lookup(&b.instance->hooks.cache[LEVEL_L1], &a, &lookup);
    unbind_policies(&b);
    return lookup.bypass ? PAST : lookup.no_allocate ? AROUND : INSERTED;
}

/* {address, degree, distance} -> loads. 8: median 8 (not above). 16: 9. 24: short at degree 1, 7 at degree 4, nothing said of 8.
 * 32: never used before. 40: 1 reuse at distance 2, 9 first uses. 56: as many above the bound as not, so the median is not above.
 */
static const struct policy_profile_record records[] = {
    { { 8, 1, 2 }, 4 },  { { 8, 1, 8 }, 2 },      { { 8, 1, 30 }, 5 }, { { 16, 1, 2 }, 4 },
    { { 16, 2, 9 }, 5 }, { { 24, 1, 1 }, 9 },     { { 24, 4, 7 }, 2 }, { { 32, 1, NEVER }, 6 },
    { { 40, 1, 2 }, 1 }, { { 40, 1, NEVER }, 9 }, { { 56, 1, 8 }, 3 }, { { 56, 1, 9 }, 3 },
};
enum { RECORDS = sizeof records / sizeof records[0] };

static void the_median_of_an_instruction_decides(void **state)
{
    (void)state;
    static const char *const names[] = { "id-offline-pc", "id-offline-pcdiv" };
    for (int i = 0; i < 2; i++) {
        assert_int_equal(ask(names[i], NULL, records, RECORDS, 8, 1), INSERTED);
        assert_int_equal(ask(names[i], NULL, records, RECORDS, 16, 1), AROUND);
        assert_int_equal(ask(names[i], NULL, records, RECORDS, 32, 1), AROUND);   /* its lines were never used before */
        assert_int_equal(ask(names[i], NULL, records, RECORDS, 40, 1), INSERTED); /* the reuses count alone */
        assert_int_equal(ask(names[i], NULL, records, RECORDS, 48, 1), INSERTED); /* unknown */
        assert_int_equal(ask(names[i], NULL, records, RECORDS, 56, 1), INSERTED);
    }
    assert_int_equal(ask("id-offline-pc", "policy.id-offline-pc.distance=7", records, RECORDS, 8, 1), AROUND);
    assert_int_equal(ask("id-offline-pc", "policy.id-offline-pc.first_uses=far", records, RECORDS, 40, 1), AROUND);
    assert_int_equal(ask("id-offline-pc", "policy.id-offline-pc.probe=false", records, RECORDS, 16, 1), PAST);
}

static void greater_degrees_than_one_that_is_far_go_around(void **state)
{
    (void)state;
    assert_int_equal(ask("id-offline-pcdiv", NULL, records, RECORDS, 24, 1), INSERTED);
    assert_int_equal(ask("id-offline-pcdiv", NULL, records, RECORDS, 24, 4), INSERTED); /* "greater than d", not d itself */
    assert_int_equal(ask("id-offline-pcdiv", NULL, records, RECORDS, 24, 5), AROUND);
    assert_int_equal(ask("id-offline-pc", NULL, records, RECORDS, 24, 5), INSERTED);
    assert_int_equal(ask("id-offline-pcdiv", "policy.id-offline-pcdiv.degree_distance=7", records, RECORDS, 24, 5), INSERTED);
}

/* ---- the first run ---- */

struct noted {
    uint64_t key[16][3], count;
};

static void note(void *store, uint32_t part, const uint64_t key[POLICY_PROFILE_WORDS], uint64_t amount)
{
    struct noted *n = store;
    assert_int_equal(part, 2);
    assert_int_equal(amount, 1);
    memcpy(n->key[n->count++], key, sizeof n->key[0]);
}

static void load(struct bound *b, uint64_t line, uint32_t degree)
{
    struct policy_access a = fake_load(LEVEL_L1, 2, line * 128, 32);
    a.pc = 8;
    a.transactions = (uint8_t)degree;
    struct policy_lookup lookup = { .fill_bytes = 128 };
    hooks_before_lookup(&b->instance->hooks.cache[LEVEL_L1], &a, &lookup);
    assert_false(lookup.bypass || lookup.no_allocate); /* it only watches */
    hooks_accessed(&b->instance->hooks.cache[LEVEL_L1], &a, OUTCOME_MISS, 0);
}

static void distances_are_other_lines_of_the_set(void **state)
{
    (void)state;
    struct noted noted = { .count = 0 };
    const struct policy_profile profile = { .records = true, .store = &noted, .add = note };
    struct bound b;
    bind_with(&b, "id-offline-pcdiv", (const char *const[]){ NULL }, &profile);
    const struct policy_kernel k = { .launch = 0 };
    hooks_kernel_start(&b.instance->hooks, &k);
    load(&b, 0, 1);
    load(&b, 32, 3); /* the same set of 32 */
    load(&b, 1, 1);  /* another set */
    load(&b, 64, 1);
    load(&b, 0, 2); /* two others since: 32 and 64 */
    load(&b, 0, 2); /* none */
    static const uint64_t expected[][3] = { { 8, 1, NEVER }, { 8, 3, NEVER }, { 8, 1, NEVER },
                                            { 8, 1, NEVER }, { 8, 2, 2 },     { 8, 2, 0 } };
    assert_int_equal(noted.count, 6);
    assert_memory_equal(noted.key, expected, sizeof expected);
    unbind_policies(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_median_of_an_instruction_decides),
        cmocka_unit_test(greater_degrees_than_one_that_is_far_go_around),
        cmocka_unit_test(distances_are_other_lines_of_the_set),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
