#include <string.h>

#include "cli/cli.h"

static enum exit_code help_run(const struct command_call *call, struct error *err)
{
    if (call->argument_count == 0) {
        cli_print_help(stdout);
        return CODE_OK;
    }
    const struct command *command = cli_find_command(call->arguments[0]);
    if (!command) {
        error_set_code(err, CODE_USAGE, "help: there is no command '%.100s'; see 'warpline --help'", call->arguments[0]);
        return err->code;
    }
    cli_print_command_help(command, stdout);
    return CODE_OK;
}

const struct command command_help = {
    .name = "help",
    .arguments = "[COMMAND]",
    .summary = "explain the program or one command",
    .examples = (const struct command_example[]){ { "warpline help list", "the same as warpline list --help" }, { NULL, NULL } },
    .max_arguments = 1,
    .run = help_run,
};
