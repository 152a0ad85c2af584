/* lanes_matrix.h - matrices that lie in the registers of a warp, collected column by column and dealt again, in vector code, eight
 * rows at a time. Included once by each variant through lanes_body.h, which says what the host's vectors are.
 *
 * What is written is read back in pieces of the same size or smaller: the host makes a read wait that needs several writes. */

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

#define EIGHT LANES_TARGET static inline __attribute__((always_inline))

/* A register's words in columns: `each` vectors of the first, then those of the next. The last lanes count. */
/* give_eights() is the reverse; words that are held more than once go to all their places. */
#if LANES_FLOATS == 4 /* a vector of four has no shuffles of eight */
EIGHT void take_eights(uint32_t ways, uint32_t each, const void *reg, eight_words out[4])
{
    const uint32_t rows = 8 * each, *words = (const uint32_t *)reg + LANES - ways * rows;
    if (ways == 4)
        turn_words_lanes(words, 4, 8, 4, (uint32_t *)out);
    for (uint32_t i = 0; i < rows * ways && ways < 4; i++)
        ((uint32_t *)out)[i % ways * rows + i / ways] = words[i];
}

EIGHT void give_eights(uint32_t ways, uint32_t each, const eight_words in[4], void *reg)
{
    const uint32_t rows = 8 * each;
    if (ways == 4)
        turn_words_lanes((const uint32_t *)in, 8, 4, 8, reg);
    for (uint32_t i = 0; i < LANES && ways < 4; i++)
        ((uint32_t *)reg)[i] = ((const uint32_t *)in)[i % ways * rows + i / ways % rows];
}
#else
EIGHT void take_eights(uint32_t ways, uint32_t each, const void *reg, eight_words out[4])
{
    const uint32_t *words = (const uint32_t *)reg + LANES - 8 * ways * each;
    if (ways == 4) {
        four_words row[8];
        for (uint32_t i = 0; i < 8; i++)
            row[i] = *(const four_words *)(words + 4 * i);
        const eight_words r0 = __builtin_shufflevector(row[0], row[4], 0, 1, 2, 3, 4, 5, 6, 7),
                          r1 = __builtin_shufflevector(row[1], row[5], 0, 1, 2, 3, 4, 5, 6, 7),
                          r2 = __builtin_shufflevector(row[2], row[6], 0, 1, 2, 3, 4, 5, 6, 7),
                          r3 = __builtin_shufflevector(row[3], row[7], 0, 1, 2, 3, 4, 5, 6, 7);
        const eight_words a = __builtin_shufflevector(r0, r1, 0, 8, 1, 9, 4, 12, 5, 13),
                          b = __builtin_shufflevector(r2, r3, 0, 8, 1, 9, 4, 12, 5, 13),
                          d = __builtin_shufflevector(r0, r1, 2, 10, 3, 11, 6, 14, 7, 15),
                          e = __builtin_shufflevector(r2, r3, 2, 10, 3, 11, 6, 14, 7, 15);
        out[0] = __builtin_shufflevector(a, b, 0, 1, 8, 9, 4, 5, 12, 13);
        out[1] = __builtin_shufflevector(a, b, 2, 3, 10, 11, 6, 7, 14, 15);
        out[2] = __builtin_shufflevector(d, e, 0, 1, 8, 9, 4, 5, 12, 13);
        out[3] = __builtin_shufflevector(d, e, 2, 3, 10, 11, 6, 7, 14, 15);
        return;
    }
    LANES_UNROLL
    for (uint32_t v = 0; v < each && ways == 1; v++)
        out[v] = *(const eight_words *)(words + 8 * v);
    LANES_UNROLL
    for (uint32_t v = 0; v < each && ways == 2; v++) {
        const eight_words a = *(const eight_words *)(words + 16 * v), b = *(const eight_words *)(words + 16 * v + 8);
        out[v] = __builtin_shufflevector(a, b, 0, 2, 4, 6, 8, 10, 12, 14);
        out[v + each] = __builtin_shufflevector(a, b, 1, 3, 5, 7, 9, 11, 13, 15);
    }
}

