/* access.c - loads and stores: from a lane's address to the host's bytes, in every space.
 *
 * The vector paths in lanes_body.h serve one element per lane in one allocation that the instruction met before; everything
 * else comes here: other spaces and widths, first touches, lanes in several allocations, faults. */
#include "exec/later.h"
#include "exec/race.h"

#include <stdio.h>
#include <string.h>

void run_forget_accesses(struct run *run)
{
    memset(run->caches, 0, run->image->site_count * sizeof *run->caches);
}

/* Calls (printf reads its format) and textures reach memory too, but they have no site: they keep other things in its place. */
static bool has_site(const struct xop *x)
{
    switch (x->inst->op) {
    case OP_LD:
    case OP_LDU:
    case OP_ST:
    case OP_ATOM:
    case OP_CP:
    case OP_RED: return true;
    default: return false;
    }
}

static uint8_t *in_device(struct warp *w, const struct xop *x, uint32_t lane, uint64_t address, uint32_t bytes, bool write)
{
    struct run *run = w->run;
    struct memory *m = &run->device->memory;
    const struct range *range = memory_find(m, address);
    if (!range || bytes > range->bytes - (address - range->start))
        return fault_access(w, x, lane, address, bytes, write, NULL);
    if (has_site(x) && !m->written)
        run->caches[x->site->cache] = (struct access_cache){ range->start, range->bytes, range->host };
    if (m->written && write)
        memory_mark_written(m, address, bytes);
    else if (m->written && !memory_was_written(m, address, bytes))
        fault_warn_unwritten(w, x, lane, address, bytes);
    return range->host + (address - range->start);
}

static uint8_t *in_shared(struct warp *w, const struct xop *x, uint32_t lane, uint64_t address, uint32_t bytes, bool write)
{
    if (address > w->run->shared_bytes || bytes > w->run->shared_bytes - address) {
        char what[80];
        (void)snprintf(what, sizeof what, "outside the block's %u bytes of shared memory", w->run->shared_bytes);
        w->run->address[lane] = 0; /* the machine is shown a place that exists */
        return fault_access(w, x, lane, address, bytes, write, what);
    }
    return w->cta->shared + address;
}

static uint8_t *in_local(struct warp *w, const struct xop *x, uint32_t lane, uint64_t address, uint32_t bytes, bool write)
{
    uint32_t size = w->run->image->local_bytes;
    if (address > size || bytes > size - address) {
        char what[80];
        (void)snprintf(what, sizeof what, "outside the thread's %u bytes of local memory", size);
        w->run->address[lane] = 0;
        return fault_access(w, x, lane, address, bytes, write, what);
    }
    return w->cta->local + (size_t)(w->index * LANES + lane) * size + address;
}

static uint8_t *in_params(struct warp *w, const struct xop *x, uint32_t lane, uint64_t address, uint32_t bytes, bool write)
{
    const struct run *run = w->run;
    const struct routine *routine = &run->image->routines[w->frames[w->level].routine];
    if (address >= PARAM_FRAME && address - PARAM_FRAME + bytes <= routine->param_stride)
        return frame_params(w, w->level, lane) + (address - PARAM_FRAME);
    if (!write && address + bytes <= run->param_bytes)
        return run->params + address;
    w->run->address[lane] = 0;
    return fault_access(w, x, lane, address, bytes, write, "outside the parameters");
}

