/* cmd_help.c - `warpline help`: of a command, or the manual page and the shells' completions. */
#include <string.h>

#include "cli/cli.h"
#include "cli/generate.h"

struct help_options {
    bool man;
    const char *completion;
};

static const char *const shells[] = { "bash", "zsh", "fish", NULL };
static const struct option_row help_rows[] = {
    OPTION_FLAG(struct help_options, man, "man", "print the manual page (troff)"),
    OPTION_CHOICE(struct help_options, completion, "completion", "SHELL", shells, "print a completion script"), OPTION_END
};
static const struct option_set help_sets[] = { { help_rows, 0 }, { NULL, 0 } };

static enum exit_code help_run(const struct command_call *call, struct error *err)
{
    const struct help_options *options = call->options;
    const struct command *command = call->argument_count ? cli_find_command(call->arguments[0]) : NULL;
    if (call->argument_count && !command) {
        error_set_code(err, CODE_USAGE, "help: there is no command '%.100s'; see 'warpline --help'", call->arguments[0]);
        return err->code;
    }
    if (options->man)
        generate_man_page(stdout);
    else if (options->completion && !strcmp(options->completion, "bash"))
        generate_bash_completion(stdout);
    else if (options->completion && !strcmp(options->completion, "fish"))
        generate_fish_completion(stdout);
    else if (options->completion)
        generate_zsh_completion(stdout);
    else if (command)
        cli_print_command_help(command, stdout);
    else
        cli_print_help(stdout);
    return CODE_OK;
}

const struct command command_help = {
    .name = "help",
    .arguments = "[COMMAND]",
    .summary = "explain the program or one command",
    .examples = (const struct command_example[]){ { "warpline help list", "the same as warpline list --help" },
                                                  { "warpline help --man | man -l -", "read the manual page" },
                                                  { "source <(warpline help --completion bash)",
                                                    "complete commands, options and names (zsh and fish too)" },
                                                  { NULL, NULL } },
    .option_sets = help_sets,
    .options_size = sizeof(struct help_options),
    .max_arguments = 1,
    .run = help_run,
};
