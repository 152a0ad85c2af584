/* texture.c - tex, tld4, txq, suq: filtered and unfiltered reads of texture views. Surfaces are in surface.c.
 *
 * Linear filtering weighs with 8 fractional bits, as the hardware's 1.8 fixed point does. Sums are formed in double and rounded
 * once. Integers that are read as parts of 1 are weighed as they are, which is exact for up to 16 bits, and divided once, at the
 * end; CUDA's documents say nothing about either. Only one level of detail exists: .level and .grad read it whatever they ask
 * for. */
#include "exec/texture.h"

#include <math.h>
#include <string.h>

struct texel {
    double channel[4]; /* of normalised integers: times one_of() */
    uint32_t raw[4];
    bool is_sum; /* of several: what is no number is the canonical one */
};

const struct texture_view *texture_of(struct warp *w, const struct xop *x, uint32_t lane)
{
    const struct texture_site *site = x->texture;
    const struct device *device = w->run->device;
    const struct texture_view *view = NULL;
    if (site->name) {
        view = device_find_binding(device, site->module, site->name);
        if (!view)
            fault_plain(w, x, lane, "texture or surface %s has nothing bound to it", site->name);
        return view;
    }
    uint64_t handle = operand_lane(w, site->handle, lane);
    view = device_find_texture(device, handle);
    if (!view)
        fault_plain(w, x, lane, "0x%llx is no texture or surface object, nor a reference with something bound to it",
                    (unsigned long long)handle);
    return view;
}

const struct texture_view *texture_common_view(const struct warp *w, const struct texture_site *site, uint32_t mask)
{
    const struct device *device = w->run->device;
    if (site->name)
        return device_find_binding(device, site->module, site->name);
    const uint32_t first = (uint32_t)__builtin_ctz(mask);
    const uint64_t handle = operand_lane(w, site->handle, first);
    if (site->handle.width == 8) {
        const uint64_t *handles = operand_at(w, site->handle);
        uint64_t others = 0;
        for (uint32_t lane = 0; lane < LANES; lane++)
            others |= mask >> lane & 1 ? handles[lane] ^ handle : 0;
        return others ? NULL : device_find_texture(device, handle);
    }
    for (uint32_t left = mask; left; left &= left - 1)
        if (operand_lane(w, site->handle, (uint32_t)__builtin_ctz(left)) != handle)
            return NULL;
    return device_find_texture(device, handle);
}

/* What stands for 1 in normalised integers. */
static double one_of(const struct texture_view *v)
{
    if (!v->normalized_float || v->element == ELEMENT_FLOAT)
        return 1.0;
    return (double)(UINT32_MAX >> (32u - v->channel_bits + (v->element == ELEMENT_SIGNED ? 1 : 0)));
}

static double decode_channel(uint32_t raw, const struct texture_view *v)
{
    uint32_t bits = v->channel_bits;
    if (v->element == ELEMENT_FLOAT) {
        float f;
        if (bits == 16)
            return (double)half_to_float((uint16_t)raw);
        memcpy(&f, &raw, sizeof f);
        return (double)f;
    }
    double value = v->element == ELEMENT_SIGNED ? (double)sign_extend(raw, bits) : (double)raw;
    return v->normalized_float && value < -one_of(v) ? -one_of(v) : value;
}

/* The address of a texel inside the view, already wrapped or clamped. */
static uint64_t texel_address(const struct texture_view *v, uint32_t i, uint32_t j, uint32_t k)
{
    return v->address + k * v->slice_bytes + j * v->pitch_bytes + (uint64_t)i * v->channels * (v->channel_bits / 8);
}

