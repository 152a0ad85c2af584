/* test_team.c - rounds of a team: every part is done once, after those that it waits for, and sees what was done in the round
 * before; and who has nothing to do takes parts of others. */
#include "../cmocka_all.h"

#include <pthread.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/team.h"

enum { MEMBERS = 3, FIRST = 3, PARTS = 7, ROUNDS = 5000 };

static const struct team_part plan[PARTS] = {
    { .home = 0 },
    { .home = 0 },
    { .home = 2 },
    { .home = 0, .after = 0, .after_count = 2 },
    { .home = 1, .after = 0, .after_count = 3 },
    { .home = 1, .after = 4, .after_count = 1 },
    { .home = 2, .after = 2, .after_count = 1 },
};

/* Each part adds up what all had after the last round and what those that it waits for have. Any part that is left out, done twice,
 * not seen or done too early shows in the end. */
struct sums {
    uint64_t now[PARTS], before[PARTS], count[PARTS];
    uint32_t first; /* of this round's */
};

static void add_up(void *context, uint32_t part)
{
    struct sums *s = context;
    uint64_t sum = part;
    for (uint32_t i = 0; i < PARTS; i++)
        sum += s->before[i] * (i + 1);
    for (uint32_t i = plan[part].after; i < plan[part].after + plan[part].after_count; i++)
        sum += i >= s->first ? 31 * s->now[i] : 0;
    s->now[part] = sum;
    s->count[part]++;
}

/* All parts, the first ones alone, or the last ones, as the number of the round has it. NULL: without a team. */
static struct sums after_rounds(struct team *team, struct sums *s)
{
    for (uint32_t round = 0; round < ROUNDS; round++) {
        const uint32_t end = round % 3 == 1 ? FIRST : PARTS;
        s->first = round % 3 == 2 ? FIRST : 0;
        if (team)
            team_do(team, s->first, end);
        else
            for (uint32_t i = s->first; i < end; i++)
                add_up(s, i);
        memcpy(s->before, s->now, sizeof s->before);
    }
    return *s;
}

static void every_round_is_whole(void **state)
{
    (void)state;
    struct sums alone = { 0 };
    const struct sums expected = after_rounds(NULL, &alone);
    for (uint32_t kind = 0; kind < 3; kind++) { /* as it comes, always together, measured */
        struct sums s = { 0 };
        struct team *team = team_new(MEMBERS, plan, PARTS, add_up, &s);
        assert_non_null(team);
        if (kind == 1)
            team_insist(team);
        if (kind == 2)
            team_measure(team);
        const struct sums found = after_rounds(team, &s);
        assert_memory_equal(&found, &expected, sizeof expected);
        const struct team_times times = team_times(team);
        assert_int_equal(times.rounds, kind == 2 ? ROUNDS : 0);
        assert_true(times.longest <= times.parts);
        team_free(team);
    }
}

/* Who did it. */
struct doers {
    pthread_t of[PARTS];
};

static void take_long(void *context, uint32_t part)
{
    struct doers *d = context;
    d->of[part] = pthread_self();
    (void)usleep(2000);
}

static uint32_t done_by_caller(uint32_t home)
{
    struct team_part all[PARTS];
    for (uint32_t i = 0; i < PARTS; i++)
        all[i] = (struct team_part){ .home = home };
    struct doers d;
    uint32_t mine = 0;
    struct team *team = team_new(2, all, PARTS, take_long, &d);
    assert_non_null(team);
    team_insist(team);
    for (uint32_t round = 0; round < 20; round++) {
        team_do(team, 0, PARTS);
        for (uint32_t i = 0; i < PARTS; i++)
            mine += pthread_equal(d.of[i], pthread_self()) != 0;
    }
    team_free(team);
    return mine;
}

/* A part takes long and no core: a member that begins late still finds some. */
static void parts_of_others_are_taken(void **state)
{
    (void)state;
    for (uint32_t home = 0; home < 2; home++) {
        const uint32_t mine = done_by_caller(home);
        assert_in_range(mine, 20, 20 * (PARTS - 1));
    }
}

static void take_a_while(void *context, uint32_t part)
{
    (void)context;
    (void)part;
    (void)usleep(100);
}

/* Two cores would have needed half of what four equal parts take, and as long as the parts where each waits for the one before. */
static void estimates_know_who_waits(void **state)
{
    (void)state;
    for (uint32_t chain = 0; chain < 2; chain++) {
        struct team_part part[4] = { 0 };
        for (uint32_t i = 1; chain && i < 4; i++)
            part[i] = (struct team_part){ .home = 0, .after = i - 1, .after_count = 1 };
        struct team *team = team_new(2, part, 4, take_a_while, NULL);
        assert_non_null(team);
        team_measure(team);
        for (uint32_t round = 0; round < 20; round++)
            team_do(team, 0, 4);
        const struct team_times times = team_times(team);
        if (chain)
            assert_true(times.longest >= 0.999 * times.parts);
        else
            assert_true(times.longest < 0.9 * times.parts);
        team_free(team);
    }
}

static void a_team_that_did_nothing_ends(void **state)
{
    (void)state;
    struct sums s = { 0 };
    team_free(team_new(MEMBERS, plan, PARTS, add_up, &s));
    team_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_round_is_whole),
        cmocka_unit_test(parts_of_others_are_taken),
        cmocka_unit_test(estimates_know_who_waits),
        cmocka_unit_test(a_team_that_did_nothing_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
