/* policy_set.c - composition: from names to policies, from policies to hook tables, and the state behind them. */
#include "policy/policy_set.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/symbol.h"
#include "base/text.h"

struct policy_set {
    uint32_t count;
    const struct policy *policy[POLICIES_MAX];
    void *config[POLICIES_MAX];
    const struct policy_profile *profile[POLICIES_MAX];
    struct param_kernel_list kernels; /* parameters per kernel */
};

/* ---- names ---------------------------------------------------------------------------------------------------------- */

static const struct policy_preset *find_preset(const char *name)
{
    for (const struct policy_preset *p = policy_presets(); p->name; p++)
        if (strcmp(p->name, name) == 0)
            return p;
    return NULL;
}

static bool unknown_name(const struct policy_library *library, const char *name, struct error *err)
{
    struct text_nearest nearest = { .wanted = name };
    for (const struct policy *const *p = policy_all(); *p; p++)
        text_nearest_offer(&nearest, (*p)->name);
    for (const struct policy_preset *p = policy_presets(); p->name; p++)
        text_nearest_offer(&nearest, p->name);
    const struct policy *loaded;
    for (uint32_t i = 0; (loaded = policy_library_at(library, i)); i++)
        text_nearest_offer(&nearest, loaded->name);
    const char *likely = text_nearest_likely(&nearest);
    if (likely)
        return error_set(err, "there is no policy named '%s'; did you mean '%s'? (warpline list policies)", name, likely);
    return error_set(err, "there is no policy named '%s' (warpline list policies)", name);
}

static bool add_names(struct policy_set *set, const struct policy_library *library, const char *names, struct error *err);

/* A preset's parameters, which --set and configurations may still change. */
static bool apply_settings(struct policy_set *set, const struct policy_preset *preset, struct error *err)
{
    struct param_space *space = param_space_new();
    bool ok = true;
    char assignment[128];
    policy_set_add_params(set, space);
    for (const char *at = preset->settings; ok && at && *at; at += strspn(at, " ")) {
        const size_t length = strcspn(at, " ");
        (void)snprintf(assignment, sizeof assignment, "%.*s", (int)length, at);
        ok = param_set_assignment(space, assignment, preset->name, err);
        at += length;
    }
    param_space_free(space);
    return ok;
}

static bool add_name(struct policy_set *set, const struct policy_library *library, const char *name, struct error *err)
{
    const struct policy_preset *preset = find_preset(name);
    if (preset)
        return add_names(set, library, preset->policies, err) && apply_settings(set, preset, err);
    const struct policy *policy = policy_find(library, name);
    if (!policy)
        return unknown_name(library, name, err);
    for (uint32_t i = 0; i < set->count; i++)
        if (set->policy[i] == policy)
            return error_set(err, "policy '%s' is given twice", name);
    if (set->count == POLICIES_MAX)
        return error_set(err, "more than %d policies in one run", POLICIES_MAX);
    void *config = must_calloc(1, policy->config_size);
    if (policy->params)
        param_defaults(policy->params, config);
    set->policy[set->count] = policy;
    set->config[set->count++] = config;
    return true;
}

static bool add_names(struct policy_set *set, const struct policy_library *library, const char *names, struct error *err)
{
    char name[64];
    while (*names) {
        const size_t length = strcspn(names, ",");
        if (length == 0)
            return error_set(err, "an empty name in the list of policies '%s'", names);
        (void)snprintf(name, sizeof name, "%.*s", (int)(length < sizeof name ? length : sizeof name - 1), names);
        if (!add_name(set, library, name, err))
            return false;
        names += length;
        if (*names == ',' && *++names == '\0')
            return error_set(err, "an empty name at the end of the list of policies");
    }
    return true;
}

struct policy_set *policy_set_new(const struct policy_library *library, const char *names, struct error *err)
{
    struct policy_set *set = must_calloc(1, sizeof *set);
    if (names && !add_names(set, library, names, err)) {
        policy_set_free(set);
        return NULL;
    }
    return set;
}

void policy_set_free(struct policy_set *set)
{
    if (!set)
        return;
    for (uint32_t i = 0; i < set->count; i++)
        free(set->config[i]);
    param_kernel_list_clear(&set->kernels);
    free(set);
}

uint32_t policy_set_count(const struct policy_set *set)
{
    return set ? set->count : 0;
}

const struct policy *policy_set_at(const struct policy_set *set, uint32_t i)
{
    return set->policy[i];
}

const void *policy_set_config(const struct policy_set *set, uint32_t i)
{
    return set->config[i];
}

