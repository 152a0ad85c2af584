#!/usr/bin/env python3
"""Configurations and --set values that are wrong: each ends with code 3 and a sentence that says where and what to do."""
import os
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
