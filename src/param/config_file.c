/* config_file.c - configurations as text: INI files with includes, built-in ones, and results fed back. */
#include <ini.h>
#include <jansson.h>
#include <libgen.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "param/param.h"

enum {
    INI_LINE_LIMIT = 199,         /* what Debian's inih reads as one line */
    CONFIG_BYTES_LIMIT = 1 << 20, /* a hand-written configuration is a few kilobytes */
    RESULT_BYTES_LIMIT = 1 << 30, /* a result of many kernels may be large */
    INCLUDE_DEPTH_LIMIT = 16
};

/* One file being read; `includer` links the chain back to the file that was asked for. */
struct source {
    struct param_space *space;
    const char *where;                        /* the path as errors show it */
    const char *identity;                     /* a canonical path or "built-in NAME": equal for equal files */
    const struct param_builtins_of *builtins; /* what names stand for */
    const struct source *includer;
    unsigned depth;
    const char *next; /* text not yet handed to inih */
    unsigned line;
    bool failed;
    struct error *err;
};

static const struct param_builtins_of machines = { param_builtins, "configs", "configuration", "warpline list configs" };

static bool load_named(struct param_space *space, const struct param_builtins_of *builtins, const char *name, const char *where,
                       const struct source *includer, struct error *err);

/* Hands inih one line at a time, so that the line number is known, CRLF and indentation do not matter and no line is cut. */
static char *next_line(char *out, int room, void *context)
{
    struct source *s = context;
    if (s->failed || !*s->next)
        return NULL;
    s->line++;
    const char *end = strchrnul(s->next, '\n');
    const char *first = s->next;
    s->next = *end ? end + 1 : end;
    while (first < end && (*first == ' ' || *first == '\t'))
        first++;
    while (end > first && (end[-1] == '\r' || end[-1] == ' ' || end[-1] == '\t'))
        end--;
    const size_t length = (size_t)(end - first);
    if (length > INI_LINE_LIMIT || (int)length + 2 > room) {
        s->failed = true;
        error_set(s->err, "%s:%u: the line is longer than %d characters", s->where, s->line, INI_LINE_LIMIT);
        return NULL;
    }
    memcpy(out, first, length);
    memcpy(out + length, "\n", 2);
    return out;
}

static int take_setting(void *context, const char *section, const char *name, const char *value)
{
    struct source *s = context;
    if (s->failed)
        return 0;
    char where[4200], key[128], text[INI_LINE_LIMIT + 1];
    (void)snprintf(where, sizeof where, "%.4096s:%u", s->where, s->line);
    (void)snprintf(text, sizeof text, "%s", value);
    char *comment = strstr(text, " #");
    for (; comment && comment >= text && (*comment == ' ' || *comment == '\t'); comment--)
        *comment = '\0';
    if (!*section && !strcmp(name, "include"))
        s->failed = !load_named(s->space, s->builtins, text, where, s, s->err);
    else {
        (void)snprintf(key, sizeof key, "%s%s%s", section, *section ? "." : "", name);
        s->failed = !param_set_from_file(s->space, key, text, where, s->err);
    }
    return !s->failed;
}

static bool load_ini(struct source *s, const char *text)
{
    s->next = strncmp(text, "\xef\xbb\xbf", 3) == 0 ? text + 3 : text;
    const int bad_line = ini_parse_stream(next_line, s, take_setting, s);
    /* inih reads on after a line that it cannot parse. Of two complaints the one about the earlier line is the cause. */
    if (s->failed && (!bad_line || (unsigned)bad_line >= s->line))
        return false;
    if (bad_line)
        return error_set(s->err, "%s:%d: not a setting; write [section], key = value, or # comment", s->where, bad_line);
    return true;
}

