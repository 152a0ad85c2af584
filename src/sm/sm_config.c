/* sm_config.c - parameters of an SM, and latency and initiation interval of each class of instruction. */
#include "sm/sm_config.h"

#include "sm/sm_state.h"

/* Defaults: GPGPU-Sim 4.2's SM2_GTX480. */
#define T struct sm_config
const struct param sm_params[] = {
    PARAM_U32(T, threads, "sm.threads", 1536, 32, 2048, "threads", "threads that may be resident; a multiple of 32"),
    PARAM_U32(T, ctas, "sm.ctas", 8, 1, 32, "CTAs", "CTAs that may be resident"),
    PARAM_U32(T, registers, "sm.registers", 32768, 1, 1048576, "registers", "32-bit registers"),
    PARAM_SIZE(T, shared_bytes, "sm.shared", "48KiB", "0", "1MiB", "shared memory"),
    PARAM_U32(T, fetch_width, "sm.fetch_width", 1, 1, 8, "warps",
              "warps that are fetched for per cycle, two instructions each; all but the last are decoded in the same cycle"),
    PARAM_U32(T, schedulers, "sm.schedulers", 2, 1, 8, "schedulers", "warp schedulers; warp w belongs to scheduler w mod this"),
    PARAM_U32(T, issues_per_warp, "sm.issues_per_warp", 1, 1, 2, "instructions",
              "instructions that a scheduler may issue from its warp in a cycle: the second follows the first when it can go too"),
    PARAM_BOOL(T, issues_apart, "sm.issues_apart", true, "with sm.issues_per_warp: the two must go to different pipes"),
    PARAM_LIST(T, units, "sm.units", "2,0,0,1,1", "units",
               "execution units of SP, DP, INT, SFU, MEM; doubles run on the SFU and integers on SP when theirs is 0"),
    PARAM_LIST(T, issue_width, "sm.issue_width", "2,0,0,1,1", "registers",
               "pipeline registers between issue and operand collection, per pipe"),
    PARAM_LIST(T, execute_width, "sm.execute_width", "2,0,0,1,1", "registers",
               "pipeline registers between operand collection and execution, per pipe"),
    PARAM_U32(T, result_buses, "sm.result_buses", 2, 1, 16, "buses", "results of arithmetic that may be written per cycle"),
    PARAM_LIST(T, collectors, "sm.collectors", "6,0,0,8,2", "units", "operand collector units per pipe"),
    PARAM_LIST(T, collector_inputs, "sm.collector_inputs", "2,0,0,1,1", "ports",
               "instructions that collectors take up per cycle, per pipe"),
    PARAM_LIST(T, collector_outputs, "sm.collector_outputs", "2,0,0,1,1", "ports",
               "instructions that collectors hand on per cycle, per pipe"),
    PARAM_U32(T, collector_steps, "sm.collector_steps", 1, 1, 4, "steps",
              "steps of operand collection per cycle: in each, banks serve a read and instructions move on"),
    PARAM_U32(T, register_banks, "sm.register_banks", 16, 1, 64, "banks", "banks of the register file, one access per cycle each"),
    PARAM_U32(T, subcore_collectors, "sm.subcore_collectors", 0, 0, 8, "units",
              "operand collector units of each scheduler's sub-core, for all pipes; a sub-core has its own share of the register "
              "banks, one pipeline register before and one behind collection per pipe, and one unit of each pipe but MEM; "
              "0: schedulers share what sm.units to sm.collector_outputs say"),
    PARAM_U32(T, shared_collectors, "sm.shared_collectors", 0, 0, 32, "units",
              "without sub-cores: operand collector units that serve all pipes, instead of sm.collectors; branches, textures and "
              "matrix instructions then have pipes of their own, too; 0: each pipe has its own collectors"),
    PARAM_LIST(T, latency_int, "sm.latency_int", "4,13,4,5,145,32", "cycles", "integer add, max, mul, mad, div, shfl"),
    PARAM_LIST(T, interval_int, "sm.interval_int", "1,2,2,1,8,4", "cycles", "initiation intervals of the same"),
    PARAM_LIST(T, latency_fp, "sm.latency_fp", "4,13,4,5,39", "cycles", "float add, max, mul, mad, div"),
    PARAM_LIST(T, interval_fp, "sm.interval_fp", "1,2,1,1,4", "cycles", "initiation intervals of the same"),
    PARAM_U32(T, interval_half, "sm.interval_half", 0, 0, 512, "cycles",
              "initiation interval of SASS instructions on two halves (HFMA2); 0: as a float's mad"),
    PARAM_LIST(T, latency_dp, "sm.latency_dp", "8,19,8,8,330", "cycles", "double add, max, mul, mad, div"),
    PARAM_LIST(T, interval_dp, "sm.interval_dp", "8,16,8,8,130", "cycles", "initiation intervals of the same"),
    PARAM_U32(T, latency_sfu, "sm.latency_sfu", 8, 1, 512, "cycles", "special functions"),
    PARAM_U32(T, interval_sfu, "sm.interval_sfu", 8, 1, 512, "cycles", "initiation interval of special functions"),
    PARAM_U32(T, latency_tensor, "sm.latency_tensor", 64, 1, 512, "cycles", "matrix instructions"),
    PARAM_U32(T, interval_tensor, "sm.interval_tensor", 64, 1, 512, "cycles", "initiation interval of matrix instructions"),
    PARAM_U32(T, latency_other, "sm.latency_other", 1, 1, 512, "cycles", "moves, conversions, logic, comparisons, branches"),
    PARAM_U32(T, interval_other, "sm.interval_other", 1, 1, 512, "cycles", "initiation interval of the same"),
    PARAM_U32(
        T, latency_branch, "sm.latency_branch", 0, 0, 498, "cycles",
        "branches, calls and returns, in a unit of their own where there are sub-cores; also their initiation interval; 0: as "
        "sm.latency_other"),
    PARAM_U32(T, latency_barrier, "sm.latency_barrier", 0, 0, 498, "cycles",
              "barriers and exits; also their initiation interval; 0: as sm.latency_other"),
    PARAM_U32(
        T, latency_const, "sm.latency_const", 0, 0, 498, "cycles",
        "loads of constants and parameters: so long on the integer pipe, and no cache; 0: they go through the constant cache"),
    PARAM_U32(
        T, latency_convert, "sm.latency_convert", 0, 0, 498, "cycles",
        "conversions from and to floats: so long on the pipe of special functions, with sm.interval_sfu; 0: as sm.latency_other"),
    PARAM_U32(T, latency_texture, "sm.latency_texture", 0, 0, 498, "cycles",
              "texture reads: so long on the pipe of special functions, one every four cycles per unit, and no memory; 0: they go "
              "through the texture cache"),
    PARAM_U32(T, warp_parts, "sm.warp_parts", 1, 1, 32, "parts",
              "parts of a warp that are coalesced, and look for conflicts of shared banks, apart (2: half-warps); a power of two"),
    PARAM_U32(T, shared_banks, "sm.shared_banks", 32, 1, 64, "banks", "banks of shared memory, 4 bytes wide"),
    PARAM_U32(T, shared_latency, "sm.shared_latency", 26, 2, 512, "cycles",
              "stages between a shared-memory access and its write-back"),
    PARAM_BOOL(T, shared_atomics_in_turn, "sm.shared_atomics_in_turn", false,
               "lanes of an atomic on one word of shared memory take turns; otherwise they are one access, as loads are"),
    PARAM_U32(T, response_buffer, "sm.response_buffer", 2, 1, 64, "replies", "replies that wait for the LSU"),
    PARAM_BOOL_OF(PARAM_DEBUG, T, never_sleep, "sm.never_sleep", false,
                  "visit every SM in every cycle: slower, same results; for tests"),
    PARAM_BOOL_OF(PARAM_DEBUG, T, probe_stalled, "sm.probe_stalled", false,
                  "while the LSU is stalled, look up what waits behind in the L1's tags and count the cycles with a hit "
                  "(sm.lsu.data_hit_behind); changes nothing else"),
    PARAM_BOOL_OF(PARAM_DEBUG, T, ideal, "sm.ideal", false,
                  "an SM for worked examples: no fetch, no operand collection, no caches; one memory and one other instruction per "
                  "scheduler and cycle"),
    PARAM_U32_OF(PARAM_DEBUG, T, ideal_load_cycles, "sm.ideal_load", 5, 1, 400, "cycles",
                 "with sm.ideal: what a memory instruction takes"),
    PARAM_U32_OF(PARAM_DEBUG, T, ideal_loads, "sm.ideal_loads", 0, 0, 1024, "loads",
                 "with sm.ideal: memory instructions in flight; 0: any number"),
    PARAM_END
};
#undef T

