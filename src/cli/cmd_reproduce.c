/* cmd_reproduce.c - a paper's numbers beside ours. */
#include <string.h>

#include "base/interrupt.h"
#include "base/json.h"
#include "cli/common_options.h"
#include "study/reproduce.h"

struct reproduce_options {
    const char *size, *database;
    bool search;
    uint64_t jobs, timeout;
    struct output_options output;
};

static const char *const size_choices[] = { "tiny", "small", "medium", "paper", NULL };

static const struct option_row reproduce_rows[] = {
    OPTION_CHOICE(struct reproduce_options, size, "size", "SIZE", size_choices, "input size of the workloads (default small)"),
    OPTION_FLAG(struct reproduce_options, search, "search", "also search the best static limit of warps (table 3): 144 more runs"),
    OPTION_NUMBER(struct reproduce_options, jobs, "jobs", "N", "processes at a time (default: one per core)"),
    OPTION_NUMBER(struct reproduce_options, timeout, "timeout", "SECONDS", "give up on a run after this long"),
    OPTION_FILE(struct reproduce_options, database, "db", "FILE", "results database (default $WARPLINE_DB or warpline.db)"),
    OPTION_END
};
static const struct option_set reproduce_sets[] = { { reproduce_rows, 0 },
                                                    { output_option_rows, offsetof(struct reproduce_options, output) },
                                                    { NULL, 0 } };

static bool deliver(const struct reproduction *r, const struct reproduce_options *o, struct error *err)
{
    json_t *json = reproduction_json(r);
    if (!o->output.json || strcmp(o->output.json, "-") != 0)
        reproduction_print(json, stdout);
    struct text_buffer text = { 0 };
    json_write(json, &text);
    const bool ok = output_options_write(&o->output, text.text, text.length, err);
    text_buffer_clear(&text);
    json_decref(json);
    return ok;
}

static enum exit_code reproduce_run(const struct command_call *call, struct error *err)
{
    const struct reproduce_options *o = call->options;
    struct reproduction r = { .paper = call->arguments[0], .size = o->size, .search = o->search };
    const struct batch_options batch = { .study = "reproduce-000",
                                         .jobs = (uint32_t)o->jobs,
                                         .timeout_seconds = (uint32_t)o->timeout,
                                         .progress = true,
                                         .interrupted = interrupt_catch() };
    struct batch_summary summary = { 0 };
    struct database *database = NULL;
    const bool ok = reproduction_prepare(&r, err) &&
                    (database = database_open(o->database ? o->database : database_default_path(), DATABASE_WRITE, err)) != NULL &&
                    batch_run_all(database, r.runs, r.count, &batch, &summary, err) && deliver(&r, o, err);
    if (ok)
        (void)fprintf(stderr, "%zu runs: %zu run now, %zu already there, %zu failed%s\n", r.count, summary.run, summary.there,
                      summary.failed, summary.not_started ? "; interrupted: the same command goes on where it stopped" : "");
    reproduction_clear(&r);
    database_close(database);
    return !ok ? err->code : summary.failed || summary.not_started ? CODE_PROGRAM : CODE_OK;
}

const struct command command_reproduce = {
    .name = "reproduce",
    .arguments = "000",
    .summary = "run a paper's experiments and put its numbers beside ours",
    .details = "Runs what the paper ran on the workloads of its table, and prints every number that its text states with the one "
               "measured here. "
               "Results go into the database: an interrupted reproduction goes on where it stopped. docs/reproduction.md explains "
               "what differs.",
    .examples = (const struct command_example[]){ { "warpline reproduce 000", "Efficient Utilization of GPGPU Cache Hierarchy" },
                                                  { "warpline reproduce 000 --size tiny --json -", "a quick look, for scripts" },
                                                  { NULL, NULL } },
    .option_sets = reproduce_sets,
    .options_size = sizeof(struct reproduce_options),
    .min_arguments = 1,
    .max_arguments = 1,
    .run = reproduce_run,
};
