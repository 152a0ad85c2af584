/* tag_array.h - which lines a cache holds, and in what state.
 *
 * A line has 1 sector (an ordinary cache) or up to 4 of 32 bytes. Each sector is invalid, reserved (its fill is on its way), valid
 * or modified. A modified sector may be unreadable: a store wrote part of it and the rest was never fetched.
 *
 * A probe changes nothing. Choosing a victim and allocating are separate steps, so that a cache can find out in between that it
 * lacks an MSHR. The victim is the last invalid way, or else the choice (LRU, FIFO or a replacement hook's) among the ways
 * without a reserved sector, and without a modified one while those are spared (written_percent) and the set has others. Of ways
 * that were used in the same cycle the first is taken. Up to TAG_SCAN_WAYS ways are scanned. Beyond that a hash finds the line and
 * a list keeps the order, so that caches of thousands of ways cost the same per access. */
#ifndef WARPLINE_MEM_TAG_ARRAY_H
#define WARPLINE_MEM_TAG_ARRAY_H
#include <stdbool.h>
#include <stdint.h>

#include "mem/request.h"

enum { TAG_SECTORS_MAX = 4, TAG_SCAN_WAYS = 64 };
#define TAG_NO_LINE UINT32_MAX

/* Masked: linear, with the low bits of the line's number that sets - 1 has, also where sets is no power of two and most sets are
 * then never used; it has no name for the user, src/reference chooses it. */
enum set_index { SET_INDEX_LINEAR, SET_INDEX_FERMI_HASH, SET_INDEX_XOR, SET_INDEX_IPOLY, SET_INDEX_MASKED };
enum replacement { REPLACEMENT_LRU, REPLACEMENT_FIFO };

/* What a tag array may be made to do in another way than its own; NULL: its own. src/reference fills it in. */
struct tag_array;
struct tag_otherwise {
    void (*forget)(struct tag_array *tags, uint32_t line); /* the line leaves its way empty: what of it stays */
    /* A store of these bytes passes for one of a whole sector. */
    bool (*passes_for_whole)(const struct tag_array *tags, const struct byte_mask *bytes);
    bool keeps_written; /* bytes written to a way's last line count for its next */
};

struct tag_geometry {
    uint32_t sets, ways, line_bytes;
    uint32_t sectors; /* 1, or line_bytes / 32 */
    enum set_index index;
    enum replacement replacement;
    uint32_t written_percent; /* lines with a modified sector are no victims while fewer than this part of all lines have one */
};

enum tag_status {
    TAG_HIT,
    TAG_HIT_RESERVED,
    TAG_MISS,        /* the line is absent, and there is a way to put it */
    TAG_SECTOR_MISS, /* the line is there, this sector is not, or cannot be read */
    TAG_ALL_RESERVED /* absent, and every way waits for a fill */
};

struct tag_probe {
    enum tag_status status;
    uint32_t line; /* set * ways + way of the line found, else TAG_NO_LINE */
};

struct tag_line {
    uint64_t last_access, allocated;               /* times given by the caller */
    struct byte_mask written;                      /* bytes that stores put here since the line was allocated */
    uint8_t valid, reserved, modified, unreadable; /* bit per sector; valid, reserved and modified exclude each other */
    uint8_t modified_on_fill, readable_on_fill;
    bool written_on_fill;
    /* For the cache's own use, cleared when the line is allocated: 32 B sectors that accesses touched; sectors that a fetch of
     * less than the line left out (neither here nor on their way); the line's number as policies know it; the bytes it takes
     * when lines may shrink. */
    uint8_t used, absent;
    uint16_t stored_bytes;
    bool counted; /* among the written lines, where those may be spared; the tag array's */
    uint64_t policy_line;
    uint64_t former; /* tag_otherwise.forget's: the block that an empty way held; the struct is a whole cache line of the host */
};

struct tag_evicted {
    uint64_t address;
    bool valid, dirty;
    uint8_t dirty_sectors;
    uint32_t dirty_bytes; /* sectors x 32, or the line */
    struct byte_mask written;
};

/* Asked when no way is free. `candidates` has a bit per way, in words of 64; the answer is one of them. */
typedef uint32_t tag_choose_victim(void *context, uint32_t set, const uint64_t *candidates);

struct tag_array *tag_array_new(const struct tag_geometry *geometry);
void tag_array_do_otherwise(struct tag_array *tags,
                            const struct tag_otherwise *otherwise); /* before the first access; NULL: keeps its own */
