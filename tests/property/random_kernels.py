#!/usr/bin/env python3
"""Random kernels on random machines: they end, keep the laws of the counters, and compute what the functional mode computes.

    random_kernels.py WARPLINE [FIRST_SEED [COUNT]]

A kernel is straight code, branches that diverge, loops, loads anywhere in an input, stores to the thread's own place, shared memory
behind barriers, lanes that leave early (in kernels without barriers), and atomic additions whose results nobody reads, or that are
added up: nothing whose outcome depends on the order of threads. Half of the machines have some of the reference's slips. Without
policies SMs sleep and run on; visited in every cycle, they must give the same to the last counter.
"""
import json
import os
import random
import subprocess
import sys
import tempfile

MACHINE = {
    "gpu.sms": [1, 2, 5, 15], "gpu.ejection_buffer": [1, 2, 32], "gpu.dram_clock": ["700MHz", "924MHz", "333MHz"],
    "gpu.net_clock": ["700MHz", "1400MHz"], "sm.schedulers": [1, 2, 4], "sm.register_banks": [1, 3, 16], "sm.response_buffer": [1, 2],
    "sm.collectors": ["1,0,0,1,1", "6,0,0,8,2"], "sm.units": ["2,0,0,1,1", "1,0,0,1,1"], "sm.result_buses": [1, 2],
    "sm.shared_banks": [1, 16, 32], "sm.shared_latency": [2, 26], "l1.sets": [2, 8, 32], "l1.ways": [1, 4],
    "l1.mshr_entries": [1, 2, 64], "l1.mshr_merges": [1, 8], "l1.miss_queue": [2, 8], "l1.hit_latency": [1, 3, 35],
    "l1.enabled": ["true", "false"], "l1i.mshr_entries": [1, 2], "l1i.mshr_merges": [1, 32], "l1i.sets": [1, 4],
    "l1c.mshr_merges": [1, 32], "l2.sets": [1, 64], "l2.ways": [1, 8], "l2.mshr_entries": [1, 256], "l2.mshr_merges": [1, 4],
    "l2.miss_queue": [2, 4], "l2.input_queue": [4, 64], "l2.output_queue": [1, 64], "dram.queue": [1, 64],
    "dram.return_queue": [1, 116], "dram.slice_in": [1, 64], "dram.slice_out": [1, 64], "dram.scheduler": ["frfcfs", "fcfs"],
    "net.flit_bytes": [8, 32, 40],
}
SLIPS = ["reference.reconverge_late", "reference.forget_operands", "reference.divergent_barriers", "reference.late_atomics", "reference.late_writebacks",
         "reference.l1_blind_fills", "reference.l2_blind_fills", "reference.masks_add_up", "reference.copies"]
TICKETS, TICKET_SUM, COUNTS = 256, 257, 258  # places of the array h; those before are for additions anywhere
POLICIES = ["", "gto", "lrr", "oldest", "two-level", "swl", "pric", "srrip", "ccws", "mrpb", "gto,pric,stream-bypass",
            "owl", "mascar", "mascar-schedule", "mascar-reexec", "pcal", "cacheext", "cerf", "pcal,svc", "decoupled-l1d", "decoupled-l1d,srrip",
            "pdp", "profiled-bypass"]

# What paper 003 leaves open, in every mixture: tag stores smaller than the L1, duels after every cycle, counts that age otherwise.
SETTINGS = {"decoupled-l1d": {
    "threshold": [0, 1, 2, 7], "tag_ways": [1, 2, 8, 64], "tag_sets": [0, 1], "duel": ["true", "false"], "interval": [1, 60, 500],
    "difference": [0, 10], "within": ["on", "stay"], "bypass_misses": ["true", "false"], "stores": ["evict", "keep"],
    "ageing": ["minus-one", "shift"], "ties": ["lru", "way"], "count_hits": ["true", "false"], "first_counts": ["true", "false"],
    "local": ["true", "false"], "join": ["true", "false"]}, "pdp": {"distance": [1, 3, 256], "stores": ["true", "false"]}}

STORES_LINES = ["cacheext", "cerf"]  # the L1 in their own way: on a machine that allows it


