/* request_pool.c - requests, made once and used again: nothing is allocated while the machine runs. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "mem/request.h"

/* Requests are made in chunks. A chunk lives as long as the pool. 256 is about what one SM has in flight. */
enum { CHUNK_REQUESTS = 256 };

struct chunk {
    struct request request[CHUNK_REQUESTS]; /* first: each in two cache lines, not three */
    struct chunk *next;
};

struct request_pool {
    struct request **free; /* a stack: to give one back or to take one touches this alone */
    uint64_t free_count, room;
    uint64_t total; /* that it has made */
    struct chunk *chunks;
};

struct request_pool *request_pool_new(void)
{
    return must_calloc_aligned(1, sizeof(struct request_pool)); /* neighbours in memory may be another thread's */
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

static void make_room(struct request_pool *pool, uint64_t more)
{
    if (pool->free_count + more <= pool->room)
        return;
    pool->room = 2 * pool->room + more;
    pool->free = must_realloc(pool->free, pool->room * sizeof pool->free[0]);
}

static void grow(struct request_pool *pool)
{
    struct chunk *chunk = must_calloc_aligned(1, sizeof *chunk);
    chunk->next = pool->chunks;
    pool->chunks = chunk;
    pool->total += CHUNK_REQUESTS;
    make_room(pool, CHUNK_REQUESTS);
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
    if (seldom(pool->free_count == pool->room))
        make_room(pool, 1);
    pool->free[pool->free_count++] = r;
}

uint64_t request_pools_live(struct request_pool *const *pools, uint32_t count)
{
    uint64_t total = 0, unused = 0;
    for (uint32_t i = 0; i < count; i++) {
        total += pools[i]->total;
        unused += pools[i]->free_count;
    }
    return total - unused;
}

uint64_t request_pool_live(const struct request_pool *pool)
{
    struct request_pool *const pools[] = { (struct request_pool *)pool };
    return request_pools_live(pools, 1);
}

static void move(struct request_pool *from, struct request_pool *to, uint64_t count)
{
    make_room(to, count);
    from->free_count -= count;
    memcpy(to->free + to->free_count, from->free + from->free_count, count * sizeof to->free[0]);
    to->free_count += count;
}

void request_pools_balance(struct request_pool *const *pools, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        if (pools[i]->free_count >= CHUNK_REQUESTS / 2)
            continue;
        uint32_t richest = 0;
        for (uint32_t k = 1; k < count; k++)
            richest = pools[k]->free_count > pools[richest]->free_count ? k : richest;
        if (pools[richest]->free_count > 4 * CHUNK_REQUESTS)
            move(pools[richest], pools[i], CHUNK_REQUESTS);
    }
}

struct request *request_join_sectors(struct request_pool *pool, struct request *reply)
{
    struct request *whole = reply->origin;
    if (!whole)
        return reply;
    request_free(pool, reply);
    return --whole->awaited ? NULL : whole;
}