void tag_array_free(struct tag_array *tags);
void tag_array_set_victim(struct tag_array *tags, tag_choose_victim *choose, void *context); /* NULL: back to the geometry's */

/* The index function. `set_address` is the address itself at an L1, the in-slice address at an L2. */
uint32_t tag_array_set(const struct tag_array *tags, uint64_t set_address);
static inline uint64_t tag_block(const struct tag_geometry *g, uint64_t address)
{
    return address & ~(uint64_t)(g->line_bytes - 1);
}

/* `block` is the line's address, `sector` 0 .. sectors - 1. */
struct tag_probe tag_array_probe(const struct tag_array *tags, uint32_t set, uint64_t block, uint32_t sector, bool write);
/* A miss in this set finds a line to take: not all are reserved or spared. */
bool tag_array_has_room(const struct tag_array *tags, uint32_t set);
/* The line that a miss in this set will take. Only if there is room; asks the replacement hook when no way is invalid. */
uint32_t tag_array_victim(struct tag_array *tags, uint32_t set);
/* The same among the lines that hold data, whether or not a way is free: TAG_NO_LINE when all of them are reserved or spared. */
uint32_t tag_array_victim_held(struct tag_array *tags, uint32_t set);
/* The ways that a miss could take, a bit each in words of 64 (none: all wait for a fill). NULL when a way is free, unless
 * `anyway`: the caller is short of space, not of ways. Valid until the next call. */
const uint64_t *tag_array_candidates(struct tag_array *tags, uint32_t set, bool anyway);
/* Takes the line for `block`, with one sector reserved: what a miss does. Says what was there. */
struct tag_evicted tag_array_allocate(struct tag_array *tags, uint32_t line, uint64_t block, uint32_t sector, uint64_t time);
/* Reserves a missing sector of a line that is there. A modified sector will be modified again once filled. */
void tag_array_allocate_sector(struct tag_array *tags, uint32_t line, uint32_t sector, uint64_t time);
/* Takes the line for `block` with all of its sectors there at once: allocated at `first`, touched at `last`. */
void tag_array_put_whole(struct tag_array *tags, uint32_t line, uint64_t block, uint64_t first, uint64_t last);
void tag_array_touch(struct tag_array *tags, uint32_t line, uint64_t time);
/* The data of one sector are here. */
void tag_array_fill(struct tag_array *tags, uint32_t line, uint32_t sector, const struct byte_mask *bytes);
/* An atomic changed bytes of this sector, which is there. */
void tag_array_dirty(struct tag_array *tags, uint32_t line, uint32_t sector, const struct byte_mask *bytes);
/* A store changed bytes of this sector: modified, and readable once all of its bytes are known. */
void tag_array_modify(struct tag_array *tags, uint32_t line, uint32_t sector, const struct byte_mask *bytes);
/* A store took this sector without fetching it: modified, and unreadable while bytes of it are unknown. With `fill_coming` (the
 * sector was reserved) the fill will bring them. */
void tag_array_modify_unfetched(struct tag_array *tags, uint32_t line, uint32_t sector, const struct byte_mask *bytes,
                                bool fill_coming);
/* Takes the line out; says what was there. */
struct tag_evicted tag_array_drop(struct tag_array *tags, uint32_t line);
void tag_array_invalidate_sector(struct tag_array *tags, uint32_t line, uint32_t sector);
/* All lines, reserved ones too; dirty data are dropped (memory already holds the values). */
void tag_array_invalidate(struct tag_array *tags);

/* The line that holds `block` in whatever state, or TAG_NO_LINE. */
uint32_t tag_array_find(const struct tag_array *tags, uint32_t set, uint64_t block);
bool tag_array_holds(const struct tag_array *tags, uint32_t line); /* something valid, reserved or modified */
struct tag_line *tag_array_line(struct tag_array *tags, uint32_t line);
uint64_t tag_array_address(const struct tag_array *tags, uint32_t line);
/* Where lines may shrink: the bytes that this one takes from now on, and those that a set's lines take together. */
void tag_array_set_stored(struct tag_array *tags, uint32_t line, uint32_t bytes);
uint32_t tag_array_stored(const struct tag_array *tags, uint32_t set);
uint32_t tag_array_stored_reserved(const struct tag_array *tags, uint32_t set); /* of these, lines whose fill is on its way */
/* Lines with a valid, reserved or modified sector; for tests and views. */
uint32_t tag_array_occupied(const struct tag_array *tags);
#endif
