/* param_json.c - all parameters of a run as JSON, so that a result says what it is a result of. */
#include "param/param_json.h"

#include <stdlib.h>

#include "base/json.h"
#include "base/units.h"

static json_t *list_to_json(const char *value)
{
    json_t *array = json_array();
    struct text_list parts = { 0 };
    if (*value)
        (void)text_list_add_parts(&parts, value);
    for (size_t i = 0; i < parts.count; i++)
        (void)json_array_append_new(array, json_integer((json_int_t)strtoull(parts.item[i], NULL, 10)));
    text_list_clear(&parts);
    return array;
}

json_t *param_value_to_json(const struct param *row, const char *value)
{
    uint64_t bytes = 0;
    const char *why;
    switch (row->type) {
    case PARAM_TYPE_U32:
    case PARAM_TYPE_U64:
    case PARAM_TYPE_SIZE:
        /* What JSON's signed 64-bit integers cannot hold goes as text, which reads back as well. */
        if (!units_parse_size(value, &bytes, &why) || bytes > INT64_MAX)
            return json_string(value);
        return json_integer((json_int_t)bytes);
    case PARAM_TYPE_I64: return json_integer(strtoll(value, NULL, 10));
    case PARAM_TYPE_REAL: return json_real(strtod(value, NULL));
    case PARAM_TYPE_BOOL: return json_boolean(value[0] == 't');
    case PARAM_TYPE_LIST: return list_to_json(value);
    case PARAM_TYPE_FREQUENCY:
    case PARAM_TYPE_TIME:
    case PARAM_TYPE_CHOICE: return json_string(value);
    }
    panic("parameter %s has no type", row->name);
}

static void add_value(void *context, const char *name, const struct param *row, const char *value)
{
    if (row->class != PARAM_HOST)
        json_set_dotted(context, name, param_value_to_json(row, value));
}

json_t *param_to_json(const struct param_space *space)
{
    json_t *object = json_object();
    param_each(space, add_value, object);
    return object;
}
