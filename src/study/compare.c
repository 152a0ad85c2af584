/* compare.c - techniques side by side on several programs: the runs, the table, means, CSV and JSON. */
#include "study/compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/terminal.h"
#include "run/result.h"
#include "study/compare_tuned.h"

static struct batch_run *run_at(const struct comparison *c, size_t workload, size_t column)
{
    return &c->runs[workload * c->columns.count + column];
}

bool comparison_is_speedup(const struct comparison *c)
{
    return strcmp(c->metric, "speedup") == 0;
}

/* "gto+pric" on this command is "gto,pric" for a run: the comma separates columns here. */
static char *policies_of_column(const char *column)
{
    char *policies =
        column_is_tuned(column) ? column_with_plain_swl(column) : must_strdup(strcmp(column, "none") == 0 ? "" : column);
    for (char *p = policies; *p; p++)
        if (*p == '+')
            *p = ',';
    return policies;
}

static bool prepare_run(const struct comparison *c, size_t workload, size_t column, uint32_t limit, struct job *job,
                        struct error *err)
{
    char *policies = policies_of_column(c->columns.item[column]);
    job_init(job, c->workloads.item[workload], c->size ? c->size : "small", c->config, policies);
    free(policies);
    text_list_add_all(&job->set, c->set);
    text_list_add_all(&job->plugins, c->plugins);
    if (limit)
        job_set_limit(job, limit);
    return job_prepare(job, err);
}

/* How many more runs a cell of a tuned column has beside its own. */
static bool count_tries(const struct comparison *c, struct tuned_limits *limits, size_t *tuned_columns, struct error *err)
{
    const struct study_subject subject = { .config = c->config, .set = c->set };
    *tuned_columns = 0;
    for (size_t p = 0; p < c->columns.count; p++)
        *tuned_columns += column_is_tuned(c->columns.item[p]);
    *limits = (struct tuned_limits){ .count = 1 };
    return !*tuned_columns || tuned_limits(&subject, limits, err);
}

bool comparison_prepare(struct comparison *c, struct error *err)
{
    struct tuned_limits limits;
    size_t tuned_columns, next = c->workloads.count * c->columns.count;
    if (!count_tries(c, &limits, &tuned_columns, err))
        return false;
    c->run_count = next + c->workloads.count * tuned_columns * (limits.count - 1);
    c->runs = must_calloc(c->run_count, sizeof *c->runs);
    for (size_t w = 0; w < c->workloads.count; w++)
        for (size_t p = 0; p < c->columns.count; p++) {
            const bool tuned = column_is_tuned(c->columns.item[p]);
            if (!prepare_run(c, w, p, tuned ? limits.limit[limits.count - 1] : 0, &run_at(c, w, p)->job, err))
                return false;
            for (uint32_t i = 0; tuned && i + 1 < limits.count; i++)
                if (!prepare_run(c, w, p, limits.limit[i], &c->runs[next++].job, err))
                    return false;
        }
    return batch_check_settings(c->runs, c->run_count, err);
}

/* Tries stand in the order in which comparison_prepare made them. */
static void take_best(struct comparison *c)
{
    struct tuned_limits limits;
    struct error err;
    size_t tuned_columns, next = c->workloads.count * c->columns.count;
    if (!count_tries(c, &limits, &tuned_columns, &err))
        return; /* cannot happen: the runs were prepared with the same count */
    for (size_t w = 0; w < c->workloads.count; w++)
        for (size_t p = 0; p < c->columns.count; p++)
            if (column_is_tuned(c->columns.item[p])) {
                tuned_take_best(run_at(c, w, p), &c->runs[next], limits.count - 1);
                next += limits.count - 1;
            }
}

bool comparison_run(struct comparison *c, struct database *database, const struct batch_options *options,
                    struct batch_summary *summary, struct error *err)
{
    if (!batch_run_all(database, c->runs, c->run_count, options, summary, err))
        return false;
    take_best(c);
    return true;
}

void comparison_clear(struct comparison *c)
{
    if (c->runs)
        batch_clear(c->runs, c->run_count);
    text_list_clear(&c->workloads);
    text_list_clear(&c->columns);
    c->runs = NULL;
}

bool comparison_value(const struct comparison *c, size_t workload, size_t column, double *value)
{
    json_t *result = run_at(c, workload, column)->result, *first = run_at(c, workload, 0)->result;
    double own, base;
    if (!comparison_is_speedup(c))
        return result && result_number(result, c->metric, value);
    if (!result || !first || !result_number(result, "cycles", &own) || !result_number(first, "cycles", &base) || own <= 0)
        return false;
    *value = base / own;
    return true;
}

/* A mean over different rows in each column would compare nothing, so only rows with a value in every column count. */
static bool is_whole(const struct comparison *c, size_t workload)
{
    double v;
    for (size_t p = 0; p < c->columns.count; p++)
        if (!comparison_value(c, workload, p, &v))
            return false;
    return true;
}

