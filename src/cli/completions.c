/* completions.c - scripts with which bash, zsh and fish complete commands, options and names, made from the declarations. */
#include <string.h>

#include "cli/cli.h"
#include "cli/generate.h"

/* Options whose values are names of a list ('warpline list LIST'). */
struct named_option {
    const char *option, *list;
    bool several; /* joined by commas and plus signs */
};
static const struct named_option named_options[] = { { "config", "configs", false },   { "policy", "policies", true },
                                                     { "policies", "policies", true }, { "workloads", "workloads", true },
                                                     { "metric", "stats", false },     { "set", "params", false } };

static const struct named_option *find_named(const struct option_row *row)
{
    for (size_t i = 0; i < sizeof named_options / sizeof *named_options; i++)
        if (!strcmp(named_options[i].option, row->name))
            return &named_options[i];
    return NULL;
}

/* A file, or a plug-in, which may be given several times. */
static bool takes_file(const struct option_row *row)
{
    return row->type == OPTION_TYPE_FILE || !strcmp(row->name, "plugin");
}

/* The list that a command's arguments are from; NULL: `completes` are the words themselves, or there is none. */
static const char *argument_list(const struct command *command)
{
    return command->completes && command->completes[0] == '@' ? command->completes + 1 : NULL;
}

static void put_words(FILE *out, const char *const *words)
{
    for (const char *const *word = words; *word; word++)
        (void)fprintf(out, "%s%s", word == words ? "" : " ", *word);
}

static void put_command_names(FILE *out)
{
    for (const struct command *const *c = cli_commands; *c; c++)
        if (!(*c)->hidden)
            (void)fprintf(out, " %s", (*c)->name);
}

/* ---- bash ----------------------------------------------------------------------------------------------------------- */

static void bash_option(void *context, const struct option_row *row)
{
    (void)fprintf(context, " --%s", row->name);
}

static void bash_values(void *context, const struct option_row *row)
{
    FILE *out = context;
    if (row->type == OPTION_TYPE_CHOICE) {
        (void)fprintf(out, "        --%s) COMPREPLY=($(compgen -W \"", row->name);
        put_words(out, row->choices);
        (void)fputs("\" -- \"$word\")); return ;;\n", out);
    }
}

/* Names of a list, the completion of comma-separated names (what stands before the last comma or plus stays), and files, whose
 * names may hold blanks. */
static const char bash_names[] =
    "_warpline_names() { warpline list \"$1\" 2>/dev/null | grep -v '^#' | cut -d' ' -f1; }\n"
    "_warpline_several()\n{\n    local word=\"${COMP_WORDS[COMP_CWORD]}\" before=\"\"\n"
    "    case \"$word\" in *[,+]*) before=\"${word%\"${word##*[,+]}\"}\" ;; esac\n"
    "    COMPREPLY=($(compgen -P \"$before\" -W \"$(_warpline_names \"$1\")\" -- \"${word#\"$before\"}\"))\n}\n"
    "_warpline_files() { local IFS=$'\\n'; COMPREPLY+=($(compgen -f -- \"${COMP_WORDS[COMP_CWORD]}\")); }\n";

static void bash_arguments(FILE *out, const struct command *command)
{
    if (argument_list(command))
        (void)fprintf(out, "    %s) arguments=\"$(_warpline_names %s)\" ;;\n", command->name, argument_list(command));
    else if (command->completes)
        (void)fprintf(out, "    %s) files=\"\" arguments=\"%s\" ;;\n", command->name, command->completes);
}

void generate_bash_completion(FILE *out)
{
    (void)fprintf(out, "# bash completion for warpline; made by 'warpline help --completion bash'\n%s", bash_names);
    (void)fputs("_warpline()\n{\n"
                "    local arguments=\"\" files=yes word=\"${COMP_WORDS[COMP_CWORD]}\" previous=\"${COMP_WORDS[COMP_CWORD-1]}\" "
                "options=\"\"\n"
                "    if [ \"$COMP_CWORD\" -eq 1 ]; then\n        COMPREPLY=($(compgen -W \"--help --version",
                out);
    put_command_names(out);
    (void)fputs(
        "\" -- \"$word\"))\n        return\n    fi\n    case \"$previous\" in\n"
        "        --config) COMPREPLY=($(compgen -W \"$(_warpline_names configs)\" -- \"$word\")); _warpline_files; return ;;\n"
        "        --policy | --policies) _warpline_several policies; return ;;\n"
        "        --workloads) _warpline_several workloads; return ;;\n"
        "        --metric) COMPREPLY=($(compgen -W \"speedup cycles $(_warpline_names stats)\" -- \"$word\")); return ;;\n"
        "        --set) COMPREPLY=($(compgen -W \"$(_warpline_names params)\" -S = -- \"$word\"))\n"
        "            compopt -o nospace 2>/dev/null; return ;;\n"
        "    esac\n    case \"${COMP_WORDS[1]}\" in\n",
        out);
    for (const struct command *const *c = cli_commands; *c; c++)
        if (!(*c)->hidden)
            bash_arguments(out, *c);
    (void)fputs("    help) files=\"\" arguments=\"", out);
    put_command_names(out);
    (void)fputs("\" ;;\n    esac\n    case \"${COMP_WORDS[1]}:$previous\" in\n", out);
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
                "        *) COMPREPLY=($(compgen -W \"$arguments\" -- \"$word\"))\n"
                "            case \"$files$previous\" in yes* | -*) _warpline_files ;; esac ;;\n    "
                "esac\n}\ncomplete -o filenames -F _warpline warpline\n",
                out);
}

