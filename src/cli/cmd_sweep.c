/* cmd_sweep.c - a whole design space: planned, run, resumed. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/terminal.h"
#include "cli/common_options.h"
#include "study/pool.h"
#include "run/result.h"
#include "study/reuse.h"
#include "study/slurm.h"
#include "study/study_file.h"

struct sweep_options {
    const char *engine, *slurm_options;
    uint64_t chunk;
    bool dry_run, resume, cancel;
    struct study_options study;
    struct output_options output;
};

static const char *const engines[] = { "local", "slurm", NULL };

static const struct option_row sweep_rows[] = {
    OPTION_FLAG(struct sweep_options, dry_run, "dry-run", "print the plan, run nothing"),
    OPTION_FLAG(struct sweep_options, resume, "resume",
                "go on with a study that was begun, and refuse to begin one (without it, either is done)"),
    OPTION_CHOICE(struct sweep_options, engine, "engine", "ENGINE", engines,
                  "where runs happen: local, processes on this machine (default), or slurm, an array job on a cluster"),
    OPTION_NUMBER(struct sweep_options, chunk, "chunk", "N", "slurm: runs per array task"),
    OPTION_TEXT(struct sweep_options, slurm_options, "slurm-options", "WORDS",
                "slurm: further options for sbatch, such as '--partition=long --mem=4G'"),
    OPTION_FLAG(struct sweep_options, cancel, "cancel", "slurm: end the array job of this study"),
    OPTION_END
};
static const struct option_set sweep_sets[] = { { sweep_rows, 0 },
                                                { study_option_rows, offsetof(struct sweep_options, study) },
                                                { output_option_rows, offsetof(struct sweep_options, output) },
                                                { NULL, 0 } };

/* Mean seconds per run, over the finished runs in the database. It is a guess, and is shown as one. */
struct pace {
    double seconds;
    size_t runs;
};

static bool add_pace(void *context, int64_t id, const struct run_record *run)
{
    struct pace *p = context;
    (void)id;
    if (strcmp(run->status, "ok") == 0) {
        p->seconds += run->wall_seconds;
        p->runs++;
    }
    return true;
}

/* `d` is NULL when there is no database yet. */
static bool print_plan(const struct study *study, struct database *d, const struct batch_run *runs, size_t count, size_t left_out,
                       uint64_t jobs, bool fresh, struct error *err)
{
    size_t there = 0;
    struct pace pace = { 0 };
    struct reuse *reuse = reuse_new();
    for (size_t i = 0; i < count && !fresh && d; i++)
        there += reuse_find(reuse, d, &runs[i].job, NULL);
    reuse_free(reuse);
    if (d && !database_each(d, NULL, add_pace, &pace, err))
        return false;
    (void)fprintf(stderr, "study '%s': %zu run%s, %zu already there, %zu to do", study->name, count, count == 1 ? "" : "s", there,
                  count - there);
    if (left_out)
        (void)fprintf(stderr, ", %zu left out by constraints", left_out);
    if (pace.runs && count > there)
        (void)fprintf(stderr, "; about %.0f s at the mean of the %zu run%s so far",
                      pace.seconds / (double)pace.runs * (double)(count - there) / (double)(jobs ? jobs : pool_default_jobs()),
                      pace.runs, pace.runs == 1 ? "" : "s");
    (void)fputc('\n', stderr);
    return true;
}

static void add_rows(struct text_buffer *out, const struct study *study, const struct batch_run *runs, size_t count)
{
    text_append(out, "workload\tsize\tpolicies\tsettings\tstatus");
    for (size_t m = 0; m < study->metrics.count; m++)
        text_append(out, "\t%s", study->metrics.item[m]);
    text_append(out, "\n");
    for (size_t i = 0; i < count; i++) {
        const struct job *job = &runs[i].job;
        text_append(out, "%s\t%s\t%s\t", job->target, job->size, *job->policies ? job->policies : "none");
        for (size_t k = 0; k < job->set.count; k++)
            text_append(out, "%s%s", k ? " " : "", job->set.item[k]);
        text_append(out, "\t%s", run_status_name(runs[i].status));
        for (size_t m = 0; m < study->metrics.count; m++) {
            double value;
            if (runs[i].result && result_number(runs[i].result, study->metrics.item[m], &value))
                text_append(out, "\t%.9g", value);
            else
                text_append(out, "\t-");
        }
        text_append(out, "\n");
    }
}

