#!/usr/bin/env python3
"""Builds and runs programs of public suites as they are, from checkouts of yours, and says which work:

    scripts/programs.py BUILD SUITE=FOLDER [SUITE=FOLDER...] [--only NAME,NAME] [--list FILE] [--seconds N] [--nvcc] [--page docs/programs.md]
    scripts/programs.py --rates docs/programs.md

SUITE is any name; none of the suites' code, nor how to build it, is part of warpline. A program is a folder with CUDA sources. It is built in a copy
of the checkout: by its own Makefile, with `warpline cc --toolkit` in the place of the toolkit, or, where there is none, from all sources of the folder.
It is then run with --functional: with the arguments of its Makefile's `run`, or with smaller ones that this script knows (RUNS). With --nvcc, every
program is built a second time, by nvcc. With --page its row is written into the page as soon as it is known, in the section of its suite (made if
there is none); programs that were not tried keep their rows, and the rates at the top of the list are counted again from all rows. --rates only counts.

--list names a file of yours that says more about a suite whose programs do not lie one to a folder, or need words of their own:

    {"SUITE": {"NAME": {"folder": "a/b", "build": "make -C c", "program": "a/b/name", "run": "64 in.txt", "in": "a/b", "expect": "a pattern",
                        "options": "--set exec.out_of_bounds=warn", "check": "cmp out.txt reference.txt", "needs": "what is missing, if it cannot run"}}}

Folders are the checkout's; everything may be left out but NAME. "build" and "check" are commands of the shell; "expect" must be found in the output."""
import argparse
import fcntl
import json
import os
import pathlib
import re
import resource
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time

# What a suite's name says about where programs lie and which files are not theirs; a folder that is not named here is looked through whole.
PLACES = {"polybench-gpu": ("sgrauerg/polybenchGpu", "CUDA/*"), "rodinia": ("yuhc/gpu-rodinia", "cuda/*"), "cuda-samples": ("NVIDIA/cuda-samples", "Samples/*/*"),
          "hecbench": ("zjin-lcf/HeCBench", "src/*-cuda"), "llm.c": ("karpathy/llm.c", "dev/cuda")}
# Smaller arguments than a program's own, or those that it needs; a list of definitions instead where sizes are chosen by the compiler. For
# each suite "" holds for programs that are not named.
RUNS = {
    "polybench-gpu": {"": [f"-D{name}=256" for name in ("N", "M", "NI", "NJ", "NK", "NL", "NM", "NX", "NY", "NR", "NQ", "NP")] + ["-DTMAX=8", "-DTSTEPS=8"]},
    "rodinia": {"pathfinder": "2000 20 5", "gaussian": "-s 64 -q", "nw": "256 10", "lavaMD": "-boxes1d 2", "lud": "-s 64 -v", "backprop": "1024",
                "particlefilter": "-x 32 -y 32 -z 3 -np 256", "streamcluster": "4 8 16 256 256 50 none out.txt 1", "myocyte": "10 1 0", "dwt2d": "192.bmp -d 192x192 -f -5 -l 3",
                "hotspot": "64 2 2 ../../data/hotspot/temp_64 ../../data/hotspot/power_64 out.txt", "bfs": "../../data/bfs/graph4096.txt", "srad": "10 0.5 64 64"},
    "cuda-samples": {"matrixMul": "-wA=64 -hA=64 -wB=64 -hB=64"},
}
# Suites whose last argument, of several numbers, says how often to repeat: once is enough here.
REPEATS = ("hecbench",)
WELL = re.compile(r"(?<!not )(?<!NOT )\b(PASS(ED)?|[Pp]assed|PASSED|[Ss]uccess(ful|fully)?|SUCCESS|[Cc]orrect|OK|matches|[Vv]erified)\b|Non-Matching CPU-GPU Outputs[^:]*: 0\b")
BADLY = re.compile(r"\bFAIL(ED|URE)?\b|[Tt]est failed|[Vv]erification failed|\b[Ii]ncorrect\b|[Nn]ot match|Mismatch at|dismatch|INCORRECT|Non-Matching CPU-GPU Outputs[^:]*: [1-9]")
SOURCES = (".cu", ".cpp", ".cc", ".c")

# The page. Rates stand between two marks; a suite's section is everything from its heading to the next one or to the end mark.
RATES, RATES_END = "<!-- rates: counted by scripts/programs.py -->", "<!-- rates: end -->"
FIRST, LAST = "<!-- programs: made by scripts/programs.py -->", "<!-- programs: end -->"
COLUMNS = "| program | arguments | warpline cc | nvcc | run | how it was checked, or why not |"


