/* reuse_distance.h - how many other lines of the same set a kernel has used since it last used this one. That is how many ways the
 * set would have needed. Shared by `divergence`, which watches, and by the offline forms of ID-Cache, which learn from it.
 *
 * Exact up to REUSE_DEPTH lines; longer distances count as REUSE_DEPTH. The first use of a line in a kernel has no distance. The
 * lines that a kernel has used are kept per SM, up to REUSE_SEEN of them. After that, lines that were not seen count as new. */
#ifndef WARPLINE_POLICY_REUSE_DISTANCE_H
#define WARPLINE_POLICY_REUSE_DISTANCE_H
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { REUSE_DEPTH = 256, REUSE_SEEN_BITS = 16, REUSE_SEEN = 1 << REUSE_SEEN_BITS };
#define REUSE_FIRST UINT32_MAX

struct reuse_set { /* most recent first; of another kernel: empty */
    uint64_t kernel;
    uint32_t count;
    uint64_t line[REUSE_DEPTH];
};

struct reuse_seen { /* an open-addressed set, at most three quarters full */
    uint64_t kernel;
    uint32_t count;
    struct {
        uint64_t line, kernel;
    } entry[REUSE_SEEN];
};

/* True when the line was used before in this kernel. From now on it counts as used. Kernels are numbered from 1. */
static inline bool reuse_seen_before(struct reuse_seen *s, uint64_t line, uint64_t kernel)
{
    if (s->kernel != kernel) {
        s->kernel = kernel;
        s->count = 0;
    }
    uint32_t at = (uint32_t)(line * 0x9e3779b97f4a7c15u >> (64 - REUSE_SEEN_BITS));
    for (; s->entry[at].kernel == kernel; at = (at + 1) % REUSE_SEEN)
        if (s->entry[at].line == line)
            return true;
    if (s->count < REUSE_SEEN / 4 * 3) {
        s->entry[at].line = line;
        s->entry[at].kernel = kernel;
        s->count++;
    }
    return false;
}

static inline uint32_t reuse_distance(struct reuse_set *set, struct reuse_seen *seen, uint64_t line, uint64_t kernel)
{
    if (set->kernel != kernel) {
        set->kernel = kernel;
        set->count = 0;
    }
    uint32_t at = 0;
    while (at < set->count && set->line[at] != line)
        at++;
    const bool before = reuse_seen_before(seen, line, kernel);
    const uint32_t distance = at < set->count ? at : before ? REUSE_DEPTH : REUSE_FIRST;
    if (at == set->count)
        at = set->count < REUSE_DEPTH ? set->count++ : REUSE_DEPTH - 1;
    memmove(set->line + 1, set->line, at * sizeof set->line[0]);
    set->line[0] = line;
    return distance;
}
#endif