static bool read_texel(struct warp *w, const struct xop *x, uint32_t lane, const struct texture_view *v, uint64_t address,
                       struct texel *t)
{
    uint32_t bytes = v->channel_bits / 8u;
    const uint8_t *host = memory_host(&w->run->device->memory, address, (uint64_t)bytes * v->channels);
    *t = (struct texel){ .channel = { 0, 0, 0, one_of(v) } };
    if (!host && !(host = fault_access(w, x, lane, address, bytes * v->channels, false, NULL)))
        return false;
    for (uint32_t c = 0; c < v->channels; c++) {
        memcpy(&t->raw[c], host + c * bytes, bytes);
        t->channel[c] = decode_channel(t->raw[c], v);
        if (v->element == ELEMENT_SIGNED)
            t->raw[c] = (uint32_t)sign_extend(t->raw[c], v->channel_bits);
    }
    return true;
}

/* Applies the address mode to an index. False: it is outside, and the border colour counts. */
static bool place_index(int64_t at, uint32_t size, uint8_t mode, uint32_t *out)
{
    int64_t n = size ? size : 1;
    switch (mode) {
    case ADDRESS_WRAP: at = (at % n + n) % n; break;
    case ADDRESS_MIRROR: {
        int64_t period = (at % (2 * n) + 2 * n) % (2 * n);
        at = period < n ? period : 2 * n - 1 - period;
        break;
    }
    case ADDRESS_BORDER:
        if (at < 0 || at >= n)
            return false;
        break;
    default: at = at < 0 ? 0 : at >= n ? n - 1 : at; break;
    }
    *out = (uint32_t)at;
    return true;
}

/* Wrap and mirror exist for normalised coordinates only; else they act as clamp. */
static uint8_t mode_of(const struct texture_view *v, uint32_t dimension)
{
    uint8_t mode = v->address_mode[dimension];
    return !v->normalized_coordinates && (mode == ADDRESS_WRAP || mode == ADDRESS_MIRROR) ? ADDRESS_CLAMP : mode;
}

static bool fetch(struct warp *w, const struct xop *x, uint32_t lane, const struct texture_view *v, const int64_t at[3],
                  uint32_t dimensions, uint32_t layer, struct texel *t)
{
    uint32_t index[3] = { 0, 0, layer }, size[3] = { v->width, v->height, v->depth };
    for (uint32_t d = 0; d < dimensions; d++)
        if (!place_index(at[d], size[d], mode_of(v, d), &index[d])) {
            *t = (struct texel){ 0 };
            for (uint32_t c = 0; c < 4; c++)
                t->channel[c] = (double)v->border[c] * one_of(v);
            return true;
        }
    uint64_t address = texel_address(v, index[0], index[1], index[2]);
    w->run->address[lane] = address;
    return read_texel(w, x, lane, v, address, t);
}

static bool sample_point(struct warp *w, const struct xop *x, uint32_t lane, const struct texture_view *v, const double c[3],
                         uint32_t dimensions, uint32_t layer, struct texel *t)
{
    int64_t at[3] = { 0, 0, 0 };
    for (uint32_t d = 0; d < dimensions; d++)
        at[d] = (int64_t)floor(c[d]);
    return fetch(w, x, lane, v, at, dimensions, layer, t);
}

static bool sample_linear(struct warp *w, const struct xop *x, uint32_t lane, const struct texture_view *v, const double c[3],
                          uint32_t dimensions, uint32_t layer, struct texel *t)
{
    int64_t base[3] = { 0, 0, 0 };
    double weight[3] = { 0, 0, 0 };
    *t = (struct texel){ .is_sum = true };
    for (uint32_t d = 0; d < dimensions; d++) {
        base[d] = (int64_t)floor(c[d] - 0.5);
        weight[d] = floor((c[d] - 0.5 - (double)base[d]) * 256.0 + 0.5) / 256.0;
    }
    for (uint32_t corner = 1u << dimensions; corner-- > 0;) { /* corner 0 last: its address is what the machine sees */
        int64_t at[3];
        double share = 1.0;
        struct texel one;
        for (uint32_t d = 0; d < 3; d++) {
            bool upper = corner >> d & 1;
            at[d] = base[d] + upper;
            if (d < dimensions)
                share *= upper ? weight[d] : 1.0 - weight[d];
        }
        if (!fetch(w, x, lane, v, at, dimensions, layer, &one))
            return false;
        for (uint32_t k = 0; k < 4; k++)
            t->channel[k] += share * one.channel[k];
    }
    return true;
}

