/* scaling.h - programs on machines of more and more modules: speedup, energy and EDP scaling efficiency (paper 002, chapter 6).
 *
 * The machine of one module is a configuration NAME, that of N modules is NAME-N (gpm-k40, gpm-k40-32). Energies are computed
 * from each run's counters by one table. So another table, or another number in it, needs no new run. */
#ifndef WARPLINE_STUDY_SCALING_H
#define WARPLINE_STUDY_SCALING_H
#include <jansson.h>
#include <stdio.h>

#include "energy/energy.h"
#include "study/batch.h"

enum { SCALING_STEPS = 8, SCALING_PROGRAMS = 64 };

struct scaling_program {
    const char *target, *label, *class; /* class: C compute, M memory intensive; "" neither */
};

struct scaling {
    const char *config, *size, *policies;        /* policies: of machines of several modules */
    uint32_t modules[SCALING_STEPS], step_count; /* ascending; the first is what others are compared with */
    const char *topology, *domain;               /* of link.*; NULL: the configuration's */
    uint64_t bandwidth;                          /* MB/s of a module: all its links, both directions; 0: the configuration's */
    const struct text_list *set;                 /* NULL: none */
    const struct text_list *plugins;             /* NULL: none */
    struct scaling_program programs[SCALING_PROGRAMS];
    uint32_t program_count;
    struct energy_table table;
    char table_name[128];
    struct batch_run *runs; /* program by program, step by step */
};

bool scaling_prepare(struct scaling *s, struct error *err);
uint64_t scaling_link_bandwidth(const struct scaling *s, uint32_t modules); /* MB/s of one direction of a link of so many modules */
void scaling_clear(struct scaling *s);
/* {"config", "topology", "domain", "bandwidth_mb_s", "table", "modules": [n...],
 *  "programs": [{"target", "label", "class", "steps": [point or null...]}...],
 *  "means": [{"class": "all"|"C"|"M", "programs": n, "steps": [point...]}...]}
 * A point: {"modules", "seconds", "joules", "speedup", "energy", "efficiency", "edpse", "ed2pse", "step_speedup", "step_energy",
 * "components": {name: share of the first step's energy...}}. speedup and energy are over the first step, step_* over the step
 * before; means of speedups are geometric, the others arithmetic, and over programs that ended at every step. */
json_t *scaling_json(const struct scaling *s);
void scaling_print(const json_t *json, FILE *out);
/* {"settings": [scaling with "name"...]}, all over the same numbers of modules, as a page with the figures. */
void scaling_page(const json_t *settings, struct text_buffer *html);
#endif
