/* Plug-ins: the example is built and used; each kind of bad one is refused with a sentence. argv[1] is the folder they lie in. */
#include "fake_machine.h"

#include <stdio.h>
#include <string.h>

#include "../gpu/script_front.h"
#include "gpu/machine.h"

static const char *folder;

static uint32_t page_owner(struct policy_self *self, uint64_t page, uint32_t module)
{
    (void)self, (void)page;
    return module;
}

static uint32_t at_l15(const void *config)
{
    (void)config;
    return AT_L15;
}

static const char *path_of(const char *name)
{
    static char path[4096];
    (void)snprintf(path, sizeof path, "%s/%s.so", folder, name);
    return path;
}

static void the_example_decides(void **state)
{
    (void)state;
    struct error err = { 0 };
    struct policy_library *library = policy_library_new();
    assert_true(policy_library_load(library, path_of("divergent_bypass"), &err));
    struct policy_set *set = policy_set_new(library, "divergent-bypass,pric", &err);
    assert_non_null(set);
    struct param_space *space = param_space_new();
    policy_set_add_params(set, space);
    assert_true(param_set_assignment(space, "policy.divergent-bypass.at_least=16", "--set", &err));
    const struct policy_geometry g = fake_geometry();
    struct policy_instance *i = policy_set_bind(set, &g, NULL, &err);
    const struct cache_hooks *h = &i->hooks.cache[LEVEL_L1];
    for (uint8_t transactions = 1; transactions <= 32; transactions++) {
        struct policy_access a = fake_load(LEVEL_L1, 3, 0, 32);
        struct policy_lookup lookup = { .fill_bytes = 128 };
        a.transactions = transactions;
        hooks_before_lookup(h, &a, &lookup);
        assert_int_equal(lookup.no_allocate, transactions >= 16);
        assert_false(lookup.bypass);
    }
    uint64_t passed = 0;
    policy_instance_counters(i, 0, &passed);
    assert_int_equal(passed, 17);
    policy_instance_free(i);
    param_space_free(space);
    policy_set_free(set);
    policy_library_free(library);
}

static void expect_refused(const char *name, const char *sentence_part)
{
    struct error err = { 0 };
    struct policy_library *library = policy_library_new();
    assert_false(policy_library_load(library, path_of(name), &err));
    assert_non_null(strstr(err.text, sentence_part));
    assert_non_null(strstr(err.text, name));
    assert_int_equal(err.code, CODE_INPUT);
    assert_null(policy_library_at(library, 0));
    policy_library_free(library);
}

static void bad_plugins_are_refused(void **state)
{
    (void)state;
    char versions[128];
    (void)snprintf(versions, sizeof versions,
                   "was built for version %u of the policy interface, this warpline has version %u: build it again",
                   POLICY_INTERFACE_VERSION + 1, POLICY_INTERFACE_VERSION);
    expect_refused("plugin_other_version", versions);
    expect_refused("plugin_bad_name", "'Wrong,Name' is no name for a policy");
    expect_refused("plugin_preset_name", "'dwt-pric' is the name of several policies together");
    expect_refused("plugin_taken_name", "there already is a policy named 'lru'");
    expect_refused("plugin_without_period", "policy 'forgetful' fills every_cycles but gives no cycle_period");
    expect_refused("plugin_none", "is not a policy plug-in");
    expect_refused("absent", "cannot load plug-in");
}

static void a_plugin_cannot_be_loaded_twice(void **state)
{
    (void)state;
    struct error err = { 0 };
    struct policy_library *library = policy_library_new();
    assert_true(policy_library_load(library, path_of("divergent_bypass"), &err));
    assert_false(policy_library_load(library, path_of("divergent_bypass"), &err));
    assert_non_null(strstr(err.text, "there already is a policy named 'divergent-bypass'"));
    policy_library_free(library);
}

/* A policy that owns where CTAs go, on a whole machine: 200 CTAs, all of them run, where and in the order that it chose. */
static void a_plugin_places_ctas(void **state)
{
    (void)state;
    static const struct script_row rows[] = { { .class = CLASS_INT_ADD, .dst = 1 }, { .class = CLASS_EXIT } };
    struct error err = { 0 };
    struct policy_library *library = policy_library_new();
    assert_true(policy_library_load(library, path_of("plugin_last_first"), &err));
    struct policy_set *set = policy_set_new(library, "last-first", &err);
    struct machine_config *config = machine_config_new();
    struct gpu *gpu = gpu_new(config, set, &err);
    assert_non_null(gpu);
    struct front *front = script_front(rows, 2, 200, 64);
    struct kernel_result result;
    assert_true(gpu_run(gpu, front, NULL, &result, &err));
    uint32_t groups;
    const struct stat_group *const *group = gpu_stat_groups(gpu, &groups);
    for (uint32_t i = 0; i < groups; i++)
        if (strcmp(group[i]->name, "last_first") == 0) {
            const uint64_t *counters = result.counters[i];
            assert_int_equal(counters[0], 200);
            assert_int_equal(counters[1], 200 - 8); /* all but the first of each even SM */
            assert_int_equal(counters[2], 0);
        }
    kernel_result_clear(&result);
    script_front_free(front);
    gpu_free(gpu);
    machine_config_free(config);
    policy_set_free(set);
    policy_library_free(library);
}

static void hooks_that_would_never_be_called_are_refused(void **state)
{
    (void)state;
    struct error err = { 0 };
    struct policy_geometry g = fake_geometry();
    g.modules = 1;
    const struct policy pages = { .name = "pages", .summary = "for tests", .source = "here", .page.owner = page_owner };
    const struct policy middle = { .name = "middle", .summary = "for tests", .source = "here", .levels = at_l15 };
    assert_null(policy_bind_one(&pages, NULL, &g, NULL, &err));
    assert_string_equal(err.text, "policy 'pages' places pages, but this machine is a single module");
    assert_null(policy_bind_one(&middle, NULL, &g, NULL, &err));
    assert_string_equal(err.text, "policy 'middle' is for the L1.5, which this machine does not have");
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_example_decides),
        cmocka_unit_test(bad_plugins_are_refused),
        cmocka_unit_test(a_plugin_cannot_be_loaded_twice),
        cmocka_unit_test(a_plugin_places_ctas),
        cmocka_unit_test(hooks_that_would_never_be_called_are_refused),
    };
    folder = argc > 1 ? argv[1] : ".";
    return cmocka_run_group_tests(tests, NULL, NULL);
}
