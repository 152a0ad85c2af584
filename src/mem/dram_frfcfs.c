/* dram_frfcfs.c - GPGPU-Sim's scheduler: first ready, first come first served; and first come first served alone.
 *
 * Each clock, one waiting request is given to a bank that serves none. It is the first such bank from the priority bank on, and
 * it gets the oldest request to the row that it served last, or else its oldest request. A bank serves one request at a time.
 * Then commands are given, going round from the priority bank: the first column command that can go, and the first row command
 * of a bank before it. Opening or closing a row of bank j makes j + 1 the priority bank at once. This shifts the rest of that
 * round too, as in GPGPU-Sim.
 *
 * Writes may have a queue of their own (dram.write_queue). Then requests are given to banks from one of the two queues alone: from
 * that of the writes from the time at which it holds as many as its upper mark until it holds fewer than its lower one. */
#include "base/near.h"
#include "mem/dram_scheduler.h"

enum { NONE = UINT32_MAX };
enum order { FIRST_READY, IN_ORDER, OF_TWO }; /* the last: writes have a queue of their own */

struct waiting_request {
    struct dram_access access;
    uint32_t next; /* younger one of the same list */
    uint32_t row;
    uint32_t bursts;
};

struct request_list {
    uint32_t oldest, youngest;
};

struct dram_scheduler {
    struct dram_core *core;
    uint8_t order; /* enum order */
    bool writing;  /* of two queues, requests are given from that of the writes */
    struct waiting_request *pool;
    uint32_t free;
    struct request_list *list;       /* per bank; in order: list 0 alone */
    struct waiting_request *serving; /* per bank; its list does not count */
    uint64_t listed, busy;           /* banks with a list, banks that serve */
    struct request_list *other_list; /* of two queues: of the one that requests are not given from */
    uint64_t other_listed;
    uint32_t *last_row; /* then, per queue and bank: the row of the last request given, while others to it wait; else NONE */
    uint64_t needs[DRAM_COMMANDS]; /* the latter by the command that they need next */
    uint64_t wake;                 /* no command before, unless a request is given to a bank */
    uint32_t priority, last_bank;  /* the number of banks is a power of two */
};

static struct dram_scheduler *make(struct dram_core *core, bool in_order)
{
    const struct dram_config *config = &core->banks.config;
    struct dram_scheduler *s = near_calloc(1, sizeof *s);
    s->core = core;
    s->last_bank = core->banks.count - 1;
    require((core->banks.count & s->last_bank) == 0);
    const uint32_t writes = in_order ? 0 : (uint32_t)config->write_queue.value[0];
    const uint32_t capacity = (in_order ? config->fcfs_queue : config->queue) + writes;
    s->order = in_order ? IN_ORDER : writes ? OF_TWO : FIRST_READY;
    core->room[0] = capacity - writes;
    core->room[1] = writes ? writes : capacity;
    s->pool = near_calloc(capacity, sizeof *s->pool);
    for (uint32_t i = 0; i < capacity; i++)
        s->pool[i].next = i + 1 < capacity ? i + 1 : NONE;
    s->list = near_calloc(core->banks.count, sizeof *s->list);
    s->other_list = near_calloc(core->banks.count, sizeof *s->other_list);
    s->last_row = near_calloc(2ull * core->banks.count, sizeof *s->last_row);
    s->serving = near_calloc(core->banks.count, sizeof *s->serving);
    for (uint32_t b = 0; b < core->banks.count; b++) {
        s->list[b] = s->other_list[b] = (struct request_list){ NONE, NONE };
        s->last_row[b] = s->last_row[core->banks.count + b] = NONE;
    }
    return s;
}

static struct dram_scheduler *make_frfcfs(struct dram_core *core)
{
    return make(core, false);
}
static struct dram_scheduler *make_fcfs(struct dram_core *core)
{
    return make(core, true);
}

static void release(struct dram_scheduler *s)
{
    near_free(s->pool);
    near_free(s->list);
    near_free(s->other_list);
    near_free(s->last_row);
    near_free(s->serving);
    near_free(s);
}

/* One queue for reads and writes. */
static void count(struct dram_core *core, bool more)
{
    core->waiting += more ? 1u : -1u;
    core->room[0] += more ? -1u : 1u;
    core->room[1] = core->room[0];
}

