#!/usr/bin/env python3
"""Builds and runs programs of public suites as they are, from checkouts of yours, and says which work:

    scripts/programs.py BUILD SUITE=FOLDER [SUITE=FOLDER...] [--only NAME] [--seconds N] [--page docs/programs.md]

SUITE is polybench-gpu, rodinia or cuda-samples; none of their code is part of warpline. Each program is compiled by `warpline cc` and run with
--functional. With --page the table is written into the page, between its two marks; programs that were not tried keep their rows."""
import argparse
import pathlib
import re
import subprocess
import sys
import tempfile

# name: (folder, sources, flags, arguments, what its output must hold, what it must not)
POLYBENCH = {name: (f"CUDA/{name}", ["*.cu"], ["-DMINI_DATASET"], [], r"Non-Matching CPU-GPU Outputs.*: 0\b", None)
             for name in ("2DCONV", "2MM", "3DCONV", "3MM", "ADI", "ATAX", "BICG", "CORR", "COVAR", "DOITGEN", "FDTD-2D", "GEMM", "GEMVER", "GESUMMV",
                          "GRAMSCHM", "JACOBI1D", "JACOBI2D", "LU", "MVT", "SYR2K", "SYRK")}
RODINIA = {
    "pathfinder": ("cuda/pathfinder", ["pathfinder.cu"], [], ["2000", "20", "5"], None, "rror"),
    "gaussian": ("cuda/gaussian", ["gaussian.cu"], [], ["-s", "64", "-q"], "Time total", "rror"),
    "nw": ("cuda/nw", ["needle.cu"], [], ["256", "10"], "Processing bottom-right matrix", "rror"),
    "lavaMD": ("cuda/lavaMD", ["main.c", "util/timer/timer.c", "util/num/num.c", "kernel/kernel_gpu_cuda_wrapper.cu", "util/device/device.cu"],
               [], ["-boxes1d", "2"], "GPU: KERNEL", "rror"),
    "lud": ("cuda/lud/cuda", ["lud.cu", "lud_kernel.cu", "../common/common.c"], ["-I", "../common", "-x", "cu"], ["-s", "64", "-v"],
            ">>>Verify<<<", "dismatch"),
    "particlefilter_naive": ("cuda/particlefilter", ["ex_particle_CUDA_naive_seq.cu"], [], ["-x", "32", "-y", "32", "-z", "3", "-np", "256"],
                             "ENTIRE PROGRAM TOOK", None),
    "particlefilter_float": ("cuda/particlefilter", ["ex_particle_CUDA_float_seq.cu"], [], ["-x", "32", "-y", "32", "-z", "3", "-np", "256"],
                             "ENTIRE PROGRAM TOOK", None),
}
SAMPLES = {name: (folder, ["*.cu", "*.cpp"], ["-I", "Common"], arguments, wanted, "FAILED")
           for name, folder, arguments, wanted in (
               ("vectorAdd", "Samples/0_Introduction/vectorAdd", [], "Test PASSED"),
               ("asyncAPI", "Samples/0_Introduction/asyncAPI", [], "elapsed|CPU executed"),
               ("clock", "Samples/0_Introduction/clock", [], "Average clocks"),
               ("matrixMul", "Samples/0_Introduction/matrixMul", ["-wA=64", "-hA=64", "-wB=64", "-hB=64"], "Result = PASS"),
               ("simpleAtomicIntrinsics", "Samples/0_Introduction/simpleAtomicIntrinsics", [], "simpleAtomicIntrinsics completed, returned OK"),
               ("simpleVoteIntrinsics", "Samples/0_Introduction/simpleVoteIntrinsics", [], "simpleVoteIntrinsics"),
               ("simpleTemplates", "Samples/0_Introduction/simpleTemplates", [], "0 Failures"),
               ("simpleCooperativeGroups", "Samples/0_Introduction/simpleCooperativeGroups", [], "Sum of all ranks"),
               ("shfl_scan", "Samples/2_Concepts_and_Techniques/shfl_scan", [], "Test"),
               ("scalarProd", "Samples/2_Concepts_and_Techniques/scalarProd", [], "Test passed"))}
