/* options.c - reads the two kinds of files that GPGPU-Sim has: of options, and of the network. */
#include "import/options.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { FILE_BYTES_LIMIT = 1 << 20 };

struct reader {
    const char *path, *next;
    unsigned line;
};

static void add(struct options *all, const struct reader *r, const char *prefix, const char *name, size_t length)
{
    struct text_buffer text = { 0 }, where = { 0 };
    text_append(&text, "%s%.*s", prefix, (int)length, name);
    text_append(&where, "%s:%u", r->path, r->line);
    all->option = must_realloc(all->option, (all->count + 1) * sizeof *all->option);
    all->option[all->count++] = (struct option){ .name = text.text, .value = must_strdup(""), .where = where.text };
}

/* What belongs to a value; parts that blanks divide are put together with one blank. */
static void add_value(struct option *o, const char *part, size_t length)
{
    struct text_buffer joined = { 0 };
    text_append(&joined, "%s%s", o->value, *o->value ? " " : "");
    text_append_bytes(&joined, part, length);
    free(o->value);
    o->value = joined.text;
}

static void skip_blanks(struct reader *r, const char *comment)
{
    for (;;) {
        if (strncmp(r->next, comment, strlen(comment)) == 0)
            r->next += strcspn(r->next, "\n");
        if (!isspace((unsigned char)*r->next))
            return;
        r->line += *r->next++ == '\n';
    }
}

static bool take_quoted(struct reader *r, struct option *o, struct error *err)
{
    const unsigned first = r->line;
    struct text_buffer text = { 0 };
    for (r->next++; *r->next != '"'; r->next++) {
        if (!*r->next) {
            text_buffer_clear(&text);
            return error_set(err, "%s:%u: the quote that begins here has no end", r->path, first);
        }
        r->line += *r->next == '\n';
        if (!isspace((unsigned char)*r->next))
            text_append_bytes(&text, r->next, 1);
    }
    r->next++;
    add_value(o, text.text ? text.text : "", text.length);
    text_buffer_clear(&text);
    return true;
}

static bool read_all(struct options *all, struct reader *r, struct error *err)
{
    const size_t before = all->count;
    for (skip_blanks(r, "#"); *r->next; skip_blanks(r, "#")) {
        const size_t length = strcspn(r->next, " \t\r\n\"");
        if (r->next[0] == '-' && isalpha((unsigned char)r->next[1]))
            add(all, r, "", r->next, length);
        else if (all->count == before)
            return error_set(err, "%s:%u: '%.*s' is not an option; this is no configuration of GPGPU-Sim", r->path, r->line,
                             (int)(length < 60 ? length : 60), r->next);
        else if (*r->next == '"') {
            if (!take_quoted(r, &all->option[all->count - 1], err))
                return false;
            continue;
        } else
            add_value(&all->option[all->count - 1], r->next, length);
        r->next += length;
    }
    if (all->count == before)
        return error_set(err, "%s: has no options; this is no configuration of GPGPU-Sim", r->path);
    return true;
}

static bool read_network(struct options *all, struct reader *r, struct error *err)
{
    for (skip_blanks(r, "//"); *r->next; skip_blanks(r, "//")) {
        const size_t length = strcspn(r->next, " \t=");
        const char *equals = r->next + length + strspn(r->next + length, " \t");
        const size_t rest = strcspn(equals, ";\n");
        if (*equals != '=' || equals[rest] != ';')
            return error_set(err, "%s:%u: not 'name = value;' of a network's configuration", r->path, r->line);
        add(all, r, "icnt:", r->next, length);
        const char *value = equals + 1 + strspn(equals + 1, " \t"), *end = equals + rest;
        while (end > value && isspace((unsigned char)end[-1]))
            end--;
        add_value(&all->option[all->count - 1], value, value < end ? (size_t)(end - value) : 0);
        r->next = equals + rest + 1;
    }
    return true;
}

bool options_parse(struct options *all, const char *where, const char *text, struct error *err)
{
    struct reader r = { .path = where, .next = text, .line = 1 };
    return read_all(all, &r, err);
}

bool options_parse_network(struct options *all, const char *where, const char *text, struct error *err)
{
    struct reader r = { .path = where, .next = text, .line = 1 };
    return read_network(all, &r, err);
}

bool options_read(struct options *all, const char *path, options_parser *parse, struct error *err)
{
    size_t length;
    char *text = text_read_file(path, FILE_BYTES_LIMIT, &length, err);
    if (!text)
        return false;
    const bool ok = strlen(text) == length ? parse(all, path, text, err)
                                           : error_set(err, "%s: contains a NUL byte; a configuration is plain text", path);
    free(text);
    return ok;
}

void options_clear(struct options *all)
{
    for (size_t i = 0; i < all->count; i++) {
        free(all->option[i].name);
        free(all->option[i].value);
        free(all->option[i].where);
    }
    free(all->option);
    *all = (struct options){ 0 };
}

struct option *options_find(const struct options *all, const char *name)
{
    for (size_t i = all->count; i--;)
        if (strcmp(all->option[i].name, name) == 0)
            return &all->option[i];
    return NULL;
}
