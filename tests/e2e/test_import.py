#!/usr/bin/env python3
"""Configurations of GPGPU-Sim and Accel-Sim become machines: the same as those that were written by hand, or an error with its line."""
import json
import unittest

from harness import BAD_INPUT, OK, ROOT, Case, main, run

KERNEL = ROOT / "tests/validation/kernels/vadd"

# The settings of the GTX 480, as the simulator's authors and their users have them.
FERMI = {
    "gpgpu_n_clusters": "15", "gpgpu_n_cores_per_cluster": "1", "gpgpu_n_mem": "6", "gpgpu_n_sub_partition_per_mchannel": "2",
    "gpgpu_clock_domains": "700.0:700.0:700.0:924.0", "gpgpu_shader_registers": "32768", "gpgpu_shader_core_pipeline": "1536:32",
    "gpgpu_shader_cta": "8", "gpgpu_pipeline_widths": "2,0,0,1,1,2,0,0,1,1,2", "gpgpu_num_sp_units": "2", "gpgpu_num_sfu_units": "1",
    "ptx_opcode_latency_int": "4,13,4,5,145,32", "ptx_opcode_initiation_int": "1,2,2,1,8,4", "ptx_opcode_latency_fp": "4,13,4,5,39",
    "ptx_opcode_initiation_fp": "1,2,1,1,4", "ptx_opcode_latency_dp": "8,19,8,8,330", "ptx_opcode_initiation_dp": "8,16,8,8,130",
    "gpgpu_cache:dl1": "N:32:128:4,L:L:m:N:H,S:64:8,8", "gpgpu_shmem_size": "49152", "icnt_flit_size": "40",
    "gpgpu_n_cluster_ejection_buffer_size": "32", "gpgpu_l1_latency": "35", "gpgpu_smem_latency": "26", "gpgpu_flush_l1_cache": "1",
    "gpgpu_cache:dl2": "S:64:128:8,L:B:m:L:L,A:256:4,4:0,32", "gpgpu_cache:dl2_texture_only": "0",
    "gpgpu_dram_partition_queues": "64:64:64:64", "gpgpu_cache:il1": "N:4:128:4,L:R:f:N:L,S:2:32,4",
    "gpgpu_tex_cache:l1": "N:4:128:24,L:R:m:N:L,T:128:4,128:2", "gpgpu_const_cache:l1": "N:64:64:2,L:R:f:N:L,S:2:32,4",
    "gpgpu_operand_collector_num_units_sp": "6", "gpgpu_operand_collector_num_units_sfu": "8",
    "gpgpu_operand_collector_num_in_ports_sp": "2", "gpgpu_operand_collector_num_out_ports_sp": "2", "gpgpu_num_reg_banks": "16",
    "gpgpu_shmem_num_banks": "32", "gpgpu_shmem_limited_broadcast": "0", "gpgpu_shmem_warp_parts": "1", "gpgpu_coalesce_arch": "20",
    "gpgpu_max_insn_issue_per_warp": "1", "network_mode": "1", "inter_config_file": "net.icnt", "gpgpu_l2_rop_latency": "120",
    "dram_latency": "100", "gpgpu_dram_scheduler": "1", "gpgpu_frfcfs_dram_sched_queue_size": "64",
    "gpgpu_dram_return_queue_size": "116", "gpgpu_n_mem_per_ctrlr": "2", "gpgpu_dram_buswidth": "4", "gpgpu_dram_burst_length": "8",
    "dram_data_command_freq_ratio": "4", "gpgpu_mem_address_mask": "1",
    "gpgpu_mem_addr_mapping": "dramid@8;00000000.00000000.00000000.00000000.0000RRRR.RRRRRRRR.BBBCCCCB.CCSSSSSS",
    "gpgpu_dram_timing_opt": '"nbk=16:CCD=2:RRD=6:RCD=12:RAS=28:RP=12:RC=40:\n   CL=12:WL=4:CDLR=5:WR=12:nbkgrp=4:CCDL=3:RTPL=2"',
    "dram_bnkgrp_indexing_policy": "1", "gpgpu_num_sched_per_core": "2", "gpgpu_scheduler": "gto", "visualizer_enabled": "0",
}
NETWORK = {"flit_size": "40", "subnets": "2", "topology": "fly", "k": "27", "n": "1", "num_vcs": "1", "vc_buf_size": "64",
           "routing_delay": "0", "internal_speedup": "2.0"}

