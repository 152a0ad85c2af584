#!/usr/bin/env python3
"""What a sweep costs beside the simulations it runs: sweep_overhead.py BUILD [WORKLOAD [SIZE [RUNS]]], two jobs.

CPU: the sweep's own process beside those of its runs; other work on the machine does not change it.
Waiting: all runs are of one workload and one length, so that both workers end together and what the sum of the runs' times leaves of twice
the elapsed time is the sweep's (starting processes, recording results), not the last run's being alone.
"""
import os
import pathlib
import sqlite3
import subprocess
import sys
import tempfile
import time

TICKS = os.sysconf("SC_CLK_TCK")


def cpu_seconds(pid):
    """(of the process itself, of its children that have ended)"""
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS, (int(fields[13]) + int(fields[14])) / TICKS


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    workload, size, runs = (sys.argv[2:] + ["syrk", "small", "16"][len(sys.argv) - 2:])[:3]
    with tempfile.TemporaryDirectory(prefix="warpline-bench-") as folder:
        # A watchdog's limit makes every run another one and changes nothing of what it does.
        values = ", ".join(str(1_000_000 + i) for i in range(int(runs)))
        pathlib.Path(folder, "s.conf").write_text(f"workloads = {workload}\nsizes = {size}\npolicies = gto\n[axes]\ngpu.watchdog = {values}\n")
        began = time.monotonic()
        sweep = subprocess.Popen([str(build / "warpline"), "sweep", "s.conf", "--db", "r.db", "--jobs", "2"], cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        own = children = 0.0
        while not os.waitid(os.P_PID, sweep.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT):
            time.sleep(0.01)
        own, children = cpu_seconds(sweep.pid)  # it has ended, and is still to be waited for
        elapsed = time.monotonic() - began
        if sweep.wait() != 0:
            sys.exit("the sweep failed")
        walls = [row[0] for row in sqlite3.connect(pathlib.Path(folder, "r.db")).execute("SELECT wall_seconds FROM run WHERE status = 'ok'")]
    print(f"{len(walls)} runs of {workload} {size}, {min(walls):.2f} to {max(walls):.2f} s each, {elapsed:.2f} s in all")
    print(f"CPU: the sweep {own:.2f} s, its runs {children:.2f} s: {100 * own / children:.2f} % on top")
    print(f"waiting: {100 * (1 - sum(walls) / (2 * elapsed)):.2f} % of two workers' time is not inside a run")


main()
