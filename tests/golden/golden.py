#!/usr/bin/env python3
"""Runs the golden cases: commands with the output they must give, byte for byte.

    golden.py BUILD_DIR [CASE...]           compare
    golden.py --bless BUILD_DIR [CASE...]   write what the program says now into the cases (say why in the commit)

A case is a file *.golden. Lines that start with "#" say where its numbers come from; a line "$ COMMAND" is run by the shell
with BUILD_DIR first in PATH and the project as working directory; then follow its stdout, its stderr with "! " before each
line, and "[exit N]". In JSON results the "host" object, which differs from run to run, is left out.
"""
import difflib
import json
import os
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent


def without_host(text):
    try:
        result = json.loads(text)
    except ValueError:
        return text
    if isinstance(result, dict) and "host" in result:
        del result["host"]
        return json.dumps(result, indent=1) + "\n"
    return text


def run(command, build):
    env = dict(os.environ, PATH=f"{build}{os.pathsep}{os.environ['PATH']}", LC_ALL="C", NO_COLOR="1")
    done = subprocess.run(["sh", "-c", command], cwd=ROOT, env=env, capture_output=True, text=True, errors="replace", timeout=300)
    lines = [f"$ {command}\n"]
    lines += without_host(done.stdout).splitlines(keepends=True)
    if lines[-1][-1] != "\n":
        lines[-1] += "\n"
    lines += [f"! {line}\n" for line in done.stderr.splitlines()]
    lines.append(f"[exit {done.returncode}]\n")
    return lines


def regenerate(case, build):
    lines = []
    for line in case.read_text(encoding="utf-8").splitlines(keepends=True):
        if line.startswith("# ") or line == "#\n":
            lines.append(line)
        elif line.startswith("$ "):
            lines += run(line[2:].rstrip("\n"), build)
    return "".join(lines)


def main():
    arguments = sys.argv[1:]
    bless = "--bless" in arguments
    arguments = [a for a in arguments if a != "--bless"]
    build = pathlib.Path(arguments[0]).resolve()
    cases = [pathlib.Path(a) for a in arguments[1:]] or sorted(HERE.glob("*.golden"))
    failed = 0
    for case in cases:
        want, got = case.read_text(encoding="utf-8"), regenerate(case, build)
        if want == got:
            continue
        if bless:
            case.write_text(got, encoding="utf-8")
            print(f"blessed {case.name}")
            continue
        failed += 1
        print(f"{case.name} differs (golden.py --bless accepts the new output):")
        sys.stdout.writelines(difflib.unified_diff(want.splitlines(True), got.splitlines(True), "expected", "actual", n=2))
    print(f"Ran {len(cases)} tests")
    sys.exit(1 if failed else 0)


main()
