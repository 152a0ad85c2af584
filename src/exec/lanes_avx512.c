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
#define LANES_GATHER(host, offset, to)                                                                                             \
    for (uint32_t i = 0; i < LANES; i += 16)                                                                                       \
        *(wide_integers *)((to) + i) = wide_gather(host, *(const wide_integers *)((offset) + i));
#define LANES_FLOATS 16
#define LANES_FUSED(a, b, c) ((some_floats)_mm512_fmadd_ps(_mm512_set1_ps(a), (__m512)(b), (__m512)(c)))
#define LANES_DOT(a, b, c) ((c) + (some_integers)_mm512_madd_epi16(_mm512_set1_epi32(a), (__m512i)(b)))
#define LANES_CANONICAL(value)                                                                                                     \
    ((some_floats)_mm512_mask_mov_ps((__m512)(value), _mm512_cmp_ps_mask((__m512)(value), (__m512)(value), _CMP_UNORD_Q),          \
                                     _mm512_castsi512_ps(_mm512_set1_epi32(0x7fffffff))))
#define LANES_CAN_MULTIPLY(p, left, right) true
#include "exec/lanes_x86.h"
#include "exec/lanes_wide_avx512.h"

LANES_TARGET static inline void widen_f16(const uint16_t *from, float *to, uint32_t count)
{
    for (uint32_t i = 0; i < count; i += 16)
        _mm512_storeu_ps(to + i, _mm512_cvtph_ps(_mm256_loadu_si256((const __m256i *)(const void *)(from + i))));
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
