/* mshr.c - misses under way, and who waits for each. */
#include "mem/mshr.h"

#include <assert.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/near.h"

struct mshr *mshr_new(uint32_t entries, uint32_t merges)
{
    struct mshr *m = near_calloc(1, sizeof *m);
    uint32_t bits = 2;
    while ((1u << bits) < 4 * entries)
        bits++;
    m->entries = entries;
    m->merges = merges;
    m->entry = near_calloc(entries, sizeof *m->entry);
    m->far_places = merges > MSHR_NEAR ? merges - MSHR_NEAR : 0;
    m->far = near_calloc((unsigned long)entries * m->far_places, sizeof *m->far);
    m->free = near_calloc(entries, sizeof *m->free);
    m->slot = near_calloc(1ul << bits, sizeof *m->slot);
    m->slot_mask = (1u << bits) - 1;
    m->slot_shift = 32 - bits;
    m->sector_shift = m->slot_shift + 1 - 5; /* every second slot, from bits 5 and 6 of the address */
    m->ready_first = m->ready_last = MSHR_NONE;
    for (uint32_t i = 0; i < entries; i++)
        m->free[i] = entries - 1 - i;
    return m;
}

void mshr_free(struct mshr *m)
{
    if (!m)
        return;
    near_free(m->entry);
    near_free(m->far);
    near_free(m->free);
    near_free(m->slot);
    near_free(m);
}

uint32_t mshr_add(struct mshr *m, uint64_t block, struct request *primary)
{
    require(!mshr_full(m));
    const uint32_t number = m->free[m->entries - 1 - m->in_use++], hash = mshr_hash(m, block);
    uint32_t s = hash >> m->slot_shift;
    while (m->slot[s].number)
        s = (s + 1) & m->slot_mask;
    m->slot[s] = (struct mshr_slot){ .hash = hash, .number = number + 1 };
    m->entry[number] = (struct mshr_entry){
        .block = block, .next_ready = MSHR_NONE, .near = { primary }, .count = 1, .atomic = primary->kind == REQUEST_ATOMIC
    };
    return number;
}

void mshr_merge(struct mshr *m, uint32_t entry, struct request *r)
{
    struct mshr_entry *e = &m->entry[entry];
    assert(e->count < m->merges);
    const uint32_t at = e->first + e->count++;
    *mshr_place(m, entry, at >= m->merges ? at - m->merges : at) = r;
    e->atomic |= r->kind == REQUEST_ATOMIC;
}

void mshr_mark_ready(struct mshr *m, uint32_t entry)
{
    require(!m->entry[entry].ready);
    m->entry[entry].ready = true;
    if (m->ready_first == MSHR_NONE)
        m->ready_first = entry;
    else
        m->entry[m->ready_last].next_ready = entry;
    m->ready_last = entry;
}

/* Closes the gap: later members of the run that may move forward do. */
static __attribute__((noinline)) void close_gap(struct mshr *m, uint32_t hole)
{
    for (uint32_t i = (hole + 1) & m->slot_mask; m->slot[i].number; i = (i + 1) & m->slot_mask) {
        const uint32_t home = m->slot[i].hash >> m->slot_shift;
        if (((i - home) & m->slot_mask) >= ((i - hole) & m->slot_mask)) {
            m->slot[hole] = m->slot[i];
            hole = i;
        }
    }
    m->slot[hole].number = 0;
}

static inline void release(struct mshr *m, uint32_t number)
{
    struct mshr_slot *slot = m->slot;
    const uint32_t mask = m->slot_mask;
    uint32_t s = mshr_hash(m, m->entry[number].block) >> m->slot_shift;
    while (slot[s].number != number + 1)
        s = (s + 1) & mask;
    slot[s].number = 0;
    if (slot[(s + 1) & mask].number)
        close_gap(m, s);
    m->free[m->entries - m->in_use--] = number;
}

void mshr_arrived(struct mshr *m, uint32_t number)
{
    struct mshr_entry *e = &m->entry[number];
    uint32_t stay = 0;
    require(e->first == 0); /* nobody was served yet */
    for (uint32_t i = 0; i < e->count; i++) {
        struct request *r = *mshr_place(m, number, i);
        if (--r->fetches == 0)
            *mshr_place(m, number, stay++) = r;
    }
    e->count = stay;
    if (stay)
        mshr_mark_ready(m, number);
    else
        release(m, number);
}

struct request *mshr_pop_ready(struct mshr *m)
{
    if (m->ready_first == MSHR_NONE)
        return NULL;
    const uint32_t number = m->ready_first;
    struct mshr_entry *e = &m->entry[number];
    struct request *r = mshr_primary(m, number);
    e->first = e->first + 1 == m->merges ? 0 : e->first + 1;
    if (--e->count == 0) {
        m->ready_first = e->next_ready;
        release(m, number);
    }
    return r;
}