# What the Titan V of Accel-Sim has else, and its trace.config.
VOLTA = {
    "gpgpu_n_clusters": "40", "gpgpu_n_cores_per_cluster": "2", "gpgpu_n_mem": "24", "gpgpu_clock_domains": "1200:1200:1200:850",
    "gpgpu_shader_registers": "65536", "gpgpu_shader_core_pipeline": "2048:32", "gpgpu_shader_cta": "32",
    "gpgpu_pipeline_widths": "4,4,4,4,4,4,4,4,4,4,8,4,4", "gpgpu_num_sp_units": "4", "gpgpu_num_sfu_units": "4",
    "gpgpu_num_dp_units": "4", "gpgpu_num_int_units": "4", "gpgpu_sub_core_model": "1",
    "gpgpu_enable_specialized_operand_collector": "0", "gpgpu_operand_collector_num_units_gen": "8", "gpgpu_num_reg_banks": "8",
    "gpgpu_reg_file_port_throughput": "2", "gpgpu_coalesce_arch": "60", "gpgpu_num_sched_per_core": "4", "gpgpu_scheduler": "lrr",
    "gpgpu_adaptive_cache_config": "1", "gpgpu_shmem_option": "0,8,16,32,64,96", "gpgpu_unified_l1d_size": "128",
    "gpgpu_l1_banks": "4", "gpgpu_cache:dl1": "S:4:128:64,L:T:m:L:L,A:512:8,16:0,32", "gpgpu_l1_cache_write_ratio": "25",
    "gpgpu_l1_latency": "20", "gpgpu_shmem_size": "98304", "gpgpu_smem_latency": "20",
    "gpgpu_cache:dl2": "S:32:128:24,L:B:m:L:P,A:192:4,32:0,32", "gpgpu_memory_partition_indexing": "2",
    "gpgpu_cache:il1": "N:64:128:16,L:R:f:N:L,S:2:48,4", "gpgpu_inst_fetch_throughput": "4",
    "gpgpu_const_cache:l1": "N:128:64:8,L:R:f:N:L,S:2:64,4", "gpgpu_perfect_inst_const_cache": "1", "network_mode": "2",
    "icnt_in_buffer_limit": "512", "icnt_out_buffer_limit": "512", "gpgpu_l2_rop_latency": "160",
    "gpgpu_dram_return_queue_size": "192", "gpgpu_n_mem_per_ctrlr": "1", "gpgpu_dram_buswidth": "16", "gpgpu_dram_burst_length": "2",
    "dram_data_command_freq_ratio": "2", "dram_dual_bus_interface": "1", "dram_bnk_indexing_policy": "1",
    "dram_seperate_write_queue_enable": "1", "dram_write_queue_size": "128:108:32",
    "gpgpu_mem_addr_mapping": "dramid@8;00000000.00000000.00000000.00000000.0000RRRR.RRRRRRRR.RBBBCCCB.CCCSSSSS",
    "gpgpu_dram_timing_opt": "nbk=16:CCD=1:RRD=3:RCD=12:RAS=28:RP=12:RC=40:CL=12:WL=2:CDLR=3:WR=10:nbkgrp=4:CCDL=2:RTPL=3",
}
TRACE = {
    "trace_opcode_latency_initiation_int": "2,2", "trace_opcode_latency_initiation_sp": "2,2",
    "trace_opcode_latency_initiation_dp": "8,4", "trace_opcode_latency_initiation_sfu": "20,8",
    "trace_opcode_latency_initiation_tensor": "8,4", "specialized_unit_1": "1,4,4,4,4,BRA",
    "trace_opcode_latency_initiation_spec_op_1": "4,4", "specialized_unit_2": "1,4,200,4,4,TEX",
    "trace_opcode_latency_initiation_spec_op_2": "200,4", "specialized_unit_3": "1,4,8,4,4,TENSOR",
    "trace_opcode_latency_initiation_spec_op_3": "8,4",
}


