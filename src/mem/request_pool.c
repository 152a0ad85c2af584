/* request_pool.c - requests, made once and used again: nothing is allocated while the machine runs. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "mem/request.h"

/* Requests come in chunks; a chunk is never given back before the pool is. 256 is about what one SM has in flight. */
enum { CHUNK_REQUESTS = 256 };

struct chunk {
    struct request request[CHUNK_REQUESTS]; /* first: each in two cache lines, not three */
    struct chunk *next;
};

struct request_pool {
    struct request **free; /* a stack: to give one back or to take one touches this alone */
    uint64_t free_count, total;
    struct chunk *chunks;
};

struct request_pool *request_pool_new(void)
{
    return must_calloc(1, sizeof(struct request_pool));
}

void request_pool_free(struct request_pool *pool)
{
    if (!pool)
        return;
    while (pool->chunks) {
        struct chunk *chunk = pool->chunks;
        pool->chunks = chunk->next;
        free(chunk);
    }
    free(pool->free);
    free(pool);
}

static void grow(struct request_pool *pool)
{
    struct chunk *chunk = must_calloc_aligned(1, sizeof *chunk);
    chunk->next = pool->chunks;
    pool->chunks = chunk;
    pool->total += CHUNK_REQUESTS;
    pool->free = must_realloc(pool->free, pool->total * sizeof pool->free[0]);
    for (int i = CHUNK_REQUESTS - 1; i >= 0; i--)
        pool->free[pool->free_count++] = &chunk->request[i];
}

static struct request *take(struct request_pool *pool)
{
    if (!pool->free_count)
        grow(pool);
    return pool->free[--pool->free_count];
}

struct request *request_make(struct request_pool *pool)
{
    struct request *r = take(pool);
    memset(r, 0, sizeof *r);
    return r;
}

struct request *request_copy(struct request_pool *pool, const struct request *of)
{
    struct request *r = take(pool);
    *r = *of;
    return r;
}

void request_free(struct request_pool *pool, struct request *r)
{
    pool->free[pool->free_count++] = r;
}

uint64_t request_pool_live(const struct request_pool *pool)
{
    return pool->total - pool->free_count;
}

struct request *request_join_sectors(struct request_pool *pool, struct request *reply)
{
    struct request *whole = reply->origin;
    if (!whole)
        return reply;
    request_free(pool, reply);
    return --whole->awaited ? NULL : whole;
}
