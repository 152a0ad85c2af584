#!/usr/bin/env python3
"""Small kernels on the reference's machine, each against another that must take as long, or longer by a known number of cycles.
Where a number comes from is said with it.

    probes.py BUILD_DIR
"""
import json
import pathlib
import subprocess
import sys
import tempfile

HEAD = ".version 3.2\n.target sm_20\n.address_size 64\n"
REGISTERS = ".reg .pred %p<8>; .reg .b32 %r<32>; .reg .b64 %rd<8>; .reg .f32 %f<4>; .reg .f64 %d<4>;\n.shared .align 4 .b8 words[512];\n"


def run(body, block=32, grid=1, before="", words=4096, options=()):
    """Counters of a kernel k(out), and the words it left in `out`; %rd1 is `out`, %r0 the thread's number, %p0 false."""
    text = (HEAD + before + ".visible .entry k(.param .u64 out) {\n" + REGISTERS +
            "ld.param.u64 %rd1, [out]; mov.u32 %r0, %tid.x; mov.u32 %r1, 0; setp.ne.u32 %p0, %r1, 0;\n" + body + "\nret;\n}\n")
    launch = {"arrays": {"out": {"type": "i32", "n": words, "mode": "lin"}},
              "launches": [{"kernel": "k", "grid": [grid, 1, 1], "block": [block, 1, 1], "args": [{"array": "out"}], "shared": 0}],
              "outputs": ["out"], "kernel_info": {"k": {"regs": 16, "smem": 512}}}
    with tempfile.TemporaryDirectory() as folder:
        at = pathlib.Path(folder)
        (at / "k.ptx").write_text(text, encoding="utf-8")
        (at / "k.json").write_text(json.dumps(launch), encoding="utf-8")
        done = subprocess.run([sys.argv[1] + "/warpline", "run", "--quiet", "--config", "gtx480-gpgpusim", "--ptx", at / "k.ptx", "--launch", at / "k.json",
                               "--json", "-", "--dump-outputs", folder, *options], capture_output=True, text=True, check=False)
        if done.returncode:
            raise SystemExit(done.stderr)
        return json.loads(done.stdout)["totals"], memoryview((at / "out.bin").read_bytes()).cast("i")


def cycles(body, **more):
    return run(body, **more)[0]["cycles"]


def shared_loads_that_no_lane_makes():
    """They pass through the pipeline of shared memory as others do."""
    made = "mov.u32 %r2, words;\n" + "ld.shared.u32 %r3, [%r2];\nadd.s32 %r2, %r2, %r1;\nadd.s32 %r4, %r3, 1;\n" * 8
    return cycles(made), cycles(made.replace("ld.shared", "@%p0 ld.shared"))


def order_of_atomics():
    """Lanes that add to one word are a transaction each, the last goes first, and memory serves them as they come."""
    _, words = run("cvta.to.global.u64 %rd2, %rd1; mul.wide.u32 %rd3, %r0, 4; add.s64 %rd3, %rd2, %rd3;\n"
                   "atom.global.add.u32 %r2, [%rd2+1024], 1; st.global.u32 [%rd3], %r2;")
    return list(range(31, -1, -1)), list(words[:32])


def order_of_atomics_in_shared_memory():
    """Of two warps, the one whose instruction leaves the pipeline first: a conflict of 32 lanes holds the other up."""
    _, words = run("mov.u32 %r5, words; mul.lo.u32 %r6, %r0, 4; add.s32 %r7, %r5, %r6; st.shared.u32 [%r7], 0; bar.sync 0;\n"
                   "atom.shared.add.u32 %r2, [%r5], 1; cvta.to.global.u64 %rd2, %rd1; mul.wide.u32 %rd3, %r0, 4; add.s64 %rd3, %rd2, %rd3;\n"
                   "st.global.u32 [%rd3], %r2;", block=64)
    return list(range(64)), sorted(words[:64])


def instructions_of_a_function():
    """A warp alone issues two instructions in three cycles, in a function as in its kernel: 48 more in a second call, when they are in the
    L1I, cost 72."""
    def second_call(count):
        before = ".func f { .reg .b32 %r<8>;\n" + "".join(f"mov.u32 %r{i % 8}, {i};\n" for i in range(count)) + "ret; }\n"
        return cycles("call.uni f;\n" * 2, before=before) - cycles("call.uni f;\n", before=before)
    return 72, second_call(64) - second_call(16)


def registers_of_a_function():
    """Each function counts its registers from 1: one that has the number of the caller's register that a load is to write waits for it. Here
    that is the eight predicates and %r0 to %r20; the adds that follow take longer than the load. The first call fetches f."""
    def took(register):
        before = (f".func f {{ .reg .b32 %r<64>;\nmov.u32 %r{register}, 1;\n" + "add.s32 %r50, %r50, 1;\n" * 64 + "ret; }\n")
        return cycles("call.uni f;\nld.global.u32 %r20, [%rd1];\ncall.uni f;\n", before=before)
    return [True, 0], [took(28) - took(40) > 100, took(27) - took(40)]


