/* subject.h - what a study runs again and again, each time in another way: a target on a machine, as the user named them. */
#ifndef WARPLINE_STUDY_SUBJECT_H
#define WARPLINE_STUDY_SUBJECT_H
#include "gpu/machine.h"
#include "study/batch.h"

struct study_subject {
    const char *target, *size, *config; /* as for a run; NULL: small, the default machine */
    const char *policies;               /* to use in every run, "pric"; NULL: none */
    const struct text_list *arguments;  /* the program's own; may be NULL */
    const struct text_list *set, *plugins;
};

/* The machine it runs on. Keys of policies are skipped here, because job_prepare checks all of them. */
bool subject_machine(const struct study_subject *subject, struct machine_config *machine, struct error *err);
/* A run of it, with `policies` ("swl", or "") beside its own. The run's own settings are added behind; job_prepare comes after
 * them. */
void subject_job(const struct study_subject *subject, const char *policies, struct job *job);
#endif
