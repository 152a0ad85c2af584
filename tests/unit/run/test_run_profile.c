/* The profile of a first run: what is added is found again, sorted and summed, and whatever is not this run's is refused. */
#include "../cmocka_all.h"
#include "../test_folder.h"
#include "policy/policy_set.h"
#include "run/profile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct fixture {
    struct session_setup setup;
    struct session_options options;
    struct policy_self self;
    struct policy_geometry geometry;
};

static void start(struct fixture *f, const char *policies, const char *path, bool records)
{
    struct text_list names = { 0 };
    struct error err = { 0 };
    *f = (struct fixture){ .options = { .profile_records = records, .profile_owner = { "program", "build" } },
                           .geometry = { .sms = 15, .cache[LEVEL_L1].sets = 32 } };
    assert_true(text_list_add_parts(&names, policies));
    assert_true(session_setup_init(&f->setup, &names, NULL, &err));
    (void)snprintf(f->options.profile_path, sizeof f->options.profile_path, "%s", path);
    text_list_clear(&names);
}

static const struct policy_profile *view_of(struct fixture *f)
{
    const struct policy_geometry g = { .modules = 1,
                                       .sms = 15,
                                       .schedulers_per_sm = 2,
                                       .warps_per_sm = 48,
                                       .ctas_per_sm = 8,
                                       .registers_per_sm = 32768,
                                       .register_banks = 16,
                                       .cache = {
                                           [LEVEL_L1] = { 15, 32, 4, 128, 32, 8, 4 }, [LEVEL_L2] = { 12, 64, 8, 128, 32, 8, 8 } } };
    struct error err = { 0 };
    struct policy_instance *i = policy_set_bind(f->setup.policies, &g, NULL, &err);
    assert_non_null(i);
    const struct policy_profile *view = i->self[0].profile;
    policy_instance_free(i);
    f->geometry = g;
    f->self = (struct policy_self){ .profile = view, .geometry = &f->geometry };
    return view;
}

static const struct front_launch first = { .kernel = "two words", .grid = { 2, 1, 1 }, .block = { 64, 1, 1 } };
static const struct front_launch second = { .kernel = "other", .grid = { 3, 2, 1 }, .block = { 32, 1, 1 } };

/* Records two launches; part of the same key comes from two SMs. */
static void record(const char *path)
{
    struct fixture f;
    struct error err = { 0 };
    bool ok;
    start(&f, "profiled-bypass", path, true);
    f.options.profile = profile_open(&f.setup, &f.options, &ok, &err);
    assert_true(ok && f.options.profile);
    const struct policy_profile *view = view_of(&f);
    assert_true(view->records);
    assert_true(profile_begin_launch(f.options.profile, &first, &err));
    assert_int_equal(view->launch, 0);
    for (uint64_t i = 0; i < 5000; i++)
        policy_profile_add(&f.self, LEVEL_L1, (uint32_t)(i % 15), (const uint64_t[]){ 7, 9, i % 1000 }, 1);
    policy_profile_add(&f.self, LEVEL_L2, 11, (const uint64_t[]){ 7, 9, 3 }, 10);
    profile_end_launch(f.options.profile, true, true);
    assert_true(profile_begin_launch(f.options.profile, &second, &err));
    assert_int_equal(view->launch, 1);
    policy_profile_add(&f.self, LEVEL_L1, 2, (const uint64_t[]){ UINT64_MAX, 0, 1 }, UINT64_MAX / 2);
    policy_profile_add(&f.self, LEVEL_L1, 2, (const uint64_t[]){ 0, 0, 0 }, 0); /* nothing: no record */
    profile_end_launch(f.options.profile, true, true);
    assert_true(profile_write(f.options.profile, &err));
    profile_close(f.options.profile, &f.setup);
    session_setup_clear(&f.setup);
}

static struct profile *open_for_reading(struct fixture *f, const char *path, struct error *err)
{
    bool ok;
    start(f, "profiled-bypass", path, false);
    struct profile *p = profile_open(&f->setup, &f->options, &ok, err);
    assert_int_equal(ok, p != NULL);
    return p;
}

static void what_was_added_is_found_again(void **state)
{
    const char *const path = "a.profile";
    (void)state;
    record(path);
    struct fixture f;
    struct error err = { 0 };
    struct profile *p = open_for_reading(&f, path, &err);
    assert_non_null(p);
    const struct policy_profile *view = view_of(&f);
    assert_false(view->records);
    assert_int_equal(view->count, 1001);
    assert_int_equal(policy_profile_find(&f.self, (const uint64_t[]){ 7, 9, 0 }), 5);
    assert_int_equal(policy_profile_find(&f.self, (const uint64_t[]){ 7, 9, 999 }), 5);
    assert_int_equal(policy_profile_find(&f.self, (const uint64_t[]){ 7, 9, 3 }), 15);
    assert_int_equal(policy_profile_find(&f.self, (const uint64_t[]){ UINT64_MAX, 0, 1 }), UINT64_MAX / 2);
    assert_int_equal(policy_profile_find(&f.self, (const uint64_t[]){ 0, 0, 0 }), 0);
    assert_int_equal(policy_profile_find(&f.self, (const uint64_t[]){ 7, 9, 1000 }), 0);
    for (uint64_t i = 1; i < view->count; i++)
        assert_true(policy_profile_compare(view->record[i - 1].key, view->record[i].key) < 0);
    assert_true(profile_begin_launch(p, &first, &err));
    assert_true(profile_begin_launch(p, &second, &err));
    assert_int_equal(view->launch, 1);
    assert_true(profile_begin_launch(p, &second, &err)); /* one more than the first run made: nothing is known of it */
    assert_int_equal(view->launch, 2);
    profile_close(p, &f.setup);
    session_setup_clear(&f.setup);
    assert_int_equal(unlink(path), 0);
}

