/* lanes_texture.h - texels of 32 lanes at once: where they stand, what they hold, and their weighted sum. Included once by each
 * variant through lanes_body.h. It gives the same bits as the lane-by-lane path of texture.c, which serves what struct sample
 * excludes. */

/* Where a dimension's lower and upper neighbours stand, in steps of `step` bytes, and whether they are inside. */
struct neighbours {
    uint32_t offset[2][LANES], inside[2][LANES];
    double weight[LANES]; /* of the upper one */
};

/* A whole number by the address mode; quotients are exact enough because coordinates stay below 2^30. */
LANE_INLINE double placed(double at, double n, uint8_t mode)
{
    const double inside = at < 0 ? 0 : at > n - 1 ? n - 1 : at;
    const double period = at - floor(at / (2 * n)) * (2 * n);
    return mode == ADDRESS_WRAP     ? at - floor(at / n) * n
           : mode == ADDRESS_MIRROR ? (period < n ? period : 2 * n - 1 - period)
                                    : inside;
}

#define PLACE(mode)                                                                                                                \
    FOR_LANES                                                                                                                      \
    {                                                                                                                              \
        const double at = floor(c[i] - shift) + upper;                                                                             \
        offset[i] = (uint32_t)(int32_t)placed(at, n, mode) * step;                                                                 \
        inside[i] = (mode) != ADDRESS_BORDER || (at >= 0 && at < n);                                                               \
    }                                                                                                                              \
    break
LANES_TARGET static void place_lanes(const double *c, double shift, double upper, double n, uint8_t mode, uint32_t step,
                                     uint32_t *offset, uint32_t *inside)
{
    switch (mode) {
    case ADDRESS_WRAP: PLACE(ADDRESS_WRAP);
    case ADDRESS_MIRROR: PLACE(ADDRESS_MIRROR);
    case ADDRESS_BORDER: PLACE(ADDRESS_BORDER);
    default: PLACE(ADDRESS_CLAMP);
    }
}
#undef PLACE

LANES_TARGET static void raw_lanes(const uint8_t *host, const uint32_t *offset, uint32_t bits, bool is_signed, uint32_t *raw)
{
    for (uint32_t i = 0; i < LANES && bits == 32; i++)
        memcpy(&raw[i], host + offset[i], 4);
    for (uint32_t i = 0; i < LANES && bits == 16; i++) {
        uint16_t half;
        memcpy(&half, host + offset[i], 2);
        raw[i] = is_signed ? (uint32_t)(int16_t)half : half;
    }
    for (uint32_t i = 0; i < LANES && bits == 8; i++)
        raw[i] = is_signed ? (uint32_t)(int8_t)host[offset[i]] : host[offset[i]];
}

/* Raw channels as numbers. `largest` is what a normalised one is divided by; 0: it is not normalised. */
LANES_TARGET static void decode_lanes(const struct texture_view *v, double largest, const uint32_t *raw, double *value)
{
    if (v->element == ELEMENT_FLOAT && v->channel_bits == 32) {
        FOR_LANES value[i] = (double)float_of(raw[i]);
    } else if (v->element == ELEMENT_FLOAT) {
        FOR_LANES value[i] = (double)float_of_f16(raw[i]);
    } else if (v->element == ELEMENT_SIGNED) {
        FOR_LANES value[i] = (double)(int32_t)raw[i];
    } else {
        FOR_LANES value[i] = (double)raw[i];
    }
    if (v->element != ELEMENT_FLOAT && largest > 0)
        FOR_LANES value[i] = value[i] / largest < -1.0 ? -1.0 : value[i] / largest;
}

/* Coordinates in elements, 0 for lanes that do not take part; false: one is too far away for the arithmetic here. */
LANES_TARGET static bool coordinate_lanes(const struct sample *s, uint32_t d, double *c)
{
    const uint32_t *bits = s->coordinate[d], mask = s->mask;
    const double scale = s->scale[d];
    uint32_t far = 0;
    if (s->float_coordinates) {
        FOR_LANES
        {
            const uint32_t kept = (bits[i] & 0x7fffffffu) <= 0x7f800000u ? bits[i] : 0; /* what is no number counts as 0 */
            c[i] = (double)float_of(mask >> i & 1 ? kept : 0) * scale;
        }
    } else {
        FOR_LANES c[i] = mask >> i & 1 ? (double)(int32_t)bits[i] : 0.0;
    }
    FOR_LANES far |= fabs(c[i]) < 0x1p30 ? 0u : 1u;
    return !far;
}

