/* Compressors: any line comes back as it was, and any bits unpack into some line without harm. */
#include <string.h>

#include "base/error.h"
#include "compress/compress.h"

static void check_damaged(const struct sc_codes *codes, const uint8_t *data, size_t size)
{
    struct packed_line any = { .form = data[0], .bits = 8 * LINE_MOST_BYTES };
    uint8_t line[LINE_MOST_BYTES];
    memcpy(any.data, data, size < sizeof any.data ? size : sizeof any.data);
    bdi_unpack(&any, LINE_MOST_BYTES, line);
    fpc_unpack(&any, LINE_MOST_BYTES, line);
    cpack_unpack(&any, LINE_MOST_BYTES, line);
    bpc_unpack(&any, LINE_MOST_BYTES, line);
    sc_unpack(codes, &any, LINE_MOST_BYTES, line);
}

static void check_line(const struct sc_codes *codes, const uint8_t *line, uint32_t bytes)
{
    struct packed_line packed;
    uint8_t back[LINE_MOST_BYTES];
    bdi_pack(line, bytes, &packed);
    bdi_unpack(&packed, bytes, back);
    require(packed.bits <= 8 * bytes && !memcmp(line, back, bytes));
    fpc_pack(line, bytes, &packed);
    fpc_unpack(&packed, bytes, back);
    require(packed.bits <= 8 * bytes && !memcmp(line, back, bytes));
    cpack_pack(line, bytes, &packed);
    cpack_unpack(&packed, bytes, back);
    require(packed.bits <= 8 * bytes && !memcmp(line, back, bytes));
    bpc_pack(line, bytes, &packed);
    bpc_unpack(&packed, bytes, back);
    require(packed.bits <= 8 * bytes && !memcmp(line, back, bytes));
    sc_pack(codes, line, bytes, &packed);
    sc_unpack(codes, &packed, bytes, back);
    require(packed.bits <= 8 * bytes && !memcmp(line, back, bytes));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct sc_table table;
    struct sc_codes codes;
    if (!size)
        return 0;
    const uint32_t bytes = 32u << data[0] % 3;
    sc_table_clear(&table);
    for (size_t at = 1; at + bytes <= size; at += bytes)
        if (data[at] % 2)
            sc_table_learn(&table, data + at, bytes);
    sc_codes_build(&codes, &table);
    for (size_t at = 1; at + bytes <= size; at += bytes)
        check_line(&codes, data + at, bytes);
    check_damaged(&codes, data, size);
    return 0;
}
