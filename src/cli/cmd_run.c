/* cmd_run.c - runs one target on one machine: a program, PTX with a launch file, a built-in workload or a trace. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/interrupt.h"
#include "base/atomic_file.h"
#include "base/part_file.h"
#include "base/log.h"
#include "base/symbol.h"
#include "cli/run_options.h"
#include "run/profile.h"
#include "run/result.h"
#include "run/run_cpu.h"
#include "run/run_program.h"
#include "run/run_ptx.h"
#include "run/run_trace.h"
#include "run/timeline.h"
#include "study/workload_list.h"

static const char *const unknown_opcode_choices[] = { "error", "alu", NULL };

const struct option_row target_option_rows[] = {
    OPTION_FILE(struct run_options, ptx, "ptx", "FILE", "run the kernels of a PTX file; needs --launch"),
    OPTION_FILE(struct run_options, launch, "launch", "FILE", "what to launch of the PTX file, on which data (JSON)"),
    OPTION_CHOICE(struct run_options, size, "size", "SIZE", workload_sizes, "input size of a built-in workload (default small)"),
    OPTION_CHOICE(
        struct run_options, unknown_opcode, "unknown-opcode", "WHAT", unknown_opcode_choices,
        "what to do with an unknown opcode of an Accel-Sim trace: end with an error (default), or run it as a move (alu)"),
    OPTION_END
};
static const struct option_row run_rows[] = {
    OPTION_FILE(struct run_options, dump, "dump-outputs", "DIR", "with --launch: write each output array to DIR/NAME.bin"),
    OPTION_FLAG(struct run_options, cpu, "cpu", "the arguments are traces of CPUs (.wct, ChampSim's), one for each core of a chip"),
    OPTION_FLAG(struct run_options, functional, "functional", "compute values only: no machine, no cycles"),
    OPTION_FLAG(struct run_options, races, "races", "look for races: accesses of two threads that nothing orders; slow"),
    OPTION_NUMBER(struct run_options, max_cycles, "max-cycles", "N", "stop after so many cycles and report what is known"),
    OPTION_NUMBER(struct run_options, max_instructions, "max-instructions", "N",
                  "stop after so many warp instructions and report what is known"),
    OPTION_NUMBER(struct run_options, threads, "threads", "N",
                  "run each kernel on so many threads (gpu.threads); results are the same for every N"),
    OPTION_FILE(struct run_options, timeline, "timeline", "FILE",
                "write what happened when, per gpu.interval cycles (1000 unless set): a trace for Perfetto, or .csv"),
    OPTION_FLAG(struct run_options, inputs, "inputs",
                "add to the JSON what the program read from outside (files, folders, environment)"),
    OPTION_FILE(
        struct run_options, profile, "profile", "FILE",
        "for a technique that works from a profile: read this one, which an earlier run recorded (default: make both runs)"),
    OPTION_FILE(struct run_options, record_profile, "record-profile", "FILE", "do the first run only, and keep its profile"),
    OPTION_FLAG(struct run_options, quiet, "quiet", "no summary"),
    OPTION_END
};
static const struct option_set run_sets[] = { { target_option_rows, 0 },
                                              { run_rows, 0 },
                                              { machine_option_rows, offsetof(struct run_options, machine) },
                                              { output_option_rows, offsetof(struct run_options, output) },
                                              { NULL, 0 } };

/* The summary to stderr, the JSON where it is wanted. */
static bool deliver(const struct run_options *o, json_t *result, struct error *err)
{
    if (!result)
        return true;
    if (!o->quiet)
        result_print_summary(result, stderr);
    if (o->timeline && !timeline_write(result, o->timeline, err))
        return false;
    struct text_buffer text = { 0 };
    result_write(result, &text);
    const bool ok = output_options_write(&o->output, text.text, text.length, err);
    text_buffer_clear(&text);
    return ok;
}

static void warn_of_stop(void)
{
    log_line(LOG_WARN, "stopped before the end: the numbers are what was known by then");
}

/* A limit stopped the program in its last kernel. */
static bool is_stopped(const json_t *result)
{
    const json_t *kernels = json_object_get(result, "kernels");
    const size_t count = json_array_size(kernels);
    return count && json_is_false(json_object_get(json_array_get(kernels, count - 1), "complete"));
}

/* For a run in this process. */
static enum exit_code finish_result(const struct run_options *o, json_t *result, bool ok, bool stopped, struct error *err)
{
    struct error second;
    const bool delivered = deliver(o, result, ok ? err : &second);
    json_decref(result);
    if (stopped && !o->first_of_two)
        warn_of_stop();
    return ok && delivered ? CODE_OK : err->code;
}

