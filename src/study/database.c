/* database.c - the results database (SQLite): a row is written whole or not at all. */
#include "study/database.h"

#include <errno.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <zstd.h>

#include "base/atomic_file.h"
#include "base/json.h"
#include "base/text.h"

enum { APPLICATION_ID = 0x77726c6e /* "wrln" */, BUSY_MILLISECONDS = 60000, RETRY_MILLISECONDS = 20, CHECK_BYTES = 32 << 20 };

struct database {
    sqlite3 *handle;
    char *path;
    bool was_busy;     /* the last failure: somebody else held a lock */
    bool wants_writer; /* the last failure: something must be written that this connection may not write */
    bool cannot_open;  /* the last failure: a file could not be opened or made */
};

/* Each entry brings a file of the version before it up to its own; never change one that was released. */
static const char *const migrations[] = {
    "CREATE TABLE run (id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, target TEXT NOT NULL, size TEXT NOT NULL,"
    " config TEXT NOT NULL, settings TEXT NOT NULL, policies TEXT NOT NULL, status TEXT NOT NULL, command TEXT NOT NULL,"
    " log TEXT NOT NULL, exit_code INTEGER NOT NULL, wall_seconds REAL NOT NULL, peak_rss_bytes INTEGER NOT NULL,"
    " cycles INTEGER NOT NULL, warp_instructions INTEGER NOT NULL, created TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP);"
    "CREATE TABLE result (run INTEGER PRIMARY KEY REFERENCES run(id) ON DELETE CASCADE, json_zstd BLOB NOT NULL);"
    "CREATE TABLE name (id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE);"
    "CREATE TABLE counter (run INTEGER NOT NULL REFERENCES run(id) ON DELETE CASCADE, name INTEGER NOT NULL REFERENCES name(id),"
    " value NUMERIC, PRIMARY KEY (run, name)) WITHOUT ROWID;"
    "CREATE TABLE study (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);"
    "CREATE TABLE study_run (study INTEGER NOT NULL REFERENCES study(id), run INTEGER NOT NULL REFERENCES run(id) ON DELETE "
    "CASCADE,"
    " PRIMARY KEY (study, run)) WITHOUT ROWID;",
    /* Results from before this version have no content. What their programs read is not known, so they are run again. */
    "ALTER TABLE run ADD COLUMN content TEXT NOT NULL DEFAULT '';"
    "CREATE INDEX run_content ON run (content);"
    "CREATE TABLE input (run INTEGER NOT NULL REFERENCES run(id) ON DELETE CASCADE, kind TEXT NOT NULL, name TEXT NOT NULL,"
    " fact TEXT NOT NULL, PRIMARY KEY (run, kind, name)) WITHOUT ROWID;",
};
enum { SCHEMA_VERSION = sizeof migrations / sizeof *migrations };

const char *database_default_path(void)
{
    const char *given = getenv("WARPLINE_DB");
    return given && *given ? given : "warpline.db";
}

static bool fail(struct database *d, struct error *err)
{
    const int code = sqlite3_errcode(d->handle) & 0xff;
    d->cannot_open = code == SQLITE_CANTOPEN;
    d->wants_writer = code == SQLITE_READONLY;
    d->was_busy = code == SQLITE_BUSY || code == SQLITE_LOCKED || code == SQLITE_PROTOCOL;
    if (code == SQLITE_CORRUPT || code == SQLITE_NOTADB)
        return error_set(
            err, "%.300s: not a results database, or damaged (%s); it was left as it is: move it away or name another with --db",
            d->path, sqlite3_errmsg(d->handle));
    if (d->was_busy)
        return error_set(err, "%.300s: another process has held the results database locked for %d s; try again when it is done",
                         d->path, BUSY_MILLISECONDS / 1000);
    if (code == SQLITE_FULL || (code == SQLITE_IOERR && sqlite3_system_errno(d->handle) == ENOSPC))
        return error_set(err, "%.300s: the disk is full; the run was not recorded, nothing recorded before is lost", d->path);
    if (code == SQLITE_READONLY || (code == SQLITE_CANTOPEN && access(d->path, W_OK) != 0))
        return error_set(err, "%.300s: the results database cannot be written; check its permissions or name another with --db",
                         d->path);
    return error_set(err, "%.300s: %s", d->path, sqlite3_errmsg(d->handle));
}

static bool execute(struct database *d, const char *sql, struct error *err)
{
    return sqlite3_exec(d->handle, sql, NULL, NULL, NULL) == SQLITE_OK || fail(d, err);
}

