/* image.c - decodes a kernel: finds the functions it can reach, lays out frames, shared and local memory, decodes the code. */
#include "exec/turns.h"
#include "exec/decode.h"

#include <stdlib.h>
#include <string.h>

/* What a program with recursion or function pointers gets, since its depth is not known: as much as 200 frames of 4 KiB and
 * 32 KiB of stack per thread. The host's memory is used only as far as the calls go. */
enum { UNKNOWN_DEPTH_FRAMES = 512, UNKNOWN_DEPTH_FRAME_BYTES = 4 << 20, UNKNOWN_DEPTH_LOCAL_BYTES = 32 << 10 };

static uint32_t align_up(uint32_t value, uint32_t to)
{
    return to > 1 ? (value + to - 1) / to * to : value;
}

static int32_t find_routine(const struct image *image, const struct ptx_function *fn)
{
    for (uint32_t i = 0; i < image->routine_count; i++)
        if (image->routines[i].fn == fn)
            return (int32_t)i;
    return -1;
}

/* The function of the module that begins where this one ends; NULL: none. */
static const struct inst *code_behind(const struct loaded_module *module, uint32_t index)
{
    const uint64_t end = module->function_address[index] + (uint64_t)module->ptx->functions[index].code_count * CODE_BYTES_PER_INST;
    for (uint32_t i = 0; i < module->ptx->function_count; i++)
        if (module->timing[i] && module->ptx->functions[i].code_count && module->function_address[i] == end)
            return module->timing[i];
    return NULL;
}

static void add_routine(struct decoder *d, const struct loaded_module *module, uint32_t index)
{
    struct image *image = d->image;
    const struct ptx_function *fn = &module->ptx->functions[index];
    if (find_routine(image, fn) >= 0)
        return;
    image->routines = must_realloc(image->routines, (image->routine_count + 1) * sizeof *image->routines);
    struct routine *routine = &image->routines[image->routine_count++];
    *routine = (struct routine){
        .fn = fn, .module = module, .first = image->count, .count = fn->code_count, .address = module->function_address[index]
    };
    routine->behind = code_behind(module, index);
    image->count += fn->code_count + (routine->behind != NULL);
}

/* An indirect call may reach any function of any module. What these functions call may be missing: most of them are never
 * reached. */
static void add_every_function(struct decoder *d)
{
    for (const struct loaded_module *m = d->device->modules; m; m = m->next)
        for (uint32_t i = 0; i < m->ptx->function_count; i++)
            if (m->ptx->functions[i].is_defined && !m->ptx->functions[i].is_entry)
                add_routine(d, m, i);
}

/* nvcc links a library into programs whose kernels launch others. What is not replaced (builtin.c) of its calls ends in these
 * names. */
static bool refuse_call(struct decoder *d, const struct loaded_module *module, const struct ptx_inst *in, const char *name)
{
    if (strncmp(name, "__cuda_syscall_cnp", 18) == 0 || strncmp(name, "__cudaCDP", 9) == 0 ||
        strncmp(name, "cudaLaunchDevice", 16) == 0 || strncmp(name, "cudaGetParameterBuffer", 22) == 0)
        return error_set(d->err,
                         "%s:%u: the kernel calls the runtime (%s): of its calls in device code, launches, streams, events, "
                         "cudaMalloc, cudaFree "
                         "and whole copies and fills are simulated",
                         module->ptx->file, in->line, name);
    if (strcmp(name, "cudaDeviceSynchronize") == 0)
        return error_set(
            d->err,
            "%s:%u: the kernel waits for kernels that it has launched (cudaDeviceSynchronize), which CUDA 12 has no more: "
            "they run when it has ended",
            module->ptx->file, in->line);
    return error_set(d->err, "%s:%u: function %s is called but no loaded module defines it", module->ptx->file, in->line, name);
}

static bool add_callees(struct decoder *d, uint32_t first, bool may_be_undefined, bool *has_indirect)
{
    for (uint32_t r = first; r < d->image->routine_count; r++) { /* grows while we walk it */
        const struct ptx_function *fn = d->image->routines[r].fn;
        const struct loaded_module *module = d->image->routines[r].module;
        for (uint32_t i = 0; i < fn->code_count; i++) {
            const struct ptx_inst *in = &fn->code[i];
            if (in->op != OP_CALL)
                continue;
            if (in->src[0].kind != OPERAND_FUNCTION) {
                *has_indirect = true;
                continue;
            }
            const char *name = module->ptx->functions[in->src[0].index].name;
            const struct loaded_module *owner;
            uint32_t index;
            if (builtin_replaces(name))
                continue;
            if (device_resolve_function(d->device, module, name, &owner, &index))
                add_routine(d, owner, index);
            else if (builtin_find(name) == BUILTIN_NONE && !may_be_undefined)
                return refuse_call(d, module, in, name);
        }
    }
    return true;
}

