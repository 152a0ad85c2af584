/* machine.h - every parameter of the machine, one struct per component. Each component's rows live in its own room. */
#ifndef WARPLINE_GPU_MACHINE_H
#define WARPLINE_GPU_MACHINE_H
#include "gpu/gpu.h"
#include "mem/address_map.h"
#include "mem/dram_timing.h"
#include "mem/l1.h"
#include "mem/l2_slice.h"
#include "mem/links.h"
#include "mem/network.h"
#include "mem/readonly_cache.h"
#include "policy/policy.h"
#include "reference/reference.h"
#include "sm/sm_config.h"

struct gpu_config {
    uint32_t sms, modules, threads;
    bool threads_insist, threads_measure;
    uint64_t page_bytes;
    uint64_t core_khz, net_khz, l2_khz, dram_khz;
    uint32_t ejection_buffer; /* replies between the network and an SM */
    bool ports_in_turn;       /* which of them goes first changes every cycle */
    uint32_t sms_per_port;    /* SMs that share a port of the networks */
    uint64_t watchdog_cycles, interval;
    uint32_t launch_cycles, launch_cta_cycles; /* before a kernel's first CTA; of these, for each CTA of its grid */
    uint32_t energy_table;                     /* index into energy_table_names: what results are computed with */
};
extern const struct param gpu_params[]; /* gpu.* */

struct machine_config {
    struct gpu_config gpu;
    struct sm_config sm;
    struct l1_config l1;
    struct readonly_config l1i, l1c, l1t;
    struct net_config net;
    struct link_config link;
    struct address_map_config map;
    struct l15_config l15;
    struct l2_config l2;
    struct dram_config dram;
    struct reference_config reference;
};

/* A channel's parameters with its queue in sectors, which its requests are. */
struct dram_config machine_dram(const struct machine_config *config);
/* A bank of the L1.5: of lines like the L2's. */
struct l2_config machine_l15(const struct machine_config *config);
/* The machine as policies see it. */
struct policy_geometry machine_policy_geometry(const struct machine_config *config);
#endif
