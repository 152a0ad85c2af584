/* test_near.c - blocks that lie side by side: zeroed, aligned, apart from each other, and given back. */
#include "../cmocka_all.h"

#include <stdint.h>
#include <string.h>

#include "base/error.h"
#include "base/near.h"

enum { LINE = 64 };

static bool is_zero(const unsigned char *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (bytes[i])
            return false;
    return true;
}

static void blocks_are_zeroed_and_apart(void **state)
{
    (void)state;
    static const size_t sizes[] = { 1, 64, 65, 2000, 4095, 4096, 25000, 3 << 20, 1, 64, 1 << 20, 700 << 10, 700 << 10, 8 };
    enum { COUNT = sizeof sizes / sizeof sizes[0] };
    unsigned char *block[COUNT];
    for (int round = 0; round < 3; round++) { /* what was given back is zero again when it is used again */
        for (int i = 0; i < COUNT; i++) {
            block[i] = near_calloc(1, sizes[i]);
            assert_int_equal((uintptr_t)block[i] % LINE, 0);
            assert_true(is_zero(block[i], sizes[i]));
            memset(block[i], i + 1, sizes[i]);
        }
        for (int i = 0; i < COUNT; i++) {
            assert_int_equal(block[i][0], i + 1);
            assert_int_equal(block[i][sizes[i] - 1], i + 1);
        }
        for (int i = 0; i < COUNT; i++)
            near_free(block[i]);
    }
    near_free(NULL);
}

static void small_ones_lie_side_by_side(void **state)
{
    (void)state;
#if !defined(__SANITIZE_ADDRESS__)
    char *a = near_calloc(1, 100), *large = near_calloc(1, 25000), *b = near_calloc(2, 30);
    assert_int_equal(b - a, 2 * LINE);
    near_free(a);
    near_free(large);
    near_free(b);
#endif
}

/* The first lines of large blocks do not fall into the same few sets of a cache of 2048 sets, whatever the blocks' size. */
static void large_ones_lie_at_irregular_distances(void **state)
{
    (void)state;
#if !defined(__SANITIZE_ADDRESS__)
    enum { BLOCKS = 256, SETS = 2048, MOST = 8 };
    static const size_t sizes[] = { 4096, 25344, 28672, 32768, 131072 };
    static char *block[BLOCKS];
    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
        uint32_t of_set[SETS] = { 0 }, most = 0;
        for (int i = 0; i < BLOCKS; i++) {
            block[i] = near_calloc(1, sizes[k]);
            uint32_t *set = &of_set[(uintptr_t)block[i] / LINE % SETS];
            most = ++*set > most ? *set : most;
        }
        assert_in_range(most, 1, MOST);
        for (int i = 0; i < BLOCKS; i++)
            near_free(block[i]);
    }
#endif
}

/* As the machines of a study come and go: memory does not grow. */
static void many_rounds_take_no_more_memory(void **state)
{
    (void)state;
    char *first = near_calloc(1, 3000);
    near_free(first);
    for (int i = 0; i < 20000; i++)
        near_free(near_calloc(1, 3000));
#if !defined(__SANITIZE_ADDRESS__)
    char *last = near_calloc(1, 3000);
    assert_ptr_equal(last, first);
    near_free(last);
#endif
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(blocks_are_zeroed_and_apart),
                                        cmocka_unit_test(small_ones_lie_side_by_side),
                                        cmocka_unit_test(large_ones_lie_at_irregular_distances),
                                        cmocka_unit_test(many_rounds_take_no_more_memory) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
