#!/usr/bin/env python3
"""Looking every few cycles changes nothing, and what is seen adds up."""
import csv
import json

from harness import ROOT, Case, main, run

KERNELS = ROOT / "tests/validation/kernels"


class Timeline(Case):
    def result(self, *options):
        path = self.folder / "r.json"
        done = run("run", "--quiet", "--json", path, *options)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(path.read_text())

    def test_samples_change_nothing_and_add_up(self):
        for target in (["--ptx", KERNELS / "reduction.ptx", "--launch", KERNELS / "reduction.json"], ["bfs", "--size", "tiny"]):
            plain = self.result(*target)
            seen = self.result("--timeline", self.folder / "t.json", "--set", "gpu.interval=97", *target)
            self.assertEqual(plain["totals"], seen["totals"])
            for kernel in seen["kernels"]:
                series = kernel["series"]
                whole = kernel["cycles"] // 97
                for name, values in series["counters"].items():
                    self.assertEqual(len(values), whole, name)
                group, _, counter = "sm.warp_instructions".partition(".")
                self.assertLessEqual(sum(series["counters"]["sm.warp_instructions"]), kernel[group][counter])

    def test_the_trace_is_one_that_viewers_open(self):
        self.result("--timeline", self.folder / "t.json", "spmv", "--size", "tiny")
        events = json.loads((self.folder / "t.json").read_text())["traceEvents"]
        kinds = {e["ph"] for e in events}
        self.assertEqual(kinds, {"M", "X", "C"})
        self.assertTrue(all("ts" in e and "pid" in e for e in events if e["ph"] != "M"))

    def test_what_a_technique_counts_has_tracks(self):
        """Modes over time: counters whose names differ in the last part are stacked."""
        options = ["--config", "gtx480-latte", "--policy", "latte-cc", "--set", "policy.latte-cc.phase_accesses=16", "--set", "gpu.interval=500"]
        result = self.result("--timeline", self.folder / "t.json", *options, "similarityscore", "--size", "tiny")
        events = json.loads((self.folder / "t.json").read_text())["traceEvents"]
        phases = [e["args"] for e in events if e["name"] == "latte_cc.phases"]
        self.assertTrue(phases)
        for mode in ("none", "low", "high"):
            seen = sum(p.get(mode, 0) for p in phases)
            self.assertLessEqual(seen, result["totals"]["latte_cc"]["phases"][mode])
        self.assertGreater(sum(p.get("none", 0) + p.get("low", 0) for p in phases), 0)
        self.assertFalse(any(e["name"].startswith(("sm.", "l1.", "dram.")) for e in events))

    def test_a_spreadsheet_has_a_row_per_interval(self):
        result = self.result("--timeline", self.folder / "t.csv", "spmv", "--size", "tiny")
        with open(self.folder / "t.csv", newline="") as f:
            rows = list(csv.DictReader(f))
        self.assertEqual(len(rows), sum(k["cycles"] // 1000 for k in result["kernels"]))

    def test_an_unwritable_file_is_refused(self):
        done = run("run", "--quiet", "--timeline", self.folder / "no/such/t.json", "spmv", "--size", "tiny")
        self.assertEqual(done.returncode, 3)


if __name__ == "__main__":
    main()
