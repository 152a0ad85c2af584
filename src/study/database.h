/* database.h - results that are never lost: one SQLite file, write-ahead logging, one transaction per run.
 *
 * A run is known by its key, the hash of everything that decides its outcome (job.h). Finished runs are never run again; a
 * run that failed is kept with its log and may be tried again (the new record replaces the old one). Any number of processes
 * may read and write at once. */
#ifndef WARPLINE_STUDY_DATABASE_H
#define WARPLINE_STUDY_DATABASE_H
#include <jansson.h>
#include <stdint.h>

#include "base/error.h"

struct database;
enum database_mode { DATABASE_READ, DATABASE_WRITE };

/* Opens, and in DATABASE_WRITE mode creates or migrates. A file that is not ours, is damaged, or was written by a newer
 * warpline is refused by name and left as it is. */
struct database *database_open(const char *path, enum database_mode mode, struct error *err);
void database_close(struct database *database);
/* $WARPLINE_DB, or warpline.db in the working directory. */
const char *database_default_path(void);

struct run_record {
    const char *key;
    const char *content;  /* job.h; "": its result is not for reuse */
    const char *study;    /* NULL: none */
    const char *target;   /* workload name, program or file */
    const char *size;     /* "" when the target has none */
    const char *config;   /* as named on the command line */
    const char *set;      /* "key=value key=value", "" for none */
    const char *policies; /* "gto,pric", "" for none */
    const char *status;   /* "ok", "failed" (exit code), "crashed" (signal), "timeout" */
    const char *command;  /* what a person would type to repeat it */
    const char *log;      /* end of what it printed on stderr */
    int exit_code;
    double wall_seconds;
    uint64_t peak_rss_bytes;
    uint64_t cycles, warp_instructions;
    json_t *result; /* the whole JSON result; NULL unless status is "ok" */
    json_t *inputs; /* [[kind, name, fact], ...] that the program read (run/inputs.h); NULL: none */
};

bool database_insert(struct database *database, const struct run_record *run, struct error *err);
/* The result of a finished run, a new reference; NULL when there is none. */
json_t *database_result(struct database *database, const char *key);
/* Offers the finished runs with this content, the newest first, until one is accepted. */
typedef bool database_accept(void *context, int64_t id, const char *key);
bool database_find_content(struct database *database, const char *content, database_accept *accept, void *context);
/* Calls `visit` for what the run's program read; true when all calls said so. */
typedef bool database_input_visit(void *context, char kind, const char *name, const char *fact);
bool database_each_input(struct database *database, int64_t run, database_input_visit *visit, void *context);
/* Adds an existing run to a study. */
bool database_join_study(struct database *database, const char *key, const char *study, struct error *err);

/* Calls `visit` for every run in order of insertion, without its JSON (`result` is NULL); `study` NULL: all of them.
 * A `visit` that returns false ends the walk. */
typedef bool database_visit(void *context, int64_t id, const struct run_record *run);
bool database_each(struct database *database, const char *study, database_visit *visit, void *context, struct error *err);
/* The runs whose number, or the beginning of whose key, is `name`: their key (the caller frees), or NULL with an error when
 * there are none or several. */
char *database_find(struct database *database, const char *name, struct error *err);
/* One counter over all runs, straight from the counters table: for exports and plans. */
typedef void counter_visit(void *context, int64_t run, const char *counter, double value);
bool database_each_counter(struct database *database, int64_t run, counter_visit *visit, void *context, struct error *err);
#endif
