/* The device's address space: placement, tracking of allocations, host mappings. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>
#include "exec/memory.h"

static int open_memory(void **state)
{
    static struct memory m;
    struct error err;
    assert_true(memory_open(&m, 0, 1 << 20, 1 << 16, 0, true, &err));
    *state = &m;
    return 0;
}

static int close_memory(void **state)
{
    memory_close(*state);
    return 0;
}

static void allocations_start_at_the_references_address_and_are_256_bytes_apart(void **state)
{
    struct memory *m = *state;
    assert_int_equal(memory_alloc(m, 1), 0xC0000000);
    assert_int_equal(memory_alloc(m, 257), 0xC0000100);
    assert_int_equal(memory_alloc(m, 4), 0xC0000300);
}

static void freed_space_is_given_again_first_fit(void **state)
{
    struct memory *m = *state;
    uint64_t a = memory_alloc(m, 512), b = memory_alloc(m, 512);
    assert_true(memory_release(m, a));
    assert_false(memory_release(m, a));
    assert_int_equal(memory_alloc(m, 1024), b + 512); /* does not fit in the gap */
    assert_int_equal(memory_alloc(m, 300), a);
}

static void exhaustion_returns_zero_and_frees_recover_it(void **state)
{
    struct memory *m = *state;
    uint64_t a = memory_alloc(m, 1 << 20);
    assert_int_not_equal(a, 0);
    assert_int_equal(memory_alloc(m, 1), 0);
    assert_true(memory_release(m, a));
    assert_int_equal(memory_alloc(m, 1 << 20), a);
    assert_int_equal(memory_alloc(m, 0), 0);
}

static void lookup_knows_bounds_and_freed_ranges(void **state)
{
    struct memory *m = *state;
    uint64_t a = memory_alloc(m, 100);
    assert_non_null(memory_host(m, a + 96, 4));
    assert_null(memory_host(m, a + 97, 4)); /* in the padding to 256 bytes, but not in the allocation */
    assert_null(memory_find(m, a - 1));
    assert_ptr_equal(memory_nearest(m, a + 1000), memory_find(m, a));
    memory_release(m, a);
    assert_null(memory_find(m, a));
    assert_non_null(memory_find_freed(m, a + 99));
}

static void memory_is_zero_again_after_a_free(void **state)
{
    struct memory *m = *state;
    uint64_t a = memory_alloc(m, 20000);
    memset(memory_host(m, a, 20000), 0xab, 20000);
    memory_release(m, a);
    assert_int_equal(memory_alloc(m, 20000), a);
    const uint8_t *bytes = memory_host(m, a, 20000);
    for (int i = 0; i < 20000; i++)
        assert_int_equal(bytes[i], 0);
}

static void symbols_and_host_memory_do_not_move_allocations(void **state)
{
    struct memory *m = *state;
    static uint32_t host[16];
    uint64_t symbol = memory_add_symbol(m, "counter", 4, 4);
    assert_int_equal(symbol, SYMBOL_FIRST);
    assert_int_equal(memory_add_symbol(m, "weights", 36, 4), SYMBOL_FIRST + 128); /* no power of two: to 128 bytes */
    assert_int_equal(memory_add_symbol(m, "pair", 8, 8), SYMBOL_FIRST + 128 + 40);
    uint64_t mapped = memory_place_host(m, sizeof host);
    assert_true(memory_map_host(m, mapped, host, sizeof host));
    assert_false(memory_map_host(m, mapped + 4, host, 4));
    assert_ptr_equal(memory_host(m, mapped + 8, 4), &host[2]);
    assert_int_equal(memory_alloc(m, 8), 0xC0000000);
    assert_true(memory_unmap_host(m, host));
    assert_null(memory_find(m, mapped));
}

static void heap_gives_and_takes(void **state)
{
    struct memory *m = *state;
    uint64_t a = memory_heap_alloc(m, 40), b = memory_heap_alloc(m, 1);
    assert_int_equal(b - a, 48 + HEAP_HEADER);
    assert_non_null(memory_find(m, a - 8)); /* where nvcc keeps the length of an array */
    assert_null(memory_find(m, a + 40));
    assert_true(memory_heap_release(m, a));
    assert_false(memory_heap_release(m, a));
    assert_int_equal(memory_heap_alloc(m, 48), a);
    assert_int_equal(memory_heap_alloc(m, 1 << 20), 0);
}

static void writes_are_tracked_byte_by_byte(void **state)
{
    struct memory *m = *state;
    uint64_t a = memory_alloc(m, 64);
    memory_mark_written(m, a + 4, 4);
    assert_true(memory_was_written(m, a + 4, 4));
    assert_false(memory_was_written(m, a + 4, 5));
    assert_false(memory_was_written(m, a, 4));
}

int main(void)
{
#define CASE(name) cmocka_unit_test_setup_teardown(name, open_memory, close_memory)
    const struct CMUnitTest tests[] = {
        CASE(allocations_start_at_the_references_address_and_are_256_bytes_apart),
        CASE(freed_space_is_given_again_first_fit),
        CASE(exhaustion_returns_zero_and_frees_recover_it),
        CASE(lookup_knows_bounds_and_freed_ranges),
        CASE(memory_is_zero_again_after_a_free),
        CASE(symbols_and_host_memory_do_not_move_allocations),
        CASE(heap_gives_and_takes),
        CASE(writes_are_tracked_byte_by_byte),
    };
    return cmocka_run_group_tests_name("exec memory", tests, NULL, NULL);
}
