/* cache_kinds.c - what all caches share: geometry and its limits, set index functions, names of outcomes. */
#include "mem/cache_kinds.h"

#include <stddef.h>

#include "base/error.h"
#include "mem/tag_array.h"

const char *const cache_index_names[] = { "linear", "fermi-hash", "xor", "ipoly", NULL };
const char *const cache_replacement_names[] = { "lru", "fifo", NULL };

const char *const count_unit_names[] = { "sector", "line", NULL };

uint32_t count_in_sectors(uint32_t count, uint32_t unit, uint32_t line_bytes)
{
    return unit == COUNT_LINES ? count * (line_bytes / SECTOR_BYTES) : count;
}

static bool power_of_two(uint32_t n)
{
    return n && (n & (n - 1)) == 0;
}

bool cache_geometry_check(const struct cache_geometry *g, const char *name, struct error *err)
{
    if (!power_of_two(g->line_bytes) || g->line_bytes < SECTOR_BYTES || g->line_bytes > TAG_SECTORS_MAX * SECTOR_BYTES)
        return error_set(err, "%s.line = %u: a line is 32, 64 or 128 bytes", name, g->line_bytes);
    if (g->index == SET_INDEX_FERMI_HASH && g->sets != 32 && g->sets != 64)
        return error_set(err,
                         "%s.index = fermi-hash is defined for 32 or 64 sets, and %s.sets = %u; set the index to linear (a policy "
                         "that computes the index replaces either)",
                         name, name, g->sets);
    if (g->index == SET_INDEX_XOR && !power_of_two(g->sets))
        return error_set(err, "%s.index = xor needs a power of two of sets, and %s.sets = %u", name, name, g->sets);
    if (g->index == SET_INDEX_IPOLY && g->sets != 16 && g->sets != 32 && g->sets != 64)
        return error_set(
            err, "%s.index = ipoly is defined for 16, 32 or 64 sets, and %s.sets = %u; the policy pric takes any power of two",
            name, name, g->sets);
    if ((uint64_t)g->sets * g->ways > UINT32_MAX / 4)
        return error_set(err, "%s has %u sets of %u ways: more lines than the simulator can number", name, g->sets, g->ways);
    return true;
}