void policy_set_add_params(struct policy_set *set, struct param_space *space)
{
    char prefix[96];
    for (uint32_t i = 0; i < set->count; i++) {
        (void)snprintf(prefix, sizeof prefix, "policy.%s.", set->policy[i]->name);
        if (!set->policy[i]->params)
            continue;
        param_space_add(space, prefix, set->policy[i]->params, set->config[i]);
        param_space_per_kernel(space, set->policy[i]->per_kernel);
    }
    param_space_kernels(space, &set->kernels);
}

static void add_unused(const struct policy_set *set, const struct policy *policy, struct param_space *space)
{
    char prefix[96];
    for (uint32_t i = 0; i < set->count; i++)
        if (set->policy[i] == policy)
            return;
    (void)snprintf(prefix, sizeof prefix, "policy.%s.", policy->name);
    if (!policy->params)
        return;
    param_space_add_unused(space, prefix, policy->params);
    param_space_per_kernel(space, policy->per_kernel);
}

void policy_set_add_unused(const struct policy_set *set, const struct policy_library *library, struct param_space *space)
{
    for (const struct policy *const *p = policy_all(); *p; p++)
        add_unused(set, *p, space);
    const struct policy *loaded;
    for (uint32_t i = 0; library && (loaded = policy_library_at(library, i)); i++)
        add_unused(set, loaded, space);
}

/* ---- hook tables ---------------------------------------------------------------------------------------------------- */

#define APPEND(table, function, self_)                                                                                             \
    do {                                                                                                                           \
        if (function) {                                                                                                            \
            (table).hook[(table).count].call = (function);                                                                         \
            (table).hook[(table).count++].self = (self_);                                                                          \
        }                                                                                                                          \
    } while (0)

static bool claim(const char **owner, const struct policy *policy, const char *decision, struct error *err)
{
    if (*owner)
        return error_set(err, "policies '%s' and '%s' both decide %s: name only one of them", *owner, policy->name, decision);
    *owner = policy->name;
    return true;
}

#define OWN(slot, function, hooks_, decision)                                                                                      \
    do {                                                                                                                           \
        if (function) {                                                                                                            \
            if (!claim(&(slot).owner, self->policy, decision, err))                                                                \
                return false;                                                                                                      \
            (slot).self = self;                                                                                                    \
            (slot).call = (hooks_);                                                                                                \
        }                                                                                                                          \
    } while (0)

static void ignore_insertion(struct policy_self *self, const struct policy_access *a, uint32_t way)
{
    (void)self, (void)a, (void)way;
}

static void ignore_promotion(struct policy_self *self, const struct policy_access *a, uint32_t way, bool pending)
{
    (void)self, (void)a, (void)way, (void)pending;
}

static void ignore_removal(struct policy_self *self, const struct policy_evicted *e)
{
    (void)self, (void)e;
}

static struct policy_replacement_hooks whole_replacement(struct policy_replacement_hooks r)
{
    r.inserted = r.inserted ? r.inserted : ignore_insertion;
    r.promoted = r.promoted ? r.promoted : ignore_promotion;
    r.removed = r.removed ? r.removed : ignore_removal;
    return r;
}

static const char *const level_name[LEVEL_COUNT] = { "L1", "L1.5", "L2" };

static bool compose_cache(struct cache_hooks *h, struct policy_self *self, uint32_t level, struct error *err)
{
    const struct policy_cache_hooks *c = &self->policy->cache;
    char decision[64];
    (void)snprintf(decision, sizeof decision, "the set index of the %s", level_name[level]);
    OWN(h->set_index, c->set_index, c->set_index, decision);
    (void)snprintf(decision, sizeof decision, "the victims of the %s", level_name[level]);
    OWN(h->replacement, c->replacement.victim, whole_replacement(c->replacement), decision);
    (void)snprintf(decision, sizeof decision, "the line storage of the %s", level_name[level]);
    OWN(h->storage, c->storage.stored_bytes, c->storage, decision);
    APPEND(h->before_lookup, c->before_lookup, self);
    APPEND(h->serve, c->serve, self);
    APPEND(h->may_miss, c->may_miss, self);
    APPEND(h->accessed, c->accessed, self);
    APPEND(h->refused, c->refused, self);
    APPEND(h->refused_end, c->refused_end, self);
    APPEND(h->filled, c->filled, self);
    APPEND(h->evicted, c->evicted, self);
    APPEND(h->flushed, c->flushed, self);
    if (c->every_accesses) {
        h->access_period[h->every_accesses.count] = self->policy->access_period(self->config);
        if (h->access_period[h->every_accesses.count] == 0)
            return error_set(err, "policy '%s': a period of 0 accesses", self->policy->name);
    }
    APPEND(h->every_accesses, c->every_accesses, self);
    APPEND(h->probe_cycles, c->probe_cycles, self);
    return true;
}

