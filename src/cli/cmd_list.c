/* cmd_list.c - everything that is declared, listed from its declaration. */
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/terminal.h"
#include "cli/common_options.h"
#include "policy/policy_set.h"
#include "study/catalog.h"

struct list_options {
    struct machine_options machine;
    struct output_options output;
    bool all;
};

static const struct option_row list_option_rows[] = {
    OPTION_FLAG(struct list_options, all, "all", "params: those for validation (reference.*) and for debugging, too; JSON has all"),
    OPTION_END
};
static const struct option_set list_sets[] = { { list_option_rows, 0 },
                                               { machine_option_rows, offsetof(struct list_options, machine) },
                                               { output_option_rows, offsetof(struct list_options, output) },
                                               { NULL, 0 } };

/* A list is gathered as JSON rows. The text table shows the named columns of these rows, so that both have one source. */
struct list_kind {
    const char *name;
    const char *const *columns; /* ends with NULL */
    const char *const *titles;  /* of the columns, in a first line; NULL: the columns speak for themselves */
    json_t *(*gather)(const struct machine_options *machine, const struct policy_library *plugins, struct error *err);
};

static bool apply_options(void *context, struct param_space *space, struct error *err)
{
    return machine_options_apply(context, space, err);
}

static json_t *gather_params(const struct machine_options *machine, const struct policy_library *plugins, struct error *err)
{
    return catalog_params(plugins, apply_options, (void *)(uintptr_t)machine, err);
}

static json_t *gather_stats(const struct machine_options *machine, const struct policy_library *plugins, struct error *err)
{
    (void)machine;
    return catalog_stats(plugins, err);
}

static json_t *gather_policies(const struct machine_options *machine, const struct policy_library *plugins, struct error *err)
{
    (void)machine;
    (void)err;
    return catalog_policies(plugins);
}

static json_t *gather_hooks(const struct machine_options *machine, const struct policy_library *plugins, struct error *err)
{
    (void)machine;
    (void)err;
    return catalog_hooks(plugins);
}

static json_t *gather_workloads(const struct machine_options *machine, const struct policy_library *plugins, struct error *err)
{
    (void)machine;
    (void)plugins;
    (void)err;
    return catalog_workloads();
}

static json_t *gather_configs(const struct machine_options *machine, const struct policy_library *plugins, struct error *err)
{
    (void)machine;
    (void)plugins;
    (void)err;
    return catalog_configs();
}

static const struct list_kind list_kinds[] = {
    { "params", (const char *const[]){ "name", "value", "range", "help", NULL }, NULL, gather_params },
    { "stats", (const char *const[]){ "name", "unit", "help", NULL }, NULL, gather_stats },
    { "policies", (const char *const[]){ "name", "summary", "source", NULL }, NULL, gather_policies },
    { "hooks", (const char *const[]){ "name", "help", "policies", NULL }, NULL, gather_hooks },
    { "workloads",
      (const char *const[]){ "name", "suite", "footprint", "small", "medium", "dominates", "name_000", "class_000", "name_001",
                             "class_001", "papers", "kernels", NULL },
      (const char *const[]){ "# name", "suite", "footprint", "small", "medium",
                             "what dominates (footprint: at size small; small, medium: warp instructions)", "in 000", "class there",
                             "in 001", "class", "in 002 to 004", "kernels", NULL },
      gather_workloads },
    { "configs", (const char *const[]){ "name", "summary", NULL }, NULL, gather_configs },
    { NULL, NULL, NULL, NULL }
};

static size_t column_width(const json_t *rows, const char *column, const char *title)
{
    size_t width = strlen(title);
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const size_t length = strlen(json_string_value(json_object_get(json_array_get(rows, i), column)));
        width = length > width ? length : width;
    }
    return width;
}

/* A text that would run past the terminal's edge: in its column when that leaves room for some words, else on lines of its own
 * that begin at `indent`. The cursor is at column `at` of its line. */
static void print_within(const char *text, int at, int start, int indent, int width)
{
    enum { SOME_WORDS = 40 };
    const int left = width - start >= SOME_WORDS ? start : indent;
    (void)printf("%s%*s", at > left ? "\n" : "", at > left ? left : left - at, "");
    cli_print_wrapped(stdout, text, left, width);
}

/* A row, or the titles when `row` is NULL. In a pipe that is one line. On a terminal of `width` columns nothing runs past its edge:
 * words are wrapped, and a table with titles ends with the first column that is too wide. */
static void print_line(const struct list_kind *kind, const json_t *rows, const json_t *row, int width)
{
    int at = 0, start = 0, indent = 0;
    for (size_t c = 0; kind->columns[c]; c++) {
        const char *title = kind->titles ? kind->titles[c] : "";
        const char *text = row ? json_string_value(json_object_get(row, kind->columns[c])) : title;
        const int room = (int)column_width(rows, kind->columns[c], title), length = (int)strlen(text);
        const bool ends_here = width && kind->titles && start + room > width;
        if (width && !length) {
            start += room + 2;
        } else if (width && c && start + length > width) {
            print_within(text, at, start, indent, width);
            at = 0;
            start = indent;
        } else {
            (void)printf("%*s%s", start - at, "", text);
            at = start + length;
            start += room + 2;
        }
        if (ends_here)
            break;
        indent = c == 0 && start <= width / 2 ? start : indent;
    }
    if (at)
        (void)putchar('\n');
}