uint8_t *access_lane(struct warp *w, const struct xop *x, uint32_t lane, uint64_t address, uint32_t bytes, uint8_t space,
                     bool write)
{
    uint32_t alignment = x->inst->op == OP_LD || x->inst->op == OP_ST ? x->site->bytes * x->site->elements : bytes;
    if (alignment && address % alignment != 0) {
        fault_misaligned(w, x, lane, address, alignment, write);
        return NULL;
    }
    if (space == SPACE_GENERIC) {
        if (address - SHARED_WINDOW < SHARED_WINDOW_BYTES)
            space = SPACE_SHARED, address -= SHARED_WINDOW;
        else if (address - LOCAL_WINDOW < LOCAL_WINDOW_BYTES)
            space = SPACE_LOCAL, address -= LOCAL_WINDOW + LOCAL_START;
        else if (address - PARAM_WINDOW < PARAM_WINDOW_BYTES)
            space = SPACE_PARAM, address -= PARAM_WINDOW;
        else
            space = SPACE_GLOBAL;
    }
    if (space == SPACE_SHARED) /* its addresses have 32 bits, and ptxas drops the others: an index may have wrapped at 32 */
        address &= UINT32_MAX;
    w->run->space = space;
    w->run->address[lane] = address;
    switch (space) {
    case SPACE_SHARED: return in_shared(w, x, lane, address, bytes, write);
    case SPACE_LOCAL: return in_local(w, x, lane, address, bytes, write);
    case SPACE_PARAM: return in_params(w, x, lane, address, bytes, write);
    default: return in_device(w, x, lane, address, bytes, write);
    }
}

static uint64_t lane_address(const struct warp *w, const struct site *site, uint32_t lane)
{
    uint64_t address = (uint64_t)site->offset;
    if (site->has_base)
        address += operand_lane(w, site->base, lane);
    if (site->in_frame)
        address += w->frames[w->level].local_base;
    /* 32-bit address registers wrap in 32 bits */
    return site->has_base && site->base.width == 4 ? address & UINT32_MAX : address;
}

/* Where a lane's bytes are in the usual cases: the site's last allocation, its block's shared memory or its own local memory.
 * NULL: access_lane must look. */
static inline uint8_t *usual_place(const struct warp *w, const struct site *site, uint32_t lane, uint64_t address, uint32_t bytes)
{
    const struct run *run = w->run;
    const struct access_cache *cache = &run->caches[site->cache];
    if (address & (bytes - 1)) /* vectors of three do not exist: sizes are powers of two */
        return NULL;
    switch (site->space) {
    case SPACE_SHARED: return address + bytes <= run->shared_bytes ? w->cta->shared + address : NULL;
    case SPACE_LOCAL:
        return address + bytes <= run->image->local_bytes
                   ? w->cta->local + (size_t)(w->index * LANES + lane) * run->image->local_bytes + address
                   : NULL;
    case SPACE_PARAM: return NULL;
    default: {
        uint64_t at = address - cache->low;
        return at < cache->bytes && bytes <= cache->bytes - at ? cache->host + at : NULL;
    }
    }
}

/* Which lanes of a warp point into which spaces, and where the last one does. */
struct warp_spaces {
    uint32_t shared, local;
    uint8_t last;
};

/* A warp whose lanes point into several spaces counts as one access to the first lane's space. What it writes to device memory
 * is reported separately. */
static void note_mixed(struct warp *w, const struct site *site, uint32_t mask, uint32_t bytes)
{
    for (uint32_t left = mask; left; left &= left - 1) {
        const uint64_t address = lane_address(w, site, (uint32_t)__builtin_ctz(left));
        if (memory_find(&w->run->device->memory, address))
            run_note_write(w->run, address, bytes);
    }
}

/* GPGPU-Sim takes such an access for one to the space of the last lane, with every lane's address in its own space. Shared memory
 * begins at 0 there, and so do the kernel's parameters; the module's variables follow at 0x100. Here these lie at SYMBOL_FIRST,
 * and shared addresses from 0x100 on go there too. */
static void show_last_space(struct run *run, const struct warp_spaces *spaces)
{
    for (uint32_t left = spaces->shared; left; left &= left - 1)
        if (run->address[__builtin_ctz(left)] >= SYMBOL_FIRST - SYMBOL_REGION)
            run->address[__builtin_ctz(left)] += SYMBOL_REGION;
    run->local_lanes = spaces->local;
    run->space = spaces->last;
}

