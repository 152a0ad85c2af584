/* lanes_avx2.c - the vector executors for x86-64 hosts with AVX2, FMA and F16C. */
#if defined(__x86_64__)
#include <immintrin.h>
#include <stdbool.h>
#include <stdint.h>
#define LANES_VARIANT lanes_avx2
#define LANES_NAME "avx2"
#define LANES_TARGET __attribute__((target("avx2,fma,f16c,bmi,bmi2,lzcnt,popcnt")))
#define LANES_GATHER(host, offset, to)                                                                                             \
    for (uint32_t i = 0; i < LANES; i += 8)                                                                                        \
        *(wide_integers *)((to) + i) = wide_gather(host, *(const wide_integers *)((offset) + i));
#define LANES_FLOATS 8
#define LANES_FUSED LANES_FUSED_EIGHT
#define LANES_DOT(a, b, c) ((c) + (some_integers)_mm256_madd_epi16(_mm256_set1_epi32(a), (__m256i)(b)))
#define LANES_CANONICAL canonical_eight
#define LANES_CAN_MULTIPLY(p, left, right) true
#include "exec/lanes_x86.h"
#include "exec/lanes_wide_avx2.h"

LANES_TARGET static inline void widen_f16(const uint16_t *from, float *to, uint32_t count)
{
    for (uint32_t i = 0; i < count; i += 8)
        _mm256_storeu_ps(to + i, _mm256_cvtph_ps(_mm_loadu_si128((const __m128i *)(const void *)(from + i))));
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
