#!/usr/bin/env python3
"""Runs Accel-Sim traces on warpline's machines and compares cycles and L2 reads with Accel-Sim's own (see docs/validation-accelsim.md).

    validate-accelsim.py BUILD_DIR --data DIR --traces DIR [--configs a,b] [--variants base,cold,gto] [--only x,y] [--probes | --effects]
                         [--machine NAME] [--set KEY=VALUE]... [--rows] [--csv FILE] [--jobs N]

--data: a folder with results.csv (a row per trace, simulator, configuration and variant) and probes_all_configs.csv (one per probe) and effects.csv (one per trace and option).
--traces: a folder with a folder per trace, with kernelslist.g.
"""
import argparse
import concurrent.futures
import csv
import json
import os
import statistics
import subprocess

MACHINES = {
    "SM7_TITANV": "titanv-accelsim",
    "SM7_QV100": "qv100-accelsim",
    "SM75_RTX2060": "rtx2060-accelsim",
    "SM86_RTX3070": "rtx3070-accelsim",
}
VARIANTS = {"base": [], "cold": ["l2.memcpy_fills=false"], "gto": []}  # gto: the scheduler of that name, else lrr
# Options of effects.csv that have a counterpart; each is compared with its base, or with `cold`.
EFFECTS = {
    "gto": [], "l1_off": ["l1.enabled=false"], "mshr_16": ["l1.mshr_entries=16"], "l1_banks1": ["l1.banks=1"],
    "subcore_off": ["sm.subcore_collectors=0"], "l2_ways2": ["l2.ways=2"], "cold": VARIANTS["cold"],
    "cold_dram_fifo": VARIANTS["cold"] + ["dram.scheduler=fcfs"], "cold_dram_clock120": VARIANTS["cold"] + ["gpu.dram_clock=1020MHz"],
}


def run(build, trace, machine, policy, settings):
    command = [os.path.join(build, "warpline"), "run", "--quiet", "--json", "-", "--config", machine, "--policy", policy]
    for setting in settings:
        command += ["--set", setting]
    done = subprocess.run(command + [trace], capture_output=True, text=True)
    if done.returncode:
        return {"error": (done.stderr.strip().splitlines() or [f"exit {done.returncode}"])[-1]}
    return json.loads(done.stdout)


def expected_runs(a):
    """(trace, configuration, variant, cycles, L2 reads or None) of all that Accel-Sim ran."""
    rows = []
    if a.probes:
        for row in csv.DictReader(open(os.path.join(a.data, "probes_all_configs.csv"))):
            rows += [(row["probe"], c, "base", int(row["accelsim_" + c]), None) for c in a.configs]
        return rows
    for row in csv.DictReader(open(os.path.join(a.data, "results.csv"))):
        if row["simulator"] == "accel-sim" and row["config"] in a.configs and row["variant"] in a.variants:
            rows.append((row["trace"], row["config"], row["variant"], int(row["cycles"]), int(row["L2R_accesses"])))
    names = {row[0] for row in rows}
    return [row for row in rows if row[0] + "_atoms" not in names]  # those have atomics that Accel-Sim takes for global ones


def l2_reads(result):
    """Sectors that loads and atomics ask the L2 for: what Accel-Sim calls reads of global and local memory."""
    l2 = result["totals"]["l2"]
    return sum(l2[kind][k] for kind in ("global_read", "local_read", "atomic") for k in ("hits", "merged", "misses", "sector_misses"))


