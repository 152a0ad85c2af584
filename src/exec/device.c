/* device.c - the device as its users see it: memory, modules and their symbols, texture views. */
#include "exec/lanes.h"

#include <stdlib.h>
#include <string.h>

#include "ptxas/ptxas.h"

#define TEXTURE_HANDLE UINT64_C(0x7465780000000000) /* handles are recognisable in a register dump and never pointers */

struct device *device_new(const struct exec_options *options, struct error *err)
{
    if (!lanes_choose(options->lanes)) {
        (void)error_set(err, "exec: this host has no vector code named %s", options->lanes);
        return NULL;
    }
    struct device *device = must_calloc(1, sizeof *device);
    device->options = *options;
    if (!memory_open(&device->memory, options->first_address, options->memory_bytes, options->heap_bytes, options->alignment,
                     options->warn_uninitialised, err)) {
        free(device);
        return NULL;
    }
    device->memory.guard_bytes = options->guard_bytes;
    return device;
}

static void module_free(struct loaded_module *module)
{
    for (uint32_t i = 0; i < module->ptx->function_count; i++)
        image_free(module->kernels[i].image);
    free(module->variable_address);
    free(module->function_address);
    free(module->timing);
    free(module->kernels);
    ptx_free(module->ptx);
    free(module);
}

void device_free(struct device *device)
{
    if (!device)
        return;
    while (device->modules) {
        struct loaded_module *next = device->modules->next;
        module_free(device->modules);
        device->modules = next;
    }
    for (uint32_t i = 0; i < device->binding_count; i++)
        free(device->bindings[i].name);
    free(device->bindings);
    free(device->textures);
    children_free(&device->children);
    graph_launches_free(device);
    memory_close(&device->memory);
    free(device);
}

uint64_t device_alloc(struct device *device, uint64_t bytes)
{
    return memory_alloc(&device->memory, bytes);
}

bool device_release(struct device *device, uint64_t address)
{
    return memory_release(&device->memory, address);
}

bool device_resize_heap(struct device *device, uint64_t bytes)
{
    return memory_resize_heap(&device->memory, bytes);
}

void device_memory_info(const struct device *device, uint64_t *free_bytes, uint64_t *total_bytes)
{
    *total_bytes = device->memory.device.bytes;
    *free_bytes = device->memory.device.bytes - device->memory.used_bytes;
}

static uint8_t *host_range(struct device *device, uint64_t address, uint64_t bytes, const char *what, struct error *err)
{
    uint8_t *host = memory_host(&device->memory, address, bytes);
    if (!host)
        (void)error_set_code(err, CODE_PROGRAM, "%s of %llu bytes at device address 0x%llx, which is not inside one allocation",
                             what, (unsigned long long)bytes, (unsigned long long)address);
    return host;
}

bool device_write(struct device *device, uint64_t address, const void *from, uint64_t bytes, struct error *err)
{
    if (bytes == 0)
        return true;
    uint8_t *host = host_range(device, address, bytes, "copy to the device", err);
    if (!host)
        return false;
    memmove(host, from, bytes);
    memory_mark_written(&device->memory, address, bytes);
    return true;
}

bool device_read(struct device *device, uint64_t address, void *to, uint64_t bytes, struct error *err)
{
    if (bytes == 0)
        return true;
    const uint8_t *host = host_range(device, address, bytes, "copy from the device", err);
    if (!host)
        return false;
    memmove(to, host, bytes);
    return true;
}

bool device_fill(struct device *device, uint64_t address, uint8_t value, uint64_t bytes, struct error *err)
{
    if (bytes == 0)
        return true;
    uint8_t *host = host_range(device, address, bytes, "fill", err);
    if (!host)
        return false;
    memset(host, value, bytes);
    memory_mark_written(&device->memory, address, bytes);
    return true;
}

bool device_copy(struct device *device, uint64_t to, uint64_t from, uint64_t bytes, struct error *err)
{
    if (bytes == 0)
        return true;
    uint8_t *into = host_range(device, to, bytes, "copy to device memory", err);
    const uint8_t *out = into ? host_range(device, from, bytes, "copy from device memory", err) : NULL;
    if (!out)
        return false;
    memmove(into, out, bytes);
    memory_mark_written(&device->memory, to, bytes);
    return true;
}

uint64_t device_map_host(struct device *device, void *host, uint64_t bytes)
{
    uint64_t address = memory_place_host(&device->memory, bytes);
    return memory_map_host(&device->memory, address, host, bytes) ? address : 0;
}

bool device_map_host_at(struct device *device, void *host, uint64_t bytes, uint64_t address)
{
    return memory_map_host(&device->memory, address, host, bytes);
}

bool device_unmap_host(struct device *device, void *host)
{
    return memory_unmap_host(&device->memory, host);
}

