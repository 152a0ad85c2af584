#!/usr/bin/env python3
"""warpline run on PTX: results that repeat and feed back, and every way a run can be refused or stopped."""
import json
import signal
import subprocess
import time
import unittest

from harness import BAD_INPUT, INTERNAL, OK, PROGRAM_FAILED, ROOT, USAGE, WARPLINE, Case, main, run

KERNELS = ROOT / "tests/validation/kernels"


def ptx(name):
    return ["--ptx", KERNELS / f"{name}.ptx", "--launch", KERNELS / f"{name}.json"]


def measured(done):
    """The result without what depends on the host."""
    result = json.loads(done.stdout)
    host = result.pop("host")
    return result, host


class Results(Case):
    def test_two_runs_give_the_same_bytes(self):
        first, host = measured(run("run", "--json", "-", *ptx("conv2d")))
        second, _ = measured(run("run", "--json", "-", *ptx("conv2d")))
        self.assertEqual(json.dumps(first), json.dumps(second))
        self.assertGreater(host["peak_rss_bytes"], 0)
        self.assertEqual(first["totals"]["kernels"], len(first["kernels"]))
        self.assertEqual(first["totals"]["cycles"], sum(k["cycles"] for k in first["kernels"]))
        for kernel in first["kernels"]:
            reads = kernel["l1"]
            self.assertEqual(reads["accesses"], reads["hits"] + reads["merged"] + reads["misses"] + reads["bypassed"])

    def test_a_result_is_a_configuration(self):
        path = self.folder / "first.json"
        done = run("run", "--json", path, "--policy", "lrr", "--set", "l1.sets=64", "--set", "l1.mshr_entries=8", *ptx("reduction"))
        self.assertEqual(done.returncode, OK, done.stderr)
        first = json.loads(path.read_text())
        second, _ = measured(run("run", "--config", path, "--json", "-", *ptx("reduction")))
        del first["host"]
        self.assertEqual(first, second)
        self.assertEqual(second["config"]["l1"]["sets"], 64)
        self.assertEqual(second["policies"], ["lrr"])

    def test_a_kernel_says_how_many_ctas_an_sm_holds(self):
        for options, most in ([], 6), (["--set", "sm.ctas=3"], 3), (["--set", "sm.threads=512"], 2):
            result, _ = measured(run("run", "--json", "-", *options, *ptx("vadd")))
            (kernel,) = result["kernels"]
            self.assertEqual((kernel["block"][0], kernel["ctas_per_sm"]), (256, most), options)
        values, _ = measured(run("run", "--functional", "--json", "-", *ptx("vadd")))
        self.assertNotIn("ctas_per_sm", values["kernels"][0])  # no machine

    def test_the_summary_is_on_stderr(self):
        done = run("run", *ptx("vadd"))
        self.assertEqual((done.returncode, done.stdout), (OK, ""))
        for word in ("cycles", "IPC", "occupancy", "issue slots", "L1 ", "L2 ", "DRAM", "simulated in"):
            self.assertIn(word, done.stderr)
        self.assertLessEqual(done.stderr.count("\n"), 24)
        self.assertEqual(run("run", "--quiet", *ptx("vadd")).stderr, "")

    def test_a_function_right_behind_its_kernel_is_fetched(self):
        """Its first address stands twice in the kernel's table: as what lies behind the kernel, and as its own."""
        code = self.put("call.ptx", """.version 3.2
.target sm_20
.address_size 64
.func (.reg .u32 %out) twice (.reg .u32 %in);
.visible .entry caller()
{
  .reg .u32 %r<3>;
  mov.u32 %r1, 3;
  call (%r2), twice, (%r1);
  ret;
}
.func (.reg .u32 %out) twice (.reg .u32 %in)
{
  add.u32 %out, %in, %in;
  ret;
}
""")
        launch = self.put("call.json", json.dumps({"arrays": {}, "launches": [{"kernel": "caller", "grid": [1, 1, 1], "block": [64, 1, 1],
                                                                               "args": []}], "outputs": []}))
        for machine in "gtx480", "gtx480-gpgpusim":
            with self.subTest(machine=machine):
                result, _ = measured(run("run", "--config", machine, "--set", "gpu.watchdog=20000", "--json", "-", "--ptx", code, "--launch", launch))
                self.assertTrue(result["kernels"][0]["complete"])

    def test_the_machine_matters(self):
        slow, _ = measured(run("run", "--json", "-", "--set", "gpu.sms=1", *ptx("vadd")))
        fast, _ = measured(run("run", "--json", "-", *ptx("vadd")))
        self.assertGreater(slow["totals"]["cycles"], 2 * fast["totals"]["cycles"])
        self.assertEqual(slow["totals"]["warp_instructions"], fast["totals"]["warp_instructions"])


