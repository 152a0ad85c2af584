#include "study/batch.h"

#include <stdlib.h>
#include <string.h>

#include "study/pool.h"
#include "run/result.h"

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

static char *last_line(const char *text)
{
    if (!text)
        return must_strdup("");
    size_t end = strlen(text);
    while (end > 0 && text[end - 1] == '\n')
        end--;
    size_t start = end;
    while (start > 0 && text[start - 1] != '\n')
        start--;
    char *line = must_calloc(end - start + 1, 1);
    memcpy(line, text + start, end - start);
    return line;
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
    const struct run_record row = { .key = run->job.key,
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
    free(command);
    free(set);
    return ok;
}

/* The moment a run ends it is on the disk: what is killed later loses only what was still running. */
static bool record(void *context, size_t index, struct pool_task *task)
{
    struct batch *b = context;
    struct batch_run *run = b->missing[index];
    run->result = task->out.text ? json_loadb(task->out.text, task->out.length, 0, NULL) : NULL;
    run->status = batch_status(task, run->result);
    run->log = last_line(task->log.text);
    if (run->status != RUN_OK) { /* a program that failed may have run kernels before: its numbers are not the target's */
        json_decref(run->result);
        run->result = NULL;
    }
    b->failed = !batch_record(b->database, run, b->options->study, task->log.text ? task->log.text : "", task->exit_code,
                              task->wall_seconds, task->peak_rss_bytes, b->err);
    return !b->failed;
}

struct expectation {
    const struct batch *batch;
    struct pool_task *tasks;
    size_t count;
};

/* The most memory that any run of the same target and size took so far is what the next one is expected to take. */
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
    struct error ignored; /* without expectations runs start all the same */
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

bool batch_find_missing(struct database *database, struct batch_run *runs, size_t count, const char *study,
                        struct batch_run **missing, size_t *missing_count, struct error *err)
{
    bool ok = true;
    *missing_count = 0;
    for (size_t i = 0; ok && i < count; i++) {
        runs[i].result = database_result(database, runs[i].job.key);
        runs[i].was_there = runs[i].result != NULL;
        if (!runs[i].was_there)
            missing[(*missing_count)++] = &runs[i];
        else if (study)
            ok = database_join_study(database, runs[i].job.key, study, err);
    }
    return ok;
}

void batch_summarise(const struct batch_run *runs, size_t count, struct batch_summary *summary)
{
    *summary = (struct batch_summary){ 0 };
    for (size_t i = 0; i < count; i++) {
        summary->there += runs[i].was_there;
        summary->not_started += runs[i].status == RUN_NOT_STARTED;
        summary->run += !runs[i].was_there && runs[i].status != RUN_NOT_STARTED;
        summary->failed += runs[i].status == RUN_FAILED || runs[i].status == RUN_CRASHED || runs[i].status == RUN_TIMEOUT;
    }
}

bool batch_run_all(struct database *database, struct batch_run *runs, size_t count, const struct batch_options *options,
                   struct batch_summary *summary, struct error *err)
{
    struct batch b = { .database = database, .options = options, .err = err, .missing = must_calloc(count, sizeof *b.missing) };
    size_t missing = 0;
    const bool ok = batch_find_missing(database, runs, count, options->study, b.missing, &missing, err) && run_missing(&b, missing);
    free(b.missing);
    batch_summarise(runs, count, summary);
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