static bool read_number(struct database *d, const char *sql, int64_t *out, struct error *err)
{
    sqlite3_stmt *s = NULL;
    const bool ok = sqlite3_prepare_v2(d->handle, sql, -1, &s, NULL) == SQLITE_OK && sqlite3_step(s) == SQLITE_ROW;
    if (ok)
        *out = sqlite3_column_int64(s, 0);
    else
        fail(d, err);
    (void)sqlite3_finalize(s);
    return ok;
}

/* SQLite's own check of the pages; for small files only, since it reads all of them. */
static bool check_pages(struct database *d, struct error *err)
{
    struct stat info;
    if (stat(d->path, &info) != 0 || info.st_size > CHECK_BYTES)
        return true;
    sqlite3_stmt *s = NULL;
    bool sound = sqlite3_prepare_v2(d->handle, "PRAGMA quick_check(1)", -1, &s, NULL) == SQLITE_OK && sqlite3_step(s) == SQLITE_ROW;
    if (!sound)
        fail(d, err);
    else if (strcmp((const char *)sqlite3_column_text(s, 0), "ok") != 0)
        sound = error_set(
            err, "%.300s: the results database is damaged (%.200s); it was left as it is: move it away or name another with --db",
            d->path, (const char *)sqlite3_column_text(s, 0));
    (void)sqlite3_finalize(s);
    return sound;
}

/* Two processes may open a new file at the same moment: the version is read again under the write lock. */
static bool migrate(struct database *d, struct error *err)
{
    int64_t version = 0;
    if (!execute(d, "BEGIN IMMEDIATE", err) || !read_number(d, "PRAGMA user_version", &version, err))
        return false;
    bool ok = true;
    for (int64_t v = version; ok && v < SCHEMA_VERSION; v++)
        ok = execute(d, migrations[v], err);
    char stamp[96];
    (void)snprintf(stamp, sizeof stamp, "PRAGMA user_version = %d; PRAGMA application_id = %d", SCHEMA_VERSION, APPLICATION_ID);
    ok = ok && execute(d, stamp, err) && execute(d, "COMMIT", err);
    if (!ok)
        (void)sqlite3_exec(d->handle, "ROLLBACK", NULL, NULL, NULL);
    return ok;
}

static bool accept_schema(struct database *d, enum database_mode mode, struct error *err)
{
    int64_t version = 0, application = 0, tables = 0;
    /* In one transaction: another process may be making the file between two reads. */
    const bool known = execute(d, "BEGIN", err) && read_number(d, "SELECT count(*) FROM sqlite_master", &tables, err) &&
                       read_number(d, "PRAGMA user_version", &version, err) &&
                       read_number(d, "PRAGMA application_id", &application, err);
    (void)sqlite3_exec(d->handle, "ROLLBACK", NULL, NULL, NULL);
    if (!known)
        return false;
    if (tables > 0 && application != APPLICATION_ID)
        return error_set(err, "%.300s: an SQLite file of another program, not a results database; name another with --db", d->path);
    if (version > SCHEMA_VERSION)
        return error_set(err, "%.300s: written by a newer warpline (schema %lld, this one knows %d); use that one", d->path,
                         (long long)version, SCHEMA_VERSION);
    /* Readers need only what was there from the first version. */
    if (version == SCHEMA_VERSION || (mode == DATABASE_READ && version > 0))
        return true;
    if (mode == DATABASE_READ)
        return error_set(err, "%.300s: no results in it yet; run 'warpline compare' or 'warpline sweep' first", d->path);
    return migrate(d, err);
}

/* SQLite waits for locks by itself, except for the one that switches a new file to write-ahead logging. While another process
 * makes the same file, that step fails at once. So it is tried again. */
static bool make_ready(struct database *d, enum database_mode mode, struct error *err)
{
    for (int tries = 0;; tries++) {
        d->was_busy = d->cannot_open = d->wants_writer = false;
        if (accept_schema(d, mode, err) &&
            (mode == DATABASE_READ || /* a reader harms nothing */
             (check_pages(d, err) &&
              execute(d, "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON", err))))
            return true;
        if (!d->was_busy || tries >= BUSY_MILLISECONDS / RETRY_MILLISECONDS)
            return false;
        (void)nanosleep(&(struct timespec){ .tv_nsec = RETRY_MILLISECONDS * 1000000L }, NULL);
    }
}

