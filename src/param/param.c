/* param.c - parameters as rows of data: defaults, parsing, ranges, nearest names. */
#include "param/param.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/units.h"

enum { VALUE_TEXT_ROOM = 512, KEY_ROOM = 256 };

struct binding {
    const char *prefix;
    const struct param *table;
    void *config;
    const char *per_kernel; /* rows that may have a value for each kernel, "a,b"; NULL: none */
};

struct param_space {
    struct binding *binding;
    size_t count;
    const struct param_moved *moved;   /* NULL: none */
    struct param_kernel_list *kernels; /* NULL: there is no place for them */
};

/* A value of any type, before it is stored. */
union value {
    uint64_t u;
    int64_t i;
    double real;
    bool flag;
    struct param_list list;
};

static bool parse_list(const char *text, struct param_list *list, const char **why)
{
    struct text_list parts = { 0 };
    bool ok = !*text || text_list_add_parts(&parts, text);
    *why = "is not a list of numbers such as 1,2,3";
    if (ok && parts.count > PARAM_LIST_MAX) {
        *why = "has more than 16 numbers";
        ok = false;
    }
    *list = (struct param_list){ 0 };
    for (size_t i = 0; ok && i < parts.count; i++) {
        const char *ignored;
        ok = units_parse_unsigned(parts.item[i], &list->value[list->count++], &ignored);
    }
    text_list_clear(&parts);
    return ok;
}

static bool parse_choice(const struct param *row, const char *text, uint64_t *index, const char **why)
{
    for (*index = 0; row->choices[*index]; (*index)++)
        if (!strcmp(row->choices[*index], text))
            return true;
    *why = "is not a choice here";
    return false;
}

static bool parse_value(const struct param *row, const char *text, union value *out, const char **why)
{
    switch (row->type) {
    case PARAM_TYPE_U32:
    case PARAM_TYPE_U64: return units_parse_unsigned(text, &out->u, why);
    case PARAM_TYPE_I64: return units_parse_signed(text, &out->i, why);
    case PARAM_TYPE_REAL: return units_parse_real(text, &out->real, why);
    case PARAM_TYPE_SIZE: return units_parse_size(text, &out->u, why);
    case PARAM_TYPE_FREQUENCY: return units_parse_frequency(text, &out->u, why);
    case PARAM_TYPE_TIME: return units_parse_time(text, &out->u, why);
    case PARAM_TYPE_BOOL: return units_parse_bool(text, &out->flag, why);
    case PARAM_TYPE_CHOICE: return parse_choice(row, text, &out->u, why);
    case PARAM_TYPE_LIST: return parse_list(text, &out->list, why);
    }
    panic("parameter %s has no type", row->name);
}

/* -1, 0, 1 as a is below, equal to or above b; only for types with an order. */
static int compare_values(const struct param *row, const union value *a, const union value *b)
{
    switch (row->type) {
    case PARAM_TYPE_REAL: return (a->real > b->real) - (a->real < b->real);
    case PARAM_TYPE_I64: return (a->i > b->i) - (a->i < b->i);
    default: return (a->u > b->u) - (a->u < b->u);
    }
}

static bool has_order(const struct param *row)
{
    return row->type != PARAM_TYPE_BOOL && row->type != PARAM_TYPE_CHOICE && row->type != PARAM_TYPE_LIST;
}

static bool within_range(const struct param *row, const union value *value, const char **why)
{
    union value bound;
    const char *ignored;
    *why = "is out of range";
    if (row->type == PARAM_TYPE_U32 && value->u > UINT32_MAX)
        return false;
    if (!has_order(row))
        return true;
    if (row->min) {
        if (!parse_value(row, row->min, &bound, &ignored))
            panic("parameter %s: minimum '%s' %s", row->name, row->min, ignored);
        if (compare_values(row, value, &bound) < 0)
            return false;
    }
    if (row->max) {
        if (!parse_value(row, row->max, &bound, &ignored))
            panic("parameter %s: maximum '%s' %s", row->name, row->max, ignored);
        if (compare_values(row, value, &bound) > 0)
            return false;
    }
    return true;
}

static void store_value(const struct param *row, const union value *value, void *config)
{
    char *const field = (char *)config + row->offset;
    switch (row->type) {
    case PARAM_TYPE_U32:
    case PARAM_TYPE_CHOICE: memcpy(field, &(uint32_t){ (uint32_t)value->u }, sizeof(uint32_t)); return;
    case PARAM_TYPE_U64:
    case PARAM_TYPE_SIZE:
    case PARAM_TYPE_FREQUENCY:
    case PARAM_TYPE_TIME: memcpy(field, &value->u, sizeof value->u); return;
    case PARAM_TYPE_I64: memcpy(field, &value->i, sizeof value->i); return;
    case PARAM_TYPE_REAL: memcpy(field, &value->real, sizeof value->real); return;
    case PARAM_TYPE_BOOL: memcpy(field, &value->flag, sizeof value->flag); return;
    case PARAM_TYPE_LIST: memcpy(field, &value->list, sizeof value->list); return;
    }
}

