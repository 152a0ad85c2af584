#!/usr/bin/env python3
"""Traces: a replay gives exactly what the live run gave; damaged files are refused with the place of the damage.

With WARPLINE_ALL=1 every built-in workload is recorded and replayed, otherwise a few of different kinds.
"""
import json
import os

from harness import BAD_INPUT, BUILD, OK, ROOT, USAGE, Case, main, run

KERNELS = ROOT / "tests/validation/kernels"
# Regular, divergent with barriers, textures or constants, irregular with atomics, several kernels.
A_FEW = ["vectoradd", "nw", "bfs_queue", "histo", "mriq"]


def workloads():
    if not os.environ.get("WARPLINE_ALL"):
        return A_FEW
    return [line.split()[0] for line in run("list", "workloads").stdout.splitlines() if line[:1].isalpha()]


class Recording(Case):
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


class Replay(Recording):
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
        for name in ("vadd", "atomic_histogram"):
            path, live = self.record("--ptx", KERNELS / f"{name}.ptx", "--launch", KERNELS / f"{name}.json")
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


class Contents(Recording):
    """With --data a replay knows what every line holds: a plug-in hashes the lines that fill the L1, live and replayed."""
    HASH = ["--plugin", BUILD / "tests/unit/policy/plugin_line_hash.so", "--policy", "line-hash"]
    # Host, managed and registered memory; symbols; malloc and free in kernels; matrices; surfaces; atomics; memory that is freed.
    PROGRAMS = ["host_memory", "managed_variables", "symbols", "device_heap", "matrix", "textures", "atomics"]

    def hashes(self, what, *target):
        path, live = self.record(*self.HASH, "--data", *target)
        self.assertGreater(live["totals"]["line_hash"]["not_zero"], 0, what)
        self.same(live, self.result("run", *self.HASH, path), what)
        return path, live

    def test_workloads_hold_the_same(self):
        for name in workloads():
            with self.subTest(name):
                self.hashes(name, "--size", "tiny", name)

    def test_programs_hold_the_same(self):
        for name in self.PROGRAMS:
            with self.subTest(name):
                program = self.folder / name
                self.assertEqual(run("cc", ROOT / f"tests/e2e/cuda/{name}.cu", "-o", program).returncode, OK)
                self.hashes(name, "--", program)

    def test_ptx_holds_the_same(self):
        self.hashes("atomic_histogram", "--ptx", KERNELS / "atomic_histogram.ptx", "--launch", KERNELS / "atomic_histogram.json")

    def test_a_trace_of_a_trace(self):
        path, live = self.hashes("nw", "--size", "tiny", "nw")
        first = path.rename(self.folder / "first.wlt")
        again, _ = self.record(*self.HASH, "--data", first)
        self.same(live, self.result("run", *self.HASH, again), "again")

    def test_without_values_nothing_is_read(self):
        path, live = self.record(*self.HASH, "--size", "tiny", "nw")
        replayed = self.result("run", *self.HASH, path)
        self.assertGreater(live["totals"]["line_hash"]["lines"], 0)
        self.assertEqual(replayed["totals"]["line_hash"]["lines"], 0)
        self.refused(run("record", "--data", "-o", self.folder / "y.wlt", path), USAGE, "x.wlt holds no values", "leave --data out")

    def test_a_compressed_cache_needs_values(self):
        """The same from a trace with values as live; without them one sentence says what to do."""
        policy = ["--config", "gtx480-latte", "--policy", "static-sc", "--set", "policy.compressed-l1.phase_accesses=8"]
        path, live = self.record(*policy, "--data", "--size", "tiny", "nw")
        self.assertGreater(live["totals"]["compressed_l1"]["compressions"]["sc"], 0)
        self.same(live, self.result("run", *policy, path), "with values")
        path, _ = self.record("--size", "tiny", "nw")
        self.refused(run("run", "--quiet", *policy, path), BAD_INPUT, "looks at what lines hold", "warpline record --data")

    def test_no_compression_is_the_plain_machine(self):
        config = ["--config", "gtx480-latte"]
        plain = self.result("run", *config, "--size", "tiny", "floydwarshall")
        for policy in (["--policy", "compressed-l1", "--set", "policy.compressed-l1.algorithm=none"],):
            other = self.result("run", *config, *policy, "--size", "tiny", "floydwarshall")
            self.assertEqual(plain["totals"]["cycles"], other["totals"]["cycles"])
            self.assertEqual(plain["totals"]["l1"], other["totals"]["l1"])


class Damage(Case):
    RECORDED = ["--size", "tiny", "vectoradd"]

    def setUp(self):
        super().setUp()
        self.path = self.folder / "v.wlt"
        self.assertEqual(run("record", "--quiet", "-o", self.path, *self.RECORDED).returncode, OK)
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


class DamagedData(Damage):
    """The same with values in the file: most of its bytes are what the host wrote."""
    RECORDED = ["--data", "--size", "tiny", "vectoradd"]

    def test_pages_are_named_by_their_offset(self):
        self.assertGreater(len(self.content), 30000)
        changed = bytearray(self.content)
        changed[16 + 20 + 1000] ^= 1  # in the first chunk behind the header: pages
        self.refuse(bytes(changed), "offset 16:", "check of this chunk fails")


class CommandLine(Case):
    def test_refusals(self):
        self.refused(run("record", "syrk"), USAGE, "-o FILE.wlt")
        self.refused(run("record", "-o", self.folder / "none" / "x.wlt", "syrk"), BAD_INPUT, "cannot be written")
        self.refused(run("record", "-o", self.folder / "x.wlt", "no-such-thing"), BAD_INPUT, "no-such-thing")
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_only_files_are_replaced(self):
        self.refused(run("record", "-o", self.folder, "syrk"), BAD_INPUT, "it is a directory")
        (self.folder / "link").symlink_to("/dev/null")
        os.mkfifo(self.folder / "pipe")
        for name in ("link", "pipe"):
            self.refused(run("record", "-o", self.folder / name, "--size", "tiny", "vectoradd"), BAD_INPUT, "no ordinary file")
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), ["link", "pipe"])

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
