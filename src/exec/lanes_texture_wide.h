/* lanes_texture_wide.h - linear filtering without borders for hosts that gather: as many lanes at a time as a vector has words,
 * from coordinates to the sums, in registers. The steps and their order are those of lanes_texture.h. Products of weights and
 * texels are exact in double, so that it makes no difference whether they are fused with their sums.
 *
 * The variant brings the vectors (wide_...) and the steps on them that C has no operators for. */

#define WIDE LANES_TARGET static inline __attribute__((always_inline))
enum { WIDE_LANES = LANES_FLOATS };
enum texel_kind { TEXEL_F32, TEXEL_F16, TEXEL_UNSIGNED, TEXEL_SIGNED };

/* A dimension's neighbours: where they stand, in bytes, and their weights in steps of 1/256, of the lower lanes and the upper
 * ones. */
struct axis {
    wide_integers offset[2];
    wide_doubles share[2][2];
};

/* The coordinates of some lanes in doubles; what is no number counts as 0. True: one is too far away. */
WIDE bool wide_coordinate(const struct sample *s, uint32_t d, uint32_t lane, wide_doubles c[2])
{
    wide_floats kept = *(const wide_floats *)(s->coordinate[d] + lane);
    bool far = wide_reaches(kept, s->limit[d]); /* also true for what is no number */
    if (far) {
        kept = wide_keep(kept, s->mask >> lane);
        far = wide_reaches(kept, s->limit[d]);
    }
    c[0] = wide_low(kept);
    c[1] = wide_high(kept);
    return far;
}

/* Whole numbers by the address mode, which is to clamp, or to wrap at a power of two; in bytes. */
WIDE wide_integers wide_place(wide_integers at, uint32_t size, uint8_t mode, uint32_t step)
{
    const wide_integers none = { 0 }, last = none + (int32_t)(size - 1);
    if (mode == ADDRESS_WRAP)
        return (at & last) * (int32_t)step;
    return wide_min(wide_max(at, none), last) * (int32_t)step;
}

/* True: a coordinate is too far away. */
WIDE bool wide_axis(const struct sample *s, uint32_t d, uint32_t lane, uint32_t size, uint32_t step, struct axis *a)
{
    const wide_doubles none = { 0 }, half = none + 0.5, scale = none + s->scale[d];
    wide_doubles c[2], lower[2];
    const bool far = wide_coordinate(s, d, lane, c);
    for (uint32_t h = 0; h < 2; h++) {
        const wide_doubles x = wide_fused(c[h], scale, -half); /* the product is exact */
        lower[h] = wide_floor(x);
        a->share[1][h] = wide_floor(wide_fused(x - lower[h], none + 256.0, half));
        a->share[0][h] = 256.0 - a->share[1][h];
    }
    const wide_integers at = wide_whole(lower[0], lower[1]);
    a->offset[0] = wide_place(at, size, s->mode[d], step);
    if (s->mode[d] == ADDRESS_WRAP)
        a->offset[1] = wide_place(at + 1, size, s->mode[d], step);
    else /* a single texel has no step */
        a->offset[1] = wide_step(at, (int32_t)size - 1, a->offset[0], size > 1 ? (int32_t)step : 0);
    return far;
}

WIDE wide_integers wide_corner(const struct sample *s, uint32_t dimensions, uint32_t lane, const struct axis axis[3],
                               uint32_t corner)
{
    wide_integers offset = axis[0].offset[corner & 1];
    for (uint32_t d = 1; d < dimensions; d++)
        offset += axis[d].offset[corner >> d & 1];
    if (dimensions < 3 && s->has_layer) /* textures of three dimensions have no layers: the loop over corners is then one piece */
        offset += *(const wide_integers *)(s->layer_offset + lane);
    return offset;
}

/* The channel at bit `at` of texels. Normalised ones that have a sign do not go below -largest. */
WIDE wide_integers wide_channel(enum texel_kind kind, wide_integers texels, uint32_t bits, uint32_t at, int32_t least)
{
    const wide_integers top = (wide_integers)((wide_words)texels << (32 - bits - at));
    if (kind == TEXEL_SIGNED)
        return wide_max(top >> (32 - bits), (wide_integers){ 0 } + least);
    return (wide_integers)((wide_words)top >> (32 - bits));
}