static bool add_reachable(struct decoder *d, bool *has_indirect)
{
    if (!add_callees(d, 0, false, has_indirect))
        return false;
    if (!*has_indirect)
        return true;
    const uint32_t certain = d->image->routine_count;
    add_every_function(d);
    return add_callees(d, certain, true, has_indirect);
}

/* A place for registers of one width, one after the other. */
struct register_place {
    uint32_t offset, busy_until;
};

static int by_first_live(const void *a, const void *b)
{
    const struct ptx_reg *left = *(const struct ptx_reg *const *)a, *right = *(const struct ptx_reg *const *)b;
    if (left->first_live != right->first_live)
        return left->first_live < right->first_live ? -1 : 1;
    return left < right ? -1 : left > right;
}

/* Registers of one width whose ranges do not overlap share a place. Returns the end of the places. */
static uint32_t share_places(struct routine *routine, const struct ptx_reg **regs, uint32_t count, uint32_t width, uint32_t at)
{
    enum { LOOK_AT_MOST = 512 }; /* places: keeps code with thousands of values alive at once from taking quadratic time */
    struct register_place *place = must_calloc(count, sizeof *place);
    uint32_t places = 0;
    qsort(regs, count, sizeof *regs, by_first_live);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t p = places > LOOK_AT_MOST ? places - LOOK_AT_MOST : 0;
        while (p < places && place[p].busy_until >= regs[i]->first_live)
            p++;
        if (p == places) {
            place[places++].offset = at;
            at += width ? width * LANES : 4;
        }
        place[p].busy_until = regs[i]->last_live;
        routine->reg_offset[regs[i] - routine->fn->regs] = place[p].offset;
    }
    free(place);
    return at;
}

/* Registers that begin as zero lie together, each in a place of its own. */
static void place_registers(struct image *image, struct routine *routine)
{
    static const uint8_t order[] = { 0, 16, 8, 4, 2 }; /* predicates, then wide ones first: all aligned */
    const struct ptx_function *fn = routine->fn;
    routine->reg_offset = arena_alloc(image->arena, fn->reg_count, sizeof *routine->reg_offset);
    const struct ptx_reg **shared = must_calloc(fn->reg_count, sizeof *shared);
    uint32_t at = FRAME_FIRST;
    for (size_t k = 0; k < sizeof order; k++) {
        for (uint32_t i = 0; i < fn->reg_count; i++)
            if (register_width(fn->regs[i].type) == order[k] && fn->regs[i].begins_as_zero) {
                routine->reg_offset[i] = at;
                at += order[k] ? (uint32_t)order[k] * LANES : 4;
            }
        at = align_up(at, 64);
    }
    routine->zero_end = at;
    for (size_t k = 0; k < sizeof order; k++) {
        uint32_t count = 0;
        for (uint32_t i = 0; i < fn->reg_count; i++)
            if (register_width(fn->regs[i].type) == order[k] && !fn->regs[i].begins_as_zero)
                shared[count++] = &fn->regs[i];
        at = align_up(share_places(routine, shared, count, order[k], at), 64);
    }
    routine->frame_bytes = at;
    free(shared);
}

/* GPGPU-Sim aligns local variables to their size if it is a power of two, and to at most 128 bytes. */
static uint32_t local_alignment(const struct ptx_variable *v, bool local_parameters)
{
    const uint32_t declared = v->align ? v->align : 1, bytes = (uint32_t)v->bytes;
    const uint32_t own = bytes < 128 && (bytes & (bytes - 1)) == 0 ? bytes : 128;
    return local_parameters && own > declared ? own : declared;
}

/* The .param variables of the kernel, and of declarations before the definition, have no place in a function's frame. */
static bool is_on_stack(const struct routine *routine, uint32_t variable)
{
    const struct ptx_function *fn = routine->fn;
    uint32_t first = UINT32_MAX; /* of the definition's own; those that are registers have higher numbers than any variable */
    for (uint32_t i = 0; i < fn->param_count + fn->return_count; i++) {
        const uint32_t own = i < fn->param_count ? fn->params[i] : fn->returns[i - fn->param_count];
        first = own < first ? own : first;
        if (fn->is_entry && own == variable)
            return false;
    }
    return fn->is_entry || variable >= first || first >= routine->module->ptx->variable_count;
}

