#!/usr/bin/env python3
"""What a program sees of its kernel's fault, with and without the machine; and how a study tells why a run failed."""
import json
import os
import pathlib
import tempfile

from harness import OK, PROGRAM_FAILED, ROOT, Case, main, run

# What cudaDeviceSynchronize and everything after it give on a GPU.
CODES = {"outside": 700, "misaligned": 716, "assert": 710, "trap": 719, "barrier": 719}


class Faults(Case):
    @classmethod
    def setUpClass(cls):
        cls._programs = tempfile.TemporaryDirectory(prefix="warpline-faults-")
        cls.program = pathlib.Path(cls._programs.name) / "faults"
        made = run("cc", ROOT / "tests/e2e/cuda/faults.cu", "-o", cls.program)
        assert made.returncode == 0, made.stderr

    @classmethod
    def tearDownClass(cls):
        cls._programs.cleanup()

    def test_both_modes_tell_the_program_what_a_gpu_tells(self):
        for mode in ([], ["--functional"]):
            for what, code in CODES.items():
                with self.subTest(what=what, mode=mode):
                    path = self.folder / "r.json"
                    done = run("run", *mode, "--set", "gpu.watchdog=20000", "--json", path, self.program, what)
                    self.assertEqual(done.stdout, f"{code} {code} {code} {code} {code} 0 0\n")
                    self.assertEqual(done.returncode, PROGRAM_FAILED, done.stderr)
                    kernels = json.loads(path.read_text())["kernels"]
                    self.assertEqual([k["complete"] for k in kernels], [True, False, True])
                    if what != "barrier":
                        self.assertIn("block (0,0,0), thread (", done.stderr)

    def test_a_barrier_that_cannot_open_is_shown_with_who_waits(self):
        done = run("run", "--set", "gpu.watchdog=20000", self.program, "barrier")
        self.assertEqual(done.returncode, PROGRAM_FAILED)
        self.assertIn("waits at a barrier", done.stderr)
        self.assertIn("deadlock: the warps of CTA 0", done.stderr)

    def test_a_program_without_a_fault(self):
        done = run("run", self.program, "none")
        self.assertEqual((done.returncode, done.stdout), (OK, "0 0 0 0 0 0 0\n"), done.stderr)

    def test_a_study_shows_the_reason(self):
        db, table = self.folder / "r.db", self.folder / "t.json"
        done = run("compare", "--policies", "gto,lrr", "--workloads", f"{self.program},vectoradd", "--size", "tiny", "--db", db, "--json", table, cwd=self.folder)
        self.assertEqual(done.returncode, PROGRAM_FAILED)
        self.assertIn("faults with gto: failed: faults.0.ptx:", done.stdout)
        self.assertIn("out of bounds: invalid write", done.stdout)
        self.assertNotIn("the last line of the program", done.stdout)
        self.assertIn(f"the means leave out rows that are not whole: {self.program}\n", done.stdout)
        cells = json.loads(table.read_text())["rows"][0]["cells"]
        self.assertIn("out of bounds", cells[0]["reason"])
        study = self.folder / "s.conf"
        study.write_text(f"workloads = {self.program}\n")
        swept = run("sweep", study, "--db", db, cwd=self.folder)
        self.assertIn("failed: faults.0.ptx:", swept.stderr)

    def test_reasons_that_are_no_fault_of_a_kernel(self):
        late = run("compare", "--policies", "gto", "--workloads", "syrk", "--size", "medium", "--timeout", "1", "--db", self.folder / "r.db")
        self.assertIn("timeout: it took longer than --timeout", late.stdout)
        source = self.put("leaves.c", "#include <stdio.h>\nint main(void) { fprintf(stderr, \"bye\\n\"); return 7; }\n")
        os.system(f"cc {source} -o {self.folder / 'leaves'}")
        left = run("compare", "--policies", "gto", "--workloads", self.folder / "leaves", "--db", self.folder / "r.db")
        self.assertIn("ended with exit code 7", left.stdout)

    def test_an_option_behind_the_program_is_warned_of(self):
        done = run("run", self.program, "none", "--policy", "gto")
        self.assertEqual(done.returncode, OK)
        self.assertIn("--policy stands behind the program and goes to it", done.stderr)
        self.assertIn("--json=x stands behind", run("run", self.program, "none", "--json=x").stderr)
        for words in (["run", "--", self.program, "none", "--policy", "gto"], ["run", "--policy", "gto", self.program, "none", "--its-own"]):
            self.assertNotIn("stands behind", run(*words).stderr)


class Leaves(Case):
    """A program that ends in the middle of a kernel loses its numbers, and that is told."""
    @classmethod
    def setUpClass(cls):
        cls._programs = tempfile.TemporaryDirectory(prefix="warpline-leaves-")
        cls.program = pathlib.Path(cls._programs.name) / "leaves"
        made = run("cc", ROOT / "tests/e2e/cuda/leaves.cu", "-o", cls.program, "-pthread")
        assert made.returncode == 0, made.stderr

    @classmethod
    def tearDownClass(cls):
        cls._programs.cleanup()

    def test_an_end_in_the_middle_of_a_kernel_is_told(self):
        for how, phrase in (("exit", "leaves ended while its kernel endless was running"),
                            ("crash", "leaves was ended by signal 6 (Aborted) while its kernel endless was running")):
            with self.subTest(how):
                path = self.folder / "r.json"
                done = run("run", "--quiet", "--json", path, self.program, how)
                self.refused(done, PROGRAM_FAILED, phrase)
                result = json.loads(path.read_text())
                self.assertEqual(len(result["kernels"]), 1)
                self.assertIn("endless", result["failure"])

    def test_a_recording_of_it_neither_waits_for_ever_nor_leaves_a_file(self):
        done = run("record", "--quiet", "-o", self.folder / "x.wlt", self.program, "exit", timeout=60)
        self.refused(done, PROGRAM_FAILED, "while its kernel endless was running")
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_a_program_that_starts_itself_again_is_told_why_it_is_not_simulated(self):
        done = run("run", "--quiet", self.program, "again")
        self.assertEqual(done.returncode, OK)
        self.assertIn("was started by one that had used the device before", done.stderr)

    def test_a_limit_is_told(self):
        done = run("run", "--quiet", "--max-cycles", "500", self.program, "exit")
        self.assertEqual((done.returncode, done.stderr), (OK, "warpline: warning: stopped before the end: the numbers are what was known by then\n"))


if __name__ == "__main__":
    main()
