/* run.c - a launch: its constants, its pool of CTAs, and the stepping of warps; implements src/front/front.h. */
#include "exec/engine.h"

#include <stdlib.h>
#include <string.h>

#include "base/pages.h"
#include "exec/later.h"
#include "exec/race.h"

enum { MAX_THREADS_PER_CTA = 1024, MAX_BLOCK_Z = 64, STACK_MARGIN = 2 * SPLIT_RESERVE };
/* Bytes of host memory that CTAs are given from, and the most that a single CTA may take of it. */
enum { CTA_BLOCK = 4 << 20, CTA_SMALL = CTA_BLOCK / 16 };

static uint64_t slot_value(const struct run *run, const struct launch_slot *slot)
{
    const struct front_launch *l = &run->front.launch;
    uint64_t value = 0;
    if (slot->bytes) {
        if (slot->index + slot->bytes <= run->param_bytes)
            memcpy(&value, run->params + slot->index, slot->bytes);
        uint32_t unused = 64 - slot->bytes * 8u;
        return slot->is_signed ? (uint64_t)((int64_t)(value << unused) >> unused) : value;
    }
    switch (slot->index) {
    case SREG_NTID_X: return l->block[0];
    case SREG_NTID_Y: return l->block[1];
    case SREG_NTID_Z: return l->block[2];
    case SREG_NCTAID_X: return l->grid[0];
    case SREG_NCTAID_Y: return l->grid[1];
    case SREG_NCTAID_Z: return l->grid[2];
    case SREG_NWARPID: return l->warps_per_cta;
    case SREG_DYNAMIC_SMEM_SIZE: return run->shared_bytes - run->image->dynamic_shared_offset;
    case SREG_TOTAL_SMEM_SIZE: return run->shared_bytes;
    case SREG_NSMID: return run->device->options.sms ? run->device->options.sms : 1;
    default: return 1;
    }
}

static void fill_constants(struct run *run)
{
    const struct image *image = run->image;
    run->constants = aligned_alloc(64, image->constant_bytes + 64);
    require(run->constants);
    if (image->constant_bytes)
        memcpy(run->constants, image->constants, image->constant_bytes);
    for (uint32_t i = 0; i < image->slot_count; i++) {
        uint64_t value = slot_value(run, &image->slots[i]);
        for (uint32_t lane = 0; lane < LANES; lane++)
            memcpy(run->constants + image->slots[i].offset + lane * image->slots[i].width, &value,
                   image->slots[i].width < 8 ? image->slots[i].width : 8);
    }
}

static void fill_warp_constants(struct run *run)
{
    const struct front_launch *l = &run->front.launch;
    run->warp_constants = aligned_alloc(64, (size_t)l->warps_per_cta * WARP_CONSTANT_BYTES);
    require(run->warp_constants);
    for (uint32_t w = 0; w < l->warps_per_cta; w++) {
        uint32_t *at = (uint32_t *)(void *)(run->warp_constants + (size_t)w * WARP_CONSTANT_BYTES);
        for (uint32_t lane = 0; lane < LANES; lane++) {
            uint32_t thread = w * LANES + lane, bit = 1u << lane;
            at[WARP_TID_X * LANES + lane] = thread % l->block[0];
            at[WARP_TID_Y * LANES + lane] = thread / l->block[0] % l->block[1];
            at[WARP_TID_Z * LANES + lane] = thread / l->block[0] / l->block[1];
            at[WARP_LANEID * LANES + lane] = lane;
            at[WARP_WARPID * LANES + lane] = w;
            at[WARP_MASK_EQ * LANES + lane] = bit;
            at[WARP_MASK_LT * LANES + lane] = bit - 1;
            at[WARP_MASK_LE * LANES + lane] = bit | (bit - 1);
            at[WARP_MASK_GT * LANES + lane] = ~(bit | (bit - 1));
            at[WARP_MASK_GE * LANES + lane] = ~(bit - 1);
        }
    }
}

static size_t frames_bytes(const struct image *image)
{
    return (image->max_frames * sizeof(struct frame) + 63) / 64 * 64;
}

static uint32_t stack_entries(const struct run *run)
{
    return run->image->max_frames * 2 + STACK_MARGIN;
}

static size_t cta_bytes(const struct run *run)
{
    const struct front_launch *l = &run->front.launch;
    const struct image *image = run->image;
    return (size_t)l->warps_per_cta *
               (sizeof(struct warp) + image->frame_stack_bytes + (size_t)image->local_bytes * LANES + frames_bytes(image)) +
           CTA_CONSTANT_BYTES + (run->shared_bytes + 63u) / 64 * 64;
}