/* Adds one corner's texels: `near` says which of each dimension's neighbours it is made of. */
LANES_TARGET static void add_corner(struct sample *s, const struct neighbours *near, uint32_t corner, double sum[4][LANES])
{
    const struct texture_view *v = s->view;
    const uint32_t bytes = v->channel_bits / 8u;
    uint32_t offset[LANES], inside[LANES];
    double share[LANES], value[LANES];
    memcpy(offset, s->layer_offset, sizeof offset);
    FOR_LANES
    {
        inside[i] = 1;
        share[i] = 1.0;
    }
    for (uint32_t d = 0; d < s->dimensions; d++) {
        const uint32_t upper = corner >> d & 1, *steps = near[d].offset[upper], *in = near[d].inside[upper];
        const double first = upper ? 0.0 : 1.0, sign = upper ? 1.0 : -1.0;
        FOR_LANES
        {
            offset[i] += steps[i];
            inside[i] &= in[i];
        }
        if (s->linear)
            FOR_LANES share[i] *= first + sign * near[d].weight[i];
    }
    FOR_LANES
    {
        offset[i] = inside[i] ? offset[i] : 0;
        s->place[i] = inside[i] ? offset[i] : s->place[i];
    }
    for (uint32_t k = 0; k < s->channels; k++) {
        if (k < v->channels) {
            raw_lanes(s->host + k * bytes, offset, v->channel_bits, v->element == ELEMENT_SIGNED, s->raw[k]);
            decode_lanes(v, s->largest, s->raw[k], value);
        } else {
            FOR_LANES value[i] = k == 3 ? 1.0 : 0.0;
        }
        if (s->has_border) {
            FOR_LANES
            {
                value[i] = inside[i] ? value[i] : (double)v->border[k];
                s->raw[k][i] = inside[i] ? s->raw[k][i] : 0;
            }
        }
        if (s->linear) {
            FOR_LANES sum[k][i] += share[i] * value[i];
        } else {
            FOR_LANES sum[k][i] = value[i]; /* a zero keeps its sign */
        }
    }
}

LANES_TARGET static bool sample_lanes(struct sample *s)
{
    const struct texture_view *v = s->view;
    const uint32_t step[3] = { v->channel_bits / 8u * v->channels, (uint32_t)v->pitch_bytes, (uint32_t)v->slice_bytes };
    const uint32_t size[3] = { v->width, v->height, v->depth };
    const double shift = s->linear ? 0.5 : 0.0;
    struct neighbours near[3];
    double c[LANES], sum[4][LANES];
    for (uint32_t d = 0; d < s->dimensions; d++) {
        if (!coordinate_lanes(s, d, c))
            return false;
        for (uint32_t upper = 0; upper < (s->linear ? 2u : 1u); upper++)
            place_lanes(c, shift, upper, size[d] ? size[d] : 1, s->mode[d], step[d], near[d].offset[upper], near[d].inside[upper]);
        if (s->linear)
            FOR_LANES near[d].weight[i] = floor((c[i] - shift - floor(c[i] - shift)) * 256.0 + 0.5) / 256.0;
    }
    for (uint32_t k = 0; k < 4; k++)
        FOR_LANES sum[k][i] = 0;
    memset(s->place, 0, sizeof s->place);
    for (uint32_t corner = s->linear ? 1u << s->dimensions : 1;
         corner-- > 0;) /* corner 0 last: its place is what the machine sees */
        add_corner(s, near, corner, sum);
    for (uint32_t k = 0; k < 4; k++) {
        if (k < s->channels) {
            FOR_LANES s->result[k][i] = bits_of((float)sum[k][i]);
        } else {
            FOR_LANES s->result[k][i] = k == 3 ? bits_of(1.0f) : 0;
        }
        if (k >= v->channels) /* what the view has not */
            FOR_LANES s->raw[k][i] = k == 3;
    }
    return true;
}
