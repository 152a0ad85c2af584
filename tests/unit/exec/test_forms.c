/* Every opcode form found in real programs can be executed: it decodes, and running it on arbitrary registers ends, with or
 * without a fault of the program, but never of ours. */
#include "form_text.h"

#include "exec/exec.h"

/* What a launch says of the form: NULL when it decodes. The text is the error's. */
static bool launch_form(const char *module, struct error *err)
{
    const struct exec_options options = { .memory_bytes = 1 << 20, .heap_bytes = 1 << 16, .fused_fma = true };
    struct device *device = device_new(&options, err);
    uint64_t pointer = device_alloc(device, 4096);
    struct functional_result result;
    struct error ignored;
    struct ptx_module *ptx = must_parse(module);
    assert_non_null(device_load_module(device, ptx, err));
    struct launch launch = { .kernel = device_find_kernel(device, NULL, "k"),
                             .grid = { 1, 1, 1 },
                             .block = { 40, 1, 1 },
                             .params = (const uint8_t *)&pointer,
                             .param_bytes = 8,
                             .static_shared_override = UINT32_MAX };
    struct front *front = exec_launch(device, &launch, NULL, err);
    if (front) {
        (void)exec_run_functional(front, 1000, &result, &ignored);
        front->ops->destroy(front);
    }
    device_free(device);
    return front != NULL;
}

static void forms_of_real_programs_execute(void **state)
{
    (void)state;
    size_t length;
    char *list = read_file(SOURCE_ROOT "/tests/unit/ptx/forms.txt", &length), module[4096];
    struct arena *arena = arena_new();
    struct opcode_cache *cache = opcode_cache_new(arena);
    uint32_t refused = 0;
    for (char *line = strtok(list, "\n"); line; line = strtok(NULL, "\n")) {
        const char *reason = NULL;
        const struct opcode *o = opcode_find(cache, line, (uint32_t)strlen(line), &reason);
        assert_non_null(o);
        if (ptx_forms[o->form].op == OP_CALL)
            continue; /* the module's f has no body; calls have tests of their own */
        for (int with_optional = 0; with_optional < 2; with_optional++) {
            struct error err = { 0 };
            build_module(module, sizeof module, o, line, with_optional);
            if (launch_form(module, &err))
                continue;
            print_error("%s: %s\n", line, err.text);
            refused++;
        }
    }
    assert_int_equal(refused, 0);
    arena_free(arena);
    free(list);
}

/* Launches without running: decoding needs no arguments. */
static void check_sample(const char *name)
{
    char path[1024];
    size_t length;
    const struct exec_options options = { .memory_bytes = 1 << 20, .fused_fma = true };
    struct error err = { 0 };
    struct device *device = device_new(&options, &err);
    (void)snprintf(path, sizeof path, SOURCE_ROOT "/tests/unit/ptx/samples/%s", name);
    char *text = read_file(path, &length);
    struct ptx_module *ptx = ptx_parse(name, text, length, &err);
    free(text);
    if (!ptx || !device_load_module(device, ptx, &err))
        fail_msg("%s", err.text);
    uint32_t entries = 0;
    for (uint32_t i = 0; i < ptx->function_count; i++) {
        const struct ptx_function *fn = &ptx->functions[i];
        uint8_t params[4096] = { 0 };
        struct launch launch = { .grid = { 1, 1, 1 },
                                 .block = { 1, 1, 1 },
                                 .params = params,
                                 .param_bytes = sizeof params,
                                 .static_shared_override = UINT32_MAX };
        if (!fn->is_entry || !fn->is_defined)
            continue;
        for (uint32_t k = 0; k < 3 && fn->required_threads[0]; k++)
            launch.block[k] = fn->required_threads[k] ? fn->required_threads[k] : 1;
        launch.kernel = device_find_kernel(device, NULL, fn->name);
        struct front *front = exec_launch(device, &launch, NULL, &err);
        if (!front)
            fail_msg("%s", err.text);
        assert_int_equal(front->launch.code[0].index, 0);
        front->ops->destroy(front);
        entries++;
    }
    assert_in_range(entries, 1, 1000);
    device_free(device);
}

static void samples_of_both_compilers_decode(void **state)
{
    static const char *const names[] = { "features_clang.ptx", "features_clang_debug.ptx", "features_nvcc.ptx",
                                         "features_nvcc_debug.ptx", "features_nvcc_lines.ptx" };
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        check_sample(names[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(forms_of_real_programs_execute),
                                        cmocka_unit_test(samples_of_both_compilers_decode) };
    return cmocka_run_group_tests_name("forms", tests, NULL, NULL);
}
