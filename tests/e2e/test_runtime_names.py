#!/usr/bin/env python3
"""The CUDA runtime under each of its names: what public programs call is there, and a program linked against any of them runs.

The names in runtime_calls.txt are those that 252 public CUDA programs were found to need of libcudart."""
import shutil
import subprocess
import unittest

from harness import BUILD, OK, ROOT, Case, main, run

LIBRARIES = ("libcudart.so.11.0", "libcudart.so.12", "libcudart.so.13")

MISSING = """
#include <cstdio>
#include <cuda_runtime.h>
extern "C" cudaError_t cudaGraphDebugDotPrint(void *, const char *, unsigned);
int main() { std::printf("%s %s\\n", cudaGetErrorName(cudaGraphDebugDotPrint(0, 0, 0)), cudaGetErrorName(cudaIpcGetMemHandle(0, 0))); }
"""


class Names(Case):
    def test_every_call_of_public_programs_is_exported(self):
        wanted = set((ROOT / "tests/e2e/runtime_calls.txt").read_text().split())
        self.assertEqual(len(wanted), 93)
        for library in LIBRARIES:
            listed = subprocess.run(["nm", "-D", "--defined-only", BUILD / library], capture_output=True, text=True, check=True).stdout
            there = {line.split()[-1].split("@")[0] for line in listed.splitlines()}
            self.assertEqual(wanted - there, set(), library)

    @unittest.skipUnless(shutil.which("clang++"), "clang++ is not on this machine")
    def test_programs_linked_against_each_name_run(self):
        source, program = ROOT / "tests/e2e/cuda/reduction.cu", self.folder / "reduction"
        made = run("cc", "-c", source, "-o", self.folder / "reduction.o")
        self.assertEqual(made.returncode, OK, made.stderr)
        for library in LIBRARIES:
            subprocess.run(["clang++", self.folder / "reduction.o", BUILD / library, "-o", program], check=True)
            needed = subprocess.run(["readelf", "-d", program], capture_output=True, text=True, check=True).stdout
            self.assertIn(f"[{library}]", needed)
            done = run("run", "--functional", program)
            self.assertEqual((done.returncode, done.stdout), (OK, "ok\n"), f"{library}: {done.stderr}")

    @unittest.skipUnless(shutil.which("nvcc", path="/usr/local/cuda/bin") or shutil.which("nvcc"), "nvcc is not on this machine")
    def test_programs_of_nvcc_linked_against_each_name_run(self):
        nvcc = shutil.which("nvcc") or shutil.which("nvcc", path="/usr/local/cuda/bin")
        source, program = ROOT / "tests/e2e/cuda/reduction.cu", self.folder / "reduction"
        subprocess.run([nvcc, "-c", "-arch=compute_75", "-std=c++17", source, "-o", self.folder / "reduction.o"], check=True, capture_output=True)
        for library in LIBRARIES:
            subprocess.run(["c++", self.folder / "reduction.o", BUILD / library, "-o", program], check=True)
            done = run("run", "--functional", program)
            self.assertEqual((done.returncode, done.stdout), (OK, "ok\n"), f"{library}: {done.stderr}")

    @unittest.skipUnless(shutil.which("clang++"), "clang++ is not on this machine")
    def test_a_call_that_is_not_there_says_so(self):
        made = run("cc", self.put("missing.cu", MISSING), "-o", self.folder / "missing")
        self.assertEqual(made.returncode, OK, made.stderr)
        done = run("run", "--functional", self.folder / "missing")
        self.assertEqual(done.stdout, "cudaErrorNotSupported cudaErrorNotSupported\n")
        for name in ("cudaGraphDebugDotPrint", "cudaIpcGetMemHandle"):
            self.assertIn(f"{name} is not part of warpline's CUDA runtime; it returns cudaErrorNotSupported", done.stderr)


if __name__ == "__main__":
    main()
