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
