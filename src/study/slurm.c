/* slurm.c - runs a study's jobs on a Slurm cluster as an array job that can be resumed. */
#include "study/slurm.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/atomic_file.h"
#include "base/json.h"
#include "base/terminal.h"
#include "study/pool.h"

enum { TASKS_MAX = 500, POLL_SECONDS = 2, PLAN_BYTES_LIMIT = 1 << 30 };

/* ---- small services ------------------------------------------------------------------------------------------------------ */

/* Runs a command of Slurm's and keeps what it printed. The strings of `words` are copied. */
static bool ask(const char *const *words, struct pool_task *task, struct error *err)
{
    struct text_list list = { 0 };
    for (; *words; words++)
        text_list_add(&list, *words);
    list.item = must_realloc(list.item, (list.count + 1) * sizeof *list.item);
    list.item[list.count] = NULL;
    *task = (struct pool_task){ .argv = list.item, .label = list.item[0] };
    return pool_run(task, 1, &(struct pool_options){ .jobs = 1, .timeout_seconds = 60 }, err);
}

static void folder_of(char out[PATH_MAX], const char *database_path, const char *study)
{
    (void)snprintf(out, PATH_MAX, "%.*s.slurm/", PATH_MAX - 256, database_path);
    for (size_t at = strlen(out); *study && at + 1 < PATH_MAX;
         study++, at++) { /* names of studies are free text: keep it one folder */
        out[at] = strchr("/ \t\n'\"\\$`", *study) ? '_' : *study;
        out[at + 1] = '\0';
    }
}

static bool make_folders(const char *folder, const char *database_path, struct error *err)
{
    char path[PATH_MAX + 16];
    (void)snprintf(path, sizeof path, "%s.slurm", database_path);
    const char *const all[] = { path, folder, "results", "logs" };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        char full[2 * PATH_MAX];
        (void)snprintf(full, sizeof full, i < 2 ? "%s%s" : "%s/%s", i < 2 ? all[i] : folder, i < 2 ? "" : all[i]);
        if (mkdir(full, 0777) != 0 && errno != EEXIST)
            return error_set(err, "%.300s: cannot make the folder: %s", full, strerror(errno));
    }
    return true;
}

static char *read_small(const char *folder, const char *name)
{
    char path[PATH_MAX + 64];
    struct error ignored;
    size_t length;
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    return access(path, R_OK) == 0 ? text_read_file(path, PLAN_BYTES_LIMIT, &length, &ignored) : NULL;
}

static bool write_small(const char *folder, const char *name, const char *text, struct error *err)
{
    char path[PATH_MAX + 64];
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    return atomic_file_write(path, text, strlen(text), err);
}

/* ---- submitting ---------------------------------------------------------------------------------------------------------- */

static json_t *plan_json(struct batch_run **missing, size_t count, uint32_t chunk)
{
    json_t *jobs = json_array();
    for (size_t i = 0; i < count; i++) {
        json_t *words = json_array();
        char **argv = job_argv(&missing[i]->job);
        for (char **a = argv; *a; a++) {
            json_array_append_new(words, json_string(*a));
            free(*a);
        }
        free(argv);
        json_array_append_new(
            jobs, json_pack("{s:s, s:s, s:o}", "key", missing[i]->job.key, "target", missing[i]->job.target, "argv", words));
    }
    return json_pack("{s:I, s:o}", "chunk", (json_int_t)chunk, "jobs", jobs);
}

static bool write_plan(const char *folder, struct batch_run **missing, size_t count, uint32_t chunk, struct error *err)
{
    json_t *plan = plan_json(missing, count, chunk);
    struct text_buffer text = { 0 };
    json_write(plan, &text);
    const bool ok = write_small(folder, "plan.json", text.text, err);
    text_buffer_clear(&text);
    json_decref(plan);
    return ok;
}

