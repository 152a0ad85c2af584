/* lanes_matrix.h - products of matrices that lie in the registers of a warp, and tiles dealt to registers, in vector code. Included
 * once by each variant through lanes_body.h, which says what the host's vectors are.
 *
 * A vector holds neighbours of a column of the left matrix and of the sums; the right matrix gives one element at a time, to all
 * of them. So each sum is formed in order of k. Products of two floats of half the bits are exact in double, and those of bytes,
 * with all their sums, in float: it makes no difference whether a product and its sum are fused. */

#if defined(__clang__)
#define LANES_UNROLL _Pragma("unroll")
#else
#define LANES_UNROLL _Pragma("GCC unroll 16")
#endif

/* rows x columns words turned; both are multiples of four, and rows lie `step` words apart. */
LANES_TARGET static void turn_words_lanes(const uint32_t *from, uint32_t step, uint32_t rows, uint32_t columns, uint32_t *to)
{
    for (uint32_t r = 0; r < rows; r += 4)
        for (uint32_t c = 0; c < columns; c += 4) {
            const four_words v0 = *(const four_words *)(from + r * step + c), v1 = *(const four_words *)(from + (r + 1) * step + c),
                             v2 = *(const four_words *)(from + (r + 2) * step + c),
                             v3 = *(const four_words *)(from + (r + 3) * step + c);
            const four_words a = __builtin_shufflevector(v0, v1, 0, 4, 1, 5), b = __builtin_shufflevector(v2, v3, 0, 4, 1, 5),
                             d = __builtin_shufflevector(v0, v1, 2, 6, 3, 7), e = __builtin_shufflevector(v2, v3, 2, 6, 3, 7);
            *(four_words *)(to + c * rows + r) = __builtin_shufflevector(a, b, 0, 1, 4, 5);
            *(four_words *)(to + (c + 1) * rows + r) = __builtin_shufflevector(a, b, 2, 3, 6, 7);
            *(four_words *)(to + (c + 2) * rows + r) = __builtin_shufflevector(d, e, 0, 1, 4, 5);
            *(four_words *)(to + (c + 3) * rows + r) = __builtin_shufflevector(d, e, 2, 3, 6, 7);
        }
}

/* A warp's words, which belong to `ways` columns in turn, column by column: 32 / ways words of each. */
LANES_TARGET static void part_words(const uint32_t *from, uint32_t ways, uint32_t *to)
{
    for (uint32_t i = 0; i < LANES && ways == 2; i += 8) {
        const four_words a = *(const four_words *)(from + i), b = *(const four_words *)(from + i + 4);
        *(four_words *)(to + i / 2) = __builtin_shufflevector(a, b, 0, 2, 4, 6);
        *(four_words *)(to + 16 + i / 2) = __builtin_shufflevector(a, b, 1, 3, 5, 7);
    }
    if (ways == 4)
        turn_words_lanes(from, 4, 8, 4, to);
}

/* The reverse; column c stands at from + start[c]. */
LANES_TARGET static void join_words(const uint32_t *from, const uint16_t *start, uint32_t ways, uint32_t *to)
{
    for (uint32_t i = 0; i < LANES / 2 && ways == 2; i += 4) {
        const four_words a = *(const four_words *)(from + start[0] + i), b = *(const four_words *)(from + start[1] + i);
        *(four_words *)(to + 2 * i) = __builtin_shufflevector(a, b, 0, 4, 1, 5);
        *(four_words *)(to + 2 * i + 4) = __builtin_shufflevector(a, b, 2, 6, 3, 7);
    }
    if (ways == 4) {
        uint32_t together[LANES] __attribute__((aligned(64)));
        for (uint32_t c = 0; c < 4; c++)
            memcpy(together + 8 * c, from + start[c], 8 * sizeof *from);
        turn_words_lanes(together, 8, 4, 8, to);
    }
}

/* A register's words, column by column, in its place or in `room`. */
LANES_TARGET static inline const uint32_t *words_of(const struct dealt *f, const void *reg, uint32_t *room)
{
    if (f->ways == 1)
        return (const uint32_t *)reg + f->first;
    part_words(reg, f->ways, room);
    return room;
}

/* The elements of a fragment, column after column. */
LANES_TARGET static void collect_words_by_eight(const struct dealt *f, const void *const *reg, void *to)
{
    const uint32_t rows = f->run;
    uint32_t room[LANES] __attribute__((aligned(64)));
    for (uint32_t r = 0; r < f->registers; r++) {
        const uint32_t *words = words_of(f, reg[r], room);
        for (uint32_t c = 0; c < f->ways; c++)
            for (uint32_t i = 0; i < rows; i += 8)
                *(eight_words *)((uint32_t *)to + f->start[r][c] + i) = *(const eight_words *)(words + c * rows + i);
    }
}

