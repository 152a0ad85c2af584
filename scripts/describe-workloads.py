#!/usr/bin/env python3
"""Writes docs/workloads.md: every built-in workload as the papers describe it, beside what `warpline characterize` measures.

usage: describe-workloads.py BUILD            about ten minutes on two cores, and another ten for size paper the first time
       describe-workloads.py BUILD --only A,B  runs these only and keeps the other workloads' rows of the page as they are
       describe-workloads.py BUILD --counts   only counts instructions at small and medium, into workloads/workloads.def

Results are kept in BUILD/workloads.db and BUILD/workloads.sizes.json, by program, so that a second run is short.
"""
import argparse
import hashlib
import json
import pathlib
import re
import resource
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
SIZES = ("tiny", "small", "medium", "paper")

# Instructions per L1 miss in paper 001, table III, by kernel in the paper's order.
TABLE_III = {
    "backprop": "107 / 19", "bfs": "2.4", "cutcp": "949", "histo": "15.3 / 35.9 / 14.3", "histogram": "91.2", "kmeans_texture": "0.27 / 88", "lavamd": "512", "lbm": "10.4",
    "leukocyte": "28 / 173 / 5289", "mrigridding": "13.4 / 22.4 / 147", "mriq": "3479", "mummer": "4.9", "particlefilter": "3.5", "pathfinder": "55.83", "sgemm": "75",
    "spmv_jds": "4.2", "sad": "2563 / 10.2", "srad": "25 / 22", "stencil": "38", "tpacf": "10816",
}


def ask(build, *words):
    done = subprocess.run([build / "warpline", *map(str, words)], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, words))}: {done.stderr.strip().splitlines()[-1] if done.stderr.strip() else done.returncode}")
    return json.loads(done.stdout)


