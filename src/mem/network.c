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
    LARGEST_PACKET = 160 /* bytes up to which a table spares the division */
};

struct packet {
    struct request *request;
    uint64_t pushed;
    uint32_t destination, flits;
};

/* A ring of fixed size; elements are addressed by slot, of which there are a power of two. */
struct ring {
    uint32_t head, count, size, mask;
};

static uint32_t ring_slot(const struct ring *r, uint32_t i)
{
    return (r->head + i) & r->mask;
}

static uint32_t ring_add(struct ring *r)
{
    require(r->count < r->size);
    return ring_slot(r, r->count++);
}

static uint32_t ring_take(struct ring *r)
{
    const uint32_t at = r->head;
    r->head = --r->count ? (at + 1) & r->mask : 0; /* a ring that is mostly short stays in one cache line of the host */
    return at;
}

struct input {
    struct ring packets;         /* all packets of this source that have not left the router; slots of `packet` */
    struct packet *packet;
    uint32_t injection_flits;    /* in the injection queue */
    uint32_t injecting;          /* how many packets of the ring have left the injection queue entirely */
    uint32_t injected;           /* flits of the packet after these that have left it */
    uint32_t occupancy;          /* flits in the router's buffer, the link and on the way back as credit */
    struct ring credits;         /* times at which the injector learns of a freed entry */
    uint64_t *credit;
    uint64_t last_credit;
    uint32_t buffered;           /* flits in the router's buffer */
    uint32_t passed;             /* flits of the head packet that have passed the switch */
    bool busy;                   /* the head packet has asked for its output or holds it */
};

struct output {
    uint32_t owner;              /* input that holds the output, or NOBODY */
    uint32_t next;               /* round robin: the first input to look at */
    uint32_t asking;             /* inputs that ask for the output */
    uint32_t occupancy;          /* flits past the switch, up to the credit that the ejection buffer sends back */
    struct ring credits;
    uint64_t *credit;
    uint64_t last_sent;          /* cycle in which the last flit went on the link */
    struct ring flits;           /* on the link or in the ejection buffer, with the cycle of arrival */
    struct arrival { uint64_t when; bool tail; } *flit;
    struct ring inside;          /* packets whose flits are past the switch or in the boundary buffer */
    struct packet *packet;
    uint32_t whole;              /* packets of these that can be popped */
    uint32_t boundary;           /* flits in the boundary buffer */
};

struct network {
    struct net_config config;
    uint32_t flits_of[LARGEST_PACKET];
    uint32_t inputs, outputs, words_in, words_out;
    struct input *input;
    struct output *output;
    uint64_t *asking;            /* per output, bit per input */
    uint64_t *injecting;         /* inputs with flits in their injection queue */
    uint64_t *wanted, *held, *ejecting, *arrived; /* outputs: asked for, with an owner, with flits behind the switch, to pop */
    uint64_t *held_before;       /* scratch of a step */
    uint64_t *next_arrival;      /* per output: when its first flit comes out of the link */
    struct { uint64_t when; uint32_t count, *input; } link[LINK_CYCLES + 1]; /* flits on the input links by cycle of arrival */
    uint32_t on_links;
    uint32_t packets;
    struct net_counters counters;
};

static void bit_set(uint64_t *words, uint32_t i) { words[i / 64] |= UINT64_C(1) << i % 64; }
static void bit_clear(uint64_t *words, uint32_t i) { words[i / 64] &= ~(UINT64_C(1) << i % 64); }

static uint32_t flits_of(const struct network *n, uint32_t bytes)
{
    return bytes < LARGEST_PACKET ? n->flits_of[bytes] : (bytes + n->config.flit_bytes - 1) / n->config.flit_bytes;
}

/* Returns the slots to allocate. */
static uint32_t ring_init(struct ring *r, uint32_t size)
{
    uint32_t slots = 1;
    while (slots < size)
        slots *= 2;
    *r = (struct ring){ .size = size, .mask = slots - 1 };
    return slots;
}

