/* Launch files: what they mean, and what is said when they are wrong. */
#include "../cmocka_all.h"
#include "run/launch_file.h"

#include <stdlib.h>
#include <string.h>

static struct launch_file *parse(const char *text, struct error *err)
{
    return launch_file_parse("k.json", "", text, strlen(text), 1 << 20, err);
}

#define LAUNCH "\"launches\": [{\"kernel\": \"k\", \"grid\": [2], \"block\": [32, 2], \"args\": []}]"

static void fills_as_the_reference_does(void **state)
{
    (void)state;
    struct error err;
    struct launch_file *f = parse("{\"arrays\": {"
                                  "\"a\": {\"type\": \"i32\", \"n\": 4, \"mode\": \"lin\", \"A\": 5, \"B\": 3, \"M\": 0},"
                                  "\"b\": {\"type\": \"f32\", \"n\": 600, \"mode\": \"lcg\", \"A\": 1664525, \"B\": 7, \"S\": 8, "
                                  "\"M\": 1024, \"scale\": 0.5, \"off\": 1},"
                                  "\"c\": {\"type\": \"u8\", \"n\": 3, \"set\": [[1, 200]]},"
                                  "\"d\": {\"type\": \"f64\", \"n\": 2, \"values\": [1.5, -2]},"
                                  "\"e\": {\"type\": \"i64\", \"n\": 3, \"mode\": \"ramp\"}}, " LAUNCH "}",
                                  &err);
    assert_non_null(f);
    assert_int_equal(f->array_count, 5);
    const int32_t lin[4] = { 3, 8, 13, 18 };
    assert_memory_equal(f->arrays[0].contents, lin, sizeof lin);
    uint32_t u = 7;
    for (int i = 0; i < 600; i++) {
        float got;
        u = u * 1664525u + 1013904223u;
        memcpy(&got, f->arrays[1].contents + 4 * i, 4);
        assert_true(got == (float)((u >> 8) % 1024) * 0.5f + 1.0f);
    }
    const uint8_t bytes[3] = { 0, 200, 0 };
    assert_memory_equal(f->arrays[2].contents, bytes, sizeof bytes);
    const double doubles[2] = { 1.5, -2.0 };
    assert_memory_equal(f->arrays[3].contents, doubles, sizeof doubles);
    const int64_t ramp[3] = { 0, 1, 2 };
    assert_memory_equal(f->arrays[4].contents, ramp, sizeof ramp);
    assert_int_equal(f->first_address, 0xC0000000u);
    launch_file_free(f);
}

static void random_is_seeded(void **state)
{
    (void)state;
    struct error err;
    const char *text =
        "{\"arrays\": {\"a\": {\"type\": \"f32\", \"n\": 100, \"mode\": \"random\", \"seed\": 3, \"low\": -1, \"high\": 1},"
        "\"b\": {\"type\": \"f32\", \"n\": 100, \"mode\": \"random\", \"seed\": 4, \"low\": -1, \"high\": 1}}, " LAUNCH "}";
    struct launch_file *f = parse(text, &err), *g = parse(text, &err);
    assert_memory_equal(f->arrays[0].contents, g->arrays[0].contents, 400);
    assert_memory_not_equal(f->arrays[0].contents, f->arrays[1].contents, 400);
    launch_file_free(f);
    launch_file_free(g);
}

static void reads_launches_and_arguments(void **state)
{
    (void)state;
    struct error err;
    struct launch_file *f =
        parse("{\"arrays\": {\"a\": {\"type\": \"i32\", \"n\": 4}}, \"launches\": [{\"kernel\": \"k\", \"grid\": [2, 3],"
              "\"block\": [32, 2, 4], \"shared\": 512, \"args\": [{\"array\": \"a\", \"offset\": 8}, {\"i64\": -5}, {\"f32\": "
              "1.5}, {\"u8\": 255}]}],"
              "\"outputs\": [\"a\"], \"kernel_info\": {\"k\": {\"regs\": 20}}}",
              &err);
    assert_non_null(f);
    const struct launch_step *s = &f->steps[0];
    assert_int_equal(s->grid[1], 3);
    assert_int_equal(s->grid[2], 1);
    assert_int_equal(s->block[2], 4);
    assert_int_equal(s->shared_bytes, 512);
    assert_int_equal(s->argument_count, 4);
    assert_int_equal(s->arguments[0].array, 0);
    assert_int_equal(s->arguments[0].offset, 8);
    const int64_t minus_five = -5;
    assert_memory_equal(s->arguments[1].bits, &minus_five, 8);
    const float one_and_a_half = 1.5f;
    assert_memory_equal(s->arguments[2].bits, &one_and_a_half, 4);
    assert_int_equal(s->arguments[3].bits[0], 255);
    assert_int_equal(f->infos[0].registers, 20);
    assert_int_equal(f->infos[0].shared_bytes, UINT32_MAX);
    launch_file_free(f);
}

