/* generate.c - the manual page and shell completions, made from the declarations of commands and options. */
#include "cli/generate.h"

#include <ctype.h>
#include <string.h>

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
    if (command->details) {
        (void)fputs(".PP\n.nf\n", out);
        put_troff(out, command->details);
        (void)fputs("\n.fi\n", out);
    }
    cli_each_option(command, man_option, out);
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
    (void)fputs(".SH EXIT STATUS\n.TP\n0\ndone\n.TP\n1\nthe program under simulation failed\n.TP\n2\nthe command line is wrong\n"
                ".TP\n3\na file, parameter or kernel is wrong\n.TP\n4\nwarpline is wrong (please report it)\n"
                ".SH ENVIRONMENT\n.TP\nNO_COLOR\nset and not empty: no colours\n"
                ".TP\nWARPLINE_LOG\nquiet, warn or note: how many messages go to standard error (default note)\n",
                out);
}

static void bash_option(void *context, const struct option_row *row)
{
    (void)fprintf(context, " --%s", row->name);
}

static void bash_values(void *context, const struct option_row *row)
{
    FILE *out = context;
    if (row->type == OPTION_TYPE_CHOICE) {
        (void)fprintf(out, "        --%s) COMPREPLY=($(compgen -W \"", row->name);
        for (const char *const *choice = row->choices; *choice; choice++)
            (void)fprintf(out, "%s%s", choice == row->choices ? "" : " ", *choice);
        (void)fputs("\" -- \"$word\")); return ;;\n", out);
    }
}

/* Names of a list, and the completion of comma-separated names: what stands before the last comma or plus stays. */
static const char bash_names[] =
    "_warpline_names() { warpline list \"$1\" 2>/dev/null | grep -v '^#' | cut -d' ' -f1; }\n"
    "_warpline_several()\n{\n    local word=\"${COMP_WORDS[COMP_CWORD]}\" before=\"\"\n"
    "    case \"$word\" in *[,+]*) before=\"${word%\"${word##*[,+]}\"}\" ;; esac\n"
    "    COMPREPLY=($(compgen -P \"$before\" -W \"$(_warpline_names \"$1\")\" -- \"${word#\"$before\"}\"))\n}\n";

static void bash_arguments(FILE *out, const struct command *command)
{
    if (command->completes && command->completes[0] == '@')
        (void)fprintf(out, "    %s) arguments=\"$(_warpline_names %s)\" ;;\n", command->name, command->completes + 1);
    else if (command->completes)
        (void)fprintf(out, "    %s) arguments=\"%s\" ;;\n", command->name, command->completes);
}

