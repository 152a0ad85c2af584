/* dram_bank_queues.c - a scheduler as DRAMsim3 has it: read queue and write buffer in front, a command queue per bank behind.
 *
 * Each clock: refresh when it is due; else go round the banks and issue the first command that is ready (two, one of them for a row
 * and one for a column, where the interface has both buses); then move one request from the front to the queue of its bank: the
 * oldest read whose bank has room, or, while the write buffer is being drained, the oldest such write. Draining starts when the
 * write buffer is full, or holds `write_low` and no read waits, and goes on for as many writes as there were. In a bank's queue an
 * older request to another row closes the row only when no request to the open row waits, or when the row has served
 * `row_hit_limit` already. (DRAMsim3 keeps the last writes for ever; here they are drained after IDLE_CLOCKS in which nothing came,
 * so that a run ends.)
 *
 * Not modelled: reads answered from the write buffer, merging of requests to the same address, power-down. */
#include <stdlib.h>
#include <string.h>

#include "mem/dram_scheduler.h"

enum { IDLE_CLOCKS = 500 };

struct command_queue {
    struct {
        struct request *r;
        uint32_t bursts;
    } * entry; /* oldest first */
    uint32_t count;
};

struct front {
    struct request **slot; /* oldest first */
    uint32_t count;
};

struct dram_scheduler {
    struct dram_core *core;
    struct command_queue *queue; /* per bank */
    uint32_t last;               /* bank whose queue was looked at last */
    uint32_t commands;           /* in all queues */
    struct front reads, writes;
    uint32_t draining;     /* writes still to be moved in this batch */
    uint64_t came;         /* when the last request came */
    uint64_t refresh_at;   /* next time that a rank falls due */
    uint32_t refresh_rank; /* the one that does */
    uint64_t refresh_due;  /* bit per rank that waits for its refresh */
};

static struct dram_scheduler *make(struct dram_core *core)
{
    const struct dram_config *config = &core->banks.config;
    struct dram_scheduler *s = must_calloc(1, sizeof *s);
    s->core = core;
    s->queue = must_calloc(core->banks.count, sizeof *s->queue);
    for (uint32_t b = 0; b < core->banks.count; b++)
        s->queue[b].entry = must_calloc(config->bank_queue, sizeof *s->queue[b].entry);
    s->reads.slot = must_calloc(config->queue, sizeof *s->reads.slot);
    s->writes.slot = must_calloc(config->queue, sizeof *s->writes.slot);
    core->room[0] = core->room[1] = config->queue;
    s->refresh_at = config->refi ? config->refi / config->ranks : UINT64_MAX;
    return s;
}

static void release(struct dram_scheduler *s)
{
    for (uint32_t b = 0; b < s->core->banks.count; b++)
        free(s->queue[b].entry);
    free(s->queue);
    free(s->reads.slot);
    free(s->writes.slot);
    free(s);
}

static void add(struct dram_scheduler *s, struct request *r, uint64_t now)
{
    s->came = now;
    require(s->core->room[r->write] && r->bank < s->core->banks.count);
    s->core->room[r->write]--;
    s->core->waiting++;
    struct front *f = r->write ? &s->writes : &s->reads;
    f->slot[f->count++] = r;
}

static struct front *front_to_move(struct dram_scheduler *s)
{
    return s->draining ? &s->writes : &s->reads;
}

/* The oldest request of `f` whose bank has room; f->count when there is none. */
static uint32_t movable(const struct dram_scheduler *s, const struct front *f)
{
    uint32_t i = 0;
    while (i < f->count && s->queue[f->slot[i]->bank].count == s->core->banks.config.bank_queue)
        i++;
    return i;
}

/* When the write buffer begins to be drained, if nothing else comes; UINT64_MAX: not before reads leave. */
static uint64_t draining_starts(const struct dram_scheduler *s)
{
    const struct dram_config *c = &s->core->banks.config;
    if (s->draining || s->writes.count == 0)
        return UINT64_MAX;
    if (s->writes.count == c->queue || (s->reads.count == 0 && s->writes.count >= c->write_low))
        return 0;
    return s->reads.count == 0 ? s->came + IDLE_CLOCKS : UINT64_MAX;
}