static void format_list(const struct param_list *list, char *out, size_t room)
{
    size_t used = 0;
    out[0] = '\0';
    for (uint32_t i = 0; i < list->count && used < room; i++)
        used += (size_t)snprintf(out + used, room - used, "%s%" PRIu64, i ? "," : "", list->value[i]);
}

static void format_value(const struct param *row, const void *config, char *out, size_t room)
{
    const char *const field = (const char *)config + row->offset;
    union value value = { 0 };
    uint32_t narrow;
    switch (row->type) {
    case PARAM_TYPE_U32:
    case PARAM_TYPE_CHOICE:
        memcpy(&narrow, field, sizeof narrow);
        if (row->type == PARAM_TYPE_CHOICE)
            (void)snprintf(out, room, "%s", row->choices[narrow]);
        else
            (void)snprintf(out, room, "%" PRIu32, narrow);
        return;
    case PARAM_TYPE_REAL:
        memcpy(&value.real, field, sizeof value.real);
        units_format_real(out, room, value.real);
        return;
    case PARAM_TYPE_BOOL:
        memcpy(&value.flag, field, sizeof value.flag);
        (void)snprintf(out, room, "%s", value.flag ? "true" : "false");
        return;
    case PARAM_TYPE_LIST:
        memcpy(&value.list, field, sizeof value.list);
        format_list(&value.list, out, room);
        return;
    default: memcpy(&value.u, field, sizeof value.u);
    }
    if (row->type == PARAM_TYPE_U64)
        (void)snprintf(out, room, "%" PRIu64, value.u);
    else if (row->type == PARAM_TYPE_I64)
        (void)snprintf(out, room, "%" PRId64, value.i);
    else if (row->type == PARAM_TYPE_SIZE)
        units_format_size(out, room, value.u);
    else if (row->type == PARAM_TYPE_FREQUENCY)
        units_format_frequency(out, room, value.u);
    else
        units_format_time(out, room, value.u);
}

void param_defaults(const struct param *table, void *config)
{
    for (const struct param *row = table; row->name; row++) {
        union value value;
        const char *why;
        if (!parse_value(row, row->dflt, &value, &why) || !within_range(row, &value, &why))
            panic("parameter %s: default '%s' %s", row->name, row->dflt, why);
        store_value(row, &value, config);
    }
}

struct param_space *param_space_new(void)
{
    return must_calloc(1, sizeof(struct param_space));
}

void param_space_add(struct param_space *space, const char *prefix, const struct param *table, void *config)
{
    space->binding = must_realloc(space->binding, (space->count + 1) * sizeof *space->binding);
    space->binding[space->count++] = (struct binding){ must_strdup(prefix), table, config, NULL };
}

void param_space_moved(struct param_space *space, const struct param_moved *list)
{
    space->moved = list;
}

void param_space_add_unused(struct param_space *space, const char *prefix, const struct param *table)
{
    param_space_add(space, prefix, table, NULL);
}

void param_space_kernels(struct param_space *space, struct param_kernel_list *list)
{
    space->kernels = list;
}

const struct param_kernel_list *param_kernels(const struct param_space *space)
{
    return space->kernels;
}

void param_space_per_kernel(struct param_space *space, const char *rows)
{
    space->binding[space->count - 1].per_kernel = rows;
}

void param_kernel_list_clear(struct param_kernel_list *list)
{
    for (size_t i = 0; i < list->count; i++) {
        free(list->setting[i].kernel);
        free(list->setting[i].key);
        free(list->setting[i].value);
    }
    free(list->setting);
    *list = (struct param_kernel_list){ 0 };
}

void param_space_free(struct param_space *space)
{
    if (!space)
        return;
    for (size_t i = 0; i < space->count; i++)
        free((char *)(uintptr_t)space->binding[i].prefix);
    free(space->binding);
    free(space);
}

const char *param_type_name(enum param_type type)
{
    static const char *const names[] = { "unsigned",  "unsigned", "signed",  "real",   "size",
                                         "frequency", "time",     "boolean", "choice", "list" };
    return names[type];
}

enum param_class param_class_of(const char *full_name, const struct param *row)
{
    return strncmp(full_name, "policy.", strlen("policy.")) == 0 ? PARAM_TECHNIQUE : row->class;
}