def flat(config, prefix=""):
    for name, value in config.items():
        if isinstance(value, dict):
            yield from flat(value, prefix + name + ".")
        else:
            yield prefix + name, value


def machine(config):
    done = run("run", "--config", config, "--max-cycles", "50", "--quiet", "--json", "-", "--ptx", f"{KERNEL}.ptx", "--launch", f"{KERNEL}.json")
    assert done.returncode == OK, done.stderr
    return dict(flat(json.loads(done.stdout)["config"]))


class Import(Case):
    def write(self, changes=(), network=(), without=(), name="gpgpusim.config"):
        options = {**FERMI, **dict(changes)}
        path = self.folder / name
        path.write_text("# a machine\n" + "".join(f"-{o} {v} # as it is\n" for o, v in options.items() if o not in without))
        (self.folder / "net.icnt").write_text("// crossbar\n" + "".join(f"{n} = {v};\n" for n, v in {**NETWORK, **dict(network)}.items()))
        return path

    def made(self, *arguments):
        out = self.folder / "made.conf"
        done = run("import", *arguments, "-o", out)
        self.assertEqual(done.returncode, OK, done.stderr)
        return out, done.stderr

    def differs(self, changes, network=()):
        """The parameters that differ from the GTX 480's, and the policies to run with."""
        out, said = self.made("--exact", self.write(changes, network))
        base = machine("gtx480-gpgpusim")
        return {k: v for k, v in machine(out).items() if base[k] != v}, said.split("--policy ")[1].strip()

    def test_the_gtx_480_is_the_one_that_is_built_in(self):
        self.assertEqual(self.differs({}), ({}, "gto"))
        out, _ = self.made(self.write())
        self.assertEqual(machine(out), machine("gtx480"))

    def test_the_titan_v_is_the_one_that_is_built_in_but_for_what_it_does_not_use(self):
        trace = self.folder / "trace.config"
        trace.write_text("".join(f"-{o} {v}\n" for o, v in TRACE.items()))
        out, said = self.made("--exact", self.write(VOLTA), trace)
        ours, theirs = machine(out), machine("titanv-accelsim")
        # Ports of collectors that sub-cores do not have; a port of the L1 as wide as a sector; a read-to-precharge below the group's.
        unused = {"sm.collector_inputs", "sm.collector_outputs", "l1.port_bytes", "dram.rtp"}
        self.assertEqual({k for k in ours if ours[k] != theirs[k]} - unused, set())
        self.assertIn("--policy lrr", said)

    def test_each_setting_becomes_its_parameters(self):
        for changes, differences in (
                ({"gpgpu_scheduler": "lrr"}, ({}, "lrr")),
                ({"gpgpu_scheduler": "two_level_active:8:0:1"}, ({}, "two-level")),
                ({"gpgpu_cache:dl1": "N:64:128:6,F:T:f:N:L,S:32:4,16"},
                 ({"l1.sets": 64, "l1.ways": 6, "l1.replacement": "fifo", "l1.stores": "through", "l1.allocate_on_miss": False,
                   "l1.index": "linear", "l1.mshr_entries": 32, "l1.mshr_merges": 4, "l1.miss_queue": 16}, "gto")),
                ({"gpgpu_cache:dl1": "none"}, ({"l1.enabled": False}, "gto")),
                ({"gpgpu_n_clusters": "10", "gpgpu_n_cores_per_cluster": "3"}, ({"gpu.sms": 30, "gpu.sms_per_port": 3}, "gto")),
                ({"network_mode": "2"}, ({"net.model": "crossbar", "net.injection_flits": 64, "net.boundary_flits": 64}, "gto")),
                ({"gpgpu_dram_scheduler": "0"}, ({"dram.scheduler": "fcfs"}, "gto")),
                ({"gpgpu_shmem_warp_parts": "2", "gpgpu_simple_dram_model": "1", "dram_elimnate_rw_turnaround": "1",
                  "gpgpu_simt_core_sim_order": "2"},
                 ({"sm.warp_parts": 2, "dram.latency_only": True, "dram.free_turnaround": True, "gpu.ports_in_turn": False}, "gto")),
                ({"ptx_opcode_latency_int": "4,4,4,4,21"}, ({"sm.latency_int": [4, 4, 4, 4, 21, 32]}, "gto")),
                ({"gpgpu_memory_partition_indexing": "2"}, ({"map.slice_hash": "ipoly"}, "gto"))):
            self.assertEqual(self.differs(changes), differences, changes)
        self.assertEqual(self.differs({}, {"vc_buf_size": "8"}), ({"net.input_flits": 8, "net.ejection_flits": 8}, "gto"))
        out, _ = self.made(self.write({"gpgpu_scheduler": "two_level_active:8:0:1"}))
        self.assertIn("policy.two-level.active = 8", out.read_text())

    def test_what_a_file_leaves_out_has_the_simulators_default(self):
        out, _ = self.made(self.write(without=["gpgpu_num_reg_banks", "gpgpu_smem_latency"]))
        made = machine(out)
        self.assertEqual((made["sm.register_banks"], made["sm.shared_latency"]), (8, 3))

    def test_the_last_of_two_counts(self):
        path = self.write()
        path.write_text(path.read_text() + "-gpgpu_n_mem 3\n")
        out, _ = self.made(path)
        self.assertEqual(machine(out)["map.channels"], 3)

    def test_what_is_not_modelled_is_refused_with_its_line(self):
        for changes, said in (({"gpgpu_mem_unit_ports": "2"}, "modelled as 1 only"),
                              ({"gpgpu_new_option": "1"}, "-gpgpu_new_option is not known here"),
                              ({"gpgpu_scheduler": "fancy"}, "gto, lrr, rrr"),
                              ({"gpgpu_cache:dl1": "N:32:128:4,L:B:m:W:H,S:64:8,8"}, "stores"),
                              ({"gpgpu_cache:dl1": "N:32:128:4,L:L:m:N:C,S:64:8,8"}, "the index 'C'"),
                              ({"gpgpu_cache:dl1": "32:128"}, "cannot be read|numbers or names"),
                              ({"gpgpu_n_clusters": "many"}, "no number"), ({"gpgpu_n_mem": "6 ; 7"}, "too much for one setting"),
                              ({"gpgpu_l1_latency": "3" * 200}, "too much for one setting"),
                              ({"gpgpu_mem_addr_mapping": "RRRRBBBBCCCC"}, "dramid@BIT;BITS"),
                              ({"gpgpu_dram_timing_opt": "4:2:8:12:21:13:34:9:4:5:13:1:0:0"}, "NAME=NUMBER"),
                              ({"gpgpu_clock_domains": "700:700"}, "where 4 are expected")):
            done = run("import", self.write(changes))
            self.assertEqual((done.returncode, done.stdout), (BAD_INPUT, ""), changes)
            self.assertRegex(done.stderr, r"gpgpusim\.config:\d+: -")
            self.assertRegex(done.stderr, said)
        self.refused(run("import", self.write(network={"topology": "mesh"})), BAD_INPUT, "net.icnt:", "fly only")
        self.refused(run("import", self.write(without=["gpgpu_cache:il1"])), BAD_INPUT, "no file gives -gpgpu_cache:il1")
        self.refused(run("import", self.write({"gpgpu_n_mem": "100000"})), BAD_INPUT, "map.channels")

    def test_files_that_are_no_configuration(self):
        path = self.folder / "x.config"
        for text, said in (("", "no options"), ("[gpu]\nsms = 4\n", "is not an option"), ('-a "1\n2', "has no end"), ("-a \0", "NUL byte")):
            path.write_text(text)
            self.refused(run("import", path), BAD_INPUT, said)
        self.refused(run("import", self.folder / "none"), BAD_INPUT, "none")
        config = self.write({"inter_config_file": "lost.icnt"})
        self.refused(run("import", config), BAD_INPUT, "lost.icnt")
        self.refused(run("import", self.write(), "-o", "/no/such/folder/x"), BAD_INPUT, "/no/such/folder")


if __name__ == "__main__":
    main()
