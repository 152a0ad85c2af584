/* cmd_record.c - runs a target as `run` does, and keeps what its warps executed in a trace. */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/run_options.h"
#include "run/recording.h"

struct record_options {
    struct run_options run;
    const char *output, *format;
    bool data;
};

static const char *const formats[] = { "wlt", "accelsim", NULL };

static const struct option_row record_rows[] = {
    OPTION_FILE_LETTER(struct record_options, output, 'o', "output", "FILE",
                       "where the trace goes: a file, or with --format accelsim a folder that is made"),
    OPTION_CHOICE(struct record_options, format, "format", "FORMAT", formats,
                  "wlt, our own (the default), or accelsim: kernelslist.g and .traceg files that Accel-Sim reads"),
    OPTION_FLAG(struct record_options, data, "data", "keep what memory holds too, for caches that compress"),
    OPTION_FLAG(struct record_options, run.quiet, "quiet", "no summary"), OPTION_END
};
static const struct option_set record_sets[] = { { record_rows, 0 },
                                                 { target_option_rows, offsetof(struct record_options, run) },
                                                 { machine_option_rows, offsetof(struct record_options, run.machine) },
                                                 { output_option_rows, offsetof(struct record_options, run.output) },
                                                 { NULL, 0 } };

/* The file need not exist yet, but its folder must. */
static bool absolute_path(const char *path, char out[PATH_MAX], struct error *err)
{
    char folder[PATH_MAX];
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    (void)snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - path + 1) : 1, slash ? path : ".");
    char *real = realpath(folder, NULL);
    if (!real || !*name || snprintf(out, PATH_MAX, "%s/%s", real, name) >= PATH_MAX - 8) {
        free(real);
        return error_set(err, "--output: '%.300s' cannot be written: %s", path, *name ? strerror(errno) : "it names a folder");
    }
    free(real);
    return true;
}

static void print_totals(const char *path, const struct wlt_totals *t)
{
    const double each = t->warp_instructions ? (double)t->file_bytes / (double)t->warp_instructions : 0;
    (void)printf("%s: %llu kernel%s, %llu host copies, %llu warp instructions in %llu bytes: %.3f bytes per warp instruction", path,
                 (unsigned long long)t->kernels, t->kernels == 1 ? "" : "s", (unsigned long long)t->copies,
                 (unsigned long long)t->warp_instructions, (unsigned long long)t->file_bytes, each);
    if (t->has_data)
        (void)printf("; before compression, stored values are %llu bytes and what the host wrote %llu",
                     (unsigned long long)t->data_bytes, (unsigned long long)t->memory_bytes);
    (void)printf("\n");
}

static enum exit_code keep_accelsim(const struct record_options *o, struct part_file *part, const char *path, struct error *err)
{
    struct wlt_totals totals;
    uint64_t bytes;
    if (!recording_convert(part, path, &totals, &bytes, err))
        return err->code;
    if (!o->run.output.json || strcmp(o->run.output.json, "-") != 0)
        (void)printf("%s/kernelslist.g: %llu kernels, %llu host copies, %llu warp instructions in %llu bytes of text (%.2f per "
                     "warp instruction); "
                     "the same as .wlt: %llu bytes\n",
                     o->output, (unsigned long long)totals.kernels, (unsigned long long)totals.copies,
                     (unsigned long long)totals.warp_instructions, (unsigned long long)bytes,
                     totals.warp_instructions ? (double)bytes / (double)totals.warp_instructions : 0,
                     (unsigned long long)totals.file_bytes);
    return CODE_OK;
}

static enum exit_code record_run(const struct command_call *call, struct error *err)
{
    const struct record_options *o = call->options;
    char path[PATH_MAX];
    if (!o->output)
        return error_set_code(err, CODE_USAGE, "say where the trace goes: -o FILE.wlt"), CODE_USAGE;
    const bool accelsim = o->format && strcmp(o->format, "accelsim") == 0;
    if (accelsim && o->data)
        return error_set_code(err, CODE_USAGE, "--data: Accel-Sim's traces hold no values"), CODE_USAGE;
    if (!absolute_path(o->output, path, err))
        return err->code;
    if (accelsim && access(path, F_OK) == 0)
        return error_set_code(err, CODE_USAGE, "--output: '%.300s' is there already; --format accelsim makes a folder", o->output),
               CODE_USAGE;
    struct part_file *part = part_file_open(path, err); /* before anything runs */
    if (!part)
        return err->code;
    const struct run_recording recording = { part_file_path(part), o->output, o->data };
    const enum exit_code code = run_options_run(&o->run, call, &recording, err);
    struct wlt_totals totals;
    if (code != CODE_OK) {
        part_file_drop(part);
        return code;
    }
    if (accelsim)
        return keep_accelsim(o, part, path, err);
    if (!recording_keep(part, o->output, &totals, err))
        return err->code;
    if (!o->run.output.json || strcmp(o->run.output.json, "-") != 0)
        print_totals(o->output, &totals);
    return CODE_OK;
}

const struct command command_record = {
    .name = "record",
    .arguments = "PROGRAM|WORKLOAD [--] [ARG...]",
    .completes = "@workloads",
    .summary = "run a target and keep what its warps executed in a trace, which 'warpline run' replays",
    .details = "The trace holds, for every warp, the instructions, masks and addresses in the order in which it executed them, and "
               "the host's\n"
               "copies to the device. Replaying it gives the cycles and counters of the live run, on this machine or another, "
               "without the\n"
               "program, as long as the program has no data races: values are not computed again.",
    .examples =
        (const struct command_example[]){
            { "warpline record syrk --size small -o syrk.wlt", "a built-in workload" },
            { "warpline record -o app.wlt -- ./app --its-own", "a program with options of its own" },
            { "warpline record syrk --size small --format accelsim -o syrk", "the same for Accel-Sim: syrk/kernelslist.g" },
            { "warpline run --policy ccws syrk.wlt", "replay it with another technique" },
            { "warpline record -o k.wlt --ptx k.ptx --launch k.json", "PTX without a program" },
            { NULL, NULL } },
    .option_sets = record_sets,
    .options_size = sizeof(struct record_options),
    .max_arguments = SIZE_MAX,
    .run = record_run,
};
