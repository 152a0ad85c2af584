/* modules.c - what a program registers before main: its device code, kernels and variables. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run/fatbin.h"
#include "runtime.h"

void **__cudaRegisterFatBinary(void *wrapper);
void __cudaRegisterFatBinaryEnd(void **handle);
void __cudaWarplineManaged(void *first, void *end); /* of programs made by warpline cc: their section of managed variables */
void __cudaWarplineLinked(void (*register_globals)(void **), void *wrapper, void *id, void (*after)(void **)); /* of -rdc=true */
void __cudaUnregisterFatBinary(void **handle);
void __cudaRegisterFunction(void **handle, const char *host, char *device, const char *name, int limit, uint3 *tid, uint3 *bid,
                            dim3 *block, dim3 *grid, int *warp);
void __cudaRegisterVar(void **handle, char *host, char *device, const char *name, int external, size_t bytes, int constant,
                       int global);
void __cudaRegisterHostVar(void **handle, const char *name, char *host, size_t bytes);
void __cudaRegisterManagedVar(void **handle, void **pointer, char *device, const char *name, int external, size_t bytes,
                              int constant, int global);
void __cudaRegisterTexture(void **handle, const void *host, const void **device, const char *name, int dimensions, int normalised,
                           int external);
void __cudaRegisterSurface(void **handle, const void *host, const void **device, const char *name, int dimensions, int external);
char __cudaInitModule(void **handle);

static struct program_module *module_of(void **handle)
{
    return (struct program_module *)((char *)handle - offsetof(struct program_module, handle_slot));
}

/* Notes where the containers are. Nothing is read yet, so that registration cannot fail. */
void **__cudaRegisterFatBinary(void *data)
{
    struct runtime *r = runtime_enter();
    struct program_module *module = must_calloc(1, sizeof *module);
    const struct fatbin_wrapper *wrapper = data;
    const void *const *linked = wrapper->version == 2 ? wrapper->extra : NULL;
    uint32_t count = 0;
    while (linked && linked[count])
        count++;
    module->piece_count = linked ? count : 1;
    module->pieces = must_calloc(module->piece_count, sizeof *module->pieces);
    for (uint32_t i = 0; i < module->piece_count; i++)
        module->pieces[i].container = linked ? linked[i] : wrapper->data;
    module->next = r->modules;
    r->modules = module;
    (void)runtime_leave(cudaSuccess);
    return &module->handle_slot;
}

void __cudaWarplineManaged(void *first, void *end)
{
    struct runtime *r = runtime_enter();
    struct host_range *range = must_calloc(1, sizeof *range);
    *range = (struct host_range){ first, end, r->managed };
    r->managed = range;
    (void)runtime_leave(cudaSuccess);
}

static bool is_managed_shadow(const struct runtime *r, const char *host)
{
    for (const struct host_range *range = r->managed; range; range = range->next)
        if (host >= range->first && host < range->end)
            return true;
    return false;
}

/* nvcc's device linker makes one such call for all files, clang's code one for each. They are linked when first used. */
void __cudaWarplineLinked(void (*register_globals)(void **), void *wrapper, void *id, void (*after)(void **))
{
    (void)id, (void)after;
    void **handle = __cudaRegisterFatBinary(wrapper);
    module_of(handle)->is_linked = true;
    register_globals(handle);
    __cudaRegisterFatBinaryEnd(handle);
}

/* The process is ending. What the simulator knows stays until then. */
void __cudaUnregisterFatBinary(void **handle)
{
    (void)handle;
}

void __cudaRegisterFunction(void **handle, const char *host, char *device, const char *name, int limit, uint3 *tid, uint3 *bid,
                            dim3 *block, dim3 *grid, int *warp)
{
    (void)device, (void)limit, (void)tid, (void)bid, (void)block, (void)grid, (void)warp;
    struct runtime *r = runtime_enter();
    struct program_function *f = must_calloc(1, sizeof *f);
    *f = (struct program_function){ .next = r->functions, .module = module_of(handle), .host = host, .name = name };
    r->functions = f;
    (void)runtime_leave(cudaSuccess);
}

static void add_variable(void **handle, const void *host, const char *name, size_t bytes, bool managed)
{
    struct runtime *r = runtime_enter();
    struct program_variable *v = must_calloc(1, sizeof *v);
    *v = (struct program_variable){
        .next = r->variables, .module = module_of(handle), .host = host, .name = name, .bytes = bytes, .managed = managed
    };
    v->in_place = !managed && is_managed_shadow(r, host);
    v->managed |= v->in_place;
    r->variables = v;
    (void)runtime_leave(cudaSuccess);
}

