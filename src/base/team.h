/* team.h - threads that do a job together, again and again: a round begins for all at once and ends when all its parts are done.
 *
 * A job is cut into parts, mostly more of them than there are members, so that whoever is ready early finds something to do. A part
 * has a home, the member that does it as a rule, because its state lies in that member's caches; who has done its own takes parts
 * of others that nobody has begun. A part may wait for others of the same round.
 *
 * Rounds are short (microseconds), so who waits spins first and sleeps after a while; where there are fewer cores than members it
 * sleeps soon. Nobody waits for a member that has no part in hand. A team also looks at the clock: while others need the cores, or
 * there is too little to do, the caller does all parts itself, one after the other. So a job must not mind who does which part.
 * What a member wrote in a round is seen by all after it, what was written before a round is seen in it, and what a part wrote is
 * seen by those that wait for it. */
#ifndef WARPLINE_BASE_TEAM_H
#define WARPLINE_BASE_TEAM_H
#include <stdint.h>

struct team;
struct team_part {
    uint32_t home;               /* member */
    uint32_t after, after_count; /* parts before this one that must be done first, if they are of the same round */
};
/* `members` of them: the caller, who is number 0, and one thread for each other. NULL: the host gives no threads. */
struct team *team_new(uint32_t members, const struct team_part *part, uint32_t parts, void (*job)(void *context, uint32_t part),
                      void *context);
void team_insist(struct team *team); /* on all threads in every round, whether that is faster or not */
/* For estimates: from here on the caller does all parts, and the time of each is taken. A host with as many cores as members would
 * need `longest` and what a round costs. */
void team_measure(struct team *team);
struct team_times {
    uint64_t rounds;
    double parts, longest; /* seconds: of all parts, and of each round from its begin to its end on as many cores */
    double measuring;      /* that finding this out took */
};
struct team_times team_times(const struct team *team);
/* A round of the parts `first` to `end` - 1. Only the thread that made the team may call it. */
void team_do(struct team *team, uint32_t first, uint32_t end);
void team_free(struct team *team);
#endif
