/* tag_array.c - the tags of a cache: which line lies where, in which state, and which way is given up next. */
#include "mem/tag_array.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/near.h"
#include "mem/ipoly.h"
#include "mem/tag_state.h"

struct tag_array *tag_array_new(const struct tag_geometry *geometry)
{
    struct tag_array *t = near_calloc(1, sizeof *t);
    const unsigned long lines = (unsigned long)geometry->sets * geometry->ways;
    t->g = *geometry;
    t->lines = geometry->sets * geometry->ways;
    t->spared_below = (uint32_t)((lines * geometry->written_percent + 99) / 100);
    t->line_shift = (uint8_t)__builtin_ctz(geometry->line_bytes);
    t->sets_power_of_two = (geometry->sets & (geometry->sets - 1)) == 0;
    t->way_inverse = lines * geometry->ways <= UINT32_MAX ? (UINT32_MAX + UINT64_C(1) + geometry->ways - 1) / geometry->ways : 0;
    t->block = must_calloc(lines, sizeof *t->block);
    t->age = must_calloc(lines, sizeof *t->age);
    t->line = must_calloc_aligned(lines, sizeof *t->line);
    t->reserved_ways = must_calloc(geometry->sets, sizeof *t->reserved_ways);
    t->stored_bytes = must_calloc(geometry->sets, sizeof *t->stored_bytes);
    t->candidates = must_calloc((geometry->ways + 63) / 64, sizeof *t->candidates);
    for (unsigned long i = 0; i < lines; i++) {
        t->block[i] = NO_BLOCK;
        t->age[i] = UINT64_MAX;
    }
    if (geometry->ways > TAG_SCAN_WAYS)
        t->order = tag_order_new(geometry->sets, geometry->ways);
    t->ordered = t->slow_find = t->order != NULL;
    t->slow_victim = t->ordered || t->spared_below;
    return t;
}

void tag_array_do_otherwise(struct tag_array *t, const struct tag_otherwise *otherwise)
{
    if (!otherwise)
        return;
    t->forget = otherwise->forget;
    t->keeps_written = otherwise->keeps_written;
    t->passes_for_whole = otherwise->passes_for_whole;
}

void tag_array_free(struct tag_array *t)
{
    if (!t)
        return;
    tag_order_free(t->order);
    free(t->block);
    free(t->age);
    free(t->line);
    free(t->reserved_ways);
    free(t->stored_bytes);
    free(t->candidates);
    near_free(t);
}

void tag_array_set_victim(struct tag_array *t, tag_choose_victim *choose, void *context)
{
    t->choose = choose;
    t->choose_context = context;
}

/* Fermi's hash: address bits 11..7 XOR bits 19,17,15,14,13 (most significant first); with 64 sets bit 12 goes on top. From
 * Nugteren et al., HPCA 2014, as the reference has it. Lines of less than 128 bytes share the set of their 128 bytes, so that line
 * sizes can be compared without changing what else is in a set. */
static uint32_t fermi_hash(const struct tag_array *t, uint64_t address)
{
    const uint64_t low = address >> 7 & 0x1F;
    const uint64_t high = (address >> 13 & 7) | (address >> 17 & 1) << 3 | (address >> 19 & 1) << 4;
    const uint64_t top = t->g.sets == 64 ? (address >> 12 & 1) << 5 : 0;
    return (uint32_t)((low ^ high) | top);
}

static uint32_t hashed_set(const struct tag_array *t, uint64_t set_address)
{
    const uint64_t number = set_address >> t->line_shift;
    if (t->g.index == SET_INDEX_FERMI_HASH)
        return fermi_hash(t, set_address);
    if (t->g.index == SET_INDEX_IPOLY)
        return ipoly_hash(number, t->g.sets);
    return (uint32_t)((t->g.index == SET_INDEX_XOR ? number ^ number / t->g.sets : number) & (t->g.sets - 1)); /* or masked */
}

uint32_t tag_array_set(const struct tag_array *t, uint64_t set_address)
{
    if (t->g.index != SET_INDEX_LINEAR)
        return hashed_set(t, set_address);
    const uint64_t number = set_address >> t->line_shift;
    return (uint32_t)(t->sets_power_of_two ? number & (t->g.sets - 1) : number % t->g.sets);
}

