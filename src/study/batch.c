/* batch.c - the runs of a study: which are there, which are missing, and running those. */
#include "study/batch.h"

#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "run/result.h"
#include "study/pool.h"
#include "study/reuse.h"

struct batch {
    struct database *database;
    struct batch_run **missing; /* task i of the pool runs missing[i] */
    const struct batch_options *options;
    struct error *err;
    bool failed;
};

const char *run_status_name(enum run_status status)
{
    static const char *const names[] = { "ok", "failed", "crashed", "timeout", "not started" };
    return names[status];
}

enum run_status batch_status(const struct pool_task *task, const json_t *result)
{
    if (task->timed_out)
        return RUN_TIMEOUT;
    if (task->signal)
        return RUN_CRASHED;
    return task->exit_code == 0 && result ? RUN_OK : RUN_FAILED;
}

static uint64_t whole(json_t *result, const char *name)
{
    double v;
    return result && result_number(result, name, &v) ? (uint64_t)v : 0;
}

/* The last line of `log`, or of those that begin with `start` when there are such. */
static char *last_line(const char *log, const char *start)
{
    const char *found = "";
    size_t length = 0;
    bool is_marked = false;
    for (const char *line = log, *next; *line; line = next) {
        const size_t here = strcspn(line, "\n");
        const bool marked = strncmp(line, start, strlen(start)) == 0 && strncmp(line + strlen(start), "note:", 5) != 0 &&
                            strncmp(line + strlen(start), "warning:", 8) != 0;
        next = line + here + (line[here] != '\0');
        if (here && (marked || !is_marked)) {
            found = marked ? line + strlen(start) : line;
            length = marked ? here - strlen(start) : here;
            is_marked = is_marked || marked;
        }
    }
    char *copy = must_calloc(length + 1, 1);
    memcpy(copy, found, length);
    return copy;
}

/* A kernel's failure is in the result. Otherwise warpline has printed it in a line of its own, among whatever the program
 * printed. */
char *batch_reason(const struct pool_task *task, const json_t *result, enum run_status status)
{
    struct text_buffer text = { 0 };
    const char *failure = json_string_value(json_object_get(result, "failure"));
    if (status == RUN_OK)
        return must_strdup("");
    if (status == RUN_TIMEOUT)
        text_append(&text, "it took longer than --timeout allows (%.0f s)", task->wall_seconds);
    else if (status == RUN_CRASHED)
        text_append(&text, "the process was ended by signal %d (%s)", task->signal, strsignal(task->signal));
    else if (!failure)
        return last_line(task->log.text ? task->log.text : "", "warpline: ");
    else
        text_append(&text, "%.*s", (int)strcspn(failure, "\n"), failure);
    return text.text;
}

static char *joined(const struct text_list *list)
{
    struct text_buffer b = { 0 };
    text_append(&b, "%s", "");
    for (size_t i = 0; i < list->count; i++)
        text_append(&b, "%s%s", i ? " " : "", list->item[i]);
    return b.text;
}

bool batch_record(struct database *database, struct batch_run *run, const char *study, const char *log, int exit_code,
                  double wall_seconds, uint64_t peak_rss_bytes, struct error *err)
{
    char *command = job_command(&run->job), *set = joined(&run->job.set);
    json_t *inputs = run->result ? json_incref(json_object_get(run->result, "inputs")) : NULL;
    run->unseen = run->status == RUN_OK && !run->job.is_trace && !json_is_true(json_object_get(inputs, "seen"));
    if (run->result)
        (void)json_object_del(run->result, "inputs");
    const struct run_record row = { .key = run->job.key,
                                    .content = run->unseen ? "" : run->job.content,
                                    .inputs = json_object_get(inputs, "list"),
                                    .study = study,
                                    .target = run->job.target,
                                    .size = run->job.size,
                                    .config = run->job.config,
                                    .set = set,
                                    .policies = run->job.policies,
                                    .status = run_status_name(run->status),
                                    .command = command,
                                    .log = log,
                                    .exit_code = exit_code,
                                    .wall_seconds = wall_seconds,
                                    .peak_rss_bytes = peak_rss_bytes,
                                    .cycles = whole(run->result, "cycles"),
                                    .warp_instructions = whole(run->result, "warp_instructions"),
                                    .result = run->status == RUN_OK ? run->result : NULL };
    const bool ok = database_insert(database, &row, err);
    json_decref(inputs);
    free(command);
    free(set);
    return ok;
}

