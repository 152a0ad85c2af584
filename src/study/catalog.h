/* catalog.h - everything that is declared, gathered as JSON rows: for `warpline list`, the generated docs and reports. */
#ifndef WARPLINE_STUDY_CATALOG_H
#define WARPLINE_STUDY_CATALOG_H
#include <jansson.h>

#include "base/error.h"

/* Each returns a new array of objects, every member of which is text unless said otherwise. */
json_t *catalog_configs(void);  /* name, summary */
json_t *catalog_policies(void); /* name, summary, source; presets have "policies" as well */
json_t *catalog_workloads(void); /* name, suite, name_000, class_000, name_001, class_001, kernels, dominates */
/* Effective and default values: name, type, value, default, range, unit, help. */
json_t *catalog_params(void);
#endif
