/* gpu_state.h - the inside of the machine, shared by the files of this room. */
#ifndef WARPLINE_GPU_GPU_STATE_H
#define WARPLINE_GPU_GPU_STATE_H
#include "base/team.h"
#include "gpu/clock.h"
#include "gpu/machine.h"
#include "mem/dram_channel.h"
#include "mem/links.h"
#include "mem/outlet.h"
#include "mem/page_table.h"
#include "mem/port.h"
#include "mem/sleepers.h"
#include "policy/policy_set.h"
#include "reference/rounded_clocks.h"
#include "sm/sm.h"
#include "stat/stat_series.h"

enum { GPU_GROUPS_MAX = 10 + POLICIES_MAX };

struct module;
struct worker;

/* The SMs of one module that one worker runs, and what they leave behind in a cycle that concerns others. */
struct share {
    _Alignas(HOST_LINE_BYTES) struct module *module;
    struct worker *worker;
    uint32_t first, count; /* within the module */
    struct sleepers sms;   /* from `first` on */
    uint64_t local_requests, remote_requests;
    struct page_touches touches; /* that requests of this cycle wanted to go to */
    bool fenced;                 /* a fence of this cycle has emptied an L1 */
    uint64_t *senders;           /* bit per SM, from `first` on: something is in its outlet */
    struct network_news news;    /* of a module of several shares: what they have put into the request network */
};

/* What the SMs of a share have for themselves while others run. With one thread there is one for all. Workers follow each other in
 * the order of their SMs. */
struct worker {
    _Alignas(HOST_LINE_BYTES) struct front *view; /* of the kernel, for this worker's SMs; NULL: one thread runs it all */
    struct front_clock clock;

    /* What a tick says to the machine. */
    bool says; /* one of these */
    uint32_t ctas_done;
    bool sm_ended, failed;
    struct error error, later_error; /* of the first SM that failed, and of any other in the same cycle */
};

/* Between the networks of a module and the links, one for each slice. What goes to or comes from slice k of another module goes
 * through gateway k of both. */
enum { GATEWAY_PLACES = 16 };
struct gateway {
    struct port down;        /* requests to other modules */
    struct port replies_out; /* replies to other modules */
    struct port requests_in; /* from other modules to slices here */
    struct port up;          /* replies from other modules */
    struct l2_slice *bank;   /* of the L1.5, between the networks and `down` and `up`; NULL: none */
    struct last_sent {
        uint64_t line, issued;
        uint32_t slot, sm;
    } last_sent;          /* what the bank sent to another module last: for which access of an SM */
    uint8_t sent_sectors; /* of it, so far */
};

/* Slices of one module and the channels behind them. A module has one bay, or several that run side by side. */
struct bay {
    _Alignas(HOST_LINE_BYTES) struct module *module;
    struct request_pool *pool;
    uint32_t first_slice, first_channel; /* within the module */
    struct sleepers slices, channels;    /* from these on */
    uint64_t *replies;                   /* bit per slice, from first_slice on: a reply of it waits for the network */
    struct network_news sent;            /* of a module of several: what they have put into the reply network, */
    struct network_taken taken;          /* and taken out of the request network */
};

/* A part of the machine that meets the others on the links alone: SMs, networks, slices and channels. Within a tick modules may run
 * side by side. The machine's `sm`, `slice` and `channel` lie in order of modules; those here begin with the module's first. */
struct module {
    struct gpu *gpu;
    uint32_t index;
    uint32_t sm_count, slice_count, channel_count, first_sm, first_slice;
    uint32_t sharers; /* SMs that share a port of the networks */
    struct sm **sm;
    struct l2_slice **slice;
    struct dram_channel **channel;
    struct request_pool *pool;
    struct share *share; /* in order of their SMs */
    uint32_t share_count, sm_words;
    struct bay *bay; /* in order of their slices */
    uint32_t bay_count;
    struct outlet *out;       /* per SM: between it and the request network */
    struct port *replies_for; /* per SM: between the reply network and it */
    uint64_t *reply_sms;      /* bit per SM: a reply waits in its port */
    struct network *requests, *replies;
    /* The gateways among the destinations of the two networks: in words of their own, of what has arrived. */
    uint32_t first_reply_gate, first_request_gate;

    /* In a machine of several. Bit per gateway: something is in its port. */
    struct gateway *gateway;
    uint64_t downs, replies_out, requests_in, ups;
    struct sleepers banks;
    uint64_t bank_replies; /* bit per bank: a reply of it waits for the network */
};