/* With view.local_parameters a frame of the stack holds .local and .param variables in the order of their declaration. The
 * values of the .param variables stay where they are; only their places in the frame are shown to the machine. */
static void place_variables(struct image *image, struct routine *routine, bool local_parameters)
{
    const struct ptx_module *ptx = routine->module->ptx;
    int32_t self = (int32_t)(routine->fn - ptx->functions);
    uint32_t stack = 0, params = 0;
    routine->variable_offset = arena_alloc(image->arena, ptx->variable_count, sizeof *routine->variable_offset);
    routine->stack_offset = local_parameters ? arena_alloc(image->arena, ptx->variable_count, sizeof *routine->stack_offset) : NULL;
    for (uint32_t i = 0; i < ptx->variable_count; i++) {
        const struct ptx_variable *v = &ptx->variables[i];
        if (v->function != self && !(v->space == SPACE_LOCAL && v->function < 0))
            continue;
        uint32_t bytes = (uint32_t)v->bytes;
        if (v->space == SPACE_LOCAL) {
            stack = align_up(stack, local_alignment(v, local_parameters));
            routine->variable_offset[i] = stack;
            stack += bytes;
        } else if (v->space == SPACE_PARAM) {
            params = align_up(params, v->align);
            routine->variable_offset[i] = params;
            params += bytes;
            if (local_parameters && is_on_stack(routine, i)) {
                routine->stack_offset[i] = stack;
                stack += bytes;
            }
        }
    }
    routine->stack_bytes = stack;
    routine->local_bytes = align_up(stack, 16);
    routine->param_area = routine->frame_bytes;
    routine->param_stride = align_up(params, 16);
    routine->frame_bytes = align_up(routine->frame_bytes + routine->param_stride * LANES, 64);
}

static struct param_slot slot_of(const struct routine *routine, uint32_t variable_or_register)
{
    uint32_t reg = ~variable_or_register;
    if (reg < routine->fn->reg_count && variable_or_register >= routine->module->ptx->variable_count)
        return (struct param_slot){
            .is_register = true,
            .value = { .offset = routine->reg_offset[reg], .base = BASE_REGS, .width = register_width(routine->fn->regs[reg].type) }
        };
    return (struct param_slot){ .offset = routine->variable_offset[variable_or_register],
                                .bytes = (uint32_t)routine->module->ptx->variables[variable_or_register].bytes };
}

static void place_parameters(struct image *image, struct routine *routine)
{
    const struct ptx_function *fn = routine->fn;
    routine->params = arena_alloc(image->arena, fn->param_count, sizeof *routine->params);
    routine->returns = arena_alloc(image->arena, fn->return_count, sizeof *routine->returns);
    for (uint32_t i = 0; !fn->is_entry && i < fn->param_count; i++)
        routine->params[i] = slot_of(routine, fn->params[i]);
    for (uint32_t i = 0; i < fn->return_count; i++)
        routine->returns[i] = slot_of(routine, fn->returns[i]);
}

static void place_shared(struct decoder *d, const struct loaded_module *module, uint32_t variable)
{
    const struct ptx_variable *v = &module->ptx->variables[variable];
    if (v->space != SPACE_SHARED)
        return;
    if (v->bytes == 0) { /* extern: behind all others, wherever they end */
        if (d->image->dynamic_shared_offset < v->align)
            d->image->dynamic_shared_offset = v->align; /* the alignment, until the layout is complete */
        return;
    }
    for (uint32_t i = 0; i < d->shared_count; i++)
        if (d->shared[i].module == module && d->shared[i].variable == variable)
            return;
    if (d->shared_count == d->shared_capacity) {
        d->shared_capacity = d->shared_capacity ? d->shared_capacity * 2 : 16;
        d->shared = must_realloc(d->shared, d->shared_capacity * sizeof *d->shared);
    }
    uint32_t at = align_up(d->image->shared_bytes, v->align);
    d->shared[d->shared_count++] = (struct shared_place){ module, variable, at };
    d->image->shared_bytes = at + (uint32_t)v->bytes;
}

