/* cpu_format.h - the frame of a .wct file: header, blocks, checks. See cpu_trace.h. */
#ifndef WARPLINE_TRACE_CPU_FORMAT_H
#define WARPLINE_TRACE_CPU_FORMAT_H
#include "base/hash.h"

#define CPU_TRACE_MAGIC "WLCPU\r\n\x1a"
enum { CPU_TRACE_VERSION = 1, CPU_BLOCK_BYTES_MAX = 16 << 20 };

struct cpu_file_header {
    char magic[8];
    uint32_t version, zero;
};

/* Then `stored` bytes, `raw` bytes when unpacked. The last block has no instructions; its 8 bytes are the file's number of them. */
struct cpu_block_header {
    uint32_t instructions, raw, stored, zero;
    uint64_t check;
};

/* `block` counts from 0: blocks in another order do not pass. */
static inline uint64_t cpu_block_check(const struct cpu_block_header *h, uint32_t block, const void *bytes)
{
    return hash_bytes(bytes, h->stored, hash_combine(hash_combine(hash_combine(block, h->instructions), h->raw), h->stored));
}
#endif
