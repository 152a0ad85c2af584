/* memory.h - the device's 64-bit address space: what lies at an address, and where its bytes are on the host.
 *
 * Every address belongs to at most one range (an allocation, a symbol, mapped host memory, the device heap). Ranges lie in
 * regions whose device addresses are fixed, so that pointers that a program prints or hashes are always the same. Only the host
 * side of a region is placed by the host. A region is one reservation of host address space that the kernel fills with zero
 * pages on first touch, so translation is one subtraction once the range is known. */
#ifndef WARPLINE_EXEC_MEMORY_H
#define WARPLINE_EXEC_MEMORY_H
#include <stddef.h>
#include <stdint.h>
#include "base/error.h"

/* Windows of generic addressing and the regions; all below 4 GiB where 32-bit PTX must reach them. */
#define SHARED_WINDOW UINT64_C(0x10000000)
#define SHARED_WINDOW_BYTES UINT64_C(0x01000000)
#define LOCAL_WINDOW UINT64_C(0x20000000)
#define LOCAL_WINDOW_BYTES UINT64_C(0x08000000)
/* The address of a thread's first local byte, as registers show it; the machine sees offsets from it. It is not 0, because
 * stacks start there and a pointer just before an array must still be less than the array. */
#define LOCAL_START UINT64_C(0x1000)
#define PARAM_WINDOW UINT64_C(0x30000000)
#define PARAM_WINDOW_BYTES UINT64_C(0x00010000)
#define FUNCTION_WINDOW UINT64_C(0x38000000) /* addresses of device functions, as function pointers show them */
#define CODE_BYTES_PER_INST 8u
/* GPGPU-Sim puts module variables at 0x100. An address 1.5 GB above has the same channel, bank, row, column and sets. */
#define SYMBOL_REGION UINT64_C(0x60000000)
#define SYMBOL_REGION_BYTES UINT64_C(0x60000000)
#define SYMBOL_FIRST (SYMBOL_REGION + 0x100)
#define DEVICE_REGION UINT64_C(0xC0000000) /* cudaMalloc; GPGPU-Sim starts here too */
#define HEAP_REGION UINT64_C(0x10000000000)
#define HOST_REGION UINT64_C(0x20000000000)
#define NULL_PAGE_BYTES UINT64_C(0x10000) /* faults below are called null pointer accesses */

/* The bytes in front of each block of the device heap, which the kernel may write: nvcc's `new T[n]` of a class with a
 * constructor asks malloc for n elements and stores n in the 8 bytes before them. */
enum { HEAP_HEADER = 16 };
enum range_kind { RANGE_ALLOCATION, RANGE_SYMBOL, RANGE_HOST, RANGE_HEAP };

struct range {
    uint64_t start, bytes;
    uint8_t *host;
    const char *name; /* symbols; NULL else */
    uint8_t kind;     /* enum range_kind */
    bool live;        /* false: freed, kept to tell use after free from out of bounds */
};

struct region {
    uint64_t start, bytes;
    uint8_t *host;
};

struct memory {
    struct region device, symbols, heap;
    struct range *ranges; /* sorted by start, disjoint */
    uint32_t count, capacity;
    uint64_t used_bytes, next_symbol, next_host;
    uint32_t alignment;
    uint64_t guard_bytes; /* kept free behind every allocation of the device region; set after memory_open */
    uint8_t *written;     /* one byte per byte of the device region: ever written; NULL when not tracked */
};

bool memory_open(struct memory *m, uint64_t first_address, uint64_t bytes, uint64_t heap_bytes, uint32_t alignment,
                 bool track_writes, struct error *err);
void memory_close(struct memory *m);

uint64_t memory_alloc(struct memory *m, uint64_t bytes); /* 0: exhausted */
bool memory_release(struct memory *m, uint64_t address);
uint64_t memory_add_symbol(struct memory *m, const char *name, uint64_t bytes, uint32_t align); /* 0: exhausted */
bool memory_map_host(struct memory *m, uint64_t address, void *host, uint64_t bytes);
uint64_t memory_place_host(struct memory *m, uint64_t bytes);
bool memory_unmap_host(struct memory *m, const void *host);

uint64_t memory_heap_alloc(struct memory *m, uint64_t bytes); /* device-side malloc; 0: exhausted */
bool memory_resize_heap(struct memory *m, uint64_t bytes);    /* false once a kernel has allocated from it */
bool memory_heap_release(struct memory *m, uint64_t address);

/* The live range that holds `address`, or NULL. */
const struct range *memory_find(const struct memory *m, uint64_t address);
/* The live range that holds `address`, or the next one above it; NULL: there is none. */
const struct range *memory_find_from(const struct memory *m, uint64_t address);
/* Host bytes of [address, address + bytes), NULL unless it lies inside one live range. */
uint8_t *memory_host(const struct memory *m, uint64_t address, uint64_t bytes);
/* The range nearest to an address that no live range holds, for messages; NULL when there is none at all. */
const struct range *memory_nearest(const struct memory *m, uint64_t address);
/* A freed range that held the address and has not been reused, or NULL. */
const struct range *memory_find_freed(const struct memory *m, uint64_t address);

void memory_mark_written(struct memory *m, uint64_t address, uint64_t bytes);
bool memory_was_written(const struct memory *m, uint64_t address, uint64_t bytes);
#endif
