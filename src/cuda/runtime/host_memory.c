/* host_memory.c - memory that host and device share: pinned, managed, registered.
 *
 * Its pages lie at fixed addresses far from anything the loader uses. So addresses, and with them results, do not depend on
 * address space randomisation. Pinned and managed memory has the same address on both sides. */
#include <stdlib.h>
#include <sys/mman.h>

#include "runtime.h"

/* HOST_PAGES_FIRST to here: below position-independent programs and their heap (0x55...), libraries (0x7f...) and
 * AddressSanitizer's heap (0x60...). */
#define PAGES_LAST ((uintptr_t)0x4fffffffffff)
enum { PAGE_ROUND = 1 << 16 };

static size_t rounded(size_t bytes)
{
    return (bytes + PAGE_ROUND - 1) / PAGE_ROUND * PAGE_ROUND;
}

void *host_pages_new(size_t bytes)
{
    struct runtime *r = runtime_state();
    const size_t size = rounded(bytes ? bytes : 1);
    if (size > PAGES_LAST - r->next_page)
        return NULL;
    void *pages = mmap((void *)r->next_page, size, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE | MAP_NORESERVE, -1, 0);
    if (pages == MAP_FAILED)
        return NULL;
    r->next_page += size + PAGE_ROUND; /* a gap: running off the end of one block does not reach the next */
    return pages;
}

void host_pages_free(void *pages, size_t bytes)
{
    (void)munmap(pages, rounded(bytes ? bytes : 1));
}

struct host_block *runtime_add_block(struct runtime *r, void *host, size_t bytes, int kind, unsigned int flags)
{
    struct host_block *block = must_calloc(1, sizeof *block);
    *block = (struct host_block){ .next = r->blocks,
                                  .host = host,
                                  .bytes = bytes,
                                  .flags = flags,
                                  .preferred = cudaInvalidDeviceId,
                                  .prefetched = cudaInvalidDeviceId };
    block->kind = (unsigned)kind;
    if (kind == BLOCK_REGISTERED) /* the program's own memory may lie anywhere, so the device gets an address that we choose */
        block->device = device_map_host(runtime_device(r), host, bytes);
    else if (device_map_host_at(runtime_device(r), host, bytes, (uint64_t)(uintptr_t)host))
        block->device = (uint64_t)(uintptr_t)host;
    if (block->device == 0) {
        free(block);
        return NULL;
    }
    r->blocks = block;
    return block;
}

struct host_block *runtime_find_block(struct runtime *r, const void *pointer)
{
    const uintptr_t p = (uintptr_t)pointer;
    for (struct host_block *b = r->blocks; b; b = b->next)
        if (p >= (uintptr_t)b->host && p - (uintptr_t)b->host < (b->bytes ? b->bytes : 1))
            return b;
    return NULL;
}

void runtime_remove_block(struct runtime *r, struct host_block *block)
{
    struct host_block **link = &r->blocks;
    while (*link != block)
        link = &(*link)->next;
    *link = block->next;
    (void)device_unmap_host(runtime_device(r), block->host);
    if (block->kind != BLOCK_REGISTERED)
        host_pages_free(block->host, block->bytes);
    free(block);
}
