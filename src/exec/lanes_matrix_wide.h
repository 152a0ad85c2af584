/* lanes_matrix_wide.h - what lanes_matrix.h does with eight rows at a time, with sixteen, for hosts whose vectors hold as many
 * words. */

/* How sixteen rows of a column lie: in a pair of registers of four columns each, in every other lane, in the upper lanes alone, or
 * in both halves. It is known to each loop over registers as a constant. */
enum unit { UNIT_PAIR, UNIT_TWO, UNIT_TAIL, UNIT_WHOLE, UNIT_EIGHT /* only eight rows do */ };
static inline enum unit unit_of(const struct dealt *f)
{
    return f->pair ? UNIT_PAIR : f->run == 8 ? UNIT_EIGHT : f->ways == 2 ? UNIT_TWO : f->run == 16 ? UNIT_TAIL : UNIT_WHOLE;
}
#define WIDE LANES_TARGET static inline __attribute__((always_inline))
WIDE uint32_t units_of(const struct dealt *f, enum unit unit)
{
    return unit == UNIT_PAIR ? f->registers / 2u : f->registers;
}
WIDE uint32_t unit_register(const struct dealt *f, enum unit unit, uint32_t u)
{
    return unit == UNIT_PAIR && f->pair == 1 ? 2 * u : u;
}
WIDE uint32_t vectors_of(enum unit unit)
{
    return unit == UNIT_PAIR ? 4 : unit == UNIT_TAIL ? 1 : 2;
}
/* Where element s of vector i goes, or comes from. */
WIDE uint32_t vector_start(const struct dealt *f, enum unit unit, uint32_t u, uint32_t i, uint32_t per, uint32_t s)
{
    const uint16_t *start = f->start[unit_register(f, unit, u)];
    return unit == UNIT_WHOLE ? start[s] + 16u * i : start[i * per + s];
}

WIDE void take_vectors(const struct dealt *f, enum unit unit, uint32_t u, const void *const *reg, __m512i out[4])
{
    const uint32_t r = unit_register(f, unit, u);
    const __m512i low = _mm512_loadu_si512(reg[r]), high = _mm512_loadu_si512((const uint32_t *)reg[r] + 16);
    if (unit == UNIT_PAIR) {
        const __m512i next_low = _mm512_loadu_si512(reg[r + f->pair]),
                      next_high = _mm512_loadu_si512((const uint32_t *)reg[r + f->pair] + 16);
        const __m512i even = _mm512_set_epi32(29, 25, 21, 17, 13, 9, 5, 1, 28, 24, 20, 16, 12, 8, 4, 0),
                      odd = _mm512_set_epi32(31, 27, 23, 19, 15, 11, 7, 3, 30, 26, 22, 18, 14, 10, 6, 2);
        const __m512i a = _mm512_permutex2var_epi32(low, even, high), b = _mm512_permutex2var_epi32(low, odd, high),
                      c = _mm512_permutex2var_epi32(next_low, even, next_high),
                      d = _mm512_permutex2var_epi32(next_low, odd, next_high);
        out[0] = _mm512_shuffle_i64x2(a, c, 0x44);
        out[1] = _mm512_shuffle_i64x2(a, c, 0xee);
        out[2] = _mm512_shuffle_i64x2(b, d, 0x44);
        out[3] = _mm512_shuffle_i64x2(b, d, 0xee);
        return;
    }
    out[2] = out[3] = high;
    if (unit == UNIT_TWO) {
        out[0] = _mm512_permutex2var_epi32(low, _mm512_set_epi32(30, 28, 26, 24, 22, 20, 18, 16, 14, 12, 10, 8, 6, 4, 2, 0), high);
        out[1] = _mm512_permutex2var_epi32(low, _mm512_set_epi32(31, 29, 27, 25, 23, 21, 19, 17, 15, 13, 11, 9, 7, 5, 3, 1), high);
    } else {
        out[0] = unit == UNIT_TAIL ? high : low;
        out[1] = high;
    }
}

