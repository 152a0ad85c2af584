/* network.c - a crossbar, one for each direction: packets as flits, finite buffers, and who may send next. */
#include "mem/network.h"

#include <stdlib.h>
#include <string.h>

#define STAT_DEF "mem/net_counters.def"
#define STAT_NAME net
#include "stat/define.h"

/* Defaults: the reference's GTX 480 network (a one-stage butterfly of 27 nodes). Injection queue 9 and boundary buffer 16 are its
 * interface's defaults; the ejection buffer takes the size of a virtual channel. */
const struct param net_params[] = {
    PARAM_U32(struct net_config, flit_bytes, "net.flit_bytes", 40, 1, 4096, "bytes", "bytes of a packet that move together"),
    PARAM_U32(struct net_config, injection_flits, "net.injection_flits", 9, 1, 4096, "flits",
              "queue between a source and its link; a source sees room for a packet or none"),
    PARAM_U32(struct net_config, input_flits, "net.input_flits", 64, 1, 4096, "flits", "input buffer of the router, per input"),
    PARAM_U32(struct net_config, ejection_flits, "net.ejection_flits", 64, 1, 4096, "flits", "ejection buffer, per output"),
    PARAM_U32(struct net_config, boundary_flits, "net.boundary_flits", 16, 1, 4096, "flits",
              "flits handed to a destination that it has not yet taken"),
    PARAM_U32(struct net_config, speedup, "net.speedup", 2, 1, 8, "steps", "steps of the router per network cycle"),
    PARAM_END
};

bool net_config_check(const struct net_config *config, struct error *err)
{
    if (config->flit_bytes < REQUEST_CONTROL_BYTES)
        return error_set(err, "net.flit_bytes is %u: at least the %d bytes of a packet's control part", config->flit_bytes,
                         (int)REQUEST_CONTROL_BYTES);
    return true;
}

enum {
    LINK_CYCLES = 2,   /* from the tick that sends a flit to the tick that sees it at the other end */
    CREDIT_CYCLES = 2, /* the same for the note that a buffer entry is free */
    NOBODY = UINT32_MAX,
    LARGEST_PACKET = REQUEST_CONTROL_BYTES + 128 /* bytes */
};

/* A packet on its way to the router. Its request holds the time of the push in `ready`, which nobody else uses meanwhile. */
struct packet {
    struct request *request;
    uint32_t destination, flits;
};

/* A flit behind the switch. */
struct flit {
    struct request *request; /* whose packet it belongs to */
    uint64_t arrival;        /* twice the cycle in which it comes out of the link, plus 1 if it is the packet's last */
};

/* A ring of slots in an array. The number of slots (a power of two) and how many may be used are the same for all rings of a
 * kind. */
struct ring {
    uint32_t head, count;
};
struct ring_size {
    uint32_t limit, mask, shift;
}; /* shift: log2 of the slots */

static uint32_t ring_slot(const struct ring *r, const struct ring_size *size, uint32_t i)
{
    return (r->head + i) & size->mask;
}

static uint32_t ring_add(struct ring *r, const struct ring_size *size)
{
    require(r->count < size->limit);
    return ring_slot(r, size, r->count++);
}

static void ring_drop(struct ring *r, const struct ring_size *size, uint32_t entries)
{
    r->count -= entries;
    /* A ring that is mostly short stays in one cache line of the host. There is no branch, since no host can predict whether it
     * is empty. */
    r->head = ring_slot(r, size, entries) & -(uint32_t)(r->count != 0);
}

/* Notes to the sender that an entry of the buffer is free, one per cycle. Notes that the sender has not received yet were sent
 * in consecutive cycles, because a waiting note goes in the cycle after the one before. So two cycles tell how many there are. */
struct credits {
    uint64_t first, last;
}; /* cycles of the latest notes that were sent in a row; none at first: 1 and 0 */

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

/* The state of a port is a cache line of the host. */
struct input {
    struct ring packets;      /* all packets of this source that have not left the router */
    uint32_t injection_flits; /* in the injection queue */
    uint32_t injecting;       /* how many packets of the ring have left the injection queue completely */
    uint32_t unsent;          /* flits of the packet after these that have not left it */
    uint32_t occupied;        /* flits in the router's buffer and on the link to it */
    uint32_t buffered;        /* flits in the router's buffer */
    uint32_t passed;          /* flits of the head packet that have passed the switch */
    struct credits credits;
    bool busy; /* the head packet has asked for its output or holds it */
    uint64_t unused;
};

struct output {
    uint32_t owner;     /* input that holds the output, or NOBODY */
    uint32_t next;      /* round robin: the first input to look at */
    struct ring flits;  /* in the boundary buffer, then in the ejection buffer, then on the link */
    uint32_t occupied;  /* of these, how many are not yet in the boundary buffer */
    uint32_t whole;     /* packets that can be popped */
    uint64_t last_sent; /* cycle in which the last flit went on the link */
    struct credits credits;
    uint64_t unused[2];
};
_Static_assert(sizeof(struct input) == 64 && sizeof(struct output) == 64, "a port is one cache line");

