/* lanes_matrix.h - tiles of matrices as rows of doubles: widened from registers, multiplied, narrowed again, in vector code.
 * Included once by each variant through lanes_body.h; LANES_DOUBLES is how many doubles a vector of the host holds.
 *
 * Products of two floats of half the bits are exact in double, so that it makes no difference whether they are fused. */

typedef double some __attribute__((vector_size(8 * LANES_DOUBLES), aligned(8), may_alias));
typedef uint32_t four_words __attribute__((vector_size(16), aligned(4), may_alias));
typedef double four_doubles __attribute__((vector_size(32), aligned(8), may_alias));
enum { PARTS = 8 / LANES_DOUBLES };
#if defined(__clang__)
#define LANES_UNROLL _Pragma("unroll")
#else
#define LANES_UNROLL _Pragma("GCC unroll 8")
#endif

/* Eight columns of LANES_DOUBLES rows at a time, in order of k: that many sums fit into the host's registers and hide its latency.
 */
LANES_TARGET static void multiply_lanes(const struct left_tile *a, const double *b, double *c, uint32_t rows, uint32_t columns,
                                        uint32_t depth)
{
    for (uint32_t i = 0; i < rows; i += LANES_DOUBLES)
        for (uint32_t first = 0; first < columns; first += 8) {
            some sum[LANES_DOUBLES][PARTS];
            double *to = c + i * columns + first;
            const double *row = a->start + i / 8 * a->block_step + i % 8 * a->row_step;
            LANES_UNROLL
            for (uint32_t r = 0; r < LANES_DOUBLES; r++)
                LANES_UNROLL
            for (uint32_t p = 0; p < PARTS; p++)
                sum[r][p] = *(const some *)(to + r * columns + p * LANES_DOUBLES);
            for (uint32_t k = 0; k < depth; row += a->chunk_step)
                for (uint32_t in_chunk = 0; in_chunk < a->chunk; in_chunk++, k++) {
                    some right[PARTS];
                    LANES_UNROLL
                    for (uint32_t p = 0; p < PARTS; p++)
                        right[p] = *(const some *)(b + k * columns + first + p * LANES_DOUBLES);
                    LANES_UNROLL
                    for (uint32_t r = 0; r < LANES_DOUBLES; r++)
                        LANES_UNROLL
                    for (uint32_t p = 0; p < PARTS; p++)
                        sum[r][p] = LANES_FUSED(row[r * a->row_step + in_chunk], right[p], sum[r][p]);
                }
            LANES_UNROLL
            for (uint32_t r = 0; r < LANES_DOUBLES; r++)
                LANES_UNROLL
            for (uint32_t p = 0; p < PARTS; p++)
                *(some *)(to + r * columns + p * LANES_DOUBLES) = sum[r][p];
        }
}

/* `count` elements, a multiple of eight, as doubles. */
LANES_TARGET static void widen_lanes(uint8_t type, const void *from, double *to, uint32_t count)
{
    const uint16_t *halves = from;
    const uint32_t *words = from;
    switch (type) {
    case T_F16:
        for (uint32_t i = 0; i < count; i += 8)
            LANES_WIDEN_F16(halves + i, to + i);
        break;
    case T_BF16:
        for (uint32_t i = 0; i < count; i++)
            to[i] = (double)float_of_bf16(halves[i]);
        break;
    case T_TF32: /* 19 bits count */
        for (uint32_t i = 0; i < count; i++)
            to[i] = (double)float_of(words[i] & ~0x1fffu);
        break;
    case T_F32:
        for (uint32_t i = 0; i < count; i++)
            to[i] = (double)float_of(words[i]);
        break;
    case T_S32:
        for (uint32_t i = 0; i < count; i++)
            to[i] = (double)(int32_t)words[i];
        break;
    case T_S8:
        for (uint32_t i = 0; i < count; i++)
            to[i] = (double)((const int8_t *)from)[i];
        break;
    default:
        for (uint32_t i = 0; i < count; i++)
            to[i] = (double)((const uint8_t *)from)[i];
        break;
    }
}