static inline void put_last(struct dram_scheduler *s, struct request_list *list, struct request *r)
{
    const uint32_t e = s->free;
    s->free = s->pool[e].next;
    const uint32_t atom = s->core->banks.atom_bytes;
    s->pool[e] = (struct waiting_request){
        .access = dram_access_of(r), .next = NONE, .row = r->row, .bursts = r->bytes <= atom ? 1 : (r->bytes + atom - 1) / atom
    };
    if (list->youngest == NONE)
        list->oldest = e;
    else
        s->pool[list->youngest].next = e;
    list->youngest = e;
}

static __attribute__((noinline)) void add_otherwise(struct dram_scheduler *s, struct request *r)
{
    if (s->order == IN_ORDER) {
        put_last(s, &s->list[0], r);
        s->listed = 1;
        count(s->core, true);
        return;
    }
    const bool given = r->write == s->writing;
    put_last(s, (given ? s->list : s->other_list) + r->bank, r);
    *(given ? &s->listed : &s->other_listed) |= UINT64_C(1) << r->bank;
    s->core->waiting++;
    s->core->room[r->write]--;
}

static void add(struct dram_scheduler *s, struct request *r, uint64_t now)
{
    (void)now;
    require(s->core->room[r->write] && r->bank < s->core->banks.count);
    if (seldom(s->order != FIRST_READY)) {
        add_otherwise(s, r);
        return;
    }
    put_last(s, &s->list[r->bank], r);
    s->listed |= UINT64_C(1) << r->bank;
    count(s->core, true);
}

/* The command that the request in bank `b` needs next. */
static enum dram_command needed(const struct dram_scheduler *s, uint32_t b)
{
    const struct dram_bank *k = &s->core->banks.bank[b];
    if (!k->open)
        return DRAM_ACTIVATE;
    if (k->row != s->serving[b].row)
        return DRAM_PRECHARGE;
    return s->serving[b].access.write ? DRAM_WRITE : DRAM_READ;
}

/* Takes the request after `before` (NONE: the oldest) from list `l` and lets its bank serve it. */
static void serve(struct dram_scheduler *s, uint32_t l, uint32_t before)
{
    const uint32_t e = before == NONE ? s->list[l].oldest : s->pool[before].next;
    const struct waiting_request chosen = s->pool[e];
    const uint32_t b = chosen.access.bank;
    if (before == NONE)
        s->list[l].oldest = chosen.next;
    else
        s->pool[before].next = chosen.next;
    if (s->list[l].youngest == e)
        s->list[l].youngest = before;
    if (s->list[l].oldest == NONE)
        s->listed &= ~(UINT64_C(1) << l);
    s->pool[e].next = s->free;
    s->free = e;
    count(s->core, false);

    s->serving[b] = chosen;
    s->busy |= UINT64_C(1) << b;
    s->needs[needed(s, b)] |= UINT64_C(1) << b;
    s->core->counters->scheduled++;
    if (s->core->banks.bank[b].row == chosen.row)
        s->core->counters->row_hits++;
    else
        s->core->counters->row_misses++;
}

/* The oldest request of list `l` to this row; NONE: there is none. *before: the one before it. */
static uint32_t oldest_to(const struct dram_scheduler *s, uint32_t l, uint32_t row, uint32_t *before)
{
    uint32_t e = s->list[l].oldest;
    *before = NONE;
    while (e != NONE && s->pool[e].row != row) {
        *before = e;
        e = s->pool[e].next;
    }
    return e;
}

static bool choose_first_ready(struct dram_scheduler *s)
{
    const uint64_t able = s->listed & ~s->busy;
    if (!able)
        return false;
    const uint64_t from = able & (UINT64_MAX << s->priority);
    const uint32_t b = (uint32_t)__builtin_ctzll(from ? from : able);
    uint32_t before;
    const uint32_t e = oldest_to(s, b, s->core->banks.bank[b].row, &before);
    serve(s, b, e == NONE ? NONE : before);
    s->priority = (s->priority + 1) & s->last_bank;
    return true;
}

/* It is time for the other of two queues. */
static bool must_turn(const struct dram_scheduler *s)
{
    const uint64_t *marks = s->core->banks.config.write_queue.value;
    const uint64_t writes = marks[0] - s->core->room[1];
    return s->writing ? writes < marks[2] : writes >= marks[1];
}

static bool a_bank_is_free(const struct dram_scheduler *s)
{
    return ~s->busy << (63 - s->last_bank);
}

static void turn(struct dram_scheduler *s)
{
    struct request_list *list = s->list;
    const uint64_t listed = s->listed;
    s->list = s->other_list;
    s->listed = s->other_listed;
    s->other_list = list;
    s->other_listed = listed;
    s->writing = !s->writing;
}

