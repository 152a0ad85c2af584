#!/usr/bin/env python3
"""Sweeps on a real Slurm: controller and one node on this machine, started and stopped here."""
import os
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time

from harness import ROOT, WARPLINE, Case, main, run

FIXTURE = ROOT / "tests/e2e/slurm_fixture.sh"
STUDY = "name = cluster\nworkloads = vectoradd, spmv, kmeans\nsizes = tiny\npolicies = gto, lrr\n"
RUNS = 6


def setUpModule():
    global slurm
    slurm = tempfile.mkdtemp(prefix="warpline-slurm-")
    done = subprocess.run([FIXTURE, "start", slurm], capture_output=True, text=True)
    if done.returncode != 0:
        print(done.stdout + done.stderr)
        sys.exit(77)  # skipped, and said why
    os.environ["SLURM_CONF"] = f"{slurm}/slurm.conf"


def tearDownModule():
    subprocess.call([FIXTURE, "stop", slurm])
    subprocess.call(["rm", "-rf", slurm])


def count(path, where="status = 'ok'"):
    with sqlite3.connect(path, timeout=60) as database:
        return database.execute(f"SELECT count(*) FROM run WHERE {where}").fetchone()[0]


def tell(*words):
    return subprocess.run(words, capture_output=True, text=True, check=True).stdout


class Cluster(Case):
    def setUp(self):
        super().setUp()
        self.study = self.put("cluster.conf", STUDY)
        self.db = str(self.folder / "r.db")
        self.words = ["sweep", self.study, "--engine", "slurm", "--db", self.db, "--chunk", "1"]
        self.node = tell("sinfo", "-h", "-o", "%n").strip()
        self.addCleanup(self.leave_the_cluster_as_it_was)

    def leave_the_cluster_as_it_was(self):
        """Whatever a test left behind must not reach the next one."""
        subprocess.call(["scancel", "--name=warpline"])
        self.resume()
        for _ in range(300):
            if not tell("squeue", "-h"):
                return
            time.sleep(0.1)

    def drain(self):
        tell("scontrol", "update", f"nodename={self.node}", "state=drain", "reason=test")

    def resume(self):
        subprocess.run(["scontrol", "update", f"nodename={self.node}", "state=resume"], capture_output=True, check=False)

    def wait_for_job(self):
        """Its tasks are in the queue, and the sweep has written down its number."""
        job = self.folder / "r.db.slurm/cluster/job"
        for _ in range(600):
            if job.exists() and "PENDING" in tell("squeue", "-h", "-r", "-o", "%T", "-j", job.read_text().strip()):
                return
            time.sleep(0.1)
        self.fail("no task became pending")

    def start(self):
        sweep = subprocess.Popen([WARPLINE, *map(str, self.words)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=self.folder)
        self.addCleanup(sweep.kill)
        return sweep

    def test_a_sweep_runs_as_an_array_job(self):
        done = run(*self.words, cwd=self.folder, timeout=200)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(count(self.db), RUNS)
        again = run(*self.words, cwd=self.folder)
        self.assertIn(f"{RUNS} already there", again.stderr)
        local = run("sweep", self.study, "--db", self.folder / "local.db", cwd=self.folder)
        self.assertEqual(sorted(local.stdout.splitlines()), sorted(again.stdout.splitlines()))

    def test_a_drained_node_only_delays(self):
        self.drain()
        try:
            sweep = self.start()
            self.wait_for_job()
            time.sleep(3)
            self.assertIsNone(sweep.poll())
        finally:
            self.resume()
        _, err = sweep.communicate(timeout=200)
        self.assertEqual(sweep.returncode, 0, err)
        self.assertEqual(count(self.db), RUNS)

    def test_a_killed_task_is_recorded_and_can_be_retried(self):
        self.drain()
        sweep = self.start()
        self.wait_for_job()
        job = (self.folder / "r.db.slurm/cluster/job").read_text().strip()
        tell("scancel", f"{job}_2")
        self.resume()
        _, err = sweep.communicate(timeout=200)
        self.assertEqual(sweep.returncode, 1, err)
        self.assertEqual(count(self.db), RUNS - 1)
        self.assertEqual(count(self.db, "status = 'crashed'"), 1)
        self.assertEqual(run(*self.words, cwd=self.folder, timeout=200).returncode, 0)
        self.assertEqual(count(self.db), RUNS)

    def test_a_killed_sweep_finds_its_job_again(self):
        self.drain()
        sweep = self.start()
        self.wait_for_job()
        sweep.send_signal(signal.SIGKILL)
        sweep.communicate()
        self.resume()
        again = run(*self.words, cwd=self.folder, timeout=200)
        self.assertEqual(again.returncode, 0, again.stderr)
        self.assertEqual(count(self.db), RUNS)

    def test_a_sweep_can_be_cancelled(self):
        self.drain()
        sweep = self.start()
        self.wait_for_job()
        self.assertEqual(run(*self.words, "--cancel", cwd=self.folder).returncode, 0)
        _, err = sweep.communicate(timeout=60)
        self.resume()
        self.assertEqual(sweep.returncode, 3 if "share this filesystem" in err else 1, err)
        self.assertIn("no array job", run(*self.words, "--cancel", cwd=self.folder).stderr)


if __name__ == "__main__":
    main()
