#!/usr/bin/env python3
"""Every built-in workload computes what the CPU computes: on the machine, and (where nvcc is) made by nvcc instead."""
import json
import os
import shutil
import subprocess

from harness import ROOT, Case, main, run

NAMES = [row["name"] for row in json.loads(run("list", "workloads", "--json", "-").stdout)]


class Workloads(Case):
    def test_the_list_is_the_folder(self):
        self.assertEqual(sorted(NAMES), sorted(p.stem for p in (ROOT / "workloads").glob("*.cu")))

    def test_each_is_right_and_repeats_to_the_byte(self):
        for name in NAMES:
            with self.subTest(name):
                results = []
                for attempt in range(2):
                    path = self.folder / f"{name}.{attempt}.json"
                    done = run("run", "--quiet", "--json", path, name, "--size", "tiny")
                    self.assertEqual(done.returncode, 0, done.stderr)
                    self.assertIn("right", done.stdout)
                    result = json.loads(path.read_text())
                    del result["host"]
                    results.append(json.dumps(result))
                self.assertEqual(results[0], results[1])

    def test_kernels_are_those_declared(self):
        for row in json.loads(run("list", "workloads", "--json", "-").stdout):
            path = self.folder / "k.json"
            run("run", "--functional", "--quiet", "--json", path, row["name"], "--size", "tiny")
            launched = {k["name"] for k in json.loads(path.read_text())["kernels"]}
            for kernel in row["kernels"].split(", "):
                self.assertTrue(any(kernel in name for name in launched), f"{row['name']} does not launch {kernel}")

    def test_sizes_are_those_declared(self):
        """At small, as listed: another clang may make some instructions more or fewer."""
        for row in json.loads(run("list", "workloads", "--json", "-").stdout):
            path = self.folder / "s.json"
            done = run("run", "--functional", "--quiet", "--json", path, row["name"], "--size", "small")
            counted = json.loads(path.read_text())["totals"]["warp_instructions"]
            self.assertLess(abs(counted / row["small_warp_instructions"] - 1), 0.25, row["name"])
            self.assertTrue(200_000 < counted < 2_500_000, row["name"])
            self.assertAlmostEqual(row["small_bytes"] / 1024, float(done.stdout.split("; ")[-1].split()[0]), delta=1, msg=row["name"])

    def test_the_same_sources_through_nvcc(self):
        nvcc = shutil.which("nvcc", path=os.environ["PATH"] + ":/usr/local/cuda/bin")
        if not nvcc:
            self.skipTest("nvcc is not on this machine")
        for name in ("syrk", "bfs", "histo", "lavamd", "btree", "mriq"):
            with self.subTest(name):
                program = self.folder / name
                subprocess.run([nvcc, "-cudart", "shared", "-arch=compute_75", "-o", program, ROOT / "workloads" / f"{name}.cu"], check=True, capture_output=True)
                done = run("run", "--quiet", program, "--size", "tiny")
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertIn("right", done.stdout)


if __name__ == "__main__":
    main()
