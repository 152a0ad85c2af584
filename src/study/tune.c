/* tune.c - finds a policy parameter's best value by trying them. */
#include "study/tune.h"

#include <stdio.h>
#include <stdlib.h>

#include "run/result.h"
#include "run/session.h"

bool tuning_count_limits(const struct study_subject *subject, uint32_t *count, struct error *err)
{
    struct machine_config *machine = machine_config_new();
    const bool ok = subject_machine(subject, machine, err);
    const struct policy_geometry g = machine_policy_geometry(machine);
    *count = (g.warps_per_sm + g.schedulers_per_sm - 1) / g.schedulers_per_sm;
    machine_config_free(machine);
    return ok;
}

bool tuning_prepare(struct tuning *t, struct error *err)
{
    if (!tuning_count_limits(&t->subject, &t->count, err))
        return false;
    t->runs = must_calloc(t->count, sizeof *t->runs);
    for (uint32_t limit = 1; limit <= t->count; limit++) {
        struct job *job = &t->runs[limit - 1].job;
        char text[64];
        subject_job(&t->subject, "swl", job);
        (void)snprintf(text, sizeof text, "policy.swl.limit=%u", limit);
        text_list_add(&job->set, text);
        if (!job_prepare(job, err))
            return false;
    }
    return batch_check_settings(t->runs, t->count, err);
}

void tuning_clear(struct tuning *t)
{
    if (t->runs)
        batch_clear(t->runs, t->count);
    t->runs = NULL;
}

bool tuning_cycles(const struct tuning *t, uint32_t limit, double *cycles)
{
    json_t *result = t->runs[limit - 1].result;
    return result && result_number(result, "cycles", cycles);
}

uint32_t tuning_best(const struct tuning *t)
{
    uint32_t best = 0;
    double fastest = 0, cycles;
    for (uint32_t limit = 1; limit <= t->count; limit++)
        if (tuning_cycles(t, limit, &cycles) && (!best || cycles < fastest)) {
            best = limit;
            fastest = cycles;
        }
    return best;
}

json_t *tuning_json(const struct tuning *t)
{
    json_t *limits = json_array();
    double all = 0, cycles;
    const bool whole = tuning_cycles(t, t->count, &all);
    for (uint32_t limit = 1; limit <= t->count; limit++)
        if (tuning_cycles(t, limit, &cycles))
            (void)json_array_append_new(limits, json_pack("{s:i, s:f, s:f}", "limit", (int)limit, "cycles", cycles, "speedup",
                                                          whole && cycles > 0 ? all / cycles : 0.0));
    return json_pack("{s:s, s:s, s:o, s:i}", "target", t->subject.target, "policy", "swl", "limits", limits, "best",
                     (int)tuning_best(t));
}
