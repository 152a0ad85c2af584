/* import_plain.c - options that are parameters by another name, options of which one value is modelled, and options that have no
 * bearing on cycles. The second column is what the simulator takes when a configuration leaves the option out. */
#include "import/machine.h"

#include <string.h>

struct plain {
    const char *option, *otherwise, *parameter;
};
static const struct plain plain[] = {
    { "-gpgpu_n_mem", "8", "map.channels" },
    { "-gpgpu_n_sub_partition_per_mchannel", "1", "map.slices_per_channel" },
    { "-gpgpu_n_cluster_ejection_buffer_size", "8", "gpu.ejection_buffer" },
    { "-gpgpu_kernel_launch_latency", "0", "gpu.launch_latency" },
    { "-gpgpu_TB_launch_latency", "0", "gpu.launch_latency_per_cta" },
    { "-gpgpu_heap_size_limit", "8388608", "device.heap" },
    { "-gpgpu_shader_registers", "8192", "sm.registers" },
    { "-gpgpu_shader_cta", "8", "sm.ctas" },
    { "-gpgpu_shmem_size", "16384", "sm.shared" },
    { "-gpgpu_smem_latency", "3", "sm.shared_latency" },
    { "-gpgpu_shmem_num_banks", "16", "sm.shared_banks" },
    { "-gpgpu_shmem_warp_parts", "2", "sm.warp_parts" },
    { "-gpgpu_num_sched_per_core", "1", "sm.schedulers" },
    { "-gpgpu_max_insn_issue_per_warp", "2", "sm.issues_per_warp" },
    { "-gpgpu_dual_issue_diff_exec_units", "1", "sm.issues_apart" },
    { "-gpgpu_inst_fetch_throughput", "1", "sm.fetch_width" },
    { "-gpgpu_num_reg_banks", "8", "sm.register_banks" },
    { "-gpgpu_reg_file_port_throughput", "1", "sm.collector_steps" },
    { "-gpgpu_n_ldst_response_buffer_size", "2", "sm.response_buffer" },
    { "-gpgpu_l1_latency", "1", "l1.hit_latency" },
    { "-gpgpu_flush_l1_cache", "0", "l1.flush" },
    { "-gpgpu_l1_banks", "1", "l1.banks" },
    { "-gpgpu_l1_cache_write_ratio", "0", "l1.written_percent" },
    { "-gpgpu_perfect_inst_const_cache", "0", "l1i.perfect" },
    { "-gpgpu_perfect_inst_const_cache", "0", "l1c.perfect" },
    { "-gpgpu_l2_rop_latency", "85", "l2.rop_latency" },
    { "-gpgpu_perf_sim_memcpy", "1", "l2.memcpy_fills" },
    { "-icnt_flit_size", "32", "net.flit_bytes" },
    { "-gpgpu_dram_return_queue_size", "0", "dram.return_queue" },
    { "-gpgpu_dram_burst_length", "4", "dram.burst" },
    { "-dram_data_command_freq_ratio", "2", "dram.data_rate" },
    { "-dram_dual_bus_interface", "0", "dram.dual_command" },
    { "-dram_latency", "30", "dram.latency" },
    { "-dram_elimnate_rw_turnaround", "0", "dram.free_turnaround" }, /* spelt so there */
    { "-gpgpu_simple_dram_model", "0", "dram.latency_only" },
};

struct only {
    const char *option, *otherwise, *value, *else_what;
};
static const struct only only[] = {
    { "-gpgpu_ptx_sim_mode", "0", "0", "a run without timing is 'warpline run --functional'" },
    { "-gpgpu_ptx_convert_to_ptxplus", "0", "0", "code of that kind is not read here" },
    { "-gpgpu_simd_model", "1", "1", "warps meet again at immediate post-dominators" },
    { "-gpgpu_num_mem_units", "1", "1", "an SM has one memory unit" },
    { "-gpgpu_mem_unit_ports", "1", "1", "an SM's memory unit has one port" },
    { "-gpgpu_shmem_limited_broadcast", "1", "0", "a word of shared memory reaches all lanes at once" },
    { "-gpgpu_reg_bank_use_warp_id", "0", "0", "a register's bank is that of its number and its warp's" },
    { "-gpgpu_concurrent_kernel_sm", "0", "0", "one kernel runs at a time" },
    { "-gpgpu_perfect_mem", "0", "0", "the simulator ends with it" },
    { "-l2_ideal", "0", "0", "an L2 slice has queues and MSHRs" },
    { "-gpgpu_cache:dl2_texture_only", "1", "0", "the L2 serves all accesses" },
    { "-gpgpu_flush_l2_cache", "0", "0", "the L2 keeps its lines from kernel to kernel" },
    { "-gpgpu_mem_address_mask", "0", "1", "addresses are spread over channels by -gpgpu_mem_addr_mapping alone" },
    { "-gpgpu_l1_banks_byte_interleaving", "32", "32", "banks of the L1 take turns with its sectors" },
    { "-gpgpu_l1_banks_hashing_function", "0", "0", "banks of the L1 take turns" },
    { "-icnt_subnets", "2", "2", "there is a network each way" },
    { "-icnt_arbiter_algo", "1", "1", "the crossbar's arbiter is the one numbered 1" },
    { "-icnt_grant_cycles", "1", "1", "the crossbar is granted anew in each cycle" },
    { "-dvfs_enabled", "0", "0", "clocks do not change" },
};

