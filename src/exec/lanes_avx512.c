/* lanes_avx512.c - the vector executors for x86-64 hosts with AVX-512 (F, BW, DQ, VL). */
#if defined(__x86_64__)
#include <immintrin.h>
#include <stdbool.h>
#include <stdint.h>
#define LANES_VARIANT lanes_avx512
#define LANES_NAME "avx512"
/* gcc would use half of a vector otherwise, which takes up to twice as long. */
#if defined(__clang__)
#define LANES_TARGET __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx2,fma,f16c,bmi,bmi2,lzcnt,popcnt")))
#else
#define LANES_TARGET                                                                                                               \
    __attribute__((target("prefer-vector-width=512,avx512f,avx512bw,avx512dq,avx512vl,avx2,fma,f16c,bmi,bmi2,lzcnt,popcnt")))
#endif
#define LANES_DOUBLES 8
#define LANES_FUSED(a, b, c) ((some_doubles)_mm512_fmadd_pd(_mm512_set1_pd(a), (__m512d)(b), (__m512d)(c)))
#define LANES_LOAD_SUM(from) ((some_doubles)_mm512_cvtps_pd(_mm256_loadu_ps(from)))
#define LANES_STORE_SUM_8(vector, s, count, to)                                                                                    \
    {                                                                                                                              \
        const __m256 value = _mm512_cvtpd_ps((__m512d)(s)[0]);                                                                     \
        _mm256_storeu_ps((float *)(void *)(to), _mm256_mask_blend_ps(_mm256_cmp_ps_mask(value, value, _CMP_UNORD_Q), value,        \
                                                                     _mm256_castsi256_ps(_mm256_set1_epi32(0x7fffffff))));         \
    }
#define LANES_STORE_SUM_16(vector, s, count, to)                                                                                   \
    {                                                                                                                              \
        const __m512 value =                                                                                                       \
            _mm512_insertf32x8(_mm512_castps256_ps512(_mm512_cvtpd_ps((__m512d)(s)[0])), _mm512_cvtpd_ps((__m512d)(s)[1]), 1);     \
        _mm512_storeu_si512(to, _mm512_mask_mov_epi32(_mm512_castps_si512(value), _mm512_cmp_ps_mask(value, value, _CMP_UNORD_Q),  \
                                                      _mm512_set1_epi32(0x7fffffff)));                                             \
    }
#define LANES_GATHER(host, offset, to)                                                                                             \
    for (uint32_t half = 0; half < LANES; half += 16)                                                                              \
        _mm512_storeu_si512((to) + half, _mm512_i32gather_epi32(_mm512_loadu_si512((offset) + half), host, 1));
#define LANES_FUSED_FLOATS(a, b, c) ((some_floats)_mm512_fmadd_ps(_mm512_set1_ps(a), (__m512)(b), (__m512)(c)))
#define LANES_FUSED_EIGHT(a, b, c) ((eight_floats)_mm256_fmadd_ps(_mm256_set1_ps(a), (__m256)(b), (__m256)(c)))

LANES_TARGET static inline void widen_f16(const uint16_t *from, float *to, uint32_t count)
{
    for (uint32_t i = 0; i < count; i += 16)
        _mm512_storeu_ps(to + i, _mm512_cvtph_ps(_mm256_loadu_si256((const __m256i *)(const void *)(from + i))));
}
LANES_TARGET static inline void widen_floats(const float *from, double *to, uint32_t count)
{
    for (uint32_t i = 0; i < count; i += 8)
        _mm512_storeu_pd(to + i, _mm512_cvtps_pd(_mm256_loadu_ps(from + i)));
}
LANES_TARGET static inline void split_words(const uint32_t *words, uint16_t *low, uint16_t *high, uint32_t count)
{
    for (uint32_t i = 0; i < count; i += 8) {
        const __m256i w = _mm256_loadu_si256((const __m256i *)(const void *)(words + i));
        _mm_storeu_si128((__m128i *)(void *)(low + i), _mm256_cvtepi32_epi16(w));
        _mm_storeu_si128((__m128i *)(void *)(high + i), _mm256_cvtepi32_epi16(_mm256_srli_epi32(w, 16)));
    }
}
LANES_TARGET static inline void widen_bf16(const uint16_t *from, float *to, uint32_t count)
{
    for (uint32_t i = 0; i < count; i += 8) {
        const __m256i words = _mm256_cvtepu16_epi32(_mm_loadu_si128((const __m128i *)(const void *)(from + i)));
        _mm256_storeu_ps(to + i, _mm256_castsi256_ps(_mm256_slli_epi32(words, 16)));
    }
}
LANES_TARGET static inline void pair_halves(const uint16_t *low, const uint16_t *high, uint32_t *to, uint32_t count)
{
    for (uint32_t i = 0; i < count; i += 8) {
        const __m128i a = _mm_loadu_si128((const __m128i *)(const void *)(low + i)),
                      b = _mm_loadu_si128((const __m128i *)(const void *)(high + i));
        _mm_storeu_si128((__m128i *)(void *)(to + i), _mm_unpacklo_epi16(a, b));
        _mm_storeu_si128((__m128i *)(void *)(to + i + 4), _mm_unpackhi_epi16(a, b));
    }
}
LANES_TARGET static inline void widen_bytes(const uint8_t *from, bool is_signed, float *to, uint32_t count)
{
    for (uint32_t i = 0; i < count; i += 16) {
        const __m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)(from + i));
        _mm512_storeu_ps(to + i, _mm512_cvtepi32_ps(is_signed ? _mm512_cvtepi8_epi32(bytes) : _mm512_cvtepu8_epi32(bytes)));
    }
}
#include "exec/lanes_body.h"
#else
extern const int lanes_avx512_is_for_x86_only;
const int lanes_avx512_is_for_x86_only = 1;
#endif