/* What a machine with GPGPU-Sim's stack sees: parameters in the stack, and frames that follow each other without gaps. */
static void show_stack(const struct warp *w, const struct site *site, uint32_t mask)
{
    struct run *run = w->run;
    for (uint32_t left = mask; left; left &= left - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(left);
        const struct frame *frame = &w->frames[w->level];
        if (site->on_stack) {
            run->address[lane] = frame->stack_base + site->stack_offset;
            continue;
        }
        while (run->address[lane] < frame->local_base) /* a pointer to a caller's variable */
            frame = &w->frames[frame->caller];
        run->address[lane] += (uint64_t)frame->stack_base - frame->local_base;
    }
    run->space = SPACE_LOCAL;
}

/* A piece of memory in which all lanes of an access may lie; a lane's bytes are at host + (address - low) + lane * step. */
struct piece_of_memory {
    uint64_t low, bytes;
    uint8_t *host;
    size_t step;
    uint8_t space;
    uint64_t window; /* where a space's window begins: generic addresses are shown as the space's own */
};
static bool find_piece(const struct warp *w, const struct site *site, uint32_t mask, struct piece_of_memory *m)
{
    const struct run *run = w->run;
    const struct access_cache *cache = &run->caches[site->cache];
    const uint32_t local = run->image->local_bytes;
    uint8_t space = site->space;
    uint64_t window = 0;
    if (space == SPACE_GENERIC) { /* where the first lane points */
        const uint64_t address = mask ? lane_address(w, site, (uint32_t)__builtin_ctz(mask)) : 0;
        const bool is_shared = address - SHARED_WINDOW < SHARED_WINDOW_BYTES,
                   is_local = address - LOCAL_WINDOW < LOCAL_WINDOW_BYTES;
        space = is_shared ? SPACE_SHARED : is_local ? SPACE_LOCAL : SPACE_GLOBAL;
        window = is_shared ? SHARED_WINDOW : is_local ? LOCAL_WINDOW + LOCAL_START : 0;
    }
    switch (space) {
    case SPACE_SHARED: *m = (struct piece_of_memory){ window, run->shared_bytes, w->cta->shared, 0, space, window }; break;
    case SPACE_LOCAL:
        *m = (struct piece_of_memory){ window, local, local ? w->cta->local + (size_t)w->index * LANES * local : NULL,
                                       local,  space, window };
        break;
    case SPACE_PARAM: return false;
    default: *m = (struct piece_of_memory){ cache->low, cache->bytes, cache->host, 0, space, 0 }; break;
    }
    return m->host != NULL;
}

/* The usual case: every lane is aligned and in one such piece. Its space; SPACE_NONE: lanes must be looked at one by one. */
static uint8_t resolve_at_once(struct warp *w, const struct site *site, uint32_t mask, uint32_t bytes)
{
    struct run *run = w->run;
    struct piece_of_memory m;
    if (!find_piece(w, site, mask, &m) || m.bytes < bytes)
        return SPACE_NONE;
    const uint64_t start = (uint64_t)site->offset + (site->in_frame ? w->frames[w->level].local_base : 0), limit = m.bytes - bytes;
    const bool narrow = site->has_base && site->base.width == 4; /* 32-bit address registers wrap in 32 bits */
    const void *base = site->has_base ? operand_at(w, site->base) : NULL;
    uint64_t bad = 0;
    if (site->has_base && site->base.width != 4 && site->base.width != 8)
        return SPACE_NONE;
    for (uint32_t lane = 0; lane < LANES; lane++) {
        const uint64_t from = !base ? 0 : narrow ? ((const uint32_t *)base)[lane] : ((const uint64_t *)base)[lane];
        run->address[lane] = narrow ? (from + start) & UINT32_MAX : from + start;
    }
    for (uint32_t lane = 0; lane < LANES; lane++) {
        const uint64_t at = run->address[lane] - m.low;
        bad |= (uint64_t)((at > limit) | ((run->address[lane] & (bytes - 1)) != 0)) & mask >> lane;
        run->host[lane] = (uint8_t *)((uintptr_t)m.host + at + lane * m.step); /* anywhere for lanes that do not take part */
        run->address[lane] -= m.window;
    }
    return bad ? SPACE_NONE : m.space;
}

