#!/usr/bin/env python3
"""Bad luck: a kill at the wrong moment, two at one file, no descriptor left, names that no one expects."""
import json
import os
import resource
import shutil
import signal
import subprocess
import time
import unittest

from harness import BAD_INPUT, BUILD, OK, PROGRAM_FAILED, WARPLINE, Case, main, run, wait_until_it_writes

CAN_RECORD_CPU = shutil.which("qemu-x86_64") and (BUILD / "libwarpline_record_cpu.so").exists()
LONG = ("syrk", "--size", "medium")  # many seconds: it is killed long before its end


class Killed(Case):
    """SIGKILL leaves nothing that would have to be cleared away."""

    def kill_while_it_writes(self, *words, **options):
        before = sorted(self.folder.iterdir())
        with subprocess.Popen([WARPLINE, *words], cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, **options) as running:
            wait_until_it_writes(running)
            self.assertIsNone(running.poll(), running.stderr.read() if running.poll() is not None else "")
            running.kill()
            running.wait()
        self.assertEqual(sorted(self.folder.iterdir()), before)

    def test_record(self):
        self.kill_while_it_writes("record", "-o", "t.wlt", *LONG)

    @unittest.skipUnless(CAN_RECORD_CPU, "qemu-x86_64 or the plug-in is not there")
    def test_record_cpu(self):
        self.kill_while_it_writes("record-cpu", "-o", "t.wct", "--", "/bin/sh", "-c", "while :; do :; done")

    def test_a_run_whose_technique_needs_two(self):
        environment = dict(os.environ, TMPDIR=str(self.folder))
        self.kill_while_it_writes("run", "--policy", "profiled-bypass", *LONG, env=environment)


class Together(Case):
    def test_two_recordings_to_one_name_do_not_meet(self):
        both = [subprocess.Popen([WARPLINE, "record", "vectoradd", "--size", size, "-o", "t.wlt", "--quiet"], cwd=self.folder,
                                 stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) for size in ("tiny", "small")]
        for one in both:
            said = one.communicate(timeout=120)[1]
            self.assertEqual((one.returncode, said), (OK, b""))
        self.assertEqual([path.name for path in self.folder.iterdir()], ["t.wlt"])
        self.assertEqual(run("run", "--quiet", self.folder / "t.wlt").returncode, OK)


class WithoutNamelessFiles(Case):
    """Not every file system has them: then the file has a name of its own until it is whole."""

    def test_the_same_comes_out_and_nothing_is_left(self):
        environment = dict(os.environ, LD_PRELOAD=str(BUILD / "tests" / "libno_tmpfile.so"), TMPDIR=str(self.folder))
        before = os.umask(0o027)
        try:
            self.assertEqual(run("record", "vectoradd", "--size", "tiny", "--quiet", "-o", "t.wlt", cwd=self.folder, env=environment).returncode, OK)
            for _ in range(2):
                done = run("run", "--quiet", "--policy", "profiled-bypass", "--json", "r.json", "t.wlt", cwd=self.folder, env=environment)
                self.assertEqual(done.returncode, OK, done.stderr)
        finally:
            os.umask(before)
        self.refused(run("record", "vectoradd", "-o", "none/t.wlt", cwd=self.folder, env=environment), BAD_INPUT, "No such file")
        self.assertEqual(sorted(os.listdir(self.folder)), ["r.json", "t.wlt"])
        self.assertEqual({(self.folder / name).stat().st_mode & 0o777 for name in ("r.json", "t.wlt")}, {0o640})
        self.assertEqual(len(json.loads((self.folder / "r.json").read_text())["kernels"]), 1)


class Names(Case):
    def test_the_longest_name_that_the_file_system_takes(self):
        longest = "x" * 251 + ".wlt"
        self.assertEqual(run("record", "vectoradd", "--size", "tiny", "--quiet", "-o", longest, cwd=self.folder).returncode, OK)
        os.rename(self.folder / longest, self.folder / "t.wlt")
        for _ in range(2):  # new, and over what is there
            self.assertEqual(run("run", "--quiet", "--json", longest, "t.wlt", cwd=self.folder).returncode, OK)
        self.assertEqual(len(json.loads((self.folder / longest).read_text())["kernels"]), 1)
        self.refused(run("run", "--quiet", "--json", "x" + longest, "t.wlt", cwd=self.folder), BAD_INPUT, "cannot write: File name too long")
        self.refused(run("record", "vectoradd", "-o", "x" + longest, cwd=self.folder), BAD_INPUT, "cannot write: File name too long")

    def test_a_line_end_in_a_name(self):
        self.assertEqual(run("record", "vectoradd", "--size", "tiny", "--quiet", "-o", "a\nb\\n.wlt", cwd=self.folder).returncode, OK)
        for option in ("--record-profile", "--profile"):
            done = run("run", "--policy", "profiled-bypass", option, "p\nq", "--quiet", "vectoradd", "--size", "tiny", cwd=self.folder)
            self.assertEqual((done.returncode, done.stderr), (OK, ""), option)
        self.assertEqual(sorted(os.listdir(self.folder)), ["a\nb\\n.wlt", "p\nq"])
        self.refused(run("run", "no\nsuch\x1b[1m.wlt", cwd=self.folder), BAD_INPUT, "no?such?[1m.wlt")

    def test_a_link_is_written_through(self):
        (self.folder / "there").mkdir()
        link = self.folder / "r.json"
        link.symlink_to("there/real.json")
        (self.folder / "there/real.json").write_text("old")
        self.assertEqual(run("list", "configs", "--json", link).returncode, OK)
        self.assertTrue(link.is_symlink())
        self.assertTrue(json.loads((self.folder / "there/real.json").read_text()))


