/* lanes_wide_avx2.h - the steps of lanes_texture_wide.h on vectors of 256 bits. */
typedef float wide_floats __attribute__((vector_size(32), aligned(4), may_alias));
typedef int32_t wide_integers __attribute__((vector_size(32), aligned(4), may_alias));
typedef uint32_t wide_words __attribute__((vector_size(32), aligned(4), may_alias));
typedef double wide_doubles __attribute__((vector_size(32), aligned(8), may_alias));
#define STEP LANES_TARGET static inline __attribute__((always_inline))

/* Words from offsets in bytes, and in words. */
STEP wide_integers wide_gather(const uint8_t *host, wide_integers offset)
{
    return (wide_integers)_mm256_i32gather_epi32((const int *)(const void *)host, (__m256i)offset, 1);
}
STEP wide_integers wide_gather_words(const uint8_t *host, wide_integers offset)
{
    return (wide_integers)_mm256_i32gather_epi32((const int *)(const void *)host, (__m256i)offset, 4);
}
STEP wide_integers wide_min(wide_integers a, wide_integers b)
{
    return (wide_integers)_mm256_min_epi32((__m256i)a, (__m256i)b);
}
STEP wide_integers wide_max(wide_integers a, wide_integers b)
{
    return (wide_integers)_mm256_max_epi32((__m256i)a, (__m256i)b);
}
/* Words at two places of each lane, lower + row and upper + row, from one vector each, from `first` on. False: they lie further
 * apart. Gathers take several times as long. */
enum { WIDE_WINDOW = 8 };
STEP bool wide_near(const int32_t *host, const int32_t first[2], wide_integers row, wide_integers lower, wide_integers upper,
                    wide_integers out[2])
{
    const __m256i a = (__m256i)(lower + (row - first[0])), b = (__m256i)(upper + (row - first[1]));
    if (!_mm256_testz_si256(_mm256_or_si256(a, b), _mm256_set1_epi32(~(WIDE_WINDOW - 1))))
        return false;
    const __m256i low = _mm256_loadu_si256((const __m256i *)(const void *)(host + first[0])),
                  high = _mm256_loadu_si256((const __m256i *)(const void *)(host + first[1]));
    out[0] = (wide_integers)_mm256_permutevar8x32_epi32(low, a);
    out[1] = (wide_integers)_mm256_permutevar8x32_epi32(high, b);
    return true;
}
STEP wide_doubles wide_low(wide_floats f)
{
    return (wide_doubles)_mm256_cvtps_pd(_mm256_castps256_ps128((__m256)f));
}
STEP wide_doubles wide_high(wide_floats f)
{
    return (wide_doubles)_mm256_cvtps_pd(_mm256_extractf128_ps((__m256)f, 1));
}
STEP wide_doubles wide_double_at(const float *from)
{
    return (wide_doubles)_mm256_cvtps_pd(_mm_loadu_ps(from));
}
STEP wide_doubles wide_low_number(wide_integers i)
{
    return (wide_doubles)_mm256_cvtepi32_pd(_mm256_castsi256_si128((__m256i)i));
}
STEP wide_doubles wide_high_number(wide_integers i)
{
    return (wide_doubles)_mm256_cvtepi32_pd(_mm256_extracti128_si256((__m256i)i, 1));
}
STEP wide_floats wide_number(wide_integers i)
{
    return (wide_floats)_mm256_cvtepi32_ps((__m256i)i);
}
STEP wide_floats wide_join(wide_doubles low, wide_doubles high)
{
    return (wide_floats)_mm256_setr_m128(_mm256_cvtpd_ps((__m256d)low), _mm256_cvtpd_ps((__m256d)high));
}
/* Whole numbers of less than 2^31: added to 1.5 * 2^52, they are the lower words. */
STEP wide_integers wide_whole(wide_doubles low, wide_doubles high)
{
    const __m256 words = _mm256_shuffle_ps((__m256)(low + 0x1.8p52), (__m256)(high + 0x1.8p52), 0x88);
    return (wide_integers)_mm256_permute4x64_epi64(_mm256_castps_si256(words), 0xd8);
}
/* from + step where `at` lies in [0, last), else from; a step of 0 goes with a `last` of 0. */
STEP wide_integers wide_step(wide_integers at, int32_t last, wide_integers from, int32_t step)
{
    const __m256i inside = _mm256_cmpeq_epi32(_mm256_min_epu32((__m256i)at, _mm256_set1_epi32(last - 1)), (__m256i)at);
    return from + (wide_integers)_mm256_and_si256(inside, _mm256_set1_epi32(step));
}
STEP wide_floats wide_floor_floats(wide_floats f)
{
    return (wide_floats)_mm256_floor_ps((__m256)f);
}
STEP wide_integers wide_whole_floats(wide_floats f)
{
    return (wide_integers)_mm256_cvttps_epi32((__m256)f);
}
STEP wide_doubles wide_floor(wide_doubles d)
{
    return (wide_doubles)_mm256_floor_pd((__m256d)d);
}
STEP wide_doubles wide_fused(wide_doubles a, wide_doubles b, wide_doubles c)
{
    return (wide_doubles)_mm256_fmadd_pd((__m256d)a, (__m256d)b, (__m256d)c);
}
STEP wide_floats wide_fused_floats(wide_floats a, wide_floats b, wide_floats c)
{
    return (wide_floats)_mm256_fmadd_ps((__m256)a, (__m256)b, (__m256)c);
}
/* Halves in the lower parts of words. */
STEP wide_floats wide_half(wide_integers i)
{
    const __m128i low = _mm256_castsi256_si128((__m256i)i), high = _mm256_extracti128_si256((__m256i)i, 1);
    return (wide_floats)_mm256_cvtph_ps(_mm_packus_epi32(low, high));
}
/* Numbers of the lanes of `mask`, 0 for the rest. */
STEP wide_floats wide_keep(wide_floats f, uint32_t mask)
{
    const __m256i bit = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128),
                  on = _mm256_cmpeq_epi32(_mm256_and_si256(_mm256_set1_epi32((int)mask), bit), bit);
    const __m256 number = _mm256_cmp_ps((__m256)f, (__m256)f, _CMP_ORD_Q);
    return (wide_floats)_mm256_and_ps((__m256)f, _mm256_and_ps(number, _mm256_castsi256_ps(on)));
}
/* All lie in [from, to). */
STEP bool wide_between(wide_floats f, float from, float to)
{
    const __m256 above = _mm256_cmp_ps((__m256)f, _mm256_set1_ps(from), _CMP_GE_OQ),
                 below = _mm256_cmp_ps((__m256)f, _mm256_set1_ps(to), _CMP_LT_OQ);
    return _mm256_movemask_ps(_mm256_and_ps(above, below)) == 0xff;
}
STEP bool wide_reaches(wide_floats f, float limit)
{
    const __m256 size = _mm256_andnot_ps(_mm256_set1_ps(-0.0f), (__m256)f);
    return _mm256_movemask_ps(_mm256_cmp_ps(size, _mm256_set1_ps(limit), _CMP_NLT_UQ)) != 0;
}
STEP wide_floats wide_canonical(wide_floats f)
{
    return canonical_eight(f);
}
#undef STEP
