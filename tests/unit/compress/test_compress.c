/* Compressors: every line comes back, sizes hold what they claim, and the examples that can be worked out by hand. */
#include "../cmocka_all.h"

#include <string.h>

#include "base/prng.h"
#include "compress/compress.h"

struct algorithm {
    const char *name;
    void (*pack)(const uint8_t *, uint32_t, struct packed_line *);
    void (*unpack)(const struct packed_line *, uint32_t, uint8_t *);
};

static struct sc_table table;
static struct sc_codes codes;
static void pack_sc(const uint8_t *line, uint32_t bytes, struct packed_line *out)
{
    sc_pack(&codes, line, bytes, out);
}
static void unpack_sc(const struct packed_line *in, uint32_t bytes, uint8_t *line)
{
    sc_unpack(&codes, in, bytes, line);
}
static const struct algorithm algorithms[] = { { "bdi", bdi_pack, bdi_unpack },
                                               { "fpc", fpc_pack, fpc_unpack },
                                               { "cpack", cpack_pack, cpack_unpack },
                                               { "bpc", bpc_pack, bpc_unpack },
                                               { "sc", pack_sc, unpack_sc } };
enum { ALGORITHMS = sizeof algorithms / sizeof algorithms[0] };

/* Only the bits that count are kept: what unpacks must not look at others. */
static void check_line(const struct algorithm *a, const uint8_t *line, uint32_t bytes)
{
    struct packed_line packed, kept;
    uint8_t back[LINE_MOST_BYTES];
    memset(&packed, 0xA5, sizeof packed);
    a->pack(line, bytes, &packed);
    assert_true(packed.bits > 0 && packed.bits <= 8 * bytes);
    assert_true(packed.form != FORM_PLAIN || packed.bits == 8 * bytes);
    memset(&kept, 0x5A, sizeof kept);
    kept.bits = packed.bits;
    kept.form = packed.form;
    memcpy(kept.data, packed.data, packed.bits / 8);
    if (packed.bits % 8) {
        const uint8_t mask = (uint8_t)((1u << packed.bits % 8) - 1);
        kept.data[packed.bits / 8] = (uint8_t)((packed.data[packed.bits / 8] & mask) | (0x5A & ~mask));
    }
    memset(back, 0xCC, sizeof back);
    a->unpack(&kept, bytes, back);
    if (memcmp(back, line, bytes) != 0)
        fail_msg("%s: a line of %u bytes, packed into %u bits, came back otherwise", a->name, bytes, packed.bits);
}

/* Lines as programs have them: small numbers, pointers, floats, repeats, zeros, noise, and mixtures. */
static void make_line(struct prng *random, uint8_t *line, uint32_t bytes)
{
    const uint64_t kind = prng_next(random) % 8, base = prng_next(random);
    for (uint32_t i = 0; i < bytes / 4; i++) {
        const uint64_t noise = prng_next(random);
        uint32_t word = (uint32_t)noise;
        switch (kind) {
        case 0: word = (uint32_t)(noise % 16); break;
        case 1: word = (uint32_t)base + (uint32_t)(noise % 256); break;
        case 2: word = i % 2 ? (uint32_t)(base >> 32) : (uint32_t)base + (uint32_t)(noise % 4096); break;
        case 3: word = noise % 3 ? 0 : (uint32_t)noise; break;
        case 4: word = (uint32_t)base; break;
        case 5: word = (uint32_t)((int32_t)(noise % 200) - 100); break;
        case 6: word = 0x3F800000u + (uint32_t)(noise % 8 << 20); break;
        default: break;
        }
        memcpy(line + 4 * i, &word, 4);
    }
}

static void every_line_comes_back(void **state)
{
    (void)state;
    struct prng random;
    prng_seed(&random, 7);
    static const uint32_t sizes[] = { 32, 64, 128 };
    for (uint32_t round = 0; round < 30000; round++) {
        uint8_t line[LINE_MOST_BYTES];
        const uint32_t bytes = sizes[round % 3];
        make_line(&random, line, bytes);
        if (round % 4 == 0)
            sc_table_learn(&table, line, bytes);
        if (round % 1000 == 0)
            sc_codes_build(&codes, &table);
        for (uint32_t a = 0; a < ALGORITHMS; a++)
            check_line(&algorithms[a], line, bytes);
    }
}