__attribute__((noinline)) static uint32_t find_slowly(const struct tag_array *t, uint32_t set, uint64_t block)
{
    if (t->ordered)
        return tag_order_find(t->order, t->block, block);
    for (uint32_t i = set * t->g.ways; i < (set + 1) * t->g.ways; i++)
        if (t->block[i] == block)
            return i;
    return TAG_NO_LINE;
}

uint32_t tag_array_find(const struct tag_array *t, uint32_t set, uint64_t block)
{
    if (t->slow_find)
        return find_slowly(t, set, block);
    const uint32_t first = set * t->g.ways;
    if (t->g.sectors > 1 && t->last - first < t->g.ways && t->block[t->last] == block)
        return t->last;
    /* Looks at all ways without leaving the loop early: no host can predict which of them it is. */
    const uint64_t *tag = t->block + first;
    uint32_t way = TAG_NO_LINE;
    for (uint32_t i = 0; i < t->g.ways; i++)
        way = tag[i] == block ? i : way;
    return way == TAG_NO_LINE ? TAG_NO_LINE : first + way;
}

/* Written lines stay while they are few. */
static inline bool spares(const struct tag_array *t)
{
    return seldom(t->written < t->spared_below);
}

static uint32_t oldest_way(const struct tag_array *t, uint32_t set)
{
    uint32_t oldest = TAG_NO_LINE;
    uint64_t oldest_time = UINT64_MAX;
    for (uint32_t i = set * t->g.ways; i < (set + 1) * t->g.ways; i++) {
        const uint64_t age = t->age[i];
        oldest = age < oldest_time ? i : oldest;
        oldest_time = age < oldest_time ? age : oldest_time;
    }
    return oldest;
}

static uint32_t oldest_unwritten_way(const struct tag_array *t, uint32_t set)
{
    uint32_t oldest = TAG_NO_LINE;
    for (uint32_t i = set * t->g.ways; i < (set + 1) * t->g.ways; i++)
        if (!t->line[i].modified && t->age[i] != UINT64_MAX && (oldest == TAG_NO_LINE || t->age[i] < t->age[oldest]))
            oldest = i;
    return oldest;
}

/* A cache with several banks uses more than one line in a cycle. Of those the first way counts as oldest, as where ways are
 * scanned: the list has them in the order of use. */
static uint32_t oldest_of_list(const struct tag_array *t, uint32_t set, uint32_t list)
{
    uint32_t line = tag_order_oldest(t->order, set, list);
    while (line != TAG_NO_LINE && t->line[line].reserved)
        line = tag_order_newer(t->order, line);
    if (line == TAG_NO_LINE)
        return line;
    const uint64_t time = replacement_time(t, line);
    uint32_t first = line;
    for (uint32_t i = tag_order_newer(t->order, line); i != TAG_NO_LINE && replacement_time(t, i) == time;
         i = tag_order_newer(t->order, i))
        if (i < first && !t->line[i].reserved)
            first = i;
    return first;
}

/* Written lines that may be spared are in the second list. */
static uint32_t oldest_of_both(const struct tag_array *t, uint32_t set)
{
    const uint32_t line = oldest_of_list(t, set, 0);
    if (!seldom(t->spared_below))
        return line;
    const uint32_t written = oldest_of_list(t, set, 1);
    if (line == TAG_NO_LINE || written == TAG_NO_LINE)
        return line == TAG_NO_LINE ? written : line;
    const uint64_t a = replacement_time(t, line), b = replacement_time(t, written);
    return b < a || (a == b && written < line) ? written : line;
}

/* A set that has nothing but written lines gives one of them up: nothing would ever make room in it. */
__attribute__((noinline)) static uint32_t choose_slowly(const struct tag_array *t, uint32_t set)
{
    if (spares(t)) {
        const uint32_t line = t->ordered ? oldest_of_list(t, set, 0) : oldest_unwritten_way(t, set);
        if (line != TAG_NO_LINE || t->reserved_ways[set])
            return line;
    }
    return t->ordered ? oldest_of_both(t, set) : oldest_way(t, set);
}

static uint32_t own_victim(const struct tag_array *t, uint32_t set)
{
    return t->slow_victim ? choose_slowly(t, set) : oldest_way(t, set);
}

