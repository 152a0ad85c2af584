/* bits.h - writing and reading a packed line bit by bit. Private to src/compress. */
#ifndef WARPLINE_COMPRESS_BITS_H
#define WARPLINE_COMPRESS_BITS_H
#include <string.h>

#include "compress/compress.h"

struct bit_writer {
    uint64_t held; /* not yet in `out`, lowest first */
    uint32_t held_bits, bits;
    uint8_t *out;
    uint32_t room; /* bits that still make the line smaller; beyond, nothing is written */
};

static inline struct bit_writer bits_to(struct packed_line *line, uint32_t bytes)
{
    return (struct bit_writer){ .out = line->data, .room = bytes * 8 };
}

/* The `count` lowest bits of `value`, which has no others; at most 32. */
static inline void bits_put(struct bit_writer *w, uint64_t value, uint32_t count)
{
    w->bits += count;
    if (w->bits > w->room)
        return;
    w->held |= value << w->held_bits;
    w->held_bits += count;
    if (w->held_bits >= 32) {
        const uint32_t word = (uint32_t)w->held;
        memcpy(w->out, &word, 4);
        w->out += 4;
        w->held >>= 32;
        w->held_bits -= 32;
    }
}

/* The line as it is, when packing did not make it smaller. */
static inline void line_keep(const uint8_t *line, uint32_t bytes, struct packed_line *out)
{
    out->form = FORM_PLAIN;
    out->bits = bytes * 8;
    memcpy(out->data, line, bytes);
}

static inline void bits_close(struct bit_writer *w, const uint8_t *line, uint32_t bytes, struct packed_line *out)
{
    if (w->bits >= bytes * 8) {
        line_keep(line, bytes, out);
        return;
    }
    const uint32_t word = (uint32_t)w->held;
    memcpy(w->out, &word, 4);
    out->form = FORM_PACKED;
    out->bits = w->bits;
}

struct bit_reader {
    const uint8_t *data;
    uint32_t at, end;
};

/* At most 32. Behind the end of a damaged line there are zeros. */
static inline uint32_t bits_get(struct bit_reader *r, uint32_t count)
{
    uint64_t window = 0;
    const uint32_t byte = r->at / 8;
    if (byte < LINE_MOST_BYTES)
        memcpy(&window, r->data + byte, 8);
    window >>= r->at % 8;
    r->at += count;
    return (uint32_t)(window & ((UINT64_C(1) << count) - 1));
}

static inline uint32_t word_of(const uint8_t *line, uint32_t i)
{
    uint32_t word;
    memcpy(&word, line + 4 * i, 4);
    return word;
}

static inline void word_put(uint8_t *line, uint32_t i, uint32_t word)
{
    memcpy(line + 4 * i, &word, 4);
}

/* True when the word keeps its value after only its lowest `bits` are kept and sign-extended. */
static inline bool fits_signed(uint32_t word, uint32_t bits)
{
    return (int32_t)(word << (32 - bits)) >> (32 - bits) == (int32_t)word;
}
static inline uint32_t sign_extended(uint32_t value, uint32_t bits)
{
    return (uint32_t)((int32_t)(value << (32 - bits)) >> (32 - bits));
}
#endif
