/* arena.h - memory that is freed all at once.
 *
 * Blocks are zeroed and aligned for any type; pointers stay valid until arena_free. For structures built once (a parsed
 * module, a machine) whose parts live exactly as long as the whole. */
#ifndef WARPLINE_BASE_ARENA_H
#define WARPLINE_BASE_ARENA_H
#include <stddef.h>

struct arena;
struct arena *arena_new(void);
void arena_free(struct arena *arena);                              /* NULL is fine */
void *arena_alloc(struct arena *arena, size_t count, size_t size); /* count * size bytes, zeroed; overflow is a panic */
void *arena_copy(struct arena *arena, const void *from, size_t bytes);
char *arena_copy_text(struct arena *arena, const char *text, size_t length); /* NUL-terminated copy */
#endif
