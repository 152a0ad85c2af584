/* test_atomic_file.c - files that appear whole or not at all. */
#include "../cmocka_all.h"
#include "../test_folder.h"
#include "base/atomic_file.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <signal.h>
#include <unistd.h>

#include "base/part_file.h"
#include "base/text.h"

/* Hidden ones too. */
static unsigned all_here(void)
{
    unsigned count = 0;
    DIR *here = opendir(".");
    for (struct dirent *entry; (entry = readdir(here));)
        count += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    (void)closedir(here);
    return count;
}

static void a_file_is_replaced_whole(void **state)
{
    (void)state;
    struct error err = { 0 };
    size_t length;
    assert_true(atomic_file_write("result", "old", 3, &err));
    assert_true(atomic_file_write("result", "newer", 5, &err));
    char *text = text_read_file("result", 100, &length, &err);
    assert_string_equal(text, "newer");
    free(text);
    assert_int_equal(all_here(), 1);
    assert_int_equal(unlink("result"), 0);
}

static void a_failed_write_leaves_the_old_file(void **state)
{
    (void)state;
    struct error err = { 0 };
    size_t length;
    assert_true(atomic_file_write("result", "old", 3, &err));
    /* A file size limit stands in for a full disk. */
    const struct rlimit small = { 1000, RLIM_INFINITY }, none = { RLIM_INFINITY, RLIM_INFINITY };
    (void)signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    char *large = calloc(1, 5000);
    const bool ok = atomic_file_write("result", large, 5000, &err);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &none), 0);
    free(large);
    assert_false(ok);
    assert_non_null(strstr(err.text, "result: cannot write: File too large"));
    char *text = text_read_file("result", 100, &length, &err);
    assert_string_equal(text, "old");
    free(text);
    assert_int_equal(all_here(), 1);
    assert_int_equal(unlink("result"), 0);
}

static void bad_targets_are_named(void **state)
{
    (void)state;
    struct error err = { 0 };
    assert_false(atomic_file_write("no/such/folder/x", "a", 1, &err));
    assert_non_null(strstr(err.text, "no/such/folder/x: cannot write: No such file or directory"));
    assert_false(atomic_file_check("no/such/folder/x", &err));
    assert_false(atomic_file_write(".", "a", 1, &err));
    assert_non_null(strstr(err.text, "it is a directory"));
    assert_false(atomic_file_check(".", &err));
    assert_false(atomic_file_write("/dev/full", "a", 1, &err));
    assert_non_null(strstr(err.text, "No space left"));
    assert_true(atomic_file_check("fine", &err));
    assert_true(atomic_file_write("/dev/null", "a", 1, &err));
    assert_int_equal(all_here(), 0);
}

static void a_part_has_no_name_until_it_is_kept(void **state)
{
    (void)state;
    struct error err = { 0 };
    size_t length;
    struct part_file *first = part_file_open("result", &err), *second = part_file_open("result", &err);
    assert_true(first && second);
    assert_int_equal(all_here(), 0);
    assert_int_equal(write(part_file_fd(first), "one", 3), 3);
    assert_true(atomic_file_write(part_file_path(second), "second", 6, &err)); /* as another process would */
    assert_true(part_file_keep(second, &err));
    assert_true(part_file_keep(first, &err)); /* takes the place of what is there */
    char *text = text_read_file("result", 100, &length, &err);
    assert_string_equal(text, "one");
    free(text);
    part_file_drop(part_file_open("result", &err));
    assert_int_equal(all_here(), 1);
    assert_int_equal(unlink("result"), 0);
    assert_null(part_file_open("", &err));
    assert_null(part_file_open("no-such-folder/", &err));
    assert_non_null(strstr(err.text, "no name of a file"));
}

static void names_may_be_as_long_as_the_file_system_takes(void **state)
{
    (void)state;
    struct error err = { 0 };
    char name[300] = { 0 };
    memset(name, 'x', 255);
    assert_true(atomic_file_check(name, &err));
    assert_true(atomic_file_write(name, "a", 1, &err) && atomic_file_write(name, "b", 1, &err));
    assert_int_equal(unlink(name), 0);
    memset(name, 'x', 256);
    assert_false(atomic_file_check(name, &err));
    assert_non_null(strstr(err.text, "File name too long"));
    assert_int_equal(all_here(), 0);
}

static void what_a_terminal_would_obey_is_not_in_a_sentence(void **state)
{
    (void)state;
    struct error err = { 0 };
    (void)error_set(&err, "a\nb: \x1b[2J \xc3\xa4");
    assert_string_equal(err.text, "a?b: ?[2J \xc3\xa4");
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(a_file_is_replaced_whole),
                                        cmocka_unit_test(a_failed_write_leaves_the_old_file),
                                        cmocka_unit_test(bad_targets_are_named),
                                        cmocka_unit_test(a_part_has_no_name_until_it_is_kept),
                                        cmocka_unit_test(names_may_be_as_long_as_the_file_system_takes),
                                        cmocka_unit_test(what_a_terminal_would_obey_is_not_in_a_sentence) };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
