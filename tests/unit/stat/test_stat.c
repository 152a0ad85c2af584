/* test_stat.c - counters as rows: sums, ratios, laws and time series. */
#include "../cmocka_all.h"

#define STAT_DEF "sample_counters.def"
#define STAT_NAME sample
#include "stat/declare.h"
#define STAT_DEF "sample_counters.def"
#define STAT_NAME sample
#include "stat/define.h"

#include <stdlib.h>

#include "stat/stat_json.h"

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

/* A machine whose counters the test sets by hand. */
static void read_sample(void *context, uint64_t *row)
{
    memcpy(row, context, sizeof(struct sample_counters));
}

static void a_series_holds_what_each_interval_added(void **state)
{
    (void)state;
    const struct stat_group *const groups[] = { &sample_stat_group };
    struct sample_counters counters = { 7, 7, 0 }; /* what was counted before is not part of it */
    struct stat_series series = { 0 };
    stat_series_start(&series, 10, 100, stat_series_columns(groups, 1), read_sample, &counters);
    assert_int_equal(series.next, 110);
    for (uint32_t i = 0; i < 100; i++) { /* more than the first room */
        counters.accesses += i;
        counters.hits += i;
        stat_series_sample(&series);
    }
    assert_int_equal(series.next, 1110);
    struct stat_intervals all = stat_series_take(&series);
    assert_int_equal(all.count, 100);
    assert_int_equal(all.columns, 3);
    assert_int_equal(all.values[99 * 3], 99);
    json_t *json = stat_series_to_json(groups, 1, &all), *lines = json_object_get(json, "counters");
    assert_int_equal(json_integer_value(json_object_get(json, "interval")), 10);
    assert_int_equal(json_integer_value(json_array_get(json_object_get(lines, "sample.hits"), 42)), 42);
    assert_null(json_object_get(lines, "sample.misses")); /* it never moved */
    json_decref(json);
    free(all.values);
    stat_series_start(&series, 10, 2000, 3, read_sample, &counters); /* the next kernel */
    assert_int_equal(stat_series_take(&series).count, 0);
    stat_series_clear(&series);
}

static void a_series_without_a_period_never_looks(void **state)
{
    (void)state;
    struct stat_series series = { 0 };
    stat_series_start(&series, 0, 100, 3, NULL, NULL);
    assert_true(series.next == UINT64_MAX);
    assert_int_equal(stat_series_take(&series).count, 0);
    stat_series_clear(&series);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(rows_describe_the_struct), cmocka_unit_test(sums_differences_and_ratios),
                                        cmocka_unit_test(a_broken_law_is_named),
                                        cmocka_unit_test(a_series_holds_what_each_interval_added),
                                        cmocka_unit_test(a_series_without_a_period_never_looks) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
