/* crafted.h - fatbin containers made by hand, for tests. */
#ifndef WARPLINE_TESTS_CRAFTED_H
#define WARPLINE_TESTS_CRAFTED_H
#include <lz4.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

enum crafted_packing { CRAFTED_PLAIN, CRAFTED_LZ4, CRAFTED_ZSTD };
struct crafted {
    uint8_t bytes[8192];
    size_t size;
};

static inline void crafted_put(struct crafted *c, size_t at, uint64_t value, size_t bytes)
{
    memcpy(c->bytes + at, &value, bytes);
}

static inline void crafted_begin(struct crafted *c)
{
    memset(c, 0, sizeof *c);
    crafted_put(c, 0, 0xBA55ED50u, 4);
    crafted_put(c, 4, 1, 2);
    crafted_put(c, 6, 16, 2);
    c->size = 16;
}

/* kind 1: PTX, 2: machine code. The container's size field follows. */
static inline void crafted_add(struct crafted *c, unsigned kind, unsigned architecture, const char *text,
                               enum crafted_packing packing)
{
    const size_t at = c->size, header = 80, length = strlen(text) + 1;
    char packed[4096];
    size_t payload = length;
    uint64_t flags = 0x11;
    memcpy(packed, text, length);
    if (packing == CRAFTED_LZ4) {
        payload = (size_t)LZ4_compress_default(text, packed, (int)length, sizeof packed);
        flags |= 0x2000;
    } else if (packing == CRAFTED_ZSTD) {
        payload = ZSTD_compress(packed, sizeof packed, text, length, 3);
        flags |= 0x8000;
    }
    const size_t padded = (payload + 7) & ~(size_t)7;
    crafted_put(c, at, kind, 2);
    crafted_put(c, at + 2, 0x0101, 2);
    crafted_put(c, at + 4, header, 4);
    crafted_put(c, at + 8, padded, 8);
    crafted_put(c, at + 0x10, packing == CRAFTED_PLAIN ? 0 : payload, 4);
    crafted_put(c, at + 0x1c, architecture, 4);
    crafted_put(c, at + 0x28, flags, 8);
    crafted_put(c, at + 0x38, length, 8);
    memcpy(c->bytes + at + header, packed, payload);
    c->size = at + header + padded;
    crafted_put(c, 8, c->size - 16, 8);
}
#endif
