/* network_router.c - what moves in a network in one of its cycles: flits over links and through the switch, notes of free places,
 * and who may send next. */
#include "mem/network_state.h"

static void send_credit(struct credits *c, uint64_t now)
{
    const uint64_t next = c->last + 1, first = c->first;
    c->last = now > next ? now : next;
    c->first = now > next ? now : first;
}

/* When the sender receives its next note, if one is on its way at `now`. */
static uint64_t next_credit(const struct credits *c, uint64_t now)
{
    const uint64_t first = c->first + CREDIT_CYCLES;
    return first > now ? first : now + 1;
}

static uint64_t credits_under_way(const struct credits *c, uint64_t now)
{
    const uint64_t first = next_credit(c, now), end = c->last + CREDIT_CYCLES + 1;
    return end > first ? end - first : 0;
}

/* True when the sender knows of a free entry among `capacity`, `occupied` of which it has filled. */
static bool has_credit(const struct credits *c, uint32_t occupied, uint32_t capacity, uint64_t now)
{
    return occupied + credits_under_way(c, now) < capacity;
}

static bool boundary_has_room(const struct network *n, const struct output *out)
{
    return out->flits.count - out->occupied < n->config.boundary_flits || out->whole == 0;
}

/* Ejection buffer to boundary buffer, one flit; the last flit makes a packet that can be popped. */
static void eject(struct network *n, uint32_t o, uint32_t words_out, uint64_t now)
{
    struct output *out = &n->output[o];
    if (!boundary_has_room(n, out))
        return;
    const struct flit *f = flit_at(n, o, ring_place(&out->flits, &n->flit_ring, out->flits.count - out->occupied));
    if (--out->occupied == 0) {
        bit_clear(n->ready, words_out, o);
    } else {
        const uint64_t next = flit_at(n, o, ring_place(&out->flits, &n->flit_ring, out->flits.count - out->occupied))->arrival / 2;
        if (next > now) {
            bit_clear(n->ready, words_out, o);
            bit_set(n->due + next % SOON * words_out, words_out, o);
        }
    }
    send_credit(&out->credits, now);
    if (f->arrival & 1) {
        __builtin_prefetch(f->request); /* popped in a later tick */
        out->whole++;
        bit_set(n->arrived, words_out, o);
    }
}

static void ask_for_output(struct network *n, uint32_t i, uint32_t words_in, uint32_t words_out)
{
    struct input *in = &n->input[i];
    const uint32_t o = packet_at(n, i, in->packets.head)->destination;
    in->busy = true;
    bit_set(n->asking + (size_t)o * words_in, words_in, i);
    n->wanted[words_out == 1 ? 0 : o / 64] |= (uint64_t)(n->output[o].owner == NOBODY) << o % 64;
}

static void receive(struct network *n, uint32_t i, uint32_t words_in, uint32_t words_out)
{
    struct input *in = &n->input[i];
    in->buffered++;
    if (!in->busy)
        ask_for_output(n, i, words_in, words_out);
}

static void inject(struct network *n, uint32_t i, uint32_t words_in, uint64_t now)
{
    struct input *in = &n->input[i];
    if (!has_credit(&in->credits, in->occupied, n->config.input_flits, now))
        return;
    in->occupied++;
    if (--in->injection_flits == 0)
        bit_clear(n->injecting, words_in, i);
    if (--in->unsent == 0) {
        in->injecting++;
        if (in->injection_flits)
            in->unsent = packet_at(n, i, ring_place(&in->packets, &n->packet_ring, in->injecting))->flits;
    }
    bit_set(n->landing + (now + LINK_CYCLES) % SOON * words_in, words_in, i);
}

/* The first asking input at or after the pointer, cyclically. */
static uint32_t round_robin(const struct network *n, uint32_t o, uint32_t words_in)
{
    const uint64_t *asking = n->asking + (size_t)o * words_in;
    const uint32_t from = n->output[o].next;
    uint32_t w = words_in == 1 ? 0 : from / 64;
    uint64_t m = asking[w] & (UINT64_MAX << from % 64);
    if (words_in == 1)
        return bit_first(0, m ? m : asking[0]);
    while (!m) {
        w = w + 1 == words_in ? 0 : w + 1;
        m = asking[w];
    }
    return bit_first(w, m);
}

static void grant(struct network *n, uint32_t o, uint32_t words_in, uint32_t words_out)
{
    struct output *out = &n->output[o];
    const uint32_t i = round_robin(n, o, words_in);
    out->owner = i;
    out->next = i + 1 == n->inputs ? 0 : i + 1;
    bit_clear(n->asking + (size_t)o * words_in, words_in, i);
    bit_clear(n->wanted, words_out, o);
    bit_set(n->held, words_out, o);
}

