/* launch_file.c - reads a launch file: arrays and how they are filled, launches, outputs to keep or compare. */
#include "run/launch_file.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/prng.h"
#include "base/text.h"

enum { FILE_LIMIT = 64 << 20, SHARED_BYTES_LIMIT = 1 << 20 /* what sm.shared can be */, ALIGNMENT_LIMIT = 1 << 30 };

static const struct type_row {
    const char *name;
    uint32_t bytes;
    bool is_float, is_signed;
} type_rows[LAUNCH_TYPES] = {
    [LAUNCH_I8] = { "i8", 1, false, true },    [LAUNCH_U8] = { "u8", 1, false, false },   [LAUNCH_I16] = { "i16", 2, false, true },
    [LAUNCH_U16] = { "u16", 2, false, false }, [LAUNCH_I32] = { "i32", 4, false, true },  [LAUNCH_U32] = { "u32", 4, false, false },
    [LAUNCH_I64] = { "i64", 8, false, true },  [LAUNCH_U64] = { "u64", 8, false, false }, [LAUNCH_F32] = { "f32", 4, true, true },
    [LAUNCH_F64] = { "f64", 8, true, true }
};

uint32_t launch_type_bytes(enum launch_type type)
{
    return type_rows[type].bytes;
}
struct reader {
    const char *path, *directory;
    struct launch_file *file;
    uint64_t most_bytes; /* of an array */
    struct error *err;
};

/* "file: arrays.a: what". */
#define COMPLAIN(r, where, name, ...) complain(r, where, name, __VA_ARGS__)
static bool complain(const struct reader *r, const char *where, const char *name, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
static bool complain(const struct reader *r, const char *where, const char *name, const char *format, ...)
{
    char what[512];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(what, sizeof what, format, args);
    va_end(args);
    return error_set(r->err, "%s: %s%s%.100s: %s", r->path, where, name[0] ? "." : "", name, what);
}

static bool find_type(const char *name, enum launch_type *type)
{
    for (int i = 0; i < LAUNCH_TYPES; i++)
        if (name && strcmp(type_rows[i].name, name) == 0) {
            *type = (enum launch_type)i;
            return true;
        }
    return false;
}

/* The keys that an object may have, and what their values are. */
enum kind { WHOLE, NUMBER, TEXT, LIST, OBJECT, ANYTHING };
struct known_key {
    const char *name;
    enum kind kind;
};

static bool is_kind(const json_t *v, enum kind kind)
{
    switch (kind) {
    case WHOLE: return json_is_integer(v);
    case NUMBER: return json_is_number(v);
    case TEXT: return json_is_string(v);
    case LIST: return json_is_array(v);
    case OBJECT: return json_is_object(v);
    default: return true;
    }
}

/* Every key of the object is one of `known` (a list that ends with NULL), and its value is of the kind. */
static bool only_known(const struct reader *r, const char *where, const char *name, const json_t *object,
                       const struct known_key *known)
{
    static const char *const kinds[] = { "a whole number", "a number", "a text", "a list", "an object", "anything" };
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)(uintptr_t)object, key, value) {
        struct text_nearest nearest = { .wanted = key };
        const struct known_key *found = NULL;
        for (size_t i = 0; known[i].name && !found; i++) {
            found = strcmp(key, known[i].name) == 0 ? &known[i] : NULL;
            text_nearest_offer(&nearest, known[i].name);
        }
        if (found && !is_kind(value, found->kind))
            return COMPLAIN(r, where, name, "%s is not %s", key, kinds[found->kind]);
        const char *likely = text_nearest_likely(&nearest);
        if (!found)
            return COMPLAIN(r, where, name, "unknown key '%.60s'%s%s%s", key, likely ? "; did you mean '" : "",
                            likely ? likely : "", likely ? "'?" : "");
    }
    return true;
}