static bool submit(const char *folder, size_t count, uint32_t chunk, const char *extra, char id[32], struct error *err)
{
    char array[64], output[PATH_MAX + 32], self[PATH_MAX], wrap[2 * PATH_MAX + 128];
    const ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    require(length > 0);
    self[length] = '\0';
    (void)snprintf(array, sizeof array, "--array=0-%zu", (count - 1) / chunk);
    (void)snprintf(output, sizeof output, "--output=%s/logs/%%a.log", folder);
    (void)snprintf(wrap, sizeof wrap, "--wrap=exec '%s' sweep-task '%s' \"$SLURM_ARRAY_TASK_ID\"", self, folder);
    struct text_list words = { 0 };
    const char *const fixed[] = { "sbatch", "--parsable", "--job-name=warpline", "--ntasks=1", "--cpus-per-task=1", array, output };
    for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
        text_list_add(&words, fixed[i]);
    char *copy = must_strdup(extra ? extra : ""), *save = NULL;
    for (char *part = strtok_r(copy, " \t", &save); part; part = strtok_r(NULL, " \t", &save))
        text_list_add(&words, part);
    free(copy);
    text_list_add(&words, wrap);
    words.item = must_realloc(words.item, (words.count + 1) * sizeof *words.item);
    words.item[words.count] = NULL;
    struct pool_task task;
    bool ok = ask((const char *const *)words.item, &task, err);
    if (ok && (task.exit_code != 0 || !task.out.text || sscanf(task.out.text, "%31[0-9]", id) != 1))
        ok = error_set(err,
                       task.exit_code == 127 ? "sbatch is not on this machine; install Slurm's client or use --engine local%.0s"
                                             : "sbatch refused the array job: %.300s",
                       task.log.text ? task.log.text : "it said nothing");
    pool_task_clear(&task);
    text_list_clear(&words);
    return ok && write_small(folder, "job", id, err);
}

/* ---- watching ------------------------------------------------------------------------------------------------------------ */

struct queue_state {
    size_t pending, running;
};

/* False when Slurm does not answer; a job that has left the queue has neither pending nor running tasks. */
static bool ask_queue(const char *id, struct queue_state *state, struct error *err)
{
    struct pool_task task;
    *state = (struct queue_state){ 0 };
    if (!ask((const char *const[]){ "squeue", "-h", "-r", "-o", "%T", "-j", id, NULL }, &task, err))
        return false;
    char *save = NULL;
    for (char *line = task.out.text ? strtok_r(task.out.text, "\n", &save) : NULL; line; line = strtok_r(NULL, "\n", &save)) {
        state->pending += strcmp(line, "PENDING") == 0;
        state->running += strcmp(line, "RUNNING") == 0 || strcmp(line, "COMPLETING") == 0 || strcmp(line, "CONFIGURING") == 0 ||
                          strcmp(line, "SUSPENDED") == 0;
    }
    const bool unknown = task.exit_code != 0 && !(task.log.text && strstr(task.log.text, "Invalid job id"));
    if (unknown)
        error_set(err,
                  task.exit_code == 127 ? "squeue is not on this machine; install Slurm's client or use --engine local%.0s"
                                        : "squeue does not answer: %.300s",
                  task.log.text ? task.log.text : "it said nothing");
    pool_task_clear(&task);
    return !unknown;
}

struct watch {
    struct database *database;
    struct batch_run **missing;
    size_t count, merged;
    const struct batch_options *options;
    const char *folder;
    struct progress progress;
};

static const char *text_of(const json_t *object, const char *name)
{
    const char *text = json_string_value(json_object_get(object, name));
    return text ? text : "";
}

static bool record_run(struct watch *w, struct batch_run *run, json_t *report, struct error *err)
{
    static const char *const names[] = { "ok", "failed", "crashed", "timeout" };
    const char *status = text_of(report, "status");
    run->status = RUN_CRASHED;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i], status) == 0)
            run->status = (enum run_status)i;
    json_t *result = json_object_get(report, "result");
    run->result = run->status == RUN_OK && json_is_object(result) ? json_incref(result) : NULL;
    run->log = must_strdup(text_of(report, *text_of(report, "reason") ? "reason" : "log"));
    return batch_record(w->database, run, w->options->study, text_of(report, "log"),
                        (int)json_integer_value(json_object_get(report, "exit_code")),
                        json_number_value(json_object_get(report, "wall_seconds")),
                        (uint64_t)json_integer_value(json_object_get(report, "peak_rss_bytes")), err);
}

/* Takes over every run whose file has appeared. Files are written whole, so a file that is there is complete. */
static bool merge(struct watch *w, struct error *err)
{
    for (size_t i = 0; i < w->count; i++) {
        struct batch_run *run = w->missing[i];
        if (run->log)
            continue;
        char path[PATH_MAX + 64];
        (void)snprintf(path, sizeof path, "%s/results/%s.json", w->folder, run->job.key);
        if (access(path, R_OK) != 0)
            continue;
        json_t *report = json_load_file(path, 0, NULL);
        const bool ok = report && record_run(w, run, report, err);
        json_decref(report);
        if (!ok)
            return report ? false : error_set(err, "%.300s: a task's result cannot be read", path);
        (void)unlink(path);
        w->merged++;
    }
    return true;
}

