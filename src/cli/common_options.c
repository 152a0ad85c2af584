/* common_options.c - options that several commands share: the machine, a study's batch, where output goes. */
#include "cli/common_options.h"

#include <jansson.h>
#include <string.h>

#include "base/atomic_file.h"
#include "base/interrupt.h"
#include "base/json.h"

const struct option_row machine_option_rows[] = {
    OPTION_TEXT(struct machine_options, config, "config", "NAME|FILE",
                "the machine: a built-in configuration ('warpline list configs'), a file, or an earlier result (JSON)"),
    OPTION_REPEAT(struct machine_options, set, "set", "KEY=VALUE", "change one parameter ('warpline list params')"),
    OPTION_TEXT(struct machine_options, policy, "policy", "A,B,...", "the techniques to use, together ('warpline list policies')"),
    OPTION_REPEAT(struct machine_options, plugin, "plugin", "FILE.so",
                  "load policies from a plug-in (code of your own: it is not sandboxed)"),
    OPTION_END
};

bool machine_options_apply(const struct machine_options *options, struct param_space *space, struct error *err)
{
    if (options->config && !param_load(space, options->config, err))
        return false;
    for (size_t i = 0; i < options->set.count; i++)
        if (!param_set_assignment(space, options->set.item[i], "--set", err))
            return false;
    return true;
}

static void policies_of_result(const char *path, struct text_list *names)
{
    json_t *root = text_is_pipe(path) || text_is_device(path) ? NULL : json_load_file(path, 0, NULL); /* refused later */
    const json_t *policies = json_object_get(root, "policies");
    for (size_t i = 0; i < json_array_size(policies); i++)
        if (json_is_string(json_array_get(policies, i)))
            text_list_add(names, json_string_value(json_array_get(policies, i)));
    json_decref(root);
}

bool machine_options_policies(const struct machine_options *options, struct text_list *names, struct error *err)
{
    if (!options->policy) {
        if (options->config)
            policies_of_result(options->config, names);
        return true;
    }
    if (!text_list_add_parts(names, options->policy))
        return error_set(err, "--policy: '%.100s' has an empty name in it; write names separated by commas", options->policy);
    return true;
}

struct policy_library *machine_options_library(const struct machine_options *options, struct error *err)
{
    struct policy_library *library = policy_library_new();
    for (size_t i = 0; i < options->plugin.count; i++)
        if (!policy_library_load(library, options->plugin.item[i], err)) {
            policy_library_free(library);
            return NULL;
        }
    return library;
}

const char *const size_choices[] = { "tiny", "small", "medium", "paper", NULL };

const struct option_row study_option_rows[] = {
    OPTION_REPEAT(struct study_options, plugin, "plugin", "FILE.so",
                  "load policies from a plug-in (code of your own: it is not sandboxed)"),
    OPTION_NUMBER(struct study_options, jobs, "jobs", "N", "processes at a time (default: one per core)"),
    OPTION_NUMBER(struct study_options, timeout, "timeout", "SECONDS", "give up on a run after this long"),
    OPTION_FLAG(struct study_options, fresh, "fresh", "run everything again, also what the database has"),
    OPTION_FILE(struct study_options, database, "db", "FILE", "results database (default $WARPLINE_DB or warpline.db)"),
    OPTION_END
};

static uint32_t at_most_32_bits(uint64_t number)
{
    return number < UINT32_MAX ? (uint32_t)number : UINT32_MAX;
}

struct batch_options study_options_batch(const struct study_options *options, const char *study)
{
    return (struct batch_options){ .study = study,
                                   .jobs = at_most_32_bits(options->jobs),
                                   .timeout_seconds = at_most_32_bits(options->timeout),
                                   .progress = true,
                                   .fresh = options->fresh,
                                   .interrupted = interrupt_catch() };
}

struct database *study_options_open(const struct study_options *options, struct error *err)
{
    return database_open(options->database ? options->database : database_default_path(), DATABASE_WRITE, err);
}

const struct option_row output_option_rows[] = { OPTION_FILE(struct output_options, json, "json", "FILE|-",
                                                             "write the result as JSON to a file, or to standard output (-)"),
                                                 OPTION_END };

bool output_options_check(const struct output_options *options, struct error *err)
{
    return !options->json || !strcmp(options->json, "-") || atomic_file_check(options->json, err);
}

bool output_options_write(const struct output_options *options, const char *text, size_t length, struct error *err)
{
    if (!options->json)
        return true;
    if (!strcmp(options->json, "-")) {
        (void)fwrite(text, 1, length, stdout); /* a failure is seen when the program ends */
        return true;
    }
    return atomic_file_write(options->json, text, length, err);
}

bool output_options_take_stdout(const struct output_options *options)
{
    return options->json && strcmp(options->json, "-") == 0;
}

bool output_options_write_json(const struct output_options *options, const json_t *json, struct error *err)
{
    struct text_buffer text = { 0 };
    json_write(json, &text);
    const bool ok = output_options_write(options, text.text, text.length, err);
    text_buffer_clear(&text);
    return ok;
}

const struct option_row subject_option_rows[] = {
    OPTION_CHOICE(struct target_options, size, "size", "SIZE", size_choices, "input size of a built-in workload (default small)"),
    OPTION_TEXT(struct target_options, config, "config", "NAME|FILE", "the machine ('warpline list configs')"),
    OPTION_TEXT(struct target_options, policy, "policy", "A,B,...", "techniques to use in every run (default: none)"),
    OPTION_REPEAT(struct target_options, set, "set", "KEY=VALUE", "change one parameter ('warpline list params')"), OPTION_END
};

const struct option_set target_option_sets[] = { { subject_option_rows, 0 },
                                                 { study_option_rows, offsetof(struct target_options, study) },
                                                 { output_option_rows, offsetof(struct target_options, output) },
                                                 { NULL, 0 } };

struct study_subject target_options_subject(const struct target_options *o, const struct command_call *call, size_t at,
                                            struct text_list *arguments)
{
    for (size_t i = at + 1; i < call->argument_count; i++)
        text_list_add(arguments, call->arguments[i]);
    return (struct study_subject){ .target = call->arguments[at],
                                   .size = o->size,
                                   .config = o->config,
                                   .policies = o->policy,
                                   .arguments = arguments,
                                   .set = &o->set,
                                   .plugins = &o->study.plugin };
}

bool target_options_run(const struct target_options *o, struct batch_run *runs, uint32_t count, struct batch_summary *summary,
                        struct error *err)
{
    const struct batch_options batch = study_options_batch(&o->study, NULL);
    struct database *database = study_options_open(&o->study, err);
    const bool ok = database && batch_run_all(database, runs, count, &batch, summary, err);
    database_close(database);
    return ok;
}