static double number_or(const json_t *object, const char *key, double otherwise)
{
    const json_t *v = json_object_get(object, key);
    return json_is_number(v) ? json_number_value(v) : otherwise;
}
/* Whole numbers up to 2^64 - 1. jansson's are signed, so the largest arrive as negative ones; seeds and factors wrap anyway. */
static uint64_t whole_or(const json_t *object, const char *key, uint64_t otherwise)
{
    const json_t *v = json_object_get(object, key);
    return json_is_integer(v) ? (uint64_t)json_integer_value(v) : otherwise;
}

static void put_element(uint8_t *at, enum launch_type type, double real, int64_t whole)
{
    const float single = (float)real;
    if (type == LAUNCH_F64)
        memcpy(at, &real, sizeof real);
    else if (type == LAUNCH_F32)
        memcpy(at, &single, sizeof single);
    else if (type_rows[type].bytes == 4)
        memcpy(at, &whole,
               4); /* little endian: the low bytes come first; most arrays are of this size, and the compiler sees it here */
    else
        memcpy(at, &whole, type_rows[type].bytes);
}

/* A whole number of this many bytes may be written as signed or as unsigned. */
static bool fits(enum launch_type type, const json_t *v)
{
    const uint32_t bits = type_rows[type].bytes * 8;
    if (type == LAUNCH_F32)
        return isfinite((float)json_number_value(v));
    if (type_rows[type].is_float || bits == 64)
        return true;
    const int64_t whole = json_integer_value(v);
    return whole >= -(INT64_C(1) << (bits - 1)) && whole < INT64_C(1) << bits;
}

static bool put_json(uint8_t *at, enum launch_type type, const json_t *v)
{
    if (!json_is_number(v) || (!type_rows[type].is_float && !json_is_integer(v)) || !fits(type, v))
        return false;
    put_element(at, type, json_number_value(v), json_is_integer(v) ? json_integer_value(v) : 0);
    return true;
}

enum { GENERATED_AT_ONCE = 256 };

/* v mod m without a division; exact for 32 bits (Lemire, Kaser and Kurz, 2019). `inverse` is UINT64_MAX / m + 1. */
static uint32_t fast_modulus(uint32_t v, uint32_t m, uint64_t inverse)
{
    return (uint32_t)((unsigned __int128)(inverse * v) * m >> 64);
}

static void put_numbers(uint8_t *at, enum launch_type type, const uint32_t *number, uint32_t count, float scale, float off)
{
    float single[GENERATED_AT_ONCE];
    for (uint32_t k = 0; k < count; k++)
        single[k] = (float)number[k] * scale + off;
    if (type == LAUNCH_F32)
        memcpy(at, single, count * sizeof single[0]);
    else if (!type_rows[type].is_float && type_rows[type].bytes == sizeof number[0])
        memcpy(at, number, count * sizeof number[0]);
    else
        for (uint32_t k = 0; k < count; k++)
            put_element(at + k * type_rows[type].bytes, type, (double)single[k], (int64_t)number[k]);
}

/* The generators of tests/validation/README.md, in 32-bit wrap-around arithmetic. A block at a time, one step after the other, so
 * that the host does each step for several numbers at once. */
static void fill_generated(const json_t *o, struct launch_array *a, bool lcg)
{
    const uint32_t factor = (uint32_t)whole_or(o, "A", 0), offset = (uint32_t)whole_or(o, "B", 0);
    const uint32_t shift = (uint32_t)whole_or(o, "S", 0), modulus = (uint32_t)whole_or(o, "M", 0);
    const float scale = (float)number_or(o, "scale", 1.0), off = (float)number_or(o, "off", 0.0);
    const uint64_t inverse = modulus ? UINT64_MAX / modulus + 1 : 0; /* without M there is no remainder */
    const uint32_t bytes = type_rows[a->type].bytes;
    uint32_t number[GENERATED_AT_ONCE], u = offset;
    for (uint64_t i = 0; i < a->count; i += GENERATED_AT_ONCE) {
        const uint32_t n = a->count - i < GENERATED_AT_ONCE ? (uint32_t)(a->count - i) : GENERATED_AT_ONCE;
        for (uint32_t k = 0; k < n; k++)
            number[k] = u = lcg ? u * factor + 1013904223u : (uint32_t)(i + k) * factor + offset;
        for (uint32_t k = 0; k < n; k++)
            number[k] = shift < 32 ? number[k] >> shift : 0;
        for (uint32_t k = 0; modulus && k < n; k++)
            number[k] = fast_modulus(number[k], modulus, inverse);
        put_numbers(a->contents + i * bytes, a->type, number, n, scale, off);
    }
}