void __cudaRegisterVar(void **handle, char *host, char *device, const char *name, int external, size_t bytes, int constant,
                       int global)
{
    (void)device, (void)external, (void)constant, (void)global;
    add_variable(handle, host, name, bytes, false);
}

void __cudaRegisterHostVar(void **handle, const char *name, char *host, size_t bytes)
{
    add_variable(handle, host, name, bytes, false);
}

void __cudaRegisterManagedVar(void **handle, void **pointer, char *device, const char *name, int external, size_t bytes,
                              int constant, int global)
{
    (void)device, (void)external, (void)constant, (void)global;
    add_variable(handle, (const void *)pointer, name, bytes, true);
}

/* References are from before CUDA 12. Memory is bound to them later, by the address of the host variable. */
void __cudaRegisterTexture(void **handle, const void *host, const void **device, const char *name, int dimensions, int normalised,
                           int external)
{
    (void)device, (void)dimensions, (void)external;
    add_variable(handle, host, name, sizeof(uint64_t), false);
    struct runtime *r = runtime_enter();
    r->variables->is_texture = true;
    r->variables->normalised = normalised != 0;
    (void)runtime_leave(cudaSuccess);
}
void __cudaRegisterSurface(void **handle, const void *host, const void **device, const char *name, int dimensions, int external)
{
    __cudaRegisterTexture(handle, host, device, name, dimensions, 0, external);
}

static cudaError_t load_piece(struct runtime *r, struct code_piece *piece, uint32_t number, uint32_t group)
{
    struct error err = { .code = CODE_INPUT };
    struct fatbin_ptx ptx;
    char file[256];
    if (!fatbin_read(piece->container, fatbin_size(piece->container), &ptx, &err)) {
        runtime_report(r, &err);
        return cudaErrorInvalidKernelImage;
    }
    if (!ptx.text) {
        if (ptx.entries == 0)
            return cudaSuccess; /* an empty container, as device-linked programs have */
        (void)error_set(&err, "the program carries machine code but no PTX: compile it with nvcc -arch=compute_75");
        runtime_report(r, &err);
        return cudaErrorNoKernelImageForDevice;
    }
    (void)snprintf(file, sizeof file, "%s.%u.ptx", program_invocation_short_name, number);
    piece->ptx = device_parse(runtime_device(r), file, ptx.text, ptx.length, &err);
    free(ptx.text);
    struct ptx_module *parsed = piece->ptx;
    if (parsed)
        piece->loaded = device_add_module(runtime_device(r), parsed, group, &err);
    if (piece->loaded)
        return cudaSuccess;
    piece->ptx = NULL;
    runtime_report(r, &err);
    return cudaErrorInvalidPtx;
}

static bool load_managed(struct runtime *r, struct program_module *module, cudaError_t *code);

static void add_pieces(struct runtime *r, struct program_module *module, cudaError_t *code)
{
    module->tried = module->is_new = true;
    uint32_t number = 0;
    for (const struct program_module *m = module->next; m; m = m->next)
        number += m->piece_count;
    /* Files of -rdc=true: nvcc's device linker has put them into one module, warpline cc leaves one each. */
    const uint32_t group = module->is_linked ? 1 : module->piece_count > 1 ? 2 + number : 0;
    for (uint32_t i = 0; i < module->piece_count && *code == cudaSuccess; i++)
        *code = load_piece(r, &module->pieces[i], number + i, group);
}

static void link_pieces(struct runtime *r, struct program_module *module, cudaError_t *code)
{
    struct error err = { .code = CODE_INPUT };
    for (uint32_t i = 0; i < module->piece_count && *code == cudaSuccess; i++)
        if (module->pieces[i].loaded && !device_link_module(runtime_device(r), module->pieces[i].loaded, &err)) {
            runtime_report(r, &err);
            *code = cudaErrorInvalidPtx;
        }
    module->is_new = false;
    module->failed = *code != cudaSuccess;
    if (!module->failed)
        (void)load_managed(r, module, code);
}

/* Modules that are linked together are all loaded at once. */
static bool load_module(struct runtime *r, struct program_module *module, cudaError_t *code)
{
    *code = module->failed ? cudaErrorInvalidKernelImage : cudaSuccess;
    if (module->tried)
        return !module->failed;
    struct program_module *const first = module->is_linked ? r->modules : module;
    struct program_module *const end = module->is_linked ? NULL : module->next;
    for (struct program_module *m = first; m != end; m = m->next)
        if (m->is_linked == module->is_linked && !m->tried)
            add_pieces(r, m, code);
    for (struct program_module *m = first; m != end; m = m->next)
        if (m->is_linked == module->is_linked && m->is_new)
            link_pieces(r, m, code);
    return *code == cudaSuccess;
}

