#!/usr/bin/env python3
"""Programs of CPUs: recorded under QEMU with exactly the instructions they have; bad traces are refused.

Skipped parts say so: recording needs qemu-x86_64 and a warpline built with capstone.
"""
import json
import os
import shutil
import struct
import subprocess
import unittest

from harness import BAD_INPUT, BUILD, OK, PROGRAM_FAILED, ROOT, USAGE, WARPLINE, Case, main, run, wait_until_it_writes

# 5 instructions, then 1000 rounds of 8, then 7 with a `rep stosq` over 1024 bytes (16 lines), then `syscall`.
KNOWN = r"""
.globl _start
.bss
.balign 64
.lcomm array, 1048576
.text
_start:
  mov $1000, %rcx
  lea array(%rip), %rdi
  xor %eax, %eax
  xor %edx, %edx
  xor %ebx, %ebx
1: mov (%rdi,%rdx,8), %rbx
  add %rcx, %rbx
  mov %rbx, (%rdi,%rdx,8)
  add $9, %rdx
  and $0x1ffff, %rdx
  imul %rbx, %rax
  dec %rcx
  jnz 1b
  lea array(%rip), %rdi
  add $63, %rdi
  and $-64, %rdi
  mov $128, %ecx
  xor %eax, %eax
  rep stosq
  mov $60, %eax
  xor %edi, %edi
  syscall
"""
CAN_RECORD = shutil.which("qemu-x86_64") and (BUILD / "libwarpline_record_cpu.so").exists()


def records(path):
    """A plain trace of ChampSim's as a list of (pc, is_branch, taken, destinations, sources, addresses)."""
    out = []
    for r in struct.iter_unpack("<QBB2B4B6Q", path.read_bytes()):
        out.append((r[0], r[1], r[2], r[3:5], r[5:9], r[9:15]))
    return out


