/* pages.c - memory in the host's large pages, where it has them: the state of a run is touched everywhere in every cycle. */
#include "base/pages.h"

#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

enum {
    LARGE_PAGE = 2 << 20,
    HEAP_FIRST = 256 << 10,    /* malloc writes into it before we can advise anything: it must not start a large page */
    HEAP_AHEAD = 512 << 20,    /* address space; what is not touched takes no memory */
    HEAP_BLOCK_MOST = 32 << 20 /* the most that glibc lets one ask for; larger blocks come one by one, in small pages */
};

void *pages_reserve(size_t bytes, bool large)
{
    void *pages = mmap(NULL, bytes ? bytes : 1, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (pages == MAP_FAILED)
        return NULL;
    if (large)
        (void)madvise(pages, bytes, MADV_HUGEPAGE); /* advice: small pages do as well */
    return pages;
}

void *pages_reserve_aligned(size_t bytes, size_t alignment)
{
    char *pages = pages_reserve(bytes + alignment, false);
    if (!pages)
        return NULL;
    const size_t before = -(uintptr_t)pages % alignment;
    if (before)
        pages_release(pages, before);
    pages_release(pages + before + bytes, alignment - before);
    (void)madvise(pages + before, bytes, MADV_HUGEPAGE);
    return pages + before;
}

void pages_release(void *pages, size_t bytes)
{
    if (pages)
        (void)munmap(pages, bytes ? bytes : 1);
}

#if defined(__GLIBC__)
void pages_for_heap(void)
{
    struct rlimit space;
    if (getrlimit(RLIMIT_AS, &space) == 0 && space.rlim_cur < (rlim_t)8 * HEAP_AHEAD)
        return; /* where address space is scarce (ulimit -v), asking ahead would fail, and malloc with it */
    const uintptr_t now = (uintptr_t)sbrk(0), begin = (now + HEAP_FIRST + LARGE_PAGE - 1) / LARGE_PAGE * LARGE_PAGE - HEAP_FIRST;
    (void)sbrk((intptr_t)(begin - now)); /* malloc goes on from there */
    (void)mallopt(M_TOP_PAD, HEAP_AHEAD);
    (void)mallopt(M_TRIM_THRESHOLD, 2 * HEAP_AHEAD);
    (void)mallopt(M_MMAP_THRESHOLD, HEAP_BLOCK_MOST);
    void *volatile first = malloc(HEAP_FIRST * 3 / 4); /* more than it has */
    free(first);
    const uintptr_t end = (uintptr_t)sbrk(0);
    if (end > begin) /* not when another malloc stands in for glibc's */
        (void)madvise((void *)begin, end - begin, MADV_HUGEPAGE);
}
#else
void pages_for_heap(void)
{
}
#endif
