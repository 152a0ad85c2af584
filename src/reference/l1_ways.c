/* l1_ways.c - an L1 whose fills go to the way that the miss took, whatever that way holds by then (reference.l1_blind_fills). A
 * load that joins a miss after its line has gone reserves a line that nobody fills. The next load of that line finds it reserved
 * with no fetch under way, and fetches it. Bytes written to a way's line also count for its next line. An L1 that was not used
 * since it was emptied is not emptied again, so that data which arrive late at an idle SM stay. With sectors all of this is true of
 * a sector, but for the written bytes: those are forgotten with the line. */
#include "mem/l1_state.h"
#include "reference/reference.h"

static void joined(struct l1 *l1, struct mshr_entry *e, uint32_t line)
{
    (void)l1, (void)e, (void)line; /* the data go to the old line, or already went there */
}

static struct l1_answer refetch(struct l1 *l1, struct request *r, uint64_t block, uint32_t line)
{
    tag_array_touch(l1->tags, line, l1->now);
    tag_array_line(l1->tags, line)->used |= r->sectors;
    l1->count.refetches++;
    return l1_send_miss(l1, r, block, line, l1->all_sectors, CACHE_MERGED);
}

/* An emptied way holds its old line again, although policies were told that the line has gone. */
static void tell_revived(struct l1 *l1, struct request *r, uint32_t line)
{
    if (!l1->policy.hooks)
        return;
    const uint64_t block = tag_array_address(l1->tags, line);
    cache_policy_begin(&l1->policy, r, block, block, line / l1->geometry.ways, l1->now);
    cache_policy_inserted(&l1->policy, line);
    l1_tell_filled(l1, r, block, line);
}

static void fill(struct l1 *l1, struct request *r, uint64_t block, uint32_t line)
{
    const bool there = tag_array_address(l1->tags, line) == block, empty = !tag_array_holds(l1->tags, line);
    reference_fill_way(l1->tags, line, l1->config.sectored ? (uint32_t)(r->address - block) / SECTOR_BYTES : 0, NULL);
    if (empty)
        tell_revived(l1, r, line);
    else if (there)
        l1_tell_filled(l1, r, block, line);
}

static bool keeps(struct l1 *l1)
{
    const struct l1_counters *c = &l1->count;
    const uint32_t stores = l1->config.stores;
    uint64_t used = c->hits + c->merged + c->misses;
    if (stores == L1_STORES_STAY)
        used += c->writes - c->write_bypassed;
    else if (stores != L1_STORES_EVICT_ALL)
        used += c->local_write_hits;
    used += stores == L1_STORES_THROUGH || stores == L1_STORES_BACK ? c->global_write_hits : 0;
    const bool unused = used == l1->used_before;
    l1->used_before = used;
    return unused;
}

void reference_place_writeback(const struct address_map_config *map, struct request *r)
{
    const uint16_t slice = r->slice;
    address_map_place(map, r);
    r->slice = slice;
}

struct l1_otherwise reference_l1_ways(const struct reference_config *config, bool sectored)
{
    static const struct tag_otherwise lines = { .forget = reference_forget, .keeps_written = true };
    static const struct tag_otherwise sectors = { .forget = reference_forget };
    if (!config->l1_blind_fills)
        return (struct l1_otherwise){ 0 };
    return (struct l1_otherwise){
        .tags = sectored ? &sectors : &lines, .joined = joined, .fill = fill, .refetch = refetch, .keeps = keeps
    };
}