WIDE void give_vectors(const struct dealt *f, enum unit unit, uint32_t u, const __m512i in[4], void *const *reg)
{
    const uint32_t r = unit_register(f, unit, u);
    uint32_t *to = reg[r];
    if (unit == UNIT_PAIR) {
        const __m512i even = _mm512_set_epi32(27, 19, 11, 3, 26, 18, 10, 2, 25, 17, 9, 1, 24, 16, 8, 0),
                      odd = _mm512_set_epi32(31, 23, 15, 7, 30, 22, 14, 6, 29, 21, 13, 5, 28, 20, 12, 4);
        const __m512i a = _mm512_shuffle_i64x2(in[0], in[1], 0x44), b = _mm512_shuffle_i64x2(in[2], in[3], 0x44),
                      c = _mm512_shuffle_i64x2(in[0], in[1], 0xee), d = _mm512_shuffle_i64x2(in[2], in[3], 0xee);
        uint32_t *next = reg[r + f->pair];
        _mm512_storeu_si512(to, _mm512_permutex2var_epi32(a, even, b));
        _mm512_storeu_si512(to + 16, _mm512_permutex2var_epi32(a, odd, b));
        _mm512_storeu_si512(next, _mm512_permutex2var_epi32(c, even, d));
        _mm512_storeu_si512(next + 16, _mm512_permutex2var_epi32(c, odd, d));
    } else if (unit == UNIT_TWO) {
        _mm512_storeu_si512(
            to, _mm512_permutex2var_epi32(in[0], _mm512_set_epi32(23, 7, 22, 6, 21, 5, 20, 4, 19, 3, 18, 2, 17, 1, 16, 0), in[1]));
        _mm512_storeu_si512(to + 16,
                            _mm512_permutex2var_epi32(
                                in[0], _mm512_set_epi32(31, 15, 30, 14, 29, 13, 28, 12, 27, 11, 26, 10, 25, 9, 24, 8), in[1]));
    } else {
        _mm512_storeu_si512(to, in[0]);
        _mm512_storeu_si512(to + 16, in[unit == UNIT_TAIL ? 0 : 1]);
    }
}

/* Sixteen words that hold two halves each: the lower ones, then the upper ones. */
WIDE __m512i part_halves(__m512i words)
{
    const __m512i parted =
        _mm512_shuffle_epi8(words, _mm512_broadcast_i32x4(_mm_setr_epi8(0, 1, 4, 5, 8, 9, 12, 13, 2, 3, 6, 7, 10, 11, 14, 15)));
    return _mm512_permutexvar_epi64(_mm512_setr_epi64(0, 2, 4, 6, 1, 3, 5, 7), parted);
}

/* As put_eights(). */
WIDE void put_sixteen(const struct dealt *f, enum unit unit, uint32_t u, uint32_t i, uint8_t type, __m512i words, float *to)
{
    const uint32_t per = elements_of(type);
    float *const first = to + vector_start(f, unit, u, i, per, 0);
    switch (type) {
    case T_F16: {
        const __m512i parted = part_halves(words);
        _mm512_storeu_ps(first, _mm512_cvtph_ps(_mm512_castsi512_si256(parted)));
        _mm512_storeu_ps(to + vector_start(f, unit, u, i, per, 1), _mm512_cvtph_ps(_mm512_extracti64x4_epi64(parted, 1)));
        break;
    }
    case T_BF16:
        _mm512_storeu_si512(first, _mm512_slli_epi32(words, 16));
        _mm512_storeu_si512(to + vector_start(f, unit, u, i, per, 1), _mm512_and_si512(words, _mm512_set1_epi32((int)0xffff0000)));
        break;
    case T_TF32: _mm512_storeu_si512(first, _mm512_and_si512(words, _mm512_set1_epi32(~0x1fff))); break;
    case T_S8:
    case T_U8:
        LANES_UNROLL
        for (uint32_t s = 0; s < 4; s++) {
            const __m512i top = _mm512_slli_epi32(words, 24 - 8 * s);
            const __m512i value = type == T_S8 ? _mm512_srai_epi32(top, 24) : _mm512_srli_epi32(top, 24);
            _mm512_storeu_ps(to + vector_start(f, unit, u, i, per, s), _mm512_cvtepi32_ps(value));
        }
        break;
    case T_S16:
        _mm512_storeu_si512(first, _mm512_srai_epi16(_mm512_slli_epi16(words, 8), 8));
        _mm512_storeu_si512(to + vector_start(f, unit, u, i, per, 1), _mm512_srai_epi16(words, 8));
        break;
    case T_U16:
        _mm512_storeu_si512(first, _mm512_and_si512(words, _mm512_set1_epi32(0x00ff00ff)));
        _mm512_storeu_si512(to + vector_start(f, unit, u, i, per, 1), _mm512_srli_epi16(words, 8));
        break;
    default: _mm512_storeu_si512(first, words); break;
    }
}