struct network *network_new(const struct net_config *config, uint32_t sources, uint32_t destinations)
{
    struct network *n = must_calloc(1, sizeof *n);
    n->config = *config;
    for (uint32_t bytes = 0; bytes < LARGEST_PACKET; bytes++)
        n->flits_of[bytes] = (bytes + config->flit_bytes - 1) / config->flit_bytes;
    n->inputs = sources;
    n->outputs = destinations;
    n->words_in = (sources + 63) / 64;
    n->words_out = (destinations + 63) / 64;
    n->input = must_calloc(sources, sizeof *n->input);
    n->output = must_calloc(destinations, sizeof *n->output);
    n->asking = must_calloc((uint64_t)destinations * n->words_in, sizeof(uint64_t));
    n->injecting = must_calloc(n->words_in, sizeof(uint64_t));
    n->wanted = must_calloc(5ul * n->words_out, sizeof(uint64_t));
    n->held = n->wanted + n->words_out;
    n->ejecting = n->held + n->words_out;
    n->arrived = n->ejecting + n->words_out;
    n->held_before = n->arrived + n->words_out;
    n->next_arrival = must_calloc(destinations, sizeof(uint64_t));
    for (uint32_t i = 0; i <= LINK_CYCLES; i++)
        n->link[i].input = must_calloc(sources, sizeof(uint32_t));
    /* A packet has at least one flit; one larger than its queue may be in it alone. */
    const uint32_t in_packets = config->injection_flits + config->input_flits + 1;
    const uint32_t out_packets = config->ejection_flits + config->boundary_flits + 1;
    for (uint32_t i = 0; i < sources; i++) {
        struct input *in = &n->input[i];
        in->packet = must_calloc(ring_init(&in->packets, in_packets), sizeof *in->packet);
        in->credit = must_calloc(ring_init(&in->credits, config->input_flits), sizeof *in->credit);
    }
    for (uint32_t i = 0; i < destinations; i++) {
        struct output *out = &n->output[i];
        out->owner = NOBODY;
        out->credit = must_calloc(ring_init(&out->credits, config->ejection_flits), sizeof *out->credit);
        out->flit = must_calloc(ring_init(&out->flits, config->ejection_flits), sizeof *out->flit);
        out->packet = must_calloc(ring_init(&out->inside, out_packets), sizeof *out->packet);
    }
    return n;
}

void network_free(struct network *n)
{
    if (!n)
        return;
    for (uint32_t i = 0; i < n->inputs; i++) {
        free(n->input[i].packet);
        free(n->input[i].credit);
    }
    for (uint32_t i = 0; i < n->outputs; i++) {
        free(n->output[i].credit);
        free(n->output[i].flit);
        free(n->output[i].packet);
    }
    for (uint32_t i = 0; i <= LINK_CYCLES; i++)
        free(n->link[i].input);
    free(n->input);
    free(n->output);
    free(n->asking);
    free(n->injecting);
    free(n->wanted);
    free(n->next_arrival);
    free(n);
}

bool network_has_room(const struct network *n, uint32_t source, uint32_t bytes)
{
    const struct input *in = &n->input[source];
    return in->injection_flits == 0 || in->injection_flits + flits_of(n, bytes) <= n->config.injection_flits;
}

void network_push(struct network *n, uint32_t source, uint32_t destination, struct request *r, uint64_t now)
{
    const uint32_t bytes = request_packet_bytes(r);
    require(source < n->inputs && destination < n->outputs && network_has_room(n, source, bytes));
    struct input *in = &n->input[source];
    const struct packet p = { .request = r, .pushed = now, .destination = destination, .flits = flits_of(n, bytes) };
    in->packet[ring_add(&in->packets)] = p;
    in->injection_flits += p.flits;
    bit_set(n->injecting, source);
    n->packets++;
    n->counters.packets_in++;
    n->counters.flits_in += p.flits;
}

