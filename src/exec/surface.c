/* surface.c - suld, sust, sured: texture views as memory, by bytes or by elements. */
#include "exec/texture.h"

#include <string.h>

/* The surface element that a lane names: x counts bytes, y and z count rows and slices. NULL: outside, or a fault. */
static uint8_t *surface_at(struct warp *w, const struct xop *x, uint32_t lane, const struct texture_view *v, uint32_t bytes,
                           bool *fault)
{
    const struct texture_site *site = x->texture;
    bool has_layer = site->geometry == GEOMETRY_A1D || site->geometry == GEOMETRY_A2D;
    uint32_t texel = v->channels * (v->channel_bits / 8u), first = has_layer ? 1 : 0;
    int64_t at[3] = { 0, 0, 0 }, size[3] = { (int64_t)v->width * texel, v->height ? v->height : 1, v->depth ? v->depth : 1 };
    uint32_t dimensions = site->geometry == GEOMETRY_3D                                     ? 3
                          : site->geometry == GEOMETRY_2D || site->geometry == GEOMETRY_A2D ? 2
                                                                                            : 1;
    for (uint32_t d = 0; d < dimensions; d++)
        at[d] = (int32_t)operand_lane(w, site->coordinate[first + d], lane);
    at[0] *= site->is_formatted ? texel : 1;
    if (has_layer)
        at[2] = (int32_t)operand_lane(w, site->coordinate[0], lane);
    *fault = false;
    for (uint32_t d = 0; d < 3; d++) {
        int64_t last = d == 0 ? size[0] - bytes : size[d] - 1;
        if (at[d] >= 0 && at[d] <= last)
            continue;
        if (site->clamp == SURFACE_CLAMP) {
            at[d] = at[d] < 0 ? 0 : last;
        } else {
            *fault = site->clamp != SURFACE_ZERO;
            if (*fault)
                fault_plain(w, x, lane, "surface access at (%lld,%lld,%lld), outside (%lld bytes, %lld, %lld)", (long long)at[0],
                            (long long)at[1], (long long)at[2], (long long)size[0], (long long)size[1], (long long)size[2]);
            return NULL;
        }
    }
    uint64_t address = v->address + (uint64_t)at[2] * v->slice_bytes + (uint64_t)at[1] * v->pitch_bytes + (uint64_t)at[0];
    w->run->address[lane] = address;
    uint8_t *host = memory_host(&w->run->device->memory, address, bytes);
    if (!host && !(host = fault_access(w, x, lane, address, bytes, x->inst->op != OP_SULD, NULL)))
        *fault = true;
    return host;
}

/* Every lane's element lies inside a view that is one piece of memory: fills run->address and run->host. False: lanes must be
 * looked at one by one. */
static bool surface_at_once(struct warp *w, const struct texture_site *site, const struct texture_view *v, uint32_t mask,
                            uint32_t bytes)
{
    struct run *run = w->run;
    const uint32_t dimensions = site->geometry == GEOMETRY_1D ? 1 : site->geometry == GEOMETRY_2D ? 2 : 3;
    const int64_t rows = v->height ? v->height : 1, slices = v->depth ? v->depth : 1,
                  width = (int64_t)v->width * v->channels * (v->channel_bits / 8u);
    const int64_t last[3] = { width - bytes, rows - 1, slices - 1 };
    const uint64_t step[3] = { 1, v->pitch_bytes, v->slice_bytes };
    uint32_t outside = 0;
    if (site->geometry != GEOMETRY_1D && site->geometry != GEOMETRY_2D && site->geometry != GEOMETRY_3D)
        return false;
    uint8_t *host = memory_host(&run->device->memory, v->address,
                                (uint64_t)(slices - 1) * v->slice_bytes + (uint64_t)(rows - 1) * v->pitch_bytes + (uint64_t)width);
    if (!host)
        return false;
    for (uint32_t lane = 0; lane < LANES; lane++)
        run->address[lane] = 0;
    for (uint32_t d = 0; d < dimensions; d++) {
        const int32_t *at = operand_at(w, site->coordinate[d]);
        if (site->coordinate[d].width != 4)
            return false;
        for (uint32_t lane = 0; lane < LANES; lane++) {
            outside |= (at[lane] < 0 || at[lane] > last[d]) ? mask & 1u << lane : 0;
            run->address[lane] += (uint64_t)(int64_t)at[lane] * step[d];
        }
    }
    for (uint32_t left = outside ? 0 : mask; left; left &= left - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(left);
        run->host[lane] = host + run->address[lane];
        run->address[lane] += v->address;
    }
    return outside == 0;
}

/* Elements of 32 bits in registers of 32 bits. */
static void surface_move_words(struct warp *w, const struct xop *x, uint32_t mask)
{
    const struct texture_site *site = x->texture;
    struct run *run = w->run;
    for (uint32_t e = 0; e < site->elements && x->inst->op == OP_SULD; e++) {
        uint32_t *to = frame_at(w, site->value[e].offset);
        for (uint32_t left = site->sink[e] ? 0 : mask; left; left &= left - 1)
            memcpy(to + __builtin_ctz(left), run->host[__builtin_ctz(left)] + 4 * e, 4);
    }
    for (uint32_t left = x->inst->op == OP_SULD ? 0 : mask; left; left &= left - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(left);
        for (uint32_t e = 0; e < site->elements; e++) {
            memcpy(run->host[lane] + 4 * e, (const uint32_t *)operand_at(w, site->value[e]) + lane, 4);
            run_note_write(run, run->address[lane] + 4 * e, 4);
        }
    }
    run->space = SPACE_GLOBAL;
}

