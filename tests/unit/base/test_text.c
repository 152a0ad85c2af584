/* test_text.c - nearest names, lists of strings, files that cannot be read. */
#include "../cmocka_all.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

static void distance_counts_slips(void **state)
{
    (void)state;
    assert_int_equal(text_distance("l1.sets", "l1.sets"), 0);
    assert_int_equal(text_distance("l1.set", "l1.sets"), 1);
    assert_int_equal(text_distance("l1.stes", "l1.sets"), 1);
    assert_int_equal(text_distance("", "abc"), 3);
    assert_int_equal(text_distance("kitten", "sitting"), 3);
}

static void only_near_names_are_suggested(void **state)
{
    (void)state;
    struct text_nearest near = { .wanted = "polcy" };
    text_nearest_offer(&near, "config");
    text_nearest_offer(&near, "policy");
    assert_string_equal(text_nearest_likely(&near), "policy");
    struct text_nearest far = { .wanted = "xyz" };
    text_nearest_offer(&far, "warps_per_scheduler");
    assert_null(text_nearest_likely(&far));
    struct text_nearest one_letter_in_three = { .wanted = "foo" };
    text_nearest_offer(&one_letter_in_three, "gto");
    assert_null(text_nearest_likely(&one_letter_in_three));
    struct text_nearest two_in_three = { .wanted = "gtp" };
    text_nearest_offer(&two_in_three, "gto");
    assert_string_equal(text_nearest_likely(&two_in_three), "gto");
}

static void lists_split_and_trim(void **state)
{
    (void)state;
    struct text_list list = { 0 };
    assert_true(text_list_add_parts(&list, "gto, pric ,dwt-cs"));
    assert_int_equal(list.count, 3);
    assert_string_equal(list.item[1], "pric");
    assert_false(text_list_add_parts(&list, "a,,b"));
    assert_false(text_list_add_parts(&list, ""));
    text_list_clear(&list);
    assert_int_equal(list.count, 0);
}

static void files_that_cannot_be_read_are_named(void **state)
{
    (void)state;
    struct error err = { 0 };
    size_t length;
    assert_null(text_read_file("/nonexistent/file", 100, &length, &err));
    assert_non_null(strstr(err.text, "/nonexistent/file"));
    assert_null(text_read_file("/", 100, &length, &err));
    assert_non_null(strstr(err.text, "is a directory"));
    assert_null(text_read_file("/proc/self/status", 10, &length, &err));
    assert_non_null(strstr(err.text, "larger than"));
    char *text = text_read_file("/dev/null", 100, &length, &err);
    assert_non_null(text);
    assert_int_equal(length, 0);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(distance_counts_slips),
        cmocka_unit_test(only_near_names_are_suggested),
        cmocka_unit_test(lists_split_and_trim),
        cmocka_unit_test(files_that_cannot_be_read_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
