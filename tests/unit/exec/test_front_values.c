/* What policies that compress lines see: the values in memory, and 0 where no allocation is. */
#include <string.h>

#include "../cmocka_all.h"
#include "exec/exec.h"

static const char text[] = ".version 3.2\n.target sm_20\n.address_size 64\n.visible .entry nothing()\n{\n ret;\n}\n";

static void lines_at_the_end_of_an_allocation_are_padded_with_zero(void **state)
{
    (void)state;
    struct error err = { 0 };
    const struct exec_options options = { .memory_bytes = 1 << 20 };
    struct device *device = device_new(&options, &err);
    assert_non_null(device);
    struct ptx_module *module = ptx_parse("test.ptx", text, sizeof text - 1, &err);
    assert_non_null(module);
    struct loaded_module *loaded = device_load_module(device, module, &err);
    assert_non_null(loaded);
    const uint64_t a = device_alloc(device, 40);
    uint8_t bytes[40], line[128], expected[128] = { 0 };
    memset(bytes, 0xA5, sizeof bytes);
    memcpy(expected, bytes, sizeof bytes);
    assert_true(device_write(device, a, bytes, sizeof bytes, &err));
    const struct launch launch = { .kernel = device_find_kernel(device, loaded, "nothing"),
                                   .grid = { 1, 1, 1 },
                                   .block = { 1, 1, 1 },
                                   .static_shared_override = UINT32_MAX };
    struct front *front = exec_launch(device, &launch, NULL, &err);
    assert_non_null(front);
    front->ops->read_memory(front, a, sizeof line, line);
    assert_memory_equal(line, expected, sizeof line);
    front->ops->destroy(front);
    device_free(device);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(lines_at_the_end_of_an_allocation_are_padded_with_zero) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
