/* fatbin.c - reads the container in which compilers put PTX into programs, unpacking what is packed. */
#include "run/fatbin.h"

#include <lz4.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

enum { KIND_PTX = 1, CONTAINER_HEADER_BYTES = 16, ENTRY_HEADER_MIN = 64 };
#define FLAG_LZ4 0x2000u
#define FLAG_ZSTD 0x8000u

struct entry {
    uint32_t kind, header_bytes, compressed_bytes, architecture;
    uint64_t payload_bytes, flags, plain_bytes;
    const uint8_t *payload;
};

static uint16_t read16(const uint8_t *p)
{
    uint16_t v;
    memcpy(&v, p, sizeof v);
    return v;
}
static uint32_t read32(const uint8_t *p)
{
    uint32_t v;
    memcpy(&v, p, sizeof v);
    return v;
}
static uint64_t read64(const uint8_t *p)
{
    uint64_t v;
    memcpy(&v, p, sizeof v);
    return v;
}

size_t fatbin_size(const void *data)
{
    const uint8_t *bytes = data;
    if (read32(bytes) != FATBIN_MAGIC)
        return strlen(data);
    return read16(bytes + 6) + read64(bytes + 8);
}

/* `left` bytes remain from `at` on. */
static bool read_entry(const uint8_t *at, size_t left, struct entry *e, struct error *err)
{
    if (left < ENTRY_HEADER_MIN)
        return error_set(err, "fatbin: %zu bytes are left where an entry of at least %d should be", left, ENTRY_HEADER_MIN);
    *e = (struct entry){ .kind = read16(at),
                         .header_bytes = read32(at + 4),
                         .payload_bytes = read64(at + 8),
                         .compressed_bytes = read32(at + 0x10),
                         .architecture = read32(at + 0x1c),
                         .flags = read64(at + 0x28),
                         .plain_bytes = read64(at + 0x38) };
    if (e->header_bytes < ENTRY_HEADER_MIN || e->header_bytes > left || e->payload_bytes > left - e->header_bytes)
        return error_set(err, "fatbin: an entry claims %u + %llu bytes where %zu are left", e->header_bytes,
                         (unsigned long long)e->payload_bytes, left);
    if (e->compressed_bytes > e->payload_bytes)
        return error_set(err, "fatbin: an entry claims %u compressed bytes in a payload of %llu", e->compressed_bytes,
                         (unsigned long long)e->payload_bytes);
    e->payload = at + e->header_bytes;
    return true;
}

static bool unpack_zstd(const struct entry *e, char *text, size_t room, struct error *err)
{
    const size_t made = ZSTD_decompress(text, room, e->payload, e->compressed_bytes);
    if (ZSTD_isError(made))
        return error_set(err, "fatbin: the zstd data of an entry is damaged: %s", ZSTD_getErrorName(made));
    return made == room || error_set(err, "fatbin: an entry unpacked to %zu bytes instead of %zu", made, room);
}

static bool unpack_lz4(const struct entry *e, char *text, size_t room, struct error *err)
{
    const int made = LZ4_decompress_safe((const char *)e->payload, text, (int)e->compressed_bytes, (int)room);
    return (made >= 0 && (size_t)made == room) || error_set(err, "fatbin: the LZ4 data of an entry is damaged");
}

/* The entry's text, with a NUL behind it. */
static bool unpack(const struct entry *e, struct fatbin_ptx *out, struct error *err)
{
    const bool packed = e->compressed_bytes != 0;
    const uint64_t room = packed ? e->plain_bytes : e->payload_bytes;
    if (room > FATBIN_MAX_TEXT)
        return error_set(err, "fatbin: a PTX text of %llu bytes is more than any program has", (unsigned long long)room);
    char *text = must_calloc(room + 1, 1);
    bool ok = true;
    if (!packed)
        memcpy(text, e->payload, room);
    else if (e->flags & FLAG_ZSTD)
        ok = unpack_zstd(e, text, room, err);
    else if (e->flags & FLAG_LZ4)
        ok = unpack_lz4(e, text, room, err);
    else
        ok = error_set(err,
                       "fatbin: an entry is packed in a way that is neither LZ4 nor zstd (flags 0x%llx): compile with "
                       "-Xfatbin -compress=false",
                       (unsigned long long)e->flags);
    if (!ok) {
        free(text);
        return false;
    }
    free(out->text);
    out->text = text;
    out->length = strlen(text); /* the padding is NULs */
    out->architecture = e->architecture;
    return true;
}

static bool read_container(const uint8_t *bytes, size_t size, struct fatbin_ptx *out, struct error *err)
{
    if (size < CONTAINER_HEADER_BYTES)
        return error_set(err, "fatbin: %zu bytes are too few for a container", size);
    const uint64_t header = read16(bytes + 6), claimed = read64(bytes + 8);
    if (header < CONTAINER_HEADER_BYTES || header > size || claimed > size - header)
        return error_set(err, "fatbin: the container claims %llu + %llu bytes where %zu are", (unsigned long long)header,
                         (unsigned long long)claimed, size);
    const uint8_t *at = bytes + header, *end = at + claimed;
    while (at < end) {
        struct entry e = { 0 };
        if (!read_entry(at, (size_t)(end - at), &e, err))
            return false;
        out->entries++;
        if (e.kind != KIND_PTX)
            out->machine_code_entries++;
        else if ((!out->text || e.architecture > out->architecture) && !unpack(&e, out, err))
            return false;
        at += e.header_bytes + e.payload_bytes;
    }
    return true;
}

bool fatbin_read(const void *data, size_t size, struct fatbin_ptx *out, struct error *err)
{
    *out = (struct fatbin_ptx){ 0 };
    if (size >= 4 && read32(data) == FATBIN_MAGIC) {
        if (read_container(data, size, out, err))
            return true;
        free(out->text);
        out->text = NULL;
        return false;
    }
    /* PTX begins with a comment or a directive; anything else is not ours to guess at. */
    const size_t length = strnlen(data, size);
    if (length < 8 || !strchr("/. \t\r\n", ((const char *)data)[0]))
        return error_set(err, "the program's device code is neither a fatbin container nor PTX text");
    out->text = must_calloc(length + 1, 1);
    memcpy(out->text, data, length);
    out->length = length;
    out->entries = 1;
    return true;
}
