/* network.c computes when flits arrive; here is the router it stands for, moved register by register, each cycle, and both are
 * given the same random traffic. What the model below does in a cycle is what the reference's does (one virtual channel, no routing
 * delay): sinks and credits are read, links shift, sources send, the router takes its steps (each: allocate outputs, allocate the
 * switch, cross, with all decisions made on the state before the step), outputs send. */
#include <stdlib.h>
#include <string.h>

#include "../cmocka_all.h"
#include "mem/network.h"

enum { NODES = 16, FLITS = 8192, EMPTY = -1 };

struct flit {
    int packet, destination;
    bool head, tail;
};
struct line {
    struct flit f[FLITS];
    int first, count;
}; /* a queue that never wraps within a test */
struct link {
    int entering, on_the_way, leaving;
}; /* numbers of flits, or EMPTY */

struct model {
    struct net_config c;
    int inputs, outputs;
    struct flit flit[FLITS * 4];
    int flits;
    struct line injection[NODES], buffer[NODES];
    struct {
        int flit[FLITS * 4];
        int first, count;
    } output[NODES], ejection[NODES];
    struct link in[NODES], in_credit[NODES], out[NODES], out_credit[NODES];
    int in_used[NODES], out_used[NODES], credits_to_send[NODES];
    enum { IDLE, WANTS_OUTPUT, ACTIVE } state[NODES];
    int owner[NODES], next[NODES];
    struct {
        int flit, output;
    } crossing[NODES];
    int boundary[NODES], whole[NODES];
    int done[NODES][FLITS], done_first[NODES], done_count[NODES];
};

static struct flit *front(struct line *l)
{
    return &l->f[l->first];
}
static void append(struct line *l, struct flit f)
{
    assert_true(l->first + l->count < FLITS);
    l->f[l->first + l->count++] = f;
}
static struct flit take(struct line *l)
{
    l->count--;
    return l->f[l->first++];
}

static void shift_in(struct link *l)
{
    l->on_the_way = l->entering;
    l->entering = EMPTY;
}
static void shift_out(struct link *l)
{
    l->leaving = l->on_the_way;
    l->on_the_way = EMPTY;
}

static struct model *model_new(const struct net_config *c, int inputs, int outputs)
{
    struct model *m = calloc(1, sizeof *m);
    m->c = *c;
    m->inputs = inputs;
    m->outputs = outputs;
    for (int i = 0; i < NODES; i++) {
        m->owner[i] = EMPTY;
        m->in[i] = m->out[i] = m->in_credit[i] = m->out_credit[i] = (struct link){ EMPTY, EMPTY, EMPTY };
        m->crossing[i].flit = EMPTY;
    }
    return m;
}

static int model_flits(const struct model *m, uint32_t bytes)
{
    return (int)((bytes + m->c.flit_bytes - 1) / m->c.flit_bytes);
}

static void model_push(struct model *m, int source, int destination, int packet, uint32_t bytes)
{
    const int n = model_flits(m, bytes);
    for (int i = 0; i < n; i++)
        append(&m->injection[source], (struct flit){ packet, destination, i == 0, i == n - 1 });
}

static int model_pop(struct model *m, int destination, int flits_of_packet[])
{
    if (!m->done_count[destination])
        return EMPTY;
    const int p = m->done[destination][m->done_first[destination]++];
    m->done_count[destination]--;
    m->boundary[destination] -= flits_of_packet[p];
    m->whole[destination]--;
    return p;
}

static int keep(struct model *m, struct flit f)
{
    assert_true(m->flits < FLITS * 4);
    m->flit[m->flits] = f;
    return m->flits++;
}