/* A run is on the disk the moment it ends. Whoever is killed later loses only what was still running. */
static bool record(void *context, size_t index, struct pool_task *task)
{
    struct batch *b = context;
    struct batch_run *run = b->missing[index];
    run->result = task->out.text ? json_loadb(task->out.text, task->out.length, 0, NULL) : NULL;
    run->status = batch_status(task, run->result);
    run->log = batch_reason(task, run->result, run->status);
    if (run->status != RUN_OK) { /* a program that failed may have run kernels before: its numbers do not count for the target */
        json_decref(run->result);
        run->result = NULL;
    }
    b->failed = !batch_record(b->database, run, b->options->study, task->log.text ? task->log.text : "", task->exit_code,
                              task->wall_seconds, task->peak_rss_bytes, b->err);
    return !b->failed;
}

static bool has_setting(const struct batch_run *runs, size_t count, const char *setting)
{
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < runs[i].job.set.count; k++)
            if (strcmp(runs[i].job.set.item[k], setting) == 0)
                return true;
    return false;
}

bool batch_check_settings(const struct batch_run *runs, size_t count, struct error *err)
{
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < runs[i].job.foreign.count; k++) {
            const char *setting = runs[i].job.foreign.item[k], *name = setting + strlen("policy.");
            if (has_setting(runs, count, setting))
                continue;
            const bool is_policy = strncmp(setting, "policy.", strlen("policy.")) == 0;
            return error_set(err, "'%.100s' is a parameter of policy '%.*s', which no run of this study uses", setting,
                             is_policy ? (int)strcspn(name, ".") : 0, is_policy ? name : "");
        }
    return true;
}

struct expectation {
    const struct batch *batch;
    struct pool_task *tasks;
    size_t count;
};

/* The next run of a target and size is expected to take as much memory as the largest so far. */
static bool expect_memory(void *context, int64_t id, const struct run_record *run)
{
    const struct expectation *e = context;
    (void)id;
    for (size_t i = 0; i < e->count; i++) {
        const struct job *job = &e->batch->missing[i]->job;
        if (e->tasks[i].memory_bytes < run->peak_rss_bytes && strcmp(job->target, run->target) == 0 &&
            strcmp(job->size, run->size) == 0)
            e->tasks[i].memory_bytes = run->peak_rss_bytes;
    }
    return true;
}

static bool run_missing(struct batch *b, size_t count)
{
    struct pool_task *tasks = must_calloc(count, sizeof *tasks);
    for (size_t i = 0; i < count; i++) {
        tasks[i].argv = job_argv(&b->missing[i]->job);
        tasks[i].label = b->missing[i]->job.target;
    }
    struct expectation expectation = { b, tasks, count };
    struct error ignored; /* runs start even without an estimate */
    (void)database_each(b->database, NULL, expect_memory, &expectation, &ignored);
    const struct pool_options pool = { .jobs = b->options->jobs,
                                       .timeout_seconds = b->options->timeout_seconds,
                                       .progress = b->options->progress,
                                       .done = record,
                                       .context = b,
                                       .interrupted = b->options->interrupted };
    const bool ok = pool_run(tasks, count, &pool, b->err) && !b->failed;
    for (size_t i = 0; i < count; i++) {
        if (tasks[i].not_started)
            b->missing[i]->status = RUN_NOT_STARTED;
        pool_task_clear(&tasks[i]);
    }
    free(tasks);
    return ok;
}

/* A result under another name: the same numbers, recorded as what was asked for. Without the list of inputs (they changed in the
 * meantime) it may not be reused. */
static bool record_again(struct database *database, struct batch_run *run, json_t *inputs, const char *study, struct error *err)
{
    json_t *host = json_object_get(run->result, "host");
    (void)json_object_set_new(run->result, "target", json_string(run->job.target));
    if (inputs)
        (void)json_object_set_new(run->result, "inputs", json_pack("{s:b, s:O}", "seen", 1, "list", inputs));
    return batch_record(database, run, study, "", 0, json_number_value(json_object_get(host, "wall_seconds")),
                        (uint64_t)json_integer_value(json_object_get(host, "peak_rss_bytes")), err);
}

static bool take_stored(struct database *database, struct reuse *reuse, struct batch_run *run, const char *study, struct error *err)
{
    struct reuse_found found = { 0 };
    if (!reuse_find(reuse, database, &run->job, &found))
        return true;
    run->result = found.result;
    run->was_there = true;
    const bool own_name = strcmp(found.key, run->job.key) == 0;
    const bool ok = own_name ? !study || database_join_study(database, run->job.key, study, err)
                             : record_again(database, run, found.inputs, study, err);
    json_decref(found.inputs);
    return ok;
}

