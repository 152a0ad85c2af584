/* lanes_avx2.c - the vector executors for x86-64 hosts with AVX2, FMA and F16C. */
#if defined(__x86_64__)
#include <immintrin.h>
#define LANES_VARIANT lanes_avx2
#define LANES_NAME "avx2"
#define LANES_TARGET __attribute__((target("avx2,fma,f16c,bmi,bmi2,lzcnt,popcnt")))
#define LANES_DOUBLES 4
#define LANES_FUSED(a, b, c) ((some)_mm256_fmadd_pd(_mm256_set1_pd(a), (__m256d)(b), (__m256d)(c)))
#define LANES_WIDEN_F16(from, to)                                                                                                  \
    do {                                                                                                                           \
        const __m256 single = _mm256_cvtph_ps(_mm_loadu_si128((const __m128i *)(const void *)(from)));                             \
        _mm256_storeu_pd(to, _mm256_cvtps_pd(_mm256_castps256_ps128(single)));                                                     \
        _mm256_storeu_pd((to) + 4, _mm256_cvtps_pd(_mm256_extractf128_ps(single, 1)));                                             \
    } while (0)
#include "exec/lanes_body.h"
#else
extern const int lanes_avx2_is_for_x86_only;
const int lanes_avx2_is_for_x86_only = 1;
#endif