struct request *network_peek(const struct network *n, uint32_t destination)
{
    const struct output *out = &n->output[destination];
    return out->whole ? out->packet[out->inside.head].request : NULL;
}

struct request *network_pop(struct network *n, uint32_t destination, uint64_t now)
{
    struct output *out = &n->output[destination];
    if (!out->whole)
        return NULL;
    const struct packet *p = &out->packet[ring_take(&out->inside)];
    out->boundary -= p->flits;
    if (--out->whole == 0)
        bit_clear(n->arrived, destination);
    n->packets--;
    n->counters.packets_out++;
    n->counters.flits_out += p->flits;
    n->counters.packet_cycles += now - p->pushed;
    return p->request;
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

static void take_credits(uint32_t *occupancy, struct ring *credits, const uint64_t *credit, uint64_t now)
{
    while (credits->count && credit[credits->head] <= now) {
        (void)ring_take(credits);
        --*occupancy;
    }
}

/* An entry will be free at `when`. Those that are free by now are taken off the list, so that it stays short. */
static void note_credit(uint32_t *occupancy, struct ring *credits, uint64_t *credit, uint64_t when, uint64_t now)
{
    take_credits(occupancy, credits, credit, now);
    credit[ring_add(credits)] = when;
}

static bool has_credit(uint32_t *occupancy, uint32_t capacity, struct ring *credits, const uint64_t *credit, uint64_t now)
{
    if (*occupancy == capacity)
        take_credits(occupancy, credits, credit, now);
    return *occupancy < capacity;
}

static bool boundary_has_room(const struct network *n, const struct output *out)
{
    return out->boundary < n->config.boundary_flits || out->whole == 0;
}

/* Ejection buffer to boundary buffer, one flit per output and cycle; the last flit makes a packet that can be popped. */
static void eject(struct network *n, uint64_t now)
{
    for (uint32_t w = 0; w < n->words_out; w++)
        for (uint64_t m = n->ejecting[w]; m; m &= m - 1) {
            const uint32_t o = w * 64 + (uint32_t)__builtin_ctzll(m);
            if (n->next_arrival[o] > now)
                continue;
            struct output *out = &n->output[o];
            if (!boundary_has_room(n, out))
                continue;
            const struct arrival a = out->flit[ring_take(&out->flits)];
            out->boundary++;
            note_credit(&out->occupancy, &out->credits, out->credit, now + CREDIT_CYCLES, now);
            if (out->flits.count == 0)
                bit_clear(n->ejecting, o);
            else
                n->next_arrival[o] = out->flit[out->flits.head].when;
            if (a.tail) {
                __builtin_prefetch(out->packet[out->inside.head].request); /* popped in a later tick */
                out->whole++;
                bit_set(n->arrived, o);
            }
        }
}

static void ask_for_output(struct network *n, uint32_t i)
{
    struct input *in = &n->input[i];
    const uint32_t o = in->packet[in->packets.head].destination;
    in->busy = true;
    bit_set(n->asking + (size_t)o * n->words_in, i);
    n->output[o].asking++;
    if (n->output[o].owner == NOBODY)
        bit_set(n->wanted, o);
}

static void receive(struct network *n, uint64_t now)
{
    if (!n->on_links)
        return;
    for (uint32_t s = 0; s <= LINK_CYCLES; s++) {
        if (n->link[s].count == 0 || n->link[s].when > now)
            continue;
        for (uint32_t k = 0; k < n->link[s].count; k++) {
            struct input *in = &n->input[n->link[s].input[k]];
            in->buffered++;
            if (!in->busy)
                ask_for_output(n, n->link[s].input[k]);
        }
        n->on_links -= n->link[s].count;
        n->link[s].count = 0;
    }
}

static void inject(struct network *n, uint64_t now)
{
    const uint32_t s = (uint32_t)((now + LINK_CYCLES) % (LINK_CYCLES + 1));
    for (uint32_t w = 0; w < n->words_in; w++)
        for (uint64_t m = n->injecting[w]; m; m &= m - 1) {
            const uint32_t i = w * 64 + (uint32_t)__builtin_ctzll(m);
            struct input *in = &n->input[i];
            if (!has_credit(&in->occupancy, n->config.input_flits, &in->credits, in->credit, now))
                continue;
            in->occupancy++;
            if (++in->injected == in->packet[ring_slot(&in->packets, in->injecting)].flits) {
                in->injecting++;
                in->injected = 0;
            }
            if (--in->injection_flits == 0)
                bit_clear(n->injecting, i);
            n->link[s].when = now + LINK_CYCLES;
            n->link[s].input[n->link[s].count++] = i;
            n->on_links++;
        }
}

/* The first asking input at or after the pointer, cyclically. */
static uint32_t round_robin(const struct network *n, uint32_t o)
{
    const uint64_t *asking = n->asking + (size_t)o * n->words_in;
    const uint32_t from = n->output[o].next;
    uint32_t w = from / 64;
    uint64_t m = asking[w] & (UINT64_MAX << from % 64);
    while (!m) {
        w = w + 1 == n->words_in ? 0 : w + 1;
        m = asking[w];
    }
    return w * 64 + (uint32_t)__builtin_ctzll(m);
}

static void grant(struct network *n, uint32_t o)
{
    struct output *out = &n->output[o];
    const uint32_t i = round_robin(n, o);
    out->owner = i;
    out->next = i + 1 == n->inputs ? 0 : i + 1;
    bit_clear(n->asking + (size_t)o * n->words_in, i);
    out->asking--;
    bit_clear(n->wanted, o);
    bit_set(n->held, o);
}

static void release(struct network *n, uint32_t o)
{
    struct output *out = &n->output[o];
    out->owner = NOBODY;
    bit_clear(n->held, o);
    if (out->asking)
        bit_set(n->wanted, o);
}

/* One flit of the owner passes the switch of output `o`. It crosses in the next step, and leaves over the link in the cycle of that
 * step, after the flits before it. */
static void pass(struct network *n, uint32_t o, uint64_t now, bool last_step)
{
    struct output *out = &n->output[o];
    struct input *in = &n->input[out->owner];
    const uint32_t i = out->owner;
    const struct packet *p = &in->packet[in->packets.head];
    const bool head = in->passed == 0, tail = in->passed + 1 == p->flits;

    out->occupancy++;
    const uint64_t crossed = now + (last_step ? 1 : 0);
    out->last_sent = crossed > out->last_sent ? crossed : out->last_sent + 1;
    if (!out->flits.count) {
        bit_set(n->ejecting, o);
        n->next_arrival[o] = out->last_sent + LINK_CYCLES;
    }
    out->flit[ring_add(&out->flits)] = (struct arrival){ .when = out->last_sent + LINK_CYCLES, .tail = tail };
    if (head)
        out->packet[ring_add(&out->inside)] = *p;
    n->counters.flits_switched++;

    in->last_credit = now > in->last_credit ? now : in->last_credit + 1; /* one credit per cycle on the way back */
    note_credit(&in->occupancy, &in->credits, in->credit, in->last_credit + CREDIT_CYCLES, now);
    in->buffered--;
    in->passed++;
    if (!tail)
        return;
    (void)ring_take(&in->packets);
    in->injecting--;
    in->passed = 0;
    in->busy = false;
    release(n, o);
    if (in->buffered)
        ask_for_output(n, i);
}

static bool can_pass(struct network *n, uint32_t o, uint64_t now)
{
    struct output *out = &n->output[o];
    return n->input[out->owner].buffered &&
           has_credit(&out->occupancy, n->config.ejection_flits, &out->credits, out->credit, now);
}

/* An output is given in one step and used from the next; one freed in a step is given in the next. With one virtual channel, the
 * owner is the only input that can ask for the switch of its output, so that the second allocation is never contested. */
static void step(struct network *n, uint64_t now, bool last_step)
{
    for (uint32_t w = 0; w < n->words_out; w++) {
        n->held_before[w] = n->held[w];
        for (uint64_t m = n->wanted[w]; m; m &= m - 1)
            grant(n, w * 64 + (uint32_t)__builtin_ctzll(m));
    }
    for (uint32_t w = 0; w < n->words_out; w++)
        for (uint64_t m = n->held_before[w]; m; m &= m - 1) {
            const uint32_t o = w * 64 + (uint32_t)__builtin_ctzll(m);
            if (can_pass(n, o, now))
                pass(n, o, now, last_step);
        }
}

void network_tick(struct network *n, uint64_t now)
{
    if (n->packets == 0)
        return;
    eject(n, now);
    receive(n, now);
    inject(n, now);
    for (uint32_t s = 1; s <= n->config.speedup; s++)
        step(n, now, s == n->config.speedup);
}

static uint64_t earlier(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* When a sender that is out of entries gets one: UINT64_MAX when that hangs on another event. */
static uint64_t credit_time(uint32_t occupancy, uint32_t capacity, const struct ring *credits, const uint64_t *credit)
{
    if (occupancy < capacity)
        return 0;
    return credits->count ? credit[credits->head] : UINT64_MAX;
}

uint64_t network_next_event(const struct network *n, uint64_t now)
{
    if (n->packets == 0)
        return UINT64_MAX;
    uint64_t at = UINT64_MAX;
    for (uint32_t s = 0; n->on_links && s <= LINK_CYCLES; s++)
        if (n->link[s].count)
            at = earlier(at, n->link[s].when);
    for (uint32_t w = 0; w < n->words_in; w++)
        for (uint64_t m = n->injecting[w]; m; m &= m - 1) {
            const struct input *in = &n->input[w * 64 + (uint32_t)__builtin_ctzll(m)];
            at = earlier(at, credit_time(in->occupancy, n->config.input_flits, &in->credits, in->credit));
        }
    for (uint32_t w = 0; w < n->words_out; w++) {
        if (n->wanted[w])
            return now + 1;
        for (uint64_t m = n->held[w]; m; m &= m - 1) {
            const struct output *out = &n->output[w * 64 + (uint32_t)__builtin_ctzll(m)];
            if (n->input[out->owner].buffered)
                at = earlier(at, credit_time(out->occupancy, n->config.ejection_flits, &out->credits, out->credit));
        }
        for (uint64_t m = n->ejecting[w]; m; m &= m - 1) {
            const struct output *out = &n->output[w * 64 + (uint32_t)__builtin_ctzll(m)];
            if (boundary_has_room(n, out))
                at = earlier(at, n->next_arrival[w * 64 + (uint32_t)__builtin_ctzll(m)]);
        }
    }
    return at > now ? at : now + 1;
}

static void dump_packet(const struct packet *p, FILE *out)
{
    const struct request *r = p->request;
    fprintf(out, "%s of 0x%llx of SM %u warp %u to %u, pushed at %llu\n", r->write ? "write" : "read", (unsigned long long)r->address,
            r->sm, r->warp, p->destination, (unsigned long long)p->pushed);
}

void network_dump(const struct network *n, const char *name, FILE *out)
{
    for (uint32_t i = 0; i < n->inputs; i++) {
        const struct input *in = &n->input[i];
        if (!in->packets.count)
            continue;
        fprintf(out, "%s network, source %u: %u packets (%u flits not yet sent, %u in the router); first: ", name, i, in->packets.count,
                in->injection_flits, in->buffered);
        dump_packet(&in->packet[in->packets.head], out);
    }
    for (uint32_t o = 0; o < n->outputs; o++) {
        const struct output *x = &n->output[o];
        if (!x->inside.count)
            continue;
        fprintf(out, "%s network, destination %u: %u packets, %u to pop; first: ", name, o, x->inside.count, x->whole);
        dump_packet(&x->packet[x->inside.head], out);
    }
}