static bool list_has(const struct param_list *list, const char *name, uint32_t count, uint64_t max, struct error *err)
{
    if (list->count != count)
        return error_set(err, "sm.%s: has %u values; give %u", name, list->count, count);
    for (uint32_t i = 0; i < count; i++)
        if (list->value[i] > max)
            return error_set(err, "sm.%s: %llu is too large; at most %llu", name, (unsigned long long)list->value[i],
                             (unsigned long long)max);
    return true;
}

static bool check_pipes(const struct sm_config *c, struct error *err)
{
    for (uint32_t p = 0; p < PIPE_LISTED; p++) {
        if (!c->units.value[p] && (p == PIPE_SP || p == PIPE_SFU || p == PIPE_MEM))
            return error_set(err, "sm.units: SP, SFU and MEM need at least one unit each");
        if (c->units.value[p] && (!c->issue_width.value[p] || !c->execute_width.value[p] || !c->collectors.value[p] ||
                                  !c->collector_inputs.value[p] || !c->collector_outputs.value[p]))
            return error_set(err,
                             "sm.units: pipe %u has units but no registers, collectors or ports; see sm.issue_width, "
                             "sm.execute_width, sm.collectors",
                             p);
    }
    if (c->units.value[PIPE_MEM] != 1)
        return error_set(err, "sm.units: MEM has %llu units; exactly one LSU is modelled",
                         (unsigned long long)c->units.value[PIPE_MEM]);
    return true;
}

