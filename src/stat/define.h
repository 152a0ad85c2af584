/* Defines <STAT_NAME>_stat_group from STAT_DEF. See stat.h. It has no include guard because it is included many times. One group
 * per .c file. */
#include "stat/stat.h"
#include <string.h>
#ifndef STAT_PASTE
#define STAT_PASTE_(a, b) a##b
#define STAT_PASTE(a, b) STAT_PASTE_(a, b)
#endif
#define STAT_TEXT_(x) #x
#define STAT_TEXT(x) STAT_TEXT_(x)
#define STAT_STRUCT struct STAT_PASTE(STAT_NAME, _counters)

/* clang-format off */
static const struct stat_counter stat_counter_rows[] = {
#define COUNTER(field, name, unit, help) { name, unit, help, offsetof(STAT_STRUCT, field) },
#define RATIO(field, name, numerator, denominator, help)
#define LAW(id, expression)
#include STAT_DEF
#undef COUNTER
#undef RATIO
#undef LAW
    { NULL, NULL, NULL, 0 }
};

/* Expressions name counters as c->field. */
#define COUNTER(field, name, unit, help)
#define LAW(id, expression)
#define RATIO(field, name, numerator, denominator, help)                                     \
    static void stat_ratio_##field(const void *counters, double *num_, double *den_)          \
    {                                                                                         \
        const STAT_STRUCT *c = counters;                                                      \
        *num_ = (double)(numerator);                                                          \
        *den_ = (double)(denominator);                                                        \
    }
#include STAT_DEF
#undef RATIO
#undef LAW
#define RATIO(field, name, numerator, denominator, help)
#define LAW(id, expression)                              \
    static bool stat_law_##id(const void *counters)      \
    {                                                    \
        const STAT_STRUCT *c = counters;                 \
        return (expression);                             \
    }
#include STAT_DEF
#undef RATIO
#undef LAW

static const struct stat_ratio stat_ratio_rows[] = {
#define LAW(id, expression)
#define RATIO(field, name, numerator, denominator, help) { name, help, stat_ratio_##field },
#include STAT_DEF
#undef LAW
#undef RATIO
    { NULL, NULL, NULL }
};
static const struct stat_law stat_law_rows[] = {
#define RATIO(field, name, numerator, denominator, help)
#define LAW(id, expression) { #id, #expression, stat_law_##id },
#include STAT_DEF
#undef LAW
#undef RATIO
    { NULL, NULL, NULL }
};
#undef COUNTER
const struct stat_group STAT_PASTE(STAT_NAME, _stat_group) = {
    .name = STAT_TEXT(STAT_NAME), .size = sizeof(STAT_STRUCT), .counters = stat_counter_rows,
    .ratios = stat_ratio_rows, .laws = stat_law_rows
};
#undef STAT_STRUCT
#undef STAT_TEXT
#undef STAT_TEXT_
#undef STAT_DEF
#undef STAT_NAME
/* clang-format on */
