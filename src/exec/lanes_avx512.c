/* lanes_avx512.c - the vector executors for x86-64 hosts with AVX-512 (F, BW, DQ, VL). */
#if defined(__x86_64__)
#define LANES_VARIANT lanes_avx512
#define LANES_NAME "avx512"
#define LANES_TARGET __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx2,fma,bmi,bmi2,lzcnt,popcnt")))
#include "exec/lanes_body.h"
#else
extern const int lanes_avx512_is_for_x86_only;
const int lanes_avx512_is_for_x86_only = 1;
#endif