bool access_resolve(struct warp *w, const struct xop *x, uint32_t mask)
{
    const struct site *site = x->site;
    struct run *run = w->run;
    bool write = x->inst->op != OP_LD && x->inst->op != OP_LDU, mixed = false;
    uint32_t bytes = (uint32_t)site->bytes * site->elements;
    uint8_t usual = site->space == SPACE_GENERIC ? SPACE_GLOBAL : site->space, first_space = SPACE_NONE;
    struct warp_spaces spaces = { 0 };
    const uint8_t at_once = resolve_at_once(w, site, mask, bytes);
    if (at_once != SPACE_NONE)
        first_space = at_once;
    for (uint32_t left = at_once != SPACE_NONE ? 0 : mask; left; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left);
        uint64_t address = lane_address(w, site, lane);
        uint8_t *host = usual_place(w, site, lane, address, bytes);
        run->address[lane] = address;
        run->space = usual;
        if (!host && !(host = access_lane(w, x, lane, address, bytes, site->space, write)))
            return false;
        run->host[lane] = host;
        if (first_space == SPACE_NONE)
            first_space = run->space;
        mixed |= run->space != first_space;
        spaces.shared |= (uint32_t)(run->space == SPACE_SHARED) << lane;
        spaces.local |= (uint32_t)(run->space == SPACE_LOCAL) << lane;
        spaces.last = run->space;
    }
    run->mixed = mixed;
    if (mixed && write)
        note_mixed(w, site, mask, bytes);
    run->space = site->space == SPACE_CONST ? SPACE_CONST : first_space;
    if (seldom(mixed) && w->run->device->options.view.last_space) {
        show_last_space(run, &spaces);
        return true;
    }
    if (site->on_stack || (run->space == SPACE_LOCAL && w->level && w->run->device->options.view.local_parameters))
        show_stack(w, site, mask);
    if (seldom(run->races) && !mixed)
        race_note(w, x, mask, bytes, write);
    return true;
}

uint32_t access_device_lanes(const struct warp *w, const struct site *site, uint32_t mask)
{
    if (site->space != SPACE_GENERIC)
        return site->space == SPACE_SHARED || site->space == SPACE_LOCAL || site->space == SPACE_PARAM ? 0 : mask;
    uint32_t found = 0;
    for (uint32_t left = mask; left; left &= left - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(left);
        const uint64_t address = lane_address(w, site, lane);
        const bool own = address - SHARED_WINDOW < SHARED_WINDOW_BYTES || address - LOCAL_WINDOW < LOCAL_WINDOW_BYTES ||
                         address - PARAM_WINDOW < PARAM_WINDOW_BYTES;
        found |= (uint32_t)!own << lane;
    }
    return found;
}

/* One element of every lane into a register: memory type M widened to register type R. */
#define LOAD_LANES(M, R)                                                                                                           \
    for (uint32_t lane = 0; lane < LANES && mask == FULL_MASK; lane++) {                                                           \
        M value;                                                                                                                   \
        memcpy(&value, run->host[lane] + at, sizeof value);                                                                        \
        ((R *)to)[lane] = (R)value;                                                                                                \
    }                                                                                                                              \
    if (mask == FULL_MASK)                                                                                                         \
        return;                                                                                                                    \
    for (uint32_t left = mask; left; left &= left - 1) {                                                                           \
        uint32_t lane = (uint32_t)__builtin_ctz(left);                                                                             \
        M value;                                                                                                                   \
        memcpy(&value, run->host[lane] + at, sizeof value);                                                                        \
        ((R *)to)[lane] = (R)value;                                                                                                \
    }                                                                                                                              \
    return

