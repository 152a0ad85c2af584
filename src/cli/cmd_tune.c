/* cmd_tune.c - the best static limit of warps, by search. */
#include <stdlib.h>
#include <string.h>

#include "cli/common_options.h"
#include "study/tune.h"

struct tune_options {
    const char *size, *config, *policy;
    struct text_list set;
    struct study_options study;
    struct output_options output;
};

static const struct option_row tune_rows[] = {
    OPTION_CHOICE(struct tune_options, size, "size", "SIZE", size_choices, "input size of a built-in workload (default small)"),
    OPTION_TEXT(struct tune_options, config, "config", "NAME|FILE", "the machine ('warpline list configs')"),
    OPTION_TEXT(struct tune_options, policy, "policy", "A,B,...", "techniques to use beside the limit"),
    OPTION_REPEAT(struct tune_options, set, "set", "KEY=VALUE", "change one parameter ('warpline list params')"), OPTION_END
};
static const struct option_set tune_sets[] = { { tune_rows, 0 },
                                               { study_option_rows, offsetof(struct tune_options, study) },
                                               { output_option_rows, offsetof(struct tune_options, output) },
                                               { NULL, 0 } };

static void print_table(const struct tuning *t)
{
    const uint32_t best = tuning_best(t);
    double all = 0, cycles;
    (void)tuning_cycles(t, t->count, &all);
    (void)printf("%s: warps per scheduler\n%6s %14s %9s\n", t->target, "limit", "cycles", "speedup");
    for (uint32_t limit = 1; limit <= t->count; limit++) {
        if (tuning_cycles(t, limit, &cycles))
            (void)printf("%6u %14.0f %8.3fx%s\n", limit, cycles, cycles > 0 ? all / cycles : 0, limit == best ? "  best" : "");
        else
            (void)printf("%6u %14s\n", limit, "failed");
    }
}

static bool deliver(const struct tuning *t, const struct tune_options *o, struct error *err)
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
    const struct tune_options *o = call->options;
    if (strcmp(call->arguments[0], "swl") != 0)
        return error_set_code(err, CODE_USAGE, "tune: '%.100s' cannot be tuned; only swl can", call->arguments[0]), CODE_USAGE;
    struct text_list arguments = { 0 };
    for (size_t i = 2; i < call->argument_count; i++)
        text_list_add(&arguments, call->arguments[i]);
    struct tuning t = { .target = call->arguments[1],
                        .size = o->size,
                        .config = o->config,
                        .policies = o->policy,
                        .arguments = &arguments,
                        .set = &o->set,
                        .plugins = &o->study.plugin };
    const struct batch_options batch = study_options_batch(&o->study, NULL);
    struct batch_summary summary = { 0 };
    struct database *database = NULL;
    const bool ok = tuning_prepare(&t, err) && (database = study_options_open(&o->study, err)) != NULL &&
                    batch_run_all(database, t.runs, t.count, &batch, &summary, err) && deliver(&t, o, err);
    tuning_clear(&t);
    text_list_clear(&arguments);
    database_close(database);
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
    .option_sets = tune_sets,
    .options_size = sizeof(struct tune_options),
    .min_arguments = 2,
    .max_arguments = SIZE_MAX,
    .run = tune_run,
};
