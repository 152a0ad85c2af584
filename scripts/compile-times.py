#!/usr/bin/env python3
"""CPU and wall seconds of compiling to objects, by `warpline cc` and by nvcc: compile-times.py WARPLINE [FILE.cu...].

Prints a row of the table in docs/programs.md for each file; without files, for those that the table has. Files that are named
together with a + are compiled by one command with -rdc=true. Nothing else should run meanwhile."""
import pathlib
import resource
import shutil
import subprocess
import sys
import tempfile
import time

if sys.argv[1:2] in (["-h"], ["--help"]):
    sys.exit(print(__doc__))

TESTS = pathlib.Path(__file__).resolve().parent.parent / "tests" / "e2e" / "cuda"
THRUST = pathlib.Path("/usr/share/doc/libthrust-dev/examples")
FILES = [*(str(TESTS / name) for name in ("vector_add.cu", "reduction.cu", "textures.cu", "groups.cu", "pipelines.cu", "standard_library.cu",
                                          "dense_algebra.cu", "cub_parts.cu", "thrust.cu")),
         f"{TESTS}/linked.cu+{TESTS}/linked_part.cu", *(str(THRUST / name) for name in ("sum.cu", "sort.cu"))]
FLAGS = ["-std=c++17", "-arch=sm_75", "-O3", "--extended-lambda", "--expt-relaxed-constexpr", "-c"]


def seconds(command, folder):
    """CPU and wall seconds; None when the compiler refuses the file."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    done = subprocess.run(command, cwd=folder, capture_output=True)
    after, wall = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic() - start
    if done.returncode:
        return None
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, wall


def shown(found):
    return "refused, " if found is None else f"{found[0]:.1f}, {found[1]:.1f}"


def main():
    warpline = str(pathlib.Path(sys.argv[1]).resolve())
    nvcc = shutil.which("nvcc") or shutil.which("nvcc", path="/usr/local/cuda/bin")
    with tempfile.TemporaryDirectory() as folder:
        for files in sys.argv[2:] or FILES:
            names = [str(pathlib.Path(name).resolve()) for name in files.split("+")]
            more = FLAGS + (["-rdc=true"] if len(names) > 1 else []) + names
            ours = seconds([warpline, "cc", *more], folder)
            theirs = seconds([nvcc, *more], folder) if nvcc else None
            print(f"| `{'`, `'.join(pathlib.Path(name).name for name in names)}` | {shown(ours)} | {shown(theirs) if nvcc else 'no nvcc'} |", flush=True)


main()