class Kernel:
    def __init__(self, rng):
        self.rng, self.lines, self.labels, self.leaves = rng, [], 0, rng.random() < 0.4
        self.ints, self.floats = [f"%r{i}" for i in range(8, 16)], [f"%f{i}" for i in range(6)]

    def emit(self, text):
        self.lines.append("\t" + text)

    def label(self):
        self.labels += 1
        return f"L{self.labels}"

    def arithmetic(self):
        r, i, f = self.rng, self.ints, self.floats
        self.emit(r.choice([
            f"add.s32 {r.choice(i)}, {r.choice(i)}, {r.choice(i)};", f"mul.lo.s32 {r.choice(i)}, {r.choice(i)}, {r.randrange(1, 99)};",
            f"xor.b32 {r.choice(i)}, {r.choice(i)}, {r.choice(i)};", f"max.s32 {r.choice(i)}, {r.choice(i)}, {r.choice(i)};",
            f"mad.lo.s32 {r.choice(i)}, {r.choice(i)}, 3, {r.choice(i)};", f"div.u32 {r.choice(i)}, {r.choice(i)}, {r.randrange(1, 9)};",
            f"fma.rn.f32 {r.choice(f)}, {r.choice(f)}, 0f3F000000, {r.choice(f)};", f"add.f32 {r.choice(f)}, {r.choice(f)}, {r.choice(f)};",
            f"sqrt.approx.f32 {r.choice(f)}, {r.choice(f)};", f"cvt.rn.f32.u32 {r.choice(f)}, {r.choice(i)};"]))

    def load(self):
        """From anywhere in the input: 4096 words."""
        r = self.rng
        self.emit(f"mad.lo.s32 %r4, {r.choice(self.ints)}, {r.choice([0, 1, 33, 1024])}, %r3;")
        self.emit("and.b32 %r4, %r4, 4095;")
        self.emit("mul.wide.u32 %rd3, %r4, 4;")
        self.emit("add.s64 %rd3, %rd1, %rd3;")
        self.emit(f"ld.global{r.choice(['', '.cg', '.ca'])}.u32 {r.choice(self.ints)}, [%rd3];")

    def store(self):
        self.emit("mul.wide.u32 %rd4, %r3, 4;")
        self.emit("add.s64 %rd4, %rd2, %rd4;")
        self.emit(f"st.global.u32 [%rd4], {self.rng.choice(self.ints)};")

    def atomic(self):
        self.emit(f"and.b32 %r5, {self.rng.choice(self.ints)}, {self.rng.choice([0, 31, 255])};")
        self.emit("mul.wide.u32 %rd5, %r5, 4;")
        self.emit("add.s64 %rd5, %rd6, %rd5;")
        self.emit(self.rng.choice(["atom.global.add.u32 %r6, [%rd5], ", "red.global.add.u32 [%rd5], "]) + f"{self.rng.randrange(1, 5)};")

    def ticket(self):
        """Whoever comes first gets the lowest number: the sum of all numbers is the same for any order."""
        self.emit(f"atom.global.add.u32 %r6, [%rd6+{TICKETS * 4}], 1;")
        self.emit(f"red.global.add.u32 [%rd6+{TICKET_SUM * 4}], %r6;")

    def shared_atomic(self):
        """On counters that no barrier orders; text() adds them to h."""
        self.emit(f"and.b32 %r5, {self.rng.choice(self.ints)}, 15;")
        self.emit("mul.lo.s32 %r5, %r5, 4;")
        self.emit("mov.u32 %r7, counts;")
        self.emit("add.s32 %r5, %r7, %r5;")
        self.emit("atom.shared.add.u32 %r6, [%r5], 1;")

    def leave(self):
        self.emit(f"and.b32 %r4, {self.rng.choice(self.ints)}, {self.rng.choice([7, 31, 255])};")
        self.emit("setp.eq.u32 %p3, %r4, 5;")
        self.emit(self.rng.choice(["@%p3 ret;", "@%p3 exit;"]))

    def shared(self):
        r = self.rng
        self.emit("bar.sync 0;")
        self.emit("mov.u32 %r4, %tid.x;")
        self.emit(f"mul.lo.s32 %r5, %r4, {r.choice([4, 4, 8, 12])};")
        self.emit("mov.u32 %r7, tile;")
        self.emit("add.s32 %r5, %r7, %r5;")
        self.emit(f"st.shared.u32 [%r5], {r.choice(self.ints)};")
        self.emit("bar.sync 0;")
        self.emit(f"ld.shared.u32 {r.choice(self.ints)}, [%r5];")
        self.emit("bar.sync 0;")

    def branch(self, depth):
        other, end = self.label(), self.label()
        self.emit(f"and.b32 %r4, {self.rng.choice(self.ints)}, {self.rng.choice([1, 4, 63])};")
        self.emit("setp.eq.u32 %p1, %r4, 0;")
        self.emit(f"@%p1 bra {other};")
        self.block(depth + 1, self.rng.randrange(1, 5), False)
        self.emit(f"bra.uni {end};")
        self.lines.append(other + ":")
        self.block(depth + 1, self.rng.randrange(1, 5), False)
        self.lines.append(end + ":")

    def loop(self, depth):
        head, count = self.label(), f"%c{depth}"
        self.emit(f"mov.u32 {count}, {self.rng.randrange(1, 5)};")
        self.lines.append(head + ":")
        self.block(depth + 1, self.rng.randrange(1, 5), False)
        self.emit(f"sub.u32 {count}, {count}, 1;")
        self.emit(f"setp.ne.u32 %p2, {count}, 0;")
        self.emit(f"@%p2 bra {head};")

    def block(self, depth, count, uniform):
        for _ in range(count):
            kind = self.rng.random()
            if kind < 0.45:
                self.arithmetic()
            elif kind < 0.65:
                self.load()
            elif kind < 0.72:
                self.store()
            elif kind < 0.78:
                self.rng.choice([self.atomic, self.atomic, self.ticket, self.shared_atomic])()
            elif kind < 0.86 and self.leaves:
                self.leave()
            elif kind < 0.86 and uniform:
                self.shared()
            elif kind < 0.93 and depth < 3:
                self.branch(depth)
            elif depth < 3:
                self.loop(depth)
            else:
                self.arithmetic()

    def text(self):
        head = """.version 3.2
.target sm_20
.address_size 64
.visible .entry k(.param .u64 k_param_0, .param .u64 k_param_1, .param .u64 k_param_2)
{
	.reg .pred %p<4>;
	.reg .b32 %r<16>;
	.reg .b32 %c<4>;
	.reg .f32 %f<6>;
	.reg .b64 %rd<8>;
	.shared .align 4 .b8 tile[12288];
	.shared .align 4 .b8 counts[64];
	ld.param.u64 %rd1, [k_param_0];
	ld.param.u64 %rd2, [k_param_1];
	ld.param.u64 %rd6, [k_param_2];
	mov.u32 %r0, %ntid.x;
	mov.u32 %r1, %ctaid.x;
	mov.u32 %r2, %tid.x;
	mad.lo.s32 %r3, %r0, %r1, %r2;
"""
        for n, reg in enumerate(self.ints):
            head += f"\tadd.s32 {reg}, %r3, {n * 7};\n"
        for n, reg in enumerate(self.floats):
            head += f"\tcvt.rn.f32.u32 {reg}, %r{8 + n};\n"
        self.block(0, self.rng.randrange(5, 25), True)
        self.store()
        if not self.leaves:
            for line in ("bar.sync 0;", "setp.gt.u32 %p1, %r2, 15;", "@%p1 ret;", "mul.lo.s32 %r5, %r2, 4;", "mov.u32 %r7, counts;",
                         "add.s32 %r7, %r7, %r5;", "ld.shared.u32 %r4, [%r7];", "mul.wide.u32 %rd5, %r2, 4;", "add.s64 %rd5, %rd6, %rd5;",
                         "red.global.add.u32 [%rd5], %r4;"):
                self.emit(line)
        return head + "\n".join(self.lines) + "\n\tret;\n}\n"


