#!/usr/bin/env python3
"""The first paper's experiments on the smallest inputs: every claim of its text is there, with a number or a reason."""
import json
import re

from harness import BAD_INPUT, OK, ROOT, Case, main, run


class Reproduction(Case):
    def test_every_claim_is_answered(self):
        page = self.folder / "page.html"
        done = run("reproduce", "000", "--size", "tiny", "--db", self.folder / "results.db", "--html", page, "--json", "-", timeout=900)
        self.assertEqual(done.returncode, OK, done.stderr)
        result = json.loads(done.stdout)
        self.assertEqual(result["paper"], "000")
        listed = re.findall(r'^(?:SEARCHED_)?CLAIM\("([\w-]+)"', (ROOT / "src/study/claims_000.def").read_text(), re.MULTILINE)
        self.assertEqual([claim["id"] for claim in result["claims"]], listed)
        self.assertEqual(len(listed), 27)
        for claim in result["claims"]:
            self.assertTrue(claim["explanation"], claim)
            self.assertIn("measured", claim)
        self.assertEqual([f["figure"] for f in result["figures"]], ["8", "9", "10", "11", "12"])
        figure_8 = result["figures"][0]
        self.assertEqual(len(figure_8["rows"]), 22)  # table 2
        self.assertEqual(list(figure_8["series"][0]["values"]), figure_8["rows"])
        gains = figure_8["series"][0]["values"].values()
        self.assertAlmostEqual(figure_8["series"][0]["mean"], len(gains) / sum(1 / gain for gain in gains))
        page = page.read_text()
        self.assertIn("Figure ${f.figure}", page)
        self.assertEqual(json.loads(re.search(r'id="data">(.*?)</script>', page).group(1))["figures"][4]["figure"], "12")

    def test_unknown_paper(self):
        self.refused(run("reproduce", "999"), BAD_INPUT, "paper '999'")


if __name__ == "__main__":
    main()
