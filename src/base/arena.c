/* arena.c - memory that is taken piece by piece and given back all at once, in blocks that grow. */
#include "base/arena.h"

#include <stdalign.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

enum { BLOCK_BYTES = 64 * 1024 };

struct block {
    struct block *older;
    size_t used, room;
    alignas(max_align_t) char bytes[];
};

struct arena {
    struct block *newest;
};

struct arena *arena_new(void)
{
    return must_calloc(1, sizeof(struct arena));
}

void arena_free(struct arena *arena)
{
    for (struct block *b = arena ? arena->newest : NULL, *older; b; b = older) {
        older = b->older;
        free(b);
    }
    free(arena);
}

void *arena_alloc(struct arena *arena, size_t count, size_t size)
{
    require(size == 0 || count <= (SIZE_MAX / 2 - sizeof(struct block)) / size);
    const size_t align = alignof(max_align_t), bytes = (count * size + align - 1) / align * align;
    struct block *b = arena->newest;
    if (!b || b->room - b->used < bytes) {
        const size_t room = bytes > BLOCK_BYTES ? bytes : BLOCK_BYTES;
        b = must_calloc(1, sizeof *b + room);
        *b = (struct block){ .older = arena->newest, .room = room };
        arena->newest = b;
    }
    void *result = b->bytes + b->used;
    b->used += bytes;
    return result;
}

void *arena_copy(struct arena *arena, const void *from, size_t bytes)
{
    void *copy = arena_alloc(arena, bytes, 1);
    if (bytes)
        memcpy(copy, from, bytes);
    return copy;
}

char *arena_copy_text(struct arena *arena, const char *text, size_t length)
{
    char *copy = arena_alloc(arena, length + 1, 1);
    memcpy(copy, text, length);
    return copy;
}
