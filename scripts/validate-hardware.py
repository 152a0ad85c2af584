#!/usr/bin/env python3
"""Runs kernels that were timed on real cards and compares the times (see docs/validation-hardware.md).

    validate-hardware.py BUILD_DIR --data DIR [--cards titanv,2080ti] [--only x,y] [--limit N] [--clock MHZ] [--set KEY=VALUE]...
                         [--csv FILE] [--jobs N]
    validate-hardware.py --from FILE [--page FILE]

--data: a folder with hardware_CARD.csv, a row per kernel and size, with the columns kernel, N, rows, iters, mean_ms (others are not read).
--csv: where the rows go, so that --from can print them again without a run; --page puts the tables into that page, between its marks.
Sizes of more than --limit warp instructions a launch are left out; a functional run counts them before anything is timed.
"""
import argparse
import collections
import concurrent.futures
import csv
import json
import math
import os
import re
import statistics
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SOURCES = ["main.cu", "matrices.cu", "streams.cu", "sums.cu"]

# floor_ms: what the shortest launch takes, from start to start. clock: MHz of SMs, network and L2.
Card = collections.namedtuple("Card", "machine floor_ms clock")
CARDS = {"titanv": Card("titanv", 0.0036, 1455), "2080ti": Card("rtx2080ti", 0.0033, 1635)}
FLOORS_THAT_COUNT = 3  # a time of so many floors or more is compared; below, launching decides too much
CLASSES = {
    "streams": ["vector_add", "saxpy", "strided_copy_8", "random_access"],
    "transposes": ["naive_transpose", "shared_transpose"],
    "reductions": ["reduce_sum", "dot_product"],
    "convolutions": ["conv2d_3x3", "conv2d_7x7"],
    "products": ["matmul_naive", "matmul_tiled"],
    "divergence": ["vector_add_divergent"],
    "atomics": ["histogram", "atomic_hotspot"],
}
CLASS_OF = {kernel: name for name, kernels in CLASSES.items() for kernel in kernels}
COLUMNS = ["card", "kernel", "size", "rounds", "clock_mhz", "card_ms", "ours_ms", "cycles", "warp_instructions", "dram_gbs", "dram_busy",
           "l2_hits", "ctas_per_sm"]


def compile_kernels(build, folder):
    program = os.path.join(folder, "hardware")
    where = os.path.join(ROOT, "tests", "validation-hardware")
    subprocess.run([os.path.join(build, "warpline"), "cc", "-O3", *(os.path.join(where, s) for s in SOURCES), "-o", program], check=True)
    return program


def measured(data, card):
    """The card's rows as (kernel, size, rounds or None, ms), of kernels that are known here."""
    with open(os.path.join(data, f"hardware_{card}.csv"), newline="") as f:
        rows = list(csv.DictReader(f))
    return [(r["kernel"], int(r["N"] or r["rows"]), int(r["iters"]) if r["iters"] else None, float(r["mean_ms"]))
            for r in rows if r["kernel"] in CLASS_OF]


def run(a, program, kernel, size, rounds, options, launches):
    """The kernels of one run's JSON."""
    command = [os.path.join(a.build, "warpline"), "run", "--quiet", "--json", "-", *options, program, kernel, str(size), "--launches", str(launches)]
    command += ["--rounds", str(rounds)] if rounds else []
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(command)}: {done.stderr.strip() or done.returncode}")
    return json.loads(done.stdout)["kernels"]


def length(a, program, kernel, size, rounds):
    """Warp instructions of a launch, or a number above the limit."""
    kernels = run(a, program, kernel, size, rounds, ["--functional", "--max-instructions", str(a.limit + 1)], 1)
    return sum(k["warp_instructions"] for k in kernels)


def simulate(a, program, job):
    card, kernel, size, rounds, card_ms = job
    clock = a.clock or CARDS[card].clock
    hertz = f"{clock}MHz"
    settings = [f"gpu.{domain}_clock={hertz}" for domain in ("core", "net", "l2")] + a.set
    options = ["--config", a.machine or CARDS[card].machine] + [x for s in settings for x in ("--set", s)]
    k = run(a, program, kernel, size, rounds, options, 2)[-1]
    ms = k["cycles"] / (clock * 1000)
    row = [card, kernel, size, rounds or "", clock, card_ms, round(ms, 6), k["cycles"], k["warp_instructions"],
           round(32 * (k["dram"]["reads"] + k["dram"]["writes"]) / ms / 1e6, 1), round(k["dram"]["utilisation"] or 0, 3),
           round(1 - (k["l2"]["miss_rate"] or 0), 3), k["ctas_per_sm"]]
    print(*row, flush=True)
    return dict(zip(COLUMNS, map(str, row)))


def simulate_all(a):
    """Rows as they come."""
    jobs, left_out = [], []
    with tempfile.TemporaryDirectory(prefix="warpline-hardware-") as folder:
        program = compile_kernels(a.build, folder)
        for card in a.cards:
            for kernel, size, rounds, card_ms in measured(a.data, card):
                if a.only and kernel not in a.only:
                    continue
                instructions = length(a, program, kernel, size, rounds)
                if instructions > a.limit:
                    left_out.append(f"{card} {kernel} {size}")
                else:
                    jobs.append((instructions, (card, kernel, size, rounds, card_ms)))
        print(f"{len(jobs)} runs; above {a.limit} warp instructions: {', '.join(left_out) or 'none'}", flush=True)
        jobs = [job for _, job in sorted(jobs, key=lambda j: j[0])]  # the short ones first
        with concurrent.futures.ThreadPoolExecutor(a.jobs) as pool:
            for row in pool.map(lambda job: simulate(a, program, job), jobs):
                yield row