static bool has_words(const struct texture_site *site)
{
    bool fits = ptx_type_bytes(site->type) == 4 && !site->is_formatted;
    for (uint32_t e = 0; e < site->elements; e++)
        fits = fits && (site->sink[e] || site->value[e].width == 4);
    return fits;
}

void surface_access(struct warp *w, const struct xop *x, uint32_t mask)
{
    const struct texture_site *site = x->texture;
    const struct texture_view *const common = texture_common_view(w, x->texture, mask); /* looked up once */
    if (common && has_words(site) && surface_at_once(w, site, common, mask, 4u * site->elements)) {
        surface_move_words(w, x, mask);
        return;
    }
    for (uint32_t left = mask; left; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left);
        const struct texture_view *v = common ? common : texture_of(w, x, lane);
        if (!v)
            return;
        uint32_t bytes = ptx_type_bytes(site->type), elements = site->elements;
        bool fault;
        uint8_t *host = surface_at(w, x, lane, v, bytes * elements, &fault);
        if (fault)
            return;
        for (uint32_t e = 0; e < elements; e++) {
            uint64_t value = 0;
            if (x->inst->op == OP_SULD) {
                if (host)
                    memcpy(&value, host + e * bytes, bytes);
                if (!site->sink[e])
                    frame_set_lane(w, site->value[e].offset, site->value[e].width, lane, value);
            } else if (host) {
                value = operand_lane(w, site->value[e], lane);
                memcpy(host + e * bytes, &value, bytes);
                run_note_write(w->run, w->run->address[lane] + e * bytes, bytes);
            }
        }
    }
    w->run->space = SPACE_GLOBAL;
}

/* sured.p says how wide a sample is; whether it has a sign is the surface's affair. T_NONE: the surface has no such samples. */
static uint8_t sample_type(const struct texture_site *site, const struct texture_view *v)
{
    const uint32_t bytes = ptx_type_bytes(site->type);
    const bool is_signed = v->element == ELEMENT_SIGNED;
    if (!site->is_formatted)
        return site->type;
    if (v->element == ELEMENT_FLOAT || v->channels * (v->channel_bits / 8u) != bytes)
        return T_NONE;
    return bytes == 4 ? (is_signed ? T_S32 : T_U32) : is_signed ? T_S64 : T_U64;
}

/* sured: an operation on the bytes or on the sample that a lane names, lane after lane. */
void surface_reduce(struct warp *w, const struct xop *x, uint32_t mask)
{
    const struct texture_site *site = x->texture;
    const uint32_t bytes = ptx_type_bytes(site->type);
    const struct texture_view *const common = texture_common_view(w, x->texture, mask); /* looked up once */
    for (uint32_t left = mask; left; left &= left - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(left);
        const struct texture_view *v = common ? common : texture_of(w, x, lane);
        bool fault = true;
        uint64_t value = 0;
        uint8_t *host = v ? surface_at(w, x, lane, v, bytes, &fault) : NULL;
        if (fault)
            return;
        if (!host)
            continue;
        const uint8_t type = sample_type(site, v);
        if (type == T_NONE) {
            fault_plain(w, x, lane, "sured.p needs a surface of one integer of %u bits to a sample", 8 * bytes);
            return;
        }
        memcpy(&value, host, bytes);
        value = atomic_combine(x->inst->mod.atomic, type, value, operand_lane(w, site->value[0], lane));
        memcpy(host, &value, bytes);
        run_note_write(w->run, w->run->address[lane], bytes);
    }
    w->run->space = SPACE_GLOBAL;
}

/* A register's value in the form of the surface's elements: floats are narrowed, integers lose their upper bits. */
static uint64_t formatted(uint64_t value, const struct texture_view *v)
{
    float single;
    const uint32_t bits = (uint32_t)value;
    memcpy(&single, &bits, sizeof single);
    return v->element == ELEMENT_FLOAT && v->channel_bits == 16 ? half_from_double((double)single, ROUND_RN) : bits;
}

void surface_store_formatted(struct warp *w, const struct xop *x, uint32_t mask)
{
    const struct texture_site *site = x->texture;
    const struct texture_view *const common = texture_common_view(w, x->texture, mask); /* looked up once */
    for (uint32_t left = mask; left; left &= left - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(left);
        const struct texture_view *v = common ? common : texture_of(w, x, lane);
        if (!v)
            return;
        const uint32_t bytes = v->channel_bits / 8u;
        bool fault;
        uint8_t *host = surface_at(w, x, lane, v, bytes * v->channels, &fault);
        if (fault)
            return;
        for (uint32_t e = 0; host && e < v->channels; e++) {
            const uint64_t value = e < site->elements ? formatted(operand_lane(w, site->value[e], lane), v) : 0;
            memcpy(host + e * bytes, &value, bytes);
            run_note_write(w->run, w->run->address[lane] + e * bytes, bytes);
        }
    }
    w->run->space = SPACE_GLOBAL;
}
