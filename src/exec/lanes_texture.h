/* lanes_texture.h - texels of 32 lanes at once: where they stand, what they hold, and their weighted sum. Included once by each
 * variant through lanes_body.h. It gives the same bits as the lane-by-lane path of texture.c, which serves what struct sample
 * excludes. */

/* Where a dimension's lower and upper neighbours stand, in bytes, whether they are inside, and their weights. */
struct neighbours {
    uint32_t offset[2][LANES], inside[2][LANES];
    double share[2][LANES];
};

#if LANES_FLOATS > 4
#include "exec/lanes_texture_wide.h"
#else
#define find_wide(s, d, size, step, offset) false
#define filter_lanes(s) false
#endif

/* A whole number by the address mode; quotients are exact enough because coordinates stay below 2^30. */
LANE_INLINE double placed(double at, double n, bool mirror)
{
    const double period = at - floor(at / (2 * n)) * (2 * n);
    return mirror ? (period < n ? period : 2 * n - 1 - period) : at - floor(at / n) * n;
}

LANES_TARGET static void place_lanes(const double *base, int32_t upper, uint32_t size, uint8_t mode, uint32_t step,
                                     uint32_t *offset, uint32_t *inside)
{
    const int32_t last = (int32_t)size - 1;
    int32_t at[LANES];
    FOR_LANES at[i] = (int32_t)base[i] + upper;
    if (mode == ADDRESS_WRAP && (size & (size - 1)) == 0) {
        FOR_LANES offset[i] = ((uint32_t)at[i] & (size - 1)) * step;
    } else if (mode == ADDRESS_WRAP) {
        FOR_LANES offset[i] = (uint32_t)(int32_t)placed((double)at[i], size, false) * step;
    } else if (mode == ADDRESS_MIRROR) {
        FOR_LANES offset[i] = (uint32_t)(int32_t)placed((double)at[i], size, true) * step;
    } else {
        FOR_LANES
        {
            const int32_t low = at[i] < 0 ? 0 : at[i];
            offset[i] = (uint32_t)(low > last ? last : low) * step;
        }
    }
    if (mode == ADDRESS_BORDER) {
        FOR_LANES inside[i] = (uint32_t)at[i] < size;
    } else {
        FOR_LANES inside[i] = 1;
    }
}

/* Coordinates in elements, 0 for lanes that do not take part; false: one is too far away for the arithmetic here. */
LANES_TARGET static bool coordinate_lanes(const struct sample *s, uint32_t d, double *c)
{
    const uint32_t *bits = s->coordinate[d], mask = s->mask;
    const double scale = s->scale[d];
    uint32_t far = 0;
    if (s->float_coordinates) {
        float kept[LANES];
        FOR_LANES
        {
            const uint32_t number = (bits[i] & 0x7fffffffu) <= 0x7f800000u ? bits[i] : 0; /* what is no number counts as 0 */
            kept[i] = float_of(mask >> i & 1 ? number : 0);
        }
        FOR_LANES c[i] = (double)kept[i] * scale;
    } else {
        FOR_LANES c[i] = mask >> i & 1 ? (double)(int32_t)bits[i] : 0.0;
    }
    FOR_LANES far |= fabs(c[i]) < 0x1p30 ? 0u : 1u;
    return !far;
}

