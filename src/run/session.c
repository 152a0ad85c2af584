/* session.c - one run: a configured machine, the device's memory, and launches one after the other. */
#include "run/session.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "gpu/machine.h"
#include "policy/policy_set.h"
#include "run/run_cpu.h"
#include "run/profile.h"
#include "sm/sm.h"
#include "trace/wlt.h"

static const char *const out_of_bounds_choices[] = { "error", "warn", NULL };
#define T struct device_config
const struct param device_params[] = {
    PARAM_SIZE(T, memory_bytes, "device.memory", "0", "0", "512GiB",
               "device memory that programs can allocate; 0: half of the host's, in whole GiB, and at least 1536MiB"),
    PARAM_SIZE(T, heap_bytes, "device.heap", "8MiB", "0", "64GiB", "memory for malloc in kernels"),
    PARAM_U32(T, compute_major, "device.compute_major", 8, 1, 99, "", "compute capability that programs are told, before the dot"),
    PARAM_U32(T, compute_minor, "device.compute_minor", 6, 0, 9, "", "compute capability that programs are told, after the dot"),
    PARAM_U32(T, max_registers, "device.max_registers", 63, 16, 255, "registers",
              "registers per thread that a compiler for the device may use; Fermi has 63"),
    PARAM_BOOL_OF(PARAM_DEBUG, T, warn_uninitialised, "exec.warn_uninitialised", false,
                  "report reads of device memory that nothing has written"),
    PARAM_CHOICE(T, out_of_bounds, "exec.out_of_bounds", "error", out_of_bounds_choices,
                 "an access outside memory: error ends the kernel, warn says so, reads zeros, writes nothing and goes on"),
    PARAM_SIZE(T, guard_bytes, "exec.guard", "0", "0", "1GiB",
               "bytes left free behind every allocation, so that what runs over its end is seen"),
    PARAM_END
};
#undef T

/* The program under simulation may change its directory before our runtime starts: keep absolute paths. */
static bool load_plugins(struct session_setup *setup, const struct text_list *plugins, struct error *err)
{
    setup->library = policy_library_new();
    for (size_t i = 0; plugins && i < plugins->count; i++) {
        char *path = realpath(plugins->item[i], NULL);
        const char *file = path ? path : plugins->item[i];
        text_list_add(&setup->plugins, file);
        const bool ok = policy_library_load(setup->library, file, err);
        free(path);
        if (!ok)
            return false;
    }
    return true;
}

/* Memory is taken from the host only when a program touches it. The limit is the host's whole memory, not what is free now, so
 * that a program that asks gets the same answer in every run on one host. */
uint64_t device_config_memory(const struct device_config *config)
{
    enum { LEAST_MIB = 1536 };
    const uint64_t gib = UINT64_C(1) << 30, most = UINT64_C(512) << 30, least = (uint64_t)LEAST_MIB << 20;
    if (config->memory_bytes)
        return config->memory_bytes;
    const long pages = sysconf(_SC_PHYS_PAGES), page_bytes = sysconf(_SC_PAGESIZE);
    const uint64_t half = pages > 0 && page_bytes > 0 ? (uint64_t)pages * (uint64_t)page_bytes / 2 / gib * gib : 0;
    return half < least ? least : half > most ? most : half;
}

void device_config_bind(struct device_config *config, struct param_space *space)
{
    param_defaults(device_params, config);
    param_space_add(space, "", device_params, config);
    param_defaults(cmp_params, &config->cmp);
    param_space_add(space, "", cmp_params, &config->cmp);
}

bool session_setup_init(struct session_setup *setup, const struct text_list *policies, const struct text_list *plugins,
                        struct error *err)
{
    *setup = (struct session_setup){ 0 };
    struct text_buffer joined = { 0 };
    if (!load_plugins(setup, plugins, err)) {
        session_setup_clear(setup);
        return false;
    }
    for (size_t i = 0; policies && i < policies->count; i++) {
        text_list_add(&setup->policy_names, policies->item[i]);
        text_append(&joined, "%s%s", i ? "," : "", policies->item[i]);
    }
    setup->policies = policy_set_new(setup->library, joined.text, err);
    text_buffer_clear(&joined);
    if (!setup->policies) {
        session_setup_clear(setup);
        return false;
    }
    setup->machine = machine_config_new();
    setup->space = param_space_new();
    machine_config_bind(setup->machine, setup->space);
    device_config_bind(&setup->device, setup->space);
    policy_set_add_params(setup->policies, setup->space);
    policy_set_add_unused(setup->policies, setup->library, setup->space);
    return true;
}

bool session_setup_check(const struct session_setup *setup, struct error *err)
{
    if (setup->cpus) {
        const struct cmp_machine machine = run_cpu_machine(setup);
        const struct policy_geometry geometry = cmp_policy_geometry(&machine.cmp, setup->cpus);
        return cmp_machine_check(&machine, err) && policy_set_fits(setup->policies, &geometry, err);
    }
    if (!machine_config_check(setup->machine, err))
        return false;
    const struct policy_geometry geometry = machine_policy_geometry(setup->machine);
    return policy_set_fits(setup->policies, &geometry, err);
}

