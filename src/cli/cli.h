/* cli.h - the command line: subcommands and options declared as data.
 *
 * A subcommand is one file, src/cli/cmd_NAME.c, that defines `const struct command command_NAME`, and one line
 * COMMAND(NAME) in src/cli/commands.def (which is also the order of `warpline --help`). Its options are rows over a plain
 * struct; parsing, --help, the man page and shell completion come from them. A complete one:
 *
 *     struct hello_options { struct machine_options machine; bool loud; uint64_t times; };
 *
 *     static const struct option_row hello_rows[] = {
 *         OPTION_FLAG(struct hello_options, loud, "loud", "shout"),
 *         OPTION_NUMBER(struct hello_options, times, "times", "N", "how often"),
 *         OPTION_END
 *     };
 *     static const struct option_set hello_sets[] = {
 *         { hello_rows, 0 },
 *         { machine_option_rows, offsetof(struct hello_options, machine) },   // --config, --set, --policy
 *         { NULL, 0 }
 *     };
 *     static enum exit_code hello_run(const struct command_call *call, struct error *err)
 *     {
 *         const struct hello_options *o = call->options;
 *         ...                                      // on failure: fill err, return err->code
 *         return CODE_OK;
 *     }
 *     const struct command command_hello = {
 *         .name = "hello", .arguments = "NAME", .summary = "greets someone", .details = "Longer text.",
 *         .examples = (const struct command_example[]){ { "warpline hello world", "greet the world" }, { NULL, NULL } },
 *         .option_sets = hello_sets, .options_size = sizeof(struct hello_options),
 *         .min_arguments = 1, .max_arguments = 1, .run = hello_run };
 *
 * Conventions that hold for every subcommand:
 *  - results go to stdout, everything else to stderr; --json - puts the JSON on stdout.
 *  - the caller prints `err` as one line "warpline: ..." and exits with err->code.
 *  - SIGPIPE is ignored while a command runs and a closed stdout is noticed at the end; a child process that a command
 *    starts must get SIGPIPE back (signal(SIGPIPE, SIG_DFL) before exec).
 *  - --help (and -h) is understood by all. "--" ends the options. "--name value" and "--name=value" are the same. */
#ifndef WARPLINE_CLI_CLI_H
#define WARPLINE_CLI_CLI_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/error.h"
#include "base/text.h"

enum option_type {
    OPTION_TYPE_FLAG,   /* bool field: given or not */
    OPTION_TYPE_TEXT,   /* const char * field; NULL when not given; given twice, the last wins */
    OPTION_TYPE_FILE,   /* the same, completed with file names */
    OPTION_TYPE_NUMBER, /* uint64_t field; 0 when not given */
    OPTION_TYPE_CHOICE, /* const char * field, one of `choices` */
    OPTION_TYPE_REPEAT  /* struct text_list field: may be given several times, kept in order */
};

struct option_row {
    const char *name; /* without the dashes */
    enum option_type type;
    size_t offset;          /* of the field in the options struct of its set */
    const char *value_name; /* "FILE"; NULL for flags */
    const char *help;
    const char *const *choices; /* CHOICE: NULL-terminated */
    char letter;                /* a short form, -o; 0 none */
    bool from_0;                /* NUMBER: 0 may be given. It is the default then, since inside 0 stands for "not given" */
};

/* clang-format off */
#define OPTION_FIELD(T, field, ctype) (offsetof(T, field) + 0 * sizeof(_Generic(((T *)0)->field, ctype: 1)))
#define OPTION_FLAG(T, field, name_, help_) \
    { .name = name_, .type = OPTION_TYPE_FLAG, .offset = OPTION_FIELD(T, field, bool), .help = help_ }
#define OPTION_TEXT(T, field, name_, value_, help_) \
    { .name = name_, .type = OPTION_TYPE_TEXT, .offset = OPTION_FIELD(T, field, const char *), .value_name = value_, .help = help_ }