/* The face of a cube map that a direction hits, and where: the major axis decides. */
static uint32_t cube_face(const double d[3], double *u, double *v)
{
    double ax = fabs(d[0]), ay = fabs(d[1]), az = fabs(d[2]), m, s, t;
    uint32_t face;
    if (ax >= ay && ax >= az) {
        face = d[0] >= 0 ? 0u : 1u;
        m = ax;
        s = d[0] >= 0 ? -d[2] : d[2];
        t = -d[1];
    } else if (ay >= az) {
        face = d[1] >= 0 ? 2u : 3u;
        m = ay;
        s = d[0];
        t = d[1] >= 0 ? d[2] : -d[2];
    } else {
        face = d[2] >= 0 ? 4u : 5u;
        m = az;
        s = d[2] >= 0 ? d[0] : -d[0];
        t = -d[1];
    }
    *u = (s / m + 1.0) / 2.0;
    *v = (t / m + 1.0) / 2.0;
    return face;
}

struct place {
    double c[3];
    uint32_t dimensions, layer;
};

static double coordinate(const struct warp *w, const struct texture_site *site, uint32_t index, uint32_t lane)
{
    uint32_t bits = (uint32_t)operand_lane(w, site->coordinate[index], lane);
    float f;
    if (!site->float_coordinates)
        return (double)(int32_t)bits;
    memcpy(&f, &bits, sizeof f);
    return f != f ? 0.0 : (double)f;
}

static struct place place_of(const struct warp *w, const struct texture_site *site, const struct texture_view *v, uint32_t lane)
{
    static const uint8_t dimensions[] = { [GEOMETRY_1D] = 1,  [GEOMETRY_2D] = 2,   [GEOMETRY_3D] = 3,   [GEOMETRY_A1D] = 1,
                                          [GEOMETRY_A2D] = 2, [GEOMETRY_CUBE] = 3, [GEOMETRY_ACUBE] = 3 };
    bool has_layer = site->geometry == GEOMETRY_A1D || site->geometry == GEOMETRY_A2D || site->geometry == GEOMETRY_ACUBE;
    bool is_cube = site->geometry == GEOMETRY_CUBE || site->geometry == GEOMETRY_ACUBE;
    struct place p = { .dimensions = dimensions[site->geometry] };
    uint32_t first = has_layer ? 1 : 0, size[3] = { v->width, v->height, v->depth };
    if (has_layer) {
        uint32_t layers = is_cube ? v->depth / 6 : v->depth;
        p.layer = (uint32_t)operand_lane(w, site->coordinate[0], lane);
        p.layer = layers && p.layer >= layers ? layers - 1 : p.layer;
    }
    for (uint32_t d = 0; d < p.dimensions; d++)
        p.c[d] = coordinate(w, site, first + d, lane);
    if (is_cube) {
        double direction[3] = { p.c[0], p.c[1], p.c[2] };
        p.layer = p.layer * 6 + cube_face(direction, &p.c[0], &p.c[1]);
        p.c[0] *= v->width;
        p.c[1] *= v->height;
        p.dimensions = 2;
    } else if (v->normalized_coordinates && site->float_coordinates) {
        for (uint32_t d = 0; d < p.dimensions; d++)
            p.c[d] *= size[d] ? size[d] : 1;
    }
    return p;
}

static uint64_t result_bits(const struct texel *t, uint32_t channel, const struct texture_site *site, const struct texture_view *v)
{
    if (type_is_float(site->type)) {
        const double value = t->channel[channel] / one_of(v);
        float f = (float)value;
        uint32_t bits;
        if (site->type == T_F16)
            return half_from_double(value, ROUND_RN);
        if (f != f && t->is_sum)
            return 0x7fffffffu;
        memcpy(&bits, &f, sizeof bits);
        return bits;
    }
    return channel < v->channels ? t->raw[channel] : channel == 3;
}