/* A register of B: eight columns of `along` elements each (a multiple of four) as rows of eight. */
LANES_TARGET static void widen_turned_lanes(uint8_t type, const void *from, uint32_t along, double *to)
{
    double value[4 * LANES] __attribute__((aligned(64)));
    widen_lanes(type, from, value, 8 * along);
    for (uint32_t c = 0; c < 8; c += 4)
        for (uint32_t k = 0; k < along; k += 4) {
            const double *at = value + c * along + k;
            const four_doubles v0 = *(const four_doubles *)at, v1 = *(const four_doubles *)(at + along),
                               v2 = *(const four_doubles *)(at + 2 * along), v3 = *(const four_doubles *)(at + 3 * along);
            const four_doubles a = __builtin_shufflevector(v0, v1, 0, 4, 2, 6), b = __builtin_shufflevector(v0, v1, 1, 5, 3, 7),
                               d = __builtin_shufflevector(v2, v3, 0, 4, 2, 6), e = __builtin_shufflevector(v2, v3, 1, 5, 3, 7);
            *(four_doubles *)(to + k * 8 + c) = __builtin_shufflevector(a, d, 0, 1, 4, 5);
            *(four_doubles *)(to + (k + 1) * 8 + c) = __builtin_shufflevector(b, e, 0, 1, 4, 5);
            *(four_doubles *)(to + (k + 2) * 8 + c) = __builtin_shufflevector(a, d, 2, 3, 6, 7);
            *(four_doubles *)(to + (k + 3) * 8 + c) = __builtin_shufflevector(b, e, 2, 3, 6, 7);
        }
}

/* One rounding to the type of a sum: f32, f16 or s32, whose sums are exact in double and wrap, or clamp with `saturate`. */
LANES_TARGET static void narrow_lanes(uint8_t type, bool saturate, const double *from, void *to, uint32_t count)
{
    switch (type) {
    case T_F32:
        for (uint32_t i = 0; i < count; i++)
            ((uint32_t *)to)[i] = bits_of(canonical_f32((float)from[i]));
        break;
    case T_F16:
        for (uint32_t i = 0; i < count; i++)
            ((uint16_t *)to)[i] = (uint16_t)f16_of_float(odd_float(from[i], 0.0));
        break;
    default:
        for (uint32_t i = 0; i < count; i++) {
            const double least = from[i] > INT32_MIN ? from[i] : INT32_MIN, most = least < INT32_MAX ? least : INT32_MAX;
            ((uint32_t *)to)[i] = (uint32_t)(int64_t)(saturate ? most : from[i]);
        }
        break;
    }
}

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

/* Two registers' words in turn: a lane's two neighbours. */
LANES_TARGET static void join_words_lanes(const uint32_t *even, const uint32_t *odd, uint32_t *to)
{
    for (uint32_t lane = 0; lane < LANES; lane += 4) {
        const four_words a = *(const four_words *)(even + lane), b = *(const four_words *)(odd + lane);
        *(four_words *)(to + 2 * lane) = __builtin_shufflevector(a, b, 0, 4, 1, 5);
        *(four_words *)(to + 2 * lane + 4) = __builtin_shufflevector(a, b, 2, 6, 3, 7);
    }
}

LANES_TARGET static void part_words_lanes(const uint32_t *from, uint32_t *even, uint32_t *odd)
{
    for (uint32_t lane = 0; lane < LANES; lane += 4) {
        const four_words a = *(const four_words *)(from + 2 * lane), b = *(const four_words *)(from + 2 * lane + 4);
        *(four_words *)(even + lane) = __builtin_shufflevector(a, b, 0, 2, 4, 6);
        *(four_words *)(odd + lane) = __builtin_shufflevector(a, b, 1, 3, 5, 7);
    }
}