static uint32_t free_line(const struct tag_array *t, uint32_t set)
{
    if (t->ordered)
        return tag_order_peek_free(t->order, set);
    if (t->occupied < t->lines)
        for (uint32_t i = (set + 1) * t->g.ways; i-- > set * t->g.ways;)
            if (t->block[i] == NO_BLOCK)
                return i;
    return TAG_NO_LINE;
}

bool tag_array_has_room(const struct tag_array *t, uint32_t set)
{
    return t->reserved_ways[set] != t->g.ways &&
           (!spares(t) || free_line(t, set) != TAG_NO_LINE || own_victim(t, set) != TAG_NO_LINE);
}

struct tag_probe tag_array_probe(const struct tag_array *t, uint32_t set, uint64_t block, uint32_t sector, bool write)
{
    const uint32_t found = tag_array_find(t, set, block);
    if (found == TAG_NO_LINE)
        return (struct tag_probe){ t->reserved_ways[set] == t->g.ways ? TAG_ALL_RESERVED : TAG_MISS, TAG_NO_LINE };
    const struct tag_line *line = &t->line[found];
    const uint8_t bit = (uint8_t)(1u << sector);
    if (line->reserved & bit)
        return (struct tag_probe){ TAG_HIT_RESERVED, found };
    if ((line->valid & bit) || ((line->modified & bit) && (write || !(line->unreadable & bit))))
        return (struct tag_probe){ TAG_HIT, found };
    return (struct tag_probe){ TAG_SECTOR_MISS, found };
}

/* The ways without a fill on its way that are not spared; false: there is none. */
static bool collect_candidates(struct tag_array *t, uint32_t set)
{
    const uint32_t first = set * t->g.ways;
    const bool spared = spares(t) && (t->reserved_ways[set] || oldest_unwritten_way(t, set) != TAG_NO_LINE);
    for (uint32_t w = 0; w < t->g.ways; w += 64)
        t->candidates[w / 64] = 0;
    bool some = false;
    for (uint32_t w = 0; w < t->g.ways; w++)
        if (!t->line[first + w].reserved && t->block[first + w] != NO_BLOCK && !(spared && t->line[first + w].modified)) {
            t->candidates[w / 64] |= UINT64_C(1) << w % 64;
            some = true;
        }
    return some;
}

static uint32_t hooked_victim(struct tag_array *t, uint32_t set)
{
    if (!collect_candidates(t, set))
        return TAG_NO_LINE;
    const uint32_t way = t->choose(t->choose_context, set, t->candidates);
    require(way < t->g.ways && (t->candidates[way / 64] >> way % 64 & 1));
    return set * t->g.ways + way;
}

const uint64_t *tag_array_candidates(struct tag_array *t, uint32_t set, bool anyway)
{
    if (!anyway && free_line(t, set) != TAG_NO_LINE)
        return NULL;
    (void)collect_candidates(t, set);
    return t->candidates;
}

uint32_t tag_array_victim(struct tag_array *t, uint32_t set)
{
    const uint32_t line = free_line(t, set);
    return line != TAG_NO_LINE ? line : tag_array_victim_held(t, set);
}

uint32_t tag_array_victim_held(struct tag_array *t, uint32_t set)
{
    return t->choose ? hooked_victim(t, set) : own_victim(t, set);
}

static void set_age(struct tag_array *t, uint32_t i)
{
    const struct tag_line *line = &t->line[i];
    t->age[i] = line->reserved ? UINT64_MAX : replacement_time(t, i);
}

static void set_reserved(struct tag_array *t, uint32_t line, uint8_t reserved)
{
    const uint32_t set = set_of(t, line);
    t->reserved_ways[set] += (uint32_t)(reserved != 0) - (uint32_t)(t->line[line].reserved != 0);
    t->line[line].reserved = reserved;
    set_age(t, line);
}

/* After a line's modified sectors have changed: is it a written one or no longer? */
static __attribute__((noinline)) void count_written(struct tag_array *t, uint32_t line)
{
    const bool now = t->line[line].modified != 0;
    if (now == t->line[line].counted)
        return;
    t->line[line].counted = now;
    t->written += now ? 1 : UINT32_MAX;
    if (!t->ordered)
        return;
    uint32_t older = tag_order_newest(t->order, set_of(t, line), now);
    while (older != TAG_NO_LINE && replacement_time(t, older) > replacement_time(t, line))
        older = tag_order_older(t->order, older);
    tag_order_move(t->order, line, now, older);
}

