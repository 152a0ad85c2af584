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
    } cases[] = { { BDI_8_1, 8, 100, 23 }, { BDI_8_2, 8, 1000, 38 }, { BDI_8_4, 8, 100000000, 68 },
                  { BDI_4_1, 4, 100, 35 }, { BDI_4_2, 4, 1000, 66 }, { BDI_2_1, 2, 100, 65 } };
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_line_comes_back),
        cmocka_unit_test(hard_lines_come_back),
        cmocka_unit_test(bdi_has_ten_forms),
        cmocka_unit_test(sizes_are_those_of_the_papers),
        cmocka_unit_test(huffman_lengths_follow_weights),
        cmocka_unit_test(the_table_forgets_what_is_rare),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
