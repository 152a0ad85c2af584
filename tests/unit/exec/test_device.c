/* The device's side of things: modules that link, mapped host memory, warnings, launches and their limits. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>
#include "exec/exec.h"

#define HEADER ".version 7.8\n.target sm_80\n.address_size 64\n"

static struct device *new_device(void)
{
    const struct exec_options options = { .memory_bytes = 1 << 20, .fused_fma = true };
    struct device *device = device_new(&options, NULL);
    assert_non_null(device);
    return device;
}

static struct loaded_module *load(struct device *device, const char *text)
{
    struct error err = { 0 };
    struct ptx_module *ptx = ptx_parse("module.ptx", text, strlen(text), &err);
    struct loaded_module *module = ptx ? device_load_module(device, ptx, &err) : NULL;
    if (!module)
        fail_msg("%s", err.text);
    return module;
}

static bool run(struct device *device, const char *kernel, uint64_t pointer, uint32_t threads, struct error *err)
{
    struct functional_result result;
    struct launch launch = { .kernel = device_find_kernel(device, NULL, kernel),
                             .grid = { 1, 1, 1 },
                             .block = { threads, 1, 1 },
                             .params = (const uint8_t *)&pointer,
                             .param_bytes = 8,
                             .static_shared_override = UINT32_MAX };
    assert_non_null(launch.kernel);
    struct front *front = exec_launch(device, &launch, NULL, err);
    if (!front)
        return false;
    bool ok = exec_run_functional(front, 1000000, &result, err);
    front->ops->destroy(front);
    return ok;
}

static void modules_see_each_others_functions_and_variables(void **state)
{
    struct device *device = new_device();
    struct error err = { 0 };
    (void)state;
    load(device, HEADER ".visible .global .align 4 .u32 shared_counter = 30;\n"
                        ".visible .func (.param .b32 r) add_counter(.param .b32 a)\n{\n.reg .b32 %x<3>;\nld.param.b32 %x0, [a];\n"
                        "ld.global.u32 %x1, [shared_counter];\nadd.u32 %x2, %x0, %x1;\nst.param.b32 [r], %x2;\nret;\n}\n");
    load(device, HEADER
         ".extern .global .align 4 .u32 shared_counter;\n.extern .func (.param .b32 r) add_counter(.param .b32 a);\n"
         ".visible .entry k(.param .u64 P)\n{\n.reg .b32 %r<4>;\n.reg .b64 %q<4>;\nld.param.u64 %q0, [P];\nmov.u32 %r0, %tid.x;\n"
         "{ .param .b32 a; .param .b32 b; st.param.b32 [a], %r0;\ncall (b), add_counter, (a);\nld.param.b32 %r1, [b]; }\n"
         "ld.global.u32 %r2, [shared_counter];\nmad.lo.u32 %r1, %r2, 100, %r1;\n"
         "mul.wide.u32 %q1, %r0, 4;\nadd.s64 %q1, %q0, %q1;\nst.global.u32 [%q1], %r1;\nret;\n}\n");
    uint64_t out = device_alloc(device, 128), address, bytes;
    uint32_t words[32], two = 2;
    assert_true(device_find_symbol(device, NULL, "shared_counter", &address, &bytes));
    assert_int_equal(bytes, 4);
    if (!run(device, "k", out, 32, &err))
        fail_msg("%s", err.text);
    assert_true(device_read(device, out, words, sizeof words, NULL));
    for (uint32_t t = 0; t < 32; t++)
        assert_int_equal(words[t], 3030 + t);
    assert_true(device_write(device, address, &two, 4, NULL)); /* as cudaMemcpyToSymbol */
    assert_true(run(device, "k", out, 32, &err) && device_read(device, out, words, sizeof words, NULL));
    assert_int_equal(words[5], 207);
    device_free(device);
}

#define CALLS(name)                                                                                                                \
    ".extern .func (.param .b32 r) " name "();\n.visible .entry k(.param .u64 P)\n{\n.reg .b32 %r<4>;\n.reg .b64 %q<4>;\n"         \
    "ld.param.u64 %q0, [P];\n{ .param .b32 b;\ncall (b), " name                                                                    \
    ", ();\nld.param.b32 %r1, [b]; }\nst.global.u32 [%q0], %r1;\nret;\n}\n"
#define GIVES(name, number) " .func (.param .b32 r) " name "()\n{\nst.param.b32 [r], " number ";\nret;\n}\n"

