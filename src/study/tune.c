/* tune.c - finds a policy parameter's best value by trying them. */
#include "study/tune.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "policy/policy_set.h"
#include "run/result.h"
#include "run/session.h"

enum { VALUES_MAX = 4096 };

bool tuning_count_limits(const struct study_subject *subject, uint32_t *count, struct error *err)
{
    struct machine_config *machine = machine_config_new();
    const bool ok = subject_machine(subject, machine, err);
    const struct policy_geometry g = machine_policy_geometry(machine);
    *count = (g.warps_per_sm + g.schedulers_per_sm - 1) / g.schedulers_per_sm;
    machine_config_free(machine);
    return ok;
}

static bool is_whole_number(const struct param *row)
{
    return row->type == PARAM_TYPE_U32 || row->type == PARAM_TYPE_U64;
}

static const struct param *find_row(const struct policy *policy, const char *name, struct error *err)
{
    struct text_nearest nearest = { .wanted = name };
    for (const struct param *row = policy->params; row && row->name; row++) {
        if (is_whole_number(row))
            text_nearest_offer(&nearest, row->name);
        if (strcmp(row->name, name) != 0)
            continue;
        if (is_whole_number(row))
            return row;
        (void)error_set_code(err, CODE_USAGE, "tune: policy.%s.%s is no whole number", policy->name, name);
        return NULL;
    }
    const char *likely = nearest.best;
    (void)error_set_code(err, CODE_USAGE, "tune: policy '%s' has no parameter '%.60s'%s%s%s", policy->name, name,
                         likely ? "; it has '" : " that is a whole number", likely ? likely : "", likely ? "'" : "");
    return NULL;
}

/* "first..last" or "first..last..step" */
static bool parse_range(struct tuning *t, const char *range, struct error *err)
{
    unsigned long long first, last, step = 1;
    char rest;
    const int read = sscanf(range, "%llu..%llu..%llu%c", &first, &last, &step, &rest);
    const bool ok = strchr(range, '-') == NULL && (read == 2 || read == 3) && first <= last && step;
    t->first = first;
    t->last = last;
    t->step = step;
    return ok || error_set_code(err, CODE_USAGE, "tune: '%.60s' is no range; write --range 1..16 or --range 1..256..4", range);
}

static bool whole_range(struct tuning *t, const struct param *row, struct error *err)
{
    uint32_t limits;
    t->first = strtoull(row->min, NULL, 10);
    t->last = strtoull(row->max, NULL, 10);
    t->step = 1;
    if (strcmp(t->policy, "swl") != 0 || strcmp(t->parameter, "limit") != 0)
        return true;
    t->first = 1; /* the row does not know the machine */
    const bool ok = tuning_count_limits(&t->subject, &limits, err);
    t->last = limits;
    return ok;
}

static const struct policy *find_policy(const struct tuning *t, struct policy_library *library, struct error *err)
{
    for (size_t i = 0; t->subject.plugins && i < t->subject.plugins->count; i++)
        if (!policy_library_load(library, t->subject.plugins->item[i], err))
            return NULL;
    const struct policy *policy = policy_find(library, t->policy);
    if (!policy)
        (void)error_set_code(err, CODE_USAGE, "tune: there is no policy named '%.60s' (warpline list policies)", t->policy);
    return policy;
}

static bool choose(struct tuning *t, const struct policy *policy, const char *range, struct error *err)
{
    if (!t->parameter[0] && !policy->tuned)
        return error_set_code(err, CODE_USAGE, "tune: say which parameter of '%s': tune %s.PARAM (warpline list params)",
                              policy->name, policy->name);
    if (!t->parameter[0])
        (void)snprintf(t->parameter, sizeof t->parameter, "%s", policy->tuned);
    const struct param *row = find_row(policy, t->parameter, err);
    if (!row || !(range ? parse_range(t, range, err) : whole_range(t, row, err)))
        return false;
    if ((t->last - t->first) / t->step >= VALUES_MAX)
        return error_set_code(err, CODE_USAGE, "tune: %s.%s has more than %d values; choose some with --range FIRST..LAST[..STEP]",
                              t->policy, t->parameter, VALUES_MAX);
    t->count = (uint32_t)((t->last - t->first) / t->step + 1);
    return true;
}