@unittest.skipUnless(CAN_RECORD, "qemu-x86_64 or the plug-in is not there")
class Recording(Case):
    def test_a_signal_leaves_no_half_a_trace(self):
        program = self.put("stays.c", "#include <signal.h>\nint main(void) { signal(SIGTERM, SIG_IGN); for (volatile int i = 0;; i++) ; }\n")
        subprocess.run(["cc", program, "-o", self.folder / "stays"], check=True)
        before = {path.name for path in self.folder.iterdir()}
        words = [WARPLINE, "record-cpu", "-o", "t.wct", "--", "./stays"]
        with subprocess.Popen(words, cwd=self.folder, stderr=subprocess.PIPE, text=True) as running:
            wait_until_it_writes(running)
            running.terminate()
            said = running.communicate(timeout=60)[1]
        self.assertEqual((running.returncode, said), (PROGRAM_FAILED, "warpline: interrupted: nothing was recorded\n"))
        self.assertEqual({path.name for path in self.folder.iterdir()}, before)

    def test_the_trace_must_be_writable_before_anything_runs(self):
        os.mkfifo(self.folder / "pipe")
        self.refused(run("record-cpu", "-o", self.folder / "pipe", "--", "/bin/true"), BAD_INPUT, "no ordinary file")
        self.assertTrue((self.folder / "pipe").is_fifo())
        self.refused(run("record-cpu", "-o", self.folder / "none/t.wct", "--", "/bin/true"), BAD_INPUT, "t.wct: cannot write: No such file")

    def known(self):
        source = self.put("known.S", KNOWN)
        program = self.folder / "known"
        subprocess.run(["gcc", "-nostdlib", "-static", "-o", program, source], check=True)
        return program

    def test_a_known_program(self):
        trace = self.folder / "known.champsim"
        done = run("record-cpu", "-o", trace, "--", self.known())
        self.assertEqual(done.returncode, OK, done.stderr)
        got = records(trace)
        loop = [r for r in got if r[0] == got[5][0]]
        self.assertEqual(len(loop), 1000)
        branches = [r for r in got if r[1]]
        self.assertEqual((len(branches), sum(r[2] for r in branches)), (1000, 999))
        base = loop[0][5][2]
        self.assertEqual([r[5][2] - base for r in loop], [(9 * i & 0x1FFFF) * 8 for i in range(1000)])
        stores = [r for r in got if r[5][0]]
        self.assertEqual([r[5][0] for r in stores[:1000]], [r[5][2] for r in loop])
        self.assertEqual(len(stores), 1000 + 16, "a `rep stosq` over 16 lines is 16 records")
        self.assertEqual(len(got), 5 + 8 * 1000 + 5 + 16 + 3)
        self.assertEqual(loop[0][3][0], 7, "the load writes rbx")
        self.assertEqual(sorted(r for r in loop[0][4] if r), [3, 8], "and reads rdi and rdx")

    def test_zero_is_the_first_thread_and_nothing_skipped(self):
        """As scripts/record-cpu-programs.sh writes it."""
        plain, zeros = self.folder / "plain.wct", self.folder / "zeros.wct"
        self.assertEqual(run("record-cpu", "-o", plain, "--count", 500, "--", self.known()).returncode, OK)
        done = run("record-cpu", "-o", zeros, "--skip", 0, "--count", 500, "--thread", 0, "--", self.known())
        self.assertEqual(done.returncode, OK, done.stderr)
        self.assertEqual(plain.read_bytes(), zeros.read_bytes())

    def test_skip_and_count(self):
        whole, part = self.folder / "whole.champsim", self.folder / "part.wct"
        program = self.known()
        self.assertEqual(run("record-cpu", "-o", whole, "--", program).returncode, OK)
        done = run("record-cpu", "-o", part, "--count", 500, "--", program)
        self.assertIn("500 instructions", done.stdout)
        again = self.folder / "again.champsim"
        self.assertEqual(run("record-cpu", "-o", again, "--from", part).returncode, OK)
        self.assertEqual(records(again), records(whole)[:500])
        done = run("record-cpu", "-o", part, "--skip", 10**9, "--", program)
        self.refused(done, BAD_INPUT, "nothing was recorded")

    def test_copies(self):
        whole = self.folder / "whole.champsim"
        self.assertEqual(run("record-cpu", "-o", whole, "--", self.known()).returncode, OK)
        before = whole.read_bytes()
        for name in ("a.wct", "a.champsim.xz", "a.champsim.gz", "a.champsim.zst"):
            copy, back = self.folder / name, self.folder / "back.champsim"
            self.assertEqual(run("record-cpu", "-o", copy, "--from", whole).returncode, OK)
            self.assertEqual(run("record-cpu", "-o", back, "--from", copy).returncode, OK)
            self.assertEqual(back.read_bytes(), before, name)
        done = run("record-cpu", "-o", self.folder / "b.wct", "--from", whole, "--skip", 5, "--count", 8)
        self.assertIn("8 instructions (1 with loads, 1 with stores, 1 branches)", done.stdout)