/* One bit, two neighbouring bits, and each byte value everywhere: where codes of positions and signs go wrong. */
static void hard_lines_come_back(void **state)
{
    (void)state;
    sc_table_clear(&table);
    sc_codes_build(&codes, &table);
    uint8_t line[LINE_MOST_BYTES];
    for (uint32_t bit = 0; bit < 8 * LINE_MOST_BYTES; bit++)
        for (uint32_t fill = 0; fill < 2; fill++) {
            memset(line, fill ? 0xFF : 0, sizeof line);
            line[bit / 8] ^= (uint8_t)(1u << bit % 8);
            for (uint32_t a = 0; a < ALGORITHMS; a++)
                check_line(&algorithms[a], line, LINE_MOST_BYTES);
        }
    for (uint32_t value = 0; value < 256; value++) {
        memset(line, (int)value, sizeof line);
        for (uint32_t a = 0; a < ALGORITHMS; a++)
            check_line(&algorithms[a], line, LINE_MOST_BYTES);
    }
}

static uint32_t bits_of(const struct algorithm *a, const void *line)
{
    struct packed_line packed;
    a->pack(line, 128, &packed);
    return packed.bits;
}

static void bdi_has_ten_forms(void **state)
{
    (void)state;
    struct packed_line packed;
    uint64_t eight[16];
    uint32_t four[32];
    uint16_t two[64];
    const struct {
        uint8_t form;
        uint32_t base, step, bytes;
    } cases[] = { { BDI_8_1, 8, 100, 24 }, { BDI_8_2, 8, 1000, 40 }, { BDI_8_4, 8, 100000000, 72 },
                  { BDI_4_1, 4, 100, 36 }, { BDI_4_2, 4, 1000, 68 }, { BDI_2_1, 2, 100, 66 } };
    for (uint32_t c = 0; c < 6; c++) {
        for (uint32_t i = 0; i < 16; i++)
            eight[i] = UINT64_C(0x123456789ABCDEF0) + (i % 2 ? cases[c].step : 0);
        for (uint32_t i = 0; i < 32; i++)
            four[i] = 0xDEADBEEF - (i % 3 ? cases[c].step : 0);
        for (uint32_t i = 0; i < 64; i++)
            two[i] = (uint16_t)(0x8123 + (i % 3 ? cases[c].step : 0));
        bdi_pack(cases[c].base == 8   ? (const uint8_t *)eight
                 : cases[c].base == 4 ? (const uint8_t *)four
                                      : (const uint8_t *)two,
                 128, &packed);
        assert_int_equal(packed.form, cases[c].form);
        assert_int_equal(packed.bits, 8 * cases[c].bytes);
    }
    memset(eight, 0, sizeof eight);
    bdi_pack((const uint8_t *)eight, 128, &packed);
    assert_int_equal(packed.form, BDI_ZERO);
    memset(eight, 0x77, sizeof eight);
    bdi_pack((const uint8_t *)eight, 128, &packed);
    assert_int_equal(packed.form, BDI_2_0);
    for (uint32_t i = 0; i < 32; i++)
        four[i] = 0xDEADBEEF;
    bdi_pack((const uint8_t *)four, 128, &packed);
    assert_int_equal(packed.form, BDI_4_0);
    for (uint32_t i = 0; i < 16; i++)
        eight[i] = UINT64_C(0x123456789ABCDEF0);
    bdi_pack((const uint8_t *)eight, 128, &packed);
    assert_int_equal(packed.form, BDI_8_0);
}

