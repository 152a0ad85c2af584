/* cpack.c - C-Pack: words are matched, whole or in part, with the sixteen last ones that were new.
 *
 * With zero detection (the "+Z" of paper 002): a line of zeros is known by its form and keeps one byte. */
#include "compress/bits.h"

enum { DICTIONARY = 16, PLACE_BITS = 4, FORM_ZERO = 2 };
/* Codes, lowest bit first: two bits, or four when the first two are both 1. */
enum { CODE_ZERO = 0, CODE_NEW = 2, CODE_SAME = 1, CODE_HIGH_HALF = 3, CODE_LOW_BYTE = 11, CODE_HIGH_BYTES = 7 };

struct dictionary {
    uint32_t word[DICTIONARY];
    uint32_t used, next;
};

static void remember(struct dictionary *d, uint32_t word)
{
    d->word[d->next] = word;
    d->next = (d->next + 1) % DICTIONARY;
    d->used += d->used < DICTIONARY;
}

/* The first entry that agrees in the bits of `mask`; `used` when none does. */
static uint32_t find(const struct dictionary *d, uint32_t word, uint32_t mask)
{
    for (uint32_t i = 0; i < d->used; i++)
        if (!((d->word[i] ^ word) & mask))
            return i;
    return d->used;
}

static void put_partial(struct bit_writer *w, uint32_t code, uint32_t place, uint32_t rest, uint32_t rest_bits)
{
    bits_put(w, code | (uint64_t)place << 4, 4 + PLACE_BITS);
    bits_put(w, rest, rest_bits);
}

static void put_word(struct bit_writer *w, struct dictionary *d, uint32_t word)
{
    uint32_t place;
    if (!word) {
        bits_put(w, CODE_ZERO, 2);
    } else if (word <= 0xFF) {
        bits_put(w, CODE_LOW_BYTE | (uint64_t)word << 4, 12);
    } else if ((place = find(d, word, UINT32_MAX)) < d->used) {
        bits_put(w, CODE_SAME | (uint64_t)place << 2, 2 + PLACE_BITS);
    } else if ((place = find(d, word, 0xFFFFFF00u)) < d->used) {
        put_partial(w, CODE_HIGH_BYTES, place, word & 0xFF, 8);
        remember(d, word);
    } else if ((place = find(d, word, 0xFFFF0000u)) < d->used) {
        put_partial(w, CODE_HIGH_HALF, place, word & 0xFFFF, 16);
        remember(d, word);
    } else {
        bits_put(w, CODE_NEW, 2);
        bits_put(w, word, 32);
        remember(d, word);
    }
}

void cpack_pack(const uint8_t *line, uint32_t bytes, struct packed_line *out)
{
    struct bit_writer w = bits_to(out, bytes);
    struct dictionary d = { .used = 0 };
    uint32_t any = 0;
    for (uint32_t i = 0; i < bytes / 4; i++)
        any |= word_of(line, i);
    if (!any) {
        *out = (struct packed_line){ .bits = 8, .form = FORM_ZERO };
        return;
    }
    for (uint32_t i = 0; i < bytes / 4 && w.bits < w.room; i++)
        put_word(&w, &d, word_of(line, i));
    bits_close(&w, line, bytes, out);
}

static uint32_t get_word(struct bit_reader *r, struct dictionary *d)
{
    uint32_t code = bits_get(r, 2), word;
    if (code == CODE_ZERO)
        return 0;
    if (code == CODE_SAME)
        return d->word[bits_get(r, PLACE_BITS)];
    if (code == CODE_NEW) {
        word = bits_get(r, 32);
        remember(d, word);
        return word;
    }
    code |= bits_get(r, 2) << 2;
    if (code == CODE_LOW_BYTE)
        return bits_get(r, 8);
    const uint32_t old = d->word[bits_get(r, PLACE_BITS)];
    word = code == CODE_HIGH_BYTES ? (old & 0xFFFFFF00u) | bits_get(r, 8) : (old & 0xFFFF0000u) | bits_get(r, 16);
    remember(d, word);
    return word;
}

void cpack_unpack(const struct packed_line *in, uint32_t bytes, uint8_t *line)
{
    if (in->form == FORM_PLAIN) {
        memcpy(line, in->data, bytes);
        return;
    }
    memset(line, 0, bytes);
    if (in->form == FORM_ZERO)
        return;
    struct bit_reader r = { .data = in->data };
    struct dictionary d = { .used = 0 };
    for (uint32_t i = 0; i < bytes / 4; i++)
        word_put(line, i, get_word(&r, &d));
}