struct program_function *runtime_find_function(struct runtime *r, const void *host)
{
    for (struct program_function *f = r->functions; f; f = f->next)
        if (f->host == host || f == host) /* __cudaGetKernel hands out our own record as the handle */
            return f;
    return NULL;
}

bool runtime_load_function(struct runtime *r, struct program_function *f, cudaError_t *code)
{
    *code = cudaSuccess;
    if (f->kernel)
        return true;
    if (!load_module(r, f->module, code))
        return false;
    for (uint32_t i = 0; i < f->module->piece_count && !f->kernel; i++) {
        struct code_piece *piece = &f->module->pieces[i];
        f->kernel = piece->loaded ? device_find_kernel(runtime_device(r), piece->loaded, f->name) : NULL;
        f->ptx = piece->ptx;
    }
    if (!f->kernel)
        *code = cudaErrorInvalidDeviceFunction;
    return f->kernel != NULL;
}

struct loaded_module *runtime_variable_piece(struct runtime *r, const struct program_variable *v, uint64_t *address)
{
    uint64_t bytes;
    for (uint32_t i = 0; i < v->module->piece_count; i++)
        if (v->module->pieces[i].loaded &&
            device_find_symbol(runtime_device(r), v->module->pieces[i].loaded, v->name, address, &bytes))
            return v->module->pieces[i].loaded;
    return NULL;
}

static bool find_in_module(struct runtime *r, const struct program_variable *v, uint64_t *address, uint64_t *bytes)
{
    struct loaded_module *piece = runtime_variable_piece(r, v, address);
    return piece && device_find_symbol(runtime_device(r), piece, v->name, address, bytes);
}

struct program_variable *runtime_find_reference(struct runtime *r, const void *host, cudaError_t *code)
{
    struct program_variable *v = r->variables;
    while (v && !(v->is_texture && v->host == host))
        v = v->next;
    if (!v)
        *code = cudaErrorInvalidTexture;
    return v && load_module(r, v->module, code) ? v : NULL;
}

bool runtime_find_variable(struct runtime *r, const void *host, uint64_t *address, uint64_t *bytes, cudaError_t *code)
{
    struct program_variable *v = r->variables;
    /* A managed variable is named by the address of its memory, which the program reads from its pointer. */
    while (v && v->host != host && !(v->managed && !v->in_place && *(void *const *)v->host == host))
        v = v->next;
    if (!v) {
        *code = cudaErrorInvalidSymbol;
        return false;
    }
    if (!load_module(r, v->module, code))
        return false;
    if (find_in_module(r, v, address, bytes))
        return true;
    *code = cudaErrorInvalidSymbol;
    return false;
}

/* A managed variable lies in the device's memory, where the PTX puts it, and in pages of the host. Only one side works at a
 * time here, so the two are made equal where kernels begin and end (runtime_sync_managed). */
static bool load_managed(struct runtime *r, struct program_module *module, cudaError_t *code)
{
    for (struct program_variable *v = r->variables; v; v = v->next) {
        uint64_t bytes;
        struct error err = { .code = CODE_INTERNAL };
        if (v->module != module || !v->managed || !find_in_module(r, v, &v->address, &bytes))
            continue;
        v->pages = v->in_place ? (void *)(uintptr_t)v->host : host_pages_new(v->bytes);
        if (!v->pages || !device_read(runtime_device(r), v->address, v->pages, v->bytes, &err)) {
            *code = cudaErrorMemoryAllocation;
            return false;
        }
        if (!v->in_place)
            *(void **)(uintptr_t)v->host = v->pages;
    }
    return true;
}

void runtime_sync_managed(struct runtime *r, bool to_device)
{
    for (struct program_variable *v = r->variables; v; v = v->next) {
        if (!v->pages)
            continue;
        if (to_device)
            (void)device_write(runtime_device(r), v->address, v->pages, v->bytes, NULL);
        else
            (void)device_read(runtime_device(r), v->address, v->pages, v->bytes, NULL);
    }
}

/* The host may read a managed variable before its first call of the runtime: its initial value must be there by then. */
void __cudaRegisterFatBinaryEnd(void **handle)
{
    struct runtime *r = runtime_enter();
    bool has_managed = false;
    for (const struct program_variable *v = r->variables; v && !has_managed; v = v->next)
        has_managed = v->in_place && v->module == module_of(handle);
    (void)runtime_leave(cudaSuccess);
    if (has_managed)
        (void)__cudaInitModule(handle);
}

char __cudaInitModule(void **handle)
{
    cudaError_t code;
    struct runtime *r = runtime_enter_device(&code);
    bool ok = code == cudaSuccess;
    (void)handle; /* every module: a program that touches one managed variable may touch others */
    for (struct program_module *m = r->modules; m && ok; m = m->next)
        ok = load_module(r, m, &code);
    (void)runtime_leave(code);
    return ok;
}
