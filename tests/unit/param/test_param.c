/* test_param.c - parameters as rows: defaults, types, ranges, prefixes, values per kernel. */
#include "../cmocka_all.h"
#include "sample_table.h"

#include <string.h>

#include "base/text.h"

static void defaults_come_from_the_rows(void **state)
{
    const struct sample *s = &((struct fixture *)*state)->sample;
    assert_int_equal(s->sets, 32);
    assert_int_equal(s->limit, UINT64_C(5000000000));
    assert_int_equal(s->offset, -3);
    assert_true(s->threshold == 0.85);
    assert_int_equal(s->size, 16384);
    assert_int_equal(s->clock, 700000);
    assert_int_equal(s->latency, 13750);
    assert_true(s->hashed);
    assert_int_equal(s->replacement, 0);
    assert_int_equal(s->ways.count, 3);
    assert_int_equal(s->ways.value[2], 4);
}

static void assignments_are_typed(void **state)
{
    struct fixture *f = *state;
    assert_true(param_set_assignment(f->space, "l1.sets=0x40", "--set", &f->err));
    assert_int_equal(f->sample.sets, 64);
    assert_true(param_set_assignment(f->space, "l1.replacement=random", "--set", &f->err));
    assert_int_equal(f->sample.replacement, 2);
    assert_true(param_set_assignment(f->space, "l1.ways=", "--set", &f->err));
    assert_int_equal(f->sample.ways.count, 0);
}

struct refusal {
    const char *assignment, *sentence;
};

static void refusals_say_what_is_allowed(void **state)
{
    struct fixture *f = *state;
    static const struct refusal rows[] = {
        { "l1.sets", "--set: 'l1.sets' has no '='; write key=value, for example l1.sets=64" },
        { "=5", "--set: '=5' has no key before '='; write key=value, for example l1.sets=64" },
        { "l1.stes=5", "--set: unknown parameter 'l1.stes'; did you mean 'l1.sets'?" },
        { "l1.rows=5", "--set: 'l1.rows' is 'l1.sets' now" },
        { "nothing.like.it=5", "--set: unknown parameter 'nothing.like.it'; see 'warpline list params'" },
        { "policy.swl.limit=5", "--set: 'policy.swl.limit' is a parameter of policy 'swl', which is not used here: name it in "
                                "--policy, or leave the parameter out" },
        { "l1.sets=0", "--set: l1.sets: '0' is out of range; allowed: 1 to 4096" },
        { "l1.sets=4294967296", "--set: l1.sets: '4294967296' is out of range; allowed: 1 to 4096" },
        { "l1.sets=-1", "--set: l1.sets: '-1' is negative; allowed: 1 to 4096" },
        { "l1.sets=many", "--set: l1.sets: 'many' is not a whole number; allowed: 1 to 4096" },
        { "l1.sets=", "--set: l1.sets: '' is not a whole number; allowed: 1 to 4096" },
        { "l1.size=16MHz", "--set: l1.size: '16MHz' has an unknown unit (use B, KiB, MiB, GiB or TiB); allowed: 128 to 1MiB" },
        { "l1.size=-16KiB", "--set: l1.size: '-16KiB' is negative; allowed: 128 to 1MiB" },
        { "l1.size=2MiB", "--set: l1.size: '2MiB' is out of range; allowed: 128 to 1MiB" },
        { "l1.threshold=nan", "--set: l1.threshold: 'nan' is not a finite number; allowed: 0 to 1" },
        { "l1.threshold=1.01", "--set: l1.threshold: '1.01' is out of range; allowed: 0 to 1" },
        { "l1.offset=-11", "--set: l1.offset: '-11' is out of range; allowed: -10 to 10" },
        { "l1.hashed=maybe", "--set: l1.hashed: 'maybe' is neither true nor false; allowed: true or false" },
        { "l1.replacement=plru", "--set: l1.replacement: 'plru' is not a choice here; allowed: one of lru, fifo, random" },
        { "l1.ways=1,x", "--set: l1.ways: '1,x' is not a list of numbers such as 1,2,3; allowed: up to 16 numbers" },
        { "l1.ways=1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17",
          "--set: l1.ways: '1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17' has more than 16 numbers; allowed: up to 16 numbers" },
        { "sm.clock=700", "--set: sm.clock: '700' needs a unit (kHz, MHz or GHz); allowed: 1kHz to 100GHz" },
    };
    static const struct param_moved moved[] = { { "l1.rows", "l1.sets" }, { NULL, NULL } };
    param_space_moved(f->space, moved);
    const struct sample before = f->sample;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_false(param_set_assignment(f->space, rows[i].assignment, "--set", &f->err));
        assert_string_equal(f->err.text, rows[i].sentence);
        assert_int_equal(f->err.code, CODE_INPUT);
    }
    assert_memory_equal(&before, &f->sample, sizeof before);
}

static void prefixes_keep_policies_apart(void **state)
{
    struct fixture *f = *state;
    struct sample other;
    param_defaults(sample_table, &other);
    param_space_add(f->space, "policy.ccws.", sample_table, &other);
    assert_true(param_set(f->space, "policy.ccws.l1.sets", "7", "--set", &f->err));
    assert_int_equal(other.sets, 7);
    assert_int_equal(f->sample.sets, 32);
}

static void collect(void *context, const char *name, const struct param *row, const char *value)
{
    (void)row;
    text_append(context, "%s=%s\n", name, value);
}

