/* texture_fifo.h - a texture cache whose results leave in the order of the reads (Igehy et al., 1998), as in GPGPU-Sim.
 *
 * Tags are looked up when a read arrives, and a line that misses counts as there at once. Every read then passes a queue of
 * fragments, and only at its end is it known whether the data are there. A hit goes on; a miss waits until its line has come into
 * its place in the reorder buffer. One fragment per cycle goes on to the results, which the LSU takes. So a hit never overtakes a
 * miss, and nobody merges: a second read of a line on its way is a hit that is further back in the queue.
 *
 * A read that is taken belongs to the cache until texture_fifo_pop, hit or miss. Each cycle: texture_fifo_pop when it is its
 * turn, texture_fifo_fill for a reply, texture_fifo_cycle, texture_fifo_access. */
#ifndef WARPLINE_MEM_TEXTURE_FIFO_H
#define WARPLINE_MEM_TEXTURE_FIFO_H
#include "mem/readonly_cache.h"

struct texture_fifo;
struct texture_fifo *texture_fifo_new(const struct readonly_config *config, struct request_pool *pool, struct outlet *out);
void texture_fifo_free(struct texture_fifo *t);

/* CACHE_HIT, CACHE_MISS, or refused (queue of requests: miss queue; fragments or reorder buffer: MSHR entry). */
enum cache_outcome texture_fifo_access(struct texture_fifo *t, struct request *r, uint64_t now);
void texture_fifo_fill(struct texture_fifo *t, struct request *reply);
void texture_fifo_cycle(struct texture_fifo *t);
struct request *texture_fifo_pop(struct texture_fifo *t); /* NULL when none */

bool texture_fifo_has_ready(const struct texture_fifo *t);
/* The first cycle from `now` on in which texture_fifo_cycle may do something, unless a reply comes; UINT64_MAX: none. */
uint64_t texture_fifo_next_event(const struct texture_fifo *t, uint64_t now);
uint32_t texture_fifo_room(const struct texture_fifo *t); /* misses that it could still take */
const struct readonly_counters *texture_fifo_counters(const struct texture_fifo *t);
#endif