/* Flits on links, by the cycle in which they arrive modulo SOON: a bit per port. The next flit of a link is never further away
 * than that. */
enum { SOON = 4 };
_Static_assert(LINK_CYCLES + 2 <= SOON, "arrival at most LINK_CYCLES + 1 cycles from now");

struct network {
    /* Masks, bit per port. */
    uint64_t *injecting;     /* inputs with flits in their injection queue */
    uint64_t *landing;       /* SOON times: inputs with a flit on their link */
    uint64_t *wanted, *held; /* outputs: asked for and free, with an owner */
    uint64_t *due, *ready;   /* outputs whose first flit is on the link (SOON times), is in the ejection buffer */
    uint64_t *arrived;       /* outputs with a packet to pop */
    uint64_t *held_before;   /* scratch of a step */
    uint64_t *asking;        /* per output, bit per input */
    struct input *input;
    struct output *output;
    struct packet *packet; /* of all inputs */
    struct flit *flit;     /* of all outputs */
    uint64_t ticked;       /* cycle of the last tick */
    uint32_t packets;
    uint32_t words_in, words_out;
    uint32_t inputs, outputs;
    struct ring_size packet_ring, flit_ring;
    struct net_config config;
    struct net_counters counters;
    uint8_t flits_of[LARGEST_PACKET + 1];
};

/* `words`: of the mask. With one word, which the compiler then knows, there is nothing to look for. */
static void bit_set(uint64_t *mask, uint32_t words, uint32_t i)
{
    mask[words == 1 ? 0 : i / 64] |= UINT64_C(1) << i % 64;
}
static void bit_clear(uint64_t *mask, uint32_t words, uint32_t i)
{
    mask[words == 1 ? 0 : i / 64] &= ~(UINT64_C(1) << i % 64);
}
static uint32_t bit_first(uint32_t word, uint64_t m)
{
    return word * 64 + (uint32_t)__builtin_ctzll(m);
}

static uint32_t flits_of(const struct network *n, uint32_t bytes)
{
    require(bytes <= LARGEST_PACKET);
    return n->flits_of[bytes];
}

static struct packet *packet_at(const struct network *n, uint32_t i, uint32_t slot)
{
    return &n->packet[((size_t)i << n->packet_ring.shift) + slot];
}

static struct flit *flit_at(const struct network *n, uint32_t o, uint32_t slot)
{
    return &n->flit[((size_t)o << n->flit_ring.shift) + slot];
}

static struct ring_size ring_size(uint32_t limit)
{
    struct ring_size size = { .limit = limit };
    while ((1u << size.shift) < limit)
        size.shift++;
    size.mask = (1u << size.shift) - 1;
    return size;
}

static void make_masks(struct network *n)
{
    const uint32_t in = n->words_in, out = n->words_out;
    n->injecting = must_calloc_aligned((1ul + SOON) * in + (5ul + SOON) * out, sizeof(uint64_t));
    n->landing = n->injecting + in;
    n->wanted = n->landing + SOON * in;
    n->held = n->wanted + out;
    n->due = n->held + out;
    n->ready = n->due + SOON * out;
    n->arrived = n->ready + out;
    n->held_before = n->arrived + out;
    n->asking = must_calloc((uint64_t)n->outputs * in, sizeof(uint64_t));
}

struct network *network_new(const struct net_config *config, uint32_t sources, uint32_t destinations)
{
    struct network *n = must_calloc_aligned(1, sizeof *n);
    n->config = *config;
    for (uint32_t bytes = 0; bytes <= LARGEST_PACKET; bytes++)
        n->flits_of[bytes] = (uint8_t)((bytes + config->flit_bytes - 1) / config->flit_bytes);
    n->inputs = sources;
    n->outputs = destinations;
    n->words_in = (sources + 63) / 64;
    n->words_out = (destinations + 63) / 64;
    make_masks(n);
    /* A packet has at least one flit; one larger than its queue may be in it alone. */
    n->packet_ring = ring_size(config->injection_flits + config->input_flits + 1);
    n->flit_ring = ring_size(config->ejection_flits + config->boundary_flits + n->flits_of[LARGEST_PACKET]);
    n->input = must_calloc_aligned(sources, sizeof *n->input);
    n->output = must_calloc_aligned(destinations, sizeof *n->output);
    n->packet = must_calloc_aligned((size_t)sources << n->packet_ring.shift, sizeof *n->packet);
    n->flit = must_calloc_aligned((size_t)destinations << n->flit_ring.shift, sizeof *n->flit);
    for (uint32_t i = 0; i < sources; i++)
        n->input[i].credits.first = 1;
    for (uint32_t o = 0; o < destinations; o++) {
        n->output[o].credits.first = 1;
        n->output[o].owner = NOBODY;
    }
    return n;
}

