#!/usr/bin/env python3
"""Where output goes when it cannot go: full disks, closed pipes, places that may not be written."""
import fcntl
import json
import os
import pathlib
import pty
import re
import struct
import subprocess
import termios
import unittest

from harness import BAD_INPUT, OK, WARPLINE, Case, main, run


class Output(Case):
    def test_closed_pipe_is_no_error(self):
        for command in (["list", "policies"], ["--help"], ["list", "policies", "--json", "-"], ["help", "--man"]):
            read_end, write_end = os.pipe()
            os.close(read_end)
            done = subprocess.run([WARPLINE, *command], stdout=write_end, stderr=subprocess.PIPE, text=True, check=False)
            os.close(write_end)
            self.assertEqual((done.returncode, done.stderr), (OK, ""), command)

    def test_lists_fit_the_terminal(self):
        for kind in ("policies", "params", "stats", "hooks", "workloads", "configs"):
            whole = run("list", kind).stdout
            for columns in (80, 120, 1000):
                shown = self.on_a_terminal(columns, "list", kind)
                self.assertLessEqual(max(map(len, shown.splitlines())), columns, kind)
                if kind != "workloads":  # a table with titles has fewer columns instead
                    self.assertEqual(shown.split(), whole.split(), kind)
            self.assertEqual([line.split()[0] for line in shown.splitlines() if line[0] not in " #"], [line.split()[0] for line in whole.splitlines() if line[0] not in " #"])

    def test_a_sweeps_table_is_for_scripts_in_a_pipe_and_for_eyes_on_a_terminal(self):
        study = self.put("s.conf", "workloads = vectoradd\nsizes = tiny\npolicies = gto, gto+pric\nmetrics = cycles\n")
        words = ["sweep", study, "--db", self.folder / "r.db"]
        piped = run(*words).stdout
        self.assertEqual(piped.split("\n")[0], "workload\tsize\tpolicies\tsettings\tstatus\tcycles")
        shown = self.on_a_terminal(100, *words)
        self.assertEqual(shown.split(), piped.split())
        self.assertEqual({line.index(word) for line, word in zip(shown.split("\n"), ("status", "ok", "ok"))}, {shown.index("status")})

    def test_a_functional_run_shows_no_cycles(self):
        done = run("run", "--functional", "--size", "tiny", "vectoradd")
        self.assertEqual(done.returncode, OK, done.stderr)
        self.assertRegex(done.stderr, r"(?m)^  instructions  .* warp, .* thread; values only, without a machine and its cycles$")
        self.assertNotIn("cycles/s", done.stderr)
        self.assertNotIn("IPC", done.stderr)

    def on_a_terminal(self, columns, *arguments):
        """What the command writes to a terminal of so many columns."""
        ours, its = pty.openpty()
        fcntl.ioctl(its, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
        with subprocess.Popen([WARPLINE, *arguments], stdout=its, stderr=subprocess.DEVNULL, env={**os.environ, "TERM": "xterm"}) as command:
            os.close(its)
            text = b""
            try:
                while part := os.read(ours, 65536):
                    text += part
            except OSError:  # the other end is closed
                pass
        os.close(ours)
        self.assertEqual(command.returncode, OK)
        return text.decode().replace("\r\n", "\n")

    def test_full_disk_is_an_error(self):
        with open("/dev/full", "w", encoding="utf-8") as full:
            done = subprocess.run([WARPLINE, "list", "policies"], stdout=full, stderr=subprocess.PIPE, text=True, check=False)
        self.assertEqual(done.returncode, BAD_INPUT)
        self.assertEqual(done.stderr, "warpline: cannot write to standard output: No space left on device\n")

    def test_closed_stdout_is_an_error(self):
        done = subprocess.run(["sh", "-c", f'"{WARPLINE}" list policies >&-'], stderr=subprocess.PIPE, text=True, check=False)
        self.assertEqual(done.returncode, BAD_INPUT, done.stderr)
        self.assertIn("cannot write to standard output", done.stderr)

    def test_a_run_with_closed_descriptors_still_simulates(self):
        """What is opened next must not take the place of a closed stdout or stdin: results and programs' output would go there."""
        target = self.folder / "r.json"
        for closed in (">&-", "<&-", "<&- >&- 2>&-"):
            done = subprocess.run(["sh", "-c", f'"{WARPLINE}" run --size tiny --json {target} vectoradd {closed}'], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False)
            self.assertEqual(done.returncode, OK, done.stderr)
            self.assertGreater(json.loads(target.read_text())["totals"]["cycles"], 0)
            target.unlink()
        done = subprocess.run(["sh", "-c", f'"{WARPLINE}" run --size tiny --json - vectoradd >&-'], stderr=subprocess.PIPE, text=True, check=False)
        self.assertEqual(done.returncode, BAD_INPUT, done.stderr)
        self.assertIn("cannot write to standard output", done.stderr)

    def test_unwritable_paths(self):
        self.refused(run("list", "configs", "--json", self.folder / "no" / "such.json"), BAD_INPUT, "No such file or directory")
        self.refused(run("list", "configs", "--json", self.folder), BAD_INPUT, "it is a directory")
        self.refused(run("list", "configs", "--json", "/dev/full"), BAD_INPUT, "No space left on device")

    def test_a_small_file_system_keeps_the_old_file(self):
        target = self.folder / "small"
        target.mkdir()
        if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=4k", "none", target], capture_output=True, check=False).returncode:
            self.skipTest("may not mount a tmpfs here")
        try:
            old = target / "out.json"
            old.write_text("old")
            done = run("list", "policies", "--json", old)
            self.refused(done, BAD_INPUT, "No space left on device")
            self.assertEqual(old.read_text(), "old")
            self.assertEqual([p.name for p in target.iterdir()], ["out.json"])
        finally:
            subprocess.run(["umount", target], check=True)

    def test_json_is_json_and_replaces_whole(self):
        path = self.folder / "out.json"
        path.write_text("old")
        done = run("list", "policies", "--json", path)
        self.assertEqual((done.returncode, done.stdout), (OK, ""))
        rows = json.loads(path.read_text())
        self.assertIn("lru", [row["name"] for row in rows])
        self.assertEqual([p.name for p in pathlib.Path(self.folder).iterdir()], ["out.json"])


class Terminal(Case):
    """What a person sees: a line that moves and colours, and neither where they would be in the way."""

    def seen(self, *words, columns=40, **environment):
        ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        with subprocess.Popen([WARPLINE, *words], cwd=self.folder, stdin=theirs, stdout=theirs, stderr=theirs,
                              env={**os.environ, "NO_COLOR": "", "TERM": "xterm", **environment}) as running:
            os.close(theirs)
            text = b""
            while True:
                try:
                    piece = os.read(ours, 4096)
                except OSError:  # the other end is closed
                    piece = b""
                if not piece:
                    break
                text += piece
            os.close(ours)
            self.assertEqual(running.wait(), OK, text)
        return text.decode()

    def compare(self, **environment):
        # Long enough to be drawn, and with a note that is longer than the window.
        policies = "gto,lrr,oldest+bypass-l1+pric,two-level"
        return self.seen("compare", "--fresh", "--db", "r.db", "--size", "tiny", "--policies", policies, "--workloads", "syrk,vectoradd", **environment)

    def test_the_line_of_progress_stays_in_one_row(self):
        lines = re.findall(r"\r\x1b\[K(runs [^\r\n]*)", self.compare())
        self.assertTrue(lines)
        self.assertLessEqual(max(map(len, lines)), 39)
        self.assertGreater(max(map(len, lines)), 30, "it uses the room that there is")

    def test_a_dumb_terminal_gets_plain_text(self):
        for environment in ({"TERM": "dumb"}, {"TERM": ""}):
            self.assertNotIn("\x1b", self.compare(**environment))

    def test_colours(self):
        warned = ("run", "--size", "tiny", "--max-cycles", "100", "vectoradd")
        self.assertIn("\x1b[33mwarning", self.seen(*warned))
        self.assertNotIn("\x1b", self.seen(*warned, NO_COLOR="1"))
        self.assertNotIn("\x1b", self.seen(*warned, TERM="dumb"))


if __name__ == "__main__":
    main()