static bool any_task_wrote(const char *folder)
{
    char path[PATH_MAX + 16];
    (void)snprintf(path, sizeof path, "%s/logs", folder);
    DIR *d = opendir(path);
    bool any = false;
    for (struct dirent *e; d && (e = readdir(d));)
        any = any || e->d_name[0] != '.';
    if (d)
        (void)closedir(d);
    return any;
}

static bool record_lost(struct watch *w, const char *id, struct error *err)
{
    for (size_t i = 0; i < w->count; i++) {
        if (w->missing[i]->log)
            continue;
        char why[160];
        (void)snprintf(why, sizeof why,
                       "array job %s ended without this run's result: its task was killed, cancelled or its node failed", id);
        json_t *report = json_pack("{s:s, s:s}", "status", "crashed", "log", why);
        const bool ok = record_run(w, w->missing[i], report, err);
        json_decref(report);
        if (!ok)
            return false;
    }
    return true;
}

static void nap(void)
{
    (void)nanosleep(&(struct timespec){ .tv_sec = POLL_SECONDS }, NULL); /* a signal ends it early, which is what we want */
}

static bool watch_job(struct watch *w, const char *id, struct error *err)
{
    struct queue_state state;
    progress_start(&w->progress, w->options->progress ? stderr : NULL, "runs", w->count);
    for (;;) {
        if (!ask_queue(id, &state, err) || !merge(w, err))
            return false;
        char note[64];
        (void)snprintf(note, sizeof note, "job %.16s: %zu running, %zu pending", id, state.running, state.pending);
        progress_update(&w->progress, w->merged, note);
        if (w->merged == w->count || state.running + state.pending == 0)
            break;
        if (w->options->interrupted && *w->options->interrupted) {
            progress_end(&w->progress);
            (void)fprintf(
                stderr,
                "array job %s goes on; the same command watches it again, 'warpline sweep STUDY --engine slurm --cancel' ends it\n",
                id);
            for (size_t i = 0; i < w->count; i++)
                if (!w->missing[i]->log)
                    w->missing[i]->status = RUN_NOT_STARTED;
            return true;
        }
        nap();
    }
    progress_end(&w->progress);
    if (!merge(w, err))
        return false;
    if (w->merged == 0 && !any_task_wrote(w->folder))
        return error_set(err,
                         "array job %s ended and no task wrote to %.200s: the compute nodes do not share this filesystem; put the "
                         "database (--db) where they do",
                         id, w->folder);
    return record_lost(w, id, err);
}

/* The array job of an earlier, interrupted sweep, if it is still in the queue; its plan holds the runs it will do. */
static bool find_running_job(const char *folder, char id[32])
{
    char *text = read_small(folder, "job");
    struct queue_state state;
    struct error ignored;
    const bool found =
        text && sscanf(text, "%31[0-9]", id) == 1 && ask_queue(id, &state, &ignored) && state.pending + state.running > 0;
    free(text);
    return found;
}

bool slurm_run_all(struct database *database, struct batch_run *runs, size_t count, const struct batch_options *options,
                   const struct slurm_options *slurm, struct batch_summary *summary, struct error *err)
{
    char folder[PATH_MAX], absolute[PATH_MAX], id[32] = "";
    if (!realpath(slurm->database_path, absolute))
        return error_set(err, "%.300s: cannot find the database's folder: %s", slurm->database_path, strerror(errno));
    folder_of(folder, absolute, options->study);
    struct watch w = {
        .database = database, .options = options, .folder = folder, .missing = must_calloc(count, sizeof *w.missing)
    };
    bool ok = make_folders(folder, absolute, err) && batch_find_missing(database, runs, count, options, w.missing, &w.count, err);
    if (ok && w.count) {
        const bool resumed = find_running_job(folder, id);
        ok = merge(&w, err);
        size_t left = 0;
        for (size_t i = 0; i < w.count; i++)
            if (!w.missing[i]->log)
                w.missing[left++] = w.missing[i];
        w.count = left;
        w.merged = 0;
        const uint32_t chunk = slurm->chunk ? slurm->chunk : (uint32_t)(left / TASKS_MAX + 1);
        if (resumed)
            (void)fprintf(stderr, "array job %s of this study is still there: going on with it\n", id);
        else if (ok && left)
            ok = write_plan(folder, w.missing, left, chunk, err) && submit(folder, left, chunk, slurm->extra, id, err);
        ok = ok && (!left || watch_job(&w, id, err));
    }
    free(w.missing);
    struct error second;
    return batch_finish(database, runs, count, options, summary, ok ? err : &second) && ok;
}