LANES_TARGET static void collect_halves_by_eight(const struct dealt *f, const void *const *reg, uint16_t *cells)
{
    const uint32_t rows = f->run;
    uint32_t room[LANES] __attribute__((aligned(64)));
    for (uint32_t r = 0; r < f->registers; r++) {
        const uint32_t *words = words_of(f, reg[r], room);
        for (uint32_t c = 0; c < f->ways; c++)
            split_words(words + c * rows, cells + f->start[r][2 * c], cells + f->start[r][2 * c + 1], rows);
    }
}

LANES_TARGET static void collect_bytes_by_eight(const struct dealt *f, bool is_signed, const void *const *reg, float *cells)
{
    const uint32_t rows = f->run;
    uint32_t room[LANES] __attribute__((aligned(64)));
    for (uint32_t r = 0; r < f->registers; r++) {
        const uint32_t *words = words_of(f, reg[r], room);
        for (uint32_t c = 0; c < f->ways; c++)
            for (uint32_t s = 0; s < 4; s++)
                for (uint32_t i = 0; i < rows; i += 8) {
                    const eight_words top = *(const eight_words *)(words + c * rows + i) << (24 - 8 * s);
                    const eight_integers value = is_signed ? (eight_integers)top >> 24 : (eight_integers)(top >> 24);
                    *(eight_floats *)(cells + f->start[r][4 * c + s] + i) = __builtin_convertvector(value, eight_floats);
                }
    }
}

/* Columns into registers; of a tile that registers hold more than once, into all of them. */
LANES_TARGET static void deal_by_eight(const struct dealt *f, const void *cells, void *const *reg)
{
    const uint32_t *words = cells;
    const uint32_t used = (uint32_t)f->run * f->ways;
    uint32_t pairs[LANES] __attribute__((aligned(64)));
    static const uint16_t in_order[4][4] = { { 0 }, { 0 }, { 0, 16 }, { 0, 8, 16, 24 } };
    for (uint32_t r = 0; r < f->registers; r++) {
        const uint16_t *start = f->start[r];
        if (f->per == 2) {
            const uint16_t *halves = cells;
            for (uint32_t c = 0; c < f->ways; c++)
                pair_halves(halves + start[2 * c], halves + start[2 * c + 1], pairs + c * f->run, f->run);
            words = pairs;
            start = in_order[f->ways == 4 ? 3 : f->ways];
        }
        if (f->ways == 1)
            for (uint32_t lane = 0; lane < LANES; lane += used)
                memcpy((uint32_t *)reg[r] + lane, words + start[0], used * sizeof *words);
        else
            join_words(words, start, f->ways, reg[r]);
    }
}

#if LANES_DOUBLES == 8
#include "exec/lanes_matrix_wide.h"
#else
#define collect_words collect_words_by_eight
#define collect_halves collect_halves_by_eight
#define collect_bytes collect_bytes_by_eight
#define deal_lanes deal_by_eight

LANES_TARGET static void narrow_halves(const double *from, uint16_t *to, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        to[i] = (uint16_t)f16_of_float(odd_float(from[i], 0.0));
}
#endif

/* `count` elements, a multiple of eight, as floats. */
LANES_TARGET static inline void singles(uint8_t type, const void *from, float *to, uint32_t count)
{
    switch (type) {
    case T_F16: widen_f16(from, to, count); break;
    case T_BF16: widen_bf16(from, to, count); break;
    case T_TF32: /* 19 bits count */
        for (uint32_t i = 0; i < count; i += 8)
            *(eight_words *)(to + i) = *(const eight_words *)((const uint32_t *)from + i) & ~0x1fffu;
        break;
    default: memcpy(to, from, count * sizeof *to); break;
    }
}

/* All elements of a fragment as floats, column after column. */
LANES_TARGET static void singles_of(const struct dealt *f, uint8_t type, const void *const *reg, uint32_t count, uint32_t *words,
                                    uint16_t *halves, float *to)
{
    if (f->per == 2) {
        collect_halves(f, reg, halves);
        singles(type, halves, to, count);
    } else if (type == T_F32) {
        collect_words(f, reg, to);
    } else {
        collect_words(f, reg, words);
        singles(type, words, to, count);
    }
}

/* to[columns][rows] = left[depth][rows] times the right matrix + from[columns][rows], in tiles of ROWS by COLUMNS, which fit into
 * the host's registers and are enough of them to hide its latency. */
