/* profile.c - records what a first run learns under keys, writes it, reads it for the second run, and refuses another program's. */
#include "run/profile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/atomic_file.h"
#include "base/hash.h"
#include "base/version.h"
#include "gpu/machine.h"
#include "policy/policy_set.h"
#include "run/digest.h"

enum { KINDS_MAX = 4, PROFILE_LIMIT = 1 << 30, NAME_BYTES = 256 };
static const char magic[] = "warpline profile 1";

struct table { /* open addressing, at most half full */
    struct policy_profile_record *slot;
    uint64_t room, used;
};

struct kind { /* what policies of one `profile` name share */
    const char *name;
    struct policy_profile view;
    struct table *part; /* of a recording: one per L1 and L2 slice, so that no two write to one place */
    uint32_t parts;
    struct policy_profile_record *records; /* sorted */
};

struct launched {
    uint32_t grid[3], block[3];
    char name[NAME_BYTES];
};

struct profile {
    char path[4096];
    bool records, as_it_comes, failed, whole;
    struct profile_owner owner;
    uint32_t sms, line_bytes;
    struct kind kind[KINDS_MAX];
    uint32_t kinds;
    struct launched *launch;
    uint64_t launches, begun;
};

/* ---- whose it is ---------------------------------------------------------------------------------------------------- */

static void write_digest(const struct digest *d, char out[PROFILE_WORD_BYTES])
{
    (void)snprintf(out, PROFILE_WORD_BYTES, "%016llx%016llx", (unsigned long long)d->half[0], (unsigned long long)d->half[1]);
}

static void own_build(struct profile_owner *out)
{
    struct digest build = { { 3, 4 } }, file = { 0 };
    (void)digest_file("/proc/self/exe", &file, NULL);
    digest_add(&build, WARPLINE_VERSION, sizeof WARPLINE_VERSION);
    digest_add(&build, &file, sizeof file);
    write_digest(&build, out->build);
}

void profile_owner_program(const char *path, char *const *arguments, struct profile_owner *out)
{
    struct digest program = { { 5, 6 } }, file = { 0 };
    (void)digest_file(path, &file, NULL);
    digest_add(&program, &file, sizeof file);
    for (uint32_t i = 1; arguments && arguments[0] && arguments[i]; i++)
        digest_add(&program, arguments[i], strlen(arguments[i]) + 1);
    write_digest(&program, out->program);
    own_build(out);
}

void profile_owner_files(const char *first, const char *second, struct profile_owner *out)
{
    struct digest program = { { 7, 8 } };
    for (uint32_t i = 0; i < 2; i++) {
        struct digest file = { 0 };
        if (i == 0 ? first != NULL : second != NULL)
            (void)digest_file(i == 0 ? first : second, &file, NULL);
        digest_add(&program, &file, sizeof file);
    }
    write_digest(&program, out->program);
    own_build(out);
}

const char *profile_needed(const struct policy_set *policies)
{
    for (uint32_t i = 0; i < policy_set_count(policies); i++)
        if (policy_set_at(policies, i)->profile)
            return policy_set_at(policies, i)->name;
    return NULL;
}

/* ---- recording ------------------------------------------------------------------------------------------------------ */

static struct policy_profile_record *place(const struct table *t, const uint64_t key[POLICY_PROFILE_WORDS])
{
    uint64_t hash = 0;
    for (uint32_t i = 0; i < POLICY_PROFILE_WORDS; i++)
        hash = hash_combine(hash, key[i]);
    for (uint64_t at = hash & (t->room - 1);; at = (at + 1) & (t->room - 1))
        if (!t->slot[at].number || policy_profile_compare(t->slot[at].key, key) == 0)
            return &t->slot[at];
}

static void grow(struct table *t)
{
    const struct table old = *t;
    t->room = old.room ? old.room * 2 : 1024;
    t->slot = must_calloc(t->room, sizeof *t->slot);
    for (uint64_t i = 0; i < old.room; i++)
        if (old.slot[i].number)
            *place(t, old.slot[i].key) = old.slot[i];
    free(old.slot);
}

static void add(void *store, uint32_t part, const uint64_t key[POLICY_PROFILE_WORDS], uint64_t amount)
{
    struct kind *kind = store;
    require(part < kind->parts);
    struct table *t = &kind->part[part];
    if (amount == 0)
        return;
    if (t->used * 2 >= t->room)
        grow(t);
    struct policy_profile_record *r = place(t, key);
    if (!r->number) {
        memcpy(r->key, key, sizeof r->key);
        t->used++;
    }
    r->number += amount;
}