static void place_shared_of_operand(struct decoder *d, const struct routine *routine, const struct ptx_operand *o)
{
    if (o->kind == OPERAND_SYMBOL || o->kind == OPERAND_SYMBOL_ADDRESS)
        place_shared(d, routine->module, o->index);
}

/* Shared variables that the code names, in the order it names them; PTX without names for them uses none. */
static void place_all_shared(struct decoder *d)
{
    for (uint32_t r = 0; r < d->image->routine_count; r++) {
        const struct routine *routine = &d->image->routines[r];
        const struct ptx_function *fn = routine->fn;
        for (uint32_t v = 0; v < routine->module->ptx->variable_count; v++) /* the function's own, in the order declared */
            if (routine->module->ptx->variables[v].function == (int32_t)(fn - routine->module->ptx->functions))
                place_shared(d, routine->module, v);
        for (uint32_t i = 0; i < fn->code_count; i++)
            for (uint32_t k = 0; k < PTX_MAX_SRC; k++)
                place_shared_of_operand(d, routine, &fn->code[i].src[k]);
        for (uint32_t i = 0; i < fn->element_count; i++)
            place_shared_of_operand(d, routine, &fn->elements[i]);
    }
    uint32_t align = d->image->dynamic_shared_offset > 16 ? d->image->dynamic_shared_offset : 16;
    d->image->dynamic_shared_offset = align_up(d->image->shared_bytes, align);
}

/* The stack that the deepest chain of calls from a routine takes, including the routine itself once it is done. */
struct depth {
    uint64_t frames, frame_bytes, local_bytes;
    uint32_t next; /* the instruction of the routine to look at next */
    bool open, done;
};