uint32_t session_setup_threads(const struct session_setup *setup)
{
    return setup->machine->gpu.threads;
}

void session_setup_clear(struct session_setup *setup)
{
    if (setup->space)
        param_space_free(setup->space);
    if (setup->machine)
        machine_config_free(setup->machine);
    if (setup->policies)
        policy_set_free(setup->policies);
    policy_library_free(setup->library);
    text_list_clear(&setup->plugins);
    text_list_clear(&setup->policy_names);
    *setup = (struct session_setup){ 0 };
}

struct session {
    const struct session_setup *setup;
    struct session_options options;
    struct device *device;
    struct gpu *gpu;               /* NULL: functional */
    uint64_t cycles, instructions; /* so far */
    bool stopped;
    struct wlt_writer *writer; /* NULL: nothing is recorded */
};

/* A technique that works from a profile does nothing without one. */
static bool has_profile(const struct session_setup *setup, const struct session_options *options, struct error *err)
{
    const char *who = options->functional || options->profile_path[0] ? NULL : profile_needed(setup->policies);
    return !who || error_set_code(err, CODE_USAGE,
                                  "policy '%s' works from a profile: 'warpline run' records one first, and this run has none", who);
}

struct session *session_new(const struct session_setup *setup, const struct session_options *options, uint64_t first_address,
                            uint32_t alignment, struct error *err)
{
    if (!session_setup_check(setup, err) || !has_profile(setup, options, err))
        return NULL;
    struct session *s = must_calloc(1, sizeof *s);
    s->setup = setup;
    s->options = *options;
    const struct reference_config *reference = &setup->machine->reference;
    const struct exec_options exec = { .interrupted = options->interrupted,
                                       .memory_bytes = device_config_memory(&setup->device),
                                       .heap_bytes = setup->device.heap_bytes,
                                       .fused_fma = !reference->unfused_fma,
                                       .reconverge_late = reference->reconverge_late,
                                       .view = reference_view(reference),
                                       .never_yield = reference->never_yield,
                                       .integer = reference->cut_integers ? reference_integer : NULL,
                                       .warn_uninitialised = setup->device.warn_uninitialised,
                                       .warn_out_of_bounds = setup->device.out_of_bounds == OUT_OF_BOUNDS_WARN,
                                       .guard_bytes = setup->device.guard_bytes,
                                       .races = options->races,
                                       .race = options->race,
                                       .race_context = options->race_context,
                                       .allow_divergent_barriers = reference->divergent_barriers,
                                       .first_address = first_address,
                                       .alignment = alignment,
                                       .sms = setup->machine->gpu.sms };
    s->device = device_new(&exec, err);
    if (s->device && !options->functional)
        s->gpu = gpu_new(setup->machine, setup->policies, err);
    if (s->device && (s->gpu || options->functional))
        return s;
    session_free(s);
    return NULL;
}

void session_free(struct session *session)
{
    if (!session)
        return;
    if (session->gpu)
        gpu_free(session->gpu);
    if (session->device)
        device_free(session->device);
    free(session);
}

struct device *session_device(struct session *session)
{
    return session->device;
}
double session_seconds(const struct session *session)
{
    return (double)session->cycles / ((double)session->setup->machine->gpu.core_khz * 1e3);
}

void session_record(struct session *session, struct wlt_writer *writer)
{
    session->writer = writer;
}

void session_host_copied(struct session *session, enum host_copy copy, uint64_t address, uint64_t bytes)
{
    if (session->writer && copy != HOST_COPY_OUT)
        wlt_writer_copy(session->writer, address, bytes);
    if (session->gpu)
        gpu_host_copied(session->gpu, copy, address, bytes);
}

const struct stat_group *const *session_stat_groups(const struct session *session, uint32_t *count)
{
    *count = 0;
    return session->gpu ? gpu_stat_groups(session->gpu, count) : NULL;
}

/* What is left of a limit over the whole run. It is at least 1, so that it never means "no limit". */
static uint64_t left_of(uint64_t limit, uint64_t used)
{
    return limit == 0 ? 0 : limit > used ? limit - used : 1;
}

static bool run_functional(struct session *s, struct front *front, struct kernel_result *out, struct error *err)
{
    struct functional_result done = { 0 };
    const uint64_t limit = left_of(s->options.max_instructions, s->instructions);
    const bool ok = exec_run_functional(front, limit, &done, err);
    out->name = must_strdup(front->launch.kernel);
    memcpy(out->grid, front->launch.grid, sizeof out->grid);
    memcpy(out->block, front->launch.block, sizeof out->block);
    out->warp_instructions = done.warp_instructions;
    out->thread_instructions = done.thread_instructions;
    out->complete = ok;
    /* neither a limit nor the user's wish to stop is a failure */
    return ok || (limit != 0 && done.warp_instructions >= limit) || (s->options.interrupted && *s->options.interrupted);
}