def made_up(count):
    """A trace of ChampSim's that needs no recorder: code over many lines, a walk, a chase, stores, branches."""
    state, out = 12345, bytearray()
    for i in range(count):
        state = (state * 6364136223846793005 + 1442695040888963407) % 2**64
        draw = state >> 33
        pc = 0x400000 + (i // 40 * 7919 % 3000) * 160 + i % 40 * 4
        memory = [0] * 6
        if i % 3 == 0:
            memory[2] = 0x10000000 + i * 8
        elif i % 5 == 1:
            memory[2] = 0x20000000 + draw % 30000 * 64
        elif i % 7 == 2:
            memory[0] = 0x30000000 + draw % 9000 * 64
        branch = i % 40 == 39
        out += struct.pack("<QBB2B4B6Q", pc, branch, branch, 26 if branch else 3 + i % 8, 0, 25 if branch else 3 + i % 5, 0, 0, 0, *memory)
    return bytes(out)


class Running(Case):
    def result(self, *arguments):
        path = self.folder / "result.json"
        done = run("run", "--quiet", "--json", path, *arguments)
        self.assertEqual(done.returncode, OK, done.stderr)
        return json.loads(path.read_text())

    def test_misses_are_those_of_an_independent_program(self):
        trace = self.put("a.champsim", made_up(200000))
        reference = self.folder / "reference"
        subprocess.run(["gcc", "-O2", "-o", reference, ROOT / "tests/e2e/llc_reference.c"], check=True)
        for warm in (0, 50000):
            with open(trace, "rb") as stream:
                text = subprocess.run([reference, str(warm), "0"], stdin=stream, capture_output=True, check=True).stdout
            lru, srrip, l2 = map(int, text.split())
            self.assertGreater(lru, 1000)
            self.assertNotEqual(lru, srrip)
            window = ("--set", f"cmp.warmup={warm}")
            for policy, misses in (("lru", lru), ("srrip", srrip)):
                core = self.result("--functional", "--policy", policy, *window, trace)["kernels"][0]
                self.assertEqual((core["llc"]["misses"], core["cpu"]["l2"]["misses"]), (misses, l2), policy)
            plain = self.result("--functional", *window, trace)["kernels"][0]
            self.assertEqual(plain["llc"]["misses"], lru, "without a policy it is LRU")
            timed = self.result(*window, trace)["kernels"][0]
            self.assertEqual(timed["cpu"]["l2"]["misses"], l2, "a core's own caches see the program's order in every run")
            self.assertLess(abs(timed["llc"]["misses"] - lru), lru / 100)

    def test_runs_repeat_and_the_policy_through_hooks_is_the_machines_own(self):
        trace = self.put("a.champsim", made_up(50000))
        first, second = self.result(trace), self.result(trace)
        del first["host"], second["host"]
        self.assertEqual(first, second)
        hooks = self.result("--policy", "lru", trace)
        self.assertEqual(hooks["kernels"], first["kernels"])

    def test_remap_sees_memory_as_it_is(self):
        """Estimates come from dram_view; on the whole what is estimated dearer takes longer."""
        trace = self.put("a.champsim", made_up(200000))
        chip = self.result("--policy", "remap,llc-oracle", trace)["kernels"][-1]
        remap, oracle = chip["remap"], chip["llc_oracle"]
        mac = remap["mac"]
        for kind in ("lowest", "higher", "highest"):
            self.assertGreater(mac[kind]["lines"], 100, kind)
        self.assertLess(mac["lowest"]["mean"], mac["higher"]["mean"])
        self.assertLess(mac["higher"]["mean"], mac["highest"]["mean"])
        self.assertGreater(remap["perd"]["near"], 0)
        self.assertGreater(remap["weights"]["first"] + remap["weights"]["second"], 1000)
        self.assertGreater(oracle["evictions"], 1000)
        self.assertLess(oracle["dropped"], oracle["evictions"] / 50, "write-backs evict as well, and are no step in time")

    def test_remap_on_a_gpu(self):
        """The same file serves the L2 of a GPU, with the GPU's memory."""
        kernels = ROOT / "tests/validation/kernels"
        result = self.result("--policy", "remap", "--set", "l2.sets=4", "--ptx", kernels / "vadd.ptx", "--launch", kernels / "vadd.json")
        mac = result["totals"]["remap"]["mac"]
        self.assertGreater(sum(mac[kind]["filled"] for kind in mac), 0)
        self.assertGreater(mac["lowest"]["lines"], 0)

    def test_policies_of_the_paper_on_four_cores(self):
        names = [self.put(f"{i}.champsim", made_up(20000)) for i in range(4)]
        for policy in ("ta-drrip", "mlp-lin", "remap", "srrip-perd", "srrip-mac", "ship", "brrip", "drrip"):
            chip = self.result("--cpu", "--policy", policy, "--set", "cmp.l3.size=64KiB", *names)
            self.assertEqual(len(chip["kernels"]), 5, policy)

    def test_cost(self):
        done = run("cost", "remap", "--cpu", 1, "--json", "-")
        rows = {row["structure"]: row["bits_per_gpu"] / 8 for row in json.loads(done.stdout)["structures"]}
        self.assertEqual(rows["victim buffer, 3 filters"], 18.75 * 1024, "the paper's 18.75 KB")
        self.refused(run("cost", "remap", "--cpu", 99), USAGE, "at most 16")

    def test_four_cores(self):
        names = [self.put(f"{i}.champsim", made_up(20000 + 5000 * i)) for i in range(4)]
        joined = "+".join(map(str, names))
        window = ("--set", "cmp.instructions=15000", "--set", "cmp.warmup=2000")
        four, same = self.result("--cpu", *window, *names), self.result(*window, joined)
        self.assertEqual([k["name"] for k in four["kernels"]], ["0.champsim", "1.champsim", "2.champsim", "3.champsim", "(shared)"])
        self.assertEqual(four["kernels"], same["kernels"])
        alone = self.result(*window, names[0])["kernels"][0]
        for core in four["kernels"][:4]:
            self.assertEqual(core["cpu"]["instructions"], 15000)
            self.assertTrue(core["complete"])
        self.assertEqual(four["kernels"][0]["cpu"]["l2"]["misses"], alone["cpu"]["l2"]["misses"])
        self.assertLess(alone["cycles"], four["kernels"][0]["cycles"], "who shares memory waits")

    def test_compare_and_database(self):
        a, b = self.put("a.champsim", made_up(30000)), self.put("b.champsim", made_up(20000))
        database = self.folder / "x.db"
        arguments = ("compare", "--db", database, "--policies", "lru,srrip,drrip", "--workloads", f"{a},{a}+{b}", "--json", "-")
        first = run(*arguments)
        self.assertEqual(first.returncode, OK, first.stderr)
        self.assertIn("6 run now", first.stderr)
        self.assertIn("6 already there", run(*arguments).stderr)
        b.write_bytes(made_up(25000))
        self.assertIn("3 already there", run(*arguments).stderr, "another file is another run")

    def test_sweep_and_report_by_name(self):
        for name in ("a", "b"):
            plain = self.put(f"{name}.champsim", made_up(20000))
            self.assertEqual(run("record-cpu", "-o", self.folder / f"{name}.wct", "--from", plain).returncode, OK)
        study = self.put("s.conf", "workloads = cpu:a, cpu:a+cpu:b\npolicies = lru, srrip\nmetrics = llc.mpki\n[axes]\ncmp.l3.size = 512KiB, 1MiB\n")
        environment = dict(os.environ, WARPLINE_CPU_TRACES=str(self.folder))
        database, page = self.folder / "s.db", self.folder / "s.html"
        done = run("sweep", study, "--db", database, env=environment)
        self.assertEqual(done.returncode, OK, done.stderr)
        self.assertEqual(done.stdout.count("\tok\t"), 8, done.stdout)
        self.assertEqual(run("report", "--db", database, "-o", page).returncode, OK)
        self.assertGreater(page.stat().st_size, 10000)
        missing = run("compare", "--db", database, "--policies", "lru", "--workloads", "cpu:c", env=environment)
        self.refused(missing, BAD_INPUT, "there is no such trace", "record-cpu-programs.sh")

    def test_what_a_cpu_cannot_do_is_said(self):
        trace = self.put("a.champsim", made_up(1000))
        self.refused(run("run", "--policy", "gto", trace), BAD_INPUT, "warps")
        self.refused(run("run", "--policy", "bypass-all", trace), BAD_INPUT, "L1")
        self.refused(run("run", "--set", "cmp.rob=100", trace), BAD_INPUT, "power of two")
        self.refused(run("run", "--cpu", "--size", "tiny", trace), USAGE, "cmp.instructions")
        self.refused(run("run", "--cpu"), USAGE)
        self.refused(run("run", "--set", "cmp.warmup=1000", trace), BAD_INPUT, "no more than cmp.warmup")
        cut = self.put("cut.champsim", made_up(1000)[:-5])
        self.refused(run("run", cut), BAD_INPUT, "cut.champsim: offset", "ChampSim")


class Refusals(Case):
    def test_what_record_cpu_refuses(self):
        out = self.folder / "x.wct"
        self.refused(run("record-cpu", "true"), USAGE, "-o FILE.wct")
        self.refused(run("record-cpu", "-o", out), USAGE, "name a program")
        self.refused(run("record-cpu", "-o", out, "--from", self.folder / "absent"), BAD_INPUT, "cannot be read")
        self.refused(run("record-cpu", "-o", out, "--from", self.put("text", "x" * 640)), BAD_INPUT, "ChampSim")
        self.assertFalse(any(self.folder.glob(".warpline*")))
        if CAN_RECORD:
            self.refused(run("record-cpu", "-o", out, "--", "./no-such-program"), BAD_INPUT, "there is no program")


if __name__ == "__main__":
    main()