/* The table of the BDI paper, for its lines of 64 bytes. */
static void bdi_sizes_are_those_of_its_paper(void **state)
{
    (void)state;
    static const struct {
        uint32_t base;
        uint64_t delta;
        uint32_t bytes;
    } cases[] = { { 8, 0, 8 },           { 8, 0x7F, 16 },     { 8, 0x80, 24 }, { 8, 0x7FFF, 24 }, { 8, 0x8000, 40 },
                  { 8, 0x7FFFFFFF, 40 }, { 8, 1u << 31, 64 }, { 4, 0x7F, 20 }, { 4, 0x80, 36 },   { 4, 0x7FFF, 36 },
                  { 4, 0x8000, 64 },     { 2, 0x7F, 34 },     { 2, 0x80, 64 } };
    for (uint32_t c = 0; c < sizeof cases / sizeof *cases; c++)
        for (uint32_t down = 0; down < 2; down++) { /* a delta goes one further down than up */
            uint8_t line[64];
            struct packed_line packed;
            for (uint32_t i = 0; i < sizeof line; i += cases[c].base) {
                uint64_t part = UINT64_C(0x35A1F0C24E6B9D73);
                const uint64_t delta = i == sizeof line - cases[c].base ? cases[c].delta : 0;
                part = down ? part - delta - (delta ? 1 : 0) : part + delta;
                memcpy(line + i, &part, cases[c].base);
            }
            bdi_pack(line, sizeof line, &packed);
            assert_int_equal(packed.bits, 8 * cases[c].bytes);
        }
}

/* Words near 100, every second one the same: parts of 8 bytes with deltas of 1 (24 bytes) and of 4 with 1 (36) both fit. */
static void bdi_takes_the_smallest_form_that_fits(void **state)
{
    (void)state;
    uint32_t line[32];
    struct packed_line packed;
    for (uint32_t i = 0; i < 32; i++)
        line[i] = 100 + (i % 2 ? 0 : i);
    bdi_pack((const uint8_t *)line, 128, &packed);
    assert_int_equal(packed.form, BDI_8_1);
    assert_int_equal(packed.bits, 8 * 24);
    for (uint32_t i = 0; i < 32; i++)
        line[i] = 100 + i; /* the upper halves differ as well */
    bdi_pack((const uint8_t *)line, 128, &packed);
    assert_int_equal(packed.form, BDI_4_1);
    assert_int_equal(packed.bits, 8 * 36);
    memset(line, 0, sizeof line);
    bdi_pack((const uint8_t *)line, 128, &packed);
    assert_int_equal(packed.form, BDI_ZERO);
    assert_int_equal(packed.bits, 8);
}

/* One word, and 31 of zero in four runs of 6 bits. */
static void every_pattern_of_fpc_has_its_size(void **state)
{
    (void)state;
    static const struct {
        uint32_t word, bits; /* without its prefix of 3 bits */
    } cases[] = { { 7, 4 },           { 0xFFFFFFF8, 4 },  { 8, 8 },           { 0xFFFFFFF7, 8 },  { 127, 8 },
                  { 0xFFFFFF80, 8 },  { 128, 16 },        { 0xFFFFFF7F, 16 }, { 32767, 16 },      { 0xFFFF8000, 16 },
                  { 32768, 32 },      { 0xFFFF7FFF, 32 }, { 0x00400000, 16 }, { 0x89AB0000, 16 }, { 0x007FFF80, 16 },
                  { 0xFF80007F, 16 }, { 0x00800001, 32 }, { 0x00010080, 32 }, { 0x45454545, 8 },  { 0x80808080, 8 },
                  { 0x45454546, 32 } };
    for (uint32_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        const uint32_t words[32] = { cases[c].word };
        assert_int_equal(bits_of(&algorithms[1], words), 3 + cases[c].bits + 4 * 6);
    }
}

static void every_pattern_of_cpack_has_its_size(void **state)
{
    (void)state;
    uint32_t words[32] = { 0x12345678, 0x12345678, 0x123456AA, 0x1234FFFF, 0xFF, 0x100, 0x101, 0x123456AA };
    /* new, same, all but the last byte, the upper half, one low byte, new, all but the last byte, same as what matched in part */
    assert_int_equal(bits_of(&algorithms[2], words), 34 + 6 + 16 + 24 + 12 + 34 + 16 + 6 + 24 * 2);
    memset(words, 0, sizeof words);
    for (uint32_t i = 0; i < 17; i++)
        words[i] = (i + 1) << 16 | 0x8000; /* the 17th takes the place of the first */
    words[17] = words[0];
    words[18] = words[2];
    assert_int_equal(bits_of(&algorithms[2], words), 18 * 34 + 6 + 13 * 2);
}