static bool gather(struct warp *w, const struct xop *x, uint32_t lane, const struct texture_view *v, const struct place *p,
                   uint64_t out[4])
{
    static const uint8_t order[4][2] = { { 0, 1 }, { 1, 1 }, { 1, 0 }, { 0, 0 } };
    for (uint32_t k = 0; k < 4; k++) {
        int64_t at[3] = { (int64_t)floor(p->c[0] - 0.5) + order[k][0], (int64_t)floor(p->c[1] - 0.5) + order[k][1], 0 };
        struct texel t;
        if (!fetch(w, x, lane, v, at, 2, p->layer, &t))
            return false;
        out[k] = result_bits(&t, x->texture->component, x->texture, v);
    }
    return true;
}

/* Where coordinates are, and which layer; false: a layer that is not there. */
static bool sample_coordinates(const struct warp *w, const struct texture_site *site, struct sample *s)
{
    const struct texture_view *v = s->view;
    const uint32_t size[3] = { v->width, v->height, v->depth }, first = site->geometry >= GEOMETRY_A1D ? 1 : 0;
    s->float_coordinates = site->float_coordinates;
    s->has_border = false;
    for (uint32_t d = 0; d < s->dimensions; d++) {
        const bool normalized = v->normalized_coordinates && size[d];
        const double texel = normalized ? 1.0 / size[d] : 1;
        s->scale[d] = normalized ? size[d] : 1;
        s->limit[d] = (float)(0x1p30 * texel);
        s->single_from[d] = (float)(0.5 * texel);
        s->single_to[d] = normalized && (size[d] & (size[d] - 1)) ? 0 : (float)(0x1p23 * texel);
        s->coordinate[d] = operand_at(w, site->coordinate[first + d]);
        s->mode[d] = mode_of(v, d);
        s->has_border |= s->mode[d] == ADDRESS_BORDER;
    }
    s->channels = s->has_border ? 4 : v->channels;
    s->has_layer = first != 0;
    for (uint32_t lane = 0; lane < LANES && first; lane++) {
        const uint32_t layer = s->mask >> lane & 1 ? (uint32_t)operand_lane(w, site->coordinate[0], lane) : 0;
        if (layer && !v->depth)
            return false;
        s->layer_offset[lane] = (layer && layer >= v->depth ? v->depth - 1 : layer) * (uint32_t)v->slice_bytes;
    }
    return true;
}

static bool sample_is_usual(const struct warp *w, const struct texture_site *site, struct sample *s)
{
    static const uint8_t dimensions[] = {
        [GEOMETRY_1D] = 1, [GEOMETRY_2D] = 2, [GEOMETRY_3D] = 3, [GEOMETRY_A1D] = 1, [GEOMETRY_A2D] = 2
    };
    const struct texture_view *v = s->view;
    if (!v || site->is_gather || site->geometry >= sizeof dimensions || !dimensions[site->geometry] || site->type == T_F16 ||
        v->channels == 3)
        return false;
    const uint64_t rows = v->height ? v->height : 1, slices = v->depth ? v->depth : 1;
    const uint64_t bytes =
        (slices - 1) * v->slice_bytes + (rows - 1) * v->pitch_bytes + (uint64_t)v->width * v->channels * (v->channel_bits / 8u);
    s->host = bytes && bytes < INT32_MAX ? memory_host(&w->run->device->memory, v->address, bytes) : NULL;
    s->bytes = (uint32_t)bytes;
    s->linear = v->linear_filter && site->float_coordinates;
    s->dimensions = dimensions[site->geometry];
    s->raw_only = !type_is_float(site->type);
    s->largest = v->normalized_float && v->element != ELEMENT_FLOAT ? one_of(v) : 0;
    s->unit = s->largest > 0 ? 1.0 / s->largest : 1;
    return s->host && (!s->linear || type_is_float(site->type)) && sample_coordinates(w, site, s);
}

