/* The GTX 480 mapping, bit by bit and against the formula of the reference's documentation. */
#include <string.h>

#include "../cmocka_all.h"
#include "mem/address_map.h"
#include "mem/ipoly.h"

static struct address_map_config gtx480(void)
{
    return (struct address_map_config){ .channels = 6,
                                        .slices_per_channel = 2,
                                        .channel_shift = 8,
                                        .bank_bits = { 4, { 8, 13, 14, 15 } },
                                        .column_bits = { 12, { 0, 1, 2, 3, 4, 5, 6, 7, 9, 10, 11, 12 } },
                                        .row_first_bit = 16,
                                        .row_bits = 12 };
}

static void defaults_are_the_gtx480(void **state)
{
    (void)state;
    const struct address_map_config expected = gtx480();
    struct address_map_config c = { 0 };
    c = (struct address_map_config){ 0 };
    param_defaults(address_map_params, &c);
    assert_memory_equal(&c, &expected, sizeof c);
}

static void consecutive_256_byte_blocks_go_round_the_channels(void **state)
{
    (void)state;
    const struct address_map_config c = gtx480();
    for (uint64_t block = 0; block < 60; block++)
        for (uint64_t byte = 0; byte < 256; byte += 32)
            assert_int_equal(address_map_locate(&c, 0xC0000000u + block * 256 + byte).channel, (0xC0000000u / 256 + block) % 6);
}

/* The MCM-GPU of paper 002: 64 channels in four modules. Neighbouring blocks lie in different modules (5.2.2), the next four in
 * the modules' next channels; what lies where in a channel is as on one die. */
static void consecutive_blocks_go_round_the_modules(void **state)
{
    (void)state;
    struct address_map_config die = gtx480(), modules;
    die.channels = 64;
    modules = die;
    modules.modules = 4;
    for (uint64_t block = 0; block < 200; block++) {
        const struct address_place p = address_map_locate(&modules, block * 256 + 32),
                                   q = address_map_locate(&die, block * 256 + 32);
        assert_int_equal(q.channel, block % 64);
        assert_int_equal(p.channel, block % 4 * 16 + block / 4 % 16);
        assert_int_equal(p.slice, 2 * p.channel + p.bank % 2);
        assert_true(p.bank == q.bank && p.row == q.row && p.column == q.column);
    }
}

static void in_channel_address_closes_the_gaps(void **state)
{
    (void)state;
    const struct address_map_config c = gtx480();
    /* 0xC0000000 >> 8 = 0xC00000 = 12582912 = 6 * 2097152: channel 0, in-channel block 2097152 (0x200000). */
    assert_int_equal(address_map_in_channel(&c, 0xC0000000u), 0x20000000u);
    assert_int_equal(address_map_in_channel(&c, 0xC0000000u + 5 * 256 + 7), 0x20000007u);
    assert_int_equal(address_map_in_channel(&c, 0xC0000000u + 6 * 256 + 7), 0x20000107u);
}

static void fields_come_from_their_bits(void **state)
{
    (void)state;
    const struct address_map_config c = gtx480();
    const struct {
        uint64_t inside;
        uint32_t bank, row, column;
    } rows[] = { { UINT64_C(1) << 0, 0, 0, 1 },   { UINT64_C(1) << 7, 0, 0, 128 },   { UINT64_C(1) << 8, 1, 0, 0 },
                 { UINT64_C(1) << 9, 0, 0, 256 }, { UINT64_C(1) << 12, 0, 0, 2048 }, { UINT64_C(1) << 13, 2, 0, 0 },
                 { UINT64_C(1) << 15, 8, 0, 0 },  { UINT64_C(1) << 16, 0, 1, 0 },    { UINT64_C(1) << 27, 0, 2048, 0 },
                 { UINT64_C(1) << 28, 0, 0, 0 } /* beyond the rows: ignored, as in the reference */ };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        /* The address of channel 3 with that in-channel address. */
        const uint64_t address = ((rows[i].inside >> 8) * 6 + 3) << 8 | (rows[i].inside & 255);
        const struct address_place p = address_map_locate(&c, address);
        assert_int_equal(p.channel, 3);
        assert_int_equal(p.bank, rows[i].bank);
        assert_int_equal(p.row, rows[i].row);
        assert_int_equal(p.column, rows[i].column);
        assert_int_equal(p.slice, 6 + (rows[i].bank & 1));
    }
}