/* Profiles of a run in this process; a program's process has its own (cuda/runtime). */
static bool open_profile(const struct session_setup *setup, struct session_options *options, struct error *err)
{
    bool ok;
    options->profile = profile_open(setup, options, &ok, err);
    return ok;
}

static bool close_profile(const struct session_setup *setup, struct session_options *options, bool ok, struct error *err)
{
    ok = ok && profile_write(options->profile, err);
    profile_close(options->profile, setup);
    options->profile = NULL;
    return ok;
}

static enum exit_code run_ptx_target(const struct run_options *o, const struct session_setup *setup,
                                     struct session_options *options, struct error *err)
{
    const struct ptx_run run = { .target = o->ptx, .ptx_path = o->ptx, .launch_path = o->launch, .dump_directory = o->dump };
    json_t *result = NULL;
    bool stopped = false;
    if (options->profile_path[0]) /* hashing takes time that a run without a profile need not spend */
        profile_owner_files(o->ptx, o->launch, &options->profile_owner);
    bool ok = open_profile(setup, options, err) && run_ptx(&run, setup, options, &result, &stopped, err);
    ok = close_profile(setup, options, ok, err);
    return finish_result(o, result, ok, stopped, err);
}

/* Checks the profile before a program is started, since the program's process opens it by itself. */
static bool check_profile(const struct session_setup *setup, struct session_options *options, struct error *err)
{
    if (options->profile_records)
        (void)unlink(options->profile_path); /* an old profile must not be taken for the new one */
    const bool ok = open_profile(setup, options, err);
    profile_close(options->profile, setup);
    options->profile = NULL;
    return ok;
}

/* Checks that a program that ended well has made its profile. */
static bool has_made_profile(const struct session_options *options, const char *target, struct error *err)
{
    return !options->profile_records || options->functional || access(options->profile_path, F_OK) == 0 ||
           error_set_code(err, CODE_PROGRAM, "%.300s left no profile: it never used the device, or did not end by itself", target);
}

/* How a program ended that did not end well. */
static void say_end(const char *target, const struct program_outcome *outcome, struct error *err)
{
    char how[96] = "ended", where[384] = "";
    if (outcome->signal)
        (void)snprintf(how, sizeof how, "was ended by signal %d (%s)", outcome->signal, strsignal(outcome->signal));
    else if (outcome->exit_code)
        (void)snprintf(how, sizeof how, "ended with exit code %d", outcome->exit_code);
    if (outcome->unfinished[0]) {
        char kernel[256];
        symbol_plain_name(outcome->unfinished, kernel, sizeof kernel);
        (void)snprintf(where, sizeof where, " while its kernel %s was running, whose numbers are lost", kernel);
    }
    (void)error_set_code(err, CODE_PROGRAM, "%s %s%s", target, how, where);
}

static enum exit_code run_program_target(const struct run_options *o, const struct program_run *run,
                                         const struct session_setup *setup, struct session_options *options, struct error *err)
{
    struct program_outcome outcome = { 0 };
    if (options->profile_path[0])
        profile_owner_program(run->path, run->arguments, &options->profile_owner);
    if (!check_profile(setup, options, err) || !run_program(run, setup, options, &outcome, err)) {
        json_decref(outcome.result);
        return err->code;
    }
    const bool delivered = deliver(o, outcome.result, err);
    if (delivered && !o->first_of_two && !outcome.interrupted && !outcome.failure.text[0] && is_stopped(outcome.result))
        warn_of_stop();
    json_decref(outcome.result);
    if (!delivered)
        return err->code;
    if (outcome.interrupted) {
        (void)error_set_code(err, CODE_PROGRAM, "interrupted: the numbers are what was known by then");
    } else if (outcome.failure.text[0] && !outcome.unfinished[0]) {
        /* The program's process has printed it already, in its place among the program's own output. */
        return outcome.failure.code == CODE_OK ? CODE_PROGRAM : outcome.failure.code;
    } else if (outcome.exit_code != 0 || outcome.unfinished[0]) {
        say_end(run->target, &outcome, err);
    } else if (has_made_profile(options, run->target, err)) {
        return CODE_OK;
    }
    return err->code;
}

static enum exit_code run_trace_target(const struct run_options *o, const char *path, const struct session_setup *setup,
                                       struct session_options *options, struct error *err)
{
    json_t *result = NULL;
    bool stopped = false;
    if (options->profile_path[0])
        profile_owner_files(path, NULL, &options->profile_owner);
    bool ok = open_profile(setup, options, err) && run_trace(path, setup, options, &result, &stopped, err);
    ok = close_profile(setup, options, ok, err);
    return finish_result(o, result, ok, stopped, err);
}

