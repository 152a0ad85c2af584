#!/usr/bin/env python3
"""One warp, one mechanism, counters worked out by hand from the reference's rules (docs/model.md, docs/model-caches.md)."""
import json

from harness import OK, Case, main, run

HEAD = """.version 3.2
.target sm_20
.address_size 64
{module}
.visible .entry k(.param .u64 p)
{{
.reg .pred %p<4>; .reg .b16 %h<4>; .reg .b32 %r<80>; .reg .f32 %f<80>; .reg .b64 %d<12>; .reg .f64 %e<80>;
{local}
ld.param.u64 %d1, [p];
mov.u32 %r1, %tid.x;
{body}
ret;
}}
"""


class OneWarp(Case):
    def counters(self, body, *options, module="", local="", shared=0, smem=None, block=32, grid=1):
        text = HEAD.format(body=body, module=module, local=local)
        info = {} if smem is None else {"kernel_info": {"k": {"regs": 16, "smem": smem}}}
        launch = {"arrays": {"a": {"type": "f32", "n": 16384}}, "outputs": [], **info,
                  "launches": [{"kernel": "k", "grid": [grid], "block": [block], "shared": shared, "args": [{"array": "a"}]}]}
        settings = [word for option in options for word in ("--set", option)]
        done = run("run", "--json", "-", "--ptx", self.put("k.ptx", text), "--launch", self.put("k.json", json.dumps(launch)), *settings)
        self.assertEqual(done.returncode, OK, done.stderr)
        return json.loads(done.stdout)["totals"]


