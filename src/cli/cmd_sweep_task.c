/* cmd_sweep_task.c - what one task of a Slurm array job runs. Users do not call it. */
#include <stdlib.h>

#include "cli/cli.h"
#include "study/slurm.h"

static enum exit_code sweep_task_run(const struct command_call *call, struct error *err)
{
    char *end;
    const unsigned long long task = strtoull(call->arguments[1], &end, 10);
    if (*end || end == call->arguments[1]) {
        error_set_code(err, CODE_USAGE, "sweep-task: '%.40s' is not the number of an array task", call->arguments[1]);
        return err->code;
    }
    return slurm_work(call->arguments[0], task, err) ? CODE_OK : err->code;
}

const struct command command_sweep_task = {
    .name = "sweep-task",
    .arguments = "FOLDER TASK",
    .summary = "run one chunk of a sweep (started by Slurm)",
    .min_arguments = 2,
    .max_arguments = 2,
    .hidden = true,
    .run = sweep_task_run,
};
