/* linebacker_victims.c - the victim tag table: where a line is, where one goes, and which partitions may be used. See linebacker.c.
 */
#include "policy/linebacker.h"

struct linebacker_found linebacker_find(struct linebacker_sm *sm, const struct linebacker_shape *s, uint32_t set, uint64_t address)
{
    struct linebacker_found f = { .victim = NULL };
    for (uint32_t rest = sm->phase == OFF ? 0 : partitions_of(sm, s); rest; rest &= rest - 1) {
        f.searched++;
        f.partition = (uint32_t)__builtin_ctz(rest);
        for (f.way = 0; f.way < s->ways; f.way++) {
            struct linebacker_victim *v = victim_at(sm, s, f.partition, set, f.way);
            if (v->valid && v->address == address) {
                f.victim = v;
                return f;
            }
        }
    }
    return f;
}

/* A place for a line: a free one, or else the one used longest ago. */
struct linebacker_found linebacker_place(struct linebacker_sm *sm, const struct linebacker_shape *s, uint32_t set)
{
    struct linebacker_found best = { .victim = NULL };
    for (uint32_t rest = partitions_of(sm, s); rest; rest &= rest - 1)
        for (uint32_t way = 0; way < s->ways; way++) {
            const uint32_t partition = (uint32_t)__builtin_ctz(rest);
            struct linebacker_victim *v = victim_at(sm, s, partition, set, way);
            if (!best.victim || (best.victim->valid && (!v->valid || v->stamp < best.victim->stamp)))
                best = (struct linebacker_found){ v, partition, way, 0 };
        }
    return best;
}

void linebacker_forget(struct linebacker_sm *sm, const struct linebacker_shape *s, uint32_t partitions)
{
    for (; partitions; partitions &= partitions - 1)
        for (uint32_t i = 0; i < lines_of(s); i++)
            sm->victim[(uint32_t)__builtin_ctz(partitions) * lines_of(s) + i].valid = false;
}

/* The first register above all that CTAs have or may get: LRN + 1. */
static uint32_t registers_in_use(const struct policy_self *self, uint32_t id)
{
    const struct linebacker_sm *sm = policy_sm_state(self, id);
    const uint32_t active = active_ctas(sm), to_come = sm->target > active ? sm->target - active : 0;
    uint32_t end = 0, holders = 0;
    for (uint32_t slot = 0; slot < CTAS; slot++) {
        const uint32_t state = sm->cta[slot].state;
        if (state == ABSENT || state == SAVED)
            continue;
        holders++;
        if (state == WAKING)
            continue;
        const struct policy_registers r = self->machine->cta_registers(self->machine->gpu, id, slot);
        end = r.first + r.count > end ? r.first + r.count : end;
    }
    const uint32_t packed = (holders + to_come) * sm->cta_registers;
    return packed > end ? packed : end;
}

/* Opens partitions whose registers are free, if `open`, and closes those whose registers are taken. */
void linebacker_set_partitions(const struct policy_self *self, uint32_t id, bool open, uint64_t cycle)
{
    const struct linebacker_config *c = self->config;
    struct linebacker_sm *sm = policy_sm_state(self, id);
    struct linebacker_counters *count = policy_sm_counters(self, id);
    const struct linebacker_shape s = shape_of(c, self->geometry);
    const uint32_t used = registers_in_use(self, id);
    uint32_t mask = 0;
    for (uint32_t p = 0; p < s.partitions && sm->phase == CACHING; p++)
        mask |= (uint32_t)(register_number(c, &s, p, 0, 0) >= used) << p;
    mask &= open ? UINT32_MAX : sm->active;
    count->space_cycles += (uint64_t)__builtin_popcount(sm->active) * lines_of(&s) * (cycle - sm->active_since);
    count->partitions_opened += (uint64_t)__builtin_popcount(mask & ~sm->active);
    count->partitions_closed += (uint64_t)__builtin_popcount(sm->active & ~mask);
    linebacker_forget(sm, &s, sm->active & ~mask);
    sm->active = mask;
    sm->active_since = cycle;
}

/* True when accesses to lines in closed partitions are still under way. Their registers are not free yet. */
bool linebacker_registers_busy(const struct linebacker_sm *sm)
{
    for (uint32_t p = 0; p < PARTITIONS; p++)
        if (sm->in_flight[p] && !(sm->active >> p & 1))
            return true;
    return false;
}