#define MULTIPLY(name, T, vector, ROWS, COLUMNS, AT, LOAD, FUSED, RESULT, STORE)                                                   \
    LANES_TARGET static void name(const struct product *p, const T *left, const T *right, const float *from, RESULT *to)           \
    {                                                                                                                              \
        enum { STEP = sizeof(vector) / sizeof(T), VECTORS = (ROWS) / STEP };                                                       \
        (void)from;                                                                                                                \
        for (uint32_t first = 0; first < p->columns; first += (COLUMNS))                                                           \
            for (uint32_t row = 0; row < p->rows; row += (ROWS)) {                                                                 \
                vector s[COLUMNS][VECTORS];                                                                                        \
                const T *column = left + row, *start = right + p->column_at[first];                                                \
                const uint32_t tile = first * p->rows + row;                                                                       \
                LANES_UNROLL                                                                                                       \
                for (uint32_t c = 0; c < (COLUMNS); c++) {                                                                         \
                    LANES_UNROLL                                                                                                   \
                    for (uint32_t v = 0; v < VECTORS; v++)                                                                         \
                        s[c][v] = LOAD(from + tile + c * p->rows + v * STEP);                                                      \
                }                                                                                                                  \
                for (uint32_t k = 0; k < p->depth; k++, column += p->rows) {                                                       \
                    const T *at = start + p->depth_at[k];                                                                          \
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
                    STORE(vector, s[c], VECTORS, to + tile + c * p->rows)                                                          \
                }                                                                                                                  \
            }                                                                                                                      \
    }
#define STORE_VECTORS(vector, s, count, to)                                                                                        \
    LANES_UNROLL                                                                                                                   \
    for (uint32_t v = 0; v < (count); v++)                                                                                         \
        *(vector *)((to) + v * sizeof(vector) / sizeof *(to)) = (s)[v];
typedef double some_doubles LANES_VECTOR(double, LANES_DOUBLES);
typedef float some_floats LANES_VECTOR(float, LANES_DOUBLES == 8 ? 16 : 2 * LANES_DOUBLES);
/* Where the columns of the right matrix stand behind the first of a tile: anywhere, or as in the usual fragments of wmma and mma.
 */
#define AT_ANY(c) (p->column_at[first + (c)] - p->column_at[first])
#define AT_WMMA(c) ((c) / 2 * 32 + (c) % 2)
#define AT_MMA(c) ((c)*8)
#define AT_TF32(c) ((c)*4)
#define AT_BYTES(c) ((c)*16)
#define ZERO(from)                                                                                                                 \
    (some_floats)                                                                                                                  \
    {                                                                                                                              \
        0                                                                                                                          \
    }
