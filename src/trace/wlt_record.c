/* wlt_record.c - the front end that records another: what each step returned, per warp, until the CTA ends. */
#include "trace/memory_image.h"
#include "trace/warp_encoder.h"
#include "trace/wlt_writer.h"

struct cta_record {
    struct front_cta front; /* first: the machine sees this; its warps are the inner front end's */
    struct front_cta *inner;
    struct warp_encoder *warps;
    uint64_t instructions;
    struct cta_record *next_free, *next_all;
};

struct recorder {
    struct front front;
    struct front *inner;
    struct wlt_writer *writer;
    struct code_slots slots;
    struct cta_record *free_ctas, *all_ctas;
    struct bytes encoded;
    struct memory_image *image; /* NULL: values are not kept */
    uint8_t piece[IMAGE_PAGE_BYTES];
    const char *trouble;
};

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
    r->inner->barrier_rule = front->barrier_rule;
    struct front_cta *inner = r->inner->ops->cta_start(r->inner, cta_id, err);
    if (!inner)
        return NULL;
    r->front.launch.code_count = r->inner->launch.code_count; /* a text trace learns its code as it goes */
    struct cta_record *cta = r->free_ctas;
    if (cta)
        r->free_ctas = cta->next_free;
    else
        cta = cta_record_new(r);
    cta->inner = inner;
    cta->front = *inner;
    cta->instructions = 0;
    for (uint32_t i = 0; i < inner->warp_count; i++)
        warp_encoder_start(&cta->warps[i]);
    return &cta->front;
}

static void recorder_cta_end(struct front *front, struct front_cta *front_cta)
{
    struct recorder *r = (struct recorder *)front;
    struct cta_record *cta = (struct cta_record *)front_cta;
    uint64_t data_bytes = 0;
    for (uint32_t i = 0; i < cta->front.warp_count; i++)
        data_bytes += cta->warps[i].values.count;
    warp_encoders_join(cta->warps, cta->front.warp_count, r->image != NULL, &r->encoded);
    wlt_writer_cta(r->writer, cta->front.id, &r->encoded, cta->instructions, data_bytes);
    r->inner->ops->cta_end(r->inner, cta->inner);
    cta->next_free = r->free_ctas;
    r->free_ctas = cta;
}

/* What memory holds there after the step: the right value for plain stores and also for atomics whose lanes met. */
static void keep_values(struct recorder *r, struct bytes *out, uint64_t address, uint64_t bytes)
{
    for (uint64_t part; bytes; bytes -= part, address += part) {
        part = bytes < sizeof r->piece ? bytes : sizeof r->piece;
        r->inner->ops->read_memory(r->inner, address, (uint32_t)part, r->piece);
        bytes_append(out, r->piece, part);
        memory_image_write(r->image, address, r->piece, part);
    }
}

static void record_values(struct recorder *r, struct bytes *out, const struct warp_step *step)
{
    if (step->wrote_count) {
        uint64_t last = 0;
        bytes_put(out, VALUES_ELSEWHERE);
        bytes_number(out, step->wrote_count);
        for (uint32_t i = 0; i < step->wrote_count; i++) {
            bytes_signed(out, (int64_t)(step->wrote[i].address - last));
            bytes_number(out, step->wrote[i].bytes);
            keep_values(r, out, step->wrote[i].address, step->wrote[i].bytes);
            last = step->wrote[i].address;
        }
        return;
    }
    if (step->inst->class == CLASS_CALL || step->space != SPACE_GLOBAL) {
        bytes_put(out, VALUES_NONE);
        return;
    }
    bytes_put(out, VALUES_OF_LANES);
    for (uint32_t left = step->executed; left; left &= left - 1)
        keep_values(r, out, step->address[__builtin_ctz(left)], wlt_value_bytes(step->inst));
}

static bool recorder_step(struct front *front, struct front_cta *front_cta, uint32_t warp, struct warp_step *out, struct error *err)
{
    struct recorder *r = (struct recorder *)front;
    struct cta_record *cta = (struct cta_record *)front_cta;
    struct warp_encoder *w = &cta->warps[warp];
    if (!r->inner->ops->step(r->inner, cta->inner, warp, out, err)) {
        r->trouble = "failed";
        return false;
    }
    if (!out->inst->guarded && out->executed != out->active)
        panic("an instruction without a guard executed in part");
    warp_encoder_step(w, &r->slots, (uint32_t)(out->inst - r->inner->launch.code), out);
    if (r->image && out->executed && wlt_may_write(out->inst))
        record_values(r, &w->values, out);
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
        for (uint32_t i = 0; i < r->front.launch.warps_per_cta; i++)
            warp_encoder_free(&cta->warps[i]);
        free(cta->warps);
        free(cta);
    }
    bytes_free(&r->encoded);
    code_slots_clear(&r->slots);
    free(r);
}

static void recorder_read_memory(struct front *front, uint64_t address, uint32_t bytes, void *out)
{
    struct recorder *r = (struct recorder *)front;
    r->inner->ops->read_memory(r->inner, address, bytes, out);
}

static bool recorder_next_memory(struct front *front, uint64_t from, uint64_t *start, uint64_t *bytes)
{
    struct recorder *r = (struct recorder *)front;
    return r->inner->ops->next_memory(r->inner, from, start, bytes);
}

static const struct front_ops recorder_ops = { .cta_start = recorder_cta_start,
                                               .cta_end = recorder_cta_end,
                                               .step = recorder_step,
                                               .destroy = recorder_destroy,
                                               .read_memory = recorder_read_memory,
                                               .next_memory = recorder_next_memory };
/* Around a front end without values. */
static const struct front_ops recorder_ops_plain = {
    .cta_start = recorder_cta_start, .cta_end = recorder_cta_end, .step = recorder_step, .destroy = recorder_destroy
};

struct front *wlt_writer_record(struct wlt_writer *writer, struct front *inner)
{
    struct recorder *r = must_calloc(1, sizeof *r);
    r->front.ops = inner->ops->read_memory ? &recorder_ops : &recorder_ops_plain;
    r->front.barrier_rule = inner->barrier_rule;
    r->front.launch = inner->launch;
    r->inner = inner;
    r->writer = writer;
    r->image = wlt_writer_image(writer);
    if (r->image && !inner->ops->read_memory)
        panic("values are to be kept of a front end that has none");
    code_slots_init(&r->slots, inner->launch.code_count);
    wlt_writer_kernel_start(writer, inner);
    return &r->front;
}
