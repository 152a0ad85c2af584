/* report.c - gathers runs as one JSON object and puts it into the page beside the script that draws it.
 *
 * Counters are columns: their names stand once, each run has an array of values. 2000 runs stay under 5 MB that way. */
#include "study/report.h"

#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/version.h"
#include "study/report_texts.h"
#include "study/workload_list.h"

struct gathering {
    struct database *database;
    json_t *runs, *counters;
    json_t *index;      /* counter name -> position in `counters` */
    const json_t *keys; /* only these runs; NULL: all */
    json_t *by_id;      /* run id -> its object, borrowed by `runs` */
    json_t *targets;    /* names of all targets, as members */
    json_t *key_of;     /* run id -> key in the database */
};

/* What a line chart of a run shows, over all of its kernels one after the other. */
static const char *const series_counters[] = { "sm.warp_instructions", "l1.hits",    "l1.merged", "l1.misses", "l2.misses",
                                               "dram.reads",           "dram.writes" };
enum { SERIES_POINTS = 400 };

/* Adds up neighbouring intervals until the line has at most SERIES_POINTS points. */
static json_t *joined_series(json_t *result, const char *counter, size_t per_point)
{
    json_t *points = json_array(), *kernel;
    json_int_t sum = 0;
    size_t k, i, filled = 0;
    json_array_foreach(json_object_get(result, "kernels"), k, kernel)
    {
        json_t *counters = json_get_dotted(kernel, "series.counters"), *values = json_object_get(counters, counter);
        const size_t samples = json_array_size(json_object_get(counters, "sm.cycles"));
        for (i = 0; i < samples; i++) { /* a counter that never moved in this kernel is not there: zeros keep the lines in step */
            sum += json_integer_value(json_array_get(values, i));
            if (++filled == per_point) {
                json_array_append_new(points, json_integer(sum));
                sum = 0;
                filled = 0;
            }
        }
    }
    return points;
}

static void add_series(struct gathering *g, json_t *run, const char *key)
{
    json_t *result = database_result(g->database, key), *kernel, *lines = json_object();
    size_t k, samples = 0;
    json_int_t interval = 0;
    json_array_foreach(json_object_get(result, "kernels"), k, kernel)
    {
        samples += json_array_size(json_object_get(json_get_dotted(kernel, "series.counters"), "sm.cycles"));
        interval = json_is_integer(json_get_dotted(kernel, "series.interval"))
                       ? json_integer_value(json_get_dotted(kernel, "series.interval"))
                       : interval;
    }
    const size_t per_point = samples / SERIES_POINTS + 1;
    for (size_t i = 0; samples && i < sizeof series_counters / sizeof *series_counters; i++)
        json_object_set_new(lines, series_counters[i], joined_series(result, series_counters[i], per_point));
    if (samples)
        json_object_set_new(run, "series", json_pack("{s:I, s:O}", "cycles", interval * (json_int_t)per_point, "lines", lines));
    json_decref(lines);
    json_decref(result);
}

static bool add_run(void *context, int64_t id, const struct run_record *r)
{
    struct gathering *g = context;
    char name[32];
    json_t *column = json_object_get(g->keys, r->key);
    if (g->keys && !column)
        return true;
    (void)snprintf(name, sizeof name, "%lld", (long long)id);
    json_t *run = json_pack("{s:I, s:s, s:s, s:s, s:s, s:s, s:s, s:I, s:s}", "id", (json_int_t)id, "target", r->target, "size",
                            r->size, "config", r->config, "set", r->set, "policies", r->policies, "status", r->status, "cycles",
                            (json_int_t)r->cycles, "command", r->command);
    if (json_is_string(column))
        json_object_set(run, "column", column);
    if (strstr(r->set, "gpu.interval"))
        add_series(g, run, r->key);
    json_array_append_new(g->runs, run);
    json_object_set(g->by_id, name, run);
    json_object_set_new(g->key_of, name, json_string(r->key));
    json_object_set_new(g->targets, r->target, json_true());
    return true;
}

static size_t counter_position(struct gathering *g, const char *counter)
{
    const json_t *at = json_object_get(g->index, counter);
    if (at)
        return (size_t)json_integer_value(at);
    json_object_set_new(g->index, counter, json_integer((json_int_t)json_array_size(g->counters)));
    json_array_append_new(g->counters, json_string(counter));
    return json_array_size(g->counters) - 1;
}

static void add_counter(void *context, int64_t id, const char *counter, double value)
{
    struct gathering *g = context;
    char name[32];
    (void)snprintf(name, sizeof name, "%lld", (long long)id);
    json_t *run = json_object_get(g->by_id, name);
    if (!run)
        return; /* of another study */
    json_t *values = json_object_get(run, "values");
    if (!values) {
        values = json_array();
        json_object_set_new(run, "values", values);
    }
    const size_t position = counter_position(g, counter);
    while (json_array_size(values) <= position)
        json_array_append_new(values, json_null());
    const bool is_whole = value == (double)(json_int_t)value && value > -9e15 && value < 9e15;
    json_array_set_new(values, position, is_whole ? json_integer((json_int_t)value) : json_real(value));
}