/* What a run prints, where it writes, which programs it takes (some only with a warning), when it ends, and power. */
static const char *const silent[] = {
    "-gpgpu_ptx_instruction_classification",
    "-gpgpu_ptx_force_max_capability",
    "-gpgpu_ptx_use_cuobjdump",
    "-gpgpu_ptx_save_converted_ptxplus",
    "-gpgpu_experimental_lib_support",
    "-gpgpu_ptx_inst_debug_to_file",
    "-gpgpu_ptx_inst_debug_file",
    "-gpgpu_ptx_inst_debug_thread_uid",
    "-gpgpu_stack_size_limit",
    "-gpgpu_runtime_sync_depth_limit",
    "-gpgpu_runtime_pending_launch_count_limit",
    "-gpgpu_compute_capability_major",
    "-gpgpu_compute_capability_minor",
    "-gpgpu_occupancy_sm_number",
    "-gpgpu_registers_per_block",
    "-gpgpu_shmem_sizeDefault",
    "-gpgpu_shmem_per_block",
    "-gpgpu_shmem_size_PrefL1",
    "-gpgpu_shmem_size_PrefShared",
    "-gpgpu_cache:dl1PrefL1",
    "-gpgpu_cache:dl1PrefShared",
    "-gpgpu_num_cta_barriers",
    "-gpgpu_local_mem_map",
    "-gpgpu_warpdistro_shader",
    "-gpgpu_warp_issue_shader",
    "-gpgpu_tensor_core_avail",
    "-gpgpu_num_tensor_core_units",
    "-gpgpu_max_concurrent_kernel",
    "-gpgpu_memlatency_stat",
    "-gpgpu_runtime_stat",
    "-gpgpu_cflog_interval",
    "-gpgpu_deadlock_detect",
    "-gpgpu_ignore_resources_limitation",
    "-gpgpu_mem_addr_test",
    "-gpgpu_clock_gated_lanes",
    "-gpgpu_clock_gated_reg_file",
    "-n_regfile_gating_group",
    "-liveness_message_freq",
    "-enable_ptx_file_line_stats",
    "-ptx_line_stats_filename",
    "-save_embedded_ptx",
    "-keep",
    "-icnt_verbose",
    "-gpuwattch_xml_file",
    "-aggregate_power_stats",
    "-steady_power_levels_enabled",
    "-steady_state_definition",
    "-hw_perf_file_name",
    "-hw_perf_bench_name",
    "-gpgpu_cdp_enabled",
    "-cdp_latency",
    "-inter_config_file",
};
static const char *const silent_beginnings[] = { "-power_",        "-accelwattch_",     "-visualizer_",
                                                 "-trace_enabled", "-trace_components", "-trace_sampling_" };

static bool is_silent(const char *name)
{
    for (size_t i = 0; i < sizeof silent / sizeof silent[0]; i++)
        if (strcmp(name, silent[i]) == 0)
            return true;
    for (size_t i = 0; i < sizeof silent_beginnings / sizeof silent_beginnings[0]; i++)
        if (strncmp(name, silent_beginnings[i], strlen(silent_beginnings[i])) == 0)
            return true;
    return false;
}

void import_plain(struct import *in)
{
    for (const struct plain *p = plain; p < plain + sizeof plain / sizeof plain[0]; p++)
        import_set(in, p->option, p->parameter, "%s", import_text(in, p->option, p->otherwise));
    for (const struct only *o = only; o < only + sizeof only / sizeof only[0]; o++)
        if (strcmp(import_text(in, o->option, o->otherwise), o->value) != 0)
            import_refuse(in, o->option, "is modelled as %s only: %s", o->value, o->else_what);
    for (size_t i = 0; i < in->options->count; i++)
        in->options->option[i].known |= is_silent(in->options->option[i].name);
}
