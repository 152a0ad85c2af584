/* Claims of chapters 5 and 6 of paper 002, computed by hand from runs whose numbers are made up: the test is the database. */
#include "../cmocka_all.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "papers/reproduce.h"

extern const struct paper paper_002_5, paper_002_6;

#define assert_near(a, b) assert_true(fabs((a) - (b)) <= 1e-6 * fabs((double)(b)))

/* What a run of one column counted; columns are known by what they set. */
struct run {
    const char *policies, *config, *setting; /* setting: one that no column before it has; NULL: none to look at */
    struct {
        const char *name;
        double value;
    } number[6];
};
static const struct run *runs;
static const struct paper *paper;

static bool sets(const struct paper_column *c, const char *setting)
{
    for (uint32_t i = 0; i < PAPER_SETTINGS && c->set[i]; i++)
        if (!strcmp(c->set[i], setting))
            return true;
    return false;
}

static bool is_of(const struct run *run, const struct paper_column *c)
{
    const char *config = c->config ? c->config : paper->machine;
    return !strcmp(run->policies, c->policies) && !strcmp(run->config, config) && (!run->setting || sets(c, run->setting));
}

bool reproduction_number(const struct reproduction *r, const struct paper_row *row, uint32_t column, const char *name,
                         double *value)
{
    (void)r, (void)row;
    for (const struct run *run = runs; run->policies; run++)
        if (is_of(run, &paper->columns[column]))
            for (uint32_t i = 0; i < 6 && run->number[i].name; i++)
                if (!strcmp(run->number[i].name, name)) {
                    *value = run->number[i].value;
                    return true;
                }
    return false;
}

static double claim_of(const char *id, uint32_t instructions)
{
    const struct reproduction r = { .paper = paper };
    const struct paper_row row = { .instructions = instructions };
    for (uint32_t i = 0; i < paper->claim_count; i++) {
        const struct paper_claim *c = &paper->claims[i];
        double value;
        if (strcmp(c->id, id) != 0)
            continue;
        if (!c->value(&r, &row, c->subject, c->versus, &value))
            fail_msg("%s has no value", id);
        return value;
    }
    fail_msg("no claim %s", id);
    return 0;
}

/* ---- chapter 5 ---------------------------------------------------------------------------------------------------------- */

#define BYTES(requests, replies)                                                                                                   \
    { "link.request_bytes", requests },                                                                                            \
    {                                                                                                                              \
        "link.reply_bytes", replies                                                                                                \
    }
static const struct run chapter_5[] = {
    { "gtrr", "mcm-4x64", "link.bandwidth=3072000", { { "cycles", 60 } } },
    { "gtrr", "mcm-4x64", "link.bandwidth=768000", { { "cycles", 75 } } },
    { "gtrr", "mcm-4x64", "link.bandwidth=192000", { { "cycles", 200 } } },
    { "gtrr", "mcm-4x64", "l15.keeps=remote", { { "cycles", 80 }, BYTES(100, 600) } },
    { "gtrr", "mcm-4x64", "l15.keeps=all", { { "cycles", 90 } } },
    { "gtrr,cta-distributed", "mcm-4x64", "l15.sets=64", { { "cycles", 62.5 }, BYTES(100, 500) } },
    { "gtrr,cta-distributed,first-touch", "mcm-4x64", "l2.sets=32", { { "cycles", 50 }, BYTES(50, 150) } },
    { "gtrr,first-touch", "mcm-4x64", NULL, { { "cycles", 101 } } },
    { "gtrr", "mono-256", "gpu.sms=32", { { "cycles", 320 } } },
    { "gtrr", "mono-256", NULL, { { "cycles", 40 } } },
    { "gtrr", "mono-128", NULL, { { "cycles", 75 } } },
    { "gtrr,cta-distributed,first-touch", "multigpu-2x128", "l15.keeps=remote", { { "cycles", 128 } } },
    { "gtrr,cta-distributed,first-touch", "multigpu-2x128", NULL, { { "cycles", 160 } } },
    { "gtrr", "mcm-4x64", NULL, { { "cycles", 100 }, BYTES(200, 800), { "warp_instructions", 10 } } },
    { 0 },
};