static void fill_random(const json_t *o, struct launch_array *a)
{
    struct prng prng;
    prng_seed(&prng, whole_or(o, "seed", 1));
    const double low = number_or(o, "low", 0.0), high = number_or(o, "high", type_rows[a->type].is_float ? 1.0 : 256.0);
    for (uint64_t i = 0; i < a->count; i++) {
        const double u = (double)(prng_next(&prng) >> 11) * 0x1p-53, v = low + u * (high - low);
        put_element(a->contents + i * type_rows[a->type].bytes, a->type, v, (int64_t)floor(v));
    }
}

static char *beside(const struct reader *r, const char *name)
{
    struct text_buffer path = { 0 };
    text_append(&path, "%s%s%s", name[0] == '/' ? "" : r->directory, name[0] == '/' || !r->directory[0] ? "" : "/", name);
    return path.text;
}

/* `bytes` raw bytes of a file. NULL with the error. */
static uint8_t *read_raw(const struct reader *r, const char *where, const char *what, const char *name, uint64_t bytes)
{
    size_t length;
    char *path = beside(r, name), *text = text_read_file(path, r->most_bytes, &length, r->err);
    if (text && length != bytes) {
        (void)COMPLAIN(r, where, what, "%s has %zu bytes where the array has %llu", path, length, (unsigned long long)bytes);
        free(text);
        text = NULL;
    }
    free(path);
    return (uint8_t *)text;
}

static bool apply_set(const struct reader *r, const json_t *set, struct launch_array *a)
{
    size_t i;
    json_t *pair;
    json_array_foreach((json_t *)(uintptr_t)set, i, pair)
    {
        const json_t *index = json_array_get(pair, 0);
        const uint64_t at = json_is_integer(index) ? (uint64_t)json_integer_value(index) : UINT64_MAX;
        if (at >= a->count || !put_json(a->contents + at * type_rows[a->type].bytes, a->type, json_array_get(pair, 1)))
            return COMPLAIN(r, "arrays", a->name, "set: entry %zu is not [index below %llu, value of type %s]", i,
                            (unsigned long long)a->count, type_rows[a->type].name);
    }
    return true;
}

static bool fill_values(const struct reader *r, const json_t *values, struct launch_array *a)
{
    if (json_array_size(values) != a->count)
        return COMPLAIN(r, "arrays", a->name, "values: %zu are given for n = %llu", json_array_size(values),
                        (unsigned long long)a->count);
    for (size_t i = 0; i < a->count; i++)
        if (!put_json(a->contents + i * type_rows[a->type].bytes, a->type, json_array_get(values, i)))
            return COMPLAIN(r, "arrays", a->name, "values[%zu] is not a number of type %s", i, type_rows[a->type].name);
    return true;
}

/* A generator's values must make sense: an empty interval is a mistake. M = 0 is no remainder, as when M is left out. */
static bool check_generator(const struct reader *r, const json_t *o, const char *name)
{
    const json_t *modulus = json_object_get(o, "M");
    if (modulus && (json_integer_value(modulus) < 0 || json_integer_value(modulus) > UINT32_MAX))
        return COMPLAIN(r, "arrays", name, "M is a modulus up to %u; 0 takes none", UINT32_MAX);
    if (json_object_get(o, "S") && (json_integer_value(json_object_get(o, "S")) < 0 || whole_or(o, "S", 0) > 31))
        return COMPLAIN(r, "arrays", name, "S is a shift by 0 to 31 bits");
    const json_t *low = json_object_get(o, "low"), *high = json_object_get(o, "high");
    if (low && high && json_number_value(low) > json_number_value(high))
        return COMPLAIN(r, "arrays", name, "low is %g and high is %g: low must not be above high", json_number_value(low),
                        json_number_value(high));
    return true;
}