def version(folder):
    done = subprocess.run(["git", "-C", str(folder), "rev-parse", "--short=8", "HEAD"], capture_output=True, text=True)
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
    lines = [line.strip() for line in text.splitlines() if re.search(r"error|undefined|warpline:|cannot find|No such file|No rule", line) and "make[" not in line
             and not line.lstrip().startswith("-I")]
    return (lines or text.strip().splitlines()[-1:] or ["?"])[0]


def bounded(command, seconds, **more):
    """A command and all that it starts, ended after a while; (code, or None if it did not end, and what was said)."""
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", start_new_session=True, **more)
    try:
        said, _ = process.communicate(timeout=seconds)
        return process.returncode, said
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        return None, process.communicate()[0]


def newer_nvcc(nvcc, scratch):
    """A toolkit of links to nvcc's, whose nvcc takes architectures that it no longer has for the oldest that it has: old Makefiles name them.
    The driver's library comes with a driver; a machine without one gets warpline's, to link with."""
    real = pathlib.Path(nvcc).resolve().parents[1]
    toolkit = pathlib.Path(scratch) / "nvcc-toolkit"
    (toolkit / "bin").mkdir(parents=True)
    for entry in real.iterdir():
        if entry.name not in ("bin", "lib64"):
            (toolkit / entry.name).symlink_to(entry)
    (toolkit / "lib64").mkdir()
    for entry in [*(real / "lib64").iterdir(), pathlib.Path(scratch) / "toolkit" / "lib64" / "libcuda.a"]:
        (toolkit / "lib64" / entry.name).symlink_to(entry)
    for entry in (real / "bin").iterdir():
        if entry.name != "nvcc":
            (toolkit / "bin" / entry.name).symlink_to(entry)
    wrapper = toolkit / "bin" / "nvcc"
    wrapper.write_text(f"""#!/usr/bin/env python3
import os, re, sys
words = [re.sub(r'(sm|compute)_([1-6][0-9]|70|72)\\b', r'\\1_75', word) for word in sys.argv[1:]]
os.execv({str(real / "bin" / "nvcc")!r}, ["nvcc", "-cudart", "shared", *words])
""")
    wrapper.chmod(0o755)
    return toolkit


class Tools:
    """Either compiler as a folder that Makefiles take for a CUDA toolkit."""

    def __init__(self, toolkit, scratch):
        self.toolkit, self.scratch = str(toolkit), scratch

    def environment(self):
        names = ("CUDA_DIR", "CUDA_PATH", "CUDA_HOME", "CUDA_INSTALL_PATH", "CUDAHOME", "CUDA_TOOLKIT_PATH")
        return {**os.environ, **{name: self.toolkit for name in names}, "PATH": f"{self.toolkit}/bin:{os.environ['PATH']}",
                "LIBRARY_PATH": f"{self.toolkit}/lib64"}

    def plain(self, folder, definitions):
        """A folder's sources by one call of the compiler."""
        program = pathlib.Path(self.scratch) / "program"
        program.unlink(missing_ok=True)
        found = [str(p.relative_to(folder)) for p in sorted(folder.iterdir()) if p.suffix in SOURCES]
        inside = [str(p.relative_to(folder)) for p in sorted(folder.glob("src/*")) if p.suffix in SOURCES]
        includes = [word for up in (folder, *list(folder.parents)[:4]) for name in ("Common", "common", "inc", "include", "utilities") if (up / name).is_dir()
                    for word in ("-I", str(up / name))]
        there = [f"-l{name}" for name in ("cuda", "cublas", "cusparse", "cufft", "curand", "nvrtc") if next(pathlib.Path(self.toolkit, "lib64").glob(f"lib{name}.*"), None)]
        return [f"{self.toolkit}/bin/nvcc", "-std=c++17", "-arch=sm_75", *definitions, *includes, *(found if any(f.endswith(".cu") for f in found) or not inside else found + inside),
                "-o", str(program), *there, "-lm"]

    def build(self, folder, definitions, told, made, seconds):
        """(program or None, what was said)"""
        start = time.time() - 1
        environment, last = self.environment(), None
        if "build" in told:
            command = ["sh", "-c", told["build"]]
        elif makefile(folder) and not definitions:
            bounded(["make", "clean"], seconds, cwd=folder, env=environment)
            command = ["make", *(f"{n}={self.toolkit}" for n in ("CUDA_DIR", "CUDA_PATH", "CUDA_INSTALL_PATH"))]
        else:
            command = self.plain(folder, definitions)
            last = pathlib.Path(self.scratch) / "program"
        if made:
            made.unlink(missing_ok=True)
        code, said = bounded(command, seconds, cwd=folder, env=environment)
        if code is None:
            return None, f"not built after {seconds} s"
        if made and made.exists():
            return made, ""
        if code or made:
            return None, tail(said)
        if last:
            return last, ""
        found = [p for p in sorted(folder.rglob("*")) if is_program(p) and p.stat().st_mtime > start]
        return (found[0], "") if found else (None, "its Makefile makes no program in the folder")