static void claims_of_chapter_5(void **state)
{
    (void)state;
    static const struct {
        const char *id;
        double value;
    } hand[] = {
        { "mcm-scaling", 100 },                      /* 320 cycles of 32 SMs, 40 of 256 */
        { "mcm-linkbw-1.5", -20 },                   /* 60 / 75 */
        { "mcm-linkbw-768", -40 },                   /* 60 / 100 */
        { "mcm-linkbw-384", -70 },                   /* 60 / 200 */
        { "mcm-l15-16r", 25 },                       /* 100 / 80 */
        { "mcm-l15-8", 100.0 / 9 },                  /* 100 / 90 */
        { "mcm-l15-bw", -30 },                       /* 700 bytes of 1000 */
        { "mcm-ds", 60 },                            /* 100 / 62.5 */
        { "mcm-ds-bw", -40 },                        /* 600 of 1000 */
        { "mcm-ft", 100 },                           /* 100 / 50 */
        { "mcm-ft-bw", 0.2 },                        /* 200 of 1000 */
        { "mcm-alone-ft", 100 * (100 / 101.0 - 1) }, /* slower by less than a hundredth */
        { "mcm-steps-ds", 35 },                      /* 60 - 25 points of the base machine's speed */
        { "mcm-steps-ft", 40 },                      /* 100 - 60 */
        { "mcm-steps-ds-bw", -10 },                  /* 60 - 70 % */
        { "mcm-steps-ft-bw", -40 },                  /* 20 - 60 % */
        { "mcm-scurve-faster", 100 },
        { "mcm-mono128", 50 },        /* 75 / 50 */
        { "mcm-mono256", -20 },       /* 40 / 50 */
        { "mcm-multigpu-base", 25 },  /* 160 / 128 */
        { "mcm-multigpu-mcm", 220 },  /* 160 / 50 */
        { "mcm-multigpu", 220 - 25 }, /* points of the two GPUs' speed */
    };
    runs = chapter_5;
    paper = &paper_002_5;
    for (uint32_t i = 0; i < sizeof hand / sizeof *hand; i++) {
        const double value = claim_of(hand[i].id, 0);
        if (fabs(value - hand[i].value) > 1e-6)
            fail_msg("%s is %g, by hand %g", hand[i].id, value, hand[i].value);
    }
    assert_true(claim_of("mcm-scurve-slower", 0) == 0);
}

/* By more than a hundredth, and per instruction where runs are stopped. */
static void faster_and_slower(void **state)
{
    (void)state;
    static struct run two[] = {
        { "gtrr,cta-distributed,first-touch", "mcm-4x64", NULL, { { "cycles", 100 }, { "warp_instructions", 1000 } } },
        { "gtrr", "mcm-4x64", NULL, { { "cycles", 100 }, { "warp_instructions", 1000 } } },
        { 0 },
    };
    static const struct {
        double cycles, instructions;
        double faster, slower;
    } all[] = { { 100, 1000, 0, 0 },  { 98, 1000, 100, 0 },  { 102, 1000, 0, 100 },
                { 99.5, 1000, 0, 0 }, { 102, 1050, 100, 0 }, { 100, 900, 0, 100 } };
    runs = two;
    paper = &paper_002_5;
    for (uint32_t i = 0; i < sizeof all / sizeof *all; i++) {
        two[0].number[0].value = all[i].cycles;
        two[0].number[1].value = all[i].instructions;
        assert_true(claim_of("mcm-scurve-faster", 1) == all[i].faster);
        assert_true(claim_of("mcm-scurve-slower", 1) == all[i].slower);
    }
}

/* ---- chapter 6 ---------------------------------------------------------------------------------------------------------- */

/* Of the joules of a run so many are of links and of constant power. */
#define RUN(time, all, of_links, of_constant)                                                                                      \
    {                                                                                                                              \
        { "energy.seconds", time }, { "energy.total_j", all }, { "energy.components.link", of_links },                             \
            { "energy.components.constant", of_constant },                                                                         \
        {                                                                                                                          \
            "cycles", time                                                                                                         \
        }                                                                                                                          \
    }
