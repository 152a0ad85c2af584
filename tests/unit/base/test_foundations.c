/* test_foundations.c - arena, hashes, random numbers, progress and logging. */
#include "../cmocka_all.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/hash.h"
#include "base/interrupt.h"
#include "base/log.h"
#include "base/prng.h"
#include "base/terminal.h"

static void arena_blocks_are_zeroed_aligned_and_apart(void **state)
{
    (void)state;
    struct arena *arena = arena_new();
    char *before = NULL;
    for (size_t size = 1; size < 200000; size = size * 3 + 1) {
        char *block = arena_alloc(arena, size, 1);
        assert_int_equal((uintptr_t)block % _Alignof(max_align_t), 0);
        for (size_t i = 0; i < size; i++)
            assert_int_equal(block[i], 0);
        memset(block, 0xff, size);
        assert_true(block != before);
        before = block;
    }
    assert_string_equal(arena_copy_text(arena, "warpline", 4), "warp");
    arena_free(arena);
    arena_free(NULL);
}

static void hashes_depend_on_every_byte(void **state)
{
    (void)state;
    char text[32] = "the same on every machine";
    const uint64_t original = hash_text(text);
    for (size_t i = 0; i < strlen("the same on every machine"); i++) {
        text[i] ^= 1;
        assert_int_not_equal(hash_text(text), original);
        text[i] ^= 1;
    }
    assert_int_equal(hash_text(text), original);
    assert_int_not_equal(hash_bytes("\0", 1, 0), hash_bytes("\0\0", 2, 0));
    assert_int_not_equal(hash_bytes("a", 1, 0), hash_bytes("a", 1, 1));
}

static void random_numbers_repeat_and_are_fair(void **state)
{
    (void)state;
    struct prng a, b;
    prng_seed(&a, 42);
    prng_seed(&b, 42);
    unsigned seen[6] = { 0 };
    for (int i = 0; i < 60000; i++) {
        const uint64_t x = prng_below(&a, 6);
        assert_int_equal(x, prng_below(&b, 6));
        seen[x]++;
    }
    /* 10000 expected; a deviation of 500 is more than five standard deviations (91). */
    for (int i = 0; i < 6; i++)
        assert_in_range(seen[i], 9500, 10500);
    prng_seed(&b, 43);
    assert_int_not_equal(prng_next(&a), prng_next(&b));
}

static void progress_tells_rate_and_time_left(void **state)
{
    (void)state;
    char line[160];
    progress_format(line, sizeof line, "runs", 10, 40, 5, "syrk");
    assert_string_equal(line, "runs 10/40 [######------------------] 2/s, 15 s left  syrk");
    progress_format(line, sizeof line, "cycles", 7, 0, 0, NULL);
    assert_string_equal(line, "cycles 7");
    struct progress progress;
    FILE *file = tmpfile();
    progress_start(&progress, file, "runs", 3);
    progress_update(&progress, 1, NULL);
    progress_end(&progress);
    assert_int_equal(ftell(file), 0);
    assert_string_equal(terminal_colour(file, COLOUR_RED), "");
    (void)fclose(file);
}

static void log_levels_follow_the_environment(void **state)
{
    (void)state;
    assert_int_equal(setenv("WARPLINE_LOG", "quiet", 1), 0);
    assert_false(log_shows(LOG_WARN));
    log_warn("this is not %s", "shown");
    assert_int_equal(setenv("WARPLINE_LOG", "warn", 1), 0);
    assert_true(log_shows(LOG_WARN));
    assert_false(log_shows(LOG_NOTE));
    assert_int_equal(unsetenv("WARPLINE_LOG"), 0);
    assert_true(log_shows(LOG_NOTE));
}

static void the_first_signal_is_a_wish(void **state)
{
    (void)state;
    const volatile int *flag = interrupt_catch();
    assert_int_equal(*flag, 0);
    assert_int_equal(raise(SIGINT), 0);
    assert_int_equal(*flag, SIGINT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arena_blocks_are_zeroed_aligned_and_apart), cmocka_unit_test(hashes_depend_on_every_byte),
        cmocka_unit_test(random_numbers_repeat_and_are_fair),        cmocka_unit_test(progress_tells_rate_and_time_left),
        cmocka_unit_test(log_levels_follow_the_environment),         cmocka_unit_test(the_first_signal_is_a_wish),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