GREEDY = r"""
#include <cstdio>
#include <fcntl.h>
__global__ void k(int *p) { p[threadIdx.x] = threadIdx.x; }
static void take_all()
{
    while (open("/dev/null", O_RDONLY) >= 0)
        ;
}
int main(int argc, char **argv)
{
    int *p = nullptr;
    if (argv[1][0] == 'f')
        take_all();
    cudaMalloc(&p, 128);
    take_all();
    k<<<1, 32>>>(p);
    k<<<1, 32>>>(p);
    cudaDeviceSynchronize();
    puts("done");
}
"""


@unittest.skipUnless(shutil.which("clang"), "clang is not installed")
class Descriptors(Case):
    """The program uses up its descriptors before its first CUDA call or after it."""

    def run_greedy(self, when, most):
        limit = lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (64, most))
        path = self.folder / "r.json"
        done = run("run", "--quiet", "--json", path, self.folder / "greedy", when, preexec_fn=limit)
        self.assertEqual(done.stdout, "done\n")
        return done, json.loads(path.read_text())

    def test_results_are_told_or_missed(self):
        self.assertEqual(run("cc", self.put("greedy.cu", GREEDY), "-o", self.folder / "greedy").returncode, OK)
        for when in ("first", "later"):
            done, result = self.run_greedy(when, 128)  # the system allows more than the program was set
            self.assertEqual((done.returncode, done.stderr, len(result["kernels"])), (OK, "", 2), when)
            done, result = self.run_greedy(when, 64)
            self.assertEqual((done.returncode, len(result["kernels"])), (PROGRAM_FAILED, 0), when)
            self.assertIn("Too many open files", done.stderr)
            self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
            self.assertIn("Too many open files", result["failure"])


class Limits(Case):
    """What a shell's ulimit sets, and a disk that is full."""

    @staticmethod
    def limited(which, amount):
        return lambda: resource.setrlimit(which, (amount, amount))

    @unittest.skipUnless(CAN_RECORD_CPU, "qemu-x86_64 or the plug-in is not there")
    def test_a_cpu_trace_that_does_not_fit_is_not_kept(self):
        for name in ("t.champsim", "t.wct"):  # half of the first would look like a whole one
            done = run("record-cpu", "-o", self.folder / name, "--", "/bin/true", preexec_fn=self.limited(resource.RLIMIT_FSIZE, 4000))
            self.assertEqual(done.returncode, BAD_INPUT, done.stderr)
            self.assertIn(f"{name}: cannot be written: File too large", done.stderr)
            self.assertEqual(list(self.folder.iterdir()), [])

    def test_a_limit_of_file_sizes_is_told(self):
        self.refused(run("list", "params", "--json", self.folder / "p.json", preexec_fn=self.limited(resource.RLIMIT_FSIZE, 1000)), BAD_INPUT, "File too large")

    def test_a_limit_of_address_space_leaves_what_needs_none(self):
        limit = self.limited(resource.RLIMIT_AS, 300 << 20)
        self.assertEqual(run("list", "policies", preexec_fn=limit).returncode, OK)
        done = run("run", "--quiet", "--size", "tiny", "vectoradd", preexec_fn=limit)
        self.assertNotEqual(done.returncode, OK)
        self.assertIn("address space; lower device.memory, or raise 'ulimit -v'", done.stderr)


class FirstMoments(Case):
    def stopped(self, *words, number):
        """Sends the signal as soon as it is caught; returns the exit code and what was said."""
        sweep = subprocess.Popen([WARPLINE, "sweep", *words, "--db", self.folder / "s.db"], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
                                 stderr=subprocess.PIPE, text=True)
        deadline = time.monotonic() + 10
        while sweep.poll() is None and not self.catches(sweep.pid, number) and time.monotonic() < deadline:
            time.sleep(0.0002)
        sweep.send_signal(number)
        said = sweep.communicate(timeout=60)[1]
        return sweep.returncode, said

    def test_a_sweep_that_is_stopped_while_it_plans_says_so(self):
        study = self.put("s.conf", "workloads = vectoradd, syrk\nsizes = tiny\npolicies = gto, lrr\n")
        for number in (signal.SIGINT, signal.SIGTERM):
            code, said = self.stopped(study, number=number)
            self.assertEqual(code, PROGRAM_FAILED, said)
            self.assertIn("4 runs: 0 run now", said)
            self.assertIn("interrupted: the same command goes on where it stopped", said)

    def test_also_before_it_has_read_its_study(self):
        code, said = self.stopped("-", number=signal.SIGTERM)
        self.assertEqual(code, BAD_INPUT)
        # The signal may come while it reads, or just before, when what it reads is empty.
        self.assertRegex(said, "^warpline: (standard input: cannot read|-: a study needs)")

    @staticmethod
    def catches(pid, number):
        with open(f"/proc/{pid}/status", encoding="ascii") as status:
            caught = next((line.split()[1] for line in status if line.startswith("SigCgt:")), "0")
        return int(caught, 16) >> (number - 1) & 1


if __name__ == "__main__":
    main()
