/* replay.c - the front end that reads encoded CTAs: instructions, masks and addresses as they were recorded, barriers counted
 * anew. Once a CTA has its place nothing is allocated, and places are used again. */
#include "trace/cta_barriers.h"
#include "trace/replay.h"

struct replay_warp {
    struct front_warp front; /* first: the machine sees this */
    struct cursor flow, operands, values;
    uint32_t index; /* of the next instruction */
    uint32_t left;  /* instructions of the segment still to come, the next one included */
    struct lane_memory *memory;
};

struct replay_cta {
    struct front_cta front;
    struct bytes content;
    struct replay_warp *warps;
    struct front_warp **pointers;
    struct lane_memory *memory;
    uint32_t slot_room; /* of `memory`, per warp */
    struct cta_barriers barriers;
    struct replay_cta *next_free, *next_all;
};

struct replay {
    struct front front;
    struct replay *whole;                   /* what CTAs belong to: itself, or the launch that it is a view of */
    struct replay_cta *ended, **last_ended; /* of a view: CTAs that have ended since it settled, in order */
    struct cta_source *source;
    const struct inst *code;
    struct replay_cta *free_ctas, *all_ctas;
    uint64_t address[32];
    uint8_t *values;
    struct front_write *wrote;
    uint32_t wrote_room;
    struct memory_image *image; /* NULL: no values */
};

/* Reads the head of the next segment. */
static bool next_segment(const struct replay *r, struct replay_warp *w)
{
    uint64_t head, mask;
    int64_t distance;
    if (!cursor_number(&w->flow, &head))
        return false;
    const uint64_t length = head >> FLOW_BITS;
    if (length == 0) {
        w->front.next = NULL;
        w->front.active = 0;
        return w->flow.at == w->flow.end && w->operands.at == w->operands.end;
    }
    if (head & FLOW_JUMP) {
        if (!cursor_signed(&w->flow, &distance))
            return false;
        w->index += (uint32_t)distance;
    }
    if (head & FLOW_MASK) {
        if (!cursor_fixed(&w->flow, 4, &mask))
            return false;
        w->front.active = (uint32_t)mask;
    }
    if (w->index >= r->front.launch.code_count || length > r->front.launch.code_count - w->index)
        return false;
    w->left = (uint32_t)length;
    w->front.next = &r->code[w->index];
    return true;
}

static inline bool advance(const struct replay *r, struct replay_warp *w)
{
    w->index++;
    if (--w->left) {
        w->front.next = &r->code[w->index];
        return true;
    }
    return next_segment(r, w);
}

/* Looks into the next segment without entering it. A damaged one is for `advance` to find. */
static const struct inst *replay_after(const struct front *front, const struct front_warp *warp)
{
    const struct replay *r = (const struct replay *)front;
    struct replay_warp ahead = *(const struct replay_warp *)warp;
    return ahead.front.next && advance(r, &ahead) ? ahead.front.next : NULL;
}

static struct replay_cta *replay_cta_new(struct replay *r)
{
    const uint32_t warps = r->front.launch.warps_per_cta;
    struct replay_cta *cta = must_calloc(1, sizeof *cta);
    cta->warps = must_calloc(warps, sizeof *cta->warps);
    cta->pointers = must_calloc(warps, sizeof(struct front_warp *));
    for (uint32_t i = 0; i < warps; i++)
        cta->pointers[i] = &cta->warps[i].front;
    cta->next_all = r->all_ctas;
    r->all_ctas = cta;
    return cta;
}

/* The table of a text trace grows while it is read. */
static void make_memory(const struct replay *r, struct replay_cta *cta)
{
    const uint32_t slots = r->source->slots.count ? r->source->slots.count : 1;
    if (slots > cta->slot_room) {
        cta->slot_room = slots;
        cta->memory = must_realloc(cta->memory, (size_t)cta->front.warp_count * slots * sizeof *cta->memory);
    }
    memset(cta->memory, 0, (size_t)cta->front.warp_count * cta->slot_room * sizeof *cta->memory);
    for (uint32_t i = 0; i < cta->front.warp_count; i++)
        cta->warps[i].memory = cta->memory + (size_t)i * cta->slot_room;
}

static bool cut_streams(struct replay_cta *cta, bool data)
{
    struct cursor in = cursor_of(&cta->content);
    uint64_t flow[WLT_MOST_WARPS], operands[WLT_MOST_WARPS], values[WLT_MOST_WARPS];
    for (uint32_t i = 0; i < cta->front.warp_count; i++)
        if (!cursor_number(&in, &flow[i]) || !cursor_number(&in, &operands[i]) || (data && !cursor_number(&in, &values[i])))
            return false;
    for (uint32_t i = 0; i < cta->front.warp_count; i++)
        if (!cursor_slice(&in, flow[i], &cta->warps[i].flow))
            return false;
    for (uint32_t i = 0; i < cta->front.warp_count; i++)
        if (!cursor_slice(&in, operands[i], &cta->warps[i].operands))
            return false;
    for (uint32_t i = 0; i < cta->front.warp_count && data; i++)
        if (!cursor_slice(&in, values[i], &cta->warps[i].values))
            return false;
    return in.at == in.end;
}