def count(build, name, size, result):
    """One functional run: its check must pass. Seconds are of this machine's CPU, and include making the input and checking."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    done = subprocess.run([build / "warpline", "run", "--functional", "--quiet", "--json", result, name, "--size", size], capture_output=True, text=True)
    if done.returncode != 0 or ", right;" not in done.stdout:
        sys.exit(f"{name} --size {size}: exit {done.returncode}: {done.stdout}{done.stderr}")
    kernels = json.loads(result.read_text())["kernels"]
    return {"instructions": sum(k["warp_instructions"] for k in kernels), "launches": len(kernels), "kib": round(float(done.stdout.split("; ")[-1].split()[0])),
            "seconds": round(resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before, 1)}


def count_all(build, names, sizes):
    """{name: {size: counts}}, of each program as it is now; written after every run, so that a killed script goes on where it was."""
    path = build / "workloads.sizes.json"
    known = json.loads(path.read_text()) if path.exists() else {}
    for name in names:
        digest = hashlib.sha256((build / "workloads" / name).read_bytes()).hexdigest()
        if known.get(name, {}).get("program") != digest:
            known[name] = {"program": digest}
        for size in sizes:
            if size not in known[name]:
                known[name][size] = count(build, name, size, build / "workloads.count.json")
                path.write_text(json.dumps(known, indent=1))
                print(name, size, known[name][size], flush=True)
    return known


def write_counts(sizes):
    path = ROOT / "workloads/workloads.def"
    def counted(match):
        s = sizes.get(match[1], {})
        if "small" not in s or "medium" not in s:
            return match[0]
        return f"{match[0][:match.start(2) - match.start()]}{s['small']['kib']}, {s['small']['instructions']}, {s['medium']['instructions']})"
    path.write_text(re.sub(r"^WORKLOAD\((\w+),.*?, (\d+, \d+, \d+\))$", counted, path.read_text(), flags=re.M))


def kernels_per_miss(build, name, size, database):
    """Warp instructions per load or texture read that missed, of each kernel, in order of first launch; and warps resident in its longest launch, as a share of the slots."""
    path = database.with_suffix(f".{name}.json")
    subprocess.run([build / "warpline", "run", "--quiet", "--config", "gtx480-32k", "--json", path, name, "--size", size], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    totals = {}
    for kernel in json.loads(path.read_text())["kernels"]:
        entry = totals.setdefault(kernel["name"], [0, 0, 0, 0])
        entry[0] += kernel["warp_instructions"]
        entry[1] += kernel["l1"]["misses"] + kernel["l1t"]["misses"]
        entry[2:] = max(entry[2:], [kernel["cycles"], kernel["sm"]["occupancy"]])
    path.unlink()
    return " / ".join(f"{i / m:.3g}" if m else "no miss" for i, m, _, _ in totals.values()), " / ".join(f"{100 * occupancy:.0f}" for *_, occupancy in totals.values())


def percent(x):
    return f"{100 * x:.1f}"


def millions(n):
    return f"{n / 1e6:.3g}" if n < 1e9 else f"{n / 1e6:.0f}"


def table(head, rows):
    """A Markdown table; a heading that ends with ':' is of a column of numbers."""
    titles = "| " + " | ".join(h.rstrip(":") for h in head) + " |\n"
    rules = "| " + " | ".join("---:" if h.endswith(":") else "---" for h in head) + " |\n"
    return titles + rules + "".join("| " + " | ".join(row) + " |\n" for row in rows)


def class_row(w, c, classes):
    p = c["performance"]
    return [f"`{w['name']}`", w["name_000"] or "–", w["class_000"] or "–", classes["000"], w["name_001"] or "–", w["class_001"] or "–", classes["001"].split()[0],
            percent(c["l1_miss_rate"]["bounded"]), percent(c["l1_miss_rate"]["unbounded"]), f"{c['mpki']:.2f}", f"{1 / p['no_l1']['speedup']:.2f}, {1 / p['unbounded']['speedup']:.2f}"]


def size_row(w, sizes):
    return [f"`{w['name']}`", w["suite"], *(millions(sizes[s]["instructions"]) for s in SIZES), str(sizes["paper"]["launches"]), str(sizes["small"]["kib"]), str(sizes["paper"]["kib"]),
            str(sizes["paper"]["seconds"])]


# The page's tables, in the order of measure's answer.
TITLES = ("Classes", "Instructions per miss and occupancy, kernel by kernel", "Sizes")


def measure(build, workloads, size):
    """Rows of the three tables, by workload."""
    sizes = count_all(build, [w["name"] for w in workloads], SIZES)
    classes, kernels = {}, {}
    for w in workloads:
        name = w["name"]
        c = ask(build, "characterize", name, "--size", size, "--config", "gtx480-16k", "--db", build / "workloads.db", "--json", "-")
        classes[name] = class_row(w, c, {v["paper"]: v["class"] for v in c["classes"]})
        kernels[name] = [f"`{name}`", w["kernels"], TABLE_III.get(name, "–"), *kernels_per_miss(build, name, size, build / "workloads.db")]
        print(*classes[name], flush=True)
    return classes, kernels, {w["name"]: size_row(w, sizes[w["name"]]) for w in workloads}


def write_page(workloads, tables, size):
    classes, kernels, sizes = tables
    agree = [(row[2], row[3]) for row in classes if row[2] != "–"]
    same = sum(set(b.split(' and ')) <= set(a.split('+')) for a, b in agree)
    text = (ROOT / "scripts/workloads_head.md").read_text()
    for key, value in {"@COUNT@": str(len(workloads)), "@SIZE@": size, "@AGREE@": f"{same} of {len(agree)}"}.items():
        text = text.replace(key, value)
    text += f"\n## {TITLES[0]}\n\n" + table(
        ["workload", "in 000", "class there", "here", "in 001", "class there", "here", "L1 miss rate, %:", "unbounded:", "misses per kilo thread instruction:", "cycles without L1, with unbounded caches"], classes)
    text += (f"\n## {TITLES[1]}\n\nWarp instructions per load that missed in the L1 or texture read that missed in its cache, and warps resident during a kernel's longest launch\n"
             "in per cent of the slots of the SMs that had any, on `gtx480-32k`; kernels in order of first launch.\n\n")
    text += table(["workload", "kernels", "paper 001, table III", "here", "occupancy, %"], kernels)
    text += (f"\n## {TITLES[2]}\n\nMillions of warp instructions, from functional runs (`warpline run NAME --size SIZE --functional`), whose checks all passed; CPU seconds of the run at\n"
             "`paper`, with making the input and checking the result.\n\n")
    text += table(["workload", "suite", "tiny:", "small:", "medium:", "paper:", "launches at paper:", "device memory at small, KiB:", "at paper:", "CPU seconds at paper:"], sizes)
    text += "\n## Rows of papers 002 to 004\n\nPaper or chapter, abbreviation and class there; `warpline run PAPER:ABBREVIATION` runs it (`workloads/tables.def`).\n\n"
    text += table(["workload", "rows"], [[f"`{w['name']}`", w["papers"]] for w in workloads if w["papers"]])
    (ROOT / "docs/workloads.md").write_text(text)


def rows_of_page(title):
    """The rows of a section of the page as it is: {workload: cells}."""
    section = (ROOT / "docs/workloads.md").read_text().split(f"\n## {title}\n")[1].split("\n## ")[0]
    return {line.split("`")[1]: line.strip("| ").split(" | ") for line in section.splitlines() if line.startswith("| `")}


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--size", default="small")
    parser.add_argument("--counts", action="store_true")
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    build = options.build.resolve()
    workloads = ask(build, "list", "workloads", "--json", "-")
    names = [name for name in options.only.split(",") if name] or [w["name"] for w in workloads]
    if options.counts:
        write_counts(count_all(build, names, ("small", "medium")))
        return
    kept = [rows_of_page(title) if options.only else {} for title in TITLES]
    measured = measure(build, [w for w in workloads if w["name"] in names], options.size)
    tables = [[new.get(w["name"]) or old[w["name"]] for w in workloads] for new, old in zip(measured, kept)]
    write_page(workloads, tables, options.size)


main()