static void load_lanes(const struct run *run, void *to, uint32_t width, const struct site *site, uint32_t at, uint32_t mask)
{
    switch ((uint32_t)site->bytes << 8 | width << 1 | (uint32_t)site->is_signed) {
    case 4 << 8 | 4 << 1:
    case 4 << 8 | 4 << 1 | 1: LOAD_LANES(uint32_t, uint32_t);
    case 8 << 8 | 8 << 1:
    case 8 << 8 | 8 << 1 | 1: LOAD_LANES(uint64_t, uint64_t);
    case 2 << 8 | 2 << 1:
    case 2 << 8 | 2 << 1 | 1: LOAD_LANES(uint16_t, uint16_t);
    case 1 << 8 | 2 << 1: LOAD_LANES(uint8_t, uint16_t);
    case 1 << 8 | 2 << 1 | 1: LOAD_LANES(int8_t, int16_t);
    case 1 << 8 | 4 << 1: LOAD_LANES(uint8_t, uint32_t);
    case 1 << 8 | 4 << 1 | 1: LOAD_LANES(int8_t, int32_t);
    case 2 << 8 | 4 << 1: LOAD_LANES(uint16_t, uint32_t);
    case 2 << 8 | 4 << 1 | 1: LOAD_LANES(int16_t, int32_t);
    case 1 << 8 | 8 << 1: LOAD_LANES(uint8_t, uint64_t);
    case 1 << 8 | 8 << 1 | 1: LOAD_LANES(int8_t, int64_t);
    case 2 << 8 | 8 << 1: LOAD_LANES(uint16_t, uint64_t);
    case 2 << 8 | 8 << 1 | 1: LOAD_LANES(int16_t, int64_t);
    case 4 << 8 | 8 << 1: LOAD_LANES(uint32_t, uint64_t);
    case 4 << 8 | 8 << 1 | 1: LOAD_LANES(int32_t, int64_t);
    default: panic("load of %u bytes into a register of %u", site->bytes, width);
    }
}
#undef LOAD_LANES

void access_load(struct warp *w, const struct xop *x, uint32_t mask)
{
    const struct site *site = x->site;
    const struct run *run = w->run;
    if (!access_resolve(w, x, mask))
        return;
    for (uint32_t e = 0; e < site->elements; e++) {
        uint8_t *to = frame_at(w, site->value[e].offset);
        if (site->sink[e])
            continue;
        if (site->bytes < 16) {
            load_lanes(run, to, site->value[e].width, site, e * site->bytes, mask);
            continue;
        }
        for (uint32_t left = mask; left; left &= left - 1) {
            uint32_t lane = (uint32_t)__builtin_ctz(left);
            memcpy(to + 16 * lane, run->host[lane] + e * 16, 16);
        }
    }
}

/* Registers are little-endian, so a narrower store takes their low bytes. */
static void collect_lanes(uint8_t *data, uint32_t step, const uint8_t *from, uint32_t width, uint32_t bytes, uint32_t mask)
{
#define COLLECT(n)                                                                                                                 \
    for (uint32_t left = mask; left; left &= left - 1) {                                                                           \
        uint32_t lane = (uint32_t)__builtin_ctz(left);                                                                             \
        memcpy(data + lane * step, from + lane * width, n);                                                                        \
    }                                                                                                                              \
    return
    switch (bytes) {
    case 1: COLLECT(1);
    case 2: COLLECT(2);
    case 4: COLLECT(4);
    case 8: COLLECT(8);
    default: COLLECT(16);
    }
#undef COLLECT
}

static void write_lanes(const struct run *run, uint32_t bytes, uint32_t mask)
{
#define WRITE(n)                                                                                                                   \
    for (uint32_t left = mask; left; left &= left - 1) {                                                                           \
        const uint32_t lane = (uint32_t)__builtin_ctz(left);                                                                       \
        memcpy(run->host[lane], run->data + (size_t)lane * (n), n);                                                                \
    }                                                                                                                              \
    return
    switch (bytes) {
    case 1: WRITE(1);
    case 2: WRITE(2);
    case 4: WRITE(4);
    case 8: WRITE(8);
    case 16: WRITE(16);
    default: WRITE(bytes);
    }
#undef WRITE
}