static bool check_subcores(const struct sm_config *c, struct error *err)
{
    if (!c->subcore_collectors && !c->shared_collectors)
        return true;
    if (c->schedulers > SM_UNITS_MAX)
        return error_set(err, "%s: there are %u schedulers; at most %d are modelled with it",
                         c->subcore_collectors ? "sm.subcore_collectors" : "sm.shared_collectors", c->schedulers, SM_UNITS_MAX);
    if (c->subcore_collectors && c->register_banks % c->schedulers)
        return error_set(err,
                         "sm.subcore_collectors: %u register banks cannot be divided among %u schedulers; see "
                         "sm.register_banks",
                         c->register_banks, c->schedulers);
    return true;
}

static bool check_intervals(const struct param_list *latency, const struct param_list *interval, const char *name,
                            struct error *err)
{
    for (uint32_t i = 0; i < latency->count; i++)
        if (!interval->value[i] || interval->value[i] > latency->value[i])
            return error_set(err, "sm.interval_%s: value %u must be between 1 and the latency", name, i + 1);
    return true;
}

bool sm_config_check(const struct sm_config *c, struct error *err)
{
    const uint64_t longest = SM_LATENCY_MAX - 1; /* mul24 takes a cycle more than mul */
    if (c->threads % 32)
        return error_set(err, "sm.threads: %u is not a multiple of 32", c->threads);
    if (c->schedulers > c->threads / 32)
        return error_set(err, "sm.schedulers: more schedulers than warps");
    if (c->warp_parts & (c->warp_parts - 1))
        return error_set(err, "sm.warp_parts is %u: give a power of two", c->warp_parts);
    return list_has(&c->units, "units", PIPE_LISTED, SM_UNITS_MAX, err) &&
           list_has(&c->issue_width, "issue_width", PIPE_LISTED, SM_WIDTH_MAX, err) &&
           list_has(&c->execute_width, "execute_width", PIPE_LISTED, SM_WIDTH_MAX, err) &&
           list_has(&c->collectors, "collectors", PIPE_LISTED, SM_COLLECTORS_MAX / PIPE_LISTED, err) &&
           list_has(&c->collector_inputs, "collector_inputs", PIPE_LISTED, 16, err) &&
           list_has(&c->collector_outputs, "collector_outputs", PIPE_LISTED, SM_WIDTH_MAX, err) &&
           list_has(&c->latency_int, "latency_int", 6, longest, err) &&
           list_has(&c->interval_int, "interval_int", 6, longest, err) && list_has(&c->latency_fp, "latency_fp", 5, longest, err) &&
           list_has(&c->interval_fp, "interval_fp", 5, longest, err) && list_has(&c->latency_dp, "latency_dp", 5, longest, err) &&
           list_has(&c->interval_dp, "interval_dp", 5, longest, err) &&
           check_intervals(&c->latency_int, &c->interval_int, "int", err) &&
           check_intervals(&c->latency_fp, &c->interval_fp, "fp", err) &&
           check_intervals(&c->latency_dp, &c->interval_dp, "dp", err) && check_pipes(c, err) && check_subcores(c, err);
}

static struct sm_timing row(uint32_t pipe, const struct param_list *latency, const struct param_list *interval, uint32_t i)
{
    return (struct sm_timing){ (uint8_t)pipe, (uint16_t)latency->value[i], (uint16_t)interval->value[i] };
}

/* mul24 and mad24 run on the 32-bit multiplier, with a step more to cut the operands. */
static struct sm_timing a_cycle_more(struct sm_timing timing)
{
    timing.latency++;
    timing.interval++;
    return timing;
}

/* Of a load of a constant. */
static struct sm_timing constant_timing(const struct sm_config *c)
{
    if (!c->latency_const)
        return (struct sm_timing){ PIPE_MEM, 1, 1 };
    return (struct sm_timing){ c->units.value[PIPE_INT] ? PIPE_INT : PIPE_SP, (uint16_t)c->latency_const,
                               (uint16_t)c->interval_int.value[0] };
}