static bool fill_array(const struct reader *r, const json_t *o, struct launch_array *a)
{
    const char *mode = json_string_value(json_object_get(o, "mode"));
    const json_t *values = json_object_get(o, "values");
    const char *file = json_string_value(json_object_get(o, "file"));
    if (file) {
        free(a->contents);
        a->contents = read_raw(r, "arrays", a->name, file, a->bytes);
        if (!a->contents)
            return false;
    } else if (values) {
        if (!fill_values(r, values, a))
            return false;
    } else if (mode && (strcmp(mode, "lin") == 0 || strcmp(mode, "ramp") == 0)) {
        json_t *ramp = json_pack("{s:i}", "A", 1);
        const bool plain = strcmp(mode, "ramp") == 0 && !json_object_get(o, "A");
        fill_generated(plain ? ramp : o, a, false);
        json_decref(ramp);
    } else if (mode && strcmp(mode, "lcg") == 0) {
        fill_generated(o, a, true);
    } else if (mode && strcmp(mode, "random") == 0) {
        fill_random(o, a);
    } else if (mode && strcmp(mode, "zeros") != 0) {
        return COMPLAIN(r, "arrays", a->name, "mode '%.40s' is none of zeros, ramp, lin, lcg, random", mode);
    }
    return apply_set(r, json_object_get(o, "set"), a);
}

static bool read_array(const struct reader *r, const char *name, const json_t *o, struct launch_array *a)
{
    static const struct known_key known[] = { { "type", TEXT },  { "n", WHOLE },    { "mode", TEXT },   { "A", WHOLE },
                                              { "B", WHOLE },    { "S", WHOLE },    { "M", WHOLE },     { "scale", NUMBER },
                                              { "off", NUMBER }, { "set", LIST },   { "values", LIST }, { "file", TEXT },
                                              { "seed", WHOLE }, { "low", NUMBER }, { "high", NUMBER }, { NULL, ANYTHING } };
    a->name = must_strdup(name);
    if (!json_is_object(o))
        return COMPLAIN(r, "arrays", name, "is not an object");
    if (!only_known(r, "arrays", name, o, known))
        return false;
    if (!find_type(json_string_value(json_object_get(o, "type")), &a->type))
        return COMPLAIN(r, "arrays", name, "type must be one of i8 u8 i16 u16 i32 u32 i64 u64 f32 f64");
    const json_t *n = json_object_get(o, "n");
    if (!json_is_integer(n) || json_integer_value(n) <= 0)
        return COMPLAIN(r, "arrays", name, "n must be the number of elements, 1 or more");
    a->count = (uint64_t)json_integer_value(n);
    if (a->count >
        r->most_bytes / type_rows[a->type].bytes) /* refused before it is filled, which would take as much of the host's memory */
        return COMPLAIN(r, "arrays", name,
                        "%llu elements of %u bytes do not fit into the device's memory; raise it with --set device.memory=...",
                        (unsigned long long)a->count, type_rows[a->type].bytes);
    a->bytes = a->count * type_rows[a->type].bytes;
    a->contents = must_calloc(a->count, type_rows[a->type].bytes);
    return check_generator(r, o, name) && fill_array(r, o, a);
}

