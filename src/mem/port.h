/* port.h - how a cache meets what lies below it: the network for an L1, the DRAM channel for an L2 slice.
 *
 * The machine binds these to its network and channels, a test to arrays. `full` is asked in the same cycle as the push. The
 * push of an L1 must find out where the address lives (address_map_place) before it routes: the caches above do not know. */
#ifndef WARPLINE_MEM_PORT_H
#define WARPLINE_MEM_PORT_H
#include <stdbool.h>

struct request;

struct memory_port {
    void *context;
    bool (*full)(void *context, const struct request *r);
    void (*push)(void *context, struct request *r);
    /* Replies from below, oldest first, NULL when none. An L1 has no use for these two: the LSU hands it its replies. */
    struct request *(*peek)(void *context);
    struct request *(*pop)(void *context);
};
#endif