def error(row):
    return 100 * (float(row["ours_ms"]) / float(row["card_ms"]) - 1)


def error_with_floor(row):
    return 100 * ((float(row["ours_ms"]) + CARDS[row["card"]].floor_ms) / float(row["card_ms"]) - 1)


def counts(row):
    """Whether the row is in the means: well above what a launch takes."""
    return float(row["card_ms"]) >= FLOORS_THAT_COUNT * CARDS[row["card"]].floor_ms


def correlation(rows):
    """Of the logarithms of the times; None for less than three."""
    if len(rows) < 3:
        return None
    return statistics.correlation([math.log(float(r["card_ms"])) for r in rows], [math.log(float(r["ours_ms"])) for r in rows])


def rows_table(rows):
    lines = ["| kernel | size | card, ms | ours, ms | error % | with the floor % | warp instructions | DRAM, GB/s | DRAM busy | L2 hits |", "| --- " * 10 + "|"]
    for r in rows:
        name = f"{r['kernel']}, {r['rounds']} rounds" if r["rounds"] else r["kernel"]
        mark = "" if counts(r) else " *"
        lines.append(f"| {name}{mark} | {r['size']} | {float(r['card_ms']):.4f} | {float(r['ours_ms']):.4f} | {error(r):+.0f} | {error_with_floor(r):+.0f} | "
                     f"{r['warp_instructions']} | {float(r['dram_gbs']):.0f} | {100 * float(r['dram_busy']):.0f} % | {100 * float(r['l2_hits']):.0f} % |")
    return lines


def summary_line(name, rows):
    errors = [error(r) for r in rows]
    related = correlation(rows)
    return (f"| {name} | {len(rows)} | {statistics.fmean(map(abs, errors)):.0f} | {statistics.fmean(abs(error_with_floor(r)) for r in rows):.0f} | "
            f"{statistics.median(map(abs, errors)):.0f} | {min(errors):+.0f} to {max(errors):+.0f} | {'' if related is None else f'{related:.3f}'} |")


def summary_table(rows):
    """A line per card, then per card and class of kernels."""
    lines = ["| what | rows | mean absolute error % | with the floor % | median % | from, to % | correlation of logarithms |", "| --- " * 7 + "|"]
    rows = [r for r in rows if counts(r)]
    of = lambda card, kernels: [r for r in rows if r["card"] == card and r["kernel"] in kernels]
    lines += [summary_line(f"**{card}**", of(card, CLASS_OF)) for card in CARDS if of(card, CLASS_OF)]
    return lines + [summary_line(f"{card}, {name}", of(card, kernels))
                    for card in CARDS for name, kernels in CLASSES.items() if of(card, kernels)]


def tables(rows):
    """{mark of the page: its lines}."""
    rows = sorted(rows, key=lambda r: (list(CLASS_OF).index(r["kernel"]), int(r["rounds"] or 0), int(r["size"])))
    found = {"summary": summary_table(rows)}
    for card in CARDS:
        of = [r for r in rows if r["card"] == card]
        if of:
            found[card] = rows_table(of)
    return found


def fill_page(path, found):
    """Replaces what stands between `<!-- NAME -->` and `<!-- end -->` for every table of that name."""
    with open(path) as f:
        text = f.read()
    for name, lines in found.items():
        body = f"<!-- {name} -->\n" + "\n".join(lines) + "\n<!-- end -->"
        text, replaced = re.subn(rf"<!-- {re.escape(name)} -->\n.*?<!-- end -->", lambda _: body, text, flags=re.S)
        if not replaced:
            print(f"{path} has no place for '{name}'", file=sys.stderr)
    with open(path, "w") as f:
        f.write(text)


def keep(path, rows):
    """Passes rows on, and writes each into the file, if there is one, at once."""
    if not path:
        yield from rows
        return
    with open(path, "w", newline="") as f:
        out = csv.DictWriter(f, COLUMNS, lineterminator="\n")
        out.writeheader()
        for row in rows:
            out.writerow(row)
            f.flush()
            yield row


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("build", nargs="?")
    p.add_argument("--data")
    p.add_argument("--from", dest="earlier", help="rows of an earlier run's --csv")
    p.add_argument("--page", help="the page that gets the tables")
    p.add_argument("--cards", default=",".join(CARDS), type=lambda s: s.split(","))
    p.add_argument("--only", type=lambda s: s.split(","))
    p.add_argument("--limit", type=int, default=5000000)
    p.add_argument("--clock", type=int, help="instead of the cards' own, in MHz")
    p.add_argument("--machine", help="instead of the cards' own")
    p.add_argument("--set", action="append", default=[])
    p.add_argument("--csv", help="write a line per run")
    p.add_argument("--jobs", type=int, default=2)
    a = p.parse_args()
    if a.earlier:
        with open(a.earlier, newline="") as f:
            rows = list(csv.DictReader(f))
    elif a.build and a.data:
        rows = simulate_all(a)
    else:
        p.error("needs BUILD_DIR and --data, or --from")
    rows = list(keep(a.csv, rows))
    found = tables(rows)
    for name, lines in found.items():
        print(f"\n{name}\n\n" + "\n".join(lines))
    if a.page:
        fill_page(a.page, found)


if __name__ == "__main__":
    main()
