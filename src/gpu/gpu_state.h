/* gpu_state.h - the inside of the machine, shared by the files of this room. */
#ifndef WARPLINE_GPU_GPU_STATE_H
#define WARPLINE_GPU_GPU_STATE_H
#include "gpu/clock.h"
#include "gpu/machine.h"
#include "mem/dram_channel.h"
#include "mem/links.h"
#include "mem/page_table.h"
#include "mem/port.h"
#include "mem/sleepers.h"
#include "policy/policy_set.h"
#include "reference/rounded_clocks.h"
#include "sm/sm.h"
#include "stat/stat_series.h"

enum { GPU_GROUPS_MAX = 10 + POLICIES_MAX };

struct module;
struct sm_port {
    struct module *module;
    uint32_t sm; /* within the module */
};               /* SM -> request network */

/* Between the networks of a module and the links, one for each slice. What goes to or comes from slice k of another module goes
 * through gateway k of both. */
enum { GATEWAY_PLACES = 16 };
struct gateway {
    struct port down;        /* requests to other modules */
    struct port replies_out; /* replies to other modules */
    struct port requests_in; /* from other modules to slices here */
    struct port up;          /* replies from other modules */
    struct l2_slice *bank;   /* of the L1.5, between the networks and `down` and `up`; NULL: none */
};

/* A part of the machine that meets the others on the links alone: SMs, networks, slices and channels. Within a tick modules may run
 * side by side. The machine's `sm`, `slice` and `channel` lie in order of modules; those here begin with the module's first. */
struct module {
    struct gpu *gpu;
    uint32_t index;
    uint32_t sm_count, slice_count, channel_count, first_sm, first_slice;
    struct sm **sm;
    struct l2_slice **slice;
    struct dram_channel **channel;
    struct sleepers sms, slices, channels;
    struct sm_port *sm_port;
    struct port *replies_for; /* per SM: between the reply network and it */
    uint64_t *reply_sms;      /* bit per SM: a reply waits in its port */
    uint64_t *reply_slices;   /* bit per slice: a reply of it waits for the network */
    struct network *requests, *replies;
    /* The gateways among the destinations of the two networks: in words of their own, of what has arrived. */
    uint32_t first_reply_gate, first_request_gate;

    /* In a machine of several. Bit per gateway: something is in its port. */
    struct gateway *gateway;
    uint64_t downs, replies_out, requests_in, ups;
    struct sleepers banks;
    uint64_t bank_replies; /* bit per bank: a reply of it waits for the network */
    uint64_t local_requests, remote_requests;
    uint64_t *touch; /* pages without an owner that requests of this cycle wanted to go to, in order */
    uint32_t touches, touch_room;

    /* What a tick says to the machine. */
    bool says; /* one of these */
    uint32_t ctas_done;
    bool sm_ended, failed;
    struct error error;
};

struct gpu {
    struct machine_config config;
    struct policy_instance *policies;
    const struct stat_group *groups[GPU_GROUPS_MAX];
    uint32_t group_count;
    void *before[GPU_GROUPS_MAX]; /* counters at the start of the kernel */

    struct request_pool *pool;
    uint32_t sm_count, slice_count, channel_count;
    struct sm **sm;
    struct l2_slice **slice;
    struct dram_channel **channel;
    uint32_t module_count, sms_per_module, slices_per_module;
    struct module *module;
    struct links *links;      /* NULL: one module */
    struct page_table *pages; /* NULL: addresses are spread over all channels */

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
    uint64_t inherited; /* write-backs that the kernel before it left under way */
    void *settled;      /* the DRAM's counters when nothing was under way between two kernels last */
    uint64_t start_cycle, last_issue_cycle, issued_before;
    struct stat_series series; /* of the kernel that runs */
};

/* To be called after whatever may change when the SM wakes. */
static inline void module_note_sm(struct module *m, uint32_t i)
{
    const uint64_t wake = sm_wake(m->sm[i]), next = m->gpu->clocks.count[CLOCK_CORE];
    sleepers_visited(&m->sms, i, next - 1, wake < next ? next : wake);
}
static inline bool module_has_awake_sms(const struct module *m, uint64_t core)
{
    return m->sms.next <= core || sleepers_any_awake(&m->sms);
}
static inline void gpu_note_sm(struct gpu *gpu, uint32_t i)
{
    module_note_sm(&gpu->module[i / gpu->sms_per_module], i % gpu->sms_per_module);
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

/* gateway.c: a module and the others. */
void gateways_make(struct module *m);
void gateways_free(struct module *m);
bool module_page_missing(struct module *m, const struct request *r); /* it has no owner yet; and is noted */
void banks_tick(struct module *m, uint64_t l2_now);                  /* the L1.5 */
bool banks_have_requests(const struct module *m);
void gateways_tick(struct module *m, uint64_t net_now); /* between its networks and its ports */
void gpu_links_tick(struct gpu *gpu, uint64_t net_now); /* between ports and links; serial */
void gpu_place_pages(struct gpu *gpu);                  /* of this cycle's touches; serial */
bool gateways_wait(const struct gpu *gpu);              /* something is in a port */
uint32_t gateways_requests(const struct module *m);     /* how much */

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
