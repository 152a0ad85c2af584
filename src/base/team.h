/* team.h - threads that do a job together, again and again: a round begins for all at once and ends when all have done their part.
 *
 * Rounds are short (microseconds), so who waits spins first and sleeps after a while; where there are fewer cores than members it
 * sleeps soon. A team also looks at the clock: while others need the cores, or there is too little to do, the caller does all parts
 * itself, one after the other. So a job must not mind who does which part. What a member wrote in a round is seen by all after it,
 * and what was written before a round is seen in it. */
#ifndef WARPLINE_BASE_TEAM_H
#define WARPLINE_BASE_TEAM_H
#include <stdint.h>

struct team;
/* `members` of them: the caller, who is number 0, and one thread for each other. NULL: the host gives no threads. */
struct team *team_new(uint32_t members, void (*job)(void *context, uint32_t member), void *context);
void team_insist(struct team *team); /* on all threads in every round, whether that is faster or not */
/* For estimates: from here on the caller does all parts, and the time of each is taken. A host with as many cores as members would
 * need `longest` and what a round costs. */
void team_measure(struct team *team);
struct team_times {
    uint64_t rounds;
    double parts, longest; /* seconds: of all parts, and of each round's longest */
};
struct team_times team_times(const struct team *team);
/* A round. Only the thread that made the team may call it. */
void team_do(struct team *team);
void team_free(struct team *team);
#endif
