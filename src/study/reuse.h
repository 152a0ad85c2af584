/* reuse.h - decides whether a stored result may be used again: only when everything that its program read is as it was.
 *
 * A result is stored with the facts of what its program read from outside (run/inputs.h). These facts are taken again, each once
 * per object of this kind, however many runs share it. */
#ifndef WARPLINE_STUDY_REUSE_H
#define WARPLINE_STUDY_REUSE_H
#include <jansson.h>

#include "study/database.h"
#include "study/job.h"

struct reuse;
struct reuse *reuse_new(void);
void reuse_free(struct reuse *reuse);

struct reuse_found {
    char key[JOB_KEY_LENGTH + 1]; /* of the stored run, which may have another name */
    json_t *result, *inputs;      /* new references; inputs as in run_record */
};
/* False when there is none; `found` may be NULL to ask only. */
bool reuse_find(struct reuse *reuse, struct database *database, const struct job *job, struct reuse_found *found);
#endif
