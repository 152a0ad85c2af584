/* sm_config.h - the parameters of a streaming multiprocessor. */
#ifndef WARPLINE_SM_SM_CONFIG_H
#define WARPLINE_SM_SM_CONFIG_H
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "front/inst.h"
#include "param/param.h"

/* Pipes: first those that the lists below name, in their order, then those that come with collectors
 * for all pipes, one unit for each scheduler. Units are
 * visited in this order in a cycle, but MEM last. */
enum sm_pipe {
    PIPE_SP,
    PIPE_DP,
    PIPE_INT,
    PIPE_SFU,
    PIPE_MEM,
    PIPE_LISTED,
    PIPE_BRANCH = PIPE_LISTED,
    PIPE_TEXTURE,
    PIPE_TENSOR,
    PIPE_COUNT
};
enum { PIPES_ARITHMETIC = ((1 << PIPE_COUNT) - 1) & ~(1 << PIPE_MEM) }; /* bit per pipe */

struct sm_config {
    uint32_t threads, ctas, registers, schedulers;
    uint32_t fetch_width;     /* warps per cycle */
    uint32_t issues_per_warp; /* per cycle */
    bool issues_apart;        /* to different pipes */
    uint64_t shared_bytes;
    struct param_list units;         /* per pipe: execution units; PIPE_MEM has one */
    struct param_list issue_width;   /* per pipe: registers between issue and operand collection */
    struct param_list execute_width; /* per pipe: registers between operand collection and execution */
    uint32_t result_buses;
    struct param_list collectors, collector_inputs, collector_outputs; /* per pipe */
    uint32_t register_banks, collector_steps;
    uint32_t subcore_collectors;                 /* per scheduler; 0: there are no sub-cores */
    uint32_t shared_collectors;                  /* of all pipes, without sub-cores; 0: each pipe has its own */
    struct param_list latency_int, interval_int; /* add, max, mul, mad, div, shfl */
    struct param_list latency_fp, interval_fp;   /* add, max, mul, mad, div */
    uint32_t interval_half;                      /* 0: as fp mad */
    struct param_list latency_dp, interval_dp;   /* add, max, mul, mad, div */
    uint32_t latency_sfu, interval_sfu, latency_tensor, interval_tensor;
    uint32_t latency_other, interval_other;
    uint32_t latency_branch;  /* 0: as other */
    uint32_t latency_barrier; /* and exits; 0: as other */
    uint32_t latency_convert; /* 0: as other */
    uint32_t latency_texture; /* 0: textures are the LSU's */
    uint32_t latency_const;   /* 0: loads of constants are the LSU's */
    uint32_t warp_parts;      /* parts of a warp whose lanes are coalesced, and meet in shared banks, apart */
    uint32_t shared_banks, shared_latency;
    bool shared_atomics_in_turn;
    uint32_t response_buffer;
    bool never_sleep;
    bool probe_stalled; /* while the LSU is stalled, look for hits among what waits */
    bool ideal;         /* see ideal.c */
    uint32_t ideal_load_cycles, ideal_loads;
};
extern const struct param sm_params[]; /* sm.* */
bool sm_config_check(const struct sm_config *config, struct error *err);

/* Where a class of instructions goes, and how long it stays. */
struct sm_timing {
    uint8_t pipe;
    uint16_t latency, interval;
};
struct sm_timing sm_class_timing(const struct sm_config *config, uint32_t row); /* enum inst_class, enum inst_timing */
#endif