/* The widest entry of each column, as far as there are places for them. */
static void find_widths(const char *table, int *width, size_t columns)
{
    size_t column = 0;
    for (const char *p = table; *p;) {
        const int length = (int)strcspn(p, "\t\n");
        if (column < columns && length > width[column])
            width[column] = length;
        column = p[length] == '\t' ? column + 1 : 0;
        p += length + 1;
    }
}

/* In a pipe columns are parted by tabs, for scripts. On a terminal they stand below each other. */
static void print_rows(const struct study *study, const struct batch_run *runs, size_t count)
{
    enum { COLUMNS = 32 };
    int width[COLUMNS] = { 0 };
    struct text_buffer table = { 0 };
    add_rows(&table, study, runs, count);
    if (terminal_width(stdout)) {
        size_t column = 0;
        find_widths(table.text, width, COLUMNS);
        for (const char *p = table.text; *p;) {
            const int length = (int)strcspn(p, "\t\n");
            const bool last = p[length] == '\n';
            (void)printf("%-*.*s%s", last || column >= COLUMNS ? 0 : width[column], length, p, last ? "\n" : "  ");
            column = last ? 0 : column + 1;
            p += length + 1;
        }
    } else {
        (void)fputs(table.text, stdout);
    }
    text_buffer_clear(&table);
}

/* Why runs failed, beside the table. */
static void print_reasons(const struct batch_run *runs, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (runs[i].status != RUN_OK && runs[i].log && *runs[i].log)
            (void)fprintf(stderr, "%s with %s: %s: %s\n", runs[i].job.target, *runs[i].job.policies ? runs[i].job.policies : "none",
                          run_status_name(runs[i].status), runs[i].log);
}

static bool write_rows_json(const struct sweep_options *o, const struct study *study, const struct batch_run *runs, size_t count,
                            struct error *err)
{
    json_t *rows = json_array();
    for (size_t i = 0; i < count; i++) {
        json_t *metrics = json_object(), *set = json_array();
        for (size_t k = 0; k < runs[i].job.set.count; k++)
            json_array_append_new(set, json_string(runs[i].job.set.item[k]));
        for (size_t m = 0; m < study->metrics.count; m++) {
            double value;
            const bool there = runs[i].result && result_number(runs[i].result, study->metrics.item[m], &value);
            json_object_set_new(metrics, study->metrics.item[m], there ? json_real(value) : json_null());
        }
        json_array_append_new(rows, json_pack("{s:s, s:s, s:s, s:o, s:s, s:s, s:o}", "target", runs[i].job.target, "size",
                                              runs[i].job.size, "policies", runs[i].job.policies, "set", set, "status",
                                              run_status_name(runs[i].status), "run", runs[i].job.key, "metrics", metrics));
    }
    json_t *all = json_pack("{s:s, s:o}", "study", study->name, "runs", rows);
    const bool ok = output_options_write_json(&o->output, all, err);
    json_decref(all);
    return ok;
}

static bool is_slurm(const struct sweep_options *o)
{
    return o->engine && strcmp(o->engine, "slurm") == 0;
}

static bool note_run(void *context, int64_t id, const struct run_record *run)
{
    (void)id;
    (void)run;
    *(bool *)context = true;
    return false;
}

