/* lanes_texture_wide.h - linear filtering without borders for hosts that gather: as many lanes at a time as a vector has words,
 * from coordinates to the sums, in registers. The steps and their order are those of lanes_texture.h. Products of weights and
 * texels are exact in double, so that it makes no difference whether they are fused with their sums.
 *
 * The variant brings the vectors (wide_...) and the steps on them that C has no operators for. */

#define WIDE LANES_TARGET static inline __attribute__((always_inline))
enum { WIDE_LANES = LANES_FLOATS };
enum texel_kind { TEXEL_F32, TEXEL_F16, TEXEL_UNSIGNED, TEXEL_SIGNED };

/* A dimension's neighbours: where they stand, in words, and their weights in steps of 1/256. */
struct axis {
    wide_integers offset[2];
    wide_floats share[2];
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

/* Whole numbers by the address mode, which is to clamp, or to wrap at a power of two; in steps. */
WIDE wide_integers wide_place(wide_integers at, uint32_t size, uint8_t mode, uint32_t step)
{
    const wide_integers none = { 0 }, last = none + (int32_t)(size - 1);
    if (mode == ADDRESS_WRAP)
        return (at & last) * (int32_t)step;
    return wide_min(wide_max(at, none), last) * (int32_t)step;
}

/* The lower neighbours, and the weights of the upper ones. True: a coordinate is too far away. From half a texel on, and where
 * scaling does not round, floats hold every step exactly; else doubles do. */
WIDE bool wide_lower(const struct sample *s, uint32_t d, uint32_t lane, wide_integers *at, wide_floats *share)
{
    const wide_floats kept = *(const wide_floats *)(s->coordinate[d] + lane);
    if (wide_between(kept, s->single_from[d], s->single_to[d])) {
        const wide_floats x = kept * (float)s->scale[d] - 0.5f, lower = wide_floor_floats(x);
        *share = wide_floor_floats((x - lower) * 256.0f + 0.5f);
        *at = wide_whole_floats(lower);
        return false;
    }
    const wide_doubles none = { 0 }, half = none + 0.5, scale = none + s->scale[d];
    wide_doubles c[2], lower[2], part[2];
    const bool far = wide_coordinate(s, d, lane, c);
    for (uint32_t h = 0; h < 2; h++) {
        const wide_doubles x = wide_fused(c[h], scale, -half); /* the product is exact */
        lower[h] = wide_floor(x);
        part[h] = wide_floor(wide_fused(x - lower[h], none + 256.0, half));
    }
    *share = wide_join(part[0], part[1]);
    *at = wide_whole(lower[0], lower[1]);
    return far;
}

/* True: a coordinate is too far away. */
WIDE bool wide_axis(const struct sample *s, uint32_t d, uint32_t lane, uint32_t size, uint32_t step, struct axis *a)
{
    wide_integers at;
    const bool far = wide_lower(s, d, lane, &at, &a->share[1]);
    a->share[0] = 256.0f - a->share[1];
    a->offset[0] = wide_place(at, size, s->mode[d], step);
    if (s->mode[d] == ADDRESS_WRAP)
        a->offset[1] = wide_place(at + 1, size, s->mode[d], step);
    else /* a single texel has no step */
        a->offset[1] = wide_step(at, (int32_t)size - 1, a->offset[0], size > 1 ? (int32_t)step : 0);
    return far;
}

/* The channel at bit `at` of texels. Normalised ones that have a sign do not go below -largest. */
WIDE wide_integers wide_channel(enum texel_kind kind, wide_integers texels, uint32_t bits, uint32_t at, int32_t least)
{
    const wide_integers top = (wide_integers)((wide_words)texels << (32 - bits - at));
    if (kind == TEXEL_SIGNED)
        return wide_max(top >> (32 - bits), (wide_integers){ 0 } + least);
    return (wide_integers)((wide_words)top >> (32 - bits));
}

/* Whole numbers of at most 2^24. */
WIDE wide_floats wide_weight(uint32_t dimensions, const struct axis axis[3], uint32_t corner)
{
    wide_floats weight = axis[dimensions - 1].share[corner >> (dimensions - 1) & 1];
    for (uint32_t d = dimensions - 1; d-- > 0;)
        weight *= axis[d].share[corner >> d & 1];
    return weight;
}

/* What the dimensions behind the first add to where a pair of corners stands. */
WIDE wide_integers wide_row(const struct sample *s, uint32_t dimensions, uint32_t lane, const struct axis axis[3], uint32_t pair)
{
    wide_integers row = { 0 };
    for (uint32_t d = 1; d < dimensions; d++)
        row += axis[d].offset[pair >> (d - 1) & 1];
    if (dimensions < 3 && s->has_layer) /* textures of three dimensions have no layers: the loop over corners is then one piece */
        row += *(const wide_integers *)(s->layer_offset + lane) >> 2;
    return row;
}

/* The same for one lane, from memory: the host does that beside its vectors. */
WIDE int32_t wide_end(const struct sample *s, uint32_t dimensions, uint32_t lane, const struct axis axis[3], uint32_t corner,
                      uint32_t at)
{
    int32_t place = 0;
    for (uint32_t d = 0; d < dimensions; d++)
        place += ((const int32_t *)&axis[d].offset[corner >> d & 1])[at];
    return dimensions < 3 && s->has_layer ? place + (int32_t)(s->layer_offset[lane + at] >> 2) : place;
}

/* Where a vector of words may start that holds those of all lanes: at the first or the last lane's. */
WIDE int32_t wide_first(const struct sample *s, uint32_t dimensions, uint32_t lane, const struct axis axis[3], uint32_t corner)
{
    int32_t one = wide_end(s, dimensions, lane, axis, corner, 0),
            other = wide_end(s, dimensions, lane, axis, corner, WIDE_LANES - 1);
    __asm__("" : "+r"(one), "+r"(other)); /* gcc would take these numbers into vectors as well */
    int32_t first = one < other ? one : other;
    first = first < s->room ? first : s->room;
    __asm__("" : "+r"(first));
    return first;
}

/* A word of two texels that differ in their first dimension alone, the one with the lower coordinate first. */
WIDE void wide_pair(const struct sample *s, uint32_t dimensions, uint32_t lane, const struct axis axis[3], uint32_t pair,
                    wide_integers row, wide_integers out[2])
{
    const wide_integers lower = axis[0].offset[0], upper = axis[0].offset[1];
    const int32_t first[2] = { wide_first(s, dimensions, lane, axis, 2 * pair),
                               wide_first(s, dimensions, lane, axis, 2 * pair + 1) };
    if (s->room >= 0 && wide_near((const int32_t *)(const void *)s->host, first, row, lower, upper, out))
        return;
    out[0] = wide_gather_words(s->host, lower + row);
    out[1] = wide_gather_words(s->host, upper + row);
}

/* Adds the weighted channels of a word. */
WIDE void wide_add(enum texel_kind kind, uint32_t per, int32_t least, wide_integers texels, const wide_doubles weight[2],
                   wide_doubles sum[][2])
{
    const bool is_float = kind == TEXEL_F32 || kind == TEXEL_F16;
    const uint32_t bits = 32 / per;
    LANES_UNROLL
    for (uint32_t c = 0; c < per; c++) {
        const wide_integers raw = per == 1 ? texels : wide_channel(kind, texels, bits, c * bits, least);
        const wide_floats single = kind == TEXEL_F16 ? wide_half(raw) : (wide_floats)raw;
        sum[c][0] = wide_fused(weight[0], is_float ? wide_low(single) : wide_low_number(raw), sum[c][0]);
        sum[c][1] = wide_fused(weight[1], is_float ? wide_high(single) : wide_high_number(raw), sum[c][1]);
    }
}

/* `words` is how many a texel has, `per` how many channels are in one. Corner 0 comes last: its place is what the machine sees. */
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
    for (uint32_t pair = 1u << (dimensions - 1); pair-- > 0;) {
        const wide_integers row = wide_row(s, dimensions, lane, axis, pair);
        wide_doubles lower[2], upper[2]; /* weights */
        for (uint32_t h = 0; h < 2; h++) {
            const uint32_t half = h * (WIDE_LANES / 2);
            wide_doubles rest = none + 1.0;
            for (uint32_t d = 1; d < dimensions; d++)
                rest *= wide_double_at((const float *)&axis[d].share[pair >> (d - 1) & 1] + half);
            lower[h] = rest * wide_double_at((const float *)&axis[0].share[0] + half);
            upper[h] = rest * wide_double_at((const float *)&axis[0].share[1] + half);
        }
        if (pair == 0)
            *(wide_integers *)(s->place + lane) = (axis[0].offset[0] + row) << 2;
        LANES_UNROLL
        for (uint32_t w = 0; w < words; w++) {
            wide_integers texels[2];
            if (words == 1) {
                wide_pair(s, dimensions, lane, axis, pair, row, texels);
            } else {
                texels[0] = wide_gather_words(s->host + 4 * w, axis[0].offset[0] + row);
                texels[1] = wide_gather_words(s->host + 4 * w, axis[0].offset[1] + row);
            }
            wide_add(kind, per, least, texels[1], upper, sum + w * per);
            wide_add(kind, per, least, texels[0], lower, sum + w * per);
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
    wide_floats sum[4] = { none, none, none, none };
    LANES_UNROLL
    for (uint32_t pair = dimensions; pair-- > 0;) {
        const wide_integers row = wide_row(s, dimensions, lane, axis, pair);
        wide_integers texels[2];
        wide_pair(s, dimensions, lane, axis, pair, row, texels);
        if (pair == 0)
            *(wide_integers *)(s->place + lane) = (axis[0].offset[0] + row) << 2;
        LANES_UNROLL
        for (uint32_t upper = 0; upper < 2; upper++) {
            const wide_floats weight = wide_weight(dimensions, axis, 2 * pair + upper);
            LANES_UNROLL
            for (uint32_t k = 0; k < 4; k++)
                sum[k] = wide_fused_floats(weight, wide_number(wide_channel(kind, texels[upper], 8, 8 * k, least)), sum[k]);
        }
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
    const uint32_t step[3] = { words, (uint32_t)v->pitch_bytes / 4, (uint32_t)v->slice_bytes / 4 },
                   size[3] = { v->width, v->height, v->depth };
    struct axis axis[LANES / WIDE_LANES][3] __attribute__((aligned(64)));
    bool far = false;
    s->room = (int32_t)(s->bytes / 4) - WIDE_WINDOW;
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

/* Neither a border, nor a mode that wants a division, nor so many texels that a coordinate may not be exact in double, nor rows
 * that start within a word. */
static bool suits_wide(const struct sample *s)
{
    const uint32_t size[3] = { s->view->width, s->view->height, s->view->depth };
    bool suits = s->float_coordinates && !s->has_border && ((s->view->pitch_bytes | s->view->slice_bytes) & 3) == 0;
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
