#!/usr/bin/env python3
"""The report page in a real browser: no errors, the database's numbers, sorting and filtering, names that would be markup."""
import json
import os
import pathlib
import sqlite3
import sys
import time

from harness import BUILD, Case, main, run

try:
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service
    from selenium.webdriver.common.by import By
    from selenium.webdriver.common.keys import Keys
except ImportError:
    print("report: python3-selenium is not installed; skipped")
    sys.exit(77)
for needed in ("/usr/bin/chromium", "/usr/bin/chromedriver"):
    if not os.path.exists(needed):
        print(f"report: {needed} is not installed (packages chromium, chromium-driver); skipped")
        sys.exit(77)


def browser():
    options = webdriver.ChromeOptions()
    options.binary_location = "/usr/bin/chromium"
    for flag in ("--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync",
                 "--disable-quic", "--window-size=1280,1600"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    return webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options)


class Report(Case):
    @classmethod
    def setUpClass(cls):
        cls.browser = browser()

    @classmethod
    def tearDownClass(cls):
        cls.browser.quit()

    def make(self, *words):
        page = self.folder / "report.html"
        done = run("report", "--db", self.folder / "r.db", "--output", page, *words)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.browser.get(page.as_uri())
        return page

    def errors(self):
        return [entry for entry in self.browser.get_log("browser") if entry["level"] == "SEVERE"]

    def rows(self):
        return [[cell.text for cell in row.find_elements(By.TAG_NAME, "td")] for row in self.browser.find_elements(By.CSS_SELECTOR, "#runs tbody tr")]

    def test_a_reproduction_draws_the_papers_figures(self):
        page = self.folder / "paper.html"
        done = run("reproduce", "000", "--size", "tiny", "--db", self.folder / "r.db", "--html", page, timeout=900)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.browser.get(page.as_uri())
        self.assertEqual(self.errors(), [])
        claims = self.browser.find_elements(By.CSS_SELECTOR, "#claims tbody tr")
        self.assertEqual(len(claims), 35)
        self.assertEqual(claims[3].find_element(By.TAG_NAME, "th").text, "speedup of DWT-PRIC on SYRK\ndwtpric-syrk, section 5, figure 8")
        figures = self.browser.find_elements(By.CSS_SELECTOR, ".figure")
        self.assertEqual([f.find_element(By.TAG_NAME, "h2").text.split(":")[0] for f in figures], [f"Figure {n}" for n in (8, 9, "rivals", "k_throttle", 10, 11, 12)])
        for figure in figures:
            drawn = figure.find_elements(By.CSS_SELECTOR, "svg rect")
            numbers = [cell for cell in figure.find_elements(By.CSS_SELECTOR, "tbody td:not(.text)") if cell.text != "–"]
            self.assertEqual(len(drawn), len(numbers))  # a bar for every number of the table, and none without
            self.assertGreater(len(drawn), 5)

    def test_the_page_shows_what_the_database_holds(self):
        self.assertEqual(run("compare", "--policies", "gto,lrr,gto+pric", "--workloads", "vectoradd,spmv,syrk", "--size", "tiny", "--db", self.folder / "r.db").returncode, 0)
        page = self.make()
        self.assertEqual(self.errors(), [])
        with sqlite3.connect(self.folder / "r.db") as database:
            cycles = {row[0]: row[1] for row in database.execute("SELECT id, cycles FROM run")}
        shown = {int(row.find_elements(By.TAG_NAME, "td")[0].text): int(row.find_elements(By.TAG_NAME, "td")[7].get_attribute("data-value"))
                 for row in self.browser.find_elements(By.CSS_SELECTOR, "#runs tbody tr")}
        self.assertEqual(shown, cycles)
        button = self.browser.find_element(By.CSS_SELECTOR, 'th button[data-column="cycles"]')
        button.send_keys(Keys.ENTER)  # by keyboard
        values = [int(c.get_attribute("data-value")) for c in self.browser.find_elements(By.CSS_SELECTOR, "#runs tbody td:nth-child(8)")]
        self.assertEqual(values, sorted(values))
        self.browser.find_element(By.ID, "filter").send_keys("syrk lrr")
        self.assertEqual([(r[1], r[5]) for r in self.rows()], [("syrk", "lrr")])
        self.browser.find_element(By.LINK_TEXT, "syrk").click()
        self.assertIn("To repeat", self.browser.find_element(By.ID, "workload").text)
        self.assertEqual(self.errors(), [])
        for place in ("#%zz", "#workload=%zz", "#workload=nothing", "#nothing"):
            self.browser.get("about:blank")
            self.browser.get(page.as_uri() + place)
            self.assertEqual(len(self.rows()), 9, place)
            self.assertEqual(self.errors(), [])
        self.browser.get(page.as_uri())
        pathlib.Path(BUILD / "report-screenshot.png").write_bytes(self.browser.get_screenshot_as_png())

    def test_energy_is_a_stacked_bar(self):
        self.assertEqual(run("compare", "--policies", "gto,lrr", "--workloads", "syrk", "--size", "tiny", "--db", self.folder / "r.db").returncode, 0)
        self.make()
        self.assertEqual(self.errors(), [])
        section = next(s for s in self.browser.find_elements(By.TAG_NAME, "section") if "Energy by component" in s.text)
        titles = [t.get_attribute("textContent") for t in section.find_elements(By.CSS_SELECTOR, "rect title")]
        done = run("results", "show", "1", "--json", "-", "--db", self.folder / "r.db")
        self.assertEqual(done.returncode, 0, done.stderr)
        parts = json.loads(done.stdout)["totals"]["energy"]["components"]
        drawn = [t for t in titles if t.startswith("syrk, gto:") or t.startswith("syrk, lrr:")]
        self.assertEqual(len(drawn), 2 * sum(v > 0 for v in parts.values()))
        self.assertTrue(any(f"constant {1e3 * parts['constant']:.3f}" in t for t in titles), titles)

    def test_links_between_modules_are_drawn(self):
        """One line a link, with the bytes that the result has for it; they add up to the counter that energy is computed from."""
        for topology, drawn in (("ring", 4), ("mesh", 4), ("switch", 5)):
            done = run("compare", "--policies", "gtrr", "--workloads", "triad", "--size", "tiny", "--config", "mcm-4x64", "--set", f"link.topology={topology}",
                       "--db", self.folder / "r.db")
            self.assertEqual(done.returncode, 0, done.stderr)
            runs = json.loads(run("results", "export", "json", "--db", self.folder / "r.db").stdout)
            done = run("results", "show", str(len(runs)), "--json", "-", "--db", self.folder / "r.db")
            result = json.loads(done.stdout)
            self.assertEqual(len(result["links"]), 8)
            self.assertEqual(sum(l["bytes"] for l in result["links"]), result["totals"]["link"]["package_byte_hops"])
            self.assertEqual(sum(l["packets"] for l in result["links"]), result["totals"]["link"]["packet_hops"])
            page = self.make()
            self.browser.get(page.as_uri() + "#workload=triad")
            self.assertEqual(self.errors(), [])
            section = [s for s in self.browser.find_elements(By.TAG_NAME, "section") if f"{topology} of 4 modules" in s.text][-1]  # the innermost
            self.assertEqual(len(section.find_elements(By.CSS_SELECTOR, "rect.module")), drawn)
            titles = [t.get_attribute("textContent") for t in section.find_elements(By.CSS_SELECTOR, "line title")]
            self.assertEqual(len(titles), 8)
            rows = [[c.get_attribute("textContent") for c in row.find_elements(By.TAG_NAME, "td")] for row in section.find_elements(By.CSS_SELECTOR, "tbody tr")]
            self.assertEqual(len(rows), 8)
            fullest = max(result["links"], key=lambda l: l["bytes"])
            self.assertEqual(rows[0][3], str(fullest["packets"]))

    def test_runs_with_intervals_have_a_line_chart(self):
        done = run("compare", "--policies", "gto", "--workloads", "spmv", "--size", "tiny", "--set", "gpu.interval=100", "--db", self.folder / "r.db")
        self.assertEqual(done.returncode, 0, done.stderr)
        page = self.make()
        self.browser.get(page.as_uri() + "#workload=spmv")
        self.assertGreater(len(self.browser.find_elements(By.TAG_NAME, "polyline")), 3)
        chart = next(s for s in self.browser.find_elements(By.TAG_NAME, "section") if s.text.startswith("Over time: default, gto (counted per 100 cycles)"))
        ticks = [int(t.text) for t in chart.find_elements(By.CSS_SELECTOR, "svg text[text-anchor=end]") if "cycles" not in t.text]
        steps = {b - a for a, b in zip(ticks, ticks[1:])}
        self.assertEqual(len(steps), 1, ticks)
        self.assertIn(str(steps.pop()).rstrip("0"), ("1", "2", "5"), "round numbers along the axis")
        self.assertEqual(self.errors(), [])

    def test_a_comparison_begins_with_what_the_terminal_says(self):
        page = self.folder / "c.html"
        done = run("compare", "--policies", "lrr,gto+pric,gto", "--workloads", "syrk,conv2d", "--size", "tiny", "--config", "gtx480-16k", "--study", "mine",
                   "--db", self.folder / "r.db", "--html", page)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.browser.get(page.as_uri())
        self.assertEqual(self.browser.find_element(By.TAG_NAME, "h1").text, "mine")
        finding = self.browser.find_element(By.CLASS_NAME, "finding").text.split()
        self.assertEqual(done.stdout.split()[:len(finding)], finding)
        # The techniques in the order that was asked for, over the first one, and their means.
        self.assertEqual(self.browser.find_element(By.CSS_SELECTOR, ".legend").text.split(), ["lrr", "gto+pric", "gto"])
        shown = {row.find_element(By.TAG_NAME, "th").text: [float(c.text) for c in row.find_elements(By.TAG_NAME, "td")]
                 for row in self.browser.find_elements(By.CSS_SELECTOR, "#speedups tbody tr")}
        printed = {line.split("  ")[0]: [float(word.rstrip("*")) for word in line.split()[-3:]]
                   for line in done.stdout.split("\n") if line.startswith(("syrk ", "conv2d ", "geometric mean "))}
        self.assertEqual(shown, printed)
        self.browser.get(page.as_uri() + "#workload=syrk")
        labels = {text.text for text in self.browser.find_elements(By.CSS_SELECTOR, "#workload svg text[text-anchor=end]")}
        self.assertLessEqual({"lrr", "gto+pric", "gto"}, labels)  # and not the machine that all of them ran on
        self.browser.get(page.as_uri() + "#")
        self.assertEqual([(row[1], row[5]) for row in self.rows()], [(w, p) for w in (self.rows()[0][1], self.rows()[-1][1]) for p in ("lrr", "gto+pric", "gto")])
        self.assertEqual(self.errors(), [])

    def test_runs_of_two_machines_can_be_told_apart(self):
        for config in ("gtx480", "gtx480-16k"):
            done = run("compare", "--policies", "gto" if config == "gtx480" else "gto,lrr", "--workloads", "spmv", "--size", "tiny", "--config", config, "--jobs", 1, "--db", self.folder / "r.db")  # rows stand in the order in which runs end
            self.assertEqual(done.returncode, 0, done.stderr)
        done = run("compare", "--policies", "lrr", "--workloads", "syrk", "--size", "tiny", "--db", self.folder / "r.db")
        self.assertEqual(done.returncode, 0, done.stderr)
        page = self.make()
        self.assertIn("Not drawn: syrk (default): no run of gto there to compare with.", self.browser.find_element(By.ID, "view").text)
        self.assertEqual([(r[8], r[10][-2:]) for r in self.rows() if r[1] == "spmv" and r[5] == "gto"], [("1.000", " %")] * 2)
        self.browser.get(page.as_uri() + "#workload=spmv")
        heads = [th.text for th in self.browser.find_elements(By.CSS_SELECTOR, "th") if "gtx480" in th.text]
        self.assertEqual(heads, ["gto\ngtx480", "gto\ngtx480-16k", "lrr\ngtx480-16k"])
        self.assertEqual(self.errors(), [])

    def test_a_characterisation_is_on_its_workloads_page(self):
        self.assertEqual(run("compare", "--policies", "gto,lrr", "--workloads", "spmv,syrk", "--size", "tiny", "--study", "s", "--db", self.folder / "r.db").returncode, 0)
        made = run("characterize", "--size", "tiny", "--db", self.folder / "r.db", "--json", "-", "spmv")
        self.assertEqual(made.returncode, 0, made.stderr)
        tables = json.loads(made.stdout)
        page = self.make("--study", "s")  # the characterisation belongs to no study, the workload does
        self.assertEqual(len(self.rows()), 4)
        self.browser.get(page.as_uri() + "#workload=spmv")
        text = self.browser.find_element(By.CSS_SELECTOR, ".characterisation").text
        for kind in tables["classes"]:
            self.assertIn(f"Paper {kind['paper']} would call it {kind['class']}. Rule: {kind['rule']}", text)
        cells = {row.find_element(By.TAG_NAME, "th").text: [c.text for c in row.find_elements(By.TAG_NAME, "td")] for row in self.browser.find_elements(By.CSS_SELECTOR, ".characterisation tbody tr")}
        self.assertEqual(cells["unbounded caches"][1], f"{tables['performance']['unbounded']['speedup']:.3f}")
        self.assertEqual(cells["L1, as configured"], [f"{100 * v:.1f} %" for v in tables["reuse_by_class"]["l1"]["bounded"].values()])
        kinds = [tables["misses"][k] / tables["misses"]["all"] for k in ("cold", "capacity", "conflict")]
        self.assertEqual(cells["L1 misses"], [f"{100 * v:.1f} %" for v in kinds])
        self.browser.get(page.as_uri() + "#workload=syrk")
        self.assertEqual(self.browser.find_elements(By.CSS_SELECTOR, ".characterisation"), [])
        self.assertIn("warpline characterize syrk", self.browser.find_element(By.ID, "workload").text)
        # All runs of the database: the six are in the table, and are neither baseline nor bars.
        self.make()
        self.assertEqual(len(self.rows()), 10)
        self.assertIn("Speedup over gto", self.browser.find_element(By.ID, "view").text)
        self.assertNotIn("bypass-all", self.browser.find_element(By.CSS_SELECTOR, ".legend").text)
        self.assertEqual(self.errors(), [])

    def test_a_phone_scrolls_one_way_and_paper_is_white(self):
        self.assertEqual(run("compare", "--policies", "gto,lrr", "--workloads", "spmv,vectoradd", "--size", "tiny", "--db", self.folder / "r.db").returncode, 0)
        page = self.make()
        try:
            self.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {"width": 390, "height": 800, "deviceScaleFactor": 1, "mobile": True})
            for place in ("", "#workload=spmv"):
                self.browser.get("about:blank")
                self.browser.get(page.as_uri() + place)
                self.assertLessEqual(self.browser.execute_script("return document.documentElement.scrollWidth"), 390)
            dark = {"name": "prefers-color-scheme", "value": "dark"}
            colours = {}
            for media in ("screen", "print"):
                self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": media, "features": [dark]})
                colours[media] = self.browser.execute_script("return getComputedStyle(document.body).backgroundColor")
            self.assertEqual(colours, {"screen": "rgb(13, 17, 23)", "print": "rgb(255, 255, 255)"})
        finally:
            self.browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
            self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "", "features": []})

    def fill(self, runs):
        """A database of many runs, in the shape the program writes; names that are markup among them."""
        run("compare", "--policies", "gto", "--workloads", "vectoradd", "--size", "tiny", "--db", self.folder / "r.db")
        with sqlite3.connect(self.folder / "r.db") as database:
            names = [row[0] for row in database.execute("SELECT name FROM counter WHERE run = 1")]
            for i in range(2, runs + 1):
                target = '<script>document.title="harm"</script>' if i == 2 else f"workload{i % 200}"
                database.execute("INSERT INTO run (id, key, target, size, config, settings, policies, status, command, log, exit_code, wall_seconds, peak_rss_bytes, cycles, warp_instructions)"
                                 " VALUES (?, ?, ?, 'tiny', '', '', ?, 'ok', 'warpline run x', '', 0, 0.1, 1, ?, 1)", (i, f"key{i}", target, f"policy{i // 200}", 1000 + i))
                database.executemany("INSERT INTO counter VALUES (?, ?, ?)", [(i, name, 12345 + i) for name in names])

    def test_names_are_never_markup(self):
        self.fill(3)
        self.make()
        self.assertEqual(self.errors(), [])
        self.assertEqual(self.browser.title, "warpline report")
        self.assertIn("<script>document.title", self.browser.find_element(By.ID, "runs").text)

    def test_two_thousand_runs_stay_small_and_quick(self):
        self.fill(2000)
        page = self.make()
        self.assertLess(page.stat().st_size, 5_000_000)
        self.assertEqual(self.errors(), [])
        ready = self.browser.execute_script("const t = performance.getEntriesByType('navigation')[0]; return t.domContentLoadedEventEnd - t.startTime")
        print(f"report of 2000 runs: {page.stat().st_size / 1e6:.2f} MB, interactive after {ready / 1000:.2f} s")
        started = time.monotonic()
        self.assertEqual(run("results", "list", "--db", self.folder / "r.db").returncode, 0)
        print(f"2000 runs listed in {time.monotonic() - started:.3f} s")


if __name__ == "__main__":
    main()
