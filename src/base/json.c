/* json.c - what jansson does not have: dotted names, and one canonical text for one tree. */
#include "base/json.h"

#include <stdlib.h>
#include <string.h>

#include "base/units.h"

static void write_value(const json_t *value, unsigned depth, struct text_buffer *out);

static bool is_plain(const char *text)
{
    for (; *text; text++)
        if (*text < ' ' || *text > '~' || *text == '"' || *text == '\\')
            return false;
    return true;
}

static void write_text(const char *text, struct text_buffer *out)
{
    if (is_plain(text)) { /* nearly all: names of counters and parameters */
        text_append_bytes(out, "\"", 1);
        text_append_bytes(out, text, strlen(text));
        text_append_bytes(out, "\"", 1);
        return;
    }
    json_t *value = json_string(text);
    require(value); /* NULL: not UTF-8 */
    char *quoted = json_dumps(value, JSON_ENCODE_ANY);
    text_append(out, "%s", quoted);
    free(quoted);
    json_decref(value);
}

static void new_line(unsigned depth, struct text_buffer *out)
{
    text_append_bytes(out, "\n", 1);
    while (depth--)
        text_append_bytes(out, " ", 1);
}

static void write_object(const json_t *object, unsigned depth, struct text_buffer *out)
{
    const char *name;
    json_t *member;
    bool first = true;
    text_append(out, "{");
    json_object_foreach((json_t *)(uintptr_t)object, name, member) {
        if (!first)
            text_append_bytes(out, ",", 1);
        first = false;
        new_line(depth + 1, out);
        write_text(name, out);
        text_append_bytes(out, ": ", 2);
        write_value(member, depth + 1, out);
    }
    if (!first)
        new_line(depth, out);
    text_append(out, "}");
}

static bool holds_scalars(const json_t *array)
{
    for (size_t i = 0; i < json_array_size(array); i++) {
        const json_t *member = json_array_get(array, i);
        if (json_is_object(member) || json_is_array(member))
            return false;
    }
    return true;
}

static void write_array(const json_t *array, unsigned depth, struct text_buffer *out)
{
    const bool flat = holds_scalars(array);
    text_append(out, "[");
    for (size_t i = 0; i < json_array_size(array); i++) {
        text_append(out, "%s", i ? flat ? ", " : "," : "");
        if (!flat)
            new_line(depth + 1, out);
        write_value(json_array_get(array, i), depth + 1, out);
    }
    if (!flat)
        new_line(depth, out);
    text_append(out, "]");
}

static void write_value(const json_t *value, unsigned depth, struct text_buffer *out)
{
    char text[64];
    switch (json_typeof(value)) {
    case JSON_OBJECT: write_object(value, depth, out); return;
    case JSON_ARRAY: write_array(value, depth, out); return;
    case JSON_STRING: write_text(json_string_value(value), out); return;
    case JSON_INTEGER: text_append(out, "%" JSON_INTEGER_FORMAT, json_integer_value(value)); return;
    case JSON_REAL:
        units_format_real(text, sizeof text, json_real_value(value));
        /* A real stays a real when it is read back: 2.0, not 2. */
        text_append(out, "%s%s", text, strpbrk(text, ".e") ? "" : ".0");
        return;
    case JSON_TRUE: text_append(out, "true"); return;
    case JSON_FALSE: text_append(out, "false"); return;
    case JSON_NULL: text_append(out, "null"); return;
    }
}

void json_write(const json_t *tree, struct text_buffer *out)
{
    write_value(tree, 0, out);
    text_append(out, "\n");
}

char *json_clean_text(const char *text)
{
    json_t *value = json_string(text);
    char *copy = must_strdup(text);
    for (char *c = copy; !value && *c; c++)
        if ((unsigned char)*c >= 0x80)
            *c = '?';
    json_decref(value);
    return copy;
}

void json_set_dotted(json_t *root, const char *dotted, json_t *value)
{
    char name[128];
    for (const char *dot; (dot = strchr(dotted, '.')); dotted = dot + 1) {
        (void)snprintf(name, sizeof name, "%.*s", (int)(dot - dotted), dotted);
        json_t *next = json_object_get(root, name);
        if (!next) {
            next = json_object();
            (void)json_object_set_new(root, name, next);
        }
        if (!json_is_object(next))
            panic("JSON name '%s' is both a value and a group", name);
        root = next;
    }
    if (json_object_get(root, dotted))
        panic("JSON name '%s' is set twice", dotted);
    (void)json_object_set_new(root, dotted, value);
}

json_t *json_get_dotted(const json_t *root, const char *dotted)
{
    char name[128];
    for (const char *dot; (dot = strchr(dotted, '.')); dotted = dot + 1) {
        (void)snprintf(name, sizeof name, "%.*s", (int)(dot - dotted), dotted);
        root = json_object_get(root, name);
    }
    return json_object_get(root, dotted);
}

double json_number_dotted(const json_t *root, const char *dotted, double otherwise)
{
    const json_t *value = json_get_dotted(root, dotted);
    return json_is_number(value) ? json_number_value(value) : otherwise;
}

json_t *json_read_file(const char *path, const char *what, struct error *err)
{
    enum { LARGEST = 1 << 30 };
    size_t length;
    json_error_t at;
    char *text = text_read_file(path, LARGEST, &length, err);
    json_t *tree = text ? json_loadb(text, length, JSON_REJECT_DUPLICATES, &at) : NULL;
    if (text && !tree)
        (void)error_set(err, "%.300s:%d: not %s: %s", path, at.line, what, at.text);
    free(text);
    return tree;
}
