/* cmd_tune.c - the best static limit of warps, by search. */
#include <stdlib.h>
#include <string.h>

#include "cli/common_options.h"
#include "study/tune.h"

static void print_table(const struct tuning *t)
{
    const uint32_t best = tuning_best(t);
    double all = 0, cycles;
    (void)tuning_cycles(t, t->count, &all);
    (void)printf("%s: warps per scheduler\n%6s %14s %9s\n", t->subject.target, "limit", "cycles", "speedup");
    for (uint32_t limit = 1; limit <= t->count; limit++) {
        if (tuning_cycles(t, limit, &cycles))
            (void)printf("%6u %14.0f %8.3fx%s\n", limit, cycles, cycles > 0 ? all / cycles : 0, limit == best ? "  best" : "");
        else
            (void)printf("%6u %14s\n", limit, "failed");
    }
}

static bool deliver(const struct tuning *t, const struct target_options *o, struct error *err)
{
    if (!output_options_take_stdout(&o->output))
        print_table(t);
    json_t *json = tuning_json(t);
    const bool ok = output_options_write_json(&o->output, json, err);
    json_decref(json);
    return ok;
}

static enum exit_code tune_run(const struct command_call *call, struct error *err)
{
    const struct target_options *o = call->options;
    if (strcmp(call->arguments[0], "swl") != 0)
        return error_set_code(err, CODE_USAGE, "tune: '%.100s' cannot be tuned; only swl can", call->arguments[0]), CODE_USAGE;
    struct text_list arguments = { 0 };
    struct batch_summary summary = { 0 };
    struct tuning t = { .subject = target_options_subject(o, call, 1, &arguments) };
    const bool ok = tuning_prepare(&t, err) && target_options_run(o, t.runs, t.count, &summary, err) && deliver(&t, o, err);
    tuning_clear(&t);
    text_list_clear(&arguments);
    return !ok ? err->code : summary.failed || summary.not_started ? CODE_PROGRAM : CODE_OK;
}

const struct command command_tune = {
    .name = "tune",
    .arguments = "swl TARGET [ARG...]",
    .summary = "find the best static limit of warps for a target (Best-SWL)",
    .details =
        "Runs the target once for every number of warps per scheduler and prints them all. Results go into the database, so that "
        "nothing is run twice.",
    .examples =
        (const struct command_example[]){
            { "warpline tune swl --config gtx480-16k kmeans", "the limit at which kmeans is fastest" },
            { "warpline tune swl --policy pric syrk", "the same with another technique beside it" },
            { NULL, NULL } },
    .option_sets = target_option_sets,
    .options_size = sizeof(struct target_options),
    .min_arguments = 2,
    .max_arguments = SIZE_MAX,
    .run = tune_run,
};