/* ---- zsh ------------------------------------------------------------------------------------------------------------ */

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
    const struct named_option *named = find_named(row);
    if (named)
        (void)fprintf(out, " _warpline_names %s%s", named->list, named->several ? " several" : "");
    else if (takes_file(row))
        (void)fputs("_files", out);
    else if (row->choices) {
        (void)fputc('(', out);
        put_words(out, row->choices);
        (void)fputc(')', out);
    }
    (void)fputc('\'', out);
}

static const char zsh_names[] =
    "_warpline_names()\n{\n    local -a names\n"
    "    names=(${(f)\"$(warpline list $1 2>/dev/null | grep -v '^#' | cut -d' ' -f1)\"})\n"
    "    if [[ $2 == several ]]; then\n        compset -P '*[,+]'\n        compadd -S '' -- $names\n"
    "    elif [[ $1 == params ]]; then\n        compadd -S = -- $names\n    else\n        compadd -- $names\n    fi\n"
    "    if [[ $1 == (configs|workloads) && $2 != several ]]; then _files; fi\n}\n";

static void zsh_arguments(FILE *out, const struct command *command)
{
    if (argument_list(command))
        (void)fprintf(out, " \\\n            '1:argument: _warpline_names %s' '*:argument:_files' ;;\n", argument_list(command));
    else if (command->completes)
        (void)fprintf(out, " \\\n            '1:argument:(%s)' '*:argument:_files' ;;\n", command->completes);
    else if (strcmp(command->name, "help") == 0) {
        (void)fputs(" \\\n            '1:command:(", out);
        put_command_names(out);
        (void)fputs(")' ;;\n", out);
    } else
        (void)fputs(" \\\n            '*:argument:_files' ;;\n", out);
}

void generate_zsh_completion(FILE *out)
{
    (void)fprintf(out, "#compdef warpline\n# zsh completion for warpline; made by 'warpline help --completion zsh'\n%s", zsh_names);
    (void)fputs("_warpline()\n{\n    local -a commands\n    commands=(", out);
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
        zsh_arguments(out, *c);
    }
    (void)fputs("    esac\n}\n_warpline \"$@\"\n", out);
}

/* ---- fish ----------------------------------------------------------------------------------------------------------- */

static const char fish_names[] =
    "function __warpline_names\n"
    "    warpline list $argv[1] 2>/dev/null | string match -v '#*' | string replace -r ' .*' ''\nend\n"
    "# Names with commas and plus signs between them: what stands before the last one stays.\n"
    "function __warpline_several\n    set -l before (string replace -r '[^,+]*$' '' -- (commandline -ct))\n"
    "    for name in (__warpline_names $argv[1])\n        echo $before$name\n    end\nend\n"
    "function __warpline_command\n    set -l words (commandline -opc)\n"
    "    test (count $words) -gt 1; and test \"$words[2]\" = $argv[1]\nend\n"
    "function __warpline_begins\n    test (count (commandline -opc)) -eq 1\nend\n";

static void put_fish(FILE *out, const char *text)
{
    for (; *text; text++) {
        if (strchr("'\\", *text))
            (void)fputc('\\', out);
        (void)fputc(*text, out);
    }
}

struct fish_place {
    FILE *out;
    const char *command;
};

static void fish_option(void *context, const struct option_row *row)
{
    const struct fish_place *place = context;
    FILE *out = place->out;
    const struct named_option *named = find_named(row);
    (void)fprintf(out, "complete -c warpline -n '__warpline_command %s' -l %s", place->command, row->name);
    if (row->letter)
        (void)fprintf(out, " -s %c", row->letter);
    if (named && strcmp(named->list, "configs") == 0)
        (void)fputs(" -r -F", out);
    else if (row->value_name)
        (void)fputs(takes_file(row) ? " -r -F" : " -x", out);
    if (named && strcmp(named->list, "params") == 0)
        (void)fputs(" -a '(__warpline_names params)='", out);
    else if (named)
        (void)fprintf(out, " -a '(%s %s)'", named->several ? "__warpline_several" : "__warpline_names", named->list);
    if (row->choices) {
        (void)fputs(" -a '", out);
        put_words(out, row->choices);
        (void)fputc('\'', out);
    }
    (void)fputs(" -d '", out);
    put_fish(out, row->help);
    (void)fputs("'\n", out);
}

static void fish_command(FILE *out, const struct command *command)
{
    (void)fprintf(out, "complete -c warpline -f -n __warpline_begins -a %s -d '", command->name);
    put_fish(out, command->summary);
    (void)fputs("'\n", out);
    struct fish_place place = { out, command->name };
    cli_each_option(command, fish_option, &place);
    (void)fprintf(out, "complete -c warpline -n '__warpline_command %s' -l help -d 'explain the command'\n", command->name);
    if (argument_list(command))
        (void)fprintf(out, "complete -c warpline -n '__warpline_command %s' -a '(__warpline_names %s)'\n", command->name,
                      argument_list(command));
    else if (command->completes)
        (void)fprintf(out, "complete -c warpline -n '__warpline_command %s' -a '%s'\n", command->name, command->completes);
}

void generate_fish_completion(FILE *out)
{
    (void)fprintf(out, "# fish completion for warpline; made by 'warpline help --completion fish'\n%s", fish_names);
    (void)fputs("complete -c warpline -n __warpline_begins -l help -d 'explain the program'\n"
                "complete -c warpline -n __warpline_begins -l version -d 'print the version'\n",
                out);
    for (const struct command *const *c = cli_commands; *c; c++)
        if (!(*c)->hidden)
            fish_command(out, *c);
    (void)fputs("complete -c warpline -f -n '__warpline_command help' -a '", out);
    put_command_names(out);
    (void)fputs("'\n", out);
}
