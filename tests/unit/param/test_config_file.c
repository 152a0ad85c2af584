/* test_config_file.c - configuration files: sections, includes, and what is wrong in them. */
#include "../cmocka_all.h"
#include "../test_folder.h"
#include "sample_table.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/atomic_file.h"

static void put(const char *path, const char *text)
{
    assert_true(atomic_file_write(path, text, strlen(text), NULL));
}

static void sections_comments_crlf_bom_and_later_values(void **state)
{
    struct fixture *f = *state;
    assert_true(
        param_load_text(f->space,
                        "\xef\xbb\xbf# a machine\r\n; another comment\r\nsm.clock = 1.4GHz\r\n[l1]\r\n  sets = 64   # hash\r\n"
                        "\tsize=48KiB ; semicolon\r\nsets: 128\r\n[dram]\r\nlatency = 15ns",
                        "x.conf", &f->err));
    assert_int_equal(f->sample.sets, 128);
    assert_int_equal(f->sample.size, 49152);
    assert_int_equal(f->sample.clock, 1400000);
    assert_int_equal(f->sample.latency, 15000);
}

static void refused(struct fixture *f, const char *text, const char *sentence)
{
    assert_false(param_load_text(f->space, text, "x.conf", &f->err));
    assert_string_equal(f->err.text, sentence);
    assert_int_equal(f->err.code, CODE_INPUT);
}

static void errors_name_file_and_line(void **state)
{
    struct fixture *f = *state;
    refused(f, "# c\n\n[l1]\nstes = 4\n", "x.conf:4: unknown parameter 'l1.stes'; did you mean 'l1.sets'?");
    refused(f, "[l1]\nsets = 9999\n", "x.conf:2: l1.sets: '9999' is out of range; allowed: 1 to 4096");
    refused(f, "[l1]\nsets = 4\nnonsense\n", "x.conf:3: not a setting; write [section], key = value, or # comment");
    refused(f, "[l1\nsets = 4\n", "x.conf:1: not a setting; write [section], key = value, or # comment");
    refused(f, "include =\n", "x.conf:1: no configuration is named; see 'warpline list configs'");
    refused(f, "include = gtx48\n", "x.conf:1: no configuration 'gtx48'; did you mean 'gtx480'?");
    refused(f, "include = ./no-such-file\n", "x.conf:1: include ././no-such-file: cannot open: No such file or directory");
}

static void a_long_line_is_refused_quickly(void **state)
{
    struct fixture *f = *state;
    enum { LENGTH = 10000000 };
    char *text = malloc(LENGTH + 1);
    memset(text, 'x', LENGTH);
    text[LENGTH] = '\0';
    assert_false(param_load_text(f->space, text, "x.conf", &f->err));
    assert_string_equal(f->err.text, "x.conf: is larger than 1048576 bytes, the most a configuration may be");
    text[1000] = '\0';
    assert_false(param_load_text(f->space, text, "x.conf", &f->err));
    assert_string_equal(f->err.text, "x.conf:1: the line is longer than 199 characters");
    free(text);
}

static void includes_are_relative_and_overridden(void **state)
{
    struct fixture *f = *state;
    assert_int_equal(mkdir("sub", 0777), 0);
    put("sub/base.conf", "[l1]\nsets = 8\nsize = 32KiB\n");
    put("sub/middle.conf", "include = base.conf\ninclude = gtx480\n[l1]\nsets = 16\n");
    put("top.conf", "include = sub/middle.conf\n");
    assert_true(param_load(f->space, "top.conf", &f->err));
    assert_int_equal(f->sample.sets, 16);
    assert_int_equal(f->sample.size, 32768);
    put("sub/base.conf", "[l1]\nsets = 0\n");
    assert_false(param_load(f->space, "./top.conf", &f->err));
    assert_string_equal(f->err.text, "./sub/base.conf:2: l1.sets: '0' is out of range; allowed: 1 to 4096");
    assert_int_equal(unlink("sub/base.conf") | unlink("sub/middle.conf") | unlink("top.conf") | rmdir("sub"), 0);
}

static void include_cycles_end(void **state)
{
    struct fixture *f = *state;
    put("a.conf", "include = b.conf\n");
    put("b.conf", "# b\ninclude = ./a.conf\n");
    assert_false(param_load(f->space, "./a.conf", &f->err));
    assert_string_equal(f->err.text, "./b.conf:2: includes ././a.conf, which is being read already (an include cycle)");
    assert_int_equal(unlink("a.conf") | unlink("b.conf"), 0);
}

static void wrong_files_are_named(void **state)
{
    struct fixture *f = *state;
    assert_false(param_load(f->space, "missing.conf", &f->err));
    assert_string_equal(f->err.text, "missing.conf: cannot open: No such file or directory");
    assert_false(param_load(f->space, "./", &f->err));
    assert_string_equal(f->err.text, "./: is a directory; give a file");
    assert_false(param_load(f->space, "no-such-name", &f->err));
    assert_string_equal(f->err.text,
                        "--config: no configuration 'no-such-name'; see 'warpline list configs', or give a file as ./no-such-name");
    FILE *binary = fopen("binary.conf", "wb");
    assert_int_equal(fwrite("[l1]\0\1", 1, 6, binary), 6);
    (void)fclose(binary);
    assert_false(param_load(f->space, "binary.conf", &f->err));
    assert_string_equal(f->err.text, "binary.conf: contains a NUL byte; a configuration is plain text");
    assert_int_equal(unlink("binary.conf"), 0);
}

static void results_are_configurations(void **state)
{
    struct fixture *f = *state;
    assert_true(param_load_text(f->space,
                                "{\"config\": {\"l1\": {\"sets\": 5, \"threshold\": 0.25, \"hashed\": false, \"ways\": [3, 4], "
                                "\"size\": 4096}, \"sm.clock\": \"2GHz\"}, \"kernels\": []}",
                                "r.json", &f->err));
    assert_int_equal(f->sample.sets, 5);
    assert_true(f->sample.threshold == 0.25 && !f->sample.hashed);
    assert_int_equal(f->sample.ways.count, 2);
    assert_int_equal(f->sample.size, 4096);
    assert_int_equal(f->sample.clock, 2000000);
    refused(f, "{\"config\": 3}", "x.conf: this JSON has no \"config\" object");
    refused(f, "{\"config\": {\"l1\": {\"sets\": null}}}", "x.conf: l1.sets: has no value");
    refused(f, "{\"config\": {\"l1\": {\"sest\": 1}}}", "x.conf: unknown parameter 'l1.sest'; did you mean 'l1.sets'?");
    assert_false(param_load_text(f->space, "{ nonsense", "x.conf", &f->err));
    assert_non_null(strstr(f->err.text, "x.conf:1: not a result file: "));
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(sections_comments_crlf_bom_and_later_values),
        TEST(errors_name_file_and_line),
        TEST(a_long_line_is_refused_quickly),
        TEST(includes_are_relative_and_overridden),
        TEST(include_cycles_end),
        TEST(wrong_files_are_named),
        TEST(results_are_configurations),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