bool device_is_valid(const struct device *device, uint64_t address, uint64_t bytes)
{
    return memory_host(&device->memory, address, bytes) != NULL;
}

bool device_find_range(const struct device *device, uint64_t address, uint64_t *start, uint64_t *bytes)
{
    const struct range *range = memory_find(&device->memory, address);
    if (!range)
        return false;
    *start = range->start;
    *bytes = range->bytes;
    return true;
}

static bool function_in(const struct loaded_module *m, const char *name, uint32_t *index)
{
    for (uint32_t i = 0; i < m->ptx->alias_count; i++)
        if (strcmp(m->ptx->aliases[i].name, name) == 0)
            name = m->ptx->aliases[i].target;
    for (uint32_t i = 0; i < m->ptx->function_count; i++)
        if (m->ptx->functions[i].is_defined && strcmp(m->ptx->functions[i].name, name) == 0) {
            *index = i;
            return true;
        }
    return false;
}

static bool variable_in(const struct loaded_module *m, const char *name, uint32_t *index)
{
    for (uint32_t i = 0; i < m->ptx->variable_count; i++)
        if (m->variable_address[i] && strcmp(m->ptx->variables[i].name, name) == 0) {
            *index = i;
            return true;
        }
    return false;
}

static uint8_t function_linkage(const struct loaded_module *m, uint32_t index)
{
    return m->ptx->functions[index].linkage;
}
static uint8_t variable_linkage(const struct loaded_module *m, uint32_t index)
{
    return m->ptx->variables[index].linkage;
}
static bool is_weak(uint8_t linkage)
{
    return linkage == 3 || linkage == 4;
}

/* Which definition of a weak name counts: the one that is not weak, or else the first. */
static bool find_linked(const struct device *device, uint32_t group, const char *name,
                        bool (*find)(const struct loaded_module *, const char *, uint32_t *),
                        uint8_t (*linkage)(const struct loaded_module *, uint32_t), const struct loaded_module **module,
                        uint32_t *index)
{
    *module = NULL;
    for (const struct loaded_module *m = device->modules; m; m = m->next) {
        uint32_t at;
        if (m->link_group != group || !find(m, name, &at) || linkage(m, at) == 0)
            continue;
        if (*module && is_weak(linkage(m, at)))
            continue;
        *module = m;
        *index = at;
        if (!is_weak(linkage(m, at)))
            break;
    }
    return *module != NULL;
}

static bool is_stored(const struct ptx_variable *v)
{
    return (v->space == SPACE_GLOBAL || v->space == SPACE_CONST) && v->linkage != 2;
}

static bool place_variables(struct device *device, struct loaded_module *module, struct error *err)
{
    for (uint32_t i = 0; i < module->ptx->variable_count; i++) {
        const struct ptx_variable *v = &module->ptx->variables[i];
        if (!is_stored(v))
            continue;
        uint64_t bytes = v->bytes ? v->bytes : 8; /* .texref and friends have no size of their own: room for a handle */
        uint64_t address = memory_add_symbol(&device->memory, v->name, bytes, v->align);
        if (!address)
            return error_set(err, "%s: variable %s of %llu bytes does not fit: module variables have %llu bytes in all",
                             module->ptx->file, v->name, (unsigned long long)v->bytes, (unsigned long long)SYMBOL_REGION_BYTES);
        module->variable_address[i] = address;
        if (v->data)
            memcpy(memory_host(&device->memory, address, bytes), v->data, v->bytes);
    }
    return true;
}

static bool address_of_init(struct device *device, const struct loaded_module *module, const struct ptx_init *init, uint64_t *out)
{
    const struct loaded_module *owner = module;
    uint32_t index = init->symbol;
    if (init->is_function) {
        if (!device_resolve_function(device, module, module->ptx->functions[index].name, &owner, &index))
            return false;
        *out = owner->function_address[index];
        return true;
    }
    if (module->variable_address[index] == 0 &&
        !device_resolve_variable(device, module, module->ptx->variables[index].name, &owner, &index))
        return false;
    *out = owner->variable_address[index];
    return true;
}

/* True when this module's variable is the one that its name means. When modules of a group share a weak name, only one of them
 * has it. */
static bool variable_counts(const struct device *device, const struct loaded_module *module, uint32_t i, uint64_t *address)
{
    const struct ptx_variable *v = &module->ptx->variables[i];
    const struct loaded_module *owner = module;
    uint32_t index = i;
    if (module->link_group && is_weak(v->linkage))
        (void)find_linked(device, module->link_group, v->name, variable_in, variable_linkage, &owner, &index);
    *address = owner->variable_address[index];
    return owner == module;
}