def parameters_of_a_function():
    """Each st.param is a store to local memory, which makes no line in the L1, and each ld.param a load, here from a line of its own: f's
    frame is behind the caller's. The second call finds f's parameter in the L1, for it is the same place."""
    def counts(calls):
        before = ".func f(.param .b32 x) { .reg .b32 %r<2>;\nld.param.u32 %r0, [x];\nadd.s32 %r1, %r0, 1;\nret; }\n"
        l1 = run("{ .param .b32 a;\nst.param.b32 [a], %r0;\n" + "call.uni f, (a);\n" * calls + "}\n", before=before)[0]["l1"]
        return [l1["local_write"]["misses"], l1["local_read"]["misses"], l1["local_read"]["hits"]]
    return [[1, 1, 0], [1, 1, 2]], [counts(1), counts(3)]


def fences_empty_the_l1():
    """Whoever schedules, in the cycle after at the latest: a load behind a fence misses."""
    load = "ld.global.u32 %r2, [%rd1];\nadd.s32 %r3, %r2, 1;\n"
    def hits(between, *options):
        l1 = run(load + between + load, options=options)[0]["l1"]["global_read"]
        return l1["hits"], l1["misses"]
    orders = ([], ["--policy", "lrr"], ["--policy", "two-level"], ["--policy", "swl"])
    return [(0, 2)] * 4 + [(1, 1)], [hits("membar.gl;\n", *options) for options in orders] + [hits("")]


def vector_loads_are_counted_again():
    """A hit completes a load once for each of its registers, a miss once in all: of two loads of four words, the second counts three more."""
    def counts(second):
        text = "cvta.to.global.u64 %rd2, %rd1;\nld.global.v4.u32 {%r2, %r3, %r4, %r5}, [%rd2];\nadd.s32 %r6, %r2, 1;\n" + second
        totals = run(text, block=31)[0]
        return totals["warp_instructions"], totals["thread_instructions"]
    scalar, vector = counts("ld.global.u32 %r8, [%rd2];"), counts("ld.global.v4.u32 {%r8, %r9, %r10, %r11}, [%rd2];")
    return (3, 3 * 31), (vector[0] - scalar[0], vector[1] - scalar[1])


def latencies():
    """From issue to the issue of a dependent instruction: the latency that the reference's configuration gives an operation, and 6."""
    operations = {"mul.hi.u32 %r2, %r2, %r3;": 4, "mul24.lo.s32 %r2, %r2, %r3;": 5, "sad.u32 %r2, %r2, %r3, 1;": 1, "rem.s32 %r2, %r2, %r3;": 145,
                  "div.u64 %rd2, %rd2, %rd3;": 145, "div.approx.f32 %f2, %f2, %f3;": 39, "max.f64 %d2, %d2, %d3;": 19, "mul.f64 %d2, %d2, %d3;": 8,
                  "sqrt.rn.f64 %d2, %d2;": 8, "div.rn.f64 %d2, %d2, %d3;": 330, "cvt.u32.u64 %r2, %rd2; cvt.u64.u32 %rd2, %r2;": 8}
    start = ("mov.u32 %r2, 5; mov.u32 %r3, 3; mov.u64 %rd2, 7; mov.u64 %rd3, 3; mov.f32 %f2, 0f3F800000; mov.f32 %f3, 0f3F900000;\n"
             "mov.f64 %d2, 0d3FF0000000000000; mov.f64 %d3, 0d3FF8000000000000; mov.u32 %r9, 0;\n")

    def took(operation, count, turns):
        return cycles(start + "L:\n" + (operation + "\n") * count + f"add.s32 %r9, %r9, 1; setp.lt.s32 %p1, %r9, {turns}; @%p1 bra L;")

    def latency(operation):
        more = [took(operation, 12, turns) - took(operation, 4, turns) for turns in (4, 12)]  # without the first turn's fetches
        return (more[1] - more[0]) / 8 / 8 - 6
    return list(operations.values()), [latency(operation) for operation in operations]


PROBES = [shared_loads_that_no_lane_makes, order_of_atomics, order_of_atomics_in_shared_memory, instructions_of_a_function, registers_of_a_function,
          parameters_of_a_function, fences_empty_the_l1, vector_loads_are_counted_again,
          latencies]


def main():
    failed = 0
    for probe in PROBES:
        want, got = probe()
        if want != got:
            failed += 1
            print(f"{probe.__name__}: {got}, expected {want}")
    print(f"Ran {len(PROBES)} tests")
    sys.exit(1 if failed else 0)


main()