/* trial.c: a copy of the process that tries a value. */
struct gpu_trial {
    bool inside;                  /* this process is one */
    int tell;                     /* where it tells how far it came */
    int failed;                   /* errno of why a value could not be tried; 0: none has failed */
    uint64_t cycle, instructions; /* when it began */
};

/* A port of the networks that several SMs share: gpu_ports.c. */
struct gpu_port {
    uint32_t last;  /* of its SMs: who got a CTA last */
    uint32_t turn;  /* of its SMs: who sends first in the kernel's first cycle */
    uint64_t ended; /* core cycle in which an SM of it had no CTA left last */
};

struct gpu {
    struct machine_config config;
    struct policy_instance *policies;
    bool has_policies; /* any */
    const struct stat_group *groups[GPU_GROUPS_MAX];
    uint32_t group_count;
    void *before[GPU_GROUPS_MAX]; /* counters at the start of the kernel */

    struct request_pool **pool; /* one for each worker, and for each bay of a module but its first */
    struct worker *worker;
    struct share *share;
    struct bay *bay;
    uint32_t pool_count, worker_count, share_count;
    uint32_t threads;
    struct team_part *part; /* bays where a module has several, the rest of modules' memory sides, shares */
    uint32_t bays_per_module, first_module_part, first_share_part;
    bool apart;                 /* requests and replies of a module are parts of their own */
    struct team *team;          /* while a kernel runs on several threads; NULL: one */
    uint32_t tick_mask;         /* for the parts: the clocks that tick */
    const char *why_one_thread; /* said last */
    double views_opened;        /* this thread's CPU seconds then; for gpu.threads_measure */
    struct front **view;        /* of the workers */
    uint32_t sm_count, slice_count, channel_count;
    struct sm **sm;
    struct l2_slice **slice;
    struct dram_channel **channel;
    uint32_t module_count, sms_per_module, slices_per_module;
    struct module *module;
    struct links *links;                 /* NULL: one module */
    struct link_traffic *traffic_before; /* of each link, at the start of the kernel */
    struct page_table *pages;            /* NULL: addresses are spread over all channels */

    struct clocks clocks;
    struct rounded_clocks *rounded;  /* NULL: the clocks are exact */
    enum clock_domain reply_clock;   /* replies go from the L2 to the network */
    enum clock_domain deliver_clock; /* and from the network to the SMs */
    /* What the machine does in its own way or in another's (src/reference), chosen when it is made. */
    struct sm_otherwise sm_otherwise;
    struct l1_otherwise l1_otherwise;
    struct l2_otherwise l2_otherwise;
    void (*place_writeback)(const struct address_map_config *map,
                            struct request *r); /* made by an L1, which does not know the map */
    bool (*finish)(struct gpu *gpu);       /* a kernel has ended: what becomes of write-backs under way; false: they never arrive */
    const bool *copy_fills;                /* by enum host_copy: it leaves its sectors in the L2 */
    struct sm_timing timing[TIMING_COUNT]; /* the same for all SMs */
    struct front_clock front_clock;        /* the workers' own are set from it */
    uint64_t launches;

    /* The kernel that runs. */
    struct front *front;
    uint32_t next_cta, ctas_running, last_sm; /* next_cta: how many have started */
    uint64_t ctas_from;                       /* cycle of the kernel's first CTA, if there is room */
    bool room_unknown;                        /* an SM may have room for a CTA that it had not when it was asked last */
    struct gpu_port *ports;                   /* where SMs share them, else NULL */
    uint64_t ports_from, ports_last_cta;      /* core cycles: the kernel's first, and of its last CTA's start so far */
    uint64_t *waiting_ctas;                   /* one bit each; kept only for a policy that chooses */
    uint32_t waiting_words;
    uint64_t inherited; /* write-backs that the kernel before it left under way */
    void *settled;      /* the DRAM's counters when nothing was under way between two kernels last */
    uint64_t start_cycle, last_issue_cycle, issued_before;
    uint64_t stop_cycle; /* the kernel may run until then; UINT64_MAX: to its end */
    uint64_t next_look;  /* count of core cycles at which the series, limits and progress are looked at next, at the latest */
    bool runs_on;        /* SMs may run several cycles in one visit */
    uint32_t cycles_from_network; /* that a reply takes to an SM, at least */
    struct stat_series series;    /* of the kernel that runs */
    struct gpu_trial trial;
};