static void release(struct network *n, uint32_t o, uint32_t words_in, uint32_t words_out)
{
    uint64_t any = 0;
    for (uint32_t w = 0; w < words_in; w++)
        any |= n->asking[(size_t)o * words_in + w];
    n->output[o].owner = NOBODY;
    bit_clear(n->held, words_out, o);
    n->wanted[words_out == 1 ? 0 : o / 64] |= (uint64_t)(any != 0) << o % 64;
}

/* One flit of the owner passes the switch of output `o`. It crosses in the next step, and leaves over the link in that step's
 * cycle, after the flits before it. */
static void pass(struct network *n, uint32_t o, uint32_t words_in, uint32_t words_out, uint64_t now, bool last_step)
{
    struct output *out = &n->output[o];
    const uint32_t i = out->owner;
    struct input *in = &n->input[i];
    const struct packet *p = packet_at(n, i, in->packets.head);
    const bool tail = in->passed + 1 == p->flits;

    const uint64_t crossed = now + last_step, next = out->last_sent + 1;
    out->last_sent = crossed > next ? crossed : next;
    const uint64_t arrival = out->last_sent + LINK_CYCLES;
    n->due[arrival % SOON * words_out + (words_out == 1 ? 0 : o / 64)] |= (uint64_t)(out->occupied == 0) << o % 64;
    *flit_at(n, o, ring_add(&out->flits, &n->flit_ring)) = (struct flit){ .request = p->request, .arrival = 2 * arrival + tail };
    out->occupied++;
    n->counters.flits_switched++;

    send_credit(&in->credits, now);
    in->occupied--;
    in->buffered--;
    in->passed++;
    if (!tail)
        return;
    ring_drop(&in->packets, &n->packet_ring, 1);
    in->injecting--;
    in->passed = 0;
    in->busy = false;
    release(n, o, words_in, words_out);
    if (in->buffered)
        ask_for_output(n, i, words_in, words_out);
}

static bool can_pass(const struct network *n, uint32_t o, uint64_t now)
{
    const struct output *out = &n->output[o];
    return n->input[out->owner].buffered && has_credit(&out->credits, out->occupied, n->config.ejection_flits, now);
}

/* An output is given in one step and used from the next; one that is freed in a step is given in the next. With one virtual
 * channel only the owner can ask for the switch of its output, so nobody contests the second allocation. */
static void step(struct network *n, uint32_t words_in, uint32_t words_out, uint64_t now, bool last_step)
{
    for (uint32_t w = 0; w < words_out; w++) {
        n->held_before[w] = n->held[w];
        for (uint64_t m = n->wanted[w]; m; m &= m - 1)
            grant(n, bit_first(w, m), words_in, words_out);
    }
    for (uint32_t w = 0; w < words_out; w++)
        for (uint64_t m = n->held_before[w]; m; m &= m - 1)
            if (can_pass(n, bit_first(w, m), now))
                pass(n, bit_first(w, m), words_in, words_out, now, last_step);
}

/* What reaches the ends of the links. Ticks may have been skipped, but none in which a flit arrived and could go on. */
static void arrive(struct network *n, uint32_t words_in, uint32_t words_out, uint64_t now)
{
    for (uint64_t t = now - n->ticked < SOON ? n->ticked + 1 : now - SOON + 1; t <= now; t++) {
        for (uint32_t w = 0; w < words_out; w++) {
            n->ready[w] |= n->due[t % SOON * words_out + w];
            n->due[t % SOON * words_out + w] = 0;
        }
        for (uint32_t w = 0; w < words_in; w++) {
            for (uint64_t m = n->landing[t % SOON * words_in + w]; m; m &= m - 1)
                receive(n, bit_first(w, m), words_in, words_out);
            n->landing[t % SOON * words_in + w] = 0;
        }
    }
    n->ticked = now;
}

static inline __attribute__((always_inline)) void tick(struct network *n, uint32_t words_in, uint32_t words_out, uint64_t now)
{
    arrive(n, words_in, words_out, now);
    for (uint32_t w = 0; w < words_out; w++)
        for (uint64_t m = n->ready[w]; m; m &= m - 1)
            eject(n, bit_first(w, m), words_out, now);
    for (uint32_t w = 0; w < words_in; w++)
        for (uint64_t m = n->injecting[w]; m; m &= m - 1)
            inject(n, bit_first(w, m), words_in, now);
    for (uint32_t s = 1; s <= n->config.speedup; s++)
        step(n, words_in, words_out, now, s == n->config.speedup);
}

static __attribute__((noinline)) void tick_many_ports(struct network *n, uint64_t now)
{
    tick(n, n->words_in, n->words_out, now);
}

