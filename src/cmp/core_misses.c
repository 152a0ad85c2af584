/* core_misses.c - a core's own caches, and the lines that are on their way to them. */
#include "cmp/core_state.h"

static struct miss *miss_at(struct core *c, uint64_t id)
{
    return &c->misses[id % MISSES];
}

uint64_t core_filled_at(const struct core *c, uint64_t id)
{
    const struct miss *m = &c->misses[id % MISSES];
    return m->id == id ? m->filled : 0; /* its place was given away, long ago */
}

struct core_miss core_miss_of(const struct core *c, uint64_t id)
{
    const struct miss *m = &c->misses[id % MISSES];
    return (struct core_miss){ m->line, m->pc, m->write };
}

static uint64_t new_miss(struct core *c, uint64_t line, uint64_t pc, bool write, bool fetch)
{
    const uint64_t id = ++c->last_miss;
    struct miss *m = miss_at(c, id);
    require(m->id == 0 || m->filled != UNKNOWN); /* no more can be on their way than window and store buffer hold */
    *m = (struct miss){ .id = id, .line = line, .pc = pc, .filled = UNKNOWN, .write = write, .fetch = fetch };
    return id;
}

/* A dirty line leaves the L2 for the shared cache when the look-ups that push it out are over, as the read goes that takes its
 * place: data are looked up a cycle after dispatch at the earliest. */
static void leave_l2(struct core *c, const struct private_line *victim, bool fetch, uint64_t now)
{
    if (!victim->dirty)
        return;
    const uint64_t looked_up = now + (fetch ? c->config.l1i.latency : 1 + c->config.l1d.latency) + c->config.l2.latency;
    c->counters.l2_writebacks++;
    c->port.write(c->port.chip, c->index, victim->tag - 1, looked_up);
}

/* A dirty line of an L1 goes to the L2. */
static void write_back(struct core *c, uint64_t line, uint64_t now)
{
    struct private_line *l = private_cache_find(&c->l2, line), victim = { 0 };
    if (!l)
        l = private_cache_put(&c->l2, line, &victim);
    l->dirty = true;
    leave_l2(c, &victim, false, now);
}

/* An access that misses an L1. `now`: when it was dispatched. */
static struct found look_in_l2(struct core *c, uint64_t line, uint64_t pc, bool write, bool fetch, uint64_t now)
{
    struct private_line *l = private_cache_find(&c->l2, line), victim = { 0 };
    c->counters.l2_accesses++;
    if (l)
        return (struct found){ l->miss && core_filled_at(c, l->miss) == UNKNOWN ? l->miss : 0, c->config.l2.latency };
    c->counters.l2_misses++;
    l = private_cache_put(&c->l2, line, &victim);
    l->miss = new_miss(c, line, pc, write, fetch);
    leave_l2(c, &victim, fetch, now);
    return (struct found){ l->miss, 0 };
}

struct found core_access(struct core *c, uint64_t address, uint64_t pc, bool write, uint64_t now)
{
    const uint64_t line = page_map_line(&c->pages, address);
    struct private_line *l = private_cache_find(&c->l1d, line), victim = { 0 };
    struct found f = { 0 };
    c->counters.l1d_accesses++;
    if (l) {
        l->dirty |= write;
        if (l->miss && core_filled_at(c, l->miss) == UNKNOWN)
            f.miss = l->miss;
        else
            l->miss = 0;
        f.latency = c->config.l1d.latency;
        return f;
    }
    c->counters.l1d_misses++;
    l = private_cache_put(&c->l1d, line, &victim);
    l->dirty = write;
    if (victim.dirty) {
        c->counters.l1d_writebacks++;
        write_back(c, victim.tag - 1, now);
    }
    f = look_in_l2(c, line, pc, write, false, now);
    l->miss = f.miss;
    f.latency += c->config.l1d.latency;
    return f;
}

struct found core_fetch(struct core *c, uint64_t pc, uint64_t now)
{
    const uint64_t line = page_map_line(&c->pages, pc);
    struct private_line *l = private_cache_find(&c->l1i, line), victim = { 0 };
    c->counters.l1i_accesses++;
    if (l)
        return (struct found){ 0 }; /* dispatch was waiting for it when it came */
    c->counters.l1i_misses++;
    (void)private_cache_put(&c->l1i, line, &victim);
    struct found f = look_in_l2(c, line, pc, false, true, now);
    f.latency += c->config.l1i.latency;
    return f;
}

static void send_now(struct core *c, struct miss *m, uint64_t cycle)
{
    c->outstanding++;
    c->port.read(c->port.chip, c->index, m->id, cycle);
}

/* The look-ups of L1 and L2 come first. Several instructions may ask for one line: the first of them counts. */
void core_send(struct core *c, uint64_t id, uint64_t cycle)
{
    struct miss *m = miss_at(c, id);
    if (m->id != id || m->sent)
        return;
    m->sent = true;
    cycle += (m->fetch ? c->config.l1i.latency : c->config.l1d.latency) + c->config.l2.latency;
    if (c->outstanding >= c->config.mshrs) {
        c->counters.mshr_waits++;
        m->waits = true;
        c->waiting[(c->waiting_first + c->waiting_count++) % MISSES] = id;
        return;
    }
    send_now(c, m, cycle);
}

void core_filled(struct core *c, uint64_t id, uint64_t cycle)
{
    struct miss *m = miss_at(c, id);
    require(m->id == id && m->filled == UNKNOWN);
    m->filled = cycle;
    c->outstanding--;
    if (c->waiting_count) {
        struct miss *next = miss_at(c, c->waiting[c->waiting_first]);
        c->waiting_first = (c->waiting_first + 1) % MISSES;
        c->waiting_count--;
        next->waits = false;
        send_now(c, next, cycle);
    }
    const waiter first = m->waiters;
    m->waiters = 0;
    core_load_arrived(c, first, cycle);
    core_retire(c);
}
