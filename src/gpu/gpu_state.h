/* gpu_state.h - the inside of the machine, shared by the files of this room. */
#ifndef WARPLINE_GPU_GPU_STATE_H
#define WARPLINE_GPU_GPU_STATE_H
#include "gpu/clock.h"
#include "gpu/machine.h"
#include "mem/dram_channel.h"
#include "mem/port.h"
#include "mem/sleepers.h"
#include "policy/policy_set.h"
#include "reference/rounded_clocks.h"
#include "sm/sm.h"
#include "stat/stat_series.h"

enum { GPU_GROUPS_MAX = 8 + POLICIES_MAX };

struct sm_port {
    struct gpu *gpu;
    uint32_t sm;
}; /* SM -> request network */

struct gpu {
    struct machine_config config;
    struct policy_instance *policies;
    const struct stat_group *groups[GPU_GROUPS_MAX];
    uint32_t group_count;
    void *before[GPU_GROUPS_MAX]; /* counters at the start of the kernel */

    struct request_pool *pool;
    uint32_t sm_count, slice_count, channel_count;
    struct sm **sm;
    struct sleepers sms, slices, channels; /* an SM has a time only (gpu_note_sm) */
    struct sm_port *sm_port;
    struct port *replies_for; /* per SM: between the reply network and it */
    struct network *requests, *replies;
    struct l2_slice **slice;
    uint64_t *reply_sms;    /* bit per SM: a reply waits in its port */
    uint64_t *reply_slices; /* bit per slice: a reply of it waits for the network */
    struct dram_channel **channel;

    struct clocks clocks;
    struct rounded_clocks *rounded; /* NULL: the clocks are exact */
    /* What the machine does in its own way or in another's (src/reference), chosen when it is made. */
    struct sm_ways sm_ways;
    struct l1_ways l1_ways;
    struct l2_ways l2_ways;
    void (*place_writeback)(const struct address_map_config *map,
                            struct request *r); /* made by an L1, which does not know the map */
    bool (*finish)(struct gpu *gpu);      /* a kernel has ended: what becomes of write-backs under way; false: they never arrive */
    const bool *copy_fills;               /* by enum host_copy: it leaves its sectors in the L2 */
    struct sm_timing timing[CLASS_COUNT]; /* the same for all SMs */
    struct front_clock front_clock;
    uint64_t nanosecond_rest; /* what front_clock.nanoseconds leaves out, in core cycles x 10^6 */
    uint64_t launches;

    /* The kernel that runs. */
    struct front *front;
    uint32_t next_cta, ctas_running, last_sm; /* next_cta: how many have started */
    bool room_unknown;                        /* an SM may have room for a CTA that it had not when it was asked last */
    uint64_t *waiting_ctas;                   /* one bit each; kept only for a policy that chooses */
    uint32_t waiting_words;
    uint32_t active_sms;
    uint64_t inherited; /* write-backs that the kernel before it left under way */
    void *settled;      /* the DRAM's counters when nothing was under way between two kernels last */
    uint64_t start_cycle, last_issue_cycle, issued_before;
    struct stat_series series; /* of the kernel that runs */
};

/* To be called after whatever may change when the SM wakes. */
static inline void gpu_note_sm(struct gpu *gpu, uint32_t i)
{
    sleepers_until(&gpu->sms, i, sm_wake(gpu->sm[i]));
}

static inline uint64_t gpu_now(const struct gpu *gpu, enum clock_domain d)
{
    return gpu->clocks.count[d] - 1;
}

/* gpu_loop.c: the clocks' phases. */
bool gpu_tick(struct gpu *gpu, struct error *err);
bool gpu_kernel_running(const struct gpu *gpu);
bool gpu_drain(struct gpu *gpu);
uint64_t gpu_instructions(const struct gpu *gpu);

/* gpu_check.c: NULL, or the invariant that is broken. */
const char *gpu_broken(struct gpu *gpu);

/* gpu_series.c */
void gpu_series_start(struct gpu *gpu);

/* gpu_policy.c */
struct policy_machine gpu_policy_machine(struct gpu *gpu);

/* gpu_result.c */
void gpu_collect(struct gpu *gpu, uint32_t group, void *out); /* sums a group's counters over its units */
void gpu_list_groups(struct gpu *gpu);
#endif
