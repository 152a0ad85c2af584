/* test_cli_parse.c - options as typed data: both forms, letters, mistakes, and every command's declaration. */
#include "../cmocka_all.h"
#include "cli/cli.h"

#include <stdlib.h>
#include <string.h>

#include "cli/common_options.h"

struct sample_options {
    bool loud;
    uint64_t times;
    const char *name, *mode, *output;
    struct machine_options machine;
};

static const char *const modes[] = { "fast", "slow", NULL };
static const struct option_row sample_rows[] = { OPTION_FLAG(struct sample_options, loud, "loud", "shout"),
                                                 OPTION_NUMBER(struct sample_options, times, "times", "N", "how often"),
                                                 OPTION_TEXT(struct sample_options, name, "name", "NAME", "who"),
                                                 OPTION_CHOICE(struct sample_options, mode, "mode", "MODE", modes, "how"),
                                                 OPTION_FILE_LETTER(struct sample_options, output, 'o', "output", "FILE",
                                                                    "where to"),
                                                 OPTION_END };
static const struct option_set sample_sets[] = { { sample_rows, 0 },
                                                 { machine_option_rows, offsetof(struct sample_options, machine) },
                                                 { NULL, 0 } };
static const struct command sample_command = {
    .name = "sample",
    .arguments = "TARGET",
    .summary = "s",
    .option_sets = sample_sets,
    .options_size = sizeof(struct sample_options),
    .min_arguments = 1,
    .max_arguments = 2,
};
static const struct command runner_command = {
    .name = "runner",
    .arguments = "TARGET [ARG...]",
    .summary = "s",
    .option_sets = sample_sets,
    .options_size = sizeof(struct sample_options),
    .min_arguments = 1,
    .max_arguments = SIZE_MAX,
    .stop_at_first_argument = true,
};

struct parsed {
    struct sample_options options;
    struct command_call call;
    struct error err;
    bool help, ok;
};

static struct parsed parse(const struct command *command, char **words)
{
    struct parsed p = { 0 };
    int count = 0;
    while (words[count])
        count++;
    p.ok = cli_parse(command, count, words, &p.options, &p.call, &p.help, &p.err);
    return p;
}
#define WORDS(...) ((char *[]){ __VA_ARGS__, NULL })

static void done(struct parsed *p)
{
    cli_options_clear(&sample_command, &p->options);
    free(p->call.arguments);
}

static void options_of_all_types_and_both_forms(void **state)
{
    (void)state;
    struct parsed p = parse(&sample_command, WORDS("--loud", "--times=3", "target", "--name", "x", "--mode", "slow", "--set", "a=1",
                                                   "--set=b=2", "--config", "gtx480"));
    assert_true(p.ok);
    assert_true(p.options.loud);
    assert_int_equal(p.options.times, 3);
    assert_string_equal(p.options.name, "x");
    assert_string_equal(p.options.mode, "slow");
    assert_int_equal(p.options.machine.set.count, 2);
    assert_string_equal(p.options.machine.set.item[1], "b=2");
    assert_string_equal(p.options.machine.config, "gtx480");
    assert_int_equal(p.call.argument_count, 1);
    done(&p);
}

static void a_letter_stands_for_its_option(void **state)
{
    (void)state;
    struct parsed p = parse(&sample_command, WORDS("-o", "file", "target"));
    assert_true(p.ok);
    assert_string_equal(p.options.output, "file");
    done(&p);
    p = parse(&sample_command, WORDS("target", "-o"));
    assert_false(p.ok);
    assert_string_equal(p.err.text, "sample: a value must follow '-o'; see 'warpline sample --help'");
    done(&p);
}

static void the_program_keeps_its_own_options(void **state)
{
    (void)state;
    struct parsed p = parse(&runner_command, WORDS("--loud", "./app", "--loud", "-x", "--", "--help"));
    assert_true(p.ok && p.options.loud && !p.help);
    assert_int_equal(p.call.argument_count, 5);
    assert_string_equal(p.call.arguments[4], "--help");
    done(&p);
}

static void mistakes_are_named(void **state)
{
    (void)state;
    static const struct {
        char *words[4];
        const char *sentence;
    } rows[] = {
        { { "--luod", "t" }, "sample: unknown option '--luod'; did you mean '--loud'?" },
        { { "--frobnicate", "t" }, "sample: unknown option '--frobnicate'; see 'warpline sample --help'" },
        { { "-x", "t" }, "sample: unknown option '-x'; see 'warpline sample --help'" },
        { { "t", "--name" }, "sample: a value must follow '--name'; see 'warpline sample --help'" },
        { { "t", "--name=" }, "sample: --name: the value is empty" },
        { { "t", "--loud=1" }, "sample: no value is taken by '--loud=1'; see 'warpline sample --help'" },
        { { "t", "--times", "-1" }, "sample: --times: '-1' is negative" },
        { { "t", "--mode", "warp" }, "sample: --mode: 'warp' is not one of fast, slow" },
        { { NULL }, "sample: an argument is missing; usage: warpline sample [OPTION...] TARGET" },
        { { "a", "b", "c" }, "sample: unexpected argument 'c'; see 'warpline sample --help'" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char *words[5] = { rows[i].words[0], rows[i].words[1], rows[i].words[2], rows[i].words[3], NULL };
        struct parsed p = parse(&sample_command, words);
        assert_false(p.ok);
        assert_string_equal(p.err.text, rows[i].sentence);
        assert_int_equal(p.err.code, CODE_USAGE);
        done(&p);
    }
}

static void help_wins(void **state)
{
    (void)state;
    struct parsed p = parse(&sample_command, WORDS("--help"));
    assert_true(p.ok && p.help);
    done(&p);
}

static void policies_come_from_the_option(void **state)
{
    (void)state;
    struct text_list names = { 0 };
    struct error err = { 0 };
    struct machine_options options = { .policy = "gto,pric" };
    assert_true(machine_options_policies(&options, &names, &err));
    assert_int_equal(names.count, 2);
    options.policy = "gto,,pric";
    assert_false(machine_options_policies(&options, &names, &err));
    text_list_clear(&names);
}

/* The declarations themselves: every command can be found, has help and an example, and no option is declared twice. */
static void count_name(void *context, const struct option_row *row)
{
    struct text_nearest *wanted = context;
    if (!strcmp(wanted->wanted, row->name))
        wanted->distance++;
}

static void check_option(void *context, const struct option_row *row)
{
    struct text_nearest same = { .wanted = row->name };
    cli_each_option(context, count_name, &same);
    assert_int_equal(same.distance, 1);
    assert_non_null(row->help);
    assert_true((row->type == OPTION_TYPE_FLAG) == (row->value_name == NULL));
    assert_true((row->type == OPTION_TYPE_CHOICE) == (row->choices != NULL));
}

static void every_command_is_complete(void **state)
{
    (void)state;
    for (const struct command *const *c = cli_commands; *c; c++) {
        assert_ptr_equal(cli_find_command((*c)->name), *c);
        assert_non_null((*c)->summary);
        assert_non_null((*c)->run);
        if (!(*c)->hidden)
            assert_non_null((*c)->examples);
        cli_each_option(*c, check_option, (void *)(uintptr_t)*c);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(options_of_all_types_and_both_forms),
        cmocka_unit_test(a_letter_stands_for_its_option),
        cmocka_unit_test(the_program_keeps_its_own_options),
        cmocka_unit_test(mistakes_are_named),
        cmocka_unit_test(help_wins),
        cmocka_unit_test(policies_come_from_the_option),
        cmocka_unit_test(every_command_is_complete),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
