/* profile.h - what a first run of a program leaves for a second one: the file, and the policies' view of it.
 *
 * A policy that declares `profile` (policy/policy.h) needs two runs: the first records, the second reads. `warpline run` does both
 * unless it is told which one is wanted. The file says what it belongs to: the program with its arguments, the build of warpline,
 * the machine's SMs and lines, and every launch with its grid. A second run of anything else ends with a sentence that says what
 * differs.
 *
 * The file is text: a head, the launches in order, and for each kind of profile its records, three words and a number each, all
 * hexadecimal and sorted by the words. docs/policies.md shows one. */
#ifndef WARPLINE_RUN_PROFILE_H
#define WARPLINE_RUN_PROFILE_H
#include "front/front.h"
#include "run/session.h"

/* What a run belongs to, as text without blanks. The caller that knows the target fills it in. */
void profile_owner_program(const char *path, char *const *arguments, struct profile_owner *out); /* arguments: argv; may be NULL */
void profile_owner_files(const char *first, const char *second, struct profile_owner *out);      /* PTX and launch file; a trace */

/* The name of a policy of the set that needs a profile, or NULL. */
const char *profile_needed(const struct policy_set *policies);

/* Opens what `options` asks for; NULL without an error when it asks for nothing. Gives the setup's policies their part of it. */
struct profile *profile_open(const struct session_setup *setup, const struct session_options *options, bool *ok, struct error *err);
/* Frees it and takes it away from the policies. Their instances must be gone. */
void profile_close(struct profile *profile, const struct session_setup *setup);
/* Writes a recording once all launches are done. For a profile that is read there is nothing to do. */
bool profile_write(struct profile *profile, struct error *err);

/* A launch begins. False when the profile belongs to another one. */
bool profile_begin_launch(struct profile *profile, const struct front_launch *launch, struct error *err);
/* A launch has ended. A recording that failed is not written; one that was cut short says so. */
void profile_end_launch(struct profile *profile, bool ok, bool complete);
#endif
