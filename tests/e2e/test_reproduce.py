#!/usr/bin/env python3
"""The first paper's experiments on the smallest inputs: every claim of its text is there, with a number or a reason."""
import json
import re

from harness import BAD_INPUT, OK, ROOT, Case, main, run


class Reproduction(Case):
    def test_every_claim_is_answered(self):
        done = run("reproduce", "000", "--size", "tiny", "--db", self.folder / "results.db", "--json", "-", timeout=900)
        self.assertEqual(done.returncode, OK, done.stderr)
        result = json.loads(done.stdout)
        self.assertEqual(result["paper"], "000")
        listed = re.findall(r'^CLAIM\("([\w-]+)"', (ROOT / "src/study/claims_000.def").read_text(), re.MULTILINE)
        self.assertEqual([claim["id"] for claim in result["claims"]], listed)
        self.assertEqual(len(listed), 27)
        for claim in result["claims"]:
            self.assertTrue(claim["explanation"], claim)
            self.assertIn("measured", claim)
        figure_8 = next(f for f in result["figures"] if f["figure"] == "8")
        self.assertEqual(len(figure_8["values"]), 22)  # table 2

    def test_unknown_paper(self):
        self.refused(run("reproduce", "999"), BAD_INPUT, "paper '999'")


if __name__ == "__main__":
    main()
