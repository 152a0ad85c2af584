/* Claims that divide means, or count all programs together, by hand: two programs of made-up numbers. */
#include "../cmocka_all.h"

#include <math.h>
#include <string.h>

#include "papers/reproduce.h"

extern const struct paper paper_002_3, paper_002_6, paper_004;

enum { SUBJECT, VERSUS, OTHER }; /* the claim's two columns; any other is the machine that both are compared with */
struct number {
    const char *label;
    int column;
    const char *name;
    double value;
};
static const struct number *numbers;
static const struct paper_claim *claim;

bool reproduction_number(const struct reproduction *r, const struct paper_row *row, uint32_t column, const char *name,
                         double *value)
{
    (void)r;
    const int wanted = column == claim->subject ? SUBJECT : column == claim->versus ? VERSUS : OTHER;
    for (const struct number *n = numbers; n->label; n++)
        if (!strcmp(n->label, row->label) && n->column == wanted && !strcmp(n->name, name)) {
            *value = n->value;
            return true;
        }
    return false;
}

bool reproduction_storage(const struct reproduction *r, const struct paper_row *row, uint32_t column, double *bits)
{
    (void)r, (void)row, (void)column, (void)bits;
    return false;
}

/* The mean of the claim over both programs, which are of this class; beside: a third is of another class and has no numbers. */
static double mean_of(const struct paper *paper, const char *id, const char *class, bool beside, const struct number *all)
{
    struct reproduction r = { .paper = paper, .row_count = beside ? 3 : 2 };
    r.rows[2] = (struct paper_row){ .label = "c", .class = "another" };
    r.rows[0] = (struct paper_row){ .label = "a", .class = class };
    r.rows[1] = (struct paper_row){ .label = "b", .class = class };
    numbers = all;
    for (uint32_t i = 0; i < paper->claim_count; i++) {
        claim = &paper->claims[i];
        double first, second;
        if (strcmp(claim->id, id) != 0)
            continue;
        assert_int_equal(claim->summary, MEAN_OF_ROWS);
        if (!claim->value(&r, &r.rows[0], claim->subject, claim->versus, &first) ||
            !claim->value(&r, &r.rows[1], claim->subject, claim->versus, &second))
            fail_msg("%s has no value", id);
        return (first + second) / 2;
    }
    fail_msg("no claim %s", id);
    return NAN;
}

static void is_near(double value, double wanted)
{
    if (!(fabs(value - wanted) <= 1e-9 * fabs(wanted)))
        fail_msg("%.12g is not %.12g", value, wanted);
}

/* A program whose baseline reads next to nothing makes the mean of changes, and nothing of the traffic of both. */
static void traffic_of_all_programs_together(void **state)
{
    (void)state;
    static const struct number all[] = {
        { "a", SUBJECT, "dram.reads", 500 },
        { "a", SUBJECT, "dram.writes", 100 },
        { "a", VERSUS, "dram.reads", 900 },
        { "a", VERSUS, "dram.writes", 98 },
        { "a", SUBJECT, "linebacker.registers.saved", 0 },
        { "a", SUBJECT, "linebacker.registers.restored", 0 },
        { "b", SUBJECT, "dram.reads", 20 },
        { "b", SUBJECT, "dram.writes", 20 },
        { "b", VERSUS, "dram.reads", 1 },
        { "b", VERSUS, "dram.writes", 1 },
        { "b", SUBJECT, "linebacker.registers.saved", 5 },
        { "b", SUBJECT, "linebacker.registers.restored", 3 },
        { 0 },
    };
    is_near(mean_of(&paper_004, "traffic", "sensitive", false, all), (100 * (600.0 / 998 - 1) + 1900) / 2);
    is_near(mean_of(&paper_004, "traffic-all", "sensitive", false, all), -36); /* 640 of 1000 */
    is_near(mean_of(&paper_004, "traffic-cerf-all", "sensitive", false, all), -36);
    is_near(mean_of(&paper_004, "backup-all", "sensitive", false, all), 5); /* 32 of 640 */
}

/* 80 of 100 loads and 10 of 100 miss, 78 and 0 of them not for the first time: 39 over 45. Both columns of the claim are the
 * baseline. */
static void capacity_misses_of_means(void **state)
{
    (void)state;
    static const struct number all[] = {
        { "a", SUBJECT, "l1.accesses", 100 },
        { "a", SUBJECT, "l1.misses", 80 },
        { "a", SUBJECT, "locality.distance.beyond", 2 },
        { "b", SUBJECT, "l1.accesses", 100 },
        { "b", SUBJECT, "l1.misses", 10 },
        { "b", SUBJECT, "locality.distance.beyond", 10 },
        { 0 },
    };
    is_near(mean_of(&paper_004, "miss-2c", "sensitive", false, all), 100 * 39.0 / 45);
    is_near(mean_of(&paper_004, "miss", "sensitive", false, all), 45);
    is_near(mean_of(&paper_004, "miss-capacity", "sensitive", false, all), 39);
}

/* EDPSE of 32 modules: 100 / 32 x the energy and time of one, both 1 here. */
static void quotients_of_means(void **state)
{
    (void)state;
#define RUN(label, column, seconds, joules)                                                                                        \
    { label, column, "energy.seconds", seconds }, { label, column, "energy.total_j", joules },                                     \
        { label, column, "energy.components.link", 0 },                                                                            \
    {                                                                                                                              \
        label, column, "energy.components.constant", 0                                                                             \
    }
    static const struct number edpse[] = { RUN("a", OTHER, 1, 1),       RUN("a", SUBJECT, 0.1, 1), RUN("a", VERSUS, 0.2, 1),
                                           RUN("b", OTHER, 1, 1),       RUN("b", SUBJECT, 0.1, 1), RUN("b", VERSUS, 1, 1),
                                           { NULL, SUBJECT, NULL, 0.0 } };
#undef RUN
    is_near(mean_of(&paper_002_6, "edp-bw4", "C", false, edpse), 6);              /* 2 and 10 */
    is_near(mean_of(&paper_002_6, "edp-bw4-means", "C", false, edpse), 20.0 / 6); /* 10 + 10 over 5 + 1 */
    is_near(mean_of(&paper_002_6, "edp-switch-means", "M", false, edpse), 20.0 / 6);
    is_near(mean_of(&paper_002_6, "edp-bw2", "M", false, edpse), 6);
    is_near(mean_of(&paper_002_6, "edp-bw2-means", "M", false, edpse), 20.0 / 6);

    static const struct number cycles[] = {
        { "a", OTHER, "cycles", 100 },
        { "a", SUBJECT, "cycles", 20 },
        { "a", VERSUS, "cycles", 50 },
        { "b", OTHER, "cycles", 100 },
        { "b", SUBJECT, "cycles", 100 },
        { "b", VERSUS, "cycles", 25 },
        { 0 },
    };
    is_near(mean_of(&paper_002_3, "id-vs-2x", "C/I-H", true, cycles), 137.5);     /* 2.5 and 0.25 */
    is_near(mean_of(&paper_002_3, "id-vs-2x-means", "C/I-H", true, cycles), 100); /* 5 + 1 over 2 + 4 */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(traffic_of_all_programs_together),
        cmocka_unit_test(capacity_misses_of_means),
        cmocka_unit_test(quotients_of_means),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