/* Zeroed memory of a CTA. CTAs lie side by side, so that large pages hold those of all SMs. A CTA with much local memory has pages
 * of its own, and pages that it does not touch cost nothing. */
static uint8_t *cta_memory(struct run *run, struct cta_blocks *blocks, size_t bytes, bool large)
{
    const size_t ctas = run->front.launch.cta_count;
    bytes = (bytes + 63) / 64 * 64;
    if (blocks->left < bytes) {
        const bool small = bytes <= CTA_SMALL;
        const size_t wanted = !small ? bytes : bytes * ctas < CTA_BLOCK ? bytes * ctas : CTA_BLOCK;
        uint8_t *start = pages_reserve(wanted, small && large);
        if (!start)
            return NULL;
        blocks->block = must_realloc(blocks->block, (blocks->count + 1) * sizeof *blocks->block);
        blocks->block[blocks->count++] = (struct cta_block){ start, wanted };
        blocks->left = wanted;
    }
    const struct cta_block *block = &blocks->block[blocks->count - 1];
    uint8_t *memory = block->start + block->bytes - blocks->left;
    blocks->left -= bytes;
    return memory;
}

static void cta_memory_release(struct cta_blocks *blocks)
{
    for (uint32_t i = 0; i < blocks->count; i++)
        pages_release(blocks->block[i].start, blocks->block[i].bytes);
    free(blocks->block);
}

static struct cta *cta_new(struct run *run)
{
    const struct front_launch *l = &run->front.launch;
    const struct image *image = run->image;
    const uint32_t entries = stack_entries(run), warps = l->warps_per_cta;
    uint8_t *block = cta_memory(run, &run->near, cta_bytes(run), true);
    struct stack_entry *stacks =
        block ? (void *)cta_memory(run, &run->stacks, (size_t)warps * entries * sizeof *stacks, false) : NULL;
    if (!stacks)
        return NULL;
    struct cta *cta = must_calloc(1, sizeof *cta);
    cta->warps = (struct warp *)(void *)block;
    cta->constants = block + warps * sizeof *cta->warps;
    cta->shared = cta->constants + CTA_CONSTANT_BYTES;
    uint8_t *registers = cta->shared + (run->shared_bytes + 63u) / 64 * 64;
    uint8_t *frames = registers + (size_t)warps * image->frame_stack_bytes;
    cta->local = frames + warps * frames_bytes(image);
    cta->pointers = must_calloc(l->warps_per_cta, sizeof(struct front_warp *));
    for (uint32_t i = 0; i < l->warps_per_cta; i++) {
        struct warp *w = &cta->warps[i];
        w->cta = cta;
        w->index = i;
        w->stack_entries = entries;
        w->stack = &stacks[(size_t)i * entries];
        w->frames = (struct frame *)(void *)(frames + i * frames_bytes(image));
        w->frame_stack = registers + (size_t)i * image->frame_stack_bytes;
        w->base[BASE_CONST] = run->constants;
        w->base[BASE_WARP] = run->warp_constants + (size_t)i * WARP_CONSTANT_BYTES;
        w->base[BASE_CTA] = cta->constants;
        cta->pointers[i] = &w->front;
    }
    if (run->cta_total == run->cta_capacity) {
        run->cta_capacity = run->cta_capacity ? run->cta_capacity * 2 : 16;
        run->all_ctas = must_realloc(run->all_ctas, run->cta_capacity * sizeof(struct cta *));
    }
    run->all_ctas[run->cta_total++] = cta;
    return cta;
}

static void warp_start(struct warp *w, struct run *run, uint32_t threads)
{
    const struct image *image = run->image;
    const struct routine *entry = &image->routines[0];
    w->run = run;
    frame_clear(entry, w->frame_stack);
    w->frames[0] = (struct frame){ .regs = w->frame_stack };
    w->base[BASE_REGS] = w->frame_stack;
    w->live = threads >= LANES ? FULL_MASK : (1u << threads) - 1;
    w->pc = 0;
    w->reconverge = NO_PC;
    w->depth = w->level = w->spins = w->waits = 0;
    w->is_split = false;
    w->late_lanes = 0;
    w->barrier = NULL;
    w->barrier_at = NULL;
    w->front = (struct front_warp){ .next = &image->timing[0], .active = w->live };
}

