/* lanes_product.h - products of matrices in vector code. Included once by each variant through lanes_body.h.
 *
 * A vector holds neighbours of a column of the left matrix and of the sums; the right matrix gives one element at a time, to all
 * of them. Sums are floats, formed in order of k, each step a fused product and sum: PTX asks for sums of at least single
 * precision and leaves open their order and their rounding. Every host so gives the same bits. A product of two halves, of two
 * bytes with all their sums, and of two bf16 or tf32 that are neither large nor tiny, is exact in float: for these it makes no
 * difference whether the step is fused. */

/* `count` elements, a multiple of eight, as floats. */
LANES_TARGET static inline void singles(uint8_t type, const void *from, float *to, uint32_t count)
{
    switch (type) {
    case T_F16: widen_f16(from, to, count); break;
    case T_BF16: widen_bf16(from, to, count); break;
    case T_S8:
    case T_U8: widen_bytes(from, type == T_S8, to, count); break;
    default: /* tf32: 19 bits count */
        for (uint32_t i = 0; i < count; i += 8)
            *(eight_words *)(to + i) = *(const eight_words *)((const uint32_t *)from + i) & ~0x1fffu;
        break;
    }
}

/* sum[columns][rows] += left[depth][rows] times the right matrix, in tiles of ROWS by COLUMNS, which fit into the host's registers
 * and are enough of them to hide its latency. */
#define MULTIPLY(name, vector, ALL_ROWS, ROWS, COLUMNS, AT, FUSED, END)                                                            \
    LANES_TARGET static void name(const struct product *p, const float *left, const float *right, float *sum)                      \
    {                                                                                                                              \
        enum { STEP = sizeof(vector) / sizeof(float), VECTORS = (ROWS) / STEP };                                                   \
        const uint32_t all = ALL_ROWS;                                                                                             \
        for (uint32_t first = 0; first < p->columns; first += (COLUMNS))                                                           \
            for (uint32_t row = 0; row < all; row += (ROWS)) {                                                                     \
                vector s[COLUMNS][VECTORS];                                                                                        \
                const float *column = left + row, *start = right + p->column_at[first];                                            \
                float *tile = sum + first * all + row;                                                                             \
                LANES_UNROLL                                                                                                       \
                for (uint32_t c = 0; c < (COLUMNS); c++) {                                                                         \
                    LANES_UNROLL                                                                                                   \
                    for (uint32_t v = 0; v < VECTORS; v++)                                                                         \
                        s[c][v] = *(const vector *)(tile + c * all + v * STEP);                                                    \
                }                                                                                                                  \
                for (uint32_t k = 0; k < p->depth; k++, column += all) {                                                           \
                    const float *at = start + p->depth_at[k];                                                                      \
                    __asm__("" : "+r"(at)); /* one register as address: then reading and multiplying is one step of the host */    \
                    vector l[VECTORS];                                                                                             \
                    LANES_UNROLL                                                                                                   \
                    for (uint32_t v = 0; v < VECTORS; v++)                                                                         \
                        l[v] = *(const vector *)(column + v * STEP);                                                               \
                    LANES_UNROLL                                                                                                   \
                    for (uint32_t c = 0; c < (COLUMNS); c++) {                                                                     \
                        LANES_UNROLL                                                                                               \
                        for (uint32_t v = 0; v < VECTORS; v++)                                                                     \
                            s[c][v] = FUSED(at[AT(c)], l[v], s[c][v]);                                                             \
                    }                                                                                                              \
                }                                                                                                                  \
                LANES_UNROLL                                                                                                       \
                for (uint32_t c = 0; c < (COLUMNS); c++) {                                                                         \
                    LANES_UNROLL                                                                                                   \
                    for (uint32_t v = 0; v < VECTORS; v++)                                                                         \
                        *(vector *)(tile + c * all + v * STEP) = END(s[c][v]);                                                     \
                }                                                                                                                  \
            }                                                                                                                      \
    }
typedef float some_floats LANES_VECTOR(float, LANES_FLOATS);
/* Where the columns of the right matrix stand behind the first of a tile: anywhere, or as in the usual fragments of wmma and mma.
 */