/* The base alone: all differences are 0, a run of 33 planes. */
static void every_base_of_bpc_has_its_size(void **state)
{
    (void)state;
    static const struct {
        uint32_t word, bits;
    } cases[] = { { 0, 3 },    { 7, 7 },      { 0xFFFFFFF8, 7 }, { 8, 11 },         { 0xFFFFFF80, 11 },
                  { 128, 19 }, { 32767, 19 }, { 32768, 33 },     { 0x12345678, 33 } };
    for (uint32_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        uint32_t words[32];
        for (uint32_t i = 0; i < 32; i++)
            words[i] = cases[c].word;
        assert_int_equal(bits_of(&algorithms[3], words), cases[c].bits + 7);
    }
}

/* Words from 0 on that grow by `step` at the tenth, and again at the place `second`. */
static uint32_t bpc_of_steps(uint32_t step, uint32_t second)
{
    uint32_t words[32] = { 0 };
    for (uint32_t i = 1; i < 32; i++)
        words[i] = words[i - 1] + (i == 10 || i == second ? step : 0);
    return bits_of(&algorithms[3], words);
}

/* Behind a base of 3 bits: 7 for the run of zero planes above, 10 for one bit or two neighbours, 32 for any other plane, 3 for a
 * single plane like the one above, 5 for a zero plane below one that is not. */
static void every_plane_of_bpc_has_its_size(void **state)
{
    (void)state;
    assert_int_equal(bpc_of_steps(1, 0), 3 + 7 + 10);
    assert_int_equal(bpc_of_steps(1, 11), 3 + 7 + 10);
    assert_int_equal(bpc_of_steps(1, 12), 3 + 7 + 32);
    assert_int_equal(bpc_of_steps(2, 0), 3 + 7 + 10 + 5);
    assert_int_equal(bpc_of_steps(3, 0), 3 + 7 + 10 + 3);
    assert_int_equal(bpc_of_steps(0xFFFFFFFF, 0), 3 + 10 + 7); /* -1: the sign's plane, and 32 like it */
    uint32_t words[32];
    for (uint32_t i = 0; i < 32; i++)
        words[i] = i & 1 ? 0x80000000u : 0x7FFFFFFFu; /* differences of 33 bits: -0xFFFFFFFF and 0xFFFFFFFF in turn */
    /* every other bit, then all, then 30 planes like the one above, then every other bit */
    assert_int_equal(bits_of(&algorithms[3], words), 33 + 32 + 5 + 7 + 32);
}

/* Worked out by hand. */
static void sizes_are_those_of_the_papers(void **state)
{
    (void)state;
    uint32_t words[32] = { 0 };
    assert_int_equal(bits_of(&algorithms[1], words), 4 * 6); /* FPC: four runs of eight zero words */
    assert_int_equal(bits_of(&algorithms[2], words), 8);     /* C-Pack+Z */
    assert_int_equal(bits_of(&algorithms[3], words), 3 + 7); /* BPC: a zero base and a run of 33 zero planes */
    words[0] = 0x12345678;
    assert_int_equal(bits_of(&algorithms[1], words), 35 + 4 * 6);
    assert_int_equal(bits_of(&algorithms[2], words), 34 + 31 * 2);
    for (uint32_t i = 0; i < 32; i++)
        words[i] = 1000 + i; /* differences of 1: bit plane 0 is all ones, those above are zero */
    assert_int_equal(bits_of(&algorithms[3], words), 19 + 7 + 5);
    for (uint32_t i = 0; i < 32; i++)
        words[i] = 0xABCD1200 + i; /* C-Pack: one new word, 31 that differ in their last byte */
    assert_int_equal(bits_of(&algorithms[2], words), 34 + 31 * 16);
}

/* Weights 4, 2, 1 and 1 for the escape: codes of 1, 2, 3 and 3 bits. */
static void huffman_lengths_follow_weights(void **state)
{
    (void)state;
    uint32_t words[8] = { 5, 5, 5, 5, 9, 9, 77, 77 };
    sc_table_clear(&table);
    sc_table_learn(&table, (const uint8_t *)words, 28);
    sc_codes_build(&codes, &table);
    uint32_t line[32];
    for (uint32_t i = 0; i < 32; i++)
        line[i] = 5;
    assert_int_equal(bits_of(&algorithms[4], line), 32);
    line[0] = 9;
    line[1] = 77;
    assert_int_equal(bits_of(&algorithms[4], line), 30 + 2 + 3);
    line[2] = 123456;
    assert_int_equal(bits_of(&algorithms[4], line), 29 + 2 + 3 + 3 + 32);
}

