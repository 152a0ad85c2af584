#!/usr/bin/env python3
"""The kernels that were timed on real cards compute what the CPU does, and scripts/validate-hardware.py counts right."""
import importlib.util
import math
import subprocess
import sys

from harness import BUILD, OK, PROGRAM_FAILED, ROOT, Case, main, run

SCRIPT = ROOT / "scripts" / "validate-hardware.py"
SMALL = {"strided_copy_8": 4096, "reduce_sum": 2048, "dot_product": 2048, "atomic_hotspot": 512, "atomic_hotspot_by_lane": 512,
         "naive_transpose": 70, "shared_transpose": 70, "conv2d_3x3": 50, "conv2d_7x7": 50, "matmul_naive": 50, "matmul_tiled": 64}


def load():
    spec = importlib.util.spec_from_file_location("validate_hardware", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def row(kernel, card_ms, ours_ms):
    return {"card": "titanv", "kernel": kernel, "size": "1024", "rounds": "", "clock_mhz": "1455", "card_ms": str(card_ms), "ours_ms": str(ours_ms),
            "cycles": "1", "warp_instructions": "7", "dram_gbs": "500", "dram_busy": "0.5", "l2_hits": "0.25", "ctas_per_sm": "8"}


class Hardware(Case):
    def test_kernels_compute_right(self):
        script = load()
        program = script.compile_kernels(str(BUILD), self.folder)
        for kernel in [*script.CLASS_OF, "atomic_hotspot_by_lane"]:
            for data in ("random", "zeros"):
                done = run("run", "--functional", "--quiet", program, kernel, SMALL.get(kernel, 1000), "--launches", 2, "--rounds", 3, "--data", data)
                self.assertEqual((done.returncode, done.stdout), (OK, f"{kernel} of {SMALL.get(kernel, 1000)}: right\n"), done.stderr)
        self.assertEqual(run("run", "--functional", "--quiet", program, "no_such_kernel", 64).returncode, PROGRAM_FAILED)

    def test_errors_and_means_are_right(self):
        script = load()
        slow, fast = row("saxpy", 0.1, 0.15), row("vector_add", 0.2, 0.1)
        self.assertAlmostEqual(script.error(slow), 50)
        self.assertAlmostEqual(script.error_with_floor(slow), 53.6)
        self.assertAlmostEqual(script.error(fast), -50)
        short = row("saxpy", 0.0107, 1)
        self.assertEqual([script.counts(r) for r in (slow, fast, short)], [True, True, False])
        third = row("reduce_sum", 0.4, 0.4)
        logs = [(math.log(0.1), math.log(0.15)), (math.log(0.2), math.log(0.1)), (math.log(0.4), math.log(0.4))]
        mean = [sum(pair[i] for pair in logs) / 3 for i in (0, 1)]
        spread = [sum((pair[i] - mean[i]) ** 2 for pair in logs) for i in (0, 1)]
        together = sum((x - mean[0]) * (y - mean[1]) for x, y in logs)
        self.assertAlmostEqual(script.correlation([slow, fast, third]), together / math.sqrt(spread[0] * spread[1]))
        lines = script.summary_table([slow, fast, short, third])
        self.assertIn("| **titanv** | 3 | 33 | 34 | 50 | -50 to +50 | 0.688 |", lines)
        self.assertIn("| titanv, streams | 2 | 50 | 51 | 50 | -50 to +50 |  |", lines)

    def test_rows_of_an_earlier_run_fill_a_page(self):
        script = load()
        table, page = self.folder / "rows.csv", self.put("page.md", "before\n<!-- titanv -->\nold\n<!-- end -->\nafter\n")
        table.write_text(",".join(script.COLUMNS) + "\n" + ",".join(row("saxpy", 0.1, 0.15).values()) + "\n")
        done = subprocess.run([sys.executable, SCRIPT, "--from", table, "--page", page], capture_output=True, text=True, check=True)
        self.assertIn("has no place for 'summary'", done.stderr)
        self.assertEqual(page.read_text().splitlines()[3:],
                         ["| --- " * 10 + "|", "| saxpy | 1024 | 0.1000 | 0.1500 | +50 | +54 | 7 | 500 | 50 % | 25 % |", "<!-- end -->", "after"])


if __name__ == "__main__":
    main()
