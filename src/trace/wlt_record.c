/* wlt_record.c - the front end that records another: what each step returned, per warp, until the CTA ends. */
#include "trace/lane_addresses.h"
#include "trace/wlt_writer.h"

struct warp_record {
    struct bytes flow, operands;
    uint32_t next;     /* instruction that follows the last one */
    uint32_t mask;
    uint32_t pending;  /* instructions of the segment that is open */
    uint32_t jumped;   /* of the open segment: its FLOW_ bits */
    int64_t distance;
    struct lane_memory *memory; /* per instruction with addresses, see recorder.slot */
    uint32_t memory_room;
};

struct cta_record {
    struct front_cta front; /* first: the machine sees this; its warps are the inner front end's */
    struct front_cta *inner;
    struct warp_record *warps;
    uint64_t instructions, data_bytes;
    struct cta_record *next_free, *next_all;
};

struct recorder {
    struct front front;
    struct front *inner;
    struct wlt_writer *writer;
    uint32_t *slot;         /* per instruction: its place in warp_record.memory, given when it is first seen; UINT32_MAX before */
    uint32_t slot_count;
    struct cta_record *free_ctas, *all_ctas;
    struct bytes encoded;
    bool data;
    const char *trouble;
};

static void segment_close(struct warp_record *w)
{
    if (!w->pending)
        return;
    bytes_number(&w->flow, (uint64_t)w->pending << FLOW_BITS | w->jumped);
    if (w->jumped & FLOW_JUMP)
        bytes_signed(&w->flow, w->distance);
    if (w->jumped & FLOW_MASK)
        bytes_fixed(&w->flow, w->mask, 4);
    w->pending = w->jumped = 0;
}

static void record_flow(struct warp_record *w, uint32_t index, uint32_t active)
{
    if (index != w->next || active != w->mask) {
        segment_close(w);
        w->jumped = (index != w->next ? FLOW_JUMP : 0) | (active != w->mask ? FLOW_MASK : 0);
        w->distance = (int64_t)index - (int64_t)w->next;
        w->mask = active;
    }
    w->pending++;
    w->next = index + 1;
}

static void record_barrier(struct warp_record *w, const struct warp_step *step)
{
    if (step->barrier == FRONT_NO_BARRIER) {
        bytes_put(&w->operands, WLT_NO_BARRIER);
        return;
    }
    bytes_put(&w->operands, (uint8_t)(step->barrier | (step->barrier_waits ? BARRIER_WAITS : 0) | (step->barrier_warps ? BARRIER_COUNTED : 0)));
    if (step->barrier_warps)
        bytes_put(&w->operands, step->barrier_warps);
}

static void record_values(struct cta_record *cta, struct warp_record *w, const struct warp_step *step)
{
    const uint32_t bytes = wlt_value_bytes(step->inst);
    bytes_put(&w->operands, step->store_data ? VALUES_GIVEN : VALUES_NONE);
    for (uint32_t left = step->store_data ? step->executed : 0; left; left &= left - 1) {
        bytes_append(&w->operands, (const uint8_t *)step->store_data + (size_t)__builtin_ctz(left) * bytes, bytes);
        cta->data_bytes += bytes;
    }
}

static struct lane_memory *memory_of(struct recorder *r, struct warp_record *w, uint32_t index)
{
    if (r->slot[index] == UINT32_MAX)
        r->slot[index] = r->slot_count++;
    if (r->slot[index] >= w->memory_room) {
        const uint32_t room = r->slot_count * 2 + 6;
        w->memory = must_realloc(w->memory, room * sizeof *w->memory);
        memset(w->memory + w->memory_room, 0, (room - w->memory_room) * sizeof *w->memory);
        w->memory_room = room;
    }
    return &w->memory[r->slot[index]];
}

static void record_operands(struct recorder *r, struct cta_record *cta, struct warp_record *w, const struct warp_step *step)
{
    const struct inst *inst = step->inst;
    if (inst->guarded) {
        bytes_put(&w->operands, step->executed == step->active ? GUARD_ALL : step->executed ? GUARD_MASK : GUARD_NONE);
        if (step->executed != step->active && step->executed)
            bytes_fixed(&w->operands, step->executed, 4);
    }
    if (!step->executed)
        return;
    if (wlt_has_addresses(inst)) {
        lane_addresses_write(&w->operands, memory_of(r, w, (uint32_t)(inst - r->inner->launch.code)), step->executed, step->address,
                             step->space);
        if (r->data && inst->class == CLASS_STORE)
            record_values(cta, w, step);
    } else if (inst->class == CLASS_BARRIER) {
        record_barrier(w, step);
    }
}

static struct cta_record *cta_record_new(struct recorder *r)
{
    struct cta_record *cta = must_calloc(1, sizeof *cta);
    cta->warps = must_calloc(r->front.launch.warps_per_cta, sizeof *cta->warps);
    cta->next_all = r->all_ctas;
    r->all_ctas = cta;
    return cta;
}

