/* test_result.c - the JSON of a result and its summary on one screen. */
#include "../cmocka_all.h"

#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "run/result.h"

#define STAT_DEF "toy_counters.def"
#define STAT_NAME l1
#include "stat/declare.h"
#define STAT_DEF "toy_counters.def"
#define STAT_NAME l1
#include "stat/define.h"

struct machine {
    uint32_t sets;
    double share;
    uint64_t size;
};
static const struct param machine_table[] = { PARAM_U32(struct machine, sets, "l1.sets", 32, 1, 64, "sets", "sets"),
                                              PARAM_REAL(struct machine, share, "policy.share", 0.1, 0, 1, "", "a share"),
                                              PARAM_SIZE(struct machine, size, "l1.size", "16KiB", "0", "1MiB", "bytes"),
                                              PARAM_END };

struct fixture {
    struct machine machine;
    struct param_space *space;
    struct text_list policies;
    struct result_run run;
};
static const struct stat_group *const groups[] = { &l1_stat_group };

static int setup(void **state)
{
    static struct fixture f;
    f = (struct fixture){ .space = param_space_new() };
    param_defaults(machine_table, &f.machine);
    param_space_add(f.space, "", machine_table, &f.machine);
    text_list_add(&f.policies, "gto");
    f.run = (struct result_run){ .target = "./app", .policies = &f.policies, .space = f.space, .groups = groups, .group_count = 1 };
    *state = &f;
    return 0;
}

static int teardown(void **state)
{
    struct fixture *f = *state;
    param_space_free(f->space);
    text_list_clear(&f->policies);
    return 0;
}

static json_t *two_kernels(const struct fixture *f)
{
    struct l1_counters first = { .accesses = 10, .hits = 5, .refused_mshr = 3 }, second = { .accesses = 30, .hits = 25 };
    char name[] = "k\"1";
    struct kernel_result k = { .name = name,
                               .grid = { 4, 1, 1 },
                               .block = { 32, 2, 1 },
                               .cycles = 100,
                               .warp_instructions = 50,
                               .thread_instructions = 1600,
                               .complete = true,
                               .counters = (void *[]){ &first } };
    struct result_builder *b = result_builder_new(&f->run);
    result_builder_add(b, &k);
    k.counters = (void *[]){ &second };
    k.cycles = 0;
    k.complete = false;
    result_builder_add(b, &k);
    return result_builder_finish(b);
}

static void the_json_is_the_contract(void **state)
{
    const struct fixture *f = *state;
    json_t *result = two_kernels(f);
    result_set_exit_code(result, 0);
    struct text_buffer text = { 0 };
    result_write(result, &text);
    static const char expected[] =
        "{\n \"warpline\": \"" WARPLINE_VERSION "\",\n \"schema\": 1,\n \"target\": \"./app\",\n \"policies\": [\"gto\"],\n"
        " \"config\": {\n  \"l1\": {\n   \"sets\": 32,\n   \"size\": 16384\n  },\n  \"policy\": {\n   \"share\": 0.1\n  }\n },\n"
        " \"kernels\": [\n  {\n   \"name\": \"k\\\"1\",\n   \"grid\": [4, 1, 1],\n   \"block\": [32, 2, 1],\n   \"complete\": "
        "true,\n"
        "   \"start_cycle\": 0,\n   \"cycles\": 100,\n   \"warp_instructions\": 50,\n   \"thread_instructions\": 1600,\n"
        "   \"ipc\": 16.0,\n   \"warp_ipc\": 0.5,\n   \"l1\": {\n    \"accesses\": 10,\n    \"hits\": 5,\n    \"refused\": {\n"
        "     \"mshr_entry\": 3\n    },\n    \"hit_rate\": 0.5\n   }\n  },\n  {\n";
    assert_memory_equal(text.text, expected, sizeof expected - 1);
    assert_non_null(strstr(text.text, "\"ipc\": null"));
    assert_true(json_number_dotted(result, "totals.l1.accesses", 0) == 40);
    assert_true(json_number_dotted(result, "totals.l1.hit_rate", 0) == 0.75);
    assert_true(json_number_dotted(result, "totals.kernels", 0) == 2);
    text_buffer_clear(&text);
    json_decref(result);
}

static void only_host_differs_between_runs(void **state)
{
    const struct fixture *f = *state;
    json_t *a = two_kernels(f), *b = two_kernels(f);
    struct text_buffer before = { 0 }, after = { 0 };
    result_write(a, &before);
    result_set_host(b, 0.5, 1);
    assert_true(json_number_dotted(b, "host.cycles_per_second", 0) == 200);
    assert_true(json_number_dotted(b, "host.peak_rss_bytes", 0) > 0);
    (void)json_object_del(b, "host");
    result_write(b, &after);
    assert_string_equal(before.text, after.text);
    text_buffer_clear(&before);
    text_buffer_clear(&after);
    json_decref(a);
    json_decref(b);
}

static void a_result_feeds_back(void **state)
{
    struct fixture *f = *state;
    struct error err = { 0 };
    assert_true(param_set(f->space, "l1.sets", "7", "test", &err));
    assert_true(param_set(f->space, "policy.share", "0.30000000000000004", "test", &err));
    json_t *result = two_kernels(f);
    struct text_buffer text = { 0 };
    result_write(result, &text);
    param_defaults(machine_table, &f->machine);
    assert_true(param_load_text(f->space, text.text, "result.json", &err));
    assert_int_equal(f->machine.sets, 7);
    assert_true(f->machine.share == 0.30000000000000004);
    text_buffer_clear(&text);
    json_decref(result);
}

static void the_summary_fits_one_screen(void **state)
{
    const struct fixture *f = *state;
    json_t *result = two_kernels(f);
    result_set_host(result, 0.5, 1);
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    result_print_summary(result, out);
    (void)fclose(out);
    assert_non_null(strstr(text, "./app: 2 kernels, policy gto\n"));
    assert_non_null(strstr(text, "(stopped early)"));
    assert_non_null(strstr(text, "  cycles        100\n"));
    assert_non_null(strstr(text, "  L1            40 loads: 75.0 % hit"));
    assert_non_null(strstr(text, "  stall cycles  L1 mshr_entry 3\n"));
    assert_non_null(strstr(text, "  simulated in  0.50 s: 200 cycles/s"));
    unsigned lines = 0;
    for (const char *p = text; *p; p++)
        lines += *p == '\n';
    assert_in_range(lines, 5, 24);
    free(text);
    json_decref(result);
}

static void a_run_without_kernels_shows_no_zeros(void **state)
{
    const struct fixture *f = *state;
    json_t *result = two_kernels(f);
    json_array_clear(json_object_get(result, "kernels"));
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    result_print_summary(result, out);
    (void)fclose(out);
    assert_string_equal(text, "./app: 0 kernels, policy gto\n  no kernel ran, so there is nothing to report\n");
    free(text);
    json_decref(result);
}

static void names_that_are_not_utf8_are_kept_readable(void **state)
{
    struct fixture *f = *state;
    f->run.target = "caf\xe9";
    json_t *result = two_kernels(f);
    assert_string_equal(json_string_value(json_object_get(result, "target")), "caf?");
    json_decref(result);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = { TEST(the_json_is_the_contract),
                                        TEST(only_host_differs_between_runs),
                                        TEST(a_result_feeds_back),
                                        TEST(the_summary_fits_one_screen),
                                        TEST(a_run_without_kernels_shows_no_zeros),
                                        TEST(names_that_are_not_utf8_are_kept_readable) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