/* `words` is how many a texel has, `per` how many channels are in one. */
WIDE void wide_sum(struct sample *s, uint32_t lane, enum texel_kind kind, uint32_t words, uint32_t per, uint32_t dimensions,
                   const struct axis axis[3])
{
    static const double steps[4] = { 1, 0x1p-8, 0x1p-16, 0x1p-24 };
    const wide_doubles none = { 0 }, unit = none + s->unit * steps[dimensions];
    const int32_t least = s->largest > 0 ? -(int32_t)s->largest : INT32_MIN;
    wide_doubles sum[4][2];
    for (uint32_t k = 0; k < 4; k++)
        sum[k][0] = sum[k][1] = none;
    LANES_UNROLL
    for (uint32_t corner = 1u << dimensions; corner-- > 0;) {
        const wide_integers offset = wide_corner(s, dimensions, lane, axis, corner);
        wide_doubles weight[2];
        for (uint32_t h = 0; h < 2; h++) {
            weight[h] = axis[dimensions - 1].share[corner >> (dimensions - 1) & 1][h];
            for (uint32_t d = dimensions - 1; d-- > 0;)
                weight[h] *= axis[d].share[corner >> d & 1][h];
        }
        if (corner == 0)
            *(wide_integers *)(s->place + lane) = offset;
        LANES_UNROLL
        for (uint32_t w = 0; w < words; w++) {
            const wide_integers texels = wide_gather(s->host + 4 * w, offset);
            LANES_UNROLL
            for (uint32_t c = 0; c < per; c++) {
                wide_doubles *to = sum[w * per + c];
                const uint32_t bits = 32 / per;
                const wide_integers raw = per == 1 ? texels : wide_channel(kind, texels, bits, c * bits, least);
                const wide_floats single = kind == TEXEL_F16 ? wide_half(raw) : (wide_floats)raw;
                const bool is_float = kind == TEXEL_F32 || kind == TEXEL_F16;
                to[0] = wide_fused(weight[0], is_float ? wide_low(single) : wide_low_number(raw), to[0]);
                to[1] = wide_fused(weight[1], is_float ? wide_high(single) : wide_high_number(raw), to[1]);
            }
        }
    }
    LANES_UNROLL
    for (uint32_t k = 0; k < words * per; k++)
        *(wide_floats *)(s->result[k] + lane) = wide_canonical(wide_join(sum[k][0] * unit, sum[k][1] * unit));
}

/* Four channels of normalised bytes and at most two dimensions: sums of weights and texels are whole numbers below 2^24, exact in
 * float. What is left of the sum after a first quotient gives the quotient that is rounded once: so it was found for every sum. */
WIDE void wide_sum_bytes(struct sample *s, uint32_t lane, enum texel_kind kind, uint32_t dimensions, const struct axis axis[3])
{
    const wide_floats none = { 0 };
    const int32_t least = -(int32_t)s->largest;
    wide_floats share[2][2], sum[4] = { none, none, none, none };
    for (uint32_t d = 0; d < dimensions; d++)
        for (uint32_t upper = 0; upper < 2; upper++)
            share[d][upper] = wide_join(axis[d].share[upper][0], axis[d].share[upper][1]);
    LANES_UNROLL
    for (uint32_t corner = 1u << dimensions; corner-- > 0;) {
        const wide_integers offset = wide_corner(s, dimensions, lane, axis, corner), texels = wide_gather(s->host, offset);
        wide_floats weight = share[0][corner & 1];
        if (dimensions == 2)
            weight *= share[1][corner >> 1];
        if (corner == 0)
            *(wide_integers *)(s->place + lane) = offset;
        LANES_UNROLL
        for (uint32_t k = 0; k < 4; k++)
            sum[k] = wide_fused_floats(weight, wide_number(wide_channel(kind, texels, 8, 8 * k, least)), sum[k]);
    }
    const float divisor = (float)s->largest * (dimensions == 1 ? 0x1p8f : 0x1p16f);
    const wide_floats all = none + divisor, part = none + 1.0f / divisor;
    LANES_UNROLL
    for (uint32_t k = 0; k < 4; k++) {
        const wide_floats first = sum[k] * part;
        *(wide_floats *)(s->result[k] + lane) = wide_fused_floats(wide_fused_floats(-first, all, sum[k]), part, first);
    }
}

/* False: a coordinate is too far away. */
WIDE bool wide_filter(struct sample *s, enum texel_kind kind, uint32_t words, uint32_t per, uint32_t dimensions)
{
    const struct texture_view *v = s->view;
    const uint32_t step[3] = { 4 * words, (uint32_t)v->pitch_bytes, (uint32_t)v->slice_bytes },
                   size[3] = { v->width, v->height, v->depth };
    struct axis axis[LANES / WIDE_LANES][3];
    bool far = false;
    for (uint32_t d = 0; d < dimensions; d++) /* all of them first: the host then does not wait for each in turn */
        for (uint32_t i = 0; i < LANES / WIDE_LANES; i++)
            far |= wide_axis(s, d, i * WIDE_LANES, size[d] ? size[d] : 1, step[d], &axis[i][d]);
    for (uint32_t i = 0; i < LANES / WIDE_LANES && !far; i++)
        if (per == 4 && dimensions < 3 && s->largest > 0)
            wide_sum_bytes(s, i * WIDE_LANES, kind, dimensions, axis[i]);
        else
            wide_sum(s, i * WIDE_LANES, kind, words, per, dimensions, axis[i]);
    return !far;
}