def arguments_of(suite, name, folder, program, largest):
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
            words = [str(largest) if largest and word.isdigit() and int(word) > largest else word for word in words]
            return [*words[:-1], "1"] if repeats else words
    return []


def judged(output, told, place, seconds):
    """(state, what was found) of a program that ended with code 0"""
    if "check" in told:
        code, said = bounded(["sh", "-c", told["check"]], seconds, cwd=place)
        return ("runs", f"`{told['check']}` finds no difference") if code == 0 else ("wrong", (said.strip().splitlines() or ["its check ends with an error"])[-1])
    if "expect" in told:
        found = re.search(told["expect"], output, re.M)
        return ("runs", f"it says: {found.group(0).strip()}") if found else ("wrong", f"its output lacks '{told['expect']}'")
    for line in output.splitlines():
        if BADLY.search(line):
            return "wrong", line.strip()
    good = [line.strip() for line in output.splitlines() if WELL.search(line)]
    return "runs", f"it says: {good[-1]}" if good else "ends with code 0; it does not check itself"


def run(warpline, program, arguments, told, place, seconds):
    """(state, what was found); a program gets seconds of CPU time, so that a loaded machine says the same, and twenty times that of the clock's"""
    limit = lambda: resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 5))
    code, output = bounded([warpline, "run", "--functional", "--quiet", *told.get("options", "").split(), str(program), *arguments], 20 * seconds, cwd=place, preexec_fn=limit)
    if code is None or f"signal {int(signal.SIGXCPU)} " in output or code in (-signal.SIGXCPU, 128 + signal.SIGXCPU):
        return "not ended", f"after {seconds} s"
    if code:
        said = [line for line in output.splitlines() if line.strip() and "ended with exit code" not in line]
        return "fails", (said or [f"ended with code {code}"])[-1]
    return judged(output, told, place, seconds)


def sections(text):
    """[(suite, source, rows)] of a page"""
    found = []
    for part in re.split(r"^### ", text[text.index(FIRST) + len(FIRST):text.index(LAST)], flags=re.M)[1:]:
        lines = part.splitlines()
        suite, _, source = lines[0].partition(", ")
        rows = [line for line in lines if line.startswith("| ") and line != COLUMNS and not line.startswith("| ---")]
        found.append((suite, source, rows))
    return found


def rates(found):
    lines = ["| suite | programs | compile with `warpline cc` | with nvcc | run | wrong | not ended | of those not run: fail, lack data |", "| --- | --- | --- | --- | --- | --- | --- | --- |"]
    for suite, source, rows in sorted(found):
        cells = [[cell.strip() for cell in row.split(" | ")] for row in rows]
        ours, theirs = [c[2] for c in cells], [c[3] for c in cells]
        states = [c[4] for c in cells]
        tried = len([word for word in theirs if word in ("yes", "no")])
        nvcc = f"{theirs.count('yes')}" + ("" if tried == len(cells) else f" of {tried} tried") if tried else "not tried"
        lines.append(f"| {suite}, {source} | {len(cells)} | {ours.count('yes')} | {nvcc} | {states.count('runs')} | {states.count('wrong')} | {states.count('not ended')} | "
                     f"{states.count('fails')}, {states.count('lacks data')} |")
    return "\n" + "\n".join(lines) + "\n"


def write_page(page, suite, source, name, row):
    """Puts one row in its place; row "" only counts. Several runs of the script may write one page."""
    with open(page, "r+") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        text = with_row(held.read(), suite, source, name, row)
        held.seek(0)
        held.truncate()
        held.write(text)


def with_row(text, suite, source, name, row):
    found = sections(text)
    if row:
        mine = next((rows for known, _, rows in found if known == suite), [])
        mine = sorted([line for line in mine if line.split(" | ")[0] != f"| {name}"] + [row], key=str.lower)
        found = [one for one in found if one[0] != suite] + [(suite, source, mine)]
        body = "".join(f"\n### {known}, {where}\n\n{COLUMNS}\n| --- | --- | --- | --- | --- | --- |\n" + "\n".join(rows) + "\n" for known, where, rows in sorted(found))
        text = text[:text.index(FIRST) + len(FIRST)] + "\n" + body + text[text.index(LAST):]
    if RATES in text:
        text = text[:text.index(RATES) + len(RATES)] + rates(found) + text[text.index(RATES_END):]
    return text


def shortened(text):
    text = re.sub(r"\s+", " ", text).replace("|", "/").replace("<", "&lt;").replace("*", "\\*")
    text = re.sub(r"(?<![\w.])(/[\w.+-]+){2,}/", "", text) # no folders of the machine this was made on
    return text if len(text) <= 120 else text[:117] + "..."


