/* cache_policy.c - the caches' side of the policy hooks: builds what a policy is shown, asks it, keeps its answer while an
 * access is retried. */
#include "mem/cache_policy.h"

_Static_assert(CAUSE_MSHR_MERGE - CAUSE_MSHR_ENTRY == CACHE_REFUSED_MSHR_MERGE - CACHE_REFUSED_MSHR_ENTRY &&
                   CAUSE_LINE_ALLOC - CAUSE_MSHR_ENTRY == CACHE_REFUSED_LINE_ALLOC - CACHE_REFUSED_MSHR_ENTRY &&
                   CAUSE_MISS_QUEUE - CAUSE_MSHR_ENTRY == CACHE_REFUSED_MISS_QUEUE - CACHE_REFUSED_MSHR_ENTRY &&
                   CAUSE_POLICY - CAUSE_MSHR_ENTRY == CACHE_REFUSED_POLICY - CACHE_REFUSED_MSHR_ENTRY &&
                   CAUSE_NETWORK - CAUSE_MSHR_ENTRY == CACHE_REFUSED_NETWORK - CACHE_REFUSED_MSHR_ENTRY,
               "same order");

bool cache_hooks_any(const struct cache_hooks *h)
{
    return h && (h->before_lookup.count || h->serve.count || h->may_miss.count || h->accessed.count || h->refused.count ||
                 h->refused_end.count || h->filled.count || h->evicted.count || h->flushed.count || h->every_accesses.count ||
                 h->set_index.call || h->replacement.call.victim || h->storage.call.tags_per_set);
}

static uint32_t choose_victim(void *context, uint32_t set, const uint64_t *candidates)
{
    struct cache_policy *p = context;
    (void)set;
    const uint32_t way = p->hooks->replacement.call.victim(p->hooks->replacement.self, &p->access, candidates);
    if (seldom(way >= p->ways || !(candidates[way / 64] >> way % 64 & 1)))
        hooks_wrong_answer(p->hooks->replacement.self, "victim", "answered way %u, which is none of the candidates (of %u ways)",
                           way, p->ways);
    return way;
}

void cache_policy_init(struct cache_policy *p, const struct cache_hooks *hooks, struct tag_array *tags,
                       const struct tag_geometry *geometry, enum policy_level level, uint32_t unit)
{
    *p = (struct cache_policy){ .hooks = cache_hooks_any(hooks) ? hooks : NULL,
                                .tags = tags,
                                .unit = unit,
                                .ways = geometry->ways,
                                .sets = geometry->sets,
                                .line_bytes = geometry->line_bytes,
                                .sectors = (uint8_t)geometry->sectors,
                                .line_sectors = (uint8_t)((1u << geometry->line_bytes / SECTOR_BYTES) - 1),
                                .level = (uint8_t)level };
    const bool owned = p->hooks && p->hooks->replacement.call.victim;
    tag_array_set_victim(tags, owned ? choose_victim : NULL, p);
}

static void describe(struct cache_policy *p, struct request *r, uint64_t block, uint64_t set_address, uint64_t now)
{
    p->access = (struct policy_access){ .address = block,
                                        .cycle = now,
                                        .pc = r->pc,
                                        .line = set_address / p->line_bytes,
                                        .request = r,
                                        .unit = p->unit,
                                        .lanes = r->lanes,
                                        .cta = r->cta,
                                        .sm = r->sm,
                                        .warp = r->warp,
                                        .level = p->level,
                                        .kind = r->kind,
                                        .sectors = r->sectors,
                                        .bytes = { r->mask.word[0], r->mask.word[1] },
                                        .transactions = r->transactions,
                                        .write = r->write,
                                        .atomic = r->kind == REQUEST_ATOMIC,
                                        .local = r->kind == REQUEST_LOCAL_READ || r->kind == REQUEST_LOCAL_WRITE };
}

uint32_t cache_policy_set(struct cache_policy *p, struct request *r, uint64_t block, uint64_t set_address, uint64_t now)
{
    if (!seldom(p->hooks) || !p->hooks->set_index.call)
        return tag_array_set(p->tags, set_address);
    describe(p, r, block, set_address, now);
    const uint32_t set = p->hooks->set_index.call(p->hooks->set_index.self, &p->access);
    if (seldom(set >= p->sets))
        hooks_wrong_answer(p->hooks->set_index.self, "set_index", "answered set %u of %u", set, p->sets);
    return set;
}

void cache_policy_begin(struct cache_policy *p, struct request *r, uint64_t block, uint64_t set_address, uint32_t set, uint64_t now)
{
    describe(p, r, block, set_address, now);
    p->access.set = set;
}