/* Weak variables that do not count have a place too, but nobody sees it. */
static void share_weak_variables(struct device *device)
{
    for (struct loaded_module *m = device->modules; m; m = m->next)
        for (uint32_t i = 0; m->link_group && i < m->ptx->variable_count; i++)
            if (is_stored(&m->ptx->variables[i]))
                (void)variable_counts(device, m, i, &m->variable_address[i]);
}

bool device_link_module(struct device *device, struct loaded_module *module, struct error *err)
{
    if (module->link_group)
        share_weak_variables(device);
    for (uint32_t i = 0; i < module->ptx->variable_count; i++) {
        const struct ptx_variable *v = &module->ptx->variables[i];
        uint64_t address;
        const bool counts = is_stored(v) && variable_counts(device, module, i, &address);
        for (uint32_t k = 0; counts && k < v->init_count; k++) {
            if (!address_of_init(device, module, &v->inits[k], &address))
                return error_set(err, "%s: the initialiser of %s names a symbol that no loaded module defines", module->ptx->file,
                                 v->name);
            address += (uint64_t)v->inits[k].addend;
            uint32_t bytes = v->inits[k].bytes;
            uint8_t *host = memory_host(&device->memory, module->variable_address[i] + v->inits[k].offset, bytes);
            if (!host)
                return error_set(err, "%s: an address in the initialiser of %s lies outside it", module->ptx->file, v->name);
            memcpy(host, &address, bytes);
        }
    }
    return true;
}

static bool is_defined_before(const struct ptx_function *a, const struct ptx_function *b)
{
    return a->code->line != b->code->line ? a->code->line < b->code->line : a->code->column < b->code->column;
}

/* The first function in the text after `last`, which may be NULL; NULL: none. Few modules have many functions. */
static const struct ptx_function *next_defined(const struct ptx_module *ptx, const struct ptx_function *last)
{
    const struct ptx_function *next = NULL;
    for (uint32_t i = 0; i < ptx->function_count; i++) {
        const struct ptx_function *fn = &ptx->functions[i];
        if (fn->is_defined && (!last || is_defined_before(last, fn)) && (!next || is_defined_before(fn, next)))
            next = fn;
    }
    return next;
}

/* Functions follow each other in the code space as their bodies do in the text, wherever they were declared. GPGPU-Sim does the
 * same. */
static void place_code(struct device *device, struct loaded_module *module)
{
    struct ptx_module *ptx = module->ptx;
    for (const struct ptx_function *fn = next_defined(ptx, NULL); fn; fn = next_defined(ptx, fn)) {
        const size_t i = (size_t)(fn - ptx->functions);
        module->timing[i] = ptxas_machine_code(ptx, fn, device->next_pc, device->options.view);
        module->function_address[i] = FUNCTION_WINDOW + device->next_pc;
        device->next_pc += (uint64_t)fn->code_count * CODE_BYTES_PER_INST;
    }
}

struct ptx_module *device_parse(const struct device *device, const char *file, const char *text, size_t length, struct error *err)
{
    return ptx_parse_as(file, text, length, device->options.integer, err);
}

struct loaded_module *device_add_module(struct device *device, struct ptx_module *ptx, uint32_t link_group, struct error *err)
{
    struct loaded_module *module = must_calloc(1, sizeof *module);
    ptxas_assign_resources(ptx);
    module->ptx = ptx;
    module->link_group = link_group;
    module->variable_address = must_calloc(ptx->variable_count, sizeof *module->variable_address);
    module->function_address = must_calloc(ptx->function_count, sizeof *module->function_address);
    module->timing = must_calloc(ptx->function_count, sizeof(struct inst *));
    module->kernels = must_calloc(ptx->function_count, sizeof *module->kernels);
    for (uint32_t i = 0; i < ptx->function_count; i++)
        module->kernels[i] = (struct kernel){ .module = module, .fn = &ptx->functions[i] };
    place_code(device, module);
    struct loaded_module **last = &device->modules;
    while (*last)
        last = &(*last)->next;
    *last = module;
    if (place_variables(device, module, err))
        return module;
    *last = NULL;
    module_free(module);
    return NULL;
}

struct loaded_module *device_load_module(struct device *device, struct ptx_module *ptx, struct error *err)
{
    struct loaded_module *module = device_add_module(device, ptx, 0, err), **last = &device->modules;
    if (!module || device_link_module(device, module, err))
        return module;
    while (*last != module)
        last = &(*last)->next;
    *last = NULL;
    module_free(module);
    return NULL;
}

bool device_resolve_function(const struct device *device, const struct loaded_module *from, const char *name,
                             const struct loaded_module **module, uint32_t *index)
{
    *module = from;
    if (function_in(from, name, index) && !(from->link_group && is_weak(function_linkage(from, *index))))
        return true;
    if (from->link_group && find_linked(device, from->link_group, name, function_in, function_linkage, module, index))
        return true;
    for (*module = device->modules; *module; *module = (*module)->next)
        if (function_in(*module, name, index) && (*module)->ptx->functions[*index].linkage != 0)
            return true;
    return false;
}

