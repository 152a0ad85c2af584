#include "study/compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/terminal.h"
#include "run/result.h"

static struct batch_run *run_at(const struct comparison *c, size_t workload, size_t column)
{
    return &c->runs[workload * c->columns.count + column];
}

static bool is_speedup(const struct comparison *c)
{
    return strcmp(c->metric, "speedup") == 0;
}

/* "gto+pric" on this command is "gto,pric" for a run: the comma separates columns here. */
static char *policies_of_column(const char *column)
{
    char *policies = must_strdup(strcmp(column, "none") == 0 ? "" : column);
    for (char *p = policies; *p; p++)
        if (*p == '+')
            *p = ',';
    return policies;
}

bool comparison_prepare(struct comparison *c, struct error *err)
{
    c->runs = must_calloc(c->workloads.count * c->columns.count, sizeof *c->runs);
    for (size_t w = 0; w < c->workloads.count; w++)
        for (size_t p = 0; p < c->columns.count; p++) {
            char *policies = policies_of_column(c->columns.item[p]);
            struct job *job = &run_at(c, w, p)->job;
            job_init(job, c->workloads.item[w], c->size ? c->size : "small", c->config, policies);
            free(policies);
            text_list_add_all(&job->set, c->set);
            text_list_add_all(&job->plugins, c->plugins);
            if (!job_prepare(job, err))
                return false;
        }
    return true;
}

bool comparison_run(struct comparison *c, struct database *database, const struct batch_options *options,
                    struct batch_summary *summary, struct error *err)
{
    return batch_run_all(database, c->runs, c->workloads.count * c->columns.count, options, summary, err);
}

void comparison_clear(struct comparison *c)
{
    if (c->runs)
        batch_clear(c->runs, c->workloads.count * c->columns.count);
    text_list_clear(&c->workloads);
    text_list_clear(&c->columns);
    c->runs = NULL;
}

bool comparison_value(const struct comparison *c, size_t workload, size_t column, double *value)
{
    json_t *result = run_at(c, workload, column)->result, *first = run_at(c, workload, 0)->result;
    double own, base;
    if (!is_speedup(c))
        return result && result_number(result, c->metric, value);
    if (!result || !first || !result_number(result, "cycles", &own) || !result_number(first, "cycles", &base) || own <= 0)
        return false;
    *value = base / own;
    return true;
}

bool comparison_mean(const struct comparison *c, size_t column, enum mean_kind kind, double *value)
{
    double sum = 0;
    size_t n = 0;
    for (size_t w = 0; w < c->workloads.count; w++) {
        double v, here = 0;
        bool whole = true;
        for (size_t p = 0; p < c->columns.count; p++) {
            whole = whole && comparison_value(c, w, p, &v);
            here = p == column ? v : here;
        }
        if (!whole)
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

/* The highest speedup; for other metrics higher is not always better, and nothing is marked. */
static size_t best_column(const struct comparison *c, size_t workload)
{
    size_t best = SIZE_MAX;
    double most = 0, v;
    for (size_t p = 0; is_speedup(c) && p < c->columns.count; p++)
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

static void print_failures(const struct comparison *c, FILE *out)
{
    for (size_t w = 0; w < c->workloads.count; w++)
        for (size_t p = 0; p < c->columns.count; p++) {
            const struct batch_run *r = run_at(c, w, p);
            if (r->status != RUN_OK)
                (void)fprintf(out, "%s with %s: %s%s%s\n", c->workloads.item[w], c->columns.item[p], run_status_name(r->status),
                              r->log && *r->log ? ": " : "", r->log ? r->log : "");
        }
}

void comparison_print(const struct comparison *c, FILE *out)
{
    int name_width = 14;
    for (size_t w = 0; w < c->workloads.count; w++)
        name_width = (int)strlen(c->workloads.item[w]) > name_width ? (int)strlen(c->workloads.item[w]) : name_width;
    (void)fprintf(out, "%s%s%s\n%-*s", is_speedup(c) ? "speedup over " : "", is_speedup(c) ? c->columns.item[0] : c->metric,
                  is_speedup(c) ? " (* best of the row)" : "", name_width, "");
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
    if (is_speedup(c)) {
        print_mean(c, out, name_width, "geometric mean", MEAN_GEOMETRIC);
        print_mean(c, out, name_width, "harmonic mean", MEAN_HARMONIC);
    } else {
        print_mean(c, out, name_width, "mean", MEAN_ARITHMETIC);
    }
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
            json_array_append_new(cells, json_pack("{s:s, s:o, s:s}", "status", run_status_name(r->status), "value",
                                                   there ? json_real(v) : json_null(), "run", r->job.key));
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