class Refusals(Case):
    def test_targets(self):
        self.refused(run("run"), USAGE, "name a program")
        self.refused(run("run", "--ptx", KERNELS / "vadd.ptx"), USAGE, "--launch")
        self.refused(run("run", "no-such-thing"), BAD_INPUT, "no-such-thing")
        self.refused(run("run", "--ptx", self.folder / "x.ptx", "--launch", KERNELS / "vadd.json"), BAD_INPUT, "x.ptx")
        self.refused(run("run", "--ptx", KERNELS / "vadd.ptx", "--launch", self.folder / "x.json"), BAD_INPUT, "x.json")
        self.refused(run("run", "--ptx", self.folder, "--launch", KERNELS / "vadd.json"), BAD_INPUT)

    def test_broken_files(self):
        for content in (b"", b"\0" * 100, b".version 99\n", b".version 3.2\n.target sm_20\n.entry {", b"\xff" * 1000):
            path = self.put("x.ptx", content)
            self.refused(run("run", "--ptx", path, "--launch", KERNELS / "vadd.json"), BAD_INPUT)
        for content in (b"", b"{", b"[]", b"{}", b'{"launches": 3}', b'{"arrays": {}, "launches": [{"kernel": "none"}]}'):
            path = self.put("x.json", content)
            self.refused(run("run", "--ptx", KERNELS / "vadd.ptx", "--launch", path), BAD_INPUT)

    def test_what_no_machine_has_is_refused_before_memory_is_spent(self):
        def asked(change):
            launch = json.loads((KERNELS / "vadd.json").read_text())
            change(launch)
            return run("run", "--quiet", *ptx("vadd")[:2], "--launch", self.put("l.json", json.dumps(launch)))
        self.refused(asked(lambda launch: launch["launches"][0].update(shared=100000)), BAD_INPUT, "100000 bytes of dynamic shared memory",
                     "sm.shared")
        self.refused(asked(lambda launch: launch["arrays"]["a"].update(n=4 * 10**9)), BAD_INPUT, "arrays.a", "device.memory")

    def test_policies(self):
        self.refused(run("run", "--policy", "gt0", *ptx("vadd")), BAD_INPUT, "gt0")
        self.refused(run("run", "--policy", "gto,gto", *ptx("vadd")), BAD_INPUT, "gto")
        self.refused(run("run", "--policy", "gto,lrr", *ptx("vadd")), BAD_INPUT, "gto", "lrr")
        self.refused(run("run", "--policy", "gto,,lrr", *ptx("vadd")), BAD_INPUT, "empty name")
        self.refused(run("run", "--set", "policy.swl.limit=2", *ptx("vadd")), BAD_INPUT, "policy.swl.limit")

    def test_a_place_that_cannot_be_written_is_refused_before_the_run(self):
        start = time.monotonic()
        self.refused(run("run", "--json", self.folder / "no" / "r.json", *ptx("matmul_naive")), BAD_INPUT, "No such file")
        self.assertLess(time.monotonic() - start, 5)

    def test_a_full_disk_is_an_error(self):
        done = run("run", "--quiet", "--json", "/dev/full", *ptx("vadd"))
        self.refused(done, BAD_INPUT, "No space left on device")


class Stopping(Case):
    def setUp(self):
        super().setUp()
        code = self.put("spin.ptx", ".version 3.2\n.target sm_20\n.address_size 64\n.visible .entry spin()\n{\nforever:\n  bra forever;\n}\n")
        launch = self.put("spin.json", json.dumps({"arrays": {}, "launches": [{"kernel": "spin", "grid": [1, 1, 1], "block": [32, 1, 1],
                                                                               "args": []}], "outputs": []}))
        self.endless = ["--ptx", code, "--launch", launch]

    def test_max_cycles_reports_what_is_known(self):
        done = run("run", "--max-cycles", "500", "--json", "-", *ptx("vadd"))
        result = json.loads(done.stdout)
        self.assertFalse(result["kernels"][-1]["complete"])
        self.assertLess(result["totals"]["cycles"], 2000)

    def test_a_machine_that_hangs_says_who_waits_for_what(self):
        """A memory that takes 100000 cycles is as good as one that never answers when the watchdog waits for 1000 only."""
        done = run("run", *ptx("vadd"), "--set", "gpu.watchdog=1000", "--set", "dram.latency=100000", "--json", self.folder / "r.json")
        self.assertEqual(done.returncode, INTERNAL)
        self.assertRegex(done.stderr, r"warp 3 of CTA 0: next instruction at 0 \(PTX line \d+\), waits for its instruction from memory")
        self.assertIn("hangs: no instruction issued for", done.stderr.splitlines()[-1])
        kernels = json.loads((self.folder / "r.json").read_text())["kernels"]
        self.assertEqual([(k["name"], k["complete"]) for k in kernels], [("vadd_k", False)])  # it is told, and that it did not end

    def test_interrupt_reports_what_is_known(self):
        path = self.folder / "r.json"
        with subprocess.Popen([WARPLINE, "run", "--json", path, *self.endless], stderr=subprocess.PIPE, stdout=subprocess.PIPE,
                              text=True) as child:
            time.sleep(0.7)
            child.send_signal(signal.SIGINT)
            _, said = child.communicate(timeout=30)
        self.assertIn(child.returncode, (OK, PROGRAM_FAILED), said)
        self.assertIn("what was known", said)
        self.assertFalse(json.loads(path.read_text())["kernels"][-1]["complete"])

    def test_a_killed_run_leaves_no_half_result(self):
        path = self.folder / "r.json"
        path.write_text("old")
        with subprocess.Popen([WARPLINE, "run", "--json", path, *self.endless], stderr=subprocess.DEVNULL) as child:
            time.sleep(0.3)
            child.kill()
        self.assertEqual(path.read_text(), "old")


if __name__ == "__main__":
    main()