class Mechanisms(OneWarp):
    def transactions(self, access, lane_bytes):
        body = f"mul.wide.u32 %d2, %r1, {lane_bytes};\nadd.s64 %d3, %d1, %d2;\n{access}"
        return self.counters(body)["sm"]["transactions"]

    def test_an_element_size_has_its_segment(self):
        self.assertEqual(self.transactions("ld.global.u8 %h1, [%d3];", 1), 1)    # 32 bytes: one segment of 32
        self.assertEqual(self.transactions("ld.global.u8 %h1, [%d3];", 4), 4)    # 128 bytes: four of 32
        self.assertEqual(self.transactions("ld.global.u16 %h1, [%d3];", 2), 1)   # 64 bytes: one of 64
        self.assertEqual(self.transactions("ld.global.u16 %h1, [%d3];", 4), 2)
        self.assertEqual(self.transactions("ld.global.f32 %f1, [%d3];", 4), 1)   # 128 bytes
        self.assertEqual(self.transactions("ld.global.f64 %e1, [%d3];", 8), 2)
        self.assertEqual(self.transactions("ld.global.v2.f32 {%f1, %f2}, [%d3];", 8), 2)
        self.assertEqual(self.transactions("ld.global.v4.f32 {%f1, %f2, %f3, %f4}, [%d3];", 16), 4)
        self.assertEqual(self.transactions("ld.global.cg.f32 %f1, [%d3];", 4), 4) # past the L1: sectors

    def test_a_warp_stays_until_data_that_no_register_waits_for_have_come(self):
        body = "mul.wide.u32 %d2, %r1, 4;\nadd.s64 %d3, %d1, %d2;\ncp.async.ca.shared.global [s], [%d3], 4;"
        module = ".shared .align 16 .b8 s[64];"
        with_load = self.counters(body, module=module)
        self.assertEqual((with_load["l1"]["misses"], with_load["dram"]["reads"] > 0), (1, True))
        # The way to DRAM and back takes far more than a hundred cycles.
        self.assertGreater(with_load["cycles"], self.counters(body.split("cp.async")[0], module=module)["cycles"] + 100)

    def test_atomics_are_cut_into_sectors_and_never_share_a_word(self):
        self.assertEqual(self.transactions("atom.global.add.u32 %r2, [%d3], 1;", 4), 4)
        self.assertEqual(self.transactions("atom.global.add.u32 %r2, [%d3], 1;", 0), 32)
        self.assertEqual(self.transactions("atom.global.add.u32 %r2, [%d3], 1;", 128), 32)

    def test_shared_memory_counts_words_per_bank(self):
        def lost(access, lane_bytes):
            body = f"mov.u64 %d4, s;\nmul.wide.u32 %d2, %r1, {lane_bytes};\nadd.s64 %d3, %d4, %d2;\n{access}"
            return self.counters(body, module=".shared .align 16 .b8 s[8192];")["sm"]["lsu"]["shared_bank"]
        self.assertEqual(lost("ld.shared.f32 %f1, [%d3];", 4), 0)
        self.assertEqual(lost("ld.shared.f32 %f1, [%d3];", 0), 0)      # one word for all
        self.assertEqual(lost("ld.shared.f32 %f1, [%d3];", 8), 1)      # two words in every second bank
        self.assertEqual(lost("ld.shared.f64 %e1, [%d3];", 8), 1)      # the first word of each element counts
        self.assertEqual(lost("ld.shared.f32 %f1, [%d3];", 128), 31)   # all in one bank
        self.assertEqual(lost("atom.shared.add.u32 %r2, [%d3], 1;", 0), 0)

    def test_constants_are_read_line_by_line(self):
        def constant(lane_bytes):
            body = f"mov.u64 %d4, c;\nmul.wide.u32 %d2, %r1, {lane_bytes};\nadd.s64 %d3, %d4, %d2;\nld.const.f32 %f1, [%d3];"
            return self.counters(body, module=".const .align 4 .b8 c[4096];")["l1c"]["accesses"] - 1 # the parameter's line
        self.assertEqual(constant(0), 1)
        self.assertEqual(constant(4), 2)   # 128 bytes in lines of 64
        self.assertEqual(constant(64), 32)

    def test_local_memory_lies_word_by_word_and_stays_in_the_l1(self):
        local = ".local .align 8 .b8 l[64];"
        body = ("mov.u64 %d4, l;\nst.local.u32 [%d4], %r1;\nld.local.u32 %r2, [%d4];\nadd.u32 %r3, %r2, 1;\nst.local.u32 [%d4], %r3;\n"
                "ld.local.f64 %e1, [%d4+8];")
        l1 = self.counters(body, local=local)["l1"]
        self.assertEqual((l1["local_write"]["misses"], l1["local_write"]["hits"]), (1, 1)) # the first travels, the second finds the line
        self.assertEqual((l1["local_read"]["misses"], l1["local_read"]["hits"]), (3, 0))   # a word, and an f64 of two words
        self.assertEqual(l1["writebacks"], 0)

    def test_the_l1_switched_off_for_global_memory_cuts_local_accesses_too(self):
        local = ".local .align 8 .b8 l[64];"
        read = self.counters("mov.u64 %d4, l;\nld.local.u32 %r2, [%d4];", "l1.enabled=false", local=local)["l1"]["local_read"]
        self.assertEqual((read["misses"], read["merged"]), (1, 3))

    def test_a_replaced_line_of_local_memory_is_written_back(self):
        # One line in the L1. Read it, write it, read another: the first leaves as four sectors, to its slice or to the other's.
        body = ("mov.u64 %d4, l;\nld.local.u32 %r2, [%d4];\nadd.u32 %r3, %r2, 1;\nst.local.u32 [%d4], %r3;\nmembar.cta;\n"
                "ld.local.u32 %r4, [%d4+4];\nadd.u32 %r5, %r4, %r3;\nst.local.u32 [%d4+8], %r5;")
        for misplaced in ("false", "true"):
            total = self.counters(body, "l1.sets=1", "l1.ways=1", "l1.index=linear", "l1.flush=false",
                                  f"reference.misplace_writebacks={misplaced}", local=".local .align 8 .b8 l[64];")
            self.assertEqual(total["l1"]["writebacks"], 1)
            written = total["l2"]["l1_writeback"]
            # Its own slice has the line, which was read there; the slice of the other one's has not.
            self.assertEqual(written["hits"], 4 if misplaced == "false" else 0)

    def test_occupancy_counts_the_shared_memory_that_the_launch_file_names(self):
        body = "bar.sync 0;"
        module = ".extern .shared .align 4 .b8 d[];"
        def resident(**more):
            return self.counters(body, "gpu.sms=1", module=module, shared=24576, block=64, grid=8, **more)["sm"]["occupancy"]
        self.assertGreater(resident(smem=0), resident()) # two CTAs fit by their dynamic bytes, eight by the static ones