bool comparison_mean(const struct comparison *c, size_t column, enum mean_kind kind, double *value)
{
    double sum = 0;
    size_t n = 0;
    for (size_t w = 0; w < c->workloads.count; w++) {
        double here = 0;
        if (!is_whole(c, w) || !comparison_value(c, w, column, &here))
            continue;
        if (kind != MEAN_ARITHMETIC && here <= 0)
            return false;
        sum += kind == MEAN_GEOMETRIC ? log(here) : kind == MEAN_HARMONIC ? 1 / here : here;
        n++;
    }
    if (!n)
        return false;
    const double mean = sum / (double)n;
    *value = kind == MEAN_GEOMETRIC ? exp(mean) : kind == MEAN_HARMONIC ? 1 / mean : mean;
    return true;
}

/* Marks the highest speedup. For other metrics higher is not always better, and nothing is marked. */
static size_t best_column(const struct comparison *c, size_t workload)
{
    size_t best = SIZE_MAX;
    double most = 0, v;
    for (size_t p = 0; comparison_is_speedup(c) && p < c->columns.count; p++)
        if (comparison_value(c, workload, p, &v) && v > most) {
            most = v;
            best = p;
        }
    return best;
}

static int width_of(const char *name)
{
    const size_t length = strlen(name);
    return length < 9 ? 9 : (int)length;
}

static void print_cell(FILE *out, int width, bool there, double value, bool best)
{
    char text[32];
    if (!there)
        (void)snprintf(text, sizeof text, "-");
    else if (value != 0 && (fabs(value) >= 1e6 || fabs(value) < 1e-3))
        (void)snprintf(text, sizeof text, "%.4g", value);
    else
        (void)snprintf(text, sizeof text, fabs(value) >= 1000 ? "%.0f" : "%.3f", value);
    (void)fprintf(out, "  %s%*s%s%s", best ? terminal_colour(out, COLOUR_BOLD) : "", width, text, best ? "*" : " ",
                  best ? terminal_colour(out, COLOUR_NONE) : "");
}

static void print_mean(const struct comparison *c, FILE *out, int name_width, const char *label, enum mean_kind kind)
{
    (void)fprintf(out, "%-*s", name_width, label);
    for (size_t p = 0; p < c->columns.count; p++) {
        double v = 0;
        const bool there = comparison_mean(c, p, kind, &v);
        print_cell(out, width_of(c->columns.item[p]), there, v, false);
    }
    (void)fputc('\n', out);
}

/* A program without kernels ends well and has nothing to compare. */
static bool ran_no_kernel(const struct batch_run *r)
{
    return r->status == RUN_OK && json_array_size(json_object_get(r->result, "kernels")) == 0;
}

static void print_failures(const struct comparison *c, FILE *out)
{
    size_t left_out = 0, not_started = 0;
    for (size_t w = 0; w < c->workloads.count; w++)
        for (size_t p = 0; p < c->columns.count; p++) {
            const struct batch_run *r = run_at(c, w, p);
            if (r->status == RUN_NOT_STARTED)
                not_started++;
            else if (r->status != RUN_OK)
                (void)fprintf(out, "%s with %s: %s%s%s\n", c->workloads.item[w], c->columns.item[p], run_status_name(r->status),
                              r->log && *r->log ? ": " : "", r->log ? r->log : "");
        }
    for (size_t w = 0; w < c->workloads.count; w++)
        if (ran_no_kernel(run_at(c, w, 0)))
            (void)fprintf(out, "%s ran no kernel\n", c->workloads.item[w]);
    if (not_started)
        (void)fprintf(out, "%zu run%s of the table %s not made\n", not_started, not_started == 1 ? "" : "s",
                      not_started == 1 ? "was" : "were");
    for (size_t w = 0; w < c->workloads.count; w++)
        if (!is_whole(c, w))
            (void)fprintf(out, "%s%s", left_out++ ? ", " : "the means leave out rows that are not whole: ", c->workloads.item[w]);
    if (left_out)
        (void)fputc('\n', out);
}

/* Which limits best-swl found. */
static void print_limits(const struct comparison *c, FILE *out)
{
    for (size_t p = 0; p < c->columns.count; p++) {
        if (!column_is_tuned(c->columns.item[p]))
            continue;
        (void)fprintf(out, "%s: warps per scheduler at which it is fastest:", c->columns.item[p]);
        for (size_t w = 0; w < c->workloads.count; w++)
            (void)fprintf(out, "%s %s %u", w ? "," : "", c->workloads.item[w], job_limit(&run_at(c, w, p)->job));
        (void)fputs("\n  (of 1, 2, 4, 8, 16 and all; 'warpline tune swl' tries every number)\n", out);
    }
}

