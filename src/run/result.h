/* result.h - what a run found: the JSON that scripts rely on (docs/guide.md, "Results"), and one screen for people.
 *
 * A result is a jansson tree in the shape of schema 1. It is built where the machine is, may travel as text, and is
 * completed and printed from the tree alone: the summary of an old result file is the summary of the run. */
#ifndef WARPLINE_RUN_RESULT_H
#define WARPLINE_RUN_RESULT_H
#include <jansson.h>
#include <stdio.h>

#include "base/text.h"
#include "gpu/gpu.h"

struct result_run {
    const char *target;                     /* as the user named it */
    const struct text_list *policies;       /* in order; NULL: none */
    const struct param_space *space;        /* everything that was configurable */
    const struct stat_group *const *groups; /* of kernel_result.counters */
    uint32_t group_count;
};

/* Kernels are added one by one as they end; finish adds the totals, frees the builder and hands over the tree. */
struct result_builder;
struct result_builder *result_builder_new(const struct result_run *run); /* `run` must outlive the builder */
/* What the policies add to the machine, for its energy: "structures" of energy/energy.h. Takes ownership. */
void result_builder_structures(struct result_builder *builder, json_t *structures);
void result_builder_add(struct result_builder *builder, const struct kernel_result *kernel);
struct refusal;
void result_builder_refuse(struct result_builder *builder, const struct refusal *refusal);
void result_builder_race(struct result_builder *builder, const char *kernel, const char *text);
uint32_t result_builder_threads(const struct result_builder *builder); /* of the host, that a kernel ran on: the most so far */
json_t *result_builder_finish(struct result_builder *builder);

/* The exit code of the program that launched the kernels. */
void result_set_exit_code(json_t *result, int exit_code);

/* What depends on the host: the only part that differs between two equal runs. The peak of resident memory is this process's
 * own. */
void result_set_host(json_t *result, double wall_seconds, uint32_t threads);

/* The canonical text. */
void result_write(const json_t *result, struct text_buffer *out);
/* One screen: cycles, IPC, occupancy, lost issue slots, traffic and hit rates, top stall causes, simulation rate. */
void result_print_summary(const json_t *result, FILE *out);

/* A number of a result by its dotted name under "totals" ("cycles", "l1.miss_rate"); false when there is none. */
bool result_number(json_t *result, const char *name, double *value);
#endif
