/* lanes_avx512.c - the vector executors for x86-64 hosts with AVX-512 (F, BW, DQ, VL). */
#if defined(__x86_64__)
#include <immintrin.h>
#define LANES_VARIANT lanes_avx512
#define LANES_NAME "avx512"
#define LANES_TARGET __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx2,fma,f16c,bmi,bmi2,lzcnt,popcnt")))
#define LANES_DOUBLES 8
#define LANES_FUSED(a, b, c) ((some)_mm512_fmadd_pd(_mm512_set1_pd(a), (__m512d)(b), (__m512d)(c)))
#define LANES_WIDEN_F16(from, to)                                                                                                  \
    _mm512_storeu_pd(to, _mm512_cvtps_pd(_mm256_cvtph_ps(_mm_loadu_si128((const __m128i *)(const void *)(from)))))
#include "exec/lanes_body.h"
#else
extern const int lanes_avx512_is_for_x86_only;
const int lanes_avx512_is_for_x86_only = 1;
#endif
