/* cmd_characterize.c - what kind of program a target is to a cache. */
#include "cli/common_options.h"
#include "study/characterize.h"

static bool deliver(const struct characterization *c, const struct target_options *o, struct error *err)
{
    json_t *json = characterization_json(c, err);
    if (!json)
        return false;
    if (!output_options_take_stdout(&o->output))
        characterization_print(json, stdout);
    const bool ok = output_options_write_json(&o->output, json, err);
    json_decref(json);
    return ok;
}

static enum exit_code characterize_run(const struct command_call *call, struct error *err)
{
    const struct target_options *o = call->options;
    struct text_list arguments = { 0 };
    struct batch_summary summary = { 0 };
    struct characterization c = { .subject = target_options_subject(o, call, 0, &arguments) };
    const bool ok =
        characterization_prepare(&c, err) && target_options_run(o, c.runs, SCENARIO_COUNT, &summary, err) && deliver(&c, o, err);
    characterization_clear(&c);
    text_list_clear(&arguments);
    return ok ? CODE_OK : err->code;
}

const struct command command_characterize = {
    .name = "characterize",
    .arguments = "TARGET [-- ARG...]",
    .completes = "@workloads",
    .summary = "measure what kind of program a target is to a cache, and what the papers would call it",
    .details =
        "Runs the target without caches, without the L1, as configured, with a fully associative L1, with unbounded caches and "
        "with an unbounded L2, and "
        "reports performance, whose reuse the caches catch, refusals, misses by kind, reuse distances and counts, use of lines, "
        "and the "
        "class that papers 000, 001 and 003 would put it in, with the rule and the numbers that decided.",
    .examples = (const struct command_example[]){ { "warpline characterize --config gtx480-16k kmeans", "is kmeans thrashing?" },
                                                  { NULL, NULL } },
    .option_sets = target_option_sets,
    .options_size = sizeof(struct target_options),
    .min_arguments = 1,
    .max_arguments = SIZE_MAX,
    .run = characterize_run,
};