void cache_policy_ask(struct cache_policy *p, struct request *r)
{
    const uint8_t level_bit = (uint8_t)(1u << p->level);
    if (!p->hooks->before_lookup.count || (r->asked & level_bit))
        return;
    r->asked |= level_bit;
    bool *const bypass = p->level == LEVEL_L1 ? &r->bypass_l1 : p->level == LEVEL_L15 ? &r->bypass_l15 : &r->bypass_l2;
    bool *const no_allocate = p->level == LEVEL_L1    ? &r->no_allocate_l1
                              : p->level == LEVEL_L15 ? &r->no_allocate_l15
                                                      : &r->no_allocate_l2;
    struct policy_lookup answer = { .bypass = *bypass, .no_allocate = *no_allocate, .fill_bytes = p->line_bytes };
    hooks_before_lookup(p->hooks, &p->access, &answer);
    *bypass = answer.bypass;
    *no_allocate = answer.no_allocate;
    if (p->level == LEVEL_L1)
        r->fill_bytes = answer.fill_bytes < p->line_bytes ? (uint8_t)answer.fill_bytes : 0;
}

bool cache_policy_declines(struct cache_policy *p, uint32_t set)
{
    bool (*declines)(struct policy_self *, const struct policy_access *, const uint64_t *) = p->hooks->replacement.call.declines;
    if (!declines)
        return false;
    const uint64_t *candidates = tag_array_candidates(p->tags, set, p->hooks->storage.call.tags_per_set != NULL);
    return candidates && declines(p->hooks->replacement.self, &p->access, candidates);
}

static void end_episode(struct cache_policy *p)
{
    if (!p->refused)
        return;
    p->refused = NULL;
    if (p->hooks->refused_end.count)
        hooks_refused_end(p->hooks, &p->refused_access, p->cause, p->last - p->since + 1);
}

static uint32_t way_of(const struct cache_policy *p, uint32_t line)
{
    return line == TAG_NO_LINE ? NO_WAY : line % p->ways;
}

void cache_policy_used(struct cache_policy *p, uint32_t line)
{
    const struct cache_hooks *h = p->hooks;
    if (h->replacement.call.victim)
        h->replacement.call.promoted(h->replacement.self, &p->access, way_of(p, line), false);
}

void cache_policy_taken(struct cache_policy *p, const struct request *r, enum policy_outcome outcome, uint32_t line, uint64_t now)
{
    const struct cache_hooks *h = p->hooks;
    if (p->refused == r)
        p->last = now - 1; /* it was refused in every cycle until now */
    end_episode(p);        /* another request's episode: that one was handed back, and this one is tried instead */
    const uint32_t way = way_of(p, line);
    const bool hit = outcome == OUTCOME_HIT || outcome == OUTCOME_WRITE_HIT;
    if (h->replacement.call.victim && (hit || outcome == OUTCOME_MERGED) && way != NO_WAY)
        h->replacement.call.promoted(h->replacement.self, &p->access, way, outcome == OUTCOME_MERGED);
    if (h->accessed.count)
        hooks_accessed(h, &p->access, outcome, way);
    p->accesses++;
    if (h->every_accesses.count)
        hooks_every_accesses(h, p->level, p->unit, p->accesses);
}

enum policy_refusal cache_policy_refused(struct cache_policy *p, const struct request *r, enum cache_outcome outcome, uint64_t now)
{
    const enum policy_cause cause = cache_policy_cause(outcome);
    if (p->refused == r && p->cause == cause) {
        p->last = now;
        return p->verdict;
    }
    if (p->refused == r)
        p->last = now - 1;
    end_episode(p);
    p->refused = r;
    p->refused_access = p->access;
    p->cause = cause;
    p->since = p->last = now;
    p->verdict = p->hooks->refused.count ? hooks_refused(p->hooks, &p->access, cause) : REFUSAL_WAIT;
    return p->verdict;
}

void cache_policy_inserted(struct cache_policy *p, uint32_t line)
{
    if (p->hooks->replacement.call.victim)
        p->hooks->replacement.call.inserted(p->hooks->replacement.self, &p->access, way_of(p, line));
}

void cache_policy_filled(struct cache_policy *p, uint32_t line)
{
    if (p->hooks->filled.count)
        hooks_filled(p->hooks, &p->access, way_of(p, line));
}

void cache_policy_evicted(struct cache_policy *p, uint32_t line, enum policy_eviction reason, bool by_access, uint64_t now)
{
    const struct cache_hooks *h = p->hooks;
    if (!h->evicted.count && !h->replacement.call.victim)
        return;
    const struct tag_line *l = tag_array_line(p->tags, line);
    const struct policy_evicted e = { .address = tag_array_address(p->tags, line),
                                      .line = l->policy_line,
                                      .cycle = now,
                                      .unit = p->unit,
                                      .set = line / p->ways,
                                      .way = line % p->ways,
                                      .level = p->level,
                                      .reason = (uint8_t)reason,
                                      .sectors_used = l->used,
                                      .sectors_held = (uint8_t)(p->sectors > 1 ? l->valid | l->modified | l->reserved
                                                                               : p->line_sectors & ~l->absent),
                                      .dirty = l->modified != 0,
                                      .by = by_access ? &p->access : NULL };
    if (h->replacement.call.victim)
        h->replacement.call.removed(h->replacement.self, &e);
    if (h->evicted.count)
        hooks_evicted(h, &e);
}

uint32_t cache_policy_hit_cycles(struct cache_policy *p, uint32_t line)
{
    return p->hooks->storage.call.hit_cycles
               ? p->hooks->storage.call.hit_cycles(p->hooks->storage.self, &p->access, way_of(p, line))
               : 0;
}
