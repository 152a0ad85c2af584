/* import_sm.c - the machine's SMs, and what is in one: pipes, latencies, operand collectors, scheduler. */
#include "import/machine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void clusters(struct import *in)
{
    const unsigned long ports = import_number(in, "-gpgpu_n_clusters", "10"),
                        sms = import_number(in, "-gpgpu_n_cores_per_cluster", "3");
    import_set(in, "-gpgpu_n_clusters", "gpu.sms", "%lu", ports * sms);
    import_set(in, "-gpgpu_n_cores_per_cluster", "gpu.sms_per_port", "%lu", sms);
    const char *order = "-gpgpu_simt_core_sim_order"; /* 0 and 2 are alike there */
    import_set(in, order, "gpu.ports_in_turn", import_number(in, order, "1") == 1 ? "true" : "false");
}

static void clocks(struct import *in)
{
    const struct parts p = import_parts(in, "-gpgpu_clock_domains", "500.0:2000.0:2000.0:2000.0", ":", 4, 4);
    static const char *const names[] = { "gpu.core_clock", "gpu.net_clock", "gpu.l2_clock", "gpu.dram_clock" };
    for (unsigned i = 0; i < p.count; i++)
        import_set(in, "-gpgpu_clock_domains", names[i], "%sMHz", p.text[i]);
}

static void threads(struct import *in)
{
    const struct parts p = import_parts(in, "-gpgpu_shader_core_pipeline", "1024:32", ":", 2, 2);
    if (p.count == 2 && strcmp(p.text[1], "32") != 0)
        import_refuse(in, "-gpgpu_shader_core_pipeline", "is modelled with warps of 32 threads only");
    import_set(in, "-gpgpu_shader_core_pipeline", "sm.threads", "%s", p.text[0]);
}

/* Pipeline registers before and behind operand collection (SP, DP, INT, SFU, memory), then the buses for results. */
static void pipes(struct import *in)
{
    const char *option = "-gpgpu_pipeline_widths";
    const struct parts p = import_parts(in, option, "1,1,1,1,1,1,1,1,1,1,1,1,1", ",", 11, 13);
    if (p.count >= 11) {
        import_set(in, option, "sm.issue_width", "%s,%s,%s,%s,%s", p.text[0], p.text[1], p.text[2], p.text[3], p.text[4]);
        import_set(in, option, "sm.execute_width", "%s,%s,%s,%s,%s", p.text[5], p.text[6], p.text[7], p.text[8], p.text[9]);
        import_set(in, option, "sm.result_buses", "%s", p.text[10]);
    }
    import_set(in, "-gpgpu_num_sp_units", "sm.units", "%lu,%lu,%lu,%lu,1", import_number(in, "-gpgpu_num_sp_units", "1"),
               import_number(in, "-gpgpu_num_dp_units", "0"), import_number(in, "-gpgpu_num_int_units", "0"),
               import_number(in, "-gpgpu_num_sfu_units", "1"));
}

static void collectors_of_pipes(struct import *in, const char *what, const char *parameter, const char *const otherwise[5])
{
    static const char *const pipe[] = { "sp", "dp", "int", "sfu", "mem" };
    unsigned long n[5];
    char name[80];
    for (unsigned i = 0; i < 5; i++) {
        (void)snprintf(name, sizeof name, "-gpgpu_operand_collector_num_%s_%s", what, pipe[i]);
        n[i] = import_number(in, name, otherwise[i]);
    }
    (void)snprintf(name, sizeof name, "-gpgpu_operand_collector_num_%s_tensor_core", what);
    (void)import_text(in, name, "0"); /* matrix instructions have collectors with the others */
    (void)snprintf(name, sizeof name, "-gpgpu_operand_collector_num_%s_sp", what);
    import_set(in, name, parameter, "%lu,%lu,%lu,%lu,%lu", n[0], n[1], n[2], n[3], n[4]);
}