static uint64_t max_of(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static void add_below(struct depth *depth, const struct depth *callee)
{
    depth->frames = max_of(depth->frames, callee->frames);
    depth->frame_bytes = max_of(depth->frame_bytes, callee->frame_bytes);
    depth->local_bytes = max_of(depth->local_bytes, callee->local_bytes);
}

static int32_t callee_of(const struct decoder *d, const struct routine *routine, const struct ptx_inst *in)
{
    const struct loaded_module *owner;
    uint32_t index;
    if (in->op != OP_CALL || in->src[0].kind != OPERAND_FUNCTION ||
        !device_resolve_function(d->device, routine->module, routine->module->ptx->functions[in->src[0].index].name, &owner,
                                 &index))
        return -1;
    return find_routine(d->image, &owner->ptx->functions[index]);
}

/* Looks at every routine once, however many calls lead to it. False when a routine calls itself, directly or through others. */
static bool measure_depths(const struct decoder *d, struct depth *depth, uint32_t *path)
{
    uint32_t length = 0;
    path[length++] = 0;
    depth[0].open = true;
    while (length) {
        struct depth *at = &depth[path[length - 1]];
        const struct routine *routine = &d->image->routines[path[length - 1]];
        if (at->next == routine->fn->code_count) {
            at->frames++;
            at->frame_bytes += routine->frame_bytes;
            at->local_bytes += routine->local_bytes;
            at->open = false;
            at->done = true;
            if (--length)
                add_below(&depth[path[length - 1]], at);
            continue;
        }
        const int32_t callee = callee_of(d, routine, &routine->fn->code[at->next++]);
        if (callee < 0)
            continue;
        if (depth[callee].open)
            return false;
        if (depth[callee].done) {
            add_below(at, &depth[callee]);
        } else {
            depth[callee].open = true;
            path[length++] = (uint32_t)callee;
        }
    }
    return true;
}

static bool find_depth(const struct decoder *d, struct depth *deepest)
{
    struct depth *depth = must_calloc(d->image->routine_count, sizeof *depth);
    uint32_t *path = must_calloc(d->image->routine_count, sizeof *path);
    const bool ok = measure_depths(d, depth, path);
    *deepest = depth[0];
    free(depth);
    free(path);
    return ok && deepest->frame_bytes <= UINT32_MAX / 2 && deepest->local_bytes <= UINT32_MAX / 2;
}

static void size_stacks(struct decoder *d, bool has_indirect)
{
    struct image *image = d->image;
    struct depth deepest;
    image->is_recursive = has_indirect || !find_depth(d, &deepest);
    if (image->is_recursive)
        deepest = (struct depth){ .frames = UNKNOWN_DEPTH_FRAMES,
                                  .frame_bytes = UNKNOWN_DEPTH_FRAME_BYTES,
                                  .local_bytes = UNKNOWN_DEPTH_LOCAL_BYTES };
    image->max_frames = (uint32_t)deepest.frames;
    image->frame_stack_bytes = (uint32_t)deepest.frame_bytes;
    image->local_bytes = (uint32_t)deepest.local_bytes;
    image->max_frames++;
}

/* The machine's table: the functions' own tables one after the other. Behind each stands the first instruction of what follows
 * in the code space: a machine fetches it together with a last instruction, although no warp ever gets there. Scoreboard numbers
 * differ between functions. In GPGPU-Sim each function counts from 1, and so waits for registers of its caller. */
static void join_timing(struct image *image, bool local_parameters)
{
    uint32_t offset = 0;
    image->timing = arena_alloc(image->arena, image->count, sizeof *image->timing);
    for (uint32_t r = 0; r < image->routine_count; r++) {
        const struct routine *routine = &image->routines[r];
        const struct inst *from = routine->module->timing[routine->fn - routine->module->ptx->functions];
        uint32_t highest = 0;
        for (uint32_t i = 0; i < routine->count; i++) {
            struct inst *to = &image->timing[routine->first + i];
            *to = from[i];
            to->index = routine->first + i;
            for (uint32_t k = 0; k < to->ndst; k++) {
                highest = to->dst[k] > highest ? to->dst[k] : highest;
                to->dst[k] = to->dst[k] ? (uint16_t)((to->dst[k] - 1 + offset) % UINT16_MAX + 1) : 0;
            }
            for (uint32_t k = 0; k < to->nsrc; k++) {
                highest = to->src[k] > highest ? to->src[k] : highest;
                to->src[k] = to->src[k] ? (uint16_t)((to->src[k] - 1 + offset) % UINT16_MAX + 1) : 0;
            }
        }
        if (routine->behind) {
            image->timing[routine->first + routine->count] = *routine->behind;
            image->timing[routine->first + routine->count].index = routine->first + routine->count;
        }
        offset += local_parameters ? 0 : highest;
    }
}

static bool decode_code(struct decoder *d)
{
    struct image *image = d->image;
    image->code = arena_alloc(image->arena, image->count, sizeof *image->code);
    for (uint32_t r = 0; r < image->routine_count; r++) {
        d->routine = &image->routines[r];
        for (uint32_t i = 0; i < d->routine->count; i++) {
            d->in = &d->routine->fn->code[i];
            d->x = &image->code[d->routine->first + i];
            d->x->inst = d->in;
            if (d->in->guard >= 0) {
                d->x->guard = d->routine->reg_offset[d->in->guard];
                d->x->guard_flip = d->in->guard_negated ? FULL_MASK : 0;
            }
            if (!decode_inst(d))
                return false;
        }
        if (d->routine->behind) /* no warp gets there, and looking ahead stops there */
            image->code[d->routine->first + d->routine->count].is_control = true;
    }
    return true;
}

static bool build(struct decoder *d, const struct loaded_module *module, const struct ptx_function *fn)
{
    struct image *image = d->image;
    bool has_indirect = false;
    add_routine(d, module, (uint32_t)(fn - module->ptx->functions));
    if (!add_reachable(d, &has_indirect))
        return false;
    for (uint32_t r = 0; r < image->routine_count; r++) {
        place_registers(image, &image->routines[r]);
        place_variables(image, &image->routines[r], d->device->options.view.local_parameters);
        place_parameters(image, &image->routines[r]);
    }
    place_all_shared(d);
    size_stacks(d, has_indirect);
    join_timing(image, d->device->options.view.local_parameters);
    if (!decode_code(d))
        return false;
    if (image->spins_in_callee && !image->is_recursive) { /* code that runs while others spin has frames of its own */
        image->max_frames *= SPLIT_FRAMES;
        image->frame_stack_bytes *= SPLIT_FRAMES;
    }
    return true;
}

struct image *image_build(struct device *device, const struct loaded_module *module, const struct ptx_function *fn,
                          struct error *err)
{
    struct image *image = must_calloc(1, sizeof *image);
    image->arena = arena_new();
    struct decoder d = { .device = device, .image = image, .lanes = lanes_choose(device->options.lanes), .err = err };
    bool ok = build(&d, module, fn);
    free(d.shared);
    free(d.constants);
    if (ok)
        return image;
    image_free(image);
    return NULL;
}

void image_free(struct image *image)
{
    if (!image)
        return;
    turn_plan_free(image->turns);
    free(image->routines);
    free(image->constants);
    free(image->slots);
    arena_free(image->arena);
    free(image);
}