SUITES = {"polybench-gpu": ("sgrauerg/polybenchGpu", POLYBENCH), "rodinia": ("yuhc/gpu-rodinia", RODINIA), "cuda-samples": ("NVIDIA/cuda-samples", SAMPLES)}
FIRST, LAST = "<!-- programs: made by scripts/programs.py -->", "<!-- programs: end -->"


def version(folder):
    done = subprocess.run(["git", "-C", str(folder), "rev-parse", "--short", "HEAD"], capture_output=True, text=True)
    return done.stdout.strip() or (folder / "VERSION").read_text().strip() if (folder / "VERSION").exists() or done.returncode == 0 else "unknown"


def try_program(warpline, root, recipe, seconds):
    """(state, what was found)"""
    folder, sources, flags, arguments, wanted, unwanted = recipe
    here = root / folder
    if not here.is_dir():
        return "not there", folder
    flags = [str(root / word) if flags[i - 1] == "-I" and not word.startswith("..") else word for i, word in enumerate(flags)]
    sources = [str(found.relative_to(here)) for word in sources for found in sorted(here.glob(word))] if "*" in "".join(sources) else sources
    with tempfile.TemporaryDirectory() as scratch:
        program = str(pathlib.Path(scratch) / "program")
        try:
            done = subprocess.run([warpline, "cc", *flags, *sources, "-o", program, "-lm"], cwd=here, capture_output=True, text=True, errors="replace", timeout=600)
            if done.returncode:
                lines = [line for line in done.stderr.splitlines() if "error" in line] or done.stderr.splitlines() or ["?"]
                return "does not compile", lines[0].strip()[:150]
            done = subprocess.run([warpline, "run", "--functional", "--quiet", program, *arguments], cwd=here, capture_output=True, text=True,
                                  errors="replace", timeout=seconds)
        except subprocess.TimeoutExpired:
            return "not ended", f"after {seconds} s"
    output = done.stdout + done.stderr
    if done.returncode:
        return "fails", (done.stderr.strip().splitlines() or ["?"])[-1][:150]
    if unwanted and re.search(unwanted, output):
        return "fails", re.search(f".*{unwanted}.*", output).group(0)[:150]
    if wanted and not re.search(wanted, output):
        return "fails", f"its output lacks '{wanted}'"
    return "runs", f"its output has '{wanted}'" if wanted else "ends with code 0"


def write_page(page, rows, given):
    text = page.read_text()
    start, end = text.index(FIRST) + len(FIRST), text.index(LAST)
    kept = [line for line in text[start:end].splitlines() if line.startswith("| ") and not line.startswith("| suite") and not line.startswith("| ---")
            and (line.split("|")[1].strip(), line.split("|")[3].strip()) not in given]
    table = ["", "| suite | version | program | arguments | result | how it was checked |", "| --- | --- | --- | --- | --- | --- |", *sorted([*kept, *rows]), ""]
    page.write_text(text[:start] + "\n".join(table) + text[end:])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build")
    parser.add_argument("suites", nargs="+", metavar="SUITE=FOLDER")
    parser.add_argument("--only", default="")
    parser.add_argument("--seconds", type=int, default=300, help="for one run; 300 if not given")
    parser.add_argument("--page")
    options = parser.parse_args()
    rows, given = [], set()
    for word in options.suites:
        suite, _, folder = word.partition("=")
        if suite not in SUITES or not pathlib.Path(folder).is_dir():
            sys.exit(f"{word}: expected one of {', '.join(SUITES)}, then = and the folder of a checkout")
        source, programs = SUITES[suite]
        for name, recipe in programs.items():
            if options.only and name != options.only:
                continue
            state, found = try_program(str(pathlib.Path(options.build).resolve() / "warpline"), pathlib.Path(folder).resolve(), recipe, options.seconds)
            given.add((suite, name))
            print(f"{suite} {name}: {state} ({found})", flush=True)
            rows.append(f"| {suite} | {source} {version(pathlib.Path(folder))} | {name} | {' '.join([*(w for w in recipe[2] if w.startswith('-D')), *recipe[3]])} | {state} | {found.replace('|', '/')} |")
    if options.page:
        write_page(pathlib.Path(options.page), rows, given)


main()