static void print_finding(const struct comparison *c, FILE *out)
{
    struct text_buffer finding = { 0 };
    comparison_finding(c, &finding);
    if (finding.length)
        (void)fprintf(out, "%s\n", finding.text);
    text_buffer_clear(&finding);
}

void comparison_print(const struct comparison *c, FILE *out)
{
    int name_width = 14;
    print_finding(c, out);
    for (size_t w = 0; w < c->workloads.count; w++)
        name_width = (int)strlen(c->workloads.item[w]) > name_width ? (int)strlen(c->workloads.item[w]) : name_width;
    (void)fprintf(out, "%s%s%s\n%-*s", comparison_is_speedup(c) ? "speedup over " : "",
                  comparison_is_speedup(c) ? c->columns.item[0] : c->metric, comparison_is_speedup(c) ? " (* best of the row)" : "",
                  name_width, "");
    for (size_t p = 0; p < c->columns.count; p++)
        (void)fprintf(out, "  %*s ", width_of(c->columns.item[p]), c->columns.item[p]);
    (void)fputc('\n', out);
    for (size_t w = 0; w < c->workloads.count; w++) {
        const size_t best = best_column(c, w);
        (void)fprintf(out, "%-*s", name_width, c->workloads.item[w]);
        for (size_t p = 0; p < c->columns.count; p++) {
            double v = 0;
            const bool there = comparison_value(c, w, p, &v);
            print_cell(out, width_of(c->columns.item[p]), there, v, p == best);
        }
        (void)fputc('\n', out);
    }
    if (comparison_is_speedup(c)) {
        print_mean(c, out, name_width, "geometric mean", MEAN_GEOMETRIC);
        print_mean(c, out, name_width, "harmonic mean", MEAN_HARMONIC);
    } else {
        print_mean(c, out, name_width, "mean", MEAN_ARITHMETIC);
    }
    print_limits(c, out);
    print_failures(c, out);
}

static void csv_field(struct text_buffer *out, const char *text)
{
    if (!strpbrk(text, ",\"\n\r")) {
        text_append(out, "%s", text);
        return;
    }
    text_append(out, "\"");
    for (; *text; text++)
        text_append(out, *text == '"' ? "\"\"" : "%c", *text);
    text_append(out, "\"");
}

void comparison_csv(const struct comparison *c, struct text_buffer *out)
{
    text_append(out, "workload");
    for (size_t p = 0; p < c->columns.count; p++) {
        text_append(out, ",");
        csv_field(out, c->columns.item[p]);
    }
    text_append(out, "\n");
    for (size_t w = 0; w < c->workloads.count; w++) {
        csv_field(out, c->workloads.item[w]);
        for (size_t p = 0; p < c->columns.count; p++) {
            double v;
            text_append(out, ",");
            if (comparison_value(c, w, p, &v))
                text_append(out, "%.9g", v);
        }
        text_append(out, "\n");
    }
}

json_t *comparison_json(const struct comparison *c)
{
    json_t *rows = json_array(), *columns = json_array(), *means = json_object();
    static const struct {
        const char *name;
        enum mean_kind kind;
    } kinds[] = { { "geometric", MEAN_GEOMETRIC }, { "harmonic", MEAN_HARMONIC }, { "arithmetic", MEAN_ARITHMETIC } };
    for (size_t p = 0; p < c->columns.count; p++)
        json_array_append_new(columns, json_string(c->columns.item[p]));
    for (size_t w = 0; w < c->workloads.count; w++) {
        json_t *cells = json_array();
        for (size_t p = 0; p < c->columns.count; p++) {
            double v = 0;
            const bool there = comparison_value(c, w, p, &v);
            const struct batch_run *r = run_at(c, w, p);
            json_t *cell = json_pack("{s:s, s:o, s:s}", "status", run_status_name(r->status), "value",
                                     there ? json_real(v) : json_null(), "run", r->job.key);
            if (column_is_tuned(c->columns.item[p]))
                json_object_set_new(cell, "swl_limit", json_integer(job_limit(&r->job)));
            if (r->log && *r->log)
                (void)json_object_set_new(cell, "reason", json_string(r->log));
            json_array_append_new(cells, cell);
        }
        json_array_append_new(rows, json_pack("{s:s, s:o}", "workload", c->workloads.item[w], "cells", cells));
    }
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        json_t *list = json_array();
        for (size_t p = 0; p < c->columns.count; p++) {
            double v = 0;
            const bool there = comparison_mean(c, p, kinds[k].kind, &v);
            json_array_append_new(list, there ? json_real(v) : json_null());
        }
        json_object_set_new(means, kinds[k].name, list);
    }
    return json_pack("{s:s, s:o, s:o, s:o}", "metric", c->metric, "columns", columns, "rows", rows, "means", means);
}