/* A log of recent writes lies beside the file and is not empty. */
static bool has_log(const char *path)
{
    struct text_buffer log = { 0 };
    struct stat info;
    text_append(&log, "%s-wal", path);
    const bool there = stat(log.text, &info) == 0 && info.st_size > 0;
    text_buffer_clear(&log);
    return there;
}

/* On a read-only medium SQLite cannot make the file that readers of a write-ahead log share. Nobody else can write there either,
 * so the file may be read as it is, unless a log lies beside it. */
static bool open_unchanging(struct database *d, struct error *err)
{
    if (!d->cannot_open || has_log(d->path))
        return false;
    struct text_buffer uri = { 0 };
    text_append(&uri, "file:");
    for (const char *p = d->path; *p; p++)
        text_append(&uri, strchr("%?#", *p) ? "%%%02x" : "%c", (unsigned)(unsigned char)*p);
    text_append(&uri, "?immutable=1");
    (void)sqlite3_close(d->handle);
    const bool ok = sqlite3_open_v2(uri.text, &d->handle, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, NULL) == SQLITE_OK;
    text_buffer_clear(&uri);
    return ok && make_ready(d, DATABASE_READ, err);
}

/* A process that was killed while it made the file leaves a journal that must be rolled back first, which a reader may not do. So
 * the file is opened for writing, and read. */
static bool open_rolled_back(struct database *d, struct error *err)
{
    if (!d->wants_writer)
        return false;
    (void)sqlite3_close(d->handle);
    const bool ok = sqlite3_open_v2(d->path, &d->handle, SQLITE_OPEN_READWRITE, NULL) == SQLITE_OK;
    (void)sqlite3_busy_timeout(d->handle, BUSY_MILLISECONDS);
    return ok && make_ready(d, DATABASE_READ, err);
}

struct database *database_open(const char *path, enum database_mode mode, struct error *err)
{
    struct database *d = must_calloc(1, sizeof *d);
    d->path = must_strdup(path);
    const int flags = mode == DATABASE_WRITE ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READONLY;
    struct stat info;
    bool ok = true;
    if (mode == DATABASE_READ && stat(path, &info) != 0)
        ok = error_set(
            err, "%.300s: no such results database; run 'warpline compare' or 'warpline sweep' first, or name one with --db", path);
    if (ok && stat(path, &info) == 0 && S_ISDIR(info.st_mode))
        ok = error_set(err, "%.300s: is a directory; give the results database a file with --db", path);
    if (ok && (text_is_pipe(path) || text_is_device(path))) /* opening a pipe waits for its writer */
        ok = error_set(err, "%.300s: is a device or a pipe; give a file", path);
    if (ok && mode == DATABASE_WRITE && stat(path, &info) != 0)
        ok = atomic_file_check(path, err);
    if (ok && sqlite3_open_v2(path, &d->handle, flags, NULL) != SQLITE_OK)
        ok = error_set(err, "%.300s: cannot open the results database: %s", path, sqlite3_errmsg(d->handle));
    if (ok) {
        (void)sqlite3_busy_timeout(d->handle, BUSY_MILLISECONDS);
        ok = make_ready(d, mode, err) || (mode == DATABASE_READ && (open_rolled_back(d, err) || open_unchanging(d, err)));
    }
    if (ok)
        return d;
    database_close(d);
    return NULL;
}

void database_close(struct database *d)
{
    if (!d)
        return;
    (void)sqlite3_close(d->handle);
    free(d->path);
    free(d);
}

static void bind_text(sqlite3_stmt *s, int at, const char *text)
{
    (void)sqlite3_bind_text(s, at, text ? text : "", -1, SQLITE_STATIC);
}

static bool step_done(struct database *d, sqlite3_stmt *s, struct error *err)
{
    const int code = sqlite3_step(s);
    const bool ok = code == SQLITE_DONE || code == SQLITE_ROW || fail(d, err);
    (void)sqlite3_reset(s);
    return ok;
}

/* Names from outside may hold any bytes, but results and reports are JSON, which holds only UTF-8. */
static void bind_outside_text(sqlite3_stmt *s, int at, const char *text)
{
    char *clean = json_clean_text(text ? text : "");
    (void)sqlite3_bind_text(s, at, clean, -1, SQLITE_TRANSIENT);
    free(clean);
}

