/* Atomic functions of every type and scope. Scopes matter to hardware, not to a machine that runs atomics one at a time:
 * they are kept in the PTX. */
#ifndef WARPLINE_DEVICE_ATOMICS_H
#define WARPLINE_DEVICE_ATOMICS_H

/* One atom instruction; a generic address, so it works on global and shared memory. */
#define WARPLINE_ATOMIC(name, scope, op, type, suffix, c)                                                                      \
    static __device__ __forceinline__ type name(type *address, type value)                                                     \
    {                                                                                                                          \
        type old;                                                                                                              \
        asm volatile("atom" scope "." op "." suffix " %0, [%1], %2;" : "=" c(old) : "l"(address), c(value) : "memory");        \
        return old;                                                                                                            \
    }
#define WARPLINE_ATOMIC_LONG(name, type, as)                                                                                   \
    static __device__ __forceinline__ type name(type *address, type value) { return (type)name((as *)address, (as)value); }
#define WARPLINE_ATOMIC_SCOPE(s, scope)                                                                                        \
    WARPLINE_ATOMIC(atomicAdd##s, scope, "add", int, "s32", "r")                                                               \
    WARPLINE_ATOMIC(atomicAdd##s, scope, "add", unsigned, "u32", "r")                                                          \
    WARPLINE_ATOMIC(atomicAdd##s, scope, "add", unsigned long long, "u64", "l")                                                \
    WARPLINE_ATOMIC(atomicAdd##s, scope, "add", float, "f32", "f")                                                             \
    WARPLINE_ATOMIC(atomicAdd##s, scope, "add", double, "f64", "d")                                                            \
    WARPLINE_ATOMIC_LONG(atomicAdd##s, unsigned long, unsigned long long)                                                      \
    WARPLINE_ATOMIC(atomicExch##s, scope, "exch", int, "b32", "r")                                                             \
    WARPLINE_ATOMIC(atomicExch##s, scope, "exch", unsigned, "b32", "r")                                                        \
    WARPLINE_ATOMIC(atomicExch##s, scope, "exch", float, "b32", "f")                                                           \
    WARPLINE_ATOMIC(atomicExch##s, scope, "exch", unsigned long long, "b64", "l")                                              \
    WARPLINE_ATOMIC_LONG(atomicExch##s, unsigned long, unsigned long long)                                                     \
    WARPLINE_ATOMIC(atomicMin##s, scope, "min", int, "s32", "r")                                                               \
    WARPLINE_ATOMIC(atomicMin##s, scope, "min", unsigned, "u32", "r")                                                          \
    WARPLINE_ATOMIC(atomicMin##s, scope, "min", long long, "s64", "l")                                                         \
    WARPLINE_ATOMIC(atomicMin##s, scope, "min", unsigned long long, "u64", "l")                                                \
    WARPLINE_ATOMIC(atomicMax##s, scope, "max", int, "s32", "r")                                                               \
    WARPLINE_ATOMIC(atomicMax##s, scope, "max", unsigned, "u32", "r")                                                          \
    WARPLINE_ATOMIC(atomicMax##s, scope, "max", long long, "s64", "l")                                                         \
    WARPLINE_ATOMIC(atomicMax##s, scope, "max", unsigned long long, "u64", "l")                                                \
    WARPLINE_ATOMIC(atomicInc##s, scope, "inc", unsigned, "u32", "r")                                                          \
    WARPLINE_ATOMIC(atomicDec##s, scope, "dec", unsigned, "u32", "r")                                                          \
    WARPLINE_ATOMIC(atomicAnd##s, scope, "and", int, "b32", "r")                                                               \
    WARPLINE_ATOMIC(atomicAnd##s, scope, "and", unsigned, "b32", "r")                                                          \
    WARPLINE_ATOMIC(atomicAnd##s, scope, "and", unsigned long long, "b64", "l")                                                \
    WARPLINE_ATOMIC(atomicOr##s, scope, "or", int, "b32", "r")                                                                 \
    WARPLINE_ATOMIC(atomicOr##s, scope, "or", unsigned, "b32", "r")                                                            \
    WARPLINE_ATOMIC(atomicOr##s, scope, "or", unsigned long long, "b64", "l")                                                  \
    WARPLINE_ATOMIC(atomicXor##s, scope, "xor", int, "b32", "r")                                                               \
    WARPLINE_ATOMIC(atomicXor##s, scope, "xor", unsigned, "b32", "r")                                                          \
    WARPLINE_ATOMIC(atomicXor##s, scope, "xor", unsigned long long, "b64", "l")                                                \
    static __device__ __forceinline__ int atomicSub##s(int *address, int value) { return atomicAdd##s(address, -value); }      \
    static __device__ __forceinline__ unsigned atomicSub##s(unsigned *address, unsigned value)                                 \
    { return atomicAdd##s(address, 0u - value); }                                                                              \
    WARPLINE_ATOMIC_CAS(atomicCAS##s, scope, int, "b32", "r")                                                                  \
    WARPLINE_ATOMIC_CAS(atomicCAS##s, scope, unsigned, "b32", "r")                                                             \
    WARPLINE_ATOMIC_CAS(atomicCAS##s, scope, unsigned long long, "b64", "l")                                                   \
    static __device__ __forceinline__ unsigned long atomicCAS##s(unsigned long *address, unsigned long compare, unsigned long value) \
    { return (unsigned long)atomicCAS##s((unsigned long long *)address, (unsigned long long)compare, (unsigned long long)value); }
#define WARPLINE_ATOMIC_CAS(name, scope, type, suffix, c)                                                                      \
    static __device__ __forceinline__ type name(type *address, type compare, type value)                                       \
    {                                                                                                                          \
        type old;                                                                                                              \
        asm volatile("atom" scope ".cas." suffix " %0, [%1], %2, %3;"                                                          \
                     : "=" c(old) : "l"(address), c(compare), c(value) : "memory");                                            \
        return old;                                                                                                            \
    }
WARPLINE_ATOMIC_SCOPE(, "")
WARPLINE_ATOMIC_SCOPE(_block, ".cta")
WARPLINE_ATOMIC_SCOPE(_system, ".sys")
#undef WARPLINE_ATOMIC_SCOPE
#undef WARPLINE_ATOMIC_CAS
#undef WARPLINE_ATOMIC_LONG
#undef WARPLINE_ATOMIC

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 700
static __device__ __forceinline__ unsigned short atomicCAS(unsigned short *address, unsigned short compare, unsigned short value)
{
    unsigned short old;
    asm volatile("atom.cas.b16 %0, [%1], %2, %3;" : "=h"(old) : "l"(address), "h"(compare), "h"(value) : "memory");
    return old;
}
#endif
#endif
