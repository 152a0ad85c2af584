#!/usr/bin/env python3
"""Configurations and --set values that are wrong: each ends with code 3 and a sentence that says where and what to do."""
import itertools
import os
import pathlib
import unittest

from harness import BAD_INPUT, OK, USAGE, Case, main, run


def configured(*arguments):
    return run("list", "params", *arguments)


class Configurations(Case):
    def test_byte_order_mark_and_crlf_are_fine(self):
        path = self.put("m.conf", b"\xef\xbb\xbf# machine\r\n[l1]\r\nsets = 64\r\n")
        done = configured("--config", path)
        self.assertEqual(done.returncode, OK, done.stderr)
        self.assertRegex(done.stdout, r"(?m)^l1\.sets\s+64\b")

    def test_ten_megabyte_line(self):
        path = self.put("m.conf", b"x" * 10_000_000)
        self.refused(configured("--config", path), BAD_INPUT, str(path), "larger than")
        path = self.put("m.conf", b"[l1]\nsets = " + b"9" * 1000)
        self.refused(configured("--config", path), BAD_INPUT, f"{path}:2", "longer than")

    def test_include_cycle(self):
        self.put("a.conf", "include = b.conf\n")
        self.put("b.conf", "include = a.conf\n")
        self.refused(configured("--config", self.folder / "a.conf"), BAD_INPUT, "include cycle", "b.conf:1")

    def test_missing_file_directory_and_name(self):
        self.refused(configured("--config", self.folder / "none.conf"), BAD_INPUT, "none.conf", "No such file")
        self.refused(configured("--config", self.folder), BAD_INPUT, "is a directory")
        self.refused(configured("--config", "gtx48"), BAD_INPUT, "did you mean 'gtx480'")
        path = self.put("m.conf", "include = other.conf\n")
        self.refused(configured("--config", path), BAD_INPUT, f"{path}:1", "No such file")

    @unittest.skipIf(os.geteuid() == 0, "root may read everything")
    def test_unreadable_file(self):
        path = self.put("m.conf", "")
        path.chmod(0)
        self.refused(configured("--config", path), BAD_INPUT, "Permission denied")

    def test_binary_file(self):
        path = self.put("m.conf", bytes(range(256)) * 10)
        self.refused(configured("--config", path), BAD_INPUT, str(path))

    def test_unknown_key_and_wrong_value_have_a_line(self):
        path = self.put("m.conf", "# one\n[l1]\nstes = 4\n")
        self.refused(configured("--config", path), BAD_INPUT, f"{path}:3", "did you mean 'l1.sets'")
        path = self.put("m.conf", "# one\n[l1]\nsets = many\n")
        self.refused(configured("--config", path), BAD_INPUT, f"{path}:3", "'many'", "allowed: 1 to")

    def test_a_policy_that_is_not_used_has_no_parameters(self):
        self.refused(configured("--set", "policy.no-such.x=1"), BAD_INPUT, "policy.no-such.x")


