#!/usr/bin/env python3
"""Every built-in workload computes what the CPU computes: on the machine, the same at every run, and in the sizes that are declared."""
import json
import re

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
        """As listed: another clang may make some instructions more or fewer. Size paper takes minutes: scripts/describe-workloads.py counts it."""
        bounds = {"small": (300_000, 2_000_000), "medium": (5_000_000, 50_000_000)}
        for row in json.loads(run("list", "workloads", "--json", "-").stdout):
            for size, (least, most) in bounds.items():
                with self.subTest(workload=row["name"], size=size):
                    path = self.folder / "s.json"
                    done = run("run", "--functional", "--quiet", "--json", path, row["name"], "--size", size)
                    self.assertEqual(done.returncode, 0, done.stderr)
                    declared, counted = row[f"{size}_warp_instructions"], json.loads(path.read_text())["totals"]["warp_instructions"]
                    self.assertTrue(least <= declared <= most, f"{declared} declared")
                    self.assertLess(abs(counted / declared - 1), 0.25)
                    if size == "small":
                        self.assertAlmostEqual(row["small_bytes"] / 1024, float(done.stdout.split("; ")[-1].split()[0]), delta=1)

    def test_rows_of_the_later_papers_name_workloads(self):
        """An abbreviation is used once in a paper, and runs what the table says: PF is a different program in 003 and in 004."""
        rows = re.findall(r'^TABLE_ROW\("([\d.]+)", "([^"]+)", (\w+), "[^"]+"\)$', (ROOT / "workloads/tables.def").read_text(), re.M)
        self.assertEqual(len(rows), (ROOT / "workloads/tables.def").read_text().count("\nTABLE_ROW"))
        self.assertEqual(len({(paper, abbreviation.lower()) for paper, abbreviation, _ in rows}), len(rows))
        self.assertLessEqual({name for _, _, name in rows}, set(NAMES))
        listed = {row["name"]: row["papers"] for row in json.loads(run("list", "workloads", "--json", "-").stdout)}
        for paper, abbreviation, name in rows:
            self.assertIn(f"{paper} {abbreviation} ", listed[name])
        self.assertIn("pathfinder (tiny)", run("run", "--functional", "--quiet", "003:pf", "--size", "tiny").stdout)
        self.assertIn("srad (tiny)", run("run", "--functional", "--quiet", "004:SR2", "--size", "tiny").stdout)
        self.assertNotEqual(run("run", "--functional", "--quiet", "003:SR2", "--size", "tiny").returncode, 0)

    def test_a_table_with_titles(self):
        """Every column that the JSON has as text is shown, under a title."""
        lines = run("list", "workloads").stdout.splitlines()
        self.assertTrue(lines[0].startswith("# name"))
        rows = json.loads(run("list", "workloads", "--json", "-").stdout)
        self.assertEqual(len(lines), 1 + len(rows))
        for line, row in zip(lines[1:], rows):
            for value in row.values():
                self.assertTrue(not isinstance(value, str) or value in line, value)
        start = lines[0].index("in 001")
        self.assertEqual(next(line for line in lines if line.startswith("srad "))[start:start + 4], "srad")


if __name__ == "__main__":
    main()
