/* test_team.c - rounds of a team: every member does its part once, and sees what the others did in the round before. */
#include "../cmocka_all.h"

#include <string.h>

#include "base/error.h"
#include "base/team.h"

enum { MEMBERS = 3, ROUNDS = 5000 };

/* Each member adds up what all had after the last round. Any part that is left out, done twice or not seen shows in the end. */
struct sums {
    uint64_t now[MEMBERS], before[MEMBERS];
};

static void add_up(void *context, uint32_t member)
{
    struct sums *s = context;
    uint64_t sum = member;
    for (uint32_t i = 0; i < MEMBERS; i++)
        sum += s->before[i] * (i + 1);
    s->now[member] = sum;
}

static struct sums after_rounds(struct team *team, struct sums *s)
{
    for (uint32_t round = 0; round < ROUNDS; round++) {
        team_do(team);
        memcpy(s->before, s->now, sizeof s->before);
    }
    return *s;
}

static void every_round_is_whole(void **state)
{
    (void)state;
    struct sums expected = { 0 };
    for (uint32_t round = 0; round < ROUNDS; round++) {
        for (uint32_t i = 0; i < MEMBERS; i++)
            add_up(&expected, i);
        memcpy(expected.before, expected.now, sizeof expected.before);
    }
    for (uint32_t kind = 0; kind < 3; kind++) { /* as it comes, always together, measured */
        struct sums s = { 0 };
        struct team *team = team_new(MEMBERS, add_up, &s);
        assert_non_null(team);
        if (kind == 1)
            team_insist(team);
        if (kind == 2)
            team_measure(team);
        const struct sums found = after_rounds(team, &s);
        assert_memory_equal(found.now, expected.now, sizeof expected.now);
        const struct team_times times = team_times(team);
        assert_int_equal(times.rounds, kind == 2 ? ROUNDS : 0);
        assert_true(times.longest <= times.parts);
        team_free(team);
    }
}

static void a_team_that_did_nothing_ends(void **state)
{
    (void)state;
    struct sums s = { 0 };
    team_free(team_new(MEMBERS, add_up, &s));
    team_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(every_round_is_whole), cmocka_unit_test(a_team_that_did_nothing_ends) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
