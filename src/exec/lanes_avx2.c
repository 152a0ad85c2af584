/* lanes_avx2.c - the vector executors for x86-64 hosts with AVX2 and FMA. */
#if defined(__x86_64__)
#define LANES_VARIANT lanes_avx2
#define LANES_NAME "avx2"
#define LANES_TARGET __attribute__((target("avx2,fma,bmi,bmi2,lzcnt,popcnt")))
#include "exec/lanes_body.h"
#else
extern const int lanes_avx2_is_for_x86_only;
const int lanes_avx2_is_for_x86_only = 1;
#endif
