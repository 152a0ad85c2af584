/* dram_frfcfs.c keeps the clocks at which things may happen; here is the same scheduler with counters that run down one by one, as
 * the reference has it, and both are given the same random requests. */
#include <stdlib.h>
#include <string.h>

#include "../cmocka_all.h"
#include "mem/dram_channel.h"

enum { BANKS = 16, GROUPS = 4, REQUESTS = 3000, NOBODY = -1 };

struct model_bank {
    bool open;
    uint32_t row;
    int serving, bursts; /* request, or NOBODY */
    int rcd, rcd_write, ras, rp, rc, wtp, rtp;
};

struct model_queue {
    int waiting[REQUESTS], first, count; /* oldest first */
    int last_row;                        /* a row with requests left, or NOBODY */
};

struct model {
    struct dram_config c;
    const struct request *r;
    struct model_bank bank[BANKS];
    struct model_queue queue[2][BANKS]; /* the second: of writes, if those are apart; in order: the very first alone */
    int writes, write_limit;
    bool writing;
    int ccd_l[GROUPS], rtp_l[GROUPS];
    int ccd, rrd, rtw, wtr, priority, pending, limit;
    bool in_order;
    int pipe[64], length, shortest; /* data pipe: a request, or NOBODY, per clock; -2: a burst before the last */
};

static void run_down(int *counter)
{
    *counter -= *counter > 0;
}

static void model_add(struct model *m, int request)
{
    const bool apart = m->write_limit && m->r[request].write;
    struct model_queue *q = &m->queue[apart][m->in_order ? 0 : m->r[request].bank];
    q->waiting[q->first + q->count++] = request;
    ++*(apart ? &m->writes : &m->pending);
}

static bool model_has_room(const struct model *m, int request)
{
    return m->write_limit && m->r[request].write ? m->writes < m->write_limit : m->pending < m->limit;
}

static void model_serve(struct model *m, struct model_queue *from, int place)
{
    const int request = from->waiting[from->first + place];
    memmove(from->waiting + from->first + 1, from->waiting + from->first, (size_t)place * sizeof(int));
    from->first++;
    from->count--;
    --*(m->writing ? &m->writes : &m->pending);
    m->bank[m->r[request].bank].serving = request;
    m->bank[m->r[request].bank].bursts = (int)(m->r[request].bytes + 63) / 64;
}

/* Of the oldest request to this row; as many as there are: none. */
static int model_place(const struct model *m, const struct model_queue *q, uint32_t row)
{
    int place = 0;
    while (place < q->count && m->r[q->waiting[q->first + place]].row != row)
        place++;
    return place;
}

static void model_choose(struct model *m)
{
    if (m->in_order) {
        struct model_queue *all = &m->queue[0][0];
        if (all->count && m->bank[m->r[all->waiting[all->first]].bank].serving == NOBODY)
            model_serve(m, all, 0);
        return;
    }
    for (int i = 0; i < BANKS; i++) {
        const int k = (i + m->priority) % BANKS;
        struct model_bank *b = &m->bank[k];
        if (b->serving != NOBODY)
            continue;
        if (m->write_limit &&
            (m->writing ? m->writes < (int)m->c.write_queue.value[2] : m->writes >= (int)m->c.write_queue.value[1]))
            m->writing = !m->writing;
        struct model_queue *q = &m->queue[m->writing][k];
        if (!q->count)
            continue;
        int place = q->last_row == NOBODY ? q->count : model_place(m, q, (uint32_t)q->last_row);
        if (place == q->count)
            place = model_place(m, q, b->row);
        model_serve(m, q, place < q->count ? place : 0);
        const uint32_t row = m->r[b->serving].row;
        q->last_row = model_place(m, q, row) < q->count ? (int)row : NOBODY;
        m->priority = (m->priority + 1) % BANKS;
        return;
    }
}