static struct front_cta *run_cta_start(struct front *front, uint32_t cta_id, struct error *err)
{
    struct run *run = (struct run *)front;
    const struct front_launch *l = &front->launch;
    struct cta *cta = run->whole->free_ctas;
    if (cta)
        run->whole->free_ctas = cta->next_free;
    else if (!(cta = cta_new(run->whole))) {
        (void)error_set(err, "%s: no memory for another CTA (%zu bytes)", l->kernel, cta_bytes(run));
        return NULL;
    }
    cta->ctaid[0] = cta_id % l->grid[0];
    cta->ctaid[1] = cta_id / l->grid[0] % l->grid[1];
    cta->ctaid[2] = cta_id / l->grid[0] / l->grid[1];
    for (uint32_t k = 0; k < CTA_CONSTANT_COUNT; k++)
        for (uint32_t lane = 0; lane < LANES; lane++)
            ((uint32_t *)(void *)cta->constants)[k * LANES + lane] = cta->ctaid[k];
    memset(cta->shared, 0, run->shared_bytes); /* undefined on hardware; zeros here, so that every run is the same */
    memset(cta->barriers, 0, sizeof cta->barriers);
    cta->epoch = 0;
    cta->mbarrier_polls = 0;
    cta->live = UINT64_MAX >> (64 - l->warps_per_cta);
    for (uint32_t i = 0; i < l->warps_per_cta; i++)
        warp_start(&cta->warps[i], run, l->threads_per_cta - i * LANES);
    cta->front = (struct front_cta){ cta_id, l->warps_per_cta, cta->pointers };
    return &cta->front;
}

static void run_cta_end(struct front *front, struct front_cta *front_cta)
{
    struct run *run = (struct run *)front;
    struct cta *cta = (struct cta *)front_cta;
    cta->next_free = run->free_ctas;
    run->free_ctas = cta;
}

static inline __attribute__((always_inline)) bool step_as(struct front *front, struct front_cta *front_cta, uint32_t warp,
                                                          struct warp_step *out, struct error *err, bool put_off)
{
    struct run *run = (struct run *)front;
    struct warp *w = &((struct cta *)front_cta)->warps[warp];
    const struct image *image = run->image;
    uint32_t pc = w->pc;
    run->space = SPACE_NONE;
    run->store_data = NULL;
    run->wrote_count = 0;
    run->local_lanes = 0;
    run->barrier = FRONT_NO_BARRIER;
    out->inst = w->front.next;
    out->active = w->front.active;
    warp_execute_as(w, image, put_off);
    if (seldom(run->instructions++ >= run->poll.from))
        host_poll_look(w, &image->code[pc]);
    w->front.next = w->front.active ? &image->timing[w->pc] : NULL;
    out->executed = w->executed;
    out->space = run->space;
    out->local_lanes = run->local_lanes;
    out->branch_taken = w->pc != pc + 1;
    out->address = run->address;
    out->store_data = run->store_data;
    out->wrote = run->wrote;
    out->wrote_count = run->wrote_count;
    out->barrier = run->barrier;
    out->barrier_warps = run->barrier_warps;
    out->barrier_waits = run->barrier_waits;
    if (seldom(run->failed)) {
        if (err)
            *err = run->fault;
        run->failed = false; /* the machine ends with this cycle, in which other SMs may have their own turn yet */
        return false;
    }
    return true;
}

static bool run_step(struct front *front, struct front_cta *cta, uint32_t warp, struct warp_step *out, struct error *err)
{
    return step_as(front, cta, warp, out, err, false);
}

/* Registers that lie in the kernel's own frame, as most do. Where they lie follows from where the warp does. */
static void registers_soon(const uint8_t *registers, uint32_t offset, uint32_t width)
{
    for (uint32_t at = 0; at < width * LANES; at += HOST_LINE_BYTES)
        __builtin_prefetch(registers + offset + at);
}

static void run_soon(const struct front *front, const struct front_warp *warp, const struct inst *inst)
{
    const struct run *run = (const struct run *)front;
    const struct xop *x = &run->image->code[inst - run->image->timing];
    const struct warp *w = (const struct warp *)warp;
    const uint8_t *registers = w->base[BASE_REGS];
    __builtin_prefetch(&w->run);
    for (uint32_t i = 0; i < x->source_count; i++)
        if (x->src[i].base == BASE_REGS)
            registers_soon(registers, x->src[i].offset, x->src[i].width);
    registers_soon(registers, x->dst, x->dst_width);
    if (!x->is_shared)
        return;
    const struct site *site = x->site;
    if (site->has_base && site->base.base == BASE_REGS)
        registers_soon(registers, site->base.offset, site->base.width);
    for (uint32_t i = 0; i < site->elements; i++)
        if (site->value[i].base == BASE_REGS)
            registers_soon(registers, site->value[i].offset, site->value[i].width);
}