/* True when the study was begun: the database has a run of it, or Slurm had a job. Looks without making a file. */
static bool check_begun(const char *path, const char *study, struct error *err)
{
    bool begun = false;
    struct database *d = database_open(path, DATABASE_READ, err);
    bool ok = d && database_each(d, study, note_run, &begun, err);
    database_close(d);
    if (ok && !begun && !slurm_was_begun(path, study))
        ok = error_set(err, "study '%.100s' was never begun in %.200s: there is nothing to resume; without --resume it is begun",
                       study, path);
    return ok;
}

/* Looking at a plan leaves no file behind: without a database `d` stays NULL. */
static bool open_for(const struct sweep_options *o, const char *path, struct database **d, struct error *err)
{
    if (o->dry_run && access(path, F_OK) != 0)
        return true;
    *d = database_open(path, o->dry_run ? DATABASE_READ : DATABASE_WRITE, err);
    return *d != NULL;
}

static enum exit_code sweep_study(const struct sweep_options *o, const struct study *study, struct error *err)
{
    const char *path = o->study.database ? o->study.database : database_default_path();
    size_t count = 0, left_out = 0;
    if (o->resume && !check_begun(path, study->name, err))
        return err->code;
    struct batch_run *runs = study_plan(study, &count, &left_out, err);
    struct database *d = NULL;
    bool ok = runs && open_for(o, path, &d, err) && print_plan(study, d, runs, count, left_out, o->study.jobs, o->study.fresh, err);
    struct batch_summary summary = { 0 };
    if (ok && !o->dry_run) {
        const struct batch_options batch = study_options_batch(&o->study, study->name);
        const struct slurm_options slurm = { .database_path = path,
                                             .chunk = o->chunk < UINT32_MAX ? (uint32_t)o->chunk : UINT32_MAX,
                                             .extra = o->slurm_options };
        ok = is_slurm(o) ? slurm_run_all(d, runs, count, &batch, &slurm, &summary, err)
                         : batch_run_all(d, runs, count, &batch, &summary, err);
        if (ok && !output_options_take_stdout(&o->output))
            print_rows(study, runs, count);
        ok = ok && (!o->output.json || write_rows_json(o, study, runs, count, err));
        print_reasons(runs, count);
        batch_print_summary(count, &summary);
    }
    if (runs)
        batch_clear(runs, count);
    database_close(d);
    return !ok ? err->code : summary.failed || summary.not_started ? CODE_PROGRAM : CODE_OK;
}

static enum exit_code sweep_run(const struct command_call *call, struct error *err)
{
    struct study study;
    if (!study_read(call->arguments[0], &study, err))
        return err->code;
    const struct sweep_options *o = call->options;
    text_list_add_all(&study.plugins, &o->study.plugin);
    enum exit_code code;
    if (o->cancel)
        code = slurm_cancel(o->study.database ? o->study.database : database_default_path(), study.name, err) ? CODE_OK : err->code;
    else
        code = sweep_study(o, &study, err);
    study_clear(&study);
    return code;
}

const struct command command_sweep = {
    .name = "sweep",
    .arguments = "STUDY",
    .summary = "run a whole design space, resumable",
    .details = "STUDY is a text file: workloads, policies, sizes and axes over parameters (docs/studies.md). The plan is printed "
               "first; finished runs are kept "
               "in the results database and never run again, so that a killed sweep goes on where it stopped.",
    .examples =
        (const struct command_example[]){
            { "warpline sweep mshrs.conf --dry-run", "how many runs, and how many are there already" },
            { "warpline sweep mshrs.conf --jobs 2", "run them" },
            { "warpline sweep mshrs.conf --resume", "after a crash: what is there is not run again" },
            { "warpline sweep mshrs.conf --engine slurm --db /shared/mshrs.db", "run them on a cluster" },
            { NULL, NULL } },
    .option_sets = sweep_sets,
    .options_size = sizeof(struct sweep_options),
    .min_arguments = 1,
    .max_arguments = 1,
    .run = sweep_run,
};
