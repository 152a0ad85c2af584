/* help.c - `--help` of every command, made from its declaration. */
#include <string.h>

#include "base/version.h"
#include "cli/cli.h"

enum { TEXT_WIDTH = 78, OPTION_INDENT = 26, COMMAND_INDENT = 17 };

static int put_word(FILE *out, const char *word, int length, int column, int indent, int width)
{
    if (column > indent && column + 1 + length > width) {
        (void)fprintf(out, "\n%*s", indent, "");
        column = indent;
    } else if (column > indent) {
        (void)fputc(' ', out);
        column++;
    }
    (void)fprintf(out, "%.*s", length, word);
    return column + length;
}

void cli_print_wrapped(FILE *out, const char *text, int indent, int width)
{
    int column = indent;
    while (*text) {
        const int line = (int)strcspn(text, "\n");
        if (line == 0 || *text == ' ') {
            (void)fprintf(out, "%s%.*s\n%*s", column > indent ? "\n" : "", line, text, indent, "");
            column = indent;
        }
        for (const char *word = text; line > 0 && *text != ' ' && word < text + line;) {
            const int length = (int)strcspn(word, " \n");
            if (length > 0)
                column = put_word(out, word, length, column, indent, width);
            word += length + 1;
        }
        text += line + (text[line] == '\n');
    }
    if (column > indent)
        (void)fputc('\n', out);
}

static void print_wrapped(FILE *out, const char *text, int indent)
{
    cli_print_wrapped(out, text, indent, TEXT_WIDTH);
}

static void print_option(void *context, const struct option_row *row)
{
    FILE *out = context;
    int used = row->letter ? fprintf(out, "  -%c, --%s", row->letter, row->name) : fprintf(out, "  --%s", row->name);
    if (row->value_name)
        used += fprintf(out, " %s", row->value_name);
    if (used >= OPTION_INDENT)
        (void)fprintf(out, "\n%*s", OPTION_INDENT, "");
    else
        (void)fprintf(out, "%*s", OPTION_INDENT - used, "");
    print_wrapped(out, row->help, OPTION_INDENT);
    if (row->type == OPTION_TYPE_CHOICE) {
        (void)fprintf(out, "%*sone of:", OPTION_INDENT, "");
        for (const char *const *choice = row->choices; *choice; choice++)
            (void)fprintf(out, " %s", *choice);
        (void)fputc('\n', out);
    }
    if (row->type == OPTION_TYPE_REPEAT)
        (void)fprintf(out, "%*s(may be given several times)\n", OPTION_INDENT, "");
}

void cli_print_command_help(const struct command *command, FILE *out)
{
    (void)fprintf(out, "warpline %s: ", command->name);
    print_wrapped(out, command->summary, 0);
    (void)fprintf(out, "\nUsage: warpline %s [OPTION...]%s%s\n", command->name, command->arguments ? " " : "",
                  command->arguments ? command->arguments : "");
    if (command->details) {
        (void)fputc('\n', out);
        print_wrapped(out, command->details, 0);
    }
    (void)fprintf(out, "\nOptions:\n");
    cli_each_option(command, print_option, out);
    (void)fprintf(out, "  --help%*sthis text\n", OPTION_INDENT - 8, "");
    if (command->examples)
        (void)fprintf(out, "\nExamples:\n");
    for (const struct command_example *e = command->examples; e && e->line; e++)
        (void)fprintf(out, "  %s\n      %s\n", e->line, e->meaning);
}

void cli_print_help(FILE *out)
{
    (void)fprintf(out,
                  "warpline %s: a fast, deterministic, cycle-level simulator of GPU memory\nhierarchies\n\n"
                  "Usage: warpline COMMAND [OPTION...] [ARGUMENT...]\n\nCommands:\n",
                  WARPLINE_VERSION);
    for (const struct command *const *c = cli_commands; *c; c++)
        if (!(*c)->hidden) {
            (void)fprintf(out, "  %-14s ", (*c)->name);
            print_wrapped(out, (*c)->summary, COMMAND_INDENT);
        }
    (void)fputc('\n', out);
    print_wrapped(out,
                  "To begin: 'warpline run syrk' runs a built-in workload, 'warpline list workloads' shows them all. "
                  "'warpline COMMAND --help' explains a command, with examples; 'warpline --version' prints the version.\n\n"
                  "Exit codes: 0 done, 1 the program under simulation failed, 2 wrong command line, 3 wrong input, "
                  "4 internal error or a host without memory, 5 a plug-in's fault.\n",
                  0);
}
