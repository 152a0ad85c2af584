/* catalog.c - what there is to choose from, for `warpline list`: configurations, policies, workloads, parameters, counters. */
#include "study/catalog.h"

#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/text.h"
#include "cmp/core.h"
#include "cmp/shared_cache.h"
#include "energy/energy.h"
#include "gpu/gpu.h"
#include "param/param.h"
#include "policy/hook_list.h"
#include "policy/policy_set.h"
#include "run/session.h"
#include "base/units.h"
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

/* The policy of this number, first those that are built in; NULL behind the last. */
static const struct policy *policy_at(const struct policy_library *plugins, uint32_t i)
{
    static const uint32_t built_in =
#define POLICY(file) +1
#include "policy/policies.def"
#undef POLICY
        ;
    return i < built_in ? policy_all()[i] : policy_library_at(plugins, i - built_in);
}

json_t *catalog_policies(const struct policy_library *plugins)
{
    json_t *rows = json_array();
    const struct policy *policy;
    for (uint32_t i = 0; (policy = policy_at(plugins, i)); i++)
        (void)json_array_append_new(
            rows, json_pack("{s:s, s:s, s:s}", "name", policy->name, "summary", policy->summary, "source", policy->source));
    for (const struct policy_preset *p = policy_presets(); p->name; p++)
        (void)json_array_append_new(rows, json_pack("{s:s, s:s, s:s, s:s}", "name", p->name, "summary", p->summary, "source",
                                                    p->source, "policies", p->policies));
    return rows;
}

/* "003 PTF CNF, 004 PF sensitive": every row of papers 002 to 004 that a workload stands for. */
static json_t *rows_of_papers(const char *workload)
{
    struct text_buffer text = { 0 };
    for (const struct workload_row *r = workload_rows; r->paper; r++)
        if (strcmp(r->workload, workload) == 0)
            text_append(&text, "%s%s %s %s", text.length ? ", " : "", r->paper, r->abbreviation, r->class);
    json_t *rows = json_string(text.length ? text.text : "");
    text_buffer_clear(&text);
    return rows;
}

json_t *catalog_workloads(void)
{
    json_t *rows = json_array();
    for (const struct workload *w = workload_list; w->name; w++) {
        char footprint[32], small[32], medium[32];
        units_human_bytes(footprint, sizeof footprint, (double)w->small_kib * 1024);
        units_human_count(small, sizeof small, (double)w->small_instructions);
        units_human_count(medium, sizeof medium, (double)w->medium_instructions);
        json_t *row = json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:s}", "name", w->name, "suite", w->suite, "name_000",
                                w->abbreviation_000, "class_000", w->class_000, "name_001", w->abbreviation_001, "class_001",
                                w->class_001, "kernels", w->kernels, "dominates", w->dominates);
        (void)json_object_update_new(row, json_pack("{s:o, s:s, s:s, s:s, s:I, s:I, s:I}", "papers", rows_of_papers(w->name),
                                                    "footprint", footprint, "small", small, "medium", medium, "small_bytes",
                                                    (json_int_t)w->small_kib * 1024, "small_warp_instructions",
                                                    (json_int_t)w->small_instructions, "medium_warp_instructions",
                                                    (json_int_t)w->medium_instructions));
        (void)json_array_append_new(rows, row);
    }
    return rows;
}

json_t *catalog_hooks(const struct policy_library *plugins)
{
    json_t *rows = json_array();
    const struct policy *policy;
    for (const struct policy_hook_row *h = policy_hook_rows(); h->name; h++) {
        struct text_buffer users = { 0 };
        for (uint32_t i = 0; (policy = policy_at(plugins, i)); i++)
            if (policy_fills(policy, h))
                text_append(&users, "%s%s", users.length ? ", " : "", policy->name);
        (void)json_array_append_new(
            rows, json_pack("{s:s, s:s, s:s}", "name", h->name, "help", h->says, "policies", users.length ? users.text : ""));
        text_buffer_clear(&users);
    }
    return rows;
}

static void add_param(void *context, const char *name, const struct param *row, const char *value)
{
    char range[512];
    param_describe_range(row, range, sizeof range);
    (void)json_array_append_new(context,
                                json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:s}", "name", name, "type",
                                          param_type_name(row->type), "value", value, "default", row->dflt, "range", range, "unit",
                                          row->unit, "help", row->help, "class", param_class_name(param_class_of(name, row))));
}

/* The machine's parameters and every policy's, whether or not a run uses it. */
struct everything {
    struct param_space *space;
    struct machine_config *machine;
    struct device_config device;
    void **policy_config;
    size_t policy_count;
};