static int by_key(const void *a, const void *b)
{
    return policy_profile_compare(((const struct policy_profile_record *)a)->key, ((const struct policy_profile_record *)b)->key);
}

/* All parts in one, sorted; equal keys of two parts are one record. */
static void gather(struct kind *kind)
{
    uint64_t all = 0, count = 0;
    for (uint32_t p = 0; p < kind->parts; p++)
        all += kind->part[p].used;
    struct policy_profile_record *r = must_calloc(all + 1, sizeof *r);
    for (uint32_t p = 0; p < kind->parts; p++)
        for (uint64_t i = 0; i < kind->part[p].room; i++)
            if (kind->part[p].slot[i].number)
                r[count++] = kind->part[p].slot[i];
    qsort(r, count, sizeof *r, by_key);
    uint64_t kept = 0;
    for (uint64_t i = 0; i < count; i++)
        if (kept && policy_profile_compare(r[kept - 1].key, r[i].key) == 0)
            r[kept - 1].number += r[i].number;
        else
            r[kept++] = r[i];
    free(kind->records);
    kind->records = r;
    kind->view.count = kept;
}

static void write_kind(const struct kind *kind, struct text_buffer *out)
{
    text_append(out, "records %s %llu\n", kind->name, (unsigned long long)kind->view.count);
    for (uint64_t i = 0; i < kind->view.count; i++) {
        const struct policy_profile_record *r = &kind->records[i];
        text_append(out, "%llx %llx %llx %llx\n", (unsigned long long)r->key[0], (unsigned long long)r->key[1],
                    (unsigned long long)r->key[2], (unsigned long long)r->number);
    }
}

/* Between two runs of one command the profile has no name, and the path under /proc would tell the user nothing. */
static bool told_without_its_path(const struct profile *p, struct error *err)
{
    const size_t length = strlen(p->path);
    if (err && strncmp(p->path, "/proc/", 6) == 0 && strncmp(err->text, p->path, length) == 0) {
        const struct error of_path = *err;
        (void)error_set(err, "the profile between the two runs, in TMPDIR or /tmp%s", of_path.text + length);
    }
    return false;
}

bool profile_write(struct profile *p, struct error *err)
{
    if (!p || !p->records || p->failed)
        return true;
    struct text_buffer out = { 0 };
    text_append(&out, "%s\nbuild %s\nprogram %s\nmachine %u %u\nwhole %s\nlaunches %llu\n", magic, p->owner.build, p->owner.program,
                p->sms, p->line_bytes, p->whole ? "yes" : "no", (unsigned long long)p->launches);
    for (uint64_t i = 0; i < p->launches; i++) {
        const struct launched *l = &p->launch[i];
        text_append(&out, "%u %u %u %u %u %u %s\n", l->grid[0], l->grid[1], l->grid[2], l->block[0], l->block[1], l->block[2],
                    l->name);
    }
    for (uint32_t k = 0; k < p->kinds; k++) {
        gather(&p->kind[k]);
        write_kind(&p->kind[k], &out);
    }
    text_append(&out, "end\n");
    const bool ok = atomic_file_write(p->path, out.text, out.length, err);
    text_buffer_clear(&out);
    return ok || told_without_its_path(p, err);
}

/* ---- launches ------------------------------------------------------------------------------------------------------- */

static struct launched describe(const struct front_launch *launch)
{
    struct launched l = { 0 };
    memcpy(l.grid, launch->grid, sizeof l.grid);
    memcpy(l.block, launch->block, sizeof l.block);
    for (size_t i = 0; launch->kernel && launch->kernel[i] && i < sizeof l.name - 1; i++) /* a line of its own, without blanks */
        l.name[i] = (char)(launch->kernel[i] <= ' ' ? '_' : launch->kernel[i]);
    return l;
}

/* The number of launches may depend on timing. Nothing is known of launches that the first run did not have. */
static bool check_launch(const struct profile *p, const struct launched *now, struct error *err)
{
    if (p->begun >= p->launches || p->as_it_comes)
        return true;
    const struct launched *then = &p->launch[p->begun];
    if (memcmp(then, now, sizeof *now) == 0)
        return true;
    return error_set(
        err,
        "%.300s: the profile is of another grid: launch %llu was %.60s <<<%ux%ux%u, %ux%ux%u>>> and is %.60s <<<%ux%ux%u, "
        "%ux%ux%u>>>; record it again",
        p->path, (unsigned long long)p->begun, then->name, then->grid[0], then->grid[1], then->grid[2], then->block[0],
        then->block[1], then->block[2], now->name, now->grid[0], now->grid[1], now->grid[2], now->block[0], now->block[1],
        now->block[2]);
}