EIGHT void give_eights(uint32_t ways, uint32_t each, const eight_words in[4], void *reg)
{
    uint32_t *words = reg;
    if (ways == 4) {
        const eight_words a = __builtin_shufflevector(in[0], in[1], 0, 8, 1, 9, 4, 12, 5, 13),
                          b = __builtin_shufflevector(in[2], in[3], 0, 8, 1, 9, 4, 12, 5, 13),
                          d = __builtin_shufflevector(in[0], in[1], 2, 10, 3, 11, 6, 14, 7, 15),
                          e = __builtin_shufflevector(in[2], in[3], 2, 10, 3, 11, 6, 14, 7, 15);
        const eight_words r0 = __builtin_shufflevector(a, b, 0, 1, 8, 9, 4, 5, 12, 13),
                          r1 = __builtin_shufflevector(a, b, 2, 3, 10, 11, 6, 7, 14, 15),
                          r2 = __builtin_shufflevector(d, e, 0, 1, 8, 9, 4, 5, 12, 13),
                          r3 = __builtin_shufflevector(d, e, 2, 3, 10, 11, 6, 7, 14, 15);
        *(eight_words *)words = __builtin_shufflevector(r0, r1, 0, 1, 2, 3, 8, 9, 10, 11);
        *(eight_words *)(words + 8) = __builtin_shufflevector(r2, r3, 0, 1, 2, 3, 8, 9, 10, 11);
        *(eight_words *)(words + 16) = __builtin_shufflevector(r0, r1, 4, 5, 6, 7, 12, 13, 14, 15);
        *(eight_words *)(words + 24) = __builtin_shufflevector(r2, r3, 4, 5, 6, 7, 12, 13, 14, 15);
        return;
    }
    for (uint32_t lane = 0; lane < LANES; lane += 8 * ways * each) {
        LANES_UNROLL
        for (uint32_t v = 0; v < each && ways == 1; v++)
            *(eight_words *)(words + lane + 8 * v) = in[v];
        LANES_UNROLL
        for (uint32_t v = 0; v < each && ways == 2; v++) {
            *(eight_words *)(words + lane + 16 * v) = __builtin_shufflevector(in[v], in[v + each], 0, 8, 1, 9, 2, 10, 3, 11);
            *(eight_words *)(words + lane + 16 * v + 8) = __builtin_shufflevector(in[v], in[v + each], 4, 12, 5, 13, 6, 14, 7, 15);
        }
    }
}
#endif

EIGHT uint32_t elements_of(uint8_t type)
{
    return type == T_F16 || type == T_BF16 ? 2 : type == T_S8 || type == T_U8 || type == T_S16 || type == T_U16 ? 4 : 1;
}

/* Eight words of `type`, of which each holds one, two or four elements, as floats. `start` has the places of the elements. T_S16
 * and T_U16 stand for four bytes that become two words of two numbers of 16 bits: the first and third byte, the second and fourth.
 */
EIGHT void put_eights(uint8_t type, const eight_words *words, const uint16_t *start, float *to)
{
    switch (type) {
    case T_F16: split_f16(words, to + start[0], to + start[1]); break;
    case T_BF16:
        *(eight_words *)(to + start[0]) = *words << 16;
        *(eight_words *)(to + start[1]) = *words & 0xffff0000u;
        break;
    case T_TF32: *(eight_words *)(to + start[0]) = *words & ~0x1fffu; break; /* 19 bits count */
    case T_S8:
        for (uint32_t s = 0; s < 4; s++)
            *(eight_floats *)(to + start[s]) =
                __builtin_convertvector((eight_integers)(*words << (24 - 8 * s)) >> 24, eight_floats);
        break;
    case T_U8:
        for (uint32_t s = 0; s < 4; s++)
            *(eight_floats *)(to + start[s]) = __builtin_convertvector((eight_integers)(*words >> 8 * s & 0xffu), eight_floats);
        break;
    case T_S16:
        *(sixteen_shorts *)(to + start[0]) = (sixteen_shorts)*words << 8 >> 8;
        *(sixteen_shorts *)(to + start[1]) = (sixteen_shorts)*words >> 8;
        break;
    case T_U16:
        *(eight_words *)(to + start[0]) = *words & 0x00ff00ffu;
        *(eight_words *)(to + start[1]) = *words >> 8 & 0x00ff00ffu;
        break;
    default: *(eight_words *)(to + start[0]) = *words; break;
    }
}

