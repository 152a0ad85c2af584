/* request.h - one memory transaction on its way from an SM to memory and back.
 *
 * Made once (at the coalescer, or by a cache that writes back), travels down, comes back up, and returns to its pool. */
#ifndef WARPLINE_MEM_REQUEST_H
#define WARPLINE_MEM_REQUEST_H
#include <stdbool.h>
#include <stdint.h>

enum request_kind {
    REQUEST_GLOBAL_READ,
    REQUEST_GLOBAL_WRITE,
    REQUEST_LOCAL_READ,
    REQUEST_LOCAL_WRITE,
    REQUEST_ATOMIC,
    REQUEST_CONST_READ,
    REQUEST_TEXTURE_READ,
    REQUEST_INSTRUCTION_READ,
    REQUEST_L1_WRITEBACK,
    REQUEST_L2_WRITEBACK,
    REQUEST_L1_ALLOC_READ /* write-allocate fetch */,
    REQUEST_L2_ALLOC_READ,
    REQUEST_POLICY /* injected by a policy (register backup) */
};

enum { SECTOR_BYTES = 32, REQUEST_CONTROL_BYTES = 8 };

struct byte_mask { /* which of a line's up to 128 bytes */
    uint64_t word[2];
};

/* Two cache lines of the host: what every stage asks lies in the first. */
struct request {
    uint64_t address;       /* of the first byte of the transaction, aligned to its size */
    uint64_t ready;         /* scratch for delay queues: clock at which the next stage may take it */
    struct request *origin; /* a sector request: the read that it was split from, which waits in an L1's MSHR; else NULL */
    uint32_t bytes;         /* 32, 64 or 128; a write-back of dirty sectors may be 96 */
    uint32_t slot;          /* LSU's handle of the instruction it belongs to */
    uint32_t slice_set;     /* set of the L2 slice that its address maps to; filled in on arrival there */
    uint32_t row;
    uint16_t sm, warp, scheduler;
    uint16_t slice, bank; /* where the address map sends it; slice is global: channel * slices_per_channel + k */
    uint8_t sectors;      /* 32 B sectors touched, bit per sector of the line */
    uint8_t kind;         /* enum request_kind */
    uint8_t awaited;      /* sector replies still to come for it (the L2 split it in so many) */
    uint8_t asked;        /* levels (1 << enum policy_level) whose before_lookup hooks have answered for it */
    uint8_t transactions; /* into how many its instruction was split: the degree of memory divergence */
    uint8_t fill_bytes;   /* what a miss fetches of the line; 0: all of it (a policy may ask for less) */
    uint8_t fetches;      /* of a sectored L1 that it still waits for */
    bool write, is_reply, reply_needed, bypass_l1, bypass_l2, no_allocate_l1, no_allocate_l2;

    struct byte_mask mask; /* bytes touched */
    struct request *next;  /* in a list of whoever holds it */
    uint64_t pc;
    uint64_t issued;      /* core cycle at which the coalescer made it */
    uint64_t policy_word; /* scratch of the policy that owns the request's hook (signature, predicted class...) */
    uint32_t lanes;       /* lanes of the warp served by it */
    uint32_t cta;
    uint32_t entered_links; /* network cycle, its low bits */
    uint8_t to_module;      /* on the links: where it goes */
    bool shares_header;     /* on the links: it is a bit in the packet of the request before it */
    bool bypass_l15, no_allocate_l15;
};
_Static_assert(sizeof(struct request) == 128, "a request is two cache lines");

/* Packet size on the network: control, and data when data travels in this direction. */
static inline uint32_t request_packet_bytes(const struct request *r)
{
    const bool data = r->is_reply ? !r->write : (r->write || r->kind == REQUEST_ATOMIC);
    return data ? REQUEST_CONTROL_BYTES + r->bytes : REQUEST_CONTROL_BYTES;
}

/* The bytes of one sector in a mask: 32 bits. */
static inline uint32_t byte_mask_sector(const struct byte_mask *mask, uint32_t sector)
{
    return (uint32_t)(mask->word[sector / 2] >> (sector % 2 * 32));
}

/* A pool with a high-water mark: no allocation once warm. Requests live until request_free. */
struct request_pool;
struct request_pool *request_pool_new(void);
void request_pool_free(struct request_pool *pool);
struct request *request_make(struct request_pool *pool);
struct request *request_copy(struct request_pool *pool, const struct request *of);
void request_free(struct request_pool *pool, struct request *r);
/* Takes a reply from the network. The L2 answers a load of more than 32 bytes sector by sector: returns the load itself when
 * `reply` was the last sector awaited, NULL before; the sector request is freed. A reply that was never split is returned as it is.
 */
struct request *request_join_sectors(struct request_pool *pool, struct request *reply);
/* How many are out: 0 at the end of every kernel, or something leaks. */
uint64_t request_pool_live(const struct request_pool *pool);
/* Several pools, one for each thread: a request may be given back to another pool than it was taken from. How many are out of all
 * of them; and moving some from one that has many to one that has few. */
uint64_t request_pools_live(struct request_pool *const *pools, uint32_t count);
void request_pools_balance(struct request_pool *const *pools, uint32_t count);
#endif
