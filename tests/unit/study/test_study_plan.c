/* Expressions and study files: values worked out by hand, and what is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "study/expression.h"
#include "study/job.h"
#include "study/study_file.h"

static bool two_names(void *context, const char *name, double *value)
{
    (void)context;
    if (strcmp(name, "l1.sets") != 0 && strcmp(name, "x") != 0)
        return false;
    *value = name[0] == 'x' ? 3 : 32;
    return true;
}

static void expressions_have_their_values(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double value;
    } cases[] = { { "1 + 2 * 3", 7 },
                  { "(1 + 2) * 3", 9 },
                  { "l1.sets * 4 * 128 == 16KiB", 1 },
                  { "l1.sets*4*128==16KB", 0 },
                  { "10 - 4 - 3", 3 },
                  { "7 % 4", 3 },
                  { "!(x > 2) || x == 3", 1 },
                  { "-x + 5", 2 },
                  { "1 < 2 && 2 <= 2 && 3 != 4", 1 },
                  { "8 / 2 / 2", 2 } };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double value = -99;
        struct error err = { 0 };
        assert_true(expression_evaluate(cases[i].text, two_names, NULL, &value, &err));
        assert_true(value == cases[i].value);
    }
}

static void wrong_expressions_are_refused(void **state)
{
    (void)state;
    static const char *const cases[] = { "", "1 +", "(1", "1)", "y > 1", "1 / 0", "3 KiBs", "2 3", "x ** 2", "1 = 1" };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double value;
        struct error err = { 0 };
        assert_false(expression_evaluate(cases[i], two_names, NULL, &value, &err));
        assert_int_equal(err.code, CODE_INPUT);
    }
    char deep[400];
    memset(deep, '(', sizeof deep - 1);
    deep[sizeof deep - 1] = '\0';
    double value;
    struct error err = { 0 };
    assert_false(expression_evaluate(deep, two_names, NULL, &value, &err));
}

static bool read_text(const char *text, struct study *study, struct error *err)
{
    char path[] = "/tmp/warpline-study-XXXXXX";
    const int fd = mkstemp(path);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
    (void)close(fd);
    const bool ok = study_read(path, study, err);
    (void)unlink(path);
    return ok;
}

static void a_study_file_is_read(void **state)
{
    (void)state;
    struct study s;
    struct error err = { 0 };
    assert_true(read_text("name = a\nworkloads = syrk, bfs\nworkloads = spmv\npolicies = none, gto+pric\n[axes]\nl1.ways = 4, 8\n"
                          "sm.latency_fp = 1,2,3,4,5; 2,3,4,5,6\n[set]\nl1.sets = 64\n[constraints]\nc = l1.ways > 4\n",
                          &s, &err));
    assert_string_equal(s.name, "a");
    assert_int_equal(s.workloads.count, 3);
    assert_string_equal(s.sizes.item[0], "small");
    assert_int_equal(s.axis_count, 2);
    assert_string_equal(s.axis[1].values.item[1], "2,3,4,5,6");
    assert_string_equal(s.set.item[0], "l1.sets=64");
    study_clear(&s);
}

static void a_wrong_study_file_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text, *says;
    } cases[] = { { "policies = gto\n", "needs 'workloads" },
                  { "workloads = syrk\ncolour = red\n", "colour" },
                  { "workloads = syrk\n[axis]\na = 1\n", "[axis]" },
                  { "workloads = syrk,,bfs\n", "empty" },
                  { "workloads = syrk\nthis is no line\n", ":2:" } };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct study s;
        struct error err = { 0 };
        assert_false(read_text(cases[i].text, &s, &err));
        assert_non_null(strstr(err.text, cases[i].says));
    }
}

/* Behind a workload's name options are ours, behind a program's the program's. */
static void a_job_says_whose_arguments_are_whose(void **state)
{
    (void)state;
    static const char *const targets[] = { "atax", "./atax" };
    static const char *const commands[] = { "warpline run --config gtx480 --size small atax -- --shape rows=512",
                                            "warpline run --config gtx480 --size small ./atax --shape rows=512" };
    for (size_t i = 0; i < 2; i++) {
        struct job job;
        job_init(&job, targets[i], "small", "gtx480", "");
        text_list_add(&job.arguments, "--shape");
        text_list_add(&job.arguments, "rows=512");
        char *command = job_command(&job);
        assert_string_equal(command, commands[i]);
        free(command);
        job_clear(&job);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(expressions_have_their_values),
                                        cmocka_unit_test(wrong_expressions_are_refused), cmocka_unit_test(a_study_file_is_read),
                                        cmocka_unit_test(a_wrong_study_file_is_refused),
                                        cmocka_unit_test(a_job_says_whose_arguments_are_whose) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
