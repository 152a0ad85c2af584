/* result_handle.c - the public handle of a result: kernels and counters by name, out of the JSON tree that every run makes. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "embed/handles.h"
#include "run/result.h"

/* Every number below `object` under its dotted name. */
static void add_names(struct text_list *names, const char *prefix, json_t *object)
{
    const char *key;
    json_t *value;
    json_object_foreach(object, key, value) {
        struct text_buffer name = { 0 };
        text_append(&name, "%s%s%s", prefix, *prefix ? "." : "", key);
        if (json_is_object(value))
            add_names(names, name.text, value);
        else if (json_is_number(value) || json_is_null(value))
            text_list_add(names, name.text);
        text_buffer_clear(&name);
    }
}

struct warpline_result *result_handle_new(json_t *tree, bool stopped)
{
    struct warpline_result *result = must_calloc(1, sizeof *result);
    result->tree = tree;
    result->stopped = stopped;
    add_names(&result->names, "", json_object_get(tree, "totals"));
    return result;
}

void warpline_result_free(struct warpline_result *result)
{
    if (!result)
        return;
    json_decref(result->tree);
    text_list_clear(&result->names);
    text_buffer_clear(&result->text);
    free(result);
}

size_t warpline_kernel_count(const struct warpline_result *result)
{
    return json_array_size(json_object_get(result->tree, "kernels"));
}

static json_t *numbers_of(const struct warpline_result *result, size_t kernel)
{
    if (kernel == WARPLINE_TOTALS)
        return json_object_get(result->tree, "totals");
    return json_array_get(json_object_get(result->tree, "kernels"), kernel);
}

const char *warpline_kernel_name(const struct warpline_result *result, size_t kernel)
{
    return kernel == WARPLINE_TOTALS ? NULL : json_string_value(json_object_get(numbers_of(result, kernel), "name"));
}

int warpline_stopped(const struct warpline_result *result)
{
    return result->stopped;
}

size_t warpline_counter_count(const struct warpline_result *result)
{
    return result->names.count;
}

const char *warpline_counter_name(const struct warpline_result *result, size_t counter)
{
    return counter < result->names.count ? result->names.item[counter] : NULL;
}

double warpline_counter(const struct warpline_result *result, size_t kernel, const char *name)
{
    json_t *numbers = numbers_of(result, kernel);
    return numbers ? json_number_dotted(numbers, name, (double)NAN) : (double)NAN;
}

const char *warpline_json(struct warpline_result *result)
{
    struct error_escape escape;
    const char *volatile text = NULL;
    error_escape_enter(&escape);
    if (setjmp(escape.place) == 0) {
        if (!result->text.text)
            result_write(result->tree, &result->text);
        text = result->text.text;
    }
    error_escape_leave(&escape);
    return text;
}