/* A built-in workload has only two options: --size, which is ours too, and --seed (behind --). */
static bool is_workload_name(const char *argument)
{
    return !strchr(argument, '/') && workload_find(argument);
}

/* A program is given by its path, a workload by its name: a name without a slash is a workload if there is one of that name. */
static bool find_target(const struct run_options *o, const struct command_call *call, char path[PATH_MAX],
                        struct text_list *arguments, struct error *err)
{
    const char *target = call->arguments[0];
    const struct workload *workload = is_workload_name(target) ? workload_find(target) : NULL;
    if (workload) {
        if (!workload_program(workload, path, err))
            return false;
        text_list_add(arguments, path);
        if (o->size) {
            text_list_add(arguments, "--size");
            text_list_add(arguments, o->size);
        }
    } else {
        if (o->size)
            return error_set_code(err, CODE_USAGE, "--size is for built-in workloads; give %s its own arguments behind its name",
                                  target);
        const char *likely = workload_likely(target);
        if (access(target, F_OK) != 0 && likely)
            return error_set(err, "there is no program or built-in workload '%.200s'; did you mean '%s'? (warpline list workloads)",
                             target, likely);
        if (access(target, F_OK) != 0)
            return error_set(err, "there is no program or built-in workload '%.200s' ('warpline list workloads' shows them)",
                             target);
        (void)snprintf(path, PATH_MAX, "%s%s", strchr(target, '/') ? "" : "./", target);
        text_list_add(arguments, target);
    }
    for (size_t i = 1; i < call->argument_count; i++)
        text_list_add(arguments, call->arguments[i]);
    return true;
}

static enum exit_code run_target(const struct run_options *o, const struct command_call *call, const struct session_setup *setup,
                                 struct session_options *options, struct error *err)
{
    if (o->ptx || o->launch) {
        if (!o->ptx || !o->launch || call->argument_count)
            return error_set_code(err, CODE_USAGE, "--ptx FILE and --launch FILE go together, without a program"), CODE_USAGE;
        return run_ptx_target(o, setup, options, err);
    }
    if (call->argument_count == 0)
        return error_set_code(err, CODE_USAGE, "name a program, a built-in workload, a trace, or --ptx FILE --launch FILE"),
               CODE_USAGE;
    if (!workload_find(call->arguments[0]) && run_trace_recognises(call->arguments[0])) {
        if (call->argument_count > 1 || o->size)
            return error_set_code(err, CODE_USAGE, "a trace is run by itself: no arguments, no --size"), CODE_USAGE;
        return run_trace_target(o, call->arguments[0], setup, options, err);
    }
    char path[PATH_MAX];
    struct text_list arguments = { 0 };
    enum exit_code code = CODE_INPUT;
    if (find_target(o, call, path, &arguments, err)) {
        char **vector = must_calloc(arguments.count + 1, sizeof *vector);
        memcpy(vector, arguments.item, arguments.count * sizeof *vector);
        const struct program_run run = { .target = call->arguments[0],
                                         .path = path,
                                         .arguments = vector,
                                         .stdout_to_stderr = output_options_take_stdout(&o->output),
                                         .silent = o->first_of_two,
                                         .ours_to_pass = o->profile || o->record_profile ? NULL : options->profile_path,
                                         .watch_inputs = o->inputs };
        code = run_program_target(o, &run, setup, options, err);
        free(vector);
    } else {
        code = err->code;
    }
    text_list_clear(&arguments);
    return code;
}

/* The program's process may be in another folder, so it gets the absolute path of the profile's file. */
static bool set_profile(const char *path, bool records, struct session_options *options, struct error *err)
{
    options->profile_records = records;
    if (path[0] == '/')
        (void)snprintf(options->profile_path, sizeof options->profile_path, "%s", path);
    else if (!getcwd(options->profile_path, sizeof options->profile_path - strlen(path) - 2))
        return error_set(err, "%.300s: the working folder has no name", path);
    else
        (void)snprintf(options->profile_path + strlen(options->profile_path),
                       sizeof options->profile_path - strlen(options->profile_path), "/%s", path);
    struct stat there; /* what is there is removed before the run, and a device would be gone */
    if (records && stat(options->profile_path, &there) == 0 && !S_ISREG(there.st_mode))
        return error_set(err, "--record-profile: '%.300s' is there already and is no ordinary file; give the name of a file", path);
    return !records || atomic_file_check(options->profile_path, err);
}