WIDE void collect_sixteen(const struct dealt *f, enum unit unit, uint8_t type, const void *const *reg, float *to)
{
    for (uint32_t u = 0; u < units_of(f, unit); u++) {
        __m512i words[4];
        take_vectors(f, unit, u, reg, words);
        LANES_UNROLL
        for (uint32_t i = 0; i < vectors_of(unit); i++)
            put_sixteen(f, unit, u, i, type, words[i], to);
    }
}

WIDE void deal_words_of(const struct dealt *f, enum unit unit, const uint32_t *from, void *const *reg)
{
    for (uint32_t u = 0; u < units_of(f, unit); u++) {
        __m512i words[4] = { _mm512_setzero_si512() };
        LANES_UNROLL
        for (uint32_t i = 0; i < vectors_of(unit); i++)
            words[i] = _mm512_loadu_si512(from + vector_start(f, unit, u, i, 1, 0));
        give_vectors(f, unit, u, words, reg);
    }
}

WIDE void deal_halves_of(const struct dealt *f, enum unit unit, const uint16_t *from, void *const *reg)
{
    for (uint32_t u = 0; u < units_of(f, unit); u++) {
        __m512i words[4] = { _mm512_setzero_si512() };
        LANES_UNROLL
        for (uint32_t i = 0; i < vectors_of(unit); i++) {
            const uint16_t *low = from + vector_start(f, unit, u, i, 2, 0), *high = from + vector_start(f, unit, u, i, 2, 1);
            words[i] = _mm512_or_si512(
                _mm512_cvtepu16_epi32(_mm256_loadu_si256((const __m256i *)(const void *)low)),
                _mm512_slli_epi32(_mm512_cvtepu16_epi32(_mm256_loadu_si256((const __m256i *)(const void *)high)), 16));
        }
        give_vectors(f, unit, u, words, reg);
    }
}

#define BY_UNIT(call, eight, ...)                                                                                                  \
    switch (unit_of(f)) {                                                                                                          \
    case UNIT_PAIR: call(f, UNIT_PAIR, __VA_ARGS__); break;                                                                        \
    case UNIT_TWO: call(f, UNIT_TWO, __VA_ARGS__); break;                                                                          \
    case UNIT_TAIL: call(f, UNIT_TAIL, __VA_ARGS__); break;                                                                        \
    case UNIT_WHOLE: call(f, UNIT_WHOLE, __VA_ARGS__); break;                                                                      \
    default: eight(f, __VA_ARGS__); break;                                                                                         \
    }
#define COLLECT(type) BY_UNIT(collect_sixteen, collect_eights, type, reg, to)

LANES_TARGET static void deal_lanes(const struct dealt *f, const void *from, void *const *reg)
{
    if (f->per == 2) {
        BY_UNIT(deal_halves_of, deal_eights, from, reg)
    } else {
        BY_UNIT(deal_words_of, deal_eights, from, reg)
    }
}
#undef WIDE
