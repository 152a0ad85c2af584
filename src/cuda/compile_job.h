/* compile_job.h - what a command line of `warpline cc` asks for. Private to three files: compile_flags.c reads it, compile.c
 * makes objects, and link_step.c makes the final result of them. */
#ifndef WARPLINE_CUDA_COMPILE_JOB_H
#define WARPLINE_CUDA_COMPILE_JOB_H
#include <stddef.h>

#include "base/error.h"
#include "cuda/words.h"
#include "run/places.h"

struct job {
    struct cuda_places places;
    char clang[64];
    char wrappers[PATH_MAX]; /* clang's cuda_wrappers folder: device overloads of <algorithm>, <new>, <complex> */
    char scratch[PATH_MAX];  /* folder for intermediate files; removed with all that is in it */
    struct words sources, objects, flags, link_flags;
    size_t given_objects; /* of `objects`, those of the command line; behind them, one for each source */
    const char *output, *arch, *standard;
    bool compile_only, ptx_only, verbose;
    bool fatbin;             /* -fatbin: the PTX too, under that name, since it is all that a program's modules have here */
    bool linked;             /* -rdc=true: device code of several files is one program */
    bool device_link;        /* -dlink */
    bool to_screen;          /* -E, -M: clang's answer is the result */
    bool archive;            /* -lib */
    bool to_cxx;             /* -cuda: C++ for the host's compiler, with the kernels in it */
    char arch_text[32];      /* of -gencode */
    size_t copies;           /* of sources, mended, in the scratch folder */
    bool say_version;        /* --version */
    bool dry_run;            /* -dryrun: say where the toolkit's parts lie and how it would link, and do nothing */
    const char *new_toolkit; /* --toolkit FOLDER: make one there */
    const char *toolkit;     /* --as-nvcc=FOLDER: we are its nvcc, and speak as one */
    struct words options;    /* of files of options: what the words above point into */
    bool all_cuda;           /* -x cu: sources are CUDA whatever their names */
};

/* Clang's flags, nvcc's and our own. Unknown flags are passed on to clang. */
bool compile_job_read(struct job *job, char *const *arguments, size_t count, struct error *err);
bool takes_value(const char *flag);      /* its value is the next word */
const char *suffix_of(const char *file); /* with its dot; "" when there is none */

/* compile.c: what tells an object from others that it is linked with, since the same source may be compiled twice. */
void object_id(const char *source, const char *object, char id[32]);

/* link_step.c: makes a program (or library) of the job's objects, or the archive of -lib, or the object of -dlink. */
bool link_program(struct job *job, struct error *err);
bool make_archive(struct job *job, struct error *err);
bool make_device_link(struct job *job, struct error *err);
#endif