/* Neighbours of every dimension; without filtering only the lower ones. */
LANES_TARGET static bool find_neighbours(const struct sample *s, struct neighbours near[3])
{
    const struct texture_view *v = s->view;
    const uint32_t step[3] = { v->channel_bits / 8u * v->channels, (uint32_t)v->pitch_bytes, (uint32_t)v->slice_bytes };
    const uint32_t size[3] = { v->width, v->height, v->depth };
    double c[LANES], base[LANES];
    for (uint32_t d = 0; d < s->dimensions; d++) {
        const uint32_t n = size[d] ? size[d] : 1;
        if (find_wide(s, d, n, step[d], near[d].offset[0]))
            continue;
        if (!coordinate_lanes(s, d, c))
            return false;
        if (s->linear) {
            FOR_LANES
            {
                const double x = c[i] - 0.5, lower = floor(x), weight = floor((x - lower) * 256.0 + 0.5) / 256.0;
                base[i] = lower;
                near[d].share[1][i] = weight;
                near[d].share[0][i] = 1.0 - weight;
            }
            place_lanes(base, 1, n, s->mode[d], step[d], near[d].offset[1], near[d].inside[1]);
        } else {
            FOR_LANES base[i] = floor(c[i]);
        }
        place_lanes(base, 0, n, s->mode[d], step[d], near[d].offset[0], near[d].inside[0]);
    }
    return true;
}

/* The bytes of a texel, in words: `words` of them, or one that holds a texel of one or two bytes. */
LANES_TARGET static void raw_lanes(const uint8_t *host, const uint32_t *offset, uint32_t bytes, uint32_t words[4][LANES])
{
    for (uint32_t k = 0; 4 * k < bytes && bytes >= 4; k++)
        LANES_GATHER(host + 4 * k, offset, words[k])
    for (uint32_t i = 0; i < LANES && bytes == 2; i++) {
        uint16_t half;
        memcpy(&half, host + offset[i], 2);
        words[0][i] = half;
    }
    for (uint32_t i = 0; i < LANES && bytes == 1; i++)
        words[0][i] = host[offset[i]];
}

/* Channel k of them. */
LANES_TARGET static void channel_lanes(const struct texture_view *v, uint32_t words[4][LANES], uint32_t k, uint32_t *raw)
{
    const uint32_t bits = v->channel_bits, at = k * bits % 32, *from = words[k * bits / 32];
    if (bits == 32) {
        FOR_LANES raw[i] = from[i];
    } else if (v->element == ELEMENT_SIGNED) {
        FOR_LANES raw[i] = (uint32_t)((int32_t)(from[i] << (32 - bits - at)) >> (32 - bits));
    } else {
        FOR_LANES raw[i] = from[i] << (32 - bits - at) >> (32 - bits);
    }
}

/* Raw channels as numbers; normalised ones are divided later. */
LANES_TARGET static void decode_lanes(const struct sample *s, const uint32_t *raw, double *value)
{
    const struct texture_view *v = s->view;
    const double least = -s->largest;
    if (v->element == ELEMENT_FLOAT && v->channel_bits == 32) {
        FOR_LANES value[i] = (double)float_of(raw[i]);
        return;
    }
    if (v->element == ELEMENT_FLOAT) {
        float single[LANES];
        FOR_LANES single[i] = float_of_f16(raw[i]);
        FOR_LANES value[i] = (double)single[i];
        return;
    }
    if (v->element == ELEMENT_SIGNED || v->channel_bits < 32) {
        FOR_LANES value[i] = (double)(int32_t)raw[i];
    } else {
        FOR_LANES value[i] = (double)raw[i];
    }
    if (least < 0 && v->element == ELEMENT_SIGNED)
        FOR_LANES value[i] = value[i] < least ? least : value[i];
}

/* Where one corner's texels are: `near` says which of each dimension's neighbours it is made of. */
LANES_TARGET static void corner_lanes(struct sample *s, const struct neighbours *near, uint32_t corner, uint32_t *offset,
                                      uint32_t *inside, double *share)
{
    const uint32_t *along = near[0].offset[corner & 1];
    const double *first = near[0].share[corner & 1];
    FOR_LANES offset[i] = along[i];
    if (s->linear)
        FOR_LANES share[i] = first[i];
    for (uint32_t d = 1; d < s->dimensions; d++) {
        const uint32_t upper = corner >> d & 1, *steps = near[d].offset[upper];
        const double *weight = near[d].share[upper];
        FOR_LANES offset[i] += steps[i];
        if (s->linear)
            FOR_LANES share[i] *= weight[i];
    }
    if (s->has_layer)
        FOR_LANES offset[i] += s->layer_offset[i];
    if (!s->has_border) {
        FOR_LANES s->place[i] = offset[i];
        return;
    }
    FOR_LANES inside[i] = 1;
    for (uint32_t d = 0; d < s->dimensions; d++)
        FOR_LANES inside[i] &= near[d].inside[corner >> d & 1][i];
    FOR_LANES
    {
        offset[i] = inside[i] ? offset[i] : 0;
        s->place[i] = inside[i] ? offset[i] : s->place[i];
    }
}