void network_free(struct network *n)
{
    if (!n)
        return;
    free(n->input);
    free(n->output);
    free(n->packet);
    free(n->flit);
    free(n->asking);
    free(n->injecting);
    free(n);
}

static bool has_room(const struct network *n, const struct input *in, uint32_t flits)
{
    return (in->injection_flits == 0) | (in->injection_flits + flits <= n->config.injection_flits);
}

bool network_has_room(const struct network *n, uint32_t source, uint32_t bytes)
{
    return has_room(n, &n->input[source], flits_of(n, bytes));
}

uint32_t network_put(struct network *n, uint32_t source, uint32_t destination, struct request *r, uint64_t now)
{
    const uint32_t flits = flits_of(n, request_packet_bytes(r));
    struct input *in = &n->input[source];
    require(source < n->inputs && destination < n->outputs && has_room(n, in, flits));
    *packet_at(n, source, ring_add(&in->packets, &n->packet_ring)) =
        (struct packet){ .request = r, .destination = destination, .flits = flits };
    r->ready = now;
    in->unsent += in->injection_flits ? 0 : flits;
    in->injection_flits += flits;
    return flits;
}

void network_announce(struct network *n, const struct network_news *news)
{
    for (uint32_t w = 0; w < n->words_in; w++)
        n->injecting[w] |= news->sources[w];
    n->packets += news->packets;
    n->counters.packets_in += news->packets;
    n->counters.flits_in += news->flits;
}

void network_push(struct network *n, uint32_t source, uint32_t destination, struct request *r, uint64_t now)
{
    const uint32_t flits = network_put(n, source, destination, r, now);
    bit_set(n->injecting, n->words_in, source);
    n->packets++;
    n->counters.packets_in++;
    n->counters.flits_in += flits;
}

struct request *network_peek(const struct network *n, uint32_t destination)
{
    const struct output *out = &n->output[destination];
    return out->whole ? flit_at(n, destination, out->flits.head)->request : NULL;
}

struct request *network_pop(struct network *n, uint32_t destination, uint64_t now)
{
    struct output *out = &n->output[destination];
    if (!out->whole)
        return NULL;
    struct request *r = flit_at(n, destination, out->flits.head)->request;
    const uint32_t flits = flits_of(n, request_packet_bytes(r));
    ring_drop(&out->flits, &n->flit_ring, flits);
    if (--out->whole == 0)
        bit_clear(n->arrived, n->words_out, destination);
    n->packets--;
    n->counters.packets_out++;
    n->counters.flits_out += flits;
    n->counters.packet_cycles += now - r->ready;
    return r;
}

uint64_t network_arrivals(const struct network *n, uint32_t word)
{
    return n->arrived[word];
}

uint32_t network_packets(const struct network *n)
{
    return n->packets;
}

const struct net_counters *network_counters(const struct network *n)
{
    return &n->counters;
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
    const struct flit *f = flit_at(n, o, ring_slot(&out->flits, &n->flit_ring, out->flits.count - out->occupied));
    if (--out->occupied == 0) {
        bit_clear(n->ready, words_out, o);
    } else {
        const uint64_t next = flit_at(n, o, ring_slot(&out->flits, &n->flit_ring, out->flits.count - out->occupied))->arrival / 2;
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
            in->unsent = packet_at(n, i, ring_slot(&in->packets, &n->packet_ring, in->injecting))->flits;
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

void network_tick(struct network *n, uint64_t now)
{
    if (n->packets == 0)
        return;
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

static void dump_packet(const struct request *r, uint32_t destination, FILE *out)
{
    fprintf(out, "%s of 0x%llx of SM %u warp %u to %u, pushed at %llu\n", r->write ? "write" : "read",
            (unsigned long long)r->address, r->sm, r->warp, destination, (unsigned long long)r->ready);
}

void network_dump(const struct network *n, const char *name, FILE *out)
{
    for (uint32_t i = 0; i < n->inputs; i++) {
        const struct input *in = &n->input[i];
        if (!in->packets.count)
            continue;
        fprintf(out, "%s network, source %u: %u packets (%u flits not yet sent, %u in the router); first: ", name, i,
                in->packets.count, in->injection_flits, in->buffered);
        const struct packet *p = packet_at(n, i, in->packets.head);
        dump_packet(p->request, p->destination, out);
    }
    for (uint32_t o = 0; o < n->outputs; o++) {
        const struct output *x = &n->output[o];
        if (!x->flits.count)
            continue;
        fprintf(out, "%s network, destination %u: %u flits, %u packets to pop; first: ", name, o, x->flits.count, x->whole);
        dump_packet(flit_at(n, o, x->flits.head)->request, o, out);
    }
}
