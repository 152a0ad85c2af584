/* Each timing constraint: blocked at n - 1, ready at n. Every timing below is different, so that no row can pass by another's. */
#include "../cmocka_all.h"
#include "mem/dram_bank.h"

/* Two ranks of eight banks in two groups (low bit); burst of 8 at 4 per clock: 2 clocks. Turn-round times by the reference's
 * formulas: read to write 40 + 2 + 3 - 10 = 35, write to read 10 + 2 + 7 = 19 (group 10 + 2 + 9 = 21), write to precharge 10 + 2 +
 * 30 = 42. */
static struct dram_config timings(void)
{
    return (struct dram_config){ .ranks = 2,
                                 .banks = 8,
                                 .bank_groups = 2,
                                 .bus_bytes = 8,
                                 .burst = 8,
                                 .data_rate = 4,
                                 .ccd = 4,
                                 .ccd_l = 6,
                                 .rrd = 8,
                                 .rrd_l = 11,
                                 .rcd = 50,
                                 .rcd_write = 45,
                                 .ras = 70,
                                 .rp = 25,
                                 .rc = 110,
                                 .cl = 40,
                                 .wl = 10,
                                 .cdlr = 7,
                                 .cdlr_l = 9,
                                 .wr = 30,
                                 .rtp = 13,
                                 .rtp_l = 5,
                                 .turnaround = 3,
                                 .ppd = 2,
                                 .rfc = 300,
                                 .refi = 5000 };
}

struct step {
    enum dram_command command;
    uint32_t bank;
};
struct row {
    struct step first, second;
    uint32_t clocks;
};

static const struct row rows[] = {
    /* same bank */
    { { DRAM_ACTIVATE, 0 }, { DRAM_READ, 0 }, 50 },      /* RCD */
    { { DRAM_ACTIVATE, 0 }, { DRAM_WRITE, 0 }, 45 },     /* RCDWR */
    { { DRAM_ACTIVATE, 0 }, { DRAM_PRECHARGE, 0 }, 70 }, /* RAS */
    { { DRAM_ACTIVATE, 0 }, { DRAM_ACTIVATE, 0 }, 110 }, /* RC */
    { { DRAM_PRECHARGE, 0 }, { DRAM_ACTIVATE, 0 }, 25 }, /* RP */
    { { DRAM_READ, 0 }, { DRAM_PRECHARGE, 0 }, 13 },     /* RTP */
    { { DRAM_WRITE, 0 }, { DRAM_PRECHARGE, 0 }, 42 },    /* WL + burst + WR */
    /* another bank of the group */
    { { DRAM_ACTIVATE, 0 }, { DRAM_ACTIVATE, 2 }, 11 }, /* RRDL */
    { { DRAM_READ, 0 }, { DRAM_READ, 2 }, 6 },          /* CCDL */
    { { DRAM_WRITE, 0 }, { DRAM_WRITE, 2 }, 6 },        /* CCDL */
    { { DRAM_WRITE, 0 }, { DRAM_READ, 2 }, 21 },        /* WL + burst + WTR_L */
    { { DRAM_READ, 0 }, { DRAM_PRECHARGE, 2 }, 5 },     /* RTPL */
    { { DRAM_WRITE, 0 }, { DRAM_PRECHARGE, 2 }, 0 },
    /* another group */
    { { DRAM_ACTIVATE, 0 }, { DRAM_ACTIVATE, 1 }, 8 }, /* RRD */
    { { DRAM_READ, 0 }, { DRAM_READ, 1 }, 4 },         /* CCD */
    { { DRAM_READ, 0 }, { DRAM_WRITE, 1 }, 35 },       /* CL + burst + turn-round - WL */
    { { DRAM_WRITE, 0 }, { DRAM_READ, 1 }, 19 },       /* WL + burst + CDLR */
    { { DRAM_READ, 0 }, { DRAM_PRECHARGE, 1 }, 0 },
    { { DRAM_PRECHARGE, 0 }, { DRAM_PRECHARGE, 1 }, 2 }, /* PPD */
    { { DRAM_PRECHARGE, 0 }, { DRAM_ACTIVATE, 1 }, 0 },
    /* another rank: only the data bus is common */
    { { DRAM_ACTIVATE, 0 }, { DRAM_ACTIVATE, 8 }, 0 },
    { { DRAM_READ, 0 }, { DRAM_READ, 8 }, 5 }, /* burst + turn-round */
    { { DRAM_READ, 0 }, { DRAM_WRITE, 8 }, 35 },
    { { DRAM_WRITE, 0 }, { DRAM_WRITE, 8 }, 2 }, /* burst */
    { { DRAM_WRITE, 0 }, { DRAM_READ, 8 }, 0 },  /* WL + burst + turn-round < CL: no wait */
};

static void each_constraint_blocks_until_its_clock(void **state)
{
    (void)state;
    const struct dram_config c = timings();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct dram_banks b;
        dram_banks_init(&b, &c);
        const uint64_t t = 100000;
        if (rows[i].first.command != DRAM_ACTIVATE) /* long ago, so that it constrains nothing */
            dram_banks_issue(&b, DRAM_ACTIVATE, rows[i].first.bank, 1, 1000);
        dram_banks_issue(&b, rows[i].first.command, rows[i].first.bank, 1, t);
        const uint64_t ready = dram_banks_ready(&b, rows[i].second.command, rows[i].second.bank);
        if (rows[i].clocks)
            assert_int_equal(ready, t + rows[i].clocks);
        else
            assert_true(ready <= t);
        dram_banks_clear(&b);
    }
}