static bool start_warps(const struct replay *r, struct replay_cta *cta)
{
    cta->barriers = (struct cta_barriers){ .live = UINT64_MAX >> (64 - cta->front.warp_count), .rule = r->front.barrier_rule };
    for (uint32_t i = 0; i < cta->front.warp_count; i++) {
        struct replay_warp *w = &cta->warps[i];
        w->front = (struct front_warp){ .active = UINT32_MAX };
        w->index = w->left = 0;
        if (!next_segment(r, w))
            return false;
        if (!w->front.next)
            cta->barriers.live &= ~(UINT64_C(1) << i);
    }
    return true;
}

static void replay_cta_end(struct front *front, struct front_cta *front_cta)
{
    struct replay *r = (struct replay *)front;
    struct replay_cta *cta = (struct replay_cta *)front_cta;
    cta->next_free = r->free_ctas;
    r->free_ctas = cta;
}

static struct front_cta *replay_cta_start(struct front *front, uint32_t cta_id, struct error *err)
{
    struct replay *r = (struct replay *)front, *whole = r->whole;
    struct replay_cta *cta = whole->free_ctas;
    if (cta)
        whole->free_ctas = cta->next_free;
    else
        cta = replay_cta_new(whole);
    cta->front = (struct front_cta){ cta_id, r->front.launch.warps_per_cta, cta->pointers };
    bool ok = r->source->fetch(r->source, cta_id, &cta->content, err);
    if (ok) {
        r->front.launch.code_count = r->source->launch.code_count;
        make_memory(r, cta);
        ok = (cut_streams(cta, r->image != NULL) && start_warps(r, cta)) ||
             r->source->damaged(r->source, cta_id, "its warps' streams make no sense", err);
    }
    if (ok)
        return &cta->front;
    replay_cta_end(&whole->front, &cta->front);
    return NULL;
}

static bool read_guard(struct replay_warp *w, struct warp_step *out)
{
    uint8_t form;
    uint64_t mask = 0;
    if (!cursor_byte(&w->operands, &form))
        return false;
    if (form == GUARD_NONE)
        out->executed = 0;
    if (form == GUARD_MASK) {
        if (!cursor_fixed(&w->operands, 4, &mask))
            return false;
        out->executed = (uint32_t)mask;
    }
    return form <= GUARD_MASK;
}

static bool read_barrier(struct replay_warp *w, struct warp_step *out)
{
    uint8_t head;
    if (!cursor_byte(&w->operands, &head))
        return false;
    if (head == WLT_NO_BARRIER)
        return true;
    out->barrier = head & BARRIER_NUMBER;
    out->barrier_waits = (head & BARRIER_WAITS) != 0;
    return !(head & BARRIER_COUNTED) || cursor_byte(&w->operands, &out->barrier_warps);
}

static bool read_lane_values(struct replay *r, struct replay_warp *w, struct warp_step *out)
{
    const uint32_t bytes = wlt_value_bytes(out->inst);
    for (uint32_t left = out->executed; left; left &= left - 1) {
        struct cursor value;
        const uint32_t lane = (uint32_t)__builtin_ctz(left);
        if (!cursor_slice(&w->values, bytes, &value))
            return false;
        memcpy(r->values + (size_t)lane * bytes, value.at, bytes);
        memory_image_write(r->image, r->address[lane], value.at, bytes);
    }
    if (out->inst->class == CLASS_STORE)
        out->store_data = r->values;
    return true;
}

static bool read_pieces(struct replay *r, struct replay_warp *w, struct warp_step *out)
{
    uint64_t address = 0, bytes;
    uint32_t count;
    if (!cursor_bounded(&w->values, (uint64_t)(w->values.end - w->values.at), &count))
        return false;
    if (count > r->wrote_room) {
        r->wrote_room = count;
        r->wrote = must_realloc(r->wrote, count * sizeof *r->wrote);
    }
    for (uint32_t i = 0; i < count; i++) {
        int64_t distance;
        struct cursor value;
        if (!cursor_signed(&w->values, &distance) || !cursor_number(&w->values, &bytes) || !cursor_slice(&w->values, bytes, &value))
            return false;
        address += (uint64_t)distance;
        memory_image_write(r->image, address, value.at, bytes);
        r->wrote[i] = (struct front_write){ address, bytes };
    }
    out->wrote = r->wrote;
    out->wrote_count = count;
    return true;
}

static bool read_values(struct replay *r, struct replay_warp *w, struct warp_step *out)
{
    uint8_t form;
    if (!cursor_byte(&w->values, &form))
        return false;
    switch (form) {
    case VALUES_NONE: return true;
    case VALUES_OF_LANES: return wlt_has_addresses(out->inst) && read_lane_values(r, w, out);
    case VALUES_ELSEWHERE: return read_pieces(r, w, out);
    default: return false;
    }
}