bool tuning_choose(struct tuning *t, const char *what, const char *range, struct error *err)
{
    const size_t length = strcspn(what, ".");
    if (length >= sizeof t->policy || strlen(what) >= sizeof t->parameter)
        return error_set_code(err, CODE_USAGE, "tune: '%.60s' is no POLICY or POLICY.PARAM", what);
    (void)snprintf(t->policy, sizeof t->policy, "%.*s", (int)length, what);
    (void)snprintf(t->parameter, sizeof t->parameter, "%s", what[length] ? what + length + 1 : "");
    struct policy_library *library = policy_library_new();
    const struct policy *policy = find_policy(t, library, err);
    const bool ok = policy && choose(t, policy, range, err);
    policy_library_free(library);
    return ok;
}

/* True when the policy is already among those of every run. */
static bool is_named(const struct tuning *t)
{
    struct text_list names = { 0 };
    bool found = false;
    if (t->subject.policies && *t->subject.policies)
        (void)text_list_add_parts(&names, t->subject.policies);
    for (size_t i = 0; i < names.count; i++)
        found |= strcmp(names.item[i], t->policy) == 0;
    text_list_clear(&names);
    return found;
}

bool tuning_prepare(struct tuning *t, struct error *err)
{
    if (is_named(t))
        return error_set_code(err, CODE_USAGE, "tune: leave '%s' out of --policy: every run but the one to compare with has it",
                              t->policy);
    t->runs = must_calloc(t->count + 1u, sizeof *t->runs);
    for (uint32_t i = 0; i <= t->count; i++) {
        struct job *job = &t->runs[i].job;
        subject_job(&t->subject, i < t->count ? t->policy : "", job);
        if (i < t->count) {
            struct text_buffer setting = { 0 };
            text_append(&setting, "policy.%s.%s=%llu", t->policy, t->parameter, (unsigned long long)tuning_value(t, i));
            text_list_add(&job->set, setting.text);
            text_buffer_clear(&setting);
        }
        if (!job_prepare(job, err))
            return false;
    }
    return batch_check_settings(t->runs, t->count + 1u, err);
}

void tuning_clear(struct tuning *t)
{
    if (t->runs)
        batch_clear(t->runs, t->count + 1u);
    t->runs = NULL;
}

bool tuning_cycles(const struct tuning *t, uint32_t i, double *cycles)
{
    json_t *result = t->runs[i].result;
    return result && result_number(result, "cycles", cycles);
}

uint32_t tuning_best(const struct tuning *t)
{
    uint32_t best = t->count;
    double fastest = 0, cycles;
    for (uint32_t i = 0; i < t->count; i++)
        if (tuning_cycles(t, i, &cycles) && (best == t->count || cycles < fastest)) {
            best = i;
            fastest = cycles;
        }
    return best;
}

json_t *tuning_json(const struct tuning *t)
{
    json_t *values = json_array();
    double without = 0, cycles;
    const bool whole = tuning_cycles(t, t->count, &without);
    for (uint32_t i = 0; i < t->count; i++)
        if (tuning_cycles(t, i, &cycles))
            (void)json_array_append_new(values, json_pack("{s:I, s:f, s:f}", "value", (json_int_t)tuning_value(t, i), "cycles",
                                                          cycles, "speedup", whole && cycles > 0 ? without / cycles : 0.0));
    const uint32_t best = tuning_best(t);
    return json_pack("{s:s, s:s, s:s, s:f, s:o, s:o}", "target", t->subject.target, "policy", t->policy, "parameter", t->parameter,
                     "without", without, "values", values, "best",
                     best < t->count ? json_integer((json_int_t)tuning_value(t, best)) : json_null());
}
