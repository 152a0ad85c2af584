/* study_file.c - a study as an INI file: axes of parameters, policies and targets, and the runs they span. */
#include "study/study_file.h"

#include <ini.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "study/catalog.h"
#include "study/expression.h"
#include "study/workload_list.h"

enum { STUDY_BYTES_LIMIT = 1 << 20, RUNS_LIMIT = 1000000 };

struct reading {
    struct study *study;
    const char *path;
    struct error *err;
    bool failed;
};

/* Values that are lists themselves (latencies) are separated by ';', so that commas stay inside them. */
static bool add_values(struct text_list *list, const char *text)
{
    if (!strchr(text, ';'))
        return text_list_add_parts(list, text);
    char *copy = must_strdup(text), *save = NULL;
    bool ok = true;
    for (char *part = strtok_r(copy, ";", &save); part; part = strtok_r(NULL, ";", &save)) {
        part += strspn(part, " \t");
        size_t length = strlen(part);
        while (length && (part[length - 1] == ' ' || part[length - 1] == '\t'))
            part[--length] = '\0';
        ok = ok && length > 0;
        text_list_add(list, part);
    }
    free(copy);
    return ok;
}

static bool take_axis(struct reading *r, const char *name, const char *value)
{
    struct study *s = r->study;
    size_t i = 0;
    while (i < s->axis_count && strcmp(s->axis[i].parameter, name) != 0)
        i++;
    if (i == STUDY_AXES_MAX)
        return error_set(r->err, "%.300s: more than %d axes", r->path, STUDY_AXES_MAX);
    if (i == s->axis_count)
        s->axis[s->axis_count++].parameter = must_strdup(name);
    return add_values(&s->axis[i].values, value) || error_set(r->err, "%.300s: axis %.80s has an empty value", r->path, name);
}

static bool take_top(struct reading *r, const char *name, const char *value)
{
    struct study *s = r->study;
    const struct {
        const char *name;
        struct text_list *list;
    } lists[] = { { "workloads", &s->workloads },
                  { "sizes", &s->sizes },
                  { "policies", &s->policies },
                  { "plugins", &s->plugins },
                  { "metrics", &s->metrics } };
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        if (strcmp(lists[i].name, name) == 0)
            return text_list_add_parts(lists[i].list, value) || error_set(r->err, "%.300s: %s has an empty entry", r->path, name);
    char **text = strcmp(name, "name") == 0 ? &s->name : strcmp(name, "config") == 0 ? &s->config : NULL;
    if (!text)
        return error_set(r->err,
                         "%.300s: unknown key '%.60s'; a study has name, config, workloads, sizes, policies, plugins, metrics and "
                         "the sections [set], [axes], [constraints]",
                         r->path, name);
    free(*text);
    *text = must_strdup(value);
    return true;
}

static int take(void *context, const char *section, const char *name, const char *value)
{
    struct reading *r = context;
    if (r->failed)
        return 1;
    bool ok = true;
    if (!*section) {
        ok = take_top(r, name, value);
    } else if (strcmp(section, "axes") == 0) {
        ok = take_axis(r, name, value);
    } else if (strcmp(section, "constraints") == 0) {
        text_list_add(&r->study->constraints, value);
    } else if (strcmp(section, "set") == 0) {
        struct text_buffer pair = { 0 };
        text_append(&pair, "%s=%s", name, value);
        text_list_add(&r->study->set, pair.text);
        text_buffer_clear(&pair);
    } else {
        ok = error_set(r->err, "%.300s: unknown section [%.60s]; a study has [set], [axes] and [constraints]", r->path, section);
    }
    r->failed = !ok;
    return 1;
}

static void fill_defaults(struct study *s, const char *path)
{
    if (!s->name) {
        const char *base = strrchr(path, '/');
        s->name = must_strdup(base ? base + 1 : path);
        char *dot = strrchr(s->name, '.');
        if (dot && dot != s->name)
            *dot = '\0';
    }
    if (!s->config)
        s->config = must_strdup("");
    if (!s->sizes.count)
        text_list_add(&s->sizes, "small");
    if (!s->policies.count)
        text_list_add(&s->policies, "none");
    if (!s->metrics.count)
        text_list_add(&s->metrics, "cycles");
    if (s->workloads.count == 1 && strcmp(s->workloads.item[0], "all") == 0) {
        text_list_clear(&s->workloads);
        for (const struct workload *w = workload_list; w->name; w++)
            text_list_add(&s->workloads, w->name);
    }
}

bool study_read(const char *path, struct study *study, struct error *err)
{
    *study = (struct study){ 0 };
    size_t length;
    char *text = text_read_file(path, STUDY_BYTES_LIMIT, &length, err);
    if (!text)
        return false;
    struct reading r = { .study = study, .path = path, .err = err };
    const int bad_line = ini_parse_string(text, take, &r);
    bool ok = !r.failed;
    if (ok && bad_line != 0)
        ok = error_set(err, "%.300s:%d: not 'key = value', '[section]' or a comment", path, bad_line);
    if (ok && !study->workloads.count)
        ok = error_set(err, "%.300s: a study needs 'workloads = ...' ('warpline list workloads', or 'all')", path);
    free(text);
    if (ok)
        fill_defaults(study, path);
    for (size_t i = 0; ok && i < study->metrics.count; i++)
        ok = catalog_check_metric(study->metrics.item[i], &study->plugins, err);
    if (!ok)
        study_clear(study);
    return ok;
}

