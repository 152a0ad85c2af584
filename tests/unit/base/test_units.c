/* test_units.c - numbers with units, read strictly and written back. */
#include "../cmocka_all.h"
#include "base/units.h"

struct row {
    const char *text;
    uint64_t value;
};

static void sizes_are_exact(void **state)
{
    (void)state;
    static const struct row rows[] = { { "0", 0 },          { "128", 128 },    { "0x80", 128 },       { "16KiB", 16384 },
                                       { "16 KiB", 16384 }, { "48KB", 49152 }, { "1.5MiB", 1572864 }, { "2G", UINT64_C(2) << 30 },
                                       { "12B", 12 } };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint64_t value = 99;
        const char *why;
        assert_true(units_parse_size(rows[i].text, &value, &why));
        assert_int_equal(value, rows[i].value);
    }
}

static void sizes_that_make_no_sense_are_refused(void **state)
{
    (void)state;
    static const char *const texts[] = { "",
                                         "KiB",
                                         "-1",
                                         "-16KiB",
                                         "nan",
                                         "inf",
                                         "16MHz",
                                         "16KiBx",
                                         "1.0001KiB",
                                         "1e3",
                                         ".",
                                         "1..5KiB",
                                         "99999999999999999999",
                                         "99999999999TiB",
                                         " 16",
                                         "0x",
                                         "0xg" };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        uint64_t value;
        const char *why = NULL;
        assert_false(units_parse_size(texts[i], &value, &why));
        assert_non_null(why);
    }
}

static void frequencies_and_times_need_units(void **state)
{
    (void)state;
    uint64_t value;
    const char *why;
    assert_true(units_parse_frequency("1108.8MHz", &value, &why));
    assert_int_equal(value, 1108800);
    assert_true(units_parse_frequency("1.4GHz", &value, &why));
    assert_int_equal(value, 1400000);
    assert_false(units_parse_frequency("700", &value, &why));
    assert_string_equal(why, "needs a unit (kHz, MHz or GHz)");
    assert_false(units_parse_frequency("700ns", &value, &why));
    assert_true(units_parse_time("13.75ns", &value, &why));
    assert_int_equal(value, 13750);
    assert_true(units_parse_time("0", &value, &why));
    assert_false(units_parse_time("0.0001ns", &value, &why));
    assert_false(units_parse_time("5", &value, &why));
}

static void formats_parse_back(void **state)
{
    (void)state;
    static const uint64_t values[] = {
        UINT64_C(99999999993750), 0, 1, 999, 1000, 1024, 16384, 1108800, 13750, 1048576, 123456789, UINT64_MAX
    };
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        char text[64];
        uint64_t back;
        const char *why;
        units_format_size(text, sizeof text, values[i]);
        assert_true(units_parse_size(text, &back, &why));
        assert_int_equal(back, values[i]);
        if (values[i] == UINT64_MAX)
            continue; /* more digits than a decimal fraction may have */
        units_format_frequency(text, sizeof text, values[i]);
        assert_true(units_parse_frequency(text, &back, &why));
        assert_int_equal(back, values[i]);
        units_format_time(text, sizeof text, values[i]);
        assert_true(units_parse_time(text, &back, &why));
        assert_int_equal(back, values[i]);
    }
    char text[64];
    units_format_size(text, sizeof text, 16384);
    assert_string_equal(text, "16KiB");
    units_format_frequency(text, sizeof text, 1108800);
    assert_string_equal(text, "1.1088GHz");
    units_format_real(text, sizeof text, 0.1);
    assert_string_equal(text, "0.1");
    units_format_real(text, sizeof text, 1000);
    assert_string_equal(text, "1000");
    units_format_real(text, sizeof text, 1e300);
    assert_string_equal(text, "1e+300");
}

static void numbers_are_strict(void **state)
{
    (void)state;
    uint64_t u;
    int64_t i;
    double real;
    bool flag;
    const char *why;
    assert_true(units_parse_unsigned("18446744073709551615", &u, &why));
    assert_int_equal(u, UINT64_MAX);
    assert_false(units_parse_unsigned("18446744073709551616", &u, &why));
    assert_string_equal(why, "does not fit in 64 bits");
    assert_false(units_parse_unsigned("-3", &u, &why));
    assert_string_equal(why, "is negative");
    assert_false(units_parse_unsigned("3.5", &u, &why));
    assert_true(units_parse_signed("-9223372036854775807", &i, &why));
    assert_int_equal(i, -INT64_MAX);
    assert_false(units_parse_signed("--3", &i, &why));
    assert_true(units_parse_real("-2.5e-3", &real, &why));
    assert_false(units_parse_real("nan", &real, &why));
    assert_false(units_parse_real("1e999", &real, &why));
    assert_false(units_parse_real("", &real, &why));
    assert_true(units_parse_bool("off", &flag, &why));
    assert_false(flag);
    assert_true(units_parse_bool("Yes", &flag, &why));
    assert_true(flag);
    assert_false(units_parse_bool("2", &flag, &why));
}

static void people_read_rounded_numbers(void **state)
{
    (void)state;
    char text[32];
    units_human_count(text, sizeof text, 12345678);
    assert_string_equal(text, "12.3 M");
    units_human_count(text, sizeof text, 7);
    assert_string_equal(text, "7");
    units_human_bytes(text, sizeof text, 1536);
    assert_string_equal(text, "1.50 KiB");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_are_exact),
        cmocka_unit_test(sizes_that_make_no_sense_are_refused),
        cmocka_unit_test(frequencies_and_times_need_units),
        cmocka_unit_test(formats_parse_back),
        cmocka_unit_test(numbers_are_strict),
        cmocka_unit_test(people_read_rounded_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