LOOP = """mov.u32 %r2, 3;
mov.f32 %f2, 0f3F800000;
mov.f64 %e2, 0d3FF0000000000000;
mov.u64 %d5, s;
mov.u32 %r3, {turns};
L:
{body}
add.s32 %r3, %r3, -1;
setp.ne.s32 %p1, %r3, 0;
@%p1 bra L;
"""


class Latencies(OneWarp):
    """One instruction again and again: a row fails when an opcode falls into another class than the reference's, or a pipe gains or
    loses a stage. The figures are the reference's table (tests/validation/README.md)."""
    # From issue to the issue of a dependent one: collecting operands, the dispatch and result registers, write-back.
    BESIDES = 6
    LATENCY = {
        "mov.u32 %r2, %r2;": 1, "shl.b32 %r2, %r2, 1;": 1, "popc.b32 %r2, %r2;": 1, "abs.s32 %r2, %r2;": 1, "cvt.rni.f32.f32 %f2, %f2;": 1,
        "add.s32 %r2, %r2, 1;": 4, "mul.lo.s32 %r2, %r2, 3;": 4, "mul.hi.u32 %r2, %r2, 3;": 4, "mul24.lo.s32 %r2, %r2, 3;": 5,
        "mad.lo.s32 %r2, %r2, 3, %r4;": 5, "mad24.lo.s32 %r2, %r2, 3, %r4;": 6, "max.s32 %r2, %r2, 1;": 13,
        "div.s32 %r2, %r2, 1;": 145, "rem.u32 %r2, %r2, 7;": 145,
        "add.f32 %f2, %f2, %f4;": 4, "fma.rn.f32 %f2, %f2, %f4, %f5;": 5, "min.f32 %f2, %f2, %f4;": 13, "div.rn.f32 %f2, %f2, %f4;": 39,
        "add.f64 %e2, %e2, %e4;": 8, "fma.rn.f64 %e2, %e2, %e4, %e5;": 8, "max.f64 %e2, %e2, %e4;": 19, "div.rn.f64 %e2, %e2, %e4;": 330,
        "sqrt.rn.f32 %f2, %f2;": 8, "ex2.approx.f32 %f2, %f2;": 8, "rcp.rn.f64 %e2, %e2;": 8,
    }
    # Independent ones: the one SFU, which does doubles and divisions too, takes the next after the interval.
    INTERVAL = {
        "div.s32 %r{n}, %r2, 3;": 8, "div.rn.f32 %f{n}, %f2, %f2;": 4, "sqrt.rn.f32 %f{n}, %f2;": 8, "add.f64 %e{n}, %e2, %e2;": 8,
        "max.f64 %e{n}, %e2, %e2;": 16, "div.rn.f64 %e{n}, %e2, %e2;": 130,
    }

    def each(self, instruction):
        """Cycles that one more copy in a loop costs per turn."""
        def per_turn(copies):
            lines = [instruction.replace("{n}", str(4 + copy)) for copy in range(copies)]
            cycles = [self.counters(LOOP.format(turns=turns, body="\n".join(lines)), module=".shared .align 16 .b8 s[64];")["cycles"]
                      for turns in (4, 12)]
            return (cycles[1] - cycles[0]) / 8
        return (per_turn(64) - per_turn(32)) / 32

    def test_dependent_instructions(self):
        for instruction, latency in self.LATENCY.items():
            with self.subTest(instruction):
                self.assertEqual(self.each(instruction), latency + self.BESIDES)

    def test_independent_instructions(self):
        for instruction, interval in self.INTERVAL.items():
            with self.subTest(instruction):
                self.assertEqual(self.each(instruction), interval)

    def test_a_register_that_is_named_twice_is_read_twice(self):
        once, twice, thrice = (self.each(f"fma.rn.f32 %f2, {operands};") for operands in ("%f2, %f4, %f5", "%f2, %f2, %f5", "%f2, %f2, %f2"))
        self.assertEqual((twice, thrice), (once + 1, once + 2))

    def test_shared_memory(self):
        self.assertEqual(self.each("ld.shared.u64 %d5, [%d5];"), 32)


if __name__ == "__main__":
    main()