bool profile_begin_launch(struct profile *p, const struct front_launch *launch, struct error *err)
{
    if (!p)
        return true;
    const struct launched now = describe(launch);
    if (p->records) {
        p->launch = must_realloc(p->launch, (p->launches + 1) * sizeof *p->launch);
        p->launch[p->launches++] = now;
    } else if (!check_launch(p, &now, err)) {
        return false;
    }
    for (uint32_t k = 0; k < p->kinds; k++)
        p->kind[k].view.launch = p->begun;
    p->begun++;
    return true;
}

void profile_end_launch(struct profile *p, bool ok, bool complete)
{
    if (!p)
        return;
    p->failed |= !ok;
    p->whole &= complete;
}

/* ---- reading -------------------------------------------------------------------------------------------------------- */

struct reading {
    struct profile *p;
    char *next;
    uint64_t line;
    struct error *err;
};

static bool damaged(const struct reading *r, const char *what)
{
    return error_set(r->err, "%.300s:%llu: %s; this is no whole profile: record it again", r->p->path, (unsigned long long)r->line,
                     what);
}

/* The next line, cut off; NULL at the end. */
static char *take_line(struct reading *r)
{
    char *line = r->next, *end = line ? strchr(line, '\n') : NULL;
    if (!end)
        return NULL;
    *end = '\0';
    r->next = end + 1;
    r->line++;
    return line;
}

/* "WORD rest": the rest; NULL: another line. */
static const char *take_word(struct reading *r, const char *word)
{
    const char *line = take_line(r);
    const size_t length = strlen(word);
    return line && strncmp(line, word, length) == 0 && line[length] == ' ' ? line + length + 1 : NULL;
}

static bool read_head(struct reading *r)
{
    struct profile *p = r->p;
    const char *line = take_line(r), *rest;
    if (!line || strcmp(line, magic) != 0)
        return error_set(r->err, "%.300s: not a profile of this warpline ('%s' on the first line)", p->path, magic);
    if (!(rest = take_word(r, "build")))
        return damaged(r, "no build");
    if (strcmp(rest, p->owner.build) != 0)
        return error_set(r->err, "%.300s: the profile was recorded by another build of warpline; record it again", p->path);
    if (!(rest = take_word(r, "program")))
        return damaged(r, "no program");
    if (strcmp(rest, p->owner.program) != 0)
        return error_set(r->err, "%.300s: the profile is of another program, or of other arguments; record it again", p->path);
    unsigned sms, line_bytes;
    if (!(rest = take_word(r, "machine")) || sscanf(rest, "%u %u", &sms, &line_bytes) != 2)
        return damaged(r, "no machine");
    if (sms != p->sms || line_bytes != p->line_bytes)
        return error_set(
            r->err,
            "%.300s: the profile is of a machine with %u SMs and lines of %u bytes, this one has %u and %u; record it again",
            p->path, sms, line_bytes, p->sms, p->line_bytes);
    if (!(rest = take_word(r, "whole")))
        return damaged(r, "no word on whether it is whole");
    p->whole = strcmp(rest, "yes") == 0;
    return true;
}

static bool read_launches(struct reading *r)
{
    const char *rest = take_word(r, "launches");
    unsigned long long count;
    if (!rest || sscanf(rest, "%llu", &count) != 1)
        return damaged(r, "no launches");
    for (uint64_t i = 0; i < count; i++) {
        struct launched l = { 0 };
        const char *line = take_line(r);
        if (!line || sscanf(line, "%u %u %u %u %u %u %255s", &l.grid[0], &l.grid[1], &l.grid[2], &l.block[0], &l.block[1],
                            &l.block[2], l.name) < 6)
            return damaged(r, "a launch is not whole");
        r->p->launch = must_realloc(r->p->launch, (r->p->launches + 1) * sizeof *r->p->launch);
        r->p->launch[r->p->launches++] = l;
    }
    return true;
}

static bool read_record(const char *line, struct policy_profile_record *out)
{
    uint64_t words[POLICY_PROFILE_WORDS + 1];
    for (uint32_t i = 0; i <= POLICY_PROFILE_WORDS; i++) {
        char *end;
        words[i] = strtoull(line, &end, 16);
        if (end == line || *end != (i == POLICY_PROFILE_WORDS ? '\0' : ' '))
            return false;
        line = end + 1;
    }
    memcpy(out->key, words, sizeof out->key);
    out->number = words[POLICY_PROFILE_WORDS];
    return out->number != 0;
}

