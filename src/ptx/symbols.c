/* symbols.c - names of a module and the scopes in which they hold. */
#include "ptx/symbols.h"

#include <stdlib.h>
#include <string.h>
#include "base/error.h"

struct symbols {
    struct arena *arena;
    struct name **buckets;
    uint32_t bucket_count, name_count; /* bucket_count is a power of two */
    struct symbol **scopes;            /* each scope's list */
    uint32_t depth, scope_capacity;
};

struct symbols *symbols_new(struct arena *arena)
{
    struct symbols *s = must_calloc(1, sizeof *s);
    s->arena = arena;
    s->bucket_count = 1024;
    s->buckets = must_calloc(s->bucket_count, sizeof *s->buckets);
    s->scope_capacity = 16;
    s->scopes = must_calloc(s->scope_capacity, sizeof *s->scopes);
    return s;
}

void symbols_free(struct symbols *symbols)
{
    if (!symbols)
        return;
    free(symbols->buckets);
    free(symbols->scopes);
    free(symbols);
}

uint32_t symbols_depth(const struct symbols *symbols)
{
    return symbols->depth;
}

void symbols_open(struct symbols *symbols)
{
    if (++symbols->depth == symbols->scope_capacity) {
        symbols->scope_capacity *= 2;
        symbols->scopes = must_realloc(symbols->scopes, symbols->scope_capacity * sizeof *symbols->scopes);
    }
    symbols->scopes[symbols->depth] = NULL;
}

void symbols_close(struct symbols *symbols)
{
    for (struct symbol *s = symbols->scopes[symbols->depth]; s; s = s->same_scope) {
        if (s->kind == SYMBOL_RANGE)
            s->name->top_range = s->hidden;
        else
            s->name->top = s->hidden;
    }
    symbols->depth--;
}

static uint32_t hash_text(const char *text, uint32_t length)
{
    uint32_t hash = 2166136261u; /* FNV-1a */
    for (uint32_t i = 0; i < length; i++)
        hash = (hash ^ (uint8_t)text[i]) * 16777619u;
    return hash;
}

static void grow_buckets(struct symbols *symbols)
{
    uint32_t count = symbols->bucket_count * 4;
    struct name **buckets = must_calloc(count, sizeof *buckets);
    for (uint32_t i = 0; i < symbols->bucket_count; i++)
        for (struct name *n = symbols->buckets[i], *next; n; n = next) {
            next = n->next;
            n->next = buckets[n->hash & (count - 1)];
            buckets[n->hash & (count - 1)] = n;
        }
    free(symbols->buckets);
    symbols->buckets = buckets;
    symbols->bucket_count = count;
}

struct name *symbols_name(struct symbols *symbols, const char *text, uint32_t length, bool add)
{
    uint32_t hash = hash_text(text, length);
    for (struct name *n = symbols->buckets[hash & (symbols->bucket_count - 1)]; n; n = n->next)
        if (n->hash == hash && n->length == length && memcmp(n->text, text, length) == 0)
            return n;
    if (!add)
        return NULL;
    if (++symbols->name_count > symbols->bucket_count)
        grow_buckets(symbols);
    struct name *name = arena_alloc(symbols->arena, 1, sizeof *name);
    struct name **bucket = &symbols->buckets[hash & (symbols->bucket_count - 1)];
    *name = (struct name){ .text = arena_copy_text(symbols->arena, text, length), .length = length, .hash = hash, .next = *bucket };
    return *bucket = name;
}

struct symbol *symbols_declare(struct symbols *symbols, struct name *name, enum symbol_kind kind, uint32_t index, uint32_t count)
{
    struct symbol **top = kind == SYMBOL_RANGE ? &name->top_range : &name->top;
    if (*top && (*top)->depth == symbols->depth)
        return NULL;
    struct symbol *symbol = arena_alloc(symbols->arena, 1, sizeof *symbol);
    *symbol = (struct symbol){ .kind = (uint8_t)kind,
                               .index = index,
                               .count = count,
                               .depth = symbols->depth,
                               .name = name,
                               .hidden = *top,
                               .same_scope = symbols->scopes[symbols->depth] };
    symbols->scopes[symbols->depth] = symbol;
    return *top = symbol;
}

struct symbol *symbols_declare_global(struct symbols *symbols, struct name *name, enum symbol_kind kind, uint32_t index)
{
    struct symbol **bottom = &name->top;
    while (*bottom && (*bottom)->depth > 0)
        bottom = &(*bottom)->hidden;
    if (*bottom)
        return *bottom;
    struct symbol *symbol = arena_alloc(symbols->arena, 1, sizeof *symbol);
    *symbol = (struct symbol){ .kind = (uint8_t)kind, .index = index, .count = 1, .name = name, .same_scope = symbols->scopes[0] };
    symbols->scopes[0] = symbol;
    return *bottom = symbol;
}

/* %r57 as the 58th register of the range %r<100>. */
static const struct symbol *find_in_range(struct symbols *symbols, const char *text, uint32_t length, struct symbol *in_range)
{
    uint32_t digits = 0;
    while (digits < length && text[length - 1 - digits] >= '0' && text[length - 1 - digits] <= '9')
        digits++;
    /* the number may be cut anywhere among the digits: %r1<20> declares %r10; try the longest number first */
    for (uint32_t cut = length - digits; digits && cut < length; cut++) {
        if (text[cut] == '0' && cut + 1 < length)
            continue; /* %r007 is not in a range */
        struct name *prefix = symbols_name(symbols, text, cut, false);
        uint64_t number = 0;
        for (uint32_t i = cut; i < length && number < UINT32_MAX; i++)
            number = number * 10 + (uint64_t)(text[i] - '0');
        if (!prefix || !prefix->top_range || number >= prefix->top_range->count)
            continue;
        *in_range = *prefix->top_range;
        in_range->kind = SYMBOL_REGISTER;
        in_range->index += (uint32_t)number;
        in_range->count = 1;
        return in_range;
    }
    return NULL;
}

const struct symbol *symbols_find(struct symbols *symbols, const char *text, uint32_t length, struct symbol *in_range)
{
    struct name *name = symbols_name(symbols, text, length, false);
    const struct symbol *exact = name ? name->top : NULL;
    const struct symbol *ranged = find_in_range(symbols, text, length, in_range);
    if (exact && ranged)
        return exact->depth >= ranged->depth ? exact : ranged;
    return exact ? exact : ranged;
}
