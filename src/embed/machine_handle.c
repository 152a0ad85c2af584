/* machine_handle.c - the public handle of a machine: collects its description and runs it, over the same session that the command
 * line uses. Every call that may fail inside has a place to escape to, since the process belongs to the caller. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "embed/handles.h"
#include "run/run_ptx.h"
#include "run/run_trace.h"

/* What a run is made from; one of the three. */
struct embedded_run {
    const struct ptx_run *ptx;
    const char *trace_path;
};

struct warpline_machine *warpline_open(void)
{
    return calloc(1, sizeof(struct warpline_machine));
}

void warpline_close(struct warpline_machine *machine)
{
    if (!machine)
        return;
    free(machine->config);
    text_list_clear(&machine->settings);
    text_list_clear(&machine->policies);
    text_list_clear(&machine->plugins);
    free(machine);
}

const char *warpline_error(const struct warpline_machine *machine)
{
    return machine->error;
}

void warpline_limit(struct warpline_machine *machine, unsigned long long cycles, unsigned long long warp_instructions)
{
    machine->max_cycles = cycles;
    machine->max_instructions = warp_instructions;
}

void warpline_on_progress(struct warpline_machine *machine, warpline_progress *progress, void *context)
{
    machine->progress = progress;
    machine->progress_context = context;
}

static int fail(struct warpline_machine *machine, int code, const char *text)
{
    (void)snprintf(machine->error, sizeof machine->error, "%s", text);
    return code;
}

/* Runs `work` where neither lack of memory nor a broken invariant can end the process. */
static int guarded(struct warpline_machine *machine,
                   int (*work)(struct warpline_machine *, const void *, struct warpline_result **), const void *what,
                   struct warpline_result **result)
{
    struct error_escape escape;
    volatile int code;
    error_escape_enter(&escape);
    if (setjmp(escape.place) == 0)
        code = work(machine, what, result);
    else
        code = fail(machine, WARPLINE_BROKEN, escape.text);
    error_escape_leave(&escape);
    return code;
}

static int keep_config(struct warpline_machine *machine, const void *name, struct warpline_result **none)
{
    (void)none;
    char *copy = must_strdup(name);
    free(machine->config);
    machine->config = copy;
    return WARPLINE_OK;
}

int warpline_config(struct warpline_machine *machine, const char *name)
{
    return guarded(machine, keep_config, name, NULL);
}

static int keep_setting(struct warpline_machine *machine, const void *assignment, struct warpline_result **none)
{
    (void)none;
    const char *const *words = assignment;
    struct text_buffer text = { 0 };
    text_append(&text, "%s=%s", words[0], words[1]);
    text_list_add(&machine->settings, text.text);
    text_buffer_clear(&text);
    return WARPLINE_OK;
}

int warpline_set(struct warpline_machine *machine, const char *key, const char *value)
{
    return guarded(machine, keep_setting, (const char *const[]){ key, value }, NULL);
}

static int keep_policies(struct warpline_machine *machine, const void *names, struct warpline_result **none)
{
    (void)none;
    if (text_list_add_parts(&machine->policies, names))
        return WARPLINE_OK;
    return fail(machine, WARPLINE_INPUT, "policies: there is an empty name in the list");
}

int warpline_policies(struct warpline_machine *machine, const char *names)
{
    return guarded(machine, keep_policies, names, NULL);
}

static int keep_plugin(struct warpline_machine *machine, const void *path, struct warpline_result **none)
{
    (void)none;
    text_list_add(&machine->plugins, path);
    return WARPLINE_OK;
}

int warpline_plugin(struct warpline_machine *machine, const char *path)
{
    return guarded(machine, keep_plugin, path, NULL);
}

static bool make_setup(const struct warpline_machine *machine, struct session_setup *setup, struct error *err)
{
    bool ok = session_setup_init(setup, &machine->policies, &machine->plugins, err);
    ok = ok && (!machine->config || param_load(setup->space, machine->config, err));
    for (size_t i = 0; ok && i < machine->settings.count; i++)
        ok = param_set_assignment(setup->space, machine->settings.item[i], "settings", err);
    /* A fault of ours on another thread could not come back to the caller as an error: error_escape is of one thread. */
    if (ok && session_setup_threads(setup) > 1)
        return error_set(
            err, "gpu.threads: a machine of the library runs on the thread that calls it; open several machines for several cores");
    return ok && session_setup_check(setup, err);
}

static int check(struct warpline_machine *machine, const void *none, struct warpline_result **nothing)
{
    (void)none, (void)nothing;
    struct session_setup setup = { 0 };
    struct error err = { 0 };
    const bool ok = make_setup(machine, &setup, &err);
    session_setup_clear(&setup);
    return ok ? WARPLINE_OK : fail(machine, WARPLINE_INPUT, err.text);
}

int warpline_check(struct warpline_machine *machine)
{
    return guarded(machine, check, NULL, NULL);
}

static bool report_progress(void *context, uint64_t cycles, uint64_t warp_instructions)
{
    const struct warpline_machine *machine = context;
    return machine->progress(machine->progress_context, cycles, warp_instructions) == 0;
}

/* The command line's codes. A library has no use for "usage". */
static int public_code(enum exit_code code)
{
    return code == CODE_PROGRAM ? WARPLINE_PROGRAM : code == CODE_INTERNAL ? WARPLINE_BROKEN : WARPLINE_INPUT;
}

static int run(struct warpline_machine *machine, const void *what, struct warpline_result **result)
{
    const struct embedded_run *target = what;
    const struct session_options options = { .max_cycles = machine->max_cycles,
                                             .max_instructions = machine->max_instructions,
                                             .progress = machine->progress ? report_progress : NULL,
                                             .progress_context = machine };
    struct session_setup setup = { 0 };
    struct error err = { 0 };
    json_t *tree = NULL;
    bool stopped = false;
    bool ok = make_setup(machine, &setup, &err);
    if (ok)
        ok = target->ptx ? run_ptx(target->ptx, &setup, &options, &tree, &stopped, &err)
                         : run_trace(target->trace_path, &setup, &options, &tree, &stopped, &err);
    session_setup_clear(&setup);
    if (tree)
        *result = result_handle_new(tree, stopped);
    return ok ? WARPLINE_OK : fail(machine, public_code(err.code), err.text);
}

static int start(struct warpline_machine *machine, const struct embedded_run *target, struct warpline_result **result)
{
    *result = NULL;
    return guarded(machine, run, target, result);
}

int warpline_run_ptx(struct warpline_machine *machine, const char *ptx, size_t ptx_length, const char *launch, size_t launch_length,
                     struct warpline_result **result)
{
    const struct ptx_run texts = { .target = "PTX in memory",
                                   .ptx_path = "PTX",
                                   .launch_path = "launch",
                                   .ptx_text = ptx,
                                   .launch_text = launch,
                                   .ptx_length = ptx_length,
                                   .launch_length = launch_length };
    return start(machine, &(struct embedded_run){ .ptx = &texts }, result);
}

int warpline_run_files(struct warpline_machine *machine, const char *ptx_path, const char *launch_path,
                       struct warpline_result **result)
{
    const struct ptx_run files = { .target = ptx_path, .ptx_path = ptx_path, .launch_path = launch_path };
    return start(machine, &(struct embedded_run){ .ptx = &files }, result);
}

int warpline_run_trace(struct warpline_machine *machine, const char *path, struct warpline_result **result)
{
    return start(machine, &(struct embedded_run){ .trace_path = path }, result);
}