static bool insert_run(struct database *d, const struct run_record *r, int64_t *id, struct error *err)
{
    sqlite3_stmt *s = NULL;
    static const char sql[] =
        "INSERT INTO run (key, target, size, config, settings, policies, status, command, log, exit_code, wall_seconds,"
        " peak_rss_bytes, cycles, warp_instructions, content) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)";
    if (sqlite3_prepare_v2(d->handle, "DELETE FROM run WHERE key = ?", -1, &s, NULL) != SQLITE_OK)
        return fail(d, err);
    bind_text(s, 1, r->key);
    bool ok = step_done(d, s, err);
    (void)sqlite3_finalize(s);
    if (!ok || sqlite3_prepare_v2(d->handle, sql, -1, &s, NULL) != SQLITE_OK)
        return ok ? fail(d, err) : false;
    const char *const texts[] = { r->key, r->target, r->size, r->config, r->set, r->policies, r->status, r->command, r->log };
    int at = 1;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        bind_outside_text(s, at++, texts[i]);
    (void)sqlite3_bind_int(s, at++, r->exit_code);
    (void)sqlite3_bind_double(s, at++, r->wall_seconds);
    (void)sqlite3_bind_int64(s, at++, (int64_t)r->peak_rss_bytes);
    (void)sqlite3_bind_int64(s, at++, (int64_t)r->cycles);
    (void)sqlite3_bind_int64(s, at++, (int64_t)r->warp_instructions);
    bind_text(s, at++, r->content);
    ok = step_done(d, s, err);
    (void)sqlite3_finalize(s);
    *id = sqlite3_last_insert_rowid(d->handle);
    return ok;
}

static bool insert_json(struct database *d, int64_t id, const json_t *result, struct error *err)
{
    char *text = json_dumps(result, JSON_COMPACT);
    require(text);
    const size_t length = strlen(text), room = ZSTD_compressBound(length);
    void *packed = must_calloc(1, room);
    const size_t size = ZSTD_compress(packed, room, text, length, 6);
    require(!ZSTD_isError(size));
    sqlite3_stmt *s = NULL;
    bool ok = sqlite3_prepare_v2(d->handle, "INSERT INTO result (run, json_zstd) VALUES (?, ?)", -1, &s, NULL) == SQLITE_OK ||
              fail(d, err);
    if (ok) {
        (void)sqlite3_bind_int64(s, 1, id);
        (void)sqlite3_bind_blob(s, 2, packed, (int)size, SQLITE_STATIC);
        ok = step_done(d, s, err);
    }
    (void)sqlite3_finalize(s);
    free(packed);
    free(text);
    return ok;
}

struct counter_writer {
    struct database *database;
    sqlite3_stmt *name, *value;
    int64_t run;
};

/* Walks the nested counters of "totals": l1.refused.mshr_entry. */
static bool insert_counters(struct counter_writer *w, const char *prefix, json_t *object, struct error *err)
{
    const char *key;
    json_t *value;
    json_object_foreach(object, key, value) {
        char full[256];
        (void)snprintf(full, sizeof full, "%s%s%s", prefix, *prefix ? "." : "", key);
        if (json_is_object(value)) {
            if (!insert_counters(w, full, value, err))
                return false;
            continue;
        }
        if (!json_is_number(value))
            continue;
        bind_text(w->name, 1, full);
        if (!step_done(w->database, w->name, err))
            return false;
        (void)sqlite3_bind_int64(w->value, 1, w->run);
        bind_text(w->value, 2, full);
        if (json_is_integer(value))
            (void)sqlite3_bind_int64(w->value, 3, json_integer_value(value));
        else
            (void)sqlite3_bind_double(w->value, 3, json_real_value(value));
        if (!step_done(w->database, w->value, err))
            return false;
    }
    return true;
}

static bool insert_result(struct database *d, int64_t id, const struct run_record *r, struct error *err)
{
    if (!r->result)
        return true;
    struct counter_writer w = { .database = d, .run = id };
    bool ok =
        (sqlite3_prepare_v2(d->handle, "INSERT OR IGNORE INTO name (text) VALUES (?)", -1, &w.name, NULL) == SQLITE_OK &&
         sqlite3_prepare_v2(d->handle, "INSERT INTO counter (run, name, value) VALUES (?, (SELECT id FROM name WHERE text = ?), ?)",
                            -1, &w.value, NULL) == SQLITE_OK) ||
        fail(d, err);
    json_t *totals = json_object_get(r->result, "totals");
    ok = ok && insert_json(d, id, r->result, err) && (!totals || insert_counters(&w, "", totals, err));
    (void)sqlite3_finalize(w.name);
    (void)sqlite3_finalize(w.value);
    return ok;
}