static void another_grid_or_kernel_is_refused(void **state)
{
    const char *const path = "a.profile";
    (void)state;
    record(path);
    const struct front_launch others[] = { { .kernel = "two words", .grid = { 2, 1, 1 }, .block = { 32, 1, 1 } },
                                           { .kernel = "two words", .grid = { 2, 2, 1 }, .block = { 64, 1, 1 } },
                                           { .kernel = "three", .grid = { 2, 1, 1 }, .block = { 64, 1, 1 } } };
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        struct fixture f;
        struct error err = { 0 };
        struct profile *p = open_for_reading(&f, path, &err);
        assert_non_null(p);
        assert_false(profile_begin_launch(p, &others[i], &err));
        assert_non_null(strstr(err.text, "another grid"));
        profile_close(p, &f.setup);
        session_setup_clear(&f.setup);
    }
    struct fixture f; /* unless both runs are of one command, and the program itself launched otherwise */
    struct error err = { 0 };
    bool ok;
    start(&f, "profiled-bypass", path, false);
    f.options.profile_as_it_comes = true;
    struct profile *p = profile_open(&f.setup, &f.options, &ok, &err);
    assert_true(ok && profile_begin_launch(p, &others[1], &err));
    profile_close(p, &f.setup);
    session_setup_clear(&f.setup);
    assert_int_equal(unlink(path), 0);
}

/* Replaces the first `from` of the file. */
static void edit(const char *path, const char *from, const char *to)
{
    struct error err = { 0 };
    size_t length;
    char *text = text_read_file(path, 1 << 20, &length, &err);
    assert_non_null(text);
    char *at = strstr(text, from);
    assert_non_null(at);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    (void)fprintf(file, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
    assert_int_equal(fclose(file), 0);
    free(text);
}

static void what_is_not_this_runs_is_refused(void **state)
{
    static const struct {
        const char *from, *to, *said;
    } cases[] = { { "warpline profile 1", "warpline profile 2", "not a profile of this warpline" },
                  { "build build", "build older", "another build of warpline" },
                  { "program program", "program other", "another program" },
                  { "machine 15 128", "machine 16 128", "16 SMs" },
                  { "records line-loads", "records pc-distances", "another policy" },
                  { "launches 2", "launches 9", "a launch is not whole" },
                  { "line-loads 1001", "line-loads 1000", "no end" },
                  { "line-loads 1001", "line-loads 99999999999", "fewer records" },
                  { "7 9 0 5", "7 9 0 0", "not whole" },
                  { "7 9 0 5", "7 9 0", "not whole" },
                  { "7 9 0 5", "7 9 zz 5", "not whole" },
                  { "7 9 1 5", "6 9 1 5", "out of order" },
                  { "end\n", "", "no end" } };
    const char *const path = "a.profile";
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        record(path);
        edit(path, cases[i].from, cases[i].to);
        struct fixture f;
        struct error err = { 0 };
        assert_null(open_for_reading(&f, path, &err));
        if (!strstr(err.text, cases[i].said))
            fail_msg("'%s' does not say '%s'", err.text, cases[i].said);
        session_setup_clear(&f.setup);
    }
    assert_int_equal(unlink(path), 0);
}

static void a_failed_recording_is_not_written(void **state)
{
    const char *const path = "a.profile";
    (void)state;
    struct fixture f;
    struct error err = { 0 };
    bool ok;
    start(&f, "profiled-bypass", path, true);
    struct profile *p = profile_open(&f.setup, &f.options, &ok, &err);
    assert_true(profile_begin_launch(p, &first, &err));
    profile_end_launch(p, false, false);
    assert_true(profile_write(p, &err));
    profile_close(p, &f.setup);
    session_setup_clear(&f.setup);
    assert_null(fopen(path, "r"));
}

static void a_recording_that_was_cut_short_serves_a_longer_run(void **state)
{
    const char *const path = "a.profile";
    (void)state;
    struct fixture f;
    struct error err = { 0 };
    bool ok;
    start(&f, "profiled-bypass", path, true);
    struct profile *p = profile_open(&f.setup, &f.options, &ok, &err);
    assert_true(profile_begin_launch(p, &first, &err));
    profile_end_launch(p, true, false);
    assert_true(profile_write(p, &err));
    profile_close(p, &f.setup);
    session_setup_clear(&f.setup);
    p = open_for_reading(&f, path, &err);
    assert_non_null(p);
    assert_true(profile_begin_launch(p, &first, &err));
    assert_true(profile_begin_launch(p, &second, &err));
    profile_close(p, &f.setup);
    session_setup_clear(&f.setup);
    assert_int_equal(unlink(path), 0);
}

static void a_profile_that_nobody_uses_is_refused(void **state)
{
    struct fixture f;
    struct error err = { 0 };
    bool ok;
    (void)state;
    start(&f, "gto", "/nowhere", false);
    assert_null(profile_open(&f.setup, &f.options, &ok, &err));
    assert_false(ok);
    assert_non_null(strstr(err.text, "no policy of this run"));
    session_setup_clear(&f.setup);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_added_is_found_again),
        cmocka_unit_test(another_grid_or_kernel_is_refused),
        cmocka_unit_test(what_is_not_this_runs_is_refused),
        cmocka_unit_test(a_failed_recording_is_not_written),
        cmocka_unit_test(a_recording_that_was_cut_short_serves_a_longer_run),
        cmocka_unit_test(a_profile_that_nobody_uses_is_refused),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