/* Of two halves at once: as one float. */
static struct sm_timing half_timing(const struct sm_config *c)
{
    struct sm_timing timing = row(PIPE_SP, &c->latency_fp, &c->interval_fp, 3);
    if (c->interval_half)
        timing.interval = (uint16_t)c->interval_half;
    return timing;
}

/* Of what has a pipe of its own where collectors serve all pipes, and elsewhere none. */
static struct sm_timing own_unit(const struct sm_config *c, uint32_t pipe, uint32_t shared_pipe, uint32_t latency,
                                 uint32_t interval)
{
    return (struct sm_timing){ (uint8_t)(c->subcore_collectors || c->shared_collectors ? pipe : shared_pipe), (uint16_t)latency,
                               (uint16_t)interval };
}

struct sm_timing sm_class_timing(const struct sm_config *c, uint32_t class)
{
    const uint32_t dp = c->units.value[PIPE_DP] ? PIPE_DP : PIPE_SFU;
    const uint32_t integer = c->units.value[PIPE_INT] ? PIPE_INT : PIPE_SP;
    const struct sm_timing other = { (uint8_t)integer, (uint16_t)c->latency_other, (uint16_t)c->interval_other };
    switch (class) {
    case CLASS_TEXTURE:
        if (c->latency_texture)
            return own_unit(c, PIPE_TEXTURE, PIPE_SFU, c->latency_texture, 4);
        return (struct sm_timing){ PIPE_MEM, 1, 1 };
    case TIMING_CONSTANT: return constant_timing(c);
    case TIMING_HALF: return half_timing(c);
    case CLASS_INT_ADD: return row(integer, &c->latency_int, &c->interval_int, 0);
    case CLASS_INT_MAX: return row(integer, &c->latency_int, &c->interval_int, 1);
    case CLASS_INT_MUL: return row(integer, &c->latency_int, &c->interval_int, 2);
    case CLASS_INT_MAD: return row(integer, &c->latency_int, &c->interval_int, 3);
    case CLASS_INT_MUL24: return a_cycle_more(row(integer, &c->latency_int, &c->interval_int, 2));
    case CLASS_INT_MAD24: return a_cycle_more(row(integer, &c->latency_int, &c->interval_int, 3));
    case CLASS_INT_DIV: return row(PIPE_SFU, &c->latency_int, &c->interval_int, 4);
    case CLASS_SHFL: return row(integer, &c->latency_int, &c->interval_int, 5);
    case CLASS_FP_ADD: return row(PIPE_SP, &c->latency_fp, &c->interval_fp, 0);
    case CLASS_FP_MAX: return row(PIPE_SP, &c->latency_fp, &c->interval_fp, 1);
    case CLASS_FP_MUL: return row(PIPE_SP, &c->latency_fp, &c->interval_fp, 2);
    case CLASS_FP_MAD: return row(PIPE_SP, &c->latency_fp, &c->interval_fp, 3);
    case CLASS_FP_DIV: return row(PIPE_SFU, &c->latency_fp, &c->interval_fp, 4);
    case CLASS_DP_ADD: return row(dp, &c->latency_dp, &c->interval_dp, 0);
    case CLASS_DP_MAX: return row(dp, &c->latency_dp, &c->interval_dp, 1);
    case CLASS_DP_MUL: return row(dp, &c->latency_dp, &c->interval_dp, 2);
    case CLASS_DP_MAD: return row(dp, &c->latency_dp, &c->interval_dp, 3);
    case CLASS_DP_DIV: return row(PIPE_SFU, &c->latency_dp, &c->interval_dp, 4);
    case CLASS_SFU: return (struct sm_timing){ PIPE_SFU, (uint16_t)c->latency_sfu, (uint16_t)c->interval_sfu };
    case CLASS_CONVERT:
        if (c->latency_convert)
            return (struct sm_timing){ PIPE_SFU, (uint16_t)c->latency_convert, (uint16_t)c->interval_sfu };
        return other;
    case CLASS_TENSOR: return own_unit(c, PIPE_TENSOR, PIPE_SFU, c->latency_tensor, c->interval_tensor);
    case CLASS_LOAD:
    case CLASS_STORE:
    case CLASS_ATOMIC:
    case CLASS_FENCE: return (struct sm_timing){ PIPE_MEM, 1, 1 };
    case CLASS_BRANCH:
    case CLASS_CALL:
    case CLASS_RETURN:
        if (c->latency_branch)
            return own_unit(c, PIPE_BRANCH, integer, c->latency_branch, c->latency_branch);
        return other;
    case CLASS_BARRIER:
    case CLASS_EXIT:
        if (c->latency_barrier)
            return (struct sm_timing){ (uint8_t)integer, (uint16_t)c->latency_barrier, (uint16_t)c->latency_barrier };
        return other;
    default: return other;
    }
}
