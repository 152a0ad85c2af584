/* cmd_reproduce.c - a paper's numbers beside ours. */
#include <string.h>

#include "base/atomic_file.h"
#include "base/log.h"
#include "cli/common_options.h"
#include "papers/reproduce.h"

struct reproduce_options {
    const char *size, *policy, *html;
    bool search;
    struct study_options study;
    struct output_options output;
};

static const struct option_row reproduce_rows[] = {
    OPTION_CHOICE(struct reproduce_options, size, "size", "SIZE", size_choices,
                  "input size of all workloads (default small, but some have their own)"),
    OPTION_FLAG(struct reproduce_options, search, "search", "also search what the paper searched (000: 144 more runs for table 3)"),
    OPTION_TEXT(struct reproduce_options, policy, "policy", "A,B,...",
                "techniques of your own choice, together, as one more column of the figures of speedups"),
    OPTION_FILE(struct reproduce_options, html, "html", "FILE", "write claims and figures as a page to look at"), OPTION_END
};
static const struct option_set reproduce_sets[] = { { reproduce_rows, 0 },
                                                    { study_option_rows, offsetof(struct reproduce_options, study) },
                                                    { output_option_rows, offsetof(struct reproduce_options, output) },
                                                    { NULL, 0 } };

static bool write_page(const json_t *json, const char *path, struct error *err)
{
    struct text_buffer html = { 0 };
    reproduction_page(json, &html);
    const bool ok = atomic_file_write(path, html.text, html.length, err);
    text_buffer_clear(&html);
    return ok;
}

static bool deliver(const struct reproduction *r, const struct reproduce_options *o, struct error *err)
{
    json_t *json = reproduction_json(r);
    if (!output_options_take_stdout(&o->output))
        reproduction_print(json, stdout);
    const bool ok = output_options_write_json(&o->output, json, err) && (!o->html || write_page(json, o->html, err));
    json_decref(json);
    return ok;
}

static enum exit_code reproduce_run(const struct command_call *call, struct error *err)
{
    const struct reproduce_options *o = call->options;
    const struct paper *paper = paper_find(call->arguments[0], err);
    if (!paper)
        return err->code;
    if (o->size && strcmp(o->size, "tiny") == 0)
        log_line(LOG_NOTE, "tiny inputs do not fill the machine: this shows that everything runs, and nothing about the paper");
    struct reproduction r = {
        .paper = paper, .size = o->size, .search = o->search, .policies = o->policy, .plugins = &o->study.plugin
    };
    char study[32];
    (void)snprintf(study, sizeof study, "reproduce-%s", paper->name);
    const struct batch_options batch = study_options_batch(&o->study, study);
    struct batch_summary summary = { 0 };
    struct database *database = NULL;
    const bool ok = (!o->html || atomic_file_check(o->html, err)) && reproduction_prepare(&r, err) &&
                    (database = study_options_open(&o->study, err)) != NULL &&
                    batch_run_all(database, r.runs, r.count, &batch, &summary, err) && deliver(&r, o, err);
    if (ok)
        batch_print_summary(r.count, &summary);
    reproduction_clear(&r);
    database_close(database);
    return !ok ? err->code : summary.failed || summary.not_started ? CODE_PROGRAM : CODE_OK;
}

const struct command command_reproduce = {
    .name = "reproduce",
    .completes = "000 001 002.2 002.3 002.4 002.5 002.6 003 004",
    .arguments = "PAPER",
    .summary = "run a paper's experiments and put its numbers beside ours",
    .details = "Runs what the paper ran on the workloads of its table, and prints every number that its text states with the one "
               "measured here. "
               "Results go into the database: an interrupted reproduction goes on where it stopped. The pages "
               "docs/reproduction*.md explain what differs. A PAPER is one of:\n\n"
               "  000    Efficient Utilization of GPGPU Cache Hierarchy (DWT-PRIC)\n"
               "  001    Mascar: Speeding up GPU Warps\n"
               "  002.2  Arunkumar's thesis, chapter 2: ReMAP\n"
               "  002.3  chapter 3: ID-Cache\n"
               "  002.4  chapter 4: LATTE-CC\n"
               "  002.5  chapter 5: MCM-GPU\n"
               "  002.6  chapter 6: GPUJoule and EDPSE\n"
               "  003    Locality-Driven Dynamic Bypassing (Decoupled L1D)\n"
               "  004    Linebacker: Victim Cache Lines in Idle Register Files\n",
    .examples =
        (const struct command_example[]){ { "warpline reproduce 000", "its numbers beside ours, some minutes of a processor" },
                                          { "warpline reproduce 000 --html 000.html", "the same, with its figures drawn" },
                                          { "warpline reproduce 000 --size tiny --json -", "a quick look, for scripts" },
                                          { NULL, NULL } },
    .option_sets = reproduce_sets,
    .options_size = sizeof(struct reproduce_options),
    .min_arguments = 1,
    .max_arguments = 1,
    .run = reproduce_run,
};
