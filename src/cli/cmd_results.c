/* cmd_results.c - what the results database holds: list, show, diff, export. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "cli/common_options.h"
#include "study/database.h"
#include "run/result.h"

struct results_options {
    const char *database, *study;
    struct output_options output;
};

static const struct option_row results_rows[] = {
    OPTION_FILE(struct results_options, database, "db", "FILE", "results database (default $WARPLINE_DB or warpline.db)"),
    OPTION_TEXT(struct results_options, study, "study", "NAME", "only the runs of this study"), OPTION_END
};
static const struct option_set results_sets[] = { { results_rows, 0 },
                                                  { output_option_rows, offsetof(struct results_options, output) },
                                                  { NULL, 0 } };

static bool write_json(const struct output_options *output, json_t *json, struct error *err)
{
    struct text_buffer lines = { 0 };
    json_write(json, &lines);
    const struct output_options to_stdout = { "-" };
    const bool ok = output_options_write(output->json ? output : &to_stdout, lines.text, lines.length, err);
    text_buffer_clear(&lines);
    json_decref(json);
    return ok;
}

static json_t *row_json(int64_t id, const struct run_record *r)
{
    return json_pack("{s:I, s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:i, s:f, s:I, s:I, s:s}", "id", (json_int_t)id, "key", r->key,
                     "target", r->target, "size", r->size, "config", r->config, "set", r->set, "policies", r->policies, "status",
                     r->status, "exit_code", r->exit_code, "wall_seconds", r->wall_seconds, "cycles", (json_int_t)r->cycles,
                     "warp_instructions", (json_int_t)r->warp_instructions, "command", r->command);
}

static bool print_row(void *context, int64_t id, const struct run_record *r)
{
    (void)context;
    if (printf("%6" PRId64 "  %.8s  %-16s %-7s %-14s %-24s %-8s %12" PRIu64 " %8.2f s%s", id, r->key, r->target, r->size,
               *r->config ? r->config : "default", *r->policies ? r->policies : "none", r->status, r->cycles, r->wall_seconds,
               *r->set ? "  " : "") < 0)
        return false;
    for (const char *p = r->set; *p; p++)
        (void)putchar(*p == '\n' ? ' ' : *p); /* one setting per line */
    (void)putchar('\n');
    return true;
}

static bool collect_row(void *context, int64_t id, const struct run_record *r)
{
    json_array_append_new(context, row_json(id, r));
    return true;
}

static bool results_list(struct database *d, const struct results_options *o, char **arguments, struct error *err)
{
    (void)arguments;
    if (o->output.json) {
        json_t *rows = json_array();
        if (database_each(d, o->study, collect_row, rows, err))
            return write_json(&o->output, rows, err);
        json_decref(rows);
        return false;
    }
    (void)printf("%6s  %-8s  %-16s %-7s %-14s %-24s %-8s %12s %10s  %s\n", "id", "key", "target", "size", "config", "policies",
                 "status", "cycles", "wall", "settings");
    return database_each(d, o->study, print_row, NULL, err);
}

static json_t *load_run(struct database *d, const char *name, struct error *err)
{
    char *key = database_find(d, name, err);
    json_t *result = key ? database_result(d, key) : NULL;
    if (key && !result)
        error_set(err, "run '%.80s' did not finish: it has a log but no result ('warpline results list --json -' shows its status)",
                  name);
    free(key);
    return result;
}

static bool results_show(struct database *d, const struct results_options *o, char **arguments, struct error *err)
{
    json_t *result = load_run(d, arguments[0], err);
    if (!result)
        return false;
    if (o->output.json)
        return write_json(&o->output, result, err);
    result_print_summary(result, stdout);
    json_decref(result);
    return true;
}

struct difference {
    json_t *other;
    json_t *rows; /* with --json; else printed */
    size_t count;
};

static void compare_numbers(struct difference *d, const char *prefix, json_t *a)
{
    const char *key;
    json_t *value;
    json_object_foreach(a, key, value) {
        char full[256];
        (void)snprintf(full, sizeof full, "%s%s%s", prefix, *prefix ? "." : "", key);
        if (json_is_object(value)) {
            compare_numbers(d, full, value);
            continue;
        }
        double second = 0;
        if (!json_is_number(value) || !result_number(d->other, full, &second) || json_number_value(value) == second)
            continue;
        d->count++;
        const double first = json_number_value(value), change = first != 0 ? 100 * (second - first) / fabs(first) : INFINITY;
        if (d->rows)
            json_array_append_new(d->rows, json_pack("{s:s, s:f, s:f}", "counter", full, "first", first, "second", second));
        else
            (void)printf("%-40s %16.6g %16.6g %+9.2f %%\n", full, first, second, change);
    }
}

static bool results_diff(struct database *d, const struct results_options *o, char **arguments, struct error *err)
{
    json_t *first = load_run(d, arguments[0], err), *second = first ? load_run(d, arguments[1], err) : NULL;
    bool ok = second != NULL;
    if (ok) {
        struct difference difference = { second, o->output.json ? json_array() : NULL, 0 };
        if (!difference.rows)
            (void)printf("%-40s %16s %16s %11s\n", "counter", arguments[0], arguments[1], "change");
        compare_numbers(&difference, "", json_object_get(first, "totals"));
        if (!difference.rows && !difference.count)
            (void)printf("no counter differs\n");
        ok = !difference.rows || write_json(&o->output, difference.rows, err);
    }
    json_decref(first);
    json_decref(second);
    return ok;
}