#define MULTIPLY_DOUBLES(rows)                                                                                                     \
    MULTIPLY(multiply_any_##rows, double, some_doubles, rows, LANES_DOUBLES, AT_ANY, LANES_LOAD_SUM, LANES_FUSED, uint32_t,        \
             LANES_STORE_SUM_##rows)                                                                                               \
    MULTIPLY(multiply_into_doubles_##rows, double, some_doubles, rows, LANES_DOUBLES, AT_ANY, LANES_LOAD_SUM, LANES_FUSED, double, \
             STORE_VECTORS)
#define MULTIPLY_MMA(rows)                                                                                                         \
    MULTIPLY(multiply_mma, double, some_doubles, rows, LANES_DOUBLES, AT_MMA, LANES_LOAD_SUM, LANES_FUSED, uint32_t,               \
             LANES_STORE_SUM_##rows)                                                                                               \
    MULTIPLY(multiply_tf32, double, some_doubles, rows, LANES_DOUBLES, AT_TF32, LANES_LOAD_SUM, LANES_FUSED, uint32_t,             \
             LANES_STORE_SUM_##rows)
#if LANES_DOUBLES == 8
MULTIPLY(multiply_wmma, double, some_doubles, 8, 16, AT_WMMA, LANES_LOAD_SUM, LANES_FUSED, uint32_t, LANES_STORE_SUM_8)
#define ZERO_EIGHT(from)                                                                                                           \
    (eight_floats)                                                                                                                 \
    {                                                                                                                              \
        0                                                                                                                          \
    }
MULTIPLY_DOUBLES(8)
MULTIPLY_DOUBLES(16)
MULTIPLY_MMA(16)
MULTIPLY(multiply_bytes_16, float, some_floats, 16, 8, AT_BYTES, ZERO, LANES_FUSED_FLOATS, float, STORE_VECTORS)
MULTIPLY(multiply_any_bytes_16, float, some_floats, 16, 8, AT_ANY, ZERO, LANES_FUSED_FLOATS, float, STORE_VECTORS)
MULTIPLY(multiply_any_bytes_8, float, eight_floats, 8, 8, AT_ANY, ZERO_EIGHT, LANES_FUSED_EIGHT, float, STORE_VECTORS)
#else
MULTIPLY_DOUBLES(8)
MULTIPLY_MMA(8)
MULTIPLY(multiply_bytes_16, float, some_floats, 8, 2 * LANES_DOUBLES, AT_BYTES, ZERO, LANES_FUSED_FLOATS, float, STORE_VECTORS)
MULTIPLY(multiply_any_bytes_16, float, some_floats, 8, 2 * LANES_DOUBLES, AT_ANY, ZERO, LANES_FUSED_FLOATS, float, STORE_VECTORS)
MULTIPLY(multiply_wmma, double, some_doubles, 8, LANES_DOUBLES, AT_WMMA, LANES_LOAD_SUM, LANES_FUSED, uint32_t, LANES_STORE_SUM_8)
#define multiply_any_16 multiply_any_8
#define multiply_into_doubles_16 multiply_into_doubles_8
#define multiply_any_bytes_8 multiply_any_bytes_16
#endif
#undef MULTIPLY_DOUBLES
#undef MULTIPLY_MMA
#undef MULTIPLY

/* Bytes: all sums of products are whole numbers below 2^24. What is added to them wraps, or clamps. */
LANES_TARGET static void product_of_bytes(const struct product *p, const struct product_registers *x)
{
    float left[16 * LANES] __attribute__((aligned(64))), right[16 * LANES] __attribute__((aligned(64)));
    float sum[8 * LANES] __attribute__((aligned(64)));
    uint32_t start[8 * LANES] __attribute__((aligned(64)));
    const uint32_t count = p->rows * p->columns;
    collect_bytes(&p->a, p->a_type == T_S8, x->a, left);
    for (uint32_t r = 0; r < p->b_registers; r++) /* bytes are held once: all lanes count */
        widen_bytes(x->b[r], p->b_type == T_S8, right + r * 4 * LANES, 4 * LANES);
    collect_words(&p->c, x->c, start);
    (p->rows % 16                   ? multiply_any_bytes_8
     : p->columns_at == COLUMNS_MMA ? multiply_bytes_16
                                    : multiply_any_bytes_16)(p, left, right, NULL, sum);
    if (p->saturate) {
        for (uint32_t i = 0; i < count; i++) {
            const uint32_t change = (uint32_t)(int32_t)sum[i], total = start[i] + change;
            const bool over = ((start[i] ^ total) & (change ^ total)) >> 31;
            start[i] = over ? 0x7fffffffu + (change >> 31) : total;
        }
    } else {
        for (uint32_t i = 0; i < count; i++)
            start[i] += (uint32_t)(int32_t)sum[i];
    }
    deal_lanes(&p->d, start, x->d);
}

LANES_TARGET static void product_lanes(const struct product *p, const struct product_registers *x)
{
    double left[16 * LANES] __attribute__((aligned(64))), right[16 * LANES] __attribute__((aligned(64)));
    double sum[8 * LANES] __attribute__((aligned(64)));
    float single[16 * LANES] __attribute__((aligned(64)));
    uint32_t words[8 * LANES] __attribute__((aligned(64)));
    uint16_t halves[16 * LANES] __attribute__((aligned(64)));
    if (p->c_type == T_S32) {
        product_of_bytes(p, x);
        return;
    }
    const uint32_t count = p->rows * p->columns, per = (p->b_type == T_TF32 ? 1u : 2u) * (LANES - p->b_first);
    for (uint32_t r = 0; r < p->b_registers; r++)
        singles(p->b_type, (const uint32_t *)x->b[r] + p->b_first, single + r * per, per);
    widen_floats(single, right, per * p->b_registers);
    singles_of(&p->a, p->a_type, x->a, p->rows * p->depth, words, halves, single);
    widen_floats(single, left, p->rows * p->depth);
    singles_of(&p->c, p->c_type, x->c, count, words, halves, single);
    if (p->d_type == T_F16) {
        (p->rows % 16 ? multiply_into_doubles_8 : multiply_into_doubles_16)(p, left, right, single, sum);
        narrow_halves(sum, halves, count);
        deal_lanes(&p->d, halves, x->d);
    } else {
        if (p->rows % 16)
            multiply_any_8(p, left, right, single, words);
        else
            (p->columns_at == COLUMNS_WMMA   ? multiply_wmma
             : p->columns_at == COLUMNS_MMA  ? multiply_mma
             : p->columns_at == COLUMNS_TF32 ? multiply_tf32
                                             : multiply_any_16)(p, left, right, single, words);
        deal_lanes(&p->d, words, x->d);
    }
}
