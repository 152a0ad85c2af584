/* catalog.h - everything that is declared, gathered as JSON rows: for `warpline list`, the generated docs and reports. */
#ifndef WARPLINE_STUDY_CATALOG_H
#define WARPLINE_STUDY_CATALOG_H
#include <jansson.h>

#include "base/error.h"
#include "base/text.h"
#include "param/param.h"

/* Policies are those that are built in and those of `plugins`, which may be NULL. */
struct policy_library;

/* Each returns a new array of objects, every member of which is text unless said otherwise. */
json_t *catalog_configs(void);                                  /* name, summary */
json_t *catalog_policies(const struct policy_library *plugins); /* name, summary, source; presets have "policies" as well */
json_t *catalog_hooks(const struct policy_library *plugins);    /* name, help, policies: those that fill it in */
json_t *catalog_workloads(void); /* name, suite, name_000, class_000, name_001, class_001, papers, kernels, dominates */
json_t *catalog_stats(const struct policy_library *plugins,
                      struct error *err); /* name, kind (counter or ratio), unit, help; of GPUs, CPUs and every policy */
/* False with a sentence, and the name that was likely meant, when no result has a total of this name. With `plugins` (may be NULL)
 * only names of known groups are judged: a plug-in's own counters are not known before it runs. */
bool catalog_check_metric(const char *metric, const struct text_list *plugins, struct error *err);
/* Every parameter of the machine and of every policy, after `configure` has written to the space: name, type, value, default,
 * range, unit, help, class (machine, technique, reference or debug). NULL when it failed, or when the values contradict one
 * another. */
typedef bool catalog_configure(void *context, struct param_space *space, struct error *err);
json_t *catalog_params(const struct policy_library *plugins, catalog_configure *configure, void *context, struct error *err);
#endif