bool device_resolve_variable(const struct device *device, const struct loaded_module *from, const char *name,
                             const struct loaded_module **module, uint32_t *index)
{
    *module = from;
    if (variable_in(from, name, index))
        return true;
    for (*module = device->modules; *module; *module = (*module)->next)
        if (variable_in(*module, name, index) && (*module)->ptx->variables[*index].linkage != 0)
            return true;
    return false;
}

struct kernel *device_find_kernel(struct device *device, struct loaded_module *module, const char *name)
{
    for (struct loaded_module *m = module ? module : device->modules; m; m = module ? NULL : m->next)
        for (uint32_t i = 0; i < m->ptx->function_count; i++)
            if (m->ptx->functions[i].is_entry && m->ptx->functions[i].is_defined && strcmp(m->ptx->functions[i].name, name) == 0)
                return &m->kernels[i];
    return NULL;
}

bool device_find_symbol(struct device *device, struct loaded_module *module, const char *name, uint64_t *address, uint64_t *bytes)
{
    uint32_t index;
    for (struct loaded_module *m = module ? module : device->modules; m; m = module ? NULL : m->next)
        if (variable_in(m, name, &index)) {
            *address = m->variable_address[index];
            *bytes = m->ptx->variables[index].bytes;
            return true;
        }
    return false;
}

const struct ptx_module *kernel_module(const struct kernel *kernel)
{
    return kernel->module->ptx;
}

const struct ptx_function *kernel_function(const struct kernel *kernel)
{
    return kernel->fn;
}

uint64_t device_create_texture(struct device *device, const struct texture_view *view)
{
    if (device->texture_count == device->texture_capacity) {
        device->texture_capacity = device->texture_capacity ? device->texture_capacity * 2 : 16;
        device->textures = must_realloc(device->textures, device->texture_capacity * sizeof *device->textures);
    }
    device->textures[device->texture_count] = (struct texture){ *view, true };
    return TEXTURE_HANDLE + ++device->texture_count;
}

static struct texture *texture_at(const struct device *device, uint64_t handle)
{
    uint64_t number = handle - TEXTURE_HANDLE - 1;
    return handle > TEXTURE_HANDLE && number < device->texture_count && device->textures[number].live ? &device->textures[number]
                                                                                                      : NULL;
}

bool device_destroy_texture(struct device *device, uint64_t handle)
{
    struct texture *texture = texture_at(device, handle);
    if (!texture)
        return false;
    texture->live = false;
    return true;
}

/* A handle is that of an object, or the address of a .texref variable, which code of clang's passes in a register. */
const struct texture_view *device_find_texture(const struct device *device, uint64_t handle)
{
    const struct texture *texture = texture_at(device, handle);
    for (uint32_t i = 0; i < device->binding_count && !texture; i++)
        if (device->bindings[i].address == handle && handle)
            return &device->bindings[i].view;
    return texture ? &texture->view : NULL;
}

bool device_bind_texture(struct device *device, struct loaded_module *module, const char *name, const struct texture_view *view)
{
    for (uint32_t i = 0; i < device->binding_count; i++)
        if (device->bindings[i].module == module && strcmp(device->bindings[i].name, name) == 0) {
            device->bindings[i].view = *view;
            return true;
        }
    if (device->binding_count == device->binding_capacity) {
        device->binding_capacity = device->binding_capacity ? device->binding_capacity * 2 : 16;
        device->bindings = must_realloc(device->bindings, device->binding_capacity * sizeof *device->bindings);
    }
    uint64_t address = 0, bytes;
    if (module)
        (void)device_find_symbol(device, module, name, &address, &bytes);
    device->bindings[device->binding_count++] = (struct texture_binding){ module, must_strdup(name), *view, address };
    return true;
}

void device_unbind_texture(struct device *device, const struct loaded_module *module, const char *name)
{
    for (uint32_t i = 0; i < device->binding_count; i++)
        if (device->bindings[i].module == module && strcmp(device->bindings[i].name, name) == 0) {
            free(device->bindings[i].name);
            device->bindings[i--] = device->bindings[--device->binding_count];
        }
}

const struct texture_view *device_find_binding(const struct device *device, const struct loaded_module *module, const char *name)
{
    for (uint32_t i = 0; i < device->binding_count; i++)
        if (device->bindings[i].name[0] == name[0] && /* most names part there, and every read of a texture asks */
            (!device->bindings[i].module || !module || device->bindings[i].module == module) &&
            strcmp(device->bindings[i].name, name) == 0)
            return &device->bindings[i].view;
    return NULL;
}
