/* cmd_tune.c - the best value of a technique's parameter, by search. */
#include <stdlib.h>
#include <string.h>

#include "cli/common_options.h"
#include "study/tune.h"

struct tune_options {
    struct target_options target;
    const char *range;
};
static const struct option_row tune_rows[] = { OPTION_TEXT(struct tune_options, range, "range", "FIRST..LAST[..STEP]",
                                                           "values to try; all that the parameter allows unless given"),
                                               OPTION_END };
static const struct option_set tune_sets[] = { { tune_rows, 0 },
                                               { subject_option_rows, offsetof(struct tune_options, target) },
                                               { study_option_rows, offsetof(struct tune_options, target.study) },
                                               { output_option_rows, offsetof(struct tune_options, target.output) },
                                               { NULL, 0 } };

static void print_table(const struct tuning *t)
{
    const uint32_t best = tuning_best(t);
    double without = 0, cycles;
    const bool whole = tuning_cycles(t, t->count, &without);
    (void)printf("%s: policy.%s.%s\n%8s %14s %9s\n", t->subject.target, t->policy, t->parameter, "value", "cycles", "speedup");
    for (uint32_t i = 0; i < t->count; i++) {
        if (tuning_cycles(t, i, &cycles))
            (void)printf("%8llu %14.0f %8.3fx%s\n", (unsigned long long)tuning_value(t, i), cycles,
                         whole && cycles > 0 ? without / cycles : 0, i == best ? "  best" : "");
        else
            (void)printf("%8llu %14s\n", (unsigned long long)tuning_value(t, i), "failed");
    }
    if (whole)
        (void)printf("%8s %14.0f %8.3fx\n", "without", without, 1.0);
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
    const struct tune_options *all = call->options;
    const struct target_options *o = &all->target;
    struct text_list arguments = { 0 };
    struct batch_summary summary = { 0 };
    struct tuning t = { .subject = target_options_subject(o, call, 1, &arguments) };
    const bool ok = tuning_choose(&t, call->arguments[0], all->range, err) && tuning_prepare(&t, err) &&
                    target_options_run(o, t.runs, t.count + 1, &summary, err) && deliver(&t, o, err);
    tuning_clear(&t);
    text_list_clear(&arguments);
    return !ok ? err->code : summary.failed || summary.not_started ? CODE_PROGRAM : CODE_OK;
}

const struct command command_tune = {
    .name = "tune",
    .arguments = "POLICY[.PARAM] TARGET [ARG...]",
    .completes = "@workloads",
    .summary = "find the best value of a technique's parameter for a target (Best-SWL, PDP-best)",
    .details =
        "Runs the target once for every value of a whole-number parameter, and once without the technique, and prints them all. A\n"
        "technique may be named alone when it has one parameter to tune: swl (limit, all that the machine can use), pdp "
        "(distance),\n"
        "profiled-bypass (threshold). Results go into the database, so that nothing is run twice.",
    .examples =
        (const struct command_example[]){
            { "warpline tune swl --config gtx480-16k kmeans", "the limit of warps at which kmeans is fastest" },
            { "warpline tune swl --policy pric syrk", "the same with another technique beside it" },
            { "warpline tune pdp --config gtx480-003 syrk", "the best protecting distance, every one tried" },
            { "warpline tune dwt-cs.period --range 1000..9000..2000 syrk", "any whole number of a technique" },
            { NULL, NULL } },
    .option_sets = tune_sets,
    .options_size = sizeof(struct tune_options),
    .min_arguments = 2,
    .max_arguments = SIZE_MAX,
    .run = tune_run,
};