static bool insert_inputs(struct database *d, int64_t id, const json_t *inputs, struct error *err)
{
    sqlite3_stmt *s = NULL;
    if (sqlite3_prepare_v2(d->handle, "INSERT OR REPLACE INTO input (run, kind, name, fact) VALUES (?, ?, ?, ?)", -1, &s, NULL) !=
        SQLITE_OK)
        return fail(d, err);
    bool ok = true;
    for (size_t i = 0; ok && i < json_array_size(inputs); i++) {
        const json_t *row = json_array_get(inputs, i);
        (void)sqlite3_bind_int64(s, 1, id);
        for (int part = 0; part < 3; part++)
            bind_text(s, part + 2, json_string_value(json_array_get(row, (size_t)part)));
        ok = step_done(d, s, err);
    }
    (void)sqlite3_finalize(s);
    return ok;
}

bool database_find_content(struct database *d, const char *content, database_accept *accept, void *context)
{
    sqlite3_stmt *s = NULL;
    bool found = false;
    if (sqlite3_prepare_v2(d->handle, "SELECT id, key FROM run WHERE content = ? AND status = 'ok' ORDER BY id DESC", -1, &s,
                           NULL) == SQLITE_OK) {
        bind_text(s, 1, content);
        while (!found && sqlite3_step(s) == SQLITE_ROW)
            found = accept(context, sqlite3_column_int64(s, 0), (const char *)sqlite3_column_text(s, 1));
    }
    (void)sqlite3_finalize(s);
    return found;
}

bool database_each_input(struct database *d, int64_t run, database_input_visit *visit, void *context)
{
    sqlite3_stmt *s = NULL;
    bool ok = sqlite3_prepare_v2(d->handle, "SELECT kind, name, fact FROM input WHERE run = ?", -1, &s, NULL) == SQLITE_OK;
    int code = SQLITE_DONE;
    if (ok)
        (void)sqlite3_bind_int64(s, 1, run);
    while (ok && (code = sqlite3_step(s)) == SQLITE_ROW)
        ok = visit(context, *(const char *)sqlite3_column_text(s, 0), (const char *)sqlite3_column_text(s, 1),
                   (const char *)sqlite3_column_text(s, 2));
    (void)sqlite3_finalize(s);
    return ok && code == SQLITE_DONE;
}

bool database_join_study(struct database *d, const char *key, const char *study, struct error *err)
{
    static const char *const sql[] = { "INSERT OR IGNORE INTO study (name) VALUES (?1)",
                                       "INSERT OR IGNORE INTO study_run (study, run) SELECT study.id, run.id FROM study, run"
                                       " WHERE study.name = ?1 AND run.key = ?2" };
    bool ok = true;
    for (size_t i = 0; ok && i < sizeof sql / sizeof *sql; i++) {
        sqlite3_stmt *s = NULL;
        ok = sqlite3_prepare_v2(d->handle, sql[i], -1, &s, NULL) == SQLITE_OK || fail(d, err);
        if (ok) {
            bind_text(s, 1, study);
            if (i == 1)
                bind_text(s, 2, key);
            ok = step_done(d, s, err);
        }
        (void)sqlite3_finalize(s);
    }
    return ok;
}

bool database_insert(struct database *d, const struct run_record *run, struct error *err)
{
    int64_t id = 0;
    if (!execute(d, "BEGIN IMMEDIATE", err))
        return false;
    const bool ok = insert_run(d, run, &id, err) && insert_result(d, id, run, err) && insert_inputs(d, id, run->inputs, err) &&
                    (!run->study || database_join_study(d, run->key, run->study, err)) && execute(d, "COMMIT", err);
    if (!ok)
        (void)sqlite3_exec(d->handle, "ROLLBACK", NULL, NULL, NULL);
    return ok;
}

static json_t *unpack(const void *packed, size_t size)
{
    const unsigned long long length = ZSTD_getFrameContentSize(packed, size);
    if (length == ZSTD_CONTENTSIZE_ERROR || length == ZSTD_CONTENTSIZE_UNKNOWN || length > (1ull << 32))
        return NULL;
    char *text = must_calloc(1, length + 1);
    const size_t got = ZSTD_decompress(text, length, packed, size);
    json_t *json = ZSTD_isError(got) ? NULL : json_loadb(text, got, 0, NULL);
    free(text);
    return json;
}

