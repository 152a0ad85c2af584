/* network_state.h - the inside of a network: its two ends are network.c's, what moves between them is network_router.c's. */
#ifndef WARPLINE_MEM_NETWORK_STATE_H
#define WARPLINE_MEM_NETWORK_STATE_H
#include "base/ring.h"
#include "mem/network.h"

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

/* Notes to the sender that an entry of the buffer is free, one per cycle. Notes that the sender has not received yet were sent
 * in consecutive cycles, because a waiting note goes in the cycle after the one before. So two cycles tell how many there are. */
struct credits {
    uint64_t first, last; /* cycles of the latest notes that were sent in a row; 1 and 0 while there was none */
};

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
    uint32_t packet_stride, flit_stride; /* from the ring of one port to the next's; no power of two: see ring_stride */
    struct net_config config;
    struct net_counters counters;
    uint8_t flits_of[LARGEST_PACKET + 1];
};

/* `words`: of the mask. With one word, which the compiler then knows, there is nothing to look for. */
static inline void bit_set(uint64_t *mask, uint32_t words, uint32_t i)
{
    mask[words == 1 ? 0 : i / 64] |= UINT64_C(1) << i % 64;
}
static inline void bit_clear(uint64_t *mask, uint32_t words, uint32_t i)
{
    mask[words == 1 ? 0 : i / 64] &= ~(UINT64_C(1) << i % 64);
}
static inline uint32_t bit_first(uint32_t word, uint64_t m)
{
    return word * 64 + (uint32_t)__builtin_ctzll(m);
}

static inline uint32_t flits_of(const struct network *n, uint32_t bytes)
{
    require(bytes <= LARGEST_PACKET);
    return n->flits_of[bytes];
}

static inline struct packet *packet_at(const struct network *n, uint32_t i, uint32_t slot)
{
    return &n->packet[(size_t)i * n->packet_stride + slot];
}

static inline struct flit *flit_at(const struct network *n, uint32_t o, uint32_t slot)
{
    return &n->flit[(size_t)o * n->flit_stride + slot];
}
#endif
