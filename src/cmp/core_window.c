/* core_window.c - the window of a core: who waits for whom, when instructions issue, complete and retire. */
#include "cmp/core_state.h"

static struct entry *entry_of(struct core *c, waiter w)
{
    return &c->rob[(w - 1) / 4];
}

/* The first cycle from `cycle` on in which an instruction may still issue. */
static uint64_t issue_slot(struct core *c, uint64_t cycle)
{
    for (;; cycle++) {
        uint32_t *slot = &c->issued[cycle % ISSUE_RING];
        const uint32_t stamp = (uint32_t)cycle << 5;
        if ((*slot & ~31u) != stamp)
            *slot = stamp;
        if ((*slot & 31) < c->config.width) {
            ++*slot;
            return cycle;
        }
    }
}

static void complete(struct core *c, struct entry *e);

/* All sources are known: it issues, and its loads look for their lines. */
static void start(struct core *c, struct entry *e)
{
    const uint64_t issue = issue_slot(c, e->ready);
    const uint32_t place = (uint32_t)(e - c->rob);
    e->started = true;
    e->ready = issue + e->load_latency;
    for (uint32_t i = 0; i < CPU_LOADS; i++) {
        if (!e->miss[i])
            continue;
        const uint64_t filled = core_filled_at(c, e->miss[i]);
        if (filled != UNKNOWN) {
            e->ready = filled > e->ready ? filled : e->ready;
            continue;
        }
        struct miss *m = &c->misses[e->miss[i] % MISSES];
        e->next_load[i] = m->waiters;
        m->waiters = place * 4 + i + 1;
        e->loads++;
        core_send(c, e->miss[i], issue);
    }
    if (!e->loads)
        complete(c, e);
}

/* The instruction's time is known now. So is the time of those that waited for nothing else. */
static void complete(struct core *c, struct entry *e)
{
    e->done = e->ready + e->latency;
    for (waiter w = e->waiters; w;) {
        struct entry *other = entry_of(c, w);
        const waiter next = other->next_source[(w - 1) % 4];
        other->ready = e->done > other->ready ? e->done : other->ready;
        if (--other->sources == 0)
            start(c, other);
        w = next;
    }
    e->waiters = 0;
}

void core_load_arrived(struct core *c, waiter first, uint64_t cycle)
{
    for (waiter w = first; w;) {
        struct entry *e = entry_of(c, w);
        const waiter next = e->next_load[(w - 1) % 4];
        e->ready = cycle > e->ready ? cycle : e->ready;
        if (--e->loads == 0)
            complete(c, e);
        w = next;
    }
}

/* Adds a source: its time, if known, or else a place in the waiting list of the instruction that writes it. */
static void add_source(struct core *c, struct entry *e, uint32_t which, uint8_t reg)
{
    const uint64_t writer = c->register_writer[reg];
    uint64_t time = c->register_time[reg];
    if (writer) {
        struct entry *w = &c->rob[(writer - 1) & c->mask];
        if (w->number == writer - 1 && w->done == UNKNOWN) {
            e->next_source[which] = w->waiters;
            w->waiters = (waiter)((e - c->rob) * 4 + which + 1);
            e->sources++;
            return;
        }
        time = w->number == writer - 1 ? w->done : 0; /* its place was given away, so it retired before now */
        c->register_time[reg] = time;
        c->register_writer[reg] = 0;
    }
    e->ready = time > e->ready ? time : e->ready;
}

void core_enter(struct core *c, const struct cpu_inst *inst, const struct found loads[], uint32_t load_count, uint16_t store,
                uint64_t now)
{
    struct entry *e = &c->rob[c->dispatched & c->mask];
    const uint32_t class = cpu_inst_class(inst);
    *e = (struct entry){ .done = UNKNOWN, .ready = now + 1, .number = c->dispatched, .store = store };
    for (uint32_t i = 0; i < load_count; i++) {
        e->miss[i] = loads[i].miss;
        if (loads[i].latency > e->load_latency)
            e->load_latency = (uint8_t)(loads[i].latency < 255 ? loads[i].latency : 255);
    }
    /* A load that only moves data is done when they arrive. One that also computes takes its class's time on top. */
    e->latency = (uint8_t)(load_count && class == CPU_ALU ? 0 : c->config.latency[class]);
    for (uint32_t i = 0; i < 4 && inst->source[i]; i++)
        if (inst->source[i] != CPU_REG_IP)
            add_source(c, e, i, inst->source[i]);
    for (uint32_t i = 0; i < 2 && inst->dest[i]; i++)
        if (inst->dest[i] != CPU_REG_IP)
            c->register_writer[inst->dest[i]] = c->dispatched + 1;
    c->dispatched++;
    if (!e->sources)
        start(c, e);
}

static void retire_store(struct core *c, struct store *s, uint64_t cycle)
{
    s->retired = cycle;
    for (uint32_t i = 0; i < CPU_STORES; i++)
        if (s->miss[i])
            core_send(c, s->miss[i], cycle);
}

void core_retire(struct core *c)
{
    for (; c->retired < c->dispatched; c->retired++) {
        const uint32_t place = (uint32_t)c->retired & c->mask;
        const struct entry *e = &c->rob[place];
        if (e->done == UNKNOWN)
            return;
        if (e->done > c->retire_cycle) {
            c->retire_cycle = e->done;
            c->retire_count = 0;
        } else if (c->retire_count == c->config.width) {
            c->retire_cycle++;
            c->retire_count = 0;
        }
        c->retire_count++;
        c->retired_at[place] = c->retire_cycle;
        if (e->store != NO_ENTRY)
            retire_store(c, &c->stores[e->store], c->retire_cycle);
        if (c->retired + 1 == c->config.warmup) {
            c->cycle_before = c->retire_cycle;
            c->port.mark(c->port.chip, c->index, false);
        }
        if (c->retired + 1 == c->end && !c->finished) {
            c->finished = true;
            if (c->dispatched == c->end)
                c->after = c->counters;
            c->after.cycles = c->retire_cycle - c->cycle_before;
            c->after.instructions = c->end - c->config.warmup;
            c->port.mark(c->port.chip, c->index, true);
        }
    }
}
