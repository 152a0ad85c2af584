/* near.c - blocks of memory side by side in chunks. A block is given back to its chunk, which counts them, and a chunk goes with
 * its last block. So nothing is used again one by one: this is for what lives as long as a machine. */
#include "base/near.h"

#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/pages.h"

enum { SMALL_PAGE = 4 << 10, CHUNK_BYTES = 2 << 20 };

#if defined(__SANITIZE_ADDRESS__)
/* The sanitizer is to see where each block ends. */
void *near_calloc(unsigned long count, unsigned long size)
{
    return must_calloc_aligned(count, size);
}
void near_free(void *block)
{
    free(block);
}
#else

/* Its first bytes. Blocks begin in its first CHUNK_BYTES, so that its address follows from theirs. */
struct chunk {
    size_t bytes, used;
    uint32_t blocks;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct chunk *small_blocks, *large_blocks; /* those that new ones come from */
static uint32_t large_count;                      /* blocks so far */

static struct chunk *chunk_new(size_t block_bytes)
{
    const size_t bytes = (block_bytes + SMALL_PAGE + CHUNK_BYTES - 1) / CHUNK_BYTES * CHUNK_BYTES;
    struct chunk *chunk = pages_reserve_aligned(bytes, CHUNK_BYTES);
    if (!chunk)
        panic("out of memory: %zu bytes", bytes);
    chunk->bytes = bytes;
    chunk->used = sizeof *chunk;
    return chunk;
}

static size_t rounded_up(size_t bytes, size_t unit)
{
    return (bytes + unit - 1) / unit * unit;
}

static void *take(struct chunk **from, size_t bytes, size_t gap)
{
    struct chunk *chunk = *from;
    if (!chunk || rounded_up(chunk->used, HOST_LINE_BYTES) + gap + bytes > chunk->bytes) {
        chunk = chunk_new(bytes);
        if (bytes <= CHUNK_BYTES / 2)
            *from = chunk; /* the old one goes with its last block */
    }
    const size_t at = rounded_up(chunk->used, HOST_LINE_BYTES) + gap;
    chunk->used = at + bytes;
    chunk->blocks++;
    return (char *)chunk + at;
}

/* Large blocks are many of one size, and of each the same lines are busy. At a distance of, say, eight pages these lines would
 * share so few sets of the host's caches that they drive each other out. */
static size_t next_gap(void)
{
    return (size_t)(large_count++ * 0x9E3779B9u >> 27) * HOST_LINE_BYTES; /* 0 to 31 lines, by multiples of the golden ratio */
}

void *near_calloc(unsigned long count, unsigned long size)
{
    const size_t bytes = rounded_up((count ? count : 1) * size, HOST_LINE_BYTES);
    pthread_mutex_lock(&lock);
    void *block = bytes < SMALL_PAGE ? take(&small_blocks, bytes, 0) : take(&large_blocks, bytes, next_gap());
    pthread_mutex_unlock(&lock);
    return block;
}

/* The last block of one that new blocks come from: it starts again. */
static void begin_again(struct chunk *chunk)
{
    memset((char *)chunk + sizeof *chunk, 0, chunk->used - sizeof *chunk);
    chunk->used = sizeof *chunk;
}

void near_free(void *block)
{
    if (!block)
        return;
    struct chunk *chunk = (struct chunk *)((uintptr_t)block / CHUNK_BYTES * CHUNK_BYTES);
    pthread_mutex_lock(&lock);
    if (--chunk->blocks == 0) {
        if (chunk == small_blocks || chunk == large_blocks)
            begin_again(chunk);
        else
            pages_release(chunk, chunk->bytes);
    }
    pthread_mutex_unlock(&lock);
}
#endif
