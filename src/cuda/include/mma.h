/* Matrices spread over a warp (nvcuda::wmma), over the wmma instructions of PTX.
 *
 * A fragment's elements are packed in registers as PTX wants them; which lane has which is the simulator's affair, as it is the hardware's.
 * Halves as factors are held twice, eight registers for sixteen elements. */
#ifndef WARPLINE_MMA_H
#define WARPLINE_MMA_H
#include "bits/names_hidden.h"
#include "cuda_bf16.h"
#include "cuda_fp16.h"
#if defined(__cplusplus) && defined(__CUDA__)

namespace nvcuda {
namespace wmma {
struct matrix_a;
struct matrix_b;
struct accumulator;
struct row_major;
struct col_major;
enum layout_t { mem_row_major, mem_col_major };
namespace precision {
struct tf32;
}

/* What a fragment is made of: elements, registers, and the type of an element in it and in memory. */
template <class Use, int M, int N, int K, class T> struct fragment_of;
template <class Element, int Elements, int Registers> struct fragment_data {
    typedef Element element_type;
    typedef Element storage_element_type;
    enum { num_elements = Elements, num_storage_elements = Elements, registers_ = Registers };
    __attribute__((aligned(8))) Element x[Elements];
};
template <class Use, int M, int N, int K, class T, class Layout = void> struct fragment : fragment_of<Use, M, N, K, T>::type {};

#define WARPLINE_FRAGMENT(use, m, n, k, T, element, elements, registers) \
    template <> struct fragment_of<use, m, n, k, T> { typedef fragment_data<element, elements, registers> type; };
#define WARPLINE_TILE_FRAGMENTS(m, n, k, bytes_a, bytes_b)                                    \
    WARPLINE_FRAGMENT(matrix_a, m, n, k, __half, __half, 16, 8)                               \
    WARPLINE_FRAGMENT(matrix_b, m, n, k, __half, __half, 16, 8)                               \
    WARPLINE_FRAGMENT(matrix_a, m, n, k, __nv_bfloat16, __nv_bfloat16, 2 * bytes_a, bytes_a)  \
    WARPLINE_FRAGMENT(matrix_b, m, n, k, __nv_bfloat16, __nv_bfloat16, 2 * bytes_b, bytes_b)  \
    WARPLINE_FRAGMENT(matrix_a, m, n, k, unsigned char, unsigned char, 2 * bytes_a, bytes_a / 2) \
    WARPLINE_FRAGMENT(matrix_b, m, n, k, unsigned char, unsigned char, 2 * bytes_b, bytes_b / 2) \
    WARPLINE_FRAGMENT(matrix_a, m, n, k, signed char, signed char, 2 * bytes_a, bytes_a / 2)  \
    WARPLINE_FRAGMENT(matrix_b, m, n, k, signed char, signed char, 2 * bytes_b, bytes_b / 2)  \
    WARPLINE_FRAGMENT(accumulator, m, n, k, __half, __half, 8, 4)                             \
    WARPLINE_FRAGMENT(accumulator, m, n, k, float, float, 8, 8)                               \
    WARPLINE_FRAGMENT(accumulator, m, n, k, int, int, 8, 8)
WARPLINE_TILE_FRAGMENTS(16, 16, 16, 4, 4)
WARPLINE_TILE_FRAGMENTS(32, 8, 16, 8, 2)
WARPLINE_TILE_FRAGMENTS(8, 32, 16, 2, 8)
#undef WARPLINE_TILE_FRAGMENTS
WARPLINE_FRAGMENT(matrix_a, 16, 16, 8, precision::tf32, float, 4, 4)
WARPLINE_FRAGMENT(matrix_b, 16, 16, 8, precision::tf32, float, 4, 4)
WARPLINE_FRAGMENT(accumulator, 16, 16, 8, float, float, 8, 8)
WARPLINE_FRAGMENT(matrix_a, 8, 8, 4, double, double, 1, 1)
WARPLINE_FRAGMENT(matrix_b, 8, 8, 4, double, double, 1, 1)
WARPLINE_FRAGMENT(accumulator, 8, 8, 4, double, double, 2, 2)
#undef WARPLINE_FRAGMENT

template <class F, class V> static __device__ __forceinline__ void fill_fragment(F &f, const V &value)
{
    for (int i = 0; i < F::num_elements; i++)
        f.x[i] = value;
}
static __device__ __forceinline__ float __float_to_tf32(float value)
{
    float rounded;
    asm("cvt.rna.tf32.f32 %0, %1;" : "=f"(rounded) : "f"(value));
    return rounded;
}

/* Registers of a fragment as they are written in PTX, from operand number `at` on, and their constraints. */
#define WARPLINE_OUT1(c, r) "=" c(r[0])
#define WARPLINE_OUT2(c, r) "=" c(r[0]), "=" c(r[1])
#define WARPLINE_OUT4(c, r) WARPLINE_OUT2(c, r), "=" c(r[2]), "=" c(r[3])
#define WARPLINE_OUT8(c, r) WARPLINE_OUT4(c, r), "=" c(r[4]), "=" c(r[5]), "=" c(r[6]), "=" c(r[7])
#define WARPLINE_IN1(c, r) c(r[0])
#define WARPLINE_IN2(c, r) c(r[0]), c(r[1])
#define WARPLINE_IN4(c, r) WARPLINE_IN2(c, r), c(r[2]), c(r[3])
#define WARPLINE_IN8(c, r) WARPLINE_IN4(c, r), c(r[4]), c(r[5]), c(r[6]), c(r[7])
#define WARPLINE_FIRST1 "{%0}"
#define WARPLINE_FIRST2 "{%0, %1}"
#define WARPLINE_FIRST4 "{%0, %1, %2, %3}"
#define WARPLINE_FIRST8 "{%0, %1, %2, %3, %4, %5, %6, %7}"
#define WARPLINE_AFTER1 "[%1], %2;"
#define WARPLINE_AFTER2 "[%2], %3;"
#define WARPLINE_AFTER4 "[%4], %5;"
#define WARPLINE_AFTER8 "[%8], %9;"
#define WARPLINE_STORED1 "[%1], {%0}, %2;"
#define WARPLINE_STORED2 "[%2], {%0, %1}, %3;"
#define WARPLINE_STORED4 "[%4], {%0, %1, %2, %3}, %5;"
#define WARPLINE_STORED8 "[%8], {%0, %1, %2, %3, %4, %5, %6, %7}, %9;"

#define WARPLINE_LOAD_AS(letter, layout, shape, type, count, word, c)                                                              \
    { typedef word __attribute__((may_alias)) any; any *r = reinterpret_cast<any *>(f.x);                                                                                     \
      asm volatile("wmma.load." letter ".sync.aligned." layout "." shape "." type " " WARPLINE_FIRST##count ", " WARPLINE_AFTER##count \
                   : WARPLINE_OUT##count(c, r) : "l"(from), "r"(stride) : "memory"); }
#define WARPLINE_LOADS_OF(use, letter, m, n, k, shape, T, memory, type, count, word, c)                                            \
    static __device__ __forceinline__ void load_matrix_sync(fragment<use, m, n, k, T, row_major> &f, const memory *from, unsigned stride) \
    WARPLINE_LOAD_AS(letter, "row", shape, type, count, word, c)                                                                   \
    static __device__ __forceinline__ void load_matrix_sync(fragment<use, m, n, k, T, col_major> &f, const memory *from, unsigned stride) \
    WARPLINE_LOAD_AS(letter, "col", shape, type, count, word, c)
#define WARPLINE_STORE_AS(layout, shape, type, count, word, c)                                                                     \
    { typedef word __attribute__((may_alias)) any; const any *r = reinterpret_cast<const any *>(f.x);                                                                         \
      asm volatile("wmma.store.d.sync.aligned." layout "." shape "." type " " WARPLINE_STORED##count                               \
                   :: WARPLINE_IN##count(c, r), "l"(to), "r"(stride) : "memory"); }
#define WARPLINE_SUMS_OF(m, n, k, shape, T, type, count, word, c)                                                                  \
    static __device__ __forceinline__ void load_matrix_sync(fragment<accumulator, m, n, k, T> &f, const T *from, unsigned stride, layout_t layout) \
    {                                                                                                                              \
        if (layout == mem_row_major)                                                                                               \
            WARPLINE_LOAD_AS("c", "row", shape, type, count, word, c)                                                              \
        else                                                                                                                       \
            WARPLINE_LOAD_AS("c", "col", shape, type, count, word, c)                                                              \
    }                                                                                                                              \
    static __device__ __forceinline__ void store_matrix_sync(T *to, const fragment<accumulator, m, n, k, T> &f, unsigned stride, layout_t layout) \
    {                                                                                                                              \
        if (layout == mem_row_major)                                                                                               \
            WARPLINE_STORE_AS("row", shape, type, count, word, c)                                                                  \
        else                                                                                                                       \
            WARPLINE_STORE_AS("col", shape, type, count, word, c)                                                                  \
    }

/* d = a b + c for the four layouts of the factors. Registers of d, a, b, c are numbered through. */
#define WARPLINE_MULTIPLY_AS(la, lb, shape, types, regs, cd, rd, wd, cf, na, nb, wf)                                                \
    { typedef wd __attribute__((may_alias)) sums; typedef wf __attribute__((may_alias)) factors;                                   \
      sums *d_ = reinterpret_cast<sums *>(d.x);                                                                                    \
      const factors *a_ = reinterpret_cast<const factors *>(a.x), *b_ = reinterpret_cast<const factors *>(b.x);                    \
      const sums *c_ = reinterpret_cast<const sums *>(c.x);                                                                            \
      asm volatile("wmma.mma.sync.aligned." la "." lb "." shape "." types " " regs                                                 \
                   : WARPLINE_OUT##rd(cd, d_) : WARPLINE_IN##na(cf, a_), WARPLINE_IN##nb(cf, b_), WARPLINE_IN##rd(cd, c_)); }
#define WARPLINE_MULTIPLY_LAYOUT(LA, LB, la, lb, m, n, k, shape, T, TD, types, regs, cd, rd, wd, cf, na, nb, wf)                    \
    static __device__ __forceinline__ void mma_sync(fragment<accumulator, m, n, k, TD> &d, const fragment<matrix_a, m, n, k, T, LA> &a, \
                                                    const fragment<matrix_b, m, n, k, T, LB> &b, const fragment<accumulator, m, n, k, TD> &c, bool = false) \
    WARPLINE_MULTIPLY_AS(la, lb, shape, types, regs, cd, rd, wd, cf, na, nb, wf)
#define WARPLINE_MULTIPLY(...)                                                  \
    WARPLINE_MULTIPLY_LAYOUT(row_major, row_major, "row", "row", __VA_ARGS__)   \
    WARPLINE_MULTIPLY_LAYOUT(row_major, col_major, "row", "col", __VA_ARGS__)   \
    WARPLINE_MULTIPLY_LAYOUT(col_major, row_major, "col", "row", __VA_ARGS__)   \
    WARPLINE_MULTIPLY_LAYOUT(col_major, col_major, "col", "col", __VA_ARGS__)
#define WARPLINE_8_8_8_8 "{%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9, %10, %11, %12, %13, %14, %15}, {%16, %17, %18, %19, %20, %21, %22, %23}, {%24, %25, %26, %27, %28, %29, %30, %31};"
#define WARPLINE_4_8_8_4 "{%0, %1, %2, %3}, {%4, %5, %6, %7, %8, %9, %10, %11}, {%12, %13, %14, %15, %16, %17, %18, %19}, {%20, %21, %22, %23};"
#define WARPLINE_8_4_4_8 "{%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9, %10, %11}, {%12, %13, %14, %15}, {%16, %17, %18, %19, %20, %21, %22, %23};"
#define WARPLINE_8_8_2_8 "{%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9, %10, %11, %12, %13, %14, %15}, {%16, %17}, {%18, %19, %20, %21, %22, %23, %24, %25};"
#define WARPLINE_8_2_8_8 "{%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9}, {%10, %11, %12, %13, %14, %15, %16, %17}, {%18, %19, %20, %21, %22, %23, %24, %25};"
#define WARPLINE_8_2_2_8 "{%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9}, {%10, %11}, {%12, %13, %14, %15, %16, %17, %18, %19};"
#define WARPLINE_8_4_1_8 "{%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9, %10, %11}, {%12}, {%13, %14, %15, %16, %17, %18, %19, %20};"
#define WARPLINE_8_1_4_8 "{%0, %1, %2, %3, %4, %5, %6, %7}, {%8}, {%9, %10, %11, %12}, {%13, %14, %15, %16, %17, %18, %19, %20};"
#define WARPLINE_2_1_1_2 "{%0, %1}, {%2}, {%3}, {%4, %5};"

#define WARPLINE_HALF_TILE(m, n, k, shape)                                                                                         \
    WARPLINE_LOADS_OF(matrix_a, "a", m, n, k, shape, __half, __half, "f16", 8, unsigned, "r")                                      \
    WARPLINE_LOADS_OF(matrix_b, "b", m, n, k, shape, __half, __half, "f16", 8, unsigned, "r")                                      \
    WARPLINE_SUMS_OF(m, n, k, shape, float, "f32", 8, float, "f")                                                                  \
    WARPLINE_SUMS_OF(m, n, k, shape, __half, "f16", 4, unsigned, "r")                                                              \
    WARPLINE_SUMS_OF(m, n, k, shape, int, "s32", 8, int, "r")                                                                      \
    WARPLINE_MULTIPLY(m, n, k, shape, __half, float, "f32.f32", WARPLINE_8_8_8_8, "f", 8, float, "r", 8, 8, unsigned)              \
    WARPLINE_MULTIPLY(m, n, k, shape, __half, __half, "f16.f16", WARPLINE_4_8_8_4, "r", 4, unsigned, "r", 8, 8, unsigned)
WARPLINE_HALF_TILE(16, 16, 16, "m16n16k16")
WARPLINE_HALF_TILE(32, 8, 16, "m32n8k16")
WARPLINE_HALF_TILE(8, 32, 16, "m8n32k16")
#undef WARPLINE_HALF_TILE
#define WARPLINE_NARROW_TILE(m, n, k, shape, T, type, sum, sum_type, word, c, na, nb, regs)                                        \
    WARPLINE_LOADS_OF(matrix_a, "a", m, n, k, shape, T, T, type, na, unsigned, "r")                                                \
    WARPLINE_LOADS_OF(matrix_b, "b", m, n, k, shape, T, T, type, nb, unsigned, "r")                                                \
    WARPLINE_MULTIPLY(m, n, k, shape, T, sum, sum_type "." type "." type "." sum_type, regs, c, 8, word, "r", na, nb, unsigned)
#define WARPLINE_NARROW_TILES(T, type, sum, sum_type, word, c, n2, n4, n1, square, tall, wide)                                     \
    WARPLINE_NARROW_TILE(16, 16, 16, "m16n16k16", T, type, sum, sum_type, word, c, n2, n2, square)                                 \
    WARPLINE_NARROW_TILE(32, 8, 16, "m32n8k16", T, type, sum, sum_type, word, c, n4, n1, tall)                                     \
    WARPLINE_NARROW_TILE(8, 32, 16, "m8n32k16", T, type, sum, sum_type, word, c, n1, n4, wide)
WARPLINE_NARROW_TILES(__nv_bfloat16, "bf16", float, "f32", float, "f", 4, 8, 2, WARPLINE_8_4_4_8, WARPLINE_8_8_2_8, WARPLINE_8_2_8_8)
WARPLINE_NARROW_TILES(unsigned char, "u8", int, "s32", int, "r", 2, 4, 1, WARPLINE_8_2_2_8, WARPLINE_8_4_1_8, WARPLINE_8_1_4_8)
WARPLINE_NARROW_TILES(signed char, "s8", int, "s32", int, "r", 2, 4, 1, WARPLINE_8_2_2_8, WARPLINE_8_4_1_8, WARPLINE_8_1_4_8)
#undef WARPLINE_NARROW_TILES
#undef WARPLINE_NARROW_TILE
WARPLINE_LOADS_OF(matrix_a, "a", 16, 16, 8, "m16n16k8", precision::tf32, float, "tf32", 4, unsigned, "r")
WARPLINE_LOADS_OF(matrix_b, "b", 16, 16, 8, "m16n16k8", precision::tf32, float, "tf32", 4, unsigned, "r")
WARPLINE_SUMS_OF(16, 16, 8, "m16n16k8", float, "f32", 8, float, "f")
WARPLINE_MULTIPLY(16, 16, 8, "m16n16k8", precision::tf32, float, "f32.tf32.tf32.f32", WARPLINE_8_4_4_8, "f", 8, float, "r", 4, 4, unsigned)
WARPLINE_LOADS_OF(matrix_a, "a", 8, 8, 4, "m8n8k4", double, double, "f64", 1, double, "d")
WARPLINE_LOADS_OF(matrix_b, "b", 8, 8, 4, "m8n8k4", double, double, "f64", 1, double, "d")
WARPLINE_SUMS_OF(8, 8, 4, "m8n8k4", double, "f64", 2, double, "d")
WARPLINE_MULTIPLY(8, 8, 4, "m8n8k4", double, double, "f64.f64.f64.f64", WARPLINE_2_1_1_2, "d", 2, double, "d", 1, 1, double)
} /* namespace wmma */
} /* namespace nvcuda */
#endif
#include "bits/names_shown.h"
#endif