static void pipe_put(struct model *m, int what, int clocks)
{
    m->shortest = clocks;
    while (m->length > clocks && m->pipe[m->length - 1] == NOBODY)
        m->length--;
    while (m->length < clocks)
        m->pipe[m->length++] = NOBODY;
    if (m->pipe[m->length - 1] == NOBODY)
        m->pipe[m->length - 1] = what;
    else
        m->pipe[m->length++] = what;
}

static bool model_column(struct model *m, int k)
{
    struct model_bank *b = &m->bank[k];
    const int g = k % GROUPS;
    if (b->serving == NOBODY || !b->open || b->row != m->r[b->serving].row || m->ccd || m->ccd_l[g])
        return false;
    const bool write = m->r[b->serving].write;
    if (write ? b->rcd_write || m->rtw : b->rcd || m->wtr)
        return false;
    m->ccd = (int)m->c.ccd;
    m->ccd_l[g] = (int)m->c.ccd_l;
    if (write) {
        m->wtr = (int)(m->c.wl + 2 + m->c.cdlr);
        b->wtp = (int)(m->c.wl + 2 + m->c.wr);
    } else {
        m->rtw = (int)(m->c.cl + 2 + 2 - m->c.wl);
        b->rtp = 2;
        m->rtp_l[g] = (int)m->c.rtp_l;
    }
    const bool last = --b->bursts == 0;
    pipe_put(m, last ? b->serving : -2, (int)(write ? m->c.wl : m->c.cl));
    if (last)
        b->serving = NOBODY;
    return true;
}

static bool model_row(struct model *m, int k)
{
    struct model_bank *b = &m->bank[k];
    if (b->serving == NOBODY)
        return false;
    if (!b->open) {
        if (m->rrd || b->rp || b->rc)
            return false;
        b->open = true;
        b->row = m->r[b->serving].row;
        m->rrd = (int)m->c.rrd;
        b->rcd = (int)m->c.rcd;
        b->rcd_write = (int)(m->c.rcd - (m->c.wl + 1));
        b->ras = (int)m->c.ras;
        b->rc = (int)m->c.rc;
    } else {
        if (b->row == m->r[b->serving].row || b->ras || b->wtp || b->rtp || m->rtp_l[k % GROUPS])
            return false;
        b->open = false;
        b->rp = (int)m->c.rp;
    }
    m->priority = (k + 1) % BANKS;
    return true;
}

/* One bus: a command, or a row command and then a column command. */
static void model_command(struct model *m)
{
    bool column = false, row = false;
    for (int i = 0; i < BANKS; i++) {
        const int k = (i + m->priority) % BANKS; /* the priority moves with the row command */
        if (!column)
            column = model_column(m, k);
        if (!column && !row)
            row = model_row(m, k);
    }
}

/* A bus for each kind: both kinds have a round of their own, columns first. */
static void model_commands(struct model *m)
{
    for (int i = 0; i < BANKS; i++)
        if (model_column(m, (i + m->priority) % BANKS))
            break;
    for (int i = 0; i < BANKS; i++)
        if (model_row(m, (i + m->priority) % BANKS))
            break;
}

/* One clock; the request whose data came out, or NOBODY. */
static int model_tick(struct model *m)
{
    int out = NOBODY;
    if (m->length) {
        out = m->pipe[0];
        memmove(m->pipe, m->pipe + 1, (size_t)--m->length * sizeof(int));
        while (m->length < m->shortest)
            m->pipe[m->length++] = NOBODY;
    }
    model_choose(m);
    (m->c.dual_command ? model_commands : model_command)(m);
    run_down(&m->ccd);
    run_down(&m->rrd);
    run_down(&m->rtw);
    run_down(&m->wtr);
    for (int k = 0; k < BANKS; k++) {
        struct model_bank *b = &m->bank[k];
        int *const counters[] = { &b->rcd, &b->rcd_write, &b->ras, &b->rp, &b->rc, &b->wtp, &b->rtp };
        for (size_t j = 0; j < sizeof counters / sizeof *counters; j++)
            run_down(counters[j]);
    }
    for (int g = 0; g < GROUPS; g++) {
        run_down(&m->ccd_l[g]);
        run_down(&m->rtp_l[g]);
    }
    return out < 0 ? NOBODY : out;
}

