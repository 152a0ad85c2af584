/* subject.c - what a study runs: a machine, and a program, PTX or trace. */
#include "study/subject.h"

#include "run/session.h"

bool subject_machine(const struct study_subject *s, struct machine_config *machine, struct error *err)
{
    struct param_space *space = param_space_new();
    struct device_config device;
    machine_config_bind(machine, space);
    device_config_bind(&device, space);
    const bool ok = !s->config || param_load(space, s->config, err);
    for (size_t i = 0; ok && s->set && i < s->set->count; i++) {
        struct error not_mine;
        (void)param_set_assignment(space, s->set->item[i], "--set", &not_mine);
    }
    param_space_free(space);
    return ok;
}

void subject_job(const struct study_subject *s, const char *policies, struct job *job)
{
    struct text_buffer all = { 0 };
    const bool both = s->policies && *s->policies && *policies;
    text_append(&all, "%s%s%s", s->policies ? s->policies : "", both ? "," : "", policies);
    job_init(job, s->target, s->size ? s->size : "small", s->config, all.text);
    text_buffer_clear(&all);
    text_list_add_all(&job->arguments, s->arguments);
    text_list_add_all(&job->set, s->set);
    text_list_add_all(&job->plugins, s->plugins);
}
