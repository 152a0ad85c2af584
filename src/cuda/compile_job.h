/* compile_job.h - what a command line of `warpline cc` asks for. Private to compile.c, which does it, and compile_flags.c, which reads it. */
#ifndef WARPLINE_CUDA_COMPILE_JOB_H
#define WARPLINE_CUDA_COMPILE_JOB_H
#include <stddef.h>

#include "base/error.h"
#include "cuda/places.h"

/* Words of a command line; owns them. */
struct words {
    char **word;
    size_t count, capacity;
};

void words_add(struct words *w, const char *text);
void words_add_all(struct words *w, const struct words *more);
void words_clear(struct words *w);

struct job {
    struct cuda_places places;
    char clang[64];
    char wrappers[PATH_MAX]; /* clang's cuda_wrappers folder: device overloads of <algorithm>, <new>, <complex> */
    char scratch[PATH_MAX];  /* folder for what lies between the steps */
    struct words sources, objects, flags, link_flags, made;
    const char *output, *arch, *standard;
    bool compile_only, ptx_only, verbose;
    bool linked;   /* -rdc=true: device code of several files is one program */
    bool device_link; /* -dlink: nothing is left to do, and an object is expected */
    bool to_screen; /* -E, -M: clang's answer is the result */
    bool archive;  /* -lib */
    char arch_text[32]; /* of -gencode */
    bool say_version;         /* --version */
    const char *new_toolkit;  /* --toolkit FOLDER: make one there */
    const char *toolkit;      /* --as-nvcc=FOLDER: we are its nvcc, and speak as one */
    struct words options;     /* of files of options: what the words above point into */
    bool all_cuda; /* -x cu: sources are CUDA whatever they are called */
};

/* Clang's flags, nvcc's and our own. What is not known goes on to clang. */
bool compile_job_read(struct job *job, char *const *arguments, size_t count, struct error *err);
bool takes_value(const char *flag);      /* its value is the next word */
const char *suffix_of(const char *file); /* with its dot; "" when there is none */
#endif