#define AT_ANY(c) (p->column_at[first + (c)] - p->column_at[first])
#define AT_WMMA(c) ((c) / 2 * 32 + (c) % 2)
#define AT_MMA(c) ((c)*8)
#define AT_TF32(c) ((c)*4)
/* Sixteen rows, which most matrices have; any other number of them. */
#if LANES_FLOATS == 16
enum { TILE_COLUMNS = 8, WMMA_COLUMNS = 16 };
MULTIPLY(multiply_any, eight_floats, p->rows, 8, 8, AT_ANY, LANES_FUSED_EIGHT, canonical_eight)
#else
enum { TILE_COLUMNS = LANES_FLOATS / 2, WMMA_COLUMNS = LANES_FLOATS / 2 };
MULTIPLY(multiply_any, some_floats, p->rows, 8, LANES_FLOATS, AT_ANY, LANES_FUSED, LANES_CANONICAL)
#endif
#define MULTIPLY_SIXTEEN(name, columns, AT, END) MULTIPLY(name, some_floats, 16, 16, columns, AT, LANES_FUSED, END)
MULTIPLY_SIXTEEN(multiply_sixteen, TILE_COLUMNS, AT_ANY, LANES_CANONICAL)
MULTIPLY_SIXTEEN(multiply_wmma, WMMA_COLUMNS, AT_WMMA, LANES_CANONICAL)
MULTIPLY_SIXTEEN(multiply_mma, TILE_COLUMNS, AT_MMA, LANES_CANONICAL)
MULTIPLY_SIXTEEN(multiply_tf32, TILE_COLUMNS, AT_TF32, LANES_CANONICAL)
#undef MULTIPLY_SIXTEEN
#undef MULTIPLY

/* The same for a host that cannot fuse, when a product may not be exact. */
LANES_TARGET static void multiply_one_by_one(const struct product *p, const float *left, const float *right, float *sum)
{
    for (uint32_t j = 0; j < p->columns; j++)
        for (uint32_t i = 0; i < p->rows; i++) {
            float *to = &sum[j * p->rows + i];
            for (uint32_t k = 0; k < p->depth; k++)
                *to = fmaf(left[k * p->rows + i], right[p->column_at[j] + p->depth_at[k]], *to);
            *to = canonical_f32(*to);
        }
}

LANES_TARGET static void multiply(const struct product *p, const float *left, const float *right, float *sum)
{
    if (p->rows != 16)
        multiply_any(p, left, right, sum);
    else
        (p->columns_at == COLUMNS_WMMA                        ? multiply_wmma
         : p->columns_at == COLUMNS_TF32                      ? multiply_tf32
         : p->columns_at == COLUMNS_ANY || p->c_type == T_S32 ? multiply_sixteen
                                                              : multiply_mma)(p, left, right, sum);
}

/* Bytes: all sums of products are whole numbers below 2^24. What is added to them wraps, or clamps. */
LANES_TARGET static void add_whole_numbers(const int32_t *sum, bool saturate, uint32_t *start, uint32_t count)
{
    if (!saturate) {
        for (uint32_t i = 0; i < count; i++)
            start[i] += (uint32_t)sum[i];
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t change = (uint32_t)sum[i], total = start[i] + change;
        const bool over = ((start[i] ^ total) & (change ^ total)) >> 31;
        start[i] = over ? 0x7fffffffu + (change >> 31) : total;
    }
}

#if defined(LANES_DOT)
typedef int32_t some_integers LANES_VECTOR(int32_t, LANES_FLOATS);

/* Bytes of sixteen rows, as mma's fragments hold them: four neighbours along k to a word, in both matrices. Two words of pairs are
 * made of each, and two products summed in one step. */
LANES_TARGET static void multiply_pairs(const struct product *p, const int32_t *left, const int32_t *even, const int32_t *odd,
                                        int32_t *sum)
{
    enum { VECTORS = 16 / LANES_FLOATS, COLUMNS = 8 / VECTORS };
    for (uint32_t first = 0; first < p->columns; first += COLUMNS) {
        some_integers s[COLUMNS][VECTORS] = { { { 0 } } };
        for (uint32_t k = 0; k < p->depth; k += 4) {
            const uint32_t at = p->column_at[first] / 4u + p->depth_at[k] / 4u;
            LANES_UNROLL
            for (uint32_t c = 0; c < COLUMNS; c++) {
                LANES_UNROLL
                for (uint32_t v = 0; v < VECTORS; v++) {
                    const int32_t *column = left + 16 * k + v * LANES_FLOATS;
                    s[c][v] = LANES_DOT(even[at + 4 * c], *(const some_integers *)column, s[c][v]);
                    s[c][v] = LANES_DOT(odd[at + 4 * c], *(const some_integers *)(column + 16), s[c][v]);
                }
            }
        }
        LANES_UNROLL
        for (uint32_t c = 0; c < COLUMNS; c++) {
            LANES_UNROLL
            for (uint32_t v = 0; v < VECTORS; v++)
                *(some_integers *)(sum + (first + c) * 16 + v * LANES_FLOATS) = s[c][v];
        }
    }
}