static void router_step(struct model *m, bool first)
{
    int granted[NODES], passing[NODES];
    for (int i = 0; i < m->inputs && first; i++) /* what came over the links */
        if (m->in[i].leaving != EMPTY) {
            append(&m->buffer[i], m->flit[m->in[i].leaving]);
            if (m->state[i] == IDLE)
                m->state[i] = WANTS_OUTPUT;
        }
    for (int o = 0; o < m->outputs && first; o++)
        if (m->out_credit[o].leaving != EMPTY)
            m->out_used[o]--;
    for (int o = 0; o < m->outputs; o++) { /* decide */
        granted[o] = passing[o] = EMPTY;
        for (int k = 0; k < m->inputs && m->owner[o] == EMPTY && granted[o] == EMPTY; k++) {
            const int i = (m->next[o] + k) % m->inputs;
            if (m->state[i] == WANTS_OUTPUT && front(&m->buffer[i])->destination == o)
                granted[o] = i;
        }
        const int i = m->owner[o];
        if (i != EMPTY && m->buffer[i].count && m->out_used[o] < (int)m->c.ejection_flits)
            passing[o] = i;
    }
    for (int i = 0; i < m->inputs; i++) /* cross */
        if (m->crossing[i].flit != EMPTY) {
            const int o = m->crossing[i].output;
            m->output[o].flit[m->output[o].first + m->output[o].count++] = m->crossing[i].flit;
            m->crossing[i].flit = EMPTY;
        }
    for (int o = 0; o < m->outputs; o++) { /* act */
        if (granted[o] != EMPTY) {
            m->owner[o] = granted[o];
            m->state[granted[o]] = ACTIVE;
            m->next[o] = (granted[o] + 1) % m->inputs;
        }
        const int i = passing[o];
        if (i == EMPTY)
            continue;
        const struct flit f = take(&m->buffer[i]);
        m->out_used[o]++;
        m->credits_to_send[i]++;
        m->crossing[i].flit = keep(m, f);
        m->crossing[i].output = o;
        if (f.tail) {
            m->owner[o] = EMPTY;
            m->state[i] = m->buffer[i].count ? WANTS_OUTPUT : IDLE;
        }
    }
}

static void model_tick(struct model *m)
{
    bool ejected[NODES] = { false };
    for (int o = 0; o < m->outputs; o++) {
        if (m->out[o].leaving != EMPTY)
            m->ejection[o].flit[m->ejection[o].first + m->ejection[o].count++] = m->out[o].leaving;
        if (m->ejection[o].count && (m->boundary[o] < (int)m->c.boundary_flits || !m->whole[o])) {
            const struct flit f = m->flit[m->ejection[o].flit[m->ejection[o].first++]];
            m->ejection[o].count--;
            m->boundary[o]++;
            ejected[o] = true;
            if (f.tail) {
                m->whole[o]++;
                m->done[o][m->done_first[o] + m->done_count[o]++] = f.packet;
            }
        }
    }
    for (int i = 0; i < m->inputs; i++)
        m->in_used[i] -= m->in_credit[i].leaving != EMPTY;
    for (int n = 0; n < NODES; n++) {
        shift_in(&m->in[n]);
        shift_in(&m->in_credit[n]);
        shift_in(&m->out[n]);
        shift_in(&m->out_credit[n]);
    }
    for (int i = 0; i < m->inputs; i++)
        if (m->injection[i].count && m->in_used[i] < (int)m->c.input_flits) {
            m->in[i].entering = keep(m, take(&m->injection[i]));
            m->in_used[i]++;
        }
    for (int o = 0; o < m->outputs; o++)
        if (ejected[o])
            m->out_credit[o].entering = 1;
    for (uint32_t s = 0; s < m->c.speedup; s++)
        router_step(m, s == 0);
    for (int n = 0; n < NODES; n++) {
        shift_out(&m->in[n]);
        shift_out(&m->in_credit[n]);
        shift_out(&m->out[n]);
        shift_out(&m->out_credit[n]);
    }
    for (int o = 0; o < m->outputs; o++)
        if (m->output[o].count) {
            m->out[o].entering = m->output[o].flit[m->output[o].first++];
            m->output[o].count--;
        }
    for (int i = 0; i < m->inputs; i++)
        if (m->credits_to_send[i]) {
            m->in_credit[i].entering = 1;
            m->credits_to_send[i]--;
        }
}

static uint32_t lcg(uint32_t *x)
{
    return (*x = *x * 1664525u + 1013904223u) >> 8;
}

/* Sizes of packets, in bits: 1 reads and acknowledgements, 2 stores of 32 bytes, 4 of 64, 8 of 128. */
enum { SHORT = 1, LONG = 8, MIXED = 15 };
struct traffic {
    uint32_t hot;  /* of eight packets so many go to destination 0 */
    uint32_t pops; /* a destination pops in one cycle of so many */
    uint32_t sizes;
    uint32_t burst,
        rest;      /* sources send whatever fits for so many cycles, then nothing for so many; 0: one cycle in three, always */
    uint32_t deaf; /* destination 0 takes nothing in the first 400 of every so many cycles, as a slice that is full; 0: always */
};

static struct request packet_of(const struct traffic *t, uint32_t x)
{
    uint32_t size = x % 4;
    while (!(t->sizes >> size & 1))
        size = (size + 1) % 4;
    return (struct request){ .bytes = size ? 16u << size : 32,
                             .write = size != 0,
                             .kind = size ? REQUEST_GLOBAL_WRITE : REQUEST_GLOBAL_READ };
}

static bool sends(const struct traffic *t, uint64_t now, uint32_t x)
{
    return t->burst ? now % (t->burst + t->rest) < t->burst : x % 3 == 0;
}

