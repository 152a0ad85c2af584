/* stat.c - counters as rows of data: sums, differences, and the laws that must hold between them. */
#include "stat/stat.h"

void stat_add(const struct stat_group *group, void *sum, const void *part)
{
    uint64_t *s = sum;
    const uint64_t *p = part;
    for (size_t i = 0; i < group->size / sizeof *s; i++)
        s[i] += p[i];
}

void stat_subtract(const struct stat_group *group, void *difference, const void *after, const void *before)
{
    uint64_t *d = difference;
    const uint64_t *a = after, *b = before;
    for (size_t i = 0; i < group->size / sizeof *d; i++)
        d[i] = a[i] - b[i];
}

const struct stat_law *stat_check(const struct stat_group *group, const void *counters)
{
    for (const struct stat_law *law = group->laws; law->name; law++)
        if (!law->holds(counters))
            return law;
    return NULL;
}
