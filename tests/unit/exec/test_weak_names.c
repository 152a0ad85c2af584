/* Names that several modules define weakly: one definition counts for all modules that are linked. */
#include "../cmocka_all.h"

#include <string.h>

#include "exec/exec.h"

#define HEADER ".version 7.8\n.target sm_80\n.address_size 64\n"

/* The address that the variable holds in each of the modules, which are added in this order with these groups. */
static void check_weak(const char *const *texts, const uint32_t *groups, size_t count, const char *const *targets)
{
    const struct exec_options options = { .memory_bytes = 1 << 20 };
    struct device *device = device_new(&options, NULL);
    struct error err = { 0 };
    struct loaded_module *modules[3];
    for (size_t i = 0; i < count; i++) {
        modules[i] = device_add_module(device, ptx_parse("module.ptx", texts[i], strlen(texts[i]), &err), groups[i], &err);
        assert_non_null(modules[i]);
    }
    for (size_t i = 0; i < count; i++)
        assert_true(device_link_module(device, modules[i], &err));
    for (size_t i = 0; i < count; i++) {
        uint64_t address, bytes, held, wanted;
        assert_true(device_find_symbol(device, modules[i], "p", &address, &bytes) && device_read(device, address, &held, 8, &err));
        assert_true(device_find_symbol(device, NULL, targets[i], &wanted, &bytes));
        assert_int_equal(held, wanted);
    }
    device_free(device);
}

/* Of a group, the definition that is not weak counts, with its initial value, or the first; alone, each has its own. */
static void weak_variables_are_one_in_a_group(void **state)
{
    static const char first[] = HEADER ".visible .global .u32 a;\n.weak .global .u64 p = a;\n";
    static const char second[] = HEADER ".visible .global .u32 b;\n.weak .global .u64 p = b;\n";
    static const char strong[] = HEADER ".visible .global .u32 c;\n.visible .global .u64 p = c;\n";
    (void)state;
    check_weak((const char *const[]){ first, second }, (const uint32_t[]){ 1, 1 }, 2, (const char *const[]){ "a", "a" });
    check_weak((const char *const[]){ first, second }, (const uint32_t[]){ 1, 2 }, 2, (const char *const[]){ "a", "b" });
    check_weak((const char *const[]){ first, second }, (const uint32_t[]){ 0, 0 }, 2, (const char *const[]){ "a", "b" });
    check_weak((const char *const[]){ first, strong, second }, (const uint32_t[]){ 1, 1, 1 }, 3,
               (const char *const[]){ "c", "c", "c" });
    check_weak((const char *const[]){ strong, first, second }, (const uint32_t[]){ 1, 1, 1 }, 3,
               (const char *const[]){ "c", "c", "c" });
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(weak_variables_are_one_in_a_group) };
    return cmocka_run_group_tests_name("weak names", tests, NULL, NULL);
}