static const struct run chapter_6[] = {
    { "", "gpm-k40", "gpu.sms=256", RUN(10, 1, 0, 0) },
    { "", "gpm-k40", "gpu.sms=512", RUN(5.5, 1, 0, 0) },
    { "", "gpm-k40", NULL, RUN(320, 100, 0, 40) },
    { "cta-distributed,first-touch", "gpm-k40-2", "link.bandwidth=128000", RUN(160, 100, 0, 40) },
    { "cta-distributed,first-touch", "gpm-k40-16", "link.bandwidth=64000", RUN(40, 100, 0, 40) },
    { "cta-distributed,first-touch", "gpm-k40-32", "link.topology=switch", RUN(20, 200, 4, 80) },
    { "cta-distributed,first-touch", "gpm-k40-32", "link.bandwidth=64000", RUN(20, 125, 0.54, 66) },
    { "cta-distributed,first-touch", "gpm-k40-32", "link.bandwidth=32000", RUN(40, 200, 2, 160) },
    { "cta-distributed,first-touch", "gpm-k40-32", "link.bandwidth=128000", RUN(16, 110, 0.54, 33) },
    { 0 },
};

static void claims_of_chapter_6(void **state)
{
    (void)state;
    const double one = 320 * 100;
    /* Half of 31 of 32 modules' constant power is saved: 16.5 modules' is there, a quarter would leave 24.25, none 32. */
    const double none = 125 - 66 + 66 * 32 / 16.5, quarter = 125 - 66 + 66 * 24.25 / 16.5;
    const struct {
        const char *id;
        double value;
    } hand[] = {
        { "edpse-2", 100 * one / (2 * 160 * 100) },
        { "edpse-32", 100 * one / (32 * 20 * 125) },
        { "edp-speed-2", 100 },
        { "edp-speed-32", 100 },
        { "edp-mono", 100 * (10 / 5.5 - 1) },
        { "edp-energy", 25 },
        { "edp-onboard", 2 },
        { "edp-link4x", 100 * one / 32 * (1 / (40.0 * 200) - 1 / (40.0 * 206)) },
        /* 0.54 J at 0.54 pJ are 40 J at 40 pJ; the board saves no constant power */
        { "edp-link4x-bw2", 100 * one / 32 * (1 / (20.0 * (none - 0.54 + 40)) - 1 / (40.0 * 200)) },
        { "edp-amort-energy", 100 * (125 / none - 1) },
        { "edp-amort-energy-25", 100 * (quarter / none - 1) },
        { "edp-amort", 100 * one / 32 / 20 * (1 / 125.0 - 1 / none) },
        { "edp-amort-25", 100 * one / 32 / 20 * (1 / quarter - 1 / none) },
        { "edp-switch", 2 },
        { "edp-bw4", 40.0 * 200 / (16 * 110) },
        { "edp-16v32-energy", 0.5 },
        { "edp-16v32", 1 },
        { "edp-bw-energy", 100 * ((110 - 33 + 33 * 32 / 16.5 - 0.54 + 10) / 200 - 1) },
        { "edp-bw-energy-package", -45 },
        { "edp-best-energy", 10 },
        { "edp-best", 20 },
    };
    runs = chapter_6;
    paper = &paper_002_6;
    for (uint32_t i = 0; i < sizeof hand / sizeof *hand; i++) {
        const double value = claim_of(hand[i].id, 0);
        if (fabs(value - hand[i].value) > 1e-6 * fabs(hand[i].value))
            fail_msg("%s is %g, by hand %g", hand[i].id, value, hand[i].value);
    }
}

/* Table 6.4 per module, in and out: a ring gives each of 32 two links of two directions, a switch one. */
static void rings_and_switch_have_the_same_bandwidth_of_a_module(void **state)
{
    (void)state;
    uint32_t rings = 0, switches = 0;
    for (uint32_t i = 0; i < paper_002_6.column_count; i++) {
        const struct paper_column *c = &paper_002_6.columns[i];
        if (!sets(c, "link.domain=board"))
            continue;
        const bool is_switch = sets(c, "link.topology=switch");
        assert_true(sets(c, is_switch ? "link.bandwidth=64000" : "link.bandwidth=32000"));
        rings += !is_switch;
        switches += is_switch;
    }
    assert_true(rings == 1 && switches == 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(claims_of_chapter_5), cmocka_unit_test(faster_and_slower),
                                        cmocka_unit_test(claims_of_chapter_6),
                                        cmocka_unit_test(rings_and_switch_have_the_same_bandwidth_of_a_module) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
