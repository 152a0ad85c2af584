/* study_file.h - a design space as a text file.
 *
 *     name = mshrs                     ; default: the file's name
 *     config = gtx480-16k
 *     workloads = syrk, bfs            ; or "all"; a key given twice adds to the list
 *     sizes = small
 *     policies = gto, gto+pric         ; + joins policies of one run; "none" is the bare machine
 *     plugins = mine.so                ; files to load policies from
 *     metrics = cycles, l1.miss_rate   ; what the table at the end shows
 *     [set]
 *     l1.ways = 8                      ; for every run
 *     [axes]
 *     l1.mshr_entries = 16, 32, 64     ; one axis per parameter; lists of lists use ';'
 *     [constraints]
 *     small = l1.mshr_entries <= 64    ; over axes with numbers; runs that break one are left out */
#ifndef WARPLINE_STUDY_STUDY_FILE_H
#define WARPLINE_STUDY_STUDY_FILE_H
#include "study/batch.h"

enum { STUDY_AXES_MAX = 16 };

struct study_axis {
    char *parameter;
    struct text_list values;
};

struct study {
    char *name, *config;
    struct text_list workloads, sizes, policies, metrics, set, constraints, plugins;
    struct study_axis axis[STUDY_AXES_MAX];
    size_t axis_count;
};

bool study_read(const char *path, struct study *study, struct error *err);
void study_clear(struct study *study);
/* The product of all axes that fits the constraints, each run prepared; an error of any of them ends it. NULL with an error,
 * also when nothing is left. Free with batch_clear. */
struct batch_run *study_plan(const struct study *study, size_t *count, size_t *left_out, struct error *err);
#endif
