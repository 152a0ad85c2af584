#!/usr/bin/env python3
"""Traces: a replay gives exactly what the live run gave; damaged files are refused with the place of the damage.

With WARPLINE_ALL=1 every built-in workload is recorded and replayed, otherwise a few of different kinds.
"""
import json
import os

from harness import BAD_INPUT, OK, ROOT, USAGE, Case, main, run

KERNELS = ROOT / "tests/validation/kernels"
# Regular, divergent with barriers, textures or constants, irregular with atomics, several kernels.
A_FEW = ["vectoradd", "nw", "bfs_queue", "histo", "mriq"]


def workloads():
    if not os.environ.get("WARPLINE_ALL"):
        return A_FEW
    return [line.split()[0] for line in run("list", "workloads").stdout.splitlines() if line[:1].isalpha()]


class Replay(Case):
    def result(self, *arguments):
        path = self.folder / "result.json"
        done = run(*arguments[:1], "--quiet", "--json", path, *arguments[1:])
        self.assertEqual(done.returncode, OK, done.stderr)
        return json.loads(path.read_text())

    def record(self, *target):
        path = self.folder / "x.wlt"
        return path, self.result("record", "-o", path, *target)

    def same(self, live, replayed, what):
        self.assertTrue(live["kernels"], what)
        self.assertEqual(live["kernels"], replayed["kernels"], what)
        self.assertEqual(live["totals"], replayed["totals"], what)

    def test_workloads(self):
        names = workloads()
        self.assertGreaterEqual(len(names), len(A_FEW))
        for name in names:
            with self.subTest(name):
                path, live = self.record("--size", "tiny", name)
                self.same(live, self.result("run", path), name)

    def test_recording_changes_nothing(self):
        _, recorded = self.record("--size", "tiny", "syrk")
        self.same(self.result("run", "--size", "tiny", "syrk"), recorded, "syrk")

    def test_other_machines(self):
        """What was recorded on one machine replays on another as the live run would."""
        path, _ = self.record("--size", "tiny", "syrk")
        for options in (["--policy", "lrr"], ["--policy", "ccws"], ["--config", "gtx480-16k"], ["--config", "maxwell-48k"]):
            with self.subTest(options):
                self.same(self.result("run", *options, "--size", "tiny", "syrk"), self.result("run", *options, path), options)

    def test_ptx(self):
        for name in ("vadd", "spmv_csr"):
            target = ["--ptx", KERNELS / f"{name}.ptx", "--launch", KERNELS / f"{name}.json"]
            if not target[1].exists():
                continue
            path, live = self.record(*target)
            self.same(live, self.result("run", path), name)

    def test_values(self):
        plain, live = self.record("--size", "tiny", "syrk")
        without = plain.stat().st_size
        path, _ = self.record("--size", "tiny", "--data", "syrk")
        self.assertGreater(path.stat().st_size, without)
        self.same(live, self.result("run", path), "--data")

    def test_size(self):
        """Regular kernels take less than two bytes per warp instruction."""
        for name in ("syrk", "hotspot", "sgemm"):
            path, live = self.record("--size", "tiny", name)
            self.assertLess(path.stat().st_size, 2 * live["totals"]["warp_instructions"], name)


class Damage(Case):
    def setUp(self):
        super().setUp()
        self.path = self.folder / "v.wlt"
        self.assertEqual(run("record", "--quiet", "-o", self.path, "--size", "tiny", "vectoradd").returncode, OK)
        self.content = self.path.read_bytes()

    def refuse(self, content, *phrases):
        self.refused(run("run", "--quiet", self.put("bad.wlt", content)), BAD_INPUT, "bad.wlt", *phrases)

    def test_cut_off(self):
        for length in (9, 17, 100, len(self.content) // 2, len(self.content) - 1):
            self.refuse(self.content[:length], "offset ")
        self.refuse(self.content[:100], "offset 100")

    def test_every_byte_counts(self):
        """One wrong bit anywhere behind the header is noticed before a wrong number is printed."""
        for at in range(12, len(self.content), max(1, len(self.content) // 60)):
            changed = bytearray(self.content)
            changed[at] ^= 0x10
            with self.subTest(at):
                self.refuse(bytes(changed), "offset ")

    def test_version(self):
        changed = bytearray(self.content)
        changed[8] = 99
        self.refuse(bytes(changed), "offset 8", "version 99")


class CommandLine(Case):
    def test_refusals(self):
        self.refused(run("record", "syrk"), USAGE, "-o FILE.wlt")
        self.refused(run("record", "-o", self.folder / "none" / "x.wlt", "syrk"), BAD_INPUT, "cannot be written")
        self.refused(run("record", "-o", self.folder / "x.wlt", "no-such-thing"), BAD_INPUT, "no-such-thing")
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_trace_takes_no_arguments(self):
        path = self.folder / "v.wlt"
        run("record", "--quiet", "-o", path, "--size", "tiny", "vectoradd")
        self.refused(run("run", "--functional", path), USAGE, "--functional")
        self.refused(run("run", path, "more"), USAGE, "no arguments")

    def test_failed_program_leaves_nothing(self):
        path = self.folder / "x.wlt"
        done = run("record", "-o", path, "--quiet", "--", "/bin/true")
        self.assertNotEqual(done.returncode, OK)
        self.assertIn("never used the device", done.stderr)
        self.assertEqual(list(self.folder.iterdir()), [])


if __name__ == "__main__":
    main()