static void move_to_bank(struct dram_scheduler *s, uint64_t now)
{
    if (draining_starts(s) <= now)
        s->draining = s->writes.count;
    struct front *f = front_to_move(s);
    const uint32_t i = movable(s, f);
    if (i == f->count)
        return;
    struct request *r = f->slot[i];
    memmove(f->slot + i, f->slot + i + 1, (f->count - i - 1) * sizeof *f->slot);
    f->count--;
    s->core->room[r->write]++;
    if (r->write)
        s->draining--;
    const uint32_t atom = dram_atom_bytes(&s->core->banks.config);
    struct command_queue *q = &s->queue[r->bank];
    q->entry[q->count].r = r;
    q->entry[q->count++].bursts = (r->bytes + atom - 1) / atom;
    s->commands++;
}

static bool row_hit_waits(const struct dram_scheduler *s, uint32_t b)
{
    for (uint32_t i = 0; i < s->queue[b].count; i++)
        if (s->queue[b].entry[i].r->row == s->core->banks.bank[b].row)
            return true;
    return false;
}

/* The command that entry `i` of bank `b` needs next; false when it has to wait for others. */
static bool needed(const struct dram_scheduler *s, uint32_t b, uint32_t i, enum dram_command *command)
{
    const struct dram_bank *k = &s->core->banks.bank[b];
    const struct request *r = s->queue[b].entry[i].r;
    if (!k->open)
        *command = DRAM_ACTIVATE;
    else if (k->row == r->row)
        *command = r->write ? DRAM_WRITE : DRAM_READ;
    else {
        *command = DRAM_PRECHARGE;
        return i == 0 && (k->hits >= s->core->banks.config.row_hit_limit || !row_hit_waits(s, b));
    }
    return true;
}

static void issue(struct dram_scheduler *s, uint32_t b, uint32_t i, enum dram_command command, uint64_t now)
{
    const struct dram_config *c = &s->core->banks.config;
    struct command_queue *q = &s->queue[b];
    struct request *r = q->entry[i].r;
    if (command == DRAM_ACTIVATE || command == DRAM_PRECHARGE) {
        dram_banks_issue(&s->core->banks, command, b, r->row, now);
        if (command == DRAM_ACTIVATE)
            s->core->counters->activates++;
        else
            s->core->counters->precharges++;
        return;
    }
    const bool hit = s->core->banks.bank[b].hits > 0, last = --q->entry[i].bursts == 0;
    const struct dram_access access = dram_access_of(r);
    dram_core_column(s->core, &access, last, (r->write ? c->wl : c->cl) + dram_burst_clocks(c), now);
    if (!last)
        return;
    s->core->counters->scheduled++;
    if (hit)
        s->core->counters->row_hits++;
    else
        s->core->counters->row_misses++;
    memmove(q->entry + i, q->entry + i + 1, (q->count - i - 1) * sizeof *q->entry);
    q->count--;
    s->commands--;
    s->core->waiting--;
}

enum wanted { ANY, ROW_ONLY, COLUMN_ONLY };

static bool is_column(enum dram_command command)
{
    return command == DRAM_READ || command == DRAM_WRITE;
}

/* Issues the first ready command, going round the banks from the one after the last; what it was, or DRAM_COMMANDS for none. */
static enum dram_command issue_first_ready(struct dram_scheduler *s, enum wanted wanted, uint64_t now)
{
    const struct dram_banks *banks = &s->core->banks;
    const bool blocked = dram_pipe_full(&s->core->pipe, now);
    for (uint32_t n = 0; n < banks->count; n++) {
        s->last = s->last + 1 == banks->count ? 0 : s->last + 1;
        const uint32_t b = s->last;
        if (s->refresh_due >> banks->bank[b].rank & 1)
            continue;
        for (uint32_t i = 0; i < s->queue[b].count; i++) {
            enum dram_command command;
            if (!needed(s, b, i, &command) || (is_column(command) && blocked) || dram_banks_ready(banks, command, b) > now)
                continue;
            if (wanted != ANY && is_column(command) != (wanted == COLUMN_ONLY))
                return DRAM_COMMANDS; /* as DRAMsim3 does: the first ready command or none */
            issue(s, b, i, command, now);
            return command;
        }
    }
    return DRAM_COMMANDS;
}