#define OPTION_FILE(T, field, name_, value_, help_) \
    { .name = name_, .type = OPTION_TYPE_FILE, .offset = OPTION_FIELD(T, field, const char *), .value_name = value_, .help = help_ }
#define OPTION_FILE_LETTER(T, field, letter_, name_, value_, help_) \
    { .name = name_, .type = OPTION_TYPE_FILE, .offset = OPTION_FIELD(T, field, const char *), .value_name = value_, \
      .help = help_, \
      .letter = letter_ }
#define OPTION_NUMBER(T, field, name_, value_, help_) \
    { .name = name_, .type = OPTION_TYPE_NUMBER, .offset = OPTION_FIELD(T, field, uint64_t), .value_name = value_, .help = help_ }
#define OPTION_NUMBER_FROM_0(T, field, name_, value_, help_) \
    { .name = name_, .type = OPTION_TYPE_NUMBER, .offset = OPTION_FIELD(T, field, uint64_t), .value_name = value_, .help = help_, \
      .from_0 = true }
#define OPTION_CHOICE(T, field, name_, value_, choices_, help_) \
    { .name = name_, .type = OPTION_TYPE_CHOICE, .offset = OPTION_FIELD(T, field, const char *), .value_name = value_, \
      .help = help_, .choices = choices_ }
#define OPTION_REPEAT(T, field, name_, value_, help_) \
    { .name = name_, .type = OPTION_TYPE_REPEAT, .offset = OPTION_FIELD(T, field, struct text_list), \
      .value_name = value_, .help = help_ }
#define OPTION_END { .name = NULL }
/* clang-format on */

/* Rows, and where their struct lies inside the command's options struct. */
struct option_set {
    const struct option_row *rows;
    size_t offset;
};

struct command_example {
    const char *line, *meaning;
};

struct command_call {
    const void *options; /* the command's options struct, zeroed where nothing was given */
    char **arguments;    /* what is not an option; ends with NULL */
    size_t argument_count;
};

struct command {
    const char *name, *arguments, *summary, *details; /* arguments: as in the usage line, "TARGET [ARG...]" */
    const char *completes; /* for shells: words that an argument may be, or "@LIST": names of 'warpline list LIST'; NULL: files */
    const struct command_example *examples; /* ends with a NULL line */
    const struct option_set *option_sets;   /* ends with NULL rows; may be NULL */
    size_t options_size;
    size_t min_arguments, max_arguments;      /* SIZE_MAX: any number */
    bool stop_at_first_argument;              /* what follows the first argument belongs to the program (run TARGET --its-own) */
    bool (*ours_after)(const char *argument); /* with it: except after such a first argument (a workload by name); may be NULL */
    bool pass_options; /* options are arguments, in place (cc reads them, or passes them to clang); its rows are for help and
                          completion */
    bool hidden;       /* not in --help, man page or completion */
    enum exit_code (*run)(const struct command_call *call, struct error *err);
};

/* All commands in order of declaration; ends with NULL. */
extern const struct command *const cli_commands[];
const struct command *cli_find_command(const char *name);

/* Parses argv[0..count) by the command's rows into `options` (zeroed, options_size bytes). */
bool cli_parse(const struct command *command, int count, char **argv, void *options, struct command_call *call, bool *help,
               struct error *err);
/* Frees what REPEAT options own. */
void cli_options_clear(const struct command *command, void *options);

/* Help texts, from the declarations. */
void cli_print_help(FILE *out);
/* Prints text as paragraphs of at most `width` columns; the cursor stands at column `indent`, where further lines begin as well. A
 * line that begins with a blank is kept as it is, an empty line ends a paragraph. */
void cli_print_wrapped(FILE *out, const char *text, int indent, int width);
void cli_print_command_help(const struct command *command, FILE *out);
/* Calls `visit` for every option of the command, its own first. */
typedef void cli_option_visit(void *context, const struct option_row *row);
void cli_each_option(const struct command *command, cli_option_visit *visit, void *context);

/* The whole program: main calls this. */
int cli_main(int argc, char **argv);
#endif
