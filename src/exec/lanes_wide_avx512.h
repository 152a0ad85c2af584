/* lanes_wide_avx512.h - the steps of lanes_texture_wide.h on vectors of 512 bits. */
typedef float wide_floats __attribute__((vector_size(64), aligned(4), may_alias));
typedef int32_t wide_integers __attribute__((vector_size(64), aligned(4), may_alias));
typedef uint32_t wide_words __attribute__((vector_size(64), aligned(4), may_alias));
typedef double wide_doubles __attribute__((vector_size(64), aligned(8), may_alias));
#define STEP LANES_TARGET static inline __attribute__((always_inline))

/* Words from offsets in bytes, and in words. */
STEP wide_integers wide_gather(const uint8_t *host, wide_integers offset)
{
    return (wide_integers)_mm512_i32gather_epi32((__m512i)offset, host, 1);
}
STEP wide_integers wide_gather_words(const uint8_t *host, wide_integers offset)
{
    return (wide_integers)_mm512_i32gather_epi32((__m512i)offset, host, 4);
}
STEP wide_integers wide_min(wide_integers a, wide_integers b)
{
    return (wide_integers)_mm512_min_epi32((__m512i)a, (__m512i)b);
}
STEP wide_integers wide_max(wide_integers a, wide_integers b)
{
    return (wide_integers)_mm512_max_epi32((__m512i)a, (__m512i)b);
}
/* Words at two places of each lane, lower + row and upper + row, from two vectors, from the lesser `first` on. False: they lie
 * further apart. Gathers take several times as long. */
enum { WIDE_WINDOW = 32 };
STEP bool wide_near(const int32_t *host, const int32_t first[2], wide_integers row, wide_integers lower, wide_integers upper,
                    wide_integers out[2])
{
    const int32_t *const from = host + (first[0] < first[1] ? first[0] : first[1]);
    const wide_integers moved = row - (int32_t)(from - host);
    const __m512i a = (__m512i)(lower + moved), b = (__m512i)(upper + moved);
    if (_mm512_test_epi32_mask(_mm512_or_si512(a, b), _mm512_set1_epi32(~(WIDE_WINDOW - 1))))
        return false;
    const __m512i low = _mm512_loadu_si512(from), high = _mm512_loadu_si512(from + 16);
    out[0] = (wide_integers)_mm512_permutex2var_epi32(low, a, high);
    out[1] = (wide_integers)_mm512_permutex2var_epi32(low, b, high);
    return true;
}
STEP wide_doubles wide_low(wide_floats f)
{
    return (wide_doubles)_mm512_cvtps_pd(_mm512_castps512_ps256((__m512)f));
}
STEP wide_doubles wide_high(wide_floats f)
{
    return (wide_doubles)_mm512_cvtps_pd(_mm512_extractf32x8_ps((__m512)f, 1));
}
STEP wide_doubles wide_double_at(const float *from)
{
    return (wide_doubles)_mm512_cvtps_pd(_mm256_loadu_ps(from));
}
STEP wide_doubles wide_low_number(wide_integers i)
{
    return (wide_doubles)_mm512_cvtepi32_pd(_mm512_castsi512_si256((__m512i)i));
}
STEP wide_doubles wide_high_number(wide_integers i)
{
    return (wide_doubles)_mm512_cvtepi32_pd(_mm512_extracti64x4_epi64((__m512i)i, 1));
}
STEP wide_floats wide_number(wide_integers i)
{
    return (wide_floats)_mm512_cvtepi32_ps((__m512i)i);
}
STEP wide_floats wide_join(wide_doubles low, wide_doubles high)
{
    return (wide_floats)_mm512_insertf32x8(_mm512_castps256_ps512(_mm512_cvtpd_ps((__m512d)low)), _mm512_cvtpd_ps((__m512d)high),
                                           1);
}
/* Whole numbers of less than 2^31: added to 1.5 * 2^52, they are the lower words. */
STEP wide_integers wide_whole(wide_doubles low, wide_doubles high)
{
    const __m512i even = _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
    return (wide_integers)_mm512_permutex2var_epi32((__m512i)(low + 0x1.8p52), even, (__m512i)(high + 0x1.8p52));
}
/* from + step where `at` lies in [0, last), else from. */
STEP wide_integers wide_step(wide_integers at, int32_t last, wide_integers from, int32_t step)
{
    return (wide_integers)_mm512_mask_add_epi32((__m512i)from, _mm512_cmplt_epu32_mask((__m512i)at, _mm512_set1_epi32(last)),
                                                (__m512i)from, _mm512_set1_epi32(step));
}
STEP wide_floats wide_floor_floats(wide_floats f)
{
    return (wide_floats)_mm512_roundscale_ps((__m512)f, 0x09 /* down */);
}
STEP wide_integers wide_whole_floats(wide_floats f)
{
    return (wide_integers)_mm512_cvttps_epi32((__m512)f);
}
STEP wide_doubles wide_floor(wide_doubles d)
{
    return (wide_doubles)_mm512_roundscale_pd((__m512d)d, 0x09 /* down */);
}
STEP wide_doubles wide_fused(wide_doubles a, wide_doubles b, wide_doubles c)
{
    return (wide_doubles)_mm512_fmadd_pd((__m512d)a, (__m512d)b, (__m512d)c);
}
STEP wide_floats wide_fused_floats(wide_floats a, wide_floats b, wide_floats c)
{
    return (wide_floats)_mm512_fmadd_ps((__m512)a, (__m512)b, (__m512)c);
}
/* Halves in the lower parts of words. */
STEP wide_floats wide_half(wide_integers i)
{
    return (wide_floats)_mm512_cvtph_ps(_mm512_cvtepi32_epi16((__m512i)i));
}
/* Numbers of the lanes of `mask`, 0 for the rest. */
STEP wide_floats wide_keep(wide_floats f, uint32_t mask)
{
    const __mmask16 number = _mm512_cmp_ps_mask((__m512)f, (__m512)f, _CMP_ORD_Q);
    return (wide_floats)_mm512_maskz_mov_ps((__mmask16)(number & mask), (__m512)f);
}
/* All lie in [from, to). */
STEP bool wide_between(wide_floats f, float from, float to)
{
    return _mm512_mask_cmp_ps_mask(_mm512_cmp_ps_mask((__m512)f, _mm512_set1_ps(to), _CMP_LT_OQ), (__m512)f, _mm512_set1_ps(from),
                                   _CMP_GE_OQ) == 0xffff;
}
STEP bool wide_reaches(wide_floats f, float limit)
{
    return _mm512_cmp_ps_mask(_mm512_abs_ps((__m512)f), _mm512_set1_ps(limit), _CMP_NLT_UQ) != 0;
}
STEP wide_floats wide_canonical(wide_floats f)
{
    return (wide_floats)_mm512_mask_mov_ps((__m512)f, _mm512_cmp_ps_mask((__m512)f, (__m512)f, _CMP_UNORD_Q),
                                           _mm512_castsi512_ps(_mm512_set1_epi32(0x7fffffff)));
}
#undef STEP