static void run_destroy(struct front *front)
{
    struct run *run = (struct run *)front;
    cta_memory_release(&run->near);
    cta_memory_release(&run->stacks);
    for (uint32_t i = 0; i < run->cta_total; i++) {
        free(run->all_ctas[i]->pointers);
        free(run->all_ctas[i]);
    }
    free(run->all_ctas);
    free(run->constants);
    free(run->warp_constants);
    free(run->caches);
    free(run->params);
    free(run->wrote);
    free(run->ends_turn);
    race_detector_free(run->races);
    free(run);
}

static void run_read_memory(struct front *front, uint64_t address, uint32_t bytes, void *out)
{
    const struct memory *memory = &((struct run *)front)->device->memory;
    memset(out, 0, bytes);
    for (uint64_t at = address; at < address + bytes;) {
        const struct range *range = memory_find_from(memory, at);
        if (!range || range->start >= address + bytes)
            return;
        if (range->start > at)
            at = range->start;
        const uint64_t range_end = range->start + range->bytes, end = range_end < address + bytes ? range_end : address + bytes;
        memcpy((uint8_t *)out + (at - address), range->host + (at - range->start), end - at);
        at = end;
    }
}

static bool run_next_memory(struct front *front, uint64_t from, uint64_t *start, uint64_t *bytes)
{
    const struct range *range = memory_find_from(&((struct run *)front)->device->memory, from);
    if (!range)
        return false;
    *start = range->start;
    *bytes = range->bytes;
    return true;
}

void run_note_write(struct run *run, uint64_t address, uint64_t bytes)
{
    if (run->wrote_count && run->wrote[run->wrote_count - 1].address + run->wrote[run->wrote_count - 1].bytes == address) {
        run->wrote[run->wrote_count - 1].bytes += bytes;
        return;
    }
    if (run->wrote_count == run->wrote_room) {
        run->wrote_room = run->wrote_room * 2 + 32;
        run->wrote = must_realloc(run->wrote, run->wrote_room * sizeof *run->wrote);
    }
    run->wrote[run->wrote_count++] = (struct front_write){ address, bytes };
}

static void run_atomic(struct front *front, struct front_cta *cta, uint32_t warp, uint32_t lanes)
{
    (void)front;
    atomic_finish(&((struct cta *)cta)->warps[warp], lanes);
}

/* ---- views, for threads (later.h) --------------------------------------------------------------------------------------- */

static bool view_step(struct front *front, struct front_cta *cta, uint32_t warp, struct warp_step *out, struct error *err)
{
    return step_as(front, cta, warp, out, err, true);
}

static void view_cta_end(struct front *front, struct front_cta *cta)
{
    later_cta_end(((struct run *)front)->later, (struct cta *)cta);
}

static void view_destroy(struct front *front)
{
    struct run *view = (struct run *)front;
    free(view->caches);
    free(view->wrote);
    later_free(view->later);
    free(view);
}

static void view_settle(struct front *const *views, uint32_t count)
{
    later_settle((struct run *const *)views, count);
}

static const struct front_ops view_ops = { .cta_start = run_cta_start,
                                           .cta_end = view_cta_end,
                                           .step = view_step,
                                           .soon = run_soon,
                                           .destroy = view_destroy,
                                           .read_memory = run_read_memory,
                                           .next_memory = run_next_memory,
                                           .atomic = run_atomic,
                                           .settle = view_settle };

static struct run *run_alloc(void)
{
    struct run *run = aligned_alloc(64, (sizeof *run + 63) / 64 * 64);
    require(run);
    return run;
}

static struct front *run_view(struct front *front, const struct front_clock *clock, const char **why)
{
    struct run *run = (struct run *)front;
    if (!later_is_possible(run, why))
        return NULL;
    struct run *view = run_alloc();
    *view = *run;
    view->front.ops = &view_ops;
    view->clock = clock;
    view->later = later_new();
    view->caches = must_calloc(run->image->site_count, sizeof *view->caches);
    view->wrote = NULL;
    view->wrote_count = view->wrote_room = 0;
    return &view->front;
}

static const struct front_ops run_ops = { .cta_start = run_cta_start,
                                          .cta_end = run_cta_end,
                                          .step = run_step,
                                          .soon = run_soon,
                                          .destroy = run_destroy,
                                          .read_memory = run_read_memory,
                                          .next_memory = run_next_memory,
                                          .atomic = run_atomic,
                                          .view = run_view };

