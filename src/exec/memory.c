/* memory.c - the device's memory: allocations at fixed addresses, host memory that kernels may see, the heap. */
#include "exec/memory.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/pages.h"

enum { HOST_ALIGNMENT = 65536, HEAP_ALIGNMENT = 16, PAGE = 4096 };

static uint64_t round_up(uint64_t value, uint64_t to)
{
    return (value + to - 1) / to * to;
}

static bool reserve(struct region *r, uint64_t start, uint64_t bytes, struct error *err)
{
    void *host = pages_reserve(bytes, true); /* allocations lie side by side from its start */
    if (!host)
        return error_set(err,
                         "device memory: the host refuses %llu bytes of address space; lower device.memory, or raise 'ulimit -v'",
                         (unsigned long long)bytes);
    *r = (struct region){ start, bytes, host };
    return true;
}

bool memory_open(struct memory *m, uint64_t first_address, uint64_t bytes, uint64_t heap_bytes, uint32_t alignment,
                 bool track_writes, struct error *err)
{
    *m = (struct memory){ .alignment = alignment ? alignment : 256, .next_symbol = SYMBOL_FIRST, .next_host = HOST_REGION };
    if (first_address == 0)
        first_address = DEVICE_REGION;
    if (first_address < DEVICE_REGION || first_address + bytes > HEAP_REGION)
        return error_set(err, "device memory: %llu bytes at 0x%llx do not fit between 0x%llx and 0x%llx", (unsigned long long)bytes,
                         (unsigned long long)first_address, (unsigned long long)DEVICE_REGION, (unsigned long long)HEAP_REGION);
    if (!reserve(&m->device, first_address, round_up(bytes ? bytes : 1, PAGE), err) ||
        !reserve(&m->symbols, SYMBOL_REGION, SYMBOL_REGION_BYTES, err) ||
        !reserve(&m->heap, HEAP_REGION, round_up(heap_bytes ? heap_bytes : 1, PAGE), err)) {
        memory_close(m);
        return false;
    }
    if (track_writes) {
        struct region shadow = { 0 };
        if (!reserve(&shadow, 0, m->device.bytes, err)) {
            memory_close(m);
            return false;
        }
        m->written = shadow.host;
    }
    return true;
}

static void give_back(struct region *r)
{
    pages_release(r->host, r->bytes);
    r->host = NULL;
}

bool memory_resize_heap(struct memory *m, uint64_t bytes)
{
    struct region larger;
    struct error err;
    for (uint32_t i = 0; i < m->count; i++)
        if (m->ranges[i].kind == RANGE_HEAP)
            return false;
    if (!reserve(&larger, HEAP_REGION, round_up(bytes ? bytes : 1, PAGE), &err))
        return false;
    give_back(&m->heap);
    m->heap = larger;
    return true;
}

void memory_close(struct memory *m)
{
    pages_release(m->written, m->device.bytes);
    m->written = NULL;
    give_back(&m->device);
    give_back(&m->symbols);
    give_back(&m->heap);
    free(m->ranges);
    m->ranges = NULL;
    m->count = 0;
}