/* Returns in how many cycles a source with a packet to send had no room for it. */
static uint64_t compare(struct net_config c, int inputs, int outputs, struct traffic traffic, uint32_t seed)
{
    enum { PACKETS = 1500 };
    struct network *n = network_new(&c, (uint32_t)inputs, (uint32_t)outputs);
    struct model *m = model_new(&c, inputs, outputs);
    struct request *r = calloc(PACKETS, sizeof *r);
    int *flits = calloc(PACKETS, sizeof *flits);
    int pushed = 0, popped = 0;
    uint64_t refused = 0;
    for (uint64_t t = 0; popped < PACKETS; t++) {
        assert_true(t < 100000);
        for (int s = 0; s < inputs; s++) {
            const uint32_t x = lcg(&seed);
            if (pushed == PACKETS || !sends(&traffic, t, x))
                continue;
            r[pushed] = packet_of(&traffic, x / 4);
            const uint32_t bytes = request_packet_bytes(&r[pushed]);
            if (!network_has_room(n, (uint32_t)s, bytes)) {
                refused++;
                continue;
            }
            const int d = x / 32 % 8 < traffic.hot ? 0 : (int)(x / 256 % (uint32_t)outputs);
            flits[pushed] = model_flits(m, bytes);
            model_push(m, s, d, pushed, bytes);
            network_push(n, (uint32_t)s, (uint32_t)d, &r[pushed++], t);
        }
        network_tick(n, t);
        model_tick(m);
        for (int d = 0; d < outputs; d++) {
            const struct request *ready = network_peek(n, (uint32_t)d);
            assert_int_equal(ready != NULL, m->done_count[d] != 0);
            if (!ready || lcg(&seed) % traffic.pops || (d == 0 && traffic.deaf && t % traffic.deaf < 400))
                continue;
            const int expected = model_pop(m, d, flits);
            assert_int_equal(network_pop(n, (uint32_t)d, t) - r, expected);
            popped++;
        }
    }
    network_free(n);
    free(m);
    free(r);
    free(flits);
    return refused;
}

static const struct net_config gtx480 = {
    .flit_bytes = 40, .injection_flits = 9, .input_flits = 64, .ejection_flits = 64, .boundary_flits = 16, .speedup = 2
};

static void arrivals_equal_those_of_the_router_moved_by_hand(void **state)
{
    (void)state;
    struct net_config small = {
        .flit_bytes = 32, .injection_flits = 5, .input_flits = 3, .ejection_flits = 4, .boundary_flits = 5, .speedup = 2
    };
    for (uint32_t seed = 1; seed <= 3; seed++) {
        compare(gtx480, 15, 12, (struct traffic){ .hot = 0, .pops = 1, .sizes = MIXED }, seed);
        compare(gtx480, 15, 12, (struct traffic){ .hot = 4, .pops = 1, .sizes = MIXED }, seed);
        compare(gtx480, 15, 12, (struct traffic){ .hot = 4, .pops = 3, .sizes = MIXED }, seed);
        compare(gtx480, 12, 15, (struct traffic){ .hot = 1, .pops = 2, .sizes = MIXED }, seed);
        for (small.speedup = 1; small.speedup <= 3; small.speedup++) {
            compare(small, 6, 4, (struct traffic){ .hot = 1, .pops = 1, .sizes = MIXED }, seed);
            compare(small, 6, 4, (struct traffic){ .hot = 3, .pops = 4, .sizes = MIXED }, seed);
        }
    }
}

/* All SMs to one slice, one packet length or all, in bursts, and a slice that takes nothing until the queues in front of it are
 * full up to the sources. */
static void hot_spots_bursts_and_full_slices(void **state)
{
    (void)state;
    const uint32_t sizes[] = { SHORT, LONG, SHORT | LONG, MIXED };
    for (uint32_t i = 0; i < 4; i++)
        for (uint32_t hot = 0; hot <= 8; hot += 4)
            for (uint32_t deaf = 0; deaf <= 500; deaf += 500) {
                const struct traffic steady = { .hot = hot, .pops = 1, .sizes = sizes[i], .deaf = deaf };
                const struct traffic bursts = { .hot = hot, .pops = 1, .sizes = sizes[i], .deaf = deaf, .burst = 40, .rest = 90 };
                const uint64_t refused =
                    compare(gtx480, 15, 12, steady, i + hot + 1) + compare(gtx480, 12, 15, bursts, i + hot + 1);
                if (hot == 8)
                    assert_true(refused > 0); /* the pressure does reach the sources */
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(arrivals_equal_those_of_the_router_moved_by_hand),
                                        cmocka_unit_test(hot_spots_bursts_and_full_slices) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
