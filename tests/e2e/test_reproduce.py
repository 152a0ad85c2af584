#!/usr/bin/env python3
"""The papers' experiments on the smallest inputs: every claim of their texts is there, with a number or a reason."""
import json
import re
import subprocess
import sys

from harness import BAD_INPUT, BUILD, OK, ROOT, Case, main, run


class Reproduction(Case):
    def test_every_claim_is_answered(self):
        page = self.folder / "page.html"
        done = run("reproduce", "000", "--size", "tiny", "--db", self.folder / "results.db", "--html", page, "--json", "-", timeout=900)
        self.assertEqual(done.returncode, OK, done.stderr)
        self.assertIn("tiny inputs do not fill the machine", done.stderr)
        result = json.loads(done.stdout)
        self.assertEqual(result["paper"], "000")
        listed = re.findall(r'^(?:SEARCHED_)?CLAIM\("([\w-]+)", "([^"]+)",', (ROOT / "src/papers/claims_000.def").read_text(), re.MULTILINE)
        self.assertEqual([(claim["id"], claim["what"]) for claim in result["claims"]], listed)
        self.assertEqual(len(listed), 35)
        for claim in result["claims"]:
            self.assertTrue(claim["explanation"], claim)
            self.assertIn("measured", claim)
        self.assertEqual([f["figure"] for f in result["figures"]], ["8", "9", "rivals", "k_throttle", "10", "11", "12"])
        figure_8 = result["figures"][0]
        self.assertEqual(len(figure_8["rows"]), 22)  # table 2
        self.assertEqual(list(figure_8["series"][0]["values"]), figure_8["rows"])
        gains = figure_8["series"][0]["values"].values()
        self.assertAlmostEqual(figure_8["series"][0]["mean"], len(gains) / sum(1 / gain for gain in gains))
        page = page.read_text()
        self.assertIn("Figure ${f.figure}", page)
        table = run("reproduce", "000", "--size", "tiny", "--db", self.folder / "results.db").stdout
        self.assertRegex(table, r"(?m)^dwtpric-syrk +section 5, figure 8 +21 +\S+ x +\S+%\n    speedup of DWT-PRIC on SYRK$")
        self.assertEqual(json.loads(re.search(r'id="data">(.*?)</script>', page).group(1))["figures"][6]["figure"], "12")

        # A technique of one's own, from a plug-in, beside the paper's.
        own = ["--plugin", BUILD / "tests/unit/policy/divergent_bypass.so", "--policy", "divergent-bypass"]
        done = run("reproduce", "000", "--size", "tiny", "--db", self.folder / "results.db", "--json", "-", *own, timeout=900)
        self.assertEqual(done.returncode, OK, done.stderr)
        series = json.loads(done.stdout)["figures"][0]["series"]
        self.assertEqual([s["name"] for s in series], ["dwt-pric", "divergent-bypass"])
        self.assertEqual(len(series[1]["values"]), 22)

    def test_latte_ccs_claims_and_kernel_opt(self):
        done = run("reproduce", "002.4", "--size", "tiny", "--db", self.folder / "results.db", "--json", "-", timeout=900)
        self.assertEqual(done.returncode, OK, done.stderr)
        result = json.loads(done.stdout)
        listed = re.findall(r'^CLAIM\("([^"]+)"', (ROOT / "src/papers/claims_002_4.def").read_text(), re.MULTILINE)
        self.assertEqual([claim["id"] for claim in result["claims"]], listed)
        rows = {claim["id"].split(":")[0] for claim in result["claims"]}
        self.assertEqual(len(rows), 26)  # of the list of claims; some are several numbers
        self.assertTrue(all(claim["explanation"] for claim in result["claims"]))
        figures = {f["figure"]: f for f in result["figures"]}
        self.assertEqual(len(figures["4.10"]["rows"]), 22)  # table 4.3
        series = {s["name"]: s["values"] for s in figures["4.10"]["series"]}
        for row, best in series["kernel-opt"].items():  # the best of three runs for each launch: no worse than any of them for all
            self.assertGreaterEqual(best + 1e-9, max(0, series["static-bdi"][row], series["static-sc"][row]), row)
        shares = {s["name"]: s["values"] for s in figures["modes"]["series"]}
        for row in shares["none"]:
            if shares["none"][row] is not None:
                self.assertAlmostEqual(sum(shares[mode][row] for mode in ("none", "bdi", "sc")), 100)

    def test_the_second_papers_claims_and_kernels(self):
        done = run("reproduce", "001", "--size", "tiny", "--db", self.folder / "results.db", "--json", "-", timeout=900)
        self.assertEqual(done.returncode, OK, done.stderr)
        result = json.loads(done.stdout)
        self.assertEqual((result["size"], result["sizes"]), ("tiny", {}))  # of every row, when the user names one
        listed = re.findall(r'^CLAIM\("([\w-]+)"', (ROOT / "src/papers/claims_001.def").read_text(), re.MULTILINE)
        self.assertEqual([claim["id"] for claim in result["claims"]], listed)
        self.assertEqual(len(listed), 35)
        self.assertEqual([claim["id"] for claim in result["claims"] if claim["measured"] is None], [])
        measured = {claim["id"]: claim["measured"] for claim in result["claims"]}
        self.assertEqual([measured[f"fig3-{name}"] for name in ("infinite", "rr", "mascar")], [21, 26, 23])  # the worked example, exactly
        self.assertTrue(all(claim["explanation"] for claim in result["claims"]))
        figures = {f["figure"]: f for f in result["figures"]}
        self.assertEqual(list(figures), ["2", "machine", "4", "limits", "5", "9", "10", "compute", "traffic", "11", "12", "13", "14", "variants", "hysteresis", "switches",
                                         "re-execution", "queue", "waits", "ccws", "table III"])
        self.assertEqual(len(figures["9"]["rows"]), 15)  # table III: memory intensive
        self.assertEqual(len(figures["10"]["rows"]), 15)  # and compute intensive
        self.assertEqual(len(figures["13"]["rows"]), 7)
        machine = {s["name"]: s["values"] for s in figures["machine"]["series"]}
        launches = json.loads(run("run", "bfs", "--size", "tiny", "--config", "gtx480-32k", "--policy", "lrr", "--json", "-").stdout)["kernels"]
        self.assertAlmostEqual(machine["waves"]["bfs"], sum(k["sm"]["ctas"] for k in launches) / (15 * sum(k["ctas_per_sm"] for k in launches)))
        above = sum(v > 50 for v in figures["2"]["series"][0]["values"].values())
        self.assertEqual(measured["compute-peak"] + measured["memory-peak"], above)
        below = sum(v < 20 for v in figures["2"]["series"][0]["values"].values())
        self.assertEqual(measured["compute-low"] + measured["memory-low"], below)
        self.assertEqual(measured["fig5-seven"], sum(v >= 20 for v in figures["5"]["series"][0]["values"].values()))
        self.assertAlmostEqual(measured["compute-owl"], figures["10"]["series"][1]["mean"])
        self.assertAlmostEqual(measured["storage"], (6 + 96 + 1204 * 8) / (3080 * 8))  # as `warpline cost` adds them up
        parts = {s["name"]: s["mean"] for s in figures["14"]["series"]}
        self.assertAlmostEqual(measured["energy-leakage"], parts["constant"])
        self.assertAlmostEqual(measured["energy"], measured["energy-leakage"] + measured["energy-others"] + parts["DRAM"] + parts["L1"] + parts["the queue"], places=4)  # printed with nine digits
        # Rows are kernels: two of one program have numbers of their own, and together they are not the program's.
        misses = figures["table III"]["series"][1]["values"]
        self.assertEqual(len(misses), 30)
        self.assertNotEqual(misses["BP-1"], misses["BP-2"])
        alone = json.loads(run("run", "backprop", "--size", "tiny", "--config", "gtx480-32k", "--policy", "lrr", "--json", "-").stdout)
        first = [k for k in alone["kernels"] if "layer_forward" in k["name"]]
        self.assertAlmostEqual(misses["BP-1"], sum(k["warp_instructions"] for k in first) / sum(k["l1"]["misses"] for k in first))

        # The page's tables come from such a run, whole.
        page, saved = self.folder / "page.md", self.folder / "001.json"
        saved.write_text(done.stdout)
        written = (ROOT / "docs/reproduction-001.md").read_text()
        page.write_text(written)
        subprocess.run([sys.executable, ROOT / "scripts/reproduction-page.py", saved, page], check=True)
        for name in figures:
            self.assertRegex(written, f"<!-- table: (figure|classes) {re.escape(name)}( |[0-9])*-->")
        self.assertEqual(re.sub(r"[0-9.]+", "", re.search("table: figure 9 .*?end", page.read_text(), re.DOTALL).group(0)),
                         re.sub(r"[0-9.]+", "", re.search("table: figure 9 .*?end", written, re.DOTALL).group(0)))
        self.assertEqual(re.search("table: claims .*?\n.*?\n.*?\n.*?\n", page.read_text()).group(0).rsplit("|", 3)[0],
                         re.search("table: claims .*?\n.*?\n.*?\n.*?\n", written).group(0).rsplit("|", 3)[0])
        self.assertIn(f"| BP-1 | {figures['10']['series'][0]['values']['BP-1']:.3f} |", page.read_text())
        del result["figures"][5]["series"][0]["values"]["bfs"]
        saved.write_text(json.dumps(result))
        refused = subprocess.run([sys.executable, ROOT / "scripts/reproduction-page.py", saved, page], capture_output=True, text=True)
        self.assertEqual(refused.returncode, 1)
        self.assertIn("no value of bfs for gto", refused.stderr)

    def test_the_fourth_papers_claims_and_programs(self):
        done = run("reproduce", "003", "--size", "tiny", "--db", self.folder / "results.db", "--json", "-", timeout=1800)
        self.assertEqual(done.returncode, OK, done.stderr)
        result = json.loads(done.stdout)
        listed = re.findall(r'^CLAIM\("([\w-]+)"', (ROOT / "src/papers/claims_003.def").read_text(), re.MULTILINE)
        self.assertEqual([claim["id"] for claim in result["claims"]], listed)
        unanswered = {claim["id"] for claim in result["claims"] if claim["measured"] is None}
        self.assertEqual(unanswered, {"area", "area-total"})
        figures = {f["figure"]: f for f in result["figures"]}
        self.assertEqual([len(figures[n]["rows"]) for n in ("8", "9", "CI")], [7, 5, 6])  # table 1
        for name, figure in figures.items():
            for series in figure["series"]:
                self.assertEqual(list(series["values"]), figure["rows"], name)
        page, saved = self.folder / "page.md", self.folder / "003.json"
        saved.write_text(done.stdout)
        page.write_text((ROOT / "docs/reproduction-003.md").read_text())
        subprocess.run([sys.executable, ROOT / "scripts/reproduction-page.py", saved, page], check=True)
        for name in figures:
            self.assertIn(f"<!-- table: figure {name} -->", page.read_text())

    def test_linebackers_claims_inputs_and_readings(self):
        done = run("reproduce", "004", "--size", "tiny", "--db", self.folder / "results.db", "--json", "-", timeout=1800)
        self.assertEqual(done.returncode, OK, done.stderr)
        result = json.loads(done.stdout)
        listed = re.findall(r'^CLAIM\("([\w-]+)"', (ROOT / "src/papers/claims_004.def").read_text(), re.MULTILINE)
        self.assertEqual([claim["id"] for claim in result["claims"]], listed)
        measured = {claim["id"]: claim["measured"] for claim in result["claims"]}
        self.assertEqual({name for name, value in measured.items() if value is None}, {"wset-alone", "power-register-file", "area"})
        self.assertAlmostEqual(measured["cost"], 6230.75 / 1024, places=3)  # section 4.2's structures, as `warpline cost` adds them up
        self.assertAlmostEqual(measured["cost-cerf"], 5632 / 1024, places=3)
        figures = {f["figure"]: f for f in result["figures"]}
        self.assertEqual(len(figures["12"]["rows"]), 20)  # table 2
        written = (ROOT / "docs/reproduction-004.md").read_text()
        for name in figures:
            self.assertIn(f"<!-- table: figure {name} -->", written)
        # The input of a row and where its run is stopped are its own unless a size is named.
        self.assertEqual(result["size"], "tiny")
        self.assertNotIn("AT", result["sizes"])

    def test_unknown_paper(self):
        self.refused(run("reproduce", "999"), BAD_INPUT, "paper '999'")


if __name__ == "__main__":
    main()
