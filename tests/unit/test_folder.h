/* test_folder.h - a folder of the test program's own to work in, made before its tests and removed, empty, after them. */
#ifndef WARPLINE_TESTS_TEST_FOLDER_H
#define WARPLINE_TESTS_TEST_FOLDER_H
#include <stdlib.h>
#include <unistd.h>

static char test_folder[] = "warpline-test-XXXXXX";

static int make_folder(void **state)
{
    (void)state;
    return mkdtemp(test_folder) && chdir(test_folder) == 0 ? 0 : -1;
}

static int remove_folder(void **state)
{
    (void)state;
    return chdir("..") == 0 && rmdir(test_folder) == 0 ? 0 : -1;
}
#endif