static void effective_values_feed_back(void **state)
{
    struct fixture *f = *state;
    assert_true(param_set(f->space, "l1.threshold", "0.3333333333333333", "test", &f->err));
    assert_true(param_set(f->space, "sm.clock", "1108.8MHz", "test", &f->err));
    struct text_buffer echo = { 0 };
    param_each(f->space, collect, &echo);
    assert_string_equal(echo.text, "l1.sets=32\nl1.limit=5000000000\nl1.offset=-3\nl1.threshold=0.3333333333333333\nl1.size=16KiB\n"
                                   "sm.clock=1.1088GHz\ndram.latency=13.75ns\nl1.hashed=true\nl1.replacement=lru\nl1.ways=1,2,4\n");
    struct sample again = { 0 };
    struct param_space *space = param_space_new();
    param_space_add(space, "", sample_table, &again);
    for (char *rest = echo.text, *line; (line = strsep(&rest, "\n")) && *line;)
        assert_true(param_set_assignment(space, line, "echo", &f->err));
    assert_true(again.threshold == f->sample.threshold && again.clock == f->sample.clock && again.size == f->sample.size);
    assert_true(again.ways.count == 3 && again.offset == -3 && again.limit == f->sample.limit);
    param_space_free(space);
    text_buffer_clear(&echo);
}

static void collect_names(void *context, const char *name, const struct param *row, const char *value)
{
    assert_non_null(row);
    char *text = context;
    (void)snprintf(text + strlen(text), 1024 - strlen(text), " %s=%s ", name, value);
    for (char *twice; (twice = strstr(text, "  ")) != NULL;)
        memmove(twice, twice + 1, strlen(twice));
}

static void kernels_have_values_of_their_own(void **state)
{
    struct fixture *f = *state;
    struct param_kernel_list list = { 0 };
    assert_false(param_set_assignment(f->space, "k:l1.sets=16", "--set", &f->err));
    assert_string_equal(f->err.text, "--set: l1.sets cannot be another for each kernel");
    param_space_per_kernel(f->space, "l1.offset,l1.sets");
    param_space_kernels(f->space, &list);
    assert_true(param_set_assignment(f->space, "k:l1.sets=16", "--set", &f->err));
    assert_true(param_set_assignment(f->space, "kk:l1.sets=17", "--set", &f->err));
    assert_true(param_set_assignment(f->space, "k:l1.sets=18", "--set", &f->err)); /* the last one holds */
    assert_true(param_load_text(f->space, "[k:l1]\noffset = 4\n", "file", &f->err));
    assert_int_equal(f->sample.sets, 32); /* the common value is as it was */
    assert_int_equal(list.count, 3);
    assert_string_equal(list.setting[0].kernel, "k");
    assert_string_equal(list.setting[0].key, "l1.sets");
    assert_string_equal(list.setting[0].value, "18");
    assert_string_equal(list.setting[2].key, "l1.offset");
    param_store(sample_table, &f->sample, "l1.sets", list.setting[0].value);
    assert_int_equal(f->sample.sets, 18);
    assert_false(param_set_assignment(f->space, "k:l1.sets=0", "--set", &f->err));
    assert_non_null(strstr(f->err.text, "allowed: 1 to 4096"));
    assert_false(param_set_assignment(f->space, "k:l1.set=1", "--set", &f->err));
    assert_non_null(strstr(f->err.text, "did you mean 'l1.sets'"));
    assert_false(param_set_assignment(f->space, ":l1.sets=1", "--set", &f->err));
    assert_non_null(strstr(f->err.text, "has no kernel before ':'"));
    assert_false(param_set_assignment(f->space, "k:l1.hashed=false", "--set", &f->err));
    assert_string_equal(f->err.text,
                        "--set: l1.hashed cannot be another for each kernel; of this technique these can: l1.offset,l1.sets");
    char seen[1024] = "";
    param_each(f->space, collect_names, seen);
    assert_non_null(strstr(seen, " k:l1.sets=18 kk:l1.sets=17 k:l1.offset=4 ")); /* echoed, and so fed back */
    param_kernel_list_clear(&list);
}

static void a_row_has_a_class(void **state)
{
    (void)state;
    static const struct param debug = PARAM_U32_OF(PARAM_DEBUG, struct sample, sets, "l1.sets", 64, 1, 4096, "sets", "help");
    static const struct param plain = PARAM_U32(struct sample, sets, "l1.sets", 64, 1, 4096, "sets", "help");
    assert_string_equal(param_class_name(param_class_of("l1.sets", &debug)), "debug");
    assert_string_equal(param_class_name(param_class_of("l1.sets", &plain)), "machine");
    assert_string_equal(param_class_name(param_class_of("policy.swl.limit", &plain)), "technique");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(defaults_come_from_the_rows, setup, teardown),
        cmocka_unit_test_setup_teardown(assignments_are_typed, setup, teardown),
        cmocka_unit_test_setup_teardown(kernels_have_values_of_their_own, setup, teardown),
        cmocka_unit_test(a_row_has_a_class),
        cmocka_unit_test_setup_teardown(refusals_say_what_is_allowed, setup, teardown),
        cmocka_unit_test_setup_teardown(prefixes_keep_policies_apart, setup, teardown),
        cmocka_unit_test_setup_teardown(effective_values_feed_back, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