static void everything_new(struct everything *all, const struct policy_library *plugins)
{
    const struct policy *policy;
    *all = (struct everything){ .space = param_space_new(), .machine = machine_config_new() };
    machine_config_bind(all->machine, all->space);
    device_config_bind(&all->device, all->space);
    for (uint32_t i = 0; (policy = policy_at(plugins, i)); i++) {
        if (!policy->params)
            continue;
        void *config = must_calloc(1, policy->config_size);
        struct text_buffer prefix = { 0 };
        text_append(&prefix, "policy.%s.", policy->name);
        param_defaults(policy->params, config);
        param_space_add(all->space, prefix.text, policy->params, config);
        text_buffer_clear(&prefix);
        all->policy_config = must_realloc(all->policy_config, (all->policy_count + 1) * sizeof config);
        all->policy_config[all->policy_count++] = config;
    }
}

static void everything_clear(struct everything *all)
{
    param_space_free(all->space);
    machine_config_free(all->machine);
    for (size_t i = 0; i < all->policy_count; i++)
        free(all->policy_config[i]);
    free(all->policy_config);
}

json_t *catalog_params(const struct policy_library *plugins, catalog_configure *configure, void *context, struct error *err)
{
    struct everything all;
    everything_new(&all, plugins);
    json_t *rows = NULL;
    if (configure(context, all.space, err) && machine_config_check(all.machine, err)) {
        rows = json_array();
        param_each(all.space, add_param, rows);
    }
    everything_clear(&all);
    return rows;
}

static void add_group(json_t *rows, const struct stat_group *group)
{
    for (const struct stat_counter *c = group->counters; c->name; c++)
        (void)json_array_append_new(rows, json_pack("{s:s++, s:s, s:s, s:s}", "name", group->name, ".", c->name, "kind", "counter",
                                                    "unit", c->unit, "help", c->help));
    for (const struct stat_ratio *r = group->ratios; r->name; r++)
        (void)json_array_append_new(rows, json_pack("{s:s++, s:s, s:s, s:s}", "name", group->name, ".", r->name, "kind", "ratio",
                                                    "unit", "", "help", r->help));
}

json_t *catalog_stats(const struct policy_library *plugins, struct error *err)
{
    const struct policy *policy;
    struct machine_config *machine = machine_config_new();
    struct gpu *gpu = gpu_new(machine, NULL, err);
    json_t *rows = NULL;
    if (gpu) {
        uint32_t count;
        const struct stat_group *const *groups = gpu_stat_groups(gpu, &count);
        rows = json_array();
        for (uint32_t i = 0; i < count; i++)
            add_group(rows, groups[i]);
        add_group(rows, &cpu_stat_group);
        add_group(rows, &llc_stat_group);
        for (uint32_t i = 0; (policy = policy_at(plugins, i)); i++)
            if (policy->counters)
                add_group(rows, policy->counters);
        gpu_free(gpu);
    }
    machine_config_free(machine);
    return rows;
}

/* What the totals of a result have beside the counters. */
static const char *const more_totals[] = { "kernels",       "cycles",        "warp_instructions", "thread_instructions",
                                           "ipc",           "warp_ipc",      "energy.seconds",    "energy.total_j",
                                           "energy.mean_w", "energy.edp_js", "energy.ed2p_js2",   NULL };

static bool is_group_of(const char *metric, const char *name)
{
    const size_t length = strcspn(name, ".");
    return strncmp(metric, name, length) == 0 && metric[length] == '.';
}

bool catalog_check_metric(const char *metric, const struct text_list *plugins, struct error *err)
{
    static const char components[] = "energy.components.";
    json_t *stats = catalog_stats(NULL, err);
    if (!stats)
        return false;
    bool known = false, group = false;
    struct text_nearest nearest = { .wanted = metric };
    for (size_t i = 0; i < json_array_size(stats); i++) {
        const char *name = json_string_value(json_object_get(json_array_get(stats, i), "name"));
        text_nearest_offer(&nearest, name);
        known = known || strcmp(name, metric) == 0;
        group = group || is_group_of(metric, name);
    }
    for (size_t i = 0; more_totals[i]; i++) {
        text_nearest_offer(&nearest, more_totals[i]);
        known = known || strcmp(more_totals[i], metric) == 0;
    }
    for (size_t i = 0; i < ENERGY_COMPONENTS; i++)
        known = known || (strncmp(metric, components, strlen(components)) == 0 &&
                          strcmp(metric + strlen(components), energy_component_names[i]) == 0);
    const char *likely = text_nearest_likely(&nearest);
    if (!known && (group || !plugins || !plugins->count))
        (void)error_set(err, "'%.100s' is no counter or ratio%s%s%s (warpline list stats)", metric,
                        likely ? "; did you mean '" : "", likely ? likely : "", likely ? "'?" : "");
    else
        known = true;
    json_decref(stats);
    return known;
}