static void at_most_four_activates_in_a_window(void **state)
{
    (void)state;
    struct dram_config c = timings();
    c.rrd_l = c.rrd = 1;
    c.faw = 60;
    struct dram_banks b;
    dram_banks_init(&b, &c);
    for (uint32_t k = 0; k < 4; k++) {
        assert_true(dram_banks_ready(&b, DRAM_ACTIVATE, k) <= 1000 + 10 * k);
        dram_banks_issue(&b, DRAM_ACTIVATE, k, 1, 1000 + 10 * k);
    }
    assert_int_equal(dram_banks_ready(&b, DRAM_ACTIVATE, 4), 1060); /* 60 after the first */
    assert_true(dram_banks_ready(&b, DRAM_ACTIVATE, 8) < 1000);     /* the other rank has a window of its own */
    dram_banks_issue(&b, DRAM_ACTIVATE, 4, 1, 1060);
    assert_int_equal(dram_banks_ready(&b, DRAM_ACTIVATE, 5), 1070);
    dram_banks_clear(&b);
}

static void at_most_32_activates_in_the_long_window(void **state)
{
    (void)state;
    struct dram_config c = timings();
    c.rrd_l = c.rrd = 1;
    c.rc = c.ras = c.rp = c.ppd = 0;
    c.aw32 = 700;
    struct dram_banks b;
    dram_banks_init(&b, &c);
    for (uint32_t round = 0; round < 3; round++)
        for (uint32_t k = 0; k < 32; k++) {
            const uint64_t t = 1000 + 700 * round + 5 * k;
            assert_true(dram_banks_ready(&b, DRAM_ACTIVATE, k % 8) <= t);
            dram_banks_issue(&b, DRAM_ACTIVATE, k % 8, 1, t);
            if (k == 31)
                assert_int_equal(dram_banks_ready(&b, DRAM_ACTIVATE, 0), 1000 + 700 * (round + 1));
            dram_banks_issue(&b, DRAM_PRECHARGE, k % 8, 0, t);
        }
    dram_banks_clear(&b);
}

static void a_refresh_needs_closed_banks_and_keeps_the_rank_for_its_time(void **state)
{
    (void)state;
    const struct dram_config c = timings();
    struct dram_banks b;
    dram_banks_init(&b, &c);
    dram_banks_issue(&b, DRAM_ACTIVATE, 3, 1, 1000);
    assert_true(dram_banks_refresh_ready(&b, 0) == UINT64_MAX);
    dram_banks_issue(&b, DRAM_PRECHARGE, 3, 0, 1100);
    assert_int_equal(dram_banks_refresh_ready(&b, 0), 1125);
    dram_banks_refresh(&b, 0, 1125);
    assert_int_equal(dram_banks_ready(&b, DRAM_ACTIVATE, 5), 1425);
    assert_true(dram_banks_ready(&b, DRAM_ACTIVATE, 8) < 1000);
    dram_banks_clear(&b);
}

static void groups_are_named_by_low_or_by_high_bits(void **state)
{
    (void)state;
    struct dram_config c = timings();
    struct dram_banks b;
    dram_banks_init(&b, &c);
    assert_int_equal(b.bank[3].group, 1);
    assert_int_equal(b.bank[8 + 2].group, 2);
    dram_banks_clear(&b);
    c.group_bits = DRAM_GROUP_HIGH;
    dram_banks_init(&b, &c);
    assert_int_equal(b.bank[3].group, 0);
    assert_int_equal(b.bank[8 + 4].group, 3);
    dram_banks_clear(&b);
}

static void write_after_activate_follows_the_references_formula(void **state)
{
    (void)state;
    struct dram_config c;
    param_defaults(dram_params, &c);
    struct dram_banks b;
    dram_banks_init(&b, &c);
    dram_banks_issue(&b, DRAM_ACTIVATE, 0, 1, 1000);
    assert_int_equal(dram_banks_ready(&b, DRAM_WRITE, 0), 1000 + 12 - (4 + 1));
    assert_int_equal(b.read_to_write, 12 + 2 + 2 - 4);
    assert_int_equal(b.write_to_read, 4 + 2 + 5);
    assert_int_equal(b.write_to_precharge, 4 + 2 + 12);
    dram_banks_clear(&b);
}

static void turnarounds_may_be_free(void **state)
{
    (void)state;
    struct dram_config c;
    param_defaults(dram_params, &c);
    c.free_turnaround = true;
    struct dram_banks b;
    dram_banks_init(&b, &c);
    dram_banks_issue(&b, DRAM_ACTIVATE, 0, 1, 1000);
    dram_banks_issue(&b, DRAM_WRITE, 0, 1, 1100);
    assert_int_equal(dram_banks_ready(&b, DRAM_READ, 0), 1100 + 3); /* CCDL, as after a read */
    dram_banks_issue(&b, DRAM_READ, 0, 1, 1200);
    assert_int_equal(dram_banks_ready(&b, DRAM_WRITE, 0), 1200 + 3);
    dram_banks_clear(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(each_constraint_blocks_until_its_clock),
                                        cmocka_unit_test(at_most_four_activates_in_a_window),
                                        cmocka_unit_test(at_most_32_activates_in_the_long_window),
                                        cmocka_unit_test(a_refresh_needs_closed_banks_and_keeps_the_rank_for_its_time),
                                        cmocka_unit_test(groups_are_named_by_low_or_by_high_bits),
                                        cmocka_unit_test(write_after_activate_follows_the_references_formula),
                                        cmocka_unit_test(turnarounds_may_be_free) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