static bool read_arrays(const struct reader *r, const json_t *arrays)
{
    const char *name;
    json_t *o;
    if (arrays && !json_is_object(arrays))
        return COMPLAIN(r, "arrays", "", "is not an object");
    r->file->arrays = must_calloc(json_object_size(arrays) + 1, sizeof *r->file->arrays);
    json_object_foreach((json_t *)(uintptr_t)arrays, name, o) {
        if (!read_array(r, name, o, &r->file->arrays[r->file->array_count++]))
            return false;
    }
    return true;
}

static int64_t find_array(const struct launch_file *file, const char *name)
{
    for (uint32_t i = 0; i < file->array_count; i++)
        if (name && strcmp(file->arrays[i].name, name) == 0)
            return i;
    return -1;
}

static bool read_argument(const struct reader *r, const char *where, const json_t *o, size_t number, struct launch_argument *a)
{
    char name[32];
    (void)snprintf(name, sizeof name, "args[%zu]", number);
    const json_t *array = json_object_get(o, "array");
    a->array = -1;
    if (array) {
        static const struct known_key known[] = { { "array", TEXT }, { "offset", WHOLE }, { NULL, ANYTHING } };
        a->array = find_array(r->file, json_string_value(array));
        if (a->array < 0)
            return COMPLAIN(r, where, name, "there is no array '%.60s'", json_is_string(array) ? json_string_value(array) : "?");
        a->offset = whole_or(o, "offset", 0);
        if (a->offset >= r->file->arrays[a->array].bytes)
            return COMPLAIN(r, where, name, "the offset lies outside the array");
        return only_known(r, where, name, o, known);
    }
    const char *key = json_object_iter_key(json_object_iter((json_t *)(uintptr_t)o));
    if (!json_is_object(o) || json_object_size(o) != 1 || !find_type(key, &a->type))
        return COMPLAIN(r, where, name, "must be {\"array\": name} or one scalar such as {\"i32\": 5}");
    if (!put_json(a->bits, a->type, json_object_get(o, key)))
        return COMPLAIN(r, where, name, "is not a number of type %s, or too large for it", type_rows[a->type].name);
    return true;
}

static bool read_shape(const struct reader *r, const char *where, const json_t *o, const char *key, uint32_t out[3])
{
    const json_t *v = json_object_get(o, key);
    out[0] = out[1] = out[2] = 1;
    if (!json_is_array(v) || json_array_size(v) < 1 || json_array_size(v) > 3)
        return COMPLAIN(r, where, key, "must be a list of one to three numbers");
    for (size_t i = 0; i < json_array_size(v); i++) {
        const json_t *n = json_array_get(v, i);
        if (!json_is_integer(n) || json_integer_value(n) < 1 || json_integer_value(n) > INT32_MAX)
            return COMPLAIN(r, where, key, "[%zu] (%c) is not a whole number in 1..%d", i, "xyz"[i], INT32_MAX);
        out[i] = (uint32_t)json_integer_value(n);
    }
    return true;
}

static bool read_step(const struct reader *r, const json_t *o, size_t number, struct launch_step *s)
{
    static const struct known_key known[] = { { "kernel", TEXT },  { "grid", LIST }, { "block", LIST },
                                              { "shared", WHOLE }, { "args", LIST }, { NULL, ANYTHING } };
    char where[64];
    (void)snprintf(where, sizeof where, "launches[%zu]", number);
    const char *kernel = json_string_value(json_object_get(o, "kernel"));
    if (!kernel)
        return COMPLAIN(r, where, "kernel", "must name a kernel of the PTX file");
    s->kernel = must_strdup(kernel);
    if (!only_known(r, where, "", o, known) || !read_shape(r, where, o, "grid", s->grid) ||
        !read_shape(r, where, o, "block", s->block))
        return false;
    const uint64_t shared = whole_or(o, "shared", 0);
    if (shared > SHARED_BYTES_LIMIT)
        return COMPLAIN(r, where, "shared", "must be a number of bytes, at most %d", SHARED_BYTES_LIMIT);
    s->shared_bytes = (uint32_t)shared;
    const json_t *arguments = json_object_get(o, "args");
    if (arguments && !json_is_array(arguments))
        return COMPLAIN(r, where, "args", "is not a list");
    s->arguments = must_calloc(json_array_size(arguments) + 1, sizeof *s->arguments);
    for (size_t i = 0; i < json_array_size(arguments); i++, s->argument_count++)
        if (!read_argument(r, where, json_array_get(arguments, i), i, &s->arguments[i]))
            return false;
    return true;
}

