/* l1_state.h - the inside of the L1, shared by l1.c (lines that are fetched whole), l1_sectored.c and l1_pieces.c. */
#ifndef WARPLINE_MEM_L1_STATE_H
#define WARPLINE_MEM_L1_STATE_H
#include <assert.h>

#include "mem/cache_policy.h"
#include "mem/l1.h"
#include "mem/mshr.h"
#include "mem/request_ring.h"
#include "mem/tag_array.h"

struct l1 {
    /* What every cycle asks comes first. */
    struct request_ring miss_queue;
    uint64_t version;
    uint64_t fill_port_free; /* first cycle in which a fill may come */
    uint64_t now;            /* of the last call that was told the time */
    struct tag_array *tags;
    struct mshr *mshr;
    struct outlet *out;
    struct request_pool *pool;
    uint32_t sm;
    uint32_t set_bytes;  /* that the pieces of a set share, when a policy owns the storage of lines; else 0 */
    uint32_t *taken;     /* then, per set: bytes of it that hold something else */
    uint64_t *usable;    /* then, per tag: the cycle from which the piece can be read */
    uint8_t all_sectors; /* of a line */
    uint16_t kept_kinds; /* bit per enum request_kind: stores that stay in the line that they hit */
    struct l1_otherwise otherwise;
    uint64_t used_before; /* of l1_otherwise.keeps: what had hit or taken a line when the cache was emptied last */
    struct l1_counters count;
    struct cache_policy policy;
    struct l1_config config;
    struct tag_geometry geometry;
};

/* l1_sectored.c */
struct l1_answer l1_sectored_access(struct l1 *l1, struct request *r, uint64_t block, uint32_t set);
void l1_sectored_fill(struct l1 *l1, struct request *fetch, uint64_t now); /* all of a fetch has come */

/* l1_pieces.c */
struct l1_answer l1_pieces_access(struct l1 *l1, struct request *r, uint64_t block, uint32_t set);
void l1_pieces_fill(struct l1 *l1, struct request *fetch, uint64_t now);
void l1_check_set_bytes(const struct l1 *l1, const struct cache_hooks *hooks, uint32_t bytes); /* what a storage policy answered */
bool l1_pieces_would_hit(struct l1 *l1, uint32_t set, uint64_t block, uint8_t sectors);
bool l1_pieces_drop(struct l1 *l1, uint32_t set, uint64_t block);

/* l1.c, for all three */
struct l1_answer l1_refuse(struct l1 *l1, struct request *r, enum cache_outcome cause);
struct l1_answer l1_go_around(struct l1 *l1, struct request *r);
bool l1_decide_miss(struct l1 *l1, struct request *r, uint32_t set, bool absent, struct l1_answer *answer);
uint8_t l1_sectors_to_fetch(const struct l1 *l1, const struct request *r);
void l1_tell_evicted(struct l1 *l1, uint32_t line, enum policy_eviction reason, bool by_access);
void l1_allocate(struct l1 *l1, uint32_t line, const struct request *r, uint64_t block, uint32_t sector);
struct l1_answer l1_send_miss(struct l1 *l1, struct request *r, uint64_t block, uint32_t line, uint8_t fetch,
                              enum cache_outcome outcome);
void l1_tell_filled(struct l1 *l1, struct request *r, uint64_t block, uint32_t line);

static inline bool l1_no_room_for(const struct l1 *l1, uint32_t requests)
{
    return l1->miss_queue.count + requests > l1->miss_queue.capacity;
}

/* What a hit costs, where the compiler sees it. */

/* Rows of a kind lie together, in this order (l1_counters.def). */
enum kind_row { ROW_HITS, ROW_MERGED, ROW_MISSES, ROW_REFUSED };

static inline uint64_t *l1_kind_rows(struct l1_counters *c, const struct request *r)
{
    switch (r->kind) {
    case REQUEST_LOCAL_READ: return &COUNTER_ROW(c, local_read_hits, 0);
    case REQUEST_LOCAL_WRITE: return &COUNTER_ROW(c, local_write_hits, 0);
    default: return r->write ? &COUNTER_ROW(c, global_write_hits, 0) : &COUNTER_ROW(c, global_read_hits, 0);
    }
}

static inline void l1_count_taken(struct l1 *l1, const struct request *r, enum cache_outcome outcome)
{
    struct l1_counters *c = &l1->count;
    assert(outcome <= CACHE_MISS);
    l1_kind_rows(c, r)[ROW_HITS + outcome]++;
    if (r->write) {
        c->writes++;
        if (outcome == CACHE_HIT)
            c->write_hits++;
        else
            c->write_misses++;
    } else {
        c->accesses++;
        COUNTER_ROW(c, hits, outcome)++; /* hits, merged, misses */
    }
}

static inline struct l1_answer l1_take(struct l1 *l1, const struct request *r, enum cache_outcome outcome, uint32_t line)
{
    l1_count_taken(l1, r, outcome);
    if (l1->policy.hooks) {
        static const uint8_t loads[] = { [CACHE_HIT] = OUTCOME_HIT, [CACHE_MERGED] = OUTCOME_MERGED, [CACHE_MISS] = OUTCOME_MISS };
        const enum policy_outcome told = !r->write              ? (enum policy_outcome)loads[outcome]
                                         : outcome == CACHE_HIT ? OUTCOME_WRITE_HIT
                                                                : OUTCOME_WRITE_MISS;
        cache_policy_taken(&l1->policy, r, told, line, l1->now);
    }
    return (struct l1_answer){ .outcome = outcome };
}

static inline struct l1_answer l1_hit(struct l1 *l1, struct request *r, uint32_t line)
{
    tag_array_touch(l1->tags, line, l1->now);
    tag_array_line(l1->tags, line)->used |= r->sectors;
    struct l1_answer answer = l1_take(l1, r, CACHE_HIT, line);
    if (l1->policy.hooks)
        answer.extra_cycles = cache_policy_hit_cycles(&l1->policy, line);
    return answer;
}
#endif
