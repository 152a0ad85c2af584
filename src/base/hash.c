/* hash.c - hashes for tables and for telling one file from another. Not for secrets. */
#include "base/hash.h"

#include <string.h>

/* Bytes are put together by shifts, not by memcpy, so that the hash does not depend on the machine's byte order. */
static uint64_t load_word(const unsigned char *bytes, size_t count)
{
    uint64_t word = 0;
    for (size_t i = 0; i < count; i++)
        word |= (uint64_t)bytes[i] << (8 * i);
    return word;
}

uint64_t hash_bytes(const void *bytes, size_t count, uint64_t seed)
{
    const unsigned char *p = bytes;
    uint64_t hash = hash_combine(seed, count);
    for (; count >= 8; p += 8, count -= 8)
        hash = hash_combine(hash, load_word(p, 8));
    return count ? hash_combine(hash, load_word(p, count)) : hash;
}

uint64_t hash_text(const char *text)
{
    return hash_bytes(text, strlen(text), 0);
}
