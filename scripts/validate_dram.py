#!/usr/bin/env python3
"""Compares the DRAM model with DRAMsim3 on address streams and writes docs/log/validation-dram.md.

usage: scripts/validate_dram.py [--build DIR] [--set DIR] [-o FILE]

The set (tests/validation/dram by default) has streams.py, which makes the address streams, and results.csv, which holds what DRAMsim3
did with them: config, stream, Q (most reads outstanding), bytes per request, clocks, mean read latency. Exits with 1 when fewer than
four streams in five are within 10 % in both bandwidth and latency.
"""
import argparse
import csv
import os
import subprocess
import sys
import tempfile

# DRAMsim3's configuration in results.csv -> ours
CONFIGS = {
    "DDR3_4Gb_x8_1600": "dram-ddr3-1600-2rank",
    "DDR3_4Gb_x8_1600_1rank": "dram-ddr3-1600",
    "GDDR5_1Gb_x32_bus64": "dram-gddr5-1gb",
    "GDDR5_8Gb_x32_bus64": "dram-gddr5-8gb",
    "GDDR5_8Gb_x32": "dram-gddr5-8gb-128",
    "HBM1_4Gb_x128_1ch": "dram-hbm1-4gb",
    "HBM2_8Gb_x128_1ch": "dram-hbm2-8gb",
}
LIMIT = 10.0  # per cent


def error(ours, theirs):
    return 0.0 if theirs == 0 else 100.0 * (ours - theirs) / theirs


def measure(driver, streams, row):
    path = os.path.join(streams, f"{row['stream']}_{row['bytes']}.txt")
    out = subprocess.run([driver, CONFIGS[row["config"]], row["bytes"], row["Q"], path], check=True, capture_output=True, text=True)
    requests, clocks, _, latency, _, _ = out.stdout.split()
    if int(requests) != int(row["reqs"]):
        sys.exit(f"validate_dram.py: {path} has {requests} requests, the reference ran {row['reqs']}")
    gbps = int(requests) * int(row["bytes"]) / (int(clocks) * float(row["tck_ns"]))
    return gbps, float(latency)


def report(rows, out):
    good = sum(r["good"] for r in rows)
    worst = max(rows, key=lambda r: max(abs(r["bandwidth_error"]), abs(r["latency_error"])))
    mean_b = sum(abs(r["bandwidth_error"]) for r in rows) / len(rows)
    mean_l = sum(abs(r["latency_error"]) for r in rows) / len(rows)
    out.write("# DRAM against DRAMsim3\n\n")
    out.write("Written by `scripts/validate_dram.py` from `tests/validation/dram`. The same address streams through the schedulers and banks\n"
              "of our channel and through DRAMsim3 (open page, a queue per bank, FR-FCFS); Q is the most reads outstanding, one request is\n"
              "offered per clock. Bandwidth in GB/s, mean read latency in DRAM clocks; error = ours over theirs.\n\n")
    out.write(f"- within {LIMIT:g} % in bandwidth and latency: **{good} of {len(rows)}**\n")
    out.write(f"- mean absolute error: bandwidth {mean_b:.2f} %, latency {mean_l:.2f} %\n")
    out.write(f"- worst: {worst['config']} {worst['stream']} Q={worst['Q']}: bandwidth {worst['bandwidth_error']:+.1f} %, "
              f"latency {worst['latency_error']:+.1f} %\n\n")
    for config in CONFIGS:
        mine = [r for r in rows if r["config"] == config]
        if not mine:
            continue
        out.write(f"## {config}, here `{CONFIGS[config]}`\n\n")
        out.write("| stream | Q | GB/s, DRAMsim3 | ours | error | latency, DRAMsim3 | ours | error |\n")
        out.write("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n")
        for r in mine:
            latency = (f"{float(r['avg_rd_lat_clk']):.1f} | {r['latency']:.1f} | {r['latency_error']:+.1f} %"
                       if float(r["avg_rd_lat_clk"]) else "| |")
            out.write(f"| {r['stream']} | {r['Q']} | {float(r['GBps']):.2f} | {r['bandwidth']:.2f} | {r['bandwidth_error']:+.1f} % | "
                      f"{latency} |\n")
        out.write("\n")
    return good


def main():
    top = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default=os.path.join(top, "build"), help="build directory (default: build)")
    parser.add_argument("--set", default=os.path.join(top, "tests/validation/dram"), help="folder with streams.py and results.csv")
    parser.add_argument("-o", "--output", default=os.path.join(top, "docs/log/validation-dram.md"))
    args = parser.parse_args()
    driver = os.path.abspath(os.path.join(args.build, "tests/validation/dram/dram_streams"))
    with open(os.path.join(args.set, "results.csv"), newline="", encoding="utf-8") as f:
        rows = list(csv.DictReader(f))
    unknown = sorted({r["config"] for r in rows} - set(CONFIGS))
    if unknown:
        sys.exit(f"validate_dram.py: no configuration of ours for {', '.join(unknown)}")
    with tempfile.TemporaryDirectory() as streams:
        subprocess.run([sys.executable, os.path.abspath(os.path.join(args.set, "streams.py"))], cwd=streams, check=True)
        for r in rows:
            r["bandwidth"], r["latency"] = measure(driver, streams, r)
            r["bandwidth_error"] = error(r["bandwidth"], float(r["GBps"]))
            r["latency_error"] = error(r["latency"], float(r["avg_rd_lat_clk"]))
            r["good"] = abs(r["bandwidth_error"]) <= LIMIT and abs(r["latency_error"]) <= LIMIT
    with open(args.output, "w", encoding="utf-8") as out:
        good = report(rows, out)
    print(f"{good} of {len(rows)} streams within {LIMIT:g} %; {args.output}")
    sys.exit(0 if 5 * good >= 4 * len(rows) else 1)


if __name__ == "__main__":
    main()