static bool read_steps(const struct reader *r, const json_t *launches)
{
    if (!json_is_array(launches) || json_array_size(launches) == 0)
        return COMPLAIN(r, "launches", "", "must be a list of at least one launch");
    r->file->steps = must_calloc(json_array_size(launches), sizeof *r->file->steps);
    for (size_t i = 0; i < json_array_size(launches); i++)
        if (!read_step(r, json_array_get(launches, i), i, &r->file->steps[r->file->step_count++]))
            return false;
    return true;
}

/* Launch files may come from other people, so what one writes stays below the folder in which warpline runs. */
static bool stays_below(const char *path)
{
    for (const char *part = path; part; part = strchr(part, '/')) {
        part += *part == '/';
        if (strncmp(part, "..", 2) == 0 && (part[2] == '/' || part[2] == 0))
            return false;
    }
    return true;
}

static bool read_output(const struct reader *r, const json_t *o, size_t number, struct launch_output *out)
{
    static const struct known_key known[] = {
        { "array", TEXT }, { "file", TEXT }, { "expect", TEXT }, { "tolerance", NUMBER }, { NULL, ANYTHING }
    };
    char where[64];
    (void)snprintf(where, sizeof where, "outputs[%zu]", number);
    const char *name = json_string_value(json_is_string(o) ? o : json_object_get(o, "array"));
    const int64_t array = find_array(r->file, name);
    if (array < 0)
        return COMPLAIN(r, where, "", "there is no array '%.60s'", name ? name : "?");
    out->array = (uint32_t)array;
    if (json_is_string(o))
        return true;
    if (!only_known(r, where, "", o, known))
        return false;
    const char *file = json_string_value(json_object_get(o, "file")), *expect = json_string_value(json_object_get(o, "expect"));
    if (file && !stays_below(file))
        return COMPLAIN(r, where, "file", "'%.200s' leads out of the folder by '..'; name a file in it or below", file);
    out->file = file ? must_strdup(file) : NULL;
    out->tolerance = number_or(o, "tolerance", 0.0);
    if (expect)
        out->expected = read_raw(r, where, "expect", expect, r->file->arrays[array].bytes);
    return !expect || out->expected;
}

static bool read_outputs(const struct reader *r, const json_t *outputs)
{
    if (outputs && !json_is_array(outputs))
        return COMPLAIN(r, "outputs", "", "is not a list");
    r->file->outputs = must_calloc(json_array_size(outputs) + 1, sizeof *r->file->outputs);
    for (size_t i = 0; i < json_array_size(outputs); i++)
        if (!read_output(r, json_array_get(outputs, i), i, &r->file->outputs[r->file->output_count++]))
            return false;
    return true;
}

static bool read_infos(const struct reader *r, const json_t *infos)
{
    static const struct known_key known[] = { { "regs", WHOLE }, { "smem", WHOLE }, { NULL, ANYTHING } };
    const char *name;
    json_t *o;
    if (infos && !json_is_object(infos))
        return COMPLAIN(r, "kernel_info", "", "is not an object");
    r->file->infos = must_calloc(json_object_size(infos) + 1, sizeof *r->file->infos);
    json_object_foreach((json_t *)(uintptr_t)infos, name, o) {
        if (!json_is_object(o))
            return COMPLAIN(r, "kernel_info", name, "is not an object");
        if (!only_known(r, "kernel_info", name, o, known))
            return false;
        const uint64_t registers = whole_or(o, "regs", 1);
        if (!registers || registers > UINT16_MAX || whole_or(o, "smem", 0) > SHARED_BYTES_LIMIT)
            return COMPLAIN(r, "kernel_info", name, "regs is 1 to %d registers, smem at most %d bytes", UINT16_MAX,
                            SHARED_BYTES_LIMIT);
        r->file->infos[r->file->info_count++] = (struct launch_kernel_info){ must_strdup(name), (uint32_t)whole_or(o, "regs", 0),
                                                                             (uint32_t)whole_or(o, "smem", UINT32_MAX) };
    }
    return true;
}