/* Of two queues. Each goes on with a row until nobody waits for it, whatever the other does to the bank meanwhile. */
static __attribute__((noinline)) bool choose_of_two(struct dram_scheduler *s)
{
    if (a_bank_is_free(s) && must_turn(s))
        turn(s);
    const uint64_t able = s->listed & ~s->busy;
    if (!able)
        return false;
    const uint64_t from = able & (UINT64_MAX << s->priority);
    const uint32_t b = (uint32_t)__builtin_ctzll(from ? from : able);
    uint32_t *last = &s->last_row[(s->writing ? s->last_bank + 1 : 0) + b], *room = s->core->room;
    uint32_t before = NONE, e = *last == NONE ? NONE : oldest_to(s, b, *last, &before);
    if (e == NONE)
        e = oldest_to(s, b, s->core->banks.bank[b].row, &before);
    const uint32_t left[2] = { room[0] + !s->writing, room[1] + s->writing };
    serve(s, b, e == NONE ? NONE : before);
    room[0] = left[0];
    room[1] = left[1];
    *last = oldest_to(s, b, s->serving[b].row, &before) == NONE ? NONE : s->serving[b].row;
    s->priority = (s->priority + 1) & s->last_bank;
    return true;
}

static bool choose_in_order(struct dram_scheduler *s)
{
    if (!s->listed || (s->busy >> s->pool[s->list[0].oldest].access.bank & 1))
        return false;
    serve(s, 0, NONE);
    return true;
}

static void issue_column(struct dram_scheduler *s, uint32_t b, uint64_t now)
{
    const struct dram_config *c = &s->core->banks.config;
    const bool last = --s->serving[b].bursts == 0;
    const bool write = s->serving[b].access.write;
    dram_core_column(s->core, &s->serving[b].access, last, write ? c->wl : c->cl, now);
    if (last) {
        s->serving[b].access.r = NULL;
        s->busy &= ~(UINT64_C(1) << b);
        s->needs[write ? DRAM_WRITE : DRAM_READ] &= ~(UINT64_C(1) << b);
    }
}

static void issue_row(struct dram_scheduler *s, uint32_t b, enum dram_command command, uint64_t now)
{
    dram_banks_issue(&s->core->banks, command, b, s->serving[b].row, now);
    if (command == DRAM_ACTIVATE)
        s->core->counters->activates++;
    else
        s->core->counters->precharges++;
    s->priority = (b + 1) & s->last_bank;
    s->needs[command] &= ~(UINT64_C(1) << b);
    s->needs[needed(s, b)] |= UINT64_C(1) << b;
}

/* The banks of a mask in order from the priority bank on: bit i is bank priority + i. */
static uint64_t in_round(const struct dram_scheduler *s, uint64_t some)
{
    const uint32_t banks = s->last_bank + 1, p = s->priority;
    const uint64_t low = some >> p, high = p ? some << (banks - p) : 0;
    return (low | high) & (banks == 64 ? UINT64_MAX : (UINT64_C(1) << banks) - 1);
}

/* The clock before which no command of this kind goes to any bank, as the rank holds it up. */
static uint64_t rank_ready(const struct dram_banks *banks, uint32_t command)
{
    return banks->config.ranks == 1 ? banks->rank[0].from[command] : 0;
}

/* The banks whose next command the rank does not hold up; *earliest: the first clock at which it lets go one of another kind. */
static uint64_t able_banks(const struct dram_scheduler *s, bool blocked, uint64_t now, uint64_t *earliest)
{
    uint64_t able = 0;
    for (uint32_t command = 0; command < (blocked ? DRAM_READ : DRAM_COMMANDS); command++) {
        const uint64_t from = rank_ready(&s->core->banks, command);
        if (from <= now)
            able |= s->needs[command];
        else if (s->needs[command] && from < *earliest)
            *earliest = from;
    }
    return able;
}

/* A clock before which no command goes, after one went at `now`. */
static uint64_t next_chance(const struct dram_scheduler *s, uint64_t now)
{
    uint64_t earliest = UINT64_MAX;
    for (uint32_t command = 0; command < DRAM_COMMANDS; command++) {
        const uint64_t from = rank_ready(&s->core->banks, command);
        if (s->needs[command] && from < earliest)
            earliest = from;
    }
    return earliest > now ? earliest : now + 1;
}