/* Counts 4, 2 and 1, and an escape code that weighs 1 (3 bits) or 9, more than the others together (1 bit). */
static void the_escape_code_weighs_what_found_no_place(void **state)
{
    (void)state;
    static const uint32_t words[] = { 5, 5, 5, 5, 9, 9, 77 };
    uint32_t line[32];
    for (uint32_t i = 0; i < 32; i++)
        line[i] = i == 0 ? 123456 : 5;
    for (uint16_t others = 0; others <= 9; others += 9) {
        sc_table_clear(&table);
        sc_table_learn(&table, (const uint8_t *)words, sizeof words);
        table.others = others;
        sc_codes_build(&codes, &table);
        assert_int_equal(bits_of(&algorithms[4], line), others ? 31 * 2 + 1 + 32 : 31 + 3 + 32);
    }
}

/* A full set gives its smallest count's place to a value that keeps coming. */
static void the_table_forgets_what_is_rare(void **state)
{
    (void)state;
    sc_table_clear(&table);
    struct prng random;
    prng_seed(&random, 3);
    for (uint32_t i = 0; i < 100000; i++) {
        const uint32_t pair[2] = { (uint32_t)prng_next(&random), 42 };
        sc_table_learn(&table, (const uint8_t *)pair, 8);
    }
    uint32_t most = 0;
    for (uint32_t i = 0; i < SC_ENTRIES; i++)
        if (table.value[i] == 42 && table.count[i])
            most = table.count[i];
    assert_int_equal(most, SC_COUNT_MOST);
    assert_int_equal(table.others, SC_COUNT_MOST);
}

static uint32_t count_of(uint32_t value)
{
    for (uint32_t i = 0; i < SC_ENTRIES; i++)
        if (table.count[i] && table.value[i] == value)
            return table.count[i];
    return 0;
}

static void learn_one(uint32_t value)
{
    sc_table_learn(&table, (const uint8_t *)&value, 4);
}

static uint32_t set_of_value(uint32_t value)
{
    sc_table_clear(&table);
    learn_one(value);
    uint32_t place = 0;
    while (!table.count[place])
        place++;
    return place / SC_WAYS;
}

/* Five values of one set of four: the fifth takes one from the smallest count each time it comes, and its place at 0. */
static void a_place_is_lost_when_its_count_is_used_up(void **state)
{
    (void)state;
    uint32_t value[5] = { 1 };
    const uint32_t set = set_of_value(value[0]);
    for (uint32_t n = 1, candidate = 2; n < 5; candidate++)
        if (set_of_value(candidate) == set)
            value[n++] = candidate;
    sc_table_clear(&table);
    for (uint32_t n = 0; n < 4; n++)
        for (uint32_t i = 0; i < (n == 2 ? 3 : 9); i++)
            learn_one(value[n]);
    for (uint32_t left = 2; left > 0; left--) {
        learn_one(value[4]);
        assert_int_equal(count_of(value[2]), left);
        assert_int_equal(count_of(value[4]), 0);
    }
    learn_one(value[4]);
    assert_int_equal(count_of(value[2]), 0);
    assert_int_equal(count_of(value[4]), 1);
    assert_int_equal(count_of(value[0]), 9);
    assert_int_equal(table.others, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_line_comes_back),
        cmocka_unit_test(hard_lines_come_back),
        cmocka_unit_test(bdi_has_ten_forms),
        cmocka_unit_test(bdi_sizes_are_those_of_its_paper),
        cmocka_unit_test(bdi_takes_the_smallest_form_that_fits),
        cmocka_unit_test(the_escape_code_weighs_what_found_no_place),
        cmocka_unit_test(every_pattern_of_fpc_has_its_size),
        cmocka_unit_test(every_pattern_of_cpack_has_its_size),
        cmocka_unit_test(every_base_of_bpc_has_its_size),
        cmocka_unit_test(every_plane_of_bpc_has_its_size),
        cmocka_unit_test(sizes_are_those_of_the_papers),
        cmocka_unit_test(huffman_lengths_follow_weights),
        cmocka_unit_test(the_table_forgets_what_is_rare),
        cmocka_unit_test(a_place_is_lost_when_its_count_is_used_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