/* Collectors that all pipes share; sub-cores divide them. */
static void shared_collectors(struct import *in, unsigned long units)
{
    const char *option = "-gpgpu_operand_collector_num_units_gen";
    const unsigned long schedulers = import_number(in, "-gpgpu_num_sched_per_core", "1");
    const bool subcores = import_number(in, "-gpgpu_sub_core_model", "0");
    if (!units || !schedulers || (subcores && units % schedulers)) {
        import_refuse(in, option, "must be a multiple of the schedulers where pipes have no collectors of their own");
        return;
    }
    if (subcores)
        import_set(in, option, "sm.subcore_collectors", "%lu", units / schedulers);
    import_set(in, option, "sm.shared_collectors", "%lu", units);
    /* Not used then, but a pipe that has units has collectors. */
    import_set(in, option, "sm.collectors", "%lu,%lu,%lu,%lu,%lu", units, units, units, units, units);
    import_set(in, option, "sm.collector_inputs", "1,1,1,1,1");
    import_set(in, option, "sm.collector_outputs", "1,1,1,1,1");
}

static void collectors(struct import *in)
{
    static const char *const units[] = { "4", "0", "0", "4", "2" }, *const ports[] = { "1", "0", "0", "1", "1" };
    const char *general = "-gpgpu_operand_collector_num_units_gen", *subcores = "-gpgpu_sub_core_model";
    const unsigned long shared = import_number(in, general, "0");
    (void)import_text(in, "-gpgpu_operand_collector_num_in_ports_gen", "0");
    (void)import_text(in, "-gpgpu_operand_collector_num_out_ports_gen", "0");
    collectors_of_pipes(in, "units", "sm.collectors", units);
    collectors_of_pipes(in, "in_ports", "sm.collector_inputs", ports);
    collectors_of_pipes(in, "out_ports", "sm.collector_outputs", ports);
    if (!import_number(in, "-gpgpu_enable_specialized_operand_collector", "1"))
        shared_collectors(in, shared);
    else if (shared || import_number(in, subcores, "0"))
        import_refuse(in, shared ? general : subcores, "is modelled with -gpgpu_enable_specialized_operand_collector 0 only");
}

/* Six numbers for integers; a configuration of before shuffles had theirs has five. */
static void integers(struct import *in, const char *option, const char *otherwise, const char *parameter, const char *shuffle)
{
    const struct parts p = import_parts(in, option, otherwise, ",", 5, 6);
    import_set(in, option, parameter, "%s%s%s", import_text(in, option, otherwise), p.count == 5 ? "," : "",
               p.count == 5 ? shuffle : "");
}

static void latencies(struct import *in)
{
    static const struct {
        const char *option, *otherwise, *parameter;
    } rows[] = { { "-ptx_opcode_latency_fp", "1,1,1,1,30", "sm.latency_fp" },
                 { "-ptx_opcode_initiation_fp", "1,1,1,1,5", "sm.interval_fp" },
                 { "-ptx_opcode_latency_dp", "8,8,8,8,335", "sm.latency_dp" },
                 { "-ptx_opcode_initiation_dp", "8,8,8,8,130", "sm.interval_dp" },
                 { "-ptx_opcode_latency_sfu", "8", "sm.latency_sfu" },
                 { "-ptx_opcode_initiation_sfu", "8", "sm.interval_sfu" },
                 { "-ptx_opcode_latency_tesnor", "64", "sm.latency_tensor" }, /* spelt so there */
                 { "-ptx_opcode_initiation_tensor", "64", "sm.interval_tensor" } };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const char *text = import_text(in, rows[i].option, rows[i].otherwise);
        if (!in->trace)
            import_set(in, rows[i].option, rows[i].parameter, "%s", text);
    }
    if (in->trace) {
        (void)import_text(in, "-ptx_opcode_latency_int", "");
        (void)import_text(in, "-ptx_opcode_initiation_int", "");
        return;
    }
    integers(in, "-ptx_opcode_latency_int", "1,1,19,25,145,32", "sm.latency_int", "32");
    integers(in, "-ptx_opcode_initiation_int", "1,1,4,4,32,4", "sm.interval_int", "4");
}

/* A unit of Accel-Sim's trace.config: "-specialized_unit_1 1,4,4,4,4,BRA", its latency and interval in an option of their own. */
static void special_unit(struct import *in, unsigned number)
{
    char unit[64], timing[64];
    (void)snprintf(unit, sizeof unit, "-specialized_unit_%u", number);
    (void)snprintf(timing, sizeof timing, "-trace_opcode_latency_initiation_spec_op_%u", number);
    const struct parts p = import_parts(in, unit, "0,0,0,0,0,none", ",", 6, 6), t = import_parts(in, timing, "4,4", ",", 2, 2);
    if (p.count != 6 || t.count != 2 || strcmp(p.text[0], "0") == 0)
        return;
    if (strcmp(p.text[5], "BRA") == 0)
        import_set(in, timing, "sm.latency_branch", "%s", t.text[0]);
    else if (strcmp(p.text[5], "TEX") == 0)
        import_set(in, timing, "sm.latency_texture", "%s", t.text[0]);
    else if (strcmp(p.text[5], "TENSOR") != 0 && strcmp(p.text[5], "UDP") != 0)
        import_refuse(in, unit, "is modelled for BRA, TEX, TENSOR and UDP only");
}