static uint64_t when[REQUESTS];
static const struct request *base;
static uint64_t clock_now;
static uint32_t done;
static void retire(void *context, struct request *r)
{
    (void)context;
    when[r - base] = clock_now;
    done++;
}

static uint32_t lcg(uint32_t *x)
{
    return (*x = *x * 1664525u + 1013904223u) >> 8;
}

/* All requests are write-backs or reads; a read is with its slice one clock after its data came out. `rows` sets the locality. */
static void compare(bool fcfs, bool dual, bool split, uint32_t rows, uint32_t writes_of_8, uint32_t seed)
{
    struct request *r = calloc(REQUESTS, sizeof *r);
    struct model *m = calloc(1, sizeof *m);
    base = m->r = r;
    done = 0;
    param_defaults(dram_params, &m->c);
    m->c.latency = 0;
    m->c.dual_command = dual;
    m->c.scheduler = fcfs ? DRAM_FCFS : DRAM_FRFCFS;
    m->in_order = fcfs;
    if (split)
        memcpy(m->c.write_queue.value, (uint64_t[]){ 24, 18, 5 }, 3 * sizeof(uint64_t));
    m->write_limit = (int)m->c.write_queue.value[0];
    m->limit = (int)(fcfs ? m->c.fcfs_queue : m->c.queue);
    m->shortest = (int)m->c.cl;
    for (int k = 0; k < BANKS; k++)
        m->bank[k].serving = m->queue[0][k].last_row = m->queue[1][k].last_row = NOBODY;
    struct dram_channel *c = dram_channel_new(&m->c, 1, 1, 1, retire, NULL);
    int pushed = 0, fed = 0;
    for (uint64_t t = 1; done < REQUESTS; t++) {
        if (split && fed == REQUESTS && !m->writing && done + (uint32_t)m->writes == REQUESTS)
            break; /* the rest waits for more */
        assert_true(t < 200000);
        clock_now = t;
        const uint32_t x = lcg(&seed);
        if (pushed < REQUESTS && t % 2000 < 1500 && x % 2 == 0 && !port_full(dram_channel_in(c, 0))) {
            r[pushed] =
                (struct request){ .bank = (uint16_t)(x / 2 % BANKS), .row = x / 64 % rows, .write = x / 2048 % 8 < writes_of_8 };
            r[pushed].kind = r[pushed].write ? REQUEST_L2_WRITEBACK : REQUEST_GLOBAL_READ;
            r[pushed].bytes = r[pushed].write ? 32 + x / 16384 % 4 * 32 : 32;
            port_push(dram_channel_in(c, 0), &r[pushed++]);
        }
        dram_channel_tick(c, t);
        const int out = model_tick(m);
        if (out != NOBODY && r[out].write)
            assert_int_equal(when[out], t); /* retired in this very tick */
        else if (out != NOBODY)
            when[out] = t;
        /* The slice's queue feeds the scheduler, one per clock, when it has room after its tick. */
        if (fed < pushed && model_has_room(m, fed))
            model_add(m, fed++);
        for (struct request *p; (p = port_pop(dram_channel_out(c, 0))); done++)
            assert_int_equal(when[p - r] + 1, t);
    }
    dram_channel_free(c);
    free(m);
    free(r);
}

static void data_come_out_when_the_counters_say(void **state)
{
    (void)state;
    for (uint32_t kind = 0; kind < 8; kind++)
        for (uint32_t seed = 1; seed <= 3; seed++) {
            const bool fcfs = kind & 1, dual = kind >> 1 & 1, split = kind >> 2;
            if (fcfs && split)
                continue;
            compare(fcfs, dual, split, 1, 0, seed);
            compare(fcfs, dual, split, 3, 0, seed);
            compare(fcfs, dual, split, 3, 3, seed);
            compare(fcfs, dual, split, 100, 4, seed);
            compare(fcfs, dual, split, 2, 8, seed);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(data_come_out_when_the_counters_say) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
