/* Settings and results on their way between `warpline run` and the program's process. */
#include "../cmocka_all.h"
#include "run/channel.h"
#include "run/session.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct row {
    uint64_t a, b;
};
static const struct stat_group first_group = { .name = "first", .size = sizeof(struct row) };
static const struct stat_group second_group = { .name = "second", .size = sizeof(uint64_t) };
static const struct stat_group *const groups[] = { &first_group, &second_group };

static void settings_survive_the_way(void **state)
{
    (void)state;
    struct text_list policies = { 0 };
    struct session_setup here, there;
    struct session_options options = { .functional = true, .max_cycles = 12345678901234, .max_instructions = 7 }, back;
    struct error err;
    struct text_buffer sent = { 0 }, again = { 0 };
    text_list_add(&policies, "gto");
    assert_true(session_setup_init(&here, &policies, NULL, &err));
    assert_true(param_set(here.space, "device.memory", "64MiB", "test", &err));
    assert_true(param_set(here.space, "gpu.sms", "3", "test", &err));
    session_request_write(&here, &options, &sent);
    assert_true(session_request_read(sent.text, &there, &back, &err));
    assert_int_equal(there.device.memory_bytes, 64 << 20);
    assert_string_equal(there.policy_names.item[0], "gto");
    session_request_write(&there, &back, &again);
    assert_string_equal(sent.text, again.text);
    session_setup_clear(&there);
    assert_false(session_request_read("set gpu.smss=3\n", &there, &back, &err));
    assert_false(session_request_read("nonsense 3\n", &there, &back, &err));
    session_setup_clear(&here);
    text_buffer_clear(&sent);
    text_buffer_clear(&again);
    text_list_clear(&policies);
}

static void unknown_policies_are_refused(void **state)
{
    (void)state;
    struct text_list policies = { 0 };
    struct session_setup setup;
    struct error err;
    text_list_add(&policies, "no-such-policy");
    assert_false(session_setup_init(&setup, &policies, NULL, &err));
    text_list_clear(&policies);
}

static void results_survive_the_way(void **state)
{
    (void)state;
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    struct row r = { 11, 22 };
    uint64_t s = 33;
    void *counters[] = { &r, &s };
    const struct kernel_result sent = { .name = (char *)(uintptr_t) "kernel",
                                        .grid = { 1, 2, 3 },
                                        .block = { 4, 5, 6 },
                                        .cycles = 1000,
                                        .warp_instructions = 50,
                                        .thread_instructions = 1600,
                                        .start_cycle = 9,
                                        .counters = counters,
                                        .counter_count = 2,
                                        .complete = true };
    struct error failure = { .code = CODE_PROGRAM, .text = "what went wrong" };
    assert_true(channel_send_kernel(ends[1], &sent, groups, 2));
    assert_true(channel_send_failure(ends[1], &failure));
    (void)close(ends[1]);
    struct channel_event event;
    channel_receive(ends[0], -1, groups, 2, &event);
    assert_int_equal(event.kind, CHANNEL_KERNEL);
    assert_string_equal(event.kernel.name, "kernel");
    assert_int_equal(event.kernel.block[2], 6);
    assert_int_equal(event.kernel.cycles, 1000);
    assert_int_equal(event.kernel.start_cycle, 9);
    assert_memory_equal(event.kernel.counters[0], &r, sizeof r);
    assert_memory_equal(event.kernel.counters[1], &s, sizeof s);
    assert_true(event.kernel.complete);
    kernel_result_clear(&event.kernel);
    channel_receive(ends[0], -1, groups, 2, &event);
    assert_int_equal(event.kind, CHANNEL_FAILURE);
    assert_int_equal(event.error.code, CODE_PROGRAM);
    assert_string_equal(event.error.text, "what went wrong");
    channel_receive(ends[0], -1, groups, 2, &event);
    assert_int_equal(event.kind, CHANNEL_END);
    (void)close(ends[0]);
}

static void other_builds_and_noise_are_noticed(void **state)
{
    (void)state;
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    struct row r = { 0, 0 };
    void *counters[] = { &r };
    const struct kernel_result sent = { .name = (char *)(uintptr_t) "k", .counters = counters, .counter_count = 1 };
    assert_true(channel_send_kernel(ends[1], &sent, groups, 1));
    struct channel_event event;
    channel_receive(ends[0], -1, groups, 2, &event);
    assert_int_equal(event.kind, CHANNEL_DAMAGED);
    assert_non_null(strstr(event.error.text, "another build"));
    (void)close(ends[0]);
    (void)close(ends[1]);
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(write(ends[1], "hello, this is noise", 20), 20);
    channel_receive(ends[0], -1, groups, 2, &event);
    assert_int_equal(event.kind, CHANNEL_DAMAGED);
    (void)close(ends[0]);
    (void)close(ends[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(settings_survive_the_way), cmocka_unit_test(unknown_policies_are_refused),
                                        cmocka_unit_test(results_survive_the_way),
                                        cmocka_unit_test(other_builds_and_noise_are_noticed) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