/* False: not for this shape. */
LANES_TARGET static bool product_of_pairs(const struct product *p, const struct product_registers *x, int32_t *sum)
{
    int32_t left[16 * LANES] __attribute__((aligned(64))), right[2][4 * LANES] __attribute__((aligned(64)));
    static const uint16_t apart[2] = { 0, 4 * LANES };
    if (p->rows != 16 || p->columns_at != COLUMNS_MMA)
        return false;
    collect_lanes(&p->a, p->a_type == T_S8 ? T_S16 : T_U16, x->a, left);
    for (uint32_t r = 0; r < p->b_registers; r++)
        for (uint32_t i = 0; i < LANES; i += 8)
            put_eights(p->b_type == T_S8 ? T_S16 : T_U16, (const eight_words *)((const uint32_t *)x->b[r] + i), apart,
                       (float *)right + r * LANES + i);
    multiply_pairs(p, left, right[0], right[1], sum);
    return true;
}
#else
#define product_of_pairs(p, x, sum) false
#endif

/* By floats, where every sum is exact. */
LANES_TARGET static void product_of_bytes(const struct product *p, const struct product_registers *x)
{
    float left[16 * LANES] __attribute__((aligned(64))), right[16 * LANES] __attribute__((aligned(64)));
    float single[8 * LANES] __attribute__((aligned(64)));
    int32_t sum[8 * LANES] __attribute__((aligned(64)));
    uint32_t start[8 * LANES] __attribute__((aligned(64)));
    const uint32_t count = p->rows * p->columns, per = 4u * (LANES - p->b_first);
    if (!product_of_pairs(p, x, sum)) {
        for (uint32_t r = 0; r < p->b_registers; r++)
            singles(p->b_type, (const uint32_t *)x->b[r] + p->b_first, right + r * per, per);
        collect_lanes(&p->a, p->a_type, x->a, left);
        memset(single, 0, count * sizeof *single);
        multiply(p, left, right, single);
        for (uint32_t i = 0; i < count; i++)
            sum[i] = (int32_t)single[i];
    }
    collect_lanes(&p->c, T_S32, x->c, start);
    add_whole_numbers(sum, p->saturate, start, count);
    deal_lanes(&p->d, start, x->d);
}

#if LANES_FLOATS > 4
#include "exec/lanes_wmma.h"
#else
#define product_of_wmma(p, x) false
#endif

LANES_TARGET static void product_lanes(const struct product *p, const struct product_registers *x)
{
    float left[16 * LANES] __attribute__((aligned(64))), right[16 * LANES] __attribute__((aligned(64)));
    float sum[8 * LANES] __attribute__((aligned(64)));
    uint16_t halves[8 * LANES] __attribute__((aligned(64)));
    const uint32_t count = p->rows * p->columns, per = (uint32_t)p->b_per * (LANES - p->b_first);
    if (p->c_type == T_S32) {
        product_of_bytes(p, x);
        return;
    }
    if (product_of_wmma(p, x))
        return;
    for (uint32_t r = 0; r < p->b_registers; r++)
        singles(p->b_type, (const uint32_t *)x->b[r] + p->b_first, right + r * per, per);
    collect_lanes(&p->a, p->a_type, x->a, left);
    collect_lanes(&p->c, p->c_type, x->c, sum);
    if (LANES_CAN_MULTIPLY(p, left, right))
        multiply(p, left, right, sum);
    else
        multiply_one_by_one(p, left, right, sum);
    if (p->d_type == T_F16)
        narrow_halves(sum, halves, count);
    deal_lanes(&p->d, p->d_type == T_F16 ? (const void *)halves : sum, x->d);
}

/* Columns are multiples of eight. What is no number may have other bits than fma() would give it. */
LANES_TARGET static void product_of_doubles_lanes(const double *a, const double *b, double *c, uint32_t rows, uint32_t columns,
                                                  uint32_t depth)
{
    for (uint32_t i = 0; i < rows; i++)
        for (uint32_t j = 0; j < columns; j += 8) {
            double sum[8];
            memcpy(sum, c + i * columns + j, sizeof sum);
            for (uint32_t k = 0; k < depth; k++)
                for (uint32_t s = 0; s < 8; s++)
                    sum[s] = fma(a[i * depth + k], b[k * columns + j + s], sum[s]);
            memcpy(c + i * columns + j, sum, sizeof sum);
        }
}