/* Accel-Sim has a latency and an interval per unit, not per kind of instruction. */
static void trace_latencies(struct import *in)
{
    const char *prefix = "-trace_opcode_latency_initiation_";
    static const char *const unit[] = { "int", "sp", "dp", "sfu", "tensor" }, *const otherwise[] = { "4,1", "4,1", "4,1", "4,1",
                                                                                                     "4,1" };
    enum { INT, SP, DP, SFU, TENSOR };
    char name[5][64];
    struct parts p[5];
    for (unsigned i = 0; i < 5; i++) {
        (void)snprintf(name[i], sizeof name[i], "%s%s", prefix, unit[i]);
        p[i] = import_parts(in, name[i], otherwise[i], ",", 2, 2);
    }
    for (unsigned k = 0; k < 2; k++) { /* latency, then interval */
        static const char *const what[] = { "latency", "interval" };
        const char *i = p[INT].text[k], *s = p[SP].text[k], *d = p[DP].text[k], *f = p[SFU].text[k];
        char parameter[40];
        (void)snprintf(parameter, sizeof parameter, "sm.%s_int", what[k]);
        import_set(in, name[INT], parameter, "%s,%s,%s,%s,%s,%s", i, i, i, i, i, i);
        (void)snprintf(parameter, sizeof parameter, "sm.%s_fp", what[k]);
        import_set(in, name[SP], parameter, "%s,%s,%s,%s,%s", s, s, s, s, f);
        (void)snprintf(parameter, sizeof parameter, "sm.%s_dp", what[k]);
        import_set(in, name[DP], parameter, "%s,%s,%s,%s,%s", d, d, d, d, f);
        (void)snprintf(parameter, sizeof parameter, "sm.%s_sfu", what[k]);
        import_set(in, name[SFU], parameter, "%s", f);
        (void)snprintf(parameter, sizeof parameter, "sm.%s_tensor", what[k]);
        import_set(in, name[TENSOR], parameter, "%s", p[TENSOR].text[k]);
        (void)snprintf(parameter, sizeof parameter, "sm.%s_other", what[k]);
        import_set(in, name[INT], parameter, "%s", i);
    }
    const unsigned long half = strtoul(p[SP].text[1], NULL, 10) / 2;
    import_set(in, name[SP], "sm.interval_half", "%lu", half ? half : 1);
    import_set(in, name[INT], "sm.latency_const", "%s", p[INT].text[0]);
    import_set(in, name[INT], "sm.latency_barrier", "1");
    for (unsigned i = 1; i <= 8; i++)
        special_unit(in, i);
}

static void scheduler(struct import *in)
{
    const char *option = "-gpgpu_scheduler", *text = import_text(in, option, "gto");
    static const char *const same[][2] = { { "gto", "gto" }, { "lrr", "lrr" }, { "rrr", "rrr" }, { "old", "oldest" } };
    char *policies = in->result->policies;
    unsigned limit = 0;
    for (size_t i = 0; i < sizeof same / sizeof same[0]; i++)
        if (strcmp(text, same[i][0]) == 0)
            (void)snprintf(policies, sizeof in->result->policies, "%s", same[i][1]);
    if (sscanf(text, "two_level_active:%u:0:1", &limit) == 1) {
        (void)snprintf(policies, sizeof in->result->policies, "two-level");
        import_set(in, option, "policy.two-level.active", "%u", limit);
    } else if (sscanf(text, "warp_limiting:2:%u", &limit) == 1) {
        (void)snprintf(policies, sizeof in->result->policies, "swl");
        import_set(in, option, "policy.swl.limit", "%u", limit);
    } else if (!*policies)
        import_refuse(in, option, "is not modelled; gto, lrr, rrr, old, two_level_active:N:0:1 and warp_limiting:2:N are");
}

void import_sm(struct import *in)
{
    clusters(in);
    clocks(in);
    threads(in);
    pipes(in);
    collectors(in);
    latencies(in);
    if (in->trace)
        trace_latencies(in);
    scheduler(in);
}
