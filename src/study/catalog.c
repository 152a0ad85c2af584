#include "study/catalog.h"

#include <stdlib.h>

#include "base/json.h"
#include "param/param.h"
#include "policy/policy_set.h"
#include "study/workload_list.h"

json_t *catalog_configs(void)
{
    json_t *rows = json_array();
    for (const struct param_builtin *b = param_builtins; b->name; b++) {
        char summary[256];
        param_builtin_summary(b, summary, sizeof summary);
        (void)json_array_append_new(rows, json_pack("{s:s, s:s}", "name", b->name, "summary", summary));
    }
    return rows;
}

json_t *catalog_policies(void)
{
    json_t *rows = json_array();
    for (const struct policy *const *p = policy_all(); *p; p++)
        (void)json_array_append_new(rows, json_pack("{s:s, s:s, s:s}", "name", (*p)->name, "summary", (*p)->summary, "source",
                                                    (*p)->source));
    for (const struct policy_preset *p = policy_presets(); p->name; p++)
        (void)json_array_append_new(rows, json_pack("{s:s, s:s, s:s, s:s}", "name", p->name, "summary", p->summary, "source",
                                                    p->source, "policies", p->policies));
    return rows;
}

json_t *catalog_workloads(void)
{
    json_t *rows = json_array();
    for (const struct workload *w = workload_list; w->name; w++)
        (void)json_array_append_new(rows, json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:s}", "name", w->name, "suite", w->suite,
                                                    "name_000", w->abbreviation_000, "class_000", w->class_000, "name_001",
                                                    w->abbreviation_001, "class_001", w->class_001, "kernels", w->kernels,
                                                    "dominates", w->dominates));
    return rows;
}

static void add_param(void *context, const char *name, const struct param *row, const char *value)
{
    char range[512];
    param_describe_range(row, range, sizeof range);
    (void)json_array_append_new(context, json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:s}", "name", name, "type",
                                                   param_type_name(row->type), "value", value, "default", row->dflt, "range", range,
                                                   "unit", row->unit, "help", row->help));
}

/* Every policy's parameters at their defaults, whether or not a run uses it. */
static void add_policy_params(json_t *rows)
{
    for (const struct policy *const *p = policy_all(); *p; p++) {
        if (!(*p)->params)
            continue;
        struct param_space *space = param_space_new();
        void *config = must_calloc(1, (*p)->config_size);
        struct text_buffer prefix = { 0 };
        text_append(&prefix, "policy.%s.", (*p)->name);
        param_defaults((*p)->params, config);
        param_space_add(space, prefix.text, (*p)->params, config);
        param_each(space, add_param, rows);
        param_space_free(space);
        text_buffer_clear(&prefix);
        free(config);
    }
}

json_t *catalog_params(void)
{
    json_t *rows = json_array();
    add_policy_params(rows);
    return rows;
}