def effects(a):
    """One option of SM7_TITANV changed: is the change of cycles, in percent of the base, Accel-Sim's? A row per option."""
    base_of = lambda variant: "cold" if variant.startswith("cold_") else "base"
    rows = [r for r in csv.DictReader(open(os.path.join(a.data, "effects.csv"))) if r["variant"] in EFFECTS or r["variant"] == "base"]
    theirs = {(r["trace"], r["variant"]): int(r["cycles"]) for r in rows}
    one = lambda key: run(a.build, os.path.join(a.traces, key[0], "kernelslist.g"), a.machine or MACHINES["SM7_TITANV"],
                          "gto" if key[1] == "gto" else "lrr", EFFECTS.get(key[1], []) + a.set)
    with concurrent.futures.ThreadPoolExecutor(a.jobs) as pool:
        ours = {key: result["totals"]["cycles"] for key, result in zip(theirs, pool.map(one, theirs)) if "error" not in result}
    print("| option | traces | mean change, Accel-Sim % | warpline % | mean difference, points | largest | same direction, of those above 1 % |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for variant in EFFECTS:
        pairs = [(percent(theirs[t, v], theirs[t, base_of(v)]), percent(ours[t, v], ours[t, base_of(v)]))
                 for t, v in theirs if v == variant and (t, v) in ours and (t, base_of(v)) in ours]
        if not pairs:
            continue
        apart = [abs(x - y) for x, y in pairs]
        large = [(x, y) for x, y in pairs if abs(x) > 1]
        print(f"| {variant} | {len(pairs)} | {statistics.fmean(x for x, _ in pairs):+.1f} | {statistics.fmean(y for _, y in pairs):+.1f} | "
              f"{statistics.fmean(apart):.1f} | {max(apart):.1f} | {sum(x * y > 0 for x, y in large)} of {len(large)} |")


def percent(ours, theirs):
    return 100 * (ours - theirs) / theirs


def summary(name, errors):
    e = sorted(abs(x) for x in errors)
    within = lambda limit: sum(x <= limit for x in e)
    return (f"| {name} | {len(e)} | {statistics.fmean(e):.1f} | {statistics.median(e):.1f} | {e[-1]:.1f} | {within(1)} | "
            f"{within(10)} |")


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("build")
    p.add_argument("--data", required=True)
    p.add_argument("--traces", required=True)
    p.add_argument("--configs", default=",".join(MACHINES), type=lambda s: s.split(","))
    p.add_argument("--variants", default="base,cold", type=lambda s: s.split(","))
    p.add_argument("--only", type=lambda s: s.split(","))
    p.add_argument("--probes", action="store_true")
    p.add_argument("--machine", help="instead of the configuration's own")
    p.add_argument("--set", action="append", default=[])
    p.add_argument("--rows", action="store_true", help="print a line per run")
    p.add_argument("--csv", help="write a line per run")
    p.add_argument("--jobs", type=int, default=2)
    p.add_argument("--effects", action="store_true", help="effects.csv instead: one option changed")
    a = p.parse_args()
    if a.effects:
        effects(a)
        return
    rows = [r for r in expected_runs(a) if not a.only or any(r[0].startswith(x) for x in a.only)]
    rows = [r for r in rows if os.path.isdir(os.path.join(a.traces, r[0]))]
    with concurrent.futures.ThreadPoolExecutor(a.jobs) as pool:
        results = list(pool.map(lambda r: run(a.build, os.path.join(a.traces, r[0], "kernelslist.g"), a.machine or MACHINES[r[1]],
                                              "gto" if r[2] == "gto" else "lrr", VARIANTS[r[2]] + a.set), rows))
    table, groups = [], {}
    for (trace, config, variant, theirs, reads), result in zip(rows, results):
        if "error" in result:
            print(f"{trace} {config} {variant}: {result['error']}")
            continue
        ours = result["totals"]["cycles"]
        table.append((trace, config, variant, theirs, ours, round(percent(ours, theirs), 2), reads, l2_reads(result)))
        groups.setdefault((config, variant), []).append(percent(ours, theirs))
    if a.rows:
        for row in sorted(table, key=lambda row: (row[1], row[2], -abs(row[5]))):
            print("%-26s %-13s %-5s %8d %8d %+8.2f %% %s %s" % row)
    if a.csv:
        with open(a.csv, "w", newline="") as f:
            csv.writer(f).writerows([("trace", "config", "variant", "accelsim", "warpline", "error_pct", "accelsim_l2_reads",
                                      "warpline_l2_reads"), *table])
    print("| configuration, variant | runs | mean % | median % | largest % | within 1 % | within 10 % |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for (config, variant), errors in sorted(groups.items()):
        print(summary(f"{config} {variant}", errors))


if __name__ == "__main__":
    main()
