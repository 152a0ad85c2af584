/* cli.c - the command line: options as typed data, found and parsed in one place, and the way to a command. */
#include "cli/cli.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/interrupt.h"
#include "base/log.h"
#include "base/units.h"
#include "base/version.h"
#include "cli/common_options.h"
#include "policy/plugin_fault.h"

#define COMMAND(name) extern const struct command command_##name;
#include "cli/commands.def"
#undef COMMAND

const struct command *const cli_commands[] = {
#define COMMAND(name) &command_##name,
#include "cli/commands.def"
#undef COMMAND
    NULL
};

const struct command *cli_find_command(const char *name)
{
    for (const struct command *const *c = cli_commands; *c; c++)
        if (!strcmp((*c)->name, name))
            return *c;
    return NULL;
}

static bool usage_error(const struct command *command, struct error *err, const char *what, const char *which)
{
    return error_set_code(err, CODE_USAGE, "%s: %s '%.200s'; see 'warpline %s --help'", command->name, what, which, command->name);
}

/* The row named by `name` (of `length` letters; one letter after a single dash when `is_letter`) and the address of its field. */
static const struct option_row *find_row(const struct command *command, const char *name, size_t length, bool is_letter,
                                         void *options, char **field)
{
    for (const struct option_set *set = command->option_sets; set && set->rows; set++)
        for (const struct option_row *row = set->rows; row->name; row++)
            if (is_letter ? length == 1 && row->letter == name[0]
                          : strlen(row->name) == length && !strncmp(row->name, name, length)) {
                *field = (char *)options + set->offset + row->offset;
                return row;
            }
    return NULL;
}

static bool refuse_option(const struct command *command, const char *name, size_t length, struct error *err)
{
    char wanted[64];
    (void)snprintf(wanted, sizeof wanted, "%.*s", (int)length, name);
    struct text_nearest nearest = { .wanted = wanted };
    for (const struct option_set *set = command->option_sets; set && set->rows; set++)
        for (const struct option_row *row = set->rows; row->name; row++)
            text_nearest_offer(&nearest, row->name);
    const char *likely = text_nearest_likely(&nearest);
    if (likely)
        return error_set_code(err, CODE_USAGE, "%s: unknown option '--%s'; did you mean '--%s'?", command->name, wanted, likely);
    return error_set_code(err, CODE_USAGE, "%s: unknown option '--%s'; see 'warpline %s --help'", command->name, wanted,
                          command->name);
}

static bool store_value(const struct command *command, const struct option_row *row, char *field, const char *value,
                        struct error *err)
{
    uint64_t number;
    const char *why;
    switch (row->type) {
    case OPTION_TYPE_FLAG: break;
    case OPTION_TYPE_NUMBER:
        if (!units_parse_unsigned(value, &number, &why))
            return error_set_code(err, CODE_USAGE, "%s: --%s: '%.100s' %s", command->name, row->name, value, why);
        if (!number && !row->from_0) /* inside, 0 stands for an option that was not given */
            return error_set_code(err, CODE_USAGE, "%s: --%s must be 1 or more; leave it out for the default", command->name,
                                  row->name);
        memcpy(field, &number, sizeof number);
        return true;
    case OPTION_TYPE_CHOICE: {
        struct text_buffer all = { 0 };
        for (const char *const *choice = row->choices; *choice; choice++) {
            if (!strcmp(*choice, value)) {
                memcpy(field, choice, sizeof *choice);
                text_buffer_clear(&all);
                return true;
            }
            text_append(&all, "%s%s", all.length ? ", " : "", *choice);
        }
        error_set_code(err, CODE_USAGE, "%s: --%s: '%.100s' is not one of %s", command->name, row->name, value, all.text);
        text_buffer_clear(&all);
        return false;
    }
    case OPTION_TYPE_REPEAT: text_list_add((struct text_list *)(void *)field, value); return true;
    case OPTION_TYPE_TEXT:
    case OPTION_TYPE_FILE:
        if (!*value)
            return error_set_code(err, CODE_USAGE, "%s: --%s: the value is empty", command->name, row->name);
        memcpy(field, &value, sizeof value);
        return true;
    }
    panic("option --%s takes no value", row->name);
}