/* Rows one after the other, which are one bank without it, meet all banks; nothing else moves. */
static void the_row_may_stir_the_bank(void **state)
{
    (void)state;
    const struct address_map_config plain = gtx480();
    struct address_map_config stirred = plain;
    stirred.bank_xor = true;
    uint32_t banks = 0;
    for (uint64_t row = 0; row < 16; row++) {
        const uint64_t address = (((row << 16 | 1 << 13) >> 8) * 6 + 3) << 8; /* bank 2 */
        const struct address_place a = address_map_locate(&plain, address), b = address_map_locate(&stirred, address);
        assert_int_equal(a.bank, 2);
        assert_int_equal(b.bank, 2 ^ row);
        assert_true(a.row == b.row && a.slice == b.slice && a.channel == b.channel && a.column == b.column);
        banks |= 1u << b.bank;
    }
    assert_int_equal(banks, 0xffff);
}

static void slice_address_leaves_out_the_slice_bit_and_nothing_else(void **state)
{
    (void)state;
    struct address_map_config c = gtx480();
    assert_int_equal(address_map_slice_address(&c, 0), 0);
    for (uint64_t inside = 0; inside < 1 << 14; inside += 32) {
        const uint64_t address = ((inside >> 8) * 6 + 1) << 8 | (inside & 255);
        assert_int_equal(address_map_slice_address(&c, address), (inside >> 9) << 8 | (inside & 255));
    }
    /* Four slices whose bits are apart and out of order. */
    c.slices_per_channel = 4;
    c.bank_bits = (struct param_list){ 4, { 13, 8, 14, 15 } };
    for (uint64_t inside = 0; inside < 1 << 15; inside += 32) {
        const uint64_t address = (inside >> 8) * 6 << 8 | (inside & 255);
        const uint64_t expected = (inside & 255) | (inside >> 9 & 15) << 8 | (inside >> 14) << 12;
        assert_int_equal(address_map_slice_address(&c, address), expected);
        assert_int_equal(address_map_locate(&c, address).slice, (inside >> 13 & 1) | (inside >> 8 & 1) << 1);
    }
}

static void every_place_has_one_address(void **state)
{
    (void)state;
    const struct address_map_config c = gtx480();
    static uint8_t seen[6][16][4][4096];
    for (uint64_t address = 0; address < 6ull * 16 * 4 * 4096; address++) {
        const struct address_place p = address_map_locate(&c, address);
        assert_true(p.channel < 6 && p.bank < 16 && p.row < 4 && p.column < 4096);
        assert_int_equal(seen[p.channel][p.bank][p.row][p.column]++, 0);
    }
}

static void contradictions_are_refused(void **state)
{
    (void)state;
    struct error err;
    struct address_map_config c = gtx480();
    assert_true(address_map_config_check(&c, &err));
    c.slices_per_channel = 3;
    assert_false(address_map_config_check(&c, &err));
    c = gtx480();
    c.column_bits.value[11] = 13; /* a bank bit already */
    assert_false(address_map_config_check(&c, &err));
    assert_non_null(strstr(err.text, "column_bits names bit 13"));
    c = gtx480();
    c.row_first_bit = 60;
    assert_false(address_map_config_check(&c, &err));
}

static uint32_t slices_used(const struct address_map_config *c, uint64_t step, uint32_t count, uint32_t *most)
{
    uint32_t used[64] = { 0 }, different = 0;
    *most = 0;
    for (uint32_t i = 0; i < count; i++) {
        const struct address_place p = address_map_locate(c, 0xC0000000 + i * step);
        assert_int_equal(p.channel, p.slice / c->slices_per_channel);
        different += used[p.slice]++ == 0;
        *most = used[p.slice] > *most ? used[p.slice] : *most;
    }
    return different;
}

