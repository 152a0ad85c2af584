/* generate.c - the manual page, made from the declarations of commands and options. */
#include "cli/generate.h"

#include <ctype.h>
#include <string.h>

#include "base/text.h"
#include "base/version.h"
#include "cli/cli.h"

/* In troff a backslash and a dash have a meaning, and so does a dot or a quote at the start of a line. */
static void put_troff(FILE *out, const char *text)
{
    bool line_start = true;
    for (; *text; text++) {
        if (line_start && (*text == '.' || *text == '\''))
            (void)fputs("\\&", out);
        if (*text == '\\')
            (void)fputs("\\e", out);
        else if (*text == '-')
            (void)fputs("\\-", out);
        else
            (void)fputc(*text, out);
        line_start = *text == '\n';
    }
}

/* Paragraphs are filled to the reader's width. As in help.c, a line that begins with a blank is kept as it is, and an empty line
 * ends a paragraph. */
static void put_details(FILE *out, const char *text)
{
    bool kept = false;
    (void)fputs(".PP\n", out);
    while (*text) {
        const size_t length = strcspn(text, "\n");
        if ((*text == ' ') != kept)
            (void)fputs(kept ? ".fi\n" : ".nf\n", out);
        kept = *text == ' ';
        struct text_buffer line = { 0 };
        text_append(&line, "%.*s", (int)length, text);
        if (length)
            put_troff(out, line.text);
        else
            (void)fputs(".PP", out);
        (void)fputc('\n', out);
        text_buffer_clear(&line);
        text += length + (text[length] == '\n');
    }
    if (kept)
        (void)fputs(".fi\n", out);
}

static void man_option(void *context, const struct option_row *row)
{
    FILE *out = context;
    (void)fputs(".TP\n", out);
    if (row->letter)
        (void)fprintf(out, "\\fB\\-%c\\fR, ", row->letter);
    (void)fputs("\\fB\\-\\-", out);
    put_troff(out, row->name);
    (void)fputs("\\fR", out);
    if (row->value_name) {
        (void)fputs(" \\fI", out);
        put_troff(out, row->value_name);
        (void)fputs("\\fR", out);
    }
    (void)fputc('\n', out);
    put_troff(out, row->help);
    if (row->type == OPTION_TYPE_REPEAT)
        (void)fputs(" (may be given several times)", out);
    for (const char *const *choice = row->choices; choice && *choice; choice++) {
        (void)fputs(choice == row->choices ? " (one of " : ", ", out);
        put_troff(out, *choice);
        if (!choice[1])
            (void)fputc(')', out);
    }
    (void)fputc('\n', out);
}

static void man_command(FILE *out, const struct command *command)
{
    (void)fputs(".SS \"warpline ", out);
    put_troff(out, command->name);
    (void)fputs(" [OPTION...] ", out);
    put_troff(out, command->arguments ? command->arguments : "");
    (void)fputs("\"\n", out);
    (void)fputc(toupper((unsigned char)command->summary[0]), out);
    put_troff(out, command->summary + 1);
    (void)fputs(".\n", out);
    if (command->details)
        put_details(out, command->details);
    cli_each_option(command, man_option, out);
    (void)fputs(".TP\n\\fB\\-\\-help\\fR\nexplain the command\n", out);
    if (command->examples)
        (void)fputs(".PP\nExamples:\n", out);
    for (const struct command_example *e = command->examples; e && e->line; e++) {
        (void)fputs(".TP\n\\fC", out);
        put_troff(out, e->line);
        (void)fputs("\\fR\n", out);
        put_troff(out, e->meaning);
        (void)fputc('\n', out);
    }
}

void generate_man_page(FILE *out)
{
    (void)fprintf(out, ".TH WARPLINE 1 \"\" \"warpline %s\" \"User Commands\"\n", WARPLINE_VERSION);
    (void)fputs(".SH NAME\nwarpline \\- cycle\\-level simulator of GPU memory hierarchies\n"
                ".SH SYNOPSIS\n.B warpline\n\\fICOMMAND\\fR [\\fIOPTION\\fR...] [\\fIARGUMENT\\fR...]\n"
                ".SH DESCRIPTION\nwarpline runs CUDA programs, PTX kernels and recorded traces on a cycle\\-level model of a GPU\n"
                "and shows what cache\\-management techniques do to them.\n.SH COMMANDS\n",
                out);
    for (const struct command *const *c = cli_commands; *c; c++)
        if (!(*c)->hidden)
            man_command(out, *c);
    (void)fputs(
        ".SH EXIT STATUS\n.TP\n0\ndone\n.TP\n1\nthe program under simulation failed, a run of a study did, or a signal stopped it\n"
        ".TP\n2\nthe command line is wrong\n.TP\n3\na file, parameter or kernel is wrong\n"
        ".TP\n4\nwarpline is wrong (please report it), or the host has no memory, process or descriptor left\n.TP\n5\na plug\\-in "
        "is wrong\n"
        ".SH ENVIRONMENT\n.TP\nNO_COLOR\nset and not empty: no colours\n"
        ".TP\nTERM\nunset, empty or dumb: no colours and no moving line of progress\n"
        ".TP\nTMPDIR\nwhere files lie that nobody needs after the command (default /tmp)\n"
        ".TP\nWARPLINE_DB\nthe results database (default warpline.db in the working folder)\n"
        ".TP\nWARPLINE_LOG\nquiet, warn or note: how many messages go to standard error (default note)\n"
        ".TP\nWARPLINE_WORKLOADS\nthe folder of the built\\-in workloads' programs, when they are not beside warpline\n"
        ".TP\nWARPLINE_CPU_TRACES\nthe folder of the traces that cpu:NAME means (default cpu\\-traces)\n",
        out);
}