/* Parses the option at argv[i]; returns how many words it took, 0 on error. */
static int parse_option(const struct command *command, int i, int count, char **argv, void *options, struct error *err)
{
    const bool is_letter = argv[i][1] != '-';
    const char *name = argv[i] + (is_letter ? 1 : 2), *equals = is_letter ? NULL : strchr(name, '=');
    const size_t length = equals ? (size_t)(equals - name) : strlen(name);
    char *field;
    const struct option_row *row = find_row(command, name, length, is_letter, options, &field);
    if (!row) {
        if (is_letter)
            usage_error(command, err, "unknown option", argv[i]);
        else
            refuse_option(command, name, length, err);
        return 0;
    }
    if (row->type == OPTION_TYPE_FLAG) {
        if (equals) {
            usage_error(command, err, "no value is taken by", argv[i]);
            return 0;
        }
        memcpy(field, &(bool){ true }, sizeof(bool));
        return 1;
    }
    if (equals)
        return store_value(command, row, field, equals + 1, err) ? 1 : 0;
    if (i + 1 >= count) {
        usage_error(command, err, "a value must follow", argv[i]);
        return 0;
    }
    return store_value(command, row, field, argv[i + 1], err) ? 2 : 0;
}

static bool check_argument_count(const struct command *command, const struct command_call *call, struct error *err)
{
    if (call->argument_count < command->min_arguments)
        return error_set_code(err, CODE_USAGE, "%s: an argument is missing; usage: warpline %s [OPTION...] %s", command->name,
                              command->name, command->arguments ? command->arguments : "");
    if (call->argument_count > command->max_arguments)
        return usage_error(command, err, "unexpected argument", call->arguments[command->max_arguments]);
    return true;
}

/* Words behind a program belong to the program, even when they look like our options. A note says so, since they do nothing
 * here. */
static void warn_of_ours(const struct command *command, void *options, const char *program, int count, char **words)
{
    for (int i = 0; i < count; i++) {
        const char *name = words[i] + 2;
        char *field;
        if (strcmp(words[i], "--") == 0)
            return;
        if (strncmp(words[i], "--", 2) == 0 && find_row(command, name, strcspn(name, "="), false, options, &field)) {
            log_warn("%s stands behind the program and goes to it; what is meant for warpline stands before %s", words[i], program);
            return;
        }
    }
}

bool cli_parse(const struct command *command, int count, char **argv, void *options, struct command_call *call, bool *help,
               struct error *err)
{
    *help = false;
    *call = (struct command_call){ .options = options, .arguments = must_calloc((size_t)count + 1, sizeof(char *)) };
    bool ours = true;
    for (int i = 0; i < count;) {
        const char *word = argv[i];
        if (ours && !strcmp(word, "--")) {
            ours = false;
            i++;
        } else if (ours && (!strcmp(word, "--help") || !strcmp(word, "-h"))) {
            *help = true;
            return true;
        } else if (ours && word[0] == '-' && word[1] && !command->pass_options) {
            const int taken = parse_option(command, i, count, argv, options, err);
            if (!taken)
                return false;
            i += taken;
        } else {
            call->arguments[call->argument_count++] = argv[i++];
            if (ours && command->stop_at_first_argument && !(command->ours_after && command->ours_after(word))) {
                ours = false;
                warn_of_ours(command, options, word, count - i, argv + i);
            }
        }
    }
    return check_argument_count(command, call, err);
}

void cli_options_clear(const struct command *command, void *options)
{
    for (const struct option_set *set = command->option_sets; set && set->rows; set++)
        for (const struct option_row *row = set->rows; row->name; row++)
            if (row->type == OPTION_TYPE_REPEAT)
                text_list_clear((struct text_list *)(void *)((char *)options + set->offset + row->offset));
}

void cli_each_option(const struct command *command, cli_option_visit *visit, void *context)
{
    for (const struct option_set *set = command->option_sets; set && set->rows; set++)
        for (const struct option_row *row = set->rows; row->name; row++)
            visit(context, row);
}

