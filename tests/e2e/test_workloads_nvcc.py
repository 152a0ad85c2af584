#!/usr/bin/env python3
"""Every built-in workload, made by nvcc instead of `warpline cc`, passes its own check too."""
import concurrent.futures
import json
import os
import shutil
import subprocess
import unittest

from harness import ROOT, Case, main, run

NVCC = shutil.which("nvcc", path=os.environ["PATH"] + ":/usr/local/cuda/bin")
NAMES = [row["name"] for row in json.loads(run("list", "workloads", "--json", "-").stdout)]


@unittest.skipUnless(NVCC, "nvcc is not on this machine: workloads made by it are not tested")
class MadeByNvcc(Case):
    def make(self, name):
        return subprocess.run([NVCC, "-cudart", "shared", "-arch=compute_75", "-o", self.folder / name, ROOT / "workloads" / f"{name}.cu"], capture_output=True, text=True)

    def test_each_is_right(self):
        with concurrent.futures.ThreadPoolExecutor(2) as two:
            for name, made in zip(NAMES, two.map(self.make, NAMES)):
                with self.subTest(name):
                    self.assertEqual(made.returncode, 0, made.stderr)
                    done = run("run", "--functional", "--quiet", self.folder / name, "--size", "tiny")
                    self.assertEqual(done.returncode, 0, done.stderr)
                    self.assertIn("right", done.stdout)

    def test_some_are_right_on_the_machine(self):
        for name in ("syrk", "kmeans_texture", "lavamd"):
            with self.subTest(name):
                self.assertEqual(self.make(name).returncode, 0)
                done = run("run", "--quiet", self.folder / name, "--size", "tiny")
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertIn("right", done.stdout)


if __name__ == "__main__":
    main()
