/* param_json.h - the effective configuration as JSON, which param_load reads back. */
#ifndef WARPLINE_PARAM_PARAM_JSON_H
#define WARPLINE_PARAM_PARAM_JSON_H
#include <jansson.h>

#include "param/param.h"

/* A new object: "l1.sets" becomes {"l1": {"sets": ...}}. Numbers are numbers (sizes in bytes), frequencies, times and
 * choices are text, lists are arrays. */
json_t *param_to_json(const struct param_space *space);
/* One value, in the same way. */
json_t *param_value_to_json(const struct param *row, const char *value);
#endif