static void drop_line(struct tag_array *t, uint32_t line)
{
    if (t->block[line] == NO_BLOCK)
        return;
    set_reserved(t, line, 0);
    if (seldom(t->spared_below))
        t->written -= t->line[line].counted;
    t->stored_bytes[set_of(t, line)] -= t->line[line].stored_bytes;
    if (t->ordered)
        tag_order_remove(t->order, t->block, line);
    if (seldom(t->forget))
        t->forget(t, line);
    else
        t->line[line] = (struct tag_line){ 0 };
    t->block[line] = NO_BLOCK;
    t->age[line] = UINT64_MAX;
    t->occupied--;
}

static struct tag_evicted describe(const struct tag_array *t, uint32_t i)
{
    const struct tag_line *line = &t->line[i];
    if (t->block[i] == NO_BLOCK)
        return (struct tag_evicted){ 0 };
    const uint32_t sector_bytes = t->g.line_bytes / t->g.sectors;
    return (struct tag_evicted){ .address = t->block[i],
                                 .valid = true,
                                 .dirty = line->modified != 0,
                                 .dirty_sectors = line->modified,
                                 .dirty_bytes = (uint32_t)__builtin_popcount(line->modified) * sector_bytes,
                                 .written = line->written };
}

struct tag_evicted tag_array_allocate(struct tag_array *t, uint32_t line, uint64_t block, uint32_t sector, uint64_t time)
{
    const struct tag_evicted evicted = describe(t, line);
    const struct byte_mask written = t->line[line].written;
    drop_line(t, line);
    t->occupied++;
    t->last = line;
    t->block[line] = block;
    t->line[line] = (struct tag_line){ .last_access = time, .allocated = time };
    if (seldom(t->keeps_written))
        t->line[line].written = written;
    set_reserved(t, line, (uint8_t)(1u << sector));
    if (t->ordered)
        tag_order_insert(t->order, t->block, line);
    return evicted;
}

void tag_array_put_whole(struct tag_array *t, uint32_t line, uint64_t block, uint64_t first, uint64_t last)
{
    (void)tag_array_allocate(t, line, block, 0, first);
    set_reserved(t, line, 0);
    t->line[line].valid = (uint8_t)((1u << t->g.sectors) - 1);
    tag_array_touch(t, line, last);
}

void tag_array_touch(struct tag_array *t, uint32_t line, uint64_t time)
{
    t->last = line;
    t->line[line].last_access = time;
    set_age(t, line);
    if (t->ordered && t->g.replacement == REPLACEMENT_LRU)
        tag_order_touch(t->order, line);
}

static __attribute__((noinline)) void touch_and_count(struct tag_array *t, uint32_t line, uint64_t time)
{
    tag_array_touch(t, line, time);
    count_written(t, line);
}

void tag_array_allocate_sector(struct tag_array *t, uint32_t i, uint32_t sector, uint64_t time)
{
    struct tag_line *line = &t->line[i];
    const uint8_t bit = (uint8_t)(1u << sector), rest = (uint8_t)~bit;
    line->modified_on_fill = (uint8_t)((line->modified_on_fill & rest) | (line->modified & bit));
    line->readable_on_fill &= rest;
    line->unreadable &= rest;
    line->valid &= rest;
    line->modified &= rest;
    set_reserved(t, i, line->reserved | bit);
    if (seldom(line->counted)) { /* two calls that nothing follows: the usual one then costs no saved registers */
        touch_and_count(t, i, time);
        return;
    }
    tag_array_touch(t, i, time);
}

void tag_array_fill(struct tag_array *t, uint32_t i, uint32_t sector, const struct byte_mask *bytes)
{
    struct tag_line *line = &t->line[i];
    const uint8_t bit = (uint8_t)(1u << sector), rest = (uint8_t)~bit;
    set_reserved(t, i, line->reserved & rest);
    line->valid &= rest;
    line->modified &= rest;
    if (line->modified_on_fill & bit)
        line->modified |= bit;
    else
        line->valid |= bit;
    if (line->readable_on_fill & bit)
        line->unreadable &= rest;
    line->readable_on_fill &= rest;
    if (line->written_on_fill && bytes) {
        line->written.word[0] |= bytes->word[0];
        line->written.word[1] |= bytes->word[1];
    }
    if (seldom(t->spared_below))
        count_written(t, i);
}

