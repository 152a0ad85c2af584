/* Warp-wide and other intrinsics that clang knows as builtins: shuffles, votes, matches, read-only loads, barriers. */
#ifndef WARPLINE_DEVICE_INTRINSICS_H
#define WARPLINE_DEVICE_INTRINSICS_H

#define WARPLINE_INTRINSIC static __device__ __forceinline__

/* A shuffle moves 32 bits; wider values go in two halves. `clamp` is the third operand of shfl without the segment mask. */
#define WARPLINE_SHUFFLE(name, mode, clamp, offset_type)                                                                       \
    WARPLINE_INTRINSIC int name##_sync(unsigned mask, int value, offset_type offset, int width = 32)                           \
    { return __nvvm_shfl_sync_##mode##_i32(mask, value, (int)offset, ((32 - width) << 8) | clamp); }                           \
    WARPLINE_INTRINSIC float name##_sync(unsigned mask, float value, offset_type offset, int width = 32)                       \
    { return __nvvm_shfl_sync_##mode##_f32(mask, value, (int)offset, ((32 - width) << 8) | clamp); }                           \
    WARPLINE_INTRINSIC unsigned name##_sync(unsigned mask, unsigned value, offset_type offset, int width = 32)                 \
    { return (unsigned)name##_sync(mask, (int)value, offset, width); }                                                         \
    WARPLINE_INTRINSIC unsigned long long name##_sync(unsigned mask, unsigned long long value, offset_type offset, int width = 32) \
    {                                                                                                                          \
        const unsigned low = name##_sync(mask, (unsigned)value, offset, width);                                                \
        const unsigned high = name##_sync(mask, (unsigned)(value >> 32), offset, width);                                       \
        return (unsigned long long)high << 32 | low;                                                                           \
    }                                                                                                                          \
    WARPLINE_INTRINSIC long long name##_sync(unsigned mask, long long value, offset_type offset, int width = 32)               \
    { return (long long)name##_sync(mask, (unsigned long long)value, offset, width); }                                         \
    WARPLINE_INTRINSIC long name##_sync(unsigned mask, long value, offset_type offset, int width = 32)                         \
    { return (long)name##_sync(mask, (unsigned long long)value, offset, width); }                                              \
    WARPLINE_INTRINSIC unsigned long name##_sync(unsigned mask, unsigned long value, offset_type offset, int width = 32)       \
    { return (unsigned long)name##_sync(mask, (unsigned long long)value, offset, width); }                                     \
    WARPLINE_INTRINSIC double name##_sync(unsigned mask, double value, offset_type offset, int width = 32)                     \
    { return __longlong_as_double(name##_sync(mask, __double_as_longlong(value), offset, width)); }                            \
    /* The forms without a mask, from before Volta: the active lanes take part. */                                             \
    template <class T> WARPLINE_INTRINSIC T name(T value, offset_type offset, int width = 32)                                  \
    { return name##_sync(0xffffffffu, value, offset, width); }
WARPLINE_SHUFFLE(__shfl, idx, 0x1f, int)
WARPLINE_SHUFFLE(__shfl_up, up, 0, unsigned)
WARPLINE_SHUFFLE(__shfl_down, down, 0x1f, unsigned)
WARPLINE_SHUFFLE(__shfl_xor, bfly, 0x1f, int)
#undef WARPLINE_SHUFFLE

WARPLINE_INTRINSIC void __syncwarp(unsigned mask = 0xffffffffu)
{
    WARPLINE_KEEP_ORDER;
    __nvvm_bar_warp_sync(mask);
    WARPLINE_KEEP_ORDER;
}
WARPLINE_INTRINSIC int __all_sync(unsigned mask, int predicate) { return __nvvm_vote_all_sync(mask, predicate); }
WARPLINE_INTRINSIC int __any_sync(unsigned mask, int predicate) { return __nvvm_vote_any_sync(mask, predicate); }
WARPLINE_INTRINSIC int __uni_sync(unsigned mask, int predicate) { return __nvvm_vote_uni_sync(mask, predicate); }
WARPLINE_INTRINSIC unsigned __ballot_sync(unsigned mask, int predicate) { return __nvvm_vote_ballot_sync(mask, predicate); }
WARPLINE_INTRINSIC unsigned __activemask()
{
    unsigned mask;
    asm volatile("activemask.b32 %0;" : "=r"(mask));
    return mask;
}

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 700
template <class T> WARPLINE_INTRINSIC unsigned __match_any_sync(unsigned mask, T value)
{
    unsigned result;
    if constexpr (sizeof(T) == 8) {
        unsigned long long bits;
        __builtin_memcpy(&bits, &value, 8);
        asm volatile("match.any.sync.b64 %0, %1, %2;" : "=r"(result) : "l"(bits), "r"(mask));
    } else {
        unsigned bits;
        __builtin_memcpy(&bits, &value, 4);
        asm volatile("match.any.sync.b32 %0, %1, %2;" : "=r"(result) : "r"(bits), "r"(mask));
    }
    return result;
}
template <class T> WARPLINE_INTRINSIC unsigned __match_all_sync(unsigned mask, T value, int *predicate)
{
    unsigned result;
    int all;
    if constexpr (sizeof(T) == 8) {
        unsigned long long bits;
        __builtin_memcpy(&bits, &value, 8);
        asm volatile("{ .reg .pred p; match.all.sync.b64 %0|p, %2, %3; selp.s32 %1, 1, 0, p; }"
                     : "=r"(result), "=r"(all) : "l"(bits), "r"(mask));
    } else {
        unsigned bits;
        __builtin_memcpy(&bits, &value, 4);
        asm volatile("{ .reg .pred p; match.all.sync.b32 %0|p, %2, %3; selp.s32 %1, 1, 0, p; }"
                     : "=r"(result), "=r"(all) : "r"(bits), "r"(mask));
    }
    *predicate = all;
    return result;
}
#endif
/* Of sm_80; the simulator runs them whatever the architecture is called. */
#define WARPLINE_REDUX(name, op, type, suffix)                                              \
    WARPLINE_INTRINSIC type name(unsigned mask, type value)                                 \
    {                                                                                       \
        type result;                                                                        \
        asm volatile("redux.sync." op "." suffix " %0, %1, %2;" : "=r"(result) : "r"(value), "r"(mask)); \
        return result;                                                                      \
    }
WARPLINE_REDUX(__reduce_add_sync, "add", unsigned, "u32")
WARPLINE_REDUX(__reduce_min_sync, "min", unsigned, "u32")
WARPLINE_REDUX(__reduce_max_sync, "max", unsigned, "u32")
WARPLINE_REDUX(__reduce_add_sync, "add", int, "s32")
WARPLINE_REDUX(__reduce_min_sync, "min", int, "s32")
WARPLINE_REDUX(__reduce_max_sync, "max", int, "s32")
WARPLINE_REDUX(__reduce_and_sync, "and", unsigned, "b32")
WARPLINE_REDUX(__reduce_or_sync, "or", unsigned, "b32")
WARPLINE_REDUX(__reduce_xor_sync, "xor", unsigned, "b32")
#undef WARPLINE_REDUX
WARPLINE_INTRINSIC void __barrier_sync(unsigned id) { asm volatile("barrier.sync %0;" ::"r"(id) : "memory"); }
WARPLINE_INTRINSIC void __barrier_sync_count(unsigned id, unsigned count) { asm volatile("barrier.sync %0, %1;" ::"r"(id), "r"(count) : "memory"); }

/* Loads and stores with a cache operator. `c` is the constraint letter of the asm operand. */
#define WARPLINE_LOAD1(name, op, type, suffix, c, reg)                                                        \
    WARPLINE_INTRINSIC type name(const type *p)                                                               \
    { reg v; asm volatile("ld.global." op "." suffix " %0, [%1];" : "=" c(v) : "l"(p) : "memory"); return (type)v; }
#define WARPLINE_LOAD2(name, op, type, suffix, c)                                                             \
    WARPLINE_INTRINSIC type name(const type *p)                                                               \
    {                                                                                                         \
        type v;                                                                                               \
        asm volatile("ld.global." op ".v2." suffix " {%0, %1}, [%2];" : "=" c(v.x), "=" c(v.y) : "l"(p) : "memory"); \
        return v;                                                                                             \
    }
#define WARPLINE_LOAD4(name, op, type, suffix, c)                                                             \
    WARPLINE_INTRINSIC type name(const type *p)                                                               \
    {                                                                                                         \
        type v;                                                                                               \
        asm volatile("ld.global." op ".v4." suffix " {%0, %1, %2, %3}, [%4];"                                 \
                     : "=" c(v.x), "=" c(v.y), "=" c(v.z), "=" c(v.w) : "l"(p) : "memory");                   \
        return v;                                                                                             \
    }
#define WARPLINE_LOADS(name, op)                                   \
    WARPLINE_LOAD1(name, op, char, "s8", "r", int)                 \
    WARPLINE_LOAD1(name, op, signed char, "s8", "r", int)          \
    WARPLINE_LOAD1(name, op, unsigned char, "u8", "r", unsigned)   \
    WARPLINE_LOAD1(name, op, short, "s16", "h", short)             \
    WARPLINE_LOAD1(name, op, unsigned short, "u16", "h", unsigned short) \
    WARPLINE_LOAD1(name, op, int, "s32", "r", int)                 \
    WARPLINE_LOAD1(name, op, unsigned, "u32", "r", unsigned)       \
    WARPLINE_LOAD1(name, op, long, "s64", "l", long)               \
    WARPLINE_LOAD1(name, op, unsigned long, "u64", "l", unsigned long) \
    WARPLINE_LOAD1(name, op, long long, "s64", "l", long long)     \
    WARPLINE_LOAD1(name, op, unsigned long long, "u64", "l", unsigned long long) \
    WARPLINE_LOAD1(name, op, float, "f32", "f", float)             \
    WARPLINE_LOAD1(name, op, double, "f64", "d", double)           \
    WARPLINE_LOAD2(name, op, int2, "s32", "r")                     \
    WARPLINE_LOAD2(name, op, uint2, "u32", "r")                    \
    WARPLINE_LOAD2(name, op, float2, "f32", "f")                   \
    WARPLINE_LOAD2(name, op, double2, "f64", "d")                  \
    WARPLINE_LOAD2(name, op, longlong2, "s64", "l")                \
    WARPLINE_LOAD2(name, op, ulonglong2, "u64", "l")               \
    WARPLINE_LOAD4(name, op, int4, "s32", "r")                     \
    WARPLINE_LOAD4(name, op, uint4, "u32", "r")                    \
    WARPLINE_LOAD4(name, op, float4, "f32", "f")
WARPLINE_LOADS(__ldcg, "cg")
WARPLINE_LOADS(__ldca, "ca")
WARPLINE_LOADS(__ldcs, "cs")
WARPLINE_LOADS(__ldcv, "cv")
WARPLINE_LOADS(__ldlu, "lu")
WARPLINE_LOADS(__ldg, "nc")
#undef WARPLINE_LOADS
#undef WARPLINE_LOAD1
#undef WARPLINE_LOAD2
#undef WARPLINE_LOAD4

#define WARPLINE_STORE1(name, op, type, suffix, c)                                                            \
    WARPLINE_INTRINSIC void name(type *p, type v) { asm volatile("st.global." op "." suffix " [%0], %1;" ::"l"(p), c(v) : "memory"); }
#define WARPLINE_STORES(name, op)                                  \
    WARPLINE_STORE1(name, op, short, "s16", "h")                   \
    WARPLINE_STORE1(name, op, unsigned short, "u16", "h")          \
    WARPLINE_STORE1(name, op, int, "s32", "r")                     \
    WARPLINE_STORE1(name, op, unsigned, "u32", "r")                \
    WARPLINE_STORE1(name, op, long long, "s64", "l")               \
    WARPLINE_STORE1(name, op, unsigned long long, "u64", "l")      \
    WARPLINE_STORE1(name, op, float, "f32", "f")                   \
    WARPLINE_STORE1(name, op, double, "f64", "d")                  \
    WARPLINE_INTRINSIC void name(float4 *p, float4 v)              \
    { asm volatile("st.global." op ".v4.f32 [%0], {%1, %2, %3, %4};" ::"l"(p), "f"(v.x), "f"(v.y), "f"(v.z), "f"(v.w) : "memory"); } \
    WARPLINE_INTRINSIC void name(float2 *p, float2 v)              \
    { asm volatile("st.global." op ".v2.f32 [%0], {%1, %2};" ::"l"(p), "f"(v.x), "f"(v.y) : "memory"); } \
    WARPLINE_INTRINSIC void name(int4 *p, int4 v)                  \
    { asm volatile("st.global." op ".v4.s32 [%0], {%1, %2, %3, %4};" ::"l"(p), "r"(v.x), "r"(v.y), "r"(v.z), "r"(v.w) : "memory"); }
WARPLINE_STORES(__stcg, "cg")
WARPLINE_STORES(__stcs, "cs")
WARPLINE_STORES(__stwb, "wb")
WARPLINE_STORES(__stwt, "wt")
#undef WARPLINE_STORES
#undef WARPLINE_STORE1

#define WARPLINE_FUNNEL(name, form)                                                                            \
    WARPLINE_INTRINSIC unsigned name(unsigned low, unsigned high, unsigned shift)                              \
    { unsigned r; asm("shf." form ".b32 %0, %1, %2, %3;" : "=r"(r) : "r"(low), "r"(high), "r"(shift)); return r; }
WARPLINE_FUNNEL(__funnelshift_l, "l.wrap")
WARPLINE_FUNNEL(__funnelshift_lc, "l.clamp")
WARPLINE_FUNNEL(__funnelshift_r, "r.wrap")
WARPLINE_FUNNEL(__funnelshift_rc, "r.clamp")
#undef WARPLINE_FUNNEL

WARPLINE_INTRINSIC int __dp4a(int a, int b, int c)
{ int r; asm("dp4a.s32.s32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c)); return r; }
WARPLINE_INTRINSIC unsigned __dp4a(unsigned a, unsigned b, unsigned c)
{ unsigned r; asm("dp4a.u32.u32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c)); return r; }

#define WARPLINE_DP2A(type, suffix)                                                                                                \
    WARPLINE_INTRINSIC type __dp2a_lo(type a, type b, type c)                                                                      \
    { type r; asm("dp2a.lo." suffix " %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c)); return r; }                            \
    WARPLINE_INTRINSIC type __dp2a_hi(type a, type b, type c)                                                                      \
    { type r; asm("dp2a.hi." suffix " %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c)); return r; }
WARPLINE_DP2A(int, "s32.s32")
WARPLINE_DP2A(unsigned, "u32.u32")
#undef WARPLINE_DP2A
/* The same of vectors, whose bytes are those of the words above. */
#define WARPLINE_DP_VECTORS(type, bytes, pair)                                                                                     \
    WARPLINE_INTRINSIC type __dp4a(bytes a, bytes b, type c)                                                                       \
    { return __dp4a(__builtin_bit_cast(type, a), __builtin_bit_cast(type, b), c); }                                                \
    WARPLINE_INTRINSIC type __dp2a_lo(pair a, bytes b, type c)                                                                     \
    { return __dp2a_lo(__builtin_bit_cast(type, a), __builtin_bit_cast(type, b), c); }                                             \
    WARPLINE_INTRINSIC type __dp2a_hi(pair a, bytes b, type c)                                                                     \
    { return __dp2a_hi(__builtin_bit_cast(type, a), __builtin_bit_cast(type, b), c); }
WARPLINE_DP_VECTORS(int, char4, short2)
WARPLINE_DP_VECTORS(unsigned, uchar4, ushort2)
#undef WARPLINE_DP_VECTORS
/* Three operands, and sums before the comparison; `relu` stops at zero. */
#define WARPLINE_EXTREMES(op, function)                                                                                            \
    WARPLINE_INTRINSIC int __vi##op##3_s32(int a, int b, int c) { return function(function(a, b), c); }                            \
    WARPLINE_INTRINSIC unsigned __vi##op##3_u32(unsigned a, unsigned b, unsigned c) { return function(function(a, b), c); }        \
    WARPLINE_INTRINSIC int __vi##op##3_s32_relu(int a, int b, int c) { return __nv_max(function(function(a, b), c), 0); }          \
    WARPLINE_INTRINSIC int __vi##op##_s32_relu(int a, int b) { return __nv_max(function(a, b), 0); }                               \
    WARPLINE_INTRINSIC int __viadd##op##_s32(int a, int b, int c) { return function((int)((unsigned)a + (unsigned)b), c); }        \
    WARPLINE_INTRINSIC unsigned __viadd##op##_u32(unsigned a, unsigned b, unsigned c) { return function(a + b, c); }               \
    WARPLINE_INTRINSIC int __viadd##op##_s32_relu(int a, int b, int c) { return __nv_max(__viadd##op##_s32(a, b, c), 0); }
namespace warpline {
WARPLINE_INTRINSIC int larger(int a, int b) { return a > b ? a : b; }
WARPLINE_INTRINSIC unsigned larger(unsigned a, unsigned b) { return a > b ? a : b; }
WARPLINE_INTRINSIC int smaller(int a, int b) { return a < b ? a : b; }
WARPLINE_INTRINSIC unsigned smaller(unsigned a, unsigned b) { return a < b ? a : b; }
}
WARPLINE_EXTREMES(max, warpline::larger)
WARPLINE_EXTREMES(min, warpline::smaller)
#undef WARPLINE_EXTREMES
/* The same on both halves of a word; sums wrap around within 16 bits. `vib` also says whether the first operand was taken. */
namespace warpline {
WARPLINE_INTRINSIC int low_half(unsigned x) { return (short)x; }
WARPLINE_INTRINSIC int high_half(unsigned x) { return (short)(x >> 16); }
WARPLINE_INTRINSIC unsigned both_halves(int high, int low) { return (unsigned)high << 16 | ((unsigned)low & 0xffffu); }
}
#define WARPLINE_PAIRS(op, function, first)                                                                                            \
    WARPLINE_INTRINSIC unsigned __vi##op##_s16x2_relu(unsigned a, unsigned b)                                                          \
    {                                                                                                                                  \
        using namespace warpline;                                                                                                      \
        return both_halves(larger(function(high_half(a), high_half(b)), 0), larger(function(low_half(a), low_half(b)), 0));            \
    }                                                                                                                                  \
    WARPLINE_INTRINSIC unsigned __vi##op##3_s16x2(unsigned a, unsigned b, unsigned c)                                                  \
    {                                                                                                                                  \
        using namespace warpline;                                                                                                      \
        return both_halves(function(function(high_half(a), high_half(b)), high_half(c)), function(function(low_half(a), low_half(b)), low_half(c))); \
    }                                                                                                                                  \
    WARPLINE_INTRINSIC unsigned __vi##op##3_u16x2(unsigned a, unsigned b, unsigned c)                                                  \
    {                                                                                                                                  \
        using namespace warpline;                                                                                                      \
        return function(function(a >> 16, b >> 16), c >> 16) << 16 | function(function(a & 0xffffu, b & 0xffffu), c & 0xffffu);        \
    }                                                                                                                                  \
    WARPLINE_INTRINSIC unsigned __vi##op##3_s16x2_relu(unsigned a, unsigned b, unsigned c) { return __vimax_s16x2_zero(__vi##op##3_s16x2(a, b, c)); } \
    WARPLINE_INTRINSIC unsigned __viadd##op##_s16x2(unsigned a, unsigned b, unsigned c)                                                \
    {                                                                                                                                  \
        using namespace warpline;                                                                                                      \
        return both_halves(function((int)(short)(high_half(a) + high_half(b)), high_half(c)),                                          \
                           function((int)(short)(low_half(a) + low_half(b)), low_half(c)));                                            \
    }                                                                                                                                  \
    WARPLINE_INTRINSIC unsigned __viadd##op##_u16x2(unsigned a, unsigned b, unsigned c)                                                \
    { return function(((a >> 16) + (b >> 16)) & 0xffffu, c >> 16) << 16 | function((a + b) & 0xffffu, c & 0xffffu); }                  \
    WARPLINE_INTRINSIC unsigned __viadd##op##_s16x2_relu(unsigned a, unsigned b, unsigned c) { return __vimax_s16x2_zero(__viadd##op##_s16x2(a, b, c)); } \
    WARPLINE_INTRINSIC int __vib##op##_s32(int a, int b, bool *const took) { *took = a first b; return *took ? a : b; }                \
    WARPLINE_INTRINSIC unsigned __vib##op##_u32(unsigned a, unsigned b, bool *const took) { *took = a first b; return *took ? a : b; } \
    WARPLINE_INTRINSIC unsigned __vib##op##_s16x2(unsigned a, unsigned b, bool *const high, bool *const low)                           \
    {                                                                                                                                  \
        using namespace warpline;                                                                                                      \
        *high = high_half(a) first high_half(b);                                                                                       \
        *low = low_half(a) first low_half(b);                                                                                          \
        return ((*high ? a : b) & 0xffff0000u) | ((*low ? a : b) & 0xffffu);                                                           \
    }                                                                                                                                  \
    WARPLINE_INTRINSIC unsigned __vib##op##_u16x2(unsigned a, unsigned b, bool *const high, bool *const low)                           \
    {                                                                                                                                  \
        *high = (a >> 16) first (b >> 16);                                                                                             \
        *low = (a & 0xffffu) first (b & 0xffffu);                                                                                      \
        return ((*high ? a : b) & 0xffff0000u) | ((*low ? a : b) & 0xffffu);                                                           \
    }
WARPLINE_INTRINSIC unsigned __vimax_s16x2_zero(unsigned a)
{
    return warpline::both_halves(warpline::larger(warpline::high_half(a), 0), warpline::larger(warpline::low_half(a), 0));
}
WARPLINE_PAIRS(max, warpline::larger, >=)
WARPLINE_PAIRS(min, warpline::smaller, <=)
#undef WARPLINE_PAIRS

/* The position of the offset-th set bit counted from `base`, upwards or downwards; all ones when there is none. */
WARPLINE_INTRINSIC unsigned __fns(unsigned mask, unsigned base, int offset)
{
    if (offset == 0)
        return mask >> (base & 31) & 1 ? base : 0xffffffffu;
    const int step = offset > 0 ? 1 : -1;
    int left = offset > 0 ? offset : -offset;
    for (int i = (int)base; i >= 0 && i < 32; i += step)
        if ((mask >> i & 1) && --left == 0)
            return (unsigned)i;
    return 0xffffffffu;
}
WARPLINE_INTRINSIC void __nanosleep(unsigned ns) { asm volatile("nanosleep.u32 %0;" ::"r"(ns)); }
WARPLINE_INTRINSIC unsigned long long globaltimer()
{ unsigned long long t; asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t)); return t; }
WARPLINE_INTRINSIC unsigned __isGlobal(const void *p) { return __nvvm_isspacep_global(p); }
WARPLINE_INTRINSIC unsigned __isShared(const void *p) { return __nvvm_isspacep_shared(p); }
WARPLINE_INTRINSIC unsigned __isConstant(const void *p) { return __nvvm_isspacep_const(p); }
WARPLINE_INTRINSIC unsigned __isLocal(const void *p) { return __nvvm_isspacep_local(p); }
#define WARPLINE_SPACE(name, space)                                                                                \
    WARPLINE_INTRINSIC size_t __cvta_generic_to_##name(const void *p)                                              \
    { size_t r; asm("cvta.to." space ".u64 %0, %1;" : "=l"(r) : "l"(p)); return r; }                               \
    WARPLINE_INTRINSIC void *__cvta_##name##_to_generic(size_t p)                                                  \
    { void *r; asm("cvta." space ".u64 %0, %1;" : "=l"(r) : "l"(p)); return r; }
WARPLINE_SPACE(shared, "shared")
WARPLINE_SPACE(global, "global")
WARPLINE_SPACE(local, "local")
WARPLINE_SPACE(constant, "const")
#undef WARPLINE_SPACE
#define __prof_trigger(event) ((void)(event)) /* there is nobody to count it */
#undef WARPLINE_INTRINSIC
#endif