json_t *database_result(struct database *d, const char *key)
{
    sqlite3_stmt *s = NULL;
    json_t *json = NULL;
    if (sqlite3_prepare_v2(d->handle, "SELECT json_zstd FROM result JOIN run ON run.id = result.run WHERE run.key = ?", -1, &s,
                           NULL) == SQLITE_OK) {
        bind_text(s, 1, key);
        if (sqlite3_step(s) == SQLITE_ROW)
            json = unpack(sqlite3_column_blob(s, 0), (size_t)sqlite3_column_bytes(s, 0));
    }
    (void)sqlite3_finalize(s);
    return json;
}

static const char *column(sqlite3_stmt *s, int at)
{
    return (const char *)sqlite3_column_text(s, at);
}

bool database_each(struct database *d, const char *study, database_visit *visit, void *context, struct error *err)
{
    static const char all[] =
        "SELECT id, key, target, size, config, settings, policies, status, command, log, exit_code, wall_seconds, peak_rss_bytes,"
        " cycles, warp_instructions FROM run WHERE ?1 IS NULL OR id IN (SELECT study_run.run FROM study_run JOIN study ON"
        " study.id = study_run.study WHERE study.name = ?1) ORDER BY id";
    sqlite3_stmt *s = NULL;
    if (sqlite3_prepare_v2(d->handle, all, -1, &s, NULL) != SQLITE_OK)
        return fail(d, err);
    if (study)
        bind_text(s, 1, study);
    int code;
    while ((code = sqlite3_step(s)) == SQLITE_ROW) {
        const struct run_record r = { .key = column(s, 1),
                                      .study = study,
                                      .target = column(s, 2),
                                      .size = column(s, 3),
                                      .config = column(s, 4),
                                      .set = column(s, 5),
                                      .policies = column(s, 6),
                                      .status = column(s, 7),
                                      .command = column(s, 8),
                                      .log = column(s, 9),
                                      .exit_code = sqlite3_column_int(s, 10),
                                      .wall_seconds = sqlite3_column_double(s, 11),
                                      .peak_rss_bytes = (uint64_t)sqlite3_column_int64(s, 12),
                                      .cycles = (uint64_t)sqlite3_column_int64(s, 13),
                                      .warp_instructions = (uint64_t)sqlite3_column_int64(s, 14) };
        if (!visit(context, sqlite3_column_int64(s, 0), &r))
            break;
    }
    const bool ok = code == SQLITE_DONE || code == SQLITE_ROW || fail(d, err);
    (void)sqlite3_finalize(s);
    return ok;
}

char *database_find(struct database *d, const char *name, struct error *err)
{
    sqlite3_stmt *s = NULL;
    char *key = NULL;
    if (sqlite3_prepare_v2(d->handle,
                           "SELECT key FROM run WHERE CAST(id AS TEXT) = ?1 UNION SELECT key FROM run WHERE length(?1) >= 4 AND"
                           " substr(key, 1, length(?1)) = ?1 LIMIT 2",
                           -1, &s, NULL) != SQLITE_OK) {
        fail(d, err);
        return NULL;
    }
    bind_text(s, 1, name);
    if (sqlite3_step(s) != SQLITE_ROW)
        error_set(err, "%.300s: no run '%.80s' in it; 'warpline results list' shows them", d->path, name);
    else
        key = must_strdup(column(s, 0));
    if (key && sqlite3_step(s) == SQLITE_ROW) {
        error_set(err, "%.300s: '%.80s' names several runs; give more of the key", d->path, name);
        free(key);
        key = NULL;
    }
    (void)sqlite3_finalize(s);
    return key;
}

bool database_each_counter(struct database *d, int64_t run, counter_visit *visit, void *context, struct error *err)
{
    sqlite3_stmt *s = NULL;
    if (sqlite3_prepare_v2(d->handle,
                           "SELECT counter.run, name.text, counter.value FROM counter JOIN name ON name.id = counter.name"
                           " WHERE ?1 < 0 OR counter.run = ?1 ORDER BY counter.run, name.text",
                           -1, &s, NULL) != SQLITE_OK)
        return fail(d, err);
    (void)sqlite3_bind_int64(s, 1, run);
    int code;
    while ((code = sqlite3_step(s)) == SQLITE_ROW)
        visit(context, sqlite3_column_int64(s, 0), column(s, 1), sqlite3_column_double(s, 2));
    (void)sqlite3_finalize(s);
    return code == SQLITE_DONE || fail(d, err);
}