bool slurm_was_begun(const char *database_path, const char *study)
{
    char folder[PATH_MAX], absolute[PATH_MAX];
    if (!realpath(database_path, absolute))
        return false;
    folder_of(folder, absolute, study);
    return access(folder, F_OK) == 0;
}

bool slurm_cancel(const char *database_path, const char *study, struct error *err)
{
    char folder[PATH_MAX], absolute[PATH_MAX], id[32];
    if (!realpath(database_path, absolute))
        return error_set(err, "%.300s: no such results database", database_path);
    folder_of(folder, absolute, study);
    if (!find_running_job(folder, id))
        return error_set(err, "no array job of study '%.100s' is in Slurm's queue", study);
    struct pool_task task;
    bool ok = ask((const char *const[]){ "scancel", id, NULL }, &task, err);
    if (ok && task.exit_code != 0)
        ok = error_set(err, "scancel %s: %.300s", id, task.log.text ? task.log.text : "failed");
    pool_task_clear(&task);
    return ok;
}

/* ---- an array task ------------------------------------------------------------------------------------------------------- */

struct worker {
    const char *folder;
    json_t **jobs;
    struct error *err;
    bool failed;
};

static bool write_report(void *context, size_t index, struct pool_task *task)
{
    struct worker *w = context;
    json_t *result = task->out.text ? json_loadb(task->out.text, task->out.length, 0, NULL) : NULL;
    const enum run_status status = batch_status(task, result);
    char *reason = batch_reason(task, result, status);
    json_t *report =
        json_pack("{s:s, s:s, s:i, s:f, s:I, s:s, s:o}", "status", run_status_name(status), "reason", reason, "exit_code",
                  task->exit_code, "wall_seconds", task->wall_seconds, "peak_rss_bytes", (json_int_t)task->peak_rss_bytes, "log",
                  task->log.text ? task->log.text : "", "result", result ? result : json_null());
    free(reason);
    char name[96];
    struct text_buffer text = { 0 };
    (void)snprintf(name, sizeof name, "results/%.64s.json", text_of(w->jobs[index], "key"));
    json_write(report, &text);
    w->failed = !write_small(w->folder, name, text.text, w->err);
    text_buffer_clear(&text);
    json_decref(report);
    return !w->failed;
}

static char **argv_of(const json_t *job)
{
    const json_t *words = json_object_get(job, "argv");
    const size_t count = json_array_size(words);
    char **argv = must_calloc(count + 1, sizeof *argv);
    for (size_t i = 0; i < count; i++) {
        const char *word = json_string_value(json_array_get(words, i));
        argv[i] = must_strdup(word ? word : "");
    }
    return argv;
}

bool slurm_work(const char *folder, uint64_t task, struct error *err)
{
    char *text = read_small(folder, "plan.json");
    json_t *plan = text ? json_loads(text, 0, NULL) : NULL;
    free(text);
    if (!plan)
        return error_set(
            err, "%.300s/plan.json: cannot be read; does this node share the filesystem of the machine that submitted?", folder);
    const json_t *jobs = json_object_get(plan, "jobs");
    const size_t chunk = (size_t)json_integer_value(json_object_get(plan, "chunk")), all = json_array_size(jobs),
                 first = (size_t)task * chunk;
    const size_t count = first >= all ? 0 : all - first < chunk ? all - first : chunk;
    struct worker w = { .folder = folder, .err = err, .jobs = must_calloc(count, sizeof *w.jobs) };
    struct pool_task *tasks = must_calloc(count, sizeof *tasks);
    for (size_t i = 0; i < count; i++) {
        w.jobs[i] = json_array_get(jobs, first + i);
        tasks[i].argv = argv_of(w.jobs[i]);
        tasks[i].label = text_of(w.jobs[i], "target");
    }
    const bool ok =
        count > 0
            ? pool_run(tasks, count, &(struct pool_options){ .jobs = 1, .done = write_report, .context = &w }, err) && !w.failed
            : error_set(err, "the plan in %.300s has no chunk %llu", folder, (unsigned long long)task);
    for (size_t i = 0; i < count; i++)
        pool_task_clear(&tasks[i]);
    free(tasks);
    free(w.jobs);
    json_decref(plan);
    return ok;
}
