#!/usr/bin/env python3
"""Measures the simulation rate per kernel of tests/validation and compares it: see bench.sh."""
import csv
import json
import pathlib
import resource
import statistics
import subprocess
import sys
import tempfile

if sys.argv[1:2] in (["-h"], ["--help"]):
    sys.exit(print(__doc__))

ROOT = pathlib.Path(__file__).resolve().parent.parent
KERNELS = ROOT / "tests/validation/kernels"
RECORD = ROOT / "docs/bench.csv"
RUNS = 3
FIELDS = ["kernel", "cycles", "warp_instructions", "cpu_seconds", "cycles_per_second", "warp_instructions_per_second",
          "times_faster_than_reference", "replay_cpu_seconds", "peak_rss_mb"]


def read_csv(path):
    if not path.exists():
        return {}
    with path.open(encoding="utf-8", newline="") as lines:
        return {row["kernel"]: row for row in csv.DictReader(lines)}


def run(command, name):
    """One run; CPU seconds are of the whole process, as the reference's are."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode:
        sys.exit(f"{name}: {done.stderr.strip()}")
    return done.stdout, max(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, 1e-3)


def least(command, name):
    """The fastest of a few runs: other work on the computer only ever adds to CPU seconds."""
    return min((run(command, name) for _ in range(RUNS)), key=lambda done: done[1])


def measure(build, name, folder):
    """Live, and from a trace that is recorded first: the result, and the CPU seconds of each."""
    program, trace = str(build / "warpline"), str(pathlib.Path(folder) / "bench.wlt")
    source = ["--ptx", str(KERNELS / f"{name}.ptx"), "--launch", str(KERNELS / f"{name}.json")]
    text, cpu = least([program, "run", *source, "--json", "-"], name)
    run([program, "record", *source, "-o", trace], name)
    _, replay = least([program, "run", "--json", "-", trace], name)
    return json.loads(text), cpu, replay


def main():
    record = "--record" in sys.argv
    build, *wanted = [a for a in sys.argv[1:] if a != "--record"]
    reference, last = read_csv(ROOT / "tests/validation/results.csv"), read_csv(RECORD)
    rows = []
    print(f"{'kernel':<20} {'cycles':>10} {'CPU s':>8} {'replay':>8} {'kcycles/s':>10} {'vs last':>8} {'x reference':>12}")
    for name in wanted or reference:
        with tempfile.TemporaryDirectory() as folder:
            result, cpu, replay = measure(pathlib.Path(build).resolve(), name, folder)
        cycles, instructions = result["totals"]["cycles"], result["totals"]["warp_instructions"]
        row = dict(zip(FIELDS, [name, cycles, instructions, f"{cpu:.3f}", round(cycles / cpu), round(instructions / cpu),
                                f"{float(reference[name]['cpu_s']) / cpu:.1f}", f"{replay:.3f}",
                                round(result["host"]["peak_rss_bytes"] / 2**20)]))
        rows.append(row)
        change = ""
        if name in last:
            change = f"{100 * (float(last[name]['cpu_seconds']) / cpu - 1):+.0f} %"
        print(f"{name:<20} {cycles:>10} {cpu:>8.2f} {replay:>8.2f} {cycles / cpu / 1e3:>10.0f} {change:>8} {row['times_faster_than_reference']:>12}")
    ratios = [float(r["times_faster_than_reference"]) for r in rows]
    print(f"median: {statistics.median(ratios):.0f} times the reference's speed (lowest {min(ratios):.0f}, highest {max(ratios):.0f}); "
          f"largest memory {max(r['peak_rss_mb'] for r in rows)} MB")
    if record and not wanted:
        with RECORD.open("w", encoding="utf-8", newline="") as out:
            writer = csv.DictWriter(out, FIELDS, lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)
        print(f"recorded in {RECORD.relative_to(ROOT)}")


main()
