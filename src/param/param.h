/* param.h - parameters declared once, as data.
 *
 * A room declares a table of rows over a plain config struct. From the row come the default, parsing, the range error,
 * `list params`, the docs and the JSON echo. Sets of tables (the machine, each policy) are bound to their structs in a
 * `struct param_space`, which is what config files and --set write to. */
#ifndef WARPLINE_PARAM_PARAM_H
#define WARPLINE_PARAM_PARAM_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/error.h"

enum param_type {
    PARAM_TYPE_U32,       /* uint32_t field */
    PARAM_TYPE_U64,       /* uint64_t field */
    PARAM_TYPE_I64,       /* int64_t field */
    PARAM_TYPE_REAL,      /* double field */
    PARAM_TYPE_SIZE,      /* uint64_t field, bytes; accepts 16KiB, 48KB, 1MiB, 128 */
    PARAM_TYPE_FREQUENCY, /* uint64_t field, kHz; accepts 700MHz, 1.4GHz */
    PARAM_TYPE_TIME,      /* uint64_t field, picoseconds; accepts 13.75ns, 1us */
    PARAM_TYPE_BOOL,      /* bool field */
    PARAM_TYPE_CHOICE,    /* uint32_t field: index into `choices` (an enum whose order the list follows) */
    PARAM_TYPE_LIST       /* struct param_list field: comma-separated unsigned numbers */
};

enum { PARAM_LIST_MAX = 16 };
struct param_list {
    uint32_t count;
    uint64_t value[PARAM_LIST_MAX];
};

/* Who a parameter is for. Lists show those of machines and techniques unless they are asked for all. */
enum param_class {
    PARAM_MACHINE,
    PARAM_TECHNIQUE, /* of a policy */
    PARAM_REFERENCE, /* does as GPGPU-Sim does, including its mistakes; for validation */
    PARAM_DEBUG,     /* looks into the simulator, or serves its tests */
    PARAM_HOST       /* how the host does it; no result depends on it, so results and their keys leave it out */
};

struct param {
    const char *name; /* dotted, without the space's prefix: "l1.sets" */
    enum param_type type;
    size_t offset;         /* of the field inside the config struct */
    const char *dflt;      /* as a user would write it: parsed by the same code */
    const char *min, *max; /* as a user would write them; NULL: the type's own */
    const char *unit, *help;
    const char *const *choices; /* CHOICE: NULL-terminated */
    enum param_class class;     /* see param_class_of */
};

