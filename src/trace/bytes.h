/* bytes.h - a growing buffer of bytes with the numbers that traces are made of, and a cursor that reads them back.
 *
 * Numbers are little-endian base 128 (seven bits a byte, the high bit says "more"); signed ones are folded so that small
 * negative numbers are short too. A cursor never reads past its end: it says false, and the caller names the place. */
#ifndef WARPLINE_TRACE_BYTES_H
#define WARPLINE_TRACE_BYTES_H
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

struct bytes {
    uint8_t *data;
    size_t count, room;
};

static inline void bytes_reserve(struct bytes *b, size_t more)
{
    if (b->count + more <= b->room)
        return;
    b->room = (b->count + more) * 2 + 64;
    b->data = must_realloc(b->data, b->room);
}
static inline void bytes_put(struct bytes *b, uint8_t value)
{
    bytes_reserve(b, 1);
    b->data[b->count++] = value;
}
static inline void bytes_append(struct bytes *b, const void *from, size_t count)
{
    if (!count)
        return;
    bytes_reserve(b, count);
    memcpy(b->data + b->count, from, count);
    b->count += count;
}
static inline void bytes_number(struct bytes *b, uint64_t value)
{
    bytes_reserve(b, 10);
    while (value >= 128) {
        b->data[b->count++] = (uint8_t)(value | 128);
        value >>= 7;
    }
    b->data[b->count++] = (uint8_t)value;
}
static inline uint64_t fold_sign(int64_t value)
{
    return (uint64_t)value << 1 ^ (uint64_t)(value >> 63);
}
static inline int64_t unfold_sign(uint64_t value)
{
    return (int64_t)(value >> 1 ^ (0 - (value & 1)));
}
static inline void bytes_signed(struct bytes *b, int64_t value)
{
    bytes_number(b, fold_sign(value));
}
static inline void bytes_fixed(struct bytes *b, uint64_t value, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        bytes_put(b, (uint8_t)(value >> (8 * i)));
}
static inline void bytes_text(struct bytes *b, const char *text)
{
    const size_t length = strlen(text);
    bytes_number(b, length);
    bytes_append(b, text, length);
}
static inline void bytes_free(struct bytes *b)
{
    free(b->data);
    *b = (struct bytes){ 0 };
}

struct cursor {
    const uint8_t *at, *end;
};

/* Everything in a buffer. One that never held a byte has no place of its own: C forbids arithmetic on a null pointer, even by 0. */
static inline struct cursor cursor_of(const struct bytes *b)
{
    static const uint8_t nothing[1];
    const uint8_t *start = b->data ? b->data : nothing;
    return (struct cursor){ start, start + b->count };
}

static inline bool cursor_byte(struct cursor *c, uint8_t *out)
{
    if (c->at == c->end)
        return false;
    *out = *c->at++;
    return true;
}
static inline bool cursor_number_long(struct cursor *c, uint64_t *out)
{
    uint64_t value = 0;
    for (uint32_t shift = 0; shift < 64; shift += 7) {
        uint8_t byte;
        if (!cursor_byte(c, &byte))
            return false;
        value |= (uint64_t)(byte & 127) << shift;
        if (byte < 128) {
            *out = value;
            return true;
        }
    }
    return false;
}
static inline bool cursor_number(struct cursor *c, uint64_t *out)
{
    if (c->at < c->end && *c->at < 128) {
        *out = *c->at++;
        return true;
    }
    return cursor_number_long(c, out);
}
static inline bool cursor_signed(struct cursor *c, int64_t *out)
{
    uint64_t folded;
    if (!cursor_number(c, &folded))
        return false;
    *out = unfold_sign(folded);
    return true;
}
/* A number that must not exceed `most`. */
static inline bool cursor_bounded(struct cursor *c, uint64_t most, uint32_t *out)
{
    uint64_t value;
    if (!cursor_number(c, &value) || value > most || value > UINT32_MAX)
        return false;
    *out = (uint32_t)value;
    return true;
}
static inline bool cursor_fixed(struct cursor *c, uint32_t count, uint64_t *out)
{
    if ((size_t)(c->end - c->at) < count)
        return false;
    *out = 0;
    for (uint32_t i = 0; i < count; i++)
        *out |= (uint64_t)*c->at++ << (8 * i);
    return true;
}
/* The next `count` bytes as a cursor of their own. */
static inline bool cursor_slice(struct cursor *c, uint64_t count, struct cursor *out)
{
    if (count > (uint64_t)(c->end - c->at))
        return false;
    *out = (struct cursor){ c->at, c->at + count };
    c->at += count;
    return true;
}
#endif