/* By long division, of the bits that the reference's equations have. */
static void the_hash_is_the_remainder(void **state)
{
    (void)state;
    static const struct {
        uint32_t sets, polynomial, bits;
    } cases[] = { { 16, 0x13, 17 }, { 32, 0x25, 20 }, { 64, 0x43, 25 } };
    for (uint32_t i = 0; i < 3; i++)
        for (uint64_t n = 1; n < 1ull << 40; n = n * 5 + 3) {
            uint64_t rest = n & ((1ull << cases[i].bits) - 1);
            for (uint32_t b = cases[i].bits; b-- > 0 && rest >= cases[i].sets;)
                if (rest >> b & 1)
                    rest ^= (uint64_t)cases[i].polynomial << (b - (uint32_t)__builtin_ctz(cases[i].sets));
            assert_int_equal(ipoly_hash(n, cases[i].sets), rest);
        }
}

/* Of 64 slices every stride of a power of two reaches all. Of 48, the hash over 64 gives 16 of them twice as much. */
static void a_hash_spreads_strides(void **state)
{
    (void)state;
    struct address_map_config c = { 0 };
    struct error err;
    uint32_t most;
    param_defaults(address_map_params, &c);
    c.channels = 32;
    c.slice_hash = SLICE_HASH_IPOLY;
    assert_true(address_map_config_check(&c, &err));
    for (uint64_t step = 256; step <= 16384; step *= 2) {
        assert_int_equal(slices_used(&c, step, 64, &most), 64);
        assert_int_equal(most, 1);
    }
    c.slice_hash = SLICE_HASH_NONE;
    assert_true(slices_used(&c, 16384, 64, &most) < 64);
    c.channels = 24;
    c.slice_hash = SLICE_HASH_IPOLY;
    assert_true(address_map_config_check(&c, &err));
    assert_int_equal(slices_used(&c, 256, 64 * 48, &most), 48);
    c.channels = 33;
    assert_false(address_map_config_check(&c, &err));
}

/* Blocks in a row meet each of 44 or 48 slices equally often, and strides of a power of two meet every channel. */
static void an_even_hash_gives_no_slice_more_than_another(void **state)
{
    (void)state;
    struct address_map_config c = { 0 };
    struct error err;
    param_defaults(address_map_params, &c);
    c.slice_hash = SLICE_HASH_EVEN;
    for (c.channels = 22; c.channels <= 24; c.channels += 2) {
        const uint32_t slices = c.channels * c.slices_per_channel;
        uint32_t used[64] = { 0 };
        assert_true(address_map_config_check(&c, &err));
        for (uint64_t block = 0; block < 100 * slices; block++) {
            const struct address_place p = address_map_locate(&c, block * 256);
            assert_int_equal(p.channel, p.slice / c.slices_per_channel);
            used[p.slice]++;
            if (block % slices == slices - 1)
                for (uint32_t s = 0; s < slices; s++)
                    assert_int_equal(used[s], block / slices + 1);
        }
        for (uint64_t step = 512; step <= 1 << 20; step *= 2) {
            uint32_t met = 0;
            for (uint64_t i = 0; i < 64 * c.channels; i++)
                met |= 1u << address_map_locate(&c, i * step).channel;
            assert_int_equal(met, (1u << c.channels) - 1);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(defaults_are_the_gtx480),
                                        cmocka_unit_test(consecutive_256_byte_blocks_go_round_the_channels),
                                        cmocka_unit_test(consecutive_blocks_go_round_the_modules),
                                        cmocka_unit_test(in_channel_address_closes_the_gaps),
                                        cmocka_unit_test(the_row_may_stir_the_bank),
                                        cmocka_unit_test(fields_come_from_their_bits),
                                        cmocka_unit_test(slice_address_leaves_out_the_slice_bit_and_nothing_else),
                                        cmocka_unit_test(every_place_has_one_address),
                                        cmocka_unit_test(contradictions_are_refused),
                                        cmocka_unit_test(the_hash_is_the_remainder),
                                        cmocka_unit_test(a_hash_spreads_strides),
                                        cmocka_unit_test(an_even_hash_gives_no_slice_more_than_another) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
