/* near.h - memory for what is touched in every cycle: things made one after the other lie side by side.
 *
 * A machine of hundreds of SMs has more pages than the host's TLB has entries. (Large pages help less than they should where the
 * host is a virtual machine: what backs them may still be small.) So the small parts of an SM, which malloc would put between large
 * arrays, are kept in as few pages as they fit in. Nothing here changes what is computed. */
#ifndef WARPLINE_BASE_NEAR_H
#define WARPLINE_BASE_NEAR_H

/* Zeroed, and aligned to a cache line of the host. What is as large as a page of 4 KB or larger lies apart from the rest, at
 * irregular distances. */
void *near_calloc(unsigned long count, unsigned long size);
void near_free(void *block); /* NULL is fine; any thread */
#endif
