/* session.h - one run: a configured machine, the memory of its device, and what each kernel did.
 *
 * Used in two places: by `warpline run --ptx` in its own process, and by our libcudart inside the program's process, where the
 * setup arrives as text from `warpline run` (session_request_*). */
#ifndef WARPLINE_RUN_SESSION_H
#define WARPLINE_RUN_SESSION_H
#include <jansson.h>

#include "base/text.h"
#include "cmp/cmp_config.h"
#include "exec/exec.h"
#include "gpu/gpu.h"
#include "param/param.h"

struct policy_set;
struct policy_library;

enum out_of_bounds { OUT_OF_BOUNDS_ERROR, OUT_OF_BOUNDS_WARN };
/* What a program can ask of the device beyond the machine's parameters: rows device.*, exec.* and cmp.*. */
struct device_config {
    uint64_t memory_bytes, heap_bytes;
    uint32_t compute_major, compute_minor;
    uint32_t max_registers; /* per thread, that a compiler for this device may use */
    bool warn_uninitialised;
    uint32_t out_of_bounds; /* enum out_of_bounds */
    uint64_t guard_bytes;
    struct cmp_config cmp; /* of a run of CPUs; rows cmp.* */
};
extern const struct param device_params[];
/* The bytes that device.memory comes to. */
uint64_t device_config_memory(const struct device_config *config);
/* Defaults, and the rows in the space, for callers that read a whole configuration. */
void device_config_bind(struct device_config *config, struct param_space *space);

/* Everything that can be configured, bound to one parameter space. */
struct session_setup {
    struct machine_config *machine;
    struct policy_set *policies;
    struct device_config device;
    struct param_space *space;
    struct text_list policy_names;
    struct policy_library *library; /* of the plug-ins */
    struct text_list plugins;       /* their files, as absolute paths */
    uint32_t cpus;                  /* cores of a chip of CPUs; 0: it is a GPU */
};
/* `policies`: names in order; `plugins`: files to load policies from; either may be NULL. Parameters hold their defaults until
 * written through `space`. */
bool session_setup_init(struct session_setup *setup, const struct text_list *policies, const struct text_list *plugins,
                        struct error *err);
/* Contradictions between parameters, policies and machine, once all of `space` is written. */
bool session_setup_check(const struct session_setup *setup, struct error *err);
/* How many threads a kernel may run on (gpu.threads). */
uint32_t session_setup_threads(const struct session_setup *setup);
void session_setup_clear(struct session_setup *setup);

/* What its policies add to its machine: "structures" of energy/energy.h, an array. */
json_t *session_structures(const struct session_setup *setup);

/* What a profile belongs to (run/profile.h). */
enum { PROFILE_WORD_BYTES = 40 };
struct profile_owner {
    char program[PROFILE_WORD_BYTES], build[PROFILE_WORD_BYTES];
};
struct profile;

struct session_options {
    bool races; /* look for them (exec_options) */
    void (*race)(void *context, const char *kernel, const char *text);
    void *race_context;
    bool functional;                       /* values only: no machine, no cycles */
    uint64_t max_cycles, max_instructions; /* per run; 0: none */
    char record_path[4096];                /* where a recording goes (run/recording.h), absolute; "": nothing is recorded */
    char record_name[4096];                /* what the user calls it */
    bool record_data;                      /* stored values too */
    const volatile int *interrupted;       /* as in gpu_limits, and the two below; NULL: none */
    bool (*progress)(void *context, uint64_t cycles, uint64_t warp_instructions); /* over the run, not of one kernel */
    void *progress_context;
    char profile_path[4096];  /* absolute; "": the run neither records nor reads a profile (run/profile.h) */
    bool profile_as_it_comes; /* its first run was of this command: a launch of another grid is then the program's own doing and
                               * no error */
    bool profile_records;     /* the first of two runs */
    struct profile_owner profile_owner;
    struct profile *profile; /* of profile_open; the caller keeps it. NULL: none, or only the shape of the run is wanted */
    bool unknown_as_alu;     /* opcodes of a foreign trace that are not known issue like moves; else they are an error */
};

/* The setup and the options as text, and back. The reader accepts only what the writer wrote. */
void session_request_write(const struct session_setup *setup, const struct session_options *options, struct text_buffer *out);
bool session_request_read(const char *text, struct session_setup *setup, struct session_options *options, struct error *err);

struct session;
/* `first_address` and `alignment` as in exec_options, 0 for the defaults. The setup must outlive the session. */
struct session *session_new(const struct session_setup *setup, const struct session_options *options, uint64_t first_address,
                            uint32_t alignment, struct error *err);
void session_free(struct session *session);

struct device *session_device(struct session *session);
/* Simulated time since the start; stands still in functional runs and while the host works or copies. */
double session_seconds(const struct session *session);
/* Tells the machine that the host wrote or read device memory. A recording keeps what was written, not how. */
void session_host_copied(struct session *session, enum host_copy copy, uint64_t address, uint64_t bytes);

/* Runs a kernel to its end, or to a limit (out->complete is false then). The caller clears `out`. */
bool session_launch(struct session *session, const struct launch *launch, struct kernel_result *out, struct error *err);
/* The same for any front end, which is destroyed in every case. */
bool session_run(struct session *session, struct front *front, struct kernel_result *out, struct error *err);
/* From now on, what kernels do and the host writes goes to `writer`, which the caller keeps; NULL ends it. */
struct wlt_writer;
void session_record(struct session *session, struct wlt_writer *writer);
/* Registers per thread that the kernel has on this device: the PTX's estimate, but no more than the device allows, and no more
 * than lets one CTA of `threads` run, as a compiler with launch bounds would ensure. What it would spill instead is not
 * modelled. */
uint32_t session_registers(const struct session *session, const struct ptx_function *fn, uint32_t threads);
/* CTAs of such a launch that one SM holds at a time. */
uint32_t session_blocks_per_sm(const struct session *session, uint32_t threads, uint32_t registers, uint32_t shared_bytes);

/* Groups of kernel_result.counters; none in functional runs. */
const struct stat_group *const *session_stat_groups(const struct session *session, uint32_t *count);
#endif