EIGHT void collect_shape(const struct dealt *f, uint32_t ways, uint32_t each, uint8_t type, const void *const *reg, float *to)
{
    for (uint32_t r = 0; r < f->registers; r++) {
        eight_words words[4];
        take_eights(ways, each, reg[r], words);
        LANES_UNROLL
        for (uint32_t v = 0; v < ways * each; v++)
            put_eights(type, &words[v], f->start[r] + v / each * elements_of(type), to + v % each * 8);
    }
}

EIGHT void deal_shape(const struct dealt *f, uint32_t ways, uint32_t each, uint32_t per, const void *cells, void *const *reg)
{
    for (uint32_t r = 0; r < f->registers; r++) {
        eight_words words[4] = { { 0 } };
        LANES_UNROLL
        for (uint32_t v = 0; v < ways * each; v++) {
            const uint16_t *start = f->start[r] + v / each * per;
            const uint32_t down = v % each * 8;
            if (per == 2)
                pair_halves((const uint16_t *)cells + start[0] + down, (const uint16_t *)cells + start[1] + down, &words[v]);
            else
                words[v] = *(const eight_words *)((const uint32_t *)cells + start[0] + down);
        }
        give_eights(ways, each, words, reg[r]);
    }
}

/* The shapes are known to the loops over registers as constants. */
#define BY_SHAPE(call, ...)                                                                                                        \
    switch (f->ways * 8 + f->run / 8) {                                                                                            \
    case 4 * 8 + 1: call(f, 4, 1, __VA_ARGS__); break;                                                                             \
    case 2 * 8 + 2: call(f, 2, 2, __VA_ARGS__); break;                                                                             \
    case 2 * 8 + 1: call(f, 2, 1, __VA_ARGS__); break;                                                                             \
    case 1 * 8 + 4: call(f, 1, 4, __VA_ARGS__); break;                                                                             \
    case 1 * 8 + 2: call(f, 1, 2, __VA_ARGS__); break;                                                                             \
    default: call(f, 1, 1, __VA_ARGS__); break;                                                                                    \
    }
EIGHT void collect_eights(const struct dealt *f, uint8_t type, const void *const *reg,
                          float *to){ BY_SHAPE(collect_shape, type, reg, to) }

LANES_TARGET static void deal_eights(const struct dealt *f, const void *cells, void *const *reg)
{
    if (f->per == 2) {
        BY_SHAPE(deal_shape, 2, cells, reg)
    } else {
        BY_SHAPE(deal_shape, 1, cells, reg)
    }
}
#undef BY_SHAPE

#if LANES_FLOATS == 16
#include "exec/lanes_matrix_wide.h"
#else
#define COLLECT(type) collect_eights(f, type, reg, to)
#define deal_lanes deal_eights
#endif

/* The elements of a fragment as floats, or as they are if they are words, column after column. */
LANES_TARGET static void collect_lanes(const struct dealt *f, uint8_t type, const void *const *reg, void *to)
{
    switch (type) {
    case T_F16: COLLECT(T_F16); break;
    case T_BF16: COLLECT(T_BF16); break;
    case T_TF32: COLLECT(T_TF32); break;
    case T_S8: COLLECT(T_S8); break;
    case T_U8: COLLECT(T_U8); break;
    case T_S16: COLLECT(T_S16); break;
    case T_U16: COLLECT(T_U16); break;
    default: COLLECT(T_F32); break;
    }
}
#undef COLLECT
#undef EIGHT
