#!/usr/bin/env python3
"""Writes docs/workloads.md: every built-in workload as the papers describe it, beside what `warpline characterize` measures.

usage: describe-workloads.py BUILD [--size small]   (about ten minutes on two cores; results are kept in BUILD/workloads.db)
"""
import argparse
import json
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent

# Instructions per L1 miss in paper 001, table III, by kernel in the paper's order.
TABLE_III = {
    "backprop": "107 / 19", "bfs": "2.4", "cutcp": "949", "histo": "15.3 / 35.9 / 14.3", "histogram": "91.2", "kmeans": "0.27 / 88", "lavamd": "512", "lbm": "10.4",
    "leukocyte": "28 / 173 / 5289", "mrigridding": "13.4 / 22.4 / 147", "mriq": "3479", "mummer": "4.9", "particlefilter": "3.5", "pathfinder": "55.83", "sgemm": "75",
    "spmv": "4.2", "sad": "2563 / 10.2", "srad": "25 / 22", "stencil": "38", "tpacf": "10816",
}


def ask(build, *words):
    done = subprocess.run([build / "warpline", *map(str, words)], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, words))}: {done.stderr.strip().splitlines()[-1] if done.stderr.strip() else done.returncode}")
    return json.loads(done.stdout)


def kernels_per_miss(build, name, size, database):
    """Warp instructions per L1 load miss of each kernel, in order of first launch."""
    path = database.with_suffix(f".{name}.json")
    subprocess.run([build / "warpline", "run", "--quiet", "--config", "gtx480-32k", "--json", path, name, "--size", size], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    totals = {}
    for kernel in json.loads(path.read_text())["kernels"]:
        entry = totals.setdefault(kernel["name"], [0, 0])
        entry[0] += kernel["warp_instructions"]
        entry[1] += kernel["l1"]["misses"]
    path.unlink()
    return " / ".join(f"{i / m:.3g}" if m else "no miss" for i, m in totals.values())


def percent(x):
    return f"{100 * x:.1f}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--size", default="small")
    options = parser.parse_args()
    build = options.build.resolve()
    database = build / "workloads.db"
    workloads = ask(build, "list", "workloads", "--json", "-")
    rows = []
    for w in workloads:
        name = w["name"]
        c = ask(build, "characterize", name, "--size", options.size, "--config", "gtx480-16k", "--db", database, "--json", "-")
        classes = {v["paper"]: v["class"] for v in c["classes"]}
        rows.append((w, c, classes, kernels_per_miss(build, name, options.size, database)))
        print(name, classes, flush=True)
    agree = [(w["class_000"], classes["000"]) for w, _, classes, _ in rows if w["class_000"]]
    same = sum(set(b.split(' and ')) <= set(a.split('+')) for a, b in agree)
    text = (ROOT / "scripts/workloads_head.md").read_text().replace("@SIZE@", options.size).replace("@AGREE@", f"{same} of {len(agree)}")
    text += "\n## Classes\n\n| workload | in 000 | class there | here | in 001 | class there | here | L1 miss rate, % | unbounded | misses per kilo thread instruction | cycles without L1, with unbounded caches |\n"
    text += "| --- | --- | --- | --- | --- | --- | --- | ---: | ---: | ---: | --- |\n"
    for w, c, classes, _ in rows:
        p = c["performance"]
        text += (f"| `{w['name']}` | {w['name_000'] or '–'} | {w['class_000'] or '–'} | {classes['000']} | {w['name_001'] or '–'} | {w['class_001'] or '–'} | {classes['001'].split()[0]} | "
                 f"{percent(c['l1_miss_rate']['bounded'])} | {percent(c['l1_miss_rate']['unbounded'])} | {c['mpki']:.2f} | {1 / p['no_l1']['speedup']:.2f}, {1 / p['unbounded']['speedup']:.2f} |\n")
    text += "\n## Instructions per L1 miss, kernel by kernel\n\nWarp instructions per load that missed in the L1, on `gtx480-32k`; kernels in order of first launch.\n\n| workload | kernels | paper 001, table III | here |\n| --- | --- | --- | --- |\n"
    for w, _, _, per_miss in rows:
        text += f"| `{w['name']}` | {w['kernels']} | {TABLE_III.get(w['name'], '–')} | {per_miss} |\n"
    (ROOT / "docs/workloads.md").write_text(text)


main()
