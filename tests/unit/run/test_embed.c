/* The public header, as a program that embeds the library uses it. */
#include "../cmocka_all.h"

#include <jansson.h>
#include <string.h>

#include "warpline/warpline.h"

#define KERNEL(file) VALIDATION_KERNELS "/" file

static void a_run_gives_its_result(void **state)
{
    (void)state;
    const char *const settings[] = { "gpu.sms=2", NULL };
    const struct warpline_run run = { .ptx = KERNEL("reduction.ptx"),
                                      .launch = KERNEL("reduction.json"),
                                      .config = "gtx480",
                                      .settings = settings,
                                      .policies = "lrr",
                                      .max_cycles = 3000 };
    char *error = NULL, *text = warpline_run_ptx(&run, &error);
    assert_non_null(text);
    assert_null(error);
    json_t *result = json_loads(text, 0, NULL);
    assert_non_null(result);
    assert_true(json_integer_value(json_object_get(json_object_get(result, "totals"), "cycles")) > 0);
    assert_int_equal(json_integer_value(json_object_get(json_object_get(json_object_get(result, "config"), "gpu"), "sms")), 2);
    json_decref(result);
    warpline_free(text);
}

static void what_is_wrong_is_said(void **state)
{
    (void)state;
    const char *const settings[] = { "gpu.smz=2", NULL };
    struct warpline_run run = { .ptx = "missing.ptx", .launch = KERNEL("reduction.json") };
    char *error = NULL;
    assert_null(warpline_run_ptx(&run, &error));
    assert_non_null(strstr(error, "missing.ptx"));
    warpline_free(error);
    run.settings = settings;
    assert_null(warpline_run_ptx(&run, &error));
    assert_string_equal(error, "settings: unknown parameter 'gpu.smz'; did you mean 'gpu.sms'?");
    warpline_free(error);
    run.policies = "gto,,lrr";
    assert_null(warpline_run_ptx(&run, NULL));
}

static void the_version_is_the_librarys(void **state)
{
    (void)state;
    assert_string_equal(warpline_version(), WARPLINE_VERSION);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(a_run_gives_its_result), cmocka_unit_test(what_is_wrong_is_said),
                                        cmocka_unit_test(the_version_is_the_librarys) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