static void print_counter(void *context, int64_t run, const char *counter, double value)
{
    (void)context;
    (void)printf("%" PRId64 ",%s,%.17g\n", run, counter, value);
}

static void csv_text(const char *text)
{
    (void)putchar('"');
    for (; *text; text++)
        (void)fputs(*text == '"' ? "\"\"" : (const char[]){ *text, '\0' }, stdout);
    (void)putchar('"');
}

static bool print_csv_row(void *context, int64_t id, const struct run_record *r)
{
    (void)context;
    const char *const texts[] = { r->key, r->target, r->size, r->config, r->set, r->policies, r->status };
    (void)printf("%" PRId64, id);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        (void)putchar(',');
        csv_text(texts[i]);
    }
    return printf(",%d,%.6f,%" PRIu64 ",%" PRIu64 "\n", r->exit_code, r->wall_seconds, r->cycles, r->warp_instructions) >= 0;
}

static void sql_text(const char *text)
{
    (void)putchar('\'');
    for (; *text; text++)
        (void)fputs(*text == '\'' ? "''" : (const char[]){ *text, '\0' }, stdout);
    (void)putchar('\'');
}

static bool print_sql_row(void *context, int64_t id, const struct run_record *r)
{
    (void)context;
    const char *const texts[] = { r->key, r->target, r->size, r->config, r->set, r->policies, r->status };
    (void)printf("INSERT INTO run VALUES (%" PRId64, id);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        (void)putchar(',');
        sql_text(texts[i]);
    }
    return printf(",%d,%.6f,%" PRIu64 ",%" PRIu64 ");\n", r->exit_code, r->wall_seconds, r->cycles, r->warp_instructions) >= 0;
}

static void print_sql_counter(void *context, int64_t run, const char *counter, double value)
{
    (void)context;
    (void)printf("INSERT INTO counter VALUES (%" PRId64 ",", run);
    sql_text(counter);
    (void)printf(",%.17g);\n", value);
}

struct full_export {
    struct database *database;
    json_t *rows;
};

static bool collect_full(void *context, int64_t id, const struct run_record *r)
{
    struct full_export *e = context;
    json_t *row = row_json(id, r), *result = database_result(e->database, r->key);
    json_object_set_new(row, "result", result ? result : json_null());
    json_array_append_new(e->rows, row);
    return true;
}

static bool results_export(struct database *d, const struct results_options *o, char **arguments, struct error *err)
{
    static const char columns[] = "id,key,target,size,config,set,policies,status,exit_code,wall_seconds,cycles,warp_instructions";
    if (strcmp(arguments[0], "json") == 0) {
        struct full_export all = { d, json_array() };
        if (database_each(d, o->study, collect_full, &all, err))
            return write_json(&o->output, all.rows, err);
        json_decref(all.rows);
        return false;
    }
    if (strcmp(arguments[0], "csv") == 0) {
        (void)printf("%s\n", columns);
        return database_each(d, o->study, print_csv_row, NULL, err) && printf("\nrun,counter,value\n") > 0 &&
               database_each_counter(d, -1, print_counter, NULL, err);
    }
    if (strcmp(arguments[0], "sql") == 0) {
        (void)puts("BEGIN;\nCREATE TABLE run (id INTEGER PRIMARY KEY, key TEXT, target TEXT, size TEXT, config TEXT, settings "
                   "TEXT, policies TEXT, status TEXT, "
                   "exit_code INTEGER, wall_seconds REAL, cycles INTEGER, warp_instructions INTEGER);\n"
                   "CREATE TABLE counter (run INTEGER, name TEXT, value NUMERIC);");
        return database_each(d, o->study, print_sql_row, NULL, err) && database_each_counter(d, -1, print_sql_counter, NULL, err) &&
               puts("COMMIT;") >= 0;
    }
    return error_set_code(err, CODE_USAGE, "results export: '%.40s' is not a format; choose from csv, json, sql", arguments[0]);
}

static const struct action {
    const char *name;
    size_t arguments;
    bool (*run)(struct database *, const struct results_options *, char **, struct error *);
} actions[] = { { "list", 0, results_list },
                { "show", 1, results_show },
                { "diff", 2, results_diff },
                { "export", 1, results_export },
                { NULL, 0, NULL } };

static enum exit_code results_run(const struct command_call *call, struct error *err)
{
    const struct results_options *o = call->options;
    const struct action *a = actions;
    while (a->name && strcmp(a->name, call->arguments[0]) != 0)
        a++;
    if (!a->name || call->argument_count - 1 != a->arguments) {
        error_set_code(err, CODE_USAGE, "results: say 'list', 'show RUN', 'diff RUN RUN' or 'export csv|json|sql'");
        return err->code;
    }
    struct database *d = database_open(o->database ? o->database : database_default_path(), DATABASE_READ, err);
    const bool ok = d && a->run(d, o, call->arguments + 1, err);
    database_close(d);
    return ok ? CODE_OK : err->code;
}

const struct command command_results = {
    .name = "results",
    .arguments = "list | show RUN | diff RUN RUN | export csv|json|sql",
    .completes = "list show diff export",
    .summary = "look at the results database",
    .details = "A RUN is its number or the beginning of its key, as 'list' shows them.",
    .examples = (const struct command_example[]){ { "warpline results list", "every run" },
                                                  { "warpline results diff 3 7", "the counters in which two runs differ" },
                                                  { "warpline results export csv > runs.csv", "for a spreadsheet" },
                                                  { NULL, NULL } },
    .option_sets = results_sets,
    .options_size = sizeof(struct results_options),
    .min_arguments = 1,
    .max_arguments = 3,
    .run = results_run,
};