/* What a module does not export is its own: another's reference passes it by, whichever was loaded first. */
static void modules_keep_what_they_do_not_export(void **state)
{
    struct device *device = new_device();
    struct error err = { 0 };
    uint32_t word;
    (void)state;
    load(device, HEADER ".global .align 4 .u32 level = 1;\n" GIVES("helper", "1"));
    load(device, HEADER ".visible .global .align 4 .u32 level = 2;\n.visible" GIVES("helper", "20"));
    load(device,
         HEADER ".extern .global .align 4 .u32 level;\n.visible .entry v(.param .u64 P)\n{\n.reg .b32 %r<4>;\n.reg .b64 %q<4>;\n"
                "ld.param.u64 %q0, [P];\nld.global.u32 %r1, [level];\nst.global.u32 [%q0], %r1;\nret;\n}\n" CALLS("helper"));
    const uint64_t out = device_alloc(device, 128);
    assert_true(run(device, "k", out, 1, &err) && device_read(device, out, &word, 4, NULL));
    assert_int_equal(word, 20);
    assert_true(run(device, "v", out, 1, &err) && device_read(device, out, &word, 4, NULL));
    assert_int_equal(word, 2);
    device_free(device);
}

/* Of functions that only a pointer could reach, nothing that they call need be there: unless they are reached. */
static void what_no_pointer_reaches_may_be_undefined(void **state)
{
    static const char text[] =
        HEADER ".extern .func missing();\n.visible .func f()\n{\nret;\n}\n.visible .func g()\n{\ncall missing;\nret;\n}\n"
               ".visible .entry k(.param .u64 P)\n{\n.reg .pred %p<2>;\n.reg .b64 %q<4>;\nld.param.u64 %q0, [P];\nsetp.eq.u64 %p1, "
               "%q0, 0;\n"
               "mov.u64 %q1, f;\n@%p1 mov.u64 %q1, g;\nT: .callprototype _ ();\ncall %q1, (), T;\nret;\n}\n";
    struct device *device = new_device();
    struct error err = { 0 };
    (void)state;
    load(device, text);
    if (!run(device, "k", 1, 1, &err))
        fail_msg("%s", err.text);
    assert_false(run(device, "k", 0, 1, &err));
    assert_non_null(strstr(err.text, "function missing is called but no loaded module defines it"));
    device_free(device);
}

/* Twice as many ways to the lowest function with each level: it is looked at once. */
static void many_ways_through_the_calls(void **state)
{
    enum { LEVELS = 60 };
    char text[LEVELS * 80 + 400] = HEADER ".func f0()\n{\nret;\n}\n";
    struct device *device = new_device();
    struct error err = { 0 };
    (void)state;
    for (int i = 1; i < LEVELS; i++)
        (void)snprintf(text + strlen(text), sizeof text - strlen(text), ".func f%d()\n{\ncall f%d;\ncall f%d;\nret;\n}\n", i, i - 1,
                       i - 1);
    (void)snprintf(text + strlen(text), sizeof text - strlen(text),
                   ".visible .entry k(.param .u64 P)\n{\n.reg .pred %%p<2>;\n@%%p1 call f%d;\n"
                   "call f%d;\nret;\n}\n",
                   LEVELS - 1, 3);
    load(device, text);
    if (!run(device, "k", 0, 32, &err))
        fail_msg("%s", err.text);
    device_free(device);
}

static const char count_up[] =
    HEADER ".visible .entry k(.param .u64 P)\n{\n.reg .b32 %r<4>;\n.reg .b64 %q<4>;\nld.param.u64 %q0, [P];\n"
           "mov.u32 %r0, %tid.x;\nmul.wide.u32 %q1, %r0, 4;\nadd.s64 %q1, %q0, %q1;\nld.global.u32 %r1, [%q1];\nadd.u32 %r1, %r1, "
           "1;\nst.global.u32 [%q1], %r1;\nret;\n}\n";

static void kernels_reach_mapped_host_memory(void **state)
{
    struct device *device = new_device();
    struct error err = { 0 };
    static uint32_t host[64];
    (void)state;
    for (uint32_t i = 0; i < 64; i++)
        host[i] = i * i;
    load(device, count_up);
    uint64_t address = device_map_host(device, host, sizeof host);
    assert_int_not_equal(address, 0);
    assert_true(run(device, "k", address, 64, &err));
    assert_int_equal(host[63], 63 * 63 + 1);
    assert_true(device_unmap_host(device, host));
    assert_false(run(device, "k", address, 64, &err));
    assert_non_null(strstr(err.text, "use after free"));
    assert_true(device_map_host_at(device, host, sizeof host, UINT64_C(0x700000000000)));
    assert_true(run(device, "k", UINT64_C(0x700000000000), 64, &err));
    assert_int_equal(host[1], 3);
    device_free(device);
}

