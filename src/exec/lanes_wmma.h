/* lanes_wmma.h - wmma's m16n16k16 of halves with sums in float, its commonest shape, without a detour through columns in
 * memory. Included by lanes_product.h for hosts that fuse; the steps of each sum are the same as there.
 *
 * The rows of a vector may stand in any order, as long as it is the same in the left matrix and in the sums: WMMA_SPLIT takes the
 * order in which one shuffle parts two columns. A register of the sums has columns c and c + 8 in turn, one of the left matrix has
 * two columns in the upper sixteen lanes, one of the right matrix two columns, row after row. */

enum { WMMA_VECTORS = 16 / LANES_FLOATS, WMMA_STEP = LANES_FLOATS == 16 ? 8 : 2 /* registers of sums at a time */ };
#define WMMA LANES_TARGET static inline __attribute__((always_inline))

#if LANES_FLOATS == 16
#define WMMA_SPLIT(a, b, upper) ((some_floats)_mm512_shuffle_ps((__m512)(a), (__m512)(b), (upper) ? 0xdd : 0x88))
#define WMMA_JOIN(a, b, upper)                                                                                                     \
    ((some_floats)((upper) ? _mm512_unpackhi_ps((__m512)(a), (__m512)(b)) : _mm512_unpacklo_ps((__m512)(a), (__m512)(b))))
#define WMMA_NO_NUMBER(a, b) (_mm512_cmp_ps_mask((__m512)(a), (__m512)(b), _CMP_UNORD_Q) != 0)
/* Two columns of the left matrix, as floats. */
WMMA void wmma_left(const uint32_t *words, float *to)
{
    const __m512i in = _mm512_loadu_si512(words);
    const __m128i apart = _mm_setr_epi8(0, 1, 4, 5, 8, 9, 12, 13, 2, 3, 6, 7, 10, 11, 14, 15);
    const __m512i order = _mm512_setr_epi32(0, 8, 1, 9, 4, 12, 5, 13, 2, 10, 3, 11, 6, 14, 7, 15),
                  placed = _mm512_permutexvar_epi32(order, _mm512_shuffle_epi8(in, _mm512_broadcast_i32x4(apart)));
    _mm512_store_ps(to, _mm512_cvtph_ps(_mm512_castsi512_si256(placed)));
    _mm512_store_ps(to + 16, _mm512_cvtph_ps(_mm512_extracti64x4_epi64(placed, 1)));
}
#else
#define WMMA_SPLIT(a, b, upper) ((some_floats)_mm256_shuffle_ps((__m256)(a), (__m256)(b), (upper) ? 0xdd : 0x88))
#define WMMA_JOIN(a, b, upper)                                                                                                     \
    ((some_floats)((upper) ? _mm256_unpackhi_ps((__m256)(a), (__m256)(b)) : _mm256_unpacklo_ps((__m256)(a), (__m256)(b))))
#define WMMA_NO_NUMBER(a, b) (_mm256_movemask_ps(_mm256_cmp_ps((__m256)(a), (__m256)(b), _CMP_UNORD_Q)) != 0)
WMMA void wmma_left(const uint32_t *words, float *to)
{
    for (uint32_t v = 0; v < 2; v++, words += 8, to += 8) {
        const __m256i in = _mm256_loadu_si256((const __m256i *)(const void *)words);
        const __m256i apart = _mm256_broadcastsi128_si256(_mm_setr_epi8(0, 1, 4, 5, 8, 9, 12, 13, 2, 3, 6, 7, 10, 11, 14, 15)),
                      placed =
                          _mm256_permutevar8x32_epi32(_mm256_shuffle_epi8(in, apart), _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7));
        _mm256_store_ps(to, _mm256_cvtph_ps(_mm256_castsi256_si128(placed)));
        _mm256_store_ps(to + 16, _mm256_cvtph_ps(_mm256_extracti128_si256(placed, 1)));
    }
}
#endif

/* Columns c and c + 8 of the sums, from and to a register. */
WMMA void wmma_take(const float *reg, some_floats low[WMMA_VECTORS], some_floats high[WMMA_VECTORS])
{
    for (uint32_t v = 0; v < WMMA_VECTORS; v++, reg += 2 * LANES_FLOATS) {
        const some_floats a = *(const some_floats *)reg, b = *(const some_floats *)(reg + LANES_FLOATS);
        low[v] = WMMA_SPLIT(a, b, false);
        high[v] = WMMA_SPLIT(a, b, true);
    }
}
WMMA void wmma_give(some_floats low[WMMA_VECTORS], some_floats high[WMMA_VECTORS], float *reg)
{
    for (uint32_t v = 0; v < WMMA_VECTORS; v++, reg += 2 * LANES_FLOATS) {
        if (__builtin_expect(WMMA_NO_NUMBER(low[v], high[v]), 0)) {
            low[v] = LANES_CANONICAL(low[v]);
            high[v] = LANES_CANONICAL(high[v]);
        }
        *(some_floats *)reg = WMMA_JOIN(low[v], high[v], false);
        *(some_floats *)(reg + LANES_FLOATS) = WMMA_JOIN(low[v], high[v], true);
    }
}

WMMA void wmma_multiply(const float *left, const float *right, some_floats low[WMMA_STEP][WMMA_VECTORS],
                        some_floats high[WMMA_STEP][WMMA_VECTORS])
{
    for (uint32_t k = 0; k < 16; k++, left += 16, right += 2) {
        const float *at = right;
        __asm__("" : "+r"(at)); /* as in MULTIPLY */
        some_floats l[WMMA_VECTORS];
        for (uint32_t v = 0; v < WMMA_VECTORS; v++)
            l[v] = *(const some_floats *)(left + v * LANES_FLOATS);
        LANES_UNROLL
        for (uint32_t c = 0; c < WMMA_STEP; c++) {
            LANES_UNROLL
            for (uint32_t v = 0; v < WMMA_VECTORS; v++) {
                low[c][v] = LANES_FUSED(at[AT_WMMA(c)], l[v], low[c][v]);
                high[c][v] = LANES_FUSED(at[AT_WMMA(c + 8)], l[v], high[c][v]);
            }
        }
    }
}

/* False: another shape. */
LANES_TARGET static bool product_of_wmma(const struct product *p, const struct product_registers *x)
{
    float left[256] __attribute__((aligned(64))), right[256] __attribute__((aligned(64)));
    float aside[8][LANES] __attribute__((aligned(64)));
    if (!p->is_wmma)
        return false;
    for (uint32_t r = 0; r < 8; r++) {
        wmma_left((const uint32_t *)x->a[r] + 16, left + 32 * r);
        singles(T_F16, (const uint32_t *)x->b[r] + 16, right + 32 * r, 32);
    }
    for (uint32_t first = 0; first < 8; first += WMMA_STEP) {
        some_floats low[WMMA_STEP][WMMA_VECTORS], high[WMMA_STEP][WMMA_VECTORS];
        LANES_UNROLL
        for (uint32_t c = 0; c < WMMA_STEP; c++)
            wmma_take(x->c[first + c], low[c], high[c]);
        wmma_multiply(left, right + 16 * first, low, high);
        LANES_UNROLL
        for (uint32_t c = 0; c < WMMA_STEP; c++)
            wmma_give(low[c], high[c], WMMA_STEP < 8 && p->c_after_d ? aside[first + c] : (float *)x->d[first + c]);
    }
    for (uint32_t r = 0; r < 8 && WMMA_STEP < 8 && p->c_after_d; r++)
        memcpy(x->d[r], aside[r], sizeof aside[r]);
    return true;
}
#undef WMMA