/* The records of one kind. Those that no policy of this run wants are read and dropped. */
static bool read_records(struct reading *r, const char *rest)
{
    char name[64];
    unsigned long long count;
    if (sscanf(rest, "%63s %llu", name, &count) != 2)
        return damaged(r, "no name or number of records");
    struct kind *kind = NULL;
    for (uint32_t k = 0; k < r->p->kinds; k++)
        if (strcmp(r->p->kind[k].name, name) == 0)
            kind = &r->p->kind[k];
    if (count > strlen(r->next) / 8) /* a record has at least eight letters */
        return damaged(r, "fewer records than it says");
    struct policy_profile_record *all = must_calloc(count + 1, sizeof *all);
    bool ok = true;
    for (uint64_t i = 0; ok && i < count; i++) {
        const char *line = take_line(r);
        ok = line && read_record(line, &all[i]) && (!i || policy_profile_compare(all[i - 1].key, all[i].key) < 0);
    }
    if (!ok || !kind || kind->records) {
        free(all);
        return ok || damaged(r, "a record is not whole, or out of order");
    }
    kind->records = all;
    kind->view.record = all;
    kind->view.count = count;
    return true;
}

static bool read_body(struct reading *r)
{
    const char *line = take_line(r);
    for (; line && strncmp(line, "records ", 8) == 0; line = take_line(r))
        if (!read_records(r, line + 8))
            return false;
    if (!line || strcmp(line, "end") != 0)
        return damaged(r, "no end");
    if (*r->next)
        return damaged(r, "something follows its end");
    for (uint32_t k = 0; k < r->p->kinds; k++)
        if (!r->p->kind[k].records)
            return error_set(r->err, "%.300s: the profile has no records of '%s': it is another policy's; record it again",
                             r->p->path, r->p->kind[k].name);
    return true;
}

static bool read_file(struct profile *p, struct error *err)
{
    size_t length;
    char *text = text_read_file(p->path, PROFILE_LIMIT, &length, err);
    if (!text)
        return false;
    struct reading r = { .p = p, .next = text, .err = err };
    const bool ok = read_head(&r) && read_launches(&r) && read_body(&r);
    free(text);
    return ok;
}

/* ---- a run's profile ------------------------------------------------------------------------------------------------ */

static struct kind *kind_of(struct profile *p, const char *name, const struct policy_geometry *g)
{
    for (uint32_t k = 0; k < p->kinds; k++)
        if (strcmp(p->kind[k].name, name) == 0)
            return &p->kind[k];
    if (p->kinds == KINDS_MAX)
        return NULL;
    struct kind *kind = &p->kind[p->kinds++];
    kind->name = name;
    kind->view = (struct policy_profile){ .records = p->records, .store = kind, .add = add };
    kind->parts = p->records ? g->sms + g->cache[LEVEL_L2].units : 0;
    kind->part = must_calloc(kind->parts + 1, sizeof *kind->part);
    return kind;
}

struct profile *profile_open(const struct session_setup *setup, const struct session_options *options, bool *ok, struct error *err)
{
    *ok = true;
    if (!options->profile_path[0] || options->functional)
        return NULL;
    const struct policy_geometry g = machine_policy_geometry(setup->machine);
    struct profile *p = must_calloc(1, sizeof *p);
    p->records = p->whole = options->profile_records;
    p->as_it_comes = options->profile_as_it_comes;
    p->owner = options->profile_owner;
    p->sms = g.sms;
    p->line_bytes = g.cache[LEVEL_L1].line_bytes;
    (void)snprintf(p->path, sizeof p->path, "%s", options->profile_path);
    for (uint32_t i = 0; *ok && i < policy_set_count(setup->policies); i++) {
        const struct policy *policy = policy_set_at(setup->policies, i);
        struct kind *kind = policy->profile ? kind_of(p, policy->profile, &g) : NULL;
        *ok = kind || !policy->profile || error_set(err, "more than %d kinds of profile in one run", KINDS_MAX);
        if (kind)
            policy_set_take_profile(setup->policies, i, &kind->view);
    }
    if (*ok && !p->kinds)
        *ok = error_set_code(err, CODE_USAGE, "no policy of this run uses a profile: leave %s out", options->profile_path);
    *ok = *ok && (p->records || read_file(p, err));
    if (*ok)
        return p;
    profile_close(p, setup);
    return NULL;
}

void profile_close(struct profile *p, const struct session_setup *setup)
{
    if (!p)
        return;
    for (uint32_t i = 0; i < policy_set_count(setup->policies); i++)
        policy_set_take_profile(setup->policies, i, NULL);
    for (uint32_t k = 0; k < p->kinds; k++) {
        for (uint32_t part = 0; part < p->kind[k].parts; part++)
            free(p->kind[k].part[part].slot);
        free(p->kind[k].part);
        free(p->kind[k].records);
    }
    free(p->launch);
    free(p);
}