static bool read_operands(struct replay *r, struct replay_warp *w, struct warp_step *out)
{
    const struct inst *inst = out->inst;
    if (inst->guarded && !read_guard(w, out))
        return false;
    if (!out->executed)
        return true;
    if (wlt_has_addresses(inst))
        return lane_addresses_read(&w->operands, &w->memory[r->source->slots.slot[w->index]], out->executed, r->address,
                                   &out->space);
    return inst->class != CLASS_BARRIER || read_barrier(w, out);
}

static bool replay_step(struct front *front, struct front_cta *front_cta, uint32_t warp, struct warp_step *out, struct error *err)
{
    struct replay *r = (struct replay *)front;
    struct replay_cta *cta = (struct replay_cta *)front_cta;
    struct replay_warp *w = &cta->warps[warp];
    const uint32_t follower = w->index + 1;
    *out = (struct warp_step){ .inst = w->front.next,
                               .active = w->front.active,
                               .executed = w->front.active,
                               .address = r->address,
                               .barrier = FRONT_NO_BARRIER };
    if (!read_operands(r, w, out) || (r->image && out->executed && wlt_may_write(out->inst) && !read_values(r, w, out)) ||
        !advance(r, w) || (!w->front.next && w->values.at != w->values.end))
        return r->source->damaged(r->source, cta->front.id, "the stream of a warp makes no sense", err);
    out->local_lanes = 0;
    out->branch_taken = w->index != follower;
    if (out->barrier != FRONT_NO_BARRIER)
        barriers_arrive(&cta->barriers, out->barrier, out->barrier_warps, out->barrier_waits, warp, cta->pointers);
    if (!w->front.next)
        barriers_warp_ended(&cta->barriers, warp, cta->pointers);
    return true;
}

static void replay_destroy(struct front *front)
{
    struct replay *r = (struct replay *)front;
    for (struct replay_cta *cta = r->all_ctas, *next; cta; cta = next) {
        next = cta->next_all;
        bytes_free(&cta->content);
        free(cta->warps);
        free(cta->pointers);
        free(cta->memory);
        free(cta);
    }
    r->source->destroy(r->source);
    free(r->values);
    free(r->wrote);
    free(r);
}

static void replay_read_memory(struct front *front, uint64_t address, uint32_t bytes, void *out)
{
    memory_image_read(((struct replay *)front)->image, address, bytes, out);
}

static bool replay_next_memory(struct front *front, uint64_t from, uint64_t *start, uint64_t *bytes)
{
    uint64_t page;
    if (!memory_image_next(((struct replay *)front)->image, from / IMAGE_PAGE_BYTES, &page))
        return false;
    *start = page * IMAGE_PAGE_BYTES;
    *bytes = IMAGE_PAGE_BYTES;
    return true;
}

/* ---- views, for threads: a step changes its own CTA alone, and where there are no values that is all ------------------------ */

static void view_cta_end(struct front *front, struct front_cta *front_cta)
{
    struct replay *view = (struct replay *)front;
    struct replay_cta *cta = (struct replay_cta *)front_cta;
    cta->next_free = NULL;
    *view->last_ended = cta;
    view->last_ended = &cta->next_free;
}

static void view_settle(struct front *const *views, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        struct replay *view = (struct replay *)views[i];
        for (struct replay_cta *cta = view->ended, *next; cta; cta = next) {
            next = cta->next_free;
            replay_cta_end(&view->whole->front, &cta->front);
        }
        view->ended = NULL;
        view->last_ended = &view->ended;
    }
}

static void view_destroy(struct front *front)
{
    free(front);
}

static const struct front_ops view_ops = {
    .cta_start = replay_cta_start,
    .cta_end = view_cta_end,
    .step = replay_step,
    .after = replay_after,
    .destroy = view_destroy,
    .settle = view_settle,
};

static struct front *replay_view(struct front *front, const struct front_clock *clock, const char **why)
{
    (void)clock, (void)why;
    struct replay *view = must_calloc_aligned(1, sizeof *view);
    *view = *(struct replay *)front;
    view->front.ops = &view_ops;
    view->last_ended = &view->ended;
    return &view->front;
}

static const struct front_ops replay_ops = {
    .cta_start = replay_cta_start,
    .cta_end = replay_cta_end,
    .step = replay_step,
    .after = replay_after,
    .destroy = replay_destroy,
    .view = replay_view,
};
static const struct front_ops replay_ops_with_values = { .cta_start = replay_cta_start,
                                                         .cta_end = replay_cta_end,
                                                         .step = replay_step,
                                                         .after = replay_after,
                                                         .destroy = replay_destroy,
                                                         .read_memory = replay_read_memory,
                                                         .next_memory = replay_next_memory };

struct front *replay_new(struct cta_source *source)
{
    struct replay *r = must_calloc(1, sizeof *r);
    r->whole = r;
    r->front.ops = source->image ? &replay_ops_with_values : &replay_ops;
    r->front.barrier_rule = front_barrier_complete;
    r->front.launch = source->launch;
    r->source = source;
    r->code = source->launch.code;
    r->image = source->image;
    r->values = must_calloc(32, 256); /* the widest value is_sound lets pass */
    return &r->front;
}