/* Index of the first range that starts above `address`. */
static uint32_t upper_bound(const struct memory *m, uint64_t address)
{
    uint32_t low = 0, high = m->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (m->ranges[middle].start > address)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

static void remove_at(struct memory *m, uint32_t at)
{
    memmove(&m->ranges[at], &m->ranges[at + 1], (m->count - at - 1) * sizeof *m->ranges);
    m->count--;
}

/* Inserts a live range; records of freed ranges that it covers are forgotten. */
static void insert(struct memory *m, struct range range)
{
    uint32_t at = upper_bound(m, range.start);
    while (at > 0 && m->ranges[at - 1].start + m->ranges[at - 1].bytes > range.start)
        remove_at(m, --at);
    while (at < m->count && m->ranges[at].start < range.start + range.bytes)
        remove_at(m, at);
    if (m->count == m->capacity) {
        m->capacity = m->capacity ? m->capacity * 2 : 64;
        m->ranges = must_realloc(m->ranges, m->capacity * sizeof *m->ranges);
    }
    memmove(&m->ranges[at + 1], &m->ranges[at], (m->count - at) * sizeof *m->ranges);
    m->ranges[at] = range;
    m->count++;
}

/* First fit: the lowest gap between live ranges of the region, so that addresses depend only on the order of calls. */
static uint64_t place(const struct memory *m, const struct region *r, uint64_t bytes, uint64_t alignment, uint64_t guard)
{
    uint64_t at = r->start;
    for (uint32_t i = upper_bound(m, r->start - 1); i < m->count && m->ranges[i].start < r->start + r->bytes; i++) {
        const struct range *range = &m->ranges[i];
        if (!range->live)
            continue;
        if (range->start >= at && range->start - at >= bytes + guard)
            return at;
        at = round_up(range->start + (range->bytes ? range->bytes : 1) + guard, alignment);
    }
    return at <= r->start + r->bytes && r->start + r->bytes - at >= bytes ? at : 0;
}

uint64_t memory_alloc(struct memory *m, uint64_t bytes)
{
    if (bytes == 0 || bytes > m->device.bytes)
        return 0;
    uint64_t address = place(m, &m->device, round_up(bytes, m->alignment), m->alignment, m->guard_bytes);
    if (!address)
        return 0;
    insert(m, (struct range){ .start = address,
                              .bytes = bytes,
                              .host = m->device.host + (address - m->device.start),
                              .kind = RANGE_ALLOCATION,
                              .live = true });
    m->used_bytes += round_up(bytes, m->alignment);
    return address;
}

/* Freed memory reads as zeros when it is given out again, so that a program's result does not depend on what was there before. */
static void wipe(uint8_t *host, uint64_t bytes)
{
    uint8_t *first_page = (uint8_t *)round_up((uintptr_t)host, PAGE);
    uint8_t *end = host + bytes, *last_page = (uint8_t *)((uintptr_t)end / PAGE * PAGE);
    if (first_page >= last_page) {
        memset(host, 0, bytes);
        return;
    }
    memset(host, 0, (size_t)(first_page - host));
    (void)madvise(first_page, (size_t)(last_page - first_page), MADV_DONTNEED);
    memset(last_page, 0, (size_t)(end - last_page));
}

static struct range *find_start(const struct memory *m, uint64_t address, enum range_kind kind)
{
    uint32_t at = upper_bound(m, address);
    if (at == 0)
        return NULL;
    struct range *range = &m->ranges[at - 1];
    return range->live && range->start == address && range->kind == kind ? range : NULL;
}

bool memory_release(struct memory *m, uint64_t address)
{
    struct range *range = find_start(m, address, RANGE_ALLOCATION);
    if (!range)
        return false;
    range->live = false;
    wipe(range->host, range->bytes);
    if (m->written)
        wipe(m->written + (address - m->device.start), range->bytes);
    m->used_bytes -= round_up(range->bytes, m->alignment);
    return true;
}

/* As in GPGPU-Sim: small powers of two are aligned to their size, all else to 128 bytes. */
static uint64_t symbol_alignment(uint64_t bytes, uint32_t align)
{
    const uint64_t own = bytes && bytes < 128 && !(bytes & (bytes - 1)) ? bytes : 128;
    return own > align ? own : align;
}

uint64_t memory_add_symbol(struct memory *m, const char *name, uint64_t bytes, uint32_t align)
{
    uint64_t address = round_up(m->next_symbol, symbol_alignment(bytes, align));
    if (bytes > m->symbols.bytes || address + bytes > m->symbols.start + m->symbols.bytes)
        return 0;
    m->next_symbol = address + (bytes ? bytes : 1);
    insert(m, (struct range){ .start = address,
                              .bytes = bytes,
                              .host = m->symbols.host + (address - m->symbols.start),
                              .name = name,
                              .kind = RANGE_SYMBOL,
                              .live = true });
    return address;
}

uint64_t memory_place_host(struct memory *m, uint64_t bytes)
{
    uint64_t address = m->next_host;
    m->next_host += round_up(bytes ? bytes : 1, HOST_ALIGNMENT);
    return address;
}

static bool overlaps_live(const struct memory *m, uint64_t address, uint64_t bytes)
{
    uint32_t at = upper_bound(m, address);
    if (at > 0 && m->ranges[at - 1].live && address - m->ranges[at - 1].start < m->ranges[at - 1].bytes)
        return true;
    for (; at < m->count && m->ranges[at].start < address + bytes; at++)
        if (m->ranges[at].live)
            return true;
    return false;
}

bool memory_map_host(struct memory *m, uint64_t address, void *host, uint64_t bytes)
{
    if (bytes == 0 || address + bytes < address || overlaps_live(m, address, bytes))
        return false;
    insert(m, (struct range){ .start = address, .bytes = bytes, .host = host, .kind = RANGE_HOST, .live = true });
    return true;
}

bool memory_unmap_host(struct memory *m, const void *host)
{
    for (uint32_t i = 0; i < m->count; i++)
        if (m->ranges[i].kind == RANGE_HOST && m->ranges[i].live && m->ranges[i].host == host) {
            m->ranges[i].live = false;
            return true;
        }
    return false;
}

uint64_t memory_heap_alloc(struct memory *m, uint64_t bytes)
{
    if (bytes == 0 || bytes > m->heap.bytes)
        return 0;
    const uint64_t whole = HEAP_HEADER + bytes;
    const uint64_t address = place(m, &m->heap, round_up(whole, HEAP_ALIGNMENT), HEAP_ALIGNMENT, 0);
    if (!address)
        return 0;
    insert(
        m,
        (struct range){
            .start = address, .bytes = whole, .host = m->heap.host + (address - m->heap.start), .kind = RANGE_HEAP, .live = true });
    return address + HEAP_HEADER;
}

bool memory_heap_release(struct memory *m, uint64_t address)
{
    struct range *range = find_start(m, address - HEAP_HEADER, RANGE_HEAP);
    if (!range)
        return false;
    range->live = false;
    wipe(range->host, range->bytes);
    return true;
}

const struct range *memory_find(const struct memory *m, uint64_t address)
{
    uint32_t at = upper_bound(m, address);
    if (at == 0)
        return NULL;
    const struct range *range = &m->ranges[at - 1];
    return range->live && address - range->start < range->bytes ? range : NULL;
}

const struct range *memory_find_from(const struct memory *m, uint64_t address)
{
    const struct range *range = memory_find(m, address);
    for (uint32_t at = upper_bound(m, address); !range && at < m->count; at++)
        if (m->ranges[at].live && m->ranges[at].bytes)
            range = &m->ranges[at];
    return range;
}

uint8_t *memory_host(const struct memory *m, uint64_t address, uint64_t bytes)
{
    const struct range *range = memory_find(m, address);
    if (!range || bytes > range->bytes - (address - range->start))
        return NULL;
    return range->host + (address - range->start);
}

static uint64_t distance(const struct range *range, uint64_t address)
{
    return address < range->start ? range->start - address : address - range->start - (range->bytes ? range->bytes - 1 : 0);
}

const struct range *memory_nearest(const struct memory *m, uint64_t address)
{
    const struct range *best = NULL;
    for (uint32_t i = 0; i < m->count; i++)
        if (m->ranges[i].live && (!best || distance(&m->ranges[i], address) < distance(best, address)))
            best = &m->ranges[i];
    return best;
}

const struct range *memory_find_freed(const struct memory *m, uint64_t address)
{
    uint32_t at = upper_bound(m, address);
    if (at == 0)
        return NULL;
    const struct range *range = &m->ranges[at - 1];
    return !range->live && address - range->start < range->bytes ? range : NULL;
}

void memory_mark_written(struct memory *m, uint64_t address, uint64_t bytes)
{
    if (m->written && address >= m->device.start && address - m->device.start < m->device.bytes)
        memset(m->written + (address - m->device.start), 1, bytes);
}

bool memory_was_written(const struct memory *m, uint64_t address, uint64_t bytes)
{
    if (!m->written || address < m->device.start || address - m->device.start >= m->device.bytes)
        return true;
    for (uint64_t i = 0; i < bytes; i++)
        if (!m->written[address - m->device.start + i])
            return false;
    return true;
}
