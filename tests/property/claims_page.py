#!/usr/bin/env python3
"""docs/claims.md is fresh, and its verdicts are those that its rule states."""
import importlib.util
import re
import subprocess
import sys
import unittest
from pathlib import Path

SCRIPT = Path(__file__).resolve().parent.parent.parent / "scripts/claims-page.py"
spec = importlib.util.spec_from_file_location("claims_page", SCRIPT)
claims_page = importlib.util.module_from_spec(spec)
spec.loader.exec_module(claims_page)


class Verdicts(unittest.TestCase):
    def all_are(self, verdict, *rows):
        for row in rows:
            self.assertEqual(claims_page.verdict(*row), verdict, row)

    def test_near_is_within_a_tenth_and_within_half_of_what_changes(self):
        self.all_are("near", ("speedup of a", "1.5", "1.36", "x"), ("speedup of a", "21", "19", "x"), ("gain of a", "30", "20.5", "%"), ("gain of a", "-30", "-39", "%"),
                     ("share of a", "50", "41", "%"), ("share of a", "4", "2.1", "%"), ("size of a", "5.88", "6.085", "KB"), ("gain of a", "20", "14", "points"))
        self.all_are("same direction", ("speedup of a", "1.5", "1.34", "x"), ("speedup of a", "1.12", "1.05", "x"), ("gain of a", "7", "1.4", "%"), ("gain of a", "30", "41", "%"),
                     ("speedup of a", "0.5", "0.9", "x"), ("energy of a over b", "2.0", "3.43", "x"), ("points of a", "20", "9", "points"))
        self.all_are("far", ("share of a", "50", "39", "%"), ("share of a", "0.75", "0.035", "%"), ("size of a", "5.88", "6.5", "KB"), ("kernels with a", "7", "5", "kernels"),
                     ("compression ratio", "3.5", "3.0", "x"))

    def test_the_other_direction_or_no_change_here(self):
        self.all_are("other direction", ("speedup of a", "1.36", "0.98", "x"), ("speedup of a", "1.24", "1.009", "x"), ("gain of a", "-30", "0.016", "%"),
                     ("gain of a", "11", "-25", "%"), ("IPC of a over that of b", "0.9", "1.02", "ratio"), ("speed of a in percent of that of b", "97", "106", "%"), ("mean speed of a in percent of the mean of b", "90", "151", "%"))
        self.all_are("same direction", ("speedup of a", "1.24", "1.011", "x"), ("mean gain of a in percent of that of b", "29", "3", "%"))

    def test_a_paper_without_change(self):
        self.all_are("near", ("speedup of a", "1", "0.980", "x"), ("gain of a", "0", "-1.9", "%"), ("gain of a", "similar", "-0.4", "%"), ("gain of a", "0.3", "1.2", "%"))
        self.all_are("far", ("speedup of a", "1", "0.970", "x"), ("gain of a", "0", "3.4", "%"), ("gain of a", "0.3", "107", "%"), ("speedup of a", "0.99 to 1.01", "0.945", "x"), ("gain of a", "-0.7", "1.5", "%"))

    def test_bounds_hold_or_are_numbers(self):
        self.all_are("near", ("reduction by a", ">80", "95", "%"), ("share of a", "<1", "0.1", "%"), ("gain of a", "not below 0", "14", "%"), ("gain of a", "2 to 7", "6.9", "%"), ("gain of a", "2 to 7", "1.1", "%"),
                     ("speedup of a", ">7 %", "1.3", "x"), ("speedup of a", "0.99 to 1.01", "1.002", "x"), ("share of a", "up to 50", "49.6", "%"), ("share of a", "up to 99", "100", "%"))
        self.all_are("other direction", ("reduction by a", ">80", "-2.1", "%"), ("gain of a", "not below 0", "-3", "%"), ("speedup of a", ">1", "0.97", "x"),
                     ("gain of a", "3 to 5", "0.2", "%"), ("speedup of a", ">7 %", "0.5", "x"), ("gain of a", "within 8", "7.8", "%"))
        self.all_are("same direction", ("gain of a", "2 to 7", "14", "%"), ("reduction by a", "up to 60", "81", "%"))
        self.all_are("far", ("share of a", "<1", "147", "%"), ("share of a", ">70", "40", "%"))

    def test_numbers_as_papers_print_them(self):
        self.all_are("near", ("speedup of a", "29.0 %", "1.25", "x"), ("speedup of a", "1.7 points", "1.02", "x"), ("programs", "11 of 20", "55", "% of programs"),
                     ("traffic of a over b", "1/5", "0.19", "x"), ("gain of a", "+29.1", "33", "%"), ("warps", "1 / 1", "1 / 1", "warps"))
        self.all_are("far", ("warps", "5 / 7", "5 / 24", "warps"), ("warps", "1 / 1", "2 / 1", "warps"))
        self.all_are("not measured", ("warps", "1 / 1", "not measured / 1", "warps"), ("share of a", "<5", "not measured", "%"))


class Page(unittest.TestCase):
    def test_it_is_fresh(self):
        done = subprocess.run([sys.executable, SCRIPT, "--check"], capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_every_claim_of_the_source_is_there_with_its_phrase(self):
        source = {}
        for path in (SCRIPT.parent.parent / "src/papers").glob("claims_*.def"):
            for claim, what in re.findall(r'^(?:SEARCHED_)?CLAIM\("([^"]+)", "([^"]+)",', path.read_text(encoding="utf-8"), re.MULTILINE):
                source[path.stem, claim] = what
        shown = {}
        for paper, page, _ in claims_page.PAGES:
            for row in claims_page.claims_of(page, (SCRIPT.parent.parent / "docs" / page).read_text(encoding="utf-8")):
                shown["claims_" + paper.replace(", chapter ", "_"), row[0]] = row[1]
        self.assertEqual(shown, source)


if __name__ == "__main__":
    unittest.main()
