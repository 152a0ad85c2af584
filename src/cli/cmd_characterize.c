/* cmd_characterize.c - what kind of program a target is to a cache. */
#include "cli/common_options.h"
#include "study/characterize.h"

struct characterize_options {
    const char *size, *config, *policy;
    struct text_list set;
    struct study_options study;
    struct output_options output;
};

static const struct option_row characterize_rows[] = {
    OPTION_CHOICE(struct characterize_options, size, "size", "SIZE", size_choices,
                  "input size of a built-in workload (default small)"),
    OPTION_TEXT(struct characterize_options, config, "config", "NAME|FILE", "the machine ('warpline list configs')"),
    OPTION_TEXT(struct characterize_options, policy, "policy", "A,B,...", "techniques to use in every run (default: none)"),
    OPTION_REPEAT(struct characterize_options, set, "set", "KEY=VALUE", "change one parameter ('warpline list params')"), OPTION_END
};
static const struct option_set characterize_sets[] = { { characterize_rows, 0 },
                                                       { study_option_rows, offsetof(struct characterize_options, study) },
                                                       { output_option_rows, offsetof(struct characterize_options, output) },
                                                       { NULL, 0 } };

static bool deliver(const struct characterization *c, const struct characterize_options *o, struct error *err)
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
    const struct characterize_options *o = call->options;
    struct text_list arguments = { 0 };
    for (size_t i = 1; i < call->argument_count; i++)
        text_list_add(&arguments, call->arguments[i]);
    struct characterization c = { .target = call->arguments[0],
                                  .size = o->size,
                                  .config = o->config,
                                  .policies = o->policy,
                                  .arguments = &arguments,
                                  .set = &o->set,
                                  .plugins = &o->study.plugin };
    const struct batch_options batch = study_options_batch(&o->study, NULL);
    struct batch_summary summary = { 0 };
    struct database *database = NULL;
    const bool ok = characterization_prepare(&c, err) && (database = study_options_open(&o->study, err)) != NULL &&
                    batch_run_all(database, c.runs, SCENARIO_COUNT, &batch, &summary, err) && deliver(&c, o, err);
    characterization_clear(&c);
    text_list_clear(&arguments);
    database_close(database);
    return ok ? CODE_OK : err->code;
}

const struct command command_characterize = {
    .name = "characterize",
    .arguments = "TARGET [-- ARG...]",
    .summary = "measure what kind of program a target is to a cache, and what the papers would call it",
    .details =
        "Runs the target without caches, without the L1, as configured, with a fully associative L1, with unbounded caches and "
        "with an unbounded L2, and "
        "reports performance, whose reuse the caches catch, refusals, misses by kind, reuse distances and counts, use of lines, "
        "and the "
        "class that papers 000, 001 and 003 would put it in, with the rule and the numbers that decided.",
    .examples = (const struct command_example[]){ { "warpline characterize --config gtx480-16k kmeans", "is kmeans thrashing?" },
                                                  { NULL, NULL } },
    .option_sets = characterize_sets,
    .options_size = sizeof(struct characterize_options),
    .min_arguments = 1,
    .max_arguments = SIZE_MAX,
    .run = characterize_run,
};
