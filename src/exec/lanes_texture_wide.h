/* lanes_texture_wide.h - linear filtering without borders for hosts with vectors of sixteen words: sixteen lanes at a time, from
 * coordinates to the sums, in registers. The steps and their order are those of lanes_texture.h. */

#define WIDE LANES_TARGET static inline __attribute__((always_inline))
enum texel_kind { TEXEL_F32, TEXEL_F16, TEXEL_UNSIGNED, TEXEL_SIGNED };

/* Sixteen doubles. */
struct wide {
    __m512d low, high;
};

/* The channel at bit `at` of sixteen words, as numbers. */
WIDE struct wide wide_channel(const struct sample *s, enum texel_kind kind, __m512i words, uint32_t bits, uint32_t at)
{
    const __m512i top = _mm512_sll_epi32(words, _mm_cvtsi32_si128((int)(32 - bits - at)));
    const __m128i down = _mm_cvtsi32_si128((int)(32 - bits));
    struct wide value;
    if (kind == TEXEL_F32 || kind == TEXEL_F16) {
        const __m512 single =
            kind == TEXEL_F32 ? _mm512_castsi512_ps(words) : _mm512_cvtph_ps(_mm512_cvtepi32_epi16(_mm512_srli_epi32(top, 16)));
        value.low = _mm512_cvtps_pd(_mm512_castps512_ps256(single));
        value.high = _mm512_cvtps_pd(_mm512_extractf32x8_ps(single, 1));
        return value;
    }
    const __m512i raw = kind == TEXEL_SIGNED ? _mm512_sra_epi32(top, down) : _mm512_srl_epi32(top, down);
    value.low = _mm512_cvtepi32_pd(_mm512_castsi512_si256(raw));
    value.high = _mm512_cvtepi32_pd(_mm512_extracti64x4_epi64(raw, 1));
    if (s->largest > 0) {
        const __m512d whole = _mm512_set1_pd(s->reciprocal[0]), rest = _mm512_set1_pd(s->reciprocal[1]),
                      least = _mm512_set1_pd(-1.0);
        /* the first product is exact, so that it may be fused with the sum */
        value.low = _mm512_fmadd_pd(value.low, whole, _mm512_mul_pd(value.low, rest));
        value.high = _mm512_fmadd_pd(value.high, whole, _mm512_mul_pd(value.high, rest));
        value.low = _mm512_max_pd(value.low, least);
        value.high = _mm512_max_pd(value.high, least);
    }
    return value;
}

/* Lanes from `lane` on; `words` is how many a texel has, `per` how many channels are in one. */
WIDE void wide_filter(struct sample *s, const struct neighbours *near, uint32_t lane, enum texel_kind kind, uint32_t words,
                      uint32_t per)
{
    struct wide sum[4];
    for (uint32_t k = 0; k < 4; k++)
        sum[k].low = sum[k].high = _mm512_setzero_pd();
    for (uint32_t corner = 1u << s->dimensions; corner-- > 0;) {
        const struct neighbours *n = near;
        __m512i offset = _mm512_loadu_si512(n->offset[corner & 1] + lane);
        __m512d low = _mm512_loadu_pd(n->share[corner & 1] + lane), high = _mm512_loadu_pd(n->share[corner & 1] + lane + 8);
        for (uint32_t d = 1; d < s->dimensions; d++) {
            const uint32_t upper = corner >> d & 1;
            n++;
            offset = _mm512_add_epi32(offset, _mm512_loadu_si512(n->offset[upper] + lane));
            low = _mm512_mul_pd(low, _mm512_loadu_pd(n->share[upper] + lane));
            high = _mm512_mul_pd(high, _mm512_loadu_pd(n->share[upper] + lane + 8));
        }
        if (s->has_layer)
            offset = _mm512_add_epi32(offset, _mm512_loadu_si512(s->layer_offset + lane));
        _mm512_storeu_si512(s->place + lane, offset);
        LANES_UNROLL
        for (uint32_t w = 0; w < words; w++) {
            const __m512i texels = _mm512_i32gather_epi32(offset, s->host + 4 * w, 1);
            LANES_UNROLL
            for (uint32_t c = 0; c < per; c++) {
                const struct wide value = wide_channel(s, kind, texels, 32 / per, c * (32 / per));
                struct wide *to = &sum[w * per + c];
                to->low = _mm512_add_pd(to->low, _mm512_mul_pd(low, value.low));
                to->high = _mm512_add_pd(to->high, _mm512_mul_pd(high, value.high));
            }
        }
    }
    LANES_UNROLL
    for (uint32_t k = 0; k < words * per; k++)
        _mm512_storeu_ps((float *)(void *)(s->result[k] + lane),
                         _mm512_insertf32x8(_mm512_castps256_ps512(_mm512_cvtpd_ps(sum[k].low)), _mm512_cvtpd_ps(sum[k].high), 1));
}

