/* lanes_avx2.c - the vector executors for x86-64 hosts with AVX2, FMA and F16C. */
#if defined(__x86_64__)
#include <immintrin.h>
#include <stdbool.h>
#include <stdint.h>
#define LANES_VARIANT lanes_avx2
#define LANES_NAME "avx2"
#define LANES_TARGET __attribute__((target("avx2,fma,f16c,bmi,bmi2,lzcnt,popcnt")))
#define LANES_DOUBLES 4
#define LANES_FUSED(a, b, c) ((some_doubles)_mm256_fmadd_pd(_mm256_set1_pd(a), (__m256d)(b), (__m256d)(c)))
#define LANES_LOAD_SUM(from) ((some_doubles)_mm256_cvtps_pd(_mm_loadu_ps(from)))
#define LANES_STORE_SUM_8(vector, s, count, to)                                                                                    \
    for (uint32_t v = 0; v < (count); v++) {                                                                                       \
        const __m128 value = _mm256_cvtpd_ps((__m256d)(s)[v]);                                                                     \
        _mm_storeu_ps((float *)(void *)((to) + 4 * v),                                                                             \
                      _mm_blendv_ps(value, _mm_castsi128_ps(_mm_set1_epi32(0x7fffffff)), _mm_cmpunord_ps(value, value)));          \
    }
#define LANES_GATHER(host, offset, to)                                                                                             \
    for (uint32_t i = 0; i < LANES; i++)                                                                                           \
        memcpy((to) + i, (host) + (offset)[i], 4);
#define LANES_FUSED_FLOATS(a, b, c) ((some_floats)_mm256_fmadd_ps(_mm256_set1_ps(a), (__m256)(b), (__m256)(c)))

LANES_TARGET static inline void widen_f16(const uint16_t *from, float *to, uint32_t count)
{
    for (uint32_t i = 0; i < count; i += 8)
        _mm256_storeu_ps(to + i, _mm256_cvtph_ps(_mm_loadu_si128((const __m128i *)(const void *)(from + i))));
}
LANES_TARGET static inline void widen_floats(const float *from, double *to, uint32_t count)
{
    for (uint32_t i = 0; i < count; i += 4)
        _mm256_storeu_pd(to + i, _mm256_cvtps_pd(_mm_loadu_ps(from + i)));
}
LANES_TARGET static inline void split_words(const uint32_t *words, uint16_t *low, uint16_t *high, uint32_t count)
{
    for (uint32_t i = 0; i < count; i += 8) {
        const __m128i a = _mm_loadu_si128((const __m128i *)(const void *)(words + i)),
                      b = _mm_loadu_si128((const __m128i *)(const void *)(words + i + 4));
        _mm_storeu_si128((__m128i *)(void *)(low + i), _mm_packus_epi32(_mm_blend_epi16(a, _mm_setzero_si128(), 0xaa),
                                                                        _mm_blend_epi16(b, _mm_setzero_si128(), 0xaa)));
        _mm_storeu_si128((__m128i *)(void *)(high + i), _mm_packus_epi32(_mm_srli_epi32(a, 16), _mm_srli_epi32(b, 16)));
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
    for (uint32_t i = 0; i < count; i += 8) {
        const __m128i bytes = _mm_loadl_epi64((const __m128i *)(const void *)(from + i));
        _mm256_storeu_ps(to + i, _mm256_cvtepi32_ps(is_signed ? _mm256_cvtepi8_epi32(bytes) : _mm256_cvtepu8_epi32(bytes)));
    }
}
#include "exec/lanes_body.h"
#else
extern const int lanes_avx2_is_for_x86_only;
const int lanes_avx2_is_for_x86_only = 1;
#endif