const char *param_class_name(enum param_class class)
{
    static const char *const names[] = { "machine", "technique", "reference", "debug", "host" };
    return names[class];
}

void param_describe_range(const struct param *row, char *out, size_t room)
{
    if (row->type == PARAM_TYPE_CHOICE) {
        size_t used = (size_t)snprintf(out, room, "one of ");
        for (size_t i = 0; row->choices[i] && used < room; i++)
            used += (size_t)snprintf(out + used, room - used, "%s%s", i ? ", " : "", row->choices[i]);
    } else if (row->type == PARAM_TYPE_BOOL) {
        (void)snprintf(out, room, "true or false");
    } else if (row->type == PARAM_TYPE_LIST) {
        (void)snprintf(out, room, "up to %d numbers", PARAM_LIST_MAX);
    } else if (row->min && row->max) {
        (void)snprintf(out, room, "%s to %s", row->min, row->max);
    } else if (row->min) {
        (void)snprintf(out, room, "at least %s", row->min);
    } else if (row->max) {
        (void)snprintf(out, room, "at most %s", row->max);
    } else {
        (void)snprintf(out, room, "any %s", param_type_name(row->type));
    }
}

/* The row of this name and where it is bound; NULL: none. */
static const struct param *find_row(const struct param_space *space, const char *key, const struct binding **where)
{
    for (size_t i = 0; i < space->count; i++) {
        const struct binding *b = &space->binding[i];
        const size_t prefix = strlen(b->prefix);
        if (strncmp(key, b->prefix, prefix) != 0)
            continue;
        *where = b;
        for (const struct param *row = b->table; row->name; row++)
            if (strcmp(key + prefix, row->name) == 0)
                return row;
    }
    return NULL;
}

/* The key of "KERNEL:key", and of a plain key itself. */
static const char *without_kernel(const char *key)
{
    const char *colon = strrchr(key, ':');
    return colon ? colon + 1 : key;
}

bool param_is_unused(const struct param_space *space, const char *key)
{
    const struct binding *b;
    return find_row(space, without_kernel(key), &b) && !b->config;
}

/* Length of NAME in a key "policy.NAME.x" when nothing of that name is used; otherwise 0. */
static int unused_policy(const struct param_space *space, const char *key)
{
    const size_t head = strlen("policy.");
    const char *dot = strncmp(key, "policy.", head) == 0 ? strchr(key + head, '.') : NULL;
    if (!dot || dot - key > 100)
        return 0;
    for (size_t i = 0; i < space->count; i++)
        if (space->binding[i].config && strncmp(space->binding[i].prefix, key, (size_t)(dot - key) + 1) == 0)
            return 0;
    return (int)(dot - key) - (int)head;
}

static bool refuse_unknown(const struct param_space *space, const char *key, const char *where, struct error *err)
{
    for (const struct param_moved *m = space->moved; m && m->name; m++)
        if (strcmp(m->name, key) == 0)
            return error_set(err, "%s: '%s' is '%s' now", where, key, m->now);
    struct text_nearest nearest = { .wanted = key };
    char name[2][KEY_ROOM];
    unsigned kept = 0;
    for (size_t i = 0; i < space->count; i++) {
        for (const struct param *row = space->binding[i].table; row->name; row++) {
            (void)snprintf(name[kept], KEY_ROOM, "%s%s", space->binding[i].prefix, row->name);
            text_nearest_offer(&nearest, name[kept]);
            if (nearest.best == name[kept])
                kept ^= 1; /* the next candidate goes to the other buffer */
        }
    }
    const char *likely = text_nearest_likely(&nearest);
    if (likely && !param_is_unused(space, key))
        return error_set(err, "%s: unknown parameter '%.100s'; did you mean '%s'?", where, key, likely);
    const int policy = unused_policy(space, key);
    if (policy)
        return error_set(
            err,
            "%s: '%.100s' is a parameter of policy '%.*s', which is not used here: name it in --policy, or leave the parameter out",
            where, key, policy, key + strlen("policy."));
    return error_set(err, "%s: unknown parameter '%.100s'; see 'warpline list params'", where, key);
}

static bool parse_for(const struct param *row, const char *key, const char *text, const char *where, union value *value,
                      struct error *err)
{
    const char *why;
    char range[VALUE_TEXT_ROOM];
    if (parse_value(row, text, value, &why) && within_range(row, value, &why))
        return true;
    param_describe_range(row, range, sizeof range);
    return error_set(err, "%s: %s: '%.100s' %s; allowed: %s", where, key, text, why, range);
}

