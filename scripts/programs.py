#!/usr/bin/env python3
"""Builds and runs programs of public suites as they are, from checkouts of yours, and says which work:

    scripts/programs.py BUILD SUITE=FOLDER [SUITE=FOLDER...] [--only NAME,NAME] [--seconds N] [--nvcc] [--page docs/programs.md]

SUITE is any name; none of the suites' code, nor how to build it, is part of warpline. A program is a folder with CUDA sources. It is built in a copy
of the checkout: by its own Makefile, with `warpline cc --toolkit` in the place of the toolkit, or, where there is none, from all sources of the folder.
It is then run with --functional: with the arguments of its Makefile's `run`, or with smaller ones that this script knows (RUNS). With --nvcc,
programs that do not compile are given to nvcc too. With --page the table is written into the page, between its two marks; programs that were not
tried keep their rows."""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

# What a suite's name says about where programs lie and which files are not theirs; a folder that is not named here is looked through whole.
PLACES = {"polybench-gpu": ("sgrauerg/polybenchGpu", "CUDA/*"), "rodinia": ("yuhc/gpu-rodinia", "cuda/*"), "cuda-samples": ("NVIDIA/cuda-samples", "Samples/*/*"),
          "hecbench": ("zjin-lcf/HeCBench", "src/*-cuda"), "shoc": ("vetter/shoc", "src/cuda/level*/*"), "llm.c": ("karpathy/llm.c", "dev/cuda")}
# Smaller arguments than a program's own, or those that it needs; a list of definitions instead where sizes are chosen by the compiler. For
# each suite "" holds for programs that are not named.
RUNS = {
    "polybench-gpu": {"": ["-DMINI_DATASET"]},
    "rodinia": {"pathfinder": "2000 20 5", "gaussian": "-s 64 -q", "nw": "256 10", "lavaMD": "-boxes1d 2", "lud": "-s 64 -v", "backprop": "1024",
                "particlefilter": "-x 32 -y 32 -z 3 -np 256", "streamcluster": "4 8 16 256 256 50 none out.txt 1", "myocyte": "10 1 0", "dwt2d": "192.bmp -d 192x192 -f -5 -l 3",
                "hotspot": "64 2 2 ../../data/hotspot/temp_64 ../../data/hotspot/power_64 out.txt", "bfs": "../../data/bfs/graph4096.txt", "srad": "10 0.5 64 64"},
    "cuda-samples": {"matrixMul": "-wA=64 -hA=64 -wB=64 -hB=64"},
}
# Suites whose last argument, of several numbers, says how often to repeat: once is enough here.
REPEATS = ("hecbench",)
WELL = re.compile(r"(?<!not )(?<!NOT )\b(PASS(ED)?|[Pp]assed|PASSED|[Ss]uccess(ful|fully)?|SUCCESS|[Cc]orrect|OK|matches|[Vv]erified)\b|Non-Matching CPU-GPU Outputs[^:]*: 0\b")
BADLY = re.compile(r"\bFAIL(ED|URE)?\b|[Tt]est failed|[Vv]erification failed|\b[Ii]ncorrect\b|[Nn]ot match|Mismatch at|dismatch|INCORRECT|Non-Matching CPU-GPU Outputs[^:]*: [1-9]")
FIRST, LAST = "<!-- programs: made by scripts/programs.py -->", "<!-- programs: end -->"
SOURCES = (".cu", ".cpp", ".cc", ".c")


def version(folder):
    done = subprocess.run(["git", "-C", str(folder), "rev-parse", "--short", "HEAD"], capture_output=True, text=True)
    if done.returncode == 0:
        return done.stdout.strip()
    kept = folder / "VERSION"
    return kept.read_text().strip() if kept.exists() else "unknown"


def programs_of(suite, root):
    """(name, folder) of each"""
    pattern = PLACES.get(suite, ("", "**"))[1]
    folders = sorted(f for f in root.glob(pattern) if f.is_dir())
    return [(f.name, f) for f in folders if next(f.rglob("*.cu"), None) or (makefile(f) and next(f.rglob("*.cpp"), None))]


def makefile(folder):
    return next((folder / name for name in ("Makefile", "makefile", "GNUmakefile") if (folder / name).exists()), None)