#define WIDE_FILTER(name, kind, words, per)                                                                                        \
    LANES_TARGET static bool name(struct sample *s)                                                                                \
    {                                                                                                                              \
        return s->dimensions == 2   ? wide_filter(s, kind, words, per, 2)                                                          \
               : s->dimensions == 3 ? wide_filter(s, kind, words, per, 3)                                                          \
                                    : wide_filter(s, kind, words, per, 1);                                                         \
    }
WIDE_FILTER(filter_f32, TEXEL_F32, 1, 1)
WIDE_FILTER(filter_two_f32, TEXEL_F32, 2, 1)
WIDE_FILTER(filter_four_f32, TEXEL_F32, 4, 1)
WIDE_FILTER(filter_two_f16, TEXEL_F16, 1, 2)
WIDE_FILTER(filter_four_f16, TEXEL_F16, 2, 2)
WIDE_FILTER(filter_u8, TEXEL_UNSIGNED, 1, 4)
WIDE_FILTER(filter_s8, TEXEL_SIGNED, 1, 4)
WIDE_FILTER(filter_two_u16, TEXEL_UNSIGNED, 1, 2)
WIDE_FILTER(filter_two_s16, TEXEL_SIGNED, 1, 2)
WIDE_FILTER(filter_four_u16, TEXEL_UNSIGNED, 2, 2)
WIDE_FILTER(filter_four_s16, TEXEL_SIGNED, 2, 2)
#undef WIDE_FILTER

/* Neither a border, nor a mode that wants a division, nor so many texels that a coordinate may not be exact in double. */
static bool suits_wide(const struct sample *s)
{
    const uint32_t size[3] = { s->view->width, s->view->height, s->view->depth };
    bool suits = s->float_coordinates && !s->has_border;
    for (uint32_t d = 0; d < s->dimensions; d++)
        suits = suits && s->mode[d] != ADDRESS_MIRROR && s->scale[d] <= 0x1p28 &&
                (s->mode[d] != ADDRESS_WRAP || (size[d] & (size[d] - 1)) == 0);
    return suits;
}

/* Where texels are that are read as they are; false: not by these steps. */
LANES_TARGET static bool find_wide(const struct sample *s, uint32_t d, uint32_t size, uint32_t step, uint32_t *offset)
{
    bool far = false;
    if (s->linear || !suits_wide(s))
        return false;
    for (uint32_t lane = 0; lane < LANES; lane += WIDE_LANES) {
        const wide_doubles scale = (wide_doubles){ 0 } + s->scale[d];
        wide_doubles c[2];
        far |= wide_coordinate(s, d, lane, c);
        const wide_integers at = wide_whole(wide_floor(c[0] * scale), wide_floor(c[1] * scale));
        *(wide_integers *)(offset + lane) = wide_place(at, size, s->mode[d], step);
    }
    return !far;
}
#undef WIDE

/* False: not for this kind of texture, or a coordinate is too far away. */
LANES_TARGET static bool filter_lanes(struct sample *s)
{
    typedef bool (*filter_fn)(struct sample * s);
    static const filter_fn floats[5] = { NULL, filter_f32, filter_two_f32, NULL, filter_four_f32 },
                           halves[5] = { NULL, NULL, filter_two_f16, NULL, filter_four_f16 },
                           words[2][5] = { { NULL, NULL, filter_two_u16, NULL, filter_four_u16 },
                                           { NULL, NULL, filter_two_s16, NULL, filter_four_s16 } },
                           bytes[2][5] = { { NULL, NULL, NULL, NULL, filter_u8 }, { NULL, NULL, NULL, NULL, filter_s8 } };
    const struct texture_view *v = s->view;
    const uint32_t is_signed = v->element == ELEMENT_SIGNED;
    filter_fn filter = NULL;
    if (v->element == ELEMENT_FLOAT)
        filter = (v->channel_bits == 32 ? floats : halves)[v->channels];
    else if (v->channel_bits < 32)
        filter = (v->channel_bits == 16 ? words : bytes)[is_signed][v->channels];
    return filter && suits_wide(s) && filter(s);
}
