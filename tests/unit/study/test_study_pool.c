/* The process pool: exit codes, signals, time-outs, output, and stopping. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "study/pool.h"

static struct pool_task shell(const char *script)
{
    char **argv = must_calloc(4, sizeof *argv);
    argv[0] = must_strdup("sh");
    argv[1] = must_strdup("-c");
    argv[2] = must_strdup(script);
    return (struct pool_task){ .argv = argv, .label = "test" };
}

static void what_a_task_did_is_kept(void **state)
{
    (void)state;
    struct pool_task t[] = { shell("echo out; echo log >&2; exit 3"), shell("kill -SEGV $$"),
                             shell("head -c 300000 /dev/zero | tr '\\0' x; echo end") };
    struct error err = { 0 };
    assert_true(pool_run(t, 3, &(struct pool_options){ .jobs = 2 }, &err));
    assert_int_equal(t[0].exit_code, 3);
    assert_string_equal(t[0].out.text, "out\n");
    assert_string_equal(t[0].log.text, "log\n");
    assert_int_equal(t[1].signal, SIGSEGV);
    assert_int_equal(t[2].out.length, 300004);
    for (int i = 0; i < 3; i++)
        pool_task_clear(&t[i]);
}

static void a_late_task_is_stopped(void **state)
{
    (void)state;
    struct pool_task t = shell("sleep 60");
    struct error err = { 0 };
    assert_true(pool_run(&t, 1, &(struct pool_options){ .timeout_seconds = 1 }, &err));
    assert_true(t.timed_out);
    assert_true(t.wall_seconds < 10);
    pool_task_clear(&t);
}

static bool stop_at_once(void *context, size_t index, struct pool_task *task)
{
    (void)index;
    (void)task;
    ++*(int *)context;
    return false;
}

static void a_false_answer_stops_the_rest(void **state)
{
    (void)state;
    struct pool_task t[] = { shell("true"), shell("sleep 60"), shell("true") };
    int calls = 0;
    struct error err = { 0 };
    assert_true(pool_run(t, 3, &(struct pool_options){ .jobs = 2, .done = stop_at_once, .context = &calls }, &err));
    assert_int_equal(calls, 1);
    assert_true(t[1].not_started);
    assert_true(t[2].not_started);
    for (int i = 0; i < 3; i++)
        pool_task_clear(&t[i]);
}

static void a_program_that_is_not_there_fails(void **state)
{
    (void)state;
    char **argv = must_calloc(2, sizeof *argv);
    argv[0] = must_strdup("/nonexistent/program");
    struct pool_task t = { .argv = argv, .label = "none" };
    struct error err = { 0 };
    assert_true(pool_run(&t, 1, &(struct pool_options){ .jobs = 1 }, &err));
    assert_int_equal(t.exit_code, 127);
    assert_non_null(strstr(t.log.text, "cannot start"));
    pool_task_clear(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(what_a_task_did_is_kept), cmocka_unit_test(a_late_task_is_stopped),
                                        cmocka_unit_test(a_false_answer_stops_the_rest),
                                        cmocka_unit_test(a_program_that_is_not_there_fails) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
