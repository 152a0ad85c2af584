/* fpc.c - frequent pattern compression: every 32-bit word has a prefix of three bits that says which of eight patterns it is. */
#include "compress/bits.h"

enum fpc_prefix {
    FPC_ZEROS, /* 1 to 8 words of zero: 3 bits */
    FPC_4,     /* 4 bits, sign-extended */
    FPC_8,
    FPC_16,
    FPC_HIGH_HALF, /* the low half is zero: 16 bits */
    FPC_TWO_BYTES, /* each half is a sign-extended byte: 16 bits */
    FPC_REPEATED,  /* four equal bytes: 8 bits */
    FPC_PLAIN
};
enum { PREFIX_BITS = 3, ZEROS_BITS = 3, MOST_ZEROS = 8 };
static const uint8_t value_bits[] = { ZEROS_BITS, 4, 8, 16, 16, 16, 8, 32 };

static bool halves_are_bytes(uint32_t word)
{
    return fits_signed(sign_extended(word, 16), 8) && fits_signed((uint32_t)((int32_t)word >> 16), 8);
}

/* The shortest pattern of a word that is not zero, and the bits that it keeps of it. */
static enum fpc_prefix pattern_of(uint32_t word, uint32_t *kept)
{
    *kept = word;
    if (fits_signed(word, 4))
        return *kept &= 0xF, FPC_4;
    if (fits_signed(word, 8))
        return *kept &= 0xFF, FPC_8;
    if (word == (word & 0xFF) * 0x01010101u)
        return *kept &= 0xFF, FPC_REPEATED;
    if (fits_signed(word, 16))
        return *kept &= 0xFFFF, FPC_16;
    if (!(word & 0xFFFF))
        return *kept = word >> 16, FPC_HIGH_HALF;
    if (halves_are_bytes(word))
        return *kept = (word & 0xFF) | (word >> 16 & 0xFF) << 8, FPC_TWO_BYTES;
    return FPC_PLAIN;
}

void fpc_pack(const uint8_t *line, uint32_t bytes, struct packed_line *out)
{
    struct bit_writer w = bits_to(out, bytes);
    const uint32_t words = bytes / 4;
    for (uint32_t i = 0; i < words;) {
        const uint32_t word = word_of(line, i);
        uint32_t kept;
        if (word) {
            const enum fpc_prefix prefix = pattern_of(word, &kept);
            bits_put(&w, prefix, PREFIX_BITS);
            bits_put(&w, kept, value_bits[prefix]);
            i++;
            continue;
        }
        uint32_t run = 1;
        while (run < MOST_ZEROS && i + run < words && word_of(line, i + run) == 0)
            run++;
        bits_put(&w, FPC_ZEROS | (run - 1) << PREFIX_BITS, PREFIX_BITS + ZEROS_BITS);
        i += run;
    }
    bits_close(&w, line, bytes, out);
}

static uint32_t word_from(enum fpc_prefix prefix, uint32_t kept)
{
    switch (prefix) {
    case FPC_4: return sign_extended(kept, 4);
    case FPC_8: return sign_extended(kept, 8);
    case FPC_16: return sign_extended(kept, 16);
    case FPC_HIGH_HALF: return kept << 16;
    case FPC_TWO_BYTES: return (sign_extended(kept & 0xFF, 8) & 0xFFFF) | sign_extended(kept >> 8, 8) << 16;
    case FPC_REPEATED: return kept * 0x01010101u;
    default: return kept;
    }
}

void fpc_unpack(const struct packed_line *in, uint32_t bytes, uint8_t *line)
{
    if (in->form == FORM_PLAIN) {
        memcpy(line, in->data, bytes);
        return;
    }
    struct bit_reader r = { .data = in->data };
    memset(line, 0, bytes);
    for (uint32_t i = 0; i < bytes / 4;) {
        const enum fpc_prefix prefix = (enum fpc_prefix)bits_get(&r, PREFIX_BITS);
        const uint32_t kept = bits_get(&r, value_bits[prefix]);
        if (prefix == FPC_ZEROS)
            i += kept + 1;
        else
            word_put(line, i++, word_from(prefix, kept));
    }
}
