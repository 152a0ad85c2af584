/* batch.h - many jobs. Those that the database does not have are run in parallel and recorded one by one; then all have results. */
#ifndef WARPLINE_STUDY_BATCH_H
#define WARPLINE_STUDY_BATCH_H
#include <jansson.h>

#include "study/database.h"
#include "study/job.h"

struct batch_options {
    const char *study;        /* NULL: none */
    uint32_t jobs;            /* processes at a time; 0: one per core */
    uint32_t timeout_seconds; /* per run; 0: none */
    bool progress;
    bool fresh; /* run everything, whatever the database has */
    const volatile int *interrupted;
};

enum run_status { RUN_OK, RUN_FAILED, RUN_CRASHED, RUN_TIMEOUT, RUN_NOT_STARTED };
const char *run_status_name(enum run_status status);

struct batch_run {
    struct job job; /* prepared by the caller */
    enum run_status status;
    bool was_there;            /* the database had it already, perhaps under another name */
    bool unseen;               /* what its program read could not be seen: the result is not for reuse */
    struct batch_run *same_as; /* asked for before in this batch under another name: run once */
    json_t *result;            /* new reference when RUN_OK */
    char *log;                 /* why it failed, in one line; "" when it did not */
};

struct batch_summary {
    size_t run, there, failed, not_started;
};

/* A setting whose technique no run has is a mistake: false with a sentence. To be asked once all jobs are prepared. */
bool batch_check_settings(const struct batch_run *runs, size_t count, struct error *err);

/* False when the database cannot be written or no process can be started; a failing run is not a failure of the batch. */
bool batch_run_all(struct database *database, struct batch_run *runs, size_t count, const struct batch_options *options,
                   struct batch_summary *summary, struct error *err);
/* One line on stderr: how many runs there were, and what became of them. */
void batch_print_summary(size_t count, const struct batch_summary *summary);
void batch_clear(struct batch_run *runs, size_t count);

/* The parts from which engines are made. batch_find_missing loads what the database has and lists the rest, each content once.
 * batch_record writes one ended run. batch_status judges a process. batch_finish gives their result to jobs that were asked for
 * under several names, and counts. */
bool batch_find_missing(struct database *database, struct batch_run *runs, size_t count, const struct batch_options *options,
                        struct batch_run **missing, size_t *missing_count, struct error *err);
bool batch_record(struct database *database, struct batch_run *run, const char *study, const char *log, int exit_code,
                  double wall_seconds, uint64_t peak_rss_bytes, struct error *err);
struct pool_task;
enum run_status batch_status(const struct pool_task *task, const json_t *result);
/* Why it failed; the caller frees. */
char *batch_reason(const struct pool_task *task, const json_t *result, enum run_status status);
bool batch_finish(struct database *database, struct batch_run *runs, size_t count, const struct batch_options *options,
                  struct batch_summary *summary, struct error *err);
#endif
