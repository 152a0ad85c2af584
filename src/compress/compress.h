/* compress.h - cache-line compressors as pure functions: a line in, bits out, and the same line back.
 *
 * Lines are 32, 64 or 128 bytes of little-endian words, as a GPU's memory holds them. What a decompressor needs to know beside
 * the bits (which algorithm, BDI's encoding, "not compressed") is in `form`: hardware keeps it in the tag, and it does not count
 * as data. A line that would not get smaller is kept as it is (FORM_PLAIN). */
#ifndef WARPLINE_COMPRESS_COMPRESS_H
#define WARPLINE_COMPRESS_COMPRESS_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { LINE_MOST_BYTES = 128, LINE_MOST_WORDS = LINE_MOST_BYTES / 4 };

enum { FORM_PLAIN = 0, FORM_PACKED = 1 }; /* BDI has forms of its own, from 1 on */

struct packed_line {
    uint32_t bits; /* how many of `data` count */
    uint8_t form;
    uint8_t data[LINE_MOST_BYTES + 8]; /* the first bit is the lowest of the first byte; a few bytes more for whole-word stores */
};

/* Base-delta-immediate (Pekhimenko et al., PACT 2012) with one base, as paper 002 has it (section 4.3.3): ten forms. */
enum bdi_form { BDI_ZERO = 1, BDI_8_0, BDI_8_1, BDI_8_2, BDI_8_4, BDI_4_0, BDI_4_1, BDI_4_2, BDI_2_0, BDI_2_1, BDI_FORMS };
void bdi_pack(const uint8_t *line, uint32_t bytes, struct packed_line *out);
void bdi_unpack(const struct packed_line *in, uint32_t bytes, uint8_t *line);

/* Frequent pattern compression (Alameldeen and Wood, 2004): 32-bit words, a prefix of 3 bits each. */
void fpc_pack(const uint8_t *line, uint32_t bytes, struct packed_line *out);
void fpc_unpack(const struct packed_line *in, uint32_t bytes, uint8_t *line);

/* C-Pack (Chen et al., 2010): a dictionary of 16 words built on the way, and lines of zeros known by their form alone. */
void cpack_pack(const uint8_t *line, uint32_t bytes, struct packed_line *out);
void cpack_unpack(const struct packed_line *in, uint32_t bytes, uint8_t *line);

/* Bit-plane compression (Kim et al., ISCA 2016): differences of neighbours, turned by 90 degrees, neighbours XORed. */
void bpc_pack(const uint8_t *line, uint32_t bytes, struct packed_line *out);
void bpc_unpack(const struct packed_line *in, uint32_t bytes, uint8_t *line);

/* Statistical compression (Arelakis and Stenstrom, ISCA 2014): Huffman codes for the 32-bit values that were seen most.
 *
 * A value-frequency table learns; sc_codes_build makes codes of it, which hold until the next ones are built. Values without a code
 * are written out behind an escape code. */
enum { SC_ENTRIES = 1024, SC_WAYS = 4, SC_COUNT_MOST = 4095, SC_CODE_MOST_BITS = 32 };
struct sc_table {
    uint32_t value[SC_ENTRIES];
    uint16_t count[SC_ENTRIES]; /* 0: free; 12 bits */
    uint16_t others;            /* values that found their set full, 12 bits too: the weight of the escape code */
};
struct sc_code {
    uint32_t value, code; /* the code's first bit is its highest */
    uint8_t length;       /* 0: none */
};
struct sc_codes {
    uint32_t count;                      /* values with a code; 0: nothing can be packed */
    struct sc_code code[SC_ENTRIES + 1]; /* by length, then value; the escape code among them */
    uint32_t escape;                     /* its place above */
    uint32_t first_code[SC_CODE_MOST_BITS + 2], first_place[SC_CODE_MOST_BITS + 2]; /* per length, for decoding */
    uint16_t slot[4 * SC_ENTRIES];                                                  /* hash from value to place + 1 */
};
void sc_table_clear(struct sc_table *table);
void sc_table_learn(struct sc_table *table, const uint8_t *line, uint32_t bytes);
void sc_codes_build(struct sc_codes *codes, const struct sc_table *table);
void sc_pack(const struct sc_codes *codes, const uint8_t *line, uint32_t bytes, struct packed_line *out);
void sc_unpack(const struct sc_codes *codes, const struct packed_line *in, uint32_t bytes, uint8_t *line);
#endif