struct tag_evicted tag_array_drop(struct tag_array *t, uint32_t line)
{
    const struct tag_evicted evicted = describe(t, line);
    drop_line(t, line);
    return evicted;
}

void tag_array_dirty(struct tag_array *t, uint32_t i, uint32_t sector, const struct byte_mask *bytes)
{
    struct tag_line *line = &t->line[i];
    const uint8_t bit = (uint8_t)(1u << sector), rest = (uint8_t)~bit;
    set_reserved(t, i, line->reserved & rest);
    line->valid &= rest;
    line->modified |= bit;
    line->written.word[0] |= bytes->word[0];
    line->written.word[1] |= bytes->word[1];
    if (seldom(t->spared_below))
        count_written(t, i);
}

/* In a line of one sector no load finds a part missing, since such caches do not take stores that miss. */
static bool wholly_written(const struct tag_array *t, uint32_t i, uint32_t sector)
{
    return t->g.sectors == 1 || byte_mask_sector(&t->line[i].written, sector) == UINT32_MAX;
}

void tag_array_modify(struct tag_array *t, uint32_t line, uint32_t sector, const struct byte_mask *bytes)
{
    tag_array_dirty(t, line, sector, bytes);
    if (wholly_written(t, line, sector))
        t->line[line].unreadable &= (uint8_t) ~(1u << sector);
}

void tag_array_modify_unfetched(struct tag_array *t, uint32_t i, uint32_t sector, const struct byte_mask *bytes, bool fill_coming)
{
    struct tag_line *line = &t->line[i];
    const uint8_t bit = (uint8_t)(1u << sector), rest = (uint8_t)~bit;
    tag_array_dirty(t, i, sector, bytes);
    const bool whole = wholly_written(t, i, sector) || (seldom(t->passes_for_whole) && t->passes_for_whole(t, bytes));
    line->unreadable = (uint8_t)((line->unreadable & rest) | (whole ? 0 : bit));
    if (fill_coming) {
        line->modified_on_fill |= bit;
        line->written_on_fill = true;
        if (!whole)
            line->readable_on_fill |= bit;
    }
}

void tag_array_invalidate_sector(struct tag_array *t, uint32_t i, uint32_t sector)
{
    struct tag_line *line = &t->line[i];
    const uint8_t rest = (uint8_t) ~(1u << sector);
    set_reserved(t, i, line->reserved & rest);
    line->valid &= rest;
    line->modified &= rest;
    if (seldom(t->spared_below))
        count_written(t, i);
    if (!(line->valid | line->reserved | line->modified))
        drop_line(t, i);
}

void tag_array_invalidate(struct tag_array *t)
{
    if (!t->occupied)
        return;
    for (uint32_t i = 0; i < t->g.sets * t->g.ways; i++)
        drop_line(t, i);
}

bool tag_array_holds(const struct tag_array *t, uint32_t line)
{
    return t->block[line] != NO_BLOCK;
}

struct tag_line *tag_array_line(struct tag_array *t, uint32_t line)
{
    return &t->line[line];
}

uint64_t tag_array_address(const struct tag_array *t, uint32_t line)
{
    return t->block[line];
}

void tag_array_set_stored(struct tag_array *t, uint32_t line, uint32_t bytes)
{
    t->stored_bytes[set_of(t, line)] += bytes - t->line[line].stored_bytes;
    t->line[line].stored_bytes = (uint16_t)bytes;
}

uint32_t tag_array_stored(const struct tag_array *t, uint32_t set)
{
    return t->stored_bytes[set];
}

uint32_t tag_array_stored_reserved(const struct tag_array *t, uint32_t set)
{
    uint32_t bytes = 0;
    for (uint32_t i = set * t->g.ways; i < (set + 1) * t->g.ways; i++)
        bytes += t->line[i].reserved ? t->line[i].stored_bytes : 0;
    return bytes;
}

uint32_t tag_array_occupied(const struct tag_array *t)
{
    return t->occupied;
}