/* Closes the rows of a rank that is due, one per clock, and then refreshes it. True when a command went. */
static bool refresh(struct dram_scheduler *s, uint64_t now)
{
    struct dram_banks *banks = &s->core->banks;
    if (!s->refresh_due)
        return false;
    const uint32_t rank = (uint32_t)__builtin_ctzll(s->refresh_due);
    for (uint32_t b = rank * banks->config.banks; b < (rank + 1) * banks->config.banks; b++)
        if (banks->bank[b].open && dram_banks_ready(banks, DRAM_PRECHARGE, b) <= now) {
            dram_banks_issue(banks, DRAM_PRECHARGE, b, 0, now);
            s->core->counters->precharges++;
            return true;
        }
    if (dram_banks_refresh_ready(banks, rank) > now)
        return false;
    dram_banks_refresh(banks, rank, now);
    s->core->counters->refreshes++;
    s->refresh_due &= s->refresh_due - 1;
    return true;
}

static void tick(struct dram_scheduler *s, uint64_t now)
{
    const struct dram_config *c = &s->core->banks.config;
    while (now >= s->refresh_at) {
        s->refresh_due |= UINT64_C(1) << s->refresh_rank;
        s->refresh_rank = (s->refresh_rank + 1) % c->ranks;
        s->refresh_at += c->refi / c->ranks;
    }
    if (s->refresh_due || s->commands) {
        const bool refreshed = refresh(s, now);
        const enum dram_command first = refreshed ? DRAM_COMMANDS : issue_first_ready(s, ANY, now);
        if (c->dual_command && (refreshed || first != DRAM_COMMANDS))
            (void)issue_first_ready(s, refreshed || !is_column(first) ? COLUMN_ONLY : ROW_ONLY, now);
    }
    move_to_bank(s, now);
}

static uint64_t refresh_event(const struct dram_scheduler *s)
{
    const struct dram_banks *banks = &s->core->banks;
    if (!s->refresh_due)
        return s->refresh_at;
    const uint32_t rank = (uint32_t)__builtin_ctzll(s->refresh_due);
    uint64_t at = dram_banks_refresh_ready(banks, rank);
    for (uint32_t b = rank * banks->config.banks; b < (rank + 1) * banks->config.banks; b++)
        if (banks->bank[b].open && dram_banks_ready(banks, DRAM_PRECHARGE, b) < at)
            at = dram_banks_ready(banks, DRAM_PRECHARGE, b);
    return at;
}

static uint64_t next_event(const struct dram_scheduler *s, uint64_t now)
{
    const struct dram_banks *banks = &s->core->banks;
    const uint64_t drain = draining_starts(s);
    const struct front *f = s->draining || drain <= now + 1 ? &s->writes : &s->reads;
    if (movable(s, f) < f->count)
        return now + 1;
    uint64_t at = refresh_event(s);
    if (drain > now && drain < at)
        at = drain;
    const bool blocked = dram_pipe_full(&s->core->pipe, now + 1);
    for (uint32_t b = 0; b < banks->count && s->commands; b++) {
        if (s->refresh_due >> banks->bank[b].rank & 1)
            continue;
        for (uint32_t i = 0; i < s->queue[b].count; i++) {
            enum dram_command command;
            if (!needed(s, b, i, &command) || (is_column(command) && blocked))
                continue;
            const uint64_t ready = dram_banks_ready(banks, command, b);
            if (ready < at)
                at = ready;
        }
    }
    return at > now ? at : now + 1;
}

const struct dram_scheduler_kind dram_bank_queues = {
    .make = make, .release = release, .add = add, .tick = tick, .next_event = next_event
};
