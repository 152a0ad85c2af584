/* The results database: whole rows, no doubles, and what it says of files that are not its own. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "study/database.h"

static char folder[] = "/tmp/warpline-test-XXXXXX";
static char path[64];

static int make_folder(void **state)
{
    (void)state;
    if (!mkdtemp(folder))
        return -1;
    return snprintf(path, sizeof path, "%s/r.db", folder) > 0 ? 0 : -1;
}

static int remove_files(void **state)
{
    (void)state;
    char command[128];
    (void)snprintf(command, sizeof command, "rm -rf '%s'/*", folder);
    return system(command);
}

static int remove_folder(void **state)
{
    (void)state;
    return rmdir(folder);
}

static bool put(struct database *d, const char *key, const char *status, json_int_t cycles, struct error *err)
{
    json_t *result = json_pack("{s:{s:I, s:{s:{s:I}}}}", "totals", "cycles", cycles, "l1", "refused", "mshr_entry", (json_int_t)7);
    const struct run_record r = { .key = key,
                                  .study = "s",
                                  .target = "<script>",
                                  .size = "tiny",
                                  .config = "",
                                  .set = "",
                                  .policies = "gto",
                                  .status = status,
                                  .command = "warpline run x",
                                  .log = "",
                                  .cycles = (uint64_t)cycles,
                                  .result = strcmp(status, "ok") == 0 ? result : NULL };
    const bool ok = database_insert(d, &r, err);
    json_decref(result);
    return ok;
}

static void a_result_comes_back_as_it_was(void **state)
{
    (void)state;
    struct error err = { 0 };
    struct database *d = database_open(path, DATABASE_WRITE, &err);
    assert_non_null(d);
    assert_true(put(d, "aaaa1", "ok", 123, &err));
    json_t *result = database_result(d, "aaaa1");
    assert_int_equal(json_integer_value(json_object_get(json_object_get(result, "totals"), "cycles")), 123);
    json_decref(result);
    char *key = database_find(d, "aaaa", &err);
    assert_string_equal(key, "aaaa1");
    free(key);
    database_close(d);
}

static void a_failed_run_may_be_replaced(void **state)
{
    (void)state;
    struct error err = { 0 };
    struct database *d = database_open(path, DATABASE_WRITE, &err);
    assert_true(put(d, "k", "crashed", 0, &err));
    assert_null(database_result(d, "k"));
    assert_true(put(d, "k", "ok", 5, &err));
    json_t *result = database_result(d, "k");
    assert_non_null(result);
    json_decref(result);
    database_close(d);
}

static bool count_rows(void *context, int64_t id, const struct run_record *run)
{
    (void)id;
    (void)run;
    ++*(int *)context;
    return true;
}

static void writers_in_many_processes_lose_nothing(void **state)
{
    (void)state;
    enum { WRITERS = 6, EACH = 25 };
    for (int w = 0; w < WRITERS; w++)
        if (fork() == 0) {
            struct error err = { 0 };
            struct database *d = database_open(path, DATABASE_WRITE, &err);
            bool ok = d != NULL;
            for (int i = 0; ok && i < EACH; i++) {
                char key[32];
                (void)snprintf(key, sizeof key, "%d-%d", w, i);
                ok = put(d, key, "ok", i, &err);
            }
            database_close(d);
            if (!ok)
                (void)fprintf(stderr, "writer %d: %s\n", w, err.text);
            _exit(ok ? 0 : 1);
        }
    for (int w = 0; w < WRITERS; w++) {
        int status;
        assert_true(wait(&status) > 0);
        assert_int_equal(status, 0);
    }
    struct error err = { 0 };
    struct database *d = database_open(path, DATABASE_READ, &err);
    int rows = 0;
    assert_true(database_each(d, "s", count_rows, &rows, &err));
    assert_int_equal(rows, WRITERS * EACH);
    database_close(d);
}

static void write_file(const char *text, size_t length)
{
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(text, 1, length, f), length);
    assert_int_equal(fclose(f), 0);
}

static void a_foreign_file_is_named_and_left_alone(void **state)
{
    (void)state;
    static const char text[] =
        "these are not the pages you are looking for, and there are quite a few of them, more than a header's hundred bytes.......";
    write_file(text, sizeof text);
    struct error err = { 0 };
    assert_null(database_open(path, DATABASE_WRITE, &err));
    assert_int_equal(err.code, CODE_INPUT);
    assert_non_null(strstr(err.text, path));
    struct stat info;
    assert_int_equal(stat(path, &info), 0);
    assert_int_equal(info.st_size, sizeof text);
}

static void a_damaged_page_is_found(void **state)
{
    (void)state;
    struct error err = { 0 };
    struct database *d = database_open(path, DATABASE_WRITE, &err);
    for (int i = 0; i < 200; i++) {
        char key[32];
        (void)snprintf(key, sizeof key, "%d", i);
        assert_true(put(d, key, "ok", i, &err));
    }
    database_close(d);
    FILE *f = fopen(path, "r+b");
    char noise[4096];
    memset(noise, 0x5a, sizeof noise);
    assert_int_equal(fseek(f, 3 * 4096, SEEK_SET), 0);
    assert_int_equal(fwrite(noise, 1, sizeof noise, f), sizeof noise);
    (void)fclose(f);
    assert_null(database_open(path, DATABASE_WRITE, &err));
    assert_non_null(strstr(err.text, "damaged"));
}

static void a_missing_file_says_what_to_do(void **state)
{
    (void)state;
    struct error err = { 0 };
    assert_null(database_open(path, DATABASE_READ, &err));
    assert_non_null(strstr(err.text, "warpline compare"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(a_result_comes_back_as_it_was, remove_files),
        cmocka_unit_test_teardown(a_failed_run_may_be_replaced, remove_files),
        cmocka_unit_test_teardown(writers_in_many_processes_lose_nothing, remove_files),
        cmocka_unit_test_teardown(a_foreign_file_is_named_and_left_alone, remove_files),
        cmocka_unit_test_teardown(a_damaged_page_is_found, remove_files),
        cmocka_unit_test_teardown(a_missing_file_says_what_to_do, remove_files),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
