/* bpc.c - bit-plane compression: takes the differences between neighbouring words and turns them, so that bit k of all of them lies
 * side by side (a plane). Each plane is XORed with the one above. Similar words leave planes that are almost all zero, and runs of
 * zero planes have short codes.
 *
 * The codes of the planes are those of Kim et al., as we read them; a difference has 33 bits, so that there are 33 planes. */
#include "compress/bits.h"

enum { PLANES = 33, RUN_LEAST = 2 };
/* Lowest bit first. 1: a plane as it is. 01 + 5 bits: a run of zero planes. 001: one zero plane. 000 + 2 bits: the rest. */
enum plane_code {
    PLANE_PLAIN = 1,
    PLANE_RUN = 2,
    PLANE_ZERO = 4,
    PLANE_ONES = 0,
    PLANE_FROM_ZERO = 8,
    PLANE_TWO = 16,
    PLANE_ONE = 24
};
enum { BASE_ZERO = 0, BASE_4 = 4, BASE_8 = 2, BASE_16 = 6, BASE_PLAIN = 1 }; /* 3 bits but for the last, which has 1 */

/* Turns a square of 32 x 32 bits by swapping ever smaller blocks; twice gives it back. */
static void turn(uint32_t square[32])
{
    uint32_t mask = 0x0000FFFFu;
    for (uint32_t j = 16; j; j >>= 1, mask ^= mask << j)
        for (uint32_t k = 0; k < 32; k = (k + j + 1) & ~j) {
            const uint32_t t = (square[k] >> j ^ square[k + j]) & mask;
            square[k] ^= t << j;
            square[k + j] ^= t;
        }
}

/* Bit k of every difference: planes[k], difference i at bit i. Differences are of 33 bits: the highest plane holds the signs. */
static void planes_of(const uint8_t *line, uint32_t words, uint32_t planes[PLANES])
{
    uint32_t low[32] = { 0 }, signs = 0;
    for (uint32_t i = 0; i + 1 < words; i++) {
        const int64_t difference = (int64_t)(int32_t)word_of(line, i + 1) - (int32_t)word_of(line, i);
        low[i] = (uint32_t)difference;
        signs |= (uint32_t)(difference < 0) << i;
    }
    turn(low);
    memcpy(planes, low, sizeof low);
    planes[32] = signs;
}

static void words_from(uint32_t planes[PLANES], uint32_t base, uint32_t words, uint8_t *line)
{
    turn(planes); /* the signs are not needed: sums of 32 bits wrap as the words do */
    word_put(line, 0, base);
    for (uint32_t i = 0; i + 1 < words; i++)
        word_put(line, i + 1, base += planes[i]);
}

static void put_base(struct bit_writer *w, uint32_t base)
{
    if (!base) {
        bits_put(w, BASE_ZERO, 3);
    } else if (fits_signed(base, 4)) {
        bits_put(w, BASE_4 | (uint64_t)(base & 0xF) << 3, 7);
    } else if (fits_signed(base, 8)) {
        bits_put(w, BASE_8 | (uint64_t)(base & 0xFF) << 3, 11);
    } else if (fits_signed(base, 16)) {
        bits_put(w, BASE_16 | (uint64_t)(base & 0xFFFF) << 3, 19);
    } else {
        bits_put(w, BASE_PLAIN, 1);
        bits_put(w, base, 32);
    }
}

static uint32_t get_base(struct bit_reader *r)
{
    if (bits_get(r, 1) == BASE_PLAIN)
        return bits_get(r, 32);
    switch (bits_get(r, 2) << 1) {
    case BASE_4: return sign_extended(bits_get(r, 4), 4);
    case BASE_8: return sign_extended(bits_get(r, 8), 8);
    case BASE_16: return sign_extended(bits_get(r, 16), 16);
    default: return 0;
    }
}

static void put_zeros(struct bit_writer *w, uint32_t run)
{
    if (run == 1)
        bits_put(w, PLANE_ZERO, 3);
    else if (run)
        bits_put(w, PLANE_RUN | (run - RUN_LEAST) << 2, 7);
}

/* `turned` is the plane XORed with the one above it, `plane` the plane itself. */
static void put_plane(struct bit_writer *w, uint32_t turned, uint32_t plane, uint32_t width)
{
    const uint32_t all = (uint32_t)((UINT64_C(1) << width) - 1), lowest = turned & -turned;
    if (turned == all) {
        bits_put(w, PLANE_ONES, 5);
    } else if (!plane) {
        bits_put(w, PLANE_FROM_ZERO, 5);
    } else if (turned == lowest) {
        bits_put(w, PLANE_ONE | (uint32_t)__builtin_ctz(turned) << 5, 10);
    } else if (turned == (lowest | lowest << 1)) {
        bits_put(w, PLANE_TWO | (uint32_t)__builtin_ctz(turned) << 5, 10);
    } else {
        bits_put(w, PLANE_PLAIN, 1);
        bits_put(w, turned, width);
    }
}

void bpc_pack(const uint8_t *line, uint32_t bytes, struct packed_line *out)
{
    struct bit_writer w = bits_to(out, bytes);
    const uint32_t words = bytes / 4, width = words - 1;
    uint32_t planes[PLANES], above = 0, run = 0;
    planes_of(line, words, planes);
    put_base(&w, word_of(line, 0));
    for (uint32_t k = PLANES; k-- > 0;) {
        const uint32_t turned = planes[k] ^ above;
        above = planes[k];
        if (!turned) {
            run++;
            continue;
        }
        put_zeros(&w, run);
        run = 0;
        put_plane(&w, turned, planes[k], width);
    }
    put_zeros(&w, run);
    bits_close(&w, line, bytes, out);
}

/* How many planes the next code stands for, and what they are XORed with; a run's are all 0. */
static uint32_t get_planes(struct bit_reader *r, uint32_t above, uint32_t width, uint32_t *turned)
{
    *turned = 0;
    if (bits_get(r, 1))
        return *turned = bits_get(r, width), 1;
    if (bits_get(r, 1))
        return bits_get(r, 5) + RUN_LEAST;
    if (bits_get(r, 1))
        return 1;
    switch (bits_get(r, 2) << 3) {
    case PLANE_ONES: *turned = (uint32_t)((UINT64_C(1) << width) - 1); break;
    case PLANE_FROM_ZERO: *turned = above; break;
    case PLANE_ONE: *turned = 1u << bits_get(r, 5); break;
    default: *turned = 3u << bits_get(r, 5); break;
    }
    return 1;
}

void bpc_unpack(const struct packed_line *in, uint32_t bytes, uint8_t *line)
{
    if (in->form == FORM_PLAIN) {
        memcpy(line, in->data, bytes);
        return;
    }
    struct bit_reader r = { .data = in->data };
    const uint32_t words = bytes / 4, base = get_base(&r);
    uint32_t planes[PLANES] = { 0 }, above = 0;
    for (uint32_t k = PLANES; k > 0;) {
        uint32_t turned, count = get_planes(&r, above, words - 1, &turned);
        for (; count && k > 0; count--)
            planes[--k] = above ^= turned;
    }
    words_from(planes, base, words, line);
}