def is_program(path):
    if path.suffix in (".o", ".so", ".a") or not os.access(path, os.X_OK) or not path.is_file():
        return False
    with open(path, "rb") as file:
        return file.read(4) == b"\x7fELF"


def tail(text):
    lines = [line.strip() for line in text.splitlines() if re.search(r"error|undefined|warpline:|cannot find|No such file|No rule", line) and "make[" not in line]
    return (lines or text.strip().splitlines()[-1:] or ["?"])[0]


class Tools:
    """Either compiler as a folder that Makefiles take for a CUDA toolkit."""

    def __init__(self, toolkit, compiler, scratch):
        self.toolkit, self.compiler, self.scratch = str(toolkit), compiler, scratch

    def environment(self):
        names = ("CUDA_DIR", "CUDA_PATH", "CUDA_HOME", "CUDA_INSTALL_PATH", "CUDAHOME")
        return {**os.environ, **{name: self.toolkit for name in names}, "PATH": f"{self.toolkit}/bin:{os.environ['PATH']}"}

    def build(self, folder, definitions, seconds):
        """(program or None, what was said)"""
        start = time.time() - 1
        if makefile(folder) and not definitions:
            subprocess.run(["make", "clean"], cwd=folder, env=self.environment(), capture_output=True, timeout=seconds)
            command = ["make", *(f"{n}={self.toolkit}" for n in ("CUDA_DIR", "CUDA_PATH", "CUDA_INSTALL_PATH"))]
        else:
            program = pathlib.Path(self.scratch) / "program"
            program.unlink(missing_ok=True)
            found = [str(p.relative_to(folder)) for p in sorted(folder.iterdir()) if p.suffix in SOURCES]
            inside = [str(p.relative_to(folder)) for p in sorted(folder.glob("src/*")) if p.suffix in SOURCES]
            includes = [word for up in (folder, *list(folder.parents)[:4]) for name in ("Common", "common", "inc", "include", "utilities") if (up / name).is_dir()
                        for word in ("-I", str(up / name))]
            command = [*self.compiler, "-std=c++17", "-arch=sm_75", *definitions, *includes, *(found if any(f.endswith(".cu") for f in found) or not inside else found + inside),
                       "-o", str(program), "-lcuda", "-lcublas", "-lcusparse", "-lcufft", "-lcurand", "-lnvrtc", "-lm"]
        try:
            done = subprocess.run(command, cwd=folder, env=self.environment(), capture_output=True, text=True, errors="replace", timeout=seconds)
        except subprocess.TimeoutExpired:
            return None, f"not built after {seconds} s"
        if done.returncode:
            return None, tail(done.stdout + "\n" + done.stderr)
        if command[0] != "make":
            return program, ""
        made = [p for p in sorted(folder.rglob("*")) if is_program(p) and p.stat().st_mtime > start]
        return (made[0], "") if made else (None, "its Makefile makes no program in the folder")


def arguments_of(suite, name, folder, program):
    known = RUNS.get(suite, {}).get(name)
    if isinstance(known, str):
        return known.split()
    rules = makefile(folder).read_text(errors="replace") if makefile(folder) else ""
    run = re.search(r"^run\s*:.*\n((?:\t.*\n?)+)", rules, re.M)
    for line in run.group(1).splitlines() if run else ():
        words = line.replace("$(LAUNCHER)", "").split()
        if words and (words[0].endswith("$(program)") or pathlib.Path(words[0]).name == program.name):
            words = [word for word in words[1:] if not word.startswith((">", "|"))]
            repeats = suite in REPEATS and len(words) > 1 and words[-1].isdigit() and not any(word.startswith("-") for word in words)
            return [*words[:-1], "1"] if repeats else words
    return []


def run(warpline, program, arguments, folder, seconds):
    """(state, what was found)"""
    try:
        done = subprocess.run([warpline, "run", "--functional", "--quiet", str(program), *arguments], cwd=folder, stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, errors="replace", timeout=seconds)
    except subprocess.TimeoutExpired:
        return "not ended", f"after {seconds} s"
    output = done.stdout + done.stderr
    if done.returncode:
        said = [line for line in (done.stdout + done.stderr).splitlines() if line.strip() and "ended with exit code" not in line]
        return "fails", (said or [f"ended with code {done.returncode}"])[-1]
    for line in output.splitlines():
        if BADLY.search(line):
            return "fails", line.strip()
    good = [line.strip() for line in output.splitlines() if WELL.search(line)]
    return "runs", f"it says: {good[-1]}" if good else "ends with code 0; it does not check itself"


