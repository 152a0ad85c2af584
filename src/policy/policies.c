/* policies.c - the built-in policies and presets, and those loaded from plug-ins. */
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "policy/plugin_fault.h"
#include "policy/policy_set.h"

#define POLICY(file) extern const struct policy policy_##file;
#include "policy/policies.def"
#undef POLICY

static const struct policy *const built_in[] = {
#define POLICY(file) &policy_##file,
#include "policy/policies.def"
#undef POLICY
    NULL
};

#define STATIC_COMPRESSION(algorithm, what)                                                                                        \
    {                                                                                                                              \
        "static-" algorithm, "compressed-l1", "every line of the L1 compressed with " what, "Arunkumar, 2018, chapter 4",          \
            "policy.compressed-l1.algorithm=" algorithm                                                                            \
    }

static const struct policy_preset presets[] = {
    { "dwt-pric", "pric,dwt-cs,stream-bypass", "all three techniques of the paper together", "Khairy et al., GPGPU-8 2015", NULL },
    { "id-cache", "id-bypass-pcdiv,alsi", "bypassing by PC and divergence, and lines of adaptive size",
      "Arunkumar, 2018, chapter 3", NULL },
    STATIC_COMPRESSION("bdi", "base-delta-immediate"),
    STATIC_COMPRESSION("fpc", "frequent patterns"),
    STATIC_COMPRESSION("cpack", "C-Pack with zero detection"),
    STATIC_COMPRESSION("bpc", "bit planes"),
    STATIC_COMPRESSION("sc", "Huffman codes"),
    { "latte-cc-bpc", "latte-cc", "LATTE-CC with bit planes for Huffman codes", "Arunkumar, 2018, chapter 4",
      "policy.latte-cc.high=bpc" },
    { "adaptive-hit-count", "latte-cc", "the compression with the most hits, whatever they cost", "Arunkumar, 2018, chapter 4",
      "policy.latte-cc.decide=hits" },
    { "svc", "linebacker", "selective victim caching: Linebacker in statically unused registers alone", "Oh et al., ISCA 2019",
      "policy.linebacker.throttle=false" },
    { "victim-caching", "linebacker", "every line that the L1 evicts, in statically unused registers", "Oh et al., ISCA 2019",
      "policy.linebacker.select=all policy.linebacker.throttle=false" },
    { NULL, NULL, NULL, NULL, NULL }
};

struct policy_library {
    uint32_t plugin_count;
    struct {
        void *handle;
        const struct policy_plugin *plugin;
    } plugins[PLUGINS_MAX];
};

const struct policy *const *policy_all(void)
{
    return built_in;
}

const struct policy_preset *policy_presets(void)
{
    return presets;
}

struct policy_library *policy_library_new(void)
{
    return must_calloc(1, sizeof(struct policy_library));
}

void policy_library_free(struct policy_library *library)
{
    if (!library)
        return;
    for (uint32_t i = 0; i < library->plugin_count; i++) {
        (void)dlclose(library->plugins[i].handle); /* runs code of the plug-in's */
        plugin_fault_remove(library->plugins[i].plugin);
    }
    free(library);
}

const struct policy *policy_library_at(const struct policy_library *library, uint32_t i)
{
    if (!library)
        return NULL;
    for (uint32_t p = 0; p < library->plugin_count; p++) {
        if (i < library->plugins[p].plugin->count)
            return library->plugins[p].plugin->policies[i];
        i -= library->plugins[p].plugin->count;
    }
    return NULL;
}

const struct policy *policy_find(const struct policy_library *library, const char *name)
{
    for (const struct policy *const *p = built_in; *p; p++)
        if (strcmp((*p)->name, name) == 0)
            return *p;
    const struct policy *loaded;
    for (uint32_t i = 0; (loaded = policy_library_at(library, i)); i++)
        if (strcmp(loaded->name, name) == 0)
            return loaded;
    return NULL;
}

