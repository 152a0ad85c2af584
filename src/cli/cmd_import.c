/* cmd_import.c - makes a configuration of warpline from one of GPGPU-Sim or Accel-Sim. */
#include <stdio.h>

#include "base/atomic_file.h"
#include "cli/common_options.h"
#include "import/import.h"
#include "policy/policy_set.h"
#include "run/session.h"

struct import_options {
    const char *out;
    bool exact;
};

static const struct option_row import_rows[] = {
    OPTION_FILE_LETTER(struct import_options, out, 'o', "out", "FILE", "write the configuration there (default: standard output)"),
    OPTION_FLAG(struct import_options, exact, "exact",
                "with what is true of the simulator and of no GPU (reference.*), so that cycles are its own"),
    OPTION_END
};
static const struct option_set import_sets[] = { { import_rows, 0 }, { NULL, 0 } };

/* That every line is a parameter with a value in its range, and that they go together. */
static bool check(const char *text, const char *from, struct error *err)
{
    struct policy_library *library = policy_library_new();
    struct policy_set *none = policy_set_new(library, "", err);
    struct machine_config *config = machine_config_new();
    struct device_config device;
    struct param_space *space = param_space_new();
    machine_config_bind(config, space);
    device_config_bind(&device, space);
    policy_set_add_unused(none, library, space);
    char where[300];
    (void)snprintf(where, sizeof where, "the configuration made of %.200s", from);
    const bool ok = param_load_text(space, text, where, err) && machine_config_check(config, err);
    param_space_free(space);
    machine_config_free(config);
    policy_set_free(none);
    policy_library_free(library);
    return ok;
}

static bool write_out(const struct import_options *options, const struct text_buffer *text, struct error *err)
{
    if (options->out)
        return atomic_file_write(options->out, text->text, text->length, err);
    (void)fwrite(text->text, 1, text->length, stdout);
    return true;
}

static enum exit_code import_run(const struct command_call *call, struct error *err)
{
    const struct import_options *options = call->options;
    struct text_list paths = { 0 };
    struct import_result result = { 0 };
    struct text_buffer text = { 0 };
    for (size_t i = 0; i < call->argument_count; i++)
        text_list_add(&paths, call->arguments[i]);
    bool ok = import_gpgpusim(&paths, options->exact, &result, err) && check(result.config.text, paths.item[0], err);
    if (ok) {
        text_append(&text,
                    "# Made from %s by 'warpline import'. Its scheduler is not part of a configuration: run with --policy %s.\n%s",
                    paths.item[0], result.policies, result.config.text);
        ok = write_out(options, &text, err);
    }
    if (ok && options->out)
        (void)fprintf(stderr, "wrote %s; use it with: --config %s --policy %s\n", options->out, options->out, result.policies);
    text_buffer_clear(&text);
    text_buffer_clear(&result.config);
    text_list_clear(&paths);
    return ok ? CODE_OK : err->code;
}

const struct command command_import = {
    .name = "import",
    .arguments = "FILE [FILE]",
    .summary = "make a configuration from one of GPGPU-Sim or Accel-Sim",
    .details =
        "Reads gpgpusim.config, with the network's file that it names, and for machines that run traces Accel-Sim's trace.config "
        "too. Every option becomes parameters, with the option beside each. An option that is not modelled, or not with this "
        "value, "
        "is an error that names its line: no machine is imported in part. What the files leave out has the simulator's own "
        "default.",
    .examples =
        (const struct command_example[]){
            { "warpline import gpgpusim.config -o my.conf", "then: warpline run --config my.conf --policy gto ./app" },
            { "warpline import --exact gpgpusim.config -o my.conf", "a machine that takes the simulator's own cycles" },
            { "warpline import gpgpusim.config trace.config -o volta.conf", "a machine for Accel-Sim's traces" },
            { NULL, NULL } },
    .option_sets = import_sets,
    .options_size = sizeof(struct import_options),
    .min_arguments = 1,
    .max_arguments = 2,
    .run = import_run,
};