static bool check_launch(const struct launch *launch, struct error *err)
{
    const struct ptx_function *fn = launch->kernel->fn;
    uint64_t threads = (uint64_t)launch->block[0] * launch->block[1] * launch->block[2], ctas = 1;
    for (uint32_t k = 0; k < 3; k++) {
        if (launch->grid[k] == 0 || launch->block[k] == 0)
            return error_set(err, "%s: a grid or block dimension is zero", fn->name);
        ctas *= launch->grid[k];
        if (fn->required_threads[0] && fn->required_threads[k] && launch->block[k] != fn->required_threads[k])
            return error_set(err, "%s: .reqntid demands blocks of (%u,%u,%u)", fn->name, fn->required_threads[0],
                             fn->required_threads[1], fn->required_threads[2]);
    }
    if (threads > MAX_THREADS_PER_CTA || launch->block[2] > MAX_BLOCK_Z)
        return error_set(err, "%s: a block of (%u,%u,%u) threads is too large: at most %d, and %d in z", fn->name, launch->block[0],
                         launch->block[1], launch->block[2], MAX_THREADS_PER_CTA, MAX_BLOCK_Z);
    uint64_t allowed = (uint64_t)(fn->max_threads[0] ? fn->max_threads[0] : 1) * (fn->max_threads[1] ? fn->max_threads[1] : 1) *
                       (fn->max_threads[2] ? fn->max_threads[2] : 1);
    if (fn->max_threads[0] && threads > allowed)
        return error_set(err, "%s: a block of %llu threads is larger than .maxntid allows (%llu)", fn->name,
                         (unsigned long long)threads, (unsigned long long)allowed);
    if (ctas > UINT32_MAX)
        return error_set(err, "%s: a grid of %llu blocks is too large", fn->name, (unsigned long long)ctas);
    if (launch->param_bytes < fn->param_bytes)
        return error_set(err, "%s: %zu bytes of parameters given, %u needed", fn->name, launch->param_bytes, fn->param_bytes);
    if (fn->param_bytes >= PARAM_FRAME)
        return error_set(err, "%s: %u bytes of parameters, more than the %u supported", fn->name, fn->param_bytes, PARAM_FRAME);
    return true;
}

struct front *exec_launch(struct device *device, const struct launch *launch, const struct front_clock *clock, struct error *err)
{
    struct kernel *kernel = launch->kernel;
    const struct ptx_function *fn = kernel->fn;
    if (!check_launch(launch, err))
        return NULL;
    if (!kernel->image && !(kernel->image = image_build(device, kernel->module, fn, err)))
        return NULL;
    struct image *image = kernel->image;
    struct run *run = run_alloc();
    memset(run, 0, sizeof *run);
    run->whole = run;
    run->device = device;
    run->image = image;
    run->clock = clock;
    run->cooperative = launch->cooperative;
    run->resident = launch->resident_ctas;
    run->poll.from = POLL_AFTER;
    run->grid_workspace = launch->grid_workspace;
    run->param_bytes = fn->param_bytes;
    run->params = must_calloc(1, fn->param_bytes + 8);
    memcpy(run->params, launch->params, fn->param_bytes);
    run->shared_bytes =
        launch->dynamic_shared_bytes ? image->dynamic_shared_offset + launch->dynamic_shared_bytes : image->shared_bytes;
    struct front_launch *l = &run->front.launch;
    l->kernel = fn->name;
    memcpy(l->grid, launch->grid, sizeof l->grid);
    memcpy(l->block, launch->block, sizeof l->block);
    l->cta_count = l->grid[0] * l->grid[1] * l->grid[2];
    l->threads_per_cta = l->block[0] * l->block[1] * l->block[2];
    l->warps_per_cta = (l->threads_per_cta + LANES - 1) / LANES;
    l->registers_per_thread = launch->registers_override                                       ? launch->registers_override
                              : fn->max_registers && fn->max_registers < fn->register_estimate ? fn->max_registers
                                                                                               : fn->register_estimate;
    l->shared_bytes = launch->static_shared_override == UINT32_MAX ? run->shared_bytes : launch->static_shared_override;
    l->local_bytes = image->local_bytes;
    l->code = image->timing;
    l->code_count = image->count;
    run->front.ops = &run_ops;
    run->front.barrier_rule = front_barrier_complete;
    run->caches = must_calloc(image->site_count, sizeof *run->caches);
    fill_constants(run);
    fill_warp_constants(run);
    if (device->options.races)
        run->races = race_detector_new(run);
    return &run->front;
}
