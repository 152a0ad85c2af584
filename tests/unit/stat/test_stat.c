#include "../cmocka_all.h"

#define STAT_DEF "sample_counters.def"
#define STAT_NAME sample
#include "stat/declare.h"
#define STAT_DEF "sample_counters.def"
#define STAT_NAME sample
#include "stat/define.h"

static void rows_describe_the_struct(void **state)
{
    (void)state;
    assert_string_equal(sample_stat_group.name, "sample");
    assert_int_equal(sample_stat_group.size, sizeof(struct sample_counters));
    assert_string_equal(sample_stat_group.counters[2].name, "misses");
    assert_int_equal(sample_stat_group.counters[2].offset, offsetof(struct sample_counters, misses));
    assert_null(sample_stat_group.counters[3].name);
    assert_string_equal(sample_stat_group.ratios[0].help, "share found");
    assert_null(sample_stat_group.ratios[1].name);
}

static void sums_differences_and_ratios(void **state)
{
    (void)state;
    struct sample_counters sum = { 10, 6, 4 }, difference;
    const struct sample_counters part = { 5, 5, 0 };
    stat_add(&sample_stat_group, &sum, &part);
    assert_int_equal(sum.accesses, 15);
    assert_int_equal(sum.hits, 11);
    stat_subtract(&sample_stat_group, &difference, &sum, &part);
    assert_int_equal(difference.hits, 6);
    double numerator, denominator;
    sample_stat_group.ratios[0].evaluate(&sum, &numerator, &denominator);
    assert_true(numerator == 11 && denominator == 15);
}

static void a_broken_law_is_named(void **state)
{
    (void)state;
    struct sample_counters counters = { 10, 6, 4 };
    assert_null(stat_check(&sample_stat_group, &counters));
    counters.misses = 5;
    const struct stat_law *law = stat_check(&sample_stat_group, &counters);
    assert_non_null(law);
    assert_string_equal(law->name, "sum");
    assert_string_equal(law->text, "c->accesses == c->hits + c->misses");
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(rows_describe_the_struct), cmocka_unit_test(sums_differences_and_ratios),
                                        cmocka_unit_test(a_broken_law_is_named) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
