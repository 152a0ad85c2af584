#!/usr/bin/env python3
"""Compiles one CUDA program of this folder and runs it under warpline: run_cuda.py WARPLINE PROGRAM.cu [cc|nvcc].

Comments in the source say what to expect: expect-exit, expect-stdout, expect-stderr, options. Without them the program must end
with 0 and print "ok". nvcc-arch is the architecture to compile for when 75 is too little; also names
further sources, flags those of both compilers. With nvcc, a machine without it skips the test (exit code 77)."""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile


def expectations(source):
    found = dict(re.findall(r"^// (expect-exit|expect-stdout|expect-stderr|options|nvcc|nvcc-arch|cc|also|flags):[ ]?(.*)$", source.read_text(), re.M))
    return found


def compile_program(warpline, source, program, compiler, wanted):
    arch = wanted.get("nvcc-arch", "75")
    more = [str(source.parent / name) for name in wanted.get("also", "").split()] + wanted.get("flags", "").split()
    if compiler == "cc":
        command = [warpline, "cc", *more, str(source), "-o", str(program)]
    else:
        command = [compiler, "-cudart", "shared", f"-arch=compute_{arch}", "-std=c++17", "--extended-lambda", "--expt-relaxed-constexpr", "-diag-suppress", "177",
                   *more, str(source), "-o", str(program)]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{source.name} does not compile:\n{done.stderr}")


def run(warpline, program, options, wanted):
    done = subprocess.run([warpline, "run", *options, *wanted.get("options", "").split(), str(program)], capture_output=True, text=True,
                          timeout=120)
    what = f"{program.name} {' '.join(options)}"
    text = f"--- stdout\n{done.stdout}--- stderr\n{done.stderr}"
    if done.returncode != int(wanted.get("expect-exit", "0")):
        sys.exit(f"{what}: exit code {done.returncode} instead of {wanted.get('expect-exit', '0')}\n{text}")
    stdout = wanted.get("expect-stdout", "" if int(wanted.get("expect-exit", "0")) else "ok")
    if stdout not in done.stdout or ("expect-stdout" in wanted and stdout == "" and done.stdout):
        sys.exit(f"{what}: standard output lacks '{stdout}'\n{text}")
    if wanted.get("expect-stderr", "") not in done.stderr:
        sys.exit(f"{what}: standard error lacks '{wanted['expect-stderr']}'\n{text}")


def main():
    warpline, source, compiler = sys.argv[1], pathlib.Path(sys.argv[2]), (sys.argv[3:] or ["cc"])[0]
    wanted = expectations(source)
    if compiler == "nvcc":
        compiler = shutil.which("nvcc") or shutil.which("nvcc", path="/usr/local/cuda/bin")
        if not compiler or wanted.get("nvcc") is not None:
            print("skipped:", "nvcc is not on this machine" if not compiler else "not for nvcc")
            sys.exit(77)
    elif wanted.get("cc") is not None:
        print("skipped: not for clang")
        sys.exit(77)
    elif not (shutil.which("clang++") or shutil.which("clang++-14")):
        print("skipped: clang++ is not on this machine")
        sys.exit(77)
    with tempfile.TemporaryDirectory() as folder:
        program = pathlib.Path(folder) / source.stem
        compile_program(warpline, source, program, compiler, wanted)
        run(warpline, program, ["--functional"], wanted)
        run(warpline, program, [], wanted)


main()