/* Checks a name, which is typed after --policy, and stands in lists and in keys of parameters. */
static bool name_ok(const char *name)
{
    const size_t length = strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-");
    return name[length] == 0 && length <= POLICY_NAME_MAX && name[0] >= 'a' && name[0] <= 'z' && name[length - 1] != '-';
}

/* Checks the name of its counters, which stand in the result beside those of caches and of other policies. */
static bool counters_ok(const struct policy *p)
{
    if (!p->counters)
        return true;
    if (!p->counters->name || strlen(p->counters->name) != strlen(p->name))
        return false;
    for (size_t i = 0; p->name[i]; i++)
        if (p->counters->name[i] != (p->name[i] == '-' ? '_' : p->name[i]))
            return false;
    return true;
}

static bool plugin_policy_ok(const struct policy_library *library, const char *path, const struct policy *p, struct error *err)
{
    if (!p || !p->name || !p->name[0] || !p->summary || !p->source)
        return error_set(err, "%s: a policy of the plug-in has no name, summary or source", path);
    if (!name_ok(p->name))
        return error_set(err, "%s: '%.60s' is no name for a policy: small letters, digits and '-', at most %d, first a letter",
                         path, p->name, POLICY_NAME_MAX);
    if (!counters_ok(p))
        return error_set(err, "%s: policy '%s': its counters must have its name, with '_' for '-'", path, p->name);
    if (p->params && p->config_size == 0)
        return error_set(err, "%s: policy '%s' has parameters but no config struct", path, p->name);
    if (p->gpu.every_cycles && !p->cycle_period)
        return error_set(err, "%s: policy '%s' fills every_cycles but gives no cycle_period", path, p->name);
    if (p->cache.every_accesses && !p->access_period)
        return error_set(err, "%s: policy '%s' fills every_accesses but gives no access_period", path, p->name);
    for (const struct policy_preset *preset = presets; preset->name; preset++)
        if (strcmp(preset->name, p->name) == 0)
            return error_set(err, "%s: '%s' is the name of several policies together; choose another", path, p->name);
    if (policy_find(library, p->name))
        return error_set(err, "%s: there already is a policy named '%s'", path, p->name);
    return true;
}

bool policy_library_load(struct policy_library *library, const char *path, struct error *err)
{
    if (library->plugin_count == PLUGINS_MAX)
        return error_set(err, "%s: more than %d plug-ins", path, PLUGINS_MAX);
    if (text_is_pipe(path) || text_is_device(path))
        return error_set(err, "%s: is a device or a pipe; give a file", path);
    /* A name without a slash is a file in this folder, and not one on the library path. */
    struct text_buffer file = { 0 };
    text_append(&file, "%s%s", strchr(path, '/') ? "" : "./", path);
    plugin_fault_loading(path);
    void *handle = dlopen(file.text, RTLD_NOW | RTLD_LOCAL);
    plugin_fault_loaded();
    text_buffer_clear(&file);
    if (!handle)
        return error_set(err, "cannot load plug-in %s: %s", path, dlerror());
    const struct policy_plugin *plugin = dlsym(handle, POLICY_PLUGIN_SYMBOL);
    bool ok = true;
    if (!plugin)
        ok = error_set(
            err, "%s is not a policy plug-in: it does not export " POLICY_PLUGIN_SYMBOL " (end the file with POLICY_PLUGIN)", path);
    else if (plugin->version != POLICY_INTERFACE_VERSION || plugin->policy_bytes != sizeof(struct policy))
        ok = error_set(err, "%s was built for version %u of the policy interface, this warpline has version %u: build it again",
                       path, plugin->version, POLICY_INTERFACE_VERSION);
    for (uint32_t i = 0; ok && i < plugin->count; i++)
        ok = plugin_policy_ok(library, path, plugin->policies[i], err);
    if (!ok) {
        (void)dlclose(handle);
        return false;
    }
    plugin_fault_add(path, plugin);
    library->plugins[library->plugin_count].handle = handle;
    library->plugins[library->plugin_count++].plugin = plugin;
    return true;
}