static bool reader_has_gone(void)
{
    struct pollfd stdout_end = { .fd = STDOUT_FILENO, .events = POLLOUT };
    return poll(&stdout_end, 1, 0) == 1 && (stdout_end.revents & POLLERR) != 0;
}

/* A reader that has gone (| head -1) is no error; a full disk is. */
static enum exit_code finish_stdout(enum exit_code code)
{
    errno = 0;
    const bool failed = fflush(stdout) != 0 || ferror(stdout);
    if (!failed || errno == EPIPE || reader_has_gone())
        return code;
    (void)fprintf(stderr, "warpline: cannot write to standard output: %s\n", errno ? strerror(errno) : "write failed");
    return code == CODE_OK ? CODE_INPUT : code;
}

/* Asked before a command works, not after it: the file that --json names can be written. */
static bool check_output(const struct command *command, const char *options, struct error *err)
{
    for (const struct option_set *set = command->option_sets; set && set->rows; set++)
        if (set->rows == output_option_rows && !output_options_check((const void *)(options + set->offset), err))
            return false;
    return true;
}

/* A command of many runs catches signals before it plans them, so that it ends with a word and not in silence. */
static void catch_signals(const struct command *command)
{
    for (const struct option_set *set = command->option_sets; set && set->rows; set++)
        if (set->rows == study_option_rows)
            (void)interrupt_catch();
}

static enum exit_code run_command(const struct command *command, int count, char **argv)
{
    struct error err = { .code = CODE_INTERNAL };
    struct command_call call;
    void *options = must_calloc(1, command->options_size);
    bool help;
    enum exit_code code = CODE_OK;
    catch_signals(command);
    if (!cli_parse(command, count, argv, options, &call, &help, &err))
        code = err.code;
    else if (help)
        cli_print_command_help(command, stdout);
    else
        code = check_output(command, options, &err) ? command->run(&call, &err) : err.code;
    if (code != CODE_OK && err.text[0])
        (void)fprintf(stderr, "warpline: %s\n", err.text);
    cli_options_clear(command, options);
    free(options);
    free(call.arguments);
    return code;
}

static enum exit_code refuse_command(const char *name)
{
    struct text_nearest nearest = { .wanted = name };
    for (const struct command *const *c = cli_commands; *c; c++)
        if (!(*c)->hidden)
            text_nearest_offer(&nearest, (*c)->name);
    const char *likely = text_nearest_likely(&nearest);
    if (likely)
        (void)fprintf(stderr, "warpline: unknown command '%s'; did you mean '%s'?\n", name, likely);
    else
        (void)fprintf(stderr, "warpline: unknown command '%s'; see 'warpline --help'\n", name);
    return CODE_USAGE;
}

/* A standard descriptor that was closed before we started would be given to the next file that is opened, and output would go
 * into that file. So it is opened here for reading: writing to it then fails, as it does with a closed one. */
static void hold_standard_descriptors(void)
{
    int fd;
    while ((fd = open("/dev/null", O_RDONLY)) >= 0 && fd <= STDERR_FILENO)
        ;
    if (fd > STDERR_FILENO)
        (void)close(fd);
}

int cli_main(int argc, char **argv)
{
    hold_standard_descriptors();
    (void)signal(SIGPIPE, SIG_IGN);
    (void)signal(SIGXFSZ, SIG_IGN); /* the write fails, and that is told */
    plugin_fault_catch_crashes();
    if (argc < 2) {
        cli_print_help(stderr);
        return CODE_USAGE;
    }
    if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h")) {
        cli_print_help(stdout);
        return (int)finish_stdout(CODE_OK);
    }
    if (!strcmp(argv[1], "--version")) {
        (void)printf("warpline %s\n", WARPLINE_VERSION);
        return (int)finish_stdout(CODE_OK);
    }
    const struct command *command = cli_find_command(argv[1]);
    if (!command && argv[1][0] == '-') {
        (void)fprintf(stderr, "warpline: unknown option '%s'; options come after the command, see 'warpline --help'\n", argv[1]);
        return CODE_USAGE;
    }
    const enum exit_code code = command ? run_command(command, argc - 2, argv + 2) : refuse_command(argv[1]);
    return (int)finish_stdout(code);
}