/* Where the profile is between two runs: a file that gets no name. */
static struct part_file *profile_between_runs(struct error *err)
{
    struct text_buffer place = { 0 };
    const char *folder = getenv("TMPDIR");
    text_append(&place, "%s/warpline-profile", folder && *folder ? folder : "/tmp");
    struct part_file *part = part_file_open(place.text, err);
    text_buffer_clear(&place);
    return part;
}

/* A technique works from a profile, and the user did not say where it is. So the target is run twice. Of the first run only an
 * error is shown. */
static enum exit_code run_twice(const struct run_options *o, const struct command_call *call, const struct session_setup *setup,
                                struct session_options *options, struct error *err)
{
    struct part_file *between = profile_between_runs(err);
    if (!between)
        return err->code;
    (void)snprintf(options->profile_path, sizeof options->profile_path, "%s", part_file_path(between));
    struct run_options first = *o;
    struct session_options recording = *options;
    first.output.json = first.timeline = first.dump = NULL;
    first.inputs = false;
    options->profile_as_it_comes = true;
    first.quiet = first.first_of_two = recording.profile_records = true;
    recording.record_path[0] = '\0';
    enum exit_code code = run_target(&first, call, setup, &recording, err);
    if (code == CODE_OK)
        code = run_target(o, call, setup, options, err);
    part_file_drop(between);
    return code;
}

static enum exit_code run_profiled(const struct run_options *o, const struct command_call *call, const struct session_setup *setup,
                                   struct session_options *options, struct error *err)
{
    if (o->profile && o->record_profile)
        return error_set_code(err, CODE_USAGE, "--profile reads a profile and --record-profile makes one: give one of them"),
               CODE_USAGE;
    if (o->profile || o->record_profile)
        return set_profile(o->profile ? o->profile : o->record_profile, !o->profile, options, err)
                   ? run_target(o, call, setup, options, err)
                   : err->code;
    if (!o->functional && profile_needed(setup->policies))
        return run_twice(o, call, setup, options, err);
    return run_target(o, call, setup, options, err);
}

/* All arguments. Each may name several traces with a plus between them. */
static void cpu_traces(const struct command_call *call, struct text_list *traces)
{
    for (size_t i = 0; i < call->argument_count; i++)
        run_cpu_split(call->arguments[i], traces);
}

static bool is_cpu_run(const struct run_options *o, const struct command_call *call)
{
    return o->cpu ||
           (!o->ptx && call->argument_count && !workload_find(call->arguments[0]) && run_cpu_recognises(call->arguments[0]));
}

static enum exit_code run_cpu_target(const struct run_options *o, const struct command_call *call,
                                     const struct session_setup *setup, const struct session_options *options, struct error *err)
{
    struct text_list traces = { 0 };
    json_t *result;
    bool stopped;
    cpu_traces(call, &traces);
    const bool ok = run_cpu(&traces, setup, options, &result, &stopped, err);
    text_list_clear(&traces);
    return finish_result(o, result, ok, stopped, err);
}

/* Comes before --config and --set, which may choose another. */
static bool set_interval(struct param_space *space, struct error *err)
{
    char text[32];
    (void)snprintf(text, sizeof text, "%d", TIMELINE_DEFAULT_INTERVAL);
    return param_set(space, "gpu.interval", text, "--timeline", err);
}

static bool set_threads(uint64_t threads, struct param_space *space, struct error *err)
{
    char text[32];
    (void)snprintf(text, sizeof text, "%llu", (unsigned long long)threads);
    return !threads || param_set(space, "gpu.threads", text, "--threads", err);
}

/* A chip with one core per trace, on the machine for CPUs unless the user names another. */
static bool choose_machine(const struct run_options *o, const struct command_call *call, struct session_setup *setup,
                           const struct session_options *options, struct error *err)
{
    if (!is_cpu_run(o, call))
        return true;
    struct text_list traces = { 0 };
    cpu_traces(call, &traces);
    setup->cpus = (uint32_t)traces.count;
    text_list_clear(&traces);
    if (!setup->cpus || o->ptx || o->launch || o->size || o->timeline || o->profile || o->record_profile ||
        options->record_path[0] || o->max_cycles || o->max_instructions)
        return error_set_code(err, CODE_USAGE,
                              "a run of CPUs takes traces, --config, --set, --policy and --functional; how long it "
                              "is say cmp.warmup and cmp.instructions");
    return o->machine.config || param_load(setup->space, CPU_DEFAULT_CONFIG, err);
}

