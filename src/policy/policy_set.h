/* policy_set.h - the policies of a run: found by name, given parameters, composed, and bound to a machine.
 *
 *     names --policy_set_new--> set --policy_set_add_params--> --set/config --policy_set_bind(geometry, machine)--> instance
 *
 * One set can be bound to any number of GPUs; each instance has its own state. */
#ifndef WARPLINE_POLICY_POLICY_SET_H
#define WARPLINE_POLICY_POLICY_SET_H
#include "base/error.h"
#include "policy/hooks.h"

/* The built-in list (src/policy/policies.def), NULL-terminated, in order. */
const struct policy *const *policy_all(void);
/* Presets: a name for several policies ("dwt-pric" = pric, dwt-cs, stream-bypass), or for one with parameters other than its
 * defaults ("static-sc"). Ends with a NULL name. */
struct policy_preset {
    const char *name, *policies, *summary, *source;
    const char *settings; /* "policy.NAME.ROW=VALUE", separated by blanks; NULL: none */
};
const struct policy_preset *policy_presets(void);

/* Policies outside the tree. A library holds what was loaded; NULL wherever one is asked for means built-ins only. */
enum { PLUGINS_MAX = 16, POLICY_NAME_MAX = 40 };
struct policy_library;
struct policy_library *policy_library_new(void);
void policy_library_free(struct policy_library *library);
/* Loads FILE.so: refused unless it exports warpline_plugin, of this version, with whole declarations and unused names. */
bool policy_library_load(struct policy_library *library, const char *path, struct error *err);
const struct policy *policy_find(const struct policy_library *library, const char *name); /* NULL: none */
/* i-th policy of the library's plug-ins, NULL at the end. */
const struct policy *policy_library_at(const struct policy_library *library, uint32_t i);

struct policy_set;
/* `names`: comma-separated, "" or NULL for none; presets are expanded. Parameters hold their defaults. */
struct policy_set *policy_set_new(const struct policy_library *library, const char *names, struct error *err);
void policy_set_free(struct policy_set *set);
uint32_t policy_set_count(const struct policy_set *set);
const struct policy *policy_set_at(const struct policy_set *set, uint32_t i);
const void *policy_set_config(const struct policy_set *set, uint32_t i);
/* Adds every policy's rows to the space under "policy.<name>.". */
void policy_set_add_params(struct policy_set *set, struct param_space *space);
/* Adds the rows of all other policies, those of `library` among them, as known and unused. */
void policy_set_add_unused(const struct policy_set *set, const struct policy_library *library, struct param_space *space);
/* Refuses two owners of one decision. policy_set_bind checks it too; this gives the error before any machine is made. */
bool policy_set_check(const struct policy_set *set, struct error *err);
/* The same, and parameters that contradict each other or the machine. */
bool policy_set_fits(const struct policy_set *set, const struct policy_geometry *geometry, struct error *err);

/* The profile that policy i uses in instances bound from now on; it must outlive them. Without one, a policy that declares a
 * profile reads an empty one. run/profile.h makes sure that every run has one. */
void policy_set_take_profile(struct policy_set *set, uint32_t i, const struct policy_profile *profile);

struct policy_instance {
    struct policy_hooks hooks;
    uint32_t count;
    struct policy_self self[POLICIES_MAX];
    struct policy_geometry geometry;
    struct policy_machine machine;
    const struct policy_set *set;      /* NULL: one policy that is in no set */
    void *kernel_config[POLICIES_MAX]; /* of policies with parameters per kernel; otherwise NULL */
};
/* `set` may be NULL (no policies: every table empty). Checks conflicts and each policy's parameters against the geometry. */
struct policy_instance *policy_set_bind(const struct policy_set *set, const struct policy_geometry *geometry,
                                        const struct policy_machine *machine, struct error *err);
/* One policy that need not be in any list, with its config, which must outlive the instance. */
struct policy_instance *policy_bind_one(const struct policy *policy, const void *config, const struct policy_geometry *geometry,
                                        const struct policy_machine *machine, struct error *err);
/* Sets the parameters to this kernel's values, before its kernel_start. */
bool policy_instance_kernel(struct policy_instance *instance, const char *kernel, struct error *err);
void policy_instance_free(struct policy_instance *instance);
/* Sums policy i's counters over SMs, slices and the serial point into `out` (its stat group's struct). */
void policy_instance_counters(const struct policy_instance *instance, uint32_t i, void *out);
/* NULL, or the broken invariant of policy *which. */
const char *policy_instance_broken(const struct policy_instance *instance, const char **which);
#endif