static struct front_cta *recorder_cta_start(struct front *front, uint32_t cta_id, struct error *err)
{
    struct recorder *r = (struct recorder *)front;
    struct front_cta *inner = r->inner->ops->cta_start(r->inner, cta_id, err);
    if (!inner)
        return NULL;
    struct cta_record *cta = r->free_ctas;
    if (cta)
        r->free_ctas = cta->next_free;
    else
        cta = cta_record_new(r);
    cta->inner = inner;
    cta->front = *inner;
    cta->instructions = cta->data_bytes = 0;
    for (uint32_t i = 0; i < inner->warp_count; i++) {
        struct warp_record *w = &cta->warps[i];
        w->flow.count = w->operands.count = 0;
        w->next = w->pending = w->jumped = 0;
        w->mask = UINT32_MAX;
        if (w->memory_room)
            memset(w->memory, 0, w->memory_room * sizeof *w->memory);
    }
    return &cta->front;
}

static void recorder_cta_end(struct front *front, struct front_cta *front_cta)
{
    struct recorder *r = (struct recorder *)front;
    struct cta_record *cta = (struct cta_record *)front_cta;
    struct bytes *out = &r->encoded;
    out->count = 0;
    for (uint32_t i = 0; i < cta->front.warp_count; i++) {
        struct warp_record *w = &cta->warps[i];
        segment_close(w);
        bytes_number(&w->flow, 0);
        bytes_number(out, w->flow.count);
        bytes_number(out, w->operands.count);
    }
    for (uint32_t i = 0; i < cta->front.warp_count; i++)
        bytes_append(out, cta->warps[i].flow.data, cta->warps[i].flow.count);
    for (uint32_t i = 0; i < cta->front.warp_count; i++)
        bytes_append(out, cta->warps[i].operands.data, cta->warps[i].operands.count);
    wlt_writer_cta(r->writer, cta->front.id, out, cta->instructions, cta->data_bytes);
    r->inner->ops->cta_end(r->inner, cta->inner);
    cta->next_free = r->free_ctas;
    r->free_ctas = cta;
}

static bool recorder_step(struct front *front, struct front_cta *front_cta, uint32_t warp, struct warp_step *out, struct error *err)
{
    struct recorder *r = (struct recorder *)front;
    struct cta_record *cta = (struct cta_record *)front_cta;
    struct warp_record *w = &cta->warps[warp];
    if (!r->inner->ops->step(r->inner, cta->inner, warp, out, err)) {
        r->trouble = "failed";
        return false;
    }
    if (!out->inst->guarded && out->executed != out->active)
        panic("an instruction without a guard executed in part");
    record_flow(w, (uint32_t)(out->inst - r->inner->launch.code), out->active);
    record_operands(r, cta, w, out);
    cta->instructions++;
    return true;
}

static void recorder_destroy(struct front *front)
{
    struct recorder *r = (struct recorder *)front;
    wlt_writer_kernel_end(r->writer, &r->inner->launch, r->trouble);
    r->inner->ops->destroy(r->inner);
    for (struct cta_record *cta = r->all_ctas, *next; cta; cta = next) {
        next = cta->next_all;
        for (uint32_t i = 0; i < r->front.launch.warps_per_cta; i++) {
            bytes_free(&cta->warps[i].flow);
            bytes_free(&cta->warps[i].operands);
            free(cta->warps[i].memory);
        }
        free(cta->warps);
        free(cta);
    }
    bytes_free(&r->encoded);
    free(r->slot);
    free(r);
}

static void recorder_read_memory(struct front *front, uint64_t address, uint32_t bytes, void *out)
{
    struct recorder *r = (struct recorder *)front;
    r->inner->ops->read_memory(r->inner, address, bytes, out);
}

static const struct front_ops recorder_ops = { recorder_cta_start, recorder_cta_end, recorder_step, recorder_destroy,
                                               recorder_read_memory };
/* Around a front end without values. */
static const struct front_ops recorder_ops_plain = { recorder_cta_start, recorder_cta_end, recorder_step, recorder_destroy, NULL };

struct front *wlt_writer_record(struct wlt_writer *writer, struct front *inner)
{
    struct recorder *r = must_calloc(1, sizeof *r);
    r->front.ops = inner->ops->read_memory ? &recorder_ops : &recorder_ops_plain;
    r->front.launch = inner->launch;
    r->inner = inner;
    r->writer = writer;
    r->data = wlt_writer_keeps_data(writer);
    r->slot = must_calloc(inner->launch.code_count, sizeof *r->slot);
    memset(r->slot, 0xff, inner->launch.code_count * sizeof *r->slot);
    wlt_writer_kernel_start(writer, &inner->launch);
    return &r->front;
}
