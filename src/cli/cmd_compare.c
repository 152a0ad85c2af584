/* cmd_compare.c - many techniques on many workloads, as a table. */
#include <stdlib.h>
#include <string.h>

#include "base/atomic_file.h"
#include "cli/common_options.h"
#include "study/catalog.h"
#include "study/compare.h"
#include "study/report.h"
#include "study/workload_list.h"

struct compare_options {
    const char *policies, *workloads, *size, *config, *metric, *csv, *html, *name;
    struct text_list set;
    struct study_options study;
    struct output_options output;
};

static const struct option_row compare_rows[] = {
    OPTION_TEXT(
        struct compare_options, policies, "policies", "A,B,C+D",
        "one column each; C+D is both together; 'none' is the bare machine, 'best-swl' is swl with the limit that is fastest"),
    OPTION_TEXT(struct compare_options, workloads, "workloads", "X,Y|all", "one row each: built-in workloads, programs or traces"),
    OPTION_CHOICE(struct compare_options, size, "size", "SIZE", size_choices, "input size of built-in workloads (default small)"),
    OPTION_TEXT(struct compare_options, config, "config", "NAME|FILE", "the machine ('warpline list configs')"),
    OPTION_REPEAT(struct compare_options, set, "set", "KEY=VALUE", "change one parameter ('warpline list params')"),
    OPTION_TEXT(struct compare_options, metric, "metric", "NAME", "speedup (default), or a counter or ratio such as l1.miss_rate"),
    OPTION_TEXT(struct compare_options, name, "study", "NAME", "name under which the runs can be found again"),
    OPTION_FILE(struct compare_options, html, "html", "FILE",
                "write the comparison as a page to look at ('warpline report' makes one of everything)"),
    OPTION_FILE(struct compare_options, csv, "csv", "FILE", "write the table as CSV"),
    OPTION_END
};
static const struct option_set compare_sets[] = { { compare_rows, 0 },
                                                  { study_option_rows, offsetof(struct compare_options, study) },
                                                  { output_option_rows, offsetof(struct compare_options, output) },
                                                  { NULL, 0 } };

static bool fill(struct comparison *c, const struct compare_options *o, struct error *err)
{
    if (!o->policies || !o->workloads)
        return error_set_code(err, CODE_USAGE, "compare needs --policies A,B and --workloads X,Y (or --workloads all)");
    if (!text_list_add_parts(&c->columns, o->policies) || !c->columns.count)
        return error_set_code(err, CODE_USAGE, "--policies: '%.100s' has an empty name in it", o->policies);
    if (strcmp(o->workloads, "all") == 0) {
        for (const struct workload *w = workload_list; w->name; w++)
            text_list_add(&c->workloads, w->name);
    } else if (!text_list_add_parts(&c->workloads, o->workloads) || !c->workloads.count) {
        return error_set_code(err, CODE_USAGE, "--workloads: '%.100s' has an empty name in it", o->workloads);
    }
    c->size = o->size;
    c->config = o->config;
    c->set = &o->set;
    c->plugins = &o->study.plugin;
    c->metric = o->metric ? o->metric : "speedup";
    return comparison_is_speedup(c) || catalog_check_metric(c->metric, c->plugins, err);
}

static bool write_page(const struct comparison *c, const char *path, const char *title, struct database *d, struct error *err)
{
    json_t *keys = json_object();
    for (size_t i = 0; i < c->workloads.count * c->columns.count; i++)
        json_object_set_new(keys, c->runs[i].job.key, json_string(c->columns.item[i % c->columns.count]));
    struct text_buffer page = { 0 }, finding = { 0 };
    comparison_finding(c, &finding);
    const bool ok =
        report_make(d, NULL, keys, title, finding.text, &page, err) && atomic_file_write(path, page.text, page.length, err);
    text_buffer_clear(&page);
    text_buffer_clear(&finding);
    json_decref(keys);
    return ok;
}

static bool write_outputs(const struct comparison *c, const struct compare_options *o, struct database *d, struct error *err)
{
    bool ok = !o->html || write_page(c, o->html, o->name ? o->name : "Techniques compared", d, err);
    if (ok && o->csv) {
        struct text_buffer csv = { 0 };
        comparison_csv(c, &csv);
        ok = atomic_file_write(o->csv, csv.text, csv.length, err);
        text_buffer_clear(&csv);
    }
    if (ok && o->output.json) {
        json_t *json = comparison_json(c);
        ok = output_options_write_json(&o->output, json, err);
        json_decref(json);
    }
    return ok;
}

static enum exit_code compare_run(const struct command_call *call, struct error *err)
{
    const struct compare_options *o = call->options;
    struct comparison c = { 0 };
    struct batch_summary summary;
    struct database *database = NULL;
    const struct batch_options batch = study_options_batch(&o->study, o->name);
    bool ok = fill(&c, o, err) && (!o->csv || atomic_file_check(o->csv, err)) && (!o->html || atomic_file_check(o->html, err)) &&
              comparison_prepare(&c, err) && (database = study_options_open(&o->study, err)) != NULL &&
              comparison_run(&c, database, &batch, &summary, err);
    if (ok) {
        if (!output_options_take_stdout(&o->output))
            comparison_print(&c, stdout);
        batch_print_summary(c.run_count, &summary);
        ok = write_outputs(&c, o, database, err);
    }
    const bool all_well = ok && !summary.failed && !summary.not_started;
    comparison_clear(&c);
    database_close(database);
    return !ok ? err->code : all_well ? CODE_OK : CODE_PROGRAM;
}

const struct command command_compare = {
    .name = "compare",
    .arguments = "--policies A,B --workloads X,Y",
    .summary = "run techniques on workloads and print a table",
    .details = "Runs the product in parallel processes. Results go into a database, so that nothing is run twice and an "
               "interrupted comparison "
               "goes on where it stopped.",
    .examples =
        (const struct command_example[]){
            { "warpline compare --policies gto,ccws,gto+pric --workloads syrk,bfs,kmeans", "speedups over gto" },
            { "warpline compare --policies gto,lrr --workloads all --size tiny --metric l1.miss_rate --csv miss.csv",
              "L1 miss rates of all workloads" },
            { NULL, NULL } },
    .option_sets = compare_sets,
    .options_size = sizeof(struct compare_options),
    .max_arguments = 0,
    .run = compare_run,
};
