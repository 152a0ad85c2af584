/* stat_json.c - counters and ratios as JSON. */
#include "stat/stat_json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"

json_t *stat_ratio_to_json(double numerator, double denominator)
{
    if (denominator == 0)
        return json_null();
    char text[32];
    (void)snprintf(text, sizeof text, "%.9g", numerator / denominator);
    return json_real(strtod(text, NULL));
}

json_t *stat_to_json(const struct stat_group *group, const void *counters)
{
    json_t *object = json_object();
    for (const struct stat_counter *c = group->counters; c->name; c++) {
        uint64_t value;
        memcpy(&value, (const char *)counters + c->offset, sizeof value);
        json_set_dotted(object, c->name, json_integer((json_int_t)value));
    }
    for (const struct stat_ratio *r = group->ratios; r->name; r++) {
        double numerator, denominator;
        r->evaluate(counters, &numerator, &denominator);
        json_set_dotted(object, r->name, stat_ratio_to_json(numerator, denominator));
    }
    return object;
}

/* NULL when every value is 0. */
static json_t *column_to_json(const struct stat_intervals *series, size_t column)
{
    json_t *values = json_array();
    uint64_t all = 0;
    for (uint32_t i = 0; i < series->count; i++) {
        const uint64_t v = series->values[(size_t)i * series->columns + column];
        all |= v;
        (void)json_array_append_new(values, json_integer((json_int_t)v));
    }
    if (all)
        return values;
    json_decref(values);
    return NULL;
}

json_t *stat_series_to_json(const struct stat_group *const *groups, uint32_t group_count, const struct stat_intervals *series)
{
    json_t *counters = json_object();
    size_t base = 0;
    for (uint32_t g = 0; g < group_count; base += groups[g]->size / sizeof(uint64_t), g++)
        for (const struct stat_counter *c = groups[g]->counters; c->name; c++) {
            json_t *values = column_to_json(series, base + c->offset / sizeof(uint64_t));
            char name[160];
            (void)snprintf(name, sizeof name, "%s.%s", groups[g]->name, c->name);
            if (values)
                (void)json_object_set_new(counters, name, values);
        }
    return json_pack("{s:I, s:o}", "interval", (json_int_t)series->period, "counters", counters);
}