/* Runs on several modules have a picture of their links, each with what it carried and could have carried (`capacity`, bytes). */
static void add_links(struct gathering *g)
{
    const json_t *at = json_object_get(g->index, "link.packets_in");
    const char *id;
    json_t *run;
    json_object_foreach(g->by_id, id, run) {
        if (!at || json_number_value(json_array_get(json_object_get(run, "values"), (size_t)json_integer_value(at))) <= 0)
            continue;
        json_t *result = database_result(g->database, json_string_value(json_object_get(g->key_of, id)));
        json_t *links = json_object_get(result, "links");
        if (links)
            json_object_set_new(run, "links",
                                json_pack("{s:O, s:O, s:f, s:O}", "topology", json_get_dotted(result, "config.link.topology"),
                                          "modules", json_get_dotted(result, "config.gpu.modules"), "capacity",
                                          json_number_dotted(result, "config.link.bandwidth", 0) * 1e6 *
                                              json_number_dotted(result, "totals.energy.seconds", 0),
                                          "list", links));
        json_decref(result);
    }
}

static json_t *workload_notes(void)
{
    json_t *notes = json_object();
    for (const struct workload *w = workload_list; w->name; w++)
        json_object_set_new(notes, w->name,
                            json_pack("{s:s, s:s, s:s, s:s, s:s}", "suite", w->suite, "class_000", w->class_000, "class_001",
                                      w->class_001, "kernels", w->kernels, "dominates", w->dominates));
    return notes;
}

/* Inside a <script> element only "<" can end the script or open a comment. Written as \u003c it is the same JSON and harmless. */
static void append_data(struct text_buffer *html, const char *json)
{
    for (const char *p = json; *p;) {
        const size_t plain = strcspn(p, "<");
        text_append_bytes(html, p, plain);
        p += plain;
        if (*p) {
            text_append(html, "\\u003c");
            p++;
        }
    }
}

void report_page(const json_t *data, const char *title, const char *const *scripts, struct text_buffer *html)
{
    char *text = json_dumps(data, JSON_COMPACT | JSON_REAL_PRECISION(7));
    text_append(html,
                "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; script-src "
                "'unsafe-inline'; img-src data:\">\n"
                "<link rel=\"icon\" href=\"data:,\">\n<title>%s</title>\n<style>\n",
                title);
    text_append_bytes(html, report_css, strlen(report_css));
    text_append(html, "</style>\n</head>\n<body>\n<main><noscript>The charts of this page are drawn by the script in it; please "
                      "allow it.</noscript></main>\n"
                      "<script type=\"application/json\" id=\"data\">");
    append_data(html, text);
    text_append(html, "</script>\n<script>\n");
    text_append_bytes(html, charts_js, strlen(charts_js));
    for (; *scripts; scripts++)
        text_append_bytes(html, *scripts, strlen(*scripts));
    text_append(html, "</script>\n</body>\n</html>\n");
    free(text);
}

/* The names under which runs are drawn, each once, in the order in which they come. */
static json_t *column_names(const json_t *keys)
{
    json_t *names = json_array(), *seen = json_object(), *name;
    const char *key;
    json_object_foreach((json_t *)keys, key, name) {
        if (!json_is_string(name) || json_object_get(seen, json_string_value(name)))
            continue;
        json_object_set_new(seen, json_string_value(name), json_true());
        json_array_append(names, name);
    }
    json_decref(seen);
    return names;
}

bool report_make(struct database *database, const char *study, const json_t *keys, const char *title, const char *finding,
                 struct text_buffer *html, struct error *err)
{
    struct gathering g = { database, json_array(), json_array(), json_object(), keys, json_object(), json_object(), json_object() };
    bool ok = database_each(database, study, add_run, &g, err) && database_each_counter(database, -1, add_counter, &g, err);
    if (ok && json_array_size(g.runs) == 0)
        ok = error_set(err,
                       study ? "no run belongs to study '%.100s'; 'warpline results list' shows what there is"
                             : "the results database has no runs yet%s",
                       study ? study : "");
    if (ok)
        add_links(&g);
    json_t *kinds = ok ? report_characterisations(database, g.targets, err) : NULL;
    if (kinds) {
        json_t *all = json_pack("{s:s, s:s, s:s, s:o, s:O, s:O, s:o, s:o}", "title", title, "finding", finding ? finding : "",
                                "version", WARPLINE_VERSION, "columns", column_names(keys), "runs", g.runs, "counters", g.counters,
                                "workloads", workload_notes(), "characterisations", kinds);
        report_page(all, "warpline report", (const char *const[]){ characterisation_js, modules_js, report_js, NULL }, html);
        json_decref(all);
    }
    json_decref(g.runs);
    json_decref(g.counters);
    json_decref(g.index);
    json_decref(g.by_id);
    json_decref(g.targets);
    json_decref(g.key_of);
    return kinds != NULL;
}
