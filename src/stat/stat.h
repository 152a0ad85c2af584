/* stat.h - counters declared once, as data.
 *
 * A component's counters are a plain struct of uint64_t, made from a .def list of rows:
 *
 *     COUNTER(field, "json.name", "unit", "meaning")
 *     RATIO(field, "json.name", numerator_expression, denominator_expression, "meaning")
 *     LAW(identifier, expression_that_must_hold)
 *
 * Dots in a JSON name nest objects ("refused.mshr_entry"). RATIO and LAW expressions name counters of
 * the same group as c->field.
 * Laws are checked at the end of every kernel, in every build. To declare the group `l1` from `l1_counters.def`:
 *
 *     in l1.h:   #define STAT_DEF "mem/l1_counters.def"
 *                #define STAT_NAME l1
 *                #include "stat/declare.h"        // struct l1_counters; extern const struct stat_group l1_stat_group;
 *     in l1.c:   #define STAT_DEF "mem/l1_counters.def"
 *                #define STAT_NAME l1
 *                #include "stat/define.h"         // the tables behind it
 *
 * declare.h and define.h undefine both macros at their end. */
#ifndef WARPLINE_STAT_STAT_H
#define WARPLINE_STAT_STAT_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct stat_counter {
    const char *name, *unit, *help;
    size_t offset;
};

struct stat_ratio {
    const char *name, *help;
    void (*evaluate)(const void *counters, double *numerator, double *denominator);
};

struct stat_law {
    const char *name, *text;
    bool (*holds)(const void *counters);
};

struct stat_group {
    const char *name;                    /* "l1": the JSON object and the prefix in `list stats` */
    size_t size;                         /* of the counters struct; a multiple of 8 */
    const struct stat_counter *counters; /* each list ends with a NULL name */
    const struct stat_ratio *ratios;
    const struct stat_law *laws;
};

/* sum += part, field by field. Both are structs of `group`. */
void stat_add(const struct stat_group *group, void *sum, const void *part);
/* difference = after - before. */
void stat_subtract(const struct stat_group *group, void *difference, const void *after, const void *before);
/* NULL, or the first law that does not hold. */
const struct stat_law *stat_check(const struct stat_group *group, const void *counters);
#endif