/* Adds one corner's texels. */
LANES_TARGET static void add_corner(struct sample *s, const struct neighbours *near, uint32_t corner, double sum[4][LANES])
{
    const struct texture_view *v = s->view;
    uint32_t offset[LANES], inside[LANES], words[4][LANES], raw[LANES];
    double share[LANES], value[LANES];
    const double one = s->largest > 0 ? s->largest : 1.0; /* what stands for 1 before the division */
    corner_lanes(s, near, corner, offset, inside, share);
    raw_lanes(s->host, offset, v->channel_bits / 8u * v->channels, words);
    for (uint32_t k = 0; k < s->channels; k++) {
        if (k < v->channels) {
            channel_lanes(v, words, k, raw);
            if (s->raw_only) {
                FOR_LANES s->result[k][i] = !s->has_border || inside[i] ? raw[i] : 0;
                continue;
            }
            decode_lanes(s, raw, value);
        } else {
            FOR_LANES value[i] = k == 3 ? one : 0.0;
        }
        if (s->has_border)
            FOR_LANES value[i] = inside[i] ? value[i] : (double)v->border[k] * one;
        if (s->linear) {
            FOR_LANES sum[k][i] += share[i] * value[i];
        } else {
            FOR_LANES sum[k][i] = value[i]; /* a zero keeps its sign */
        }
    }
}

/* A normalised channel of up to 16 bits is divided by a product with the reciprocal: it and the quotient are nearer to each other
 * than the quotient is to where floats part, and so round to the same float. */
LANES_TARGET static void finish_lanes(const struct sample *s, const double *sum, uint32_t *result)
{
    const double unit = s->unit, largest = s->largest;
    float single[LANES];
    if (largest > 0 && s->view->channel_bits == 32) {
        FOR_LANES single[i] = (float)(sum[i] / largest);
    } else {
        FOR_LANES single[i] = (float)(sum[i] * unit);
    }
    if (s->linear) {
        FOR_LANES result[i] = bits_of(canonical_f32(single[i]));
    } else {
        FOR_LANES result[i] = bits_of(single[i]);
    }
}

/* The weighted sum of all neighbours, or the one that a coordinate names. */
LANES_TARGET static void add_corners(struct sample *s, const struct neighbours *near)
{
    double sum[4][LANES];
    for (uint32_t k = 0; k < s->channels && s->linear; k++)
        FOR_LANES sum[k][i] = 0;
    for (uint32_t corner = s->linear ? 1u << s->dimensions : 1;
         corner-- > 0;) /* corner 0 last: its place is what the machine sees */
        add_corner(s, near, corner, sum);
    for (uint32_t k = 0; k < s->channels && !s->raw_only; k++)
        finish_lanes(s, sum[k], s->result[k]);
}

LANES_TARGET static bool sample_lanes(struct sample *s)
{
    struct neighbours near[3];
    if (!s->linear || !filter_lanes(s)) {
        if (!find_neighbours(s, near))
            return false;
        memset(s->place, 0, sizeof s->place);
        add_corners(s, near);
    }
    for (uint32_t k = s->raw_only ? s->view->channels : s->channels; k < 4; k++) { /* what the view has not */
        const uint32_t missing = k < 3 ? 0 : s->raw_only ? 1 : bits_of(1.0f);
        for (uint32_t i = 0; i < LANES; i += 8)
            *(eight_words *)(s->result[k] + i) = (eight_words){ 0 } + missing;
    }
    return true;
}