def write_page(page, rows, given):
    text = page.read_text()
    start, end = text.index(FIRST) + len(FIRST), text.index(LAST)
    kept = [line for line in text[start:end].splitlines() if line.startswith("| ") and not line.startswith("| suite") and not line.startswith("| ---")
            and (line.split("|")[1].strip(), line.split("|")[3].strip()) not in given]
    table = ["", "| suite | version | program | arguments | result | how it was checked, or why not |", "| --- | --- | --- | --- | --- | --- |", *sorted([*kept, *rows]), ""]
    page.write_text(text[:start] + "\n".join(table) + text[end:])


def shortened(text):
    text = re.sub(r"\s+", " ", text).replace("|", "/").replace("<", "&lt;")
    text = re.sub(r"(/[\w.+-]+){2,}/", "", text) # no folders of the machine this was made on
    return text if len(text) <= 120 else text[:117] + "..."


def try_suite(options, suite, root, source, scratch):
    warpline = str(pathlib.Path(options.build).resolve() / "warpline")
    toolkit = pathlib.Path(scratch) / "toolkit"
    subprocess.run([warpline, "cc", "--toolkit", str(toolkit)], check=True)
    ours = Tools(toolkit, [warpline, "cc"], scratch)
    nvcc = shutil.which("nvcc") or shutil.which("nvcc", path="/usr/local/cuda/bin")
    theirs = Tools(pathlib.Path(nvcc).resolve().parents[1], [nvcc, "-cudart", "shared"], scratch) if options.nvcc and nvcc else None
    copy = pathlib.Path(scratch) / suite
    shutil.copytree(root, copy, symlinks=True, ignore=shutil.ignore_patterns(".git"))
    only = options.only.split(",") if options.only else None
    rows, given, states = [], set(), {}
    for name, folder in programs_of(suite, copy):
        if only and name not in only:
            continue
        known = RUNS.get(suite, {}).get(name, RUNS.get(suite, {}).get("", []))
        definitions = known if isinstance(known, list) else []
        program, said = ours.build(folder, definitions, 300)
        arguments = []
        if program:
            arguments = arguments_of(suite, name, folder, program)
            made_here = folder in program.parents
            state, said = run(warpline, program, arguments, program.parent if made_here else folder, options.seconds)
        else:
            state = "does not compile"
            if theirs:
                state = "does not compile; with nvcc it does" if theirs.build(folder, definitions, 300)[0] else "does not compile, nor with nvcc"
        print(f"{suite} {name}: {state} ({said[:160]})", flush=True)
        states[state] = states.get(state, 0) + 1
        given.add((suite, name))
        shown = " ".join([*definitions, *arguments])
        rows.append(f"| {suite} | {source} {version(root)} | {name} | {shortened(shown)} | {state} | {shortened(said)} |")
    print(f"{suite}: " + ", ".join(f"{count} {state}" for state, count in sorted(states.items())), flush=True)
    return rows, given


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build")
    parser.add_argument("suites", nargs="+", metavar="SUITE=FOLDER")
    parser.add_argument("--only", default="", help="names of programs, with commas")
    parser.add_argument("--seconds", type=int, default=300, help="for one run; 300 if not given")
    parser.add_argument("--nvcc", action="store_true", help="try nvcc on what does not compile")
    parser.add_argument("--page")
    options = parser.parse_args()
    for word in options.suites:
        suite, _, folder = word.partition("=")
        if not suite or not pathlib.Path(folder).is_dir():
            sys.exit(f"{word}: expected a name, then = and the folder of a checkout")
        with tempfile.TemporaryDirectory(prefix="warpline-programs-") as scratch:
            rows, given = try_suite(options, suite, pathlib.Path(folder).resolve(), PLACES.get(suite, (suite, ""))[0], scratch)
        if options.page:
            write_page(pathlib.Path(options.page), rows, given)


main()