static bool set_from_json(struct param_space *space, const char *key, const json_t *value, const char *where, struct error *err)
{
    char text[64];
    switch (json_typeof(value)) {
    case JSON_STRING: return param_set_from_file(space, key, json_string_value(value), where, err);
    case JSON_TRUE: return param_set_from_file(space, key, "true", where, err);
    case JSON_FALSE: return param_set_from_file(space, key, "false", where, err);
    case JSON_INTEGER:
        (void)snprintf(text, sizeof text, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
        return param_set_from_file(space, key, text, where, err);
    case JSON_REAL:
        (void)snprintf(text, sizeof text, "%.17g", json_real_value(value));
        return param_set_from_file(space, key, text, where, err);
    case JSON_ARRAY: {
        struct text_buffer joined = { 0 };
        text_append(&joined, "%s", "");
        for (size_t i = 0; i < json_array_size(value); i++)
            text_append(&joined, "%s%" JSON_INTEGER_FORMAT, i ? "," : "", json_integer_value(json_array_get(value, i)));
        const bool ok = param_set_from_file(space, key, joined.text, where, err);
        text_buffer_clear(&joined);
        return ok;
    }
    default: return error_set(err, "%s: %s: has no value", where, key);
    }
}

static bool load_json_object(struct param_space *space, const char *prefix, json_t *object, const char *where, struct error *err)
{
    const char *name;
    json_t *value;
    json_object_foreach(object, name, value) {
        char key[256];
        (void)snprintf(key, sizeof key, "%s%s%s", prefix, *prefix ? "." : "", name);
        const bool ok =
            json_is_object(value) ? load_json_object(space, key, value, where, err) : set_from_json(space, key, value, where, err);
        if (!ok)
            return false;
    }
    return true;
}

static bool load_result(struct param_space *space, const char *text, const char *where, struct error *err)
{
    json_error_t at;
    json_t *root = json_loads(text, JSON_REJECT_DUPLICATES, &at);
    if (!root)
        return error_set(err, "%s:%d: not a result file: %s", where, at.line, at.text);
    json_t *config = json_object_get(root, "config");
    const bool ok = json_is_object(config) ? load_json_object(space, "", config, where, err)
                                           : error_set(err, "%s: this JSON has no \"config\" object", where);
    json_decref(root);
    return ok;
}

static bool load_source(struct source *s, const char *text, size_t length)
{
    for (const struct source *up = s->includer; up; up = up->includer)
        if (!strcmp(up->identity, s->identity))
            return error_set(s->err, "%s:%u: includes %s, which is being read already (an include cycle)", s->includer->where,
                             s->includer->line, s->where);
    if (s->depth > INCLUDE_DEPTH_LIMIT)
        return error_set(s->err, "%s: more than %d files include one another", s->where, INCLUDE_DEPTH_LIMIT);
    const char *first = text + strspn(text, " \t\r\n");
    if (*first == '{' && !s->includer)
        return load_result(s->space, text, s->where, s->err);
    if (length > CONFIG_BYTES_LIMIT)
        return error_set(s->err, "%s: is larger than %d bytes, the most a configuration may be", s->where, CONFIG_BYTES_LIMIT);
    if (strlen(text) != length)
        return error_set(s->err, "%s: contains a NUL byte; a configuration is plain text", s->where);
    return load_ini(s, text);
}

static bool load_path(struct param_space *space, const struct param_builtins_of *builtins, const char *path,
                      const struct source *includer, struct error *err)
{
    if (text_is_pipe(path)) /* it would be empty the second time */
        return error_set(err, "%.300s: is a pipe, and a configuration is read more than once; give a file", path);
    size_t length;
    char *text = text_read_file(path, RESULT_BYTES_LIMIT, &length, err);
    if (!text)
        return false;
    char *identity = realpath(path, NULL);
    struct source s = { .space = space,
                        .where = path,
                        .identity = identity ? identity : path,
                        .builtins = builtins,
                        .includer = includer,
                        .depth = includer ? includer->depth + 1 : 0,
                        .err = err };
    const bool ok = load_source(&s, text, length);
    free(identity);
    free(text);
    return ok;
}

static bool load_builtin(struct param_space *space, const struct param_builtins_of *builtins, const struct param_builtin *builtin,
                         const struct source *includer, struct error *err)
{
    char where[128];
    (void)snprintf(where, sizeof where, "%s/%s.conf", builtins->folder, builtin->name);
    struct source s = { .space = space,
                        .where = where,
                        .identity = builtin->name,
                        .builtins = builtins,
                        .includer = includer,
                        .depth = includer ? includer->depth + 1 : 0,
                        .err = err };
    return load_source(&s, builtin->text, strlen(builtin->text));
}

static const struct param_builtin *find_builtin(const struct param_builtins_of *builtins, const char *name)
{
    for (const struct param_builtin *b = builtins->list; b->name; b++)
        if (!strcmp(b->name, name))
            return b;
    return NULL;
}

static bool looks_like_a_path(const char *name)
{
    return strchr(name, '/') || strchr(name, '.');
}

static bool load_named(struct param_space *space, const struct param_builtins_of *builtins, const char *name, const char *where,
                       const struct source *includer, struct error *err)
{
    if (!*name)
        return error_set(err, "%s: no %s is named; see '%s'", where, builtins->what, builtins->see);
    const struct param_builtin *builtin = find_builtin(builtins, name);
    if (builtin)
        return load_builtin(space, builtins, builtin, includer, err);
    if (!looks_like_a_path(name)) {
        struct text_nearest nearest = { .wanted = name };
        for (const struct param_builtin *b = builtins->list; b->name; b++)
            text_nearest_offer(&nearest, b->name);
        const char *likely = text_nearest_likely(&nearest);
        if (likely)
            return error_set(err, "%s: no %s '%.100s'; did you mean '%s'?", where, builtins->what, name, likely);
        return error_set(err, "%s: no %s '%.100s'; see '%s', or give a file as ./%.100s", where, builtins->what, name,
                         builtins->see, name);
    }
    if (!includer || name[0] == '/')
        return load_path(space, builtins, name, includer, err);
    char *copy = must_strdup(includer->where);
    struct text_buffer path = { 0 };
    text_append(&path, "%s/%s", dirname(copy), name);
    struct error reason = { 0 };
    const bool ok = load_path(space, builtins, path.text, includer, &reason);
    /* A file that cannot be opened is blamed on the line that names it. What is wrong inside the file is reported with its own
     * line. */
    if (!ok && !strncmp(reason.text, path.text, path.length) && strstr(reason.text, ": cannot open: "))
        error_set(err, "%s: include %.900s", where, reason.text);
    else if (!ok && err)
        *err = reason;
    text_buffer_clear(&path);
    free(copy);
    return ok;
}

bool param_load(struct param_space *space, const char *name_or_path, struct error *err)
{
    return load_named(space, &machines, name_or_path, "--config", NULL, err);
}

bool param_load_of(struct param_space *space, const struct param_builtins_of *builtins, const char *name_or_path, const char *where,
                   struct error *err)
{
    return load_named(space, builtins, name_or_path, where, NULL, err);
}

bool param_load_text(struct param_space *space, const char *text, const char *where, struct error *err)
{
    struct source s = { .space = space, .where = where, .identity = where, .builtins = &machines, .err = err };
    return load_source(&s, text, strlen(text));
}

void param_builtin_summary(const struct param_builtin *builtin, char *out, size_t room)
{
    const char *text = builtin->text + strspn(builtin->text, "#; ");
    (void)snprintf(out, room, "%.*s", (int)strcspn(text, "\r\n"), text);
}