/* The first bank of `some`, in order from the priority bank on, whose next command is ready; UINT32_MAX: none, and *earliest is no
 * later than the first clock at which one is. */
static uint32_t first_ready(const struct dram_scheduler *s, uint64_t some, uint64_t now, uint64_t *earliest)
{
    for (uint64_t m = in_round(s, some); m; m &= m - 1) {
        const uint32_t b = ((uint32_t)__builtin_ctzll(m) + s->priority) & s->last_bank;
        const uint64_t ready = dram_banks_ready(&s->core->banks, needed(s, b), b);
        if (ready <= now)
            return b;
        *earliest = ready < *earliest ? ready : *earliest;
    }
    return UINT32_MAX;
}

/* With a bus for each kind: a column command, and then a row command. Returns as issue_commands does. */
static uint64_t issue_both(struct dram_scheduler *s, uint64_t now)
{
    uint64_t earliest = UINT64_MAX;
    const bool blocked = dram_pipe_full(&s->core->pipe, now);
    const uint64_t able = able_banks(s, blocked, now, &earliest), columns = s->needs[DRAM_READ] | s->needs[DRAM_WRITE];
    const uint32_t column = blocked ? UINT32_MAX : first_ready(s, able & columns, now, &earliest);
    if (column != UINT32_MAX)
        issue_column(s, column, now);
    const uint32_t row = first_ready(s, able & ~columns, now, &earliest);
    if (row != UINT32_MAX)
        issue_row(s, row, needed(s, row), now);
    if (blocked)
        return now + 1;
    return column != UINT32_MAX || row != UINT32_MAX ? next_chance(s, now) : earliest;
}

/* Returns the first clock at which a command may be possible, as far as this clock shows. */
static uint64_t issue_commands(struct dram_scheduler *s, uint64_t now)
{
    if (s->core->banks.config.dual_command)
        return issue_both(s, now);
    uint64_t earliest = UINT64_MAX;
    const bool blocked = dram_pipe_full(&s->core->pipe, now);
    bool column = false, row = false;
    const uint64_t able = able_banks(s, blocked, now, &earliest);
    for (uint64_t m = in_round(s, able); m; m &= m - 1) {
        const uint32_t i = (uint32_t)__builtin_ctzll(m), b = (i + s->priority) & s->last_bank;
        const enum dram_command command = needed(s, b);
        const bool is_column = command == DRAM_READ || command == DRAM_WRITE;
        if (is_column ? column || blocked : row || column)
            continue;
        const uint64_t ready = dram_banks_ready(&s->core->banks, command, b);
        if (ready > now) {
            earliest = ready < earliest ? ready : earliest;
            continue;
        }
        if (is_column) {
            issue_column(s, b, now);
            column = true;
            break;
        }
        issue_row(s, b, command, now);
        row = true;
        m = (in_round(s, able) & (UINT64_MAX << i)) | UINT64_C(1) << i; /* the priority has moved: go on at place i + 1 of the new
                                                                         * round */
    }
    if (blocked)
        return now + 1;
    return column || row ? next_chance(s, now) : earliest;
}

static bool choose_otherwise(struct dram_scheduler *s)
{
    return s->order == IN_ORDER ? choose_in_order(s) : choose_of_two(s);
}

static void tick(struct dram_scheduler *s, uint64_t now)
{
    const bool chosen = seldom(s->order != FIRST_READY) ? choose_otherwise(s) : choose_first_ready(s);
    if (chosen || now >= s->wake)
        s->wake = s->busy ? issue_commands(s, now) : UINT64_MAX;
}

/* A request can be given to a bank, or the queues change. */
static bool chooses(const struct dram_scheduler *s)
{
    if (!seldom(s->order != FIRST_READY))
        return s->listed & ~s->busy;
    if (s->order == IN_ORDER)
        return s->listed && !(s->busy >> s->pool[s->list[0].oldest].access.bank & 1);
    return (s->listed & ~s->busy) || (a_bank_is_free(s) && must_turn(s));
}

static uint64_t next_event(const struct dram_scheduler *s, uint64_t now)
{
    return !chooses(s) && s->wake > now ? s->wake : now + 1;
}

const struct dram_scheduler_kind dram_frfcfs = {
    .make = make_frfcfs, .release = release, .add = add, .tick = tick, .next_event = next_event
};
const struct dram_scheduler_kind dram_fcfs = {
    .make = make_fcfs, .release = release, .add = add, .tick = tick, .next_event = next_event
};