void study_clear(struct study *s)
{
    struct text_list *const lists[] = {
        &s->workloads, &s->sizes, &s->policies, &s->metrics, &s->set, &s->constraints, &s->plugins
    };
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        text_list_clear(lists[i]);
    for (size_t i = 0; i < s->axis_count; i++) {
        free(s->axis[i].parameter);
        text_list_clear(&s->axis[i].values);
    }
    free(s->name);
    free(s->config);
    *s = (struct study){ 0 };
}

/* One point of the product of the parameter axes: which value of each. */
struct point {
    const struct study *study;
    size_t at[STUDY_AXES_MAX];
};

static bool lookup_axis(void *context, const char *name, double *value)
{
    const struct point *p = context;
    for (size_t i = 0; i < p->study->axis_count; i++)
        if (strcmp(p->study->axis[i].parameter, name) == 0) {
            struct error ignored;
            return expression_evaluate(p->study->axis[i].values.item[p->at[i]], lookup_axis, context, value, &ignored);
        }
    return false;
}

static bool advance(struct point *p)
{
    for (size_t i = p->study->axis_count; i-- > 0;) {
        if (++p->at[i] < p->study->axis[i].values.count)
            return true;
        p->at[i] = 0;
    }
    return false;
}

static bool fits(struct point *p, bool *result, struct error *err)
{
    *result = true;
    for (size_t i = 0; i < p->study->constraints.count; i++) {
        double value;
        if (!expression_evaluate(p->study->constraints.item[i], lookup_axis, p, &value, err))
            return false;
        *result = *result && value != 0;
    }
    return true;
}

struct planning {
    json_t *keys; /* among the runs so far: an axis of a technique makes no second run of those without the technique */
    struct batch_run *runs;
    size_t count, room;
};

static struct job *next_job(struct planning *plan)
{
    if (plan->count == plan->room) {
        plan->room = plan->room ? 2 * plan->room : 64;
        plan->runs = must_realloc(plan->runs, plan->room * sizeof *plan->runs);
        memset(plan->runs + plan->count, 0, (plan->room - plan->count) * sizeof *plan->runs);
    }
    return &plan->runs[plan->count++].job;
}

static bool plan_point(const struct point *p, struct planning *plan, struct error *err)
{
    const struct study *s = p->study;
    for (size_t w = 0; w < s->workloads.count; w++)
        for (size_t z = 0; z < s->sizes.count; z++)
            for (size_t c = 0; c < s->policies.count; c++) {
                char *policies = must_strdup(strcmp(s->policies.item[c], "none") == 0 ? "" : s->policies.item[c]);
                for (char *q = policies; *q; q++)
                    *q = *q == '+' ? ',' : *q;
                if (plan->count >= RUNS_LIMIT) {
                    free(policies);
                    return error_set(err, "the study has more than %d runs; split it", RUNS_LIMIT);
                }
                struct job *job = next_job(plan);
                job_init(job, s->workloads.item[w], s->sizes.item[z], s->config, policies);
                free(policies);
                text_list_add_all(&job->set, &s->set);
                text_list_add_all(&job->plugins, &s->plugins);
                for (size_t i = 0; i < s->axis_count; i++) {
                    struct text_buffer pair = { 0 };
                    text_append(&pair, "%s=%s", s->axis[i].parameter, s->axis[i].values.item[p->at[i]]);
                    text_list_add(&job->set, pair.text);
                    text_buffer_clear(&pair);
                }
                if (!job_prepare(job, err))
                    return false;
                if (json_object_get(plan->keys, job->key)) {
                    job_clear(job);
                    plan->count--;
                } else {
                    (void)json_object_set_new(plan->keys, job->key, json_true());
                }
            }
    return true;
}

struct batch_run *study_plan(const struct study *study, size_t *count, size_t *left_out, struct error *err)
{
    struct planning plan = { .keys = json_object() };
    struct point p = { .study = study };
    bool ok = true;
    *left_out = 0;
    do {
        bool inside;
        ok = fits(&p, &inside, err) && (!inside || plan_point(&p, &plan, err));
        *left_out += ok && !inside ? study->workloads.count * study->sizes.count * study->policies.count : 0;
    } while (ok && advance(&p));
    if (ok && !plan.count)
        ok = error_set(err, "study '%.100s': no point fits its constraints", study->name);
    ok = ok && batch_check_settings(plan.runs, plan.count, err);
    json_decref(plan.keys);
    *count = plan.count;
    if (ok)
        return plan.runs;
    batch_clear(plan.runs, plan.count);
    return NULL;
}
