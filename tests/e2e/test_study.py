#!/usr/bin/env python3
"""Comparisons and sweeps, with everything that may go wrong on the way: nothing finished is ever lost or run twice."""
import json
import os
import pathlib
import shutil
import signal
import sqlite3
import subprocess
import sys
import time

from harness import BUILD, OK, WARPLINE, Case, main, run

STUDY = """
name = faults
workloads = vectoradd, spmv, kmeans, btree
sizes = tiny
policies = gto, lrr
metrics = cycles, l1.miss_rate
[axes]
l1.mshr_entries = 16, 32, 64
[constraints]
some = l1.mshr_entries != 32
"""
RUNS = 16


def count(path, where="status = 'ok'"):
    with sqlite3.connect(path, timeout=60) as database:
        try:
            return database.execute(f"SELECT count(*) FROM run WHERE {where}").fetchone()[0]
        except sqlite3.OperationalError:
            return 0


class Study(Case):
    def setUp(self):
        super().setUp()
        self.study = self.put("faults.conf", STUDY)
        self.db = str(self.folder / "r.db")

    def run_warpline(self, *words, code=0):
        done = run(*words, cwd=self.folder)
        self.assertEqual(done.returncode, code, done.stderr + done.stdout)
        return done

    def sweep(self, *more, code=0):
        return self.run_warpline("sweep", self.study, "--db", self.db, *more, code=code)

    def start(self, *words):
        return subprocess.Popen([WARPLINE, *words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=self.folder)

    def test_a_comparison_is_a_table_and_is_not_run_twice(self):
        words = ["compare", "--policies", "gto,lrr,gto+pric", "--workloads", "vectoradd,btree", "--size", "tiny", "--db", self.db]
        first = self.run_warpline(*words, "--json", "c.json", "--csv", "c.csv", "--html", "c.html")
        self.assertIn("6 run now, 0 already there", first.stderr)
        again = self.run_warpline(*words)
        self.assertIn("0 run now, 6 already there", again.stderr)
        self.assertEqual(first.stdout, again.stdout)
        self.assertIn('"target":"btree"', (self.folder / "c.html").read_text())
        with open(os.path.join(self.folder, "c.json")) as f:
            table = json.load(f)
        self.assertEqual(table["columns"], ["gto", "lrr", "gto+pric"])
        self.assertEqual([c["value"] for c in table["rows"][0]["cells"]][0], 1)
        lrr = table["rows"][1]["cells"][1]
        result = json.loads(self.run_warpline("results", "show", lrr["run"][:12], "--db", self.db, "--json", "-").stdout)
        base = json.loads(self.run_warpline("results", "show", table["rows"][1]["cells"][0]["run"], "--db", self.db, "--json", "-").stdout)
        self.assertAlmostEqual(lrr["value"], base["totals"]["cycles"] / result["totals"]["cycles"], places=9)

    def test_best_swl_is_the_fastest_limit_of_each_workload(self):
        words = ["compare", "--policies", "gto,gto+best-swl", "--workloads", "spmv,gesummv", "--size", "tiny", "--config", "gtx480-16k", "--db", self.db]
        done = self.run_warpline(*words, "--json", "c.json", "--html", "c.html")
        table = json.loads((self.folder / "c.json").read_text())
        for row in table["rows"]:
            tuned = json.loads(self.run_warpline("tune", "swl", "--policy", "gto", "--size", "tiny", "--config", "gtx480-16k", "--db", self.db, "--json", "-", row["workload"]).stdout)
            tried = {t["value"]: t["cycles"] for t in tuned["values"] if t["value"] in (1, 2, 4, 8, 16, 24)}
            cell = row["cells"][1]
            best = json.loads(self.run_warpline("results", "show", cell["run"], "--db", self.db, "--json", "-").stdout)
            self.assertEqual(best["totals"]["cycles"], min(tried.values()), row)
            self.assertEqual(tried[cell["swl_limit"]], min(tried.values()), row)
            self.assertIn(f"{row['workload']} {cell['swl_limit']}", done.stdout)
        page = (self.folder / "c.html").read_text()
        self.assertEqual(page.count('"column":"gto+best-swl"'), 2)  # the runs that lost are not drawn
        plain = self.run_warpline("compare", "--policies", "gto,best-swlx", "--workloads", "spmv", "--db", self.db, code=3)
        self.assertIn("best-swlx", plain.stderr)

    def test_the_finding_above_a_table_is_read_off_its_cells(self):
        words = ["compare", "--workloads", "vectoradd,gesummv", "--size", "tiny", "--config", "gtx480-16k", "--db", self.db]
        said = self.run_warpline(*words, "--policies", "gto,gto+pric", "--json", "c.json").stdout.split("\n")[0]
        table = json.loads((self.folder / "c.json").read_text())
        gain = table["rows"][1]["cells"][1]["value"]
        self.assertGreater(gain, 1.1)
        self.assertEqual(said, f"On the mean gto+pric is fastest: {table['means']['geometric'][1]:.2f} times gto. The largest gain is gto+pric on gesummv ({gain:.2f})."
                         " Nothing changes by more than 1 %: vectoradd.")
        said = self.run_warpline(*words, "--policies", "gto+pric,gto").stdout.split("\n")[0]
        self.assertIn("nothing is faster than gto+pric by more than 1 %. The largest loss is gto on gesummv", said)
        self.assertTrue(self.run_warpline(*words, "--policies", "gto,lrr", "--metric", "l1.hits").stdout.startswith("l1.hits"))

    def test_a_slip_is_found_before_anything_runs(self):
        for words, says in ((["--policies", "gto,lrrr"], "lrrr"), (["--policies", "gto", "--set", "l1.wayz=4"], "l1.wayz"), (["--policies", "gto", "--config", "gtx48"], "gtx48")):
            bad = self.run_warpline("compare", "--workloads", "vectoradd", "--size", "tiny", "--db", self.db, *words, code=3)
            self.assertIn(says, bad.stderr)
        self.assertFalse(os.path.exists(self.db))
        missing = self.run_warpline("compare", "--policies", "gto", "--workloads", "vectoradd,nosuch", "--db", self.db, code=3)
        self.assertIn("nosuch", missing.stderr)

    def settings(self):
        with sqlite3.connect(self.db) as database:
            return sorted(database.execute("SELECT policies, settings FROM run"))

    def test_a_techniques_parameter_goes_to_the_runs_that_have_it(self):
        words = ["compare", "--workloads", "vectoradd", "--size", "tiny", "--db", self.db, "--set", "policy.dwt-cs.period=5000"]
        self.run_warpline(*words, "--policies", "gto,dwt-cs,dwt-pric")
        self.assertEqual(self.settings(), [("dwt-cs", "policy.dwt-cs.period=5000"), ("dwt-pric", "policy.dwt-cs.period=5000"), ("gto", "")])
        self.assertIn("no run of this study uses", self.run_warpline(*words, "--policies", "gto,lrr", code=3).stderr)
        slip = self.run_warpline(*words, "--policies", "gto,dwt-cs", "--set", "policy.dwt-cs.perod=1", code=3)
        self.assertIn("did you mean 'policy.dwt-cs.period'", slip.stderr)
        alone = run("run", "--set", "policy.dwt-cs.period=5000", "vectoradd", "--size", "tiny")
        self.assertEqual((alone.returncode, "not used here" in alone.stderr), (3, True))

    def test_an_axis_of_a_technique_makes_one_run_without_it(self):
        study = self.put("axis.conf", "workloads = vectoradd\nsizes = tiny\npolicies = gto, dwt-cs\n[axes]\npolicy.dwt-cs.period = 1000, 5000\n")
        self.assertIn("3 runs", self.run_warpline("sweep", study, "--db", self.db).stderr)
        self.assertEqual(self.settings(), [("dwt-cs", "policy.dwt-cs.period=1000"), ("dwt-cs", "policy.dwt-cs.period=5000"), ("gto", "")])

    def test_a_configuration_may_hold_parameters_of_techniques(self):
        """The guide's example: one file for runs with and without dwt-cs, and every line of it is checked."""
        machine = self.put("mine.conf", "# mine\ninclude = gtx480\n[l1]\nsets = 64\n[policy.dwt-cs]\nperiod = 5000\n")
        words = ["compare", "--workloads", "vectoradd", "--size", "tiny", "--db", self.db, "--policies", "gto,dwt-cs", "--config", machine, "--json", "-"]
        cells = json.loads(self.run_warpline(*words).stdout)["rows"][0]["cells"]
        configs = [json.loads(self.run_warpline("results", "show", c["run"], "--db", self.db, "--json", "-").stdout)["config"] for c in cells]
        self.assertNotIn("dwt-cs", configs[0].get("policy", {}))
        self.assertEqual(configs[1]["policy"]["dwt-cs"]["period"], 5000)
        self.put("mine.conf", "# mine\n[policy.dwt-cs]\nperiod = never\n")
        self.assertIn("mine.conf:3", self.run_warpline(*words, code=3).stderr)

    def test_a_plan_leaves_out_what_breaks_a_constraint(self):
        plan = self.sweep("--dry-run")
        self.assertIn(f"{RUNS} runs, 0 already there, {RUNS} to do, 8 left out", plan.stderr)
        self.assertFalse(os.path.exists(self.db), "a plan leaves no database")

    def test_a_killed_sweep_goes_on_where_it_stopped(self):
        sweep = self.start("sweep", self.study, "--db", self.db, "--jobs", "1")
        for _ in range(600):
            if os.path.exists(self.db) and count(self.db) >= 3:
                break
            time.sleep(0.05)
        sweep.send_signal(signal.SIGKILL)
        sweep.wait()
        done = count(self.db)
        self.assertGreaterEqual(done, 3)
        rest = self.sweep("--resume")
        self.assertIn(f"{done} already there, 0 failed", rest.stderr)
        self.assertEqual(count(self.db), RUNS)

    def test_resume_begins_nothing(self):
        """A wrong database or a study by another name is a slip, not a wish to run everything again."""
        self.assertIn("no such results database", self.sweep("--resume", code=3).stderr)
        self.assertFalse(os.path.exists(self.db))
        self.run_warpline("compare", "--policies", "gto", "--workloads", "vectoradd", "--size", "tiny", "--study", "another", "--db", self.db)
        self.assertIn("study 'faults' was never begun", self.sweep("--resume", code=3).stderr)
        self.assertEqual(count(self.db), 1)

    def test_an_interrupted_sweep_says_how_to_go_on(self):
        sweep = subprocess.Popen([WARPLINE, "sweep", self.study, "--db", self.db, "--jobs", "1"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=self.folder)
        while not (os.path.exists(self.db) and count(self.db) >= 1) and sweep.poll() is None:
            time.sleep(0.05)
        sweep.send_signal(signal.SIGINT)
        _, err = sweep.communicate(timeout=60)
        if sweep.returncode != 0:  # it may have been quicker
            self.assertEqual(sweep.returncode, 1)
            self.assertIn("goes on where it stopped", err)
        self.sweep()
        self.assertEqual(count(self.db), RUNS)

    def test_an_interrupted_comparison_counts_what_it_did_not_run(self):
        compare = subprocess.Popen([WARPLINE, "compare", "--policies", "gto,lrr,gto+pric", "--workloads", "syrk,kmeans", "--jobs", "1", "--db", self.db], stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True)
        time.sleep(1)
        compare.send_signal(signal.SIGINT)
        out, err = compare.communicate(timeout=60)
        self.assertEqual(compare.returncode, 1, err)
        self.assertRegex(out, r"(?m)^\d runs of the table were not made$")
        self.assertNotIn(": not started", out)

    def test_a_program_without_kernels_is_told(self):
        done = self.run_warpline("compare", "--policies", "gto,lrr", "--workloads", "/bin/true", "--db", self.db)
        self.assertIn("/bin/true ran no kernel\n", done.stdout)

    def test_a_clock_that_is_set_back_changes_nothing(self):
        """Every look at the time of day says an hour less; the second sweep starts years before the first."""
        shim = BUILD / "tests" / "libclock_back.so"

        def sweep(start, *more):
            done = run("sweep", self.study, "--db", self.db, *more, cwd=self.folder, env={**os.environ, "LD_PRELOAD": str(shim), "WARPLINE_CLOCK_START": str(start)})
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertNotIn("cannot be preloaded", done.stderr)
            return done

        half = self.put("half.conf", STUDY.replace("vectoradd, spmv, kmeans, btree", "vectoradd, spmv"))
        self.study, whole = half, self.study
        self.assertIn("8 run now, 0 already there", sweep(2_000_000_000).stderr)
        self.study = whole
        self.assertIn("8 already there", sweep(1_000_000_000, "--dry-run").stderr)
        again = sweep(1_000_000_000)
        self.assertIn("8 run now, 8 already there, 0 failed", again.stderr)
        with sqlite3.connect(self.db) as database:
            created = [row[0] for row in database.execute("SELECT created FROM run ORDER BY id")]
            wrong = database.execute("SELECT count(*) FROM run WHERE wall_seconds < 0 OR wall_seconds > 600 OR status != 'ok'").fetchone()[0]
        self.assertEqual((len(created), wrong), (RUNS, 0))
        self.assertEqual(created, sorted(created, reverse=True))  # the shim was at work
        self.assertLess(created[-1], "2002")
        self.assertGreater(created[0], "2032")
        self.assertEqual([r["id"] for r in json.loads(self.run_warpline("results", "list", "--db", self.db, "--json", "-").stdout)], list(range(1, RUNS + 1)))
        self.assertIn("0 run now, 16 already there", sweep(1_500_000_000).stderr)
        self.assertIn("16 run now", self.sweep().stderr)  # without the library, which is an input like any other

    def test_two_sweeps_at_once_lose_nothing(self):
        both = [self.start("sweep", self.study, "--db", self.db, "--jobs", "1") for _ in range(2)]
        self.assertEqual([p.wait(timeout=300) for p in both], [0, 0])
        self.assertEqual(count(self.db), RUNS)

    def test_a_run_that_takes_too_long_does_not_stop_the_rest(self):
        late = self.put("late.conf", "workloads = syrk, vectoradd\nsizes = medium\n")
        out = self.run_warpline("sweep", late, "--db", self.db, "--timeout", "1", code=1)
        self.assertIn("timeout", out.stdout)
        self.assertGreaterEqual(count(self.db, "status = 'timeout'"), 1)

    def make_program(self, name, body):
        source = self.put(name + ".c", "#include <signal.h>\n#include <stdio.h>\n#include <unistd.h>\nint main(void)\n{\n" + body + "}\n")
        subprocess.check_call(["cc", "-o", str(self.folder / name), source])
        return str(self.folder / name)

    def test_a_program_that_fails_is_kept_with_its_log(self):
        program = self.make_program("fails", 'fputs("went wrong\\n", stderr);\nreturn 7;\n')
        out = self.run_warpline("compare", "--policies", "gto", "--workloads", program, "--db", self.db, code=1)
        self.assertIn("failed", out.stdout)
        self.assertIn("exit code 7", out.stderr)  # whatever the command prints of its runs
        with sqlite3.connect(self.db) as database:
            status, log = database.execute("SELECT status, log FROM run").fetchone()
        self.assertEqual(status, "failed")
        self.assertIn("went wrong", log)

    def test_a_script_is_refused_before_anything_runs(self):
        script = self.put("script.sh", "#!/bin/sh\nexit 7\n")
        os.chmod(script, 0o755)
        out = self.run_warpline("compare", "--policies", "gto", "--workloads", f"spmv,{script}", "--db", self.db, code=3)
        self.assertIn("is a script", out.stderr)
        self.assertFalse(os.path.exists(self.db))

    def test_a_killed_worker_does_not_stop_the_rest(self):
        """A worker that is killed is recorded as crashed; the others' results are there."""
        program = self.make_program("dies", "kill(getppid(), SIGKILL);\n")
        done = run("compare", "--policies", "gto", "--workloads", f"{program},spmv", "--size", "tiny", "--db", self.db)
        self.assertEqual(done.returncode, 1, done.stderr)
        with sqlite3.connect(self.db) as database:
            states = dict(database.execute("SELECT target, status FROM run"))
        self.assertEqual(states["spmv"], "ok")
        self.assertEqual(states[program], "crashed")

    def test_a_full_disk_loses_no_finished_run(self):
        if os.geteuid() != 0:
            self.skipTest("a small tmpfs needs root")
        small = os.path.join(self.folder, "small")
        os.mkdir(small)
        if subprocess.call(["mount", "-t", "tmpfs", "-o", "size=300k", "tmpfs", small], stderr=subprocess.DEVNULL) != 0:
            self.skipTest("a tmpfs cannot be mounted here")
        try:
            self.db = os.path.join(small, "r.db")
            full = self.run_warpline("sweep", self.study, "--db", self.db, code=3)
            self.assertIn("full", full.stderr)
            kept = count(self.db)
            subprocess.check_call(["mount", "-o", "remount,size=30m", small])
            rest = self.sweep()
            self.assertIn(f"{kept} already there", rest.stderr)
            self.assertEqual(count(self.db), RUNS)
        finally:
            subprocess.call(["umount", "-l", small])

    def test_a_read_only_database_can_be_read(self):
        self.sweep()
        os.chmod(self.db, 0o444)
        listed = self.run_warpline("results", "list", "--db", self.db, "--json", "-")
        self.assertEqual(len(json.loads(listed.stdout)), RUNS)
        if os.geteuid() != 0:  # root writes anyway
            self.assertIn("cannot be written", self.sweep("--jobs", "1", code=3).stderr)

    def test_a_read_only_medium_can_be_read(self):
        """Neither permissions nor root help there; and SQLite may make no file beside the database."""
        self.run_warpline("compare", "--policies", "gto,lrr", "--workloads", "vectoradd", "--size", "tiny", "--db", self.db)
        medium = self.folder / "read only?#%"
        medium.mkdir()
        if subprocess.call(["mount", "-t", "tmpfs", "-o", "size=30m", "tmpfs", medium], stderr=subprocess.DEVNULL) != 0:
            self.skipTest("a tmpfs cannot be mounted here")
        try:
            (medium / "r.db").write_bytes(pathlib.Path(self.db).read_bytes())
            subprocess.check_call(["mount", "-o", "remount,ro", medium])
            listed = self.run_warpline("results", "list", "--db", medium / "r.db", "--json", "-")
            self.assertEqual(len(json.loads(listed.stdout)), 2)
            self.run_warpline("report", "--db", medium / "r.db", "--output", self.folder / "r.html")
            refused = self.run_warpline("compare", "--policies", "gto", "--workloads", "spmv", "--size", "tiny", "--db", medium / "r.db", code=3)
            self.assertIn("cannot be written", refused.stderr)
        finally:
            subprocess.call(["umount", "-l", medium])

    def test_a_damaged_database_is_named_and_left_as_it_is(self):
        with open(self.db, "wb") as f:
            f.write(b"not a database at all, but longer than its header would be" * 10)
        before = pathlib.Path(self.db).read_bytes()
        bad = self.sweep(code=3)
        self.assertIn("r.db", bad.stderr)
        self.assertEqual(pathlib.Path(self.db).read_bytes(), before)

    def test_a_journal_that_a_killed_process_left_is_rolled_back(self):
        """As when a sweep is killed while it makes the database: a reader could not, and said that the file cannot be written."""
        db = self.folder / "r.db"
        compare = ["compare", "--policies", "gto", "--workloads", "vectoradd", "--size", "tiny", "--db", db]
        self.assertEqual(run(*compare).returncode, OK)
        killed = ("import os, sqlite3, sys\n"
                  "d = sqlite3.connect(sys.argv[1], isolation_level=None)\n"
                  "d.execute('PRAGMA journal_mode = DELETE')\n"
                  "d.execute('PRAGMA cache_size = 5')\n"
                  "d.execute('BEGIN')\n"
                  "d.execute('UPDATE run SET target = hex(zeroblob(500000))')\n"
                  "os._exit(9)\n")
        self.assertEqual(subprocess.run([sys.executable, "-c", killed, db]).returncode, 9)
        self.assertTrue((self.folder / "r.db-journal").exists())
        done = run("results", "list", "--db", db)
        self.assertEqual(done.returncode, OK, done.stderr)
        self.assertIn("vectoradd", done.stdout)

    def test_names_that_are_no_utf_8_stand_in_lists_and_reports(self):
        program = os.path.join(os.fsencode(self.folder), b"v\xff")
        shutil.copy(BUILD / "workloads/vectoradd", program)
        db = self.folder / "r.db"
        self.assertEqual(run("compare", "--policies", "gto", "--workloads", os.fsdecode(program), "--db", db, cwd=self.folder).returncode, OK)
        self.assertEqual(len(json.loads(run("results", "list", "--db", db, "--json", "-").stdout)), 1)
        made = run("report", "--db", db, "-o", self.folder / "r.html")
        self.assertEqual(made.returncode, OK, made.stderr)
        self.assertIn("v?", (self.folder / "r.html").read_text())

    def test_a_locked_database_is_waited_for(self):
        self.sweep()
        lock = sqlite3.connect(self.db, isolation_level=None)
        lock.execute("BEGIN IMMEDIATE")
        other = self.start("compare", "--policies", "gto", "--workloads", "backprop", "--size", "tiny", "--db", self.db)
        time.sleep(2)
        self.assertIsNone(other.poll())
        lock.execute("COMMIT")
        self.assertEqual(other.wait(timeout=60), 0)

    def test_results_are_shown_and_compared_as_text(self):
        self.run_warpline("compare", "--policies", "gto,lrr", "--workloads", "vectoradd", "--size", "tiny", "--jobs", "1", "--study", "one", "--db", self.db)
        self.run_warpline("compare", "--policies", "gto", "--workloads", "spmv", "--size", "tiny", "--db", self.db)
        with sqlite3.connect(self.db) as database:
            keys, cycles = zip(*database.execute("SELECT key, cycles FROM run ORDER BY id"))
        listed = self.run_warpline("results", "list", "--db", self.db).stdout.splitlines()
        self.assertEqual([line.split()[:2] for line in listed[1:]], [[str(i + 1), key[:8]] for i, key in enumerate(keys)])
        self.assertEqual(len(self.run_warpline("results", "list", "--study", "one", "--db", self.db).stdout.splitlines()), 3)
        self.assertRegex(self.run_warpline("results", "show", keys[0][:10], "--db", self.db).stdout, rf"(?m)^  cycles +{cycles[0]}$")
        self.assertEqual(self.run_warpline("results", "diff", "1", "1", "--db", self.db).stdout.splitlines()[1:], ["no counter differs"])
        self.run_warpline("compare", "--policies", "none", "--workloads", "spmv", "--size", "tiny", "--set", "l1.mshr_entries=16", "--set", "l1.ways=8", "--db", self.db)
        last = self.run_warpline("results", "list", "--db", self.db).stdout.splitlines()[-1]
        self.assertIn(" none ", last)
        self.assertRegex(last, r"\d s  l1\.mshr_entries=16.l1\.ways=8$")
        difference = self.run_warpline("results", "diff", "1", "2", "--db", self.db).stdout
        self.assertRegex(difference, rf"(?m)^cycles +{cycles[0]} +{cycles[1]} ")
        rows = json.loads(self.run_warpline("results", "diff", "1", "2", "--db", self.db, "--json", "-").stdout)
        self.assertIn(str(cycles[1]), json.dumps(rows))
        for words, code, says in ((["show", "99"], 3, "99"), (["show", ""], 3, ""), (["diff", "1"], 2, "diff"), (["export", "xml"], 2, "xml"), (["nonsense"], 2, "say 'list'"), (["list", "--study", "none"], 0, "")):
            done = self.run_warpline("results", *words, "--db", self.db, code=code)
            self.assertIn(says, done.stderr)

    def test_exports_hold_every_run(self):
        self.sweep()
        csv = self.run_warpline("results", "export", "csv", "--db", self.db).stdout
        self.assertEqual(len(csv.split("\n\n")[0].splitlines()), RUNS + 1)
        sql = self.run_warpline("results", "export", "sql", "--db", self.db).stdout
        copy = sqlite3.connect(":memory:")
        copy.executescript(sql)
        self.assertEqual(copy.execute("SELECT count(*) FROM run").fetchone()[0], RUNS)
        self.assertEqual(copy.execute("SELECT sum(value) FROM counter WHERE name = 'cycles'").fetchone()[0],
                         sqlite3.connect(self.db).execute("SELECT sum(cycles) FROM run").fetchone()[0])
        whole = json.loads(self.run_warpline("results", "export", "json", "--db", self.db).stdout)
        self.assertTrue(all(r["result"]["totals"]["cycles"] == r["cycles"] for r in whole))


if __name__ == "__main__":
    main()