static bool compose_policy(struct policy_hooks *h, struct policy_self *self, struct error *err)
{
    const struct policy *p = self->policy;
    const uint32_t levels = p->levels ? p->levels(self->config) : AT_L1;
    for (uint32_t level = 0; level < LEVEL_COUNT; level++)
        if ((levels >> level & 1) && !compose_cache(&h->cache[level], self, level, err))
            return false;
    OWN(h->order, p->order.pick, p->order, "the order of warps");
    OWN(h->lsu, p->lsu.next, p->lsu, "the order of the LSU's accesses");
    OWN(h->cta, p->cta.choose, p->cta, "where CTAs go");
    OWN(h->page, p->page.owner, p->page, "where pages go");
    h->needs |= p->needs;
    APPEND(h->warp_gate, p->sm.warp_gate, self);
    APPEND(h->cta_gate, p->sm.cta_gate, self);
    APPEND(h->issued, p->sm.issued, self);
    APPEND(h->warp_start, p->sm.warp_start, self);
    APPEND(h->warp_end, p->sm.warp_end, self);
    APPEND(h->cta_start, p->sm.cta_start, self);
    APPEND(h->cta_end, p->sm.cta_end, self);
    APPEND(h->cta_drained, p->sm.cta_drained, self);
    APPEND(h->injected, p->sm.injected, self);
    APPEND(h->register_done, p->sm.register_done, self);
    APPEND(h->kernel_start, p->gpu.kernel_start, self);
    APPEND(h->kernel_end, p->gpu.kernel_end, self);
    if (p->gpu.every_cycles) {
        const uint64_t period = p->cycle_period(self->config);
        if (period == 0)
            return error_set(err, "policy '%s': a period of 0 cycles", p->name);
        h->cycle_period[h->every_cycles.count] = h->cycle_next[h->every_cycles.count] = period;
        h->period_restarts[h->every_cycles.count] = p->period_restarts;
    }
    APPEND(h->every_cycles, p->gpu.every_cycles, self);
    return true;
}

bool policy_set_check(const struct policy_set *set, struct error *err)
{
    struct policy_hooks *hooks = must_calloc(1, sizeof *hooks);
    struct policy_self self[POLICIES_MAX] = { 0 };
    bool ok = true;
    for (uint32_t i = 0; ok && i < policy_set_count(set); i++) {
        self[i].policy = set->policy[i];
        self[i].config = set->config[i];
        ok = compose_policy(hooks, &self[i], err);
    }
    free(hooks);
    return ok;
}

/* A hook that would never be called is refused, not ignored. */
static bool hooks_have_a_place(const struct policy *p, const void *config, const struct policy_geometry *g, struct error *err)
{
    const uint32_t levels = p->levels ? p->levels(config) : 0;
    for (uint32_t level = 0; level < LEVEL_COUNT; level++)
        if ((levels >> level & 1) && !g->cache[level].units)
            return error_set(err, "policy '%s' is for the %s, which this machine does not have", p->name, level_name[level]);
    if (p->page.owner && g->modules < 2)
        return error_set(err, "policy '%s' places pages, but this machine is a single module", p->name);
    return true;
}

static bool policy_fits(const struct policy *policy, const void *config, const struct policy_geometry *geometry, struct error *err)
{
    char text[512];
    if (!hooks_have_a_place(policy, config, geometry, err))
        return false;
    if (!policy->check || policy->check(config, geometry, text, sizeof text))
        return true;
    return error_set(err, "policy '%s': %s", policy->name, text);
}

bool policy_set_fits(const struct policy_set *set, const struct policy_geometry *geometry, struct error *err)
{
    for (uint32_t i = 0; i < policy_set_count(set); i++)
        if (!policy_fits(set->policy[i], set->config[i], geometry, err))
            return false;
    return policy_set_check(set, err);
}

/* ---- state ---------------------------------------------------------------------------------------------------------- */

static uint8_t *allot(size_t *size, size_t count)
{
    *size = (*size + 7) & ~(size_t)7;
    return *size && count ? must_calloc(count, *size) : NULL;
}

static uint32_t counter_parts(const struct policy_geometry *g)
{
    return g->sms + g->cache[LEVEL_L2].units + policy_module_parts(g) + 1;
}