void generate_bash_completion(FILE *out)
{
    (void)fprintf(out, "# bash completion for warpline; made by 'warpline help --completion bash'\n%s", bash_names);
    (void)fputs(
        "_warpline()\n{\n"
        "    local arguments=\"\" word=\"${COMP_WORDS[COMP_CWORD]}\" previous=\"${COMP_WORDS[COMP_CWORD-1]}\" options=\"\"\n"
        "    if [ \"$COMP_CWORD\" -eq 1 ]; then\n        COMPREPLY=($(compgen -W \"--help --version",
        out);
    for (const struct command *const *c = cli_commands; *c; c++)
        if (!(*c)->hidden)
            (void)fprintf(out, " %s", (*c)->name);
    (void)fputs("\" -- \"$word\"))\n        return\n    fi\n    case \"$previous\" in\n"
                "        --config) COMPREPLY=($(compgen -W \"$(_warpline_names configs)\" -- \"$word\")"
                " $(compgen -f -- \"$word\")); return ;;\n"
                "        --policy | --policies) _warpline_several policies; return ;;\n"
                "        --workloads) _warpline_several workloads; return ;;\n"
                "        --metric) COMPREPLY=($(compgen -W \"speedup cycles $(_warpline_names stats)\" -- \"$word\")); return ;;\n"
                "        --set) COMPREPLY=($(compgen -W \"$(_warpline_names params)\" -S = -- \"$word\")); return ;;\n"
                "    esac\n    case \"${COMP_WORDS[1]}\" in\n",
                out);
    for (const struct command *const *c = cli_commands; *c; c++)
        if (!(*c)->hidden)
            bash_arguments(out, *c);
    (void)fputs("    esac\n    case \"${COMP_WORDS[1]}:$previous\" in\n", out);
    for (const struct command *const *c = cli_commands; *c; c++) {
        if ((*c)->hidden)
            continue;
        (void)fprintf(out, "    %s:*) options=\"--help", (*c)->name);
        cli_each_option(*c, bash_option, out);
        (void)fputs("\" ;;\n", out);
    }
    (void)fputs("    esac\n    case \"$previous\" in\n", out);
    for (const struct command *const *c = cli_commands; *c; c++)
        if (!(*c)->hidden)
            cli_each_option(*c, bash_values, out);
    (void)fputs("    esac\n    case \"$word\" in\n        -*) COMPREPLY=($(compgen -W \"$options\" -- \"$word\")) ;;\n"
                "        *) COMPREPLY=($(compgen -W \"$arguments\" -- \"$word\") $(compgen -f -- \"$word\")) ;;\n    "
                "esac\n}\ncomplete -o filenames -F _warpline warpline\n",
                out);
}

/* For _arguments the characters [ ] : have a meaning. */
static void put_zsh(FILE *out, const char *text)
{
    for (; *text; text++) {
        if (*text == '\'')
            (void)fputs("'\\''", out);
        else {
            if (strchr("[]:", *text))
                (void)fputc('\\', out);
            (void)fputc(*text, out);
        }
    }
}

static void zsh_option(void *context, const struct option_row *row)
{
    FILE *out = context;
    (void)fprintf(out, " \\\n            '%s--%s[", row->type == OPTION_TYPE_REPEAT ? "*" : "", row->name);
    put_zsh(out, row->help);
    (void)fputc(']', out);
    if (row->value_name) {
        (void)fputc(':', out);
        put_zsh(out, row->value_name);
        (void)fputc(':', out);
    }
    if (row->type == OPTION_TYPE_FILE)
        (void)fputs("_files", out);
    for (const char *const *choice = row->choices; choice && *choice; choice++)
        (void)fprintf(out, "%s%s%s", choice == row->choices ? "(" : " ", *choice, choice[1] ? "" : ")");
    (void)fputc('\'', out);
}

void generate_zsh_completion(FILE *out)
{
    (void)fputs("#compdef warpline\n# zsh completion for warpline; made by 'warpline help --completion zsh'\n_warpline()\n{\n"
                "    local -a commands\n    commands=(",
                out);
    for (const struct command *const *c = cli_commands; *c; c++) {
        if ((*c)->hidden)
            continue;
        (void)fprintf(out, "\n        '%s:", (*c)->name);
        put_zsh(out, (*c)->summary);
        (void)fputc('\'', out);
    }
    (void)fputs(")\n    if (( CURRENT == 2 )); then\n        _describe command commands\n        return\n    fi\n"
                "    local command=$words[2]\n    shift words\n    (( CURRENT-- ))\n    case $command in\n",
                out);
    for (const struct command *const *c = cli_commands; *c; c++) {
        if ((*c)->hidden)
            continue;
        (void)fprintf(out, "        %s) _arguments '--help[show help]'", (*c)->name);
        cli_each_option(*c, zsh_option, out);
        if ((*c)->completes && (*c)->completes[0] != '@')
            (void)fprintf(out, " \\\n            '1:argument:(%s)' '*:argument:_files' ;;\n", (*c)->completes);
        else
            (void)fputs(" \\\n            '*:argument:_files' ;;\n", out);
    }
    (void)fputs("    esac\n}\n_warpline \"$@\"\n", out);
}
