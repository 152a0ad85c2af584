/* cmd_characterize.c - what kind of program a target is to a cache. */
#include <string.h>

#include "base/interrupt.h"
#include "base/json.h"
#include "cli/common_options.h"
#include "study/characterize.h"

struct characterize_options {
    const char *size, *config, *database;
    struct text_list set;
    uint64_t jobs, timeout;
    struct output_options output;
};

static const char *const size_choices[] = { "tiny", "small", "medium", "paper", NULL };

static const struct option_row characterize_rows[] = {
    OPTION_CHOICE(struct characterize_options, size, "size", "SIZE", size_choices,
                  "input size of a built-in workload (default small)"),
    OPTION_TEXT(struct characterize_options, config, "config", "NAME|FILE", "the machine ('warpline list configs')"),
    OPTION_REPEAT(struct characterize_options, set, "set", "KEY=VALUE", "change one parameter ('warpline list params')"),
    OPTION_NUMBER(struct characterize_options, jobs, "jobs", "N", "processes at a time (default: one per core)"),
    OPTION_NUMBER(struct characterize_options, timeout, "timeout", "SECONDS", "give up on a run after this long"),
    OPTION_FILE(struct characterize_options, database, "db", "FILE", "results database (default $WARPLINE_DB or warpline.db)"),
    OPTION_END
};
static const struct option_set characterize_sets[] = { { characterize_rows, 0 },
                                                       { output_option_rows, offsetof(struct characterize_options, output) },
                                                       { NULL, 0 } };

static bool deliver(const struct characterization *c, const struct characterize_options *o, struct error *err)
{
    json_t *json = characterization_json(c, err);
    if (!json)
        return false;
    if (!o->output.json || strcmp(o->output.json, "-") != 0)
        characterization_print(json, stdout);
    struct text_buffer text = { 0 };
    json_write(json, &text);
    const bool ok = output_options_write(&o->output, text.text, text.length, err);
    text_buffer_clear(&text);
    json_decref(json);
    return ok;
}

static enum exit_code characterize_run(const struct command_call *call, struct error *err)
{
    const struct characterize_options *o = call->options;
    struct text_list arguments = { 0 };
    for (size_t i = 1; i < call->argument_count; i++)
        text_list_add(&arguments, call->arguments[i]);
    struct characterization c = {
        .target = call->arguments[0], .size = o->size, .config = o->config, .arguments = &arguments, .set = &o->set
    };
    const struct batch_options batch = {
        .jobs = (uint32_t)o->jobs, .timeout_seconds = (uint32_t)o->timeout, .progress = true, .interrupted = interrupt_catch()
    };
    struct batch_summary summary = { 0 };
    struct database *database = NULL;
    const bool ok = characterization_prepare(&c, err) &&
                    (database = database_open(o->database ? o->database : database_default_path(), DATABASE_WRITE, err)) != NULL &&
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
        "Runs the target without caches, without the L1, as configured, with a fully associative L1 and with unbounded caches, and "
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