static bool read_root(const struct reader *r, const json_t *root)
{
    static const struct known_key known[] = { { "name", ANYTHING },        { "cu", ANYTHING },          { "ptx", ANYTHING },
                                              { "description", ANYTHING }, { "arrays", ANYTHING },      { "launches", ANYTHING },
                                              { "outputs", ANYTHING },     { "kernel_info", ANYTHING }, { "first_address", WHOLE },
                                              { "alignment", WHOLE },      { NULL, ANYTHING } };
    if (!json_is_object(root))
        return error_set(r->err, "%s: a launch file is one JSON object", r->path);
    /* The reference's runs have the arrays at these addresses. Addresses matter to the set index, the channel and the bank. */
    r->file->first_address = whole_or(root, "first_address", 0xC0000000u);
    const uint64_t alignment = whole_or(root, "alignment", 256);
    r->file->alignment = (uint32_t)alignment;
    if (!only_known(r, "top level", "", root, known))
        return false;
    if (!alignment || alignment > ALIGNMENT_LIMIT || (alignment & (alignment - 1)))
        return COMPLAIN(r, "alignment", "", "must be a power of two from 1 to %d", ALIGNMENT_LIMIT);
    return read_arrays(r, json_object_get(root, "arrays")) && read_steps(r, json_object_get(root, "launches")) &&
           read_outputs(r, json_object_get(root, "outputs")) && read_infos(r, json_object_get(root, "kernel_info"));
}

struct launch_file *launch_file_parse(const char *path, const char *directory, const char *text, size_t length, uint64_t most_bytes,
                                      struct error *err)
{
    json_error_t where;
    json_t *root = json_loadb(text, length, JSON_REJECT_DUPLICATES, &where);
    if (!root) {
        (void)error_set(err, "%s:%d:%d: %s", path, where.line, where.column, where.text);
        return NULL;
    }
    struct launch_file *file = must_calloc(1, sizeof *file);
    const struct reader reader = { path, directory, file, most_bytes, err };
    const bool ok = read_root(&reader, root);
    json_decref(root);
    if (ok)
        return file;
    launch_file_free(file);
    return NULL;
}

struct launch_file *launch_file_read(const char *path, uint64_t most_bytes, struct error *err)
{
    size_t length;
    char *text = text_read_file(path, FILE_LIMIT, &length, err);
    if (!text)
        return NULL;
    char *directory = must_strdup(path), *slash = strrchr(directory, '/');
    if (slash)
        *slash = 0;
    struct launch_file *file = launch_file_parse(path, slash ? directory : "", text, length, most_bytes, err);
    free(directory);
    free(text);
    return file;
}

void launch_file_free(struct launch_file *file)
{
    if (!file)
        return;
    for (uint32_t i = 0; i < file->array_count; i++) {
        free(file->arrays[i].name);
        free(file->arrays[i].contents);
    }
    for (uint32_t i = 0; i < file->step_count; i++) {
        free(file->steps[i].kernel);
        free(file->steps[i].arguments);
    }
    for (uint32_t i = 0; i < file->output_count; i++) {
        free(file->outputs[i].file);
        free(file->outputs[i].expected);
    }
    for (uint32_t i = 0; i < file->info_count; i++)
        free(file->infos[i].kernel);
    free(file->arrays);
    free(file->steps);
    free(file->outputs);
    free(file->infos);
    free(file);
}
