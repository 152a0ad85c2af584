/* gpu.h - the whole machine: give it a front end (one kernel launch), get cycles and counters. */
#ifndef WARPLINE_GPU_GPU_H
#define WARPLINE_GPU_GPU_H
#include "base/error.h"
#include "front/front.h"
#include "param/param.h"
#include "stat/stat_series.h"

struct machine_config; /* gpu/machine.h: every parameter of the machine, one struct per component */
struct policy_set;     /* policy/policy_set.h: the policies of this run; NULL for none beyond the config's defaults */
struct gpu;

struct machine_config *machine_config_new(void); /* defaults filled in */
void machine_config_free(struct machine_config *config);
void machine_config_bind(struct machine_config *config, struct param_space *space); /* all tables, prefix "" */
bool machine_config_check(const struct machine_config *config, struct error *err);  /* contradictions between parameters */

struct gpu *gpu_new(const struct machine_config *config, const struct policy_set *policies, struct error *err);
void gpu_free(struct gpu *gpu);
const struct front_clock *gpu_clock(const struct gpu *gpu); /* for exec_launch */

struct gpu_limits { /* 0 and NULL: no limit */
    uint64_t max_cycles, max_instructions;
    const volatile int *interrupted;
    /* Told about every thousand cycles how far this kernel is; false stops the run. Must not touch the machine. */
    bool (*progress)(void *context, uint64_t cycles, uint64_t warp_instructions);
    void *progress_context;
};

/* Groups of counters, in the order in which kernel_result holds their values. */
const struct stat_group *const *gpu_stat_groups(const struct gpu *gpu, uint32_t *count);

/* What one link between modules carried; a switch is node `gpu.modules`. */
struct kernel_link {
    uint32_t from, to;
    uint64_t packets, bytes;
};

struct kernel_result {
    char *name;
    uint32_t grid[3], block[3];
    uint32_t ctas_per_sm; /* that the SM's limits allow at once; 0: no machine was run */
    uint64_t cycles, warp_instructions, thread_instructions;
    uint64_t start_cycle;         /* on the GPU's own clock */
    void **counters;              /* one struct per group */
    uint32_t counter_count;       /* groups */
    struct stat_intervals series; /* with gpu.interval: how much every counter grew in each whole interval; count 0: none */
    uint32_t threads;             /* of the host, that it ran on */
    struct kernel_link *links;    /* each link between modules, while the kernel ran; NULL: one module */
    uint32_t link_count;
    bool complete; /* false: stopped by a limit or Ctrl-C, or it failed; counters are what is known so far */
};
bool gpu_run(struct gpu *gpu, struct front *front, const struct gpu_limits *limits, struct kernel_result *out, struct error *err);
void kernel_result_clear(struct kernel_result *result);

/* What the host did to device memory: fills the L2 when the configuration says so. HOST_SET: memset, copies within the device, and
 * copies that name a symbol. */
enum host_copy { HOST_COPY_IN, HOST_COPY_OUT, HOST_SET };
void gpu_host_copied(struct gpu *gpu, enum host_copy copy, uint64_t address, uint64_t bytes);
#endif
