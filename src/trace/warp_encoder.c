/* warp_encoder.c - writes the streams of a warp step by step while it is recorded. */
#include "trace/warp_encoder.h"

void code_slots_init(struct code_slots *slots, uint32_t code_count)
{
    *slots = (struct code_slots){ 0 };
    code_slots_grow(slots, code_count);
}

void code_slots_grow(struct code_slots *slots, uint32_t code_count)
{
    const uint32_t room = code_count < slots->room * 2 ? slots->room * 2 : code_count;
    slots->slot = must_realloc(slots->slot, room * sizeof *slots->slot);
    memset(slots->slot + slots->room, 0xff, (room - slots->room) * sizeof *slots->slot);
    slots->room = room;
}

void code_slots_clear(struct code_slots *slots)
{
    free(slots->slot);
    *slots = (struct code_slots){ 0 };
}

static void segment_close(struct warp_encoder *w)
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

static void encode_flow(struct warp_encoder *w, uint32_t index, uint32_t active)
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

static void encode_barrier(struct warp_encoder *w, const struct warp_step *step)
{
    if (step->barrier == FRONT_NO_BARRIER) {
        bytes_put(&w->operands, WLT_NO_BARRIER);
        return;
    }
    bytes_put(&w->operands,
              (uint8_t)(step->barrier | (step->barrier_waits ? BARRIER_WAITS : 0) | (step->barrier_warps ? BARRIER_COUNTED : 0)));
    if (step->barrier_warps)
        bytes_put(&w->operands, step->barrier_warps);
}

static struct lane_memory *memory_of(struct code_slots *slots, struct warp_encoder *w, uint32_t index)
{
    const uint32_t slot = code_slots_of(slots, index);
    if (slot >= w->memory_room) {
        const uint32_t room = slots->count * 2 + 6;
        w->memory = must_realloc(w->memory, room * sizeof *w->memory);
        memset(w->memory + w->memory_room, 0, (room - w->memory_room) * sizeof *w->memory);
        w->memory_room = room;
    }
    return &w->memory[slot];
}

static void encode_operands(struct warp_encoder *w, struct code_slots *slots, uint32_t index, const struct warp_step *step)
{
    const struct inst *inst = step->inst;
    if (inst->guarded) {
        bytes_put(&w->operands, step->executed == step->active ? GUARD_ALL : step->executed ? GUARD_MASK : GUARD_NONE);
        if (step->executed != step->active && step->executed)
            bytes_fixed(&w->operands, step->executed, 4);
    }
    if (!step->executed)
        return;
    if (wlt_has_addresses(inst))
        lane_addresses_write(&w->operands, memory_of(slots, w, index), step->executed, step->address, step->space);
    else if (inst->class == CLASS_BARRIER)
        encode_barrier(w, step);
}

void warp_encoder_start(struct warp_encoder *w)
{
    w->flow.count = w->operands.count = w->values.count = 0;
    w->next = w->pending = w->jumped = 0;
    w->mask = UINT32_MAX;
    if (w->memory_room)
        memset(w->memory, 0, w->memory_room * sizeof *w->memory);
}

void warp_encoder_step(struct warp_encoder *w, struct code_slots *slots, uint32_t index, const struct warp_step *step)
{
    encode_flow(w, index, step->active);
    encode_operands(w, slots, index, step);
}

void warp_encoder_end(struct warp_encoder *w)
{
    segment_close(w);
    bytes_number(&w->flow, 0);
}

void warp_encoders_join(struct warp_encoder *warps, uint32_t count, bool data, struct bytes *out)
{
    out->count = 0;
    for (uint32_t i = 0; i < count; i++) {
        warp_encoder_end(&warps[i]);
        bytes_number(out, warps[i].flow.count);
        bytes_number(out, warps[i].operands.count);
        if (data)
            bytes_number(out, warps[i].values.count);
    }
    for (uint32_t i = 0; i < count; i++)
        bytes_append(out, warps[i].flow.data, warps[i].flow.count);
    for (uint32_t i = 0; i < count; i++)
        bytes_append(out, warps[i].operands.data, warps[i].operands.count);
    for (uint32_t i = 0; i < count && data; i++)
        bytes_append(out, warps[i].values.data, warps[i].values.count);
}

void warp_encoder_free(struct warp_encoder *w)
{
    bytes_free(&w->flow);
    bytes_free(&w->operands);
    bytes_free(&w->values);
    free(w->memory);
}
