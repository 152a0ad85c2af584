/* stat_json.h - counters as JSON: dots in names nest, ratios stand beside their counters. */
#ifndef WARPLINE_STAT_STAT_JSON_H
#define WARPLINE_STAT_STAT_JSON_H
#include <jansson.h>

#include "stat/stat_series.h"

/* A new object with every counter and ratio of the group. A ratio whose denominator is 0 is null. */
json_t *stat_to_json(const struct stat_group *group, const void *counters);
/* numerator / denominator, rounded to 9 digits; null when the denominator is 0. */
json_t *stat_ratio_to_json(double numerator, double denominator);
/* {"interval": cycles, "counters": {"group.counter": [growth per interval]}}; counters that never moved are left out. */
json_t *stat_series_to_json(const struct stat_group *const *groups, uint32_t group_count, const struct stat_intervals *series);
#endif