#define WIDE_FILTER(name, kind, words, per)                                                                                        \
    LANES_TARGET static void name(struct sample *s, const struct neighbours *near)                                                 \
    {                                                                                                                              \
        wide_filter(s, near, 0, kind, words, per);                                                                                 \
        wide_filter(s, near, 16, kind, words, per);                                                                                \
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

/* Where sixteen whole numbers lead by the address mode, which is to clamp, or to wrap at a power of two. */
WIDE void wide_place(__m512i at, uint32_t size, uint8_t mode, uint32_t step, uint32_t *offset)
{
    const __m512i inside = mode == ADDRESS_WRAP
                               ? _mm512_and_si512(at, _mm512_set1_epi32((int)size - 1))
                               : _mm512_min_epi32(_mm512_max_epi32(at, _mm512_setzero_si512()), _mm512_set1_epi32((int)size - 1));
    _mm512_storeu_si512(offset, _mm512_mullo_epi32(inside, _mm512_set1_epi32((int)step)));
}

/* The neighbours of eight coordinates: their shares, and the lower one. Sets bits of `far` for what is too far away. */
WIDE __m256i wide_neighbours(__m256 single, double scale, bool linear, double *lower_share, double *upper_share, uint32_t *far)
{
    const __m512d half = _mm512_set1_pd(0.5), steps = _mm512_set1_pd(256.0);
    const __m512d c = _mm512_mul_pd(_mm512_cvtps_pd(single), _mm512_set1_pd(scale));
    const __m512d x = linear ? _mm512_sub_pd(c, half) : c, lower = _mm512_roundscale_pd(x, 0x09 /* down */);
    *far |= _mm512_cmp_pd_mask(_mm512_abs_pd(c), _mm512_set1_pd(0x1p30), _CMP_NLT_UQ);
    if (linear) {
        const __m512d scaled = _mm512_add_pd(_mm512_mul_pd(_mm512_sub_pd(x, lower), steps), half);
        const __m512d weight = _mm512_mul_pd(_mm512_roundscale_pd(scaled, 0x09), _mm512_set1_pd(0x1p-8));
        _mm512_storeu_pd(upper_share, weight);
        _mm512_storeu_pd(lower_share, _mm512_sub_pd(_mm512_set1_pd(1.0), weight));
    }
    return _mm512_cvttpd_epi32(lower);
}

/* One dimension; `far` is not 0 when a coordinate is too far away. */
WIDE void wide_dimension(const struct sample *s, uint32_t d, bool linear, uint32_t size, uint32_t step, struct neighbours *near,
                         uint32_t *far)
{
    for (uint32_t lane = 0; lane < LANES; lane += 16) {
        const __m512 bits = _mm512_loadu_ps(s->coordinate[d] + lane);
        /* what is no number counts as 0 */
        const __m512 kept =
            _mm512_maskz_mov_ps((__mmask16)(_mm512_cmp_ps_mask(bits, bits, _CMP_ORD_Q) & (__mmask16)(s->mask >> lane)), bits);
        const __m256i low = wide_neighbours(_mm512_castps512_ps256(kept), s->scale[d], linear, near->share[0] + lane,
                                            near->share[1] + lane, far),
                      high = wide_neighbours(_mm512_extractf32x8_ps(kept, 1), s->scale[d], linear, near->share[0] + lane + 8,
                                             near->share[1] + lane + 8, far);
        const __m512i at = _mm512_inserti64x4(_mm512_castsi256_si512(low), high, 1);
        wide_place(at, size, s->mode[d], step, near->offset[0] + lane);
        if (linear)
            wide_place(_mm512_add_epi32(at, _mm512_set1_epi32(1)), size, s->mode[d], step, near->offset[1] + lane);
    }
}

/* False: a mode or a kind of coordinate that is not for this, or one that is too far away. */
LANES_TARGET static bool find_wide(const struct sample *s, uint32_t d, uint32_t size, uint32_t step, struct neighbours *near)
{
    uint32_t far = 0;
    if (!s->float_coordinates || s->has_border || s->mode[d] == ADDRESS_MIRROR ||
        (s->mode[d] == ADDRESS_WRAP && (size & (size - 1))))
        return false;
    if (s->linear)
        wide_dimension(s, d, true, size, step, near, &far);
    else
        wide_dimension(s, d, false, size, step, near, &far);
    return far == 0;
}
#undef WIDE

/* False: not for this kind of texture. */
LANES_TARGET static bool filter_wide(struct sample *s, const struct neighbours *near)
{
    typedef void (*filter_fn)(struct sample * s, const struct neighbours *near);
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
    if (filter && !s->has_border)
        filter(s, near);
    return filter && !s->has_border;
}