/* All lanes at once; false: something is unusual, and lanes must be looked at one by one. */
static bool sample_lanes(struct warp *w, const struct texture_site *site, uint32_t mask)
{
    struct sample s;
    uint32_t aside[4][LANES] __attribute__((aligned(64)));
    s.view = texture_common_view(w, site, mask);
    s.mask = mask;
    for (uint32_t e = 0; e < 4; e++) /* straight to the registers when all lanes take part */
        s.result[e] = mask == FULL_MASK && e < site->elements && !site->sink[e] ? frame_at(w, site->value[e].offset) : aside[e];
    if (!sample_is_usual(w, site, &s) || !site->lanes->sample(&s))
        return false;
    for (uint32_t lane = 0; lane < LANES; lane++)
        w->run->address[lane] = s.view->address + s.place[lane];
    for (uint32_t e = 0; e < site->elements && mask != FULL_MASK; e++) {
        uint32_t *to = frame_at(w, site->value[e].offset);
        for (uint32_t lane = 0; lane < LANES && !site->sink[e]; lane++)
            to[lane] = mask >> lane & 1 ? aside[e][lane] : to[lane];
    }
    w->run->space = SPACE_TEXTURE;
    return true;
}

void texture_sample(struct warp *w, const struct xop *x, uint32_t mask)
{
    const struct texture_site *site = x->texture;
    if (site->is_regular && sample_lanes(w, site, mask))
        return;
    const struct texture_view *const common = texture_common_view(w, x->texture, mask); /* looked up once */
    for (uint32_t left = mask; left; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left);
        const struct texture_view *v = common ? common : texture_of(w, x, lane);
        if (!v)
            return;
        struct place p = place_of(w, site, v, lane);
        w->run->address[lane] = v->address; /* what the machine sees when only the border is read */
        struct texel t = { 0 };
        uint64_t out[4];
        bool ok;
        if (site->is_gather)
            ok = gather(w, x, lane, v, &p, out);
        else if (v->linear_filter && site->float_coordinates)
            ok = sample_linear(w, x, lane, v, p.c, p.dimensions, p.layer, &t);
        else
            ok = sample_point(w, x, lane, v, p.c, p.dimensions, p.layer, &t);
        if (!ok)
            return;
        for (uint32_t e = 0; e < site->elements; e++)
            if (!site->sink[e])
                frame_set_lane(w, site->value[e].offset, site->value[e].width, lane,
                               site->is_gather ? out[e] : result_bits(&t, e, site, v));
    }
    w->run->space = SPACE_TEXTURE;
}

void texture_query(struct warp *w, const struct xop *x, uint32_t mask)
{
    const struct texture_view *const common = texture_common_view(w, x->texture, mask); /* looked up once */
    for (uint32_t left = mask; left; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left);
        const struct texture_view *v = common ? common : texture_of(w, x, lane);
        uint64_t value = 0;
        if (!v)
            return;
        switch (x->inst->mod.mode) {
        case QUERY_WIDTH: value = v->width; break;
        case QUERY_HEIGHT: value = v->height; break;
        case QUERY_DEPTH:
        case QUERY_ARRAY_SIZE: value = v->depth; break;
        case QUERY_NORMALIZED_COORDS: value = v->normalized_coordinates; break;
        case QUERY_FILTER_MODE: value = v->linear_filter; break;
        case QUERY_ADDR_MODE_0: value = v->address_mode[0]; break;
        case QUERY_ADDR_MODE_1: value = v->address_mode[1]; break;
        case QUERY_ADDR_MODE_2: value = v->address_mode[2]; break;
        case QUERY_NUM_MIPMAP_LEVELS:
        case QUERY_NUM_SAMPLES: value = 1; break;
        default: fault_plain(w, x, lane, "this property of a texture or surface cannot be queried"); return;
        }
        frame_set_lane(w, x->dst, x->dst_width, lane, value);
    }
}
