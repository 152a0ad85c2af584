/* The public header, as a program that embeds the library uses it. */
#include "../cmocka_all.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "warpline/warpline.h"

#define KERNEL(file) VALIDATION_KERNELS "/" file

static struct warpline_machine *small_machine(void)
{
    struct warpline_machine *machine = warpline_open();
    assert_non_null(machine);
    assert_int_equal(warpline_config(machine, "gtx480"), 0);
    assert_int_equal(warpline_set(machine, "gpu.sms", "2"), 0);
    assert_int_equal(warpline_policies(machine, "lrr"), 0);
    return machine;
}

static void a_run_gives_its_result(void **state)
{
    (void)state;
    struct warpline_machine *machine = small_machine();
    struct warpline_result *result;
    warpline_limit(machine, 3000, 0);
    assert_int_equal(warpline_run_files(machine, KERNEL("reduction.ptx"), KERNEL("reduction.json"), &result), 0);
    assert_int_equal(warpline_kernel_count(result), 1);
    assert_non_null(strstr(warpline_kernel_name(result, 0), "reduc"));
    assert_null(warpline_kernel_name(result, 1));
    assert_true(warpline_stopped(result));
    assert_true(warpline_counter(result, 0, "cycles") >= 3000);
    assert_true(warpline_counter(result, 0, "l1.accesses") == warpline_counter(result, WARPLINE_TOTALS, "l1.accesses"));
    assert_true(isnan(warpline_counter(result, 0, "l1.no_such")));
    assert_true(isnan(warpline_counter(result, 7, "cycles")));
    json_t *tree = json_loads(warpline_json(result), 0, NULL);
    assert_int_equal(json_integer_value(json_object_get(json_object_get(json_object_get(tree, "config"), "gpu"), "sms")), 2);
    json_decref(tree);
    warpline_result_free(result);
    warpline_close(machine);
}

static void a_machine_runs_on_its_callers_thread(void **state)
{
    (void)state;
    struct warpline_machine *machine = small_machine();
    assert_int_equal(warpline_set(machine, "gpu.threads", "2"), WARPLINE_OK);
    assert_int_equal(warpline_check(machine), WARPLINE_INPUT);
    assert_non_null(strstr(warpline_error(machine), "gpu.threads"));
    warpline_close(machine);
}

static void every_counter_can_be_walked(void **state)
{
    (void)state;
    struct warpline_machine *machine = small_machine();
    struct warpline_result *result;
    assert_int_equal(warpline_run_files(machine, KERNEL("reduction.ptx"), KERNEL("reduction.json"), &result), 0);
    assert_true(warpline_counter_count(result) > 50);
    bool row_hits = false;
    for (size_t i = 0; i < warpline_counter_count(result); i++)
        row_hits |= strcmp(warpline_counter_name(result, i), "dram.row_hits") == 0;
    assert_true(row_hits);
    assert_null(warpline_counter_name(result, warpline_counter_count(result)));
    warpline_result_free(result);
    warpline_close(machine);
}

/* PTX in memory gives what the files give. */
static void memory_equals_files(void **state)
{
    (void)state;
    struct error err;
    size_t ptx_length, launch_length;
    char *ptx = text_read_file(KERNEL("reduction.ptx"), 1 << 20, &ptx_length, &err);
    char *launch = text_read_file(KERNEL("reduction.json"), 1 << 20, &launch_length, &err);
    struct warpline_machine *machine = small_machine();
    struct warpline_result *files, *memory;
    assert_int_equal(warpline_run_files(machine, KERNEL("reduction.ptx"), KERNEL("reduction.json"), &files), 0);
    assert_int_equal(warpline_run_ptx(machine, ptx, ptx_length, launch, launch_length, &memory), 0);
    for (size_t i = 0; i < warpline_counter_count(files); i++) {
        const char *name = warpline_counter_name(files, i);
        const double a = warpline_counter(files, 0, name), b = warpline_counter(memory, 0, name);
        if (a != b && !(isnan(a) && isnan(b)))
            fail_msg("%s: %g from files, %g from memory", name, a, b);
    }
    warpline_result_free(files);
    warpline_result_free(memory);
    warpline_close(machine);
    free(ptx);
    free(launch);
}

