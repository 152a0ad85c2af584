/* cache_policy.h - the caches' side of the policy hooks: what an L1 and an L2 slice do in the same way when they have policies.
 *
 * A cache without policies has `hooks` NULL and pays one test per access. With policies, it describes the current access once
 * (cache_policy_begin) and tells the hooks about it. */
#ifndef WARPLINE_MEM_CACHE_POLICY_H
#define WARPLINE_MEM_CACHE_POLICY_H
#include "mem/cache_kinds.h"
#include "mem/request.h"
#include "mem/tag_array.h"
#include "policy/hooks.h"

struct cache_policy {
    const struct cache_hooks *hooks;
    struct tag_array *tags;
    uint32_t unit, ways, sets, line_bytes;
    uint8_t sectors, line_sectors; /* that a tag knows of; of a line, bit per sector */
    uint8_t level;
    uint64_t accesses;
    struct policy_access access; /* the one under way */

    const struct request *refused; /* whose episode of refusals is open */
    struct policy_access refused_access;
    enum policy_cause cause;
    enum policy_refusal verdict;
    uint64_t since, last;
};

bool cache_hooks_any(const struct cache_hooks *hooks); /* it has an entry */
/* `hooks` without a single entry is the same as NULL. */
void cache_policy_init(struct cache_policy *p, const struct cache_hooks *hooks, struct tag_array *tags,
                       const struct tag_geometry *geometry, enum policy_level level, uint32_t unit);

/* The set of `block`, from the policy that owns the index, else from the tag array. `set_address` as for tag_array_set. */
uint32_t cache_policy_set(struct cache_policy *p, struct request *r, uint64_t block, uint64_t set_address, uint64_t now);

/* Below: only with hooks. */
void cache_policy_begin(struct cache_policy *p, struct request *r, uint64_t block, uint64_t set_address, uint32_t set,
                        uint64_t now);
/* before_lookup, once per request; the answers stay in the request. */
void cache_policy_ask(struct cache_policy *p, struct request *r);
/* The access was taken: ends its episode of refusals, tells accessed, promoted and every_accesses. `line` may be TAG_NO_LINE. */
void cache_policy_taken(struct cache_policy *p, const struct request *r, enum policy_outcome outcome, uint32_t line, uint64_t now);
/* True when the replacement sends the access around the cache rather than give up one of the set's lines. Never while a way is
 * free. */
bool cache_policy_declines(struct cache_policy *p, uint32_t set);
static inline enum policy_cause cache_policy_cause(enum cache_outcome refusal)
{
    return (enum policy_cause)(CAUSE_MSHR_ENTRY + (refusal - CACHE_REFUSED_MSHR_ENTRY));
}
/* The access was refused: opens an episode, or goes on with it. The verdict of an episode holds until it ends. */
enum policy_refusal cache_policy_refused(struct cache_policy *p, const struct request *r, enum cache_outcome cause, uint64_t now);
/* The access under way uses this line, and yet goes around the cache: a store through an L1.5. */
void cache_policy_used(struct cache_policy *p, uint32_t line);
void cache_policy_inserted(struct cache_policy *p, uint32_t line);
void cache_policy_filled(struct cache_policy *p, uint32_t line);
/* A line that holds data is about to go. `by_access`: the access under way needs its place. */
void cache_policy_evicted(struct cache_policy *p, uint32_t line, enum policy_eviction reason, bool by_access, uint64_t now);
/* Extra cycles of a hit on this line, from the policy that owns line storage. */
uint32_t cache_policy_hit_cycles(struct cache_policy *p, uint32_t line);
#endif
