/* lanes_x86.h - what the variants for x86-64 hosts share: steps of eight words, which AVX2 has. */

typedef float x86_floats __attribute__((vector_size(32), aligned(4), may_alias));
typedef uint32_t x86_words __attribute__((vector_size(32), aligned(4), may_alias));

/* Words that hold two halves each: the lower halves and the upper ones, as floats. */
LANES_TARGET static inline void split_f16(const x86_words *words, float *low, float *high)
{
    const __m256i order = _mm256_broadcastsi128_si256(_mm_setr_epi8(0, 1, 4, 5, 8, 9, 12, 13, 2, 3, 6, 7, 10, 11, 14, 15));
    const __m256i parted = _mm256_permute4x64_epi64(_mm256_shuffle_epi8((__m256i)*words, order), 0xd8);
    _mm256_storeu_ps(low, _mm256_cvtph_ps(_mm256_castsi256_si128(parted)));
    _mm256_storeu_ps(high, _mm256_cvtph_ps(_mm256_extracti128_si256(parted, 1)));
}
LANES_TARGET static inline void pair_halves(const uint16_t *low, const uint16_t *high, x86_words *words)
{
    const __m128i a = _mm_loadu_si128((const __m128i *)(const void *)low), b = _mm_loadu_si128((const __m128i *)(const void *)high);
    *words = (x86_words)_mm256_setr_m128i(_mm_unpacklo_epi16(a, b), _mm_unpackhi_epi16(a, b));
}
LANES_TARGET static inline void widen_bf16(const uint16_t *from, float *to, uint32_t count)
{
    for (uint32_t i = 0; i < count; i += 8) {
        const __m256i words = _mm256_cvtepu16_epi32(_mm_loadu_si128((const __m128i *)(const void *)(from + i)));
        _mm256_storeu_ps(to + i, _mm256_castsi256_ps(_mm256_slli_epi32(words, 16)));
    }
}
/* To nearest; what is no number becomes the canonical one. */
LANES_TARGET static inline void narrow_halves(const float *from, uint16_t *to, uint32_t count)
{
    for (uint32_t i = 0; i < count; i += 8) {
        const __m256 value = _mm256_loadu_ps(from + i), none = _mm256_cmp_ps(value, value, _CMP_UNORD_Q);
        const __m128i half = _mm256_cvtps_ph(value, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC),
                      mask = _mm_packs_epi32(_mm256_castsi256_si128(_mm256_castps_si256(none)),
                                             _mm256_extracti128_si256(_mm256_castps_si256(none), 1));
        _mm_storeu_si128((__m128i *)(void *)(to + i), _mm_blendv_epi8(half, _mm_set1_epi16(0x7fff), mask));
    }
}
LANES_TARGET static inline x86_floats canonical_eight(x86_floats value)
{
    const __m256 none = _mm256_cmp_ps((__m256)value, (__m256)value, _CMP_UNORD_Q);
    return (x86_floats)_mm256_blendv_ps((__m256)value, _mm256_castsi256_ps(_mm256_set1_epi32(0x7fffffff)), none);
}
#define LANES_FUSED_EIGHT(a, b, c) ((eight_floats)_mm256_fmadd_ps(_mm256_set1_ps(a), (__m256)(b), (__m256)(c)))