static bool is_listed(const char *names, const char *name)
{
    const size_t length = strlen(name);
    for (const char *at = names; at && *at; at += strcspn(at, ","), at += *at == ',')
        if (strcspn(at, ",") == length && strncmp(at, name, length) == 0)
            return true;
    return false;
}

/* The last value for a kernel and a key holds. */
static void keep_for_kernel(struct param_kernel_list *list, const char *kernel, size_t length, const char *key, const char *value)
{
    struct param_kernel_setting *s = NULL;
    for (size_t i = 0; i < list->count; i++)
        if (strncmp(list->setting[i].kernel, kernel, length) == 0 && !list->setting[i].kernel[length] &&
            strcmp(list->setting[i].key, key) == 0)
            s = &list->setting[i];
    if (s) {
        free(s->value);
        s->value = must_strdup(value);
        return;
    }
    list->setting = must_realloc(list->setting, (list->count + 1) * sizeof *list->setting);
    s = &list->setting[list->count++];
    *s = (struct param_kernel_setting){ must_strdup(kernel), must_strdup(key), must_strdup(value) };
    s->kernel[length] = '\0';
}

static bool set_for_kernel(struct param_space *space, const char *full, const char *text, const char *where, struct error *err)
{
    const struct binding *b;
    const char *key = without_kernel(full);
    const size_t length = (size_t)(key - 1 - full);
    const struct param *row = find_row(space, key, &b);
    union value value;
    if (!row)
        return refuse_unknown(space, key, where, err);
    if (!length)
        return error_set(err, "%s: '%.100s' has no kernel before ':'", where, full);
    if (!parse_for(row, full, text, where, &value, err))
        return false;
    if (!is_listed(b->per_kernel, row->name))
        return error_set(err, "%s: %s cannot be another for each kernel%s%s", where, key,
                         b->per_kernel ? "; of this technique these can: " : "", b->per_kernel ? b->per_kernel : "");
    if (b->config && space->kernels)
        keep_for_kernel(space->kernels, full, length, key, text);
    return true;
}

void param_store(const struct param *table, void *config, const char *name, const char *text)
{
    union value value;
    const char *why;
    for (const struct param *row = table; row->name; row++)
        if (strcmp(row->name, name) == 0 && parse_value(row, text, &value, &why))
            store_value(row, &value, config);
}

bool param_set_from_file(struct param_space *space, const char *key, const char *text, const char *where, struct error *err)
{
    const struct binding *b;
    union value value;
    if (without_kernel(key) != key)
        return set_for_kernel(space, key, text, where, err);
    const struct param *row = find_row(space, key, &b);
    if (!row)
        return refuse_unknown(space, key, where, err);
    if (!parse_for(row, key, text, where, &value, err))
        return false;
    if (b->config)
        store_value(row, &value, b->config);
    return true;
}

bool param_set(struct param_space *space, const char *key, const char *text, const char *where, struct error *err)
{
    if (param_is_unused(space, key))
        return refuse_unknown(space, without_kernel(key), where, err);
    return param_set_from_file(space, key, text, where, err);
}

bool param_set_assignment(struct param_space *space, const char *assignment, const char *where, struct error *err)
{
    const char *equals = strchr(assignment, '=');
    if (!equals)
        return error_set(err, "%s: '%.100s' has no '='; write key=value, for example l1.sets=64", where, assignment);
    if (equals == assignment)
        return error_set(err, "%s: '%.100s' has no key before '='; write key=value, for example l1.sets=64", where, assignment);
    char key[KEY_ROOM];
    (void)snprintf(key, sizeof key, "%.*s", (int)(equals - assignment > KEY_ROOM ? KEY_ROOM : equals - assignment), assignment);
    return param_set(space, key, equals + 1, where, err);
}

void param_each(const struct param_space *space, param_visit *visit, void *context)
{
    for (size_t i = 0; i < space->count; i++) {
        const struct binding *b = &space->binding[i];
        for (const struct param *row = b->table; b->config && row->name; row++) {
            char name[KEY_ROOM], value[VALUE_TEXT_ROOM];
            (void)snprintf(name, sizeof name, "%s%s", b->prefix, row->name);
            format_value(row, b->config, value, sizeof value);
            visit(context, name, row, value);
        }
    }
    for (size_t i = 0; space->kernels && i < space->kernels->count; i++) {
        const struct param_kernel_setting *s = &space->kernels->setting[i];
        const struct binding *b;
        char name[KEY_ROOM];
        (void)snprintf(name, sizeof name, "%s:%s", s->kernel, s->key);
        visit(context, name, find_row(space, s->key, &b), s->value);
    }
}