/* One packet from input `i` to output `o`. */
static void cross(struct network *n, uint32_t i, uint32_t o)
{
    struct input *in = &n->input[i];
    struct output *out = &n->output[o];
    uint64_t any = 0;
    *flit_at(n, o, ring_add(&out->flits, &n->flit_ring)) = (struct flit){ .request = packet_at(n, i, in->packets.head)->request };
    out->whole++;
    out->next = i + 1 == n->inputs ? 0 : i + 1;
    bit_set(n->arrived, n->words_out, o);
    bit_clear(n->asking + (size_t)o * n->words_in, n->words_in, i);
    for (uint32_t w = 0; w < n->words_in; w++)
        any |= n->asking[(size_t)o * n->words_in + w];
    if (!any)
        bit_clear(n->wanted, n->words_out, o);
    ring_drop(&in->packets, &n->packet_ring, 1);
    n->counters.flits_switched++;
    in->busy = false;
    if (--in->injection_flits)
        ask_for_output(n, i, n->words_in, n->words_out);
    else
        bit_clear(n->injecting, n->words_in, i);
}

/* The crossbar: each output in turn takes a packet from the next input whose first packet is for it. What lies behind that packet
 * may go to a later output in the same cycle, as in Accel-Sim. */
static __attribute__((noinline)) void crossbar_tick(struct network *n)
{
    for (uint32_t w = 0; w < n->words_in; w++)
        for (uint64_t m = n->injecting[w]; m; m &= m - 1)
            if (!n->input[bit_first(w, m)].busy)
                ask_for_output(n, bit_first(w, m), n->words_in, n->words_out);
    for (uint32_t w = 0; w < n->words_out; w++)
        for (uint64_t left = UINT64_MAX, m; (m = n->wanted[w] & left);) {
            const uint32_t o = bit_first(w, m);
            left = o % 64 == 63 ? 0 : UINT64_MAX << (o % 64 + 1);
            if (n->output[o].whole < n->config.boundary_flits)
                cross(n, round_robin(n, o, n->words_in), o);
        }
}

void network_tick(struct network *n, uint64_t now)
{
    if (n->packets == 0)
        return;
    if (seldom(n->config.model == NET_CROSSBAR)) {
        crossbar_tick(n);
        return;
    }
    if (n->words_in == 1 && n->words_out == 1)
        tick(n, 1, 1, now); /* without loops over words */
    else
        tick_many_ports(n, now);
}

static uint64_t earlier(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* When a sender gets an entry of a buffer of `capacity`; UINT64_MAX when that depends on another event. */
static uint64_t credit_time(const struct credits *c, uint32_t occupied, uint32_t capacity, uint64_t now)
{
    if (has_credit(c, occupied, capacity, now))
        return 0;
    return credits_under_way(c, now) ? next_credit(c, now) : UINT64_MAX;
}

/* When the next flit reaches the end of a link. */
static uint64_t next_on_links(const struct network *n)
{
    for (uint64_t t = n->ticked + 1; t < n->ticked + SOON; t++) {
        uint64_t any = 0;
        for (uint32_t w = 0; w < n->words_in; w++)
            any |= n->landing[t % SOON * n->words_in + w];
        for (uint32_t w = 0; w < n->words_out; w++)
            any |= n->due[t % SOON * n->words_out + w];
        if (any)
            return t;
    }
    return UINT64_MAX;
}

uint64_t network_next_event(const struct network *n, uint64_t now)
{
    if (n->packets == 0)
        return UINT64_MAX;
    if (seldom(n->config.model == NET_CROSSBAR)) {
        uint64_t any = 0;
        for (uint32_t w = 0; w < n->words_in; w++)
            any |= n->injecting[w];
        return any ? now + 1 : UINT64_MAX;
    }
    uint64_t at = next_on_links(n);
    for (uint32_t w = 0; w < n->words_in; w++)
        for (uint64_t m = n->injecting[w]; m; m &= m - 1) {
            const struct input *in = &n->input[bit_first(w, m)];
            at = earlier(at, credit_time(&in->credits, in->occupied, n->config.input_flits, now));
        }
    for (uint32_t w = 0; w < n->words_out; w++) {
        if (n->wanted[w])
            return now + 1;
        for (uint64_t m = n->held[w]; m; m &= m - 1) {
            const struct output *out = &n->output[bit_first(w, m)];
            if (n->input[out->owner].buffered)
                at = earlier(at, credit_time(&out->credits, out->occupied, n->config.ejection_flits, now));
        }
        for (uint64_t m = n->ready[w]; m; m &= m - 1)
            if (boundary_has_room(n, &n->output[bit_first(w, m)]))
                return now + 1;
    }
    return at > now ? at : now + 1;
}