/* Each text is refused with a sentence that holds the words beside it. */
static void says_what_is_wrong(void **state)
{
    (void)state;
    static const struct {
        const char *text, *words;
    } cases[] = {
        { "", "k.json:1" },
        { "[1]", "one JSON object" },
        { "{", "k.json:1" },
        { "{\n\n  \"arrays\": {,\n}", "k.json:3" },
        { "{\"arrays\": {}}", "launches" },
        { "{\"launches\": []}", "at least one" },
        { "{\"launchs\": [], " LAUNCH "}", "did you mean 'launches'" },
        { "{\"arrays\": {\"a\": {\"type\": \"i33\", \"n\": 1}}, " LAUNCH "}", "arrays.a: type" },
        { "{\"arrays\": {\"a\": {\"type\": \"i32\"}}, " LAUNCH "}", "arrays.a: n" },
        { "{\"arrays\": {\"a\": {\"type\": \"i32\", \"n\": -4}}, " LAUNCH "}", "arrays.a: n" },
        { "{\"arrays\": {\"a\": {\"type\": \"i32\", \"n\": 99999999999999}}, " LAUNCH "}", "do not fit into the device's memory" },
        { "{\"arrays\": {\"a\": {\"type\": \"i32\", \"n\": 262145}}, " LAUNCH "}", "262145 elements of 4 bytes do not fit" },
        { "{\"arrays\": {\"a\": {\"type\": \"i32\", \"n\": 2, \"mode\": \"sine\"}}, " LAUNCH "}", "none of zeros, ramp" },
        { "{\"arrays\": {\"a\": {\"type\": \"i32\", \"n\": 2, \"set\": [[2, 1]]}}, " LAUNCH "}", "set: entry 0" },
        { "{\"arrays\": {\"a\": {\"type\": \"i32\", \"n\": 2, \"values\": [1]}}, " LAUNCH "}", "1 are given for n = 2" },
        { "{\"arrays\": {\"a\": {\"type\": \"i32\", \"n\": 2, \"values\": [1, 2.5]}}, " LAUNCH "}",
          "values[1] is not a number of type i32" },
        { "{\"arrays\": {\"a\": {\"type\": \"i32\", \"n\": 2, \"file\": \"/nonexistent/x\"}}, " LAUNCH "}", "/nonexistent/x" },
        { "{\"arrays\": {\"a\": {\"type\": \"i32\", \"n\": 2, \"moed\": 1}}, " LAUNCH "}", "did you mean 'mode'" },
        { "{\"arrays\": {\"a\": {\"type\": \"i32\", \"n\": 2, \"A\": \"3\"}}, " LAUNCH "}", "arrays.a: A is not a whole number" },
        { "{\"arrays\": {\"a\": {\"type\": \"i8\", \"n\": 1, \"values\": [256]}}, " LAUNCH "}",
          "values[0] is not a number of type i8" },
        { "{\"arrays\": {\"a\": {\"type\": \"f32\", \"n\": 1, \"values\": [1e39]}}, " LAUNCH "}",
          "values[0] is not a number of type f32" },
        { "{\"arrays\": 5, " LAUNCH "}", "arrays" },
        { "{\"launches\": [{\"grid\": [1], \"block\": [1]}]}", "launches[0].kernel" },
        { "{\"launches\": [{\"kernel\": \"k\", \"grid\": [0], \"block\": [1]}]}", "launches[0].grid: [0] (x) is not" },
        { "{\"launches\": [{\"kernel\": \"k\", \"grid\": [1], \"block\": [1, 1, 2.5]}]}", "launches[0].block: [2] (z) is not" },
        { "{\"arrays\": {\"a\": {\"type\": \"i32\", \"n\": 2, \"mode\": \"lcg\", \"M\": -5}}, " LAUNCH "}",
          "M is a modulus up to" },
        { "{\"arrays\": {\"a\": {\"type\": \"i32\", \"n\": 2, \"mode\": \"lcg\", \"S\": 32}}, " LAUNCH "}", "0 to 31 bits" },
        { "{\"arrays\": {\"a\": {\"type\": \"f32\", \"n\": 2, \"mode\": \"random\", \"low\": 2, \"high\": 1}}, " LAUNCH "}",
          "low is 2 and high is 1" },
        { "{\"alignment\": 3, " LAUNCH "}", "alignment: must be a power of two" },
        { "{\"alignment\": 0, " LAUNCH "}", "alignment: must be a power of two" },
        { "{\"alignment\": 4294967552, " LAUNCH "}", "alignment: must be a power of two" },
        { "{\"arrays\": {\"a\": {\"type\": \"i32\", \"n\": 2}}, \"outputs\": [{\"array\": \"a\", \"file\": \"../a.bin\"}], " LAUNCH
          "}",
          "outputs[0].file: '../a.bin' leads out" },
        { "{\"arrays\": {\"a\": {\"type\": \"i32\", \"n\": 2}}, \"outputs\": [{\"array\": \"a\", \"file\": \"b/..\"}], " LAUNCH "}",
          "leads out" },
        { "{\"launches\": [{\"kernel\": \"k\", \"grid\": [1, 1, 1, 1], \"block\": [1]}]}", "one to three" },
        { "{\"launches\": [{\"kernel\": \"k\", \"grid\": [1], \"block\": [1], \"args\": [{\"array\": \"x\"}]}]}", "no array 'x'" },
        { "{\"launches\": [{\"kernel\": \"k\", \"grid\": [1], \"block\": [1], \"args\": [{\"i32\": \"x\"}]}]}",
          "not a number of type i32" },
        { "{\"launches\": [{\"kernel\": \"k\", \"grid\": [1], \"block\": [1], \"args\": [{\"i32\": 4294967296}]}]}",
          "too large for it" },
        { "{\"launches\": [{\"kernel\": \"k\", \"grid\": [1], \"block\": [1], \"shared\": \"64\"}]}",
          "shared is not a whole number" },
        { "{\"launches\": [{\"kernel\": \"k\", \"grid\": [1], \"block\": [1], \"shared\": 1048577}]}", "at most 1048576" },
        { "{\"launches\": [{\"kernel\": \"k\", \"grid\": [1], \"block\": [1], \"args\": [5]}]}", "args[0]" },
        { "{\"launches\": [{\"kernel\": \"k\", \"grid\": [1], \"block\": [1], \"args\": {}}]}", "is not a list" },
        { "{\"outputs\": [\"x\"], " LAUNCH "}", "outputs[0]" },
        { "{\"kernel_info\": {\"k\": {\"rgs\": 1}}, " LAUNCH "}", "did you mean 'regs'" },
        { "{\"kernel_info\": {\"k\": {\"regs\": \"x\"}}, " LAUNCH "}", "kernel_info.k: regs is not a whole number" },
        { "{\"kernel_info\": {\"k\": {\"regs\": -3}}, " LAUNCH "}", "kernel_info.k: regs is 1 to 65535" },
        { "{\"kernel_info\": {\"k\": {\"regs\": 0}}, " LAUNCH "}", "kernel_info.k: regs is 1 to 65535" },
        { "{\"kernel_info\": {\"k\": {\"smem\": 1000000000000}}, " LAUNCH "}", "smem at most 1048576" },
        { "{\"kernel_info\": [1], " LAUNCH "}", "kernel_info: is not an object" },
        { "{\"arrays\": {}, \"arrays\": {}, " LAUNCH "}", "duplicate" },
        { NULL, NULL }
    };
    for (size_t i = 0; cases[i].text; i++) {
        struct error err = { 0 };
        struct launch_file *f = parse(cases[i].text, &err);
        if (f || !strstr(err.text, cases[i].words))
            print_error("case %zu: '%s'\n", i, err.text);
        assert_null(f);
        assert_non_null(strstr(err.text, cases[i].words));
        assert_int_equal(err.code, CODE_INPUT);
    }
}

static void refuses_files_that_are_none(void **state)
{
    (void)state;
    struct error err;
    assert_null(launch_file_read("/nonexistent/k.json", 1 << 20, &err));
    assert_null(launch_file_read("/", 1 << 20, &err));
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(fills_as_the_reference_does), cmocka_unit_test(random_is_seeded),
                                        cmocka_unit_test(reads_launches_and_arguments), cmocka_unit_test(says_what_is_wrong),
                                        cmocka_unit_test(refuses_files_that_are_none) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