class Suite:
    """A copy of a checkout, and both compilers."""

    def __init__(self, options, suite, root, scratch):
        self.options, self.suite, self.root, self.scratch = options, suite, root, scratch
        self.warpline = str(pathlib.Path(options.build).resolve() / "warpline")
        toolkit = pathlib.Path(scratch) / "toolkit"
        subprocess.run([self.warpline, "cc", "--toolkit", str(toolkit)], check=True)
        self.ours = Tools(toolkit, scratch)
        nvcc = shutil.which("nvcc") or shutil.which("nvcc", path="/usr/local/cuda/bin")
        self.theirs = Tools(newer_nvcc(nvcc, scratch), scratch) if options.nvcc and nvcc else None
        self.copy = pathlib.Path(scratch) / suite
        shutil.copytree(root, self.copy, symlinks=True, ignore=shutil.ignore_patterns(".git"))
        self.told = json.loads(pathlib.Path(options.list).read_text()).get(suite, {}) if options.list else {}

    def programs(self):
        only = self.options.only.split(",") if self.options.only else None
        found = [(name, self.copy / more.get("folder", name)) for name, more in self.told.items()] or programs_of(self.suite, self.copy)
        return [(name, folder) for name, folder in found if not only or name in only]

    def try_one(self, name, folder):
        """(arguments, compiles, compiles with nvcc, state, what was found)"""
        told = self.told.get(name, {})
        known = RUNS.get(self.suite, {}).get(name, RUNS.get(self.suite, {}).get("", []))
        definitions = shlex.split(told.get("define", "")) or (known if isinstance(known, list) and "build" not in told else [])
        made = self.copy / told["program"] if "program" in told else None
        nvcc = ""
        if self.theirs: # first, so that what is run is ours
            program, said = self.theirs.build(folder, definitions, told, made, self.options.build_seconds)
            nvcc = "yes" if program else "no"
            if not program:
                print(f"{self.suite} {name}: nvcc says: {said[:200]}", flush=True)
        program, said = self.ours.build(folder, definitions, told, made, self.options.build_seconds)
        if not program:
            return definitions, "no", nvcc, "-", said
        arguments = shlex.split(told["run"]) if "run" in told else arguments_of(self.suite, name, folder, program, self.options.largest)
        place = self.copy / told["in"] if "in" in told else program.parent if self.copy in program.parents else folder
        state, said = ("lacks data", told["needs"]) if "needs" in told else run(self.warpline, program, arguments, told, place, self.options.seconds)
        return [*told.get("options", "").split(), *definitions, *arguments], "yes", nvcc, state, said

    def whole(self):
        source = f"{PLACES.get(self.suite, (self.told.get('', {}).get('source', self.suite), ''))[0]} {version(self.root)}"
        self.told.pop("", None)
        states = {}
        for name, folder in self.programs():
            shown, ours, theirs, state, said = self.try_one(name, folder)
            print(f"{self.suite} {name}: {'compiles' if ours == 'yes' else 'does not compile'}{', nvcc: ' + theirs if theirs else ''}, {state} ({said[:160]})", flush=True)
            states[state] = states.get(state, 0) + 1
            if self.options.page:
                row = f"| {name} | {shortened(' '.join(shown))} | {ours} | {theirs or '-'} | {state} | {shortened(said)} |"
                write_page(pathlib.Path(self.options.page), self.suite, source, name, row)
        print(f"{self.suite}: " + ", ".join(f"{count} {state}" for state, count in sorted(states.items())), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", nargs="?")
    parser.add_argument("suites", nargs="*", metavar="SUITE=FOLDER")
    parser.add_argument("--only", default="", help="names of programs, with commas")
    parser.add_argument("--list", help="a file of yours with how programs are built and run")
    parser.add_argument("--seconds", type=int, default=300, help="of CPU time, for one run; 300 if not given")
    parser.add_argument("--largest", type=int, help="numbers above this in the arguments of a Makefile's run become this one")
    parser.add_argument("--build-seconds", type=int, default=300, help="for building one program; 300 if not given")
    parser.add_argument("--nvcc", action="store_true", help="build every program with nvcc too")
    parser.add_argument("--page")
    parser.add_argument("--rates", metavar="PAGE", help="only count a page's rates again")
    options = parser.parse_args()
    if options.rates:
        write_page(pathlib.Path(options.rates), "", "", "", "")
        return
    if not options.build or not options.suites:
        parser.error("a build folder and at least one SUITE=FOLDER are needed")
    for word in options.suites:
        suite, _, folder = word.partition("=")
        if not suite or not pathlib.Path(folder).is_dir():
            sys.exit(f"{word}: expected a name, then = and the folder of a checkout")
        with tempfile.TemporaryDirectory(prefix="warpline-programs-") as scratch:
            Suite(options, suite, pathlib.Path(folder).resolve(), scratch).whole()


main()