static void host_copies_are_checked(void **state)
{
    struct device *device = new_device();
    struct error err = { 0 };
    uint8_t bytes[300] = { 1 };
    (void)state;
    uint64_t a = device_alloc(device, 256), b = device_alloc(device, 256);
    assert_false(device_write(device, a, bytes, 257, &err));
    assert_non_null(strstr(err.text, "not inside one allocation"));
    assert_true(device_fill(device, a, 7, 256, &err));
    assert_true(device_copy(device, b, a, 256, &err));
    assert_true(device_read(device, b + 100, bytes, 156, &err));
    assert_int_equal(bytes[155], 7);
    assert_false(device_is_valid(device, b + 1, 256));
    assert_true(device_release(device, a));
    assert_false(device_read(device, a, bytes, 1, &err));
    uint64_t free_bytes, total;
    device_memory_info(device, &free_bytes, &total);
    assert_int_equal(total - free_bytes, 256);
    device_free(device);
}

static void a_kernel_after_a_free_does_not_trust_old_places(void **state)
{
    struct device *device = new_device();
    struct error err = { 0 };
    (void)state;
    load(device, count_up);
    uint64_t a = device_alloc(device, 256);
    assert_true(run(device, "k", a, 64, &err));
    assert_true(device_release(device, a));
    assert_false(run(device, "k", a, 64, &err));
    assert_non_null(
        strstr(err.text, "use after free: invalid read of 4 bytes at 0xc0000000, 0 bytes into the allocation of 256 bytes"));
    device_free(device);
}

static void launches_out_of_bounds_are_refused(void **state)
{
    struct device *device = new_device();
    struct error err = { 0 };
    (void)state;
    load(device, HEADER ".visible .entry k(.param .u64 P)\n.maxntid 64, 1, 1\n{\nret;\n}\n.visible .entry m(.param .u64 "
                        "P)\n.reqntid 32, 1, 1\n{\nret;\n}\n");
    assert_true(run(device, "k", 0, 64, &err));
    assert_false(run(device, "k", 0, 65, &err));
    assert_non_null(strstr(err.text, ".maxntid"));
    assert_false(run(device, "m", 0, 64, &err));
    assert_non_null(strstr(err.text, ".reqntid"));
    assert_false(run(device, "k", 0, 0, &err));
    assert_null(device_find_kernel(device, NULL, "none"));
    device_free(device);
}

/* What a run prints on stderr, with the first bytes of an array never written. */
static void reads_of_unwritten_memory_are_warned_of(void **state)
{
    const struct exec_options options = { .memory_bytes = 1 << 20, .warn_uninitialised = true };
    struct device *device = device_new(&options, NULL);
    struct error err = { 0 };
    char said[8192] = "";
    (void)state;
    load(device, count_up);
    uint64_t a = device_alloc(device, 128);
    assert_true(device_fill(device, a + 8, 0, 120, NULL)); /* lanes 0 and 1 read what nobody wrote */
    FILE *catch = tmpfile();
    (void)fflush(stderr);
    int saved = dup(2);
    assert_true(dup2(fileno(catch), 2) >= 0);
    bool ok = run(device, "k", a, 32, &err) && run(device, "k", a, 32, &err);
    (void)fflush(stderr);
    assert_true(dup2(saved, 2) >= 0);
    rewind(catch);
    size_t n = fread(said, 1, sizeof said - 1, catch);
    (void)fclose(catch);
    (void)close(saved);
    assert_true(ok && n > 0);
    assert_non_null(strstr(said, "thread (1,0,0): read of 4 bytes at 0xc0000004 that were never written"));
    const char *second = strchr(said, '\n') + 1;
    assert_null(strchr(strchr(second, '\n') + 1, '\n')); /* two lanes, once: the first run wrote them */
    device_free(device);
}

static void tracking_of_writes_changes_no_result(void **state)
{
    const struct exec_options options = { .memory_bytes = 1 << 20, .warn_uninitialised = true };
    struct device *device = device_new(&options, NULL);
    struct error err = { 0 };
    uint32_t words[32];
    (void)state;
    load(device, count_up);
    uint64_t a = device_alloc(device, 128);
    assert_true(device_fill(device, a, 0, 128, NULL)); /* written: no warning is due */
    assert_true(run(device, "k", a, 32, &err) && device_read(device, a, words, sizeof words, NULL));
    assert_int_equal(words[31], 1);
    device_free(device);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(modules_see_each_others_functions_and_variables),
        cmocka_unit_test(modules_keep_what_they_do_not_export),
        cmocka_unit_test(what_no_pointer_reaches_may_be_undefined),
        cmocka_unit_test(many_ways_through_the_calls),
        cmocka_unit_test(kernels_reach_mapped_host_memory),
        cmocka_unit_test(host_copies_are_checked),
        cmocka_unit_test(a_kernel_after_a_free_does_not_trust_old_places),
        cmocka_unit_test(launches_out_of_bounds_are_refused),
        cmocka_unit_test(reads_of_unwritten_memory_are_warned_of),
        cmocka_unit_test(tracking_of_writes_changes_no_result),
    };
    return cmocka_run_group_tests_name("device", tests, NULL, NULL);
}
