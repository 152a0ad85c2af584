#!/usr/bin/env python3
"""What a cycle of an SM costs the host in a machine of 256 SMs, beside one of 16 with a sixteenth of the memory.

    sm-cost.py WARPLINE... [--runs N]

The machine is mono-256; vadd of the validation set runs on it with 32 CTAs for each SM, eight at a time, so that both have the same
work and occupancy. The measure is user CPU seconds of the process, over the SM-cycles in which an SM had a CTA (sm.cycles): the least
and the median of N runs, which take turns, so that a busy host treats all alike. Memory is what the process had at most.
"""
import argparse
import json
import os
import pathlib
import statistics
import subprocess
import tempfile

KERNELS = pathlib.Path(__file__).resolve().parent.parent / "tests" / "validation" / "kernels"
CTAS_PER_SM, THREADS = 32, 256
SIZES = {256: [], 16: ["--set", "gpu.sms=16", "--set", "map.channels=4"]}


def write_launch(sms, path):
    launch = json.loads((KERNELS / "vadd.json").read_text())
    ctas = CTAS_PER_SM * sms
    for array in launch["arrays"].values():
        array["n"] = ctas * THREADS
    launch["launches"][0]["grid"] = [ctas, 1, 1]
    launch["launches"][0]["args"][3] = {"i32": ctas * THREADS}
    path.write_text(json.dumps(launch))


def run(warpline, sms, folder):
    out = folder / "result.json"
    command = [warpline, "run", "--quiet", "--json", str(out), "--config", "mono-256", *SIZES[sms], "--ptx", str(KERNELS / "vadd.ptx"), "--launch", str(folder / f"{sms}.json")]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    if status:
        raise SystemExit(f"failed: {' '.join(command)}")
    result = json.loads(out.read_text())
    cycles = sum(kernel["sm"]["cycles"] for kernel in result["kernels"])
    return used.ru_utime / cycles * 1e6, result["host"]["peak_rss_bytes"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("warpline", nargs="+")
    parser.add_argument("--runs", type=int, default=5)
    options = parser.parse_args()
    times, memory = {}, {}
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for sms in SIZES:
            write_launch(sms, folder / f"{sms}.json")
        for _ in range(options.runs):
            for warpline in options.warpline:
                for sms in SIZES:
                    cost, memory[warpline, sms] = run(warpline, sms, folder)
                    times.setdefault((warpline, sms), []).append(cost)
    for warpline in options.warpline:
        many, few = times[warpline, 256], times[warpline, 16]
        print(f"{warpline}: us per SM-cycle, 256 SMs {min(many):.3f} (median {statistics.median(many):.3f}), 16 SMs {min(few):.3f} ({statistics.median(few):.3f}): "
              f"{min(many) / min(few):.2f} ({statistics.median(many) / statistics.median(few):.2f}) times; "
              f"{(memory[warpline, 256] - memory[warpline, 16]) / 240e6:.2f} MB more for each SM")


if __name__ == "__main__":
    main()
