/* test_pages.c - memory in large pages of the host. */
#include "../cmocka_all.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/pages.h"

/* Has the mapping that holds `place` the flag, in the kernel's words of two letters? -1: the kernel does not say. */
static int mapping_has(const void *place, const char *flag)
{
    FILE *maps = fopen("/proc/self/smaps", "r");
    char line[4096];
    int found = -1;
    bool inside = false;
    while (maps && fgets(line, sizeof line, maps)) {
        char *rest;
        const unsigned long long begin = strtoull(line, &rest, 16), end = *rest == '-' ? strtoull(rest + 1, NULL, 16) : 0;
        if (*rest == '-' && rest != line)
            inside = begin <= (uintptr_t)place && (uintptr_t)place < end;
        else if (inside && strncmp(line, "VmFlags:", 8) == 0)
            found = strstr(line, flag) != NULL;
    }
    if (maps)
        (void)fclose(maps);
    return found;
}

static bool host_has_large_pages(void)
{
    void *some = pages_reserve(4096, false);
    const bool has = madvise(some, 4096, MADV_HUGEPAGE) == 0;
    pages_release(some, 4096);
    return has;
}

static void test_reserved_pages_are_zeros(void **state)
{
    (void)state;
    for (int large = 0; large < 2; large++) {
        const size_t bytes = 5u << 20;
        uint8_t *pages = pages_reserve(bytes, large);
        assert_non_null(pages);
        assert_int_equal(pages[0] | pages[bytes / 2] | pages[bytes - 1], 0);
        memset(pages, 7, bytes);
        if (host_has_large_pages() && mapping_has(pages, " hg") != -1)
            assert_int_equal(mapping_has(pages, " hg"), large);
        pages_release(pages, bytes);
    }
    assert_null(pages_reserve(SIZE_MAX / 2, false));
    pages_release(NULL, 4096);
}

static void test_heap_lies_in_large_pages(void **state)
{
    (void)state;
    pages_for_heap();
    char *blocks[40]; /* more than was in the heap before */
    for (int i = 0; i < 40; i++)
        memset(blocks[i] = malloc(100000), i, 100000);
    const int large = mapping_has(blocks[39], " hg"), heap = mapping_has(blocks[39], " ac") != -1;
    for (int i = 0; i < 40; i++) {
        assert_int_equal(blocks[i][99999], i);
        free(blocks[i]);
    }
#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) /* these have a malloc of their own */
    if (heap && host_has_large_pages())
        assert_int_equal(large, 1);
#else
    (void)large, (void)heap;
#endif
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_reserved_pages_are_zeros),
                                        cmocka_unit_test(test_heap_lies_in_large_pages) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
