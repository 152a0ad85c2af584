#!/usr/bin/env python3
"""Manual page, completions and help: made from the declarations, and readable by those who read them."""
import json
import os
import re
import shutil
import subprocess
import unittest

from harness import WARPLINE, Case, main, run


def commands():
    return re.findall(r"(?m)^  ([\w-]+) +\S", run("--help").stdout.split("Commands:")[1])


class Generated(Case):
    def test_the_first_help_fits_a_narrow_terminal(self):
        self.assertEqual([line for line in run("--help").stdout.split("\n") if len(line) > 80], [])

    def test_the_help_of_reproduce_names_every_paper(self):
        papers = run("reproduce", "no-such-paper").stderr.split("there are those of ")[1].strip().split(", ")
        self.assertEqual(re.findall(r"(?m)^  (\d[\d.]+)  ", run("reproduce", "--help").stdout), papers)

    def test_every_command_explains_itself(self):
        self.assertIn("record-cpu", commands())
        for command in commands():
            done = run(command, "--help")
            self.assertEqual((done.returncode, done.stderr), (0, ""), command)
            self.assertIn(f"Usage: warpline {command}", done.stdout)
            self.assertIn("Examples:", done.stdout)
            self.assertLessEqual(max(map(len, done.stdout.splitlines())), 132, command)
            self.assertEqual(run("help", command).stdout, done.stdout)

    def test_manual_page(self):
        page = run("help", "--man").stdout
        for command in commands():
            self.assertIn('.SS "warpline {} '.format(command.replace("-", "\\-")), page)
            for option in re.findall(r"(?m)^  (?:-\w, )?--([\w-]+)", run(command, "--help").stdout):
                self.assertIn("\\fB\\-\\-{}\\fR".format(option.replace("-", "\\-")), page, command)
        for code in range(6):
            self.assertIn(f".TP\n{code}\n", page.split(".SH EXIT STATUS")[1])
        if not shutil.which("groff"):
            self.skipTest("groff is missing")
        done = subprocess.run(["groff", "-man", "-Tutf8", "-ww"], input=page, capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        plain = subprocess.run(["groff", "-man", "-Tascii", "-P-cbou"], input=page, capture_output=True, text=True, check=True).stdout
        wide = [line for line in plain.splitlines() if len(line) > 80 and "warpline" not in line]  # commands are not broken
        self.assertEqual(wide, [])

    def test_bash_completion(self):
        script = self.put("completion.bash", run("help", "--completion", "bash").stdout)

        def complete(*words):
            quoted = " ".join(f"'{w}'" for w in words)
            done = subprocess.run(
                ["bash", "-c", f'PATH="{WARPLINE.rpartition("/")[0]}:$PATH"; source {script}; COMP_WORDS=({quoted}); '
                 f'COMP_CWORD={len(words) - 1}; _warpline; printf "%s\\n" "${{COMPREPLY[@]}}"'],
                capture_output=True, text=True, check=True, cwd=self.folder)
            self.assertEqual(done.stderr, "")
            return done.stdout.splitlines()

        self.assertEqual(complete("warpline", "li"), ["list"])
        self.assertIn("--json", complete("warpline", "list", "--"))
        self.assertEqual(complete("warpline", "help", "--completion", "z"), ["zsh"])
        self.assertIn("lru", complete("warpline", "run", "--policy", "l"))
        self.assertIn("gto,pric", complete("warpline", "run", "--policy", "gto,pri"))
        self.assertIn("gto,gto+pric", complete("warpline", "compare", "--policies", "gto,gto+pri"))
        self.assertEqual(complete("warpline", "compare", "--workloads", "syrk,vectora"), ["syrk,vectoradd"])
        self.assertIn("l1.miss_rate", complete("warpline", "compare", "--metric", "l1.miss"))
        self.assertEqual(complete("warpline", "list", "pol"), ["policies"])
        self.assertEqual(complete("warpline", "run", "vectora"), ["vectoradd"])
        self.assertIn("l1.sets=", complete("warpline", "run", "--set", "l1.se"))
        self.put("report of mine", "")
        self.assertEqual(complete("warpline", "help", "rep"), ["report", "reproduce"])
        self.assertEqual(complete("warpline", "reproduce", "002.6"), ["002.6"])
        self.assertEqual(complete("warpline", "run", "rep"), ["report of mine"])
        self.assertEqual(complete("warpline", "results", "--db", "rep"), ["report of mine"])

    def test_zsh_completion_knows_every_command_and_option(self):
        script = run("help", "--completion", "zsh").stdout
        for command in commands():
            self.assertIn(f"'{command}:", script)
            for option in re.findall(r"(?m)^  (--[\w-]+)", run(command, "--help").stdout):
                self.assertIn(f"'{option}", script.replace("'*--", "'--"), command)

    def test_zsh_completion_is_a_script(self):
        if not shutil.which("zsh"):
            self.skipTest("zsh is missing")
        done = subprocess.run(["zsh", "-n"], input=run("help", "--completion", "zsh").stdout, capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""))


    def test_fish_completion(self):
        script = run("help", "--completion", "fish").stdout
        for command in commands():
            for option in re.findall(r"(?m)^  (?:-\w, )?--([\w-]+)", run(command, "--help").stdout):
                self.assertIn(f"'__warpline_command {command}' -l {option} ", script)
        if not shutil.which("fish"):
            self.skipTest("fish is missing")
        path = self.put("warpline.fish", script)

        def complete(line):
            done = subprocess.run(["fish", "--no-config", "-c", f"source {path}; complete -C '{line}'"], capture_output=True, text=True, check=True,
                                  env={**os.environ, "PATH": f'{WARPLINE.rpartition("/")[0]}:{os.environ["PATH"]}', "HOME": str(self.folder)})
            return [row.split("\t")[0] for row in done.stdout.splitlines()]

        self.assertEqual(complete("warpline li"), ["list"])
        self.assertIn("--json", complete("warpline list --"))
        self.assertEqual(complete("warpline compare --policies gto,gto+pri"), ["gto,gto+pric"])
        self.assertIn("vectoradd", complete("warpline run vectora"))
        self.assertIn("l1.sets=", complete("warpline run --set l1.se"))
        self.assertEqual(complete("warpline run --size s"), ["small"])
        self.assertEqual(complete("warpline help rep"), ["report", "reproduce"])


class Doctor(Case):
    def test_missing_tools_are_named_with_their_cost(self):
        done = run("doctor", env={"PATH": str(self.folder)})
        self.assertEqual(done.returncode, 0)
        self.assertRegex(done.stdout, r"(?m)^missing +clang\+\+ .*without it: .*apt install clang")
        self.assertNotIn("\x1b", done.stdout)
        rows = json.loads(run("doctor", "--json", "-", env={"PATH": str(self.folder)}).stdout)["tools"]
        self.assertEqual([(r["found"], r["package"]) for r in rows if r["program"] == "clang++"], [(False, "clang")])


if __name__ == "__main__":
    main()
