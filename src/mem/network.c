/* network.c - a crossbar, one for each direction: its parameters, its making, and its two ends, where packets go in and come out.
 * What happens between them is network_router.c. */
#include "mem/network_state.h"

#include <stdlib.h>
#include <string.h>

#define STAT_DEF "mem/net_counters.def"
#define STAT_NAME net
#include "stat/define.h"

static const char *const model_names[] = { "router", "crossbar", NULL };

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
    PARAM_CHOICE(struct net_config, model, "net.model", "router", model_names,
                 "a router with links and flits; or a crossbar in which a packet of any size is one flit and takes one cycle: "
                 "net.injection_flits and net.boundary_flits are then its buffers"),
    PARAM_END
};

bool net_config_check(const struct net_config *config, struct error *err)
{
    if (config->flit_bytes < REQUEST_CONTROL_BYTES)
        return error_set(err, "net.flit_bytes is %u: at least the %d bytes of a packet's control part", config->flit_bytes,
                         (int)REQUEST_CONTROL_BYTES);
    return true;
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

/* Rings are mostly short, and their first places busy. These lie in one cache line of the host, and the lines of all ports would
 * share a few sets of its caches if they lay a power of two apart. */
static uint32_t ring_stride(const struct ring_size *size, size_t entry_bytes)
{
    return size->mask + 1 + (uint32_t)(HOST_LINE_BYTES / entry_bytes);
}

struct network *network_new(const struct net_config *config, uint32_t sources, uint32_t destinations)
{
    struct network *n = must_calloc_aligned(1, sizeof *n);
    n->config = *config;
    for (uint32_t bytes = 0; bytes <= LARGEST_PACKET; bytes++)
        n->flits_of[bytes] = config->model == NET_CROSSBAR ? 1 : (uint8_t)((bytes + config->flit_bytes - 1) / config->flit_bytes);
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
    n->packet_stride = ring_stride(&n->packet_ring, sizeof *n->packet);
    n->flit_stride = ring_stride(&n->flit_ring, sizeof *n->flit);
    n->packet = must_calloc_aligned((size_t)sources * n->packet_stride, sizeof *n->packet);
    n->flit = must_calloc_aligned((size_t)destinations * n->flit_stride, sizeof *n->flit);
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

void network_open_outlet(const struct network *n, uint32_t source, struct outlet *o)
{
    port_init(&o->port, n->config.injection_flits);
    o->limit = n->config.injection_flits;
    o->queued = &n->input[source].injection_flits;
    o->flits_of = n->flits_of;
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

void network_announce(struct network *n, struct network_news *news)
{
    for (uint32_t w = 0; w < news->words; w++) {
        n->injecting[w] |= news->sources[w];
        news->sources[w] = 0;
    }
    n->packets += news->packets;
    n->counters.packets_in += news->packets;
    n->counters.flits_in += news->flits;
    news->packets = news->flits = 0;
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

/* The first packet of a destination that has one. */
static inline struct request *drop_first(struct network *n, uint32_t destination, uint32_t *flits)
{
    struct output *out = &n->output[destination];
    struct request *r = flit_at(n, destination, out->flits.head)->request;
    *flits = flits_of(n, request_packet_bytes(r));
    ring_drop(&out->flits, &n->flit_ring, *flits);
    out->whole--;
    return r;
}

struct request *network_pop(struct network *n, uint32_t destination, uint64_t now)
{
    uint32_t flits;
    if (!n->output[destination].whole)
        return NULL;
    struct request *r = drop_first(n, destination, &flits);
    if (!n->output[destination].whole)
        bit_clear(n->arrived, n->words_out, destination);
    n->packets--;
    n->counters.packets_out++;
    n->counters.flits_out += flits;
    n->counters.packet_cycles += now - r->ready;
    return r;
}

struct request *network_take(struct network *n, uint32_t destination, uint64_t now, struct network_taken *taken)
{
    uint32_t flits;
    struct request *r = drop_first(n, destination, &flits);
    if (!n->output[destination].whole)
        taken->emptied[destination / 64] |= UINT64_C(1) << destination % 64;
    taken->packets++;
    taken->flits += flits;
    taken->cycles += now - r->ready;
    return r;
}

void network_announce_taken(struct network *n, struct network_taken *taken)
{
    for (uint32_t w = 0; w < taken->words; w++) {
        n->arrived[w] &= ~taken->emptied[w];
        taken->emptied[w] = 0;
    }
    n->packets -= taken->packets;
    n->counters.packets_out += taken->packets;
    n->counters.flits_out += taken->flits;
    n->counters.packet_cycles += taken->cycles;
    taken->packets = taken->flits = 0;
    taken->cycles = 0;
}

uint64_t network_arrivals(const struct network *n, uint32_t word)
{
    return n->arrived[word];
}

bool network_has_arrivals(const struct network *n)
{
    uint64_t any = 0;
    for (uint32_t w = 0; w < n->words_out; w++)
        any |= n->arrived[w];
    return any != 0;
}

uint32_t network_packets(const struct network *n)
{
    return n->packets;
}

const struct net_counters *network_counters(const struct network *n)
{
    return &n->counters;
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
