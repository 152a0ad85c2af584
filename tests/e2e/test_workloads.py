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
            if row["name"] == "figure3":  # a worked example of 21 instructions
                continue
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

    def test_shapes(self):
        """--shape replaces numbers of an input, which is checked all the same; what a program does not have is refused before it runs."""
        def grid(*arguments):
            path = self.folder / "shape.json"
            done = run("run", "--functional", "--quiet", "--json", path, *arguments)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("right", done.stdout)
            return json.loads(path.read_text())["kernels"][0]["grid"]

        self.assertEqual(grid("--size", "tiny", "atax"), [1, 1, 1])
        self.assertEqual(grid("--size", "tiny", "atax", "--", "--shape", "rows=1000,columns=300,depth=20"), [4, 1, 1])
        for name, shape in (("gesummv", "rows=300,pitch=96"), ("bicg", "rows=300"), ("mvt", "columns=300"), ("syrk", "n=64,m=80"), ("srad", "rows=32"), ("srad1", "rows=33,columns=20"),
                            ("hotspot", "n=80,launches=2"), ("fdtd2d", "rows=40,steps=1"), ("conv2d", "n=70"), ("spmv_jds", "width=20,height=9"), ("gaussian", "n=20"), ("libor", "rates=9,steps=5"),
                            ("bfs", "nodes=500,degree=3"), ("cfd", "width=48,height=24,iterations=1"), ("kmeans_texture", "points=300"), ("particlefilter_float", "particles=700"),
                            ("mummer", "reads=300"), ("particlefilter", "particles=300,frames=2"), ("cutcp", "bricks=3"), ("histogram", "words=3000,blocks=6"), ("histo", "values=5000,bins=8192"),
                            ("mrigridding", "tiles=3,samples=300"), ("mriq", "voxels=300"), ("tpacf", "sets=2"), ("pathfinder", "columns=700"), ("sgemm", "m=256"), ("stencil", "ny=40"),
                            ("leukocyte", "columns=70,cells=2")):
            with self.subTest(name):
                grid("--size", "tiny", name, "--", "--shape", shape)
        for shape, phrase in (("row=5", "no number 'row'"), ("rows=0", "NAME=NUMBER"), ("rows=5x", "NAME=NUMBER"), ("rows", "NAME=NUMBER"), ("rows=", "NAME=NUMBER")):
            done = run("run", "--quiet", "--size", "tiny", "atax", "--", "--shape", shape)
            self.assertNotEqual(done.returncode, 0, shape)
            self.assertIn(phrase, done.stderr)

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
