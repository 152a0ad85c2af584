/* session_request.c - a setup as text: one "word value" per line. It travels from `warpline run` to the program's process. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run/session.h"

/* Names of files may hold line ends: a line end is written as backslash n, and a backslash twice. */
static void write_value(struct text_buffer *out, const char *word, const char *value)
{
    text_append(out, "%s ", word);
    for (const char *c = value; *c; c++)
        if (*c == '\n' || *c == '\\')
            text_append_bytes(out, *c == '\n' ? "\\n" : "\\\\", 2);
        else
            text_append_bytes(out, c, 1);
    text_append_bytes(out, "\n", 1);
}

static void read_value(char *value)
{
    char *to = value;
    for (const char *c = value; *c; c++)
        if (*c == '\\' && c[1])
            *to++ = (char)(*++c == 'n' ? '\n' : *c);
        else
            *to++ = *c;
    *to = '\0';
}

static void write_param(void *context, const char *name, const struct param *row, const char *value)
{
    (void)row;
    struct text_buffer assignment = { 0 };
    text_append(&assignment, "%s=%s", name, value);
    write_value(context, "set", assignment.text);
    text_buffer_clear(&assignment);
}

void session_request_write(const struct session_setup *setup, const struct session_options *options, struct text_buffer *out)
{
    for (size_t i = 0; i < setup->policy_names.count; i++)
        write_value(out, "policy", setup->policy_names.item[i]);
    for (size_t i = 0; i < setup->plugins.count; i++)
        write_value(out, "plugin", setup->plugins.item[i]);
    text_append(out, "functional %d\nraces %d\nmax_cycles %llu\nmax_instructions %llu\n", options->functional ? 1 : 0,
                options->races ? 1 : 0, (unsigned long long)options->max_cycles, (unsigned long long)options->max_instructions);
    if (options->record_path[0]) {
        text_append(out, "record_data %d\n", options->record_data ? 1 : 0);
        write_value(out, "record_name", options->record_name);
        write_value(out, "record", options->record_path);
    }
    if (options->profile_path[0]) {
        text_append(out, "profile_records %d\nprofile_as_it_comes %d\nprofile_program %s\nprofile_build %s\n",
                    options->profile_records ? 1 : 0, options->profile_as_it_comes ? 1 : 0, options->profile_owner.program,
                    options->profile_owner.build);
        write_value(out, "profile", options->profile_path);
    }
    param_each(setup->space, write_param, out);
}

static bool read_line(const char *word, const char *value, struct session_setup *setup, struct session_options *options,
                      struct error *err)
{
    if (strcmp(word, "set") == 0)
        return param_set_assignment(setup->space, value, "the run's settings", err);
    if (strcmp(word, "functional") == 0)
        options->functional = strcmp(value, "0") != 0;
    else if (strcmp(word, "races") == 0)
        options->races = strcmp(value, "0") != 0;
    else if (strcmp(word, "max_cycles") == 0)
        options->max_cycles = strtoull(value, NULL, 10);
    else if (strcmp(word, "max_instructions") == 0)
        options->max_instructions = strtoull(value, NULL, 10);
    else if (strcmp(word, "record_data") == 0)
        options->record_data = strcmp(value, "0") != 0;
    else if (strcmp(word, "record_name") == 0)
        (void)snprintf(options->record_name, sizeof options->record_name, "%s", value);
    else if (strcmp(word, "record") == 0)
        (void)snprintf(options->record_path, sizeof options->record_path, "%s", value);
    else if (strcmp(word, "profile_records") == 0)
        options->profile_records = strcmp(value, "0") != 0;
    else if (strcmp(word, "profile_as_it_comes") == 0)
        options->profile_as_it_comes = strcmp(value, "0") != 0;
    else if (strcmp(word, "profile_program") == 0)
        (void)snprintf(options->profile_owner.program, sizeof options->profile_owner.program, "%s", value);
    else if (strcmp(word, "profile_build") == 0)
        (void)snprintf(options->profile_owner.build, sizeof options->profile_owner.build, "%s", value);
    else if (strcmp(word, "profile") == 0)
        (void)snprintf(options->profile_path, sizeof options->profile_path, "%s", value);
    else if (strcmp(word, "policy") != 0 && strcmp(word, "plugin") != 0) /* read before, see below */
        return error_set_code(err, CODE_INTERNAL, "the run's settings hold an unknown word '%.40s'", word);
    return true;
}

/* Calls `line` for every "word value"; the text is cut up. */
static bool each_line(char *text, bool (*line)(const char *word, const char *value, void *context), void *context)
{
    char *state = NULL;
    for (char *row = strtok_r(text, "\n", &state); row; row = strtok_r(NULL, "\n", &state)) {
        char *space = strchr(row, ' ');
        if (space) {
            *space = 0;
            read_value(space + 1);
        }
        if (!line(row, space ? space + 1 : "", context))
            return false;
    }
    return true;
}

struct chosen {
    struct text_list policies, plugins;
};

static bool collect_policy(const char *word, const char *value, void *context)
{
    struct chosen *chosen = context;
    if (strcmp(word, "policy") == 0)
        text_list_add(&chosen->policies, value);
    if (strcmp(word, "plugin") == 0)
        text_list_add(&chosen->plugins, value);
    return true;
}

struct reading {
    struct session_setup *setup;
    struct session_options *options;
    struct error *err;
};

static bool apply(const char *word, const char *value, void *context)
{
    const struct reading *r = context;
    return read_line(word, value, r->setup, r->options, r->err);
}

/* Two passes: the policies decide which parameters there are. */
bool session_request_read(const char *text, struct session_setup *setup, struct session_options *options, struct error *err)
{
    struct chosen chosen = { 0 };
    *options = (struct session_options){ 0 };
    char *first = must_strdup(text), *second = must_strdup(text);
    (void)each_line(first, collect_policy, &chosen);
    bool ok = session_setup_init(setup, &chosen.policies, &chosen.plugins, err);
    if (ok) {
        struct reading reading = { setup, options, err };
        ok = each_line(second, apply, &reading);
        if (!ok)
            session_setup_clear(setup);
    }
    free(first);
    free(second);
    text_list_clear(&chosen.policies);
    text_list_clear(&chosen.plugins);
    return ok;
}