class Names(Case):
    """Names that are wrong, and outputs that cannot be written, are found before anything runs."""

    def test_workloads(self):
        self.refused(run("run", "syrkk"), BAD_INPUT, "'syrkk'", "did you mean 'syrk'?")
        self.refused(run("run", "nothing-like-it"), BAD_INPUT, "warpline list workloads")
        self.refused(run("compare", "--policies", "gto", "--workloads", "sirk"), BAD_INPUT, "did you mean 'syrk'?")

    def test_source_instead_of_a_program(self):
        self.refused(run("run", self.put("app.cu", "int main() {}")), BAD_INPUT, "app.cu is source", "warpline cc")
        self.refused(run("run", self.put("app.txt", "int main() {}")), BAD_INPUT, "is not a program")

    def test_programs_that_cannot_be_started(self):
        """A file that is no program, or may not be executed, is refused by a study before it begins, as by a run."""
        program = self.put("app", pathlib.Path("/bin/true").read_bytes())
        program.chmod(0o644)
        compare = ["compare", "--policies", "gto", "--db", self.folder / "x.db", "--workloads"]
        self.refused(run("run", "--quiet", program, env={**os.environ, "WARPLINE_LOG": "quiet"}), BAD_INPUT, "cannot start", "chmod +x")
        self.refused(run(*compare, program), BAD_INPUT, "not executable", "chmod +x")
        self.refused(run(*compare, self.put("notes.txt", "hello")), BAD_INPUT, "is not a program")
        self.refused(run("tune", "swl", self.put("app.cu", "int main() {}"), "--db", self.folder / "x.db"), BAD_INPUT, "app.cu is source")
        self.assertFalse((self.folder / "x.db").exists())

    def test_devices_and_pipes(self):
        """What has no end, or is gone once it was read, is no input."""
        pipe = self.folder / "pipe"
        os.mkfifo(pipe)
        for path, words in itertools.product(("/dev/zero", pipe), (["run", "--config", "{}", "vectoradd"], ["run", "{}"], ["run", "--cpu", "{}"],
                                             ["compare", "--policies", "gto", "--db", "x.db", "--workloads", "{}"], ["list", "params", "--config", "{}"],
                                             ["results", "list", "--db", "{}"], ["compare", "--policies", "gto", "--workloads", "vectoradd", "--db", "{}"],
                                             ["list", "policies", "--plugin", "{}"])):
            with self.subTest(words=words, path=path):
                words = [str(path) if word == "{}" else word for word in words]
                self.refused(run(*words, cwd=self.folder, timeout=20), BAD_INPUT, f"{path}: is a", "give a file")
        for words in (["energy", "/dev/zero"], ["run", "--ptx", "x", "--launch", "/dev/zero"], ["record-cpu", "-o", "t.wct", "--from", "/dev/zero"],
                      ["sweep", "/dev/zero"]):
            with self.subTest(words=words):
                self.refused(run(*words, cwd=self.folder, timeout=20), BAD_INPUT, "/dev/zero: is a device")
        self.assertEqual(list(self.folder.iterdir()), [pipe])

    def test_what_is_no_ordinary_file_is_not_removed(self):
        pipe = self.folder / "pipe"
        os.mkfifo(pipe)
        done = run("run", "--record-profile", pipe, "--policy", "profiled-bypass", "vectoradd", "--size", "tiny", timeout=20)
        self.refused(done, BAD_INPUT, "no ordinary file")
        self.assertTrue(pipe.is_fifo())

    def test_scaling_leaves_no_database_behind_a_mistake(self):
        self.refused(run("scale", "--config", "nosuch", "--db", self.folder / "x.db"), BAD_INPUT, "no configuration 'nosuch'")
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_cost_of_nothing(self):
        self.refused(run("cost", ""), USAGE, "name the techniques")

    def test_metrics(self):
        compare = ["compare", "--policies", "gto", "--workloads", "syrk", "--db", self.folder / "x.db", "--metric"]
        self.refused(run(*compare, "l1.mis_rate"), BAD_INPUT, "did you mean 'l1.miss_rate'?")
        self.refused(run(*compare, "energy.components.drum"), BAD_INPUT, "'energy.components.drum' is no counter")
        self.refused(run("sweep", self.put("s.conf", "workloads = syrk\nmetrics = cycls\n"), "--db", self.folder / "x.db"), BAD_INPUT,
                     "did you mean 'cycles'?")
        self.assertFalse((self.folder / "x.db").exists())

    def test_databases(self):
        compare = ["compare", "--policies", "gto", "--workloads", "vectoradd", "--size", "tiny", "--db"]
        self.refused(run(*compare, self.folder), BAD_INPUT, "is a directory")
        self.refused(run(*compare, self.folder / "none/x.db"), BAD_INPUT, "none/x.db", "No such file")

    def test_outputs(self):
        """Every command that writes JSON looks first whether it can."""
        path = self.folder / "none/x.json"
        for words in (["run", "vectoradd"], ["compare", "--policies", "gto", "--workloads", "vectoradd"], ["tune", "swl", "vectoradd"],
                      ["characterize", "vectoradd"], ["list", "stats"], ["reproduce", "000"], ["scale"]):
            with self.subTest(words):
                self.refused(run(words[0], "--json", path, *words[1:], cwd=self.folder), BAD_INPUT, "x.json: cannot write: No such file")
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_results(self):
        self.refused(run("energy", self.folder / "none.json"), BAD_INPUT, "none.json: cannot open: No such file")
        self.refused(run("energy", self.folder), BAD_INPUT, "is a directory")
        self.refused(run("energy", self.put("r.json", "{")), BAD_INPUT, "r.json:1: not a result")

    def test_a_list_shows_what_is_asked_for(self):
        done = run("list", "params", "l1.mshr")
        self.assertEqual(done.returncode, OK, done.stderr)
        self.assertEqual([line.split()[0] for line in done.stdout.splitlines()], ["l1.mshr_entries", "l1.mshr_merges"])
        self.refused(run("list", "params", "no-such"), BAD_INPUT, "'no-such'")


class Numbers(Case):
    def test_no_option_takes_nought(self):
        for words in (["compare", "--jobs", "0"], ["sweep", "--jobs=0", "x.conf"], ["compare", "--timeout", "0"], ["run", "--max-cycles", "0"],
                      ["run", "--max-instructions", "0"], ["sweep", "--chunk", "0", "x.conf"]):
            self.refused(run(*words), USAGE, "must be 1 or more")


class Assignments(Case):
    def test_each_wrong_form(self):
        for text, phrase in [("l1.sets", "has no '='"), ("=4", "no key"), ("", "has no '='"), ("sm.shared=16MHz", "unknown unit"), ("sm.shared=-16KiB", "is negative"),
                             ("gpu.core_clock=700", "needs a unit"),
                             ("l1.sets=nan", "not a whole number"), ("l1.sets=-4", "is negative"), ("l1.sets=0", "out of range"),
                             ("l1.sets=99999999999999999999", "64 bits"), ("l1.sest=4", "did you mean 'l1.sets'")]:
            with self.subTest(text):
                self.refused(configured("--set", text), BAD_INPUT, "--set", phrase)

    def test_contradictions_name_both_parameters(self):
        self.refused(configured("--set", "l1.port_bytes=96"), BAD_INPUT, "l1.port_bytes", "l1.line")

    def test_the_last_of_several_wins(self):
        done = configured("--set", "l1.sets=16", "--set", "l1.sets=64")
        self.assertRegex(done.stdout, r"(?m)^l1\.sets\s+64\b")


class CommandLine(Case):
    def test_usage(self):
        self.refused(run("list", "params", "--set"), USAGE, "a value must follow '--set'")
        self.refused(run("nonsense"), USAGE, "unknown command")
        done = run()
        self.assertEqual((done.returncode, done.stdout), (USAGE, ""))
        self.assertIn("Usage:", done.stderr)


if __name__ == "__main__":
    main()