static void allot_state(struct policy_self *self)
{
    const struct policy_geometry *g = self->geometry;
    if (self->policy->sizes)
        self->policy->sizes(self->config, g, &self->size);
    self->gpu = allot(&self->size.gpu, 1);
    self->module = allot(&self->size.module, policy_module_parts(g));
    self->sm = allot(&self->size.sm, g->sms);
    self->slice = allot(&self->size.slice, g->cache[LEVEL_L2].units);
    self->scheduler = allot(&self->size.scheduler, (size_t)g->sms * g->schedulers_per_sm);
    self->warp = allot(&self->size.warp, (size_t)g->sms * g->warps_per_sm);
    for (uint32_t level = 0; level < LEVEL_COUNT; level++) {
        const struct policy_cache_geometry *c = &g->cache[level];
        self->set[level] = allot(&self->size.set[level], (size_t)c->units * c->sets);
        self->line[level] = allot(&self->size.line[level], (size_t)c->units * c->sets * c->tags);
    }
    if (self->policy->counters) {
        self->counters_size = self->policy->counters->size;
        self->counters = must_calloc(counter_parts(g), self->counters_size);
    }
}

static void free_state(struct policy_self *self)
{
    uint8_t *const blocks[] = { self->gpu, self->module, self->sm, self->slice, self->scheduler, self->warp, self->counters };
    for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++)
        free(blocks[i]);
    for (uint32_t level = 0; level < LEVEL_COUNT; level++) {
        free(self->set[level]);
        free(self->line[level]);
    }
}

static const struct policy_profile empty_profile;

static bool bind_policy(struct policy_instance *instance, const struct policy *policy, const void *config,
                        const struct policy_profile *profile, struct error *err)
{
    struct policy_self *self = &instance->self[instance->count++];
    self->policy = policy;
    self->config = config;
    self->peers = instance->self;
    self->peer_count = &instance->count;
    self->geometry = &instance->geometry;
    self->machine = &instance->machine;
    self->profile = !policy->profile ? NULL : profile ? profile : &empty_profile;
    if (!policy_fits(policy, config, self->geometry, err))
        return false;
    return compose_policy(&instance->hooks, self, err);
}

/* The number of lines that a set may hold is known once it is known who stores them. Then every policy's state gets its room. */
static void start_all(struct policy_instance *instance)
{
    for (uint32_t level = 0; level < LEVEL_COUNT; level++) {
        struct policy_cache_geometry *c = &instance->geometry.cache[level];
        const struct cache_hooks *h = &instance->hooks.cache[level];
        c->tags = h->storage.owner ? h->storage.call.tags_per_set(h->storage.self, level) : c->ways;
    }
    for (uint32_t i = 0; i < instance->count; i++)
        allot_state(&instance->self[i]);
    for (uint32_t i = 0; i < instance->count; i++)
        if (instance->self[i].policy->start)
            instance->self[i].policy->start(&instance->self[i]);
}

/* The row of a key "policy.NAME.ROW" of this policy; NULL: it belongs to another. */
static const char *row_of(const struct policy *policy, const char *key)
{
    const size_t head = strlen("policy."), length = strlen(policy->name);
    const bool own = strncmp(key + head, policy->name, length) == 0 && key[head + length] == '.';
    return own ? key + head + length + 1 : NULL;
}

/* Policies with parameters per kernel get a configuration of their own, into which each kernel's values are written. */
static void own_configs(struct policy_instance *instance, const struct policy_set *set)
{
    instance->set = set;
    for (size_t k = 0; set && k < set->kernels.count; k++)
        for (uint32_t i = 0; i < set->count; i++)
            if (!instance->kernel_config[i] && row_of(set->policy[i], set->kernels.setting[k].key)) {
                instance->kernel_config[i] = must_calloc(1, set->policy[i]->config_size);
                memcpy(instance->kernel_config[i], set->config[i], set->policy[i]->config_size);
                instance->self[i].config = instance->kernel_config[i];
            }
}

bool policy_instance_kernel(struct policy_instance *instance, const char *kernel, struct error *err)
{
    for (uint32_t i = 0; instance->set && i < instance->count; i++) {
        const struct policy *policy = instance->self[i].policy;
        void *config = instance->kernel_config[i];
        const char *row;
        if (!config)
            continue;
        memcpy(config, instance->set->config[i], policy->config_size);
        for (size_t k = 0; k < instance->set->kernels.count; k++) {
            const struct param_kernel_setting *s = &instance->set->kernels.setting[k];
            if (symbol_is_kernel(kernel, s->kernel) && (row = row_of(policy, s->key)) != NULL)
                param_store(policy->params, config, row, s->value);
        }
        struct error why = { 0 };
        if (!policy_fits(policy, config, &instance->geometry, &why))
            return error_set(err, "kernel %s: %s", kernel, why.text);
    }
    return true;
}