void access_store(struct warp *w, const struct xop *x, uint32_t mask)
{
    const struct site *site = x->site;
    struct run *run = w->run;
    uint32_t bytes = (uint32_t)site->bytes * site->elements;
    if (!access_resolve(w, x, mask))
        return;
    for (uint32_t e = 0; e < site->elements; e++)
        collect_lanes(run->data + e * site->bytes, bytes, operand_at(w, site->value[e]), site->value[e].width, site->bytes, mask);
    run->store_data = run->data;
    if (seldom(run->later))
        mask &= ~later_store(w, x, access_device_lanes(w, site, mask), bytes);
    write_lanes(run, bytes, mask);
}

/* Prefetches: the machine sees the addresses; nothing is checked, as on hardware. */
void access_none(struct warp *w, const struct xop *x, uint32_t mask)
{
    for (uint32_t left = mask; left; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left);
        w->run->address[lane] = lane_address(w, x->site, lane);
    }
    w->run->space = x->site->space == SPACE_GENERIC ? SPACE_GLOBAL : x->site->space;
}

void access_load_param(struct warp *w, const struct xop *x, uint32_t mask)
{
    struct run *run = w->run;
    const uint8_t *from = operand_at(w, x->src[0]);
    uint8_t *to = frame_at(w, x->dst);
    uint32_t width = x->dst_width;
    for (uint32_t lane = 0; lane < LANES; lane++)
        run->address[lane] = x->target;
    run->space = SPACE_PARAM;
    if (mask == FULL_MASK) {
        memcpy(to, from, (size_t)width * LANES);
        return;
    }
    for (uint32_t left = mask; left; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left);
        memcpy(to + lane * width, from + lane * width, width);
    }
}

/* Every lane copies all of its bytes, and both sides lie where resolve_at_once finds them. */
static bool copy_at_once(struct warp *w, const struct site *global, const struct site *shared, uint32_t mask)
{
    struct run *run = w->run;
    uint8_t *to[LANES];
    if (!resolve_at_once(w, shared, mask, shared->bytes))
        return false;
    memcpy(to, run->host, sizeof to);
    if (!resolve_at_once(w, global, mask, global->bytes))
        return false;
    for (uint32_t left = mask; left; left &= left - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(left);
        if (global->bytes == 16)
            memcpy(to[lane], run->host[lane], 16);
        else
            memcpy(to[lane], run->host[lane], global->bytes);
    }
    run->space = SPACE_GLOBAL;
    return true;
}

/* cp.async: the copy is made at issue, so a later wait finds it done. With src[0] fewer bytes are read and the rest is zeros. */
void access_copy_async(struct warp *w, const struct xop *x, uint32_t mask)
{
    const struct site *global = &x->site[0], *shared = &x->site[1];
    struct run *run = w->run;
    uint64_t seen[LANES];
    if (x->source_count == 0 && copy_at_once(w, global, shared, mask))
        return;
    for (uint32_t left = mask; left; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left), bytes = global->bytes, read = bytes;
        if (x->source_count > 0) {
            uint64_t limit = operand_lane(w, x->src[0], lane);
            read = x->src[0].width == 0 ? (limit ? 0 : bytes) : limit < bytes ? (uint32_t)limit : bytes;
        }
        uint8_t *to = access_lane(w, x, lane, lane_address(w, shared, lane), bytes, SPACE_SHARED, true);
        uint64_t source = lane_address(w, global, lane);
        const uint8_t *from = to && read ? access_lane(w, x, lane, source, read, SPACE_GLOBAL, false) : NULL;
        if (!to || (read && !from))
            return;
        memset(to, 0, bytes);
        if (read)
            memcpy(to, from, read);
        seen[lane] = source;
    }
    for (uint32_t left = mask; left; left &= left - 1)
        run->address[__builtin_ctz(left)] = seen[__builtin_ctz(left)];
    run->space = SPACE_GLOBAL;
}