static inline uint64_t min64(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}
static inline bool share_is_awake(const struct share *s, uint64_t core)
{
    return s->sms.next <= core || sleepers_any_awake(&s->sms);
}
static inline uint64_t gpu_now(const struct gpu *gpu, enum clock_domain d)
{
    return gpu->clocks.count[d] - 1;
}

/* gpu_loop.c: the clocks' phases. */
bool gpu_tick(struct gpu *gpu, struct error *err);
void gpu_team_job(void *gpu, uint32_t part);
bool gpu_kernel_running(const struct gpu *gpu);
bool gpu_drain(struct gpu *gpu);
uint64_t gpu_instructions(const struct gpu *gpu);

/* gpu_memory.c: the memory side of a module. `mask`: the clocks that tick. */
void bay_tick(struct bay *b, uint32_t mask);
enum { SIDE_REQUESTS = 1, SIDE_REPLIES = 2, SIDES = 2 };
void memory_tick(struct module *m, uint32_t sides, uint32_t mask);
bool memory_replies_wait(const struct module *m); /* in a port of an SM */

/* trial.c: which of the values 0..count-1 gives the most instructions per cycle until it is asked again or the kernel ends. Returns
 * in each child with its value, which its caller then acts on, and at last here with the best; the first of equals. Serial. */
uint32_t gpu_try_values(struct gpu *gpu, uint32_t count);
_Noreturn void gpu_trial_end(struct gpu *gpu, bool ok);          /* in a child: the kernel has ended or failed */
bool gpu_trial_failed(const struct gpu *gpu, struct error *err); /* no value could be tried */

/* gateway.c: a module and the others. */
void gateways_make(struct module *m);
void gateways_free(struct module *m);
void banks_tick(struct module *m, uint64_t l2_now); /* the L1.5 */
bool banks_have_requests(const struct module *m);
void gateways_requests_tick(struct module *m, uint64_t net_now); /* between its networks and its ports */
void gateways_replies_tick(struct module *m, uint64_t net_now);
void gpu_note_traffic(struct gpu *gpu); /* of each link, to be subtracted when the kernel ends */
void gpu_take_traffic(const struct gpu *gpu, struct kernel_result *out);
void gpu_links_tick(struct gpu *gpu, uint64_t net_now); /* between ports and links; serial */
void gpu_empty_l15(struct gpu *gpu);                    /* of modules with a fence in this cycle; serial */
void module_empty_l15(struct module *m, uint64_t now);  /* once each bank; what is on its way finds no line */
void gpu_place_pages(struct gpu *gpu);                  /* of this cycle's touches; serial */
bool gateways_wait(const struct gpu *gpu);              /* something is in a port */
uint32_t gateways_requests(const struct module *m);     /* how much */

/* gpu_threads.c: who runs what, and the threads of a kernel. */
void gpu_make_workers(struct gpu *gpu); /* the modules know their SMs, and have none yet */
void gpu_free_workers(struct gpu *gpu);
void gpu_open_views(struct gpu *gpu);  /* a kernel begins */
void gpu_close_views(struct gpu *gpu); /* and ends */
uint64_t gpu_live_requests(const struct gpu *gpu);

/* gpu_check.c: NULL, or the invariant that is broken. */
const char *gpu_broken(struct gpu *gpu);

/* gpu_series.c */
void gpu_series_start(struct gpu *gpu);

/* gpu_policy.c */
struct policy_machine gpu_policy_machine(struct gpu *gpu);

/* gpu_result.c */
void gpu_collect(struct gpu *gpu, uint32_t group, void *out); /* sums a group's counters over its units */
void gpu_list_groups(struct gpu *gpu);

/* gpu_ports.c */
void gpu_ports_new(struct gpu *gpu); /* if SMs share ports */
void gpu_ports_start_kernel(struct gpu *gpu);
uint32_t gpu_ports_nth(const struct gpu *gpu, uint32_t first, uint32_t n); /* the n-th SM that may get a CTA */
void gpu_ports_got_cta(struct gpu *gpu, uint32_t sm, uint64_t now);
uint32_t gpu_ports_first(const struct gpu *gpu, uint32_t port, uint64_t now); /* of its SMs: who sends first in this cycle */
static inline uint32_t gpu_port_of(const struct module *m, uint32_t sm)
{
    return seldom(m->sharers > 1) ? sm / m->sharers : sm;
}
#endif