/* Copies of the process, in which a policy tries values, would write into the trace. */
static bool may_record(const struct session_setup *setup, const struct session_options *options, struct error *err)
{
    for (uint32_t i = 0; options->record_path[0] && !options->functional && i < policy_set_count(setup->policies); i++)
        if (policy_set_at(setup->policies, i)->needs & NEED_TRIALS)
            return error_set_code(err, CODE_USAGE,
                                  "policy '%s' tries values in copies of the process: a run with it cannot record a trace",
                                  policy_set_at(setup->policies, i)->name);
    return true;
}

/* Looking what a target is reads its first bytes, and reading a pipe or a device takes them away. */
static bool can_be_target(const struct run_options *o, const struct command_call *call, struct error *err)
{
    for (size_t i = 0; i < call->argument_count && (i == 0 || o->cpu); i++)
        if (text_is_pipe(call->arguments[i]) || text_is_device(call->arguments[i]))
            return error_set(err, "%.300s: is a device or a pipe; give a file", call->arguments[i]);
    return true;
}

enum exit_code run_options_run(const struct run_options *o, const struct command_call *call, const struct run_recording *recording,
                               struct error *err)
{
    struct session_options options = { .interrupted = interrupt_catch(),
                                       .functional = o->functional,
                                       .races = o->races,
                                       .max_cycles = o->max_cycles,
                                       .max_instructions = o->max_instructions,
                                       .record_data = recording && recording->data,
                                       .unknown_as_alu = o->unknown_opcode && strcmp(o->unknown_opcode, "alu") == 0 };
    (void)snprintf(options.record_path, sizeof options.record_path, "%s", recording ? recording->path : "");
    (void)snprintf(options.record_name, sizeof options.record_name, "%s", recording ? recording->name : "");
    struct text_list policies = { 0 };
    struct session_setup setup = { 0 };
    enum exit_code code = CODE_USAGE;
    if (can_be_target(o, call, err) && machine_options_policies(&o->machine, &policies, err) &&
        session_setup_init(&setup, &policies, &o->machine.plugin, err) && (!o->timeline || set_interval(setup.space, err)) &&
        (!o->timeline || atomic_file_check(o->timeline, err)) && choose_machine(o, call, &setup, &options, err) &&
        machine_options_apply(&o->machine, setup.space, err) && set_threads(o->threads, setup.space, err) &&
        session_setup_check(&setup, err) && may_record(&setup, &options, err))
        code = setup.cpus ? run_cpu_target(o, call, &setup, &options, err) : run_profiled(o, call, &setup, &options, err);
    else
        code = err->code;
    session_setup_clear(&setup);
    text_list_clear(&policies);
    return code;
}

static enum exit_code run_run(const struct command_call *call, struct error *err)
{
    return run_options_run(call->options, call, NULL, err);
}

const struct command command_run = {
    .name = "run",
    .arguments = "PROGRAM|WORKLOAD|TRACE [ARG...]",
    .completes = "@workloads",
    .summary = "run a CUDA program, a built-in workload, PTX or a trace, and report what each kernel did",
    .details =
        "The program runs as it is, with warpline's libcudart in place of NVIDIA's: it must be made by 'warpline cc', or by nvcc\n"
        "with -cudart shared and PTX in it (-arch=compute_75). Its output is its own; the summary goes to stderr. With\n"
        "--json - the program's standard output goes to stderr too. A trace needs no program: .wlt of 'warpline record', or\n"
        "Accel-Sim's kernelslist.g or one of its .traceg files (.xz, .gz, .zst).\n"
        "\n"
        "Exit code: 0, or 1 when the program or one of its kernels failed, 2 usage, 3 bad input, 4 a fault of warpline,\n"
        "5 a fault of a plug-in.",
    .examples =
        (const struct command_example[]){
            { "warpline run ./app 1024", "a program with its argument" },
            { "warpline run --policy gto,pric syrk", "a built-in workload with two techniques" },
            { "warpline run --ptx k.ptx --launch k.json --json k-result.json", "PTX without a program" },
            { "warpline run --config titanv traces/kernelslist.g", "Accel-Sim's traces, as they are" },
            { "warpline run --functional ./app", "values only, fast" },
            { "warpline run --cpu --policy drrip a.wct b.wct", "two CPU programs of 'warpline record-cpu' on a chip of two cores" },
            { NULL, NULL } },
    .option_sets = run_sets,
    .options_size = sizeof(struct run_options),
    .max_arguments = SIZE_MAX,
    .stop_at_first_argument = true,
    .ours_after = is_workload_name,
    .run = run_run,
};
