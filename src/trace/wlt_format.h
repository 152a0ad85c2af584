/* wlt_format.h - the layout of a .wlt file, shared by its writer and its reader. */
#ifndef WARPLINE_TRACE_WLT_FORMAT_H
#define WARPLINE_TRACE_WLT_FORMAT_H
#include "front/front.h"
#include "trace/bytes.h"

#define WLT_MAGIC "WLTRACE\x1a" /* 8 bytes; the control character keeps the file from being taken for text */
#define WLT_END_MAGIC "WLTEND\x1a\n"
enum {
    WLT_VERSION = 3, /* instructions say what work they do */
    WLT_OLDEST_VERSION = 2,
    WLT_PLACE_SEED = 2,
    WLT_HEADER_BYTES = 16,       /* magic, version (4), flags (4) */
    WLT_FLAG_DATA = 1,           /* values of stores and atomics, and what the host wrote, are kept */
    WLT_CHUNK_HEADER_BYTES = 20, /* kind (4), stored bytes (4), bytes before compression (4), check (8) */
    WLT_TRAILER_BYTES = 24,      /* end magic, place of the directory (8), check of the place (8) */
    WLT_BLOCK_BYTES = 256 << 10, /* a block of CTAs is closed when it has grown past this */
    WLT_MOST_WARPS = 64,         /* of a CTA */
    WLT_MOST_CODE = 1 << 18,     /* instructions of a kernel */
};
#define WLT_MOST_CHUNK (UINT32_C(1) << 30)

enum wlt_chunk { WLT_CODE = 1, WLT_BLOCK, WLT_KERNEL, WLT_DIRECTORY, WLT_MEMORY };

struct wlt_chunk_header {
    uint32_t kind, stored, bytes;
    uint64_t check; /* of kind, sizes and the stored bytes */
};
uint64_t wlt_chunk_check(const struct wlt_chunk_header *header, const uint8_t *stored);
uint64_t wlt_place_check(uint64_t directory);

/* The table of static instructions. Entries that never ran and say nothing (all zero but pc and index) cost nothing. */
void wlt_code_write(struct bytes *out, const struct inst *code, uint32_t count);
/* NULL: the bytes make no sense. The caller frees. */
struct inst *wlt_code_read(struct cursor *in, uint32_t *count);

/* True when an execution of it by at least one lane comes with addresses. */
static inline bool wlt_has_addresses(const struct inst *inst)
{
    return inst->class == CLASS_LOAD || inst->class == CLASS_STORE || inst->class == CLASS_ATOMIC || inst->class == CLASS_TEXTURE;
}
/* True when an execution of it by at least one lane can change device memory. */
static inline bool wlt_may_write(const struct inst *inst)
{
    return inst->class == CLASS_STORE || inst->class == CLASS_ATOMIC || inst->class == CLASS_CALL;
}
static inline uint32_t wlt_value_bytes(const struct inst *inst)
{
    return (uint32_t)inst->element_bytes * inst->elements;
}

/* A warp's streams. Flow: segments of instructions that follow each other under one mask:
 *   number  length << 2 | FLOW_JUMP | FLOW_MASK (length 0: the warp has ended)
 *   signed  with FLOW_JUMP: difference to the instruction that would follow
 *   4 bytes with FLOW_MASK: the new mask
 * Operands, per instruction in order: lanes that executed (guarded ones), then addresses or the barrier.
 * Values, when the file keeps them, per instruction that may write: a byte, then what memory holds after it. */
enum { FLOW_MASK = 1, FLOW_JUMP = 2, FLOW_BITS = 2 };
enum guard_form { GUARD_ALL, GUARD_NONE, GUARD_MASK };
/* Barrier: number, or WLT_NO_BARRIER, with the bits below; then the count of warps when it is given. */
enum { BARRIER_NUMBER = 15, BARRIER_WAITS = 16, BARRIER_COUNTED = 32, WLT_NO_BARRIER = 64 };
/* Values: none (shared and local memory); or those at the lanes' addresses, one after the other; or a number of pieces
 * elsewhere. A piece is its signed distance from the address of the last one, its number of bytes, and the bytes themselves. */
enum { VALUES_NONE, VALUES_OF_LANES, VALUES_ELSEWHERE };
#endif
