/* job.h - one simulation to be done: what to run on which machine with which policies, and what it is known by.
 *
 * `content` is a hash of everything that decides the result and is known before the run: the bytes of the program or trace, its
 * name and arguments and the files among them, size, every parameter's effective value, the policies in order, the bytes of the
 * plug-ins, and of warpline. What the program reads while it runs is recorded with the result and looked at again (reuse.h).
 * `key` is content and the names in the request. Two names of one machine are two rows, and the second row takes the result of
 * the first. */
#ifndef WARPLINE_STUDY_JOB_H
#define WARPLINE_STUDY_JOB_H
#include <stdint.h>

#include "base/error.h"
#include <stdint.h>

#include "base/text.h"

enum { JOB_KEY_LENGTH = 32 };

struct job {
    char *target;               /* name of a workload, or a file: program, trace */
    struct text_list arguments; /* the program's own */
    char *size;                 /* workloads: tiny, small, medium, paper; "" for files */
    char *config;               /* built-in name or file; "" for the default machine */
    struct text_list set;       /* key=value; those of techniques that this run has not move to `foreign` when it is prepared */
    struct text_list foreign;
    uint64_t max_instructions; /* of warps, after which it is stopped; 0: it ends by itself */
    char *policies;            /* comma-separated, "" for none */
    struct text_list plugins;  /* files to load policies from; absolute paths once prepared */
    bool is_trace;             /* only its bytes decide: there is no program that could read anything */
    uint32_t cpus;             /* a trace of a CPU, or "A+B+...": how many; 0: it is none */
    char content[JOB_KEY_LENGTH + 1], key[JOB_KEY_LENGTH + 1];
};

void job_init(struct job *job, const char *target, const char *size, const char *config, const char *policies);
void job_clear(struct job *job);
/* Checks that target, configuration and policies exist and fit together, and computes content and key. */
bool job_prepare(struct job *job, struct error *err);
/* The command line that runs it and prints its JSON on stdout; each string and the array are the caller's to free. */
char **job_argv(const struct job *job);
/* The same as a person would type it, without --json; the caller frees. */
char *job_command(const struct job *job);
#endif
