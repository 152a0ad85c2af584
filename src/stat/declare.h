/* Declares struct <STAT_NAME>_counters and <STAT_NAME>_stat_group from STAT_DEF. See stat.h. It has no include guard because it
 * is included many times. */
#include "stat/stat.h"
#define STAT_PASTE_(a, b) a##b
#define STAT_PASTE(a, b) STAT_PASTE_(a, b)
struct STAT_PASTE(STAT_NAME, _counters) {
#define COUNTER(field, name, unit, help) uint64_t field;
#define RATIO(field, name, numerator, denominator, help)
#define LAW(id, expression)
#include STAT_DEF
#undef COUNTER
#undef RATIO
#undef LAW
};
extern const struct stat_group STAT_PASTE(STAT_NAME, _stat_group);
#undef STAT_DEF
#undef STAT_NAME