static int stop_at_third(void *context, unsigned long long cycles, unsigned long long warp_instructions)
{
    int *calls = context;
    assert_true(cycles > 0);
    (void)warp_instructions;
    return ++*calls == 3;
}

static void progress_can_stop_a_run(void **state)
{
    (void)state;
    struct warpline_machine *machine = small_machine();
    struct warpline_result *result;
    int calls = 0;
    warpline_on_progress(machine, stop_at_third, &calls);
    assert_int_equal(warpline_run_files(machine, KERNEL("reduction.ptx"), KERNEL("reduction.json"), &result), 0);
    assert_int_equal(calls, 3);
    assert_true(warpline_stopped(result));
    assert_true(warpline_counter(result, WARPLINE_TOTALS, "cycles") < 5000);
    warpline_result_free(result);
    warpline_close(machine);
}

static void what_is_wrong_is_said(void **state)
{
    (void)state;
    struct warpline_machine *machine = warpline_open();
    struct warpline_result *result;
    assert_string_equal(warpline_error(machine), "");
    assert_int_equal(warpline_run_files(machine, "missing.ptx", KERNEL("reduction.json"), &result), WARPLINE_INPUT);
    assert_null(result);
    assert_non_null(strstr(warpline_error(machine), "missing.ptx"));
    assert_int_equal(warpline_policies(machine, "gto,,lrr"), WARPLINE_INPUT);
    assert_int_equal(warpline_set(machine, "gpu.smz", "2"), 0);
    assert_int_equal(warpline_check(machine), WARPLINE_INPUT);
    assert_string_equal(warpline_error(machine), "settings: unknown parameter 'gpu.smz'; did you mean 'gpu.sms'?");
    warpline_close(machine);
}

/* Neither lack of memory nor a broken invariant ends the process of whoever embeds us. */
static void trouble_inside_escapes(void **state)
{
    (void)state;
    struct error_escape escape;
    error_escape_enter(&escape);
    if (setjmp(escape.place) == 0) {
        (void)must_realloc(NULL, SIZE_MAX / 2);
        fail_msg("there is no such memory");
    }
    error_escape_leave(&escape);
    assert_non_null(strstr(escape.text, "out of memory (asked for 9223372036854775807 bytes)"));
    error_escape_enter(&escape);
    if (setjmp(escape.place) == 0)
        panic("%d legs", 5);
    error_escape_leave(&escape);
    assert_non_null(strstr(escape.text, "5 legs"));
    /* Through the library: arrays that the host cannot hold. */
    static const char ptx[] = ".version 8.0\n.target sm_70\n.address_size 64\n.entry k() { ret; }\n";
    static const char launch[] = "{\"arrays\": {\"a\": {\"type\": \"u8\", \"n\": 4611686018427387904, \"zeros\": true}},"
                                 "\"launches\": [{\"kernel\": \"k\", \"grid\": [1], \"block\": [32], \"args\": []}]}";
    struct warpline_machine *machine = warpline_open();
    struct warpline_result *result;
    assert_int_not_equal(warpline_run_ptx(machine, ptx, sizeof ptx - 1, launch, sizeof launch - 1, &result), 0);
    assert_null(result);
    warpline_close(machine);
}

static void the_version_is_the_librarys(void **state)
{
    (void)state;
    assert_string_equal(warpline_version(), WARPLINE_VERSION);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_run_gives_its_result),      cmocka_unit_test(a_machine_runs_on_its_callers_thread),
        cmocka_unit_test(every_counter_can_be_walked), cmocka_unit_test(memory_equals_files),
        cmocka_unit_test(progress_can_stop_a_run),     cmocka_unit_test(what_is_wrong_is_said),
        cmocka_unit_test(trouble_inside_escapes),      cmocka_unit_test(the_version_is_the_librarys),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