static struct policy_instance *bind_all(const struct policy *const *policies, void *const *configs,
                                        const struct policy_profile *const *profiles, uint32_t count,
                                        const struct policy_geometry *geometry, const struct policy_machine *machine,
                                        struct error *err)
{
    struct policy_instance *instance = must_calloc(1, sizeof *instance);
    instance->geometry = *geometry;
    if (machine)
        instance->machine = *machine;
    instance->hooks.next_period = UINT64_MAX;
    for (uint32_t i = 0; i < count; i++)
        if (!bind_policy(instance, policies[i], configs[i], profiles[i], err)) {
            policy_instance_free(instance);
            return NULL;
        }
    start_all(instance);
    return instance;
}

void policy_set_take_profile(struct policy_set *set, uint32_t i, const struct policy_profile *profile)
{
    set->profile[i] = profile;
}

struct policy_instance *policy_set_bind(const struct policy_set *set, const struct policy_geometry *geometry,
                                        const struct policy_machine *machine, struct error *err)
{
    if (!set)
        return bind_all(NULL, NULL, NULL, 0, geometry, machine, err);
    struct policy_instance *instance = bind_all(set->policy, set->config, set->profile, set->count, geometry, machine, err);
    if (instance)
        own_configs(instance, set);
    return instance;
}

struct policy_instance *policy_bind_one(const struct policy *policy, const void *config, const struct policy_geometry *geometry,
                                        const struct policy_machine *machine, struct error *err)
{
    void *const configs[] = { (void *)(uintptr_t)config };
    const struct policy_profile *const none = NULL;
    return bind_all(&policy, configs, &none, 1, geometry, machine, err);
}

void policy_instance_free(struct policy_instance *instance)
{
    if (!instance)
        return;
    for (uint32_t i = 0; i < instance->count; i++)
        free_state(&instance->self[i]);
    for (uint32_t i = 0; i < POLICIES_MAX; i++)
        free(instance->kernel_config[i]);
    free(instance);
}

void policy_instance_counters(const struct policy_instance *instance, uint32_t i, void *out)
{
    const struct policy_self *self = &instance->self[i];
    const uint32_t parts = counter_parts(self->geometry);
    memset(out, 0, self->counters_size);
    for (uint32_t p = 0; p < parts; p++)
        stat_add(self->policy->counters, out, self->counters + p * self->counters_size);
}

const char *policy_instance_broken(const struct policy_instance *instance, const char **which)
{
    for (uint32_t i = 0; i < instance->count; i++) {
        const struct policy *p = instance->self[i].policy;
        const char *text = p->broken ? p->broken(&instance->self[i]) : NULL;
        if (text) {
            *which = p->name;
            return text;
        }
    }
    return NULL;
}

/* ---- the serial point ----------------------------------------------------------------------------------------------- */

static void find_next_period(struct policy_hooks *h)
{
    h->next_period = UINT64_MAX;
    for (uint32_t i = 0; i < h->every_cycles.count; i++)
        if (h->cycle_next[i] < h->next_period)
            h->next_period = h->cycle_next[i];
}

void hooks_kernel_start(struct policy_hooks *h, const struct policy_kernel *k)
{
    for (uint32_t i = 0; i < h->every_cycles.count; i++)
        if (h->period_restarts[i])
            h->cycle_next[i] = k->cycle + h->cycle_period[i];
        else /* periods that ended while no kernel ran */
            while (h->cycle_next[i] <= k->cycle)
                h->cycle_next[i] += h->cycle_period[i];
    find_next_period(h);
    for (uint32_t i = 0; i < h->kernel_start.count; i++)
        h->kernel_start.hook[i].call(h->kernel_start.hook[i].self, k);
}

void hooks_kernel_end(struct policy_hooks *h, const struct policy_kernel *k)
{
    for (uint32_t i = 0; i < h->kernel_end.count; i++)
        h->kernel_end.hook[i].call(h->kernel_end.hook[i].self, k);
    h->next_period = UINT64_MAX;
}

void hooks_serial(struct policy_hooks *h, uint64_t cycle)
{
    for (uint32_t i = 0; i < h->every_cycles.count; i++)
        while (h->cycle_next[i] <= cycle) {
            h->every_cycles.hook[i].call(h->every_cycles.hook[i].self, h->cycle_next[i]);
            h->cycle_next[i] += h->cycle_period[i];
        }
    find_next_period(h);
}