# Registers of CTAs that come back one sector after the other from the slowest of these memories take hundreds of thousands of cycles.
PATIENCE = "gpu.watchdog=10000000"


def counted(warpline, target, options, folder):
    """What the kernels counted; None: the run failed."""
    out = os.path.join(folder, "counted.json")
    done = subprocess.run([warpline, "run", "--quiet", "--json", out] + target + options + ["--set", PATIENCE], capture_output=True, timeout=300)
    return None if done.returncode else json.load(open(out))["kernels"]


def sleeps_wrongly(warpline, target, options, folder):
    """What differs when SMs are visited in every cycle; None: nothing."""
    asleep = counted(warpline, target, options, folder)
    if not asleep:
        return f"{' '.join(options)}: the run failed"
    if asleep != counted(warpline, target, options + ["--set", "sm.never_sleep=true"], folder):
        return f"{' '.join(options)}: other counters with sm.never_sleep"
    return None


def one(warpline, seed, folder):
    rng = random.Random(seed)
    ptx, launch = os.path.join(folder, "k.ptx"), os.path.join(folder, "k.json")
    block, grid = rng.choice([1, 31, 32, 96, 200, 256]), rng.choice([1, 2, 17, 40])
    with open(ptx, "w") as f:
        f.write(Kernel(rng).text())
    with open(launch, "w") as f:
        json.dump({"name": "k", "ptx": "k.ptx", "arrays": {
            "a": {"type": "i32", "n": 4096, "mode": "lcg", "A": 1664525, "B": seed},
            "b": {"type": "i32", "n": block * grid, "mode": "lin"}, "h": {"type": "i32", "n": COUNTS, "mode": "lin"}},
            "launches": [{"kernel": "k", "grid": [grid, 1, 1], "block": [block, 1, 1],
                          "args": [{"array": "a"}, {"array": "b"}, {"array": "h"}]}] * rng.choice([1, 2]), "outputs": ["b", "h"]}, f)
    options = []
    for key in rng.sample(sorted(MACHINE), rng.randrange(0, 14)):
        options += ["--set", f"{key}={rng.choice(MACHINE[key])}"]
    for slip in SLIPS if rng.random() < 0.5 else []:
        options += ["--set", f"{slip}={rng.choice(['true', 'false'])}"]
    if any(o in ("l1.sets=2", "l1.sets=8") for o in options):
        options += ["--set", "l1.index=linear"]
    if "l2.ways=1" in options and "reference.l2_blind_fills=true" in options:
        options += ["--set", "reference.l2_blind_fills=false"]  # the set's only line may wait for ever, as in the reference
    target = ["--ptx", ptx, "--launch", launch]
    failure = sleeps_wrongly(warpline, target, options, folder)
    if failure:
        return f"seed {seed}: {failure}"
    policy = rng.choice(POLICIES)
    # CTAs lose their registers and get them back at random, whatever the kernel does: its results must not change.
    forced = options + ["--policy", "linebacker"] + [o for key, value in (("forced", seed + 1), ("window", rng.choice([100, 300, 1000])), (
        "offset", rng.choice([0, 512]))) for o in ("--set", f"policy.linebacker.{key}={value}")]
    if policy:
        options += ["--policy", policy]
    name = policy.split(",")[0]
    for key, values in SETTINGS.get(name, {}).items():
        options += ["--set", f"policy.{name}.{key}={rng.choice(values)}"]
    if policy in STORES_LINES:
        options += ["--set", "reference.l1_blind_fills=false", "--set", "l1.miss_queue=8", "--set", "l1.mshr_entries=64"]
    failure = policy and sleeps_wrongly(warpline, target, options, folder)
    if failure:
        return f"seed {seed}: {failure}"
    outputs = []
    for n, mode in enumerate((["--functional"], options + ["--set", PATIENCE], forced + ["--set", PATIENCE])):
        dump = os.path.join(folder, f"out{n}")
        os.makedirs(dump, exist_ok=True)
        done = subprocess.run([warpline, "run", "--quiet", "--dump-outputs", dump] + target + mode,
                              capture_output=True, text=True, timeout=300)
        if done.returncode:
            lines = done.stderr.strip().splitlines()
            return f"seed {seed}: {' '.join(mode)}: exit {done.returncode}: {lines[-1] if lines else ''}"
        outputs.append([open(os.path.join(dump, n + ".bin"), "rb").read() for n in ("b", "h")])
    for mode, output in zip((options, forced), outputs[1:]):
        if output != outputs[0]:
            return f"seed {seed}: {' '.join(mode)}: the values differ from the functional mode's"
    return None


def main():
    warpline, first, count = sys.argv[1], int((sys.argv + [0, 0])[2]), int((sys.argv + [0, 0, 0])[3] or 20)
    failures = []
    for seed in range(first, first + count):
        with tempfile.TemporaryDirectory() as folder:
            failure = one(warpline, seed, folder)
        if failure:
            failures.append(failure)
            print(failure)
    print(f"{count} random kernels, {len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