static int width_of_table(const struct list_kind *kind, const json_t *rows)
{
    int width = -2;
    for (size_t c = 0; kind->columns[c]; c++)
        width += 2 + (int)column_width(rows, kind->columns[c], kind->titles[c]);
    return width;
}

static void print_table(const struct list_kind *kind, const json_t *rows)
{
    const int width = (int)terminal_width(stdout);
    if (kind->titles)
        print_line(kind, rows, NULL, width);
    for (size_t i = 0; i < json_array_size(rows); i++)
        print_line(kind, rows, json_array_get(rows, i), width);
    if (kind->titles && width && width_of_table(kind, rows) > width)
        (void)printf("# there are more columns than the terminal is wide: in a pipe, or with --json -\n");
}

/* Parameters that a study of machines and techniques does not need. */
static void leave_out_special(json_t *rows)
{
    for (size_t i = json_array_size(rows); i-- > 0;) {
        const char *class = json_string_value(json_object_get(json_array_get(rows, i), "class"));
        if (class && (strcmp(class, "reference") == 0 || strcmp(class, "debug") == 0))
            (void)json_array_remove(rows, i);
    }
}

/* Keeps the rows whose names hold the text; false with a sentence when there is none. */
static bool keep_named(json_t *rows, const char *kind, const char *text, struct error *err)
{
    for (size_t i = json_array_size(rows); i-- > 0;)
        if (!strstr(json_string_value(json_object_get(json_array_get(rows, i), "name")), text))
            (void)json_array_remove(rows, i);
    return json_array_size(rows) || error_set(err, "list: no name in 'warpline list %s' has '%.100s' in it", kind, text);
}

/* With --policy, the parameters of other techniques are left out. */
static void leave_out_others(json_t *rows, const struct policy_set *set)
{
    for (size_t i = json_array_size(rows); i-- > 0;) {
        const char *name = json_string_value(json_object_get(json_array_get(rows, i), "name"));
        bool wanted = strncmp(name, "policy.", 7) != 0;
        for (uint32_t p = 0; p < policy_set_count(set) && !wanted; p++) {
            const size_t length = strlen(policy_set_at(set, p)->name);
            wanted = strncmp(name + 7, policy_set_at(set, p)->name, length) == 0 && name[7 + length] == '.';
        }
        if (!wanted)
            (void)json_array_remove(rows, i);
    }
}

static json_t *gather(const struct list_kind *kind, const struct machine_options *machine, struct error *err)
{
    struct policy_library *plugins = machine_options_library(machine, err);
    struct policy_set *set = plugins ? policy_set_new(plugins, machine->policy, err) : NULL;
    json_t *rows = set ? kind->gather(machine, plugins, err) : NULL;
    if (rows && machine->policy && kind->gather == gather_params)
        leave_out_others(rows, set);
    policy_set_free(set);
    policy_library_free(plugins);
    return rows;
}

static enum exit_code list_run(const struct command_call *call, struct error *err)
{
    const struct list_options *options = call->options;
    const struct list_kind *kind = list_kinds;
    struct text_buffer all = { 0 };
    for (; kind->name && strcmp(kind->name, call->arguments[0]) != 0; kind++)
        text_append(&all, "%s%s", all.length ? ", " : "", kind->name);
    if (!kind->name)
        error_set_code(err, CODE_USAGE, "list: '%.100s' cannot be listed; choose from %s", call->arguments[0], all.text);
    text_buffer_clear(&all);
    if (!kind->name)
        return err->code;
    json_t *rows = gather(kind, &options->machine, err);
    if (!rows)
        return err->code;
    if (!options->all && !options->output.json)
        leave_out_special(rows);
    bool ok = call->argument_count < 2 || keep_named(rows, kind->name, call->arguments[1], err);
    if (ok && options->output.json) {
        struct text_buffer text = { 0 };
        json_write(rows, &text);
        ok = output_options_write(&options->output, text.text, text.length, err);
        text_buffer_clear(&text);
    } else if (ok) {
        print_table(kind, rows);
    }
    json_decref(rows);
    return ok ? CODE_OK : err->code;
}

const struct command command_list = {
    .name = "list",
    .arguments = "params|stats|policies|hooks|workloads|configs [TEXT]",
    .completes = "params stats policies hooks workloads configs",
    .summary = "list what is built in",
    .details = "Lists come from the declarations that the program itself runs on, so they are always complete. With TEXT only "
               "the rows whose names hold it are shown.",
    .examples = (const struct command_example[]){ { "warpline list configs", "the machines that --config knows by name" },
                                                  { "warpline list params l1.", "the parameters of the L1" },
                                                  { "warpline list params --config gtx480 --set l1.sets=64",
                                                    "every parameter of machines and techniques, and its value there" },
                                                  { "warpline list params --all", "those for validation and debugging, too" },
                                                  { "warpline list stats --json -", "every counter, for scripts" },
                                                  { NULL, NULL } },
    .option_sets = list_sets,
    .options_size = sizeof(struct list_options),
    .min_arguments = 1,
    .max_arguments = 2,
    .run = list_run,
};