bool batch_find_missing(struct database *database, struct batch_run *runs, size_t count, const struct batch_options *options,
                        struct batch_run **missing, size_t *missing_count, struct error *err)
{
    bool ok = true;
    struct reuse *reuse = reuse_new();
    json_t *first = json_object(); /* content: the number of the run that asks for it first */
    *missing_count = 0;
    for (size_t i = 0; ok && i < count; i++) {
        if (!options->fresh)
            ok = take_stored(database, reuse, &runs[i], options->study, err);
        if (!ok || runs[i].was_there)
            continue;
        const json_t *same = json_object_get(first, runs[i].job.content);
        if (same) {
            runs[i].same_as = &runs[json_integer_value(same)];
        } else {
            (void)json_object_set_new(first, runs[i].job.content, json_integer((json_int_t)i));
            missing[(*missing_count)++] = &runs[i];
        }
    }
    json_decref(first);
    reuse_free(reuse);
    return ok;
}

static bool finish_same(struct database *database, struct batch_run *run, const char *study, struct error *err)
{
    const struct batch_run *done = run->same_as;
    run->status = done->status;
    run->unseen = done->unseen;
    run->log = must_strdup(done->log ? done->log : "");
    run->result = done->result ? json_deep_copy(done->result) : NULL;
    if (strcmp(done->job.key, run->job.key) == 0 || run->status == RUN_NOT_STARTED)
        return true;
    if (run->status != RUN_OK || run->unseen)
        return batch_record(database, run, study, run->log, run->status == RUN_OK ? 0 : 1, 0, 0, err);
    struct reuse *reuse = reuse_new();
    struct reuse_found found = { 0 };
    const bool stored = reuse_find(reuse, database, &done->job, &found);
    const bool ok = record_again(database, run, stored ? found.inputs : NULL, study, err);
    reuse_free(reuse);
    json_decref(found.result);
    json_decref(found.inputs);
    return ok;
}

bool batch_finish(struct database *database, struct batch_run *runs, size_t count, const struct batch_options *options,
                  struct batch_summary *summary, struct error *err)
{
    bool ok = true;
    *summary = (struct batch_summary){ 0 };
    const char *unseen = NULL;
    const struct batch_run *first_failure = NULL;
    for (size_t i = 0; i < count; i++) {
        if (runs[i].same_as)
            ok = ok && finish_same(database, &runs[i], options->study, err);
        unseen = runs[i].unseen ? runs[i].job.target : unseen;
        summary->there += runs[i].was_there;
        summary->not_started += runs[i].status == RUN_NOT_STARTED;
        summary->run += !runs[i].was_there && runs[i].status != RUN_NOT_STARTED;
        const bool failed = runs[i].status == RUN_FAILED || runs[i].status == RUN_CRASHED || runs[i].status == RUN_TIMEOUT;
        summary->failed += failed;
        first_failure = failed && !first_failure ? &runs[i] : first_failure;
    }
    if (first_failure && first_failure->log && *first_failure->log)
        log_line(LOG_WARN, "%s: %s", first_failure->job.target, first_failure->log);
    if (unseen)
        log_line(LOG_WARN,
                 "%s: what it reads from files and the environment cannot be seen (is it linked statically?): its results "
                 "are not used again",
                 unseen);
    return ok;
}

bool batch_run_all(struct database *database, struct batch_run *runs, size_t count, const struct batch_options *options,
                   struct batch_summary *summary, struct error *err)
{
    struct batch b = { .database = database, .options = options, .err = err, .missing = must_calloc(count, sizeof *b.missing) };
    size_t missing = 0;
    bool ok = batch_find_missing(database, runs, count, options, b.missing, &missing, err) && run_missing(&b, missing);
    free(b.missing);
    struct error second;
    ok = batch_finish(database, runs, count, options, summary, ok ? err : &second) && ok;
    return ok;
}

void batch_clear(struct batch_run *runs, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        job_clear(&runs[i].job);
        json_decref(runs[i].result);
        free(runs[i].log);
    }
    free(runs);
}

void batch_print_summary(size_t count, const struct batch_summary *s)
{
    (void)fprintf(stderr, "%zu run%s: %zu run now, %zu already there, %zu failed%s\n", count, count == 1 ? "" : "s", s->run,
                  s->there, s->failed,
                  s->not_started ? "; interrupted: the same command goes on where it stopped"
                  : s->failed    ? "; the same command tries the failed ones again"
                                 : "");
}