/* clang-format off */
/* Row makers. The _Generic makes a row whose field has another C type a compile error. */
#define PARAM_FIELD(T, field, ctype) (offsetof(T, field) + 0 * sizeof(_Generic(((T *)0)->field, ctype: 1)))
#define PARAM_U32(T, field, name_, dflt_, min_, max_, unit_, help_) \
    { .name = name_, .type = PARAM_TYPE_U32, .offset = PARAM_FIELD(T, field, uint32_t), .dflt = #dflt_, .min = #min_, \
      .max = #max_, .unit = unit_, .help = help_ }
#define PARAM_U32_OF(class_, T, field, name_, dflt_, min_, max_, unit_, help_) \
    { .name = name_, .type = PARAM_TYPE_U32, .offset = PARAM_FIELD(T, field, uint32_t), .dflt = #dflt_, .min = #min_, \
      .max = #max_, .unit = unit_, .help = help_, .class = class_ }
#define PARAM_U64(T, field, name_, dflt_, min_, max_, unit_, help_) \
    { .name = name_, .type = PARAM_TYPE_U64, .offset = PARAM_FIELD(T, field, uint64_t), .dflt = #dflt_, .min = #min_, \
      .max = #max_, .unit = unit_, .help = help_ }
#define PARAM_REAL(T, field, name_, dflt_, min_, max_, unit_, help_) \
    { .name = name_, .type = PARAM_TYPE_REAL, .offset = PARAM_FIELD(T, field, double), .dflt = #dflt_, .min = #min_, \
      .max = #max_, .unit = unit_, .help = help_ }
#define PARAM_SIZE(T, field, name_, dflt_, min_, max_, help_) \
    { .name = name_, .type = PARAM_TYPE_SIZE, .offset = PARAM_FIELD(T, field, uint64_t), .dflt = dflt_, .min = min_, \
      .max = max_, .unit = "bytes", .help = help_ }
#define PARAM_FREQUENCY(T, field, name_, dflt_, help_) \
    { .name = name_, .type = PARAM_TYPE_FREQUENCY, .offset = PARAM_FIELD(T, field, uint64_t), .dflt = dflt_, \
      .min = "1kHz", .max = "100GHz", .unit = "frequency", .help = help_ }
#define PARAM_TIME(T, field, name_, dflt_, min_, max_, help_) \
    { .name = name_, .type = PARAM_TYPE_TIME, .offset = PARAM_FIELD(T, field, uint64_t), .dflt = dflt_, .min = min_, \
      .max = max_, .unit = "time", .help = help_ }
#define PARAM_BOOL(T, field, name_, dflt_, help_) \
    { .name = name_, .type = PARAM_TYPE_BOOL, .offset = PARAM_FIELD(T, field, bool), .dflt = #dflt_, .unit = "", .help = help_ }
#define PARAM_BOOL_OF(class_, T, field, name_, dflt_, help_) \
    { .name = name_, .type = PARAM_TYPE_BOOL, .offset = PARAM_FIELD(T, field, bool), .dflt = #dflt_, .unit = "", .help = help_, \
      .class = class_ }
#define PARAM_CHOICE(T, field, name_, dflt_, choices_, help_) \
    { .name = name_, .type = PARAM_TYPE_CHOICE, .offset = PARAM_FIELD(T, field, uint32_t), .dflt = dflt_, \
      .unit = "", .help = help_, .choices = choices_ }
#define PARAM_LIST(T, field, name_, dflt_, unit_, help_) \
    { .name = name_, .type = PARAM_TYPE_LIST, .offset = PARAM_FIELD(T, field, struct param_list), .dflt = dflt_, \
      .unit = unit_, .help = help_ }
#define PARAM_END { .name = NULL }
/* clang-format on */

/* Fills every field of `config` with its row's default. A default that its own row refuses is a panic. */
void param_defaults(const struct param *table, void *config);

/* Tables bound to structs. `prefix` is "" for the machine and "policy.<name>." for a policy. */
struct param_space;
struct param_space *param_space_new(void);
void param_space_add(struct param_space *space, const char *prefix, const struct param *table, void *config);
/* Parameters that had another name: whoever still writes it is told the new one. The list ends with a NULL name. */
struct param_moved {
    const char *name, *now;
};
void param_space_moved(struct param_space *space, const struct param_moved *list);
/* Adds a table that is known but not used in this run. A configuration may hold its rows: they are checked and then ignored, so
 * that one file serves runs with and without a technique. Setting such a row by name (param_set) is refused. param_each skips
 * these tables. */
void param_space_add_unused(struct param_space *space, const char *prefix, const struct param *table);
/* True for the name of a row of such a table. */
bool param_is_unused(const struct param_space *space, const char *key);
/* Values for the launches of one kernel: wherever a key is written it may be "KERNEL:key" (--set, a section [KERNEL:policy.x] of a
 * file). KERNEL is the kernel's symbol, or its name in the source. Checked like others, and kept in `list`, which the caller owns.
 */
struct param_kernel_setting {
    char *kernel, *key, *value;
};
struct param_kernel_list { /* zero-initialise */
    struct param_kernel_setting *setting;
    size_t count;
};
void param_space_kernels(struct param_space *space, struct param_kernel_list *list);
const struct param_kernel_list *param_kernels(const struct param_space *space); /* NULL: there is no place for them */
/* Rows ("a,b") of the table added last that may have such values; the others may not. */
void param_space_per_kernel(struct param_space *space, const char *rows);
void param_kernel_list_clear(struct param_kernel_list *list);
/* Writes a value that was checked before into the row's field. */
void param_store(const struct param *table, void *config, const char *name, const char *value);
void param_space_free(struct param_space *space);

/* Sets one parameter from its text. The error names `where` ("file:12" or "--set"), the value, the allowed range, or the
 * nearest known name. */
bool param_set(struct param_space *space, const char *key, const char *value, const char *where, struct error *err);
/* The same for a line of a configuration: rows of unused tables are checked only. */
bool param_set_from_file(struct param_space *space, const char *key, const char *value, const char *where, struct error *err);
/* "key=value", as after --set. */
bool param_set_assignment(struct param_space *space, const char *assignment, const char *where, struct error *err);
/* A configuration: the name of a built-in one (configs/NAME.conf) or a file. Files are INI, read with inih:
 *
 *     include = gtx480          ; before the first section: a built-in name, or a path relative to this file
 *     [l1]
 *     sets = 64                 # later values replace earlier ones; every key must be known
 *     [policy.dwt-cs]
 *     period = 5000
 *
 * A result written with --json is a configuration too: its "config" object is read. */
bool param_load(struct param_space *space, const char *name_or_path, struct error *err);
/* The same, from memory: `where` stands for the path in errors. */
bool param_load_text(struct param_space *space, const char *text, const char *where, struct error *err);

/* The configurations built into the program: text of configs/NAME.conf, list ends with a NULL name. */
struct param_builtin {
    const char *name, *text;
};
extern const struct param_builtin param_builtins[];
/* Another kind of text file, read in the same way, with names and includes from its own list. */
struct param_builtins_of {
    const struct param_builtin *list;
    const char *folder, *what, *see; /* "configs", "configuration", "warpline list configs": for errors */
};
bool param_load_of(struct param_space *space, const struct param_builtins_of *builtins, const char *name_or_path, const char *where,
                   struct error *err);
/* The first comment line of a built-in configuration: what it is. Valid until the next call. */
void param_builtin_summary(const struct param_builtin *builtin, char *out, size_t room);

/* Walks all parameters in order of declaration: the effective value as text, for JSON, `list params` and feeding back. */
typedef void param_visit(void *context, const char *full_name, const struct param *row, const char *value);
void param_each(const struct param_space *space, param_visit *visit, void *context);
/* A policy's rows are all of the class technique, whatever their tables say. In one word, for lists and docs. */
enum param_class param_class_of(const char *full_name, const struct param *row);
const char *param_class_name(enum param_class class);
/* "at least 1 and at most 64", "one of lru, fifo", "true or false": what the row allows, for errors and docs. */
void param_describe_range(const struct param *row, char *out, size_t room);
/* What kind of value the row takes, in one word, for lists and docs. */
const char *param_type_name(enum param_type type);
#endif