static bool refuse_stopped(struct error *err)
{
    return error_set_code(err, CODE_PROGRAM, "the run has been stopped; nothing more can be launched");
}

static uint32_t fit_registers(const struct session *session, uint32_t wanted, uint32_t threads)
{
    const struct session_setup *setup = session->setup;
    const uint32_t padded = (threads + 31) / 32 * 32;
    const uint32_t fit = padded ? setup->machine->sm.registers / padded & ~3u : UINT32_MAX; /* SMs give out registers in fours */
    const uint32_t registers = wanted > setup->device.max_registers ? setup->device.max_registers : wanted;
    return registers > fit ? fit : registers;
}

uint32_t session_registers(const struct session *session, const struct ptx_function *fn, uint32_t threads)
{
    return fit_registers(session, fn->register_estimate, threads);
}

bool session_launch(struct session *session, const struct launch *asked, struct kernel_result *out, struct error *err)
{
    struct launch fitted = *asked;
    const struct launch *launch = &fitted;
    if (!fitted.registers_override)
        fitted.registers_override =
            session_registers(session, kernel_function(asked->kernel), asked->block[0] * asked->block[1] * asked->block[2]);
    if (!fitted.resident_ctas) {
        const struct ptx_function *fn = kernel_function(asked->kernel);
        const uint32_t threads = asked->block[0] * asked->block[1] * asked->block[2];
        fitted.resident_ctas =
            session->setup->machine->gpu.sms *
            session_blocks_per_sm(session, threads, fitted.registers_override, fn->shared_bytes + asked->dynamic_shared_bytes);
    }
    *out = (struct kernel_result){ 0 };
    if (session->stopped)
        return refuse_stopped(err);
    /* A launch file may give a smaller number for occupancy. The bytes themselves must be there for one CTA. */
    const uint64_t shared = session->setup->machine->sm.shared_bytes;
    if (launch->dynamic_shared_bytes > shared)
        return error_set(err, "kernel %.200s: %u bytes of dynamic shared memory, and an SM has %llu; see --set sm.shared",
                         kernel_function(asked->kernel)->name, launch->dynamic_shared_bytes, (unsigned long long)shared);
    /* Without a machine the engine's own count of instructions serves as the clock. */
    struct front *front = exec_launch(session->device, launch, session->gpu ? gpu_clock(session->gpu) : NULL, err);
    if (!front)
        return false;
    if (!asked->registers_override)
        front->launch.registers_wanted = kernel_function(asked->kernel)->register_estimate;
    return session_run(session, front, out, err);
}

static bool report_progress(void *context, uint64_t cycles, uint64_t warp_instructions)
{
    const struct session *s = context;
    return s->options.progress(s->options.progress_context, s->cycles + cycles, s->instructions + warp_instructions);
}

bool session_run(struct session *session, struct front *front, struct kernel_result *out, struct error *err)
{
    *out = (struct kernel_result){ 0 };
    bool ok;
    struct front_launch *launch = &front->launch;
    if (launch->registers_wanted) /* a trace may come from a device with fewer */
        launch->registers_per_thread = fit_registers(session, launch->registers_wanted, launch->threads_per_cta);
    if (session->gpu && session->writer)
        front = wlt_writer_record(session->writer, front);
    if (session->stopped) {
        ok = refuse_stopped(err);
    } else if (!profile_begin_launch(session->options.profile, launch, err)) {
        ok = false;
    } else if (session->gpu) {
        const struct gpu_limits limits = { .max_cycles = left_of(session->options.max_cycles, session->cycles),
                                           .max_instructions = left_of(session->options.max_instructions, session->instructions),
                                           .interrupted = session->options.interrupted,
                                           .progress = session->options.progress ? report_progress : NULL,
                                           .progress_context = session };
        ok = gpu_run(session->gpu, front, &limits, out, err);
    } else {
        ok = run_functional(session, front, out, err);
    }
    profile_end_launch(session->options.profile, ok, out->complete);
    front->ops->destroy(front);
    session->cycles += out->cycles;
    session->instructions += out->warp_instructions;
    if (!ok || !out->complete)
        session->stopped = true;
    return ok;
}

uint32_t session_blocks_per_sm(const struct session *session, uint32_t threads, uint32_t registers, uint32_t shared_bytes)
{
    const struct front_launch launch = { .block = { threads, 1, 1 },
                                         .grid = { 1, 1, 1 },
                                         .cta_count = 1,
                                         .threads_per_cta = threads,
                                         .warps_per_cta = (threads + 31) / 32,
                                         .registers_per_thread = registers,
                                         .shared_bytes = shared_bytes };
    const char *limit;
    return sm_ctas_that_fit(&session->setup->machine->sm, &launch, &limit);
}
